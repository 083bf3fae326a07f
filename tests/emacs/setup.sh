#!/usr/bin/env bash
# Installs Emacs with eglot, once, from the system's packages. Prints nothing but PASS and FAIL lines.
set -uo pipefail

ready() {
  command -v emacs >/dev/null &&
    emacs -q --batch --eval "(progn (package-initialize) (require 'eglot))" >/dev/null 2>&1
}

install() {
  ready && return
  command -v apt-get >/dev/null || {
    echo 'needed: Emacs 28 or newer with eglot; install them yourself, this machine has no apt-get'
    return 1
  }
  local sudo=()
  [[ $(id -u) == 0 ]] || sudo=(sudo -n)
  "${sudo[@]}" apt-get -o DPkg::Lock::Timeout=300 update -qq || true
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends emacs-nox elpa-eglot &&
    ready
}

if output=$(install 2>&1); then
  echo 'PASS setup: Emacs with eglot'
else
  echo 'FAIL setup: Emacs with eglot'
  printf '%s\n' "$output" | tail -n 20
  exit 1
fi

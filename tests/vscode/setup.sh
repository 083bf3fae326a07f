#!/bin/bash
# Installs what the tests in the real editor need: VS Code as code-server, a Node for it, Playwright's driver and,
# from Debian, Chromium with a font for Chinese and the compilers for code-server's native parts.
#
# Into $PROMPTBLOCK_TOOLS/vscode (by default below the cache folder). From nothing about two minutes of CPU time and
# 1 GB; does nothing where all is there. System packages need root (or sudo without a password) and apt-get; where
# they are installed already, neither is asked for.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/versions.sh"
. "$here/paths.sh"

say() { echo "setup: $*"; }
fail() { echo "setup: $*" >&2; exit 1; }

missing_packages() {
  find_chromium >/dev/null || echo chromium
  fc-list 2>/dev/null | grep -q . || echo fonts-dejavu-core
  # Without a font for it, Chinese is boxes on the screenshots.
  [ -n "$(fc-list :lang=zh 2>/dev/null)" ] || echo fonts-wqy-microhei
  command -v fc-list >/dev/null || echo fontconfig
  command -v npm >/dev/null || echo npm
  if [ ! -x "$CODE_SERVER" ]; then
    command -v c++ >/dev/null && command -v make >/dev/null || echo build-essential
    command -v pkg-config >/dev/null || echo pkg-config
    command -v python3 >/dev/null || echo python3
    pkg-config --exists krb5-gssapi 2>/dev/null || echo libkrb5-dev
  fi
}

install_packages() {
  local packages
  mapfile -t packages < <(missing_packages)
  [ ${#packages[@]} -gt 0 ] || return 0
  command -v apt-get >/dev/null || fail "please install: ${packages[*]} (no apt-get here to do it)"
  local as_root=()
  if [ "$(id -u)" != 0 ]; then
    sudo -n true 2>/dev/null || fail "please install: apt-get install ${packages[*]} (this needs root)"
    as_root=(sudo -n)
  fi
  say "apt-get install ${packages[*]}"
  apt "${as_root[@]}" -- update -qq
  apt "${as_root[@]}" -- install -y -qq --no-install-recommends "${packages[@]}"
}

# apt [PREFIX...] -- ARGUMENTS: runs apt-get, and waits for another one that is at work. It can wait by itself for the
# lock of the packages, but not for that of the lists, so a failure that speaks of a lock is tried again.
apt() {
  local prefix=() output
  while [ "$1" != -- ]; do prefix+=("$1") && shift; done
  shift
  for _ in $(seq 60); do
    output=$("${prefix[@]}" env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 "$@" 2>&1) && return 0
    case $output in
      *"get lock"* | *"Unable to lock"*) sleep 5 ;;
      *) break ;;
    esac
  done
  echo "$output" >&2
  fail "apt-get $* failed"
}

# A folder counts as installed only when its stamp says so; one left half done is made anew.
install_npm() {
  local folder=$TOOLS/$1 package=$2
  shift 2
  [ "$(cat "$folder/.installed" 2>/dev/null)" != "$package" ] || return 0
  say "$package"
  rm -rf "$folder"
  mkdir -p "$folder"
  echo '{ "private": true }' >"$folder/package.json"
  (cd "$folder" && "$@" npm install --silent --no-audit --no-fund "$package" >install.log 2>&1) || { tail -n 30 "$folder/install.log" >&2; fail "$package did not install; see $folder/install.log"; }
  echo "$package" >"$folder/.installed"
}

mkdir -p "$TOOLS"
exec 9>"$TOOLS/.lock"
flock 9

install_packages
install_npm node "$NODE_PACKAGE@$NODE_VERSION" env
# code-server wants the Node that it will run on, first in the PATH and with its own headers for the native parts.
install_npm code-server "code-server@$CODE_SERVER_VERSION" env PATH="$NODE_HOME/bin:$PATH" npm_config_nodedir="$NODE_HOME" npm_config_foreground_scripts=true
install_npm playwright "playwright-core@$PLAYWRIGHT_VERSION" env npm_config_ignore_scripts=true

[ -x "$CODE_SERVER" ] || fail "no code-server in $TOOLS"
find_chromium >/dev/null || fail "no Chromium"
say "ready in $TOOLS"

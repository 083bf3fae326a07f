#!/usr/bin/env bash
# The plugin in real Neovims against the real server. Needs setup.sh once; PROMPTBLOCK names the server
# (default: the release build), PLUGIN the plugin (default: the one of this checkout). Arguments: names of
# tests (default: all).
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
tools=${PROMPTBLOCK_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/promptblock-tools}
new=$tools/neovim-0.11.4/bin/nvim
old=${NVIM_OLD:-/usr/bin/nvim}
export PROMPTBLOCK=${PROMPTBLOCK:-${CARGO_TARGET_DIR:-$root/target}/release/promptblock}
export PLUGIN=${PLUGIN:-$root/editors/neovim} TESTS=$here
only=("$@")
failures=0

fail() {
  echo "FAIL $*"
  failures=$((failures + 1))
}

for program in "$new" "$old" "$PROMPTBLOCK"; do
  if [[ ! -x $program ]]; then
    fail "$program is missing (setup.sh installs Neovim, cargo build --release -p promptblock the server)"
    exit 1
  fi
done

# Nothing of the user's own configuration counts, and nothing is left behind.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export XDG_CONFIG_HOME=$scratch/config XDG_STATE_HOME=$scratch/state XDG_CACHE_HOME=$scratch/cache
export LANG=C.UTF-8 LC_ALL=C.UTF-8
unset LANGUAGE
# A path of its own, so that its processes can be told from those of others.
mkdir "$scratch/bin"
ln -s "$(realpath "$PROMPTBLOCK")" "$scratch/bin/promptblock"
PROMPTBLOCK=$scratch/bin/promptblock

wanted() {
  [[ ${#only[@]} == 0 ]] && return
  local name
  for name in "${only[@]}"; do [[ $1 == "$name" ]] && return; done
  return 1
}

fresh() { # fresh SOURCE: a copy to change at will, in $project
  project=$scratch/project
  rm -rf "$project"
  cp -R "$1" "$project"
}

headless() { # headless NVIM TEST [SOURCE [FILE]]
  local nvim=$1 test=$2 output status passed version
  wanted "$test" || return 0
  fresh "${3:-$here/project}"
  export XDG_DATA_HOME=$scratch/data
  rm -rf "$XDG_DATA_HOME"
  output=$(cd "$project" && timeout 180 "$nvim" --headless -u "$here/init.lua" -i NONE -n \
    ${4:+"$4"} -c "luafile $here/$test.lua" 2>"$scratch/errors" </dev/null)
  status=$?
  version=$("$nvim" --version | head -n 1 | cut -d' ' -f2)
  printf '%s\n' "$output" | sed "s/^\(PASS\|FAIL\) /\1 $version $test: /"
  passed=$(grep -a -c '^PASS ' <<<"$output")
  if [[ $status != 0 || $passed == 0 ]]; then
    fail "$version $test: exit status $status, $passed checks passed"
    head -n 40 "$scratch/errors"
    echo
  fi
}

for nvim in "$new" "$old"; do
  headless "$nvim" session
  headless "$nvim" examples "$root/examples"
  headless "$nvim" preview "$root/examples"
  headless "$nvim" sources
  headless "$nvim" health
  headless "$nvim" missing
  headless "$nvim" options
  NO_SETUP=1 headless "$nvim" late "$here/project" rules.promptblock
  TEST_LOCALE=zh-CN headless "$nvim" locale
  TEST_LOCALE=en headless "$nvim" locale
done
headless "$new" names
headless "$new" parsers

if wanted screen; then
  for nvim in "$new" "$old"; do
    fresh "$here/project"
    "$here/screen.sh" "$nvim" "$project" || failures=$((failures + 1))
  done
fi

# A server that outlives its editor eats memory for ever.
for ((i = 0; i < 30; i++)); do
  left=$(pgrep -f "^$PROMPTBLOCK lsp")
  [[ -z $left ]] && break
  sleep 0.1
done
if [[ -n $left ]]; then
  fail "servers left running: $left"
else
  echo "PASS no server is left running"
fi

if [[ $failures != 0 ]]; then
  echo "FAIL tests/neovim: $failures failed"
  exit 1
fi
echo "PASS tests/neovim"

#!/usr/bin/env bash
# One look at a real screen: Neovim in a terminal, keys typed into it, the screen read back.
# usage: screen.sh NVIM PROJECT   (called by run.sh, which sets PROMPTBLOCK, PLUGIN, TESTS)
set -uo pipefail

nvim=$1 project=$2
version=$("$nvim" --version | head -n 1 | cut -d' ' -f2)
socket=promptblock-test-$$
failures=0
screen=

tm() { tmux -u -L "$socket" -f /dev/null "$@"; }
trap 'tm kill-server 2>/dev/null' EXIT

look() { screen=$(tm capture-pane -p "$@"); }

# expect NAME PATTERN [capture-pane options]: the pattern appears on the screen within 10 seconds.
expect() {
  local name=$1 pattern=$2 i
  shift 2
  for ((i = 0; i < 100; i++)); do
    look "$@"
    if grep -q -a -E -- "$pattern" <<<"$screen"; then
      echo "PASS $version screen: $name"
      return
    fi
    sleep 0.1
  done
  echo "FAIL $version screen: $name: no $pattern in"
  printf '%s\n' "$screen"
  failures=$((failures + 1))
}

# 0.11 shows messages beside the text only if asked to, and can complete while typing.
settings='lua vim.diagnostic.config({ virtual_text = true }) require("promptblock").setup({ completion = true })'
keys=()
[[ $version == v0.7* ]] && keys=(C-x C-o)

tm new-session -d -x 130 -y 30 -c "$project" \
  "$nvim" -u "$TESTS/init.lua" -i NONE -n -c "$settings" rules.promptblock

expect 'the sign of an error and its message stand beside the line' '^E.*\{time\}.*time'
expect 'the wrong name too' '^E.*usr_name\}.*usr_name'
esc=$(printf '\033')
# Struck through as well once the tokens have come: it is deprecated here.
expect 'the variable is underlined' "${esc}\[([0-9]+;)*4(;[0-9]+)*m(${esc}\[[0-9;]*m)*time" -e

tm send-keys Escape ':lua vim.fn.cursor(4, 9) vim.lsp.buf.hover()' Enter
expect 'hover on the order' '[Tt]ool guidance'
tm send-keys Escape Escape 'Go{' "${keys[@]}"
expect 'completion behind a brace' 'user_name.*[A-Z]'
expect 'and the other variables' '^ *\{?weather'
[[ ${#keys[@]} == 0 ]] && expect 'nothing is chosen before the user chooses' '^ *\{ *$'
tm send-keys C-e Escape u
tm send-keys ':%s/{time}//|%s/usr_name/user_name/' Enter ':nohlsearch' Enter
for ((i = 0; i < 100; i++)); do
  look
  grep -q '^E ' <<<"$screen" || break
  sleep 0.1
done
if grep -q '^E ' <<<"$screen"; then
  echo "FAIL $version screen: mended, the signs go:"
  printf '%s\n' "$screen"
  failures=$((failures + 1))
else
  echo "PASS $version screen: mended, the signs go"
fi

# The preview beside the text.
tm send-keys Escape ':PromptblockPreview' Enter
expect 'the messages that the model is sent stand beside the text' '── system'
expect 'a block with its order and its tokens' '▎demo:rules  120 .*[0-9]+ tokens'
expect 'the end of the stable prefix' '══ the stable prefix ends here'
expect 'an example has a colour of its own' "${esc}\[[0-9;]*[1-9][0-9;]*m(${esc}\[[0-9;]*m)*小明${esc}" -e
[[ -z ${PROMPTBLOCK_SCREENS:-} ]] || { mkdir -p "$PROMPTBLOCK_SCREENS"; tm capture-pane -p >"$PROMPTBLOCK_SCREENS/$version.txt"; tm capture-pane -p -e >"$PROMPTBLOCK_SCREENS/$version.ansi"; }
tm send-keys ':qall!' Enter
exit $((failures != 0))

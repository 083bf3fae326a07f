#!/bin/bash
# Checks, builds and packs the VS Code extension and tries it in the real editor. One PASS or FAIL line a check;
# ends with 0 only if all passed. setup.sh must have run before.
#
#   PROMPTBLOCK_BINARY       the server's program; by default the newest in the target folder
#   PROMPTBLOCK_SCREENSHOTS  where the screenshots go; by default target/vscode-screenshots
#   PROMPTBLOCK_KEEP         if set, the folder of the run is kept
#   PROMPTBLOCK_ONLY         only these parts, e.g. "host ui"
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
extension=$project/editors/vscode
. "$here/paths.sh"

fail() { echo "FAIL run: $*"; exit 1; }
[ -x "$CODE_SERVER" ] || fail "the tools are missing; run tests/vscode/setup.sh"
export PATH=$NODE_HOME/bin:$PATH PLAYWRIGHT
CHROMIUM=$(find_chromium) || fail "no Chromium; run tests/vscode/setup.sh"
export CHROMIUM

if [ -z "${PROMPTBLOCK_BINARY:-}" ]; then
  target=${CARGO_TARGET_DIR:-$project/target}
  PROMPTBLOCK_BINARY=$(ls -t "$target"/{release,debug}/promptblock 2>/dev/null | head -n 1 || true)
  [ -n "$PROMPTBLOCK_BINARY" ] || fail "no server; build it or set PROMPTBLOCK_BINARY"
fi
[ -x "$PROMPTBLOCK_BINARY" ] || fail "PROMPTBLOCK_BINARY is no program: $PROMPTBLOCK_BINARY"
PROMPTBLOCK_BINARY=$(realpath "$PROMPTBLOCK_BINARY")
export PROMPTBLOCK_BINARY
screenshots=${PROMPTBLOCK_SCREENSHOTS:-$project/target/vscode-screenshots}

work=$(mktemp -d)
servers=()
cleanup() {
  local pid
  for pid in "${servers[@]}"; do kill "$pid" 2>/dev/null || true; done
  # They write until they are gone, into the folder that goes next.
  for pid in "${servers[@]}"; do wait "$pid" 2>/dev/null || true; done
  if [ -n "${PROMPTBLOCK_KEEP:-}" ]; then
    echo "kept: $work"
  else
    rm -rf "$work" 2>/dev/null || { sleep 2; rm -rf "$work" || true; }
  fi
}
trap cleanup EXIT

failed=0
wanted() { [ -z "${PROMPTBLOCK_ONLY:-}" ] || [[ " $PROMPTBLOCK_ONLY " == *" $1 "* ]]; }
# A step with a line of its own; what it prints is shown when it fails.
step() {
  local name=$1
  shift
  if "$@" >"$work/step.log" 2>&1; then echo "PASS $name"; else
    cat "$work/step.log"
    echo "FAIL $name"
    failed=1
    return 1
  fi
}

# ---- the extension itself

export npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false
cd "$extension"
if ! cmp -s package-lock.json node_modules/.promptblock-lock; then
  step "npm ci" npm ci --ignore-scripts || exit 1
  cp package-lock.json node_modules/.promptblock-lock
fi
step "types" npm run --silent check || true
step "unit tests" npm run --silent test || true
export PROMPTBLOCK_VSIX=$work/promptblock.vsix
step "package" npm run --silent package || exit 1

# ---- projects to open: copies, as the tests edit them

# The editor brings back what a folder left unsaved, so each suite has a folder to itself.
cp -r "$project/examples" "$work/examples"
mkdir "$work/ui"
cp -r "$project/examples" "$work/ui/examples"
project_with_programs() {
  cp -r "$project/examples/chat-bot" "$work/$1"
  cp -r "$here/fixtures/programs" "$work/$1/programs"
}
project_with_programs failures
project_with_programs client
cp -r "$project/examples/chat-bot" "$work/preview"
cp -r "$project/examples/chat-bot" "$work/ui/preview"
for name in restricted trusted; do
  project_with_programs $name
  cp "$here/fixtures/restricted.promptblock" "$work/$name/blocks/"
  mkdir "$work/$name/.vscode"
  # shellcheck disable=SC2016
  echo '{ "promptblock.server.path": "${workspaceFolder}/programs/leaves-a-trace" }' >"$work/$name/.vscode/settings.json"
done
cp -r "$project/examples/chat-bot" "$work/broken"
mkdir "$work/broken/.vscode"
echo '{ "promptblock.server.path": "/nowhere/no-such-server" }' >"$work/broken/.vscode/settings.json"

# ---- in the editor

# What the .vsix holds, seen where the editor unpacked it.
contents() {
  cd "$installed"
  local file
  for file in dist/extension.js dist/preview/page.{js,css} dist/THIRD-PARTY.txt dist/promptblock.tmLanguage.json dist/schemas/{catalog,environment,config}.schema.json \
    package.nls{,.zh-cn}.json l10n/bundle.l10n.zh-cn.json images/icon.png images/file-{light,dark}.svg LICENSE.txt README.md; do
    ls "$(dirname "$file")" | grep -qix "$(basename "$file")" || { echo "not in the package: $file"; return 1; }
  done
  [ -x server/promptblock ] || { echo "the server is not executable"; return 1; }
  cmp server/promptblock "$PROMPTBLOCK_BINARY" || return 1
  local strangers
  strangers=$(find . -path '*node_modules*' -o -name '*.ts' -o -name '*.map' -o -name '*.mjs' -o -name '*-lock.json' -o -name '.npmrc')
  [ -z "$strangers" ] || { echo "does not belong in the package: $strangers"; return 1; }
}

# Starts VS Code; its address is in $address, the unpacked extension in $installed.
serve() {
  local data=$work/$1
  mkdir -p "$data"
  : >"$data/address"
  bash "$here/serve.sh" "$data" "$PROMPTBLOCK_VSIX" "$2" >"$data/address" 2>"$data/errors" &
  servers+=($!)
  for _ in $(seq 300); do
    address=$(head -n 1 "$data/address")
    if [ -n "$address" ] && curl_ok "$address/healthz"; then
      installed=$(echo "$data"/extensions/promptblock.promptblock-*)
      return 0
    fi
    kill -0 "${servers[-1]}" 2>/dev/null || break
    sleep 0.2
  done
  cat "$data/errors" "$data/server.log" 2>/dev/null | tail -n 30
  fail "VS Code did not start"
}
curl_ok() { node -e 'fetch(process.argv[1]).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))' "$1"; }

in_host() {
  wanted "$1" || return 0
  echo "--- $1"
  node "$here/lib/run-in-host.js" "$address" "$work/$2" "$installed" "$here/$3" || { echo "FAIL $1"; failed=1; }
}

serve trusting trust
step "contents of the package" contents || true
in_host host examples host.js
in_host typing examples host-typing.js
in_host preview preview host-preview.js
in_host client client host-client.js
in_host failures failures host-failures.js
in_host trusted trusted host-trusted.js
if wanted ui; then
  echo "--- ui"
  node "$here/ui.js" "$address" "$work/ui/examples" "$work/broken" "$screenshots" || { echo "FAIL ui"; failed=1; }
fi
if wanted ui-preview; then
  echo "--- ui-preview"
  node "$here/ui-preview.js" "$address" "$work/ui/preview" "$screenshots/preview" || { echo "FAIL ui-preview"; failed=1; }
fi
if wanted restricted; then
  serve untrusting no-trust
  in_host restricted restricted host-restricted.js
fi

if [ $failed = 0 ]; then echo "PASS all"; else echo "FAIL some"; fi
exit $failed

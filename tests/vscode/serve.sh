#!/bin/bash
# Runs VS Code with one extension on a free port of this machine alone, prints its address, and stays until killed.
#
# usage: serve.sh DATA EXTENSION.vsix [trust|no-trust]
#   DATA      a folder for settings, extensions and logs of this run
#   no-trust  folders start out untrusted, as they do for a user; `trust` (the default) trusts all
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/paths.sh"
data=$1 vsix=$2 trust=${3:-trust}

mkdir -p "$data/user/User" "$data/extensions"
# Without a configuration of its own code-server writes one into the home directory.
echo 'auth: none' >"$data/config.yaml"
cat >"$data/user/User/settings.json" <<'S'
{
  "workbench.startupEditor": "none",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.colorTheme": "Default Dark Modern",
  "security.workspace.trust.startupPrompt": "never",
  "security.workspace.trust.banner": "never",
  "chat.disableAIFeatures": true,
  "telemetry.telemetryLevel": "off",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "files.autoSave": "off"
}
S
export PATH=$NODE_HOME/bin:$PATH
common=(--config "$data/config.yaml" --user-data-dir "$data/user" --extensions-dir "$data/extensions")
"$CODE_SERVER" "${common[@]}" --install-extension "$vsix" >"$data/install.log" 2>&1 || { cat "$data/install.log" >&2; exit 1; }

flags=(--auth none --disable-telemetry --disable-update-check --disable-getting-started-override)
[ "$trust" = no-trust ] || flags+=(--disable-workspace-trust)
port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
echo "http://127.0.0.1:$port"
exec "$CODE_SERVER" "${common[@]}" "${flags[@]}" --bind-addr "127.0.0.1:$port" >"$data/server.log" 2>&1

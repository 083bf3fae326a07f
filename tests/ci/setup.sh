#!/usr/bin/env bash
# Installs what the tests of the files for CI need, once: pre-commit, and check-jsonschema, which brings the schemas
# of actions and hooks along.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
tools=${PROMPTBLOCK_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/promptblock-tools}
folder=$tools/ci
cmp -s "$here/requirements.txt" "$folder/installed.txt" && "$folder/bin/pre-commit" --version >/dev/null && exit
command -v python3 >/dev/null || { echo "needed: python3"; exit 1; }
echo "installing pre-commit and check-jsonschema into $folder, once"
rm -rf "$folder"
python3 -m venv "$folder" || { echo "needed: python3 with venv (Debian: python3-venv)"; exit 1; }
"$folder/bin/pip" install --quiet --disable-pip-version-check --requirement "$here/requirements.txt" || {
  echo "needed: the packages of tests/ci/requirements.txt, from the Python package index"
  exit 1
}
cp "$here/requirements.txt" "$folder/installed.txt"

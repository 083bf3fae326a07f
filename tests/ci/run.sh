#!/usr/bin/env bash
# Tries action.yml, .pre-commit-hooks.yaml and the SARIF log by the programs that read them.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
tools=${PROMPTBLOCK_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/promptblock-tools}
exec "$tools/ci/bin/python" "$here/run.py"

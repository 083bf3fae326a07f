#!/usr/bin/env bash
# Compares `promptblock tokens` with tiktoken.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
tools=${PROMPTBLOCK_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/promptblock-tools}
export TIKTOKEN_CACHE_DIR=$tools/tokens/vocabularies
exec "$tools/tokens/bin/python" "$here/run.py"

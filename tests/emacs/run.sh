#!/usr/bin/env bash
# The documented configuration in a real Emacs against the real server. Needs setup.sh once; PROMPTBLOCK
# names the server (default: the release build).
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
export PROMPTBLOCK=${PROMPTBLOCK:-${CARGO_TARGET_DIR:-$root/target}/release/promptblock}

for program in emacs "$PROMPTBLOCK"; do
  if ! command -v "$program" >/dev/null; then
    echo "FAIL $program is missing (setup.sh installs Emacs, cargo build --release -p promptblock the server)"
    exit 1
  fi
done

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -R "$root/tests/neovim/project" "$scratch/project"
# The configuration says `promptblock`: it is found on the PATH, as a user has it.
mkdir "$scratch/bin" "$scratch/home"
ln -s "$(realpath "$PROMPTBLOCK")" "$scratch/bin/promptblock"

# The lines of the page are what is tested: they are taken out of it, not repeated here.
awk '/```elisp/ { on = 1; next } /```/ { on = 0 } on' "$root/editors/emacs.md" >"$scratch/init.el"

export PATH=$scratch/bin:$PATH HOME=$scratch/home LANG=C.UTF-8 LC_ALL=C.UTF-8
cd "$scratch/project" || exit 1
# `-q` and not `-Q`: the site's start file is what puts Debian's eglot on the load path.
timeout 180 emacs -q --batch -L "$root/editors/emacs" --eval '(package-initialize)' \
  -l "$scratch/init.el" -l "$here/test.el" 2>"$scratch/errors" </dev/null
status=$?

if output=$(emacs -q --batch -L "$scratch" --eval '(setq byte-compile-error-on-warn t)' \
  --eval "(setq byte-compile-dest-file-function (lambda (_) \"$scratch/promptblock-mode.elc\"))" \
  --eval '(package-initialize)' -f batch-byte-compile "$root/editors/emacs/promptblock-mode.el" 2>&1); then
  echo 'PASS compiles without a warning'
else
  echo 'FAIL compiles without a warning'
  printf '%s\n' "$output"
  status=1
fi

if [[ $status != 0 ]]; then
  tail -n 40 "$scratch/errors"
  echo 'FAIL tests/emacs'
  exit 1
fi
echo 'PASS tests/emacs'

#!/usr/bin/env bash
# What pre-commit runs (.pre-commit-hooks.yaml): the program of this checkout, built when it is first needed.
set -eu
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
case $target in
  /* | ?:*) ;;
  *) target=$PWD/$target ;;
esac
command -v cargo >/dev/null || {
  echo "promptblock: building the hook needs Rust (https://rustup.rs)" >&2
  exit 2
}
# From the root, so that no configuration of the checked repository takes part in the build.
(cd "$root" && cargo build --quiet --release --locked --package promptblock --target-dir "$target")
exec "$target/release/promptblock" "$@"

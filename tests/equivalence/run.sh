#!/bin/sh
# run.sh DIR [PART] - the part of the matrix that scripts/test runs, or `all`, each precision by a process of its own;
# DIR has what was built.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/suite.sh
scratch
rm -rf "$1/runs"
mkdir -p "$1/runs"
for precision in f64 f32 bf16; do
    later "$precision" "$1/equivalence" "$1/placec" "$1/runs/$precision" \
        tests/equivalence/matrix.txt "${2:-test}" "$precision"
done
run_later add_suite
finish_suite

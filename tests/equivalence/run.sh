#!/bin/sh
# run.sh DIR [PART] - the part of the matrix that scripts/test runs, or `all`, in shares that every core takes one by
# one; DIR has what was built.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/suite.sh
scratch
rm -rf "$1/runs"
mkdir -p "$1/runs"
share() {
    later "$1 $2" "$B/equivalence" "$B/placec" "$B/runs/$1.${2%/*}" tests/equivalence/matrix.txt "$part" "$1" "$2"
}
B=$1 part=${2:-test}
for share in 0/4 1/4 2/4 3/4; do
    share f64 $share
done
share f32 0/2
share f32 1/2
share bf16 0/1
run_later add_suite
finish_suite

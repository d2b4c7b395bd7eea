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
share bf16 0/1
share f32 0/2
share f32 1/2
for share in 0/6 1/6 2/6 3/6 4/6 5/6; do
    share f64 $share
done
run_later add_suite
finish_suite

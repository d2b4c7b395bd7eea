#!/bin/sh
# distpar.sh [--check]: writes the tables of docs/distpar.md anew, between their marks, and its pictures; --check compares them with
# what is there instead. DISTPAR is the program that prints them (make bench-distpar). Ends with one line: N passed, N failed,
# N skipped.
set -eu
cd "$(dirname "$0")/.."
. bench/marks.sh
: "${DISTPAR:=build/debug/bench/distpar_tables}"
page=docs/distpar.md made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

# replace NAME: the lines between the marks of a table of the page.
replace() {
    "$DISTPAR" "$1" > "$made/table"
    replace_marked "$made/distpar.md" "$1" "$made/table"
}

# draw NAME TABLE...: docs/distpar-NAME.svg from these tables.
draw() {
    name=$1
    shift
    for table in "$@"; do "$DISTPAR" "$table"; done > "$made/table"
    awk -f bench/picture.awk -f "bench/distpar/$name.awk" "$made/table" > "$made/distpar-$name.svg"
    rm "$made/table"
}

cp "$page" "$made/distpar.md"
for table in vgg heads choices betas gains implementations primitives; do
    replace $table
done
draw vgg vgg
draw heads curves heads
draw betas betas gains
draw map map
draw primitives primitives
if [ "${1:-}" != --check ]; then
    cp "$made"/* docs/
else
    for file in "$made"/*; do
        diff "docs/${file##*/}" "$file" || failed=1
    done
    if [ -n "${failed:-}" ]; then
        echo "FAIL $page: its tables or pictures are out of date; make bench-distpar writes them"
        echo "0 passed, 1 failed, 0 skipped"
        exit 1
    fi
fi
echo "1 passed, 0 failed, 0 skipped"

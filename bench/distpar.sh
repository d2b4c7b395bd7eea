#!/bin/sh
# distpar.sh [--check]: writes the tables of docs/distpar.md anew, between their marks; --check compares them with the page
# instead. DISTPAR is the program that prints them (make bench-distpar). Ends with one line: N passed, N failed, N skipped.
set -eu
cd "$(dirname "$0")/.."
: "${DISTPAR:=build/debug/bench/distpar_tables}"
page=docs/distpar.md made=$(mktemp)
trap 'rm -f "$made" "$made.table" "$made.new"' EXIT

# replace NAME: the lines between the marks of a table, in `made`.
replace() {
    "$DISTPAR" "$1" > "$made.table"
    awk -v table="$made.table" -v begin="<!-- $1 -->" -v end="<!-- /$1 -->" '
        $0 == begin { print; while ((getline line < table) > 0) print line; inside = found = 1 }
        $0 == end { inside = 0 }
        !inside
        END { exit !found || inside }' "$made" > "$made.new" || { echo "$page has no marks for $1"; exit 1; }
    mv "$made.new" "$made"
}

cp "$page" "$made"
for table in vgg heads betas gains implementations primitives; do
    replace $table
done
if [ "${1:-}" != --check ]; then
    cp "$made" "$page"
elif ! diff "$page" "$made"; then
    echo "FAIL $page: its tables are out of date; make bench-distpar writes them"
    echo "0 passed, 1 failed, 0 skipped"
    exit 1
fi
echo "1 passed, 0 failed, 0 skipped"

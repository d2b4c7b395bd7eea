#!/bin/sh
# compatible.sh [--bless]: makes the tables of docs/compatibility.md anew, every strategy of the prelude with every other
# over two axes and over one, by checking a small model under both; compares, or rewrites them. PLACEC is the compiler. Ends with one line: N passed, N failed, N skipped.
set -u
cd "$(dirname "$0")/.."
. tests/suite.sh
. tests/strategies.sh
scratch
# "proved", or the codes of what is reported.
verdict() {
    program "$1" "$2" "$3" > "$work/pair.place"
    if "$PLACEC" check "$work/pair.place" > "$work/out" 2>&1; then
        echo proved
    else
        sed -n 's/.*error\[\(P[0-9]*\)\].*/\1/p' "$work/out" | sort -u | paste -sd ' ' -
    fi
}

# head STRATEGIES: of a table with a column for each.
head() {
    echo
    echo "| | $(echo $1 | sed 's/ / | /g') |"
    echo "|---|$(for s in $1; do printf -- '---|'; done)"
}

# table STRATEGIES MESH DEVICES AXIS: the row's strategy over a, the column's over AXIS.
table() {
    head "$1"
    for first in $1; do
        printf '| %s |' "$first"
        for second in $1; do
            pair="$first(a) * $second($4)"
            [ "$4" = a ] && [ "$first" = "$second" ] && pair="$first(a)"
            printf ' %s |' "$(verdict "$2" "$3" "$pair")"
        done
        echo
    done
}

# A row for each strategy over a, a column for each of those over no axis.
table_of_no_axis() {
    set -f
    head "$no_axis"
    for first in $of_rows; do
        printf '| %s |' "$first"
        for second in $no_axis; do
            printf ' %s |' "$(verdict 'a: 2' 2 "$first(a) * $second")"
        done
        echo
    done
    set +f
}

sed '/^<!-- tables -->$/q' docs/compatibility.md > "$work/page"
{
    model=$transformer
    printf '\n## Over two axes\n'
    table "$of_rows" 'a: 2, b: 3' 6 b
    printf '\n## Over one axis (on the diagonal: alone)\n'
    table "$of_rows" 'a: 2' 2 a
    printf '\n## With recomputation and offload\n'
    table_of_no_axis
    model=$images
    printf '\n## Of images, over two axes\n'
    table "$of_images" 'a: 2, b: 3' 6 b
} >> "$work/page"
if [ "${1:-}" = --bless ]; then
    cp "$work/page" docs/compatibility.md
fi
expect docs/compatibility.md diff docs/compatibility.md "$work/page"
finish_suite

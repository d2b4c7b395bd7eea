#!/bin/sh
# readme.sh [--bless]: runs the `$ placec ...` lines of the console blocks in README.md, docs/diagnostics.md and docs/distpar.md, and compares
# what they print with the page; and the README's program with the example it names. --bless writes the output into the
# pages. PLACEC is the compiler. Ends with one line: N passed, N failed, N skipped.
set -u
cd "$(dirname "$0")/.." || exit 2
. tests/suite.sh
scratch

check() {
    if cmp -s "$1" "$2"; then
        good
    else
        bad "$3" "differs:"
        diff "$1" "$2"
    fi
}

# The page with the output of every command in its console blocks made anew.
with_output() {
    inside=
    while IFS= read -r line; do
        case $line in
        '```console') inside=1 ;;
        '```') inside= ;;
        '$ placec '*)
            printf '%s\n' "$line"
            # shellcheck disable=SC2086
            "$PLACEC" ${line#\$ placec } 2>&1
            continue
            ;;
        esac
        [ -n "$inside" ] && [ "$line" != '```console' ] && continue
        printf '%s\n' "$line"
    done
}

for page in README.md docs/diagnostics.md docs/distpar.md; do
    with_output < "$page" > "$work/page.md"
    if [ "${1:-}" = --bless ]; then
        cp "$work/page.md" "$page"
    fi
    check "$page" "$work/page.md" "$page: the output of a command"
done
sed -n '/^```place$/,/^```$/p' README.md | sed '1d;$d' > "$work/images.place"
check "$work/images.place" examples/images.place 'README.md: the example'
finish_suite

#!/bin/sh
# check-format.sh [--bless]: examples, the prelude, golden programs and the programs in the documentation are in the one style
# (placec fmt). Other tests are not: their comments point at columns, or edit what is before them. No line of the compiler,
# the runtime, the prelude and the examples is longer than 120 columns. PLACEC names the compiler; --bless rewrites the
# files, not the documentation.
cd "$(dirname "$0")/.." || exit 2
. tests/suite.sh
scratch
find_compiler

# check FILE NAME
check() {
    if "$PLACEC" fmt --check "$1" > "$work/printed" 2>&1; then
        good
    else
        bad "$2" "in another style (placec fmt rewrites it), or damaged"
        "$PLACEC" fmt - < "$1" | diff "$1" - | head -n 10
    fi
}

for file in $(find examples prelude tests/dump -name '*.place' | sort); do
    [ "${1:-}" = --bless ] && "$PLACEC" fmt "$file"
    check "$file" "$file"
done
stages=$(sed -n 's/^STAGES *:= *//p' Makefile)
for file in $(find $stages prelude runtime examples -name '*.[ch]' -o -name '*.place' | sort); do
    if long=$(awk 'length($0) > 120 { print FNR; exit 1 }' "$file"); then
        good
    else
        bad "$file:$long" "a line of more than 120 columns"
    fi
done
for page in README.md docs/language.md; do
    awk -v base="$work/block" '/^```$/ { name = "" }
        name != "" { print > name }
        /^```place$/ { name = base (++n) ".place" }' "$page"
    for file in "$work"/block*.place; do
        [ -f "$file" ] || break
        check "$file" "$page, $(basename "$file" .place)"
        rm "$file"
    done
done
finish_suite

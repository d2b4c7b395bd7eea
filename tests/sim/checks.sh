#!/bin/sh
# checks.sh DIR - the sources of verify/ into DIR, with checks that can be switched off; lists these in DIR/checks.txt.
# What explains a refusal (diagnoses, repairs, counter-examples) is left as it is.
set -eu
out=$1
rm -rf "$out"
mkdir -p "$out/include/verify"
sed 's/return hash ^ (hash >> 29);/return 0 \& hash;/' verify/table.h > "$out/include/verify/table.h"
number=0
: > "$out/checks.txt"
for source in verify/*.c; do
    name=$(basename "$source")
    case $name in
    chain.c | cause*.c | diagnose.c | finding.c | fix.c | witness.c)
        cp "$source" "$out/$name"
        continue
        ;;
    esac
    : > "$out/list"
    awk -v first="$number" -v list="$out/list" -f tests/sim/checks.awk "$source" > "$out/$name"
    number=$((number + $(wc -l < "$out/list")))
    cat "$out/list" >> "$out/checks.txt"
done
rm -f "$out/list"

#!/bin/sh
# equality.sh VARY DIR - the sources of verify/ into DIR, with equality that can be damaged; lists how in DIR/list.txt.
# What explains a refusal (diagnoses, repairs, counter-examples) is left as it is.
set -eu
vary=$1
out=$2
rm -rf "$out"
mkdir -p "$out/include/verify"
: > "$out/list.txt"
for source in verify/*.[ch]; do
    case $source in
    *.h) into=$out/include/$source ;;
    *) into=$out/$(basename "$source") ;;
    esac
    case $source in
    verify/chain.c | verify/cause*.c | verify/diagnose.c | verify/finding.c | verify/fix.c | verify/witness.c | verify/example.c)
        cp "$source" "$into"
        ;;
    *)
        "$vary" "$(wc -l < "$out/list.txt")" "$out/list.txt" "$source" > "$into"
        ;;
    esac
done

#!/bin/sh
# run.sh DIR - the matrix of what runs, each precision by a process of its own; DIR has what was built.
set -u
passed=0
failed=0
rm -rf "$1/runs"
mkdir -p "$1/runs"
printf '%s\n' f64 f32 | xargs -P "$(nproc)" -I PRECISION sh -c '
    "$1/equivalence" "$1/placec" "$1/runs/$2" "$2" >"$1/runs/$2.log" 2>&1
    echo $? >"$1/runs/$2.status"' run "$1" PRECISION
for precision in f64 f32; do
    log=$1/runs/$precision.log
    line=$(tail -n 1 "$log")
    p=$(expr "$line" : '\([0-9]*\) passed, [0-9]* failed, 0 skipped$' || true)
    f=$(expr "$line" : '[0-9]* passed, \([0-9]*\) failed, 0 skipped$' || true)
    [ -z "$p" ] && p=0 f=1
    [ "$(cat "$1/runs/$precision.status")" -ne 0 ] && [ "$f" -eq 0 ] && f=1
    [ "$f" -gt 0 ] && cat "$log"
    passed=$((passed + p)) failed=$((failed + f))
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]

#!/bin/sh
# run.sh PROGRAM...: runs cmocka programs, one on each core, and adds up their tests. What failed is printed whole.
passed=0 failed=0 skipped=0
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
printf '%s\n' "$@" | xargs -P "$(nproc)" -I PROGRAM sh -c '
    name=$(basename PROGRAM)
    timeout 600 PROGRAM >"$1/$name.log" 2>&1
    echo $? >"$1/$name.status"' run "$logs"

count() {
    sed -n "s/^\[ *$1 *\] \([0-9]*\) test(s).*/\1/p" "$log" | tail -n 1
}
for program in "$@"; do
    log=$logs/$(basename "$program").log
    status=$(cat "${log%.log}.status" || echo 1)
    p=$(count PASSED) f=$(count FAILED) s=$(count SKIPPED)
    p=${p:-0} f=${f:-0} s=${s:-0}
    [ "$status" -ne 0 ] && [ "$f" -eq 0 ] && f=1
    [ "$p" -eq 0 ] && [ "$f" -eq 0 ] && [ "$s" -eq 0 ] && f=1
    if [ "$f" -gt 0 ]; then
        printf '%s failed (status %s):\n' "$program" "$status"
        cat "$log"
    fi
    grep -E '^SKIP' "$log"
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
done
printf '%s passed, %s failed, %s skipped\n' "$passed" "$failed" "$skipped"
[ "$failed" -eq 0 ]

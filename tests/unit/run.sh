#!/bin/sh
# run.sh PROGRAM...: runs cmocka programs and adds up their tests. What failed is printed whole.
passed=0 failed=0 skipped=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
count() {
    sed -n "s/^\[ *$1 *\] \([0-9]*\) test(s).*/\1/p" "$log" | tail -n 1
}
for program in "$@"; do
    timeout 600 "$program" >"$log" 2>&1
    status=$?
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

#!/bin/sh
# all.sh SUITE...: runs suites, each a make target whose output ends in "N passed, N failed, N skipped", and adds them up.
# A suite that ends without such a line, or exits non-zero without a failed test, counts as one failure.
passed=0 failed=0 skipped=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for suite in "$@"; do
    printf '== %s\n' "$suite"
    start=$(date +%s)
    "${MAKE:-make}" --no-print-directory "$suite" >"$log" 2>&1
    status=$?
    line=$(grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$log" | tail -n 1)
    if [ -n "$line" ]; then
        # shellcheck disable=SC2086
        set -f -- $(printf '%s' "$line" | tr -dc '0-9 ') "$@"
        p=$1 f=$2 s=$3
        shift 3
    else
        p=0 f=1 s=0
    fi
    [ "$status" -ne 0 ] && [ "$f" -eq 0 ] && f=1
    if [ "$f" -gt 0 ]; then
        cat "$log"
    else
        grep -E '^(SKIP|skip)' "$log"
    fi
    printf '   %s passed, %s failed, %s skipped in %s s\n' "$p" "$f" "$s" $(($(date +%s) - start))
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
done
printf '%s passed, %s failed, %s skipped\n' "$passed" "$failed" "$skipped"
[ "$failed" -eq 0 ]

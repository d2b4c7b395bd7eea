#!/bin/sh
# all.sh SUITE...: runs suites, each a make target whose output ends in "N passed, N failed, N skipped", and adds them up.
# A suite that ends without such a line, or exits non-zero without a failed test, counts as one failure. Those that are
# joined by '+' run at the same time: suites that use one core, or wait, and measure no time.
. tests/suite.sh
scratch
one_log=$log

run_suite() {
    start=$(date +%s)
    "${MAKE:-make}" --no-print-directory "$1" > "$work/$1.log" 2>&1
    echo $? > "$work/$1.status"
    echo $(($(date +%s) - start)) > "$work/$1.seconds"
}

add_suite_of() {
    log=$work/$1.log before="$passed $failed $skipped"
    printf '== %s\n' "$1"
    add_suite "$1" "$(cat "$work/$1.status")"
    # shellcheck disable=SC2086
    set -- "$1" $before
    printf '   %s passed, %s failed, %s skipped in %s s\n' $((passed - $2)) $((failed - $3)) $((skipped - $4)) \
        "$(cat "$work/$1.seconds")"
    log=$one_log
}

for group in "$@"; do
    suites=$(echo "$group" | tr + ' ')
    for suite in $suites; do
        run_suite "$suite" &
    done
    wait
    for suite in $suites; do
        add_suite_of "$suite"
    done
done
finish_suite

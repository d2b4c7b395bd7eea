#!/bin/sh
# all.sh SUITE...: runs suites, each a make target whose output ends in "N passed, N failed, N skipped", and adds them up.
# A suite that ends without such a line, or exits non-zero without a failed test, counts as one failure. Of those that are
# joined by '+' there is always one on each core, in their order: suites that use one core, or wait, and measure no time.
. tests/suite.sh
scratch
one_log=$log

# run_suites SUITE...: one on each core, leaving what each printed, its status and how long it took.
run_suites() {
    # shellcheck disable=SC2016
    printf '%s\n' "$@" | xargs -n 1 -P "$(nproc)" sh -c '
        start=$(date +%s)
        "${MAKE:-make}" --no-print-directory "$1" > "$0/$1.log" 2>&1
        echo $? > "$0/$1.status"
        echo $(($(date +%s) - start)) > "$0/$1.seconds"' "$work"
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
    # shellcheck disable=SC2086
    run_suites $suites
    for suite in $suites; do
        add_suite_of "$suite"
    done
done
finish_suite

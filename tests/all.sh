#!/bin/sh
# all.sh SUITE...: runs suites, each a make target whose output ends in "N passed, N failed, N skipped", and adds them up.
# A suite that ends without such a line, or exits non-zero without a failed test, counts as one failure.
. tests/suite.sh
scratch
for suite in "$@"; do
    printf '== %s\n' "$suite"
    start=$(date +%s) before="$passed $failed $skipped"
    "${MAKE:-make}" --no-print-directory "$suite" > "$log" 2>&1
    add_suite "$suite" $?
    # shellcheck disable=SC2086
    set -- $before "$@"
    printf '   %s passed, %s failed, %s skipped in %s s\n' $((passed - $1)) $((failed - $2)) $((skipped - $3)) \
        $(($(date +%s) - start))
    shift 3
done
finish_suite

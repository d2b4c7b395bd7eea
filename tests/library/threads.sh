#!/bin/sh
# threads.sh: tests/library/threads.c under the thread sanitizer, on small programs of every kind; and that it would notice.
# Wants B, the build directory of the program. Ends with "N passed, N failed, N skipped".
cd "$(dirname "$0")/../.." || exit 2
. tests/suite.sh
scratch
programs=
for name in zero3 zero2 zero1 mixture explicit pipeline updates line; do
    programs="$programs tests/dump/$name.place"
done
# shellcheck disable=SC2086
"$B/threads" $programs >"$log" 2>&1
add_suite threads $?
refused 'a race is noticed' 66 'data race' "$B/threads" --race
finish_suite

#!/bin/sh
# run.sh PROGRAM...: runs cmocka programs, one on each core, and adds up their tests. What failed is printed whole.
cd "$(dirname "$0")/../.." || exit 2
. tests/suite.sh
scratch

count() {
    sed -n "s/^\[ *$1 *\] \([0-9]*\) test(s).*/\1/p" "$log" | tail -n 1
}

add_program() {
    p=$(count PASSED) f=$(count FAILED) s=$(count SKIPPED)
    add "$1" "$2" "${p:-0}" "${f:-0}" "${s:-0}"
}

for program in "$@"; do
    later "$program" timeout 600 "$program"
done
run_later add_program
finish_suite

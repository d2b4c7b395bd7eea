#!/bin/sh
# run.sh DIR - the short experiments with the simulator built in DIR/sim: its unit tests, the cases, the confusion
# matrix of a part of the small programs, and mutants of the cases.
set -u
here=$(dirname "$0")
sim=$1/sim
passed=0
failed=0

# check NAME COMMAND...: runs it, prints what it says where it fails.
check() {
    name=$1
    shift
    if output=$("$@" 2>&1); then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED: %s\n%s\n' "$name" "$output"
    fi
}

check "simulator by hand" "$sim/test_machine"
check "derived programs" "$sim/test_derived"
for file in "$here"/cases/*.step; do
    check "$file" "$sim/sim" "$file"
done
check "small programs" "$sim/confusion" --limit "${SIM_LIMIT:-150}"
check "mutants" "$sim/mutate" --count "${SIM_MUTANTS:-150}" "$here"/cases/*.step --wrong "$here"/cases/wrong/*.step
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]

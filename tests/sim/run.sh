#!/bin/sh
# run.sh DIR - the short experiments with what was built in DIR: the simulator's own tests, the cases by hand, the
# programs the compiler derives, the confusion matrix of a part of the small programs, and mutants.
set -u
here=$(dirname "$0")
sim=$1/sim
derived=$sim/derived
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
        printf 'FAILED: %s\n%s\n' "$name" "$output" | head -n 100
    fi
}

# Every operator of the compiler has a row in the simulator, with as many operands and immediates.
same_operators() {
    sed -n 's/^OP([A-Z0-9_]*, *"\([a-z0-9_]*\)", *[A-Z]*, *\([0-9]\), *"\([^"]*\)".*/\1 \2 \3/p' "$here/../../sema/op.def" |
        while read -r name operands immediates; do
            # shellcheck disable=SC2086
            set -- $immediates
            grep -q "{\"$name\", *$operands, $#, SIM_" "$here/operators.c" || echo "no row '$name' of $operands, $#"
        done | grep . && return 1
    return 0
}

rm -rf "$derived"
check "the same operators" same_operators
check "the simulator by hand" "$sim/test_machine"
check "derived in memory" "$sim/test_derived"
check "deriving" sh "$here/derive.sh" "$1/placec" "$derived"
for file in "$here"/cases/*.step "$derived"/*.step; do
    check "$file" "$sim/sim" "$file"
done
check "random programs" "$sim/random" --count "${SIM_RANDOM:-80}"
check "small programs" "$sim/confusion" --limit "${SIM_LIMIT:-150}"
check "small rings" "$sim/turns" --limit "${SIM_TURNS:-100}"
check "equal cells" "$sim/pairs" --count "${SIM_PAIRS:-1000}"
check "cancellations" "$sim/cancel" --count "${SIM_CANCEL:-12}"
check "wrong programs" "$sim/wrong" "$here"/cases/wrong/*.edits --strict "$here"/cases/strict/*.edits
check "mutants of cases" "$sim/mutate" --count "${SIM_MUTANTS:-60}" "$here"/cases/*.step \
    --wrong "$here"/cases/wrong/*.step "$here"/cases/found/*.step
check "mutants of pipelines" "$sim/mutate" --count "${SIM_MUTANTS:-10}" "$here"/../verify/pipeline*.step \
    "$here"/../verify/prefetched-zero3.step
check "mutants of derived programs" "$sim/mutate" --count "${SIM_MUTANTS:-15}" "$derived"/*.step
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]

#!/bin/sh
# run.sh DIR - the short experiments with what was built in DIR: the simulator's own tests, the cases by hand, the
# programs the compiler derives, the confusion matrix of a part of the small programs, and mutants.
set -u
. tests/suite.sh
scratch
here=$(dirname "$0")
sim=$1/sim
derived=$sim/derived

# Every operator of the compiler has a row in the simulator, with as many operands and immediates.
same_operators() {
    [ -s "$here/../../step/op.def" ] || return 1
    sed -n 's/^OP([A-Z0-9_]*, *"\([a-z0-9_]*\)", *[A-Z]*, *\([0-9]\), *"\([^"]*\)".*/\1 \2 \3/p' "$here/../../step/op.def" |
        while read -r name operands immediates; do
            # shellcheck disable=SC2086
            set -- $immediates
            grep -q "{\"$name\", *$operands, $#, SIM_" "$here/operators.c" || echo "no row '$name' of $operands, $#"
        done | grep . && return 1
    return 0
}

rm -rf "$derived"
expect "the same operators" same_operators
expect "deriving" sh "$here/derive.sh" "$1/placec" "$derived"
# A program itself takes as long as many mutants of it: one in six has some.
# shellcheck disable=SC2046
later "mutants of derived programs" "$sim/mutate" --count "${SIM_MUTANTS:-8}" \
    $(if [ -n "${SIM_MUTANTS:-}" ]; then echo "$derived"/*.step; else ls "$derived"/*.step | awk 'NR % 6 == 0'; fi)
later "mutants of cases" "$sim/mutate" --count "${SIM_MUTANTS:-10}" "$here"/cases/*.step \
    --wrong "$here"/cases/wrong/*.step "$here"/cases/found/*.step
later "mutants of pipelines" "$sim/mutate" --count "${SIM_MUTANTS:-8}" "$here"/../verify/pipeline*.step \
    "$here"/../verify/prefetched-zero3.step
later "random programs" "$sim/random" --count "${SIM_RANDOM:-30}"
later "small programs" "$sim/confusion" --limit "${SIM_LIMIT:-30}"
later "small rings" "$sim/turns" --limit "${SIM_TURNS:-75}"
later "equal cells" "$sim/pairs" --count "${SIM_PAIRS:-500}"
later "cancellations" "$sim/cancel" --count "${SIM_CANCEL:-12}"
later "wrong programs" "$sim/wrong" "$here"/cases/wrong/*.edits --strict "$here"/cases/strict/*.edits
later "the simulator by hand" "$sim/test_machine"
later "derived in memory" "$sim/test_derived"
for file in "$here"/cases/*.step; do # those that are derived are run by tests/passes.sh, after every pass
    later "$file" "$sim/sim" "$file"
done
run_later
finish_suite

#!/bin/sh
# golden.sh DIR - the record of what the compiler says today, in DIR, to be compared mechanically: verdict, codes and
# positions of every program of the tree, plans, emitted C, and how many lines of each suite assert something.
# PLACEC names the compiler, WRONG the program that prints edited step programs.
# `make golden` compares with tests/golden and shows what differs; `make golden-bless` rewrites it: then the commit says
# what changed, and why.
#
#     verdicts.txt   PROGRAM STATUS, then a line for each diagnostic: LINE:COLUMN SEVERITY CODE
#     plans.jsonl    PROGRAM, a tab, its plan in JSON
#     c/NAME.c       the C of the examples; c.sums the checksum of that of every other program that can be built
#     asserted.txt   SUITE COUNT
cd "$(dirname "$0")/.." || exit 2
PLACEC=${PLACEC:-build/debug/placec}
WRONG=${WRONG:-build/debug/sim/wrong}
case $PLACEC in /*) ;; *) PLACEC=$PWD/$PLACEC ;; esac
to=$1
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"; rm -f tests/bugs/cases/.golden.*' EXIT
trap 'exit 1' INT TERM
rm -rf "$to"
mkdir -p "$to/c"

# compile ARGUMENT...: runs the compiler; $status, its output in $work/out, its diagnostics in $work/said.
compile() {
    timeout 120 "$PLACEC" "$@" > "$work/out" 2> "$work/said" < /dev/null
    status=$?
}

# record NAME: the line of the last run's status, and one for each diagnostic.
record() {
    echo "$1 $status"
    sed -nE 's/^[^ ].*:([0-9]+:[0-9]+): (error|warning|perf)\[(P[0-9]+)\]: .*/    \1 \2 \3/p
             s/^placec: (error|warning|perf)\[(P[0-9]+)\]: .*/    - \1 \2/p' "$work/said"
}

# program NAME FILE [DIRECTORY-OF-C]: verdict, plan and C of a source program.
program() {
    compile check "$2"
    record "$1" >> "$to/verdicts.txt"
    [ "$status" = 0 ] || return
    compile plan --json "$2"
    printf '%s\t%s\n' "$1" "$(tr -d '\n\t' < "$work/out")" >> "$to/plans.jsonl"
    compile --dump=c "$2"
    [ "$status" = 0 ] || return
    # What is printed names the file that it was made from.
    sed "s|$2|$1|g" "$work/out" > "$work/c"
    if [ -n "${3:-}" ]; then
        cp "$work/c" "$3/$(basename "$1" .place).c"
    else
        printf '%s %s\n' "$(cksum < "$work/c" | tr ' ' :)" "$1" >> "$to/c.sums"
    fi
}

# step NAME FILE: the verdict on a step program.
step() {
    compile verify "$2"
    record "$1" >> "$to/verdicts.txt"
}

for file in examples/*.place examples/wrong/*.place; do program "$file" "$file" "$to/c"; done
for file in tests/models/*.place tests/dump/*.place bench/scale/*.place; do program "$file" "$file"; done
for file in tests/sim/cases/*.step tests/sim/cases/*/*.step; do step "$file" "$file"; done
sh tests/verify/expand.sh "$work/verify" || exit 2
for file in tests/verify/*.step; do step "$file" "$work/verify/$(basename "$file")"; done
for file in tests/step/*.step tests/dump/*.step; do step "$file" "$file"; done

# Programs written as edits of others (tests/sim/edits.h), each under a line that names it.
for file in tests/sim/cases/*/*.edits; do
    rm -f "$work"/edited.*
    "$WRONG" --print "" "$file" | awk -v to="$work/edited." '/^# / { close(name); name = to sprintf("%03d", ++n) } { print > name }'
    for edited in "$work"/edited.*; do
        step "$(sed -n '1s/^# //p' "$edited")" "$edited"
    done
done

# bug FILE: the corrected program, then its wrong neighbours (tests/bugs/run.sh has the form).
bug() {
    rm -f "$work"/part.*
    awk -v to="$work/part." '/^# ----- (source|step) / { n++ } { print > (to (n + 0)) }' "$1"
    base=tests/bugs/cases/.golden.place # cases import models from their own folder
    cp "$work/part.0" "$base"
    program "$1" "$base"
    "$PLACEC" --dump=step "$base" > "$work/right.step" 2> /dev/null
    n=1
    while [ -f "$work/part.$n" ]; do
        read -r _ _ kind code _ < "$work/part.$n"
        tail -n +2 "$work/part.$n" > "$work/edit"
        if [ "$kind" = source ]; then
            wrong=tests/bugs/cases/.golden.wrong.place
            sed -E -f "$work/edit" "$base" > "$wrong"
            program "$1 $n" "$wrong"
            if [ "$code" = proved ]; then
                cp "$wrong" "$base"
                "$PLACEC" --dump=step "$base" > "$work/right.step" 2> /dev/null
            fi
        else
            sed -E -f "$work/edit" "$work/right.step" > "$work/wrong.step"
            step "$1 $n" "$work/wrong.step"
            [ "$code" = proved ] && cp "$work/wrong.step" "$work/right.step"
        fi
        n=$((n + 1))
    done
}
for file in tests/bugs/cases/*.place; do bug "$file"; done

# Lines that assert something, of the tests' own text: so a case that is lost is seen whatever its runner counts.
asserted() { # asserted SUITE PATTERN FILE...
    suite=$1 pattern=$2
    shift 2
    echo "$suite $(cat "$@" | grep -cE "$pattern")" >> "$to/asserted.txt"
}
asserted test-unit '^ *((assert|check|expect)_?[a-z_]*|refused|accepted)\(' tests/unit/*.[ch]
asserted test-unit-rows '^ *\{.*\},?$' tests/unit/*.[ch]
find tests/ui -name '*.place' | sort > "$work/ui"
# shellcheck disable=SC2046
asserted test-ui '^#(@|!|~| *\^+| avoids:| exit:)' $(cat "$work/ui")
# shellcheck disable=SC2046
asserted test-ui-text '' $(find tests/ui -name '*.stderr' | sort)
asserted test-bugs '^# -----' tests/bugs/cases/*.place
asserted test-dump '' tests/dump/*.ast tests/dump/*.step tests/dump/*.c
asserted test-verify '^# (expect|avoids)' tests/verify/*.step
asserted test-sim '^(place-step|case )' tests/sim/cases/*.step tests/sim/cases/*/*
asserted test-cli '^ *(expect|refused|damaged|edited|absent|judge) ' tests/cli/run.sh
asserted test-runtime '^ *((expect|refused|judge) |assert_[a-z_]*\()' tests/run/*.sh tests/run/*.c
asserted test-run '(expect|check|compare|judge)[a-z_]*\(' tests/equivalence/*.c
asserted test-measured '^ *(expect|refused|judge) ' tests/measured/measured.sh
asserted test-faults '^ *(expect|refused|judge) ' tests/faults/faults.sh
asserted check-codes '^```' docs/errors/*.md

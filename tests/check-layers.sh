#!/bin/sh
# check-layers.sh STAGE...: stages in pipeline order. What each may include is its row here; every stage in a row comes
# before its own, so that nothing runs upward. The runtime includes nothing of the compiler but base/random.h and
# base/algorithm.def, the simulator nothing at all. The README has a row for each.
passed=0 failed=0
wrong() {
    echo "$1"
    failed=$((failed + 1))
}

# sees STAGE: the headers that it may include next to its own. The verifier shares the step program's data and the tables
# of operators with what it checks, no code.
sees() {
    case $1 in
    base) echo ;;
    hardware | lexer | step) echo base/ ;;
    parser) echo base/ lexer/ ;;
    fmt) echo base/ lexer/ parser/ ;;
    algebra) echo base/ step/ ;;
    reference) echo base/ hardware/ parser/ step/ ;;
    strategy) echo base/ parser/ step/ reference/ ;;
    sema) echo base/ hardware/ parser/ step/ reference/ strategy/ ;;
    derive) echo base/ step/ algebra/ reference/train.h strategy/assign.h strategy/staging.h ;;
    lower) echo base/ step/ strategy/assign.h strategy/staging.h ;;
    verify) echo base/ step/step.h step/spec.h step/collective.def ;;
    plan) echo base/ hardware/ step/ reference/train.h strategy/assign.h verify/verify.h verify/motion.h ;;
    distpar) echo base/ step/ algebra/ reference/train.h strategy/assign.h strategy/plain.h derive/derive.h derive/choices.h plan/answer.h ;;
    search) echo base/ hardware/ parser/ step/ fmt/ algebra/ reference/ strategy/ sema/ derive/ lower/ verify/ plan/ ;;
    codegen) echo base/ hardware/ step/ reference/train.h plan/ ;;
    library) echo base/ hardware/ parser/ step/ fmt/ algebra/ reference/ strategy/ sema/ derive/ lower/ verify/ plan/ distpar/ search/ codegen/ ;;
    calibrate) echo library/place.h ;;
    driver) echo library/place.h calibrate/calibrate.h ;;
    *) return 1 ;;
    esac
}

before=' '
for stage in "$@"; do
    row=$(sees "$stage") || wrong "no row says what $stage may include"
    for seen in $row; do
        case $before in *" ${seen%%/*} "*) ;; *) wrong "$stage includes $seen, which does not stand before it" ;; esac
    done
    allowed=$(printf '%s\n' "$stage/" $row | sed 's/\./\\./g' | paste -sd '|' -)
    for line in $(grep -nE '^#include "' "$stage"/*.[chly] 2> /dev/null | grep -vE "\"($allowed|[a-z_]*\.h\")" | tr -d ' '); do
        wrong "layer: $line"
    done
    grep -q "^| \`$stage/\` |" README.md || wrong "README.md has no row for $stage/"
    before="$before$stage "
    passed=$((passed + 1))
done
for line in $(grep -nE '^#include "[a-z]+/' runtime/*.[ch] | grep -vE '"(runtime/.*|base/random.h|base/algorithm.def)"' | tr -d ' '); do
    wrong "the runtime includes nothing of the compiler: $line"
done
passed=$((passed + 1))
for line in $(grep -nE '^#include "' tests/sim/step_text.[ch] tests/sim/machine*.[ch] | grep -vE '"tests/' | tr -d ' '); do
    wrong "the simulator shares no code with the compiler: $line"
done
passed=$((passed + 1))
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]

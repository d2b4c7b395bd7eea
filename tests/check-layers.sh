#!/bin/sh
# check-layers.sh STAGE...: stages in pipeline order; each may include headers of itself and of stages before it only.
# Further rules: the verifier sees the step program's data and the tables of operators only, the algebra the step
# program, the runtime nothing but base/random.h.
passed=0 failed=0
wrong() {
    echo "$1"
    failed=$((failed + 1))
}
before=
for stage in "$@"; do
    before="$before $stage"
    allowed=$(echo "$before" | tr ' ' '\n' | grep . | paste -sd '|' -)
    for line in $(grep -nE '^#include "[a-z]+/' "$stage"/*.[chly] 2>/dev/null | grep -vE "\"($allowed)/" | tr -d ' '); do
        wrong "layer: $line"
    done
    passed=$((passed + 1))
done
for line in $(grep -nE '^#include "[a-z]+/' verify/*.[ch] | grep -vE '"(base/.*|verify/.*|step/step.h|step/collective.def)"' | tr -d ' '); do
    wrong "the verifier shares no code with what it checks: $line"
done
passed=$((passed + 1))
for line in $(grep -nE '^#include "[a-z]+/' algebra/*.[ch] | grep -vE '"(base|step|algebra)/' | tr -d ' '); do
    wrong "the algebra is of step programs: $line"
done
passed=$((passed + 1))
for line in $(grep -nE '^#include "[a-z]+/' runtime/*.[ch] | grep -vE '"(runtime/.*|base/random.h)"' | tr -d ' '); do
    wrong "the runtime includes nothing of the compiler: $line"
done
passed=$((passed + 1))
for line in $(grep -nE '^#include "' tests/sim/step_text.[ch] tests/sim/machine*.[ch] 2>/dev/null | grep -vE '"tests/' | tr -d ' '); do
    wrong "the simulator shares no code with the compiler: $line"
done
passed=$((passed + 1))
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]

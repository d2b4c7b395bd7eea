#!/bin/sh
# check-layers.sh STAGE...: stages in pipeline order; each may include headers of itself and of stages before it only.
# Further rules: the verifier sees of sema only the step program and the
# tables of operators, and nothing of the algebra, the algebra of sema only the
# step program and the operator table, the runtime nothing but base/random.h.
passed=0 failed=0
wrong() {
    echo "$1"
    failed=$((failed + 1))
}
before=
for stage in "$@"; do
    before="$before $stage"
    allowed=$(echo "$before" | tr ' ' '\n' | grep . | paste -sd '|' -)
    for line in $(grep -nE '^#include "[a-z]+/' "$stage"/*.[chly] 2>/dev/null | grep -vE "\"($allowed)/|^algebra/.*\"sema/(step|operators|kernel).h\"" | tr -d ' '); do
        wrong "layer: $line"
    done
    passed=$((passed + 1))
done
for line in $(grep -nE '^#include "(algebra|sema|parser|lexer)/' verify/*.[ch] | grep -vE '"sema/(step.h|collective.def)"' | tr -d ' '); do
    wrong "the verifier shares no code with what it checks: $line"
done
passed=$((passed + 1))
for line in $(grep -nE '^#include "[a-z]+/' runtime/*.[ch] | grep -vE '"(runtime/.*|base/random.h)"' | tr -d ' '); do
    wrong "the runtime includes nothing of the compiler: $line"
done
passed=$((passed + 1))
for line in $(grep -nE '^#include "(base|sema|verify)/' tests/sim/step_text.[ch] tests/sim/machine*.[ch] 2>/dev/null | tr -d ' '); do
    wrong "the simulator shares no code with the compiler: $line"
done
passed=$((passed + 1))
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]

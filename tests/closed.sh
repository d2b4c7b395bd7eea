#!/bin/sh
# closed.sh FOLDER: rows added to copies of the tables of operators. What has no rule in a stage does not compile there,
# and every error is about the row; what its class says all of compiles, and fails the coverage tests until it has a spec.
folder=$1
. tests/suite.sh
rm -rf "$folder"
mkdir -p "$folder"

# table NAME OP-ROW [COLLECTIVE-ROW]: copies of the tables with these rows behind the others, below FOLDER/NAME.
table() {
    mkdir -p "$folder/$1/step"
    cp step/op.def step/collective.def "$folder/$1/step"
    echo "$2" >> "$folder/$1/step/op.def"
    [ -z "$3" ] || echo "$3" >> "$folder/$1/step/collective.def"
}

# compile NAME FILE: by the first errors, with the tables of NAME.
compile() {
    # shellcheck disable=SC2086
    LC_ALL=C ${CC:-cc} -I"$folder/$1" $FLAGS -fsyntax-only "$2" > "$folder/$1/log" 2>&1
}

# refused NAME ID FILE...: none of them compiles, and no error is about anything but ID.
refused() {
    name=$1 id=$2
    shift 2
    for file in "$@"; do
        if compile "$name" "$file"; then
            bad closed "$file compiles with the row $name"
        elif grep ' error: ' "$folder/$name/log" | grep -qvi "$id"; then
            bad closed "$file fails with the row $name, but not only because of it:"
            grep ' error: ' "$folder/$name/log" | grep -vi "$id"
        elif ! grep -qi " error: .*$id" "$folder/$name/log"; then
            bad closed "$file fails with the row $name for another reason:"
            cat "$folder/$name/log"
        else
            good
        fi
    done
}

accepted() {
    name=$1
    shift
    for file in "$@"; do
        if compile "$name" "$file"; then
            good
        else
            bad closed "$file does not compile with the row $name:"
            cat "$folder/$name/log"
        fi
    done
}

# Without rules: one row of every class that has no body to say what it does. Verifier, planner, printer; the interpreter.
collectives="verify/prepare.c verify/transfer.c verify/machine.c verify/machine_place.c verify/schedule.c
             plan/plan.c plan/walk.c codegen/entry.c codegen/emit_op.c step/operators.c reference/autodiff.c"
sources="verify/prepare.c verify/machine.c plan/walk.c codegen/refuse.c codegen/emit_op.c codegen/kernels.c
         step/interp.c reference/autodiff.c"
sinks="verify/prepare.c verify/machine.c plan/walk.c codegen/emit_op.c step/interp.c reference/autodiff.c"
windows="verify/prepare.c verify/transfer.c plan/walk.c codegen/refuse.c step/operators.c step/interp.c reference/autodiff.c"
views="verify/prepare.c verify/transfer.c verify/schedule.c plan/walk.c codegen/refuse.c step/interp.c reference/autodiff.c"
tables="verify/transfer.c plan/walk.c codegen/refuse.c codegen/kernels.c step/interp.c reference/autodiff.c"
contractions="verify/transfer.c plan/walk.c codegen/refuse.c codegen/emit_op.c step/interp.c reference/autodiff.c"

table gossip 'OP(GOSSIP, "gossip", COMM, 1, "", "-", "a", 0, "")'
refused gossip gossip $collectives
table rotation 'OP(ROTATION, "rotation", MOVE, 1, "", "-", "a", 0, "")'
refused rotation rotation $collectives
table noise 'OP(NOISE, "noise", SOURCE, 0, "", "-", "", 0, "")'
refused noise noise $sources
table probe 'OP(PROBE, "probe", SINK, 1, "", "-", "a", 0, "")'
refused probe probe $sinks
table dilated 'OP(DILATED, "dilated", WINDOW, 2, "stride pad", "-", "a b", 2, "")'
refused dilated dilated $windows
table fold 'OP(FOLD, "fold", VIEW, 1, "", "-", "a", 0, "")'
refused fold fold $views
table lookup 'OP(LOOKUP, "lookup", GATHER, 2, "", "-", "b", 0, "")'
refused lookup lookup $tables
table spread 'OP(SPREAD, "spread", SCATTER, 2, "", "-", "b", 1, "")'
refused spread spread $tables
table outer 'OP(OUTER, "outer", CONTRACT, 2, "", "-", "", 2, "y = a + b")'
refused outer outer $contractions

# With a row of rules that no stage has, and with the rules of another: these say how it acts, not what it is.
table gossip_rules 'OP(GOSSIP, "gossip", COMM, 1, "", "-", "a", 0, "")' \
    'COLLECTIVE(GOSSIP, A, A, NO, GROUP, gossip, gossip, gossip, gossip, gossip)'
refused gossip_rules gossip verify/prepare.c verify/transfer.c plan/plan.c codegen/entry.c
table gossip_as_scatter 'OP(GOSSIP, "gossip", COMM, 1, "", "-", "a", 0, "")' \
    'COLLECTIVE(GOSSIP, A, OUT, YES, GROUP, reduce_scatter, pieces, others, whole, reduce_scatter)'
refused gossip_as_scatter gossip verify/machine.c verify/machine_place.c verify/schedule.c plan/walk.c codegen/emit_op.c
accepted gossip_as_scatter verify/prepare.c verify/transfer.c plan/plan.c codegen/entry.c

# A row for what is no operator.
table gossip_alone '' 'COLLECTIVE(GOSSIP, A, A, NO, GROUP, gather, alike, others, whole, all_gather)'
refused gossip_alone gossip verify/prepare.c verify/transfer.c plan/plan.c codegen/entry.c

# Classes with a body: the body says all, but for the gradient.
general() {
    name=$1 spec=$3
    table "$name" "$2"
    accepted "$name" verify/prepare.c verify/transfer.c verify/machine.c verify/schedule.c plan/plan.c plan/walk.c \
        codegen/refuse.c codegen/emit_op.c codegen/kernels.c
    refused "$name" "$name" reference/autodiff.c
    coverage "$name" tests/unit/algebra_brute.c
    if TEST=every_operator_has_a_case "$folder/$name/test" > "$folder/$name/log" 2>&1; then
        bad closed "the coverage test misses the row $name"
    elif ! grep -q "operator '$name' needs a representative spec" "$folder/$name/log"; then
        bad closed "the coverage test fails with the row $name for another reason:"
        cat "$folder/$name/log"
    else
        good
    fi
    upper=$(echo "$name" | tr '[:lower:]' '[:upper:]')
    sed "s/^    OPERATOR(FILL, .*/&\n    OPERATOR($upper, \"$spec\"),/" tests/unit/algebra_brute.c > "$folder/$name/with.c"
    coverage "$name" "$folder/$name/with.c"
    if TEST=every_operator_has_a_case "$folder/$name/test" > "$folder/$name/log" 2>&1; then
        good
    else
        bad closed "the coverage test refuses the row $name though it has a spec:"
        cat "$folder/$name/log"
    fi
}

# The stages are as they were: the row is behind all others, and only the table itself knows it.
coverage() {
    # shellcheck disable=SC2086
    ${CC:-cc} -O0 -I"$folder/$1" $FLAGS -o "$folder/$1/test" "$2" step/operators.c $LIBRARIES > "$folder/$1/log" 2>&1 ||
        cat "$folder/$1/log"
}
general cube 'OP(CUBE, "cube", MAP, 1, "", "-", "", 2, "y = a * a * a")' 'bh->bh'
general sum_cubes 'OP(SUM_CUBES, "sum_cubes", SUM, 1, "", "-", "", 3, "y = a * a * a")' 'bh->b'
general row_least 'OP(ROW_LEAST, "row_least", ROW, 1, "", "a", "", 2, "y = -max(-a)")' 'bh->b'

# The simulator shares nothing with these tables: it has a meaning of its own for every row.
for name in $(sed -n 's/^OP([A-Z0-9_]*, *"\([a-z0-9_]*\)".*/\1/p' step/op.def); do
    if grep -q "{\"$name\"," tests/sim/operators.c || grep -q "(\"$name\"," tests/sim/operators.c; then
        good
    else
        bad closed "the simulator has no '$name'"
    fi
done

finish_suite

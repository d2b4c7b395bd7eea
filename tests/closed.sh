#!/bin/sh
# closed.sh FOLDER: rows added to copies of the tables of operators. What has no rule in a stage does not compile there,
# and every error is about the row; what its class says all of compiles, and fails the coverage tests until it has a spec.
# How an operator is differentiated, and called in models, each row says; nothing that sees only the step program can read it.
folder=$1
. tests/suite.sh
rm -rf "$folder"
mkdir -p "$folder"

# table NAME OP-ROW [COLLECTIVE-ROW]: copies of the tables with these rows after the others, below FOLDER/NAME.
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
collectives="verify/prepare_collective.c verify/transfer_collective.c verify/machine_padding.c verify/machine_classes.c verify/schedule_op.c
             plan/plan.c plan/walk.c codegen/entry.c codegen/emit_comm.c step/operators.c"
sources="verify/prepare_source.c verify/machine_source.c verify/machine_padding.c plan/walk.c codegen/emit_op.c codegen/kernels.c
         step/interp.c"
sinks="verify/prepare_source.c verify/machine_op.c plan/walk.c codegen/emit_op.c step/interp.c"
windows="verify/prepare_windows.c verify/transfer.c plan/walk.c codegen/emit_window.c step/operators.c step/interp.c"
views="verify/prepare_reshape.c verify/transfer.c verify/schedule_op.c plan/walk.c codegen/emit_op.c step/interp.c"
# Of a look-up the class says which side is the table, but not whether an index may name no row.
tables="verify/transfer.c verify/rows.c step/operators.c"
choices="verify/prepare.c verify/prepare_dense.c verify/rows.c verify/transfer.c step/interp.c"
contractions="verify/transfer.c plan/walk.c codegen/emit_op.c step/interp.c"

table gossip 'OP(GOSSIP, "gossip", COMM, 1, "", "-", "a", 0, NEVER, NO, "")'
refused gossip gossip $collectives
table rotation 'OP(ROTATION, "rotation", MOVE, 1, "", "-", "a", 0, NEVER, NO, "")'
refused rotation rotation $collectives
table noise 'OP(NOISE, "noise", SOURCE, 0, "", "-", "", 0, NEVER, NO, "")'
refused noise noise $sources
table probe 'OP(PROBE, "probe", SINK, 1, "", "-", "a", 0, NEVER, NO, "")'
refused probe probe $sinks
table dilated 'OP(DILATED, "dilated", WINDOW, 2, "stride pad", "-", "a b", 2, NEVER, NO, "")'
refused dilated dilated $windows
table fold 'OP(FOLD, "fold", VIEW, 1, "", "-", "a", 0, NEVER, NO, "")'
refused fold fold $views
table lookup 'OP(LOOKUP, "lookup", GATHER, 2, "", "-", "b", 0, NEVER, NO, "")'
refused lookup lookup $tables
table spread 'OP(SPREAD, "spread", SCATTER, 2, "", "-", "b", 1, NEVER, NO, "")'
refused spread spread $tables
table median 'OP(MEDIAN, "median", CHOICE, 1, "", "-", "", 1, NEVER, NO, "")'
refused median median $choices
table outer 'OP(OUTER, "outer", CONTRACT, 2, "", "-", "", 2, NEVER, NO, "y = a + b")'
refused outer outer $contractions

# With a row of rules that no stage has, and with the rules of another: these say how it acts, not what it is.
table gossip_rules 'OP(GOSSIP, "gossip", COMM, 1, "", "-", "a", 0, NEVER, NO, "")' \
    'COLLECTIVE(GOSSIP, A, A, NO, GROUP, gossip, gossip, gossip, gossip, gossip)'
refused gossip_rules gossip verify/prepare_collective.c verify/transfer_collective.c plan/plan.c codegen/entry.c
table gossip_as_scatter 'OP(GOSSIP, "gossip", COMM, 1, "", "-", "a", 0, NEVER, NO, "")' \
    'COLLECTIVE(GOSSIP, A, OUT, YES, GROUP, reduce_scatter, pieces, others, whole, reduce_scatter)'
refused gossip_as_scatter gossip verify/machine_padding.c verify/machine_classes.c verify/schedule_op.c plan/walk.c codegen/emit_comm.c
accepted gossip_as_scatter verify/prepare_collective.c verify/transfer_collective.c plan/plan.c codegen/entry.c

# A row for what is no operator.
table gossip_alone '' 'COLLECTIVE(GOSSIP, A, A, NO, GROUP, gather, alike, others, whole, all_gather)'
refused gossip_alone gossip verify/prepare_collective.c verify/transfer_collective.c plan/plan.c codegen/entry.c

# An algorithm has its costs in the plan, and is run by the runtime: not only one of both.
algorithm() {
    mkdir -p "$folder/$1/base"
    { cat base/algorithm.def && echo "$2"; } > "$folder/$1/base/algorithm.def"
}
algorithm unpriced 'ALGORITHM(ALL_REDUCE, LINKS, "gossip", gossip, ring_reduce)'
refused unpriced 'gossip\|spending' plan/collectives.c
accepted unpriced runtime/algorithms.c
algorithm not_run 'ALGORITHM(ALL_REDUCE, LINKS, "gossip", ring_twice, gossip)'
refused not_run 'gossip\|run' runtime/algorithms.c
accepted not_run plan/collectives.c

# The gradient: every row gives one, by a rule and operators that there are, and that take what they are given.
gradient() {
    table "$1" "OP(CUBE, \"cube\", MAP, 1, \"\", \"-\", \"\", 2, $2, NO, \"y = a * a * a\")"
    refused "$1" "$3" reference/gradient.c
}
gradient by_none '' 'TAKES_\|GRADIENT_\|static assertion\|_Static_assert\|op.def'
gradient by_jumps_only 'JUMPS(a)' 'TAKES_\|GRADIENT_\|static assertion\|_Static_assert\|op.def'
gradient by_no_form 'CUBE' 'TAKES_CUBE\|GRADIENT_CUBE\|static assertion\|_Static_assert\|op.def'
gradient by_no_rule 'RULE(cube)' rule_cube
gradient backward_by_none 'BACKWARD(CUBE_BWD)' 'CUBE_BWD\|static assertion'
gradient backward_by_unary 'BACKWARD(TANH)' 'CUBE: what gives its gradient'
gradient transposed_by_binary 'TRANSPOSE(TANH_BWD)' 'CUBE: what gives its gradient'
gradient with_none 'WITH(CUBES)' 'CUBES\|static assertion'

# No row without the column, nor without the name that models call it by; which is of elementwise operators of one operand.
table two_columns_less 'OP(CUBE, "cube", MAP, 1, "", "-", "", 2, "y = a * a * a")'
refused two_columns_less 'macro "OP" requires\|OP. undeclared' step/operators.c
table one_column_less 'OP(CUBE, "cube", MAP, 1, "", "-", "", 2, NEVER, "y = a * a * a")'
refused one_column_less 'macro "OP" requires\|OP. undeclared' step/operators.c
called() {
    table "$1" "$2"
    refused "$1" 'FITS_CUBE\|division by zero' reference/model_dense.c
}
called without_a_name 'OP(CUBE, "cube", MAP, 1, "", "-", "", 2, NEVER, , "y = a * a * a")'
called of_two 'OP(CUBE, "cube", MAP, 2, "", "-", "", 2, NEVER, cube, "y = a * b * b")'
called of_numbers 'OP(CUBE, "cube", MAP, 1, "part", "-", "", 2, NEVER, cube, "y = part * a * a")'
called of_rows 'OP(CUBE, "cube", ROW, 1, "", "a", "", 2, NEVER, cube, "y = sum(a)")'

# These two columns are how a model is derived: to who sees the step program, the verifier above all, they do not exist.
mkdir -p "$folder/underived/step"
sed 's/^\(OP(.*[0-9], \)[A-Z][^"]*"/\1GUESS, GUESS, "/' step/op.def > "$folder/underived/step/op.def"
cp step/collective.def "$folder/underived/step"
for file in verify/*.c plan/*.c codegen/*.c step/*.c; do
    case $file in codegen/llvm_*) continue ;; esac # need the headers of LLVM, and have no table
    # shellcheck disable=SC2086
    for tables in . "$folder/underived"; do
        ${CC:-cc} -I"$tables" $FLAGS -E -P "$file" > "$folder/underived/$([ "$tables" = . ] && echo as_it_is || echo changed)"
    done
    if [ -s "$folder/underived/changed" ] && cmp -s "$folder/underived/as_it_is" "$folder/underived/changed"; then
        good
    else
        bad closed "$file depends on how operators are differentiated, or called"
    fi
done
[ "$(grep -c 'GUESS, GUESS' "$folder/underived/step/op.def")" = "$(grep -c '^OP(' step/op.def)" ] ||
    bad closed "not every row was changed"

# missed NAME FILE TEST TEXT: the coverage test in that file fails with the row NAME, and says so.
missed() {
    coverage "$1" "$2"
    if TEST=$3 "$folder/$1/test" > "$folder/$1/log" 2>&1; then
        bad closed "$3 misses the row $1"
    elif ! grep -q "$4" "$folder/$1/log"; then
        bad closed "$3 fails with the row $1 for another reason:"
        cat "$folder/$1/log"
    else
        good
    fi
}

# Classes with a body: the body says all. general NAME ROW SPEC [differentiated]
general() {
    name=$1 spec=$3
    table "$name" "$2"
    accepted "$name" verify/prepare*.c verify/transfer*.c verify/machine_op.c verify/schedule_op.c plan/plan.c plan/walk.c \
        codegen/refuse.c codegen/emit_op.c codegen/kernels.c reference/gradient.c reference/model_dense.c
    [ "$4" != differentiated ] ||
        missed "$name" tests/unit/reference_autodiff.c every_gradient_has_a_case "the gradient of '$name' needs a row"
    missed "$name" tests/unit/algebra_brute.c every_operator_has_a_case "operator '$name' needs a representative spec"
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

# The stages are as they were: the row is after all others, and only the table itself knows it.
coverage() {
    # shellcheck disable=SC2086
    ${CC:-cc} -O0 -I"$folder/$1" $FLAGS -o "$folder/$1/test" "$2" step/operators.c reference/gradient.c $LIBRARIES > "$folder/$1/log" 2>&1 ||
        cat "$folder/$1/log"
}
general cube 'OP(CUBE, "cube", MAP, 1, "", "-", "", 2, BACKWARD(TANH_BWD), cube, "y = a * a * a")' 'bh->bh' differentiated
general sum_cubes 'OP(SUM_CUBES, "sum_cubes", SUM, 1, "", "-", "", 3, NEVER, NO, "y = a * a * a")' 'bh->b'
general row_least 'OP(ROW_LEAST, "row_least", ROW, 1, "", "a", "", 2, NEVER, NO, "y = -max(-a)")' 'bh->b'

# The simulator shares nothing with these tables: it has a meaning of its own for every row.
for name in $(sed -n 's/^OP([A-Z0-9_]*, *"\([a-z0-9_]*\)".*/\1/p' step/op.def); do
    if grep -q "{\"$name\"," tests/sim/operators.c || grep -q "(\"$name\"," tests/sim/operators.c; then
        good
    else
        bad closed "the simulator has no '$name'"
    fi
done

# What models call is in the manual.
for name in $(sed -n 's/^OP(.*[0-9], *[A-Z].*, *\([a-z0-9_]*\), *"[^"]*")$/\1/p' step/op.def); do
    if grep -q "\`$name(x)\`" docs/language.md; then
        good
    else
        bad closed "docs/language.md has no '$name(x)'"
    fi
done

# Devices that clusters name are in the manual, and the rows that run them in the runtime.
for name in $(sed -n 's/^DEVICE("\([a-z0-9]*\)".*/\1/p' hardware/device.def); do
    if grep -q "\`$name\`" docs/language.md; then
        good
    else
        bad closed "docs/language.md has no device '$name'"
    fi
done
for row in $(sed -n 's/^DEVICE("[a-z0-9]*", *[^"]*, *"\([a-z0-9]*\)",.*/\1/p' hardware/device.def); do
    if grep -q "^const prt_device \*prt_device_$row(void);" runtime/device.h; then
        good
    else
        bad closed "runtime/device.h has no row '$row'"
    fi
done

for row in $(sed -n 's/^\(const \)\{0,1\}prt_[a-z]* \*\(prt_[a-z_]*\)(void);.*/\2/p' runtime/device.h runtime/comm.h); do
    if grep -q "$row()" tests/unit/runtime_rows.c; then
        good
    else
        bad closed "tests/unit/runtime_rows.c has no '$row()'"
    fi
done

# The notes on damage to the verifier's equality name places that exist (tests/sim/equality.c).
sh tests/sim/equality.sh "$VARY" "$folder/varied"
awk 'NR == FNR { sub(/^[0-9]+ verify\//, ""); file = $1; how = $2; sub(/:.*/, "", file); sub(/^[^ ]+ [^ ]+ /, "")
                 place[how " " file " " substr($0, 1, 180)] = 1; next }
     /^(not reached|unseen|quiet|words|lax) / { sub(/^not reached /, ""); sub(/^(unseen|quiet|words|lax) /, "")
                 if (!($0 in place)) print }' "$folder/varied/list.txt" tests/sim/implied.txt > "$folder/stale"
if [ -s "$folder/varied/list.txt" ] && [ ! -s "$folder/stale" ]; then
    good
else
    bad closed "tests/sim/implied.txt has reasons for what is not in verify/:"
    cat "$folder/stale"
fi

finish_suite

#!/bin/sh
# asan.sh: the tests of the compiler with a compiler that was built with the address and undefined-behaviour sanitizers, and
# a generated program over MPI, linked with the sanitized runtime. Every report of a sanitizer, in whatever process, is a
# failure: reports go to files, which are counted. Wants B, a build directory of `make asan`, and MAKE.
# Ends with "N passed, N failed, N skipped".
cd "$(dirname "$0")/../.." || exit 2
B=${B:-build/asan}
build=$B # as make was called: another name for it would rebuild everything
WORK=$B/asan
. tests/programs.sh
mkdir -p "$WORK/reports"
# A leak of the compiler counts, and one of a run on one rank. MPI leaks, in modules that it has unloaded by then, which no
# suppression can name; so in ranks that it connects all but leaks is looked for.
common=abort_on_error=0:exitcode=99:detect_stack_use_after_return=1:handle_abort=1
export UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1:exitcode=99:log_path=$WORK/reports/undefined"

# sanitized NAME LEAKS: sets where the reports of a suite go, and whether leaks are reported (1).
sanitized() {
    export ASAN_OPTIONS="$common:detect_leaks=$2:log_path=$WORK/reports/$1"
}

# no_reports NAME: none of the processes since wrote a report; they are shown and put away otherwise.
no_reports() {
    cat "$WORK"/reports/* >"$WORK/shown" 2>/dev/null
    rm -f "$WORK"/reports/*
    expect "$1: nothing is reported" test ! -s "$WORK/shown"
    [ -s "$WORK/shown" ] && head -n 60 "$WORK/shown"
}

# Searches against brute force take six times as long here.
export SEARCH_INSTANCES=1 SEARCH_CHUNKS=1 SEARCH_PARTS=1 PLACED_INSTANCES=1 PINNED_INSTANCES=1
export BOUNDS_INSTANCES=1 BOUNDS_DRAWN=3 APART_INSTANCES=1

# One on each core: all but test-unit use one. They leave what they printed, and their status. What is used after a function
# has returned is looked for in the compiler alone: it takes a quarter of the time.
sanitized suites 1
export WORK build SANITIZE CFLAGS
# shellcheck disable=SC2016
printf '%s\n' unit ui verify dump | xargs -n 1 -P "$(nproc)" sh -c '
    [ "$0" = unit ] && ASAN_OPTIONS=$ASAN_OPTIONS:detect_stack_use_after_return=0
    "${MAKE:-make}" --no-print-directory B="$build" SANITIZE="$SANITIZE" CFLAGS="$CFLAGS" "test-$0" >"$WORK/$0.log" 2>&1
    echo $? >"$WORK/$0.status"'
for suite in unit ui verify dump; do
    cp "$WORK/$suite.log" "$log"
    judge "test-$suite" "$(cat "$WORK/$suite.status")"
    tail -n 1 "$WORK/$suite.log"
done
no_reports 'test-unit, test-ui, test-verify and test-dump'

sanitized library 1
mkdir "$WORK/alone" # nothing of Place is next to it, or one directory up
# shellcheck disable=SC2086
expect 'a caller of libplace is compiled' ${CC:-cc} $SANITIZE -g -D_GNU_SOURCE -Ilibrary -o "$WORK/alone/client" \
    tests/library/client.c "$B/libplace.a" -lcjson -ldl -lm
(cd "$WORK" && exec alone/client) >"$log" 2>&1
add_suite 'a caller of libplace' $?
no_reports 'a caller of libplace'

sanitized build 1
# The sanitizer is before the loader, which then does not look where the program says its libraries are.
export PLACERT_MPI=$B/libplacert_mpi.so
expect 'examples/mlp.place builds' "$B/placec" build examples/mlp.place -o "$WORK/mlp"
sed 's/data: 2 }/data: 1 }/; s/2 devices/1 devices/' examples/mlp.place >"$WORK/one.place"
expect 'examples/mlp.place for one rank builds' "$B/placec" build "$WORK/one.place" -o "$WORK/one"
no_reports 'building'
sanitized one 1
expect 'examples/mlp.place on one rank' "$WORK/one/run.sh" --steps 5 --check-arena --checkpoint "$WORK/ckpt" --log "$WORK/log.jsonl"
expect 'examples/mlp.place on one rank, resumed' "$WORK/one/run.sh" --steps 8 --check-arena --resume "$WORK/ckpt"
no_reports 'examples/mlp.place on one rank'
sanitized mpi 0
for how in shared library; do
    expect "examples/mlp.place on 2 ranks, $how" "$WORK/mlp/run.sh" --steps 5 --collectives $how --check-arena \
        --checkpoint "$WORK/ckpt" --log "$WORK/log.jsonl"
    expect "examples/mlp.place on 2 ranks, $how, resumed" "$WORK/mlp/run.sh" --steps 8 --collectives $how --check-arena \
        --resume "$WORK/ckpt"
done
no_reports 'examples/mlp.place on 2 ranks'

# ---- Reports are noticed ----------------------------------------------------------------------------------------------------
cat >"$WORK/wrong.c" <<'C'
#include <stdlib.h>
int main(int argc, char **argv)
{
    int *numbers = malloc(4 * sizeof *numbers);
    (void)argv;
    return numbers[3 + argc];
}
C
# As the compiler is linked, and as unit tests are.
for static in '' '-static-libasan -static-libubsan'; do
    # shellcheck disable=SC2086
    expect "a wrong program is compiled $static" ${CC:-cc} $SANITIZE $static -O0 -o "$WORK/wrong" "$WORK/wrong.c"
    "$WORK/wrong" >"$log" 2>&1
    expect "a wrong program is stopped $static" test $? -eq 99
    expect "and reported $static" grep -q 'heap-buffer-overflow' "$WORK"/reports/mpi.*
    rm -f "$WORK"/reports/*
done
finish_suite

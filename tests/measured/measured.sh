#!/bin/sh
# measured.sh: generated programs do what their plan says. For {tied GPT, MLP} x {data parallel, ZeRO-1, 2, 3, a
# mixture} x {2, 4 ranks} x {1, 2 microbatches}, and copies that are joined: the calls that MPI receives (counted by
# PMPI) are the plan's, call for call, and every planned byte of the arena is used, none outside. For
# examples/gpt.place: the memory of the process, read from outside, less what the program itemises next to the arena, is
# the planned arena within 2 %. That each check can fail is checked too. Wants B, the build directory. Ends with "N
# passed, N failed, N skipped".
cd "$(dirname "$0")/../.." || exit 2
B=${B:-build/debug}
WORK=$B/measured
. tests/programs.sh
calls=$WORK/calls
${CC:-cc} -std=c11 -Wall -Wextra -Werror -O1 -o "$calls" tests/measured/calls.c -lcjson || exit 2

# count_calls DIRECTORY: trains with the counter before MPI; leaves DIRECTORY/count.RANK.
count_calls() {
    PLACERT_COUNT=$1/count LD_PRELOAD=$B/libplacert_count.so timeout 120 "$1/run.sh" --quiet --collectives library \
        --check-arena
}

# ---- Calls and arena ---------------------------------------------------------------------------------------------------
for model in gpt mlp; do
    for strategy in data_parallel zero1 zero2 zero3 mixture; do
        for ranks in 2 4; do
            for micro in 1 2; do
                name=$model-$strategy-$ranks-ranks-$micro-microbatches
                expect "$name builds" build "$name" "$model" "$strategy" $ranks $micro f32 2
                expect "$name: every planned byte is used, none outside" count_calls "$WORK/$name"
                expect "$name: the calls are the plan's" "$calls" "$WORK/$name/plan.json" "$WORK/$name/count"
            done
        done
    done
done

name=local
local_steps='data_parallel(data); contract local(2) over data outer nesterov(rate = 0.7, momentum = 0.9)'
expect "$name builds" build "$name" gpt "$local_steps" 2 1 f32 5
expect "$name: every planned byte is used, none outside" count_calls "$WORK/$name"
expect "$name: the calls are the plan's, two joins in five steps among them" "$calls" "$WORK/$name/plan.json" "$WORK/$name/count"
sed 's/"every":[[:space:]]*2/"every": 4/' "$WORK/$name/plan.json" >"$WORK/plan.json"
refused 'a plan with fewer joins is noticed' 1 'MPI received' "$calls" "$WORK/plan.json" "$WORK/$name/count"

name=local-without-a-join
expect "$name builds" build "$name" gpt "$(echo "$local_steps" | sed 's/local(2)/local(4)/')" 2 1 f32 3
expect "$name: what only the join writes need not be written" count_calls "$WORK/$name"

# ---- The checks can fail -----------------------------------------------------------------------------------------------
good=$WORK/gpt-zero3-4-ranks-2-microbatches
sed 's/"payload_bytes":\([[:space:]]*\)4,/"payload_bytes":\18,/' "$good/plan.json" >"$WORK/plan.json"
refused 'a plan with another payload is noticed' 1 'MPI received' "$calls" "$WORK/plan.json" "$good/count"
awk '/"count":/ && !done { sub(/[0-9]+/, "&1"); done = 1 } { print }' "$good/plan.json" >"$WORK/plan.json"
refused 'a plan with other calls is noticed' 1 'MPI received' "$calls" "$WORK/plan.json" "$good/count"
for rank in 0 1 2 3; do
    sed 's/"group": 4/"group": 2/' "$good/count.$rank" >"$WORK/count.$rank"
done
refused 'a call over another group is noticed' 1 'over 2 ranks' "$calls" "$good/plan.json" "$WORK/count"

# with_tables SED: the program of $good with its tables changed, compiled again by its Makefile.
with_tables() {
    rm -rf "$WORK/changed"
    cp -r "$good" "$WORK/changed"
    sed "$1" "$good/program.c" >"$WORK/changed/program.c"
    ! cmp -s "$good/program.c" "$WORK/changed/program.c" && make -s -C "$WORK/changed" program &&
        count_calls "$WORK/changed"
}
refused 'a buffer that the plan does not have is noticed' + 'written where the plan has no buffer' \
    with_tables '/^ *{.name = "step", /s/\.bytes = [0-9]*/.bytes = 0/'
refused 'a call that is not planned is noticed' 1 'planned are 4 calls' \
    with_tables 's/calls_per_step = (const int64_t\[\]){1}/calls_per_step = (const int64_t[]){2}/'

# ---- Memory ------------------------------------------------------------------------------------------------------------
mkdir -p "$WORK/memory"
sed 's/data: 4 }/data: 2 }/; s/4 devices/2 devices/; s/context = 256/context = 64/; s/steps      120/steps      3/
    /checkpoint/d' examples/gpt.place >"$WORK/memory.place"
cat docs/*.md >"$WORK/text"
expect 'examples/gpt.place on 2 ranks builds' "$B/placec" build "$WORK/memory.place" -o "$WORK/memory"

# Trains, and reads the largest memory of rank 0 meanwhile, in bytes, into peak.
watch_memory() {
    cd "$WORK/memory" || return 2
    # Each process leaves its number before it becomes the program.
    # shellcheck disable=SC2016
    mpirun --oversubscribe --bind-to none -np 2 sh -c 'echo $$ > "pid.$OMPI_COMM_WORLD_RANK"; exec "$@"' sh \
        ./program --data "$WORK/text" --log log.jsonl --sample 0 --quiet --collectives library &
    job=$!
    while kill -0 $job 2>/dev/null; do
        [ -s pid.0 ] && sed -n 's/^VmHWM:[[:space:]]*\([0-9]*\) kB/\1/p' "/proc/$(cat pid.0)/status" >kilobytes 2>/dev/null &&
            [ -s kilobytes ] && cp kilobytes peak
        sleep 0.05
    done
    wait $job
}
expect 'examples/gpt.place on 2 ranks trains' watch_memory
cd "$root" || exit 2
jsonl=$WORK/memory/log.jsonl
planned=$(number memory arena_planned "$jsonl")
rest=$(($(number memory before_arena "$jsonl") + $(number memory files_grown "$jsonl") +
    $(number memory heap_grown "$jsonl") + $(number memory workspace "$jsonl") + $(number memory other_grown "$jsonl")))
peak=$(($(cat "$WORK/memory/peak") * 1024))
plan_total=$(sed -n 's/.*"total":[[:space:]]*\([0-9]*\).*/\1/p' "$WORK/memory/plan.json" | head -n 1) # then come the classes of ranks

# near A B: A is B within 2 %.
near() {
    echo "$1 bytes for $2"
    difference=$(($1 > $2 ? $1 - $2 : $2 - $1))
    [ $((difference * 50)) -le "$2" ]
}
expect 'the arena of the program is that of the plan' test "$planned" -eq "$plan_total"
expect 'the memory of the process is the planned arena and the itemised rest' near $((peak - rest)) "$planned"
near $((peak - rest)) "$planned"
refused 'an arena a twentieth larger is noticed' 1 'bytes' near $((peak - rest)) $((planned + planned / 20))
finish_suite

#!/bin/sh
# faults.sh: generated programs that are interrupted, resumed elsewhere, and that meet what goes wrong in a run: every
# fault ends the whole job soon, with a message that names the cause and what to do, and what was saved stays as it was.
# Wants B, the build directory. Ends with "N passed, N failed, N skipped".
cd "$(dirname "$0")/../.." || exit 2
B=${B:-build/debug}
WORK=$B/faults
. tests/programs.sh
compare=$WORK/compare
${CC:-cc} -std=c11 -D_GNU_SOURCE -I. -O2 -o "$compare" tests/run/compare.c tests/equivalence/safetensors.c -lcjson -lm || exit 2

# losses LOG: the losses of its step lines, from the step asked for, one a line.
losses() {
    sed -n 's/.*"event":"step","step":\([0-9]*\).*"loss":\([0-9.e+-]*\).*/\1 \2/p' "$1"
}

# same_losses A B BOUND: two files of `losses` have the same steps, and losses that differ by no more than BOUND of them.
same_losses() {
    [ -s "$1" ] && paste -d ' ' "$1" "$2" | awk -v bound="$3" '
        NF != 4 || $1 != $3 || ($2 - $4) ^ 2 > (bound * $2) ^ 2 { print "step " $1 ": " $2 ", step " $3 ": " $4; bad = 1 }
        END { exit bad }'
}

# ---- Interrupted and resumed on other numbers of ranks and under other strategies -----------------------------------------
# Bounds: those of the equivalence suite.
for precision in f64 f32; do
    bound=$([ $precision = f64 ] && echo 2.2e-11 || echo 1.2e-4)
    for model in gpt mlp; do
        case=$model-$precision
        for where in data_parallel-1 zero3-4 zero1-3; do
            expect "$case-$where builds" build "$case-$where" $model "${where%-*}" "${where#*-}" 2 $precision 4
        done
        dp=$WORK/$case-data_parallel-1 zero3=$WORK/$case-zero3-4 zero1=$WORK/$case-zero1-3
        saved=$WORK/$case.ckpt
        expect "$case: four steps at once" "$dp/run.sh" --log "$dp/whole" --save-states "$dp/states"
        expect "$case: one step on one rank, data parallel" "$dp/run.sh" --steps 1 --log "$WORK/parts" --checkpoint "$saved"
        expect "$case: two more on four ranks, ZeRO-3" "$zero3/run.sh" --steps 3 --log "$WORK/parts" --resume "$saved" \
            --checkpoint "$saved"
        expect "$case: the last on three ranks, ZeRO-1" "$zero1/run.sh" --log "$WORK/parts" --resume "$saved" \
            --checkpoint "$saved" --save-states "$zero1/states"
        losses "$dp/whole" >"$WORK/whole.losses"
        losses "$WORK/parts" >"$WORK/parts.losses"
        expect "$case: the losses of the parts are those of the whole" same_losses "$WORK/whole.losses" "$WORK/parts.losses" \
            $bound
        expect "$case: and so are the states" "$compare" "$dp/states" "$zero1/states" $bound 1e-3
    done
done
tail -n 1 "$WORK/whole.losses" >"$WORK/one.loss"
refused 'a run that lacks steps is noticed' 1 'step' same_losses "$WORK/whole.losses" "$WORK/one.loss" 1

# ---- The same losses on 1, 2 and 4 ranks: examples/gpt.place, with shorter texts ---------------------------------------
for ranks in 1 2 4; do
    sed "s/data: 4 }/data: $ranks }/; s/4 devices/$ranks devices/; s/context = 256/context = 48/" \
        examples/gpt.place >"$WORK/gpt-$ranks.place"
    expect "examples/gpt.place on $ranks ranks builds" "$B/placec" build "$WORK/gpt-$ranks.place" -o "$WORK/gpt-$ranks"
    expect "examples/gpt.place on $ranks ranks trains" "$WORK/gpt-$ranks/run.sh" --data docs/language.md --steps 3 \
        --log "$WORK/gpt-$ranks.log" --checkpoint "$WORK/gpt-$ranks.ckpt" --sample 20
    losses "$WORK/gpt-$ranks.log" >"$WORK/gpt-$ranks.losses"
    expect "examples/gpt.place on $ranks ranks: the same losses" same_losses "$WORK/gpt-1.losses" "$WORK/gpt-$ranks.losses" \
        1.2e-4
done
expect 'the log has the learning rate, and the warm-up is followed' test \
    "$(sed -n 's/.*"learning_rate":\([0-9.e-]*\).*/\1/p' "$WORK/gpt-1.log" | awk '{ printf "%.3g ", $1 }')" = \
    '1.5e-05 3e-05 4.5e-05 '

# ---- Checkpoints that do not fit --------------------------------------------------------------------------------------------
good=$WORK/gpt-f32.ckpt/step-00000004.safetensors
program=$WORK/gpt-f32-zero3-4/run.sh
cp "$good" "$WORK/kept"
size=$(wc -c <"$good")
head -c $((size / 2)) "$good" >"$WORK/cut.safetensors"
refused 'a truncated checkpoint' 1 'it is truncated' "$program" --resume "$WORK/cut.safetensors"
{ head -c $((size - 100)) "$good" && printf x && tail -c 99 "$good"; } >"$WORK/flipped.safetensors"
refused 'a damaged checkpoint' 1 'the file is damaged' "$program" --resume "$WORK/flipped.safetensors"
refused 'a checkpoint of another model' 1 'the program has it, the file does not' "$program" --resume "$WORK/mlp-f32.ckpt"
refused 'a checkpoint of another precision' 1 'the program expects F32, the file has F64' "$program" --resume "$WORK/gpt-f64.ckpt"
refused 'a checkpoint that is not there' 1 'No such file' "$program" --resume "$WORK/nowhere"
expect 'a checkpoint that was refused is as it was' cmp "$WORK/kept" "$good"

# ---- Checkpoints of copies -------------------------------------------------------------------------------------------------------
. ./tests/faults/copies.sh

# ---- Experts that are chosen by more rows than they have room for -------------------------------------------------------------
model_experts() {
    cat <<PLACE
model net(layers = 2, hidden = 8, context = 32, vocab = 64) {
    input tokens, targets : int[batch, context]
    x = embedding(tokens, vocab, hidden) as wte
    repeat block[layers] {
        x = x + moe(layernorm(x) as norm, experts = 4, top = 2, 8, gelu$room) as moe
    }
    logits = linear(x, vocab, bias = none) as head
    loss = mean over batch, context of cross_entropy(logits, targets)
}
PLACE
}
for room in '' ', room = 1.75' ', room = 1'; do
    name=experts$(echo "$room" | tr -dc '0-9')
    expect "experts$room: it builds" build "$name" experts 'zero1(data) * expert_parallel(data)' 3 2 f64 3
done
expect 'experts with room for all' "$WORK/experts/run.sh" --log "$WORK/experts.log"
expect 'experts with enough room' "$WORK/experts175/run.sh" --log "$WORK/experts175.log"
losses "$WORK/experts.log" >"$WORK/experts.losses"
losses "$WORK/experts175.log" >"$WORK/experts175.losses"
expect 'experts with enough room: the same losses' same_losses "$WORK/experts.losses" "$WORK/experts175.losses" 2.2e-11
refused 'experts without enough room' 2 'rows of an example and has room for 16; nothing is saved' "$WORK/experts1/run.sh" \
    --checkpoint "$WORK/experts1.ckpt"
cp "$log" "$WORK/overflow"
expect 'experts without enough room: rank, step, line, expert, layer' grep -qE \
    '^net: error: rank [0-2] of 3, step 1, .*experts1.place:6 .*: expert [0-3] of layer [01] is chosen by ' "$WORK/overflow"
expect 'experts without enough room: nothing is saved' test -z \
    "$(find "$WORK" -path '*experts1.ckpt/*.safetensors')"

# ---- A rank that is killed ----------------------------------------------------------------------------------------------------
expect 'a long run builds' build long gpt zero3 4 1 f32 1000000

# kill_rank HOW SIGNAL RANK OPTION...: trains, by MPI or by itself, saving every step, sends a rank a signal once three steps
# are saved, and ends with the status of the job, unless it takes longer than 20 s. RANK "starter": the process that was
# called.
kill_rank() {
    how=$1 signal=$2 rank=$3
    shift 3
    rm -rf "$WORK/long.ckpt" "$WORK"/pid.*
    set -- "$WORK/long/program" --quiet --checkpoint "$WORK/long.ckpt" --checkpoint-every 1 "$@"
    # Each process leaves its number before it becomes the program.
    # shellcheck disable=SC2016
    case $how in
    mpi) WORK=$WORK timeout 60 mpirun --oversubscribe --bind-to none -np 4 \
        sh -c 'echo $$ > "$WORK/pid.$OMPI_COMM_WORLD_RANK"; exec "$@"' sh "$@" & ;;
    itself) timeout 60 "$@" & ;;
    esac
    job=$!
    for _ in $(seq 100); do
        [ -f "$WORK/long.ckpt/step-00000003.safetensors" ] && break
        sleep 0.1
    done
    if [ $how = itself ]; then
        pgrep -P $job >"$WORK/pid.starter"
        pgrep -P "$(cat "$WORK/pid.starter")" | { for place in 0 1 2 3; do read -r pid && echo "$pid" >"$WORK/pid.$place"; done; }
    fi
    kill "-$signal" "$(cat "$WORK/pid.$rank")"
    killed=$(date +%s)
    wait $job
    job_status=$?
    [ $(($(date +%s) - killed)) -le 20 ] || echo "the job took too long"
    return $job_status
}

# ends_with STATUS COMMAND...: the command ends with it.
ends_with() {
    wanted=$1
    shift
    "$@"
    [ $? -eq "$wanted" ]
}

# none_left: no rank is left of the job that kill_rank started, and nothing in shared memory.
none_left() {
    for _ in $(seq 20); do
        left=$(cat "$WORK"/pid.? | while read -r pid; do grep -s "^State:.*[RSDT] (" "/proc/$pid/status"; done)
        [ -z "$left" ] && break
        sleep 0.1
    done
    [ -z "$left" ] && ! ls /dev/shm | grep place
}
for rank in 0 1 3; do
    for how in 'mpi shared' 'mpi library' 'itself shared'; do
        case="rank $rank is killed, $how"
        speaker=$((rank == 0 ? 1 : 0))
        refused "$case" + "rank $rank is gone: its process was killed" kill_rank "${how% *}" KILL $rank --collectives "${how#* }"
        cp "$log" "$WORK/killed"
        expect "$case: who says it, and at which step" grep -qE \
            "^net: error: rank $speaker of 4, (after )?step [0-9]+.*: rank $rank is gone" "$WORK/killed"
        expect "$case: it is reported once" test "$(grep -c 'net: error:' "$WORK/killed")" = 1
        expect "$case: soon" test "$(grep -c 'too long' "$WORK/killed")" = 0
        expect "$case: no rank is left" none_left
    done
done
expect 'the process that started the ranks is killed' ends_with 137 kill_rank itself KILL starter
expect 'the process that started the ranks is killed: no rank is left' none_left
newest=$(find "$WORK/long.ckpt" -name 'step-*.safetensors' | sort | tail -n 1)
steps=$(basename "$newest" .safetensors | sed 's/step-0*//')
expect 'what was saved before is whole: the run continues from it' "$WORK/long/run.sh" --resume "$WORK/long.ckpt" \
    --steps $((steps + 1))

# ---- Asked to stop ---------------------------------------------------------------------------------------------------------------
. ./tests/faults/signals.sh

# ---- What else goes wrong ------------------------------------------------------------------------------------------------------
expect 'a rate of 1e30 builds' build fast mlp zero2 2 1 f32 20 1e30
refused 'a rate of 1e30' 2 'a lower learning rate, or clipping, may help' "$WORK/fast/run.sh" --checkpoint "$WORK/fast.ckpt" \
    --checkpoint-every 1
cp "$log" "$WORK/fast.said"
expect 'a rate of 1e30: rank, step and line are named' grep -qE 'net: error: rank 0 of 2, step [0-9]+, .*fast.place:[0-9]+' "$WORK/fast.said"
expect 'a rate of 1e30: it is reported once' test "$(grep -c 'net: error:' "$WORK/fast.said")" = 1
refused 'a data file that is missing' 2 "cannot read the data file 'nowhere.txt': No such file or directory (--data FILE names" \
    "$program" --data nowhere.txt
refused 'too many processes' + 'has 2 devices, but 3 processes were started: start it with run.sh or' \
    mpirun --oversubscribe -np 3 "$WORK/fast/program"
refused 'too few processes' + "has 4 devices, but 3 processes were started: start it with run.sh or 'mpirun -np 4'" \
    mpirun --oversubscribe -np 3 "$WORK/long/program"
expect 'no launcher, and no MPI' env PLACERT_MPI=/nowhere "$WORK/gpt-f64-zero3-4/program" --quiet
refused 'no launcher to be found' 2 'install openmpi-bin, or set MPIRUN' env MPIRUN=nowhere "$program"
write_program mlp data_parallel 64 1 f32 2 | sed 's/width = 7/width = 20000/; s/batch 24/batch 64/' >"$WORK/huge.place"
expect 'a large program builds' "$B/placec" build "$WORK/huge.place" -o "$WORK/huge"
refused 'more ranks than memory' 2 'GiB left: start them on several machines' "$WORK/huge/run.sh"
# few_processes PROGRAM: as a user who may have four; the limit is not for root.
few_processes() {
    place=$(mktemp -d) && chmod 755 "$place" && cp "$1" "$place/program" || return
    as=$([ "$(id -u)" -ne 0 ] || echo setpriv --reuid 65534 --regid 65534 --clear-groups)
    # shellcheck disable=SC2086
    $as prlimit --nproc=4 "$place/program"
    few_status=$?
    rm -r "$place"
    return $few_status
}
refused 'more ranks than processes' 2 "are 9 processes and threads, but only 4 are allowed here (ulimit -u" \
    few_processes "$WORK/long/program"
touch "$WORK/file"
refused 'checkpoints that cannot be saved' 2 "Not a directory (--checkpoint DIR saves elsewhere)" "$program" --log "$WORK/unsaved" \
    --checkpoint "$WORK/file/ckpt"
expect 'checkpoints that cannot be saved: known before the first step' test ! -e "$WORK/unsaved"
refused 'checkpoints where a file is' 2 "(--checkpoint DIR saves elsewhere)" "$program" --checkpoint "$WORK/file"
refused 'an unknown option' 64 "did you mean '--steps'" "$program" --stepz 3
expect 'an unknown option: on four ranks, nothing else is printed' test "$(wc -l <"$log")" = 1
synthetic=$WORK/mlp-f32-zero3-4/run.sh
refused 'a file for synthetic data' 64 'the data of this one is synthetic' "$synthetic" --data docs/language.md
refused 'text of a program without text' 64 "'--sample' is for programs that train on text" "$synthetic" --sample 9
expect 'no text of a program without text' "$synthetic" --sample 0

# ---- What is stored on the host or in a file --------------------------------------------------------------------------------
. ./tests/faults/stored.sh
finish_suite

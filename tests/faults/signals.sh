# signals.sh - runs that are asked to stop; sourced by faults.sh, after tests/programs.sh. The step is finished and saved on all
# ranks, whoever received the signal: the run that continues has the states of one that was never stopped.
expect 'a run on one rank builds' build alone gpt data_parallel 1 1 f32 1000000

# trained: waits until three steps are in $WORK/stop.log.
trained() {
    for _ in $(seq 200); do
        [ "$(cat "$WORK/stop.log" 2>/dev/null | grep -c '"event":"step"')" -ge 3 ] && break
        sleep 0.1
    done
}

# stopped SIGNAL TARGET SAVES COMMAND...: starts the command, sends the signal to its process, to the GROUP (a terminal does) or
# to one RANK once it has trained, and ends with its status. SAVES: "yes" or "no" checkpoints.
stopped() {
    number=$1 whom=$2 saves=$3
    shift 3
    rm -rf "$WORK/stop.ckpt" "$WORK/stop.log"
    [ "$saves" = no ] || set -- "$@" --checkpoint "$WORK/stop.ckpt"
    # A shell lets jobs in the background ignore SIGINT, and what is ignored stays ignored.
    env --default-signal=INT setsid "$@" --log "$WORK/stop.log" --quiet &
    job=$!
    trained
    case $whom in
    process) whom=$job ;;
    group) whom=-$job ;;
    rank) whom=$(pgrep -P $job | tail -n 1) ;;
    esac
    kill "-$number" "$whom"
    wait $job
}

# saved_once: the last step of the log is the checkpoint's, and the only one.
saved_once() {
    step=$(sed -n 's/.*"event":"step","step":\([0-9]*\),.*/\1/p' "$WORK/stop.log" | tail -n 1)
    find "$WORK/stop.ckpt" -type f
    [ "$(find "$WORK/stop.ckpt" -type f)" = "$(printf '%s/step-%08d.safetensors' "$WORK/stop.ckpt" "$step")" ]
}

while read -r name status signal target started; do
    refused "$name, SIG$signal to the $target" "$status" "saved in '$WORK/stop.ckpt'" stopped "$signal" "$target" yes \
        env ${started%%/*} "$WORK/${started#*/}"
    expect "$name, SIG$signal to the $target: it is reported once" test "$(grep -c '^net: ' "$log")" = 1
    expect "$name, SIG$signal to the $target: what is saved is the last step" saved_once
done <<END
one-rank 143 TERM process A=1/alone/program
one-rank 130 INT process A=1/alone/run.sh
its-own-ranks 143 TERM process A=1/long/run.sh
its-own-ranks 130 INT process A=1/long/program
its-own-ranks 143 TERM rank A=1/long/program
its-own-ranks 130 INT group A=1/long/program
by-MPI 143 TERM process MPIRUN=mpirun/long/run.sh
by-MPI 130 INT process MPIRUN=mpirun/long/run.sh
END
expect 'a run that was stopped continues' "$WORK/long/run.sh" --resume "$WORK/stop.ckpt" --steps $((step + 1))
refused 'stopped without a place to save' 143 'nothing was saved (--checkpoint DIR saves in DIR)' stopped TERM process no \
    "$WORK/long/program"

# interrupted: a run that gets a thousand signals while it multiplies, in a heap that is checked at every call.
interrupted() {
    rm -f "$WORK/stop.log"
    LD_PRELOAD=libc_malloc_debug.so.0 MALLOC_CHECK_=3 "$WORK/alone/program" --log "$WORK/stop.log" --quiet &
    job=$!
    trained
    for _ in $(seq 1000); do kill -CONT $job 2>/dev/null; done
    kill -TERM $job
    wait $job
}
refused 'signals leave the heap as it is' 143 'stopped by a signal after step' interrupted

# ended_at_once HOW: a rank does not move, so that no step ends; a second signal, a second later, ends the job.
ended_at_once() {
    timeout 60 env "$1" "$WORK/long/run.sh" --quiet --log "$WORK/stop.log" &
    job=$!
    trained
    starter=$(pgrep -P $job)
    kill -STOP "$(pgrep -P "$starter" | tail -n 1)"
    kill -TERM "$starter"
    sleep 1.5
    kill -0 "$starter" || echo "the first signal did not wait"
    kill -TERM "$starter"
    wait $job
}
rm -f "$WORK/stop.log"
refused 'a second signal ends at once' 143 'ended from outside' ended_at_once A=1
expect 'a second signal ends at once: the first did not' test "$(grep -c 'did not wait' "$log")" = 0

# hung RANK: a rank does not move, in a step.
hung() {
    timeout 60 "$WORK/long/program" --quiet --timeout 1 --log "$WORK/stop.log" &
    job=$!
    trained
    kill -STOP "$(pgrep -P "$(pgrep -P $job)" | sed -n "$(($1 + 1))p")"
    wait $job
}
for rank in 0 2; do
    rm -f "$WORK/stop.log"
    refused "rank $rank hangs" 2 "has not completed in 1 s: rank $rank has not entered it" hung $rank
    expect "rank $rank hangs: it is reported once" test "$(grep -c 'net: error:' "$log")" = 1
done
mkdir "$WORK/fifo.ckpt"
mkfifo "$WORK/fifo.ckpt/step-00000002.safetensors.writing"
refused 'a rank hangs while it saves' 2 'after step 2: rank 0 has done nothing for 1 s, while others wait for it' timeout 60 \
    "$WORK/long/program" --quiet --timeout 1 --checkpoint "$WORK/fifo.ckpt" --checkpoint-every 1
expect 'a rank hangs while it saves: it is reported once' test "$(grep -c 'net: error:' "$log")" = 1
mkfifo "$WORK/log.fifo" # which rank 0 waits to open
refused 'a rank hangs before the first step, by MPI' 2 'has not completed in 1 s: a rank has not entered it' timeout 60 \
    mpirun --oversubscribe --bind-to none -np 4 "$WORK/long/program" --quiet --timeout 1 --log "$WORK/log.fifo"

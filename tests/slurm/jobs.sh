#!/bin/sh
# jobs.sh: job.sbatch, unedited, through a Slurm of our own whose nodes are network namespaces of this machine (slurm.sh): on one
# node, two and four; by srun with PMIx and PMI-2, and by mpirun. Numbers are those of one host; a job that is cancelled, or whose
# time is up, saves, and one that is started again continues. Wants B, the build directory. Ends with "N passed, ...".
cd "$(dirname "$0")/../.." || exit 2
B=${B:-build/debug}
WORK=$B/slurm
. tests/programs.sh
name=s$$ place=$(mktemp -d /var/tmp/place-slurm.XXXXXX)
slurm=$root/tests/slurm/slurm.sh
chmod 755 "$place"
if ! command -v slurmctld >/dev/null || ! command -v munged >/dev/null || ! "$slurm" up "$place" "$name" 4 2 >"$log" 2>&1; then
    skip 'Slurm' "needs root, CAP_NET_ADMIN, slurm-wlm and munge: $(tail -n 1 "$log" 2>/dev/null)"
    finish_suite
    exit
fi
trap '"$slurm" down "$place" "$name"; rm -rf "$place"' EXIT
trap 'exit 1' INT TERM
export OMPI_MCA_btl=tcp,vader,self OMPI_MCA_btl_tcp_if_include=eth0 OMPI_MCA_oob_tcp_if_include=eth0 \
    OMPI_MCA_mpi_yield_when_idle=1 HYDRA_IFACE=eth0 UCX_TLS=tcp,self UCX_NET_DEVICES=eth0
compare=$WORK/compare
${CC:-cc} -std=c11 -D_GNU_SOURCE -I. -O2 -o "$compare" tests/run/compare.c tests/equivalence/safetensors.c -lcjson -lm || exit 2

user() { timeout 150 "$slurm" run "$place" "$name" "$@"; }

# nodes NAME CLUSTER: builds the GPT of the suites on four ranks.
nodes() {
    write_program gpt zero3 4 2 f64 3 | sed "s/{ 4 devices of cpu }/{ $2 }/" >"$WORK/$1.place"
    "$B/placec" build "$WORK/$1.place" -o "$WORK/$1"
}

# job PROGRAM WORD-OF-SBATCH... -- OPTION...: waits for its end, prints what it has printed, ends with its status.
job() {
    program=$1 words=
    shift
    while [ "$1" != -- ]; do words="$words $1" && shift; done
    shift
    rm -f "$WORK/said"
    # shellcheck disable=SC2086
    user sbatch --wait -o "$WORK/said" $words "$WORK/$program/job.sbatch" "$@" 2>&1
    job_status=$?
    cat "$WORK/said"
    return $job_status
}

expect 'nodes of one device, two and four: build' nodes one '4 nodes of 1 cpu'
expect 'nodes of two devices: builds' nodes two '2 nodes of 2 cpu'
expect 'no nodes: builds' nodes none '4 devices of cpu'
expect 'on one host' "$WORK/none/run.sh" --save-states "$WORK/here"

expect 'one node: its own ranks' job none -N1 -n4 --overcommit -- --save-states "$WORK/single"
expect 'one node: the same, bit by bit' "$compare" "$WORK/here" "$WORK/single" 0
launchers='pmix mpirun'
if [ -f "$B/libplacert_mpich.so" ]; then launchers="$launchers pmi2"; else skip 'srun with PMI-2' 'mpich is not installed'; fi
for launcher in $launchers; do
    for program in one two; do
        export PLACE_LAUNCHER=$launcher
        expect "nodes of $program by $launcher" job $program -- --save-states "$WORK/there"
        expect "nodes of $program by $launcher: the states of one host" "$compare" "$WORK/here" "$WORK/there" 2.2e-11 1e-3
    done
done
unset PLACE_LAUNCHER
expect 'four nodes, whatever starts them' job one -- --quiet
refused 'too few tasks' 64 'the plan has 4 ranks, but the allocation has 2 tasks' job two --ntasks=2 --ntasks-per-node=1 --
refused 'Open MPI by PMI-2, as MPI itself says it' + 'OMPI was not built with' \
    user srun --mpi=pmi2 -N2 -n4 env PLACERT_MPI="$WORK/two/libplacert_mpi.so" "$WORK/two/program"
if [ -f "$B/libplacert_mpich.so" ]; then
    refused 'MPICH by PMIx' + 'does not know what the launcher has started: their protocols differ' \
        user srun --mpi=pmix -N2 -n4 env PLACERT_MPI="$WORK/two/libplacert_mpich.so" "$WORK/two/program"
fi
expect 'a shell in a step is no launcher' user srun -n1 "$WORK/none/run.sh" --quiet

# running ID: until it has trained two steps.
running() {
    for _ in $(seq 300); do
        [ "$(cat "$WORK/log.jsonl" 2>/dev/null | grep -c '"event":"step"')" -ge 2 ] && return
        sleep 0.1
    done
}

# ended ID: until it has.
ended() {
    for _ in $(seq 120); do
        user scontrol show job "$1" | grep -qE 'JobState=(RUNNING|COMPLETING|PENDING|CONFIGURING)' || break
        sleep 0.5
    done
    cat "$WORK/said"
}

# submit PROGRAM WORD...: a job without end; prints its number.
submit() {
    program=$1
    shift
    rm -rf "$WORK/said" "$WORK/ckpt" "$WORK/log.jsonl"
    user sbatch --parsable -o "$WORK/said" "$@" "$WORK/$program/job.sbatch" --quiet --steps 1000000 --checkpoint "$WORK/ckpt" \
        --log "$WORK/log.jsonl"
}
for program in none two; do
    one_node=$([ $program = none ] && echo '-N1 -n4 --overcommit')
    # shellcheck disable=SC2086
    id=$(submit $program $one_node)
    running
    expect "$program: scancel" user scancel "$id"
    ended "$id" >"$log"
    expect "$program: scancel: saves, and says where" test "$(grep -c "saved in '$WORK/ckpt'" "$log")" = 1
done
id=$(submit two)
running
expect 'requeue' user scontrol requeue "$id"
for _ in $(seq 60); do
    [ "$(user squeue -h -j "$id" -o %T)" = PENDING ] && user scontrol update JobId="$id" StartTime=now && break
    sleep 1
done
for _ in $(seq 300); do
    [ "$(grep -o '"event":"start".*' "$WORK/log.jsonl" | wc -l)" -ge 2 ] && break
    sleep 0.1
done
expect 'requeue: continues from what was saved' test "$(grep '"event":"start"' "$WORK/log.jsonl" | sed -n '2s/.*"step":\([0-9]*\),.*/\1/p')" -ge 2
user scancel "$id" >"$log" 2>&1
ended "$id" >/dev/null
id=$(submit two --time=1 --signal=B:USR2@50)
expect 'a time limit' user true
ended "$id" >"$log"
expect 'a time limit: saves, and says where' test "$(grep -c "saved in '$WORK/ckpt'" "$log")" = 1
finish_suite

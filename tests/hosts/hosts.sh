#!/bin/sh
# hosts.sh: generated programs on several hosts, which are network namespaces of this machine (net.sh), by run.sh: ranks of a
# host share memory, MPI connects the hosts. Numbers are those of one host, no more than needed is sent between them, and what
# goes wrong on any host is reported once. Wants B, the build directory. Ends with "N passed, N failed, N skipped".
cd "$(dirname "$0")/../.." || exit 2
B=${B:-build/debug}
WORK=$B/hosts
. tests/programs.sh
net=$root/tests/hosts/net.sh name=h$$
if ! { [ "$(id -u)" -eq 0 ] && "$net" up "$name" 4; } >"$log" 2>&1; then
    "$net" down "$name" 2>/dev/null
    skip 'several hosts' "needs root, CAP_NET_ADMIN and iproute2: $(tail -n 1 "$log")"
    finish_suite
    exit
fi
trap '"$net" down "$name"' EXIT
trap 'exit 1' INT TERM
. tests/hosts/jobs.sh
compare=$WORK/compare
${CC:-cc} -std=c11 -D_GNU_SOURCE -I. -O2 -o "$compare" tests/run/compare.c tests/equivalence/safetensors.c -lcjson -lm || exit 2

two=${name}0,${name}1

# nodes NAME STRATEGY CLUSTER MESH: builds the GPT of the suites.
nodes() {
    {
        echo 'place 1'
        model_gpt
        cat <<PLACE
cluster here { $3 }
mesh local on here { $4 }
train net on local {
    strategy $2
    optimizer adamw(rate = 1e-2, warmup = 2, decay = 0.1, epsilon = 1e-3)
    clip norm 1.0
    precision f64
    data $(data_of gpt)
    seed 1
    batch 24 in 2 microbatches
    steps 3
}
PLACE
    } >"$WORK/$1.place"
    "$B/placec" build "$WORK/$1.place" -o "$WORK/$1" >"$log" 2>&1
}

# ---- The numbers of one host --------------------------------------------------------------------------------------------
# Sums have another order on several hosts: the bound is that of the equivalence suite.
expect 'two nodes of two: builds' nodes net 'zero3(data) * megatron(t)' '2 nodes of 2 cpu' 'data: 2, t: 2'
expect 'two nodes of two: on one host' "$WORK/net/run.sh" --save-states "$WORK/one"
expect 'two nodes of two: on one host: says so' test "$(grep -c 'note: planned for 2 hosts of 2 ranks, started on 1:' "$log")" = 1
expect 'two nodes of two: the plan says by what' grep -q 'algorithm = "pairwise"' "$WORK/net/program.c"
libraries=openmpi
if [ -f "$B/libplacert_mpich.so" ] && command -v mpirun.mpich >/dev/null; then
    libraries='openmpi mpich'
else
    skip 'MPICH between hosts' 'mpich and libmpich-dev are not installed'
fi
for library in $libraries; do
    expect "two hosts, $library" launched env MPIRUN=mpirun.$library "$WORK/net/run.sh" --hosts $two --save-states "$WORK/two.$library"
    says=$(grep -c 'between 2 hosts, shared memory within' "$log") notes=$(grep -c 'note: planned' "$log")
    expect "two hosts, $library: memory within, MPI between, as planned" test "$says $notes" = '1 0'
    expect "two hosts, $library: the states of one" "$compare" "$WORK/one" "$WORK/two.$library" 2.2e-11 1e-3
done
# MPICH over UCX may wait forever in MPI_Finalize for a rank that has left. Meanwhile there are other tests.
endless=
if [ "$libraries" != openmpi ]; then
    printf '#include <unistd.h>\nint MPI_Finalize(void) { for (;;) pause(); }\n' | ${CC:-cc} -shared -fPIC -xc -o "$WORK/endless.so" - || exit 2
    on_first env LD_PRELOAD="$WORK/endless.so" MPIRUN=mpirun.mpich "$WORK/net/run.sh" --hosts $two --quiet >"$WORK/endless.log" 2>&1 &
    endless=$!
fi
expect 'a profile on two hosts' on_first "$WORK/net/run.sh" --hosts $two --profile "$WORK/profile"
expect 'a profile on two hosts: of every rank' test "$(cat "$WORK/profile".[0-3] | grep -c '"call":"communication"')" -ge 4
expect 'ranks that are dealt out one by one' on_first env OMPI_MCA_rmaps_base_mapping_policy=node "$WORK/net/run.sh" --hosts $two \
    --save-states "$WORK/dealt"
expect 'ranks that are dealt out one by one: neighbours share a host all the same' "$compare" "$WORK/two.openmpi" "$WORK/dealt" 0
refused 'a node on two hosts' + 'ranks 0 and 1, of one node, are on two hosts: start a multiple of 2 ranks on each' \
    on_first "$WORK/net/run.sh" --hosts "${name}0:1,${name}1:3"
refused 'a host that is not there' 2 "host 'nowhere' is not known here" on_first "$WORK/net/run.sh" --hosts "${name}0,nowhere"
expect 'stages on four hosts: builds' nodes stages 'pipeline(stage) * zero1(data)' '4 devices of cpu' 'stage: 2, data: 2'
expect 'stages on four hosts: on one' "$WORK/stages/run.sh" --save-states "$WORK/one.stages"
expect 'stages on four hosts' on_first "$WORK/stages/run.sh" --hosts "$two,${name}2,${name}3" --save-states "$WORK/four"
expect 'stages on four hosts: says so' test "$(grep -c 'note: planned for one host, started on 4:' "$log")" = 1
expect 'stages on four hosts: the states of one' "$compare" "$WORK/one.stages" "$WORK/four" 2.2e-11 1e-3

# by_hand OUT SOURCE OPTION...: a program without a compiler.
by_hand() {
    out=$1 source=$2
    shift 2
    # shellcheck disable=SC2086
    ${CC:-cc} -std=c11 -D_GNU_SOURCE -I. -O2 $SANITIZE "$@" -o "$WORK/$out" "$source" "$B/libplacert.a" -lcjson -ldl -lpthread -lm || exit 2
}
# simulated HOSTS COMMAND...: on hosts that have so many ranks (simulated.sh).
simulated() {
    ranks=$(($(echo "$1" | tr , +)))
    OMPI_MCA_btl=vader,self PLACERT_MPI="$B/libplacert_mpi.so" timeout 120 mpirun --oversubscribe --bind-to none -np "$ranks" \
        tests/hosts/simulated.sh "$@" </dev/null
}

# Every algorithm, as far as a collective has it, from 1 to 9 hosts, of one rank or of several, also of unequal numbers.
for ranks in 2 3 4 5 6 7 8 9; do
    by_hand all_$ranks tests/run/collectives.c -DA=1 -DB=$ranks -DLARGEST=20000
done
by_hand all_6x tests/run/collectives.c -DA=2 -DB=3 -DLARGEST=20000
for case in 3:2,1 4:2,2 5:1,1,1,1,1 6:3,2,1 6x:1,3,2 8:4,4 9:3,3,3; do
    for algorithms in 'ring tree bruck' 'doubling halving scatter' 'rabenseifner gather' pairwise; do
        expect "$algorithms on hosts of ${case#*:}" simulated "${case#*:}" env ALGORITHM="$algorithms" "$WORK/all_${case%:*}"
    done
done

# ended JOB: it was started before, and prints to endless.log.
ended() {
    wait "$1"
    status=$?
    cat "$WORK/endless.log"
    return $status
}
[ -z "$endless" ] || expect 'a finalize that never ends' ended "$endless"

# What is sent: by each algorithm, hosts, the collective, in pieces of one of N ranks, the most that a rank sends. That is what the
# plan says of it (tests/unit/plan_algorithms.c).
${MPICC:-mpicc} -shared -fPIC -o "$WORK/count_sent.so" tests/hosts/sent.c || exit 2
by_hand repeated_4 tests/run/repeated.c -DRANKS=4 -DMOST=65536
by_hand repeated_3 tests/run/repeated.c -DRANKS=3 -DMOST=65536
pieces_sent() {
    rm -f "$WORK/sent".*
    n=$(($(echo "$2" | tr , +)))
    simulated "$2" env ALONE=1 SENT="$WORK/sent" LD_PRELOAD="$WORK/count_sent.so" CALL="$3" ALGORITHM="$1" COUNT=$((n * 4096)) \
        "$WORK/repeated_$n" --quiet && [ "$(cat "$WORK/sent".* | sort -rn -k 2 | sed -n '1s/.* //p')" -eq $((16384 * $4)) ]
}
while read -r algorithm hosts call pieces; do
    expect "what $algorithm sends in $call on hosts of $hosts" pieces_sent "$algorithm" "$hosts" "$call" "$pieces"
done <<SENT
ring         1,1,1,1 all_reduce     6
doubling     1,1,1,1 all_reduce     8
rabenseifner 1,1,1,1 all_reduce     6
hierarchical 2,2     all_reduce     2
ring         1,1,1   all_reduce     4
doubling     1,1,1   all_reduce     6
rabenseifner 1,1,1   all_reduce     4
pairwise     1,1,1,1 all_reduce     6
pairwise     1,1,1   all_reduce     4
pairwise     1,1,1,1 reduce_scatter 3
pairwise     1,1,1,1 all_gather     3
pairwise     2,2     all_reduce     2
ring         1,1,1,1 reduce_scatter 3
halving      1,1,1,1 reduce_scatter 3
halving      1,1,1   reduce_scatter 2
halving      2,2     reduce_scatter 1
ring         1,1,1,1 all_gather     3
doubling     1,1,1,1 all_gather     3
doubling     1,1,1   all_gather     2
gather       1,1,1,1 all_gather     8
ring         2,2     all_gather     1
pairwise     1,1,1,1 all_to_all     3
bruck        1,1,1,1 all_to_all     4
bruck        1,1,1   all_to_all     2
bruck        2,2     all_to_all     2
tree         1,1,1,1 broadcast      8
scatter      1,1,1,1 broadcast      6
scatter      1,1,1   broadcast      4
tree         2,2     broadcast      2
SENT
refused 'an algorithm that this runtime does not know' 1 "all_reduce of x by 'circle' is not known to this runtime: build the program again" \
    simulated 1,1,1 env ALGORITHM=circle "$WORK/repeated_3"
refused 'an algorithm of another collective' 1 "all_reduce of x by 'bruck' is not known" simulated 1,1,1 env ALGORITHM=bruck "$WORK/repeated_3"

# Every collective, of every dtype, in place and not, on hosts with equal and with unequal numbers of ranks.
for mesh in 2x2 1x3; do
    # shellcheck disable=SC2086
    ${CC:-cc} -std=c11 -D_GNU_SOURCE -I. -O2 $SANITIZE -DA=${mesh%x*} -DB=${mesh#*x} -DLARGEST=20000 -o "$WORK/collectives_$mesh" \
        tests/run/collectives.c "$B/libplacert.a" -lcjson -ldl -lpthread -lm || exit 2
    for hosts in "${name}0:2,${name}1:2" "${name}0,${name}1,${name}2,${name}3"; do
        count=$(echo "$hosts" | tr , "\n" | wc -l)
        expect "collectives on $mesh, $count hosts" on_first env PLACERT_MPI="$B/libplacert_mpi.so" mpirun --bind-to none \
            --host "$hosts" -np $((${mesh%x*} * ${mesh#*x})) "$WORK/collectives_$mesh"
    done
done

# ---- Where Place never was ------------------------------------------------------------------------------------------------
moved=$(mktemp -d /var/tmp/place-moved.XXXXXX)
trap '"$net" down "$name"; rm -rf "$moved"' EXIT
cp -r "$WORK/net" docs/language.md "$moved"

# alone COMMAND...: where this tree is not.
alone() {
    # shellcheck disable=SC2016
    (cd "$moved" && unshare --mount sh -c 'mount -t tmpfs none "$1" && shift && ! [ -e "$1" ] && shift && exec "$@"' sh "$root" \
        "$root/README.md" "$@")
}
expect 'moved to where this tree is not' alone "$moved/net/run.sh" --data "$moved/language.md" --save-states "$moved/states"
expect 'moved to where this tree is not: the same, bit by bit' "$compare" "$moved/states" "$WORK/one" 0
expect 'moved to where this tree is not: by MPI' alone env -u OMPI_MCA_plm_rsh_agent OMPI_MCA_btl=vader,self MPIRUN=mpirun.openmpi "$moved/net/run.sh" \
    --data "$moved/language.md" --quiet
expect 'moved to where this tree is not: built again' alone make -C "$moved/net" -B program

# ---- What is sent -------------------------------------------------------------------------------------------------------------
# traffic STEPS...: bytes that the first host sends in a run.
sent() { cat "/sys/class/net/v${name}0/statistics/rx_bytes"; }
traffic() {
    before=$(sent)
    on_first "$WORK/wide/run.sh" --hosts $two --quiet --steps "$1" || return
    echo $(($(sent) - before))
}
for strategy in data_parallel zero1; do
    write_program mlp $strategy 4 1 f64 100 | sed 's/width = 7/width = 160/' >"$WORK/wide.place"
    expect "$strategy of a wide model: builds" "$B/placec" build "$WORK/wide.place" -o "$WORK/wide"
    more=$(traffic 12) fewer=$(traffic 2)
    parameters=$(grep -o '"parameters":[[:space:]]*[0-9]*' "$WORK/wide/plan.json" | head -n 1 | grep -o '[0-9]*$')
    share=$((100 * (more - fewer) / (10 * parameters * 8)))
    # An all-reduce between two hosts sends the array once, and so do a reduce-scatter and an all-gather; headers are extra.
    expect "$strategy: a step sends each gradient once between two hosts of two ranks ($share %)" test $share -ge 100 -a $share -le 108
done

# ---- What goes wrong ----------------------------------------------------------------------------------------------------------
# after_steps HOST SIGNAL WHOM OPTION...: trains on two hosts; sends a rank of the host, or the first one's `run.sh`, a signal
# after two steps, and ends with the job's status.
after_steps() {
    host=$1 signal=$2 whom=$3
    shift 3
    rm -rf "$WORK/faults.log" "$WORK/ckpt"
    env --default-signal=INT "$net" on "${name}0" "$WORK/net/run.sh" --hosts $two --quiet --log "$WORK/faults.log" "$@" &
    job=$!
    for _ in $(seq 200); do
        [ "$(cat "$WORK/faults.log" 2>/dev/null | grep -c '"event":"step"')" -ge 2 ] && break
        sleep 0.1
    done
    [ "$whom" = rank ] && target=$(ip netns pids "$host" | while read -r process; do
        [ "$(readlink "/proc/$process/exe")" = "$WORK/net/program" ] && echo "$process" && break
    done) || target=$job
    kill "-$signal" "$target"
    wait $job
}
# once NAME: one rank has reported; what was printed is shown otherwise.
once() {
    reports=$(grep -c '^net: error:' "$log")
    if [ "$reports" -eq 1 ]; then good; else bad "$1" "$reports reports: $(cat "$log")"; fi
}
for library in $libraries; do
    export MPIRUN=mpirun.$library
    refused "$library, SIGTERM" 143 "saved in '$WORK/ckpt'" after_steps "${name}0" TERM job --steps 1000000 --checkpoint "$WORK/ckpt"
    refused "$library, SIGINT" 130 "saved in '$WORK/ckpt'" after_steps "${name}0" INT job --steps 1000000 --checkpoint "$WORK/ckpt"
    refused "$library, a rank of the other host hangs" 2 'has not completed in 2 s: rank 2 has not entered it' \
        after_steps "${name}1" STOP rank --steps 1000000 --timeout 2
    once "$library, a rank of the other host hangs: reported once"
done
export MPIRUN=mpirun.openmpi
refused 'a rank of the other host is killed' + 'rank 2 is gone: its process was killed' after_steps "${name}1" KILL rank --steps 1000000
once 'a rank of the other host is killed: reported once'
finish_suite

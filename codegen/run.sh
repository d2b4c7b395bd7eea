# under_launcher: this script is one of the ranks. A step of Slurm with one task is a shell (srun --pty), or a place in
# which the program starts its own.
under_launcher() {
    [ -z "${OMPI_COMM_WORLD_SIZE:-}${MPI_LOCALNRANKS:-}" ] || return 0
    [ "${SLURM_STEP_NUM_TASKS:-2}" -gt 1 ] && [ -n "${SLURM_STEP_NUM_TASKS:-}${PMI_SIZE:-}${PMIX_RANK:-}" ]
}

# What the system's loader does not find.
missing=$(LD_TRACE_LOADED_OBJECTS=1 "$here/program" 2> /dev/null | sed -n 's/^[[:space:]]*\([^ ]*\) => not found.*/\1/p')
if [ -n "$missing" ]; then
    echo "run.sh: this host lacks $(echo "$missing" | paste -s -d ' ' -), which the program needs (see the head of run.sh)" >&2
    exit 2
fi

# On one machine the program starts its ranks itself. MPI starts them on several, or where it is asked for: by MPIRUN,
# or because it is what does the collectives.
hosts='' mpi=${MPIRUN:+yes}${PLACERT_COUNT:+yes} previous=''
for word in "$@"; do
    shift
    case "$previous $word" in
    ' --hosts='*) hosts=${word#*=} ;;
    ' --hosts') ;;
    '--hosts '*) hosts=$word ;;
    *) set -- "$@" "$word" ;;
    esac
    case "$previous $word" in ' --collectives=library' | '--collectives library') mpi=yes ;; esac
    case $previous$word in --hosts | --collectives) previous=$word ;; *) previous='' ;; esac
done
if [ "$previous" = --hosts ]; then
    echo "run.sh: option '--hosts' wants a value: A,B,..." >&2
    exit 64
fi
if under_launcher || [ -z "$hosts$mpi" ] || [ "$ranks" -eq 1 ]; then
    exec "$here/program" "$@"
fi
mpirun=${MPIRUN:-mpirun}
if ! command -v "$mpirun" > /dev/null 2>&1; then
    echo "run.sh: '$mpirun' was not found; install openmpi-bin, or set MPIRUN" >&2
    exit 2
fi
set -- -np "$ranks" "$here/program" "$@"
# A host without a number of ranks, as in a:4,b:4, has its share of them: of whole nodes, if the cluster has nodes.
# 'allocation' is what Slurm has given to this job, which mpirun knows.
case $hosts in
'' | allocation | *:*) ;;
*)
    count=$(printf '%s' "$hosts" | tr ',' '\n' | grep -c .)
    share=$((((ranks + count - 1) / count + node - 1) / node * node))
    hosts=$(printf '%s' "$hosts" | sed "s/,/:$share,/g; s/\$/:$share/")
    ;;
esac
for host in $(printf '%s' "$hosts" | tr ',' '\n' | sed 's/:.*//; /^allocation$/d'); do
    if ! getent hosts "$host" > /dev/null 2>&1; then
        echo "run.sh: host '$host' is not known here (--hosts A,B,...)" >&2
        exit 2
    fi
done
case $("$mpirun" --version 2> /dev/null) in
*'Open MPI'* | *OpenRTE* | *'Open RTE'*)
    forward=USR2
    # By default it binds a rank to one core, which leaves nothing for the rank's other threads.
    set -- --bind-to none "$@"
    if [ "$(id -u)" -eq 0 ]; then
        set -- --allow-run-as-root "$@"
    fi
    case $hosts in
    '')
        # A slot is a core, not a hardware thread.
        cores=$(lscpu -p=SOCKET,CORE 2> /dev/null | grep -v '^#' | sort -u | wc -l)
        if [ "$ranks" -gt "$cores" ]; then
            set -- --oversubscribe "$@"
        fi
        # Ranks of one machine: shared memory, and no search for networks, which takes a third of a second.
        : "${OMPI_MCA_pml:=ob1}" "${OMPI_MCA_btl:=vader,self}"
        export OMPI_MCA_pml OMPI_MCA_btl
        ;;
    allocation) set -- --oversubscribe "$@" ;;
    *) set -- --host "$hosts" "$@" ;;
    esac
    ;;
*)
    forward=INT
    case $hosts in '' | allocation) ;; *) set -- -hosts "$hosts" "$@" ;; esac
    ;;
esac
# mpirun itself would kill the ranks: the first signal is forwarded to them, who stop after their step; one that comes
# more than a second later ends them at once. In a session of its own mpirun is out of reach of the terminal's signals.
first='' wanted=0 ending=''
stop() {
    wanted=$1 caught=yes now=$(date +%s)
    if [ -z "$first" ]; then
        first=$now
        kill -$forward "$job"
    elif [ $((now - first)) -gt 1 ]; then
        ending=yes
        kill -TERM "$job"
    fi
}
setsid "$mpirun" "$@" < /dev/null &
job=$!
trap 'stop 143' TERM USR2
trap 'stop 130' INT
caught=yes status=0
while [ -n "$caught" ]; do
    caught=''
    wait "$job" && status=0 || status=$?
done
if [ -n "$ending" ] || { [ -n "$first" ] && [ "$status" -gt 128 ]; }; then status=$wanted; fi
exit "$status"

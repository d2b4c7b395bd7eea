# hosts.sh: for scripts that have sourced machine.sh and measure between hosts: HOSTS network namespaces of this machine
# (tests/hosts/net.sh), one rank on each, on links that tbf shapes. Needs root. Where the machine has other work, PRIORITY=-10 gives
# the ranks their processors.
net=$(pwd)/tests/hosts/net.sh name=b$$ WORK=$work LIMIT=${LIMIT:-600}
[ "$(id -u)" -eq 0 ] || { echo "$0: hosts in network namespaces need root" >&2; exit 2; }
trap '"$net" down "$name"' EXIT
trap 'exit 1' INT TERM
"$net" up "$name" "$HOSTS"
. tests/hosts/jobs.sh
cp "$work/machine.place" "$work/measured.place"

# shape RATE: what every host sends goes at RATE Mbit/s.
shape() {
    for host in $(seq 0 $((HOSTS - 1))); do "$net" shape "$name$host" "$1"; done
}

# connect RATE: machine.place becomes the measured machine's processors on hosts, with links of RATE Mbit/s.
connect() {
    sed "s|[0-9]* devices of cpu \(within [^#]*[^ #]\) *|$HOSTS nodes of 1 cpu \1 between ethernet $1 Mbit/s after 20 us |" \
        "$work/measured.place" > "$work/machine.place"
}

# prefer: gives the hosts' ranks, which have started by then, PRIORITY (such as -10) over other work of this machine.
prefer() {
    sleep 1
    for host in $(seq 0 $((HOSTS - 1))); do
        for process in $(ip netns pids "$name$host"); do
            renice -n "$PRIORITY" -p "$process" || true
            echo "$PRIORITY" > "/proc/$process/autogroup" || true
        done
    done
} > /dev/null 2>&1

# start RUN OPTION...: a built program, on all hosts.
start() {
    run=$1
    shift
    if [ -n "${PRIORITY:-}" ]; then prefer & fi
    on_first "$work/$run/run.sh" --hosts "$(seq -s, -f "$name%g" 0 $((HOSTS - 1)))" --quiet "$@" > "$work/$run.out"
    wait
}

#!/bin/sh
# net.sh - hosts on this machine: network namespaces that a bridge joins, each with its own address and host name. Needs root.
#
#     net.sh up NAME N          hosts NAME0 .. with addresses 10.86.0.1 ..; NAME has at most 10 letters and digits
#     net.sh shape HOST RATE    what it sends goes at RATE Mbit/s
#     net.sh on HOST COMMAND    runs a command there; every path is as outside, but with PRIVATE=DIR /tmp is DIR/HOST
#     net.sh down NAME
#
# An mpirun starts its processes on them by `net.sh agent`, which takes the words that it would give to ssh.
set -eu
case $1 in
up)
    name=$2 count=$3
    ip link add "b$name" type bridge
    ip link set "b$name" up
    for i in $(seq 0 $((count - 1))); do
        ip netns add "$name$i"
        ip link add "v$name$i" type veth peer name eth0 netns "$name$i"
        ip link set "v$name$i" master "b$name" up
        ip -n "$name$i" link set lo up
        ip -n "$name$i" addr add "10.86.0.$((i + 1))/24" dev eth0
        ip -n "$name$i" link set eth0 up
        mkdir -p "/etc/netns/$name$i"
        {
            echo '127.0.0.1 localhost'
            for j in $(seq 0 $((count - 1))); do echo "10.86.0.$((j + 1)) $name$j"; done
        } > "/etc/netns/$name$i/hosts"
    done
    ;;
shape)
    # After a pause a bucket's content is sent at once, so it is small; but it holds a millisecond, by which a timer may be late,
    # and two of the packets that TCP hands over: else what is left in it is lost.
    burst=$(($3 * 125 > 16384 ? $3 * 125 : 16384))
    ip -n "$2" link set dev eth0 gso_max_size $((burst < 131072 ? burst / 2 : 65536))
    ip netns exec "$2" tc qdisc replace dev eth0 root tbf rate "$3mbit" burst "$burst" limit 8mb
    ;;
down)
    for host in $(ip netns list | awk -v name="$2" 'index($1, name) == 1 { print $1 }'); do
        ip netns del "$host"
        rm -rf "/etc/netns/$host"
    done
    ip link del "b$2" 2> /dev/null || true
    ;;
on)
    host=$2
    shift 2
    # shellcheck disable=SC2016
    exec ip netns exec "$host" unshare --uts --mount sh -c '
        hostname "$1"
        if [ -n "${PRIVATE:-}" ]; then
            mkdir -p "$PRIVATE/$1"
            mount --make-rprivate /
            mount --bind "$PRIVATE/$1" /tmp
        fi
        shift
        exec "$@"' sh "$host" "$@"
    ;;
agent)
    shift
    while [ "${1#-}" != "$1" ]; do
        case $1 in -l | -p | -o | -i | -F) shift ;; esac
        shift
    done
    host=$1
    shift
    case $host in 10.86.0.*) host=$(awk -v address="$host" '$1 == address { print $2 }' /etc/hosts) ;; esac
    exec "$0" on "$host" sh -c "$*"
    ;;
esac

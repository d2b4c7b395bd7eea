#!/bin/sh
# net.sh - hosts on this machine: network namespaces that a bridge joins, each with its own address and host name. Needs root.
#
#     net.sh up NAME N          hosts NAME0 .. with addresses 10.86.0.1 ..; NAME has at most 10 letters and digits
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

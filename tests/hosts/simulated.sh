#!/bin/sh
# simulated.sh N,N,... COMMAND...: a rank of an mpirun as if it were on one of several hosts that have so many ranks each: with a
# host name of its own, by which the runtime tells hosts apart. Messages go as on one host. Needs root.
set -eu
rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK} host=0
for ranks in $(echo "$1" | tr , ' '); do
    [ "$rank" -lt "$ranks" ] && break
    rank=$((rank - ranks)) host=$((host + 1))
done
shift
# shellcheck disable=SC2016
exec unshare --uts sh -c 'hostname "simulated$1" && shift && exec "$@"' sh "$host" "$@"

#!/bin/sh
# slurm.sh - a Slurm of our own, whose nodes are hosts in network namespaces (tests/hosts/net.sh). Needs root, slurm-wlm, munge.
#
#     slurm.sh up DIR NAME N CPUS      hosts NAME0 .. with so many processors each, all state in DIR
#     slurm.sh run DIR NAME COMMAND    on the first host, as a user of it
#     slurm.sh down DIR NAME
set -eu
net=$(cd "$(dirname "$0")/../hosts" && pwd)/net.sh
command=$1 dir=$2 name=$3
export PRIVATE=$dir/tmp SLURM_CONF=$dir/slurm.conf
case $command in
up)
    count=$4 cpus=$5
    mkdir -p "$dir/state" "$dir/log" "$PRIVATE" "$dir/munge"
    dd if=/dev/urandom of="$dir/munge/key" bs=1 count=1024 status=none
    chmod 700 "$dir/munge"
    chown -R munge: "$dir/munge"
    {
        cat << CONF
ClusterName=test
SlurmctldHost=${name}0(10.86.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket
CredType=cred/munge
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool-%n
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.%n.pid
SlurmctldLogFile=$dir/log/slurmctld
SlurmdLogFile=$dir/log/slurmd.%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,batch_sched_delay=0
ReturnToService=2
KillWait=15
SlurmdParameters=config_overrides
CONF
        for i in $(seq 0 $((count - 1))); do
            mkdir -p "$dir/spool-$name$i"
            echo "NodeName=$name$i NodeAddr=10.86.0.$((i + 1)) CPUs=$cpus Sockets=1 CoresPerSocket=$cpus ThreadsPerCore=1 RealMemory=1000"
        done
        echo "PartitionName=all Nodes=${name}[0-$((count - 1))] Default=YES MaxTime=INFINITE State=UP"
    } > "$SLURM_CONF"
    printf 'CgroupPlugin=cgroup/v1\nCgroupMountpoint=/sys/fs/cgroup\nConstrainCores=no\nConstrainRAMSpace=no\n' > "$dir/cgroup.conf"
    runuser -u munge -- /usr/sbin/munged --socket="$dir/munge/socket" --key-file="$dir/munge/key" --pid-file="$dir/munge/pid" \
        --log-file="$dir/munge/log" --seed-file="$dir/munge/seed" --force
    "$net" up "$name" "$count"
    "$net" on "${name}0" /usr/sbin/slurmctld -f "$SLURM_CONF" -i
    for i in $(seq 0 $((count - 1))); do "$net" on "$name$i" /usr/sbin/slurmd -f "$SLURM_CONF" -N "$name$i"; done
    for _ in $(seq 100); do
        [ "$("$0" run "$dir" "$name" sinfo -h -N -o %T 2> /dev/null | grep -c idle)" -eq "$count" ] && exit
        sleep 0.2
    done
    echo 'the nodes of Slurm do not come up:'
    tail -n 5 "$dir"/log/*
    exit 1
    ;;
run)
    shift 3
    exec "$net" on "${name}0" "$@"
    ;;
down)
    for file in "$dir"/slurmd.*.pid "$dir/slurmctld.pid" "$dir/munge/pid"; do
        [ ! -f "$file" ] || kill "$(cat "$file")" || true
    done
    "$net" down "$name"
    ;;
esac

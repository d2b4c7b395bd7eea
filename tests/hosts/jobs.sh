# jobs.sh - jobs on hosts of net.sh; sourced. Wants `net`, the path of that script, `name`, that of the hosts, and `WORK`, where
# it writes a command that takes the place of ssh.
printf '#!/bin/sh\nexec %s agent "$@"\n' "$net" >"$WORK/agent"
chmod +x "$WORK/agent"
export OMPI_MCA_plm_rsh_agent="$WORK/agent" OMPI_MCA_pml=ob1 OMPI_MCA_btl=tcp,vader,self OMPI_MCA_btl_tcp_if_include=eth0 \
    OMPI_MCA_oob_tcp_if_include=eth0 OMPI_MCA_mpi_yield_when_idle=1
export HYDRA_LAUNCHER=ssh HYDRA_LAUNCHER_EXEC="$WORK/agent" HYDRA_IFACE=eth0 UCX_TLS=tcp,self UCX_NET_DEVICES=eth0

# on_first COMMAND...: on the first host, for at most a minute or LIMIT seconds.
on_first() { timeout -k 5 "${LIMIT:-60}" "$net" on "${name}0" "$@"; }

# launched COMMAND...: on the first host, and once more if all that failed is MPICH's launcher, after everything was done: a rank
# that waits in MPI_Finalize for too long leaves (runtime/comm_mpi.c), now and then just when the launcher lets it out.
launched() {
    on_first "$@" >"$WORK/launched" 2>&1
    status=$?
    if [ $status -ne 0 ] && grep -q 'control_cb .* assert (!closed) failed' "$WORK/launched"; then
        on_first "$@" >"$WORK/launched" 2>&1
        status=$?
    fi
    cat "$WORK/launched"
    return $status
}

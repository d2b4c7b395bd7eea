/* peers.c - the processes of the other ranks on this host: whether one is gone, and which of those left reports it. The
 * functions that signal handlers may call only send signals. */
#include "runtime/run.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* Positive, and different on every host unless by coincidence, against which prt_peers_meet probes as a second
 * check. */
static int64_t host_mark(void)
{
    char name[256] = "";
    uint64_t hash = 0xCBF29CE484222325u;
    gethostname(name, sizeof name - 1);
    for (const char *at = name; *at != '\0'; at++)
        hash = (hash ^ (unsigned char)*at) * 0x100000001B3u;
    return (int64_t)(hash >> 1) | 1;
}

static bool is_there(int64_t process)
{
    return kill((pid_t)process, 0) == 0 || errno == EPERM;
}

void prt_peers_meet(prt_run *run)
{
    int ranks = run->ctx.ranks, own = run->ctx.rank;
    int64_t *processes = prt_allocate(run, (size_t)ranks, sizeof *processes);
    int64_t *hosts = prt_allocate(run, (size_t)ranks, sizeof *hosts);
    processes[own] = getpid();
    hosts[own] = host_mark();
    run->comm->maximum(run->comm, processes, ranks);
    run->comm->maximum(run->comm, hosts, ranks);
    for (int rank = 0; rank < ranks; rank++)
        if (rank == own || hosts[rank] != hosts[own] || !is_there(processes[rank]))
            processes[rank] = 0;
    free(hosts);
    run->peers = processes;
}

int prt_peers_gone(const prt_run *run)
{
    for (int rank = 0; run->peers != NULL && rank < run->ctx.ranks; rank++)
        if (run->peers[rank] != 0 && !is_there(run->peers[rank]))
            return rank;
    return -1;
}

bool prt_peers_speak(const prt_run *run)
{
    for (int rank = 0; run->peers != NULL && rank < run->ctx.rank; rank++)
        if (run->peers[rank] != 0 && is_there(run->peers[rank]))
            return false;
    return run->peers != NULL || run->ctx.rank == 0;
}

void prt_peers_hush(const prt_run *run)
{
    for (int rank = 0; run->peers != NULL && rank < run->ctx.ranks; rank++)
        if (run->peers[rank] != 0)
            kill((pid_t)run->peers[rank], SIGUSR1);
}

/* peers.c - the processes of the other ranks on this host: whether one is gone, and which of those left reports it. The
 * functions that signal handlers may call only send signals. */
#include "runtime/run.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A hash of the host's name and of the number of its system's start. prt_peers_meet probes as a second check. */
int64_t prt_host_mark(void)
{
    char name[512] = "";
    uint64_t hash = 0xCBF29CE484222325u;
    gethostname(name, 255);
    FILE *start = fopen("/proc/sys/kernel/random/boot_id", "re");
    if (start != NULL && fgets(name + strlen(name), 64, start) == NULL)
        name[255] = '\0';
    if (start != NULL)
        fclose(start);
    for (const char *at = name; *at != '\0'; at++)
        hash = (hash ^ (unsigned char)*at) * 0x100000001B3u;
    return (int64_t)(hash >> 1) | 1;
}

static bool is_there(int64_t process)
{
    return kill((pid_t)process, 0) == 0 || errno == EPERM;
}

/* The first rank on the same host has the same number. */
static void number_hosts(prt_run *run, const int64_t *marks)
{
    run->host_count = 0;
    for (int rank = 0; rank < run->ctx.ranks; rank++) {
        int first = 0;
        while (marks[first] != marks[rank])
            first++;
        run->hosts[rank] = first < rank ? run->hosts[first] : run->host_count++;
    }
}

void prt_peers_meet(prt_run *run)
{
    int ranks = run->ctx.ranks, own = run->ctx.rank;
    int64_t *processes = prt_allocate(run, (size_t)ranks, sizeof *processes);
    int64_t *marks = prt_allocate(run, (size_t)ranks, sizeof *marks);
    processes[own] = getpid();
    marks[own] = prt_host_mark();
    run->comm->maximum(run->comm, processes, ranks);
    run->comm->maximum(run->comm, marks, ranks);
    run->hosts = prt_allocate(run, (size_t)ranks, sizeof *run->hosts);
    number_hosts(run, marks);
    for (int rank = 0; rank < ranks; rank++)
        if (rank == own || marks[rank] != marks[own] || !is_there(processes[rank]))
            processes[rank] = 0;
    free(marks);
    run->peers = processes;
}

void prt_peers_part(prt_run *run)
{
    run->peers = NULL;
}

int prt_peers_gone(const prt_run *run)
{
    for (int rank = 0; run->peers != NULL && rank < run->ctx.ranks; rank++)
        if (run->peers[rank] != 0 && !is_there(run->peers[rank]))
            return rank;
    return -1;
}

bool prt_peers_move(const prt_run *run, int rank)
{
    static unsigned long long before;
    char path[64], state = 'R';
    unsigned long long user = 0, system = 0;
    if (run->peers == NULL || run->peers[rank] == 0)
        return true;
    snprintf(path, sizeof path, "/proc/%lld/task/%lld/stat", (long long)run->peers[rank], (long long)run->peers[rank]);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return true;
    int found =
        fscanf(file, "%*d (%*[^)]) %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &state, &user, &system);
    fclose(file);
    bool moves = found != 3 || state == 'R' || state == 'D' || user + system != before;
    before = user + system;
    return moves;
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

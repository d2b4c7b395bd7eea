/* limits.c - what a machine carries: its memory, and the numbers of processes and threads that it allows; of both what
 * the control groups of this process leave. Found before ranks are started, so that too many are refused in words,
 * and not ended by the system in the middle of a step. */
#include "runtime/launch.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* What a rank's process takes next to its arenas: heap, stacks, and what it changes of its libraries. */
static const int64_t PROCESS_BYTES = 8 << 20;

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static FILE *open_below(const char *root, const char *folder, const char *name)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s%s/%s", root, folder, name);
    return length < (int)sizeof path ? fopen(path, "re") : NULL;
}

/* The number in a file after a word at the beginning of a line, or "" for the first in the file; `none` if there is no
 * such file, word or number ("max"). */
static int64_t number_in(FILE *file, const char *word, int64_t none)
{
    char line[256];
    long long number = none;
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, word, strlen(word)) == 0) {
            if (sscanf(line + strlen(word), "%lld", &number) != 1)
                number = none;
            break;
        }
    if (file != NULL)
        fclose(file);
    return number;
}

/* ---- Control groups ----------------------------------------------------------------------------------------- */

/* A controller in one of the two versions of control groups. */
typedef struct controller {
    const char *name; /* in /proc/self/cgroup; "" in version 2 */
    const char *mount, *most, *used;
    const char *reclaimable; /* word in memory.stat for what counts as used, but gives way; or NULL */
} controller;

static const controller of_memory[] = {
    {"", "/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file "},
    {"memory", "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "},
};
static const controller of_tasks[] = {
    {"", "/sys/fs/cgroup", "pids.max", "pids.current", NULL},
    {"pids", "/sys/fs/cgroup/pids", "pids.max", "pids.current", NULL},
};

/* The group of this process, "/user.slice/..."; false if it has none of this controller. */
static bool find_group(const char *root, const char *name, char *group, size_t bytes)
{
    char line[2048];
    bool found = false;
    FILE *file = open_below(root, "/proc/self", "cgroup");
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char *names = strchr(line, ':'), *path = names != NULL ? strchr(names + 1, ':') : NULL;
        if (path == NULL)
            continue;
        *path++ = '\0';
        for (char *end, *at = names + 1; at != NULL && !found; at = end) {
            end = strchr(at, ',');
            if (end != NULL)
                *end++ = '\0';
            found = strcmp(at, name) == 0;
        }
        if (found)
            snprintf(group, bytes, "%s", path);
    }
    if (file != NULL)
        fclose(file);
    return found;
}

static int64_t left_in(const char *root, const controller *row, const char *folder)
{
    int64_t most = number_in(open_below(root, folder, row->most), "", INT64_MAX);
    int64_t used = number_in(open_below(root, folder, row->used), "", 0);
    if (most == INT64_MAX)
        return INT64_MAX;
    if (row->reclaimable != NULL)
        used -= smaller(used, number_in(open_below(root, folder, "memory.stat"), row->reclaimable, 0));
    return most > used ? most - used : 0;
}

/* The least that a group or one above it leaves. Inside a container groups may be named as seen from outside: then
 * only the topmost is there. */
static int64_t left_in_groups(const char *root, const controller *row)
{
    char group[2048], folder[3072];
    int64_t left = INT64_MAX;
    if (!find_group(root, row->name, group, sizeof group))
        return left;
    for (;;) {
        snprintf(folder, sizeof folder, "%s%s", row->mount, group);
        left = smaller(left, left_in(root, row, folder));
        char *slash = strrchr(group, '/');
        if (slash == NULL)
            return left;
        *slash = '\0';
    }
}

/* ---- Memory, processes and threads -------------------------------------------------------------------------- */

int64_t prt_limits_memory(const char *root)
{
    int64_t kilobytes = number_in(open_below(root, "/proc", "meminfo"), "MemAvailable:", INT64_MAX / 1024);
    int64_t left = kilobytes * 1024;
    for (size_t i = 0; i < sizeof of_memory / sizeof *of_memory; i++)
        left = smaller(left, left_in_groups(root, &of_memory[i]));
    return left;
}

int64_t prt_limits_tasks(const char *root)
{
    int64_t left = number_in(open_below(root, "/proc/sys/kernel", "pid_max"), "", INT64_MAX);
    left = smaller(left, number_in(open_below(root, "/proc/sys/kernel", "threads-max"), "", INT64_MAX));
    for (size_t i = 0; i < sizeof of_tasks / sizeof *of_tasks; i++)
        left = smaller(left, left_in_groups(root, &of_tasks[i]));
    return left;
}

/* The system excepts root from it. */
static int64_t tasks_of_user(void)
{
    struct rlimit limit;
    if (geteuid() == 0 || getrlimit(RLIMIT_NPROC, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return INT64_MAX;
    return (int64_t)limit.rlim_cur;
}

bool prt_limits_carry(int64_t ranks, int64_t threads, int64_t arena_bytes, char *message, size_t message_bytes)
{
    static const char way_out[] = "start them on several machines (run.sh --hosts A,B), or change the mesh";
    if (ranks > PRT_MOST_RANKS) {
        snprintf(message, message_bytes, "%lld ranks cannot run on this machine, which has at most %d processes: %s",
                 (long long)ranks, PRT_MOST_RANKS, way_out);
        return false;
    }
    int64_t tasks = ranks * (threads + 1) + 1, allowed = smaller(tasks_of_user(), prt_limits_tasks(""));
    if (tasks > allowed) { /* the watchdog is a thread, too */
        snprintf(message, message_bytes,
                 "%lld ranks with %lld thread%s each are %lld processes and threads, but only %lld are allowed here"
                 " (ulimit -u, pids.max of the control group): raise that, or %s",
                 (long long)ranks, (long long)threads, threads == 1 ? "" : "s", (long long)tasks, (long long)allowed,
                 way_out);
        return false;
    }
    int64_t each = arena_bytes + PROCESS_BYTES + (int64_t)sizeof(prt_seat), left = prt_limits_memory("");
    if (each > left / ranks) {
        double gigabyte = 1 << 30;
        snprintf(message, message_bytes,
                 "%lld ranks need %.2f GiB of memory, %.3f GiB each for its arena and its process, but this machine has"
                 " %.2f GiB left: %s",
                 (long long)ranks, (double)ranks * (double)each / gigabyte, (double)each / gigabyte,
                 (double)left / gigabyte, way_out);
        return false;
    }
    return true;
}

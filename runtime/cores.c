/* cores.c - gives each rank of a host processors of its own. Two ranks on one core while another is idle halve the
 * speed of all, which wait for these; and the threads of a rank are to have as many cores as they are.
 *
 * What the launcher has bound stays. If it has left all ranks the same processors, as run.sh and job.sbatch tell it to,
 * they are divided: whole cores, neighbours to neighbours. Where there are fewer than threads, the system divides the
 * time. */
#include "runtime/run.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 32, WORDS = CPU_SETSIZE / WORD };

/* A processor, and where it is. */
typedef struct processor {
    int64_t package, core;
    int number;
} processor;

typedef struct processor_list {
    int count, cores;
    processor items[CPU_SETSIZE]; /* by package and core */
    int core_of[CPU_SETSIZE];     /* the same: number of the core, from 0 */
} processor_list;

static int64_t topology(int number, const char *what)
{
    char path[128];
    long long value = 0;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/%s", number, what);
    FILE *file = fopen(path, "re");
    if (file == NULL || fscanf(file, "%lld", &value) != 1)
        value = number;
    if (file != NULL)
        fclose(file);
    return value;
}

static int by_core(const void *left, const void *right)
{
    const processor *a = left, *b = right;
    if (a->package != b->package)
        return a->package < b->package ? -1 : 1;
    if (a->core != b->core)
        return a->core < b->core ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static void list_processors(processor_list *list, const cpu_set_t *set)
{
    list->count = list->cores = 0;
    for (int number = 0; number < CPU_SETSIZE; number++)
        if (CPU_ISSET(number, set))
            list->items[list->count++] =
                (processor){topology(number, "physical_package_id"), topology(number, "core_id"), number};
    qsort(list->items, (size_t)list->count, sizeof *list->items, by_core);
    for (int i = 0; i < list->count; i++) {
        const processor *own = &list->items[i], *last = own - 1;
        list->cores += i == 0 || own->package != last->package || own->core != last->core;
        list->core_of[i] = list->cores - 1;
    }
}

/* Have all ranks of this host the same processors? */
static bool all_have(const prt_run *run, const int64_t *words)
{
    const int64_t *own = words + run->ctx.rank * WORDS;
    for (int rank = 0; rank < run->ctx.ranks; rank++)
        if (run->hosts[rank] == run->hosts[run->ctx.rank] &&
            memcmp(words + rank * WORDS, own, WORDS * sizeof *own) != 0)
            return false;
    return true;
}

/* This rank's part of the processors that all ranks of its host have. */
static void take_part(const prt_run *run, const processor_list *list)
{
    int64_t ranks = 0, place = 0, threads = run->options.threads;
    for (int rank = 0; rank < run->ctx.ranks; rank++) {
        bool here = run->hosts[rank] == run->hosts[run->ctx.rank];
        ranks += here;
        place += here && rank < run->ctx.rank;
    }
    bool whole_cores = list->cores >= ranks * threads;
    if (!whole_cores && list->count < ranks * threads)
        return;
    prt_range own = prt_cut(whole_cores ? list->cores : list->count, ranks, place);
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int i = 0; i < list->count; i++) {
        int64_t at = whole_cores ? list->core_of[i] : i;
        if (at >= own.start && at < own.start + own.extent)
            CPU_SET(list->items[i].number, &set);
    }
    sched_setaffinity(0, sizeof set, &set); /* otherwise the system places it */
}

void prt_cores_bind(prt_run *run)
{
    cpu_set_t set;
    if (run->ctx.ranks == 1)
        return;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        CPU_ZERO(&set); /* then there is nothing to divide */
    int64_t *words = prt_allocate(run, (size_t)run->ctx.ranks * WORDS, sizeof *words);
    for (int number = 0; number < CPU_SETSIZE; number++)
        if (CPU_ISSET(number, &set))
            words[run->ctx.rank * WORDS + number / WORD] |= (int64_t)1 << number % WORD;
    run->comm->maximum(run->comm, words, run->ctx.ranks * WORDS);
    static processor_list list;
    list_processors(&list, &set);
    if (all_have(run, words))
        take_part(run, &list);
    else if (list.count < run->options.threads)
        prt_warn(run,
                 "warning: %lld threads in each rank, but the launcher has bound ranks to %d processor%s (mpirun"
                 " --bind-to none, srun --cpu-bind=none)",
                 (long long)run->options.threads, list.count, list.count == 1 ? "" : "s");
    free(words);
}

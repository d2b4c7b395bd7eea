/* launcher.c - the emitted Makefile, run.sh and job.sbatch (codegen/launcher.h). The last two have a head that depends
 * on the program; the rest is codegen/run.sh and codegen/job.sbatch. */
#include "codegen/launcher.h"

#include "codegen/cwriter.h"
#include "job_text.h"
#include "run_text.h"
#include <inttypes.h>
#include <stddef.h>

/* A runtime built with sanitizers needs them in the program, too. */
#ifdef __SANITIZE_ADDRESS__
#define SANITIZE_WORDS "-fsanitize=address,undefined",
#else
#define SANITIZE_WORDS
#endif

/* What the program does itself is calls: optimised, a step of the smallest model is 3 % shorter and one of a GPT is
 * not, but compiling takes twice the time. Names of lines are enough of a debugger's tables, as of the runtime. */
static const char *const compile_flags[] = {"-std=c11", "-Wall", "-Wextra", "-Wpedantic",
                                            "-Werror",  "-O0",   "-g1",     SANITIZE_WORDS NULL};
static const char *const link_flags[] = {"-rdynamic", "-lcjson", "-ldl", "-lpthread", "-lm", NULL};

static int64_t rank_count(const StepFile *file)
{
    int64_t ranks = 1;
    for (int i = 0; i < file->decls->axes.count; i++)
        ranks *= file->decls->axes.data[i].size;
    return ranks;
}

/* Everything is next to the program, also where it looks for libraries. */
const char **launcher_compile_words(Arena *arena)
{
    Vec(const char *) words = {0};
    for (int i = 0; compile_flags[i] != NULL; i++)
        vec_push(arena, &words, compile_flags[i]);
    static const char *const own[] = {"-I.",       "-o",           "program",           "program.c",
                                      "kernels.o", "libplacert.a", "-Wl,-rpath,$ORIGIN"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        vec_push(arena, &words, own[i]);
    for (int i = 0; link_flags[i] != NULL; i++)
        vec_push(arena, &words, link_flags[i]);
    vec_push(arena, &words, NULL);
    return words.data;
}

static void add_words(Text *text, const char *const *words)
{
    for (; *words != NULL; words++)
        text_add(text, " %s", *words);
    text_add(text, "\n");
}

const char *launcher_makefile(Arena *arena, const StepFile *file)
{
    Text text = {.arena = arena};
    text_add(&text, "# Builds the program of '%s'. Written by placec.\n",
             comment_text(arena, file->decls->name != NULL ? file->decls->name : ""));
    text_add(&text, "FLAGS =");
    add_words(&text, compile_flags);
    text_add(&text, "LIBS  =");
    add_words(&text, link_flags);
    text_add(&text,
             "\nprogram: program.c kernels.o\n"
             "\t$(CC) $(FLAGS) $(CFLAGS) -I. -o $@ program.c kernels.o libplacert.a '-Wl,-rpath,$$ORIGIN' $(LIBS)\n\n"
             "run: program\n\t./run.sh\n\n"
             "clean:\n\trm -f program\n\n"
             ".PHONY: run clean\n");
    return text.data;
}

static const char *model_name(Arena *arena, const StepFile *file)
{
    return comment_text(arena, file->decls->name != NULL ? file->decls->name : "");
}

/* Devices of a node; 1 if the cluster has no nodes, any number of which a host may have. */
static int64_t node_devices(const Train *train)
{
    return train->cluster.node_devices > 0 ? train->cluster.node_devices : 1;
}

const char *launcher_run_script(Arena *arena, const Train *train, const StepFile *file)
{
    int64_t ranks = rank_count(file);
    Text text = {.arena = arena};
    text_add(&text, "#!/bin/sh\n");
    text_add(&text, "# Trains '%s' on %" PRId64 " rank%s. Options are the program's: ./run.sh --help\n",
             model_name(arena, file), ranks, ranks == 1 ? "" : "s");
    text_add(&text,
             "# This directory can be moved to another host. What it needs there, as Debian's packages are named:\n"
             "# libcjson1; for matrix products libdnnl2 (f32, bf16) or libopenblas0 (f64); between hosts openmpi-bin\n"
             "# or mpich; and a processor like that of the host where it was built.\n");
    text_add(&text, "set -eu\nhere=$(CDPATH='' cd -- \"$(dirname -- \"$0\")\" && pwd)\n");
    text_add(&text, "ranks=%" PRId64 " node=%" PRId64 "\n\n%s", ranks, node_devices(train), run_text);
    return text.data;
}

const char *launcher_job_script(Arena *arena, const Train *train, const StepFile *file)
{
    int64_t ranks = rank_count(file), node = train->cluster.node_devices;
    Text text = {.arena = arena};
    text_add(&text, "#!/bin/sh\n#SBATCH --job-name=%s\n#SBATCH --ntasks=%" PRId64 "\n", model_name(arena, file), ranks);
    if (node > 0)
        text_add(&text, "#SBATCH --nodes=%" PRId64 "\n#SBATCH --ntasks-per-node=%" PRId64 "\n", ranks / node, node);
    text_add(&text, "#SBATCH --signal=B:USR2@120\n#SBATCH --requeue\n#SBATCH --open-mode=append\n");
    text_add(&text, "# Trains '%s' on %" PRId64 " rank%s through Slurm: sbatch [--time=...] job.sbatch [OPTION]...\n",
             model_name(arena, file), ranks, ranks == 1 ? "" : "s");
    text_add(&text,
             "# Options are the program's (./run.sh --help). Two minutes before the time limit, or when the job is\n"
             "# cancelled, it saves what it has done where there is a directory for checkpoints.\n");
    text_add(&text, "ranks=%" PRId64 "\n%s", ranks, job_text);
    return text.data;
}

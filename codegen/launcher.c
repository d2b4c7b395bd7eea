/* launcher.c - the emitted Makefile and run.sh (codegen/launcher.h). */
#include "codegen/launcher.h"

#include "codegen/cwriter.h"
#include <inttypes.h>
#include <stddef.h>

/* A runtime built with sanitizers needs them in the program, too. */
#ifdef __SANITIZE_ADDRESS__
#define SANITIZE_WORDS "-fsanitize=address,undefined",
#else
#define SANITIZE_WORDS
#endif

static const char *const compile_flags[] = {"-std=c11", "-Wall", "-Wextra", "-Wpedantic",
                                            "-Werror",  "-O1",   "-g",      SANITIZE_WORDS NULL};
static const char *const link_flags[] = {"-rdynamic", "-lcjson", "-ldl", "-lpthread", "-lm", NULL};

static int64_t rank_count(const StepFile *file)
{
    int64_t ranks = 1;
    for (int i = 0; i < file->decls->axes.count; i++)
        ranks *= file->decls->axes.data[i].size;
    return ranks;
}

const char **launcher_compile_words(Arena *arena, const CodegenPaths *paths)
{
    Vec(const char *) words = {0};
    for (int i = 0; compile_flags[i] != NULL; i++)
        vec_push(arena, &words, compile_flags[i]);
    vec_push(arena, &words, arena_printf(arena, "-I%s", paths->include));
    vec_push(arena, &words, "-o");
    vec_push(arena, &words, "program");
    vec_push(arena, &words, "program.c");
    vec_push(arena, &words, "kernels.o");
    vec_push(arena, &words, arena_printf(arena, "%s/libplacert.a", paths->libraries));
    vec_push(arena, &words, arena_printf(arena, "-Wl,-rpath,%s", paths->libraries));
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

const char *launcher_makefile(Arena *arena, const StepFile *file, const CodegenPaths *paths)
{
    Text text = {.arena = arena};
    text_add(&text, "# Builds the program of '%s'. Written by placec.\n",
             comment_text(arena, file->decls->name != NULL ? file->decls->name : ""));
    text_add(&text, "PLACE_INCLUDE   = %s\n", make_word(arena, paths->include));
    text_add(&text, "PLACE_LIBRARIES = %s\n\n", make_word(arena, paths->libraries));
    text_add(&text, "FLAGS =");
    add_words(&text, compile_flags);
    text_add(&text, "LIBS  =");
    add_words(&text, link_flags);
    text_add(&text, "\nprogram: program.c kernels.o\n"
                    "\t$(CC) $(FLAGS) $(CFLAGS) -I$(PLACE_INCLUDE) -o $@ program.c kernels.o \\\n"
                    "\t    $(PLACE_LIBRARIES)/libplacert.a -Wl,-rpath,$(PLACE_LIBRARIES) $(LIBS)\n\n"
                    "run: program\n\t./run.sh\n\n"
                    "clean:\n\trm -f program\n\n"
                    ".PHONY: run clean\n");
    return text.data;
}

static const char one_rank[] = "exec \"$here/program\" \"$@\"\n";

/* On one machine the program starts its ranks itself. MPI starts them on several, or where it is asked for: by MPIRUN,
 * or because it is what does the collectives. Under a launcher this script is one of the ranks. */
static const char several_ranks[] =
    "hosts='' mpi=${MPIRUN:+yes}${PLACERT_COUNT:+yes} previous=''\n"
    "for word in \"$@\"; do\n"
    "    shift\n"
    "    case \"$previous $word\" in\n"
    "    ' --hosts='*) hosts=${word#*=} ;;\n"
    "    ' --hosts') ;;\n"
    "    '--hosts '*) hosts=$word ;;\n"
    "    *) set -- \"$@\" \"$word\" ;;\n"
    "    esac\n"
    "    case \"$previous $word\" in ' --collectives=library' | '--collectives library') mpi=yes ;; esac\n"
    "    case $previous$word in --hosts | --collectives) previous=$word ;; *) previous='' ;; esac\n"
    "done\n"
    "if [ \"$previous\" = --hosts ]; then\n"
    "    echo \"run.sh: option '--hosts' wants a value: A,B,...\" >&2\n"
    "    exit 64\n"
    "fi\n"
    "if [ -n \"${OMPI_COMM_WORLD_SIZE:-}${PMI_SIZE:-}${SLURM_STEP_NUM_TASKS:-}${PMIX_RANK:-}\" ] || [ -z "
    "\"$hosts$mpi\" ]; then\n"
    "    exec \"$here/program\" \"$@\"\n"
    "fi\n"
    "mpirun=${MPIRUN:-mpirun}\n"
    "if ! command -v \"$mpirun\" > /dev/null 2>&1; then\n"
    "    echo \"run.sh: '$mpirun' was not found; install openmpi-bin, or set MPIRUN\" >&2\n"
    "    exit 2\n"
    "fi\n"
    "set -- -np \"$ranks\" \"$here/program\" \"$@\"\n"
    "# A host without a number of slots, as in a:4,b:4, has its share of the ranks.\n"
    "case $hosts in\n"
    "'' | *:*) ;;\n"
    "*)\n"
    "    count=$(printf '%s' \"$hosts\" | tr ',' '\\n' | grep -c .)\n"
    "    share=$(((ranks + count - 1) / count))\n"
    "    hosts=$(printf '%s' \"$hosts\" | sed \"s/,/:$share,/g; s/\\$/:$share/\")\n"
    "    ;;\n"
    "esac\n"
    "case $(\"$mpirun\" --version 2> /dev/null) in\n"
    "*'Open MPI'* | *OpenRTE* | *'Open RTE'*)\n"
    "    # By default it binds a rank to one core, which leaves nothing for the rank's other threads.\n"
    "    set -- --bind-to none \"$@\"\n"
    "    if [ \"$(id -u)\" -eq 0 ]; then\n"
    "        set -- --allow-run-as-root \"$@\"\n"
    "    fi\n"
    "    if [ -n \"$hosts\" ]; then\n"
    "        set -- --host \"$hosts\" \"$@\"\n"
    "    else\n"
    "        # A slot is a core, not a hardware thread.\n"
    "        cores=$(lscpu -p=SOCKET,CORE 2> /dev/null | grep -v '^#' | sort -u | wc -l)\n"
    "        if [ \"$ranks\" -gt \"$cores\" ]; then\n"
    "            set -- --oversubscribe \"$@\"\n"
    "        fi\n"
    "        # Ranks of one machine: shared memory, and no search for networks, which takes a third of a second.\n"
    "        : \"${OMPI_MCA_pml:=ob1}\" \"${OMPI_MCA_btl:=vader,self}\"\n"
    "        export OMPI_MCA_pml OMPI_MCA_btl\n"
    "    fi\n"
    "    ;;\n"
    "*)\n"
    "    if [ -n \"$hosts\" ]; then\n"
    "        set -- -hosts \"$hosts\" \"$@\"\n"
    "    fi\n"
    "    ;;\n"
    "esac\n"
    "# mpirun itself would kill the ranks: the first signal is forwarded to them, who stop after their step; the "
    "second\n"
    "# ends them at once. In a session of its own mpirun is out of reach of the terminal's signals.\n"
    "signals=0 wanted=0\n"
    "stop() {\n"
    "    signals=$((signals + 1)) wanted=$1 caught=yes\n"
    "    if [ \"$signals\" -eq 1 ]; then kill -USR2 \"$job\"; else kill -TERM \"$job\"; fi\n"
    "}\n"
    "setsid \"$mpirun\" \"$@\" < /dev/null &\n"
    "job=$!\n"
    "trap 'stop 143' TERM\n"
    "trap 'stop 130' INT\n"
    "caught=yes status=0\n"
    "while [ -n \"$caught\" ]; do\n"
    "    caught=''\n"
    "    wait \"$job\" && status=0 || status=$?\n"
    "done\n"
    "if [ \"$status\" -eq 143 ] || [ \"$signals\" -gt 1 ]; then status=$wanted; fi\n"
    "exit \"$status\"\n";

const char *launcher_run_script(Arena *arena, const StepFile *file)
{
    int64_t ranks = rank_count(file);
    Text text = {.arena = arena};
    text_add(&text, "#!/bin/sh\n");
    text_add(&text, "# Trains '%s' on %" PRId64 " rank%s. Options are the program's: ./run.sh --help\n",
             comment_text(arena, file->decls->name != NULL ? file->decls->name : ""), ranks, ranks == 1 ? "" : "s");
    text_add(&text, "set -eu\nhere=$(CDPATH='' cd -- \"$(dirname -- \"$0\")\" && pwd)\n");
    if (ranks > 1)
        text_add(&text, "ranks=%" PRId64 "\n", ranks);
    text_add(&text, "%s", ranks > 1 ? several_ranks : one_rank);
    return text.data;
}

/* Deriving and asking the library, again and again and from several threads at once: what is derived depends on the
 * train and the assignment alone, which stay as they are, and memory that is reset does not grow. Built with the thread
 * sanitizer. Arguments: eight programs, or --race for something that it must notice. Ends with "N passed, N failed, N
 * skipped".
 */
#include "derive/derive.h"
#include "library/place.h"
#include "lower/passes.h"
#include "tests/open.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 8, TIMES = 200, ROUNDS = 6, STACK_BYTES = 512 << 10 };

typedef struct Given {
    const char *path;
    Compile compile; /* as far as train and assignment */
    char *dump;      /* what is derived */
    place_program program;
    char *plan, *messages; /* what the library answers */
} Given;

static Given given[THREADS];
static atomic_int passed, failed;

static void judge(bool good, const char *what, const char *path)
{
    atomic_fetch_add(good ? &passed : &failed, 1);
    if (!good)
        printf("FAIL %s: %s\n", path, what);
}

/* ---- Deriving ----------------------------------------------------------------------------------------------- */

static char *dump_of(const StepFile *file)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (file != NULL)
        step_print(file, NULL, out);
    fclose(out);
    return text;
}

/* Derives in `arena`, which has nothing else in it. */
static const StepFile *derive_in(Arena *arena, const Given *of)
{
    Ctx ctx = {.arena = arena, .sources = of->compile.ctx.sources};
    ctx.strings = str_table_new(arena);
    ctx.diag = diag_new(arena, ctx.sources);
    StepFile *file = derive_step(&ctx, of->compile.train, of->compile.assignment);
    bool good = file != NULL && passes_run(&ctx, of->compile.assignment, file, PASSES_ALL);
    return good ? file : NULL;
}

static bool derives_alike(Arena *arena, const Given *of)
{
    char *dump = dump_of(derive_in(arena, of));
    bool alike = dump[0] != '\0' && strcmp(dump, of->dump) == 0;
    free(dump);
    arena_reset(arena);
    return alike;
}

static void read_program(Given *of, const char *path)
{
    of->path = path;
    compile_open(&of->compile, path);
    Compile *compile = &of->compile;
    bool good = compile->source != 0 && compile_parse(compile) &&
                sema_run(&compile->ctx, compile->ast, &compile->train, &compile->assignment);
    judge(good, "not read", path);
    if (!good)
        exit(1);
    Arena *arena = arena_new();
    of->dump = dump_of(derive_in(arena, of));
    arena_free(arena);
}

static void derive_often(const Given *of)
{
    Arena *arena = arena_new();
    size_t size = 0;
    bool alike = true, grown = false;
    for (int i = 0; i < TIMES; i++) {
        derive_in(arena, of);
        grown |= i > 0 && arena_size(arena) != size;
        size = arena_size(arena);
        arena_reset(arena);
        alike &= i % 25 != 0 || derives_alike(arena, of);
    }
    judge(alike, "what is derived differs from one time to the next", of->path);
    judge(!grown, "deriving again takes more memory", of->path);
    arena_free(arena);
}

/* Its own program, then one that all threads derive from. */
static void *derive_own(void *data)
{
    const Given *of = data;
    Arena *arena = arena_new();
    bool alike = true, shared = true;
    for (int i = 0; i < ROUNDS; i++) {
        alike &= derives_alike(arena, of);
        shared &= derives_alike(arena, &given[i % THREADS]);
    }
    judge(alike, "derived otherwise next to other threads", of->path);
    judge(shared, "derived otherwise where threads share a train", of->path);
    arena_free(arena);
    return NULL;
}

/* ---- The library -------------------------------------------------------------------------------------------- */

/* A wrong program next to the right one: a strategy that does not exist. */
static place_program damaged(const Given *of, char **text)
{
    place_program program = of->program;
    *text = strdup(program.text);
    char *strategy = strstr(*text, "strategy ");
    if (strategy != NULL)
        memcpy(strategy, "strategx ", 9);
    program.text = *text;
    return program;
}

static char *copy(const char *text)
{
    return strdup(text != NULL ? text : "");
}

static void ask(const Given *of, char **plan, char **messages)
{
    char *text;
    place_result *result = place_plan(&of->program, PLACE_JSON);
    *plan = copy(place_result_text(result, NULL));
    place_result_free(result);
    place_program wrong = damaged(of, &text);
    result = place_check(&wrong, PLACE_TEXT);
    *messages = copy(place_result_messages(result, PLACE_TEXT, 20));
    place_result_free(result);
    free(text);
}

static void prepare_questions(Given *of)
{
    const Source *source = source_of(of->compile.ctx.sources, (Span){of->compile.source, 0, 0});
    of->program = (place_program){.name = of->path, .text = source->text, .length = (size_t)source->length};
    ask(of, &of->plan, &of->messages);
    judge(of->plan[0] == '{', "no plan", of->path);
    judge(strstr(of->messages, ": error[P") != NULL, "no error of the damaged program", of->path);
}

static void *ask_own(void *data)
{
    const Given *of = data;
    bool alike = true;
    for (int i = 0; i < ROUNDS; i++) {
        char *plan, *messages;
        ask(of, &plan, &messages);
        alike &= strcmp(plan, of->plan) == 0 && strcmp(messages, of->messages) == 0;
        free(plan);
        free(messages);
    }
    judge(alike, "answered otherwise next to other threads", of->path);
    return NULL;
}

/* ---- All of it ---------------------------------------------------------------------------------------------- */

static void at_once(void *(*work)(void *data))
{
    pthread_t threads[THREADS];
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], &attributes, work, &given[i]) != 0)
            abort();
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    pthread_attr_destroy(&attributes);
}

static int shared;

static void *race(void *data)
{
    shared += data != NULL;
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--race") == 0) {
        at_once(race);
        return shared != THREADS;
    }
    if (argc != THREADS + 1) {
        fprintf(stderr, "threads: eight programs, please\n");
        return 2;
    }
    for (int i = 0; i < THREADS; i++) {
        read_program(&given[i], argv[i + 1]);
        prepare_questions(&given[i]);
    }
    derive_often(&given[0]);
    at_once(derive_own);
    at_once(ask_own);
    for (int i = 0; i < THREADS; i++) {
        free(given[i].dump);
        free(given[i].plan);
        free(given[i].messages);
        compile_close(&given[i].compile);
    }
    printf("%d passed, %d failed, 0 skipped\n", passed, failed);
    return failed != 0;
}

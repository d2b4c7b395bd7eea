/* place.c - the requests to the library: each makes one result (library/place.h). */
#include "library/place.h"

#include "algebra/compatible.h"
#include "base/version.h"
#include "codegen/codegen.h"
#include "derive/derive.h"
#include "distpar/infer.h"
#include "fmt/fmt.h"
#include "library/explain.h"
#include "library/plain.h"
#include "library/result.h"
#include "library/stated.h"
#include "lower/passes.h"
#include "parser/parser.h"
#include "search/compare.h"
#include "search/lock.h"

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

/* Everything that one of the requests is asked with. */
typedef struct Asked {
    const place_program *program;
    place_form form;
    const char *stage, *after; /* of a dump */
    const char *directory;     /* of a build */
    const char *topic;         /* of an explanation */
    place_tick *tick;          /* of a search, */
    bool locks;                /* whose lock is wanted */
    place_question question;   /* of a comparison: */
    const char *what;
    const place_program *other; /* of a difference */
    const char *axis;           /* of an inference, */
    bool stated;                /* and whether its program is wanted */
    void *data;
} Asked;

/* ---- Requests in general ------------------------------------------------------------------------------------ */

typedef void Work(place_result *result, const Asked *asked);

/* Calls `work`, which may find a BUG, or no memory. */
static void attempt(place_result *result, Work *work, const Asked *asked)
{
    Escape escape;
    escape_begin(&escape);
    if (setjmp(escape.jump) == 0)
        work(result, asked);
    escape_end(&escape);
    if (escape.cause == ESCAPE_NONE)
        return;
    memset(result, 0, sizeof *result);
    memcpy(result->escaped, escape.message, sizeof escape.message);
    result->failure = result->escaped;
    result->status = escape.cause == ESCAPE_BUG ? PLACE_FAULT : PLACE_FAILED;
}

/* Numbers have a decimal point, and reasons are in English, whatever the caller's locale. */
static place_result *perform(Work *work, const Asked *asked)
{
    place_result *result = calloc(1, sizeof *result);
    if (result == NULL)
        return NULL;
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t callers = plain != (locale_t)0 ? uselocale(plain) : (locale_t)0;
    attempt(result, work, asked);
    if (plain != (locale_t)0) {
        uselocale(callers);
        freelocale(plain);
    }
    return result;
}

/* A request that means nothing. */
static void refuse(place_result *result, const char *failure)
{
    result->status = PLACE_MISUSE;
    result->failure = failure;
}

struct place_import {
    char *text;
    size_t length;
    bool given, no_memory;
};

/* Copied with malloc: an escape must not jump over the caller's reader. */
void place_import_text(place_import *import, const char *text, size_t length)
{
    free(import->text);
    import->text = malloc(length + 1);
    import->no_memory = import->text == NULL;
    if (import->no_memory)
        return;
    if (length > 0)
        memcpy(import->text, text, length);
    import->length = length;
    import->given = true;
}

/* A SourceReader that asks the caller's. */
static int read_import(Sources *sources, const char *path, const void *data)
{
    const place_program *program = data;
    place_import import = {0};
    int error = program->read != NULL ? program->read(program->data, path, &import) : ENOENT;
    if (import.no_memory)
        escape_leave(ESCAPE_MEMORY, PLACE_FAILED, "out of memory");
    bool fits = import.length < INT32_MAX;
    bool good = error == 0 && import.given && fits;
    int index = good ? source_add(sources, path, import.text, import.length) : 0;
    free(import.text);
    if (!good)
        errno = error != 0 ? error : fits ? ENOENT : EFBIG;
    return index;
}

/* False if there is no text, or a text that is too long. */
static bool open_program(place_result *result, const place_program *program)
{
    Compile *compile = &result->compile;
    if (program->name == NULL || program->text == NULL) {
        refuse(result, "a program needs a name and a text");
        return false;
    }
    compile_new(compile);
    compile->ctx.sources->reader = read_import;
    compile->ctx.sources->reader_data = program;
    if (program->length < INT32_MAX) {
        compile->source = source_add(compile->ctx.sources, program->name, program->text, program->length);
        return true;
    }
    result->status = PLACE_FAILED;
    result->failure = "the program is longer than 2 GiB";
    return false;
}

/* The reader must not be called once the request was answered. */
static void close_program(place_result *result, bool good)
{
    result_take_diagnostics(result);
    result->compile.ctx.sources->reader_data = NULL;
    result->status = result_status(&result->compile, good);
}

/* ---- Verdict and plan --------------------------------------------------------------------------------------- */

static const char *yes_no(bool yes)
{
    return yes ? "yes" : "no";
}

static void print_verdict(const place_result *result, FILE *out, const void *data)
{
    const Asked *asked = data;
    const Verdict *verdict = &result->compile.verdict;
    if (asked->form != PLACE_JSON) {
        fprintf(out, "%s: gradient integrity %s, state consistency %s, contract %s\n", asked->program->name,
                yes_no(verdict->gradient_integrity), yes_no(verdict->state_consistency), verdict->contract);
        return;
    }
    fprintf(out,
            "{\"format_version\": 1, \"verified\": {\"gradient_integrity\": %s, \"state_consistency\": %s, "
            "\"contract\": \"%s\", \"assumed\": []}, \"diagnostics\": ",
            verdict->gradient_integrity ? "true" : "false", verdict->state_consistency ? "true" : "false",
            verdict->contract);
    diag_print_json_list(result->compile.ctx.diag, out);
    fputs("}\n", out);
}

static void print_plan(const place_result *result, FILE *out, const void *data)
{
    const Asked *asked = data;
    const Compile *compile = &result->compile;
    Ctx ctx = compile->ctx;
    plan_find_time(&ctx, compile->plan);
    if (asked->form == PLACE_JSON)
        fputs(plan_json(&ctx, compile->plan, &compile->verdict), out);
    else
        plan_print_text(compile->plan, &compile->verdict, out);
}

static void check(place_result *result, const Asked *asked)
{
    if (!open_program(result, asked->program))
        return;
    bool good = compile_check(&result->compile);
    if (good)
        result_print(result, print_verdict, asked);
    close_program(result, good);
}

static void plan(place_result *result, const Asked *asked)
{
    if (!open_program(result, asked->program))
        return;
    bool good = compile_check(&result->compile);
    if (result->compile.plan != NULL && (good || asked->form != PLACE_JSON))
        result_print(result, print_plan, asked);
    close_program(result, good);
}

/* ---- Search ------------------------------------------------------------------------------------------------- */

static bool pass_tick(void *data, const Space *space, const Searched *searched)
{
    const Asked *asked = data;
    const place_progress progress = {.elapsed_s = searched->elapsed_s,
                                     .found = searched->any,
                                     .best = searched->any ? best_value(space, &searched->best) : 0,
                                     .bound = searched->bound,
                                     .costed = searched->costed};
    return asked->tick == NULL || asked->tick(asked->data, &progress) != 0;
}

typedef struct Searching {
    const Asked *asked;
    const Answer *answer;
} Searching;

static void print_search(const place_result *result, FILE *out, const void *data)
{
    const Searching *searching = data;
    (void)result;
    if (searching->asked->form == PLACE_JSON)
        fputs(search_json(searching->answer), out);
    else
        search_print(searching->answer, out);
}

static void search(place_result *result, const Asked *asked)
{
    if (!open_program(result, asked->program))
        return;
    if (asked->locks && !compile_is_searched(&result->compile)) {
        close_program(result, false);
        refuse(result, arena_printf(result->compile.ctx.arena,
                                    "'%s' has no `search over`, so nothing would read its lock; search without one",
                                    asked->program->name));
        return;
    }
    Answer answer;
    Asked ticking = *asked;
    bool good = search_run(&result->compile.ctx, result->compile.source, pass_tick, &ticking, &answer);
    if (good) {
        const Searching searching = {asked, &answer};
        result_print(result, print_search, &searching);
        result->program = answer.program;
        result->lock = answer.pattern.search != NULL ? lock_text(&answer) : NULL;
    }
    search_close(&answer);
    close_program(result, good);
}

/* ---- Comparisons -------------------------------------------------------------------------------------------- */

typedef struct Comparing {
    const Asked *asked;
    const Comparison *comparison;
} Comparing;

static void print_comparison(const place_result *result, FILE *out, const void *data)
{
    const Comparing *comparing = data;
    (void)result;
    if (comparing->asked->form == PLACE_JSON)
        fputs(compare_json(comparing->comparison), out);
    else
        compare_print(comparing->comparison, out);
}

static bool compare_question(Ctx *ctx, int source, const Asked *asked, Comparison *comparison)
{
    switch (asked->question) {
    case PLACE_AGAINST:
        return compare_against(ctx, source, asked->what, comparison);
    case PLACE_WHAT_IF:
        return compare_line(ctx, source, asked->what, comparison);
    case PLACE_WHY_NOT:
        return compare_statement(ctx, source, asked->what, comparison);
    }
    BUG("no question %d", asked->question);
}

static void compare(place_result *result, const Asked *asked)
{
    if (asked->what == NULL || asked->question > PLACE_WHY_NOT) {
        refuse(result, "a comparison needs a question and what it is about");
        return;
    }
    if (!open_program(result, asked->program))
        return;
    Comparison comparison;
    bool good = compare_question(&result->compile.ctx, result->compile.source, asked, &comparison);
    const Comparing comparing = {asked, &comparison};
    if (good)
        result_print(result, print_comparison, &comparing);
    compare_close(&comparison);
    close_program(result, good);
}

/* Each program has a result of its own until both are compared. */
static void diff(place_result *result, const Asked *asked)
{
    place_result other = {0};
    if (!open_program(result, asked->program))
        return;
    if (asked->other == NULL || !open_program(&other, asked->other)) {
        refuse(result, "a difference is between two programs");
        return;
    }
    Comparison comparison;
    Ctx *ctx = &result->compile.ctx;
    bool good = compare_programs(ctx, result->compile.source, &other.compile.ctx, other.compile.source, &comparison);
    const Comparing comparing = {asked, &comparison};
    if (good)
        result_print(result, print_comparison, &comparing);
    bool equal = good && compare_equal(&comparison);
    compare_close(&comparison);
    close_program(result, good);
    if (good && !equal)
        result->status = PLACE_ERRORS;
    if (!good && diag_error_count(ctx->diag) == 0)
        result->failure = arena_printf(ctx->arena, "'%s' is not right; `placec check` says why", asked->other->name);
    compile_close(&other.compile);
}

static void print_why(const place_result *result, FILE *out, const void *data)
{
    const Asked *asked = data;
    choices_print(result->compile.choices, asked->what, out);
}

static void why(place_result *result, const Asked *asked)
{
    if (asked->what == NULL) {
        refuse(result, "a name is needed");
        return;
    }
    if (!open_program(result, asked->program))
        return;
    bool good = compile_choices(&result->compile);
    if (good)
        result_print(result, print_why, asked);
    close_program(result, good);
    if (good && result->length == 0) {
        result->text = NULL;
        result->status = PLACE_ERRORS;
        result->failure =
            arena_printf(result->compile.ctx.arena, "no value is called '%s'; `--dump=choices` lists all", asked->what);
    }
}

static void print_inferred(const place_result *result, FILE *out, const void *data)
{
    const Inferred *inferred = data;
    (void)result;
    infer_print(inferred, out);
}

static void print_inferred_json(const place_result *result, FILE *out, const void *data)
{
    const Inferred *inferred = data;
    (void)result;
    fputs(infer_json(inferred), out);
}

static void infer(place_result *result, const Asked *asked)
{
    if (!open_program(result, asked->program))
        return;
    Inferred inferred = {0};
    Compile *compile = &result->compile;
    bool good = compile_choices(compile);
    const char *name = good && asked->stated ? pattern_fresh_name(compile->ctx.arena, compile->ast, "inferred") : NULL;
    good = good && infer_run(&compile->ctx, compile->train, compile->assignment, compile->choices,
                             &(InferAsked){.axis = asked->axis, .name = name}, &inferred);
    if (good && asked->stated)
        result->program = stated_program(compile, asked->axis, &inferred);
    good = good && inferred.failure == NULL;
    if (good)
        result_print(result, asked->form == PLACE_JSON ? print_inferred_json : print_inferred, &inferred);
    close_program(result, good);
    result->failure = inferred.failure;
}

static void verify(place_result *result, const Asked *asked)
{
    if (!open_program(result, asked->program))
        return;
    bool good = compile_verify_text(&result->compile);
    if (good)
        result_print(result, print_verdict, asked);
    close_program(result, good);
}

/* ---- Dumps -------------------------------------------------------------------------------------------------- */

static const char *const dump_names[] = {"ast", "assignment", "choices", "step", "c", "llvm", "ptx", NULL};

const char *place_dump_name(size_t index)
{
    return index < sizeof dump_names / sizeof *dump_names ? dump_names[index] : NULL;
}

const char *place_pass_name(size_t index)
{
    return index < INT32_MAX ? passes_name((int)index) : NULL;
}

static bool is_dumped(const char *stage)
{
    for (size_t i = 0; stage != NULL && dump_names[i] != NULL; i++)
        if (strcmp(stage, dump_names[i]) == 0)
            return true;
    return false;
}

/* Sets how many passes are run; false if there is none of this name. */
static bool find_pass(const char *name, int *passes)
{
    *passes = PASSES_ALL;
    for (int count = 0; name != NULL && passes_name(count) != NULL; count++)
        if (strcmp(name, passes_name(count)) == 0) {
            *passes = passes_name(count + 1) == NULL ? PASSES_ALL : count;
            return true;
        }
    return name == NULL;
}

static void print_ast(const place_result *result, FILE *out, const void *data)
{
    (void)data;
    ast_print(result->compile.ast, out);
}

static void print_step(const place_result *result, FILE *out, const void *data)
{
    (void)data;
    step_print(result->compile.file, result->compile.ctx.sources, out);
}

static void print_choices(const place_result *result, FILE *out, const void *data)
{
    (void)data;
    choices_print(result->compile.choices, NULL, out);
}

typedef struct CodeDump {
    const char *stage;
    const char **failure;
    bool *good;
} CodeDump;

static void print_code(const place_result *result, FILE *out, const void *data)
{
    const CodeDump *dump = data;
    Ctx ctx = result->compile.ctx;
    *dump->good = codegen_dump(&ctx, result->compile.train, result->compile.file, dump->stage, out, dump->failure);
}

static bool dump_code(place_result *result, const char *stage)
{
    bool good = false;
    const CodeDump dump = {stage, &result->failure, &good};
    result_print(result, print_code, &dump);
    if (!good)
        result->text = NULL;
    return good;
}

static void print_text(const place_result *result, FILE *out, const void *data)
{
    (void)result;
    fputs(data, out);
}

static void dump(place_result *result, const Asked *asked)
{
    bool is_ast = strcmp(asked->stage, "ast") == 0, is_step = strcmp(asked->stage, "step") == 0;
    bool is_choices = strcmp(asked->stage, "choices") == 0, is_plain = strcmp(asked->stage, "assignment") == 0;
    if (!open_program(result, asked->program))
        return;
    Compile *compile = &result->compile;
    find_pass(asked->after, &compile->passes);
    bool good = is_ast ? compile_parse(compile) : is_choices ? compile_choices(compile) : compile_check(compile);
    if (is_ast)
        result_print(result, print_ast, NULL);
    else if (is_choices && good)
        result_print(result, print_choices, NULL);
    else if (compile->file != NULL && is_step)
        result_print(result, print_step, NULL);
    else if (compile->file != NULL && is_plain)
        result_print(result, print_text, plain_program(compile));
    else if (good && !is_choices)
        good = dump_code(result, asked->stage);
    close_program(result, good);
    if (result->failure != NULL)
        result->status = PLACE_FAILED;
}

static void dump_if_known(place_result *result, const Asked *asked)
{
    int passes;
    if (!is_dumped(asked->stage))
        refuse(result, "there is no such stage to dump");
    else if (!find_pass(asked->after, &passes))
        refuse(result, "there is no such pass");
    else if (asked->after != NULL && strcmp(asked->stage, "step") != 0)
        refuse(result, "only the dump of \"step\" has passes");
    else
        dump(result, asked);
}

/* ---- Build, format, explain --------------------------------------------------------------------------------- */

static void build(place_result *result, const Asked *asked)
{
    if (!open_program(result, asked->program))
        return;
    Compile *compile = &result->compile;
    CodegenStatus status = CODEGEN_REFUSED;
    if (compile_check(compile)) {
        plan_find_time(&compile->ctx, compile->plan);
        const char *json = plan_json(&compile->ctx, compile->plan, &compile->verdict);
        status = codegen_run(&compile->ctx, compile->train, compile->file, json, asked->directory, &result->failure);
    }
    if (status == CODEGEN_DONE)
        result_print(result, print_plan, asked);
    close_program(result, status == CODEGEN_DONE);
    if (status == CODEGEN_FAILED)
        result->status = PLACE_FAILED;
}

static void format(place_result *result, const Asked *asked)
{
    if (!open_program(result, asked->program))
        return;
    result->text = fmt_text(&result->compile.ctx, result->compile.source, &result->length);
    close_program(result, result->text != NULL);
}

static void print_compatibility(const place_result *result, FILE *out, const void *data)
{
    (void)result;
    (void)data;
    compatibility_print(out);
}

static void explain(place_result *result, const Asked *asked)
{
    compile_new(&result->compile);
    if (strcmp(asked->topic, "compatibility") == 0) {
        result_print(result, print_compatibility, NULL);
        return;
    }
    Arena *arena = result->compile.ctx.arena;
    const char *page = explain_page(asked->topic), *near = explain_suggest(asked->topic);
    result->text = page;
    result->length = page != NULL ? strlen(page) : 0;
    if (page == NULL && near != NULL)
        refuse(result, arena_printf(arena, "there is no diagnostic '%s'; did you mean '%s'?", asked->topic, near));
    else if (page == NULL)
        refuse(result, arena_printf(arena, "there is no diagnostic '%s'; codes look like P0301", asked->topic));
}

/* ---- The requests ------------------------------------------------------------------------------------------- */

const char *place_version(void)
{
    return PLACE_VERSION;
}

const char *place_nearest(const char *name, const char *const *names, size_t count)
{
    return count < INT32_MAX ? diag_suggest(name, names, (int)count) : NULL;
}

place_result *place_check(const place_program *program, place_form form)
{
    return perform(check, &(Asked){.program = program, .form = form});
}

place_result *place_plan(const place_program *program, place_form form)
{
    return perform(plan, &(Asked){.program = program, .form = form});
}

place_result *place_search_lock(const place_program *program, place_form form, place_tick *tick, void *data)
{
    const Asked asked = {.program = program, .form = form, .tick = tick, .data = data, .locks = true};
    return perform(search, &asked);
}

place_result *place_search(const place_program *program, place_form form, place_tick *tick, void *data)
{
    Asked asked = {.program = program, .form = form, .tick = tick, .data = data};
    return perform(search, &asked);
}

place_result *place_compare(const place_program *program, place_question question, const char *what, place_form form)
{
    return perform(compare, &(Asked){.program = program, .question = question, .what = what, .form = form});
}

place_result *place_diff(const place_program *program, const place_program *other, place_form form)
{
    return perform(diff, &(Asked){.program = program, .other = other, .form = form});
}

place_result *place_why(const place_program *program, const char *name)
{
    return perform(why, &(Asked){.program = program, .what = name});
}

place_result *place_infer(const place_program *program, const char *axis, place_form form)
{
    return perform(infer, &(Asked){.program = program, .axis = axis, .form = form});
}

place_result *place_infer_program(const place_program *program, const char *axis, place_form form)
{
    return perform(infer, &(Asked){.program = program, .axis = axis, .form = form, .stated = true});
}

place_result *place_verify(const place_program *step, place_form form)
{
    return perform(verify, &(Asked){.program = step, .form = form});
}

place_result *place_dump(const place_program *program, const char *stage, const char *after)
{
    return perform(dump_if_known, &(Asked){.program = program, .stage = stage, .after = after});
}

place_result *place_format(const place_program *program)
{
    return perform(format, &(Asked){.program = program});
}

place_result *place_build(const place_program *program, const char *directory, place_form form)
{
    return perform(build, &(Asked){.program = program, .directory = directory, .form = form});
}

place_result *place_explain(const char *topic)
{
    return perform(explain, &(Asked){.topic = topic});
}

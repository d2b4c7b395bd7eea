/* pipeline.c - runs the stages, and finds out whether a refusal is the user's fault or placec's (driver/pipeline.h). */
#include "driver/pipeline.h"

#include "derive/derive.h"
#include "driver/suggest.h"
#include "lower/passes.h"
#include "parser/parser.h"
#include "strategy/statements.h"
#include <string.h>

void pipeline_new(Pipeline *pipeline)
{
    *pipeline = (Pipeline){.derive = derive_step, .passes = PASSES_ALL};
    Ctx *ctx = &pipeline->ctx;
    ctx->arena = arena_new();
    ctx->strings = str_table_new(ctx->arena);
    ctx->sources = sources_new(ctx->arena);
    ctx->diag = diag_new(ctx->arena, ctx->sources);
}

void pipeline_open(Pipeline *pipeline, const char *path)
{
    pipeline_new(pipeline);
    Ctx *ctx = &pipeline->ctx;
    if (strcmp(path, "-") == 0)
        pipeline->source = source_read_stream(ctx->sources, "<stdin>", stdin);
    else
        pipeline->source = source_read(ctx->sources, path);
}

void pipeline_close(Pipeline *pipeline)
{
    arena_free(pipeline->ctx.arena);
}

static bool clean(const Pipeline *pipeline)
{
    return diag_error_count(pipeline->ctx.diag) == 0;
}

bool pipeline_parse(Pipeline *pipeline)
{
    pipeline->ast = parser_run(&pipeline->ctx, pipeline->source);
    return clean(pipeline);
}

/* What is derived, and passed on to the last program; NULL where errors were reported. */
static StepFile *make_program(const Pipeline *pipeline, Ctx *ctx, const Assignment *assignment)
{
    StepFile *file = pipeline->derive(ctx, pipeline->train, assignment);
    return file != NULL && passes_run(ctx, assignment, file, pipeline->passes) ? file : NULL;
}

/* ---- Who is to blame for a refusal -------------------------------------------------------------------------- */

/* The same stages with a diagnostics list of their own. */
static Ctx ctx_apart(const Ctx *ctx)
{
    Ctx apart = *ctx;
    apart.diag = diag_new(ctx->arena, ctx->sources);
    return apart;
}

/* Derives and verifies the program without its literal statements (sync, readers, seeds, checkpoint layouts); NULL if
 * it cannot be derived: then nothing is known about it. */
static const Diag *verify_without_statements(const Pipeline *pipeline)
{
    Ctx apart = ctx_apart(&pipeline->ctx);
    const Assignment rest = statements_forgotten(pipeline->assignment);
    const StepFile *file = make_program(pipeline, &apart, &rest);
    if (file == NULL || diag_error_count(apart.diag) > 0)
        return NULL;
    Verdict verdict;
    verify_run(&apart, file, &verdict);
    return apart.diag;
}

/* A program too large for the proof was not found wrong. */
static bool is_refused(const Diag *found)
{
    return diag_error_count(found) > 0 && !diag_has(found, P0321);
}

/* What the verifier refuses although placec alone chose it; NULL if the program's own statements may be the cause. */
static const Diag *find_fault(const Pipeline *pipeline, const Diag *found)
{
    if (!is_refused(found))
        return NULL;
    if (!statements_given(pipeline->assignment))
        return found;
    const Diag *without = verify_without_statements(pipeline);
    return without != NULL && is_refused(without) ? without : NULL;
}

static void report_fault(const Pipeline *pipeline, const Diag *fault)
{
    Diagnostic *d =
        diag_report_fault(pipeline->ctx.diag, fault, "placec cannot prove the step program that it derived here");
    diag_why(d, statements_given(pipeline->assignment)
                    ? "What the program says literally is not the cause: without it the proof fails, too."
                    : "The program says nowhere literally how data and sums go: placec chose all of it.");
    diag_help(d,
              "This is a fault of placec, not of your program. Please report it, with the program's files, the output "
              "of `placec --dump=step` and that of `placec --version`.");
}

/* Strategies are requests, and deriving a right program for them is our responsibility. */
static void verify_derived(Pipeline *pipeline)
{
    Ctx apart = ctx_apart(&pipeline->ctx);
    verify_run(&apart, pipeline->file, &pipeline->verdict);
    const Diag *fault = find_fault(pipeline, apart.diag);
    pipeline->at_fault = fault != NULL;
    if (fault != NULL)
        report_fault(pipeline, fault);
    else
        diag_adopt(pipeline->ctx.diag, apart.diag);
}

/* `blames`: also finds out who is to blame for a refusal. */
static bool run_stages(Pipeline *pipeline, bool blames)
{
    Ctx *ctx = &pipeline->ctx;
    bool parsed = pipeline_parse(pipeline); /* what did parse is checked in any case */
    if (!sema_run(ctx, pipeline->ast, &pipeline->train, &pipeline->assignment) || !parsed)
        return false;
    pipeline->file = make_program(pipeline, ctx, pipeline->assignment);
    if (pipeline->file == NULL || !clean(pipeline))
        return false;
    if (blames)
        verify_derived(pipeline);
    else
        verify_run(ctx, pipeline->file, &pipeline->verdict);
    if (pipeline->passes != PASSES_ALL)
        return clean(pipeline); /* nothing is in its place yet */
    pipeline->plan = plan_run(ctx, pipeline->train, pipeline->file);
    plan_check_asserts(ctx, pipeline->plan);
    if (clean(pipeline))
        plan_report_waste(ctx, pipeline->plan, pipeline->assignment, pipeline->file);
    return clean(pipeline);
}

bool pipeline_stages(Pipeline *pipeline)
{
    return run_stages(pipeline, false);
}

bool pipeline_check(Pipeline *pipeline)
{
    bool good = run_stages(pipeline, true);
    suggest_changes(pipeline);
    return good;
}

bool pipeline_verify_text(Pipeline *pipeline)
{
    Ctx *ctx = &pipeline->ctx;
    pipeline->file = step_read(ctx, pipeline->source);
    if (pipeline->file != NULL)
        verify_run(ctx, pipeline->file, &pipeline->verdict);
    return pipeline->file != NULL && clean(pipeline);
}

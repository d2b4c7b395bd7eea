/* compile.c - runs the stages, and finds out whether a refusal is the user's fault or placec's (library/compile.h). */
#include "library/compile.h"

#include "derive/derive.h"
#include "library/suggest.h"
#include "lower/passes.h"
#include "parser/parser.h"
#include "search/lock.h"
#include "strategy/statements.h"

void compile_new(Compile *compile)
{
    *compile = (Compile){.derive = derive_step, .passes = PASSES_ALL};
    Ctx *ctx = &compile->ctx;
    ctx->arena = arena_new();
    ctx->strings = str_table_new(ctx->arena);
    ctx->sources = sources_new(ctx->arena);
    ctx->diag = diag_new(ctx->arena, ctx->sources);
}

void compile_close(Compile *compile)
{
    arena_free(compile->ctx.arena);
}

static bool clean(const Compile *compile)
{
    return diag_error_count(compile->ctx.diag) == 0;
}

bool compile_parse(Compile *compile)
{
    compile->ast = parser_run(&compile->ctx, compile->source);
    return clean(compile);
}

/* What is derived, and passed on to the last program; NULL where errors were reported. */
static StepFile *make_program(const Compile *compile, Ctx *ctx, const Assignment *assignment)
{
    StepFile *file = compile->derive(ctx, compile->train, assignment);
    return file != NULL && passes_run(ctx, assignment, file, compile->passes) ? file : NULL;
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
static const Diag *verify_without_statements(const Compile *compile)
{
    Ctx apart = ctx_apart(&compile->ctx);
    const Assignment rest = statements_forgotten(compile->assignment);
    const StepFile *file = make_program(compile, &apart, &rest);
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
static const Diag *find_fault(const Compile *compile, const Diag *found)
{
    if (!is_refused(found))
        return NULL;
    if (!statements_given(compile->assignment))
        return found;
    const Diag *without = verify_without_statements(compile);
    return without != NULL && is_refused(without) ? without : NULL;
}

static void report_fault(const Compile *compile, const Diag *fault)
{
    Diagnostic *d =
        diag_report_fault(compile->ctx.diag, fault, "placec cannot prove the step program that it derived here");
    diag_why(d, statements_given(compile->assignment)
                    ? "What the program says literally is not the cause: without it the proof fails, too."
                    : "The program says nowhere literally how data and sums go: placec chose all of it.");
    diag_help(d,
              "This is a fault of placec, not of your program. Please report it, with the program's files, the output "
              "of `placec --dump=step` and that of `placec --version`.");
}

/* Strategies are requests, and deriving a right program for them is our responsibility. */
static void verify_derived(Compile *compile)
{
    Ctx apart = ctx_apart(&compile->ctx);
    verify_run(&apart, compile->file, &compile->verdict);
    const Diag *fault = find_fault(compile, apart.diag);
    compile->at_fault = fault != NULL;
    if (fault != NULL)
        report_fault(compile, fault);
    else
        diag_adopt(compile->ctx.diag, apart.diag);
}

/* What did parse is checked in any case. The strategy of a searched program may be in its lock. */
static bool parse_and_check(Compile *compile)
{
    Ctx *ctx = &compile->ctx;
    Lock lock = {0};
    bool parsed = compile_parse(compile);
    if (parsed && !lock_read(ctx, compile->source, compile->ast, &lock))
        return false;
    if (lock.there) {
        lock_apply(ctx, &compile->source, &lock);
        parsed = compile_parse(compile);
    }
    return sema_run(ctx, compile->ast, &compile->train, &compile->assignment) &&
           lock_check(ctx, ctx->sources, compile->source, &lock) && parsed;
}

bool compile_is_searched(const Compile *compile)
{
    Ctx apart = ctx_apart(&compile->ctx);
    const Ast *ast = parser_run(&apart, compile->source);
    return diag_error_count(apart.diag) > 0 || pattern_search(ast) != NULL;
}

bool compile_choices(Compile *compile)
{
    if (parse_and_check(compile))
        compile->choices = derive_choices(&compile->ctx, compile->train, compile->assignment);
    return compile->choices != NULL && clean(compile);
}

bool compile_program(Compile *compile)
{
    if (!parse_and_check(compile))
        return false;
    compile->file = make_program(compile, &compile->ctx, compile->assignment);
    return compile->file != NULL && clean(compile);
}

/* `blames`: also finds out who is to blame for a refusal. */
static bool run_stages(Compile *compile, bool blames)
{
    Ctx *ctx = &compile->ctx;
    if (!compile_program(compile))
        return false;
    if (blames)
        verify_derived(compile);
    else
        verify_run(ctx, compile->file, &compile->verdict);
    if (compile->passes != PASSES_ALL)
        return clean(compile); /* nothing is in its place yet */
    compile->plan = plan_run(ctx, compile->train, compile->file);
    plan_check_asserts(ctx, compile->plan);
    plan_check_fits(ctx, compile->plan);
    if (clean(compile)) {
        plan_report_waste(ctx, compile->plan, compile->assignment, compile->file);
        plan_report_idle(ctx, compile->plan, compile->assignment, compile->file);
    }
    return clean(compile);
}

bool compile_stages(Compile *compile)
{
    return run_stages(compile, false);
}

bool compile_check(Compile *compile)
{
    bool good = run_stages(compile, true);
    suggest_changes(compile);
    return good;
}

bool compile_verify_text(Compile *compile)
{
    Ctx *ctx = &compile->ctx;
    compile->file = step_read(ctx, compile->source);
    if (compile->file != NULL)
        verify_run(ctx, compile->file, &compile->verdict);
    return compile->file != NULL && clean(compile);
}

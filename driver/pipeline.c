#include "driver/pipeline.h"

#include "driver/suggest.h"
#include "parser/parser.h"
#include "sema/derive.h"
#include <string.h>

void pipeline_new(Pipeline *pipeline)
{
    *pipeline = (Pipeline){0};
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

bool pipeline_stages(Pipeline *pipeline)
{
    Ctx *ctx = &pipeline->ctx;
    bool parsed = pipeline_parse(pipeline); /* what was understood is checked in any case */
    if (!sema_run(ctx, pipeline->ast, &pipeline->train) || !parsed)
        return false;
    pipeline->file = derive_step(ctx, pipeline->train);
    if (pipeline->file == NULL || !clean(pipeline))
        return false;
    verify_run(ctx, pipeline->file, &pipeline->verdict);
    pipeline->plan = plan_run(ctx, pipeline->train, pipeline->file);
    plan_check_asserts(ctx, pipeline->plan);
    if (clean(pipeline))
        plan_report_waste(ctx, pipeline->plan, pipeline->file);
    return clean(pipeline);
}

bool pipeline_check(Pipeline *pipeline)
{
    bool good = pipeline_stages(pipeline);
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

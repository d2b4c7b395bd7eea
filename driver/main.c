/* main.c - the verbs of the command line. Results go to stdout, diagnostics and progress to stderr. */
#include "algebra/compatible.h"
#include "driver/explain.h"
#include "driver/format.h"
#include "driver/options.h"
#include "driver/pipeline.h"
#include "driver/report.h"

#include "codegen/codegen.h"
#include "parser/parser.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

static const char *yes_no(bool yes)
{
    return yes ? "yes" : "no";
}

static void print_verdict(const Options *options, Pipeline *pipeline, const char *name)
{
    const Verdict *verdict = &pipeline->verdict;
    if (options->json) {
        printf("{\"format_version\": 1, \"verified\": {\"gradient_integrity\": %s, \"state_consistency\": %s, "
               "\"contract\": \"%s\", \"assumed\": []}, \"diagnostics\": ",
               verdict->gradient_integrity ? "true" : "false", verdict->state_consistency ? "true" : "false",
               verdict->contract);
        diag_print_json_list(pipeline->ctx.diag, stdout);
        puts("}");
        return;
    }
    printf("%s: gradient integrity %s, state consistency %s, contract %s\n", name, yes_no(verdict->gradient_integrity),
           yes_no(verdict->state_consistency), verdict->contract);
}

/* ---- Verbs -------------------------------------------------------------------------------------------------- */

static int dump(const Options *options, Pipeline *pipeline)
{
    bool is_ast = strcmp(options->dump, "ast") == 0;
    pipeline->passes = options->passes;
    bool good = is_ast ? pipeline_parse(pipeline) : pipeline_check(pipeline);
    if (is_ast)
        ast_print(pipeline->ast, stdout);
    else if (pipeline->file != NULL && strcmp(options->dump, "step") == 0)
        step_print(pipeline->file, pipeline->ctx.sources, stdout);
    else if (good)
        good = codegen_dump(&pipeline->ctx, pipeline->train, pipeline->file, options->dump, stdout);
    print_diagnostics(options, pipeline);
    return exit_status(pipeline, good);
}

static int check(const Options *options, Pipeline *pipeline)
{
    bool good = pipeline_check(pipeline);
    print_diagnostics(options, pipeline);
    if (good)
        print_verdict(options, pipeline, options->argument);
    return exit_status(pipeline, good);
}

static int plan(const Options *options, Pipeline *pipeline)
{
    bool good = pipeline_check(pipeline);
    print_diagnostics(options, pipeline);
    if (pipeline->plan != NULL && options->json && good)
        fputs(plan_json(&pipeline->ctx, pipeline->plan, &pipeline->verdict), stdout);
    else if (pipeline->plan != NULL && !options->json)
        plan_print_text(pipeline->plan, &pipeline->verdict, stdout);
    return exit_status(pipeline, good);
}

/* Sets *good only if the program was written and compiled. */
static int build_program(const Options *options, Pipeline *pipeline)
{
    bool good = pipeline_check(pipeline);
    CodegenStatus status = CODEGEN_REFUSED;
    if (good) {
        const char *json = plan_json(&pipeline->ctx, pipeline->plan, &pipeline->verdict);
        status = codegen_run(&pipeline->ctx, pipeline->train, pipeline->file, json, options->output_directory);
    }
    print_diagnostics(options, pipeline);
    if (status == CODEGEN_FAILED)
        return STATUS_WORLD;
    return exit_status(pipeline, status == CODEGEN_DONE);
}

static int build(const Options *options, Pipeline *pipeline)
{
    int status = build_program(options, pipeline);
    if (status == STATUS_GOOD && options->json)
        fputs(plan_json(&pipeline->ctx, pipeline->plan, &pipeline->verdict), stdout);
    else if (status == STATUS_GOOD)
        printf("%s: built %s/program; start it with %s/run.sh\n", options->argument, options->output_directory,
               options->output_directory);
    return status;
}

static int run(const Options *options, Pipeline *pipeline)
{
    int status = build_program(options, pipeline);
    if (status != STATUS_GOOD)
        return status;
    Arena *arena = pipeline->ctx.arena;
    char **words = arena_array(arena, char *, options->program_argument_count + 2);
    words[0] = arena_printf(arena, "%s/run.sh", options->output_directory);
    for (int i = 0; i < options->program_argument_count; i++)
        words[i + 1] = options->program_arguments[i];
    fflush(stdout);
    execv(words[0], words);
    fprintf(stderr, "placec: cannot start '%s': %s\n", words[0], strerror(errno));
    return STATUS_WORLD;
}

static int verify(const Options *options, Pipeline *pipeline)
{
    bool good = pipeline_verify_text(pipeline);
    print_diagnostics(options, pipeline);
    if (good)
        print_verdict(options, pipeline, options->argument);
    return exit_status(pipeline, good);
}

static int explain(const Options *options)
{
    if (strcmp(options->argument, "compatibility") == 0) {
        compatibility_print(stdout);
        return STATUS_GOOD;
    }
    if (explain_print(options->argument, stdout))
        return STATUS_GOOD;
    const char *near = explain_suggest(options->argument);
    if (near != NULL)
        fprintf(stderr, "placec: there is no diagnostic '%s'; did you mean '%s'?\n", options->argument, near);
    else
        fprintf(stderr, "placec: there is no diagnostic '%s'; codes look like P0301\n", options->argument);
    return STATUS_USAGE;
}

static int on_file(const Options *options, int (*verb)(const Options *, Pipeline *))
{
    Pipeline pipeline;
    pipeline_open(&pipeline, options->argument);
    int status = STATUS_WORLD;
    if (pipeline.source == 0)
        fprintf(stderr, "placec: cannot read '%s': %s\n", options->argument, strerror(errno));
    else
        status = options->dump != NULL ? dump(options, &pipeline) : verb(options, &pipeline);
    pipeline_close(&pipeline);
    return status;
}

static int perform(const Options *options)
{
    switch (options->verb) {
    case VERB_CHECK:
        return on_file(options, check);
    case VERB_PLAN:
        return on_file(options, plan);
    case VERB_BUILD:
        return on_file(options, build);
    case VERB_RUN:
        return on_file(options, run);
    case VERB_VERIFY:
        return on_file(options, verify);
    case VERB_EXPLAIN:
        return explain(options);
    case VERB_FMT:
        return format_files(options);
    case VERB_HELP:
        options_print_help(stdout);
        return STATUS_GOOD;
    case VERB_COUNT:
        break;
    }
    BUG("verb %d", (int)options->verb);
}

int main(int argc, char **argv)
{
    Options options;
    int status = options_parse(argc, argv, &options);
    if (status != STATUS_GOOD)
        return status;
    if (options.version)
        puts("placec " PLACE_VERSION);
    else if (options.help)
        options_print_help(stdout);
    else
        status = perform(&options);
    bool lost = ferror(stdout); /* errno is stale by now */
    if (fflush(stdout) != 0 || lost) {
        fprintf(stderr, "placec: cannot write the answer%s%s\n", lost ? "" : ": ", lost ? "" : strerror(errno));
        return STATUS_WORLD;
    }
    return status;
}

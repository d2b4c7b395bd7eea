/* main.c - the verbs of the command line. Results go to stdout, diagnostics and progress to stderr. */
#include "calibrate/calibrate.h"
#include "driver/files.h"
#include "driver/format.h"
#include "driver/found.h"
#include "driver/options.h"
#include "driver/report.h"
#include "driver/search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static place_form form_of(const Options *options)
{
    return options->json ? PLACE_JSON : PLACE_TEXT;
}

/* ---- Verbs -------------------------------------------------------------------------------------------------- */

static int dump(const Options *options, const place_program *program)
{
    return finish(options, place_dump(program, options->dump, options->after));
}

static int check(const Options *options, const place_program *program)
{
    return finish(options, place_check(program, form_of(options)));
}

static int plan(const Options *options, const place_program *program)
{
    if (options->against != NULL)
        return finish(options, place_compare(program, PLACE_AGAINST, options->against, form_of(options)));
    return finish(options, place_plan(program, form_of(options)));
}

static int what_if(const Options *options, const place_program *program)
{
    return finish(options, place_compare(program, PLACE_WHAT_IF, options->files[1], form_of(options)));
}

static int why_not(const Options *options, const place_program *program)
{
    return finish(options, place_compare(program, PLACE_WHY_NOT, options->files[1], form_of(options)));
}

static int why(const Options *options, const place_program *program)
{
    return finish(options, place_why(program, options->files[1]));
}

static int infer(const Options *options, const place_program *program)
{
    if (options->found == NULL)
        return finish(options, place_infer(program, options->axis, form_of(options)));
    if (found_replaces(options))
        return STATUS_USAGE;
    place_result *result = place_infer_program(program, options->axis, form_of(options));
    size_t length;
    const char *text = place_result_program(result, &length);
    int written = found_write(options->found, text, length), status = finish(options, result);
    return status == STATUS_GOOD ? written : status;
}

static int diff(const Options *options, const place_program *program)
{
    place_program other;
    if (!file_read(options->files[1], &other)) {
        fprintf(stderr, "placec: cannot read '%s': %s\n", options->files[1], strerror(errno));
        return STATUS_WORLD;
    }
    int status = finish(options, place_diff(program, &other, form_of(options)));
    file_free(&other);
    return status;
}

static int verify(const Options *options, const place_program *program)
{
    return finish(options, place_verify(program, form_of(options)));
}

static int build(const Options *options, const place_program *program)
{
    place_result *result = place_build(program, options->output_directory, form_of(options));
    if (options->json || place_result_status(result) != PLACE_GOOD)
        return finish(options, result);
    print_diagnostics(options, result);
    place_result_free(result);
    printf("%s: built %s/program; start it with %s/run.sh\n", options->argument, options->output_directory,
           options->output_directory);
    return STATUS_GOOD;
}

/* Replaces this process by the program. */
static int start(const Options *options)
{
    char **words = calloc((size_t)options->program_argument_count + 2, sizeof *words);
    size_t length = strlen(options->output_directory) + sizeof "/run.sh";
    char *path = malloc(length);
    if (words == NULL || path == NULL) {
        fputs("placec: out of memory\n", stderr);
        return STATUS_WORLD;
    }
    snprintf(path, length, "%s/run.sh", options->output_directory);
    words[0] = path;
    for (int i = 0; i < options->program_argument_count; i++)
        words[i + 1] = options->program_arguments[i];
    fflush(stdout);
    execv(path, words);
    fprintf(stderr, "placec: cannot start '%s': %s\n", path, strerror(errno));
    free(path);
    free(words);
    return STATUS_WORLD;
}

static int run(const Options *options, const place_program *program)
{
    place_result *result = place_build(program, options->output_directory, PLACE_TEXT);
    int status = place_result_status(result);
    print_diagnostics(options, result);
    place_result_free(result);
    return status == STATUS_GOOD ? start(options) : status;
}

static int on_file(const Options *options, int (*verb)(const Options *, const place_program *))
{
    place_program program;
    if (!file_read(options->argument, &program)) {
        fprintf(stderr, "placec: cannot read '%s': %s\n", options->argument, strerror(errno));
        return STATUS_WORLD;
    }
    int status = options->dump != NULL ? dump(options, &program) : verb(options, &program);
    file_free(&program);
    return status;
}

static int perform(const Options *options)
{
    switch (options->verb) {
    case VERB_CHECK:
        return on_file(options, check);
    case VERB_PLAN:
        return on_file(options, plan);
    case VERB_SEARCH:
        return on_file(options, search_program);
    case VERB_WHATIF:
        return on_file(options, what_if);
    case VERB_WHY_NOT:
        return on_file(options, why_not);
    case VERB_WHY:
        return on_file(options, why);
    case VERB_INFER:
        return on_file(options, infer);
    case VERB_DIFF:
        return on_file(options, diff);
    case VERB_BUILD:
        return on_file(options, build);
    case VERB_RUN:
        return on_file(options, run);
    case VERB_VERIFY:
        return on_file(options, verify);
    case VERB_EXPLAIN:
        return finish(options, place_explain(options->argument));
    case VERB_FMT:
        return format_files(options);
    case VERB_CALIBRATE:
        return (int)calibrate(options->found);
    case VERB_HELP:
        options_print_help(stdout);
        return STATUS_GOOD;
    case VERB_COUNT:
        break;
    }
    return STATUS_BUG;
}

int main(int argc, char **argv)
{
    Options options;
    int status = options_parse(argc, argv, &options);
    if (status != STATUS_GOOD)
        return status;
    if (options.version)
        printf("placec %s\n", place_version());
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

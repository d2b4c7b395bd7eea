/* options.c - the command line of an emitted program: parsing and --help come from one table. */
#include "runtime/run.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum option_kind { OPTION_FLAG, OPTION_NUMBER, OPTION_SEED, OPTION_TEXT, OPTION_CHOICE } option_kind;

typedef struct option_row {
    const char *name, *value;
    option_kind kind;
    size_t field; /* offset in prt_options */
    int64_t low;  /* least value */
    bool serves;  /* also of a program that serves a model */
    const char *help;
} option_row;

#define FIELD(name) offsetof(prt_options, name)

static const option_row rows[] = {
    {"--steps", "N", OPTION_NUMBER, FIELD(steps), 0, true, "do N steps, in all"},
    {"--data", "FILE", OPTION_TEXT, FIELD(data), 0, true,
     "train on FILE, or continue the prompts in it, one on each line"},
    {"--labels", "FILE", OPTION_TEXT, FIELD(labels), 0, false, "the labels of images are in FILE"},
    {"--seed", "N", OPTION_SEED, FIELD(seed), 0, true, "seed of initial values and of the order of the data"},
    {"--checkpoint", "DIR", OPTION_TEXT, FIELD(checkpoint), 0, false, "save checkpoints in DIR"},
    {"--checkpoint-every", "N", OPTION_NUMBER, FIELD(checkpoint_every), 0, false,
     "save every N steps (0: only at the end)"},
    {"--resume", "PATH", OPTION_TEXT, FIELD(resume), 0, true,
     "continue from a checkpoint, or the one written last in a directory"},
    {"--resume-copy", "N", OPTION_NUMBER, FIELD(resume_copy), 0, false,
     "start from copy N of a checkpoint of the contract 'local'"},
    {"--continue", NULL, OPTION_FLAG, FIELD(proceed), 0, false,
     "continue from the checkpoint written last, if there is one"},
    {"--eval-every", "N", OPTION_NUMBER, FIELD(eval_every), 0, false, "validate every N steps, not only at the end"},
    {"--sample", "N", OPTION_NUMBER, FIELD(sample), 0, false, "write N bytes of text at the end (0: none)"},
    {"--log", "FILE", OPTION_TEXT, FIELD(log), 0, true, "write what happens to FILE, one JSON object per line"},
    {"--save-states", "FILE", OPTION_TEXT, FIELD(save_states), 0, false, "save all states after the last step"},
    {"--save-gradients", "FILE", OPTION_TEXT, FIELD(save_gradients), 0, false, "save the gradients the last step used"},
    {"--save-inputs", "FILE", OPTION_TEXT, FIELD(save_inputs), 0, false, "save the batch of the last step"},
    {"--offload", "DIR", OPTION_TEXT, FIELD(offload), 0, true, "where the file of what is offloaded to one is made"},
    {"--threads", "N", OPTION_NUMBER, FIELD(threads), 1, true,
     "threads per rank, at most the processors of the machine"},
    {"--collectives", "HOW", OPTION_CHOICE, FIELD(collectives), 0, true,
     "'shared': between arenas, where ranks share a host; or 'library'"},
    {"--timeout", "SECONDS", OPTION_NUMBER, FIELD(timeout), 1, true, "longest time a communication may take"},
    {"--check-arena", NULL, OPTION_FLAG, FIELD(check_arena), 0, true, "check that the planned memory is what is used"},
    {"--trace", "FILE", OPTION_TEXT, FIELD(trace), 0, true, "write every communication of rank N to FILE.N, in order"},
    {"--profile", "FILE", OPTION_TEXT, FIELD(profile), 0, false, "write how long the calls of rank N took to FILE.N"},
    {"--quiet", NULL, OPTION_FLAG, FIELD(quiet), 0, true, "print nothing but errors"},
    {"--help", NULL, OPTION_FLAG, FIELD(help), 0, true, "print this"},
};

enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Edit distance between an option and the word typed; long words count as distant. */
static int distance(const char *a, const char *b)
{
    enum { LONGEST = 40 };
    int columns[LONGEST + 1], length = (int)strlen(b);
    if (length > LONGEST)
        return LONGEST;
    for (int j = 0; j <= length; j++)
        columns[j] = j;
    for (int i = 0; a[i] != '\0'; i++) {
        int diagonal = columns[0];
        columns[0] = i + 1;
        for (int j = 0; j < length; j++) {
            int substituted = diagonal + (a[i] != b[j]);
            diagonal = columns[j + 1];
            columns[j + 1] = smaller(substituted, smaller(columns[j], columns[j + 1]) + 1);
        }
    }
    return columns[length];
}

static bool unknown_option(const char *word, char *message, size_t message_bytes)
{
    const option_row *nearest = &rows[0];
    for (int i = 1; i < ROW_COUNT; i++)
        if (distance(rows[i].name, word) < distance(nearest->name, word))
            nearest = &rows[i];
    if (distance(nearest->name, word) <= 3)
        snprintf(message, message_bytes, "unknown option '%s'; did you mean '%s'?", word, nearest->name);
    else
        snprintf(message, message_bytes, "unknown option '%s'; --help lists the options", word);
    return false;
}

static bool read_value(const option_row *row, char *field, const char *value, char *message, size_t message_bytes)
{
    char *end;
    errno = 0;
    switch (row->kind) {
    case OPTION_FLAG:
        *(bool *)field = true;
        return true;
    case OPTION_TEXT:
        *(const char **)field = value;
        return true;
    case OPTION_CHOICE:
        *(const char **)field = value;
        if (strcmp(value, "shared") == 0 || strcmp(value, "library") == 0)
            return true;
        snprintf(message, message_bytes, "option '%s' wants 'shared' or 'library', not '%s'", row->name, value);
        return false;
    case OPTION_SEED: {
        unsigned long long number = strtoull(value, &end, 10);
        *(uint64_t *)field = number;
        if (errno == 0 && *end == '\0' && value[0] >= '0' && value[0] <= '9')
            return true;
        break;
    }
    case OPTION_NUMBER: {
        long long number = strtoll(value, &end, 10);
        *(int64_t *)field = number;
        if (errno == 0 && *end == '\0' && value[0] != '\0' && number >= row->low)
            return true;
        break;
    }
    }
    snprintf(message, message_bytes, "option '%s' wants a whole number of %lld or more, not '%s'", row->name,
             (long long)row->low, value);
    return false;
}

static bool writes_text(const prt_program *program)
{
    return program->data == PRT_BYTES && !program->masked && program->predict != NULL;
}

/* An option for something the program cannot do is an error, not silently ignored. */
static bool check_options(const prt_options *options, const prt_program *program, char *message, size_t message_bytes)
{
    long long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (program->data == PRT_SYNTHETIC && options->data != program->data_path)
        snprintf(message, message_bytes,
                 "option '--data' is for programs that train on a file; the data of this one is synthetic: leave the"
                 " option out (--seed N draws other data)");
    else if (program->data != PRT_IMAGES && options->labels != program->labels_path)
        snprintf(message, message_bytes,
                 "option '--labels' is for programs that train on images; this one does not: leave the option out");
    else if (options->sample > 0 && !writes_text(program))
        snprintf(message, message_bytes,
                 "option '--sample' is for programs that train on text; this one has none to write: leave the option"
                 " out, or give 0");
    else if (options->offload != NULL && program->arena_bytes[PRT_FILE] == 0)
        snprintf(message, message_bytes,
                 "option '--offload' is for programs that offload something to a file; this one does not: leave the"
                 " option out");
    else if (options->checkpoint == NULL && options->checkpoint_every != program->checkpoint_every)
        snprintf(message, message_bytes,
                 "option '--checkpoint-every' says how often, not where: name a directory with --checkpoint DIR");
    else if (options->proceed && options->checkpoint == NULL)
        snprintf(message, message_bytes,
                 "option '--continue' is for runs that save checkpoints: name a directory with --checkpoint DIR");
    else if (options->resume_copy >= 0 && options->resume == NULL)
        snprintf(message, message_bytes,
                 "option '--resume-copy' says whose states, not which file: name a checkpoint with --resume PATH");
    else if (processors > 0 && options->threads > processors)
        snprintf(message, message_bytes,
                 "option '--threads' wants at most %lld, the processors of this machine, not %lld", processors,
                 (long long)options->threads);
    return message[0] == '\0';
}

bool prt_options_read(prt_options *options, const prt_program *program, int argc, char **argv, char *message,
                      size_t message_bytes)
{
    message[0] = '\0';
    *options = (prt_options){.steps = program->steps,
                             .data = program->data_path,
                             .labels = program->labels_path,
                             .seed = program->seed,
                             .checkpoint = program->checkpoint_path,
                             .checkpoint_every = program->checkpoint_every,
                             .sample = writes_text(program) ? 80 : 0,
                             .threads = 1,
                             .resume = program->load_path,
                             .resume_copy = -1,
                             .timeout = 300,
                             .offload = program->arena_bytes[PRT_FILE] > 0 ? "." : NULL,
                             .collectives = "shared"};
    for (int i = 1; i < argc; i++) {
        const option_row *row = NULL;
        size_t length = strcspn(argv[i], "=");
        for (int r = 0; r < ROW_COUNT; r++)
            if (strncmp(argv[i], rows[r].name, length) == 0 && rows[r].name[length] == '\0')
                row = &rows[r];
        if (row != NULL && program->prefill != NULL && !row->serves) {
            snprintf(message, message_bytes,
                     "option '%s' is for programs that train; this one adds tokens to prompts: leave it out",
                     row->name);
            return false;
        }
        if (row == NULL || (row->kind == OPTION_FLAG && argv[i][length] == '='))
            return unknown_option(argv[i], message, message_bytes);
        const char *value = argv[i][length] == '=' ? argv[i] + length + 1 : NULL;
        if (value == NULL && row->kind != OPTION_FLAG) {
            if (++i == argc) {
                snprintf(message, message_bytes, "option '%s' wants a value: %s", row->name, row->value);
                return false;
            }
            value = argv[i];
        }
        if (!read_value(row, (char *)options + row->field, value, message, message_bytes))
            return false;
    }
    return check_options(options, program, message, message_bytes);
}

void prt_options_help(const prt_program *program, FILE *out)
{
    fprintf(out, "%s '%s' of %s. Usage: run.sh [--hosts A,B,...] [OPTION]...\n\n",
            program->prefill != NULL ? "Serves" : "Trains", program->name, program->file);
    for (int i = 0; i < ROW_COUNT; i++) {
        if (program->prefill != NULL && !rows[i].serves)
            continue;
        char left[40];
        snprintf(left, sizeof left, "%s%s%s", rows[i].name, rows[i].value != NULL ? " " : "",
                 rows[i].value != NULL ? rows[i].value : "");
        fprintf(out, "  %-22s %s\n", left, rows[i].help);
    }
    fprintf(out,
            "\nDefaults: %lld steps, seed %llu. Exit status: 0 good; 1 a check failed or a file does not"
            " match;\n2 the world failed; 64 wrong usage.\n",
            (long long)program->steps, (unsigned long long)program->seed);
}

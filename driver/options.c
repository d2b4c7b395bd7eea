/* options.c - parses the command line by the tables of options.def, and prints the help (driver/options.h). */
#include "driver/options.h"

#include "library/place.h"
#include <stdlib.h>
#include <string.h>

typedef enum OptionId {
#define VERB(id, name, argument, summary)
#define OPTION(id, name, value, verbs, summary) OPTION_##id,
#include "driver/options.def"
#undef VERB
#undef OPTION
    OPTION_COUNT
} OptionId;

typedef struct OptionInfo {
    const char *name, *value, *summary;
} OptionInfo;

static const OptionInfo verbs[VERB_COUNT] = {
#define VERB(id, name, argument, summary) [VERB_##id] = {name, argument, summary},
#define OPTION(id, name, value, verbs, summary)
#include "driver/options.def"
#undef VERB
#undef OPTION
};

/* Sets of verbs, one bit each. */
#define OF(verb) (1u << VERB_##verb)
#define MAKING (OF(BUILD) | OF(RUN))
#define WRITING (MAKING | OF(SEARCH) | OF(INFER) | OF(CALIBRATE))
#define FITTING (OF(CHECK) | OF(PLAN))
#define COMPARING (OF(WHATIF) | OF(WHY_NOT) | OF(DIFF))
#define ANSWERING (OF(CHECK) | OF(PLAN) | OF(SEARCH) | OF(INFER) | COMPARING | OF(BUILD) | OF(VERIFY))
#define READING (ANSWERING | MAKING | OF(FMT) | OF(WHY))
#define EVERY (~0u)

static const unsigned verbs_with[OPTION_COUNT] = {
#define VERB(id, name, argument, summary)
#define OPTION(id, name, value, verbs, summary) [OPTION_##id] = verbs,
#include "driver/options.def"
#undef VERB
#undef OPTION
};

static const OptionInfo option_table[OPTION_COUNT] = {
#define VERB(id, name, argument, summary)
#define OPTION(id, name, value, verbs, summary) [OPTION_##id] = {name, value, summary},
#include "driver/options.def"
#undef VERB
#undef OPTION
};

void options_print_help(FILE *out)
{
    fputs("placec - proves, plans and builds distributed-training strategies\n\n"
          "usage: placec [VERB] FILE.place [OPTION...]\n\nverbs\n",
          out);
    for (int i = 0; i < VERB_COUNT; i++)
        fprintf(out, "  %-9s %-14s %s\n", verbs[i].name, verbs[i].value, verbs[i].summary);
    fputs("\noptions\n", out);
    for (int i = 0; i < OPTION_COUNT; i++) {
        char spelling[40];
        const OptionInfo *info = &option_table[i];
        snprintf(spelling, sizeof spelling, "%s%s%s", info->name,
                 info->value == NULL    ? ""
                 : info->name[1] == '-' ? "="
                                        : " ",
                 info->value == NULL ? "" : info->value);
        fprintf(out, "  %-21s %s\n", spelling, info->summary);
    }
    fputs("\nexit status: 0 good, 1 errors in the program, 2 the world failed, 3 a bug of placec, 64 wrong usage,\n"
          "130 stopped by Ctrl-C\n",
          out);
}

static int usage(const char *message, const char *subject)
{
    fprintf(stderr, "placec: %s '%s'; `placec help` lists verbs and options\n", message, subject);
    return STATUS_USAGE;
}

static int unknown(const char *what, const char *word, const OptionInfo *table, int count)
{
    const char *names[OPTION_COUNT + VERB_COUNT];
    for (int i = 0; i < count; i++)
        names[i] = table[i].name;
    const char *near = place_nearest(word, names, (size_t)count);
    fprintf(stderr, "placec: unknown %s '%s'", what, word);
    if (near != NULL)
        fprintf(stderr, "; did you mean '%s'?\n", near);
    else
        fputs("; `placec help` lists verbs and options\n", stderr);
    return STATUS_USAGE;
}

static int set_color(Options *options, const char *value)
{
    static const char *const words[] = {"auto", "always", "never"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(value, words[i]) == 0) {
            options->color = i;
            return STATUS_GOOD;
        }
    }
    return usage("--color takes auto, always or never, not", value);
}

static int set_limit(Options *options, const char *value)
{
    char *end;
    long limit = strtol(value, &end, 10);
    if (*value == '\0' || *end != '\0' || limit < 1 || limit > 1000000)
        return usage("--error-limit takes a whole number from 1 on, not", value);
    options->error_limit = (int)limit;
    return STATUS_GOOD;
}

static int set_seconds(Options *options, const char *value)
{
    char *end;
    double seconds = strtod(value, &end);
    bool hexadecimal = strpbrk(value, "xX") != NULL;
    if (*value == '\0' || *end != '\0' || hexadecimal || !(seconds > 0 && seconds <= 1e9))
        return usage("--seconds takes a number above 0, not", value);
    options->seconds = seconds;
    return STATUS_GOOD;
}

/* Reports a value that is none of a list: "--after takes derive, slots or stages, not 'x'". */
static int none_of(const char *option, const char *(*name)(size_t index), const char *value)
{
    char known[160];
    int length = snprintf(known, sizeof known, "%s takes ", option);
    for (size_t i = 0; name(i) != NULL; i++) {
        const char *between = i == 0 ? "" : name(i + 1) == NULL ? " or " : ", ";
        length += snprintf(known + length, sizeof known - (size_t)length, "%s%s", between, name(i));
    }
    snprintf(known + length, sizeof known - (size_t)length, ", not");
    return usage(known, value);
}

static bool is_one_of(const char *(*name)(size_t index), const char *value)
{
    for (size_t i = 0; name(i) != NULL; i++)
        if (strcmp(value, name(i)) == 0)
            return true;
    return false;
}

static int set_dump(Options *options, const char *value)
{
    if (!is_one_of(place_dump_name, value))
        return none_of("--dump", place_dump_name, value);
    options->dump = value;
    return STATUS_GOOD;
}

static int set_after(Options *options, const char *value)
{
    if (!is_one_of(place_pass_name, value))
        return none_of("--after", place_pass_name, value);
    options->after = value;
    return STATUS_GOOD;
}

static int set_option(Options *options, OptionId id, const char *value)
{
    switch (id) {
    case OPTION_OUTPUT:
        options->output_directory = options->found = value;
        return STATUS_GOOD;
    case OPTION_AGAINST:
        options->against = value;
        return STATUS_GOOD;
    case OPTION_AXIS:
        options->axis = value;
        return STATUS_GOOD;
    case OPTION_SECONDS:
        return set_seconds(options, value);
    case OPTION_LOCK:
        options->lock = true;
        return STATUS_GOOD;
    case OPTION_FITS:
        options->fits = true;
        return STATUS_GOOD;
    case OPTION_JSON:
        options->json = true;
        return STATUS_GOOD;
    case OPTION_CHECK:
        options->check = true;
        return STATUS_GOOD;
    case OPTION_DUMP:
        return set_dump(options, value);
    case OPTION_AFTER:
        return set_after(options, value);
    case OPTION_COLOR:
        return set_color(options, value);
    case OPTION_LIMIT:
        return set_limit(options, value);
    case OPTION_VERSION:
        options->version = true;
        return STATUS_GOOD;
    case OPTION_HELP:
        options->help = true;
        return STATUS_GOOD;
    case OPTION_COUNT:
        break;
    }
    return STATUS_BUG;
}

/* `word` is argv[*at]; its value may follow '=' or be the next word. */
static int parse_option(int argc, char **argv, int *at, Options *options)
{
    const char *word = argv[*at];
    for (int id = 0; id < OPTION_COUNT; id++) {
        const OptionInfo *info = &option_table[id];
        size_t length = strlen(info->name);
        if (strncmp(word, info->name, length) != 0 || (word[length] != '\0' && word[length] != '='))
            continue;
        const char *value = word[length] == '=' ? word + length + 1 : NULL;
        if (info->value == NULL && value != NULL)
            return usage("takes no value:", word);
        if (info->value != NULL && value == NULL) {
            if (*at + 1 >= argc)
                return usage("a value is missing after", word);
            value = argv[++*at];
        }
        if (options->given & 1u << id)
            return usage("given twice:", info->name);
        options->given |= 1u << id;
        return set_option(options, (OptionId)id, value);
    }
    int status = unknown("option", word, option_table, OPTION_COUNT);
    if (options->verb == VERB_RUN)
        fputs("placec: options of the program follow --: placec run FILE -- OPTION...\n", stderr);
    return status;
}

static bool find_verb(const char *word, Verb *verb)
{
    for (int i = 0; i < VERB_COUNT; i++) {
        if (strcmp(word, verbs[i].name) == 0) {
            *verb = (Verb)i;
            return true;
        }
    }
    return false;
}

/* A word that cannot be a file is taken for a verb. */
static bool looks_like_verb(const char *word)
{
    return strpbrk(word, "./") == NULL;
}

/* As many words as its row of options.def has. */
static int argument_count(Verb verb)
{
    int count = 0;
    for (const char *at = verbs[verb].value; *at != '\0'; at++)
        count += *at != ' ' && (at == verbs[verb].value || at[-1] == ' ');
    return count;
}

/* Files are collected at the front of argv. */
static int parse_word(char *word, bool *verb_seen, Options *options)
{
    if (!*verb_seen && options->argument == NULL && find_verb(word, &options->verb)) {
        *verb_seen = true;
        return STATUS_GOOD;
    }
    if (!*verb_seen && options->argument == NULL && looks_like_verb(word))
        return unknown("verb", word, verbs, VERB_COUNT);
    if (argument_count(options->verb) > 0 && options->file_count == argument_count(options->verb) &&
        options->verb != VERB_FMT)
        return usage(options->verb == VERB_EXPLAIN       ? "one code at a time; what is"
                     : argument_count(options->verb) > 1 ? "one question at a time; what is"
                                                         : "one file at a time; what is",
                     word);
    options->argument = options->argument == NULL || options->verb == VERB_FMT ? word : options->argument;
    options->files[options->file_count++] = word;
    return STATUS_GOOD;
}

static int takes_none(const Options *options)
{
    fprintf(stderr, "placec: `placec %s` takes no arguments, but got '%s'\n", verbs[options->verb].name,
            options->argument);
    return STATUS_USAGE;
}

static bool is_blank(const char *word)
{
    return word[strspn(word, " \t\n")] == '\0';
}

/* Of those that a verb takes after its file: a line, a statement, a name. */
static bool asks_nothing(const Options *options)
{
    int count = argument_count(options->verb);
    return options->file_count < count || (count > 1 && is_blank(options->files[count - 1]));
}

/* An option that the verb does not use is an error, not silently ignored. */
static int check_options(const Options *options)
{
    for (int id = 0; id < OPTION_COUNT; id++)
        if ((options->given & 1u << id) && !(verbs_with[id] & 1u << options->verb)) {
            fprintf(stderr, "placec: `placec %s` does not take '%s'; `placec help` lists verbs and options\n",
                    verbs[options->verb].name, option_table[id].name);
            return STATUS_USAGE;
        }
    if (options->json && options->dump != NULL)
        return usage("--dump prints no JSON:", "--json");
    bool dumps_step = options->dump != NULL && strcmp(options->dump, "step") == 0;
    if ((options->given & 1u << OPTION_AFTER) && !dumps_step)
        return usage("only --dump=step has use for", "--after");
    if ((options->given & 1u << OPTION_AGAINST) && options->fits)
        return usage("--against shows what does not fit in its rows, and does not take", "--fits");
    if (options->program_argument_count > 0 && options->verb != VERB_RUN)
        return usage("only `placec run` takes arguments after", "--");
    bool needs_argument = !options->version && !options->help && verbs[options->verb].value[0] != '\0';
    if (needs_argument && options->argument == NULL)
        return usage("what is missing:", verbs[options->verb].value);
    if (needs_argument && asks_nothing(options))
        return usage("what is missing:", strchr(verbs[options->verb].value, ' ') + 1);
    if (!needs_argument && options->argument != NULL && !options->version && !options->help)
        return takes_none(options);
    return STATUS_GOOD;
}

int options_parse(int argc, char **argv, Options *options)
{
    *options =
        (Options){.verb = VERB_CHECK, .files = argv, .output_directory = "out", .seconds = 60, .error_limit = 20};
    bool verb_seen = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0) {
            options->program_argument_count = argc - i - 1;
            options->program_arguments = argv + i + 1;
            break;
        }
        bool is_option = argv[i][0] == '-' && argv[i][1] != '\0';
        int status = is_option ? parse_option(argc, argv, &i, options) : parse_word(argv[i], &verb_seen, options);
        if (status != STATUS_GOOD)
            return status;
    }
    return check_options(options);
}

/* options.h - the command line: one verb, its file, options in any order. */
#ifndef PLACE_DRIVER_OPTIONS_H
#define PLACE_DRIVER_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

/* As place_status (library/place.h). */
enum {
    STATUS_GOOD = 0,
    STATUS_ERRORS = 1,
    STATUS_WORLD = 2,
    STATUS_BUG = 3,
    STATUS_USAGE = 64,
    STATUS_INTERRUPTED = 130
};

typedef enum Verb {
#define VERB(id, name, argument, summary) VERB_##id,
#define OPTION(id, name, value, verbs, summary)
#include "driver/options.def"
#undef VERB
#undef OPTION
    VERB_COUNT
} Verb;

typedef struct Options {
    Verb verb;
    const char *argument; /* the file or code */
    char **files;         /* all files, for verbs that take several */
    int file_count;
    const char *output_directory;
    double seconds;      /* that a search may take */
    const char *against; /* strategies that the plan is set next to; NULL: none */
    const char *axis;    /* of an inference; NULL: that which shards the batch */
    const char *found;   /* where what was found goes, a program or a cluster; NULL: nowhere, or stdout */
    bool json, check, fits, lock, version, help;
    unsigned given;    /* options, one bit each */
    const char *dump;  /* NULL if there is none */
    const char *after; /* the last pass that a dumped step program has run through; NULL: all */
    enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } color;
    int error_limit;
    int program_argument_count; /* those after -- */
    char **program_arguments;
} Options;

/* Prints to stderr and returns STATUS_USAGE if the command line is wrong, else STATUS_GOOD. */
int options_parse(int argc, char **argv, Options *options);

void options_print_help(FILE *out);

#endif

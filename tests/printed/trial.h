/* trial.h - one .place program, built and run, against its step program on simulated ranks and against one rank. */
#ifndef PLACE_TESTS_PRINTED_TRIAL_H
#define PLACE_TESTS_PRINTED_TRIAL_H

#include <stdbool.h>

typedef enum TrialResult {
    TRIAL_REFUSED, /* not built: `code` says why */
    TRIAL_EQUAL,
    TRIAL_DIFFERENT, /* said in lines of output; its files are kept */
    TRIAL_RESULTS
} TrialResult;

typedef struct Trial {
    const char *placec, *directory, *name; /* files are DIRECTORY/NAME... */
    const char *damage;                    /* what sed makes of the text of program.c, or NULL */
    bool resumes;                          /* also continues from checkpoints of the other program */
    char code[8];                          /* of the first error */
} Trial;

TrialResult trial_run(Trial *trial, const char *text);

#endif

/* trials.h - the verifier tried with one of its switches off, on many programs: what checks.c and equality.c share.
 *
 * A switch is a place in a source of verify/ that checks.awk, or vary.c, has made one that can be switched off. A
 * verification runs in a process of its own, with at most one switch off.
 */
#ifndef PLACE_SIM_TRIALS_H
#define PLACE_SIM_TRIALS_H

#include "tests/sim/oracle.h"
#include "tests/sim/prove.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TRIALS_MOST = 2048, TRIALS_NONE = -1 };

typedef struct Trials Trials;
/* A program to try. `oracles`: NULL where it cannot be run, and so differs. */
typedef void TrialsTry(Trials *trials, const SimOracles *oracles, const char *text, const char *name);

struct Trials {
    TrialsTry *try_text;
    int random, count; /* random programs; mutants of each right program */
    uint64_t seed;
    int jobs;         /* processes, each of which tries its share of the programs */
    int64_t programs; /* tried */
};

/* What a verification left. */
typedef struct Trial {
    bool fired[TRIALS_MOST]; /* switches that say other than they would if off */
    Proof proof;             /* PROOF_CRASHED: it does not end well, or not soon */
    char code[6];
    unsigned long all;    /* diagnostics, hashed */
    uint64_t allocations; /* hashed: what was done, whatever was printed */
} Trial;

/* The verdict with one switch off, or TRIALS_NONE. It holds until the next one. */
const Trial *trials_prove(const char *text, int off);
/* Is the program another than one device's? */
bool trials_differ(const SimOracles *oracles, const char *text);

/* Memory that all processes share, of zeros: for what begins with Trials. NULL where there is none. */
void *trials_memory(size_t bytes);
/* Options --random, --count, --seed, --jobs, and files: tries all that they say. False where one is not there. */
bool trials_run(Trials *trials, int argc, char **argv);

/* ---- Called by the switched sources ------------------------------------------------------------------------- */

/* Notes that the switch would be seen; true, but for the one that is off. */
bool trials_fire(int number);
/* Memory is asked for. */
void trials_step(uint64_t bytes);

#endif

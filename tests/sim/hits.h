/* hits.h - which operators an experiment met, cut how, under which strategies. */
#ifndef PLACE_SIM_HITS_H
#define PLACE_SIM_HITS_H

#include "tests/sim/random_text.h"
#include "tests/sim/step_text.h"

enum { HITS_MAX = 4096 };

typedef struct Hits {
    int count;
    struct {
        const SimOperator *of;
        const char *signature; /* whole, passed, summed, ...: hits.c */
        char strategy[32];
        int64_t count;
    } of[HITS_MAX];
} Hits;

/* Every operator of the program once per signature and strategy. */
void hits_count(Hits *hits, const SimProgram *program, const SimFile *file, const RandomProgram *what);
/* A table, sorted: operator, signature, strategy, programs. */
void hits_write(Hits *hits, const char *path);

#endif

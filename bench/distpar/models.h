/* models.h - chains of published models, from bench/distpar/models.txt. */
#ifndef PLACE_BENCH_DISTPAR_MODELS_H
#define PLACE_BENCH_DISTPAR_MODELS_H

#include "distpar/distpar.h"

#include <stdio.h>

typedef struct Model {
    char name[32];
    double parameters; /* those of skips too, which the chain does not have */
    int count;
    ChainOperator operators[MOST_CHAIN_OPERATORS];
} Model;

/* The next model of the file for a batch. False at the end of the file; anything that is not a model ends the program
 * with a message, as does a sum of parameters other than the published one. */
bool read_model(FILE *file, double batch, Model *model);

#endif

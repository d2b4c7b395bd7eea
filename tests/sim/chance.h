/* chance.h - the experiments' random numbers: one seed, one sequence. */
#ifndef PLACE_SIM_CHANCE_H
#define PLACE_SIM_CHANCE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Chance {
    uint64_t state;
} Chance;

/* The sequence of number `index` of an experiment with this seed. */
Chance chance_new(uint64_t seed, uint64_t index);
int chance_below(Chance *chance, int count);
/* True once in `times`. */
bool chance_once_in(Chance *chance, int times);

#endif

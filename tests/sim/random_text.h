/* random_text.h - random .place programs: small models, meshes, strategies, about half of them with a mistake.
 *
 *     random_text(seed, index, text, sizeof text, &what);
 *
 * Models are built from all functions of the language; meshes have one to four axes; axis sizes and the number of
 * microbatches differ pairwise where they can; batches and dims do not divide. Strategies are the prelude's, or placements
 * by hand; mistakes are explicit synchronisations that leave out, repeat or misweigh, readers that read the same, seeds
 * that differ from rank to rank. Some trains declare relaxed contracts, which a proof is then against; under one of them the
 * ranks along an axis are copies, joined after some steps.
 */
#ifndef PLACE_SIM_RANDOM_TEXT_H
#define PLACE_SIM_RANDOM_TEXT_H

#include "tests/sim/chance.h"
#include <stddef.h>

/* The strategies of a program, as names: what the hits are counted by. */
enum { RANDOM_STRATEGIES = 9 };

typedef struct RandomProgram {
    int strategy_count;
    char strategies[RANDOM_STRATEGIES][32];
    bool by_hand; /* has syncs, or a reader or seed of its own: may be wrong */
} RandomProgram;

void random_text(uint64_t seed, uint64_t index, char *text, size_t size, RandomProgram *what);

/* Programs to be built and run: of up to eight ranks on up to four axes, in f64, with one reader and one seed. */
void random_small_text(uint64_t seed, uint64_t index, char *text, size_t size, RandomProgram *what);

#endif

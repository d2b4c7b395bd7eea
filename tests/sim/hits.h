/* hits.h - which operators an experiment met, placed how, in programs that hold their states how, under which
 * strategies.
 */
#ifndef PLACE_SIM_HITS_H
#define PLACE_SIM_HITS_H

#include "tests/sim/cells.h"
#include "tests/sim/random_text.h"

enum { HITS_STRATEGIES = CELL_KINDS, HITS_OPERATORS = 256 };

typedef struct Hits {
    int strategy_count;
    struct {
        char name[32];
        int64_t count; /* programs */
    } strategies[HITS_STRATEGIES];
    int64_t operators[HITS_OPERATORS]; /* programs; by the operator's place in its table */
    Cells cells;                       /* a column per strategy */
} Hits;

/* Every operator of the program by signature and strategy, and once per program. */
void hits_count(Hits *hits, const SimProgram *program, const SimFile *file, const RandomProgram *what);
/* Programs by strategy and by operator, those that no program has too. */
void hits_print(const Hits *hits);
/* The cells, operators counted. */
void hits_write(Hits *hits, const char *path);

#endif

/* equal_cells.h - which cells of a program the verifier takes for equal after its routine `step`. */
#ifndef PLACE_SIM_EQUAL_CELLS_H
#define PLACE_SIM_EQUAL_CELLS_H

#include <stdbool.h>
#include <stdint.h>

enum { EQUAL_AXES = 8 };

/* A buffer's slot, or a member of one, on the ranks with these coordinates on the axes that control depends on. */
typedef struct EqualCell {
    int buffer, member;             /* member: its position in the unit, or -1 */
    int64_t slot, micro;            /* micro: whose piece it holds, or -1 */
    bool turned;                    /* it holds another rank's piece */
    bool is_enumerated[EQUAL_AXES]; /* of which axes coordinates are given */
    int64_t coordinates[EQUAL_AXES];
} EqualCell;

typedef void EqualVisit(void *user, const EqualCell *a, const EqualCell *b);

/* Calls visit for all pairs of cells of one place that are equal, and known: no cell of which nothing is known is equal
 * to any. How many cells there are; -1 where the text cannot be read. */
int equal_cells_visit(const char *text, EqualVisit *visit, void *user);

#endif

/* operators.h - the operators of the text form: one table row each (operators.c).
 *
 * An operator that computes is a function of a SimRow: of the numbers that its operands have at one point (MAP, SUM: a
 * row of length 1), or along the row (ROW). It is written once, over the arithmetic of number.h. What it is in the
 * field, where only sums, products and inverses exist, the row says:
 *   formula alone        those are all it uses
 *   hashed               a keyed hash of all its operands, so are its derivatives
 *   slope_of, slot       the derivative of that operator by that operand, whose hash is the same; the operands are those
 *                        of that operator, then the cotangent
 *   in_field             a function of its own, of sim_hashed and sim_slope
 * In real numbers a slope needs no formula: it is taken from the other operator's, by dual numbers.
 */
#ifndef PLACE_SIM_OPERATORS_H
#define PLACE_SIM_OPERATORS_H

#include "tests/sim/number.h"
#include <stdbool.h>
#include <stdint.h>

enum { SIM_MAX_OPERANDS = 7, SIM_MAX_IMMEDIATES = 4, SIM_MAX_ROW = 256 };

typedef enum SimShape {
    SIM_MAP,  /* a function at every point of the result */
    SIM_ROW,  /* a function along the last letter of operand a, which the result may lack */
    SIM_SUM,  /* a function at every point of all letters, summed over those that the result lacks */
    SIM_OTHER /* tables, sources, sinks, pieces, communication */
} SimShape;

typedef struct SimRow {
    const struct SimOperator *of;
    const double *immediates;
    SimNumber factor;               /* of scale */
    int64_t length;                 /* of the row */
    bool result_is_row;             /* else one number, y[0] */
    int64_t width[SIM_MAX_OPERANDS]; /* of each operand: `length`, or 1 where it lacks the row's letter */
    SimNumber x[SIM_MAX_OPERANDS][SIM_MAX_ROW];
    SimNumber y[SIM_MAX_ROW];
    const char *fault; /* set where the operands are none of the function's */
} SimRow;

struct SimMachine;
struct SimIssue;
struct SimView;

typedef struct SimOperator {
    const char *name;
    int operands, immediates;
    SimShape shape;
    void (*formula)(SimRow *row);
    void (*in_field)(SimRow *row);
    const char *function; /* for in_field */
    bool hashed, jumps;   /* jumps: constant but for them, no derivative */
    bool keeps_zero;      /* hashed, but of 0, which is 0 */
    const char *slope_of;
    int slot;
    bool swaps; /* symmetric: the derivative by b is that by a of exchanged operands */
    bool bare;  /* its derivatives do not depend on its immediates, which their operators do not have */
    int gradient; /* an update: one more than the operand that must be one device's gradient */
    int index, index_of; /* one more than the operand that holds indices; than the operand whose extent bounds them: ... */
    bool index_last;     /* ... of its last dim, not its first */
    bool sink, clears_padding; /* has no result; leaves zeros after a unit's end */
    /* SIM_OTHER: alone on a rank, or between ranks: the result of one of them from the operands of all, per rank (NULL:
     * a rank that does not take part). */
    void (*perform)(struct SimMachine *machine, const struct SimIssue *issue);
    void (*exchange)(struct SimMachine *machine, const struct SimIssue *issue, const struct SimView *const *from,
                     SimNumber *result);
    bool sends, receives; /* between two ranks: they meet by channel, not by group */
} SimOperator;

const SimOperator *sim_operator(const char *name); /* NULL: there is none */
const SimOperator *sim_operator_at(int index);      /* of the table; NULL after its end */

/* Computes row->y from row->x. */
void sim_evaluate(SimRow *row);

/* A hash of its arguments under a name, with its derivatives: a function that nothing is known of. */
SimNumber sim_hashed(const char *function, const SimNumber *arguments, int count);
/* Its derivative by argument `slot`; the whole is keyed by what else decides it. */
SimNumber sim_slope(const char *function, const SimNumber *arguments, int count, int slot);

#endif

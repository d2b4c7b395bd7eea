/* transfer.h - what an operator makes of the combinations that its operands hold. */
#ifndef PLACE_VERIFY_TRANSFER_H
#define PLACE_VERIFY_TRANSFER_H

#include "verify/prepare.h"

typedef struct Transfer {
    Table *table;
    const Decls *decls;
    const Prepared *prepared;
    int member;             /* flat: its position in the unit; what a cut leaves of a value depends on where it lies */
    const Form *form;       /* of this member, or dense */
    Form *const *broadcast; /* per operand */
    Combo *operand[STEP_MAX_OPERANDS];
    int alone; /* 1 + the only one that is not zero of those in which the operator is linear together; 0: none is taken
                  so */
    AxisMask enumerated;
    const int64_t *coordinate; /* on these */
    Time now;                  /* the microbatch at hand, where there is one; */
    int64_t base;              /* v, the number that relative times are relative to */
    bool turns;                /* an index that is the rank's own coordinate plus a number: */
    Arc turn;                  /* whose piece, or part, that is */
    int asked_count;
    struct {
        Time time;
        int64_t longer;
    } asked[STEP_MAX_DIMS]; /* of which microbatches it mattered whether they are among the first `longer`, longer ones
                             */
} Transfer;

/* MAP, ROW, SUM, CONTRACT, GATHER, SCATTER. */
Combo *transfer_compute(Transfer *t);
/* MOVE, COMM. */
Combo *transfer_communicate(Transfer *t);

/* The same for an operator in which places meet: what each of them has, in the order of the group. */
Combo *transfer_meet(Transfer *t, Combo *const *operand, int count);

/* The value of a combination whose terms share one placement and weight, up to the factor of its first term. */
bool fold_term(Table *table, Combo *combo, Term *result);

#endif

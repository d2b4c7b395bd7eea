/* transfer.h - computes the combination that an operator's result holds from those its operands hold. */
#ifndef PLACE_VERIFY_TRANSFER_H
#define PLACE_VERIFY_TRANSFER_H

#include "verify/prepare.h"

typedef struct Transfer {
    Table *table;
    const Decls *decls;
    const Prepared *prepared;
    int member;             /* flat: its position in the unit, as what a cut leaves of a value depends on that */
    const Form *form;       /* of this member, or of the dense operator */
    Form *const *broadcast; /* per operand */
    Combo *operand[STEP_MAX_OPERANDS];
    int alone; /* 1 + the only nonzero operand of those in which the operator is jointly linear; 0: none */
    AxisMask enumerated;
    const int64_t *coordinate; /* on the enumerated axes */
    Time now;                  /* the current microbatch, if there is one; */
    int64_t base;              /* the value of v that relative times refer to */
    Arc held;                  /* whose pieces the operands hold, if not the rank's own; */
    bool timed;                /* and of which microbatch, if of one */
    Time time;
    bool turns; /* an index is the rank's own coordinate plus a number: */
    Arc turn;   /* whose piece, or part, that selects */
    int asked_count;
    struct {
        Time time;
        int64_t longer;
    } asked[STEP_MAX_DIMS]; /* whether `time` is one of the longer microbatches, the first `longer`, mattered */
} Transfer;

/* MAP, ROW, SUM, CONTRACT, GATHER, SCATTER. */
Combo *transfer_compute(Transfer *t);
/* MOVE, COMM. */
Combo *transfer_communicate(Transfer *t);

/* The same for an operator in which rank classes meet: `operand` holds each class's, in group order. */
Combo *transfer_meet(Transfer *t, Combo *const *operand, int count);

/* The value of a combination whose terms share one placement and weight, up to the first term's factor; else false. */
bool fold_term(Table *table, Combo *combo, Term *result);

#endif

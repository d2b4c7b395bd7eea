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
    bool in_micro;      /* inside the microbatch loop, */
    Time now;           /* at this microbatch, */
    int64_t now_number; /* or one like it, where `now` is the loop's variable */
} Transfer;

/* MAP, ROW, SUM, CONTRACT, GATHER, SCATTER. */
Combo *transfer_compute(Transfer *t);
/* MOVE, COMM. */
Combo *transfer_communicate(Transfer *t);

/* The value of a combination whose terms share one placement and weight, up to the factor of its first term. */
bool fold_term(Table *table, Combo *combo, Term *result);

#endif

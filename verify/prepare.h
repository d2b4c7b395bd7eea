/* prepare.h - what is known about an operator before it runs: its letters, the axes that cut them, whether its shapes
 * fit.
 *
 * prepare_program looks at every operator of a program once and reports what is wrong whatever the values are (P0307,
 * P0308, P0332, P0334). Such an operator is `bad` and its result silently poisoned, so that one fault is one error.
 */
#ifndef PLACE_VERIFY_PREPARE_H
#define PLACE_VERIFY_PREPARE_H

#include "verify/combo.h"
#include "verify/view.h"

enum { PREPARE_MAX_LETTERS = 16 };

/* EINSUM over an axis: only one coordinate's piece of one letter takes part. */
typedef struct Pieces {
    bool used;
    bool visits[STEP_MAX_OPERANDS], result_visits; /* takes part with that piece only; others have the whole letter */
    bool in_parts;                                 /* each coordinate computes a part of the result: */
    bool placed;                                   /* its piece of the letter in place, zero elsewhere */
} Pieces;

/* MAP, ROW, SUM, CONTRACT, GATHER, SCATTER, WINDOW, VIEW. */
typedef struct Computing {
    Form *form;                         /* dense */
    Form **member_form;                 /* flat */
    Form *broadcast[STEP_MAX_OPERANDS]; /* ADD, SUB, COPY, CAST, SCALE: operands with other letters than the result's.
                                           PLACE_SEGMENT: those of segment and segment_bwd */
    Form **member_broadcast;            /* flat: the same, per member */
    bool linear[STEP_MAX_OPERANDS];     /* in this operand, the others held fixed */
    unsigned jointly; /* jointly linear in these operands, as bits; in each alone if the others are 0 */
    AxisMask summed;  /* axes that cut letters that are summed */
    AxisMask fitted;  /* COPY: axes over which only one side is padded, so a rank copies a piece of its own size */
    AxisMask operand_cuts[STEP_MAX_OPERANDS]; /* axes that cut the operand */
    bool sums_members;                        /* flat: the members' sums are added into one number */
    bool sums_padding;                        /* sums include a unit's padding */
    bool by_range;   /* flat: mixes elements with numbers per row, column or tensor; the rank's range says which */
    int local_count; /* SCALE: number of dims by whose extent it divides */
    int64_t *local_size;
    Cuts *local_cuts;
    Pieces pieces;
} Computing;

/* MOVE, COMM. */
typedef struct Moving {
    bool uneven; /* flat: some ranks have smaller pieces of a member, and padding after them */
    bool gaps;   /* flat: there is padding before the unit's end */
    bool pads;   /* flat: the last range extends past the unit's end */
} Moving;

/* READ. */
typedef struct Reading {
    AxisMask repeated;     /* axes whose ranks read the same examples, */
    const Decomp *reading; /* and how the result is cut if there are any */
    int64_t batch;         /* length of the batch */
} Reading;

typedef struct Prepared {
    const Op *op;
    bool bad;
    bool flat;        /* the result, or what is reduced, is a unit: done per member */
    int unit;         /* flat */
    int member_count; /* of it */
    bool micro;       /* uses a layout cut by microbatches, whatever their number */
    bool uneven;      /* its piece is longer in some microbatches than in others */
    AxisMask passed;  /* axes that cut letters of the result */
    DecompPart *part; /* of the summed letters, or of a shard's position */
    int part_count;
    AxisMask over;      /* communication, slices, products of pieces: axes larger than one */
    int64_t ranks;      /* their product */
    Computing *compute; /* of its class; else NULL */
    Moving *move;
    Reading *read;
} Prepared;

typedef struct PreparedMap PreparedMap;

/* `reference`: it has one microbatch, whatever the declarations say. */
PreparedMap *prepare_program(Ctx *ctx, Table *table, const Program *program, bool reference);
const Prepared *prepared_find(const PreparedMap *map, const Op *op);

/* ADD and similar operators work term by term; an operand with other letters is first broadcast or permuted. */
bool op_is_additive(OpKind kind);

/* Does the operator replace a state by its next value? Sets the operands that are the gradient and the old state. */
bool op_is_update(OpKind kind, int *gradient, int *state);

#endif

/* prepare.h - what can be said of an operator before it runs: its letters, what cuts them, whether its shapes fit.
 *
 * prepare_program looks at every operator of a program once and reports what can never be right whatever the values
 * are (P0307, P0308, P0332, P0334); such an operator is `bad` and its result silently poisoned, so that one fault is
 * one error.
 */
#ifndef PLACE_VERIFY_PREPARE_H
#define PLACE_VERIFY_PREPARE_H

#include "verify/value.h"

enum { PREPARE_MAX_LETTERS = 16 };

/* A reference as its operator sees it: dense with dims, or a flat slot of a unit. */
typedef struct View {
    bool flat;
    int unit;         /* flat */
    Each each;        /* flat: of what it has one number in each member */
    Cuts cuts;        /* flat */
    AxisMask members; /* flat: what cuts the members' dims */
    int dim_count;
    int64_t size[STEP_MAX_DIMS];
    Cuts dim_cuts[STEP_MAX_DIMS];
    int64_t before[STEP_MAX_DIMS], after[STEP_MAX_DIMS]; /* the halo of a piece */
    bool padded[STEP_MAX_DIMS]; /* pieces of unlike sizes, each in the room of the largest, zeros behind it */
} View;

typedef struct Prepared {
    const Op *op;
    bool bad;
    bool flat;                          /* result, or what is reduced, is a unit: member by member */
    int unit;                           /* flat */
    int member_count;                   /* of it */
    Form *form;                         /* computing operators, dense */
    Form **member_form;                 /* flat */
    Form *broadcast[STEP_MAX_OPERANDS]; /* ADD, SUB, COPY, CAST, SCALE: where an operand's letters are not the result's.
                                         * PLACE_SEGMENT: those of segment and segment_bwd */
    Form **member_broadcast;            /* flat: the same, per member */
    bool linear[STEP_MAX_OPERANDS];     /* in this operand alone */
    AxisMask passed, summed;            /* axes that cut letters of the result, letters that are summed */
    DecompPart *part;                   /* of the summed letters, or of the place of a shard */
    int part_count;
    AxisMask over;     /* communication, slices: axes larger than one */
    int64_t ranks;     /* their product */
    bool micro;        /* uses a layout cut by the microbatches, however many */
    bool uneven;       /* a piece of it is longer in one microbatch than in another */
    bool sums_members; /* flat: the members' sums are added up to one number */
    bool sums_padding; /* sums over a unit's padding */
    bool by_range;     /* flat: numbers of rows, columns or tensors beside elements: whose, the rank's range says */
    bool gaps;         /* flat: padding between members, where some ranks have smaller pieces */
    bool pads;         /* flat communication: the last range goes beyond the unit's end */
    int local_count;   /* SCALE: dims by whose extent it divides */
    int64_t local_size[PREPARE_MAX_LETTERS];
    Cuts local_cuts[PREPARE_MAX_LETTERS];
    AxisMask repeated;                        /* READ: axes along which the ranks read the same, */
    const Decomp *reading;                    /* and how the result is cut where there are some */
    int64_t batch;                            /* READ: its length */
    AxisMask operand_cuts[STEP_MAX_OPERANDS]; /* axes that cut it */

    /* EINSUM over an axis: of one letter only the piece of one coordinate takes part. */
    bool pieces;
    bool visits[STEP_MAX_OPERANDS], result_visits; /* has that piece alone; others have the letter whole */
    bool in_parts;                                 /* the result is a part for each coordinate: */
    bool placed;                                   /* where it has the letter, the piece in its place */

    unsigned
        jointly; /* the operands in which it is linear together, one bit each: in each alone, where the others are 0 */
    AxisMask fitted; /* COPY: axes over which one side is padded and the other not: a piece of the rank's own size */
} Prepared;

typedef struct PreparedMap PreparedMap;

/* `reference`: its microbatch count is one, whatever the declarations say. */
PreparedMap *prepare_program(Ctx *ctx, Table *table, const Program *program, bool reference);
const Prepared *prepared_find(const PreparedMap *map, const Op *op);

void view_make(const Program *program, const Ref *ref, bool reference, View *view);
AxisMask cuts_mask(const Cuts *cuts);
AxisMask view_mask(const View *view);
bool view_equal(const View *a, const View *b);
/* "data", or "node and data". */
const char *axes_text(Arena *arena, const Decls *decls, AxisMask axes);

/* ADD and its kin work term by term; an operand whose letters are not the result's is first spread or permuted. */
bool op_is_additive(OpKind kind);

/* Does the operator replace a state by its next value? Which operands are the gradient and the state it replaces? */
bool op_is_update(OpKind kind, int *gradient, int *state);

#endif

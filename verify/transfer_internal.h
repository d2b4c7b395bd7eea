/* transfer_internal.h - between the files of the transfer functions: transfer.c (rules and helpers), transfer_fold.c,
 * one file per kind of computing operator, transfer_terms.c, transfer_collective.c and transfer_meet.c. */
#ifndef PLACE_VERIFY_TRANSFER_INTERNAL_H
#define PLACE_VERIFY_TRANSFER_INTERNAL_H

#include "verify/transfer.h"

enum { OWN_PARTS = PREPARE_MAX_LETTERS + 1 };

typedef Combo *ComputeRule(Transfer *t);

/* How a collective acts: the rules named in step/collective.def, and how rank classes meet under each. */
typedef struct TransferRule {
    Combo *(*run)(Transfer *t);                  /* on operands that are not poison */
    PoisonKind (*term)(Transfer *t, Term *term); /* on a single term */
    bool (*turn)(const Transfer *t, Arc *turn);  /* changes whose piece is held; false if that is unknown */
    Combo *(*meet)(Transfer *t, Combo *const *operand, int count); /* where rank classes meet */
} TransferRule;

/* ---- transfer.c --------------------------------------------------------------------------------------------- */

Combo *transfer_poison(Transfer *t, PoisonKind kind, int operand, AxisMask axes);
/* An operand that must be the same whole value on all ranks, and is not. */
Combo *transfer_poison_operand(Transfer *t, int operand);
/* How the operator itself cuts a value, or places its pieces: in a unit this depends on the member's position. */
int transfer_own_parts(const Transfer *t, DecompPart *part);
/* Puts the result in normal form, sets its microbatch, and checks that no weight overflowed. */
Combo *transfer_finish(Transfer *t, Combo *combo, bool timed, Time time);
/* The same with the operands' microbatch, if the result is of one. */
Combo *transfer_result(Transfer *t, Combo *combo);
/* The microbatch whose pieces the operands and the result are; false if they disagree. A letter that only the result
 * has belongs to the current microbatch: if it is cut by microbatches this matters for the rows of a table, while other
 * results are constant along it. */
bool operands_time(const Transfer *t, bool *timed, Time *time);

/* ---- transfer_fold.c ---------------------------------------------------------------------------------------- */

AxisMask combo_partial(const Combo *combo);
bool fold_whole(Table *table, Combo *combo, Value **value);
/* Stands for zero as an operand. */
Value *zero_value(Table *table);

/* ---- transfer_additive.c ------------------------------------------------------------------------------------ */

bool local_weight(Transfer *t, int64_t size, const Cuts *cuts, bool timed, Time time, Term *weight, PoisonKind *why);
/* ADD, SUB, COPY, CAST, SCALE: term by term. */
Combo *transfer_additive(Transfer *t);

/* ---- transfer_segment.c ------------------------------------------------------------------------------------- */

/* Term by term. place_segment(a, b) is a, minus a's segment there, plus b there. No piece is another rank's here
 * (works_on_pieces). */
Combo *transfer_segment(Transfer *t);

/* ---- transfer_jointly.c ------------------------------------------------------------------------------------- */

/* The whole values of these operands, divided by the coefficient of the first one's first term, so that weights before
 * and after the operator come to the same. */
bool fold_jointly(Table *table, Combo **operand, unsigned which, Value **value, Rational *factor);
/* The sum of the operator's results on each of these operands alone, the others zero. */
Combo *transfer_jointly(Transfer *t);
/* Once they are whole, results on operands taken alone, because they were partial, become one result on all operands
 * together. */
bool join_alone(Transfer *t, Combo *combo);
/* Would join_alone find something to join? */
bool has_alone(Transfer *t, const Combo *combo);

/* ---- transfer_product.c ------------------------------------------------------------------------------------- */

Combo *transfer_product(Transfer *t);

/* ---- transfer_terms.c --------------------------------------------------------------------------------------- */

/* Sums a term over `axes`: parts become the whole, and copies are multiplied by the number of ranks. */
PoisonKind reduce_term(Transfer *t, Term *term, AxisMask axes);
PoisonKind all_reduce_term(Transfer *t, Term *term);
/* What each rank has for its own rows and its neighbours' becomes the sum. With copies, rows would count twice. */
PoisonKind halo_add_term(Transfer *t, Term *term);
/* Each rank takes its own piece of what it has; ranks may have different contents. */
PoisonKind slice_term(Transfer *t, Term *term);
PoisonKind reduce_scatter_term(Transfer *t, Term *term);
/* Gathered pieces must be pieces of the whole, not of partial sums. */
PoisonKind gather_term(Transfer *t, Term *term);
/* Every rank gets another rank's value. For copies that is the same value. A part becomes the other coordinate's, if
 * the distance is the same on all ranks; otherwise, or if it is part of a maximum, it is unknown. */
PoisonKind pass_on_term(Transfer *t, Term *term);
/* Likewise for the piece of the other coordinate; false if it is unknown. */
bool pass_on_turn(const Transfer *t, Arc *turn);
/* For operators that use the ranks' own pieces along their axes. */
bool keep_turn(const Transfer *t, Arc *turn);
/* For operators that go by position in the unit, as given by the rank's own range: they would take another rank's
 * elements for padding. */
bool keep_range(const Transfer *t, Arc *turn);

/* ---- transfer_collective.c ---------------------------------------------------------------------------------- */

/* Term by term. */
Combo *communicate_terms(Transfer *t);
/* Pieces of different positions are not summed. */
bool cut_is_reduced(const Transfer *t, const Combo *operand);
const TransferRule *transfer_rule(const Transfer *t);

/* ---- transfer_meet.c ---------------------------------------------------------------------------------------- */

/* For values that must be the same on all rank classes. */
Combo *meet_alike(Transfer *t, Combo *const *operand, int count);
Combo *meet_combine(Transfer *t, Combo *const *operand, int count);
Combo *meet_all_reduce(Transfer *t, Combo *const *operand, int count);
/* The machine decides which rank class gets whose operand (machine_classes.c). */
Combo *meet_pass_on(Transfer *t, Combo *const *operand, int count);
/* The rule 'rank classes': neighbours whose control flow differs. */
Combo *meet_neighbours(Transfer *t, Combo *const *operand, int count);

#endif

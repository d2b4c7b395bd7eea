/* signature.h - the signatures of an operator: which placements of its operands give which placement of its result when
 * every rank runs it on what it holds, without any communication.
 *
 * One generator makes them, from the index letters, the coupled letters and the body that step/op.def gives (fact.h):
 *
 *     all replicated -> replicated
 *     a letter of the result that is not coupled: operands that have it cut along it, the others replicated -> cut
 *     the outermost letters that a view changes: both cut -> cut (`even`)
 *     a letter that is summed away: operands that have it cut, the others replicated -> partial(sum)
 *     a set of operands partial(sum), the others replicated -> partial(sum), where jointly linear in the set
 *     the same with partial(avg), where jointly affine
 *     a set of operands each partial(max) or (min) -> partial(max) or (min), where monotone or a choice
 *     at coordinate k or replicated, one at least at k -> at k
 *
 * They are valid for every value of the operands, every representation of it, uneven and empty shards; those marked
 * `even` only where all shards of the cut letter are equally long. Over several axes every tuple of one-axis signatures
 * is one, where placement_fault has no objection and operands that share a letter are cut by the same axes in the same
 * order.
 *
 *     OpShape shape = op_shape(arena, OP_EINSUM, "bth,oh->bto");
 *     Signatures list = signatures_of(arena, &shape, SIGNATURE_ALL);
 */
#ifndef PLACE_ALGEBRA_SIGNATURE_H
#define PLACE_ALGEBRA_SIGNATURE_H

#include "algebra/fact.h"

enum { OP_MAX_LETTERS = 12 };

/* An operator as the generator sees it. */
typedef struct OpShape {
    OpClass op_class;
    int operand_count;
    char letter[STEP_MAX_OPERANDS][STEP_MAX_DIMS + 1]; /* of each operand */
    char result[STEP_MAX_DIMS + 1];
    const char *coupled;
    const Kernel *kernel; /* NULL where the table gives no body: then the next two count */
    const char *linear;   /* groups of operands, as in the table */
    bool picks_max;       /* the largest of what it sees of operand a */
} OpShape;

/* Of the operator table; an empty spec: all operands have the letter "f", the flat range. */
OpShape op_shape(Arena *arena, OpKind kind, const char *spec);
/* Of one's own. */
OpShape op_shape_of(OpClass op_class, const char *coupled, const Kernel *kernel, const char *spec, int operands);

/* The kinds of placement that are wanted. */
enum {
    SIGNATURE_SHARDED = 1,
    SIGNATURE_SUM = 2,
    SIGNATURE_AVG = 4,
    SIGNATURE_EXTREMUM = 8,
    SIGNATURE_AT = 16,
    SIGNATURE_EVEN = 32, /* those that need equal shards too */
    SIGNATURE_ALL = 31
};

/* Over one axis. */
typedef struct Signature {
    OnAxis operand[STEP_MAX_OPERANDS];
    OnAxis result;
    char letter; /* that is cut; 0 none */
    bool even;
} Signature;

typedef Vec(Signature) SignatureVec;

/* None for communication, movement and sinks: those are conversions. */
SignatureVec signatures_of(Arena *arena, const OpShape *shape, unsigned wanted);

/* Whether a letter of the operator may be cut at all. */
bool op_letter_is_coupled(const OpShape *shape, char letter);

/* "replicated, sharded(0) -> sharded(1)" */
const char *signature_print(Arena *arena, const OpShape *shape, const Signature *signature);

#endif

/* signature.h - the signatures of an operator: which placements of its operands give which placement of its result when
 * every rank runs it on what it holds, without any communication.
 *
 * One generator makes them, from the index letters, the coupled letters and the body in step/op.def (fact.h):
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
 * They hold for every value of the operands, every representation of it, and uneven and empty shards; those marked
 * `even` only if all shards of the cut letter are equally long. Over several axes, every tuple of one-axis signatures
 * is one, provided that placement_fault does not object and operands that share a letter are cut by the same axes in
 * the same order.
 *
 *     OpShape shape = op_shape(arena, OP_EINSUM, "bth,oh->bto");
 *     SignatureVec list = signatures_of(arena, &shape, SIGNATURE_ALL);
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
    const Kernel *kernel; /* NULL if the table has no body: then the next two fields are used */
    const char *linear;   /* groups of operands, as in the table */
    bool picks_max;       /* picks the maximum of what it sees of operand a */
} OpShape;

/* From the operator table. With an empty spec all operands have the letter "f", the flat range. */
OpShape op_shape(Arena *arena, OpKind kind, const char *spec);
/* For an operator outside the table. */
OpShape op_shape_of(OpClass op_class, const char *coupled, const Kernel *kernel, const char *spec, int operands);

/* The kinds of placement to generate. */
enum {
    SIGNATURE_SHARDED = 1,
    SIGNATURE_SUM = 2,
    SIGNATURE_AVG = 4,
    SIGNATURE_EXTREMUM = 8,
    SIGNATURE_AT = 16,
    SIGNATURE_EVEN = 32, /* including those that need equal shards */
    SIGNATURE_ALL = 31
};

/* Over one axis. */
typedef struct Signature {
    OnAxis operand[STEP_MAX_OPERANDS];
    OnAxis result;
    char letter; /* the letter that is cut; 0: none */
    bool even;
} Signature;

typedef Vec(Signature) SignatureVec;

/* Empty for communication, movement and sinks: those are conversions. */
SignatureVec signatures_of(Arena *arena, const OpShape *shape, unsigned wanted);

/* Must the letter be whole? */
bool op_letter_is_coupled(const OpShape *shape, char letter);

/* "replicated, sharded(0) -> sharded(1)" */
const char *signature_print(Arena *arena, const OpShape *shape, const Signature *signature);

#endif

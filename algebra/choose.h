/* choose.h - the signatures of an operator that can be reached from its operands' placements, and their costs.
 *
 *     ChooseOperand in[2] = {{x, x_sizes, 2}, {w, w_sizes, 2}};
 *     Placement y;
 *     if (!choose_as_is(arena, &mesh, &shape, in, &y)) {
 *         Choices choices = choose(arena, &mesh, &shape, in, SIGNATURE_SHARDED | SIGNATURE_SUM);
 *         y = choices.data[0].result; // the cheapest; choices.data[0].conversion[i] is what operand i needs
 *     }
 *
 * A signature over several axes is a tuple of one-axis signatures. The axes that cut one letter do so in the same order
 * for all operands: that of the mesh, or that in which some operand is already cut.
 */
#ifndef PLACE_ALGEBRA_CHOOSE_H
#define PLACE_ALGEBRA_CHOOSE_H

#include "algebra/convert.h"
#include "algebra/signature.h"

typedef struct ChooseOperand {
    Placement placement;
    const int64_t *sizes; /* of its dims, unsharded */
    int64_t element_bytes;
} ChooseOperand;

typedef struct Choice {
    Signature signature[STEP_MAX_AXES]; /* per axis */
    Placement operand[STEP_MAX_OPERANDS], result;
    Conversion conversion[STEP_MAX_OPERANDS];
    int64_t bytes; /* moved by the conversions, on the busiest rank */
    int collectives, steps;
    int64_t share; /* how many ranks share the operator's work */
    int index;     /* in order of discovery */
} Choice;

typedef Vec(Choice) Choices;

/* A flag for choose's `wanted`: on an axis where the operands already have a signature, consider only that one. Without
 * it every combination is tried, which is feasible for few axes only. */
enum { CHOOSE_KEEP = 256 };

/* Sorted from cheapest: by bytes, collectives, steps, then by how many ranks share the work. `wanted`: SIGNATURE_
 * flags. */
Choices choose(Arena *arena, const Mesh *mesh, const OpShape *shape, const ChooseOperand *operands, unsigned wanted);

/* Do the operands have a signature without any conversion? *result: the placement of the result. */
bool choose_as_is(Arena *arena, const Mesh *mesh, const OpShape *shape, const ChooseOperand *operands,
                  Placement *result);

#endif

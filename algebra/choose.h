/* choose.h - the signatures of an operator that can be reached from where its operands are, and at which cost.
 *
 *     ChooseOperand in[2] = {{x, x_sizes, 2}, {w, w_sizes, 2}};
 *     Placement y;
 *     if (!choose_as_is(arena, &mesh, &shape, in, &y)) {
 *         Choices choices = choose(arena, &mesh, &shape, in, SIGNATURE_SHARDED | SIGNATURE_SUM);
 *         y = choices.data[0].result; // the cheapest; choices.data[0].conversion[i] is what operand i needs
 *     }
 *
 * A signature over several axes is a tuple of one-axis signatures, with the axes that cut one letter in one order for
 * all operands: that of the mesh, or that of an operand as it is.
 */
#ifndef PLACE_ALGEBRA_CHOOSE_H
#define PLACE_ALGEBRA_CHOOSE_H

#include "algebra/convert.h"
#include "algebra/signature.h"

typedef struct ChooseOperand {
    Placement placement;
    const int64_t *sizes; /* of its dims, before any cut */
    int64_t element_bytes;
} ChooseOperand;

typedef struct Choice {
    Signature signature[STEP_MAX_AXES]; /* per axis */
    Placement operand[STEP_MAX_OPERANDS], result;
    Conversion conversion[STEP_MAX_OPERANDS];
    int64_t bytes; /* that the conversions move, of the busiest rank */
    int collectives, steps;
    int64_t share; /* how many ranks divide the operator's work */
    int index;     /* in the order in which they were found */
} Choice;

typedef Vec(Choice) Choices;

/* As choose's flag `wanted`: on an axis where the operands have a signature as they are, only that one. Without it
 * every combination is tried: that is for few axes. */
enum { CHOOSE_KEEP = 256 };

/* Cheapest first: by bytes, collectives, steps; then those that divide the work more. `wanted`: SIGNATURE_ flags. */
Choices choose(Arena *arena, const Mesh *mesh, const OpShape *shape, const ChooseOperand *operands, unsigned wanted);

/* Whether the operands have a signature as they are, and where the result then is. */
bool choose_as_is(Arena *arena, const Mesh *mesh, const OpShape *shape, const ChooseOperand *operands,
                  Placement *result);

#endif

/* shape.h - the index letters of an operator and the dims they stand for.
 *
 * A spec such as "bth,oh->bto" gives letters to the dims of operands and result. Here every letter finds its Dim (a
 * logical size and its cuts), taken from the buffers and members that the operator refers to. An operator with an empty
 * spec works on flat ranges: its arrays get the single letter LETTER_FLAT, or none if the buffer is a scalar.
 */
#ifndef PLACE_CODEGEN_SHAPE_H
#define PLACE_CODEGEN_SHAPE_H

#include "step/step.h"

enum { SHAPE_MAX_LETTERS = 26, LETTER_FLAT = '*' };

typedef struct Letters {
    int count;
    char letter[STEP_MAX_DIMS];
} Letters;

typedef struct Shape {
    Letters operand[STEP_MAX_OPERANDS], out;
} Shape;

Shape shape_of_op(const Program *program, const Op *op);

bool letters_have(const Letters *letters, char letter);
int letters_index(const Letters *letters, char letter); /* -1 if it is absent */

/* The Dim of a letter; LETTER_FLAT has none. */
const Dim *shape_dim(const Program *program, const Op *op, const Shape *shape, char letter, Dim *storage);

/* The dims of what a reference names: a member's logical dims, or a dense buffer's. False if it is flat. */
bool ref_dims(const Program *program, const Ref *ref, int *count, Dim *dims);
const Buffer *ref_buffer(const Program *program, const Ref *ref);
bool ref_is_scalar(const Program *program, const Ref *ref);

#endif

/* shape.h - the index letters of an operator and the dims they stand for.
 *
 * A spec such as "bth,oh->bto" gives letters to the dims of operands and result. Here every letter finds its Dim (a
 * logical size and its cuts), taken from the buffers and members that the operator refers to. An operator with an empty
 * spec works on flat ranges: its arrays get the single letter LETTER_FLAT, or none if the buffer is a scalar. Where
 * flat ranges have numbers for different things, it works on patches of them, which have letters for rows and columns.
 */
#ifndef PLACE_CODEGEN_SHAPE_H
#define PLACE_CODEGEN_SHAPE_H

#include "step/step.h"

enum {
    SHAPE_MAX_LETTERS = 26,
    LETTER_FLAT = '*',
    LETTER_PATCH_ROW = '=', /* of a patch (emit_patch.c) */
    LETTER_PATCH_COLUMN = '|'
};

typedef struct Letters {
    int count;
    char letter[STEP_MAX_DIMS];
    bool wider[STEP_MAX_DIMS]; /* the array's own dim is longer than what the operator walks: the room of a padded
                                  piece, the whole that a piece is in */
} Letters;

typedef struct Shape {
    Letters operand[STEP_MAX_OPERANDS], out;
    char piece;               /* the letter of which an einsum takes one piece at a time; 0 if it takes all at once */
    const char *piece_extent; /* how long the piece is, as an expression in C; NULL if all are of the same size */
} Shape;

Shape shape_of_op(const Program *program, const Op *op);
/* The same elements in the same order on all sides, whatever their dims. */
Shape shape_flat(const Program *program, const Op *op);
/* Of segment, segment_bwd and place_segment, as a copy of the segment: operand 0 is what is copied. The fused dim gets
 * the segment's letter; *fused is the fused array's dim. */
Shape shape_of_segment(const Op *op, int *fused);

bool letters_have(const Letters *letters, char letter);
int letters_index(const Letters *letters, char letter); /* -1 if it is absent */

/* The Dim of a letter that says how far it goes; LETTER_FLAT has none. */
const Dim *shape_dim(const Program *program, const Op *op, const Shape *shape, char letter, Dim *storage);

/* The dims of what a reference names: a member's, or a dense buffer's. False if it is flat. */
bool ref_dims(const Program *program, const Ref *ref, int *count, Dim *dims);
const Buffer *ref_buffer(const Program *program, const Ref *ref);
/* Are all pieces of the dim of the same size, *extent? A padded one is: it has the room of the largest. */
bool dim_is_even(const Decls *decls, const Dim *dim, int64_t *extent);
/* The same elements, at the same places? */
bool dim_equal(const Dim *a, const Dim *b);
bool ref_is_scalar(const Program *program, const Ref *ref);

#endif

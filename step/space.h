/* space.h - the iteration space of an operator with index letters: all its letters, the result's first. Each array has
 * a stride per letter, 0 for letters that it lacks, so that the space can be gone through like an odometer.
 *
 *     Space space = space_of(program, op);
 *     Cursor cursor = {0};
 *     do ... out[cursor.offset[SPACE_OUT]] ... a[cursor.offset[0]] ...
 *     while (space_advance(&space, &cursor, 0, space.letter_count, -1));
 */
#ifndef PLACE_STEP_SPACE_H
#define PLACE_STEP_SPACE_H

#include "step/step.h"

enum { SPACE_MAX_LETTERS = 12, SPACE_OUT = STEP_MAX_OPERANDS };

typedef struct Space {
    int letter_count, out_letters;
    char letter[SPACE_MAX_LETTERS];
    int64_t extent[SPACE_MAX_LETTERS];
    int64_t stride[STEP_MAX_OPERANDS + 1][SPACE_MAX_LETTERS]; /* of the operands, then the result */
} Space;

/* The offsets of the result and the operands at one index. */
typedef struct Cursor {
    int64_t index[SPACE_MAX_LETTERS];
    int64_t offset[STEP_MAX_OPERANDS + 1];
} Cursor;

/* Of an operator on whole arrays. */
Space space_of(const Program *program, const Op *op);
/* Has it no index at all? */
bool space_is_empty(const Space *space);
/* Advances the letters [first, end), the last fastest, skipping `except`; false after the last index. */
bool space_advance(const Space *space, Cursor *cursor, int first, int end, int except);

#endif

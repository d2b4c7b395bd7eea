/* motion.h - how what a loop's body names moves from one period of its iterations to the next.
 *
 * A *period* is a number of iterations after which everything in the body that has a modulus is as it was, except for
 * rings: buffers in which all slots move alike.
 */
#ifndef PLACE_VERIFY_MOTION_H
#define PLACE_VERIFY_MOTION_H

#include "step/step.h"

/* By how much a period moves the slots of a buffer, modulo `modulus`; step 0: they stay. */
typedef struct Rotation {
    int64_t step, modulus;
} Rotation;

typedef struct Motion {
    const Node *loop;
    int64_t period;     /* in iterations */
    int64_t *rate;      /* per variable of a loop: by how much it is greater one iteration later */
    bool *names;        /* per buffer: is it in the body? */
    Rotation *rotation; /* per buffer */
} Motion;

/* How the loop's body moves, loops inside it included; NULL if its iterations do not repeat. */
const Motion *motion_of(Arena *arena, const Program *program, const Node *loop);
/* By how much the expression, without its modulus, is greater a period later. */
int64_t motion_by(const Motion *motion, const Affine *affine);
/* The slot that corresponds to this one `periods` later. */
int64_t motion_slot(const Motion *motion, int buffer, int64_t slot, int64_t periods);
/* For how many periods more is the answer to low <= number <= high what it is now, if a period moves the number so? */
int64_t motion_lasts(int64_t number, int64_t by, int64_t low, int64_t high);

#endif

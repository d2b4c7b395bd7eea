/* copies.h - copies of values in other placements, read off a step program as it was derived.
 *
 *     copies_count(program, "block.norm1", axis)                 // how many operators make one over the axis
 *     copies_are_kept(program, "block.norm1", axis, COPY_STEP)   // are they kept as long as that?
 *     copies_are_at_once(program, "block.norm1", axis)           // are they made as soon as it is computed?
 *
 * A copy is a buffer that has the name of its value and of a conversion. Nothing is shared with derive/ but the step
 * program.
 */
#ifndef PLACE_TESTS_PINS_COPIES_H
#define PLACE_TESTS_PINS_COPIES_H

#include "step/step.h"
#include "strategy/assign.h"

/* `name`: of the buffer of the value, "d_block.norm1" for a cotangent. */
int copies_count(const Program *program, const char *name, int axis);
bool copies_are_kept(const Program *program, const char *name, int axis, CopyLife life);
/* Is it passed around the axis, shard by shard, for a product or as its sum? */
bool copies_travel(const Program *program, const char *name, int axis);
/* In the pass that computes it. */
bool copies_are_at_once(const Program *program, const char *name, int axis);

#endif

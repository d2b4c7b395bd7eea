/* offsets.h - the last pass: slots and places in the arena.
 *
 * A temporary that is written before it is read in every iteration of the loops that index it needs one slot only. Then
 * every buffer gets its place: persistent ones side by side, the others where nothing that is live at the same time
 * lies, over all routines. Sizes are those of the largest rank, so that one table serves all ranks.
 */
#ifndef PLACE_LOWER_OFFSETS_H
#define PLACE_LOWER_OFFSETS_H

#include "step/step.h"

enum { PLACE_ALIGNMENT = 64 };

/* The first half: sets slots. */
void place_slots(Ctx *ctx, Program *program);
/* Sets slots, offset and bytes of every buffer, and arena_bytes. */
void place_program(Ctx *ctx, Program *program);

/* The least that any placement of the temporaries needs, of a program that was placed: above the persistent buffers the
 * most bytes that a rank has live at one point. */
int64_t place_lower_bound(Ctx *ctx, const Program *program, Tier tier);

#endif

/* offsets.h - the last pass: slots, and offsets in the arena.
 *
 * A temporary that is written before it is read in every iteration of the loops that index it needs one slot only. Then
 * every buffer gets an offset: persistent ones side by side, the others where no buffer is that is live at the same
 * time, over all routines. Sizes are those of the largest rank, so that one table serves all ranks.
 */
#ifndef PLACE_LOWER_OFFSETS_H
#define PLACE_LOWER_OFFSETS_H

#include "lower/live.h"

enum { PLACE_ALIGNMENT = 64 };

/* The first half: sets slots. */
void offsets_reduce_slots(Ctx *ctx, Program *program);
/* Sets slots, offset and bytes of every buffer, and arena_bytes; returns where buffers are live. */
const Liveness *offsets_place(Ctx *ctx, Program *program);

/* The least that any placement of the temporaries needs, in a program whose offsets are set: the most bytes, above the
 * persistent buffers, that are live on a rank at one point. */
int64_t offsets_lower_bound(Ctx *ctx, const Program *program, Tier tier);

#endif

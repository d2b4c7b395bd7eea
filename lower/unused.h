/* unused.h - temporaries, and slots of them, that nothing uses.
 *
 * A value that is only ever needed elsewhere, or in other shards, leaves its own buffer behind.
 *
 * Where some layers recompute a value, the others keep it, each in the slot of its layer: those of the layers between
 * would be planned and never written. The slots that are left close up, and references to later ones move down.
 */
#ifndef PLACE_LOWER_UNUSED_H
#define PLACE_LOWER_UNUSED_H

#include "step/step.h"

void unused_drop_buffers(Ctx *ctx, Program *program);
void unused_drop_slots(Ctx *ctx, Program *program);

#endif

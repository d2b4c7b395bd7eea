/* unused.h - slots of temporaries that nothing uses.
 *
 * Where some layers recompute a value, the others keep it, each in the slot of its layer: those of the layers between
 * would be planned and never written. The slots that are left close up, and references to later ones move down.
 */
#ifndef PLACE_LOWER_UNUSED_H
#define PLACE_LOWER_UNUSED_H

#include "step/step.h"

void unused_drop_slots(Ctx *ctx, Program *program);

#endif

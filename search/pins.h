/* pins.h - how each operator of a program could be computed otherwise, as statements of the language (`activations of
 * *.scores computed over t by heads`).
 *
 *     Pins pins = pins_find(arena, &costed);               // costed: read, of a strategy that derives
 *     pins.data[0].statement
 */
#ifndef PLACE_SEARCH_PINS_H
#define PLACE_SEARCH_PINS_H

#include "search/program.h"

typedef struct OnePin {
    const char *statement; /* "    activations of *.scores computed over t by heads\n" */
    int op;                /* of the reference; a pin of it over the same axis takes this one's place */
    int axis;
    const char *axis_name;
    double elements; /* of the largest of what it reads and computes, in all layers */
} OnePin;

typedef Vec(OnePin) Pins;

/* Of every operator of a step, over each axis of several ranks, all but the way it is computed now. */
Pins pins_find(Arena *arena, Costed *costed);

#endif

/* draw.h - random strategies, statement by statement.
 *
 *     Draw draw;
 *     draw_program(&draw, seed, index);
 *     for (int i = 0; i < draw.count; i++) {          // most statements contradict another, or name nothing
 *         draw.chosen[i] = true;
 *         draw.chosen[i] = compiles(draw_text(&draw, text, sizeof text));
 *     }
 *
 * Small models of sequences, of two blocks and of images, on one to three axes, with strategies of up to a dozen
 * statements of all kinds: placements by label, dim and layer, on tiers, of declared states; values that are sharded,
 * recomputed, offloaded, or computed in a certain way; schedules; syncs of every target. Some are joined with a
 * strategy of the prelude.
 */
#ifndef PLACE_ASSIGNMENT_DRAW_H
#define PLACE_ASSIGNMENT_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DRAW_STATEMENTS = 24, DRAW_LONGEST = 192 };

typedef struct Draw {
    char head[1024]; /* model, mesh, state */
    char call[128];  /* what the train's strategies are joined to; may be empty */
    char rest[256];  /* the train's other settings */
    int axes, strategies, count;
    char statements[DRAW_STATEMENTS][DRAW_LONGEST];
    int strategy_of[DRAW_STATEMENTS];
    bool chosen[DRAW_STATEMENTS];
} Draw;

void draw_program(Draw *draw, uint64_t seed, uint64_t index);
/* The program with the chosen statements; returns `text`. */
const char *draw_text(const Draw *draw, char *text, size_t size);

#endif

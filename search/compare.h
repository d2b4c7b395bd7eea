/* compare.h - a program next to others: with other strategies, with one line changed, with one more statement; or next
 * to another program. Each is proved, planned and played.
 *
 *     Comparison comparison;
 *     if (compare_against(ctx, source, "zero1,zero2", &comparison))     // false: errors were reported
 *         compare_print(&comparison, stdout);
 *     compare_close(&comparison);
 */
#ifndef PLACE_SEARCH_COMPARE_H
#define PLACE_SEARCH_COMPARE_H

#include "search/program.h"

typedef struct Compared {
    const char *name;
    Costed costed;
    bool proved;
} Compared;

typedef struct Comparison {
    Ctx *ctx;
    Vec(Compared) rows; /* the program itself is the first */
} Comparison;

/* Strategies, divided by commas. One without arguments gets the axis over which the program divides its batch. */
bool compare_against(Ctx *ctx, int source, const char *strategies, Comparison *comparison);

/* A line of the train: "batch 64 in 8 microbatches". */
bool compare_line(Ctx *ctx, int source, const char *line, Comparison *comparison);

/* A statement that the strategy does not have: "parameters of block[*].mlp sharded over t by out". */
bool compare_statement(Ctx *ctx, int source, const char *statement, Comparison *comparison);

/* Two programs, with the Ctx of each. */
bool compare_programs(Ctx *ctx, int source, Ctx *other, int other_source, Comparison *comparison);

/* Do all cost the same? */
bool compare_equal(const Comparison *comparison);

void compare_print(const Comparison *comparison, FILE *out);
/* {"format_version": 1, "programs": [...]}: the plan's keys, and "name"; or "name" and "diagnostics". */
const char *compare_json(const Comparison *comparison);

void compare_close(Comparison *comparison);

#endif

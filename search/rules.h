/* rules.h - what the deriver may choose on an axis, of what its rules say (docs/derivation.md, section 2). It shards a
 * letter of an operator only where it finds an operand sharded that way, or wants the result so: everything that is
 * sharded on an axis follows, operator by operator, from parameters that are, and from values that the strategy places.
 * Of the ways to run an operator it takes the one that sends the fewest bytes, and among equals one that does less
 * work; and it keeps most results as they are computed.
 *
 * What it finds depends on what it converted before, of which only this is known here: which operators come first.
 *
 *     rules_find(arena, &rules);
 *     rules_choose(&rules, r, on, may)                     // where operands and the result of run r are: on[i]
 */
#ifndef PLACE_SEARCH_RULES_H
#define PLACE_SEARCH_RULES_H

#include "algebra/signature.h"
#include "derive/facts.h"

/* An operator of the step. */
typedef struct Run {
    const Op *op;
    double times;     /* for each microbatch: once per layer */
    const Node *loop; /* over layers; NULL: it is outside */
    bool first;       /* of those that write its result */
    SignatureVec signatures;
} Run;

typedef Vec(Run) Runs;

/* `facts`, `step`, `runs`, `axis`, `bytes`, and what of `cuts` is known, are given. */
typedef struct Rules {
    const Facts *facts;
    const RoutineFacts *step;
    const Runs *runs; /* in their order */
    int axis;
    const double *bytes; /* per buffer: of a rank, not divided by the axis */
    unsigned *cuts;      /* per buffer: bit per dim that it may be sharded by */
    int *writers;        /* per buffer: how many */
    int *reader;         /* per buffer: the first run that reads it */
    int *cutter;         /* per buffer and dim: the first that may shard it where it was not sharded before */
} Rules;

void rules_find(Arena *arena, Rules *rules);

/* Which signatures of a run may be chosen where on the axis its operands are kept, and its result then is, on[i]:
 * ON_WHOLE, ON_PARTIAL, or sharded by that dim. */
void rules_choose(const Rules *rules, int run, const int *on, bool *may);

#endif

/* program.h - the program with another strategy: its text, and what it costs.
 *
 *     Pattern pattern;
 *     pattern_find(ctx, source, &pattern)                  // false: errors were reported
 *     Version version = {.mesh = "data: 8", .strategy = "zero1(data)", .batch = 64, .micro = 2};
 *     Costed costed;
 *     pattern_cost(&pattern, &version, &costed);           // everything but the proof
 *     costed.plan->time.step, costed.error
 *     costed_close(&costed);
 */
#ifndef PLACE_SEARCH_PROGRAM_H
#define PLACE_SEARCH_PROGRAM_H

#include "base/change.h"
#include "parser/ast.h"
#include "plan/plan.h"

/* Programs that were read, each for one batch in so many microbatches: others with the same have their model and
 * settings from it, and only mesh and strategy are read. The last ones are kept. */
enum { MOST_READINGS = 16 };
typedef struct Readings {
    struct Reading *reading[MOST_READINGS];
    int count;
} Readings;

typedef struct Known Known;
typedef struct Pattern {
    Ctx *ctx;
    int source;
    Readings *readings;    /* to be freed by who sets it; NULL: each version is read as a whole */
    Known *known;          /* versions that were costed (search/known.h); NULL: they are not kept */
    const AstNode *search; /* the lines of `search over`; NULL: the train has a strategy */
    const char *mesh, *cluster;
    Span devices_span; /* "4 nodes of 8" of the cluster; unknown if another file declares it */
    int64_t nodes;     /* 0: it has devices in no nodes that it says */
    int64_t node_devices;
    const char *devices;                  /* that it has instead; NULL: as it says */
    const char *saving, *placed, *pinned; /* names for strategies of their own */
    bool fresh; /* the mesh is to be declared, before the train; otherwise `mesh_span` declares it */
    const AstNode *train;
    Span mesh_span, on_span, strategy_span, batch_span;
    int64_t batch; /* of the program */
} Pattern;

/* What is other than in the program; NULL or 0: nothing. */
typedef struct Version {
    const char *mesh; /* its axes */
    const char *strategy;
    int64_t batch, micro; /* micro 0: both are as they are */
    const char *declared; /* before the train */
    const char *line;     /* of the train, in the place of the one with this keyword, or added */
} Version;

/* All of it is in an arena of its own. */
typedef struct Costed {
    Ctx ctx;
    int source;
    const Train *train;
    const Assignment *assignment;
    const StepFile *file;
    Plan *plan;        /* with its time; NULL: it is no program */
    Verdict verdict;   /* of costed_prove */
    const char *error; /* why */
} Costed;

bool pattern_find(Ctx *ctx, int source, Pattern *pattern);
void readings_free(Readings *readings);

/* The lines of `search over`; NULL: there are none. */
const AstNode *pattern_search(const Ast *ast);
/* The name, or if the file declares that, the first of name2, name3, ... that it does not. */
const char *pattern_fresh_name(Arena *arena, const Ast *ast, const char *wanted);

void pattern_cost(const Pattern *pattern, const Version *version, Costed *costed);

/* The same without what evaluates and predicts, which steps do not depend on: for times, and memory from below. Its
 * spans are not those of its text. To be closed before the next one. */
void pattern_cost_step(const Pattern *pattern, const Version *version, Costed *costed);
/* The same without a program: its train and assignment alone. */
void pattern_read(const Pattern *pattern, const Version *version, Costed *costed);
void costed_close(Costed *costed);

/* Is it proved right? False: `error` is set. */
bool costed_prove(Costed *costed);

/* Reports the errors of a version as errors of the program. */
void pattern_report(const Pattern *pattern, const Version *version, const Costed *costed);

/* The edits that make it the version. */
Change pattern_change(Arena *arena, const Pattern *pattern, const Version *version);

/* The whole text in the standard style. */
const char *pattern_text(const Pattern *pattern, const Version *version);

#endif

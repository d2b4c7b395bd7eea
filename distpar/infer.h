/* infer.h - the properties of a model's values over one axis of the mesh, and what they cost in DistPar's elements: as
 * the strategy of the file places them, and as the cheapest plan would.
 *
 *     Inferred inferred;
 *     if (infer_run(ctx, train, assignment, choices, NULL, &inferred))      // false: reported, or inferred.failure
 *         infer_print(&inferred, stdout);
 *
 * The strategy's properties are those in which the deriver lets each operator read and write (derive/choices.h). A
 * placement that is no property is the answer `why_not` in the place of a plan.
 */
#ifndef PLACE_DISTPAR_INFER_H
#define PLACE_DISTPAR_INFER_H

#include "base/ctx.h"
#include "derive/derive.h"
#include "distpar/distpar.h"
#include "reference/train.h"
#include "strategy/assign.h"

/* A conversion of an input, and of its gradient on the way back. */
typedef struct InferConversion {
    const char *value;
    Property from, to;
    const char *forward, *backward; /* primitives; NULL backward: the value has no gradient, or it needs none */
    double sent;                    /* elements, by all devices */
} InferConversion;

/* An operator, in one layer or several equal ones. */
typedef struct InferLine {
    const char *name, *computes; /* "block.fc", "einsum" */
    const char *group;           /* NULL: outside layers */
    int64_t first, last;         /* layers */
    Span span;
    char letter;  /* 0: it has no weight */
    bool product; /* by a weight: a convolution, a linear layer, a look-up */
    Property input, output;
    Vec(InferConversion) conversions;
    double sent, computed; /* in one layer: by all devices, with the conversions; by one device */
} InferLine;

typedef Vec(InferLine) InferLines;

typedef struct InferPlan {
    const char *why_not; /* NULL: there is a plan */
    InferLines lines;
    const char *letters; /* of the products, in order: "13D R C R", "12(3C R)" of 12 layers */
    double sent, computed, cost;
} InferPlan;

/* The program that is written for the cheapest plan. */
typedef struct InferStated {
    const char *letters; /* NULL: none was written, or it has no plan, */
    const char *why_not; /* because of this */
    double cost;
} InferStated;

typedef struct Inferred {
    Ctx *ctx;
    const Train *train;
    const char *axis;
    int devices;
    double beta;
    InferPlan written, chosen;
    Vec(const char *) remarks;
    const char *name, *strategy; /* the cheapest plan as statements: "strategy inferred(data: axis) { ... }" */
    InferStated stated;
    const char *failure; /* that is not about the program; NULL: none */
} Inferred;

/* What is asked for. */
typedef struct InferAsked {
    const char *axis; /* by its name; NULL: that which shards the batch */
    const char *name; /* of the strategy that says what is cheapest; NULL: none is wanted */
} InferAsked;

bool infer_run(Ctx *ctx, const Train *train, const Assignment *assignment, const Choices *choices,
               const InferAsked *asked, Inferred *inferred);

void infer_print(const Inferred *inferred, FILE *out);
const char *infer_json(const Inferred *inferred);

#endif

/* sema.h - the semantic pass: AST to what is to be trained, and how.
 *
 *     Train *train;
 *     if (!sema_run(ctx, ast, &train)) ...           // errors were reported
 *     StepFile *file = derive_step(ctx, train);      // sema/derive.h: the program, placed in the arena
 *
 * sema_run resolves names, checks shapes and dtypes, builds the one-device reference (forward, backward by autodiff,
 * optimizer) and evaluates the strategy to an Assignment.
 */
#ifndef PLACE_SEMA_SEMA_H
#define PLACE_SEMA_SEMA_H

#include "parser/ast.h"
#include "sema/assign.h"

typedef enum AssertQuantity { ASSERT_MEMORY_PER_DEVICE, ASSERT_TRAFFIC_PER_DEVICE } AssertQuantity;

typedef struct Assert {
    AssertQuantity quantity;
    int64_t limit_bytes; /* quantity < limit */
    Span span;
} Assert;

typedef struct Cluster {
    const char *name, *device; /* device: "cpu", "h100", ... */
    int64_t devices;
    int64_t device_memory_bytes; /* 0 unknown */
    Span span;
} Cluster;

/* A name for several axes of the mesh together: `data = expert_data * expert`. */
typedef struct AxisProduct {
    const char *name;
    AxisSet axes;
    Span span;
} AxisProduct;

typedef Vec(const char *) NameVec; /* known names, for suggestions */

/* sema/contract.h */
typedef enum ContractKind {
    CONTRACT_EXACT,
    CONTRACT_STATISTICS,
    CONTRACT_ROUTING,
    CONTRACT_MASKS,
    CONTRACT_STALE,
    CONTRACT_LOCAL
} ContractKind;

typedef struct Contract {
    ContractKind kind;
    const char *text; /* "statistics per replica over data" */
    AxisSet axes;
    int64_t ranks; /* along its axes, together */
    int64_t steps; /* by which gradients are old; after which copies are joined */
    bool outer;    /* LOCAL: by a step with this momentum and rate, not by the mean */
    double momentum, rate;
    const char *dim;     /* that is in groups, as models call it */
    const char *needs;   /* what a model lacks that it does not change */
    bool changes;        /* something of the reference */
    Span span, dim_span; /* dim_span: where the dim is named */
} Contract;

typedef Vec(Contract) Contracts;

typedef struct Train {
    Cluster cluster;
    const char *mesh_name;
    Vec(AxisProduct) derived_axes;
    Decls *decls;
    Program *reference; /* routines init, step, eval, predict */
    OpList means; /* of the loss: the operators that sum their terms, start the cotangents of these, invert a count */
    Assignment *assignment;
    int64_t batch, steps, seed;
    double clip_norm; /* 0: none */
    Span clip_span, optimizer_span, precision_span, batch_span, data_span;
    bool master_copy;         /* parameters rest in compute_dtype, a master copy in f32 among the optimizer's states */
    bool loss_scale;          /* a dynamic one */
    const char *data_path;    /* as written; NULL if not said */
    const char *data_kind;    /* "bytes": int tokens, each the next byte; "synthetic": counter-based numbers */
    int64_t checkpoint_every; /* steps; 0 never */
    const char *checkpoint_path;
    Vec(Assert) asserts;
    Contracts contracts;
    const char *optimizer_name;
    double learning_rate;
    const char *file_name; /* of the train statement */
} Train;

/* False where errors were reported. */
bool sema_run(Ctx *ctx, const Ast *ast, Train **train);

#endif

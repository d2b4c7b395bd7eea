/* plan.h - what a placed step program costs: memory by category, traffic by call.
 *
 * Costs are computed from the last step program alone, whoever wrote it. Memory is the arena's own layout: exact, byte
 * for byte. Traffic is the list of communication calls of one training step. The train supplies names, asserts and the
 * memory limit; of the strategy, only the report of cuts over axes of size 1 (P0352) looks at the assignment, because
 * step programs do not show these cuts.
 *
 *     Plan *plan = plan_run(ctx, train, file);
 *     plan_find_time(ctx, plan);
 *     plan_print_text(plan, verdict, stdout);
 */
#ifndef PLACE_PLAN_PLAN_H
#define PLACE_PLAN_PLAN_H

#include "plan/cost.h"
#include "reference/train.h"
#include "strategy/assign.h"
#include "verify/verify.h"

enum { CATEGORY_COUNT = CATEGORY_CACHE + 1 };

/* All calls of the same operation, axes, state and payload, and so by the same algorithm (base/algorithm.def). Bytes
 * and counts are per training step. */
typedef struct PlanCall {
    OpKind op;
    int axis_count;
    int8_t axis[STEP_MAX_AXES];
    int64_t ranks;            /* group size: product of the axes' sizes */
    const char *algorithm;    /* "ring"; NULL in a call that is only described */
    const char *state;        /* "parameters", "gradients", or the output's name for scalars: "loss", "gradient_norm" */
    int64_t count;            /* calls per step, */
    int64_t every;            /* or, if not 1, per `every` steps */
    int64_t payload_bytes;    /* of one call: the larger of send and receive buffer, padding included */
    int64_t bytes_per_device; /* sent per step by one device in all calls, with a bandwidth-optimal algorithm */
    int64_t balanced_bytes; /* of these, if experts get equally many rows; all of them if they do not depend on that */
    bool scalar;
    Span span;
} PlanCall;

typedef Vec(PlanCall) PlanCalls;

/* Bytes copied between a tier and the device in one training step. */
typedef struct PlanLink {
    int64_t to_device_bytes, from_device_bytes;
} PlanLink;

/* Ranks that hold the same and make the same calls: a stage of a pipeline, or several. */
typedef struct PlanClass {
    int64_t first_rank, ranks;
    int64_t coordinates[STEP_MAX_AXES]; /* of the first rank */
    Vec(int64_t) places;                /* the ranks' coordinates on Plan.class_axes as one number, the last fastest */
    /* As those of the plan, except that `total_bytes` is the arena without what only other ranks use. */
    int64_t category_bytes[CATEGORY_COUNT], padding_bytes, total_bytes;
    PlanCalls calls;
    int64_t traffic_bytes; /* sent by one of the ranks in a step, at most */
    int64_t prefill_bytes; /* sent to read the prompts, if the model is served */
    PlanLink links[TIER_FILE + 1];
    double flops, product_flops;
} PlanClass;

/* A part of the program on the rank that computes most: the operators of one loop over layers, or of none. */
typedef struct PlanPart {
    const char *name; /* "block, backward" */
    double seconds, spent[SPENT_COUNT];
} PlanPart;

/* How long a step takes, in seconds. */
typedef struct PlanTime {
    const char *unknown; /* what is not known of the devices; NULL: the rest is predicted */
    double step, low, high;
    double computing, communicating, waiting; /* of the rank that computes most, to its end */
    double utilization;                       /* of all devices, by the model's products (MFU) */
    Vec(PlanPart) parts;
    double prefill;  /* of a model that is served: how long reading the prompts takes */
    double energy_j; /* of all devices, each at full load all the time; 0: not known */
    double price;    /* of all devices, as the cluster says; 0: it does not */
} PlanTime;

typedef struct Plan {
    const Train *train;
    const Decls *decls;
    int64_t devices, parameters;
    AxisMask class_axes; /* ranks that differ only on other axes hold and run the same */
    Vec(PlanClass) classes;
    /* For the rank that holds most; among equals the first, which has the largest pieces. A flat shard counts as its
     * equal share, elements / n rounded down; the rest of a rank's range, gaps due to alignment, and bytes that only
     * other ranks use are padding. Arena bytes that serve several buffers in turn count for the first category. So
     * everything adds up to the total. */
    int64_t peak_rank;
    int64_t category_bytes[CATEGORY_COUNT];
    int64_t padding_bytes;
    int64_t total_bytes;               /* the arena of the device tier */
    int64_t tier_bytes[TIER_FILE + 1]; /* the arenas of all tiers */
    int64_t busiest_rank;              /* the rank that sends most, whose calls are listed */
    PlanCalls calls;
    int64_t traffic_bytes_per_device;
    int64_t prefill_bytes_per_device; /* of the rank that sends most to read the prompts */
    PlanLink links[TIER_FILE + 1];    /* of the rank that copies most; the device's own entry is unused */
    /* Of one step, on the rank with most to compute, with the largest pieces; and of these in products, matrix products
     * and convolutions, which is what published counts of operations mean. What is recomputed counts each time. */
    double flops_per_device, product_flops_per_device;
    PlanTime time; /* of plan_find_time */
    bool timed;
    const StepFile *file;
} Plan;

/* Does a program of this kind have memory of the category? Trained models keep no keys and values; served ones have no
 * gradients. */
bool plan_has(const Plan *plan, Category category);

Plan *plan_run(Ctx *ctx, const Train *train, const StepFile *file);

/* Sets plan->time, once. Not part of plan_run, because the play of a pipeline grows with its microbatches. */
void plan_find_time(Ctx *ctx, Plan *plan);

/* The cost of one communication operator that runs `times` times in a step, as a call of its own. */
PlanCall plan_describe_call(const Program *program, const Op *op, int64_t times);

/* The bytes that one of `ranks` devices sends for one call of a bandwidth-optimal algorithm. */
int64_t plan_optimal_bytes(Collective op, int64_t ranks, int64_t payload_bytes);

/* Reports P0352 .. P0357: communication that could be saved, and cuts that cut nothing. Returns the bytes per device
 * and step that fixing all of it would save. */
int64_t plan_report_waste(Ctx *ctx, const Plan *plan, const Assignment *assignment, const StepFile *file);

/* Reports P0401 for every assert of the program that does not hold. */
void plan_check_asserts(Ctx *ctx, Plan *plan);
/* Do all of them hold? The plan has its time. */
bool plan_keeps_asserts(const Plan *plan);

/* Reports P0364 if a product is sharded by a dim with fewer elements than ranks, so that some have no part of it. */
void plan_report_idle(Ctx *ctx, const Plan *plan, const Assignment *assignment, const StepFile *file);

/* Reports P0363 if a device of the cluster has less memory than the arena takes. */
void plan_check_fits(Ctx *ctx, const Plan *plan);

void plan_print_text(const Plan *plan, const Verdict *verdict, FILE *out);
/* The keys of format version 1 (docs/plan.md). The text is allocated in the arena. */
char *plan_json(Ctx *ctx, const Plan *plan, const Verdict *verdict);

#endif

/* plan.h - what a placed step program costs: memory by category, traffic by call.
 *
 * The planner only reads the last step program; it knows no strategies. Memory is the arena's own layout: exact, byte
 * for byte. Traffic is the list of communication calls of one training step.
 *
 *     Plan *plan = plan_run(ctx, file);
 *     plan_print_text(plan, stdout);
 */
#ifndef PLACE_PLAN_PLAN_H
#define PLACE_PLAN_PLAN_H

#include "reference/train.h"
#include "verify/verify.h"

enum { CATEGORY_COUNT = CATEGORY_BUFFERS + 1 };

/* All calls of one kind: same operation, axes, state and payload. Bytes and counts are per training step. */
typedef struct PlanCall {
    OpKind op;
    int axis_count;
    int8_t axis[STEP_MAX_AXES];
    int64_t ranks;            /* group size: product of the axes' sizes */
    const char *state;        /* "parameters", "gradients", or the output's name for scalars: "loss", "gradient_norm" */
    int64_t count;            /* calls per step, */
    int64_t every;            /* or after each so-manyth one: else 1 */
    int64_t payload_bytes;    /* of one call: the larger of send and receive buffer, padding included */
    int64_t bytes_per_device; /* all calls, per step: what a bandwidth-optimal algorithm sends from one device */
    bool scalar;
    Span span;
} PlanCall;

/* What is copied between a tier and the device in one training step. */
typedef struct PlanLink {
    int64_t to_device_bytes, from_device_bytes;
} PlanLink;

typedef struct Plan {
    const Train *train;
    const Decls *decls;
    int64_t devices, parameters;
    bool ranks_differ; /* in what they hold and run: pipelines */
    /* On the rank that has most; of alike ones the first, which has the largest piece of everything cut. A flat shard
     * counts as its equal share, elements / n rounded down; what a rank's range has beyond that, the gaps that
     * alignment leaves, and what only other ranks use, are padding. Where arena bytes serve several buffers in turn
     * they count for the first category. So all of it adds up to the total. */
    int64_t peak_rank;
    int64_t category_bytes[CATEGORY_COUNT];
    int64_t padding_bytes;
    int64_t total_bytes; /* the arena of the device tier */
    int64_t tier_bytes[TIER_FILE + 1]; /* the arenas of all tiers */
    int64_t busiest_rank; /* that sends most: the calls are its */
    Vec(PlanCall) calls;
    int64_t traffic_bytes_per_device;
    PlanLink links[TIER_FILE + 1]; /* of the rank that copies most; none of the device's own */
    double flops_per_device; /* one step, the rank that has most to do, with the largest pieces */
} Plan;

Plan *plan_run(Ctx *ctx, const Train *train, const StepFile *file);

/* What one communication operator costs that runs `times` times in a step: a call of its own. */
PlanCall plan_describe_call(const Program *program, const Op *op, int64_t times);

/* What a bandwidth-optimal algorithm sends from one of `ranks` devices for one call. */
int64_t plan_optimal_bytes(Collective op, int64_t ranks, int64_t payload_bytes);

/* Reports P0352 .. P0357: communication that could be less, cuts that cut nothing. Returns the bytes per device and
 * step that would not be sent if all of it were mended. */
int64_t plan_report_waste(Ctx *ctx, const Plan *plan, const StepFile *file);

/* Reports P0401 for every assert of the program that fails. */
void plan_check_asserts(Ctx *ctx, const Plan *plan);

/* "1.46 GiB": 3 significant digits, binary units. */
const char *plan_bytes(Arena *arena, int64_t bytes);

void plan_print_text(const Plan *plan, const Verdict *verdict, FILE *out);
/* The keys of format version 1 (docs/plan.md). The text lives in the arena. */
char *plan_json(Ctx *ctx, const Plan *plan, const Verdict *verdict);

#endif

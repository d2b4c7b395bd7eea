/* plan.c - what a communication costs, and the plan as a whole: of the classes of ranks (plan/classes.h) those that
 * hold and send most. */
#include "plan/plan.h"

#include "plan/classes.h"
#include "plan/filled.h"
#include "step/names.h"

#include <stdlib.h>
#include <string.h>

/* ---- A communication's cost --------------------------------------------------------------------------------- */

/* What one of n devices must send of a payload, at least: the rules of step/collective.def. */

static int64_t bytes_nothing(int64_t ranks, int64_t payload)
{
    (void)ranks, (void)payload;
    return 0;
}

/* A message is sent whole, by the sender only; in a broadcast along a chain no device sends more than the payload. */
static int64_t bytes_all(int64_t ranks, int64_t payload)
{
    return ranks > 1 ? payload : 0;
}

/* A gather or a scatter: the other ranks' pieces, (n-1)/n. */
static int64_t bytes_others(int64_t ranks, int64_t payload)
{
    return (ranks - 1) * payload / ranks;
}

/* An all-reduce: twice that of a gather (Patarasuk and Yuan 2009). */
static int64_t bytes_twice(int64_t ranks, int64_t payload)
{
    return 2 * (ranks - 1) * payload / ranks;
}

int64_t plan_optimal_bytes(Collective op, int64_t ranks, int64_t payload_bytes)
{
    switch (op) {
#define COLLECTIVE(id, whole, piece, sums, peers, transfer, shape, bytes, ...)                                         \
    case COLLECTIVE_##id:                                                                                              \
        return bytes_##bytes(ranks, payload_bytes);
#include "step/collective.def"
#undef COLLECTIVE
    }
    BUG("a collective that is none");
}

static const char *state_of(const Decls *decls, const Program *program, const Op *op)
{
    const Buffer *out = &program->buffers.data[op_has_result(op->kind) ? op->out.buffer : op->operand[0].buffer];
    const Buffer *in = op->operand_count > 0 ? &program->buffers.data[op->operand[0].buffer] : out;
    int state = in->state >= 0 ? in->state : out->state;
    return state >= 0 ? decls->states.data[state].name : out->name;
}

static bool is_scalar(const Program *program, const Ref *ref)
{
    const Buffer *buffer = &program->buffers.data[ref->buffer];
    return buffer->layout == LAYOUT_DENSE && buffer->dim_count == 0;
}

static int64_t payload_whole(const Program *program, const Op *op)
{
    return ref_bytes(program, op_side(op, collective_info(op_collective(op->kind))->whole));
}

/* All of its room: how much of it is filled is known when it runs. */
static int64_t payload_filled(const Program *program, const Op *op)
{
    return payload_whole(program, op);
}

/* The halo that it receives from its neighbours. */
static int64_t payload_edges(const Program *program, const Op *op)
{
    return llabs(ref_bytes(program, &op->out) - ref_bytes(program, &op->operand[0]));
}

static int64_t payload_bytes(const Program *program, const Op *op)
{
    switch (op_collective(op->kind)) {
#define COLLECTIVE(id, whole, piece, sums, peers, transfer, shape, bytes, payload, ...)                                \
    case COLLECTIVE_##id:                                                                                              \
        return payload_##payload(program, op);
#include "step/collective.def"
#undef COLLECTIVE
    }
    BUG("'%s' is no collective", op_info[op->kind].name);
}

PlanCall plan_describe_call(const Program *program, const Op *op, int64_t times)
{
    const Decls *decls = program->decls;
    PlanCall call = {
        .op = op->kind, .axis_count = op->axes.count, .ranks = 1, .count = times, .every = 1, .span = op->span};
    memcpy(call.axis, op->axes.axis, sizeof call.axis);
    for (int i = 0; i < op->axes.count; i++)
        call.ranks *= decls->axes.data[op->axes.axis[i]].size;
    call.state = state_of(decls, program, op);
    call.scalar = is_scalar(program, op_side(op, collective_info(op_collective(op->kind))->whole));
    call.payload_bytes = payload_bytes(program, op);
    call.bytes_per_device = call.count * plan_optimal_bytes(op_collective(op->kind), call.ranks, call.payload_bytes);
    double share = op->kind == OP_ALL_TO_ALL_FILLED ? plan_filled_share(program, op) : 1;
    call.balanced_bytes = (int64_t)((double)call.bytes_per_device * share);
    return call;
}

/* ---- The plan ----------------------------------------------------------------------------------------------- */

static int64_t bytes_held(const PlanClass *class)
{
    int64_t bytes = 0;
    for (int category = 0; category < CATEGORY_COUNT; category++)
        bytes += class->category_bytes[category];
    return bytes;
}

static int64_t bytes_copied(const PlanLink *link)
{
    return link->to_device_bytes + link->from_device_bytes;
}

/* Of classes that are equal in something, the first. */
static void find_most(Plan *plan)
{
    const PlanClass *largest = &plan->classes.data[0], *busiest = largest, *slowest = largest;
    for (int c = 0; c < plan->classes.count; c++) {
        const PlanClass *class = &plan->classes.data[c];
        largest = bytes_held(class) > bytes_held(largest) ? class : largest;
        busiest = class->traffic_bytes > busiest->traffic_bytes ? class : busiest;
        slowest = class->flops > slowest->flops ? class : slowest;
        for (Tier tier = TIER_HOST; tier <= TIER_FILE; tier++)
            if (bytes_copied(&class->links[tier]) > bytes_copied(&plan->links[tier]))
                plan->links[tier] = class->links[tier];
    }
    plan->peak_rank = largest->first_rank;
    memcpy(plan->category_bytes, largest->category_bytes, sizeof plan->category_bytes);
    plan->padding_bytes = plan->total_bytes - bytes_held(largest);
    plan->busiest_rank = busiest->first_rank;
    plan->calls = busiest->calls;
    plan->traffic_bytes_per_device = busiest->traffic_bytes;
    plan->flops_per_device = slowest->flops;
    plan->product_flops_per_device = slowest->product_flops;
}

bool plan_has(const Plan *plan, Category category)
{
    bool trained = category == CATEGORY_GRADIENTS || category == CATEGORY_OPTIMIZER;
    return plan->train->serves ? !trained : category != CATEGORY_CACHE;
}

Plan *plan_run(Ctx *ctx, const Train *train, const StepFile *file)
{
    Plan *plan = arena_make(ctx->arena, Plan);
    plan->train = train;
    plan->decls = file->decls;
    plan->file = file;
    plan->devices = 1;
    for (int i = 0; i < file->decls->axes.count; i++)
        plan->devices *= file->decls->axes.data[i].size;
    for (int i = 0; i < file->decls->tensors.count; i++) {
        const Tensor *tensor = &file->decls->tensors.data[i];
        int64_t layers = tensor->group >= 0 ? file->decls->groups.data[tensor->group].layers : 1;
        if (tensor->kind == TENSOR_PARAMETER)
            plan->parameters += layers * tensor_elements(tensor);
    }
    for (Tier tier = TIER_DEVICE; tier <= TIER_FILE; tier++)
        plan->tier_bytes[tier] = file->program->arena_bytes[tier];
    plan->total_bytes = plan->tier_bytes[TIER_DEVICE];
    plan_find_classes(ctx, plan, file->program);
    find_most(plan);
    return plan;
}

static bool holds(const Plan *plan, const Assert *claim)
{
    switch (claim->quantity) {
    case ASSERT_MEMORY_PER_DEVICE:
        return plan->total_bytes < claim->limit_bytes;
    case ASSERT_TRAFFIC_PER_DEVICE:
        return plan->traffic_bytes_per_device < claim->limit_bytes;
    case ASSERT_TIME_PER_STEP:
        return plan->time.unknown == NULL && plan->time.step < claim->limit_seconds;
    }
    BUG("an assert of no quantity");
}

bool plan_keeps_asserts(const Plan *plan)
{
    bool keeps = true;
    for (int i = 0; i < plan->train->asserts.count; i++)
        keeps = keeps && holds(plan, &plan->train->asserts.data[i]);
    return keeps;
}

static void report_bytes(Ctx *ctx, const Assert *claim, const char *what, int64_t bytes)
{
    Diagnostic *d = diag_report(ctx->diag, P0401, claim->span, "%s is %s, not below %s", what,
                                str_bytes(ctx->arena, bytes), str_bytes(ctx->arena, claim->limit_bytes));
    diag_help(d, "`placec plan` shows what it consists of.");
}

static void report_seconds(Ctx *ctx, const Assert *claim, const Plan *plan)
{
    const PlanTime *time = &plan->time;
    const char *device = plan->train->cluster.device.name;
    if (time->unknown != NULL) {
        Diagnostic *d = diag_report(ctx->diag, P0401, claim->span, "the time of a step on %s is not predicted", device);
        diag_why(d, "Not known is %s.", time->unknown);
        diag_help(d,
                  "Lines of cluster '%s' may say it, as `memory at 18 GB/s`; `placec calibrate` writes those of this "
                  "machine.",
                  plan->train->cluster.name);
        return;
    }
    Diagnostic *d = diag_report(ctx->diag, P0401, claim->span, "a step takes %s, not less than %s",
                                str_seconds(ctx->arena, time->step), str_seconds(ctx->arena, claim->limit_seconds));
    diag_help(d, "`placec plan` shows what it consists of.");
}

void plan_check_asserts(Ctx *ctx, Plan *plan)
{
    for (int i = 0; i < plan->train->asserts.count; i++) {
        const Assert *claim = &plan->train->asserts.data[i];
        if (claim->quantity == ASSERT_TIME_PER_STEP)
            plan_find_time(ctx, plan);
        if (holds(plan, claim))
            continue;
        switch (claim->quantity) {
        case ASSERT_MEMORY_PER_DEVICE:
            report_bytes(ctx, claim, "memory per device", plan->total_bytes);
            break;
        case ASSERT_TRAFFIC_PER_DEVICE:
            report_bytes(ctx, claim, "traffic per device", plan->traffic_bytes_per_device);
            break;
        case ASSERT_TIME_PER_STEP:
            report_seconds(ctx, claim, plan);
            break;
        }
    }
}

static Category largest_category(const Plan *plan)
{
    Category largest = 0;
    for (int category = 1; category < CATEGORY_COUNT; category++)
        if (plan->category_bytes[category] > plan->category_bytes[largest])
            largest = (Category)category;
    return largest;
}

void plan_check_fits(Ctx *ctx, const Plan *plan)
{
    const Cluster *cluster = &plan->train->cluster;
    if (cluster->device.memory_bytes == 0 || plan->total_bytes <= cluster->device.memory_bytes)
        return;
    Category largest = largest_category(plan);
    Diagnostic *d = diag_report(ctx->diag, P0363, cluster->span, "each device needs %s, but the memory of %s is %s",
                                str_bytes(ctx->arena, plan->total_bytes), cluster->device.name,
                                str_bytes(ctx->arena, cluster->device.memory_bytes));
    diag_why(d, "The largest part is %s of %s.", str_bytes(ctx->arena, plan->category_bytes[largest]),
             category_names[largest]);
    diag_help(d, "Shard more, recompute or offload; `placec plan` shows what it consists of.");
}

/* plan.c - computes memory (bytes of the arenas by category) and traffic (bytes that each collective sends) from the
 * last step program. */
#include "plan/plan.h"

#include "base/ranges.h"
#include "plan/walk.h"
#include "step/names.h"

#include <stdlib.h>
#include <string.h>

/* ---- Memory ------------------------------------------------------------------------------------------------- */

/* A rank's equal share of a slot's elements, without padding: padding is an item of its own. */
static int64_t fair_elements(const Decls *decls, const Buffer *buffer)
{
    if (buffer->layout != LAYOUT_UNIT)
        return buffer_slot_elements(decls, buffer);
    int64_t parts = 1;
    for (int i = 0; i < buffer->cut_count; i++)
        parts *= decls->axes.data[buffer->cut[i]].size;
    return unit_each_elements(decls, &decls->units.data[buffer->unit], buffer->each) / parts;
}

/* The part of the arena in which this rank holds the buffer. */
static ByteRange held_range(const Decls *decls, const Buffer *buffer, int64_t slots)
{
    int64_t end = slots * buffer_slot_bytes(decls, buffer);
    return (ByteRange){buffer->offset, buffer->offset + (slots < buffer->slots ? end : buffer->bytes)};
}

/* Every byte of the arena is counted for the first category, in enum order, with a buffer there on this rank, so
 * categories, padding and gaps add up to the arena. States never share bytes with each other; activations and buffers
 * may. */
static int64_t plan_categories(Ctx *ctx, const Program *program, const int64_t *coordinates, int64_t *category_bytes)
{
    ByteRanges taken = {0};
    int64_t covered = 0;
    for (int category = 0; category < CATEGORY_COUNT; category++) {
        for (int i = 0; i < program->buffers.count; i++) {
            const Buffer *buffer = &program->buffers.data[i];
            if ((int)buffer->category != category || buffer->tier != TIER_DEVICE || buffer->offset < 0 ||
                !walk_holds(program->decls, buffer, coordinates))
                continue;
            int64_t slots = walk_slots(program->decls, buffer, coordinates);
            int64_t fresh = ranges_add(ctx->arena, &taken, held_range(program->decls, buffer, slots));
            int64_t fair = fair_elements(program->decls, buffer) * slots * dtype_bytes(buffer->dtype);
            int64_t own = fresh < fair ? fresh : fair;
            category_bytes[category] += own;
            covered += own;
        }
    }
    return covered;
}

/* The first axis is outermost. */
static int64_t rank_of(const Decls *decls, const int64_t *coordinates)
{
    int64_t rank = 0;
    for (int a = 0; a < decls->axes.count; a++)
        rank = rank * decls->axes.data[a].size + coordinates[a];
    return rank;
}

static void plan_memory(Ctx *ctx, Plan *plan, const Program *program)
{
    AxisMask axes = walk_axes(program);
    int64_t coordinates[STEP_MAX_AXES] = {0}, most = -1;
    do {
        int64_t category_bytes[CATEGORY_COUNT] = {0};
        int64_t covered = plan_categories(ctx, program, coordinates, category_bytes);
        if (covered <= most)
            continue;
        most = covered;
        plan->peak_rank = rank_of(plan->decls, coordinates);
        memcpy(plan->category_bytes, category_bytes, sizeof category_bytes);
    } while (walk_next_rank(plan->decls, axes, coordinates));
    plan->total_bytes = program->arena_bytes[TIER_DEVICE];
    for (Tier tier = TIER_DEVICE; tier <= TIER_FILE; tier++)
        plan->tier_bytes[tier] = program->arena_bytes[tier];
    plan->padding_bytes = plan->total_bytes - most;
}

/* ---- Traffic ------------------------------------------------------------------------------------------------ */

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

static bool same_call(const PlanCall *a, const PlanCall *b)
{
    return a->op == b->op && a->axis_count == b->axis_count && memcmp(a->axis, b->axis, (size_t)a->axis_count) == 0 &&
           a->state == b->state && a->payload_bytes == b->payload_bytes && a->every == b->every;
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
    return call;
}

static void add_call(Ctx *ctx, Plan *plan, const PlanCall *call)
{
    for (int i = 0; i < plan->calls.count; i++) {
        PlanCall *known = &plan->calls.data[i];
        if (!same_call(known, call))
            continue;
        known->count += call->count;
        known->bytes_per_device += call->bytes_per_device;
        return;
    }
    vec_push(ctx->arena, &plan->calls, *call);
}

/* An operator that runs in every step, or every `every` steps. */
typedef struct PlanOp {
    const Op *op;
    int64_t every;
    double flops;
    PlanCall call; /* COMM: for one run */
} PlanOp;
typedef Vec(PlanOp) PlanOps;

static void list_ops(Ctx *ctx, const Program *program, const NodeList *body, int64_t every, PlanOps *ops)
{
    for (int i = 0; i < body->count; i++) {
        const Op *op = node_op(body->data[i]);
        if (body->data[i]->kind == NODE_OP) {
            PlanOp planned = {.op = op, .every = every, .flops = op_flops(program, op)};
            if (op_info[op->kind].op_class == CLASS_COMM)
                planned.call = plan_describe_call(program, op, 1);
            planned.call.every = every;
            vec_push(ctx->arena, ops, planned);
        }
        list_ops(ctx, program, &body->data[i]->body, every, ops);
    }
}

/* The share of `bytes` per step. */
static int64_t per_step(const PlanOp *op, int64_t bytes)
{
    return (bytes + op->every - 1) / op->every;
}

/* Copies between tiers, on a rank that runs each operator `times` times. */
static void plan_links(Plan *plan, const Program *program, const PlanOps *ops, const int64_t *times)
{
    PlanLink links[TIER_FILE + 1] = {0};
    for (int i = 0; i < ops->count; i++) {
        const Op *op = ops->data[i].op;
        if (op->kind != OP_COPY)
            continue;
        Tier from = program->buffers.data[op->operand[0].buffer].tier, to = program->buffers.data[op->out.buffer].tier;
        int64_t bytes = per_step(&ops->data[i], times[op->id] * ref_bytes(program, &op->out));
        if (from != TIER_DEVICE)
            links[from].to_device_bytes += bytes;
        if (to != TIER_DEVICE)
            links[to].from_device_bytes += bytes;
    }
    for (Tier tier = TIER_HOST; tier <= TIER_FILE; tier++) {
        PlanLink *most = &plan->links[tier];
        if (links[tier].to_device_bytes + links[tier].from_device_bytes >
            most->to_device_bytes + most->from_device_bytes)
            *most = links[tier];
    }
}

/* The routines of training: the step, and what runs every so many steps. */
static bool is_of_training(const Routine *routine)
{
    return routine->kind == ROUTINE_STEP || routine->kind == ROUTINE_JOIN;
}

static void count_runs(const Program *program, const int64_t *coordinates, int64_t *times)
{
    int64_t *of_routine = times + program->op_count;
    memset(times, 0, sizeof *times * (size_t)program->op_count);
    for (int r = 0; r < program->routines.count; r++) {
        if (!is_of_training(&program->routines.data[r]))
            continue;
        walk_count(program, &program->routines.data[r], coordinates, of_routine);
        for (int i = 0; i < program->op_count; i++)
            times[i] += of_routine[i];
    }
}

static PlanOps ops_of_training(Ctx *ctx, const Program *program)
{
    PlanOps ops = {0};
    for (int r = 0; r < program->routines.count; r++) {
        const Routine *routine = &program->routines.data[r];
        if (is_of_training(routine))
            list_ops(ctx, program, &routine->body, routine->every > 0 ? routine->every : 1, &ops);
    }
    return ops;
}

static void add_calls(Ctx *ctx, Plan *plan, const PlanOps *ops, const int64_t *times)
{
    for (int i = 0; i < ops->count; i++) {
        PlanCall *call = &ops->data[i].call;
        call->count = times[ops->data[i].op->id];
        call->bytes_per_device = per_step(&ops->data[i], call->bytes_per_device * call->count);
        if (op_info[ops->data[i].op->kind].op_class == CLASS_COMM && call->count > 0)
            add_call(ctx, plan, call);
    }
}

/* Ranks may run different operators: the calls listed are those of the rank that sends most. */
static void plan_traffic(Ctx *ctx, Plan *plan, const Program *program)
{
    PlanOps ops = ops_of_training(ctx, program);
    AxisMask axes = walk_axes(program);
    int64_t coordinates[STEP_MAX_AXES] = {0}, *times = arena_array(ctx->arena, int64_t, 2 * program->op_count + 1);
    int64_t *busiest = arena_array(ctx->arena, int64_t, program->op_count + 1);
    plan->traffic_bytes_per_device = -1;
    do {
        count_runs(program, coordinates, times);
        plan_links(plan, program, &ops, times);
        double rank_flops = 0, rank_products = 0;
        int64_t sent = 0;
        for (int i = 0; i < ops.count; i++) {
            const PlanOp *op = &ops.data[i];
            double flops = (double)times[op->op->id] * op->flops / (double)op->every;
            rank_flops += flops;
            rank_products += op_is_product(op->op) ? flops : 0;
            sent += per_step(op, times[op->op->id] * op->call.bytes_per_device);
        }
        if (rank_flops > plan->flops_per_device) {
            plan->flops_per_device = rank_flops;
            plan->product_flops_per_device = rank_products;
        }
        if (sent <= plan->traffic_bytes_per_device)
            continue;
        plan->traffic_bytes_per_device = sent;
        plan->busiest_rank = rank_of(plan->decls, coordinates);
        memcpy(busiest, times, sizeof *times * (size_t)program->op_count);
    } while (walk_next_rank(plan->decls, axes, coordinates));
    add_calls(ctx, plan, &ops, busiest);
}

/* ---- The plan ----------------------------------------------------------------------------------------------- */

Plan *plan_run(Ctx *ctx, const Train *train, const StepFile *file)
{
    Plan *plan = arena_make(ctx->arena, Plan);
    plan->train = train;
    plan->decls = file->decls;
    plan->devices = 1;
    for (int i = 0; i < file->decls->axes.count; i++)
        plan->devices *= file->decls->axes.data[i].size;
    for (int i = 0; i < file->decls->tensors.count; i++) {
        const Tensor *tensor = &file->decls->tensors.data[i];
        int64_t layers = tensor->group >= 0 ? file->decls->groups.data[tensor->group].layers : 1;
        if (tensor->kind == TENSOR_PARAMETER)
            plan->parameters += layers * tensor_elements(tensor);
    }
    plan->ranks_differ = walk_axes(file->program) != 0;
    plan_memory(ctx, plan, file->program);
    plan_traffic(ctx, plan, file->program);
    return plan;
}

void plan_check_asserts(Ctx *ctx, const Plan *plan)
{
    static const char *const words[] = {
        [ASSERT_MEMORY_PER_DEVICE] = "memory per device", [ASSERT_TRAFFIC_PER_DEVICE] = "traffic per device"};
    for (int i = 0; i < plan->train->asserts.count; i++) {
        const Assert *claim = &plan->train->asserts.data[i];
        int64_t bytes =
            claim->quantity == ASSERT_MEMORY_PER_DEVICE ? plan->total_bytes : plan->traffic_bytes_per_device;
        if (bytes < claim->limit_bytes)
            continue;
        Diagnostic *d = diag_report(ctx->diag, P0401, claim->span, "%s is %s, not below %s", words[claim->quantity],
                                    str_bytes(ctx->arena, bytes), str_bytes(ctx->arena, claim->limit_bytes));
        diag_help(d, "`placec plan` shows what it consists of.");
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
    if (cluster->device_memory_bytes == 0 || plan->total_bytes <= cluster->device_memory_bytes)
        return;
    Category largest = largest_category(plan);
    Diagnostic *d = diag_report(ctx->diag, P0363, cluster->span, "each device needs %s, but the memory of %s is %s",
                                str_bytes(ctx->arena, plan->total_bytes), cluster->device,
                                str_bytes(ctx->arena, cluster->device_memory_bytes));
    diag_why(d, "The largest part is %s of %s.", str_bytes(ctx->arena, plan->category_bytes[largest]),
             category_names[largest]);
    diag_help(d, "Shard more, recompute or offload; `placec plan` shows what it consists of.");
}

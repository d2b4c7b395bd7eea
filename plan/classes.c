/* classes.c - what each class of ranks holds of the arena, and how often it runs what (plan/classes.h). Every
 * combination of coordinates that guards, bounds or holders ask for is walked; ranks for which all numbers are the same
 * are one class. */
#include "plan/classes.h"

#include "base/ranges.h"
#include "plan/walk.h"

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
    const Unit *unit = &decls->units.data[buffer->unit];
    return (buffer->each == EACH_ELEMENT ? unit->held : unit_each_elements(decls, unit, buffer->each)) / parts;
}

/* The part of the arena in which this rank holds the buffer. */
static ByteRange held_range(const Decls *decls, const Buffer *buffer, int64_t slots)
{
    int64_t end = slots * buffer_slot_bytes(decls, buffer);
    return (ByteRange){buffer->offset, buffer->offset + (slots < buffer->slots ? end : buffer->bytes)};
}

/* Every byte of the arena is counted for the first category, in enum order, with a buffer there on this rank, so
 * categories and padding add up to what the rank uses. States never share bytes with each other; activations and
 * buffers may. Adds the bytes to `used`, those of all ranks, and returns how many are this rank's. */
static int64_t count_memory(Ctx *ctx, const Program *program, PlanClass *class, ByteRanges *used)
{
    const Decls *decls = program->decls;
    ByteRanges taken = {0};
    int64_t own = 0;
    for (int category = 0; category < CATEGORY_COUNT; category++) {
        for (int i = 0; i < program->buffers.count; i++) {
            const Buffer *buffer = &program->buffers.data[i];
            if ((int)buffer->category != category || buffer->tier != TIER_DEVICE || buffer->offset < 0 ||
                !walk_holds(decls, buffer, class->coordinates))
                continue;
            int64_t slots = walk_slots(decls, buffer, class->coordinates);
            ByteRange range = held_range(decls, buffer, slots);
            int64_t fresh = ranges_add(ctx->arena, &taken, range);
            int64_t fair = fair_elements(decls, buffer) * slots * dtype_bytes(buffer->dtype);
            class->category_bytes[category] += fresh < fair ? fresh : fair;
            own += fresh;
            ranges_add(ctx->arena, used, range);
        }
    }
    return own;
}

/* ---- Operators ---------------------------------------------------------------------------------------------- */

/* An operator that runs in every step, or every `every` steps. */
typedef struct PlanOp {
    const Op *op;
    int64_t every;
    double flops;
    PlanCall call; /* COMM: for one run */
} PlanOp;
typedef Vec(PlanOp) PlanOps;

static void list_ops(Ctx *ctx, const Cluster *cluster, const Program *program, const NodeList *body, int64_t every,
                     PlanOps *ops)
{
    for (int i = 0; i < body->count; i++) {
        const Op *op = node_op(body->data[i]);
        if (body->data[i]->kind == NODE_OP) {
            PlanOp planned = {.op = op, .every = every, .flops = op_flops(program, op)};
            if (op_info[op->kind].op_class == CLASS_COMM) {
                planned.call = plan_describe_call(program, op, 1);
                planned.call.algorithm = cost_algorithm(cluster, program, op);
            }
            planned.call.every = every;
            vec_push(ctx->arena, ops, planned);
        }
        list_ops(ctx, cluster, program, &body->data[i]->body, every, ops);
    }
}

/* The routines of training: the step, and what runs every so many steps. */
static bool is_of_training(const Routine *routine)
{
    return routine->kind == ROUTINE_STEP || routine->kind == ROUTINE_JOIN;
}

static PlanOps ops_of_training(Ctx *ctx, const Cluster *cluster, const Program *program)
{
    PlanOps ops = {0};
    for (int r = 0; r < program->routines.count; r++) {
        const Routine *routine = &program->routines.data[r];
        if (is_of_training(routine))
            list_ops(ctx, cluster, program, &routine->body, routine->every > 0 ? routine->every : 1, &ops);
    }
    return ops;
}

/* `times` has room for the counts of one routine after those of all. */
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

/* What one of the ranks sends to read the prompts. */
static int64_t prefill_bytes(Ctx *ctx, const Cluster *cluster, const Program *program, const int64_t *coordinates,
                             int64_t *times)
{
    const Routine *prefill = program_routine(program, ROUTINE_PREFILL);
    PlanOps ops = {0};
    int64_t bytes = 0;
    if (prefill == NULL)
        return 0;
    list_ops(ctx, cluster, program, &prefill->body, 1, &ops);
    walk_count(program, prefill, coordinates, times);
    for (int i = 0; i < ops.count; i++) {
        const Op *op = ops.data[i].op;
        if (op_info[op->kind].op_class == CLASS_COMM && times[op->id] > 0)
            bytes += plan_describe_call(program, op, times[op->id]).bytes_per_device;
    }
    return bytes;
}

/* The share of `bytes` per step. */
static int64_t per_step(const PlanOp *op, int64_t bytes)
{
    return (bytes + op->every - 1) / op->every;
}

static bool same_call(const PlanCall *a, const PlanCall *b)
{
    return a->op == b->op && a->axis_count == b->axis_count && memcmp(a->axis, b->axis, (size_t)a->axis_count) == 0 &&
           a->state == b->state && a->payload_bytes == b->payload_bytes && a->every == b->every;
}

static void add_call(Ctx *ctx, PlanCalls *calls, const PlanCall *call)
{
    for (int i = 0; i < calls->count; i++) {
        PlanCall *known = &calls->data[i];
        if (!same_call(known, call))
            continue;
        known->count += call->count;
        known->bytes_per_device += call->bytes_per_device;
        known->balanced_bytes += call->balanced_bytes;
        return;
    }
    vec_push(ctx->arena, calls, *call);
}

/* Copies between tiers. */
static void add_copy(const Program *program, const Op *op, int64_t bytes, PlanLink *links)
{
    Tier from = program->buffers.data[op->operand[0].buffer].tier, to = program->buffers.data[op->out.buffer].tier;
    if (from != TIER_DEVICE)
        links[from].to_device_bytes += bytes;
    if (to != TIER_DEVICE)
        links[to].from_device_bytes += bytes;
}

static void count_operators(Ctx *ctx, const Program *program, const PlanOps *ops, const int64_t *times,
                            PlanClass *class)
{
    for (int i = 0; i < ops->count; i++) {
        const PlanOp *planned = &ops->data[i];
        const Op *op = planned->op;
        int64_t count = times[op->id];
        double flops = (double)count * planned->flops / (double)planned->every;
        class->flops += flops;
        class->product_flops += op_is_product(op) ? flops : 0;
        if (op->kind == OP_COPY)
            add_copy(program, op, per_step(planned, count * ref_bytes(program, &op->out)), class->links);
        if (op_info[op->kind].op_class != CLASS_COMM || count == 0)
            continue;
        PlanCall call = planned->call;
        call.count = count;
        call.bytes_per_device = per_step(planned, call.bytes_per_device * count);
        call.balanced_bytes = per_step(planned, call.balanced_bytes * count);
        class->traffic_bytes += call.bytes_per_device;
        add_call(ctx, &class->calls, &call);
    }
}

/* ---- Classes ------------------------------------------------------------------------------------------------ */

static bool same_calls(const PlanCalls *a, const PlanCalls *b)
{
    if (a->count != b->count)
        return false;
    for (int i = 0; i < a->count; i++)
        if (!same_call(&a->data[i], &b->data[i]) || a->data[i].count != b->data[i].count)
            return false;
    return true;
}

static bool same_class(const PlanClass *a, const PlanClass *b)
{
    return memcmp(a->category_bytes, b->category_bytes, sizeof a->category_bytes) == 0 &&
           memcmp(a->links, b->links, sizeof a->links) == 0 && a->total_bytes == b->total_bytes &&
           a->prefill_bytes == b->prefill_bytes && a->flops == b->flops && a->product_flops == b->product_flops &&
           same_calls(&a->calls, &b->calls);
}

static void add_class(Ctx *ctx, Plan *plan, const PlanClass *class)
{
    int64_t place = class->places.data[0];
    for (int c = 0; c < plan->classes.count; c++) {
        PlanClass *known = &plan->classes.data[c];
        if (!same_class(known, class))
            continue;
        known->ranks += class->ranks;
        vec_push(ctx->arena, &known->places, place);
        return;
    }
    vec_push(ctx->arena, &plan->classes, *class);
}

static int64_t ranks_per_place(const Plan *plan)
{
    int64_t ranks = plan->devices;
    for (int a = 0; a < plan->decls->axes.count; a++)
        if (plan->class_axes >> a & 1)
            ranks /= plan->decls->axes.data[a].size;
    return ranks;
}

void plan_find_classes(Ctx *ctx, Plan *plan, const Program *program)
{
    const Decls *decls = plan->decls;
    PlanOps ops = ops_of_training(ctx, &plan->train->cluster, program);
    int64_t coordinates[STEP_MAX_AXES] = {0}, *times = arena_array(ctx->arena, int64_t, 2 * program->op_count + 1);
    AxisMask all_axes = ((AxisMask)1 << decls->axes.count) - 1;
    ByteRanges used = {0};
    plan->class_axes = walk_axes(program);
    do {
        PlanClass class = {.first_rank = walk_place(decls, all_axes, coordinates), .ranks = ranks_per_place(plan)};
        memcpy(class.coordinates, coordinates, sizeof coordinates);
        vec_push(ctx->arena, &class.places, walk_place(decls, plan->class_axes, coordinates));
        class.total_bytes = count_memory(ctx, program, &class, &used);
        count_runs(program, coordinates, times);
        count_operators(ctx, program, &ops, times, &class);
        class.prefill_bytes = prefill_bytes(ctx, &plan->train->cluster, program, coordinates, times);
        if (class.prefill_bytes > plan->prefill_bytes_per_device)
            plan->prefill_bytes_per_device = class.prefill_bytes;
        add_class(ctx, plan, &class);
    } while (walk_next_rank(decls, plan->class_axes, coordinates));
    int64_t of_all = 0; /* gaps due to alignment are everyone's */
    for (int i = 0; i < used.count; i++)
        of_all += used.data[i].end - used.data[i].start;
    for (int c = 0; c < plan->classes.count; c++) {
        PlanClass *class = &plan->classes.data[c];
        class->total_bytes += plan->total_bytes - of_all;
        class->padding_bytes = class->total_bytes;
        for (int category = 0; category < CATEGORY_COUNT; category++)
            class->padding_bytes -= class->category_bytes[category];
    }
}

/* time.c - how long a step takes (plan/plan.h): the play of its operators (plan/play.h), and what the rank that
 * computes most spends the time with, part by part. */
#include "plan/plan.h"
#include "plan/play.h"
#include "plan/reuse.h"

#include <string.h>

typedef struct Clock {
    Ctx *ctx;
    const Cluster *cluster;
    const Program *program;
    const OpTraffic *traffic; /* by operator; NULL: no caches are known */
    OpCost *costs;
    double *seconds, *far; /* the same in one number; messages between nodes */
    const char *unknown;
    bool serves;
} Clock;

/* ---- Operators ---------------------------------------------------------------------------------------------- */

static void cost_list(Clock *c, const NodeList *body)
{
    for (int i = 0; i < body->count; i++) {
        const Op *op = node_op(body->data[i]);
        cost_list(c, &body->data[i]->body);
        if (op == NULL || c->unknown != NULL)
            continue;
        c->unknown = cost_unknown(c->cluster, c->program, op);
        if (c->unknown != NULL)
            return;
        c->costs[op->id] = cost_op(c->cluster, c->program, op, c->traffic != NULL ? &c->traffic[op->id] : NULL);
        c->seconds[op->id] = c->costs[op->id].seconds;
        if (op_is_message(op->kind))
            c->far[op->id] = cost_far(c->cluster, c->program, op).seconds;
    }
}

static const Routine *find_routine(const Program *program, RoutineKind kind)
{
    for (int r = 0; r < program->routines.count; r++)
        if (program->routines.data[r].kind == kind)
            return &program->routines.data[r];
    return NULL;
}

/* ---- Parts -------------------------------------------------------------------------------------------------- */

typedef struct Parts {
    Clock *clock;
    const int64_t *times; /* that each operator runs */
    PlanTime *time;
} Parts;

static PlanPart *part_named(Parts *p, const char *name)
{
    for (int i = 0; i < p->time->parts.count; i++)
        if (strcmp(p->time->parts.data[i].name, name) == 0)
            return &p->time->parts.data[i];
    vec_push(p->clock->ctx->arena, &p->time->parts, (PlanPart){.name = name});
    return &p->time->parts.data[p->time->parts.count - 1];
}

static void add_op(Parts *p, const Op *op, const char *part)
{
    double times = (double)p->times[op->id];
    if (times == 0)
        return;
    PlanPart *into = part_named(p, part);
    const OpCost *cost = &p->clock->costs[op->id];
    into->seconds += times * cost->seconds;
    for (int i = 0; i < SPENT_COUNT; i++)
        into->spent[i] += times * cost->spent[i];
}

/* The loops over layers of one list: those before `back` go forward. */
typedef struct LayerLoops {
    int first, last_forward, back, last;
} LayerLoops;

static LayerLoops find_layers(const NodeList *body)
{
    LayerLoops loops = {.first = -1, .last_forward = -1, .back = body->count, .last = -1};
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        if (node->kind != NODE_LOOP || node->loop.kind != LOOP_LAYERS)
            continue;
        loops.first = loops.first < 0 ? i : loops.first;
        loops.last = i;
        if (!nodes_go_back(&node->body))
            loops.last_forward = i;
        else if (loops.back == body->count)
            loops.back = i;
    }
    return loops;
}

/* Where a list without loops over layers is, or an operator of a list that has some. */
static const char *place_of(const LayerLoops *loops, int at)
{
    if (loops->first < 0)
        return "outside layers";
    if (loops->last_forward < at && at < loops->back)
        return "after layers";
    return at < loops->first || at > loops->last ? "before layers" : "between layers";
}

/* The parts of a microbatch. */
static const char *part_name(Parts *p, const char *place, bool back)
{
    return arena_printf(p->clock->ctx->arena, "%s, %s", place, back ? "backward" : "forward");
}

/* `part` NULL: named operator by operator. */
static void add_list(Parts *p, const NodeList *body, bool micro, const char *part)
{
    const Decls *decls = p->clock->program->decls;
    const LayerLoops loops = find_layers(body);
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        const char *inner = part;
        if (node->kind == NODE_OP) {
            const char *place = place_of(&loops, i);
            add_op(p, node->op, !micro ? "update" : part != NULL ? part : part_name(p, place, node->op->origin >= 0));
            continue;
        }
        bool of_micro = node->kind == NODE_LOOP && node->loop.kind == LOOP_MICRO;
        if (micro && node->kind == NODE_LOOP && node->loop.kind == LOOP_LAYERS)
            inner = part_name(p, decls->groups.data[node->loop.group].name, nodes_go_back(&node->body));
        add_list(p, &node->body, micro || of_micro, inner);
    }
}

/* ---- The step ----------------------------------------------------------------------------------------------- */

static void list_ops(Arena *arena, const NodeList *body, OpList *ops)
{
    for (int i = 0; i < body->count; i++) {
        const Op *op = node_op(body->data[i]);
        if (op != NULL)
            vec_push(arena, ops, op);
        list_ops(arena, &body->data[i]->body, ops);
    }
}

/* The model's own products for the whole batch, each once, whatever is recomputed (PaLM's model FLOPs). */
static double model_flops(Ctx *ctx, const Program *reference)
{
    const Routine *step = find_routine(reference, ROUTINE_STEP);
    int64_t coordinates[STEP_MAX_AXES] = {0}, *times = arena_array(ctx->arena, int64_t, reference->op_count + 1);
    walk_count(reference, step, coordinates, times);
    double flops = 0;
    OpList ops = {0};
    list_ops(ctx->arena, &step->body, &ops);
    for (int i = 0; i < ops.count; i++)
        if (op_is_product(ops.data[i]))
            flops += (double)times[ops.data[i]->id] * op_flops(reference, ops.data[i]);
    return flops;
}

/* Of a model that is served: the prompts, all at once. */
static double prefill_seconds(const Clock *c)
{
    Play play;
    const Routine *prefill = find_routine(c->program, ROUTINE_PREFILL);
    bool played = prefill != NULL && play_run(c->cluster, c->program, prefill, c->seconds, c->far, &play);
    return played ? play.end : 0;
}

/* Evaluation, which runs now and then, is not. */
static bool is_timed(RoutineKind kind)
{
    return kind == ROUTINE_STEP || kind == ROUTINE_JOIN || kind == ROUTINE_PREFILL;
}

/* What runs once in a while, per step. */
static double join_seconds(const Clock *c)
{
    Play play;
    const Routine *join = find_routine(c->program, ROUTINE_JOIN);
    if (join == NULL || !play_run(c->cluster, c->program, join, c->seconds, c->far, &play))
        return 0;
    return play.end / (double)join->every;
}

static void find_parts(Clock *c, const Play *play, PlanTime *time)
{
    int64_t *times = arena_array(c->ctx->arena, int64_t, c->program->op_count + 1);
    const Routine *step = find_routine(c->program, ROUTINE_STEP);
    walk_count(c->program, step, play->coordinates, times);
    Parts parts = {c, times, time};
    add_list(&parts, &step->body, c->serves, NULL);
}

void plan_find_time(Ctx *ctx, Plan *plan)
{
    const StepFile *file = plan->file;
    const Program *program = file->program;
    if (plan->timed)
        return;
    plan->timed = true;
    Clock clock = {.ctx = ctx, .cluster = &plan->train->cluster, .program = program, .serves = plan->train->serves};
    clock.costs = arena_array(ctx->arena, OpCost, program->op_count + 1);
    clock.seconds = arena_array(ctx->arena, double, program->op_count + 1);
    clock.far = arena_array(ctx->arena, double, program->op_count + 1);
    const Routine *step = find_routine(program, ROUTINE_STEP);
    clock.traffic = reuse_find(ctx->arena, &clock.cluster->device, program, step);
    for (int r = 0; r < program->routines.count; r++)
        if (is_timed(program->routines.data[r].kind))
            cost_list(&clock, &program->routines.data[r].body);
    PlanTime *time = &plan->time;
    time->unknown = clock.unknown;
    Play play;
    if (clock.unknown != NULL)
        return;
    if (!play_run(clock.cluster, program, step, clock.seconds, clock.far, &play))
        BUG("ranks of a verified program wait for each other");
    const Device *device = &clock.cluster->device;
    time->step = play.end + join_seconds(&clock);
    time->prefill = prefill_seconds(&clock);
    time->low = time->step * (1 - device->spread);
    time->high = time->step * (1 + device->spread);
    time->computing = play.busiest.computing;
    time->communicating = play.busiest.communicating;
    time->waiting = play.busiest.waiting + play.end - play.busiest.end;
    time->utilization = model_flops(ctx, file->reference) /
                        ((double)plan->devices * device->product_flops[file->decls->compute_dtype] * time->step);
    time->energy_j = (double)plan->devices * device->watts * time->step;
    time->price = (double)plan->devices * device->price_per_second * time->step;
    find_parts(&clock, &play, time);
}

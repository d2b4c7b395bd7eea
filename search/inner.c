/* inner.c - inner programs (search/inner.h). */
#include "search/inner.h"

#include "search/moment.h"
#include "search/values.h"

#include <string.h>

/* ---- What they choose --------------------------------------------------------------------------------------- */

Choice inner_alone(void)
{
    return (Choice){.degree = {1, 1, 1, 1, 1, 1}, .micro = 1, .chunks = 1};
}

Choice inner_keeping(const Choice *choice)
{
    static const int degrees[] = {DEGREE_CONTEXT, DEGREE_EXPERT, DEGREE_TENSOR};
    Choice inner = inner_alone();
    inner.micro = choice->micro > 1 ? 2 : 1;
    for (size_t i = 0; i < sizeof degrees / sizeof *degrees; i++)
        inner.degree[degrees[i]] = choice->degree[degrees[i]];
    inner.option[GROUP_CONTEXTS] = choice->degree[DEGREE_CONTEXT] > 1 ? choice->option[GROUP_CONTEXTS] : 0;
    inner.option[GROUP_TENSORS] = choice->degree[DEGREE_TENSOR] > 1 ? choice->option[GROUP_TENSORS] : 0;
    return inner;
}

Choice inner_layers(const Space *space, const Choice *choice, bool more)
{
    Choice inner = inner_keeping(choice);
    int recomputed = choice->option[GROUP_RECOMPUTED];
    space_host(&inner, choice->hosted);
    if (recomputed != OPTION_BY_VALUE) {
        inner.option[GROUP_RECOMPUTED] = (int8_t)(more ? recomputed : OPTION_KEEP);
        return inner;
    }
    int32_t values = choice->values - (more ? 0 : 1);
    if (values > space->values.count) {
        inner.option[GROUP_RECOMPUTED] = OPTION_RECOMPUTE;
    } else if (values > 0) {
        inner.option[GROUP_RECOMPUTED] = OPTION_BY_VALUE;
        inner.values = values;
    }
    return inner;
}

/* ---- What they cost ----------------------------------------------------------------------------------------- */

/* Of the parts of a microbatch. */
static bool is_outside(const char *part)
{
    static const char *const places[] = {"outside layers", "before layers", "between layers", "after layers"};
    bool found = false;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        found = found || strncmp(part, places[i], strlen(places[i])) == 0;
    return found;
}

/* The parts of a step as plan/time.c names them. */
static void take_times(Inner *inner, const PlanTime *time)
{
    const double ROUNDING = 1e-12;
    double all = 0;
    for (int i = 0; i < time->parts.count; i++) {
        const PlanPart *part = &time->parts.data[i];
        double seconds = part->seconds / inner->key.choice.micro;
        if (strcmp(part->name, "update") == 0) {
            inner->update_s += part->spent[SPENT_MEMORY] + part->spent[SPENT_VECTOR];
            continue;
        }
        all += part->seconds;
        if (is_outside(part->name)) {
            inner->outside_s += seconds;
        } else {
            inner->layers_s += seconds;
            inner->forward_s += strstr(part->name, ", forward") != NULL ? seconds : 0;
        }
        if (strncmp(part->name, "after layers", strlen("after layers")) == 0)
            inner->after_s += seconds;
    }
    inner->once_s = time->step - all;
    inner->waits = time->waiting > ROUNDING * time->step;
}

/* What is kept for the backward pass has a place for each layer, what a layer gets from the one before a place more, or
 * is passed on in one. */
static void take_buffers(Inner *inner, const Space *space, const Program *program, Arena *arena)
{
    const bool *kept = values_kept(arena, space, program);
    const bool *written = values_written(arena, program);
    for (int i = 0; i < program->buffers.count && space->layers > 1; i++) {
        const Buffer *buffer = &program->buffers.data[i];
        double bytes = (double)buffer_slot_bytes(program->decls, buffer);
        bool passed = (buffer->passed_on || buffer->slots == space->layers + 1) && written[i] &&
                      buffer->category == CATEGORY_ACTIVATIONS && buffer->tier == TIER_DEVICE;
        if (passed && (inner->passed_bytes == 0 || bytes < inner->passed_bytes))
            inner->passed_bytes = bytes;
        if (kept[i])
            inner->kept_bytes += bytes * (double)space->layers;
    }
}

/* On the device. */
static bool keeps_everything(const Choice *choice)
{
    return choice->option[GROUP_RECOMPUTED] == OPTION_KEEP && choice->hosted == 0;
}

/* What those are that recompute some of the values, or have some on the host. */
static void take_fewer(Inner *inner, const Space *space, const Costed *costed, Arena *arena)
{
    ValuesCosts costs = {{{0}}};
    if (!keeps_everything(&inner->key.choice) || space->values.count == 0)
        return;
    values_cost(costed->ctx.arena, space, costed, inner->key.choice.micro, costs);
    Inner *fewer = arena_array(arena, Inner, (MOST_VALUES + 1) * (MOST_HOSTED + 1));
    for (int values = 0; values <= space->values.count; values++)
        for (int hosted = 0; hosted <= space->hosted; hosted++) {
            const ValuesCost *cost = &costs[values][hosted];
            Inner *one = &fewer[values * (MOST_HOSTED + 1) + hosted];
            *one = *inner;
            one->kept_bytes -= cost->bytes;
            one->layers_s += cost->seconds;
            one->forward_s += cost->forward_s;
        }
    inner->fewer = fewer;
}

/* Does it communicate values between ranks with other examples? */
static bool op_mixes(const Program *program, const Op *op)
{
    bool communicates = op_info[op->kind].op_class == CLASS_COMM && op_has_result(op->kind);
    if (!communicates || program->buffers.data[op->out.buffer].category != CATEGORY_ACTIVATIONS)
        return false;
    for (int i = 0; i < op->axes.count; i++) {
        const char *axis = program->decls->axes.data[op->axes.axis[i]].name;
        if (strcmp(axis, degree_names[DEGREE_DATA]) == 0 || strcmp(axis, degree_names[DEGREE_REPLICA]) == 0)
            return true;
    }
    return false;
}

static bool list_mixes(const Program *program, const NodeList *body, bool micro)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        const Op *op = node_op(node);
        bool inside = micro || (node->kind == NODE_LOOP && node->loop.kind == LOOP_MICRO);
        if (op != NULL ? micro && op_mixes(program, op) : list_mixes(program, &node->body, inside))
            return true;
    }
    return false;
}

static bool program_mixes(const Program *program)
{
    for (int r = 0; r < program->routines.count; r++)
        if (program->routines.data[r].kind == ROUTINE_STEP)
            return list_mixes(program, &program->routines.data[r].body, false);
    return false;
}

static bool is_in_block(const Decls *decls, const Buffer *buffer)
{
    if (buffer->layout == LAYOUT_UNIT)
        return decls->units.data[buffer->unit].group >= 0;
    return buffer->tensor >= 0 && decls->tensors.data[buffer->tensor].group >= 0;
}

/* Optimizers have more states for some parameters than for others, and frozen ones have none. */
static void take_shares(Inner *inner, const Program *program)
{
    double all[CATEGORY_OPTIMIZER + 1] = {0}, blocks[CATEGORY_OPTIMIZER + 1] = {0};
    for (int i = 0; i < program->buffers.count; i++) {
        const Buffer *buffer = &program->buffers.data[i];
        if (buffer->category > CATEGORY_OPTIMIZER)
            continue;
        all[buffer->category] += (double)buffer->bytes;
        blocks[buffer->category] += is_in_block(program->decls, buffer) ? (double)buffer->bytes : 0;
    }
    for (int c = 0; c <= CATEGORY_OPTIMIZER; c++)
        inner->block_share[c] = all[c] > 0 ? blocks[c] / all[c] : 0;
}

/* Does it say what layers that `tensor` divides, too, communicate over `context`? */
static bool has_context_alone(const Space *space, const InnerKey *key)
{
    const Choice *choice = &key->choice;
    int64_t ranks = 1;
    for (int degree = 0; degree < DEGREE_COUNT; degree++)
        ranks *= choice->degree[degree];
    return keeps_everything(choice) && key->examples == space->examples && choice->degree[DEGREE_CONTEXT] == ranks &&
           ranks > 1;
}

/* With `context` alone it ends with an axis for copies between its ranks. */
static const char *mesh_of(Arena *arena, const Space *space, const InnerKey *key)
{
    const char *mesh = space_copies(arena, space, &key->choice);
    return has_context_alone(space, key) ? arena_printf(arena, "%s, inside: 1", mesh) : mesh;
}

/* What layers communicate. */
static double sent_seconds(const PlanTime *time)
{
    double sent = 0;
    for (int i = 0; i < time->parts.count; i++) {
        const PlanPart *part = &time->parts.data[i];
        if (strcmp(part->name, "update") != 0 && !is_outside(part->name))
            sent += part->spent[SPENT_LINK] + part->spent[SPENT_LATENCY];
    }
    return sent;
}

/* The ranks of `context` are further apart the more copies are between them, which is all that changes. */
static void take_sent(Inner *inner, const Inners *inners, Costed *costed)
{
    Decls *decls = costed->file->decls;
    Axis *outside = &decls->axes.data[0], *inside = &decls->axes.data[decls->axes.count - 1];
    int64_t all = outside->size, most = inners->space->degree[DEGREE_TENSOR].high;
    most = most < all ? most : all;
    double *sent = arena_array(inners->arena, double, most + 1);
    for (int64_t ranks = 1; ranks <= most; ranks++) {
        if (all % ranks != 0)
            continue;
        outside->size = all / ranks;
        inside->size = ranks;
        Plan *plan = plan_run(&costed->ctx, costed->train, costed->file);
        plan_find_time(&costed->ctx, plan);
        sent[ranks] = sent_seconds(&plan->time) / inner->key.choice.micro;
    }
    inner->sent_s = sent;
}

/* That of rank 0. */
static const PlanClass *first_class(const Plan *plan)
{
    for (int i = 0; i < plan->classes.count; i++)
        if (plan->classes.data[i].first_rank == 0)
            return &plan->classes.data[i];
    BUG("no class has rank 0");
}

static Inner *derive_inner(Inners *inners, const InnerKey *key)
{
    Inner *inner = arena_make(inners->arena, Inner);
    inner->key = *key;
    const Choice *choice = &key->choice;
    Costed costed;
    const Version version = {.mesh = mesh_of(inners->arena, inners->space, key),
                             .strategy = space_strategy(inners->arena, inners->space, choice),
                             .batch = key->examples * space_parts(choice),
                             .micro = choice->micro};
    pattern_cost_step(inners->pattern, &version, &costed);
    inners->derived++;
    if (costed.plan == NULL) {
        inner->error = arena_copy(inners->arena, costed.error, strlen(costed.error));
    } else {
        inner->error = space_unpredicted(inners->arena, inners->space, costed.plan->time.unknown);
        take_times(inner, &costed.plan->time);
        take_buffers(inner, inners->space, costed.file->program, costed.ctx.arena);
        inner->total_bytes = (double)costed.plan->total_bytes;
        inner->cache_bytes = (double)costed.plan->category_bytes[CATEGORY_CACHE];
        bool staged = choice->degree[DEGREE_PIPELINE] > 1;
        const int64_t *bytes = staged ? first_class(costed.plan)->category_bytes : costed.plan->category_bytes;
        for (int c = 0; c <= CATEGORY_OPTIMIZER; c++)
            inner->state_bytes[c] = (double)bytes[c];
        take_shares(inner, costed.file->program);
        inner->moment_bytes = moment_bytes(costed.ctx.arena, costed.file);
        inner->mixes = program_mixes(costed.file->program);
        take_fewer(inner, inners->space, &costed, inners->arena);
        if (has_context_alone(inners->space, key))
            take_sent(inner, inners, &costed);
    }
    costed_close(&costed);
    return inner;
}

/* ---- Which there are ---------------------------------------------------------------------------------------- */

static uint64_t hash(const InnerKey *key)
{
    uint64_t words[sizeof *key / sizeof(uint64_t)], value = 1469598103934665603u; /* FNV-1a, word by word */
    memcpy(words, key, sizeof *key);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        value = (value ^ words[i]) * 1099511628211u;
    return value ^ value >> 32;
}

static const Inner **find_slot(const Inner **slots, int capacity, const InnerKey *key)
{
    uint64_t at = hash(key) & (uint64_t)(capacity - 1);
    while (slots[at] != NULL && memcmp(&slots[at]->key, key, sizeof *key) != 0)
        at = (at + 1) & (uint64_t)(capacity - 1);
    return &slots[at];
}

static void make_room(Inners *inners)
{
    if (2 * inners->count < inners->capacity)
        return;
    int capacity = inners->capacity > 0 ? 2 * inners->capacity : 256;
    const Inner **slots = arena_array(inners->arena, const Inner *, capacity);
    for (int i = 0; i < inners->capacity; i++)
        if (inners->slots[i] != NULL)
            *find_slot(slots, capacity, &inners->slots[i]->key) = inners->slots[i];
    inners->slots = slots;
    inners->capacity = capacity;
}

/* Keys are compared as bytes. */
static InnerKey key_of(const Choice *choice, int64_t examples)
{
    InnerKey key;
    memset(&key, 0, sizeof key);
    key.examples = examples;
    memcpy(key.choice.degree, choice->degree, sizeof choice->degree);
    memcpy(key.choice.option, choice->option, sizeof choice->option);
    key.choice.micro = choice->micro;
    key.choice.chunks = choice->chunks;
    key.choice.values = choice->values;
    key.choice.layers = choice->layers;
    key.choice.offloaded = choice->offloaded;
    key.choice.hosted = choice->hosted;
    return key;
}

const Inner *inner_find(Inners *inners, const Choice *choice, int64_t examples)
{
    const InnerKey key = key_of(choice, examples);
    make_room(inners);
    const Inner **slot = find_slot(inners->slots, inners->capacity, &key);
    if (*slot == NULL) {
        *slot = derive_inner(inners, &key);
        inners->count++;
    }
    return *slot;
}

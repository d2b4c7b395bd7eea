/* bound.c - lower bounds of strategies (search/bound.h). */
#include "search/bound.h"

#include "search/moment.h"
#include "search/values.h"

#include <math.h>
#include <string.h>

/* Everything that the layers of a rank depend on. */
typedef struct InnerKey {
    int32_t context, expert, tensor;
    int8_t contexts, tensors, recomputed, values;
    int8_t stages, micro; /* 1, but to see what several do to states */
    int64_t examples;     /* on a rank, of a microbatch */
} InnerKey;

struct Inner {
    InnerKey key;
    const char *error;
    /* Forward and backward of one microbatch: layers, what the last of them is followed by, all outside layers. */
    double layers_s, after_s, outside_s;
    double forward_s;    /* of layers_s */
    double passed_bytes; /* from layer to layer */
    double update_s;     /* reading and writing states */
    double state_bytes[CATEGORY_OPTIMIZER + 1], cache_bytes;
    double kept_bytes;   /* for the backward pass, of all layers */
    double moment_bytes; /* of a layer's backward pass */
    double total_bytes;
    const Inner
        *fewer[MOST_VALUES]; /* of one that keeps everything: from below, what those are that recompute values */
};

/* ---- Inner programs ----------------------------------------------------------------------------------------- */

/* `values`: with OPTION_BY_VALUE. */
static InnerKey key_of(const Choice *choice, int recomputed, int64_t values, int64_t examples)
{
    InnerKey key;
    memset(&key, 0, sizeof key); /* keys are compared as bytes */
    key.context = choice->degree[DEGREE_CONTEXT];
    key.expert = choice->degree[DEGREE_EXPERT];
    key.tensor = choice->degree[DEGREE_TENSOR];
    key.contexts = key.context > 1 ? choice->option[GROUP_CONTEXTS] : 0;
    key.tensors = key.tensor > 1 ? choice->option[GROUP_TENSORS] : 0;
    key.recomputed = (int8_t)recomputed;
    key.values = (int8_t)values;
    key.stages = key.micro = 1;
    key.examples = examples;
    return key;
}

static Choice inner_choice(const InnerKey *key)
{
    Choice choice = {.degree = {1, 1, 1, 1, 1, 1}, .micro = key->micro, .chunks = 1};
    choice.degree[DEGREE_PIPELINE] = key->stages;
    choice.degree[DEGREE_CONTEXT] = key->context;
    choice.degree[DEGREE_EXPERT] = key->expert;
    choice.degree[DEGREE_TENSOR] = key->tensor;
    choice.option[GROUP_CONTEXTS] = key->contexts;
    choice.option[GROUP_TENSORS] = key->tensors;
    choice.option[GROUP_RECOMPUTED] = key->recomputed;
    choice.values = key->values;
    return choice;
}

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
    for (int i = 0; i < time->parts.count; i++) {
        const PlanPart *part = &time->parts.data[i];
        if (strcmp(part->name, "update") == 0)
            inner->update_s += part->spent[SPENT_MEMORY] + part->spent[SPENT_VECTOR];
        else if (is_outside(part->name))
            inner->outside_s += part->seconds;
        else
            inner->layers_s += part->seconds;
        if (strcmp(part->name, "update") != 0 && !is_outside(part->name) && strstr(part->name, ", forward") != NULL)
            inner->forward_s += part->seconds;
        if (strncmp(part->name, "after layers", strlen("after layers")) == 0)
            inner->after_s += part->seconds;
    }
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

/* What those are that recompute some of the values. */
static void take_fewer(Inner *inner, const Space *space, const Costed *costed, Arena *arena)
{
    ValuesCost costs[MOST_VALUES];
    if (inner->key.recomputed != OPTION_KEEP || space->values.count == 0)
        return;
    values_cost(costed->ctx.arena, space, costed, costs);
    for (int v = 0; v < space->values.count; v++) {
        Inner *fewer = arena_make(arena, Inner);
        *fewer = *inner;
        fewer->kept_bytes -= costs[v].bytes;
        fewer->layers_s += costs[v].seconds;
        inner->fewer[v] = fewer;
    }
}

/* That of rank 0. */
static const PlanClass *first_class(const Plan *plan)
{
    for (int i = 0; i < plan->classes.count; i++)
        if (plan->classes.data[i].first_rank == 0)
            return &plan->classes.data[i];
    BUG("no class has rank 0");
}

static Inner *derive_inner(Bounds *bounds, const InnerKey *key)
{
    Inner *inner = arena_make(bounds->arena, Inner);
    inner->key = *key;
    const Choice choice = inner_choice(key);
    Costed costed;
    const Version version = {.mesh = space_copies(bounds->arena, bounds->space, &choice),
                             .strategy = space_strategy(bounds->arena, bounds->space, &choice),
                             .batch = key->examples * key->expert * key->micro,
                             .micro = key->micro};
    pattern_cost(bounds->pattern, &version, &costed);
    bounds->derived++;
    if (costed.plan == NULL) {
        inner->error = arena_copy(bounds->arena, costed.error, strlen(costed.error));
    } else {
        inner->error = space_unpredicted(bounds->arena, bounds->space, costed.plan->time.unknown);
        take_times(inner, &costed.plan->time);
        take_buffers(inner, bounds->space, costed.file->program, costed.ctx.arena);
        inner->total_bytes = (double)costed.plan->total_bytes;
        inner->cache_bytes = (double)costed.plan->category_bytes[CATEGORY_CACHE];
        const int64_t *bytes = key->stages > 1 ? first_class(costed.plan)->category_bytes : costed.plan->category_bytes;
        for (int c = 0; c <= CATEGORY_OPTIMIZER; c++)
            inner->state_bytes[c] = (double)bytes[c];
        inner->moment_bytes = moment_bytes(&costed.ctx, costed.file->program);
        take_fewer(inner, bounds->space, &costed, bounds->arena);
    }
    costed_close(&costed);
    return inner;
}

static uint64_t hash(const InnerKey *key)
{
    uint64_t value = 1469598103934665603u; /* FNV-1a */
    for (size_t i = 0; i < sizeof *key; i++)
        value = (value ^ ((const unsigned char *)key)[i]) * 1099511628211u;
    return value;
}

static const Inner **find_slot(const Inner **slots, int capacity, const InnerKey *key)
{
    uint64_t at = hash(key) & (uint64_t)(capacity - 1);
    while (slots[at] != NULL && memcmp(&slots[at]->key, key, sizeof *key) != 0)
        at = (at + 1) & (uint64_t)(capacity - 1);
    return &slots[at];
}

static void make_room(Bounds *bounds)
{
    if (2 * bounds->count < bounds->capacity)
        return;
    int capacity = bounds->capacity > 0 ? 2 * bounds->capacity : 256;
    const Inner **slots = arena_array(bounds->arena, const Inner *, capacity);
    for (int i = 0; i < bounds->capacity; i++)
        if (bounds->slots[i] != NULL)
            *find_slot(slots, capacity, &bounds->slots[i]->key) = bounds->slots[i];
    bounds->slots = slots;
    bounds->capacity = capacity;
}

static const Inner *find_inner(Bounds *bounds, const InnerKey *key)
{
    make_room(bounds);
    const Inner **slot = find_slot(bounds->slots, bounds->capacity, key);
    if (*slot == NULL) {
        *slot = derive_inner(bounds, key);
        bounds->count++;
    }
    return *slot;
}

/* Sums over microbatches may be wider than what one computes. */
static double find_widening(Bounds *bounds)
{
    const Choice alone = {.degree = {1, 1, 1, 1, 1, 1}, .micro = 1, .chunks = 1};
    InnerKey key = key_of(&alone, OPTION_KEEP, 0, bounds->space->fewest);
    const double *one = find_inner(bounds, &key)->state_bytes;
    key.micro = 2;
    const Inner *two = find_inner(bounds, &key);
    bool known = two->error == NULL && one[CATEGORY_GRADIENTS] > 0;
    return known ? fmax(1, two->state_bytes[CATEGORY_GRADIENTS] / one[CATEGORY_GRADIENTS]) : 1;
}

/* What the first of two stages has of states, but for its half of the blocks, as a share of all. */
static void find_first_stage(Bounds *bounds)
{
    const Choice alone = {.degree = {1, 1, 1, 1, 1, 1}, .micro = 1, .chunks = 1};
    int64_t layers = bounds->space->layers;
    if (bounds->space->devices % 2 != 0 || layers < 2)
        return;
    InnerKey key = key_of(&alone, OPTION_KEEP, 0, bounds->space->fewest);
    key.stages = 2;
    const Inner *staged = find_inner(bounds, &key);
    double blocks = bounds->block_share * (double)((layers + 1) / 2) / (double)layers;
    for (int c = 0; c <= CATEGORY_OPTIMIZER && staged->error == NULL; c++)
        if (bounds->alone->state_bytes[c] > 0)
            bounds->first_share[c] = fmax(0, staged->state_bytes[c] / bounds->alone->state_bytes[c] - blocks);
}

bool bounds_open(Bounds *bounds, Arena *arena, const Pattern *pattern, Space *space, const char **error)
{
    *bounds = (Bounds){.pattern = pattern, .space = space, .arena = arena};
    const Choice alone = {.degree = {1, 1, 1, 1, 1, 1}, .micro = 1, .chunks = 1};
    for (space->examples = space->train->batch;; space->examples = (space->examples + 1) / 2) {
        const InnerKey key = key_of(&alone, OPTION_KEEP, 0, space->examples);
        bounds->alone = find_inner(bounds, &key);
        if (bounds->alone->error == NULL || space->examples <= space->fewest)
            break;
    }
    const Decls *decls = &space->train->decls;
    double all = 0, blocks = 0;
    for (int i = 0; i < decls->tensors.count; i++) {
        const Tensor *tensor = &decls->tensors.data[i];
        double layers = tensor->group >= 0 ? (double)decls->groups.data[tensor->group].layers : 1;
        double elements = tensor->kind == TENSOR_PARAMETER ? layers * (double)tensor_elements(tensor) : 0;
        all += elements;
        blocks += tensor->group >= 0 ? elements : 0;
    }
    bounds->block_share = all > 0 ? blocks / all : 0;
    *error = bounds->alone->error;
    if (*error != NULL)
        return false;
    bounds->widening = space->train->serves ? 1 : find_widening(bounds);
    find_first_stage(bounds);
    return true;
}

/* ---- Pipelines ---------------------------------------------------------------------------------------------- */

/* The layers that every stage has at least, in all of its chunks. */
static int64_t fewest_layers(const Space *space, const Choice *choice)
{
    return space->layers / ((int64_t)choice->degree[DEGREE_PIPELINE] * choice->chunks) * choice->chunks;
}

static double stage_share(const Space *space, const Choice *choice)
{
    return space->layers == 0 ? 0 : (double)fewest_layers(space, choice) / (double)space->layers;
}

/* Of something that a layer has: `again` if it is recomputed, otherwise `kept`. */
typedef struct Layer {
    double again, kept;
} Layer;

/* What the layers of a stage with so many have of it. */
static double of_layers(const Space *space, const Choice *choice, int64_t layers, Layer layer)
{
    double again = (double)space_saving(space, choice, choice->layers, layers);
    return again * layer.again + ((double)layers - again) * layer.kept;
}

/* What those of all stages have: the first have one more, where they do not divide evenly. */
static double of_all_layers(const Space *space, const Choice *choice, Layer layer)
{
    int64_t stages = choice->degree[DEGREE_PIPELINE], more = space->layers % stages;
    return (double)more * of_layers(space, choice, space->layers / stages + 1, layer) +
           (double)(stages - more) * of_layers(space, choice, space->layers / stages, layer);
}

/* A link of which nothing is known costs nothing here; a program that uses it has no time. */
static double collective_seconds(const Space *space, Collective op, double bytes, const CostGroup *group)
{
    bool inside = group->within <= 1 || group->inside->bytes_per_second > 0;
    bool outside = group->nodes <= 1 || group->outside->bytes_per_second > 0;
    return space->timed && inside && outside && group->ranks > 1 ? cost_collective(op, bytes, group).seconds : 0;
}

/* From a stage to the next: they are neighbours in a node only where the ranks of a stage do not fill one. */
static double message_seconds(const Space *space, const Choice *choice, double bytes)
{
    const Cluster *cluster = &space->train->cluster;
    int64_t apart = space->devices / choice->degree[DEGREE_PIPELINE];
    bool crosses = cluster->node_devices > 0 && apart >= cluster->node_devices;
    const CostGroup pair = {2, crosses ? 1 : 2, crosses ? 2 : 1, &cluster->within, &cluster->between};
    return collective_seconds(space, COLLECTIVE_SEND, bytes, &pair);
}

/* What one microbatch takes: the layers of all stages together, of the last, and of one that has most. */
typedef struct Micro {
    double layers_s, last_s, largest_s, after_s, outside_s, message_s;
    double largest_forward_s; /* of largest_s */
} Micro;

/* Of a stage with most layers, from the first microbatch on. It runs some forward before the first comes back, which
 * passes all stages, as does the last. */
static double through_largest(const Space *space, const Choice *choice, const Micro *micro, double messages)
{
    double count = choice->micro, busy = count * (micro->largest_s + messages);
    int64_t stages = choice->degree[DEGREE_PIPELINE], more = space->layers % stages;
    if (space->layers == 0 || choice->option[GROUP_SCHEDULE] == OPTION_INTERLEAVED)
        return busy;
    int64_t stage = more > 0 ? more - 1 : stages - 1; /* the last of them */
    bool gpipe = choice->option[GROUP_SCHEDULE] == OPTION_GPIPE;
    double ahead = gpipe ? 1 : fmin(count, (double)(stages - stage));
    double rest = (count - 1) * micro->largest_s - (ahead - 1) * micro->largest_forward_s;
    double passing = (double)(2 * stages - 3) * micro->message_s + (count - ahead) * messages;
    return fmax(busy, micro->layers_s + micro->outside_s + rest + passing);
}

/* All microbatches. Each passes all stages; one of these has most layers. The last stage, which has what follows the
 * layers, begins when the first microbatch has passed all others, in its first chunk, and when it ends they are still
 * to pass the last one on. A stage waits for a message per chunk and pass, but for the one at the end. What is served
 * only goes forward, once. */
static double pipelined(const Space *space, const Choice *choice, const Micro *micro)
{
    if (!space->timed)
        return 0;
    double stages = choice->degree[DEGREE_PIPELINE], count = choice->micro, chunks = choice->chunks;
    double once = micro->layers_s + micro->outside_s;
    if (stages == 1)
        return count * once;
    if (space->train->serves)
        return once + (stages - 1) * micro->message_s;
    double messages = (2 * chunks - 1) * micro->message_s;
    double largest = through_largest(space, choice, micro, messages);
    double lead = choice->option[GROUP_SCHEDULE] == OPTION_INTERLEAVED ? (stages - 1) * micro->last_s / chunks
                                                                       : once - micro->after_s - micro->last_s;
    double passing = (2 * stages - 3) * micro->message_s;
    double last = lead + passing + count * (micro->last_s + micro->after_s + messages);
    return fmax(once, fmax(largest, last));
}

/* ---- Sums and gathers over data ----------------------------------------------------------------------------- */

static double over(const Bounds *bounds, const Choice *choice, const AxisSet *axes, Collective op, double bytes)
{
    Axis axis[DEGREE_COUNT];
    Decls decls = {.axes = {axis, DEGREE_COUNT, DEGREE_COUNT}};
    for (int degree = 0; degree < DEGREE_COUNT; degree++)
        axis[degree] = (Axis){.name = degree_names[degree], .size = choice->degree[degree]};
    const CostGroup group = cost_group(&bounds->space->train->cluster, &decls, axes);
    return collective_seconds(bounds->space, op, bytes, &group);
}

/* Into shards, and back: over `data` alone. */
static double over_shards(const Bounds *bounds, const Choice *choice, Collective op, double bytes)
{
    static const AxisSet data = {.count = 1, .axis = {DEGREE_DATA}};
    return over(bounds, choice, &data, op, bytes);
}

/* A sum over an axis of the batch, alone or at once with others that may divide it, the context, or nothing of a
 * parameter; 0: there is only one rank. */
static double summed(const Bounds *bounds, const Choice *choice, Degree degree, double bytes)
{
    const AxisSet alone = {.count = 1, .axis = {(int8_t)degree}};
    const AxisSet joined = {.count = 3, .axis = {(int8_t)degree, DEGREE_CONTEXT, DEGREE_EXPERT}};
    static const AxisSet all = {.count = 4, .axis = {DEGREE_REPLICA, DEGREE_DATA, DEGREE_CONTEXT, DEGREE_EXPERT}};
    if (choice->degree[degree] == 1)
        return 0;
    double least = over(bounds, choice, &alone, COLLECTIVE_ALL_REDUCE, bytes);
    least = fmin(least, over(bounds, choice, &joined, COLLECTIVE_ALL_REDUCE, bytes));
    return fmin(least, over(bounds, choice, &all, COLLECTIVE_ALL_REDUCE, bytes));
}

/* Into shards, which the replicas then sum. */
static double into_shards(const Bounds *bounds, const Choice *choice, double bytes, double times)
{
    return times * over_shards(bounds, choice, COLLECTIVE_REDUCE_SCATTER, bytes) +
           summed(bounds, choice, DEGREE_REPLICA, bytes / choice->degree[DEGREE_DATA]);
}

static int zero_stage(const Choice *choice)
{
    return choice->degree[DEGREE_DATA] > 1 ? choice->option[GROUP_STATES] : 0;
}

/* Of something that the parameters have in proportion to their number: what a rank has without pipelines; with them the
 * first stage, which ends last, has its share of the blocks at least, and what comes before them. */
static double of_stage(const Bounds *bounds, const Choice *choice, Category category, double whole, double alone)
{
    double ranks = (double)choice->degree[DEGREE_TENSOR] * choice->degree[DEGREE_EXPERT];
    if (choice->degree[DEGREE_PIPELINE] == 1)
        return whole;
    return (stage_share(bounds->space, choice) * bounds->block_share + bounds->first_share[category]) * alone / ranks;
}

static double widening(const Bounds *bounds, const Choice *choice, Category category)
{
    return category == CATEGORY_GRADIENTS && choice->micro > 1 ? bounds->widening : 1;
}

static double state_bytes(const Bounds *bounds, const Choice *choice, const Inner *inner, Category category)
{
    return widening(bounds, choice, category) *
           of_stage(bounds, choice, category, inner->state_bytes[category], bounds->alone->state_bytes[category]);
}

/* What is not sharded over `tensor` or `expert` may be summed over these, too, but then each rank sends only its part
 * to other nodes: no less than if it were sharded. */
static double summed_bytes(const Bounds *bounds, const Choice *choice, Category category)
{
    double ranks = (double)choice->degree[DEGREE_TENSOR] * choice->degree[DEGREE_EXPERT];
    double alone = bounds->alone->state_bytes[category];
    return widening(bounds, choice, category) * of_stage(bounds, choice, category, alone / ranks, alone);
}

/* Parameters of the blocks alone. */
static double block_bytes(const Bounds *bounds, const Choice *choice)
{
    double ranks = (double)choice->degree[DEGREE_TENSOR] * choice->degree[DEGREE_EXPERT];
    double share = choice->degree[DEGREE_PIPELINE] == 1 ? 1 : stage_share(bounds->space, choice);
    return share * bounds->block_share * bounds->alone->state_bytes[CATEGORY_PARAMETERS] / ranks;
}

/* Each step of a served model gathers the parameters of the blocks, if they are sharded. */
static double served_seconds(const Bounds *bounds, const Choice *choice)
{
    bool gathered = zero_stage(choice) == 3;
    return gathered ? over_shards(bounds, choice, COLLECTIVE_ALL_GATHER, block_bytes(bounds, choice)) : 0;
}

static double data_seconds(const Bounds *bounds, const Choice *choice)
{
    if (bounds->space->train->serves)
        return served_seconds(bounds, choice);
    double gradients = summed_bytes(bounds, choice, CATEGORY_GRADIENTS);
    double parameters = summed_bytes(bounds, choice, CATEGORY_PARAMETERS), micro = choice->micro;
    double gather = over_shards(bounds, choice, COLLECTIVE_ALL_GATHER, parameters);
    switch (zero_stage(choice)) {
    case 0:
        return summed(bounds, choice, DEGREE_DATA, gradients);
    case 1:
        return into_shards(bounds, choice, gradients, 1) + gather;
    case 2:
        return into_shards(bounds, choice, gradients, micro) + gather;
    case 3:
        return into_shards(bounds, choice, gradients, micro) +
               2 * micro * over_shards(bounds, choice, COLLECTIVE_ALL_GATHER, block_bytes(bounds, choice));
    }
    BUG("ZeRO has no stage %d", zero_stage(choice));
}

/* ---- Memory ------------------------------------------------------------------------------------------------- */

/* The optimizer's states of a layer, at least. */
static double layer_states_bytes(const Bounds *bounds, const Choice *choice)
{
    double ranks = (double)choice->degree[DEGREE_TENSOR] * choice->degree[DEGREE_EXPERT];
    double layers = (double)bounds->space->layers;
    return bounds->block_share * bounds->alone->state_bytes[CATEGORY_OPTIMIZER] / ranks / layers;
}

/* The optimizer's states that stay on the device. Of some layers: what is not in layers is no less than if it were
 * divided, and layers have no more than the difference. */
static double optimizer_bytes(const Bounds *bounds, const Choice *choice, const Inner *inner)
{
    double all = state_bytes(bounds, choice, inner, CATEGORY_OPTIMIZER), some = choice->offloaded;
    if (choice->option[GROUP_OFFLOADED] == OPTION_ON_DEVICE)
        return all;
    if (some == 0)
        return 0;
    double ranks = (double)choice->degree[DEGREE_TENSOR] * choice->degree[DEGREE_EXPERT];
    double alone = bounds->alone->state_bytes[CATEGORY_OPTIMIZER] / ranks;
    if (choice->degree[DEGREE_PIPELINE] == 1)
        return all - some / (double)bounds->space->layers * (all - (1 - bounds->block_share) * alone);
    double others = (double)space_stage_layers(bounds->space, choice) - some;
    return others * layer_states_bytes(bounds, choice) + bounds->first_share[CATEGORY_OPTIMIZER] * alone;
}

/* And those that are on the host. */
static double host_bytes(const Bounds *bounds, const Choice *choice, const Inner *inner)
{
    if (choice->option[GROUP_OFFLOADED] == OPTION_ON_DEVICE)
        return 0;
    return choice->offloaded > 0 ? choice->offloaded * layer_states_bytes(bounds, choice)
                                 : state_bytes(bounds, choice, inner, CATEGORY_OPTIMIZER);
}

/* Bytes of all states on the device. */
static double states_bytes(const Bounds *bounds, const Choice *choice, const Inner *inner)
{
    int zero = zero_stage(choice);
    double data = choice->degree[DEGREE_DATA], optimizer = optimizer_bytes(bounds, choice, inner);
    double parameters = state_bytes(bounds, choice, inner, CATEGORY_PARAMETERS);
    double gradients = state_bytes(bounds, choice, inner, CATEGORY_GRADIENTS);
    return (zero >= 3 ? parameters / data : parameters) + (zero >= 2 ? gradients / data : gradients) +
           (zero >= 1 ? optimizer / data : optimizer);
}

/* Microbatches whose activations the first stage holds at once; of interleaved stages each chunk counts apart. */
static double in_flight(const Choice *choice)
{
    double stages = choice->degree[DEGREE_PIPELINE], micro = choice->micro, chunks = choice->chunks;
    switch (choice->option[GROUP_SCHEDULE]) {
    case OPTION_ONE_F_ONE_B:
        return fmin(micro, stages);
    case OPTION_GPIPE:
        return micro;
    case OPTION_INTERLEAVED:
        return fmin(micro * chunks, (chunks + 1) * stages - 1) / chunks;
    }
    BUG("no schedule %d", choice->option[GROUP_SCHEDULE]);
}

/* What the layers of a rank run: `again` those that are recomputed, `kept` the others. */
typedef struct Layers {
    const Inner *again, *kept;
} Layers;

static Layers all_alike(const Inner *inner)
{
    return (Layers){inner, inner};
}

/* What layers keep for the backward pass: with stages those of the first, which has most. */
static double kept_bytes(const Space *space, const Choice *choice, const Layers *layers)
{
    if (space->layers == 0)
        return 0;
    double count = (double)space->layers;
    const Layer layer = {layers->again->kept_bytes / count, layers->kept->kept_bytes / count};
    double flying = choice->degree[DEGREE_PIPELINE] > 1 ? in_flight(choice) : 1;
    return flying * of_layers(space, choice, space_stage_layers(space, choice), layer);
}

/* `part`: of the inner programs' examples. */
static double memory_bytes(const Bounds *bounds, const Choice *choice, const Layers *layers, double part)
{
    const Inner *inner = layers->kept;
    double states = states_bytes(bounds, choice, inner);
    bool staged = choice->degree[DEGREE_PIPELINE] > 1;
    double cache = inner->cache_bytes * (staged ? stage_share(bounds->space, choice) : 1);
    return states + part * (kept_bytes(bounds->space, choice, layers) + inner->moment_bytes + cache);
}

/* ---- Bounds ------------------------------------------------------------------------------------------------- */

/* Of a microbatch that has `part` of the examples. Several blocks are divided as well as can be. */
static Micro micro_of(const Space *space, const Choice *choice, const Layers *layers, double part)
{
    const Inner *again = layers->again, *kept = layers->kept;
    Micro micro = {.outside_s = part * fmin(again->outside_s, kept->outside_s),
                   .message_s = message_seconds(space, choice, part * kept->passed_bytes)};
    if (space->layers == 0) {
        micro.layers_s = part * kept->layers_s;
        micro.largest_s = micro.layers_s / choice->degree[DEGREE_PIPELINE];
        return micro;
    }
    double count = (double)space->layers;
    const Layer layer = {part * again->layers_s / count, part * kept->layers_s / count};
    micro.after_s = part * kept->after_s;
    micro.layers_s = of_all_layers(space, choice, layer);
    micro.last_s = of_layers(space, choice, fewest_layers(space, choice), layer);
    int64_t most = space_stage_layers(space, choice);
    micro.largest_s = of_layers(space, choice, most, layer);
    micro.largest_forward_s = part * (double)most / count * fmax(again->forward_s, kept->forward_s);
    return micro;
}

/* On one device, in one piece, every operator is as fast as it can be, and nothing is done twice. */
Bound bound_shape(const Bounds *bounds, const Choice *choice)
{
    double ranks = (double)choice->degree[DEGREE_TENSOR] * choice->degree[DEGREE_CONTEXT];
    double part = space_examples(bounds->space, choice) / (double)bounds->space->examples / ranks;
    const Layers alone = all_alike(bounds->alone);
    const Micro micro = micro_of(bounds->space, choice, &alone, part);
    return (Bound){.seconds = pipelined(bounds->space, choice, &micro)};
}

Bound bound_layers(Bounds *bounds, const Choice *choice)
{
    const InnerKey key = key_of(choice, OPTION_KEEP, 0, bounds->space->examples);
    const Inner *inner = find_inner(bounds, &key);
    double part = space_examples(bounds->space, choice) / (double)bounds->space->examples;
    const Layers layers = all_alike(inner);
    const Micro micro = micro_of(bounds->space, choice, &layers, part);
    return (Bound){.seconds = pipelined(bounds->space, choice, &micro), .error = inner->error};
}

/* Reading and writing states, and bringing them in from the host and back. */
static double update_seconds(const Bounds *bounds, const Choice *choice, const Inner *inner)
{
    double update = of_stage(bounds, choice, CATEGORY_PARAMETERS, inner->update_s, bounds->alone->update_s);
    double host = bounds->space->train->cluster.device.host_bytes_per_second;
    if (host > 0)
        update += 2 * host_bytes(bounds, choice, inner) / host;
    return zero_stage(choice) >= 1 ? update / choice->degree[DEGREE_DATA] : update;
}

/* What one microbatch needs for a moment only, as one program has it. */
static double likely_moment_bytes(const Inner *inner)
{
    double moment = inner->total_bytes - inner->kept_bytes - inner->moment_bytes;
    for (int c = 0; c <= CATEGORY_OPTIMIZER; c++)
        moment -= inner->state_bytes[c];
    return moment;
}

/* From inner programs with as many examples, or with more, of which this takes a part. */
static Bound bound_from(const Bounds *bounds, const Choice *choice, const Layers *layers, double part)
{
    const Inner *inner = layers->kept;
    double bytes = memory_bytes(bounds, choice, layers, part);
    const Micro micro = micro_of(bounds->space, choice, layers, part);
    double seconds = pipelined(bounds->space, choice, &micro);
    return (Bound){.seconds = seconds + update_seconds(bounds, choice, inner) + data_seconds(bounds, choice),
                   .bytes = bytes,
                   .likely_bytes = bytes + part * likely_moment_bytes(inner),
                   .error = inner->error != NULL ? inner->error : layers->again->error};
}

/* Layers that recompute so many of the space's values: `roughly` from below. */
static const Inner *inner_of_values(Bounds *bounds, const Choice *choice, int64_t values, int64_t examples,
                                    bool roughly)
{
    bool none = values == 0, everything = values > bounds->space->values.count;
    if (!none && !everything && !roughly) {
        const InnerKey key = key_of(choice, OPTION_BY_VALUE, values, examples);
        return find_inner(bounds, &key);
    }
    const InnerKey key = key_of(choice, everything ? OPTION_RECOMPUTE : OPTION_KEEP, 0, examples);
    const Inner *inner = find_inner(bounds, &key);
    return none || everything || inner->error != NULL ? inner : inner->fewer[values - 1];
}

static Layers layers_of(Bounds *bounds, const Choice *choice, int64_t examples, bool roughly)
{
    if (choice->option[GROUP_RECOMPUTED] == OPTION_BY_VALUE) {
        const Inner *again = inner_of_values(bounds, choice, choice->values, examples, roughly);
        int64_t rest = choice->values - 1;
        return choice->layers > 0 ? (Layers){again, inner_of_values(bounds, choice, rest, examples, roughly)}
                                  : all_alike(again);
    }
    const InnerKey again = key_of(choice, choice->option[GROUP_RECOMPUTED], 0, examples);
    const InnerKey kept = key_of(choice, OPTION_KEEP, 0, examples);
    const Inner *inner = find_inner(bounds, &again);
    return choice->layers > 0 ? (Layers){inner, find_inner(bounds, &kept)} : all_alike(inner);
}

Bound bound_roughly(Bounds *bounds, const Choice *choice)
{
    const Space *space = bounds->space;
    const Layers layers = layers_of(bounds, choice, space->examples, true);
    return bound_from(bounds, choice, &layers, space_examples(space, choice) / (double)space->examples);
}

Bound bound_choice(Bounds *bounds, const Choice *choice)
{
    const double own = space_examples(bounds->space, choice), least = (double)bounds->space->fewest;
    const double examples = fmax(own, least); /* which one device may not run by itself */
    const Layers layers = layers_of(bounds, choice, (int64_t)examples, false);
    return bound_from(bounds, choice, &layers, own / examples);
}

/* bound.c - lower bounds of strategies (search/bound.h). */
#include "search/bound.h"

#include <math.h>
#include <string.h>

/* ---- What a space has in common ----------------------------------------------------------------------------- */

/* As many examples of a microbatch as one device can count, alone and as one of several. Sums over several may be wider
 * than what one computes. */
static void find_alone(Bounds *bounds, Space *space)
{
    const Choice alone = inner_alone();
    Choice twice = alone;
    twice.micro = space->train->serves || space->micro.high == 1 ? 1 : 2;
    const Inner *two;
    for (space->examples = space->train->batch;; space->examples = (space->examples + 1) / 2) {
        bounds->alone = inner_find(&bounds->inners, &alone, space->examples);
        two = inner_find(&bounds->inners, &twice, space->examples);
        if ((bounds->alone->error == NULL && two->error == NULL) || space->examples <= space->fewest)
            break;
    }
    const double one = bounds->alone->state_bytes[CATEGORY_GRADIENTS];
    bounds->widening = one > 0 && two->error == NULL ? fmax(1, two->state_bytes[CATEGORY_GRADIENTS] / one) : 1;
}

/* What the first of two stages has of states, but for its half of the blocks, as a share of all. */
static void find_first_stage(Bounds *bounds)
{
    Choice choice = inner_alone();
    int64_t layers = bounds->space->layers;
    if (bounds->space->devices % 2 != 0 || layers < 2)
        return;
    choice.degree[DEGREE_PIPELINE] = 2;
    const Inner *staged = inner_find(&bounds->inners, &choice, bounds->space->fewest);
    double blocks = (double)((layers + 1) / 2) / (double)layers;
    for (int c = 0; c <= CATEGORY_OPTIMIZER && staged->error == NULL; c++)
        if (bounds->alone->state_bytes[c] > 0)
            bounds->first_share[c] = fmax(0, staged->state_bytes[c] / bounds->alone->state_bytes[c] -
                                                 blocks * bounds->alone->block_share[c]);
}

bool bounds_open(Bounds *bounds, Arena *arena, const Pattern *pattern, Space *space, const char **error)
{
    *bounds = (Bounds){.space = space, .inners = {.pattern = pattern, .space = space, .arena = arena}};
    bounds->sum_times = arena_array(arena, SumTime, MOST_SUM_TIMES);
    find_alone(bounds, space);
    *error = bounds->alone->error;
    if (*error == NULL)
        find_first_stage(bounds);
    return *error == NULL;
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

/* What those of the first chunk of a stage have, of which the first layers are recomputed, chunk by chunk. */
static double of_first_chunk(const Space *space, const Choice *choice, Layer layer)
{
    int64_t layers = fewest_layers(space, choice);
    double chunk = (double)layers / choice->chunks;
    double again = fmin(chunk, (double)space_saving(space, choice, choice->layers, layers));
    return again * layer.again + (chunk - again) * layer.kept;
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
    double chunk_s;           /* the layers of the first chunk of a stage */
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
    double lead = choice->option[GROUP_SCHEDULE] == OPTION_INTERLEAVED ? (stages - 1) * micro->chunk_s
                                                                       : once - micro->after_s - micro->last_s;
    double passing = (2 * stages - 3) * micro->message_s;
    double last = lead + passing + count * (micro->last_s + micro->after_s + messages);
    return fmax(once, fmax(largest, last));
}

/* ---- Sums and gathers over data ----------------------------------------------------------------------------- */

static double find_over(const Bounds *bounds, const Choice *choice, const AxisSet *axes, Collective op, double bytes)
{
    Axis axis[DEGREE_COUNT];
    Decls decls = {.axes = {axis, DEGREE_COUNT, DEGREE_COUNT}};
    for (int degree = 0; degree < DEGREE_COUNT; degree++)
        axis[degree] = (Axis){.name = degree_names[degree], .size = choice->degree[degree]};
    const CostGroup group = cost_group(&bounds->space->train->cluster, &decls, axes);
    return collective_seconds(bounds->space, op, bytes, &group);
}

/* Where the time of a communication is kept, in the place of another. */
static SumTime *find_sum_time(const Bounds *bounds, const SumTime *key)
{
    uint64_t bits, hash = key->axes * 5 + (uint64_t)key->op;
    memcpy(&bits, &key->bytes, sizeof bits);
    hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
    for (int degree = 0; degree < DEGREE_COUNT; degree++)
        hash = (hash ^ (uint64_t)key->degree[degree]) * 0x9e3779b97f4a7c15u;
    return &bounds->sum_times[(hash >> 32) % MOST_SUM_TIMES];
}

/* Many strategies communicate the same. */
static double over(const Bounds *bounds, const Choice *choice, const AxisSet *axes, Collective op, double bytes)
{
    uint32_t mask = 0;
    for (int i = 0; i < axes->count; i++)
        mask |= 1u << axes->axis[i];
    SumTime key = {.axes = mask, .op = op, .bytes = bytes};
    memcpy(key.degree, choice->degree, sizeof key.degree);
    SumTime *last = find_sum_time(bounds, &key);
    bool known = last->axes == mask && last->op == op && last->bytes == bytes &&
                 memcmp(last->degree, choice->degree, sizeof last->degree) == 0;
    if (!known) {
        key.seconds = find_over(bounds, choice, axes, op, bytes);
        *last = key;
    }
    return last->seconds;
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

/* Of states: what a rank has without pipelines; with them the first stage, which ends last, has its share of the blocks
 * at least, and what comes before them. */
static double of_stage(const Bounds *bounds, const Choice *choice, Category category, double whole, double alone)
{
    double ranks = (double)choice->degree[DEGREE_TENSOR] * choice->degree[DEGREE_EXPERT];
    if (choice->degree[DEGREE_PIPELINE] == 1)
        return whole;
    double blocks = stage_share(bounds->space, choice) * bounds->alone->block_share[category];
    return (blocks + bounds->first_share[category]) * alone / ranks;
}

static double widening(const Bounds *bounds, const Choice *choice, Category category)
{
    return category == CATEGORY_GRADIENTS && choice->micro > 1 ? bounds->widening : 1;
}

static double state_bytes(const Bounds *bounds, const Choice *choice, const Inner *inner, Category category)
{
    bool wide = inner->key.choice.micro > 1 && choice->degree[DEGREE_PIPELINE] == 1; /* as the program has them */
    return (wide ? 1 : widening(bounds, choice, category)) *
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
    const Inner *alone = bounds->alone;
    return share * alone->block_share[CATEGORY_PARAMETERS] * alone->state_bytes[CATEGORY_PARAMETERS] / ranks;
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

/* With the stage of ZeRO with which that takes least. */
static double least_data_seconds(const Bounds *bounds, const Choice *choice)
{
    double least = INFINITY;
    Choice some = *choice;
    for (int zero = 0; zero < MOST_OPTIONS; zero++) {
        some.option[GROUP_STATES] = (int8_t)zero;
        if (space_has_option(bounds->space, choice, GROUP_STATES, zero))
            least = fmin(least, data_seconds(bounds, &some));
    }
    return isfinite(least) ? least : 0;
}

/* ---- Memory ------------------------------------------------------------------------------------------------- */

/* The optimizer's states of a layer, at least. */
static double layer_states_bytes(const Bounds *bounds, const Choice *choice)
{
    double ranks = (double)choice->degree[DEGREE_TENSOR] * choice->degree[DEGREE_EXPERT];
    double layers = (double)bounds->space->layers;
    const Inner *alone = bounds->alone;
    return alone->block_share[CATEGORY_OPTIMIZER] * alone->state_bytes[CATEGORY_OPTIMIZER] / ranks / layers;
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
        return all - some / (double)bounds->space->layers *
                         (all - (1 - bounds->alone->block_share[CATEGORY_OPTIMIZER]) * alone);
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

/* What the first stage holds at once of something that a microbatch has in `all` of its chunks, and in the `first`.
 * Where they are interleaved, p microbatches have passed all of them, and p - 1 more the first, before one comes back.
 */
static double in_flight(const Choice *choice, double all, double first)
{
    double stages = choice->degree[DEGREE_PIPELINE], micro = choice->micro;
    switch (choice->option[GROUP_SCHEDULE]) {
    case OPTION_ONE_F_ONE_B:
        return fmin(micro, stages) * all;
    case OPTION_GPIPE:
        return micro * all;
    case OPTION_INTERLEAVED:
        return fmin(micro, stages) * all + fmin(fmax(micro - stages, 0), stages - 1) * first;
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
    double all = of_layers(space, choice, space_stage_layers(space, choice), layer);
    bool staged = choice->degree[DEGREE_PIPELINE] > 1;
    return staged ? in_flight(choice, all, of_first_chunk(space, choice, layer)) : all;
}

/* Shards of gradients that are no sums over microbatches are there from when they are made on, which may be after the
 * moment at which the backward pass needs most. */
static double late_bytes(const Bounds *bounds, const Choice *choice, const Inner *inner)
{
    bool late = zero_stage(choice) >= 2 && choice->micro == 1;
    return late ? state_bytes(bounds, choice, inner, CATEGORY_GRADIENTS) / choice->degree[DEGREE_DATA] : 0;
}

/* `part`: of the inner programs' examples. */
static double memory_bytes(const Bounds *bounds, const Choice *choice, const Layers *layers, double part)
{
    const Inner *inner = layers->kept;
    double states = states_bytes(bounds, choice, inner);
    bool staged = choice->degree[DEGREE_PIPELINE] > 1;
    double cache = inner->cache_bytes * (staged ? stage_share(bounds->space, choice) : 1);
    double passing = part * (kept_bytes(bounds->space, choice, layers) + inner->moment_bytes);
    return states + part * cache + fmax(0, passing - late_bytes(bounds, choice, inner));
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
    micro.chunk_s = of_first_chunk(space, choice, layer);
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

Bound bound_states(const Bounds *bounds, const Choice *choice)
{
    Bound bound = bound_shape(bounds, choice);
    bound.seconds += least_data_seconds(bounds, choice);
    return bound;
}

/* Of a strategy whose layers take what these do. */
static Bound bound_of_layers(const Bounds *bounds, const Choice *choice, const Inner *inner)
{
    double part = space_examples(bounds->space, choice) / (double)bounds->space->examples;
    const Layers layers = all_alike(inner);
    const Micro micro = micro_of(bounds->space, choice, &layers, part);
    return (Bound){.seconds = pipelined(bounds->space, choice, &micro) + least_data_seconds(bounds, choice),
                   .error = inner->error};
}

/* What layers communicate over `context` alone, between ranks of `tensor`. What `ring` passes on or gathers depends on
 * how much there is to send, of which `tensor` divides a part. */
static double sent_over_context(Bounds *bounds, const Choice *choice)
{
    Choice context = inner_keeping(choice);
    context.degree[DEGREE_TENSOR] = 1;
    context.option[GROUP_TENSORS] = 0;
    int option = choice->option[GROUP_CONTEXTS];
    double least = INFINITY;
    for (int other = option == OPTION_RING ? OPTION_GATHERED : option; other <= option; other++) {
        context.option[GROUP_CONTEXTS] = (int8_t)other;
        const Inner *inner = inner_find(&bounds->inners, &context, bounds->space->examples);
        least = inner->error == NULL ? fmin(least, inner->sent_s[choice->degree[DEGREE_TENSOR]]) : least;
    }
    return isfinite(least) ? least : 0;
}

/* Of layers that both axes divide, and no other. Where the ranks of `tensor` are on several nodes, one call over both
 * may send less to other nodes than one over each. */
static bool has_axes_apart(const Bounds *bounds, const Choice *choice)
{
    int64_t node = bounds->space->train->cluster.node_devices, tensors = choice->degree[DEGREE_TENSOR];
    bool inside = node == 0 || node % tensors == 0;
    return inside && choice->degree[DEGREE_CONTEXT] > 1 && tensors > 1 && choice->degree[DEGREE_EXPERT] == 1;
}

Bound bound_apart(Bounds *bounds, const Choice *choice)
{
    double contexts = choice->degree[DEGREE_CONTEXT], tensors = choice->degree[DEGREE_TENSOR];
    Choice tensor = inner_keeping(choice);
    if (!has_axes_apart(bounds, choice))
        return bound_states(bounds, choice);
    tensor.degree[DEGREE_CONTEXT] = 1;
    tensor.option[GROUP_CONTEXTS] = 0;
    Inner apart = *inner_find(&bounds->inners, &tensor, bounds->space->examples);
    if (apart.error != NULL)
        return bound_states(bounds, choice);
    apart.layers_s = apart.layers_s / contexts + sent_over_context(bounds, choice) / tensors;
    apart.forward_s /= contexts;
    apart.outside_s /= contexts;
    apart.after_s /= contexts;
    apart.passed_bytes /= contexts;
    return bound_of_layers(bounds, choice, &apart);
}

Bound bound_layers(Bounds *bounds, const Choice *choice)
{
    const Choice kept = inner_keeping(choice);
    return bound_of_layers(bounds, choice, inner_find(&bounds->inners, &kept, bounds->space->examples));
}

/* Does each parameter have as many bytes of states? But for counters, and what ends units. */
static bool is_proportional(const Bounds *bounds)
{
    static const double small = 1e-3;
    const Inner *alone = bounds->alone;
    bool equal = true;
    for (int c = 0; c <= CATEGORY_OPTIMIZER; c++) {
        double share = alone->block_share[c] - alone->block_share[CATEGORY_PARAMETERS];
        double first = bounds->first_share[c] - bounds->first_share[CATEGORY_PARAMETERS];
        equal = equal && (alone->state_bytes[c] == 0 || (fabs(share) <= small && fabs(first) <= small));
    }
    return equal;
}

/* Reading and writing states, and bringing them in from the host and back. How long each parameter takes of that is not
 * known where they have different states: then stages take no time for it here. */
static double update_seconds(const Bounds *bounds, const Choice *choice, const Inner *inner)
{
    bool known = choice->degree[DEGREE_PIPELINE] == 1 || is_proportional(bounds);
    double update = known ? of_stage(bounds, choice, CATEGORY_PARAMETERS, inner->update_s, bounds->alone->update_s) : 0;
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

/* Of the layers that recompute `more`, or of the others: `roughly` from below. */
static const Inner *inner_of(Bounds *bounds, const Choice *choice, int64_t examples, bool roughly, bool more)
{
    Choice layers = inner_layers(bounds->space, choice, more);
    int32_t values = layers.values, hosted = layers.hosted;
    int recomputed = layers.option[GROUP_RECOMPUTED];
    bool by_value = recomputed == OPTION_KEEP || recomputed == OPTION_BY_VALUE;
    if (!roughly || !by_value || values + hosted == 0)
        return inner_find(&bounds->inners, &layers, examples);
    const Choice keeping = inner_keeping(choice);
    const Inner *inner = inner_find(&bounds->inners, &keeping, examples);
    return inner->error != NULL ? inner : inner_fewer(inner, values, hosted);
}

static Layers layers_of(Bounds *bounds, const Choice *choice, int64_t examples, bool roughly)
{
    const Inner *again = inner_of(bounds, choice, examples, roughly, true);
    return choice->layers > 0 ? (Layers){again, inner_of(bounds, choice, examples, roughly, false)} : all_alike(again);
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
    const Bound bound = bound_from(bounds, choice, &layers, own / examples);
    /* What is refused of more examples, or of the layers alone that recompute less, may be possible here. */
    bool other = own < least || choice->layers > 0;
    return bound.error != NULL && other ? bound_roughly(bounds, choice) : bound;
}

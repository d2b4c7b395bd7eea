/* values.c - which values may be recomputed or be on the host, and what that takes (search/values.h). */
#include "search/values.h"

#include "plan/walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CANDIDATES = 12 };

/* ---- What is kept ------------------------------------------------------------------------------------------- */

/* Per buffer: written going forward, read going back. */
typedef struct Use {
    bool written, read;
} Use;

static void find_uses(const NodeList *body, Use *uses)
{
    for (int i = 0; i < body->count; i++) {
        const Op *op = node_op(body->data[i]);
        find_uses(&body->data[i]->body, uses);
        if (op == NULL)
            continue;
        bool back = op->origin >= 0;
        if (op->out.buffer >= 0)
            uses[op->out.buffer].written |= !back;
        for (int o = 0; o < op->operand_count; o++)
            if (op->operand[o].buffer >= 0)
                uses[op->operand[o].buffer].read |= back;
    }
}

const bool *values_written(Arena *arena, const Program *program)
{
    Use *uses = arena_array(arena, Use, program->buffers.count);
    bool *written = arena_array(arena, bool, program->buffers.count);
    find_uses(&program_routine(program, ROUTINE_STEP)->body, uses);
    for (int i = 0; i < program->buffers.count; i++)
        written[i] = uses[i].written;
    return written;
}

/* It has a place for each layer; what a layer gets from the one before has a place more. */
const bool *values_kept(Arena *arena, const Space *space, const Program *program)
{
    Use *uses = arena_array(arena, Use, program->buffers.count);
    bool *kept = arena_array(arena, bool, program->buffers.count);
    find_uses(&program_routine(program, ROUTINE_STEP)->body, uses);
    for (int i = 0; i < program->buffers.count && space->layers > 1; i++) {
        const Buffer *buffer = &program->buffers.data[i];
        bool each = buffer->slots == space->layers || buffer->slots == space->layers + 1;
        kept[i] = each && buffer->category == CATEGORY_ACTIVATIONS && buffer->tier == TIER_DEVICE && uses[i].written &&
                  uses[i].read;
    }
    return kept;
}

/* ---- What it is computed from ------------------------------------------------------------------------------- */

/* The forward pass of the layers. */
typedef struct Forward {
    Arena *arena;
    const Space *space;
    const Costed *costed;
    const Program *program;
    const bool *kept;
    int64_t *times; /* that each operator runs, */
    int32_t micro;  /* in so many microbatches */
    OpList ops;     /* of the layers, in their order */
    bool *made;     /* per buffer: by one of these, */
    bool *again;    /* and by then recomputed */
    const char *prefix;
} Forward;

static void list_forward(Forward *f, const NodeList *body, bool in_layers)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        const Op *op = node_op(node);
        list_forward(f, &node->body, in_layers || node_is_layer_loop(node));
        if (!in_layers || op == NULL || op->origin >= 0 || op->out.buffer < 0)
            continue;
        vec_push(f->arena, &f->ops, op);
        f->made[op->out.buffer] = true;
    }
}

static Forward open_forward(Arena *arena, const Space *space, const Costed *costed, int32_t micro)
{
    Forward f = {.arena = arena, .space = space, .costed = costed, .program = costed->file->program, .micro = micro};
    const int64_t coordinates[STEP_MAX_AXES] = {0};
    const Routine *step = program_routine(f.program, ROUTINE_STEP);
    f.kept = values_kept(arena, space, f.program);
    f.times = arena_array(arena, int64_t, f.program->op_count + 1);
    f.made = arena_array(arena, bool, f.program->buffers.count);
    f.again = arena_array(arena, bool, f.program->buffers.count);
    f.prefix = arena_printf(arena, "%s.", costed->file->decls->groups.data[0].name);
    walk_count(f.program, step, coordinates, f.times);
    list_forward(&f, &step->body, false);
    return f;
}

static const char *name_of(const Forward *f, int buffer)
{
    return f->program->buffers.data[buffer].name;
}

/* What all layers keep in it. */
static double kept_bytes(const Forward *f, int buffer)
{
    const Buffer *own = &f->program->buffers.data[buffer];
    return (double)buffer_slot_bytes(f->program->decls, own) * (double)f->space->layers;
}

/* In a microbatch. */
static double seconds_of(const Forward *f, const Op *op)
{
    const Cluster *cluster = &f->costed->train->cluster;
    double times = (double)f->times[op->id] / f->micro;
    return f->space->timed ? times * cost_op(cluster, f->program, op, NULL).seconds : 0;
}

/* One more kept value that is recomputed, with what belongs to it. */
typedef struct Candidate {
    int buffer;
    bool *needed; /* per buffer */
    ValuesCost cost;
} Candidate;

/* Is it computed in the layers, and neither kept nor recomputed so far? */
static bool is_missing(const Forward *f, int buffer)
{
    return f->made[buffer] && !f->kept[buffer] && !f->again[buffer] &&
           f->program->buffers.data[buffer].category == CATEGORY_ACTIVATIONS;
}

static void measure(const Forward *f, Candidate *candidate)
{
    bool *needed = candidate->needed;
    memset(needed, 0, sizeof(bool) * (size_t)f->program->buffers.count);
    candidate->cost = (ValuesCost){0};
    for (int i = 0; i < f->program->buffers.count; i++)
        if (f->kept[i] && !f->again[i] && label_matches(name_of(f, candidate->buffer), name_of(f, i))) {
            needed[i] = true;
            candidate->cost.bytes += kept_bytes(f, i);
        }
    for (int i = f->ops.count - 1; i >= 0; i--) {
        const Op *op = f->ops.data[i];
        if (!needed[op->out.buffer])
            continue;
        candidate->cost.seconds += seconds_of(f, op);
        for (int o = 0; o < op->operand_count; o++)
            needed[op->operand[o].buffer] |= is_missing(f, op->operand[o].buffer);
    }
}

/* Is it one of those of the block that the label names? */
static bool is_named(const char *prefix, const char *label, const char *name)
{
    return strncmp(name, prefix, strlen(prefix)) == 0 && label_matches(label, name + strlen(prefix));
}

static bool is_kept_value(const char *prefix, const KeptValue *kept, const char *name)
{
    return kept->outside ? label_matches(kept->label, name) : is_named(prefix, kept->label, name);
}

/* ---- Their order -------------------------------------------------------------------------------------------- */

/* Those that are recomputed together, and which of them the backward pass reads. */
typedef struct Kind {
    ValueLabels labels, kept;
    ValuesCost cost;
} Kind;

typedef struct Kinds {
    Forward *forward;
    Vec(Candidate) candidates;
    Vec(Kind) kinds;
} Kinds;

static double ratio(const ValuesCost *cost)
{
    return cost->bytes / (cost->seconds > 0 ? cost->seconds : 1e-12);
}

static int by_bytes(const void *a, const void *b)
{
    const Candidate *x = a, *y = b;
    if (x->cost.bytes != y->cost.bytes)
        return x->cost.bytes > y->cost.bytes ? -1 : 1;
    return x->buffer - y->buffer;
}

static int by_ratio(const void *a, const void *b)
{
    const Candidate *x = a, *y = b;
    if (ratio(&x->cost) != ratio(&y->cost))
        return ratio(&x->cost) > ratio(&y->cost) ? -1 : 1;
    return x->buffer - y->buffer;
}

/* The largest values of the block that are kept, the best first. */
static void find_candidates(Kinds *k)
{
    Forward *f = k->forward;
    for (int i = 0; i < f->program->buffers.count; i++) {
        Candidate candidate = {.buffer = i, .cost = {.bytes = kept_bytes(f, i)}};
        if (f->kept[i] && f->made[i] && strncmp(name_of(f, i), f->prefix, strlen(f->prefix)) == 0)
            vec_push(f->arena, &k->candidates, candidate);
    }
    if (k->candidates.count == 0)
        return;
    qsort(k->candidates.data, (size_t)k->candidates.count, sizeof *k->candidates.data, by_bytes);
    if (k->candidates.count > MOST_CANDIDATES)
        k->candidates.count = MOST_CANDIDATES;
    for (int i = 0; i < k->candidates.count; i++) {
        k->candidates.data[i].needed = arena_array(f->arena, bool, f->program->buffers.count);
        measure(f, &k->candidates.data[i]);
    }
    qsort(k->candidates.data, (size_t)k->candidates.count, sizeof *k->candidates.data, by_ratio);
}

/* Names what the candidate needs; false if some of it has no label in the block. */
static bool name_needed(const Forward *f, const Candidate *candidate, ValueLabels *labels)
{
    const char *own = name_of(f, candidate->buffer);
    vec_push(f->arena, labels, own + strlen(f->prefix));
    for (int i = 0; i < f->program->buffers.count; i++) {
        const char *name = name_of(f, i);
        if (!candidate->needed[i] || label_matches(own, name))
            continue;
        if (strncmp(name, f->prefix, strlen(f->prefix)) != 0)
            return false;
        vec_push(f->arena, labels, name + strlen(f->prefix));
    }
    return true;
}

/* What was named before may need less than alone: that is recomputed, too. */
static void add_kind(Kinds *k, Candidate *candidate)
{
    Forward *f = k->forward;
    Kind kind = {0};
    if (f->again[candidate->buffer])
        return;
    measure(f, candidate);
    if (!name_needed(f, candidate, &kind.labels))
        return;
    kind.cost = candidate->cost;
    vec_push(f->arena, &kind.kept, kind.labels.data[0]);
    vec_push(f->arena, &k->kinds, kind);
    for (int i = 0; i < f->program->buffers.count; i++)
        f->again[i] |= candidate->needed[i];
}

static void add_labels(const Kinds *k, ValueLabels *to, const ValueLabels *labels)
{
    for (int l = 0; l < labels->count; l++)
        vec_push(k->forward->arena, to, labels->data[l]);
}

/* Kind number i and the next become one. */
static void join_kinds(Kinds *k, int i)
{
    Kind *one = &k->kinds.data[i], *next = &k->kinds.data[i + 1];
    add_labels(k, &one->labels, &next->labels);
    add_labels(k, &one->kept, &next->kept);
    one->cost.bytes += next->cost.bytes;
    one->cost.seconds += next->cost.seconds;
    k->kinds.count--;
    memmove(next, next + 1, sizeof *next * (size_t)(k->kinds.count - i - 1));
}

/* Those that are about as good, or too many. */
static void join_alike(Kinds *k)
{
    static const double alike = 1.5;
    while (k->kinds.count > 1) {
        double least = INFINITY;
        int at = 0;
        for (int i = 0; i + 1 < k->kinds.count; i++) {
            double more = ratio(&k->kinds.data[i].cost) / ratio(&k->kinds.data[i + 1].cost);
            at = more < least ? i : at;
            least = fmin(least, more);
        }
        if (k->kinds.count <= MOST_VALUES && least > alike)
            return;
        join_kinds(k, at);
    }
}

static Choice choice_of(int recomputed, int64_t values, int64_t hosted)
{
    Choice choice = {.degree = {1, 1, 1, 1, 1, 1}, .micro = 1, .chunks = 1, .values = (int32_t)values};
    choice.option[GROUP_RECOMPUTED] = (int8_t)recomputed;
    space_host(&choice, hosted);
    return choice;
}

/* Does the device keep none of those on the host? */
static bool are_away(Arena *arena, const Space *space, const Choice *choice, const Program *program)
{
    const bool *kept = values_kept(arena, space, program);
    const char *prefix = arena_printf(arena, "%s.", program->decls->groups.data[0].name);
    for (int i = 0; i < program->buffers.count; i++)
        for (int v = 0; v < choice->hosted && kept[i]; v++)
            if (is_kept_value(prefix, space_hosted_value(space, choice, v), program->buffers.data[i].name))
                return false;
    return true;
}

/* Does one device run the program? */
static bool is_right(Arena *arena, const Pattern *pattern, const Space *space, Choice choice)
{
    const Version version = {.mesh = space_copies(arena, space, &choice),
                             .strategy = space_strategy(arena, space, &choice),
                             .batch = space->fewest,
                             .micro = 1};
    Costed costed;
    pattern_cost(pattern, &version, &costed);
    bool right = costed.error == NULL && are_away(costed.ctx.arena, space, &choice, costed.file->program);
    costed_close(&costed);
    return right;
}

/* As many as are programs. */
static void find_hosted(Arena *arena, const Pattern *pattern, Space *space)
{
    Option *option = &space->options[GROUP_HOSTED].option[OPTION_VALUES_ON_HOST];
    if (option->excluded == NULL && space->train->cluster.device.host_bytes_per_second <= 0)
        option->excluded = "the link to the host is not known";
    if (option->excluded != NULL)
        return;
    int64_t most = space->kept.count;
    bool all = most > 0 && is_right(arena, pattern, space, choice_of(OPTION_KEEP, 0, most));
    while (!all && space->hosted < most &&
           is_right(arena, pattern, space, choice_of(OPTION_KEEP, 0, space->hosted + 1)))
        space->hosted++;
    space->hosted = all ? most : space->hosted;
    space->begin_hosted = most > 0 && space->kept.data[0].outside &&
                          is_right(arena, pattern, space, choice_of(OPTION_SELECTIVE, 0, 1)) &&
                          is_right(arena, pattern, space, choice_of(OPTION_RECOMPUTE, 0, 1));
    if (space->hosted == 0 && !space->begin_hosted)
        option->excluded = "no value that takes longest to recompute can be there";
}

/* What layers begin with, which none of them computes: the largest of it. */
static void add_begin(const Forward *f, Space *space)
{
    const Buffer *begin = NULL;
    double most = 0;
    for (int i = 0; i < f->program->buffers.count; i++) {
        const Buffer *buffer = &f->program->buffers.data[i];
        bool within = strncmp(buffer->name, f->prefix, strlen(f->prefix)) == 0;
        if (f->kept[i] && !within && buffer->slots == space->layers + 1 && kept_bytes(f, i) > most) {
            begin = buffer;
            most = kept_bytes(f, i);
        }
    }
    if (begin != NULL)
        vec_push(f->arena, &space->kept, ((KeptValue){begin->name, 0, true}));
}

static void find_values(Arena *arena, const Pattern *pattern, const Costed *alone, Space *space)
{
    Forward forward = open_forward(arena, space, alone, 1);
    Kinds kinds = {.forward = &forward};
    find_candidates(&kinds);
    for (int i = 0; i < kinds.candidates.count; i++)
        add_kind(&kinds, &kinds.candidates.data[i]);
    join_alike(&kinds);
    add_begin(&forward, space);
    for (int i = 0; i < kinds.kinds.count; i++) {
        const Kind *kind = &kinds.kinds.data[i];
        vec_push(arena, &space->values, kind->labels);
        if (!is_right(arena, pattern, space, choice_of(OPTION_BY_VALUE, space->values.count, 0))) {
            space->values.count--;
            continue;
        }
        for (int l = 0; l < kind->kept.count; l++)
            vec_push(arena, &space->kept, ((KeptValue){kind->kept.data[l], space->values.count - 1, false}));
    }
}

void values_open(Arena *arena, const Pattern *pattern, const Costed *alone, Space *space)
{
    Option *option = &space->options[GROUP_RECOMPUTED].option[OPTION_BY_VALUE];
    Option *host = &space->options[GROUP_HOSTED].option[OPTION_VALUES_ON_HOST];
    space->saving_name = pattern->saving;
    const char *why = space->layers <= 1 ? "the model has not one block that is repeated" : NULL;
    if (why == NULL && !space->timed)
        return;
    if (why == NULL && (option->excluded == NULL || host->excluded == NULL))
        find_values(arena, pattern, alone, space);
    const char *none = "the block keeps nothing that a label names";
    if (option->excluded == NULL)
        option->excluded = why == NULL && space->values.count == 0 ? none : why;
    if (host->excluded == NULL)
        host->excluded = why == NULL && space->kept.count == 0 ? none : why;
    find_hosted(arena, pattern, space);
}

/* ---- In other programs -------------------------------------------------------------------------------------- */

/* Per buffer: the first number of values, recomputed or on the host, with which it is; 0: none. */
typedef struct Named {
    int again, hosted;
} Named;

static Named find_named(const Forward *f, const char *name)
{
    const Space *space = f->space;
    Named named = {0};
    for (int v = 0; v < space->values.count && named.again == 0; v++)
        for (int l = 0; l < space->values.data[v].count; l++)
            if (is_named(f->prefix, space->values.data[v].data[l], name))
                named.again = v + 1;
    for (int v = 0; v < space->hosted && named.hosted == 0; v++)
        if (is_kept_value(f->prefix, &space->kept.data[space->kept.count - 1 - v], name))
            named.hosted = v + 1;
    return named;
}

static bool is_again(const Named *named, int values)
{
    return named->again > 0 && named->again <= values;
}

static bool is_hosted(const Named *named, int hosted)
{
    return named->hosted > 0 && named->hosted <= hosted;
}

/* What is named by both is one of these. Conversions are left out: some are not done again. */
static ValuesCost cost_of(const Forward *f, const Named *named, int values, int hosted)
{
    const Device *device = &f->costed->train->cluster.device;
    ValuesCost cost = {0};
    for (int i = 0; i < f->program->buffers.count; i++) {
        bool again = is_again(&named[i], values), away = is_hosted(&named[i], hosted);
        if (!f->kept[i] || (!again && !away))
            continue;
        cost.bytes += kept_bytes(f, i);
        double copy_s =
            away ? kept_bytes(f, i) / device->host_bytes_per_second + (double)f->space->layers * device->launch_seconds
                 : 0;
        cost.forward_s += 2 * copy_s; /* each layer may read two of its slots */
        cost.seconds += again ? 0 : 2 * copy_s;
    }
    for (int i = 0; i < f->ops.count; i++) {
        const Named *out = &named[f->ops.data[i]->out.buffer];
        if (op_is_product(f->ops.data[i]) && is_again(out, values) && !is_hosted(out, hosted))
            cost.seconds += seconds_of(f, f->ops.data[i]);
    }
    return cost;
}

void values_cost(Arena *arena, const Space *space, const Costed *costed, int32_t micro, ValuesCosts costs)
{
    const Forward f = open_forward(arena, space, costed, micro);
    Named *named = arena_array(arena, Named, f.program->buffers.count);
    for (int i = 0; i < f.program->buffers.count; i++)
        named[i] = find_named(&f, name_of(&f, i));
    for (int values = 0; values <= space->values.count; values++)
        for (int hosted = 0; hosted <= space->hosted; hosted++)
            costs[values][hosted] = cost_of(&f, named, values, hosted);
}

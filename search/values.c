/* values.c - which values may be recomputed, and what that takes (search/values.h). */
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
    int64_t *times; /* that each operator runs */
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

static Forward open_forward(Arena *arena, const Space *space, const Costed *costed)
{
    Forward f = {.arena = arena, .space = space, .costed = costed, .program = costed->file->program};
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

static double seconds_of(const Forward *f, const Op *op)
{
    const Cluster *cluster = &f->costed->train->cluster;
    return f->space->timed ? (double)f->times[op->id] * cost_op(cluster, f->program, op, NULL).seconds : 0;
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

/* ---- Their order -------------------------------------------------------------------------------------------- */

/* Those that are recomputed together. */
typedef struct Kind {
    ValueLabels labels;
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
    vec_push(f->arena, &k->kinds, kind);
    for (int i = 0; i < f->program->buffers.count; i++)
        f->again[i] |= candidate->needed[i];
}

/* Kind number i and the next become one. */
static void join_kinds(Kinds *k, int i)
{
    Kind *one = &k->kinds.data[i], *next = &k->kinds.data[i + 1];
    for (int l = 0; l < next->labels.count; l++)
        vec_push(k->forward->arena, &one->labels, next->labels.data[l]);
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

/* Does one device run the program that recomputes all of the space's so far? */
static bool is_right(Arena *arena, const Pattern *pattern, const Space *space)
{
    Choice choice = {.degree = {1, 1, 1, 1, 1, 1}, .micro = 1, .chunks = 1, .values = space->values.count};
    choice.option[GROUP_RECOMPUTED] = OPTION_BY_VALUE;
    const Version version = {.mesh = space_copies(arena, space, &choice),
                             .strategy = space_strategy(arena, space, &choice),
                             .batch = space->fewest,
                             .micro = 1};
    Costed costed;
    pattern_cost(pattern, &version, &costed);
    bool right = costed.error == NULL;
    costed_close(&costed);
    return right;
}

void values_open(Arena *arena, const Pattern *pattern, const Costed *alone, Space *space)
{
    Option *option = &space->options[GROUP_RECOMPUTED].option[OPTION_BY_VALUE];
    if (option->excluded == NULL && space->layers <= 1)
        option->excluded = "the model has not one block that is repeated";
    if (option->excluded != NULL || !space->timed)
        return;
    Forward forward = open_forward(arena, space, alone);
    Kinds kinds = {.forward = &forward};
    find_candidates(&kinds);
    for (int i = 0; i < kinds.candidates.count; i++)
        add_kind(&kinds, &kinds.candidates.data[i]);
    join_alike(&kinds);
    for (int i = 0; i < kinds.kinds.count; i++) {
        vec_push(arena, &space->values, kinds.kinds.data[i].labels);
        if (!is_right(arena, pattern, space))
            space->values.count--;
    }
    if (space->values.count == 0)
        option->excluded = "the block keeps nothing that a label names";
}

/* ---- In other programs -------------------------------------------------------------------------------------- */

static bool is_named(const Forward *f, const ValueLabels *labels, const char *name)
{
    for (int i = 0; i < labels->count; i++)
        if (strncmp(name, f->prefix, strlen(f->prefix)) == 0 &&
            label_matches(labels->data[i], name + strlen(f->prefix)))
            return true;
    return false;
}

/* Conversions are left out: some are not done again. */
void values_cost(Arena *arena, const Space *space, const Costed *costed, ValuesCost *costs)
{
    const Forward f = open_forward(arena, space, costed);
    ValuesCost sum = {0};
    for (int v = 0; v < space->values.count; v++) {
        const ValueLabels *labels = &space->values.data[v];
        for (int i = 0; i < f.program->buffers.count; i++) {
            bool before = f.again[i];
            f.again[i] |= is_named(&f, labels, name_of(&f, i));
            sum.bytes += f.kept[i] && f.again[i] && !before ? kept_bytes(&f, i) : 0;
        }
        for (int i = 0; i < f.ops.count; i++)
            if (op_is_product(f.ops.data[i]) && is_named(&f, labels, name_of(&f, f.ops.data[i]->out.buffer)))
                sum.seconds += seconds_of(&f, f.ops.data[i]);
        costs[v] = sum;
    }
}

/* emit_again.c - values that layers have in different places between the passes get a buffer for each: some layers
 * recompute them (recompute.c), or convert a copy again (converted.c), some store them on the host or in a file
 * (keep.c), and others keep them on the device. Only the last need a slot for each layer there. */
#include "derive/emit.h"
#include "step/refs.h"

/* How the layer loops of a group use a buffer. */
typedef struct Uses {
    int buffer;
    bool plain;        /* always the current layer's */
    Vec(Node *) again; /* backward loops that write it before they read it */
    Vec(Node *) loops; /* all loops that use it */
} Uses;

typedef enum FirstUse { USE_NONE, USE_READ, USE_WRITE } FirstUse;

/* How one node uses it. */
typedef struct NodeUse {
    int buffer;
    const Node *loop; /* the node, if it is a loop over layers; else NULL */
    bool plain;
    FirstUse first; /* in the order of the text */
} NodeUse;

static bool is_plain(const Ref *ref, const Node *loop)
{
    return loop != NULL && ref->slot.constant == 0 && affine_is_loop_plus(&ref->slot, loop->loop.id);
}

static void note_use(void *context, Op *op, Ref *ref, bool writes)
{
    NodeUse *use = context;
    if (ref->buffer != use->buffer)
        return;
    use->plain &= is_plain(ref, use->loop);
    if (use->first == USE_NONE)
        use->first = writes && !op->accumulate ? USE_WRITE : USE_READ;
}

static void find_uses(Emit *e, Uses *u, const NodeList *body)
{
    for (int i = 0; i < body->count; i++) {
        Node *node = body->data[i];
        bool layers = node->kind == NODE_LOOP && node->loop.kind == LOOP_LAYERS;
        if (!layers && node->kind != NODE_OP) {
            find_uses(e, u, &node->body);
            continue;
        }
        NodeUse use = {.buffer = u->buffer, .loop = layers ? node : NULL, .plain = true};
        refs_visit(node, note_use, &use);
        if (use.first == USE_NONE)
            continue;
        if (!layers) {
            u->plain = false;
            continue;
        }
        u->plain &= use.plain && (u->loops.count == 0 || u->loops.data[0]->loop.group == node->loop.group);
        vec_push(e->ctx->arena, &u->loops, node);
        if (use.first == USE_WRITE && node->loop.step < 0)
            vec_push(e->ctx->arena, &u->again, node);
    }
}

static int64_t lowest(const Node *loop)
{
    return loop->loop.step < 0 ? loop->loop.last.constant : loop->loop.first.constant;
}

static int64_t highest(const Node *loop)
{
    return loop->loop.step < 0 ? loop->loop.first.constant : loop->loop.last.constant;
}

typedef enum Overlap { APART, WITHIN, ACROSS } Overlap;

static Overlap overlap_of(const Node *loop, const Uses *u)
{
    Overlap overlap = APART;
    for (int i = 0; i < u->again.count; i++) {
        const Node *other = u->again.data[i];
        if (lowest(other) <= lowest(loop) && highest(loop) <= highest(other))
            return WITHIN;
        if (lowest(other) <= highest(loop) && lowest(loop) <= highest(other))
            overlap = ACROSS;
    }
    return overlap;
}

/* Moves uses to the slots of another buffer, or of the same one; `lowest_layer` gets the first slot. */
typedef struct Move {
    int from, to;
    int64_t lowest_layer;
} Move;

static void move(void *context, Op *op, Ref *ref, bool writes)
{
    const Move *m = context;
    (void)op, (void)writes;
    if (ref->buffer != m->from)
        return;
    ref->buffer = m->to;
    ref->slot.constant -= m->lowest_layer;
}

/* The layers that have the value in one place, and their buffer. */
typedef struct Kept {
    int loops, buffer;
    int64_t first, last;
} Kept;

static KeptPlace place_of_loop(const Emit *e, const Uses *u, int ref, const Node *loop)
{
    static const KeptPlace places[] = {
        [TIER_DEVICE] = KEPT_ON_DEVICE, [TIER_HOST] = KEPT_ON_HOST, [TIER_FILE] = KEPT_IN_FILE};
    if (overlap_of(loop, u) == WITHIN)
        return KEPT_NOT;
    const Offloaded *elsewhere = ref >= 0 ? derive_elsewhere(&e->facts->buffers[ref], lowest(loop)) : NULL;
    return places[elsewhere != NULL ? elsewhere->tier : TIER_DEVICE];
}

static void note_loop(Kept *kept, const Node *loop)
{
    kept->first = kept->loops == 0 || lowest(loop) < kept->first ? lowest(loop) : kept->first;
    kept->last = kept->loops == 0 || highest(loop) > kept->last ? highest(loop) : kept->last;
    kept->loops++;
}

/* The buffer of what is somewhere; the first that there are have the value's own. */
static void make_buffers(Emit *e, Kept *kept, int buffer)
{
    static const char *const names[KEPT_PLACES] = {"", "to_host", "to_file", "again"};
    for (int place = 0, count = 0; place < KEPT_PLACES; place++) {
        if (kept[place].loops == 0)
            continue;
        Buffer copy = e->program->buffers.data[buffer];
        copy.name = arena_printf(e->ctx->arena, "%s.%s", copy.name, names[place]);
        copy.passed_on = false;
        kept[place].buffer = count++ == 0 ? buffer : derive_add_buffer(e, copy);
    }
    for (int place = 0; place < KEPT_PLACES; place++)
        if (kept[place].loops > 0)
            e->program->buffers.data[kept[place].buffer].slots = kept[place].last - kept[place].first + 1;
}

/* Other routines make copies of states in the same buffer, for all layers: they get one of their own. */
static void move_others(Emit *e, const Buffer *whole, int buffer)
{
    int own = -1;
    for (int r = 0; r < e->program->routines.count; r++) {
        const Routine *routine = &e->program->routines.data[r];
        NodeUse use = {.buffer = buffer};
        if (routine->kind == ROUTINE_STEP)
            continue;
        refs_visit_list(&routine->body, note_use, &use);
        if (use.first == USE_NONE)
            continue;
        if (own < 0) {
            Buffer copy = *whole;
            copy.name = arena_printf(e->ctx->arena, "%s.all", copy.name);
            own = derive_add_buffer(e, copy);
        }
        refs_visit_list(&routine->body, move, &(Move){.from = buffer, .to = own});
    }
}

/* `ref`: the value that the buffer is of; -1: none. */
static void split_buffer(Emit *e, const NodeList *body, int buffer, int ref)
{
    Uses u = {.buffer = buffer, .plain = true};
    Kept kept[KEPT_PLACES] = {0};
    find_uses(e, &u, body);
    for (int i = 0; i < u.loops.count; i++) {
        u.plain &= overlap_of(u.loops.data[i], &u) != ACROSS;
        note_loop(&kept[place_of_loop(e, &u, ref, u.loops.data[i])], u.loops.data[i]);
    }
    if (!u.plain || u.loops.count == 0)
        return;
    bool split = true;
    for (int place = 0; place < KEPT_PLACES; place++)
        split &= kept[place].loops < u.loops.count;
    if (split) {
        const Buffer whole = e->program->buffers.data[buffer];
        make_buffers(e, kept, buffer);
        move_others(e, &whole, buffer);
    }
    for (int place = 0; place < KEPT_PLACES; place++)
        if (kept[place].loops > 0)
            vec_push(e->ctx->arena, &e->kept_parts,
                     ((KeptPart){buffer, split ? kept[place].buffer : buffer, (KeptPlace)place}));
    for (int i = 0; split && i < u.loops.count; i++) {
        const Kept *of = &kept[place_of_loop(e, &u, ref, u.loops.data[i])];
        refs_visit(u.loops.data[i], move, &(Move){buffer, of->buffer, of->first});
    }
}

static bool some_layers_differ(const Assignment *assignment)
{
    bool some = false;
    for (int i = 0; i < assignment->recomputed.count; i++)
        some |= assignment->recomputed.data[i].group >= 0;
    for (int i = 0; i < assignment->offloaded.count; i++)
        some |= assignment->offloaded.data[i].group >= 0;
    for (int i = 0; i < assignment->converted.count; i++)
        some |= assignment->converted.data[i].group >= 0;
    return some;
}

void derive_split_kept(Emit *e)
{
    int count = e->program->buffers.count;
    if (!some_layers_differ(e->facts->assignment))
        return;
    int *value = arena_array(e->ctx->arena, int, count + 1);
    for (int buffer = 0; buffer < count; buffer++)
        value[buffer] = -1;
    for (int ref = 0; ref < e->facts->reference->buffers.count; ref++)
        for (int i = 0; i < e->made[ref].count; i++)
            value[e->made[ref].data[i].buffer] = ref;
    for (int buffer = 0; buffer < count; buffer++)
        if (!e->program->buffers.data[buffer].persistent)
            split_buffer(e, &program_routine(e->program, ROUTINE_STEP)->body, buffer, value[buffer]);
}

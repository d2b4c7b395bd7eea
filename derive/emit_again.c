/* emit_again.c - values that some layers recompute and others keep (recompute.c), and copies that some layers convert
 * again (converted.c), get two buffers; the one for what is made again needs only one slot. */
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

static void split_buffer(Emit *e, const NodeList *body, int buffer)
{
    Uses u = {.buffer = buffer, .plain = true};
    find_uses(e, &u, body);
    int within = 0, across = 0;
    int64_t first = INT64_MAX, last = 0; /* of the layers that keep it */
    for (int i = 0; u.plain && i < u.loops.count; i++) {
        const Node *loop = u.loops.data[i];
        Overlap overlap = overlap_of(loop, &u);
        within += overlap == WITHIN;
        across += overlap == ACROSS;
        first = overlap == APART && lowest(loop) < first ? lowest(loop) : first;
        last = overlap == APART && highest(loop) > last ? highest(loop) : last;
    }
    if (within == 0 || within == u.loops.count || across > 0)
        return;
    Buffer copy = e->program->buffers.data[buffer];
    copy.name = arena_printf(e->ctx->arena, "%s.again", copy.name);
    copy.passed_on = false;
    int again = derive_add_buffer(e, copy);
    for (int i = 0; i < u.loops.count; i++) {
        bool is_again = overlap_of(u.loops.data[i], &u) == WITHIN;
        Move into = {buffer, is_again ? again : buffer, is_again ? 0 : first};
        refs_visit(u.loops.data[i], move, &into);
    }
    e->program->buffers.data[buffer].slots = last - first + 1;
}

void derive_split_recomputed(Emit *e)
{
    const Assignment *assignment = e->facts->assignment;
    bool some = false;
    for (int i = 0; i < assignment->recomputed.count; i++)
        some |= assignment->recomputed.data[i].group >= 0;
    for (int i = 0; i < assignment->converted.count; i++)
        some |= assignment->converted.data[i].group >= 0;
    int count = e->program->buffers.count;
    for (int buffer = 0; some && buffer < count; buffer++)
        if (!e->program->buffers.data[buffer].persistent)
            split_buffer(e, &program_routine(e->program, ROUTINE_STEP)->body, buffer);
}

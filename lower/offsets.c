/* offsets.c - reduces slots to what is live, and assigns offsets in the arena. */
#include "lower/offsets.h"

#include "base/ranges.h"
#include "lower/live.h"
#include "lower/unused.h"
#include "step/refs.h"

#include <stdlib.h>
#include <string.h>

/* ---- Slots -------------------------------------------------------------------------------------------------- */

/* What is known about a buffer with several slots during the walk. */
typedef struct SlotUse {
    bool reducible;
    int loop;         /* the last layer loop that used it; -1 none */
    int64_t constant; /* in its slot there */
} SlotUse;

typedef struct SlotWalk {
    Program *program;
    SlotUse *uses;
} SlotWalk;

static void use_slot(SlotWalk *walk, Ref ref, int loop, bool defines)
{
    SlotUse *use = &walk->uses[ref.buffer];
    if (!use->reducible)
        return;
    if (loop < 0 || !affine_is_loop_plus(&ref.slot, loop)) {
        use->reducible = false;
    } else if (use->loop != loop) {
        use->reducible = defines;
        use->loop = loop;
        use->constant = ref.slot.constant;
    } else {
        use->reducible = use->constant == ref.slot.constant;
    }
}

/* Several starts are in progress, each on a slot of its own. */
static void keep_slots(SlotWalk *walk, const Op *op)
{
    for (int i = 0; i < op->operand_count; i++)
        walk->uses[op->operand[i].buffer].reducible = false;
    if (op_has_result(op->kind))
        walk->uses[op->out.buffer].reducible = false;
}

/* `loop`: the innermost layer loop, or -1; `sure`: no guard in between. */
static void walk_slots(SlotWalk *walk, const NodeList *body, int loop, bool sure)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        bool layers = node->kind == NODE_LOOP && node->loop.kind == LOOP_LAYERS;
        walk_slots(walk, &node->body, layers ? node->loop.id : loop, layers || (sure && node->kind != NODE_GUARD));
        if (node->kind != NODE_OP)
            continue;
        const Op *op = node->op;
        if (op->event_slot.modulus != 0)
            keep_slots(walk, op);
        for (int j = 0; j < op->operand_count; j++)
            use_slot(walk, op->operand[j], loop, false);
        if (op_has_result(op->kind))
            use_slot(walk, op->out, loop, sure && live_defines_slot(op));
    }
}

static void set_slot_zero(void *context, Op *op, Ref *ref, bool writes)
{
    const SlotWalk *walk = context;
    (void)op, (void)writes;
    if (walk->uses[ref->buffer].reducible)
        ref->slot = affine_constant(0);
}

void offsets_reduce_slots(Ctx *ctx, Program *program)
{
    SlotWalk walk = {program, arena_array(ctx->arena, SlotUse, program->buffers.count + 1)};
    for (int i = 0; i < program->buffers.count; i++) {
        const Buffer *buffer = &program->buffers.data[i];
        walk.uses[i] = (SlotUse){.reducible = !buffer->persistent && buffer->slots > 1, .loop = -1};
    }
    for (int i = 0; i < program->routines.count; i++)
        walk_slots(&walk, &program->routines.data[i].body, -1, true);
    refs_visit_program(program, set_slot_zero, &walk);
    for (int i = 0; i < program->buffers.count; i++)
        if (walk.uses[i].reducible)
            program->buffers.data[i].slots = 1;
    unused_drop_buffers(ctx, program);
    unused_drop_slots(ctx, program);
}

/* ---- Offsets ------------------------------------------------------------------------------------------------ */

static int64_t align(int64_t bytes)
{
    return (bytes + PLACE_ALIGNMENT - 1) / PLACE_ALIGNMENT * PLACE_ALIGNMENT;
}

static int64_t planned_bytes(const Program *program, const Buffer *buffer)
{
    return align(buffer_data_bytes(program->decls, buffer));
}

/* A temporary to be placed. */
typedef struct Item {
    int buffer;
    int64_t bytes, points;
    double key;
} Item;

static int compare_items(const void *x, const void *y)
{
    const Item *a = x, *b = y;
    if (a->key != b->key)
        return a->key > b->key ? -1 : 1;
    return a->buffer - b->buffer;
}

typedef enum Order { ORDER_BYTES, ORDER_POINTS, ORDER_AREA, ORDER_COUNT } Order;

static double order_key(Order order, const Item *item)
{
    switch (order) {
    case ORDER_BYTES:
        return (double)item->bytes;
    case ORDER_POINTS:
        return (double)item->points;
    case ORDER_AREA:
        return (double)item->bytes * (double)item->points;
    case ORDER_COUNT:
        break;
    }
    BUG("an order of no kind");
}

/* ---- Ranks that hold both --------------------------------------------------------------------------------------- */

static bool holds_at(const Decls *decls, const Buffer *buffer, const int64_t *coordinates)
{
    int64_t holder = affine_at(decls, &buffer->holder, coordinates, NULL);
    return buffer->held_low <= holder && holder <= buffer->held_high;
}

/* Do both holders depend on coordinates of `axis` alone? */
static bool asks_only(const Decls *decls, const Buffer *buffer, int *axis)
{
    for (int i = 0; i < buffer->holder.term_count; i++) {
        int asked = affine_axis(decls, buffer->holder.term[i].variable);
        if (*axis >= 0 && asked != *axis)
            return false;
        *axis = asked;
    }
    return true;
}

/* Can one rank have both? What different stages of one pipeline hold shares its bytes. */
static bool held_together(const Decls *decls, const Buffer *a, const Buffer *b)
{
    int axis = -1;
    if (!a->held || !b->held || !asks_only(decls, a, &axis) || !asks_only(decls, b, &axis) || axis < 0)
        return true;
    int64_t coordinates[STEP_MAX_AXES] = {0};
    for (; coordinates[axis] < decls->axes.data[axis].size; coordinates[axis]++)
        if (holds_at(decls, a, coordinates) && holds_at(decls, b, coordinates))
            return true;
    return false;
}

/* Buffers of one class are held by the same ranks. There are few classes, usually one per stage. */
typedef struct Holders {
    int *class_of;            /* per buffer */
    Vec(const Buffer *) each; /* per class: one of its buffers */
    bool **together;          /* per pair of classes: can one rank have buffers of both? */
} Holders;

static bool held_alike(const Buffer *a, const Buffer *b)
{
    return a->held == b->held && (!a->held || (affine_equal(&a->holder, &b->holder) && a->held_low == b->held_low &&
                                               a->held_high == b->held_high));
}

static int class_of(Arena *arena, Holders *holders, const Buffer *buffer)
{
    for (int i = 0; i < holders->each.count; i++)
        if (held_alike(holders->each.data[i], buffer))
            return i;
    vec_push(arena, &holders->each, buffer);
    return holders->each.count - 1;
}

static Holders find_holders(Arena *arena, const Program *program)
{
    Holders holders = {.class_of = arena_array(arena, int, program->buffers.count + 1)};
    for (int i = 0; i < program->buffers.count; i++)
        holders.class_of[i] = class_of(arena, &holders, &program->buffers.data[i]);
    int count = holders.each.count;
    holders.together = arena_array(arena, bool *, count + 1);
    for (int i = 0; i < count; i++) {
        holders.together[i] = arena_array(arena, bool, count);
        for (int j = 0; j <= i; j++)
            holders.together[i][j] = holders.together[j][i] =
                held_together(program->decls, holders.each.data[i], holders.each.data[j]);
    }
    return holders;
}

/* ---- Persistent buffers ----------------------------------------------------------------------------------------- */

/* They come first, in their order, side by side where a rank has both; returns the end of the highest. */
static int64_t place_persistent(Arena *arena, Program *program, const Holders *holders, Tier tier)
{
    int classes = holders->each.count;
    ByteRanges *taken = arena_array(arena, ByteRanges, classes + 1); /* per class: by those held together with it */
    int64_t total = 0;
    for (int i = 0; i < program->buffers.count; i++) {
        Buffer *buffer = &program->buffers.data[i];
        if (buffer->tier != tier || !buffer->persistent)
            continue;
        int own = holders->class_of[i];
        buffer->offset = ranges_gap(&taken[own], 0, buffer->bytes);
        ByteRange range = {buffer->offset, buffer->offset + buffer->bytes};
        for (int j = 0; j < classes; j++)
            if (holders->together[own][j])
                ranges_add(arena, &taken[j], range);
        total = range.end > total ? range.end : total;
    }
    return total;
}

/* ---- Temporaries ------------------------------------------------------------------------------------------------ */

/* A span of a temporary's life. */
typedef struct Stay {
    LiveSpan span;
    int buffer, next; /* the buffer's next one, or -1 */
} Stay;

enum { SPREAD = 8 };

/* The stays of a tier's temporaries, sorted by their first points. They are the leaves of a tree whose nodes have
 * SPREAD children each: node 0 has the children from 1 on, node 1 the next, and so on. A node knows the last point of
 * what is placed below it, so that a search for placed stays that meet a span visits few others. */
typedef struct Placing {
    const Holders *holders;
    int64_t *bytes, *offsets; /* per buffer */
    Stay *stays;
    int stay_count, leaves, first_leaf;
    int *first_stay;  /* per buffer; -1: none */
    int *last;        /* per node; -1: nothing placed below it */
    int turn, *met;   /* per buffer: the last turn in which it was found */
    ByteRange *taken; /* by those that were found */
    int taken_count;
} Placing;

static int compare_stays(const void *x, const void *y)
{
    const Stay *a = x, *b = y;
    return a->span.first != b->span.first ? (a->span.first < b->span.first ? -1 : 1) : a->buffer - b->buffer;
}

static Placing placing_new(const Liveness *live, const Holders *holders, const Item *items, int count)
{
    Arena *arena = live->ctx->arena;
    int buffers = live->program->buffers.count;
    Placing p = {.holders = holders, .leaves = SPREAD, .first_leaf = 1};
    p.bytes = arena_array(arena, int64_t, buffers + 1);
    p.offsets = arena_array(arena, int64_t, buffers + 1);
    p.first_stay = arena_array(arena, int, buffers + 1);
    p.met = arena_array(arena, int, buffers + 1);
    p.taken = arena_array(arena, ByteRange, count + 1);
    for (int i = 0; i < count; i++)
        p.stay_count += live->at[items[i].buffer].count;
    p.stays = arena_array(arena, Stay, p.stay_count + 1);
    for (int i = 0, at = 0; i < count; i++) {
        const LiveSpans *spans = &live->at[items[i].buffer];
        for (int j = 0; j < spans->count; j++)
            p.stays[at++] = (Stay){.span = spans->data[j], .buffer = items[i].buffer};
        p.bytes[items[i].buffer] = items[i].bytes;
        p.first_stay[items[i].buffer] = -1;
    }
    qsort(p.stays, (size_t)p.stay_count, sizeof(Stay), compare_stays);
    for (int i = p.stay_count - 1; i >= 0; i--) {
        p.stays[i].next = p.first_stay[p.stays[i].buffer];
        p.first_stay[p.stays[i].buffer] = i;
    }
    for (; p.leaves < p.stay_count; p.leaves *= SPREAD)
        p.first_leaf += p.leaves;
    p.last = arena_array(arena, int, p.first_leaf + p.leaves);
    return p;
}

/* Notes the bytes of the other buffer, once, if a rank may have both. */
static void note_met(Placing *p, int buffer, int other)
{
    if (p->met[other] == p->turn)
        return;
    p->met[other] = p->turn;
    if (p->holders->together[p->holders->class_of[buffer]][p->holders->class_of[other]])
        p->taken[p->taken_count++] = (ByteRange){p->offsets[other], p->offsets[other] + p->bytes[other]};
}

/* Finds what is placed and meets the span. The node has `width` stays below it, starting at `low`. */
static void find_met(Placing *p, int node, int low, int width, int buffer, LiveSpan span)
{
    if (width == 1) {
        note_met(p, buffer, p->stays[low].buffer);
        return;
    }
    width /= SPREAD;
    for (int child = SPREAD * node + 1; child <= SPREAD * node + SPREAD; child++, low += width) {
        if (p->last[child] < span.first)
            continue;
        if (p->stays[low].span.first > span.last)
            return;
        find_met(p, child, low, width, buffer, span);
    }
}

static void note_placed(Placing *p, int buffer)
{
    for (int i = p->first_stay[buffer]; i >= 0; i = p->stays[i].next) {
        int node = p->first_leaf + i, last = p->stays[i].span.last;
        for (p->last[node] = last; node > 0; node = (node - 1) / SPREAD)
            if (p->last[(node - 1) / SPREAD] < last)
                p->last[(node - 1) / SPREAD] = last;
    }
}

/* Restores a heap with the range that begins first in front: each range begins before the two at twice its index. */
static void sift(ByteRange *heap, int count, int i)
{
    ByteRange range = heap[i];
    for (int child; (child = 2 * i + 1) < count; i = child) {
        child += child + 1 < count && heap[child + 1].start < heap[child].start;
        if (range.start <= heap[child].start)
            break;
        heap[i] = heap[child];
    }
    heap[i] = range;
}

/* The first gap of `bytes` between ranges in any order. Only the ranges before that gap are sorted. */
static int64_t find_gap(ByteRange *ranges, int count, int64_t start, int64_t bytes)
{
    for (int i = count / 2 - 1; i >= 0; i--)
        sift(ranges, count, i);
    while (count > 0 && ranges[0].start - start < bytes) {
        start = ranges[0].end > start ? ranges[0].end : start;
        ranges[0] = ranges[--count];
        sift(ranges, count, 0);
    }
    return start;
}

/* Places the items in their order above `base`; returns the end of the highest, or stops at the first end that is not
 * below `most`. */
static int64_t place_items(Placing *p, const Item *items, int count, int64_t base, int64_t most)
{
    int64_t total = base;
    for (int i = 0; i < p->first_leaf + p->leaves; i++)
        p->last[i] = -1;
    for (int i = 0; i < count && total < most; i++) {
        int buffer = items[i].buffer;
        p->turn++;
        p->taken_count = 0;
        for (int j = p->first_stay[buffer]; j >= 0; j = p->stays[j].next)
            find_met(p, 0, 0, p->leaves, buffer, p->stays[j].span);
        int64_t offset = find_gap(p->taken, p->taken_count, base, items[i].bytes);
        p->offsets[buffer] = offset;
        note_placed(p, buffer);
        total = offset + items[i].bytes > total ? offset + items[i].bytes : total;
    }
    return total;
}

/* ---- The lower bound --------------------------------------------------------------------------------------------- */

/* Do the ranks of the class have the buffer? They have what all ranks have, and what the class holds. */
static bool is_of_class(const Program *program, const Holders *holders, int buffer, int wanted)
{
    int own = holders->class_of[buffer];
    return !program->buffers.data[buffer].held || (own == wanted && holders->together[own][own]);
}

/* Per point: how many more bytes of the class's temporaries are live there than at the point before. */
static void count_changes(const Liveness *live, const Holders *holders, Tier tier, int wanted, int64_t *changes)
{
    for (int i = 0; i < live->program->buffers.count; i++) {
        const Buffer *buffer = &live->program->buffers.data[i];
        const LiveSpans *spans = &live->at[i];
        if (buffer->tier != tier || buffer->persistent || !is_of_class(live->program, holders, i, wanted))
            continue;
        for (int j = 0; j < spans->count; j++) {
            changes[spans->data[j].first] += buffer->bytes;
            changes[spans->data[j].last + 1] -= buffer->bytes;
        }
    }
}

/* The most bytes that a class needs at one point if no two of its temporaries share any. */
static int64_t most_live(const Liveness *live, const Holders *holders, Tier tier)
{
    int64_t *changes = arena_array(live->ctx->arena, int64_t, live->point_count + 1), most = 0;
    for (int i = 0; i < holders->each.count; i++) {
        memset(changes, 0, sizeof(int64_t) * (size_t)(live->point_count + 1));
        count_changes(live, holders, tier, i, changes);
        int64_t bytes = 0;
        for (int point = 0; point < live->point_count; point++) {
            bytes += changes[point];
            most = bytes > most ? bytes : most;
        }
    }
    return most;
}

/* ---- A tier ------------------------------------------------------------------------------------------------------ */

static int64_t count_live(const LiveSpans *spans)
{
    int64_t count = 0;
    for (int i = 0; i < spans->count; i++)
        count += spans->data[i].last - spans->data[i].first + 1;
    return count;
}

static void place_tier(const Liveness *live, Program *program, const Holders *holders, Tier tier)
{
    Arena *arena = live->ctx->arena;
    Item *items = arena_array(arena, Item, program->buffers.count + 1);
    int count = 0;
    for (int i = 0; i < program->buffers.count; i++) {
        Buffer *buffer = &program->buffers.data[i];
        if (buffer->tier != tier)
            continue;
        buffer->bytes = planned_bytes(program, buffer);
        if (!buffer->persistent)
            items[count++] = (Item){i, buffer->bytes, count_live(&live->at[i]), 0};
    }
    int64_t base = place_persistent(arena, program, holders, tier), best = INT64_MAX;
    int64_t least = base + most_live(live, holders, tier);
    Placing placing = placing_new(live, holders, items, count);
    for (Order order = 0; order < ORDER_COUNT && best > least; order++) { /* the first order usually takes the least */
        for (int i = 0; i < count; i++)
            items[i].key = order_key(order, &items[i]);
        qsort(items, (size_t)count, sizeof(Item), compare_items);
        int64_t total = place_items(&placing, items, count, base, best);
        if (total >= best)
            continue;
        best = total;
        for (int i = 0; i < count; i++)
            program->buffers.data[items[i].buffer].offset = placing.offsets[items[i].buffer];
    }
    program->arena_bytes[tier] = best;
}

const Liveness *offsets_place(Ctx *ctx, Program *program)
{
    offsets_reduce_slots(ctx, program);
    const Liveness *live = live_find(ctx, program);
    Holders holders = find_holders(ctx->arena, program);
    for (Tier tier = TIER_DEVICE; tier <= TIER_FILE; tier++)
        place_tier(live, program, &holders, tier);
    return live;
}

int64_t offsets_lower_bound(Ctx *ctx, const Program *program, Tier tier)
{
    Holders holders = find_holders(ctx->arena, program);
    int64_t base = 0;
    for (int i = 0; i < program->buffers.count; i++) {
        const Buffer *buffer = &program->buffers.data[i];
        if (buffer->tier == tier && buffer->persistent && buffer->offset + buffer->bytes > base)
            base = buffer->offset + buffer->bytes;
    }
    return base + most_live(live_find(ctx, program), &holders, tier);
}

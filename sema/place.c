/* place.c - slots reduced to what is live, and offsets in the arena. */
#include "sema/place.h"

#include <stdlib.h>
#include <string.h>

/* ---- Slots ------------------------------------------------------------------------------------------------------- */

/* What is known of a buffer with several slots while the program is walked. */
typedef struct SlotUse {
    bool reducible;
    int loop;         /* the layer loop that used it last; -1 none */
    int64_t constant; /* of its slot there */
} SlotUse;

typedef struct SlotWalk {
    Program *program;
    SlotUse *uses;
} SlotWalk;

static bool has_result(const Op *op)
{
    return op_info[op->kind].op_class != CLASS_SINK;
}

/* Writes a whole slot, whatever was there. */
static bool defines_slot(const Op *op)
{
    return !op->accumulate && op->out.member < 0;
}

static bool is_loop_slot(const Affine *slot, int loop)
{
    return slot->term_count == 1 && slot->term[0].variable == loop && slot->term[0].coefficient == 1 &&
           slot->modulus == 0;
}

static void use_slot(SlotWalk *walk, Ref ref, int loop, bool defines)
{
    SlotUse *use = &walk->uses[ref.buffer];
    if (!use->reducible)
        return;
    if (loop < 0 || !is_loop_slot(&ref.slot, loop)) {
        use->reducible = false;
    } else if (use->loop != loop) {
        use->reducible = defines;
        use->loop = loop;
        use->constant = ref.slot.constant;
    } else {
        use->reducible = use->constant == ref.slot.constant;
    }
}

/* `loop`: the innermost layer loop, or -1; `sure`: no guard lies between. */
static void walk_slots(SlotWalk *walk, const NodeList *body, int loop, bool sure)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        bool layers = node->kind == NODE_LOOP && node->loop.kind == LOOP_LAYERS;
        walk_slots(walk, &node->body, layers ? node->loop.id : loop, layers || (sure && node->kind != NODE_GUARD));
        if (node->kind != NODE_OP)
            continue;
        const Op *op = node->op;
        for (int j = 0; j < op->operand_count; j++)
            use_slot(walk, op->operand[j], loop, false);
        if (has_result(op))
            use_slot(walk, op->out, loop, sure && defines_slot(op));
    }
}

static void set_slot_zero(const SlotWalk *walk, Ref *ref)
{
    if (walk->uses[ref->buffer].reducible)
        ref->slot = affine_constant(0);
}

static void rewrite_slots(const SlotWalk *walk, const NodeList *body)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        rewrite_slots(walk, &node->body);
        if (node->kind != NODE_OP)
            continue;
        for (int j = 0; j < node->op->operand_count; j++)
            set_slot_zero(walk, &node->op->operand[j]);
        if (has_result(node->op))
            set_slot_zero(walk, &node->op->out);
    }
}

static void reduce_slots(Ctx *ctx, Program *program)
{
    SlotWalk walk = {program, arena_array(ctx->arena, SlotUse, program->buffers.count + 1)};
    for (int i = 0; i < program->buffers.count; i++) {
        const Buffer *buffer = &program->buffers.data[i];
        walk.uses[i] = (SlotUse){.reducible = !buffer->persistent && buffer->slots > 1, .loop = -1};
    }
    for (int i = 0; i < program->routines.count; i++)
        walk_slots(&walk, &program->routines.data[i].body, -1, true);
    for (int i = 0; i < program->routines.count; i++)
        rewrite_slots(&walk, &program->routines.data[i].body);
    for (int i = 0; i < program->buffers.count; i++)
        if (walk.uses[i].reducible)
            program->buffers.data[i].slots = 1;
}

/* ---- Sets -------------------------------------------------------------------------------------------------------- */

typedef uint64_t Word;
enum { WORD_BITS = 64 };

static int words_for(int count)
{
    return count / WORD_BITS + 1;
}

static void set_add(Word *set, int index)
{
    set[index / WORD_BITS] |= (Word)1 << index % WORD_BITS;
}

static void set_remove(Word *set, int index)
{
    set[index / WORD_BITS] &= ~((Word)1 << index % WORD_BITS);
}

static bool set_has(const Word *set, int index)
{
    return set[index / WORD_BITS] >> index % WORD_BITS & 1;
}

/* Whether anything was new. */
static bool set_join(Word *set, const Word *other, int words)
{
    Word fresh = 0;
    for (int i = 0; i < words; i++) {
        fresh |= other[i] & ~set[i];
        set[i] |= other[i];
    }
    return fresh != 0;
}

static bool sets_meet(const Word *x, const Word *y, int words)
{
    for (int i = 0; i < words; i++)
        if (x[i] & y[i])
            return true;
    return false;
}

/* ---- Which buffers are live where -------------------------------------------------------------------------------- */

/* The program is walked backwards. A point is an operator; `at` has, per buffer, the set of points where it is live. */
typedef struct Live {
    Ctx *ctx;
    const Program *program;
    int buffer_words, point_words, point_count;
    int next_point; /* while walking */
    Word **at;
    NodeList *starts; /* per event: the operators that start it */
} Live;

static int count_points(const NodeList *body)
{
    int count = 0;
    for (int i = 0; i < body->count; i++)
        count += body->data[i]->kind == NODE_OP ? 1 : count_points(&body->data[i]->body);
    return count;
}

static void find_starts(Live *live, const NodeList *body)
{
    for (int i = 0; i < body->count; i++) {
        Node *node = body->data[i];
        find_starts(live, &node->body);
        if (node->kind == NODE_OP && node->op->event >= 0)
            vec_push(live->ctx->arena, &live->starts[node->op->event], node);
    }
}

static int most_event(const NodeList *body)
{
    int most = -1;
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        int event = node->kind == NODE_OP ? node->op->event : node->kind == NODE_WAIT ? node->event : -1;
        int inner = most_event(&node->body);
        most = event > most ? event : most;
        most = inner > most ? inner : most;
    }
    return most;
}

/* The buffers live now are live at this point. */
static void mark_point(Live *live, const Word *now, int point)
{
    for (int word = 0; word < live->buffer_words; word++)
        for (Word rest = now[word]; rest != 0; rest &= rest - 1)
            set_add(live->at[word * WORD_BITS + __builtin_ctzll(rest)], point);
}

static void add_refs(Word *now, const Op *op)
{
    for (int i = 0; i < op->operand_count; i++)
        set_add(now, op->operand[i].buffer);
    if (has_result(op))
        set_add(now, op->out.buffer);
}

/* A write ends the life (seen backwards) of the only slot of a buffer; of several slots nobody knows. */
static void walk_op(Live *live, const Op *op, Word *now, int point)
{
    mark_point(live, now, point);
    if (has_result(op)) {
        if (defines_slot(op) && live->program->buffers.data[op->out.buffer].slots == 1)
            set_remove(now, op->out.buffer);
        set_add(live->at[op->out.buffer], point);
        if (!defines_slot(op))
            set_add(now, op->out.buffer);
    }
    for (int i = 0; i < op->operand_count; i++)
        set_add(now, op->operand[i].buffer);
    mark_point(live, now, point);
}

static bool mentions_variable(const Affine *slot, int loop)
{
    for (int i = 0; i < slot->term_count; i++)
        if (slot->term[i].variable == loop)
            return true;
    return false;
}

/* The first use of a buffer in a node, if it was not found before. */
typedef struct FirstUse {
    int *node;     /* per buffer: the index in the list of the first node that uses it; -1 none */
    bool *defines; /* it starts by writing a slot that does not depend on the loop around the list */
} FirstUse;

static void note_use(FirstUse *first, int index, Ref ref, bool defines)
{
    if (first->node[ref.buffer] >= 0)
        return;
    first->node[ref.buffer] = index;
    first->defines[ref.buffer] = defines;
}

static void find_first_uses(FirstUse *first, int index, const Node *node, int loop, bool sure)
{
    for (int i = 0; i < node->body.count; i++)
        find_first_uses(first, index, node->body.data[i], loop, sure && node->kind != NODE_GUARD);
    if (node->kind != NODE_OP)
        return;
    const Op *op = node->op;
    for (int i = 0; i < op->operand_count; i++)
        note_use(first, index, op->operand[i], false);
    if (has_result(op))
        note_use(first, index, op->out,
                 sure && defines_slot(op) && op->out.slot.modulus == 0 && !mentions_variable(&op->out.slot, loop));
}

static FirstUse first_uses(Live *live, const NodeList *body, int loop)
{
    int count = live->program->buffers.count;
    FirstUse first = {arena_array(live->ctx->arena, int, count + 1), arena_array(live->ctx->arena, bool, count + 1)};
    for (int i = 0; i < count; i++)
        first.node[i] = -1;
    for (int i = 0; i < body->count; i++)
        find_first_uses(&first, i, body->data[i], loop, true);
    return first;
}

/* Points of a list end at `end`; *now is what is live after it, then before it. `loop` is the loop around it, -1 for
 * the list of a routine: there nothing is live before its first use. In a loop a buffer of several slots is not carried
 * from iteration to iteration if an iteration's first use of it writes a slot that does not depend on the loop. */
static void walk_list(Live *live, const NodeList *body, Word *now, int end, int loop);

static bool surely_runs(const Node *loop)
{
    const Affine *first = &loop->loop.first, *last = &loop->loop.last;
    return first->term_count == 0 && last->term_count == 0 && (last->constant - first->constant) * loop->loop.step >= 0;
}

static void walk_loop(Live *live, const Node *node, Word *now, int end)
{
    Word *after = arena_array(live->ctx->arena, Word, live->buffer_words);
    Word *at_end = arena_array(live->ctx->arena, Word, live->buffer_words);
    size_t bytes = sizeof(Word) * (size_t)live->buffer_words;
    memcpy(after, now, bytes);
    memcpy(at_end, now, bytes);
    do {
        memcpy(now, at_end, bytes);
        walk_list(live, &node->body, now, end, node->loop.id);
    } while (set_join(at_end, now, live->buffer_words));
    if (!surely_runs(node))
        set_join(now, after, live->buffer_words);
}

static void walk_node(Live *live, const Node *node, Word *now, int end)
{
    switch (node->kind) {
    case NODE_OP:
        walk_op(live, node->op, now, end - 1);
        return;
    case NODE_LOOP:
        walk_loop(live, node, now, end);
        return;
    case NODE_GUARD: {
        Word *after = arena_array(live->ctx->arena, Word, live->buffer_words);
        memcpy(after, now, sizeof(Word) * (size_t)live->buffer_words);
        walk_list(live, &node->body, now, end, -2);
        set_join(now, after, live->buffer_words);
        return;
    }
    case NODE_WAIT:
        for (int i = 0; i < live->starts[node->event].count; i++)
            add_refs(now, live->starts[node->event].data[i]->op);
        return;
    }
}

static void walk_list(Live *live, const NodeList *body, Word *now, int end, int loop)
{
    FirstUse first = first_uses(live, body, loop);
    for (int i = body->count - 1; i >= 0; i--) {
        const Node *node = body->data[i];
        walk_node(live, node, now, end);
        end -= node->kind == NODE_OP ? 1 : count_points(&node->body);
        for (int b = 0; b < live->program->buffers.count; b++)
            if (first.node[b] == i && (loop == -1 || first.defines[b]))
                set_remove(now, b);
    }
}

static Live *find_live(Ctx *ctx, const Program *program)
{
    Live *live = arena_make(ctx->arena, Live);
    *live = (Live){.ctx = ctx, .program = program, .buffer_words = words_for(program->buffers.count)};
    int events = 0;
    for (int i = 0; i < program->routines.count; i++) {
        live->point_count += count_points(&program->routines.data[i].body);
        int most = most_event(&program->routines.data[i].body);
        events = most >= events ? most + 1 : events;
    }
    live->point_words = words_for(live->point_count);
    live->at = arena_array(ctx->arena, Word *, live->buffer_words * WORD_BITS);
    for (int i = 0; i < live->buffer_words * WORD_BITS; i++)
        live->at[i] = arena_array(ctx->arena, Word, live->point_words);
    live->starts = arena_array(ctx->arena, NodeList, events + 1);
    int end = 0;
    for (int i = 0; i < program->routines.count; i++) {
        const NodeList *body = &program->routines.data[i].body;
        find_starts(live, body);
        end += count_points(body);
        Word *now = arena_array(ctx->arena, Word, live->buffer_words);
        walk_list(live, body, now, end, -1);
    }
    return live;
}

/* ---- Offsets ----------------------------------------------------------------------------------------------------- */

static int64_t align(int64_t bytes)
{
    return (bytes + PLACE_ALIGNMENT - 1) / PLACE_ALIGNMENT * PLACE_ALIGNMENT;
}

static int64_t planned_bytes(const Program *program, const Buffer *buffer)
{
    return align(buffer->slots * buffer_slot_elements(program->decls, buffer) * dtype_bytes(buffer->dtype));
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

typedef struct Range {
    int64_t start, end;
} Range;

static int compare_ranges(const void *x, const void *y)
{
    const Range *a = x, *b = y;
    return a->start < b->start ? -1 : a->start > b->start;
}

/* Where `bytes` fit first beside ranges sorted by start. */
static int64_t first_gap(const Range *ranges, int count, int64_t start, int64_t bytes)
{
    for (int i = 0; i < count; i++) {
        if (ranges[i].start - start >= bytes)
            break;
        start = ranges[i].end > start ? ranges[i].end : start;
    }
    return start;
}

/* Places the items in their order above `base`; returns the end of the highest. */
static int64_t place_items(const Live *live, const Item *items, int count, int64_t base, int64_t *offsets)
{
    Range *ranges = arena_array(live->ctx->arena, Range, count + 1);
    int64_t total = base;
    for (int i = 0; i < count; i++) {
        int taken = 0;
        for (int j = 0; j < i; j++)
            if (sets_meet(live->at[items[i].buffer], live->at[items[j].buffer], live->point_words))
                ranges[taken++] = (Range){offsets[items[j].buffer], offsets[items[j].buffer] + items[j].bytes};
        qsort(ranges, (size_t)taken, sizeof(Range), compare_ranges);
        int64_t offset = first_gap(ranges, taken, base, items[i].bytes);
        offsets[items[i].buffer] = offset;
        total = offset + items[i].bytes > total ? offset + items[i].bytes : total;
    }
    return total;
}

static int64_t count_live(const Live *live, int buffer)
{
    int64_t count = 0;
    for (int i = 0; i < live->point_words; i++)
        count += __builtin_popcountll(live->at[buffer][i]);
    return count;
}

static void place_tier(const Live *live, Program *program, Tier tier)
{
    Arena *arena = live->ctx->arena;
    Item *items = arena_array(arena, Item, program->buffers.count + 1);
    int count = 0;
    int64_t base = 0;
    for (int i = 0; i < program->buffers.count; i++) {
        Buffer *buffer = &program->buffers.data[i];
        if (buffer->tier != tier)
            continue;
        buffer->bytes = planned_bytes(program, buffer);
        if (!buffer->persistent) {
            items[count++] = (Item){i, buffer->bytes, count_live(live, i), 0};
            continue;
        }
        buffer->offset = base;
        base += buffer->bytes;
    }
    int64_t *offsets = arena_array(arena, int64_t, program->buffers.count + 1), best = INT64_MAX;
    for (Order order = 0; order < ORDER_COUNT; order++) {
        for (int i = 0; i < count; i++)
            items[i].key = order_key(order, &items[i]);
        qsort(items, (size_t)count, sizeof(Item), compare_items);
        int64_t total = place_items(live, items, count, base, offsets);
        if (total >= best)
            continue;
        best = total;
        for (int i = 0; i < count; i++)
            program->buffers.data[items[i].buffer].offset = offsets[items[i].buffer];
    }
    program->arena_bytes[tier] = best;
}

void place_program(Ctx *ctx, Program *program)
{
    reduce_slots(ctx, program);
    Live *live = find_live(ctx, program);
    for (Tier tier = TIER_DEVICE; tier <= TIER_FILE; tier++)
        place_tier(live, program, tier);
}

int64_t place_lower_bound(Ctx *ctx, const Program *program, Tier tier)
{
    const Live *live = find_live(ctx, program);
    int64_t most = 0, persistent = 0;
    for (int point = 0; point < live->point_count; point++) {
        int64_t bytes = 0;
        for (int i = 0; i < program->buffers.count; i++) {
            const Buffer *buffer = &program->buffers.data[i];
            if (buffer->tier == tier && !buffer->persistent && set_has(live->at[i], point))
                bytes += planned_bytes(program, buffer);
        }
        most = bytes > most ? bytes : most;
    }
    for (int i = 0; i < program->buffers.count; i++) {
        const Buffer *buffer = &program->buffers.data[i];
        if (buffer->tier == tier && buffer->persistent)
            persistent += planned_bytes(program, buffer);
    }
    return persistent + most;
}

/* offsets.c - slots reduced to what is live, and offsets in the arena. */
#include "lower/offsets.h"
#include "lower/live.h"
#include "step/refs.h"

#include <stdlib.h>
#include <string.h>

/* ---- Slots -------------------------------------------------------------------------------------------------- */

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
        if (op_has_result(op->kind))
            use_slot(walk, op->out, loop, sure && place_defines_slot(op));
    }
}

static void set_slot_zero(void *context, Op *op, Ref *ref, bool writes)
{
    const SlotWalk *walk = context;
    (void)op, (void)writes;
    if (walk->uses[ref->buffer].reducible)
        ref->slot = affine_constant(0);
}

void place_slots(Ctx *ctx, Program *program)
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
}

/* ---- Offsets ------------------------------------------------------------------------------------------------ */

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

/* ---- Ranks that hold both --------------------------------------------------------------------------------------- */

static int64_t holder_at(const Decls *decls, const Affine *holder, const int64_t *coordinates)
{
    int64_t value = holder->constant;
    for (int i = 0; i < holder->term_count; i++)
        value += holder->term[i].coefficient * affine_variable_at(decls, holder->term[i].variable, coordinates);
    return holder->modulus > 0 ? ((value % holder->modulus) + holder->modulus) % holder->modulus : value;
}

static bool holds_at(const Decls *decls, const Buffer *buffer, const int64_t *coordinates)
{
    int64_t holder = holder_at(decls, &buffer->holder, coordinates);
    return buffer->held_low <= holder && holder <= buffer->held_high;
}

/* Whether both holders ask for coordinates of `axis` alone. */
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

/* Whether a rank may have both: what stages of one pipeline hold apart shares its bytes. */
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

/* ---- Gaps ------------------------------------------------------------------------------------------------------- */

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
static int64_t place_items(const PlaceLive *live, const Program *program, const Item *items, int count, int64_t base,
                           int64_t *offsets)
{
    Range *ranges = arena_array(live->ctx->arena, Range, count + 1);
    int64_t total = base;
    for (int i = 0; i < count; i++) {
        int taken = 0;
        for (int j = 0; j < i; j++)
            if (place_sets_meet(live->at[items[i].buffer], live->at[items[j].buffer], live->point_words) &&
                held_together(program->decls, &program->buffers.data[items[i].buffer],
                              &program->buffers.data[items[j].buffer]))
                ranges[taken++] = (Range){offsets[items[j].buffer], offsets[items[j].buffer] + items[j].bytes};
        qsort(ranges, (size_t)taken, sizeof(Range), compare_ranges);
        int64_t offset = first_gap(ranges, taken, base, items[i].bytes);
        offsets[items[i].buffer] = offset;
        total = offset + items[i].bytes > total ? offset + items[i].bytes : total;
    }
    return total;
}

static int64_t count_live(const PlaceLive *live, int buffer)
{
    int64_t count = 0;
    for (int i = 0; i < live->point_words; i++)
        count += __builtin_popcountll(live->at[buffer][i]);
    return count;
}

/* Persistent buffers lie first, in their order, side by side where a rank has both; returns the end of the highest. */
static int64_t place_persistent(const PlaceLive *live, Program *program, Tier tier)
{
    Range *ranges = arena_array(live->ctx->arena, Range, program->buffers.count + 1);
    int64_t total = 0;
    for (int i = 0; i < program->buffers.count; i++) {
        Buffer *buffer = &program->buffers.data[i];
        if (buffer->tier != tier || !buffer->persistent)
            continue;
        int taken = 0;
        for (int j = 0; j < i; j++) {
            const Buffer *other = &program->buffers.data[j];
            if (other->tier == tier && other->persistent && held_together(program->decls, buffer, other))
                ranges[taken++] = (Range){other->offset, other->offset + other->bytes};
        }
        qsort(ranges, (size_t)taken, sizeof(Range), compare_ranges);
        buffer->offset = first_gap(ranges, taken, 0, buffer->bytes);
        total = buffer->offset + buffer->bytes > total ? buffer->offset + buffer->bytes : total;
    }
    return total;
}

static void place_tier(const PlaceLive *live, Program *program, Tier tier)
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
            items[count++] = (Item){i, buffer->bytes, count_live(live, i), 0};
    }
    int64_t base = place_persistent(live, program, tier);
    int64_t *offsets = arena_array(arena, int64_t, program->buffers.count + 1), best = INT64_MAX;
    for (Order order = 0; order < ORDER_COUNT; order++) {
        for (int i = 0; i < count; i++)
            items[i].key = order_key(order, &items[i]);
        qsort(items, (size_t)count, sizeof(Item), compare_items);
        int64_t total = place_items(live, program, items, count, base, offsets);
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
    place_slots(ctx, program);
    PlaceLive *live = place_find_live(ctx, program);
    for (Tier tier = TIER_DEVICE; tier <= TIER_FILE; tier++)
        place_tier(live, program, tier);
}

int64_t place_lower_bound(Ctx *ctx, const Program *program, Tier tier)
{
    const PlaceLive *live = place_find_live(ctx, program);
    int64_t most = 0, persistent = 0;
    for (int point = 0; point < live->point_count; point++) {
        int64_t bytes = 0;
        for (int i = 0; i < program->buffers.count; i++) {
            const Buffer *buffer = &program->buffers.data[i];
            if (buffer->tier == tier && !buffer->persistent && place_set_has(live->at[i], point))
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

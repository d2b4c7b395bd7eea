/* live.c - liveness of buffers, walking the program backwards.
 *
 * A write ends the life (seen backwards) of a buffer of one slot. In a buffer of several slots a single write ends
 * nothing; but where every iteration writes the same slots and reads none that it has not written before, the buffer is
 * not carried from one iteration to the next, and its life begins with its first use in the body. The slots written are
 * tracked as one range per buffer, through operators with constant slots and through layer loops whose slots are the
 * loop's variable plus a constant; anything else counts as carried.
 */
#include "lower/live.h"

#include <stdlib.h>
#include <string.h>

/* ---- Sets --------------------------------------------------------------------------------------------------- */

enum { WORD_BITS = 64 };

static int words_for(int count)
{
    return count / WORD_BITS + 1;
}

static void set_add(LiveWord *set, int index)
{
    set[index / WORD_BITS] |= (LiveWord)1 << index % WORD_BITS;
}

static void set_remove(LiveWord *set, int index)
{
    set[index / WORD_BITS] &= ~((LiveWord)1 << index % WORD_BITS);
}

/* True if anything was new. */
static bool set_join(LiveWord *set, const LiveWord *other, int words)
{
    LiveWord fresh = 0;
    for (int i = 0; i < words; i++) {
        fresh |= other[i] & ~set[i];
        set[i] |= other[i];
    }
    return fresh != 0;
}

/* ---- Spans -------------------------------------------------------------------------------------------------- */

static void end_span(Liveness *live, int buffer)
{
    vec_push(live->ctx->arena, &live->at[buffer], ((LiveSpan){live->point, live->since[buffer]}));
}

static int take_first(LiveWord *rest)
{
    int bit = __builtin_ctzll(*rest);
    *rest &= *rest - 1;
    return bit;
}

/* Ends all spans at the point that was reached last. */
static void end_spans(Liveness *live)
{
    for (int word = 0; word < live->buffer_words; word++)
        for (LiveWord rest = live->marked[word]; rest != 0;)
            end_span(live, word * WORD_BITS + take_first(&rest));
    memset(live->marked, 0, sizeof(LiveWord) * (size_t)live->buffer_words);
}

/* These buffers are live at the point. The walk reaches every point from the one after it, so that a span is open until
 * its buffer is not live; where a loop is walked again, all begin anew. */
static void mark_point(Liveness *live, const LiveWord *set, int point)
{
    if (live->point != point + 1)
        end_spans(live);
    for (int word = 0; word < live->buffer_words; word++) {
        LiveWord gone = live->marked[word] & ~set[word], fresh = set[word] & ~live->marked[word];
        while (gone != 0)
            end_span(live, word * WORD_BITS + take_first(&gone));
        while (fresh != 0)
            live->since[word * WORD_BITS + take_first(&fresh)] = point;
        live->marked[word] = set[word];
    }
    live->point = point;
}

static int compare_spans(const void *x, const void *y)
{
    const LiveSpan *a = x, *b = y;
    return a->first < b->first ? -1 : a->first > b->first;
}

/* Sorts them, and joins those that overlap or touch. */
static void join_spans(LiveSpans *spans)
{
    if (spans->count < 2)
        return;
    qsort(spans->data, (size_t)spans->count, sizeof(LiveSpan), compare_spans);
    int count = 1;
    for (int i = 1; i < spans->count; i++) {
        LiveSpan *last = &spans->data[count - 1], next = spans->data[i];
        if (next.first > last->last + 1)
            spans->data[count++] = next;
        else if (next.last > last->last)
            last->last = next.last;
    }
    spans->count = count;
}

/* ---- What an iteration reads before it writes it ------------------------------------------------------------ */

/* How one execution of a list uses a buffer. */
typedef struct LiveUse {
    bool used;    /* at all */
    bool exposed; /* something from an earlier execution may be needed */
    bool written; /* then slots low .. high were */
    int64_t low, high;
    int first;            /* the index in the list of the first node that uses it */
    int loop;             /* the current layer loop, if that writes it; -1 none */
    int64_t write_offset; /* at the loop's variable plus this */
    bool write_done;      /* by the operators of the body so far */
} Use;

typedef struct Uses {
    const Liveness *live;
    Use *of;        /* per buffer; reset between two lists */
    Vec(int) order; /* the buffers used, by first use */
} Uses;

/* The result: the buffers that a list uses, by first use. */
typedef struct FirstUse {
    int buffer, node;
    bool exposed;
} FirstUse;
typedef Vec(FirstUse) FirstUses;

static bool covers(const Use *use, int64_t low, int64_t high)
{
    return low > high || (use->written && use->low <= low && high <= use->high);
}

/* Slots low .. high are written. A range that does not touch what was written before cannot be tracked. */
static void cover(Use *use, int64_t low, int64_t high)
{
    if (!use->written) {
        use->written = true;
        use->low = low;
        use->high = high;
    } else if (low <= use->high + 1 && high >= use->low - 1) {
        use->low = low < use->low ? low : use->low;
        use->high = high > use->high ? high : use->high;
    } else {
        use->exposed = true;
    }
}

static bool has_constant_bounds(const Node *loop)
{
    return affine_is_constant(&loop->loop.first) && affine_is_constant(&loop->loop.last) &&
           (loop->loop.last.constant - loop->loop.first.constant) * loop->loop.step >= 0;
}

/* In iteration v of a loop, slot v + offset is read. What the loop wrote itself ends at v + write_offset, along its
 * direction, or one before that if the write comes later in the body; slots before its first must have been written
 * already. */
static bool loop_read_is_covered(const Use *use, const Node *loop, int64_t offset)
{
    int64_t first = loop->loop.first.constant, last = loop->loop.last.constant, step = loop->loop.step;
    int64_t start = first + offset, end = last + offset; /* read, in the loop's direction */
    if (use->loop == loop->loop.id) {
        int64_t reach = use->write_offset - (use->write_done ? 0 : step);
        if ((offset - reach) * step > 0)
            return false;
        int64_t before = first + use->write_offset - step; /* the slot before the first that the loop writes */
        end = (before - end) * step < 0 ? before : end;
        if ((end - start) * step < 0)
            return true;
    }
    return step > 0 ? covers(use, start, end) : covers(use, end, start);
}

static void note_read(Uses *uses, Ref ref, const Node *loop)
{
    Use *use = &uses->of[ref.buffer];
    if (affine_is_constant(&ref.slot))
        use->exposed |= !covers(use, ref.slot.constant, ref.slot.constant);
    else if (loop != NULL && affine_is_loop_plus(&ref.slot, loop->loop.id))
        use->exposed |= !loop_read_is_covered(use, loop, ref.slot.constant);
    else
        use->exposed = true;
}

/* A write that is not certain, or that goes to other slots in every iteration, leaves the old contents to the next
 * one. */
static void note_write(Uses *uses, const Op *op, const Node *loop, bool sure)
{
    Use *use = &uses->of[op->out.buffer];
    if (!live_defines_slot(op))
        note_read(uses, op->out, loop);
    else if (sure && affine_is_constant(&op->out.slot))
        cover(use, op->out.slot.constant, op->out.slot.constant);
    else if (sure && loop != NULL && use->loop == loop->loop.id && affine_is_loop_plus(&op->out.slot, loop->loop.id) &&
             op->out.slot.constant == use->write_offset)
        use->write_done = true;
    else
        use->exposed = true;
}

static void note_use(Uses *uses, int buffer, int index)
{
    Use *use = &uses->of[buffer];
    if (use->used)
        return;
    use->used = true;
    use->first = index;
    vec_push(uses->live->ctx->arena, &uses->order, buffer);
}

/* Before a layer loop is followed: finds the buffers that its body certainly writes at its variable plus a constant. */
static void find_loop_writes(Uses *uses, const Node *loop)
{
    for (int i = 0; i < loop->body.count; i++) {
        const Node *node = loop->body.data[i];
        if (node->kind != NODE_OP || !op_has_result(node->op->kind) || !live_defines_slot(node->op))
            continue;
        Use *use = &uses->of[node->op->out.buffer];
        if (use->loop == loop->loop.id || !affine_is_loop_plus(&node->op->out.slot, loop->loop.id))
            continue;
        use->loop = loop->loop.id;
        use->write_offset = node->op->out.slot.constant;
        use->write_done = false;
    }
}

static void leave_loop(Uses *uses, const Node *loop)
{
    int64_t first = loop->loop.first.constant, last = loop->loop.last.constant;
    int64_t low = first < last ? first : last, high = first < last ? last : first;
    for (int i = 0; i < loop->body.count; i++) {
        const Node *node = loop->body.data[i];
        if (node->kind != NODE_OP || !op_has_result(node->op->kind))
            continue;
        Use *use = &uses->of[node->op->out.buffer];
        if (use->loop == loop->loop.id)
            cover(use, low + use->write_offset, high + use->write_offset);
        use->loop = -1;
    }
}

/* `loop`: the layer loop with constant bounds around the nodes, inside the current list; NULL if they are the list's
 * own. */
static void follow(Uses *uses, const Node *node, int index, const Node *loop, bool sure)
{
    bool enters = node->kind == NODE_LOOP && loop == NULL && has_constant_bounds(node);
    if (enters)
        find_loop_writes(uses, node);
    for (int i = 0; i < node->body.count; i++)
        follow(uses, node->body.data[i], index, enters ? node : loop, sure && (enters || node->kind == NODE_OP));
    if (enters)
        leave_loop(uses, node);
    if (node->kind != NODE_OP)
        return;
    const Op *op = node->op;
    for (int i = 0; i < op->operand_count; i++) {
        note_use(uses, op->operand[i].buffer, index);
        note_read(uses, op->operand[i], loop);
    }
    if (!op_has_result(op->kind))
        return;
    note_use(uses, op->out.buffer, index);
    note_write(uses, op, loop, sure);
}

static const Use unused = {.loop = -1};

static FirstUses follow_list(Liveness *live, const NodeList *body)
{
    Uses uses = {.live = live, .of = live->uses};
    FirstUses firsts = {0};
    for (int i = 0; i < body->count; i++)
        follow(&uses, body->data[i], i, NULL, true);
    for (int i = 0; i < uses.order.count; i++) {
        int buffer = uses.order.data[i];
        vec_push(live->ctx->arena, &firsts, (FirstUse){buffer, uses.of[buffer].first, uses.of[buffer].exposed});
        uses.of[buffer] = unused;
    }
    return firsts;
}

/* ---- Walking backwards -------------------------------------------------------------------------------------- */

typedef enum ListKind { LIST_ROUTINE, LIST_LOOP, LIST_GUARD } ListKind;

static int count_points(const NodeList *body)
{
    int count = 0;
    for (int i = 0; i < body->count; i++)
        count += body->data[i]->kind == NODE_OP ? 1 : count_points(&body->data[i]->body);
    return count;
}

static void add_refs(LiveWord *now, const Op *op)
{
    for (int i = 0; i < op->operand_count; i++)
        set_add(now, op->operand[i].buffer);
    if (op_has_result(op->kind))
        set_add(now, op->out.buffer);
}

/* What is live after it, and what it names. */
static void walk_op(Liveness *live, const Op *op, LiveWord *now, int point)
{
    memcpy(live->here, now, sizeof(LiveWord) * (size_t)live->buffer_words);
    add_refs(live->here, op);
    mark_point(live, live->here, point);
    if (op_has_result(op->kind) && !live_defines_slot(op))
        set_add(now, op->out.buffer);
    else if (op_has_result(op->kind) && live->program->buffers.data[op->out.buffer].slots == 1)
        set_remove(now, op->out.buffer);
    for (int i = 0; i < op->operand_count; i++)
        set_add(now, op->operand[i].buffer);
}

static void walk_list(Liveness *live, const NodeList *body, LiveWord *now, int end, ListKind kind);

static LiveWord *copy_set(const Liveness *live, const LiveWord *set)
{
    LiveWord *copy = arena_array(live->ctx->arena, LiveWord, live->buffer_words);
    memcpy(copy, set, sizeof(LiveWord) * (size_t)live->buffer_words);
    return copy;
}

/* Repeats until what is live at the end of the body is what is live after the loop or at the start of the body. */
static void walk_loop(Liveness *live, const Node *node, LiveWord *now, int end)
{
    LiveWord *after = copy_set(live, now), *at_end = copy_set(live, now);
    do {
        memcpy(now, at_end, sizeof(LiveWord) * (size_t)live->buffer_words);
        walk_list(live, &node->body, now, end, LIST_LOOP);
    } while (set_join(at_end, now, live->buffer_words));
    if (!has_constant_bounds(node))
        set_join(now, after, live->buffer_words);
}

static void walk_node(Liveness *live, const Node *node, LiveWord *now, int end)
{
    switch (node->kind) {
    case NODE_OP:
        walk_op(live, node->op, now, end - 1);
        return;
    case NODE_LOOP:
        walk_loop(live, node, now, end);
        return;
    case NODE_GUARD: {
        LiveWord *after = copy_set(live, now);
        walk_list(live, &node->body, now, end, LIST_GUARD);
        set_join(now, after, live->buffer_words);
        return;
    }
    case NODE_WAIT:
        for (int i = 0; i < live->starts[node->wait.event].count; i++)
            add_refs(now, live->starts[node->wait.event].data[i]->op);
        return;
    }
}

/* The points of the list end at `end`. *now is what is live after it, and becomes what is live before it. */
static void walk_list(Liveness *live, const NodeList *body, LiveWord *now, int end, ListKind kind)
{
    FirstUses firsts = {0};
    if (kind != LIST_GUARD)
        firsts = follow_list(live, body);
    int next = firsts.count - 1;
    for (int i = body->count - 1; i >= 0; i--) {
        const Node *node = body->data[i];
        walk_node(live, node, now, end);
        end -= node->kind == NODE_OP ? 1 : count_points(&node->body);
        for (; next >= 0 && firsts.data[next].node == i; next--)
            if (kind == LIST_ROUTINE || !firsts.data[next].exposed)
                set_remove(now, firsts.data[next].buffer);
    }
}

/* ---- The whole program -------------------------------------------------------------------------------------- */

static int most_event(const NodeList *body)
{
    int most = -1;
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        int event = node->kind == NODE_OP ? node->op->event : node->kind == NODE_WAIT ? node->wait.event : -1;
        int inner = most_event(&node->body);
        most = event > most ? event : most;
        most = inner > most ? inner : most;
    }
    return most;
}

static void find_starts(Liveness *live, const NodeList *body)
{
    for (int i = 0; i < body->count; i++) {
        Node *node = body->data[i];
        find_starts(live, &node->body);
        if (node->kind == NODE_OP && node->op->event >= 0)
            vec_push(live->ctx->arena, &live->starts[node->op->event], node);
    }
}

Liveness *live_find(Ctx *ctx, const Program *program)
{
    Liveness *live = arena_make(ctx->arena, Liveness);
    *live = (Liveness){.ctx = ctx, .program = program, .buffer_words = words_for(program->buffers.count)};
    int events = 0;
    for (int i = 0; i < program->routines.count; i++) {
        live->point_count += count_points(&program->routines.data[i].body);
        int most = most_event(&program->routines.data[i].body);
        events = most >= events ? most + 1 : events;
    }
    live->at = arena_array(ctx->arena, LiveSpans, program->buffers.count + 1);
    live->uses = arena_array(ctx->arena, struct LiveUse, program->buffers.count + 1);
    for (int i = 0; i < program->buffers.count; i++)
        live->uses[i] = unused;
    live->starts = arena_array(ctx->arena, NodeList, events + 1);
    live->marked = arena_array(ctx->arena, LiveWord, live->buffer_words);
    live->here = arena_array(ctx->arena, LiveWord, live->buffer_words);
    live->since = arena_array(ctx->arena, int, program->buffers.count + 1);
    int end = 0;
    for (int i = 0; i < program->routines.count; i++) {
        const NodeList *body = &program->routines.data[i].body;
        find_starts(live, body);
        end += count_points(body);
        LiveWord *now = arena_array(ctx->arena, LiveWord, live->buffer_words);
        walk_list(live, body, now, end, LIST_ROUTINE);
    }
    end_spans(live);
    for (int i = 0; i < program->buffers.count; i++)
        join_spans(&live->at[i]);
    return live;
}

/* reuse.c - plays the caches of a device (plan/reuse.h). */
#include "plan/reuse.h"

#include "plan/walk.h"

#include <string.h>

/* ---- Caches ------------------------------------------------------------------------------------------------- */

/* The arena is cut into lines of equal size. A cache holds those that were touched last, in a ring that begins with the
 * latest; index `lines` is its head. */
typedef struct Lru {
    int *next, *before; /* by line; -1: it is not there */
    int lines, held, room;
} Lru;

static Lru make_lru(Arena *arena, int lines, int room)
{
    Lru lru = {.lines = lines, .room = room > 0 ? room : 1};
    lru.next = arena_array(arena, int, lines + 1);
    lru.before = arena_array(arena, int, lines + 1);
    memset(lru.next, -1, sizeof *lru.next * (size_t)lines);
    lru.next[lines] = lru.before[lines] = lines;
    return lru;
}

static bool drop(Lru *lru, int line)
{
    if (lru->next[line] < 0)
        return false;
    lru->next[lru->before[line]] = lru->next[line];
    lru->before[lru->next[line]] = lru->before[line];
    lru->next[line] = -1;
    lru->held--;
    return true;
}

/* Was it there? It is now. */
static bool touch(Lru *lru, int line)
{
    bool found = drop(lru, line);
    if (lru->held == lru->room)
        drop(lru, lru->before[lru->lines]);
    lru->before[line] = lru->lines;
    lru->next[line] = lru->next[lru->lines];
    lru->before[lru->next[line]] = line;
    lru->next[lru->lines] = line;
    lru->held++;
    return found;
}

/* ---- The walk ----------------------------------------------------------------------------------------------- */

enum { LINE_BYTES = 16 << 10, MOST_LINES = 1 << 20, MOST_TOUCHES = 1 << 22 };

typedef struct Reuse {
    const Device *device;
    const Program *program;
    int64_t coordinates[STEP_MAX_AXES], *variables, line_bytes, tier_lines[3];
    Lru caches[DEVICE_CACHES];
    bool *shared; /* by line: another rank has touched it since */
    int64_t touches;
    bool counted; /* the first walk fills the caches */
    OpTraffic *traffic;
    int64_t *runs; /* by operator */
} Reuse;

/* Where a reference begins in the arena of its tier, at the latest so that it ends with its slot. */
static int64_t address_of(const Reuse *r, const Ref *ref, int64_t bytes)
{
    const Decls *decls = r->program->decls;
    const Buffer *buffer = &r->program->buffers.data[ref->buffer];
    int64_t slot_bytes = buffer->bytes / buffer->slots, within = 0;
    int64_t slot = affine_at(decls, &ref->slot, r->coordinates, r->variables) % buffer->slots;
    if (buffer->layout == LAYOUT_UNIT && ref->member >= 0)
        within = unit_offset(&decls->units.data[buffer->unit], ref->member) * dtype_bytes(buffer->dtype);
    within = within + bytes > slot_bytes ? slot_bytes - bytes : within;
    return buffer->offset + (slot > 0 ? slot : 0) * slot_bytes + (within > 0 ? within : 0);
}

/* The fastest cache that had the line. What other ranks have touched since is not in it as it is: to read it takes the
 * time of memory, to write it they must be asked. */
static int touch_line(Reuse *r, int line, bool writes)
{
    int level = TRAFFIC_MEMORY;
    for (int c = r->device->cache_count - 1; c >= 0; c--)
        if (touch(&r->caches[c], line))
            level = c;
    bool shared = r->shared[line] && level != TRAFFIC_MEMORY;
    if (writes || level == TRAFFIC_MEMORY)
        r->shared[line] = false;
    return !shared ? level : writes ? TRAFFIC_SHARED : TRAFFIC_MEMORY;
}

static void visit(Reuse *r, const Ref *ref, bool writes, bool shared, OpTraffic *traffic)
{
    const Buffer *buffer = &r->program->buffers.data[ref->buffer];
    int64_t bytes = ref_bytes(r->program, ref), at = address_of(r, ref, bytes);
    for (int64_t done = 0; done < bytes;) {
        int64_t room = r->line_bytes - (at + done) % r->line_bytes, part = bytes - done < room ? bytes - done : room;
        int line = (int)(r->tier_lines[buffer->tier] + (at + done) / r->line_bytes);
        int level = touch_line(r, line, writes);
        if (traffic != NULL)
            traffic->bytes[level] += (double)part;
        r->shared[line] |= shared;
        done += part;
        r->touches++;
    }
}

static void visit_op(Reuse *r, const Op *op)
{
    OpTraffic *traffic = r->counted ? &r->traffic[op->id] : NULL;
    bool shared = op_info[op->kind].op_class == CLASS_COMM;
    for (int i = 0; i < op->operand_count; i++)
        visit(r, &op->operand[i], false, shared, traffic);
    if (op_has_result(op->kind))
        visit(r, &op->out, true, shared, traffic);
    r->runs[op->id] += r->counted;
}

static void walk(Reuse *r, const NodeList *body)
{
    const Decls *decls = r->program->decls;
    for (int i = 0; i < body->count && r->touches < MOST_TOUCHES; i++) {
        const Node *node = body->data[i];
        if (node->kind == NODE_OP)
            visit_op(r, node->op);
        if (node->kind == NODE_LOOP) {
            int64_t first = affine_at(decls, &node->loop.first, r->coordinates, r->variables);
            int64_t trips =
                (affine_at(decls, &node->loop.last, r->coordinates, r->variables) - first) * node->loop.step;
            for (int64_t trip = 0; trip <= trips && r->touches < MOST_TOUCHES; trip++) {
                r->variables[node->loop.id] = first + trip * node->loop.step;
                walk(r, &node->body);
            }
        }
        if (node->kind == NODE_GUARD) {
            int64_t value = affine_at(decls, &node->guard.value, r->coordinates, r->variables);
            if (node->guard.low <= value && value <= node->guard.high)
                walk(r, &node->body);
        }
    }
}

static int loop_count(const NodeList *body)
{
    int count = 0;
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        int inner = loop_count(&node->body), own = node->kind == NODE_LOOP ? node->loop.id + 1 : 0;
        count = inner > count ? inner : count;
        count = own > count ? own : count;
    }
    return count;
}

/* All tiers, one after another, in lines. */
static int lay_out(Reuse *r)
{
    int64_t bytes = 0, lines = 0;
    for (int tier = 0; tier < 3; tier++)
        bytes += r->program->arena_bytes[tier];
    r->line_bytes = LINE_BYTES;
    while (bytes / r->line_bytes > MOST_LINES)
        r->line_bytes *= 2;
    for (int tier = 0; tier < 3; tier++) {
        r->tier_lines[tier] = lines;
        lines += r->program->arena_bytes[tier] / r->line_bytes + 2;
    }
    return (int)lines;
}

/* On every rank of a class that runs other operators. */
static void walk_classes(Reuse *r, Arena *arena, const Routine *routine, int lines)
{
    AxisMask axes = walk_axes(r->program);
    do {
        r->shared = arena_array(arena, bool, lines);
        for (int c = 0; c < r->device->cache_count; c++)
            r->caches[c] = make_lru(arena, lines, (int)(r->device->caches[c].bytes / (double)r->line_bytes));
        for (int turn = 0; turn < 2; turn++) {
            r->touches = 0;
            r->counted = turn == 1;
            walk(r, &routine->body);
        }
    } while (walk_next_rank(r->program->decls, axes, r->coordinates));
}

OpTraffic *reuse_find(Arena *arena, const Device *device, const Program *program, const Routine *routine)
{
    if (device->cache_count == 0)
        return NULL;
    Arena *own = arena_new();
    Reuse r = {.device = device, .program = program};
    r.traffic = arena_array(arena, OpTraffic, program->op_count + 1);
    r.runs = arena_array(own, int64_t, program->op_count + 1);
    r.variables = arena_array(own, int64_t, loop_count(&routine->body) + 1);
    walk_classes(&r, own, routine, lay_out(&r));
    for (int op = 0; op < program->op_count; op++)
        for (int level = 0; level < TRAFFIC_COUNT && r.runs[op] > 0; level++)
            r.traffic[op].bytes[level] /= (double)r.runs[op];
    arena_free(own);
    return r.traffic;
}

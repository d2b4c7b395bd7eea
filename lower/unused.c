/* unused.c - finds the buffers and slots that references may use, and drops the others (lower/unused.h). */
#include "lower/unused.h"

#include "base/ranges.h"
#include "step/refs.h"

/* The values of a loop's variable; not known where the loop is not, or where they depend on the rank. */
typedef struct LoopBounds {
    bool known;
    int64_t least, most;
} LoopBounds;

typedef struct Unused {
    Arena *arena;
    Program *program;
    LoopBounds *loops; /* per loop */
    ByteRanges *used;  /* per buffer: slots that may be used */
} Unused;

static void find_bounds(Unused *u, const NodeList *body)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        if (node->kind == NODE_LOOP && affine_is_constant(&node->loop.first) && affine_is_constant(&node->loop.last)) {
            int64_t first = node->loop.first.constant, last = node->loop.last.constant;
            u->loops[node->loop.id] = (LoopBounds){true, first < last ? first : last, first < last ? last : first};
        }
        find_bounds(u, &node->body);
    }
}

/* The highest value of an affine expression; INT64_MAX if it is not known. */
static int64_t highest_value(const Unused *u, const Affine *affine)
{
    int64_t highest = affine->constant;
    for (int i = 0; i < affine->term_count; i++) {
        int variable = affine->term[i].variable;
        if (variable < 0 || !u->loops[variable].known || affine->modulus != 0)
            return INT64_MAX;
        const LoopBounds *loop = &u->loops[variable];
        int64_t coefficient = affine->term[i].coefficient;
        highest += coefficient * (coefficient > 0 ? loop->most : loop->least);
    }
    return highest;
}

/* A slot of one variable, up or down by one, takes every value between its lowest and its highest. Of any other the
 * lowest counts as 0: with no slot unused below them, such references keep their slots. */
static int64_t lowest_value(const Unused *u, const Affine *affine)
{
    if (affine->modulus != 0 || affine->term_count > 1)
        return 0;
    if (affine->term_count == 0)
        return affine->constant;
    int variable = affine->term[0].variable;
    int64_t coefficient = affine->term[0].coefficient;
    if (variable < 0 || !u->loops[variable].known || (coefficient != 1 && coefficient != -1))
        return 0;
    return affine->constant + coefficient * (coefficient > 0 ? u->loops[variable].least : u->loops[variable].most);
}

static void use_slots(void *context, Op *op, Ref *ref, bool writes)
{
    Unused *u = context;
    (void)op, (void)writes;
    int64_t slots = u->program->buffers.data[ref->buffer].slots;
    int64_t lowest = lowest_value(u, &ref->slot), highest = highest_value(u, &ref->slot);
    ByteRange range = {lowest < 0 ? 0 : lowest, highest < slots ? highest + 1 : slots};
    if (range.start < range.end)
        ranges_add(u->arena, &u->used[ref->buffer], range);
}

static int64_t used_below(const ByteRanges *used, int64_t slot)
{
    int64_t count = 0;
    for (int i = 0; i < used->count && used->data[i].start < slot; i++)
        count += (used->data[i].end < slot ? used->data[i].end : slot) - used->data[i].start;
    return count;
}

static bool drops_slots(const Unused *u, int buffer)
{
    const Buffer *b = &u->program->buffers.data[buffer];
    return !b->persistent && u->used[buffer].count > 0 && used_below(&u->used[buffer], b->slots) < b->slots;
}

static void close_up(void *context, Op *op, Ref *ref, bool writes)
{
    const Unused *u = context;
    (void)op, (void)writes;
    int64_t lowest = lowest_value(u, &ref->slot);
    if (lowest > 0 && drops_slots(u, ref->buffer))
        ref->slot.constant -= lowest - used_below(&u->used[ref->buffer], lowest);
}

/* ---- Buffers ------------------------------------------------------------------------------------------------- */

static void note_buffer(void *context, Op *op, Ref *ref, bool writes)
{
    bool *used = context;
    (void)op, (void)writes;
    used[ref->buffer] = true;
}

static void renumber(void *context, Op *op, Ref *ref, bool writes)
{
    const int *number = context;
    (void)op, (void)writes;
    ref->buffer = number[ref->buffer];
}

void unused_drop_buffers(Ctx *ctx, Program *program)
{
    bool *used = arena_array(ctx->arena, bool, program->buffers.count + 1);
    int *number = arena_array(ctx->arena, int, program->buffers.count + 1), count = 0;
    refs_visit_program(program, note_buffer, used);
    for (int i = 0; i < program->buffers.count; i++) {
        number[i] = count;
        if (used[i] || program->buffers.data[i].persistent)
            program->buffers.data[count++] = program->buffers.data[i];
    }
    if (count == program->buffers.count)
        return;
    program->buffers.count = count;
    refs_visit_program(program, renumber, number);
}

/* ---- Slots --------------------------------------------------------------------------------------------------- */

void unused_drop_slots(Ctx *ctx, Program *program)
{
    Unused u = {ctx->arena, program, arena_array(ctx->arena, LoopBounds, program->loop_count + 1),
                arena_array(ctx->arena, ByteRanges, program->buffers.count + 1)};
    for (int i = 0; i < program->routines.count; i++)
        find_bounds(&u, &program->routines.data[i].body);
    refs_visit_program(program, use_slots, &u);
    refs_visit_program(program, close_up, &u);
    for (int i = 0; i < program->buffers.count; i++) {
        Buffer *buffer = &program->buffers.data[i];
        if (drops_slots(&u, i))
            buffer->slots = used_below(&u.used[i], buffer->slots);
    }
}

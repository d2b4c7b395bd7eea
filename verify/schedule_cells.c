/* schedule_cells.c - the cells of a program, their bytes in the arenas, and which of them share bytes.
 *
 * tests/sim/equality.c damages the conditions of this file one at a time, and every condition counts: a test must
 * notice, or tests/sim/implied.txt must say why none can.
 */
#include "verify/schedule_internal.h"

#include "verify/limit.h"

enum { MOST_OVERLAPS = 1 << 24 };

/* The bytes of a buffer in the arena of its tier, if it has an offset. */
typedef struct Extent {
    Tier tier;
    int64_t begin, end;
} Extent;

/* ---- Cells and their bytes ---------------------------------------------------------------------------------- */

/* Writing a member leaves the room past a smaller piece unchanged. Where the proof relies on zeros there, a slot's
 * padding is a cell of its own, before those of its members, which is written only when the whole slot is. */
static int padding_cells(const Schedule *s, int b)
{
    return s->zero_padding[b] ? 1 : 0;
}

static bool is_padding(const Schedule *s, int cell)
{
    int b = s->cell_buffer[cell];
    return (cell - s->cell_base[b]) % s->cell_members[b] < padding_cells(s, b);
}

/* Members of an uncut unit are at their offsets; of a cut one, each member and padding may be anywhere in the slot. */
static void locate_cells(Schedule *s, int b)
{
    const Buffer *buffer = &s->program->buffers.data[b];
    const Decls *decls = s->program->decls;
    int64_t slot_bytes = buffer_slot_bytes(decls, buffer);
    const Unit *unit = buffer->layout == LAYOUT_UNIT ? &decls->units.data[buffer->unit] : NULL;
    int64_t parts = 1;
    for (int i = 0; unit != NULL && i < buffer->cut_count; i++)
        parts *= decls->axes.data[buffer->cut[i]].size;
    for (int64_t slot = 0; slot < buffer->slots; slot++)
        for (int m = 0; m < s->cell_members[b]; m++) {
            int cell = s->cell_base[b] + (int)slot * s->cell_members[b] + m;
            s->cell_buffer[cell] = b;
            s->begin[cell] = buffer->offset + slot * slot_bytes;
            s->end[cell] = s->begin[cell] + slot_bytes;
            if (unit != NULL && parts == 1 && !is_padding(s, cell)) {
                int member = m - padding_cells(s, b);
                int64_t first = unit_each_offset(decls, unit, buffer->each, member);
                int64_t after = unit_each_offset(decls, unit, buffer->each, member + 1);
                s->begin[cell] += first * dtype_bytes(buffer->dtype);
                s->end[cell] = s->begin[cell] + (after - first) * dtype_bytes(buffer->dtype);
            }
        }
}

static void check_bytes(const Schedule *s)
{
    for (int b = 0; b < s->program->buffers.count; b++) {
        const Buffer *buffer = &s->program->buffers.data[b];
        int64_t needed = buffer_data_bytes(s->program->decls, buffer);
        if (buffer->offset >= 0 && buffer->bytes < needed)
            diag_report(s->ctx->diag, P0333, buffer->span, "'%s' takes %lld bytes and was given %lld", buffer->name,
                        (long long)needed, (long long)buffer->bytes);
    }
}

/* ---- Overlaps ----------------------------------------------------------------------------------------------- */

/* The overlapping cells of two buffers; a buffer's cells are sorted by their beginning. */
static void pair_cells(Schedule *s, int b, int c)
{
    int end = s->cell_base[b] + (int)s->program->buffers.data[b].slots * s->cell_members[b];
    int first = s->cell_base[c], last = first + (int)s->program->buffers.data[c].slots * s->cell_members[c];
    for (int p = s->cell_base[b]; p < end; p++) {
        while (first < last && s->end[first] <= s->begin[p])
            first++;
        for (int q = first; q < last && s->begin[q] < s->end[p] && s->overlap_count <= MOST_OVERLAPS; q++)
            if (s->begin[p] < s->end[q]) {
                vec_push(s->arena, &s->overlaps[p], q);
                s->overlap_count++;
            }
    }
}

static bool overlap(const Extent *x, const Extent *y)
{
    return x->end > y->begin && y->end > x->begin && x->tier == y->tier && x != y && x->begin >= 0 && y->begin >= 0;
}

/* Every pair of buffers is compared, so what the comparison needs is computed once per buffer. */
static Extent *find_extents(const Schedule *s)
{
    const Program *program = s->program;
    Extent *extents = arena_array(s->arena, Extent, program->buffers.count + 1);
    for (int b = 0; b < program->buffers.count; b++) {
        const Buffer *buffer = &program->buffers.data[b];
        extents[b] = (Extent){buffer->tier, buffer->offset, buffer->offset + buffer_data_bytes(program->decls, buffer)};
    }
    return extents;
}

static void find_overlaps(Schedule *s)
{
    const Program *program = s->program;
    const Extent *extents = find_extents(s);
    for (int b = 0; b < program->buffers.count && !s->stopped; b++) {
        for (int c = 0; c < program->buffers.count; c++)
            if (overlap(&extents[b], &extents[c]))
                pair_cells(s, b, c);
        if (s->overlap_count <= MOST_OVERLAPS)
            continue;
        report_limit(s->ctx, program->buffers.data[b].span, "more values in one place than can be followed",
                     arena_printf(s->ctx->arena, "At most %d pairs of values that share bytes are (rule 'size').",
                                  MOST_OVERLAPS));
        s->stopped = true;
    }
}

void schedule_start(Schedule *s)
{
    const Program *program = s->program;
    s->cell_base = arena_array(s->arena, int, program->buffers.count + 1);
    s->cell_members = arena_array(s->arena, int, program->buffers.count + 1);
    for (int b = 0; b < program->buffers.count; b++) {
        const Buffer *buffer = &program->buffers.data[b];
        s->cell_base[b] = s->cell_count;
        s->cell_members[b] = buffer->layout == LAYOUT_UNIT ? program->decls->units.data[buffer->unit].member_count : 1;
        s->cell_members[b] += padding_cells(s, b);
        s->cell_count += (int)buffer->slots * s->cell_members[b];
    }
    s->conflict_shown = arena_array(s->arena, bool, program->buffers.count + 1);
    s->cell_buffer = arena_array(s->arena, int, s->cell_count + 1);
    s->begin = arena_array(s->arena, int64_t, s->cell_count + 1);
    s->end = arena_array(s->arena, int64_t, s->cell_count + 1);
    s->overlaps = arena_array(s->arena, Overlaps, s->cell_count + 1);
    s->clobbered = arena_array(s->arena, int, s->cell_count + 1);
    s->held = arena_array(s->arena, int, s->cell_count + 1);
    for (int b = 0; b < program->buffers.count; b++)
        locate_cells(s, b);
    check_bytes(s);
    find_overlaps(s);
    s->issues = arena_array(s->arena, bool, program->communicators.count + 1);
    s->loop = arena_array(s->arena, int64_t, program->loop_count + 1);
    s->motion = arena_array(s->arena, const Motion *, program->loop_count + 1);
    s->looked_at = arena_array(s->arena, bool, program->loop_count + 1);
}

/* ---- The cells of a reference ------------------------------------------------------------------------------- */

bool schedule_evaluate(const Schedule *s, const Affine *affine, int64_t *number)
{
    bool shared = true;
    const Decls *decls = s->program->decls;
    *number = affine_at(decls, affine, s->coordinate, s->loop);
    for (int i = 0; i < affine->term_count; i++) {
        if (affine->term[i].variable >= 0)
            continue;
        int axis = affine_axis(decls, affine->term[i].variable);
        shared = shared &&
                 (affine->term[i].coefficient == 0 || decls->axes.data[axis].size == 1 || (s->enumerated >> axis & 1));
    }
    return shared;
}

int64_t schedule_number(const Schedule *s, const Affine *affine)
{
    return affine_at(s->program->decls, affine, s->coordinate, s->loop);
}

int schedule_ref_cells(const Schedule *s, const Ref *ref, int *first)
{
    int64_t slot = schedule_number(s, &ref->slot);
    const Buffer *buffer = &s->program->buffers.data[ref->buffer];
    if (slot < 0 || slot >= buffer->slots)
        return 0;
    *first = s->cell_base[ref->buffer] + (int)slot * s->cell_members[ref->buffer];
    if (buffer->layout != LAYOUT_UNIT || ref->member < 0)
        return s->cell_members[ref->buffer];
    const Unit *unit = &s->program->decls->units.data[buffer->unit];
    for (int i = 0; i < unit->member_count; i++)
        if (unit->members[i] == ref->member) {
            *first += padding_cells(s, ref->buffer) + i;
            return 1;
        }
    return 0;
}

int schedule_result_cells(const Schedule *s, const Op *op, int *first)
{
    Ref out = op->out;
    if (!op_has_result(op->kind))
        return 0;
    if (op->kind == OP_INIT)
        out.member = op->tensor;
    return schedule_ref_cells(s, &out, first);
}

const char *schedule_cell_name(const Schedule *s, int cell)
{
    return s->program->buffers.data[s->cell_buffer[cell]].name;
}

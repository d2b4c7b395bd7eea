/* schedule.c - is the order of the final program right, and its use of memory? (verify/schedule.h)
 *
 * The dataflow proof treats a started communication as done and gives every buffer memory of its own. Both are checked
 * here by going through the program in order: what was started may not be touched before its event was waited for, and
 * what is read must still be there, so nothing that shares its bytes may have been written since. A cell is a slot, or
 * one member of an uncut unit's slot, or the gaps left in a slot by ranks' smaller pieces. Between two changes of a
 * guard, the second and all later iterations of a loop find the same state, with rings advanced by one step per
 * iteration (run_stretch); only the first and the last are run.
 *
 * Ranks whose control flow differs (verify/machine.h) are followed one by one. What they do together (messages, and
 * collectives over such axes) is recorded on the way, with everything that may queue behind it on a stream, and played
 * out by meeting.c. Other collectives need no pass of their own: their ranks run the same text, and a guard on a
 * coordinate of the group itself is refused (P0332, machine.c).
 *
 * In the experiment on equality (tests/sim/equality.c) every condition counts.
 */
#include "verify/schedule.h"

#include "verify/limit.h"
#include "verify/machine.h"
#include "verify/meeting.h"

#include <string.h>

enum { MOST_BREAKS = 64, MOST_STEPS = 20 * 1000 * 1000, MOST_MIB = 2048, MOST_OVERLAPS = 1 << 24 };

/* The bytes of a buffer in the arena of its tier, if it has an offset. */
typedef struct Extent {
    Tier tier;
    int64_t begin, end;
} Extent;

/* Cells of other buffers that share bytes with one. */
typedef Vec(int) Overlaps;

/* An operator that was started and has not been waited for by every stream. */
typedef struct Pending {
    const Op *op;
    int event;
    bool reported;
    int64_t started; /* the checker's clock at the start */
    uint64_t waited; /* streams that waited */
    int cell_count;
    int *cells; /* operands; the result's cells start at `first_out` */
    int first_out;
} Pending;

/* An event that was not waited for in time. */
typedef struct Late {
    int event;
    Diagnostic *reported;
} Late;

typedef struct Schedule {
    Ctx *ctx;
    const Program *program;
    Arena *arena;
    int *cell_base, *cell_members;
    const bool *zero_padding; /* per buffer, as for schedule_check */
    int *cell_buffer;
    int cell_count;
    int64_t *begin, *end; /* of every cell, in its tier's arena; unused for buffers without an offset */
    Overlaps *overlaps;   /* per cell */
    int *clobbered;       /* per cell: the buffer that was written over it, or -1 */
    int *held;            /* per cell: number of operators in flight that use it */
    Vec(Late) late;       /* events of the routine that were reported: one error per event */
    int64_t overlap_count;
    bool *conflict_shown; /* per buffer: its one error was reported */
    struct {              /* hashed by node: the waits reached, and whether one ever found something to wait for */
        const Node *node;
        bool met;
    } * waits;
    int wait_capacity;
    int64_t *loop;
    bool *bound; /* of the current loops */
    AxisMask enumerated;
    int64_t coordinate[STEP_MAX_AXES]; /* of the current ranks, on enumerated axes */
    bool meets;                        /* they do something together with others */
    Trace *trace;                      /* of the current ranks */
    uint64_t queues;                   /* streams of the routine on which something may queue behind what was started */
    int coordinate_guards;
    int64_t guard_entered; /* clock at the start of the innermost guard on coordinates; 0 outside of all */
    int64_t clock, steps;
    bool stopped;
    Vec(Pending) pending;
} Schedule;

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
static void place_cells(Schedule *s, int b)
{
    const Buffer *buffer = &s->program->buffers.data[b];
    const Decls *decls = s->program->decls;
    int64_t slot_bytes = buffer_slot_elements(decls, buffer) * dtype_bytes(buffer->dtype);
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
                int64_t behind = unit_each_offset(decls, unit, buffer->each, member + 1);
                s->begin[cell] += first * dtype_bytes(buffer->dtype);
                s->end[cell] = s->begin[cell] + (behind - first) * dtype_bytes(buffer->dtype);
            }
        }
}

/* What its slots need; `bytes` is what the buffer declares. */
static int64_t bytes_needed(const Program *program, const Buffer *buffer)
{
    return buffer->slots * buffer_slot_elements(program->decls, buffer) * dtype_bytes(buffer->dtype);
}

static void check_bytes(const Schedule *s)
{
    for (int b = 0; b < s->program->buffers.count; b++) {
        const Buffer *buffer = &s->program->buffers.data[b];
        int64_t needed = bytes_needed(s->program, buffer);
        if (buffer->offset >= 0 && buffer->bytes < needed)
            diag_report(s->ctx->diag, P0333, buffer->span, "'%s' takes %lld bytes and was given %lld", buffer->name,
                        (long long)needed, (long long)buffer->bytes);
    }
}

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
        extents[b] = (Extent){buffer->tier, buffer->offset, buffer->offset + bytes_needed(program, buffer)};
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

static void schedule_start(Schedule *s)
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
        place_cells(s, b);
    check_bytes(s);
    find_overlaps(s);
    s->loop = arena_array(s->arena, int64_t, program->loop_count + 1);
    s->bound = arena_array(s->arena, bool, program->loop_count + 1);
}

/* ---- Operators ---------------------------------------------------------------------------------------------- */

/* False if the expression depends on coordinates that are not enumerated. */
static bool evaluate(const Schedule *s, const Affine *affine, int64_t *number)
{
    bool shared = true;
    const Decls *decls = s->program->decls;
    *number = affine->constant;
    for (int i = 0; i < affine->term_count; i++) {
        int variable = affine->term[i].variable;
        int64_t coefficient = affine->term[i].coefficient;
        if (variable >= 0) {
            *number += coefficient * s->loop[variable];
            continue;
        }
        int axis = affine_axis(decls, variable);
        *number += coefficient * affine_variable_at(decls, variable, s->coordinate);
        shared = shared && (coefficient == 0 || decls->axes.data[axis].size == 1 || (s->enumerated >> axis & 1));
    }
    if (affine->modulus > 0)
        *number = (*number % affine->modulus + affine->modulus) % affine->modulus;
    return shared;
}

/* The value of an expression whose axes are all enumerated: slots, bounds, holders, and whatever has a loop's variable
 * (machine_plan.c). */
static int64_t number_of(const Schedule *s, const Affine *affine)
{
    int64_t number;
    evaluate(s, affine, &number);
    return number;
}

/* The cells of a reference: one, or all members of a flat slot; none if it has no slot (reported by the machine). */
static int ref_cells(const Schedule *s, const Ref *ref, int *first)
{
    int64_t slot = number_of(s, &ref->slot);
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

/* The cells an operator writes: one member's of a flat slot for an init of that tensor only. */
static int result_cells(const Schedule *s, const Op *op, int *first)
{
    Ref out = op->out;
    if (!op_has_result(op->kind))
        return 0;
    if (op->kind == OP_INIT)
        out.member = op->tensor;
    return ref_cells(s, &out, first);
}

static const char *cell_name(const Schedule *s, int cell)
{
    return s->program->buffers.data[s->cell_buffer[cell]].name;
}

/* Consequences of one mistake are one error: an event used too early here is also lost there, and again in the next
 * iteration. */
static bool report_stands(const Schedule *s, int event)
{
    for (int i = 0; i < s->late.count; i++)
        if (s->late.data[i].event == event)
            return true;
    return false;
}

static void report_in_use(Schedule *s, const Op *op, const Pending *pending, int cell, bool writes, bool result)
{
    if (report_stands(s, pending->event))
        return;
    Diagnostic *d =
        diag_report(s->ctx->diag, P0331, op->span, "'%s' %s '%s' before event %d was waited for",
                    op_info[op->kind].name, writes ? "overwrites" : "reads", cell_name(s, cell), pending->event);
    diag_label(d, pending->op->span, "%s",
               result ? "is written by what is started here" : "is read by what is started here");
    diag_help(d,
              "Wait for event %d on this stream before. A sync with `wait` starts after all that touches what it "
              "names.",
              pending->event);
    vec_push(s->arena, &s->late, (Late){pending->event, d});
}

/* Is the cell in use by an operator that this stream has not waited for? */
static void check_pending(Schedule *s, const Op *op, int cell, bool writes)
{
    if (s->held[cell] == 0)
        return;
    s->steps += s->pending.count / 64;
    for (int i = 0; i < s->pending.count; i++) {
        Pending *pending = &s->pending.data[i];
        if (pending->reported || pending->waited >> op->stream & 1)
            continue;
        for (int j = 0; j < pending->cell_count; j++) {
            if (pending->cells[j] != cell || (j < pending->first_out && !writes))
                continue;
            pending->reported = true;
            report_in_use(s, op, pending, cell, writes, j >= pending->first_out);
            return;
        }
    }
}

static void read_cell(Schedule *s, const Op *op, int cell)
{
    check_pending(s, op, cell, false);
    if (s->clobbered[cell] < 0 || s->conflict_shown[s->cell_buffer[cell]])
        return;
    s->conflict_shown[s->cell_buffer[cell]] = true;
    Diagnostic *d =
        diag_report(s->ctx->diag, P0333, op->span, "'%s' reads '%s', whose memory '%s' has overwritten",
                    op_info[op->kind].name, cell_name(s, cell), s->program->buffers.data[s->clobbered[cell]].name);
    diag_why(d, "Both lie at bytes %lld to %lld of the arena, and both are needed here.", (long long)s->begin[cell],
             (long long)s->end[cell] - 1);
}

static void write_cell(Schedule *s, const Op *op, int cell)
{
    check_pending(s, op, cell, true);
    if (s->coordinate_guards == 0)
        s->clobbered[cell] = -1;
    for (int i = 0; i < s->overlaps[cell].count; i++) {
        int other = s->overlaps[cell].data[i];
        s->clobbered[other] = s->cell_buffer[cell];
        check_pending(s, op, other, true);
    }
}

/* The letters of operand `index`, or of the result if `index` is the number of operands. */
static const char *spec_letters(const Op *op, int index, int *length)
{
    const char *at = op->spec;
    for (int i = 0; i < index; i++)
        at += strcspn(at, ",-") + 1;
    at += *at == '>';
    *length = (int)strcspn(at, ",-");
    return at;
}

/* For an operand with as many dims as the result; without letters the operator works point by point. */
static bool has_result_letters(const Op *op, int operand)
{
    int length;
    if (op->spec[0] == '\0')
        return true;
    const char *letters = spec_letters(op, operand, &length);
    const char *result = spec_letters(op, op->operand_count, &length);
    return strncmp(letters, result, (size_t)length) == 0;
}

static bool collective_in_place(Collective collective)
{
    switch (collective) {
    case COLLECTIVE_SLICE:
        return false;
    case COLLECTIVE_PLACE_SHARD:
    case COLLECTIVE_ALL_REDUCE:
    case COLLECTIVE_REDUCE_SCATTER:
    case COLLECTIVE_ALL_GATHER:
    case COLLECTIVE_ALL_TO_ALL:
    case COLLECTIVE_PERMUTE:
    case COLLECTIVE_BROADCAST:
    case COLLECTIVE_HALO:
    case COLLECTIVE_HALO_ADD:
    case COLLECTIVE_SEND:
    case COLLECTIVE_RECV:
        return true;
    }
    BUG("a collective that is none");
}

static bool view_in_place(ViewKind view, int operand)
{
    switch (view) {
    case VIEW_PLACE_SEGMENT:
        return operand == 0;
    case VIEW_VIEW:
    case VIEW_SEGMENT:
    case VIEW_SEGMENT_BWD:
        return false;
    }
    BUG("a view that is none");
}

/* Does the operator read from this operand only the elements it writes, or only the row in which it writes? */
static bool works_in_place(const Op *op, int operand)
{
    switch (op_info[op->kind].op_class) {
    case CLASS_MAP:
        return has_result_letters(op, operand);
    case CLASS_ROW: /* `across` reads columns other than those it writes */
        return strstr(op_info[op->kind].body, "across(") == NULL && has_result_letters(op, operand);
    case CLASS_MOVE:
    case CLASS_COMM:
        return collective_in_place(op_collective(op->kind));
    case CLASS_VIEW:
        return view_in_place(op_view(op->kind), operand);
    case CLASS_SUM:
    case CLASS_CONTRACT:
    case CLASS_GATHER:
    case CLASS_SCATTER:
    case CLASS_WINDOW:
    case CLASS_SOURCE:
    case CLASS_SINK:
        return false;
    }
    BUG("'%s' is of no class", op_info[op->kind].name);
}

/* An operator may not overwrite an operand that it still reads: not through another buffer's bytes, and in the
 * operand's own cell only where it works element by element, or row by row. */
static void check_in_place(Schedule *s, const Op *op, int out)
{
    for (int i = 0; i < op->operand_count; i++) {
        int first = 0, count = ref_cells(s, &op->operand[i], &first);
        if (out >= first && out < first + count && !works_in_place(op, i)) {
            diag_report(s->ctx->diag, P0333, op->span, "'%s' writes '%s' in place of its operand",
                        op_info[op->kind].name, cell_name(s, out));
            return;
        }
        for (int j = 0; j < s->overlaps[out].count; j++) {
            int other = s->overlaps[out].data[j];
            if (other < first || other >= first + count)
                continue;
            diag_report(s->ctx->diag, P0333, op->span, "'%s' writes '%s' over its operand '%s'", op_info[op->kind].name,
                        cell_name(s, out), cell_name(s, other));
            return;
        }
    }
}

static void hold(Schedule *s, const Pending *pending, int count)
{
    for (int i = 0; i < pending->cell_count; i++)
        s->held[pending->cells[i]] += count;
}

static void report_lost(Schedule *s, const Pending *pending)
{
    if (pending->reported || report_stands(s, pending->event))
        return;
    Diagnostic *d = diag_report(s->ctx->diag, P0331, pending->op->span, "'%s' is started and never waited for",
                                op_info[pending->op->kind].name);
    vec_push(s->arena, &s->late, (Late){pending->event, d});
}

/* A wait refers to the most recent start of its event: no later wait can mean an earlier one. */
static void let_go_of(Schedule *s, int event)
{
    int count = 0;
    for (int i = 0; i < s->pending.count; i++) {
        Pending *pending = &s->pending.data[i];
        if (pending->event != event) {
            s->pending.data[count++] = *pending;
            continue;
        }
        report_lost(s, pending);
        hold(s, pending, -1);
    }
    s->steps += s->pending.count / 64;
    s->pending.count = count;
}

static void start_pending(Schedule *s, const Op *op)
{
    Pending pending = {.op = op, .event = op->event, .started = ++s->clock};
    int first, total = 0, refs = op->operand_count + (op_has_result(op->kind) ? 1 : 0);
    for (int i = 0; i < refs; i++)
        total += ref_cells(s, i < op->operand_count ? &op->operand[i] : &op->out, &first);
    pending.cells = arena_array(s->arena, int, total + 1);
    pending.first_out = total;
    for (int i = 0; i < refs; i++) {
        if (i == op->operand_count)
            pending.first_out = pending.cell_count;
        int count = ref_cells(s, i < op->operand_count ? &op->operand[i] : &op->out, &first);
        for (int j = 0; j < count; j++)
            pending.cells[pending.cell_count++] = first + j;
    }
    let_go_of(s, op->event);
    hold(s, &pending, 1);
    vec_push(s->arena, &s->pending, pending);
}

/* Records what the current ranks do together with others, and what may queue behind it on its stream. */
static void note_meeting(Schedule *s, const Op *op)
{
    TraceItem item = {.op = op, .event = op->event, .stream = op->stream};
    for (int i = 0; i < op->axis_count && op_info[op->kind].op_class == CLASS_COMM; i++)
        item.axes |= (AxisMask)1 << op->axis[i] & s->enumerated;
    if (item.axes == 0 && !(s->queues >> op->stream & 1))
        return;
    if (op_is_message(op->kind))
        evaluate(s, &op->index, &item.peer);
    vec_push(s->arena, &s->trace->items, item);
}

/* Counts an operator or an iteration. */
static bool is_too_long(Schedule *s, Span span)
{
    size_t mib = (arena_size(s->arena) + arena_size(s->ctx->arena)) >> 20;
    if (s->stopped || (s->steps++ <= MOST_STEPS && mib <= MOST_MIB))
        return s->stopped;
    report_limit(s->ctx, span, "the program is too long to be followed",
                 arena_printf(s->ctx->arena, "The order of at most %d steps is followed (rule 'size').", MOST_STEPS));
    return s->stopped = true;
}

static void run_op(Schedule *s, const Op *op)
{
    int first, count;
    if (is_too_long(s, op->span))
        return;
    for (int i = 0; i < op->operand_count; i++) {
        count = ref_cells(s, &op->operand[i], &first);
        for (int j = 0; j < count; j++)
            read_cell(s, op, first + j);
    }
    count = result_cells(s, op, &first);
    for (int j = 0; j < count; j++) {
        if (op->accumulate)
            read_cell(s, op, first + j);
        check_in_place(s, op, first + j);
        write_cell(s, op, first + j);
    }
    if (op->event >= 0)
        start_pending(s, op);
    if (s->meets)
        note_meeting(s, op);
}

static bool is_under_way(const Schedule *s, int event)
{
    for (int i = 0; i < s->pending.count; i++)
        if (s->pending.data[i].event == event)
            return true;
    return false;
}

/* The slot of the wait, which is inserted if it is new. */
static int wait_slot(const Schedule *s, const Node *node)
{
    int mask = s->wait_capacity - 1, at = (int)((uintptr_t)node >> 4) & mask;
    while (s->waits[at].node != NULL && s->waits[at].node != node)
        at = (at + 1) & mask;
    s->waits[at].node = node;
    return at;
}

static int count_waits(const NodeList *nodes)
{
    int count = 0;
    for (int i = 0; i < nodes->count; i++)
        count += nodes->data[i]->kind == NODE_WAIT ? 1 : count_waits(&nodes->data[i]->body);
    return count;
}

/* Streams on which something is started. Waits block the rank and leave its streams empty. */
static uint64_t queues_of(const NodeList *nodes)
{
    uint64_t queues = 0;
    for (int i = 0; i < nodes->count; i++) {
        const Node *node = nodes->data[i];
        if (node->kind == NODE_OP && node->op->event >= 0)
            queues |= (uint64_t)1 << node->op->stream;
        queues |= queues_of(&node->body);
    }
    return queues;
}

static void find_waits(Schedule *s, const Routine *routine)
{
    int count = count_waits(&routine->body);
    for (s->wait_capacity = 16; s->wait_capacity < 2 * count;)
        s->wait_capacity *= 2;
    s->waits = arena_alloc(s->arena, sizeof *s->waits * (size_t)s->wait_capacity);
    s->queues = queues_of(&routine->body);
}

/* Next to an event that was not waited for, this is the other end of the same mistake. */
static void report_idle_wait(const Schedule *s, const Node *node)
{
    if (s->late.count > 0) {
        diag_label(s->late.data[0].reported, node->span, "waits for event %d, of which nothing is under way",
                   node->event);
        return;
    }
    Diagnostic *d =
        diag_report(s->ctx->diag, P0331, node->span, "event %d is waited for, and nothing is under way", node->event);
    diag_why(d, "On no rank has an operator started event %d before this that was not waited for already.",
             node->event);
}

/* A wait that has nothing to wait for, on any rank at any time, does nothing. */
static void check_waits(const Schedule *s, const NodeList *nodes)
{
    for (int i = 0; i < nodes->count; i++) {
        const Node *node = nodes->data[i];
        check_waits(s, &node->body);
        if (node->kind == NODE_WAIT && !s->waits[wait_slot(s, node)].met)
            report_idle_wait(s, node);
    }
}

/* A wait that only some ranks reach covers only what those ranks alone have started. */
static void run_wait(Schedule *s, const Node *node)
{
    int count = 0;
    s->waits[wait_slot(s, node)].met |= is_under_way(s, node->event);
    if (s->meets)
        vec_push(s->arena, &s->trace->items, (TraceItem){.event = node->event, .node = node});
    for (int i = 0; i < s->pending.count; i++) {
        Pending *pending = &s->pending.data[i];
        if (pending->event == node->event && pending->started > s->guard_entered)
            pending->waited |= (uint64_t)1 << node->stream | (uint64_t)1 << pending->op->stream;
        /* What the compute stream has waited for is done for all that matters: later starts follow in its order. */
        if (!(pending->waited & 1))
            s->pending.data[count++] = *pending;
        else
            hold(s, pending, -1);
    }
    s->steps += s->pending.count / 64;
    s->pending.count = count;
}

/* ---- The tree ----------------------------------------------------------------------------------------------- */

static void run_nodes(Schedule *s, const NodeList *nodes);

static bool affine_uses(const Affine *affine, int loop)
{
    for (int i = 0; i < affine->term_count; i++)
        if (affine->term[i].variable == loop)
            return true;
    return false;
}

/* How a loop's variable moves the slots of a buffer in its body. */
typedef struct Rotation {
    bool seen;
    int64_t step, modulus; /* the same in all references; step 0: it does not */
} Rotation;

/* A loop whose iterations repeat between these points. */
typedef struct Repeats {
    Rotation *rotation; /* per buffer */
    int count;
    int64_t at[MOST_BREAKS]; /* iterations at which a guard may change */
} Repeats;

static int64_t coefficient_of(const Affine *affine, int loop)
{
    int64_t coefficient = 0;
    for (int i = 0; i < affine->term_count; i++)
        coefficient += affine->term[i].variable == loop ? affine->term[i].coefficient : 0;
    return coefficient;
}

static bool shares_memory(const Schedule *s, int buffer)
{
    int cells = (int)s->program->buffers.data[buffer].slots * s->cell_members[buffer];
    for (int i = 0; i < cells; i++)
        if (s->overlaps[s->cell_base[buffer] + i].count > 0)
            return true;
    return false;
}

/* All references must rotate a ring by the same step: then each iteration does to it what the last did, one step on. */
static bool ref_repeats(const Schedule *s, const Ref *ref, int loop, Repeats *repeats)
{
    Rotation *rotation = &repeats->rotation[ref->buffer];
    Rotation here = {true, coefficient_of(&ref->slot, loop), ref->slot.modulus};
    if (rotation->seen)
        return rotation->step == here.step && (here.step == 0 || rotation->modulus == here.modulus);
    *rotation = here;
    bool ring = here.modulus > 0 && here.modulus <= s->program->buffers.data[ref->buffer].slots;
    return here.step == 0 || (ring && !shares_memory(s, ref->buffer));
}

static bool op_repeats(const Schedule *s, const Op *op, int loop, Repeats *repeats)
{
    bool repeats_all = !op_has_result(op->kind) || ref_repeats(s, &op->out, loop, repeats);
    for (int i = 0; i < op->operand_count; i++)
        repeats_all = repeats_all && ref_repeats(s, &op->operand[i], loop, repeats);
    return repeats_all && (!op_is_message(op->kind) || !affine_uses(&op->index, loop));
}

static void breaks_add(Repeats *repeats, int64_t at)
{
    int i = repeats->count++;
    for (; i > 0 && repeats->at[i - 1] > at; i--)
        repeats->at[i] = repeats->at[i - 1];
    repeats->at[i] = at;
}

/* The guard must pass a contiguous range of the variable's values; false if that is not apparent. */
static bool guard_repeats(const Schedule *s, const Node *node, int loop, Repeats *repeats)
{
    const Affine *value = &node->guard.value;
    int64_t coefficient = coefficient_of(value, loop);
    if (coefficient == 0)
        return true;
    for (int i = 0; i < value->term_count; i++)
        if (value->term[i].variable >= 0 && !s->bound[value->term[i].variable]) /* of a loop inside this one */
            return false;
    if (value->modulus != 0 || (coefficient != 1 && coefficient != -1) || repeats->count > MOST_BREAKS - 2)
        return false;
    int64_t number = number_of(s, value) - coefficient * s->loop[loop];
    int64_t low = (node->guard.low - number) * coefficient, high = (node->guard.high - number) * coefficient;
    breaks_add(repeats, coefficient > 0 ? low : high);
    breaks_add(repeats, (coefficient > 0 ? high : low) + 1);
    return true;
}

static bool body_repeats(const Schedule *s, const NodeList *nodes, int loop, Repeats *repeats)
{
    for (int i = 0; i < nodes->count; i++) {
        const Node *node = nodes->data[i];
        if (node->kind == NODE_OP && !op_repeats(s, node->op, loop, repeats))
            return false;
        if (node->kind == NODE_LOOP && (affine_uses(&node->loop.first, loop) || affine_uses(&node->loop.last, loop)))
            return false;
        if (node->kind == NODE_GUARD && !guard_repeats(s, node, loop, repeats))
            return false;
        if (!body_repeats(s, &node->body, loop, repeats))
            return false;
    }
    return true;
}

/* The cell that corresponds to this one `by` iterations later. */
static int cell_later(const Schedule *s, const Repeats *repeats, int cell, int64_t by)
{
    int buffer = s->cell_buffer[cell], members = s->cell_members[buffer];
    const Rotation *rotation = &repeats->rotation[buffer];
    if (rotation->step == 0)
        return cell;
    int64_t slot = (cell - s->cell_base[buffer]) / members, modulus = rotation->modulus;
    int64_t later = ((slot + rotation->step * by) % modulus + modulus) % modulus;
    return cell + (int)(later - slot) * members;
}

/* Are the operators started until then and still not waited for in cells that every iteration finds unrotated? */
static bool pending_stays(const Schedule *s, const Repeats *repeats, int64_t started)
{
    for (int i = 0; i < s->pending.count; i++) {
        const Pending *pending = &s->pending.data[i];
        for (int j = 0; j < pending->cell_count && pending->started <= started; j++)
            if (cell_later(s, repeats, pending->cells[j], 1) != pending->cells[j])
                return false;
    }
    return true;
}

/* Advances by `by` iterations like the last one, whose part of the trace starts at `begin`. */
static void skip(Schedule *s, const Repeats *repeats, int64_t by, int begin)
{
    int end = s->trace->items.count;
    for (int i = 0; i < s->pending.count; i++) {
        hold(s, &s->pending.data[i], -1);
        for (int j = 0; j < s->pending.data[i].cell_count; j++)
            s->pending.data[i].cells[j] = cell_later(s, repeats, s->pending.data[i].cells[j], by);
        hold(s, &s->pending.data[i], 1);
    }
    for (int64_t k = 0; k < by && s->meets; k++)
        for (int i = begin; i < end; i++)
            vec_push(s->arena, &s->trace->items, s->trace->items.data[i]);
}

/* Iterations first .. last, in which no guard changes its answer. The second finds what all later ones find, with rings
 * one step further: an iteration writes a cell, overwrites it or leaves it alone, whatever it found, so that two
 * iterations leave the same as one; a wait does after one iteration what it does after two; and what an iteration
 * starts is waited for before the next one starts it again, or never, which check_end refuses. Only what was started
 * before the loop does not rotate with the rings. If none of that is in a ring, the last iteration is run right after
 * the first. */
static void run_stretch(Schedule *s, const Node *node, const Repeats *repeats, int64_t first, int64_t last)
{
    int begin = s->trace->items.count;
    int64_t entered = s->clock;
    for (int64_t i = first; i <= last && !is_too_long(s, node->span); i++) {
        if (i == first + 1 && pending_stays(s, repeats, entered)) {
            skip(s, repeats, last - i, begin);
            i = last;
        }
        s->loop[node->loop.id] = i;
        run_nodes(s, &node->body);
    }
}

/* All iterations, in stretches; false if they do not repeat. */
static bool run_repeats(Schedule *s, const Node *node, int64_t first, int64_t last)
{
    Repeats repeats = {.rotation = arena_array(s->arena, Rotation, s->program->buffers.count + 1)};
    if (!body_repeats(s, &node->body, node->loop.id, &repeats))
        return false;
    for (int i = 0; i < repeats.count; i++) {
        int64_t at = repeats.at[i];
        if (at <= first || at > last)
            continue;
        run_stretch(s, node, &repeats, first, at - 1);
        first = at;
    }
    run_stretch(s, node, &repeats, first, last);
    return true;
}

static void run_loop(Schedule *s, const Node *node)
{
    int64_t first = number_of(s, &node->loop.first), last = number_of(s, &node->loop.last);
    s->loop[node->loop.id] = first;
    s->bound[node->loop.id] = true;
    bool repeats = node->loop.step > 0 && last - first >= 4;
    if (!repeats || !run_repeats(s, node, first, last))
        for (int64_t i = first; node->loop.step > 0 ? i <= last : i >= last; i += node->loop.step) {
            if (is_too_long(s, node->span))
                break;
            s->loop[node->loop.id] = i;
            run_nodes(s, &node->body);
        }
    s->bound[node->loop.id] = false;
}

/* Does every coordinate pass a guard whose value is this where the coordinates that are not enumerated are 0? Then it
 * guards nothing. It uses no loop's variable and no table, as all axes used beside those are enumerated. */
static bool passes_everywhere(const Schedule *s, const Node *node, int64_t value)
{
    const Affine *affine = &node->guard.value;
    int64_t low = value, high = value;
    for (int i = 0; i < affine->term_count; i++) {
        int axis = affine_axis(s->program->decls, affine->term[i].variable);
        if (s->enumerated >> axis & 1)
            continue;
        int64_t most = affine->term[i].coefficient * (s->program->decls->axes.data[axis].size - 1);
        low += most < 0 ? most : 0;
        high += most > 0 ? most : 0;
    }
    return affine->modulus == 0 && low >= node->guard.low && high <= node->guard.high;
}

static void run_guard(Schedule *s, const Node *node)
{
    int64_t value;
    bool decided = evaluate(s, &node->guard.value, &value);
    if (decided ? value >= node->guard.low && value <= node->guard.high : passes_everywhere(s, node, value)) {
        run_nodes(s, &node->body);
    } else if (!decided) {
        int64_t outer = s->guard_entered;
        s->coordinate_guards++;
        s->guard_entered = ++s->clock;
        run_nodes(s, &node->body);
        s->guard_entered = outer;
        s->coordinate_guards--;
    }
}

static void run_nodes(Schedule *s, const NodeList *nodes)
{
    for (int i = 0; i < nodes->count; i++)
        switch (nodes->data[i]->kind) {
        case NODE_OP:
            run_op(s, nodes->data[i]->op);
            break;
        case NODE_LOOP:
            run_loop(s, nodes->data[i]);
            break;
        case NODE_GUARD:
            run_guard(s, nodes->data[i]);
            break;
        case NODE_WAIT:
            run_wait(s, nodes->data[i]);
            break;
        }
}

/* Do the current ranks hold the buffer? */
static bool is_held(const Schedule *s, const Buffer *buffer)
{
    int64_t holder = number_of(s, &buffer->holder);
    return !buffer->held || (holder >= buffer->held_low && holder <= buffer->held_high);
}

/* What lives from step to step must be there at the end, and nothing may still be in flight into it. */
static void check_end(Schedule *s, const Routine *routine)
{
    for (int cell = 0; cell < s->cell_count; cell++) {
        const Buffer *buffer = &s->program->buffers.data[s->cell_buffer[cell]];
        bool lost = s->clobbered[cell] >= 0 && buffer->persistent && is_held(s, buffer);
        if (!lost || s->conflict_shown[s->cell_buffer[cell]])
            continue;
        s->conflict_shown[s->cell_buffer[cell]] = true;
        diag_report(s->ctx->diag, P0333, buffer->span, "'%s' must outlive '%s', and '%s' overwrites its memory",
                    buffer->name, routine->name, s->program->buffers.data[s->clobbered[cell]].name);
    }
    for (int i = 0; i < s->pending.count; i++)
        report_lost(s, &s->pending.data[i]);
}

static void run_place(Schedule *s, const Routine *routine)
{
    for (int cell = 0; cell < s->cell_count; cell++)
        s->clobbered[cell] = -1;
    memset(s->held, 0, sizeof *s->held * (size_t)s->cell_count);
    s->pending.count = 0;
    s->coordinate_guards = 0;
    run_nodes(s, &routine->body);
    check_end(s, routine);
}

void schedule_check(Ctx *ctx, const Program *program, const int *unwritten, const bool *zero_padding)
{
    Schedule s = {.ctx = ctx, .program = program, .arena = arena_new(), .enumerated = enumerated_axes(program)};
    s.zero_padding = zero_padding;
    schedule_start(&s);
    for (int i = 0; i < program->buffers.count; i++)
        s.conflict_shown[i] = unwritten[i] != 0;
    s.meets = s.enumerated != 0;
    for (int r = 0; r < program->routines.count; r++) {
        Traces traces = traces_new(s.arena, program->decls, s.enumerated);
        find_waits(&s, &program->routines.data[r]);
        s.late.count = 0;
        for (int i = 0; i < traces.count; i++) {
            s.trace = &traces.trace[i];
            memcpy(s.coordinate, s.trace->coordinate, sizeof s.coordinate);
            run_place(&s, &program->routines.data[r]);
        }
        if (!s.stopped)
            check_waits(&s, &program->routines.data[r].body);
        if (s.meets && diag_error_count(ctx->diag) == 0)
            meeting_check(ctx, s.arena, &traces);
    }
    arena_free(s.arena);
}

/* Could an operator overwrite an operand that it still reads, judging by its text, whatever the slots? */
static bool may_overwrite(const NodeList *nodes)
{
    for (int i = 0; i < nodes->count; i++) {
        const Op *op = nodes->data[i]->op;
        if (may_overwrite(&nodes->data[i]->body))
            return true;
        for (int j = 0; op != NULL && op_has_result(op->kind) && j < op->operand_count; j++)
            if (op->operand[j].buffer == op->out.buffer && !works_in_place(op, j))
                return true;
    }
    return false;
}

void schedule_check_reference(Ctx *ctx, const Program *reference)
{
    bool may = false;
    for (int r = 0; r < reference->routines.count; r++)
        may = may || may_overwrite(&reference->routines.data[r].body);
    if (may)
        schedule_check(ctx, reference, arena_array(ctx->arena, int, reference->buffers.count + 1),
                       arena_array(ctx->arena, bool, reference->buffers.count + 1));
}

/* schedule_op.c - one operator in order: what it reads must still be there, and what it writes may not be in use.
 *
 * tests/sim/equality.c damages the conditions of this file one at a time, and every condition counts: a test must
 * notice, or tests/sim/implied.txt must say why none can.
 */
#include "verify/schedule_internal.h"

#include "step/spec.h"
#include "verify/limit.h"

#include <string.h>

enum { MOST_STEPS = 20 * 1000 * 1000, MOST_MIB = 2048 };

/* ---- Reading and writing ------------------------------------------------------------------------------------ */

/* Is the cell in use by an operator that this stream has not waited for? */
static void check_use(Schedule *s, const Op *op, int cell, bool writes)
{
    if (s->held[cell] == 0)
        return;
    s->steps += s->pending.count / 64;
    for (int i = 0; i < s->pending.count; i++) {
        InFlight *pending = &s->pending.data[i];
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
    check_use(s, op, cell, false);
    if (s->clobbered[cell] < 0 || s->conflict_shown[s->cell_buffer[cell]])
        return;
    s->conflict_shown[s->cell_buffer[cell]] = true;
    Diagnostic *d = diag_report(s->ctx->diag, P0333, op->span, "'%s' reads '%s', whose memory '%s' has overwritten",
                                op_info[op->kind].name, schedule_cell_name(s, cell),
                                s->program->buffers.data[s->clobbered[cell]].name);
    diag_why(d, "Both are at bytes %lld to %lld of the arena, and both are needed here.", (long long)s->begin[cell],
             (long long)s->end[cell] - 1);
}

static void write_cell(Schedule *s, const Op *op, int cell)
{
    check_use(s, op, cell, true);
    if (s->coordinate_guards == 0)
        s->clobbered[cell] = -1;
    schedule_wrote(s, cell);
    for (int i = 0; i < s->overlaps[cell].count; i++) {
        int other = s->overlaps[cell].data[i];
        s->clobbered[other] = s->cell_buffer[cell];
        check_use(s, op, other, true);
    }
}

/* ---- In place ----------------------------------------------------------------------------------------------- */

/* For an operand with as many dims as the result; without letters the operator works point by point. */
static bool has_result_letters(const Op *op, int operand)
{
    return spec_is_empty(op) || spec_equal(spec_letters(op->spec, operand), spec_letters(op->spec, SPEC_RESULT));
}

static bool collective_in_place(Collective collective)
{
    switch (collective) {
    case COLLECTIVE_SLICE:
    case COLLECTIVE_ALL_TO_ALL_FILLED: /* zeroes its result first */
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

bool op_works_in_place(const Op *op, int operand)
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
    case CLASS_CHOICE:
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
        int first = 0, count = schedule_ref_cells(s, &op->operand[i], &first);
        if (out >= first && out < first + count && !op_works_in_place(op, i)) {
            diag_report(s->ctx->diag, P0333, op->span, "'%s' writes '%s' in place of its operand",
                        op_info[op->kind].name, schedule_cell_name(s, out));
            return;
        }
        for (int j = 0; j < s->overlaps[out].count; j++) {
            int other = s->overlaps[out].data[j];
            if (other < first || other >= first + count)
                continue;
            diag_report(s->ctx->diag, P0333, op->span, "'%s' writes '%s' over its operand '%s'", op_info[op->kind].name,
                        schedule_cell_name(s, out), schedule_cell_name(s, other));
            return;
        }
    }
}

/* ---- Operators ---------------------------------------------------------------------------------------------- */

/* May the operator find its stream, or its communicator, in use? */
static bool may_queue(const Schedule *s, const Op *op)
{
    return (s->queues >> op->stream & 1) || (op->communicator >= 0 && s->issues[op->communicator]);
}

/* Records what the current ranks do together with others, and what may queue before or after that. */
static void note_meeting(Schedule *s, const Op *op)
{
    TraceItem item = {.op = op, .at = -1, .stream = op->stream};
    if (op->event >= 0)
        item.at = event_at(op->event, schedule_number(s, &op->event_slot));
    for (int i = 0; i < op->axes.count && op_info[op->kind].op_class == CLASS_COMM; i++)
        item.axes |= (AxisMask)1 << op->axes.axis[i] & s->enumerated;
    if (item.axes == 0 && !may_queue(s, op))
        return;
    if (op_is_message(op->kind))
        schedule_evaluate(s, &op->peer.coordinate, &item.peer);
    vec_push(s->arena, &s->trace->items, item);
}

bool schedule_too_long(Schedule *s, Span span)
{
    size_t mib = (arena_size(s->arena) + arena_size(s->ctx->arena)) >> 20;
    if (s->stopped || (s->steps++ <= MOST_STEPS && mib <= MOST_MIB))
        return s->stopped;
    report_limit(s->ctx, span, "the program is too long to be followed",
                 arena_printf(s->ctx->arena, "The order of at most %d steps is followed (rule 'size').", MOST_STEPS));
    return s->stopped = true;
}

void schedule_op(Schedule *s, const Op *op)
{
    int first, count;
    if (schedule_too_long(s, op->span))
        return;
    for (int i = 0; i < op->operand_count; i++) {
        count = schedule_ref_cells(s, &op->operand[i], &first);
        for (int j = 0; j < count; j++)
            read_cell(s, op, first + j);
    }
    count = schedule_result_cells(s, op, &first);
    for (int j = 0; j < count; j++) {
        if (op->accumulate)
            read_cell(s, op, first + j);
        check_in_place(s, op, first + j);
        write_cell(s, op, first + j);
    }
    if (op->event >= 0)
        schedule_start_op(s, op);
    if (s->meets)
        note_meeting(s, op);
}

/* machine_meet.c - collectives over enumerated axes: each rank class brings its operand, the last one to arrive
 * computes the result of all. */
#include "verify/machine_exchange.h"

#include "verify/ranks.h"

#include <string.h>

/* ---- Groups ------------------------------------------------------------------------------------------------- */

RankClass *class_along(const Machine *m, const RankClass *class, int axis, int64_t coordinate)
{
    int64_t there[STEP_MAX_AXES];
    if (coordinate < 0 || coordinate >= m->decls->axes.data[axis].size)
        return NULL;
    memcpy(there, class->coordinate, sizeof there);
    there[axis] = coordinate;
    return &m->classes[rank_number(m->decls, m->enumerated, there)];
}

int group_position(const Machine *m, const RankClass *class, AxisMask axes, int *first, int *size)
{
    int64_t start[STEP_MAX_AXES];
    for (int a = 0; a < STEP_MAX_AXES; a++)
        start[a] = axes >> a & 1 ? 0 : class->coordinate[a];
    *first = (int)rank_number(m->decls, m->enumerated, start);
    *size = (int)ranks_along(m->decls, axes);
    return (int)rank_number(m->decls, axes, class->coordinate);
}

/* ---- Started operators -------------------------------------------------------------------------------------- */

int pending_members(const Prepared *prepared)
{
    return prepared->flat ? prepared->member_count : 1;
}

int64_t event_slot(const Machine *m, const Affine *slot)
{
    int64_t number = 0;
    if (!machine_affine(m, slot, &number, NULL))
        BUG("the slot of an event depends on an axis that is not enumerated");
    return number;
}

Pending *pending_new(Machine *m, const TreeItem *node)
{
    const Prepared *prepared = node->prepared;
    Pending *pending = arena_make(m->table->scratch, Pending);
    pending->node = node;
    pending->has_current = m->class->has_current;
    pending->current = m->class->current;
    pending->guard = m->class->guard;
    pending->event_slot = event_slot(m, &prepared->op->event_slot);
    pending->cells = arena_array(m->table->scratch, int, pending_members(prepared));
    if (op_has_result(prepared->op->kind)) {
        for (int i = 0; i < pending_members(prepared); i++)
            pending->cells[i] = machine_ref(m, prepared->op, &prepared->op->out, i);
        pending->padding = machine_padding(m, prepared->op, &prepared->op->out);
    }
    vec_push(m->table->scratch, &m->class->pending, pending);
    return pending;
}

/* ---- Collectives -------------------------------------------------------------------------------------------- */

static Meeting *meeting_find(Machine *m, const Op *op, AxisMask axes)
{
    int group, size;
    group_position(m, m->class, axes, &group, &size);
    int64_t number = m->class->met[axes]++;
    for (Meeting *meeting = m->exchange->meetings; meeting != NULL; meeting = meeting->next)
        if (meeting->axes == axes && meeting->group == group && meeting->number == number)
            return meeting;
    Meeting *meeting = arena_make(m->table->scratch, Meeting);
    *meeting = (Meeting){.axes = axes, .group = group, .number = number, .op = op, .size = size, .zero = true};
    meeting->guard = m->class->guard;
    meeting->operand = arena_array(m->table->scratch, Combo **, size);
    meeting->next = m->exchange->meetings;
    m->exchange->meetings = meeting;
    return meeting;
}

static void report_different(Machine *m, const Meeting *meeting, const Op *op)
{
    AxisMask axes = meeting->axes;
    Diagnostic *d = diag_report(m->ctx->diag, P0332, op->span, "ranks along '%s' meet in different collectives",
                                axes_text(m->ctx->arena, m->decls, axes));
    if (meeting->op != op)
        diag_label(d, meeting->op->span, "others are in this one");
    diag_why(d, "The ranks of a group call the same collectives in the same order; this is number %lld of %s.",
             (long long)meeting->number + 1, class_text(m, m->class));
}

static Transfer transfer_of(const Machine *m, const Prepared *prepared)
{
    return (Transfer){.table = m->table, .decls = m->decls, .prepared = prepared, .enumerated = m->enumerated};
}

static void meeting_complete(Machine *m, Meeting *meeting, const Prepared *prepared)
{
    Combo **operand = arena_array(m->table->scratch, Combo *, meeting->size);
    meeting->result = arena_array(m->table->scratch, Combo *, pending_members(prepared));
    for (int i = 0; i < pending_members(prepared); i++) {
        Transfer t = transfer_of(m, prepared);
        t.member = i;
        for (int j = 0; j < meeting->size; j++)
            operand[j] = meeting->operand[j][i];
        t.operand[0] = operand[0];
        meeting->result[i] = transfer_meet(&t, operand, meeting->size);
    }
    for (Meeting **at = &m->exchange->meetings; *at != NULL; at = &(*at)->next)
        if (*at == meeting) {
            *at = meeting->next;
            break;
        }
}

/* The rank class whose operand a broadcast or permute passes to this rank class: its index is a number when it is
 * started. */
static RankClass *operand_from(const Machine *m, const Op *op)
{
    int64_t index;
    if (!op_hands_on(op->kind) || !machine_affine(m, &op->peer.coordinate, &index, NULL))
        return NULL;
    return class_along(m, m->class, op->axes.axis[0], index);
}

void meeting_arrive(Machine *m, const TreeItem *node)
{
    const Prepared *prepared = node->prepared;
    const Op *op = prepared->op;
    AxisMask axes = prepared->over & m->enumerated;
    int first, size, position = group_position(m, m->class, axes, &first, &size);
    Combo **operand = arena_array(m->table->scratch, Combo *, pending_members(prepared));
    Cell *cells = arena_array(m->table->scratch, Cell, pending_members(prepared));
    for (int i = 0; i < pending_members(prepared); i++) {
        int cell = machine_ref(m, op, &op->operand[0], i);
        operand[i] = cell < 0 ? machine_silent(m) : machine_read(m, op, op->operand[0].buffer, cell);
        cells[i] = cell_canonical(m, (Cell){operand[i], ABSOLUTE});
    }
    Pending *pending = pending_new(m, node);
    Meeting *meeting = pending->meeting = meeting_find(m, op, axes);
    pending->from = operand_from(m, op);
    const Buffer *buffer = &m->program->buffers.data[op->operand[0].buffer];
    bool slices = padding_rule(op->kind) == PADDING_SLICED && buffer->cut_count == 0 && !prepared->move->gaps;
    bool zero =
        machine_zero_padding(m, op, &op->operand[0]) || (slices && machine_padding(m, op, &op->operand[0]) != NULL);
    round_did_op(m, op, cells, pending_members(prepared), zero);
    meeting->zero &= zero;
    meeting->operand[position] = operand;
    meeting->arrived++;
    if (meeting->op != op || meeting->guard != m->class->guard) {
        report_different(m, meeting, op);
        m->stopped = true;
        return;
    }
    if (meeting->arrived == size)
        meeting_complete(m, meeting, prepared);
}

Combo *meeting_result(Machine *m, const Pending *pending, int member)
{
    const Meeting *meeting = pending->meeting;
    const Op *op = pending->node->node->op;
    int first, size;
    if (!op_hands_on(op->kind) || meeting->result[member]->poison != NULL)
        return meeting->result[member];
    if (pending->from == NULL)
        return combo_poison(m->table, POISON_VARYING, op, 0, meeting->axes, NULL);
    return meeting->operand[group_position(m, pending->from, meeting->axes, &first, &size)][member];
}

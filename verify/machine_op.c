/* machine_op.c - runs one operator on one rank class: operands from their cells, its transfer function, its result. */
#include "verify/machine_internal.h"

#include "verify/rows.h"

/* ---- The current microbatch --------------------------------------------------------------------------------- */

/* Where microbatches differ in size, a buffer has the size of the current one and can hold no other. */
bool machine_is_current(const Machine *m, const Prepared *prepared, const Combo *combo)
{
    return !prepared->uneven || !combo->timed || time_equal(combo->time, machine_now(m));
}

bool cell_is_current(Machine *m, const Prepared *prepared, Cell cell)
{
    return !prepared->uneven || machine_is_current(m, prepared, cell_contents(m, cell));
}

static bool operands_are_current(const Machine *m, const Prepared *prepared, Combo *const *operand)
{
    for (int i = 0; i < prepared->op->operand_count; i++)
        if (!machine_is_current(m, prepared, operand[i]))
            return false;
    return true;
}

/* A value that is the same in all of its pieces was still made for one microbatch. */
static Combo *held_as_current(const Machine *m, const Prepared *prepared, Combo *combo)
{
    if (!prepared->uneven || (prepared->passed & TIME_MASK) == 0 || combo->timed || combo->shared)
        return combo;
    combo->timed = true;
    combo->time = machine_now(m);
    return combo;
}

bool machine_in_micro(Machine *m, const TreeItem *node)
{
    const Op *op = node->prepared->op;
    if (!node->prepared->micro || m->class->has_current || m->table->micro == 1) /* a single microbatch cuts nothing */
        return true;
    diag_report(m->ctx->diag, P0334, op->span, "'%s' works on pieces of a microbatch, and there is no current one here",
                op_info[op->kind].name);
    machine_write_silent(m, op);
    return false;
}

/* ---- Computing operators ------------------------------------------------------------------------------------ */

/* Records an update and its operands; `position` as in ref_cell. */
static void note_update(Machine *m, const Prepared *prepared, Combo *const *operand, int position)
{
    const Op *op = prepared->op;
    int gradient, state;
    if (!op_is_update(op->kind, &gradient, &state))
        return;
    Update update = {.op = op, .class = m->class->index, .tensor = op->tensor, .gradient = operand[gradient]};
    if (prepared->flat)
        update.tensor = m->decls->units.data[prepared->unit].members[position];
    const Combo *old = operand[state];
    if (old->poison == NULL && old->count >= 1 && old->term[0].value->kind == VALUE_STATE) {
        update.state = old->term[0].value;
        update.partial_state = old->count > 1 || old->term[0].mask != 0 || old->term[0].mono != NULL ||
                               !rational_is(old->term[0].coefficient, 1);
    }
    vec_push(m->table->scratch, &m->updates, update);
}

/* The rank whose piece an index names, if it is the rank's own coordinate plus a number. */
static void find_turn(Machine *m, const Prepared *prepared, Transfer *t)
{
    const Op *op = prepared->op;
    const Affine *index = op_index(op);
    int64_t own = 0, number;
    Address address;
    if (op->axes.count != 1 || prepared->over == 0 || (m->enumerated & prepared->over) != 0)
        return;
    int axis = op->axes.axis[0];
    bool others = false;
    for (int i = 0; i < index->term_count; i++) {
        int variable = index->term[i].variable;
        if (variable >= 0)
            continue;
        int of = affine_axis(m->decls, variable);
        if (of == axis)
            own += index->term[i].coefficient;
        else
            others |= m->decls->axes.data[of].size > 1 && !(m->enumerated >> of & 1);
    }
    int64_t size = m->decls->axes.data[axis].size;
    if (others || (own - 1) % size != 0 || size > MOST_TIME) /* arcs have 32 bits, too */
        return;
    machine_affine(m, index, &number, &address); /* on the rank with coordinate 0 */
    recording_condition(m, address, number, number);
    t->turns = true;
    t->turn = arc_make(axis, size, number, 1);
}

/* Is the look-up inside its table? If not, this is reported. */
static bool check_look_up(Machine *m, const Prepared *prepared)
{
    const Op *op = prepared->op;
    OpClass class = op_info[op->kind].op_class;
    if (class != CLASS_GATHER && class != CLASS_SCATTER)
        return true;
    return rows_check(m->ctx, m->table, m->decls, prepared, machine_read_ref(m, op, &op->operand[0], 0), m->reference);
}

static void run_compute(Machine *m, const Prepared *prepared)
{
    const Op *op = prepared->op;
    Transfer t = {.table = m->table,
                  .decls = m->decls,
                  .prepared = prepared,
                  .form = prepared->compute->form,
                  .broadcast = prepared->compute->broadcast,
                  .enumerated = m->enumerated,
                  .coordinate = m->class->coordinate,
                  .now = machine_now(m),
                  .base = m->recorder != NULL ? m->recorded_at : 0};
    Combo *sum = NULL;
    bool sums = prepared->compute->sums_members;
    if (!check_look_up(m, prepared)) {
        machine_write_silent(m, op);
        return;
    }
    if (prepared->compute->pieces.used)
        find_turn(m, prepared, &t);
    for (int i = 0; i < (prepared->flat ? prepared->member_count : 1); i++) {
        t.member = i;
        if (prepared->flat) {
            t.form = prepared->compute->member_form[i];
            t.broadcast = &prepared->compute->member_broadcast[i * op->operand_count];
        }
        for (int j = 0; j < op->operand_count; j++)
            t.operand[j] = machine_read_ref(m, op, &op->operand[j], i);
        note_update(m, prepared, t.operand, i);
        Combo *result = operands_are_current(m, prepared, t.operand)
                            ? held_as_current(m, prepared, transfer_compute(&t))
                            : combo_poison(m->table, POISON_TIME, op, -1, TIME_MASK, NULL);
        if (!sums)
            machine_write_ref(m, op, i, result);
        else if (sum == NULL || result->poison != NULL)
            sum = result;
        else if (sum->poison == NULL)
            sum = machine_combine(m, op, sum, result, NULL);
    }
    if (sums && sum != NULL && sum->poison == NULL && prepared->compute->sums_padding &&
        !machine_zero_padding(m, op, &op->operand[0]))
        sum = combo_poison(m->table, POISON_PADDING, op, 0, prepared->compute->summed, NULL);
    if (sums && sum != NULL)
        machine_write_ref(m, op, 0, sum);
    for (int i = 0; i < t.asked_count; i++)
        recording_condition(m, address_of_time(t.asked[i].time), 0, t.asked[i].longer - 1);
}

/* ---- Collectives, outputs ----------------------------------------------------------------------------------- */

void machine_partly(Machine *m, const TreeItem *node)
{
    const Op *op = node->prepared->op;
    Diagnostic *d = diag_report(m->ctx->diag, P0332, op->span, "only some ranks of '%s' take part in '%s'",
                                axes_text(m->ctx->arena, m->decls, node->prepared->over), op_info[op->kind].name);
    diag_why(d,
             "A collective completes when every rank of its group calls it; the guard around it is false on others.");
    machine_write_silent(m, op);
}

static void run_communicate(Machine *m, const TreeItem *node)
{
    const Prepared *prepared = node->prepared;
    const Op *op = prepared->op;
    Transfer t = {.table = m->table, .decls = m->decls, .prepared = prepared, .enumerated = m->enumerated};
    const Mono *guard = m->class->guard;
    if (guard != NULL && (guard->axes & prepared->over) != 0 && op_info[op->kind].op_class == CLASS_COMM) {
        machine_partly(m, node);
        return;
    }
    if (op_peers(op->kind) == PEERS_PERMUTED)
        find_turn(m, prepared, &t);
    for (int i = 0; i < (prepared->flat ? prepared->member_count : 1); i++) {
        t.member = i;
        for (int j = 0; j < op->operand_count; j++)
            t.operand[j] = machine_read_ref(m, op, &op->operand[j], i);
        Combo *result = operands_are_current(m, prepared, t.operand)
                            ? held_as_current(m, prepared, transfer_communicate(&t))
                            : combo_poison(m->table, POISON_TIME, op, -1, TIME_MASK, NULL);
        machine_write_ref(m, op, i, result);
    }
}

static void run_output(Machine *m, const Op *op)
{
    Output output = {.op = op, .class = m->class->index, .combo = machine_read_ref(m, op, &op->operand[0], 0)};
    if (m->class->guard != NULL) /* all ranks produce it, or none */
        output.combo = combo_poison(m->table, POISON_VARYING, op, 0, m->class->guard->axes, output.combo);
    vec_push(m->table->scratch, &m->outputs, output);
}

static void run_sink(Machine *m, const Prepared *prepared)
{
    switch (op_sink(prepared->op->kind)) {
    case SINK_OUTPUT:
        run_output(m, prepared->op);
        return;
    }
    BUG("'%s' has no transfer rule", op_info[prepared->op->kind].name);
}

/* ---- Every operator ----------------------------------------------------------------------------------------- */

void machine_op(Machine *m, const TreeItem *node)
{
    const Prepared *prepared = node->prepared;
    const Op *op = node->node->op;
    if (!machine_may_continue(m, op->span))
        return;
    if (m->recorder == NULL)
        round_did_new(m);
    if (prepared->bad) {
        machine_write_silent(m, op);
        return;
    }
    if (!machine_in_micro(m, node))
        return;
    switch (op_info[op->kind].op_class) {
    case CLASS_SINK:
        run_sink(m, prepared);
        return;
    case CLASS_SOURCE:
        machine_source(m, prepared);
        break;
    case CLASS_MOVE:
    case CLASS_COMM:
        run_communicate(m, node);
        break;
    case CLASS_MAP:
    case CLASS_ROW:
    case CLASS_SUM:
    case CLASS_CONTRACT:
    case CLASS_GATHER:
    case CLASS_SCATTER:
    case CLASS_CHOICE:
    case CLASS_WINDOW:
    case CLASS_VIEW:
        run_compute(m, prepared);
        break;
    }
    machine_write_padding(m, prepared);
}

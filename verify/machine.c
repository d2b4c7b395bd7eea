/* machine.c - operators on cells: finding operands, writing results, under the guard at hand (verify/machine.h). */
#include "verify/machine.h"

#include <string.h>

enum { MOST_STEPS = 50 * 1000 * 1000 };

/* ---- Cells -------------------------------------------------------------------------------------------------- */

static int max_loop(const NodeList *nodes)
{
    int max = -1;
    for (int i = 0; i < nodes->count; i++) {
        const Node *node = nodes->data[i];
        if (node->kind == NODE_LOOP && node->loop.id > max)
            max = node->loop.id;
        int inner = max_loop(&node->body);
        max = inner > max ? inner : max;
    }
    return max;
}

Machine *machine_new(Ctx *ctx, Table *table, const Program *program, bool reference)
{
    Arena *arena = table->arena;
    Machine *m = arena_make(arena, Machine);
    *m = (Machine){.ctx = ctx, .table = table, .program = program, .decls = program->decls, .reference = reference};
    table->micro = reference ? 1 : program->decls->micro;
    m->prepared = prepare_program(ctx, table, program, reference);
    m->cell_base = arena_array(arena, int, program->buffers.count + 1);
    m->cell_members = arena_array(arena, int, program->buffers.count + 1);
    m->slot_base = arena_array(arena, int, program->buffers.count + 1);
    for (int b = 0; b < program->buffers.count; b++) {
        const Buffer *buffer = &program->buffers.data[b];
        m->cell_base[b] = m->cell_count;
        m->slot_base[b] = m->slot_count;
        m->cell_members[b] = buffer->layout == LAYOUT_UNIT ? program->decls->units.data[buffer->unit].member_count : 1;
        m->cell_count += (int)buffer->slots * m->cell_members[b];
        m->slot_count += (int)buffer->slots;
    }
    m->cell = arena_array(arena, Combo *, m->cell_count + 1);
    m->padding_zero = arena_array(arena, bool, m->slot_count + 1);
    for (int r = 0; r < program->routines.count; r++) {
        int max = max_loop(&program->routines.data[r].body);
        m->loop_count = max >= m->loop_count ? max + 1 : m->loop_count;
    }
    m->loop = arena_array(arena, LoopVariable, m->loop_count + 1);
    return m;
}

int machine_cell(const Machine *m, int buffer, int64_t slot, int member_position)
{
    return m->cell_base[buffer] + (int)slot * m->cell_members[buffer] + member_position;
}

Combo *machine_settle(Machine *m, int cell)
{
    Combo *combo = m->cell[cell];
    if (combo == NULL)
        return NULL;
    if (!combo_normalize(m->table, combo))
        return m->cell[cell] = combo_poison(m->table, POISON_OVERFLOW, NULL, -1, 0, NULL);
    combo->shared = true;
    return combo;
}

static int member_position(const Unit *unit, int tensor)
{
    for (int i = 0; i < unit->member_count; i++)
        if (unit->members[i] == tensor)
            return i;
    return 0;
}

/* ---- States at rest ----------------------------------------------------------------------------------------- */

void machine_visit_states(const Machine *m, StateVisit *visit, void *context)
{
    for (int b = 0; b < m->program->buffers.count; b++) {
        const Buffer *buffer = &m->program->buffers.data[b];
        if (!buffer->persistent || buffer->state < 0)
            continue;
        for (int64_t slot = 0; slot < buffer->slots; slot++) {
            if (buffer->layout == LAYOUT_DENSE) {
                visit(context, b, slot, machine_cell(m, b, slot, 0), buffer->tensor, slot);
                continue;
            }
            const Unit *unit = &m->decls->units.data[buffer->unit];
            for (int i = 0; i < unit->member_count; i++)
                visit(context, b, slot, machine_cell(m, b, slot, i), unit->members[i], unit->first_layer + slot);
        }
    }
}

static void start_state(void *context, int buffer, int64_t slot, int cell, int tensor, int64_t layer)
{
    Machine *m = context;
    (void)slot;
    int state = m->program->buffers.data[buffer].state;
    m->cell[cell] = combo_value(m->table, value_state(m->table, state, tensor, layer), rational_make(1, 1));
}

/* ---- Affine expressions ------------------------------------------------------------------------------------- */

AffineClass machine_affine(const Machine *m, const Affine *affine, int64_t *number, Time *time)
{
    AffineClass class = AFFINE_NUMBER;
    *number = affine->constant;
    *time = time_at((int32_t)affine->constant);
    for (int i = 0; i < affine->term_count; i++) {
        int variable = affine->term[i].variable;
        int64_t coefficient = affine->term[i].coefficient;
        if (coefficient == 0)
            continue;
        if (variable < 0) {
            if (m->decls->axes.data[-1 - variable].size > 1)
                class = AFFINE_COORDINATE;
            continue;
        }
        if (variable >= m->loop_count || !m->loop[variable].bound)
            return AFFINE_COORDINATE;
        *number += coefficient * m->loop[variable].number;
        if (m->loop[variable].symbolic) {
            class = class == AFFINE_NUMBER ? AFFINE_SYMBOLIC : class;
            time->coefficient += (int32_t)coefficient;
        } else {
            time->constant += (int32_t)(coefficient * m->loop[variable].number);
        }
    }
    if (affine->modulus > 0)
        *number = (*number % affine->modulus + affine->modulus) % affine->modulus;
    return class;
}

/* The slot of a reference, as a number; false (reported) where there is none. */
static bool ref_slot(Machine *m, const Op *op, const Ref *ref, int64_t *slot)
{
    Time time;
    const Buffer *buffer = &m->program->buffers.data[ref->buffer];
    AffineClass class = machine_affine(m, &ref->slot, slot, &time);
    if (class == AFFINE_SYMBOLIC)
        m->cannot_generalize = true;
    if (class == AFFINE_COORDINATE) {
        Diagnostic *d =
            diag_report(m->ctx->diag, P0320, op->span, "the slot of '%s' depends on the rank", buffer->name);
        diag_why(d, "The proof follows slots that all ranks share (rule 'slots of the rank').");
        return false;
    }
    if (*slot < 0 || *slot >= buffer->slots) {
        diag_report(m->ctx->diag, P0334, op->span, "'%s' has %lld slots, and slot %lld is used", buffer->name,
                    (long long)buffer->slots, (long long)*slot);
        return false;
    }
    return true;
}

/* ---- Reading and writing ------------------------------------------------------------------------------------ */

static Combo *silent(Machine *m)
{
    return combo_poison(m->table, POISON_SILENT, NULL, -1, 0, NULL);
}

static Combo *read_cell(Machine *m, const Op *op, int buffer, int cell)
{
    Combo *combo = machine_settle(m, cell);
    if (combo != NULL && (combo->poison == NULL || combo->poison->kind != POISON_UNWRITTEN))
        return combo;
    const Buffer *read = &m->program->buffers.data[buffer];
    Diagnostic *d = diag_report(m->ctx->diag, P0330, op->span, "'%s' reads '%s', which was never written%s",
                                op_info[op->kind].name, read->name, combo != NULL ? " on some ranks" : "");
    if (read->layout == LAYOUT_UNIT) {
        const Unit *unit = &m->decls->units.data[read->unit];
        int member = (cell - m->cell_base[buffer]) % m->cell_members[buffer];
        diag_note(d, "It is the part of '%s'.", m->decls->tensors.data[unit->members[member]].name);
    }
    return m->cell[cell] = silent(m);
}

/* The cell of an operand; `position` is the member, for flat references. -1 where it has no slot. */
static int ref_cell(Machine *m, const Op *op, const Ref *ref, int position)
{
    int64_t slot;
    if (!ref_slot(m, op, ref, &slot))
        return -1;
    const Buffer *buffer = &m->program->buffers.data[ref->buffer];
    if (ref->member >= 0)
        position = member_position(&m->decls->units.data[buffer->unit], ref->member);
    return machine_cell(m, ref->buffer, slot, buffer->layout == LAYOUT_UNIT ? position : 0);
}

static Combo *read_ref(Machine *m, const Op *op, const Ref *ref, int position)
{
    int cell = ref_cell(m, op, ref, position);
    return cell < 0 ? silent(m) : read_cell(m, op, ref->buffer, cell);
}

/* old + weight * new, where both are pieces of one microbatch. */
static Combo *combine(Machine *m, const Op *op, Combo *old, const Combo *new, Mono *mono)
{
    if (old->timed && new->timed && !time_equal(old->time, new->time))
        return combo_poison(m->table, POISON_TIME, op, -1, TIME_MASK, NULL);
    Combo *sum = old;
    if (old->shared) {
        sum = combo_extend(m->table, old);
        sum->timed = old->timed;
        sum->time = old->time;
    }
    combo_add(m->table, sum, new, rational_make(1, 1), mono);
    if (new->timed) {
        sum->timed = true;
        sum->time = new->time;
    }
    sum->folded = sum->whole = NULL;
    return sum;
}

/* Where only some ranks write, the others keep what they had. */
static Combo *write_guarded(Machine *m, const Op *op, Combo *old, Combo *new)
{
    if (old == NULL || (old->poison != NULL && old->poison->kind == POISON_UNWRITTEN))
        return combo_poison(m->table, POISON_UNWRITTEN, op, -1, 0, NULL);
    if (old->poison != NULL)
        return old;
    Combo *kept = combo_new(m->table);
    combo_add(m->table, kept, old, rational_make(1, 1), NULL);
    combo_add(m->table, kept, old, rational_make(-1, 1), m->guard);
    kept->timed = old->timed;
    kept->time = old->time;
    return combine(m, op, kept, new, m->guard);
}

static void write_cell(Machine *m, const Op *op, int cell, Combo *combo)
{
    if (cell < 0)
        return;
    Combo *old = m->cell[cell];
    if (op->accumulate && (old == NULL || (old->poison != NULL && old->poison->kind == POISON_UNWRITTEN))) {
        read_cell(m, op, op->out.buffer, cell);
    } else if (combo->poison != NULL) {
        m->cell[cell] = combo;
    } else if (op->accumulate) {
        if (old->poison == NULL)
            m->cell[cell] = combine(m, op, old, combo, m->guard);
    } else if (m->guard != NULL) {
        m->cell[cell] = write_guarded(m, op, machine_settle(m, cell), combo);
    } else {
        m->cell[cell] = combo;
    }
}

static void write_ref(Machine *m, const Op *op, int position, Combo *combo)
{
    write_cell(m, op, ref_cell(m, op, &op->out, position), combo);
}

static bool *padding_of(Machine *m, const Op *op, const Ref *ref)
{
    int64_t slot;
    if (m->program->buffers.data[ref->buffer].layout != LAYOUT_UNIT || !ref_slot(m, op, ref, &slot))
        return NULL;
    return &m->padding_zero[m->slot_base[ref->buffer] + slot];
}

/* Padding is zero after fills with zero, slices (beyond the end counts as zero), and what is linear in zeros. */
static void write_padding(Machine *m, const Prepared *prepared)
{
    const Op *op = prepared->op;
    bool *out = op->out.member < 0 ? padding_of(m, op, &op->out) : NULL, zero; /* members are written without it */
    if (out == NULL)
        return;
    if (op->kind == OP_FILL) {
        zero = op->immediate[0] == 0;
    } else if (op_info[op->kind].op_class == CLASS_SOURCE || op->kind == OP_PLACE_SHARD) {
        zero = false;
    } else {
        bool additive = op->kind == OP_ADD || op->kind == OP_SUB || op->kind == OP_COPY || op->kind == OP_CAST ||
                        op->kind == OP_SCALE || op_info[op->kind].op_class == CLASS_COMM || op->kind == OP_SLICE;
        bool slices = op->kind == OP_SLICE || op->kind == OP_REDUCE_SCATTER;
        zero = additive || op->kind == OP_MUL;
        bool some = false;
        for (int i = 0; i < op->operand_count; i++) {
            bool *operand = padding_of(m, op, &op->operand[i]);
            const Buffer *buffer = &m->program->buffers.data[op->operand[i].buffer];
            bool whole = operand != NULL && slices && buffer->cut_count == 0 && !prepared->gaps;
            zero = zero && (operand == NULL ? op->kind == OP_MUL : *operand || whole);
            some |= operand != NULL;
        }
        zero = zero && some;
    }
    *out = zero && ((!op->accumulate && m->guard == NULL) || *out); /* the ranks left out keep theirs */
}

/* Where microbatches are unlike in size, a buffer has the size of the one at hand, and can hold no other. */
static bool is_at_hand(const Machine *m, const Prepared *prepared, bool timed, Time time)
{
    return !prepared->uneven || (m->in_micro && (!timed || time_equal(time, m->now)));
}

static bool operands_at_hand(const Machine *m, const Prepared *prepared, Combo *const *operand)
{
    bool fits = is_at_hand(m, prepared, false, m->now);
    for (int i = 0; i < prepared->op->operand_count; i++)
        fits = fits && is_at_hand(m, prepared, operand[i]->timed, operand[i]->time);
    return fits;
}

/* What is the same in all of its pieces was still made for one. */
static Combo *held_at_hand(const Machine *m, const Prepared *prepared, Combo *combo)
{
    if (!prepared->uneven || (prepared->passed & TIME_MASK) == 0 || combo->timed || combo->shared)
        return combo;
    combo->timed = true;
    combo->time = m->now;
    return combo;
}

/* ---- Operators ---------------------------------------------------------------------------------------------- */

static void run_fill(Machine *m, const Prepared *prepared)
{
    const Op *op = prepared->op;
    Rational number;
    double value = op->immediate_count > 0 ? op->immediate[0] : 0;
    bool simple = rational_from_double(value, &number);
    if (!is_at_hand(m, prepared, false, m->now)) {
        write_ref(m, op, 0, combo_poison(m->table, POISON_TIME, op, -1, TIME_MASK, NULL));
        return;
    }
    for (int i = 0; i < (prepared->flat ? prepared->member_count : 1); i++) {
        Combo *combo = simple ? combo_value(m->table, value_ones(m->table), number)
                              : combo_value(m->table, value_number(m->table, value), rational_make(1, 1));
        if (prepared->passed & TIME_MASK) {
            combo->timed = m->in_micro;
            combo->time = m->in_micro ? m->now : time_at(0);
        }
        write_ref(m, op, i, combo);
    }
}

static void run_iota(Machine *m, const Prepared *prepared)
{
    const Op *op = prepared->op;
    int64_t first;
    Time time;
    AffineClass class = machine_affine(m, &op->index, &first, &time);
    if (class == AFFINE_SYMBOLIC)
        m->cannot_generalize = true;
    bool timed = (prepared->passed & TIME_MASK) != 0;
    if (class == AFFINE_COORDINATE || (timed && !m->in_micro)) {
        PoisonKind kind = class == AFFINE_COORDINATE ? POISON_VARYING : POISON_TIME;
        write_ref(m, op, 0, combo_poison(m->table, kind, op, -1, 0, NULL));
        return;
    }
    Combo *combo = combo_value(m->table, value_position(m->table), rational_make(1, 1));
    if (first != 0)
        combo_push(m->table, combo, (Term){.value = value_ones(m->table), .coefficient = rational_make(first, 1)});
    combo_normalize(m->table, combo);
    combo->timed = timed;
    combo->time = timed ? m->now : time_at(0);
    write_ref(m, op, 0, combo);
}

static void run_read(Machine *m, const Prepared *prepared)
{
    const Op *op = prepared->op;
    int64_t number;
    Time time;
    AffineClass class = machine_affine(m, &op->index, &number, &time);
    int64_t last = class == AFFINE_SYMBOLIC ? number + m->last_number - m->now_number : number;
    if (class == AFFINE_COORDINATE || op->index.modulus != 0 || time.coefficient < 0 || time.coefficient > 1) {
        write_ref(m, op, 0, combo_poison(m->table, POISON_VARYING, op, -1, 0, NULL));
        return;
    }
    if (number < 0 || last >= m->table->micro) {
        diag_report(m->ctx->diag, P0334, op->span, "there is no microbatch %lld; they are 0 to %lld", (long long)last,
                    (long long)m->table->micro - 1);
        write_ref(m, op, 0, silent(m));
        return;
    }
    Combo *combo =
        combo_value(m->table, value_input(m->table, op->tensor, prepared->batch, prepared->repeated, prepared->reading),
                    rational_make(1, 1));
    combo->timed = (prepared->passed & TIME_MASK) != 0;
    combo->time = combo->timed ? time : time_at(0);
    if (!is_at_hand(m, prepared, combo->timed, time))
        combo = combo_poison(m->table, POISON_TIME, op, -1, TIME_MASK, NULL);
    write_ref(m, op, 0, combo);
}

/* Zeros and ones are what they are, whatever the seed. */
static Combo *initial_value(Machine *m, int tensor, int64_t layer, const Seed *seed, AxisMask varying)
{
    switch (m->decls->tensors.data[tensor].init) {
    case INIT_ZEROS:
        return combo_new(m->table);
    case INIT_ONES:
        return combo_value(m->table, value_ones(m->table), rational_make(1, 1));
    case INIT_NORMAL:
    case INIT_UNIFORM:
        return combo_value(m->table, value_init(m->table, tensor, layer, seed, varying), rational_make(1, 1));
    }
    BUG("an unknown rule of initial values");
}

static void run_init(Machine *m, const Prepared *prepared)
{
    const Op *op = prepared->op;
    const Buffer *buffer = &m->program->buffers.data[op->out.buffer];
    const Unit *unit = buffer->layout == LAYOUT_UNIT ? &m->decls->units.data[buffer->unit] : NULL;
    int64_t slot;
    if (!ref_slot(m, op, &op->out, &slot))
        return;
    Seed seed = op->seed;
    AxisMask varying = 0;
    for (int a = 0; a < STEP_MAX_AXES; a++) {
        if (a >= m->decls->axes.count || m->decls->axes.data[a].size == 1)
            seed.per_axis[a] = 0;
        varying |= seed.per_axis[a] != 0 ? (AxisMask)1 << a : 0;
    }
    int64_t layer = (unit != NULL ? unit->first_layer : 0) + slot;
    for (int i = 0; i < (prepared->flat ? prepared->member_count : 1); i++) {
        int tensor = prepared->flat ? unit->members[i] : op->tensor;
        if (prepared->flat && op->tensor >= 0 && op->tensor != tensor)
            continue;
        write_ref(m, op, i, initial_value(m, tensor, layer, &seed, varying));
    }
}

/* Remembers what an update was given; `position` as in ref_cell. */
static void note_update(Machine *m, const Prepared *prepared, Combo *const *operand, int position)
{
    const Op *op = prepared->op;
    int gradient, state;
    if (!op_is_update(op->kind, &gradient, &state))
        return;
    Update update = {.op = op, .tensor = op->tensor, .gradient = operand[gradient]};
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

static void run_compute(Machine *m, const Prepared *prepared)
{
    const Op *op = prepared->op;
    Transfer t = {.table = m->table,
                  .decls = m->decls,
                  .prepared = prepared,
                  .form = prepared->form,
                  .broadcast = prepared->broadcast,
                  .in_micro = m->in_micro,
                  .now = m->now,
                  .now_number = m->now_number};
    Combo *sum = NULL;
    bool sums = prepared->flat && op_info[op->kind].op_class == CLASS_SUM;
    for (int i = 0; i < (prepared->flat ? prepared->member_count : 1); i++) {
        t.member = i;
        if (prepared->flat) {
            t.form = prepared->member_form[i];
            t.broadcast = &prepared->member_broadcast[i * op->operand_count];
        }
        for (int j = 0; j < op->operand_count; j++)
            t.operand[j] = read_ref(m, op, &op->operand[j], i);
        note_update(m, prepared, t.operand, i);
        Combo *result = operands_at_hand(m, prepared, t.operand)
                            ? held_at_hand(m, prepared, transfer_compute(&t))
                            : combo_poison(m->table, POISON_TIME, op, -1, TIME_MASK, NULL);
        if (!sums)
            write_ref(m, op, i, result);
        else if (sum == NULL || result->poison != NULL)
            sum = result;
        else if (sum->poison == NULL)
            sum = combine(m, op, sum, result, NULL);
    }
    if (sums && sum != NULL && sum->poison == NULL && prepared->sums_padding && !*padding_of(m, op, &op->operand[0]))
        sum = combo_poison(m->table, POISON_PADDING, op, 0, prepared->summed, NULL);
    if (sums && sum != NULL)
        write_ref(m, op, 0, sum);
}

static void run_communicate(Machine *m, const Prepared *prepared)
{
    const Op *op = prepared->op;
    Transfer t = {.table = m->table, .decls = m->decls, .prepared = prepared};
    if (m->guard != NULL && (m->guard->axes & prepared->over) != 0 && op_info[op->kind].op_class == CLASS_COMM) {
        Diagnostic *d = diag_report(m->ctx->diag, P0332, op->span, "only some ranks of '%s' take part in '%s'",
                                    axes_text(m->ctx->arena, m->decls, prepared->over), op_info[op->kind].name);
        diag_why(
            d, "A collective completes when every rank of its group calls it; the guard around it is false on others.");
        for (int i = 0; i < (prepared->flat ? prepared->member_count : 1); i++)
            write_ref(m, op, i, silent(m));
        return;
    }
    for (int i = 0; i < (prepared->flat ? prepared->member_count : 1); i++) {
        t.member = i;
        for (int j = 0; j < op->operand_count; j++)
            t.operand[j] = read_ref(m, op, &op->operand[j], i);
        Combo *result = operands_at_hand(m, prepared, t.operand)
                            ? held_at_hand(m, prepared, transfer_communicate(&t))
                            : combo_poison(m->table, POISON_TIME, op, -1, TIME_MASK, NULL);
        write_ref(m, op, i, result);
    }
}

static void run_op(Machine *m, const Op *op)
{
    const Prepared *prepared = prepared_find(m->prepared, op);
    OpClass class = op_info[op->kind].op_class;
    if (m->steps++ > MOST_STEPS) {
        if (!m->stopped)
            diag_report(m->ctx->diag, P0320, op->span, "the program is too long to be followed");
        m->stopped = true;
        return;
    }
    if (prepared->bad) {
        const Buffer *buffer = &m->program->buffers.data[op->out.buffer];
        bool whole_unit = class != CLASS_SINK && buffer->layout == LAYOUT_UNIT && op->out.member < 0;
        for (int i = 0; class != CLASS_SINK && i < (whole_unit ? m->cell_members[op->out.buffer] : 1); i++)
            write_ref(m, op, i, silent(m));
        return;
    }
    if (class == CLASS_SINK) {
        Output output = {.op = op, .combo = read_ref(m, op, &op->operand[0], 0)};
        if (m->guard != NULL) /* every rank gives it, or none */
            output.combo = combo_poison(m->table, POISON_VARYING, op, 0, m->guard->axes, output.combo);
        vec_push(m->table->scratch, &m->outputs, output);
        return;
    }
    if (op->kind == OP_FILL)
        run_fill(m, prepared);
    else if (op->kind == OP_IOTA)
        run_iota(m, prepared);
    else if (op->kind == OP_READ)
        run_read(m, prepared);
    else if (op->kind == OP_INIT)
        run_init(m, prepared);
    else if (class == CLASS_MOVE || class == CLASS_COMM)
        run_communicate(m, prepared);
    else
        run_compute(m, prepared);
    write_padding(m, prepared);
}

/* ---- The tree ----------------------------------------------------------------------------------------------- */

/* The least and largest value of an affine expression over all ranks; a modulus gives its whole range. */
static void affine_bounds(const Machine *m, const Affine *affine, int64_t number, int64_t *least, int64_t *largest)
{
    *least = *largest = number;
    for (int i = 0; i < affine->term_count; i++) {
        if (affine->term[i].variable >= 0)
            continue;
        int64_t most = affine->term[i].coefficient * (m->decls->axes.data[-1 - affine->term[i].variable].size - 1);
        *least += most < 0 ? most : 0;
        *largest += most > 0 ? most : 0;
    }
    if (affine->modulus > 0)
        *least = 0, *largest = affine->modulus - 1;
}

static void run_guard(Machine *m, const Node *node)
{
    int64_t number, least, largest;
    Time time;
    const Affine *value = &node->guard.value;
    AffineClass class = machine_affine(m, value, &number, &time);
    if (class != AFFINE_COORDINATE) {
        if (number >= node->guard.low && number <= node->guard.high)
            machine_nodes(m, &node->body);
        return;
    }
    affine_bounds(m, value, number, &least, &largest);
    if (largest < node->guard.low || least > node->guard.high)
        return;
    if (least >= node->guard.low && largest <= node->guard.high) {
        machine_nodes(m, &node->body);
        return;
    }
    Factor factor = {.is_guard = true, .low = node->guard.low, .high = node->guard.high};
    AxisMask axes = 0;
    factor.value.constant = value->constant;
    factor.value.modulus = value->modulus;
    for (int i = 0; i < value->term_count; i++) {
        int variable = value->term[i].variable;
        if (variable >= 0) {
            factor.value.constant += value->term[i].coefficient * m->loop[variable].number;
            m->cannot_generalize |= m->loop[variable].symbolic;
            continue;
        }
        factor.value.term[factor.value.term_count].variable = variable;
        factor.value.term[factor.value.term_count++].coefficient = value->term[i].coefficient;
        axes |= (AxisMask)1 << (-1 - variable);
    }
    Mono *outer = m->guard;
    m->guard = mono_multiply(m->table, outer, mono_factor(m->table, &factor, axes));
    machine_nodes(m, &node->body);
    m->guard = outer;
}

void machine_nodes(Machine *m, const NodeList *nodes)
{
    for (int i = 0; i < nodes->count && !m->stopped; i++) {
        const Node *node = nodes->data[i];
        switch (node->kind) {
        case NODE_OP:
            run_op(m, node->op);
            break;
        case NODE_LOOP:
            machine_loop(m, node);
            break;
        case NODE_GUARD:
            run_guard(m, node);
            break;
        case NODE_WAIT:
            break;
        }
    }
}

void machine_run(Machine *m, const Routine *routine)
{
    memset(m->cell, 0, sizeof(Combo *) * (size_t)m->cell_count);
    memset(m->padding_zero, 0, sizeof(bool) * (size_t)m->slot_count);
    memset(&m->updates, 0, sizeof m->updates);
    memset(&m->outputs, 0, sizeof m->outputs);
    m->table->micro = m->reference ? 1 : m->decls->micro;
    if (strcmp(routine->name, "init") != 0)
        machine_visit_states(m, start_state, m);
    machine_nodes(m, &routine->body);
}

/* machine_source.c - the operators without operands: fill, iota, read, init. */
#include "verify/machine_internal.h"

/* Normal form: a simple fraction times ones. */
static void run_fill(Machine *m, const Prepared *prepared)
{
    const Op *op = prepared->op;
    Rational number = {0, 0};
    double value = op->immediate_count > 0 ? op->immediate[0] : 0;
    bool simple = rational_from_double(value, &number);
    for (int i = 0; i < (prepared->flat ? prepared->member_count : 1); i++) {
        Combo *combo = simple ? combo_value(m->table, value_ones(m->table), number)
                              : combo_value(m->table, value_number(m->table, value), rational_make(1, 1));
        combo->timed = (prepared->passed & TIME_MASK) != 0;
        combo->time = combo->timed ? machine_now(m) : time_at(0);
        machine_write_ref(m, op, i, combo);
    }
}

/* Normal form: takes coordinates on axes of copies out of an expression, as values of the copy; returns the rest. */
static Affine take_copies(Machine *m, const Affine *affine, Combo *copies)
{
    Affine rest = {.constant = affine->constant, .modulus = affine->modulus};
    for (int i = 0; i < affine->term_count; i++) {
        int variable = affine->term[i].variable, axis = variable < 0 ? affine_axis(m->decls, variable) : -1;
        bool copy = axis >= 0 && (m->table->copies >> axis & 1) && affine->modulus == 0;
        if (!copy)
            rest.term[rest.term_count++] = affine->term[i];
        else if (m->decls->axes.data[axis].size > 1)
            combo_push(m->table, copies,
                       (Term){.value = value_copy(m->table, axis),
                              .coefficient = rational_make(affine->term[i].coefficient, 1)});
    }
    return rest;
}

static void run_iota(Machine *m, const Prepared *prepared)
{
    const Op *op = prepared->op;
    int64_t first;
    Address address;
    bool timed = (prepared->passed & TIME_MASK) != 0;
    Combo *copies = combo_new(m->table);
    Affine index = take_copies(m, &op->first, copies);
    if (!machine_affine(m, &index, &first, &address)) {
        machine_write_ref(m, op, 0, combo_poison(m->table, POISON_VARYING, op, -1, 0, NULL));
        return;
    }
    recording_condition(m, address, first, first);
    bool number = m->program->buffers.data[op->out.buffer].dim_count == 0;
    Combo *combo = number ? combo_new(m->table) : combo_value(m->table, value_position(m->table), rational_make(1, 1));
    if (first != 0)
        combo_push(m->table, combo, (Term){.value = value_ones(m->table), .coefficient = rational_make(first, 1)});
    combo_add(m->table, combo, copies, rational_make(1, 1), NULL);
    combo_normalize(m->table, combo);
    combo->timed = timed;
    combo->time = timed ? machine_now(m) : time_at(0);
    machine_write_ref(m, op, 0, combo);
}

/* A microbatch of another length than the current one has no room or does not fill it, whether it is used or not. */
static bool fits_current(Machine *m, const Prepared *prepared, int64_t number, Address address)
{
    int64_t longer = m->table->micro > 0 ? prepared->read->batch % m->table->micro : 0;
    if (!prepared->uneven || longer == 0)
        return true;
    recording_condition(m, address, 0, longer - 1);
    recording_condition(m, address_of_time(machine_now(m)), 0, longer - 1);
    if ((number < longer) == (m->class->current < longer))
        return true;
    diag_report(m->ctx->diag, P0334, prepared->op->span,
                "microbatch %lld does not have the size of microbatch %lld, the current one here", (long long)number,
                (long long)m->class->current);
    return false;
}

static void run_read(Machine *m, const Prepared *prepared)
{
    const Op *op = prepared->op;
    int64_t number;
    Address address;
    if (!machine_affine(m, &op->microbatch, &number, &address)) {
        machine_write_ref(m, op, 0, combo_poison(m->table, POISON_VARYING, op, -1, 0, NULL));
        return;
    }
    recording_condition(m, address, 0, m->table->micro - 1);
    if (!address_is_shift(address)) /* cannot be this microbatch in general */
        recording_once(m);
    Time time = m->recorder != NULL ? (Time){1, (int32_t)(number - m->recorded_at)} : time_at((int32_t)number);
    if (number < 0 || number >= m->table->micro) {
        diag_report(m->ctx->diag, P0334, op->span, "there is no microbatch %lld; they are 0 to %lld", (long long)number,
                    (long long)m->table->micro - 1);
        machine_write_ref(m, op, 0, machine_silent(m));
        return;
    }
    if (!fits_current(m, prepared, number, address)) {
        machine_write_ref(m, op, 0, machine_silent(m));
        return;
    }
    Combo *combo = combo_value(
        m->table,
        value_input(m->table, op->tensor, prepared->read->batch, prepared->read->repeated, prepared->read->reading),
        rational_make(1, 1));
    combo->timed = (prepared->passed & TIME_MASK) != 0;
    combo->time = combo->timed ? time : time_at(0);
    machine_write_ref(m, op, 0, combo);
}

/* Normal form: zeros and ones are themselves, whatever the seed. */
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

/* Normal form: the seed on this rank class, in the coordinates that stay symbolic; false if it overflows. */
static bool seed_here(const Machine *m, Seed *seed, AxisMask *varying)
{
    bool fits = true;
    *varying = 0;
    for (int a = 0; a < STEP_MAX_AXES; a++) {
        int64_t more = 0;
        if (m->enumerated >> a & 1)
            fits = fits && !__builtin_mul_overflow(seed->per_axis[a], m->class->coordinate[a], &more) &&
                   !__builtin_add_overflow(seed->base, more, &seed->base);
        if (a >= m->decls->axes.count || m->decls->axes.data[a].size == 1 || (m->enumerated >> a & 1))
            seed->per_axis[a] = 0;
        *varying |= seed->per_axis[a] != 0 ? (AxisMask)1 << a : 0;
    }
    return fits;
}

static void run_init(Machine *m, const Prepared *prepared)
{
    const Op *op = prepared->op;
    const Buffer *buffer = &m->program->buffers.data[op->out.buffer];
    const Unit *unit = buffer->layout == LAYOUT_UNIT ? &m->decls->units.data[buffer->unit] : NULL;
    int64_t slot, layer;
    Address address;
    if (!machine_slot(m, op, &op->out, &slot, &address))
        return;
    recording_condition(m, address, slot, slot);
    Seed seed = op->seed;
    AxisMask varying;
    bool fits = seed_here(m, &seed, &varying);
    machine_layer(m, buffer, slot, &layer);
    for (int i = 0; i < (prepared->flat ? prepared->member_count : 1); i++) {
        int tensor = prepared->flat ? unit->members[i] : op->tensor;
        if (op->tensor >= 0 && op->tensor != tensor)
            continue;
        machine_write_ref(m, op, i,
                          fits ? initial_value(m, tensor, layer, &seed, varying)
                               : combo_poison(m->table, POISON_OVERFLOW, op, -1, 0, NULL));
    }
}

void machine_source(Machine *m, const Prepared *prepared)
{
    switch (op_source(prepared->op->kind)) {
    case SOURCE_FILL:
        run_fill(m, prepared);
        return;
    case SOURCE_IOTA:
        run_iota(m, prepared);
        return;
    case SOURCE_READ:
        run_read(m, prepared);
        return;
    case SOURCE_INIT:
        run_init(m, prepared);
        return;
    }
    BUG("'%s' has no transfer rule", op_info[prepared->op->kind].name);
}

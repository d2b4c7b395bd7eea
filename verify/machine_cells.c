/* machine_cells.c - finds the cells of references, reads them, and writes results under the current guard.
 *
 * What a rank class leaves in a cell is always a combination or a poison; a cell that was never written is reported
 * where it is read.
 */
#include "verify/machine_internal.h"

#include "verify/rows.h"

/* ---- Where a reference points ------------------------------------------------------------------------------- */

bool machine_slot(Machine *m, const Op *op, const Ref *ref, int64_t *slot, Address *address)
{
    const Buffer *buffer = &m->program->buffers.data[ref->buffer];
    if (!machine_affine(m, &ref->slot, slot, address))
        BUG("a slot by a coordinate that is not enumerated");
    if (*slot < 0 || *slot >= buffer->slots) {
        diag_report(m->ctx->diag, P0334, op->span, "'%s' has %lld slots, and slot %lld is used", buffer->name,
                    (long long)buffer->slots, (long long)*slot);
        return false;
    }
    if (!machine_holds(m, buffer)) {
        Diagnostic *d = diag_report(m->ctx->diag, P0333, op->span, "'%s' uses '%s', which %s does not have",
                                    op_info[op->kind].name, buffer->name, class_text(m, m->class));
        diag_label(d, buffer->span, "only some ranks have it");
        return false;
    }
    return true;
}

int machine_ref(Machine *m, const Op *op, const Ref *ref, int position)
{
    int64_t slot;
    Address address;
    if (!machine_slot(m, op, ref, &slot, &address))
        return -1;
    const Buffer *buffer = &m->program->buffers.data[ref->buffer];
    if (ref->member >= 0)
        position = unit_position(&m->decls->units.data[buffer->unit], ref->member);
    position = buffer->layout == LAYOUT_UNIT ? position : 0;
    int cell = machine_cell(m, ref->buffer, slot, position);
    recording_touch(m, ref->buffer, position, address, cell);
    return cell;
}

/* ---- Reading ------------------------------------------------------------------------------------------------ */

Combo *machine_settle(Machine *m, int cell)
{
    Cell *at = &m->class->cell[cell];
    if (m->recorder == NULL)
        *at = (Cell){cell_contents(m, *at), ABSOLUTE};
    if (at->combo == NULL)
        return NULL;
    at->combo = combo_settle(m->table, at->combo);
    at->combo->shared = true;
    return at->combo;
}

Combo *machine_silent(Machine *m)
{
    return combo_poison(m->table, POISON_SILENT, NULL, -1, 0, NULL);
}

static void report_unwritten(Machine *m, const Op *op, int buffer, int cell, bool on_some)
{
    const Buffer *read = &m->program->buffers.data[buffer];
    Diagnostic *d = diag_report(m->ctx->diag, P0330, op->span, "'%s' reads '%s', which was never written%s",
                                op_info[op->kind].name, read->name, on_some ? " on some ranks" : "");
    if (read->layout == LAYOUT_UNIT) {
        const Unit *unit = &m->decls->units.data[read->unit];
        int member = (cell - m->cell_base[buffer]) % m->cell_members[buffer];
        diag_note(d, "It is the part of '%s'.", m->decls->tensors.data[unit->members[member]].name);
    }
}

Combo *machine_read(Machine *m, const Op *op, int buffer, int cell)
{
    recording_reads(m, cell);
    Combo *combo = machine_settle(m, cell);
    if (combo != NULL && (combo->poison == NULL || combo->poison->kind != POISON_UNWRITTEN))
        return combo;
    if (m->unwritten[buffer] != m->runs)
        report_unwritten(m, op, buffer, cell, combo != NULL);
    m->unwritten[buffer] = m->runs;
    recording_writes(m, cell);
    return m->class->cell[cell].combo = machine_silent(m);
}

Cell machine_read_cell(Machine *m, const Op *op, int buffer, int cell)
{
    recording_reads(m, cell);
    Cell *at = &m->class->cell[cell];
    *at = cell_canonical(m, *at);
    if (at->combo == NULL || (at->combo->poison != NULL && at->combo->poison->kind == POISON_UNWRITTEN))
        *at = cell_canonical(m, (Cell){machine_read(m, op, buffer, cell), ABSOLUTE});
    return *at;
}

Combo *machine_read_ref(Machine *m, const Op *op, const Ref *ref, int position)
{
    int cell = machine_ref(m, op, ref, position);
    return cell < 0 ? machine_silent(m) : machine_read(m, op, ref->buffer, cell);
}

/* ---- Writing ------------------------------------------------------------------------------------------------ */

Combo *machine_combine(Machine *m, const Op *op, Combo *old, const Combo *new, Mono *mono)
{
    Arc turn = old->count > 0 ? old->turn : new->turn;
    if (old->timed && new->timed && !time_equal(old->time, new->time))
        return combo_poison(m->table, POISON_TIME, op, -1, TIME_MASK, NULL);
    if (new->count > 0 && !arc_equal(turn, new->turn))
        return combo_poison(m->table, POISON_MOVED, op, -1, (AxisMask)1 << (turn.count > 0 ? turn : new->turn).axis,
                            NULL);
    Combo *sum = old;
    if (old->shared) {
        sum = combo_extend(m->table, old);
        sum->timed = old->timed;
        sum->time = old->time;
    }
    combo_add(m->table, sum, new, rational_make(1, 1), mono);
    sum->turn = turn;
    if (new->timed) {
        sum->timed = true;
        sum->time = new->time;
    }
    if (sum->folded != NULL && sum->settled > 1) {
        sum->known = sum->folded;
        sum->known_count = sum->settled;
    }
    sum->folded = sum->whole = NULL;
    return sum;
}

/* If only some ranks write, the others keep their old contents. */
static Combo *write_guarded(Machine *m, const Op *op, Combo *old, Combo *new)
{
    if (old == NULL)
        return combo_poison(m->table, POISON_UNWRITTEN, op, -1, 0, NULL);
    if (old->poison != NULL)
        return old;
    Combo *kept = combo_new(m->table);
    combo_add(m->table, kept, old, rational_make(1, 1), NULL);
    combo_add(m->table, kept, old, rational_make(-1, 1), m->class->guard);
    kept->timed = old->timed;
    kept->time = old->time;
    kept->turn = old->turn;
    return machine_combine(m, op, kept, new, m->class->guard);
}

/* Integers have 32 bits: a larger number would be a different one after the program's arithmetic. */
static bool integers_fit(Machine *m, const Op *op, const Combo *combo)
{
    const Buffer *out = &m->program->buffers.data[op->out.buffer];
    int64_t number;
    if (out->dtype != DTYPE_I32 || combo->poison != NULL ||
        !rows_need_more_bits(m->table, m->decls, combo, out->dim_count > 0 ? out->dims[0].size : 1, &number))
        return true;
    Diagnostic *d = diag_report(m->ctx->diag, P0334, op->span, "integers have 32 bits, and '%s' gives %lld",
                                op_info[op->kind].name, (long long)number);
    diag_help(d, "They go from -2147483648 to 2147483647: let 'iota' begin at another number.");
    return false;
}

void machine_write(Machine *m, const Op *op, int cell, Combo *combo)
{
    if (cell < 0)
        return;
    if (op->accumulate || m->class->guard != NULL)
        recording_reads(m, cell);
    recording_writes(m, cell);
    Combo *old = op->accumulate || m->class->guard != NULL ? machine_settle(m, cell) : NULL;
    if (op->accumulate && (old == NULL || (old->poison != NULL && old->poison->kind == POISON_UNWRITTEN))) {
        machine_read(m, op, op->out.buffer, cell);
        return;
    }
    if (combo->poison == NULL && op->accumulate)
        combo = old->poison == NULL ? machine_combine(m, op, old, combo, m->class->guard) : old;
    else if (combo->poison == NULL && m->class->guard != NULL)
        combo = write_guarded(m, op, old, combo);
    if (!integers_fit(m, op, combo))
        combo = machine_silent(m);
    m->class->cell[cell] = (Cell){combo, m->recorder != NULL ? m->recorded_at : ABSOLUTE};
}

void machine_write_cell(Machine *m, int cell, Cell content)
{
    if (cell < 0)
        return;
    recording_writes(m, cell);
    m->class->cell[cell] = content;
}

void machine_write_ref(Machine *m, const Op *op, int position, Combo *combo)
{
    machine_write(m, op, machine_ref(m, op, &op->out, position), combo);
}

void machine_write_silent(Machine *m, const Op *op)
{
    const Buffer *buffer = &m->program->buffers.data[op->out.buffer];
    bool whole_unit = buffer->layout == LAYOUT_UNIT && op->out.member < 0;
    for (int i = 0; op_has_result(op->kind) && i < (whole_unit ? m->cell_members[op->out.buffer] : 1); i++)
        machine_write_ref(m, op, i, machine_silent(m));
}

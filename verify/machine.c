/* machine.c - runs operators on cells: finds operands and writes results, under the current guard
 * (verify/machine.h). */
#include "verify/machine.h"
#include "verify/limit.h"
#include "verify/rows.h"

#include <string.h>

enum { MOST_CELLS = 1 << 24, MOST_OPS = 1 << 24, MOST_TIME = 1 << 30, MOST_MIB = 2048, COMBOS_AT_FIRST = 64 };

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

/* Lays out the cells of every buffer; false (reported) if all places together need too many. */
static bool cells_make(Machine *m)
{
    int64_t cells = 0, slots = 0;
    for (int b = 0; b < m->program->buffers.count; b++) {
        const Buffer *buffer = &m->program->buffers.data[b];
        m->cell_base[b] = (int)cells;
        m->slot_base[b] = (int)slots;
        m->cell_members[b] = buffer->layout == LAYOUT_UNIT ? m->decls->units.data[buffer->unit].member_count : 1;
        slots += buffer->slots;
        cells += buffer->slots * m->cell_members[b];
        if ((cells + slots) * m->place_count <= MOST_CELLS)
            continue;
        report_limit(m->ctx, buffer->span, "more values than can be followed",
                     arena_printf(m->ctx->arena,
                                  "Every slot, and in a unit every member, is followed: at most %d of all places "
                                  "(rule 'size').",
                                  MOST_CELLS));
        return false;
    }
    m->cell_count = (int)cells;
    m->slot_count = (int)slots;
    return true;
}

/* Counts operators, each once per member of the largest unit it refers to. */
static int64_t count_ops(const Machine *m, const NodeList *nodes)
{
    int64_t count = 0;
    for (int i = 0; i < nodes->count && count <= MOST_OPS; i++) {
        const Op *op = nodes->data[i]->op;
        int most = 1;
        for (int j = 0; op != NULL && j <= op->operand_count; j++) {
            const Ref *ref = j < op->operand_count ? &op->operand[j] : &op->out;
            bool seen = j < op->operand_count || op_has_result(op->kind);
            most = seen && ref->member < 0 && m->cell_members[ref->buffer] > most ? m->cell_members[ref->buffer] : most;
        }
        count += op != NULL ? most : count_ops(m, &nodes->data[i]->body);
    }
    return count;
}

static bool ops_fit(const Machine *m)
{
    int64_t count = 0;
    for (int r = 0; r < m->program->routines.count; r++)
        count += count_ops(m, &m->program->routines.data[r].body);
    if (count <= MOST_OPS)
        return true;
    report_limit(m->ctx, (Span){0}, "more operators than can be followed",
                 arena_printf(m->ctx->arena,
                              "At most %d are, each counted for every member of its units (rule 'size').", MOST_OPS));
    return false;
}

Machine *machine_new(Ctx *ctx, Table *table, const Program *program, bool reference)
{
    Arena *arena = table->arena;
    Machine *m = arena_make(arena, Machine);
    *m = (Machine){.ctx = ctx, .table = table, .program = program, .decls = program->decls, .reference = reference};
    table->micro = reference ? 1 : program->decls->micro;
    m->enumerated = reference ? 0 : enumerated_axes(program);
    m->cell_base = arena_array(arena, int, program->buffers.count + 1);
    m->cell_members = arena_array(arena, int, program->buffers.count + 1);
    m->unwritten = arena_array(arena, int, program->buffers.count + 1);
    m->zero_padding = arena_array(arena, bool, program->buffers.count + 1);
    m->slot_base = arena_array(arena, int, program->buffers.count + 1);
    for (int r = 0; r < program->routines.count; r++) {
        int max = max_loop(&program->routines.data[r].body);
        m->loop_count = max >= m->loop_count ? max + 1 : m->loop_count;
    }
    m->stopped = !places_count(m) || !cells_make(m) || !ops_fit(m);
    if (!m->stopped)
        m->prepared = prepare_program(ctx, table, program, reference);
    m->stamp = arena_array(arena, int64_t, m->cell_count + m->slot_count + 1);
    m->stamp_access = arena_array(arena, int, m->cell_count + m->slot_count + 1);
    places_make(m);
    return m;
}

static int cell_of(const Machine *m, int buffer, int64_t slot, int position)
{
    return m->cell_base[buffer] + (int)slot * m->cell_members[buffer] + position;
}

Combo *machine_settle(Machine *m, int cell)
{
    Cell *at = &m->place->cell[cell];
    if (m->recorder == NULL)
        *at = (Cell){cell_contents(m, *at), ABSOLUTE};
    if (at->combo == NULL)
        return NULL;
    at->combo = combo_settle(m->table, at->combo);
    at->combo->shared = true;
    return at->combo;
}

static int member_position(const Unit *unit, int tensor)
{
    for (int i = 0; i < unit->member_count; i++)
        if (unit->members[i] == tensor)
            return i;
    return 0;
}

/* ---- Stored states ------------------------------------------------------------------------------------------ */

/* The value on this place of an affine expression of coordinates. */
static int64_t place_number(const Machine *m, const Affine *affine)
{
    int64_t number;
    machine_affine(m, affine, &number, NULL);
    return number;
}

static bool place_holds(const Machine *m, const Buffer *buffer)
{
    if (!buffer->held)
        return true;
    int64_t holder = place_number(m, &buffer->holder);
    return holder >= buffer->held_low && holder <= buffer->held_high;
}

/* The layer of a buffer's slot on this place; false if the slot holds no layer. */
static bool slot_layer(const Machine *m, const Buffer *buffer, int64_t slot, int64_t *layer)
{
    *layer = slot + (buffer->layout == LAYOUT_UNIT ? m->decls->units.data[buffer->unit].first_layer : 0);
    if (!buffer->has_layers)
        return true;
    int64_t first = place_number(m, &buffer->first_layer);
    int64_t count = place_number(m, &buffer->last_layer) - first + 1;
    int64_t room = buffer->slots / buffer->layer_runs; /* for each run, before the next one's */
    room = room > 1 ? room : 1;
    *layer = first + slot / room * buffer->layer_every + slot % room;
    return slot % room < count;
}

static bool place_rests(Machine *m, Place *place, const Buffer *buffer, int64_t slot, int64_t layer)
{
    Place *outer = m->place;
    int64_t here;
    m->place = place;
    bool rests = place_holds(m, buffer) && slot_layer(m, buffer, slot, &here) && here == layer;
    m->place = outer;
    return rests;
}

bool machine_rests_whole(Machine *m, int buffer, int64_t slot, int tensor, int64_t layer)
{
    View own, flat; /* the cuts of the member, and of the slot */
    if (m->enumerated == 0)
        return true;
    bool unit = m->program->buffers.data[buffer].layout == LAYOUT_UNIT;
    view_make(m->program, &(Ref){.buffer = buffer, .member = unit ? tensor : -1}, m->reference, &own);
    view_make(m->program, &(Ref){.buffer = buffer, .member = -1}, m->reference, &flat);
    AxisMask cut = (view_mask(&own) | cuts_mask(&flat.cuts)) & m->enumerated;
    for (int i = 0; i < m->place_count && cut != 0; i++) {
        bool beside = true; /* the place has another piece */
        for (int a = 0; a < m->decls->axes.count; a++)
            beside = beside && ((cut >> a & 1) || m->places[i].coordinate[a] == m->place->coordinate[a]);
        if (beside && !place_rests(m, &m->places[i], &m->program->buffers.data[buffer], slot, layer))
            return false;
    }
    return true;
}

static void visit_place(Machine *m, StateVisit *visit, void *context)
{
    for (int b = 0; b < m->program->buffers.count; b++) {
        const Buffer *buffer = &m->program->buffers.data[b];
        int64_t layer;
        if (!buffer->persistent || buffer->state < 0 || !place_holds(m, buffer))
            continue;
        for (int64_t slot = 0; slot < buffer->slots; slot++) {
            if (!slot_layer(m, buffer, slot, &layer))
                continue;
            if (buffer->layout == LAYOUT_DENSE) {
                visit(context, b, slot, cell_of(m, b, slot, 0), buffer->tensor, layer);
                continue;
            }
            const Unit *unit = &m->decls->units.data[buffer->unit];
            for (int i = 0; i < unit->member_count; i++)
                visit(context, b, slot, cell_of(m, b, slot, i), unit->members[i], layer);
        }
    }
}

void machine_visit_states(Machine *m, StateVisit *visit, void *context)
{
    for (int i = 0; i < m->place_count; i++) {
        m->place = &m->places[i];
        visit_place(m, visit, context);
    }
    m->place = &m->places[0];
}

static void start_state(void *context, int buffer, int64_t slot, int cell, int tensor, int64_t layer)
{
    Machine *m = context;
    (void)slot;
    int state = m->program->buffers.data[buffer].state;
    Combo *combo = combo_value(m->table, value_state(m->table, state, tensor, layer), rational_make(1, 1));
    m->place->cell[cell] = (Cell){combo, ABSOLUTE};
}

/* ---- Affine expressions ------------------------------------------------------------------------------------- */

bool machine_affine(const Machine *m, const Affine *affine, int64_t *number, Address *address)
{
    bool known = true;
    Address at = {affine->constant, 0, affine->modulus};
    *number = affine->constant;
    for (int i = 0; i < affine->term_count; i++) {
        int variable = affine->term[i].variable;
        int64_t coefficient = affine->term[i].coefficient, value;
        if (variable < 0) {
            int axis = affine_axis(m->decls, variable);
            value = affine_variable_at(m->decls, variable, m->place->coordinate);
            known = known && (m->decls->axes.data[axis].size == 1 || coefficient == 0 || (m->enumerated >> axis & 1));
        } else if (variable >= m->loop_count || !m->place->bound[variable]) {
            known = false;
            value = 0;
        } else {
            value = m->place->loop[variable];
        }
        *number += coefficient * value;
        if (m->recorder != NULL && variable == m->recorded_loop)
            at.coefficient += coefficient;
        else
            at.constant += coefficient * value;
    }
    if (affine->modulus > 0) {
        *number = (*number % affine->modulus + affine->modulus) % affine->modulus;
        at.constant = (at.constant % affine->modulus + affine->modulus) % affine->modulus;
    }
    if (address != NULL) /* normal form, so that a cell has few different ones */
        *address = at.coefficient != 0 ? at : (Address){*number, 0, 0};
    return known;
}

/* The slot of a reference as a number; false (reported) if there is none. */
static bool ref_slot(Machine *m, const Op *op, const Ref *ref, int64_t *slot, Address *address)
{
    const Buffer *buffer = &m->program->buffers.data[ref->buffer];
    if (!machine_affine(m, &ref->slot, slot, address))
        BUG("a slot by a coordinate that is not enumerated");
    if (*slot < 0 || *slot >= buffer->slots) {
        diag_report(m->ctx->diag, P0334, op->span, "'%s' has %lld slots, and slot %lld is used", buffer->name,
                    (long long)buffer->slots, (long long)*slot);
        return false;
    }
    if (!place_holds(m, buffer)) {
        Diagnostic *d = diag_report(m->ctx->diag, P0333, op->span, "'%s' uses '%s', which %s does not have",
                                    op_info[op->kind].name, buffer->name, place_text(m, m->place));
        diag_label(d, buffer->span, "only some ranks have it");
        return false;
    }
    return true;
}

/* ---- Reading and writing ------------------------------------------------------------------------------------ */

static Combo *silent(Machine *m)
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
    unit_reads(m, cell);
    Combo *combo = machine_settle(m, cell);
    if (combo != NULL && (combo->poison == NULL || combo->poison->kind != POISON_UNWRITTEN))
        return combo;
    if (m->unwritten[buffer] != m->runs)
        report_unwritten(m, op, buffer, cell, combo != NULL);
    m->unwritten[buffer] = m->runs;
    unit_writes(m, cell);
    return m->place->cell[cell].combo = silent(m);
}

int machine_ref(Machine *m, const Op *op, const Ref *ref, int position)
{
    int64_t slot;
    Address address;
    if (!ref_slot(m, op, ref, &slot, &address))
        return -1;
    const Buffer *buffer = &m->program->buffers.data[ref->buffer];
    if (ref->member >= 0)
        position = member_position(&m->decls->units.data[buffer->unit], ref->member);
    position = buffer->layout == LAYOUT_UNIT ? position : 0;
    int cell = cell_of(m, ref->buffer, slot, position);
    unit_touch(m, ref->buffer, position, address, cell);
    return cell;
}

static Combo *read_ref(Machine *m, const Op *op, const Ref *ref, int position)
{
    int cell = machine_ref(m, op, ref, position);
    return cell < 0 ? silent(m) : machine_read(m, op, ref->buffer, cell);
}

/* old + weight * new, if both are pieces of one microbatch and one coordinate. */
static Combo *combine(Machine *m, const Op *op, Combo *old, const Combo *new, Mono *mono)
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
    combo_add(m->table, kept, old, rational_make(-1, 1), m->place->guard);
    kept->timed = old->timed;
    kept->time = old->time;
    kept->turn = old->turn;
    return combine(m, op, kept, new, m->place->guard);
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
    if (op->accumulate || m->place->guard != NULL)
        unit_reads(m, cell);
    unit_writes(m, cell);
    Combo *old = op->accumulate || m->place->guard != NULL ? machine_settle(m, cell) : NULL;
    if (op->accumulate && (old == NULL || (old->poison != NULL && old->poison->kind == POISON_UNWRITTEN))) {
        machine_read(m, op, op->out.buffer, cell);
        return;
    }
    if (combo->poison == NULL && op->accumulate)
        combo = old->poison == NULL ? combine(m, op, old, combo, m->place->guard) : old;
    else if (combo->poison == NULL && m->place->guard != NULL)
        combo = write_guarded(m, op, old, combo);
    if (!integers_fit(m, op, combo))
        combo = silent(m);
    m->place->cell[cell] = (Cell){combo, m->recorder != NULL ? m->recorded_at : ABSOLUTE};
}

static void write_ref(Machine *m, const Op *op, int position, Combo *combo)
{
    machine_write(m, op, machine_ref(m, op, &op->out, position), combo);
}

bool *machine_padding(Machine *m, const Op *op, const Ref *ref)
{
    int64_t slot;
    Address address;
    if (m->program->buffers.data[ref->buffer].layout != LAYOUT_UNIT || ref->member >= 0 ||
        !ref_slot(m, op, ref, &slot, &address))
        return NULL;
    int at = m->slot_base[ref->buffer] + (int)slot;
    unit_touch(m, ref->buffer, -1, address, m->cell_count + at);
    unit_reads(m, m->cell_count + at);
    return &m->place->padding_zero[at];
}

bool machine_zero_padding(Machine *m, const Op *op, const Ref *ref)
{
    const bool *zero = machine_padding(m, op, ref);
    m->zero_padding[ref->buffer] |= zero != NULL && *zero;
    return zero != NULL && *zero;
}

static PaddingRule collective_padding(Collective collective)
{
    switch (collective) {
    case COLLECTIVE_PLACE_SHARD:
        return PADDING_JUNK;
    case COLLECTIVE_SLICE:
    case COLLECTIVE_REDUCE_SCATTER:
        return PADDING_SLICED;
    case COLLECTIVE_ALL_REDUCE:
    case COLLECTIVE_ALL_GATHER:
    case COLLECTIVE_ALL_TO_ALL:
    case COLLECTIVE_PERMUTE:
    case COLLECTIVE_BROADCAST:
    case COLLECTIVE_HALO:
    case COLLECTIVE_HALO_ADD:
    case COLLECTIVE_SEND:
    case COLLECTIVE_RECV:
        return PADDING_KEPT;
    }
    BUG("a collective that is none");
}

static PaddingRule source_padding(SourceKind source)
{
    switch (source) {
    case SOURCE_FILL:
        return PADDING_FILLED;
    case SOURCE_IOTA:
    case SOURCE_READ:
    case SOURCE_INIT:
        return PADDING_JUNK;
    }
    BUG("a source that is none");
}

PaddingRule padding_rule(OpKind kind)
{
    switch (op_info[kind].op_class) {
    case CLASS_MAP: /* division and logarithm do not keep zeros: only these are known to */
        return op_is_additive(kind) ? PADDING_KEPT : kind == OP_MUL ? PADDING_PRODUCT : PADDING_JUNK;
    case CLASS_ROW:
    case CLASS_SUM:
    case CLASS_CONTRACT:
    case CLASS_GATHER:
    case CLASS_SCATTER:
    case CLASS_WINDOW:
    case CLASS_VIEW:
    case CLASS_SINK:
        return PADDING_JUNK;
    case CLASS_MOVE:
    case CLASS_COMM:
        return collective_padding(op_collective(kind));
    case CLASS_SOURCE:
        return source_padding(op_source(kind));
    }
    BUG("'%s' is of no class", op_info[kind].name);
}

/* Is the operands' padding zero, in the sense of the rule? */
static bool operands_padding(Machine *m, const Prepared *prepared, PaddingRule rule)
{
    const Op *op = prepared->op;
    bool zero = true, some = false, product = rule == PADDING_PRODUCT;
    for (int i = 0; i < op->operand_count; i++) {
        bool operand = machine_padding(m, op, &op->operand[i]) != NULL;
        const Buffer *buffer = &m->program->buffers.data[op->operand[i].buffer];
        bool whole = operand && rule == PADDING_SLICED && buffer->cut_count == 0 && !prepared->gaps;
        bool none = buffer->layout == LAYOUT_UNIT && buffer->each != EACH_ELEMENT; /* has no padding */
        zero = zero && !none && (operand ? whole || machine_zero_padding(m, op, &op->operand[i]) : product);
        some |= operand;
    }
    return zero && some;
}

static void write_padding(Machine *m, const Prepared *prepared)
{
    const Op *op = prepared->op;
    bool *out = machine_padding(m, op, &op->out), zero = false; /* members are written without padding */
    if (out == NULL)
        return;
    PaddingRule rule = padding_rule(op->kind);
    switch (rule) {
    case PADDING_JUNK:
        break;
    case PADDING_FILLED:
        zero = op->immediate[0] == 0;
        break;
    case PADDING_KEPT:
    case PADDING_PRODUCT:
    case PADDING_SLICED:
        zero = operands_padding(m, prepared, rule);
        break;
    }
    unit_writes(m, m->cell_count + (int)(out - m->place->padding_zero));
    *out = zero && ((!op->accumulate && m->place->guard == NULL) || *out); /* ranks left out keep their padding */
}

/* The current microbatch, in the current notation of times. */
static Time time_now(const Machine *m)
{
    if (m->recorder == NULL)
        return time_at((int32_t)m->place->hand);
    return (Time){1, (int32_t)(m->place->hand - m->recorded_at)};
}

/* Where microbatches differ in size, a buffer has the size of the current one and can hold no other. */
bool machine_at_hand(const Machine *m, const Prepared *prepared, const Combo *combo)
{
    return !prepared->uneven || !combo->timed || time_equal(combo->time, time_now(m));
}

static bool operands_at_hand(const Machine *m, const Prepared *prepared, Combo *const *operand)
{
    for (int i = 0; i < prepared->op->operand_count; i++)
        if (!machine_at_hand(m, prepared, operand[i]))
            return false;
    return true;
}

/* A value that is the same in all of its pieces was still made for one microbatch. */
static Combo *held_at_hand(const Machine *m, const Prepared *prepared, Combo *combo)
{
    if (!prepared->uneven || (prepared->passed & TIME_MASK) == 0 || combo->timed || combo->shared)
        return combo;
    combo->timed = true;
    combo->time = time_now(m);
    return combo;
}

/* ---- Operators ---------------------------------------------------------------------------------------------- */

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
        combo->time = combo->timed ? time_now(m) : time_at(0);
        write_ref(m, op, i, combo);
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
    Affine index = take_copies(m, &op->index, copies);
    if (!machine_affine(m, &index, &first, &address)) {
        write_ref(m, op, 0, combo_poison(m->table, POISON_VARYING, op, -1, 0, NULL));
        return;
    }
    unit_condition(m, address, first, first);
    bool number = m->program->buffers.data[op->out.buffer].dim_count == 0;
    Combo *combo = number ? combo_new(m->table) : combo_value(m->table, value_position(m->table), rational_make(1, 1));
    if (first != 0)
        combo_push(m->table, combo, (Term){.value = value_ones(m->table), .coefficient = rational_make(first, 1)});
    combo_add(m->table, combo, copies, rational_make(1, 1), NULL);
    combo_normalize(m->table, combo);
    combo->timed = timed;
    combo->time = timed ? time_now(m) : time_at(0);
    write_ref(m, op, 0, combo);
}

/* A microbatch of another length than the current one has no room or does not fill it, whether it is used or not. */
static bool fits_at_hand(Machine *m, const Prepared *prepared, int64_t number, Address address)
{
    int64_t longer = m->table->micro > 0 ? prepared->batch % m->table->micro : 0;
    if (!prepared->uneven || longer == 0)
        return true;
    Time now = time_now(m);
    unit_condition(m, address, 0, longer - 1);
    unit_condition(m, (Address){now.constant, now.coefficient, 0}, 0, longer - 1);
    if ((number < longer) == (m->place->hand < longer))
        return true;
    diag_report(m->ctx->diag, P0334, prepared->op->span,
                "microbatch %lld does not have the size of microbatch %lld, the current one here", (long long)number,
                (long long)m->place->hand);
    return false;
}

static void run_read(Machine *m, const Prepared *prepared)
{
    const Op *op = prepared->op;
    int64_t number;
    Address address;
    if (!machine_affine(m, &op->index, &number, &address)) {
        write_ref(m, op, 0, combo_poison(m->table, POISON_VARYING, op, -1, 0, NULL));
        return;
    }
    unit_condition(m, address, 0, m->table->micro - 1);
    if (address.coefficient != 1 || address.modulus != 0) /* cannot be this microbatch in general */
        unit_once(m);
    Time time = m->recorder != NULL ? (Time){1, (int32_t)(number - m->recorded_at)} : time_at((int32_t)number);
    if (number < 0 || number >= m->table->micro) {
        diag_report(m->ctx->diag, P0334, op->span, "there is no microbatch %lld; they are 0 to %lld", (long long)number,
                    (long long)m->table->micro - 1);
        write_ref(m, op, 0, silent(m));
        return;
    }
    if (!fits_at_hand(m, prepared, number, address)) {
        write_ref(m, op, 0, silent(m));
        return;
    }
    Combo *combo =
        combo_value(m->table, value_input(m->table, op->tensor, prepared->batch, prepared->repeated, prepared->reading),
                    rational_make(1, 1));
    combo->timed = (prepared->passed & TIME_MASK) != 0;
    combo->time = combo->timed ? time : time_at(0);
    write_ref(m, op, 0, combo);
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

/* Normal form: the seed on this place, in the coordinates that stay symbolic; false if it overflows. */
static bool seed_here(const Machine *m, Seed *seed, AxisMask *varying)
{
    bool fits = true;
    *varying = 0;
    for (int a = 0; a < STEP_MAX_AXES; a++) {
        int64_t more = 0;
        if (m->enumerated >> a & 1)
            fits = fits && !__builtin_mul_overflow(seed->per_axis[a], m->place->coordinate[a], &more) &&
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
    if (!ref_slot(m, op, &op->out, &slot, &address))
        return;
    unit_condition(m, address, slot, slot);
    Seed seed = op->seed;
    AxisMask varying;
    bool fits = seed_here(m, &seed, &varying);
    slot_layer(m, buffer, slot, &layer);
    for (int i = 0; i < (prepared->flat ? prepared->member_count : 1); i++) {
        int tensor = prepared->flat ? unit->members[i] : op->tensor;
        if (op->tensor >= 0 && op->tensor != tensor)
            continue;
        write_ref(m, op, i,
                  fits ? initial_value(m, tensor, layer, &seed, varying)
                       : combo_poison(m->table, POISON_OVERFLOW, op, -1, 0, NULL));
    }
}

/* Records an update and its operands; `position` as in ref_cell. */
static void note_update(Machine *m, const Prepared *prepared, Combo *const *operand, int position)
{
    const Op *op = prepared->op;
    int gradient, state;
    if (!op_is_update(op->kind, &gradient, &state))
        return;
    Update update = {.op = op, .place = m->place->index, .tensor = op->tensor, .gradient = operand[gradient]};
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
    int64_t own = 0, number;
    Address address;
    if (op->axis_count != 1 || prepared->over == 0 || (m->enumerated & prepared->over) != 0)
        return;
    int axis = op->axis[0];
    bool others = false;
    for (int i = 0; i < op->index.term_count; i++) {
        int variable = op->index.term[i].variable;
        if (variable >= 0)
            continue;
        int of = affine_axis(m->decls, variable);
        if (of == axis)
            own += op->index.term[i].coefficient;
        else
            others |= m->decls->axes.data[of].size > 1 && !(m->enumerated >> of & 1);
    }
    int64_t size = m->decls->axes.data[axis].size;
    if (others || (own - 1) % size != 0 || size > MOST_TIME) /* arcs have 32 bits, too */
        return;
    machine_affine(m, &op->index, &number, &address); /* on the rank with coordinate 0 */
    unit_condition(m, address, number, number);
    t->turns = true;
    t->turn = arc_make(axis, size, number, 1);
}

static void write_silent(Machine *m, const Op *op)
{
    const Buffer *buffer = &m->program->buffers.data[op->out.buffer];
    bool whole_unit = buffer->layout == LAYOUT_UNIT && op->out.member < 0;
    for (int i = 0; op_has_result(op->kind) && i < (whole_unit ? m->cell_members[op->out.buffer] : 1); i++)
        write_ref(m, op, i, silent(m));
}

/* Is the look-up inside its table? If not, this is reported. */
static bool check_look_up(Machine *m, const Prepared *prepared)
{
    const Op *op = prepared->op;
    OpClass class = op_info[op->kind].op_class;
    if (class != CLASS_GATHER && class != CLASS_SCATTER)
        return true;
    return rows_check(m->ctx, m->table, m->decls, prepared, read_ref(m, op, &op->operand[0], 0), m->reference);
}

static void run_compute(Machine *m, const Prepared *prepared)
{
    const Op *op = prepared->op;
    Transfer t = {.table = m->table,
                  .decls = m->decls,
                  .prepared = prepared,
                  .form = prepared->form,
                  .broadcast = prepared->broadcast,
                  .enumerated = m->enumerated,
                  .coordinate = m->place->coordinate,
                  .now = time_now(m),
                  .base = m->recorder != NULL ? m->recorded_at : 0};
    Combo *sum = NULL;
    bool sums = prepared->sums_members;
    if (!check_look_up(m, prepared)) {
        write_silent(m, op);
        return;
    }
    if (prepared->pieces)
        find_turn(m, prepared, &t);
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
    if (sums && sum != NULL && sum->poison == NULL && prepared->sums_padding &&
        !machine_zero_padding(m, op, &op->operand[0]))
        sum = combo_poison(m->table, POISON_PADDING, op, 0, prepared->summed, NULL);
    if (sums && sum != NULL)
        write_ref(m, op, 0, sum);
    for (int i = 0; i < t.asked_count; i++)
        unit_condition(m, (Address){t.asked[i].time.constant, t.asked[i].time.coefficient, 0}, 0,
                       t.asked[i].longer - 1);
}

bool machine_in_micro(Machine *m, const PlanNode *node)
{
    const Op *op = node->prepared->op;
    if (!node->prepared->micro || m->place->has_hand || m->table->micro == 1) /* a single microbatch cuts nothing */
        return true;
    diag_report(m->ctx->diag, P0334, op->span, "'%s' works on pieces of a microbatch, and there is no current one here",
                op_info[op->kind].name);
    write_silent(m, op);
    return false;
}

void machine_partly(Machine *m, const PlanNode *node)
{
    const Op *op = node->prepared->op;
    Diagnostic *d = diag_report(m->ctx->diag, P0332, op->span, "only some ranks of '%s' take part in '%s'",
                                axes_text(m->ctx->arena, m->decls, node->prepared->over), op_info[op->kind].name);
    diag_why(d,
             "A collective completes when every rank of its group calls it; the guard around it is false on others.");
    write_silent(m, op);
}

static void run_communicate(Machine *m, const PlanNode *node)
{
    const Prepared *prepared = node->prepared;
    const Op *op = prepared->op;
    Transfer t = {.table = m->table, .decls = m->decls, .prepared = prepared, .enumerated = m->enumerated};
    const Mono *guard = m->place->guard;
    if (guard != NULL && (guard->axes & prepared->over) != 0 && op_info[op->kind].op_class == CLASS_COMM) {
        machine_partly(m, node);
        return;
    }
    if (op_peers(op->kind) == PEERS_PERMUTED)
        find_turn(m, prepared, &t);
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

static void stop_too_long(Machine *m, Span span)
{
    report_limit(m->ctx, span, "the program is too long to be followed",
                 arena_printf(m->ctx->arena,
                              "At most %d steps are followed, and as many as %d GiB have room for (rule 'size').",
                              MACHINE_MOST_STEPS, MOST_MIB >> 10));
    m->stopped = true;
}

bool machine_goes_on(Machine *m, Span span)
{
    size_t mib = (arena_size(m->table->scratch) + arena_size(m->ctx->arena)) >> 20;
    if (m->steps++ <= MACHINE_MOST_STEPS && mib <= MOST_MIB)
        return true;
    stop_too_long(m, span);
    return false;
}

static void run_source(Machine *m, const Prepared *prepared)
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

static void run_output(Machine *m, const Op *op)
{
    Output output = {.op = op, .place = m->place->index, .combo = read_ref(m, op, &op->operand[0], 0)};
    if (m->place->guard != NULL) /* all ranks produce it, or none */
        output.combo = combo_poison(m->table, POISON_VARYING, op, 0, m->place->guard->axes, output.combo);
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

void machine_op(Machine *m, const PlanNode *node)
{
    const Prepared *prepared = node->prepared;
    const Op *op = node->node->op;
    if (!machine_goes_on(m, op->span))
        return;
    if (prepared->bad) {
        write_silent(m, op);
        return;
    }
    if (!machine_in_micro(m, node))
        return;
    switch (op_info[op->kind].op_class) {
    case CLASS_SINK:
        run_sink(m, prepared);
        return;
    case CLASS_SOURCE:
        run_source(m, prepared);
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
    case CLASS_WINDOW:
    case CLASS_VIEW:
        run_compute(m, prepared);
        break;
    }
    write_padding(m, prepared);
}

/* ---- The tree ----------------------------------------------------------------------------------------------- */

/* The least and the largest value of an affine expression over the ranks of a place, where `number` is its value on the
 * first of them; a modulus gives its whole range. */
static void affine_bounds(const Machine *m, const Affine *affine, int64_t number, int64_t *least, int64_t *largest)
{
    *least = *largest = number;
    for (int i = 0; i < affine->term_count; i++) {
        int variable = affine->term[i].variable;
        if (variable >= 0 || (m->enumerated >> affine_axis(m->decls, variable) & 1))
            continue;
        int64_t most = affine->term[i].coefficient * (m->decls->axes.data[affine_axis(m->decls, variable)].size - 1);
        *least += most < 0 ? most : 0;
        *largest += most > 0 ? most : 0;
    }
    if (affine->modulus > 0)
        *least = 0, *largest = affine->modulus - 1;
}

/* Inside a guard that tests whether an expression of the loop's variable is a microbatch, that is the current one. */
static void enter_hand(Machine *m, const Node *node, int64_t number, Address address)
{
    if (node->guard.low != 0 || node->guard.high != m->table->micro - 1 || m->place->micro < 0)
        return;
    for (int i = 0; i < node->guard.value.term_count; i++)
        if (node->guard.value.term[i].variable == m->place->micro && node->guard.value.term[i].coefficient != 0) {
            m->place->has_hand = true;
            m->place->hand = number;
            if (address.coefficient != 1 || address.modulus != 0) /* not v plus a number */
                unit_once(m);
        }
}

/* A guard on coordinates that stay symbolic becomes an indicator, in which loop variables are numbers. */
static bool enter_indicator(Machine *m, const Node *node, int64_t number, Address address)
{
    const Affine *value = &node->guard.value;
    int64_t least, largest;
    int64_t at = address.constant + address.coefficient * (m->recorder != NULL ? m->recorded_at : 0);
    unit_condition(m, (Address){address.constant, address.coefficient, 0}, at, at);
    affine_bounds(m, value, number, &least, &largest);
    bool none = largest < node->guard.low || least > node->guard.high || node->guard.low > node->guard.high;
    if (none || (least >= node->guard.low && largest <= node->guard.high))
        return !none;
    Factor factor = {.is_guard = true, .low = node->guard.low, .high = node->guard.high};
    AxisMask axes = 0;
    factor.value.constant = value->constant;
    factor.value.modulus = value->modulus;
    for (int i = 0; i < value->term_count; i++) {
        int variable = value->term[i].variable;
        if (variable >= 0) {
            factor.value.constant += value->term[i].coefficient * m->place->loop[variable];
        } else if (m->enumerated >> affine_axis(m->decls, variable) & 1) {
            factor.value.constant +=
                value->term[i].coefficient * affine_variable_at(m->decls, variable, m->place->coordinate);
        } else {
            factor.value.term[factor.value.term_count].variable = variable;
            factor.value.term[factor.value.term_count++].coefficient = value->term[i].coefficient;
            axes |= (AxisMask)1 << affine_axis(m->decls, variable);
        }
    }
    m->place->guard = mono_multiply(m->table, m->place->guard, mono_factor(m->table, &factor, axes));
    return true;
}

bool machine_guard(Machine *m, const Node *node)
{
    int64_t number;
    Address address;
    if (!machine_affine(m, &node->guard.value, &number, &address))
        return enter_indicator(m, node, number, address);
    unit_condition(m, address, node->guard.low, node->guard.high);
    if (number < node->guard.low || number > node->guard.high)
        return false;
    enter_hand(m, node, number, address);
    return true;
}

static bool within_limit(int64_t a, int64_t b, int64_t limit)
{
    return a >= -limit && a <= limit && b >= -limit && b <= limit;
}

void machine_loop_bounds(Machine *m, const Node *node, int64_t *first, int64_t *last)
{
    Address a, b;
    if (!machine_affine(m, &node->loop.first, first, &a) || !machine_affine(m, &node->loop.last, last, &b))
        BUG("a loop's bound by a coordinate that is not enumerated");
    unit_condition(m, a, *first, *first);
    unit_condition(m, b, *last, *last);
    if (node->loop.kind == LOOP_MICRO && !within_limit(*first, *last, MOST_TIME)) {
        report_limit(m->ctx, node->span, arena_printf(m->ctx->arena, "a microbatch beyond %d", MOST_TIME),
                     "Moments are counted in 32 bits (rule 'size').");
        m->stopped = true;
    } else if (machine_iterations(node, *first, *last) > MACHINE_MOST_STEPS - m->steps) {
        stop_too_long(m, node->span);
    }
    if (m->stopped)
        *last = *first - node->loop.step;
}

static void run_loop(Machine *m, const PlanNode *planned)
{
    const Node *node = planned->node;
    Place *place = m->place;
    int64_t first, last;
    machine_loop_bounds(m, node, &first, &last);
    int outer_micro = place->micro;
    bool outer_has_hand = place->has_hand, micro = node->loop.kind == LOOP_MICRO, inner = false;
    int64_t outer_hand = place->hand;
    for (int i = 0; i < planned->body->count; i++)
        inner |= planned->body->node[i].micro_inside;
    place->bound[node->loop.id] = true;
    for (int64_t i = first; (node->loop.step > 0 ? i <= last : i >= last) && !m->stopped; i += node->loop.step) {
        if (!machine_goes_on(m, node->span))
            break;
        place->loop[node->loop.id] = i;
        if (micro) {
            place->micro = node->loop.id;
            place->has_hand = i >= 0 && i < m->table->micro;
            place->hand = i;
        }
        if (micro && !inner && m->recorder == NULL && planned->body->count > 0)
            unit_run(m, planned->body, 0, planned->body->count);
        else
            machine_nodes(m, planned->body, 0, planned->body->count);
    }
    place->bound[node->loop.id] = false;
    place->micro = outer_micro;
    place->has_hand = outer_has_hand && (!micro || place->has_hand || first > last);
    place->hand = outer_hand;
}

void machine_nodes(Machine *m, const Plan *plan, int begin, int end)
{
    Place *place = m->place;
    for (int i = begin; i < end && !m->stopped; i++) {
        const PlanNode *planned = &plan->node[i];
        switch (planned->node->kind) {
        case NODE_OP:
            machine_op(m, planned);
            break;
        case NODE_LOOP:
            run_loop(m, planned);
            break;
        case NODE_GUARD: {
            Mono *guard = place->guard;
            bool has_hand = place->has_hand;
            int64_t hand = place->hand;
            if (machine_guard(m, planned->node))
                machine_nodes(m, planned->body, 0, planned->body->count);
            place->guard = guard;
            place->has_hand = has_hand;
            place->hand = hand;
            break;
        }
        case NODE_WAIT:
            break;
        }
    }
}

static void place_start(Machine *m, Place *place)
{
    memset(place->cell, 0, sizeof(Cell) * (size_t)m->cell_count);
    memset(place->padding_zero, 0, sizeof(bool) * (size_t)m->slot_count);
    memset(place->bound, 0, sizeof(bool) * (size_t)m->loop_count);
    memset(place->met, 0, sizeof place->met);
    memset(&place->pending, 0, sizeof place->pending);
    place->guard = NULL;
    place->posted = place->unit_loop = false;
    place->has_hand = m->decls->micro == 1; /* with one microbatch, the whole batch is current */
    place->hand = 0;
    place->micro = -1;
    place->depth = 0;
}

void machine_run(Machine *m, const Routine *routine)
{
    m->runs++;
    for (int i = 0; i < m->place_count; i++)
        place_start(m, &m->places[i]);
    memset(&m->updates, 0, sizeof m->updates);
    memset(&m->outputs, 0, sizeof m->outputs);
    m->combo_count = 0;
    m->combo_capacity = COMBOS_AT_FIRST;
    m->combos = arena_array(m->table->scratch, Combo *, m->combo_capacity);
    m->recorder = NULL;
    m->table->micro = m->reference ? 1 : m->decls->micro;
    if (strcmp(routine->name, "init") != 0)
        machine_visit_states(m, start_state, m);
    const Node *longest = machine_too_long(m, routine);
    if (longest != NULL)
        stop_too_long(m, longest->span);
    else
        places_run(m, plan_make(m, &routine->body));
}

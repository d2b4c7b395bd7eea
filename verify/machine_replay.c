/* machine_replay.c - runs the body of a microbatch loop once for many microbatches.
 *
 * A *section* is a run of nodes of the loop's body in which rank classes do not meet. It is run with the loop's
 * variable as a symbol v, with the times in the cells it reads relative to v, and recorded: the cells it touched (as
 * expressions of v and of the variables of the loops around that loop), the contents of those it read first, the
 * contents it left in those it wrote, and every question about these variables whose answer mattered. Wherever its
 * cells hold the same contents again, relative to the current v, and the questions have the same answers, its results
 * are replayed; everywhere else it is run again. Nothing is assumed without being checked where it is used: a recording
 * that never fits only costs time.
 *
 * Equal contents must be recognized fast, so contents are kept canonical: one object, and the number that v stands for.
 * Canonical times are relative to the first time that occurs; 0 and K, the ends of the loop, stay numbers.
 *
 * tests/sim/equality.c damages the conditions of this file one at a time, and every condition counts: a test must
 * notice, or tests/sim/implied.txt must say why none can.
 */
#include "verify/machine_internal.h"

#include <string.h>

enum { MOST_RECORDINGS = 32 };

/* A cell that a recording touches, or a unit's slot (numbered after the cells). */
typedef struct Access {
    int buffer, offset; /* of the cell within its slot; -1: the slot's padding */
    Address slot;
    int first; /* the first access to the same cell */
    int next;  /* the next access to it, or -1 */
    int cell;  /* in the current run */
    bool reads, writes;
    Cell in, out; /* canonical, with shift relative to v */
    bool zero_in, zero_out;
} Access;

typedef struct Condition {
    Address expression;
    int64_t low, high;
    bool inside;
} Condition;

/* The state in which a section is entered. A guard around it is always the same. Variables of loops around it are not
 * part of it: what a run makes of them is in its addresses (machine_address.c). */
typedef struct Entry {
    bool has_current;
    int64_t current; /* the current microbatch, relative to v */
} Entry;

typedef struct Recording Recording;
struct Recording {
    Entry entry;
    Vec(Access) accesses;
    Vec(Condition) conditions;
    Recording *next;
};

struct Tape {
    Recording *recordings; /* most recent first */
    int count;
};

struct Recorder {
    Recording *recording;
    bool once;
};

/* ---- Canonical contents ------------------------------------------------------------------------------------- */

/* Unused times are 0. An unknown value may belong to a microbatch, but it is not shifted: its time is then 0. */
static bool combo_is_relative(const Combo *combo)
{
    if (combo->poison != NULL)
        return false;
    if (combo->time.coefficient != 0)
        return true;
    for (int i = 0; i < combo->count; i++)
        if (combo->term[i].low.coefficient != 0 || combo->term[i].high.coefficient != 0)
            return true;
    return false;
}

static uint64_t poison_hash(const Poison *poison)
{
    uint64_t hash = hash_mix((uint64_t)(uintptr_t)poison->op, poison->kind);
    return hash_mix(hash_mix(hash, poison->axes), (uint64_t)poison->operand);
}

static bool combo_same(const Combo *left, const Combo *right)
{
    const Poison *a = left->poison, *b = right->poison;
    if (a == NULL || b == NULL)
        return combo_equal(left, right);
    return a->kind == b->kind && a->op == b->op && a->axes == b->axes && a->operand == b->operand;
}

/* Where the only object with these contents is, or where it is to be inserted. */
static Combo **combo_slot(const Machine *m, const Combo *combo)
{
    uint32_t at = (uint32_t)((combo->poison != NULL ? poison_hash(combo->poison) : combo_hash(combo)) >> 32);
    while (m->combos[at & (m->combo_capacity - 1)] != NULL &&
           !combo_same(m->combos[at & (m->combo_capacity - 1)], combo))
        at++;
    return &m->combos[at & (m->combo_capacity - 1)];
}

static void combos_grow(Machine *m)
{
    Combo **old = m->combos;
    uint32_t capacity = m->combo_capacity;
    m->combo_capacity *= 2;
    m->combos = arena_array(m->table->scratch, Combo *, m->combo_capacity);
    for (uint32_t i = 0; i < capacity; i++)
        if (old[i] != NULL)
            *combo_slot(m, old[i]) = old[i];
}

static Combo *combo_intern(Machine *m, Combo *combo)
{
    if (2 * m->combo_count >= m->combo_capacity)
        combos_grow(m);
    Term whole;
    fold_term(m->table, combo, &whole); /* compared by its folded value if it has one */
    Combo **slot = combo_slot(m, combo);
    if (*slot != NULL)
        return *slot;
    m->combo_count++;
    combo->shared = combo->canonical = true;
    combo->relative = combo_is_relative(combo);
    for (int i = 0; i < combo->count; i++)
        combo->ranged |= (combo->term[i].mask & TIME_MASK) != 0;
    return *slot = combo;
}

/* Normal form: a time of an absolute combination, relative to `base`. */
static Time time_relative(const Machine *m, Time time, int64_t base, bool is_bound)
{
    if (is_bound && (time.constant == 0 || time.constant == m->table->micro))
        return time;
    return (Time){1, (int32_t)(time.constant - base)};
}

/* Normal form: the first time in it that is neither end of the loop; false if there is none. */
static bool find_base(const Machine *m, const Combo *combo, int64_t *base)
{
    if (combo->timed)
        return *base = combo->time.constant, true;
    for (int i = 0; i < combo->count; i++) {
        if (!(combo->term[i].mask & TIME_MASK))
            continue;
        int64_t bound[] = {combo->term[i].low.constant, combo->term[i].high.constant};
        for (int j = 0; j < 2; j++)
            if (bound[j] != 0 && bound[j] != m->table->micro)
                return *base = bound[j], true;
    }
    return false;
}

/* Normal form: times relative to the first one, the ends of the loop as numbers. */
Cell cell_canonical(Machine *m, Cell cell)
{
    if (cell.combo == NULL || (cell.combo->canonical && !cell.combo->relative))
        return (Cell){cell.combo, ABSOLUTE};
    if (cell.combo->poison != NULL)
        return (Cell){combo_intern(m, cell.combo), ABSOLUTE};
    if (cell.combo->canonical) {
        bool ends = false; /* a bound is now one of the loop's ends */
        for (int i = 0; i < cell.combo->count && !ends && cell.combo->ranged; i++) {
            const Term *term = &cell.combo->term[i];
            if (!(term->mask & TIME_MASK))
                continue;
            int64_t low = term->low.constant + cell.shift, high = term->high.constant + cell.shift;
            ends = (term->low.coefficient != 0 && (low == 0 || low == m->table->micro)) ||
                   (term->high.coefficient != 0 && (high == 0 || high == m->table->micro));
        }
        if (!ends)
            return cell;
    }
    Combo *combo = combo_settle(m->table, cell.combo);
    if (combo->poison != NULL)
        return (Cell){combo_intern(m, combo), ABSOLUTE};
    if (cell.shift != ABSOLUTE && combo_is_relative(combo))
        combo = combo_shift(m->table, combo, cell.shift, true);
    int64_t base;
    if (!find_base(m, combo, &base))
        return (Cell){combo_intern(m, combo), ABSOLUTE};
    Combo *relative = combo_shift(m->table, combo, 0, false);
    if (relative->timed)
        relative->time = time_relative(m, relative->time, base, false);
    for (int i = 0; i < relative->count; i++) {
        Term *term = &relative->term[i];
        if (!(term->mask & TIME_MASK))
            continue;
        term->low = time_relative(m, term->low, base, true);
        term->high = time_relative(m, term->high, base, true);
    }
    relative->normal = false;
    relative->settled = 0;
    combo_normalize(m->table, relative);
    return (Cell){combo_intern(m, relative), base};
}

Combo *cell_contents(Machine *m, Cell cell)
{
    if (cell.combo == NULL || !cell.combo->relative)
        return cell.combo;
    if (m->recorder == NULL)
        return combo_shift(m->table, cell.combo, cell.shift, true);
    if (cell.shift == m->recorded_at)
        return cell.combo;
    return combo_shift(m->table, cell.combo, cell.shift - m->recorded_at, false);
}

/* Normal form: what a recorded run left, for every v: [v, v + 1) stays as it is, where for v = 0 alone it would be [0,
 * 1). The shift is relative to v. */
static Cell cell_symbolic(Machine *m, Combo *combo)
{
    if (combo != NULL)
        combo = combo_settle(m->table, combo);
    if (combo == NULL || !combo_is_relative(combo))
        return cell_canonical(m, (Cell){combo, ABSOLUTE});
    int64_t base = combo->time.constant;
    for (int i = 0; i < combo->count && !combo->timed; i++) {
        const Term *term = &combo->term[i];
        if (!(term->mask & TIME_MASK) || (term->low.coefficient == 0 && term->high.coefficient == 0))
            continue;
        base = term->low.coefficient != 0 ? term->low.constant : term->high.constant;
        break;
    }
    return (Cell){combo_intern(m, combo_shift(m->table, combo, -base, false)), base};
}

Cell cell_later(Cell cell, int64_t by)
{
    return (Cell){cell.combo, cell.shift == ABSOLUTE ? ABSOLUTE : cell.shift + by};
}

/* ---- Recording ---------------------------------------------------------------------------------------------- */

/* The contents of a cell that is touched for the first time. */
static void find_contents(Machine *m, Access *access)
{
    if (access->offset < 0) {
        access->zero_in = m->class->padding_zero[access->cell - m->cell_count];
        return;
    }
    access->in = cell_canonical(m, m->class->cell[access->cell]);
    m->class->cell[access->cell] = (Cell){cell_contents(m, access->in), m->recorded_at};
}

void recording_touch(Machine *m, int buffer, int offset, Address slot, int cell)
{
    if (m->recorder == NULL)
        return;
    Recording *recording = m->recorder->recording;
    int index = recording->accesses.count;
    Access access = {.buffer = buffer, .offset = offset, .slot = slot, .first = index, .next = -1, .cell = cell};
    access.in = access.out = (Cell){NULL, ABSOLUTE};
    if (m->stamp[cell] == m->epoch) {
        access.first = m->stamp_access[cell];
        for (int i = access.first; i >= 0; i = recording->accesses.data[i].next)
            if (address_equal(recording->accesses.data[i].slot, slot))
                return;
        access.next = recording->accesses.data[access.first].next;
        recording->accesses.data[access.first].next = index;
    } else {
        m->stamp[cell] = m->epoch;
        m->stamp_access[cell] = index;
        find_contents(m, &access);
    }
    vec_push(m->table->scratch, &recording->accesses, access);
}

void recording_reads(Machine *m, int cell)
{
    if (m->recorder == NULL) {
        round_touches(m, cell, true, false);
        return;
    }
    Access *access = &m->recorder->recording->accesses.data[m->stamp_access[cell]];
    access->reads |= !access->writes;
}

void recording_writes(Machine *m, int cell)
{
    if (m->recorder != NULL)
        m->recorder->recording->accesses.data[m->stamp_access[cell]].writes = true;
    else
        round_touches(m, cell, false, true);
}

void recording_condition(Machine *m, Address expression, int64_t low, int64_t high)
{
    if (!address_varies(expression)) /* always, except in a recording */
        return;
    Recording *recording = m->recorder->recording;
    for (int i = 0; i < recording->conditions.count && i < 64; i++) {
        const Condition *known = &recording->conditions.data[i];
        if (address_equal(known->expression, expression) && known->low == low && known->high == high)
            return;
    }
    int64_t number = address_at(m, expression, m->recorded_at);
    Condition condition = {expression, low, high, number >= low && number <= high};
    vec_push(m->table->scratch, &recording->conditions, condition);
}

void recording_once(const Machine *m)
{
    if (m->recorder != NULL)
        m->recorder->once = true;
}

static Entry entry_here(const Machine *m, int64_t v)
{
    return (Entry){.has_current = m->class->has_current, .current = m->class->current - v};
}

static void record(Machine *m, Tape *tape, const Tree *tree, int first, int end)
{
    Recorder recorder = {.recording = arena_make(m->table->scratch, Recording)};
    int updates = m->updates.count, outputs = m->outputs.count;
    m->recorded_at = m->class->loop[m->class->micro];
    m->recorded_loop = m->class->micro;
    memcpy(m->enclosing, m->class->bound, sizeof *m->enclosing * (size_t)m->loop_count);
    round_did_new(m);
    recorder.recording->entry = entry_here(m, m->recorded_at);
    m->epoch++;
    m->recorder = &recorder;
    machine_nodes(m, tree, first, end);
    for (int i = 0; i < recorder.recording->accesses.count; i++) {
        Access *access = &recorder.recording->accesses.data[i];
        if (access->first != i)
            continue;
        if (access->offset < 0) {
            access->zero_out = m->class->padding_zero[access->cell - m->cell_count];
            continue;
        }
        Cell *cell = &m->class->cell[access->cell];
        if (access->writes) {
            access->out = cell_symbolic(m, cell->combo);
            *cell = cell_canonical(m, cell_later(access->out, m->recorded_at));
        } else {
            *cell = access->in;
        }
        access->in = cell_later(access->in, -m->recorded_at);
    }
    m->recorder = NULL;
    recorder.once |= m->updates.count > updates || m->outputs.count > outputs || m->stopped;
    if (recorder.once || tape->count >= MOST_RECORDINGS)
        return;
    recorder.recording->next = tape->recordings;
    tape->recordings = recorder.recording;
    tape->count++;
}

/* ---- Replay ------------------------------------------------------------------------------------------------- */

static bool conditions_hold(const Machine *m, const Recording *recording, int64_t v)
{
    for (int i = 0; i < recording->conditions.count; i++) {
        const Condition *condition = &recording->conditions.data[i];
        int64_t number = address_at(m, condition->expression, v);
        if ((number >= condition->low && number <= condition->high) != condition->inside)
            return false;
    }
    return true;
}

static bool entered_alike(const Machine *m, const Recording *recording, int64_t v)
{
    Entry entry = entry_here(m, v);
    if (entry.has_current != recording->entry.has_current || entry.current != recording->entry.current)
        return false;
    return true;
}

/* Does the cell hold what the recording found in it? */
static bool found_alike(Machine *m, const Access *access, int64_t v)
{
    if (access->offset < 0) {
        if (m->class->padding_zero[access->cell - m->cell_count] != access->zero_in)
            return false;
        return true;
    }
    Cell *cell = &m->class->cell[access->cell];
    *cell = cell_canonical(m, *cell);
    return cell->combo == access->in.combo && cell_later(*cell, -v).shift == access->in.shift;
}

static bool accesses_fit(Machine *m, Recording *recording, int64_t v)
{
    m->epoch++;
    for (int i = 0; i < recording->accesses.count; i++) {
        Access *access = &recording->accesses.data[i];
        int64_t slot = address_at(m, access->slot, v);
        if (slot < 0 || slot >= m->program->buffers.data[access->buffer].slots)
            return false;
        access->cell = access->offset < 0 ? m->cell_count + m->slot_base[access->buffer] + (int)slot
                                          : m->cell_base[access->buffer] + (int)slot * m->cell_members[access->buffer] +
                                                access->offset;
        bool touched = m->stamp[access->cell] == m->epoch;
        if (touched != (access->first != i) || (touched && m->stamp_access[access->cell] != access->first))
            return false;
        m->stamp[access->cell] = m->epoch;
        m->stamp_access[access->cell] = access->first;
        if (access->reads && !found_alike(m, access, v))
            return false;
    }
    return true;
}

/* The recording is about to be replayed: what the round has to know of that. */
static void follow(Machine *m, const Recording *recording, int64_t v)
{
    round_did(m, recording, v);
    if (!round_is_watched(m))
        return;
    for (int i = 0; i < recording->conditions.count; i++) {
        const Condition *condition = &recording->conditions.data[i];
        int64_t by = address_by(m, condition->expression), modulus = condition->expression.modulus;
        int64_t number = address_at(m, condition->expression, v);
        if (modulus > 0 && by % modulus != 0)
            round_did_new(m);
        round_asks(m, number, modulus > 0 ? 0 : by, condition->low, condition->high);
    }
    for (int i = 0; i < recording->accesses.count; i++) {
        const Access *access = &recording->accesses.data[i];
        if (access->first == i)
            round_touches(m, access->cell, access->reads, access->writes);
    }
}

static bool replay(Machine *m, Recording *recording, int64_t v)
{
    if (!entered_alike(m, recording, v) || !conditions_hold(m, recording, v) || !accesses_fit(m, recording, v))
        return false;
    follow(m, recording, v);
    for (int i = 0; i < recording->accesses.count; i++) {
        const Access *access = &recording->accesses.data[i];
        if (!access->writes)
            continue;
        if (access->offset < 0)
            m->class->padding_zero[access->cell - m->cell_count] = access->zero_out;
        else
            m->class->cell[access->cell] = cell_canonical(m, cell_later(access->out, v));
    }
    m->steps += recording->accesses.count / 8 + 1;
    return true;
}

void replay_or_run(Machine *m, const Tree *tree, int first, int end)
{
    TreeItem *begin = &tree->node[first];
    if (begin->tape == NULL)
        begin->tape = arena_array(m->table->scratch, Tape *, m->class_count);
    Tape *tape = begin->tape[m->class->index];
    if (tape == NULL)
        tape = begin->tape[m->class->index] = arena_make(m->table->scratch, Tape);
    for (Recording *recording = tape->recordings; recording != NULL; recording = recording->next)
        if (replay(m, recording, m->class->loop[m->class->micro]))
            return;
    record(m, tape, tree, first, end);
}

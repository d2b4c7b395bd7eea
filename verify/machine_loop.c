/* machine_loop.c - loops: layers one by one; microbatches by generalisation.
 *
 * A microbatch loop is split where a guard on its variable, or the size of an uneven microbatch, changes. In a long
 * stretch the first two iterations are run as they are; what the cells hold after each is generalised to the state at
 * the head of iteration v, each microbatch number either constant or v plus a constant; one run of the body from that
 * state confirms that it leads to the state at the head of v + 1. Where it does not, the stretch is unrolled if it is
 * not too long, and otherwise what could not be confirmed is poisoned and confirmed again without it.
 */
#include "verify/machine.h"

#include <string.h>

enum { SHORT_STRETCH = 4, LONGEST_UNROLLED = 64, MOST_BREAKS = 64, MOST_WEAKENINGS = 8 };

typedef struct Breaks {
    int count;
    int64_t at[MOST_BREAKS]; /* iterations that begin a new stretch */
    bool unknown;            /* a guard that cannot be followed this way */
} Breaks;

static void breaks_add(Breaks *breaks, int64_t at, int64_t first, int64_t last)
{
    if (at <= first || at > last)
        return;
    int i = 0;
    while (i < breaks->count && breaks->at[i] < at)
        i++;
    if (i < breaks->count && breaks->at[i] == at)
        return;
    if (breaks->count == MOST_BREAKS) {
        breaks->unknown = true;
        return;
    }
    memmove(&breaks->at[i + 1], &breaks->at[i], sizeof(int64_t) * (size_t)(breaks->count - i));
    breaks->at[i] = at;
    breaks->count++;
}

static void breaks_of_guards(Breaks *breaks, const NodeList *nodes, int loop, int64_t first, int64_t last)
{
    for (int i = 0; i < nodes->count; i++) {
        const Node *node = nodes->data[i];
        breaks_of_guards(breaks, &node->body, loop, first, last);
        if (node->kind != NODE_GUARD)
            continue;
        const Affine *value = &node->guard.value;
        for (int j = 0; j < value->term_count; j++) {
            if (value->term[j].variable != loop)
                continue;
            if (value->term_count > 1 || value->modulus != 0 ||
                (value->term[j].coefficient != 1 && value->term[j].coefficient != -1)) {
                breaks->unknown = true;
            } else if (value->term[j].coefficient == 1) {
                breaks_add(breaks, node->guard.low - value->constant, first, last);
                breaks_add(breaks, node->guard.high - value->constant + 1, first, last);
            } else {
                breaks_add(breaks, value->constant - node->guard.high, first, last);
                breaks_add(breaks, value->constant - node->guard.low + 1, first, last);
            }
        }
    }
}

/* The first microbatches of a dim that K does not divide are longer. */
static void breaks_of_sizes(Breaks *breaks, const Machine *m, int64_t first, int64_t last)
{
    for (int b = 0; b < m->program->buffers.count; b++) {
        const Buffer *buffer = &m->program->buffers.data[b];
        for (int d = 0; buffer->layout == LAYOUT_DENSE && d < buffer->dim_count; d++)
            for (int i = 0; i < buffer->dims[d].cut_count; i++)
                if (buffer->dims[d].cut[i] == CUT_MICRO && m->table->micro > 1)
                    breaks_add(breaks, buffer->dims[d].size % m->table->micro, first, last);
    }
}

static void run_iteration(Machine *m, const Node *node, int64_t number)
{
    m->loop[node->loop.id].number = number;
    if (node->loop.kind == LOOP_MICRO) {
        m->in_micro = true;
        m->now = time_at((int32_t)number);
        m->now_number = number;
    }
    machine_nodes(m, &node->body);
}

/* ---- Generalisation ----------------------------------------------------------------------------------------- */

typedef struct Snapshot {
    Combo **cell;
    bool *padding_zero;
} Snapshot;

static Snapshot snapshot(Machine *m)
{
    Snapshot s = {arena_array(m->table->scratch, Combo *, m->cell_count + 1),
                  arena_array(m->table->scratch, bool, m->slot_count + 1)};
    for (int i = 0; i < m->cell_count; i++)
        s.cell[i] = machine_settle(m, i);
    memcpy(s.padding_zero, m->padding_zero, sizeof(bool) * (size_t)m->slot_count);
    return s;
}

static void restore(Machine *m, const Snapshot *s)
{
    memcpy(m->cell, s->cell, sizeof(Combo *) * (size_t)m->cell_count);
    memcpy(m->padding_zero, s->padding_zero, sizeof(bool) * (size_t)m->slot_count);
}

/* The number that is a at the head of iteration `head` and b at the next one's. */
static bool time_generalize(Time a, Time b, int64_t head, Time *result)
{
    if (time_equal(a, b))
        return *result = a, true;
    if (a.coefficient != 0 || b.coefficient != 0 || b.constant != a.constant + 1)
        return false;
    *result = (Time){1, (int32_t)(a.constant - head)};
    return true;
}

static Combo *combo_copy(Machine *m, const Combo *from)
{
    Combo *combo = combo_new(m->table);
    combo_add(m->table, combo, from, rational_make(1, 1), NULL);
    combo->timed = from->timed;
    combo->time = from->time;
    combo->normal = true;
    combo->shared = true;
    return combo;
}

static Combo *loop_poison(Machine *m)
{
    return combo_poison(m->table, POISON_LOOP, NULL, -1, TIME_MASK, NULL);
}

static Combo *combo_generalize(Machine *m, Combo *a, Combo *b, int64_t head)
{
    if (a == NULL && b == NULL)
        return NULL;
    if (a == NULL || b == NULL)
        return loop_poison(m);
    if (combo_equal(a, b))
        return a;
    if (a->poison != NULL || b->poison != NULL)
        return b->poison != NULL ? b : a;
    if (a->count != b->count || a->timed != b->timed)
        return loop_poison(m);
    Combo *combo = combo_copy(m, a);
    if (a->timed && !time_generalize(a->time, b->time, head, &combo->time))
        return loop_poison(m);
    for (int i = 0; i < a->count; i++) {
        const Term *x = &a->term[i], *y = &b->term[i];
        Term *term = &combo->term[i];
        if (x->value != y->value || x->decomp != y->decomp || x->mono != y->mono || x->mask != y->mask ||
            !rational_equal(x->coefficient, y->coefficient))
            return loop_poison(m);
        if ((x->mask & TIME_MASK) && (!time_generalize(x->low, y->low, head, &term->low) ||
                                      !time_generalize(x->high, y->high, head, &term->high)))
            return loop_poison(m);
    }
    return combo;
}

static Time time_shift(Time time, int64_t variable_plus, bool number)
{
    if (time.coefficient == 0)
        return time;
    Time shifted = {number ? 0 : time.coefficient, (int32_t)(time.constant + time.coefficient * variable_plus)};
    return shifted;
}

/* The state with v + 1 for v; or, where `number`, with that number for v. */
static Combo *combo_shift(Machine *m, Combo *from, int64_t by, bool number)
{
    if (from == NULL || from->poison != NULL)
        return from;
    Combo *combo = combo_copy(m, from);
    combo->time = time_shift(from->time, by, number);
    for (int i = 0; i < combo->count; i++) {
        combo->term[i].low = time_shift(combo->term[i].low, by, number);
        combo->term[i].high = time_shift(combo->term[i].high, by, number);
    }
    combo->normal = false;
    combo->settled = 0;
    combo_normalize(m->table, combo);
    return combo;
}

static bool combo_depends(const Combo *combo)
{
    if (combo == NULL || combo->poison != NULL)
        return false;
    if (combo->time.coefficient != 0)
        return true;
    for (int i = 0; i < combo->count; i++)
        if (combo->term[i].low.coefficient != 0 || combo->term[i].high.coefficient != 0)
            return true;
    return false;
}

static bool same_state(const Combo *a, const Combo *b)
{
    if (a == b)
        return true;
    if (a == NULL || b == NULL)
        return false;
    if (a->poison != NULL || b->poison != NULL)
        return a->poison != NULL; /* a poisoned hypothesis says nothing, so anything confirms it */
    return combo_equal(a, b);
}

/* Runs the body once from the hypothesis; poisons in it what was not confirmed. True where all was. */
static bool confirm(Machine *m, const Node *node, Snapshot *head, int64_t number)
{
    bool confirmed = true;
    int updates = m->updates.count, outputs = m->outputs.count;
    restore(m, head);
    m->symbolic = true;
    m->loop[node->loop.id] = (LoopVariable){.bound = true, .symbolic = true, .number = number};
    m->now = (Time){1, 0};
    m->now_number = number;
    m->cannot_generalize = false;
    machine_nodes(m, &node->body);
    m->symbolic = false;
    m->loop[node->loop.id].symbolic = false;
    for (int i = 0; i < m->cell_count; i++) {
        Combo *next = combo_depends(head->cell[i]) ? combo_shift(m, head->cell[i], 1, false) : head->cell[i];
        if (!same_state(next, machine_settle(m, i))) {
            confirmed = false;
            head->cell[i] = loop_poison(m);
        }
    }
    for (int i = 0; i < m->slot_count; i++)
        if (head->padding_zero[i] && !m->padding_zero[i]) {
            confirmed = false;
            head->padding_zero[i] = false;
        }
    if (!confirmed || m->cannot_generalize) {
        m->updates.count = updates;
        m->outputs.count = outputs;
    }
    return confirmed;
}

/* Iterations first .. last, in all of which guards and sizes are the same. */
static void run_stretch(Machine *m, const Node *node, int64_t first, int64_t last, bool unroll)
{
    int64_t number = first;
    if (number <= last)
        run_iteration(m, node, number++);
    if (unroll || last - first < SHORT_STRETCH) {
        for (; number <= last; number++)
            run_iteration(m, node, number);
        return;
    }
    Snapshot second = snapshot(m);
    run_iteration(m, node, number);
    Snapshot third = snapshot(m), head = {arena_array(m->table->scratch, Combo *, m->cell_count + 1),
                                          arena_array(m->table->scratch, bool, m->slot_count + 1)};
    bool closed = true;
    for (int i = 0; i < m->cell_count; i++) {
        head.cell[i] = combo_generalize(m, second.cell[i], third.cell[i], number);
        closed &= head.cell[i] == NULL || head.cell[i]->poison == NULL || head.cell[i]->poison->kind != POISON_LOOP;
    }
    for (int i = 0; i < m->slot_count; i++)
        head.padding_zero[i] = second.padding_zero[i] && third.padding_zero[i];
    m->last_number = last;
    bool confirmed = confirm(m, node, &head, number);
    if ((!closed || !confirmed || m->cannot_generalize) && last - first < LONGEST_UNROLLED) {
        restore(m, &third);
        for (number++; number <= last; number++)
            run_iteration(m, node, number);
        return;
    }
    for (int i = 0; i < MOST_WEAKENINGS && !confirmed && !m->cannot_generalize; i++)
        confirmed = confirm(m, node, &head, number);
    for (int i = 0; i < m->cell_count; i++) {
        Combo *combo = combo_depends(head.cell[i]) ? combo_shift(m, head.cell[i], last + 1, true) : head.cell[i];
        m->cell[i] = confirmed && !m->cannot_generalize ? combo : loop_poison(m);
    }
    memcpy(m->padding_zero, head.padding_zero, sizeof(bool) * (size_t)m->slot_count);
    m->cannot_generalize = false;
}

static void run_micro_loop(Machine *m, const Node *node, int64_t first, int64_t last)
{
    bool outer_micro = m->in_micro;
    Time outer_now = m->now;
    int64_t outer_number = m->now_number, outer_last = m->last_number;
    Breaks breaks = {0};
    breaks_of_guards(&breaks, &node->body, node->loop.id, first, last);
    breaks_of_sizes(&breaks, m, first, last);
    if (m->symbolic)
        m->cannot_generalize = true;
    bool unroll = breaks.unknown || outer_micro;
    for (int i = 0; i <= breaks.count; i++) {
        int64_t begin = i == 0 ? first : breaks.at[i - 1], end = i == breaks.count ? last : breaks.at[i] - 1;
        run_stretch(m, node, begin, end, unroll);
    }
    m->in_micro = outer_micro;
    m->now = outer_now;
    m->now_number = outer_number;
    m->last_number = outer_last;
}

void machine_loop(Machine *m, const Node *node)
{
    int64_t first, last;
    Time time;
    AffineClass a = machine_affine(m, &node->loop.first, &first, &time);
    AffineClass b = machine_affine(m, &node->loop.last, &last, &time);
    if (a == AFFINE_COORDINATE || b == AFFINE_COORDINATE) {
        Diagnostic *d = diag_report(m->ctx->diag, P0320, node->span, "the bounds of a loop depend on the rank");
        diag_why(d, "The proof follows loops that all ranks run alike (rule 'loops of the rank').");
        m->stopped = true;
        return;
    }
    m->cannot_generalize |= a == AFFINE_SYMBOLIC || b == AFFINE_SYMBOLIC;
    m->loop[node->loop.id].bound = true;
    if (node->loop.kind == LOOP_MICRO && node->loop.step > 0) {
        run_micro_loop(m, node, first, last);
    } else {
        bool outer_micro = m->in_micro;
        Time outer_now = m->now;
        int64_t outer_number = m->now_number;
        for (int64_t i = first; (node->loop.step > 0 ? i <= last : i >= last) && !m->stopped; i += node->loop.step)
            run_iteration(m, node, i);
        m->in_micro = outer_micro;
        m->now = outer_now;
        m->now_number = outer_number;
    }
    m->loop[node->loop.id].bound = false;
}

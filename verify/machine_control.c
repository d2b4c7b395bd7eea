/* machine_control.c - loops and guards of one rank class, and the limit on their steps. */
#include "verify/machine_internal.h"

#include "verify/limit.h"

enum { MOST_MIB = 2048 };

/* ---- The limit ---------------------------------------------------------------------------------------------- */

void machine_stop_too_long(Machine *m, Span span)
{
    report_limit(m->ctx, span, "the program is too long to be followed",
                 arena_printf(m->ctx->arena,
                              "At most %d steps are followed, and as many as %d GiB have room for (rule 'size').",
                              MACHINE_MOST_STEPS, MOST_MIB >> 10));
    m->stopped = true;
}

bool machine_may_continue(Machine *m, Span span)
{
    size_t mib = (arena_size(m->table->scratch) + arena_size(m->ctx->arena)) >> 20;
    if (m->steps++ <= MACHINE_MOST_STEPS && mib <= MOST_MIB)
        return true;
    machine_stop_too_long(m, span);
    return false;
}

/* ---- Guards ------------------------------------------------------------------------------------------------- */

/* The least and the largest value of an affine expression over the ranks of a rank class, where `number` is its value
 * on the first of them; a modulus gives its whole range. */
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
static void enter_current(Machine *m, const Node *node, int64_t number, Address address)
{
    if (node->guard.low != 0 || node->guard.high != m->table->micro - 1 || m->class->micro < 0)
        return;
    for (int i = 0; i < node->guard.value.term_count; i++)
        if (node->guard.value.term[i].variable == m->class->micro && node->guard.value.term[i].coefficient != 0) {
            m->class->has_current = true;
            m->class->current = number;
            if (!address_is_shift(address))
                recording_once(m);
        }
}

/* A guard on coordinates that stay symbolic becomes an indicator, in which loop variables are numbers. */
static bool enter_indicator(Machine *m, const Node *node, int64_t number, Address address)
{
    const Affine *value = &node->guard.value;
    int64_t least, largest;
    address.modulus = 0;
    int64_t at = address_at(m, address, m->recorded_at);
    recording_condition(m, address, at, at);
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
            factor.value.constant += value->term[i].coefficient * m->class->loop[variable];
        } else if (m->enumerated >> affine_axis(m->decls, variable) & 1) {
            factor.value.constant +=
                value->term[i].coefficient * affine_variable_at(m->decls, variable, m->class->coordinate);
        } else {
            factor.value.term[factor.value.term_count].variable = variable;
            factor.value.term[factor.value.term_count++].coefficient = value->term[i].coefficient;
            axes |= (AxisMask)1 << affine_axis(m->decls, variable);
        }
    }
    m->class->guard = mono_multiply(m->table, m->class->guard, mono_factor(m->table, &factor, axes));
    return true;
}

bool machine_guard(Machine *m, const Node *node)
{
    int64_t number;
    Address address;
    if (!machine_affine(m, &node->guard.value, &number, &address))
        return enter_indicator(m, node, number, address);
    recording_condition(m, address, node->guard.low, node->guard.high);
    if (round_is_watched(m) && node->guard.value.modulus == 0)
        round_asks(m, number, motion_by(m->class->motion, &node->guard.value), node->guard.low, node->guard.high);
    if (number < node->guard.low || number > node->guard.high)
        return false;
    enter_current(m, node, number, address);
    return true;
}

/* ---- Loops -------------------------------------------------------------------------------------------------- */

static bool within_limit(int64_t a, int64_t b, int64_t limit)
{
    return a >= -limit && a <= limit && b >= -limit && b <= limit;
}

void machine_loop_bounds(Machine *m, const Node *node, int64_t *first, int64_t *last)
{
    Address a, b;
    if (!machine_affine(m, &node->loop.first, first, &a) || !machine_affine(m, &node->loop.last, last, &b))
        BUG("a loop's bound by a coordinate that is not enumerated");
    recording_condition(m, a, *first, *first);
    recording_condition(m, b, *last, *last);
    if (node->loop.kind == LOOP_MICRO && !within_limit(*first, *last, MOST_TIME)) {
        report_limit(m->ctx, node->span, arena_printf(m->ctx->arena, "a microbatch beyond %d", MOST_TIME),
                     "Moments are counted in 32 bits (rule 'size').");
        m->stopped = true;
    } else if (machine_iterations(node, *first, *last) > MACHINE_MOST_STEPS - m->steps) {
        machine_stop_too_long(m, node->span);
    }
    if (m->stopped)
        *last = *first - node->loop.step;
}

void machine_enter_micro(Machine *m, const Node *node, int64_t value)
{
    RankClass *class = m->class;
    class->micro = node->loop.id;
    class->has_current = value >= 0 && value < m->table->micro;
    class->current = value;
    if (round_is_watched(m)) {
        int64_t by = class->motion->rate[node->loop.id] * class->motion->period;
        round_asks(m, value, by, 0, m->table->micro - 1);
    }
}

static void run_loop(Machine *m, const TreeItem *item)
{
    const Node *node = item->node;
    RankClass *class = m->class;
    int64_t first, last;
    machine_loop_bounds(m, node, &first, &last);
    int outer_micro = class->micro;
    bool outer_has_current = class->has_current, micro = node->loop.kind == LOOP_MICRO, inner = false;
    int64_t outer_current = class->current;
    for (int i = 0; i < item->body->count; i++)
        inner |= item->body->node[i].micro_inside;
    class->bound[node->loop.id] = true;
    for (int64_t i = first; (node->loop.step > 0 ? i <= last : i >= last) && !m->stopped; i += node->loop.step) {
        if (!machine_may_continue(m, node->span))
            break;
        class->loop[node->loop.id] = i;
        if (micro)
            machine_enter_micro(m, node, i);
        if (micro && !inner && m->recorder == NULL && item->body->count > 0)
            replay_or_run(m, item->body, 0, item->body->count);
        else
            machine_nodes(m, item->body, 0, item->body->count);
    }
    class->bound[node->loop.id] = false;
    class->micro = outer_micro;
    class->has_current = outer_has_current && (!micro || class->has_current || first > last);
    class->current = outer_current;
}

void machine_nodes(Machine *m, const Tree *tree, int begin, int end)
{
    RankClass *class = m->class;
    for (int i = begin; i < end && !m->stopped; i++) {
        const TreeItem *item = &tree->node[i];
        switch (item->node->kind) {
        case NODE_OP:
            machine_op(m, item);
            break;
        case NODE_LOOP:
            run_loop(m, item);
            break;
        case NODE_GUARD: {
            Mono *guard = class->guard;
            bool has_current = class->has_current;
            int64_t current = class->current;
            if (machine_guard(m, item->node))
                machine_nodes(m, item->body, 0, item->body->count);
            class->guard = guard;
            class->has_current = has_current;
            class->current = current;
            break;
        }
        case NODE_WAIT:
            break;
        }
    }
}

/* transfer_meet.c - collectives over enumerated axes, in which rank classes meet. */
#include "verify/transfer_internal.h"

static bool all_equal(Combo *const *operand, int count)
{
    for (int i = 1; i < count; i++)
        if (!combo_equal(operand[0], operand[i]))
            return false;
    return true;
}

/* The sum over rank classes, after a sum over the group's other axes. Parts along the enumerated axes make up the whole
 * if every class has its own part with the same weight; copies along them count each. */
static Combo *meet_sum(Transfer *t, Combo *const *operand, int count)
{
    AxisMask met = t->prepared->over & t->enumerated, others = t->prepared->over & ~t->enumerated;
    Combo *result = combo_new(t->table), **parts = arena_array(t->table->scratch, Combo *, count);
    for (int i = 0; i < count; i++) {
        Combo *copy = combo_new(t->table);
        parts[i] = combo_new(t->table);
        combo_add(t->table, copy, operand[i], rational_make(1, 1), NULL);
        for (int j = 0; j < copy->count; j++) {
            PoisonKind wrong = others != 0 ? reduce_term(t, &copy->term[j], others) : POISON_SILENT;
            if (wrong != POISON_SILENT)
                return transfer_poison(t, wrong, 0, t->prepared->over);
            combo_push(t->table, (copy->term[j].mask & met) != 0 ? parts[i] : result, copy->term[j]);
        }
        combo_normalize(t->table, parts[i]); /* an overflow shows in the sum, too */
    }
    if (!all_equal(parts, count))
        return transfer_poison(t, POISON_VARYING, 0, met);
    for (int j = 0; j < parts[0]->count; j++) {
        Term term = parts[0]->term[j];
        PoisonKind wrong = reduce_term(t, &term, met);
        if (wrong != POISON_SILENT)
            return transfer_poison(t, wrong, 0, met);
        combo_push(t->table, result, term);
    }
    if (!join_alone(t, result))
        return transfer_poison(t, POISON_OVERFLOW, -1, 0);
    return transfer_finish(t, result, operand[0]->timed, operand[0]->time);
}

Combo *meet_alike(Transfer *t, Combo *const *operand, int count)
{
    if (!all_equal(operand, count))
        return transfer_poison(t, POISON_VARYING, 0, t->prepared->over);
    return communicate_terms(t);
}

Combo *meet_combine(Transfer *t, Combo *const *operand, int count)
{
    switch (t->prepared->op->reduce) {
    case REDUCE_SUM:
        return meet_sum(t, operand, count);
    case REDUCE_MAX:
        return meet_alike(t, operand, count);
    }
    BUG("a reduction that is none");
}

Combo *meet_all_reduce(Transfer *t, Combo *const *operand, int count)
{
    for (int i = 0; i < count; i++)
        if (cut_is_reduced(t, operand[i]))
            return transfer_poison(t, POISON_CUT_REDUCED, 0, t->prepared->passed & t->prepared->over);
    return meet_combine(t, operand, count);
}

Combo *meet_pass_on(Transfer *t, Combo *const *operand, int count)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < operand[i]->count; j++)
            if (((operand[i]->term[j].mask | t->prepared->passed) & t->prepared->over) != 0)
                return transfer_poison(t, POISON_MOVED, 0, t->prepared->over);
    return operand[0];
}

Combo *meet_neighbours(Transfer *t, Combo *const *operand, int count)
{
    (void)operand, (void)count;
    return transfer_poison(t, POISON_MOVED, 0, t->prepared->over);
}

/* Turns follow other ranks' pieces along axes whose ranks do the same, not through what rank classes compute together.
 */
static bool any_turned(Combo *const *operand, int count)
{
    for (int i = 0; i < count; i++)
        if (operand[i]->count > 0 && operand[i]->turn.count > 0)
            return true;
    return false;
}

Combo *transfer_meet(Transfer *t, Combo *const *operand, int count)
{
    for (int i = 0; i < count; i++)
        if (operand[i]->poison != NULL)
            return operand[i];
    for (int i = 1; i < count; i++)
        if (operand[i]->timed != operand[0]->timed ||
            (operand[0]->timed && !time_equal(operand[i]->time, operand[0]->time)))
            return transfer_poison(t, POISON_TIME, 0, TIME_MASK);
    if (any_turned(operand, count))
        return transfer_poison(t, POISON_MOVED, 0, t->prepared->over);
    return transfer_rule(t)->meet(t, operand, count);
}

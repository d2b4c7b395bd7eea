/* transfer_additive.c - operators that work term by term: add, sub, copy, cast, and scale with its weights. */
#include "verify/transfer_internal.h"

/* Normal form: cuts over enumerated axes take the length on this rank class; false if they are inside other cuts. */
static bool enumerated_length(const Transfer *t, Cuts *cuts, int64_t *length, int64_t *parts, AxisMask *axes)
{
    int64_t start;
    Cuts rest = {0};
    for (int i = 0; i < cuts->count; i++) {
        int axis = cuts->axis[i];
        if (!(t->enumerated >> axis & 1)) {
            rest.axis[rest.count++] = (int8_t)axis;
            continue;
        }
        if (rest.count > 0)
            return false;
        cut_balanced(*length, t->decls->axes.data[axis].size, t->coordinate[axis], &start, length);
        *parts /= t->decls->axes.data[axis].size;
        *axes &= ~((AxisMask)1 << axis);
    }
    *cuts = rest;
    return true;
}

/* Normal form: weight 1 / extent of a dim on this rank, as a number or as a factor. False if an extent may be 0 or is
 * unknown. */
bool local_weight(Transfer *t, int64_t size, const Cuts *cuts, bool timed, Time time, Term *weight, PoisonKind *why)
{
    int64_t parts = 1, length = size;
    Factor factor = {0};
    AxisMask axes = 0;
    bool in_time = false;
    for (int i = 0; i < cuts->count; i++) {
        if (cuts->axis[i] == TIME_BIT) {
            if (i != 0)
                return *why = POISON_TIME, false;
            in_time = true;
            continue;
        }
        parts *= t->decls->axes.data[cuts->axis[i]].size;
        factor.cuts.axis[factor.cuts.count++] = cuts->axis[i];
        axes |= (AxisMask)1 << cuts->axis[i];
    }
    if (in_time) {
        int64_t micro = t->table->micro, longer = size % micro;
        length = size / micro;
        if (longer != 0) {
            if (!timed) /* see held_as_current */
                BUG("a piece of microbatches of different sizes, of none of them");
            if (t->asked_count == STEP_MAX_DIMS)
                return *why = POISON_TIME, false;
            t->asked[t->asked_count].time = time;
            t->asked[t->asked_count++].longer = longer;
            length += time.constant + time.coefficient * t->base < longer;
        }
    }
    if (length < parts)
        return *why = POISON_ZERO_EXTENT, false;
    if (length % parts != 0 && !enumerated_length(t, &factor.cuts, &length, &parts, &axes))
        return *why = POISON_OVERFLOW, false;
    if (length % parts == 0) {
        weight->coefficient = rational_multiply(weight->coefficient, rational_make(1, length / parts));
        return true;
    }
    factor.length = length;
    weight->mono = mono_multiply(t->table, weight->mono, mono_factor(t->table, &factor, axes));
    return true;
}

/* Normal form: an operand's term as the result sees it: broadcast or permuted. */
static Term broadcast_term(Transfer *t, int operand, Term term)
{
    const Form *form = t->broadcast != NULL ? t->broadcast[operand] : NULL;
    if (form == NULL || (term.value->kind == VALUE_ONES && term.mask == 0))
        return term;
    term.value = value_op(t->table, form, 1, &term.value, t->prepared->op);
    if (term.mask != 0) {
        DecompPart part = {.index = 0, .inner = term.decomp};
        term.decomp = decomp_intern(t->table, &part, 1);
    }
    return term;
}

Combo *transfer_additive(Transfer *t)
{
    const Op *op = t->prepared->op;
    bool copies = (op->kind == OP_COPY || op->kind == OP_CAST) && (t->broadcast == NULL || t->broadcast[0] == NULL);
    if (copies) /* the same combination: layouts are equal, so it is not partial on an axis that cuts the result */
        return t->operand[0];
    bool extends = (op->kind == OP_ADD || op->kind == OP_SUB) && (t->broadcast == NULL || t->broadcast[0] == NULL);
    Combo *result = extends ? combo_extend(t->table, t->operand[0]) : combo_new(t->table);
    Term weight = {.coefficient = {1, 1}};
    if (op->kind == OP_SCALE) {
        PoisonKind why;
        weight.coefficient = rational_make(op->scale.numerator, op->scale.denominator);
        for (int i = 0; i < t->prepared->compute->local_count; i++)
            if (!local_weight(t, t->prepared->compute->local_size[i], &t->prepared->compute->local_cuts[i], t->timed,
                              t->time, &weight, &why))
                return transfer_poison(t, why, 0, cuts_mask(&t->prepared->compute->local_cuts[i]));
    }
    for (int i = extends ? 1 : 0; i < op->operand_count; i++) {
        Rational sign = op->kind == OP_SUB && i == 1 ? rational_make(-1, 1) : rational_make(1, 1);
        const Combo *operand = t->operand[i];
        int first = result->count;
        bool as_it_is = extends && op->kind == OP_ADD && (t->broadcast == NULL || t->broadcast[i] == NULL);
        if (!as_it_is || !combo_follow(result, operand))
            combo_add(t->table, result, operand, rational_multiply(sign, weight.coefficient), weight.mono);
        for (int j = first; j < result->count; j++) {
            if ((result->term[j].mask & t->prepared->passed) != 0)
                return transfer_poison(t, POISON_PARTIAL_CUT, i, result->term[j].mask & t->prepared->passed);
            if (!as_it_is)
                result->term[j] = broadcast_term(t, i, result->term[j]);
        }
    }
    result->turn = t->held;
    return transfer_result(t, result);
}

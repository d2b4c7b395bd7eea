/* transfer_fold.c - folding: a combination as one value times one weight, or as one whole value. */
#include "verify/transfer_internal.h"

static bool terms_alike(const Term *a, const Term *b)
{
    return a->mask == b->mask && a->mono == b->mono && arc_equal(a->arc, b->arc) &&
           (!(a->mask & TIME_MASK) || (time_equal(a->low, b->low) && time_equal(a->high, b->high)));
}

/* Normal form: terms of one placement and weight become one term of their sum. */
bool fold_term(Table *table, Combo *combo, Term *result)
{
    if (combo->count == 0)
        return false;
    *result = combo->term[0];
    if (combo->count == 1)
        return true;
    for (int i = combo->known != NULL ? combo->known_count : 1; i < combo->count && combo->folded == NULL; i++)
        if (!terms_alike(&combo->term[0], &combo->term[i]))
            return false;
    if (combo->folded == NULL)
        combo->folded =
            value_sum(table, combo->term, combo->count, combo->term[0].coefficient, combo->known, combo->known_count);
    if (combo->folded == NULL)
        return false;
    result->value = combo->folded;
    if (result->mask != 0) {
        DecompPart *part = arena_array(table->scratch, DecompPart, combo->count);
        for (int i = 0; i < combo->count; i++)
            part[i] = (DecompPart){.index = i, .inner = combo->term[i].decomp};
        result->decomp = decomp_intern(table, part, combo->count);
    }
    return true;
}

AxisMask combo_partial(const Combo *combo)
{
    AxisMask partial = 0;
    for (int i = 0; i < combo->count; i++)
        partial |= combo->term[i].mask;
    return partial;
}

/* Normal form: the whole value of a combination, for an operator that is not linear in it; false if ranks have
 * different ones. */
bool fold_whole(Table *table, Combo *combo, Value **value)
{
    for (int i = 0; i < combo->count; i++)
        if (combo->term[i].mask != 0 || combo->term[i].mono != NULL)
            return false;
    Term first;
    if (fold_term(table, combo, &first) && rational_is(first.coefficient, 1)) {
        *value = first.value;
        return true;
    }
    if (combo->whole == NULL)
        combo->whole = value_sum(table, combo->term, combo->count, rational_make(1, 1), NULL, 0);
    *value = combo->whole;
    return combo->whole != NULL;
}

Value *zero_value(Table *table)
{
    return value_sum(table, NULL, 0, rational_make(1, 1), NULL, 0);
}

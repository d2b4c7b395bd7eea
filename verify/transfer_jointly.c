/* transfer_jointly.c - operators that are jointly linear in several operands.
 *
 * Where an operand is partial, the result is the sum of the results on each operand alone, the others zero; once these
 * are whole, they are joined into one result again.
 */
#include "verify/transfer_internal.h"

bool fold_jointly(Table *table, Combo **operand, unsigned which, Value **value, Rational *factor)
{
    *factor = rational_make(1, 1);
    for (int i = STEP_MAX_OPERANDS - 1; i >= 0; i--)
        if ((which >> i & 1) && operand[i]->count > 0)
            *factor = operand[i]->term[0].coefficient;
    for (int i = 0; i < STEP_MAX_OPERANDS; i++) {
        if (!(which >> i & 1))
            continue;
        Combo *divided = operand[i];
        if (!rational_is(*factor, 1)) {
            divided = combo_new(table);
            combo_add(table, divided, operand[i], rational_divide(rational_make(1, 1), *factor), NULL);
            if (!combo_normalize(table, divided))
                return false;
        }
        if (!fold_whole(table, divided, &value[i]))
            return false;
    }
    return true;
}

Combo *transfer_jointly(Transfer *t)
{
    Combo *result = combo_new(t->table);
    for (int i = 0; i < t->prepared->op->operand_count; i++) {
        if (!(t->prepared->compute->jointly >> i & 1) || t->operand[i]->count == 0)
            continue;
        t->alone = 1 + i;
        Combo *part = transfer_product(t);
        t->alone = 0;
        if (part->poison != NULL)
            return part;
        combo_add(t->table, result, part, rational_make(1, 1), NULL);
        result->turn = part->turn;
    }
    return transfer_result(t, result);
}

/* Is the term the operator's result on one of these operands alone? */
static bool is_alone(const Term *term, const Value *zero)
{
    const Value *value = term->value;
    if (term->mask != 0 || term->mono != NULL || value->kind != VALUE_OP || value->op.form->jointly == 0 ||
        term->coefficient.numerator == 0)
        return false;
    int zeros = 0, others = 0;
    for (int i = 0; i < value->op.count; i++)
        if (value->op.form->jointly >> i & 1)
            *(value->op.operand[i] == zero ? &zeros : &others) += 1;
    return zeros > 0 && others == 1;
}

/* Do the two values agree in everything but these operands? */
static bool alone_alike(const Value *x, const Value *y)
{
    if (x->op.form != y->op.form)
        return false;
    for (int i = 0; i < x->op.count; i++)
        if (!(x->op.form->jointly >> i & 1) && x->op.operand[i] != y->op.operand[i])
            return false;
    return true;
}

/* Removes all terms like term `first` from the combination; `operand`: what they have in each operand. */
static void take_alone(Table *table, Combo *combo, int first, const Value *zero, Combo **operand)
{
    const Value *like = combo->term[first].value;
    for (int k = 0; k < like->op.count; k++)
        operand[k] = combo_new(table);
    for (int j = first; j < combo->count; j++) {
        Term *term = &combo->term[j];
        if (!is_alone(term, zero) || !alone_alike(term->value, like))
            continue;
        for (int k = 0; k < like->op.count; k++)
            if ((like->op.form->jointly >> k & 1) && term->value->op.operand[k] != zero)
                combo_push(table, operand[k],
                           (Term){.value = term->value->op.operand[k], .coefficient = term->coefficient});
        term->coefficient = rational_make(0, 1);
    }
}

bool has_alone(Transfer *t, const Combo *combo)
{
    const Value *zero = NULL;
    for (int i = 0; i < combo->count; i++) {
        const Value *value = combo->term[i].value;
        if (value->kind != VALUE_OP || value->op.form->jointly == 0)
            continue;
        zero = zero == NULL ? zero_value(t->table) : zero;
        if (is_alone(&combo->term[i], zero))
            return true;
    }
    return false;
}

bool join_alone(Transfer *t, Combo *combo)
{
    Value *zero = NULL;
    for (int i = 0, count = combo->count; i < count; i++) {
        const Value *like = combo->term[i].value;
        if (like->kind != VALUE_OP || like->op.form->jointly == 0)
            continue;
        zero = zero == NULL ? zero_value(t->table) : zero;
        if (!is_alone(&combo->term[i], zero))
            continue;
        Combo *operand[STEP_MAX_OPERANDS];
        Value *value[STEP_MAX_OPERANDS];
        Rational factor;
        take_alone(t->table, combo, i, zero, operand);
        for (int k = 0; k < like->op.count; k++) {
            value[k] = like->op.operand[k];
            if (!combo_normalize(t->table, operand[k]))
                return false;
        }
        if (!fold_jointly(t->table, operand, like->op.form->jointly, value, &factor))
            return false;
        Value *joined = value_op(t->table, like->op.form, like->op.count, value, t->prepared->op);
        combo_push(t->table, combo, (Term){.value = joined, .coefficient = factor});
    }
    return true;
}

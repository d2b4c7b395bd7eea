/* transfer_product.c - operators that are linear in some operands and need the others whole. */
#include "verify/transfer_internal.h"

#include "step/spec.h"

/* ---- Counts and means --------------------------------------------------------------------------------------- */

/* Does the result hold a piece of the same coordinate as the operands? */
static bool result_turns(const Transfer *t)
{
    if (t->prepared->compute->pieces.used)
        return t->prepared->compute->pieces.result_visits;
    return t->held.count > 0 && (t->prepared->passed >> t->held.axis & 1);
}

/* Is the partial term the count of elements that the rank has, in one microbatch, of the letters its operator sums
 * over? *inverse is then 1 / that count. */
static bool is_own_count(Transfer *t, const Term *term, Term *inverse)
{
    const Form *form = term->value->kind == VALUE_OP ? term->value->op.form : NULL;
    *inverse = (Term){.coefficient = {1, 1}};
    if (form == NULL || form->kind != OP_REDUCE || term->value->op.operand[0]->kind != VALUE_ONES ||
        term->arc.count > 0)
        return false;
    if ((term->mask & TIME_MASK) &&
        !time_equal(term->high, (Time){term->low.coefficient, term->low.constant + 1})) /* of several microbatches */
        return false;
    AxisMask cut = 0;
    PoisonKind why;
    for (int l = 0; l < form->letter_count; l++) {
        Cuts cuts = {0};
        if (spec_dim(spec_letters(form->spec, SPEC_RESULT), (char)('a' + l)) >= 0)
            continue;
        for (int i = 0; i < term->decomp->count; i++)
            if (term->decomp->part[i].index == l)
                cuts = term->decomp->part[i].cuts;
        cut |= cuts_mask(&cuts);
        if (cuts.segments != NULL || !local_weight(t, form->sizes[l], &cuts, true, term->low, inverse, &why))
            return false;
    }
    return cut == term->mask; /* it is partial only by its own cut letters, and on all of their axes */
}

/* Does the operand have the result's letters, in their order? */
static bool is_not_spread(const Form *form, int operand)
{
    return spec_equal(spec_letters(form->spec, operand), spec_letters(form->spec, SPEC_RESULT));
}

/* A rank's mean multiplied by the rank's own count is its sum: one operand is divided by the same extents that the
 * other counts. `wrong` if that is not the case. */
static Combo *weigh_by_count(Transfer *t, Combo *wrong)
{
    for (int i = 0; i < 2; i++) {
        Term count, inverse;
        if (!is_not_spread(t->form, 1 - i) || !fold_term(t->table, t->operand[i], &count) ||
            !is_own_count(t, &count, &inverse))
            continue;
        Combo *result = combo_new(t->table);
        combo_add(t->table, result, t->operand[1 - i], rational_divide(count.coefficient, inverse.coefficient),
                  count.mono);
        bool divides = true;
        for (int j = 0; j < result->count; j++)
            divides = divides && mono_divide(t->table, &result->term[j].mono, inverse.mono);
        if (!divides)
            continue;
        if (result_turns(t))
            result->turn = t->held;
        return transfer_result(t, result);
    }
    return wrong;
}

/* ---- Products ----------------------------------------------------------------------------------------------- */

/* What is collected from a product's operands. */
typedef struct Product {
    Term term;
    Value *value[STEP_MAX_OPERANDS];
    DecompPart part[OWN_PARTS + STEP_MAX_OPERANDS];
    int part_count;
} Product;

/* Terms of different placements enter a linear operator one by one. */
static Combo *transfer_distribute(Transfer *t, int operand)
{
    Combo *whole = t->operand[operand], *result = combo_new(t->table);
    for (int i = 0; i < whole->count; i++) {
        Combo *one = combo_new(t->table);
        combo_push(t->table, one, whole->term[i]);
        combo_normalize(t->table, one);
        one->timed = whole->timed;
        one->time = whole->time;
        t->operand[operand] = one;
        Combo *part = transfer_product(t);
        t->operand[operand] = whole;
        if (part->poison != NULL)
            return part;
        combo_add(t->table, result, part, rational_make(1, 1), NULL);
        result->turn = part->turn;
    }
    return transfer_result(t, result);
}

/* Adds an operand in which the operator is linear; returns NULL, or poison. */
static Combo *product_linear(Transfer *t, Product *product, int operand, const Term *term)
{
    AxisMask cut = t->prepared->passed | t->prepared->compute->summed |
                   (t->prepared->compute->pieces.used ? t->prepared->over : 0);
    if (term->mask & MAX_MASK)
        return transfer_poison(t, POISON_PARTIAL_OPERAND, operand, term->mask & MESH_MASK);
    if ((term->mask & product->term.mask) != 0)
        return transfer_poison(t, POISON_PARTIAL_PRODUCT, operand, term->mask & product->term.mask);
    if ((term->mask & cut) != 0)
        return transfer_poison(t, POISON_PARTIAL_CUT, operand, term->mask & cut);
    product->value[operand] = term->value;
    product->term.coefficient = rational_multiply(product->term.coefficient, term->coefficient);
    product->term.mono = mono_multiply(t->table, product->term.mono, term->mono);
    if (term->mask != 0)
        product->part[product->part_count++] = (DecompPart){.index = operand, .inner = term->decomp};
    product->term.mask |= term->mask;
    if (term->mask & TIME_MASK) {
        product->term.low = term->low;
        product->term.high = term->high;
    }
    if (term->arc.count > 0 && product->term.arc.count > 0)
        return transfer_poison(t, POISON_MOVED, operand, term->mask & MESH_MASK);
    if (term->arc.count > 0)
        product->term.arc = term->arc;
    return NULL;
}

/* Normal form: in the order of operands, or letters. */
static void parts_sort(DecompPart *part, int count)
{
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && part[j - 1].index > part[j].index; j--) {
            DecompPart moved = part[j];
            part[j] = part[j - 1];
            part[j - 1] = moved;
        }
}

/* Normal form: a * b is b * a, with the operand of the lower id first. The first `operands` parts are of operands, the
 * others of letters. */
static const Form *product_order(const Form *form, Product *product, int operands)
{
    Value *first = product->value[0], *second = product->value[1];
    if (form->swapped == NULL || first->id < second->id || (first == second && form->id <= form->swapped->id))
        return form;
    product->value[0] = second;
    product->value[1] = first;
    for (int i = 0; i < product->part_count; i++) {
        int *index = &product->part[i].index;
        *index = i < operands ? 1 - *index : *index >= 0 ? form->swapped_letter[*index] : *index;
    }
    parts_sort(product->part, operands);
    parts_sort(product->part + operands, product->part_count - operands);
    return form->swapped;
}

/* What the cut letters make of the result: parts for the pieces that the operands hold, which are another rank's if
 * they are turned. */
static PoisonKind product_turn(const Transfer *t, Term *term)
{
    const Prepared *prepared = t->prepared;
    if (t->held.count == 0)
        return POISON_SILENT;
    bool partial = prepared->compute->pieces.used ? prepared->compute->pieces.in_parts
                                                  : (prepared->compute->summed >> t->held.axis & 1) != 0;
    if (partial && term->arc.count > 0)
        return POISON_MOVED;
    if (partial)
        term->arc = t->held;
    return POISON_SILENT;
}

/* Adds an operand; returns what the operator results in if that is decided by this operand, else NULL. */
static Combo *product_operand(Transfer *t, Product *product, int operand)
{
    const Computing *compute = t->prepared->compute;
    Combo *contents = t->operand[operand];
    OpKind kind = t->prepared->op->kind;
    bool square = kind == OP_SUM_SQUARES, alone = t->alone == 1 + operand;
    if ((compute->jointly >> operand & 1) && !alone) {
        if (t->alone != 0)
            product->value[operand] = zero_value(t->table);
        return NULL;
    }
    if (!compute->linear[operand] && !alone && !square) {
        if (!fold_whole(t->table, contents, &product->value[operand]))
            return transfer_poison_operand(t, operand);
        return NULL;
    }
    if (contents->count == 0)
        return transfer_result(t, combo_new(t->table));
    Term term;
    bool folds = fold_term(t->table, contents, &term);
    if (square && (!folds || term.mask != 0))
        return transfer_poison_operand(t, operand);
    if (!folds)
        return transfer_distribute(t, operand);
    Combo *wrong = product_linear(t, product, operand, &term);
    if (wrong == NULL && square)
        wrong = product_linear(t, product, operand, &term);
    if (wrong != NULL && kind == OP_MUL && wrong->poison->kind == POISON_PARTIAL_PRODUCT)
        return weigh_by_count(t, wrong);
    return wrong;
}

/* The term of the result: its value, what it is partial on, and in which way. */
static PoisonKind product_term(Transfer *t, Product *product)
{
    const Prepared *prepared = t->prepared;
    const Computing *compute = prepared->compute;
    Term *term = &product->term;
    int operands = product->part_count;
    product->part_count += transfer_own_parts(t, &product->part[operands]);
    if (compute->pieces.used)
        parts_sort(product->part + operands, product->part_count - operands);
    const Form *form = product_order(t->form, product, operands);
    term->value = value_op(t->table, form, prepared->op->operand_count, product->value, prepared->op);
    term->mask |= compute->summed | (compute->pieces.in_parts ? prepared->over : 0);
    PoisonKind moved = product_turn(t, term);
    if (moved != POISON_SILENT)
        return moved;
    if (prepared->op->kind == OP_ROW_MAX && term->mask != 0) {
        term->mask |= MAX_MASK;
        if ((compute->summed & TIME_MASK) || term->arc.count > 0) /* such parts would be joined by addition */
            return POISON_MAXIMUM;
    }
    if (compute->summed & TIME_MASK) { /* then there is a current microbatch (machine_in_micro) */
        term->low = term->high = t->timed ? t->time : t->now;
        term->high.constant++;
    }
    if (term->mask != 0)
        term->decomp = decomp_intern(t->table, product->part, product->part_count);
    return POISON_SILENT;
}

Combo *transfer_product(Transfer *t)
{
    Product product = {.term = {.coefficient = {1, 1}}};
    unsigned jointly = t->prepared->compute->jointly;
    if (jointly != 0 && t->alone == 0 &&
        !fold_jointly(t->table, t->operand, jointly, product.value, &product.term.coefficient))
        return transfer_jointly(t);
    for (int i = 0; i < t->prepared->op->operand_count; i++) {
        Combo *decided = product_operand(t, &product, i);
        if (decided != NULL)
            return decided;
    }
    PoisonKind wrong = product_term(t, &product);
    if (wrong != POISON_SILENT)
        return transfer_poison(t, wrong, -1, product.term.mask & (wrong == POISON_MOVED ? MESH_MASK : ~MAX_MASK));
    Combo *result = combo_new(t->table);
    combo_push(t->table, result, product.term);
    if (result_turns(t))
        result->turn = t->held;
    return transfer_result(t, result);
}

/* transfer.c - computing operators: what their operands must agree on, and which rule each follows
 * (docs/semantics.md, 3).
 *
 * One rule serves every computing operator. Operands in which it is linear are folded to coefficient * monomial *
 * part(value) and may be partial; the result is partial on the axes on which they are. All other operands must be whole
 * values with weights that every rank shares. A summed letter that is cut makes the result partial on the cut's axes.
 * Products fold their operands (transfer_product.c), sums stay expanded (transfer_additive.c).
 */
#include "verify/transfer_internal.h"

/* ---- What every rule uses ----------------------------------------------------------------------------------- */

Combo *transfer_poison(Transfer *t, PoisonKind kind, int operand, AxisMask axes)
{
    return combo_poison(t->table, kind, t->prepared->op, operand, axes, operand >= 0 ? t->operand[operand] : NULL);
}

Combo *transfer_poison_operand(Transfer *t, int operand)
{
    AxisMask partial = combo_partial(t->operand[operand]);
    return transfer_poison(t, partial != 0 ? POISON_PARTIAL_OPERAND : POISON_VARYING, operand, partial);
}

int transfer_own_parts(const Transfer *t, DecompPart *part)
{
    int count = t->prepared->part_count;
    for (int i = 0; i < count; i++)
        part[i] = t->prepared->part[i];
    if (t->prepared->flat && count > 0)
        part[count++] = (DecompPart){.index = DECOMP_MEMBER - t->member};
    return count;
}

Combo *transfer_finish(Transfer *t, Combo *combo, bool timed, Time time)
{
    if (!combo_normalize(t->table, combo))
        return transfer_poison(t, POISON_OVERFLOW, -1, 0);
    combo->timed = timed;
    combo->time = timed ? time : time_at(0);
    return combo;
}

Combo *transfer_result(Transfer *t, Combo *combo)
{
    return transfer_finish(t, combo, t->timed && (t->prepared->passed & TIME_MASK), t->time);
}

/* ---- What operands agree on --------------------------------------------------------------------------------- */

/* The coordinate whose pieces the operands hold, if not the ranks' own. It must be the same for all operands cut
 * over the axis; in a product of pieces it applies to the operands with the visiting piece, and the others hold
 * their own. */
static bool operands_turn(const Transfer *t, Arc *turn)
{
    const Prepared *prepared = t->prepared;
    *turn = prepared->compute->pieces.used ? t->turn : (Arc){0};
    bool found = prepared->compute->pieces.used;
    for (int i = 0; i < prepared->op->operand_count; i++) {
        const Combo *operand = t->operand[i];
        if (operand->count == 0)
            continue;
        if (!found && operand->turn.count > 0) {
            *turn = operand->turn;
            found = true;
            i = -1; /* check the earlier operands, too */
            continue;
        }
        bool turned = prepared->compute->pieces.used
                          ? prepared->compute->pieces.visits[i]
                          : turn->count > 0 && (prepared->compute->operand_cuts[i] >> turn->axis & 1);
        if (!arc_equal(operand->turn, turned ? *turn : (Arc){0}))
            return false;
    }
    return true;
}

/* Does the operator do the same on any piece, using no coordinate of the rank? */
static bool works_on_pieces(const Prepared *prepared)
{
    if (prepared->compute->by_range)
        return false;
    switch (op_info[prepared->op->kind].op_class) {
    case CLASS_MAP:
    case CLASS_ROW:
    case CLASS_SUM:
    case CLASS_CONTRACT:
        return true;
    case CLASS_GATHER:
    case CLASS_SCATTER:
    case CLASS_CHOICE:
    case CLASS_WINDOW:
    case CLASS_VIEW:
    case CLASS_MOVE:
    case CLASS_COMM:
    case CLASS_SOURCE:
    case CLASS_SINK:
        return false;
    }
    BUG("'%s' is of no class", op_info[prepared->op->kind].name);
}

bool operands_time(const Transfer *t, bool *timed, Time *time)
{
    *timed = op_info[t->prepared->op->kind].op_class == CLASS_SCATTER && (t->prepared->passed & TIME_MASK);
    if (*timed)
        *time = t->now;
    for (int i = 0; i < t->prepared->op->operand_count; i++) {
        const Combo *combo = t->operand[i];
        if (!combo->timed)
            continue;
        if (*timed && !time_equal(*time, combo->time))
            return false;
        *timed = true;
        *time = combo->time;
    }
    return true;
}

/* ---- The rules ---------------------------------------------------------------------------------------------- */

/* "All numbers are finite" is 1 minus "some number is not"; for a partial sum the latter is the maximum over its parts.
 * Weights do not matter. */
static Combo *transfer_finite(Transfer *t)
{
    const Op *op = t->prepared->op;
    Combo *operand = t->operand[0], *result = combo_new(t->table);
    Term term = {.value = zero_value(t->table)};
    bool folds = operand->count == 0 || fold_term(t->table, operand, &term);
    if (!folds || term.mono != NULL || (term.mask & (TIME_MASK | MAX_MASK)) != 0 || term.arc.count > 0)
        return transfer_poison_operand(t, 0);
    if ((term.mask & t->prepared->passed) != 0)
        return transfer_poison(t, POISON_PARTIAL_CUT, 0, term.mask & t->prepared->passed);
    if (t->held.count > 0)
        return transfer_poison(t, POISON_MOVED, 0, (AxisMask)1 << t->held.axis);
    Term other = {.coefficient = {-1, 1}, .mask = term.mask};
    other.value = value_op(t->table, t->form, 1, &term.value, op); /* "is not finite": a form of its own */
    if (term.mask != 0) {
        other.mask |= MAX_MASK;
        other.decomp = decomp_intern(t->table, &(DecompPart){.index = 0, .inner = term.decomp}, 1);
    }
    combo_push(t->table, result, (Term){.value = value_ones(t->table), .coefficient = {1, 1}});
    combo_push(t->table, result, other);
    return transfer_result(t, result);
}

static ComputeRule *table_rule(TableKind kind)
{
    switch (kind) {
    case TABLE_EMBED:
    case TABLE_EMBED_BWD:
    case TABLE_TAKE:
    case TABLE_GIVE:
    case TABLE_COMBINE:
        return transfer_product;
    }
    BUG("a look-up that is none");
}

static ComputeRule *choice_rule(ChoiceKind kind)
{
    switch (kind) {
    case CHOICE_TOP:
    case CHOICE_QUEUE:
    case CHOICE_QUEUE_ALL:
        return transfer_product;
    }
    BUG("a choice that is none");
}

/* The rule of the operator's class if all of the class shares one, else the operator's own. */
static ComputeRule *compute_rule(OpKind kind)
{
    switch (op_info[kind].op_class) {
    case CLASS_MAP:
        if (kind == OP_FINITE)
            return transfer_finite;
        return op_is_additive(kind) ? transfer_additive : transfer_product;
    case CLASS_ROW:
    case CLASS_SUM:
        return transfer_product;
    case CLASS_CONTRACT:
        switch (op_contract(kind)) {
        case CONTRACT_EINSUM:
            return transfer_product;
        }
        break;
    case CLASS_GATHER:
    case CLASS_SCATTER:
        return table_rule(op_table(kind));
    case CLASS_CHOICE:
        return choice_rule(op_choice(kind));
    case CLASS_WINDOW:
        switch (op_window(kind)) {
        case WINDOW_CONV:
        case WINDOW_CONV_INPUT_BWD:
        case WINDOW_CONV_WEIGHT_BWD:
        case WINDOW_MAX_POOL:
        case WINDOW_MAX_POOL_BWD:
        case WINDOW_MEAN_POOL:
        case WINDOW_MEAN_POOL_BWD:
            return transfer_product;
        }
        break;
    case CLASS_VIEW:
        switch (op_view(kind)) {
        case VIEW_VIEW:
            return transfer_product;
        case VIEW_SEGMENT:
        case VIEW_SEGMENT_BWD:
        case VIEW_PLACE_SEGMENT:
            return transfer_segment;
        }
        break;
    case CLASS_MOVE:
    case CLASS_COMM:
    case CLASS_SOURCE:
    case CLASS_SINK:
        break;
    }
    BUG("'%s' computes nothing", op_info[kind].name);
}

Combo *transfer_compute(Transfer *t)
{
    const Op *op = t->prepared->op;
    const Computing *compute = t->prepared->compute;
    t->time = time_at(0);
    for (int i = 0; i < op->operand_count; i++)
        if (t->operand[i]->poison != NULL)
            return t->operand[i];
    if (!operands_time(t, &t->timed, &t->time))
        return transfer_poison(t, POISON_TIME, -1, TIME_MASK);
    bool fits = operands_turn(t, &t->held), turned = t->held.count > 0;
    if (!fits || (turned && !works_on_pieces(t->prepared)) || (turned && (compute->fitted >> t->held.axis & 1)) ||
        (compute->pieces.used && !t->turns))
        return transfer_poison(t, POISON_MOVED, -1,
                               compute->pieces.used ? t->prepared->over : (AxisMask)1 << t->held.axis);
    return compute_rule(op->kind)(t);
}

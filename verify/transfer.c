/* transfer.c - the transfer functions: products fold their operands, sums stay expanded (docs/semantics.md, 3).
 *
 * One rule serves every computing operator. Operands in which it is linear are folded to coefficient * monomial *
 * part(value) and may be partial; the result is partial on the axes on which they are. All other operands must be whole
 * values with weights that every rank shares. A summed letter that is cut makes the result partial on the cut's axes.
 */
#include "verify/transfer.h"

#include <string.h>

enum { MOST_RANKS_SUMMED = 1 << 14, OWN_PARTS = PREPARE_MAX_LETTERS + 1 };

/* ---- Folding ------------------------------------------------------------------------------------------------ */

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

static AxisMask combo_partial(const Combo *combo)
{
    AxisMask partial = 0;
    for (int i = 0; i < combo->count; i++)
        partial |= combo->term[i].mask;
    return partial;
}

/* Normal form: the whole value of a combination, for an operator that is not linear in it; false if ranks have
 * different ones. */
static bool fold_whole(Table *table, Combo *combo, Value **value)
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

/* ---- Computing operators ------------------------------------------------------------------------------------ */

static Combo *poison(Transfer *t, PoisonKind kind, int operand, AxisMask axes)
{
    return combo_poison(t->table, kind, t->prepared->op, operand, axes, operand >= 0 ? t->operand[operand] : NULL);
}

/* An operand that must be the same whole value on all ranks, and is not. */
static Combo *poison_unlike(Transfer *t, int operand)
{
    AxisMask partial = combo_partial(t->operand[operand]);
    return poison(t, partial != 0 ? POISON_PARTIAL_OPERAND : POISON_VARYING, operand, partial);
}

/* How the operator itself cuts a value, or places its pieces: in a unit this depends on the member's position. */
static int own_parts(const Transfer *t, DecompPart *part)
{
    int count = t->prepared->part_count;
    for (int i = 0; i < count; i++)
        part[i] = t->prepared->part[i];
    if (t->prepared->flat && count > 0)
        part[count++] = (DecompPart){.index = DECOMP_MEMBER - t->member};
    return count;
}

/* Puts the result in normal form, sets its microbatch, and checks that no weight overflowed. */
static Combo *finish(Transfer *t, Combo *combo, bool timed, Time time)
{
    if (!combo_normalize(t->table, combo))
        return poison(t, POISON_OVERFLOW, -1, 0);
    combo->timed = timed;
    combo->time = timed ? time : time_at(0);
    return combo;
}

/* The coordinate whose pieces the operands hold, if not the ranks' own. It must be the same for all operands cut
 * over the axis; in a product of pieces it applies to the operands with the visiting piece, and the others hold
 * their own. */
static bool operands_turn(const Transfer *t, Arc *turn)
{
    const Prepared *prepared = t->prepared;
    *turn = prepared->pieces ? t->turn : (Arc){0};
    bool found = prepared->pieces;
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
        bool turned =
            prepared->pieces ? prepared->visits[i] : turn->count > 0 && (prepared->operand_cuts[i] >> turn->axis & 1);
        if (!arc_equal(operand->turn, turned ? *turn : (Arc){0}))
            return false;
    }
    return true;
}

/* Does the operator do the same on any piece, using no coordinate of the rank? */
static bool works_on_pieces(const Prepared *prepared)
{
    if (prepared->by_range)
        return false;
    switch (op_info[prepared->op->kind].op_class) {
    case CLASS_MAP:
    case CLASS_ROW:
    case CLASS_SUM:
    case CLASS_CONTRACT:
        return true;
    case CLASS_GATHER:
    case CLASS_SCATTER:
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

/* The microbatch whose pieces the operands and the result are; false if they disagree. A letter that only the result
 * has belongs to the current microbatch: if it is cut by microbatches this matters for the rows of a table, while other
 * results are constant along it. */
static bool operands_time(const Transfer *t, bool *timed, Time *time)
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

/* Normal form: cuts over enumerated axes take the length on this place; false if they are inside other cuts. */
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
static bool local_weight(Transfer *t, int64_t size, const Cuts *cuts, bool timed, Time time, Term *weight,
                         PoisonKind *why)
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
            if (!timed) /* see held_at_hand */
                BUG("a piece of microbatches of unlike sizes, of none of them");
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

/* ADD, SUB, COPY, CAST, SCALE: term by term. */
static Combo *transfer_additive(Transfer *t, Arc turn, bool timed, Time time)
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
        for (int i = 0; i < t->prepared->local_count; i++)
            if (!local_weight(t, t->prepared->local_size[i], &t->prepared->local_cuts[i], timed, time, &weight, &why))
                return poison(t, why, 0, cuts_mask(&t->prepared->local_cuts[i]));
    }
    for (int i = extends ? 1 : 0; i < op->operand_count; i++) {
        Rational sign = op->kind == OP_SUB && i == 1 ? rational_make(-1, 1) : rational_make(1, 1);
        const Combo *operand = t->operand[i];
        int first = result->count;
        combo_add(t->table, result, operand, rational_multiply(sign, weight.coefficient), weight.mono);
        for (int j = first; j < result->count; j++) {
            if ((result->term[j].mask & t->prepared->passed) != 0)
                return poison(t, POISON_PARTIAL_CUT, i, result->term[j].mask & t->prepared->passed);
            result->term[j] = broadcast_term(t, i, result->term[j]);
        }
    }
    result->turn = turn;
    return finish(t, result, timed && (t->prepared->passed & TIME_MASK), time);
}

/* ---- Segments ----------------------------------------------------------------------------------------------- */

/* A linear operator applied to one term. */
static Term linear_term(Transfer *t, const Form *form, Term term)
{
    term.value = value_op(t->table, form, 1, &term.value, t->prepared->op);
    if (term.mask != 0) {
        DecompPart part = {.index = 0, .inner = term.decomp};
        term.decomp = decomp_intern(t->table, &part, 1);
    }
    return term;
}

/* The index of the operand's letter that the result lacks. */
static int segment_letter(const Form *form)
{
    int count = (int)strcspn(form->spec, ">"), at = 0;
    while (form->spec[at] == form->spec[count + 1 + at])
        at++;
    return at;
}

/* Normal form: the term before element `end` of the fused dim, and zero from there on: the first `end` elements taken
 * out and put back. `take` is a form of segment. */
static void push_below(Transfer *t, Combo *result, const Form *take, Term term, int64_t end)
{
    int at = segment_letter(take), last = take->letter_count - 1;
    if (end == 0)
        return;
    if (end < take->sizes[at]) {
        int64_t sizes[2][PREPARE_MAX_LETTERS];
        for (int i = 0; i < 2; i++)
            memcpy(sizes[i], take->sizes, sizeof(*take->sizes) * (size_t)take->letter_count);
        sizes[0][last] = sizes[1][at] = end;
        sizes[1][last] = take->sizes[at];
        Form from = *take, back = *take;
        from.immediate[0] = back.immediate[0] = 0;
        from.sizes = sizes[0];
        back.sizes = sizes[1];
        back.kind = OP_SEGMENT_BWD;
        term = linear_term(t, form_intern(t->table, &from), term);
        term = linear_term(t, form_intern(t->table, &back), term);
    }
    combo_push(t->table, result, term);
}

/* Elements first .. end - 1 of a fused dim. */
typedef struct Range {
    int64_t first, end;
} Range;

static Range range_of(const Form *form)
{
    int last = form->letter_count - 1;
    int64_t first = (int64_t)form->immediate[0];
    return (Range){first, first + form->sizes[form->kind == OP_SEGMENT ? last : segment_letter(form)]};
}

/* Was the term made by the inverse of `form` (segment or segment_bwd), on a dim of this size? *range: the elements;
 * *inner: its operand. */
static bool made_by_other(const Term *term, const Form *form, Range *range, Term *inner)
{
    const Form *other = term->value->kind == VALUE_OP ? term->value->op.form : NULL;
    OpKind kind = form->kind == OP_SEGMENT ? OP_SEGMENT_BWD : OP_SEGMENT;
    if (other == NULL || other->kind != kind) /* not made on this dim: then sizes do not fit */
        return false;
    int at = segment_letter(form), last = form->letter_count - 1;
    const Form *take = kind == OP_SEGMENT ? other : form, *put = kind == OP_SEGMENT ? form : other;
    bool fits = take->sizes[at] == put->sizes[last];
    for (int i = 0; i < last; i++)
        fits = fits && (i == at || take->sizes[i] == put->sizes[i]);
    *range = range_of(other);
    *inner = *term;
    inner->value = term->value->op.operand[0];
    if (term->mask == 0)
        return fits;
    const Decomp *decomp = term->decomp;
    if (decomp->part[0].inner == NULL) /* pieces in their positions; otherwise the operand's decomposition */
        return false;
    inner->decomp = (Decomp *)decomp->part[0].inner;
    return fits;
}

/* Normal form: a segment of the term. What was put elsewhere contributes nothing, what was put exactly there is taken
 * back, and for a range around it that was taken and put back the segment is taken from the whole. */
static void push_taken(Transfer *t, Combo *result, const Form *take, Term term)
{
    Range wanted = range_of(take), range, from;
    Term inner, whole;
    if (made_by_other(&term, take, &range, &inner)) {
        if (range.end <= wanted.first || wanted.end <= range.first)
            return;
        if (range.first == wanted.first && range.end == wanted.end) {
            combo_push(t->table, result, inner);
            return;
        }
        if (range.first <= wanted.first && wanted.end <= range.end &&
            made_by_other(&inner, term.value->op.form, &from, &whole) && from.first == range.first)
            term = whole; /* the range was put back where it was taken */
    }
    combo_push(t->table, result, linear_term(t, take, term));
}

/* Normal form: a segment in its position, zero elsewhere. What was taken from that position is rewritten as the part
 * before its end minus the part before its beginning, so that all segments of a value add up to it. It must be put
 * where it was taken. */
static void push_put(Transfer *t, Combo *result, const Form *put, Term term)
{
    Range wanted = range_of(put), range;
    Term whole;
    if (!made_by_other(&term, put, &range, &whole) || range.first != wanted.first) {
        combo_push(t->table, result, linear_term(t, put, term));
        return;
    }
    push_below(t, result, term.value->op.form, whole, range.end);
    whole.coefficient = rational_multiply(whole.coefficient, rational_make(-1, 1));
    push_below(t, result, term.value->op.form, whole, range.first);
}

/* Term by term. place_segment(a, b) is a, minus a's segment there, plus b there. No piece is another rank's here
 * (works_on_pieces). */
static Combo *transfer_segment(Transfer *t, Arc turn, bool timed, Time time)
{
    (void)turn;
    const Op *op = t->prepared->op;
    Combo *result = combo_new(t->table);
    bool places = op->kind == OP_PLACE_SEGMENT;
    const Form *take = places ? t->broadcast[0] : t->form, *put = places ? t->broadcast[1] : t->form;
    for (int i = 0; i < op->operand_count; i++)
        for (int j = 0; j < t->operand[i]->count; j++) {
            Term term = t->operand[i]->term[j];
            if (term.mask & MAX_MASK)
                return poison(t, POISON_PARTIAL_OPERAND, i, term.mask & MESH_MASK);
            if ((term.mask & t->prepared->passed) != 0)
                return poison(t, POISON_PARTIAL_CUT, i, term.mask & t->prepared->passed);
            if (op->kind == OP_SEGMENT) {
                push_taken(t, result, take, term);
            } else if (places && i == 0) {
                Combo *taken = combo_new(t->table);
                combo_push(t->table, result, term);
                term.coefficient = rational_multiply(term.coefficient, rational_make(-1, 1));
                push_taken(t, taken, take, term);
                for (int k = 0; k < taken->count; k++)
                    push_put(t, result, put, taken->term[k]);
            } else {
                push_put(t, result, put, term);
            }
        }
    return finish(t, result, timed && (t->prepared->passed & TIME_MASK), time);
}

/* ---- Operands in which an operator is jointly linear -------------------------------------------------------- */

static Combo *transfer_product(Transfer *t, Arc turn, bool timed, Time time);

/* Stands for zero as an operand. */
static Value *zero_value(Table *table)
{
    return value_sum(table, NULL, 0, rational_make(1, 1), NULL, 0);
}

/* The whole values of these operands, divided by the coefficient of the first one's first term, so that weights before
 * and after the operator come to the same. */
static bool fold_jointly(Table *table, Combo **operand, unsigned which, Value **value, Rational *factor)
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

/* The sum of the operator's results on each of these operands alone, the others zero. */
static Combo *transfer_jointly(Transfer *t, Arc turn, bool timed, Time time)
{
    Combo *result = combo_new(t->table);
    for (int i = 0; i < t->prepared->op->operand_count; i++) {
        if (!(t->prepared->jointly >> i & 1) || t->operand[i]->count == 0)
            continue;
        t->alone = 1 + i;
        Combo *part = transfer_product(t, turn, timed, time);
        t->alone = 0;
        if (part->poison != NULL)
            return part;
        combo_add(t->table, result, part, rational_make(1, 1), NULL);
        result->turn = part->turn;
    }
    return finish(t, result, timed && (t->prepared->passed & TIME_MASK), time);
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

/* Once they are whole, results on operands taken alone, because they were partial, become one result on all operands
 * together. */
static bool join_alone(Transfer *t, Combo *combo)
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

/* ---- Products ----------------------------------------------------------------------------------------------- */

/* Terms of different placements enter a linear operator one by one. */
static Combo *transfer_distribute(Transfer *t, int operand, Arc turn, bool timed, Time time)
{
    Combo *whole = t->operand[operand], *result = combo_new(t->table);
    for (int i = 0; i < whole->count; i++) {
        Combo *one = combo_new(t->table);
        combo_push(t->table, one, whole->term[i]);
        combo_normalize(t->table, one);
        one->timed = whole->timed;
        one->time = whole->time;
        t->operand[operand] = one;
        Combo *part = transfer_product(t, turn, timed, time);
        t->operand[operand] = whole;
        if (part->poison != NULL)
            return part;
        combo_add(t->table, result, part, rational_make(1, 1), NULL);
        result->turn = part->turn;
    }
    return finish(t, result, timed && (t->prepared->passed & TIME_MASK), time);
}

/* Does the result hold a piece of the same coordinate as the operands? */
static bool result_turns(const Transfer *t, Arc turn)
{
    if (t->prepared->pieces)
        return t->prepared->result_visits;
    return turn.count > 0 && (t->prepared->passed >> turn.axis & 1);
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
        if (strchr(strchr(form->spec, '>'), 'a' + l) != NULL)
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
    const char *own = form->spec, *result = strchr(form->spec, '>') + 1;
    for (int i = 0; i < operand; i++)
        own = strchr(own, ',') + 1;
    size_t length = strcspn(own, ",>");
    return length == strlen(result) && memcmp(own, result, length) == 0;
}

/* A rank's mean multiplied by the rank's own count is its sum: one operand is divided by the same extents that the
 * other counts. `wrong` if that is not the case. */
static Combo *weigh_by_count(Transfer *t, Combo *wrong, Arc turn, bool timed, Time time)
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
        if (result_turns(t, turn))
            result->turn = turn;
        return finish(t, result, timed && (t->prepared->passed & TIME_MASK), time);
    }
    return wrong;
}

/* What is collected from a product's operands. */
typedef struct Product {
    Term term;
    Value *value[STEP_MAX_OPERANDS];
    DecompPart part[OWN_PARTS + STEP_MAX_OPERANDS];
    int part_count;
} Product;

/* Adds an operand in which the operator is linear; returns NULL, or poison. */
static Combo *product_linear(Transfer *t, Product *product, int operand, const Term *term)
{
    AxisMask cut = t->prepared->passed | t->prepared->summed | (t->prepared->pieces ? t->prepared->over : 0);
    if (term->mask & MAX_MASK)
        return poison(t, POISON_PARTIAL_OPERAND, operand, term->mask & MESH_MASK);
    if ((term->mask & product->term.mask) != 0)
        return poison(t, POISON_PARTIAL_PRODUCT, operand, term->mask & product->term.mask);
    if ((term->mask & cut) != 0)
        return poison(t, POISON_PARTIAL_CUT, operand, term->mask & cut);
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
        return poison(t, POISON_MOVED, operand, term->mask & MESH_MASK);
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
static PoisonKind product_turn(const Transfer *t, Arc turn, Term *term)
{
    const Prepared *prepared = t->prepared;
    if (turn.count == 0)
        return POISON_SILENT;
    bool partial = prepared->pieces ? prepared->in_parts : (prepared->summed >> turn.axis & 1) != 0;
    if (partial && term->arc.count > 0)
        return POISON_MOVED;
    if (partial)
        term->arc = turn;
    return POISON_SILENT;
}

static Combo *transfer_product(Transfer *t, Arc turn, bool timed, Time time)
{
    const Op *op = t->prepared->op;
    Product product = {.term = {.coefficient = {1, 1}}};
    unsigned jointly = t->prepared->jointly;
    if (jointly != 0 && t->alone == 0 &&
        !fold_jointly(t->table, t->operand, jointly, product.value, &product.term.coefficient))
        return transfer_jointly(t, turn, timed, time);
    for (int i = 0; i < op->operand_count; i++) {
        Combo *operand = t->operand[i];
        bool square = op->kind == OP_SUM_SQUARES;
        if ((jointly >> i & 1) && t->alone != 1 + i) {
            if (t->alone != 0)
                product.value[i] = zero_value(t->table);
            continue;
        }
        if (!t->prepared->linear[i] && t->alone != 1 + i && !square) {
            if (!fold_whole(t->table, operand, &product.value[i]))
                return poison_unlike(t, i);
            continue;
        }
        if (operand->count == 0)
            return finish(t, combo_new(t->table), timed && (t->prepared->passed & TIME_MASK), time);
        Term term;
        bool folds = fold_term(t->table, operand, &term);
        if (square && (!folds || term.mask != 0))
            return poison_unlike(t, i);
        if (!folds)
            return transfer_distribute(t, i, turn, timed, time);
        Combo *wrong = product_linear(t, &product, i, &term);
        if (wrong == NULL && square)
            wrong = product_linear(t, &product, i, &term);
        if (wrong != NULL && op->kind == OP_MUL && wrong->poison->kind == POISON_PARTIAL_PRODUCT)
            return weigh_by_count(t, wrong, turn, timed, time);
        if (wrong != NULL)
            return wrong;
    }
    int operands = product.part_count;
    product.part_count += own_parts(t, &product.part[product.part_count]);
    if (t->prepared->pieces)
        parts_sort(product.part + operands, product.part_count - operands);
    Term *term = &product.term;
    const Form *form = product_order(t->form, &product, operands);
    term->value = value_op(t->table, form, op->operand_count, product.value, op);
    term->mask |= t->prepared->summed | (t->prepared->in_parts ? t->prepared->over : 0);
    PoisonKind moved = product_turn(t, turn, term);
    if (moved != POISON_SILENT)
        return poison(t, moved, -1, term->mask & MESH_MASK);
    if (op->kind == OP_ROW_MAX && term->mask != 0) {
        term->mask |= MAX_MASK;
        if ((t->prepared->summed & TIME_MASK) || term->arc.count > 0) /* such parts would be joined by addition */
            return poison(t, POISON_MAXIMUM, -1, term->mask & ~MAX_MASK);
    }
    if (t->prepared->summed & TIME_MASK) { /* then there is a current microbatch (machine_in_micro) */
        term->low = term->high = timed ? time : t->now;
        term->high.constant++;
    }
    if (term->mask != 0)
        term->decomp = decomp_intern(t->table, product.part, product.part_count);
    Combo *result = combo_new(t->table);
    combo_push(t->table, result, *term);
    if (result_turns(t, turn))
        result->turn = turn;
    return finish(t, result, timed && (t->prepared->passed & TIME_MASK), time);
}

typedef Combo *ComputeRule(Transfer *t, Arc turn, bool timed, Time time);

static ComputeRule *window_rule(WindowKind op)
{
    switch (op) {
    case WINDOW_CONV:
    case WINDOW_CONV_INPUT_BWD:
    case WINDOW_CONV_WEIGHT_BWD:
    case WINDOW_MAX_POOL:
    case WINDOW_MAX_POOL_BWD:
    case WINDOW_MEAN_POOL:
    case WINDOW_MEAN_POOL_BWD:
        return transfer_product;
    }
    BUG("a window that is none");
}

static ComputeRule *view_rule(ViewKind op)
{
    switch (op) {
    case VIEW_VIEW:
        return transfer_product;
    case VIEW_SEGMENT:
    case VIEW_SEGMENT_BWD:
    case VIEW_PLACE_SEGMENT:
        return transfer_segment;
    }
    BUG("a view that is none");
}

static ComputeRule *table_rule(TableKind op)
{
    switch (op) {
    case TABLE_EMBED:
    case TABLE_EMBED_BWD:
        return transfer_product;
    }
    BUG("a look-up that is none");
}

/* "All numbers are finite" is 1 minus "some number is not"; for a partial sum the latter is the maximum over its parts.
 * Weights do not matter. */
static Combo *transfer_finite(Transfer *t, Arc turn, bool timed, Time time)
{
    const Op *op = t->prepared->op;
    Combo *operand = t->operand[0], *result = combo_new(t->table);
    Term term = {.value = zero_value(t->table)};
    bool folds = operand->count == 0 || fold_term(t->table, operand, &term);
    if (!folds || term.mono != NULL || (term.mask & (TIME_MASK | MAX_MASK)) != 0 || term.arc.count > 0)
        return poison_unlike(t, 0);
    if ((term.mask & t->prepared->passed) != 0)
        return poison(t, POISON_PARTIAL_CUT, 0, term.mask & t->prepared->passed);
    if (turn.count > 0)
        return poison(t, POISON_MOVED, 0, (AxisMask)1 << turn.axis);
    Term other = {.coefficient = {-1, 1}, .mask = term.mask};
    other.value = value_op(t->table, t->form, 1, &term.value, op); /* "is not finite": a form of its own */
    if (term.mask != 0) {
        other.mask |= MAX_MASK;
        other.decomp = decomp_intern(t->table, &(DecompPart){.index = 0, .inner = term.decomp}, 1);
    }
    combo_push(t->table, result, (Term){.value = value_ones(t->table), .coefficient = {1, 1}});
    combo_push(t->table, result, other);
    return finish(t, result, timed && (t->prepared->passed & TIME_MASK), time);
}

static ComputeRule *contract_rule(ContractionKind op)
{
    switch (op) {
    case CONTRACT_EINSUM:
        return transfer_product;
    }
    BUG("a contraction that is none");
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
        return contract_rule(op_contract(kind));
    case CLASS_GATHER:
    case CLASS_SCATTER:
        return table_rule(op_table(kind));
    case CLASS_WINDOW:
        return window_rule(op_window(kind));
    case CLASS_VIEW:
        return view_rule(op_view(kind));
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
    bool timed;
    Time time = time_at(0);
    for (int i = 0; i < op->operand_count; i++)
        if (t->operand[i]->poison != NULL)
            return t->operand[i];
    if (!operands_time(t, &timed, &time))
        return poison(t, POISON_TIME, -1, TIME_MASK);
    Arc turn;
    if (!operands_turn(t, &turn) || (turn.count > 0 && !works_on_pieces(t->prepared)) ||
        (turn.count > 0 && (t->prepared->fitted >> turn.axis & 1)) || (t->prepared->pieces && !t->turns))
        return poison(t, POISON_MOVED, -1, t->prepared->pieces ? t->prepared->over : (AxisMask)1 << turn.axis);
    return compute_rule(op->kind)(t, turn, timed, time);
}

/* ---- Communication ------------------------------------------------------------------------------------------ */

/* Normal form: the sum over all ranks along `axes` of a weight that depends on no other axis; false if it cannot be
 * computed. */
static bool sum_mono(Transfer *t, const Mono *mono, AxisMask axes, Rational *sum)
{
    int64_t coordinate[STEP_MAX_AXES] = {0}, ranks = 1;
    if ((mono->axes & ~axes) != 0)
        return false;
    for (int a = 0; a < STEP_MAX_AXES; a++)
        ranks *= axes >> a & 1 ? t->decls->axes.data[a].size : 1;
    if (ranks > MOST_RANKS_SUMMED)
        return false;
    *sum = rational_make(0, 1);
    for (int64_t rank = 0; rank < ranks; rank++) {
        int64_t rest = rank;
        for (int a = 0; a < STEP_MAX_AXES; a++)
            if (axes >> a & 1) {
                coordinate[a] = rest % t->decls->axes.data[a].size;
                rest /= t->decls->axes.data[a].size;
            }
        *sum = rational_add(*sum, mono_at(t->decls, mono, coordinate));
    }
    return true;
}

/* Normal form: is the value the same on all copies along the axes: a constant, initial values of one seed, a sum? */
static bool is_alike(const Value *value, AxisMask axes)
{
    if (value->kind == VALUE_INIT)
        return (value->varying & axes) == 0;
    if (value->kind == VALUE_OP && value->op.form->kind == OP_ALL_REDUCE)
        return (axes & ~(AxisMask)value->op.form->immediate[0]) == 0;
    return value->kind == VALUE_ONES || value->kind == VALUE_NUMBER || value->kind == VALUE_POSITION;
}

/* Sums a term over copies: the sum of the copies' own values is a new value. Partial sums, cut alike on all copies,
 * become partial sums of it; weights are the same on all copies. */
static PoisonKind join_term(Transfer *t, Term *term, AxisMask axes)
{
    if (term->mask & MAX_MASK)
        return POISON_MAXIMUM;
    if (is_alike(term->value, axes)) {
        term->coefficient = rational_multiply(term->coefficient, rational_make(t->prepared->ranks, 1));
        return POISON_SILENT;
    }
    static const char any[] = "";
    int64_t none = 0;
    Form key = {.kind = OP_ALL_REDUCE, .spec = any, .sizes = &none};
    key.immediate[key.immediate_count++] = (double)axes;
    term->value = value_op(t->table, form_intern(t->table, &key), 1, &term->value, t->prepared->op);
    if (term->mask != 0)
        term->decomp = decomp_intern(t->table, &(DecompPart){.index = 0, .inner = term->decomp}, 1);
    return POISON_SILENT;
}

/* Sums a term over `axes`: parts become the whole, and copies are multiplied by the number of ranks. */
static PoisonKind reduce_term(Transfer *t, Term *term, AxisMask axes)
{
    if ((term->value->varying & axes) != 0)
        return POISON_VARYING;
    if ((term->mask & MAX_MASK) && (term->mask & axes) != 0)
        return POISON_MAXIMUM;
    if (term->arc.count > 0 && (axes >> term->arc.axis & 1)) { /* every part counts once per rank that has it */
        if (term->mono != NULL && (term->mono->axes & axes) != 0)
            return POISON_MOVED;
        term->coefficient = rational_multiply(term->coefficient, rational_make(term->arc.count, 1));
        term->arc = (Arc){0};
    }
    Rational sum;
    if (term->mono != NULL && (term->mask & axes) == 0 && sum_mono(t, term->mono, axes, &sum)) {
        term->coefficient = rational_multiply(term->coefficient, sum);
        term->mono = NULL;
    } else if (term->mono != NULL && (term->mono->axes & axes) != 0) {
        term->value = value_bound(t->table, term, axes);
        term->value->varying |= term->mono->axes & ~axes;
        term->mono = NULL;
        term->mask &= ~axes;
    } else
        for (int a = 0; a < STEP_MAX_AXES; a++) {
            if (!(axes >> a & 1))
                continue;
            if (!(term->mask >> a & 1))
                term->coefficient = rational_multiply(term->coefficient, rational_make(t->decls->axes.data[a].size, 1));
            term->mask &= ~((AxisMask)1 << a);
        }
    if (term->mask == 0)
        term->decomp = NULL;
    return POISON_SILENT;
}

/* Is the term exactly each rank's own piece in its position and zero elsewhere, cut as the result is? */
static bool term_is_placed(Transfer *t, const Term *term)
{
    DecompPart part[OWN_PARTS];
    int count = own_parts(t, part);
    return term->mask == t->prepared->over && term->arc.count == 0 &&
           term->decomp == decomp_intern(t->table, part, count);
}

/* Each rank takes its own piece of what it has; ranks may have different contents. */
static PoisonKind slice_term(Transfer *t, Term *term)
{
    if ((term->mask & t->prepared->over) == 0)
        return POISON_SILENT;
    if (!term_is_placed(t, term))
        return POISON_PARTIAL_CUT;
    term->mask = 0;
    term->decomp = NULL;
    return POISON_SILENT;
}

static PoisonKind copies_term(Transfer *t, const Term *term)
{
    AxisMask over = t->prepared->over;
    if ((term->value->varying & over) != 0 || (term->mono != NULL && (term->mono->axes & over) != 0))
        return POISON_VARYING;
    return POISON_SILENT;
}

/* Gathered pieces must be pieces of the whole, not of partial sums. */
static PoisonKind gather_term(Transfer *t, Term *term)
{
    if ((term->mask & t->prepared->over) != 0)
        return POISON_PARTIAL_CUT;
    return copies_term(t, term);
}

/* The maximum of copies is the copy itself; that of the parts of a maximum is the whole, if there are no other
 * terms. */
static PoisonKind maximum_term(Transfer *t, Term *term)
{
    AxisMask over = t->prepared->over;
    if (copies_term(t, term) != POISON_SILENT)
        return POISON_MAXIMUM;
    if ((term->mask & over) == 0)
        return POISON_SILENT;
    if (!(term->mask & MAX_MASK) || t->operand[0]->count > 1 || !rational_is(term->coefficient, 1))
        return POISON_MAXIMUM;
    term->mask &= ~over;
    if (term->arc.count > 0 && (over >> term->arc.axis & 1)) /* any rank's part will do */
        term->arc = (Arc){0};
    if ((term->mask & ~MAX_MASK) == 0) {
        term->mask = 0;
        term->decomp = NULL;
    }
    return POISON_SILENT;
}

/* Normal form: where each rank along the axis draws initial values from a seed of its own, a broadcast gives all of
 * them the values of one rank's seed. */
static void draw_from_one(Transfer *t, Term *term)
{
    const Op *op = t->prepared->op;
    if (op->kind != OP_BROADCAST || term->value->kind != VALUE_INIT || op->index.term_count > 0 ||
        op->index.modulus != 0)
        return;
    Seed seed = term->value->leaf.seed;
    int64_t *own = &seed.per_axis[op->axis[0]];
    if (__builtin_mul_overflow(*own, op->index.constant, own) || __builtin_add_overflow(seed.base, *own, &seed.base))
        return;
    *own = 0;
    term->value = value_init(t->table, term->value->leaf.tensor, term->value->leaf.layer, &seed,
                             term->value->varying & ~t->prepared->over);
}

/* Every rank gets another rank's value. For copies that is the same value. A part becomes the other coordinate's, if
 * the distance is the same on all ranks; otherwise, or if it is part of a maximum, it is unknown. */
static PoisonKind hand_on_term(Transfer *t, Term *term)
{
    AxisMask over = t->prepared->over;
    draw_from_one(t, term);
    if ((over & t->table->copies) != 0 && !is_alike(term->value, over))
        return POISON_VARYING;
    PoisonKind wrong = copies_term(t, term);
    if (wrong != POISON_SILENT || (term->mask & over) == 0)
        return wrong;
    if (!t->turns || (term->mask & MAX_MASK) || (term->arc.count > 0 && !(over >> term->arc.axis & 1)))
        return POISON_MOVED;
    term->arc = arc_moved(term->arc, t->turn);
    return POISON_SILENT;
}

/* Likewise for the piece of the other coordinate; false if it is unknown. */
static bool hand_on_turn(const Transfer *t, Arc *turn)
{
    AxisMask over = t->prepared->over;
    if ((t->prepared->passed & over) == 0)
        return true;
    if (!t->turns || (turn->count > 0 && !(over >> turn->axis & 1)) || t->prepared->gaps) /* gaps are elsewhere */
        return false;
    *turn = arc_moved(*turn, t->turn);
    return true;
}

/* For operators that use the ranks' own pieces along their axes. */
static bool keep_turn(const Transfer *t, Arc *turn)
{
    return turn->count == 0 || !(t->prepared->over >> turn->axis & 1);
}

/* For operators that go by position in the unit, as given by the rank's own range: they would take another rank's
 * elements for padding. */
static bool keep_range(const Transfer *t, Arc *turn)
{
    return turn->count == 0 || (keep_turn(t, turn) && !t->prepared->pads);
}

/* What each rank has for its own rows and its neighbours' becomes the sum. With copies, rows would count twice. */
static PoisonKind halo_add_term(Transfer *t, Term *term)
{
    AxisMask over = t->prepared->over;
    if (copies_term(t, term) != POISON_SILENT)
        return POISON_VARYING;
    if ((term->mask & over) != over) /* must be the rank's own part: windows do not work on other ranks' pieces */
        return POISON_CUT_REDUCED;
    term->mask &= ~over;
    if (term->mask == 0)
        term->decomp = NULL;
    return POISON_SILENT;
}

/* What all ranks have of a term, combined by the operator's reduction. */
static PoisonKind combine_term(Transfer *t, Term *term)
{
    switch (t->prepared->op->reduce) {
    case REDUCE_SUM:
        return reduce_term(t, term, t->prepared->over);
    case REDUCE_MAX:
        return maximum_term(t, term);
    }
    BUG("a reduction that is none");
}

static PoisonKind all_reduce_term(Transfer *t, Term *term)
{
    AxisMask over = t->prepared->over;
    return (over & t->table->copies) != 0 ? join_term(t, term, over) : combine_term(t, term); /* see copies.c */
}

static PoisonKind reduce_scatter_term(Transfer *t, Term *term)
{
    PoisonKind wrong = combine_term(t, term);
    return wrong != POISON_SILENT ? wrong : slice_term(t, term);
}

/* Operand a, with b in the position of this rank's piece: a, minus its own piece there, plus b there. */
static Combo *transfer_place(Transfer *t)
{
    bool timed;
    Time time = time_at(0);
    if (!operands_time(t, &timed, &time))
        return poison(t, POISON_TIME, -1, TIME_MASK);
    AxisMask over = t->prepared->over;
    Combo *result = combo_new(t->table);
    combo_add(t->table, result, t->operand[0], rational_make(1, 1), NULL);
    for (int i = 0; i < 2; i++) {
        int first = result->count;
        combo_add(t->table, result, t->operand[i], rational_make(i == 0 ? -1 : 1, 1), NULL);
        for (int j = first; j < result->count; j++) {
            Term *term = &result->term[j];
            if (over == 0)
                continue;
            if ((term->mask & over) != 0)
                return poison(t, POISON_PARTIAL_CUT, i, term->mask & over);
            if (term->mask & MAX_MASK) /* the zeros outside the piece may be the maximum */
                return poison(t, POISON_MAXIMUM, i, over);
            DecompPart part[OWN_PARTS + 1];
            int count = own_parts(t, part);
            if (term->mask != 0)
                part[count++] = (DecompPart){.index = 0, .inner = term->decomp};
            term->decomp = decomp_intern(t->table, part, count);
            term->mask |= over;
        }
    }
    return finish(t, result, timed, time);
}

/* How a collective acts: the rules named in step/collective.def, and how places meet under each. */
typedef struct TransferRule {
    Combo *(*run)(Transfer *t);                  /* on operands that are not poison */
    PoisonKind (*term)(Transfer *t, Term *term); /* on a single term */
    bool (*turn)(const Transfer *t, Arc *turn);  /* changes whose piece is held; false if that is unknown */
    Combo *(*meet)(Transfer *t, Combo *const *operand, int count); /* where places meet */
} TransferRule;

static const TransferRule *transfer_rule(const Transfer *t);

/* Term by term. */
static Combo *communicate(Transfer *t)
{
    const TransferRule *rule = transfer_rule(t);
    const Combo *operand = t->operand[0];
    Combo *result = combo_new(t->table);
    combo_add(t->table, result, operand, rational_make(1, 1), NULL);
    for (int i = 0; i < result->count && t->prepared->over != 0; i++) {
        PoisonKind wrong = rule->term(t, &result->term[i]);
        if (wrong != POISON_SILENT)
            return poison(t, wrong, 0, t->prepared->over);
    }
    if (operand->count > 0)
        result->turn = operand->turn;
    if (operand->count > 0 && !rule->turn(t, &result->turn))
        return poison(t, POISON_MOVED, 0, t->prepared->over);
    if (!join_alone(t, result))
        return poison(t, POISON_OVERFLOW, -1, 0);
    return finish(t, result, operand->timed, operand->time);
}

/* Pieces of different positions are not summed. */
static bool cut_is_reduced(const Transfer *t, const Combo *operand)
{
    return (t->prepared->passed & t->prepared->over) != 0 && operand->count > 0;
}

static Combo *all_reduce(Transfer *t)
{
    if (cut_is_reduced(t, t->operand[0]))
        return poison(t, POISON_CUT_REDUCED, 0, t->prepared->passed & t->prepared->over);
    return communicate(t);
}

static Combo *place(Transfer *t)
{
    for (int i = 0; i < t->prepared->op->operand_count; i++)
        if (t->operand[i]->count > 0 && t->operand[i]->turn.count > 0)
            return poison(t, POISON_MOVED, -1, t->prepared->over);
    return transfer_place(t);
}

Combo *transfer_communicate(Transfer *t)
{
    for (int i = 0; i < t->prepared->op->operand_count; i++)
        if (t->operand[i]->poison != NULL)
            return t->operand[i];
    return transfer_rule(t)->run(t);
}

/* ---- Where places meet -------------------------------------------------------------------------------------- */

static bool all_equal(Combo *const *operand, int count)
{
    for (int i = 1; i < count; i++)
        if (!combo_equal(operand[0], operand[i]))
            return false;
    return true;
}

/* The sum over places, after a sum over the group's other axes. Parts along the enumerated axes make up the whole if
 * every place has its own part with the same weight; copies along them count each. */
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
                return poison(t, wrong, 0, t->prepared->over);
            combo_push(t->table, (copy->term[j].mask & met) != 0 ? parts[i] : result, copy->term[j]);
        }
        combo_normalize(t->table, parts[i]); /* an overflow shows in the sum, too */
    }
    if (!all_equal(parts, count))
        return poison(t, POISON_VARYING, 0, met);
    for (int j = 0; j < parts[0]->count; j++) {
        Term term = parts[0]->term[j];
        PoisonKind wrong = reduce_term(t, &term, met);
        if (wrong != POISON_SILENT)
            return poison(t, wrong, 0, met);
        combo_push(t->table, result, term);
    }
    if (!join_alone(t, result))
        return poison(t, POISON_OVERFLOW, -1, 0);
    return finish(t, result, operand[0]->timed, operand[0]->time);
}

/* For values that must be the same on all places. */
static Combo *meet_alike(Transfer *t, Combo *const *operand, int count)
{
    if (!all_equal(operand, count))
        return poison(t, POISON_VARYING, 0, t->prepared->over);
    return communicate(t);
}

static Combo *meet_combine(Transfer *t, Combo *const *operand, int count)
{
    switch (t->prepared->op->reduce) {
    case REDUCE_SUM:
        return meet_sum(t, operand, count);
    case REDUCE_MAX:
        return meet_alike(t, operand, count);
    }
    BUG("a reduction that is none");
}

static Combo *meet_all_reduce(Transfer *t, Combo *const *operand, int count)
{
    for (int i = 0; i < count; i++)
        if (cut_is_reduced(t, operand[i]))
            return poison(t, POISON_CUT_REDUCED, 0, t->prepared->passed & t->prepared->over);
    return meet_combine(t, operand, count);
}

/* The machine decides which place gets whose operand (machine_place.c). */
static Combo *meet_hand_on(Transfer *t, Combo *const *operand, int count)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < operand[i]->count; j++)
            if (((operand[i]->term[j].mask | t->prepared->passed) & t->prepared->over) != 0)
                return poison(t, POISON_MOVED, 0, t->prepared->over);
    return operand[0];
}

/* The rule 'places': neighbours whose control flow differs. */
static Combo *meet_neighbours(Transfer *t, Combo *const *operand, int count)
{
    (void)operand, (void)count;
    return poison(t, POISON_MOVED, 0, t->prepared->over);
}

/* Turns follow other ranks' pieces along axes whose ranks do the same, not through what places compute together. */
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
            return poison(t, POISON_TIME, 0, TIME_MASK);
    if (any_turned(operand, count))
        return poison(t, POISON_MOVED, 0, t->prepared->over);
    return transfer_rule(t)->meet(t, operand, count);
}

/* ---- The rules of step/collective.def ----------------------------------------------------------------------- */

/* For functions that a rule never calls. */
static Combo *never_run(Transfer *t)
{
    BUG("'%s' is done where messages are (machine_place.c)", op_info[t->prepared->op->kind].name);
}

static PoisonKind never_term(Transfer *t, Term *term)
{
    (void)term;
    BUG("'%s' works on no single term", op_info[t->prepared->op->kind].name);
}

static bool never_turn(const Transfer *t, Arc *turn)
{
    (void)turn;
    BUG("'%s' works on no single operand", op_info[t->prepared->op->kind].name);
}

static Combo *never_meet(Transfer *t, Combo *const *operand, int count)
{
    (void)operand, (void)count;
    BUG("places do not meet in '%s'", op_info[t->prepared->op->kind].name);
}

static const TransferRule rule_slice = {communicate, slice_term, keep_range, never_meet};
static const TransferRule rule_place = {place, never_term, never_turn, never_meet};
static const TransferRule rule_all_reduce = {all_reduce, all_reduce_term, keep_turn, meet_all_reduce};
static const TransferRule rule_reduce_scatter = {communicate, reduce_scatter_term, keep_range, meet_combine};
static const TransferRule rule_gather = {communicate, gather_term, keep_range, meet_alike};
static const TransferRule rule_hand_on = {communicate, hand_on_term, hand_on_turn, meet_hand_on};
static const TransferRule rule_halo = {communicate, gather_term, keep_turn, meet_neighbours};
static const TransferRule rule_halo_add = {communicate, halo_add_term, keep_turn, meet_neighbours};
static const TransferRule rule_message = {never_run, never_term, never_turn, never_meet};

static const TransferRule *transfer_rule(const Transfer *t)
{
    switch (op_collective(t->prepared->op->kind)) {
#define COLLECTIVE(id, whole, piece, sums, peers, transfer, ...)                                                       \
    case COLLECTIVE_##id:                                                                                              \
        return &rule_##transfer;
#include "step/collective.def"
#undef COLLECTIVE
    }
    BUG("'%s' has no transfer rule", op_info[t->prepared->op->kind].name);
}

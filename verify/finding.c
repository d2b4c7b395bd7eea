/* finding.c - compares combinations, then descends into the operators that made them (verify/finding.h). */
#include "verify/finding.h"

#include "step/spec.h"

static Finding compare_combos(Table *table, const Combo *found, const Combo *expected, bool in_norm);

AxisMask finding_joins(const Value *value)
{
    bool joins = value->kind == VALUE_OP && value->op.form->kind == OP_ALL_REDUCE;
    return joins ? (AxisMask)value->op.form->immediate[0] : 0;
}

/* The combination that a folded sum names. */
static Combo *value_combo(Table *table, Value *value)
{
    if (value->kind != VALUE_SUM)
        return combo_value(table, value, rational_make(1, 1));
    Combo *combo = combo_new(table);
    for (int i = 0; i < value->sum.count; i++)
        combo_push(table, combo, value_sum_term(value, i));
    combo_normalize(table, combo);
    return combo;
}

static Finding compare_values(Table *table, Value *found, Value *expected, bool in_norm)
{
    Finding other = {.kind = FINDING_OTHER, .in_norm = in_norm, .found = found, .expected = expected};
    if (found->kind == VALUE_BOUND) {
        const Mono *mono = found->bound.mono;
        other.kind = mono != NULL && mono->factor[mono->count - 1].is_guard ? FINDING_GUARDED : FINDING_COUNTS;
        other.axes = found->bound.axes;
        return other;
    }
    if (found->kind == VALUE_INPUT && expected->kind == VALUE_INPUT && found->leaf.tensor == expected->leaf.tensor) {
        other.kind = FINDING_REPEATED;
        other.axes = found->leaf.repeated;
        return other;
    }
    if (found->kind == VALUE_INIT && expected->kind == VALUE_INIT && found->leaf.tensor == expected->leaf.tensor) {
        other.kind = FINDING_SEED;
        other.axes = found->varying;
        return other;
    }
    AxisMask joined = finding_joins(found), wanted = finding_joins(expected);
    if (joined != wanted) {
        other.kind = (joined & ~wanted) != 0 ? FINDING_JOINED : FINDING_APART;
        other.axes = (joined & ~wanted) != 0 ? joined & ~wanted : wanted & ~joined;
        return other;
    }
    if (found->kind == VALUE_STATE && expected->kind == VALUE_OP) {
        other.kind = FINDING_STALE;
        return other;
    }
    if (found->kind == VALUE_SUM || expected->kind == VALUE_SUM)
        return compare_combos(table, value_combo(table, found), value_combo(table, expected), in_norm);
    if (found->kind != VALUE_OP || expected->kind != VALUE_OP)
        return other;
    const Form *form = found->op.form, *wanted_form = expected->op.form;
    if (form->swapped != NULL && (form == wanted_form || form->swapped == wanted_form)) /* operands may be swapped */
        for (int i = 0; i < 2; i++)
            if (found->op.operand[i] == expected->op.operand[1 - i])
                return compare_combos(table, value_combo(table, found->op.operand[1 - i]),
                                      value_combo(table, expected->op.operand[i]), in_norm);
    if (form != wanted_form)
        return other;
    for (int i = 0; i < found->op.count; i++)
        if (found->op.operand[i] != expected->op.operand[i])
            return compare_combos(table, value_combo(table, found->op.operand[i]),
                                  value_combo(table, expected->op.operand[i]),
                                  in_norm || found->op.form->kind == OP_CLIP_FACTOR);
    return other;
}

static Term *find_value(const Combo *combo, const Value *value, Term *after)
{
    for (int i = after == NULL ? 0 : (int)(after - combo->term) + 1; i < combo->count; i++)
        if (combo->term[i].value == value)
            return &combo->term[i];
    return NULL;
}

static bool term_is_whole(const Term *term)
{
    return term->mask == 0 && term->mono == NULL;
}

/* ---- Parts of fused dims ------------------------------------------------------------------------------------ */

/* For a value that is the part of `whole` before some element of a fused dim, and zero from there on
 * (verify/transfer_segment.c): returns the whole, and the form that took the part. */
static Value *value_below(const Value *value, const Form **take)
{
    if (value->kind != VALUE_OP || value->op.form->kind != OP_SEGMENT_BWD || value->op.form->immediate[0] != 0)
        return NULL;
    value = value->op.operand[0];
    if (value->kind != VALUE_OP || value->op.form->kind != OP_SEGMENT || value->op.form->immediate[0] != 0)
        return NULL;
    *take = value->op.form;
    return value->op.operand[0];
}

/* The element at which the part ends. */
static int64_t form_end(const Form *take)
{
    return take->sizes[take->letter_count - 1];
}

/* The next element after `at` from which the combination has different terms of `whole`. */
static int64_t next_end(const Combo *combo, const Value *whole, int64_t at, int64_t size)
{
    int64_t next = size;
    for (int i = 0; i < combo->count; i++) {
        const Form *take = NULL;
        if (value_below(combo->term[i].value, &take) == whole && form_end(take) > at && form_end(take) < next)
            next = form_end(take);
    }
    return next;
}

/* The combination as it is at element `at`. */
static Combo *combo_at(Table *table, const Combo *combo, Value *whole, int64_t at)
{
    Combo *there = combo_new(table);
    for (int i = 0; i < combo->count; i++) {
        Term term = combo->term[i];
        const Form *take = NULL;
        bool below = value_below(term.value, &take) == whole;
        if (below && form_end(take) <= at)
            continue;
        if (below) {
            term.value = whole;
            term.decomp = term.mask != 0 ? (Decomp *)term.decomp->part[0].inner->part[0].inner : NULL;
        }
        combo_push(table, there, term);
    }
    return combo_settle(table, there);
}

/* Are all segments in the combination leading parts of `whole`, with partial sums like its own? */
static bool holds_parts_of(const Combo *combo, const Value *whole)
{
    for (int i = 0; i < combo->count; i++) {
        const Term *term = &combo->term[i];
        const Form *take = NULL;
        if (term->value->kind != VALUE_OP || term->value->op.form->kind != OP_SEGMENT_BWD)
            continue;
        if (value_below(term->value, &take) != whole)
            return false;
        const Decomp *inner = term->mask != 0 ? term->decomp->part[0].inner : NULL;
        if (term->mask != 0 && (inner == NULL || inner->part[0].inner == NULL))
            return false;
    }
    return true;
}

/* Where parts of a fused dim have different faults: the first part that is wrong, alone; otherwise the combination. */
static const Combo *first_wrong_part(Table *table, const Combo *found, const Combo *expected, Finding *finding)
{
    Value *whole = NULL;
    const Form *take = NULL;
    for (int i = 0; i < found->count && whole == NULL; i++)
        whole = value_below(found->term[i].value, &take);
    if (whole == NULL || !holds_parts_of(found, whole))
        return found;
    SpecLetters own = spec_letters(take->spec, 0), part = spec_letters(take->spec, SPEC_RESULT);
    int dim = 0;
    while (own.at[dim] == part.at[dim])
        dim++;
    for (int64_t at = 0, size = take->sizes[dim], end; at < size; at = end) {
        end = next_end(found, whole, at, size);
        Combo *there = combo_at(table, found, whole, at);
        if (combo_equal(there, expected))
            continue;
        finding->part_dim = dim;
        finding->part_first = at;
        finding->part_end = end;
        finding->part_of = size;
        return there;
    }
    return found;
}

/* The first partial term, or else the first term. */
static const Term *first_part(const Combo *combo)
{
    for (int i = 0; i < combo->count; i++)
        if (combo->term[i].mask & MESH_MASK)
            return &combo->term[i];
    return combo->count > 0 ? &combo->term[0] : NULL;
}

/* Why an operator has no result. For a partial operand: the reduction that is missing. */
static Finding undone(const Poison *poison, bool in_norm)
{
    Finding finding = {.kind = FINDING_POISON, .poison = poison, .axes = poison->axes & MESH_MASK, .in_norm = in_norm};
    if (poison->kind == POISON_PARTIAL_OPERAND && poison->op != NULL) {
        finding.kind = FINDING_PARTIAL;
        finding.in_norm = in_norm || poison->op->kind == OP_CLIP_FACTOR || poison->op->kind == OP_SUM_SQUARES;
        finding.level = poison->cause;
        finding.wanted = rational_make(1, 1);
        const Term *part = poison->cause != NULL ? first_part(poison->cause) : NULL;
        if (part != NULL) {
            finding.found = part->value;
            finding.wanted = part->coefficient;
        }
    }
    return finding;
}

/* An operator that is jointly linear in several operands makes parts of parts (transfer_jointly), where one device
 * multiplies whole values: a reduction of that operand is missing. NULL: this is not the case. */
static const Poison *part_alone(Table *table, const Combo *found, const Value *together)
{
    const Form *form = together->kind == VALUE_OP ? together->op.form : NULL;
    for (int i = 0; form != NULL && form->jointly != 0 && i < found->count; i++) {
        const Term *term = &found->term[i];
        if ((term->mask & MESH_MASK) == 0 || term->value->kind != VALUE_OP || term->value->op.form != form)
            continue;
        const DecompPart *part = &term->decomp->part[0];
        if (part->inner == NULL || part->index < 0 || !(form->jointly >> part->index & 1))
            continue;
        Term own = *term;
        own.value = term->value->op.operand[part->index];
        own.decomp = (Decomp *)part->inner;
        Combo *operand = combo_new(table);
        combo_push(table, operand, own);
        return combo_poison(table, POISON_PARTIAL_OPERAND, term->value->origin, part->index, term->mask, operand)
            ->poison;
    }
    return NULL;
}

/* ---- Terms -------------------------------------------------------------------------------------------------- */

/* All terms are of one expected value, but none is exactly that value. */
static Finding compare_terms(const Table *table, const Combo *found, Term *first, const Term *expected, bool in_norm)
{
    AxisMask mesh = MESH_MASK;
    Finding finding = {.in_norm = in_norm, .found = first->value, .expected = first->value, .term = first};
    finding.ratio = rational_divide(first->coefficient, expected->coefficient);
    finding.low = first->low;
    finding.high = first->high;
    finding.level = found;
    finding.wanted = expected->coefficient;
    AxisMask some = 0, all = mesh;
    bool place = false, one_weight = true, timed = false, all_times = false;
    Time reached = time_at(0);
    for (Term *term = first; term != NULL; term = find_value(found, first->value, term)) {
        if (term->mono != NULL) {
            finding.kind = term->mono->factor[term->mono->count - 1].is_guard ? FINDING_GUARDED : FINDING_COUNTS;
            finding.axes = term->mono->axes;
            finding.term = term;
            return finding;
        }
        if ((term->mask & TIME_MASK) && time_equal(term->low, reached))
            reached = term->high;
        timed |= (term->mask & TIME_MASK) != 0;
        all_times |= (term->mask & TIME_MASK) == 0;
        some |= term->mask & mesh;
        all &= term->mask & mesh;
        one_weight &= rational_equal(term->coefficient, first->coefficient);
        place |= term->decomp != NULL && term->decomp->part[0].index <= DECOMP_PLACE_UNIT;
        if ((term->mask & mesh) != 0 && (finding.term->mask & mesh) == 0) {
            finding.term = term;
            finding.low = term->low;
            finding.high = term->high;
        }
    }
    finding.axes = some;
    finding.covered = all_times || time_equal(reached, time_at((int32_t)table->micro));
    if (place)
        finding.kind = FINDING_PLACE;
    else if (some != 0 && some != all)
        finding.kind = FINDING_LATE;
    else if (some != 0)
        finding.kind = FINDING_PARTIAL;
    else if (timed || !one_weight)
        finding.kind = FINDING_TIME;
    else
        finding.kind = FINDING_WEIGHT;
    return finding;
}

static Finding compare_wholes(Table *table, const Combo *found, const Combo *expected, bool in_norm);

static Finding compare_combos(Table *table, const Combo *found, const Combo *expected, bool in_norm)
{
    Finding part = {0};
    found = first_wrong_part(table, found, expected, &part);
    Finding finding = compare_wholes(table, found, expected, in_norm);
    if (part.part_end > 0) {
        finding.part_dim = part.part_dim;
        finding.part_first = part.part_first;
        finding.part_end = part.part_end;
        finding.part_of = part.part_of;
    }
    return finding;
}

static Finding compare_wholes(Table *table, const Combo *found, const Combo *expected, bool in_norm)
{
    const Term *missing = NULL, *surplus = NULL;
    for (int i = 0; i < expected->count; i++) {
        const Term *wanted = &expected->term[i];
        Term *first = find_value(found, wanted->value, NULL);
        if (first == NULL) {
            missing = missing != NULL ? missing : wanted;
            continue;
        }
        if (term_is_whole(first) && find_value(found, wanted->value, first) == NULL &&
            rational_equal(first->coefficient, wanted->coefficient))
            continue;
        return compare_terms(table, found, first, wanted, in_norm);
    }
    for (int i = 0; i < found->count && surplus == NULL; i++)
        if (find_value(expected, found->term[i].value, NULL) == NULL)
            surplus = &found->term[i];
    if (missing != NULL && surplus != NULL && surplus->mono != NULL)
        return (Finding){.kind = surplus->mono->factor[surplus->mono->count - 1].is_guard ? FINDING_GUARDED
                                                                                          : FINDING_COUNTS,
                         .in_norm = in_norm,
                         .axes = surplus->mono->axes,
                         .found = surplus->value,
                         .expected = missing->value};
    const Poison *alone = missing != NULL ? part_alone(table, found, missing->value) : NULL;
    if (alone != NULL)
        return undone(alone, in_norm);
    if (missing != NULL && surplus != NULL) {
        Finding finding = compare_values(table, surplus->value, missing->value, in_norm);
        Rational ratio = rational_divide(surplus->coefficient, missing->coefficient);
        if (finding.kind == FINDING_WEIGHT && finding.in_norm && !in_norm && !rational_is(ratio, 1) &&
            rational_equal(finding.ratio, rational_multiply(ratio, ratio)))
            return (Finding){.kind = FINDING_WEIGHT, /* of the gradient: the norm only follows from it */
                             .ratio = ratio,
                             .found = surplus->value,
                             .expected = missing->value,
                             .term = surplus,
                             .level = found,
                             .wanted = missing->coefficient};
        if (finding.kind == FINDING_COUNTS && finding.level == NULL) {
            finding.level = found;
            finding.wanted = missing->coefficient;
        } else if (finding.kind == FINDING_COUNTS && !finding.in_norm) {
            finding.wanted = rational_divide(finding.wanted, ratio);
        }
        if ((finding.kind == FINDING_JOINED || finding.kind == FINDING_APART) && finding.level == NULL) {
            finding.level = found;
            finding.aim = expected;
        }
        return finding;
    }
    return (Finding){.kind = FINDING_OTHER,
                     .in_norm = in_norm,
                     .term = surplus,
                     .level = found,
                     .found = surplus != NULL ? surplus->value : NULL,
                     .expected = missing != NULL ? missing->value : NULL};
}

/* The coefficient that one device's value has where some update reads it, clipped or not; `otherwise` if that is not
 * visible. */
static Rational expected_weight(Table *table, const Faults *faults, const Value *value, Rational otherwise)
{
    for (int i = 0; i < faults->list.count; i++) {
        const Combo *expected = faults->list.data[i].expected;
        if (faults->list.data[i].kind != FAULT_GRADIENT || expected->count == 0)
            continue;
        const Term *term = find_value(expected, value, NULL);
        if (term != NULL)
            return term->coefficient;
        const Value *clipped = expected->term[0].value;
        if (clipped->kind != VALUE_OP || clipped->op.form->kind != OP_MUL)
            continue;
        term = find_value(value_combo(table, clipped->op.operand[0]), value, NULL);
        if (term != NULL)
            return rational_multiply(term->coefficient, expected->term[0].coefficient);
    }
    return otherwise;
}

/* A partial gradient that is squared or cut as if it were reduced: the fault is the gradient's. */
static bool is_gradient_poison(const Poison *poison)
{
    if (poison->op == NULL || poison->cause == NULL || poison->cause->poison != NULL || poison->cause->count == 0)
        return false;
    return (poison->kind == POISON_PARTIAL_OPERAND && poison->op->kind == OP_SUM_SQUARES) ||
           (poison->kind == POISON_PARTIAL_CUT && poison->op->kind == OP_SLICE);
}

/* The fault of a partial operand is where the operand came from, and a norm's is in the norm. */
static Finding poisoned(Table *table, const Faults *faults, const Poison *poison, bool in_norm)
{
    if (is_gradient_poison(poison)) {
        Term *first = &poison->cause->term[0], wanted = {.value = first->value};
        wanted.coefficient = expected_weight(table, faults, first->value, first->coefficient);
        Finding found = compare_terms(table, poison->cause, first, &wanted, false);
        found.sliced = poison->op->kind == OP_SLICE;
        found.squared = poison->op->kind == OP_SUM_SQUARES ? poison->op : NULL;
        if ((found.axes != 0 || found.kind == FINDING_TIME) && found.kind != FINDING_PLACE)
            return found;
    }
    return undone(poison, in_norm);
}

Finding finding_of(Table *table, const Faults *faults, const Fault *fault, bool in_norm)
{
    const Combo *found = fault->found, *expected = fault->expected;
    if (fault->apart != 0)
        return (Finding){.kind = FINDING_PARTIAL, .axes = fault->apart, .ratio = {1, 1}, .in_norm = in_norm};
    if (found->poison != NULL)
        return poisoned(table, faults, found->poison, in_norm);
    if (expected == NULL || expected->poison != NULL)
        return (Finding){.kind = FINDING_OTHER, .in_norm = in_norm};
    return compare_combos(table, found, expected, in_norm);
}

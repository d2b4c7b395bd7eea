/* combo.c - the normal form of combinations (verify/combo.h).
 *
 * Terms are sorted and merged: those of one value and placement become one, adjacent moments and arcs are joined, and a
 * term that has all its parts is no longer partial. Equal contents then have equal terms.
 */
#include "verify/combo.h"

#include <stdlib.h>
#include <string.h>

/* ---- Making combinations ------------------------------------------------------------------------------------ */

Combo *combo_new(Table *table)
{
    Combo *combo = arena_make(table->scratch, Combo);
    combo->normal = true;
    return combo;
}

Combo *combo_poison(Table *table, PoisonKind kind, const Op *op, int operand, AxisMask axes, Combo *cause)
{
    Poison *poison = arena_make(table->scratch, Poison);
    *poison = (Poison){.kind = kind, .op = op, .operand = operand, .axes = axes, .cause = cause};
    Combo *combo = combo_new(table);
    combo->poison = poison;
    return combo;
}

/* Normal form: there is no term with coefficient 0. */
Combo *combo_value(Table *table, Value *value, Rational coefficient)
{
    Combo *combo = combo_new(table);
    if (coefficient.numerator != 0)
        combo_push(table, combo, (Term){.value = value, .coefficient = coefficient});
    combo_normalize(table, combo);
    return combo;
}

/* Compares everything but ranges of time, arcs and coefficients. */
static int term_compare_key(const Term *a, const Term *b)
{
    COMPARE(a->value->id, b->value->id);
    COMPARE(a->mask, b->mask);
    COMPARE(a->decomp != NULL ? a->decomp->id : 0, b->decomp != NULL ? b->decomp->id : 0);
    COMPARE(a->mono != NULL ? a->mono->id : 0, b->mono != NULL ? b->mono->id : 0);
    return 0;
}

static int term_compare(const void *left, const void *right)
{
    const Term *a = left, *b = right;
    int order = term_compare_key(a, b);
    if (order != 0)
        return order;
    COMPARE(a->arc.axis, b->arc.axis);
    COMPARE(a->arc.first, b->arc.first);
    COMPARE(a->arc.count, b->arc.count);
    if (!(a->mask & TIME_MASK))
        return 0;
    COMPARE(a->low.coefficient, b->low.coefficient);
    COMPARE(a->low.constant, b->low.constant);
    COMPARE(a->high.coefficient, b->high.coefficient);
    COMPARE(a->high.constant, b->high.constant);
    return 0;
}

/* Makes room for `extra` more terms. */
static void combo_reserve(Table *table, Combo *combo, int extra)
{
    int need = combo->count + extra;
    if (combo->array != NULL && combo->array->used == combo->count && need <= combo->array->capacity)
        return;
    TermArray *array = arena_make(table->scratch, TermArray);
    array->capacity = combo->count <= 4 ? need : 2 * need;
    array->data = arena_array(table->scratch, Term, array->capacity);
    if (combo->count > 0)
        memcpy(array->data, combo->term, sizeof(Term) * (size_t)combo->count);
    array->used = combo->count;
    combo->array = array;
    combo->term = array->data;
    combo->borrowed = false;
}

Combo *combo_extend(Table *table, const Combo *from)
{
    Combo *combo = combo_new(table);
    combo->array = from->array;
    combo->term = from->term;
    combo->count = combo->settled = from->count;
    combo->borrowed = true;
    combo->turn = from->turn;
    bool folded = from->folded != NULL && from->count > 1;
    combo->known = folded ? from->folded : from->known;
    combo->known_count = folded ? from->count : from->known_count;
    return combo;
}

bool combo_follow(Combo *combo, const Combo *from)
{
    const TermArray *array = combo->array;
    if (!combo->borrowed || array == NULL || array->data != combo->term || array->used < combo->count + from->count)
        return false;
    for (int i = 0; i < from->count; i++) {
        const Term *next = &array->data[combo->count + i], *term = &from->term[i];
        if (term_compare(next, term) != 0 || !rational_equal(next->coefficient, term->coefficient))
            return false;
    }
    combo->count += from->count;
    combo->normal = from->count == 0 && combo->normal;
    return true;
}

void combo_push(Table *table, Combo *combo, Term term)
{
    combo_reserve(table, combo, 1);
    combo->term[combo->count++] = term;
    combo->array->used = combo->count;
    combo->normal = false;
}

void combo_add(Table *table, Combo *combo, const Combo *from, Rational coefficient, Mono *mono)
{
    if (from->count == 0)
        return;
    combo_reserve(table, combo, from->count);
    int first = combo->count;
    memcpy(&combo->term[first], from->term, sizeof(Term) * (size_t)from->count);
    combo->count += from->count;
    combo->array->used = combo->count;
    combo->normal = false;
    for (int i = first; i < combo->count && (!rational_is(coefficient, 1) || mono != NULL); i++) {
        Term *term = &combo->term[i];
        term->coefficient = rational_multiply(term->coefficient, coefficient);
        term->mono = mono_multiply(table, term->mono, mono);
    }
}

/* ---- Normal form -------------------------------------------------------------------------------------------- */

/* Normal form: terms sorted. New ones mostly have the highest ids: insertion within a budget of moves, then qsort. */
static void combo_sort(Combo *combo)
{
    int moves = 8 * combo->count;
    for (int i = 1; i < combo->count; i++) {
        if (term_compare(&combo->term[i - 1], &combo->term[i]) <= 0)
            continue;
        Term term = combo->term[i];
        int j = i;
        for (; j > 0 && term_compare(&combo->term[j - 1], &term) > 0; j--)
            combo->term[j] = combo->term[j - 1];
        combo->term[j] = term;
        moves -= i - j;
        if (moves < 0) {
            qsort(combo->term, (size_t)combo->count, sizeof(Term), term_compare);
            return;
        }
    }
}

/* Normal form: prepends the arc `before` if it ends where the term's begins, around the circle. */
static bool term_join_before(Term *term, Arc before)
{
    if (!arc_join(&before, term->arc))
        return false;
    term->arc = before;
    return true;
}

/* Normal form: adds b into a if the result is one term again. */
static bool term_merge(Term *a, const Term *b)
{
    if (term_compare_key(a, b) != 0)
        return false;
    bool same_arc = arc_equal(a->arc, b->arc);
    if (!(a->mask & TIME_MASK) || (time_equal(a->low, b->low) && time_equal(a->high, b->high))) {
        if (!same_arc)
            return !(a->mask & MAX_MASK) && rational_equal(a->coefficient, b->coefficient) &&
                   (arc_join(&a->arc, b->arc) || term_join_before(a, b->arc));
        a->coefficient = rational_add(a->coefficient, b->coefficient);
        return true;
    }
    if (same_arc && time_equal(a->high, b->low) && rational_equal(a->coefficient, b->coefficient)) {
        a->high = b->high;
        return true;
    }
    return false;
}

/* Normal form: does the term have all parts? */
static bool term_is_complete(const Table *table, const Term *term)
{
    if (term->arc.count > 1 && term->arc.count == term->arc.size)
        return true;
    return (term->mask & TIME_MASK) && time_equal(term->low, time_at(0)) &&
           time_equal(term->high, time_at((int32_t)table->micro));
}

/* Normal form: a term that has all parts, of the microbatches or of an axis, is no longer partial there. */
static void term_complete(Term *term)
{
    if (term->arc.count > 1 && term->arc.count == term->arc.size) {
        term->mask &= ~((AxisMask)1 << term->arc.axis);
        term->arc = (Arc){0};
    } else {
        term->mask &= ~TIME_MASK;
        term->low = term->high = time_at(0);
    }
    if (term->mask == 0)
        term->decomp = NULL;
}

/* Normal form: a term that is 0 is dropped. */
static bool term_is_zero(const Term *term)
{
    return term->coefficient.numerator == 0 && rational_fits(term->coefficient);
}

/* Normal form: new terms usually belong after the old ones, and then there is nothing to merge. */
static bool combo_merges(const Table *table, const Combo *combo)
{
    for (int i = combo->settled; i < combo->count; i++) {
        const Term *term = &combo->term[i];
        if (term_is_zero(term) || !rational_fits(term->coefficient) || term_is_complete(table, term) ||
            (i > 0 && term_compare_key(term - 1, term) >= 0))
            return true;
    }
    return false;
}

/* Normal form: one pass of sorting and merging; true if it changed a placement, so that another pass is needed. */
static bool combo_merge(const Table *table, Combo *combo)
{
    bool again = false;
    int last = 0, count = 0;
    combo_sort(combo);
    for (int i = 1; i < combo->count; i++) {
        Arc before = combo->term[last].arc;
        if (term_merge(&combo->term[last], &combo->term[i]))
            again |= !arc_equal(before, combo->term[last].arc);
        else
            combo->term[++last] = combo->term[i];
    }
    for (int i = 0; i <= last && i < combo->count; i++) {
        Term *term = &combo->term[i];
        if (term_is_zero(term))
            continue;
        if (term_is_complete(table, term)) {
            term_complete(term);
            again = true;
        }
        combo->term[count++] = *term;
    }
    combo->count = count;
    return again;
}

/* Normal form: passes until one changes nothing. */
bool combo_normalize(Table *table, Combo *combo)
{
    if (combo->normal)
        return true;
    bool fits = true;
    if (combo_merges(table, combo)) {
        combo->known = NULL;
        combo->known_count = 0;
        if (combo->borrowed) { /* shared terms must not change: copy them */
            combo->array = NULL;
            combo_reserve(table, combo, 0);
        }
        while (combo_merge(table, combo))
            ;
        if (combo->array != NULL)
            combo->array->used = combo->count;
        for (int i = 0; i < combo->count; i++)
            fits &= rational_fits(combo->term[i].coefficient);
    }
    combo->settled = combo->count;
    combo->normal = true;
    return fits;
}

Combo *combo_settle(Table *table, Combo *combo)
{
    if (!combo_normalize(table, combo))
        return combo_poison(table, POISON_OVERFLOW, NULL, -1, 0, NULL);
    return combo;
}

/* ---- Comparing and moving ----------------------------------------------------------------------------------- */

bool combo_equal(const Combo *a, const Combo *b)
{
    if (a == b)
        return true;
    if (a->poison != NULL || b->poison != NULL || a->count != b->count)
        return false;
    if (a->timed != b->timed) /* if both are timed, their times are known to be equal, or are relative to themselves */
        return false;
    if (!arc_equal(a->turn, b->turn))
        return false;
    if (a->folded != NULL && b->folded != NULL && a->count > 0 && a->term[0].mask == 0 && b->term[0].mask == 0)
        return a->folded == b->folded && a->term[0].mono == b->term[0].mono &&
               rational_equal(a->term[0].coefficient, b->term[0].coefficient);
    for (int i = 0; i < a->count; i++)
        if (term_compare(&a->term[i], &b->term[i]) != 0 ||
            !rational_equal(a->term[i].coefficient, b->term[i].coefficient))
            return false;
    return true;
}

uint64_t combo_hash(const Combo *combo)
{
    uint64_t hash = hash_mix(7, combo->timed ? (uint64_t)combo->time.constant + 1 : 0);
    hash = hash_mix(hash, (uint64_t)(combo->turn.first + combo->turn.axis));
    if (combo->folded != NULL && combo->term[0].mask == 0) /* says everything but the weight */
        return hash_mix(hash, combo->folded->id);
    for (int i = 0; i < combo->count; i++) {
        const Term *term = &combo->term[i];
        hash = hash_mix(hash, (uint64_t)term->value->id << 32 | term->mask);
        hash = hash_mix(hash, (uint64_t)(term->decomp != NULL ? term->decomp->id : 0) << 32 |
                                  (term->mono != NULL ? term->mono->id : 0));
        hash = hash_mix(hash, (uint64_t)term->coefficient.numerator * 31 + (uint64_t)term->coefficient.denominator);
        if (term->arc.count > 0)
            hash = hash_mix(hash, (uint64_t)(uint32_t)term->arc.first << 32 | (uint32_t)term->arc.count);
        if (term->mask & TIME_MASK)
            hash = hash_mix(hash, (uint64_t)(uint32_t)term->low.constant << 32 | (uint32_t)term->high.constant);
    }
    return hash;
}

static Time time_shift(Time time, int64_t by, bool number)
{
    return (Time){number ? 0 : time.coefficient, (int32_t)(time.constant + time.coefficient * by)};
}

/* Is some term partial in time? */
static bool combo_is_ranged(const Combo *combo)
{
    for (int i = 0; i < combo->count; i++)
        if (combo->term[i].mask & TIME_MASK)
            return true;
    return false;
}

Combo *combo_shift(Table *table, const Combo *from, int64_t by, bool number)
{
    if (from->poison != NULL)
        BUG("what is not known has been moved");
    if (from->normal && !(from->canonical ? from->ranged : combo_is_ranged(from))) {
        Combo *same = combo_extend(table, from);
        same->folded = from->folded;
        same->whole = from->whole;
        same->timed = from->timed;
        same->time = time_shift(from->time, by, number);
        return same;
    }
    Combo *combo = combo_new(table);
    combo_add(table, combo, from, rational_make(1, 1), NULL);
    combo->timed = from->timed;
    combo->time = time_shift(from->time, by, number);
    combo->turn = from->turn;
    combo->relative = from->relative && !number;
    for (int i = 0; i < combo->count; i++) {
        combo->term[i].low = time_shift(combo->term[i].low, by, number);
        combo->term[i].high = time_shift(combo->term[i].high, by, number);
    }
    combo->normal = false;
    combo->settled = 0;
    combo_normalize(table, combo);
    return combo;
}

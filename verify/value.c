/* value.c - the tables of value.h: hash-consing, and the normal form of combinations. */
#include "verify/value.h"

#include <stdlib.h>
#include <string.h>

/* ---- Hashing ------------------------------------------------------------------------------------------------ */

/* For functions that decide which of two comes first: returns if these differ. */
#define COMPARE(a, b)                                                                                                  \
    if ((a) != (b))                                                                                                    \
    return (a) < (b) ? -1 : 1

static uint64_t hash_double(uint64_t hash, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return hash_mix(hash, bits);
}

static uint64_t hash_cuts(uint64_t hash, const Cuts *cuts)
{
    for (int i = 0; i < cuts->count; i++)
        hash = hash_mix(hash, (uint64_t)cuts->axis[i] + 1);
    for (int i = 0; cuts->segments != NULL && i < cuts->segments->count; i++)
        hash = hash_mix(hash, (uint64_t)cuts->segments->size[i]);
    return hash_mix(hash, (uint64_t)cuts->count);
}

AxisMask copies_axes(const Decls *decls)
{
    AxisMask copies = 0;
    for (int a = 0; a < decls->axes.count; a++)
        copies |= decls->axes.data[a].copies ? (AxisMask)1 << a : 0;
    return copies;
}

Table *table_new(Arena *arena, StrTable *strings, const Decls *decls)
{
    Table *table = arena_make(arena, Table);
    table->arena = table->scratch = arena;
    table->strings = strings;
    table->micro = 1;
    table->copies = copies_axes(decls);
    table->input_rows = arena_array(arena, int64_t, decls->tensors.count + 1);
    table->value_capacity = 1024;
    table->values = arena_array(arena, Value *, table->value_capacity);
    return table;
}

/* ---- Forms -------------------------------------------------------------------------------------------------- */

static bool form_equal(const Form *a, const Form *b)
{
    if (a->kind != b->kind || a->spec != b->spec) /* then they have equally many letters and immediates */
        return false;
    if (memcmp(a->sizes, b->sizes, sizeof(*a->sizes) * (size_t)a->letter_count) != 0)
        return false;
    return memcmp(a->immediate, b->immediate, sizeof(double) * (size_t)a->immediate_count) == 0;
}

/* The groups of more than one letter. */
unsigned op_jointly_linear(OpKind kind)
{
    unsigned which = 0;
    for (const char *at = op_info[kind].linear; *at != '\0';) {
        size_t length = strcspn(at, " ");
        for (size_t i = 0; i < length && length > 1; i++)
            which |= 1u << (at[i] - 'a');
        at += length + (at[length] == ' ');
    }
    return which;
}

Form *form_intern(Table *table, const Form *key)
{
    uint64_t hash = hash_mix(key->kind, (uint64_t)(uintptr_t)key->spec);
    for (int i = 0; i < key->letter_count; i++)
        hash = hash_mix(hash, (uint64_t)key->sizes[i]);
    for (int i = 0; i < key->immediate_count; i++)
        hash = hash_double(hash, key->immediate[i]);
    Form **bucket = &table->forms[hash % 256];
    for (Form *form = *bucket; form != NULL; form = form->next)
        if (form_equal(form, key))
            return form;
    Form *form = arena_make(table->arena, Form);
    *form = *key;
    int64_t *sizes = arena_array(table->arena, int64_t, key->letter_count + 1);
    memcpy(sizes, key->sizes, sizeof(*sizes) * (size_t)key->letter_count);
    form->sizes = sizes;
    form->jointly = op_jointly_linear(key->kind);
    form->id = table->next_id++;
    form->next = *bucket;
    *bucket = form;
    return form;
}

/* ---- Values ------------------------------------------------------------------------------------------------- */

static uint64_t value_hash(const Value *key)
{
    uint64_t hash = hash_mix(17, key->kind);
    switch (key->kind) {
    case VALUE_ONES:
    case VALUE_POSITION:
        return hash;
    case VALUE_COPY:
        return hash_mix(hash, (uint64_t)key->copy_axis);
    case VALUE_NUMBER:
        return hash_double(hash, key->number);
    case VALUE_INPUT:
    case VALUE_STATE:
    case VALUE_INIT:
        hash = hash_mix(hash, (uint64_t)(key->leaf.state + 1));
        hash = hash_mix(hash, (uint64_t)(key->leaf.tensor + 1));
        hash = hash_mix(hash, (uint64_t)key->leaf.layer);
        hash = hash_mix(hash, key->leaf.repeated);
        hash = hash_mix(hash, key->leaf.reading != NULL ? key->leaf.reading->id : 0);
        return hash_mix(hash, (uint64_t)key->leaf.seed.base);
    case VALUE_SUM:
        hash = key->sum.first != NULL ? key->sum.first->hash : hash;
        for (int i = 0; i < key->sum.own; i++) {
            uint64_t weight =
                (uint64_t)key->sum.coefficient[i].numerator * 31 + (uint64_t)key->sum.coefficient[i].denominator;
            hash = hash_mix(hash, weight << 32 ^ key->sum.value[i]->id);
        }
        return hash;
    case VALUE_OP:
        hash = hash_mix(hash, key->op.form->id);
        for (int i = 0; i < key->op.count; i++)
            hash = hash_mix(hash, key->op.operand[i]->id);
        return hash;
    case VALUE_BOUND:
        hash = hash_mix(hash, key->bound.value->id);
        hash = hash_mix(hash, key->bound.decomp != NULL ? key->bound.decomp->id : 0);
        hash = hash_mix(hash, key->bound.mono != NULL ? key->bound.mono->id : 0);
        return hash_mix(hash, key->bound.mask * 4096 + key->bound.axes);
    }
    BUG("value kind %d", key->kind);
}

Term value_sum_term(const Value *sum, int index)
{
    while (index < sum->sum.count - sum->sum.own)
        sum = sum->sum.first;
    int own = index - (sum->sum.count - sum->sum.own);
    return (Term){.value = sum->sum.value[own], .coefficient = sum->sum.coefficient[own]};
}

/* Backwards from the last term, to where both continue with the same sum. */
static bool sum_same(const Value *a, const Value *b)
{
    if (a->sum.count != b->sum.count)
        return false;
    int i = a->sum.own, j = b->sum.own;
    while (a != NULL && b != NULL && !(a == b && i == j)) {
        if (i == 0) {
            a = a->sum.first;
            i = a != NULL ? a->sum.own : 0;
        } else if (j == 0) {
            b = b->sum.first;
            j = b != NULL ? b->sum.own : 0;
        } else {
            i--, j--;
            if (a->sum.value[i] != b->sum.value[j] || !rational_equal(a->sum.coefficient[i], b->sum.coefficient[j]))
                return false;
        }
    }
    return true;
}

static bool value_same(const Value *a, const Value *b)
{
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case VALUE_ONES:
    case VALUE_POSITION:
        return true;
    case VALUE_NUMBER:
        return memcmp(&a->number, &b->number, sizeof a->number) == 0;
    case VALUE_COPY:
        return a->copy_axis == b->copy_axis;
    case VALUE_INPUT:
    case VALUE_STATE:
    case VALUE_INIT:
        return a->leaf.state == b->leaf.state && a->leaf.tensor == b->leaf.tensor && a->leaf.layer == b->leaf.layer &&
               a->leaf.repeated == b->leaf.repeated && a->leaf.reading == b->leaf.reading &&
               memcmp(&a->leaf.seed, &b->leaf.seed, sizeof(Seed)) == 0;
    case VALUE_SUM:
        return sum_same(a, b);
    case VALUE_OP:
        if (a->op.form != b->op.form)
            return false;
        for (int i = 0; i < a->op.count; i++)
            if (a->op.operand[i] != b->op.operand[i])
                return false;
        return true;
    case VALUE_BOUND:
        return a->bound.value == b->bound.value && a->bound.decomp == b->bound.decomp &&
               a->bound.mask == b->bound.mask && a->bound.axes == b->bound.axes && a->bound.mono == b->bound.mono;
    }
    BUG("value kind %d", a->kind);
}

static void value_grow(Table *table)
{
    uint32_t capacity = table->value_capacity * 4;
    Value **values = arena_array(table->arena, Value *, capacity);
    for (uint32_t i = 0; i < table->value_capacity; i++)
        for (Value *value = table->values[i], *next; value != NULL; value = next) {
            next = value->next;
            value->next = values[value->hash & (capacity - 1)];
            values[value->hash & (capacity - 1)] = value;
        }
    table->values = values;
    table->value_capacity = capacity;
}

/* The one object equal to *key; if it is new, a copy, including the lists of a sum. */
static Value *value_intern(Table *table, Value *key)
{
    key->hash = value_hash(key);
    for (Value *value = table->values[key->hash & (table->value_capacity - 1)]; value != NULL; value = value->next)
        if (value->hash == key->hash && value_same(value, key))
            return value;
    if (table->value_count++ >= table->value_capacity)
        value_grow(table);
    Value *value = arena_make(table->arena, Value);
    *value = *key;
    value->id = table->next_id++;
    if (key->kind == VALUE_SUM) {
        size_t count = (size_t)key->sum.own;
        value->sum.coefficient = arena_array(table->arena, Rational, count + 1);
        value->sum.value = arena_array(table->arena, Value *, count + 1);
        for (size_t i = 0; i < count; i++) { /* an empty sum's arrays may be NULL */
            value->sum.coefficient[i] = key->sum.coefficient[i];
            value->sum.value[i] = key->sum.value[i];
        }
    }
    Value **bucket = &table->values[value->hash & (table->value_capacity - 1)];
    value->next = *bucket;
    *bucket = value;
    return value;
}

Value *value_ones(Table *table)
{
    return value_intern(table, &(Value){.kind = VALUE_ONES});
}

Value *value_number(Table *table, double number)
{
    return value_intern(table, &(Value){.kind = VALUE_NUMBER, .number = number});
}

Value *value_position(Table *table)
{
    return value_intern(table, &(Value){.kind = VALUE_POSITION});
}

Value *value_copy(Table *table, int axis)
{
    return value_intern(table, &(Value){.kind = VALUE_COPY, .copy_axis = axis});
}

Value *value_state(Table *table, int state, int tensor, int64_t layer)
{
    return value_intern(table,
                        &(Value){.kind = VALUE_STATE, .leaf = {.state = state, .tensor = tensor, .layer = layer}});
}

Value *value_input(Table *table, int tensor, int64_t batch, AxisMask repeated, const Decomp *reading)
{
    Value key = {.kind = VALUE_INPUT,
                 .leaf = {.tensor = tensor, .layer = batch, .repeated = repeated, .reading = reading}};
    return value_intern(table, &key);
}

Value *value_init(Table *table, int tensor, int64_t layer, const Seed *seed, AxisMask varying)
{
    Value key = {.kind = VALUE_INIT, .varying = varying, .leaf = {.tensor = tensor, .layer = layer, .seed = *seed}};
    return value_intern(table, &key);
}

/* Normal form: a single term of coefficient 1 is its value itself; coefficients are relative to the divisor. */
Value *value_sum(Table *table, const Term *term, int count, Rational divisor, Value *known, int known_count)
{
    if (count == 1 && rational_equal(term[0].coefficient, divisor))
        return term[0].value;
    int first = known_count;
    if (count - first > table->sum_capacity) {
        table->sum_capacity = 2 * (count - first);
        table->sum_coefficient = arena_array(table->arena, Rational, table->sum_capacity);
        table->sum_value = arena_array(table->arena, Value *, table->sum_capacity);
    }
    Value key = {.kind = VALUE_SUM,
                 .sum = {.count = count,
                         .own = count - first,
                         .first = known,
                         .coefficient = table->sum_coefficient,
                         .value = table->sum_value}};
    key.varying = known != NULL ? known->varying : 0;
    bool divides = !rational_is(divisor, 1);
    for (int i = first; i < count; i++) {
        key.sum.coefficient[i - first] = divides ? rational_divide(term[i].coefficient, divisor) : term[i].coefficient;
        key.sum.value[i - first] = term[i].value;
        key.varying |= term[i].value->varying;
        if (!rational_fits(key.sum.coefficient[i - first]))
            return NULL;
    }
    return value_intern(table, &key);
}

Value *value_op(Table *table, const Form *form, int count, Value *const *operand, const Op *origin)
{
    Value key = {.kind = VALUE_OP, .origin = origin, .op = {.form = form, .count = count}};
    for (int i = 0; i < count; i++) {
        key.op.operand[i] = operand[i];
        key.varying |= operand[i]->varying;
    }
    return value_intern(table, &key);
}

Value *value_bound(Table *table, const Term *term, AxisMask axes)
{
    Value key = {.kind = VALUE_BOUND, .varying = term->value->varying};
    key.bound.value = term->value;
    key.bound.decomp = term->decomp;
    key.bound.mask = term->mask;
    key.bound.axes = axes;
    key.bound.mono = term->mono;
    return value_intern(table, &key);
}

/* ---- Decompositions ----------------------------------------------------------------------------------------- */

static bool part_equal(const DecompPart *a, const DecompPart *b)
{
    if (a->index != b->index || a->inner != b->inner || !cuts_equal(&a->cuts, &b->cuts))
        return false;
    return true;
}

static bool decomp_equal(const Decomp *a, const DecompPart *part, int count)
{
    int i = 0;
    while (i < count && i < a->count && part_equal(&a->part[i], &part[i]))
        i++;
    return i == count && i == a->count;
}

Decomp *decomp_intern(Table *table, const DecompPart *part, int count)
{
    uint64_t hash = hash_mix(3, (uint64_t)count);
    for (int i = 0; i < count; i++) {
        hash = hash_mix(hash, (uint64_t)part[i].index);
        hash = hash_mix(hash, part[i].inner != NULL ? part[i].inner->id : 0);
        hash = hash_cuts(hash, &part[i].cuts);
    }
    Decomp **bucket = &table->decomps[hash % 256];
    for (Decomp *decomp = *bucket; decomp != NULL; decomp = decomp->next)
        if (decomp->hash == hash && decomp_equal(decomp, part, count))
            return decomp;
    Decomp *decomp = arena_make(table->arena, Decomp);
    decomp->count = count;
    decomp->part = arena_array(table->arena, DecompPart, count + 1);
    memcpy(decomp->part, part, sizeof(*part) * (size_t)count);
    decomp->id = ++table->next_id;
    decomp->hash = hash;
    decomp->next = *bucket;
    *bucket = decomp;
    return decomp;
}

/* ---- Weights that depend on coordinates --------------------------------------------------------------------- */

static int affine_compare(const Affine *a, const Affine *b)
{
    COMPARE(a->constant, b->constant);
    COMPARE(a->modulus, b->modulus);
    COMPARE(a->term_count, b->term_count);
    for (int i = 0; i < a->term_count; i++) {
        COMPARE(a->term[i].variable, b->term[i].variable);
        COMPARE(a->term[i].coefficient, b->term[i].coefficient);
    }
    return 0;
}

static int factor_compare(const Factor *a, const Factor *b)
{
    COMPARE(a->is_guard, b->is_guard);
    if (a->is_guard) {
        COMPARE(a->low, b->low);
        COMPARE(a->high, b->high);
        return affine_compare(&a->value, &b->value);
    }
    COMPARE(a->length, b->length);
    COMPARE(a->cuts.count, b->cuts.count);
    for (int i = 0; i < a->cuts.count; i++)
        COMPARE(a->cuts.axis[i], b->cuts.axis[i]);
    return 0;
}

static Mono *mono_intern(Table *table, const Factor *factor, int count)
{
    uint64_t hash = hash_mix(5, (uint64_t)count);
    for (int i = 0; i < count; i++) {
        hash = hash_mix(hash, factor[i].is_guard);
        hash = hash_mix(hash, (uint64_t)(factor[i].length + factor[i].low * 31 + factor[i].value.constant * 7));
        hash = hash_cuts(hash, &factor[i].cuts);
    }
    Mono **bucket = &table->monos[hash % 256];
    for (Mono *mono = *bucket; mono != NULL; mono = mono->next) {
        bool equal = mono->hash == hash && mono->count == count;
        for (int i = 0; i < count && equal; i++)
            equal = factor_compare(&mono->factor[i], &factor[i]) == 0;
        if (equal)
            return mono;
    }
    Mono *mono = arena_make(table->arena, Mono);
    mono->count = count;
    mono->factor = arena_array(table->arena, Factor, count);
    memcpy(mono->factor, factor, sizeof(*factor) * (size_t)count);
    for (int i = 0; i < count; i++)
        mono->axes |= factor[i].axes;
    mono->id = ++table->next_id;
    mono->hash = hash;
    mono->next = *bucket;
    *bucket = mono;
    return mono;
}

Mono *mono_factor(Table *table, const Factor *factor, AxisMask axes)
{
    Factor key = *factor;
    key.axes = axes;
    return mono_intern(table, &key, 1);
}

/* Normal form: factors sorted; a repeated guard is kept once, a repeated inverse extent is its square. */
Mono *mono_multiply(Table *table, Mono *a, Mono *b)
{
    if (a == NULL || b == NULL)
        return a != NULL ? a : b;
    Factor *factor = arena_array(table->arena, Factor, a->count + b->count);
    int count = 0, i = 0, j = 0;
    while (i < a->count || j < b->count) {
        int order = i == a->count ? 1 : j == b->count ? -1 : factor_compare(&a->factor[i], &b->factor[j]);
        factor[count] = order <= 0 ? a->factor[i++] : b->factor[j++];
        if (order == 0 && factor[count].is_guard)
            j++;
        count++;
    }
    return mono_intern(table, factor, count);
}

/* Normal form: 1 is no monomial. An extent that a weight divides by is not 0, so the two cancel. */
bool mono_divide(Table *table, Mono **mono, const Mono *by)
{
    int count = *mono != NULL ? (*mono)->count : 0, need = by != NULL ? by->count : 0;
    Factor *factor = arena_array(table->arena, Factor, count);
    for (int i = 0; i < count; i++)
        factor[i] = (*mono)->factor[i];
    for (int k = 0; k < need; k++) {
        int i = 0;
        while (i < count && factor_compare(&factor[i], &by->factor[k]) != 0)
            i++;
        if (i == count)
            return false;
        memmove(&factor[i], &factor[i + 1], sizeof(*factor) * (size_t)(--count - i));
    }
    *mono = count > 0 ? mono_intern(table, factor, count) : NULL;
    return true;
}

Rational mono_at(const Decls *decls, const Mono *mono, const int64_t *coordinate)
{
    Rational number = {1, 1};
    for (int i = 0; i < mono->count; i++) {
        const Factor *factor = &mono->factor[i];
        if (!factor->is_guard) {
            int64_t length = factor->length, start;
            for (int j = 0; j < factor->cuts.count; j++) {
                int axis = factor->cuts.axis[j];
                cut_balanced(length, decls->axes.data[axis].size, coordinate[axis], &start, &length);
            }
            number = rational_multiply(number, rational_make(1, length));
            continue;
        }
        int64_t value = factor->value.constant, modulus = factor->value.modulus;
        for (int j = 0; j < factor->value.term_count; j++)
            value += factor->value.term[j].coefficient *
                     affine_variable_at(decls, factor->value.term[j].variable, coordinate);
        value = modulus > 0 ? (value % modulus + modulus) % modulus : value;
        if (value < factor->low || value > factor->high)
            return rational_make(0, 1);
    }
    return number;
}

/* ---- Parts of other coordinates ----------------------------------------------------------------------------- */

/* Normal form: a rank's own part is no arc, and arcs begin within the axis. */
Arc arc_make(int axis, int64_t size, int64_t first, int64_t count)
{
    first = (first % size + size) % size;
    return first == 0 && count == 1 ? (Arc){0} : (Arc){axis, (int32_t)size, (int32_t)first, (int32_t)count};
}

Arc arc_moved(Arc arc, Arc turn)
{
    if (turn.count == 0)
        return arc;
    return arc_make(turn.axis, turn.size, (int64_t)arc.first + turn.first, arc.count > 0 ? arc.count : 1);
}

bool arc_equal(Arc a, Arc b)
{
    return a.count == b.count && (a.count == 0 || (a.axis == b.axis && a.first == b.first));
}

/* Normal form: joins b to a if b's parts follow a's directly; false otherwise. */
static bool arc_join(Arc *a, Arc b)
{
    Arc known = a->count > 0 ? *a : b;
    int64_t count = a->count > 0 ? a->count : 1, more = b.count > 0 ? b.count : 1;
    if ((b.count > 0 && b.axis != known.axis) || (a->first + count) % known.size != b.first ||
        count + more > known.size)
        return false;
    *a = (Arc){known.axis, known.size, a->first, (int32_t)(count + more)};
    return true;
}

/* ---- Combinations ------------------------------------------------------------------------------------------- */

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

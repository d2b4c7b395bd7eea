/* value.c - hash-consing of values and of the forms of operators (verify/value.h). */
#include "verify/value.h"

#include "verify/decomp.h"
#include "verify/weight.h"

#include <string.h>

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

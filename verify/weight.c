/* weight.c - hash-consing and arithmetic of monomials (verify/weight.h). */
#include "verify/weight.h"

#include <string.h>

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
        int64_t value = affine_at(decls, &factor->value, coordinate, NULL);
        if (value < factor->low || value > factor->high)
            return rational_make(0, 1);
    }
    return number;
}

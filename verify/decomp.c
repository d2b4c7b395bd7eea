/* decomp.c - hash-consing of decompositions (verify/decomp.h). */
#include "verify/decomp.h"

#include <string.h>

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

/* table.c - hashing, and the empty table (verify/table.h). */
#include "verify/table.h"

#include <string.h>

uint64_t hash_double(uint64_t hash, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return hash_mix(hash, bits);
}

uint64_t hash_cuts(uint64_t hash, const Cuts *cuts)
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

/* stages_where.c - which layers, and what else of the model, is where: numbers per stage, as tables of the step
 * program.
 *
 * The layers of all blocks, one after another, are divided into stages. Outside them the model has sections: what comes
 * before the first block, between two blocks, after the last one. A section runs on one stage: the first on the first,
 * the last on the last, another on the stage that has the last layer before it.
 */
#include "lower/stages_internal.h"

/* ---- Tables ------------------------------------------------------------------------------------------------- */

int stages_table(Stages *p, const char *name, const int64_t *values)
{
    Decls *decls = p->decls;
    for (int i = 0; i < decls->tables.count; i++) {
        const IndexTable *table = &decls->tables.data[i];
        if (table->axis == p->axis && memcmp(table->values, values, sizeof(int64_t) * (size_t)p->stages) == 0)
            return affine_table(i);
    }
    IndexTable table = {.name = str_intern_z(p->ctx->strings, name), .axis = p->axis, .span = p->span};
    table.values = arena_array(p->ctx->arena, int64_t, p->stages);
    memcpy(table.values, values, sizeof(int64_t) * (size_t)p->stages);
    vec_push(p->ctx->arena, &decls->tables, table);
    return affine_table(decls->tables.count - 1);
}

const int64_t *stages_numbers(const Stages *p, int table)
{
    return p->decls->tables.data[-1 - STEP_MAX_AXES - table].values;
}

/* ---- Layers ------------------------------------------------------------------------------------------------- */

/* The stage that has this layer of all. */
static int64_t stage_of_layer(const Stages *p, int64_t layer)
{
    int64_t s = 0;
    layer %= p->every;
    for (int64_t end = p->stage_layers[0]; end <= layer; end += p->stage_layers[s])
        s++;
    return s;
}

void stages_divide(Stages *p)
{
    Arena *arena = p->ctx->arena;
    const Decls *decls = p->decls;
    p->every = p->layers / p->chunks;
    p->stage_layers = p->assignment->pipeline.layers;
    if (p->stage_layers == NULL) {
        p->stage_layers = arena_array(arena, int64_t, p->stages);
        for (int64_t s = 0, start; s < p->stages; s++)
            cut_balanced(p->every, p->stages, s, &start, &p->stage_layers[s]);
    }
    int groups = decls->groups.count;
    p->before = arena_array(arena, int64_t, groups + 1);
    p->section_stage = arena_array(arena, int64_t, groups + 1);
    p->section_at = arena_array(arena, int64_t, groups + 1);
    for (int g = 0; g < groups; g++)
        p->before[g + 1] = p->before[g] + decls->groups.data[g].layers;
    for (int g = 0; g + 1 < groups; g++) {
        p->section_stage[g + 1] = stage_of_layer(p, p->before[g + 1] - 1);
        p->section_at[g + 1] = (p->before[g + 1] - 1) / p->every * p->stages + p->section_stage[g + 1];
    }
    p->section_stage[groups] = p->stages - 1;
    p->section_at[groups] = p->stages * p->chunks - 1;
}

int64_t stages_chunk_of(const Stages *p, int group, int64_t layer)
{
    return (p->before[group] + layer) / p->every;
}

Layers stages_layers(Stages *p, int group, int64_t first, int64_t last)
{
    const Group *g = &p->decls->groups.data[group];
    Arena *arena = p->ctx->arena;
    int64_t *low = arena_array(arena, int64_t, p->stages), *high = arena_array(arena, int64_t, p->stages);
    Layers layers = {0};
    int64_t chunk = p->apart ? stages_chunk_of(p, group, first) : 0;
    for (int64_t s = 0, end = chunk * p->every - 1 - p->before[group]; s < p->stages; s++) {
        int64_t start = end + 1;
        end += p->stage_layers[s];
        low[s] = start > first ? start : first;
        high[s] = end < last ? end : last;
        if (high[s] < low[s])
            high[s] = low[s] - 1; /* none */
        layers.most = high[s] - low[s] + 1 > layers.most ? high[s] - low[s] + 1 : layers.most;
    }
    bool whole = first == 0 && last == g->layers - 1;
    if (p->chunks > 1 && !(p->apart ? stages_chunk_of(p, group, last) == chunk : whole))
        BUG("layers %lld..%lld of '%s' are of several chunks", (long long)first, (long long)last, g->name);
    const char *name = p->decls->groups.count > 1 ? arena_printf(arena, "_%s", g->name) : "";
    const char *range = whole ? name : arena_printf(arena, "%s_%lld_%lld", name, (long long)first, (long long)last);
    layers.first = stages_table(p, arena_printf(arena, "first%s", range), low);
    layers.last = stages_table(p, arena_printf(arena, "last%s", range), high);
    return layers;
}

/* ---- Sections ----------------------------------------------------------------------------------------------- */

StageSet stages_last(const Stages *p)
{
    return 1u << p->decls->groups.count;
}

StageSet stages_distinct(const Stages *p, StageSet sections)
{
    StageSet distinct = 0;
    for (int i = 0; i <= p->decls->groups.count; i++) {
        bool same = false;
        for (int j = 0; j < i; j++)
            same |= (distinct >> j & 1) && p->section_stage[j] == p->section_stage[i];
        if ((sections >> i & 1) && !same)
            distinct |= 1u << i;
    }
    return distinct;
}

/* Only the first and the last of more than two: the last becomes 0, the first 1. */
static Where at_both_ends(const Stages *p)
{
    Where where = {stages_variable(affine_coordinate(p->axis), 1), 0, 1};
    where.value.modulus = p->stages;
    return where;
}

Where stages_where(Stages *p, StageSet sections)
{
    int64_t *has = arena_array(p->ctx->arena, int64_t, p->stages), low = p->stages, high = -1, count = 0;
    for (int i = 0; i <= p->decls->groups.count; i++)
        if (sections >> i & 1)
            has[p->section_stage[i]] = 1;
    for (int64_t s = 0; s < p->stages; s++) {
        count += has[s];
        low = has[s] && s < low ? s : low;
        high = has[s] ? s : high;
    }
    if (high - low + 1 == count)
        return (Where){stages_variable(affine_coordinate(p->axis), 0), low, high};
    if (count == 2 && low == 0 && high == p->stages - 1)
        return at_both_ends(p);
    return (Where){stages_variable(stages_table(p, "shared", has), 0), 1, 1};
}

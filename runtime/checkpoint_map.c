/* checkpoint_map.c - the tensors of a file, and which of their elements this rank has. */
#include "runtime/checkpoint.h"

#include <stdlib.h>
#include <string.h>

static int64_t product(const int64_t *dims, int count)
{
    int64_t elements = 1;
    for (int i = 0; i < count; i++)
        elements *= dims[i];
    return elements;
}

/* "parameters/block.3.attn.query.weight" */
static char *name_in_state(prt_run *run, const char *state, const prt_tensor *tensor, int64_t layer)
{
    if (tensor == NULL)
        return strcpy(prt_allocate(run, strlen(state) + 1, 1), state);
    size_t bytes = strlen(state) + strlen(tensor->name) + 32;
    char *name = prt_allocate(run, bytes, 1);
    size_t group = tensor->group != NULL ? strlen(tensor->group) : 0;
    if (group > 0 && strncmp(tensor->name, tensor->group, group) == 0)
        snprintf(name, bytes, "%s/%s.%lld%s", state, tensor->group, (long long)layer, tensor->name + group);
    else if (group > 0)
        snprintf(name, bytes, "%s/%s.%lld", state, tensor->name, (long long)layer);
    else
        snprintf(name, bytes, "%s/%s", state, tensor->name);
    return name;
}

/* The same, or, of several copies of the one device, "parameters.1/block.3.attn.query.weight". */
static char *entry_name(prt_run *run, const char *state, int64_t copy, const prt_tensor *tensor, int64_t layer)
{
    char of_copy[256];
    snprintf(of_copy, sizeof of_copy, "%s.%lld", state, (long long)copy);
    return name_in_state(run, prt_copies(run->program) > 1 ? of_copy : state, tensor, layer);
}

/* The tables whose rows a file can contain. */
static const prt_state *rows_of(const prt_run *run, prt_kept kept, int *count)
{
    const prt_program *program = run->program;
    switch (kept) {
    case PRT_STATES:
        *count = program->state_count;
        return program->states;
    case PRT_GRADIENTS:
        *count = program->gradient_count;
        return program->gradients;
    case PRT_INPUTS:
        *count = program->input_count;
        return run->input_rows;
    }
    abort();
}

static const prt_layout *layout_of(const prt_run *run, prt_kept kept, int row)
{
    switch (kept) {
    case PRT_STATES:
        return &run->program->layouts[run->program->states[row].layout];
    case PRT_GRADIENTS:
        return &run->program->layouts[run->program->gradients[row].layout];
    case PRT_INPUTS:
        return &run->input_layouts[row];
    }
    abort();
}

static unsigned char *row_base(prt_run *run, prt_kept kept, int row)
{
    switch (kept) {
    case PRT_STATES: {
        const prt_state *state = &run->program->states[row];
        return run->ctx.arena[state->tier] + state->offset;
    }
    case PRT_GRADIENTS:
        return run->gradients[row];
    case PRT_INPUTS:
        return run->inputs[row];
    }
    abort();
}

/* The layers of a row, on whatever ranks. */
static prt_range layers_of(const prt_program *program, const prt_state *row, const prt_layout *layout)
{
    if (layout->unit >= 0) {
        const prt_unit *unit = &program->units[layout->unit];
        return prt_span(unit->first_layer, unit->last_layer - unit->first_layer + 1);
    }
    return prt_span(0, row->tensor >= 0 ? program->tensors[row->tensor].layers : 1);
}

static int members_of(const prt_program *program, const prt_layout *layout)
{
    return layout->unit >= 0 ? program->units[layout->unit].member_count : 1;
}

/* ---- Layouts ------------------------------------------------------------------------------------------------ */

static const prt_map *find_map(const prt_run *run, prt_kept kept, const char *state)
{
    for (int i = 0; kept == PRT_STATES && i < run->program->map_count; i++)
        if (strcmp(run->program->maps[i].state, state) == 0)
            return &run->program->maps[i];
    return NULL;
}

uint64_t prt_map_mark(const prt_program *program, const prt_map *map)
{
    uint64_t hash = 0xCBF29CE484222325u;
    for (int i = 0; i < map->saved_count; i++) {
        const prt_saved_run *run = &map->saved[i];
        const uint64_t numbers[] = {(uint64_t)run->copy, (uint64_t)run->layer, (uint64_t)run->first,
                                    (uint64_t)run->count};
        const char *name = run->tensor >= 0 ? program->tensors[run->tensor].name : "";
        for (; *name != '\0'; name++)
            hash = (hash ^ (unsigned char)*name) * 0x100000001B3u;
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
            hash = (hash ^ numbers[n]) * 0x100000001B3u;
    }
    return hash;
}

/* Where the layout has this layer of a tensor; returns how many runs that are. */
static int place_runs(const prt_saved_run *runs, int count, int tensor, int64_t layer, int64_t copy, prt_placed *placed)
{
    int found = 0;
    int64_t at = 0;
    for (int i = 0; i < count; at += runs[i++].count)
        if (runs[i].tensor == tensor && runs[i].layer == layer && runs[i].copy == copy)
            placed[found++] = (prt_placed){runs[i].first, runs[i].count, at};
    return found;
}

/* ---- Entries ------------------------------------------------------------------------------------------------ */

static int tensor_of(const prt_program *program, const prt_kept_layer *layer)
{
    return layer->member >= 0 ? program->units[layer->layout->unit].members[layer->member].tensor : layer->row->tensor;
}

static char *name_of(prt_run *run, prt_kept kept, int row, const prt_kept_layer *layer)
{
    const prt_program *program = run->program;
    if (kept == PRT_INPUTS) { /* inputs are not tensors of the model: "inputs/features" */
        const prt_tensor input = {.name = program->inputs[row].name};
        return entry_name(run, "inputs", layer->copy, &input, 0);
    }
    int tensor = tensor_of(program, layer);
    return entry_name(run, layer->row->state, layer->copy, tensor >= 0 ? &program->tensors[tensor] : NULL,
                      layer->layer);
}

/* The entry's dims are those of what it has a number for: all, or those of the rows or columns. */
static void describe(prt_entry *entry, const prt_kept_layer *layer, const prt_place *place)
{
    prt_view view = layer->member >= 0
                        ? prt_view_of_member(place, layer->layout->unit, layer->member, layer->layout->each)
                        : prt_view_of(place, layer->layout);
    entry->dtype = layer->row->dtype;
    entry->dim_count = view.dim_count;
    for (int i = 0; i < view.dim_count; i++)
        entry->dims[i] = view.dims[i].size;
    entry->elements = product(entry->dims, entry->dim_count);
}

/* The whole state, of all copies. */
static void describe_map(prt_run *run, prt_entry *entry, const prt_map *map, prt_dtype dtype)
{
    entry->name = name_in_state(run, map->state, NULL, 0);
    entry->map = map;
    entry->dtype = dtype;
    for (int i = 0; i < map->saved_count; i++) {
        entry->elements += map->saved[i].count;
        entry->padding += map->saved[i].tensor < 0 ? map->saved[i].count : 0;
    }
    entry->dim_count = 1;
    entry->dims[0] = entry->elements;
}

/* The entry of a state that has a layout of its own; made for the first layer of it. */
static prt_entry *entry_of_map(prt_run *run, prt_contents *contents, const prt_map *map, prt_dtype dtype)
{
    for (int i = 0; i < contents->entry_count; i++)
        if (contents->entries[i].map == map)
            return &contents->entries[i];
    prt_entry *entry = &contents->entries[contents->entry_count++];
    describe_map(run, entry, map, dtype);
    return entry;
}

/* Finds the layer's place in the file. */
static void add_entry(prt_run *run, prt_kept kept, int row, bool reading, prt_contents *contents, prt_kept_layer *layer,
                      const prt_place *here)
{
    const prt_map *map = find_map(run, kept, layer->row->state);
    layer->placed_count = -1;
    if (map == NULL) {
        layer->entry = &contents->entries[contents->entry_count++];
        layer->entry->name = name_of(run, kept, row, layer);
        describe(layer->entry, layer, here);
        return;
    }
    layer->entry = entry_of_map(run, contents, map, layer->row->dtype);
    layer->placed = contents->placed + contents->placed_count;
    layer->placed_count = place_runs(reading ? map->loaded : map->saved, reading ? map->loaded_count : map->saved_count,
                                     tensor_of(run->program, layer), layer->layer, layer->copy, layer->placed);
    contents->placed_count += layer->placed_count;
}

/* Appends what a copy has of one row. */
static void add_row(prt_run *run, prt_kept kept, int index, int64_t copy, bool reading, prt_contents *contents)
{
    int rows;
    const prt_state *row = &rows_of(run, kept, &rows)[index];
    const prt_layout *layout = layout_of(run, kept, index);
    prt_range layers = layers_of(run->program, row, layout);
    prt_place here = prt_place_of(&run->ctx, 0);
    for (int64_t number = layers.start; number < layers.start + layers.extent; number++) {
        int64_t slot = prt_place_copy(&here) == copy ? prt_slot_of_layer(&here, row, number) : -1;
        for (int member = 0; member < members_of(run->program, layout); member++) {
            prt_kept_layer *layer = &contents->layers[contents->layer_count++];
            *layer = (prt_kept_layer){.row = row, .layout = layout, .copy = copy, .layer = number};
            layer->member = layout->unit >= 0 ? member : -1;
            layer->owned = slot >= 0 && prt_owned_at(&here, row, layout, layer->member, number);
            layer->first_of_slot = member == 0;
            layer->slot = slot >= 0 ? row_base(run, kept, index) + slot * row->slot_bytes : NULL;
            add_entry(run, kept, index, reading, contents, layer, &here);
        }
    }
}

static void allocate(prt_run *run, prt_kept kept, bool reading, prt_contents *contents)
{
    int rows;
    const prt_state *row = rows_of(run, kept, &rows);
    size_t layers = 0, placed = 0;
    for (int i = 0; i < rows; i++) {
        const prt_layout *layout = layout_of(run, kept, i);
        layers += (size_t)(layers_of(run->program, &row[i], layout).extent * members_of(run->program, layout));
    }
    layers *= (size_t)prt_copies(run->program);
    for (int i = 0; i < run->program->map_count; i++)
        placed += (size_t)(reading ? run->program->maps[i].loaded_count : run->program->maps[i].saved_count);
    contents->entries = prt_allocate(run, layers, sizeof *contents->entries);
    contents->layers = prt_allocate(run, layers, sizeof *contents->layers);
    contents->placed = prt_allocate(run, placed, sizeof *contents->placed);
}

prt_contents prt_contents_make(prt_run *run, prt_kept kept, bool reading)
{
    int rows;
    prt_contents contents = {0};
    rows_of(run, kept, &rows);
    allocate(run, kept, reading, &contents);
    for (int64_t copy = 0; copy < prt_copies(run->program); copy++)
        for (int i = 0; i < rows; i++)
            add_row(run, kept, i, copy, reading, &contents);
    for (int i = 0; i < contents.entry_count; i++) {
        contents.entries[i].begin = contents.bytes;
        contents.bytes += contents.entries[i].elements * prt_dtype_bytes(contents.entries[i].dtype);
    }
    return contents;
}

void prt_contents_free(prt_contents *contents)
{
    for (int i = 0; i < contents->entry_count; i++) {
        free(contents->entries[i].name);
        free(contents->entries[i].source);
    }
    free(contents->entries);
    free(contents->layers);
    free(contents->placed);
}

/* ---- What a rank has of them -------------------------------------------------------------------------------- */

void prt_pieces_start(prt_pieces_walk *walk, const prt_run *run, const prt_contents *contents, bool owned)
{
    *walk = (prt_pieces_walk){.contents = contents, .owned = owned, .place = prt_place_of(&run->ctx, 0)};
}

/* Starts with the next slot that is to be visited; false: there is none. */
static bool next_slot(prt_pieces_walk *walk)
{
    while (walk->next < walk->contents->layer_count) {
        const prt_kept_layer *layer = &walk->contents->layers[walk->next++];
        if (!layer->first_of_slot || layer->slot == NULL)
            continue;
        walk->first = layer;
        prt_walk_start(&walk->walk, &walk->place, layer->layout);
        return true;
    }
    return false;
}

static const prt_kept_layer *layer_of(const prt_pieces_walk *walk)
{
    return walk->first + (walk->stretch.member >= 0 ? walk->stretch.member : 0);
}

static bool next_stretch(prt_pieces_walk *walk)
{
    do {
        while (walk->first == NULL || !prt_walk_next(&walk->walk, &walk->stretch))
            if (!next_slot(walk))
                return false;
    } while (walk->owned && !layer_of(walk)->owned);
    walk->placed = 0;
    return true;
}

static void take_piece(const prt_kept_layer *layer, const prt_stretch *stretch, int64_t first, int64_t count,
                       int64_t element, prt_kept_piece *piece)
{
    int64_t at = stretch->at + first - stretch->element;
    *piece =
        (prt_kept_piece){layer->entry, layer, element, count, layer->slot + at * prt_dtype_bytes(layer->row->dtype)};
}

/* The part of the current stretch that is in the layer's next place in the file; false: there are no more places. */
static bool next_placed(prt_pieces_walk *walk, prt_kept_piece *piece)
{
    const prt_kept_layer *layer = walk->first != NULL ? layer_of(walk) : NULL;
    const prt_stretch *stretch = &walk->stretch;
    while (layer != NULL && walk->placed < layer->placed_count) {
        const prt_placed *place = &layer->placed[walk->placed++];
        int64_t from = stretch->element > place->first ? stretch->element : place->first;
        int64_t end = stretch->element + stretch->count, last = place->first + place->count;
        int64_t count = (end < last ? end : last) - from;
        if (count <= 0)
            continue;
        take_piece(layer, stretch, from, count, place->at + from - place->first, piece);
        return true;
    }
    return false;
}

bool prt_pieces_next(prt_pieces_walk *walk, prt_kept_piece *piece)
{
    while (!next_placed(walk, piece)) {
        if (!next_stretch(walk))
            return false;
        const prt_kept_layer *layer = layer_of(walk);
        const prt_stretch *stretch = &walk->stretch;
        if (layer->placed_count >= 0)
            continue;
        take_piece(layer, stretch, stretch->element, stretch->count, stretch->element, piece);
        return true;
    }
    return true;
}

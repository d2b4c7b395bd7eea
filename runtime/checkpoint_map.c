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

static char *name_of(prt_run *run, prt_kept kept, int row, const prt_entry *entry)
{
    const prt_program *program = run->program;
    if (kept == PRT_INPUTS) { /* inputs are not tensors of the model: "inputs/features" */
        const prt_tensor input = {.name = program->inputs[row].name};
        return entry_name(run, "inputs", entry->copy, &input, 0);
    }
    int tensor =
        entry->member >= 0 ? program->units[entry->layout->unit].members[entry->member].tensor : entry->row->tensor;
    return entry_name(run, entry->row->state, entry->copy, tensor >= 0 ? &program->tensors[tensor] : NULL,
                      entry->layer);
}

/* The entry's dims are those of what it has a number for: all, or those of the rows or columns. */
static void describe(prt_entry *entry, const prt_place *place)
{
    prt_view view = entry->member >= 0
                        ? prt_view_of_member(place, entry->layout->unit, entry->member, entry->layout->each)
                        : prt_view_of(place, entry->layout);
    entry->dim_count = view.dim_count;
    for (int i = 0; i < view.dim_count; i++)
        entry->dims[i] = view.dims[i].size;
    entry->elements = product(entry->dims, entry->dim_count);
}

/* Appends the entries of what a copy has of one row. */
static void add_row(prt_run *run, prt_kept kept, int index, int64_t copy, prt_entry *entries, int *count)
{
    int rows;
    const prt_state *row = &rows_of(run, kept, &rows)[index];
    const prt_layout *layout = layout_of(run, kept, index);
    prt_range layers = layers_of(run->program, row, layout);
    prt_place here = prt_place_of(&run->ctx, 0);
    for (int64_t layer = layers.start; layer < layers.start + layers.extent; layer++) {
        int64_t slot = prt_place_copy(&here) == copy ? prt_slot_of_layer(&here, row, layer) : -1;
        for (int member = 0; member < members_of(run->program, layout); member++) {
            prt_entry *entry = &entries[(*count)++];
            *entry = (prt_entry){.row = row, .layout = layout, .copy = copy, .layer = layer};
            entry->member = layout->unit >= 0 ? member : -1;
            entry->owned = slot >= 0 && prt_owned_at(&here, row, layout, entry->member, layer);
            entry->first_of_slot = member == 0;
            entry->slot = slot >= 0 ? row_base(run, kept, index) + slot * row->slot_bytes : NULL;
            entry->name = name_of(run, kept, index, entry);
            describe(entry, &here);
        }
    }
}

prt_entry *prt_entries_make(prt_run *run, prt_kept kept, int *count, int64_t *bytes)
{
    int rows, total = 0;
    const prt_state *row = rows_of(run, kept, &rows);
    for (int i = 0; i < rows; i++) {
        const prt_layout *layout = layout_of(run, kept, i);
        total += (int)layers_of(run->program, &row[i], layout).extent * members_of(run->program, layout);
    }
    int64_t copies = prt_copies(run->program);
    total *= (int)copies;
    prt_entry *entries = prt_allocate(run, (size_t)total, sizeof *entries);
    *count = 0;
    for (int64_t copy = 0; copy < copies; copy++)
        for (int i = 0; i < rows; i++)
            add_row(run, kept, i, copy, entries, count);
    *bytes = 0;
    for (int i = 0; i < total; i++) {
        entries[i].begin = *bytes;
        *bytes += entries[i].elements * prt_dtype_bytes(entries[i].row->dtype);
    }
    return entries;
}

void prt_entries_free(prt_entry *entries, int count)
{
    for (int i = 0; i < count; i++)
        free(entries[i].name);
    free(entries);
}

/* ---- What a rank has of them -------------------------------------------------------------------------------- */

void prt_pieces_start(prt_pieces_walk *walk, const prt_run *run, prt_entry *entries, int count, bool owned)
{
    *walk = (prt_pieces_walk){.entries = entries, .count = count, .owned = owned, .place = prt_place_of(&run->ctx, 0)};
}

/* Starts with the next slot that is to be visited; false: there is none. */
static bool next_slot(prt_pieces_walk *walk)
{
    while (walk->next < walk->count) {
        prt_entry *entry = &walk->entries[walk->next++];
        if (!entry->first_of_slot || entry->slot == NULL)
            continue;
        walk->first = entry;
        prt_walk_start(&walk->walk, &walk->place, entry->layout);
        return true;
    }
    return false;
}

bool prt_pieces_next(prt_pieces_walk *walk, prt_kept_piece *piece)
{
    prt_stretch stretch;
    prt_entry *entry;
    do {
        while (walk->first == NULL || !prt_walk_next(&walk->walk, &stretch))
            if (!next_slot(walk))
                return false;
        entry = walk->first + (stretch.member >= 0 ? stretch.member : 0);
    } while (walk->owned && !entry->owned);
    *piece = (prt_kept_piece){entry, stretch.element, stretch.count,
                              entry->slot + stretch.at * prt_dtype_bytes(entry->row->dtype)};
    return true;
}

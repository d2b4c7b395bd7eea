/* checkpoint_map.c - maps global tensors to where their elements are stored: which rank, which byte. */
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
static char *entry_name(prt_run *run, const char *state, const prt_tensor *tensor, int64_t layer)
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
    *count = 0;
    return NULL;
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
    return NULL;
}

static int row_entries(const prt_program *program, const prt_state *row)
{
    return (int)row->slots * (row->unit >= 0 ? program->units[row->unit].member_count : 1);
}

/* Inputs are not tensors of the model: "inputs/features". */
static void describe_input(prt_run *run, const prt_input *input, prt_entry *entry)
{
    size_t bytes = strlen(input->name) + sizeof "inputs/";
    free(entry->name);
    entry->name = prt_allocate(run, bytes, 1);
    snprintf(entry->name, bytes, "inputs/%s", input->name);
    entry->dims = input->dims;
    entry->dim_count = input->dim_count;
    entry->elements = product(input->dims, input->dim_count);
}

/* Appends the entries of one row. */
static void add_row(prt_run *run, prt_kept kept, int index, prt_entry *entries, int *count)
{
    const prt_program *program = run->program;
    int rows;
    const prt_state *row = &rows_of(run, kept, &rows)[index];
    const prt_unit *unit = row->unit >= 0 ? &program->units[row->unit] : NULL;
    for (int64_t slot = 0; slot < row->slots; slot++)
        for (int member = 0; member < (unit != NULL ? unit->member_count : 1); member++) {
            int tensor = unit != NULL ? unit->members[member].tensor : row->tensor;
            const prt_tensor *described = tensor >= 0 ? &program->tensors[tensor] : NULL;
            prt_entry *entry = &entries[(*count)++];
            *entry = (prt_entry){.row = row, .base = row_base(run, kept, index), .slot = slot, .elements = 1};
            entry->name = entry_name(run, row->state, described, slot + row->first_layer);
            entry->first = unit != NULL ? unit->members[member].offset : 0;
            if (described != NULL) {
                entry->dims = described->dims;
                entry->dim_count = described->dim_count;
                entry->elements = product(described->dims, described->dim_count);
            }
            if (kept == PRT_INPUTS)
                describe_input(run, &program->inputs[index], entry);
        }
}

prt_entry *prt_entries_make(prt_run *run, prt_kept kept, int *count, int64_t *bytes)
{
    int rows, total = 0;
    const prt_state *row = rows_of(run, kept, &rows);
    for (int i = 0; i < rows; i++)
        total += row_entries(run->program, &row[i]);
    prt_entry *entries = prt_allocate(run, (size_t)total, sizeof *entries);
    *count = 0;
    for (int i = 0; i < rows; i++)
        add_row(run, kept, i, entries, count);
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

static void nobody_in_particular(prt_run_of *part)
{
    for (int axis = 0; axis < PRT_MAX_AXES; axis++)
        part->coordinate[axis] = -1;
}

static prt_run_of locate_flat(const prt_run *run, const prt_entry *entry, int64_t element)
{
    const prt_state *row = entry->row;
    prt_run_of part;
    int64_t pieces = 1;
    nobody_in_particular(&part);
    for (int i = 0; i < row->cut_count; i++)
        pieces *= run->ctx.axis_size[row->cut[i]];
    int64_t room = (run->program->units[row->unit].elements + pieces - 1) / pieces;
    int64_t index = (entry->first + element) / room, within = (entry->first + element) % room;
    for (int i = row->cut_count - 1; i >= 0; i--) {
        part.coordinate[row->cut[i]] = index % run->ctx.axis_size[row->cut[i]];
        index /= run->ctx.axis_size[row->cut[i]];
    }
    part.offset = entry->slot * row->slot_bytes + within * prt_dtype_bytes(row->dtype);
    part.count = entry->elements - element < room - within ? entry->elements - element : room - within;
    return part;
}

/* Follows the cuts of a dim to the part that contains index x; x becomes the index in it, *length the part's. */
static void enter_parts(const prt_run *run, const prt_dim *dim, int64_t *x, int64_t *length, prt_run_of *part)
{
    *length = dim->size;
    for (int i = 0; i < dim->cut_count; i++) {
        int64_t count = run->ctx.axis_size[dim->cut[i]], index = 0;
        while (prt_cut(*length, count, index).start + prt_cut(*length, count, index).extent <= *x)
            index++;
        prt_range range = prt_cut(*length, count, index);
        part->coordinate[dim->cut[i]] = index;
        *x -= range.start;
        *length = range.extent;
    }
}

static prt_run_of locate_dense(const prt_run *run, const prt_entry *entry, int64_t element)
{
    const prt_state *row = entry->row;
    prt_run_of part;
    int64_t within = 0, indices[PRT_MAX_DIMS];
    nobody_in_particular(&part);
    part.count = 1;
    for (int d = row->dim_count - 1; d >= 0; d--) {
        indices[d] = element % row->dims[d].size;
        element /= row->dims[d].size;
    }
    for (int d = 0; d < row->dim_count; d++) {
        int64_t length;
        enter_parts(run, &row->dims[d], &indices[d], &length, &part);
        within = within * length + indices[d];
        part.count = length - indices[d]; /* up to the end of the part in the last dim */
    }
    part.offset = entry->slot * row->slot_bytes + within * prt_dtype_bytes(row->dtype);
    return part;
}

prt_run_of prt_entry_locate(const prt_run *run, const prt_entry *entry, int64_t element)
{
    return entry->row->unit >= 0 ? locate_flat(run, entry, element) : locate_dense(run, entry, element);
}

int prt_run_owner(const prt_run *run, const prt_run_of *part)
{
    int64_t rank = 0;
    for (int axis = 0; axis < run->program->axis_count; axis++)
        rank = rank * run->ctx.axis_size[axis] + (part->coordinate[axis] > 0 ? part->coordinate[axis] : 0);
    return (int)rank;
}

bool prt_run_here(const prt_run *run, const prt_run_of *part)
{
    for (int axis = 0; axis < run->program->axis_count; axis++)
        if (part->coordinate[axis] >= 0 && part->coordinate[axis] != run->ctx.coordinate[axis])
            return false;
    return true;
}

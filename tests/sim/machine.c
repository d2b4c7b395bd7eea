/* machine.c - memory of the ranks, references, made-up data. */
#include "tests/sim/machine.h"

#include "tests/sim/perform.h"
#include "tests/sim/run.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_CELLS = 1 << 24 };

void sim_fault(SimMachine *machine, const SimOp *op, const char *format, ...)
{
    if (machine->failed)
        return;
    machine->failed = true;
    int used = 0;
    if (op)
        used = snprintf(machine->fault, sizeof machine->fault, "line %d: %s: ", op->line, op->of->name);
    va_list args;
    va_start(args, format);
    vsnprintf(machine->fault + used, sizeof machine->fault - (size_t)used, format, args);
    va_end(args);
}

/* ---- Made-up numbers ---------------------------------------------------------------------------------------- */

SimNumber sim_initial_value(const SimMachine *machine, const SimTensor *tensor, int64_t seed, int64_t layer,
                            int64_t element)
{
    if (tensor->init == SIM_INIT_ZEROS || tensor->init == SIM_INIT_ONES)
        return sim_integer(tensor->init == SIM_INIT_ONES);
    uint64_t hash = sim_mix_name(sim_mix(machine->draw, (uint64_t)seed), tensor->name);
    return sim_drawn(sim_mix(sim_mix(hash, (uint64_t)layer), (uint64_t)element));
}

SimNumber sim_input_value(const SimMachine *machine, int tensor, int64_t copy, int64_t element)
{
    const SimTensor *input = &machine->file->tensors[tensor];
    if (machine->given && machine->given[tensor]) {
        int64_t at = copy * sim_tensor_elements(input) + element;
        return (SimNumber){.value = machine->given[tensor][at], .tangent = sim_integer(0).value};
    }
    uint64_t hash = sim_mix_name(sim_mix(machine->draw, 0x64617461), input->name);
    hash = sim_mix(sim_mix(hash, (uint64_t)machine->step), (uint64_t)element);
    hash = copy > 0 ? sim_mix(hash, (uint64_t)copy) : hash;
    if (input->is_integer)
        return sim_integer((int64_t)(hash % (uint64_t)machine->input_range[tensor]));
    return sim_drawn(hash);
}

static void find_reads(const SimNode *node, int *buffer_tensor)
{
    for (int i = 0; i < node->count; i++)
        find_reads(node->body[i], buffer_tensor);
    if (node->kind == SIM_NODE_OP && node->op && node->op->tensor >= 0 && node->op->operand_count == 0)
        buffer_tensor[node->op->out.buffer] = node->op->tensor;
}

/* Integers are indices: they stay below every table or row that the reference looks into with them. */
static void find_input_ranges_in(const SimNode *node, const SimProgram *reference, const int *buffer_tensor,
                                 int64_t *range)
{
    for (int i = 0; i < node->count; i++)
        find_input_ranges_in(node->body[i], reference, buffer_tensor, range);
    if (node->kind != SIM_NODE_OP || !node->op || !node->op->of->index)
        return;
    const SimOp *op = node->op;
    const SimBuffer *table = &reference->buffers[op->operands[op->of->index_of - 1].buffer];
    int dim = op->of->index_last ? table->dim_count - 1 : 0;
    int tensor = buffer_tensor[op->operands[op->of->index - 1].buffer];
    if (tensor >= 0 && dim >= 0 && dim < table->dim_count && table->dims[dim].size < range[tensor])
        range[tensor] = table->dims[dim].size;
}

static void find_input_ranges(SimMachine *machine)
{
    const SimProgram *reference = &machine->file->reference;
    machine->input_range = sim_array(machine->pool, int64_t, machine->file->tensor_count);
    for (int t = 0; t < machine->file->tensor_count; t++)
        machine->input_range[t] = INT64_MAX;
    int *buffer_tensor = sim_array(machine->pool, int, reference->buffer_count);
    for (int b = 0; b < reference->buffer_count; b++)
        buffer_tensor[b] = -1;
    for (int r = 0; r < reference->routine_count; r++)
        find_reads(reference->routines[r].root, buffer_tensor);
    for (int r = 0; r < reference->routine_count; r++)
        find_input_ranges_in(reference->routines[r].root, reference, buffer_tensor, machine->input_range);
    for (int t = 0; t < machine->file->tensor_count; t++)
        if (machine->input_range[t] == INT64_MAX) /* no index of anything */
            machine->input_range[t] = 7;
}

/* ---- Layouts ------------------------------------------------------------------------------------------------ */

void sim_cut(int64_t length, int64_t count, int64_t index, int64_t *start, int64_t *extent)
{
    int64_t small = length / count, larger_parts = length - small * count;
    if (index < larger_parts) {
        *start = index * (small + 1);
        *extent = small + 1;
    } else {
        *start = larger_parts + index * small;
        *extent = small;
    }
}

/* Of `length` elements that the dim's cuts divide. */
static void range_piece(const SimMachine *machine, const SimDim *dim, int64_t length, const int64_t *coordinates,
                        int64_t micro, int64_t *start, int64_t *extent)
{
    *start = 0;
    *extent = length;
    for (int c = 0; c < dim->cut_count; c++) {
        int axis = dim->cuts[c];
        int64_t part_start;
        if (axis == SIM_CUT_MICRO)
            sim_cut(*extent, machine->file->micro, micro, &part_start, extent);
        else
            sim_cut(*extent, machine->file->axes[axis].size, coordinates[axis], &part_start, extent);
        *start += part_start;
    }
}

static bool is_segmented(const SimFile *file, const SimDim *dim)
{
    for (int c = 0; c < dim->cut_count && dim->segment_count > 1; c++)
        if (dim->cuts[c] == SIM_CUT_MICRO || file->axes[dim->cuts[c]].size > 1)
            return true;
    return false;
}

void sim_piece(const SimMachine *machine, const SimDim *dim, const int64_t *coordinates, int64_t micro, int64_t *start,
               int64_t *extent)
{
    bool segmented = is_segmented(machine->file, dim);
    range_piece(machine, dim, segmented ? dim->segments[0] : dim->size, coordinates, micro, start, extent);
    for (int s = 1; segmented && s < dim->segment_count; s++) {
        int64_t ignored, more;
        range_piece(machine, dim, dim->segments[s], coordinates, micro, &ignored, &more);
        *extent += more;
    }
}

static void dim_piece(const SimMachine *machine, const SimDim *dim, int rank, int64_t micro, int64_t *start,
                      int64_t *extent)
{
    static const int64_t first[SIM_MAX_AXES] = {0};
    int64_t anywhere;
    sim_piece(machine, dim, machine->ranks[rank].coordinates, micro, start, extent);
    if (dim->padded)
        sim_piece(machine, dim, first, micro, &anywhere, extent);
    *start -= dim->before;
    *extent += dim->before + dim->after;
}

static const int64_t *dim_spans(const SimMachine *machine, const SimDim *dim, int rank, int64_t micro)
{
    if (!is_segmented(machine->file, dim))
        return NULL;
    int64_t *spans = sim_array(machine->pool, int64_t, 2 * dim->segment_count), before = 0;
    for (int s = 0; s < dim->segment_count; s++) {
        range_piece(machine, dim, dim->segments[s], machine->ranks[rank].coordinates, micro, &spans[2 * s],
                    &spans[2 * s + 1]);
        spans[2 * s] += before;
        before += dim->segments[s];
    }
    return spans;
}

int64_t sim_place(const SimView *view, int dim, int64_t index)
{
    const int64_t *span = view->spans[dim];
    if (!span)
        return view->starts[dim] + index;
    while (index >= span[1]) {
        index -= span[1];
        span += 2;
    }
    return span[0] + index;
}

int64_t sim_index_at(const SimView *view, int dim, int64_t place)
{
    int64_t index = place - view->starts[dim], before = 0;
    if (!view->spans[dim])
        return index < 0 || index >= view->extents[dim] ? -1 : index;
    for (int s = 0; s < view->dims[dim].segment_count; s++) {
        const int64_t *span = &view->spans[dim][2 * s];
        if (place >= span[0] && place < span[0] + span[1])
            return before + place - span[0];
        before += span[1];
    }
    return -1;
}

bool sim_has_spans(const SimView *view)
{
    for (int d = 0; d < view->dim_count; d++)
        if (view->spans[d])
            return true;
    return false;
}

/* A unit's range on a rank: `length` each, the last ones partly or wholly padding. */
static void unit_piece(const SimMachine *machine, const SimBuffer *buffer, int rank, int64_t *start, int64_t *length)
{
    int64_t parts = 1, part = 0;
    for (int c = 0; c < buffer->cut_count; c++) {
        parts *= machine->file->axes[buffer->cuts[c]].size;
        part = part * machine->file->axes[buffer->cuts[c]].size + machine->ranks[rank].coordinates[buffer->cuts[c]];
    }
    int64_t elements = machine->file->units[buffer->unit].elements;
    *length = (elements + parts - 1) / parts;
    *start = part * *length;
}

static void view_finish(SimView *view)
{
    view->elements = 1;
    for (int d = 0; d < view->dim_count; d++)
        view->elements *= view->extents[d];
}

static int buffer_width(const SimMachine *machine, const SimBuffer *buffer)
{
    return machine->program->is_placed ? (int)(buffer->element_bytes / machine->cell_bytes) : 1;
}

bool sim_is_unwritten(const SimView *view, int64_t offset)
{
    if (!view->memory)
        return false;
    int64_t cell = view->data + offset - view->memory->cells;
    return view->memory->widths[cell] == 0 || view->memory->owners[cell] != view->owner;
}

/* Memory is not there yet when sizes are asked for. */
static void view_locate(SimMachine *machine, SimView *view, int rank, int buffer)
{
    SimMemory *memory = &machine->ranks[rank].memory;
    if (!memory->cells)
        return;
    view->memory = memory;
    view->owner = (int16_t)buffer;
    view->data =
        memory->cells + machine->cell_offset[buffer] + view->slot * machine->slot_elements[buffer] * view->width;
}

static void spoil_cell(SimMemory *memory, int64_t cell)
{
    if (memory->widths[cell] == 0)
        return;
    memory->cells[cell] = sim_junk(memory->junk++);
    memory->widths[cell] = 0;
}

void sim_spoil(const SimView *view, int64_t offset)
{
    int64_t cell = view->data + offset - view->memory->cells;
    for (int64_t k = 0; k < view->width; k++)
        spoil_cell(view->memory, cell + k);
    for (int64_t k = 1; k < view->memory->widest && k <= cell; k++)
        if (view->memory->widths[cell - k] > k)
            spoil_cell(view->memory, cell - k);
}

void sim_put(const SimView *view, int64_t offset, SimNumber number)
{
    int64_t cell = view->data + offset - view->memory->cells;
    SimMemory *memory = view->memory;
    if (memory->widths[cell] != view->width) /* else nothing else is there */
        sim_spoil(view, offset);
    memory->cells[cell] = number;
    memory->widths[cell] = (uint8_t)view->width;
    memory->owners[cell] = view->owner;
}

static int64_t layer_of(const SimMachine *machine, const SimBuffer *buffer, int rank, int64_t slot)
{
    if (!buffer->has_layers)
        return slot + (buffer->unit >= 0 ? machine->file->units[buffer->unit].first_layer : 0);
    int64_t first = sim_affine(machine, &buffer->first_layer, rank);
    int64_t length = sim_affine(machine, &buffer->last_layer, rank) - first + 1;
    int64_t room = buffer->slots / buffer->layer_runs;
    if (room < 1)
        return -1;
    int64_t run = slot / room, within = slot - run * room;
    return within < length ? first + run * buffer->layer_every + within : -1;
}

bool sim_is_held(const SimMachine *machine, int rank, const SimBuffer *buffer)
{
    int64_t holder = buffer->has_holders ? sim_affine(machine, &buffer->holder, rank) : 0;
    return !buffer->has_holders || (holder >= buffer->holder_low && holder <= buffer->holder_high);
}

static SimView unit_view(SimMachine *machine, int rank, int buffer_index, int64_t slot)
{
    const SimBuffer *buffer = &machine->program->buffers[buffer_index];
    const SimUnit *unit = &machine->file->units[buffer->unit];
    int width = buffer_width(machine, buffer);
    SimView view = {.buffer = buffer, .unit = unit, .member = -1, .slot = slot, .width = width, .dim_count = 1};
    view.layer = layer_of(machine, buffer, rank, slot);
    view.strides[0] = width;
    unit_piece(machine, buffer, rank, &view.starts[0], &view.extents[0]);
    view_locate(machine, &view, rank, buffer_index);
    view_finish(&view);
    view.pieces = machine->ranks[rank].pieces[buffer->unit];
    int64_t rest = unit->elements - view.starts[0];
    view.valid = rest < 0 ? 0 : rest < view.elements ? rest : view.elements;
    return view;
}

static SimView dense_view(SimMachine *machine, int rank, int buffer_index, int64_t slot, int64_t micro)
{
    const SimBuffer *buffer = &machine->program->buffers[buffer_index];
    int width = buffer_width(machine, buffer);
    SimView view = {.buffer = buffer, .dims = buffer->dims, .member = -1, .slot = slot, .width = width};
    view.layer = layer_of(machine, buffer, rank, slot);
    view.dim_count = buffer->dim_count;
    int64_t stride = width;
    for (int d = buffer->dim_count - 1; d >= 0; d--) {
        int64_t largest, start;
        dim_piece(machine, &buffer->dims[d], rank, 0, &start, &largest); /* the first microbatch is the largest */
        view.strides[d] = stride;
        stride *= largest > 0 ? largest : 1; /* an empty piece, too, has its letters */
        dim_piece(machine, &buffer->dims[d], rank, micro, &view.starts[d], &view.extents[d]);
        view.spans[d] = dim_spans(machine, &buffer->dims[d], rank, micro);
    }
    view_locate(machine, &view, rank, buffer_index);
    view_finish(&view);
    view.valid = view.elements;
    return view;
}

SimView sim_machine_view(SimMachine *machine, int rank, int buffer, int64_t slot)
{
    if (machine->program->buffers[buffer].unit >= 0)
        return unit_view(machine, rank, buffer, slot);
    int64_t micro = machine->ranks[rank].micro;
    return dense_view(machine, rank, buffer, slot, micro == SIM_NO_MICRO ? 0 : micro);
}

/* Of member m of a unit as this rank has it. */
static void place_member(const SimMachine *machine, int rank, const SimUnit *unit, int m, SimView *view)
{
    view->dims = &unit->dims[m * SIM_MAX_DIMS];
    view->dim_count = unit->dim_counts[m];
    int64_t stride = view->width;
    for (int d = view->dim_count - 1; d >= 0; d--) {
        dim_piece(machine, &view->dims[d], rank, 0, &view->starts[d], &view->extents[d]);
        view->spans[d] = dim_spans(machine, &view->dims[d], rank, 0);
        view->strides[d] = stride;
        stride *= view->extents[d];
    }
    view_finish(view);
    view->valid = view->elements;
}

int64_t sim_view_offset(const SimView *view, int64_t index)
{
    int64_t offset = 0;
    for (int d = view->dim_count - 1; d >= 0; d--) {
        offset += index % view->extents[d] * view->strides[d];
        index /= view->extents[d];
    }
    return offset;
}

SimView sim_member_shape(const SimMachine *machine, int rank, const SimUnit *unit, int m)
{
    SimView view = {.width = 1};
    place_member(machine, rank, unit, m, &view);
    return view;
}

int sim_member_at(const SimUnit *unit, int64_t element)
{
    if (element >= unit->elements)
        return -1;
    int m = unit->member_count - 1;
    while (m > 0 && element < unit->offsets[m])
        m--;
    return m;
}

bool sim_is_padding(const SimView *view, int64_t index)
{
    if (!view->unit || view->member >= 0)
        return false;
    int64_t element = view->starts[0] + index;
    int m = sim_member_at(view->unit, element);
    return m < 0 || (view->pieces && element - view->unit->offsets[m] >= view->pieces[m]);
}

/* The element of the logical tensor at `index` of a piece. */
static int64_t logical_element(const SimView *view, int64_t index)
{
    int64_t element = 0, stride = 1;
    for (int d = view->dim_count - 1; d >= 0; d--) {
        element += sim_place(view, d, index % view->extents[d]) * stride;
        index /= view->extents[d];
        stride *= view->dims[d].size;
    }
    return element;
}

bool sim_view_element(const SimMachine *machine, int rank, const SimView *view, int64_t index, int tensor,
                      int *tensor_out, int64_t *layer, int64_t *element)
{
    *layer = view->layer;
    if (view->layer < 0 || sim_is_padding(view, index))
        return false;
    if (!view->unit) {
        const SimBuffer *buffer = view->buffer;
        *tensor_out = view->member >= 0 ? view->member : buffer->tensor >= 0 ? buffer->tensor : tensor;
        *element = logical_element(view, index);
        return true;
    }
    int64_t at = view->starts[0] + index;
    int m = sim_member_at(view->unit, at);
    *tensor_out = view->unit->members[m];
    *element = at - view->unit->offsets[m];
    if (view->pieces) {
        SimView member = sim_member_shape(machine, rank, view->unit, m);
        *element = logical_element(&member, *element);
    }
    return true;
}

/* ---- References --------------------------------------------------------------------------------------------- */

static int64_t variable(const SimMachine *machine, int kind, int index, int rank)
{
    const SimRank *at = &machine->ranks[rank];
    if (kind == SIM_OF_LOOP)
        return at->loop_values[index];
    if (kind == SIM_OF_AXIS)
        return at->coordinates[index];
    const SimTable *table = &machine->file->tables[index];
    return table->values[at->coordinates[table->axis]];
}

int64_t sim_affine(const SimMachine *machine, const SimAffine *affine, int rank)
{
    int64_t value = affine->constant;
    for (int t = 0; t < affine->term_count; t++)
        value += affine->terms[t].coefficient * variable(machine, affine->terms[t].kind, affine->terms[t].index, rank);
    if (affine->modulus) {
        value %= affine->modulus;
        if (value < 0)
            value += affine->modulus;
    }
    return value;
}

/* By axes of more than one rank. */
static bool is_cut_flat(const SimFile *file, const SimBuffer *buffer)
{
    for (int c = 0; c < buffer->cut_count; c++)
        if (file->axes[buffer->cuts[c]].size > 1)
            return true;
    return false;
}

static SimView member_view(SimMachine *machine, const SimOp *op, int rank, SimView whole, int tensor)
{
    SimView view = whole;
    view.member = tensor;
    view.unit = NULL;
    view.pieces = NULL;
    if (!whole.unit || is_cut_flat(machine->file, whole.buffer)) {
        sim_fault(machine, op, "'%s' has no members to refer to", whole.buffer->name);
        return view;
    }
    int m = 0;
    while (m < whole.unit->member_count && whole.unit->members[m] != tensor)
        m++;
    if (m == whole.unit->member_count) {
        sim_fault(machine, op, "'%s' is no member of unit '%s'", machine->file->tensors[tensor].name, whole.unit->name);
        return view;
    }
    view.data = whole.data + whole.unit->offsets[m] * whole.width;
    place_member(machine, rank, whole.unit, m, &view);
    return view;
}

static SimView resolve(SimMachine *machine, const SimOp *op, const SimRef *ref, int rank, int64_t micro)
{
    const SimBuffer *buffer = &machine->program->buffers[ref->buffer];
    int64_t slot = sim_affine(machine, &ref->slot, rank);
    if (slot < 0 || slot >= buffer->slots) {
        sim_fault(machine, op, "'%s' has no slot %" PRId64, buffer->name, slot);
        return (SimView){.buffer = buffer};
    }
    if (!sim_is_held(machine, rank, buffer)) {
        sim_fault(machine, op, "this rank does not have '%s'", buffer->name);
        return (SimView){.buffer = buffer};
    }
    if (micro == SIM_NO_MICRO && machine->file->micro == 1)
        micro = 0; /* the only one */
    for (int d = 0; d < buffer->dim_count && micro == SIM_NO_MICRO; d++)
        for (int c = 0; c < buffer->dims[d].cut_count; c++)
            if (buffer->dims[d].cuts[c] == SIM_CUT_MICRO) {
                sim_fault(machine, op, "'%s' has a piece of a microbatch, and none is current", buffer->name);
                return (SimView){.buffer = buffer};
            }
    SimView view = buffer->unit >= 0 ? unit_view(machine, rank, ref->buffer, slot)
                                     : dense_view(machine, rank, ref->buffer, slot, micro);
    return ref->member >= 0 ? member_view(machine, op, rank, view, ref->member) : view;
}

void sim_resolve(SimMachine *machine, SimIssue *issue, const SimOp *op, int rank)
{
    issue->op = op;
    issue->rank = rank;
    issue->index = sim_affine(machine, &op->index, rank);
    issue->micro = machine->ranks[rank].micro;
    if (op->has_out)
        issue->out = resolve(machine, op, &op->out, rank, issue->micro);
    for (int o = 0; o < op->operand_count; o++)
        issue->operands[o] = resolve(machine, op, &op->operands[o], rank, issue->micro);
}

/* ---- Life --------------------------------------------------------------------------------------------------- */

int64_t sim_copies(const SimFile *file)
{
    int64_t copies = 1;
    for (int a = 0; a < file->axis_count; a++)
        copies *= file->axes[a].copies ? file->axes[a].size : 1;
    return copies;
}

int64_t sim_copy_of(const SimMachine *machine, int rank)
{
    int64_t copy = 0;
    for (int a = 0; a < machine->file->axis_count; a++)
        if (machine->file->axes[a].copies)
            copy = copy * machine->file->axes[a].size + machine->ranks[rank].coordinates[a];
    return copy;
}

/* The reference runs on one rank of each copy. */
static int64_t ranks_along(const SimMachine *machine, int axis)
{
    const SimAxis *along = &machine->file->axes[axis];
    return machine->program->is_reference && !along->copies ? 1 : along->size;
}

static void place_ranks(SimMachine *machine)
{
    const SimFile *file = machine->file;
    int64_t ranks = 1;
    for (int a = 0; a < file->axis_count && ranks <= SIM_MAX_RANKS; a++)
        ranks *= ranks_along(machine, a);
    if (ranks > SIM_MAX_RANKS) {
        sim_fault(machine, NULL, "too many ranks to simulate");
        ranks = 1;
    }
    machine->rank_count = (int)ranks;
    machine->ranks = sim_array(machine->pool, SimRank, ranks);
    for (int r = 0; r < machine->rank_count && ranks > 1; r++)
        for (int a = file->axis_count - 1, rest = r; a >= 0; a--) {
            machine->ranks[r].coordinates[a] = rest % (int)ranks_along(machine, a);
            rest /= (int)ranks_along(machine, a);
        }
}

/* One after another, or where the offsets say; buffers without one lie after those that have one. */
static int64_t place_buffers(SimMachine *machine, int64_t tier_base[3])
{
    const SimProgram *program = machine->program;
    int64_t end[3] = {0}, total = 0;
    for (int b = 0; b < program->buffer_count; b++) {
        const SimBuffer *buffer = &program->buffers[b];
        machine->slot_elements[b] = sim_machine_view(machine, 0, b, 0).elements; /* the first rank is the largest */
        int64_t cells = machine->slot_elements[b] * buffer->slots * buffer_width(machine, buffer);
        if (buffer->offset >= 0 && buffer->offset / machine->cell_bytes + cells > end[buffer->tier])
            end[buffer->tier] = buffer->offset / machine->cell_bytes + cells;
    }
    for (int t = 0; t < 3; t++) {
        tier_base[t] = total;
        total += end[t];
    }
    for (int b = 0; b < program->buffer_count; b++) {
        const SimBuffer *buffer = &program->buffers[b];
        machine->cell_offset[b] =
            buffer->offset >= 0 ? tier_base[buffer->tier] + buffer->offset / machine->cell_bytes : total;
        if (buffer->offset < 0)
            total += machine->slot_elements[b] * buffer->slots * buffer_width(machine, buffer);
    }
    return total;
}

static void place_pieces(SimMachine *machine)
{
    const SimFile *file = machine->file;
    for (int r = 0; r < machine->rank_count; r++) {
        machine->ranks[r].pieces = sim_array(machine->pool, int64_t *, file->unit_count + 1);
        for (int u = 0; u < file->unit_count; u++) {
            machine->ranks[r].pieces[u] = sim_array(machine->pool, int64_t, file->units[u].member_count);
            for (int m = 0; m < file->units[u].member_count; m++) {
                SimView member = {.width = 1};
                place_member(machine, r, &file->units[u], m, &member);
                machine->ranks[r].pieces[u][m] = member.elements;
            }
        }
    }
}

/* The largest number of bytes that divides every element and offset. */
static int64_t choose_cell_bytes(const SimProgram *program)
{
    int64_t bytes = SIM_LARGEST_ELEMENT;
    for (int b = 0; b < program->buffer_count; b++)
        while (program->buffers[b].element_bytes % bytes != 0 ||
               (program->buffers[b].offset > 0 && program->buffers[b].offset % bytes != 0))
            bytes /= 2;
    return bytes;
}

static void place_memory(SimMachine *machine)
{
    int64_t tier_base[3];
    machine->cell_bytes = choose_cell_bytes(machine->program);
    machine->slot_elements = sim_array(machine->pool, int64_t, machine->program->buffer_count);
    machine->cell_offset = sim_array(machine->pool, int64_t, machine->program->buffer_count);
    int64_t cells = place_buffers(machine, tier_base);
    if (cells > MAX_CELLS || cells < 0) {
        sim_fault(machine, NULL, "the buffers are too large to simulate");
        return;
    }
    for (int r = 0; r < machine->rank_count; r++) {
        SimMemory *memory = &machine->ranks[r].memory;
        *memory = (SimMemory){.count = cells, .junk = sim_mix(machine->draw, (uint64_t)r)};
        memory->widest = (int)(SIM_LARGEST_ELEMENT / machine->cell_bytes);
        memory->cells = sim_array(machine->pool, SimNumber, cells + 1);
        memory->widths = sim_array(machine->pool, uint8_t, cells + 1);
        memory->owners = sim_array(machine->pool, int16_t, cells + 1);
        for (int64_t i = 0; i < cells; i++)
            memory->cells[i] = sim_junk(memory->junk++);
    }
}

SimMachine *sim_machine_new(SimPool *pool, const SimFile *file, const SimProgram *program, uint64_t draw)
{
    SimMachine *machine = sim_new(pool, SimMachine);
    machine->pool = pool;
    machine->file = file;
    machine->program = program;
    machine->draw = draw;
    machine->chance = sim_mix(draw, 0x6368616e);
    place_ranks(machine);
    place_pieces(machine);
    place_memory(machine);
    find_input_ranges(machine);
    return machine;
}

/* What another buffer wrote there may be a state's, on a rank that has no use for this one. */
static void forget_element(const SimView *view, int64_t offset)
{
    if (!sim_is_unwritten(view, offset))
        sim_spoil(view, offset);
}

void sim_forget(SimMachine *machine)
{
    for (int r = 0; r < machine->rank_count; r++)
        for (int b = 0; b < machine->program->buffer_count; b++) {
            const SimBuffer *buffer = &machine->program->buffers[b];
            for (int64_t slot = 0; slot < buffer->slots && sim_is_held(machine, r, buffer); slot++) {
                SimView view = sim_machine_view(machine, r, b, slot);
                for (int64_t i = 0; i < view.elements; i++)
                    if (!buffer->persistent || view.layer < 0 || sim_is_padding(&view, i))
                        forget_element(&view, sim_view_offset(&view, i));
            }
        }
}

SimNumber *sim_scratch(SimMachine *machine, int64_t count)
{
    if (count > machine->scratch_size) {
        machine->scratch = sim_array(machine->pool, SimNumber, count);
        machine->scratch_size = count;
    }
    memset(machine->scratch, 0, (size_t)count * sizeof(SimNumber));
    return machine->scratch;
}

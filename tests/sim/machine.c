/* machine.c - memory of the ranks, references, the walk over a routine, made-up data. */
#include "tests/sim/machine.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_TRIPS = 100000, MAX_CELLS = 1 << 24 };

/* ---- Junk and faults ---------------------------------------------------------------------------------------- */

static const uint64_t junk_bits = 0x7ff8dead0000beefu;

SimNumber sim_junk(void)
{
    SimNumber number = {0, 0};
    memcpy(&number.value, &junk_bits, sizeof number.value);
    return number;
}

bool sim_is_junk(SimNumber number)
{
    uint64_t bits;
    memcpy(&bits, &number.value, sizeof bits);
    return bits == junk_bits;
}

void sim_fault(SimMachine *machine, const SimOp *op, const char *format, ...)
{
    if (machine->failed)
        return;
    machine->failed = true;
    int used = 0;
    if (op)
        used = snprintf(machine->fault, sizeof machine->fault, "line %d: %s: ", op->line, sim_op_name(op->kind));
    va_list args;
    va_start(args, format);
    vsnprintf(machine->fault + used, sizeof machine->fault - (size_t)used, format, args);
    va_end(args);
}

/* ---- Made-up numbers ---------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t state, uint64_t word)
{
    state = (state ^ word) * 0x9e3779b97f4a7c15u;
    state ^= state >> 29;
    state *= 0xbf58476d1ce4e5b9u;
    return state ^ (state >> 32);
}

static uint64_t hash_name(uint64_t state, const char *name)
{
    for (; *name; name++)
        state = mix(state, (uint64_t)(unsigned char)*name);
    return state;
}

/* In (-1, 1), never near 0: a number that hides nothing. */
static double number_of(uint64_t hash)
{
    double magnitude = 0.1 + 0.9 * (double)(hash >> 12) / (double)(1ull << 52);
    return hash & 1 ? magnitude : -magnitude;
}

double sim_initial_value(const SimMachine *machine, const SimTensor *tensor, int64_t seed, int64_t layer,
                         int64_t element)
{
    uint64_t hash = hash_name(mix(machine->draw, (uint64_t)seed), tensor->name);
    hash = mix(mix(hash, (uint64_t)layer), (uint64_t)element);
    if (tensor->init == SIM_INIT_ZEROS || tensor->init == SIM_INIT_ONES)
        return tensor->init == SIM_INIT_ONES ? 1 : 0;
    return (tensor->init_scale > 0.3 ? tensor->init_scale : 0.3) * number_of(hash);
}

double sim_input_value(const SimMachine *machine, int tensor, int64_t element)
{
    const SimTensor *input = &machine->file->tensors[tensor];
    uint64_t hash = hash_name(mix(machine->draw, 0x64617461), input->name);
    hash = mix(mix(hash, (uint64_t)machine->step), (uint64_t)element);
    if (input->is_integer)
        return (double)(hash % (uint64_t)machine->input_range[tensor]);
    return number_of(hash);
}

/* Integers are indices: they stay below every table or row that the reference looks into with them. */
static void find_input_ranges_in(const SimNode *node, const SimProgram *reference, const int *buffer_tensor,
                                 int64_t *range)
{
    for (int i = 0; i < node->count; i++)
        find_input_ranges_in(node->body[i], reference, buffer_tensor, range);
    if (node->kind != SIM_NODE_OP || !node->op)
        return;
    const SimOp *op = node->op;
    int index_operand = op->kind == SIM_EMBED || op->kind == SIM_EMBED_BWD ? 0 : 1;
    const SimBuffer *table;
    int dim;
    if (op->kind == SIM_EMBED) {
        table = &reference->buffers[op->operands[1].buffer];
        dim = 0;
    } else if (op->kind == SIM_CROSS_ENTROPY || op->kind == SIM_CROSS_ENTROPY_BWD) {
        table = &reference->buffers[op->operands[0].buffer];
        dim = table->dim_count - 1;
    } else {
        return;
    }
    int tensor = buffer_tensor[op->operands[index_operand].buffer];
    if (tensor >= 0 && dim >= 0 && dim < table->dim_count && table->dims[dim].size < range[tensor])
        range[tensor] = table->dims[dim].size;
}

static void find_reads(const SimNode *node, int *buffer_tensor)
{
    for (int i = 0; i < node->count; i++)
        find_reads(node->body[i], buffer_tensor);
    if (node->kind == SIM_NODE_OP && node->op && node->op->kind == SIM_READ)
        buffer_tensor[node->op->out.buffer] = node->op->tensor;
}

static void find_input_ranges(SimMachine *machine)
{
    const SimProgram *reference = &machine->file->reference;
    machine->input_range = sim_array(machine->pool, int64_t, machine->file->tensor_count);
    for (int t = 0; t < machine->file->tensor_count; t++)
        machine->input_range[t] = 7;
    int *buffer_tensor = sim_array(machine->pool, int, reference->buffer_count);
    for (int b = 0; b < reference->buffer_count; b++)
        buffer_tensor[b] = -1;
    for (int r = 0; r < reference->routine_count; r++)
        find_reads(reference->routines[r].root, buffer_tensor);
    for (int r = 0; r < reference->routine_count; r++)
        find_input_ranges_in(reference->routines[r].root, reference, buffer_tensor, machine->input_range);
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

static void dim_piece(const SimMachine *machine, const SimDim *dim, int rank, int64_t micro, int64_t *start,
                      int64_t *extent)
{
    *start = 0;
    *extent = dim->size;
    for (int c = 0; c < dim->cut_count; c++) {
        int axis = dim->cuts[c];
        int64_t part_start;
        if (axis == SIM_CUT_MICRO)
            sim_cut(*extent, machine->file->micro, micro, &part_start, extent);
        else
            sim_cut(*extent, machine->file->axes[axis].size, machine->coordinates[rank][axis], &part_start, extent);
        *start += part_start;
    }
}

/* A unit's range on a rank: `length` each, the last ones partly or wholly padding. */
static void unit_piece(const SimMachine *machine, const SimBuffer *buffer, int rank, int64_t *start, int64_t *length)
{
    int64_t parts = 1, part = 0;
    for (int c = 0; c < buffer->cut_count; c++) {
        parts *= machine->file->axes[buffer->cuts[c]].size;
        part = part * machine->file->axes[buffer->cuts[c]].size + machine->coordinates[rank][buffer->cuts[c]];
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
    return machine->program->is_placed ? buffer->element_bytes / SIM_CELL_BYTES : 1;
}

bool sim_is_unwritten(const SimView *view, int64_t offset)
{
    if (sim_is_junk(view->data[offset]))
        return true;
    const int16_t *owners = view->memory->owners;
    return owners && owners[view->data + offset - view->memory->cells] != view->owner;
}

/* Memory is not there yet when sizes are asked for. */
static void view_locate(SimMachine *machine, SimView *view, int rank, int buffer)
{
    if (!machine->memory)
        return;
    view->memory = &machine->memory[rank];
    view->owner = (int16_t)buffer;
    view->data =
        view->memory->cells + machine->cell_offset[buffer] + view->slot * machine->slot_elements[buffer] * view->width;
}

void sim_put(const SimView *view, int64_t offset, SimNumber number)
{
    view->data[offset] = number;
    uint8_t *widths = view->memory->widths;
    if (!widths)
        return;
    int64_t cell = view->data + offset - view->memory->cells;
    widths[cell] = (uint8_t)view->width;
    view->memory->owners[cell] = view->owner;
    for (int64_t k = 1; k < view->width; k++) {
        view->memory->cells[cell + k] = sim_junk();
        widths[cell + k] = 0;
    }
    for (int64_t k = 1; k < 8 / SIM_CELL_BYTES && k <= cell; k++)
        if (widths[cell - k] > k) {
            view->memory->cells[cell - k] = sim_junk();
            widths[cell - k] = 0;
        }
}

static SimView unit_view(SimMachine *machine, int rank, int buffer_index, int64_t slot)
{
    const SimBuffer *buffer = &machine->program->buffers[buffer_index];
    int width = buffer_width(machine, buffer);
    SimView view = {.buffer = buffer, .member = -1, .slot = slot, .width = width, .dim_count = 1, .strides = {width}};
    unit_piece(machine, buffer, rank, &view.starts[0], &view.extents[0]);
    view_locate(machine, &view, rank, buffer_index);
    view_finish(&view);
    int64_t rest = machine->file->units[buffer->unit].elements - view.starts[0];
    view.valid = rest < 0 ? 0 : rest < view.elements ? rest : view.elements;
    return view;
}

static SimView dense_view(SimMachine *machine, int rank, int buffer_index, int64_t slot, int64_t micro)
{
    const SimBuffer *buffer = &machine->program->buffers[buffer_index];
    int width = buffer_width(machine, buffer);
    SimView view = {.buffer = buffer, .member = -1, .slot = slot, .width = width, .dim_count = buffer->dim_count};
    int64_t stride = width;
    for (int d = buffer->dim_count - 1; d >= 0; d--) {
        int64_t largest, start;
        dim_piece(machine, &buffer->dims[d], rank, 0, &start, &largest); /* the first microbatch is the largest */
        view.strides[d] = stride;
        stride *= largest;
        dim_piece(machine, &buffer->dims[d], rank, micro, &view.starts[d], &view.extents[d]);
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
    return dense_view(machine, rank, buffer, slot, machine->micro[rank]);
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

bool sim_view_element(const SimFile *file, const SimView *view, int64_t index, int tensor, int *tensor_out,
                      int64_t *layer, int64_t *element)
{
    const SimBuffer *buffer = view->buffer;
    if (buffer->unit >= 0) {
        const SimUnit *unit = &file->units[buffer->unit];
        *layer = unit->first_layer + view->slot;
        if (view->member >= 0) {
            *tensor_out = view->member;
            *element = index;
            return true;
        }
        int64_t global = view->starts[0] + index;
        for (int m = 0; m < unit->member_count; m++) {
            int64_t count = sim_tensor_elements(&file->tensors[unit->members[m]]);
            if (global >= unit->offsets[m] && global < unit->offsets[m] + count) {
                *tensor_out = unit->members[m];
                *element = global - unit->offsets[m];
                return true;
            }
        }
        return false;
    }
    *tensor_out = buffer->tensor >= 0 ? buffer->tensor : tensor;
    *layer = view->slot;
    *element = 0;
    int64_t stride = 1;
    for (int d = view->dim_count - 1; d >= 0; d--) {
        *element += (view->starts[d] + index % view->extents[d]) * stride;
        index /= view->extents[d];
        stride *= buffer->dims[d].size;
    }
    return true;
}

/* ---- References --------------------------------------------------------------------------------------------- */

static int64_t affine_value(const SimMachine *machine, const SimAffine *affine, int rank)
{
    int64_t value = affine->constant;
    for (int t = 0; t < affine->term_count; t++)
        value += affine->terms[t].coefficient * (affine->terms[t].is_axis
                                                     ? machine->coordinates[rank][affine->terms[t].index]
                                                     : machine->loop_values[rank][affine->terms[t].index]);
    if (affine->modulus) {
        value %= affine->modulus;
        if (value < 0)
            value += affine->modulus;
    }
    return value;
}

static SimView member_view(SimMachine *machine, const SimOp *op, SimView whole, int member)
{
    const SimBuffer *buffer = whole.buffer;
    SimView view = {.buffer = buffer,
                    .member = member,
                    .slot = whole.slot,
                    .memory = whole.memory,
                    .owner = whole.owner,
                    .width = whole.width};
    if (buffer->unit < 0 || buffer->cut_count > 0) {
        sim_fault(machine, op, "'%s' has no members to refer to", buffer->name);
        return view;
    }
    const SimUnit *unit = &machine->file->units[buffer->unit];
    const SimTensor *tensor = &machine->file->tensors[member];
    for (int m = 0; m < unit->member_count; m++)
        if (unit->members[m] == member)
            view.data = whole.data + unit->offsets[m] * whole.width;
    if (!view.data)
        sim_fault(machine, op, "'%s' is no member of unit '%s'", tensor->name, unit->name);
    view.dim_count = tensor->dim_count;
    int64_t stride = whole.width;
    for (int d = tensor->dim_count - 1; d >= 0; d--) {
        view.extents[d] = tensor->dims[d];
        view.strides[d] = stride;
        stride *= tensor->dims[d];
    }
    view_finish(&view);
    view.valid = view.elements;
    return view;
}

static SimView resolve(SimMachine *machine, const SimOp *op, const SimRef *ref, int rank, int64_t micro)
{
    const SimBuffer *buffer = &machine->program->buffers[ref->buffer];
    int64_t slot = affine_value(machine, &ref->slot, rank);
    if (slot < 0 || slot >= buffer->slots) {
        sim_fault(machine, op, "'%s' has no slot %" PRId64, buffer->name, slot);
        return (SimView){.buffer = buffer};
    }
    SimView view = buffer->unit >= 0 ? unit_view(machine, rank, ref->buffer, slot)
                                     : dense_view(machine, rank, ref->buffer, slot, micro);
    return ref->member >= 0 ? member_view(machine, op, view, ref->member) : view;
}

static SimIssue issue_new(SimPool *pool, int ranks)
{
    SimIssue issue = {.out = sim_array(pool, SimView, ranks),
                      .index = sim_array(pool, int64_t, ranks),
                      .micro = sim_array(pool, int64_t, ranks)};
    for (int o = 0; o < SIM_MAX_OPERANDS; o++)
        issue.operands[o] = sim_array(pool, SimView, ranks);
    return issue;
}

static void issue_resolve(SimMachine *machine, SimIssue *issue, const SimOp *op, uint64_t ranks)
{
    issue->op = op;
    issue->ranks = ranks;
    for (int r = 0; r < machine->rank_count && !machine->failed; r++) {
        if (!(ranks >> r & 1))
            continue;
        issue->index[r] = affine_value(machine, &op->index, r);
        issue->micro[r] = machine->micro[r];
        if (op->has_out)
            issue->out[r] = resolve(machine, op, &op->out, r, issue->micro[r]);
        for (int o = 0; o < op->operand_count; o++)
            issue->operands[o][r] = resolve(machine, op, &op->operands[o], r, issue->micro[r]);
    }
}

/* ---- The walk ----------------------------------------------------------------------------------------------- */

static void perform(SimMachine *machine, const SimIssue *issue)
{
    if (machine->before)
        machine->before(machine, issue, machine->user);
    if (machine->failed || machine->stopped)
        return;
    sim_perform(machine, issue);
    if (machine->after && !machine->failed)
        machine->after(machine, issue, machine->user);
}

/* Started, not done: until the wait, whoever looks at the result sees junk. A result that is added to, or that is the
 * operand too, keeps what it had. */
static void start(SimMachine *machine, const SimOp *op, uint64_t ranks)
{
    if (op->event >= SIM_MAX_EVENTS) {
        sim_fault(machine, op, "too many events");
        return;
    }
    SimIssue *issue = sim_new(machine->pool, SimIssue);
    *issue = issue_new(machine->pool, machine->rank_count);
    issue_resolve(machine, issue, op, ranks);
    machine->in_flight[op->event] = issue;
    for (int r = 0; r < machine->rank_count && op->has_out && !op->accumulate && !machine->failed; r++) {
        if (!(ranks >> r & 1))
            continue;
        const SimView *out = &issue->out[r];
        bool in_place = false;
        for (int o = 0; o < op->operand_count; o++)
            in_place = in_place || issue->operands[o][r].data == out->data;
        for (int64_t i = 0; i < out->elements && !in_place; i++)
            sim_put(out, sim_view_offset(out, i), sim_junk());
    }
}

static void walk_op(SimMachine *machine, const SimOp *op, uint64_t ranks)
{
    if (op->event >= 0 && !machine->eager) {
        start(machine, op, ranks);
        return;
    }
    issue_resolve(machine, &machine->now, op, ranks);
    if (!machine->failed)
        perform(machine, &machine->now);
}

static void walk_wait(SimMachine *machine, const SimNode *node, uint64_t ranks)
{
    SimIssue *issue = node->event < SIM_MAX_EVENTS ? machine->in_flight[node->event] : NULL;
    if (!issue)
        return; /* nothing was started: nothing to wait for */
    if (issue->ranks != ranks) {
        sim_fault(machine, issue->op, "the ranks that wait are not those that started");
        return;
    }
    machine->in_flight[node->event] = NULL;
    perform(machine, issue);
}

static void walk(SimMachine *machine, const SimNode *node, uint64_t ranks);

static void walk_body(SimMachine *machine, const SimNode *node, uint64_t ranks)
{
    for (int i = 0; i < node->count && ranks && !machine->failed && !machine->stopped; i++)
        walk(machine, node->body[i], ranks);
}

static void walk_loop(SimMachine *machine, const SimNode *node, uint64_t ranks)
{
    int64_t first[SIM_MAX_RANKS], trips[SIM_MAX_RANKS], most = 0;
    for (int r = 0; r < machine->rank_count; r++) {
        first[r] = trips[r] = 0;
        if (!(ranks >> r & 1))
            continue;
        first[r] = affine_value(machine, &node->first, r);
        int64_t last = affine_value(machine, &node->last, r);
        trips[r] = node->down ? first[r] - last + 1 : last - first[r] + 1;
        if (trips[r] > most)
            most = trips[r];
    }
    if (most > MAX_TRIPS) {
        sim_fault(machine, NULL, "line %d: the loop is too long to simulate", node->line);
        return;
    }
    for (int64_t trip = 0; trip < most && !machine->failed && !machine->stopped; trip++) {
        uint64_t active = 0;
        for (int r = 0; r < machine->rank_count; r++) {
            if (!(ranks >> r & 1) || trip >= trips[r])
                continue;
            active |= (uint64_t)1 << r;
            int64_t value = node->down ? first[r] - trip : first[r] + trip;
            machine->loop_values[r][node->loop] = value;
            if (!node->is_micro)
                continue;
            if (value < 0 || value >= machine->file->micro) {
                sim_fault(machine, NULL, "line %d: there is no microbatch %" PRId64, node->line, value);
                return;
            }
            machine->micro[r] = value;
        }
        walk_body(machine, node, active);
    }
}

static void walk_guard(SimMachine *machine, const SimNode *node, uint64_t ranks)
{
    uint64_t active = 0;
    for (int r = 0; r < machine->rank_count; r++) {
        if (!(ranks >> r & 1))
            continue;
        int64_t value = affine_value(machine, &node->first, r);
        if (value >= node->low && value <= node->high)
            active |= (uint64_t)1 << r;
    }
    walk_body(machine, node, active);
}

static void walk(SimMachine *machine, const SimNode *node, uint64_t ranks)
{
    switch (node->kind) {
    case SIM_NODE_OP:
        walk_op(machine, node->op, ranks);
        return;
    case SIM_NODE_LOOP:
        walk_loop(machine, node, ranks);
        return;
    case SIM_NODE_GUARD:
        walk_guard(machine, node, ranks);
        return;
    case SIM_NODE_WAIT:
        walk_wait(machine, node, ranks);
        return;
    }
}

/* ---- Life --------------------------------------------------------------------------------------------------- */

static void place_ranks(SimMachine *machine)
{
    const SimFile *file = machine->file;
    int64_t ranks = 1;
    for (int a = 0; a < file->axis_count && !machine->program->is_reference && ranks <= SIM_MAX_RANKS; a++)
        ranks *= file->axes[a].size;
    if (ranks > SIM_MAX_RANKS) {
        sim_fault(machine, NULL, "too many ranks to simulate");
        ranks = 1;
    }
    machine->rank_count = (int)ranks;
    machine->coordinates = sim_pool_take(machine->pool, (size_t)ranks * sizeof *machine->coordinates);
    for (int r = 0; r < machine->rank_count && ranks > 1; r++)
        for (int a = file->axis_count - 1, rest = r; a >= 0; a--) {
            machine->coordinates[r][a] = rest % (int)file->axes[a].size;
            rest /= (int)file->axes[a].size;
        }
}

/* One behind the other, or where the offsets say; buffers without one lie behind those that have one. */
static int64_t place_buffers(SimMachine *machine, int64_t tier_base[3])
{
    const SimProgram *program = machine->program;
    int64_t end[3] = {0}, total = 0;
    for (int b = 0; b < program->buffer_count; b++) {
        const SimBuffer *buffer = &program->buffers[b];
        machine->slot_elements[b] = sim_machine_view(machine, 0, b, 0).elements; /* the first rank is the largest */
        int64_t cells = machine->slot_elements[b] * buffer->slots * buffer_width(machine, buffer);
        if (buffer->offset >= 0 && buffer->offset / SIM_CELL_BYTES + cells > end[buffer->tier])
            end[buffer->tier] = buffer->offset / SIM_CELL_BYTES + cells;
    }
    for (int t = 0; t < 3; t++) {
        tier_base[t] = total;
        total += end[t];
    }
    for (int b = 0; b < program->buffer_count; b++) {
        const SimBuffer *buffer = &program->buffers[b];
        machine->cell_offset[b] =
            buffer->offset >= 0 ? tier_base[buffer->tier] + buffer->offset / SIM_CELL_BYTES : total;
        if (buffer->offset < 0)
            total += machine->slot_elements[b] * buffer->slots * buffer_width(machine, buffer);
    }
    return total;
}

static void place_memory(SimMachine *machine)
{
    int64_t tier_base[3];
    machine->slot_elements = sim_array(machine->pool, int64_t, machine->program->buffer_count);
    machine->cell_offset = sim_array(machine->pool, int64_t, machine->program->buffer_count);
    int64_t cells = place_buffers(machine, tier_base);
    if (cells > MAX_CELLS || cells < 0) {
        sim_fault(machine, NULL, "the buffers are too large to simulate");
        return;
    }
    machine->memory = sim_array(machine->pool, SimMemory, machine->rank_count);
    for (int r = 0; r < machine->rank_count; r++) {
        machine->memory[r].count = cells;
        machine->memory[r].cells = sim_array(machine->pool, SimNumber, cells + 1);
        if (machine->program->is_placed) {
            machine->memory[r].widths = sim_array(machine->pool, uint8_t, cells + 1);
            machine->memory[r].owners = sim_array(machine->pool, int16_t, cells + 1);
        }
        for (int64_t i = 0; i < cells; i++)
            machine->memory[r].cells[i] = sim_junk();
    }
}

SimMachine *sim_machine_new(SimPool *pool, const SimFile *file, const SimProgram *program, uint64_t draw)
{
    SimMachine *machine = sim_new(pool, SimMachine);
    machine->pool = pool;
    machine->file = file;
    machine->program = program;
    machine->draw = draw;
    place_ranks(machine);
    machine->loop_values = sim_pool_take(pool, (size_t)machine->rank_count * sizeof *machine->loop_values);
    machine->micro = sim_array(pool, int64_t, machine->rank_count);
    machine->now = issue_new(pool, machine->rank_count);
    place_memory(machine);
    find_input_ranges(machine);
    return machine;
}

/* Between routines only persistent states survive, and their padding does not. */
static void forget(SimMachine *machine)
{
    for (int r = 0; r < machine->rank_count; r++)
        for (int b = 0; b < machine->program->buffer_count; b++) {
            const SimBuffer *buffer = &machine->program->buffers[b];
            for (int64_t slot = 0; slot < buffer->slots; slot++) {
                SimView view = sim_machine_view(machine, r, b, slot);
                for (int64_t i = buffer->persistent ? view.valid : 0; i < view.elements; i++)
                    sim_put(&view, sim_view_offset(&view, i), sim_junk());
            }
        }
}

bool sim_machine_run(SimMachine *machine, const char *routine, int step)
{
    const SimRoutine *found = sim_routine(machine->program, routine);
    if (!found)
        sim_fault(machine, NULL, "there is no routine '%s'", routine);
    if (machine->failed)
        return false;
    machine->step = step;
    machine->stopped = false;
    machine->output_count = 0;
    machine->outputs = NULL;
    memset(machine->in_flight, 0, sizeof machine->in_flight);
    memset(machine->micro, 0, (size_t)machine->rank_count * sizeof *machine->micro);
    forget(machine);
    walk_body(machine, found->root,
              machine->rank_count == 64 ? ~(uint64_t)0 : ((uint64_t)1 << machine->rank_count) - 1);
    return !machine->failed;
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

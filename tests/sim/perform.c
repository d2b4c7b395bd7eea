/* perform.c - operators on one rank that place numbers: read, init, iota, output, slice, place_shard.
 *
 * Pieces are matched by their place in the logical whole: an element of the result is found where the piece covers it,
 * and where none does the layouts do not fit.
 */
#include "tests/sim/perform.h"

#include <inttypes.h>
#include <string.h>

/* ---- Loads and stores --------------------------------------------------------------------------------------- */

bool sim_expect_written(SimMachine *machine, const SimOp *op, const SimView *view)
{
    for (int64_t i = 0; i < view->elements; i++)
        if (sim_is_unwritten(view, sim_view_offset(view, i)) && !sim_is_padding(view, i)) {
            sim_fault(machine, op, "'%s' is read before it was written", view->buffer->name);
            return false;
        }
    return true;
}

/* Integers have 32 bits. */
static void put_number(SimMachine *machine, const SimOp *op, const SimView *out, int64_t offset, SimNumber number)
{
    char text[64];
    if (out->buffer->is_integer && !sim_is_int32(number))
        sim_fault(machine, op, "the integer %s", sim_show(number.value, text, sizeof text));
    sim_put(out, offset, number);
}

void sim_store(SimMachine *machine, const SimOp *op, const SimView *out, const SimNumber *result)
{
    if (op->accumulate && !sim_expect_written(machine, op, out))
        return;
    for (int64_t i = 0; i < out->elements; i++) {
        int64_t offset = sim_view_offset(out, i);
        put_number(machine, op, out, offset, op->accumulate ? sim_add(out->data[offset], result[i]) : result[i]);
    }
}

static void store_one(SimMachine *machine, const SimOp *op, const SimView *out, int64_t index, SimNumber number)
{
    int64_t offset = sim_view_offset(out, index);
    if (op->accumulate && sim_is_unwritten(out, offset) && !sim_is_padding(out, index))
        sim_fault(machine, op, "'%s' is read before it was written", out->buffer->name);
    put_number(machine, op, out, offset, op->accumulate ? sim_add(out->data[offset], number) : number);
}

/* ---- Sources ------------------------------------------------------------------------------------------------ */

/* Where this rank's part of the batch begins: microbatch `micro`, cut over the operator's axes as the coordinates say,
 * then over what else cuts the buffer's dim as if this rank were the first there (`shared`: ranks read the same). */
static int64_t batch_start(SimMachine *machine, const SimOp *op, const SimDim *dim, int rank, int64_t micro,
                           int64_t *length, bool *shared)
{
    int64_t start = 0, part;
    *shared = false;
    *length = dim->size;
    for (int c = 0; c < dim->cut_count; c++)
        if (dim->cuts[c] == SIM_CUT_MICRO) { /* a routine without microbatches reads the batch in one piece */
            sim_cut(*length, machine->file->micro, micro, &part, length);
            start += part;
        }
    for (int a = 0; a < op->axis_count; a++) {
        int axis = op->axes[a];
        if (machine->file->axes[axis].copies)
            continue;
        sim_cut(*length, machine->file->axes[axis].size, machine->ranks[rank].coordinates[axis], &part, length);
        start += part;
    }
    for (int c = 0; c < dim->cut_count; c++) {
        bool chosen = dim->cuts[c] == SIM_CUT_MICRO;
        for (int a = 0; a < op->axis_count; a++)
            chosen = chosen || op->axes[a] == dim->cuts[c];
        if (chosen)
            continue;
        *shared = true;
        sim_cut(*length, machine->file->axes[dim->cuts[c]].size, 0, &part, length);
    }
    return start;
}

/* Whose batch it reads: along axes of copies that it does not name, the first one's. */
static int64_t copy_read(const SimMachine *machine, const SimOp *op, int rank)
{
    int64_t copy = 0;
    for (int axis = 0; axis < machine->file->axis_count; axis++) {
        bool named = false;
        for (int a = 0; a < op->axis_count; a++)
            named = named || op->axes[a] == axis;
        if (machine->file->axes[axis].copies)
            copy = copy * machine->file->axes[axis].size + (named ? machine->ranks[rank].coordinates[axis] : 0);
    }
    return copy;
}

void sim_perform_read(SimMachine *machine, const SimIssue *issue)
{
    const SimOp *op = issue->op;
    const SimView *out = &issue->out;
    const SimTensor *tensor = op->tensor >= 0 ? &machine->file->tensors[op->tensor] : NULL;
    if (!tensor || !tensor->is_input || sim_has_spans(out) || out->buffer->unit >= 0 || tensor->dim_count != out->dim_count) {
        sim_fault(machine, op, "this is no buffer of an input");
        return;
    }
    int64_t starts[SIM_MAX_DIMS];
    for (int d = 0; d < out->dim_count; d++) {
        starts[d] = out->starts[d];
        if (out->buffer->dims[d].size != tensor->dims[d] &&
            d != tensor->batch_dim) /* a routine may have its own batch */
            sim_fault(machine, op, "dim %d is %" PRId64 ", of the input %" PRId64, d, out->buffer->dims[d].size,
                      tensor->dims[d]);
        if (d != tensor->batch_dim)
            continue;
        bool shared;
        int64_t length, micro_count = machine->program->is_reference ? 1 : machine->file->micro;
        if (issue->index < 0 || issue->index >= micro_count) {
            sim_fault(machine, op, "there is no microbatch %" PRId64, issue->index);
            return;
        }
        starts[d] = batch_start(machine, op, &out->buffer->dims[d], issue->rank, issue->index, &length, &shared);
        bool fits = shared ? length >= out->extents[d] : length == out->extents[d];
        if (!fits)
            sim_fault(machine, op, "the part of the batch is %" PRId64 ", the buffer's dim %" PRId64, length,
                      out->extents[d]);
    }
    int64_t copy = copy_read(machine, op, issue->rank);
    for (int64_t i = 0; i < out->elements && !machine->failed; i++) {
        int64_t rest = i, element = 0, stride = 1;
        for (int d = out->dim_count - 1; d >= 0; d--) {
            element += (starts[d] + rest % out->extents[d]) * stride;
            rest /= out->extents[d];
            stride *= tensor->dims[d];
        }
        store_one(machine, op, out, i, sim_input_value(machine, op->tensor, copy, element));
    }
}

/* Writes what it has of the parameter; the rest of a unit stays. */
void sim_perform_init(SimMachine *machine, const SimIssue *issue)
{
    const SimOp *op = issue->op;
    const SimView *out = &issue->out;
    if (out->buffer->unit < 0 && op->tensor < 0 && out->buffer->tensor < 0) {
        sim_fault(machine, op, "of which parameter?");
        return;
    }
    const SimTensor *whole = out->buffer->unit < 0 && op->tensor >= 0 ? &machine->file->tensors[op->tensor] : NULL;
    bool fits = !whole || (!whole->is_input && whole->dim_count == out->dim_count);
    for (int d = 0; fits && whole && d < out->dim_count; d++)
        fits = out->dims[d].size == whole->dims[d];
    if (!fits) {
        sim_fault(machine, op, "the result does not have the dims of the parameter");
        return;
    }
    int64_t seed = op->seed;
    for (int a = 0; a < machine->file->axis_count; a++)
        seed += op->seed_per_axis[a] * machine->ranks[issue->rank].coordinates[a];
    for (int64_t i = 0; i < out->elements; i++) {
        int tensor;
        int64_t layer, element;
        if (!sim_view_element(machine, issue->rank, out, i, op->tensor, &tensor, &layer, &element)) {
            store_one(machine, op, out, i, sim_integer(0)); /* padding */
            continue;
        }
        if (out->buffer->unit >= 0 && op->tensor >= 0 && tensor != op->tensor)
            continue;
        const SimTensor *parameter = &machine->file->tensors[tensor];
        store_one(machine, op, out, i, sim_initial_value(machine, parameter, seed, layer, element));
    }
}

void sim_perform_iota(SimMachine *machine, const SimIssue *issue)
{
    const SimView *out = &issue->out;
    if (out->dim_count > 1 || sim_has_spans(out)) {
        sim_fault(machine, issue->op, "the result has one dim, or none, and is a range");
        return;
    }
    for (int64_t i = 0; i < out->elements; i++)
        store_one(machine, issue->op, out, i, sim_integer(issue->index + (out->dim_count > 0 ? out->starts[0] : 0) + i));
}

void sim_perform_output(SimMachine *machine, const SimIssue *issue)
{
    const SimView *from = &issue->operands[0];
    SimOutput output = {.name = issue->op->output_name, .rank = issue->rank, .count = from->elements};
    output.numbers = sim_array(machine->pool, SimNumber, from->elements + 1);
    for (int64_t i = 0; i < from->elements; i++)
        output.numbers[i] = from->data[sim_view_offset(from, i)];
    machine->outputs = sim_pool_grow(machine->pool, machine->outputs, machine->output_count, sizeof(SimOutput));
    machine->outputs[machine->output_count++] = output;
}

/* ---- Cuts of operand and result ----------------------------------------------------------------------------- */

/* An axis of one rank cuts nothing, nor does one microbatch. */
static unsigned cut_mask(const SimFile *file, const int *cuts, int count)
{
    unsigned mask = 0;
    for (int c = 0; c < count; c++)
        if ((cuts[c] == SIM_CUT_MICRO ? file->micro : file->axes[cuts[c]].size) > 1)
            mask |= 1u << (cuts[c] + 1);
    return mask;
}

unsigned sim_op_axes(const SimFile *file, const SimOp *op)
{
    return cut_mask(file, op->axes, op->axis_count);
}

unsigned sim_view_cuts(const SimFile *file, const SimView *view)
{
    unsigned mask = view->unit ? cut_mask(file, view->buffer->cuts, view->buffer->cut_count) : 0;
    for (int d = 0; !view->unit && d < view->dim_count; d++)
        mask |= cut_mask(file, view->dims[d].cuts, view->dims[d].cut_count);
    return mask;
}

bool sim_same_whole(const SimView *a, const SimView *b)
{
    if (a->unit || b->unit)
        return a->unit == b->unit;
    if (a->dim_count != b->dim_count)
        return false;
    for (int d = 0; d < a->dim_count; d++)
        if (a->dims[d].size != b->dims[d].size)
            return false;
    return true;
}

bool sim_expect_cut_by(SimMachine *machine, const SimOp *op, const SimView *coarse, const SimView *fine)
{
    unsigned axes = sim_op_axes(machine->file, op);
    unsigned before = sim_view_cuts(machine->file, coarse), after = sim_view_cuts(machine->file, fine);
    if (sim_same_whole(coarse, fine) && op->axis_count > 0 && (before & axes) == 0 && after == (before | axes))
        return true;
    sim_fault(machine, op, "the layouts of '%s' and '%s' do not differ by these axes", coarse->buffer->name,
              fine->buffer->name);
    return false;
}

bool sim_expect_same_extents(SimMachine *machine, const SimOp *op, const SimView *a, const SimView *b)
{
    bool same = a->dim_count == b->dim_count;
    for (int d = 0; same && d < a->dim_count; d++)
        same = a->extents[d] == b->extents[d];
    if (!same)
        sim_fault(machine, op, "'%s' and '%s' have different extents", a->buffer->name, b->buffer->name);
    return same;
}

bool sim_same_place(const SimView *to, int64_t index, const SimView *from, int64_t *offset)
{
    *offset = 0;
    for (int d = to->dim_count - 1; d >= 0; d--) {
        int64_t at = sim_index_at(from, d, sim_place(to, d, index % to->extents[d]));
        index /= to->extents[d];
        if (at < 0)
            return false;
        *offset += at * from->strides[d];
    }
    return true;
}

bool sim_in_padding(const SimView *to, int64_t index)
{
    return to->unit && index >= to->valid;
}

void sim_perform_slice(SimMachine *machine, const SimIssue *issue)
{
    const SimView *out = &issue->out, *from = &issue->operands[0];
    if (!sim_expect_cut_by(machine, issue->op, from, out))
        return;
    SimNumber *result = sim_scratch(machine, out->elements);
    for (int64_t i = 0; i < out->elements; i++) {
        int64_t offset;
        if (sim_in_padding(out, i))
            continue;
        if (!sim_same_place(out, i, from, &offset)) {
            sim_fault(machine, issue->op, "this rank's piece is not within what it has");
            return;
        }
        result[i] = from->data[offset];
    }
    sim_store(machine, issue->op, out, result);
}

void sim_perform_place_shard(SimMachine *machine, const SimIssue *issue)
{
    const SimView *out = &issue->out, *whole = &issue->operands[0], *piece = &issue->operands[1];
    if (!sim_expect_cut_by(machine, issue->op, whole, piece) || !sim_expect_same_extents(machine, issue->op, out, whole))
        return;
    SimNumber *result = sim_scratch(machine, out->elements);
    for (int64_t i = 0; i < out->elements; i++) {
        int64_t offset;
        bool in_piece = !sim_in_padding(out, i) && sim_same_place(out, i, piece, &offset);
        result[i] = in_piece ? piece->data[offset] : whole->data[sim_view_offset(whole, i)];
    }
    sim_store(machine, issue->op, out, result);
}

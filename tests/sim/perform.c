/* perform.c - operators on one rank that place numbers (read, init, iota, slice), and operators between ranks.
 *
 * Pieces are matched by their place in the logical whole: an element of the result is found at the rank whose piece
 * covers it, and where none does the layouts do not fit.
 */
#include "tests/sim/machine.h"

#include <inttypes.h>
#include <string.h>

/* ---- Loads and stores --------------------------------------------------------------------------------------- */

static bool expect_written(SimMachine *machine, const SimOp *op, const SimView *view)
{
    for (int64_t i = 0; i < view->valid; i++)
        if (sim_is_unwritten(view, sim_view_offset(view, i))) {
            sim_fault(machine, op, "'%s' is read before it was written", view->buffer->name);
            return false;
        }
    return true;
}

void sim_store(SimMachine *machine, const SimOp *op, const SimView *out, const SimNumber *result)
{
    if (op->accumulate && !expect_written(machine, op, out))
        return;
    for (int64_t i = 0; i < out->elements; i++) {
        int64_t offset = sim_view_offset(out, i);
        SimNumber sum = result[i];
        if (op->accumulate)
            sum = (SimNumber){out->data[offset].value + sum.value, out->data[offset].tangent + sum.tangent};
        sim_put(out, offset, sum);
    }
}

static void store_one(SimMachine *machine, const SimOp *op, const SimView *out, int64_t index, double value)
{
    int64_t offset = sim_view_offset(out, index);
    SimNumber before = out->data[offset];
    if (op->accumulate && sim_is_unwritten(out, offset) && index < out->valid)
        sim_fault(machine, op, "'%s' is read before it was written", out->buffer->name);
    sim_put(out, offset, op->accumulate ? (SimNumber){before.value + value, before.tangent} : (SimNumber){value, 0});
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
        sim_cut(*length, machine->file->axes[axis].size, machine->coordinates[rank][axis], &part, length);
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

static void perform_read(SimMachine *machine, const SimIssue *issue, int rank)
{
    const SimOp *op = issue->op;
    const SimView *out = &issue->out[rank];
    const SimTensor *tensor = op->tensor >= 0 ? &machine->file->tensors[op->tensor] : NULL;
    if (!tensor || !tensor->is_input || out->buffer->unit >= 0 || tensor->dim_count != out->dim_count) {
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
        if (issue->index[rank] < 0 || issue->index[rank] >= micro_count) {
            sim_fault(machine, op, "there is no microbatch %" PRId64, issue->index[rank]);
            return;
        }
        starts[d] = batch_start(machine, op, &out->buffer->dims[d], rank, issue->index[rank], &length, &shared);
        bool fits = shared ? length >= out->extents[d] : length == out->extents[d];
        if (!fits)
            sim_fault(machine, op, "the part of the batch is %" PRId64 ", the buffer's dim %" PRId64, length,
                      out->extents[d]);
    }
    for (int64_t i = 0; i < out->elements && !machine->failed; i++) {
        int64_t rest = i, element = 0, stride = 1;
        for (int d = out->dim_count - 1; d >= 0; d--) {
            element += (starts[d] + rest % out->extents[d]) * stride;
            rest /= out->extents[d];
            stride *= tensor->dims[d];
        }
        store_one(machine, op, out, i, sim_input_value(machine, op->tensor, element));
    }
}

/* Writes what it has of the parameter; the rest of a unit stays. */
static void perform_init(SimMachine *machine, const SimIssue *issue, int rank)
{
    const SimOp *op = issue->op;
    const SimView *out = &issue->out[rank];
    if (out->buffer->unit < 0 && op->tensor < 0 && out->buffer->tensor < 0) {
        sim_fault(machine, op, "of which parameter?");
        return;
    }
    int64_t seed = op->seed;
    for (int a = 0; a < machine->file->axis_count; a++)
        seed += op->seed_per_axis[a] * machine->coordinates[rank][a];
    for (int64_t i = 0; i < out->elements; i++) {
        int tensor;
        int64_t layer, element;
        if (!sim_view_element(machine->file, out, i, op->tensor, &tensor, &layer, &element)) {
            store_one(machine, op, out, i, 0); /* padding */
            continue;
        }
        if (out->buffer->unit >= 0 && op->tensor >= 0 && tensor != op->tensor)
            continue;
        const SimTensor *parameter = &machine->file->tensors[tensor];
        store_one(machine, op, out, i, sim_initial_value(machine, parameter, seed, layer, element));
    }
}

static void perform_iota(SimMachine *machine, const SimIssue *issue, int rank)
{
    const SimView *out = &issue->out[rank];
    if (out->dim_count != 1) {
        sim_fault(machine, issue->op, "the result has one dim");
        return;
    }
    for (int64_t i = 0; i < out->elements; i++)
        store_one(machine, issue->op, out, i, (double)(issue->index[rank] + out->starts[0] + i));
}

/* ---- Cuts of operand and result ----------------------------------------------------------------------------- */

static unsigned cut_mask(const int *cuts, int count)
{
    unsigned mask = 0;
    for (int c = 0; c < count; c++)
        mask |= 1u << (cuts[c] + 1);
    return mask;
}

static unsigned view_cuts(const SimView *view)
{
    const SimBuffer *buffer = view->buffer;
    unsigned mask = cut_mask(buffer->cuts, buffer->cut_count);
    for (int d = 0; buffer->unit < 0 && d < buffer->dim_count; d++)
        mask |= cut_mask(buffer->dims[d].cuts, buffer->dims[d].cut_count);
    return mask;
}

/* The same logical whole: the same unit, or dims of the same sizes. */
static bool same_whole(const SimView *a, const SimView *b)
{
    if (a->member >= 0 || b->member >= 0)
        return a->member == b->member && a->dim_count == b->dim_count;
    if (a->buffer->unit >= 0 || b->buffer->unit >= 0)
        return a->buffer->unit == b->buffer->unit;
    if (a->dim_count != b->dim_count)
        return false;
    for (int d = 0; d < a->dim_count; d++)
        if (a->buffer->dims[d].size != b->buffer->dims[d].size)
            return false;
    return true;
}

/* `fine` is cut over the axes and whatever cuts `coarse`, which is whole over them. */
static bool expect_cut_by(SimMachine *machine, const SimOp *op, const SimView *coarse, const SimView *fine)
{
    unsigned axes = cut_mask(op->axes, op->axis_count), before = view_cuts(coarse), after = view_cuts(fine);
    if (same_whole(coarse, fine) && op->axis_count > 0 && (before & axes) == 0 && after == (before | axes))
        return true;
    sim_fault(machine, op, "the layouts of '%s' and '%s' do not differ by these axes", coarse->buffer->name,
              fine->buffer->name);
    return false;
}

static bool expect_same_extents(SimMachine *machine, const SimOp *op, const SimView *a, const SimView *b)
{
    bool same = a->dim_count == b->dim_count;
    for (int d = 0; same && d < a->dim_count; d++)
        same = a->extents[d] == b->extents[d];
    if (!same)
        sim_fault(machine, op, "'%s' and '%s' have different extents", a->buffer->name, b->buffer->name);
    return same;
}

/* Finds in `from` the element at `index` of `to`; false if it lies elsewhere. */
static bool same_place(const SimView *to, int64_t index, const SimView *from, int64_t *offset)
{
    *offset = 0;
    for (int d = to->dim_count - 1; d >= 0; d--) {
        int64_t at = to->starts[d] + index % to->extents[d] - from->starts[d];
        index /= to->extents[d];
        if (at < 0 || at >= from->extents[d])
            return false;
        *offset += at * from->strides[d];
    }
    return true;
}

/* What lies beyond a unit's elements: zero where a range is cut from the whole, dropped where one is put into it. */
static bool in_padding(const SimView *to, int64_t index)
{
    return to->buffer->unit >= 0 && to->member < 0 && index >= to->valid;
}

static void perform_slice(SimMachine *machine, const SimIssue *issue, int rank)
{
    const SimView *out = &issue->out[rank], *from = &issue->operands[0][rank];
    if (!expect_cut_by(machine, issue->op, from, out))
        return;
    SimNumber *result = sim_scratch(machine, out->elements);
    for (int64_t i = 0; i < out->elements; i++) {
        int64_t offset;
        if (in_padding(out, i))
            continue;
        if (!same_place(out, i, from, &offset)) {
            sim_fault(machine, issue->op, "this rank's piece is not within what it has");
            return;
        }
        result[i] = from->data[offset];
    }
    sim_store(machine, issue->op, out, result);
}

static void perform_place_shard(SimMachine *machine, const SimIssue *issue, int rank)
{
    const SimView *out = &issue->out[rank], *whole = &issue->operands[0][rank], *piece = &issue->operands[1][rank];
    if (!expect_cut_by(machine, issue->op, whole, piece) || !expect_same_extents(machine, issue->op, out, whole))
        return;
    SimNumber *result = sim_scratch(machine, out->elements);
    for (int64_t i = 0; i < out->elements; i++) {
        int64_t offset;
        bool in_piece = !in_padding(out, i) && same_place(out, i, piece, &offset);
        result[i] = in_piece ? piece->data[offset] : whole->data[sim_view_offset(whole, i)];
    }
    sim_store(machine, issue->op, out, result);
}

/* ---- Between ranks ------------------------------------------------------------------------------------------ */

/* The ranks that differ from `rank` only on the operator's axes. */
static uint64_t group_of(const SimMachine *machine, const SimOp *op, int rank)
{
    uint64_t group = 0;
    for (int r = 0; r < machine->rank_count; r++) {
        bool same = true;
        for (int a = 0; a < machine->file->axis_count; a++) {
            bool free_axis = false;
            for (int i = 0; i < op->axis_count; i++)
                free_axis = free_axis || op->axes[i] == a;
            same = same && (free_axis || machine->coordinates[r][a] == machine->coordinates[rank][a]);
        }
        if (same)
            group |= (uint64_t)1 << r;
    }
    return group;
}

static void combine(const SimOp *op, bool first, SimNumber *sum, SimNumber number)
{
    if (first)
        *sum = number;
    else if (!op->reduce_max)
        *sum = (SimNumber){sum->value + number.value, sum->tangent + number.tangent};
    else if (number.value > sum->value)
        *sum = number;
}

static void all_reduce(SimMachine *machine, const SimIssue *issue, uint64_t group, int rank, SimNumber *result)
{
    const SimView *out = &issue->out[rank];
    bool first = true;
    for (int q = 0; q < machine->rank_count; q++) {
        if (!(group >> q & 1))
            continue;
        const SimView *from = &issue->operands[0][q];
        if (!expect_same_extents(machine, issue->op, out, from))
            return;
        for (int64_t i = 0; i < out->elements; i++)
            combine(issue->op, first, &result[i], from->data[sim_view_offset(from, i)]);
        first = false;
    }
}

static void reduce_scatter(SimMachine *machine, const SimIssue *issue, uint64_t group, int rank, SimNumber *result)
{
    const SimView *out = &issue->out[rank];
    bool first = true;
    for (int q = 0; q < machine->rank_count; q++) {
        if (!(group >> q & 1))
            continue;
        const SimView *from = &issue->operands[0][q];
        if (!expect_cut_by(machine, issue->op, from, out))
            return;
        for (int64_t i = 0; i < out->elements; i++) {
            int64_t offset;
            if (in_padding(out, i))
                continue;
            if (!same_place(out, i, from, &offset)) {
                sim_fault(machine, issue->op, "this rank's piece is not within what the others have");
                return;
            }
            combine(issue->op, first, &result[i], from->data[offset]);
        }
        first = false;
    }
}

static void all_gather(SimMachine *machine, const SimIssue *issue, uint64_t group, int rank, SimNumber *result)
{
    const SimView *out = &issue->out[rank];
    if (!expect_cut_by(machine, issue->op, out, &issue->operands[0][rank]))
        return;
    for (int64_t i = 0; i < out->elements; i++) {
        bool found = in_padding(out, i);
        for (int q = 0; q < machine->rank_count && !found; q++) {
            int64_t offset;
            if ((group >> q & 1) && same_place(out, i, &issue->operands[0][q], &offset)) {
                result[i] = issue->operands[0][q].data[offset];
                found = true;
            }
        }
        if (!found) {
            sim_fault(machine, issue->op, "no rank of the group has the whole's element %" PRId64, i);
            return;
        }
    }
}

/* All results are computed before any is stored: operand and result may be the same memory. */
static void perform_between(SimMachine *machine, const SimIssue *issue)
{
    int64_t total = 0, offsets[SIM_MAX_RANKS] = {0};
    for (int r = 0; r < machine->rank_count; r++) {
        offsets[r] = total;
        if (issue->ranks >> r & 1)
            total += issue->out[r].elements;
    }
    SimNumber *results = sim_scratch(machine, total);
    for (int r = 0; r < machine->rank_count && !machine->failed; r++) {
        if (!(issue->ranks >> r & 1))
            continue;
        uint64_t group = group_of(machine, issue->op, r);
        if ((group & issue->ranks) != group) {
            sim_fault(machine, issue->op, "not all ranks of the group take part");
            return;
        }
        if (issue->op->kind == SIM_ALL_REDUCE)
            all_reduce(machine, issue, group, r, results + offsets[r]);
        else if (issue->op->kind == SIM_REDUCE_SCATTER)
            reduce_scatter(machine, issue, group, r, results + offsets[r]);
        else
            all_gather(machine, issue, group, r, results + offsets[r]);
    }
    for (int r = 0; r < machine->rank_count && !machine->failed; r++)
        if (issue->ranks >> r & 1)
            sim_store(machine, issue->op, &issue->out[r], results + offsets[r]);
}

/* ---- One operator ------------------------------------------------------------------------------------------- */

static void perform_output(SimMachine *machine, const SimIssue *issue, int rank)
{
    const SimView *from = &issue->operands[0][rank];
    SimOutput output = {.name = issue->op->output_name, .rank = rank, .count = from->elements};
    output.numbers = sim_array(machine->pool, SimNumber, from->elements + 1);
    for (int64_t i = 0; i < from->elements; i++)
        output.numbers[i] = from->data[sim_view_offset(from, i)];
    machine->outputs = sim_pool_grow(machine->pool, machine->outputs, machine->output_count, sizeof(SimOutput));
    machine->outputs[machine->output_count++] = output;
}

static void perform_on(SimMachine *machine, const SimIssue *issue, int rank)
{
    static void (*const placing[SIM_OP_COUNT])(SimMachine * machine, const SimIssue *issue, int rank) = {
        [SIM_READ] = perform_read,     [SIM_INIT] = perform_init,   [SIM_IOTA] = perform_iota,
        [SIM_OUTPUT] = perform_output, [SIM_SLICE] = perform_slice, [SIM_PLACE_SHARD] = perform_place_shard,
    };
    if (placing[issue->op->kind]) {
        placing[issue->op->kind](machine, issue, rank);
        return;
    }
    const SimView *operands[SIM_MAX_OPERANDS];
    for (int o = 0; o < issue->op->operand_count; o++)
        operands[o] = &issue->operands[o][rank];
    sim_compute(machine, issue->op, &issue->out[rank], operands);
}

/* Where buffers share memory, a result must not lie over an operand: it is junk before the operands are looked at. */
static void spoil_result(const SimIssue *issue, int rank)
{
    const SimOp *op = issue->op;
    const SimView *out = &issue->out[rank];
    if (!op->has_out || op->accumulate || op->kind == SIM_INIT || !out->memory->widths)
        return;
    for (int o = 0; o < op->operand_count; o++)
        if (issue->operands[o][rank].buffer == out->buffer)
            return;
    for (int64_t i = 0; i < out->elements; i++)
        sim_put(out, sim_view_offset(out, i), sim_junk());
}

void sim_perform(SimMachine *machine, const SimIssue *issue)
{
    for (int r = 0; r < machine->rank_count; r++)
        if (issue->ranks >> r & 1)
            spoil_result(issue, r);
    for (int r = 0; r < machine->rank_count; r++)
        for (int o = 0; (issue->ranks >> r & 1) && o < issue->op->operand_count; o++)
            if (!expect_written(machine, issue->op, &issue->operands[o][r]))
                return;
    SimOpKind kind = issue->op->kind;
    if (kind == SIM_ALL_REDUCE || kind == SIM_REDUCE_SCATTER || kind == SIM_ALL_GATHER) {
        perform_between(machine, issue);
        return;
    }
    for (int r = 0; r < machine->rank_count && !machine->failed; r++)
        if (issue->ranks >> r & 1)
            perform_on(machine, issue, r);
}

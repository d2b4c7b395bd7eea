/* exchange.c - operators between ranks. The operands of the ranks that take part are copies, made when each was read.
 */
#include "tests/sim/perform.h"

#include <inttypes.h>

static void combine(const SimOp *op, bool first, SimNumber *sum, SimNumber number)
{
    if (first)
        *sum = number;
    else if (!op->reduce_max)
        *sum = sim_add(*sum, number);
    else if (sim_less(*sum, number))
        *sum = number;
}

void sim_all_reduce(SimMachine *machine, const SimIssue *issue, const SimView *const *from, SimNumber *result)
{
    const SimView *out = &issue->out;
    bool first = true;
    for (int q = 0; q < machine->rank_count; q++) {
        if (!from[q])
            continue;
        if (!sim_expect_same_extents(machine, issue->op, out, from[q]))
            return;
        for (int64_t i = 0; i < out->elements; i++)
            combine(issue->op, first, &result[i], from[q]->data[sim_view_offset(from[q], i)]);
        first = false;
    }
}

void sim_reduce_scatter(SimMachine *machine, const SimIssue *issue, const SimView *const *from, SimNumber *result)
{
    const SimView *out = &issue->out;
    bool first = true;
    for (int q = 0; q < machine->rank_count; q++) {
        if (!from[q])
            continue;
        if (!sim_expect_cut_by(machine, issue->op, from[q], out))
            return;
        for (int64_t i = 0; i < out->elements; i++) {
            int64_t offset;
            if (sim_in_padding(out, i))
                continue;
            if (!sim_same_place(out, i, from[q], &offset)) {
                sim_fault(machine, issue->op, "this rank's piece is not within what the others have");
                return;
            }
            combine(issue->op, first, &result[i], from[q]->data[offset]);
        }
        first = false;
    }
}

/* Element `i` of the result, from the first rank of the group that has it; false where none has. */
static bool take_element(const SimMachine *machine, const SimView *out, int64_t i, const SimView *const *from,
                         SimNumber *number)
{
    int64_t offset;
    for (int q = 0; q < machine->rank_count; q++)
        if (from[q] && sim_same_place(out, i, from[q], &offset)) {
            *number = from[q]->data[offset];
            return true;
        }
    return false;
}

void sim_all_gather(SimMachine *machine, const SimIssue *issue, const SimView *const *from, SimNumber *result)
{
    const SimView *out = &issue->out;
    if (!sim_expect_cut_by(machine, issue->op, out, from[issue->rank]))
        return;
    for (int64_t i = 0; i < out->elements; i++) {
        if (!sim_in_padding(out, i) && !take_element(machine, out, i, from, &result[i])) {
            sim_fault(machine, issue->op, "no rank of the group has the whole's element %" PRId64, i);
            return;
        }
    }
}

bool sim_is_outside(const SimView *view, int64_t index)
{
    for (int d = view->dim_count - 1; d >= 0 && view->dims != NULL; d--) {
        int64_t at = sim_place(view, d, index % view->extents[d]);
        index /= view->extents[d];
        if (at < 0 || at >= view->dims[d].size)
            return true;
    }
    return false;
}

/* Every element of the result that is inside the whole, from whoever has it. */
static void take_elements(SimMachine *machine, const SimIssue *issue, const SimView *const *from, SimNumber *result)
{
    const SimView *out = &issue->out;
    for (int64_t i = 0; i < out->elements; i++)
        if (!sim_is_outside(out, i) && !take_element(machine, out, i, from, &result[i])) {
            sim_fault(machine, issue->op, "no rank of the group has element %" PRId64 " of the result", i);
            return;
        }
}

/* Cut over the axes before and after, in different dims: everything is somewhere in the group. */
void sim_all_to_all(SimMachine *machine, const SimIssue *issue, const SimView *const *from, SimNumber *result)
{
    const SimView *out = &issue->out, *own = from[issue->rank];
    unsigned axes = sim_op_axes(machine->file, issue->op);
    unsigned before = sim_view_cuts(machine->file, own), after = sim_view_cuts(machine->file, out);
    if (!sim_same_whole(own, out) || before != after || (before & axes) != axes || own->unit) {
        sim_fault(machine, issue->op, "the layouts of '%s' and '%s' are not cut by these axes in one dim each",
                  own->buffer->name, out->buffer->name);
        return;
    }
    take_elements(machine, issue, from, result);
}

int64_t sim_filled_at(const SimView *view, int64_t index, const SimView *counts, int64_t *place)
{
    int64_t at[SIM_MAX_DIMS], offset = 0;
    for (int d = view->dim_count - 1; d >= 0; d--) {
        at[d] = index % view->extents[d];
        index /= view->extents[d];
    }
    if (!counts || !counts->buffer->is_integer || counts->dim_count == 0 || counts->dim_count >= view->dim_count)
        return -1;
    for (int d = 0; d < counts->dim_count; d++) {
        if (counts->extents[d] != view->extents[d])
            return -1;
        offset += at[d] * counts->strides[d];
    }
    *place = at[counts->dim_count];
    for (int64_t n = 0; n <= view->extents[counts->dim_count]; n++)
        if (sim_is_zero(sim_sub(counts->data[offset], sim_integer(n))))
            return n;
    return -1;
}

/* What is in filled places, from whoever has it, who must count alike; zeros elsewhere. */
void sim_all_to_all_filled(SimMachine *machine, const SimIssue *issue, const SimView *const *from, SimNumber *result)
{
    const SimView *out = &issue->out;
    sim_all_to_all(machine, issue, from, result);
    for (int64_t i = 0; i < out->elements && !machine->failed; i++) {
        int64_t place, sent, offset, filled = sim_filled_at(out, i, &issue->operands[2], &place);
        if (filled < 0)
            sim_fault(machine, issue->op, "the counts are not those of the places");
        for (int q = 0; q < machine->rank_count; q++)
            if (from[q] && sim_same_place(out, i, from[q], &offset) &&
                sim_filled_at(from[q], offset, machine->counts[q], &sent) != filled)
                sim_fault(machine, issue->op, "sender and receiver count differently");
        if (filled >= 0 && place >= filled)
            result[i] = sim_integer(0);
    }
}

static void copy_from(SimMachine *machine, const SimIssue *issue, const SimView *from, SimNumber *result)
{
    if (!sim_expect_same_extents(machine, issue->op, &issue->out, from))
        return;
    for (int64_t i = 0; i < issue->out.elements; i++)
        result[i] = from->data[sim_view_offset(from, i)];
}

/* The rank of the group with coordinate `index` on the operator's axis; -1: none. */
static int rank_at(const SimMachine *machine, const SimOp *op, const SimView *const *from, int64_t index)
{
    for (int q = 0; q < machine->rank_count; q++)
        if (from[q] && machine->ranks[q].coordinates[op->axes[0]] == index)
            return q;
    return -1;
}

void sim_permute(SimMachine *machine, const SimIssue *issue, const SimView *const *from, SimNumber *result)
{
    const SimOp *op = issue->op;
    int source = op->axis_count == 1 ? rank_at(machine, op, from, issue->index) : -1;
    for (int q = 0; q < machine->rank_count; q++)
        if (from[q] && q != issue->rank && machine->indices[q] == issue->index)
            source = -1;
    if (source < 0)
        sim_fault(machine, op, "the index is no permutation of the axis");
    else
        copy_from(machine, issue, from[source], result);
}

void sim_broadcast(SimMachine *machine, const SimIssue *issue, const SimView *const *from, SimNumber *result)
{
    const SimOp *op = issue->op;
    int source = op->axis_count == 1 ? rank_at(machine, op, from, issue->index) : -1;
    for (int q = 0; q < machine->rank_count; q++)
        if (from[q] && machine->indices[q] != issue->index)
            source = -1;
    if (source < 0)
        sim_fault(machine, op, "the index is no rank of the axis, or not the same for all");
    else
        copy_from(machine, issue, from[source], result);
}

/* One microbatch, and an axis of one rank, cut nothing. */
static bool makes_pieces(const SimMachine *machine, int cut)
{
    return cut == SIM_CUT_MICRO ? machine->file->micro > 1 : machine->file->axes[cut].size > 1;
}

static bool same_cuts(const SimMachine *machine, const SimDim *a, const SimDim *b)
{
    for (int i = 0, j = 0;; i++, j++) {
        while (i < a->cut_count && !makes_pieces(machine, a->cuts[i]))
            i++;
        while (j < b->cut_count && !makes_pieces(machine, b->cuts[j]))
            j++;
        if (i == a->cut_count || j == b->cut_count)
            return i == a->cut_count && j == b->cut_count;
        if (a->cuts[i] != b->cuts[j])
            return false;
    }
}

static bool cuts_alone(const SimMachine *machine, const SimDim *dim, int axis)
{
    bool found = false, others = false;
    for (int c = 0; c < dim->cut_count; c++)
        if (dim->cuts[c] == axis)
            found = true;
        else
            others = others || makes_pieces(machine, dim->cuts[c]);
    return found && !others;
}

/* Of a dim that the axis cuts only one side has a halo; of others both have the same. */
static bool expect_halo(SimMachine *machine, const SimOp *op, const SimView *plain, const SimView *wide)
{
    bool fits = plain->dims && wide->dims && sim_same_whole(plain, wide) && op->axis_count == 1;
    for (int d = 0; fits && d < wide->dim_count; d++) {
        const SimDim *a = &plain->dims[d], *b = &wide->dims[d];
        fits = same_cuts(machine, a, b);
        if (cuts_alone(machine, b, op->axes[0]))
            fits = fits && a->before + a->after == 0;
        else
            fits = fits && a->before == b->before && a->after == b->after;
    }
    if (!fits)
        sim_fault(machine, op, "'%s' is not '%s' with a halo along the axis", wide->buffer->name, plain->buffer->name);
    return fits;
}

void sim_halo(SimMachine *machine, const SimIssue *issue, const SimView *const *from, SimNumber *result)
{
    if (expect_halo(machine, issue->op, from[issue->rank], &issue->out))
        take_elements(machine, issue, from, result);
}

void sim_halo_add(SimMachine *machine, const SimIssue *issue, const SimView *const *from, SimNumber *result)
{
    const SimView *out = &issue->out;
    if (!expect_halo(machine, issue->op, out, from[issue->rank]))
        return;
    for (int64_t i = 0; i < out->elements; i++)
        for (int q = 0; q < machine->rank_count; q++) {
            int64_t offset;
            if (from[q] && sim_same_place(out, i, from[q], &offset))
                result[i] = sim_add(result[i], from[q]->data[offset]);
        }
}

void sim_receive(SimMachine *machine, const SimIssue *issue, const SimView *const *from, SimNumber *result)
{
    for (int q = 0; q < machine->rank_count; q++)
        if (from[q] && q == issue->rank)
            sim_fault(machine, issue->op, "a message to oneself");
        else if (from[q] && from[q]->buffer->is_integer != issue->out.buffer->is_integer)
            sim_fault(machine, issue->op, "what is received has another type than was sent");
        else if (from[q])
            copy_from(machine, issue, from[q], result);
}

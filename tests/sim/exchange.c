/* exchange.c - operators between ranks. The operands of the ranks that take part are copies, made when each was read. */
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

void sim_all_gather(SimMachine *machine, const SimIssue *issue, const SimView *const *from, SimNumber *result)
{
    const SimView *out = &issue->out;
    if (!sim_expect_cut_by(machine, issue->op, out, from[issue->rank]))
        return;
    for (int64_t i = 0; i < out->elements; i++) {
        bool found = sim_in_padding(out, i);
        for (int q = 0; q < machine->rank_count && !found; q++) {
            int64_t offset;
            if (from[q] && sim_same_place(out, i, from[q], &offset)) {
                result[i] = from[q]->data[offset];
                found = true;
            }
        }
        if (!found) {
            sim_fault(machine, issue->op, "no rank of the group has the whole's element %" PRId64, i);
            return;
        }
    }
}

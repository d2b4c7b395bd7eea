/* loops.c - the letters of an operator as loops. */
#include "tests/sim/loops.h"

#include <inttypes.h>
#include <string.h>

int sim_loops_letter(SimLoops *loops, char letter)
{
    for (int l = 0; l < loops->count; l++)
        if (loops->letters[l] == letter)
            return l;
    if (loops->count == SIM_MAX_LETTERS)
        return -1;
    loops->letters[loops->count] = letter;
    loops->extents[loops->count] = -1;
    return loops->count++;
}

/* Gives the dims of a view their letters. */
static bool bind_view(SimMachine *machine, const SimOp *op, SimLoops *loops, int which, const SimView *view,
                      const char *letters, int length)
{
    if (length != view->dim_count) {
        sim_fault(machine, op, "'%s' has %d dims, its index letters are %d", view->buffer->name, view->dim_count,
                  length);
        return false;
    }
    for (int d = 0; d < length; d++) {
        int letter = sim_loops_letter(loops, letters[d]);
        if (letter < 0) {
            sim_fault(machine, op, "too many index letters");
            return false;
        }
        if (loops->extents[letter] >= 0 && loops->extents[letter] != view->extents[d]) {
            sim_fault(machine, op, "'%c' is %" PRId64 " and %" PRId64, letters[d], loops->extents[letter],
                      view->extents[d]);
            return false;
        }
        loops->extents[letter] = view->extents[d];
        loops->strides[which][letter] += view->strides[d];
    }
    return true;
}

/* Without a spec all views have the same dims; those without dims are scalars, the same everywhere. */
static bool bind_flat(SimMachine *machine, const SimIssue *issue, SimLoops *loops, bool summed)
{
    static const char letters[] = "ABCDEF";
    const SimOp *op = issue->op;
    const SimView *out = &issue->out;
    if (!bind_view(machine, op, loops, SIM_RESULT, out, letters, out->dim_count))
        return false;
    if (summed && out->dim_count != 0) {
        sim_fault(machine, op, "a sum over everything is a scalar");
        return false;
    }
    loops->result_count = out->dim_count;
    for (int o = 0; o < op->operand_count; o++)
        if (issue->operands[o].dim_count > 0 &&
            !bind_view(machine, op, loops, o, &issue->operands[o], letters, issue->operands[o].dim_count))
            return false;
    if (!summed && loops->count > loops->result_count) {
        sim_fault(machine, op, "operand and result have different dims");
        return false;
    }
    return true;
}

static bool bind_spec(SimMachine *machine, const SimIssue *issue, SimLoops *loops)
{
    const SimOp *op = issue->op;
    const SimView *out = &issue->out;
    const char *arrow = strstr(op->spec, "->");
    const char *result = arrow ? arrow + 2 : op->spec;
    if (!bind_view(machine, op, loops, SIM_RESULT, out, result, (int)strlen(result)))
        return false;
    if (loops->count != out->dim_count) {
        sim_fault(machine, op, "the result has a letter twice");
        return false;
    }
    loops->result_count = loops->count;
    if (!arrow) {
        if (op->operand_count)
            sim_fault(machine, op, "no '->' in the index letters");
        return op->operand_count == 0;
    }
    const char *at = op->spec;
    for (int o = 0; o < op->operand_count; o++) {
        int length = (int)strcspn(at, ",-");
        if (!bind_view(machine, op, loops, o, &issue->operands[o], at, length))
            return false;
        at += length;
        if (at == arrow ? o != op->operand_count - 1 : *at++ != ',') {
            sim_fault(machine, op, "the index letters are of other operands");
            return false;
        }
    }
    return true;
}

bool sim_loops_bind(SimMachine *machine, const SimIssue *issue, SimLoops *loops, bool summed)
{
    memset(loops, 0, sizeof *loops);
    if (!(*issue->op->spec ? bind_spec(machine, issue, loops) : bind_flat(machine, issue, loops, summed)))
        return false;
    loops->points = loops->summed = 1;
    for (int l = 0; l < loops->count; l++)
        *(l < loops->result_count ? &loops->points : &loops->summed) *= loops->extents[l];
    return true;
}

void sim_loops_locate(const SimLoops *loops, int first, int last, int64_t index, int operand_count, int64_t *offsets)
{
    for (int l = last - 1; l >= first; l--) {
        int64_t at = index % loops->extents[l];
        index /= loops->extents[l];
        for (int o = 0; o < operand_count; o++)
            offsets[o] += at * loops->strides[o][l];
    }
}

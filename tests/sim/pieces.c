/* pieces.c - products of which a piece of one letter takes part: `over` an axis, `index` whose piece. What has the
 * letter whole is looked at through a window of that piece; what is cut over the axis is that piece, as far as anybody
 * knows. Where it is padded, the piece begins what it has, and so in copies between what is padded and what is not,
 * there of the rank's own size.
 */
#include "tests/sim/perform.h"

#include <string.h>

static bool is_cut(const SimMachine *machine, const SimDim *dim, int axis)
{
    for (int c = 0; c < dim->cut_count; c++)
        if (dim->cuts[c] == axis && machine->file->axes[axis].size > 1)
            return true;
    return false;
}

/* The dim of a view that has the letter, -1 for none; `which`: an operand, or after them the result. */
static int dim_of(const SimOp *op, int which, char letter)
{
    const char *at = op->spec;
    for (int o = 0; o < which; o++)
        at += strcspn(at, ",-") + (at[strcspn(at, ",-")] == '-' ? 2 : 1);
    for (int d = 0; at[d] && at[d] != ',' && at[d] != '-'; d++)
        if (at[d] == letter)
            return d;
    return -1;
}

static SimView *view_of(SimIssue *issue, int which)
{
    return which < issue->op->operand_count ? &issue->operands[which] : &issue->out;
}

/* The letter that is cut over the axis in some views and not in others; 0: there is none. */
static char letter_of(SimMachine *machine, SimIssue *issue, int axis)
{
    for (const char *at = issue->op->spec; *at; at++) {
        bool cut = false, whole = false;
        for (int which = 0; which <= issue->op->operand_count && *at >= 'A'; which++) {
            int dim = dim_of(issue->op, which, *at);
            if (dim < 0 || dim >= view_of(issue, which)->dim_count || !view_of(issue, which)->dims)
                continue;
            *(is_cut(machine, &view_of(issue, which)->dims[dim], axis) ? &cut : &whole) = true;
        }
        if (cut && whole)
            return *at;
    }
    return 0;
}

static void narrow_dim(SimView *view, int dim, int64_t start, int64_t extent)
{
    view->data += start * view->strides[dim];
    view->elements = view->extents[dim] ? view->elements / view->extents[dim] * extent : 0;
    view->starts[dim] += start;
    view->extents[dim] = extent;
}

/* What is padded to the piece that a rank with another coordinate on the axis has; axis -1: that this one has. */
static void narrow_padded(SimMachine *machine, SimIssue *issue, SimView *view, int dim, int axis, int64_t coordinate)
{
    int64_t coordinates[SIM_MAX_AXES], start, extent;
    memcpy(coordinates, machine->ranks[issue->rank].coordinates, sizeof coordinates);
    if (axis >= 0)
        coordinates[axis] = coordinate;
    sim_piece(machine, &view->dims[dim], coordinates, 0, &start, &extent);
    narrow_dim(view, dim, 0, extent);
}

static bool is_padded(const SimView *view)
{
    for (int d = 0; d < view->dim_count && view->dims; d++)
        if (view->dims[d].padded)
            return true;
    return false;
}

bool sim_works_on_pieces(const SimIssue *issue)
{
    if (strcmp(issue->op->of->name, "copy") == 0)
        return is_padded(&issue->out) != is_padded(&issue->operands[0]);
    return issue->op->of->shape == SIM_SUM && issue->op->axis_count > 0;
}

static void narrow_copy(SimMachine *machine, SimIssue *issue)
{
    for (int which = 0; which < 2; which++) {
        SimView *view = view_of(issue, which);
        for (int d = 0; d < view->dim_count && view->dims; d++)
            if (view->dims[d].padded)
                narrow_padded(machine, issue, view, d, -1, 0);
    }
}

bool sim_narrow_to_pieces(SimMachine *machine, const SimIssue *issue, SimIssue *narrow)
{
    const SimOp *op = issue->op;
    *narrow = *issue;
    if (strcmp(op->of->name, "copy") == 0) {
        narrow_copy(machine, narrow);
        return true;
    }
    if (op->axis_count != 1 || !strstr(op->spec, "->")) {
        sim_fault(machine, op, "pieces over one axis, of a letter");
        return false;
    }
    int64_t count = machine->file->axes[op->axes[0]].size;
    char letter = letter_of(machine, narrow, op->axes[0]);
    if (count == 1)
        return true;
    if (!letter || issue->index < 0 || issue->index >= count) {
        sim_fault(machine, op, "no letter is whole here and cut there, or no piece has this index");
        return false;
    }
    for (int which = 0; which <= op->operand_count; which++) {
        SimView *view = view_of(narrow, which);
        int dim = dim_of(op, which, letter);
        int64_t start, extent;
        if (dim < 0)
            continue;
        if (view->spans[dim]) {
            sim_fault(machine, op, "pieces of what is cut by segments");
            return false;
        }
        if (!is_cut(machine, &view->dims[dim], op->axes[0])) {
            sim_cut(view->extents[dim], count, issue->index, &start, &extent);
            narrow_dim(view, dim, start, extent);
        } else if (view->dims[dim].padded) {
            narrow_padded(machine, narrow, view, dim, op->axes[0], issue->index);
        }
    }
    return true;
}

/* members.c - flat operators some of whose operands or results have one number per row, column or tensor of a unit's
 * members. A map computes every number of its result, a sum adds every number of its operand to one of its result; what
 * a view has fewer numbers of is found by the index within the member.
 */
#include "tests/sim/perform.h"

#include <inttypes.h>

/* A place in a unit: a member and an index for each of its dims that `each` has. */
typedef struct Place {
    int member;
    SimEach each;
    int count;
    int64_t index[SIM_MAX_DIMS];
} Place;

bool sim_works_by_member(const SimIssue *issue)
{
    bool numbers = false;
    for (int o = -1; o < issue->op->operand_count; o++) {
        const SimView *view = o < 0 ? &issue->out : &issue->operands[o];
        numbers |= view->unit != NULL && view->unit->each != SIM_EACH_ELEMENT;
    }
    return numbers && *issue->op->spec == '\0';
}

/* Where number `index` of the view is; false in padding. */
static bool find_place(SimMachine *machine, int rank, const SimView *view, int64_t index, Place *place)
{
    if (sim_is_padding(view, index))
        return false;
    int64_t element = view->starts[0] + index;
    place->member = sim_member_at(view->unit, element);
    place->each = view->unit->each;
    element -= view->unit->offsets[place->member];
    SimView shape = sim_member_shape(machine, rank, view->unit, place->member);
    place->count = shape.dim_count;
    for (int d = shape.dim_count - 1; d >= 0; d--) {
        place->index[d] = element % shape.extents[d];
        element /= shape.extents[d];
    }
    return true;
}

/* The number of a view at a place; `at` is the place's own index, for views that are laid out as it is. */
static int64_t find_number(SimMachine *machine, const SimIssue *issue, const SimView *view, const Place *place,
                           int64_t at)
{
    if (view->unit == NULL && view->dim_count == 0)
        return 0;
    if (view->unit == NULL) {
        sim_fault(machine, issue->op, "'%s' is no slot of the unit", view->buffer->name);
        return 0;
    }
    SimEach each = view->unit->each;
    if (each == place->each)
        return at * view->width;
    if (each == SIM_EACH_ELEMENT || (place->each != SIM_EACH_ELEMENT && each != SIM_EACH_TENSOR)) {
        sim_fault(machine, issue->op, "'%s' has more numbers than there are", view->buffer->name);
        return 0;
    }
    SimView shape = sim_member_shape(machine, issue->rank, view->unit, place->member);
    int64_t offset = 0;
    for (int d = 0; d < shape.dim_count; d++)
        offset = offset * shape.extents[d] + place->index[each == SIM_EACH_COLUMN ? place->count - 1 : d];
    return (view->unit->offsets[place->member] + offset) * view->width;
}

static bool check_views(SimMachine *machine, const SimIssue *issue, const SimView *driver)
{
    for (int o = -1; o < issue->op->operand_count; o++) {
        const SimView *view = o < 0 ? &issue->out : &issue->operands[o];
        bool fits = view->unit == NULL ? view->dim_count == 0 : view->unit->base == driver->unit->base;
        if (fits && view->unit != NULL && view->unit->each == driver->unit->each)
            fits = view->starts[0] == driver->starts[0] && view->elements == driver->elements;
        if (fits)
            continue;
        sim_fault(machine, issue->op, "'%s' does not belong to the unit, or is cut in another way", view->buffer->name);
        return false;
    }
    return true;
}

static void evaluate_place(SimMachine *machine, const SimIssue *issue, const Place *place, int64_t at, SimRow *row)
{
    for (int o = 0; o < issue->op->operand_count && !machine->failed; o++) {
        const SimView *operand = &issue->operands[o];
        row->width[o] = 1;
        row->x[o][0] = operand->data[find_number(machine, issue, operand, place, at)];
    }
    if (machine->failed)
        return;
    sim_evaluate(row);
    if (row->fault)
        sim_fault(machine, issue->op, "%s", row->fault);
}

void sim_perform_members(SimMachine *machine, const SimIssue *issue, SimRow *row)
{
    const SimOp *op = issue->op;
    const SimView *out = &issue->out;
    bool sums = op->of->shape == SIM_SUM;
    const SimView *driver = sums ? &issue->operands[0] : out;
    if (op->of->shape == SIM_ROW || driver->unit == NULL) {
        sim_fault(machine, op, "it does not work on the members of a unit");
        return;
    }
    if (!check_views(machine, issue, driver))
        return;
    if (sums && out->unit != NULL && out->unit->each == driver->unit->each) {
        sim_fault(machine, op, "nothing to sum");
        return;
    }
    SimNumber *result = sim_scratch(machine, out->elements);
    row->length = 1;
    row->result_is_row = false;
    for (int64_t at = 0; at < driver->elements && !machine->failed; at++) {
        Place place;
        if (!find_place(machine, issue->rank, driver, at, &place)) {
            if (!sums) /* padding is not mentioned */
                result[at] = sim_drawn(sim_mix(0x67617073, (uint64_t)at));
            continue;
        }
        evaluate_place(machine, issue, &place, at, row);
        int64_t to = machine->failed ? 0 : find_number(machine, issue, out, &place, at) / out->width;
        result[to] = sums ? sim_add(result[to], row->y[0]) : row->y[0];
    }
    if (!machine->failed)
        sim_store(machine, op, out, result);
}

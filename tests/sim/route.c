/* route.c - who goes where, by whole numbers: the largest of a row, queues, and rows that are taken and given by them.
 */
#include "tests/sim/loops.h"
#include "tests/sim/operators.h"
#include "tests/sim/perform.h"

#include <inttypes.h>
#include <string.h>

/* ---- Choices ------------------------------------------------------------------------------------------------ */

/* The last letter of the result is an order; before it come the letters of what is compared alone. */
static bool bind_order(SimMachine *machine, const SimIssue *issue, SimLoops *loops, int compared)
{
    if (!sim_loops_bind(machine, issue, loops, true))
        return false;
    int order = loops->result_count - 1;
    bool fits = order >= 0 && loops->count == loops->result_count + compared;
    for (int o = 0; o < issue->op->operand_count && fits; o++)
        fits = loops->strides[o][order] == 0;
    for (int o = 1; o < issue->op->operand_count && fits; o++)
        for (int l = loops->result_count; l < loops->count; l++)
            fits = fits && loops->strides[o][l] == 0;
    if (!fits)
        sim_fault(machine, issue->op, "the last letters are what is compared, and an order");
    return fits;
}

/* Does element j come before i: is it larger, or as large and earlier? */
static bool is_before(const SimNumber *x, int64_t j, int64_t i)
{
    return sim_less(x[i], x[j]) || (!sim_less(x[j], x[i]) && j < i);
}

/* The element before which `place` others come. */
static int64_t element_at(const SimNumber *x, int64_t count, int64_t place)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t before = 0;
        for (int64_t j = 0; j < count; j++)
            before += is_before(x, j, i);
        if (before == place)
            return i;
    }
    return count;
}

/* In the field the order is any function of the row. */
static void order_in_field(SimNumber *x, int64_t count)
{
    SimNumber arguments[SIM_MAX_ROW + 1];
    memcpy(arguments, x, sizeof *x * (size_t)count);
    for (int64_t i = 0; i < count; i++) {
        arguments[count] = sim_integer(i);
        x[i] = sim_hashed("top", arguments, (int)count + 1);
    }
}

void sim_perform_top(SimMachine *machine, const SimIssue *issue)
{
    SimLoops loops;
    if (!bind_order(machine, issue, &loops, 1))
        return;
    int order = loops.result_count - 1, row = loops.count - 1;
    int64_t length = loops.extents[row], places = loops.extents[order];
    SimNumber x[SIM_MAX_ROW], *result = sim_scratch(machine, loops.points);
    if (length > SIM_MAX_ROW) {
        sim_fault(machine, issue->op, "a row of %" PRId64, length);
        return;
    }
    for (int64_t p = 0; p < loops.points; p++) {
        int64_t offset = 0;
        sim_loops_locate(&loops, 0, order, p / places, 1, &offset);
        for (int64_t i = 0; i < length; i++)
            x[i] = issue->operands[0].data[offset + i * loops.strides[0][row]];
        if (sim_arithmetic == SIM_FIELD)
            order_in_field(x, length);
        result[p] = sim_integer(element_at(x, length, p % places));
    }
    sim_store(machine, issue->op, &issue->out, result);
}

void sim_perform_queue(SimMachine *machine, const SimIssue *issue)
{
    SimLoops loops;
    if (!bind_order(machine, issue, &loops, 2))
        return;
    int order = loops.result_count - 1, columns = loops.count - 1;
    int64_t places = loops.extents[order], rows = loops.extents[columns - 1];
    bool all = !strcmp(issue->op->of->name, "queue_all");
    SimNumber *result = sim_scratch(machine, loops.points);
    for (int64_t queue = 0; places > 0 && queue < loops.points / places; queue++) {
        int64_t offsets[SIM_MAX_OPERANDS] = {0}, waiting = 0;
        sim_loops_locate(&loops, 0, order, queue, 2, offsets);
        SimNumber number = issue->operands[1].data[offsets[1]];
        for (int64_t i = 0; i < rows * loops.extents[columns]; i++) {
            int64_t at = offsets[0];
            sim_loops_locate(&loops, columns - 1, columns + 1, i, 1, &at);
            if (!sim_is_zero(sim_sub(issue->operands[0].data[at], number)))
                continue;
            if (waiting < places)
                result[queue * places + waiting++] = sim_integer(i / loops.extents[columns]);
            else if (all)
                sim_fault(machine, issue->op, SIM_NO_PLACE);
        }
        while (waiting < places)
            result[queue * places + waiting++] = sim_integer(rows);
    }
    sim_store(machine, issue->op, &issue->out, result);
}

/* ---- Rows by them ------------------------------------------------------------------------------------------- */

/* The loop of the only letter that the table (an operand, or SIM_RESULT) has alone; -1, with a fault: there is none. */
static int row_loop(SimMachine *machine, const SimOp *op, const SimLoops *loops, int table, int other)
{
    int row = -1;
    for (int l = 0; l < loops->count; l++) {
        if (loops->strides[table][l] == 0 || loops->strides[0][l] != 0 || loops->strides[other][l] != 0)
            continue;
        if (row >= 0) {
            sim_fault(machine, op, "the table has two letters of its own");
            return -1;
        }
        row = l;
    }
    if (row < 0)
        sim_fault(machine, op, "no letter for the table's rows");
    return row;
}

/* The row of this rank's piece that an index names: -1 if it is another's, or none. */
static int64_t named_row(SimMachine *machine, const SimOp *op, SimNumber index, const SimView *table, int dim)
{
    int64_t row, rows = table->dims[dim].size;
    char text[64];
    if (!sim_as_index(index, rows + 1, &row)) {
        sim_fault(machine, op, "index %s of a table of %" PRId64, sim_show(index.value, text, sizeof text), rows);
        return -1;
    }
    return row < rows ? sim_index_at(table, dim, row) : -1;
}

void sim_perform_take(SimMachine *machine, const SimIssue *issue)
{
    const SimOp *op = issue->op;
    const SimView *operands = issue->operands;
    SimLoops loops;
    if (!sim_loops_bind(machine, issue, &loops, true))
        return;
    int row = row_loop(machine, op, &loops, 1, SIM_RESULT);
    if (row < 0)
        return;
    if (loops.count != loops.result_count + 1 || !operands[1].dims) {
        sim_fault(machine, op, "only the table's rows may be missing from the result");
        return;
    }
    const char *letters = strchr(op->spec, ',') + 1;
    int dim = (int)(strchr(letters, loops.letters[row]) - letters);
    SimNumber *result = sim_scratch(machine, loops.points);
    for (int64_t p = 0; p < loops.points; p++) {
        int64_t offsets[SIM_MAX_OPERANDS] = {0};
        sim_loops_locate(&loops, 0, loops.result_count, p, 2, offsets);
        int64_t at = named_row(machine, op, operands[0].data[offsets[0]], &operands[1], dim);
        if (at >= 0)
            result[p] = operands[1].data[offsets[1] + at * loops.strides[1][row]];
    }
    if (!machine->failed)
        sim_store(machine, op, &issue->out, result);
}

/* What is added to the result's element p: operand b, times operand c if there is one, where a names its row. */
static SimNumber given_to(SimMachine *machine, const SimIssue *issue, const SimLoops *loops, int row, int64_t p)
{
    int64_t inner = 1;
    for (int l = row + 1; l < loops->result_count; l++)
        inner *= loops->extents[l];
    int64_t own = p / inner % loops->extents[row];
    SimNumber sum = sim_integer(0);
    for (int64_t s = 0; s < loops->summed; s++) {
        int64_t offsets[SIM_MAX_OPERANDS] = {0};
        sim_loops_locate(loops, 0, loops->result_count, p, issue->op->operand_count, offsets);
        sim_loops_locate(loops, loops->result_count, loops->count, s, issue->op->operand_count, offsets);
        if (named_row(machine, issue->op, issue->operands[0].data[offsets[0]], &issue->out, row) != own)
            continue;
        SimNumber x = issue->operands[1].data[offsets[1]];
        sum = sim_add(sum, issue->op->operand_count > 2 ? sim_mul(x, issue->operands[2].data[offsets[2]]) : x);
    }
    return sum;
}

void sim_perform_give(SimMachine *machine, const SimIssue *issue)
{
    SimLoops loops;
    if (!sim_loops_bind(machine, issue, &loops, true))
        return;
    int row = row_loop(machine, issue->op, &loops, SIM_RESULT, 1);
    if (row < 0)
        return;
    if (!issue->out.dims || row >= loops.result_count) {
        sim_fault(machine, issue->op, "the table is the result");
        return;
    }
    SimNumber *result = sim_scratch(machine, loops.points);
    for (int64_t p = 0; p < loops.points && !machine->failed; p++)
        result[p] = given_to(machine, issue, &loops, row, p);
    if (!machine->failed)
        sim_store(machine, issue->op, &issue->out, result);
}

/* table.c - rows of a table by index, and the transpose. */
#include "tests/sim/loops.h"
#include "tests/sim/perform.h"

#include <inttypes.h>
#include <string.h>

/* The row of this rank's piece of a table (of `rows`, whole `view->dims[0].size`) that an index names; -1: another's. */
static int64_t table_row(SimMachine *machine, const SimOp *op, SimNumber index, const SimView *table, int64_t rows)
{
    int64_t row;
    char text[64];
    if (!table->dims || !sim_as_index(index, table->dims[0].size, &row)) {
        sim_fault(machine, op, "index %s of a table of %" PRId64, sim_show(index.value, text, sizeof text), rows);
        return -1;
    }
    return sim_index_at(table, 0, row);
}

/* The letter of the table's rows: the first of operand b, or of the result in the transpose. */
static int row_letter(SimMachine *machine, const SimOp *op, SimLoops *loops, bool transposed)
{
    const char *at = transposed ? strstr(op->spec, "->") : strchr(op->spec, ',');
    if (at)
        at += transposed ? 2 : 1;
    if (!at || !((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z'))) {
        sim_fault(machine, op, "no letter for the table's rows");
        return -1;
    }
    return sim_loops_letter(loops, *at);
}

void sim_perform_embed(SimMachine *machine, const SimIssue *issue)
{
    const SimOp *op = issue->op;
    const SimView *operands = issue->operands;
    SimLoops loops;
    if (!sim_loops_bind(machine, issue, &loops, true))
        return;
    int rows = row_letter(machine, op, &loops, false);
    if (rows < 0)
        return;
    if (rows != loops.count - 1 || loops.count != loops.result_count + 1 || loops.strides[0][rows] != 0) {
        sim_fault(machine, op, "only the table's rows may be missing from the result");
        return;
    }
    SimNumber *result = sim_scratch(machine, loops.points);
    for (int64_t p = 0; p < loops.points; p++) {
        int64_t offsets[SIM_MAX_OPERANDS] = {0};
        sim_loops_locate(&loops, 0, loops.result_count, p, 2, offsets);
        int64_t row = table_row(machine, op, operands[0].data[offsets[0]], &operands[1], loops.extents[rows]);
        if (row >= 0)
            result[p] = operands[1].data[offsets[1] + row * loops.strides[1][rows]];
    }
    if (!machine->failed)
        sim_store(machine, op, &issue->out, result);
}

void sim_perform_embed_bwd(SimMachine *machine, const SimIssue *issue)
{
    const SimOp *op = issue->op;
    const SimView *operands = issue->operands;
    SimLoops loops;
    if (!sim_loops_bind(machine, issue, &loops, true))
        return;
    int rows = row_letter(machine, op, &loops, true);
    if (rows < 0)
        return;
    if (rows != 0 || loops.strides[0][0] != 0 || loops.strides[1][0] != 0) {
        sim_fault(machine, op, "the table's rows are the result's first dim, and no operand's");
        return;
    }
    SimNumber *result = sim_scratch(machine, loops.points);
    int64_t columns = loops.extents[0] ? loops.points / loops.extents[0] : 0;
    for (int64_t s = 0; s < loops.summed; s++)
        for (int64_t c = 0; c < columns; c++) {
            int64_t offsets[SIM_MAX_OPERANDS] = {0};
            sim_loops_locate(&loops, 1, loops.result_count, c, 2, offsets);
            sim_loops_locate(&loops, loops.result_count, loops.count, s, 2, offsets);
            int64_t row = table_row(machine, op, operands[0].data[offsets[0]], &issue->out, loops.extents[0]);
            if (row >= 0)
                result[row * columns + c] =
                    sim_add(result[row * columns + c], operands[1].data[offsets[1]]);
        }
    if (!machine->failed)
        sim_store(machine, op, &issue->out, result);
}

/* evaluate.c - operators that are formulas: at every point, or along every row, of their loops. */
#include "tests/sim/loops.h"
#include "tests/sim/perform.h"

#include <inttypes.h>
#include <string.h>

/* numerator / denominator, over this rank's extent of the named letters of the operand. */
static SimNumber scale_factor(SimMachine *machine, const SimIssue *issue)
{
    const SimOp *op = issue->op;
    const SimView *operand = &issue->operands[0];
    int64_t denominator = op->scale_denominator;
    for (const char *letter = op->local_letters; *letter; letter++) {
        const char *found = strchr(op->spec, *letter);
        if (!found || found - op->spec >= operand->dim_count)
            sim_fault(machine, op, "no letter '%c' in the operand", *letter);
        else if (operand->extents[found - op->spec] > 0) /* else there is nothing to divide */
            denominator *= operand->extents[found - op->spec];
    }
    return machine->failed ? sim_integer(0) : sim_fraction(op->scale_numerator, denominator);
}

/* Puts the letter of the row, the last of operand a, after the others; 1 for an operator on points. */
static bool split_row(SimMachine *machine, const SimOp *op, SimLoops *loops, SimRow *row)
{
    row->length = 1;
    row->result_is_row = true;
    if (op->of->shape != SIM_ROW)
        return true;
    size_t letters = strcspn(op->spec, ",-");
    if (letters == 0 || letters > SIM_MAX_DIMS) {
        sim_fault(machine, op, "an operator on rows needs index letters");
        return false;
    }
    int letter = sim_loops_letter(loops, op->spec[letters - 1]);
    row->result_is_row = letter < loops->result_count;
    if (letter != loops->count - 1) {
        sim_fault(machine, op, "the row is the last dim of the result, or the only one that it lacks");
        return false;
    }
    row->length = loops->extents[letter];
    if (row->length < 1 || row->length > SIM_MAX_ROW) {
        sim_fault(machine, op, "a row of %" PRId64, row->length);
        return false;
    }
    return true;
}

/* Operands of the row that begins at these offsets. */
static void load_row(const SimIssue *issue, const SimLoops *loops, const int64_t *offsets, SimRow *row)
{
    for (int o = 0; o < issue->op->operand_count; o++) {
        int64_t stride = row->of->shape == SIM_ROW ? loops->strides[o][loops->count - 1] : 0;
        row->width[o] = stride ? row->length : 1;
        for (int64_t i = 0; i < row->width[o]; i++)
            row->x[o][i] = issue->operands[o].data[offsets[o] + i * stride];
    }
}

static void evaluate_at(SimMachine *machine, const SimIssue *issue, const SimLoops *loops, const int64_t *offsets,
                        SimRow *row)
{
    load_row(issue, loops, offsets, row);
    sim_evaluate(row);
    if (row->fault)
        sim_fault(machine, issue->op, "%s", row->fault);
}

static void evaluate_points(SimMachine *machine, const SimIssue *issue, const SimLoops *loops, SimRow *row,
                            SimNumber *result)
{
    bool rows = issue->op->of->shape == SIM_ROW;
    int letters = rows && row->result_is_row ? loops->result_count - 1 : loops->result_count;
    int64_t each = row->result_is_row ? row->length : 1, summed = rows ? 1 : loops->summed;
    for (int64_t p = 0; p < loops->points / each && !machine->failed; p++)
        for (int64_t s = 0; s < summed && !machine->failed; s++) {
            int64_t offsets[SIM_MAX_OPERANDS] = {0};
            sim_loops_locate(loops, 0, letters, p, issue->op->operand_count, offsets);
            if (!rows)
                sim_loops_locate(loops, letters, loops->count, s, issue->op->operand_count, offsets);
            evaluate_at(machine, issue, loops, offsets, row);
            for (int64_t i = 0; i < each; i++)
                result[p * each + i] = sim_add(result[p * each + i], row->y[i]);
        }
}

void sim_perform_formula(SimMachine *machine, const SimIssue *issue)
{
    static SimRow row;
    const SimOp *op = issue->op;
    SimLoops loops;
    row.of = op->of;
    row.immediates = op->immediates;
    row.factor = scale_factor(machine, issue);
    if (sim_works_by_member(issue)) {
        sim_perform_members(machine, issue, &row);
        return;
    }
    SimIssue narrow;
    if (machine->failed)
        return;
    bool pieces = sim_works_on_pieces(issue);
    if (pieces && !sim_narrow_to_pieces(machine, issue, &narrow))
        return;
    if (pieces && !op->accumulate) /* what is next to the piece has no part in it */
        sim_store(machine, op, &issue->out, sim_scratch(machine, issue->out.elements));
    issue = pieces ? &narrow : issue;
    if (!sim_loops_bind(machine, issue, &loops, op->of->shape != SIM_MAP) || !split_row(machine, op, &loops, &row))
        return;
    int missing = loops.count - loops.result_count;
    if (op->of->shape != SIM_SUM && missing > (row.result_is_row ? 0 : 1)) {
        sim_fault(machine, op, "the result lacks '%c'", loops.letters[loops.result_count]);
        return;
    }
    SimNumber *result = sim_scratch(machine, loops.points);
    evaluate_points(machine, issue, &loops, &row, result);
    for (int64_t p = issue->out.valid; op->of->clears_padding && p < issue->out.elements; p++)
        result[p] = sim_integer(0);
    if (!machine->failed)
        sim_store(machine, op, &issue->out, result);
}

/* evaluate.c - index letters become loops: those of the result first, then those that are summed; at every point, or
 * along every row, the operator's formula.
 */
#include "tests/sim/perform.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_LETTERS = 12, RESULT = SIM_MAX_OPERANDS };

/* ---- Index letters ------------------------------------------------------------------------------------------ */

typedef struct Loops {
    int count, result_count; /* letters; the first result_count are the result's */
    char letters[MAX_LETTERS];
    int64_t extents[MAX_LETTERS];
    int64_t strides[SIM_MAX_OPERANDS + 1][MAX_LETTERS];
    int64_t points, summed; /* how many of the result, how many added up for each */
} Loops;

static int loops_letter(Loops *loops, char letter)
{
    for (int l = 0; l < loops->count; l++)
        if (loops->letters[l] == letter)
            return l;
    if (loops->count == MAX_LETTERS)
        return -1;
    loops->letters[loops->count] = letter;
    loops->extents[loops->count] = -1;
    return loops->count++;
}

/* Gives the dims of a view their letters. */
static bool bind_view(SimMachine *machine, const SimOp *op, Loops *loops, int which, const SimView *view,
                      const char *letters, int length)
{
    if (length != view->dim_count) {
        sim_fault(machine, op, "'%s' has %d dims, its index letters are %d", view->buffer->name, view->dim_count,
                  length);
        return false;
    }
    for (int d = 0; d < length; d++) {
        int letter = loops_letter(loops, letters[d]);
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
static bool bind_flat(SimMachine *machine, const SimIssue *issue, Loops *loops, bool summed)
{
    static const char letters[] = "ABCDEF";
    const SimOp *op = issue->op;
    const SimView *out = &issue->out;
    if (!bind_view(machine, op, loops, RESULT, out, letters, out->dim_count))
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

static bool bind_spec(SimMachine *machine, const SimIssue *issue, Loops *loops)
{
    const SimOp *op = issue->op;
    const SimView *out = &issue->out;
    const char *arrow = strstr(op->spec, "->");
    const char *result = arrow ? arrow + 2 : op->spec;
    if (!bind_view(machine, op, loops, RESULT, out, result, (int)strlen(result)))
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

static bool bind(SimMachine *machine, const SimIssue *issue, Loops *loops, bool summed)
{
    memset(loops, 0, sizeof *loops);
    if (!(*issue->op->spec ? bind_spec(machine, issue, loops) : bind_flat(machine, issue, loops, summed)))
        return false;
    loops->points = loops->summed = 1;
    for (int l = 0; l < loops->count; l++)
        *(l < loops->result_count ? &loops->points : &loops->summed) *= loops->extents[l];
    return true;
}

/* Offsets of point `index` (row-major over letters first .. last-1) added to `offsets`. */
static void locate(const Loops *loops, int first, int last, int64_t index, int operand_count, int64_t *offsets)
{
    for (int l = last - 1; l >= first; l--) {
        int64_t at = index % loops->extents[l];
        index /= loops->extents[l];
        for (int o = 0; o < operand_count; o++)
            offsets[o] += at * loops->strides[o][l];
    }
}

/* ---- Formulas ----------------------------------------------------------------------------------------------- */

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

/* Puts the letter of the row, the last of operand a, behind the others; 1 for an operator on points. */
static bool split_row(SimMachine *machine, const SimOp *op, Loops *loops, SimRow *row)
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
    int letter = loops_letter(loops, op->spec[letters - 1]);
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
static void load_row(const SimIssue *issue, const Loops *loops, const int64_t *offsets, SimRow *row)
{
    for (int o = 0; o < issue->op->operand_count; o++) {
        int64_t stride = row->of->shape == SIM_ROW ? loops->strides[o][loops->count - 1] : 0;
        row->width[o] = stride ? row->length : 1;
        for (int64_t i = 0; i < row->width[o]; i++)
            row->x[o][i] = issue->operands[o].data[offsets[o] + i * stride];
    }
}

static void evaluate_at(SimMachine *machine, const SimIssue *issue, const Loops *loops, const int64_t *offsets,
                        SimRow *row)
{
    load_row(issue, loops, offsets, row);
    sim_evaluate(row);
    if (row->fault)
        sim_fault(machine, issue->op, "%s", row->fault);
}

static void evaluate_points(SimMachine *machine, const SimIssue *issue, const Loops *loops, SimRow *row,
                            SimNumber *result)
{
    bool rows = issue->op->of->shape == SIM_ROW;
    int letters = rows && row->result_is_row ? loops->result_count - 1 : loops->result_count;
    int64_t each = row->result_is_row ? row->length : 1, summed = rows ? 1 : loops->summed;
    for (int64_t p = 0; p < loops->points / each && !machine->failed; p++)
        for (int64_t s = 0; s < summed && !machine->failed; s++) {
            int64_t offsets[SIM_MAX_OPERANDS] = {0};
            locate(loops, 0, letters, p, issue->op->operand_count, offsets);
            if (!rows)
                locate(loops, letters, loops->count, s, issue->op->operand_count, offsets);
            evaluate_at(machine, issue, loops, offsets, row);
            for (int64_t i = 0; i < each; i++)
                result[p * each + i] = sim_add(result[p * each + i], row->y[i]);
        }
}

void sim_perform_formula(SimMachine *machine, const SimIssue *issue)
{
    static SimRow row;
    const SimOp *op = issue->op;
    Loops loops;
    row.of = op->of;
    row.immediates = op->immediates;
    row.factor = scale_factor(machine, issue);
    if (machine->failed || !bind(machine, issue, &loops, op->of->shape != SIM_MAP) ||
        !split_row(machine, op, &loops, &row))
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

/* ---- Tables ------------------------------------------------------------------------------------------------- */

static int64_t table_row(SimMachine *machine, const SimOp *op, SimNumber index, int64_t rows)
{
    int64_t row;
    char text[64];
    if (sim_as_index(index, rows, &row))
        return row;
    sim_fault(machine, op, "row %s of a table of %" PRId64, sim_show(index.value, text, sizeof text), rows);
    return 0;
}

/* The letter of the table's rows: the first of operand b, or of the result in the transpose. */
static int row_letter(SimMachine *machine, const SimOp *op, Loops *loops, bool transposed)
{
    const char *at = transposed ? strstr(op->spec, "->") : strchr(op->spec, ',');
    if (at)
        at += transposed ? 2 : 1;
    if (!at || !((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z'))) {
        sim_fault(machine, op, "no letter for the table's rows");
        return -1;
    }
    return loops_letter(loops, *at);
}

void sim_perform_embed(SimMachine *machine, const SimIssue *issue)
{
    const SimOp *op = issue->op;
    const SimView *operands = issue->operands;
    Loops loops;
    if (!bind(machine, issue, &loops, true))
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
        locate(&loops, 0, loops.result_count, p, 2, offsets);
        int64_t row = table_row(machine, op, operands[0].data[offsets[0]], loops.extents[rows]);
        result[p] = operands[1].data[offsets[1] + row * loops.strides[1][rows]];
    }
    if (!machine->failed)
        sim_store(machine, op, &issue->out, result);
}

void sim_perform_embed_bwd(SimMachine *machine, const SimIssue *issue)
{
    const SimOp *op = issue->op;
    const SimView *operands = issue->operands;
    Loops loops;
    if (!bind(machine, issue, &loops, true))
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
            locate(&loops, 1, loops.result_count, c, 2, offsets);
            locate(&loops, loops.result_count, loops.count, s, 2, offsets);
            int64_t row = table_row(machine, op, operands[0].data[offsets[0]], loops.extents[0]);
            result[row * columns + c] = sim_add(result[row * columns + c], operands[1].data[offsets[1]]);
        }
    if (!machine->failed)
        sim_store(machine, op, &issue->out, result);
}

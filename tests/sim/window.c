/* window.c - convolutions, pooling and views.
 *
 * The last two letters of each array are rows and columns: of the input's grid, of the output's, or of the window.
 * Place p of the output sees input row p * stride - pad + i for the window's row i; columns alike, counted in the
 * whole; what is outside it is zero, and no candidate for a maximum. A piece of the input that lacks what its
 * places see is a fault.
 */
#include "tests/sim/loops.h"
#include "tests/sim/perform.h"

#include <inttypes.h>
#include <string.h>

enum { NO_ARRAY = -1, MAX_WINDOW = 64 };

typedef struct Windows {
    SimLoops loops;
    int letters[3][2]; /* of input, window, output; window -1: pooling */
    int64_t window[2], stride, pad;
    int64_t size[2], input_start[2], output_start[2]; /* of the input's grid; where pieces start */
    bool lacks;                                       /* some place saw what is not in the piece */
    int64_t at[SIM_MAX_LETTERS];
} Windows;

enum { ON_INPUT, ON_WINDOW, ON_OUTPUT };

/* Which array (operand, or SIM_RESULT) is where: of `conv`, its transposes, and of pooling. */
static void roles_of(const char *name, int roles[3])
{
    static const struct {
        const char *name;
        int roles[3];
    } all[] = {{"conv", {0, 1, SIM_RESULT}},
               {"conv_input_bwd", {SIM_RESULT, 1, 0}},
               {"conv_weight_bwd", {0, SIM_RESULT, 1}},
               {"max_pool", {0, NO_ARRAY, SIM_RESULT}},
               {"max_pool_bwd", {0, NO_ARRAY, 1}},
               {"mean_pool", {0, NO_ARRAY, SIM_RESULT}},
               {"mean_pool_bwd", {SIM_RESULT, NO_ARRAY, 0}}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (!strcmp(all[i].name, name))
            memcpy(roles, all[i].roles, sizeof all[i].roles);
}

/* The last two letters of an array in the spec. */
static const char *grid_letters(const SimOp *op, int array)
{
    const char *start = op->spec;
    if (array == SIM_RESULT)
        return op->spec + strlen(op->spec) - 2;
    for (int o = 0; o < array; o++)
        start += strcspn(start, ",-") + 1;
    return start + strcspn(start, ",-") - 2;
}

static bool bind_windows(SimMachine *machine, const SimIssue *issue, Windows *w)
{
    const SimOp *op = issue->op;
    int roles[3] = {0, 0, 0};
    int64_t places[2] = {0, 0};
    memset(w, 0, sizeof *w);
    roles_of(op->of->name, roles);
    if (!sim_loops_bind(machine, issue, &w->loops, true))
        return false;
    for (int role = 0; role < 3; role++)
        for (int i = 0; i < 2; i++) {
            w->letters[role][i] = -1;
            if (roles[role] == NO_ARRAY)
                continue;
            const SimView *view = roles[role] == SIM_RESULT ? &issue->out : &issue->operands[roles[role]];
            if (view->dim_count < 2 || sim_has_spans(view)) {
                sim_fault(machine, op, "'%s' has no rows and columns", view->buffer->name);
                return false;
            }
            int dim = view->dim_count - 2 + i;
            w->letters[role][i] = sim_loops_letter(&w->loops, grid_letters(op, roles[role])[i]);
            if (role == ON_INPUT) {
                w->size[i] = view->dims[dim].size;
                w->input_start[i] = view->starts[dim];
            }
            if (role == ON_OUTPUT) {
                places[i] = view->dims[dim].size;
                w->output_start[i] = view->starts[dim];
            }
        }
    w->stride = (int64_t)op->immediates[op->immediate_count - 2];
    w->pad = (int64_t)op->immediates[op->immediate_count - 1];
    for (int i = 0; i < 2; i++) {
        int letter = w->letters[ON_WINDOW][i];
        w->window[i] = letter >= 0 ? w->loops.extents[letter] : (int64_t)op->immediates[0];
        int64_t room = w->size[i] + 2 * w->pad - w->window[i];
        if (w->stride < 1 || w->pad < 0 || w->window[i] < 1 || room < 0 || places[i] != room / w->stride + 1) {
            sim_fault(machine, op, "the window does not fit");
            return false;
        }
    }
    return true;
}

/* The next index of all letters but the input's rows and columns, which follow from the others. */
static bool next_place(Windows *w)
{
    for (int l = w->loops.count - 1; l >= 0; l--) {
        if (l == w->letters[ON_INPUT][0] || l == w->letters[ON_INPUT][1])
            continue;
        if (++w->at[l] < w->loops.extents[l])
            return true;
        w->at[l] = 0;
    }
    return false;
}

/* Goes to where this element of the window is in the input; false where that is outside. */
static bool look_at(Windows *w, int64_t row, int64_t column)
{
    const int64_t element[] = {row, column};
    for (int i = 0; i < 2; i++) {
        int letter = w->letters[ON_INPUT][i];
        int64_t at = (w->output_start[i] + w->at[w->letters[ON_OUTPUT][i]]) * w->stride - w->pad + element[i];
        if (at < 0 || at >= w->size[i])
            return false;
        w->at[letter] = at - w->input_start[i];
        if (w->at[letter] < 0 || w->at[letter] >= w->loops.extents[letter]) {
            w->at[letter] = 0;
            w->lacks = true;
            return false;
        }
    }
    return true;
}

static SimNumber load(const SimIssue *issue, const Windows *w, int operand)
{
    int64_t offset = 0;
    for (int l = 0; l < w->loops.count; l++)
        offset += w->at[l] * w->loops.strides[operand][l];
    return issue->operands[operand].data[offset];
}

/* Results are kept row-major, as the result's letters come first. */
static void add_to(const Windows *w, SimNumber *result, SimNumber number)
{
    int64_t index = 0;
    for (int l = 0; l < w->loops.result_count; l++)
        index = index * w->loops.extents[l] + w->at[l];
    result[index] = sim_add(result[index], number);
}

/* The places of the current window that are inside, in order; how many. */
static int load_window(const SimIssue *issue, Windows *w, SimNumber *values, int64_t (*places)[2])
{
    int count = 0;
    for (int64_t row = 0; row < w->window[0]; row++)
        for (int64_t column = 0; column < w->window[1]; column++)
            if (count < MAX_WINDOW && look_at(w, row, column)) {
                places[count][0] = row;
                places[count][1] = column;
                values[count++] = load(issue, w, 0);
            }
    return count;
}

static int largest_of(const SimNumber *values, int count)
{
    int best = 0;
    for (int k = 1; k < count; k++)
        if (sim_less(values[best], values[k]))
            best = k;
    return best;
}

/* In the field a maximum is any function of the places that it sees. */
static void pool_largest(const SimIssue *issue, Windows *w, SimNumber *result)
{
    SimNumber values[MAX_WINDOW];
    int64_t places[MAX_WINDOW][2];
    int count = load_window(issue, w, values, places), best = largest_of(values, count);
    bool backward = issue->op->operand_count == 2;
    if (!backward) {
        add_to(w, result, sim_arithmetic == SIM_FIELD ? sim_hashed("max_pool", values, count) : values[best]);
        return;
    }
    SimNumber cotangent = load(issue, w, 1);
    for (int k = 0; k < count; k++) {
        look_at(w, places[k][0], places[k][1]);
        if (sim_arithmetic == SIM_FIELD)
            add_to(w, result, sim_mul(cotangent, sim_slope("max_pool", values, count, k)));
        else if (k == best)
            add_to(w, result, cotangent);
    }
}

static void pool_mean(const SimIssue *issue, Windows *w, SimNumber *result)
{
    SimNumber share = sim_fraction(1, w->window[0] * w->window[1]);
    for (int64_t row = 0; row < w->window[0]; row++)
        for (int64_t column = 0; column < w->window[1]; column++)
            if (look_at(w, row, column))
                add_to(w, result, sim_mul(share, load(issue, w, 0)));
}

static void perform_windows(SimMachine *machine, const SimIssue *issue,
                            void (*at_place)(const SimIssue *issue, Windows *w, SimNumber *result))
{
    Windows w;
    if (!bind_windows(machine, issue, &w))
        return;
    if (w.window[0] * w.window[1] > MAX_WINDOW) {
        sim_fault(machine, issue->op, "the window is too large to simulate");
        return;
    }
    SimNumber *result = sim_scratch(machine, issue->out.elements);
    bool empty = false;
    for (int l = 0; l < w.loops.count; l++)
        empty = empty || w.loops.extents[l] == 0;
    if (!empty)
        do
            at_place(issue, &w, result);
        while (next_place(&w));
    if (w.lacks)
        sim_fault(machine, issue->op, "a place sees what this rank's piece has not");
    sim_store(machine, issue->op, &issue->out, result);
}

static void convolve(const SimIssue *issue, Windows *w, SimNumber *result)
{
    if (look_at(w, w->at[w->letters[ON_WINDOW][0]], w->at[w->letters[ON_WINDOW][1]]))
        add_to(w, result, sim_mul(load(issue, w, 0), load(issue, w, 1)));
}

void sim_perform_conv(SimMachine *machine, const SimIssue *issue)
{
    perform_windows(machine, issue, convolve);
}

void sim_perform_max_pool(SimMachine *machine, const SimIssue *issue)
{
    perform_windows(machine, issue, pool_largest);
}

void sim_perform_mean_pool(SimMachine *machine, const SimIssue *issue)
{
    perform_windows(machine, issue, pool_mean);
}

/* The same elements, row-major, under other dims. */
/* ---- Segments ------------------------------------------------------------------------------------------------ */

/* The dim that two groups of letters do not share; -1 where their other dims are not the same. */
static int different_dim(const char *one, const char *other, int count)
{
    int found = -1;
    for (int d = 0; d < count; d++) {
        if (one[d] == other[d])
            continue;
        if (found >= 0)
            return -1;
        found = d;
    }
    return found;
}

/* "abc->asc", "asc->abc", "abc,asc->abc": the dim that is fused in one and a segment in another. */
static int segment_dim(const SimIssue *issue)
{
    const char *spec = issue->op->spec, *arrow = strstr(spec, "->");
    int dims = issue->out.dim_count, count = arrow ? (int)(arrow - spec) : 0;
    bool two = issue->op->operand_count == 2;
    bool fits = arrow && (int)strlen(arrow + 2) == dims && count == (two ? 2 * dims + 1 : dims) && issue->out.dims;
    for (int o = 0; o < issue->op->operand_count; o++)
        fits = fits && issue->operands[o].dims && issue->operands[o].dim_count == dims;
    if (!fits || (two && (spec[dims] != ',' || strncmp(spec, arrow + 2, (size_t)dims) != 0)))
        return -1;
    return different_dim(spec, two ? spec + dims + 1 : arrow + 2, dims);
}

/* Where `from` has the element that is at index i of `out` and `shift` further in the dim. -1: outside the whole;
 * `machine` faults where another rank has it. */
static int64_t shifted_offset(SimMachine *machine, const SimIssue *issue, const SimView *from, int64_t i, int dim,
                              int64_t shift)
{
    const SimView *out = &issue->out;
    int64_t offset = 0;
    bool here = true;
    for (int d = out->dim_count - 1; d >= 0; d--) {
        int64_t place = sim_place(out, d, i % out->extents[d]) + (d == dim ? shift : 0);
        if (place < 0 || place >= from->dims[d].size)
            return -1;
        int64_t at = sim_index_at(from, d, place);
        here = here && at >= 0;
        i /= out->extents[d];
        offset += at * from->strides[d];
    }
    if (!here)
        sim_fault(machine, issue->op, "this rank has not all of its piece of the segment");
    return here ? offset : -1;
}

/* Every element of the result from where the whole has it. What the segment has not is zero, or operand a's. */
static void perform_segment(SimMachine *machine, const SimIssue *issue, bool put)
{
    const SimOp *op = issue->op;
    const SimView *out = &issue->out, *segment = &issue->operands[op->operand_count - 1];
    int dim = segment_dim(issue);
    int64_t first = (int64_t)op->immediates[0];
    if (dim < 0 || first < 0 ||
        first + (put ? segment : out)->dims[dim].size > (put ? out : segment)->dims[dim].size ||
        (op->operand_count == 2 && !sim_expect_same_extents(machine, op, out, &issue->operands[0]))) {
        sim_fault(machine, op, "these are no dim and a segment of it");
        return;
    }
    SimNumber *result = sim_scratch(machine, out->elements);
    for (int64_t i = 0; i < out->elements && !machine->failed; i++) {
        int64_t offset = shifted_offset(machine, issue, segment, i, dim, put ? -first : first);
        if (offset >= 0)
            result[i] = segment->data[offset];
        else if (op->operand_count == 2)
            result[i] = issue->operands[0].data[sim_view_offset(&issue->operands[0], i)];
        else
            result[i] = sim_integer(0);
    }
    if (!machine->failed)
        sim_store(machine, op, out, result);
}

void sim_perform_segment(SimMachine *machine, const SimIssue *issue)
{
    perform_segment(machine, issue, false);
}

void sim_perform_segment_bwd(SimMachine *machine, const SimIssue *issue)
{
    perform_segment(machine, issue, true);
}

void sim_perform_place_segment(SimMachine *machine, const SimIssue *issue)
{
    perform_segment(machine, issue, true);
}

void sim_perform_view(SimMachine *machine, const SimIssue *issue)
{
    const SimView *out = &issue->out, *from = &issue->operands[0];
    if (out->elements != from->elements) {
        sim_fault(machine, issue->op, "'%s' and '%s' have different elements", out->buffer->name, from->buffer->name);
        return;
    }
    SimNumber *result = sim_scratch(machine, out->elements);
    for (int64_t i = 0; i < out->elements; i++)
        result[i] = from->data[sim_view_offset(from, i)];
    sim_store(machine, issue->op, out, result);
}

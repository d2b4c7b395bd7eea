/* interp.c - the f64 interpreter of reference programs.
 *
 * An operator with index letters is run as an odometer over all its letters (step/space.h). Row operators run over all
 * letters except the row's and evaluate their kernel on a whole row at once. Copies of the one device go in lockstep:
 * each operator is run on all of them before the next, so that a sum over copies finds what they all have.
 */
#include "step/interp.h"

#include "base/random.h"
#include "step/body.h"
#include "step/choose.h"
#include "step/space.h"
#include "step/spec.h"

#include <math.h>
#include <string.h>

/* Values given for an input. */
typedef struct Given {
    const char *name;
    const double *values;
    int64_t count;
} Given;

/* Values put out under a name. */
typedef struct Output {
    const char *name;
    double *values;
    int64_t count;
} Output;

struct Interp {
    Arena *arena;
    const Program *program;
    int copies, copy;                      /* how many, and the current one */
    int64_t (*coordinates)[STEP_MAX_AXES]; /* per copy */
    double **data;                         /* per buffer, all slots of the first copy, then of the next */
    int64_t *slot_elements;
    int64_t *variable; /* per loop */
    const Kernel *kernel[OP_COUNT];
    Vec(Given) inputs;
    Vec(Output) outputs;
};

/* Copies are numbered like ranks, over the axes of copies only. */
static void number_copies(Interp *interp, const Decls *decls)
{
    interp->copies = 1;
    for (int a = 0; a < decls->axes.count; a++)
        interp->copies *= decls->axes.data[a].copies ? (int)decls->axes.data[a].size : 1;
    interp->coordinates = arena_alloc(interp->arena, sizeof *interp->coordinates * (size_t)interp->copies);
    for (int copy = 0; copy < interp->copies; copy++)
        for (int a = decls->axes.count - 1, rest = copy; a >= 0; a--) {
            int size = decls->axes.data[a].copies ? (int)decls->axes.data[a].size : 1;
            interp->coordinates[copy][a] = rest % size;
            rest /= size;
        }
}

Interp *interp_new(Arena *arena, const Program *reference)
{
    Interp *interp = arena_make(arena, Interp);
    interp->arena = arena;
    interp->program = reference;
    number_copies(interp, reference->decls);
    interp->data = arena_array(arena, double *, reference->buffers.count + 1);
    interp->slot_elements = arena_array(arena, int64_t, reference->buffers.count + 1);
    interp->variable = arena_array(arena, int64_t, reference->loop_count + 1);
    for (int i = 0; i < reference->buffers.count; i++) {
        const Buffer *buffer = &reference->buffers.data[i];
        interp->slot_elements[i] = buffer_slot_elements(reference->decls, buffer);
        int64_t elements = interp->slot_elements[i] * buffer->slots;
        interp->data[i] = arena_array(arena, double, elements * interp->copies + 1);
    }
    for (int i = 0; i < OP_COUNT; i++)
        interp->kernel[i] = kernel_parse(arena, (OpKind)i);
    return interp;
}

static int64_t affine_value(const Interp *interp, const Affine *affine)
{
    return affine_at(interp->program->decls, affine, interp->coordinates[interp->copy], interp->variable);
}

static double *place_of(const Interp *interp, const Ref *ref)
{
    int64_t slot = affine_value(interp, &ref->slot), slots = interp->program->buffers.data[ref->buffer].slots;
    if (slot < 0 || slot >= slots)
        BUG("slot %lld of '%s'", (long long)slot, interp->program->buffers.data[ref->buffer].name);
    return interp->data[ref->buffer] + (interp->copy * slots + slot) * interp->slot_elements[ref->buffer];
}

static const Buffer *buffer_of(const Interp *interp, const Ref *ref)
{
    return &interp->program->buffers.data[ref->buffer];
}

static void store(const Op *op, double *to, double value)
{
    *to = op->accumulate ? *to + value : value;
}

/* ---- Kernels ------------------------------------------------------------------------------------------------ */

typedef struct Places {
    double *operand[STEP_MAX_OPERANDS], *out;
} Places;

static Places places_of(const Interp *interp, const Op *op)
{
    Places places = {.out = place_of(interp, &op->out)};
    for (int i = 0; i < op->operand_count; i++)
        places.operand[i] = place_of(interp, &op->operand[i]);
    return places;
}

/* The values of kernel nodes over one row; if there is no row, over one element. */
typedef struct Row {
    const Op *op;
    const Places *places;
    const Cursor *cursor;
    const int64_t *row_stride; /* per operand */
    int64_t columns;
    double *values; /* node * columns + column */
} Row;

static double leaf_value(const Row *row, const KernelNode *node, int64_t column)
{
    if (node->kind == KERNEL_NUMBER)
        return node->number;
    if (node->kind == KERNEL_OPERAND)
        return row->places
            ->operand[node->index][row->cursor->offset[node->index] + column * row->row_stride[node->index]];
    if (node->kind == KERNEL_IMMEDIATE)
        return row->op->immediate[node->index];
    if (node->kind == KERNEL_SCALE)
        return (double)row->op->scale.numerator / (double)row->op->scale.denominator;
    if (node->kind == KERNEL_COL)
        return (double)column;
    if (node->kind == KERNEL_COLS)
        return (double)row->columns;
    BUG("kernel node %d is no leaf", (int)node->kind);
}

static double row_function(const Row *row, const KernelNode *node)
{
    const double *values = row->values + node->argument[0] * row->columns;
    double result = node->kind == KERNEL_ROW_SUM ? 0 : -INFINITY;
    for (int64_t i = 0; i < row->columns; i++)
        result = node->kind == KERNEL_ROW_SUM ? result + values[i] : fmax(result, values[i]);
    return result;
}

static void evaluate(const Kernel *kernel, const Row *row)
{
    for (int i = 0; i < kernel->node_count; i++) {
        const KernelNode *node = &kernel->nodes[i];
        double *value = row->values + i * row->columns;
        bool is_row = kernel_is_row_function(node->kind);
        double constant = is_row ? row_function(row, node) : 0;
        for (int64_t column = 0; column < row->columns; column++) {
            double x[3];
            for (int j = 0; j < node->argument_count; j++)
                x[j] = row->values[node->argument[j] * row->columns + column];
            if (is_row)
                value[column] = constant;
            else if (node->kind == KERNEL_ACROSS)
                value[column] =
                    row->values[node->argument[0] * row->columns + (column + row->columns / 2) % row->columns];
            else
                value[column] = node->argument_count > 0 ? kernel_apply(node->kind, x) : leaf_value(row, node, column);
        }
    }
}

static void run_elementwise(Interp *interp, const Op *op)
{
    static const int64_t no_stride[STEP_MAX_OPERANDS];
    const Kernel *kernel = interp->kernel[op->kind];
    Space space = space_of(interp->program, op);
    if (space_is_empty(&space))
        return;
    Places places = places_of(interp, op);
    Cursor cursor = {0};
    Arena *scratch = arena_new();
    Row row = {op, &places, &cursor, no_stride, 1, arena_array(scratch, double, kernel->node_count)};
    do {
        double sum = 0;
        do {
            evaluate(kernel, &row);
            sum += row.values[kernel->result];
        } while (space_advance(&space, &cursor, space.out_letters, space.letter_count, -1));
        store(op, &places.out[cursor.offset[SPACE_OUT]], sum);
    } while (space_advance(&space, &cursor, 0, space.out_letters, -1));
    arena_free(scratch);
}

static void run_row(Interp *interp, const Op *op)
{
    const Kernel *kernel = interp->kernel[op->kind];
    Space space = space_of(interp->program, op);
    if (space_is_empty(&space))
        return;
    SpecLetters first = spec_letters(op->spec, 0);
    char letter = first.at[first.count - 1];
    int row_letter = (int)((const char *)memchr(space.letter, letter, (size_t)space.letter_count) - space.letter);
    Places places = places_of(interp, op);
    Cursor cursor = {0};
    Arena *scratch = arena_new();
    int64_t columns = space.extent[row_letter], stride[STEP_MAX_OPERANDS + 1];
    for (int i = 0; i <= SPACE_OUT; i++)
        stride[i] = space.stride[i][row_letter];
    Row row = {op, &places, &cursor, stride, columns, arena_array(scratch, double, kernel->node_count *columns)};
    bool row_in_result = row_letter < space.out_letters;
    do {
        evaluate(kernel, &row);
        const double *result = row.values + kernel->result * columns;
        for (int64_t i = 0; i < (row_in_result ? columns : 1); i++)
            store(op, &places.out[cursor.offset[SPACE_OUT] + i * stride[SPACE_OUT]], result[i]);
    } while (space_advance(&space, &cursor, 0, space.letter_count, row_letter));
    arena_free(scratch);
}

static void run_contract(Interp *interp, const Op *op)
{
    Space space = space_of(interp->program, op);
    if (space_is_empty(&space))
        return;
    Places places = places_of(interp, op);
    Cursor cursor = {0};
    do {
        double sum = 0;
        do
            sum += places.operand[0][cursor.offset[0]] * places.operand[1][cursor.offset[1]];
        while (space_advance(&space, &cursor, space.out_letters, space.letter_count, -1));
        store(op, &places.out[cursor.offset[SPACE_OUT]], sum);
    } while (space_advance(&space, &cursor, 0, space.out_letters, -1));
}

/* ---- Windows ------------------------------------------------------------------------------------------------ */

/* A WINDOW operator: its letters, and which of them are rows and columns of which array. */
typedef struct Windows {
    const Op *op;
    Space space;
    Places places;
    int input[2], output[2]; /* letters: rows, columns */
    int inner[2];            /* those of the window; -1 for pooling */
    int64_t window[2], stride, pad;
    int64_t index[SPACE_MAX_LETTERS];
} Windows;

/* The last two letters of an array of the operator. */
static void grid_letters(const Op *op, const Space *space, int array, int letters[2])
{
    SpecLetters own = spec_letters(op->spec, array == WINDOW_RESULT ? SPEC_RESULT : array);
    for (int i = 0; i < 2; i++)
        letters[i] = spec_dim((SpecLetters){space->letter, space->letter_count}, own.at[own.count - 2 + i]);
}

static Windows windows_of(const Interp *interp, const Op *op)
{
    Windows w = {.op = op, .space = space_of(interp->program, op), .places = places_of(interp, op), .inner = {-1, -1}};
    WindowRoles roles = op_window_roles(op->kind);
    const double *numbers = op->immediate;
    grid_letters(op, &w.space, roles.input, w.input);
    grid_letters(op, &w.space, roles.output, w.output);
    if (roles.window != WINDOW_NONE)
        grid_letters(op, &w.space, roles.window, w.inner);
    for (int i = 0; i < 2; i++)
        w.window[i] = w.inner[i] >= 0 ? w.space.extent[w.inner[i]] : (int64_t)numbers[0];
    w.stride = (int64_t)numbers[op->immediate_count - 2];
    w.pad = (int64_t)numbers[op->immediate_count - 1];
    for (int i = 0; i < 2; i++)
        if (w.space.extent[w.output[i]] != window_places(w.space.extent[w.input[i]], w.window[i], w.stride, w.pad))
            BUG("'%s' \"%s\": the window does not fit", op_info[op->kind].name, op->spec);
    return w;
}

/* The next index of all letters but the window's own; nor of the input's rows and columns, which follow from others. */
static bool next_place(Windows *w)
{
    for (int i = w->space.letter_count - 1; i >= 0; i--) {
        if (i == w->input[0] || i == w->input[1] || i == w->inner[0] || i == w->inner[1])
            continue;
        if (++w->index[i] < w->space.extent[i])
            return true;
        w->index[i] = 0;
    }
    return false;
}

/* Moves to the input position of element (row, column) of the window; false if that is outside the input. */
static bool look_at(Windows *w, int64_t row, int64_t column)
{
    const int64_t element[] = {row, column};
    for (int i = 0; i < 2; i++) {
        int64_t at = w->index[w->output[i]] * w->stride - w->pad + element[i];
        if (at < 0 || at >= w->space.extent[w->input[i]])
            return false;
        w->index[w->input[i]] = at;
    }
    return true;
}

static double *element_at(const Windows *w, int array)
{
    double *place = array == SPACE_OUT ? w->places.out : w->places.operand[array];
    for (int i = 0; i < w->space.letter_count; i++)
        place += w->index[i] * w->space.stride[array][i];
    return place;
}

/* How far the places of an array are apart from one element of the window to the next, down (0) and across (1). */
static int64_t window_step(const Windows *w, int array, int across)
{
    const int64_t *stride = w->space.stride[array];
    return stride[w->inner[across]] + stride[w->input[across]];
}

/* The products of one window, of which a part may be outside the input. */
static void add_window(Windows *w)
{
    int64_t first[2], end[2];
    for (int i = 0; i < 2; i++) {
        int64_t begin = w->index[w->output[i]] * w->stride - w->pad, inside = w->space.extent[w->input[i]] - begin;
        first[i] = begin < 0 ? -begin : 0;
        end[i] = inside < w->window[i] ? inside : w->window[i];
        if (first[i] >= end[i])
            return;
        w->index[w->inner[i]] = first[i];
        w->index[w->input[i]] = begin + first[i];
    }
    double *out = element_at(w, SPACE_OUT);
    const double *one = element_at(w, 0), *other = element_at(w, 1);
    int64_t down[] = {window_step(w, SPACE_OUT, 0), window_step(w, 0, 0), window_step(w, 1, 0)};
    int64_t across[] = {window_step(w, SPACE_OUT, 1), window_step(w, 0, 1), window_step(w, 1, 1)};
    for (int64_t row = 0; row < end[0] - first[0]; row++)
        for (int64_t column = 0; column < end[1] - first[1]; column++)
            out[row * down[0] + column * across[0]] +=
                one[row * down[1] + column * across[1]] * other[row * down[2] + column * across[2]];
}

static void run_convolution(Windows *w)
{
    do
        add_window(w);
    while (next_place(w));
}

/* In the current window: its sum, its largest value, and the first position of that value, row by row. */
typedef struct Seen {
    double sum, largest;
    int64_t row, column;
} Seen;

static Seen look_through(Windows *w)
{
    Seen seen = {.largest = -INFINITY};
    for (int64_t row = 0; row < w->window[0]; row++)
        for (int64_t column = 0; column < w->window[1]; column++) {
            if (!look_at(w, row, column))
                continue;
            double value = *element_at(w, 0);
            seen.sum += value;
            if (value > seen.largest)
                seen = (Seen){seen.sum, value, row, column};
        }
    return seen;
}

static void pool_place(Windows *w)
{
    double elements = (double)(w->window[0] * w->window[1]);
    Seen seen;
    switch (op_window(w->op->kind)) {
    case WINDOW_MEAN_POOL_BWD:
        for (int64_t row = 0; row < w->window[0]; row++)
            for (int64_t column = 0; column < w->window[1]; column++)
                if (look_at(w, row, column))
                    *element_at(w, SPACE_OUT) += *element_at(w, 0) / elements;
        return;
    case WINDOW_MAX_POOL:
        *element_at(w, SPACE_OUT) += look_through(w).largest;
        return;
    case WINDOW_MEAN_POOL:
        *element_at(w, SPACE_OUT) += look_through(w).sum / elements;
        return;
    case WINDOW_MAX_POOL_BWD:
        seen = look_through(w);
        if (look_at(w, seen.row, seen.column))
            *element_at(w, SPACE_OUT) += *element_at(w, 1);
        return;
    case WINDOW_CONV:
    case WINDOW_CONV_INPUT_BWD:
    case WINDOW_CONV_WEIGHT_BWD:
        break;
    }
    BUG("'%s' pools nothing", op_info[w->op->kind].name);
}

static void run_windows(Interp *interp, const Op *op)
{
    Windows w = windows_of(interp, op);
    if (!op->accumulate)
        memset(w.places.out, 0, sizeof(double) * (size_t)interp->slot_elements[op->out.buffer]);
    if (space_is_empty(&w.space))
        return;
    if (w.inner[0] >= 0) {
        run_convolution(&w);
        return;
    }
    do
        pool_place(&w);
    while (next_place(&w));
}

static void run_view(Interp *interp, const Op *op)
{
    Places places = places_of(interp, op);
    for (int64_t i = 0; i < interp->slot_elements[op->out.buffer]; i++)
        store(op, &places.out[i], places.operand[0][i]);
}

/* Row-major arrays that differ in one dim: each block of the fused array contains one block of the segment's, at
 * `first`. */
static void run_segment(Interp *interp, const Op *op)
{
    Places places = places_of(interp, op);
    bool put = op->kind == OP_SEGMENT_BWD;
    const Ref *fused = put ? &op->out : &op->operand[0], *segment = put ? &op->operand[0] : &op->out;
    int64_t inner = 1, many = buffer_of(interp, fused)->dim_count, dim = 0;
    Spec spec = spec_of(op);
    while (spec.operand[0].at[dim] == spec.result.at[dim])
        dim++;
    for (int64_t d = dim + 1; d < many; d++)
        inner *= buffer_of(interp, fused)->dims[d].size;
    int64_t block = inner * buffer_of(interp, fused)->dims[dim].size;
    int64_t piece = inner * buffer_of(interp, segment)->dims[dim].size, first = inner * (int64_t)op->immediate[0];
    for (int64_t i = 0; i < interp->slot_elements[fused->buffer]; i++) {
        int64_t at = i % block - first, other = i / block * piece + at;
        bool inside = at >= 0 && at < piece;
        if (put)
            store(op, &places.out[i], inside ? places.operand[0][other] : 0);
        else if (inside)
            store(op, &places.out[other], places.operand[0][i]);
    }
}

/* ---- The other operators ------------------------------------------------------------------------------------ */

/* The row of the table that an index names; -1: none. */
static int64_t named_row(TableKind op, double index, int64_t rows)
{
    int64_t row = (int64_t)index;
    if (row < 0 || row >= rows + op_names_none(op))
        BUG("index %lld of a table of %lld rows", (long long)row, (long long)rows);
    return row < rows ? row : -1;
}

/* embed, take: out[i] = table[index[i]]; embed_bwd, give: table[index[i]] += operand[i]; combine: += weight[i] *
 * operand[i]. */
static void run_table(Interp *interp, const Op *op)
{
    TableKind kind = op_table(op->kind);
    bool gathers = op_info[op->kind].op_class == CLASS_GATHER;
    Space space = space_of(interp->program, op);
    Places places = places_of(interp, op);
    int row = spec_dim((SpecLetters){space.letter, space.letter_count}, spec_table_row(op->spec, gathers));
    if (!gathers && !op->accumulate)
        memset(places.out, 0, sizeof(double) * (size_t)interp->slot_elements[op->out.buffer]);
    if (space_is_empty(&space))
        return;
    Cursor cursor = {0};
    do {
        int64_t named = named_row(kind, places.operand[0][cursor.offset[0]], space.extent[row]);
        const double *from = &places.operand[1][cursor.offset[1]];
        double *to = &places.out[cursor.offset[SPACE_OUT]];
        if (gathers)
            store(op, to, named >= 0 ? from[named * space.stride[1][row]] : 0);
        else if (named >= 0)
            to[named * space.stride[SPACE_OUT][row]] +=
                op->kind == OP_COMBINE ? *from * places.operand[2][cursor.offset[2]] : *from;
    } while (space_advance(&space, &cursor, 0, space.letter_count, row));
}

static void run_choice(Interp *interp, const Op *op)
{
    Space space = space_of(interp->program, op);
    if (space_is_empty(&space))
        return;
    Places places = places_of(interp, op);
    const Dim *compared = buffer_of(interp, &op->operand[0])->dims;
    int order = space.out_letters - 1, last = buffer_of(interp, &op->operand[0])->dim_count - 1;
    Arena *scratch = arena_new();
    int64_t count = space.extent[order], *chosen = arena_array(scratch, int64_t, count);
    Cursor cursor = {0};
    do {
        const double *x = &places.operand[0][cursor.offset[0]];
        int64_t waiting = 0;
        switch (op_choice(op->kind)) {
        case CHOICE_TOP:
            choose_top(x, compared[last].size, chosen, count);
            break;
        case CHOICE_QUEUE:
        case CHOICE_QUEUE_ALL:
            waiting = choose_queue(x, compared[last - 1].size, compared[last].size, places.operand[1][cursor.offset[1]],
                                   chosen, count);
            break;
        }
        if (op->kind == OP_QUEUE_ALL && waiting > count)
            BUG("%lld rows for %lld places", (long long)waiting, (long long)count);
        for (int64_t i = 0; i < count; i++)
            store(op, &places.out[cursor.offset[SPACE_OUT] + i], (double)chosen[i]);
    } while (space_advance(&space, &cursor, 0, order, -1));
    arena_free(scratch);
}

static void run_read(Interp *interp, const Op *op)
{
    const Tensor *tensor = &interp->program->decls->tensors.data[op->tensor];
    int64_t count = interp->slot_elements[op->out.buffer], all = count * interp->copies;
    for (int i = 0; i < interp->inputs.count; i++) {
        const Given *input = &interp->inputs.data[i];
        if (strcmp(input->name, tensor->name) != 0)
            continue;
        if (input->count != all)
            BUG("input '%s' has %lld values, read wants %lld", input->name, (long long)input->count, (long long)all);
        int64_t from = op->axes.count > 0 ? interp->copy * count : 0; /* otherwise all read the first one's */
        memcpy(place_of(interp, &op->out), input->values + from, sizeof(double) * (size_t)count);
        return;
    }
    BUG("no values for input '%s'", tensor->name);
}

static double initial_value(const Tensor *tensor, uint64_t seed, uint32_t layer, uint64_t element)
{
    uint32_t hash = random_hash(tensor->name);
    switch (tensor->init) {
    case INIT_ZEROS:
        return 0;
    case INIT_ONES:
        return 1;
    case INIT_NORMAL:
        return tensor->init_scale * random_normal(seed, hash, layer, element);
    case INIT_UNIFORM:
        return tensor->init_scale * (2 * random_uniform(seed, hash, layer, element) - 1);
    }
    BUG("init rule %d", (int)tensor->init);
}

static void run_init(Interp *interp, const Op *op)
{
    const Tensor *tensor = &interp->program->decls->tensors.data[op->tensor];
    double *out = place_of(interp, &op->out);
    uint32_t layer = tensor->group >= 0 ? (uint32_t)affine_value(interp, &op->out.slot) : 0;
    for (int64_t i = 0; i < interp->slot_elements[op->out.buffer]; i++)
        out[i] = initial_value(tensor, (uint64_t)op->seed.base, layer, (uint64_t)i);
}

static Output *find_output(Interp *interp, const char *name, int64_t count)
{
    for (int i = 0; i < interp->outputs.count; i++)
        if (strcmp(interp->outputs.data[i].name, name) == 0)
            return &interp->outputs.data[i];
    Output output = {name, arena_array(interp->arena, double, count + 1), count};
    vec_push(interp->arena, &interp->outputs, output);
    return &interp->outputs.data[interp->outputs.count - 1];
}

static void run_output(Interp *interp, const Op *op)
{
    int64_t count = interp->slot_elements[op->operand[0].buffer];
    Output *output = find_output(interp, op->output, count * interp->copies);
    memcpy(output->values + interp->copy * count, place_of(interp, &op->operand[0]), sizeof(double) * (size_t)count);
}

static void run_source(Interp *interp, const Op *op)
{
    double *out = place_of(interp, &op->out);
    int64_t count = interp->slot_elements[op->out.buffer];
    switch (op_source(op->kind)) {
    case SOURCE_READ:
        run_read(interp, op);
        return;
    case SOURCE_INIT:
        run_init(interp, op);
        return;
    case SOURCE_FILL:
        for (int64_t i = 0; i < count; i++)
            store(op, &out[i], op->immediate[0]);
        return;
    case SOURCE_IOTA:
        for (int64_t i = 0; i < count; i++)
            out[i] = (double)(i + affine_value(interp, &op->first));
        return;
    }
    BUG("'%s' makes no value", op_info[op->kind].name);
}

static void run_sink(Interp *interp, const Op *op)
{
    switch (op_sink(op->kind)) {
    case SINK_OUTPUT:
        run_output(interp, op);
        return;
    }
    BUG("'%s' takes no value", op_info[op->kind].name);
}

static void run_views(Interp *interp, const Op *op)
{
    switch (op_view(op->kind)) {
    case VIEW_VIEW:
        run_view(interp, op);
        return;
    case VIEW_SEGMENT:
    case VIEW_SEGMENT_BWD:
        run_segment(interp, op);
        return;
    case VIEW_PLACE_SEGMENT: /* only in programs, never in references */
        break;
    }
    BUG("'%s' in a reference program", op_info[op->kind].name);
}

static void run_product(Interp *interp, const Op *op)
{
    switch (op_contract(op->kind)) {
    case CONTRACT_EINSUM:
        run_contract(interp, op);
        return;
    }
    BUG("'%s' is no product", op_info[op->kind].name);
}

/* Do two copies differ on no axes but these? */
static bool are_together(const Interp *interp, int copy, int other, AxisSet axes)
{
    for (int a = 0; a < interp->program->decls->axes.count; a++)
        if (interp->coordinates[copy][a] != interp->coordinates[other][a] && !axes_contain(axes, a))
            return false;
    return true;
}

static void run_sum_of_copies(Interp *interp, const Op *op)
{
    int64_t count = interp->slot_elements[op->out.buffer];
    Arena *scratch = arena_new();
    double *sums = arena_array(scratch, double, count * interp->copies + 1);
    for (interp->copy = 0; interp->copy < interp->copies; interp->copy++) {
        const double *own = place_of(interp, &op->operand[0]);
        for (int to = 0; to < interp->copies; to++)
            for (int64_t i = 0; i < count && are_together(interp, interp->copy, to, op->axes); i++)
                sums[to * count + i] += own[i];
    }
    for (interp->copy = 0; interp->copy < interp->copies; interp->copy++)
        memcpy(place_of(interp, &op->out), sums + interp->copy * count, sizeof(double) * (size_t)count);
    arena_free(scratch);
}

/* On the current copy. */
static void run_one(Interp *interp, const Op *op)
{
    switch (op_info[op->kind].op_class) {
    case CLASS_MAP:
    case CLASS_SUM:
        run_elementwise(interp, op);
        return;
    case CLASS_ROW:
        run_row(interp, op);
        return;
    case CLASS_CONTRACT:
        run_product(interp, op);
        return;
    case CLASS_GATHER:
    case CLASS_SCATTER:
        run_table(interp, op);
        return;
    case CLASS_CHOICE:
        run_choice(interp, op);
        return;
    case CLASS_WINDOW:
        run_windows(interp, op);
        return;
    case CLASS_VIEW:
        run_views(interp, op);
        return;
    case CLASS_SOURCE:
        run_source(interp, op);
        return;
    case CLASS_SINK:
        run_sink(interp, op);
        return;
    case CLASS_MOVE:
    case CLASS_COMM:
        break;
    }
    BUG("'%s' in a reference program", op_info[op->kind].name);
}

static void run_op(Interp *interp, const Op *op)
{
    if (op->kind == OP_ALL_REDUCE) {
        run_sum_of_copies(interp, op);
        return;
    }
    for (interp->copy = 0; interp->copy < interp->copies; interp->copy++)
        run_one(interp, op);
}

static void run_body(Interp *interp, const NodeList *body)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        if (node->kind == NODE_OP) {
            run_op(interp, node->op);
        } else if (node->kind == NODE_LOOP) {
            interp->copy = 0; /* of which bounds know nothing */
            int64_t first = affine_value(interp, &node->loop.first), last = affine_value(interp, &node->loop.last);
            int64_t *variable = &interp->variable[node->loop.id];
            for (*variable = first; node->loop.step > 0 ? *variable <= last : *variable >= last;
                 *variable += node->loop.step)
                run_body(interp, &node->body);
        } else {
            BUG("a guard or wait in a reference program");
        }
    }
}

/* ---- Interface ---------------------------------------------------------------------------------------------- */

void interp_input(Interp *interp, const char *tensor, const double *values, int64_t count)
{
    for (int i = 0; i < interp->inputs.count; i++)
        if (strcmp(interp->inputs.data[i].name, tensor) == 0) {
            interp->inputs.data[i] = (Given){tensor, values, count};
            return;
        }
    vec_push(interp->arena, &interp->inputs, (Given){tensor, values, count});
}

void interp_run(Interp *interp, RoutineKind routine)
{
    const Routine *found = program_routine(interp->program, routine);
    if (found == NULL)
        BUG("no routine '%s'", routine_name(routine));
    run_body(interp, &found->body);
}

double *interp_buffer(Interp *interp, const char *name, int64_t *elements)
{
    for (int i = 0; i < interp->program->buffers.count; i++) {
        if (strcmp(interp->program->buffers.data[i].name, name) != 0)
            continue;
        if (elements != NULL)
            *elements = interp->slot_elements[i] * interp->program->buffers.data[i].slots * interp->copies;
        return interp->data[i];
    }
    return NULL;
}

const double *interp_output(const Interp *interp, const char *name, int64_t *elements)
{
    for (int i = 0; i < interp->outputs.count; i++) {
        if (strcmp(interp->outputs.data[i].name, name) != 0)
            continue;
        if (elements != NULL)
            *elements = interp->outputs.data[i].count;
        return interp->outputs.data[i].values;
    }
    return NULL;
}

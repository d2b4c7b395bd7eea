/* emit_window.c - convolutions and pooling as a single call of prt_window.
 *
 * The last two letters of every array are rows and columns of its grid. The others are of four sorts, depending on
 * which arrays have them: those of input and output only are the batch, of input and weight channels in, of weight and
 * output channels out, of all three groups. The call takes one letter of each sort. Pooling has no weight: its letters
 * are the batch, then channels, which are its groups.
 */
#include "codegen/emit.h"

#include "step/spec.h"

#include <inttypes.h>
#include <string.h>

enum { GRID_INPUT, GRID_WINDOW, GRID_OUTPUT, GRIDS };

/* The sorts of letters, in the order of the arrays' dims. */
typedef enum Sort { SORT_BATCH, SORT_GROUP, SORT_IN, SORT_OUT, SORTS } Sort;

typedef struct WindowCall {
    Emit *e;
    const Op *op;
    Shape shape;
    const Ref *ref[GRIDS]; /* NULL: pooling has no weight */
    const Letters *letters[GRIDS];
    char letter[SORTS]; /* 0: none */
} WindowCall;

/* ---- Letters ------------------------------------------------------------------------------------------------ */

static bool has_letter(const WindowCall *w, int grid, char letter)
{
    return w->letters[grid] != NULL && letters_have(w->letters[grid], letter);
}

/* The sort of a letter that is on no grid; SORTS if it has none. */
static Sort sort_of(const WindowCall *w, char letter)
{
    enum { IN_X = 1, IN_W = 2, IN_Y = 4 };
    int where = (has_letter(w, GRID_INPUT, letter) ? IN_X : 0) | (has_letter(w, GRID_WINDOW, letter) ? IN_W : 0) |
                (has_letter(w, GRID_OUTPUT, letter) ? IN_Y : 0);
    bool pools = w->letters[GRID_WINDOW] == NULL;
    switch (where) {
    case IN_X | IN_Y:
        return pools && w->letter[SORT_BATCH] != 0 ? SORT_GROUP : SORT_BATCH;
    case IN_X | IN_W:
        return SORT_IN;
    case IN_W | IN_Y:
        return SORT_OUT;
    case IN_X | IN_W | IN_Y:
        return SORT_GROUP;
    }
    return SORTS;
}

/* False if a sort has several letters, or a letter no sort. */
static bool find_sorts(WindowCall *w)
{
    for (int grid = 0; grid < GRIDS; grid++)
        for (int i = 0; w->letters[grid] != NULL && i + 2 < w->letters[grid]->count; i++) {
            char letter = w->letters[grid]->letter[i];
            if (memchr(w->letter, letter, SORTS) != NULL)
                continue;
            Sort sort = sort_of(w, letter);
            if (sort == SORTS || w->letter[sort] != 0)
                return false;
            w->letter[sort] = letter;
        }
    return true;
}

static const Ref *array_ref(const Op *op, int array)
{
    return array == WINDOW_RESULT ? &op->out : &op->operand[array];
}

static void set_grid(WindowCall *w, int grid, int array)
{
    if (array == WINDOW_NONE)
        return;
    w->ref[grid] = array_ref(w->op, array);
    w->letters[grid] = array == WINDOW_RESULT ? &w->shape.out : &w->shape.operand[array];
}

/* The weight's channels in and its rows and columns are dense, unless the array goes further there. */
static bool has_dense_weight(const WindowCall *w)
{
    const Letters *letters = w->letters[GRID_WINDOW];
    for (int i = 0; letters != NULL && i < letters->count; i++)
        if (letters->wider[i] && i + 2 >= letters->count)
            return false;
    return letters == NULL || w->letter[SORT_IN] == 0 ||
           letters_index(letters, w->letter[SORT_IN]) == letters->count - 3;
}

static bool dims_equal(const Program *program, const Ref *a, const Ref *b)
{
    Dim one[STEP_MAX_DIMS], other[STEP_MAX_DIMS];
    int count, others;
    if (!ref_dims(program, a, &count, one) || !ref_dims(program, b, &others, other) || count != others)
        return false;
    for (int i = 0; i < count; i++)
        if (!dim_equal(&one[i], &other[i]))
            return false;
    return true;
}

/* False if the call cannot express the operator. */
static bool find_call(const Program *program, const Op *op, WindowCall *w)
{
    w->op = op;
    w->shape = shape_of_op(program, op);
    WindowRoles roles = op_window_roles(op->kind);
    set_grid(w, GRID_INPUT, roles.input);
    set_grid(w, GRID_WINDOW, roles.window);
    set_grid(w, GRID_OUTPUT, roles.output);
    bool like_input = op->kind != OP_MAX_POOL_BWD || dims_equal(program, &op->operand[0], &op->out);
    return like_input && find_sorts(w) && has_dense_weight(w);
}

bool emit_window_fits(const Program *program, const Op *op)
{
    WindowCall w = {0};
    return find_call(program, op, &w);
}

/* ---- Text --------------------------------------------------------------------------------------------------- */

/* An array's stride along a letter; 0 if it lacks it. */
static const char *stride_of(const WindowCall *w, int grid, char letter)
{
    int at = letter == 0 ? -1 : letters_index(w->letters[grid], letter);
    Extent stride = extent_constant(at < 0 ? 0 : 1);
    for (int i = at + 1; at >= 0 && i < w->letters[grid]->count; i++)
        stride = extent_times(stride, emit_array_extent(w->e, w->ref[grid], i));
    return extent_text(w->e, &stride);
}

static const char *extent_of(const WindowCall *w, char letter)
{
    Extent extent = letter == 0 ? extent_constant(1) : emit_letter_extent(w->e, w->op, &w->shape, letter);
    return extent_text(w->e, &extent);
}

/* ".x_batch = 3072, .x_group = 0, .x_in = 1024, .x_row = 32," */
static void emit_strides(const WindowCall *w, int grid)
{
    static const char *const names[GRIDS][SORTS] = {
        [GRID_INPUT] = {[SORT_BATCH] = "x_batch", [SORT_GROUP] = "x_group", [SORT_IN] = "x_in"},
        [GRID_WINDOW] = {[SORT_GROUP] = "w_group", [SORT_OUT] = "w_out"},
        [GRID_OUTPUT] = {[SORT_BATCH] = "y_batch", [SORT_GROUP] = "y_group", [SORT_OUT] = "y_out"}};
    static const char *const rows[GRIDS] = {[GRID_INPUT] = "x_row", [GRID_OUTPUT] = "y_row"};
    Text text = {.arena = w->e->arena};
    for (int sort = 0; sort < SORTS; sort++)
        if (names[grid][sort] != NULL)
            text_add(&text, ".%s = %s, ", names[grid][sort], stride_of(w, grid, w->letter[sort]));
    const Letters *letters = w->letters[grid];
    if (rows[grid] != NULL)
        text_add(&text, ".%s = %s, ", rows[grid], stride_of(w, grid, letters->letter[letters->count - 2]));
    cw_line(w->e->out, "%.*s", (int)text.length - 1, text.data);
}

/* Rows (2 letters from the end) or columns (1). */
static char grid_letter(const WindowCall *w, int grid, int from_end)
{
    return w->letters[grid]->letter[w->letters[grid]->count - from_end];
}

/* ".rows = {.size = 32, .input = 32, .output = 28, .window = 5, .stride = 1, .pad = 0}," */
static void emit_grid(const WindowCall *w, const char *name, int from_end)
{
    Emit *e = w->e;
    Dim input, own;
    const char *window;
    const double *numbers = w->op->immediate;
    input = *shape_dim(e->program, w->op, &w->shape, grid_letter(w, GRID_INPUT, from_end), &own);
    if (w->letters[GRID_WINDOW] != NULL)
        window = extent_of(w, grid_letter(w, GRID_WINDOW, from_end));
    else
        window = arena_printf(e->arena, "%d", (int)numbers[0]);
    Text text = {.arena = e->arena};
    text_add(&text, ".%s = {.size = %" PRId64 ", ", name, input.size);
    if (input.cut_count > 0)
        text_add(&text, ".start = %s.start, ", emit_range(e, &input));
    if (input.halo_before > 0)
        text_add(&text, ".before = %" PRId64 ", ", input.halo_before);
    text_add(&text, ".input = %s, .output = %s, ", extent_of(w, grid_letter(w, GRID_INPUT, from_end)),
             extent_of(w, grid_letter(w, GRID_OUTPUT, from_end)));
    text_add(&text, ".window = %s, .stride = %d, .pad = %d},", window, (int)numbers[w->op->immediate_count - 2],
             (int)numbers[w->op->immediate_count - 1]);
    cw_line(e->out, "%s", text.data);
}

static void emit_shape(const WindowCall *w, const char *name)
{
    Emit *e = w->e;
    cw_open(e->out, "const prt_window_shape %s =", name);
    cw_line(e->out, ".batch = %s, .groups = %s, .in = %s, .out = %s,", extent_of(w, w->letter[SORT_BATCH]),
            extent_of(w, w->letter[SORT_GROUP]), extent_of(w, w->letter[SORT_IN]), extent_of(w, w->letter[SORT_OUT]));
    for (int grid = 0; grid < GRIDS; grid++)
        if (w->letters[grid] != NULL)
            emit_strides(w, grid);
    emit_grid(w, "rows", 2);
    emit_grid(w, "columns", 1);
    cw_close(e->out, ";");
}

/* The operator's name in runtime/place_rt.h. */
static const char *window_name(WindowKind op)
{
    switch (op) {
    case WINDOW_CONV:
        return "PRT_CONV";
    case WINDOW_CONV_INPUT_BWD:
        return "PRT_CONV_INPUT_BWD";
    case WINDOW_CONV_WEIGHT_BWD:
        return "PRT_CONV_WEIGHT_BWD";
    case WINDOW_MAX_POOL:
        return "PRT_MAX_POOL";
    case WINDOW_MAX_POOL_BWD:
        return "PRT_MAX_POOL_BWD";
    case WINDOW_MEAN_POOL:
        return "PRT_MEAN_POOL";
    case WINDOW_MEAN_POOL_BWD:
        return "PRT_MEAN_POOL_BWD";
    }
    BUG("a window that is none");
}

/* What the result has room for outside what the operator writes is zero. */
static bool needs_zeros(const WindowCall *w)
{
    for (int i = 0; i < w->shape.out.count; i++)
        if (w->shape.out.wider[i] && !w->op->accumulate)
            return true;
    return false;
}

void emit_window(Emit *e, const Op *op)
{
    WindowCall w = {.e = e};
    if (!find_call(e->program, op, &w))
        BUG("operator %d: the spec '%s' has no call", op->id, op->spec); /* refused earlier */
    bool zeros = needs_zeros(&w);
    if (zeros)
        emit_zeros(e, &op->out);
    const char *name = arena_printf(e->arena, "window%d", ++e->window_count);
    emit_shape(&w, name);
    const char *arguments[] = {"ctx",
                               arena_printf(e->arena, "%d", op->stream),
                               emit_dtype(ref_buffer(e->program, &op->out)->dtype),
                               window_name(op_window(op->kind)),
                               arena_printf(e->arena, "&%s", name),
                               emit_ref(e, &op->operand[0]),
                               op->operand_count > 1 ? emit_ref(e, &op->operand[1]) : "NULL",
                               op->accumulate || zeros ? "1" : "0",
                               emit_ref(e, &op->out)};
    emit_product(e, op, "prt_window", arguments, 9);
}

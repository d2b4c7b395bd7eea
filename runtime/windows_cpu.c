/* windows_cpu.c - convolutions and pooling on the CPU (runtime/device.h).
 *
 * Most convolutions of f32 and bf16 are oneDNN's (windows_onednn.c); what it has no fast way for, and all of f64, is
 * computed here in f32 and f64, also for windows_bf16.c.
 *
 * A convolution is a matrix product per image and group: the weight, as out x (in, window), times a panel whose column
 * p is what the window sees at position p (im2col; Chellapilla, Puri and Simard 2006, section 3.1). Its transposes are
 * products with the same panel, or with what is added back from it. The panel has a fixed size: products go over blocks
 * of channels and positions. Windows of 1 x 1 need no panel. Where a group has one channel in and out, a product would
 * have one row: those are computed row by row of the image, and so is pooling.
 */
#include "runtime/comm.h"
#include "runtime/device.h"
#include "runtime/onednn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PANEL_BYTES = 1 << 22, PANEL_POSITIONS = 256 };

/* ---- Rows of numbers ---------------------------------------------------------------------------------------- */

/* On rows of `count` numbers; one of the two arrays has a stride. */
typedef struct row_functions {
    void (*gather)(void *out, const void *in, int64_t stride, int64_t count);
    void (*add_from)(void *out, double factor, const void *in, int64_t stride, int64_t count);
    void (*add_to)(void *out, int64_t stride, double factor, const void *in, int64_t count);
    double (*product)(const void *a, const void *b, int64_t stride, int64_t count);
    double (*get)(const void *in);
    void (*add)(void *out, double value);
} row_functions;

#define ROW_FUNCTIONS(type)                                                                                            \
    static void type##_gather(void *out, const void *in, int64_t stride, int64_t count)                                \
    {                                                                                                                  \
        type *to = out;                                                                                                \
        const type *from = in;                                                                                         \
        for (int64_t i = 0; i < count; i++)                                                                            \
            to[i] = from[i * stride];                                                                                  \
    }                                                                                                                  \
    static void type##_add_from(void *out, double factor, const void *in, int64_t stride, int64_t count)               \
    {                                                                                                                  \
        type *restrict to = out;                                                                                       \
        const type *restrict from = in;                                                                                \
        type by = (type)factor;                                                                                        \
        if (stride == 1) /* the compiler vectorizes this one */                                                        \
            for (int64_t i = 0; i < count; i++)                                                                        \
                to[i] += by * from[i];                                                                                 \
        else                                                                                                           \
            for (int64_t i = 0; i < count; i++)                                                                        \
                to[i] += by * from[i * stride];                                                                        \
    }                                                                                                                  \
    static void type##_add_to(void *out, int64_t stride, double factor, const void *in, int64_t count)                 \
    {                                                                                                                  \
        type *restrict to = out;                                                                                       \
        const type *restrict from = in;                                                                                \
        type by = (type)factor;                                                                                        \
        if (stride == 1)                                                                                               \
            for (int64_t i = 0; i < count; i++)                                                                        \
                to[i] += by * from[i];                                                                                 \
        else                                                                                                           \
            for (int64_t i = 0; i < count; i++)                                                                        \
                to[i * stride] += by * from[i];                                                                        \
    }                                                                                                                  \
    static double type##_product(const void *a, const void *b, int64_t stride, int64_t count)                          \
    {                                                                                                                  \
        const type *x = a, *y = b;                                                                                     \
        double sum = 0;                                                                                                \
        for (int64_t i = 0; i < count; i++)                                                                            \
            sum += (double)x[i] * (double)y[i * stride];                                                               \
        return sum;                                                                                                    \
    }                                                                                                                  \
    static double type##_get(const void *in)                                                                           \
    {                                                                                                                  \
        return *(const type *)in;                                                                                      \
    }                                                                                                                  \
    static void type##_add(void *out, double value)                                                                    \
    {                                                                                                                  \
        *(type *)out += (type)value;                                                                                   \
    }                                                                                                                  \
    static const row_functions type##_rows = {type##_gather,  type##_add_from, type##_add_to,                          \
                                              type##_product, type##_get,      type##_add}
ROW_FUNCTIONS(float);
ROW_FUNCTIONS(double);

/* ---- One call ----------------------------------------------------------------------------------------------- */

/* The arrays of a call: those on the grid of the input, in the window, and on the grid of the output. */
typedef struct window_call {
    prt_dtype dtype;
    int64_t bytes; /* of an element */
    const row_functions *rows;
    const prt_window_shape *shape;
    char *x, *w, *y;
} window_call;

/* An image, or all images of a batch: groups, channels, rows. */
static char *x_at(const window_call *call, int64_t n, int64_t g, int64_t c)
{
    const prt_window_shape *s = call->shape;
    return call->x + (n * s->x_batch + g * s->x_group + c * s->x_in) * call->bytes;
}

static char *y_at(const window_call *call, int64_t n, int64_t g, int64_t o)
{
    const prt_window_shape *s = call->shape;
    return call->y + (n * s->y_batch + g * s->y_group + o * s->y_out) * call->bytes;
}

static int64_t window_elements(const prt_window_shape *s)
{
    return s->rows.window * s->columns.window;
}

static char *w_at(const window_call *call, int64_t g, int64_t o, int64_t c)
{
    const prt_window_shape *s = call->shape;
    return call->w + (g * s->w_group + o * s->w_out + c * window_elements(s)) * call->bytes;
}

/* The row of this rank's input that output row p sees in row i of its window. */
static int64_t seen_at(const prt_grid *grid, int64_t p, int64_t i)
{
    return p * grid->stride - grid->pad + grid->before + i;
}

static int64_t divide_up(int64_t a, int64_t b)
{
    return a > 0 ? (a + b - 1) / b : -(-a / b);
}

/* The output rows that see a row of the image in row i of their windows; rows outside the image are in no window. */
static prt_range seeing(const prt_grid *grid, int64_t i)
{
    int64_t first = grid->before - grid->start, end = first + grid->size, at = seen_at(grid, 0, i);
    first = first > 0 ? first : 0;
    end = end < grid->input ? end : grid->input;
    int64_t from = divide_up(first - at, grid->stride), to = divide_up(end - at, grid->stride);
    from = from > 0 ? from : 0;
    to = to < grid->output ? to : grid->output;
    return (prt_range){from, to > from ? to - from : 0};
}

/* Zeros in an array of the input's shape, in one image's channels of one group. */
static void clear_input(const window_call *call)
{
    const prt_window_shape *s = call->shape;
    for (int64_t n = 0; n < s->batch; n++)
        for (int64_t g = 0; g < s->groups; g++)
            for (int64_t c = 0; c < s->in; c++)
                for (int64_t r = 0; r < s->rows.input; r++)
                    memset(x_at(call, n, g, c) + r * s->x_row * call->bytes, 0,
                           (size_t)(s->columns.input * call->bytes));
}

static void clear_output(const window_call *call)
{
    const prt_window_shape *s = call->shape;
    for (int64_t n = 0; n < s->batch; n++)
        for (int64_t g = 0; g < s->groups; g++)
            for (int64_t o = 0; o < s->out; o++)
                for (int64_t r = 0; r < s->rows.output; r++)
                    memset(y_at(call, n, g, o) + r * s->y_row * call->bytes, 0,
                           (size_t)(s->columns.output * call->bytes));
}

static void clear_window(const window_call *call)
{
    const prt_window_shape *s = call->shape;
    for (int64_t g = 0; g < s->groups; g++)
        for (int64_t o = 0; o < s->out; o++)
            memset(w_at(call, g, o, 0), 0, (size_t)(s->in * window_elements(s) * call->bytes));
}

/* ---- Row by row --------------------------------------------------------------------------------------------- */

/* Where the rows of input and output are that meet in one element of the window, and that element. */
typedef struct meeting {
    char *x, *y, *w;
    int64_t count; /* along the row: y one by one, x by the stride */
} meeting;

/* What is done with the rows of one element of the window. */
typedef void meet_fn(const window_call *call, meeting at);

static void meet_forward(const window_call *call, meeting at)
{
    call->rows->add_from(at.y, call->rows->get(at.w), at.x, call->shape->columns.stride, at.count);
}

static void meet_input(const window_call *call, meeting at)
{
    call->rows->add_to(at.x, call->shape->columns.stride, call->rows->get(at.w), at.y, at.count);
}

static void meet_window(const window_call *call, meeting at)
{
    call->rows->add(at.w, call->rows->product(at.y, at.x, call->shape->columns.stride, at.count));
}

static void meet_mean(const window_call *call, meeting at)
{
    call->rows->add_from(at.y, 1 / (double)window_elements(call->shape), at.x, call->shape->columns.stride, at.count);
}

static void meet_mean_bwd(const window_call *call, meeting at)
{
    call->rows->add_to(at.x, call->shape->columns.stride, 1 / (double)window_elements(call->shape), at.y, at.count);
}

/* Every row of the output with the row of the input that it sees in each element of the window. */
static void meet_rows(const window_call *call, char *x, char *y, char *w, meet_fn *meet)
{
    const prt_window_shape *s = call->shape;
    for (int64_t i = 0; i < s->rows.window; i++) {
        prt_range rows = seeing(&s->rows, i);
        for (int64_t j = 0; j < s->columns.window; j++) {
            prt_range columns = seeing(&s->columns, j);
            int64_t column = seen_at(&s->columns, columns.start, j);
            char *element = w != NULL ? w + (i * s->columns.window + j) * call->bytes : NULL;
            for (int64_t p = rows.start; p < rows.start + rows.extent; p++)
                meet(call, (meeting){x + (seen_at(&s->rows, p, i) * s->x_row + column) * call->bytes,
                                     y + (p * s->y_row + columns.start) * call->bytes, element, columns.extent});
        }
    }
}

static void each_plane(const window_call *call, meet_fn *meet)
{
    const prt_window_shape *s = call->shape;
    for (int64_t n = 0; n < s->batch; n++)
        for (int64_t g = 0; g < s->groups; g++)
            for (int64_t o = 0; o < s->out; o++)
                for (int64_t c = 0; c < s->in; c++)
                    meet_rows(call, x_at(call, n, g, c), y_at(call, n, g, o),
                              call->w != NULL ? w_at(call, g, o, c) : NULL, meet);
}

/* ---- As matrix products ------------------------------------------------------------------------------------- */

/* Channels and positions that one panel has: row (c, i, j), column p; rows are `positions.extent` apart. */
typedef struct block {
    prt_range channels, positions;
} block;

/* Libraries may be called at any time, and blocks are filled and used one after another: one panel serves all. */
static _Alignas(64) char panel[PANEL_BYTES];

/* With positions one after another in the output; otherwise a block ends with the row. */
static bool has_flat_output(const prt_window_shape *s)
{
    return s->y_row == s->columns.output || s->rows.output <= 1;
}

static int64_t channels_of_block(const window_call *call)
{
    const prt_window_shape *s = call->shape;
    int64_t room = PANEL_BYTES / call->bytes / (window_elements(s) * PANEL_POSITIONS);
    return room < 1 ? 1 : room < s->in ? room : s->in;
}

/* How many positions from `start` on one panel has. */
static prt_range positions_from(const window_call *call, int64_t start, int64_t channels)
{
    const prt_window_shape *s = call->shape;
    int64_t room = PANEL_BYTES / call->bytes / (window_elements(s) * channels);
    int64_t end =
        has_flat_output(s) ? s->rows.output * s->columns.output : (start / s->columns.output + 1) * s->columns.output;
    return (prt_range){start, end - start < room ? end - start : room};
}

typedef void panel_fn(const window_call *call, char *x, char *in_panel, prt_range inside, int64_t zeros_before,
                      int64_t zeros_after);

static void into_panel(const window_call *call, char *x, char *in_panel, prt_range inside, int64_t zeros_before,
                       int64_t zeros_after)
{
    memset(in_panel, 0, (size_t)(zeros_before * call->bytes));
    in_panel += zeros_before * call->bytes;
    call->rows->gather(in_panel, x, call->shape->columns.stride, inside.extent);
    memset(in_panel + inside.extent * call->bytes, 0, (size_t)(zeros_after * call->bytes));
}

static void out_of_panel(const window_call *call, char *x, char *in_panel, prt_range inside, int64_t zeros_before,
                         int64_t zeros_after)
{
    (void)zeros_after;
    call->rows->add_to(x, call->shape->columns.stride, 1, in_panel + zeros_before * call->bytes, inside.extent);
}

static int64_t clamp(int64_t value, int64_t least, int64_t most)
{
    return value < least ? least : value > most ? most : value;
}

/* One row of the panel: what a block's positions see of a channel in element (i, j) of the window. */
static void walk_row(const window_call *call, char *plane, char *row, prt_range positions, int64_t i, int64_t j,
                     panel_fn *walk)
{
    const prt_window_shape *s = call->shape;
    prt_range rows = seeing(&s->rows, i), columns = seeing(&s->columns, j);
    int64_t width = s->columns.output, end = positions.start + positions.extent;
    for (int64_t at = positions.start; at < end;) {
        int64_t p = at / width, from = at % width, to = end - p * width < width ? end - p * width : width;
        bool seen = p >= rows.start && p < rows.start + rows.extent;
        int64_t first = seen ? clamp(columns.start, from, to) : to;
        int64_t last = seen ? clamp(columns.start + columns.extent, first, to) : to;
        char *x = plane;
        if (last > first)
            x += (seen_at(&s->rows, p, i) * s->x_row + seen_at(&s->columns, first, j)) * call->bytes;
        walk(call, x, row + (at - positions.start) * call->bytes, (prt_range){first, last - first}, first - from,
             to - last);
        at += to - from;
    }
}

static void walk_panel(const window_call *call, int64_t n, int64_t g, const block *part, panel_fn *walk)
{
    const prt_window_shape *s = call->shape;
    char *row = panel;
    for (int64_t c = 0; c < part->channels.extent; c++)
        for (int64_t i = 0; i < s->rows.window; i++)
            for (int64_t j = 0; j < s->columns.window; j++) {
                walk_row(call, x_at(call, n, g, part->channels.start + c), row, part->positions, i, j, walk);
                row += part->positions.extent * call->bytes;
            }
}

static void multiply(const window_call *call, prt_gemm_shape product, const void *a, const void *b, int beta, void *c)
{
    prt_device_cpu()->gemm(call->dtype, false, &product, a, b, beta, c, 0);
}

/* What is done with one block of an image and group. */
typedef void block_fn(const window_call *call, int64_t n, int64_t g, const block *part);

static char *output_of(const window_call *call, int64_t n, int64_t g, const block *part)
{
    const prt_window_shape *s = call->shape;
    int64_t p = part->positions.start / s->columns.output, q = part->positions.start % s->columns.output;
    return y_at(call, n, g, 0) + (p * s->y_row + q) * call->bytes;
}

static void block_forward(const window_call *call, int64_t n, int64_t g, const block *part)
{
    const prt_window_shape *s = call->shape;
    int64_t positions = part->positions.extent;
    walk_panel(call, n, g, part, into_panel);
    multiply(call,
             (prt_gemm_shape){.m = s->out,
                              .n = positions,
                              .k = part->channels.extent * window_elements(s),
                              .a_row = s->w_out,
                              .a_column = 1,
                              .b_row = positions,
                              .b_column = 1,
                              .c_row = s->y_out,
                              .c_column = 1},
             w_at(call, g, 0, part->channels.start), panel, 1, output_of(call, n, g, part));
}

static void block_input(const window_call *call, int64_t n, int64_t g, const block *part)
{
    const prt_window_shape *s = call->shape;
    int64_t positions = part->positions.extent;
    multiply(call,
             (prt_gemm_shape){.m = part->channels.extent * window_elements(s),
                              .n = positions,
                              .k = s->out,
                              .a_row = 1,
                              .a_column = s->w_out,
                              .b_row = s->y_out,
                              .b_column = 1,
                              .c_row = positions,
                              .c_column = 1},
             w_at(call, g, 0, part->channels.start), output_of(call, n, g, part), 0, panel);
    walk_panel(call, n, g, part, out_of_panel);
}

static void block_window(const window_call *call, int64_t n, int64_t g, const block *part)
{
    const prt_window_shape *s = call->shape;
    int64_t positions = part->positions.extent;
    walk_panel(call, n, g, part, into_panel);
    multiply(call,
             (prt_gemm_shape){.m = s->out,
                              .n = part->channels.extent * window_elements(s),
                              .k = positions,
                              .a_row = s->y_out,
                              .a_column = 1,
                              .b_row = 1,
                              .b_column = positions,
                              .c_row = s->w_out,
                              .c_column = 1},
             output_of(call, n, g, part), panel, 1, w_at(call, g, 0, part->channels.start));
}

static void each_block(const window_call *call, block_fn *work)
{
    const prt_window_shape *s = call->shape;
    int64_t channels = channels_of_block(call), positions = s->rows.output * s->columns.output;
    for (int64_t n = 0; n < s->batch; n++)
        for (int64_t g = 0; g < s->groups; g++)
            for (int64_t c = 0; c < s->in; c += channels)
                for (int64_t p = 0; p < positions;) {
                    block part = {{c, s->in - c < channels ? s->in - c : channels}, {0}};
                    part.positions = positions_from(call, p, part.channels.extent);
                    work(call, n, g, &part);
                    p += part.positions.extent;
                }
}

/* ---- Convolutions ------------------------------------------------------------------------------------------- */

/* Depthwise, or a window that is larger than the panel. */
static bool goes_by_rows(const window_call *call)
{
    const prt_window_shape *s = call->shape;
    return (s->in == 1 && s->out == 1) || window_elements(s) > PANEL_BYTES / call->bytes;
}

/* With a window of 1 x 1 at every position of the input, the panel is the input itself. */
static bool is_plain(const prt_window_shape *s)
{
    const prt_grid *grids[] = {&s->rows, &s->columns};
    for (int i = 0; i < 2; i++)
        if (grids[i]->window != 1 || grids[i]->stride != 1 || grids[i]->input != grids[i]->output ||
            grids[i]->input != grids[i]->size || grids[i]->pad != 0)
            return false;
    return s->x_row == s->columns.input && s->y_row == s->columns.output;
}

/* The products of all images and groups in one call: of out x in and in x positions, or transposed. */
static prt_gemm_shape plain_product(const prt_window_shape *s)
{
    return (prt_gemm_shape){.batch_dims = 2, .batch = {s->batch, s->groups}};
}

static void plain_forward(const window_call *call, int beta)
{
    const prt_window_shape *s = call->shape;
    prt_gemm_shape product = plain_product(s);
    product.m = s->out, product.n = s->rows.input * s->columns.input, product.k = s->in;
    product.a_row = s->w_out, product.a_column = 1;
    product.b_row = s->x_in, product.b_column = 1;
    product.c_row = s->y_out, product.c_column = 1;
    product.a_batch[1] = s->w_group;
    product.b_batch[0] = s->x_batch, product.b_batch[1] = s->x_group;
    product.c_batch[0] = s->y_batch, product.c_batch[1] = s->y_group;
    multiply(call, product, call->w, call->x, beta, call->y);
}

static void plain_input(const window_call *call, int beta)
{
    const prt_window_shape *s = call->shape;
    prt_gemm_shape product = plain_product(s);
    product.m = s->in, product.n = s->rows.input * s->columns.input, product.k = s->out;
    product.a_row = 1, product.a_column = s->w_out;
    product.b_row = s->y_out, product.b_column = 1;
    product.c_row = s->x_in, product.c_column = 1;
    product.a_batch[1] = s->w_group;
    product.b_batch[0] = s->y_batch, product.b_batch[1] = s->y_group;
    product.c_batch[0] = s->x_batch, product.c_batch[1] = s->x_group;
    multiply(call, product, call->w, call->y, beta, call->x);
}

static void plain_window(const window_call *call, int beta)
{
    const prt_window_shape *s = call->shape;
    prt_gemm_shape product = plain_product(s);
    product.m = s->out, product.n = s->in, product.k = s->rows.input * s->columns.input;
    product.a_row = s->y_out, product.a_column = 1;
    product.b_row = 1, product.b_column = s->x_in;
    product.c_row = s->w_out, product.c_column = 1;
    product.a_batch[0] = s->y_batch, product.a_batch[1] = s->y_group;
    product.b_batch[0] = s->x_batch, product.b_batch[1] = s->x_group;
    product.c_batch[1] = s->w_group;
    multiply(call, product, call->y, call->x, beta, call->w);
}

/* One of the three operators of a convolution, in its three ways. */
typedef struct convolution {
    void (*clear)(const window_call *call);
    meet_fn *meet;
    block_fn *block;
    void (*plain)(const window_call *call, int beta);
} convolution;

static void convolve(const window_call *call, const convolution *op, int beta)
{
    if (is_plain(call->shape) && !goes_by_rows(call)) {
        op->plain(call, beta);
        return;
    }
    if (!beta)
        op->clear(call);
    if (goes_by_rows(call))
        each_plane(call, op->meet);
    else
        each_block(call, op->block);
}

/* ---- The largest of a window -------------------------------------------------------------------------------- */

/* The first position of the largest value that output (p, q) sees, row by row, or of the first that is not a number;
 * NULL if it sees nothing. `x`: a channel of the input. */
static const char *largest(const window_call *call, const char *x, int64_t p, int64_t q)
{
    const prt_window_shape *s = call->shape;
    const char *found = NULL;
    double most = -INFINITY;
    for (int64_t i = 0; i < s->rows.window; i++) {
        prt_range rows = seeing(&s->rows, i);
        for (int64_t j = 0; j < s->columns.window && p >= rows.start && p < rows.start + rows.extent; j++) {
            prt_range columns = seeing(&s->columns, j);
            if (q < columns.start || q >= columns.start + columns.extent)
                continue;
            const char *at = x + (seen_at(&s->rows, p, i) * s->x_row + seen_at(&s->columns, q, j)) * call->bytes;
            double value = call->rows->get(at);
            if (isnan(value))
                return at;
            if (found == NULL || value > most) {
                found = at;
                most = value;
            }
        }
    }
    return found;
}

/* With `back`, an array of the input's shape that gets the cotangents y; otherwise y gets the largest values. */
static void pool_largest(const window_call *call, char *back)
{
    const prt_window_shape *s = call->shape;
    for (int64_t n = 0; n < s->batch; n++)
        for (int64_t g = 0; g < s->groups; g++)
            for (int64_t p = 0; p < s->rows.output; p++)
                for (int64_t q = 0; q < s->columns.output; q++) {
                    char *y = y_at(call, n, g, 0) + (p * s->y_row + q) * call->bytes;
                    const char *at = largest(call, x_at(call, n, g, 0), p, q);
                    if (back == NULL)
                        call->rows->add(y, at != NULL ? call->rows->get(at) : -INFINITY);
                    else if (at != NULL)
                        call->rows->add(back + (at - call->x), call->rows->get(y));
                }
}

/* ---------------------------------------------------------------------------------------------------------------- */

void prt_cpu_window_panels(prt_dtype dtype, prt_window_op op, const prt_window_shape *shape, const void *a,
                           const void *b, int beta, void *c)
{
    static const convolution forward = {clear_output, meet_forward, block_forward, plain_forward},
                             input = {clear_input, meet_input, block_input, plain_input},
                             window = {clear_window, meet_window, block_window, plain_window};
    if (dtype != PRT_F32 && dtype != PRT_F64)
        abort(); /* bf16 comes as f32 */
    window_call call = {.dtype = dtype,
                        .bytes = prt_dtype_bytes(dtype),
                        .rows = dtype == PRT_F32 ? &float_rows : &double_rows,
                        .shape = shape,
                        .x = (char *)a,
                        .w = (char *)b,
                        .y = c};
    switch (op) {
    case PRT_CONV:
        convolve(&call, &forward, beta);
        return;
    case PRT_CONV_INPUT_BWD:
        call.x = c, call.y = (char *)a;
        convolve(&call, &input, beta);
        return;
    case PRT_CONV_WEIGHT_BWD:
        call.w = c, call.y = (char *)b;
        convolve(&call, &window, beta);
        return;
    case PRT_MAX_POOL:
    case PRT_MEAN_POOL:
        if (!beta)
            clear_output(&call);
        if (op == PRT_MAX_POOL)
            pool_largest(&call, NULL);
        else
            each_plane(&call, meet_mean);
        return;
    case PRT_MAX_POOL_BWD:
        call.x = c, call.y = (char *)b, call.w = NULL;
        if (!beta)
            clear_input(&call);
        call.x = (char *)a;
        pool_largest(&call, c);
        return;
    case PRT_MEAN_POOL_BWD:
        call.x = c, call.y = (char *)a;
        if (!beta)
            clear_input(&call);
        each_plane(&call, meet_mean_bwd);
        return;
    }
    abort(); /* no other operator has windows */
}

/* ---- Which way ---------------------------------------------------------------------------------------------- */

/* Where products need no panel, or read the image once for every element of a small one, they are faster than oneDNN,
 * which first reorders every array; and its way back to an image of few channels, as a model's input has, is slow
 * (bench/results.md, "Convolutions"). */
static bool is_for_onednn(prt_window_op op, const prt_window_shape *s)
{
    enum { FEW_CHANNELS = 3 };
    bool depthwise = s->in == 1 && s->out == 1;
    switch (op) {
    case PRT_CONV:
    case PRT_CONV_WEIGHT_BWD:
        return depthwise || window_elements(s) > 1;
    case PRT_CONV_INPUT_BWD:
        return depthwise || (window_elements(s) > 1 && s->groups * s->in > FEW_CHANNELS);
    case PRT_MAX_POOL:
    case PRT_MAX_POOL_BWD:
    case PRT_MEAN_POOL:
    case PRT_MEAN_POOL_BWD:
        return false;
    }
    return false;
}

static bool try_onednn(prt_dtype dtype, bool wide, prt_window_op op, const prt_window_shape *shape, const void *a,
                       const void *b, int beta, void *c)
{
    char *first = (char *)a, *second = (char *)b;
    if (dtype == PRT_F64 || !is_for_onednn(op, shape))
        return false;
    if (op == PRT_CONV)
        return prt_onednn_convolve(dtype, wide, op, shape, first, second, c, beta);
    return op == PRT_CONV_INPUT_BWD ? prt_onednn_convolve(dtype, wide, op, shape, c, second, first, beta)
                                    : prt_onednn_convolve(dtype, wide, op, shape, first, c, second, beta);
}

bool prt_cpu_window(prt_dtype dtype, bool wide, prt_window_op op, const prt_window_shape *shape, const void *a,
                    const void *b, int beta, void *c, int stream)
{
    (void)stream;
    if (try_onednn(dtype, wide, op, shape, a, b, beta, c))
        return true;
    if (dtype == PRT_BF16)
        return prt_cpu_window_bf16(op, shape, a, b, beta, c, wide);
    prt_cpu_window_panels(dtype, op, shape, a, b, beta, c);
    return true;
}

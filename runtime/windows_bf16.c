/* windows_bf16.c - convolutions and pooling of bf16 without oneDNN (runtime/device.h): image by image, exact conversion
 * to f32 in the workspace, the same in f32, and one rounding of each result. */
#include "runtime/bf16.h"
#include "runtime/device.h"
#include "runtime/workspace.h"

#include <string.h>

enum { X, W, Y, NONE };

typedef struct roles {
    int a, b, c; /* the arguments of prt_window */
} roles;

static const roles roles_of[] = {[PRT_CONV] = {X, W, Y},
                                 [PRT_CONV_INPUT_BWD] = {Y, W, X},
                                 [PRT_CONV_WEIGHT_BWD] = {X, Y, W},
                                 [PRT_MAX_POOL] = {X, NONE, Y},
                                 [PRT_MAX_POOL_BWD] = {X, Y, X},
                                 [PRT_MEAN_POOL] = {X, NONE, Y},
                                 [PRT_MEAN_POOL_BWD] = {Y, NONE, X}};

/* An image, or the weight as one: groups, channels and rows of it in bf16. In f32 they follow each other. */
typedef struct image {
    int64_t groups, channels, rows, columns;
    int64_t group, channel, row; /* strides */
} image;

static image image_of(const prt_window_shape *s, int array)
{
    if (array == X)
        return (image){s->groups, s->in, s->rows.input, s->columns.input, s->x_group, s->x_in, s->x_row};
    if (array == Y)
        return (image){s->groups, s->out, s->rows.output, s->columns.output, s->y_group, s->y_out, s->y_row};
    int64_t window = s->in * s->rows.window * s->columns.window;
    return (image){s->groups, s->out, 1, window, s->w_group, s->w_out, 0};
}

static int64_t elements_of(const image *i)
{
    return i->groups * i->channels * i->rows * i->columns;
}

static void widen(const image *i, const uint16_t *from, float *to)
{
    for (int64_t g = 0; g < i->groups; g++)
        for (int64_t c = 0; c < i->channels; c++)
            for (int64_t r = 0; r < i->rows; r++, to += i->columns) {
                const uint16_t *row = from + g * i->group + c * i->channel + r * i->row;
                for (int64_t k = 0; k < i->columns; k++)
                    to[k] = prt_bf16_value(row[k]);
            }
}

static void put_number(void *c, int64_t at, float value, bool wide, int beta)
{
    if (wide) {
        float *sum = (float *)c + at;
        *sum = beta ? value + *sum : value;
    } else {
        uint16_t *sum = (uint16_t *)c + at;
        *sum = prt_bf16_round(beta ? value + prt_bf16_value(*sum) : value);
    }
}

/* Of the result, which is bf16, or f32 if `wide`: its rows at `offset` of `c`. */
static void put_result(const image *i, const float *from, void *c, int64_t offset, bool wide, int beta)
{
    for (int64_t g = 0; g < i->groups; g++)
        for (int64_t n = 0; n < i->channels; n++)
            for (int64_t r = 0; r < i->rows; r++, from += i->columns) {
                int64_t at = offset + g * i->group + n * i->channel + r * i->row;
                for (int64_t k = 0; k < i->columns; k++)
                    put_number(c, at + k, from[k], wide, beta);
            }
}

/* One image, all arrays packed. */
static prt_window_shape packed(const prt_window_shape *s)
{
    prt_window_shape p = *s;
    p.batch = 1;
    p.x_row = s->columns.input, p.x_in = s->rows.input * p.x_row, p.x_group = s->in * p.x_in;
    p.y_row = s->columns.output, p.y_out = s->rows.output * p.y_row, p.y_group = s->out * p.y_out;
    p.w_out = s->in * s->rows.window * s->columns.window, p.w_group = s->out * p.w_out;
    p.x_batch = s->groups * p.x_group, p.y_batch = s->groups * p.y_group;
    return p;
}

static int64_t batch_stride(const prt_window_shape *s, int array)
{
    return array == X ? s->x_batch : array == Y ? s->y_batch : 0;
}

bool prt_cpu_window_bf16(prt_window_op op, const prt_window_shape *s, const uint16_t *a, const uint16_t *b, int beta,
                         void *c, bool wide)
{
    roles r = roles_of[op];
    prt_window_shape one = packed(s);
    image in = image_of(s, r.a), other = r.b != NONE ? image_of(s, r.b) : (image){0}, out = image_of(s, r.c);
    float *space = prt_workspace((elements_of(&in) + elements_of(&other) + elements_of(&out)) * (int64_t)sizeof(float));
    if (space == NULL)
        return false;
    float *first = space, *second = first + elements_of(&in), *result = second + elements_of(&other);
    if (r.b == W)
        widen(&other, b, second);
    memset(result, 0, (size_t)elements_of(&out) * sizeof(float));
    for (int64_t n = 0; n < s->batch; n++) {
        widen(&in, a + n * batch_stride(s, r.a), first);
        if (r.b != NONE && r.b != W)
            widen(&other, b + n * batch_stride(s, r.b), second);
        prt_cpu_window_panels(PRT_F32, op, &one, first, second, r.c == W, result);
        if (r.c != W)
            put_result(&out, result, c, n * batch_stride(s, r.c), wide, beta);
    }
    if (r.c == W)
        put_result(&out, result, c, 0, wide, beta);
    return true;
}

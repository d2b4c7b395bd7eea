/* windows_onednn.c - convolutions of f32 and bf16 by oneDNN.
 *
 * Arrays of a program are row by row (nchw); oneDNN is two to three times as fast with channels in blocks of 16. So a
 * call goes over the batch a few images at a time: what it reads is reordered into blocks, convolved there, and the
 * result reordered back, into what is there already where it adds. Each of these three is a primitive of oneDNN, made
 * at the first call of a shape. The blocks are in the workspace, of few images at a time, so that they stay in the
 * cache.
 *
 * In bf16 results are computed and added up in f32, and rounded once. What is read is bf16 where the processor
 * multiplies such numbers, otherwise f32, which they are converted to exactly.
 */
#include "runtime/bf16.h"
#include "runtime/comm.h"
#include "runtime/device.h"
#include "runtime/onednn.h"
#include "runtime/workspace.h"

#include <stdlib.h>
#include <string.h>

enum { PASS_BYTES = 1 << 20, MOST_BYTES = 64 << 20, ALIGNMENT = 64, CHAINS = 256 };

/* ---- What is convolved -------------------------------------------------------------------------------------- */

enum { W, X, Y, ARRAYS };

/* Rows, or columns, of the input that outputs see: those of the array from `low` to before `high`, and zeros before and
 * after them. */
typedef struct frame {
    int64_t low, high, before, after;
} frame;

/* Outputs may see neither the first nor the last rows. */
static frame frame_of(const prt_grid *grid)
{
    int64_t first = grid->before - grid->pad, end = first + (grid->output - 1) * grid->stride + grid->window;
    int64_t image = grid->before - grid->start, image_end = image + grid->size;
    frame f = {image > 0 ? image : 0, image_end < grid->input ? image_end : grid->input, 0, 0};
    f.low = f.low > first ? f.low : first;
    f.high = f.high < end ? f.high : end;
    f.before = f.low - first;
    f.after = end - f.high;
    return f;
}

static bool is_plain(const prt_grid *grid, const frame *f)
{
    return grid->output > 0 && f->high > f->low && f->before < grid->window && f->after < grid->window;
}

/* One pass: so many images of a call. */
typedef struct pass_key {
    prt_dtype dtype;
    bool wide; /* the result is f32 */
    prt_window_op op;
    int adds;
    prt_window_shape shape; /* its batch is that of the pass */
} pass_key;

/* An array as the program has it, and as oneDNN wants it: in the workspace, or the same. */
typedef struct array {
    dnnl_memory_desc_t given_desc, used_desc;
    dnnl_memory_t given, used; /* the same where nothing is reordered */
    dnnl_primitive_t reorder;  /* or NULL */
    int64_t offset;
} array;

typedef struct pass pass;
struct pass {
    pass *next;
    pass_key key;
    bool good; /* false: oneDNN has no fast way */
    dnnl_primitive_t work;
    dnnl_memory_t scratch;
    int64_t scratch_offset, scratch_bytes, bytes;
    array arrays[ARRAYS];
};

static int result_of(prt_window_op op)
{
    return op == PRT_CONV ? Y : op == PRT_CONV_INPUT_BWD ? X : W;
}

/* Channels of all groups follow each other. */
static bool has_one_stride(int64_t groups, int64_t group, int64_t channels, int64_t channel)
{
    return groups == 1 || channels == 1 || group == channels * channel;
}

static bool fits(const prt_window_shape *s)
{
    frame rows = frame_of(&s->rows), columns = frame_of(&s->columns);
    return s->batch > 0 && s->in > 0 && s->out > 0 && s->groups > 0 && is_plain(&s->rows, &rows) &&
           is_plain(&s->columns, &columns) && has_one_stride(s->groups, s->x_group, s->in, s->x_in) &&
           has_one_stride(s->groups, s->y_group, s->out, s->y_out);
}

/* ---- Descriptions ------------------------------------------------------------------------------------------- */

static const prt_onednn *dnnl;

typedef struct extents {
    int count;
    dnnl_dims_t dims, strides;
} extents;

static void add_dim(extents *e, int64_t dim, int64_t stride)
{
    e->dims[e->count] = dim;
    e->strides[e->count++] = stride;
}

static extents extents_of_input(const prt_window_shape *s)
{
    frame rows = frame_of(&s->rows), columns = frame_of(&s->columns);
    extents e = {0};
    add_dim(&e, s->batch, s->x_batch);
    add_dim(&e, s->groups * s->in, s->in == 1 ? s->x_group : s->x_in);
    add_dim(&e, rows.high - rows.low, s->x_row);
    add_dim(&e, columns.high - columns.low, 1);
    return e;
}

static extents extents_of_output(const prt_window_shape *s)
{
    extents e = {0};
    add_dim(&e, s->batch, s->y_batch);
    add_dim(&e, s->groups * s->out, s->out == 1 ? s->y_group : s->y_out);
    add_dim(&e, s->rows.output, s->y_row);
    add_dim(&e, s->columns.output, 1);
    return e;
}

/* Packed: sums in the workspace. */
static extents extents_of_weight(const prt_window_shape *s, bool packed)
{
    int64_t window = s->rows.window * s->columns.window;
    extents e = {0};
    if (s->groups > 1)
        add_dim(&e, s->groups, packed ? s->out * s->in * window : s->w_group);
    add_dim(&e, s->out, packed ? s->in * window : s->w_out);
    add_dim(&e, s->in, window);
    add_dim(&e, s->rows.window, s->columns.window);
    add_dim(&e, s->columns.window, 1);
    return e;
}

/* For a weight in bf16 the results of all passes are added up in f32. */
static bool has_sums(const pass_key *key)
{
    return key->op == PRT_CONV_WEIGHT_BWD && key->dtype == PRT_BF16 && !key->wide;
}

static extents extents_of(const pass_key *key, int which)
{
    extents e = which == X   ? extents_of_input(&key->shape)
                : which == Y ? extents_of_output(&key->shape)
                             : extents_of_weight(&key->shape, has_sums(key));
    prt_onednn_mend_strides(e.count, e.dims, e.strides);
    return e;
}

static dnnl_data_type_t given_type(const pass_key *key, int which)
{
    bool is_f32 = key->dtype == PRT_F32 || (which == result_of(key->op) && (key->wide || has_sums(key)));
    return is_f32 ? dnnl_f32 : dnnl_bf16;
}

static dnnl_data_type_t used_type(const pass_key *key, int which)
{
    bool narrow = key->dtype == PRT_BF16 && which != result_of(key->op) && dnnl->multiplies_bf16;
    return narrow ? dnnl_bf16 : dnnl_f32;
}

static bool describe(const pass_key *key, int which, array *a)
{
    extents e = extents_of(key, which);
    return dnnl->memory_desc_init_by_strides(&a->given_desc, e.count, e.dims, given_type(key, which), e.strides) ==
               dnnl_success &&
           dnnl->memory_desc_init_by_tag(&a->used_desc, e.count, e.dims, used_type(key, which), dnnl_format_tag_any) ==
               dnnl_success;
}

/* ---- Primitives --------------------------------------------------------------------------------------------- */

static bool init_convolution(const pass *p, dnnl_convolution_desc_t *desc)
{
    const prt_window_shape *s = &p->key.shape;
    frame rows = frame_of(&s->rows), columns = frame_of(&s->columns);
    const dnnl_memory_desc_t *x = &p->arrays[X].used_desc, *w = &p->arrays[W].used_desc, *y = &p->arrays[Y].used_desc;
    dnnl_dims_t strides = {s->rows.stride, s->columns.stride}, before = {rows.before, columns.before},
                after = {rows.after, columns.after};
    dnnl_alg_kind_t direct = dnnl_convolution_direct; /* what Winograd's adds to rounding has no bound here */
    switch (p->key.op) {
    case PRT_CONV:
        return dnnl->convolution_forward_desc_init(desc, dnnl_forward_training, direct, x, w, NULL, y, strides, before,
                                                   after) == dnnl_success;
    case PRT_CONV_INPUT_BWD:
        return dnnl->convolution_backward_data_desc_init(desc, direct, x, w, y, strides, before, after) == dnnl_success;
    case PRT_CONV_WEIGHT_BWD:
        return dnnl->convolution_backward_weights_desc_init(desc, direct, x, w, NULL, y, strides, before, after) ==
               dnnl_success;
    case PRT_MAX_POOL:
    case PRT_MAX_POOL_BWD:
    case PRT_MEAN_POOL:
    case PRT_MEAN_POOL_BWD:
        return false;
    }
    return false;
}

static int64_t aligned(int64_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Room for what a primitive needs while it works; primitives follow each other. */
static void count_scratch(pass *p, dnnl_primitive_desc_t desc)
{
    int64_t bytes = prt_onednn_scratch(desc);
    p->scratch_bytes = bytes > p->scratch_bytes ? bytes : p->scratch_bytes;
}

/* The arrays as the convolution wants them. */
static void ask_arrays(pass *p, dnnl_primitive_desc_t desc)
{
    static const dnnl_query_t queries[][ARRAYS] = {
        [PRT_CONV] = {dnnl_query_weights_md, dnnl_query_src_md, dnnl_query_dst_md},
        [PRT_CONV_INPUT_BWD] = {dnnl_query_weights_md, dnnl_query_diff_src_md, dnnl_query_diff_dst_md},
        [PRT_CONV_WEIGHT_BWD] = {dnnl_query_diff_weights_md, dnnl_query_src_md, dnnl_query_diff_dst_md}};
    for (int i = 0; i < ARRAYS; i++)
        p->arrays[i].used_desc = *dnnl->primitive_desc_query_md(desc, queries[p->key.op][i], 0);
}

static bool make_convolution(pass *p)
{
    dnnl_convolution_desc_t desc;
    dnnl_primitive_desc_t made;
    if (!init_convolution(p, &desc))
        return false;
    dnnl_primitive_attr_t attr = prt_onednn_attributes(false);
    bool good = dnnl->primitive_desc_create(&made, &desc, attr, dnnl->engine, NULL) == dnnl_success;
    dnnl->primitive_attr_destroy(attr);
    if (!good)
        return false;
    ask_arrays(p, made);
    count_scratch(p, made);
    good = prt_onednn_is_fast(made) && dnnl->primitive_create(&p->work, made) == dnnl_success;
    dnnl->primitive_desc_destroy(made);
    return good;
}

static bool make_reorder(pass *p, int which)
{
    array *a = &p->arrays[which];
    bool result = which == result_of(p->key.op), adds = result && p->key.adds;
    if (!adds && dnnl->memory_desc_equal(&a->given_desc, &a->used_desc))
        return true;
    dnnl_primitive_desc_t made;
    dnnl_primitive_attr_t attr = prt_onednn_attributes(adds);
    bool good = dnnl->reorder_primitive_desc_create(&made, result ? &a->used_desc : &a->given_desc, dnnl->engine,
                                                    result ? &a->given_desc : &a->used_desc, dnnl->engine,
                                                    attr) == dnnl_success;
    dnnl->primitive_attr_destroy(attr);
    if (!good)
        return false;
    count_scratch(p, made);
    good = dnnl->primitive_create(&a->reorder, made) == dnnl_success;
    dnnl->primitive_desc_destroy(made);
    return good;
}

/* The weight comes first, so that it is in the same place in passes of different size. */
static bool lay_out(pass *p)
{
    for (int i = 0; i < ARRAYS; i++) {
        array *a = &p->arrays[i];
        if (!make_reorder(p, i) || !prt_onednn_make_memory(&a->given, &a->given_desc))
            return false;
        a->used = a->given;
        if (a->reorder == NULL)
            continue;
        if (!prt_onednn_make_memory(&a->used, &a->used_desc))
            return false;
        a->offset = p->bytes;
        p->bytes += aligned((int64_t)dnnl->memory_desc_get_size(&a->used_desc));
    }
    p->scratch_offset = p->bytes;
    p->bytes += aligned(p->scratch_bytes > 0 ? p->scratch_bytes : 1);
    return prt_onednn_make_scratch(&p->scratch, p->scratch_bytes) && p->bytes <= MOST_BYTES;
}

static bool make_pass(pass *p)
{
    if (!fits(&p->key.shape))
        return false;
    for (int i = 0; i < ARRAYS; i++)
        if (!describe(&p->key, i, &p->arrays[i]))
            return false;
    return make_convolution(p) && lay_out(p);
}

/* ---- Passes that were made ---------------------------------------------------------------------------------- */

/* A call in passes of `images`, the last of which may have fewer, and adds where the others do. */
typedef struct call {
    const prt_window_shape *shape;
    prt_dtype dtype;
    bool wide;
    prt_window_op op;
    int64_t images;
    pass *first, *next, *last; /* NULL: not needed */
    char *given[ARRAYS];
    int64_t sums; /* bytes of the workspace for sums in f32 */
} call;

static uint32_t hash_of(const pass_key *key)
{
    uint32_t hash = 2166136261u;
    const unsigned char *byte = (const unsigned char *)key;
    for (size_t i = 0; i < sizeof *key; i++)
        hash = (hash ^ byte[i]) * 16777619u;
    return hash;
}

/* NULL if there is no fast way. Each is made once and kept. */
static pass *find_pass(const call *c, bool adds, int64_t images)
{
    static pass *chains[CHAINS];
    pass_key key;
    memset(&key, 0, sizeof key); /* also between its fields */
    key.dtype = c->dtype, key.wide = c->wide, key.op = c->op, key.adds = adds;
    memcpy(&key.shape, c->shape, sizeof *c->shape);
    key.shape.batch = images;
    pass **chain = &chains[hash_of(&key) % CHAINS];
    for (pass *p = *chain; p != NULL; p = p->next)
        if (memcmp(&p->key, &key, sizeof key) == 0)
            return p->good ? p : NULL;
    pass *made = calloc(1, sizeof *made);
    if (made == NULL)
        return NULL;
    made->key = key;
    made->good = make_pass(made);
    made->next = *chain;
    *chain = made;
    return made->good ? made : NULL;
}

/* ---- Running ------------------------------------------------------------------------------------------------ */

static void reorder(const pass *p, int which)
{
    const array *a = &p->arrays[which];
    if (a->reorder == NULL)
        return;
    bool result = which == result_of(p->key.op);
    const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_FROM, result ? a->used : a->given},
                                         {DNNL_ARG_TO, result ? a->given : a->used},
                                         {DNNL_ARG_SCRATCHPAD, p->scratch}};
    prt_onednn_execute(a->reorder, 3, arguments);
}

static void work(const pass *p)
{
    static const int names[][ARRAYS] = {
        [PRT_CONV] = {DNNL_ARG_WEIGHTS, DNNL_ARG_SRC, DNNL_ARG_DST},
        [PRT_CONV_INPUT_BWD] = {DNNL_ARG_WEIGHTS, DNNL_ARG_DIFF_SRC, DNNL_ARG_DIFF_DST},
        [PRT_CONV_WEIGHT_BWD] = {DNNL_ARG_DIFF_WEIGHTS, DNNL_ARG_SRC, DNNL_ARG_DIFF_DST}};
    const int *name = names[p->key.op];
    const dnnl_exec_arg_t arguments[] = {{name[W], p->arrays[W].used},
                                         {name[X], p->arrays[X].used},
                                         {name[Y], p->arrays[Y].used},
                                         {DNNL_ARG_SCRATCHPAD, p->scratch}};
    prt_onednn_execute(p->work, 4, arguments);
}

static void place(const pass *p, char *const given[ARRAYS], char *space)
{
    for (int i = 0; i < ARRAYS; i++) {
        const array *a = &p->arrays[i];
        dnnl->memory_set_data_handle(a->given, given[i]);
        if (a->reorder != NULL)
            dnnl->memory_set_data_handle(a->used, space + a->offset);
    }
    dnnl->memory_set_data_handle(p->scratch, space + p->scratch_offset);
}

/* `before`: the pass before it in the same call, or NULL. A weight that is read stays in the workspace. */
static void run_pass(const pass *p, const pass *before, char *const given[ARRAYS], char *space)
{
    int result = result_of(p->key.op);
    bool kept = before != NULL && dnnl->memory_desc_equal(&before->arrays[W].used_desc, &p->arrays[W].used_desc);
    place(p, given, space);
    for (int i = 0; i < ARRAYS; i++)
        if (i != result && !(i == W && kept))
            reorder(p, i);
    work(p);
    reorder(p, result);
}

/* ---- Calls -------------------------------------------------------------------------------------------------- */

/* Images whose blocks are about PASS_BYTES, in passes as equal as can be. */
static int64_t images_of(const prt_window_shape *s)
{
    int64_t image =
        4 * s->groups * (s->in * s->rows.input * s->columns.input + s->out * s->rows.output * s->columns.output);
    int64_t images = image > 0 && image < PASS_BYTES ? PASS_BYTES / image : 1;
    int64_t passes = (s->batch + images - 1) / images;
    return passes > 0 ? (s->batch + passes - 1) / passes : 1;
}

static bool find_passes(call *c, int beta)
{
    int64_t batch = c->shape->batch, rest = batch % c->images;
    bool weight = c->op == PRT_CONV_WEIGHT_BWD, adds = beta && c->sums == 0;
    bool later = weight || adds; /* further passes add to the same weight */
    c->first = find_pass(c, adds, c->images);
    if (c->first != NULL && batch > c->images)
        c->next = later == adds ? c->first : find_pass(c, later, c->images);
    if (c->first != NULL && rest > 0)
        c->last = find_pass(c, later, rest);
    return c->first != NULL && (batch == c->images || c->next != NULL) && (rest == 0 || c->last != NULL);
}

static int64_t bytes_of(const call *c)
{
    int64_t bytes = c->first->bytes;
    bytes = c->next != NULL && c->next->bytes > bytes ? c->next->bytes : bytes;
    bytes = c->last != NULL && c->last->bytes > bytes ? c->last->bytes : bytes;
    return bytes + c->sums;
}

static int64_t element_bytes(const call *c, int which)
{
    bool is_f32 = c->wide && which == result_of(c->op);
    return is_f32 ? (int64_t)sizeof(float) : prt_dtype_bytes(c->dtype);
}

static void run_passes(const call *c, char *space)
{
    const prt_window_shape *s = c->shape;
    int64_t bytes[ARRAYS];
    const pass *before = NULL;
    for (int i = 0; i < ARRAYS; i++)
        bytes[i] = element_bytes(c, i);
    for (int64_t image = 0; image < s->batch; image += c->images) {
        const pass *p = s->batch - image < c->images ? c->last : image == 0 ? c->first : c->next;
        char *const given[ARRAYS] = {c->given[W], c->given[X] + image * s->x_batch * bytes[X],
                                     c->given[Y] + image * s->y_batch * bytes[Y]};
        run_pass(p, before, given, space);
        before = p;
    }
}

static int64_t weights_in_group(const prt_window_shape *s)
{
    return s->in * s->rows.window * s->columns.window;
}

/* From sums, packed, to the weight. */
static void round_sums(const prt_window_shape *s, const float *sums, uint16_t *w, int beta)
{
    int64_t count = weights_in_group(s);
    for (int64_t g = 0; g < s->groups; g++)
        for (int64_t o = 0; o < s->out; o++, sums += count) {
            uint16_t *to = w + g * s->w_group + o * s->w_out;
            for (int64_t i = 0; i < count; i++)
                to[i] = prt_bf16_round(sums[i] + (beta ? prt_bf16_value(to[i]) : 0));
        }
}

/* Rows and columns of the input that no output sees. */
static void clear_unseen(const call *c, char *x)
{
    const prt_window_shape *s = c->shape;
    frame rows = frame_of(&s->rows), columns = frame_of(&s->columns);
    int64_t bytes = element_bytes(c, X);
    if (rows.low == 0 && rows.high == s->rows.input && columns.low == 0 && columns.high == s->columns.input)
        return;
    for (int64_t n = 0; n < s->batch; n++)
        for (int64_t g = 0; g < s->groups; g++)
            for (int64_t i = 0; i < s->in; i++)
                for (int64_t r = 0; r < s->rows.input; r++)
                    memset(x + (n * s->x_batch + g * s->x_group + i * s->x_in + r * s->x_row) * bytes, 0,
                           (size_t)(s->columns.input * bytes));
}

bool prt_onednn_convolve(prt_dtype dtype, bool wide, prt_window_op op, const prt_window_shape *shape, char *x, char *w,
                         char *y, int beta)
{
    dnnl = prt_onednn_library();
    if (!dnnl->has_primitives || !fits(shape))
        return false;
    frame rows = frame_of(&shape->rows), columns = frame_of(&shape->columns);
    call c = {.shape = shape, .dtype = dtype, .wide = wide, .op = op, .images = images_of(shape)};
    bool sums = dtype == PRT_BF16 && op == PRT_CONV_WEIGHT_BWD && !wide;
    if (sums)
        c.sums = aligned(shape->groups * shape->out * weights_in_group(shape) * (int64_t)sizeof(float));
    if (!find_passes(&c, beta))
        return false;
    char *space = prt_workspace(bytes_of(&c));
    if (space == NULL)
        return false;
    c.given[X] = x + (rows.low * shape->x_row + columns.low) * element_bytes(&c, X);
    c.given[W] = sums ? space : w;
    c.given[Y] = y;
    if (op == PRT_CONV_INPUT_BWD && !beta)
        clear_unseen(&c, x);
    run_passes(&c, space + c.sums);
    if (sums)
        round_sums(shape, (const float *)space, (uint16_t *)w, beta);
    return true;
}

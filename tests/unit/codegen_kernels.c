/* Every generated kernel against a naive loop: f32 and f64, odd sizes, in place, accumulated; PTX through ptxas. With
 * PLACE_KERNELS=gpu the same kernels on a GPU, through its driver. */
#include "codegen/kernels.h"
#include "runtime/place_rt.h"

#include "tests/unit/kernel_meanings.h"
#include "tests/unit/kernels_gpu.h"

#include <dlfcn.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { MAX_ELEMENTS = 4096 };

/* ---- Cases -------------------------------------------------------------------------------------------------- */

enum { MASK_A = 1, MASK_B = 2, MASK_C = 4, MASK_D = 8 };

typedef struct Case {
    OpKind op;
    const char *spec;
    Element *element;
    Row *row;
    double immediate[STEP_MAX_IMMEDIATES]; /* or the scale */
    int integers;                          /* operands that are i32 */
    int positive;                          /* operands that are positive */
    int in_place;                          /* the operand that the result is, as a mask; 0: none */
    bool accumulate;
} Case;

static const Case cases[] = {
    {OP_FILL, "bt", fill, NULL, {2.5}, 0, 0, 0, false},
    {OP_COPY, "bt->bt", same, NULL, {0}, 0, 0, 0, false},
    {OP_COPY, "bth->thb", same, NULL, {0}, 0, 0, 0, false},
    {OP_COPY, "bt->bt", same, NULL, {0}, 0, 0, 0, true},
    {OP_CAST, "bh->bh", same, NULL, {0}, MASK_A, 0, 0, false},
    {OP_ADD, "bth,th->bth", add, NULL, {0}, 0, 0, MASK_A, false},
    {OP_ADD, "bth,h->bth", add, NULL, {0}, 0, 0, 0, true},
    {OP_SUB, "bh,bh->bh", sub, NULL, {0}, 0, 0, 0, false},
    {OP_MUL, "bh,->bh", mul, NULL, {0}, 0, 0, MASK_A, false},
    {OP_SCALE, "bh->bh", scaled, NULL, {0.125}, 0, 0, MASK_A, false},
    {OP_SCALE, "->", scaled, NULL, {0.125}, 0, 0, 0, false},
    {OP_RECIP, "h->h", recip, NULL, {0}, 0, MASK_A, 0, false},
    {OP_SQRT, "->", sqrt_of, NULL, {0}, 0, MASK_A, 0, false},
    {OP_RELU, "bh->bh", relu, NULL, {0}, 0, 0, MASK_A, false},
    {OP_RELU_BWD, "bh,bh->bh", relu_bwd, NULL, {0}, 0, 0, 0, false},
    {OP_RSQRT, "h->h", inverse_root, NULL, {1e-5}, 0, MASK_A, 0, false},
    {OP_RSQRT_BWD, "h,h->h", inverse_root_bwd, NULL, {1e-5}, 0, MASK_A, 0, false},
    {OP_BLEND, "h,h->h", blend, NULL, {0.1}, 0, 0, MASK_A, false},
    {OP_RELU6, "bh->bh", relu6, NULL, {0}, MASK_A, 0, 0, false},
    {OP_RELU6_BWD, "bh,bh->bh", relu6_bwd, NULL, {0}, MASK_A, 0, 0, false},
    {OP_TANH, "bh->bh", tanh_of, NULL, {0}, 0, 0, 0, false},
    {OP_TANH_BWD, "bh,bh->bh", tanh_bwd, NULL, {0}, 0, 0, 0, false},
    {OP_GELU, "bth->bth", gelu, NULL, {0}, 0, 0, 0, false},
    {OP_GELU_BWD, "bth,bth->bth", gelu_bwd, NULL, {0}, 0, 0, 0, true},
    {OP_LESS, "bh,->bh", less, NULL, {0}, MASK_A | MASK_B, 0, 0, false},
    {OP_LESS_EQUAL, ",bh->bh", less_equal, NULL, {0}, 0, 0, 0, false},
    {OP_EQUAL, "bh,bh->bh", equal, NULL, {0}, MASK_A | MASK_B, 0, 0, false},
    {OP_NOT_EQUAL, "bh,->bh", not_equal, NULL, {0}, MASK_A | MASK_B, 0, 0, false},
    {OP_MASKED, "bh,bh->bh", masked, NULL, {0}, MASK_B, 0, MASK_A, false},
    {OP_INVERSE_COUNT, "->", inverse_count, NULL, {0}, 0, 0, 0, false},
    {OP_SILU, "bth->bth", silu, NULL, {0}, 0, 0, MASK_A, false},
    {OP_SILU_BWD, "bth,bth->bth", silu_bwd, NULL, {0}, 0, 0, 0, true},
    {OP_ROW_RRMS, "bth->bt", NULL, row_rrms, {1e-5}, 0, 0, 0, false},
    {OP_RMS_NORM, "bth,bt,h->bth", rms_norm, NULL, {0}, 0, 0, MASK_A, false},
    {OP_RMS_NORM_BWD, "bth,bt,h,bth->bth", NULL, rms_norm_bwd, {0}, 0, 0, 0, false},
    {OP_RMS_NORM_BWD, "bth,bt,h,bth->bth", NULL, rms_norm_bwd, {0}, 0, 0, 0, true},
    {OP_RMS_GAIN_BWD, "bth,bt,bth->h", rms_norm, NULL, {0}, 0, 0, 0, true},
    {OP_ROTARY_COSINE, "t,h->th", rotary_cosine, NULL, {1e4, 38}, MASK_A | MASK_B, 0, 0, false},
    {OP_ROTARY_SINE, "t,h->th", rotary_sine, NULL, {1e4, 38}, MASK_A | MASK_B, 0, 0, false},
    {OP_ROTATE, "btvh,th,th->btvh", NULL, rotate, {0}, 0, 0, 0, false},
    {OP_ROTATE_BWD, "bth,th,th->bth", NULL, rotate_bwd, {0}, 0, 0, 0, true},
    {OP_SQUARED_ERROR, "b,b->b", squared_error, NULL, {0}, 0, 0, 0, false},
    {OP_SQUARED_ERROR_BWD, "b,b,->b", squared_error_bwd, NULL, {0}, 0, 0, 0, false},
    {OP_ROW_MEAN, "bth->bt", NULL, row_mean, {0}, 0, 0, 0, false},
    {OP_ROW_RSTD, "bth,bt->bt", NULL, row_rstd, {1e-5}, 0, 0, 0, false},
    {OP_NORM, "bth,bt,bt,h,h->bth", norm, NULL, {0}, 0, 0, MASK_A, false},
    {OP_NORM_BWD, "bth,bt,bt,bth,h->bth", NULL, norm_bwd, {0}, 0, 0, MASK_A, false},
    {OP_NORM_BWD, "bth,bt,bt,bth,h->bth", NULL, norm_bwd, {0}, 0, 0, 0, true},
    {OP_NORM_GAIN_BWD, "bth,bt,bt,bth->h", norm_gain_bwd, NULL, {0}, 0, 0, 0, true},
    {OP_SOFTMAX, "bth->bth", NULL, softmax, {1.5}, 0, 0, MASK_A, false},
    {OP_CAUSAL_SOFTMAX, "bts,t,s->bts", NULL, causal_softmax, {0.5}, MASK_B | MASK_C, 0, 0, false},
    {OP_CAUSAL_SOFTMAX, "bts,t,s->bts", NULL, causal_softmax, {0.5}, MASK_B | MASK_C, 0, MASK_A, false},
    {OP_SOFTMAX_BWD, "bts,bts->bts", NULL, softmax_bwd, {0.5}, 0, 0, 0, false},
    {OP_ROW_MAX, "bth->bt", NULL, row_max, {0}, 0, 0, 0, false},
    {OP_EXP_SUM, "bth,bt->bt", exp_sum, NULL, {0}, 0, 0, 0, false},
    {OP_PICK, "bth,bt,h->bt", pick, NULL, {0}, MASK_B | MASK_C, 0, 0, false},
    {OP_LOG_LOSS, "bt,bt,bt->bt", log_loss, NULL, {0}, 0, MASK_B, 0, false},
    {OP_LOG_LOSS_BWD, "bth,bt,bt,bt,h,bt->bth", log_loss_bwd, NULL, {0}, MASK_D | 16, MASK_C, 0, true},
    {OP_INDEX_WORD, "t,h->th", index_word, NULL, {0}, MASK_A | MASK_B, 0, 0, false},
    {OP_DROPOUT_MASK, ",,b,t,h,,->bth", dropout_mask, NULL, {0.25, 3e9}, 0x7e, MASK_A, 0, false},
    {OP_REDUCE, "bth->", same, NULL, {0}, 0, 0, 0, false},
    {OP_REDUCE, "bth->h", same, NULL, {0}, 0, 0, 0, true},
    {OP_REDUCE, "bth->bt", same, NULL, {0}, 0, 0, 0, false},
    {OP_REDUCE, "bth->t", same, NULL, {0}, 0, 0, 0, false},
    {OP_SUM_SQUARES, "", square, NULL, {0}, 0, 0, 0, true},
    {OP_LOG_SUM_EXP, "bth->bt", NULL, log_sum_exp, {0}, 0, 0, 0, false},
    {OP_LOG_SUM_EXP_BWD, "bth,bt->bth", NULL, log_sum_exp_bwd, {0}, 0, 0, 0, true},
    {OP_FILLED, "bts->bt", is_below, NULL, {3}, MASK_A, 0, 0, false},
    {OP_COUNT_EQUAL, "bts,v->bv", is_equal, NULL, {0}, MASK_A | MASK_B, 0, 0, false},
    {OP_SUM_EQUAL, "btv,bts,v->bt", where_equal, NULL, {0}, MASK_B | MASK_C, 0, 0, false},
    {OP_SUM_EQUAL, "bt,bts,v->btv", where_equal, NULL, {0}, MASK_B | MASK_C, 0, 0, true},
    {OP_RECIP_BWD, "bt,bt->bt", recip_bwd, NULL, {0}, 0, MASK_A, 0, false},
    {OP_CLIP_FACTOR, "->", clip_factor, NULL, {1}, 0, MASK_A, 0, false},
    {OP_RATE, "", rate, NULL, {3e-4, 20, 120, 0.1}, 0, MASK_A, 0, false},
    {OP_CORRECTION, "->", correction, NULL, {0.999}, 0, MASK_A, 0, false},
    {OP_FALLING_POWER, "h->h", falling_power, NULL, {0.9, 4}, 0, MASK_A, 0, false},
    {OP_INCREMENT, "", increment, NULL, {0}, 0, 0, MASK_A, false},
    {OP_EMA, "", ema, NULL, {0.9}, 0, 0, MASK_A, false},
    {OP_EMA_SQUARE, "", ema_square, NULL, {0.999}, 0, 0, MASK_A, false},
    {OP_ADAMW, "bh,bh,bh,,,->bh", adamw, NULL, {1e-8, 0.1}, 0, MASK_C | MASK_D | 48, MASK_A, false},
    {OP_DECAY_GRADIENT, "", decay_gradient, NULL, {0.1}, 0, 0, MASK_A, false},
    {OP_MOMENTUM, "", momentum, NULL, {0.9}, 0, 0, MASK_A, false},
    {OP_SGD, "h,h,->h", sgd, NULL, {0}, 0, 0, MASK_A, false},
    {OP_ADAM_DIRECTION, "bh,bh,bh,,->bh", adam_direction, NULL, {1e-6, 0.1}, 0, MASK_C | MASK_D | 16, 0, false},
    {OP_TRUST_RATIO, ",->", trust_ratio, NULL, {0}, 0, MASK_A | MASK_B, 0, false},
    {OP_LARS_RATIO, ",->", lars_ratio, NULL, {0.001, 0.1}, 0, MASK_A | MASK_B, 0, false},
    {OP_SQUARE_PLUS, "bh->bh", square_plus, NULL, {1e-3}, 0, 0, 0, false},
    {OP_GROWING_BETA, "->", growing_beta, NULL, {0.8}, 0, MASK_A, 0, false},
    {OP_EMA_BY, "h,h,->h", ema_by, NULL, {0}, 0, MASK_C, MASK_A, false},
    {OP_FACTORED_DIRECTION, "bh,b,h,->bh", factored_direction, NULL, {0}, 0, MASK_B | MASK_C | MASK_D, 0, false},
    {OP_OVER_ROOT, "bh,bh->bh", over_root, NULL, {0}, 0, MASK_B, 0, false},
    {OP_RELATIVE_RATE, ",,,->", relative_rate, NULL, {1, 1e-3}, 0, 15, 0, false},
    {OP_INVERSE_NORM, "->", inverse_norm, NULL, {0}, 0, MASK_A, 0, false},
    {OP_MIX, "bh,bh->bh", mix, NULL, {3.4445, -4.775}, 0, 0, 0, false},
    {OP_FINITE, "h->h", finite_of, NULL, {0}, 0, 0, 0, false},
    {OP_SELECT, "h,h,h->h", select_by, NULL, {0}, 0, 0, 0, false},
    {OP_SELECT, "h,h,h->h", select_by, NULL, {0}, 0, 0, MASK_C, false},
    {OP_SELECT, ",h,h->h", select_by, NULL, {0}, 0, 0, MASK_C, false},
    {OP_SELECT, "bt,bh,bth->bth", select_by, NULL, {0}, 0, 0, MASK_C, false},
    {OP_SELECT, "bt,bh,bth->bth", select_by, NULL, {0}, 0, 0, 0, false},
    {OP_SELECT, "bt,bth,bh->bth", select_by, NULL, {0}, 0, 0, MASK_B, false},
    {OP_NEXT_SCALE, "h,h,h->h", next_scale, NULL, {1.2}, 0, 0, 0, false},
    {OP_NEXT_COUNT, "h,h->h", next_count, NULL, {1.2}, 0, 0, 0, false},
    {OP_DECAYED_SGD, "h,h,->h", decayed_sgd, NULL, {0.1}, 0, 0, MASK_A, false},
};

static const struct {
    char letter;
    int size;
} sizes[] = {{'b', 3}, {'t', 7}, {'s', 7}, {'h', 37}, {'v', 5}};

static int size_of(char letter)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (sizes[i].letter == letter)
            return sizes[i].size;
    }
    return 101; /* flat */
}

/* ---- A program with one operator ---------------------------------------------------------------------------- */

typedef struct Fixture {
    Program program;
    Op op;
    Shape shape;
    KernelUse use;
} Fixture;

/* The operand in whose place the result is. */
static int place_of(const Case *c)
{
    int operand = 0;
    while (c->in_place >> operand != 1)
        operand++;
    return operand;
}

static bool is_scalar_op(OpKind op)
{
    return op == OP_RATE || op == OP_INCREMENT;
}

/* A buffer with these letters; without a spec, 101 elements or a scalar. */
static Ref add_buffer(Arena *arena, Program *program, const char *letters, int count, DType dtype)
{
    Buffer buffer = {.name = "x", .dtype = dtype, .slots = 1, .dim_count = count};
    for (int i = 0; i < count; i++)
        buffer.dims[i] = (Dim){.size = size_of(letters[i])};
    vec_push(arena, &program->buffers, buffer);
    return (Ref){.buffer = program->buffers.count - 1, .member = -1};
}

static void make_fixture(Arena *arena, KernelTable *table, const Case *c, DType dtype, Fixture *f)
{
    memset(f, 0, sizeof *f);
    f->program.decls = arena_make(arena, Decls);
    f->op = (Op){.kind = c->op, .spec = c->spec, .operand_count = op_info[c->op].operands, .accumulate = c->accumulate};
    const char *at = c->spec;
    for (int i = 0; i <= f->op.operand_count; i++) {
        bool last = i == f->op.operand_count;
        int length = (int)strspn(at, "abcdefghijklmnopqrstuvwxyz");
        bool whole = last ? op_info[c->op].op_class == CLASS_CHOICE : c->integers >> i & 1;
        DType own = whole ? DTYPE_I32 : dtype;
        bool flat = c->spec[0] == '\0' && !is_scalar_op(c->op) && !(last && c->op == OP_SUM_SQUARES);
        Ref ref = flat ? add_buffer(arena, &f->program, "*", 1, own) : add_buffer(arena, &f->program, at, length, own);
        if (last)
            f->op.out = c->in_place != 0 ? f->op.operand[place_of(c)] : ref;
        else
            f->op.operand[i] = ref;
        at += length;
        at += *at == ',' ? 1 : *at == '-' ? 2 : 0;
    }
    f->shape = shape_of_op(&f->program, &f->op);
    f->use = kernels_use(table, &f->program, &f->op, &f->shape);
}

/* ---- Naive evaluation --------------------------------------------------------------------------------------- */

/* An index per letter, counted like an odometer. */
typedef struct Space {
    int count;
    char letter[SHAPE_MAX_LETTERS];
    int index[SHAPE_MAX_LETTERS];
} Space;

static void add_space(Space *space, const Letters *letters)
{
    for (int i = 0; i < letters->count; i++) {
        if (memchr(space->letter, letters->letter[i], (size_t)space->count) == NULL)
            space->letter[space->count++] = letters->letter[i];
    }
}

static bool next(Space *space)
{
    for (int i = space->count - 1; i >= 0; i--) {
        if (++space->index[i] < size_of(space->letter[i]))
            return true;
        space->index[i] = 0;
    }
    return false;
}

static int offset_of(const Space *space, const Letters *letters)
{
    int offset = 0;
    for (int i = 0; i < letters->count; i++) {
        const char *p = memchr(space->letter, letters->letter[i], (size_t)space->count);
        offset = offset * size_of(letters->letter[i]) + space->index[p - space->letter];
    }
    return offset;
}

static int elements_of(const Letters *letters)
{
    int count = 1;
    for (int i = 0; i < letters->count; i++)
        count *= size_of(letters->letter[i]);
    return count;
}

typedef struct Data {
    double operand[STEP_MAX_OPERANDS][MAX_ELEMENTS], out[MAX_ELEMENTS], expected[MAX_ELEMENTS];
    double magnitude[MAX_ELEMENTS]; /* sum of absolute contributions, for sums */
} Data;

static void naive_elements(const Case *c, const Fixture *f, Data *data)
{
    Space space = {0};
    for (int i = 0; i < f->op.operand_count; i++)
        add_space(&space, &f->shape.operand[i]);
    add_space(&space, &f->shape.out);
    bool sum = op_info[c->op].op_class == CLASS_SUM;
    do {
        double x[STEP_MAX_OPERANDS];
        for (int i = 0; i < f->op.operand_count; i++)
            x[i] = data->operand[i][offset_of(&space, &f->shape.operand[i])];
        int at = offset_of(&space, &f->shape.out);
        double y = c->element(x, c->immediate);
        data->expected[at] = sum || c->accumulate ? data->expected[at] + y : y;
        data->magnitude[at] += fabs(y);
    } while (next(&space));
}

static void naive_rows(const Case *c, const Fixture *f, Data *data)
{
    Space space = {0};
    const Letters *a = &f->shape.operand[0];
    char row = a->letter[a->count - 1];
    add_space(&space, a);
    int n = size_of(row);
    do {
        double x[STEP_MAX_OPERANDS][MAX_ROW], y[MAX_ROW];
        for (space.index[a->count - 1] = 0; space.index[a->count - 1] < n; space.index[a->count - 1]++) {
            for (int i = 0; i < f->op.operand_count; i++)
                x[i][space.index[a->count - 1]] = data->operand[i][offset_of(&space, &f->shape.operand[i])];
        }
        c->row(n, x, c->immediate, y);
        bool whole = letters_have(&f->shape.out, row);
        for (space.index[a->count - 1] = 0; space.index[a->count - 1] < (whole ? n : 1); space.index[a->count - 1]++) {
            int at = offset_of(&space, &f->shape.out);
            double value = y[space.index[a->count - 1]];
            data->expected[at] = c->accumulate ? data->expected[at] + value : value;
        }
        space.index[a->count - 1] = n - 1;
    } while (next(&space));
}

/* ---- Running kernels ---------------------------------------------------------------------------------------- */

static bool on_gpu;

/* A kernel that has been built. */
typedef struct Call {
    const KernelSpec *spec;
    prt_host_kernel *host;
    prt_cuda_function gpu;
} Call;

/* As a device may: in pieces, in any order. */
static void run_in_pieces(Call call, const prt_arguments *arguments)
{
    int split = kernel_split(call.spec);
    int64_t end = split < 0 ? 1 : arguments->extents[split], piece = split < 0 ? 1 : 1 + end / 3;
    for (int64_t last = end; last > 0; last -= piece)
        call.host(arguments, last < piece ? 0 : last - piece, last);
}

static int64_t extent_of(const int8_t *dims, int count, const int64_t *extents)
{
    int64_t product = 1;
    for (int i = 0; i < count; i++)
        product *= extents[dims[i]];
    return product;
}

/* With as many blocks as there is work for, and with two: the result has the same bits. */
static void run_on_gpu(Call call, const prt_arguments *arguments)
{
    KernelWork work = kernel_work(call.spec);
    int64_t units = extent_of(work.dims, work.dim_count, arguments->extents);
    unsigned all = (unsigned)(work.per_thread ? (units + KERNEL_THREADS - 1) / KERNEL_THREADS : units);
    const unsigned blocks[2] = {2, all};
    GpuArrays arrays = {0};
    for (int i = -1; i < call.spec->operand_count; i++) {
        const KernelArray *array = i < 0 ? &call.spec->out : &call.spec->operand[i];
        if (i < 0 || !array->in_place)
            arrays.bytes[arrays.count++] = (size_t)extent_of(array->dims, array->dim_count, arguments->extents) *
                                           (size_t)dtype_bytes(array->dtype);
    }
    const prt_kernel kernel = {.array_count = arrays.count,
                               .extent_count = kernel_extent_count(call.spec),
                               .number_count = kernel_number_count(call.spec)};
    static unsigned char results[2][1 << 20];
    assert_true(arrays.bytes[0] <= sizeof results[0]);
    for (int i = 0; i < 2; i++) {
        gpu_copy_there(&arrays, arguments);
        gpu_must(prt_cuda_launch(call.gpu, &kernel, arrays.there, arguments, blocks[i], KERNEL_THREADS), "launch");
        gpu_copy_back(&arrays, results[i]);
    }
    if (memcmp(results[0], results[1], arrays.bytes[0]) != 0)
        fail_msg("%s: two blocks do not compute what %u do", call.spec->name, all);
    memcpy(arguments->arrays[0], results[1], arrays.bytes[0]);
}

static void run_kernel(Call call, void *const *arrays, const int64_t *extents, const double *numbers)
{
    prt_arguments arguments = {.arrays = {arrays[0]}};
    int count = 1;
    for (int i = 0; i < call.spec->operand_count; i++)
        if (!call.spec->operand[i].in_place)
            arguments.arrays[count++] = arrays[i + 1];
    memcpy(arguments.extents, extents, (size_t)kernel_extent_count(call.spec) * sizeof *extents);
    for (int i = 0; i < kernel_number_count(call.spec); i++)
        arguments.numbers[i] = numbers[i];
    if (on_gpu)
        run_on_gpu(call, &arguments);
    else
        run_in_pieces(call, &arguments);
}

static const char *library_path(Arena *arena)
{
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    assert_true(length > 0);
    self[length] = '\0';
    *strrchr(self, '/') = '\0';
    return arena_printf(arena, "%s/../" LLVM_LIBRARY_NAME, self);
}

static const KernelCode *compile(const KernelTable *table, LlvmOutput output)
{
    const char *error = "";
    KernelCache cache;
    const KernelCode *codes = NULL;
    if (kernel_cache_open(table->arena, &cache, &error))
        codes = kernels_compile(table, library_path(table->arena), output, &cache, &error);
    if (codes == NULL)
        fail_msg("%s", error);
    return codes;
}

static KernelCode text_of(const KernelTable *table, LlvmOutput output)
{
    return kernels_join(table, compile(table, output));
}

static char directory[] = "/tmp/place-kernels-XXXXXX";

static void write_file(const char *path, const char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

/* A shared object, or on a GPU a module. */
static void *build(Arena *arena, const KernelTable *table)
{
    if (on_gpu)
        return gpu_module(text_of(table, LLVM_PTX).bytes);
    const KernelCode *objects = compile(table, LLVM_HOST_OBJECT);
    for (int i = 0; i < kernels_code_count(table); i++)
        write_file(arena_printf(arena, "%s/%d.o", directory, i), objects[i].bytes, objects[i].length);
    assert_int_equal(system(arena_printf(arena, "cd %s && cc -shared -o kernels.so *.o && rm *.o", directory)), 0);
    void *handle = dlopen(arena_printf(arena, "%s/kernels.so", directory), RTLD_NOW);
    if (handle == NULL)
        fail_msg("%s", dlerror());
    return handle;
}

static Call find_call(const KernelTable *table, void *handle, int kernel)
{
    Call call = {&table->specs.data[kernel], NULL, NULL};
    if (on_gpu) {
        call.gpu = gpu_function(handle, call.spec->name);
        return call;
    }
    void *symbol = dlsym(handle, call.spec->name);
    assert_non_null(symbol);
    memcpy(&call.host, &symbol, sizeof call.host);
    return call;
}

static void unload(void *handle)
{
    if (on_gpu)
        gpu_must(gpu->module_unload(handle), "kernels.ptx");
    else
        dlclose(handle);
}

/* Of a number that bf16 holds exactly. */
static uint16_t upper_half(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return (uint16_t)(bits >> 16);
}

static double of_upper_half(uint16_t half)
{
    uint32_t bits = (uint32_t)half << 16;
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static void to_memory(DType dtype, const double *from, void *to, int count)
{
    for (int i = 0; i < count; i++) {
        if (dtype == DTYPE_F64)
            ((double *)to)[i] = from[i];
        else if (dtype == DTYPE_F32)
            ((float *)to)[i] = (float)from[i];
        else if (dtype == DTYPE_BF16)
            ((uint16_t *)to)[i] = upper_half((float)from[i]);
        else
            ((int32_t *)to)[i] = (int32_t)from[i];
    }
}

static double element_of(DType dtype, const void *from, int i)
{
    return dtype == DTYPE_F64    ? ((const double *)from)[i]
           : dtype == DTYPE_F32  ? (double)((const float *)from)[i]
           : dtype == DTYPE_BF16 ? of_upper_half(((const uint16_t *)from)[i])
                                 : ((const int32_t *)from)[i];
}

static double random_number(void)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) * 0x1p-53;
}

/* Numbers that the type holds exactly, so that both sides see the same. */
static double exactly(DType dtype, double number)
{
    return dtype == DTYPE_BF16 ? of_upper_half(upper_half((float)number)) : (float)number;
}

static void draw(const Case *c, const Fixture *f, DType dtype, Data *data)
{
    memset(data, 0, sizeof *data);
    for (int i = 0; i < f->op.operand_count; i++) {
        for (int e = 0; e < elements_of(&f->shape.operand[i]); e++) {
            double x = exactly(dtype, 4 * random_number() - 2);
            if (c->positive >> i & 1)
                x = exactly(dtype, 0.1 + fabs(x));
            if (c->integers >> i & 1)
                x = floor(7 * random_number());
            data->operand[i][e] = x;
        }
    }
    /* Positions of a causal row start at 0, so that every row has something to look at. */
    if (c->op == OP_CAUSAL_SOFTMAX) {
        for (int e = 0; e < 7; e++)
            data->operand[1][e] = data->operand[2][e] = e;
    }
    for (int e = 0; e < elements_of(&f->shape.out); e++)
        data->expected[e] = data->out[e] =
            c->in_place != 0 ? data->operand[place_of(c)][e] : exactly(dtype, random_number());
    if (op_info[c->op].op_class == CLASS_SUM && !c->accumulate)
        memset(data->expected, 0, sizeof data->expected);
}

static void run_case(const KernelTable *table, void *handle, const Case *c, const Fixture *f, DType dtype)
{
    static Data data;
    static _Alignas(64) unsigned char memory[STEP_MAX_OPERANDS + 1][MAX_ELEMENTS * 8];
    draw(c, f, dtype, &data);
    if (c->row != NULL)
        naive_rows(c, f, &data);
    else
        naive_elements(c, f, &data);

    void *arrays[STEP_MAX_OPERANDS + 1] = {memory[0]};
    int64_t extents[KERNEL_MAX_DIMS];
    to_memory(dtype, data.out, memory[0], elements_of(&f->shape.out));
    for (int i = 0; i < f->op.operand_count; i++) {
        arrays[i + 1] = memory[i + 1];
        to_memory(ref_buffer(&f->program, &f->op.operand[i])->dtype, data.operand[i], memory[i + 1],
                  elements_of(&f->shape.operand[i]));
    }
    for (int d = 0; d < KERNEL_MAX_DIMS; d++)
        extents[d] = elements_of(&f->use.dims[d]);
    run_kernel(find_call(table, handle, f->use.kernel), arrays, extents, c->immediate);

    double epsilon = dtype == DTYPE_F64 ? 0x1p-52 : 0x1p-23;
    for (int e = 0; e < elements_of(&f->shape.out); e++) {
        double got = element_of(dtype, memory[0], e);
        /* Values here are of order 1, and rows and sums of at most 777 terms; 64 roundings of the largest term. */
        double bound = 64 * epsilon * (1 + fabs(data.expected[e]) + data.magnitude[e]);
        if (dtype == DTYPE_BF16) /* computed in f32, and rounded once */
            bound += 0x1.02p-8 * fabs(data.expected[e]);
        if (!(fabs(got - data.expected[e]) <= bound))
            fail_msg("%s '%s' %s element %d: %.17g, not %.17g", op_info[c->op].name, c->spec, dtype_name(dtype), e, got,
                     data.expected[e]);
    }
}

static const DType dtypes[] = {DTYPE_F32, DTYPE_F64, DTYPE_BF16};
enum { CASES = sizeof cases / sizeof *cases };

static void all_kernels(KernelTable *table, Fixture (*fixtures)[CASES])
{
    for (int d = 0; d < 3; d++) {
        for (int i = 0; i < CASES; i++)
            make_fixture(table->arena, table, &cases[i], dtypes[d], &fixtures[d][i]);
    }
}

static void kernels_agree_with_naive_loops(void **state)
{
    (void)state;
    static Fixture fixtures[3][CASES];
    KernelTable table = {.arena = arena_new()};
    all_kernels(&table, fixtures);
    void *handle = build(table.arena, &table);
    for (int d = 0; d < 3; d++) {
        for (int i = 0; i < CASES; i++)
            run_case(&table, handle, &cases[i], &fixtures[d][i], dtypes[d]);
    }
    unload(handle);
    arena_free(table.arena);
}

/* To nearest, ties to even; infinite where it is too large; what is not a number stays so. */
static void bf16_is_rounded(void **state)
{
    (void)state;
    enum { COUNT = 6 };
    static const Case c = {.op = OP_ADD, .spec = "h,h->h"};
    uint16_t a[COUNT] = {0x3F80, 0x3F81, 0x3F80, 0x7F7F, 0x7F81, 0xFF81};
    uint16_t b[COUNT] = {0x3B80, 0x3B80, 0x3BC0, 0x7F7F, 0x3F80, 0x3F80};
    uint16_t got[COUNT] = {0};
    const uint16_t expected[COUNT] = {0x3F80, 0x3F82, 0x3F81, 0x7F80};
    Fixture f;
    KernelTable table = {.arena = arena_new()};
    make_fixture(table.arena, &table, &c, DTYPE_BF16, &f);
    void *handle = build(table.arena, &table);
    run_kernel(find_call(&table, handle, f.use.kernel), (void *[]){got, a, b}, (const int64_t[]){COUNT}, NULL);
    for (int i = 0; i < COUNT; i++)
        assert_true(i < 4 ? got[i] == expected[i] : isnan(of_upper_half(got[i])));
    unload(handle);
    arena_free(table.arena);
}

static const Case routing[] = {
    {.op = OP_TOP, .spec = "btv->bts"},
    {.op = OP_QUEUE, .spec = "bts,v->bvh", .integers = MASK_A | MASK_B},
    {.op = OP_QUEUE_ALL, .spec = "bts,v->bvs", .integers = MASK_A | MASK_B},
    {.op = OP_TAKE, .spec = "bvs,bth->bvsh", .integers = MASK_A},
    {.op = OP_TAKE, .spec = "bvs,btv->bvs", .integers = MASK_A},
    {.op = OP_GIVE, .spec = "bvs,bvsh->bth", .integers = MASK_A},
    {.op = OP_GIVE, .spec = "bvs,bvs->btv", .integers = MASK_A},
    {.op = OP_COMBINE, .spec = "bvs,bvsh,bvs->bth", .integers = MASK_A},
};
enum { ROUTING = sizeof routing / sizeof *routing, B = 3, T = 7, S = 7, H = 37, V = 5 };

/* Place i is that of the element before which i others come; what has no element left is none. */
static void check_top(const float *x, const int32_t *chosen)
{
    for (int row = 0; row < B * T; row++, x += V, chosen += S) {
        for (int i = 0; i < V; i++) {
            int before = 0;
            for (int j = 0; j < V; j++)
                before += x[j] > x[i] || (x[j] == x[i] && j < i);
            assert_int_equal(chosen[before], i);
        }
        for (int i = V; i < S; i++)
            assert_int_equal(chosen[i], V);
    }
}

static void check_queue(const int32_t *choice, const int32_t *source)
{
    for (int b = 0; b < B; b++)
        for (int v = 0; v < V; v++) {
            const int32_t *place = &source[(b * V + v) * H];
            int waiting = 0;
            for (int i = 0; i < T * S; i++)
                if (choice[b * T * S + i] == v && waiting < H)
                    assert_int_equal(place[waiting++], i / S);
            while (waiting < H)
                assert_int_equal(place[waiting++], T);
        }
}

/* The last place says how many rows have none. */
static void check_queue_all(const int32_t *choice, const int32_t *source)
{
    for (int b = 0; b < B; b++)
        for (int v = 0; v < V; v++) {
            int waiting = 0;
            for (int i = 0; i < T * S; i++)
                waiting += choice[b * T * S + i] == v;
            int32_t last = source[(b * V + v) * S + S - 1];
            assert_true(waiting > S ? last == T + waiting - S : last <= T);
        }
}

/* The row of a table that an index names, or none. */
static const float *row_at(const float *table, int b, int32_t index, int width)
{
    return index < T ? &table[(b * T + index) * width] : NULL;
}

static void check_take(const int32_t *source, const float *rows, const float *numbers, const float *taken,
                       const float *picked)
{
    for (int i = 0; i < B * V * S; i++) {
        int b = i / (V * S), v = i / S % V;
        const float *row = row_at(rows, b, source[i], H), *number = row_at(numbers, b, source[i], V);
        for (int h = 0; h < H; h++)
            assert_true(taken[i * H + h] == (row != NULL ? row[h] : 0));
        assert_true(picked[i] == (number != NULL ? number[v] : 0));
    }
}

/* Whole numbers: sums are exact. */
static void check_given(const int32_t *source, const float *taken, const float *weights, const float *given,
                        const float *numbers, const float *combined)
{
    static float rows[B * T * H], sums[B * T * V], weighted[B * T * H];
    for (int i = 0; i < B * V * S; i++) {
        int b = i / (V * S), v = i / S % V, t = source[i];
        for (int h = 0; h < H && t < T; h++) {
            rows[(b * T + t) * H + h] += taken[i * H + h];
            weighted[(b * T + t) * H + h] += weights[i] * taken[i * H + h];
        }
        if (t < T)
            sums[(b * T + t) * V + v] += weights[i];
    }
    assert_memory_equal(given, rows, sizeof rows);
    assert_memory_equal(numbers, sums, sizeof sums);
    assert_memory_equal(combined, weighted, sizeof weighted);
}

static void routes(void **state)
{
    (void)state;
    KernelTable table = {.arena = arena_new()};
    static Fixture f[ROUTING];
    for (int i = 0; i < ROUTING; i++)
        make_fixture(table.arena, &table, &routing[i], DTYPE_F32, &f[i]);
    void *handle = build(table.arena, &table);
    static float x[B * T * V], rows[B * T * H], taken[B * V * S * H], picked[B * V * S], weights[B * V * S];
    static float given[B * T * H], numbers[B * T * V], combined[B * T * H];
    static int32_t choice[B * T * S], source[B * V * S], queue[B * V * H], all[B * V * S], names[V] = {0, 1, 2, 3, 4};
    for (int i = 0; i < B * T * H; i++)
        rows[i] = (float)floor(40 * random_number()), given[i] = 7;
    for (int i = 0; i < B * T * V; i++)
        x[i] = (float)floor(3 * random_number()); /* ties */
    for (int i = 0; i < B * V * S; i++) {
        source[i] = (int32_t)floor((T + 1) * random_number());
        weights[i] = (float)floor(9 * random_number());
    }
    void *const arrays[ROUTING][4] = {
        {choice, x},         {queue, choice, names}, {all, choice, names},       {taken, source, rows},
        {picked, source, x}, {given, source, taken}, {numbers, source, weights}, {combined, source, taken, weights}};
    for (int i = 0; i < ROUTING; i++) {
        int64_t extents[KERNEL_MAX_DIMS];
        for (int d = 0; d < KERNEL_MAX_DIMS; d++)
            extents[d] = elements_of(&f[i].use.dims[d]);
        run_kernel(find_call(&table, handle, f[i].use.kernel), arrays[i], extents, NULL);
    }
    check_top(x, choice);
    check_queue(choice, queue);
    check_queue_all(choice, all);
    check_take(source, rows, x, taken, picked);
    check_given(source, taken, weights, given, numbers, combined);
    unload(handle);
    arena_free(table.arena);
}

/* Every operator that kernels compute is among the cases, or has a test of its own here. */
static void every_operator_is_tested(void **state)
{
    (void)state;
    for (OpKind op = 0; op < OP_COUNT; op++) {
        bool found = op == OP_IOTA || op == OP_EMBED || op == OP_EMBED_BWD;
        for (size_t i = 0; i < sizeof routing / sizeof *routing; i++)
            found = found || routing[i].op == op;
        for (int i = 0; i < CASES; i++)
            found = found || cases[i].op == op;
        if (found != kernels_compute(op))
            fail_msg("operator '%s' needs a row in `cases`", op_info[op].name);
    }
}

static void indices(void **state)
{
    (void)state;
    KernelTable table = {.arena = arena_new()};
    static const Case embed = {.op = OP_EMBED, .spec = "bt,vh->bth", .integers = MASK_A};
    static const Case transpose = {.op = OP_EMBED_BWD, .spec = "bt,bth->vh", .integers = MASK_A};
    static const Case numbers = {.op = OP_IOTA, .spec = "h"};
    Fixture f[3];
    make_fixture(table.arena, &table, &embed, DTYPE_F32, &f[0]);
    make_fixture(table.arena, &table, &transpose, DTYPE_F32, &f[1]);
    make_fixture(table.arena, &table, &numbers, DTYPE_I32, &f[2]);
    void *handle = build(table.arena, &table);

    /* Rows 0 .. 4 of a table; 5 and -1 are none. */
    int32_t ids[21];
    float rows[5 * 37], out[21 * 37], back[5 * 37] = {0}, expected[5 * 37] = {0};
    for (int i = 0; i < 21; i++)
        ids[i] = (i * 3) % 7 - 1;
    for (int i = 0; i < 5 * 37; i++)
        rows[i] = (float)i, back[i] = 7;
    const int64_t extents[] = {21, 5, 37};
    run_kernel(find_call(&table, handle, f[0].use.kernel), (void *[]){out, ids, rows}, extents, NULL);
    run_kernel(find_call(&table, handle, f[1].use.kernel), (void *[]){back, ids, out}, extents, NULL);
    for (int i = 0; i < 21; i++) {
        for (int h = 0; h < 37; h++) {
            bool known = ids[i] >= 0 && ids[i] < 5;
            assert_true(known ? out[i * 37 + h] == rows[ids[i] * 37 + h] : isnan(out[i * 37 + h]));
            if (known)
                expected[ids[i] * 37 + h] += out[i * 37 + h];
        }
    }
    for (int i = 0; i < 5 * 37; i++)
        assert_true(back[i] == expected[i]);

    int32_t counted[37];
    run_kernel(find_call(&table, handle, f[2].use.kernel), (void *[]){counted}, (const int64_t[]){37},
               (const double[]){16777217});
    for (int i = 0; i < 37; i++)
        assert_int_equal(counted[i], 16777217 + i);
    unload(handle);
    arena_free(table.arena);
}

/* ---- Functions: the precision that docs/kernels.md promises ------------------------------------------------- */

typedef struct Function {
    OpKind op; /* lends its body: gelu and tanh are not enough to see exp and log alone */
    const char *body;
    double (*exact)(double);
    double low, high;
    double f32_bound, f64_bound; /* relative */
} Function;

static double rsqrt_of(double x)
{
    return 1 / sqrt(x);
}

static double power(double x)
{
    return pow(x, 1.7);
}

static const Function functions[] = {
    {OP_TANH, "y = exp(a)", exp, -87, 88, 2.5e-7, 6e-16},
    {OP_RELU, "y = log(a)", log, 1e-30, 1e30, 2.5e-7, 6e-16},
    {OP_GELU, "y = log(a)", log, 0.5, 2, 3e-7, 1e-15},
    {OP_RECIP, "y = tanh(a)", tanh, -12, 12, 3e-7, 1e-15},
    {OP_COPY, "y = tanh(a)", tanh, -0.01, 0.01, 3e-7, 1e-15},
    {OP_CAST, "y = rsqrt(a)", rsqrt_of, 1e-9, 1e9, 2e-7, 4e-16},
    {OP_INCREMENT, "y = pow(a, 1.7)", power, 0, 10, 1e-7, 4e-15},
    {OP_CORRECTION, "y = cos(a)", cos, 0, 1.5, 1e-7, 1e-15},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions, POINTS = 20000 };

static void check_function(const Function *function, DType dtype, Call call)
{
    static _Alignas(64) unsigned char in[POINTS * 8], out[POINTS * 8];
    static double x[POINTS];
    for (int i = 0; i < POINTS; i++)
        x[i] = (float)(function->low + (function->high - function->low) * random_number());
    to_memory(dtype, x, in, POINTS);
    const int64_t extents[] = {POINTS};
    run_kernel(call, (void *[]){out, in}, extents, (const double[]){1, 1, 1, 1});
    double worst = 0;
    for (int i = 0; i < POINTS; i++) {
        double exact = function->exact(x[i]);
        double error = fabs(element_of(dtype, out, i) - exact) / fmax(fabs(exact), 1e-300);
        worst = error > worst || isnan(error) ? error : worst;
    }
    if (!(worst <= (dtype == DTYPE_F64 ? function->f64_bound : function->f32_bound)))
        fail_msg("%s over %g .. %g in %s: relative error %g", function->body, function->low, function->high,
                 dtype_name(dtype), worst);
}

static void special_values(DType dtype, const Call *calls)
{
    static const double x[] = {INFINITY, -INFINITY, NAN, 0, -1e30, 1e-45};
    double expected[FUNCTIONS][6] = {
        {INFINITY, 0, NAN, 1, 0, 1},
        {INFINITY, NAN, NAN, -INFINITY, NAN, log(dtype == DTYPE_F32 ? (double)1e-45f : 1e-45)},
        {INFINITY, NAN, NAN, -INFINITY, NAN, log(dtype == DTYPE_F32 ? (double)1e-45f : 1e-45)},
        {1, -1, NAN, 0, -1, dtype == DTYPE_F32 ? (double)1e-45f : 1e-45},
    };
    for (int i = 0; i < 4; i++) {
        unsigned char in[64], out[64];
        to_memory(dtype, x, in, 6);
        run_kernel(calls[i], (void *[]){out, in}, (const int64_t[]){6}, NULL);
        for (int k = 0; k < 6; k++) {
            double got = element_of(dtype, out, k), want = expected[i][k];
            bool good = isnan(want) ? isnan(got) : got == want || fabs(got - want) <= 1e-6 * fabs(want);
            if (!good)
                fail_msg("%s of %g in %s: %g, not %g", functions[i].body, x[k], dtype_name(dtype), got, want);
        }
    }
}

static void functions_are_precise(void **state)
{
    (void)state;
    KernelTable table = {.arena = arena_new()};
    for (int i = 0; i < FUNCTIONS; i++)
        table.bodies[functions[i].op] = kernel_parse_body(table.arena, functions[i].op, functions[i].body, 1, "");
    Fixture f[2][FUNCTIONS];
    for (int d = 0; d < 2; d++) {
        for (int i = 0; i < FUNCTIONS; i++) {
            Case c = {.op = functions[i].op, .spec = "h->h"};
            make_fixture(table.arena, &table, &c, dtypes[d], &f[d][i]);
        }
    }
    void *handle = build(table.arena, &table);
    for (int d = 0; d < 2; d++) {
        Call calls[FUNCTIONS];
        for (int i = 0; i < FUNCTIONS; i++) {
            calls[i] = find_call(&table, handle, f[d][i].use.kernel);
            check_function(&functions[i], dtypes[d], calls[i]);
        }
        special_values(dtypes[d], calls);
    }
    unload(handle);
    arena_free(table.arena);
}

/* ---- The rest ----------------------------------------------------------------------------------------------- */

static void kernels_are_shared(void **state)
{
    (void)state;
    KernelTable table = {.arena = arena_new()};
    static const Case same_kernel[] = {{.op = OP_GELU, .spec = "bth->bth"}, {.op = OP_GELU, .spec = "h->h"}};
    static const Case other = {.op = OP_GELU, .spec = "h->h", .accumulate = true};
    Fixture f[3];
    make_fixture(table.arena, &table, &same_kernel[0], DTYPE_F32, &f[0]);
    make_fixture(table.arena, &table, &same_kernel[1], DTYPE_F32, &f[1]);
    make_fixture(table.arena, &table, &other, DTYPE_F32, &f[2]);
    assert_int_equal(table.specs.count, 2);
    assert_string_equal(table.specs.data[0].name, "kernel_gelu_f32");
    assert_string_equal(table.specs.data[1].name, "kernel_gelu_f32_accumulate");
    arena_free(table.arena);
}

/* Loops are vectorised: the optimised IR of a plain kernel works on vectors. */
static void kernels_are_vectorised(void **state)
{
    (void)state;
    static const Case vectorised[] = {{.op = OP_GELU_BWD, .spec = "bh,bh->bh"},
                                      {.op = OP_SUM_SQUARES, .spec = "b->"},
                                      {.op = OP_SOFTMAX, .spec = "bh->bh"},
                                      {.op = OP_NORM_GAIN_BWD, .spec = "bth,bt,bt,bth->h"},
                                      {.op = OP_ADAMW, .spec = "h,h,h,,,->h", .in_place = MASK_A}};
    for (size_t i = 0; i < sizeof vectorised / sizeof *vectorised; i++) {
        KernelTable table = {.arena = arena_new()};
        Fixture f;
        make_fixture(table.arena, &table, &vectorised[i], DTYPE_F32, &f);
        if (strstr(text_of(&table, LLVM_HOST_TEXT).bytes, " x float>") == NULL)
            fail_msg("%s is not vectorised", table.specs.data[0].name);
        arena_free(table.arena);
    }
}

static void ptx_is_accepted(void **state)
{
    (void)state;
    static Fixture fixtures[3][CASES];
    KernelTable table = {.arena = arena_new()};
    all_kernels(&table, fixtures);
    static const Case embed = {.op = OP_EMBED, .spec = "bt,vh->bth", .integers = MASK_A};
    static const Case transpose = {.op = OP_EMBED_BWD, .spec = "bt,bth->vh", .integers = MASK_A};
    Fixture f;
    make_fixture(table.arena, &table, &embed, DTYPE_F32, &f);
    make_fixture(table.arena, &table, &transpose, DTYPE_F32, &f);
    for (int i = 0; i < ROUTING; i++)
        make_fixture(table.arena, &table, &routing[i], DTYPE_F32, &f);
    KernelCode ptx = text_of(&table, LLVM_PTX);
    assert_non_null(strstr(ptx.bytes, ".target sm_90"));
    assert_non_null(strstr(ptx.bytes, ".entry kernel_gelu_f32("));
    write_file(arena_printf(table.arena, "%s/kernels.ptx", directory), ptx.bytes, ptx.length);
    arena_free(table.arena);
    if (system("command -v ptxas > /dev/null 2>&1") != 0) {
        print_message("SKIP ptxas is not installed: the PTX is not assembled\n");
        skip();
    }
    char command[256];
    snprintf(command, sizeof command, "ptxas -arch=sm_90 -o %s/kernels.cubin %s/kernels.ptx", directory, directory);
    assert_int_equal(system(command), 0);
}

static int make_directory(void **state)
{
    (void)state;
    return mkdtemp(directory) == NULL;
}

static int remove_directory(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command);
}

int main(void)
{
    const char *where = getenv("PLACE_KERNELS");
    on_gpu = where != NULL && strcmp(where, "gpu") == 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_agree_with_naive_loops),
        cmocka_unit_test(bf16_is_rounded),
        cmocka_unit_test(every_operator_is_tested),
        cmocka_unit_test(indices),
        cmocka_unit_test(routes),
        cmocka_unit_test(functions_are_precise),
        cmocka_unit_test(kernels_are_shared),
        cmocka_unit_test(kernels_are_vectorised),
        cmocka_unit_test(ptx_is_accepted),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}

/* Gradients against central differences in f64: each operator by itself, and loops with everything a loop may carry. */
#include "reference/autodiff.h"
#include "reference/gradient.h"
#include "step/body.h"
#include "step/interp.h"
#include "tests/unit/bug.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct Bench {
    Ctx ctx;
    Decls decls;
    Builder *b;
    Interp *interp;
} Bench;

static Bench *bench_new(void)
{
    Arena *arena = arena_new();
    Bench *bench = arena_make(arena, Bench);
    bench->ctx.arena = arena;
    bench->ctx.strings = str_table_new(arena);
    bench->ctx.sources = sources_new(arena);
    bench->ctx.diag = diag_new(arena, bench->ctx.sources);
    bench->decls.compute_dtype = DTYPE_F64;
    bench->decls.micro = 1;
    bench->b = builder_new(&bench->ctx, &bench->decls, bench->decls.compute_dtype);
    builder_routine(bench->b, ROUTINE_STEP);
    bench->b->keep = true;
    return bench;
}

static void bench_free(Bench *bench)
{
    arena_free(bench->ctx.arena);
}

static int64_t extent_of(char letter)
{
    static const char letters[] = "bthondsvkg";
    static const int64_t extents[] = {2, 3, 4, 5, 2, 4, 3, 6, 2, 3};
    return extents[strchr(letters, letter) - letters];
}

static int add_parameter(Bench *bench, const char *name, const char *letters, int group)
{
    Tensor tensor = {.name = arena_copy(bench->ctx.arena, name, strlen(name)),
                     .dtype = DTYPE_F64,
                     .group = group,
                     .batch_dim = -1,
                     .trainable = true,
                     .dim_count = (int)strlen(letters)};
    for (int i = 0; i < tensor.dim_count; i++)
        tensor.dims[i] = extent_of(letters[i]);
    return builder_add_parameter(bench->b, &tensor);
}

static Ref add_constant(Bench *bench, const char *name, const char *letters)
{
    int64_t dims[STEP_MAX_DIMS];
    for (size_t i = 0; i < strlen(letters); i++)
        dims[i] = extent_of(letters[i]);
    return builder_temporary(bench->b, name, DTYPE_F64, (int)strlen(letters), dims);
}

/* A value in (-1, 1) that looks like noise. */
static double noise(int64_t i)
{
    return sin(12.9898 * (double)(i + 1) + 0.3);
}

static void fill_noise(double *values, int64_t count, int64_t seed)
{
    for (int64_t i = 0; i < count; i++)
        values[i] = noise(i + 100 * seed);
}

/* Fills every parameter and constant, and lets integer operands be small indices. */
static void fill_values(Bench *bench, const char *index_name)
{
    for (int i = 0; i < bench->b->program->buffers.count; i++) {
        const Buffer *buffer = &bench->b->program->buffers.data[i];
        int64_t count;
        double *values = interp_buffer(bench->interp, buffer->name, &count);
        fill_noise(values, count, i);
        for (int64_t j = 0; index_name != NULL && strcmp(buffer->name, index_name) == 0 && j < count; j++)
            values[j] = (double)((j * 7 + 1) % 3);
    }
}

static double loss_of(Bench *bench)
{
    interp_run(bench->interp, ROUTINE_STEP);
    return interp_output(bench->interp, "loss", NULL)[0];
}

/* Every gradient against (L(w + e) - L(w - e)) / 2e. */
static void check_gradients(Bench *bench)
{
    const double step = 1e-5;
    for (int t = 0; t < bench->decls.tensors.count; t++) {
        const char *name = bench->decls.tensors.data[t].name;
        int64_t count;
        char buffer[64];
        loss_of(bench);
        snprintf(buffer, sizeof buffer, "gradients.%s", name);
        double *gradient = interp_buffer(bench->interp, buffer, &count);
        if (gradient == NULL)
            fail_msg("no buffer '%s'", buffer);
        double *kept = malloc(sizeof(double) * (size_t)count);
        memcpy(kept, gradient, sizeof(double) * (size_t)count);
        snprintf(buffer, sizeof buffer, "parameters.%s", name);
        double *weight = interp_buffer(bench->interp, buffer, &count);
        for (int64_t i = 0; i < count; i++) {
            double saved = weight[i];
            weight[i] = saved + step;
            double above = loss_of(bench);
            weight[i] = saved - step;
            double below = loss_of(bench);
            weight[i] = saved;
            double expected = (above - below) / (2 * step);
            if (fabs(kept[i] - expected) > 1e-7 * (1 + fabs(expected)))
                fail_msg("%s[%d]: gradient %.12g, by differences %.12g", name, (int)i, kept[i], expected);
        }
        free(kept);
    }
}

/* loss = 0.5 * sum(y * weights) */
static void append_loss(Bench *bench, Ref y, const char *letters)
{
    Builder *b = bench->b;
    Arena *arena = bench->ctx.arena;
    Ref weights = add_constant(bench, "weights", letters), terms = builder_like(b, "terms", y);
    Ref loss = add_constant(bench, "loss", "");
    builder_op(b, OP_MUL, arena_printf(arena, "%s,%s->%s", letters, letters, letters), terms, (Ref[]){y, weights});
    builder_op(b, OP_REDUCE, arena_printf(arena, "%s->", letters), loss, &terms);
    builder_op(b, OP_SCALE, "->", loss, &loss)->scale.denominator = 2;
    builder_op(b, OP_OUTPUT, "", ref_of(-1), &loss)->output = "loss";
    autodiff_append(b, terms, 0.5);
}

typedef struct OperatorCase {
    OpKind kind;
    const char *spec;
    const char *constants; /* which operands are no parameters: "b", "bc" */
    int index_operand;     /* holds indices; -1 none */
    const double immediates[3];
    const char *numbers; /* operands that are 0, 1, 2, ... */
} OperatorCase;

static const OperatorCase operator_cases[] = {
    {OP_COPY, "bth->bth", "", -1, {0}, ""},
    {OP_COPY, "h->bth", "", -1, {0}, ""},
    {OP_CAST, "bh->bh", "", -1, {0}, ""},
    {OP_ADD, "bto,o->bto", "", -1, {0}, ""},
    {OP_ADD, "bth,th->bth", "", -1, {0}, ""},
    {OP_ADD, "bh,bh->bh", "", -1, {0}, ""},
    {OP_SUB, "bth,h->bth", "", -1, {0}, ""},
    {OP_SUB, "bh,bh->bh", "", -1, {0}, ""},
    {OP_MUL, "bth,h->bth", "", -1, {0}, ""},
    {OP_MUL, "bh,bh->bh", "", -1, {0}, ""},
    {OP_SCALE, "bh->bh", "", -1, {0}, ""},
    {OP_MASKED, "bh,bh->bh", "b", 1, {0}, ""},
    {OP_RELU, "bh->bh", "", -1, {0}, ""},
    {OP_TANH, "bh->bh", "", -1, {0}, ""},
    {OP_GELU, "bh->bh", "", -1, {0}, ""},
    {OP_SILU, "bh->bh", "", -1, {0}, ""},
    {OP_RELU6, "bh->bh", "", -1, {0}, ""},
    {OP_RSQRT, "bh->bh", "", -1, {2}, ""},
    {OP_ROTATE, "btkd,td,td->btkd", "bc", -1, {0}, ""},
    {OP_SQUARED_ERROR, "bh,bh->bh", "", -1, {0}, ""},
    {OP_SQUARED_ERROR, "bh,bh->bh", "b", -1, {0}, ""},
    {OP_SOFTMAX, "bnts->bnts", "", -1, {0.7}, ""},
    {OP_CAUSAL_SOFTMAX, "bnts,t,s->bnts", "bc", -1, {0.7}, "bc"},
    {OP_EINSUM, "bth,oh->bto", "", -1, {0}, ""},
    {OP_EINSUM, "bth,ndh->btnd", "", -1, {0}, ""},
    {OP_EINSUM, "btnd,bsnd->bnts", "", -1, {0}, ""},
    {OP_EINSUM, "bnts,bsnd->btnd", "", -1, {0}, ""},
    {OP_EINSUM, "btnd,hnd->bth", "", -1, {0}, ""},
    {OP_EINSUM, "bh,h->b", "", -1, {0}, ""},
    {OP_EINSUM, "bth,kgdh->btkgd", "", -1, {0}, ""},
    {OP_EINSUM, "btkgd,bskd->bkgts", "", -1, {0}, ""},
    {OP_EINSUM, "bkgts,bskd->btkgd", "", -1, {0}, ""},
    {OP_EINSUM, "btkgd,hkgd->bth", "", -1, {0}, ""},
    {OP_REDUCE, "bth->bt", "", -1, {0}, ""},
    {OP_REDUCE, "bth->h", "", -1, {0}, ""},
    {OP_EMBED, "bt,vh->bth", "a", 0, {0}, ""},
    {OP_SUM_SQUARES, "bth->bt", "", -1, {0}, ""},
    {OP_SUM_SQUARES, "bh->", "", -1, {0}, ""},
    {OP_LOG_SUM_EXP, "bth->bt", "", -1, {0}, ""},
    {OP_RECIP, "bt->bt", "", -1, {0}, ""},
    {OP_SUM_EQUAL, "bv,bt,v->b", "bc", 1, {0}, "c"},
    {OP_TAKE, "btk,bvh->btkh", "a", 0, {0}, ""},
    {OP_TAKE, "btk,btv->btk", "a", 0, {0}, ""},
    {OP_COMBINE, "btk,btkh,btk->bvh", "a", 0, {0}, ""},
    {OP_CONV, "bnhv,gnkt->bgsd", "", -1, {1, 0}, ""},
    {OP_MAX_POOL, "bnhv->bnso", "", -1, {2, 1, 0}, ""},
    {OP_MEAN_POOL, "bnhv->bnso", "", -1, {2, 1, 0}, ""},
    {OP_VIEW, "btd->bkv", "", -1, {0}, ""},
    {OP_SEGMENT, "bh->bt", "", -1, {1}, ""},
    {OP_SEGMENT_BWD, "bt->bh", "", -1, {1}, ""},
};

/* The letters of operand `which` (-1: of the result). */
static void letters_of(const char *spec, int which, char *letters)
{
    if (which < 0) {
        strcpy(letters, strstr(spec, "->") + 2);
        return;
    }
    for (; which > 0; which--)
        spec = strchr(spec, ',') + 1;
    size_t count = strcspn(spec, ",-");
    memcpy(letters, spec, count);
    letters[count] = '\0';
}

static void check_operator(const OperatorCase *row)
{
    Bench *bench = bench_new();
    Builder *b = bench->b;
    Ref operands[STEP_MAX_OPERANDS];
    char letters[8], name[] = "a";
    for (int i = 0; i < op_info[row->kind].operands; i++, name[0]++) {
        letters_of(row->spec, i, letters);
        operands[i] = strchr(row->constants, name[0])
                          ? add_constant(bench, arena_copy(bench->ctx.arena, name, 1), letters)
                          : builder_state_ref(b, BUILDER_STATE_PARAMETERS, add_parameter(bench, name, letters, -1));
    }
    letters_of(row->spec, -1, letters);
    Ref y = add_constant(bench, "y", letters);
    Op *op = builder_op_with(b, row->kind, row->spec, y, operands, row->immediates);
    if (row->kind == OP_SCALE)
        op->scale = (Scale){3, 7, ""};
    append_loss(bench, y, letters);
    bench->interp = interp_new(bench->ctx.arena, b->program);
    char index_name[] = {row->index_operand >= 0 ? (char)('a' + row->index_operand) : '-', '\0'};
    fill_values(bench, index_name);
    for (const char *numbered = row->numbers; *numbered; numbered++) {
        name[0] = *numbered;
        int64_t count;
        double *values = interp_buffer(bench->interp, name, &count);
        for (int64_t i = 0; i < count; i++)
            values[i] = (double)i;
    }
    check_gradients(bench);
    bench_free(bench);
}

static void test_operators(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof operator_cases / sizeof *operator_cases; i++)
        check_operator(&operator_cases[i]);
}

/* Whether the gradient of an operator is emitted where it is met. */
static bool is_differentiated(OpKind kind)
{
    GradientForm form = op_gradient[kind].form;
    return form == GRADIENT_RULE || form == GRADIENT_BACKWARD || form == GRADIENT_TRANSPOSE;
}

/* Every operator that has a gradient is among the cases, or has a test of its own here. */
static void every_gradient_has_a_case(void **state)
{
    (void)state;
    for (OpKind kind = 0; kind < OP_COUNT; kind++) {
        bool found = kind == OP_NORM || kind == OP_RMS_NORM || kind == OP_LOG_LOSS;
        for (size_t i = 0; i < sizeof operator_cases / sizeof *operator_cases; i++)
            found = found || operator_cases[i].kind == kind;
        if (found != is_differentiated(kind))
            fail_msg("the gradient of '%s' needs a row in `operator_cases`", op_info[kind].name);
    }
}

/* What the column says agrees with the other columns, and what it names with what it is named for. */
static void test_column(void **state)
{
    (void)state;
    for (OpKind kind = 0; kind < OP_COUNT; kind++) {
        const Gradient *gradient = &op_gradient[kind];
        const char *name = op_info[kind].name;
        if (gradient->form == GRADIENT_WITH && op_gradient[gradient->other].form != GRADIENT_RULE)
            fail_msg("'%s' is with what has no rule", name);
        if (gradient->form == GRADIENT_BACKWARD && op_gradient[gradient->other].form != GRADIENT_NEVER)
            fail_msg("'%s' goes backwards by what is no gradient", name);
        if (gradient->form == GRADIENT_TRANSPOSE && strchr(op_info[kind].linear, 'a') == NULL)
            fail_msg("'%s' is not linear in operand a", name);
        if (gradient->form == GRADIENT_BACKWARD || gradient->form == GRADIENT_TRANSPOSE) {
            const char *immediates = op_info[gradient->other].immediates;
            if (*immediates != '\0' && strcmp(immediates, op_info[kind].immediates) != 0)
                fail_msg("'%s' has other immediates than its gradient", name);
        }
        for (const char *p = gradient->jumps; p != NULL && *p; p++)
            if (!is_differentiated(kind) || *p < 'a' || *p >= 'a' + op_info[kind].operands)
                fail_msg("'%s' jumps in an operand it has not", name);
    }
}

static bool is_comparison(KernelKind kind)
{
    return kind == KERNEL_LESS || kind == KERNEL_LESS_EQUAL || kind == KERNEL_GREATER || kind == KERNEL_GREATER_EQUAL ||
           kind == KERNEL_EQUAL;
}

/* Does the result depend on the operand otherwise than through comparisons? */
static bool is_smooth_in(const Kernel *kernel, int operand)
{
    bool smooth[128] = {false};
    assert_in_range(kernel->node_count, 1, 128);
    for (int i = 0; i < kernel->node_count; i++) {
        const KernelNode *node = &kernel->nodes[i];
        smooth[i] = node->kind == KERNEL_OPERAND && node->index == operand;
        for (int k = 0; k < node->argument_count && !is_comparison(node->kind); k++)
            smooth[i] |= smooth[node->argument[k]];
    }
    return smooth[kernel->result];
}

/* An operand is listed under JUMPS exactly if the body reads it in comparisons alone. */
static void test_jumps_are_those_of_the_body(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    int listed = 0;
    for (OpKind kind = 0; kind < OP_COUNT; kind++) {
        const Kernel *kernel = kernel_parse(arena, kind);
        const char *jumps = op_gradient[kind].jumps != NULL ? op_gradient[kind].jumps : "";
        for (int i = 0; kernel != NULL && is_differentiated(kind) && i < op_info[kind].operands; i++) {
            bool jumps_only = strchr(jumps, 'a' + i) != NULL;
            if (jumps_only == is_smooth_in(kernel, i))
                fail_msg("'%s': operand %c %s", op_info[kind].name, 'a' + i,
                         jumps_only ? "is more than compared" : "is only compared, and not under JUMPS");
            listed += jumps_only;
        }
    }
    assert_true(listed > 0);
    arena_free(arena);
}

/* Nothing flows through what is constant but for jumps, whatever else its operands are. */
static void test_jumps(void **state)
{
    (void)state;
    Bench *bench = bench_new();
    Builder *b = bench->b;
    Ref x[4];
    const char *const names[] = {"x", "limit", "bound", "mask"};
    for (int i = 0; i < 4; i++)
        x[i] = builder_state_ref(b, BUILDER_STATE_PARAMETERS, add_parameter(bench, names[i], "bh", -1));
    Ref less = add_constant(bench, "less", "bh"), part = add_constant(bench, "part", "bh");
    Ref y = add_constant(bench, "y", "bh");
    builder_op(b, OP_LESS, "bh,bh->bh", less, (Ref[]){x[1], x[2]});
    builder_op(b, OP_MUL, "bh,bh->bh", part, (Ref[]){x[0], less});
    builder_op(b, OP_MASKED, "bh,bh->bh", y, (Ref[]){part, x[3]});
    append_loss(bench, y, "bh");
    for (int i = 0; i < b->program->buffers.count; i++)
        assert_string_not_equal(b->program->buffers.data[i].name, "d_less");
    bench->interp = interp_new(bench->ctx.arena, b->program);
    fill_values(bench, NULL);
    check_gradients(bench);
    bench_free(bench);
}

static void append_norm(Bench *bench, Ref y, Ref x, int gain, int offset)
{
    Builder *b = bench->b;
    Ref mean = add_constant(bench, "mean", "bt"), rstd = add_constant(bench, "rstd", "bt");
    double epsilon = 1e-2;
    builder_op(b, OP_ROW_MEAN, "bth->bt", mean, &x);
    builder_op_with(b, OP_ROW_RSTD, "bth,bt->bt", rstd, (Ref[]){x, mean}, &epsilon);
    builder_op(b, OP_NORM, "bth,bt,bt,h,h->bth", y,
               (Ref[]){x, mean, rstd, builder_state_ref(b, BUILDER_STATE_PARAMETERS, gain),
                       builder_state_ref(b, BUILDER_STATE_PARAMETERS, offset)});
}

static void test_norm(void **state)
{
    (void)state;
    Bench *bench = bench_new();
    int x = add_parameter(bench, "x", "bth", -1);
    int gain = add_parameter(bench, "gain", "h", -1), offset = add_parameter(bench, "offset", "h", -1);
    Ref y = add_constant(bench, "y", "bth");
    append_norm(bench, y, builder_state_ref(bench->b, BUILDER_STATE_PARAMETERS, x), gain, offset);
    append_loss(bench, y, "bth");
    bench->interp = interp_new(bench->ctx.arena, bench->b->program);
    fill_values(bench, NULL);
    check_gradients(bench);
    bench_free(bench);
}

typedef void BuildWrong(Bench *bench);

static void build_wrong(const void *data)
{
    (*(BuildWrong *const *)data)(bench_new());
}

static void expect_build_bug(BuildWrong *build, const char *expected)
{
    expect_bug(build_wrong, &build, expected);
}

/* What a normalisation is given in the place of its own means and deviations, none of which its gradient knows of. */
typedef enum Wrong { WRONG_MEAN, WRONG_RSTD, WRONG_RRMS } Wrong;

static void build_wrong_norm(Bench *bench, Wrong wrong)
{
    Builder *b = bench->b;
    Ref x = builder_state_ref(b, BUILDER_STATE_PARAMETERS, add_parameter(bench, "x", "bth", -1));
    Ref other = builder_state_ref(b, BUILDER_STATE_PARAMETERS, add_parameter(bench, "other", "bth", -1));
    Ref gain = builder_state_ref(b, BUILDER_STATE_PARAMETERS, add_parameter(bench, "gain", "h", -1));
    Ref mean = add_constant(bench, "mean", "bt"), rstd = add_constant(bench, "rstd", "bt");
    Ref y = add_constant(bench, "y", "bth");
    double epsilon = 1e-2;
    builder_op(b, OP_ROW_MEAN, "bth->bt", mean, wrong == WRONG_MEAN ? &other : &x);
    builder_op_with(b, wrong == WRONG_RRMS ? OP_ROW_RRMS : OP_ROW_RSTD, wrong == WRONG_RRMS ? "bth->bt" : "bth,bt->bt",
                    rstd, (Ref[]){wrong == WRONG_RSTD || wrong == WRONG_RRMS ? other : x, mean}, &epsilon);
    if (wrong == WRONG_RRMS)
        builder_op(b, OP_RMS_NORM, "bth,bt,h->bth", y, (Ref[]){x, rstd, gain});
    else
        builder_op(b, OP_NORM, "bth,bt,bt,h,h->bth", y, (Ref[]){x, mean, rstd, gain, gain});
    append_loss(bench, y, "bth");
}

static void mean_of_another(Bench *bench)
{
    build_wrong_norm(bench, WRONG_MEAN);
}
static void deviation_of_another(Bench *bench)
{
    build_wrong_norm(bench, WRONG_RSTD);
}
static void root_of_another(Bench *bench)
{
    build_wrong_norm(bench, WRONG_RRMS);
}

/* The loss of scores whose sum of exponentials, or score of the class, is of others. */
static void build_wrong_loss(Bench *bench, int wrong)
{
    Builder *b = bench->b;
    Ref x[2], classes = add_constant(bench, "classes", "bt"), columns = add_constant(bench, "columns", "v"), part[3];
    x[0] = builder_state_ref(b, BUILDER_STATE_PARAMETERS, add_parameter(bench, "x", "btv", -1));
    x[1] = builder_state_ref(b, BUILDER_STATE_PARAMETERS, add_parameter(bench, "other", "btv", -1));
    for (int i = 0; i < 3; i++)
        part[i] = builder_like(b, "part", classes);
    Ref loss = builder_like(b, "loss", classes);
    builder_op(b, OP_ROW_MAX, "btv->bt", part[0], &x[wrong == 0]);
    builder_op(b, OP_EXP_SUM, "btv,bt->bt", part[1], (Ref[]){x[wrong == 1], part[0]});
    builder_op(b, OP_PICK, "btv,bt,v->bt", part[2], (Ref[]){x[wrong == 2], classes, columns});
    builder_op(b, OP_LOG_LOSS, "bt,bt,bt->bt", loss, part);
    append_loss(bench, loss, "bt");
}

static void maximum_of_another(Bench *bench)
{
    build_wrong_loss(bench, 0);
}
static void sum_of_another(Bench *bench)
{
    build_wrong_loss(bench, 1);
}
static void class_of_another(Bench *bench)
{
    build_wrong_loss(bench, 2);
}

/* One of the six alone, without the operator that has its gradient. */
static void build_alone(Bench *bench, OpKind kind)
{
    Builder *b = bench->b;
    Ref x = builder_state_ref(b, BUILDER_STATE_PARAMETERS, add_parameter(bench, "x", "bth", -1));
    Ref rows = add_constant(bench, "rows", "bt"), columns = add_constant(bench, "columns", "h");
    Ref y = add_constant(bench, "y", "bt");
    const char *spec = op_info[kind].operands == 1   ? "bth->bt"
                       : op_info[kind].operands == 2 ? "bth,bt->bt"
                                                     : "bth,bt,h->bt";
    double epsilon = 1e-2;
    builder_op_with(b, kind, spec, y, (Ref[]){x, rows, columns}, &epsilon);
    append_loss(bench, y, "bt");
}

static void mean_alone(Bench *bench)
{
    build_alone(bench, OP_ROW_MEAN);
}
static void deviation_alone(Bench *bench)
{
    build_alone(bench, OP_ROW_RSTD);
}
static void root_alone(Bench *bench)
{
    build_alone(bench, OP_ROW_RRMS);
}
static void maximum_alone(Bench *bench)
{
    build_alone(bench, OP_ROW_MAX);
}
static void sum_alone(Bench *bench)
{
    build_alone(bench, OP_EXP_SUM);
}
static void class_alone(Bench *bench)
{
    build_alone(bench, OP_PICK);
}

/* Angles that are learned: rotate knows no gradient of these. */
static void learned_angles(Bench *bench)
{
    Builder *b = bench->b;
    Ref x = builder_state_ref(b, BUILDER_STATE_PARAMETERS, add_parameter(bench, "x", "btkd", -1));
    Ref cosine = builder_state_ref(b, BUILDER_STATE_PARAMETERS, add_parameter(bench, "cosine", "td", -1));
    Ref y = add_constant(bench, "y", "btkd");
    builder_op(b, OP_ROTATE, "btkd,td,td->btkd", y, (Ref[]){x, cosine, add_constant(bench, "sine", "td")});
    append_loss(bench, y, "btkd");
}

/* Six operators have no gradient of their own: it is part of another operator's, which must be there. */
static void test_companions(void **state)
{
    (void)state;
    expect_build_bug(mean_of_another, "operand 1 of 'norm' is not 'row_mean'");
    expect_build_bug(deviation_of_another, "operand 2 of 'norm' is not 'row_rstd'");
    expect_build_bug(root_of_another, "operand 1 of 'rms_norm' is not 'row_rrms'");
    expect_build_bug(maximum_of_another, "operand 1 of 'log_loss' is not 'exp_sum'");
    expect_build_bug(sum_of_another, "operand 1 of 'log_loss' is not 'exp_sum'");
    expect_build_bug(class_of_another, "operand 2 of 'log_loss' is not 'pick'");
    expect_build_bug(mean_alone, "no gradient of 'row_mean' but as part of that of 'norm'");
    expect_build_bug(deviation_alone, "no gradient of 'row_rstd' but as part of that of 'norm'");
    expect_build_bug(root_alone, "no gradient of 'row_rrms' but as part of that of 'rms_norm'");
    expect_build_bug(maximum_alone, "no gradient of 'row_max' but as part of that of 'log_loss'");
    expect_build_bug(sum_alone, "no gradient of 'exp_sum' but as part of that of 'log_loss'");
    expect_build_bug(class_alone, "no gradient of 'pick' but as part of that of 'log_loss'");
    expect_build_bug(learned_angles, "'rotate' gives its operand 1 no gradient");
}

/* A value of [b, t] with this many slots. */
static Ref carried_terms(Bench *bench, const char *name, int64_t slots)
{
    Ref ref = add_constant(bench, name, "bt");
    bench->b->program->buffers.data[ref.buffer].slots = slots;
    return ref;
}

static void test_rms_norm(void **state)
{
    (void)state;
    Bench *bench = bench_new();
    Builder *b = bench->b;
    Ref x = builder_state_ref(b, BUILDER_STATE_PARAMETERS, add_parameter(bench, "x", "bth", -1));
    Ref gain = builder_state_ref(b, BUILDER_STATE_PARAMETERS, add_parameter(bench, "gain", "h", -1));
    Ref y = add_constant(bench, "y", "bth"), rrms = add_constant(bench, "rrms", "bt");
    double epsilon = 1e-2;
    builder_op_with(b, OP_ROW_RRMS, "bth->bt", rrms, &x, &epsilon);
    builder_op(b, OP_RMS_NORM, "bth,bt,h->bth", y, (Ref[]){x, rrms, gain});
    append_loss(bench, y, "bth");
    bench->interp = interp_new(bench->ctx.arena, b->program);
    fill_values(bench, NULL);
    check_gradients(bench);
    bench_free(bench);
}

/* The loss of scores in its parts, also inside a loop: the derivative is by the scores alone. */
static void check_log_loss(bool in_loop)
{
    Bench *bench = bench_new();
    Builder *b = bench->b;
    Ref x = builder_state_ref(b, BUILDER_STATE_PARAMETERS, add_parameter(bench, "x", "btv", -1));
    Ref classes = add_constant(bench, "classes", "bt"), columns = add_constant(bench, "columns", "v");
    Ref terms = carried_terms(bench, "carried", in_loop ? 3 : 1), zero = add_constant(bench, "zero", "bt");
    if (in_loop) {
        vec_push(bench->ctx.arena, &bench->decls.groups, (Group){.name = "block", .layers = 2});
        builder_op(b, OP_TANH, "bt->bt", terms, &zero);
        builder_loop(b, 0, false);
    }
    Ref scores = builder_like(b, "scores", x), part[3], loss = builder_like(b, "loss", classes);
    for (int i = 0; i < 3; i++)
        part[i] = builder_like(b, "part", classes);
    builder_op(b, OP_GELU, "btv->btv", scores, &x);
    builder_op(b, OP_ROW_MAX, "btv->bt", part[0], &scores);
    builder_op(b, OP_EXP_SUM, "btv,bt->bt", part[1], (Ref[]){scores, part[0]});
    builder_op(b, OP_PICK, "btv,bt,v->bt", part[2], (Ref[]){scores, classes, columns});
    builder_op(b, OP_LOG_LOSS, "bt,bt,bt->bt", loss, part);
    if (in_loop) {
        Ref before = terms, after = terms;
        before.slot = affine_loop(b->loop->loop.id, 1, 0);
        after.slot = affine_loop(b->loop->loop.id, 1, 1);
        builder_op(b, OP_ADD, "bt,bt->bt", after, (Ref[]){before, loss});
        builder_end(b);
        loss = terms;
        loss.slot = affine_constant(2);
    }
    append_loss(bench, loss, "bt");
    bench->interp = interp_new(bench->ctx.arena, b->program);
    fill_values(bench, "classes");
    for (int i = 0; i < 6; i++)
        interp_buffer(bench->interp, "columns", NULL)[i] = i;
    check_gradients(bench);
    bench_free(bench);
}

static void test_log_loss(void **state)
{
    (void)state;
    check_log_loss(false);
    check_log_loss(true);
}

/* loss = 0.5 * mean of x where m + 0.25 * sum of x where m - 0.125 * sum of x: terms of one value, masked or not. */
static void test_loss_terms(void **state)
{
    (void)state;
    Bench *bench = bench_new();
    Builder *b = bench->b;
    Ref x = builder_state_ref(b, BUILDER_STATE_PARAMETERS, add_parameter(bench, "x", "bh", -1));
    Ref y = add_constant(bench, "y", "bh"), mask = add_constant(bench, "m", "bh"),
        kept = add_constant(bench, "k", "bh");
    Ref scalar[7];
    for (int i = 0; i < 7; i++)
        scalar[i] = add_constant(bench, "scalar", "");
    Ref total = scalar[0], count = scalar[1], inverse = scalar[2], mean = scalar[3], all = scalar[4], loss = scalar[5];
    builder_op(b, OP_GELU, "bh->bh", y, &x);
    builder_op(b, OP_MASKED, "bh,bh->bh", kept, (Ref[]){y, mask});
    builder_op(b, OP_REDUCE, "bh->", total, &kept);
    builder_op(b, OP_REDUCE, "bh->", count, &mask);
    builder_op(b, OP_INVERSE_COUNT, "->", inverse, &count);
    builder_op(b, OP_MUL, ",->", mean, (Ref[]){total, inverse});
    builder_op(b, OP_SCALE, "->", mean, &mean)->scale = (Scale){1, 2, ""};
    builder_op(b, OP_SCALE, "->", total, &total)->scale = (Scale){1, 4, ""};
    builder_op(b, OP_REDUCE, "bh->", all, &y);
    builder_op(b, OP_SCALE, "->", all, &all)->scale = (Scale){-1, 8, ""};
    builder_op(b, OP_ADD, ",->", scalar[6], (Ref[]){mean, total});
    builder_op(b, OP_ADD, ",->", loss, (Ref[]){scalar[6], all});
    builder_op(b, OP_OUTPUT, "", ref_of(-1), &loss)->output = "loss";
    const LossTerm terms[] = {
        {y, 0.5, mask, inverse, true}, {y, 0.25, mask, ref_of(-1), false}, {y, -0.125, ref_of(-1), ref_of(-1), false}};
    autodiff_append_terms(b, terms, 3, ref_of(-1));
    bench->interp = interp_new(bench->ctx.arena, b->program);
    fill_values(bench, NULL);
    double *m = interp_buffer(bench->interp, "m", NULL);
    for (int i = 0; i < 10; i++)
        m[i] = i % 3 == 0;
    check_gradients(bench);
    bench_free(bench);
}

/* Values used more than once, also by one operator, and along residual paths. */
static void test_fan_out(void **state)
{
    (void)state;
    Bench *bench = bench_new();
    Builder *b = bench->b;
    Ref x = builder_state_ref(b, BUILDER_STATE_PARAMETERS, add_parameter(bench, "x", "bh", -1));
    Ref v[7];
    for (int i = 0; i < 7; i++)
        v[i] = add_constant(bench, "v", "bh");
    builder_op(b, OP_TANH, "bh->bh", v[0], &x);
    builder_op(b, OP_ADD, "bh,bh->bh", v[1], (Ref[]){v[0], v[0]});
    builder_op(b, OP_MUL, "bh,bh->bh", v[2], (Ref[]){v[1], v[1]});
    builder_op(b, OP_ADD, "bh,bh->bh", v[3], (Ref[]){v[2], v[1]});
    builder_op(b, OP_GELU, "bh->bh", v[4], &v[3]);
    builder_op(b, OP_ADD, "bh,bh->bh", v[5], (Ref[]){v[4], v[3]});
    builder_op(b, OP_SUB, "bh,bh->bh", v[6], (Ref[]){v[5], v[0]});
    append_loss(bench, v[6], "bh");
    bench->interp = interp_new(bench->ctx.arena, b->program);
    fill_values(bench, NULL);
    check_gradients(bench);
    bench_free(bench);
}

static Ref at_slot(Ref ref, Affine slot)
{
    ref.slot = slot;
    return ref;
}

static Ref carried_buffer(Bench *bench, const char *name, int64_t layers)
{
    Ref ref = add_constant(bench, name, "bh");
    bench->b->program->buffers.data[ref.buffer].slots = layers + 1;
    return ref;
}

/* Two carried values that change places, an outer value used in every layer, a tied outer parameter, and the start of a
 * carried value used again inside and after the loop. */
static void check_loop(int64_t layers)
{
    Bench *bench = bench_new();
    Builder *b = bench->b;
    vec_push(bench->ctx.arena, &bench->decls.groups, (Group){.name = "block", .layers = layers});
    Ref start = builder_state_ref(b, BUILDER_STATE_PARAMETERS, add_parameter(bench, "start", "bh", -1));
    Ref tied = builder_state_ref(b, BUILDER_STATE_PARAMETERS, add_parameter(bench, "tied", "h", -1));
    int weight = add_parameter(bench, "block.weight", "h", 0);
    Ref outer = add_constant(bench, "outer", "bh");
    Ref x = carried_buffer(bench, "x", layers), y = carried_buffer(bench, "y", layers);
    builder_op(b, OP_TANH, "bh->bh", x, &start);
    builder_op(b, OP_MUL, "bh,h->bh", y, (Ref[]){start, tied});
    builder_op(b, OP_GELU, "bh->bh", outer, &start);
    int l = builder_loop(b, 0, false)->loop.id;
    Ref xl = at_slot(x, affine_loop(l, 1, 0)), yl = at_slot(y, affine_loop(l, 1, 0));
    Ref scaled = builder_like(b, "scaled", x), squashed = builder_like(b, "squashed", x),
        sum = builder_like(b, "sum", x);
    builder_op(b, OP_MUL, "bh,h->bh", scaled, (Ref[]){xl, builder_state_ref(b, BUILDER_STATE_PARAMETERS, weight)});
    builder_op(b, OP_TANH, "bh->bh", squashed, &scaled);
    builder_op(b, OP_ADD, "bh,bh->bh", sum, (Ref[]){squashed, outer});
    builder_op(b, OP_ADD, "bh,bh->bh", at_slot(y, affine_loop(l, 1, 1)), (Ref[]){xl, sum});
    builder_op(b, OP_MUL, "bh,bh->bh", at_slot(x, affine_loop(l, 1, 1)), (Ref[]){yl, at_slot(x, affine_constant(0))});
    builder_end(b);
    Ref end = add_constant(bench, "end", "bh"), skip = add_constant(bench, "skip", "bh"),
        last = add_constant(bench, "last", "bh");
    builder_op(b, OP_MUL, "bh,bh->bh", end,
               (Ref[]){at_slot(x, affine_constant(layers)), at_slot(y, affine_constant(layers))});
    builder_op(b, OP_ADD, "bh,bh->bh", skip, (Ref[]){end, x});
    builder_op(b, OP_MUL, "bh,h->bh", last, (Ref[]){skip, tied});
    append_loss(bench, last, "bh");
    builder_finish(b);
    bench->interp = interp_new(bench->ctx.arena, b->program);
    fill_values(bench, NULL);
    check_gradients(bench);
    bench_free(bench);
}

static void test_loops(void **state)
{
    (void)state;
    for (int64_t layers = 1; layers <= 4; layers++)
        check_loop(layers);
}

/* A parameter that no part of the loss depends on has gradient zero, not none. */
static void test_untouched(void **state)
{
    (void)state;
    Bench *bench = bench_new();
    Builder *b = bench->b;
    Ref x = builder_state_ref(b, BUILDER_STATE_PARAMETERS, add_parameter(bench, "x", "bh", -1));
    add_parameter(bench, "untouched", "h", -1);
    Ref y = add_constant(bench, "y", "bh");
    builder_op(b, OP_TANH, "bh->bh", y, &x);
    append_loss(bench, y, "bh");
    bench->interp = interp_new(bench->ctx.arena, b->program);
    fill_values(bench, NULL);
    check_gradients(bench);
    bench_free(bench);
}

/* The residual stream of pre-norm blocks has one cotangent, added to in place: no copies are made. */
static void test_residual_stream_is_not_copied(void **state)
{
    (void)state;
    Bench *bench = bench_new();
    Builder *b = bench->b;
    vec_push(bench->ctx.arena, &bench->decls.groups, (Group){.name = "block", .layers = 3});
    Ref start = builder_state_ref(b, BUILDER_STATE_PARAMETERS, add_parameter(bench, "start", "bh", -1));
    Ref x = carried_buffer(bench, "x", 3);
    builder_op(b, OP_TANH, "bh->bh", x, &start);
    int l = builder_loop(b, 0, false)->loop.id;
    Ref inner = builder_like(b, "inner", x), branch = builder_like(b, "branch", x),
        xl = at_slot(x, affine_loop(l, 1, 0));
    builder_op(b, OP_GELU, "bh->bh", inner, &xl);
    builder_op(b, OP_TANH, "bh->bh", branch, &inner);
    builder_op(b, OP_ADD, "bh,bh->bh", at_slot(x, affine_loop(l, 1, 1)), (Ref[]){xl, branch});
    builder_end(b);
    append_loss(bench, at_slot(x, affine_constant(3)), "bh");
    const NodeList *body = &b->program->routines.data[0].body;
    int loops = 0;
    for (int i = 0; i < body->count; i++) {
        if (body->data[i]->kind != NODE_LOOP || body->data[i]->loop.step > 0)
            continue;
        loops++;
        assert_int_equal(body->data[i]->body.count, 2);
        assert_int_equal(body->data[i]->body.data[0]->op->kind, OP_TANH_BWD);
        assert_int_equal(body->data[i]->body.data[1]->op->kind, OP_GELU_BWD);
        assert_true(body->data[i]->body.data[1]->op->accumulate);
    }
    assert_int_equal(loops, 1);
    bench_free(bench);
}

/* What the loss does not depend on has no cotangent, also where a loop carries it. */
static void test_useless_values(void **state)
{
    (void)state;
    Bench *bench = bench_new();
    Builder *b = bench->b;
    vec_push(bench->ctx.arena, &bench->decls.groups, (Group){.name = "block", .layers = 2});
    Ref start = builder_state_ref(b, BUILDER_STATE_PARAMETERS, add_parameter(bench, "start", "bh", -1));
    Ref x = carried_buffer(bench, "x", 2), useless = carried_buffer(bench, "useless", 2);
    builder_op(b, OP_TANH, "bh->bh", x, &start);
    builder_op(b, OP_GELU, "bh->bh", useless, &start);
    int l = builder_loop(b, 0, false)->loop.id;
    Ref operands[] = {at_slot(x, affine_loop(l, 1, 0)), at_slot(useless, affine_loop(l, 1, 0))};
    builder_op(b, OP_MUL, "bh,bh->bh", at_slot(useless, affine_loop(l, 1, 1)), operands);
    builder_op(b, OP_TANH, "bh->bh", at_slot(x, affine_loop(l, 1, 1)), operands);
    builder_end(b);
    append_loss(bench, at_slot(x, affine_constant(2)), "bh");
    for (int i = 0; i < b->program->buffers.count; i++)
        assert_string_not_equal(b->program->buffers.data[i].name, "d_useless");
    bench->interp = interp_new(bench->ctx.arena, b->program);
    fill_values(bench, NULL);
    check_gradients(bench);
    bench_free(bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operators),
        cmocka_unit_test(every_gradient_has_a_case),
        cmocka_unit_test(test_column),
        cmocka_unit_test(test_jumps),
        cmocka_unit_test(test_jumps_are_those_of_the_body),
        cmocka_unit_test(test_norm),
        cmocka_unit_test(test_companions),
        cmocka_unit_test(test_rms_norm),
        cmocka_unit_test(test_loss_terms),
        cmocka_unit_test(test_log_loss),
        cmocka_unit_test(test_fan_out),
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_untouched),
        cmocka_unit_test(test_useless_values),
        cmocka_unit_test(test_residual_stream_is_not_copied),
    };
    cmocka_set_test_filter(getenv("TEST")); /* one alone (tests/closed.sh) */
    return cmocka_run_group_tests_name("sema_autodiff", tests, NULL, NULL);
}

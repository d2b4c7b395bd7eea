/* Random models: the gradient of a step, in a random direction, against the difference of two evaluations. The models
 * reuse values, carry several through blocks, shadow, tie weights and leave values unused. */
#include "base/random.h"
#include "compile.h"
#include "step/interp.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { MODELS = 300, MAX_VARIABLES = 16 };

typedef struct Generator {
    uint64_t seed, drawn;
    Text text;
    int labels;
    bool tied; /* weights to tie to exist */
    const char *variables[MAX_VARIABLES];
    int variable_count;
} Generator;

static int draw(Generator *g, int count)
{
    return (int)(random_uniform(g->seed, 0, 0, g->drawn++) * count);
}

static const char *variable(Generator *g)
{
    return g->variables[draw(g, g->variable_count)];
}

static void add_variable(Generator *g, const char *name)
{
    for (int i = 0; i < g->variable_count; i++)
        if (strcmp(g->variables[i], name) == 0)
            return;
    g->variables[g->variable_count++] = name;
}

static void write_expression(Generator *g, int depth)
{
    Text *text = &g->text;
    int kind = depth == 0 ? 0 : draw(g, 10);
    static const char *const opening[] = {"", "", "", "(", "gelu(", "layernorm(", "linear(", "mlp(", "attention(", ""};
    text_add(text, "%s", opening[kind]);
    if (kind <= 1) {
        text_add(text, "%s", variable(g));
        return;
    }
    write_expression(g, depth - 1);
    if (kind == 2)
        text_add(text, " %c %s", draw(g, 2) ? '+' : '-', variable(g));
    else if (kind == 3)
        text_add(text, ")");
    else if (kind == 4)
        text_add(text, ")");
    else if (kind == 5)
        text_add(text, ") as q%d", ++g->labels);
    else if (kind == 6 && g->tied && draw(g, 2))
        text_add(text, ", h, weight = %s, bias = none)", draw(g, 2) ? "tie.weight" : "rows.table");
    else if (kind == 6)
        text_add(text, ", h%s) as q%d", draw(g, 2) ? ", bias = none" : "", ++g->labels);
    else if (kind == 7)
        text_add(text, ", %d, %s) as q%d", 2 + draw(g, 3), draw(g, 2) ? "tanh" : "gelu", ++g->labels);
    else if (kind == 8)
        text_add(text, ", 2%s) as q%d", draw(g, 2) ? ", causal" : "", ++g->labels);
    else
        text_add(text, " + positions(c, h) as q%d", ++g->labels);
}

static void write_assignment(Generator *g, const char *name, int depth)
{
    text_add(&g->text, "    %s = ", name);
    write_expression(g, depth);
    text_add(&g->text, "\n");
    add_variable(g, name);
}

static void write_block(Generator *g, int number)
{
    static const char *const names[] = {"inner", "other"};
    int outer_count = g->variable_count;
    text_add(&g->text, "  repeat block%d[%d] {\n", number, 1 + draw(g, 3));
    for (int i = draw(g, 4); i >= 0; i--)
        write_assignment(g, draw(g, 3) ? g->variables[draw(g, outer_count)] : names[draw(g, 2)], 3);
    text_add(&g->text, "  }\n");
    g->variable_count = outer_count;
}

static const char *write_model(Generator *g, Arena *arena)
{
    g->text.arena = arena;
    text_add(&g->text, "model net(h = 4, c = 3) {\n  input i : int[batch, c]\n  input y, z : f64[batch, c, h]\n"
                       "  a = embedding(i, 4, h) as rows\n");
    add_variable(g, "a");
    add_variable(g, "z");
    g->tied = draw(g, 3) > 0;
    if (g->tied) {
        text_add(&g->text, "  b = linear(z, h) as tie\n");
        add_variable(g, "b");
    }
    for (int i = draw(g, 4); i >= 0; i--) {
        static const char *const names[] = {"a", "b", "d", "e"};
        if (draw(g, 2))
            write_block(g, i);
        else
            write_assignment(g, names[draw(g, 4)], 3);
    }
    text_add(&g->text, "  loss = %s over batch, c, h of squared_error(", draw(g, 2) ? "mean" : "sum");
    write_expression(g, 2);
    text_add(&g->text, " + a, y)\n}\ncluster k { 1 devices of cpu }\nmesh m on k { data: 1 }\ntrain net on m {\n"
                       "  strategy data_parallel(data)\n  precision f64\n  batch 2\n  steps 1\n"
                       "  optimizer sgd(rate = 0)\n}\n");
    return g->text.data;
}

/* A value in (-1, 1) that looks like noise. */
static double noise(int64_t i)
{
    return sin(12.9898 * (double)(i + 1) + 0.3);
}

static void give_inputs(Interp *interp, Arena *arena, const Decls *decls)
{
    for (int i = 0; i < decls->tensors.count; i++) {
        const Tensor *tensor = &decls->tensors.data[i];
        if (tensor->kind != TENSOR_INPUT)
            continue;
        int64_t count = tensor_elements(tensor);
        double *values = arena_array(arena, double, count);
        for (int64_t j = 0; j < count; j++)
            values[j] = tensor->dtype == DTYPE_I32 ? (double)(j % 4) : noise(j + 999 * i);
        interp_input(interp, tensor->name, values, count);
    }
}

/* Adds `factor` times the direction to all parameters; returns the gradient's product with it. */
static double move(Interp *interp, const Decls *decls, double factor)
{
    double product = 0;
    for (int i = 0; i < decls->tensors.count; i++) {
        char name[64];
        int64_t count;
        if (decls->tensors.data[i].kind != TENSOR_PARAMETER)
            continue;
        snprintf(name, sizeof name, "parameters.%s", decls->tensors.data[i].name);
        double *weight = interp_buffer(interp, name, &count);
        snprintf(name, sizeof name, "gradients.%s", decls->tensors.data[i].name);
        const double *gradient = interp_buffer(interp, name, &count);
        for (int64_t j = 0; j < count; j++) {
            product += gradient[j] * noise(j + 31 * i + 5);
            weight[j] += factor * noise(j + 31 * i + 5);
        }
    }
    return product;
}

static double loss_of(Interp *interp)
{
    interp_run(interp, ROUTINE_EVAL);
    return interp_output(interp, "loss", NULL)[0];
}

static double difference(Interp *interp, const Decls *decls, double step)
{
    move(interp, decls, step);
    double above = loss_of(interp);
    move(interp, decls, -2 * step);
    double below = loss_of(interp);
    move(interp, decls, step);
    return (above - below) / (2 * step);
}

static void check_model(uint64_t seed)
{
    Generator generator = {.seed = seed};
    Arena *arena = arena_new();
    const char *text = write_model(&generator, arena);
    Compiled compiled = compile_text(text);
    if (compiled.train == NULL)
        fail_msg("%s\n%s", text, compiled.messages);
    const Decls *decls = &compiled.train->decls;
    Interp *interp = interp_new(arena, compiled.train->reference);
    give_inputs(interp, arena, decls);
    interp_run(interp, ROUTINE_INIT);
    move(interp, decls, 0.7);
    interp_run(interp, ROUTINE_STEP);
    double product = move(interp, decls, 0);
    /* Where rows are nearly constant, normalisation bends sharply: then only a smaller step is near. */
    double coarse = difference(interp, decls, 1e-5), fine = difference(interp, decls, 1e-7);
    if (fabs(product - coarse) > 1e-7 * (1 + fabs(coarse)) && fabs(product - fine) > 1e-4 * (1 + fabs(fine)))
        fail_msg("%s\ngradient %.12g, by differences %.12g and %.12g", text, product, coarse, fine);
    compiled_free(&compiled);
    arena_free(arena);
}

static void test_random_models(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < MODELS; seed++)
        check_model(seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_models)};
    return cmocka_run_group_tests_name("sema_random", tests, NULL, NULL);
}

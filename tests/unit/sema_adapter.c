/* Frozen parameters and adapters: what is trained, that the rest stays as it is, gradients against differences. */
#include "compile.h"

#include "step/interp.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define TEXT(norm, first, second)                                                                                      \
    "model net(layers = 2, hidden = 8, rows = 3) {\n"                                                                  \
    "    input x, y : f64[batch, rows, hidden]\n"                                                                      \
    "    repeat block[layers] {\n"                                                                                     \
    "        x = x + attention(layernorm(x" norm ") as norm, 4, kv_heads = 2, rope = 10" first ") as attn\n"           \
    "        x = tanh(linear(x, hidden" second ") as fc)\n"                                                            \
    "    }\n"                                                                                                          \
    "    loss = sum over batch, rows, hidden of squared_error(x, y)\n"                                                 \
    "}\n"                                                                                                              \
    "cluster c { 1 devices of cpu }\nmesh m on c { data: 1 }\n"                                                        \
    "train net on m {\n strategy data_parallel(data)\n optimizer adamw(rate = 0.01)\n precision f64\n"                 \
    " batch 2\n steps 3\n}\n"

static const char plain[] = TEXT("", "", "");
static const char adapted[] =
    TEXT(", parameters = frozen", ", adapter = lora(rank = 2, scale = 0.5)", ", adapter = lora(3)");

enum { VALUES = 2 * 3 * 8 };

static Interp *start(Compiled *compiled, const char *text)
{
    static double x[VALUES], y[VALUES];
    *compiled = compile_text(text);
    if (compiled->train == NULL)
        fail_msg("%s", compiled->messages);
    Interp *interp = interp_new(compiled->ctx.arena, compiled->train->reference);
    for (int i = 0; i < VALUES; i++) {
        x[i] = sin(7.0 * i);
        y[i] = cos(5.0 * i);
    }
    interp_input(interp, "x", x, VALUES);
    interp_input(interp, "y", y, VALUES);
    interp_run(interp, ROUTINE_INIT);
    return interp;
}

static double *state_of(const Compiled *compiled, Interp *interp, const char *state, int tensor, int64_t *count)
{
    char name[100];
    snprintf(name, sizeof name, "%s.%s", state, compiled->train->decls.tensors.data[tensor].name);
    return interp_buffer(interp, name, count);
}

static bool is_adapter(const char *name)
{
    return strstr(name, ".lora_") != NULL;
}

/* Adapters are trained, nothing else; what is frozen has neither gradient nor moments, and never changes. */
static void only_adapters_are_trained(void **state)
{
    (void)state;
    Compiled compiled;
    Interp *interp = start(&compiled, adapted);
    double before[100][200];
    int64_t count;
    const Decls *decls = &compiled.train->decls;
    int trained = 0, frozen = 0;
    for (int i = 0; i < decls->tensors.count; i++) {
        if (decls->tensors.data[i].kind != TENSOR_PARAMETER)
            continue;
        bool adapter = is_adapter(decls->tensors.data[i].name);
        assert_int_equal(decls->tensors.data[i].trainable, adapter);
        assert_int_equal(state_of(&compiled, interp, "gradients", i, NULL) != NULL, adapter);
        assert_int_equal(state_of(&compiled, interp, "adam_m", i, NULL) != NULL, adapter);
        memcpy(before[i], state_of(&compiled, interp, "parameters", i, &count), sizeof(double) * 128);
        trained += adapter;
        frozen += !adapter;
    }
    assert_int_equal(trained, 6);
    assert_int_equal(frozen, 12);
    interp_run(interp, ROUTINE_STEP);
    interp_run(interp, ROUTINE_STEP);
    for (int i = 0; i < decls->tensors.count; i++) {
        if (decls->tensors.data[i].kind != TENSOR_PARAMETER)
            continue;
        const double *now = state_of(&compiled, interp, "parameters", i, &count);
        int64_t compared = count < 128 ? count : 128;
        bool same = memcmp(before[i], now, sizeof(double) * (size_t)compared) == 0;
        assert_int_equal(same, !is_adapter(decls->tensors.data[i].name));
    }
    compiled_free(&compiled);
}

/* Adapters start as nothing: the loss is that of the model without them. */
static void adapters_start_as_nothing(void **state)
{
    (void)state;
    Compiled one, other;
    Interp *without = start(&one, plain), *with = start(&other, adapted);
    interp_run(without, ROUTINE_EVAL);
    interp_run(with, ROUTINE_EVAL);
    double expected = interp_output(without, "loss", NULL)[0];
    assert_true(expected > 1);
    assert_true(interp_output(with, "loss", NULL)[0] == expected);
    compiled_free(&one);
    compiled_free(&other);
}

static double loss_of(Interp *interp)
{
    interp_run(interp, ROUTINE_EVAL);
    return interp_output(interp, "loss", NULL)[0];
}

static void gradients_are_differences(void **state)
{
    (void)state;
    Compiled compiled;
    Interp *interp = start(&compiled, adapted);
    interp_run(interp, ROUTINE_STEP); /* now no adapter is zero */
    const Decls *decls = &compiled.train->decls;
    const double step = 1e-5;
    for (int t = 0; t < decls->tensors.count; t++) {
        if (decls->tensors.data[t].kind != TENSOR_PARAMETER || !decls->tensors.data[t].trainable)
            continue;
        int64_t count;
        double *weight = state_of(&compiled, interp, "parameters", t, &count);
        for (int64_t i = 0; i < count; i += 5) {
            double saved[100][300];
            double kept = weight[i];
            weight[i] = kept + step;
            double above = loss_of(interp);
            weight[i] = kept - step;
            double below = loss_of(interp);
            weight[i] = kept;
            for (int k = 0; k < decls->tensors.count; k++)
                if (decls->tensors.data[k].kind == TENSOR_PARAMETER) {
                    int64_t n;
                    const double *w = state_of(&compiled, interp, "parameters", k, &n);
                    memcpy(saved[k], w, sizeof(double) * (size_t)n);
                }
            interp_run(interp, ROUTINE_STEP);
            double gradient = state_of(&compiled, interp, "gradients", t, NULL)[i];
            for (int k = 0; k < decls->tensors.count; k++)
                if (decls->tensors.data[k].kind == TENSOR_PARAMETER) {
                    int64_t n;
                    double *w = state_of(&compiled, interp, "parameters", k, &n);
                    memcpy(w, saved[k], sizeof(double) * (size_t)n);
                }
            double expected = (above - below) / (2 * step);
            if (fabs(gradient - expected) > 1e-6 * (1 + fabs(expected)))
                fail_msg("%s[%d]: gradient %.12g, by differences %.12g", decls->tensors.data[t].name, (int)i, gradient,
                         expected);
        }
    }
    compiled_free(&compiled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_adapters_are_trained),
        cmocka_unit_test(adapters_start_as_nothing),
        cmocka_unit_test(gradients_are_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

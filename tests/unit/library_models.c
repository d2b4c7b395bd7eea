/* Published networks, from tests/models and examples: accepted, with the parameters and the work that they are known
 * for.
 */
#include "tests/open.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

typedef struct Network {
    const char *path;
    int64_t parameters;
    /* Products of a step per example: forward, and backward twice but for what reaches no parameter. 0: not known. */
    double products;
    int64_t examples; /* per device */
} Network;

static const Network networks[] = {
    {"examples/lenet.place", 61706, 0, 0},
    {"tests/models/alexnet.place", 61100840, 3 * 714.2e6 - 70.3e6, 8},
    {"tests/models/vgg16.place", 138357544, 3 * 15470.3e6 - 86.7e6, 8},
    {"examples/resnet.place", 61786, 0, 0},
    {"tests/models/resnet50.place", 25557032, 3 * 4089e6 - 118e6, 8},
    {"tests/models/vit.place", 86567656, 3 * 17563.8e6 - 115.6e6, 8},
    {"tests/models/mobilenetv2.place", 3504872, 3 * 300.8e6 - 10.8e6, 8},
};

static void test_networks(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        const Network *network = &networks[i];
        Compile compile;
        compile_open(&compile, network->path);
        if (!compile_check(&compile))
            diag_print_text(compile.ctx.diag, stderr, false, 20);
        assert_non_null(compile.plan);
        assert_int_equal(diag_error_count(compile.ctx.diag), 0);
        assert_int_equal(compile.plan->parameters, network->parameters);
        double flops = compile.plan->flops_per_device, expected = 2 * network->products * (double)network->examples;
        /* What is no product, activations and the optimizer, is less than a tenth. */
        if (expected > 0 && (flops < expected || flops > 1.1 * expected))
            fail_msg("%s: %.4g operations, expected %.4g", network->path, flops, expected);
        compile_close(&compile);
    }
}

/* Both sums of a normalisation are one call, forward and backward. Nothing else that is small is summed, but the loss:
 * gradients are summed by unit. */
static void test_small_reductions(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        int64_t normalisations;
    } cases[] = {
        {"examples/resnet.place", 12}, {"tests/models/resnet50.place", 53}, {"tests/models/mobilenetv2.place", 52}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Compile compile;
        compile_open(&compile, cases[i].path);
        assert_true(compile_check(&compile));
        int64_t calls = 0;
        for (int c = 0; c < compile.plan->calls.count; c++) {
            const PlanCall *call = &compile.plan->calls.data[c];
            bool sum = call->op == OP_ALL_REDUCE && !call->scalar;
            calls += sum && strcmp(call->state, "gradients") != 0 ? call->count : 0;
        }
        assert_int_equal(calls, 2 * cases[i].normalisations);
        compile_close(&compile);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_networks), cmocka_unit_test(test_small_reductions)};
    return cmocka_run_group_tests_name("driver_models", tests, NULL, NULL);
}

/* The plan against arithmetic: bytes of the states and elements of traffic in the closed forms of the ZeRO paper. */
#include "tests/open.h"
#include "tests/sanitized.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct Request {
    const char *strategy, *precision;
    long long layers, width, devices, micro;
} Request;

/* An untied stack of layers with width x width parameters each. */
static const char stack_text[] = "place 1\n"
                                 "model stack(layers = %lld, width = %lld) {\n"
                                 "    input x, y : f32[batch, width]\n"
                                 "    repeat block[layers] {\n"
                                 "        x = relu(linear(x, width, bias = none) as fc)\n"
                                 "    }\n"
                                 "    loss = mean over batch, width of squared_error(x, y)\n"
                                 "}\n"
                                 "cluster many { %lld devices of cpu }\n"
                                 "mesh all on many { data: %lld }\n"
                                 "train stack on all {\n"
                                 "    strategy %s(data)\n"
                                 "    optimizer adam(rate = 1e-3)\n"
                                 "    precision %s\n"
                                 "    contract %s\n"
                                 "    data synthetic\n"
                                 "    batch %lld in %lld microbatches\n"
                                 "    steps 1\n"
                                 "}\n";

/* Plans the request; the pipeline must be closed. */
static void plan_contract(Compile *compile, const Request *request, const char *contract)
{
    char path[] = "/tmp/place-plan-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    fprintf(file, stack_text, request->layers, request->width, request->devices, request->devices, request->strategy,
            request->precision, contract, request->devices * request->micro, request->micro);
    fclose(file);
    compile_open(compile, path);
    unlink(path);
    if (!compile_check(compile))
        diag_print_text(compile->ctx.diag, stderr, false, 20);
    assert_non_null(compile->plan);
    assert_int_equal(diag_error_count(compile->ctx.diag), 0);
}

static void plan_request(Compile *compile, const Request *request)
{
    plan_contract(compile, request, "exact");
}

static int64_t state_bytes(const Plan *plan)
{
    return plan->category_bytes[CATEGORY_PARAMETERS] + plan->category_bytes[CATEGORY_GRADIENTS] +
           plan->category_bytes[CATEGORY_OPTIMIZER];
}

/* Optimizer scalars (the step counter) are states too. */
enum { SCALAR_BYTES = 64 };

static void assert_close(int64_t got, double wanted, double slack)
{
    if ((double)got < wanted - slack || (double)got > wanted + slack)
        fail_msg("%lld bytes or elements where %.0f are right", (long long)got, wanted);
}

/* ---- Memory ------------------------------------------------------------------------------------------------- */

/* 16 bytes per parameter in 16-bit training with Adam, cut by N as the stage says (Rajbhandari et al. 2020, section 5).
 */
static void test_states_follow_the_stages(void **state)
{
    (void)state;
    static const struct {
        const char *strategy;
        double whole, cut; /* bytes per parameter */
    } stages[] = {{"data_parallel", 16, 0}, {"zero1", 4, 12}, {"zero2", 2, 14}, {"zero3", 0, 16}};
    static const long long devices[] = {1, 2, 8, 64};
    for (size_t s = 0; s < 4; s++) {
        for (size_t d = 0; d < 4; d++) {
            Request request = {stages[s].strategy, "bf16, master f32", 4, 64, devices[d], 1};
            double parameters = 4 * 64 * 64;
            Compile compile;
            plan_request(&compile, &request);
            assert_int_equal(compile.plan->parameters, parameters);
            assert_close(state_bytes(compile.plan), parameters * (stages[s].whole + stages[s].cut / (double)devices[d]),
                         SCALAR_BYTES);
            compile_close(&compile);
        }
    }
}

/* What several microbatches add up is f32 next to a master copy, unless gradients are set to bf16. */
static void test_gradients_of_several_microbatches(void **state)
{
    (void)state;
    static const struct {
        const char *precision;
        int64_t micro;
        double bytes; /* per parameter */
    } rows[] = {{"bf16, master f32", 1, 16},
                {"bf16, master f32", 2, 18},
                {"bf16, master f32, gradients bf16", 2, 16},
                {"bf16", 2, 8},
                {"f32", 2, 16}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Request request = {"data_parallel", rows[i].precision, 4, 64, 2, rows[i].micro};
        Compile compile;
        plan_request(&compile, &request);
        assert_close(state_bytes(compile.plan), rows[i].bytes * 4 * 64 * 64, SCALAR_BYTES);
        compile_close(&compile);
    }
}

/* Where N does not divide, the largest rank is padded, and the padding is an item of its own. */
static void test_padding_is_shown(void **state)
{
    (void)state;
    Request request = {"zero3", "f32", 2, 5, 3, 1}; /* 25 parameters per layer, 9 of 27 per rank */
    Compile compile;
    plan_request(&compile, &request);
    const Plan *plan = compile.plan;
    assert_int_equal(plan->category_bytes[CATEGORY_PARAMETERS], 2 * 8 * 4);
    assert_true(plan->padding_bytes >= 2 * 4 * (9 - 8) * 4);
    int64_t sum = plan->padding_bytes;
    for (int i = 0; i < CATEGORY_COUNT; i++)
        sum += plan->category_bytes[i];
    assert_int_equal(sum, plan->total_bytes);
    compile_close(&compile);
}

static void test_seven_billion_parameters(void **state)
{
    (void)state;
    Request request = {"data_parallel", "bf16, master f32", 70, 10000, 1, 1};
    Compile compile;
    plan_request(&compile, &request);
    assert_int_equal(compile.plan->parameters, 7000000000);
    assert_close(state_bytes(compile.plan), 112e9, SCALAR_BYTES);
    compile_close(&compile);
}

/* Table 1 of the ZeRO paper (arXiv:1910.02054): model states per device in 10^9 bytes, stages 1, 2, 3, as printed. */
static void test_zero_paper_table_1(void **state)
{
    (void)state;
    static const struct {
        long long layers, devices;
        double gigabytes[3];
    } rows[] = {
        {75, 1, {120, 120, 120}},          {75, 4, {52.5, 41.3, 30}},        {75, 16, {35.6, 21.6, 7.5}},
        {75, 64, {31.4, 16.6, 1.88}},      {75, 256, {30.4, 15.4, 0.47}},    {75, 1024, {30.1, 15.1, 0.12}},
        {1280, 1, {2048, 2048, 2048}},     {1280, 4, {896, 704, 512}},       {1280, 16, {608, 368, 128}},
        {1280, 64, {536, 284, 32}},        {1280, 256, {518, 263, 8}},       {1280, 1024, {513, 257, 2}},
        {10000, 1, {16000, 16000, 16000}}, {10000, 4, {7000, 5500, 4000}},   {10000, 16, {4750, 2875, 1000}},
        {10000, 64, {4187, 2218, 250}},    {10000, 256, {4046, 2054, 62.5}}, {10000, 1024, {4011, 2013, 15.6}},
    };
    static const char *const strategies[] = {"zero1", "zero2", "zero3"};
    /* Programs of ten thousand layers take a second to plan. */
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row += SANITIZED ? 4 : 1) {
        if (SANITIZED && rows[row].layers == 10000)
            continue;
        for (int stage = 0; stage < 3; stage++) {
            Request request = {strategies[stage], "bf16, master f32", rows[row].layers, 10000, rows[row].devices, 1};
            Compile compile;
            plan_request(&compile, &request);
            /* Printed values are cut or rounded to two to four digits. */
            double printed = rows[row].gigabytes[stage];
            double slack = printed < 1 ? 0.006 : printed < 100 ? 0.06 : printed < 1000 ? 1 : 1.1;
            assert_close(state_bytes(compile.plan), printed * 1e9, slack * 1e9);
            compile_close(&compile);
        }
    }
}

/* ---- Traffic ------------------------------------------------------------------------------------------------ */

/* Elements that one device sends for tensors in a step, scalars left out. */
static double traffic_elements(const Plan *plan, int64_t dtype_size)
{
    int64_t bytes = 0;
    for (int i = 0; i < plan->calls.count; i++)
        if (!plan->calls.data[i].scalar)
            bytes += plan->calls.data[i].bytes_per_device;
    return (double)bytes / (double)dtype_size;
}

/* 2, 2, K + 1 and 3K times the parameters times (N - 1) / N. */
static void test_traffic_follows_the_stages(void **state)
{
    (void)state;
    static const struct {
        const char *strategy;
        int whole, per_microbatch;
    } stages[] = {{"data_parallel", 2, 0}, {"zero1", 2, 0}, {"zero2", 1, 1}, {"zero3", 0, 3}};
    static const long long devices[] = {1, 2, 8}, micros[] = {1, 2, 5};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 9; i++) {
            Request request = {stages[s].strategy, "f32", 4, 64, devices[i / 3], micros[i % 3]};
            double parameters = 4 * 64 * 64, ranks = (double)request.devices;
            Compile compile;
            plan_request(&compile, &request);
            double passes = stages[s].whole + stages[s].per_microbatch * (double)request.micro;
            assert_close((int64_t)traffic_elements(compile.plan, 4), passes * parameters * (ranks - 1) / ranks, 0.5);
            compile_close(&compile);
        }
    }
}

/* Copies send what data parallelism does, but every h steps only; an outer optimizer keeps two numbers more of
 * each parameter (Stich 2019; Douillard et al. 2023). */
static void test_copies_send_seldom(void **state)
{
    (void)state;
    static const struct {
        const char *contract;
        int every, states;
    } contracts[] = {{"local(1) over data", 1, 4},
                     {"local(50) over data", 50, 4},
                     {"local(500) over data outer nesterov(rate = 0.7, momentum = 0.9)", 500, 6}};
    for (int i = 0; i < 3; i++) {
        Request request = {"data_parallel", "f32", 4, 64, 8, 2};
        double parameters = 4 * 64 * 64;
        Compile compile;
        plan_contract(&compile, &request, contracts[i].contract);
        const Plan *plan = compile.plan;
        for (int c = 0; c < plan->calls.count; c++)
            assert_int_equal(plan->calls.data[c].every, contracts[i].every);
        assert_close((int64_t)traffic_elements(plan, 4), 2 * parameters * 7 / 8 / contracts[i].every, 4);
        assert_close(state_bytes(plan), 4 * contracts[i].states * parameters, SCALAR_BYTES);
        compile_close(&compile);
    }
}

/* The paper's summary: ZeRO-3 has an eighth of the memory of data parallelism at 8 devices for 1.5 times the traffic.
 */
static void test_eight_times_less_for_one_and_a_half(void **state)
{
    (void)state;
    Request parallel = {"data_parallel", "bf16, master f32", 4, 64, 8, 1};
    Request sharded = {"zero3", "bf16, master f32", 4, 64, 8, 1};
    Compile a, b;
    plan_request(&a, &parallel);
    plan_request(&b, &sharded);
    assert_close(state_bytes(a.plan), 8.0 * (double)state_bytes(b.plan), 8 * SCALAR_BYTES);
    assert_close((int64_t)(2 * traffic_elements(b.plan, 2)), 3 * traffic_elements(a.plan, 2), 0.5);
    compile_close(&a);
    compile_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states_follow_the_stages),   cmocka_unit_test(test_padding_is_shown),
        cmocka_unit_test(test_seven_billion_parameters),   cmocka_unit_test(test_zero_paper_table_1),
        cmocka_unit_test(test_traffic_follows_the_stages), cmocka_unit_test(test_eight_times_less_for_one_and_a_half),
        cmocka_unit_test(test_copies_send_seldom),         cmocka_unit_test(test_gradients_of_several_microbatches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

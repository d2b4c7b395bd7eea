/* What caches change in the time of a step: nothing if they are as fast as memory; all bytes go at a cache's speed if
 * it holds the whole arena, and at that of memory if it holds next to nothing. */
#include "tests/open.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Seconds of a step of one layer, repeated, on so many ranks of a device that these lines describe. */
static double step_seconds(int ranks, const char *lines)
{
    char text[4096];
    int length = snprintf(text, sizeof text,
                          "place 1\n"
                          "model line(layers = 3, hidden = 512) {\n"
                          "    input x, y : f32[batch, hidden]\n"
                          "    repeat block[layers] { x = x + relu(linear(x, hidden) as fc) }\n"
                          "    loss = mean over batch, hidden of squared_error(x, y)\n"
                          "}\n"
                          "cluster machine { %d devices of cpu within memory 10 GB/s after 1 us\n"
                          "    products f32 at 1000 TFLOP/s\n"
                          "    arithmetic at 1000 TFLOP/s\n"
                          "%s}\n"
                          "mesh grid on machine { data: %d }\n"
                          "train line on grid {\n"
                          "    strategy data_parallel(data); optimizer adamw(rate = 0.1); batch %d in 2 microbatches\n"
                          "    steps 3\n"
                          "}\n",
                          ranks, lines, ranks, 64 * ranks);
    Compile compile;
    compile_new(&compile);
    compile.source = source_add(compile.ctx.sources, "test.place", text, (size_t)length);
    assert_true(compile_check(&compile));
    plan_find_time(&compile.ctx, compile.plan);
    assert_null(compile.plan->time.unknown);
    double seconds = compile.plan->time.step;
    compile_close(&compile);
    return seconds;
}

static void assert_near(double actual, double expected)
{
    if (!(fabs(actual / expected - 1) < 1e-9))
        fail_msg("%g seconds, not %g", actual, expected);
}

static void speeds_of_memory(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= 2; ranks++) {
        double slow = step_seconds(ranks, "memory at 10 GB/s\n");
        assert_near(step_seconds(ranks, "memory at 10 GB/s\ncache 1 MiB at 10 GB/s\ncache 4 MiB at 10 GB/s\n"), slow);
        assert_near(step_seconds(ranks, "memory at 10 GB/s\ncache 1 MiB at 10 GB/s\nshared at 10 GB/s\n"), slow);
    }
}

static void holds_everything(void **state)
{
    (void)state;
    double fast = step_seconds(1, "memory at 100 GB/s\n"), slow = step_seconds(1, "memory at 10 GB/s\n");
    assert_near(step_seconds(1, "memory at 10 GB/s\ncache 1 GiB at 100 GB/s\n"), fast);
    assert_near(step_seconds(1, "memory at 10 GB/s\ncache 1 MiB at 100 GB/s\ncache 1 GiB at 100 GB/s\n"), fast);
    double some = step_seconds(1, "memory at 10 GB/s\ncache 1 MiB at 100 GB/s\n");
    assert_true(fast < some && some < slow);
    assert_true(step_seconds(1, "memory at 10 GB/s\ncache 4 MiB at 100 GB/s\n") < some);
}

/* What other ranks have used is slower to write than what they have not. */
static void shares(void **state)
{
    (void)state;
    const char *quick = "memory at 10 GB/s\ncache 1 GiB at 100 GB/s\nshared at 100 GB/s\n";
    const char *tardy = "memory at 10 GB/s\ncache 1 GiB at 100 GB/s\nshared at 1 GB/s\n";
    assert_near(step_seconds(1, tardy), step_seconds(1, quick));
    assert_true(step_seconds(2, tardy) > 1.5 * step_seconds(2, quick));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(speeds_of_memory),
        cmocka_unit_test(holds_everything),
        cmocka_unit_test(shares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

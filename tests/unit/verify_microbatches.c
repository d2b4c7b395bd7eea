/* The check of a pipeline costs the same for 10,000 microbatches as for 96. */
#include "tests/unit/derived.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const char model[] =
    "place 1\n" GPT_MODEL("gpt", "layers = 8, hidden = 8, heads = 2, context = 4, vocab = 6", "2 * hidden");

typedef struct Cost {
    int64_t followed; /* operators run for the proof */
    double seconds;
    long kib;
} Cost;

/* What it takes to derive and verify the program, in a process of its own. */
static Cost cost_of(const char *strategy, int micro)
{
    Cost cost = {0};
    int ends[2], status;
    struct rusage usage;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        OnMesh on = {"stage: 4", strategy, 4, micro};
        Compiled compiled = compile_on_mesh(model, &on, micro);
        StepFile *file = derive_compiled(&compiled);
        Verdict verdict = {0};
        bool right = file != NULL && verify_run(&compiled.ctx, file, &verdict);
        bool sent = write(ends[1], &verdict.followed, sizeof verdict.followed) == sizeof verdict.followed;
        _exit(right && sent ? 0 : 1);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &cost.followed, sizeof cost.followed), sizeof cost.followed);
    close(ends[0]);
    assert_int_equal(wait4(child, &status, 0, &usage), child);
    assert_int_equal(status, 0);
    cost.seconds = (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec / 1e6;
    cost.kib = usage.ru_maxrss;
    return cost;
}

/* Seconds are those of a machine with other work: a cost per microbatch would be a hundred times as many. */
static void check_strategy(const char *strategy)
{
    Cost few = cost_of(strategy, 96), many = cost_of(strategy, 10000);
    printf("%s: followed %lld and %lld, %.2f and %.2f s, %ld and %ld KiB\n", strategy, (long long)few.followed,
           (long long)many.followed, few.seconds, many.seconds, few.kib, many.kib);
    assert_in_range(many.followed * 10, 0, few.followed * 11);
    assert_in_range(many.kib * 10, 0, few.kib * 11);
    assert_true(many.seconds < 3 * few.seconds + 0.2);
}

static void test_one_f_one_b(void **state)
{
    (void)state;
    check_strategy("pipeline(stage, schedule = one_f_one_b)");
}

static void test_interleaved(void **state)
{
    (void)state;
    check_strategy("pipeline(stage, schedule = interleaved, chunks = 2)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_f_one_b), cmocka_unit_test(test_interleaved)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The planner of conversions and the plan of a program count alike what a device sends. */
#include "algebra/convert.h"
#include "plan/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct {
    ConvertKind kind;
    Collective op;
    bool shard; /* its payload is a shard, not the whole */
} rows[] = {
    {CONVERT_SLICE, COLLECTIVE_SLICE, false},           {CONVERT_PAD, COLLECTIVE_PLACE_SHARD, false},
    {CONVERT_ALL_GATHER, COLLECTIVE_ALL_GATHER, false}, {CONVERT_REDUCE_SCATTER, COLLECTIVE_REDUCE_SCATTER, false},
    {CONVERT_ALL_REDUCE, COLLECTIVE_ALL_REDUCE, false}, {CONVERT_ALL_TO_ALL, COLLECTIVE_ALL_TO_ALL, true},
    {CONVERT_BROADCAST, COLLECTIVE_BROADCAST, false},   {CONVERT_SEND, COLLECTIVE_SEND, false},
};

static void counts_what_a_plan_counts(void **state)
{
    (void)state;
    unsigned seen = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int64_t n = 1; n <= 16; n++) {
            int64_t whole = 720720 * n; /* every shard divides among n */
            double price = convert_price(rows[i].kind, n, (double)whole);
            assert_true(price == (double)plan_optimal_bytes(rows[i].op, n, rows[i].shard ? whole / n : whole));
            seen |= 1U << rows[i].kind;
        }
    assert_int_equal(seen & CONVERT_EMITTED, CONVERT_EMITTED); /* all that there are operators for */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts_what_a_plan_counts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

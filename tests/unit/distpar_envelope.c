/* Which plan is the cheapest for which beta, against choosing at every beta, and layers of whole models. */
#include "distpar/envelope.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { MOST = 64 };

/* ---- Intervals ----------------------------------------------------------------------------------------------- */

/* Numbers that look random, the same in every run. */
static double draw(uint64_t *seed, double most)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return 1 + floor((double)(*seed >> 33) / 2147483648.0 * most);
}

/* A chain of linear layers, depthwise convolutions and maps, with or without a loss. */
static Chain draw_chain(uint64_t *seed, ChainOperator operators[8])
{
    double batch = 4 * draw(seed, 64), width = draw(seed, 400);
    int count = 2 + (int)draw(seed, 5);
    for (int i = 0; i < count; i++) {
        double next = draw(seed, 400);
        switch ((int)draw(seed, 3)) {
        case 1:
            operators[i] = (ChainOperator){CHAIN_LINEAR, batch, batch * width, batch * next, width * next};
            width = next;
            break;
        case 2:
            operators[i] = (ChainOperator){CHAIN_DEPTHWISE, batch, batch * width, batch * width, 9 * width};
            break;
        default:
            operators[i] = (ChainOperator){CHAIN_MAP, batch, batch * width, batch * width, 0};
        }
    }
    if (draw(seed, 2) == 1)
        operators[count++] = (ChainOperator){CHAIN_LOSS, batch, batch * width, 0, 0};
    return (Chain){operators, count, 1 + (int)draw(seed, 8), 0, PROPERTY_ROWS};
}

static double cost_at(const Chain *chain, double beta, const ChainPlan *plan)
{
    Chain at = *chain;
    at.beta = beta;
    return chain_cost(&at, &plan->cost);
}

/* At `beta` the plan is as cheap as the one that is chosen there. */
static void check_plan(const Chain *chain, double beta, const ChainPlan *plan)
{
    Chain at = *chain;
    ChainPlan chosen;
    at.beta = beta;
    assert_true(chain_choose(&at, NULL, &chosen));
    double cost = cost_at(chain, beta, plan), least = cost_at(chain, beta, &chosen);
    if (fabs(cost - least) > 1e-12 * least)
        fail_msg("at beta %.17g: %.17g, not %.17g", beta, cost, least);
}

/* The ends meet, where both plans cost the same; each plan sends more and computes less than the one before. */
static void check_neighbours(const Chain *chain, const BetaInterval *left, const BetaInterval *right)
{
    assert_true(left->to == right->from && left->from < left->to);
    assert_true(left->plan.cost.sent < right->plan.cost.sent);
    assert_true(left->plan.cost.computed > right->plan.cost.computed);
    double cost = cost_at(chain, left->to, &left->plan);
    assert_true(fabs(cost - cost_at(chain, left->to, &right->plan)) <= 1e-12 * cost);
}

static void finds_every_interval(void **state)
{
    (void)state;
    static BetaInterval intervals[MOST];
    uint64_t seed = 1;
    int switches = 0;
    for (int i = 0; i < 300; i++) {
        ChainOperator operators[8];
        Chain chain = draw_chain(&seed, operators);
        int count = chain_envelope(&chain, 1000, intervals, MOST);
        assert_true(count > 0);
        assert_true(intervals[0].from == 0 && intervals[count - 1].to == 1000);
        for (int at = 0; at < count; at++) {
            if (at > 0)
                check_neighbours(&chain, &intervals[at - 1], &intervals[at]);
            for (int part = 0; part <= 8; part++)
                check_plan(&chain, intervals[at].from + part / 8.0 * (intervals[at].to - intervals[at].from),
                           &intervals[at].plan);
        }
        switches += count - 1;
    }
    assert_true(switches > 300);
}

static void refuses_too_many(void **state)
{
    (void)state;
    BetaInterval intervals[2];
    const ChainOperator head[] = {{CHAIN_LINEAR, 64, 64 * 512, 64 * 300, 512 * 300}, {CHAIN_LOSS, 64, 64 * 300, 0, 0}};
    Chain chain = {head, 2, 8, 0, PROPERTY_ROWS};
    assert_int_equal(chain_envelope(&chain, 10, intervals, 2), 2);
    assert_int_equal(chain_envelope(&chain, 10, intervals, 1), 0);
    chain.given = PROPERTY_PARTIAL; /* which a linear layer takes by a conversion only */
    assert_true(chain_envelope(&chain, 10, intervals, 2) > 0);
    chain.count = MOST_CHAIN_OPERATORS + 1;
    assert_int_equal(chain_envelope(&chain, 10, intervals, 2), 0);
}

/* ---- Layers of whole models ---------------------------------------------------------------------------------- */

static double layer_sent(ChainOperator operator, const char * letters, Property given)
{
    Chain chain = {&operator, 1, 4, 0, given};
    ChainPlan plan;
    assert_true(chain_choose(&chain, letters, &plan));
    return plan.cost.sent / 4;
}

/* What splits channels sends nothing for a depthwise convolution; copies send their gradients. */
static void splits_channels(void **state)
{
    (void)state;
    ChainOperator depthwise = {CHAIN_DEPTHWISE, 8, 8000, 8000, 900}, norm = {CHAIN_BATCH_NORM, 8, 8000, 8000, 200};
    assert_true(layer_sent(depthwise, NULL, PROPERTY_COLUMNS) == 0);
    assert_true(layer_sent(norm, NULL, PROPERTY_COLUMNS) == 0);
    assert_true(layer_sent(depthwise, NULL, PROPERTY_ROWS) == 2 * 3 * 900);
    assert_true(layer_sent(norm, NULL, PROPERTY_ROWS) == 2 * 3 * 200);
}

/* An encoder layer of BERT-base for so many tokens. */
static double encoder_sent(double tokens, const char *letters, Property given)
{
    double h = 768, f = 3072, x = tokens * h, y = tokens * f;
    const ChainOperator layer[] = {
        {CHAIN_LINEAR, tokens, x, 3 * x, 3 * h * (h + 1)}, {CHAIN_MAP, tokens, 3 * x, x, 0},
        {CHAIN_LINEAR, tokens, x, x, h * (h + 1)},         {CHAIN_LAYER_NORM, tokens, x, x, 2 * h},
        {CHAIN_LINEAR, tokens, x, y, f * (h + 1)},         {CHAIN_MAP, tokens, y, y, 0},
        {CHAIN_LINEAR, tokens, y, x, h * (f + 1)},         {CHAIN_LAYER_NORM, tokens, x, x, 2 * h},
    };
    const Chain chain = {layer, 8, 4, 0, given};
    ChainPlan plan;
    assert_true(chain_choose(&chain, letters, &plan));
    return plan.cost.sent / 4;
}

/* Data parallelism sends 2 (n - 1) (12 h^2 + 13 h), tensor parallelism 8 (n - 1) h for each token: above 2,307 tokens
 * the former sends less. */
static void splits_encoders(void **state)
{
    (void)state;
    const double weights = 7087872;
    assert_true(encoder_sent(2048, "DDDD", PROPERTY_ROWS) == 6 * weights);
    assert_true(encoder_sent(2048, "CRCR", PROPERTY_INVARIANT) == 8.0 * 3 * 768 * 2048);
    assert_true(encoder_sent(2307, "CRCR", PROPERTY_INVARIANT) < 6 * weights);
    assert_true(encoder_sent(2308, "CRCR", PROPERTY_INVARIANT) > 6 * weights);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_every_interval),
        cmocka_unit_test(refuses_too_many),
        cmocka_unit_test(splits_channels),
        cmocka_unit_test(splits_encoders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

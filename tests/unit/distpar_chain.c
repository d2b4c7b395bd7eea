/* DistPar's costs against closed forms and published orders: VGG16's last three layers, and a face recognition head. */
#include "distpar/distpar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* ---- Properties ---------------------------------------------------------------------------------------------- */

/* Every conversion has a backward one, and a dual's dual is the property. */
static void converts_every_pair(void **state)
{
    (void)state;
    for (int from = 0; from < PROPERTY_COUNT; from++) {
        assert_int_equal(property_dual(property_dual((Property)from)), from);
        for (int to = 0; to < PROPERTY_COUNT; to++) {
            ElementCost cost = {0};
            assert_true(conversion_both((Property)from, (Property)to, 1, 4, &cost));
            assert_int_equal(conversion_primitive((Property)from, (Property)to) != NULL, from != to);
        }
    }
}

typedef struct Edge {
    Property from, to;
    double forward, both; /* elements that 4 devices send of a tensor of 16 */
} Edge;

/* q = 3: whole is 48, part is 12. */
static const Edge edges[] = {
    {PROPERTY_ROWS, PROPERTY_COLUMNS, 12, 24},   {PROPERTY_ROWS, PROPERTY_REPLICATED, 48, 96},
    {PROPERTY_ROWS, PROPERTY_INVARIANT, 48, 48}, {PROPERTY_COLUMNS, PROPERTY_PARTIAL, 0, 0},
    {PROPERTY_PARTIAL, PROPERTY_ROWS, 48, 96},   {PROPERTY_PARTIAL, PROPERTY_REPLICATED, 96, 192},
    {PROPERTY_REPLICATED, PROPERTY_ROWS, 0, 0},  {PROPERTY_PARTIAL, PROPERTY_INVARIANT, 96, 96},
    {PROPERTY_INVARIANT, PROPERTY_ROWS, 0, 48},  {PROPERTY_INVARIANT, PROPERTY_REPLICATED, 0, 96},
    {PROPERTY_ONE, PROPERTY_COLUMNS, 12, 24},    {PROPERTY_ONE, PROPERTY_REPLICATED, 48, 96},
    {PROPERTY_ONE, PROPERTY_PARTIAL, 0, 0},      {PROPERTY_PARTIAL, PROPERTY_ONE, 48, 96},
};

static void sends_elements(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        const Edge *edge = &edges[i];
        ElementCost forward = {0}, both = {0};
        assert_true(conversion_forward(edge->from, edge->to, 16, 4, &forward));
        assert_true(conversion_both(edge->from, edge->to, 16, 4, &both));
        if (forward.sent != 4 * edge->forward || both.sent != 4 * edge->both)
            fail_msg("%s to %s: %g and %g", property_name(edge->from), property_name(edge->to), forward.sent / 4,
                     both.sent / 4);
    }
}

/* ---- Immediate inference ------------------------------------------------------------------------------------- */

typedef struct Inferred {
    Property left, right, output;
    double sent;
} Inferred;

/* Of a left operand of 100 elements and a right one of 1000, on 4 devices: the least of DistPar's table. */
static const Inferred inferred[] = {
    {PROPERTY_ROWS, PROPERTY_REPLICATED, PROPERTY_ROWS, 0},
    {PROPERTY_REPLICATED, PROPERTY_COLUMNS, PROPERTY_COLUMNS, 0},
    {PROPERTY_COLUMNS, PROPERTY_ROWS, PROPERTY_PARTIAL, 0},
    {PROPERTY_PARTIAL, PROPERTY_REPLICATED, PROPERTY_PARTIAL, 0},
    {PROPERTY_REPLICATED, PROPERTY_PARTIAL, PROPERTY_PARTIAL, 0},
    {PROPERTY_REPLICATED, PROPERTY_REPLICATED, PROPERTY_REPLICATED, 0},
    {PROPERTY_REPLICATED, PROPERTY_ROWS, PROPERTY_PARTIAL, 0},
    {PROPERTY_COLUMNS, PROPERTY_REPLICATED, PROPERTY_PARTIAL, 0},
    {PROPERTY_ROWS, PROPERTY_ROWS, PROPERTY_PARTIAL, 75},
    {PROPERTY_COLUMNS, PROPERTY_COLUMNS, PROPERTY_COLUMNS, 300},
    {PROPERTY_ROWS, PROPERTY_COLUMNS, PROPERTY_COLUMNS, 300},
    {PROPERTY_ROWS, PROPERTY_PARTIAL, PROPERTY_PARTIAL, 300},
    {PROPERTY_COLUMNS, PROPERTY_PARTIAL, PROPERTY_PARTIAL, 300},
    {PROPERTY_PARTIAL, PROPERTY_ROWS, PROPERTY_PARTIAL, 300},
    {PROPERTY_PARTIAL, PROPERTY_COLUMNS, PROPERTY_COLUMNS, 600},
    {PROPERTY_PARTIAL, PROPERTY_PARTIAL, PROPERTY_PARTIAL, 600},
    {PROPERTY_ONE, PROPERTY_ONE, PROPERTY_ONE, 0},
};

static void infers_products(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof inferred / sizeof *inferred; i++) {
        const Inferred *one = &inferred[i];
        Inference found = infer_matmul(one->left, one->right, 100, 1000, 4);
        if (found.output != one->output || found.sent != 4 * one->sent)
            fail_msg("%s, %s: %s, %g", property_name(one->left), property_name(one->right), property_name(found.output),
                     found.sent / 4);
    }
}

/* ---- VGG16 --------------------------------------------------------------------------------------------------- */

typedef struct Vgg {
    ChainOperator operators[7];
    Chain chain;
} Vgg;

static void make_vgg(Vgg *vgg, double batch, int devices, double beta)
{
    double a = 25088 * batch, b = 4096 * batch, c = 1000 * batch;
    *vgg = (Vgg){
        .operators =
            {
                {CHAIN_MAP, batch, a, a, 0},
                {CHAIN_LINEAR, batch, a, b, 102764544},
                {CHAIN_MAP, batch, b, b, 0},
                {CHAIN_LINEAR, batch, b, b, 16781312},
                {CHAIN_MAP, batch, b, b, 0},
                {CHAIN_LINEAR, batch, b, c, 4097000},
                {CHAIN_LOSS, batch, c, 0, 0},
            },
    };
    vgg->chain = (Chain){vgg->operators, 7, devices, beta, PROPERTY_ROWS};
}

/* All 27, with cost and elements sent in millions. */
static const char *const vgg_ranked[] = {
    "RCR 22.4 11.9",   "RRR 22.4 11.9",   "RCC 24.8 14.3",   "RRC 24.8 14.3",   "CCR 34.3 23.2",   "CRR 34.3 23.2",
    "CCC 36.7 25.6",   "CRC 36.7 25.6",   "RRD 47.1 35.7",   "RCD 47.9 36.5",   "CRD 59.0 47.0",   "CCD 59.8 47.8",
    "RDR 124.4 110.2", "RDC 126.0 111.8", "CDR 137.0 122.3", "CDC 138.7 123.9", "RDD 148.3 133.2", "CDD 161.0 145.3",
    "DCR 654.0 620.5", "DRR 654.8 621.3", "DCC 656.5 622.9", "DRC 657.2 623.7", "DCD 679.5 645.1", "DRD 679.5 645.1",
    "DDR 756.0 718.8", "DDC 757.7 720.4", "DDD 779.9 741.9",
};

static void ranks_vgg(void **state)
{
    (void)state;
    Vgg vgg;
    RankedChain ranked[MOST_RANKED];
    make_vgg(&vgg, 128, 4, 0.1);
    assert_int_equal(chain_rank(&vgg.chain, ranked), 27);
    for (int i = 0; i < 27; i++) {
        char line[64];
        snprintf(line, sizeof line, "%s %.1f %.1f", ranked[i].letters, chain_cost(&vgg.chain, &ranked[i].cost) / 1e6,
                 ranked[i].cost.sent / 4 / 1e6);
        assert_string_equal(line, vgg_ranked[i]);
    }
}

static double vgg_sent(const Vgg *vgg, const char *letters)
{
    ChainPlan plan;
    assert_true(chain_choose(&vgg->chain, letters, &plan));
    return plan.cost.sent;
}

/* RCR is first and DDD last in all of them, and what is sent has closed forms. */
static void sends_closed_forms(void **state)
{
    (void)state;
    static const int cases[][2] = {{32, 4}, {128, 4}, {256, 4}, {128, 8}, {512, 16}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double batch = cases[i][0], n = cases[i][1], q = n - 1;
        Vgg vgg;
        RankedChain ranked[MOST_RANKED];
        make_vgg(&vgg, batch, (int)n, 0.1);
        assert_int_equal(chain_rank(&vgg.chain, ranked), 27);
        assert_string_equal(ranked[0].letters, "RCR");
        assert_string_equal(ranked[1].letters, "RRR");
        assert_string_equal(ranked[26].letters, "DDD");
        double rcr = q * batch * (2 * 25088 + n * (4 * 4096 + 2 * 1000));
        assert_true(vgg_sent(&vgg, "RCR") == rcr && vgg_sent(&vgg, "RRR") == rcr);
        assert_true(vgg_sent(&vgg, "CRC") == n * q * batch * (2 * 25088 + 4 * 4096 + 6));
        assert_true(vgg_sent(&vgg, "DDD") == n * 2 * q * 123642856);
    }
}

static void check_chosen(double batch, double beta, const char *expected)
{
    Vgg vgg;
    ChainPlan plan;
    make_vgg(&vgg, batch, 4, beta);
    assert_true(chain_choose(&vgg.chain, NULL, &plan));
    char letters[] = {plan.letter[1], plan.letter[3], plan.letter[5], '\0'};
    assert_string_equal(letters, expected);
}

/* With little weight on computing, copies repeat the work. */
static void chooses_by_beta(void **state)
{
    (void)state;
    check_chosen(128, 0.07, "RBB");
    check_chosen(128, 0.08, "RCR");
    check_chosen(128, 1, "RCR");
}

/* ---- Face recognition ---------------------------------------------------------------------------------------- */

/* The fewest classes for which split classes send less than data parallelism. */
static double crossover(double batch)
{
    for (double classes = 1; classes < 1e4; classes++) {
        ChainOperator head[] = {{CHAIN_LINEAR, batch, 512 * batch, classes * batch, 512 * classes},
                                {CHAIN_LOSS, batch, classes * batch, 0, 0}};
        Chain chain = {head, 2, 8, 0, PROPERTY_ROWS};
        ChainPlan data, classes_split;
        assert_true(chain_choose(&chain, "D", &data) && chain_choose(&chain, "C", &classes_split));
        if (chain_cost(&chain, &classes_split.cost) < chain_cost(&chain, &data.cost))
            return classes;
    }
    return 0;
}

/* batch * (1 + 6 / 1024): the threshold grows with the batch. */
static void switches_to_classes(void **state)
{
    (void)state;
    assert_true(crossover(64) == 65 && crossover(512) == 516 && crossover(1024) == 1031);
}

/* ---- What has no plan ---------------------------------------------------------------------------------------- */

static void refuses_letters(void **state)
{
    (void)state;
    Vgg vgg;
    ChainPlan plan;
    RankedChain ranked[MOST_RANKED];
    make_vgg(&vgg, 128, 4, 0.1);
    assert_false(chain_choose(&vgg.chain, "RC", &plan));
    assert_false(chain_choose(&vgg.chain, "RCRR", &plan));
    assert_false(chain_choose(&vgg.chain, "RCX", &plan));
    vgg.chain.count = MOST_CHAIN_OPERATORS + 1;
    assert_false(chain_choose(&vgg.chain, NULL, &plan));
    vgg.chain.count = 1; /* no weight */
    assert_int_equal(chain_rank(&vgg.chain, ranked), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(converts_every_pair), cmocka_unit_test(sends_elements),     cmocka_unit_test(infers_products),
        cmocka_unit_test(ranks_vgg),           cmocka_unit_test(sends_closed_forms), cmocka_unit_test(chooses_by_beta),
        cmocka_unit_test(switches_to_classes), cmocka_unit_test(refuses_letters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

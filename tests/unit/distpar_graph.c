/* The plan of a graph against all plans, what is converted once for several readers, and operators on a single device.
 */
#include "distpar/graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* ---- All plans ----------------------------------------------------------------------------------------------- */

typedef struct Way {
    ChainOperation operation;
    char letter;
    Property input, weight, output;
    int weights, rows;
} Way;

static const Way ways[] = {
#define SIGNATURE(operation, letter, input, weight, output, weights, rows, collectives)                                \
    {CHAIN_##operation, letter, PROPERTY_##input, PROPERTY_##weight, PROPERTY_##output, weights, rows},
#include "distpar/signature.def"
};
enum { WAYS = sizeof ways / sizeof *ways };

typedef struct Count {
    double input, weight, output;
} Count;

static const Count counts[] = {
#define OPERATION(ID, input, weight, output) {input, weight, output},
#include "distpar/signature.def"
};

static double part(Property property, double elements, int devices)
{
    return property == PROPERTY_ROWS || property == PROPERTY_COLUMNS ? elements / devices : elements;
}

enum { MOST_VALUES = 12 };

/* What sends least to have the value so, from the forms that it has. */
static double sent_for(const GraphValue *value, unsigned held, Property to, int devices)
{
    double least = -1;
    for (int from = 0; from < PROPERTY_COUNT; from++) {
        ElementCost cost = {0};
        if ((held & 1u << from) && graph_convert(value, (Property)from, to, devices, &cost) &&
            (least < 0 || cost.sent / devices < least))
            least = cost.sent / devices;
    }
    return least;
}

/* The least cost of the operators from `at` on, by trying every way; -1: there is none. */
static double least_from(const Graph *graph, int at, const unsigned *held)
{
    if (at == graph->count)
        return 0;
    const GraphOperator *node = &graph->operators[at];
    double least = -1;
    for (int w = 0; w < WAYS; w++) {
        const Way *way = &ways[w];
        if (way->operation != node->operation || way->input == PROPERTY_ONE)
            continue;
        unsigned next[MOST_VALUES];
        memcpy(next, held, sizeof next);
        double sent = 0, inputs = 0, output = graph->values[node->output].elements;
        for (int i = 0; i < node->input_count; i++) {
            const GraphValue *value = &graph->values[node->input[i]];
            inputs += value->elements;
            sent += sent_for(value, next[node->input[i]], way->input, graph->devices);
            next[node->input[i]] |= 1u << way->input;
        }
        const Count *count = &counts[node->operation];
        sent += (graph->devices - 1) * (way->weights * node->weight + way->rows * node->rows);
        double computed = count->input * part(way->input, inputs, graph->devices) +
                          count->weight * part(way->weight, node->weight, graph->devices) +
                          count->output * part(way->output, output, graph->devices);
        next[node->output] = 1u << way->output;
        double rest = least_from(graph, at + 1, next);
        double cost = sent + graph->beta * computed + rest;
        if (rest >= 0 && (least < 0 || cost < least))
            least = cost;
    }
    return least;
}

typedef struct Drawn {
    GraphValue values[MOST_VALUES];
    GraphOperator operators[MOST_VALUES];
    Graph graph;
} Drawn;

static int below(uint64_t *seed, int count)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (int)((*seed >> 33) % (uint64_t)count);
}

/* Operators of any operation, which read any values before them. */
static void draw(uint64_t seed, Drawn *drawn)
{
    static const double betas[] = {0, 0.01, 0.1, 1, 10};
    static const Property given[] = {PROPERTY_ROWS, PROPERTY_INVARIANT, PROPERTY_COLUMNS};
    *drawn = (Drawn){0};
    int count = 2 + below(&seed, 4);
    drawn->values[0] = (GraphValue){1 + below(&seed, 1000), true, below(&seed, 2) == 0, given[below(&seed, 3)]};
    for (int i = 0; i < count; i++) {
        GraphOperator *node = &drawn->operators[i];
        *node = (GraphOperator){.operation = (ChainOperation)below(&seed, CHAIN_LOSS + 1),
                                .rows = 1 + below(&seed, 20),
                                .weight = below(&seed, 2000),
                                .frozen = false,
                                .input_count = 1,
                                .input = {i},
                                .output = i + 1,
                                .inputs = PROPERTY_ANY,
                                .outputs = PROPERTY_ANY};
        if (node->operation == CHAIN_JOIN || node->operation == CHAIN_PRODUCT || below(&seed, 3) == 0)
            node->input[node->input_count++] = below(&seed, i + 1);
        drawn->values[i + 1] = (GraphValue){.elements = 1 + below(&seed, 1000)};
    }
    drawn->graph =
        (Graph){drawn->values, drawn->operators, count + 1, count, 2 + below(&seed, 7), betas[below(&seed, 5)]};
}

static double cost_of(const Graph *graph, const ElementCost *cost)
{
    return (cost->sent + graph->beta * cost->computed) / graph->devices;
}

static void is_cheapest(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    for (uint64_t seed = 0; seed < 400; seed++) {
        Drawn drawn;
        GraphPlan plan;
        draw(seed, &drawn);
        const Graph *graph = &drawn.graph;
        unsigned held[MOST_VALUES] = {1u << drawn.values[0].held};
        assert_int_equal(graph_choose(arena, graph, &plan), GRAPH_CHOSEN);
        double least = least_from(graph, 0, held), found = cost_of(graph, &plan.cost);
        if (found < least * (1 - 1e-12) || found > least * (1 + 1e-12))
            fail_msg("graph %d costs %.17g, at least %.17g", (int)seed, found, least);
        double sum = 0;
        for (int i = 0; i < graph->count; i++)
            sum += cost_of(graph, &plan.steps[i].cost);
        assert_true(sum >= found * (1 - 1e-12) && sum <= found * (1 + 1e-12));
    }
    arena_free(arena);
}

/* ---- Several readers ----------------------------------------------------------------------------------------- */

enum { SIZE = 1000 };

static GraphOperator linear(int input, int output, char letter)
{
    return (GraphOperator){.operation = CHAIN_LINEAR,
                           .weight = 100,
                           .input_count = 1,
                           .input = {input},
                           .output = output,
                           .letter = letter,
                           .inputs = PROPERTY_ANY,
                           .outputs = PROPERTY_ANY};
}

/* Queries, keys and values read one gathered value. */
static void converts_once(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    GraphValue values[] = {{SIZE, true, false, PROPERTY_ROWS}, {.elements = 10}, {.elements = 10}, {.elements = 10}};
    GraphOperator operators[] = {linear(0, 1, 'C'), linear(0, 2, 'C'), linear(0, 3, 'C')};
    Graph graph = {values, operators, 4, 3, 4, 1};
    GraphPlan plan;
    assert_int_equal(graph_choose(arena, &graph, &plan), GRAPH_CHOSEN);
    assert_true(plan.steps[0].cost.sent == 4.0 * 2 * 3 * SIZE && plan.steps[0].from[0] == PROPERTY_ROWS);
    for (int i = 1; i < 3; i++)
        assert_true(plan.steps[i].cost.sent == 0 && plan.steps[i].from[0] == PROPERTY_REPLICATED);
    values[0].data = true; /* it has no gradient to send back */
    assert_int_equal(graph_choose(arena, &graph, &plan), GRAPH_CHOSEN);
    assert_true(plan.steps[0].cost.sent == 4.0 * 3 * SIZE);
    arena_free(arena);
}

/* Over a skip, both terms of the sum have one property. */
static void joins_agree(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    const GraphValue values[] = {
        {SIZE, true, false, PROPERTY_ROWS}, {.elements = SIZE}, {.elements = SIZE}, {.elements = SIZE}};
    GraphOperator operators[] = {linear(0, 1, 'C'),
                                 linear(1, 2, 'R'),
                                 {.operation = CHAIN_JOIN,
                                  .input_count = 2,
                                  .input = {0, 2},
                                  .output = 3,
                                  .inputs = PROPERTY_ANY,
                                  .outputs = PROPERTY_ANY}};
    Graph graph = {values, operators, 4, 3, 4, 1};
    GraphPlan plan;
    assert_int_equal(graph_choose(arena, &graph, &plan), GRAPH_CHOSEN);
    assert_int_equal(plan.steps[2].input, PROPERTY_ROWS);
    assert_int_equal(plan.steps[2].from[1], PROPERTY_PARTIAL);
    operators[2].inputs = PROPERTY_SET(INVARIANT);
    assert_int_equal(graph_choose(arena, &graph, &plan), GRAPH_CHOSEN);
    assert_int_equal(plan.steps[2].output, PROPERTY_INVARIANT);
    arena_free(arena);
}

/* ---- A single device ----------------------------------------------------------------------------------------- */

/* Every operation runs where its input is; nothing moves there by itself. */
static void runs_on_one_device(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    for (int operation = 0; operation <= CHAIN_LOSS; operation++) {
        GraphValue values[] = {{SIZE, true, false, PROPERTY_ONE}, {.elements = SIZE}};
        GraphOperator one = linear(0, 1, 0);
        one.operation = (ChainOperation)operation;
        one.inputs = PROPERTY_SET(ONE);
        Graph graph = {values, &one, 2, 1, 4, 1};
        GraphPlan plan;
        assert_int_equal(graph_choose(arena, &graph, &plan), GRAPH_CHOSEN);
        assert_int_equal(plan.steps[0].output, PROPERTY_ONE);
        assert_true(plan.cost.sent == 0 && plan.cost.computed > 0);
        one.inputs = PROPERTY_ANY;
        values[0].held = PROPERTY_ROWS;
        graph.beta = 0; /* a gather to one device would send less than one to all */
        assert_int_equal(graph_choose(arena, &graph, &plan), GRAPH_CHOSEN);
        assert_true(plan.steps[0].input != PROPERTY_ONE);
    }
    arena_free(arena);
}

/* By its letter a layer runs there: its input is gathered, the gradient scattered; what follows stays there. */
static void moves_to_one_device(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    const GraphValue values[] = {{SIZE, true, false, PROPERTY_ROWS}, {.elements = SIZE}, {.elements = SIZE}};
    GraphOperator operators[] = {linear(0, 1, '1'), linear(1, 2, 0)};
    operators[1].operation = CHAIN_LOSS;
    Graph graph = {values, operators, 3, 2, 4, 0};
    GraphPlan plan;
    assert_int_equal(graph_choose(arena, &graph, &plan), GRAPH_CHOSEN);
    assert_true(plan.cost.sent == 2.0 * 3 * SIZE);
    assert_int_equal(plan.steps[1].output, PROPERTY_ONE);
    arena_free(arena);
}

/* ---- What has no plan ---------------------------------------------------------------------------------------- */

static void refuses(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    const GraphValue values[] = {{SIZE, true, false, PROPERTY_ROWS}, {.elements = SIZE}};
    GraphOperator one = linear(0, 1, 'X');
    const Graph graph = {values, &one, 2, 1, 4, 1};
    GraphPlan plan;
    assert_false(graph_has_signature(&one));
    assert_int_equal(graph_choose(arena, &graph, &plan), GRAPH_NO_PLAN);
    one = linear(0, 1, 'D');
    one.outputs = PROPERTY_SET(COLUMNS);
    assert_false(graph_has_signature(&one));
    assert_int_equal(graph_choose(arena, &graph, &plan), GRAPH_NO_PLAN);
    one.outputs = PROPERTY_SET(ROWS);
    assert_true(graph_has_signature(&one));
    assert_int_equal(graph_choose(arena, &graph, &plan), GRAPH_CHOSEN);
    arena_free(arena);
}

/* As many values as can be alive, and one more. */
static void counts_values(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    enum { COUNT = MOST_GRAPH_ALIVE + 1 };
    for (int count = MOST_GRAPH_ALIVE; count <= COUNT; count++) {
        GraphValue values[COUNT + 2] = {0};
        GraphOperator operators[COUNT + 1];
        for (int i = 0; i < count; i++) {
            values[i] = (GraphValue){SIZE, true, false, PROPERTY_ROWS};
            operators[i] = linear(i, count, 'D');
            operators[i].operation = CHAIN_LINEAR;
        }
        Graph graph = {values, operators, count + 1, count, 4, 1};
        GraphPlan plan;
        assert_int_equal(graph_choose(arena, &graph, &plan),
                         count <= MOST_GRAPH_ALIVE ? GRAPH_CHOSEN : GRAPH_TOO_LARGE);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_cheapest),        cmocka_unit_test(converts_once),       cmocka_unit_test(joins_agree),
        cmocka_unit_test(runs_on_one_device), cmocka_unit_test(moves_to_one_device), cmocka_unit_test(refuses),
        cmocka_unit_test(counts_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

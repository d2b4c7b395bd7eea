/* graph.h - the plan of least cost for operators that may have several inputs, and values that several operators read.
 *
 * All inputs of an operator have one property: so the terms of a sum agree. A value is converted to a property once,
 * whoever reads it like that, and its cotangent once on the way back. The choice goes through the operators in their
 * order and keeps the cheapest way to every combination of properties of the values that are still to be read: it is
 * exact. A chain is the graph in which every operator reads the one before it.
 *
 *     Graph graph = {.values = values, .value_count = 3, .operators = operators, .count = 2, .devices = 4, .beta =
 * 0.1}; GraphPlan plan; if (graph_choose(arena, &graph, &plan) == GRAPH_CHOSEN) letter = plan.steps[0].letter;
 */
#ifndef PLACE_DISTPAR_GRAPH_H
#define PLACE_DISTPAR_GRAPH_H

#include "base/arena.h"
#include "distpar/distpar.h"

enum { MOST_GRAPH_INPUTS = 4, MOST_GRAPH_ALIVE = 16 };

/* Sets of properties: one bit each. */
typedef unsigned PropertySet;
#define PROPERTY_SET(ID) (1u << PROPERTY_##ID)
enum { PROPERTY_ANY = (1 << PROPERTY_COUNT) - 1 };

typedef struct GraphValue {
    double elements;
    bool given; /* no operator makes it: it has the property `held` */
    bool data;  /* given, without a gradient: nothing is sent back */
    Property held;
} GraphValue;

typedef struct GraphOperator {
    ChainOperation operation;
    double rows, weight;                               /* as in ChainOperator */
    bool frozen;                                       /* the weight has no gradient */
    int input_count, input[MOST_GRAPH_INPUTS], output; /* values */
    char letter;                                       /* that it must have; 0: any */
    PropertySet inputs, outputs;                       /* that it may have */
} GraphOperator;

typedef struct Graph {
    const GraphValue *values;
    const GraphOperator *operators;
    int value_count, count, devices;
    double beta;
} Graph;

typedef struct GraphStep {
    char letter;
    Property input, output;
    Property from[MOST_GRAPH_INPUTS]; /* what each input is converted from; equal to `input`: it is not */
    ElementCost cost;                 /* of the conversions and the operator */
} GraphStep;

typedef struct GraphPlan {
    ElementCost cost;
    GraphStep *steps; /* one per operator, in the arena */
} GraphPlan;

typedef enum GraphResult {
    GRAPH_CHOSEN,
    GRAPH_NO_PLAN,  /* an operator has no signature with its letter and properties */
    GRAPH_TOO_LARGE /* too many values are still to be read at one place */
} GraphResult;

GraphResult graph_choose(Arena *arena, const Graph *graph, GraphPlan *plan);

/* Has the operator a signature with its letter and properties? */
bool graph_has_signature(const GraphOperator *node);

/* Below 0: a is cheaper; of equal costs that with fewer collectives is first, then that which sends less. */
int cost_compare(double beta, const ElementCost *a, const ElementCost *b);

/* What converting a value sends; false if there is no such conversion. */
bool graph_convert(const GraphValue *value, Property from, Property to, int devices, ElementCost *cost);

#endif

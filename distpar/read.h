/* read.h - the graph of operators that DistPar costs, read from what one device runs: the forward pass of the step.
 *
 *     Model model;
 *     if (!read_model(ctx, train, axis, given, &model))     // errors were reported
 *     graph_choose(arena, &model.graph, &plan);
 *
 * A value that has the batch as a dim is a value of the graph, layer by layer; everything else is a weight, or a number
 * that every device has. One operator of the graph is a product or convolution with its bias, a normalization, a
 * cross-entropy, or any other operator of the step program. Operators that add to tables or choose, as those of
 * experts, are none.
 */
#ifndef PLACE_DISTPAR_READ_H
#define PLACE_DISTPAR_READ_H

#include "base/ctx.h"
#include "distpar/graph.h"
#include "reference/train.h"

/* Where the step program has a value of the graph: an operand of an operator or, -1, its result. A bit of
 * `batch` for each dim that is the batch; its columns are along another dim; -1: it has none. */
typedef struct ModelSide {
    const Op *op;
    int operand;
    unsigned batch;
    int columns;
} ModelSide;

typedef struct ModelOperator {
    const char *name, *computes; /* "block.mlp.up", "einsum" */
    Span span;
    int loop;      /* of layers, by its id; -1: none */
    int group;     /* that the loop repeats */
    int64_t layer; /* 0 outside loops */
    ModelSide input[MOST_GRAPH_INPUTS], output;
    Vec(ModelSide) within; /* results of the operators of the step program before the last one of it */
} ModelOperator;

typedef struct Model {
    Graph graph; /* of all devices along the axis; beta is still to be set */
    Vec(GraphValue) values;
    Vec(const char *) value_names;
    Vec(GraphOperator) operators;
    Vec(ModelOperator) described; /* the same operators */
    Vec(const char *) shared;     /* weights that several operators use, by name */
} Model;

enum { MOST_MODEL_OPERATORS = 4096 };

/* `given`: the property of the data. False where an operator has no property, which was reported (P0366). */
bool read_model(Ctx *ctx, const Train *train, int axis, Property given, Model *model);

#endif

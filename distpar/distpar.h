/* distpar.h - placements as in DistPar: a property for every tensor of a chain of layers over one axis of devices, and
 * the cost of a training step in elements: those that all devices send, and `beta` times those that one device reads
 * and writes. A conversion stands where the properties of an output and of the next input differ.
 *
 *     ChainOperator head[] = {{CHAIN_LINEAR, 64, 64 * 512, 64 * 10000, 512 * 10000}, {CHAIN_LOSS, 64, 640000, 0, 0}};
 *     Chain chain = {head, 2, 8, 1, PROPERTY_ROWS};
 *     ChainPlan plan;
 *     if (chain_choose(&chain, NULL, &plan))      // or "D": data parallel
 *         elements = chain_cost(&chain, &plan.cost);
 */
#ifndef PLACE_DISTPAR_DISTPAR_H
#define PLACE_DISTPAR_DISTPAR_H

#include <stdbool.h>

typedef enum Property {
#define PROPERTY(ID, name, split, dual) PROPERTY_##ID,
#include "distpar/property.def"
#undef PROPERTY
} Property;
enum { PROPERTY_COUNT = PROPERTY_ONE + 1 };

typedef enum ChainOperation {
#define OPERATION(ID, input, weight, output) CHAIN_##ID,
#include "distpar/signature.def"
} ChainOperation;
enum { MOST_CHAIN_OPERATORS = 256, MOST_RANKED_LAYERS = 6, MOST_RANKED = 729 /* 3 to the power of it */ };

/* Elements are doubles, exact below 2^53. */
typedef struct ChainOperator {
    ChainOperation operation;
    double rows;                  /* of the batch, on all devices */
    double input, output, weight; /* elements on all devices; the weight's with its bias */
} ChainOperator;

typedef struct Chain {
    const ChainOperator *operators;
    int count, devices;
    double beta;
    Property given; /* the first input's */
} Chain;

/* Both times the number of devices, so that they are whole. */
typedef struct ElementCost {
    double sent, computed;
    int collectives;
} ElementCost;

typedef struct ChainPlan {
    ElementCost cost;
    Property input[MOST_CHAIN_OPERATORS], output[MOST_CHAIN_OPERATORS];
    char letter[MOST_CHAIN_OPERATORS]; /* D, C, R or B; 0: it has no weight */
} ChainPlan;

typedef struct RankedChain {
    char letters[MOST_RANKED_LAYERS + 1];
    ElementCost cost;
} RankedChain;

/* Output of a product, with the conversions of its inputs that send least. */
typedef struct Inference {
    Property left, right, output;
    double sent; /* times the number of devices */
} Inference;

const char *property_name(Property property);
Property property_dual(Property property);

/* Adds what a conversion of `elements` sends forward, times the number of devices; false if there is none. */
bool conversion_forward(Property from, Property to, double elements, int devices, ElementCost *cost);
/* The same forward and backward. */
bool conversion_both(Property from, Property to, double elements, int devices, ElementCost *cost);
/* "all_gather"; NULL: there is no conversion, or the properties are equal. */
const char *conversion_primitive(Property from, Property to);

Inference infer_matmul(Property left, Property right, double left_elements, double right_elements, int devices);

/* Elements sent plus beta times those computed. */
double chain_cost(const Chain *chain, const ElementCost *cost);

/* The plan of least cost; `letters`, one for each linear layer, fixes these, NULL leaves them free. False: there is no
 * plan, because the chain is longer than MOST_CHAIN_OPERATORS, or its letters are not those of its layers. */
bool chain_choose(const Chain *chain, const char *letters, ChainPlan *plan);

/* Ranks all strings of D, C and R for the linear layers, cheapest first; of equal ones that with fewer collectives,
 * then with fewer elements sent, then D before C before R. The number of them; 0: there are no such layers, or more
 * than MOST_RANKED_LAYERS, or no plan. */
int chain_rank(const Chain *chain, RankedChain ranked[MOST_RANKED]);

#endif

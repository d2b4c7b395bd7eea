#include "distpar/distpar.h"

#include <string.h>

/* ---- Properties and conversions ------------------------------------------------------------------------------ */

typedef struct PropertyInfo {
    const char *name;
    bool split;
    Property dual;
} PropertyInfo;

static const PropertyInfo properties[PROPERTY_COUNT] = {
#define PROPERTY(ID, name, split, dual) {name, split, PROPERTY_##dual},
#include "distpar/property.def"
#undef PROPERTY
};

/* primitive: NULL where there is no row. */
typedef struct Conversion {
    const char *primitive;
    int whole, part, collectives;
} Conversion;

static const Conversion conversions[PROPERTY_COUNT][PROPERTY_COUNT] = {
#define CONVERSION(from, to, primitive, whole, part, collectives)                                                      \
    [PROPERTY_##from][PROPERTY_##to] = {primitive, whole, part, collectives},
#include "distpar/conversion.def"
#undef CONVERSION
};

const char *property_name(Property property)
{
    return properties[property].name;
}

Property property_dual(Property property)
{
    return properties[property].dual;
}

const char *conversion_primitive(Property from, Property to)
{
    return conversions[from][to].primitive;
}

bool conversion_forward(Property from, Property to, double elements, int devices, ElementCost *cost)
{
    if (from == to)
        return true;
    const Conversion *conversion = &conversions[from][to];
    if (!conversion->primitive)
        return false;
    cost->sent += (devices - 1) * ((double)conversion->whole * devices + conversion->part) * elements;
    cost->collectives += conversion->collectives;
    return true;
}

bool conversion_both(Property from, Property to, double elements, int devices, ElementCost *cost)
{
    return from == to || (conversion_forward(from, to, elements, devices, cost) &&
                          conversion_forward(property_dual(to), property_dual(from), elements, devices, cost));
}

/* ---- Immediate inference ------------------------------------------------------------------------------------- */

typedef struct Product {
    Property left, right, output;
} Product;

static const Product products[] = {
#define MATMUL(left, right, output) {PROPERTY_##left, PROPERTY_##right, PROPERTY_##output},
#include "distpar/signature.def"
};
enum { PRODUCT_COUNT = sizeof products / sizeof *products };

/* Of inputs with other labels only: among equal ones a product that converts fewer inputs. */
static int inputs_converted(const Product *product, Property left, Property right)
{
    return (product->left != left) + (product->right != right);
}

Inference infer_matmul(Property left, Property right, double left_elements, double right_elements, int devices)
{
    Inference best = {.sent = -1};
    int best_converted = 0;
    for (int i = 0; i < PRODUCT_COUNT; i++) {
        const Product *product = &products[i];
        ElementCost cost = {0};
        if (!conversion_forward(left, product->left, left_elements, devices, &cost) ||
            !conversion_forward(right, product->right, right_elements, devices, &cost))
            continue;
        int converted = inputs_converted(product, left, right);
        if (best.sent >= 0 && (cost.sent > best.sent || (cost.sent == best.sent && converted >= best_converted)))
            continue;
        best = (Inference){product->left, product->right, product->output, cost.sent};
        best_converted = converted;
    }
    return best;
}

/* ---- The cost of an operator --------------------------------------------------------------------------------- */

typedef struct Uses {
    int input, weight, output;
} Uses;

static const Uses uses[] = {
#define OPERATION(ID, input, weight, output) {input, weight, output},
#include "distpar/signature.def"
};

typedef struct Signature {
    ChainOperation operation;
    char letter;
    Property input, weight, output;
    int weights, rows, collectives;
} Signature;

static const Signature signatures[] = {
#define SIGNATURE(operation, letter, input, weight, output, weights, rows, collectives)                                \
    {CHAIN_##operation, letter, PROPERTY_##input, PROPERTY_##weight, PROPERTY_##output, weights, rows, collectives},
#include "distpar/signature.def"
};
enum { SIGNATURE_COUNT = sizeof signatures / sizeof *signatures };

/* Elements on one device, times the number of devices. */
static double local_elements(Property property, double elements, int devices)
{
    return properties[property].split ? elements : elements * devices;
}

static void add_operator(const Signature *signature, const ChainOperator *operator, int devices, ElementCost *cost)
{
    const Uses *use = &uses[operator->operation];
    cost->computed += use->input * local_elements(signature->input, operator->input, devices) +
                      use->weight * local_elements(signature->weight, operator->weight, devices) +
                      use->output * local_elements(signature->output, operator->output, devices);
    cost->sent +=
        (devices - 1.0) * devices * (signature->weights * operator->weight + signature->rows * operator->rows);
    cost->collectives += signature->collectives;
}

/* ---- Choosing ------------------------------------------------------------------------------------------------ */

double chain_cost(const Chain *chain, const ElementCost *cost)
{
    return (cost->sent + chain->beta * cost->computed) / chain->devices;
}

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

static int compare_costs(const Chain *chain, const ElementCost *a, const ElementCost *b)
{
    int order = compare(chain_cost(chain, a), chain_cost(chain, b));
    if (order == 0)
        order = compare(a->collectives, b->collectives);
    return order ? order : compare(a->sent, b->sent);
}

/* The cheapest plan that ends with each property. */
typedef struct Ends {
    bool any[PROPERTY_COUNT];
    ChainPlan plan[PROPERTY_COUNT];
} Ends;

/* Continues a plan with operator `at`, run as the signature says. */
static void continue_with(const Chain *chain, const ChainPlan *before, Property from, int at,
                          const Signature *signature, Ends *after)
{
    ChainPlan plan = *before;
    const ChainOperator *operator= & chain->operators[at];
    if (!conversion_both(from, signature->input, operator->input, chain->devices, &plan.cost))
        return;
    add_operator(signature, operator, chain->devices, &plan.cost);
    plan.input[at] = signature->input;
    plan.output[at] = signature->output;
    plan.letter[at] = signature->letter;
    Property end = signature->output;
    if (after->any[end] && compare_costs(chain, &plan.cost, &after->plan[end].cost) >= 0)
        return;
    after->any[end] = true;
    after->plan[end] = plan;
}

/* letter: 0 leaves it free. */
static void extend(const Chain *chain, const Ends *before, int at, char letter, Ends *after)
{
    for (int i = 0; i < SIGNATURE_COUNT; i++) {
        const Signature *signature = &signatures[i];
        if (signature->operation != chain->operators[at].operation || (letter && signature->letter != letter))
            continue;
        for (int from = 0; from < PROPERTY_COUNT; from++)
            if (before->any[from])
                continue_with(chain, &before->plan[from], (Property)from, at, signature, after);
    }
}

static int linear_layers(const Chain *chain)
{
    int layers = 0;
    for (int i = 0; i < chain->count; i++)
        layers += chain->operators[i].operation == CHAIN_LINEAR;
    return layers;
}

bool chain_choose(const Chain *chain, const char *letters, ChainPlan *plan)
{
    if (chain->count > MOST_CHAIN_OPERATORS || (letters && (int)strlen(letters) != linear_layers(chain)))
        return false;
    Ends ends = {0};
    ends.any[chain->given] = true;
    for (int i = 0; i < chain->count; i++) {
        bool fixed = letters && chain->operators[i].operation == CHAIN_LINEAR;
        Ends after = {0};
        extend(chain, &ends, i, fixed ? *letters++ : 0, &after);
        ends = after;
    }
    const ChainPlan *best = NULL;
    for (int end = 0; end < PROPERTY_COUNT; end++)
        if (ends.any[end] && (!best || compare_costs(chain, &ends.plan[end].cost, &best->cost) < 0))
            best = &ends.plan[end];
    if (best)
        *plan = *best;
    return best != NULL;
}

/* ---- Ranking ------------------------------------------------------------------------------------------------- */

/* The strings of letters in their order, which breaks the last ties. */
static void write_letters(int number, int layers, char *letters)
{
    letters[layers] = '\0';
    for (int i = layers - 1; i >= 0; i--, number /= 3)
        letters[i] = "DCR"[number % 3];
}

/* Puts it after those that are no dearer. */
static void insert(const Chain *chain, RankedChain *ranked, int count, RankedChain one)
{
    int at = count;
    for (; at > 0 && compare_costs(chain, &one.cost, &ranked[at - 1].cost) < 0; at--)
        ranked[at] = ranked[at - 1];
    ranked[at] = one;
}

int chain_rank(const Chain *chain, RankedChain ranked[MOST_RANKED])
{
    int layers = linear_layers(chain), count = 1;
    if (layers == 0 || layers > MOST_RANKED_LAYERS)
        return 0;
    for (int i = 0; i < layers; i++)
        count *= 3;
    for (int i = 0; i < count; i++) {
        RankedChain one;
        ChainPlan plan;
        write_letters(i, layers, one.letters);
        if (!chain_choose(chain, one.letters, &plan))
            return 0;
        one.cost = plan.cost;
        insert(chain, ranked, i, one);
    }
    return count;
}

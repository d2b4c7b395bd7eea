#include "distpar/distpar.h"
#include "distpar/graph.h"

#include <string.h>

/* ---- Properties and conversions ------------------------------------------------------------------------------ */

typedef struct PropertyInfo {
    const char *name;
    Property dual;
} PropertyInfo;

static const PropertyInfo properties[PROPERTY_COUNT] = {
#define PROPERTY(ID, name, split, dual) {name, PROPERTY_##dual},
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

/* ---- Choosing ------------------------------------------------------------------------------------------------ */

double chain_cost(const Chain *chain, const ElementCost *cost)
{
    return (cost->sent + chain->beta * cost->computed) / chain->devices;
}

static int linear_layers(const Chain *chain)
{
    int layers = 0;
    for (int i = 0; i < chain->count; i++)
        layers += chain->operators[i].operation == CHAIN_LINEAR;
    return layers;
}

/* Value i is what operator i reads. */
static Graph chain_graph(const Chain *chain, const char *letters, GraphValue *values, GraphOperator *operators)
{
    values[0] = (GraphValue){.elements = chain->operators[0].input, .given = true, .held = chain->given};
    for (int i = 0; i < chain->count; i++) {
        const ChainOperator *from = &chain->operators[i];
        bool fixed = letters && from->operation == CHAIN_LINEAR;
        values[i + 1] = (GraphValue){.elements = from->output};
        operators[i] = (GraphOperator){.operation = from->operation,
                                       .rows = from->rows,
                                       .weight = from->weight,
                                       .input_count = 1,
                                       .input = {i},
                                       .output = i + 1,
                                       .letter = fixed ? *letters++ : (char)0,
                                       .inputs = PROPERTY_ANY,
                                       .outputs = PROPERTY_ANY};
    }
    return (Graph){values, operators, chain->count + 1, chain->count, chain->devices, chain->beta};
}

bool chain_choose(const Chain *chain, const char *letters, ChainPlan *plan)
{
    if (chain->count < 1 || chain->count > MOST_CHAIN_OPERATORS ||
        (letters && (int)strlen(letters) != linear_layers(chain)))
        return false;
    Arena *arena = arena_new();
    GraphValue *values = arena_array(arena, GraphValue, chain->count + 1);
    GraphOperator *operators = arena_array(arena, GraphOperator, chain->count);
    Graph graph = chain_graph(chain, letters, values, operators);
    GraphPlan found;
    bool any = graph_choose(arena, &graph, &found) == GRAPH_CHOSEN;
    if (any)
        *plan = (ChainPlan){.cost = found.cost};
    for (int i = 0; any && i < chain->count; i++) {
        plan->input[i] = found.steps[i].input;
        plan->output[i] = found.steps[i].output;
        plan->letter[i] = found.steps[i].letter;
    }
    arena_free(arena);
    return any;
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
    for (; at > 0 && cost_compare(chain->beta, &one.cost, &ranked[at - 1].cost) < 0; at--)
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

/* graph.c - chooses a signature for every operator (distpar/graph.h). */
#include "distpar/graph.h"

#include "base/vec.h"
#include <stdint.h>
#include <string.h>

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

static const bool split[PROPERTY_COUNT] = {
#define PROPERTY(ID, name, split, dual) split,
#include "distpar/property.def"
#undef PROPERTY
};

/* Elements on one device, times the number of devices. */
static double local_elements(Property property, double elements, int devices)
{
    return split[property] ? elements : elements * devices;
}

static void add_operator(const Graph *graph, const GraphOperator *node, const Signature *signature, ElementCost *cost)
{
    const Uses *use = &uses[node->operation];
    int devices = graph->devices;
    double inputs = 0, output = graph->values[node->output].elements;
    for (int i = 0; i < node->input_count; i++)
        inputs += graph->values[node->input[i]].elements;
    cost->computed += use->input * local_elements(signature->input, inputs, devices) +
                      use->weight * local_elements(signature->weight, node->weight, devices) +
                      use->output * local_elements(signature->output, output, devices);
    double trained = node->frozen ? 0 : node->weight;
    cost->sent += (devices - 1.0) * devices * (signature->weights * trained + signature->rows * node->rows);
    cost->collectives += signature->collectives;
}

bool graph_convert(const GraphValue *value, Property from, Property to, int devices, ElementCost *cost)
{
    return value->data ? conversion_forward(from, to, value->elements, devices, cost)
                       : conversion_both(from, to, value->elements, devices, cost);
}

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

int cost_compare(double beta, const ElementCost *a, const ElementCost *b)
{
    int order = compare(a->sent + beta * a->computed, b->sent + beta * b->computed);
    if (order == 0)
        order = compare(a->collectives, b->collectives);
    return order ? order : compare(a->sent, b->sent);
}

/* ---- What an operator may do --------------------------------------------------------------------------------- */

static bool is_in(PropertySet set, Property property)
{
    return (set & 1u << property) != 0;
}

static bool fits(const GraphOperator *node, const Signature *signature)
{
    return signature->operation == node->operation && (!node->letter || node->letter == signature->letter) &&
           is_in(node->inputs, signature->input) && is_in(node->outputs, signature->output);
}

bool graph_has_signature(const GraphOperator *node)
{
    for (int i = 0; i < SIGNATURE_COUNT; i++)
        if (fits(node, &signatures[i]))
            return true;
    return false;
}

/* ---- States -------------------------------------------------------------------------------------------------- */

/* The properties in which the values that are still to be read exist, value by value; what leads there, and its cost.
 */
typedef struct State {
    uint8_t held[MOST_GRAPH_ALIVE];
    ElementCost cost;
    int trail;
} State;

/* The last signature of a way, and what came before it; -1: nothing. */
typedef struct Trail {
    int before, signature;
} Trail;

typedef struct States {
    State *data;
    int count, capacity;
    int *table; /* by hash: a state's number + 1 */
    int table_size;
} States;

enum { MOST_STATES = 1 << 18 };

typedef struct Choosing {
    Arena *arena; /* of the choice */
    const Graph *graph;
    int *last_reader; /* per value: an operator, or -1 */
    int alive[MOST_GRAPH_ALIVE], alive_count;
    States before, after;
    Vec(Trail) trails;
} Choosing;

static unsigned hash_of(const State *state)
{
    unsigned hash = 2166136261u;
    for (int i = 0; i < MOST_GRAPH_ALIVE; i++)
        hash = (hash ^ state->held[i]) * 16777619u;
    return hash;
}

/* The place of a state in the table: its own, or an empty one. */
static int *place_of(const States *states, const State *state)
{
    unsigned at = hash_of(state);
    for (;; at++) {
        int *place = &states->table[at & (unsigned)(states->table_size - 1)];
        if (*place == 0 || memcmp(states->data[*place - 1].held, state->held, sizeof state->held) == 0)
            return place;
    }
}

static void enlarge_table(Arena *arena, States *states)
{
    states->table_size = states->table_size ? 2 * states->table_size : 64;
    states->table = arena_array(arena, int, states->table_size);
    for (int i = 0; i < states->count; i++)
        *place_of(states, &states->data[i]) = i + 1;
}

static void clear_states(States *states)
{
    states->count = 0;
    if (states->table_size > 0)
        memset(states->table, 0, sizeof *states->table * (size_t)states->table_size);
}

/* Keeps the cheaper one of two equal states. */
static void keep_state(Choosing *choosing, State *state, int before, int signature)
{
    States *states = &choosing->after;
    if (2 * states->count >= states->table_size)
        enlarge_table(choosing->arena, states);
    int *place = place_of(states, state);
    if (*place && cost_compare(choosing->graph->beta, &state->cost, &states->data[*place - 1].cost) >= 0)
        return;
    state->trail = choosing->trails.count;
    vec_push(choosing->arena, &choosing->trails, (Trail){before, signature});
    if (*place) {
        states->data[*place - 1] = *state;
        return;
    }
    vec_push(choosing->arena, states, *state);
    *place = states->count;
}

/* ---- Choosing ------------------------------------------------------------------------------------------------ */

static int alive_at(const Choosing *choosing, int value)
{
    for (int i = 0; i < choosing->alive_count; i++)
        if (choosing->alive[i] == value)
            return i;
    return -1;
}

/* Makes a value exist in a property, from the property it has that sends least; says which in *from. */
static bool convert_held(const Graph *graph, const GraphValue *value, Property to, uint8_t *held, ElementCost *cost,
                         Property *from)
{
    ElementCost best = {0};
    bool any = false;
    for (int property = 0; property < PROPERTY_COUNT; property++) {
        ElementCost one = {0};
        if (!is_in(*held, (Property)property) || !graph_convert(value, (Property)property, to, graph->devices, &one))
            continue;
        if (property == (int)to || !any || (*from != to && cost_compare(graph->beta, &one, &best) < 0)) {
            best = one;
            *from = (Property)property;
        }
        any = true;
    }
    cost->sent += best.sent;
    cost->collectives += best.collectives;
    *held |= (uint8_t)(1u << to);
    return any;
}

/* Nothing moves to a single device unless the operator must run there. */
static bool may_move(const GraphOperator *node, const Signature *signature, uint8_t held)
{
    return signature->input != PROPERTY_ONE || is_in(held, PROPERTY_ONE) || node->letter != 0 ||
           node->inputs == PROPERTY_SET(ONE);
}

/* Runs an operator: its inputs are converted, `step` is what it does. */
static bool run_operator(const Choosing *choosing, int at, const Signature *signature, State *state, GraphStep *step)
{
    const Graph *graph = choosing->graph;
    const GraphOperator *node = &graph->operators[at];
    *step = (GraphStep){.letter = signature->letter, .input = signature->input, .output = signature->output};
    for (int i = 0; i < node->input_count; i++) {
        uint8_t *held = &state->held[alive_at(choosing, node->input[i])];
        if (!may_move(node, signature, *held) ||
            !convert_held(graph, &graph->values[node->input[i]], signature->input, held, &step->cost, &step->from[i]))
            return false;
    }
    add_operator(graph, node, signature, &step->cost);
    state->cost.sent += step->cost.sent;
    state->cost.computed += step->cost.computed;
    state->cost.collectives += step->cost.collectives;
    return true;
}

/* The values that are alive after an operator: the places of those that were, and whether its output is. */
typedef struct Alive {
    int kept[MOST_GRAPH_ALIVE], kept_count;
    bool output;
} Alive;

static Alive alive_after(const Choosing *choosing, int at)
{
    Alive alive = {.output = choosing->last_reader[choosing->graph->operators[at].output] > at};
    for (int i = 0; i < choosing->alive_count; i++)
        if (choosing->last_reader[choosing->alive[i]] > at)
            alive.kept[alive.kept_count++] = i;
    return alive;
}

static void keep_alive(const Alive *alive, Property output, State *state)
{
    State next = {.cost = state->cost};
    for (int i = 0; i < alive->kept_count; i++)
        next.held[i] = state->held[alive->kept[i]];
    if (alive->output)
        next.held[alive->kept_count] = (uint8_t)(1u << output);
    *state = next;
}

static void set_alive(Choosing *choosing, const Alive *alive, int at)
{
    for (int i = 0; i < alive->kept_count; i++)
        choosing->alive[i] = choosing->alive[alive->kept[i]];
    choosing->alive_count = alive->kept_count;
    if (alive->output)
        choosing->alive[choosing->alive_count++] = choosing->graph->operators[at].output;
}

static GraphResult choose_operator(Choosing *choosing, int at)
{
    const GraphOperator *node = &choosing->graph->operators[at];
    const Alive alive = alive_after(choosing, at);
    if (alive.kept_count + alive.output > MOST_GRAPH_ALIVE)
        return GRAPH_TOO_LARGE;
    clear_states(&choosing->after);
    for (int s = 0; s < SIGNATURE_COUNT; s++)
        for (int i = 0; i < choosing->before.count && fits(node, &signatures[s]); i++) {
            State state = choosing->before.data[i];
            GraphStep step;
            if (!run_operator(choosing, at, &signatures[s], &state, &step))
                continue;
            keep_alive(&alive, signatures[s].output, &state);
            keep_state(choosing, &state, choosing->before.data[i].trail, s);
            if (choosing->after.count > MOST_STATES)
                return GRAPH_TOO_LARGE;
        }
    set_alive(choosing, &alive, at);
    States spare = choosing->before;
    choosing->before = choosing->after;
    choosing->after = spare;
    return choosing->before.count > 0 ? GRAPH_CHOSEN : GRAPH_NO_PLAN;
}

/* The state before the first operator: only given values. False if they are too many. */
static bool start(Choosing *choosing, State *state)
{
    const Graph *graph = choosing->graph;
    *state = (State){.trail = -1};
    for (int value = 0; value < graph->value_count; value++) {
        if (!graph->values[value].given || choosing->last_reader[value] < 0)
            continue;
        if (choosing->alive_count == MOST_GRAPH_ALIVE)
            return false;
        state->held[choosing->alive_count] = (uint8_t)(1u << graph->values[value].held);
        choosing->alive[choosing->alive_count++] = value;
    }
    return true;
}

static void find_readers(Choosing *choosing)
{
    const Graph *graph = choosing->graph;
    choosing->alive_count = 0;
    choosing->last_reader = arena_array(choosing->arena, int, graph->value_count + 1);
    for (int value = 0; value < graph->value_count; value++)
        choosing->last_reader[value] = -1;
    for (int at = 0; at < graph->count; at++)
        for (int i = 0; i < graph->operators[at].input_count; i++)
            choosing->last_reader[graph->operators[at].input[i]] = at;
}

/* Runs the signatures that led to the best state once more, for what each step converts. */
static void replay(Arena *arena, Choosing *choosing, const State *best, GraphPlan *plan)
{
    const Graph *graph = choosing->graph;
    int *chosen = arena_array(choosing->arena, int, graph->count + 1), trail = best->trail;
    for (int at = graph->count - 1; at >= 0; at--) {
        chosen[at] = choosing->trails.data[trail].signature;
        trail = choosing->trails.data[trail].before;
    }
    State state;
    find_readers(choosing);
    start(choosing, &state);
    *plan = (GraphPlan){.cost = best->cost, .steps = arena_array(arena, GraphStep, graph->count + 1)};
    for (int at = 0; at < graph->count; at++) {
        const Alive alive = alive_after(choosing, at);
        run_operator(choosing, at, &signatures[chosen[at]], &state, &plan->steps[at]);
        keep_alive(&alive, signatures[chosen[at]].output, &state);
        set_alive(choosing, &alive, at);
    }
}

static GraphResult choose(Arena *arena, Choosing *choosing, GraphPlan *plan)
{
    State first;
    find_readers(choosing);
    if (!start(choosing, &first))
        return GRAPH_TOO_LARGE;
    vec_push(choosing->arena, &choosing->before, first);
    for (int at = 0; at < choosing->graph->count; at++) {
        GraphResult result = choose_operator(choosing, at);
        if (result != GRAPH_CHOSEN)
            return result;
    }
    const State *best = &choosing->before.data[0]; /* nothing is alive: it is the only one */
    replay(arena, choosing, best, plan);
    return GRAPH_CHOSEN;
}

GraphResult graph_choose(Arena *arena, const Graph *graph, GraphPlan *plan)
{
    Choosing choosing = {.arena = arena_new(), .graph = graph};
    GraphResult result = choose(arena, &choosing, plan);
    arena_free(choosing.arena);
    return result;
}

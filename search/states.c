/* states.c - terms of gradients, states and updates, and what a rank has of states in memory (search/terms.h). */
#include "search/terms.h"

#include <math.h>

/* ---- Terms -------------------------------------------------------------------------------------------------- */

static double layers_of(const Tensors *b, int tensor)
{
    int group = b->facts->decls->tensors.data[tensor].group;
    return group >= 0 ? (double)b->facts->decls->groups.data[group].layers : 1;
}

/* Of all the parameters that a layer has, or that are outside them. */
static double share_of(const Tensors *b, int tensor)
{
    const Decls *decls = b->facts->decls;
    double elements = 0;
    for (int i = 0; i < decls->tensors.count; i++)
        if (decls->tensors.data[i].group == decls->tensors.data[tensor].group)
            elements += (double)tensor_elements(&decls->tensors.data[i]);
    return (double)tensor_elements(&decls->tensors.data[tensor]) / elements;
}

/* How many loops over layers read it: gathered for a pass, it is gathered for the other again. */
static int passes_of(const Tensors *b, int tensor)
{
    int passes = 1;
    for (int i = 0; i < b->facts->reference->buffers.count; i++) {
        const RefBuffer *info = &b->facts->buffers[i];
        if (info->role == ROLE_PARAMETER && info->tensor == tensor && b->where[i].uses.count > 0 &&
            b->where[i].uses.data[0].by_layer)
            passes = b->where[i].uses.count;
    }
    return passes;
}

static void add_gradient(Tensors *b, int buffer)
{
    const Where *where = &b->where[buffer];
    const RefBuffer *info = &b->facts->buffers[buffer];
    const Tensor *tensor = &b->facts->decls->tensors.data[info->tensor];
    const Stored *stored = &b->stored[info->tensor];
    double layers = layers_of(b, info->tensor);
    const Copied copied = {.gradient_bytes = layers * info->bytes,
                           .parameter_bytes = layers * (double)tensor_elements(tensor) *
                                              (double)dtype_bytes(b->facts->decls->compute_dtype),
                           .layers = layers,
                           .share = share_of(b, info->tensor),
                           .passes = passes_of(b, info->tensor)};
    if (where->variable < 0)
        return;
    Term term = {.costs = arena_array(b->arena, double, stored->count * where->count)};
    if (stored->variable >= 0)
        term.variable[term.count++] = stored->variable;
    term.variable[term.count++] = where->variable;
    for (int at = 0; at < stored->count; at++)
        for (int i = 0; i < where->count; i++)
            term.costs[at * where->count + i] =
                exchange_seconds(&b->exchange, terms_on(stored->place[at]), terms_on(where->place[i]), &copied);
    vec_push(b->arena, &b->terms, term);
}

/* What the update of an element reads and writes. */
static double update_seconds(Tensors *b, const Op *op)
{
    for (int o = 0; o < op->operand_count; o++)
        terms_cut(b, op->operand[o].buffer, AT_WHOLE, false);
    terms_cut(b, op->out.buffer, AT_WHOLE, false);
    const OpCost cost = cost_op(b->cluster, &b->scratch, op, NULL);
    return cost.spent[SPENT_MEMORY] + cost.spent[SPENT_VECTOR];
}

/* However units are made, there is one in each group, and one outside them, whose updates begin one after another. */
void states_launch(Tensors *b)
{
    const Decls *decls = b->facts->decls;
    double *launches = arena_array(b->arena, double, decls->tensors.count);
    double *most = arena_array(b->arena, double, decls->groups.count + 1), numbers = 0, all = 0;
    for (int i = 0; i < b->step->flat.count; i++) {
        const FlatOp *flat = &b->step->flat.data[i];
        int tensor = b->facts->ops[flat->op->id].tensor;
        if (op_info[flat->op->kind].op_class != CLASS_MAP)
            continue;
        if (tensor < 0) {
            numbers++;
            continue;
        }
        launches[tensor] += flat->loop != NULL ? terms_trips(flat->loop) : 1;
        int group = decls->tensors.data[tensor].group + 1;
        most[group] = fmax(most[group], launches[tensor]);
    }
    for (int group = 0; group <= decls->groups.count; group++)
        all += most[group];
    terms_add_always(b, (numbers + all) * b->cluster->device.launch_seconds);
}

static void add_updates(Tensors *b)
{
    double *seconds = arena_array(b->arena, double, b->facts->decls->tensors.count);
    for (int i = 0; i < b->step->flat.count; i++) {
        const FlatOp *flat = &b->step->flat.data[i];
        int tensor = b->facts->ops[flat->op->id].tensor;
        if (tensor >= 0 && op_info[flat->op->kind].op_class == CLASS_MAP)
            seconds[tensor] += update_seconds(b, flat->op) * (flat->loop != NULL ? terms_trips(flat->loop) : 1);
    }
    for (int i = 0; i < b->facts->decls->tensors.count; i++) {
        const Stored *stored = &b->stored[i];
        if (stored->count == 0)
            continue; /* no parameter */
        Term term = {.count = stored->variable >= 0,
                     .variable = {stored->variable},
                     .costs = arena_array(b->arena, double, stored->count)};
        for (int at = 0; at < stored->count; at++)
            term.costs[at] = seconds[i] / exchange_parts(&b->exchange, 1, stored->place[at] != AT_WHOLE);
        vec_push(b->arena, &b->terms, term);
    }
}

void states_add(Tensors *b)
{
    for (int i = 0; i < b->facts->reference->buffers.count; i++)
        if (b->facts->buffers[i].role == ROLE_GRADIENT)
            add_gradient(b, i);
    add_updates(b);
}

/* ---- Memory ------------------------------------------------------------------------------------------------- */

/* The first stage of ZeRO that shards it; 0: it is not stored from one microbatch to the next. */
static int sharded_from(Role role)
{
    switch (role) {
    case ROLE_STATE:
        return 1;
    case ROLE_GRADIENT:
        return 2;
    case ROLE_PARAMETER:
        return 3;
    case ROLE_PLAIN:
    case ROLE_UPDATE:
    case ROLE_MATRIX:
        return 0;
    }
    BUG("a buffer has no role %d", role);
}

void tensors_bytes(const Tensors *tensors, int zero, StateBytes *bytes)
{
    Exchange exchange = tensors->exchange;
    exchange.zero = zero;
    *bytes = (StateBytes){0};
    for (int i = 0; i < tensors->facts->reference->buffers.count; i++) {
        const RefBuffer *info = &tensors->facts->buffers[i];
        const int from = sharded_from(info->role), weight = from > 0 ? terms_weight(tensors, info->tensor) : -1;
        double whole = from > 0 ? layers_of(tensors, info->tensor) * info->bytes : 0;
        if (weight < 0)
            bytes->rest += whole / exchange_parts(&exchange, from, false);
        for (int way = 0; weight >= 0 && way < tensors->weights->weight[weight].ways; way++) {
            bool sharded = terms_weight_place(tensors, weight, way, info->tensor) != AT_WHOLE;
            bytes->way[weight][way] += whole / exchange_parts(&exchange, from, sharded);
        }
    }
}

double tensors_least_bytes(const Weights *weights, const StateBytes *bytes, const int *fixed)
{
    double sum = bytes->rest;
    for (int w = 0; w < weights->count; w++) {
        double least = fixed[w] >= 0 ? bytes->way[w][fixed[w]] : INFINITY;
        for (int way = 0; fixed[w] < 0 && way < weights->weight[w].ways; way++)
            least = fmin(least, bytes->way[w][way]);
        sum += least;
    }
    return sum;
}

/* weights.c - which parameters are placed one by one, and how (search/weights.h). */
#include "search/weights.h"

#include "base/str.h"

#include <string.h>

static size_t label_length(const Tensor *tensor)
{
    const char *dot = strrchr(tensor->name, '.');
    return dot != NULL ? (size_t)(dot - tensor->name) : strlen(tensor->name);
}

static bool has_label(const Tensor *tensor, const char *label)
{
    size_t length = label_length(tensor);
    return strlen(label) == length && strncmp(tensor->name, label, length) == 0;
}

static bool is_placed(const Tensor *tensor)
{
    return tensor->kind == TENSOR_PARAMETER && tensor->trainable;
}

int weight_dim(const Tensor *tensor, const char *name)
{
    for (int d = 0; name != NULL && d < tensor->dim_count; d++)
        if (tensor->dim_names[d] != NULL && strcmp(tensor->dim_names[d], name) == 0)
            return d;
    return -1;
}

static double all_elements(const Decls *decls, const Tensor *tensor)
{
    double layers = tensor->group >= 0 ? (double)decls->groups.data[tensor->group].layers : 1;
    return layers * (double)tensor_elements(tensor);
}

/* The dims of the matrix that every rank gets a piece of; vectors follow it. */
static void add_ways(int64_t ranks, const Tensor *tensor, Weight *weight)
{
    for (int d = 0; d < tensor->dim_count && tensor->dim_count > 1; d++) {
        bool known = tensor->dim_names[d] == NULL || tensor->dims[d] < ranks;
        for (int way = 1; way < weight->ways; way++)
            known = known || strcmp(weight->dim[way], tensor->dim_names[d]) == 0;
        if (!known && weight->ways < MOST_WEIGHT_WAYS)
            weight->dim[weight->ways++] = tensor->dim_names[d];
    }
}

static Weight found_weight(Arena *arena, const Space *space, int64_t ranks, const char *label)
{
    const Decls *decls = &space->train->decls;
    Weight weight = {.label = arena_copy(arena, label, strlen(label)), .ways = 1};
    for (int i = 0; i < decls->tensors.count; i++) {
        const Tensor *tensor = &decls->tensors.data[i];
        if (!is_placed(tensor) || !has_label(tensor, label))
            continue;
        weight.elements += all_elements(decls, tensor);
        add_ways(ranks, tensor, &weight);
    }
    return weight;
}

/* Keeps the weights sorted; the smallest goes if there is no more room. */
static void add_weight(Weights *weights, const Weight *weight)
{
    int at = weights->count < MOST_WEIGHTS ? weights->count++ : MOST_WEIGHTS;
    for (; at > 0 && weights->weight[at - 1].elements < weight->elements; at--)
        if (at < MOST_WEIGHTS)
            weights->weight[at] = weights->weight[at - 1];
    if (at < MOST_WEIGHTS)
        weights->weight[at] = *weight;
}

void weights_find(Arena *arena, const Space *space, Degree over, int64_t ranks, Weights *weights)
{
    const Decls *decls = &space->train->decls;
    *weights = (Weights){.over = over};
    for (int i = 0; i < decls->tensors.count; i++) {
        const Tensor *tensor = &decls->tensors.data[i];
        bool first = is_placed(tensor);
        const char *label = arena_copy(arena, tensor->name, label_length(tensor));
        for (int j = 0; j < i; j++)
            first = first && !(is_placed(&decls->tensors.data[j]) && has_label(&decls->tensors.data[j], label));
        if (!first)
            continue;
        const Weight weight = found_weight(arena, space, ranks, label);
        if (weight.ways > 1)
            add_weight(weights, &weight);
    }
}

/* The label, if all its parameters have the dim; otherwise those that have it. */
static void add_names(Text *text, const Decls *decls, const Weight *weight, const char *dim)
{
    bool all = true;
    for (int i = 0; i < decls->tensors.count; i++)
        if (has_label(&decls->tensors.data[i], weight->label))
            all = all && weight_dim(&decls->tensors.data[i], dim) >= 0;
    if (all)
        text_add(text, "%s%s", text->length > 0 ? ", " : "", weight->label);
    for (int i = 0; i < decls->tensors.count && !all; i++) {
        const Tensor *tensor = &decls->tensors.data[i];
        if (has_label(tensor, weight->label) && weight_dim(tensor, dim) >= 0)
            text_add(text, "%s%s", text->length > 0 ? ", " : "", tensor->name);
    }
}

const char *weights_declared(Arena *arena, const Space *space, const Weights *weights, const int8_t *ways)
{
    Text text = {.arena = arena};
    const char axis = degree_names[weights->over][0];
    bool done[MOST_WEIGHTS] = {false};
    for (int r = 0; r < weights->count; r++) {
        const char *dim = weights->weight[r].dim[ways[r]];
        Text names = {.arena = arena};
        for (int other = r; other < weights->count && dim != NULL; other++) {
            const char *same = weights->weight[other].dim[ways[other]];
            if (done[other] || same == NULL || strcmp(same, dim) != 0)
                continue;
            add_names(&names, &space->train->decls, &weights->weight[other], dim);
            done[other] = true;
        }
        if (names.length > 0)
            text_add(&text, "    parameters of %s sharded over %c by %s\n", names.data, axis, dim);
    }
    if (weights->sequence)
        text_add(&text, "    activations sharded over %c by context\n", axis);
    if (text.length == 0)
        return NULL;
    return arena_printf(arena, "strategy %s(%c: axis) {\n%s}\n", space->placed_name, axis, text.data);
}

int weights_of(const Weights *weights, const Tensor *tensor)
{
    for (int w = 0; w < weights->count; w++)
        if (is_placed(tensor) && has_label(tensor, weights->weight[w].label))
            return w;
    return -1;
}

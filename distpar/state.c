/* state.c - a plan as statements of a strategy (distpar/state.h). */
#include "distpar/state.h"

#include "strategy/plain.h"

#include <string.h>

/* A line of the strategy, about some layers. */
typedef struct Statement {
    const void *about;    /* the operator, or the parameter */
    const char *says;     /* of it, in words: equal ones of adjacent layers are one statement */
    Pin pin;              /* of an operator, */
    const Tensor *tensor; /* or NULL; of a parameter */
    int group;
    int64_t first, last;
} Statement;

typedef struct Stating {
    Ctx *ctx;
    const Train *train;
    const Choices *choices;
    int axis;
    Vec(Statement) statements;
} Stating;

static void add(Stating *stating, Statement added)
{
    for (int i = stating->statements.count - 1; i >= 0; i--) {
        Statement *before = &stating->statements.data[i];
        if (before->about != added.about || before->last < added.first - 1)
            continue;
        if (before->last >= added.first) /* another operator has placed the parameter */
            return;
        if (strcmp(before->says, added.says) != 0)
            break;
        before->last = added.last;
        return;
    }
    vec_push(stating->ctx->arena, &stating->statements, added);
}

/* ---- Operators -------------------------------------------------------------------------------------------------- */

static bool agrees(Property property, const ModelSide *side, OnAxis on)
{
    switch (property) {
    case PROPERTY_ROWS:
        return on.kind == PLACED_SHARDED && side->batch >> on.dim & 1u;
    case PROPERTY_COLUMNS:
        return on.kind == PLACED_SHARDED && on.dim == side->columns;
    case PROPERTY_REPLICATED:
    case PROPERTY_INVARIANT:
        return on.kind == PLACED_REPLICATED;
    case PROPERTY_PARTIAL:
        return on.kind == PLACED_PARTIAL;
    case PROPERTY_ONE:
        return false;
    }
    BUG("no property %d", property);
}

/* How the plan computes an operator of the step program: one of those that an operator of the graph consists of. */
typedef struct Wanted {
    const GraphOperator *node;
    const ModelOperator *described;
    const GraphStep *step;
    const ModelSide *result;
    Property property; /* of the result */
} Wanted;

/* Nothing is divided, or what its result says is. The loss may have any property: it is a few numbers. */
static bool is_wanted(void *data, const Signature *signature)
{
    const Wanted *wanted = data;
    const ModelOperator *described = wanted->described;
    bool is = wanted->node->operation == CHAIN_LOSS || agrees(wanted->property, wanted->result, signature->result);
    for (int i = 0; i < wanted->node->input_count; i++) {
        const ModelSide *side = &described->input[i];
        bool here = side->op == wanted->result->op;
        is = is && (!here || agrees(wanted->step->input, side, signature->operand[side->operand]));
    }
    return is;
}

/* ---- Parameters ------------------------------------------------------------------------------------------------- */

static const Tensor *parameter_read(const Stating *stating, const Ref *ref)
{
    const Decls *decls = &stating->train->decls;
    const Buffer *buffer = &stating->train->reference->buffers.data[ref->buffer];
    bool parameter =
        buffer->state >= 0 && buffer->tensor >= 0 && decls->states.data[buffer->state].kind == STATE_PARAMETERS;
    return parameter ? &decls->tensors.data[buffer->tensor] : NULL;
}

static bool has_dim(const Tensor *tensor, const char *name)
{
    bool has = false;
    for (int dim = 0; dim < tensor->dim_count; dim++)
        has = has || (tensor->dim_names[dim] != NULL && strcmp(tensor->dim_names[dim], name) == 0);
    return has;
}

/* Are they parameters of one layer, as "up.weight" and "up.bias"? */
static bool are_together(const Tensor *x, const Tensor *y)
{
    const char *end = strrchr(x->name, '.');
    size_t length = end != NULL ? (size_t)(end - x->name) + 1 : strlen(x->name) + 1;
    return strncmp(x->name, y->name, length) == 0 && strchr(y->name + length - 1, '.') == strrchr(y->name, '.');
}

/* A weight is where its operator reads it; so is a bias, which has the dim of the result. */
static void add_parameters(Stating *stating, const Tensor *weight, const char *dim, const ModelOperator *described)
{
    const Decls *decls = &stating->train->decls;
    for (int i = 0; i < decls->tensors.count; i++) {
        const Tensor *tensor = &decls->tensors.data[i];
        bool with = tensor == weight || are_together(weight, tensor);
        if (tensor->kind == TENSOR_PARAMETER && with && has_dim(tensor, dim))
            add(stating, (Statement){.about = tensor,
                                     .says = dim,
                                     .tensor = tensor,
                                     .group = described->loop >= 0 ? described->group : -1,
                                     .first = described->layer,
                                     .last = described->layer});
    }
}

/* ---- All -------------------------------------------------------------------------------------------------------- */

static void state_op(Stating *stating, const Wanted *wanted)
{
    const ModelOperator *described = wanted->described;
    const Op *op = wanted->result->op;
    Signature signature;
    Pin pin;
    if (!derive_pin_wanted(stating->choices, op, is_wanted, (void *)wanted, &signature, &pin))
        return;
    pin.axis = stating->axis;
    /* In evaluation there are the statistics of all examples, which have no batch. */
    pin.optional = wanted->node->operation == CHAIN_BATCH_NORM && pin.form == PIN_BY;
    for (int i = 0; i < op->operand_count; i++) {
        const Tensor *tensor = parameter_read(stating, &op->operand[i]);
        OnAxis on = signature.operand[i];
        if (tensor != NULL && on.kind == PLACED_SHARDED && tensor->dim_names[on.dim] != NULL)
            add_parameters(stating, tensor, tensor->dim_names[on.dim], described);
    }
    add(stating, (Statement){.about = op,
                             .says = pin_form_print(stating->ctx->arena, &pin),
                             .pin = pin,
                             .group = described->loop >= 0 ? described->group : -1,
                             .first = described->layer,
                             .last = described->layer});
}

/* All that a normalization consists of is computed alike. */
static void state_operator(Stating *stating, const GraphOperator *node, const ModelOperator *described,
                           const GraphStep *step)
{
    for (int i = 0; i < described->within.count && step->input == step->output; i++)
        state_op(stating, &(Wanted){node, described, step, &described->within.data[i], step->input});
    state_op(stating, &(Wanted){node, described, step, &described->output, step->output});
}

static void print_statement(Stating *stating, Statement *statement, Text *text)
{
    Arena *arena = stating->ctx->arena;
    const Decls *decls = &stating->train->decls;
    const char *axis = decls->axes.data[stating->axis].name;
    if (statement->tensor != NULL) {
        text_add(
            text, "    parameters of %s sharded over %s by %s\n",
            plain_label(arena, decls, statement->group, statement->tensor->name, statement->first, statement->last),
            axis, statement->says);
        return;
    }
    statement->pin.group = statement->group;
    statement->pin.first = statement->first;
    statement->pin.last = statement->last;
    text_add(text, "%s", plain_pin(arena, decls, &statement->pin));
}

const char *state_plan(Ctx *ctx, const Train *train, const Choices *choices, int axis, const Model *model,
                       const GraphPlan *plan, const char *name)
{
    Stating stating = {.ctx = ctx, .train = train, .choices = choices, .axis = axis};
    for (int i = 0; i < model->operators.count; i++)
        state_operator(&stating, &model->operators.data[i], &model->described.data[i], &plan->steps[i]);
    Text text = {.arena = ctx->arena};
    text_add(&text, "strategy %s(%s: axis) {\n", name, train->decls.axes.data[axis].name);
    for (int parameters = 1; parameters >= 0; parameters--)
        for (int i = 0; i < stating.statements.count; i++)
            if ((stating.statements.data[i].tensor != NULL) == parameters)
                print_statement(&stating, &stating.statements.data[i], &text);
    text_add(&text, "}\n");
    return text.data;
}

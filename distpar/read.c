/* read.c - reads the graph of a model's step (distpar/read.h). */
#include "distpar/read.h"

#include "base/escape.h"
#include "step/spec.h"

#include <string.h>

/* What a slot of a buffer holds: a value of the graph, or none (-1). Of a weight, or what is computed from one alone,
 * it is the tensor. */
typedef struct Held {
    int value, tensor;
    unsigned batch; /* a bit per dim that is the batch, or a part of it */
    int columns;    /* the dim of columns; -1: none */
    int maker;      /* the operator that made the value; -1: it is data */
} Held;

static const Held nothing = {-1, -1, 0, -1, -1};

typedef struct Reader {
    Ctx *ctx;
    const Train *train;
    const Program *reference;
    Model *model;
    Property given;
    bool own_statistics; /* each device normalizes by the statistics of its own rows */
    int64_t *loops;      /* the variables of open loops, by id */
    Held **held;         /* per buffer, per slot; NULL: nothing yet */
    int *uses;           /* per tensor: the operators that use it as a weight, in the first layer */
    int loop, group;
    int64_t layer;
    bool failed, done; /* done: after the loss */
} Reader;

/* ---- Values -------------------------------------------------------------------------------------------------- */

static const Buffer *buffer_of(const Reader *reader, const Ref *ref)
{
    return &reader->reference->buffers.data[ref->buffer];
}

static Held *held_at(Reader *reader, const Ref *ref)
{
    const Buffer *buffer = buffer_of(reader, ref);
    Held **slots = &reader->held[ref->buffer];
    if (*slots == NULL) {
        bool weight = buffer->state >= 0 && buffer->tensor >= 0 &&
                      reader->train->decls.states.data[buffer->state].kind == STATE_PARAMETERS;
        *slots = arena_array(reader->ctx->arena, Held, buffer->slots);
        for (int64_t i = 0; i < buffer->slots; i++) {
            (*slots)[i] = nothing;
            (*slots)[i].tensor = weight ? buffer->tensor : -1;
        }
    }
    return &(*slots)[affine_at(&reader->train->decls, &ref->slot, NULL, reader->loops)];
}

static double elements_of(const Reader *reader, const Ref *ref)
{
    return (double)buffer_slot_elements(&reader->train->decls, buffer_of(reader, ref));
}

static int add_value(Reader *reader, GraphValue value, const char *name)
{
    vec_push(reader->ctx->arena, &reader->model->values, value);
    vec_push(reader->ctx->arena, &reader->model->value_names, name);
    return reader->model->values.count - 1;
}

/* ---- An operator of the step program --------------------------------------------------------------------------- */

/* With its operands as they are held: those with a batch are active. */
typedef struct Seen {
    const Op *op;
    Spec spec;
    Held operand[STEP_MAX_OPERANDS];
    int active[STEP_MAX_OPERANDS], active_count;
    int weight;     /* the operand that is a weight, or -1 */
    unsigned batch; /* of the result; 0: it has none */
} Seen;

/* The letters of an operand or of the result. */
static SpecLetters letters_of(const Reader *reader, const Seen *seen, int side)
{
    if (spec_is_empty(seen->op)) {
        const char *all = index_letters(buffer_of(reader, &seen->op->out)->dim_count);
        return (SpecLetters){all, (int)strlen(all)};
    }
    return side < 0 ? seen->spec.result : seen->spec.operand[side];
}

static char letter_at(SpecLetters letters, int dim)
{
    return dim >= 0 && dim < letters.count ? letters.at[dim] : 0;
}

/* The dim of the result that has the letter of an operand's dim; -1: none. */
static int dim_after(const Reader *reader, const Seen *seen, int operand, int dim)
{
    char letter = letter_at(letters_of(reader, seen, operand), dim);
    return letter ? spec_dim(letters_of(reader, seen, SPEC_RESULT), letter) : -1;
}

static bool has_letter(SpecLetters letters, char letter)
{
    return letter && spec_dim(letters, letter) >= 0;
}

/* The first dim of x whose letter y does not have; -1: none. */
static int first_changed(SpecLetters x, SpecLetters y)
{
    for (int i = 0; i < x.count; i++)
        if (!has_letter(y, x.at[i]))
            return i;
    return -1;
}

/* The columns of a reshaped value: the same dim or, if they are the first of the dims that change, the first of those
 * that these become. */
static int columns_viewed(const Reader *reader, const Seen *seen)
{
    int columns = seen->operand[0].columns, same = dim_after(reader, seen, 0, columns);
    SpecLetters before = letters_of(reader, seen, 0), after = letters_of(reader, seen, SPEC_RESULT);
    return same >= 0 || columns < 0 || first_changed(before, after) != columns ? same : first_changed(after, before);
}

/* The batch of the result: the same dims; of a reshaped value also, if a dim of the batch is the first that changes,
 * the first of those that it becomes, or all of them if nothing else changes. */
static unsigned batch_after(const Reader *reader, const Seen *seen)
{
    int active = seen->active[0], changed = 0, others = 0;
    unsigned from = seen->operand[active].batch, batch = 0;
    SpecLetters before = letters_of(reader, seen, active), after = letters_of(reader, seen, SPEC_RESULT);
    for (int dim = 0; dim < before.count; dim++) {
        int to = dim_after(reader, seen, active, dim);
        if (from & 1u << dim && to >= 0)
            batch |= 1u << to;
        changed += from & 1u << dim && to < 0;
        others += !(from & 1u << dim) && to < 0;
    }
    if (changed == 0 || op_info[seen->op->kind].op_class != CLASS_VIEW)
        return batch;
    int first = first_changed(before, after);
    for (int dim = 0; dim < after.count && from & 1u << first; dim++)
        if (!has_letter(before, after.at[dim]) && (others == 0 || dim == first_changed(after, before)))
            batch |= 1u << dim;
    return batch;
}

static Seen see(Reader *reader, const Op *op)
{
    Seen seen = {.op = op, .spec = spec_of(op), .weight = -1};
    for (int i = 0; i < op->operand_count; i++) {
        seen.operand[i] = *held_at(reader, &op->operand[i]);
        if (seen.operand[i].value >= 0)
            seen.active[seen.active_count++] = i;
        else if (seen.operand[i].tensor >= 0 && seen.weight < 0)
            seen.weight = i;
    }
    if (seen.active_count > 0)
        seen.batch = batch_after(reader, &seen);
    return seen;
}

static void report(Reader *reader, const Op *op, const char *what)
{
    reader->failed = true;
    Diagnostic *d = diag_report(reader->ctx->diag, P0366, op->span, "DistPar has no property for '%s' of this model",
                                op_info[op->kind].name);
    diag_why(d, "%s", what);
    diag_help(d, "`placec plan` and `placec search` cost any model.");
}

/* ---- Operators of the graph ------------------------------------------------------------------------------------ */

static ModelSide side_of(const Seen *seen, int operand)
{
    const Held *held = &seen->operand[operand];
    return (ModelSide){seen->op, operand, held->batch, held->columns};
}

static const char *without_ending(Arena *arena, const char *name, const char *ending)
{
    size_t length = strlen(name), cut = strlen(ending);
    bool ends = length > cut && strcmp(name + length - cut, ending) == 0;
    return ends ? arena_copy(arena, name, length - cut) : name;
}

/* Adds an operator of the active operands, and what it makes of the step program's result. */
static GraphOperator *add_operator(Reader *reader, const Seen *seen, ChainOperation operation, int columns)
{
    Model *model = reader->model;
    const Op *op = seen->op;
    if (model->operators.count == MOST_MODEL_OPERATORS || seen->active_count > MOST_GRAPH_INPUTS) {
        report(reader, op,
               seen->active_count > MOST_GRAPH_INPUTS ? "It has more inputs than a join may have."
                                                      : "The model has more than 4,096 operators.");
        return NULL;
    }
    const char *name = without_ending(reader->ctx->arena, buffer_of(reader, &op->out)->name, ".product");
    GraphOperator made = {.operation = operation,
                          .rows = elements_of(reader, &op->out),
                          .input_count = seen->active_count,
                          .inputs = PROPERTY_ANY,
                          .outputs = PROPERTY_ANY};
    ModelOperator described = {.name = name,
                               .computes = op_info[op->kind].name,
                               .span = op->span,
                               .loop = reader->loop,
                               .group = reader->group,
                               .layer = reader->layer,
                               .output = {op, -1, seen->batch, columns}};
    for (int i = 0; i < seen->active_count; i++) {
        made.input[i] = seen->operand[seen->active[i]].value;
        described.input[i] = side_of(seen, seen->active[i]);
        if (described.input[i].columns < 0)
            made.inputs &= ~PROPERTY_SET(COLUMNS);
    }
    if (columns < 0)
        made.outputs &= ~PROPERTY_SET(COLUMNS);
    made.output = add_value(reader, (GraphValue){.elements = elements_of(reader, &op->out)}, name);
    vec_push(reader->ctx->arena, &model->operators, made);
    vec_push(reader->ctx->arena, &model->described, described);
    *held_at(reader, &op->out) = (Held){made.output, -1, seen->batch, columns, model->operators.count - 1};
    return &model->operators.data[model->operators.count - 1];
}

/* The result is what an operator of the graph makes, whose last step this is. */
static void continue_operator(Reader *reader, const Seen *seen, int maker, int columns)
{
    ModelOperator *described = &reader->model->described.data[maker];
    GraphOperator *made = &reader->model->operators.data[maker];
    described->name = buffer_of(reader, &seen->op->out)->name;
    reader->model->value_names.data[made->output] = described->name;
    reader->model->values.data[made->output].elements = elements_of(reader, &seen->op->out);
    *held_at(reader, &seen->op->out) = (Held){made->output, -1, seen->batch, columns, maker};
}

/* Its elements are read with the operator; a tensor that several operators use is remembered. */
static void add_weight(Reader *reader, GraphOperator *made, int tensor, double elements)
{
    const Tensor *weight = &reader->train->decls.tensors.data[tensor];
    made->weight += elements;
    made->frozen = !weight->trainable;
    if (reader->layer == 0 && ++reader->uses[tensor] == 2)
        vec_push(reader->ctx->arena, &reader->model->shared, weight->name);
}

/* ---- Normalizations --------------------------------------------------------------------------------------------- */

/* The gain of the normalization whose call this operator belongs to; NULL: of none. */
static const Tensor *gain_of(const Reader *reader, const Op *op)
{
    for (int i = 0; i < reader->train->decls.tensors.count; i++) {
        const Tensor *tensor = &reader->train->decls.tensors.data[i];
        const char *end = strrchr(tensor->name, '.');
        if (tensor->kind == TENSOR_PARAMETER && end != NULL && strcmp(end, ".gain") == 0 &&
            span_equal(tensor->span, op->span))
            return tensor;
    }
    return NULL;
}

/* The parameters and statistics of a normalization. */
typedef struct NormTensors {
    double weights; /* elements */
    bool bias, statistics;
} NormTensors;

static NormTensors norm_tensors(const Reader *reader, const Tensor *gain)
{
    NormTensors norm = {0};
    const Decls *decls = &reader->train->decls;
    int64_t size = gain->dims[gain->dim_count - 1];
    for (int i = 0; i < decls->tensors.count; i++) {
        const Tensor *tensor = &decls->tensors.data[i];
        if (!span_equal(tensor->span, gain->span))
            continue;
        norm.statistics = norm.statistics || tensor->kind == TENSOR_STATISTIC;
        norm.bias = norm.bias || (tensor->kind == TENSOR_PARAMETER && tensor != gain);
    }
    norm.weights = (double)size * (norm.bias ? 2 : 1);
    return norm;
}

static void begin_norm(Reader *reader, const Seen *seen, const Tensor *gain, int columns)
{
    const NormTensors norm = norm_tensors(reader, gain);
    ChainOperation by_batch = reader->own_statistics ? CHAIN_BATCH_NORM : CHAIN_WHOLE_NORM;
    GraphOperator *made = add_operator(reader, seen, norm.statistics ? by_batch : CHAIN_LAYER_NORM, columns);
    if (made == NULL)
        return;
    add_weight(reader, made, (int)(gain - reader->train->decls.tensors.data), norm.weights);
    reader->model->described.data[reader->model->described.count - 1].computes = norm.statistics ? "batchnorm"
                                                                                 : norm.bias     ? "layernorm"
                                                                                                 : "rmsnorm";
}

/* All operators of the call are one of the graph, of which this one is the last so far. */
static void read_norm(Reader *reader, const Seen *seen, const Tensor *gain)
{
    Model *model = reader->model;
    int columns = dim_after(reader, seen, seen->active[0], seen->operand[seen->active[0]].columns);
    int last = model->described.count - 1;
    if (last < 0 || gain_of(reader, model->described.data[last].output.op) != gain ||
        model->described.data[last].layer != reader->layer) {
        begin_norm(reader, seen, gain, columns);
        return;
    }
    continue_operator(reader, seen, last, columns);
    ModelOperator *described = &model->described.data[last];
    vec_push(reader->ctx->arena, &described->within, described->output);
    described->output = (ModelSide){seen->op, -1, seen->batch, columns};
    model->operators.data[last].outputs = columns < 0 ? PROPERTY_ANY & ~PROPERTY_SET(COLUMNS) : PROPERTY_ANY;
}

/* ---- Products --------------------------------------------------------------------------------------------------- */

/* A weight with input: "bth,oh->bto", "nchw,ocij->nopq". Where input, weight and result share a letter, each index of
 * it is by itself. */
static void read_weighted(Reader *reader, const Seen *seen)
{
    int active = seen->active[0], columns = -1, shared = -1;
    SpecLetters input = letters_of(reader, seen, active), weight = letters_of(reader, seen, seen->weight);
    SpecLetters result = letters_of(reader, seen, SPEC_RESULT);
    char split = letter_at(input, seen->operand[active].columns);
    for (int dim = result.count - 1; dim >= 0; dim--) {
        bool weighs = has_letter(weight, result.at[dim]);
        shared = weighs && has_letter(input, result.at[dim]) ? dim : shared;
        columns = weighs && !has_letter(input, result.at[dim]) ? dim : columns;
    }
    bool separate = shared >= 0, splits = separate ? split == result.at[shared] : has_letter(weight, split);
    GraphOperator *made =
        add_operator(reader, seen, separate ? CHAIN_DEPTHWISE : CHAIN_LINEAR, separate ? shared : columns);
    if (made == NULL)
        return;
    if (!splits)
        made->inputs &= ~PROPERTY_SET(COLUMNS);
    add_weight(reader, made, seen->operand[seen->weight].tensor, elements_of(reader, &seen->op->operand[seen->weight]));
}

/* Of two activations, which may be split by a letter that both and the result have, as heads. */
static void read_activations(Reader *reader, const Seen *seen)
{
    int columns = dim_after(reader, seen, 0, seen->operand[0].columns);
    if (columns != dim_after(reader, seen, 1, seen->operand[1].columns))
        columns = -1;
    add_operator(reader, seen, CHAIN_PRODUCT, columns);
}

static void read_product(Reader *reader, const Seen *seen)
{
    if (seen->active_count == 1 && seen->weight >= 0)
        read_weighted(reader, seen);
    else if (seen->active_count == 2)
        read_activations(reader, seen);
    else
        report(reader, seen->op, "It multiplies by something that is neither a weight nor has a batch.");
}

/* ---- Other operators -------------------------------------------------------------------------------------------- */

/* Is the result linear in all active operands together? */
static bool is_sum(const Seen *seen)
{
    const char *linear = op_info[seen->op->kind].linear;
    for (int i = 0; i < seen->active_count; i++)
        if (strchr(linear, 'a' + seen->active[i]) == NULL)
            return false;
    return strchr(linear, ' ') == NULL;
}

/* The columns of the result, if all active operands have them there. */
static int common_columns(const Reader *reader, const Seen *seen)
{
    int columns = dim_after(reader, seen, seen->active[0], seen->operand[seen->active[0]].columns);
    for (int i = 1; i < seen->active_count; i++)
        if (dim_after(reader, seen, seen->active[i], seen->operand[seen->active[i]].columns) != columns)
            return -1;
    return columns;
}

/* A bias is added in the call of its product; what else is added or multiplied has a weight of its own. */
static void read_with_weight(Reader *reader, const Seen *seen, int columns)
{
    const Held *input = &seen->operand[seen->active[0]];
    double elements = elements_of(reader, &seen->op->operand[seen->weight]);
    bool bias = input->maker >= 0 && seen->op->kind == OP_ADD &&
                span_equal(reader->model->described.data[input->maker].span, seen->op->span);
    if (bias)
        continue_operator(reader, seen, input->maker, columns);
    GraphOperator *made =
        bias ? &reader->model->operators.data[input->maker] : add_operator(reader, seen, CHAIN_DEPTHWISE, columns);
    if (bias)
        made->weight += elements;
    else if (made != NULL)
        add_weight(reader, made, seen->operand[seen->weight].tensor, elements);
}

/* Element by element, or row by row: then the last dim of operand a is not split. */
static void read_elementwise(Reader *reader, const Seen *seen)
{
    int columns = common_columns(reader, seen);
    SpecLetters first = letters_of(reader, seen, 0);
    bool coupled = strcmp(op_info[seen->op->kind].coupled, "a") == 0;
    if (coupled && columns >= 0 &&
        letter_at(letters_of(reader, seen, SPEC_RESULT), columns) == first.at[first.count - 1])
        columns = -1;
    if (seen->weight >= 0 && seen->active_count == 1)
        read_with_weight(reader, seen, columns);
    else if (seen->active_count == 1)
        add_operator(reader, seen, CHAIN_MAP, columns);
    else
        add_operator(reader, seen, is_sum(seen) ? CHAIN_JOIN : CHAIN_PRODUCT, columns);
}

/* The parts of a cross-entropy are one operator: that which sums over the classes. */
static void read_sum(Reader *reader, const Seen *seen)
{
    if (seen->op->kind == OP_PICK)
        return;
    if (seen->op->kind != OP_EXP_SUM)
        add_operator(reader, seen, CHAIN_MAP, common_columns(reader, seen));
    else if (add_operator(reader, seen, CHAIN_LOSS, -1) != NULL)
        reader->model->described.data[reader->model->described.count - 1].computes = "cross_entropy";
}

static void read_view(Reader *reader, const Seen *seen)
{
    switch (op_view(seen->op->kind)) {
    case VIEW_VIEW:
    case VIEW_SEGMENT:
    case VIEW_SEGMENT_BWD:
        add_operator(reader, seen, CHAIN_MAP, columns_viewed(reader, seen));
        return;
    case VIEW_PLACE_SEGMENT:
        report(reader, seen->op, "It replaces a part of a value.");
        return;
    }
}

static void read_window(Reader *reader, const Seen *seen)
{
    switch (op_window(seen->op->kind)) {
    case WINDOW_CONV:
        read_product(reader, seen);
        return;
    case WINDOW_MAX_POOL:
    case WINDOW_MEAN_POOL:
        add_operator(reader, seen, CHAIN_MAP, common_columns(reader, seen));
        return;
    case WINDOW_CONV_INPUT_BWD:
    case WINDOW_CONV_WEIGHT_BWD:
    case WINDOW_MAX_POOL_BWD:
    case WINDOW_MEAN_POOL_BWD:
        BUG("a backward window in the forward pass");
    }
}

static void read_table(Reader *reader, const Seen *seen)
{
    if (seen->op->kind != OP_EMBED || seen->weight < 0) {
        report(reader, seen->op, "It looks up, or adds, rows of a value that has a batch.");
        return;
    }
    SpecLetters table = letters_of(reader, seen, seen->weight), result = letters_of(reader, seen, SPEC_RESULT);
    GraphOperator *made = add_operator(reader, seen, CHAIN_EMBEDDING, spec_dim(result, table.at[table.count - 1]));
    if (made != NULL)
        add_weight(reader, made, seen->operand[seen->weight].tensor,
                   elements_of(reader, &seen->op->operand[seen->weight]));
}

static void read_active(Reader *reader, const Seen *seen)
{
    switch (op_info[seen->op->kind].op_class) {
    case CLASS_MAP:
        if (seen->op->kind == OP_LOG_LOSS)
            continue_operator(reader, seen, seen->operand[seen->active[0]].maker, -1);
        else
            read_elementwise(reader, seen);
        return;
    case CLASS_ROW:
        if (seen->op->kind != OP_ROW_MAX)
            read_elementwise(reader, seen);
        return;
    case CLASS_SUM:
        read_sum(reader, seen);
        return;
    case CLASS_CONTRACT:
        read_product(reader, seen);
        return;
    case CLASS_WINDOW:
        read_window(reader, seen);
        return;
    case CLASS_VIEW:
        read_view(reader, seen);
        return;
    case CLASS_GATHER:
    case CLASS_SCATTER:
        read_table(reader, seen);
        return;
    case CLASS_CHOICE:
        report(reader, seen->op, "It chooses rows, which depends on their numbers.");
        return;
    case CLASS_MOVE:
    case CLASS_COMM:
    case CLASS_SOURCE:
    case CLASS_SINK:
        BUG("'%s' in what one device computes of a batch", op_info[seen->op->kind].name);
    }
}

/* ---- The step --------------------------------------------------------------------------------------------------- */

/* Columns of data are the channels of images, or the last dim; integers have none. */
static void read_data(Reader *reader, const Op *op)
{
    const Tensor *tensor = &reader->train->decls.tensors.data[op->tensor];
    if (tensor->batch_dim < 0)
        return;
    int columns = tensor->dim_count < 2 || tensor->dtype == DTYPE_I32 ? -1
                  : tensor->dim_count == 4                            ? 1
                                                                      : tensor->dim_count - 1;
    GraphValue data = {.elements = elements_of(reader, &op->out), .given = true, .data = true, .held = reader->given};
    *held_at(reader, &op->out) =
        (Held){add_value(reader, data, tensor->name), -1, 1u << tensor->batch_dim, columns, -1};
}

static void read_op(Reader *reader, const Op *op)
{
    if (op->kind == OP_OUTPUT) {
        reader->done = true;
        return;
    }
    Seen seen = see(reader, op);
    *held_at(reader, &op->out) = nothing;
    if (op->kind == OP_READ)
        read_data(reader, op);
    else if (seen.active_count == 0)
        held_at(reader, &op->out)->tensor = seen.weight >= 0 ? seen.operand[seen.weight].tensor : -1;
    else if (seen.batch == 0)
        return; /* a sum over the batch, which every device has */
    else if (op->accumulate)
        report(reader, op, "It adds to a value.");
    else if (gain_of(reader, op) != NULL)
        read_norm(reader, &seen, gain_of(reader, op));
    else
        read_active(reader, &seen);
}

static void read_list(Reader *reader, const NodeList *list);

static void read_loop(Reader *reader, const Node *node)
{
    int64_t first = affine_at(&reader->train->decls, &node->loop.first, NULL, reader->loops);
    int64_t last = affine_at(&reader->train->decls, &node->loop.last, NULL, reader->loops);
    reader->loop = node->loop.id;
    reader->group = node->loop.group;
    for (int64_t layer = first; layer <= last && !reader->failed; layer++) {
        reader->loops[node->loop.id] = reader->layer = layer;
        read_list(reader, &node->body);
    }
    reader->loop = reader->group = -1;
    reader->layer = 0;
}

static void read_list(Reader *reader, const NodeList *list)
{
    for (int i = 0; i < list->count && !reader->failed && !reader->done; i++) {
        const Node *node = list->data[i];
        switch (node->kind) {
        case NODE_OP:
            read_op(reader, node->op);
            break;
        case NODE_LOOP:
            read_loop(reader, node);
            break;
        case NODE_GUARD:
        case NODE_WAIT:
            BUG("a guard or a wait in what one device computes");
        }
    }
}

static bool has_own_statistics(const Train *train, int axis)
{
    for (int i = 0; i < train->contracts.count; i++)
        if (train->contracts.data[i].kind == CONTRACT_STATISTICS && axes_contain(train->contracts.data[i].axes, axis))
            return true;
    return false;
}

bool read_model(Ctx *ctx, const Train *train, int axis, Property given, Model *model)
{
    const Program *reference = train->reference;
    Reader reader = {.ctx = ctx,
                     .train = train,
                     .reference = reference,
                     .model = model,
                     .given = given,
                     .own_statistics = has_own_statistics(train, axis),
                     .loops = arena_array(ctx->arena, int64_t, reference->loop_count + 1),
                     .held = arena_array(ctx->arena, Held *, reference->buffers.count + 1),
                     .uses = arena_array(ctx->arena, int, train->decls.tensors.count + 1),
                     .loop = -1,
                     .group = -1};
    *model = (Model){0};
    for (int i = 0; i < reference->routines.count; i++)
        if (reference->routines.data[i].kind == ROUTINE_STEP)
            read_list(&reader, &reference->routines.data[i].body);
    model->graph = (Graph){.values = model->values.data,
                           .operators = model->operators.data,
                           .value_count = model->values.count,
                           .count = model->operators.count,
                           .devices = (int)train->decls.axes.data[axis].size};
    return !reader.failed;
}

/* model.c - the statements of a model: inputs, assignments, repeated blocks. The loss is in model_loss.c.
 *
 * A repeated block becomes a loop over layers. A variable that the block assigns and that exists before it is carried:
 * its buffer has layers + 1 slots, the block reads slot l and writes slot l + 1. The buffer that held the value before
 * the loop is widened for this, and the block's last assignment is renamed to it, so that nothing is copied.
 */
#include "reference/model.h"

#include <string.h>

/* ---- Names -------------------------------------------------------------------------------------------------- */

Value model_unknown(Model *model)
{
    model->failed = true;
    return (Value){.known = false};
}

Variable *model_find_variable(Model *model, const char *name)
{
    for (int i = 0; i < model->variables.count; i++)
        if (strcmp(model->variables.data[i].name, name) == 0)
            return &model->variables.data[i];
    return NULL;
}

int model_names(const Model *model, const char ***names)
{
    int count = 0;
    *names = arena_array(model->ctx->arena, const char *, model->constants.count + model->variables.count + 2);
    for (int i = 0; i < model->constants.count; i++)
        (*names)[count++] = model->constants.data[i].name;
    for (int i = 0; i < model->variables.count; i++)
        (*names)[count++] = model->variables.data[i].name;
    return count;
}

static void set_variable(Model *model, const AstName *name, Value value)
{
    Variable *variable = model_find_variable(model, name->text);
    if (variable == NULL) {
        vec_push(model->ctx->arena, &model->variables, (Variable){.name = name->text});
        variable = &model->variables.data[model->variables.count - 1];
    }
    variable->value = value;
    variable->span = name->span;
}

bool model_take_label(Model *model, const char *path, Span span)
{
    for (int i = 0; i < model->labels.count; i++)
        if (strcmp(model->labels.data[i].path, path) == 0) {
            resolve_duplicate(model->ctx, span, "label", path, model->labels.data[i].span);
            return false;
        }
    vec_push(model->ctx->arena, &model->labels, (Label){path, span});
    return true;
}

/* ---- Parameters of the model, with the train's arguments ---------------------------------------------------- */

static bool bind_default(Model *model, const AstNode *parameter)
{
    const AstParameter *p = &parameter->parameter;
    if (p->type.text != NULL) {
        resolve_unsupported(model->ctx, p->type.span, "model parameters of type '%s' are", p->type.text);
        return false;
    }
    if (strcmp(p->name.text, "batch") == 0) {
        Diagnostic *d = diag_report(model->ctx->diag, P0206, p->name.span, "a model's parameter called 'batch'");
        diag_why(d, "'batch' is the first dim of inputs; its size is set by 'batch' in the train block.");
        return false;
    }
    const Constant *first = resolve_constant(&model->constants, p->name.text);
    if (first != NULL) {
        resolve_duplicate(model->ctx, p->name.span, "parameter", p->name.text, first->span);
        return false;
    }
    Constant constant = {.value = 0};
    if (p->value != NULL && !resolve_number(model->ctx, &model->constants, p->value, &constant))
        return false;
    constant.name = p->name.text;
    constant.span = p->name.span;
    vec_push(model->ctx->arena, &model->constants, constant);
    return true;
}

static bool bind_defaults(Model *model)
{
    const AstList *parameters = &model->node->model.parameters;
    bool good = true;
    for (int i = 0; i < parameters->count; i++)
        good &= parameters->data[i]->kind == AST_PARAMETER && bind_default(model, parameters->data[i]);
    return good;
}

/* The arguments that the train gives in parentheses; every parameter must have a value. */
static bool bind_arguments(Model *model, const AstNode *train)
{
    const AstModel *declared = &model->node->model;
    int count = model->constants.count;
    ArgumentInfo *arguments = arena_array(model->ctx->arena, ArgumentInfo, count + 1);
    const AstNode **values = arena_array(model->ctx->arena, const AstNode *, count + 1);
    for (int i = 0; i < count; i++)
        arguments[i] = (ArgumentInfo){declared->parameters.data[i]->parameter.name.text,
                                      declared->parameters.data[i]->parameter.value == NULL};
    bool good = resolve_arguments(model->ctx, train->train.model.span, declared->name.text, &train->train.arguments,
                                  arguments, count, values);
    for (int i = 0; i < count; i++) {
        Constant constant;
        if (values[i] == NULL)
            continue;
        if (!resolve_number(model->ctx, NULL, values[i], &constant)) {
            good = false;
            continue;
        }
        constant.name = model->constants.data[i].name;
        constant.span = values[i]->span;
        model->constants.data[i] = constant;
    }
    return good;
}

static bool has_all_values(const Model *model)
{
    for (int i = 0; i < model->constants.count; i++) {
        const AstParameter *parameter = &model->node->model.parameters.data[i]->parameter;
        if (parameter->value == NULL && model->constants.data[i].span.start == parameter->name.span.start)
            return false;
    }
    return true;
}

Model *model_new(Builder *b, const AstNode *node, const AstNode *train, int64_t batch)
{
    Model *model = arena_make(b->ctx->arena, Model);
    model->ctx = b->ctx;
    model->b = b;
    model->node = node;
    model->declared_batch = batch;
    model->declares = model->trains = true;
    model->tokens = -1;
    if (!bind_defaults(model))
        return NULL;
    model->misbound = !bind_arguments(model, train);
    return has_all_values(model) ? model : NULL;
}

/* ---- Inputs ------------------------------------------------------------------------------------------------- */

static bool input_dtype(Model *model, const AstName *name, DType *dtype)
{
    static const char *const names[] = {"int", "f32", "f64", "bf16"};
    static const DType dtypes[] = {DTYPE_I32, DTYPE_F32, DTYPE_F64, DTYPE_BF16};
    for (int i = 0; i < 4; i++)
        if (strcmp(names[i], name->text) == 0) {
            *dtype = dtypes[i];
            return true;
        }
    resolve_unknown(model->ctx, name->span, "dtype", name->text, names, 4);
    return false;
}

/* `batch` is the one dim that is not a number of the model: the train sets it. */
static bool input_dim(Model *model, const AstNode *node, ValueDim *dim)
{
    if (node->kind == AST_NAME && strcmp(node->name.text, "batch") == 0) {
        *dim = (ValueDim){.name = "batch", .size = model->batch};
        return true;
    }
    *dim = (ValueDim){.name = resolve_text(model->ctx, node)};
    if (node->kind == AST_NAME && resolve_constant(&model->constants, node->name.text) == NULL) {
        const char **names;
        int count = model_names(model, &names);
        names[count++] = "batch";
        resolve_unknown(model->ctx, node->span, "dim", node->name.text, names, count);
        return false;
    }
    return resolve_integer(model->ctx, &model->constants, node, arena_printf(model->ctx->arena, "dim '%s'", dim->name),
                           1, INT32_MAX, &dim->size);
}

static bool input_shape(Model *model, const AstType *type, Tensor *tensor, ValueDim *dims)
{
    if (!input_dtype(model, &type->dtype, &tensor->dtype))
        return false;
    if (type->dims.count > STEP_MAX_DIMS - 1) {
        diag_report(model->ctx->diag, P0207, type->dtype.span, "an input of %d dims", type->dims.count);
        return false;
    }
    tensor->dim_count = type->dims.count;
    tensor->batch_dim = -1;
    for (int i = 0; i < type->dims.count; i++) {
        if (!input_dim(model, type->dims.data[i], &dims[i]))
            return false;
        bool is_batch = strcmp(dims[i].name, "batch") == 0;
        if (is_batch && i > 0) {
            resolve_unsupported(model->ctx, type->dims.data[i]->span, "inputs whose batch is not the first dim are");
            return false;
        }
        if (is_batch)
            tensor->batch_dim = i;
        tensor->dims[i] = is_batch ? model->declared_batch : dims[i].size;
    }
    if (tensor->batch_dim < 0) {
        resolve_unsupported(model->ctx, type->dtype.span, "inputs without the dim 'batch' are");
        return false;
    }
    return true;
}

int model_find_tensor(const Builder *b, const char *name)
{
    for (int i = 0; i < b->decls->tensors.count; i++)
        if (strcmp(b->decls->tensors.data[i].name, name) == 0)
            return i;
    return -1;
}

/* Each copy reads a batch of its own; the one example of a prediction is the same for all. */
void model_read(Model *model, Ref to, int tensor)
{
    Op *op = builder_op(model->b, OP_READ, "", to, NULL);
    op->tensor = tensor;
    if (model->b->program->routines.data[model->b->routine].kind != ROUTINE_PREDICT)
        contract_set_over(op, contract_copies(model->b->decls));
}

static void read_input(Model *model, const AstName *name, Tensor tensor, const ValueDim *dims)
{
    tensor.name = name->text;
    tensor.span = name->span;
    const Variable *first = model_find_variable(model, name->text);
    if (first != NULL) {
        resolve_duplicate(model->ctx, name->span, "input", name->text, first->span);
        model->failed = true;
        return;
    }
    for (int i = 0; i < tensor.dim_count; i++)
        tensor.dim_names[i] = dims[i].name;
    int index = model->declares ? builder_add_input(model->b, &tensor) : model_find_tensor(model->b, name->text);
    model->b->span = name->span;
    ValueDim read[STEP_MAX_DIMS];
    memcpy(read, dims, sizeof read);
    model_serve_input(model, &tensor, read, &index);
    dims = read;
    Value value = model_value(model, name->text, tensor.dtype, tensor.dim_count, dims);
    if (value.known)
        model_read(model, value.ref, index);
    DType compute = model->b->decls->compute_dtype;
    if (value.known && tensor.dtype != DTYPE_I32 && tensor.dtype != compute) {
        Value cast =
            model_value(model, arena_printf(model->ctx->arena, "%s.cast", name->text), compute, tensor.dim_count, dims);
        builder_op(model->b, OP_CAST, builder_elementwise_spec(model->b, cast.ref, 1, 0), cast.ref, &value.ref);
        value = cast;
    }
    value.span = name->span;
    value.is_input = true;
    set_variable(model, name, value);
}

static void walk_input(Model *model, const AstNode *node)
{
    Tensor tensor = {.kind = TENSOR_INPUT, .group = -1};
    ValueDim dims[STEP_MAX_DIMS];
    if (model->group >= 0) {
        diag_report(model->ctx->diag, P0206, node->span, "an input inside 'repeat'");
        model->failed = true;
        return;
    }
    bool good = node->input.type->kind == AST_TYPE && input_shape(model, &node->input.type->type, &tensor, dims);
    for (int i = 0; i < node->input.names.count; i++) {
        if (good)
            read_input(model, &node->input.names.data[i], tensor, dims);
        else
            set_variable(model, &node->input.names.data[i], model_unknown(model));
    }
}

/* ---- Values ------------------------------------------------------------------------------------------------- */

bool model_is_batch(const ValueDim *dim)
{
    return strcmp(dim->name, "batch") == 0;
}

bool model_dims_match(const ValueDim *x, const ValueDim *y)
{
    bool fused_alike = x->segments == NULL || y->segments == NULL || segments_equal(x->segments, y->segments);
    return x->size == y->size && model_is_batch(x) == model_is_batch(y) && fused_alike;
}

bool model_fits(const Model *model, int dim_count, const ValueDim *dims)
{
    int64_t layers = model->group >= 0 ? model->b->decls->groups.data[model->group].layers : 1;
    int64_t bytes = 8 * layers;
    for (int i = 0; i < dim_count; i++)
        if (__builtin_mul_overflow(bytes, dims[i].size, &bytes) || bytes > INT64_MAX / 16)
            return false;
    return true;
}

Value model_value(Model *model, const char *name, DType dtype, int dim_count, const ValueDim *dims)
{
    Value value = {.known = true, .dtype = dtype, .dim_count = dim_count, .span = model->b->span};
    int64_t sizes[STEP_MAX_DIMS];
    for (int i = 0; i < dim_count; i++) {
        value.dims[i] = dims[i];
        sizes[i] = dims[i].size;
    }
    if (!model_fits(model, dim_count, dims)) {
        diag_report(model->ctx->diag, P0207, model->b->span, "a value of %s is too large", model_shape(model, &value));
        return model_unknown(model);
    }
    value.ref = builder_temporary(model->b, name, dtype, dim_count, sizes);
    return value;
}

const char *model_shape(const Model *model, const Value *value)
{
    Text text = {.arena = model->ctx->arena};
    text_add(&text, "[");
    for (int i = 0; i < value->dim_count; i++) {
        const ValueDim *dim = &value->dims[i];
        const char *separator = i > 0 ? ", " : "";
        if (dim->name[0] >= '0' && dim->name[0] <= '9' && strspn(dim->name, "0123456789") == strlen(dim->name))
            text_add(&text, "%s%s", separator, dim->name);
        else
            text_add(&text, "%s%s = %lld", separator, dim->name, (long long)dim->size);
    }
    text_add(&text, "]");
    return text.data;
}

/* ---- Repeated blocks ---------------------------------------------------------------------------------------- */

typedef struct CarriedVariable {
    const char *name;
    int buffer;
    Value before; /* in the block: at slot l */
} CarriedVariable;
typedef Vec(CarriedVariable) CarriedVariables;

static bool is_assigned(const AstList *body, const char *name)
{
    for (int i = 0; i < body->count; i++)
        if (body->data[i]->kind == AST_ASSIGN && body->data[i]->assign.name.text == name)
            return true;
    return false;
}

static bool is_read_into(const NodeList *body, int buffer)
{
    for (int i = 0; i < body->count; i++)
        if (body->data[i]->kind == NODE_OP && body->data[i]->op->kind == OP_READ &&
            body->data[i]->op->out.buffer == buffer)
            return true;
    return false;
}

/* May the buffer of a value be widened: does it hold one computed value and nothing else? */
static bool may_widen(const Model *model, const Value *value)
{
    const Program *program = model->b->program;
    const Buffer *buffer = &program->buffers.data[value->ref.buffer];
    return buffer->state < 0 && buffer->slots == 1 &&
           !is_read_into(&program->routines.data[model->b->routine].body, value->ref.buffer);
}

static void emit_copy(Model *model, Ref to, Ref from)
{
    builder_op(model->b, OP_COPY, builder_elementwise_spec(model->b, to, 1, 0), to, &from);
}

static CarriedVariable carry(Model *model, Variable *variable, int64_t layers)
{
    Value value = variable->value;
    if (!may_widen(model, &value)) {
        Ref wide = builder_like(model->b, variable->name, value.ref);
        emit_copy(model, wide, value.ref);
        value.ref = wide;
    }
    model->b->program->buffers.data[value.ref.buffer].slots = layers + 1;
    return (CarriedVariable){variable->name, value.ref.buffer, value};
}

static CarriedVariables begin_carrying(Model *model, const AstRepeat *repeat, int64_t layers)
{
    CarriedVariables carried = {0};
    for (int i = 0; i < model->variables.count; i++) {
        Variable *variable = &model->variables.data[i];
        if (variable->value.known && is_assigned(&repeat->body, variable->name))
            vec_push(model->ctx->arena, &carried, carry(model, variable, layers));
    }
    return carried;
}

static bool same_shape(const Value *x, const Value *y)
{
    if (x->dtype != y->dtype || x->dim_count != y->dim_count)
        return false;
    for (int i = 0; i < x->dim_count; i++)
        if (!model_dims_match(&x->dims[i], &y->dims[i]))
            return false;
    return true;
}

/* Makes the block's last assignment slot l + 1 of the carried buffer. */
static void end_carrying(Model *model, const CarriedVariable *carried, Node *loop, int first_new_buffer)
{
    Variable *variable = model_find_variable(model, carried->name);
    Value *after = &variable->value;
    if (!after->known)
        return;
    if (!same_shape(after, &carried->before)) {
        Diagnostic *d =
            diag_report(model->ctx->diag, P0203, variable->span, "'%s' enters '%s' as %s and leaves it as %s",
                        carried->name, model->b->decls->groups.data[model->group].name,
                        model_shape(model, &carried->before), model_shape(model, after));
        diag_why(d, "What a repeated block passes on must have the same shape and dtype in every layer.");
        diag_label(d, carried->before.span, "%s before the block", model_shape(model, &carried->before));
        model->failed = true;
        return;
    }
    Ref to = {carried->buffer, affine_loop(loop->loop.id, 1, 1), -1};
    int temporary = after->ref.buffer;
    if (temporary < first_new_buffer || model->b->program->buffers.data[temporary].state >= 0) {
        emit_copy(model, to, after->ref);
        return;
    }
    builder_rename(loop, temporary, to);
    for (int i = 0; i < model->variables.count; i++)
        if (model->variables.data[i].value.known && model->variables.data[i].value.ref.buffer == temporary)
            model->variables.data[i].value.ref = to;
}

static void leave_block(Model *model, const CarriedVariables *carried, int outer_count, int64_t layers)
{
    model->variables.count = outer_count; /* variables that the block itself introduced end with it */
    for (int i = 0; i < carried->count; i++) {
        Value *value = &model_find_variable(model, carried->data[i].name)->value;
        bool known = value->known;
        *value = carried->data[i].before;
        value->known = known;
        value->ref.slot = affine_constant(layers);
    }
}

/* Layers are proved one by one. */
static const int64_t most_layers = 10000;

static bool open_group(Model *model, const AstRepeat *repeat, int64_t *layers)
{
    Ctx *ctx = model->ctx;
    Decls *decls = model->b->decls;
    const AstName *name = &repeat->name;
    if (model->group >= 0) {
        resolve_unsupported(ctx, repeat->name.span, "a 'repeat' inside a 'repeat' is");
        return false;
    }
    if (!resolve_integer(ctx, &model->constants, repeat->count, "the number of layers", 1, most_layers, layers))
        return false;
    if (!model_take_label(model, name->text, name->span))
        return false;
    for (model->group = 0; model->group < decls->groups.count; model->group++)
        if (strcmp(decls->groups.data[model->group].name, name->text) == 0)
            return true;
    vec_push(ctx->arena, &decls->groups, (Group){name->text, *layers, name->span});
    return true;
}

static void walk_statements(Model *model, const AstList *body);

static void walk_repeat(Model *model, const AstNode *node)
{
    const AstRepeat *repeat = &node->repeat;
    Builder *b = model->b;
    int64_t layers = 0;
    if (!open_group(model, repeat, &layers)) {
        model->failed = true;
        return;
    }
    b->span = repeat->name.span;
    model->prefix = arena_printf(model->ctx->arena, "%s.", repeat->name.text);
    int outer_count = model->variables.count, first_new_buffer;
    CarriedVariables carried = begin_carrying(model, repeat, layers);
    first_new_buffer = b->program->buffers.count;
    Node *loop = builder_loop(b, model->group, false);
    for (int i = 0; i < carried.count; i++) {
        carried.data[i].before.ref.slot = affine_loop(loop->loop.id, 1, 0);
        model_find_variable(model, carried.data[i].name)->value = carried.data[i].before;
    }
    walk_statements(model, &repeat->body);
    for (int i = 0; i < carried.count; i++)
        end_carrying(model, &carried.data[i], loop, first_new_buffer);
    builder_end(b);
    leave_block(model, &carried, outer_count, layers);
    model->group = -1;
    model->prefix = "";
}

/* ---- Statements --------------------------------------------------------------------------------------------- */

static void walk_assign(Model *model, const AstNode *node)
{
    const AstName *name = &node->assign.name;
    const AstNode *value = node->assign.value;
    bool is_loss = strcmp(name->text, "loss") == 0;
    const Constant *constant = resolve_constant(&model->constants, name->text);
    model->target = name->text;
    if (constant != NULL) {
        resolve_duplicate(model->ctx, name->span, "name", name->text, constant->span);
        model->failed = true;
    } else if (is_loss && model->group < 0) {
        model_loss(model, value);
    } else {
        Value result = model_expression(model, value);
        model->failed |= !result.known;
        set_variable(model, name, result);
    }
}

static void walk_statements(Model *model, const AstList *body)
{
    for (int i = 0; i < body->count; i++) {
        const AstNode *node = body->data[i];
        model->b->span = node->span;
        if (node->kind == AST_INPUT)
            walk_input(model, node);
        else if (node->kind == AST_ASSIGN)
            walk_assign(model, node);
        else if (node->kind == AST_REPEAT)
            walk_repeat(model, node);
        else
            model->failed = true; /* AST_ERROR */
    }
}

/* Suggests a value whose name is nearly 'loss'. */
static bool suggest_loss(const Model *model, Diagnostic *d)
{
    static const char *const loss[] = {"loss"};
    for (int i = 0; i < model->variables.count; i++) {
        const Variable *variable = &model->variables.data[i];
        if (diag_suggest(variable->name, loss, 1) == NULL)
            continue;
        diag_label(d, variable->span, "did you mean 'loss'?");
        diag_help_edit(d, variable->span, "loss", "Call '%s' 'loss'.", variable->name);
        return true;
    }
    return false;
}

bool model_walk(Model *model, int64_t batch)
{
    model->batch = batch;
    model->variables.count = 0;
    model->labels.count = 0;
    model->routers.count = 0;
    for (int i = 0; i < POSITIONS_COUNT; i++)
        model->positions[i].count = 0;
    model->rotations.count = 0;
    model->here.known = false;
    model->group = -1;
    model->prefix = "";
    model->loss_span = (Span){0};
    model->loss_terms.count = 0;
    model->prediction_name = NULL;
    model->failed = model->misbound;
    walk_statements(model, &model->node->model.body);
    model->declares = false;
    if (!model->failed && !span_known(model->loss_span)) {
        Diagnostic *d = diag_report(model->ctx->diag, P0208, model->node->model.name.span, "model '%s' has no loss",
                                    model->node->model.name.text);
        if (!suggest_loss(model, d))
            diag_help(d, "End it with 'loss = mean over batch of ...'.");
        model->failed = true;
    }
    return !model->failed;
}

/* ---- Groups ------------------------------------------------------------------------------------------------- */

int64_t model_groups(Model *model, ContractKind kind, ValueDim dim)
{
    int64_t groups = contract_groups(model->contracts, model->b->decls, kind, dim.name);
    if (dim.size % groups == 0)
        return groups;
    const Contract *contract = contract_find(model->contracts, kind, dim.name);
    Diagnostic *d = diag_report(model->ctx->diag, P0205, contract->span, "%lld of '%s' do not divide into %lld groups",
                                (long long)dim.size, dim.name, (long long)groups);
    diag_label(d, model->b->span, "of this");
    diag_why(d, "What one device does under a contract is defined for groups of equal length.");
    return 0;
}

/* "abcd" with another letter in place of letter `dim`. */
static const char *letters_with(Model *model, const char *letters, int dim, const char *instead)
{
    return arena_printf(model->ctx->arena, "%.*s%s%s", dim, letters, instead, letters + dim + 1);
}

Value model_part(Model *model, const char *name, const Value *x, int dim, int64_t groups)
{
    ValueDim dims[STEP_MAX_DIMS];
    const char *letters = builder_letters(model->b, x->ref);
    memcpy(dims, x->dims, sizeof dims);
    for (int i = x->dim_count; i > dim + 1; i--)
        dims[i] = x->dims[i - 1];
    int64_t size = x->dims[dim].size / groups;
    dims[dim].size = groups;
    dims[dim + 1] = (ValueDim){.name = arena_printf(model->ctx->arena, "%lld", (long long)size), .size = size};
    Value parted = model_value(model, name, x->dtype, x->dim_count + 1, dims);
    if (parted.known)
        builder_op(model->b, OP_VIEW,
                   arena_printf(model->ctx->arena, "%s->%s", letters, letters_with(model, letters, dim, "yz")),
                   parted.ref, &x->ref);
    return parted;
}

Value model_unite(Model *model, const char *name, const Value *x, int dim, ValueDim whole)
{
    ValueDim dims[STEP_MAX_DIMS];
    memcpy(dims, x->dims, sizeof dims);
    dims[dim] = whole;
    for (int i = dim + 1; i + 1 < x->dim_count; i++)
        dims[i] = x->dims[i + 1];
    Value united = model_value(model, name, x->dtype, x->dim_count - 1, dims);
    if (!united.known)
        return united;
    const char *letters = builder_letters(model->b, united.ref);
    builder_op(model->b, OP_VIEW,
               arena_printf(model->ctx->arena, "%s->%s", letters_with(model, letters, dim, "yz"), letters), united.ref,
               &x->ref);
    return united;
}

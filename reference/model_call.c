/* model_call.c - calls in models: arguments, parameters, and the table of functions (reference/model_call.h). */
#include "reference/model_call.h"

#include <math.h>
#include <string.h>

const Start START_ZEROS = {INIT_ZEROS, 0}, START_ONES = {INIT_ONES, 0}, START_NORMAL = {INIT_NORMAL, 0.02};

/* ---- Helpers ------------------------------------------------------------------------------------------------ */

const char *call_name(Model *model, const Call *call, const char *role)
{
    return arena_printf(model->ctx->arena, "%s.%s", call->path, role);
}

const char *call_leading(Model *model, int count)
{
    return arena_copy(model->ctx->arena, "btuw", (size_t)count);
}

const char *call_spec(Model *model, const char *format, const char *lead)
{
    Text text = {.arena = model->ctx->arena};
    for (const char *p = format; *p; p++) {
        if (*p == '*')
            text_add(&text, "%s", lead);
        else
            text_add_bytes(&text, p, 1);
    }
    return text.data;
}

Value call_tensor(Model *model, const Call *call, int i, bool is_int, int min_dims)
{
    Value value = model_expression(model, call->argument[i]);
    model->b->span = call->node->span;
    if (!value.known)
        return value;
    if ((value.dtype == DTYPE_I32) != is_int) {
        diag_report(model->ctx->diag, P0204, call->argument[i]->span, "argument '%s' of '%s' must be %s, this is %s",
                    call->function->arguments[i].name, call->function->name, is_int ? "int" : "real numbers",
                    is_int ? dtype_name(value.dtype) : "int");
        return model_unknown(model);
    }
    if (value.dim_count < min_dims || value.dim_count > 4) {
        diag_report(model->ctx->diag, P0203, call->argument[i]->span,
                    "argument '%s' of '%s' must have %d to 4 dims, this has %d: %s", call->function->arguments[i].name,
                    call->function->name, min_dims, value.dim_count, model_shape(model, &value));
        return model_unknown(model);
    }
    return value;
}

Value call_row(Model *model, const Call *call, int i, int min_dims)
{
    Value value = call_tensor(model, call, i, false, min_dims);
    if (!value.known || !model_is_batch(&value.dims[value.dim_count - 1]))
        return value;
    diag_report(model->ctx->diag, P0203, call->argument[i]->span,
                "'%s' works along the last dim, which is the batch: %s", call->function->name,
                model_shape(model, &value));
    return model_unknown(model);
}

bool call_size(Model *model, const Call *call, int i, ValueDim *dim)
{
    const AstNode *node = call->argument[i];
    const char *what = arena_printf(model->ctx->arena, "argument '%s' of '%s'", call->function->arguments[i].name,
                                    call->function->name);
    *dim = (ValueDim){.name = resolve_text(model->ctx, node)};
    bool good = resolve_integer(model->ctx, &model->constants, node, what, 1, INT32_MAX, &dim->size);
    model->failed |= !good;
    return good;
}

bool call_is_word(const AstNode *node, const char *word)
{
    return node != NULL && node->kind == AST_NAME && strcmp(node->name.text, word) == 0;
}

bool call_word(Model *model, const Call *call, int i, const char *word, bool *present)
{
    *present = call_is_word(call->argument[i], word);
    if (call->argument[i] == NULL || *present)
        return true;
    diag_report(model->ctx->diag, P0206, call->argument[i]->span, "argument '%s' of '%s' can only be '%s'",
                call->function->arguments[i].name, call->function->name, word);
    model->failed = true;
    return false;
}

Start call_start_residual(const Model *model)
{
    int64_t layers = model->group >= 0 ? model->b->decls->groups.data[model->group].layers : 1;
    return (Start){INIT_NORMAL, 0.02 / sqrt(2.0 * (double)layers)};
}

/* The names by which strategies refer to the dims of parameters, by role; the first row that matches. */
static const struct {
    const char *function, *role; /* NULL: of any function; the end of the role */
    int dims;
    const char *names[STEP_MAX_DIMS];
} dim_names[] = {
    {NULL, "query.weight", 3, {"heads", "head", "in"}},
    {NULL, "query.weight", 4, {"heads", "group", "head", "in"}},
    {NULL, "query.bias", 2, {"heads", "head"}},
    {NULL, "query.bias", 3, {"heads", "group", "head"}},
    {NULL, "key.weight", 3, {"heads", "head", "in"}},
    {NULL, "key.bias", 2, {"heads", "head"}},
    {NULL, "value.weight", 3, {"heads", "head", "in"}},
    {NULL, "value.bias", 2, {"heads", "head"}},
    {NULL, "qkv.weight", 3, {"heads", "head", "in"}},
    {NULL, "qkv.weight", 4, {"heads", "group", "head", "in"}},
    {NULL, "qkv.bias", 2, {"heads", "head"}},
    {NULL, "qkv.bias", 3, {"heads", "group", "head"}},
    {NULL, "out.weight", 3, {"out", "heads", "head"}},
    {NULL, "out.weight", 4, {"out", "heads", "group", "head"}},
    {NULL, "router.weight", 2, {"experts", "in"}},
    {NULL, "lora_up.weight", 3, {"heads", "head", "in"}},
    {NULL, "lora_up.weight", 4, {"heads", "group", "head", "in"}},
    {NULL, "up.weight", 3, {"experts", "out", "in"}},
    {NULL, "gate.weight", 3, {"experts", "out", "in"}},
    {NULL, "down.weight", 3, {"experts", "out", "in"}},
    {"embedding", "table", 2, {"vocab", "hidden"}},
    {"positions", "table", 2, {"context", "hidden"}},
    {"class_token", "token", 2, {"rows", "hidden"}},
    {"batchnorm", "gain", 1, {"channels"}},
    {"batchnorm", "bias", 1, {"channels"}},
    {NULL, "gain", 1, {"hidden"}},
    {"layernorm", "bias", 1, {"hidden"}},
    {"convolution", "weight", 3, {"out", "rows", "columns"}},
    {"convolution", "weight", 4, {"out", "in", "rows", "columns"}},
    {"convolution", "weight", 5, {"groups", "out", "in", "rows", "columns"}},
    {NULL, "weight", 2, {"out", "in"}},
    {NULL, "bias", 1, {"out"}},
};

static void name_dims(const Call *call, const char *role, Tensor *tensor)
{
    size_t length = strlen(role);
    for (size_t i = 0; i < sizeof(dim_names) / sizeof(*dim_names); i++) {
        size_t end = strlen(dim_names[i].role);
        if (dim_names[i].dims != tensor->dim_count || end > length ||
            strcmp(role + length - end, dim_names[i].role) != 0 ||
            (dim_names[i].function != NULL && strcmp(dim_names[i].function, call->function->name) != 0))
            continue;
        memcpy(tensor->dim_names, dim_names[i].names, sizeof(tensor->dim_names));
        return;
    }
}

bool model_names_dim(Ctx *ctx, const Decls *decls, const char *name, NameVec *known)
{
    for (int i = 0; i < decls->tensors.count; i++)
        for (int j = 0; j < decls->tensors.data[i].dim_count; j++)
            if (decls->tensors.data[i].dim_names[j] != NULL)
                vec_push(ctx->arena, known, decls->tensors.data[i].dim_names[j]);
    for (int i = 0; i < known->count; i++)
        if (strcmp(known->data[i], name) == 0)
            return true;
    for (size_t i = 0; i < sizeof(dim_names) / sizeof(*dim_names); i++)
        for (int dim = 0; dim < dim_names[i].dims; dim++)
            if (strcmp(dim_names[i].names[dim], name) == 0)
                return true;
    return false;
}

Ref call_parameter(Model *model, const Call *call, const char *role, Start start, int dim_count, const ValueDim *dims)
{
    const char *name = call_name(model, call, role);
    Tensor tensor = {.name = name,
                     .kind = TENSOR_PARAMETER,
                     .dtype = model->b->decls->compute_dtype,
                     .group = model->group,
                     .dim_count = dim_count,
                     .batch_dim = -1,
                     .init = start.kind,
                     .init_scale = start.scale,
                     .trainable = !call->frozen && model->serving == SERVING_NOT,
                     .span = call->node->span};
    for (int i = 0; i < dim_count; i++) {
        tensor.dims[i] = dims[i].size;
        tensor.segments[i] = dims[i].segments;
    }
    name_dims(call, role, &tensor);
    int index = model_find_tensor(model->b, name);
    if (!model_fits(model, dim_count, dims)) {
        Value shown = {.dim_count = dim_count};
        memcpy(shown.dims, dims, sizeof *dims * (size_t)dim_count);
        diag_report(model->ctx->diag, P0207, call->node->span, "parameter '%s' of %s is too large", name,
                    model_shape(model, &shown));
        model->failed = true;
    }
    if (index < 0)
        index = builder_add_parameter(model->b, &tensor);
    return builder_state_ref(model->b, BUILDER_STATE_PARAMETERS, index);
}

Value call_result(Model *model, const char *name, DType dtype, const Value *like, const ValueDim *last)
{
    ValueDim dims[STEP_MAX_DIMS];
    int count = like->dim_count - 1;
    for (int i = 0; i < count; i++)
        dims[i] = like->dims[i];
    if (last != NULL)
        dims[count++] = *last;
    return model_value(model, name, dtype, count, dims);
}

ValueDim call_last_dim(const Value *value)
{
    return value->dims[value->dim_count - 1];
}

/* ---- The table ---------------------------------------------------------------------------------------------- */

static const Function functions[] = {
    {"embedding", true, 3, {{"tokens", true}, {"vocab", true}, {"hidden", true}}, emit_embedding, true},
    {"positions", true, 2, {{"context", true}, {"hidden", true}}, emit_positions, true},
    {"attention",
     true,
     10,
     {{"x", true},
      {"heads", true},
      {"causal", false},
      {"bias", false},
      {"rope", false},
      {"kv_heads", false},
      {"dropout", false},
      {"adapter", false},
      {"weights", false},
      {"head_dim", false}},
     emit_attention,
     true},
    {"mlp",
     true,
     5,
     {{"x", true}, {"width", true}, {"activation", true}, {"bias", false}, {"weights", false}},
     emit_mlp,
     true},
    {"segment", false, 2, {{"x", true}, {"index", true}}, emit_segment, true},
    {"moe",
     true,
     7,
     {{"x", true},
      {"experts", true},
      {"top", true},
      {"width", true},
      {"activation", true},
      {"capacity", false},
      {"room", false}},
     emit_moe,
     true},
    {"load_balance", false, 1, {{"layer", true}}, emit_load_balance, true},
    {"router_z", false, 1, {{"layer", true}}, emit_router_z, true},
    {"convolution",
     true,
     7,
     {{"x", true},
      {"out", true},
      {"window", true},
      {"stride", false},
      {"pad", false},
      {"groups", false},
      {"bias", false}},
     emit_convolution,
     false},
    {"max_pool", false, 4, {{"x", true}, {"window", true}, {"stride", false}, {"pad", false}}, emit_max_pool, false},
    {"mean_pool", false, 4, {{"x", true}, {"window", true}, {"stride", false}, {"pad", false}}, emit_mean_pool, false},
    {"global_mean", false, 1, {{"x", true}}, emit_global_mean, false},
    {"flatten", false, 1, {{"x", true}}, emit_flatten, false},
    {"sequence", false, 1, {{"x", true}}, emit_sequence, false},
    {"class_token", true, 1, {{"x", true}}, emit_class_token, false},
    {"row", false, 2, {{"x", true}, {"index", true}}, emit_row, false},
    {"batchnorm", true, 1, {{"x", true}}, emit_batchnorm, false},
    {"linear",
     false,
     5,
     {{"x", true}, {"out", true}, {"weight", false}, {"bias", false}, {"adapter", false}},
     emit_linear,
     true},
    {"layernorm", true, 1, {{"x", true}}, emit_layernorm, true},
    {"rmsnorm", true, 1, {{"x", true}}, emit_rmsnorm, true},
    {"dropout", false, 2, {{"x", true}, {"rate", true}}, emit_dropout, true},
#define OP(id, name, op_class, operands, immediates, coupled, linear, flops, gradient, called, body)                   \
    CALLED(called, {#called, false, 1, {{"x", true}}, emit_activation, true})
#include "step/op.def"
#undef OP
    {"cross_entropy", false, 2, {{"logits", true}, {"targets", true}}, emit_cross_entropy, true},
    {"squared_error", false, 2, {{"x", true}, {"target", true}}, emit_squared_error, true},
};

enum { FUNCTION_COUNT = sizeof functions / sizeof *functions };

/* Names of the language that no model can use yet. */
static const char *const planned[] = {"softmax", "sigmoid"};

static void report_planned(Model *model, const AstNode *callee, const char *name)
{
    Diagnostic *d = resolve_unsupported(model->ctx, callee->span, "'%s' is", name);
    Text list = {.arena = model->ctx->arena};
    for (int i = 0; i < FUNCTION_COUNT; i++)
        text_add(&list, "%s'%s'", i > 0 ? ", " : "", functions[i].name);
    diag_note(d, "Supported are %s.", list.data);
}

static const Function *find_function(Model *model, const AstNode *callee)
{
    const char *names[FUNCTION_COUNT];
    if (callee->kind != AST_NAME) {
        if (callee->kind != AST_ERROR)
            diag_report(model->ctx->diag, P0206, callee->span, "'%s' is not a function",
                        resolve_text(model->ctx, callee));
        return NULL;
    }
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        names[i] = functions[i].name;
        if (strcmp(names[i], callee->name.text) == 0)
            return &functions[i];
    }
    for (size_t i = 0; i < sizeof planned / sizeof *planned; i++)
        if (strcmp(planned[i], callee->name.text) == 0) {
            report_planned(model, callee, planned[i]);
            return NULL;
        }
    resolve_unknown(model->ctx, callee->span, "function", callee->name.text, names, FUNCTION_COUNT);
    return NULL;
}

/* Reserves the call's label; false if another call has it. */
static bool take_label(Model *model, Call *call)
{
    const AstName *label = &call->node->call.label;
    call->path = arena_printf(model->ctx->arena, "%s%s", model->prefix, label->text ? label->text : model->target);
    if (label->text == NULL) {
        if (!call->function->has_parameters)
            return true;
        Diagnostic *d = diag_report(model->ctx->diag, P0208, call->node->call.callee->span,
                                    "'%s' has parameters and needs a label", call->function->name);
        diag_help(d, "Write '%s(...) as NAME': its parameters are called NAME.something, in checkpoints too.",
                  call->function->name);
        return false;
    }
    return model_take_label(model, call->path, label->span);
}

/* The call's own arguments and, for a function with parameters, whether these are frozen. */
static bool read_arguments(Model *model, Call *call)
{
    const Function *function = call->function;
    ArgumentInfo arguments[CALL_MAX_ARGUMENTS + 1];
    const AstNode *values[CALL_MAX_ARGUMENTS + 1] = {NULL};
    int count = function->argument_count;
    memcpy(arguments, function->arguments, sizeof function->arguments);
    bool has_parameters = function->has_parameters || function->emit == emit_linear;
    if (has_parameters)
        arguments[count++] = (ArgumentInfo){"parameters", false};
    if (!resolve_arguments(model->ctx, call->node->call.callee->span, function->name, &call->node->call.arguments,
                           arguments, count, values))
        return false;
    memcpy(call->argument, values, sizeof call->argument);
    const AstNode *given = has_parameters ? values[count - 1] : NULL;
    call->frozen = call_is_word(given, "frozen");
    if (given == NULL || call->frozen)
        return true;
    diag_report(model->ctx->diag, P0206, given->span, "argument 'parameters' of '%s' can only be 'frozen'",
                function->name);
    return false;
}

/* One row at a time must give what all rows at once do. */
static bool check_served(Model *model, const Call *call)
{
    if (model->serving == SERVING_NOT || call->function->by_row)
        return true;
    Diagnostic *d = resolve_unsupported(model->ctx, call->node->call.callee->span, "serving a model with '%s' is",
                                        call->function->name);
    diag_why(d, "Its result for one row depends on later rows, or on how many there are, so tokens cannot be added one "
                "at a time.");
    return false;
}

Value model_call(Model *model, const AstNode *node)
{
    Call call = {.node = node, .function = find_function(model, node->call.callee)};
    if (call.function == NULL || !check_served(model, &call) || !read_arguments(model, &call) ||
        !take_label(model, &call))
        return model_unknown(model);
    Value value = call.function->emit(model, &call);
    model->b->span = node->span;
    value.span = node->span;
    return value;
}

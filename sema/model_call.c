/* model_call.c - the functions of models: a table of names and arguments, and for each what it appends.
 *
 * Weights are [out, in]. In index letters b t u w are the leading dims (batch first), h is what comes in, o what comes
 * out, n the heads, d the dims of one head, s the positions attended to, v the entries of a vocabulary.
 */
#include "sema/model.h"

#include <math.h>
#include <string.h>

enum { MAX_ARGUMENTS = 4 };

typedef struct Function Function;

/* A call being evaluated. */
typedef struct Call {
    const AstNode *node;
    const Function *function;
    const AstNode *argument[MAX_ARGUMENTS];
    const char *path; /* of its label, "block.attn"; without one, of the variable that is assigned */
} Call;

struct Function {
    const char *name;
    bool has_parameters;
    int argument_count;
    ArgumentInfo arguments[MAX_ARGUMENTS];
    Value (*emit)(Model *model, Call *call);
};

/* ---- Helpers ------------------------------------------------------------------------------------------------ */

static const char *name_in(Model *model, const Call *call, const char *role)
{
    return arena_printf(model->ctx->arena, "%s.%s", call->path, role);
}

/* "bt" for the two leading dims, and so on. */
static const char *leading(Model *model, int count)
{
    return arena_copy(model->ctx->arena, "btuw", (size_t)count);
}

static const char *spec(Model *model, const char *format, const char *lead)
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

/* An argument that is a tensor of real numbers (or int), with at least `min_dims` dims. */
static Value value_argument(Model *model, const Call *call, int i, bool is_int, int min_dims)
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

/* The same for a function along the last dim, which the batch cannot be: what it computed would depend on its size. */
static Value row_argument(Model *model, const Call *call, int i, int min_dims)
{
    Value value = value_argument(model, call, i, false, min_dims);
    if (!value.known || !model_is_batch(&value.dims[value.dim_count - 1]))
        return value;
    diag_report(model->ctx->diag, P0203, call->argument[i]->span,
                "'%s' works along the last dim, which is the batch: %s", call->function->name,
                model_shape(model, &value));
    return model_unknown(model);
}

static bool size_argument(Model *model, const Call *call, int i, ValueDim *dim)
{
    const AstNode *node = call->argument[i];
    const char *what = arena_printf(model->ctx->arena, "argument '%s' of '%s'", call->function->arguments[i].name,
                                    call->function->name);
    *dim = (ValueDim){.name = resolve_text(model->ctx, node)};
    bool good = resolve_integer(model->ctx, &model->constants, node, what, 1, INT32_MAX, &dim->size);
    model->failed |= !good;
    return good;
}

/* What an optional argument that may only be `word` says. */
static bool is_word(const AstNode *node, const char *word)
{
    return node != NULL && node->kind == AST_NAME && strcmp(node->name.text, word) == 0;
}

static bool word_argument(Model *model, const Call *call, int i, const char *word, bool *present)
{
    *present = is_word(call->argument[i], word);
    if (call->argument[i] == NULL || *present)
        return true;
    diag_report(model->ctx->diag, P0206, call->argument[i]->span, "argument '%s' of '%s' can only be '%s'",
                call->function->arguments[i].name, call->function->name, word);
    model->failed = true;
    return false;
}

static int find_tensor(const Builder *b, const char *name)
{
    for (int i = 0; i < b->decls->tensors.count; i++)
        if (strcmp(b->decls->tensors.data[i].name, name) == 0)
            return i;
    return -1;
}

typedef struct Start {
    InitKind kind;
    double scale;
} Start;

static const Start START_ZEROS = {INIT_ZEROS, 0}, START_ONES = {INIT_ONES, 0}, START_NORMAL = {INIT_NORMAL, 0.02};

/* Projections back into a residual stream start smaller, so that the sum of all layers keeps its size. */
static Start start_residual(const Model *model)
{
    int64_t layers = model->group >= 0 ? model->b->decls->groups.data[model->group].layers : 1;
    return (Start){INIT_NORMAL, 0.02 / sqrt(2.0 * (double)layers)};
}

/* The parameter `role` of a call: declared by the first walk, found by the others. */
static Ref parameter(Model *model, const Call *call, const char *role, Start start, int dim_count, const ValueDim *dims)
{
    const char *name = name_in(model, call, role);
    Tensor tensor = {.name = name,
                     .kind = TENSOR_PARAMETER,
                     .dtype = model->b->decls->compute_dtype,
                     .group = model->group,
                     .dim_count = dim_count,
                     .batch_dim = -1,
                     .init = start.kind,
                     .init_scale = start.scale,
                     .trainable = true,
                     .span = call->node->span};
    for (int i = 0; i < dim_count; i++)
        tensor.dims[i] = dims[i].size;
    int index = find_tensor(model->b, name);
    if (!model_fits(model, dim_count, dims)) {
        Value shown = {.dim_count = dim_count};
        memcpy(shown.dims, dims, sizeof *dims * (size_t)dim_count);
        diag_report(model->ctx->diag, P0207, call->node->span, "parameter '%s' of %s is too large", name,
                    model_shape(model, &shown));
        model->failed = true;
    }
    if (index < 0)
        index = build_add_parameter(model->b, &tensor);
    return build_state_ref(model->b, BUILD_STATE_PARAMETERS, index);
}

/* The value whose dims are those of `like` but the last, then `last` (none if its size is 0). */
static Value result(Model *model, const char *name, DType dtype, const Value *like, const ValueDim *last)
{
    ValueDim dims[STEP_MAX_DIMS];
    int count = like->dim_count - 1;
    for (int i = 0; i < count; i++)
        dims[i] = like->dims[i];
    if (last != NULL)
        dims[count++] = *last;
    return model_value(model, name, dtype, count, dims);
}

static ValueDim last_dim(const Value *value)
{
    return value->dims[value->dim_count - 1];
}

/* ---- Dense layers ------------------------------------------------------------------------------------------- */

/* out = x * weight^T, with weight [out, in]; then + bias where there is one. */
static Value project(Model *model, const char *name, const Value *x, Ref weight, const Ref *bias, ValueDim out)
{
    const char *lead = leading(model, x->dim_count - 1);
    Value y = result(model, bias ? arena_printf(model->ctx->arena, "%s.product", name) : name, x->dtype, x, &out);
    if (!y.known)
        return y;
    build_op(model->b, OP_EINSUM, spec(model, "*h,oh->*o", lead), y.ref, (Ref[]){x->ref, weight});
    if (bias == NULL)
        return y;
    Value sum = result(model, name, x->dtype, x, &out);
    build_op(model->b, OP_ADD, spec(model, "*o,o->*o", lead), sum.ref, (Ref[]){y.ref, *bias});
    return sum;
}

/* The parameter that `weight = PATH` names, if it is [out, in]; -1 with a report if not. */
static int tied_weight(Model *model, const Call *call, const AstNode *node, ValueDim out, ValueDim in)
{
    const char *path = resolve_path(model->ctx, node);
    int index = path ? find_tensor(model->b, path) : -1;
    const Tensor *tensors = model->b->decls->tensors.data;
    if (index < 0 || tensors[index].kind != TENSOR_PARAMETER) {
        int count = 0;
        const char **names = arena_array(model->ctx->arena, const char *, model->b->decls->tensors.count + 1);
        for (int i = 0; i < model->b->decls->tensors.count; i++)
            if (tensors[i].kind == TENSOR_PARAMETER)
                names[count++] = tensors[i].name;
        resolve_unknown(model->ctx, node->span, "parameter", path ? path : resolve_text(model->ctx, node), names,
                        count);
        return -1;
    }
    const Tensor *tensor = &tensors[index];
    if (tensor->group >= 0 && tensor->group != model->group) {
        resolve_unsupported(model->ctx, node->span, "a weight tied to a repeated block's is");
        return -1;
    }
    if (tensor->dim_count != 2 || tensor->dims[0] != out.size || tensor->dims[1] != in.size) {
        Text shape = {.arena = model->ctx->arena};
        for (int i = 0; i < tensor->dim_count; i++)
            text_add(&shape, "%s%lld", i > 0 ? ", " : "", (long long)tensor->dims[i]);
        Diagnostic *d = diag_report(model->ctx->diag, P0203, node->span,
                                    "'%s' from '%s' (%lld) to '%s' (%lld) needs a weight [%lld, %lld], '%s' is [%s]",
                                    call->function->name, in.name, (long long)in.size, out.name, (long long)out.size,
                                    (long long)out.size, (long long)in.size, tensor->name, shape.data);
        diag_label(d, tensor->span, "declared here");
        return -1;
    }
    return index;
}

/* linear(x, out, weight = PATH, bias = none) */
static Value emit_linear(Model *model, Call *call)
{
    Value x = row_argument(model, call, 0, 1);
    ValueDim out;
    bool no_bias;
    if (!size_argument(model, call, 1, &out) || !word_argument(model, call, 3, "none", &no_bias) || !x.known)
        return model_unknown(model);
    ValueDim in = last_dim(&x);
    Ref weight, bias = ref_of(-1);
    if ((call->argument[2] == NULL || !no_bias) && call->node->call.label.text == NULL) {
        Diagnostic *d = diag_report(model->ctx->diag, P0208, call->node->call.callee->span,
                                    "'linear' has parameters of its own and needs a label");
        diag_help(d,
                  "Write 'linear(...) as NAME': parameters are called NAME.weight and NAME.bias, in checkpoints too.");
        return model_unknown(model);
    }
    if (call->argument[2] != NULL) {
        int tied = tied_weight(model, call, call->argument[2], out, in);
        if (tied < 0)
            return model_unknown(model);
        weight = build_state_ref(model->b, BUILD_STATE_PARAMETERS, tied);
    } else {
        Start start = {INIT_NORMAL, 1 / sqrt((double)in.size)};
        weight = parameter(model, call, "weight", start, 2, (ValueDim[]){out, in});
    }
    if (!no_bias)
        bias = parameter(model, call, "bias", START_ZEROS, 1, &out);
    return project(model, call->path, &x, weight, no_bias ? NULL : &bias, out);
}

static const struct {
    const char *name;
    OpKind op;
} activations[] = {{"gelu", OP_GELU}, {"relu", OP_RELU}, {"tanh", OP_TANH}};

enum { ACTIVATION_COUNT = 3 };

static Value activate(Model *model, const char *name, OpKind kind, const Value *x)
{
    Value y = model_value(model, name, x->dtype, x->dim_count, x->dims);
    if (y.known)
        build_op(model->b, kind, build_elementwise_spec(model->b, y.ref, 1, 0), y.ref, &x->ref);
    return y;
}

static bool activation_argument(Model *model, const Call *call, int i, OpKind *kind)
{
    const char *names[ACTIVATION_COUNT];
    const AstNode *node = call->argument[i];
    for (int j = 0; j < ACTIVATION_COUNT; j++) {
        names[j] = activations[j].name;
        *kind = activations[j].op;
        if (is_word(node, names[j]))
            return true;
    }
    resolve_unknown(model->ctx, node->span, "activation", resolve_text(model->ctx, node), names, ACTIVATION_COUNT);
    model->failed = true;
    return false;
}

/* mlp(x, width, activation) */
static Value emit_mlp(Model *model, Call *call)
{
    Value x = row_argument(model, call, 0, 1);
    ValueDim width;
    OpKind kind;
    if (!size_argument(model, call, 1, &width) || !activation_argument(model, call, 2, &kind) || !x.known)
        return model_unknown(model);
    ValueDim in = last_dim(&x);
    Ref up = parameter(model, call, "up.weight", START_NORMAL, 2, (ValueDim[]){width, in});
    Ref up_bias = parameter(model, call, "up.bias", START_ZEROS, 1, &width);
    Ref down = parameter(model, call, "down.weight", start_residual(model), 2, (ValueDim[]){in, width});
    Ref down_bias = parameter(model, call, "down.bias", START_ZEROS, 1, &in);
    Value hidden = project(model, name_in(model, call, "up"), &x, up, &up_bias, width);
    if (!hidden.known)
        return hidden;
    Value active = activate(model, name_in(model, call, "active"), kind, &hidden);
    if (!active.known)
        return active;
    return project(model, call->path, &active, down, &down_bias, in);
}

static Value emit_activation(Model *model, Call *call)
{
    Value x = value_argument(model, call, 0, false, 1);
    for (int i = 0; x.known && i < ACTIVATION_COUNT; i++)
        if (strcmp(activations[i].name, call->function->name) == 0)
            return activate(model, call->path, activations[i].op, &x);
    return model_unknown(model);
}

/* layernorm(x): over the last dim, with gain and bias */
static Value emit_layernorm(Model *model, Call *call)
{
    Value x = row_argument(model, call, 0, 1);
    if (!x.known)
        return x;
    static const double epsilon = 1e-5;
    ValueDim last = last_dim(&x);
    const char *lead = leading(model, x.dim_count - 1);
    DType statistics = build_statistics_dtype(model->b->decls);
    Ref gain = parameter(model, call, "gain", START_ONES, 1, &last);
    Ref bias = parameter(model, call, "bias", START_ZEROS, 1, &last);
    Value mean = result(model, name_in(model, call, "mean"), statistics, &x, NULL);
    Value rstd = result(model, name_in(model, call, "rstd"), statistics, &x, NULL);
    Value y = result(model, call->path, x.dtype, &x, &last);
    if (!mean.known || !rstd.known || !y.known)
        return model_unknown(model);
    build_op(model->b, OP_ROW_MEAN, spec(model, "*h->*", lead), mean.ref, &x.ref);
    build_op_with(model->b, OP_ROW_RSTD, spec(model, "*h,*->*", lead), rstd.ref, (Ref[]){x.ref, mean.ref}, &epsilon);
    build_op(model->b, OP_NORM, spec(model, "*h,*,*,h,h->*h", lead), y.ref,
             (Ref[]){x.ref, mean.ref, rstd.ref, gain, bias});
    return y;
}

/* ---- Tables ------------------------------------------------------------------------------------------------- */

/* embedding(tokens, vocab, hidden) */
static Value emit_embedding(Model *model, Call *call)
{
    Value tokens = value_argument(model, call, 0, true, 1);
    ValueDim table_dims[2];
    if (!size_argument(model, call, 1, &table_dims[0]) || !size_argument(model, call, 2, &table_dims[1]) ||
        !tokens.known)
        return model_unknown(model);
    Ref table = parameter(model, call, "table", START_NORMAL, 2, table_dims);
    ValueDim dims[STEP_MAX_DIMS];
    for (int i = 0; i < tokens.dim_count; i++)
        dims[i] = tokens.dims[i];
    dims[tokens.dim_count] = table_dims[1];
    Value y = model_value(model, call->path, model->b->decls->compute_dtype, tokens.dim_count + 1, dims);
    if (y.known)
        build_op(model->b, OP_EMBED, spec(model, "*,vh->*h", leading(model, tokens.dim_count)), y.ref,
                 (Ref[]){tokens.ref, table});
    return y;
}

/* positions(context, hidden): a table to be added */
static Value emit_positions(Model *model, Call *call)
{
    Value y = {.known = true, .dtype = model->b->decls->compute_dtype, .dim_count = 2, .span = call->node->span};
    if (!size_argument(model, call, 0, &y.dims[0]) || !size_argument(model, call, 1, &y.dims[1]))
        return model_unknown(model);
    y.ref = parameter(model, call, "table", START_NORMAL, 2, y.dims);
    return y;
}

/* ---- Attention ---------------------------------------------------------------------------------------------- */

/* The numbers 0, 1, 2, ... along a dim, once per routine, outside of loops; `which` keeps rows and columns apart. */
static Value positions_of(Model *model, ValueDim dim, int which)
{
    for (int i = which; i < model->positions.count; i += 2)
        if (model->positions.data[i].dims[0].size == dim.size)
            return model->positions.data[i];
    static const char *const names[] = {"row_positions", "column_positions"};
    Node *loop = build_leave_loop(model->b);
    for (int i = 0; i < 2; i++) {
        Value value = model_value(model, names[i], DTYPE_I32, 1, &dim);
        build_op(model->b, OP_IOTA, "", value.ref, NULL);
        vec_push(model->ctx->arena, &model->positions, value);
    }
    build_return(model->b, loop);
    return model->positions.data[model->positions.count - 2 + which];
}

/* x [batch, rows, hidden] -> [batch, rows, heads, head_dim] */
static Value project_heads(Model *model, const Call *call, const char *role, const Value *x, const ValueDim *heads)
{
    Arena *arena = model->ctx->arena;
    ValueDim in = last_dim(x), dims[] = {x->dims[0], x->dims[1], heads[0], heads[1]};
    Ref weight = parameter(model, call, arena_printf(arena, "%s.weight", role), START_NORMAL, 3,
                           (ValueDim[]){heads[0], heads[1], in});
    Ref bias = parameter(model, call, arena_printf(arena, "%s.bias", role), START_ZEROS, 2, heads);
    Value product =
        model_value(model, name_in(model, call, arena_printf(arena, "%s.product", role)), x->dtype, 4, dims);
    Value y = model_value(model, name_in(model, call, role), x->dtype, 4, dims);
    if (!product.known || !y.known)
        return model_unknown(model);
    build_op(model->b, OP_EINSUM, "bth,ndh->btnd", product.ref, (Ref[]){x->ref, weight});
    build_op(model->b, OP_ADD, "btnd,nd->btnd", y.ref, (Ref[]){product.ref, bias});
    return y;
}

/* scores [batch, heads, rows, columns] -> weights of the same shape */
static void emit_softmax(Model *model, const Value *scores, const Value *weights, bool causal, int64_t head_dim)
{
    double factor = 1 / sqrt((double)head_dim);
    if (!causal) {
        build_op_with(model->b, OP_SOFTMAX, "bnts->bnts", weights->ref, &scores->ref, &factor);
        return;
    }
    Value rows = positions_of(model, scores->dims[2], 0), columns = positions_of(model, scores->dims[3], 1);
    build_op_with(model->b, OP_CAUSAL_SOFTMAX, "bnts,t,s->bnts", weights->ref,
                  (Ref[]){scores->ref, rows.ref, columns.ref}, &factor);
}

static bool check_heads(Model *model, const Call *call, const Value *x, const ValueDim *heads)
{
    if (x->dim_count != 3) {
        diag_report(model->ctx->diag, P0203, call->argument[0]->span,
                    "'attention' is over [batch, rows, features], this is %s", model_shape(model, x));
        return false;
    }
    ValueDim hidden = last_dim(x);
    if (hidden.size % heads->size != 0) {
        diag_report(model->ctx->diag, P0205, call->argument[1]->span,
                    "dim '%s' (%lld) does not divide into '%s' (%lld) heads", hidden.name, (long long)hidden.size,
                    heads->name, (long long)heads->size);
        return false;
    }
    return true;
}

/* attention(x, heads, causal) */
static Value emit_attention(Model *model, Call *call)
{
    Value x = row_argument(model, call, 0, 1);
    ValueDim heads[2];
    bool causal;
    if (!size_argument(model, call, 1, &heads[0]) || !word_argument(model, call, 2, "causal", &causal) || !x.known ||
        !check_heads(model, call, &x, &heads[0]))
        return model_unknown(model);
    ValueDim hidden = last_dim(&x), rows = x.dims[1];
    heads[1] =
        (ValueDim){arena_printf(model->ctx->arena, "%s / %s", hidden.name, heads[0].name), hidden.size / heads[0].size};
    Value query = project_heads(model, call, "query", &x, heads), key = project_heads(model, call, "key", &x, heads);
    Value value = project_heads(model, call, "value", &x, heads);
    ValueDim score_dims[] = {x.dims[0], heads[0], rows, rows};
    Value scores = model_value(model, name_in(model, call, "scores"), x.dtype, 4, score_dims);
    Value weights = model_value(model, name_in(model, call, "weights"), x.dtype, 4, score_dims);
    Value mixed = model_value(model, name_in(model, call, "mixed"), x.dtype, 4, value.dims);
    Value product = result(model, name_in(model, call, "product"), x.dtype, &x, &hidden);
    Value y = result(model, call->path, x.dtype, &x, &hidden);
    if (!query.known || !key.known || !value.known || !scores.known || !weights.known || !mixed.known)
        return model_unknown(model);
    Ref weight =
        parameter(model, call, "out.weight", start_residual(model), 3, (ValueDim[]){hidden, heads[0], heads[1]});
    Ref bias = parameter(model, call, "out.bias", START_ZEROS, 1, &hidden);
    build_op(model->b, OP_EINSUM, "btnd,bsnd->bnts", scores.ref, (Ref[]){query.ref, key.ref});
    emit_softmax(model, &scores, &weights, causal, heads[1].size);
    build_op(model->b, OP_EINSUM, "bnts,bsnd->btnd", mixed.ref, (Ref[]){weights.ref, value.ref});
    build_op(model->b, OP_EINSUM, "btnd,hnd->bth", product.ref, (Ref[]){mixed.ref, weight});
    build_op(model->b, OP_ADD, "bth,h->bth", y.ref, (Ref[]){product.ref, bias});
    return y;
}

/* ---- Losses ------------------------------------------------------------------------------------------------- */

static void set_prediction(Model *model, const char *name, const Value *value)
{
    model->prediction = *value;
    model->prediction_name = name;
}

static Value report_loss_shapes(Model *model, const Call *call, const Value *x, const Value *target, int dim)
{
    Diagnostic *d;
    if (dim < 0)
        d = diag_report(model->ctx->diag, P0203, call->node->span, "'%s' of %s and %s", call->function->name,
                        model_shape(model, x), model_shape(model, target));
    else
        d = diag_report(model->ctx->diag, P0203, call->node->span, "'%s': dims '%s' (%lld) and '%s' (%lld) differ",
                        call->function->name, x->dims[dim].name, (long long)x->dims[dim].size, target->dims[dim].name,
                        (long long)target->dims[dim].size);
    diag_label(d, call->argument[0]->span, "%s", model_shape(model, x));
    diag_label(d, call->argument[1]->span, "%s", model_shape(model, target));
    return model_unknown(model);
}

/* The first of `count` dims in which two values differ, or -1. */
static int differing_dim(const Value *x, const Value *y, int count)
{
    for (int i = 0; i < count; i++)
        if (!model_dims_match(&x->dims[i], &y->dims[i]))
            return i;
    return -1;
}

/* cross_entropy(logits, targets): one number per target */
static Value emit_cross_entropy(Model *model, Call *call)
{
    Value logits = row_argument(model, call, 0, 2), targets = value_argument(model, call, 1, true, 1);
    if (!logits.known || !targets.known)
        return model_unknown(model);
    bool ranks_fit = targets.dim_count == logits.dim_count - 1;
    int dim = ranks_fit ? differing_dim(&logits, &targets, targets.dim_count) : -1;
    if (!ranks_fit || dim >= 0)
        return report_loss_shapes(model, call, &logits, &targets, dim);
    set_prediction(model, "logits", &logits);
    Value y = model_value(model, call->path, build_statistics_dtype(model->b->decls), targets.dim_count, targets.dims);
    if (y.known)
        build_op(model->b, OP_CROSS_ENTROPY, spec(model, "*v,*->*", leading(model, targets.dim_count)), y.ref,
                 (Ref[]){logits.ref, targets.ref});
    return y;
}

/* squared_error(x, target): elementwise */
static Value emit_squared_error(Model *model, Call *call)
{
    Value x = value_argument(model, call, 0, false, 1), target = value_argument(model, call, 1, false, 1);
    if (!x.known || !target.known)
        return model_unknown(model);
    int dim = x.dim_count == target.dim_count ? differing_dim(&x, &target, x.dim_count) : -1;
    if (x.dim_count != target.dim_count || dim >= 0)
        return report_loss_shapes(model, call, &x, &target, dim);
    set_prediction(model, "prediction", &x);
    Value y = model_value(model, call->path, build_statistics_dtype(model->b->decls), target.dim_count, target.dims);
    if (y.known)
        build_op(model->b, OP_SQUARED_ERROR, build_elementwise_spec(model->b, y.ref, 2, 0), y.ref,
                 (Ref[]){x.ref, target.ref});
    return y;
}

/* ---- The table ---------------------------------------------------------------------------------------------- */

static const Function functions[] = {
    {"embedding", true, 3, {{"tokens", true}, {"vocab", true}, {"hidden", true}}, emit_embedding},
    {"positions", true, 2, {{"context", true}, {"hidden", true}}, emit_positions},
    {"attention", true, 3, {{"x", true}, {"heads", true}, {"causal", false}}, emit_attention},
    {"mlp", true, 3, {{"x", true}, {"width", true}, {"activation", true}}, emit_mlp},
    {"linear", false, 4, {{"x", true}, {"out", true}, {"weight", false}, {"bias", false}}, emit_linear},
    {"layernorm", true, 1, {{"x", true}}, emit_layernorm},
    {"gelu", false, 1, {{"x", true}}, emit_activation},
    {"relu", false, 1, {{"x", true}}, emit_activation},
    {"tanh", false, 1, {{"x", true}}, emit_activation},
    {"cross_entropy", false, 2, {{"logits", true}, {"targets", true}}, emit_cross_entropy},
    {"squared_error", false, 2, {{"x", true}, {"target", true}}, emit_squared_error},
};

enum { FUNCTION_COUNT = sizeof functions / sizeof *functions };

/* Names of the language that no model can use yet. */
static const char *const planned[] = {"convolution", "dropout", "experts", "frozen", "pool",
                                      "rmsnorm",     "softmax", "sigmoid", "silu",   "batchnorm"};

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
            diag_report(model->ctx->diag, P0206, callee->span, "'%s' is no function", resolve_text(model->ctx, callee));
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

/* Takes the call's label for its own; false if another has it. */
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

Value model_call(Model *model, const AstNode *node)
{
    Call call = {.node = node, .function = find_function(model, node->call.callee)};
    if (call.function == NULL ||
        !resolve_arguments(model->ctx, node->call.callee->span, call.function->name, &node->call.arguments,
                           call.function->arguments, call.function->argument_count, call.argument) ||
        !take_label(model, &call))
        return model_unknown(model);
    Value value = call.function->emit(model, &call);
    model->b->span = node->span;
    value.span = node->span;
    return value;
}

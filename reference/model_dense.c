/* model_dense.c - functions of models with and without parameters: linear layers, normalisations, tables. */
#include "reference/model_call.h"

#include <math.h>
#include <string.h>

/* ---- Linear layers ------------------------------------------------------------------------------------------- */

/* out = x * weight^T, with weight [out, in]; then + bias if there is one. */
static Value project(Model *model, const char *name, const Value *x, Ref weight, const Ref *bias, ValueDim out)
{
    const char *lead = call_leading(model, x->dim_count - 1);
    Value y = call_result(model, bias ? arena_printf(model->ctx->arena, "%s.product", name) : name, x->dtype, x, &out);
    if (!y.known)
        return y;
    builder_op(model->b, OP_EINSUM, call_spec(model, "*h,oh->*o", lead), y.ref, (Ref[]){x->ref, weight});
    if (bias == NULL)
        return y;
    Value sum = call_result(model, name, x->dtype, x, &out);
    builder_op(model->b, OP_ADD, call_spec(model, "*o,o->*o", lead), sum.ref, (Ref[]){y.ref, *bias});
    return sum;
}

/* The parameter that `weight = PATH` names, if it is [out, in]; otherwise -1, with a report. */
static int tied_weight(Model *model, const Call *call, const AstNode *node, ValueDim out, ValueDim in)
{
    const char *path = resolve_path(model->ctx, node);
    int index = path ? model_find_tensor(model->b, path) : -1;
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

/* linear(x, out, weight = PATH, bias = none, adapter = lora(...)) */
Value emit_linear(Model *model, Call *call)
{
    Value x = call_row(model, call, 0, 1);
    ValueDim out;
    bool no_bias;
    Adapter adapter;
    if (!call_fused_size(model, call, 1, &out) || !call_word(model, call, 3, "none", &no_bias) ||
        !call_adapter(model, call, 4, &adapter) || !x.known)
        return model_unknown(model);
    ValueDim in = call_last_dim(&x);
    Ref weight, bias = ref_of(-1);
    if ((call->argument[2] == NULL || !no_bias || adapter.rank.size > 0) && call->node->call.label.text == NULL) {
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
        weight = builder_state_ref(model->b, BUILDER_STATE_PARAMETERS, tied);
    } else {
        Start start = {INIT_NORMAL, 1 / sqrt((double)in.size)};
        weight = call_parameter(model, call, "weight", start, 2, (ValueDim[]){out, in});
    }
    if (!no_bias)
        bias = call_parameter(model, call, "bias", START_ZEROS, 1, &out);
    bool adapts = adapter.rank.size > 0;
    Value y =
        project(model, adapts ? call_name(model, call, "base") : call->path, &x, weight, no_bias ? NULL : &bias, out);
    return adapts && y.known ? call_adapt(model, call, &adapter, "", &x, &y, "o") : y;
}

static const struct {
    const char *name;
    OpKind op;
} activations[] = {
#define OP(id, name, op_class, operands, immediates, coupled, linear, flops, gradient, called, body)                   \
    CALLED(called, {#called, OP_##id})
#include "step/op.def"
#undef OP
};

enum { ACTIVATION_COUNT = sizeof activations / sizeof *activations };

/* Activations are elementwise, with one operand and no immediates, and have names. */
enum {
#define OP(id, name, op_class, operands, immediates, coupled, linear, flops, gradient, called, body)                   \
    CALLED(called, FITS_##id = 1 / (CLASS_##op_class == CLASS_MAP && operands == 1 && sizeof immediates == 1 &&        \
                                    sizeof #called > 1))
#include "step/op.def"
#undef OP
};

Value call_activate(Model *model, const char *name, OpKind kind, const Value *x)
{
    Value y = model_value(model, name, x->dtype, x->dim_count, x->dims);
    if (y.known)
        builder_op(model->b, kind, builder_elementwise_spec(model->b, y.ref, 1, 0), y.ref, &x->ref);
    return y;
}

bool call_activation(Model *model, const Call *call, int i, OpKind *kind, bool *gated)
{
    const char *names[ACTIVATION_COUNT + 1];
    const AstNode *node = call->argument[i];
    bool swiglu = gated != NULL && call_is_word(node, "swiglu");
    if (gated != NULL)
        *gated = swiglu;
    *kind = OP_SILU;
    for (int j = 0; j < ACTIVATION_COUNT && !swiglu; j++) {
        names[j] = activations[j].name;
        *kind = activations[j].op;
        if (call_is_word(node, names[j]))
            return true;
    }
    names[ACTIVATION_COUNT] = "swiglu";
    if (!swiglu) {
        resolve_unknown(model->ctx, node->span, "activation", resolve_text(model->ctx, node), names,
                        ACTIVATION_COUNT + (gated != NULL));
        model->failed = true;
    }
    return swiglu;
}

/* One of the linear layers of a call: ROLE.weight and, if it has one, ROLE.bias. */
static Value project_role(Model *model, const Call *call, const char *role, Start start, const Value *x, ValueDim out,
                          bool biased)
{
    Arena *arena = model->ctx->arena;
    Ref bias = ref_of(-1), weight = call_parameter(model, call, arena_printf(arena, "%s.weight", role), start, 2,
                                                   (ValueDim[]){out, call_last_dim(x)});
    if (biased)
        bias = call_parameter(model, call, arena_printf(arena, "%s.bias", role), START_ZEROS, 1, &out);
    bool is_last = strcmp(role, "down") == 0;
    return project(model, is_last ? call->path : call_name(model, call, role), x, weight, biased ? &bias : NULL, out);
}

static Value multiply(Model *model, const char *name, const Value *x, const Value *y)
{
    Value product = model_value(model, name, x->dtype, x->dim_count, x->dims);
    if (product.known)
        builder_op(model->b, OP_MUL, builder_elementwise_spec(model->b, product.ref, 2, 0), product.ref,
                   (Ref[]){x->ref, y->ref});
    return product;
}

/* gate and up in one product: returns the gate, and sets *up. */
static Value project_gate_up(Model *model, const Call *call, const Value *x, ValueDim width, bool biased, Value *up)
{
    ValueDim both = call_fused_dim(model, (ValueDim[]){width, width}, 2);
    Value y = project_role(model, call, "gate_up", START_NORMAL, x, both, biased);
    if (!y.known)
        return y;
    *up = call_segment(model, call_name(model, call, "up"), &y, y.dim_count - 1, 1);
    return call_segment(model, call_name(model, call, "gate"), &y, y.dim_count - 1, 0);
}

/* mlp(x, width, activation, bias = none, weights = fused): down(f(up(x))), or down(silu(gate(x)) * up(x)) for swiglu */
Value emit_mlp(Model *model, Call *call)
{
    Value x = call_row(model, call, 0, 1), up = {.known = false};
    ValueDim width;
    OpKind kind;
    bool gated, no_bias, fused;
    if (!call_size(model, call, 1, &width) || !call_activation(model, call, 2, &kind, &gated) ||
        !call_word(model, call, 3, "none", &no_bias) || !call_word(model, call, 4, "fused", &fused) || !x.known)
        return model_unknown(model);
    if (fused && !gated) {
        diag_report(model->ctx->diag, P0206, call->argument[4]->span,
                    "only with 'swiglu' are there two weights to fuse");
        return model_unknown(model);
    }
    Value hidden = fused ? project_gate_up(model, call, &x, width, !no_bias, &up)
                         : project_role(model, call, gated ? "gate" : "up", START_NORMAL, &x, width, !no_bias);
    if (!hidden.known)
        return hidden;
    Value active = call_activate(model, call_name(model, call, "active"), kind, &hidden);
    if (gated && active.known) {
        if (!fused)
            up = project_role(model, call, "up", START_NORMAL, &x, width, !no_bias);
        active = up.known ? multiply(model, call_name(model, call, "gated"), &active, &up) : up;
    }
    if (!active.known)
        return active;
    return project_role(model, call, "down", call_start_residual(model), &active, call_last_dim(&x), !no_bias);
}

Value emit_activation(Model *model, Call *call)
{
    Value x = call_tensor(model, call, 0, false, 1);
    for (int i = 0; x.known && i < ACTIVATION_COUNT; i++)
        if (strcmp(activations[i].name, call->function->name) == 0)
            return call_activate(model, call->path, activations[i].op, &x);
    return model_unknown(model);
}

/* layernorm(x): over the last dim, with gain and bias */
Value emit_layernorm(Model *model, Call *call)
{
    Value x = call_row(model, call, 0, 1);
    if (!x.known)
        return x;
    static const double epsilon = 1e-5;
    ValueDim last = call_last_dim(&x);
    const char *lead = call_leading(model, x.dim_count - 1);
    DType statistics = builder_statistics_dtype(model->b->decls);
    Ref gain = call_parameter(model, call, "gain", START_ONES, 1, &last);
    Ref bias = call_parameter(model, call, "bias", START_ZEROS, 1, &last);
    Value mean = call_result(model, call_name(model, call, "mean"), statistics, &x, NULL);
    Value rstd = call_result(model, call_name(model, call, "rstd"), statistics, &x, NULL);
    Value y = call_result(model, call->path, x.dtype, &x, &last);
    if (!mean.known || !rstd.known || !y.known)
        return model_unknown(model);
    builder_op(model->b, OP_ROW_MEAN, call_spec(model, "*h->*", lead), mean.ref, &x.ref);
    builder_op_with(model->b, OP_ROW_RSTD, call_spec(model, "*h,*->*", lead), rstd.ref, (Ref[]){x.ref, mean.ref},
                    &epsilon);
    builder_op(model->b, OP_NORM, call_spec(model, "*h,*,*,h,h->*h", lead), y.ref,
               (Ref[]){x.ref, mean.ref, rstd.ref, gain, bias});
    return y;
}

/* rmsnorm(x): over the last dim, with gain */
Value emit_rmsnorm(Model *model, Call *call)
{
    Value x = call_row(model, call, 0, 1);
    if (!x.known)
        return x;
    static const double epsilon = 1e-5;
    ValueDim last = call_last_dim(&x);
    const char *lead = call_leading(model, x.dim_count - 1);
    Ref gain = call_parameter(model, call, "gain", START_ONES, 1, &last);
    Value rrms =
        call_result(model, call_name(model, call, "rrms"), builder_statistics_dtype(model->b->decls), &x, NULL);
    Value y = call_result(model, call->path, x.dtype, &x, &last);
    if (!rrms.known || !y.known)
        return model_unknown(model);
    builder_op_with(model->b, OP_ROW_RRMS, call_spec(model, "*h->*", lead), rrms.ref, &x.ref, &epsilon);
    builder_op(model->b, OP_RMS_NORM, call_spec(model, "*h,*,h->*h", lead), y.ref, (Ref[]){x.ref, rrms.ref, gain});
    return y;
}

/* ---- Tables ------------------------------------------------------------------------------------------------- */

/* Row numbers are checked against the number of rows only where an input is read, so only inputs can be used as
 * such. */
static bool names_rows(Model *model, const Call *call, const Value *tokens)
{
    if (!tokens->known || tokens->is_input)
        return tokens->known;
    Diagnostic *d = diag_report(model->ctx->diag, P0204, call->argument[0]->span,
                                "argument 'tokens' of '%s' must be an input", call->function->name);
    diag_why(d, "Inputs are checked as they are read to name rows of the table. What is computed could name a row that "
                "the table does not have.");
    diag_help(d, "Declare one more input of int with these numbers.");
    return false;
}

/* embedding(tokens, vocab, hidden) */
Value emit_embedding(Model *model, Call *call)
{
    Value tokens = call_tensor(model, call, 0, true, 1);
    ValueDim table_dims[2];
    if (!call_size(model, call, 1, &table_dims[0]) || !call_size(model, call, 2, &table_dims[1]) ||
        !names_rows(model, call, &tokens))
        return model_unknown(model);
    Ref table = call_parameter(model, call, "table", START_NORMAL, 2, table_dims);
    ValueDim dims[STEP_MAX_DIMS];
    for (int i = 0; i < tokens.dim_count; i++)
        dims[i] = tokens.dims[i];
    dims[tokens.dim_count] = table_dims[1];
    Value y = model_value(model, call->path, model->b->decls->compute_dtype, tokens.dim_count + 1, dims);
    if (y.known)
        builder_op(model->b, OP_EMBED, call_spec(model, "*,vh->*h", call_leading(model, tokens.dim_count)), y.ref,
                   (Ref[]){tokens.ref, table});
    return y;
}

/* In decoding: the row of the table at each example's position. */
static Value positions_here(Model *model, const Call *call, const Value *table)
{
    Value row = call_result(model, call->path, table->dtype,
                            &(Value){.dim_count = 3, .dims = {model->position.dims[0], model->position.dims[1]}},
                            &table->dims[1]);
    if (row.known)
        builder_op(model->b, OP_EMBED, "bt,sh->bth", row.ref, (Ref[]){model->position.ref, table->ref});
    return row;
}

/* positions(context, hidden): a table to be added */
Value emit_positions(Model *model, Call *call)
{
    Value y = {.known = true, .dtype = model->b->decls->compute_dtype, .dim_count = 2, .span = call->node->span};
    if (!call_size(model, call, 0, &y.dims[0]) || !call_size(model, call, 1, &y.dims[1]))
        return model_unknown(model);
    y.ref = call_parameter(model, call, "table", START_NORMAL, 2, y.dims);
    return model->serving == SERVING_DECODE ? positions_here(model, call, &y) : y;
}

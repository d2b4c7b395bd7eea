/* model_attention.c - multi-head attention. */
#include "sema/model_call.h"

#include <math.h>

Value call_positions(Model *model, ValueDim dim, int which)
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
    ValueDim in = call_last_dim(x), dims[] = {x->dims[0], x->dims[1], heads[0], heads[1]};
    Ref weight = call_parameter(model, call, arena_printf(arena, "%s.weight", role), START_NORMAL, 3,
                                (ValueDim[]){heads[0], heads[1], in});
    Ref bias = call_parameter(model, call, arena_printf(arena, "%s.bias", role), START_ZEROS, 2, heads);
    Value product =
        model_value(model, call_name(model, call, arena_printf(arena, "%s.product", role)), x->dtype, 4, dims);
    Value y = model_value(model, call_name(model, call, role), x->dtype, 4, dims);
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
    Value rows = call_positions(model, scores->dims[2], 0), columns = call_positions(model, scores->dims[3], 1);
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
    ValueDim hidden = call_last_dim(x);
    if (hidden.size % heads->size != 0) {
        diag_report(model->ctx->diag, P0205, call->argument[1]->span,
                    "dim '%s' (%lld) does not divide into '%s' (%lld) heads", hidden.name, (long long)hidden.size,
                    heads->name, (long long)heads->size);
        return false;
    }
    return true;
}

/* attention(x, heads, causal) */
Value emit_attention(Model *model, Call *call)
{
    Value x = call_row(model, call, 0, 1);
    ValueDim heads[2];
    bool causal;
    if (!call_size(model, call, 1, &heads[0]) || !call_word(model, call, 2, "causal", &causal) || !x.known ||
        !check_heads(model, call, &x, &heads[0]))
        return model_unknown(model);
    ValueDim hidden = call_last_dim(&x), rows = x.dims[1];
    heads[1] =
        (ValueDim){arena_printf(model->ctx->arena, "%s / %s", hidden.name, heads[0].name), hidden.size / heads[0].size};
    Value query = project_heads(model, call, "query", &x, heads), key = project_heads(model, call, "key", &x, heads);
    Value value = project_heads(model, call, "value", &x, heads);
    ValueDim score_dims[] = {x.dims[0], heads[0], rows, rows};
    Value scores = model_value(model, call_name(model, call, "scores"), x.dtype, 4, score_dims);
    Value weights = model_value(model, call_name(model, call, "weights"), x.dtype, 4, score_dims);
    Value mixed = model_value(model, call_name(model, call, "mixed"), x.dtype, 4, value.dims);
    Value product = call_result(model, call_name(model, call, "product"), x.dtype, &x, &hidden);
    Value y = call_result(model, call->path, x.dtype, &x, &hidden);
    if (!query.known || !key.known || !value.known || !scores.known || !weights.known || !mixed.known)
        return model_unknown(model);
    Ref weight = call_parameter(model, call, "out.weight", call_start_residual(model), 3,
                                (ValueDim[]){hidden, heads[0], heads[1]});
    Ref bias = call_parameter(model, call, "out.bias", START_ZEROS, 1, &hidden);
    build_op(model->b, OP_EINSUM, "btnd,bsnd->bnts", scores.ref, (Ref[]){query.ref, key.ref});
    emit_softmax(model, &scores, &weights, causal, heads[1].size);
    build_op(model->b, OP_EINSUM, "bnts,bsnd->btnd", mixed.ref, (Ref[]){weights.ref, value.ref});
    build_op(model->b, OP_EINSUM, "btnd,hnd->bth", product.ref, (Ref[]){mixed.ref, weight});
    build_op(model->b, OP_ADD, "bth,h->bth", y.ref, (Ref[]){product.ref, bias});
    return y;
}

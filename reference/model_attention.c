/* model_attention.c - multi-head attention: grouped key/value heads, rotary positions, causal or not.
 *
 * Letters: k the key/value heads, g the query heads that share one, so that sharding the heads shards k wherever
 * queries, keys and values meet, and no key is ever repeated; d the dims of one head. Without sharing n are the heads.
 */
#include "reference/model_call.h"

#include <math.h>
#include <string.h>

enum {
    ARGUMENT_X,
    ARGUMENT_HEADS,
    ARGUMENT_CAUSAL,
    ARGUMENT_BIAS,
    ARGUMENT_ROPE,
    ARGUMENT_KV_HEADS,
    ARGUMENT_DROPOUT,
    ARGUMENT_ADAPTER,
    ARGUMENT_WEIGHTS,
    ARGUMENT_HEAD_DIM
};

/* The specs of one form of attention. */
typedef struct AttentionSpecs {
    const char *query, *query_bias, *key, *key_bias, *rotate_query, *rotate_key;
    const char *scores, *softmax, *causal_softmax, *mix, *out;
} AttentionSpecs;

static const AttentionSpecs plain_specs = {
    .query = "bth,ndh->btnd",
    .query_bias = "btnd,nd->btnd",
    .key = "bth,ndh->btnd",
    .key_bias = "btnd,nd->btnd",
    .rotate_query = "btnd,td,td->btnd",
    .rotate_key = "btnd,td,td->btnd",
    .scores = "btnd,bsnd->bnts",
    .softmax = "bnts->bnts",
    .causal_softmax = "bnts,t,s->bnts",
    .mix = "bnts,bsnd->btnd",
    .out = "btnd,hnd->bth",
};

static const AttentionSpecs grouped_specs = {
    .query = "bth,kgdh->btkgd",
    .query_bias = "btkgd,kgd->btkgd",
    .key = "bth,kdh->btkd",
    .key_bias = "btkd,kd->btkd",
    .rotate_query = "btkgd,td,td->btkgd",
    .rotate_key = "btkd,td,td->btkd",
    .scores = "btkgd,bskd->bkgts",
    .softmax = "bkgts->bkgts",
    .causal_softmax = "bkgts,t,s->bkgts",
    .mix = "bkgts,bskd->btkgd",
    .out = "btkgd,hkgd->bth",
};

typedef struct Attention {
    Model *model;
    const Call *call;
    const AttentionSpecs *specs;
    Value x;
    ValueDim rows, hidden, head_dim;
    ValueDim query_heads[2], key_heads; /* [heads] or [key/value heads, heads that share one] */
    int query_head_dims;                /* 1 or 2 */
    bool causal, rotates;
    bool biased, out_biased; /* the queries, keys and values; the result */
    double dropout;          /* the rate, for the weights */
    Adapter adapter;         /* of queries and values */
    Value cosine, sine;      /* [rows, head dim], if positions are rotary */
} Attention;

/* ---- What depends only on positions ------------------------------------------------------------------------- */

Value call_numbers(Model *model, const char *name, ValueDim dim)
{
    Node *loop = builder_leave_loop(model->b);
    Value value = model_value(model, name, DTYPE_I32, 1, &dim);
    if (value.known)
        builder_op(model->b, OP_IOTA, "", value.ref, NULL);
    builder_return(model->b, loop);
    return value;
}

Value call_positions(Model *model, ValueDim dim, Positions which)
{
    static const char *const names[] = {[POSITIONS_ROWS] = "row_positions",
                                        [POSITIONS_COLUMNS] = "column_positions",
                                        [POSITIONS_CLASSES] = "class_positions",
                                        [POSITIONS_EXPERTS] = "expert_positions"};
    const char *name = which < POSITIONS_DIM ? names[which] : "dim_positions";
    for (int i = 0; i < model->positions[which].count; i++)
        if (model->positions[which].data[i].dims[0].size == dim.size)
            return model->positions[which].data[i];
    Value value = call_numbers(model, name, dim);
    vec_push(model->ctx->arena, &model->positions[which], value);
    return value;
}

/* The positions of x's rows: [rows]; in decoding [batch, rows], of each example its own. */
static Value row_positions(const Attention *a)
{
    return a->model->serving == SERVING_DECODE ? a->model->position : call_positions(a->model, a->rows, POSITIONS_ROWS);
}

/* A spec whose operands after the first have letter t where rows have positions: "bnts,t,s->bnts". In decoding, where
 * these differ from example to example: "bnts,bt,s->bnts". */
static const char *with_positions(const Attention *a, const char *spec)
{
    if (a->model->serving != SERVING_DECODE)
        return spec;
    Text text = {.arena = a->model->ctx->arena};
    for (const char *p = spec; *p; p++)
        text_add(&text, "%c%s", *p, p[0] == ',' && p[1] == 't' ? "b" : "");
    return text.data;
}

static Value rotary_table(Attention *a, const char *name, OpKind kind, Value rows, Value dims, double base)
{
    Model *model = a->model;
    ValueDim shape[3];
    memcpy(shape, rows.dims, sizeof *shape * (size_t)rows.dim_count);
    shape[rows.dim_count] = a->head_dim;
    Value table = model_value(model, name, builder_statistics_dtype(model->b->decls), rows.dim_count + 1, shape);
    if (table.known)
        builder_op_with(model->b, kind, rows.dim_count == 2 ? "bt,d->btd" : "t,d->td", table.ref,
                        (Ref[]){rows.ref, dims.ref}, (double[]){base, (double)a->head_dim.size});
    return table;
}

/* Cosines and sines of the angles by which rows are rotated, once per routine and kind. */
static bool find_rotation(Attention *a, double base)
{
    Model *model = a->model;
    for (int i = 0; i < model->rotations.count; i++) {
        const Rotation *known = &model->rotations.data[i];
        a->cosine = known->cosine;
        a->sine = known->sine;
        int last = a->cosine.dim_count - 1;
        if (known->base == base && a->cosine.dims[last - 1].size == a->rows.size &&
            a->cosine.dims[last].size == a->head_dim.size)
            return true;
    }
    Value rows = row_positions(a);
    Value dims = call_numbers(model, "rotary_dims", a->head_dim);
    Node *loop = builder_leave_loop(model->b);
    a->cosine = rotary_table(a, "rotary_cosine", OP_ROTARY_COSINE, rows, dims, base);
    a->sine = rotary_table(a, "rotary_sine", OP_ROTARY_SINE, rows, dims, base);
    builder_return(model->b, loop);
    Rotation rotation = {base, a->cosine, a->sine};
    vec_push(model->ctx->arena, &model->rotations, rotation);
    return a->cosine.known && a->sine.known;
}

/* ---- Arguments ---------------------------------------------------------------------------------------------- */

static bool divides(Model *model, const AstNode *node, const ValueDim *dim, const ValueDim *by, const char *what)
{
    if (dim->size % by->size == 0)
        return true;
    diag_report(model->ctx->diag, P0205, node->span, "dim '%s' (%lld) does not divide into '%s' (%lld) %s", dim->name,
                (long long)dim->size, by->name, (long long)by->size, what);
    return false;
}

/* As given, or such that all heads together have as many as x has features. */
static bool read_head_dim(Attention *a, const ValueDim *heads)
{
    if (a->call->argument[ARGUMENT_HEAD_DIM] != NULL)
        return call_size(a->model, a->call, ARGUMENT_HEAD_DIM, &a->head_dim);
    if (!divides(a->model, a->call->argument[ARGUMENT_HEADS], &a->hidden, heads, "heads"))
        return false;
    a->head_dim = (ValueDim){.name = arena_printf(a->model->ctx->arena, "%s / %s", a->hidden.name, heads->name),
                             .size = a->hidden.size / heads->size};
    return true;
}

/* The number of heads, and of those that have keys and values of their own. */
static bool read_heads(Attention *a)
{
    Model *model = a->model;
    const Call *call = a->call;
    ValueDim heads, kv;
    if (!call_size(model, call, ARGUMENT_HEADS, &heads))
        return false;
    kv = heads;
    if (call->argument[ARGUMENT_KV_HEADS] != NULL && !call_size(model, call, ARGUMENT_KV_HEADS, &kv))
        return false;
    if (!a->x.known)
        return false;
    if (a->x.dim_count != 3) {
        diag_report(model->ctx->diag, P0203, call->argument[ARGUMENT_X]->span,
                    "'attention' is over [batch, rows, features], this is %s", model_shape(model, &a->x));
        return false;
    }
    a->rows = a->x.dims[1];
    a->hidden = call_last_dim(&a->x);
    if (!read_head_dim(a, &heads) || !divides(model, call->argument[ARGUMENT_KV_HEADS], &heads, &kv, "key/value heads"))
        return false;
    a->key_heads = a->query_heads[0] = kv;
    a->query_head_dims = kv.size == heads.size ? 1 : 2;
    a->query_heads[1] = (ValueDim){.name = arena_printf(model->ctx->arena, "%s / %s", heads.name, kv.name),
                                   .size = heads.size / kv.size};
    a->specs = a->query_head_dims == 2 ? &grouped_specs : &plain_specs;
    return true;
}

static bool read_rotation(Attention *a)
{
    static const Range range = {1, 1e9, true, false};
    const AstNode *node = a->call->argument[ARGUMENT_ROPE];
    double base;
    a->rotates = node != NULL;
    if (!a->rotates)
        return true;
    if (!resolve_real(a->model->ctx, &a->model->constants, node, "the base of rotary positions", &range, &base))
        return false;
    static const ValueDim pair = {.name = "2", .size = 2};
    return divides(a->model, node, &a->head_dim, &pair, "halves, which 'rope' turns") && find_rotation(a, base);
}

/* ---- Operators ---------------------------------------------------------------------------------------------- */

/* A value with dims [batch, rows, heads ..., head dim]. */
static Value heads_value(Attention *a, const char *name, const ValueDim *heads, int count)
{
    ValueDim dims[STEP_MAX_DIMS] = {a->x.dims[0], a->rows};
    for (int i = 0; i < count; i++)
        dims[2 + i] = heads[i];
    dims[2 + count] = a->head_dim;
    return model_value(a->model, name, a->x.dtype, count + 3, dims);
}

/* x -> its queries, keys or values, rotated by position if `rotate` is not NULL. */
static Value project_heads(Attention *a, const char *role, const ValueDim *heads, int count, const char *spec,
                           const char *bias_spec, const char *rotate)
{
    Model *model = a->model;
    Arena *arena = model->ctx->arena;
    ValueDim weight_dims[4];
    for (int i = 0; i < count; i++)
        weight_dims[i] = heads[i];
    weight_dims[count] = a->head_dim;
    weight_dims[count + 1] = a->hidden;
    Ref weight =
        call_parameter(model, a->call, arena_printf(arena, "%s.weight", role), START_NORMAL, count + 2, weight_dims);
    const char *name = call_name(model, a->call, role);
    bool adapts = a->adapter.rank.size > 0 && strcmp(role, "key") != 0, more = rotate != NULL || adapts;
    Value y = heads_value(a, a->biased || more ? arena_printf(arena, "%s.product", name) : name, heads, count);
    if (!y.known)
        return y;
    builder_op(model->b, OP_EINSUM, spec, y.ref, (Ref[]){a->x.ref, weight});
    if (a->biased) {
        Ref bias =
            call_parameter(model, a->call, arena_printf(arena, "%s.bias", role), START_ZEROS, count + 1, weight_dims);
        Value sum = heads_value(a, more ? arena_printf(arena, "%s.sum", name) : name, heads, count);
        builder_op(model->b, OP_ADD, bias_spec, sum.ref, (Ref[]){y.ref, bias});
        y = sum;
    }
    if (adapts) {
        const char *letters = strchr(bias_spec, ',') + 1; /* "nd->btnd" */
        y = call_adapt(model, a->call, &a->adapter, role, &a->x, &y, arena_copy(arena, letters, strcspn(letters, "-")));
    }
    if (rotate != NULL) {
        Value turned = heads_value(a, name, heads, count);
        builder_op(model->b, OP_ROTATE, with_positions(a, rotate), turned.ref,
                   (Ref[]){y.ref, a->cosine.ref, a->sine.ref});
        y = turned;
    }
    return y;
}

/* ---- One weight for queries, keys and values ---------------------------------------------------------------- */

typedef enum Fusing { FUSED_NOT, FUSED_SEGMENTS, FUSED_INTERLEAVED } Fusing;

/* weights = fused: all heads of queries, then those of keys, then of values; interleaved: the same for each key/value
 * head, so that a range of key/value heads contains whole heads. */
static bool read_fusing(const Attention *a, Fusing *fusing)
{
    const AstNode *node = a->call->argument[ARGUMENT_WEIGHTS];
    *fusing = node == NULL ? FUSED_NOT : call_is_word(node, "fused") ? FUSED_SEGMENTS : FUSED_INTERLEAVED;
    if (node != NULL && *fusing == FUSED_INTERLEAVED && !call_is_word(node, "interleaved")) {
        diag_report(a->model->ctx->diag, P0206, node->span,
                    "argument 'weights' of 'attention' can only be 'fused' or "
                    "'interleaved'");
        return false;
    }
    if (node == NULL || a->adapter.rank.size == 0)
        return true;
    resolve_unsupported(a->model->ctx, node->span, "adapters of fused weights are");
    return false;
}

/* x -> queries, keys and values in one value. */
static Value project_fused(Attention *a, const ValueDim *heads, int count)
{
    Model *model = a->model;
    ValueDim dims[4];
    for (int i = 0; i < count; i++)
        dims[i] = heads[i];
    dims[count] = a->head_dim;
    dims[count + 1] = a->hidden;
    Ref weight = call_parameter(model, a->call, "qkv.weight", START_NORMAL, count + 2, dims);
    const char *name = call_name(model, a->call, "qkv");
    Value y = heads_value(a, a->biased ? arena_printf(model->ctx->arena, "%s.product", name) : name, heads, count);
    if (!y.known)
        return y;
    builder_op(model->b, OP_EINSUM, count == 2 ? grouped_specs.query : plain_specs.query, y.ref,
               (Ref[]){a->x.ref, weight});
    if (!a->biased)
        return y;
    Ref bias = call_parameter(model, a->call, "qkv.bias", START_ZEROS, count + 1, dims);
    Value sum = heads_value(a, name, heads, count);
    builder_op(model->b, OP_ADD, count == 2 ? grouped_specs.query_bias : plain_specs.query_bias, sum.ref,
               (Ref[]){y.ref, bias});
    return sum;
}

/* Queries, keys or values from a fused projection: in the heads that the specs ask for, and rotated. */
static Value take_heads(Attention *a, const Value *fused, int segment, const char *role, bool turns)
{
    Model *model = a->model;
    Arena *arena = model->ctx->arena;
    bool interleaved = fused->dim_count == 5, query = segment == 0;
    int count = query ? a->query_head_dims : 1;
    const char *name = call_name(model, a->call, role), *flat = turns ? arena_printf(arena, "%s.flat", name) : name;
    bool views = interleaved ? count == 1 : count == 2;
    Value y =
        call_segment(model, views ? arena_printf(arena, "%s.part", name) : flat, fused, interleaved ? 3 : 2, segment);
    if (views && y.known) {
        Value part = y;
        y = heads_value(a, flat, query ? a->query_heads : &a->key_heads, count);
        builder_op(model->b, OP_VIEW, interleaved ? "btkmd->btnd" : "btnd->btkgd", y.ref, &part.ref);
    }
    if (turns && y.known) {
        Value turned = heads_value(a, name, query ? a->query_heads : &a->key_heads, count);
        builder_op(model->b, OP_ROTATE, with_positions(a, query ? a->specs->rotate_query : a->specs->rotate_key),
                   turned.ref, (Ref[]){y.ref, a->cosine.ref, a->sine.ref});
        y = turned;
    }
    return y;
}

static void project_together(Attention *a, Fusing fusing, Value *query, Value *key, Value *value)
{
    bool grouped = a->query_head_dims == 2, interleaved = fusing == FUSED_INTERLEAVED;
    ValueDim one = {.name = "1", .size = 1}, each = grouped ? a->query_heads[1] : one, heads = a->key_heads;
    if (grouped)
        heads = (ValueDim){.name = resolve_text(a->model->ctx, a->call->argument[ARGUMENT_HEADS]),
                           .size = a->query_heads[0].size * a->query_heads[1].size};
    ValueDim parts[3] = {interleaved ? each : heads, interleaved ? one : a->key_heads,
                         interleaved ? one : a->key_heads};
    ValueDim both[2] = {a->key_heads, call_fused_dim(a->model, parts, 3)};
    Value fused = project_fused(a, interleaved ? both : &both[1], interleaved ? 2 : 1);
    *query = *key = *value = fused;
    if (!fused.known)
        return;
    *query = take_heads(a, &fused, 0, "query", a->rotates);
    *key = take_heads(a, &fused, 1, "key", a->rotates);
    *value = take_heads(a, &fused, 2, "value", false);
}

/* ---- From scores to the result ------------------------------------------------------------------------------ */

/* scores [batch, heads ..., rows, columns] -> weights of the same shape */
static void emit_softmax(Attention *a, const Value *scores, const Value *weights)
{
    Builder *b = a->model->b;
    double factor = 1 / sqrt((double)a->head_dim.size);
    if (!a->causal) {
        builder_op_with(b, OP_SOFTMAX, a->specs->softmax, weights->ref, &scores->ref, &factor);
        return;
    }
    Value rows = row_positions(a);
    Value columns = call_positions(a->model, call_last_dim(scores), POSITIONS_COLUMNS);
    builder_op_with(b, OP_CAUSAL_SOFTMAX, with_positions(a, a->specs->causal_softmax), weights->ref,
                    (Ref[]){scores->ref, rows.ref, columns.ref}, &factor);
}

/* The values, weighted by the attention of the queries to the keys. */
static Value mix(Attention *a, const Value *query, const Value *key, const Value *value)
{
    Model *model = a->model;
    ValueDim dims[STEP_MAX_DIMS] = {a->x.dims[0]};
    int count = 1;
    for (int i = 0; i < a->query_head_dims; i++)
        dims[count++] = a->query_heads[i];
    dims[count++] = a->rows;
    dims[count++] = key->dims[1];
    Value scores = model_value(model, call_name(model, a->call, "scores"), a->x.dtype, count, dims);
    Value weights = model_value(model, call_name(model, a->call, "weights"), a->x.dtype, count, dims);
    Value mixed = heads_value(a, call_name(model, a->call, "mixed"), a->query_heads, a->query_head_dims);
    if (!scores.known || !weights.known || !mixed.known)
        return model_unknown(model);
    builder_op(model->b, OP_EINSUM, a->specs->scores, scores.ref, (Ref[]){query->ref, key->ref});
    emit_softmax(a, &scores, &weights);
    weights = call_dropout(model, call_name(model, a->call, "dropped"), &weights, a->dropout);
    if (!weights.known)
        return weights;
    builder_op(model->b, OP_EINSUM, a->specs->mix, mixed.ref, (Ref[]){weights.ref, value->ref});
    return mixed;
}

/* [batch, rows, heads ..., head dim] -> [batch, rows, hidden] */
static Value project_back(Attention *a, const Value *mixed)
{
    Model *model = a->model;
    const Call *call = a->call;
    ValueDim dims[4] = {a->hidden};
    for (int i = 0; i < a->query_head_dims; i++)
        dims[1 + i] = a->query_heads[i];
    dims[1 + a->query_head_dims] = a->head_dim;
    Ref weight = call_parameter(model, call, "out.weight", call_start_residual(model), a->query_head_dims + 2, dims);
    Value y = call_result(model, a->out_biased ? call_name(model, call, "product") : call->path, a->x.dtype, &a->x,
                          &a->hidden);
    if (!y.known)
        return y;
    builder_op(model->b, OP_EINSUM, a->specs->out, y.ref, (Ref[]){mixed->ref, weight});
    if (!a->out_biased)
        return y;
    Ref bias = call_parameter(model, call, "out.bias", START_ZEROS, 1, &a->hidden);
    Value sum = call_result(model, call->path, a->x.dtype, &a->x, &a->hidden);
    builder_op(model->b, OP_ADD, "bth,h->bth", sum.ref, (Ref[]){y.ref, bias});
    return sum;
}

static void project_apart(Attention *a, Value *query, Value *key, Value *value)
{
    const AttentionSpecs *specs = a->specs;
    *query = project_heads(a, "query", a->query_heads, a->query_head_dims, specs->query, specs->query_bias,
                           a->rotates ? specs->rotate_query : NULL);
    *key =
        project_heads(a, "key", &a->key_heads, 1, specs->key, specs->key_bias, a->rotates ? specs->rotate_key : NULL);
    *value = project_heads(a, "value", &a->key_heads, 1, specs->key, specs->key_bias, NULL);
}

/* bias = none: nowhere; bias = qkv: of queries, keys and values only. */
static bool read_bias(Attention *a)
{
    const AstNode *node = a->call->argument[ARGUMENT_BIAS];
    bool none = call_is_word(node, "none"), inner = call_is_word(node, "qkv");
    a->biased = !none;
    a->out_biased = !none && !inner;
    if (node == NULL || none || inner)
        return true;
    diag_report(a->model->ctx->diag, P0206, node->span, "argument 'bias' of 'attention' can only be 'none' or 'qkv'");
    return false;
}

/* Tokens are added one at a time: what was computed of a row must not depend on later ones. */
static bool check_served(const Attention *a)
{
    if (a->model->serving == SERVING_NOT || a->causal)
        return true;
    Diagnostic *d = resolve_unsupported(a->model->ctx, a->call->node->call.callee->span,
                                        "serving a model with attention that is not causal is");
    diag_why(d, "A row then sees the rows after it, so each new token would change all that was computed before.");
    return false;
}

/* attention(x, heads, causal, bias = none, rope = BASE, kv_heads = N, dropout = RATE, adapter = lora(...),
 *           weights = fused, head_dim = N) */
Value emit_attention(Model *model, Call *call)
{
    Attention a = {.model = model, .call = call, .x = call_row(model, call, ARGUMENT_X, 1)};
    bool good = call_word(model, call, ARGUMENT_CAUSAL, "causal", &a.causal);
    good &= read_bias(&a);
    good &= call_rate(model, call, ARGUMENT_DROPOUT, &a.dropout);
    good &= call_adapter(model, call, ARGUMENT_ADAPTER, &a.adapter);
    good &= check_served(&a);
    Fusing fusing;
    if (!read_heads(&a) || !read_rotation(&a) || !read_fusing(&a, &fusing) || !good)
        return model_unknown(model);
    Value query, key, value;
    if (fusing == FUSED_NOT)
        project_apart(&a, &query, &key, &value);
    else
        project_together(&a, fusing, &query, &key, &value);
    if (!query.known || !key.known || !value.known)
        return model_unknown(model);
    if (model->serving != SERVING_NOT) {
        key = model_serve_cache(model, call_name(model, call, "key"), &key);
        value = model_serve_cache(model, call_name(model, call, "value"), &value);
    }
    Value mixed = mix(&a, &query, &key, &value);
    return mixed.known ? project_back(&a, &mixed) : mixed;
}

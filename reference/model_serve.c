/* model_serve.c - what differs where a model is served: what is read, and the caches of keys and values.
 *
 * The prompt is read at once (prefill), and every layer keeps the keys and values of its rows. Then one row of each
 * example is read at a time (decode), with its position: its keys and values are put into the caches there, and its
 * query sees what they have up to that position. What the rows after a prompt leave in the caches is therefore never
 * seen: each of these positions is written before a query sees it.
 */
#include "reference/model_call.h"

#include <string.h>

/* ---- Inputs ------------------------------------------------------------------------------------------------- */

/* "tokens.next": an input of its own, one number per example. */
static Tensor one_row(Model *model, const Tensor *tensor, const char *suffix)
{
    Tensor row = *tensor;
    row.name = arena_printf(model->ctx->arena, "%s.%s", tensor->name, suffix);
    row.dims[1] = 1;
    row.dim_names[1] = NULL; /* nothing shards it */
    return row;
}

static int named(Model *model, const Tensor *tensor, const char *suffix)
{
    return model_find_tensor(model->b, arena_printf(model->ctx->arena, "%s.%s", tensor->name, suffix));
}

static void read_position(Model *model, const Tensor *tokens, const ValueDim *dims)
{
    model->position = model_value(model, "position", DTYPE_I32, 2, dims);
    if (model->position.known)
        model_read(model, model->position.ref, named(model, tokens, "position"));
}

void model_serve_input(Model *model, Tensor *tensor, ValueDim *dims, int *index)
{
    if (model->serving == SERVING_NOT || tensor->dtype != DTYPE_I32 || tensor->dim_count != 2)
        return;
    if (model->tokens < 0) {
        Tensor next = one_row(model, tensor, "next"), position = one_row(model, tensor, "position");
        model->tokens = *index;
        model->context = dims[1];
        builder_add_input(model->b, &next);
        builder_add_input(model->b, &position);
    }
    if (model->serving != SERVING_DECODE)
        return;
    const Tensor tokens = model->b->decls->tensors.data[model->tokens];
    dims[1].size = 1;
    if (*index == model->tokens)
        read_position(model, &tokens, dims);
    *index = named(model, &tokens, "next"); /* of other inputs nothing is used */
}

/* ---- Caches ------------------------------------------------------------------------------------------------- */

static Value find_cache(Model *model, const char *name, const Value *value)
{
    Value cache = *value;
    cache.dims[1] = model->context;
    Tensor tensor = {.name = name,
                     .kind = TENSOR_STATISTIC,
                     .dtype = value->dtype,
                     .group = model->group,
                     .dim_count = value->dim_count,
                     .dim_names = {"batch", model->context.name, "heads", "head"},
                     .batch_dim = 0,
                     .init = INIT_ZEROS,
                     .span = model->b->span};
    for (int i = 0; i < cache.dim_count; i++)
        tensor.dims[i] = cache.dims[i].size;
    cache.ref = builder_statistic(model->b, "cache", &tensor, model_find_tensor(model->b, name));
    return cache;
}

/* Which place of the cache is the row's, once for all layers. */
static Value find_here(Model *model)
{
    if (model->here.known)
        return model->here;
    Builder *b = model->b;
    DType dtype = builder_statistics_dtype(b->decls);
    Value columns = call_positions(model, model->context, POSITIONS_COLUMNS);
    ValueDim dims[] = {model->position.dims[0], model->position.dims[1], model->context};
    Node *loop = builder_leave_loop(b);
    Value hit = model_value(model, "here.row", dtype, 3, dims);
    dims[1] = model->context;
    model->here = model_value(model, "here", dtype, 2, dims);
    if (hit.known && model->here.known) {
        builder_op(b, OP_EQUAL, "bt,s->bts", hit.ref, (Ref[]){model->position.ref, columns.ref});
        builder_op(b, OP_REDUCE, "bts->bs", model->here.ref, &hit.ref); /* over one row */
    }
    builder_return(b, loop);
    return model->here;
}

Value model_serve_cache(Model *model, const char *name, const Value *value)
{
    Builder *b = model->b;
    Value cache = find_cache(model, name, value);
    if (model->serving == SERVING_PREFILL) {
        builder_op(b, OP_COPY, "bsnd->bsnd", cache.ref, &value->ref);
        return *value;
    }
    Value here = find_here(model);
    ValueDim dims[] = {value->dims[0], value->dims[2], value->dims[3]};
    Value row = model_value(model, arena_printf(model->ctx->arena, "%s.new", name), value->dtype, 3, dims);
    if (!here.known || !row.known)
        return model_unknown(model);
    builder_op(b, OP_REDUCE, "btnd->bnd", row.ref, &value->ref); /* over one row */
    builder_op(b, OP_SELECT, "bs,bnd,bsnd->bsnd", cache.ref, (Ref[]){here.ref, row.ref, cache.ref});
    return cache;
}

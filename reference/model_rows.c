/* model_rows.c - sequences of rows, [batch, rows, features]: those of an image, with one row more, one row of them. */
#include "reference/model_call.h"

#include <inttypes.h>

/* [batch, rows, features], the batch first and only there. */
static Value rows_argument(Model *model, const Call *call)
{
    Value x = call_tensor(model, call, 0, false, 1);
    bool good = x.known && x.dim_count == 3 && !model_is_batch(&x.dims[1]) && !model_is_batch(&x.dims[2]);
    if (!x.known || good)
        return x;
    diag_report(model->ctx->diag, P0203, call->argument[0]->span, "'%s' is over [batch, rows, features], this is %s",
                call->function->name, model_shape(model, &x));
    return model_unknown(model);
}

static ValueDim rows_dim(Model *model, int64_t rows)
{
    return (ValueDim){.name = arena_printf(model->ctx->arena, "%" PRId64, rows), .size = rows};
}

/* sequence(x): the places of an image, row by row, each with its channels */
Value emit_sequence(Model *model, Call *call)
{
    Value x = call_image(model, call);
    if (!x.known)
        return x;
    ValueDim places = rows_dim(model, x.dims[2].size * x.dims[3].size);
    Value flat =
        model_value(model, call_name(model, call, "places"), x.dtype, 3, (ValueDim[]){x.dims[0], x.dims[1], places});
    Value y = model_value(model, call->path, x.dtype, 3, (ValueDim[]){x.dims[0], places, x.dims[1]});
    if (!flat.known || !y.known)
        return model_unknown(model);
    builder_op(model->b, OP_VIEW, "nchw->nck", flat.ref, &x.ref);
    builder_op(model->b, OP_COPY, "nck->nkc", y.ref, &flat.ref);
    return y;
}

/* A value's rows from `first` on, zeros before and after them. */
static Value place_rows(Model *model, const char *name, const char *spec, const Value *rows, double first, ValueDim all)
{
    ValueDim dims[3] = {rows->dims[0], rows->dims[1], rows->dims[2]};
    dims[rows->dim_count - 2] = all;
    Value y = model_value(model, name, rows->dtype, rows->dim_count, dims);
    if (y.known)
        builder_op_with(model->b, OP_SEGMENT_BWD, spec, y.ref, &rows->ref, &first);
    return y;
}

/* class_token(x): a trained row, then those of x */
Value emit_class_token(Model *model, Call *call)
{
    Value x = rows_argument(model, call);
    if (!x.known)
        return x;
    ValueDim all = rows_dim(model, x.dims[1].size + 1);
    Value token = {.known = true, .dtype = x.dtype, .dim_count = 2, .dims = {rows_dim(model, 1), x.dims[2]}};
    token.ref = call_parameter(model, call, "token", START_NORMAL, 2, token.dims);
    Value first = place_rows(model, call_name(model, call, "first"), "sh->th", &token, 0, all);
    Value others = place_rows(model, call_name(model, call, "others"), "bsh->bth", &x, 1, all);
    Value y = model_value(model, call->path, x.dtype, 3, (ValueDim[]){x.dims[0], all, x.dims[2]});
    if (!first.known || !others.known || !y.known)
        return model_unknown(model);
    builder_op(model->b, OP_ADD, "bth,th->bth", y.ref, (Ref[]){others.ref, first.ref});
    return y;
}

/* row(x, index) */
Value emit_row(Model *model, Call *call)
{
    Value x = rows_argument(model, call);
    int64_t index;
    if (!x.known || !resolve_integer(model->ctx, &model->constants, call->argument[1], "the index of a row", 0,
                                     x.dims[1].size - 1, &index))
        return model_unknown(model);
    double first = (double)index;
    ValueDim dims[3] = {x.dims[0], rows_dim(model, 1), x.dims[2]};
    Value one = model_value(model, call_name(model, call, "one"), x.dtype, 3, dims);
    Value y = model_value(model, call->path, x.dtype, 2, (ValueDim[]){x.dims[0], x.dims[2]});
    if (!one.known || !y.known)
        return model_unknown(model);
    builder_op_with(model->b, OP_SEGMENT, "bth->bsh", one.ref, &x.ref, &first);
    builder_op(model->b, OP_REDUCE, "bsh->bh", y.ref, &one.ref);
    return y;
}

/* model_loss.c - losses: what a model compares with its targets. */
#include "sema/model_call.h"

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
Value emit_cross_entropy(Model *model, Call *call)
{
    Value logits = call_row(model, call, 0, 2), targets = call_tensor(model, call, 1, true, 1);
    if (!logits.known || !targets.known)
        return model_unknown(model);
    bool ranks_fit = targets.dim_count == logits.dim_count - 1;
    int dim = ranks_fit ? differing_dim(&logits, &targets, targets.dim_count) : -1;
    if (!ranks_fit || dim >= 0)
        return report_loss_shapes(model, call, &logits, &targets, dim);
    set_prediction(model, "logits", &logits);
    Value y = model_value(model, call->path, build_statistics_dtype(model->b->decls), targets.dim_count, targets.dims);
    if (y.known)
        build_op(model->b, OP_CROSS_ENTROPY, call_spec(model, "*v,*->*", call_leading(model, targets.dim_count)), y.ref,
                 (Ref[]){logits.ref, targets.ref});
    return y;
}

/* squared_error(x, target): elementwise */
Value emit_squared_error(Model *model, Call *call)
{
    Value x = call_tensor(model, call, 0, false, 1), target = call_tensor(model, call, 1, false, 1);
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

/* model_fused.c - fused dims: `linear(x, fused(hidden, kv, kv))` is one product with one weight for queries, keys and
 * values, and `segment(y, 1)` takes the keys from it. A cut of a fused dim cuts each segment. */
#include "reference/model_call.h"

#include "step/spec.h"

#include <string.h>

ValueDim call_fused_dim(Model *model, const ValueDim *dims, int count)
{
    Text text = {.arena = model->ctx->arena};
    Segments *segments = arena_make(model->ctx->arena, Segments);
    const char **names = arena_array(model->ctx->arena, const char *, count);
    ValueDim fused = {.size = 0};
    for (int i = 0; i < count; i++) {
        names[i] = dims[i].name;
        segments->size[segments->count++] = dims[i].size;
        fused.size += dims[i].size;
        text_add(&text, "%s%s", i > 0 ? " + " : "", dims[i].name);
    }
    fused.name = text.data;
    fused.segments = segments;
    fused.names = names;
    return fused;
}

static bool is_fused(const AstNode *node)
{
    return node != NULL && node->kind == AST_CALL && call_is_word(node->call.callee, "fused");
}

bool call_fused_size(Model *model, const Call *call, int i, ValueDim *dim)
{
    const AstNode *node = call->argument[i];
    if (!is_fused(node))
        return call_size(model, call, i, dim);
    const AstList *sizes = &node->call.arguments;
    ValueDim dims[STEP_MAX_SEGMENTS];
    if (sizes->count < 2 || sizes->count > STEP_MAX_SEGMENTS) {
        diag_report(model->ctx->diag, P0206, node->span, "'fused' is of 2 to %d sizes", STEP_MAX_SEGMENTS);
        model->failed = true;
        return false;
    }
    int64_t all = 0;
    for (int s = 0; s < sizes->count; s++) {
        const AstNode *size = sizes->data[s];
        dims[s] = (ValueDim){.name = resolve_text(model->ctx, size)};
        if (!resolve_integer(model->ctx, &model->constants, size, "a size in 'fused'", 1, INT32_MAX, &dims[s].size)) {
            model->failed = true;
            return false;
        }
        all += dims[s].size;
    }
    if (all > INT32_MAX) {
        diag_report(model->ctx->diag, P0207, node->span, "a dim of %lld elements is too large", (long long)all);
        model->failed = true;
        return false;
    }
    *dim = call_fused_dim(model, dims, sizes->count);
    return true;
}

/* "abcd->abkd" for dim 2. */
static const char *segment_spec(Model *model, int dim_count, int dim)
{
    const char *letters = index_letters(dim_count);
    char *spec = arena_printf(model->ctx->arena, "%s->%s", letters, letters);
    spec[dim_count + 2 + dim] = 's';
    return spec;
}

Value call_segment(Model *model, const char *name, const Value *x, int dim, int index)
{
    const Segments *segments = x->dims[dim].segments;
    double first = 0;
    for (int i = 0; i < index; i++)
        first += (double)segments->size[i];
    ValueDim dims[STEP_MAX_DIMS];
    memcpy(dims, x->dims, sizeof(dims));
    dims[dim] = (ValueDim){.name = x->dims[dim].names[index], .size = segments->size[index]};
    Value y = model_value(model, name, x->dtype, x->dim_count, dims);
    if (y.known)
        builder_op_with(model->b, OP_SEGMENT, segment_spec(model, x->dim_count, dim), y.ref, &x->ref, &first);
    return y;
}

/* segment(x, index) */
Value emit_segment(Model *model, Call *call)
{
    Value x = call_tensor(model, call, 0, false, 1);
    if (!x.known)
        return x;
    int dim = x.dim_count - 1;
    while (dim >= 0 && x.dims[dim].segments == NULL)
        dim--;
    if (dim < 0) {
        Diagnostic *d =
            diag_report(model->ctx->diag, P0203, call->argument[0]->span,
                        "'segment' takes a part of a fused dim, but this has none: %s", model_shape(model, &x));
        diag_help(d, "Fuse the dim where it is declared: linear(x, fused(A, B)).");
        return model_unknown(model);
    }
    int64_t index;
    if (!resolve_integer(model->ctx, &model->constants, call->argument[1], "the index of a segment", 0,
                         x.dims[dim].segments->count - 1, &index))
        return model_unknown(model);
    return call_segment(model, call->path, &x, dim, (int)index);
}

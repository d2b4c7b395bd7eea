/* model_adapter.c - adapters: trained matrices of low rank in addition to frozen ones. */
#include "reference/model_call.h"

#include <math.h>
#include <string.h>

static bool read_lora(Model *model, const AstNode *node, Adapter *adapter)
{
    static const ArgumentInfo arguments[] = {{"rank", true}, {"scale", false}};
    const AstNode *values[2] = {NULL};
    if (!resolve_arguments(model->ctx, node->call.callee->span, "lora", &node->call.arguments, arguments, 2, values))
        return false;
    Constant scale = {.value = 1};
    adapter->rank = (ValueDim){.name = resolve_text(model->ctx, values[0])};
    adapter->scale = (Scale){1, 1, ""};
    if (!resolve_integer(model->ctx, &model->constants, values[0], "the rank of an adapter", 1, INT32_MAX,
                         &adapter->rank.size))
        return false;
    return values[1] == NULL || (resolve_number(model->ctx, &model->constants, values[1], &scale) &&
                                 model_fraction(model, values[1], scale.value, &adapter->scale));
}

bool call_adapter(Model *model, Call *call, int i, Adapter *adapter)
{
    const AstNode *node = call->argument[i];
    *adapter = (Adapter){.rank.size = 0};
    if (node == NULL)
        return true;
    bool is_lora = node->kind == AST_CALL && call_is_word(node->call.callee, "lora");
    if (is_lora && read_lora(model, node, adapter))
        return call->frozen = true;
    if (!is_lora)
        diag_report(model->ctx->diag, P0206, node->span, "argument 'adapter' of '%s' can only be 'lora(rank, scale)'",
                    call->function->name);
    adapter->rank.size = 0;
    model->failed = true;
    return false;
}

Value call_adapt(Model *model, const Call *call, const Adapter *adapter, const char *role, const Value *x,
                 const Value *y, const char *letters)
{
    Arena *arena = model->ctx->arena;
    Builder *b = model->b;
    Call trained = *call;
    trained.frozen = false;
    const char *path = role[0] != '\0' ? call_name(model, call, role) : call->path, *dot = role[0] != '\0' ? "." : "";
    const char *lead = call_leading(model, x->dim_count - 1);
    int outs = y->dim_count - (x->dim_count - 1);
    ValueDim in = call_last_dim(x), up_dims[STEP_MAX_DIMS];
    for (int i = 0; i < outs; i++)
        up_dims[i] = y->dims[x->dim_count - 1 + i];
    up_dims[outs] = adapter->rank;
    Ref down = call_parameter(model, &trained, arena_printf(arena, "%s%slora_down.weight", role, dot),
                              (Start){INIT_NORMAL, 1 / sqrt((double)in.size)}, 2, (ValueDim[]){adapter->rank, in});
    Ref up = call_parameter(model, &trained, arena_printf(arena, "%s%slora_up.weight", role, dot), START_ZEROS,
                            outs + 1, up_dims);
    Value low = call_result(model, arena_printf(arena, "%s.lora_down", path), x->dtype, x, &adapter->rank);
    Value part = model_value(model, arena_printf(arena, "%s.lora_up", path), y->dtype, y->dim_count, y->dims);
    Value sum = model_value(model, path, y->dtype, y->dim_count, y->dims);
    if (!low.known || !part.known || !sum.known)
        return model_unknown(model);
    builder_op(b, OP_EINSUM, call_spec(model, "*h,rh->*r", lead), low.ref, (Ref[]){x->ref, down});
    builder_op(b, OP_EINSUM, call_spec(model, arena_printf(arena, "*r,%sr->*%s", letters, letters), lead), part.ref,
               (Ref[]){low.ref, up});
    if (adapter->scale.numerator != 1 || adapter->scale.denominator != 1) {
        Value scaled = model_value(model, arena_printf(arena, "%s.scaled", path), y->dtype, y->dim_count, y->dims);
        builder_op(b, OP_SCALE, builder_elementwise_spec(b, part.ref, 1, 0), scaled.ref, &part.ref)->scale =
            adapter->scale;
        part = scaled;
    }
    builder_op(b, OP_ADD, builder_elementwise_spec(b, sum.ref, 2, 0), sum.ref, (Ref[]){y->ref, part.ref});
    return sum;
}

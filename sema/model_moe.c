/* model_moe.c - mixtures of experts: every row of an example goes to a few of many two-layer networks.
 *
 * The formulation is that of Mesh-TensorFlow and GShard (arXiv:1811.02084, 2006.16668), so that a strategy only has to
 * cut letters: which row takes which place of which expert is a tensor of zeros and ones, [b, t, e, c], and rows go to
 * their experts and back by contraction with it. In index letters e are the experts, c the places of one expert, f
 * the width inside. Places are counted within each example, in the order of its rows, so examples do not depend on each
 * other; rows that find no place add nothing, and the residual stream around the layer carries them on.
 */
#include "sema/model_call.h"

#include <math.h>

/* Every choice of a row is an operator. */
static const int64_t most_choices = 64;

typedef struct Experts {
    Model *model;
    Call *call;
    Value x;
    ValueDim experts, top, width, places;
    OpKind activation;
    bool gated;
} Experts;

static Value moe_value(const Experts *m, const char *role, DType dtype, int count, const ValueDim *dims)
{
    return model_value(m->model, call_name(m->model, m->call, role), dtype, count, dims);
}

/* Each row's probabilities of the experts, not narrower than f32. */
static Value route(const Experts *m, const ValueDim *row_dims)
{
    static const double factor = 1;
    Builder *b = m->model->b;
    ValueDim hidden = call_last_dim(&m->x);
    Ref weight = call_parameter(m->model, m->call, "router.weight", START_NORMAL, 2, (ValueDim[]){m->experts, hidden});
    Value logits = moe_value(m, "logits", m->x.dtype, 3, row_dims);
    Value probabilities = moe_value(m, "probabilities", build_statistics_dtype(b->decls), 3, row_dims);
    if (!logits.known || !probabilities.known)
        return model_unknown(m->model);
    build_op(b, OP_EINSUM, "bth,eh->bte", logits.ref, (Ref[]){m->x.ref, weight});
    build_op_with(b, OP_SOFTMAX, "bte->bte", probabilities.ref, &logits.ref, &factor);
    return probabilities;
}

/* Ones at the `top` largest probabilities of each row, the first of equal ones first. */
static Value choose(const Experts *m, const Value *probabilities)
{
    Builder *b = m->model->b;
    Value chosen = moe_value(m, "chosen", probabilities->dtype, 3, probabilities->dims);
    if (!chosen.known)
        return chosen;
    build_op_with(b, OP_FILL, "bte", chosen.ref, NULL, (double[]){0});
    for (int64_t i = 0; i < m->top.size; i++)
        build_op(b, OP_TOP_NEXT, "bte,bte->bte", chosen.ref, (Ref[]){probabilities->ref, chosen.ref});
    return chosen;
}

/* A number per row and expert, spread to the place that the row has there; rows past the last place have none. */
static Value spread(const Experts *m, const char *role, const Value *numbers, const Value *position)
{
    const ValueDim *dims = numbers->dims;
    Value places = call_positions(m->model, m->places, POSITIONS_PLACES);
    Value result = moe_value(m, role, m->x.dtype, 4, (ValueDim[]){dims[0], dims[1], dims[2], m->places});
    if (result.known)
        build_op(m->model->b, OP_ONE_HOT, "bte,bte,c->btec", result.ref,
                 (Ref[]){numbers->ref, position->ref, places.ref});
    return result;
}

/* How many earlier rows of the example chose the same expert: where a row stands in its queue. */
static Value count_before(const Experts *m, const Value *chosen)
{
    Model *model = m->model;
    Value position = moe_value(m, "position", chosen->dtype, 3, chosen->dims);
    Value rows = call_positions(model, chosen->dims[1], POSITIONS_ROWS);
    Value columns = call_positions(model, chosen->dims[1], POSITIONS_COLUMNS);
    if (position.known)
        build_op(model->b, OP_COUNT_BEFORE, "bse,t,s->bte", position.ref, (Ref[]){chosen->ref, rows.ref, columns.ref});
    return position;
}

/* What an expert's answer counts: its probability; if several are asked, their probabilities' share of the chosen. */
static Value weigh(const Experts *m, const Value *probabilities, const Value *chosen)
{
    Value gates = moe_value(m, "gates", chosen->dtype, 3, chosen->dims);
    if (gates.known)
        build_op(m->model->b, m->top.size == 1 ? OP_MUL : OP_GATE, "bte,bte->bte", gates.ref,
                 (Ref[]){probabilities->ref, chosen->ref});
    return gates;
}

/* One linear layer into the width of every expert, each on its own places. */
static Value widen(const Experts *m, const char *role, const Value *inputs)
{
    Model *model = m->model;
    const ValueDim *dims = inputs->dims;
    Ref weight = call_parameter(model, m->call, arena_printf(model->ctx->arena, "%s.weight", role), START_NORMAL, 3,
                                (ValueDim[]){m->experts, m->width, dims[3]});
    Value wide = moe_value(m, role, inputs->dtype, 4, (ValueDim[]){dims[0], dims[1], dims[2], m->width});
    if (wide.known)
        build_op(model->b, OP_EINSUM, "bech,efh->becf", wide.ref, (Ref[]){inputs->ref, weight});
    return wide;
}

/* The networks: down(f(up(x))), or down(silu(gate(x)) * up(x)), from [b, e, c, h] to [b, e, c, h]. */
static Value compute(const Experts *m, const Value *inputs)
{
    Model *model = m->model;
    Value inner = widen(m, m->gated ? "gate" : "up", inputs);
    if (!inner.known)
        return inner;
    Value active = call_activate(model, call_name(model, m->call, "active"), m->activation, &inner);
    if (m->gated && active.known) {
        Value up = widen(m, "up", inputs), gated = moe_value(m, "gated", inputs->dtype, 4, inner.dims);
        if (!up.known || !gated.known)
            return model_unknown(model);
        build_op(model->b, OP_MUL, "becf,becf->becf", gated.ref, (Ref[]){active.ref, up.ref});
        active = gated;
    }
    Value outputs = moe_value(m, "outputs", inputs->dtype, 4, inputs->dims);
    if (!active.known || !outputs.known)
        return model_unknown(model);
    Ref down = call_parameter(model, m->call, "down.weight", call_start_residual(model), 3,
                              (ValueDim[]){m->experts, inputs->dims[3], m->width});
    build_op(model->b, OP_EINSUM, "becf,ehf->bech", outputs.ref, (Ref[]){active.ref, down});
    return outputs;
}

static Value emit_layer(const Experts *m)
{
    Model *model = m->model;
    Builder *b = model->b;
    const Value *x = &m->x;
    Value probabilities = route(m, (ValueDim[]){x->dims[0], x->dims[1], m->experts});
    if (!probabilities.known)
        return probabilities;
    Value chosen = choose(m, &probabilities);
    if (!chosen.known)
        return chosen;
    Value position = count_before(m, &chosen), gates = weigh(m, &probabilities, &chosen);
    if (!position.known || !gates.known)
        return model_unknown(model);
    Value dispatch = spread(m, "dispatch", &chosen, &position), combine = spread(m, "combine", &gates, &position);
    Value inputs =
        moe_value(m, "inputs", x->dtype, 4, (ValueDim[]){x->dims[0], m->experts, m->places, call_last_dim(x)});
    Value y = model_value(model, m->call->path, x->dtype, 3, x->dims);
    if (!dispatch.known || !combine.known || !inputs.known || !y.known)
        return model_unknown(model);
    build_op(b, OP_EINSUM, "btec,bth->bech", inputs.ref, (Ref[]){dispatch.ref, x->ref});
    Value outputs = compute(m, &inputs);
    if (!outputs.known)
        return outputs;
    build_op(b, OP_EINSUM, "btec,bech->bth", y.ref, (Ref[]){combine.ref, outputs.ref});
    return y;
}

/* Places per expert: `capacity` times what it would get if all got the same; without `capacity` enough for every row.
 */
static bool find_places(Experts *m, const AstNode *capacity)
{
    Model *model = m->model;
    static const Range range = {.low = 0, .low_open = true, .high = 1e6};
    int64_t rows = m->x.dims[1].size;
    double factor = 0;
    m->places = (ValueDim){"places", rows};
    if (capacity == NULL)
        return true;
    if (!resolve_real(model->ctx, &model->constants, capacity, "argument 'capacity' of 'moe'", &range, &factor))
        return false;
    /* A product that should be whole is not rounded up. */
    double places = ceil(factor * (double)m->top.size * (double)rows / (double)m->experts.size - 1e-9);
    m->places.size = places < 1 ? 1 : places > (double)rows ? rows : (int64_t)places;
    return true;
}

/* moe(x, experts, top, width, activation, capacity) */
Value emit_moe(Model *model, Call *call)
{
    Experts m = {.model = model, .call = call, .x = call_row(model, call, 0, 1)};
    if (!call_size(model, call, 1, &m.experts) || !call_size(model, call, 2, &m.top) ||
        !call_size(model, call, 3, &m.width) || !call_activation(model, call, 4, &m.activation, &m.gated) || !m.x.known)
        return model_unknown(model);
    if (m.x.dim_count != 3) {
        diag_report(model->ctx->diag, P0203, call->argument[0]->span,
                    "'moe' is over [batch, rows, features], this is %s", model_shape(model, &m.x));
        return model_unknown(model);
    }
    if (m.top.size > m.experts.size || m.top.size > most_choices) {
        Diagnostic *d = diag_report(model->ctx->diag, P0207, call->argument[2]->span, "argument 'top' of 'moe' is %lld",
                                    (long long)m.top.size);
        diag_why(d, "It must be at most %lld%s.",
                 (long long)(m.experts.size < most_choices ? m.experts.size : most_choices),
                 m.experts.size < most_choices ? ", the number of experts" : "");
        return model_unknown(model);
    }
    return find_places(&m, call->argument[5]) ? emit_layer(&m) : model_unknown(model);
}

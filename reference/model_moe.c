/* model_moe.c - mixtures of experts: every row of an example goes to a few of many two-layer networks.
 *
 * Which row is in which place of which expert is a whole number, `source`, [b, e, c], and rows go to their experts and
 * back by it, so that a strategy only has to shard letters: source has those of experts and places, and no operator
 * knows where a rank's experts begin. In index letters t are the rows, k the choices of a row, e the experts, c the
 * places of one expert, f the inner width. Places are counted within each example, in the order of its rows, so
 * examples do not depend on each other; rows that find no place add nothing, and the residual stream around the layer
 * carries them on. By contract an example's rows are in groups g, each with its own places: [b, g, t, ...].
 */
#include "reference/model_call.h"

#include <math.h>
#include <string.h>

typedef struct Experts {
    Model *model;
    Call *call;
    Value x;
    ValueDim experts, top, width, places;
    int64_t groups;
    const char *lead; /* "b", or "bg" */
    OpKind activation;
    bool gated;
    bool drops; /* rows after an expert's last place, if there can be such rows */
} Experts;

/* The spec with the leading letters in place of every '*'. */
static const char *moe_spec(const Experts *m, const char *format)
{
    return call_spec(m->model, format, m->lead);
}

/* A value of rows [b, t, ...], with the rows divided into their groups, if there are several. */
static Value in_groups(const Experts *m, const char *role, const Value *x)
{
    return m->groups == 1 ? *x : model_part(m->model, call_name(m->model, m->call, role), x, 1, m->groups);
}

static ValueDim rows_of(const Experts *m, const Value *x)
{
    return x->dims[strlen(m->lead)];
}

/* The leading dims, then others; returns their count. */
static int lead_dims(const Experts *m, const Value *like, ValueDim *dims, int count, const ValueDim *others)
{
    int lead = (int)strlen(m->lead);
    memcpy(dims, like->dims, sizeof *dims * (size_t)lead);
    memcpy(dims + lead, others, sizeof *dims * (size_t)count);
    return lead + count;
}

static Value moe_value(const Experts *m, const char *role, DType dtype, int count, const ValueDim *dims)
{
    return model_value(m->model, call_name(m->model, m->call, role), dtype, count, dims);
}

/* Each row's probabilities of the experts, in at least f32. */
static Value route(const Experts *m, const ValueDim *row_dims, Value *scores)
{
    static const double factor = 1;
    Builder *b = m->model->b;
    ValueDim hidden = call_last_dim(&m->x);
    Ref weight = call_parameter(m->model, m->call, "router.weight", START_NORMAL, 2, (ValueDim[]){m->experts, hidden});
    Value logits = moe_value(m, "logits", m->x.dtype, 3, row_dims);
    Value probabilities = moe_value(m, "probabilities", builder_statistics_dtype(b->decls), 3, row_dims);
    if (!logits.known || !probabilities.known)
        return model_unknown(m->model);
    builder_op(b, OP_EINSUM, "bth,eh->bte", logits.ref, (Ref[]){m->x.ref, weight});
    builder_op_with(b, OP_SOFTMAX, "bte->bte", probabilities.ref, &logits.ref, &factor);
    *scores = logits;
    return probabilities;
}

/* The numbers of the experts, for what compares with them. */
static Value expert_numbers(const Experts *m)
{
    return call_positions(m->model, m->experts, POSITIONS_EXPERTS);
}

/* The experts of each row: those with the largest probabilities; of equal ones the first is chosen. */
static Value choose(const Experts *m, const Value *probabilities)
{
    ValueDim dims[STEP_MAX_DIMS];
    int count = lead_dims(m, probabilities, dims, 2, (ValueDim[]){rows_of(m, probabilities), m->top});
    Value choice = moe_value(m, "choice", DTYPE_I32, count, dims);
    if (choice.known)
        builder_op(m->model->b, OP_TOP, moe_spec(m, "*te->*tk"), choice.ref, &probabilities->ref);
    return choice;
}

/* The row in each place of each expert: rows wait in their order. Those after the last place have none, or end the
 * step.
 */
static Value line_up(const Experts *m, const Value *choice)
{
    ValueDim dims[STEP_MAX_DIMS];
    int count = lead_dims(m, choice, dims, 2, (ValueDim[]){m->experts, m->places});
    Value experts = expert_numbers(m), source = moe_value(m, "source", DTYPE_I32, count, dims);
    if (source.known)
        builder_op(m->model->b, m->drops ? OP_QUEUE : OP_QUEUE_ALL, moe_spec(m, "*tk,e->*ec"), source.ref,
                   (Ref[]){choice->ref, experts.ref});
    return source;
}

/* A number per row, or per row and expert, for the row in each place; 0 where there is none. */
static Value at_places(const Experts *m, const char *role, const char *spec, const Value *source, const Value *numbers)
{
    Value result = moe_value(m, role, numbers->dtype, source->dim_count, source->dims);
    if (result.known)
        builder_op(m->model->b, OP_TAKE, moe_spec(m, spec), result.ref, (Ref[]){source->ref, numbers->ref});
    return result;
}

/* For each row 1 / the sum of the probabilities of its experts. */
static Value invert_totals(const Experts *m, const Value *probabilities, const Value *choice)
{
    Builder *b = m->model->b;
    int count = probabilities->dim_count - 1;
    Value experts = expert_numbers(m), total = moe_value(m, "total", probabilities->dtype, count, probabilities->dims);
    Value inverse = moe_value(m, "inverse", probabilities->dtype, count, probabilities->dims);
    if (!experts.known || !total.known || !inverse.known)
        return model_unknown(m->model);
    builder_op(b, OP_SUM_EQUAL, moe_spec(m, "*te,*tk,e->*t"), total.ref,
               (Ref[]){probabilities->ref, choice->ref, experts.ref});
    builder_op(b, OP_RECIP, moe_spec(m, "*t->*t"), inverse.ref, &total.ref);
    return inverse;
}

/* The weight of an expert's answer: its probability; if several are asked, its share of the chosen probabilities. */
static Value weigh(const Experts *m, const Value *probabilities, const Value *choice, const Value *source)
{
    Builder *b = m->model->b;
    Value picked = at_places(m, "picked", "*ec,*te->*ec", source, probabilities);
    Value weights = moe_value(m, "weights", m->x.dtype, source->dim_count, source->dims);
    if (!picked.known || !weights.known)
        return model_unknown(m->model);
    if (m->top.size == 1) {
        builder_op(b, OP_CAST, moe_spec(m, "*ec->*ec"), weights.ref, &picked.ref);
        return weights;
    }
    Value inverse = invert_totals(m, probabilities, choice);
    if (!inverse.known)
        return inverse;
    Value inverses = at_places(m, "inverses", "*ec,*t->*ec", source, &inverse);
    if (inverses.known)
        builder_op(b, OP_MUL, moe_spec(m, "*ec,*ec->*ec"), weights.ref, (Ref[]){picked.ref, inverses.ref});
    return inverses.known ? weights : inverses;
}

/* One linear layer into the inner width of every expert, each on its own places. */
static Value widen(const Experts *m, const char *role, const Value *inputs)
{
    Model *model = m->model;
    Ref weight = call_parameter(model, m->call, arena_printf(model->ctx->arena, "%s.weight", role), START_NORMAL, 3,
                                (ValueDim[]){m->experts, m->width, call_last_dim(inputs)});
    Value wide = call_result(model, call_name(model, m->call, role), inputs->dtype, inputs, &m->width);
    if (wide.known)
        builder_op(model->b, OP_EINSUM, moe_spec(m, "*ech,efh->*ecf"), wide.ref, (Ref[]){inputs->ref, weight});
    return wide;
}

/* The networks: down(f(up(x))), or down(silu(gate(x)) * up(x)), on the last dim of [b, e, c, h]. */
static Value compute(const Experts *m, const Value *inputs)
{
    Model *model = m->model;
    Value inner = widen(m, m->gated ? "gate" : "up", inputs);
    if (!inner.known)
        return inner;
    Value active = call_activate(model, call_name(model, m->call, "active"), m->activation, &inner);
    if (m->gated && active.known) {
        Value up = widen(m, "up", inputs);
        Value gated = moe_value(m, "gated", inputs->dtype, inner.dim_count, inner.dims);
        if (!up.known || !gated.known)
            return model_unknown(model);
        builder_op(model->b, OP_MUL, moe_spec(m, "*ecf,*ecf->*ecf"), gated.ref, (Ref[]){active.ref, up.ref});
        active = gated;
    }
    Value outputs = moe_value(m, "outputs", inputs->dtype, inputs->dim_count, inputs->dims);
    if (!active.known || !outputs.known)
        return model_unknown(model);
    Ref down = call_parameter(model, m->call, "down.weight", call_start_residual(model), 3,
                              (ValueDim[]){m->experts, call_last_dim(inputs), m->width});
    builder_op(model->b, OP_EINSUM, moe_spec(m, "*ecf,ehf->*ech"), outputs.ref, (Ref[]){active.ref, down});
    return outputs;
}

/* ---- Measures of routers ------------------------------------------------------------------------------------ */

/* experts * sum over e of (share of the choices that e got) * (mean probability of e), for each example: 1 if all get
 * the same. The choices have no derivative. */
static Value measure_balance(const Experts *m, const Value *probabilities, const Value *choice)
{
    Builder *b = m->model->b;
    const ValueDim dims[] = {probabilities->dims[0], m->experts};
    int64_t rows = probabilities->dims[1].size;
    DType dtype = probabilities->dtype;
    Value load = moe_value(m, "load", dtype, 2, dims), mass = moe_value(m, "mass", dtype, 2, dims);
    Value product = moe_value(m, "product", dtype, 1, dims), balance = moe_value(m, "balance", dtype, 1, dims);
    Value experts = expert_numbers(m);
    if (!load.known || !mass.known || !product.known || !balance.known || !experts.known)
        return model_unknown(m->model);
    builder_op(b, OP_COUNT_EQUAL, moe_spec(m, "*tk,e->be"), load.ref, (Ref[]){choice->ref, experts.ref});
    builder_op(b, OP_REDUCE, "bte->be", mass.ref, &probabilities->ref);
    builder_op(b, OP_EINSUM, "be,be->b", product.ref, (Ref[]){load.ref, mass.ref});
    Op *scale = builder_op(b, OP_SCALE, "b->b", balance.ref, &product.ref);
    scale->scale.numerator = m->experts.size;
    scale->scale.denominator = rows * rows * m->top.size;
    return balance;
}

/* The mean over an example's rows of the square of log(sum of exp(logits)). */
static Value measure_z(const Experts *m, const Value *logits)
{
    Builder *b = m->model->b;
    DType dtype = builder_statistics_dtype(b->decls);
    Value size = moe_value(m, "log_sum", dtype, 2, logits->dims), sum = moe_value(m, "squares", dtype, 1, logits->dims);
    Value z = moe_value(m, "z", dtype, 1, logits->dims);
    if (!size.known || !sum.known || !z.known)
        return model_unknown(m->model);
    builder_op(b, OP_LOG_SUM_EXP, "bte->bt", size.ref, &logits->ref);
    builder_op(b, OP_EINSUM, "bt,bt->b", sum.ref, (Ref[]){size.ref, size.ref});
    builder_op(b, OP_SCALE, "b->b", z.ref, &sum.ref)->scale.denominator = logits->dims[1].size;
    return z;
}

/* In a repeated block a measure is carried from layer to layer, from 0: after the last layer it is the sum over all. */
static Value sum_layers(const Experts *m, const char *role, Value measure)
{
    Builder *b = m->model->b;
    Node *loop = b->loop;
    if (loop == NULL || !measure.known)
        return measure;
    int64_t layers = b->decls->groups.data[m->model->group].layers;
    builder_leave_loop(b);
    Value total = moe_value(m, role, measure.dtype, 1, measure.dims);
    if (!total.known)
        return total;
    b->program->buffers.data[total.ref.buffer].slots = layers + 1;
    builder_fill(b, total.ref, 0);
    builder_return(b, loop);
    Ref before = total.ref, after = total.ref;
    before.slot = affine_loop(loop->loop.id, 1, 0);
    after.slot = affine_loop(loop->loop.id, 1, 1);
    builder_op(b, OP_ADD, "b,b->b", after, (Ref[]){before, measure.ref});
    total.ref.slot = affine_constant(layers);
    return total;
}

/* If no loss asks for them they are dropped again (builder_finish). */
static bool judge(const Experts *m, const Value *logits, const Value *probabilities, const Value *choice)
{
    Router router = {m->call->path, sum_layers(m, "balance.sum", measure_balance(m, probabilities, choice)),
                     sum_layers(m, "z.sum", measure_z(m, logits))};
    vec_push(m->model->ctx->arena, &m->model->routers, router);
    return router.balance.known && router.z.known;
}

static const Router *router_argument(Model *model, const Call *call)
{
    const AstNode *node = call->argument[0];
    const char *path = resolve_path(model->ctx, node);
    const char **names = arena_array(model->ctx->arena, const char *, model->routers.count + 1);
    for (int i = 0; i < model->routers.count; i++) {
        names[i] = model->routers.data[i].path;
        if (path != NULL && strcmp(names[i], path) == 0 && model->group < 0)
            return &model->routers.data[i];
    }
    if (model->group >= 0)
        diag_report(model->ctx->diag, P0206, call->node->span, "'%s' inside 'repeat'", call->function->name);
    else if (!model->failed) /* otherwise the failed statement may be what is missing */
        resolve_unknown(model->ctx, node->span, "layer of experts",
                        path != NULL ? path : resolve_text(model->ctx, node), names, model->routers.count);
    return NULL;
}

/* load_balance(PATH) */
Value emit_load_balance(Model *model, Call *call)
{
    const Router *router = router_argument(model, call);
    return router != NULL ? router->balance : model_unknown(model);
}

/* router_z(PATH) */
Value emit_router_z(Model *model, Call *call)
{
    const Router *router = router_argument(model, call);
    return router != NULL ? router->z : model_unknown(model);
}

/* ---- The layer ----------------------------------------------------------------------------------------------- */

/* The rows' answers: each row goes to the places it has, and gets what is answered there, weighted. */
static Value ask(const Experts *m, const Value *x, const Value *source, const Value *weights)
{
    Model *model = m->model;
    Builder *b = model->b;
    ValueDim dims[STEP_MAX_DIMS];
    int count = lead_dims(m, x, dims, 3, (ValueDim[]){m->experts, m->places, call_last_dim(x)});
    Value inputs = moe_value(m, "inputs", x->dtype, count, dims);
    Value y = model_value(model, m->groups > 1 ? call_name(model, m->call, "groups") : m->call->path, x->dtype,
                          x->dim_count, x->dims);
    if (!inputs.known || !y.known)
        return model_unknown(model);
    builder_op(b, OP_TAKE, moe_spec(m, "*ec,*th->*ech"), inputs.ref, (Ref[]){source->ref, x->ref});
    Value outputs = compute(m, &inputs);
    if (!outputs.known)
        return outputs;
    builder_op(b, OP_COMBINE, moe_spec(m, "*ec,*ech,*ec->*th"), y.ref, (Ref[]){source->ref, outputs.ref, weights->ref});
    return m->groups > 1 ? model_unite(model, m->call->path, &y, 1, m->x.dims[1]) : y;
}

static Value emit_layer(const Experts *m)
{
    Model *model = m->model;
    const Value *x = &m->x;
    Value logits, probabilities = route(m, (ValueDim[]){x->dims[0], x->dims[1], m->experts}, &logits);
    if (!probabilities.known)
        return probabilities;
    Value grouped = in_groups(m, "probabilities.groups", &probabilities), rows = in_groups(m, "rows", x);
    if (!grouped.known || !rows.known)
        return model_unknown(model);
    Value choice = choose(m, &grouped);
    if (!choice.known || !judge(m, &logits, &probabilities, &choice))
        return model_unknown(model);
    Value source = line_up(m, &choice);
    if (!source.known)
        return source;
    Value weights = weigh(m, &grouped, &choice, &source);
    return weights.known ? ask(m, &rows, &source, &weights) : weights;
}

/* A factor of an expert's equal share, as places; *given: there is such an argument. */
static bool read_places(Experts *m, const AstNode *argument, const char *name, bool *given)
{
    Model *model = m->model;
    static const Range range = {.low = 0, .low_open = true, .high = 1e6};
    double factor = 0, rows = (double)m->places.size;
    *given = argument != NULL;
    if (argument == NULL)
        return true;
    if (!resolve_real(model->ctx, &model->constants, argument,
                      arena_printf(model->ctx->arena, "argument '%s' of 'moe'", name), &range, &factor))
        return false;
    /* A product that should be an integer is not rounded up. */
    double places = ceil(factor * (double)m->top.size * rows / (double)m->experts.size - 1e-9);
    m->places.size = places < 1 ? 1 : places > rows ? (int64_t)rows : (int64_t)places;
    return true;
}

/* Places per expert (and group): `capacity` times an expert's equal share, after which rows are dropped, or `room`
 * times that, after which the step ends; without both enough for every row. */
static bool find_places(Experts *m, const AstNode *capacity, const AstNode *room)
{
    Model *model = m->model;
    m->groups = model_groups(model, CONTRACT_ROUTING, m->x.dims[1]);
    if (m->groups == 0)
        return false;
    m->lead = m->groups > 1 ? "bg" : "b";
    int64_t rows = m->x.dims[1].size / m->groups;
    m->places = (ValueDim){.name = "places", .size = rows};
    bool drops, has_room;
    if (!read_places(m, capacity, "capacity", &drops) || !read_places(m, room, "room", &has_room))
        return false;
    if (drops && has_room) {
        Diagnostic *d = diag_report(model->ctx->diag, P0206, room->span, "'moe' has both 'capacity' and 'room'");
        diag_why(d, "With 'capacity' rows that find no place are dropped; with 'room' none is, and the step ends.");
        diag_help(d, "Leave one out.");
        return false;
    }
    m->drops = drops || m->places.size == rows;
    return true;
}

/* Tokens are added one at a time: which rows an expert takes must not depend on the others. */
static bool check_served(const Experts *m, const AstNode *limit)
{
    if (m->model->serving == SERVING_NOT || limit == NULL)
        return true;
    Diagnostic *d = resolve_unsupported(m->model->ctx, limit->span, "serving a model whose experts are limited is");
    diag_why(d, "Whether a row finds a place depends on how many rows there are; without 'capacity' and 'room' every "
                "row does.");
    return false;
}

/* moe(x, experts, top, width, activation, capacity, room) */
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
    if (m.top.size > m.experts.size) {
        Diagnostic *d = diag_report(model->ctx->diag, P0207, call->argument[2]->span, "argument 'top' of 'moe' is %lld",
                                    (long long)m.top.size);
        diag_why(d, "It must be at most %lld, the number of experts.", (long long)m.experts.size);
        return model_unknown(model);
    }
    for (int limit = 5; limit <= 6; limit++)
        if (!check_served(&m, call->argument[limit]))
            return model_unknown(model);
    return find_places(&m, call->argument[5], call->argument[6]) ? emit_layer(&m) : model_unknown(model);
}

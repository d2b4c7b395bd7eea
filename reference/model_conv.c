/* model_conv.c - convolutional networks: convolutions, pooling, reshapes, batch normalisation.
 *
 * Images are [batch, channels, rows, columns]. In index letters n is the batch, c and o are the input and output
 * channels, g their groups, k the channels of one group, h w the input rows and columns, p q the output rows and
 * columns, i j those of the window.
 */
#include "base/change.h"
#include "reference/model_call.h"

#include <math.h>
#include <string.h>

/* The positions of windows: every `stride` rows and columns of an image with `pad` empty ones around it. */
typedef struct Windows {
    int64_t window, stride, pad;
} Windows;

static ValueDim dim_of(Model *model, int64_t size)
{
    return (ValueDim){.name = arena_printf(model->ctx->arena, "%lld", (long long)size), .size = size};
}

/* An optional whole number. */
static bool number_argument(Model *model, const Call *call, int i, int64_t least, int64_t otherwise, int64_t *number)
{
    *number = otherwise;
    if (call->argument[i] == NULL)
        return true;
    const char *what = arena_printf(model->ctx->arena, "argument '%s' of '%s'", call->function->arguments[i].name,
                                    call->function->name);
    bool good = resolve_integer(model->ctx, &model->constants, call->argument[i], what, least, INT32_MAX, number);
    model->failed |= !good;
    return good;
}

Value call_image(Model *model, const Call *call)
{
    Value x = call_tensor(model, call, 0, false, 1);
    bool good = x.known && x.dim_count == 4;
    for (int i = 1; good && i < 4; i++)
        good = !model_is_batch(&x.dims[i]);
    if (!x.known || good)
        return x;
    diag_report(model->ctx->diag, P0203, call->argument[0]->span,
                "'%s' is over [batch, channels, rows, columns], this is %s", call->function->name,
                model_shape(model, &x));
    return model_unknown(model);
}

/* The dims of the output; false, with a report, if no window fits. */
static bool place_windows(Model *model, const Call *call, const Value *x, Windows w, ValueDim channels,
                          ValueDim dims[4])
{
    dims[0] = x->dims[0];
    dims[1] = channels;
    for (int i = 2; i < 4; i++) {
        int64_t places = window_places(x->dims[i].size, w.window, w.stride, w.pad);
        if (places == 0) {
            Diagnostic *d = diag_report(model->ctx->diag, P0207, call->argument[0]->span,
                                        "no window of %lld fits into %s", (long long)w.window, model_shape(model, x));
            if (w.pad > 0)
                diag_why(d, "The image has %lld empty rows and columns on each side.", (long long)w.pad);
            return false;
        }
        dims[i] = dim_of(model, places);
    }
    return true;
}

static void emit_conv(Model *model, const char *spec, Ref out, Ref x, Ref weight, Windows w)
{
    builder_op_with(model->b, OP_CONV, spec, out, (Ref[]){x, weight}, (double[]){(double)w.stride, (double)w.pad});
}

/* Channels as [groups, channels of one], convolved group by group, and back. */
static Value grouped(Model *model, const Call *call, const char *name, const Value *x, Ref weight, Windows w,
                     int64_t groups, const ValueDim dims[4])
{
    ValueDim split = dim_of(model, groups);
    ValueDim in[] = {x->dims[0], split, dim_of(model, x->dims[1].size / groups), x->dims[2], x->dims[3]};
    ValueDim out[] = {dims[0], split, dim_of(model, dims[1].size / groups), dims[2], dims[3]};
    Value apart = model_value(model, call_name(model, call, "groups"), x->dtype, 5, in);
    Value product = model_value(model, call_name(model, call, "grouped"), x->dtype, 5, out);
    Value y = model_value(model, name, x->dtype, 4, dims);
    if (!apart.known || !product.known || !y.known)
        return model_unknown(model);
    builder_op(model->b, OP_VIEW, "nchw->ngkhw", apart.ref, &x->ref);
    emit_conv(model, "ngkhw,gokij->ngopq", product.ref, apart.ref, weight, w);
    builder_op(model->b, OP_VIEW, "ngopq->ncpq", y.ref, &product.ref);
    return y;
}

static Value convolve(Model *model, const Call *call, const char *name, const Value *x, Windows w, int64_t groups,
                      const ValueDim dims[4])
{
    ValueDim window = dim_of(model, w.window), in = dim_of(model, x->dims[1].size / groups);
    Start start = {INIT_NORMAL, sqrt(2 / (double)(in.size * w.window * w.window))};
    bool depthwise = groups == x->dims[1].size && groups == dims[1].size;
    Value y;
    if (groups > 1 && !depthwise) {
        ValueDim weight_dims[] = {dim_of(model, groups), dim_of(model, dims[1].size / groups), in, window, window};
        return grouped(model, call, name, x, call_parameter(model, call, "weight", start, 5, weight_dims), w, groups,
                       dims);
    }
    y = model_value(model, name, x->dtype, 4, dims);
    if (!y.known)
        return y;
    if (depthwise)
        emit_conv(model, "nchw,cij->ncpq", y.ref, x->ref,
                  call_parameter(model, call, "weight", start, 3, (ValueDim[]){dims[1], window, window}), w);
    else
        emit_conv(model, "nchw,ocij->nopq", y.ref, x->ref,
                  call_parameter(model, call, "weight", start, 4, (ValueDim[]){dims[1], in, window, window}), w);
    return y;
}

static bool check_groups(Model *model, const Call *call, int i, int64_t groups, ValueDim in, ValueDim out)
{
    if (in.size % groups == 0 && out.size % groups == 0)
        return true;
    diag_report(model->ctx->diag, P0205, call->argument[i]->span,
                "%lld channels in and %lld out do not divide into %lld groups", (long long)in.size, (long long)out.size,
                (long long)groups);
    return false;
}

/* convolution(x, out, window, stride = 1, pad = 0, groups = 1, bias = none) */
Value emit_convolution(Model *model, Call *call)
{
    Value x = call_image(model, call);
    ValueDim out, window, dims[4];
    Windows w;
    int64_t groups;
    bool no_bias;
    if (!call_size(model, call, 1, &out) || !call_size(model, call, 2, &window) ||
        !number_argument(model, call, 3, 1, 1, &w.stride) || !number_argument(model, call, 4, 0, 0, &w.pad) ||
        !number_argument(model, call, 5, 1, 1, &groups) || !call_word(model, call, 6, "none", &no_bias) || !x.known)
        return model_unknown(model);
    w.window = window.size;
    if (!check_groups(model, call, 5, groups, x.dims[1], out) || !place_windows(model, call, &x, w, out, dims))
        return model_unknown(model);
    Value product =
        convolve(model, call, no_bias ? call->path : call_name(model, call, "product"), &x, w, groups, dims);
    if (no_bias || !product.known)
        return product;
    Ref bias = call_parameter(model, call, "bias", START_ZEROS, 1, &out);
    Value y = model_value(model, call->path, x.dtype, 4, dims);
    if (y.known)
        builder_op(model->b, OP_ADD, "nopq,o->nopq", y.ref, (Ref[]){product.ref, bias});
    return y;
}

/* max_pool(x, window, stride = window, pad = 0); mean_pool takes the same arguments */
static Value emit_pool(Model *model, Call *call, OpKind kind)
{
    Value x = call_image(model, call);
    ValueDim window, dims[4];
    Windows w;
    if (!call_size(model, call, 1, &window) || !number_argument(model, call, 2, 1, window.size, &w.stride) ||
        !number_argument(model, call, 3, 0, 0, &w.pad) || !x.known)
        return model_unknown(model);
    w.window = window.size;
    if (2 * w.pad > w.window) {
        Diagnostic *d = diag_report(model->ctx->diag, P0207, call->argument[3]->span, "argument 'pad' of '%s' is %lld",
                                    call->function->name, (long long)w.pad);
        diag_why(d, "It must be at most %lld, half of the window: no window may be outside the image.",
                 (long long)(w.window / 2));
        return model_unknown(model);
    }
    if (!place_windows(model, call, &x, w, x.dims[1], dims))
        return model_unknown(model);
    Value y = model_value(model, call->path, x.dtype, 4, dims);
    if (y.known)
        builder_op_with(model->b, kind, "nchw->ncpq", y.ref, &x.ref,
                        (double[]){(double)w.window, (double)w.stride, (double)w.pad});
    return y;
}

Value emit_max_pool(Model *model, Call *call)
{
    return emit_pool(model, call, OP_MAX_POOL);
}

Value emit_mean_pool(Model *model, Call *call)
{
    return emit_pool(model, call, OP_MEAN_POOL);
}

/* Of what a mean over all places takes: [batch, channels, rows, columns], or [batch, rows, features]. */
static Value places_argument(Model *model, const Call *call)
{
    Value x = call_tensor(model, call, 0, false, 1);
    bool good = x.known && (x.dim_count == 3 || x.dim_count == 4);
    for (int i = 1; good && i < x.dim_count; i++)
        good = !model_is_batch(&x.dims[i]);
    if (!x.known || good)
        return x;
    diag_report(model->ctx->diag, P0203, call->argument[0]->span,
                "'global_mean' is over [batch, channels, rows, columns] or [batch, rows, features], this is %s",
                model_shape(model, &x));
    return model_unknown(model);
}

/* global_mean(x): for every channel, over all rows and columns; for every feature, over all rows */
Value emit_global_mean(Model *model, Call *call)
{
    Value x = places_argument(model, call);
    if (!x.known)
        return x;
    bool image = x.dim_count == 4;
    ValueDim dims[2] = {x.dims[0], x.dims[image ? 1 : 2]};
    Value sum = model_value(model, call_name(model, call, "sum"), x.dtype, 2, dims);
    Value y = model_value(model, call->path, x.dtype, 2, dims);
    if (!sum.known || !y.known)
        return model_unknown(model);
    builder_op(model->b, OP_REDUCE, image ? "nchw->nc" : "bth->bh", sum.ref, &x.ref);
    builder_op(model->b, OP_SCALE, image ? "nc->nc" : "bh->bh", y.ref, &sum.ref)->scale.denominator =
        image ? x.dims[2].size * x.dims[3].size : x.dims[1].size;
    return y;
}

/* flatten(x): merges all dims except the batch */
Value emit_flatten(Model *model, Call *call)
{
    static const char letters[] = "nchw";
    Value x = call_tensor(model, call, 0, false, 2);
    if (!x.known)
        return x;
    int64_t elements = 1;
    for (int i = 1; i < x.dim_count; i++) {
        if (model_is_batch(&x.dims[i])) {
            diag_report(model->ctx->diag, P0203, call->argument[0]->span, "'flatten' leaves the first dim, this is %s",
                        model_shape(model, &x));
            return model_unknown(model);
        }
        elements *= x.dims[i].size;
    }
    Value y = model_value(model, call->path, x.dtype, 2, (ValueDim[]){x.dims[0], dim_of(model, elements)});
    if (y.known)
        builder_op(model->b, OP_VIEW, arena_printf(model->ctx->arena, "%.*s->nk", x.dim_count, letters), y.ref, &x.ref);
    return y;
}

/* ---- Batch normalisation -------------------------------------------------------------------------------------- */

/* What is normalised: each channel, over the batch and all rows and columns if it has them. With several microbatches a
 * contract gives each its own statistics, and the batch is split: [microbatches, examples of one, channels, ...]. A
 * contract may split what is left of the batch again, into groups: [microbatches, groups, examples of one, channels,
 * ...]. */
typedef struct Normalised {
    Model *model;
    const Call *call;
    Value x;
    const char *letters; /* "nchw", "nc"; "mnchw", "mnc", "gnc", "mgnc", ... */
    const char *channel; /* "c"; "mc", "gc", "mgc" */
    int64_t groups;      /* in each microbatch */
    DType statistics;
    int64_t count; /* how many elements a channel's mean is taken over */
} Normalised;

static bool is_parted(const Normalised *n)
{
    return n->channel[0] == 'm';
}

/* The number of dims before that of the examples. */
static int lead_of(const Normalised *n)
{
    return (int)strlen(n->channel) - 1;
}

static ValueDim channels_of(const Normalised *n)
{
    return n->x.dims[lead_of(n) + 1];
}

/* A number per channel, for each microbatch and group. */
static Value channel_value(const Normalised *n, const char *role)
{
    ValueDim dims[STEP_MAX_DIMS];
    int lead = lead_of(n);
    memcpy(dims, n->x.dims, sizeof *dims * (size_t)lead);
    dims[lead] = channels_of(n);
    return model_value(n->model, call_name(n->model, n->call, role), n->statistics, lead + 1, dims);
}

static Value whole_value(const Normalised *n, const char *name)
{
    return model_value(n->model, name, n->x.dtype, n->x.dim_count, n->x.dims);
}

/* "nchw,c->nchw", if `channel` is "c". */
static const char *spread_spec(const Normalised *n, const char *channel)
{
    return arena_printf(n->model->ctx->arena, "%s,%s->%s", n->letters, channel, n->letters);
}

/* "c->c" */
static const char *channel_map(const Normalised *n)
{
    return arena_printf(n->model->ctx->arena, "%s->%s", n->channel, n->channel);
}

/* "nchw->c" */
static const char *gather_spec(const Normalised *n)
{
    return arena_printf(n->model->ctx->arena, "%s->%s", n->letters, n->channel);
}

/* A running statistic of the call, declared by the first walk. */
static Ref running(const Normalised *n, const char *role, InitKind init)
{
    const char *name = call_name(n->model, n->call, role);
    Tensor tensor = {.name = name,
                     .kind = TENSOR_STATISTIC,
                     .dtype = n->statistics,
                     .group = n->model->group,
                     .dim_count = 1,
                     .dims = {channels_of(n).size},
                     .batch_dim = -1,
                     .init = init,
                     .span = n->call->node->span};
    return builder_statistic(n->model->b, "statistics", &tensor, model_find_tensor(n->model->b, name));
}

/* The weight of a microbatch's statistics after those that follow: 0.9 to the power of the number of these. */
static Value running_weights(const Normalised *n, double kept)
{
    Model *model = n->model;
    double last = (double)(n->x.dims[0].size - 1);
    Node *loop = builder_leave_loop(model->b);
    Value number = model_value(model, call_name(model, n->call, "microbatch"), DTYPE_I32, 1, n->x.dims);
    Value weights = model_value(model, call_name(model, n->call, "weights"), n->statistics, 1, n->x.dims);
    if (number.known && weights.known) {
        builder_op(model->b, OP_IOTA, "m", number.ref, NULL);
        builder_op_with(model->b, OP_FALLING_POWER, "m->m", weights.ref, &number.ref, (double[]){kept, last});
    }
    builder_return(model->b, loop);
    return number.known ? weights : number;
}

/* The mean over groups of a statistic, and the weighted sum over microbatches. */
static Value latest_of(const Normalised *n, const char *role, Value latest, const Value *weights)
{
    Model *model = n->model;
    ValueDim channels = channels_of(n);
    if (lead_of(n) == 0)
        return latest;
    const char *name = call_name(model, n->call, arena_printf(model->ctx->arena, "%s.latest", role));
    Value sum = model_value(model, name, n->statistics, 1, &channels);
    if (!sum.known)
        return sum;
    if (is_parted(n))
        builder_op(model->b, OP_EINSUM, arena_printf(model->ctx->arena, "%s,m->c", n->channel), sum.ref,
                   (Ref[]){latest.ref, weights->ref});
    else
        builder_op(model->b, OP_REDUCE, "gc->c", sum.ref, &latest.ref);
    if (n->groups == 1)
        return sum;
    Value mean = model_value(model, arena_printf(model->ctx->arena, "%s.mean", name), n->statistics, 1, &channels);
    if (mean.known)
        builder_op(model->b, OP_SCALE, "c->c", mean.ref, &sum.ref)->scale.denominator = n->groups;
    return mean;
}

/* running = 0.9 running + 0.1 new, for one microbatch after another; evaluation and prediction read it. */
static bool keep_running(const Normalised *n, Ref statistic, const char *role, Value numbers, const Value *weights)
{
    static const double part = 0.1;
    Value latest = latest_of(n, role, numbers, weights);
    if (!latest.known)
        return false;
    if (!is_parted(n))
        builder_op_with(n->model->b, OP_BLEND, "c,c->c", statistic, (Ref[]){statistic, latest.ref}, &part);
    else
        builder_op_with(n->model->b, OP_MIX, "c,c->c", statistic, (Ref[]){statistic, latest.ref},
                        (double[]){pow(1 - part, (double)n->x.dims[0].size), part});
    return true;
}

/* x minus the running mean, and mean and variance of that: of this batch in the step, 0 (not known) and the running one
 * elsewhere. The variance is the mean of the squares minus the square of the mean, so that both sums can be taken at
 * once; since the running mean has been subtracted, little is lost in the difference. By rounding it could be below
 * zero. */
static bool find_statistics(const Normalised *n, const Value *relative, Value *mean, Value *variance)
{
    Model *model = n->model;
    Builder *b = model->b;
    Ref running_mean = running(n, "running_mean", INIT_ZEROS),
        running_variance = running(n, "running_variance", INIT_ONES);
    builder_op(b, OP_SUB, spread_spec(n, "c"), relative->ref, (Ref[]){n->x.ref, running_mean});
    if (!model->trains) {
        *variance = (Value){.known = true, .ref = running_variance};
        return true;
    }
    static const char *const roles[] = {"mean.sum",   "variance.sum", "relative.mean", "square.mean", "mean.square",
                                        "difference", "variance",     "mean",          "unbiased"};
    enum { SUM, SQUARES, MEAN, SQUARE, OF_MEAN, DIFFERENCE, VARIANCE, WHOLE, UNBIASED, VALUES };
    Ref value[VALUES];
    Value made[VALUES];
    for (int i = 0; i < VALUES; i++) {
        made[i] = channel_value(n, roles[i]);
        if (!made[i].known)
            return false;
        value[i] = made[i].ref;
    }
    const char *each = channel_map(n), *pairs = arena_printf(model->ctx->arena, "%s,%s", n->channel, each);
    builder_op(b, OP_REDUCE, gather_spec(n), value[SUM], &relative->ref);
    builder_op(b, OP_SUM_SQUARES, gather_spec(n), value[SQUARES], &relative->ref);
    builder_op(b, OP_SCALE, each, value[MEAN], &value[SUM])->scale.denominator = n->count;
    builder_op(b, OP_SCALE, each, value[SQUARE], &value[SQUARES])->scale.denominator = n->count;
    builder_op(b, OP_MUL, pairs, value[OF_MEAN], (Ref[]){value[MEAN], value[MEAN]});
    builder_op(b, OP_SUB, pairs, value[DIFFERENCE], (Ref[]){value[SQUARE], value[OF_MEAN]});
    builder_op(b, OP_RELU, each, value[VARIANCE], &value[DIFFERENCE]);
    builder_op(b, OP_ADD, arena_printf(model->ctx->arena, "%s,c->%s", n->channel, n->channel), value[WHOLE],
               (Ref[]){value[MEAN], running_mean});
    Op *scale = builder_op(b, OP_SCALE, each, value[UNBIASED], &value[VARIANCE]);
    scale->scale.numerator = n->count;
    scale->scale.denominator = n->count - 1;
    *mean = made[MEAN];
    *variance = made[VARIANCE];
    Value weights = is_parted(n) ? running_weights(n, 0.9) : (Value){.known = true};
    return weights.known && keep_running(n, running_mean, "mean", made[WHOLE], &weights) &&
           keep_running(n, running_variance, "variance", made[UNBIASED], &weights);
}

static bool check_normalised(const Normalised *n)
{
    Model *model = n->model;
    const Value *x = &n->x;
    bool shape = (x->dim_count == 2 || x->dim_count == 4) && model_is_batch(&x->dims[0]);
    for (int i = 1; shape && i < x->dim_count; i++)
        shape = !model_is_batch(&x->dims[i]);
    if (!shape) {
        diag_report(model->ctx->diag, P0203, n->call->argument[0]->span,
                    "'batchnorm' is over [batch, channels] or [batch, channels, rows, columns], this is %s",
                    model_shape(model, x));
        return false;
    }
    return true;
}

/* The number of elements of each mean; false, with a report, if that is one. */
static bool find_count(Normalised *n, const Value *whole)
{
    Model *model = n->model;
    int64_t micro = model->b->decls->micro;
    n->count = 1;
    for (int i = lead_of(n); i < n->x.dim_count; i++)
        n->count *= i == lead_of(n) + 1 ? 1 : n->x.dims[i].size;
    if (!model->trains || n->count > 1)
        return true;
    diag_report(model->ctx->diag, P0207, n->call->argument[0]->span,
                "'batchnorm' of a single value for each channel%s%s: %s", n->groups > 1 ? " of a group" : "",
                micro > 1 ? " of a microbatch" : "", model_shape(model, whole));
    return false;
}

/* What one device computes from the whole batch, no microbatch can compute by itself. */
static bool check_contract(const Normalised *n)
{
    Model *model = n->model;
    const Contract *contract = contract_find(model->contracts, CONTRACT_STATISTICS, "batch");
    if (contract != NULL && n->x.dims[0].size % model->b->decls->micro == 0)
        return true;
    if (contract != NULL) {
        Diagnostic *report = diag_report(model->ctx->diag, P0205, contract->span,
                                         "%lld of 'batch' do not divide into %lld microbatches of equal length",
                                         (long long)n->x.dims[0].size, (long long)model->b->decls->micro);
        diag_label(report, n->call->node->span, "takes the statistics of each");
        diag_why(report, "What one device does under a contract is defined for groups of equal length.");
        return false;
    }
    Diagnostic *d = resolve_unsupported(model->ctx, n->call->node->span, "'batchnorm' over several microbatches is");
    diag_why(d, "Its mean and variance are those of the whole batch, which no microbatch has.");
    diag_repair(d, (Repair){.kind = REPAIR_MICROBATCHES, .numerator = 1});
    diag_repair(d, (Repair){.kind = REPAIR_ADD_LINE, .target = "contract statistics per microbatch"});
    return false;
}

/* x with the batch split into microbatches. */
static bool part_batch(Normalised *n)
{
    Model *model = n->model;
    int64_t micro = model->b->decls->micro;
    n->channel = "c";
    n->letters = n->x.dim_count == 2 ? "nc" : "nchw";
    if (!model->trains || micro == 1)
        return true;
    if (!check_contract(n))
        return false;
    n->x = model_part(model, call_name(model, n->call, "microbatches"), &n->x, 0, micro);
    n->x.dims[1].name = n->x.dims[0].name; /* what is left of the batch */
    n->channel = "mc";
    n->letters = n->x.dim_count == 3 ? "mnc" : "mnchw";
    return n->x.known;
}

/* x with what is left of the batch split into groups. */
static bool part_groups(Normalised *n)
{
    Model *model = n->model;
    int lead = lead_of(n);
    n->groups = model->trains ? model_groups(model, CONTRACT_STATISTICS, n->x.dims[lead]) : 1;
    if (n->groups <= 1)
        return n->groups == 1;
    n->x = model_part(model, call_name(model, n->call, "groups"), &n->x, lead, n->groups);
    n->channel = lead > 0 ? "mgc" : "gc";
    n->letters = arena_printf(model->ctx->arena, "%sg%s", lead > 0 ? "m" : "", n->letters + lead);
    return n->x.known;
}

/* Back to the dims that it had before. */
static Value join(const Normalised *n, Value y, const Value *whole)
{
    Model *model = n->model;
    const char *path = n->call->path;
    ValueDim examples = whole->dims[0];
    examples.size /= is_parted(n) ? n->x.dims[0].size : 1;
    if (n->groups > 1)
        y = model_unite(model, is_parted(n) ? call_name(model, n->call, "shifted") : path, &y, lead_of(n) - 1,
                        examples);
    return y.known && is_parted(n) ? model_unite(model, path, &y, 0, whole->dims[0]) : y;
}

static const char *result_name(const Normalised *n)
{
    if (n->groups > 1)
        return call_name(n->model, n->call, "shifted.groups");
    return is_parted(n) ? call_name(n->model, n->call, "shifted") : n->call->path;
}

/* bias - mean * scale; bias where the mean is 0. */
static Value offset_of(const Normalised *n, Ref bias, const Value *mean, const Value *scale)
{
    Arena *arena = n->model->ctx->arena;
    const char *channel = n->channel;
    if (!mean->known)
        return (Value){.known = true, .ref = bias};
    Value shift = channel_value(n, "shift"), offset = channel_value(n, "offset");
    if (!shift.known || !offset.known)
        return model_unknown(n->model);
    builder_op(n->model->b, OP_MUL, arena_printf(arena, "%s,%s->%s", channel, channel, channel), shift.ref,
               (Ref[]){mean->ref, scale->ref});
    builder_op(n->model->b, OP_SUB, arena_printf(arena, "c,%s->%s", channel, channel), offset.ref,
               (Ref[]){bias, shift.ref});
    return offset;
}

/* batchnorm(x), the variance that of the batch, divided by its count; gain and bias per channel: x times gain /
 * deviation, plus bias minus the same of the mean. */
Value emit_batchnorm(Model *model, Call *call)
{
    static const double epsilon = 1e-5;
    Normalised n = {.model = model, .call = call, .x = call_tensor(model, call, 0, false, 2)};
    if (!n.x.known)
        return n.x;
    Value whole = n.x;
    if (!check_normalised(&n) || !part_batch(&n) || !part_groups(&n) || !find_count(&n, &whole))
        return model_unknown(model);
    n.statistics = builder_statistics_dtype(model->b->decls);
    Ref gain = call_parameter(model, call, "gain", START_ONES, 1, &whole.dims[1]);
    Ref bias = call_parameter(model, call, "bias", START_ZEROS, 1, &whole.dims[1]);
    Value relative = whole_value(&n, call_name(model, call, "relative")), mean = {0}, variance;
    if (!relative.known || !find_statistics(&n, &relative, &mean, &variance))
        return model_unknown(model);
    Value deviation = channel_value(&n, "rstd"), scale = channel_value(&n, "scale");
    Value scaled = whole_value(&n, call_name(model, call, "scaled")), y = whole_value(&n, result_name(&n));
    if (!deviation.known || !scale.known || !scaled.known || !y.known)
        return model_unknown(model);
    builder_op_with(model->b, OP_RSQRT, channel_map(&n), deviation.ref, &variance.ref, &epsilon);
    builder_op(model->b, OP_MUL, arena_printf(model->ctx->arena, "%s,c->%s", n.channel, n.channel), scale.ref,
               (Ref[]){deviation.ref, gain});
    Value offset = offset_of(&n, bias, &mean, &scale);
    if (!offset.known)
        return offset;
    builder_op(model->b, OP_MUL, spread_spec(&n, n.channel), scaled.ref, (Ref[]){relative.ref, scale.ref});
    builder_op(model->b, OP_ADD, spread_spec(&n, n.channel), y.ref, (Ref[]){scaled.ref, offset.ref});
    return join(&n, y, &whole);
}

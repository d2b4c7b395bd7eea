/* contract_local.c - copies of the one device along axes of the mesh, joined every N steps: what each copy trained by
 * itself is replaced by the mean over all, or by an outer optimizer's step towards it. */
#include "reference/contract.h"

#include "parser/resolve.h"
#include "reference/train.h"
#include <string.h>

enum { MOST_AXES = 3 };

/* A single copy that is joined with itself by the mean is not a contract. */
static const Contract *find_local(const Contracts *contracts)
{
    const Contract *local = contract_find(contracts, CONTRACT_LOCAL, NULL);
    return local != NULL && (local->ranks > 1 || local->outer) ? local : NULL;
}

/* Other contracts apply within a copy, so none may name an axis of copies. */
static bool check_others(Ctx *ctx, const Train *train, const Contract *local)
{
    bool good = true;
    for (int i = 0; i < train->contracts.count; i++) {
        const Contract *other = &train->contracts.data[i];
        for (int a = 0; other != local && a < other->axes.count; a++) {
            if (!axes_contain(local->axes, other->axes.axis[a]))
                continue;
            Diagnostic *d = diag_report(ctx->diag, P0209, other->span, "the contract '%s' parts copies", other->text);
            diag_label(d, local->span, "ranks along '%s' are copies, each with a batch of its own",
                       train->decls.axes.data[other->axes.axis[a]].name);
            diag_help(d, "Leave out the axis: it already holds for each copy by itself.");
            good = false;
            break;
        }
    }
    return good;
}

bool contract_take_copies(Ctx *ctx, Train *train)
{
    const Contract *local = find_local(&train->contracts);
    if (local == NULL)
        return true;
    if (local->axes.count > MOST_AXES) {
        resolve_unsupported(ctx, local->span, "copies along more than %d axes are", MOST_AXES);
        return false;
    }
    for (int i = 0; i < local->axes.count; i++)
        train->decls.axes.data[local->axes.axis[i]].copies = true;
    int64_t whole = train->batch;
    train->batch /= local->ranks;
    if (whole > 0 && (whole % local->ranks != 0 || train->batch % train->decls.micro != 0)) {
        Diagnostic *d = diag_report(ctx->diag, P0205, train->batch_span,
                                    "a batch of %lld does not divide into %lld copies of %lld microbatches",
                                    (long long)whole, (long long)local->ranks, (long long)train->decls.micro);
        diag_label(d, local->span, "%lld copies", (long long)local->ranks);
        diag_why(d, "What one copy does is defined for batches of equal length.");
        return false;
    }
    return check_others(ctx, train, local);
}

AxisSet contract_copies(const Decls *decls)
{
    AxisSet copies = {0};
    for (int a = 0; a < decls->axes.count; a++)
        if (decls->axes.data[a].copies)
            copies.axis[copies.count++] = (int8_t)a;
    return copies;
}

void contract_set_over(Op *op, AxisSet axes)
{
    op->axes = axes;
}

/* ---- What the outer optimizer keeps ------------------------------------------------------------------------- */

static const char anchor_name[] = "outer_start", velocity_name[] = "outer_momentum";

void contract_declare_local(Builder *b, Contracts *contracts)
{
    const Contract *local = find_local(contracts);
    if (local == NULL)
        return;
    contracts->data[local - contracts->data].changes = true;
    if (!local->outer)
        return;
    State state = {.kind = STATE_OPTIMIZER,
                   .per_parameter = true,
                   .dtype = builder_statistics_dtype(b->decls),
                   .name = anchor_name,
                   .from_parameters = true,
                   .span = local->span};
    builder_add_state(b, &state, -1);
    state.name = velocity_name;
    state.from_parameters = false;
    builder_add_state(b, &state, -1);
}

/* ---- The join ----------------------------------------------------------------------------------------------- */

typedef struct Join {
    const Contract *local;
    AxisSet axes;
    int updated, anchor, velocity; /* states */
    Ref rate;
} Join;

static void emit(Builder *b, OpKind kind, Ref out, unsigned scalars, const Ref *operands, const double *immediates,
                 int tensor)
{
    const char *spec = builder_elementwise_spec(b, out, op_info[kind].operands, scalars);
    builder_op_with(b, kind, spec, out, operands, immediates)->tensor = tensor;
}

/* Nesterov's step from where the copies were last joined, by the distance that their mean has moved since. */
static void append_outer(Builder *b, const Join *join, Ref weight, int tensor)
{
    Ref anchor = builder_state_ref(b, join->anchor, tensor), velocity = builder_state_ref(b, join->velocity, tensor);
    Ref way = builder_like(b, "outer_way", weight), direction = builder_like(b, "outer_direction", weight);
    double momentum = join->local->momentum;
    emit(b, OP_SUB, way, 0, (Ref[]){anchor, weight}, NULL, tensor);
    emit(b, OP_MOMENTUM, velocity, 0, (Ref[]){velocity, way}, &momentum, tensor);
    emit(b, OP_MIX, direction, 0, (Ref[]){way, velocity}, (double[]){1, momentum}, tensor);
    emit(b, OP_SGD, weight, 1 << 2, (Ref[]){anchor, direction, join->rate}, NULL, tensor);
    emit(b, OP_COPY, anchor, 0, &weight, NULL, tensor);
}

static void join_parameter(Builder *b, int tensor, void *data)
{
    const Join *join = data;
    Ref weight = builder_state_ref(b, join->updated, tensor),
        used = builder_state_ref(b, BUILDER_STATE_PARAMETERS, tensor);
    contract_set_over(builder_op(b, OP_ALL_REDUCE, "", weight, &weight), join->axes);
    Op *mean = builder_op(b, OP_SCALE, builder_elementwise_spec(b, weight, 1, 0), weight, &weight);
    mean->scale = (Scale){1, join->local->ranks, ""};
    mean->tensor = tensor;
    if (join->local->outer)
        append_outer(b, join, weight, tensor);
    if (join->updated != BUILDER_STATE_PARAMETERS)
        emit(b, OP_CAST, used, 0, &weight, NULL, tensor);
}

void contract_append_join(Builder *b, const Contracts *contracts)
{
    Join join = {.local = find_local(contracts), .axes = contract_copies(b->decls)};
    if (join.local == NULL)
        return;
    Category category = b->category;
    b->category = CATEGORY_BUFFERS;
    b->span = join.local->span;
    builder_routine(b, ROUTINE_JOIN);
    b->program->routines.data[b->routine].every = join.local->steps;
    b->program->routines.data[b->routine].span = join.local->span;
    int master = builder_find_state(b, "master");
    join.updated = master >= 0 ? master : BUILDER_STATE_PARAMETERS;
    if (join.local->outer) {
        join.anchor = builder_known_state(b, anchor_name);
        join.velocity = builder_known_state(b, velocity_name);
        join.rate = builder_temporary(b, "outer_rate", builder_statistics_dtype(b->decls), 0, NULL);
        builder_fill(b, join.rate, join.local->rate);
    }
    builder_each_parameter(b, join_parameter, &join);
    b->category = category;
}

/* optimizer.c - the table of optimizers, and the operators of their updates. */
#include "sema/optimizer.h"

#include <float.h>
#include <string.h>

const OptimizerArgumentInfo optimizer_argument_info[OPTIMIZER_ARGUMENT_COUNT] = {
    [ARGUMENT_RATE] = {"rate", 0, {.low = 0, .high = DBL_MAX}},
    [ARGUMENT_MOMENTUM] = {"momentum", 0.9, {.low = 0, .high = 1, .high_open = true}},
    [ARGUMENT_BETA1] = {"beta1", 0.9, {.low = 0, .high = 1, .high_open = true}},
    [ARGUMENT_BETA2] = {"beta2", 0.999, {.low = 0, .high = 1, .high_open = true}},
    [ARGUMENT_EPSILON] = {"epsilon", 1e-8, {.low = 0, .high = DBL_MAX, .low_open = true}},
    [ARGUMENT_DECAY] = {"decay", 0, {.low = 0, .high = DBL_MAX}},
    [ARGUMENT_WARMUP] = {"warmup", 0, {.low = 0, .high = 1e15}},
    [ARGUMENT_TOTAL] = {"total", 0, {.low = 0, .high = 1e15}},
    [ARGUMENT_LAST] = {"last", 0.1, {.low = 0, .high = 1}},
};

enum { MAX_STATES = 2 };

/* What the update of one parameter works on. */
typedef struct Update {
    const Optimizer *optimizer;
    int first_state;   /* index of the rule's first per-parameter state */
    int updated_state; /* what is updated: the parameters or their master copy */
    Ref rate, correction1, correction2;
} Update;

struct OptimizerRule {
    const char *name;
    int argument_count;
    OptimizerArgument arguments[OPTIMIZER_ARGUMENT_COUNT];
    int state_count;
    const char *states[MAX_STATES];
    bool corrected; /* needs the bias corrections of its means */
    void (*update)(Builder *b, const Update *update, int tensor);
};

/* ---- Rules -------------------------------------------------------------------------------------------------- */

static Ref state_of(const Builder *b, const Update *update, int which, int tensor)
{
    return build_state_ref(b, update->first_state + which, tensor);
}

static void emit_update(Builder *b, OpKind kind, Ref out, unsigned scalars, const Ref *operands,
                        const double *immediates, int tensor)
{
    const char *spec = build_elementwise_spec(b, out, op_info[kind].operands, scalars);
    build_op_with(b, kind, spec, out, operands, immediates)->tensor = tensor;
}

static void update_sgd(Builder *b, const Update *update, int tensor)
{
    Ref weight = build_state_ref(b, update->updated_state, tensor);
    Ref gradient = build_state_ref(b, BUILD_STATE_GRADIENTS, tensor);
    emit_update(b, OP_SGD, weight, 1 << 2, (Ref[]){weight, gradient, update->rate}, NULL, tensor);
}

static void update_momentum(Builder *b, const Update *update, int tensor)
{
    Ref weight = build_state_ref(b, update->updated_state, tensor);
    Ref gradient = build_state_ref(b, BUILD_STATE_GRADIENTS, tensor);
    Ref velocity = state_of(b, update, 0, tensor);
    emit_update(b, OP_MOMENTUM, velocity, 0, (Ref[]){velocity, gradient},
                &update->optimizer->argument[ARGUMENT_MOMENTUM], tensor);
    emit_update(b, OP_SGD, weight, 1 << 2, (Ref[]){weight, velocity, update->rate}, NULL, tensor);
}

static void update_with_means(Builder *b, const Update *update, int tensor, double decay)
{
    const double *argument = update->optimizer->argument;
    Ref weight = build_state_ref(b, update->updated_state, tensor);
    Ref gradient = build_state_ref(b, BUILD_STATE_GRADIENTS, tensor);
    Ref mean = state_of(b, update, 0, tensor), square = state_of(b, update, 1, tensor);
    emit_update(b, OP_EMA, mean, 0, (Ref[]){mean, gradient}, &argument[ARGUMENT_BETA1], tensor);
    emit_update(b, OP_EMA_SQUARE, square, 0, (Ref[]){square, gradient}, &argument[ARGUMENT_BETA2], tensor);
    emit_update(b, OP_ADAMW, weight, 1 << 3 | 1 << 4 | 1 << 5,
                (Ref[]){weight, mean, square, update->rate, update->correction1, update->correction2},
                (double[]){argument[ARGUMENT_EPSILON], decay}, tensor);
}

/* Adam adds the decay to the gradient (L2 regularisation). */
static void update_adam(Builder *b, const Update *update, int tensor)
{
    double decay = update->optimizer->argument[ARGUMENT_DECAY];
    Ref weight = build_state_ref(b, update->updated_state, tensor);
    Ref gradient = build_state_ref(b, BUILD_STATE_GRADIENTS, tensor);
    if (decay != 0)
        emit_update(b, OP_DECAY_GRADIENT, gradient, 0, (Ref[]){gradient, weight}, &decay, tensor);
    update_with_means(b, update, tensor, 0);
}

/* AdamW takes the decay off the weight itself. */
static void update_adamw(Builder *b, const Update *update, int tensor)
{
    update_with_means(b, update, tensor, update->optimizer->argument[ARGUMENT_DECAY]);
}

#define SCHEDULE ARGUMENT_WARMUP, ARGUMENT_TOTAL, ARGUMENT_LAST

static const OptimizerRule rules[] = {
    {.name = "sgd", .argument_count = 4, .arguments = {ARGUMENT_RATE, SCHEDULE}, .update = update_sgd},
    {.name = "momentum",
     .argument_count = 5,
     .arguments = {ARGUMENT_RATE, ARGUMENT_MOMENTUM, SCHEDULE},
     .state_count = 1,
     .states = {"momentum"},
     .update = update_momentum},
    {.name = "adam",
     .argument_count = 8,
     .arguments = {ARGUMENT_RATE, ARGUMENT_BETA1, ARGUMENT_BETA2, ARGUMENT_EPSILON, ARGUMENT_DECAY, SCHEDULE},
     .state_count = 2,
     .states = {"adam_m", "adam_v"},
     .corrected = true,
     .update = update_adam},
    {.name = "adamw",
     .argument_count = 8,
     .arguments = {ARGUMENT_RATE, ARGUMENT_BETA1, ARGUMENT_BETA2, ARGUMENT_EPSILON, ARGUMENT_DECAY, SCHEDULE},
     .state_count = 2,
     .states = {"adam_m", "adam_v"},
     .corrected = true,
     .update = update_adamw},
};

#undef SCHEDULE

int optimizer_count(void)
{
    return (int)(sizeof rules / sizeof *rules);
}

const char *optimizer_name(int index)
{
    return rules[index].name;
}

const OptimizerRule *optimizer_find(const char *name)
{
    for (int i = 0; i < optimizer_count(); i++)
        if (strcmp(rules[i].name, name) == 0)
            return &rules[i];
    return NULL;
}

int optimizer_arguments(const OptimizerRule *rule, const OptimizerArgument **arguments)
{
    *arguments = rule->arguments;
    return rule->argument_count;
}

/* ---- States ------------------------------------------------------------------------------------------------- */

static int find_state(const Builder *b, const char *name)
{
    for (int i = 0; i < b->decls->states.count; i++)
        if (strcmp(b->decls->states.data[i].name, name) == 0)
            return i;
    BUG("no state '%s'", name);
}

static void declare_states(Builder *b, const Optimizer *optimizer)
{
    DType dtype = optimizer->master_copy ? build_statistics_dtype(b->decls) : b->decls->compute_dtype;
    State state = {.kind = STATE_OPTIMIZER, .per_parameter = true, .dtype = dtype, .span = optimizer->span};
    for (int i = 0; i < optimizer->rule->state_count; i++) {
        state.name = optimizer->rule->states[i];
        build_add_state(b, &state);
    }
    if (optimizer->master_copy) {
        state.name = "master";
        state.from_parameters = true;
        state.span = optimizer->precision_span;
        build_add_state(b, &state);
    }
    build_add_state(b, &(State){.name = "step",
                                .kind = STATE_OPTIMIZER,
                                .dtype = build_statistics_dtype(b->decls),
                                .span = optimizer->span});
}

static void start_states(Builder *b, int tensor, void *data)
{
    (void)data;
    for (int i = 0; i < b->decls->states.count; i++) {
        const State *state = &b->decls->states.data[i];
        if (state->kind != STATE_OPTIMIZER || !state->per_parameter)
            continue;
        Ref rest = build_state_ref(b, i, tensor);
        b->span = state->span;
        if (state->from_parameters)
            build_op(b, OP_CAST, build_elementwise_spec(b, rest, 1, 0), rest,
                     (Ref[]){build_state_ref(b, BUILD_STATE_PARAMETERS, tensor)});
        else
            build_fill(b, rest, 0);
    }
}

void optimizer_append_init(Builder *b, const Optimizer *optimizer)
{
    b->span = optimizer->span;
    declare_states(b, optimizer);
    build_each_parameter(b, start_states, NULL);
    b->span = optimizer->span;
    build_fill(b, build_state_ref(b, find_state(b, "step"), -1), 0);
}

/* ---- The step ----------------------------------------------------------------------------------------------- */

static Ref new_scalar(Builder *b, const char *name)
{
    return build_temporary(b, name, build_statistics_dtype(b->decls), 0, NULL);
}

static void add_square(Builder *b, int tensor, void *data)
{
    Ref gradient = build_state_ref(b, BUILD_STATE_GRADIENTS, tensor);
    build_op(b, OP_SUM_SQUARES, arena_printf(b->ctx->arena, "%s->", build_letters(b, gradient)), *(Ref *)data,
             &gradient)
        ->accumulate = true;
}

static void clip_gradient(Builder *b, int tensor, void *data)
{
    Ref gradient = build_state_ref(b, BUILD_STATE_GRADIENTS, tensor);
    build_op(b, OP_MUL, build_elementwise_spec(b, gradient, 2, 1 << 1), gradient, (Ref[]){gradient, *(Ref *)data});
}

static void append_clipping(Builder *b, const Optimizer *optimizer)
{
    b->span = optimizer->clip_span;
    Ref squared = new_scalar(b, "norm_squared"), norm = new_scalar(b, "norm"), factor = new_scalar(b, "clip_factor");
    build_fill(b, squared, 0);
    build_each_parameter(b, add_square, &squared);
    build_op(b, OP_SQRT, "->", norm, &squared);
    build_op(b, OP_OUTPUT, "", ref_of(-1), &norm)->name = "gradient_norm";
    build_op_with(b, OP_CLIP_FACTOR, "->", factor, &squared, &optimizer->clip_norm);
    build_each_parameter(b, clip_gradient, &factor);
}

static Ref append_rate(Builder *b, const Optimizer *optimizer, Ref step)
{
    const double *argument = optimizer->argument;
    bool schedule = argument[ARGUMENT_TOTAL] > 0;
    Ref rate = new_scalar(b, "rate");
    build_op_with(b, OP_RATE, "->", rate, &step,
                  (double[]){argument[ARGUMENT_RATE], argument[ARGUMENT_WARMUP], argument[ARGUMENT_TOTAL],
                             schedule ? argument[ARGUMENT_LAST] : 1});
    build_op(b, OP_OUTPUT, "", ref_of(-1), &rate)->name = "learning_rate";
    return rate;
}

static void update_parameter(Builder *b, int tensor, void *data)
{
    const Update *update = data;
    update->optimizer->rule->update(b, update, tensor);
    if (!update->optimizer->master_copy)
        return;
    Ref weight = build_state_ref(b, BUILD_STATE_PARAMETERS, tensor);
    build_op(b, OP_CAST, build_elementwise_spec(b, weight, 1, 0), weight,
             (Ref[]){build_state_ref(b, update->updated_state, tensor)})
        ->tensor = tensor;
}

void optimizer_append_step(Builder *b, const Optimizer *optimizer)
{
    Category category = b->category;
    b->category = CATEGORY_BUFFERS;
    if (optimizer->clip_norm > 0)
        append_clipping(b, optimizer);
    b->span = optimizer->span;
    Ref step = build_state_ref(b, find_state(b, "step"), -1);
    Update update = {.optimizer = optimizer};
    if (optimizer->rule->state_count > 0)
        update.first_state = find_state(b, optimizer->rule->states[0]);
    update.updated_state = optimizer->master_copy ? find_state(b, "master") : BUILD_STATE_PARAMETERS;
    update.rate = append_rate(b, optimizer, step);
    if (optimizer->rule->corrected) {
        update.correction1 = new_scalar(b, "correction1");
        update.correction2 = new_scalar(b, "correction2");
        build_op_with(b, OP_CORRECTION, "->", update.correction1, &step, &optimizer->argument[ARGUMENT_BETA1]);
        build_op_with(b, OP_CORRECTION, "->", update.correction2, &step, &optimizer->argument[ARGUMENT_BETA2]);
    }
    build_each_parameter(b, update_parameter, &update);
    build_op(b, OP_INCREMENT, "->", step, &step);
    b->category = category;
}

/* optimizer.c - the table of optimizers, and the operators of their updates. */
#include "reference/optimizer_internal.h"

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
    [ARGUMENT_ROOM] = {"epsilon", 1e-6, {.low = 0, .high = DBL_MAX, .low_open = true}},
    [ARGUMENT_TRUST] = {"trust", 0.001, {.low = 0, .high = DBL_MAX, .low_open = true}},
    [ARGUMENT_EXPONENT] = {"exponent", 0.8, {.low = 0, .high = 1, .low_open = true}},
    [ARGUMENT_TINY] = {"epsilon", 1e-30, {.low = 0, .high = DBL_MAX, .low_open = true}},
    [ARGUMENT_THRESHOLD] = {"threshold", 1, {.low = 0, .high = DBL_MAX, .low_open = true}},
    [ARGUMENT_FLOOR] = {"floor", 1e-3, {.low = 0, .high = DBL_MAX, .low_open = true}},
    [ARGUMENT_SPEED] = {"momentum", 0.95, {.low = 0, .high = 1, .high_open = true}},
};

enum { MAX_STATES = 3 };

/* A state of a rule: what it has one number for, and for which parameters: bits of update rules, or (-1) all. */
typedef struct RuleState {
    const char *name;
    Each each;
    int update_rules;
} RuleState;

struct OptimizerRule {
    const char *name;
    int argument_count;
    OptimizerArgument arguments[OPTIMIZER_ARGUMENT_COUNT];
    int state_count;
    RuleState states[MAX_STATES];
    bool corrected;            /* needs the bias corrections of its means */
    OptimizerArgument growing; /* needs a beta that grows with this exponent; ARGUMENT_RATE: none */
    void (*update)(Builder *b, const Update *update, int tensor);
    int (*rule_of)(const Builder *b, int tensor); /* the rule that updates a parameter; NULL: one rule for all */
};

/* ---- Rules -------------------------------------------------------------------------------------------------- */

Ref optimizer_state(const Builder *b, const Update *update, int which, int tensor)
{
    return builder_state_ref(b, update->first_state + which, tensor);
}

void optimizer_emit(Builder *b, OpKind kind, Ref out, unsigned scalars, const Ref *operands, const double *immediates,
                    int tensor)
{
    const char *spec = builder_elementwise_spec(b, out, op_info[kind].operands, scalars);
    builder_op_with(b, kind, spec, out, operands, immediates)->tensor = tensor;
}

static void update_sgd(Builder *b, const Update *update, int tensor)
{
    Ref weight = builder_state_ref(b, update->updated_state, tensor);
    Ref gradient = builder_state_ref(b, BUILDER_STATE_GRADIENTS, tensor);
    optimizer_emit(b, OP_SGD, weight, 1 << 2, (Ref[]){weight, gradient, update->rate}, NULL, tensor);
}

static void update_momentum(Builder *b, const Update *update, int tensor)
{
    Ref weight = builder_state_ref(b, update->updated_state, tensor);
    Ref gradient = builder_state_ref(b, BUILDER_STATE_GRADIENTS, tensor);
    Ref velocity = optimizer_state(b, update, 0, tensor);
    optimizer_emit(b, OP_MOMENTUM, velocity, 0, (Ref[]){velocity, gradient},
                   &update->optimizer->argument[ARGUMENT_MOMENTUM], tensor);
    optimizer_emit(b, OP_SGD, weight, 1 << 2, (Ref[]){weight, velocity, update->rate}, NULL, tensor);
}

static void update_means(Builder *b, const Update *update, int first, int tensor)
{
    const double *argument = update->optimizer->argument;
    Ref gradient = builder_state_ref(b, BUILDER_STATE_GRADIENTS, tensor);
    Ref mean = optimizer_state(b, update, first, tensor), square = optimizer_state(b, update, first + 1, tensor);
    optimizer_emit(b, OP_EMA, mean, 0, (Ref[]){mean, gradient}, &argument[ARGUMENT_BETA1], tensor);
    optimizer_emit(b, OP_EMA_SQUARE, square, 0, (Ref[]){square, gradient}, &argument[ARGUMENT_BETA2], tensor);
}

void optimizer_update_with_means(Builder *b, const Update *update, int first, int tensor, double decay)
{
    const double *argument = update->optimizer->argument;
    Ref weight = builder_state_ref(b, update->updated_state, tensor);
    Ref mean = optimizer_state(b, update, first, tensor), square = optimizer_state(b, update, first + 1, tensor);
    update_means(b, update, first, tensor);
    optimizer_emit(b, OP_ADAMW, weight, 1 << 3 | 1 << 4 | 1 << 5,
                   (Ref[]){weight, mean, square, update->rate, update->correction1, update->correction2},
                   (double[]){argument[ARGUMENT_EPSILON], decay}, tensor);
}

/* Adam adds the decay to the gradient (L2 regularisation). */
static void update_adam(Builder *b, const Update *update, int tensor)
{
    double decay = update->optimizer->argument[ARGUMENT_DECAY];
    Ref weight = builder_state_ref(b, update->updated_state, tensor);
    Ref gradient = builder_state_ref(b, BUILDER_STATE_GRADIENTS, tensor);
    if (decay != 0)
        optimizer_emit(b, OP_DECAY_GRADIENT, gradient, 0, (Ref[]){gradient, weight}, &decay, tensor);
    optimizer_update_with_means(b, update, 0, tensor, 0);
}

/* AdamW subtracts the decay from the weight itself. */
static void update_adamw(Builder *b, const Update *update, int tensor)
{
    optimizer_update_with_means(b, update, 0, tensor, update->optimizer->argument[ARGUMENT_DECAY]);
}

/* ---- Rules with one number per tensor ----------------------------------------------------------------------- */

/* A temporary with one number for the parameter. */
static Ref tensor_number(Builder *b, const char *name)
{
    return builder_temporary(b, name, builder_statistics_dtype(b->decls), 0, NULL);
}

static void sum_squares_into(Builder *b, Ref from, Ref to)
{
    builder_op(b, OP_SUM_SQUARES, arena_printf(b->ctx->arena, "%s->", builder_letters(b, from)), to, &from);
}

static Ref tensor_squares(Builder *b, const char *name, Ref from)
{
    Ref sum = tensor_number(b, name);
    sum_squares_into(b, from, sum);
    return sum;
}

/* LAMB: the direction of AdamW, scaled to the norm of the weights. */
static void update_lamb(Builder *b, const Update *update, int tensor)
{
    const double *argument = update->optimizer->argument;
    Ref weight = builder_state_ref(b, update->updated_state, tensor), direction = builder_like(b, "direction", weight);
    update_means(b, update, 0, tensor);
    optimizer_emit(b, OP_ADAM_DIRECTION, direction, 1 << 3 | 1 << 4,
                   (Ref[]){weight, optimizer_state(b, update, 0, tensor), optimizer_state(b, update, 1, tensor),
                           update->correction1, update->correction2},
                   (double[]){argument[ARGUMENT_ROOM], argument[ARGUMENT_DECAY]}, tensor);
    Ref weights = tensor_squares(b, "weight_squares", weight);
    Ref directions = tensor_squares(b, "direction_squares", direction), ratio = tensor_number(b, "ratio");
    builder_op(b, OP_TRUST_RATIO, ",->", ratio, (Ref[]){weights, directions});
    builder_op(b, OP_MUL, ",->", ratio, (Ref[]){ratio, update->rate});
    optimizer_emit(b, OP_SGD, weight, 1 << 2, (Ref[]){weight, direction, ratio}, NULL, tensor);
}

/* LARS: momentum of gradients scaled to a fraction of the norm of the weights. */
static void update_lars(Builder *b, const Update *update, int tensor)
{
    const double *argument = update->optimizer->argument;
    Ref weight = builder_state_ref(b, update->updated_state, tensor), velocity = optimizer_state(b, update, 0, tensor);
    Ref gradient = builder_state_ref(b, BUILDER_STATE_GRADIENTS, tensor),
        direction = builder_like(b, "direction", weight);
    Ref weights = tensor_squares(b, "weight_squares", weight);
    Ref gradients = tensor_squares(b, "gradient_squares", gradient), ratio = tensor_number(b, "ratio");
    builder_op_with(b, OP_LARS_RATIO, ",->", ratio, (Ref[]){weights, gradients},
                    (double[]){argument[ARGUMENT_TRUST], argument[ARGUMENT_DECAY]});
    optimizer_emit(b, OP_DECAY_GRADIENT, direction, 0, (Ref[]){gradient, weight}, &argument[ARGUMENT_DECAY], tensor);
    optimizer_emit(b, OP_MUL, direction, 1 << 1, (Ref[]){direction, ratio}, NULL, tensor);
    optimizer_emit(b, OP_MOMENTUM, velocity, 0, (Ref[]){velocity, direction}, &argument[ARGUMENT_MOMENTUM], tensor);
    optimizer_emit(b, OP_SGD, weight, 1 << 2, (Ref[]){weight, velocity, update->rate}, NULL, tensor);
}

/* ---- Adafactor: squares factored into rows and columns ------------------------------------------------------ */

enum { ADAFACTOR_VECTOR = 1, ADAFACTOR_MATRIX = 2 };
enum { ADAFACTOR_ROWS, ADAFACTOR_COLUMNS, ADAFACTOR_ELEMENTS }; /* its states */

static int adafactor_rule(const Builder *b, int tensor)
{
    return b->decls->tensors.data[tensor].dim_count >= 2 ? ADAFACTOR_MATRIX : ADAFACTOR_VECTOR;
}

/* "abc" for a tensor, "ab" for its rows, "c" for its columns. */
static const char *letters_of_each(const Builder *b, int tensor, Each each)
{
    int first, count = each_dims(each, b->decls->tensors.data[tensor].dim_count, &first);
    return arena_copy(b->ctx->arena, "abcdef" + first, (size_t)count);
}

/* The mean of the sums over rows or columns, and where the state is stored. */
static Ref factor(Builder *b, const Update *update, Ref squares, int which, Each each, int tensor)
{
    Ref rest = optimizer_state(b, update, which, tensor), sums = builder_like(b, "sums", rest);
    const char *all = letters_of_each(b, tensor, EACH_ELEMENT), *some = letters_of_each(b, tensor, each);
    builder_op(b, OP_REDUCE, arena_printf(b->ctx->arena, "%s->%s", all, some), sums, &squares);
    builder_op(b, OP_EMA_BY, arena_printf(b->ctx->arena, "%s,%s,->%s", some, some, some), rest,
               (Ref[]){rest, sums, update->beta});
    return rest;
}

static void factored_direction(Builder *b, const Update *update, Ref direction, Ref squares, int tensor)
{
    Ref gradient = builder_state_ref(b, BUILDER_STATE_GRADIENTS, tensor), total = tensor_number(b, "total");
    Ref rows = factor(b, update, squares, ADAFACTOR_ROWS, EACH_ROW, tensor);
    Ref columns = factor(b, update, squares, ADAFACTOR_COLUMNS, EACH_COLUMN, tensor);
    const char *all = letters_of_each(b, tensor, EACH_ELEMENT), *row = letters_of_each(b, tensor, EACH_ROW);
    builder_op(b, OP_REDUCE, arena_printf(b->ctx->arena, "%s->", row), total, &rows);
    builder_op(b, OP_FACTORED_DIRECTION,
               arena_printf(b->ctx->arena, "%s,%s,%s,->%s", all, row, letters_of_each(b, tensor, EACH_COLUMN), all),
               direction, (Ref[]){gradient, rows, columns, total});
}

static void update_adafactor(Builder *b, const Update *update, int tensor)
{
    const double *argument = update->optimizer->argument;
    Ref weight = builder_state_ref(b, update->updated_state, tensor), direction = builder_like(b, "direction", weight);
    Ref gradient = builder_state_ref(b, BUILDER_STATE_GRADIENTS, tensor), squares = builder_like(b, "squares", weight);
    optimizer_emit(b, OP_SQUARE_PLUS, squares, 0, &gradient, &argument[ARGUMENT_TINY], tensor);
    if (adafactor_rule(b, tensor) == ADAFACTOR_MATRIX) {
        factored_direction(b, update, direction, squares, tensor);
    } else {
        Ref mean = optimizer_state(b, update, ADAFACTOR_ELEMENTS, tensor);
        optimizer_emit(b, OP_EMA_BY, mean, 1 << 2, (Ref[]){mean, squares, update->beta}, NULL, tensor);
        optimizer_emit(b, OP_OVER_ROOT, direction, 0, (Ref[]){gradient, mean}, NULL, tensor);
    }
    Ref weights = tensor_squares(b, "weight_squares", weight);
    Ref directions = tensor_squares(b, "direction_squares", direction);
    Ref count = tensor_number(b, "elements"), rate = tensor_number(b, "relative_rate");
    builder_fill(b, count, (double)tensor_elements(&b->decls->tensors.data[tensor]))->tensor = tensor;
    builder_op_with(b, OP_RELATIVE_RATE, ",,,->", rate, (Ref[]){weights, directions, count, update->rate},
                    (double[]){argument[ARGUMENT_THRESHOLD], argument[ARGUMENT_FLOOR]});
    optimizer_emit(b, OP_SGD, weight, 1 << 2, (Ref[]){weight, direction, rate}, NULL, tensor);
}

#define SCHEDULE ARGUMENT_WARMUP, ARGUMENT_TOTAL, ARGUMENT_LAST

#define ADAM_STATES                                                                                                    \
    {                                                                                                                  \
        {"adam_m", EACH_ELEMENT, -1},                                                                                  \
        {                                                                                                              \
            "adam_v", EACH_ELEMENT, -1                                                                                 \
        }                                                                                                              \
    }
#define ADAM_ARGUMENTS ARGUMENT_RATE, ARGUMENT_BETA1, ARGUMENT_BETA2, ARGUMENT_EPSILON, ARGUMENT_DECAY, SCHEDULE

static const OptimizerRule rules[] = {
    {.name = "sgd", .argument_count = 4, .arguments = {ARGUMENT_RATE, SCHEDULE}, .update = update_sgd},
    {.name = "momentum",
     .argument_count = 5,
     .arguments = {ARGUMENT_RATE, ARGUMENT_MOMENTUM, SCHEDULE},
     .state_count = 1,
     .states = {{"momentum", EACH_ELEMENT, -1}},
     .update = update_momentum},
    {.name = "adam",
     .argument_count = 8,
     .arguments = {ADAM_ARGUMENTS},
     .state_count = 2,
     .states = ADAM_STATES,
     .corrected = true,
     .update = update_adam},
    {.name = "adamw",
     .argument_count = 8,
     .arguments = {ADAM_ARGUMENTS},
     .state_count = 2,
     .states = ADAM_STATES,
     .corrected = true,
     .update = update_adamw},
    {.name = "lamb",
     .argument_count = 8,
     .arguments = {ARGUMENT_RATE, ARGUMENT_BETA1, ARGUMENT_BETA2, ARGUMENT_ROOM, ARGUMENT_DECAY, SCHEDULE},
     .state_count = 2,
     .states = ADAM_STATES,
     .corrected = true,
     .update = update_lamb},
    {.name = "lars",
     .argument_count = 7,
     .arguments = {ARGUMENT_RATE, ARGUMENT_MOMENTUM, ARGUMENT_TRUST, ARGUMENT_DECAY, SCHEDULE},
     .state_count = 1,
     .states = {{"momentum", EACH_ELEMENT, -1}},
     .update = update_lars},
    {.name = "adafactor",
     .argument_count = 8,
     .arguments = {ARGUMENT_RATE, ARGUMENT_EXPONENT, ARGUMENT_TINY, ARGUMENT_THRESHOLD, ARGUMENT_FLOOR, SCHEDULE},
     .state_count = 3,
     .states = {[ADAFACTOR_ROWS] = {"row_squares", EACH_ROW, ADAFACTOR_MATRIX},
                [ADAFACTOR_COLUMNS] = {"column_squares", EACH_COLUMN, ADAFACTOR_MATRIX},
                [ADAFACTOR_ELEMENTS] = {"mean_squares", EACH_ELEMENT, ADAFACTOR_VECTOR}},
     .growing = ARGUMENT_EXPONENT,
     .update = update_adafactor,
     .rule_of = adafactor_rule},
    {.name = "muon",
     .argument_count = 9,
     .arguments = {ARGUMENT_RATE, ARGUMENT_SPEED, ARGUMENT_BETA1, ARGUMENT_BETA2, ARGUMENT_EPSILON, ARGUMENT_DECAY,
                   SCHEDULE},
     .state_count = 3,
     .states = {[MUON_MOMENTUM] = {"momentum", EACH_ELEMENT, MUON_MATRIX | MUON_MATRICES},
                [MUON_MEANS] = {"adam_m", EACH_ELEMENT, MUON_OTHER},
                [MUON_MEANS + 1] = {"adam_v", EACH_ELEMENT, MUON_OTHER}},
     .corrected = true,
     .update = muon_update,
     .rule_of = muon_rule},
};

#undef ADAM_STATES
#undef ADAM_ARGUMENTS
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

void optimizer_classify(Builder *b, const Optimizer *optimizer)
{
    for (int i = 0; i < b->decls->tensors.count; i++) {
        Tensor *tensor = &b->decls->tensors.data[i];
        if (tensor->kind == TENSOR_PARAMETER && tensor->trainable && optimizer->rule->rule_of != NULL)
            tensor->update_rule = optimizer->rule->rule_of(b, i);
    }
}

static void declare_states(Builder *b, const Optimizer *optimizer)
{
    DType dtype = optimizer->master_copy ? builder_statistics_dtype(b->decls) : b->decls->compute_dtype;
    State state = {.kind = STATE_OPTIMIZER, .per_parameter = true, .dtype = dtype, .span = optimizer->span};
    for (int i = 0; i < optimizer->rule->state_count; i++) {
        state.name = optimizer->rule->states[i].name;
        state.each = optimizer->rule->states[i].each;
        builder_add_state(b, &state, optimizer->rule->states[i].update_rules);
    }
    state.each = EACH_ELEMENT;
    if (optimizer->master_copy) {
        state.name = "master";
        state.from_parameters = true;
        state.span = optimizer->precision_span;
        builder_add_state(b, &state, -1);
    }
    builder_add_state(b,
                      &(State){.name = "step",
                               .kind = STATE_OPTIMIZER,
                               .dtype = builder_statistics_dtype(b->decls),
                               .span = optimizer->span},
                      -1);
}

static void start_states(Builder *b, int tensor, void *data)
{
    (void)data;
    for (int i = 0; i < b->decls->states.count; i++) {
        const State *state = &b->decls->states.data[i];
        if (state->kind != STATE_OPTIMIZER || !state->per_parameter || !builder_has_state(b, i, tensor))
            continue;
        Ref rest = builder_state_ref(b, i, tensor);
        b->span = state->span;
        if (state->from_parameters)
            builder_op(b, OP_CAST, builder_elementwise_spec(b, rest, 1, 0), rest,
                       (Ref[]){builder_state_ref(b, BUILDER_STATE_PARAMETERS, tensor)});
        else
            builder_fill(b, rest, 0);
    }
}

void optimizer_append_init(Builder *b, const Optimizer *optimizer)
{
    b->span = optimizer->span;
    declare_states(b, optimizer);
    builder_each_parameter(b, start_states, NULL);
    b->span = optimizer->span;
    builder_fill(b, builder_state_ref(b, builder_known_state(b, "step"), -1), 0);
}

/* ---- The step ----------------------------------------------------------------------------------------------- */

void optimizer_append_clipping(Builder *b, const Optimizer *optimizer)
{
    if (optimizer->clip_norm <= 0)
        return;
    Category category = b->category;
    b->category = CATEGORY_BUFFERS;
    b->span = optimizer->clip_span;
    Ref squared = builder_scalar(b, "norm_squared"), norm = builder_scalar(b, "norm"),
        factor = builder_scalar(b, "clip_factor");
    builder_fill(b, squared, 0);
    builder_each_parameter(b, builder_add_squares, &squared);
    builder_op(b, OP_SQRT, "->", norm, &squared);
    builder_op(b, OP_OUTPUT, "", ref_of(-1), &norm)->output = "gradient_norm";
    builder_op_with(b, OP_CLIP_FACTOR, "->", factor, &squared, &optimizer->clip_norm);
    builder_each_parameter(b, builder_multiply_gradient, &factor);
    b->category = category;
}

static Ref append_rate(Builder *b, const Optimizer *optimizer, Ref step)
{
    const double *argument = optimizer->argument;
    bool schedule = argument[ARGUMENT_TOTAL] > 0;
    Ref rate = builder_scalar(b, "rate");
    builder_op_with(b, OP_RATE, "->", rate, &step,
                    (double[]){argument[ARGUMENT_RATE], argument[ARGUMENT_WARMUP], argument[ARGUMENT_TOTAL],
                               schedule ? argument[ARGUMENT_LAST] : 1});
    builder_op(b, OP_OUTPUT, "", ref_of(-1), &rate)->output = "learning_rate";
    return rate;
}

static void update_parameter(Builder *b, int tensor, void *data)
{
    const Update *update = data;
    update->optimizer->rule->update(b, update, tensor);
    if (!update->optimizer->master_copy)
        return;
    Ref weight = builder_state_ref(b, BUILDER_STATE_PARAMETERS, tensor);
    builder_op(b, OP_CAST, builder_elementwise_spec(b, weight, 1, 0), weight,
               (Ref[]){builder_state_ref(b, update->updated_state, tensor)})
        ->tensor = tensor;
}

void optimizer_append_step(Builder *b, const Optimizer *optimizer)
{
    Category category = b->category;
    b->category = CATEGORY_BUFFERS;
    b->span = optimizer->span;
    Ref step = builder_state_ref(b, builder_known_state(b, "step"), -1);
    Update update = {.optimizer = optimizer};
    if (optimizer->rule->state_count > 0)
        update.first_state = builder_known_state(b, optimizer->rule->states[0].name);
    update.updated_state = optimizer->master_copy ? builder_known_state(b, "master") : BUILDER_STATE_PARAMETERS;
    update.rate = append_rate(b, optimizer, step);
    if (optimizer->rule->growing != ARGUMENT_RATE) {
        update.beta = builder_scalar(b, "beta");
        builder_op_with(b, OP_GROWING_BETA, "->", update.beta, &step, &optimizer->argument[optimizer->rule->growing]);
    }
    if (optimizer->rule->corrected) {
        update.correction1 = builder_scalar(b, "correction1");
        update.correction2 = builder_scalar(b, "correction2");
        builder_op_with(b, OP_CORRECTION, "->", update.correction1, &step, &optimizer->argument[ARGUMENT_BETA1]);
        builder_op_with(b, OP_CORRECTION, "->", update.correction2, &step, &optimizer->argument[ARGUMENT_BETA2]);
    }
    builder_each_parameter(b, update_parameter, &update);
    builder_op(b, OP_INCREMENT, "->", step, &step);
    b->category = category;
}

/* oracle.c - expectations from the reference's forward part, and their comparison with what every rank has. */
#include "tests/sim/oracle.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Relative to the larger number and to the largest of its tensor; numbers that are zero but for rounding are equal
 * (an optimizer that divides by the root of squares plus epsilon makes rounding larger by 1 / epsilon). */
static const double tolerance = 1e-9, negligible = 1e-5;

/* Logical values: per tensor (NULL where not held), elements of all layers. Scalars stand behind the last tensor. */
typedef struct Values {
    double **of;
} Values;

/* The gradient that an update read. */
typedef struct UpdateGradient {
    SimOpKind kind;
    int tensor;
    int64_t layer;
    double *gradient;
} UpdateGradient;

typedef struct Expected {
    Values *states; /* per state, after the step */
    int output_count;
    SimOutput *outputs;
    int update_count;
    UpdateGradient *updates;
} Expected;

/* Stages: the initialisation, the steps, then the other routines of the reference (eval, predict) once each. */
struct SimOracle {
    int steps, stage_count;
    uint64_t draw;
    const char **routines; /* per stage */
    Expected *after;       /* per stage */
};

typedef struct Maker {
    SimPool *pool;
    const SimFile *file;
    SimMachine *machine;
    SimOracle *oracle;
    int operators, last_gradient; /* counted: performed in a step; of the last that makes a gradient */
    Values gradients;             /* by dual numbers, in this step */
    double *loss_tangent;
    Expected *expected;
    char *message;
    size_t message_size;
    bool failed;
} Maker;

static void maker_fail(Maker *maker, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void maker_fail(Maker *maker, const char *format, ...)
{
    if (maker->failed)
        return;
    maker->failed = true;
    va_list args;
    va_start(args, format);
    vsnprintf(maker->message, maker->message_size, format, args);
    va_end(args);
}

static int64_t tensor_layers(const SimFile *file, int tensor)
{
    int group = file->tensors[tensor].group;
    return group < 0 ? 1 : file->groups[group].layers;
}

static int64_t value_count(const SimFile *file, int tensor)
{
    if (tensor == file->tensor_count)
        return 1;
    return tensor_layers(file, tensor) * sim_tensor_elements(&file->tensors[tensor]);
}

static bool is_update(SimOpKind kind, int *gradient_operand)
{
    *gradient_operand = kind == SIM_DECAY_GRADIENT ? 0 : 1;
    return kind == SIM_SGD || kind == SIM_EMA || kind == SIM_EMA_SQUARE || kind == SIM_MOMENTUM ||
           kind == SIM_DECAY_GRADIENT;
}

/* ---- States of the reference -------------------------------------------------------------------------------- */

/* Calls `visit` for every element of a buffer with its logical place; the tensor of a scalar is tensor_count. */
static bool for_each_element(SimMachine *machine, int rank, int buffer_index,
                             bool (*visit)(void *user, SimNumber *number, int tensor, int64_t index), void *user)
{
    const SimFile *file = machine->file;
    const SimBuffer *buffer = &machine->program->buffers[buffer_index];
    bool scalar = buffer->state >= 0 && !file->states[buffer->state].per_parameter;
    for (int64_t slot = 0; slot < buffer->slots; slot++) {
        SimView view = sim_machine_view(machine, rank, buffer_index, slot);
        for (int64_t i = 0; i < view.elements; i++) {
            int tensor = file->tensor_count;
            int64_t layer = 0, element = 0, index = 0;
            if (!scalar) {
                if (buffer->unit < 0 && buffer->tensor < 0)
                    return false;
                if (!sim_view_element(file, &view, i, -1, &tensor, &layer, &element))
                    continue;
                index = layer * sim_tensor_elements(&file->tensors[tensor]) + element;
            }
            if (index < 0 || index >= value_count(file, tensor))
                return false;
            if (!visit(user, &view.data[sim_view_offset(&view, i)], tensor, index))
                return false;
        }
    }
    return true;
}

typedef struct Transfer {
    SimPool *pool;
    const SimFile *file;
    Values *values;
} Transfer;

static bool take_number(void *user, SimNumber *number, int tensor, int64_t index)
{
    Transfer *transfer = user;
    if (!transfer->values->of[tensor])
        transfer->values->of[tensor] = sim_array(transfer->pool, double, value_count(transfer->file, tensor));
    transfer->values->of[tensor][index] = number->value;
    return true;
}

static bool put_number(void *user, SimNumber *number, int tensor, int64_t index)
{
    Transfer *transfer = user;
    *number = (SimNumber){transfer->values->of[tensor][index], 0}; /* references share no memory */
    return true;
}

static Values *values_new(Maker *maker, int count)
{
    Values *values = sim_array(maker->pool, Values, count);
    for (int v = 0; v < count; v++)
        values[v].of = sim_array(maker->pool, double *, maker->file->tensor_count + 1);
    return values;
}

static void for_each_state(Maker *maker, SimMachine *machine, Values *states,
                           bool (*visit)(void *user, SimNumber *number, int tensor, int64_t index))
{
    for (int b = 0; b < machine->program->buffer_count; b++) {
        const SimBuffer *buffer = &machine->program->buffers[b];
        if (!buffer->persistent || buffer->state < 0)
            continue;
        Transfer transfer = {maker->pool, maker->file, &states[buffer->state]};
        if (!for_each_element(machine, 0, b, visit, &transfer))
            maker_fail(maker, "reference: '%s' does not fit its state", buffer->name);
    }
}

/* ---- Gradients by dual numbers ------------------------------------------------------------------------------ */

static void stop_at_loss(SimMachine *machine, const SimIssue *issue, void *user)
{
    Maker *maker = user;
    if (issue->op->kind != SIM_OUTPUT || strcmp(issue->op->output_name, "loss") != 0)
        return;
    *maker->loss_tangent = issue->operands[0][0].data[0].tangent;
    machine->stopped = true;
}

typedef struct Direction {
    int tensor;
    int64_t index;
} Direction;

static bool set_direction(void *user, SimNumber *number, int tensor, int64_t index)
{
    const Direction *direction = user;
    number->tangent = tensor == direction->tensor && index == direction->index ? 1 : 0;
    return true;
}

/* d loss / d (one element of a parameter), from the states before the step. */
static double directional_derivative(Maker *maker, SimMachine *machine, Values *states, int step, Direction direction)
{
    double tangent = NAN;
    maker->loss_tangent = &tangent;
    for_each_state(maker, machine, states, put_number);
    for (int b = 0; b < machine->program->buffer_count; b++) {
        const SimBuffer *buffer = &machine->program->buffers[b];
        if (buffer->persistent && buffer->state >= 0 && maker->file->states[buffer->state].per_parameter &&
            maker->file->states[buffer->state].kind == SIM_STATE_PARAMETERS)
            for_each_element(machine, 0, b, set_direction, &direction);
    }
    if (!sim_machine_run(machine, "step", step))
        maker_fail(maker, "reference: %s", machine->fault);
    else if (isnan(tangent))
        maker_fail(maker, "reference: no output \"loss\", or it is no number");
    return tangent;
}

static void differentiate(Maker *maker, SimMachine *machine, Values *states, int step)
{
    machine->before = stop_at_loss;
    machine->user = maker;
    maker->gradients = *values_new(maker, 1);
    for (int t = 0; t < maker->file->tensor_count && !maker->failed; t++) {
        if (maker->file->tensors[t].is_input || maker->file->tensors[t].frozen)
            continue;
        int64_t count = value_count(maker->file, t);
        maker->gradients.of[t] = sim_array(maker->pool, double, count);
        for (int64_t i = 0; i < count && !maker->failed; i++)
            maker->gradients.of[t][i] = directional_derivative(maker, machine, states, step, (Direction){t, i});
    }
}

/* ---- The reference's step ----------------------------------------------------------------------------------- */

static bool is_gradient(const SimMachine *machine, const SimBuffer *buffer)
{
    return buffer->state >= 0 && machine->file->states[buffer->state].kind == SIM_STATE_GRADIENTS &&
           (buffer->tensor >= 0 || buffer->unit >= 0);
}

/* The last operator that makes a gradient is the last that writes one without reading one. */
static void count_operators(SimMachine *machine, const SimIssue *issue, void *user)
{
    Maker *maker = user;
    maker->operators++;
    const SimOp *op = issue->op;
    if (!op->has_out || !is_gradient(machine, issue->out[0].buffer))
        return;
    for (int o = 0; o < op->operand_count; o++)
        if (is_gradient(machine, issue->operands[o][0].buffer))
            return;
    maker->last_gradient = maker->operators;
}

static bool close_to(double a, double b, double size)
{
    double difference = fabs(a - b), bound = fmax(fmax(fabs(a), fabs(b)), fmax(size, negligible));
    return difference <= tolerance * bound; /* false for NaN */
}

static double largest(const double *values, int64_t count)
{
    double size = 0;
    for (int64_t i = 0; i < count; i++)
        size = fmax(size, fabs(values[i]));
    return size;
}

/* Compares the gradient that autodiff made with the dual numbers', and puts the latter in its place. */
static bool replace_gradient(void *user, SimNumber *number, int tensor, int64_t index)
{
    Maker *maker = user;
    if (!maker->gradients.of[tensor])
        return true;
    double expected = maker->gradients.of[tensor][index];
    double size = largest(maker->gradients.of[tensor], value_count(maker->file, tensor));
    if (!close_to(number->value, expected, size))
        maker_fail(maker, "reference: the gradient of '%s'[%" PRId64 "] is %.12g, by dual numbers %.12g",
                   maker->file->tensors[tensor].name, index, number->value, expected);
    *number = (SimNumber){expected, 0};
    return true;
}

static void note_update(Maker *maker, const SimIssue *issue)
{
    int operand;
    const SimView *out = &issue->out[0];
    if (!is_update(issue->op->kind, &operand) || out->elements == 0)
        return;
    const SimView *gradient = &issue->operands[operand][0];
    UpdateGradient update = {.kind = issue->op->kind};
    int64_t element;
    int tensor = issue->op->tensor;
    if (tensor < 0 && out->buffer->unit < 0 && out->buffer->tensor < 0)
        return;
    sim_view_element(maker->file, out, 0, tensor, &update.tensor, &update.layer, &element);
    if (gradient->elements != sim_tensor_elements(&maker->file->tensors[update.tensor])) {
        maker_fail(maker, "reference: line %d does not update one parameter", issue->op->line);
        return;
    }
    update.gradient = sim_array(maker->pool, double, gradient->elements);
    for (int64_t i = 0; i < gradient->elements; i++)
        update.gradient[i] = gradient->data[sim_view_offset(gradient, i)].value;
    Expected *expected = maker->expected;
    expected->updates = sim_pool_grow(maker->pool, expected->updates, expected->update_count, sizeof(UpdateGradient));
    expected->updates[expected->update_count++] = update;
}

static void before_reference_op(SimMachine *machine, const SimIssue *issue, void *user)
{
    (void)machine;
    note_update(user, issue);
}

static void after_reference_op(SimMachine *machine, const SimIssue *issue, void *user)
{
    (void)issue;
    Maker *maker = user;
    if (++maker->operators != maker->last_gradient)
        return;
    for (int b = 0; b < machine->program->buffer_count; b++)
        if (is_gradient(machine, &machine->program->buffers[b]) && !maker->failed &&
            !for_each_element(machine, 0, b, replace_gradient, maker))
            maker_fail(maker, "reference: gradient '%s' does not fit its parameter", machine->program->buffers[b].name);
}

static void reference_stage(Maker *maker, int stage)
{
    SimMachine *machine = maker->machine;
    bool trains = stage > 0 && stage <= maker->oracle->steps;
    maker->operators = 0;
    maker->expected = &maker->oracle->after[stage];
    machine->before = trains ? before_reference_op : NULL;
    machine->after = trains ? after_reference_op : NULL;
    machine->user = maker;
    if (!sim_machine_run(machine, maker->oracle->routines[stage], stage)) {
        maker_fail(maker, "reference: %s", machine->fault);
        return;
    }
    maker->expected->output_count = machine->output_count;
    maker->expected->outputs = machine->outputs;
    maker->expected->states = values_new(maker, maker->file->state_count);
    for_each_state(maker, machine, maker->expected->states, take_number);
}

/* Which operator of a step is the last to make a gradient; a step of a machine of its own. */
static void find_last_gradient(Maker *maker, SimMachine *machine, Values *states)
{
    for_each_state(maker, machine, states, put_number);
    machine->before = NULL;
    machine->after = count_operators;
    machine->user = maker;
    maker->operators = maker->last_gradient = 0;
    if (!sim_machine_run(machine, "step", 1))
        maker_fail(maker, "reference: %s", machine->fault);
    else if (maker->last_gradient == 0)
        maker_fail(maker, "reference: no buffer with a gradient state is written");
    machine->after = NULL;
}

static void name_stages(Maker *maker, int steps)
{
    SimOracle *oracle = maker->oracle;
    const SimProgram *reference = &maker->file->reference;
    oracle->steps = steps;
    oracle->routines = sim_array(maker->pool, const char *, steps + 1 + reference->routine_count);
    oracle->after = sim_array(maker->pool, Expected, steps + 1 + reference->routine_count);
    oracle->routines[oracle->stage_count++] = "init";
    while (oracle->stage_count <= steps)
        oracle->routines[oracle->stage_count++] = "step";
    for (int r = 0; r < reference->routine_count; r++)
        if (strcmp(reference->routines[r].name, "init") != 0 && strcmp(reference->routines[r].name, "step") != 0)
            oracle->routines[oracle->stage_count++] = reference->routines[r].name;
}

SimOracle *sim_oracle_new(SimPool *pool, const SimFile *file, int steps, uint64_t draw, char *message,
                          size_t message_size)
{
    Maker maker = {.pool = pool, .file = file, .message = message, .message_size = message_size};
    message[0] = '\0';
    maker.oracle = sim_new(pool, SimOracle);
    maker.oracle->draw = draw;
    name_stages(&maker, steps);
    maker.machine = sim_machine_new(pool, file, &file->reference, draw);
    SimMachine *forward = sim_machine_new(pool, file, &file->reference, draw);
    reference_stage(&maker, 0);
    if (!maker.failed)
        find_last_gradient(&maker, forward, maker.oracle->after[0].states);
    for (int stage = 1; stage < maker.oracle->stage_count && !maker.failed; stage++) {
        if (stage <= steps)
            differentiate(&maker, forward, maker.oracle->after[stage - 1].states, stage);
        if (!maker.failed)
            reference_stage(&maker, stage);
    }
    return maker.failed ? NULL : maker.oracle;
}

/* ---- Comparison --------------------------------------------------------------------------------------------- */

typedef struct Judge {
    const SimFile *file;
    SimMachine *machine;
    const Expected *expected;
    int stage;
    const char *routine;
    bool different;
    char *message;
    size_t message_size;
    int rank; /* of the buffer being compared */
    const SimBuffer *buffer;
    bool **covered; /* per state and tensor */
} Judge;

static void judge_different(Judge *judge, int rank, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void judge_different(Judge *judge, int rank, const char *format, ...)
{
    if (judge->different)
        return;
    judge->different = true;
    int used = snprintf(judge->message, judge->message_size, "%s %d, rank %d: ", judge->routine, judge->stage, rank);
    va_list args;
    va_start(args, format);
    if (used > 0 && (size_t)used < judge->message_size)
        vsnprintf(judge->message + used, judge->message_size - (size_t)used, format, args);
    va_end(args);
}

static bool compare_number(void *user, SimNumber *number, int tensor, int64_t index)
{
    Judge *judge = user;
    const double *expected = judge->expected->states[judge->buffer->state].of[tensor];
    const char *state = judge->file->states[judge->buffer->state].name;
    const char *name = tensor < judge->file->tensor_count ? judge->file->tensors[tensor].name : "";
    int64_t count = value_count(judge->file, tensor);
    if (!expected) {
        judge_different(judge, judge->rank, "state %s of '%s' is not the reference's", state, name);
        return true;
    }
    bool **covered = &judge->covered[judge->buffer->state * (judge->file->tensor_count + 1) + tensor];
    if (!*covered)
        *covered = sim_array(judge->machine->pool, bool, count);
    (*covered)[index] = true;
    if (!close_to(number->value, expected[index], largest(expected, count)))
        judge_different(judge, judge->rank, "state %s of '%s' in '%s', element %" PRId64 ": %.12g, one device %.12g",
                        state, name, judge->buffer->name, index, number->value, expected[index]);
    return true;
}

static void compare_coverage(Judge *judge)
{
    for (int s = 0; s < judge->file->state_count; s++)
        for (int t = 0; t <= judge->file->tensor_count; t++) {
            if (!judge->expected->states[s].of[t])
                continue;
            const bool *covered = judge->covered[s * (judge->file->tensor_count + 1) + t];
            for (int64_t i = 0; i < value_count(judge->file, t); i++)
                if (!covered || !covered[i]) {
                    judge_different(judge, 0, "no rank holds state %s of '%s', element %" PRId64,
                                    judge->file->states[s].name,
                                    t < judge->file->tensor_count ? judge->file->tensors[t].name : "", i);
                    return;
                }
        }
}

static void compare_states(Judge *judge)
{
    SimMachine *machine = judge->machine;
    judge->covered = sim_array(machine->pool, bool *, judge->file->state_count *(judge->file->tensor_count + 1) + 1);
    for (judge->rank = 0; judge->rank < machine->rank_count; judge->rank++)
        for (int b = 0; b < machine->program->buffer_count; b++) {
            judge->buffer = &machine->program->buffers[b];
            if (!judge->buffer->persistent || judge->buffer->state < 0)
                continue;
            if (!for_each_element(machine, judge->rank, b, compare_number, judge))
                judge_different(judge, judge->rank, "'%s' does not fit its state", judge->buffer->name);
        }
    compare_coverage(judge);
}

static const SimOutput *find_output(const SimOutput *outputs, int count, const char *name)
{
    for (int o = 0; o < count; o++)
        if (!strcmp(outputs[o].name, name))
            return &outputs[o];
    return NULL;
}

/* Whoever hands something out hands out what the reference does under that name, and somebody does. */
static void compare_outputs(Judge *judge)
{
    const SimMachine *machine = judge->machine;
    const Expected *expected = judge->expected;
    for (int o = 0; o < machine->output_count; o++) {
        const SimOutput *output = &machine->outputs[o];
        const SimOutput *wanted = find_output(expected->outputs, expected->output_count, output->name);
        if (!wanted || wanted->count != output->count) {
            judge_different(judge, output->rank, "output '%s' is not the reference's", output->name);
            return;
        }
        for (int64_t i = 0; i < wanted->count; i++)
            if (!close_to(output->numbers[i].value, wanted->numbers[i].value, 0))
                judge_different(judge, output->rank, "output '%s', element %" PRId64 ": %.12g, one device %.12g",
                                output->name, i, output->numbers[i].value, wanted->numbers[i].value);
    }
    for (int o = 0; o < expected->output_count; o++)
        if (!find_output(machine->outputs, machine->output_count, expected->outputs[o].name))
            judge_different(judge, 0, "output '%s' is missing", expected->outputs[o].name);
}

/* Whether what an update reads is the gradient of some layer of the parameters it lies over. */
static bool matches_layer(const Judge *judge, const SimIssue *issue, const SimView *gradient, int64_t shift)
{
    for (int64_t i = 0; i < gradient->elements; i++) {
        int tensor;
        int64_t layer, element;
        if (!sim_view_element(judge->file, gradient, i, issue->op->tensor, &tensor, &layer, &element))
            continue;
        const double *expected = NULL;
        for (int u = 0; u < judge->expected->update_count; u++) {
            const UpdateGradient *update = &judge->expected->updates[u];
            if (update->kind == issue->op->kind && update->tensor == tensor &&
                (judge->file->tensors[tensor].group < 0 || update->layer == shift))
                expected = update->gradient;
        }
        int64_t count = sim_tensor_elements(&judge->file->tensors[tensor]);
        if (!expected || element >= count ||
            !close_to(gradient->data[sim_view_offset(gradient, i)].value, expected[element], largest(expected, count)))
            return false;
    }
    return true;
}

static void compare_update(SimMachine *machine, const SimIssue *issue, void *user)
{
    Judge *judge = user;
    int operand;
    if (!is_update(issue->op->kind, &operand) || judge->expected->update_count == 0)
        return;
    for (int rank = 0; rank < machine->rank_count; rank++) {
        if (!(issue->ranks >> rank & 1))
            continue;
        const SimView *gradient = &issue->operands[operand][rank];
        if (gradient->buffer->unit < 0 && gradient->buffer->tensor < 0 && issue->op->tensor < 0)
            continue; /* nothing says whose gradient it is; the states will tell */
        int64_t layers = 1;
        for (int g = 0; g < judge->file->group_count; g++)
            if (judge->file->groups[g].layers > layers)
                layers = judge->file->groups[g].layers;
        bool found = false;
        for (int64_t layer = 0; layer < layers && !found; layer++)
            found = matches_layer(judge, issue, gradient, layer);
        if (!found)
            judge_different(judge, rank, "line %d: %s reads '%s', which is no gradient of one device", issue->op->line,
                            sim_op_name(issue->op->kind), gradient->buffer->name);
    }
}

static SimVerdict compare(SimPool *scratch, const SimFile *file, const SimOracle *oracle, bool eager, char *message,
                          size_t message_size)
{
    SimMachine *machine = sim_machine_new(scratch, file, &file->program, oracle->draw);
    machine->eager = eager;
    Judge judge = {.file = file, .machine = machine, .message = message, .message_size = message_size};
    machine->before = compare_update;
    machine->user = &judge;
    message[0] = '\0';
    for (judge.stage = 0; judge.stage < oracle->stage_count && !judge.different; judge.stage++) {
        judge.expected = &oracle->after[judge.stage];
        judge.routine = oracle->routines[judge.stage];
        if (!sim_machine_run(machine, judge.routine, judge.stage)) {
            snprintf(message, message_size, "%s %d: %s", judge.routine, judge.stage, machine->fault);
            return SIM_FAULTED;
        }
        compare_outputs(&judge);
        compare_states(&judge);
    }
    return judge.different ? SIM_DIFFERENT : SIM_EQUAL;
}

SimVerdict sim_compare(SimPool *scratch, const SimFile *file, const SimOracle *oracle, char *message,
                       size_t message_size)
{
    SimVerdict late = compare(scratch, file, oracle, false, message, message_size);
    if (late != SIM_EQUAL || !file->program.has_events)
        return late;
    return compare(scratch, file, oracle, true, message, message_size);
}

SimVerdict sim_judge(const char *text, int steps, int draws, char *message, size_t message_size)
{
    SimPool *pool = sim_pool_new();
    SimVerdict verdict = SIM_EQUAL;
    for (int draw = 1; draw <= draws && verdict == SIM_EQUAL; draw++) {
        sim_pool_reset(pool);
        const SimFile *file = sim_read(pool, text, message, message_size);
        const SimOracle *oracle =
            file ? sim_oracle_new(pool, file, steps, (uint64_t)draw, message, message_size) : NULL;
        verdict = oracle ? sim_compare(pool, file, oracle, message, message_size) : SIM_FAULTED;
    }
    sim_pool_free(pool);
    return verdict;
}

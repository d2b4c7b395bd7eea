/* oracle.c - what one device computes: the reference's states, outputs and gradient operands after every routine. */
#include "tests/sim/expected.h"
#include "tests/sim/one_device.h"
#include "tests/sim/perform.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct Maker {
    SimPool *pool;
    const SimFile *file;
    SimMachine *machine;
    SimOracle *oracle;
    int operators[SIM_MAX_RANKS]; /* counted: performed in a step by the rank of each copy, */
    int last_gradient;            /* and by one up to the last that makes a gradient, 0 where none does */
    bool has_gradients;           /* made or read by updates: else there is nothing to check */
    int losses_seen;
    SimWord slope[SIM_MAX_RANKS]; /* of each copy's loss along the direction, in this step */
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
    int used = snprintf(maker->message, maker->message_size, "reference: ");
    va_list args;
    va_start(args, format);
    vsnprintf(maker->message + used, maker->message_size - (size_t)used, format, args);
    va_end(args);
}

/* ---- Logical values ----------------------------------------------------------------------------------------- */

int64_t sim_value_count(const SimFile *file, int tensor)
{
    if (tensor == file->tensor_count)
        return 1;
    int group = file->tensors[tensor].group;
    return (group < 0 ? 1 : file->groups[group].layers) * sim_tensor_elements(&file->tensors[tensor]);
}

int64_t sim_layer_numbers(const SimFile *file, int state, int tensor)
{
    if (tensor == file->tensor_count)
        return 1;
    const SimTensor *t = &file->tensors[tensor];
    SimEach each = file->states[state].each;
    int64_t numbers = 1;
    for (int d = 0; d < t->dim_count; d++) {
        bool is_last = d == t->dim_count - 1;
        bool counts =
            each == SIM_EACH_ELEMENT || (each == SIM_EACH_ROW && !is_last) || (each == SIM_EACH_COLUMN && is_last);
        numbers *= counts ? t->dims[d] : 1;
    }
    return numbers;
}

bool sim_state_has(const SimFile *file, int state, int tensor, int64_t index)
{
    int64_t elements = tensor == file->tensor_count ? 1 : sim_tensor_elements(&file->tensors[tensor]);
    return index % elements < sim_layer_numbers(file, state, tensor);
}

bool sim_each_element(SimMachine *machine, int rank, int buffer_index, SimVisit *visit, void *user)
{
    const SimFile *file = machine->file;
    const SimBuffer *buffer = &machine->program->buffers[buffer_index];
    bool scalar = buffer->state >= 0 && !file->states[buffer->state].per_parameter;
    for (int64_t slot = 0; slot < buffer->slots && sim_is_held(machine, rank, buffer); slot++) {
        SimView view = sim_machine_view(machine, rank, buffer_index, slot);
        for (int64_t i = 0; i < view.elements; i++) {
            int tensor = file->tensor_count;
            int64_t layer = 0, element = 0, index = 0;
            if (!scalar) {
                if (buffer->unit < 0 && buffer->tensor < 0)
                    return false;
                if (!sim_view_element(machine, rank, &view, i, -1, &tensor, &layer, &element))
                    continue;
                index = layer * sim_tensor_elements(&file->tensors[tensor]) + element;
            }
            if (index < 0 || index >= sim_value_count(file, tensor))
                return false;
            if (!visit(user, &view, sim_view_offset(&view, i), tensor, index))
                return false;
        }
    }
    return true;
}

typedef struct Transfer {
    SimPool *pool;
    const SimFile *file;
    Values *values;
    int64_t copy;
} Transfer;

static bool take_number(void *user, const SimView *view, int64_t offset, int tensor, int64_t index)
{
    Transfer *transfer = user;
    if (!transfer->values->of[tensor])
        transfer->values->of[tensor] =
            sim_array(transfer->pool, SimWord, sim_copies(transfer->file) * sim_value_count(transfer->file, tensor));
    transfer->values->of[tensor][transfer->copy * sim_value_count(transfer->file, tensor) + index] =
        view->data[offset].value;
    return true;
}

static bool put_number(void *user, const SimView *view, int64_t offset, int tensor, int64_t index)
{
    Transfer *transfer = user;
    if (!transfer->values->of[tensor])
        return true;
    int64_t at = transfer->copy * sim_value_count(transfer->file, tensor) + index;
    SimNumber number = {.value = transfer->values->of[tensor][at], .tangent = sim_integer(0).value};
    sim_put(view, offset, number);
    return true;
}

Values *sim_values_new(SimPool *pool, const SimFile *file)
{
    Values *values = sim_array(pool, Values, file->state_count + 1);
    for (int s = 0; s < file->state_count; s++) {
        values[s].of = sim_array(pool, SimWord *, file->tensor_count + 1);
        values[s].sizes = sim_array(pool, SimReal, file->tensor_count + 1);
    }
    return values;
}

static bool each_state(SimMachine *machine, Values *states, SimVisit *visit)
{
    for (int r = 0; r < machine->rank_count; r++)
        for (int b = 0; b < machine->program->buffer_count; b++) {
            const SimBuffer *buffer = &machine->program->buffers[b];
            if (!buffer->persistent || buffer->state < 0)
                continue;
            Transfer transfer = {machine->pool, machine->file, &states[buffer->state], sim_copy_of(machine, r)};
            if (!sim_each_element(machine, r, b, visit, &transfer))
                return false;
        }
    return true;
}

bool sim_take_states(SimMachine *machine, Values *states)
{
    return each_state(machine, states, take_number);
}

bool sim_put_states(SimMachine *machine, Values *states)
{
    return each_state(machine, states, put_number);
}

static bool takes_roots_of(SimStateKind kind)
{
    return kind == SIM_STATE_OPTIMIZER || kind == SIM_STATE_STATISTICS;
}

/* Parameters and moments that are nobody's beginning, others on every copy; what an optimizer takes roots of is
 * positive. */
static Values *drawn_states(Maker *maker, const Values *after_init)
{
    const SimFile *file = maker->file;
    Values *states = sim_values_new(maker->pool, file);
    for (int s = 0; s < file->state_count; s++)
        for (int t = 0; t <= file->tensor_count; t++) {
            if (!after_init[s].of[t])
                continue;
            int64_t count = sim_copies(file) * sim_value_count(file, t);
            states[s].of[t] = sim_array(maker->pool, SimWord, count);
            memcpy(states[s].of[t], after_init[s].of[t], sizeof(SimWord) * (size_t)count);
            for (int64_t i = 0; file->states[s].per_parameter && i < count; i++) {
                uint64_t hash = sim_mix(sim_mix(maker->oracle->draw, 0x73746174), (uint64_t)(s * 1000 + t));
                SimNumber number = sim_drawn(sim_mix(hash, (uint64_t)i));
                if (sim_arithmetic == SIM_REAL && takes_roots_of(file->states[s].kind))
                    number.value.real = sim_magnitude(number.value);
                states[s].of[t][i] = number.value;
            }
        }
    return states;
}

/* ---- Gradients along a direction ---------------------------------------------------------------------------- */

static SimNumber direction_at(const Maker *maker, int tensor, int64_t index)
{
    uint64_t hash = sim_mix(sim_mix(maker->oracle->draw, 0x64697265), (uint64_t)tensor);
    return sim_drawn(sim_mix(hash, (uint64_t)index));
}

static bool set_direction(void *user, const SimView *view, int64_t offset, int tensor, int64_t index)
{
    const Maker *maker = user;
    if (tensor < maker->file->tensor_count && !maker->file->tensors[tensor].frozen)
        view->data[offset].tangent = direction_at(maker, tensor, index).value;
    return true;
}

static void stop_at_loss(SimMachine *machine, const SimIssue *issue, void *user)
{
    Maker *maker = user;
    if (!issue->op->of->sink || strcmp(issue->op->output_name, "loss") != 0)
        return;
    maker->slope[issue->rank] = issue->operands[0].data[0].tangent;
    machine->stopped = ++maker->losses_seen == machine->rank_count;
}

/* d loss / d direction, from the states before the step, on a machine of its own. */
static void differentiate(Maker *maker, SimMachine *machine, Values *states, int step)
{
    machine->before = stop_at_loss;
    machine->user = maker;
    maker->losses_seen = 0;
    if (!sim_put_states(machine, states))
        maker_fail(maker, "a buffer does not fit its state");
    for (int b = 0; b < machine->program->buffer_count; b++) {
        const SimBuffer *buffer = &machine->program->buffers[b];
        if (buffer->persistent && buffer->state >= 0 && maker->file->states[buffer->state].per_parameter &&
            maker->file->states[buffer->state].kind == SIM_STATE_PARAMETERS)
            for (int r = 0; r < machine->rank_count; r++)
                sim_each_element(machine, r, b, set_direction, maker);
    }
    if (!sim_machine_run(machine, "step", step))
        maker_fail(maker, "%s", machine->fault);
    else if (maker->losses_seen < machine->rank_count)
        maker_fail(maker, "no output \"loss\"");
}

static bool is_gradient(const SimMachine *machine, const SimBuffer *buffer)
{
    return buffer->state >= 0 && machine->file->states[buffer->state].kind == SIM_STATE_GRADIENTS &&
           (buffer->tensor >= 0 || buffer->unit >= 0);
}

/* The last operator that makes a gradient is the last that writes one without reading one; what is copied there (an
 * earlier step's) was made before. No buffer needs to have the state of gradients. */
static void count_operators(SimMachine *machine, const SimIssue *issue, void *user)
{
    Maker *maker = user;
    const SimOp *op = issue->op;
    if (issue->rank != 0)
        return;
    maker->operators[0]++;
    maker->has_gradients = maker->has_gradients || op->of->gradient > 0;
    if (!op->has_out || !is_gradient(machine, issue->out.buffer) || strcmp(op->of->name, "copy") == 0)
        return;
    for (int o = 0; o < op->operand_count; o++)
        if (is_gradient(machine, issue->operands[o].buffer))
            return;
    maker->last_gradient = maker->operators[0];
    maker->has_gradients = true;
}

static void find_last_gradient(Maker *maker, SimMachine *machine, Values *states)
{
    sim_put_states(machine, states);
    machine->before = NULL;
    machine->after = count_operators;
    machine->user = maker;
    maker->operators[0] = maker->last_gradient = 0;
    if (!sim_machine_run(machine, "step", 1))
        maker_fail(maker, "%s", machine->fault);
    machine->after = NULL;
}

/* Of gradients and the direction. */
typedef struct Product {
    const Maker *maker;
    SimNumber sum, size;
} Product;

static void add_term(Product *product, SimWord gradient, int tensor, int64_t index)
{
    if (tensor < product->maker->file->tensor_count && product->maker->file->tensors[tensor].frozen)
        return;
    SimNumber term = sim_mul((SimNumber){.value = gradient, .tangent = sim_integer(0).value},
                             direction_at(product->maker, tensor, index));
    product->sum = sim_add(product->sum, term);
    product->size.value.real += sim_magnitude(term.value);
}

static bool add_element(void *user, const SimView *view, int64_t offset, int tensor, int64_t index)
{
    add_term(user, view->data[offset].value, tensor, index);
    return true;
}

/* What the cotangent of the loss is multiplied by: the state "loss_scale", where there is one. */
static SimNumber loss_scale(SimMachine *machine, int rank)
{
    for (int b = 0; b < machine->program->buffer_count; b++) {
        const SimBuffer *buffer = &machine->program->buffers[b];
        if (buffer->persistent && buffer->state >= 0 &&
            strcmp(machine->file->states[buffer->state].name, "loss_scale") == 0)
            return (SimNumber){.value = sim_machine_view(machine, rank, b, 0).data[0].value,
                               .tangent = sim_integer(0).value};
    }
    return sim_integer(1);
}

static void compare_slope(Maker *maker, int64_t copy, const Product *product, SimNumber scale)
{
    char own[64], dual[64];
    SimNumber expected = sim_mul((SimNumber){.value = maker->slope[copy], .tangent = sim_integer(0).value}, scale);
    if (!sim_equal(product->sum.value, expected.value, sim_arithmetic == SIM_REAL ? product->size.value.real : 0))
        maker_fail(maker, "the gradients along a direction give %s, by dual numbers %s",
                   sim_show(product->sum.value, own, sizeof own), sim_show(expected.value, dual, sizeof dual));
}

/* The gradients that the reference made, against those of its forward part. */
static void check_gradients(SimMachine *machine, const SimIssue *issue, void *user)
{
    Maker *maker = user;
    int rank = issue->rank;
    if (++maker->operators[rank] != maker->last_gradient || maker->losses_seen == 0)
        return;
    Product product = {maker, sim_integer(0), sim_real(0, 0)};
    for (int b = 0; b < machine->program->buffer_count; b++)
        if (is_gradient(machine, &machine->program->buffers[b]) &&
            !sim_each_element(machine, rank, b, add_element, &product))
            maker_fail(maker, "gradient '%s' does not fit its parameter", machine->program->buffers[b].name);
    compare_slope(maker, rank, &product, loss_scale(machine, rank));
}

/* The first update of an element: later ones may read what that wrote to the gradient. */
static bool is_first_update(const Expected *expected, int update)
{
    const UpdateGradient *of = &expected->updates[update];
    for (int u = 0; u < update; u++)
        if (expected->updates[u].tensor == of->tensor && expected->updates[u].layer == of->layer &&
            expected->updates[u].copy == of->copy)
            return false;
    return true;
}

/* Where gradients are no state: what updates read, which nothing may have changed since it was made (clipped it). */
static void check_updates(Maker *maker, int64_t copy)
{
    const Expected *expected = maker->expected;
    Product product = {maker, sim_integer(0), sim_real(0, 0)};
    for (int u = 0; u < expected->update_count; u++) {
        const UpdateGradient *update = &expected->updates[u];
        int64_t elements = sim_tensor_elements(&maker->file->tensors[update->tensor]);
        for (int64_t i = 0; i < elements && update->copy == copy && is_first_update(expected, u); i++)
            add_term(&product, update->gradient[i], update->tensor, update->layer * elements + i);
    }
    compare_slope(maker, copy, &product, sim_integer(1));
}

/* ---- The reference's routines ------------------------------------------------------------------------------- */

/* Where an update's state is: what it writes may be a temporary, of which a part is chosen later. */
static const SimView *updated_state(const SimIssue *issue)
{
    for (int o = 0; o < issue->op->operand_count; o++)
        if (issue->operands[o].buffer->persistent && o != issue->op->of->gradient - 1)
            return &issue->operands[o];
    return &issue->out;
}

bool sim_updated_layer(const SimMachine *machine, const SimIssue *issue, int *tensor, int64_t *layer)
{
    const SimView *out = updated_state(issue);
    int64_t element;
    int own = issue->op->tensor;
    if (!issue->op->of->gradient || issue->out.elements == 0)
        return false;
    if (own < 0 && out->buffer->unit < 0 && out->buffer->tensor < 0)
        return false;
    sim_view_element(machine, issue->rank, out, 0, own, tensor, layer, &element);
    return true;
}

static void note_update(SimMachine *machine, const SimIssue *issue, void *user)
{
    Maker *maker = user;
    UpdateGradient update = {.of = issue->op->of, .copy = issue->rank};
    if (!sim_updated_layer(machine, issue, &update.tensor, &update.layer))
        return;
    const SimView *gradient = &issue->operands[issue->op->of->gradient - 1];
    if (gradient->elements != sim_tensor_elements(&maker->file->tensors[update.tensor])) {
        maker_fail(maker, "line %d does not update one parameter", issue->op->line);
        return;
    }
    update.gradient = sim_array(maker->pool, SimWord, gradient->elements);
    for (int64_t i = 0; i < gradient->elements; i++)
        update.gradient[i] = gradient->data[sim_view_offset(gradient, i)].value;
    update.size = sim_largest(update.gradient, gradient->elements);
    Expected *expected = maker->expected;
    expected->updates = sim_pool_grow(maker->pool, expected->updates, expected->update_count, sizeof(UpdateGradient));
    expected->updates[expected->update_count++] = update;
}

static void measure(const Maker *maker, Values *states)
{
    for (int s = 0; s < maker->file->state_count; s++)
        for (int t = 0; t <= maker->file->tensor_count; t++)
            if (states[s].of[t])
                states[s].sizes[t] =
                    sim_largest(states[s].of[t], sim_copies(maker->file) * sim_value_count(maker->file, t));
}

static void run_stage(Maker *maker, int stage)
{
    SimMachine *machine = maker->machine;
    bool trains = !strcmp(maker->oracle->stages[stage].routine, "step");
    memset(maker->operators, 0, sizeof maker->operators);
    maker->expected = &maker->oracle->after[stage];
    machine->before = trains ? note_update : NULL;
    machine->after = trains ? check_gradients : NULL;
    machine->user = maker;
    bool runs = maker->oracle->stages[stage].of_reference;
    if (runs && !sim_machine_run(machine, maker->oracle->stages[stage].routine, stage)) {
        maker_fail(maker, "%s", machine->fault);
        return;
    }
    for (int64_t copy = 0; copy < sim_copies(maker->file); copy++)
        if (trains && maker->losses_seen > 0 && maker->last_gradient == 0)
            check_updates(maker, copy);
    maker->expected->output_count = runs ? machine->output_count : 0;
    maker->expected->outputs = machine->outputs;
    maker->expected->states = sim_values_new(maker->pool, maker->file);
    if (!sim_take_states(machine, maker->expected->states))
        maker_fail(maker, "a buffer does not fit its state");
    measure(maker, maker->expected->states);
}

static void add_stage(Maker *maker, const char *routine, bool of_reference, bool of_program)
{
    SimOracle *oracle = maker->oracle;
    oracle->stages = sim_pool_grow(maker->pool, oracle->stages, oracle->stage_count, sizeof(Stage));
    oracle->stages[oracle->stage_count++] = (Stage){routine, of_reference, of_program};
}

/* After which steps a routine of that name runs; 0: after none. */
static int64_t every_of(const SimProgram *program, const char *routine)
{
    const SimRoutine *found = sim_routine(program, routine);
    return found ? found->every : 0;
}

/* What the two do after the step with this number. */
static void add_between(Maker *maker, int64_t step)
{
    const SimProgram *reference = &maker->file->reference;
    for (int r = 0; r < reference->routine_count; r++) {
        const char *name = reference->routines[r].name;
        int64_t expected = reference->routines[r].every, found = every_of(&maker->file->program, name);
        bool of_reference = expected > 0 && step % expected == 0, of_program = found > 0 && step % found == 0;
        if (of_reference || of_program)
            add_stage(maker, name, of_reference, of_program);
    }
}

/* Between so many steps nothing new is seen; the first of two different moments that are further away comes after them.
 */
static void add_last(Maker *maker, const SimRoutine *routine)
{
    int64_t expected = routine->every, found = every_of(&maker->file->program, routine->name);
    int64_t first = expected < found ? expected : found;
    if (expected > 0 && found > 0 && expected != found && first > maker->oracle->steps)
        add_stage(maker, routine->name, expected == first, found == first);
    add_stage(maker, routine->name, true, true);
}

static void name_stages(Maker *maker, int steps)
{
    const SimProgram *reference = &maker->file->reference;
    maker->oracle->steps = steps;
    add_stage(maker, "init", true, true);
    for (int64_t step = 1; step <= steps; step++) {
        add_stage(maker, "step", true, true);
        add_between(maker, step);
    }
    for (int r = 0; r < reference->routine_count; r++)
        if (strcmp(reference->routines[r].name, "init") != 0 && strcmp(reference->routines[r].name, "step") != 0)
            add_last(maker, &reference->routines[r]);
    maker->oracle->after = sim_array(maker->pool, Expected, maker->oracle->stage_count);
}

SimOracle *sim_oracle_new(SimPool *pool, const SimFile *file, int steps, uint64_t draw, char *message,
                          size_t message_size)
{
    Maker maker = {.pool = pool, .file = file, .message = message, .message_size = message_size};
    message[0] = '\0';
    maker.oracle = sim_new(pool, SimOracle);
    maker.oracle->draw = draw;
    maker.oracle->arithmetic = sim_arithmetic;
    name_stages(&maker, steps);
    if (sim_not_one_device(file))
        maker_fail(&maker, "no program of one device: %s", sim_not_one_device(file));
    maker.machine = sim_machine_new(pool, file, &file->reference, draw);
    SimMachine *forward = sim_machine_new(pool, file, &file->reference, draw);
    if (!maker.failed)
        run_stage(&maker, 0);
    if (!maker.failed) {
        maker.oracle->start = drawn_states(&maker, maker.oracle->after[0].states);
        sim_put_states(maker.machine, maker.oracle->start);
        if (!file->changed)
            find_last_gradient(&maker, forward, maker.oracle->start);
    }
    Values *states = maker.oracle->start;
    for (int stage = 1; stage < maker.oracle->stage_count && !maker.failed; stage++) {
        bool trains = !strcmp(maker.oracle->stages[stage].routine, "step");
        maker.losses_seen = 0;
        /* Reals show that the functions are what they are called; one step does. */
        if (trains && maker.has_gradients && (sim_arithmetic == SIM_FIELD || stage == 1))
            differentiate(&maker, forward, states, stage);
        if (!maker.failed)
            run_stage(&maker, stage);
        states = maker.oracle->after[stage].states;
    }
    return maker.failed ? NULL : maker.oracle;
}

bool sim_lacks_places(const char *message)
{
    return strstr(message, SIM_NO_PLACE) != NULL;
}

bool sim_oracles_new(SimOracles *oracles, SimPool *pool, const SimFile *file, int steps, int real_steps, uint64_t draw,
                     char *message, size_t message_size)
{
    for (int arithmetic = SIM_FIELD; arithmetic <= SIM_REAL; arithmetic++) {
        sim_arithmetic = (SimArithmetic)arithmetic;
        oracles->of[arithmetic] =
            sim_oracle_new(pool, file, arithmetic == SIM_REAL ? real_steps : steps, draw, message, message_size);
        if (!oracles->of[arithmetic])
            return false;
    }
    return true;
}

/* simulate.c - puts saved tensors into the simulator's memory, and takes them out again. */
#include "tests/printed/simulate.h"

#include "tests/printed/communications.h"

#include "tests/sim/expected.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Step {
    SimPool *pool;
    const SimFile *file;
    SimMachine *machine;
    Simulated *result;
    char *message;
    size_t message_size;
    bool failed;
} Step;

static bool step_fail(Step *step, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool step_fail(Step *step, const char *format, ...)
{
    va_list args;
    if (!step->failed) {
        va_start(args, format);
        vsnprintf(step->message, step->message_size, format, args);
        va_end(args);
    }
    step->failed = true;
    return false;
}

/* ---- Names -------------------------------------------------------------------------------------------------- */

/* "adam_m/block.1.fc.weight", of one of several copies "adam_m.1/block.1.fc.weight"; of a scalar, which has the tensor
 * after the last, the state's name alone. */
static const char *saved_name(const Step *step, const char *whole, int64_t copy, int tensor, int64_t layer)
{
    static char name[512];
    char state[256];
    bool several = sim_copies(step->file) > 1;
    snprintf(state, sizeof state, several ? "%s.%lld" : "%s", whole, (long long)copy);
    if (tensor == step->file->tensor_count) {
        snprintf(name, sizeof name, "%s", state);
        return name;
    }
    const SimTensor *row = &step->file->tensors[tensor];
    const char *group = row->group >= 0 ? step->file->groups[row->group].name : "";
    size_t length = strlen(group);
    if (length > 0)
        snprintf(name, sizeof name, "%s/%s.%lld%s", state, group, (long long)layer, row->name + length);
    else
        snprintf(name, sizeof name, "%s/%s", state, row->name);
    return name;
}

static int64_t layers_of(const Step *step, int tensor)
{
    bool grouped = tensor < step->file->tensor_count && step->file->tensors[tensor].group >= 0;
    return grouped ? step->file->groups[step->file->tensors[tensor].group].layers : 1;
}

/* Appends a tensor of numbers that the simulator has. */
static void keep(SavedFile *file, const char *name, const SimWord *numbers, int64_t count)
{
    file->tensors = realloc(file->tensors, sizeof(SavedTensor) * (size_t)(file->count + 1));
    double *values = malloc(sizeof(double) * (size_t)(count + 1));
    if (file->tensors == NULL || values == NULL)
        exit(2);
    for (int64_t i = 0; i < count; i++)
        values[i] = (double)numbers[i].real;
    file->tensors[file->count++] = (SavedTensor){strdup(name), values, count};
}

/* ---- States and batches ------------------------------------------------------------------------------------- */

/* Calls `visit` for each layer of each state that the program has. */
typedef bool Visit(Step *step, const char *name, SimWord *numbers, int64_t count, const SavedFile *file);

static bool each_layer(Step *step, Values *states, const SavedFile *file, Visit *visit)
{
    for (int s = 0; s < step->file->state_count; s++)
        for (int t = 0; t <= step->file->tensor_count; t++) {
            int64_t layers = layers_of(step, t), places = sim_value_count(step->file, t) / layers;
            int64_t count = sim_layer_numbers(step->file, s, t);
            if (!states[s].of[t] || step->file->states[s].kind == SIM_STATE_GRADIENTS)
                continue;
            for (int64_t i = 0; i < layers * sim_copies(step->file); i++)
                if (!visit(step, saved_name(step, step->file->states[s].name, i / layers, t, i % layers),
                           states[s].of[t] + i * places, count, file))
                    return false;
        }
    return true;
}

static bool put_layer(Step *step, const char *name, SimWord *numbers, int64_t count, const SavedFile *file)
{
    const SavedTensor *saved = safetensors_find(file, name);
    if (saved == NULL || saved->count != count)
        return step_fail(step, "%s is missing in the file, or of another size", name);
    for (int64_t i = 0; i < count; i++)
        numbers[i] = sim_real((SimReal)saved->values[i], 0).value;
    return true;
}

static bool keep_layer(Step *step, const char *name, SimWord *numbers, int64_t count, const SavedFile *file)
{
    (void)file;
    keep(&step->result->states, name, numbers, count);
    return true;
}

static bool take_input(Step *step, const char *name, const SimTensor *input, const SavedFile *inputs, SimWord *given)
{
    const SavedTensor *saved = safetensors_find(inputs, name);
    if (saved == NULL || saved->count != sim_tensor_elements(input))
        return step_fail(step, "%s is missing in the file, or of another size", name);
    for (int64_t i = 0; i < saved->count; i++)
        given[i] = input->is_integer ? sim_integer((int64_t)saved->values[i]).value
                                     : sim_real((SimReal)saved->values[i], 0).value;
    return true;
}

static SimWord **take_inputs(Step *step, const SavedFile *inputs)
{
    SimWord **given = sim_array(step->pool, SimWord *, step->file->tensor_count + 1);
    for (int t = 0; t < step->file->tensor_count; t++) {
        const SimTensor *input = &step->file->tensors[t];
        if (!input->is_input)
            continue;
        int64_t copies = sim_copies(step->file), count = sim_tensor_elements(input);
        given[t] = sim_array(step->pool, SimWord, copies * count + 1);
        for (int64_t copy = 0; copy < copies; copy++)
            if (!take_input(step, saved_name(step, "inputs", copy, t, 0), input, inputs, given[t] + copy * count))
                return given;
    }
    return given;
}

/* ---- The step ----------------------------------------------------------------------------------------------- */

/* The first update that reads a layer's gradient: later ones may read what it wrote. */
static void keep_gradient(SimMachine *machine, const SimIssue *issue, void *user)
{
    Step *step = user;
    int tensor;
    int64_t layer;
    if (!sim_updated_layer(step->machine, issue, &tensor, &layer))
        return;
    const char *name = saved_name(step, "gradients", sim_copy_of(machine, issue->rank), tensor, layer);
    if (safetensors_find(&step->result->gradients, name) != NULL)
        return;
    const SimView *gradient = &issue->operands[issue->op->of->gradient - 1];
    SimWord *numbers = sim_array(step->pool, SimWord, gradient->elements + 1);
    for (int64_t i = 0; i < gradient->elements; i++)
        numbers[i] = gradient->data[sim_view_offset(gradient, i)].value;
    keep(&step->result->gradients, name, numbers, gradient->elements);
}

/* Means over all ranks, as over copies: those of a copy hand out the same. */
static void take_outputs(Step *step)
{
    Handed *handed = &step->result->handed;
    const struct {
        const char *name;
        double *number;
    } rows[] = {
        {"loss", &handed->loss}, {"gradient_norm", &handed->gradient_norm}, {"learning_rate", &handed->learning_rate}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        double sum = 0;
        int count = 0;
        for (int o = 0; o < step->machine->output_count; o++)
            if (strcmp(step->machine->outputs[o].name, rows[r].name) == 0) {
                sum += (double)step->machine->outputs[o].numbers[0].value.real;
                count++;
            }
        *rows[r].number = count > 0 ? sum / count : NAN;
    }
}

/* Appends what each rank has communicated in the routine that was run last. */
static void take_communications(Step *step)
{
    Simulated *result = step->result;
    result->ranks = step->machine->rank_count;
    if (result->communications == NULL)
        result->communications = calloc((size_t)result->ranks, sizeof(char *));
    for (int r = 0; r < result->ranks && result->communications != NULL; r++) {
        char *before = result->communications[r], *after = communications_of(step->machine, r), *both = NULL;
        if (asprintf(&both, "%s%s", before != NULL ? before : "", after) < 0)
            exit(2);
        result->communications[r] = both;
        free(before);
        free(after);
    }
}

/* After its own init, whose numbers are others, every state gets what was saved. */
static bool run(Step *step, bool of_reference, int64_t number, const SavedFile *states, const SavedFile *inputs)
{
    const SimProgram *program = of_reference ? &step->file->reference : &step->file->program;
    step->machine = sim_machine_new(step->pool, step->file, program, 1);
    if (!sim_machine_run(step->machine, "init", 0))
        return step_fail(step, "init: %s", step->machine->fault);
    Values *values = sim_values_new(step->pool, step->file);
    if (!sim_take_states(step->machine, values) || !each_layer(step, values, states, put_layer) ||
        !sim_put_states(step->machine, values))
        return step_fail(step, "a buffer does not fit its state");
    step->machine->given = take_inputs(step, inputs);
    step->machine->before = of_reference ? keep_gradient : NULL;
    step->machine->user = step;
    if (step->failed || !sim_machine_run(step->machine, "step", 1))
        return step_fail(step, "step: %s", step->machine->fault);
    take_outputs(step);
    take_communications(step);
    const SimRoutine *join = sim_routine(program, "join");
    if (join != NULL && number % join->every == 0) {
        if (!sim_machine_run(step->machine, "join", 1))
            return step_fail(step, "join: %s", step->machine->fault);
        take_communications(step);
    }
    return sim_take_states(step->machine, values) && each_layer(step, values, NULL, keep_layer);
}

bool simulate_step(const char *step_text, bool of_reference, int64_t number, const SavedFile *states,
                   const SavedFile *inputs, Simulated *result, char *message, size_t message_size)
{
    *result = (Simulated){.handed = {NAN, NAN, NAN}};
    message[0] = '\0';
    Step step = {.pool = sim_pool_new(), .result = result, .message = message, .message_size = message_size};
    sim_arithmetic = SIM_REAL;
    sim_draws_endless = false; /* all numbers of the built program are finite */
    step.file = sim_read(step.pool, step_text, message, message_size);
    bool good = step.file != NULL && run(&step, of_reference, number, states, inputs);
    sim_pool_free(step.pool);
    return good;
}

void simulated_free(Simulated *result)
{
    safetensors_free(&result->states);
    safetensors_free(&result->gradients);
    for (int r = 0; r < result->ranks; r++)
        free(result->communications[r]);
    free(result->communications);
}

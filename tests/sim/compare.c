/* compare.c - every rank of a program against what one device computes. */
#include "tests/sim/expected.h"
#include "tests/sim/saved.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { OTHER_DRAWS = 8, ROUNDINGS = 4 };

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
    bool **covered;   /* per state and tensor */
    int wrong_tensor; /* of an update's gradient, where it last differed */
    int64_t wrong_element;
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

/* ---- States ------------------------------------------------------------------------------------------------- */

static bool compare_number(void *user, const SimView *view, int64_t offset, int tensor, int64_t index)
{
    Judge *judge = user;
    int64_t count = sim_value_count(judge->file, tensor), at = sim_copy_of(judge->machine, judge->rank) * count + index;
    const SimWord *expected = judge->expected->states[judge->buffer->state].of[tensor];
    const char *state = judge->file->states[judge->buffer->state].name;
    const char *name = tensor < judge->file->tensor_count ? judge->file->tensors[tensor].name : "";
    SimReal size = judge->expected->states[judge->buffer->state].sizes[tensor];
    if (!expected) {
        judge_different(judge, judge->rank, "state %s of '%s' is not the reference's", state, name);
        return true;
    }
    bool **covered = &judge->covered[judge->buffer->state * (judge->file->tensor_count + 1) + tensor];
    if (!*covered)
        *covered = sim_array(judge->machine->pool, bool, sim_copies(judge->file) * count);
    (*covered)[at] = true;
    if (judge->different)
        return true;
    char got[64], wanted[64];
    SimWord value = view->data[offset].value;
    if (sim_is_unwritten(view, offset))
        judge_different(judge, judge->rank, "state %s of '%s' in '%s', element %" PRId64 " was not written", state,
                        name, judge->buffer->name, index);
    else if (!sim_equal(value, expected[at], size))
        judge_different(judge, judge->rank, "state %s of '%s' in '%s', element %" PRId64 ": %s, one device %s", state,
                        name, judge->buffer->name, index, sim_show(value, got, sizeof got),
                        sim_show(expected[at], wanted, sizeof wanted));
    return true;
}

static void compare_coverage(Judge *judge)
{
    for (int s = 0; s < judge->file->state_count; s++)
        for (int t = 0; t <= judge->file->tensor_count; t++) {
            if (!judge->expected->states[s].of[t])
                continue;
            const bool *covered = judge->covered[s * (judge->file->tensor_count + 1) + t];
            int64_t count = sim_value_count(judge->file, t);
            for (int64_t i = 0; i < sim_copies(judge->file) * count; i++)
                if (sim_state_has(judge->file, s, t, i % count) && (!covered || !covered[i])) {
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
            if (!sim_each_element(machine, judge->rank, b, compare_number, judge))
                judge_different(judge, judge->rank, "'%s' does not fit its state", judge->buffer->name);
        }
    compare_coverage(judge);
}

/* ---- Outputs ------------------------------------------------------------------------------------------------ */

/* The reference has a rank per copy. */
static const SimOutput *find_output(const SimOutput *outputs, int count, const char *name, int64_t copy)
{
    for (int o = 0; o < count; o++)
        if (outputs[o].rank == copy && !strcmp(outputs[o].name, name))
            return &outputs[o];
    return NULL;
}

static void compare_output(Judge *judge, const SimOutput *output)
{
    const SimOutput *wanted = find_output(judge->expected->outputs, judge->expected->output_count, output->name,
                                          sim_copy_of(judge->machine, output->rank));
    if (!wanted || wanted->count != output->count) {
        judge_different(judge, output->rank, "output '%s' is not the reference's", output->name);
        return;
    }
    SimReal size = 0;
    for (int64_t i = 0; i < wanted->count; i++)
        if (sim_magnitude(wanted->numbers[i].value) > size)
            size = sim_magnitude(wanted->numbers[i].value);
    char got[64], one[64];
    for (int64_t i = 0; i < wanted->count; i++)
        if (!sim_equal(output->numbers[i].value, wanted->numbers[i].value, size))
            judge_different(judge, output->rank, "output '%s', element %" PRId64 ": %s, one device %s", output->name, i,
                            sim_show(output->numbers[i].value, got, sizeof got),
                            sim_show(wanted->numbers[i].value, one, sizeof one));
}

static bool gives(const SimMachine *machine, int rank, const char *name)
{
    for (int o = 0; o < machine->output_count; o++)
        if (machine->outputs[o].rank == rank && !strcmp(machine->outputs[o].name, name))
            return true;
    return false;
}

/* Whoever hands something out hands out what the reference does under that name, and every rank does. */
static void compare_outputs(Judge *judge)
{
    const SimMachine *machine = judge->machine;
    const Expected *expected = judge->expected;
    for (int o = 0; o < machine->output_count; o++)
        compare_output(judge, &machine->outputs[o]);
    for (int o = 0; o < expected->output_count; o++)
        for (int rank = 0; rank < machine->rank_count; rank++)
            if (!gives(machine, rank, expected->outputs[o].name))
                judge_different(judge, rank, "output '%s' is missing", expected->outputs[o].name);
}

/* ---- Gradient operands of updates --------------------------------------------------------------------------- */

/* Whether what an update reads is the gradient of layer `layer` of the parameters it is over. */
static bool matches_layer(Judge *judge, const SimIssue *issue, const SimView *gradient, int64_t wanted)
{
    for (int64_t i = 0; i < gradient->elements; i++) {
        int tensor;
        int64_t layer, element;
        if (!sim_view_element(judge->machine, issue->rank, gradient, i, issue->op->tensor, &tensor, &layer, &element))
            continue;
        const UpdateGradient *expected = NULL;
        for (int u = 0; u < judge->expected->update_count; u++) {
            const UpdateGradient *update = &judge->expected->updates[u];
            if (update->of == issue->op->of && update->tensor == tensor &&
                update->copy == sim_copy_of(judge->machine, issue->rank) &&
                (judge->file->tensors[tensor].group < 0 || update->layer == wanted))
                expected = update;
        }
        if (!expected || element >= sim_tensor_elements(&judge->file->tensors[tensor]) ||
            !sim_equal(gradient->data[sim_view_offset(gradient, i)].value, expected->gradient[element],
                       expected->size)) {
            judge->wrong_tensor = tensor;
            judge->wrong_element = element;
            return false;
        }
    }
    return true;
}

static void compare_update(SimMachine *machine, const SimIssue *issue, void *user)
{
    (void)machine;
    Judge *judge = user;
    if (!issue->op->of->gradient || judge->expected->update_count == 0 || judge->different)
        return;
    const SimView *gradient = &issue->operands[issue->op->of->gradient - 1];
    if (gradient->buffer->unit < 0 && gradient->buffer->tensor < 0 && issue->op->tensor < 0)
        return; /* nothing says whose gradient it is; the states will tell */
    int64_t layers = 1;
    for (int g = 0; g < judge->file->group_count; g++)
        if (judge->file->groups[g].layers > layers)
            layers = judge->file->groups[g].layers;
    bool found = false;
    for (int64_t layer = 0; layer < layers && !found; layer++)
        found = matches_layer(judge, issue, gradient, layer);
    if (!found)
        judge_different(judge, issue->rank,
                        "line %d: %s reads '%s', which is no gradient of one device: not of '%s', element %" PRId64,
                        issue->op->line, issue->op->of->name, gradient->buffer->name,
                        judge->file->tensors[judge->wrong_tensor].name, judge->wrong_element);
}

/* ---- Verdicts ----------------------------------------------------------------------------------------------- */

SimVerdict sim_compare(SimPool *scratch, const SimFile *file, const SimOracle *oracle, uint64_t chance, char *message,
                       size_t message_size)
{
    sim_arithmetic = oracle->arithmetic;
    SimMachine *machine = sim_machine_new(scratch, file, &file->program, oracle->draw);
    machine->chance = sim_mix(machine->chance, chance);
    Judge judge = {.file = file, .machine = machine, .message = message, .message_size = message_size};
    machine->before = compare_update;
    machine->user = &judge;
    message[0] = '\0';
    for (judge.stage = 0; judge.stage < oracle->stage_count && !judge.different; judge.stage++) {
        judge.expected = &oracle->after[judge.stage];
        judge.routine = oracle->stages[judge.stage].routine;
        if (judge.stage == 1)
            sim_put_states(machine, oracle->start);
        machine->output_count = 0;
        if (oracle->stages[judge.stage].of_program && !sim_machine_run(machine, judge.routine, judge.stage)) {
            snprintf(message, message_size, "%s %d: %s", judge.routine, judge.stage, machine->fault);
            return SIM_FAULTED;
        }
        compare_outputs(&judge);
        compare_states(&judge);
    }
    return judge.different ? SIM_DIFFERENT : SIM_EQUAL;
}

/* Started operators may read early or late: two orders of chance where there are any. */
static SimVerdict compare_orders(SimPool *scratch, const SimFile *file, const SimOracle *oracle, char *message,
                                 size_t message_size)
{
    SimVerdict verdict = SIM_EQUAL;
    for (uint64_t chance = 0; chance < (file->program.has_events ? 3 : 1) && verdict == SIM_EQUAL; chance++)
        verdict = sim_compare(scratch, file, oracle, chance, message, message_size);
    return verdict;
}

static bool same_numbers(const SimWord *a, const SimWord *b, int64_t count, SimReal size)
{
    for (int64_t i = 0; i < count; i++)
        if (!sim_equal(a[i], b[i], size))
            return false;
    return true;
}

static bool same_states(const SimFile *file, const Expected *a, const Expected *b)
{
    for (int s = 0; s < file->state_count; s++)
        for (int t = 0; t <= file->tensor_count; t++)
            if (a->states[s].of[t] &&
                !same_numbers(a->states[s].of[t], b->states[s].of[t], sim_value_count(file, t), a->states[s].sizes[t]))
                return false;
    return true;
}

static bool same_gradients(const SimFile *file, const Expected *a, const Expected *b)
{
    for (int u = 0; u < a->update_count; u++) {
        const UpdateGradient *update = &a->updates[u];
        if (!same_numbers(update->gradient, b->updates[u].gradient, sim_tensor_elements(&file->tensors[update->tensor]),
                          update->size))
            return false;
    }
    return true;
}

static bool same_outputs(const Expected *a, const Expected *b)
{
    for (int o = 0; o < a->output_count; o++)
        for (int64_t i = 0; i < a->outputs[o].count; i++)
            if (!sim_equal(a->outputs[o].numbers[i].value, b->outputs[o].numbers[i].value, 0))
                return false;
    return true;
}

/* Whether one device differs from itself where it rounds otherwise, as it does where training diverges, or where a
 * gradient that is zero but for rounding is divided by its size: then reals tell nothing. */
static bool is_all_rounding(SimPool *scratch, const SimFile *file, const SimOracle *oracle)
{
    char message[256];
    bool same = true;
    sim_arithmetic = SIM_REAL;
    for (uint64_t rounding = 1; rounding <= ROUNDINGS && same; rounding++) {
        sim_rounding = rounding;
        const SimOracle *other = sim_oracle_new(scratch, file, oracle->steps, oracle->draw, message, sizeof message);
        sim_rounding = 0;
        for (int stage = 0; other && stage < oracle->stage_count && same; stage++)
            same = same_outputs(&oracle->after[stage], &other->after[stage]) &&
                   same_states(file, &oracle->after[stage], &other->after[stage]) &&
                   same_gradients(file, &oracle->after[stage], &other->after[stage]);
    }
    return !same;
}

/* Different in reals: whether it is in the field too, for another draw. */
static SimVerdict compare_again(SimPool *scratch, const SimFile *file, const SimOracles *oracles, SimVerdict real)
{
    char message[256];
    const SimOracle *oracle = oracles->of[SIM_FIELD];
    for (uint64_t draw = oracle->draw + 1; draw <= oracle->draw + OTHER_DRAWS; draw++) {
        sim_arithmetic = SIM_FIELD;
        const SimOracle *other = sim_oracle_new(scratch, file, oracle->steps, draw, message, sizeof message);
        if (other && compare_orders(scratch, file, other, message, sizeof message) != SIM_EQUAL)
            return real;
    }
    return is_all_rounding(scratch, file, oracles->of[SIM_REAL]) ? SIM_EQUAL : SIM_CONFUSED;
}

SimVerdict sim_compare_both(SimPool *scratch, const SimFile *file, const SimOracles *oracles, bool thorough,
                            char *message, size_t message_size)
{
    SimVerdict read = sim_read_saved(scratch, file, message, message_size);
    if (read != SIM_EQUAL)
        return read;
    SimVerdict field = compare_orders(scratch, file, oracles->of[SIM_FIELD], message, message_size);
    if (field == SIM_FAULTED || (field == SIM_DIFFERENT && !thorough))
        return field;
    char other[256];
    SimVerdict real = compare_orders(scratch, file, oracles->of[SIM_REAL], other, sizeof other);
    if (real == field)
        return field;
    if (field == SIM_DIFFERENT && real == SIM_EQUAL)
        return SIM_LAWFUL;
    snprintf(message, message_size, "%s", other);
    return compare_again(scratch, file, oracles, real);
}

SimVerdict sim_judge(const char *text, int steps, uint64_t draw, char *message, size_t message_size)
{
    SimPool *pool = sim_pool_new();
    SimOracles oracles;
    const SimFile *file = sim_read(pool, text, message, message_size);
    SimVerdict verdict = SIM_FAULTED;
    if (file && sim_oracles_new(&oracles, pool, file, steps, steps, draw, message, message_size))
        verdict = sim_compare_both(pool, file, &oracles, true, message, message_size);
    sim_pool_free(pool);
    return verdict;
}

const char *sim_verdict_name(SimVerdict verdict)
{
    static const char *const names[SIM_VERDICT_COUNT] = {
        [SIM_EQUAL] = "equal",
        [SIM_DIFFERENT] = "different",
        [SIM_FAULTED] = "cannot run",
        [SIM_LAWFUL] = "different in the field only",
        [SIM_CONFUSED] = "different in reals only: a fault of the simulator",
    };
    return names[verdict];
}

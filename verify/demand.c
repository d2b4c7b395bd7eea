/* demand.c - demands equality with one device at outputs, at the gradients of updates, and in every persistent
 * buffer. */
#include "verify/demand.h"

#include "verify/copies.h"

#include <string.h>

enum { MOST_SUMMED = 64 };

/* The reference's states at the end of the routine, by (state, tensor, layer), hashed. */
typedef struct StateEntry {
    int state, tensor;
    int64_t layer;
    Combo *combo;
    bool seen; /* some buffer of the program stores all pieces of it */
} StateEntry;

typedef struct StateTable {
    Machine *reference, *program;
    StateEntry *entry;
    int capacity;
    bool ambiguous; /* the reference stores it twice, with different values (reported) */
    Faults *faults;
    RoutineKind routine;
} StateTable;

static StateEntry *state_entry(StateTable *table, int state, int tensor, int64_t layer)
{
    uint64_t hash = hash_mix(hash_mix((uint64_t)layer, (uint64_t)tensor), (uint64_t)state);
    uint32_t slot = (uint32_t)(hash >> 32) & (uint32_t)(table->capacity - 1);
    for (;; slot = (slot + 1) & (uint32_t)(table->capacity - 1)) {
        StateEntry *entry = &table->entry[slot];
        if (entry->combo == NULL || (entry->state == state && entry->tensor == tensor && entry->layer == layer))
            return entry;
    }
}

/* The reference stores a state twice, with different values: the program can match only one. Reported for `init`. */
static void report_ambiguous(StateTable *table, const Buffer *buffer)
{
    const Decls *decls = table->reference->decls;
    if (!table->ambiguous && table->routine == ROUTINE_INIT)
        diag_report(table->reference->ctx->diag, P0334, buffer->span,
                    "the reference stores state '%s' twice: which is its value?",
                    decls->states.data[buffer->state].name);
    table->ambiguous = true;
}

static void enter_expected(void *context, int buffer, int64_t slot, int cell, int tensor, int64_t layer)
{
    StateTable *table = context;
    (void)slot;
    const Buffer *stored = &table->reference->program->buffers.data[buffer];
    int state = stored->state;
    Combo *combo = machine_settle(table->reference, cell);
    StateEntry *entry = state_entry(table, state, tensor, layer);
    if (entry->combo != NULL)
        report_ambiguous(table, stored);
    *entry = (StateEntry){.state = state, .tensor = tensor, .layer = layer, .combo = combo};
}

static void compare_state(void *context, int buffer, int64_t slot, int cell, int tensor, int64_t layer)
{
    StateTable *table = context;
    int state = table->program->program->buffers.data[buffer].state;
    Combo *found = machine_settle(table->program, cell);
    StateEntry *entry = state_entry(table, state, tensor, layer);
    Fault fault = {.kind = FAULT_STATE,
                   .routine = table->routine,
                   .buffer = buffer,
                   .state = state,
                   .tensor = tensor,
                   .layer = layer,
                   .found = found,
                   .expected = entry->combo};
    if (entry->combo != NULL)
        entry->seen = entry->seen || machine_stores_whole(table->program, buffer, slot, tensor, layer);
    if (found == NULL)
        fault.found = combo_poison(table->program->table, POISON_UNWRITTEN, NULL, -1, 0, NULL);
    if (entry->combo == NULL || !combo_equal(fault.found, entry->combo))
        vec_push(table->program->table->scratch, &table->faults->list, fault);
}

static void compare_states(Machine *reference, Machine *program, RoutineKind routine, Faults *faults)
{
    StateTable table = {.reference = reference, .program = program, .faults = faults, .routine = routine};
    table.capacity = 64;
    while (table.capacity < 2 * reference->cell_count)
        table.capacity *= 2;
    table.entry = arena_array(program->table->scratch, StateEntry, table.capacity);
    machine_visit_states(reference, enter_expected, &table);
    machine_visit_states(program, compare_state, &table);
    for (int i = 0; i < table.capacity; i++) {
        const StateEntry *entry = &table.entry[i];
        if (entry->combo == NULL || entry->seen)
            continue;
        Fault fault = {.kind = FAULT_MISSING,
                       .routine = routine,
                       .buffer = -1,
                       .state = entry->state,
                       .tensor = entry->tensor,
                       .layer = entry->layer,
                       .expected = entry->combo};
        vec_push(program->table->scratch, &faults->list, fault);
    }
}

static void add_output_fault(Machine *program, Faults *faults, Fault fault)
{
    fault.buffer = fault.state = fault.tensor = -1;
    vec_push(program->table->scratch, &faults->list, fault);
}

/* Is the output produced? If only some ranks produce it, that is a fault. */
static bool is_given(Machine *program, const char *name, RoutineKind routine, Faults *faults)
{
    int classes = 0;
    bool *gives = arena_array(program->table->scratch, bool, program->class_count);
    const Output *some = NULL;
    for (int i = 0; i < program->outputs.count; i++) {
        const Output *output = &program->outputs.data[i];
        if (strcmp(name, output->op->output) != 0)
            continue;
        classes += !gives[output->class];
        gives[output->class] = true;
        some = output;
    }
    if (some == NULL || classes >= program->class_count)
        return some != NULL;
    Combo *found = combo_poison(program->table, POISON_VARYING, some->op, 0, program->enumerated, some->combo);
    add_output_fault(program, faults,
                     (Fault){FAULT_OUTPUT, routine, some->op, .found = found, .expected = some->combo});
    return true;
}

/* Constants have no dims, so equal contents do not imply that two outputs have the same shape. */
static bool has_dims_of(Machine *reference, Machine *program, const Op *expected, const Op *found)
{
    View one, other;
    view_make(reference->program, &expected->operand[0], true, &one);
    view_make(program->program, &found->operand[0], false, &other);
    return one.dim_count == other.dim_count &&
           memcmp(one.size, other.size, sizeof *one.size * (size_t)one.dim_count) == 0;
}

static void report_shape(Machine *program, const Op *found, const Op *expected)
{
    Diagnostic *d = diag_report(program->ctx->diag, P0334, found->span,
                                "output '%s' does not have the dims of one device's", found->output);
    diag_label(d, expected->span, "one device's");
}

static void compare_outputs(Machine *reference, Machine *program, RoutineKind routine, Faults *faults)
{
    for (int i = 0; i < program->outputs.count; i++) {
        const Output *found = &program->outputs.data[i];
        const Op *other = NULL;
        Combo *expected = NULL;
        for (int j = 0; j < reference->outputs.count; j++) { /* an output given twice must equal both */
            const Output *output = &reference->outputs.data[j];
            if (strcmp(output->op->output, found->op->output) != 0)
                continue;
            if (!has_dims_of(reference, program, output->op, found->op))
                other = output->op;
            else if (expected == NULL || combo_equal(found->combo, expected))
                expected = output->combo;
        }
        if (other != NULL) {
            report_shape(program, found->op, other);
            continue;
        }
        if (expected != NULL && combo_equal(found->combo, expected))
            continue;
        add_output_fault(program, faults,
                         (Fault){FAULT_OUTPUT, routine, found->op, .found = found->combo, .expected = expected});
    }
    for (int j = 0; j < reference->outputs.count; j++) {
        if (is_given(program, reference->outputs.data[j].op->output, routine, faults))
            continue;
        const Output *missing = &reference->outputs.data[j];
        add_output_fault(program, faults, (Fault){FAULT_MISSING, routine, missing->op, .expected = missing->combo});
    }
}

/* The reference's updates, by the state they replace. */
typedef struct UpdateTable {
    const Update **entry;
    uint32_t capacity;
} UpdateTable;

static uint32_t update_slot(const UpdateTable *table, const Update *update)
{
    return (uint32_t)(hash_mix(update->state->id, update->op->kind) >> 32) & (table->capacity - 1);
}

static UpdateTable update_table(const Machine *reference)
{
    UpdateTable table = {.capacity = 64};
    while (table.capacity < 2 * (uint32_t)reference->updates.count)
        table.capacity *= 2;
    table.entry = arena_array(reference->table->scratch, const Update *, table.capacity);
    for (int i = 0; i < reference->updates.count; i++) {
        const Update *update = &reference->updates.data[i];
        if (update->state == NULL)
            continue;
        uint32_t slot = update_slot(&table, update);
        while (table.entry[slot & (table.capacity - 1)] != NULL)
            slot++;
        table.entry[slot & (table.capacity - 1)] = update;
    }
    return table;
}

static const Update *find_update(const UpdateTable *table, const Update *update)
{
    for (uint32_t slot = update_slot(table, update);; slot++) {
        const Update *candidate = table->entry[slot & (table->capacity - 1)];
        if (candidate == NULL || (candidate->state == update->state && candidate->op->kind == update->op->kind))
            return candidate;
    }
}

/* Do the gradients of all rank classes along an enumerated axis add up to one device's? Returns the axis, or 0. */
static AxisMask axes_apart(Machine *program, const Update *update, const Combo *expected)
{
    for (int a = 0; a < program->decls->axes.count; a++) {
        if (!(program->enumerated >> a & 1))
            continue;
        Combo *sum = combo_new(program->table);
        for (int i = 0; i < program->updates.count; i++) {
            const Update *other = &program->updates.data[i];
            const int64_t *here = program->classes[update->class].coordinate;
            const int64_t *there = program->classes[other->class].coordinate;
            bool along = other->op == update->op && other->state == update->state && other->gradient->poison == NULL;
            for (int b = 0; b < program->decls->axes.count; b++)
                along = along && (a == b || here[b] == there[b]);
            if (along)
                combo_add(program->table, sum, other->gradient, rational_make(1, 1), NULL);
        }
        if (combo_normalize(program->table, sum) && combo_equal(sum, expected))
            return (AxisMask)1 << a;
    }
    return 0;
}

static void compare_gradients(Machine *reference, Machine *program, RoutineKind routine, Faults *faults)
{
    UpdateTable table = update_table(reference);
    for (int i = 0; i < program->updates.count; i++) {
        const Update *update = &program->updates.data[i];
        if (update->state == NULL)
            continue;
        const Update *expected = find_update(&table, update);
        if (expected == NULL || combo_equal(update->gradient, expected->gradient))
            continue;
        const Value *state = update->state;
        Fault fault = {.kind = FAULT_GRADIENT,
                       .routine = routine,
                       .op = update->op,
                       .buffer = -1,
                       .state = state->leaf.state,
                       .tensor = state->leaf.tensor,
                       .layer = state->leaf.layer,
                       .found = update->gradient,
                       .expected = expected->gradient};
        if (program->enumerated != 0 && faults->list.count < MOST_SUMMED)
            fault.apart = axes_apart(program, update, expected->gradient);
        vec_push(program->table->scratch, &faults->list, fault);
    }
}

void demand_routine(Machine *reference, Machine *program, const Routine *expected, const Routine *found, Faults *faults)
{
    machine_run(reference, expected);
    if (!reference->stopped)
        machine_run(program, found);
    if (reference->stopped || program->stopped) /* reported: the contents mean nothing */
        return;
    compare_gradients(reference, program, found->kind, faults);
    compare_outputs(reference, program, found->kind, faults);
    compare_states(reference, program, found->kind, faults);
}

bool demand_again(Arena *arena, const StepFile *file, RoutineKind routine, Rerun *run)
{
    *run = (Rerun){.ctx = {.arena = arena, .strings = str_table_new(arena), .sources = sources_new(arena)}};
    run->ctx.diag = diag_new(arena, run->ctx.sources);
    run->table = table_new(arena, run->ctx.strings, file->decls);
    run->reference = machine_new(&run->ctx, run->table, file->reference, true);
    run->program = machine_new(&run->ctx, run->table, file->program, false);
    const Routine *expected = program_routine(file->reference, routine),
                  *found = program_routine(file->program, routine);
    if (expected == NULL || found == NULL || run->reference->stopped || run->program->stopped)
        return false;
    copies_check(&run->ctx, file->program);
    demand_routine(run->reference, run->program, expected, found, &run->faults);
    return diag_error_count(run->ctx.diag) == 0;
}

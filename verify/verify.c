/* verify.c - runs the proof in order: shapes, dataflow of every routine against the reference, the schedule. */
#include "verify/verify.h"

#include "verify/changed.h"
#include "verify/checkpoint.h"
#include "verify/copies.h"
#include "verify/demand.h"
#include "verify/diagnose.h"
#include "verify/schedule.h"

#include <string.h>

/* ---- Layouts ------------------------------------------------------------------------------------------------ */

/* Are these, on every rank, layers of the model, and is there a slot for each? */
static bool layers_fit(const Decls *decls, const Buffer *buffer, int64_t least, int64_t most)
{
    AxisMask named = affine_axes(decls, &buffer->first_layer) | affine_axes(decls, &buffer->last_layer);
    int64_t coordinate[STEP_MAX_AXES] = {0};
    int axis = 0;
    do {
        int64_t first = affine_at(decls, &buffer->first_layer, coordinate, NULL);
        int64_t last = affine_at(decls, &buffer->last_layer, coordinate, NULL);
        int64_t count = last - first + 1, runs = buffer->layer_runs, every = buffer->layer_every;
        if (count > 0 && (first < least || last + (runs - 1) * every > most || count > buffer->slots / runs ||
                          buffer->slots % runs != 0 || (runs > 1 && every < count)))
            return false;
        for (axis = 0; axis < decls->axes.count; axis++) {
            if (!(named >> axis & 1))
                continue;
            if (++coordinate[axis] < decls->axes.data[axis].size)
                break;
            coordinate[axis] = 0;
        }
    } while (axis < decls->axes.count);
    return true;
}

static bool has_dims_of(const Buffer *buffer, const State *state, const Tensor *tensor)
{
    int first;
    bool same = buffer->dim_count == each_dims(state->each, tensor->dim_count, &first);
    for (int d = 0; same && d < buffer->dim_count; d++)
        same = buffer->dims[d].size == tensor->dims[first + d];
    return same;
}

static bool dense_fits(const Decls *decls, const Buffer *buffer)
{
    const State *state = &decls->states.data[buffer->state];
    if (!state->per_parameter)
        return buffer->dim_count == 0 && buffer->slots == 1 && buffer->tensor < 0;
    if (buffer->tensor < 0)
        return false;
    const Tensor *tensor = &decls->tensors.data[buffer->tensor];
    int64_t layers = tensor->group >= 0 ? decls->groups.data[tensor->group].layers : 1;
    bool slots = buffer->has_layers ? layers_fit(decls, buffer, 0, layers - 1) : buffer->slots == layers;
    if (!has_dims_of(buffer, state, tensor) || !slots)
        return false;
    for (int d = 0; d < buffer->dim_count; d++) {
        if (buffer->dims[d].halo_before + buffer->dims[d].halo_after > 0 || buffer->dims[d].padded)
            return false;
        for (int i = 0; i < buffer->dims[d].cut_count; i++)
            if (buffer->dims[d].cut[i] == CUT_MICRO)
                return false;
    }
    return true;
}

/* The axes with more than one rank that cut a member of a unit. */
static AxisMask member_axes(const Decls *decls, const Unit *unit, int member)
{
    Dim dims[STEP_MAX_DIMS];
    AxisMask mask = 0;
    unit_member_dims(decls, unit, member, dims);
    for (int d = 0; d < decls->tensors.data[unit->members[member]].dim_count; d++)
        for (int i = 0; i < dims[d].cut_count; i++)
            mask |= decls->axes.data[dims[d].cut[i]].size > 1 ? (AxisMask)1 << dims[d].cut[i] : 0;
    return mask;
}

/* The members of a unit must be cut over the same axes, and the slots over none of these: that would leave out all
 * pieces off the diagonal. (That no axis cuts two dims of an array or member holds for every layout.) */
static bool members_fit(const Decls *decls, const Buffer *buffer)
{
    const Unit *unit = &decls->units.data[buffer->unit];
    AxisMask slots = 0;
    for (int i = 0; i < buffer->cut_count; i++)
        slots |= (AxisMask)1 << buffer->cut[i];
    for (int m = 0; m < unit->member_count && unit->member_dims != NULL; m++) {
        AxisMask axes = member_axes(decls, unit, m);
        if (axes != member_axes(decls, unit, 0) || (axes & slots) != 0)
            return false;
    }
    return true;
}

/* A buffer declared to hold a state must have the state's dims; it may have any number of slots. */
static void check_shape(Ctx *ctx, const Decls *decls, const Buffer *buffer)
{
    if (buffer->layout != LAYOUT_DENSE || buffer->state < 0 || buffer->tensor < 0 ||
        has_dims_of(buffer, &decls->states.data[buffer->state], &decls->tensors.data[buffer->tensor]))
        return;
    diag_report(ctx->diag, P0334, buffer->span, "'%s' does not have the dims of '%s', whose state it names",
                buffer->name, decls->tensors.data[buffer->tensor].name);
}

/* A buffer that stores a state has its shape and a slot for every layer. */
static void check_layouts(Ctx *ctx, const Program *program)
{
    const Decls *decls = program->decls;
    for (int b = 0; b < program->buffers.count; b++) {
        const Buffer *buffer = &program->buffers.data[b];
        if (buffer->layout == LAYOUT_UNIT && !members_fit(decls, buffer))
            diag_report(ctx->diag, P0334, buffer->span, "an axis cuts '%s' twice, or its members differently",
                        buffer->name);
        if (!buffer->persistent) {
            check_shape(ctx, decls, buffer);
            continue;
        }
        bool fits = buffer->state >= 0;
        if (fits && buffer->layout == LAYOUT_UNIT) {
            const Unit *unit = &decls->units.data[buffer->unit];
            fits = decls->states.data[buffer->state].per_parameter &&
                   decls->states.data[buffer->state].each == buffer->each &&
                   (buffer->has_layers ? layers_fit(decls, buffer, unit->first_layer, unit->last_layer)
                                       : buffer->slots == unit->last_layer - unit->first_layer + 1);
        } else if (fits) {
            fits = dense_fits(decls, buffer);
        }
        if (fits && buffer->dtype != decls->states.data[buffer->state].dtype)
            diag_report(ctx->diag, P0334, buffer->span, "'%s' stores state '%s', which is %s, as %s", buffer->name,
                        decls->states.data[buffer->state].name, dtype_name(decls->states.data[buffer->state].dtype),
                        dtype_name(buffer->dtype));
        if (!fits)
            diag_report(ctx->diag, P0334, buffer->span,
                        "persistent buffer '%s' does not have the shape of the state it stores", buffer->name);
    }
}

/* ---- The reference ------------------------------------------------------------------------------------------ */

/* Coordinates on axes of copies are fine here: copies_check limits their use. */
static bool affine_has_coordinates(const Decls *decls, const Affine *affine)
{
    for (int i = 0; i < affine->term_count; i++)
        if (affine->term[i].variable < 0 && !decls->axes.data[affine_axis(decls, affine->term[i].variable)].copies)
            return true;
    return false;
}

static bool op_has_ranks(const Decls *decls, const Op *op)
{
    const Affine *index = op_index(op);
    bool ranks =
        affine_has_coordinates(decls, &op->out.slot) || (index != NULL && affine_has_coordinates(decls, index));
    for (int i = 0; i < op->axes.count; i++)
        ranks = ranks || !decls->axes.data[op->axes.axis[i]].copies;
    for (int i = 0; i < op->operand_count; i++)
        ranks = ranks || affine_has_coordinates(decls, &op->operand[i].slot);
    for (int a = 0; a < decls->axes.count && op->kind == OP_INIT; a++)
        ranks = ranks || op->seed.per_axis[a] != 0;
    return ranks;
}

static bool node_has_ranks(const Decls *decls, const Node *node)
{
    switch (node->kind) {
    case NODE_OP:
        return op_has_ranks(decls, node->op);
    case NODE_LOOP:
        return affine_has_coordinates(decls, &node->loop.first) || affine_has_coordinates(decls, &node->loop.last);
    case NODE_GUARD:
        return affine_has_coordinates(decls, &node->guard.value);
    case NODE_WAIT:
        return false;
    }
    BUG("a node of kind %d", (int)node->kind);
}

/* The reference runs sequentially on the whole batch: no streams, events or microbatches. */
static bool node_has_order(const Node *node)
{
    switch (node->kind) {
    case NODE_OP:
        return node->op->event >= 0 || node->op->stream != 0;
    case NODE_LOOP:
        return node->loop.kind == LOOP_MICRO;
    case NODE_GUARD:
        return false;
    case NODE_WAIT:
        return true;
    }
    BUG("a node of kind %d", (int)node->kind);
}

static void check_one_device(Ctx *ctx, const Decls *decls, const NodeList *nodes)
{
    for (int i = 0; i < nodes->count; i++) {
        const Node *node = nodes->data[i];
        if (node_has_ranks(decls, node))
            diag_report(ctx->diag, P0334, node->span, "the reference runs on one device, and has no axes");
        else if (node_has_order(node))
            diag_report(ctx->diag, P0334, node->span,
                        "the reference does one thing after another with the whole batch: it has no events, streams "
                        "and microbatches");
        check_one_device(ctx, decls, &node->body);
    }
}

static bool dims_are_cut(const Dim *dims, int count)
{
    for (int d = 0; d < count; d++)
        if (dims[d].cut_count > 0)
            return true;
    return false;
}

/* By an axis, even one of size 1, or by microbatches: the buffer itself or the members of its unit. */
static bool is_cut(const Decls *decls, const Buffer *buffer)
{
    if (buffer->layout == LAYOUT_DENSE)
        return dims_are_cut(buffer->dims, buffer->dim_count);
    const Unit *unit = &decls->units.data[buffer->unit];
    bool cut = buffer->cut_count > 0;
    for (int m = 0; m < unit->member_count && unit->member_dims != NULL; m++)
        cut =
            cut || dims_are_cut(&unit->member_dims[m * STEP_MAX_DIMS], decls->tensors.data[unit->members[m]].dim_count);
    return cut;
}

/* One device, the whole batch, and separate memory for every buffer. */
static void check_one_memory(Ctx *ctx, const Program *reference)
{
    for (int b = 0; b < reference->buffers.count; b++) {
        const Buffer *buffer = &reference->buffers.data[b];
        if (is_cut(reference->decls, buffer) || buffer->held || buffer->has_layers)
            diag_report(ctx->diag, P0334, buffer->span, "the reference runs on one device, and has no axes");
        else if (buffer->tier != TIER_DEVICE || buffer->offset >= 0)
            diag_report(ctx->diag, P0334, buffer->span,
                        "the reference has memory of its own for everything: it has no other tiers, and no offsets");
    }
}

/* Program and reference must run on the same schedule: init, then steps, and the same routines every so many steps. */
static void check_every(Ctx *ctx, const Routine *expected, const Routine *found)
{
    if (found->every == expected->every)
        return;
    Diagnostic *d =
        diag_report(ctx->diag, P0361, found->span, "copies are joined after every %lld steps, and %lld are asked for",
                    (long long)found->every, (long long)expected->every);
    diag_counter_example(d, "after step %lld\n%-12s %s joined\n%-12s %s joined",
                         (long long)(found->every < expected->every ? found->every : expected->every), "the program",
                         found->every < expected->every ? "has" : "has not", "1 device",
                         found->every < expected->every ? "has not" : "has");
}

/* The reference is trusted, but it must describe one device: otherwise there is nothing to compare with. */
static bool is_one_device(Ctx *ctx, const Program *reference)
{
    int errors = diag_error_count(ctx->diag);
    check_one_memory(ctx, reference);
    for (int i = 0; i < reference->routines.count; i++)
        check_one_device(ctx, reference->decls, &reference->routines.data[i].body);
    return diag_error_count(ctx->diag) == errors;
}

/* The reference must have every routine that the program has. */
static bool check_reference(Ctx *ctx, const StepFile *file)
{
    int errors = diag_error_count(ctx->diag);
    static const RoutineKind needed[] = {ROUTINE_INIT, ROUTINE_STEP};
    const Program *reference = file->reference;
    for (int a = 0; a < file->decls->axes.count; a++)
        if (file->decls->axes.data[a].copies && strcmp(file->decls->contract, "exact") == 0)
            diag_report(ctx->diag, P0334, file->decls->axes.data[a].span,
                        "ranks along '%s' are copies, and the contract is exact", file->decls->axes.data[a].name);
    for (int i = 0; i < 2; i++)
        if (program_routine(reference, needed[i]) == NULL)
            diag_report(ctx->diag, P0334, (Span){0}, "the reference has no routine '%s'", routine_name(needed[i]));
    for (int i = 0; i < file->program->routines.count; i++) {
        RoutineKind kind = file->program->routines.data[i].kind;
        const Routine *expected = program_routine(reference, kind);
        if (expected == NULL)
            diag_report(ctx->diag, P0334, (Span){0}, "the reference has no routine '%s', and the program has",
                        routine_name(kind));
        else
            check_every(ctx, expected, &file->program->routines.data[i]);
    }
    return diag_error_count(ctx->diag) == errors;
}

/* ---- The proof ---------------------------------------------------------------------------------------------- */

static void judge(Verdict *verdict, const Faults *faults)
{
    for (int i = 0; i < faults->list.count; i++)
        switch (faults->list.data[i].kind) {
        case FAULT_OUTPUT:
        case FAULT_GRADIENT:
            verdict->gradient_integrity = false;
            break;
        case FAULT_STATE:
            verdict->state_consistency = false;
            break;
        case FAULT_MISSING:
            verdict->gradient_integrity &= faults->list.data[i].state >= 0;
            verdict->state_consistency &= faults->list.data[i].state < 0;
            break;
        }
}

static bool has_gradient_fault(const Faults *faults)
{
    for (int i = 0; i < faults->list.count; i++)
        if (faults->list.data[i].kind == FAULT_GRADIENT)
            return true;
    return false;
}

/* Reports gradients that are wrong before clipping, each by its own fault. False if none is: then the clipping is
 * wrong. */
static bool diagnose_unclipped(Ctx *ctx, const StepFile *file, RoutineKind routine, Reported *reported)
{
    Arena *arena = arena_new();
    const StepFile *unclipped = unclipped_file(arena, file, routine);
    Rerun run = {0};
    if (unclipped != NULL)
        demand_again(arena, unclipped, routine, &run);
    bool found = has_gradient_fault(&run.faults);
    if (found)
        diagnose(ctx, unclipped, run.reference, run.program, &run.faults, reported);
    arena_free(arena);
    return found;
}

/* False if the program could not be followed to its end. *machine: the machine that followed it. */
static bool prove(Ctx *ctx, const StepFile *file, Verdict *verdict, Arena *arena, const Machine **machine)
{
    bool apart = copies_check(ctx, file->reference);
    apart = copies_check(ctx, file->program) && apart;
    if (!apart || !is_one_device(ctx, file->reference))
        return false;
    Table *table = table_new(arena, ctx->strings, file->decls);
    Machine *reference = machine_new(ctx, table, file->reference, true);
    Machine *program = machine_new(ctx, table, file->program, false);
    Reported reported = {0};
    bool followed = !program->stopped && !reference->stopped;
    if (check_reference(ctx, file) && followed)
        check_layouts(ctx, file->reference);
    if (followed)
        check_layouts(ctx, file->program);
    check_checkpoint(ctx, file);
    for (int i = 0; i < file->reference->routines.count && followed; i++) {
        const Routine *expected = &file->reference->routines.data[i];
        const Routine *found = program_routine(file->program, expected->kind);
        if (found == NULL) {
            diag_report(ctx->diag, P0334, (Span){0}, "the program has no routine '%s'", routine_name(expected->kind));
            continue;
        }
        table->scratch = arena_new();
        Faults faults = {0};
        demand_routine(reference, program, expected, found, &faults);
        judge(verdict, &faults);
        if (!has_gradient_fault(&faults) || !diagnose_unclipped(ctx, file, expected->kind, &reported))
            diagnose(ctx, file, reference, program, &faults, &reported);
        arena_free(table->scratch);
        followed = !program->stopped && !reference->stopped;
    }
    verdict->followed = reference->steps + program->steps;
    *machine = program;
    return followed;
}

bool verify_run(Ctx *ctx, const StepFile *file, Verdict *verdict)
{
    int errors = diag_error_count(ctx->diag);
    *verdict = (Verdict){.gradient_integrity = true, .state_consistency = true, .contract = file->decls->contract};
    Arena *arena = arena_new();
    const Machine *machine;
    if (prove(ctx, file, verdict, arena, &machine)) {
        schedule_check_reference(ctx, file->reference);
        schedule_check(ctx, file->program, machine->unwritten, machine->zero_padding);
    }
    arena_free(arena);
    bool right = verdict->gradient_integrity && verdict->state_consistency;
    if (diag_error_count(ctx->diag) > errors && right) /* shapes, unwritten reads, order: nothing may rely on these */
        right = verdict->gradient_integrity = verdict->state_consistency = false;
    return right;
}

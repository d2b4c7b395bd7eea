/* waste.c - finds communication of a verified step program that could be saved, and cuts that cut nothing, with the
 * bytes of each.
 *
 * Findings come from the last step program, after it was verified, so it does not matter whether a conversion was
 * written by the deriver or by a `sync`. Only cuts over axes of size 1, which no program shows, come from the
 * strategy's assignment. Each finding is reported once per line of the program, for everything that the line causes.
 */
#include "plan/plan.h"

#include "base/change.h"
#include "plan/walk.h"
#include <string.h>

/* An operator of the step, in program order. */
typedef struct Site {
    const Op *op;
    const NodeList *list; /* the list that contains it */
    bool micro;           /* inside the loop over microbatches */
} Site;

typedef struct Finding {
    DiagCode code;
    Span span, other;      /* the line that causes it, and another line involved */
    AxisMask axes, others; /* their meaning depends on the code */
    int64_t bytes, better; /* sent or held now, and with the better alternative */
    int64_t memory;        /* additional memory that the alternative needs */
} Finding;
typedef Vec(Finding) FindingVec;

typedef struct Waste {
    Ctx *ctx;
    const Plan *plan;
    const Assignment *assignment;
    const Program *program;
    const Decls *decls;
    Vec(Site) sites;
    int64_t coordinates[STEP_MAX_AXES]; /* of the current rank, */
    int64_t *times;                     /* how often it runs each operator in a step, by id, */
    FindingVec findings;                /* and what it could save */
} Waste;

/* ---- The step as a list ------------------------------------------------------------------------------------- */

static void list_sites(Waste *waste, const NodeList *body, bool micro)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        if (node->kind == NODE_OP)
            vec_push(waste->ctx->arena, &waste->sites, (Site){node->op, body, micro});
        else
            list_sites(waste, &node->body, micro || (node->kind == NODE_LOOP && node->loop.kind == LOOP_MICRO));
    }
}

/* ---- Helpers ------------------------------------------------------------------------------------------------ */

static const Buffer *buffer_of(const Waste *waste, const Ref *ref)
{
    return &waste->program->buffers.data[ref->buffer];
}

/* The layers, or other slots, that the current rank uses. */
static int64_t slots_here(const Waste *waste, const Buffer *buffer)
{
    int64_t slots = walk_slots(waste->decls, buffer, waste->coordinates);
    return slots > 1 ? slots : 1;
}

/* The number of microbatches in which an operator runs that works on every layer of the buffer, in whatever loops. */
static int64_t op_trips(const Waste *waste, const Op *op, const Buffer *buffer)
{
    return waste->times[op->id] / slots_here(waste, buffer);
}

static bool is_whole_unit(const Waste *waste, const Ref *ref)
{
    return buffer_of(waste, ref)->layout == LAYOUT_UNIT && ref->member < 0;
}

static AxisMask op_axes(const Waste *waste, const Op *op)
{
    AxisMask axes = 0;
    for (int i = 0; i < op->axes.count; i++)
        if (waste->decls->axes.data[op->axes.axis[i]].size > 1)
            axes |= (AxisMask)1 << op->axes.axis[i];
    return axes;
}

static int64_t axes_size(const Waste *waste, AxisMask axes)
{
    int64_t size = 1;
    for (int a = 0; a < waste->decls->axes.count; a++)
        if (axes >> a & 1)
            size *= waste->decls->axes.data[a].size;
    return size;
}

/* "data, node" */
static const char *axes_names(const Waste *waste, AxisMask axes)
{
    Text text = {.arena = waste->ctx->arena};
    text_add_bytes(&text, "", 0);
    for (int a = 0; a < waste->decls->axes.count; a++)
        if (axes >> a & 1)
            text_add(&text, "%s%s", text.length > 0 ? ", " : "", waste->decls->axes.data[a].name);
    return text.data;
}

/* What one device would send for an operator in a step if it went over these axes and `parts` cut its value. */
static int64_t sent_over(const Waste *waste, const Op *op, Collective kind, AxisMask axes, int64_t parts)
{
    PlanCall call = plan_describe_call(waste->program, op, 1);
    return waste->times[op->id] * plan_optimal_bytes(kind, axes_size(waste, axes), call.payload_bytes / parts);
}

static int64_t sent(const Waste *waste, const Op *op)
{
    return sent_over(waste, op, op_collective(op->kind), op_axes(waste, op), 1);
}

static const char *bytes_text(const Waste *waste, int64_t bytes)
{
    return str_bytes(waste->ctx->arena, bytes);
}

/* A finding with the same code and line; NULL if there is none. */
static Finding *find_same(const FindingVec *findings, const Finding *finding)
{
    for (int i = 0; i < findings->count; i++) {
        Finding *known = &findings->data[i];
        if (known->code == finding->code && span_equal(known->span, finding->span) && known->axes == finding->axes &&
            known->others == finding->others)
            return known;
    }
    return NULL;
}

/* One finding per code and line: later ones are added to it. */
static void add_finding(Waste *waste, Finding finding)
{
    Finding *known = find_same(&waste->findings, &finding);
    if (known == NULL) {
        vec_push(waste->ctx->arena, &waste->findings, finding);
        return;
    }
    known->bytes += finding.bytes;
    known->better += finding.better;
    known->memory += finding.memory;
}

/* ---- P0354, P0355: whole values of which only a part is used -------------------------------------------------- */

/* The axes over which every operator after `from` that reads the buffer slices it; 0 if one does not. */
static AxisMask sliced_axes(const Waste *waste, int from, int buffer, Span *span)
{
    AxisMask axes = 0;
    for (int i = from; i < waste->sites.count; i++) {
        const Op *op = waste->sites.data[i].op;
        bool reads = op_has_result(op->kind) && op->out.buffer == buffer && (op->accumulate || op->out.member >= 0);
        for (int k = 0; k < op->operand_count; k++)
            reads |= op->operand[k].buffer == buffer;
        if (!reads)
            continue;
        if (op->kind != OP_SLICE || op->operand[0].member >= 0 || (axes != 0 && axes != op_axes(waste, op)))
            return 0;
        axes = op_axes(waste, op);
        *span = op->span;
    }
    return axes;
}

/* A sum of which each rank uses only its part: a reduce-scatter would have produced just that. */
static void find_part_of_sum(Waste *waste, int index)
{
    const Site *site = &waste->sites.data[index];
    const Op *op = site->op;
    Finding finding = {.code = P0354, .span = op->span, .axes = op_axes(waste, op)};
    if (op->kind != OP_ALL_REDUCE || site->micro || !is_whole_unit(waste, &op->out) ||
        buffer_of(waste, &op->out)->persistent)
        return;
    finding.others = sliced_axes(waste, index + 1, op->out.buffer, &finding.other);
    if (finding.others == 0 || (finding.others & ~finding.axes) != 0)
        return;
    finding.bytes = sent(waste, op);
    finding.better =
        sent_over(waste, op, COLLECTIVE_REDUCE_SCATTER, finding.others, 1) +
        sent_over(waste, op, COLLECTIVE_ALL_REDUCE, finding.axes & ~finding.others, axes_size(waste, finding.others));
    add_finding(waste, finding);
}

/* A gathered copy that is then only sliced. */
static void find_part_of_gather(Waste *waste, int index)
{
    const Op *op = waste->sites.data[index].op;
    Finding finding = {.code = P0355, .span = op->span};
    if (op->kind != OP_ALL_GATHER || !is_whole_unit(waste, &op->out) || buffer_of(waste, &op->out)->persistent)
        return;
    AxisMask from = op_axes(waste, op), to = sliced_axes(waste, 0, op->out.buffer, &finding.other);
    if (to == 0)
        return;
    finding.axes = from < to ? from : to; /* both directions are one finding */
    finding.others = from < to ? to : from;
    finding.bytes = sent(waste, op);
    finding.better = sent_over(waste, op, COLLECTIVE_ALL_GATHER, from & ~to, axes_size(waste, from & to));
    add_finding(waste, finding);
}

/* ---- P0356: reductions of values that are replicated ---------------------------------------------------------- */

/* Axes on which the result may differ even if the operands do not. */
static AxisMask own_axes(const Waste *waste, const Op *op)
{
    const Affine *index = op_index(op);
    AxisMask axes = affine_axes(waste->decls, &op->out.slot) | (index != NULL ? affine_axes(waste->decls, index) : 0);
    for (int k = 0; k < op->operand_count; k++)
        axes |= affine_axes(waste->decls, &op->operand[k].slot);
    for (int a = 0; a < STEP_MAX_AXES; a++)
        if (op->kind == OP_INIT && op->seed.per_axis[a] != 0)
            axes |= (AxisMask)1 << a;
    bool joins = op->kind == OP_ALL_REDUCE || op->kind == OP_ALL_GATHER;
    return joins ? axes : axes | op_axes(waste, op);
}

static AxisMask dim_axes(const Dim *dim)
{
    AxisMask axes = 0;
    for (int i = 0; i < dim->cut_count; i++)
        if (dim->cut[i] >= 0)
            axes |= (AxisMask)1 << dim->cut[i];
    return axes;
}

static AxisMask member_axes(const Unit *unit)
{
    AxisMask axes = 0;
    for (int i = 0; unit->member_dims != NULL && i < unit->member_count * STEP_MAX_DIMS; i++)
        axes |= dim_axes(&unit->member_dims[i]);
    return axes;
}

/* The axes along which ranks hold different pieces, layers, or nothing. */
static AxisMask cut_axes(const Waste *waste, const Buffer *buffer)
{
    AxisMask axes = buffer->layout == LAYOUT_UNIT ? member_axes(&waste->decls->units.data[buffer->unit]) : 0;
    for (int i = 0; i < buffer->cut_count; i++)
        axes |= (AxisMask)1 << buffer->cut[i];
    for (int d = 0; d < buffer->dim_count; d++)
        axes |= dim_axes(&buffer->dims[d]);
    if (buffer->has_layers)
        axes |= affine_axes(waste->decls, &buffer->first_layer) | affine_axes(waste->decls, &buffer->last_layer);
    return buffer->held ? axes | affine_axes(waste->decls, &buffer->holder) : axes;
}

/* Adds the axes that guards and loop bounds depend on to the buffers written inside them. */
static void add_guards(const Waste *waste, const NodeList *body, AxisMask guards, AxisMask *differs)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        AxisMask inner = guards;
        if (node->kind == NODE_GUARD)
            inner |= affine_axes(waste->decls, &node->guard.value);
        else if (node->kind == NODE_LOOP)
            inner |= affine_axes(waste->decls, &node->loop.first) | affine_axes(waste->decls, &node->loop.last);
        else if (node->kind == NODE_OP && op_has_result(node->op->kind))
            differs[node->op->out.buffer] |= inner;
        add_guards(waste, &node->body, inner, differs);
    }
}

/* For each buffer, the axes along which ranks may at some time hold different values. States are taken to be what they
 * should be: replicated, except for their cuts. */
static AxisMask *find_differences(const Waste *waste)
{
    const Program *program = waste->program;
    AxisMask *differs = arena_array(waste->ctx->arena, AxisMask, program->buffers.count + 1);
    for (int i = 0; i < program->buffers.count; i++)
        differs[i] = cut_axes(waste, &program->buffers.data[i]);
    add_guards(waste, &program_routine(program, ROUTINE_STEP)->body, 0, differs);
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < waste->sites.count; i++) {
            const Op *op = waste->sites.data[i].op;
            if (!op_has_result(op->kind))
                continue;
            AxisMask result = 0;
            for (int k = 0; k < op->operand_count; k++)
                result |= differs[op->operand[k].buffer];
            if (op->kind == OP_ALL_REDUCE || op->kind == OP_ALL_GATHER)
                result &= ~op_axes(waste, op);
            result |= own_axes(waste, op) | differs[op->out.buffer];
            changed |= result != differs[op->out.buffer];
            differs[op->out.buffer] = result;
        }
    }
    return differs;
}

static bool same_ref(const Ref *a, const Ref *b)
{
    return a->buffer == b->buffer && a->member == b->member && memcmp(&a->slot, &b->slot, sizeof a->slot) == 0;
}

/* The axes over which the value was just reduced, in the same list, so that ranks have copies of it. */
static AxisMask summed_before(const Waste *waste, int index)
{
    const Site *site = &waste->sites.data[index];
    const Ref *value = &site->op->operand[0];
    AxisMask axes = 0;
    for (int i = index - 1; i >= 0; i--) {
        const Op *op = waste->sites.data[i].op;
        if (!op_has_result(op->kind) || op->out.buffer != value->buffer)
            continue;
        bool here = waste->sites.data[i].list == site->list && same_ref(&op->out, value) && !op->accumulate;
        if (here && op->kind == OP_ALL_REDUCE && same_ref(&op->operand[0], value))
            axes |= op_axes(waste, op);
        else if (!here || op->kind != OP_SCALE || !same_ref(&op->operand[0], value) ||
                 op->scale.local_extents[0] != '\0')
            return axes;
    }
    return axes;
}

static void find_sum_of_copies(Waste *waste, int index, const AxisMask *differs)
{
    const Op *op = waste->sites.data[index].op;
    if (op->kind != OP_ALL_REDUCE)
        return;
    AxisMask axes = op_axes(waste, op);
    AxisMask copies = axes & (~differs[op->operand[0].buffer] | summed_before(waste, index));
    if (copies == 0)
        return;
    Finding finding = {.code = P0356, .span = op->span, .axes = copies, .others = axes & ~copies};
    finding.bytes = sent(waste, op);
    finding.better = sent_over(waste, op, op_collective(op->kind), axes & ~copies, 1);
    add_finding(waste, finding);
}

/* ---- P0353, P0357: the same in every microbatch --------------------------------------------------------------- */

static bool is_state_of_kind(const Waste *waste, const Buffer *buffer, StateKind kind)
{
    return buffer->state >= 0 && waste->decls->states.data[buffer->state].kind == kind;
}

static void find_repeated_sum(Waste *waste, const Site *site)
{
    const Op *op = site->op;
    const Buffer *buffer = buffer_of(waste, &op->out);
    if (op->kind != OP_ALL_REDUCE || !site->micro || !is_state_of_kind(waste, buffer, STATE_GRADIENTS) ||
        buffer->category != CATEGORY_GRADIENTS)
        return;
    int64_t trips = op_trips(waste, op, buffer);
    if (trips < 2)
        return;
    Finding finding = {.code = P0357, .span = op->span, .axes = op_axes(waste, op), .bytes = sent(waste, op)};
    finding.better = finding.bytes / trips;
    add_finding(waste, finding);
}

/* The bytes of copies of all layers, if they share no memory with anything. */
static int64_t kept_bytes(const Waste *waste, const Op *op)
{
    enum { ALIGNMENT = 64 };
    const Buffer *copy = buffer_of(waste, &op->out);
    int64_t layers = slots_here(waste, buffer_of(waste, &op->operand[0]));
    int64_t bytes = layers * buffer_slot_bytes(waste->decls, copy);
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Gathers of parameters in every microbatch: for all gathers of one buffer, a single one per step would do. */
static void find_repeated_gather(Waste *waste, int index)
{
    const Site *site = &waste->sites.data[index];
    const Op *op = site->op;
    if (op->kind != OP_ALL_GATHER || !site->micro || !is_whole_unit(waste, &op->out))
        return;
    const Buffer *rest = buffer_of(waste, &op->operand[0]);
    int64_t trips = op_trips(waste, op, rest);
    if (trips < 2 || !is_state_of_kind(waste, rest, STATE_PARAMETERS))
        return;
    Finding finding = {.code = P0353, .span = op->span, .axes = op_axes(waste, op), .bytes = sent(waste, op)};
    bool first = true;
    for (int i = 0; i < index; i++)
        first &=
            waste->sites.data[i].op->kind != OP_ALL_GATHER || waste->sites.data[i].op->out.buffer != op->out.buffer;
    if (first) {
        finding.better = finding.bytes / trips;
        finding.memory = kept_bytes(waste, op);
    }
    add_finding(waste, finding);
}

/* The memory that the program may use; 0 if there is no limit. */
static int64_t memory_limit(const Plan *plan)
{
    int64_t limit = plan->train->cluster.device.memory_bytes;
    for (int i = 0; i < plan->train->asserts.count; i++) {
        const Assert *claim = &plan->train->asserts.data[i];
        if (claim->quantity == ASSERT_MEMORY_PER_DEVICE && (limit == 0 || claim->limit_bytes - 1 < limit))
            limit = claim->limit_bytes - 1;
    }
    return limit;
}

/* ---- P0352: cuts over axes of size 1 -------------------------------------------------------------------------- */

/* Axes of size > 1 whose ranks hold copies of a unit's states, so that these could be cut over them. Not those of a
 * pipeline's stages, nor those whose copies a contract trains separately. */
static AxisMask copy_axes(const Waste *waste, const Unit *unit)
{
    AxisMask axes = 0;
    for (int a = 0; a < waste->decls->axes.count; a++)
        if (waste->decls->axes.data[a].size > 1 && !waste->decls->axes.data[a].copies)
            axes |= (AxisMask)1 << a;
    const Staging *pipeline = &waste->assignment->pipeline;
    if (pipeline->requested)
        axes &= ~((AxisMask)1 << pipeline->axis);
    return axes & ~member_axes(unit);
}

/* The bytes of buffers that store a state of the unit. */
static int64_t rest_bytes(const Waste *waste, int unit, StateKind kind)
{
    int64_t bytes = 0;
    for (int i = 0; i < waste->program->buffers.count; i++) {
        const Buffer *buffer = &waste->program->buffers.data[i];
        bool rests = buffer->layout == LAYOUT_UNIT && buffer->unit == unit && is_state_of_kind(waste, buffer, kind) &&
                     (buffer->persistent || buffer->category == CATEGORY_GRADIENTS);
        if (rests)
            bytes += buffer_data_bytes(waste->decls, buffer);
    }
    return bytes;
}

static void find_empty_cut(Waste *waste, int unit, const StatePlacement *placement, StateKind kind)
{
    Finding finding = {.code = P0352, .span = placement->span};
    finding.others = copy_axes(waste, &waste->decls->units.data[unit]);
    for (int i = 0; i < placement->rest.count; i++) {
        if (waste->decls->axes.data[placement->rest.axis[i]].size > 1)
            return;
        finding.axes |= (AxisMask)1 << placement->rest.axis[i];
    }
    finding.bytes = rest_bytes(waste, unit, kind);
    if (finding.axes == 0 || finding.others == 0 || finding.bytes == 0 || !span_known(placement->span))
        return;
    finding.better = finding.bytes / axes_size(waste, finding.others);
    add_finding(waste, finding);
}

/* Of a unit of the program, which may be a part of one of the assignment's. */
static const UnitPlacement *placement_of(const Waste *waste, const Unit *part)
{
    for (int i = 0; i < waste->assignment->units.count; i++) {
        const UnitPlacement *placement = &waste->assignment->units.data[i];
        if (placement->unit.first_layer == part->first_layer && unit_offset(&placement->unit, part->members[0]) >= 0)
            return placement;
    }
    BUG("a unit that the assignment does not place");
}

static void find_empty_cuts(Waste *waste)
{
    for (int i = 0; i < waste->decls->units.count; i++) {
        const UnitPlacement *placement = placement_of(waste, &waste->decls->units.data[i]);
        find_empty_cut(waste, i, &placement->parameters, STATE_PARAMETERS);
        find_empty_cut(waste, i, &placement->gradients, STATE_GRADIENTS);
        find_empty_cut(waste, i, &placement->optimizer, STATE_OPTIMIZER);
    }
}

/* ---- Reports ------------------------------------------------------------------------------------------------ */

static void report_empty_cut(const Waste *waste, const Finding *finding)
{
    const char *axes = axes_names(waste, finding->axes), *others = axes_names(waste, finding->others);
    Diagnostic *d = diag_report(waste->ctx->diag, P0352, finding->span, "sharded over '%s', which has one rank", axes);
    for (int a = 0; a < waste->decls->axes.count; a++)
        if (finding->others >> a & 1)
            diag_label(d, waste->decls->axes.data[a].span, "the ranks along '%s' have copies",
                       waste->decls->axes.data[a].name);
    diag_why(d, "Nothing is sharded: each device holds %s of it, as without this statement.",
             bytes_text(waste, finding->bytes));
    diag_repair(d, (Repair){.kind = REPAIR_CUT_TOO, .span = finding->span, .axes = others});
}

static void report_repeated_gather(const Waste *waste, const Finding *finding)
{
    int64_t spare = memory_limit(waste->plan) - waste->plan->total_bytes;
    Diagnostic *d = diag_report(waste->ctx->diag, P0353, finding->span,
                                "parameters gathered again in every microbatch, although there is memory to keep them");
    diag_why(d,
             "Parameters change once per step. Gathered once, they would cost %s per device and step instead of %s, "
             "and at most %s more memory, of which %s are free.",
             bytes_text(waste, finding->better), bytes_text(waste, finding->bytes), bytes_text(waste, finding->memory),
             bytes_text(waste, spare));
    diag_repair(d, (Repair){.kind = REPAIR_KEEP, .span = finding->span});
}

static void report_part_of_sum(const Waste *waste, const Finding *finding)
{
    const char *part = axes_names(waste, finding->others);
    Diagnostic *d =
        diag_report(waste->ctx->diag, P0354, finding->span, "a sum over '%s' of which each rank uses only its part",
                    axes_names(waste, finding->axes));
    if (!span_equal(finding->other, finding->span))
        diag_label(d, finding->other, "each rank takes its part over '%s' for this", part);
    diag_why(
        d,
        "An all-reduce gives every rank the whole sum, a reduce-scatter each rank its part: %s per device and step "
        "instead of %s.",
        bytes_text(waste, finding->better), bytes_text(waste, finding->bytes));
    diag_repair(d, (Repair){.kind = REPAIR_INTO_SHARDS,
                            .span = finding->span,
                            .axes = part,
                            .rest = axes_names(waste, finding->axes & ~finding->others)});
}

/* Do all of the first axes come before all of the second in the mesh? */
static bool stand_before(AxisMask first, AxisMask others)
{
    return first == 0 || others == 0 || (first & ~((others & -others) - 1)) == 0;
}

static void report_part_of_gather(const Waste *waste, const Finding *finding)
{
    AxisMask common = finding->axes & finding->others, rest = (finding->axes | finding->others) & ~common;
    Diagnostic *d = diag_report(waste->ctx->diag, P0355, finding->span,
                                "copies gathered only to be sharded again, between shards over '%s' and over '%s'",
                                axes_names(waste, finding->axes), axes_names(waste, finding->others));
    diag_why(d, "They take %s per device and step; %s would be enough if the shards of one were parts of the other's.",
             bytes_text(waste, finding->bytes), finding->better == 0 ? "nothing" : bytes_text(waste, finding->better));
    if (!stand_before(common, rest))
        diag_repair(d, (Repair){.kind = REPAIR_MESH_ORDER, .span = finding->span, .axes = axes_names(waste, common)});
}

static void report_sum_of_copies(const Waste *waste, const Finding *finding)
{
    const char *axes = axes_names(waste, finding->axes);
    Diagnostic *d = diag_report(waste->ctx->diag, P0356, finding->span,
                                "a reduction over '%s' of a value that its ranks have in common", axes);
    diag_why(d, "The ranks along '%s' hold the same value before it: %s per device and step that change nothing.", axes,
             bytes_text(waste, finding->bytes - finding->better));
    if (finding->others != 0)
        diag_repair(d,
                    (Repair){.kind = REPAIR_AXES, .span = finding->span, .axes = axes_names(waste, finding->others)});
    else
        diag_repair(d, (Repair){.kind = REPAIR_DROP, .span = finding->span});
}

static void report_repeated_sum(const Waste *waste, const Finding *finding)
{
    Diagnostic *d = diag_report(waste->ctx->diag, P0357, finding->span,
                                "whole gradients reduced in every microbatch instead of once");
    diag_why(d,
             "The accumulator is as large before it as after it on every rank, so it saves nothing: %s per device and "
             "step instead of %s.",
             bytes_text(waste, finding->bytes), bytes_text(waste, finding->better));
    diag_repair(d, (Repair){.kind = REPAIR_LATER, .span = finding->span});
}

static bool is_worth_saying(const Waste *waste, const Finding *finding)
{
    if (finding->code == P0352)
        return true;
    int64_t limit = memory_limit(waste->plan);
    bool fits = finding->memory == 0 || (limit > 0 && waste->plan->total_bytes + finding->memory <= limit);
    return finding->bytes > finding->better && fits;
}

static void report(const Waste *waste, const Finding *finding)
{
    static const struct {
        DiagCode code;
        void (*report)(const Waste *waste, const Finding *finding);
    } reports[] = {{P0352, report_empty_cut},      {P0353, report_repeated_gather}, {P0354, report_part_of_sum},
                   {P0355, report_part_of_gather}, {P0356, report_sum_of_copies},   {P0357, report_repeated_sum}};
    for (size_t i = 0; i < sizeof reports / sizeof *reports; i++)
        if (reports[i].code == finding->code)
            reports[i].report(waste, finding);
}

/* Finds what the current rank could save. */
static void find_on_rank(Waste *waste, const AxisMask *differs)
{
    waste->findings.count = 0;
    find_empty_cuts(waste);
    for (int i = 0; i < waste->sites.count; i++) {
        find_part_of_sum(waste, i);
        find_part_of_gather(waste, i);
        find_sum_of_copies(waste, i, differs);
        find_repeated_sum(waste, &waste->sites.data[i]);
        find_repeated_gather(waste, i);
    }
}

/* Each finding as it is on the rank where it wastes most: pipeline stages run different operators. */
static FindingVec find_most(Waste *waste, const Routine *step)
{
    const AxisMask axes = walk_axes(waste->program), *differs = find_differences(waste);
    FindingVec most = {0};
    waste->times = arena_array(waste->ctx->arena, int64_t, waste->program->op_count + 1);
    do {
        walk_count(waste->program, step, waste->coordinates, waste->times);
        find_on_rank(waste, differs);
        for (int i = 0; i < waste->findings.count; i++) {
            const Finding *here = &waste->findings.data[i];
            Finding *known = find_same(&most, here);
            if (known == NULL)
                vec_push(waste->ctx->arena, &most, *here);
            else if (here->bytes - here->better > known->bytes - known->better)
                *known = *here;
        }
    } while (walk_next_rank(waste->decls, axes, waste->coordinates));
    return most;
}

int64_t plan_report_waste(Ctx *ctx, const Plan *plan, const Assignment *assignment, const StepFile *file)
{
    Waste waste = {.ctx = ctx, .plan = plan, .assignment = assignment, .program = file->program, .decls = file->decls};
    const Routine *step = program_routine(file->program, ROUTINE_STEP);
    int64_t saved = 0;
    list_sites(&waste, &step->body, false);
    FindingVec findings = find_most(&waste, step);
    for (int i = 0; i < findings.count; i++) {
        const Finding *finding = &findings.data[i];
        if (!is_worth_saying(&waste, finding))
            continue;
        report(&waste, finding);
        saved += finding->code == P0352 ? 0 : finding->bytes - finding->better;
    }
    return saved;
}

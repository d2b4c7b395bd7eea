/* fix.c - repairs of reductions (verify/fix.h).
 *
 * A repair leaves out the reduction at fault, puts another before the first reader behind the microbatch loop, changes
 * axes or a weight, or gathers updated pieces. It is made on a copy of the routine and proved as any other program;
 * only what leaves none of the cause's faults, and fewer than before, is shown. Its price is counted on both programs.
 */
#include "verify/fix.h"

#include "verify/copies.h"

#include <math.h>
#include <string.h>

typedef struct Edit {
    const Op *drop;       /* it, and every other of its kind from the same line: left out, */
    AxisMask replaced;    /* or over these axes, */
    bool gather;          /* or, a place_shard, made a gather of the pieces */
    bool unshard;         /* or, a place_shard, left out, and the reduction of its line left whole */
    const Op *drop_scale; /* left out in the same way */
    const Op *unweigh;    /* a weight by each rank's count, and every other from its line: made 1 */
    bool reduce;          /* put in a sum over `axes` */
    AxisMask axes;
    Rational scale;   /* put in a weight, where it is not 0 */
    const char *text; /* what the user would write, a sentence */
} Edit;

typedef struct Fix {
    Arena *arena;
    const Program *program;
    const Edit *edit;
    const bool *target; /* per buffer: what is wrong, as the microbatch loop leaves it */
    bool *done;         /* per buffer: the new operators were put before its first reader */
} Fix;

/* ---- Editing a copy ----------------------------------------------------------------------------------------- */

static bool same_line(const Op *a, const Op *b)
{
    return a->kind == b->kind && a->span.source == b->span.source && a->span.start == b->span.start;
}

static void push_op(Fix *fix, NodeList *list, const Op *op)
{
    Node *node = arena_make(fix->arena, Node);
    node->kind = NODE_OP;
    node->op = arena_make(fix->arena, Op);
    *node->op = *op;
    node->span = op->span;
    vec_push(fix->arena, list, node);
}

static void set_axes(Op *op, AxisMask axes)
{
    op->axis_count = 0;
    for (int a = 0; a < STEP_MAX_AXES; a++)
        if (axes >> a & 1)
            op->axis[op->axis_count++] = (int8_t)a;
}

/* The sum or weight that the edit puts in, on the operand that `reader` is about to read. */
static void push_inserted(Fix *fix, NodeList *list, const Op *reader, const Ref *ref)
{
    Op op = {
        .out = *ref, .operand_count = 1, .spec = "", .tensor = -1, .event = -1, .origin = -1, .span = reader->span};
    op.operand[0] = *ref;
    op.scale = (Scale){1, 1, ""};
    if (fix->edit->reduce) {
        op.kind = OP_ALL_REDUCE;
        set_axes(&op, fix->edit->axes);
        push_op(fix, list, &op);
    }
    if (fix->edit->scale.numerator != 0) {
        op.kind = OP_SCALE;
        op.axis_count = 0;
        op.scale = (Scale){fix->edit->scale.numerator, fix->edit->scale.denominator, ""};
        push_op(fix, list, &op);
    }
}

static void copy_op(Fix *fix, NodeList *list, const Op *op, bool in_micro)
{
    const Edit *edit = fix->edit;
    bool inserts = edit->reduce || edit->scale.numerator != 0;
    for (int i = 0; i < op->operand_count && inserts && !in_micro; i++) {
        int buffer = op->operand[i].buffer;
        if (!fix->target[buffer] || fix->done[buffer])
            continue;
        fix->done[buffer] = true;
        push_inserted(fix, list, op, &op->operand[i]);
    }
    if (edit->drop_scale != NULL && same_line(op, edit->drop_scale))
        return;
    Op changed = *op;
    if (edit->unweigh != NULL && same_line(op, edit->unweigh))
        changed.scale = (Scale){1, 1, ""};
    if (edit->unshard && op->kind == OP_REDUCE_SCATTER && op->span.start == edit->drop->span.start) {
        changed.kind = OP_ALL_REDUCE;
        changed.out = op->operand[0];
    }
    if (edit->drop == NULL || !same_line(op, edit->drop)) {
        push_op(fix, list, &changed);
        return;
    }
    if (edit->gather) {
        changed.kind = OP_ALL_GATHER;
        changed.operand_count = 1;
        changed.operand[0] = op->operand[1];
    } else if (edit->replaced != 0) {
        set_axes(&changed, edit->replaced);
    } else {
        return;
    }
    push_op(fix, list, &changed);
}

static void copy_nodes(Fix *fix, NodeList *list, const NodeList *from, bool in_micro)
{
    for (int i = 0; i < from->count; i++) {
        const Node *node = from->data[i];
        if (node->kind == NODE_OP) {
            copy_op(fix, list, node->op, in_micro);
            continue;
        }
        Node *copy = arena_make(fix->arena, Node);
        *copy = *node;
        copy->body = (NodeList){0};
        copy_nodes(fix, &copy->body, &node->body,
                   in_micro || (node->kind == NODE_LOOP && node->loop.kind == LOOP_MICRO));
        vec_push(fix->arena, list, copy);
    }
}

/* ---- What is wrong, and where it is mended ------------------------------------------------------------------ */

static bool is_gradient_buffer(const Program *program, int buffer)
{
    int state = program->buffers.data[buffer].state;
    return state >= 0 && program->decls->states.data[state].kind == STATE_GRADIENTS;
}

/* Buffers of gradients that operators of the microbatch loop write. */
static void find_accumulators(const Program *program, const NodeList *nodes, bool in_micro, bool *accumulator)
{
    for (int i = 0; i < nodes->count; i++) {
        const Node *node = nodes->data[i];
        find_accumulators(program, &node->body, in_micro || (node->kind == NODE_LOOP && node->loop.kind == LOOP_MICRO),
                          accumulator);
        if (node->kind == NODE_OP && in_micro && op_has_result(node->op->kind))
            accumulator[node->op->out.buffer] |= is_gradient_buffer(program, node->op->out.buffer);
    }
}

/* Marks the accumulators on the way to each gradient of the cause; are they all of the routine's? */
static bool find_gradient_targets(Arena *arena, const Program *program, const Routine *routine, const Cause *cause,
                                  bool *target)
{
    bool *accumulator = arena_array(arena, bool, program->buffers.count + 1), all = true;
    find_accumulators(program, &routine->body, false, accumulator);
    for (int i = 0; i < cause->faults.count; i++) {
        const Op *op = cause->faults.data[i]->op;
        int gradient = 0, state;
        if (cause->faults.data[i]->kind != FAULT_GRADIENT) /* a state that the same mistake spoils, a running mean */
            continue;
        op_is_update(op->kind, &gradient, &state);
        Chain chain = chain_of(program, routine, op, gradient, (ChainPart){0});
        target[op->operand[gradient].buffer] = true;
        for (int j = 0; j < chain.count; j++)
            target[chain.link[j].op->operand[0].buffer] = true;
    }
    for (int b = 0; b < program->buffers.count; b++) {
        target[b] &= accumulator[b];
        all &= target[b] || !accumulator[b];
    }
    return all;
}

/* ---- Proving it again --------------------------------------------------------------------------------------- */

static bool same_demand(const Fault *a, const Fault *b)
{
    return a->kind == b->kind && a->state == b->state && a->tensor == b->tensor && a->layer == b->layer;
}

/* The number of faults; -1 where something is wrong with the program itself. `still`: one of the cause is among them.
 */
static int count_faults(Arena *arena, const StepFile *file, const Routine *routine, const Cause *cause, bool *still)
{
    Ctx ctx = {.arena = arena, .strings = str_table_new(arena), .sources = sources_new(arena)};
    ctx.diag = diag_new(arena, ctx.sources);
    Table *table = table_new(arena, ctx.strings, file->decls);
    Machine *reference = machine_new(&ctx, table, file->reference, true);
    Machine *program = machine_new(&ctx, table, file->program, false);
    Faults faults = {0};
    copies_check(&ctx, file->program);
    demand_routine(reference, program, program_routine(file->reference, routine->name), routine, &faults);
    *still = false;
    for (int i = 0; i < faults.list.count; i++)
        for (int j = 0; j < cause->faults.count; j++)
            *still |= same_demand(&faults.list.data[i], cause->faults.data[j]);
    return diag_error_count(ctx.diag) > 0 ? -1 : faults.list.count;
}

/* ---- The price ---------------------------------------------------------------------------------------------- */

/* The value for loop variables as they are; coordinates as on the first rank. */
static int64_t affine_value(const Affine *affine, const int64_t *variable)
{
    int64_t value = affine->constant;
    for (int i = 0; i < affine->term_count; i++)
        if (affine->term[i].variable >= 0)
            value += affine->term[i].coefficient * variable[affine->term[i].variable];
    if (affine->modulus > 0)
        value = (value % affine->modulus + affine->modulus) % affine->modulus;
    return value;
}

static int64_t ref_bytes(const Program *program, const Ref *ref)
{
    const Buffer *buffer = &program->buffers.data[ref->buffer];
    int64_t elements = ref->member >= 0 ? tensor_elements(&program->decls->tensors.data[ref->member])
                                        : buffer_slot_elements(program->decls, buffer);
    return elements * dtype_bytes(buffer->dtype);
}

/* What a rank sends for one call. */
static double op_bytes(const Program *program, const Op *op)
{
    double ranks = 1;
    for (int i = 0; i < op->axis_count; i++)
        ranks *= (double)program->decls->axes.data[op->axis[i]].size;
    if (op->kind == OP_ALL_REDUCE)
        return floor(2 * (ranks - 1) * (double)ref_bytes(program, &op->out) / ranks);
    if (op->kind == OP_REDUCE_SCATTER)
        return floor((ranks - 1) * (double)ref_bytes(program, &op->operand[0]) / ranks);
    return op->kind == OP_ALL_GATHER ? floor((ranks - 1) * (double)ref_bytes(program, &op->out) / ranks) : 0;
}

enum { MOST_COUNTED = 1 << 22 };

/* Iterations are counted in *steps; from MOST_COUNTED on what is returned means nothing. */
static double sent_bytes(const Program *program, const NodeList *nodes, int64_t *variable, int64_t *steps)
{
    double bytes = 0;
    for (int i = 0; i < nodes->count; i++) {
        const Node *node = nodes->data[i];
        switch (node->kind) {
        case NODE_OP:
            bytes += op_bytes(program, node->op);
            break;
        case NODE_GUARD: {
            int64_t value = affine_value(&node->guard.value, variable);
            if (value >= node->guard.low && value <= node->guard.high)
                bytes += sent_bytes(program, &node->body, variable, steps);
            break;
        }
        case NODE_LOOP: {
            int64_t first = affine_value(&node->loop.first, variable), last = affine_value(&node->loop.last, variable);
            int64_t *at = &variable[node->loop.id];
            for (*at = first; (node->loop.step > 0 ? *at <= last : *at >= last) && ++*steps < MOST_COUNTED;
                 *at += node->loop.step)
                bytes += sent_bytes(program, &node->body, variable, steps);
            break;
        }
        case NODE_WAIT:
            break;
        }
    }
    return bytes;
}

/* What `changed` sends more than `routine`; NAN where that takes too long to count. */
static double more_bytes(Arena *arena, const Program *program, const Routine *changed, const Routine *routine)
{
    int64_t *variable = arena_array(arena, int64_t, program->loop_count + 1), steps = 0;
    double more = sent_bytes(program, &changed->body, variable, &steps);
    more -= sent_bytes(program, &routine->body, variable, &steps);
    return steps < MOST_COUNTED ? more : NAN;
}

static const char *bytes_text(Arena *arena, double bytes)
{
    double size = fabs(bytes);
    const char *than = bytes < 0 ? "less" : "more";
    if (isnan(bytes))
        return "what it sends is too long to be counted";
    if (size == 0)
        return "it sends no more bytes than before";
    if (size >= 1 << 20)
        return arena_printf(arena, "it sends %.1f MiB %s per rank and step", size / (1 << 20), than);
    if (size >= 1 << 10)
        return arena_printf(arena, "it sends %.1f KiB %s per rank and step", size / (1 << 10), than);
    return arena_printf(arena, "it sends %.0f bytes %s per rank and step", size, than);
}

/* The number of faults that are left with the edit; -1 and *still as in count_faults; *bytes: what it then sends more.
 */
static int faults_with_edit(Arena *arena, const StepFile *file, const Routine *routine, const Cause *cause,
                            const bool *target, const Edit *edit, bool *still, double *bytes)
{
    Program program = *file->program;
    Routine changed = {.name = routine->name};
    Fix fix = {.arena = arena, .program = &program, .edit = edit, .target = target};
    fix.done = arena_array(arena, bool, program.buffers.count + 1);
    copy_nodes(&fix, &changed.body, &routine->body, false);
    program.routines.count = 1;
    program.routines.data = &changed;
    StepFile copy = {.decls = file->decls, .reference = file->reference, .program = &program};
    *bytes = more_bytes(arena, &program, &changed, routine);
    return count_faults(arena, &copy, &changed, cause, still);
}

/* Is the program proved right with the edit, as far as the cause goes? */
static bool try_edit(const StepFile *file, const Routine *routine, const Cause *cause, const bool *target,
                     const Edit *edit, double *bytes)
{
    Arena *arena = arena_new();
    bool still, before_still;
    int after = faults_with_edit(arena, file, routine, cause, target, edit, &still, bytes);
    int before = count_faults(arena, file, routine, cause, &before_still);
    arena_free(arena);
    return after >= 0 && !still && (before < 0 || after < before);
}

/* ---- Which edits are tried ---------------------------------------------------------------------------------- */

/* The weight that belongs to a reduction: a mean's, or a statement's. */
static const Op *scale_of(const Cause *cause)
{
    for (int i = 0; i < cause->chain.count; i++) {
        const Op *op = cause->chain.link[i].op;
        if (op->kind == OP_SCALE && cause->culprit != NULL && span_known(op->span) &&
            op->span.source == cause->culprit->span.source && op->span.start == cause->culprit->span.start)
            return op;
    }
    return NULL;
}

static bool is_mean(const Decls *decls, const Op *reduction, Rational weight)
{
    int64_t ranks = 1;
    for (int i = 0; i < reduction->axis_count; i++)
        ranks *= decls->axes.data[reduction->axis[i]].size;
    return rational_equal(weight, rational_make(1, ranks));
}

static Edit edit_of_weight(Arena *arena, const Decls *decls, const Cause *cause)
{
    const Op *scale = scale_of(cause);
    Rational back = rational_divide(rational_make(1, 1), cause->finding.ratio), now = {1, 1};
    if (scale != NULL)
        now = rational_make(scale->scale.numerator, scale->scale.denominator);
    Edit edit = {.scale = back};
    if (scale != NULL && rational_is(rational_multiply(now, back), 1)) {
        edit = (Edit){.drop_scale = scale};
        edit.text = is_mean(decls, cause->culprit, now) ? "Write `sum` instead of `mean`." : "Leave the `scale` out.";
    } else if (scale == NULL && cause->culprit != NULL && is_mean(decls, cause->culprit, back)) {
        edit.text = "Write `mean` instead of `sum`.";
    } else {
        edit.text = arena_printf(arena, "Weigh the sum: `scale %lld/%lld`%s.", (long long)back.numerator,
                                 (long long)back.denominator, scale != NULL ? ", times the one that is there" : "");
    }
    return edit;
}

static const Op *find_local_weight(const NodeList *nodes)
{
    const Op *found = NULL;
    for (int i = 0; i < nodes->count && found == NULL; i++) {
        const Node *node = nodes->data[i];
        if (node->kind != NODE_OP)
            found = find_local_weight(&node->body);
        else if (node->op->kind == OP_SCALE && node->op->scale.local_extents[0] != 0)
            found = node->op;
    }
    return found;
}

const Op *fix_local_weight(const Routine *routine)
{
    return find_local_weight(&routine->body);
}

const Op *fix_find_counts(const StepFile *file, const Routine *routine, const Cause *cause)
{
    Edit edit = {.unweigh = find_local_weight(&routine->body)};
    if (edit.unweigh == NULL || !span_known(edit.unweigh->span))
        return NULL;
    Arena *arena = arena_new();
    bool *target = arena_array(arena, bool, file->program->buffers.count + 1), still;
    double bytes;
    int after = faults_with_edit(arena, file, routine, cause, target, &edit, &still, &bytes);
    arena_free(arena);
    return after == 0 ? edit.unweigh : NULL;
}

/* Each rank's count is left out of its weights, and so are the means that go with it. */
static bool edit_of_counts(const Decls *decls, const Routine *routine, const Cause *cause, Edit *edit)
{
    *edit = (Edit){.unweigh = find_local_weight(&routine->body), .drop_scale = scale_of(cause)};
    edit->text = "Leave `sync count : none` out.";
    if (edit->drop_scale != NULL && cause->culprit != NULL &&
        is_mean(decls, cause->culprit,
                rational_make(edit->drop_scale->scale.numerator, edit->drop_scale->scale.denominator)))
        edit->text = "Leave `sync count : none` out, and write `sum` instead of `mean`.";
    return edit->unweigh != NULL;
}

static AxisMask reduced_axes(const Op *reduction)
{
    AxisMask axes = 0;
    for (int i = 0; i < reduction->axis_count; i++)
        axes |= (AxisMask)1 << reduction->axis[i];
    return axes;
}

/* What the code suggests; false where it suggests nothing. */
static bool edit_of_cause(Arena *arena, const Decls *decls, const Routine *routine, const Cause *cause, bool all,
                          Edit *edit)
{
    AxisMask axes = cause->finding.axes & ~TIME_MASK;
    const char *over = axes_text(arena, decls, axes);
    bool of_loss = cause->fault->kind == FAULT_OUTPUT;
    if (cause->counts != NULL) {
        *edit = (Edit){.unweigh = cause->counts, .text = "Leave `sync count : none` out."};
        return true;
    }
    *edit = (Edit){.drop = cause->culprit};
    switch ((int)cause->code) {
    case P0301:
        *edit = (Edit){.reduce = true, .axes = axes};
        edit->text = arena_printf(arena,
                                  all ? "Sum them once: `sync gradients : sum over %s at step`."
                                      : "Sum these too, once: `sum over %s at step`.",
                                  over);
        return axes != 0;
    case P0302:
    case P0310:
        edit->text = "Leave this reduction out.";
        return cause->culprit != NULL;
    case P0303:
        *edit = edit_of_weight(arena, decls, cause);
        return cause->finding.ratio.numerator != 0;
    case P0304:
    case P0305:
        edit->reduce = true;
        edit->axes = axes;
        edit->text = arena_printf(arena, "Reduce behind the last microbatch: `sum over %s at step`.", over);
        return cause->culprit != NULL;
    case P0306:
        edit->gather = true;
        edit->text = arena_printf(arena, "Gather what was updated: `sync parameters : gather over %s at step`.", over);
        return cause->culprit != NULL;
    case P0308:
        edit->drop = cause->finding.poison->op;
        edit->unshard = true;
        edit->text = "Reduce without `into shards`.";
        return true;
    case P0309:
        *edit = (Edit){.reduce = true, .axes = axes};
        edit->text = arena_printf(arena, "Sum the squares over the pieces: `sync norm : sum over %s`.", over);
        return cause->finding.kind == FINDING_PARTIAL;
    case P0312:
        return edit_of_counts(decls, routine, cause, edit);
    case P0314:
        edit->replaced = axes;
        edit->text = arena_printf(arena, "Reduce over '%s' instead.", over);
        return cause->culprit != NULL;
    case P0315:
        *edit = cause->finding.kind == FINDING_WEIGHT ? edit_of_weight(arena, decls, cause)
                                                      : (Edit){.reduce = true, .axes = axes};
        if (cause->finding.kind == FINDING_PARTIAL)
            edit->text = arena_printf(arena, "Sum it: `sync loss : sum over %s`.", over);
        if (cause->derived_loss && scale_of(cause) == NULL &&
            is_mean(decls, cause->culprit, rational_divide(rational_make(1, 1), cause->finding.ratio)))
            edit->text = arena_printf(arena, "Take the mean of the ranks' losses: `sync loss : mean over %s`.",
                                      axes_text(arena, decls, reduced_axes(cause->culprit)));
        return of_loss && (cause->finding.kind == FINDING_PARTIAL || cause->finding.kind == FINDING_WEIGHT);
    default:
        return false;
    }
}

void fix_suggest(Ctx *ctx, const StepFile *file, const Routine *routine, const Cause *cause, Diagnostic *diagnostic)
{
    const Program *program = file->program;
    Arena *arena = ctx->arena;
    bool *target = arena_array(arena, bool, program->buffers.count + 1), all = true;
    if (cause->norm != NULL)
        target[cause->norm->operand[0].buffer] = true;
    else if (cause->fault->kind == FAULT_GRADIENT)
        all = find_gradient_targets(arena, program, routine, cause, target);
    else if (cause->fault->kind == FAULT_OUTPUT)
        target[cause->fault->op->operand[0].buffer] = true;
    Edit edit;
    double bytes;
    if (edit_of_cause(arena, program->decls, routine, cause, all, &edit) &&
        try_edit(file, routine, cause, target, &edit, &bytes))
        diag_help(diagnostic, "%s With this change it is proved right; %s.", edit.text, bytes_text(arena, bytes));
}

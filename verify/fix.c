/* fix.c - repairs of reductions (verify/fix.h).
 *
 * A repair drops the reduction at fault, puts another over the right axes before the first reader behind the microbatch
 * loop, or changes the weight there. It is made on a copy of the routine and proved as any other program; only what
 * leaves no fault of the same gradient, and no more faults than before, is shown.
 */
#include "verify/fix.h"

#include <string.h>

typedef struct Edit {
    const Op *drop;              /* and every other of its kind from the same line */
    AxisMask drop_axes_replaced; /* instead of dropping: over these axes */
    bool reduce;                 /* insert a sum over `axes` */
    AxisMask axes;
    Rational scale;   /* insert a weight, where it is not 1 */
    const char *text; /* what the user would write */
    int64_t bytes;    /* sent per rank and step, more (or, negative, less) than before */
} Edit;

typedef struct Fix {
    Arena *arena;
    const Program *program;
    const Edit *edit;
    bool *accumulator; /* per buffer: gradients as the microbatch loop leaves them */
    bool *done;        /* per buffer: the new operators were put before its first reader */
} Fix;

/* ---- Editing a copy -------------------------------------------------------------------------------------------------
 */

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
    if (!rational_is(fix->edit->scale, 1)) {
        op.kind = OP_SCALE;
        op.axis_count = 0;
        op.scale = (Scale){fix->edit->scale.numerator, fix->edit->scale.denominator, ""};
        push_op(fix, list, &op);
    }
}

static void copy_op(Fix *fix, NodeList *list, const Op *op, bool in_micro)
{
    const Edit *edit = fix->edit;
    bool inserts = edit->reduce || !rational_is(edit->scale, 1);
    for (int i = 0; i < op->operand_count && inserts && !in_micro; i++) {
        int buffer = op->operand[i].buffer;
        if (!fix->accumulator[buffer] || fix->done[buffer])
            continue;
        fix->done[buffer] = true;
        push_inserted(fix, list, op, &op->operand[i]);
    }
    if (edit->drop == NULL || !same_line(op, edit->drop)) {
        push_op(fix, list, op);
    } else if (edit->drop_axes_replaced != 0) {
        Op changed = *op;
        set_axes(&changed, edit->drop_axes_replaced);
        push_op(fix, list, &changed);
    }
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

/* Buffers of gradients that operators of the microbatch loop write. */
static void find_accumulators(const Program *program, const NodeList *nodes, bool in_micro, bool *accumulator)
{
    for (int i = 0; i < nodes->count; i++) {
        const Node *node = nodes->data[i];
        find_accumulators(program, &node->body, in_micro || (node->kind == NODE_LOOP && node->loop.kind == LOOP_MICRO),
                          accumulator);
        if (node->kind != NODE_OP || !in_micro || op_info[node->op->kind].op_class == CLASS_SINK)
            continue;
        int state = program->buffers.data[node->op->out.buffer].state;
        if (state >= 0 && program->decls->states.data[state].kind == STATE_GRADIENTS)
            accumulator[node->op->out.buffer] = true;
    }
}

/* ---- Proving it again
 * -------------------------------------------------------------------------------------------------- */

static bool same_demand(const Fault *a, const Fault *b)
{
    return a->kind == b->kind && a->state == b->state && a->tensor == b->tensor && a->layer == b->layer;
}

/* The number of faults; -1 where something is wrong with the program itself. `still`: the fault is among them. */
static int count_faults(Arena *arena, const StepFile *file, const Routine *routine, const Fault *fault, bool *still)
{
    Ctx ctx = {.arena = arena, .strings = str_table_new(arena), .sources = sources_new(arena)};
    ctx.diag = diag_new(arena, ctx.sources);
    Table *table = table_new(arena, ctx.strings);
    Machine *reference = machine_new(&ctx, table, file->reference, true);
    Machine *program = machine_new(&ctx, table, file->program, false);
    Faults faults = {0};
    demand_routine(reference, program, program_routine(file->reference, routine->name), routine, &faults);
    *still = false;
    for (int i = 0; i < faults.list.count; i++)
        *still |= same_demand(&faults.list.data[i], fault);
    return diag_error_count(ctx.diag) > 0 ? -1 : faults.list.count;
}

/* Bytes that a rank sends for one all-reduce of the marked buffers. */
static int64_t reduce_bytes(const Program *program, const bool *marked, AxisMask axes)
{
    int64_t ranks = 1, bytes = 0;
    for (int a = 0; a < program->decls->axes.count; a++)
        ranks *= axes >> a & 1 ? program->decls->axes.data[a].size : 1;
    for (int b = 0; b < program->buffers.count; b++) {
        const Buffer *buffer = &program->buffers.data[b];
        if (marked[b])
            bytes += buffer->slots * buffer_slot_elements(program->decls, buffer) * dtype_bytes(buffer->dtype);
    }
    return 2 * (ranks - 1) * bytes / ranks;
}

static const char *bytes_text(Arena *arena, int64_t bytes)
{
    int64_t size = bytes < 0 ? -bytes : bytes;
    const char *sign = bytes < 0 ? "-" : "+";
    if (size >= 1 << 20)
        return arena_printf(arena, "%s%.1f MiB", sign, (double)size / (1 << 20));
    if (size >= 1 << 10)
        return arena_printf(arena, "%s%.1f KiB", sign, (double)size / (1 << 10));
    return arena_printf(arena, "%s%lld bytes", size == 0 ? "" : sign, (long long)size);
}

static bool try_edit(const StepFile *file, const Routine *routine, const Fault *fault, const bool *accumulator,
                     const Edit *edit)
{
    Arena *arena = arena_new();
    Program program = *file->program;
    Routine changed = {.name = routine->name};
    Fix fix = {.arena = arena, .program = &program, .edit = edit, .accumulator = (bool *)accumulator};
    fix.done = arena_array(arena, bool, program.buffers.count + 1);
    copy_nodes(&fix, &changed.body, &routine->body, false);
    program.routines.count = 1;
    program.routines.data = &changed;
    StepFile copy = {.decls = file->decls, .reference = file->reference, .program = &program};
    bool still, before_still;
    int after = count_faults(arena, &copy, &changed, fault, &still);
    int before = count_faults(arena, file, routine, fault, &before_still);
    arena_free(arena);
    return after >= 0 && !still && (before < 0 || after < before);
}

void fix_suggest(Ctx *ctx, const StepFile *file, const Routine *routine, const Fault *fault, const Cause *cause,
                 Diagnostic *diagnostic)
{
    const Program *program = file->program;
    Arena *arena = ctx->arena;
    AxisMask axes = cause->finding.axes;
    const char *over = axes_text(arena, program->decls, axes);
    bool *accumulator = arena_array(arena, bool, program->buffers.count + 1);
    find_accumulators(program, &routine->body, false, accumulator);
    int64_t price = reduce_bytes(program, accumulator, axes), saved = price;
    for (int i = 0; i < cause->chain.count; i++)
        if (cause->chain.link[i].op == cause->culprit && cause->chain.link[i].in_micro)
            saved = price * program->decls->micro;
    Rational one = {1, 1}, back = one;
    if (cause->finding.kind == FINDING_WEIGHT && cause->finding.ratio.numerator != 0)
        back = rational_divide(one, cause->finding.ratio);
    const Op *culprit = cause->culprit;
    Edit edits[] = {
        {.drop = culprit, .scale = one, .bytes = -saved, .text = "leave this reduction out"},
        {.reduce = true,
         .axes = axes,
         .scale = one,
         .bytes = price,
         .text = arena_printf(arena, "sum it once: `sync gradients : sum over %s at step`", over)},
        {.drop = culprit,
         .drop_axes_replaced = axes,
         .scale = one,
         .text = arena_printf(arena, "reduce over '%s' here", over)},
        {.drop = culprit,
         .reduce = true,
         .axes = axes,
         .scale = one,
         .bytes = price - saved,
         .text = arena_printf(arena, "move the reduction behind the last microbatch: `sum over %s at step`", over)},
        {.scale = back,
         .text = arena_printf(arena, "weigh the sum: `scale %lld/%lld`", (long long)back.numerator,
                              (long long)back.denominator)},
    };
    int shown = 0;
    for (size_t i = 0; i < sizeof edits / sizeof *edits && shown < 2; i++) {
        const Edit *edit = &edits[i];
        bool inserts = edit->reduce || !rational_is(edit->scale, 1);
        if ((edit->drop == NULL && !inserts) || ((edit->reduce || edit->drop_axes_replaced != 0) && axes == 0) ||
            (i == 1 && culprit != NULL) || (i >= 2 && i <= 3 && culprit == NULL))
            continue;
        if (!try_edit(file, routine, fault, accumulator, edit))
            continue;
        shown++;
        diag_help(diagnostic, "%s (proved right with this change; %s per rank and step)", edit->text,
                  bytes_text(arena, edit->bytes));
    }
}

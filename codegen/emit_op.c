/* emit_op.c - prints one operator as a C statement, below a comment with its source line and cost. */
#include "codegen/emit.h"

#include "codegen/entry.h"
#include "plan/plan.h"
#include "plan/walk.h"
#include <inttypes.h>
#include <string.h>

/* ---- Comments ----------------------------------------------------------------------------------------------- */

static int64_t bytes_touched(const Emit *e, const Op *op)
{
    int64_t bytes = 0;
    for (int i = 0; i < op->operand_count; i++)
        bytes += ref_bytes(e->program, &op->operand[i]);
    if (op_has_result(op->kind))
        bytes += (op->accumulate ? 2 : 1) * ref_bytes(e->program, &op->out);
    return bytes;
}

static const char *flops_text(Emit *e, double flops)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
    int scale = 0;
    for (; flops >= 999.5 && scale < 5; scale++) /* "%.3g" would print 1e+03 */
        flops /= 1000;
    return arena_printf(e->arena, "%.3g %sflop", flops, prefixes[scale]);
}

static const char *axes_words(Emit *e, const Op *op)
{
    Text text = {.arena = e->arena};
    for (int i = 0; i < op->axes.count; i++)
        text_add(&text, "%s%s", i > 0 ? ", " : " over ", e->decls->axes.data[op->axes.axis[i]].name);
    return text.length > 0 ? text.data : "";
}

/* The cost of one run of the operator on the rank with the largest pieces. */
static const char *cost_text(Emit *e, const Op *op)
{
    double flops = op_flops(e->program, op);
    const char *bytes = str_bytes(e->arena, bytes_touched(e, op));
    if (op_info[op->kind].op_class == CLASS_COMM) {
        const Ref *whole = op_side(op, collective_info(op_collective(op->kind))->whole);
        return arena_printf(e->arena, "payload %s", str_bytes(e->arena, ref_bytes(e->program, whole)));
    }
    return flops > 0 ? arena_printf(e->arena, "%s, %s", bytes, flops_text(e, flops)) : bytes;
}

/* "all_gather parameters.block over data" */
static const char *op_words(Emit *e, const Op *op)
{
    const char *what = op_info[op->kind].name;
    if (op->kind == OP_COPY && op->accumulate)
        return arena_printf(e->arena, "add to %s", ref_buffer(e->program, &op->out)->name);
    if (op->kind == OP_OUTPUT)
        return arena_printf(e->arena, "%s %s", what, op->output);
    if (op->kind == OP_READ || (op->kind == OP_INIT && op->tensor >= 0))
        return arena_printf(e->arena, "%s %s", what, e->decls->tensors.data[op->tensor].name);
    if (op_info[op->kind].op_class == CLASS_COMM || op_info[op->kind].op_class == CLASS_MOVE)
        return arena_printf(e->arena, "%s %s%s", what, ref_buffer(e->program, emit_moved(op))->name, axes_words(e, op));
    return what;
}

/* Kernels cannot fail: for messages they are all the same, so ctx->at changes only from line to line. What they leave
 * may be checked. */
static const char *source_words(Emit *e, const Op *op)
{
    OpClass op_class = op_info[op->kind].op_class;
    if (op->kind == OP_QUEUE_ALL)
        return "rows to their experts";
    bool computes =
        kernels_compute(op->kind) || op_class == CLASS_CONTRACT || op_class == CLASS_WINDOW || op_class == CLASS_VIEW;
    return computes ? arena_printf(e->arena, "computing in %s", routine_name(e->routine)) : op_words(e, op);
}

static void emit_comment(Emit *e, const Op *op)
{
    const char *spec = op->spec != NULL && op->spec[0] != '\0' ? arena_printf(e->arena, " \"%s\"", op->spec) : "";
    const char *place = "";
    if (span_known(op->span)) {
        LineColumn at = source_position(e->ctx->sources, op->span.source, op->span.start);
        place = arena_printf(e->arena, "%s:%d: ", source_of(e->ctx->sources, op->span)->name, at.line);
    }
    cw_comment(e->out, "%s%s%s: %s", place, op_words(e, op), spec, cost_text(e, op));
}

/* Records what is being done for the runtime's messages, if that changes. */
static void emit_at(Emit *e, int source)
{
    if (e->source == source)
        return;
    cw_line(e->out, "ctx->at = %s;", e->sources.data[source].name);
    e->source = source;
}

/* ---- Kernels ------------------------------------------------------------------------------------------------ */

void emit_zeros(Emit *e, const Ref *ref)
{
    Op zeros = op_blank(OP_FILL, *ref, (Span){0});
    Shape shape = shape_flat(e->program, &zeros);
    emit_kernel_of(e, &zeros, &shape, (Addresses){0});
}

static bool is_wider(const Letters *letters)
{
    for (int i = 0; i < letters->count; i++)
        if (letters->wider[i])
            return true;
    return false;
}

/* What has more room than the operator writes is zero there. */
static void emit_kernel(Emit *e, const Op *op)
{
    if (emit_needs_patches(e->program, op)) {
        emit_patches(e, op);
        return;
    }
    Shape shape = shape_of_op(e->program, op);
    if (is_wider(&shape.out) && !op->accumulate)
        emit_zeros(e, &op->out);
    emit_kernel_of(e, op, &shape, (Addresses){0});
}

/* ---- Views -------------------------------------------------------------------------------------------------- */

static void emit_copy(Emit *e, const Ref *to, const Ref *from, bool accumulate, Shape shape, Addresses at)
{
    Op copy = op_blank(OP_COPY, *to, (Span){0});
    copy.operand[copy.operand_count++] = *from;
    copy.accumulate = accumulate;
    emit_kernel_of(e, &copy, &shape, at);
}

static void emit_flat_copy(Emit *e, const Ref *to, const Ref *from, bool accumulate)
{
    Op copy = op_blank(OP_COPY, *to, (Span){0});
    copy.operand[copy.operand_count++] = *from;
    emit_copy(e, to, from, accumulate, shape_flat(e->program, &copy), (Addresses){0});
}

/* Where a segment begins in the fused array: after this rank's parts of the segments before it. */
static const char *segment_address(Emit *e, const Op *op, const Ref *fused, int position)
{
    Dim dims[STEP_MAX_DIMS];
    int count;
    ref_dims(e->program, fused, &count, dims);
    Extent inner = extent_constant(1);
    for (int i = position + 1; i < count; i++)
        inner = extent_times(inner, emit_array_extent(e, fused, i));
    const Dim *dim = &dims[position];
    int64_t first = (int64_t)op->immediate[0], before = 0;
    Text start = {.arena = e->arena};
    for (int i = 0; dim->cut_count > 0 && dim->segments != NULL && before < first; i++) {
        Dim part = {.size = dim->segments->size[i], .cut_count = dim->cut_count};
        memcpy(part.cut, dim->cut, sizeof part.cut);
        before += part.size;
        Extent elements = extent_times(emit_dim_extent(e, &part), inner);
        text_add(&start, " + %s", extent_text(e, &elements));
    }
    if (start.length > 0 || first == 0)
        return arena_printf(e->arena, "%s%s", emit_ref(e, fused), first == 0 ? "" : start.data);
    inner = extent_times(extent_constant(first), inner);
    return arena_printf(e->arena, "%s + %s", emit_ref(e, fused), extent_text(e, &inner));
}

/* A segment out of a fused array. */
static void emit_segment(Emit *e, const Op *op)
{
    int fused;
    Shape shape = shape_of_segment(op, &fused);
    Addresses at = {.operand = {segment_address(e, op, &op->operand[0], fused)}};
    emit_copy(e, &op->out, &op->operand[0], op->accumulate, shape, at);
}

/* A segment into a fused array. */
static void emit_into_segment(Emit *e, const Op *op, const Ref *from, bool accumulate)
{
    int fused;
    Shape shape = shape_of_segment(op, &fused);
    emit_copy(e, &op->out, from, accumulate, shape, (Addresses){.out = segment_address(e, op, &op->out, fused)});
}

static void emit_view(Emit *e, const Op *op)
{
    switch (op_view(op->kind)) {
    case VIEW_VIEW:
        emit_flat_copy(e, &op->out, &op->operand[0], op->accumulate);
        return;
    case VIEW_SEGMENT:
        emit_segment(e, op);
        return;
    case VIEW_SEGMENT_BWD:
        if (!op->accumulate)
            emit_zeros(e, &op->out);
        emit_into_segment(e, op, &op->operand[0], op->accumulate);
        return;
    case VIEW_PLACE_SEGMENT:
        if (!ref_equal(op->out, op->operand[0]))
            emit_flat_copy(e, &op->out, &op->operand[0], false);
        emit_into_segment(e, op, &op->operand[1], false);
        return;
    }
    BUG("'%s' cannot be printed", op_info[op->kind].name);
}

const char *emit_elements(Emit *e, const Ref *ref)
{
    Extent extent = emit_ref_elements(e, ref);
    return extent_text(e, &extent);
}

/* ---------------------------------------------------------------------------------------------------------------- */

static void emit_source(Emit *e, const Op *op)
{
    switch (op_source(op->kind)) {
    case SOURCE_READ:
        emit_read(e, op);
        return;
    case SOURCE_INIT:
        emit_init(e, op);
        return;
    case SOURCE_FILL:
    case SOURCE_IOTA:
        emit_kernel(e, op);
        return;
    }
    BUG("'%s' cannot be printed", op_info[op->kind].name);
}

static void emit_sink(Emit *e, const Op *op)
{
    switch (op_sink(op->kind)) {
    case SINK_OUTPUT:
        emit_output(e, op);
        return;
    }
    BUG("'%s' cannot be printed", op_info[op->kind].name);
}

static const char *letter_text(Emit *e, const Op *op, const Shape *shape, char letter)
{
    Extent extent = emit_letter_extent(e, op, shape, letter);
    return extent_text(e, &extent);
}

/* Ends the step where a row has no place. */
static void emit_check_places(Emit *e, const Op *op)
{
    Shape shape = shape_of_op(e->program, op);
    const Letters *compared = &shape.operand[0], *out = &shape.out;
    Letters queues = *out;
    queues.count--;
    Extent count = emit_letters_extent(e, op, &shape, &queues);
    const char *arguments[] = {"ctx",
                               e->layer != NULL ? e->layer : "-1",
                               emit_ref(e, &op->out),
                               extent_text(e, &count),
                               letter_text(e, op, &shape, out->letter[out->count - 1]),
                               letter_text(e, op, &shape, compared->letter[compared->count - 2]),
                               emit_ref(e, &op->operand[1]),
                               emit_elements(e, &op->operand[1])};
    cw_call(e->out, "prt_check_places", arguments, 8, ";");
}

static void emit_choice(Emit *e, const Op *op)
{
    emit_kernel(e, op);
    switch (op_choice(op->kind)) {
    case CHOICE_TOP:
    case CHOICE_QUEUE:
        return;
    case CHOICE_QUEUE_ALL:
        emit_check_places(e, op);
        return;
    }
    BUG("'%s' cannot be printed", op_info[op->kind].name);
}

static void emit_contraction(Emit *e, const Op *op)
{
    switch (op_contract(op->kind)) {
    case CONTRACT_EINSUM:
        emit_einsum(e, op);
        return;
    }
    BUG("'%s' cannot be printed", op_info[op->kind].name);
}

void emit_op(Emit *e, const Op *op)
{
    int source = emit_source_row(e, op->span, source_words(e, op));
    emit_comment(e, op);
    emit_at(e, source);
    emit_save_gradient(e, op);
    if (emit_changes_tier(e, op)) {
        emit_tier_copy(e, op);
        return;
    }
    switch (op_info[op->kind].op_class) {
    case CLASS_MAP:
    case CLASS_ROW:
    case CLASS_SUM:
    case CLASS_GATHER:
    case CLASS_SCATTER:
        emit_kernel(e, op);
        return;
    case CLASS_CHOICE:
        emit_choice(e, op);
        return;
    case CLASS_CONTRACT:
        emit_contraction(e, op);
        return;
    case CLASS_MOVE:
    case CLASS_COMM:
        emit_collective(e, op, source);
        return;
    case CLASS_SOURCE:
        emit_source(e, op);
        return;
    case CLASS_SINK:
        emit_sink(e, op);
        return;
    case CLASS_VIEW:
        emit_view(e, op);
        return;
    case CLASS_WINDOW:
        emit_window(e, op);
        return;
    }
    BUG("'%s' cannot be printed", op_info[op->kind].name);
}

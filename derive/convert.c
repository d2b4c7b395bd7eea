/* convert.c - converts a unit's gradient and parameter to the form that their reader needs.
 *
 * A form is a cut: the whole unit, or equal flat shards over a set of axes. Every cut has its own padding, so shards
 * over (a, b) are pieces of those over (a) only if the unit divides evenly; otherwise the conversion goes through the
 * whole. What an explicit sync names is not converted here: it is lowered as written, right or wrong, and its shape
 * shows what it left; if it leaves shards and the updates read another form, the shard is put into its place in the
 * whole.
 */
#include "base/change.h"
#include "derive/internal.h"

#include <string.h>

/* ---- Sets of axes ------------------------------------------------------------------------------------------- */

AxisSet axes_without(AxisSet set, AxisSet removed)
{
    AxisSet result = {0};
    for (int i = 0; i < set.count; i++)
        if (!axes_contain(removed, set.axis[i]))
            result.axis[result.count++] = set.axis[i];
    return result;
}

AxisSet axes_union(const Derive *d, AxisSet set, AxisSet other)
{
    AxisSet result = {0};
    for (int a = 0; a < d->decls->axes.count; a++)
        if (axes_contain(set, a) || axes_contain(other, a))
            result.axis[result.count++] = (int8_t)a;
    return result;
}

AxisSet axes_common(AxisSet set, AxisSet other)
{
    return axes_without(set, axes_without(set, other));
}

bool axes_equal(AxisSet x, AxisSet y)
{
    return x.count == y.count && memcmp(x.axis, y.axis, (size_t)x.count) == 0;
}

int64_t axes_size(const Derive *d, AxisSet set)
{
    int64_t size = 1;
    for (int i = 0; i < set.count; i++)
        size *= d->decls->axes.data[set.axis[i]].size;
    return size;
}

AxisSet axes_larger_than_one(const Decls *decls, AxisSet set)
{
    AxisSet result = {0};
    for (int i = 0; i < set.count; i++)
        if (decls->axes.data[set.axis[i]].size > 1)
            result.axis[result.count++] = set.axis[i];
    return result;
}

const char *axes_name(const Derive *d, AxisSet set)
{
    Text text = {.arena = d->ctx->arena};
    for (int i = 0; i < set.count; i++)
        text_add(&text, "%s%s", i > 0 ? "_" : "", d->decls->axes.data[set.axis[i]].name);
    return text.data != NULL ? text.data : "";
}

const char *axes_words(const Derive *d, AxisSet set)
{
    Text text = {.arena = d->ctx->arena};
    for (int i = 0; i < set.count; i++)
        text_add(&text, "%s%s", i > 0 ? ", " : "", d->decls->axes.data[set.axis[i]].name);
    return text.data != NULL ? text.data : "";
}

/* ---- Which line caused it ----------------------------------------------------------------------------------- */

static Span first_known(Span first, Span second, Span third)
{
    if (span_known(first))
        return first;
    return span_known(second) ? second : third;
}

/* A `sync` with `none` has no operator of its own to point at. */
static Span none_span(const Derive *d, int unit)
{
    for (int i = 0; i < d->assignment->syncs.count; i++) {
        const Sync *sync = &d->assignment->syncs.data[i];
        if (sync->operation == SYNC_NONE && derive_sync_names(sync, SYNC_GRADIENTS, unit))
            return sync->span;
    }
    return (Span){0};
}

Span derive_gradient_span(const Derive *d, int unit)
{
    const UnitPlacement *p = d->units[unit].placement;
    Span none = none_span(d, unit);
    if (span_known(none))
        return none;
    return first_known(p->gradients.span, d->assignment->batch_span, d->assignment->train_span);
}

Span derive_optimizer_span(const Derive *d, int unit)
{
    const UnitPlacement *p = d->units[unit].placement;
    return first_known(p->optimizer.span, p->parameters.span, d->assignment->train_span);
}

Span derive_parameter_span(const Derive *d, int unit)
{
    const UnitPlacement *p = d->units[unit].placement;
    return first_known(p->parameters.span, p->optimizer.span, d->assignment->train_span);
}

/* ---- Forms -------------------------------------------------------------------------------------------------- */

/* Are shards over `inner` pieces of those over `outer`? */
static bool cut_nests(const Derive *d, int unit, AxisSet outer, AxisSet inner)
{
    if (outer.count > inner.count || memcmp(outer.axis, inner.axis, (size_t)outer.count) != 0)
        return false;
    return outer.count == 0 || d->decls->units.data[unit].elements % axes_size(d, inner) == 0;
}

static Ref whole_temporary(Derive *d, int unit, const char *name, Ref like, Span span)
{
    int buffer = derive_add_temporary(d, unit, name, like.buffer, (AxisSet){0}, span);
    d->program->buffers.data[buffer].slots = 1;
    return derive_scalar(buffer);
}

/* Converts a complete value, sharded over `have`, to another form. */
static void move_form(Derive *d, NodeList *body, int unit, Ref from, AxisSet have, Ref to, AxisSet want, Span span)
{
    if (cut_nests(d, unit, have, want)) {
        derive_emit_over(d, body, OP_SLICE, to, from, axes_without(want, have), span);
    } else if (cut_nests(d, unit, want, have)) {
        derive_emit_over(d, body, OP_ALL_GATHER, to, from, axes_without(have, want), span);
    } else {
        Ref whole = whole_temporary(d, unit, "whole", from, span);
        derive_emit_over(d, body, OP_ALL_GATHER, whole, from, have, span);
        derive_emit_over(d, body, OP_SLICE, to, whole, want, span);
    }
}

Ref derive_in_form(Derive *d, NodeList *body, int unit, Ref from, AxisSet have, AxisSet want, Span span)
{
    if (axes_equal(have, want))
        return from;
    const char *name = want.count > 0 ? "piece" : "whole";
    Ref to = derive_ref(derive_add_temporary(d, unit, name, from.buffer, want, span), from.slot);
    move_form(d, body, unit, from, have, to, want, span);
    return to;
}

/* ---- Gradients ---------------------------------------------------------------------------------------------- */

static void all_reduce(Derive *d, NodeList *body, Ref ref, AxisSet axes, Span span)
{
    if (axes.count > 0)
        derive_emit_over(d, body, OP_ALL_REDUCE, ref, ref, axes, span);
}

void derive_reduce_into(Derive *d, NodeList *body, Ref from, Ref to, AxisSet reduce, AxisSet cut, Span span)
{
    AxisSet both = axes_common(cut, reduce);
    if (cut.count == 0) {
        all_reduce(d, body, to, reduce, span);
    } else if (axes_equal(both, cut)) {
        derive_emit_over(d, body, OP_REDUCE_SCATTER, to, from, cut, span);
        all_reduce(d, body, to, axes_without(reduce, cut), span);
    } else {
        all_reduce(d, body, from, both, span);
        derive_emit_over(d, body, OP_SLICE, to, from, cut, span);
        all_reduce(d, body, to, axes_without(reduce, both), span);
    }
}

static int gradient_buffer(Derive *d, int unit, const char *name, AxisSet cut, Span span)
{
    return derive_add_temporary(d, unit, name, d->units[unit].accumulator, cut, span);
}

static AxisSet accumulator_cut(const UnitInfo *u)
{
    return u->contribution == u->accumulator ? (AxisSet){0} : u->gradients;
}

/* From the accumulator, which is sharded over its own axes and partial over the other axes of u->partial. */
static int convert_derived(Derive *d, NodeList *body, int unit, Affine slot)
{
    UnitInfo *u = &d->units[unit];
    AxisSet cut = accumulator_cut(u), reduce = axes_without(u->partial, cut);
    Ref from = derive_ref(u->accumulator, slot);
    if (axes_equal(cut, u->optimizer)) {
        all_reduce(d, body, from, reduce, derive_gradient_span(d, unit));
        return u->accumulator;
    }
    Span span = derive_optimizer_span(d, unit);
    const char *name = u->optimizer.count > 0 ? "gradient_shard" : "gradient_whole";
    Ref to = derive_ref(gradient_buffer(d, unit, name, u->optimizer, span), slot);
    if (cut_nests(d, unit, cut, u->optimizer)) {
        derive_reduce_into(d, body, from, to, reduce, axes_without(u->optimizer, cut), span);
    } else {
        all_reduce(d, body, from, reduce, derive_gradient_span(d, unit));
        move_form(d, body, unit, from, cut, to, u->optimizer, span);
    }
    return to.buffer;
}

bool derive_sync_names(const Sync *sync, SyncTarget target, int unit)
{
    if (sync->target != target)
        return false;
    for (int i = 0; i < sync->unit_count; i++)
        if (sync->units[i] == unit)
            return true;
    return false;
}

void derive_scale_synced(Derive *d, NodeList *body, Ref ref, const Sync *sync, AxisSet axes)
{
    int64_t ranks = sync->operation == SYNC_MEAN ? axes_size(d, axes) : 1;
    derive_emit_scale(d, body, ref, sync->scale_numerator, sync->scale_denominator * ranks, sync->span);
}

/* Scales the result of a sync, and moves it to where it belongs. */
static void complete_sync(Derive *d, NodeList *body, Ref result, Ref into, const Sync *sync, AxisSet axes)
{
    derive_scale_synced(d, body, result, sync, axes);
    if (result.buffer != into.buffer)
        derive_emit_from(d, body, OP_CAST, into, result, sync->span);
}

/* The proof is about exact numbers: the author is responsible for what a narrower dtype loses, and the report says
 * so. */
static void report_narrow(Derive *d, const Sync *sync, DType dtype)
{
    Diagnostic *diagnostic = diag_report(d->ctx->diag, P0362, sync->span,
                                         "gradients in %s are rounded to %s before "
                                         "they are summed",
                                         dtype_name(dtype), dtype_name(sync->dtype));
    diag_why(
        diagnostic,
        "The proof is of numbers without rounding and does not see what is lost. It sends %lld bytes an element in "
        "the place of %lld.",
        (long long)dtype_bytes(sync->dtype), (long long)dtype_bytes(dtype));
}

/* The copy of a flat buffer in the dtype of the sync; the buffer itself if it has that dtype. */
static Ref in_dtype_of(Derive *d, Ref ref, const Sync *sync)
{
    Buffer copy = d->program->buffers.data[ref.buffer];
    if (!sync->has_dtype || sync->dtype == copy.dtype)
        return ref;
    if (dtype_bytes(sync->dtype) < dtype_bytes(copy.dtype))
        report_narrow(d, sync, copy.dtype);
    copy.name = arena_printf(d->ctx->arena, "%s.%s", copy.name, dtype_name(sync->dtype));
    copy.dtype = sync->dtype;
    copy.category = CATEGORY_BUFFERS;
    copy.persistent = false;
    copy.span = sync->span;
    return derive_ref(derive_add_buffer(d, copy), ref.slot);
}

/* The reduction of a sync, from one flat buffer into another or in place; complete, or only started. */
static void reduce_synced(Derive *d, NodeList *body, int unit, OpKind kind, Ref from, Ref into, const Sync *sync,
                          AxisSet axes)
{
    UnitInfo *u = &d->units[unit];
    Ref source = in_dtype_of(d, from, sync), result = source;
    if (source.buffer != from.buffer)
        derive_emit_from(d, body, OP_CAST, source, from, sync->span);
    if (into.buffer != from.buffer)
        result = in_dtype_of(d, into, sync);
    Op *op = derive_emit_over(d, body, kind, result, source, axes, sync->span);
    if (!sync->waits) {
        complete_sync(d, body, result, into, sync, axes);
        return;
    }
    op->event = d->program->event_count++;
    vec_push(d->ctx->arena, &u->started, (Started){sync, result.buffer, into.buffer, axes, op->event});
}

/* Waits for the started syncs of moment SYNC_AT_STEP (`now`), or for those started earlier, in the order of the starts,
 * on the slot. */
static void wait_for_syncs(Derive *d, NodeList *body, int unit, Affine slot, bool now)
{
    UnitInfo *u = &d->units[unit];
    for (int i = 0; i < u->started.count; i++) {
        const Started *started = &u->started.data[i];
        if ((started->sync->moment == SYNC_AT_STEP) != now)
            continue;
        derive_emit_wait(d, body, started->event, started->sync->span);
        complete_sync(d, body, derive_ref(started->result, slot), derive_ref(started->into, slot), started->sync,
                      started->axes);
    }
}

/* Puts the shards that a sync left back into their places in the accumulator. */
static void put_back_shard(Derive *d, NodeList *body, int unit, Ref shard, AxisSet axes, Span span)
{
    Ref whole = derive_ref(d->units[unit].accumulator, shard.slot);
    Op *op = derive_emit_over(d, body, OP_PLACE_SHARD, whole, whole, axes, span);
    op->operand_count = 2;
    op->operand[1] = shard;
}

static void sync_into_shards(Derive *d, NodeList *body, int unit, Affine slot, const Sync *sync, AxisSet axes)
{
    UnitInfo *u = &d->units[unit];
    if (u->left_shard >= 0)
        put_back_shard(d, body, unit, derive_ref(u->left_shard, slot), u->left_axes, sync->span);
    Ref shard = derive_ref(gradient_buffer(d, unit, "gradient_shard", axes, sync->span), slot);
    reduce_synced(d, body, unit, OP_REDUCE_SCATTER, derive_ref(u->accumulator, slot), shard, sync, axes);
    u->left_shard = -1;
    if (axes_equal(axes, u->optimizer)) {
        u->left_shard = shard.buffer;
        u->left_axes = axes;
    } else {
        put_back_shard(d, body, unit, shard, axes, sync->span);
    }
}

/* ---- Segments of fused parameters --------------------------------------------------------------------------- */

/* A value of one segment: the member's dims, with only this segment's elements in the fused one. */
static Buffer segment_buffer(Derive *d, int unit, int position, int dim, int index, Span span)
{
    const Unit *u = &d->decls->units.data[unit];
    const Tensor *tensor = &d->decls->tensors.data[u->members[position]];
    Buffer buffer = d->program->buffers.data[d->units[unit].accumulator];
    buffer.name = arena_printf(d->ctx->arena, "gradient.%s.%d", tensor->name, index);
    buffer.layout = LAYOUT_DENSE;
    buffer.category = CATEGORY_BUFFERS;
    buffer.persistent = false;
    buffer.slots = 1;
    buffer.state = buffer.tensor = -1;
    buffer.cut_count = 0;
    buffer.span = span;
    buffer.dim_count = tensor->dim_count;
    unit_member_dims(d->decls, u, position, buffer.dims);
    buffer.dims[dim].size = tensor->segments[dim]->size[index];
    buffer.dims[dim].segments = NULL;
    return buffer;
}

/* Takes one segment out of a member's gradient, reduces it, and puts it back. */
static void sync_segment(Derive *d, NodeList *body, int unit, int position, Affine slot, int index, const Sync *sync,
                         AxisSet axes)
{
    int member = d->decls->units.data[unit].members[position], dim = 0;
    const Tensor *tensor = &d->decls->tensors.data[member];
    while (tensor->segments[dim] == NULL)
        dim++;
    const char *letters = index_letters(tensor->dim_count);
    char *part = arena_copy(d->ctx->arena, letters, strlen(letters));
    part[dim] = 's';
    double first = 0;
    for (int i = 0; i < index; i++)
        first += (double)tensor->segments[dim]->size[i];
    Ref whole = derive_ref(d->units[unit].accumulator, slot), segment;
    whole.member = member;
    segment =
        derive_ref(derive_add_buffer(d, segment_buffer(d, unit, position, dim, index, sync->span)), affine_constant(0));
    Op *take = derive_emit_from(d, body, OP_SEGMENT, segment, whole, sync->span);
    take->spec = arena_printf(d->ctx->arena, "%s->%s", letters, part);
    if (axes.count > 0)
        reduce_synced(d, body, unit, OP_ALL_REDUCE, segment, segment, sync, axes);
    else
        derive_scale_synced(d, body, segment, sync, axes);
    Op *put = derive_emit_from(d, body, OP_PLACE_SEGMENT, whole, whole, sync->span);
    put->spec = arena_printf(d->ctx->arena, "%s,%s->%s", letters, part, letters);
    put->operand_count = 2;
    put->operand[1] = segment;
    take->immediate_count = put->immediate_count = 1;
    take->immediate[0] = put->immediate[0] = first;
}

static void sync_segments(Derive *d, NodeList *body, int unit, Affine slot, const Sync *sync, AxisSet axes)
{
    const Unit *u = &d->decls->units.data[unit];
    if (d->units[unit].left_shard >= 0) {
        if (!d->failed)
            diag_report(d->ctx->diag, P0290, sync->span,
                        "a sync of segments after one into shards is not supported "
                        "yet");
        d->failed = true;
    }
    for (int position = 0; position < u->member_count && !d->failed; position++)
        for (int index = 0; index < STEP_MAX_SEGMENTS; index++)
            if (sync->segments >> index & 1)
                sync_segment(d, body, unit, position, slot, index, sync, axes);
}

/* If syncs name some segments of a gradient but not all of it, the sums of the others are derived. */
static void sum_other_segments(Derive *d, NodeList *body, int unit, Affine slot)
{
    const Unit *u = &d->decls->units.data[unit];
    unsigned named = 0;
    for (int i = 0; i < d->assignment->syncs.count; i++) {
        const Sync *sync = &d->assignment->syncs.data[i];
        if (!derive_sync_names(sync, SYNC_GRADIENTS, unit))
            continue;
        if (sync->segments == 0)
            return;
        named |= sync->segments;
    }
    AxisSet axes = axes_larger_than_one(d->decls, d->units[unit].partial);
    const Segments *segments = named != 0 ? tensor_segments(&d->decls->tensors.data[u->members[0]]) : NULL;
    Sync *rest = arena_make(d->ctx->arena, Sync);
    *rest = (Sync){.target = SYNC_GRADIENTS,
                   .operation = SYNC_SUM,
                   .axes = axes,
                   .scale_numerator = 1,
                   .scale_denominator = 1,
                   .span = derive_gradient_span(d, unit)};
    if (segments != NULL && axes.count > 0)
        rest->segments = ~named & ((1u << segments->count) - 1);
    sync_segments(d, body, unit, slot, rest, axes);
}

static void lower_sync(Derive *d, NodeList *body, int unit, Affine slot, const Sync *sync)
{
    UnitInfo *u = &d->units[unit];
    AxisSet axes = axes_larger_than_one(d->decls, sync->axes);
    if (sync->operation == SYNC_NONE)
        return;
    if (sync->segments != 0) {
        sync_segments(d, body, unit, slot, sync, axes);
        return;
    }
    if (sync->into_shards && axes.count > 0) {
        sync_into_shards(d, body, unit, slot, sync, axes);
        return;
    }
    Ref current = derive_ref(u->left_shard >= 0 ? u->left_shard : u->accumulator, slot);
    if (axes.count > 0)
        reduce_synced(d, body, unit, OP_ALL_REDUCE, current, current, sync, axes);
    else
        derive_scale_synced(d, body, current, sync, axes);
}

/* An event means its latest start, so syncs of all layers of a loop cannot be in flight together. */
static void refuse_started(Derive *d, int unit, const Sync *sync)
{
    const Unit *u = &d->decls->units.data[unit];
    if (d->failed || !sync->waits || u->group < 0 || u->first_layer == u->last_layer)
        return;
    const char *group = d->decls->groups.data[u->group].name;
    Diagnostic *diagnostic = diag_report(d->ctx->diag, P0290, sync->span,
                                         "one started sync of several layers of '%s' is not supported yet", group);
    diag_help(diagnostic, "Give every layer a sync of its own: 'sync %s of %s[%lld] : ...'.",
              sync->target == SYNC_GRADIENTS    ? "gradients"
              : sync->target == SYNC_PARAMETERS ? "parameters"
                                                : "optimizer",
              group, (long long)u->first_layer);
    d->failed = true;
}

/* `after microbatch N` runs where the loop over microbatches is at N. */
static NodeList *guard_microbatch(Derive *d, NodeList *body, const Sync *sync)
{
    Node *guard = arena_make(d->ctx->arena, Node);
    guard->kind = NODE_GUARD;
    guard->span = sync->span;
    guard->guard.value = affine_loop(d->micro_loop, 1, 0);
    guard->guard.low = guard->guard.high = sync->microbatch;
    vec_push(d->ctx->arena, body, guard);
    return &guard->body;
}

void derive_syncs(Derive *d, NodeList *body, int unit, Affine slot, SyncMoment moment)
{
    for (int i = 0; i < d->assignment->syncs.count; i++) {
        const Sync *sync = &d->assignment->syncs.data[i];
        if (sync->moment != moment || sync == d->units[unit].microbatch_sync ||
            !derive_sync_names(sync, SYNC_GRADIENTS, unit))
            continue;
        refuse_started(d, unit, sync);
        bool guarded = moment == SYNC_AFTER_MICROBATCH && sync->operation != SYNC_NONE;
        lower_sync(d, guarded ? guard_microbatch(d, body, sync) : body, unit, slot, sync);
    }
}

/* The axes on which a unit's contributions are parts of a sum and that no sync names, if a sync has `derive the
 * rest`. */
static AxisSet rest_of_syncs(const Derive *d, int unit)
{
    AxisSet named = {0};
    bool rests = false;
    for (int i = 0; i < d->assignment->syncs.count; i++) {
        const Sync *sync = &d->assignment->syncs.data[i];
        if (!derive_sync_names(sync, SYNC_GRADIENTS, unit))
            continue;
        rests |= sync->derive_rest;
        named = axes_union(d, named, sync->axes);
    }
    return rests ? axes_without(d->units[unit].partial, named) : (AxisSet){0};
}

AxisSet derive_reduced_each(const Derive *d, int unit)
{
    const UnitInfo *u = &d->units[unit];
    if (u->microbatch_sync != NULL)
        return u->gradients;
    return axes_common(u->gradients, u->explicit_gradients ? rest_of_syncs(d, unit) : u->partial);
}

static int convert_explicit(Derive *d, NodeList *body, int unit, Affine slot)
{
    UnitInfo *u = &d->units[unit];
    wait_for_syncs(d, body, unit, slot, false);
    derive_syncs(d, body, unit, slot, SYNC_AT_STEP);
    wait_for_syncs(d, body, unit, slot, true);
    sum_other_segments(d, body, unit, slot);
    all_reduce(d, body, derive_ref(u->left_shard >= 0 ? u->left_shard : u->accumulator, slot),
               axes_without(rest_of_syncs(d, unit), accumulator_cut(u)), derive_gradient_span(d, unit));
    if (u->left_shard >= 0)
        return u->left_shard;
    if (axes_equal(accumulator_cut(u), u->optimizer))
        return u->accumulator;
    Span span = derive_optimizer_span(d, unit);
    const char *name = u->optimizer.count > 0 ? "gradient_shard" : "gradient_whole";
    Ref seen = derive_ref(gradient_buffer(d, unit, name, u->optimizer, span), slot);
    move_form(d, body, unit, derive_ref(u->accumulator, slot), accumulator_cut(u), seen, u->optimizer, span);
    return seen.buffer;
}

Ref derive_gradient_for_update(Derive *d, NodeList *body, int unit, Affine slot)
{
    UnitInfo *u = &d->units[unit];
    if (u->gradient_seen < 0)
        u->gradient_seen =
            u->explicit_gradients ? convert_explicit(d, body, unit, slot) : convert_derived(d, body, unit, slot);
    return derive_ref(u->gradient_seen, slot);
}

/* ---- Parameters --------------------------------------------------------------------------------------------- */

static int parameter_buffer(Derive *d, int unit, const char *name, AxisSet cut, Span span)
{
    return derive_add_temporary(d, unit, name, d->units[unit].parameter_buffer, cut, span);
}

Ref derive_parameter_for_update(Derive *d, NodeList *body, int unit, Affine slot, bool write)
{
    UnitInfo *u = &d->units[unit];
    if (u->parameter_seen >= 0)
        return derive_ref(u->parameter_seen, slot);
    if (axes_equal(u->parameters, u->optimizer)) {
        u->parameter_seen = u->parameter_buffer;
        return derive_ref(u->parameter_seen, slot);
    }
    Span span = derive_optimizer_span(d, unit);
    const char *name = u->optimizer.count > 0 ? "parameter_shard" : "parameter_whole";
    u->parameter_seen = parameter_buffer(d, unit, name, u->optimizer, span);
    Ref seen = derive_ref(u->parameter_seen, slot);
    if (!write)
        move_form(d, body, unit, derive_ref(u->parameter_buffer, slot), u->parameters, seen, u->optimizer, span);
    return seen;
}

static const Sync *find_parameter_sync(const Derive *d, int unit)
{
    for (int i = 0; i < d->assignment->syncs.count; i++)
        if (derive_sync_names(&d->assignment->syncs.data[i], SYNC_PARAMETERS, unit) &&
            d->assignment->syncs.data[i].moment == SYNC_AT_STEP)
            return &d->assignment->syncs.data[i];
    return NULL;
}

static void refuse_gather(Derive *d, int unit, const Sync *sync, AxisSet needed)
{
    const UnitInfo *u = &d->units[unit];
    Diagnostic *diagnostic =
        diag_report(d->ctx->diag, P0306, sync->span, "parameters are gathered over the wrong axes");
    diag_primary_label(diagnostic, "gathers over '%s'", axes_words(d, sync->axes));
    if (span_known(u->placement->optimizer.span))
        diag_label(diagnostic, u->placement->optimizer.span, "says which piece each rank updates");
    if (needed.count > 0)
        diag_why(diagnostic,
                 "The pieces that the ranks along '%s' updated are put together only by a gather over '%s'.",
                 axes_words(d, needed), axes_words(d, needed));
    else
        diag_why(diagnostic, "Every rank updates all that it keeps of these parameters: there is nothing to gather.");
    diag_repair(diagnostic, (Repair){.kind = needed.count > 0 ? REPAIR_AXES : REPAIR_LEAVE_OUT,
                                     .span = sync->span,
                                     .axes = axes_words(d, needed)});
    d->failed = true;
}

/* The axes over which shards must be gathered, after the update, to what a rank stores of the parameter. */
static AxisSet axes_to_gather(const Derive *d, int unit)
{
    const UnitInfo *u = &d->units[unit];
    if (cut_nests(d, unit, u->optimizer, u->parameters))
        return (AxisSet){0};
    return cut_nests(d, unit, u->parameters, u->optimizer) ? axes_without(u->optimizer, u->parameters) : u->optimizer;
}

/* Without a gather: the updated shard goes into its place in what the rank stores; the rest of that stays as it was. */
static void store_ungathered(Derive *d, NodeList *body, int unit, Ref seen, Ref rest, Span span)
{
    UnitInfo *u = &d->units[unit];
    bool nests = cut_nests(d, unit, u->parameters, u->optimizer);
    Ref whole = nests ? rest : whole_temporary(d, unit, "whole", rest, span);
    if (!nests)
        derive_emit_over(d, body, OP_ALL_GATHER, whole, rest, u->parameters, derive_parameter_span(d, unit));
    AxisSet axes = axes_to_gather(d, unit);
    Op *op = derive_emit_over(d, body, OP_PLACE_SHARD, whole, whole, axes, span);
    op->operand_count = 2;
    op->operand[1] = seen;
    if (!nests)
        derive_emit_over(d, body, OP_SLICE, rest, whole, u->parameters, span);
}

static void broadcast(Derive *d, NodeList *body, Ref ref, AxisSet axes, Span span)
{
    for (int a = 0; a < axes.count; a++)
        derive_emit_over(d, body, OP_BROADCAST, ref, ref, (AxisSet){1, {axes.axis[a]}}, span);
}

bool derive_names_state(const Derive *d, const Sync *sync, int unit, int state)
{
    const State *s = &d->decls->states.data[state];
    int declared = -1;
    for (int i = 0; i < d->assignment->declared_states.count; i++)
        if (strcmp(d->assignment->declared_states.data[i], s->name) == 0)
            declared = i;
    bool named = sync->state == NULL || strcmp(s->name, sync->state) == 0;
    return s->kind == STATE_OPTIMIZER && s->per_parameter && declared == sync->declared && named &&
           derive_sync_names(sync, SYNC_STATE, unit);
}

/* Applies a sync to what a rank stores of an updated parameter or state. */
static void sync_state(Derive *d, NodeList *body, Ref ref, const Sync *sync)
{
    AxisSet axes = axes_larger_than_one(d->decls, sync->axes);
    d->program->buffers.data[ref.buffer].span = sync->span;
    if (sync->operation == SYNC_NONE)
        return;
    if (sync->operation == SYNC_BROADCAST)
        broadcast(d, body, ref, axes, sync->span);
    else if (axes.count > 0)
        derive_emit_over(d, body, OP_ALL_REDUCE, ref, ref, axes, sync->span)->reduce =
            sync->operation == SYNC_MAX ? REDUCE_MAX : REDUCE_SUM;
    derive_scale_synced(d, body, ref, sync, axes);
}

/* Only starts the last communication from `first` on, and leaves its completion, with all that follows it, to the
 * end. */
static void leave_started(Derive *d, NodeList *body, int first, int unit, const Sync *sync)
{
    int last = body->count - 1;
    while (last >= first && op_info[body->data[last]->op->kind].op_class != CLASS_COMM)
        last--;
    if (!sync->waits || last < first)
        return;
    refuse_started(d, unit, sync);
    Op *op = body->data[last]->op;
    Tail tail = {.event = op->event = d->program->event_count++, .span = sync->span};
    for (int i = last + 1; i < body->count; i++) {
        Op *behind = body->data[i]->op; /* of one layer: moved out of the current loop */
        for (int j = 0; j < behind->operand_count; j++)
            behind->operand[j].slot = affine_constant(0);
        behind->out.slot = affine_constant(0);
        vec_push(d->ctx->arena, &tail.rest, body->data[i]);
    }
    body->count = last + 1;
    vec_push(d->ctx->arena, &d->tails, tail);
}

void derive_sync_state(Derive *d, NodeList *body, int unit, Ref ref, const Sync *sync)
{
    int first = body->count;
    sync_state(d, body, ref, sync);
    leave_started(d, body, first, unit, sync);
}

void derive_finish_syncs(Derive *d, NodeList *body)
{
    for (int i = 0; i < d->tails.count; i++) {
        derive_emit_wait(d, body, d->tails.data[i].event, d->tails.data[i].span);
        for (int j = 0; j < d->tails.data[i].rest.count; j++)
            vec_push(d->ctx->arena, body, d->tails.data[i].rest.data[j]);
    }
    d->tails.count = 0;
}

static void store_parameter(Derive *d, NodeList *body, int unit, Affine slot, const Sync *sync)
{
    UnitInfo *u = &d->units[unit];
    AxisSet needed = axes_to_gather(d, unit);
    bool gathers = sync == NULL || sync->operation == SYNC_GATHER;
    if (sync != NULL && gathers && !axes_equal(axes_larger_than_one(d->decls, sync->axes), needed)) {
        refuse_gather(d, unit, sync, needed);
        return;
    }
    Ref seen = derive_ref(u->parameter_seen, slot), rest = derive_ref(u->parameter_buffer, slot);
    Span span = sync != NULL ? sync->span : derive_optimizer_span(d, unit);
    if (seen.buffer != rest.buffer && !gathers && needed.count > 0)
        store_ungathered(d, body, unit, seen, rest, span);
    else if (seen.buffer != rest.buffer)
        move_form(d, body, unit, seen, u->optimizer, rest, u->parameters, span);
    if (!gathers)
        sync_state(d, body, rest, sync);
}

void derive_store_parameter(Derive *d, NodeList *body, int unit, Affine slot)
{
    const Sync *sync = find_parameter_sync(d, unit);
    int first = body->count;
    store_parameter(d, body, unit, slot, sync);
    if (sync != NULL)
        leave_started(d, body, first, unit, sync);
}

void derive_sync_start(Derive *d, NodeList *body, int unit, Affine slot)
{
    for (int i = 0; i < d->assignment->syncs.count; i++) {
        const Sync *sync = &d->assignment->syncs.data[i];
        if (sync->moment == SYNC_AT_START && derive_sync_names(sync, SYNC_PARAMETERS, unit))
            broadcast(d, body, derive_ref(d->units[unit].parameter_buffer, slot),
                      axes_larger_than_one(d->decls, sync->axes), sync->span);
    }
}

/* ---- Scalars ------------------------------------------------------------------------------------------------ */

void derive_scalar_sync(Derive *d, NodeList *body, int buffer, const Sync *sync)
{
    AxisSet axes = axes_larger_than_one(d->decls, sync->axes);
    if (sync->operation == SYNC_NONE)
        return;
    all_reduce(d, body, derive_scalar(buffer), axes, sync->span);
    derive_scale_synced(d, body, derive_scalar(buffer), sync, axes);
}

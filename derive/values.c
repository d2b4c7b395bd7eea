/* values.c - dense values of the reference in the placements that their readers need.
 *
 * A buffer of the reference has a buffer of the program for every layout that its values take (a variant); a partial
 * sum has the layout of the whole, so that it is summed in place. At every point of a routine a value is available in
 * some placements: the one that it was computed in, and those that it was converted to for earlier readers. A reader
 * that needs another one gets the cheapest conversion from these.
 */
#include "derive/internal.h"

#include <math.h>
#include <string.h>

/* ---- Placements --------------------------------------------------------------------------------------------- */

Place place_whole(void)
{
    Place place;
    memset(place.on, ON_WHOLE, sizeof(place.on));
    return place;
}

bool place_equal(const Place *x, const Place *y)
{
    return memcmp(x->on, y->on, sizeof(x->on)) == 0;
}

AxisSet place_axes(const Derive *d, const Place *place, int on)
{
    AxisSet set = {0};
    for (int a = 0; a < d->decls->axes.count; a++)
        if (place->on[a] == on)
            set.axis[set.count++] = (int8_t)a;
    return set;
}

/* A partial value has the layout of a whole one. */
static Place layout_of(Place place)
{
    for (int a = 0; a < STEP_MAX_AXES; a++)
        if (place.on[a] == ON_PARTIAL)
            place.on[a] = ON_WHOLE;
    return place;
}

static int64_t ranks_of(const Derive *d, int axis)
{
    return d->decls->axes.data[axis].size;
}

double place_bytes(const Derive *d, int ref, const Place *place, int but)
{
    const Buffer *buffer = &d->reference->buffers.data[ref];
    double bytes = (double)dtype_bytes(buffer->dtype);
    for (int i = 0; i < buffer->dim_count; i++)
        bytes *= (double)buffer->dims[i].size;
    for (int a = 0; a < d->decls->axes.count; a++)
        if (a != but && place->on[a] >= 0)
            bytes /= (double)ranks_of(d, a);
    return bytes;
}

double place_cost_on(const Derive *d, int axis, int from, int to, double bytes)
{
    double n = (double)ranks_of(d, axis), share = bytes * (n - 1) / n;
    if (from == to)
        return 0;
    if (from == ON_PARTIAL)
        return to >= 0 ? share : 2 * share;
    if (from >= 0)
        return to == ON_PARTIAL ? INFINITY : to >= 0 ? share / n : share;
    return to >= 0 ? 0 : INFINITY;
}

bool place_breaches(const Derive *d, int ref, int axis, int from, int to)
{
    return from != to && !(from == ON_WHOLE && to >= 0) && (d->buffers[ref].literal >> axis & 1);
}

/* ---- Variants ----------------------------------------------------------------------------------------------- */

static void cut_dim(Derive *d, int ref, Dim *dim, int axis)
{
    if (dim->cut_count == STEP_MAX_CUTS) {
        const Buffer *buffer = &d->reference->buffers.data[ref];
        if (!d->failed)
            diag_report(d->ctx->diag, P0290, buffer->span,
                        "a dim of '%s' cut over more than %d axes is not supported yet", buffer->name,
                        STEP_MAX_CUTS - 1);
        d->failed = true;
        return;
    }
    dim->cut[dim->cut_count++] = (int8_t)axis;
}

static int make_variant(Derive *d, int ref, const Variant *variant, const char *suffix)
{
    const RefBuffer *info = &d->buffers[ref];
    Buffer buffer = d->reference->buffers.data[ref];
    for (int i = 0; i < buffer.dim_count; i++) {
        Dim *dim = &buffer.dims[i];
        if (variant->micro && (info->micro_dims != 0 ? info->micro_dims : info->batch_dims) >> i & 1)
            cut_dim(d, ref, dim, CUT_MICRO);
        for (int a = 0; a < d->decls->axes.count; a++)
            if (variant->layout.on[a] == i)
                cut_dim(d, ref, dim, a);
    }
    Place whole = place_whole();
    bool copies_state = buffer.persistent && !place_equal(&variant->layout, &whole);
    if (variant->purpose == FOR_PART || info->role != ROLE_PLAIN)
        buffer.slots = 1;
    if (variant->purpose == FOR_PART || info->role != ROLE_PLAIN || copies_state) {
        buffer.persistent = false;
        buffer.state = buffer.tensor = -1;
        buffer.category = CATEGORY_BUFFERS;
    }
    if (suffix[0] != '\0')
        buffer.name = arena_printf(d->ctx->arena, "%s.%s", buffer.name, suffix);
    return derive_add_buffer(d, buffer);
}

/* The buffer for values of `ref` in a placement; `suffix` is for the name of a new one. */
static int find_variant(Derive *d, int ref, const Place *place, Purpose purpose, const char *suffix)
{
    RefBuffer *info = &d->buffers[ref];
    bool micro = d->cut && !d->reference->buffers.data[ref].persistent && derive_is_cut(info);
    Variant variant = {layout_of(*place), micro, purpose, -1};
    for (int i = 0; i < info->variants.count; i++) {
        const Variant *other = &info->variants.data[i];
        if (other->micro == micro && other->purpose == purpose && place_equal(&other->layout, &variant.layout))
            return other->buffer;
    }
    if (d->dry)
        return -1;
    variant.buffer = make_variant(d, ref, &variant, suffix);
    vec_push(d->ctx->arena, &info->variants, variant);
    return variant.buffer;
}

int derive_variant(Derive *d, int ref, const Place *place)
{
    return find_variant(d, ref, place, FOR_VALUE, "");
}

int derive_named_variant(Derive *d, int ref, const Place *place, const char *suffix)
{
    return find_variant(d, ref, place, FOR_VALUE, suffix);
}

int derive_part(Derive *d, int ref, const Place *place)
{
    return find_variant(d, ref, place, FOR_PART, "part");
}

/* ---- Available values --------------------------------------------------------------------------------------- */

static bool by_layer(Ref ref)
{
    return ref.slot.term_count > 0;
}

bool derive_is_held(const Derive *d, const Held *held, Ref ref)
{
    if (held->by_layer != by_layer(ref) || held->constant != ref.slot.constant)
        return false;
    return !held->by_layer || (held->first <= d->first_layer && d->last_layer <= held->last);
}

/* A buffer that is written in several places has one placement; if nothing else is known about its value, that is where
 * it is. */
Held *derive_held(Derive *d, Ref ref)
{
    RefBuffer *info = &d->buffers[ref.buffer];
    for (int i = 0; i < info->held.count; i++)
        if (derive_is_held(d, &info->held.data[i], ref))
            return &info->held.data[i];
    if (!info->has_home)
        return NULL;
    return derive_hold(d, ref, info->home, derive_variant(d, ref.buffer, &info->home));
}

Held *derive_hold(Derive *d, Ref ref, Place place, int buffer)
{
    RefBuffer *info = &d->buffers[ref.buffer];
    Held held = {by_layer(ref), ref.slot.constant, d->first_layer, d->last_layer, place, buffer};
    vec_push(d->ctx->arena, &info->held, held);
    return &info->held.data[info->held.count - 1];
}

static void forget_held(const Derive *d, HeldList *list, Ref ref)
{
    int kept = 0;
    for (int i = 0; i < list->count; i++)
        if (!derive_is_held(d, &list->data[i], ref))
            list->data[kept++] = list->data[i];
    list->count = kept;
}

void derive_hold_wide(Derive *d, Ref ref, Place place, int buffer)
{
    Held held = {by_layer(ref), ref.slot.constant, d->first_layer, d->last_layer, place, buffer};
    vec_push(d->ctx->arena, &d->buffers[ref.buffer].held_wide, held);
}

void derive_forget(Derive *d, Ref ref)
{
    RefBuffer *info = &d->buffers[ref.buffer];
    forget_held(d, &info->held, ref);
    forget_held(d, &info->held_wide, ref);
}

/* At the start of a loop, what the loop writes is available only where it is written; shards of parameters are not kept
 * beyond a loop. */
static void forget_written(Derive *d, const NodeList *body, bool parameters)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        forget_written(d, &node->body, parameters);
        if (node->kind != NODE_OP)
            continue;
        if (!parameters && op_has_result(node->op->kind) && !by_layer(node->op->out))
            derive_forget(d, node->op->out);
        for (int j = 0; parameters && j < node->op->operand_count; j++)
            if (d->buffers[node->op->operand[j].buffer].role == ROLE_PARAMETER)
                d->buffers[node->op->operand[j].buffer].held.count = 0;
    }
}

static bool writes(const NodeList *body, int ref)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        if (writes(&node->body, ref))
            return true;
        if (node->kind == NODE_OP && op_has_result(node->op->kind) && node->op->out.buffer == ref)
            return true;
    }
    return false;
}

bool derive_complete(Derive *d, NodeList *body, Ref ref, Span span)
{
    const RefBuffer *info = &d->buffers[ref.buffer];
    const Held *held = derive_held(d, ref);
    if (held == NULL || place_axes(d, &held->place, ON_PARTIAL).count == 0)
        return false;
    Place to = held->place;
    for (int a = 0; a < d->decls->axes.count; a++)
        if (to.on[a] == ON_PARTIAL)
            to.on[a] = info->rest.on[a];
    derive_value(d, body, ref, &to, span);
    return true;
}

/* Completes sums that a loop reads and does not write once, before the loop. */
static void complete_outer(Derive *d, NodeList *body, const NodeList *loop, const NodeList *inner)
{
    for (int i = 0; i < inner->count; i++) {
        const Node *node = inner->data[i];
        complete_outer(d, body, loop, &node->body);
        for (int j = 0; node->kind == NODE_OP && j < node->op->operand_count; j++) {
            Ref ref = node->op->operand[j];
            const RefBuffer *info = &d->buffers[ref.buffer];
            if (info->role == ROLE_PLAIN && !info->partial && !by_layer(ref) && !writes(loop, ref.buffer))
                derive_complete(d, body, ref, node->span);
        }
    }
}

void derive_enter_loop(Derive *d, NodeList *body, const Node *loop)
{
    complete_outer(d, body, &loop->body, &loop->body);
    forget_written(d, &loop->body, false);
}

void derive_leave_loop(Derive *d, const Node *loop)
{
    forget_written(d, &loop->body, true);
}

typedef struct Writer {
    bool known;
    const Node *loop;
} Writer;

static void find_fixed(Derive *d, const NodeList *body, const Node *loop, Writer *writers)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        if (node->kind == NODE_LOOP)
            find_fixed(d, &node->body, node, writers);
        if (node->kind != NODE_OP || !op_has_result(node->op->kind) || d->ops[node->op->id].phase != PHASE_MICRO)
            continue;
        Writer *writer = &writers[node->op->out.buffer];
        d->buffers[node->op->out.buffer].fixed |= writer->known && writer->loop != loop;
        *writer = (Writer){true, loop};
    }
}

void derive_start_routine(Derive *d, const Routine *routine)
{
    int count = d->reference->buffers.count;
    d->routine = routine;
    for (int i = 0; i < count; i++) {
        d->buffers[i].held.count = d->buffers[i].held_wide.count = 0;
        d->buffers[i].fixed = false;
        d->buffers[i].home = place_whole(); /* of a state that no strategy places */
        d->buffers[i].has_home = d->buffers[i].role == ROLE_PLAIN && d->reference->buffers.data[i].persistent;
        d->buffers[i].reader = NULL;
    }
    find_fixed(d, &routine->body, NULL, arena_array(d->ctx->arena, Writer, count + 1));
    derive_check_synced(d, routine);
    derive_rest(d, routine);
}

/* ---- Conversions -------------------------------------------------------------------------------------------- */

/* A conversion in progress: the value of `ref`, stored in `at` with placement `place`. */
typedef struct Route {
    Derive *d;
    NodeList *body;
    int ref;
    Ref at;
    Affine slot; /* of the destination */
    Place place;
    Purpose purpose; /* FOR_PART: into separate buffers, the value is only on its way to another placement */
    Span span;
    bool moved;       /* it has left the buffer it started in; before that, it is summed there, */
    Place left_there; /* which then has this placement */
} Route;

/* The axes that shard a dim, outermost first. */
static AxisSet cuts_of(const Derive *d, const Place *place, int dim)
{
    return place_axes(d, place, dim);
}

/* Is a gradient computed from parts over one of the axes? */
static bool keeps_parts(const Derive *d, int ref, AxisSet axes)
{
    for (int i = 0; i < axes.count; i++)
        if (d->buffers[ref].parted >> axes.axis[i] & 1)
            return true;
    return false;
}

static void step_to(Route *r, OpKind kind, AxisSet axes, Place next, const char *suffix)
{
    Derive *d = r->d;
    Place from = layout_of(r->place), to = layout_of(next);
    Ref out = r->at;
    bool parted = !r->moved && r->purpose == FOR_VALUE && keeps_parts(d, r->ref, axes);
    if (place_equal(&from, &to) && !parted) {
        r->left_there = r->moved ? r->left_there : next;
    } else {
        r->purpose = parted && place_equal(&from, &to) ? FOR_SUM : r->purpose;
        out.buffer = find_variant(d, r->ref, &next, r->purpose, r->purpose == FOR_SUM ? "summed" : suffix);
        out.member = -1;
        out.slot = r->slot;
        r->moved = true;
    }
    if (!d->dry) {
        Op *op = derive_emit_over(d, r->body, kind, out, r->at, axes, r->span);
        if (op_sums(kind))
            op->reduce = d->buffers[r->ref].maximum && kind == OP_ALL_REDUCE ? REDUCE_MAX : REDUCE_SUM;
    }
    r->at = out;
    r->place = next;
}

/* Those of the axes that can shard the dim inside its other cuts now; *next has these cuts, too. */
static AxisSet addable(const Derive *d, const Place *now, AxisSet axes, int dim, Place *next)
{
    AxisSet added = {0};
    *next = *now;
    for (int i = 0; i < axes.count; i++) {
        AxisSet cuts = cuts_of(d, next, dim);
        if (cuts.count > 0 && cuts.axis[cuts.count - 1] > axes.axis[i])
            continue;
        next->on[axes.axis[i]] = (int8_t)dim;
        added.axis[added.count++] = axes.axis[i];
    }
    return added;
}

static AxisSet axes_between(const Derive *d, const Place *from, int on, const Place *to, int then)
{
    return axes_common(place_axes(d, from, on), place_axes(d, to, then));
}

static void add_cuts(Route *r, const Place *to, int from, OpKind kind, const char *suffix, int dims)
{
    Place next;
    for (int dim = 0; dim < dims; dim++) {
        AxisSet axes = axes_between(r->d, &r->place, from, to, dim);
        AxisSet added = addable(r->d, &r->place, axes, dim, &next);
        if (added.count > 0)
            step_to(r, kind, added, next, suffix);
    }
}

static void reduce_rest(Route *r, const Place *to)
{
    AxisSet axes = {0};
    Place next = r->place;
    for (int a = 0; a < r->d->decls->axes.count; a++)
        if (r->place.on[a] == ON_PARTIAL && to->on[a] != ON_PARTIAL) {
            axes.axis[axes.count++] = (int8_t)a;
            next.on[a] = ON_WHOLE;
        }
    if (axes.count > 0)
        step_to(r, OP_ALL_REDUCE, axes, next, "");
}

static bool is_innermost(const Derive *d, const Place *place, int axis)
{
    AxisSet cuts = cuts_of(d, place, place->on[axis]);
    return cuts.axis[cuts.count - 1] == axis;
}

static void exchange(Route *r, const Place *to)
{
    for (int a = 0; a < r->d->decls->axes.count; a++) {
        Place next = r->place;
        if (r->place.on[a] < 0 || to->on[a] < 0 || r->place.on[a] == to->on[a])
            continue;
        next.on[a] = to->on[a];
        if (is_innermost(r->d, &r->place, a) && is_innermost(r->d, &next, a))
            step_to(r, OP_ALL_TO_ALL, (AxisSet){1, {(int8_t)a}}, next, "exchanged");
    }
}

/* The outer cuts of a dim that stay, and those that become parts of a sum. */
static AxisSet staying(const Derive *d, const Place *now, const Place *to, int dim)
{
    AxisSet have = cuts_of(d, now, dim), want = cuts_of(d, to, dim), keep = {0};
    for (int i = 0, at = 0; i < have.count; i++) {
        bool stays = at < want.count && want.axis[at] == have.axis[i];
        if (!stays && to->on[have.axis[i]] != ON_PARTIAL)
            break;
        at += stays;
        keep.axis[keep.count++] = have.axis[i];
    }
    return keep;
}

/* Gathers every dim down to the outer cuts that stay; an outer cut that is removed takes the inner ones with it. */
static void gather(Route *r, const Place *to, int dims)
{
    Derive *d = r->d;
    for (int dim = 0; dim < dims; dim++) {
        AxisSet axes = axes_without(cuts_of(d, &r->place, dim), staying(d, &r->place, to, dim));
        Place next = r->place;
        if (axes.count == 0)
            continue;
        for (int i = 0; i < axes.count; i++)
            next.on[axes.axis[i]] = ON_WHOLE;
        step_to(r, OP_ALL_GATHER, axes, next, "gathered");
    }
}

/* Shards in their places, zeros elsewhere: a sum. */
static void spread(Route *r, const Place *to)
{
    Derive *d = r->d;
    AxisSet axes = {0};
    Place next = r->place;
    for (int a = 0; a < d->decls->axes.count; a++)
        if (r->place.on[a] >= 0 && to->on[a] == ON_PARTIAL) {
            axes.axis[axes.count++] = (int8_t)a;
            next.on[a] = ON_PARTIAL;
        }
    if (axes.count == 0)
        return;
    Ref piece = r->at, whole = derive_ref(find_variant(d, r->ref, &next, r->purpose, "spread"), r->slot);
    if (!d->dry) {
        derive_emit_fill(d, r->body, whole, 0, r->span);
        Op *op = derive_emit_over(d, r->body, OP_PLACE_SHARD, whole, whole, axes, r->span);
        op->operand_count = 2;
        op->operand[1] = piece;
    }
    r->at = whole;
    r->place = next;
    r->moved = true;
}

static void refuse_route(Derive *d, int ref, Span span)
{
    if (d->failed)
        return;
    const Buffer *buffer = &d->reference->buffers.data[ref];
    Diagnostic *diagnostic =
        diag_report(d->ctx->diag, P0290, span, "no conversion leads '%s' to where it is read", buffer->name);
    diag_help(diagnostic, "Maybe put the axes that cut it into another order in the mesh.");
    d->failed = true;
}

/* First what shrinks the value, then what moves it, then what enlarges it. */
static void travel(Route *r, const Place *to)
{
    int dims = r->d->reference->buffers.data[r->ref].dim_count;
    add_cuts(r, to, ON_WHOLE, OP_SLICE, "sliced", dims);
    if (!r->d->buffers[r->ref].maximum)
        add_cuts(r, to, ON_PARTIAL, OP_REDUCE_SCATTER, "scattered", dims);
    reduce_rest(r, to);
    exchange(r, to);
    gather(r, to, dims);
    add_cuts(r, to, ON_WHOLE, OP_SLICE, "sliced", dims);
    spread(r, to);
    if (!place_equal(&r->place, to))
        refuse_route(r->d, r->ref, r->span);
}

Ref derive_route(Derive *d, NodeList *body, int ref, Ref at, Affine slot, Place from, const Place *to, bool part,
                 Span span)
{
    Route route = {d, body, ref, at, slot, from, part ? FOR_PART : FOR_VALUE, span, false, from};
    if (!place_equal(&from, to))
        travel(&route, to);
    return route.at;
}

/* ---- Values as they are needed ------------------------------------------------------------------------------ */

double place_cost(const Derive *d, int ref, const Place *from, const Place *to)
{
    double cost = 0;
    for (int a = 0; a < d->decls->axes.count; a++)
        cost += place_cost_on(d, a, from->on[a], to->on[a], place_bytes(d, ref, from, a));
    return cost;
}

/* The cheapest available source. */
static Held *best_source(Derive *d, Ref ref, const Place *to)
{
    const RefBuffer *info = &d->buffers[ref.buffer];
    Held *best = derive_held(d, ref);
    double least = INFINITY;
    for (int i = 0; i < info->held.count; i++) {
        Held *held = &info->held.data[i];
        if (!derive_is_held(d, held, ref))
            continue;
        double cost = place_cost(d, ref.buffer, &held->place, to);
        if (cost < least) {
            least = cost;
            best = held;
        }
    }
    return best;
}

/* What was read is read again if another part of it is needed: nothing needs to be sent. */
static Ref read_again(Derive *d, NodeList *body, Ref ref, const Place *to)
{
    const Op *reader = d->buffers[ref.buffer].reader;
    Ref out = derive_ref(find_variant(d, ref.buffer, to, FOR_VALUE, "read"), affine_constant(0));
    Op op = *reader;
    op.out = out;
    derive_set_reader(d, &op);
    int cuts = 0; /* of the axes that choose the part of the batch */
    for (int i = 0; i < op.axes.count; i++)
        if (to->on[op.axes.axis[i]] == d->decls->tensors.data[op.tensor].batch_dim)
            op.axes.axis[cuts++] = op.axes.axis[i];
    op.axes.count = cuts;
    if (!d->dry)
        derive_emit_copy(d, body, &op);
    derive_hold(d, ref, *to, out.buffer);
    return out;
}

Ref derive_value(Derive *d, NodeList *body, Ref ref, const Place *to, Span span)
{
    RefBuffer *info = &d->buffers[ref.buffer];
    if (derive_held(d, ref) == NULL) {
        if (!d->failed)
            diag_report(d->ctx->diag, P0290, span, "'%s', which other layers than these compute, is not supported yet",
                        d->reference->buffers.data[ref.buffer].name);
        d->failed = true;
        return derive_ref(derive_variant(d, ref.buffer, to), affine_constant(0));
    }
    Held *source = best_source(d, ref, to);
    Ref at = derive_ref(source->buffer, derive_map_affine(d, ref.slot));
    if (place_equal(&source->place, to))
        return at;
    for (int a = 0; a < d->decls->axes.count; a++)
        if (place_breaches(d, ref.buffer, a, source->place.on[a], to->on[a]))
            derive_refuse_breach(d, ref.buffer, a, "what comes after the microbatches", span);
    bool gathers = false;
    for (int a = 0; a < d->decls->axes.count; a++)
        gathers |= source->place.on[a] >= 0 && source->place.on[a] != to->on[a];
    if (gathers && info->reader != NULL)
        return read_again(d, body, ref, to);
    Route route = {d, body, ref.buffer, at, at.slot, source->place, FOR_VALUE, span, false, source->place};
    travel(&route, to);
    source->place = route.left_there;
    if (route.moved)
        derive_hold(d, ref, *to, route.at.buffer);
    return route.at;
}

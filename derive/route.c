/* route.c - conversions of dense values from one placement to another, and of what is available to what a reader needs.
 *
 * First comes what shrinks the value, then what moves it, then what enlarges it. An axis can leave or enter a dim only
 * at its inner end; what would need more is gathered further and sliced again, or refused.
 */
#include "derive/place.h"

#include <math.h>

bool place_breaches(const Placer *p, int ref, int axis, int from, int to)
{
    return from != to && !(from == ON_WHOLE && to >= 0) && (p->facts->buffers[ref].literal >> axis & 1);
}

/* ---- Steps -------------------------------------------------------------------------------------------------- */

/* The rows, or columns, that a rank sends its neighbours, as a part of those that it has. */
static double halo_share(const Placer *p, const Variant *wide, int axis)
{
    const Buffer *buffer = placer_buffer(p, wide->ref);
    for (int i = 0; i < wide->halos.count; i++) {
        const Halo *halo = &wide->halos.of[i];
        double rows = (double)buffer->dims[buffer->dim_count - 2 + halo->side].size;
        if (halo->axis == axis)
            return (double)((halo->before + halo->after) * p->facts->decls->axes.data[axis].size) / rows;
    }
    return 0;
}

/* The bytes that a rank sends in a step. */
static double step_bytes(const Placer *p, int ref, const Step *step, const Place *before)
{
    const Decls *decls = p->facts->decls;
    double n = (double)axes_size(decls, step->axes);
    double had = place_bytes(decls, placer_buffer(p, ref), before, -1);
    double has = place_bytes(decls, placer_buffer(p, ref), &step->after, -1);
    const Variant *variants = p->choices->variants.data;
    switch (step->kind) {
    case OP_ALL_REDUCE:
        return 2 * had * (n - 1) / n;
    case OP_REDUCE_SCATTER:
    case OP_ALL_TO_ALL:
        return had * (n - 1) / n;
    case OP_ALL_GATHER:
        return has * (n - 1) / n;
    case OP_BROADCAST:
        return had;
    case OP_HALO:
        return had * halo_share(p, &variants[step->writes], step->axes.axis[0]);
    case OP_HALO_ADD:
        return had * halo_share(p, &variants[step->reads], step->axes.axis[0]);
    default: /* these send nothing */
        return 0;
    }
}

int conversion_end(const Conversion *conversion)
{
    int count = conversion->steps.count;
    return count > 0 ? conversion->steps.data[count - 1].writes : conversion->from;
}

void conversion_add(Placer *p, int ref, Conversion *conversion, Step step)
{
    int count = conversion->steps.count;
    const Place *before = count > 0 ? &conversion->steps.data[count - 1].after : &conversion->before;
    step.bytes = step_bytes(p, ref, &step, before);
    vec_push(p->ctx.arena, &conversion->steps, step);
}

/* ---- Routes ------------------------------------------------------------------------------------------------- */

/* A conversion in progress: the value of `ref`, in the variant `at` with placement `place`. */
typedef struct Route {
    Placer *p;
    const Decls *decls;
    int ref, at;
    Place place;
    Purpose purpose; /* FOR_PART: into separate variants, the value is only on its way to another placement */
    Span span;
    bool moved;       /* it has left the variant it started in; before that, it is summed there, */
    Place left_there; /* which then has this placement */
    Conversion *conversion;
} Route;

/* Is a gradient computed from parts over one of the axes? */
static bool keeps_parts(const Placer *p, int ref, AxisSet axes)
{
    for (int i = 0; i < axes.count; i++)
        if (p->sums->parted[ref] >> axes.axis[i] & 1)
            return true;
    return false;
}

static void step_to(Route *r, OpKind kind, AxisSet axes, Place next, const char *suffix)
{
    Placer *p = r->p;
    Place from = place_layout(r->place), to = place_layout(next);
    bool same = place_equal(&from, &to);
    int out = r->at;
    bool parted = !r->moved && r->purpose == FOR_VALUE && keeps_parts(p, r->ref, axes);
    if (same && !parted) {
        r->left_there = r->moved ? r->left_there : next;
    } else {
        r->purpose = parted && same ? FOR_SUM : r->purpose;
        out = derive_variant(p, r->ref, &next, r->purpose, r->purpose == FOR_SUM ? "summed" : suffix);
        r->moved = true;
    }
    bool maximum = p->facts->buffers[r->ref].maximum && kind == OP_ALL_REDUCE;
    conversion_add(p, r->ref, r->conversion,
                   (Step){.kind = kind,
                          .axes = axes,
                          .reads = r->at,
                          .writes = out,
                          .after = next,
                          .reduce = maximum ? REDUCE_MAX : REDUCE_SUM});
    r->at = out;
    r->place = next;
}

/* Those of the axes that can shard the dim inside its other cuts now; *next has these cuts, too. */
static AxisSet addable(const Route *r, AxisSet axes, int dim, Place *next)
{
    AxisSet added = {0};
    *next = r->place;
    for (int i = 0; i < axes.count; i++) {
        AxisSet cuts = place_axes(r->decls, next, dim);
        if (cuts.count > 0 && cuts.axis[cuts.count - 1] > axes.axis[i])
            continue;
        next->on[axes.axis[i]] = (int8_t)dim;
        added.axis[added.count++] = axes.axis[i];
    }
    return added;
}

static void add_cuts(Route *r, const Place *to, int from, OpKind kind, const char *suffix, int dims)
{
    Place next;
    for (int dim = 0; dim < dims; dim++) {
        AxisSet axes = axes_common(place_axes(r->decls, &r->place, from), place_axes(r->decls, to, dim));
        AxisSet added = addable(r, axes, dim, &next);
        if (added.count > 0)
            step_to(r, kind, added, next, suffix);
    }
}

static void reduce_rest(Route *r, const Place *to)
{
    AxisSet axes = {0};
    Place next = r->place;
    for (int a = 0; a < r->decls->axes.count; a++)
        if (r->place.on[a] == ON_PARTIAL && to->on[a] != ON_PARTIAL) {
            axes.axis[axes.count++] = (int8_t)a;
            next.on[a] = ON_WHOLE;
        }
    if (axes.count > 0)
        step_to(r, OP_ALL_REDUCE, axes, next, "");
}

static bool is_innermost(const Route *r, const Place *place, int axis)
{
    AxisSet cuts = place_axes(r->decls, place, place->on[axis]);
    return cuts.axis[cuts.count - 1] == axis;
}

static void exchange(Route *r, const Place *to)
{
    for (int a = 0; a < r->decls->axes.count; a++) {
        Place next = r->place;
        if (r->place.on[a] < 0 || to->on[a] < 0 || r->place.on[a] == to->on[a])
            continue;
        next.on[a] = to->on[a];
        if (is_innermost(r, &r->place, a) && is_innermost(r, &next, a))
            step_to(r, OP_ALL_TO_ALL, axes_one(a), next, "exchanged");
    }
}

/* The outer cuts of a dim that stay, and those that become parts of a sum. */
static AxisSet staying(const Route *r, const Place *to, int dim)
{
    AxisSet have = place_axes(r->decls, &r->place, dim), want = place_axes(r->decls, to, dim), keep = {0};
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
    for (int dim = 0; dim < dims; dim++) {
        AxisSet axes = axes_without(place_axes(r->decls, &r->place, dim), staying(r, to, dim));
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
    AxisSet axes = {0};
    Place next = r->place;
    for (int a = 0; a < r->decls->axes.count; a++)
        if (r->place.on[a] >= 0 && to->on[a] == ON_PARTIAL) {
            axes.axis[axes.count++] = (int8_t)a;
            next.on[a] = ON_PARTIAL;
        }
    if (axes.count == 0)
        return;
    int whole = derive_variant(r->p, r->ref, &next, r->purpose, "spread");
    conversion_add(r->p, r->ref, r->conversion,
                   (Step){.kind = OP_PLACE_SHARD, .axes = axes, .reads = r->at, .writes = whole, .after = next});
    r->at = whole;
    r->place = next;
    r->moved = true;
}

static void refuse_route(Placer *p, int ref, Span span)
{
    if (p->failed)
        return;
    Diagnostic *diagnostic = diag_report(p->ctx.diag, P0290, span, "no conversion leads '%s' to where it is read",
                                         placer_buffer(p, ref)->name);
    diag_help(diagnostic, "Maybe put the axes that cut it into another order in the mesh.");
    p->failed = true;
}

static void travel(Route *r, const Place *to)
{
    int dims = placer_buffer(r->p, r->ref)->dim_count;
    add_cuts(r, to, ON_WHOLE, OP_SLICE, "sliced", dims);
    if (!r->p->facts->buffers[r->ref].maximum)
        add_cuts(r, to, ON_PARTIAL, OP_REDUCE_SCATTER, "scattered", dims);
    reduce_rest(r, to);
    exchange(r, to);
    gather(r, to, dims);
    add_cuts(r, to, ON_WHOLE, OP_SLICE, "sliced", dims);
    spread(r, to);
    if (!place_equal(&r->place, to))
        refuse_route(r->p, r->ref, r->span);
}

int derive_route(Placer *p, int ref, int from, Place place, const Place *to, bool part, Span span,
                 Conversion *conversion)
{
    Route route = {.p = p,
                   .decls = p->facts->decls,
                   .ref = ref,
                   .at = from,
                   .place = place,
                   .purpose = part ? FOR_PART : FOR_VALUE,
                   .span = span,
                   .conversion = conversion};
    conversion->from = from;
    conversion->before = place;
    if (!place_equal(&place, to))
        travel(&route, to);
    return route.at;
}

/* ---- Values as they are needed ------------------------------------------------------------------------------ */

/* The cheapest available source. */
static Held *best_source(Placer *p, Ref ref, const Place *to)
{
    Placed *value = &p->values[ref.buffer];
    Held *best = derive_held(p, ref);
    double least = INFINITY;
    for (int i = 0; i < value->held.count; i++) {
        Held *held = &value->held.data[i];
        if (!derive_is_held(p, held, ref))
            continue;
        double cost = place_cost(p->facts->decls, placer_buffer(p, ref.buffer), &held->place, to);
        if (cost < least) {
            least = cost;
            best = held;
        }
    }
    return best;
}

/* What was read is read again if another part of it is needed: nothing needs to be sent. */
static int read_again(Placer *p, Ref ref, const Place *to, Conversion *conversion)
{
    const Op *reader = p->routine->wish[ref.buffer].reader;
    int batch = p->facts->decls->tensors.data[reader->tensor].batch_dim;
    AxisSet cuts = {0}; /* of the axes that choose the part of the batch */
    for (int i = 0; p->routine->cut && batch >= 0 && i < p->facts->readers.count; i++)
        if (to->on[p->facts->readers.axis[i]] == batch)
            cuts.axis[cuts.count++] = p->facts->readers.axis[i];
    int out = derive_variant(p, ref.buffer, to, FOR_VALUE, "read");
    conversion_add(p, ref.buffer, conversion,
                   (Step){.kind = OP_READ, .axes = cuts, .reads = out, .writes = out, .after = *to});
    derive_hold(p, ref, *to, out);
    return out;
}

static int refuse_unheld(Placer *p, Ref ref, const Place *to, Span span)
{
    if (!p->failed)
        diag_report(p->ctx.diag, P0290, span, "'%s', which other layers than these compute, is not supported yet",
                    placer_buffer(p, ref.buffer)->name);
    p->failed = true;
    return derive_variant(p, ref.buffer, to, FOR_VALUE, "");
}

/* Does the conversion enlarge the value? */
static bool gathers(const Placer *p, const Place *from, const Place *to)
{
    for (int a = 0; a < p->facts->decls->axes.count; a++)
        if (from->on[a] >= 0 && from->on[a] != to->on[a])
            return true;
    return false;
}

int derive_value(Placer *p, Ref ref, const Place *to, Span span, Why why, Conversion *conversion)
{
    *conversion = (Conversion){.from = NO_VARIANT, .why = why};
    if (derive_held(p, ref) == NULL)
        return conversion->from = refuse_unheld(p, ref, to, span);
    Held *source = best_source(p, ref, to);
    conversion->from = source->variant;
    conversion->before = source->place;
    if (place_equal(&source->place, to))
        return source->variant;
    for (int a = 0; a < p->facts->decls->axes.count; a++)
        if (place_breaches(p, ref.buffer, a, source->place.on[a], to->on[a]))
            derive_refuse_breach(p, ref.buffer, a, "what comes after the microbatches", span);
    if (gathers(p, &source->place, to) && p->routine->wish[ref.buffer].reader != NULL)
        return read_again(p, ref, to, conversion);
    Route route = {.p = p,
                   .decls = p->facts->decls,
                   .ref = ref.buffer,
                   .at = source->variant,
                   .place = source->place,
                   .purpose = FOR_VALUE,
                   .span = span,
                   .left_there = source->place,
                   .conversion = conversion};
    travel(&route, to);
    source->place = route.left_there;
    if (route.moved)
        derive_hold(p, ref, *to, route.at);
    return route.at;
}

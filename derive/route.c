/* route.c - from one placement of a value to another, by the plan of algebra/convert.h, and from what is available to
 * what a reader needs.
 *
 * The plan says which steps; here each gets the variants that it reads and writes. Where two placements have one
 * layout, as a part of a sum and the whole, the step is done in place.
 */
#include "algebra/convert.h"
#include "derive/place.h"

#include <math.h>
#include <string.h>

bool place_breaches(const Placer *p, int ref, int axis, int from, int to)
{
    return from != to && !(from == ON_WHOLE && to >= 0) && (p->facts->buffers[ref].literal >> axis & 1);
}

/* ---- Steps -------------------------------------------------------------------------------------------------- */

/* The operator of each step of a plan, and the name of what it makes. */
static const struct {
    OpKind op;
    const char *suffix;
} operators[] = {[CONVERT_SLICE] = {OP_SLICE, "sliced"},
                 [CONVERT_PAD] = {OP_PLACE_SHARD, "spread"},
                 [CONVERT_ALL_GATHER] = {OP_ALL_GATHER, "gathered"},
                 [CONVERT_REDUCE_SCATTER] = {OP_REDUCE_SCATTER, "scattered"},
                 [CONVERT_ALL_REDUCE] = {OP_ALL_REDUCE, ""},
                 [CONVERT_ALL_TO_ALL] = {OP_ALL_TO_ALL, "exchanged"}};

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
static double step_bytes(const Placer *p, int ref, const Step *step, const Placement *before)
{
    const Decls *decls = p->facts->decls;
    int64_t ranks = axes_size(decls, step->axes);
    double had = place_bytes(decls, p->facts->buffers[ref].bytes, before, -1);
    const Variant *variants = p->choices->variants.data;
    if (step->kind == OP_BROADCAST)
        return had;
    if (step->kind == OP_HALO || step->kind == OP_HALO_ADD)
        return had * halo_share(p, &variants[step->kind == OP_HALO ? step->writes : step->reads], step->axes.axis[0]);
    for (int kind = 0; kind < (int)(sizeof operators / sizeof *operators); kind++)
        if (CONVERT_EMITTED >> kind & 1 && operators[kind].op == step->kind) {
            double cut = kind == CONVERT_ALL_GATHER || kind == CONVERT_ALL_TO_ALL ? (double)ranks : 1;
            double share = kind == CONVERT_ALL_TO_ALL ? p->facts->buffers[ref].share : 1;
            return convert_price((ConvertKind)kind, ranks, had * cut * share);
        }
    return 0; /* it is no conversion */
}

int route_end(const Route *route)
{
    int count = route->steps.count;
    return count > 0 ? route->steps.data[count - 1].writes : route->from;
}

void route_add(Placer *p, int ref, Route *route, Step step)
{
    step.bytes = step_bytes(p, ref, &step, &step.before);
    vec_push(p->ctx.arena, &route->steps, step);
}

/* ---- Plans -------------------------------------------------------------------------------------------------- */

/* A route in the making: the value of `ref`, in the variant `at` with placement `place`. */
typedef struct Journey {
    Placer *p;
    int ref, at;
    Placement place;
    Purpose purpose;      /* FOR_PART: into variants of its own, the value is only on its way to another placement */
    bool moved;           /* it has left the variant it started in; before that, it is summed there, */
    Placement left_there; /* which then has this placement */
    Route *route;
} Journey;

/* Of a microbatch: which conversion is the cheapest, or possible, must not change with their number. */
static int64_t size_of(const Placer *p, int ref, int dim)
{
    const RefBuffer *info = &p->facts->buffers[ref];
    int64_t size = placer_buffer(p, ref)->dims[dim].size, micro = p->facts->decls->micro;
    bool divided = (info->micro_dims != 0 ? info->micro_dims : info->batch_dims) >> dim & 1;
    return divided && size % micro == 0 ? size / micro : size;
}

/* What is asked of the planner, and its answer. */
struct Planned {
    Planned *next;
    unsigned kinds;
    int64_t sizes[STEP_MAX_DIMS];
    Placement from, to;
    bool found;
    int count;
    ConvertStep *step;
};

static int bucket_of(const Planned *asked)
{
    unsigned hash = asked->kinds;
    for (int i = 0; i < asked->from.dim_count; i++)
        hash = hash * 31 + (unsigned)asked->sizes[i];
    for (int a = 0; a < asked->from.axis_count; a++)
        hash = hash * 31 + (unsigned)(place_at(&asked->from, a) * 16 + place_at(&asked->to, a));
    return (int)(hash * 0x9e3779b9u >> 26);
}

static bool asks_same(const Planned *x, const Planned *y)
{
    return x->kinds == y->kinds && memcmp(x->sizes, y->sizes, sizeof x->sizes) == 0 &&
           placement_equal(&x->from, &y->from) && placement_equal(&x->to, &y->to);
}

/* Cached: a value is asked for again when it is priced, converted, and placed a second time, and many are alike. */
static const Planned *plan(Placer *p, int ref, const Placement *from, const Placement *to)
{
    const Buffer *buffer = placer_buffer(p, ref);
    Planned asked = {.kinds = CONVERT_EMITTED, .from = *from, .to = *to};
    if (p->facts->buffers[ref].maximum)
        asked.kinds &= ~(1u << CONVERT_REDUCE_SCATTER);
    for (int i = 0; i < buffer->dim_count; i++)
        asked.sizes[i] = size_of(p, ref, i);
    Planned **bucket = &p->planned[bucket_of(&asked)];
    for (Planned *known = *bucket; known != NULL; known = known->next)
        if (asks_same(known, &asked))
            return known;
    Arena *arena = p->facts->ctx->arena; /* it outlives the choices */
    Conversion conversion;
    const ConvertLimits limits = {.kinds = asked.kinds, .in_order = true};
    Planned *planned = arena_make(arena, Planned);
    *planned = asked;
    planned->found = convert(&p->facts->mesh, asked.sizes, from, to, &limits, &conversion);
    planned->count = conversion.count;
    planned->step = arena_array(arena, ConvertStep, conversion.count + 1);
    memcpy(planned->step, conversion.step, sizeof *planned->step * (size_t)conversion.count);
    planned->next = *bucket;
    *bucket = planned;
    return planned;
}

/* Is a gradient computed from parts over one of the axes? */
static bool keeps_parts(const Placer *p, int ref, AxisSet axes)
{
    for (int i = 0; i < axes.count; i++)
        if (p->sums->parted[ref] >> axes.axis[i] & 1)
            return true;
    return false;
}

static void go(Journey *j, const ConvertStep *step)
{
    Placer *p = j->p;
    Placement next = step->after, from = placement_layout(j->place), to = placement_layout(next);
    OpKind kind = operators[step->kind].op;
    bool same = placement_equal(&from, &to);
    int out = j->at;
    bool parted = !j->moved && j->purpose == FOR_VALUE && keeps_parts(p, j->ref, step->axes);
    if (same && !parted) {
        j->left_there = j->moved ? j->left_there : next;
    } else {
        j->purpose = parted && same ? FOR_SUM : j->purpose;
        out = derive_variant(p, j->ref, &next, j->purpose,
                             j->purpose == FOR_SUM ? "summed" : operators[step->kind].suffix);
        j->moved = true;
    }
    bool maximum = p->facts->buffers[j->ref].maximum && kind == OP_ALL_REDUCE;
    route_add(p, j->ref, j->route,
              (Step){.kind = kind,
                     .axes = step->axes,
                     .reads = j->at,
                     .writes = out,
                     .before = j->place,
                     .after = next,
                     .reduce = maximum ? REDUCE_MAX : REDUCE_SUM});
    j->at = out;
    j->place = next;
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

static void travel(Journey *j, const Placement *to, Span span)
{
    const Planned *planned = plan(j->p, j->ref, &j->place, to);
    if (!planned->found)
        refuse_route(j->p, j->ref, span);
    for (int i = 0; i < planned->count; i++)
        go(j, &planned->step[i]);
}

int derive_route(Placer *p, int ref, int from, const Placement *place, const Placement *to, bool part, Span span,
                 Route *route)
{
    Journey journey = {
        .p = p, .ref = ref, .at = from, .place = *place, .purpose = part ? FOR_PART : FOR_VALUE, .route = route};
    route->from = from;
    if (!placement_equal(place, to))
        travel(&journey, to, span);
    return journey.at;
}

/* ---- Values as they are needed ------------------------------------------------------------------------------ */

/* What the steps from one placement to another send, in elements of which all axes are considered at once: over two, a
 * gather sends more than both would alone. INFINITY: no conversion leads there. */
static double planned_elements(Placer *p, int ref, const Placement *from, const Placement *to)
{
    double elements = 0;
    if (placement_equal(from, to))
        return 0;
    const Planned *planned = plan(p, ref, from, to);
    if (!planned->found)
        return INFINITY;
    for (int i = 0; i < planned->count; i++) {
        const ConvertStep *step = &planned->step[i];
        elements += (double)step->elements * (step->kind == CONVERT_ALL_TO_ALL ? p->facts->buffers[ref].share : 1);
    }
    return elements;
}

/* The cheapest available source. */
static Held *best_source(Placer *p, Ref ref, const Placement *to)
{
    Placed *value = &p->values[ref.buffer];
    Held *best = derive_held(p, ref);
    int count = 0;
    double least = INFINITY;
    for (int i = 0; i < value->held.count; i++)
        count += derive_is_kept(p, &value->held.data[i]) && derive_is_held(p, &value->held.data[i], ref);
    for (int i = 0; i < value->held.count && count > 1 && least > 0; i++) { /* a single one needs no price */
        Held *held = &value->held.data[i];
        if (!derive_is_kept(p, held) || !derive_is_held(p, held, ref))
            continue;
        double cost = planned_elements(p, ref.buffer, &held->place, to);
        if (cost < least) {
            least = cost;
            best = held;
        }
    }
    return best;
}

/* What of the placement can be read: only axes that choose the part of the batch shard it there. */
static Placement readable(const Placer *p, int ref, int batch, const Placement *to, AxisSet *cuts)
{
    Placement place = *to;
    *cuts = (AxisSet){0};
    for (int a = 0; p->routine->cut && batch >= 0 && a < p->facts->decls->axes.count; a++) {
        if (place_at(to, a) != batch)
            continue;
        if (axes_contain(p->facts->readers, a))
            cuts->axis[cuts->count++] = (int8_t)a;
        else
            facts_place(p->facts, ref, &place, a, ON_WHOLE);
    }
    return place;
}

/* What was read is read again if another part of it is needed: nothing needs to be sent. */
static int read_again(Placer *p, Ref ref, const Placement *from, const Placement *to, Span span, Route *route)
{
    const Op *reader = p->routine->wish[ref.buffer].reader;
    AxisSet cuts; /* of the axes that choose the part of the batch */
    Placement place = readable(p, ref.buffer, p->facts->decls->tensors.data[reader->tensor].batch_dim, to, &cuts);
    int out = derive_variant(p, ref.buffer, &place, FOR_VALUE, "read");
    route_add(p, ref.buffer, route,
              (Step){.kind = OP_READ, .axes = cuts, .reads = out, .writes = out, .before = *from, .after = place});
    derive_hold(p, ref, &place, out);
    if (placement_equal(&place, to))
        return out;
    Journey journey = {.p = p,
                       .ref = ref.buffer,
                       .at = out,
                       .place = place,
                       .purpose = FOR_VALUE,
                       .left_there = place,
                       .route = route};
    travel(&journey, to, span);
    derive_hold(p, ref, to, journey.at);
    return journey.at;
}

static int refuse_unheld(Placer *p, Ref ref, const Placement *to, Span span)
{
    if (!p->failed)
        diag_report(p->ctx.diag, P0290, span, "'%s', which other layers than these compute, is not supported yet",
                    placer_buffer(p, ref.buffer)->name);
    p->failed = true;
    return derive_variant(p, ref.buffer, to, FOR_VALUE, "");
}

/* Does the conversion enlarge the value? */
static bool gathers(const Placer *p, const Placement *from, const Placement *to)
{
    for (int a = 0; a < p->facts->decls->axes.count; a++)
        if (place_at(from, a) >= 0 && place_at(from, a) != place_at(to, a))
            return true;
    return false;
}

bool derive_becomes_part(const Placer *p, int ref, int on, int to)
{
    return !p->sums->known && p->facts->buffers[ref].partial && on == ON_WHOLE && to == ON_PARTIAL;
}

/* Are there axes on which the value becomes part of a sum, and is it elsewhere as it is wanted? */
static bool only_becomes_part(const Placer *p, int ref, const Placement *from, const Placement *to)
{
    for (int a = 0; a < p->facts->decls->axes.count; a++)
        if (place_at(from, a) != place_at(to, a) && !derive_becomes_part(p, ref, place_at(from, a), place_at(to, a)))
            return false;
    return true;
}

int derive_value(Placer *p, Ref ref, const Placement *to, Span span, Why why, Route *route)
{
    *route = (Route){.from = NO_VARIANT, .why = why};
    if (derive_held(p, ref) == NULL)
        return route->from = refuse_unheld(p, ref, to, span);
    Held *source = best_source(p, ref, to);
    route->from = source->variant;
    Placement before = source->place;
    if (placement_equal(&source->place, to) || only_becomes_part(p, ref.buffer, &source->place, to))
        return source->variant;
    for (int a = 0; a < p->facts->decls->axes.count; a++)
        if (place_breaches(p, ref.buffer, a, place_at(&source->place, a), place_at(to, a)))
            derive_refuse_breach(p, ref.buffer, a, "what comes after the microbatches", span);
    if (gathers(p, &source->place, to) && p->routine->wish[ref.buffer].reader != NULL)
        return read_again(p, ref, &before, to, span, route);
    Journey journey = {.p = p,
                       .ref = ref.buffer,
                       .at = source->variant,
                       .place = source->place,
                       .purpose = FOR_VALUE,
                       .left_there = source->place,
                       .route = route};
    travel(&journey, to, span);
    source->place = journey.left_there;
    if (!journey.moved)
        return journey.at;
    derive_hold_copy(p, ref, to, journey.at, derive_copy_life(p, ref, route));
    return journey.at;
}

/* choose.c - chooses the placements in which an operator reads its operands and gives its result.
 *
 * Axis by axis it takes the operator's signature (algebra/signature.h) that costs least: the bytes to convert the
 * operands from what is available, and the result to what is wanted; a partial result is charged with its later
 * reduction. An axis shards a letter only where an available value, or the wanted one, is sharded that way: nothing is
 * sharded for its own sake. Among equals less work wins, then sums that are taken early.
 *
 * Sums over the batch, and gradients, stay partial: they are reduced once, after the microbatches.
 */
#include "base/change.h"
#include "derive/place.h"

#include <math.h>
#include <string.h>

/* ---- Parameters --------------------------------------------------------------------------------------------- */

Placement derive_parameter_place(const Facts *f, int tensor, int64_t layer)
{
    Placement place = placement_replicated(&f->mesh, f->decls->tensors.data[tensor].dim_count);
    const Unit *unit = &f->decls->units.data[derive_unit_of(f, tensor, layer)];
    Dim dims[STEP_MAX_DIMS];
    int position = 0;
    while (unit->members[position] != tensor)
        position++;
    unit_member_dims(f->decls, unit, position, dims);
    for (int dim = 0; dim < place.dim_count; dim++)
        for (int c = 0; c < dims[dim].cut_count; c++)
            if (f->decls->axes.data[dims[dim].cut[c]].size > 1)
                placement_set_in_order(&place, dims[dim].cut[c], on_sharded(dim));
    return place;
}

/* ---- One axis ----------------------------------------------------------------------------------------------- */

/* An operand: a parameter as it is stored, and the axes over which the ranks' shards of it are gathered for each use;
 * or a value in every placement that it has here: what is held is of many other layers where these are in parts. */
typedef struct Reading {
    bool parameter;
    Placement stored;
    AxisSet joined;
    const Held **held;
    int held_count;
} Reading;

/* What is known of an operand on one axis, which many signatures ask for. */
typedef struct AxisPrices {
    unsigned cuts;                       /* bit per dim along which an available value is sharded */
    double cost[STEP_MAX_DIMS - ON_ANY]; /* of what is wanted, from ON_ANY on; below 0: not asked for yet */
} AxisPrices;

typedef struct Choose {
    Placer *p;
    const Facts *f;
    const Wish *wishes; /* per buffer of the reference */
    const Op *op;
    OpShape shape;
    bool gradient;
    bool sum;                   /* over the batch */
    unsigned parted;            /* bit per axis on which the sum is completed later: by a sync, or with other parts */
    bool free;                  /* any letter may be sharded: parts of the result are wanted */
    int8_t want[STEP_MAX_AXES]; /* ON_ANY: no preference */
    Reading *source;            /* per operand, as is */
    AxisPrices *price;          /* on the axis that is chosen */
    Choice *choice;
    double slack; /* what the next best choice sends more, on the axis where that is least */
} Choose;

static int letter_dim(const char *letters, char letter)
{
    for (int i = 0; letters[i] != '\0'; i++)
        if (letters[i] == letter)
            return i;
    return -1;
}

static void find_held(const Choose *c, Ref ref, Reading *source)
{
    const HeldList *list = &c->p->values[ref.buffer].held;
    int count = 0;
    for (int i = 0; i < list->count; i++)
        count += derive_is_held(c->p, &list->data[i], ref);
    source->held = arena_array(c->p->ctx.arena, const Held *, count);
    for (int i = 0; i < list->count; i++)
        if (derive_is_held(c->p, &list->data[i], ref))
            source->held[source->held_count++] = &list->data[i];
}

static void find_sources(Choose *c)
{
    for (int i = 0; i < c->op->operand_count; i++) {
        Ref ref = c->op->operand[i];
        const RefBuffer *info = &c->f->buffers[ref.buffer];
        Reading *source = &c->source[i];
        *source = (Reading){.parameter = info->role == ROLE_PARAMETER};
        if (source->parameter) {
            int unit = derive_unit_of(c->f, info->tensor, c->p->first_layer);
            source->stored = derive_parameter_place(c->f, info->tensor, c->p->first_layer);
            source->joined = c->f->assignment->units.data[unit].parameters.joined;
        } else {
            derive_held(c->p, ref);
        }
    }
    for (int i = 0; i < c->op->operand_count; i++) /* once nothing is added to what is held */
        if (!c->source[i].parameter)
            find_held(c, c->op->operand[i], &c->source[i]);
}

static double parameter_cost(const Choose *c, int operand, int axis, int want)
{
    const Decls *decls = c->f->decls;
    const Reading *source = &c->source[operand];
    int on = place_at(&source->stored, axis);
    if (axes_contain(source->joined, axis) && on >= 0) {
        double whole = c->f->buffers[c->op->operand[operand].buffer].bytes;
        double bytes = place_bytes(decls, whole, &source->stored, axis);
        return want != ON_WHOLE ? INFINITY : place_cost_on(decls, axis, on, want, bytes);
    }
    bool gathers = on >= 0 && on != want;
    return gathers ? INFINITY : place_cost_on(decls, axis, on, want, 0);
}

/* What is sent of a value from one placement on an axis to another. */
static double share_between(const RefBuffer *info, int from, int to)
{
    return from >= 0 && to >= 0 ? info->share : 1;
}

/* The cheapest conversion from what is available of an operand. */
static double find_least_cost(const Choose *c, int operand, int axis, int want)
{
    const Decls *decls = c->f->decls;
    Ref ref = c->op->operand[operand];
    const RefBuffer *info = &c->f->buffers[ref.buffer];
    double least = INFINITY;
    if (c->source[operand].parameter)
        return parameter_cost(c, operand, axis, want);
    for (int i = 0; i < c->source[operand].held_count; i++) {
        const Held *held = c->source[operand].held[i];
        int on = place_at(&held->place, axis);
        if (!derive_is_kept(c->p, held) && on != want)
            continue;
        if (on == ON_PARTIAL && want != ON_PARTIAL && info->partial)
            continue;
        if (derive_becomes_part(c->p, ref.buffer, on, want))
            return 0;
        if (place_breaches(c->p, ref.buffer, axis, on, want))
            continue;
        bool again = c->wishes[ref.buffer].reader != NULL; /* what was read is read again: nothing is sent */
        double bytes = again ? 0 : place_bytes(decls, info->bytes, &held->place, axis);
        double cost = place_cost_on(decls, axis, on, want, bytes * share_between(info, on, want));
        least = cost < least ? cost : least;
    }
    return least;
}

static double least_cost(Choose *c, int operand, int axis, int want)
{
    double *known = &c->price[operand].cost[want - ON_ANY];
    if (*known < 0)
        *known = find_least_cost(c, operand, axis, want);
    return *known;
}

/* The dims along which an operand is available in shards over the axis. */
static unsigned held_cuts(const Choose *c, int operand, int axis)
{
    const Reading *source = &c->source[operand];
    unsigned cuts = 0;
    if (source->parameter) {
        int on = place_at(&source->stored, axis);
        return on >= 0 && !axes_contain(source->joined, axis) ? 1u << on : 0;
    }
    for (int h = 0; h < source->held_count; h++) {
        int on = place_at(&source->held[h]->place, axis);
        if (on >= 0)
            cuts |= 1u << on;
    }
    return cuts;
}

static void start_axis(Choose *c, int axis)
{
    for (int i = 0; i < c->op->operand_count; i++) {
        AxisPrices *price = &c->price[i];
        price->cuts = held_cuts(c, i, axis);
        for (int want = 0; want < (int)(sizeof price->cost / sizeof *price->cost); want++)
            price->cost[want] = -1;
    }
}

/* Is an operand available with this letter sharded over the axis? */
static bool available_cut(const Choose *c, char letter)
{
    for (int i = 0; i < c->op->operand_count; i++) {
        int dim = c->price[i].cuts != 0 ? letter_dim(c->shape.letter[i], letter) : -1;
        if (dim >= 0 && c->price[i].cuts >> dim & 1)
            return true;
    }
    return false;
}

/* Is this cut called for by the strategy, or by how the result is already placed? */
static bool wanted_cut(const Choose *c, int axis, char letter)
{
    int dim = letter_dim(c->shape.result, letter), rest = place_at(&c->wishes[c->op->out.buffer].rest, axis);
    return c->free || (dim >= 0 && (c->want[axis] == dim || (c->want[axis] == ON_ANY && rest == dim)));
}

/* Shards over this axis that inner axes cut further have no contiguous place in shards over those axes alone. */
static bool cut_within(const Choose *c, int axis, int dim)
{
    for (int a = axis + 1; a < c->f->decls->axes.count; a++)
        if (c->want[a] == dim)
            return true;
    return false;
}

/* Are the shards of the gradient's parameter gathered over the axis for each use? */
static bool is_joined(const Choose *c, int axis)
{
    int unit = derive_unit_of(c->f, c->f->buffers[c->op->out.buffer].tensor, c->p->first_layer);
    return axes_contain(c->f->assignment->units.data[unit].parameters.joined, axis);
}

/* The cost in a step of converting the result to the wanted placement, or of summing it later. Of a value each
 * microbatch has a part; a gradient's contributions are converted whole in each (those of parameters that are gathered
 * by dims as the strategy asks, whatever that costs). */
static double result_cost(const Choose *c, int axis, int on)
{
    const Decls *decls = c->f->decls;
    int ref = c->op->out.buffer, want = c->want[axis];
    double bytes = c->f->buffers[ref].bytes * (want == ON_ANY ? 1 : share_between(&c->f->buffers[ref], on, want));
    for (int a = 0; a < c->f->decls->axes.count; a++)
        if (a != axis && place_at(&c->choice->result, a) >= 0)
            bytes /= (double)c->f->decls->axes.data[a].size;
    if (want == ON_ANY) {
        int rest = place_at(&c->wishes[ref].rest, axis);
        return on == ON_PARTIAL && !c->gradient && !c->sum ? place_cost_on(decls, axis, on, rest, bytes) : 0;
    }
    if ((c->gradient || c->sum) && on >= 0 && want == ON_PARTIAL)
        return cut_within(c, axis, on) ? INFINITY : 0;
    bool each = c->gradient && c->p->routine->cut && !is_joined(c, axis);
    return place_cost_on(decls, axis, on, want, each ? bytes * (double)decls->micro : bytes);
}

/* Does this axis, inside those that already shard the dim, divide it into equal pieces? */
static bool cuts_evenly(const Choose *c, int axis, int ref, const Placement *place, int dim)
{
    int64_t pieces = c->f->decls->axes.data[axis].size;
    for (int a = 0; a < axis; a++)
        pieces *= place_at(place, a) == dim ? c->f->decls->axes.data[a].size : 1;
    if (c->p->routine->cut && c->f->buffers[ref].micro_dims == 0 && c->f->buffers[ref].batch_dims >> dim & 1)
        pieces *= c->f->decls->micro;
    return c->f->reference->buffers.data[ref].dims[dim].size % pieces == 0;
}

static const Segments *segments_of(const Choose *c, Ref ref, int dim)
{
    return c->f->reference->buffers.data[ref.buffer].dims[dim].segments;
}

/* Is the fused dim sharded such that shards of the segment are shards of it? */
static bool segment_fits(const Choose *c, const Signature *signature)
{
    const Op *op = c->op;
    bool put = op->kind == OP_SEGMENT_BWD;
    Ref fused = put ? op->out : op->operand[0], segment = put ? op->operand[0] : op->out;
    int dim = put ? signature->result.dim : signature->operand[0].dim;
    const Buffer *part = &c->f->reference->buffers.data[segment.buffer];
    return segment_find(segments_of(c, fused, dim), (int64_t)op->immediate[0], part->dims[dim].size) >= 0;
}

/* For signatures that need equal pieces, or segments that fit: only those of views and segments do. */
static bool is_even(const Choose *c, int axis, const Signature *signature)
{
    if (c->op->kind != OP_VIEW)
        return segment_fits(c, signature);
    if (segments_of(c, c->op->operand[0], signature->operand[0].dim) != NULL ||
        segments_of(c, c->op->out, signature->result.dim) != NULL)
        return false;
    return cuts_evenly(c, axis, c->op->operand[0].buffer, &c->choice->operand[0], signature->operand[0].dim) &&
           cuts_evenly(c, axis, c->op->out.buffer, &c->choice->result, signature->result.dim);
}

/* Over an axis that does not shard the batch, ranks read the same examples, of which each can compute its part only if
 * all parts are equally long. `place`: over the axes before it. */
static bool splits_examples(const Choose *c, int axis, int ref, OnAxis on, const Placement *place)
{
    const Decls *decls = c->f->decls;
    if (on.kind != PLACED_SHARDED || !(c->f->buffers[ref].batch_dims >> on.dim & 1) || axes_contain(c->f->batch, axis))
        return true;
    int64_t pieces = decls->axes.data[axis].size * axes_size(decls, c->f->batch);
    for (int a = 0; a < axis; a++)
        if (place_at(place, a) == on.dim && !axes_contain(c->f->batch, a))
            pieces *= decls->axes.data[a].size;
    if (c->p->routine->cut && c->f->buffers[ref].micro_dims == 0)
        pieces *= decls->micro;
    return c->f->reference->buffers.data[ref].dims[on.dim].size % pieces == 0;
}

static const PinnedOp *pinned_on(const Choose *c, int axis)
{
    const Placer *p = c->p;
    return derive_pinned(c->f, p->routine, c->op, axis, p->first_layer, p->again);
}

/* For signatures that need equal pieces, and for examples that a pin divides. */
static bool has_pieces(const Choose *c, int axis, const Signature *signature)
{
    bool pinned = pinned_on(c, axis) != NULL;
    bool splits = !pinned || splits_examples(c, axis, c->op->out.buffer, signature->result, &c->choice->result);
    for (int i = 0; i < c->op->operand_count && pinned; i++)
        splits =
            splits && splits_examples(c, axis, c->op->operand[i].buffer, signature->operand[i], &c->choice->operand[i]);
    return splits && (!signature->even || is_even(c, axis, signature));
}

/* Would some rank have no elements to take the maximum of? */
static bool leaves_nothing(const Choose *c, int axis, const Signature *signature)
{
    if (signature->result.kind != PLACED_PARTIAL || signature->result.op != PARTIAL_MAX ||
        signature->operand[0].kind != PLACED_SHARDED)
        return false;
    int dim = signature->operand[0].dim;
    int64_t pieces = c->f->decls->axes.data[axis].size;
    for (int a = 0; a < axis; a++)
        pieces *= place_at(&c->choice->operand[0], a) == dim ? c->f->decls->axes.data[a].size : 1;
    return c->f->reference->buffers.data[c->op->operand[0].buffer].dims[dim].size < pieces;
}

/* Among equals: less work, then what is whole; but parts, where the sum is completed later (sums.c). */
static int rank_on(const Choose *c, int axis, const Signature *signature)
{
    int on = place_on(signature->result);
    bool parted = c->parted >> axis & 1;
    return on >= 0 ? 0 : (on == ON_WHOLE) != parted ? 1 : 2;
}

/* Is an available value, or the wanted one, sharded as the signature says? True for signatures that shard nothing. */
static bool is_called_for(const Choose *c, int axis, const Signature *signature)
{
    bool cuts = signature->result.kind == PLACED_SHARDED;
    if (cuts && wanted_cut(c, axis, c->shape.result[signature->result.dim]))
        return true;
    for (int i = 0; i < c->op->operand_count; i++) {
        if (signature->operand[i].kind != PLACED_SHARDED)
            continue;
        cuts = true;
        if (c->free || available_cut(c, c->shape.letter[i][signature->operand[i].dim]))
            return true;
    }
    return !cuts;
}

static void put(Placement *place, int axis, OnAxis on)
{
    if (on.kind != PLACED_REPLICATED)
        placement_set_in_order(place, axis, on);
}

/* What a signature sends; INFINITY if it cannot be taken. */
static double signature_cost(Choose *c, int axis, const Signature *signature)
{
    if (!has_pieces(c, axis, signature) || leaves_nothing(c, axis, signature))
        return INFINITY;
    double cost = result_cost(c, axis, place_on(signature->result));
    for (int i = 0; i < c->op->operand_count; i++)
        cost += least_cost(c, i, axis, place_on(signature->operand[i]));
    return cost;
}

static bool is_better(const Choose *c, int axis, const Signature *signature, double cost, const Signature *best,
                      double least)
{
    if (cost == least && best != NULL)
        return rank_on(c, axis, signature) < rank_on(c, axis, best);
    return cost < least;
}

/* Is the operand whole wherever it is available, and nowhere to become part of a sum? */
static bool is_whole_on(const Choose *c, int operand, int axis)
{
    Ref ref = c->op->operand[operand];
    const Reading *source = &c->source[operand];
    bool found = source->parameter;
    if (source->parameter ? place_at(&source->stored, axis) != ON_WHOLE : c->f->buffers[ref.buffer].partial)
        return false;
    for (int h = 0; h < source->held_count; h++) {
        if (place_at(&source->held[h]->place, axis) != ON_WHOLE)
            return false;
        found = true;
    }
    return found;
}

/* Has everything been whole on the axis, and is the result to be? Then the first signature, by which all is whole,
 * sends nothing, and is the only one that can be taken. */
static bool stays_whole(const Choose *c, const SignatureVec *signatures, int axis)
{
    int rest = place_at(&c->wishes[c->op->out.buffer].rest, axis),
        want = c->want[axis] == ON_ANY ? rest : c->want[axis];
    if (want != ON_WHOLE || signatures->count == 0 || signatures->data[0].result.kind != PLACED_REPLICATED ||
        pinned_on(c, axis) != NULL)
        return false;
    for (int i = 0; i < c->op->operand_count; i++)
        if (signatures->data[0].operand[i].kind != PLACED_REPLICATED || !is_whole_on(c, i, axis))
            return false;
    return true;
}

static bool choose_axis(Choose *c, const SignatureVec *signatures, int axis)
{
    const PinnedOp *pinned = pinned_on(c, axis);
    const Signature *best = NULL;
    double least = INFINITY, next = INFINITY;
    for (int s = 0; s < signatures->count; s++) {
        const Signature *signature = &signatures->data[s];
        bool allowed = pinned != NULL && derive_pin_allows(pinned, c->op, signature);
        if (!allowed && !is_called_for(c, axis, signature))
            continue;
        double cost = signature_cost(c, axis, signature);
        if (pinned != NULL ? allowed : is_better(c, axis, signature, cost, best, least)) {
            next = pinned != NULL ? next : least;
            least = cost;
            best = signature;
        } else if (cost < next) {
            next = cost;
        }
    }
    if (best == NULL || least == INFINITY)
        return false;
    for (int i = 0; i < c->op->operand_count; i++)
        put(&c->choice->operand[i], axis, best->operand[i]);
    put(&c->choice->result, axis, best->result);
    c->choice->bytes += least;
    c->slack = next - least < c->slack ? next - least : c->slack;
    if (pinned != NULL) {
        c->choice->pinned[axis] = pinned->pin;
        c->p->choices->pinned[pinned->number] = true;
    }
    return true;
}

/* ---- What is wanted ----------------------------------------------------------------------------------------- */

/* On the axes over which its contributions are parts of a sum, if these are known. */
static void want_sum(Choose *c, AxisSet axes)
{
    for (int a = 0; c->p->sums->known && a < c->f->decls->axes.count; a++)
        c->want[a] = axes_contain(axes, a) ? ON_PARTIAL : ON_WHOLE;
}

static void want_gradient(Choose *c)
{
    int tensor = c->f->buffers[c->op->out.buffer].tensor;
    Placement parameter = derive_parameter_place(c->f, tensor, c->p->first_layer);
    const GradientSum *sum = sums_find(c->p->sums, tensor, c->p->first_layer, c->p->last_layer);
    want_sum(c, sum != NULL ? sum->axes : (AxisSet){0});
    for (int a = 0; a < c->f->decls->axes.count; a++)
        if (place_at(&parameter, a) >= 0)
            c->want[a] = (int8_t)place_at(&parameter, a);
}

static void want_place(Choose *c, const Placement *place)
{
    for (int a = 0; a < place->axis_count; a++)
        c->want[a] = (int8_t)place_at(place, a);
}

/* What is drawn is drawn where its reader has its other operand, dim by dim alike. */
static void want_drawn(Choose *c)
{
    int ref = c->op->out.buffer;
    const Op *reader = c->f->buffers[ref].drawn_for;
    for (int i = 0; reader != NULL && i < reader->operand_count; i++) {
        Ref other = reader->operand[i];
        if (other.buffer == ref || c->f->buffers[other.buffer].drawn != NULL ||
            placer_buffer(c->p, other.buffer)->dim_count != placer_buffer(c->p, ref)->dim_count)
            continue;
        const Held *held = derive_held(c->p, other);
        for (int a = 0; held != NULL && a < c->f->decls->axes.count; a++)
            if (place_at(&held->place, a) != ON_PARTIAL)
                c->want[a] = (int8_t)place_at(&held->place, a);
        return;
    }
}

static void want_value(Choose *c)
{
    int ref = c->op->out.buffer;
    const RefBuffer *out = &c->f->buffers[ref];
    const Wish *wish = &c->wishes[ref];
    const Held *held = c->op->accumulate ? derive_held(c->p, c->op->out) : NULL;
    if (out->partial) {
        want_sum(c, c->p->sums->values[ref]);
        return;
    }
    if (held != NULL)
        want_place(c, &held->place);
    else if (out->drawn != NULL)
        want_drawn(c);
    else if (out->syncs.count > 0)
        return;
    else if (wish->fixed && c->p->values[ref].has_home)
        want_place(c, &c->p->values[ref].home);
    for (int i = 0; i < wish->named.count; i++)
        if (!c->op->accumulate)
            c->want[wish->named.axis[i]] = (int8_t)place_at(&wish->rest, wish->named.axis[i]);
    for (int a = 0; a < c->f->decls->axes.count; a++)
        if (!c->op->accumulate && place_at(&wish->rest, a) >= 0 && derive_goes_by_ring(c->p, c->op->out, a))
            c->want[a] = (int8_t)place_at(&wish->rest, a);
}

static void keep_value(Choose *c)
{
    int ref = c->op->out.buffer;
    const RefBuffer *out = &c->f->buffers[ref];
    const Wish *wish = &c->wishes[ref];
    bool first = wish->fixed && !c->p->values[ref].has_home && !out->partial && out->syncs.count == 0;
    bool cache = facts_is_cache(c->f, ref); /* in the shards that keys and values are computed in */
    for (int a = 0; a < c->f->decls->axes.count; a++) {
        int result = place_at(&c->choice->result, a), rest = place_at(&wish->rest, a), kept = result;
        if (c->want[a] != ON_ANY)
            kept = c->want[a];
        else if (first && (result == ON_PARTIAL || (rest >= 0 && (result < 0 || !cache))))
            kept = rest;
        facts_place(c->f, ref, &c->choice->kept, a, kept);
    }
}

static void keep_gradient(Choose *c)
{
    for (int a = 0; a < c->f->decls->axes.count; a++)
        facts_place(c->f, c->op->out.buffer, &c->choice->kept, a,
                    c->want[a] != ON_ANY ? c->want[a] : place_at(&c->choice->result, a));
}

/* Sources make any part of a value: what the strategy wants; positions are made whole. */
static void choose_source(Choose *c)
{
    int ref = c->op->out.buffer;
    bool positions = c->op->kind == OP_IOTA && c->f->buffers[ref].batch_dims == 0;
    Placement place = positions ? facts_whole(c->f, ref) : c->wishes[ref].rest;
    for (int a = 0; a < c->f->decls->axes.count; a++)
        if (c->want[a] != ON_ANY)
            facts_place(c->f, ref, &place, a, c->want[a]);
    c->choice->result = c->choice->kept = place;
}

/* ---- What cannot be chosen ---------------------------------------------------------------------------------- */

/* The operand that its syncs leave sharded over the axis; -1 none. */
static int find_breach(const Choose *c, int axis)
{
    for (int i = 0; i < c->op->operand_count; i++) {
        const Reading *source = &c->source[i];
        const RefBuffer *info = &c->f->buffers[c->op->operand[i].buffer];
        for (int h = 0; h < source->held_count && (info->literal >> axis & 1); h++)
            if (place_at(&source->held[h]->place, axis) >= 0)
                return c->op->operand[i].buffer;
    }
    return -1;
}

/* Labels what cuts the operator's values over the axis: a parameter, then activations. */
static void label_cuts(const Choose *c, int axis, Diagnostic *diagnostic)
{
    const char *name = c->f->decls->axes.data[axis].name;
    for (int i = 0; i < c->op->operand_count; i++) {
        if (!c->source[i].parameter || place_at(&c->source[i].stored, axis) < 0)
            continue;
        int tensor = c->f->buffers[c->op->operand[i].buffer].tensor;
        int unit = derive_unit_of(c->f, tensor, c->p->first_layer);
        Span span = c->f->assignment->units.data[unit].parameters.span;
        if (!span_known(span))
            continue;
        diag_label(diagnostic, span, "cuts '%s' over '%s'", c->f->decls->tensors.data[tensor].name, name);
        break;
    }
    for (int i = 0; i < c->f->assignment->activations.count; i++)
        if (c->f->assignment->activations.data[i].axis == axis)
            diag_label(diagnostic, c->f->assignment->activations.data[i].span, "cuts values over '%s'", name);
}

/* The ways in which the operator could be computed. */
static const char *ways_of(Choose *c, int axis, const SignatureVec *signatures)
{
    Text text = {.arena = c->p->ctx.arena};
    for (int s = 0; s < signatures->count; s++) {
        Pin pin = derive_pin_form(c->f, c->p->routine, c->op, signatures, &signatures->data[s]);
        if (signature_cost(c, axis, &signatures->data[s]) < INFINITY)
            text_add(&text, "%s`%s`", text.length > 0 ? ", " : "", pin_form_print(c->p->ctx.arena, &pin));
    }
    return text.data;
}

/* Why the only signature that a pin allows cannot be reached. */
static const char *why_unreached(Choose *c, int axis, const Signature *signature)
{
    const char *name = c->f->decls->axes.data[axis].name;
    if (!has_pieces(c, axis, signature))
        return arena_printf(c->p->ctx.arena, "Ranks along '%s' would not have pieces of equal length.", name);
    if (leaves_nothing(c, axis, signature))
        return "A rank without elements has no maximum.";
    for (int i = 0; i < c->op->operand_count; i++) {
        const RefBuffer *info = &c->f->buffers[c->op->operand[i].buffer];
        if (least_cost(c, i, axis, place_on(signature->operand[i])) < INFINITY)
            continue;
        const char *operand = c->source[i].parameter ? c->f->decls->tensors.data[info->tensor].name
                                                     : placer_buffer(c->p, c->op->operand[i].buffer)->name;
        return arena_printf(c->p->ctx.arena, "No conversion over '%s' leads from what there is of '%s' to that.", name,
                            operand);
    }
    return arena_printf(c->p->ctx.arena, "No conversion over '%s' leads from there to what the result is kept as.",
                        name);
}

/* Why the pin of the operator cannot be followed. */
static const char *why_not(Choose *c, int axis, const PinnedOp *pinned, const SignatureVec *signatures)
{
    for (int s = 0; s < signatures->count; s++)
        if (derive_pin_allows(pinned, c->op, &signatures->data[s]))
            return why_unreached(c, axis, &signatures->data[s]);
    return pinned->pin->form == PIN_PARTS
               ? "Its result is not linear in these parts: it is not the sum of their results."
               : "Each element of its result needs all of that dim.";
}

static void refuse_pin(Choose *c, int axis, const PinnedOp *pinned, const SignatureVec *signatures)
{
    if (c->p->failed)
        return;
    Diagnostic *d = diag_report(c->p->ctx.diag, P0322, pinned->pin->span, "'%s' cannot be computed %s over '%s'",
                                pinned->pin->label, pin_form_print(c->p->ctx.arena, pinned->pin),
                                c->f->decls->axes.data[axis].name);
    const char *ways = ways_of(c, axis, signatures);
    diag_label(d, c->op->span, "'%s' computes it here", op_info[c->op->kind].name);
    diag_why(d, "%s", why_not(c, axis, pinned, signatures));
    if (ways != NULL)
        diag_help(d, "It can be computed %s.", ways);
    else
        diag_repair(d, (Repair){.kind = REPAIR_LEAVE_OUT, .span = pinned->pin->span});
    c->p->failed = true;
}

static void refuse_choice(const Choose *c, int axis)
{
    int breach = find_breach(c, axis);
    const char *kind = op_info[c->op->kind].name, *name = c->f->decls->axes.data[axis].name;
    if (breach >= 0) {
        derive_refuse_breach(c->p, breach, axis, kind, c->op->span);
        return;
    }
    if (!c->p->failed) {
        Diagnostic *diagnostic =
            diag_report(c->p->ctx.diag, P0290, c->op->span,
                        "'%s' of what is cut over '%s' in this way is not supported yet", kind, name);
        label_cuts(c, axis, diagnostic);
        diag_help(diagnostic, "Maybe cut the batch over '%s' instead, or leave this out of the model.", name);
    }
    c->p->failed = true;
}

static void refuse_on(Choose *c, int axis, const SignatureVec *signatures)
{
    const PinnedOp *pinned = pinned_on(c, axis);
    if (pinned != NULL)
        refuse_pin(c, axis, pinned, signatures);
    else
        refuse_choice(c, axis);
}

/* ---- One operator ------------------------------------------------------------------------------------------- */

/* The axes over which syncs sum a gradient and some operand provides parts for that. */
static unsigned parted_axes(const Placer *p, const Op *op)
{
    unsigned axes = 0;
    for (int i = 0; i < op->operand_count; i++)
        axes |= p->sums->parted[op->operand[i].buffer];
    return axes != 0 ? axes & derive_summed_axes(p->facts, p->facts->buffers[op->out.buffer].tensor) : 0;
}

/* Without its signatures. */
static OpSignatures ask_signatures(const Facts *f, const Op *op)
{
    int outer;
    return (OpSignatures){.spec = derive_spec(f, op), .even = derive_view_outer(f, op, &outer)};
}

static void find_signatures(const Facts *f, const Op *op, OpSignatures *asked)
{
    unsigned wanted = SIGNATURE_SHARDED | SIGNATURE_SUM | (asked->even ? SIGNATURE_EVEN : 0);
    Arena *arena = f->ctx->arena; /* they outlive the choices */
    asked->shape = op_shape(arena, op->kind, asked->spec);
    asked->list = signatures_of(arena, &asked->shape, wanted);
}

OpSignatures derive_signatures(const Facts *f, const Op *op)
{
    OpSignatures asked = ask_signatures(f, op);
    find_signatures(f, op, &asked);
    return asked;
}

/* Cached: a model has many operators, but few kinds and specs. */
OpSignatures derive_op_signatures(Placer *p, const Op *op)
{
    OpSignatures asked = ask_signatures(p->facts, op);
    for (int i = 0; i < p->signatures[op->kind].count; i++) {
        const OpSignatures *known = &p->signatures[op->kind].data[i];
        if (known->even == asked.even && strcmp(known->spec, asked.spec) == 0)
            return *known;
    }
    find_signatures(p->facts, op, &asked);
    vec_push(p->facts->ctx->arena, &p->signatures[op->kind], asked);
    return asked;
}

/* False if no signature can be reached on some axis. */
static bool choose_axes(Choose *c, bool report)
{
    Placer *p = c->p;
    const OpSignatures signatures = derive_op_signatures(p, c->op);
    c->shape = signatures.shape;
    for (int axis = 0; axis < c->f->decls->axes.count; axis++) {
        SignatureVec on_axis = signatures.list;
        if (op_info[c->op->kind].op_class == CLASS_WINDOW)
            derive_add_halo_signatures(p->ctx.arena, c->f, c->op, axis, c->choice, &on_axis);
        c->free = false;
        if (stays_whole(c, &on_axis, axis))
            continue;
        start_axis(c, axis);
        if (choose_axis(c, &on_axis, axis))
            continue;
        c->free = c->gradient || c->sum || c->op->accumulate;
        if (!c->free || !choose_axis(c, &on_axis, axis)) {
            if (report)
                refuse_on(c, axis, &on_axis);
            return false;
        }
    }
    return true;
}

/* A placement that is all zeros becomes the whole of a value. */
static void start_whole(const Choose *c, Placement *place, int ref)
{
    place->axis_count = (int8_t)c->f->mesh.axis_count;
    place->dim_count = (int8_t)placer_buffer(c->p, ref)->dim_count;
}

static void start(Choose *c)
{
    const Op *op = c->op;
    *c->choice = (Choice){.operand = arena_array(c->p->ctx.arena, Placement, op->operand_count), .next = INFINITY};
    memset(c->want, ON_ANY, sizeof(c->want));
    for (int i = 0; i < op->operand_count; i++)
        start_whole(c, &c->choice->operand[i], op->operand[i].buffer);
    if (!op_has_result(op->kind))
        return;
    start_whole(c, &c->choice->result, op->out.buffer);
    start_whole(c, &c->choice->kept, op->out.buffer);
}

bool derive_choose(Placer *p, const Op *op, bool report, Choice *choice)
{
    Reading source[STEP_MAX_OPERANDS];
    AxisPrices price[STEP_MAX_OPERANDS];
    Choose c = {.p = p, .f = p->facts, .wishes = p->routine->wish, .op = op, .choice = choice, .slack = INFINITY};
    c.source = source;
    c.price = price;
    start(&c);
    if (op->kind == OP_OUTPUT)
        return true;
    c.gradient = c.f->buffers[op->out.buffer].role == ROLE_GRADIENT;
    c.sum = c.f->ops[op->id].partial;
    if (c.gradient) {
        c.parted = parted_axes(p, op);
        want_gradient(&c);
    } else {
        c.parted = p->sums->parted[op->out.buffer];
        want_value(&c);
    }
    if (op_info[op->kind].op_class == CLASS_SOURCE) {
        choose_source(&c);
        return true;
    }
    find_sources(&c);
    if (!choose_axes(&c, report))
        return false;
    choice->next = choice->bytes + c.slack;
    if (c.gradient)
        keep_gradient(&c);
    else
        keep_value(&c);
    choice->halos = derive_halos_of(c.f, op, choice);
    return true;
}

/* choose.c - chooses the placements in which an operator reads its operands and gives its result.
 *
 * Axis by axis it takes the operator's signature (algebra/signature.h) that costs least: the bytes to convert the
 * operands from what is available, and the result to what is wanted; a partial result is charged with its later
 * reduction. An axis shards a letter only where an available value, or the wanted one, is sharded that way: nothing is
 * sharded for its own sake. Among equals less work wins, then sums that are taken early.
 *
 * Sums over the batch, and gradients, stay partial: they are reduced once, after the microbatches.
 */
#include "algebra/signature.h"
#include "derive/internal.h"

#include <math.h>
#include <string.h>

/* ---- Parameters and their gradients ------------------------------------------------------------------------- */

Place derive_parameter_place(const Derive *d, int tensor)
{
    Place place = place_whole();
    int index = derive_unit_of(d, tensor, d->first_layer);
    const Unit *unit = &d->decls->units.data[index];
    Dim dims[STEP_MAX_DIMS];
    for (int i = 0; i < unit->member_count; i++) {
        if (unit->members[i] != tensor)
            continue;
        unit_member_dims(d->decls, unit, i, dims);
        for (int dim = 0; dim < d->decls->tensors.data[tensor].dim_count; dim++)
            for (int c = 0; c < dims[dim].cut_count; c++)
                place.on[dims[dim].cut[c]] = (int8_t)dim;
    }
    for (int a = 0; a < d->decls->axes.count; a++)
        if (d->decls->axes.data[a].size == 1)
            place.on[a] = ON_WHOLE;
    return place;
}

static GradientSum *find_sum(const Derive *d, int tensor)
{
    for (int i = 0; i < d->gradient_sums.count; i++) {
        GradientSum *sum = &d->gradient_sums.data[i];
        if (sum->tensor == tensor && sum->first <= d->first_layer && d->last_layer <= sum->last)
            return sum;
    }
    return NULL;
}

void derive_note_gradient(Derive *d, int tensor, AxisSet axes)
{
    GradientSum *sum = find_sum(d, tensor);
    if (sum == NULL) {
        vec_push(d->ctx->arena, &d->gradient_sums, (GradientSum){tensor, d->first_layer, d->last_layer, axes});
        return;
    }
    sum->axes = axes_union(d, sum->axes, axes);
}

void derive_note_sum(Derive *d, int ref, AxisSet axes)
{
    d->buffers[ref].sum_axes = axes_union(d, d->buffers[ref].sum_axes, axes);
}

AxisSet derive_gradient_axes(const Derive *d, int tensor, int64_t layer)
{
    for (int i = 0; i < d->gradient_sums.count; i++) {
        const GradientSum *sum = &d->gradient_sums.data[i];
        if (sum->tensor == tensor && sum->first <= layer && layer <= sum->last)
            return sum->axes;
    }
    return (AxisSet){0};
}

/* ---- One axis ----------------------------------------------------------------------------------------------- */

typedef struct Choose {
    Derive *d;
    const Op *op;
    OpShape shape;
    bool gradient;
    bool sum;        /* over the batch */
    unsigned parted; /* bit per axis over which a sync sums the gradient */
    bool free;       /* any letter may be sharded: parts of the result are wanted */
    Place want;      /* ON_ANY: no preference */
    Choice *choice;
} Choose;

static int letter_dim(const char *letters, char letter)
{
    const char *at = strchr(letters, letter);
    return at != NULL ? (int)(at - letters) : -1;
}

static int on_of(OnAxis on)
{
    return on.kind == PLACED_SHARDED ? on.dim : on.kind == PLACED_PARTIAL ? ON_PARTIAL : ON_WHOLE;
}

/* Are the ranks' shards along a dim gathered for each use? */
static bool is_joined(const Derive *d, int tensor, int axis)
{
    int unit = derive_unit_of(d, tensor, d->first_layer);
    return axes_contain(d->assignment->units.data[unit].parameters.joined, axis);
}

/* The cheapest conversion from what is available of an operand: a parameter as it is stored, or a value in every
 * placement that it was converted to. */
static double least_cost(const Choose *c, int operand, int axis, int want)
{
    Derive *d = c->d;
    Ref ref = c->op->operand[operand];
    const RefBuffer *info = &d->buffers[ref.buffer];
    if (info->role == ROLE_PARAMETER) {
        Place place = derive_parameter_place(d, info->tensor);
        if (is_joined(d, info->tensor, axis) && place.on[axis] >= 0)
            return want != ON_WHOLE
                       ? INFINITY
                       : place_cost_on(d, axis, place.on[axis], want, place_bytes(d, ref.buffer, &place, axis));
        bool gathers = place.on[axis] >= 0 && place.on[axis] != want;
        return gathers ? INFINITY : place_cost_on(d, axis, place.on[axis], want, 0);
    }
    double least = INFINITY;
    derive_held(d, ref);
    for (int i = 0; i < info->held.count; i++) {
        const Held *held = &info->held.data[i];
        if (!derive_is_held(d, held, ref))
            continue;
        int on = held->place.on[axis];
        if (on == ON_PARTIAL && want != ON_PARTIAL && info->partial)
            continue;
        if (place_breaches(d, ref.buffer, axis, on, want))
            continue;
        double bytes = info->reader != NULL ? 0 : place_bytes(d, ref.buffer, &held->place, axis);
        double cost = place_cost_on(d, axis, on, want, bytes);
        least = cost < least ? cost : least;
    }
    return least;
}

static bool at_hand_cut(const Choose *c, int axis, char letter)
{
    Derive *d = c->d;
    for (int i = 0; i < c->op->operand_count; i++) {
        Ref ref = c->op->operand[i];
        const RefBuffer *info = &d->buffers[ref.buffer];
        int dim = letter_dim(c->shape.letter[i], letter);
        if (dim < 0)
            continue;
        if (info->role == ROLE_PARAMETER && derive_parameter_place(d, info->tensor).on[axis] == dim &&
            !is_joined(d, info->tensor, axis))
            return true;
        for (int h = 0; info->role != ROLE_PARAMETER && h < info->held.count; h++)
            if (derive_is_held(d, &info->held.data[h], ref) && info->held.data[h].place.on[axis] == dim)
                return true;
    }
    return false;
}

/* Is this cut called for by the strategy, or by how the result is already placed? */
static bool wanted_cut(const Choose *c, int axis, char letter)
{
    int dim = letter_dim(c->shape.result, letter), rest = c->d->buffers[c->op->out.buffer].rest.on[axis];
    return c->free || (dim >= 0 && (c->want.on[axis] == dim || (c->want.on[axis] == ON_ANY && rest == dim)));
}

/* Shards over this axis that inner axes cut further have no contiguous place in shards over those axes alone. */
static bool cut_within(const Choose *c, int axis, int dim)
{
    for (int a = axis + 1; a < c->d->decls->axes.count; a++)
        if (c->want.on[a] == dim)
            return true;
    return false;
}

/* The cost of converting the result to the wanted placement, or of summing it later. */
static double result_cost(const Choose *c, int axis, int on)
{
    Derive *d = c->d;
    int ref = c->op->out.buffer, want = c->want.on[axis];
    Place whole = place_whole();
    double bytes = place_bytes(d, ref, &whole, -1);
    for (int a = 0; a < d->decls->axes.count; a++)
        if (a != axis && c->choice->result.on[a] >= 0)
            bytes /= (double)d->decls->axes.data[a].size;
    if (want == ON_ANY) {
        int rest = d->buffers[ref].rest.on[axis];
        return on == ON_PARTIAL && !c->gradient && !c->sum ? place_cost_on(d, axis, on, rest, bytes) : 0;
    }
    if ((c->gradient || c->sum) && on >= 0 && want == ON_PARTIAL)
        return cut_within(c, axis, on) ? INFINITY : 0;
    return place_cost_on(d, axis, on, want, bytes);
}

/* Does this axis, inside those that already shard the dim, divide it into equal pieces? */
static bool cuts_evenly(const Choose *c, int axis, int ref, const Place *place, int dim)
{
    const Derive *d = c->d;
    int64_t pieces = d->decls->axes.data[axis].size;
    for (int a = 0; a < axis; a++)
        pieces *= place->on[a] == dim ? d->decls->axes.data[a].size : 1;
    if (d->cut && d->buffers[ref].micro_dims == 0 && d->buffers[ref].batch_dims >> dim & 1)
        pieces *= d->decls->micro;
    return d->reference->buffers.data[ref].dims[dim].size % pieces == 0;
}

static const Segments *segments_of(const Choose *c, Ref ref, int dim)
{
    return c->d->reference->buffers.data[ref.buffer].dims[dim].segments;
}

/* Is the fused dim sharded such that shards of the segment are shards of it? */
static bool segment_fits(const Choose *c, const Signature *signature)
{
    const Op *op = c->op;
    bool put = op->kind == OP_SEGMENT_BWD;
    Ref fused = put ? op->out : op->operand[0], segment = put ? op->operand[0] : op->out;
    int dim = put ? signature->result.dim : signature->operand[0].dim;
    const Buffer *part = &c->d->reference->buffers.data[segment.buffer];
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

/* Would some rank have no elements to take the maximum of? */
static bool leaves_nothing(const Choose *c, int axis, const Signature *signature)
{
    if (signature->result.kind != PLACED_PARTIAL || signature->result.op != PARTIAL_MAX ||
        signature->operand[0].kind != PLACED_SHARDED)
        return false;
    int dim = signature->operand[0].dim;
    int64_t pieces = c->d->decls->axes.data[axis].size;
    for (int a = 0; a < axis; a++)
        pieces *= c->choice->operand[0].on[a] == dim ? c->d->decls->axes.data[a].size : 1;
    return c->d->reference->buffers.data[c->op->operand[0].buffer].dims[dim].size < pieces;
}

/* Among equals: less work, then what is whole; but for a gradient that a sync sums, its parts. */
static int rank_on(const Choose *c, int axis, const Signature *signature)
{
    int on = on_of(signature->result);
    bool parted = c->gradient && (c->parted >> axis & 1);
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
        if (c->free || at_hand_cut(c, axis, c->shape.letter[i][signature->operand[i].dim]))
            return true;
    }
    return !cuts;
}

static bool choose_axis(Choose *c, const SignatureVec *signatures, int axis)
{
    const Signature *best = NULL;
    double least = INFINITY;
    for (int s = 0; s < signatures->count; s++) {
        const Signature *signature = &signatures->data[s];
        if (signature->even && !is_even(c, axis, signature))
            continue;
        if (!is_called_for(c, axis, signature) || leaves_nothing(c, axis, signature))
            continue;
        double cost = result_cost(c, axis, on_of(signature->result));
        for (int i = 0; i < c->op->operand_count; i++)
            cost += least_cost(c, i, axis, on_of(signature->operand[i]));
        bool better = cost < least;
        if (cost == least && best != NULL)
            better = rank_on(c, axis, signature) < rank_on(c, axis, best);
        if (better) {
            least = cost;
            best = signature;
        }
    }
    if (best == NULL || least == INFINITY)
        return false;
    for (int i = 0; i < c->op->operand_count; i++)
        c->choice->operand[i].on[axis] = (int8_t)on_of(best->operand[i]);
    c->choice->result.on[axis] = (int8_t)on_of(best->result);
    return true;
}

/* ---- What is wanted ----------------------------------------------------------------------------------------- */

static void want_gradient(Choose *c)
{
    Derive *d = c->d;
    int tensor = d->buffers[c->op->out.buffer].tensor;
    Place parameter = derive_parameter_place(d, tensor);
    const GradientSum *sum = d->dry ? NULL : find_sum(d, tensor);
    for (int a = 0; a < d->decls->axes.count; a++)
        if (parameter.on[a] >= 0)
            c->want.on[a] = parameter.on[a];
        else if (!d->dry)
            c->want.on[a] = sum != NULL && axes_contain(sum->axes, a) ? ON_PARTIAL : ON_WHOLE;
}

static void want_value(Choose *c)
{
    Derive *d = c->d;
    const RefBuffer *out = &d->buffers[c->op->out.buffer];
    const Held *held = c->op->accumulate ? derive_held(d, c->op->out) : NULL;
    for (int a = 0; out->partial && a < d->decls->axes.count; a++)
        if (!d->dry)
            c->want.on[a] = axes_contain(out->sum_axes, a) ? ON_PARTIAL : ON_WHOLE;
    if (out->partial)
        return;
    if (held != NULL)
        c->want = held->place;
    else if (out->syncs.count > 0)
        return;
    else if (out->fixed && out->has_home)
        c->want = out->home;
    for (int i = 0; i < out->named.count; i++)
        if (!c->op->accumulate)
            c->want.on[out->named.axis[i]] = out->rest.on[out->named.axis[i]];
}

static void keep_value(Choose *c)
{
    Derive *d = c->d;
    const RefBuffer *out = &d->buffers[c->op->out.buffer];
    Choice *choice = c->choice;
    for (int a = 0; a < d->decls->axes.count; a++) {
        int result = choice->result.on[a];
        if (c->want.on[a] != ON_ANY)
            choice->kept.on[a] = c->want.on[a];
        else if (out->fixed && !out->has_home && !out->partial && out->syncs.count == 0 &&
                 (result == ON_PARTIAL || out->rest.on[a] >= 0))
            choice->kept.on[a] = out->rest.on[a];
        else
            choice->kept.on[a] = (int8_t)result;
    }
}

/* Sources make any part of a value: what the strategy wants; positions are made whole. */
static void choose_source(Choose *c)
{
    const RefBuffer *out = &c->d->buffers[c->op->out.buffer];
    Place place = c->op->kind == OP_IOTA && out->batch_dims == 0 ? place_whole() : out->rest;
    for (int a = 0; a < c->d->decls->axes.count; a++)
        if (c->want.on[a] != ON_ANY)
            place.on[a] = c->want.on[a];
    c->choice->result = c->choice->kept = place;
}

/* The operand that its syncs leave sharded over the axis; -1 none. */
static int find_breach(const Choose *c, int axis)
{
    for (int i = 0; i < c->op->operand_count; i++) {
        const RefBuffer *info = &c->d->buffers[c->op->operand[i].buffer];
        for (int h = 0; h < info->held.count && (info->literal >> axis & 1); h++)
            if (derive_is_held(c->d, &info->held.data[h], c->op->operand[i]) && info->held.data[h].place.on[axis] >= 0)
                return c->op->operand[i].buffer;
    }
    return -1;
}

static void refuse_choice(const Choose *c, int axis)
{
    Derive *d = c->d;
    int breach = find_breach(c, axis);
    if (breach >= 0) {
        derive_refuse_breach(d, breach, axis, op_info[c->op->kind].name, c->op->span);
        return;
    }
    if (!d->failed) {
        const char *name = d->decls->axes.data[axis].name;
        Diagnostic *diagnostic = diag_report(d->ctx->diag, P0290, c->op->span,
                                             "'%s' of what is cut over '%s' in this way is not supported yet",
                                             op_info[c->op->kind].name, name);
        for (int i = 0; i < c->op->operand_count; i++) {
            const RefBuffer *info = &d->buffers[c->op->operand[i].buffer];
            if (info->role != ROLE_PARAMETER || derive_parameter_place(d, info->tensor).on[axis] < 0)
                continue;
            int unit = derive_unit_of(d, info->tensor, d->first_layer);
            Span span = d->assignment->units.data[unit].parameters.span;
            if (!span_known(span))
                continue;
            diag_label(diagnostic, span, "cuts '%s' over '%s'", d->decls->tensors.data[info->tensor].name, name);
            break;
        }
        for (int i = 0; i < d->assignment->activations.count; i++)
            if (d->assignment->activations.data[i].axis == axis)
                diag_label(diagnostic, d->assignment->activations.data[i].span, "cuts values over '%s'", name);
        diag_help(diagnostic, "Maybe cut the batch over '%s' instead, or leave this out of the model.", name);
    }
    d->failed = true;
}

/* The axes over which syncs sum a gradient and some operand provides parts for that. */
static unsigned parted_axes(const Derive *d, const Op *op)
{
    unsigned axes = 0;
    for (int i = 0; i < op->operand_count; i++)
        axes |= d->buffers[op->operand[i].buffer].parted;
    return axes != 0 ? axes & derive_summed_axes(d, d->buffers[op->out.buffer].tensor) : 0;
}

/* Cached: a model has many operators, but few kinds and specs. */
static OpSignatures op_signatures(Derive *d, const Op *op)
{
    int outer;
    OpSignatures asked = {.spec = derive_spec(d, op), .even = derive_view_outer(d, op, &outer)};
    for (int i = 0; i < d->signatures[op->kind].count; i++) {
        const OpSignatures *known = &d->signatures[op->kind].data[i];
        if (known->even == asked.even && strcmp(known->spec, asked.spec) == 0)
            return *known;
    }
    unsigned wanted = SIGNATURE_SHARDED | SIGNATURE_SUM | (asked.even ? SIGNATURE_EVEN : 0);
    asked.shape = op_shape(d->ctx->arena, op->kind, asked.spec);
    asked.list = signatures_of(d->ctx->arena, &asked.shape, wanted);
    vec_push(d->ctx->arena, &d->signatures[op->kind], asked);
    return asked;
}

bool derive_choose(Derive *d, const Op *op, bool report, Choice *choice)
{
    Choose c = {.d = d, .op = op, .choice = choice};
    choice->result = choice->kept = place_whole();
    choice->halos = (Halos){0};
    for (int i = 0; i < STEP_MAX_OPERANDS; i++)
        choice->operand[i] = place_whole();
    if (op->kind == OP_OUTPUT)
        return true;
    memset(c.want.on, ON_ANY, sizeof(c.want.on));
    c.gradient = d->buffers[op->out.buffer].role == ROLE_GRADIENT;
    c.sum = d->ops[op->id].partial;
    if (c.gradient)
        c.parted = parted_axes(d, op);
    if (c.gradient)
        want_gradient(&c);
    else
        want_value(&c);
    if (op_info[op->kind].op_class == CLASS_SOURCE) {
        choose_source(&c);
        return true;
    }
    const OpSignatures signatures = op_signatures(d, op);
    c.shape = signatures.shape;
    for (int axis = 0; axis < d->decls->axes.count; axis++) {
        SignatureVec on_axis = signatures.list;
        if (op_info[op->kind].op_class == CLASS_WINDOW)
            derive_add_halo_signatures(d, op, axis, choice, &on_axis);
        c.free = false;
        if (choose_axis(&c, &on_axis, axis))
            continue;
        c.free = c.gradient || c.sum || op->accumulate;
        if (!c.free || !choose_axis(&c, &on_axis, axis)) {
            if (report)
                refuse_choice(&c, axis);
            return false;
        }
    }
    if (c.gradient)
        choice->kept = c.want;
    else
        keep_value(&c);
    for (int a = 0; a < STEP_MAX_AXES; a++)
        if (choice->kept.on[a] == ON_ANY)
            choice->kept.on[a] = choice->result.on[a];
    choice->halos = derive_halos_of(d, op, choice);
    return true;
}

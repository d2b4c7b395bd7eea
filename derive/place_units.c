/* place_units.c - what is converted of each unit, and when: its gathered parameters, the reductions of its gradients,
 * the forms in which updates read and write it. The strategy decides all of this, unit by unit.
 *
 * A form is a cut: the whole unit, or equal flat shards over a set of axes. Every cut has its own padding, so shards
 * over (a, b) are pieces of those over (a) only if the unit divides evenly; otherwise the conversion goes through the
 * whole. What an explicit sync names is not converted here (place_unit_syncs.c): it leaves it as it says.
 */
#include "algebra/convert.h"
#include "base/change.h"
#include "derive/place.h"

#include <string.h>

typedef struct Form {
    const Facts *f;
    int unit;
    UnitSteps *steps;
    Span span;
} Form;

/* Are shards over `inner` pieces of those over `outer`? A unit's elements divide by all its cuts. */
static bool nests(AxisSet outer, AxisSet inner)
{
    return outer.count <= inner.count && memcmp(outer.axis, inner.axis, (size_t)outer.count) == 0;
}

/* What a rank sends in a step, whose larger side is cut over `cut`. */
static double elements_sent(const Form *form, OpKind kind, AxisSet axes, AxisSet cut)
{
    const Facts *f = form->f;
    double whole = (double)f->decls->units.data[form->unit].elements / (double)axes_size(f->decls, cut);
    int64_t ranks = axes_size(f->decls, axes);
    if (kind == OP_ALL_REDUCE)
        return convert_price(CONVERT_ALL_REDUCE, ranks, whole);
    if (kind == OP_REDUCE_SCATTER)
        return convert_price(CONVERT_REDUCE_SCATTER, ranks, whole);
    return kind == OP_ALL_GATHER ? convert_price(CONVERT_ALL_GATHER, ranks, whole) : 0;
}

static void add(const Form *form, OpKind kind, AxisSet axes, AxisSet cut, UnitAt reads, UnitAt writes)
{
    UnitStep step = {kind, axes, cut, reads, writes, form->span, elements_sent(form, kind, axes, cut)};
    if (axes.count > 0 || kind != OP_ALL_REDUCE)
        vec_push(form->f->ctx->arena, form->steps, step);
}

/* A complete value, sharded over `have`, to another form. */
static void move(const Form *form, AxisSet have, AxisSet want)
{
    AxisSet whole = {0};
    if (nests(have, want)) {
        add(form, OP_SLICE, axes_without(want, have), have, AT_SOURCE, AT_TARGET);
    } else if (nests(want, have)) {
        add(form, OP_ALL_GATHER, axes_without(have, want), want, AT_SOURCE, AT_TARGET);
    } else {
        add(form, OP_ALL_GATHER, have, whole, AT_SOURCE, AT_WHOLE);
        add(form, OP_SLICE, want, whole, AT_WHOLE, AT_TARGET);
    }
}

/* Contributions, sharded over `have`, are reduced over some axes into shards over others as well. */
static void reduce_into(const Form *form, AxisSet have, AxisSet reduce, AxisSet cut)
{
    const Decls *decls = form->f->decls;
    AxisSet both = axes_common(cut, reduce), shards = axes_union(decls, have, cut);
    if (axes_equal(both, cut)) {
        add(form, OP_REDUCE_SCATTER, cut, have, AT_SOURCE, AT_TARGET);
        add(form, OP_ALL_REDUCE, axes_without(reduce, cut), shards, AT_TARGET, AT_TARGET);
    } else {
        add(form, OP_ALL_REDUCE, both, have, AT_SOURCE, AT_SOURCE);
        add(form, OP_SLICE, cut, have, AT_SOURCE, AT_TARGET);
        add(form, OP_ALL_REDUCE, axes_without(reduce, both), shards, AT_TARGET, AT_TARGET);
    }
}

/* ---- Gradients ---------------------------------------------------------------------------------------------- */

/* The axes on which a unit's contributions are parts of a sum and that no sync names, if a sync has `derive the
 * rest`. */
static AxisSet rest_of_syncs(const Facts *f, int unit, const UnitInfo *u)
{
    AxisSet named = {0};
    bool rests = false;
    for (int i = 0; i < f->assignment->syncs.count; i++) {
        const Sync *sync = &f->assignment->syncs.data[i];
        if (!derive_sync_names(sync, SYNC_GRADIENTS, unit))
            continue;
        rests |= sync->derive_rest;
        named = axes_union(f->decls, named, sync->axes);
    }
    return rests ? axes_without(u->partial, named) : (AxisSet){0};
}

/* Each microbatch's contributions, into the stored shards of the gradient. */
static void place_each(const Facts *f, int unit, const UnitInfo *u, UnitChoice *choice)
{
    Form form = {f, unit, &choice->each, u->gradient_span};
    AxisSet reduce = u->gradients;
    if (u->microbatch_sync != NULL)
        form.span = u->microbatch_sync->span;
    else
        reduce = axes_common(u->gradients, u->explicit_gradients ? rest_of_syncs(f, unit, u) : u->partial);
    if (u->pieces)
        reduce_into(&form, (AxisSet){0}, reduce, u->gradients);
}

/* The accumulator is sharded over its own axes and partial over the other axes of the unit's sum. */
static void place_gradient(const Facts *f, int unit, const UnitInfo *u, UnitChoice *choice)
{
    Form form = {f, unit, &choice->gradient, u->gradient_span};
    AxisSet cut = choice->accumulated, reduce = axes_without(u->partial, cut);
    choice->gradient_moves = !axes_equal(cut, u->optimizer);
    if (u->explicit_gradients) { /* after its syncs */
        form.span = u->optimizer_span;
        if (choice->gradient_moves && !choice->left_in_shards)
            move(&form, cut, u->optimizer);
    } else if (choice->gradient_moves && nests(cut, u->optimizer)) {
        form.span = u->optimizer_span;
        reduce_into(&form, cut, reduce, axes_without(u->optimizer, cut));
    } else {
        add(&form, OP_ALL_REDUCE, reduce, cut, AT_SOURCE, AT_SOURCE);
        form.span = u->optimizer_span;
        if (choice->gradient_moves)
            move(&form, cut, u->optimizer);
    }
}

/* ---- Parameters --------------------------------------------------------------------------------------------- */

/* The axes over which shards must be gathered, after the update, to what a rank stores of the parameter. */
static AxisSet axes_to_gather(const UnitInfo *u)
{
    if (nests(u->optimizer, u->parameters))
        return (AxisSet){0};
    return nests(u->parameters, u->optimizer) ? axes_without(u->optimizer, u->parameters) : u->optimizer;
}

/* Without a gather: the updated shard goes into its place in what the rank stores; the rest of that stays as it was. */
static void store_ungathered(const Form *form, const UnitInfo *u)
{
    AxisSet axes = axes_to_gather(u), whole = {0};
    bool direct = nests(u->parameters, u->optimizer);
    Form stored = *form;
    stored.span = u->parameter_span;
    if (!direct)
        add(&stored, OP_ALL_GATHER, u->parameters, whole, AT_TARGET, AT_WHOLE);
    add(form, OP_PLACE_SHARD, axes, whole, AT_SOURCE, direct ? AT_TARGET : AT_WHOLE);
    if (!direct)
        add(form, OP_SLICE, u->parameters, whole, AT_WHOLE, AT_TARGET);
}

/* Of the shards over `left` nothing is sent, but those over the other axes are gathered. */
static void store_partly_gathered(const Form *form, const UnitInfo *u, AxisSet left)
{
    AxisSet cut = axes_union(form->f->decls, u->parameters, left);
    add(form, OP_ALL_GATHER, axes_without(u->optimizer, cut), cut, AT_SOURCE, AT_LARGER);
    add(form, OP_PLACE_SHARD, left, u->parameters, AT_LARGER, AT_TARGET);
}

bool place_gathers_inner(const Facts *f, const UnitInfo *u, const UnitChoice *choice)
{
    return nests(u->parameters, u->optimizer) &&
           nests(axes_union(f->decls, u->parameters, choice->ungathered), u->optimizer);
}

static void place_stored(const Facts *f, int unit, const UnitInfo *u, UnitChoice *choice)
{
    const UnitSync *sync = choice->parameter;
    Form form = {f, unit, &choice->stored, sync != NULL ? sync->span : u->optimizer_span};
    choice->gathered_after = axes_to_gather(u);
    if (sync != NULL && sync->form != FORM_GATHER)
        choice->ungathered = sync->sync->derive_rest ? axes_common(choice->gathered_after, sync->sync->axes)
                                                     : choice->gathered_after;
    if (axes_equal(u->parameters, u->optimizer))
        return;
    if (choice->ungathered.count == 0)
        move(&form, u->optimizer, u->parameters);
    else if (axes_equal(choice->ungathered, choice->gathered_after) || !place_gathers_inner(f, u, choice))
        store_ungathered(&form, u);
    else
        store_partly_gathered(&form, u, choice->ungathered);
}

/* ---- All forms ---------------------------------------------------------------------------------------------- */

static void add_cut(AxisSet *cuts, int *count, AxisSet cut)
{
    for (int i = 0; i < *count; i++)
        if (axes_equal(cuts[i], cut))
            return;
    cuts[(*count)++] = cut;
}

/* From each form of the unit's buffers to each other one, as updates need them. */
static void place_moves(const Facts *f, int unit, const UnitInfo *u, UnitChoice *choice)
{
    AxisSet *cuts = arena_array(f->ctx->arena, AxisSet, f->decls->states.count + 3);
    int count = 0;
    add_cut(cuts, &count, (AxisSet){0});
    add_cut(cuts, &count, u->parameters);
    add_cut(cuts, &count, u->optimizer);
    for (int i = 0; i < f->decls->states.count; i++)
        add_cut(cuts, &count, u->state_cut[i]);
    for (int from = 0; from < count; from++)
        for (int to = 0; to < count; to++) {
            UnitMove between = {.have = cuts[from], .want = cuts[to]};
            if (from == to)
                continue;
            move(&(Form){f, unit, &between.steps, {0}}, cuts[from], cuts[to]);
            vec_push(f->ctx->arena, &choice->moves, between);
        }
}

const UnitChoice *place_units(const Facts *f, const UnitInfo *units)
{
    UnitChoice *choices = arena_array(f->ctx->arena, UnitChoice, f->decls->units.count + 1);
    for (int i = 0; i < f->decls->units.count; i++) {
        const UnitInfo *u = &units[i];
        UnitChoice *choice = &choices[i];
        choice->accumulated = u->pieces && u->has_gradient ? u->gradients : (AxisSet){0};
        Form gather = {f, i, &choice->gather, u->parameter_span};
        if (u->gathered && u->parameters.count > 0)
            add(&gather, OP_ALL_GATHER, u->parameters, (AxisSet){0}, AT_SOURCE, AT_TARGET);
        place_gradient_syncs(f, i, u, axes_without(rest_of_syncs(f, i, u), choice->accumulated), choice);
        choice->parameter = place_parameter_sync(f, i);
        place_each(f, i, u, choice);
        place_gradient(f, i, u, choice);
        place_stored(f, i, u, choice);
        place_stored_syncs(f, i, u, choice);
        place_moves(f, i, u, choice);
    }
    return choices;
}

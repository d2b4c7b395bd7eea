/* place_sync.c - explicit syncs of values, as steps: each is applied as written, to the value in the placement that it
 * was computed in. What is partial after that is taken to be whole. */
#include "base/change.h"
#include "derive/place.h"

/* A value while its syncs are applied. */
typedef struct Walk {
    Placer *p;
    int ref, at; /* the variant that it is in */
    Placement place;
    const Sync *sync;
    AxisSet axes;
    int dim; /* that the sync shards */
    Route *route;
} Walk;

static void refuse_form(Walk *w, int axis, const char *format)
{
    if (!w->p->failed) {
        const char *name = placer_buffer(w->p, w->ref)->name, *along = w->p->facts->decls->axes.data[axis].name;
        diag_report(w->p->ctx.diag, P0206, w->sync->span, format, name, along);
    }
    w->p->failed = true;
}

/* One operator over the axes, if there are any, into the variant of another placement; in place if it is the same. */
static void add_step(Walk *w, OpKind kind, AxisSet axes, const Placement *next, const char *suffix)
{
    if (axes.count == 0)
        return;
    int out = w->at;
    if (!placement_equal(&w->place, next))
        out = derive_variant(w->p, w->ref, next, FOR_VALUE, suffix);
    bool maximum = kind == OP_ALL_REDUCE && w->sync->operation == SYNC_MAX;
    route_add(w->p, w->ref, w->route,
              (Step){.kind = kind,
                     .axes = axes,
                     .reads = w->at,
                     .writes = out,
                     .after = *next,
                     .reduce = maximum ? REDUCE_MAX : REDUCE_SUM,
                     .sync = w->sync,
                     .waits = w->sync->waits});
    w->at = out;
    w->place = *next;
}

static bool is_inner_end(const Placement *place, int axis)
{
    AxisSet cuts = place_axes(place, place_at(place, axis));
    return cuts.count > 0 && cuts.axis[cuts.count - 1] == axis;
}

static void scatter(Walk *w)
{
    Placement next = w->place;
    for (int i = 0; i < w->axes.count; i++) {
        int axis = w->axes.axis[i];
        if (place_at(&next, axis) >= 0) {
            refuse_form(w, axis, "'%s' is cut over '%s' already");
            return;
        }
        facts_place(w->p->facts, w->ref, &next, axis, w->dim);
    }
    int innermost = w->axes.count > 0 ? w->axes.axis[w->axes.count - 1] : -1;
    if (innermost >= 0 && !is_inner_end(&next, innermost)) {
        refuse_form(w, innermost, "'%s' cannot be cut over '%s' inside what shards this dim");
        return;
    }
    add_step(w, OP_REDUCE_SCATTER, w->axes, &next, "scattered");
}

static void gather(Walk *w)
{
    for (int i = w->axes.count - 1; i >= 0; i--) {
        int axis = w->axes.axis[i];
        Placement next = w->place;
        if (place_at(&next, axis) < 0 || !is_inner_end(&next, axis)) {
            refuse_form(w, axis,
                        place_at(&next, axis) < 0 ? "'%s' is not cut over '%s': there is nothing to gather"
                                                  : "'%s' is cut over '%s' and, within that, over other axes");
            return;
        }
        facts_place(w->p->facts, w->ref, &next, axis, ON_WHOLE);
        add_step(w, OP_ALL_GATHER, axes_one(axis), &next, "gathered");
    }
}

static void exchange(Walk *w)
{
    for (int i = 0; i < w->axes.count; i++) {
        int axis = w->axes.axis[i];
        Placement next = w->place;
        facts_place(w->p->facts, w->ref, &next, axis, w->dim);
        if (place_at(&w->place, axis) < 0 || place_at(&w->place, axis) == w->dim || !is_inner_end(&w->place, axis) ||
            !is_inner_end(&next, axis)) {
            refuse_form(w, axis, "'%s' has no cut over '%s' that could be exchanged for this one");
            return;
        }
        add_step(w, OP_ALL_TO_ALL, axes_one(axis), &next, "exchanged");
    }
}

/* All over the axes, which leave the value where it is. */
static void in_place(Walk *w, OpKind kind)
{
    Placement next = w->place;
    if (kind == OP_ALL_REDUCE)
        add_step(w, kind, w->axes, &next, "");
    for (int i = 0; kind == OP_BROADCAST && i < w->axes.count; i++)
        add_step(w, kind, axes_one(w->axes.axis[i]), &next, "");
}

static bool has_dim(const Walk *w)
{
    if (w->sync->dim == NULL || w->dim >= 0)
        return true;
    if (!w->p->failed)
        diag_report(w->p->ctx.diag, P0201, w->sync->span, "'%s' has no dim '%s'", placer_buffer(w->p, w->ref)->name,
                    w->sync->dim);
    w->p->failed = true;
    return false;
}

/* Ends with a step for the factor of the sync. */
static void do_sync(Walk *w)
{
    if (!has_dim(w))
        return;
    switch (w->sync->operation) {
    case SYNC_NONE:
        break;
    case SYNC_SUM:
    case SYNC_MEAN:
    case SYNC_MAX:
        if (w->sync->into_shards)
            scatter(w);
        else
            in_place(w, OP_ALL_REDUCE);
        break;
    case SYNC_GATHER:
        gather(w);
        break;
    case SYNC_EXCHANGE:
        exchange(w);
        break;
    case SYNC_BROADCAST:
        in_place(w, OP_BROADCAST);
        break;
    }
    if (!w->p->failed)
        route_add(w->p, w->ref, w->route,
                  (Step){.kind = OP_SCALE,
                         .axes = w->axes,
                         .reads = w->at,
                         .writes = w->at,
                         .before = w->place,
                         .after = w->place,
                         .sync = w->sync});
}

/* Reports a sync that would place a value differently from its other writer. */
static void check_home(const Walk *w)
{
    const Placed *value = &w->p->values[w->ref];
    if (!w->p->routine->wish[w->ref].fixed || !value->has_home || placement_equal(&value->home, &w->place) ||
        w->p->failed)
        return;
    derive_refuse_named(w->p->ctx.diag, w->sync, w->sync->label,
                        "which would place it differently from its other writer", NULL);
    w->p->failed = true;
}

int derive_sync_value(Placer *p, int ref, int variant, Placement *place, Route *route)
{
    const RefBuffer *info = &p->facts->buffers[ref];
    const Decls *decls = p->facts->decls;
    Walk w = {.p = p, .ref = ref, .at = variant, .place = *place, .route = route};
    *route = (Route){.from = variant, .why = WHY_SYNC};
    for (int i = 0; i < info->syncs.count && !p->failed; i++) {
        w.sync = info->syncs.data[i].sync;
        p->choices->synced[info->syncs.data[i].number] = true;
        w.dim = p->routine->sync_dim[info->syncs.data[i].number];
        AxisSet axes = axes_larger_than_one(decls, w.sync->axes);
        w.axes = p->routine->cut ? axes : axes_without(axes, p->facts->batch);
        if (w.axes.count > 0 || axes.count == 0) /* prediction does nothing if these were only the batch's axes */
            do_sync(&w);
    }
    for (int a = 0; a < decls->axes.count; a++)
        if (place_at(&w.place, a) == ON_PARTIAL && (info->literal >> a & 1))
            facts_place(p->facts, ref, &w.place, a, ON_WHOLE);
    check_home(&w);
    *place = w.place;
    return w.at;
}

void derive_refuse_breach(Placer *p, int ref, int axis, const char *reader, Span span)
{
    if (p->failed)
        return;
    const RefBuffer *info = &p->facts->buffers[ref];
    const char *name = placer_buffer(p, ref)->name, *along = p->facts->decls->axes.data[axis].name;
    const Sync *sync = info->syncs.data[info->syncs.count - 1].sync;
    Diagnostic *diagnostic =
        diag_report(p->ctx.diag, P0307, sync->span, "a piece of '%s' used as if it were whole", name);
    diag_primary_label(diagnostic, "leaves each rank along '%s' its own", along);
    if (span_known(span))
        diag_label(diagnostic, span, "%s needs it otherwise", reader);
    diag_why(diagnostic, "A sync stands for all conversions of what it names; readers get what it leaves.");
    Span after = {sync->span.source, sync->span.end, sync->span.end};
    const char *gathers = arena_printf(p->ctx.arena, " then gather over %s", along);
    diag_help_edit(diagnostic, after, gathers, "Add what is missing: `%s`.", gathers + 1);
    diag_help_edit(diagnostic, after, " derive the rest", "Say `derive the rest`.");
    p->failed = true;
}

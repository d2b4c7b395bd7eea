/* straight_sources.c - operators that make something of nothing: initial values, inputs, constants, members. */
#include "tests/sim/straight.h"

#include <stdio.h>
#include <string.h>

/* ---- What makes something ----------------------------------------------------------------------------------- */

/* Which tensors there are; in units v, u, and w, v twice. */
static const struct {
    const char *name;
    int dims[MAX_DIMS], dim_count;
} tensors[] = {{"w", {ROWS}, 1},
               {"v", {ROWS, COLUMNS}, 2},
               {"u", {COLUMNS}, 1},
               {"v", {ROWS, COLUMNS}, 2},
               {"k", {WINDOW_ROWS, WINDOW_COLUMNS}, 2},
               {"f", {FUSED}, 1}};
enum { TENSORS = sizeof tensors / sizeof tensors[0] };
static const int members[][2] = {{1, 2}, {0, 1}, {0, 1}};

int straight_free_axis(Straight *s, const Var *var)
{
    int axis = straight_below(s, s->axis_count);
    return straight_has_cut(var, axis) ? -1 : axis;
}

static void cut_somewhere(Straight *s, Var *var)
{
    while (var->dim_count > 0 && straight_once_in(s, 2)) {
        int axis = straight_free_axis(s, var), dim = straight_below(s, var->dim_count);
        if (axis >= 0 && var->cut_counts[dim] < MAX_CUTS)
            var->cuts[dim][var->cut_counts[dim]++] = axis;
    }
}

/* Of a shadow: two of a dim's axes the other way around. */
static void turn_cuts(Straight *s, Var *var)
{
    int dim = var->dim_count ? chance_below(&s->other, var->dim_count) : 0, *cuts = var->cuts[dim];
    int count = var->dim_count ? var->cut_counts[dim] : 0;
    if (count > 0 && cuts[0] == MICRO)
        cuts++, count--;
    if (!s->is_shadow || count < 2 || chance_once_in(&s->other, 2))
        return;
    int first = cuts[0];
    cuts[0] = cuts[1];
    cuts[1] = first;
}

static void put_seed(Straight *s)
{
    straight_put(s, " seed %d", 1 + straight_below(s, 2));
    if (straight_once_in(s, 4))
        straight_put(s, "+%d*@d%d", 1 + straight_below(s, 2), straight_below(s, s->axis_count));
    straight_put(s, "\n");
}

void make_initial(Straight *s)
{
    Var layout = {.kind = straight_once_in(s, 3) ? UNIT : DENSE, .dim_count = 1};
    if (layout.kind == UNIT) {
        layout.unit = straight_below(s, 3);
        cut_somewhere(s, &layout);
        turn_cuts(s, &layout);
        const Var *out = straight_result(s, &layout, NULL, NULL);
        if (out)
            straight_put(s, "%s = init()", out->name), put_seed(s);
        return;
    }
    int tensor = straight_below(s, TENSORS);
    memcpy(layout.dims, tensors[tensor].dims, sizeof layout.dims);
    layout.dim_count = tensors[tensor].dim_count;
    layout.by_segments = straight_once_in(s, 2);
    if (layout.dims[0] != WINDOW_ROWS || straight_once_in(s, 4))
        cut_somewhere(s, &layout);
    turn_cuts(s, &layout);
    const Var *out = straight_result(s, &layout, NULL, NULL);
    if (out)
        straight_put(s, "%s = init() tensor %s", out->name, tensors[tensor].name), put_seed(s);
}

/* What is no batch is read whole, whichever microbatch is current. */
static void make_input(Straight *s)
{
    Var layout = {.kind = DENSE, .dim_count = 1, .dims = {1}};
    cut_somewhere(s, &layout);
    const Var *out = straight_result(s, &layout, NULL, NULL);
    if (out)
        straight_put(s, "%s = read() tensor r index 0\n", out->name);
}

/* A batch, or a microbatch: all of it, or the part of this rank over the axes that are named. */
void make_batch(Straight *s)
{
    Var layout = {.kind = DENSE, .dim_count = straight_once_in(s, 2) ? 1 : 2, .dims = {0, 1}};
    if (!straight_micro_loop(s) && s->axis_sizes[MICRO] > 1) {
        make_input(s);
        return;
    }
    if (straight_micro_loop(s))
        layout.cuts[0][layout.cut_counts[0]++] = MICRO;
    for (int more = straight_below(s, 3); more > 0; more--) {
        int axis = straight_free_axis(s, &layout);
        if (axis >= 0)
            layout.cuts[0][layout.cut_counts[0]++] = axis;
    }
    turn_cuts(s, &layout);
    const Var *out = straight_result(s, &layout, NULL, NULL);
    if (!out)
        return;
    const char *before = " over";
    int parts = 1;
    for (int c = 0; c < layout.cut_counts[0]; c++)
        parts *= s->axis_sizes[layout.cuts[0][c]];
    bool all = straight_once_in(s, 2) || s->sizes[0] % parts != 0;
    straight_put(s, "%s = read() tensor %s", out->name, layout.dim_count == 1 ? "t" : "x");
    for (int c = 0; c < layout.cut_counts[0]; c++)
        if (layout.cuts[0][c] != MICRO && (all || straight_once_in(s, 2))) {
            straight_put(s, "%s d%d", before, layout.cuts[0][c]);
            before = ",";
        }
    straight_put(s, " index ");
    straight_put_micro(s);
    straight_put(s, "\n");
}

/* Positions. */
void make_iota(Straight *s)
{
    const Var *a = straight_any(s);
    const Var *out =
        a && a->kind == DENSE && a->dim_count < 2 && !a->by_segments ? straight_result(s, a, NULL, NULL) : NULL;
    char spec[MAX_DIMS + 1];
    if (!out)
        return;
    straight_spec(out, spec);
    straight_put(s, *spec ? "%s = iota() \"%s\"" : "%s = iota()%s", out->name, spec);
    straight_put(s, " index %d", straight_below(s, 2));
    if (s->open_count)
        straight_put(s, "+l%d", s->open[straight_below(s, s->open_count)].id);
    straight_put(s, "\n");
}

void make_constant(Straight *s)
{
    const Var *a = straight_any(s);
    const Var *out = a ? straight_result(s, a, NULL, NULL) : NULL;
    char spec[MAX_DIMS + 1];
    if (!out)
        return;
    straight_put(s, "%s = fill(; %s)", out->name, straight_once_in(s, 2) ? "1" : straight_once_in(s, 2) ? "0" : "0.5");
    straight_spec(out, spec);
    if (!straight_is_flat(out) && *spec)
        straight_put(s, " \"%s\"", spec);
    straight_put(s, "\n");
}

/* A member of a slot that is not cut, under its name. */
void make_member(Straight *s)
{
    const Var *a = straight_any(s);
    if (!a || a->kind != UNIT || a->cut_counts[0])
        return;
    int tensor = members[a->unit][straight_below(s, 2)];
    Var layout = {.kind = MEMBER, .dim_count = tensors[tensor].dim_count}, *var;
    memcpy(layout.dims, tensors[tensor].dims, sizeof layout.dims);
    layout.cut_counts[0] = straight_is_of_cut_unit(a); /* over the first axis */
    var = straight_add_var(s, &layout);
    if (var)
        snprintf(var->name, sizeof var->name, "%.6s:%s", a->name, tensors[tensor].name);
}

/* straight_ranks.c - operators between ranks; slots of rings, and messages. */
#include "tests/sim/straight.h"

#include <stdio.h>

/* ---- Between ranks ------------------------------------------------------------------------------------------ */

/* Whether all ranks along the axis have pieces of one size, or the whole. */
static bool even_over(const Straight *s, const Var *var, int axis)
{
    if (straight_is_of_cut_unit(var) && axis == 0 && s->sizes[ROWS] % s->axis_sizes[0] != 0)
        return false;
    for (int d = 0; d < var->dim_count; d++)
        for (int c = 0, parts = 1; c < var->cut_counts[d]; c++) {
            parts *= s->axis_sizes[var->cuts[d][c]];
            if (straight_has_cut(var, axis) && !straight_is_flat(var) &&
                (s->sizes[var->dims[d]] % parts != 0 ||
                 (straight_is_by_segments(var, d) && s->sizes[ROWS] % parts != 0)))
                return false;
        }
    return true;
}

void make_all_reduce(Straight *s)
{
    const Var *a = straight_any(s);
    int axis = straight_below(s, s->axis_count), other = straight_below(s, s->axis_count);
    if (!a || a->kind == MEMBER || !even_over(s, a, axis) || !even_over(s, a, other))
        return;
    const Var *out = straight_result(s, a, a, NULL);
    if (!out)
        return;
    straight_put(s, "%s = all_reduce(%s) %s over d%d", out->name, a->name, straight_once_in(s, 5) ? "max" : "sum",
                 axis);
    if (other != axis && straight_once_in(s, 3))
        straight_put(s, ", d%d", other);
    straight_put(s, "\n");
}

/* Into pieces: a slice of what is whole, or a sum of which each rank gets a piece. */
void make_pieces(Straight *s)
{
    const Var *a = straight_any(s);
    int axis = a ? straight_free_axis(s, a) : -1, dim = a && a->dim_count ? straight_below(s, a->dim_count) : 0;
    if (axis < 0 || a->kind == MEMBER || a->kind == NUMBERS || !a->dim_count || a->cut_counts[dim] == MAX_CUTS)
        return;
    Var layout = *a;
    bool whole = !layout.cut_counts[dim], segments = straight_once_in(s, 2);
    layout.by_segments = whole && layout.dims[dim] == FUSED ? segments : layout.by_segments;
    layout.cuts[dim][layout.cut_counts[dim]++] = axis;
    const Var *out = straight_result(s, &layout, a, NULL);
    bool sums = straight_once_in(s, 2);
    if (out)
        straight_put(s, "%s = %s(%s)%s over d%d\n", out->name, sums ? "reduce_scatter" : "slice", a->name,
                     sums ? " sum" : "", axis);
}

/* A dim that an axis cuts, innermost; -1 where none does. */
static int cut_dim(Straight *s, const Var *var)
{
    int dim = var->dim_count ? straight_below(s, var->dim_count) : -1;
    bool is_cut = dim >= 0 && var->cut_counts[dim] && var->cuts[dim][var->cut_counts[dim] - 1] != MICRO;
    return is_cut ? dim : -1;
}

void make_whole(Straight *s)
{
    const Var *a = straight_any(s);
    int dim = a ? cut_dim(s, a) : -1;
    if (dim < 0)
        return;
    Var layout = *a;
    int axis = layout.cuts[dim][--layout.cut_counts[dim]];
    const Var *out = straight_result(s, &layout, a, NULL);
    if (out)
        straight_put(s, "%s = all_gather(%s) over d%d\n", out->name, a->name, axis);
}

void make_exchange(Straight *s)
{
    const Var *a = straight_any(s);
    int dim = a && a->kind == DENSE && a->dim_count == 2 ? cut_dim(s, a) : -1;
    if (dim < 0 || a->cut_counts[1 - dim] == MAX_CUTS)
        return;
    Var layout = *a;
    int axis = layout.cuts[dim][--layout.cut_counts[dim]];
    layout.cuts[1 - dim][layout.cut_counts[1 - dim]++] = axis;
    const Var *out = straight_result(s, &layout, a, NULL);
    if (out)
        straight_put(s, "%s = all_to_all(%s) over d%d\n", out->name, a->name, axis);
}

void make_moved(Straight *s)
{
    const Var *a = straight_any(s);
    int axis = straight_below(s, s->axis_count);
    const Var *out = a && a->kind != MEMBER && even_over(s, a, axis) ? straight_result(s, a, a, NULL) : NULL;
    if (!out)
        return;
    int size = s->axis_sizes[axis], by = straight_again(s, straight_below(s, size), size);
    if (straight_once_in(s, 3))
        straight_put(s, "%s = broadcast(%s) over d%d index %d\n", out->name, a->name, axis, by);
    else
        straight_put(s, "%s = permute(%s) over d%d index @d%d+%d %% %d\n", out->name, a->name, axis, axis, by, size);
}

/* A piece put back into a whole. */
void make_placed(Straight *s)
{
    const Var *piece = straight_any(s), *whole = straight_any(s);
    int dim = piece && piece->kind != MEMBER ? cut_dim(s, piece) : -1;
    if (dim < 0)
        return;
    Var layout = *piece;
    int axis = layout.cuts[dim][--layout.cut_counts[dim]];
    for (int tries = 0; tries < 10 && whole && !straight_same_layout(&layout, whole); tries++)
        whole = straight_any(s);
    if (!whole || !straight_same_layout(&layout, whole) || whole->kind == MEMBER)
        return;
    const Var *out = straight_result(s, &layout, piece, whole);
    if (out)
        straight_put(s, "%s = place_shard(%s, %s) over d%d\n", out->name, whole->name, piece->name, axis);
}

/* Numbers of rows, columns or tensors, next to the elements of a slot. */
void make_spread(Straight *s)
{
    const Var *a = straight_any(s), *b = straight_any(s);
    for (int tries = 0; tries < 10 && b && b->kind != NUMBERS; tries++)
        b = straight_any(s);
    const Var *out =
        a && b && a->kind == UNIT && b->kind == NUMBERS && a->unit == b->unit ? straight_result(s, a, a, NULL) : NULL;
    if (out)
        straight_put(s, "%s = %s(%s, %s)\n", out->name, straight_once_in(s, 4) ? "add" : "mul", a->name, b->name);
}

/* ---- Slots and messages ------------------------------------------------------------------------------------- */

/* A buffer of several slots, with something in each. */
void make_ring(Straight *s)
{
    const Var *a = straight_any(s);
    if (!a || straight_is_flat(a) || s->open_count)
        return;
    Var layout = *a;
    layout.ring = 2 + straight_below(s, 2);
    const Var *out = straight_new_var(s, &layout);
    for (int slot = 0; out && slot < out->ring; slot++) {
        Var at = *out;
        snprintf(at.name, sizeof at.name, "v%d[%d]", out->base, slot);
        straight_put_map(s, "copy", "=", &at, straight_like(s, a), NULL);
        straight_put(s, "\n");
    }
}

/* A slot of one, under its name. */
void make_slot(Straight *s)
{
    const Var *a = NULL;
    for (int from = straight_below(s, s->visible + 1), i = 0; i < s->visible && (!a || !a->ring); i++)
        a = straight_var_at(s, (from + i) % s->visible);
    if (!a || !a->ring || (straight_has_cut(a, MICRO) && !straight_micro_loop(s)))
        return;
    const Loop *loop = s->open_count && !straight_once_in(s, 4) ? &s->open[straight_below(s, s->open_count)] : NULL;
    int slot = straight_below(s, a->ring);
    Var *var = straight_add_var(s, a);
    if (!var)
        return;
    var->loop = loop ? 1 + loop->id : 0;
    if (loop)
        snprintf(var->name, sizeof var->name, "v%d[l%d+%d %% %d]", var->base, loop->id, slot, var->ring);
    else
        snprintf(var->name, sizeof var->name, "v%d[%d]", var->base, slot);
}

/* From one rank of an axis to another; the others keep what they have. */
void make_message(Straight *s)
{
    const Var *a = straight_any(s), *b = a ? straight_like(s, a) : NULL;
    int axis = straight_below(s, s->axis_count), size = s->axis_sizes[axis];
    const Var *out =
        s->sends && size > 1 && a && a->kind != MEMBER && even_over(s, a, axis) ? straight_new_result(s, a) : NULL;
    if (!out)
        return;
    int from = straight_below(s, size), to = (from + 1 + straight_below(s, size - 1)) % size;
    straight_put_map(s, "copy", "=", out, b, NULL);
    straight_put(s, "\nguard @d%d in %d..%d {\nsend(%s) over d%d index %d\n}\n", axis, from, from, a->name, axis, to);
    straight_put(s, "guard @d%d in %d..%d {\n%s = recv() over d%d index %d\n}\n", axis, to, to, out->name, axis, from);
}

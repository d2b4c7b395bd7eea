/* straight_maps.c - operators element by element, products and sums. */
#include "tests/sim/straight.h"

#include <string.h>

/* ---- Element by element ------------------------------------------------------------------------------------- */

void straight_put_map(Straight *s, const char *operator, const char * assign, const Var *out, const Var *a,
                      const Var *b)
{
    char spec[MAX_DIMS + 1];
    straight_spec(a, spec);
    straight_put(s, "%s %s %s(%s%s%s)", out->name, assign, operator, a->name, b ? ", " : "", b ? b->name : "");
    if (!straight_is_flat(out))
        straight_put(s, " \"%s%s%s->%s\"", spec, b ? "," : "", b ? spec : "", spec);
}

void make_map(Straight *s)
{
    static const char *const unary[] = {"gelu", "relu", "copy", "copy", "tanh"};
    static const char *const binary[] = {"add", "sub", "add", "mul", "squared_error"};
    const Var *a = straight_any(s);
    if (!a)
        return;
    const Var *b = straight_once_in(s, 2) ? straight_like(s, a) : NULL;
    const Var *out = straight_result(s, a, a, b);
    if (!out)
        return;
    straight_put_map(s, b ? binary[straight_below(s, 5)] : unary[straight_below(s, 5)], "=", out, a, b);
    straight_put(s, "\n");
}

/* Added to what is there. */
void make_more(Straight *s)
{
    const Var *a = straight_any(s);
    const Var *out = a ? straight_like(s, a) : NULL;
    if (!out || !straight_is_apart(out, a) || out->kind == MEMBER)
        return;
    straight_put_map(s, straight_once_in(s, 4) ? "gelu" : "copy", straight_once_in(s, 4) ? "=" : "+=", out, a, NULL);
    straight_put(s, "\n");
}

void make_scaled(Straight *s)
{
    static const char *const scales[] = {"1/2", "2/1", "1/3", "3/1"};
    const Var *a = straight_any(s);
    const Var *out = a ? straight_result(s, a, a, NULL) : NULL;
    if (!out)
        return;
    straight_put_map(s, "scale", "=", out, a, NULL);
    bool local = !straight_is_flat(a) && a->dim_count > 0 && straight_once_in(s, 2);
    straight_put(s, " scale %s", local ? "1/1" : scales[straight_below(s, 4)]);
    if (local)
        straight_put(s, " local \"%c\"", straight_letters[a->dims[straight_below(s, a->dim_count)]]);
    straight_put(s, "\n");
}

/* Drawn once more for a shadow: what looks alike, but is not, is to differ in such a choice alone. */
int straight_again(Straight *s, int drawn, int count)
{
    return s->is_shadow && chance_once_in(&s->other, 3) ? chance_below(&s->other, count) : drawn;
}

/* Only on ranks whose coordinate is in a range: something else there. */
void make_guarded(Straight *s)
{
    const Var *a = straight_any(s);
    const Var *b = a ? straight_like(s, a) : NULL, *out = a ? straight_new_var(s, a) : NULL;
    int axis = straight_below(s, s->axis_count), size = s->axis_sizes[axis],
        low = straight_again(s, straight_below(s, size), size);
    if (!out)
        return;
    straight_put_map(s, "copy", "=", out, a, NULL);
    if (s->open_count && straight_once_in(s, 2)) {
        const Loop *loop = &s->open[straight_below(s, s->open_count)];
        straight_put(s, straight_once_in(s, 4) ? "\nguard l%d-1" : "\nguard l%d", loop->id);
        low = straight_again(s, straight_below(s, 3), 3);
    } else {
        straight_put(s, "\nguard @d%d", axis);
    }
    if (straight_once_in(s, 4))
        straight_put(s, "+%d*@d%d", 1 + straight_again(s, straight_below(s, 2), 2), straight_below(s, s->axis_count));
    straight_put(s, " in %d..%d {\n", low, low + straight_again(s, straight_below(s, 2), 2));
    straight_put_map(s, "gelu", straight_once_in(s, 2) ? "=" : "+=", out, b, NULL);
    straight_put(s, "\n}\n");
}

/* ---- Products and sums -------------------------------------------------------------------------------------- */

int straight_dim_of(const Var *var, int letter)
{
    for (int d = 0; d < var->dim_count; d++)
        if (var->dims[d] == letter)
            return d;
    return -1;
}

/* The result of a product: letters of either, in any order; false where cuts do not fit. */
static bool product_layout(Straight *s, const Var *a, const Var *b, Var *out)
{
    *out = (Var){.kind = DENSE};
    int first = straight_below(s, LETTERS), step = straight_once_in(s, 2) ? 1 : LETTERS - 1;
    for (int k = 0; k < LETTERS; k++) {
        int letter = (first + k * step) % LETTERS, i = straight_dim_of(a, letter),
            j = b ? straight_dim_of(b, letter) : -1;
        const Var *has = i >= 0 ? a : b;
        if (i >= 0 && j >= 0 && !straight_same_cuts(a, i, b, j))
            return false;
        if ((i < 0 && j < 0) || out->dim_count == MAX_DIMS || straight_once_in(s, 2))
            continue;
        int d = out->dim_count++, from = i >= 0 ? i : j;
        out->dims[d] = letter;
        out->by_segments = letter == FUSED ? has->by_segments : out->by_segments;
        out->cut_counts[d] = has->cut_counts[from];
        memcpy(out->cuts[d], has->cuts[from], sizeof out->cuts[d]);
    }
    return out->dim_count < 2 || !out->cut_counts[0] || !out->cut_counts[1] ||
           !straight_has_cut(&(Var){.dim_count = 1,
                                    .cut_counts = {out->cut_counts[1]},
                                    .cuts = {{out->cuts[1][0], out->cuts[1][1], out->cuts[1][2]}}},
                             out->cuts[0][0]);
}

void make_product(Straight *s)
{
    const Var *a = straight_any(s), *b = straight_once_in(s, 3) ? NULL : straight_any(s);
    Var layout;
    char left[MAX_DIMS + 1], right[MAX_DIMS + 1] = "", to[MAX_DIMS + 1];
    if (!a || straight_is_flat(a) || (b && straight_is_flat(b)) || !product_layout(s, a, b, &layout))
        return;
    if (!b && layout.dim_count == a->dim_count)
        return; /* nothing is summed: that is a copy */
    const char *assign;
    const Var *out = straight_sum_result(s, &layout, a, b, &assign);
    if (!out)
        return;
    straight_spec(a, left);
    straight_spec(&layout, to);
    if (b)
        straight_spec(b, right);
    straight_put(s, "%s %s %s(%s%s%s) \"%s%s%s->%s\"\n", out->name, assign,
                 b                        ? "einsum"
                 : straight_once_in(s, 3) ? "sum_squares"
                                          : "reduce",
                 a->name, b ? ", " : "", b ? b->name : "", left, b ? "," : "", right, to);
}

/* A number of a slot, or one of each of its tensors. */
void make_slot_sum(Straight *s)
{
    const Var *a = straight_any(s);
    if (!a || a->kind != UNIT)
        return;
    Var layout = {.kind = straight_once_in(s, 3) ? NUMBERS : DENSE, .unit = a->unit};
    layout.unit = layout.kind == NUMBERS ? a->unit : 0;
    layout.each = layout.kind == NUMBERS ? straight_below(s, 3) : 0;
    const char *assign;
    const Var *out = straight_sum_result(s, &layout, a, NULL, &assign);
    if (out)
        straight_put(s, "%s %s %s(%s)\n", out->name, assign, straight_once_in(s, 2) ? "reduce" : "sum_squares",
                     a->name);
}

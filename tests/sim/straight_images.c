/* straight_images.c - operators of windows with halos, and of segments. */
#include "tests/sim/straight.h"

/* ---- Images ------------------------------------------------------------------------------------------------- */

/* The last that is of this kind, or one before; NULL where none is. */
static const Var *find_var(Straight *s, bool (*is)(const Var *))
{
    const Var *found = NULL;
    for (int v = s->visible - 1; v >= 0 && (!found || straight_once_in(s, 2)); v--) {
        const Var *var = straight_var_at(s, v);
        if (is(var) && straight_is_usable(s, var))
            found = var;
    }
    return found;
}

static bool is_wide(const Var *var)
{
    return var->kind == WIDE;
}

/* Rows and columns, of which one axis cuts each, if any. */
static bool is_image(const Var *var)
{
    bool dims = var->dim_count == 2 && var->dims[0] + var->dims[1] == ROWS + COLUMNS && var->dims[0] != BATCH;
    return dims && (var->kind == DENSE || var->kind == WIDE) && var->cut_counts[0] <= 1 && var->cut_counts[1] <= 1 &&
           !straight_has_cut(var, MICRO);
}

/* The dims that an axis cuts, one bit each. */
static unsigned cut_dims(const Var *var)
{
    return (var->cut_counts[0] ? 1u : 0) | (var->cut_counts[1] ? 2u : 0);
}

static bool lacks_halo(const Var *var)
{
    return is_image(var) && (cut_dims(var) & ~var->halos);
}

static bool is_plain_image(const Var *var)
{
    return is_image(var) && var->kind == DENSE;
}

/* With halos wherever it is cut. */
static bool is_seen(const Var *var)
{
    return is_image(var) && !(cut_dims(var) & ~var->halos);
}

static bool is_window(const Var *var)
{
    return var->kind == DENSE && var->dim_count == 2 && var->dims[0] == WINDOW_ROWS && var->dims[1] == WINDOW_COLUMNS &&
           !var->cut_counts[0] && !var->cut_counts[1];
}

static Var without_halos(const Var *var)
{
    Var plain = *var;
    plain.kind = DENSE;
    plain.halos = 0;
    return plain;
}

static Var with_halos(const Var *var)
{
    Var wide = *var;
    wide.halos = cut_dims(var);
    wide.kind = wide.halos ? WIDE : DENSE;
    return wide;
}

/* What is next to the pieces of a dim comes to them, or goes back. */
void make_halo(Straight *s)
{
    bool adds = straight_once_in(s, 2);
    const Var *a = find_var(s, adds ? is_wide : lacks_halo);
    int dim = straight_below(s, 2);
    if (!a)
        return;
    unsigned dims = adds ? a->halos : cut_dims(a) & ~a->halos;
    dim = dims >> dim & 1 ? dim : 1 - dim;
    if (s->axis_sizes[a->cuts[dim][0]] > s->sizes[a->dims[dim]])
        return;
    Var layout = *a;
    layout.halos ^= 1u << dim;
    layout.kind = layout.halos ? WIDE : DENSE;
    const Var *out = straight_result(s, &layout, a, NULL);
    if (out)
        straight_put(s, "%s = %s(%s) over d%d\n", out->name, adds ? "halo_add" : "halo", a->name, a->cuts[dim][0]);
}

/* Windows of three by three places. */
void make_seen(Straight *s)
{
    static const char *const pools[] = {"max_pool", "mean_pool"};
    const Var *a = find_var(s, is_seen), *window = straight_once_in(s, 3) ? NULL : find_var(s, is_window);
    if (!a)
        return;
    Var layout = without_halos(a);
    const char *assign;
    const Var *out = straight_sum_result(s, &layout, a, window, &assign);
    char spec[MAX_DIMS + 1];
    straight_spec(a, spec);
    if (out && window)
        straight_put(s, "%s %s conv(%s, %s; 1, 1) \"%s,ij->pq\"\n", out->name, assign, a->name, window->name, spec);
    else if (out)
        straight_put(s, "%s %s %s(%s; 3, 1, 1) \"%s->pq\"\n", out->name, assign, pools[straight_below(s, 2)], a->name,
                     spec);
}

/* The transposes: to the image, and to the window. */
void make_seen_back(Straight *s)
{
    const Var *a = find_var(s, is_plain_image), *window = straight_once_in(s, 3) ? NULL : find_var(s, is_window);
    if (!a)
        return;
    Var layout = with_halos(a);
    const Var *out = straight_result(s, &layout, a, window);
    char spec[MAX_DIMS + 1];
    straight_spec(a, spec);
    if (out && window)
        straight_put(s, "%s = conv_input_bwd(%s, %s; 1, 1) \"pq,ij->%s\"\n", out->name, a->name, window->name, spec);
    else if (out)
        straight_put(s, "%s = mean_pool_bwd(%s; 3, 1, 1) \"pq->%s\"\n", out->name, a->name, spec);
}

void make_window_back(Straight *s)
{
    const Var *a = find_var(s, is_seen), *b = NULL;
    Var plain = a ? without_halos(a) : (Var){.kind = DENSE}, layout = {.kind = DENSE, .dim_count = 2};
    for (int tries = 0; tries < 8 && a && (!b || !straight_same_layout(b, &plain)); tries++)
        b = find_var(s, is_plain_image);
    if (!b || !straight_same_layout(b, &plain))
        return;
    layout.dims[0] = WINDOW_ROWS;
    layout.dims[1] = WINDOW_COLUMNS;
    bool pools = straight_once_in(s, 3);
    Var wide = pools ? with_halos(b) : layout;
    const char *assign = "=";
    const Var *out = pools ? straight_result(s, &wide, a, b) : straight_sum_result(s, &layout, a, b, &assign);
    char spec[MAX_DIMS + 1];
    straight_spec(a, spec);
    if (out && pools)
        straight_put(s, "%s = max_pool_bwd(%s, %s; 3, 1, 1) \"%s,pq->%s\"\n", out->name, a->name, b->name, spec, spec);
    else if (out)
        straight_put(s, "%s %s conv_weight_bwd(%s, %s; 1, 1) \"%s,pq->ij\"\n", out->name, assign, a->name, b->name,
                     spec);
}

/* ---- Segments ----------------------------------------------------------------------------------------------- */

static bool is_fused(const Var *var)
{
    return var->kind == DENSE && straight_dim_of(var, FUSED) >= 0;
}

/* Has rows or columns, which are segments of the fused dim. */
static bool is_segment(const Var *var)
{
    return var->kind == DENSE && !straight_has_cut(var, MICRO) && straight_dim_of(var, FUSED) < 0 &&
           (straight_dim_of(var, ROWS) >= 0) != (straight_dim_of(var, COLUMNS) >= 0);
}

/* Where a segment is: in its own place, where it is cut; else often elsewhere. */
static int draw_first(Straight *s, int letter, bool is_cut)
{
    int own = letter == ROWS ? 0 : s->sizes[ROWS], any = straight_below(s, s->sizes[FUSED] - s->sizes[letter] + 1);
    return is_cut || straight_once_in(s, 2) ? own : any;
}

void make_segment(Straight *s)
{
    const Var *a = find_var(s, is_fused);
    int letter = straight_once_in(s, 2) ? ROWS : COLUMNS, dim = a ? straight_dim_of(a, FUSED) : -1;
    if (dim < 0 || straight_dim_of(a, letter) >= 0 || (a->cut_counts[dim] > 0 && !a->by_segments))
        return;
    Var layout = *a;
    layout.dims[dim] = letter;
    const Var *out = straight_result(s, &layout, a, NULL);
    char from[MAX_DIMS + 1], to[MAX_DIMS + 1];
    straight_spec(a, from);
    straight_spec(&layout, to);
    if (out)
        straight_put(s, "%s = segment(%s; %d) \"%s->%s\"\n", out->name, a->name,
                     draw_first(s, letter, a->cut_counts[dim] > 0), from, to);
}

/* Put back, into zeros or into what is there. */
void make_segment_back(Straight *s)
{
    const Var *a = find_var(s, is_segment), *b = straight_once_in(s, 2) ? find_var(s, is_fused) : NULL;
    int letter = a && straight_dim_of(a, ROWS) >= 0 ? ROWS : COLUMNS, dim = a ? straight_dim_of(a, letter) : -1;
    if (dim < 0)
        return;
    Var layout = *a;
    layout.dims[dim] = FUSED;
    layout.by_segments = true;
    if (b && !straight_same_layout(b, &layout))
        return;
    const Var *out = straight_result(s, &layout, a, b);
    char from[MAX_DIMS + 1], to[MAX_DIMS + 1];
    straight_spec(a, from);
    straight_spec(&layout, to);
    int first = draw_first(s, letter, a->cut_counts[dim] > 0);
    if (out && b)
        straight_put(s, "%s = place_segment(%s, %s; %d) \"%s,%s->%s\"\n", out->name, b->name, a->name, first, to, from,
                     to);
    else if (out)
        straight_put(s, "%s = segment_bwd(%s; %d) \"%s->%s\"\n", out->name, a->name, first, from, to);
}

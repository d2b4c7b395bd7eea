/* straight_text.c - a pool of buffers; each operator takes some that fit it, and makes another.
 *
 * In two of three programs every operator comes twice, as drawn and as its shadow: on the shadows of its operands, with
 * now and then one choice made otherwise. What lies in a buffer and its shadow is then the same, or nearly.
 */
#include "tests/sim/straight_text.h"

#include "tests/sim/chance.h"
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MAX_AXES = 4, MAX_DIMS = 2, MAX_CUTS = 3, MAX_VARS = 100, LETTERS = 3, NAME = 16, OPS = 6000 };

/* The letters of dims: the batch, and two of parameters. */
static const char letters[] = "bhc";

/* A buffer: its dims, and which axes cut each, outermost first. Of a unit: how it is cut flat, or one of its members.
 */
typedef struct Var {
    char name[NAME];
    enum { DENSE, MEMBER, UNIT, NUMBERS } kind;
    int unit; /* UNIT, NUMBERS: which */
    int dims[MAX_DIMS], dim_count;
    int cuts[MAX_DIMS][MAX_CUTS], cut_counts[MAX_DIMS];
} Var;

typedef struct Straight {
    Chance chance;
    char buffers[OPS], ops[2 * OPS];
    size_t buffers_used, ops_used;
    int axis_count, axis_sizes[MAX_AXES], sizes[LETTERS];
    int count;
    Var vars[MAX_VARS];
    bool is_shadow;        /* what is made now */
    int shadows[MAX_VARS]; /* of each buffer, or itself */
    int visible;           /* the buffers that there were before the operator at hand */
    Chance other;
} Straight;

static int below(Straight *s, int count)
{
    int drawn = chance_below(&s->chance, count);
    return s->is_shadow && chance_once_in(&s->other, 24) ? chance_below(&s->other, count) : drawn;
}

static bool once_in(Straight *s, int times)
{
    return chance_once_in(&s->chance, times);
}

static void add(char *text, size_t size, size_t *used, const char *format, va_list args)
{
    int length = *used < size ? vsnprintf(text + *used, size - *used, format, args) : 0;
    *used += length > 0 ? (size_t)length : 0;
}

static void put(Straight *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(Straight *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(s->ops, sizeof s->ops, &s->ops_used, format, args);
    va_end(args);
}

static void declare(Straight *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void declare(Straight *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(s->buffers, sizeof s->buffers, &s->buffers_used, format, args);
    va_end(args);
}

/* ---- Buffers ------------------------------------------------------------------------------------------------ */

static bool has_cut(const Var *var, int axis)
{
    for (int d = 0; d < var->dim_count; d++)
        for (int c = 0; c < var->cut_counts[d]; c++)
            if (var->cuts[d][c] == axis)
                return true;
    return false;
}

static bool same_cuts(const Var *a, int i, const Var *b, int j)
{
    bool same = a->cut_counts[i] == b->cut_counts[j];
    for (int c = 0; same && c < a->cut_counts[i]; c++)
        same = a->cuts[i][c] == b->cuts[j][c];
    return same;
}

static bool same_layout(const Var *a, const Var *b)
{
    bool same = a->dim_count == b->dim_count && (a->kind == UNIT) == (b->kind == UNIT) &&
                (a->kind == NUMBERS) == (b->kind == NUMBERS) && a->unit == b->unit;
    for (int d = 0; same && d < a->dim_count; d++)
        same = a->dims[d] == b->dims[d] && same_cuts(a, d, b, d);
    return same;
}

static void declare_cuts(Straight *s, const Var *var, int dim)
{
    for (int c = 0; c < var->cut_counts[dim]; c++)
        declare(s, "/d%d", var->cuts[dim][c]);
}

/* A new buffer laid out so; NULL where there are enough. */
static Var *new_var(Straight *s, const Var *layout)
{
    if (s->count == MAX_VARS)
        return NULL;
    Var *var = &s->vars[s->count];
    *var = *layout;
    s->shadows[s->count] = s->count;
    snprintf(var->name, sizeof var->name, "v%d", s->count++);
    declare(s, "buffer %s f64 ", var->name);
    if (var->kind == UNIT) {
        declare(s, "unit u%d", var->unit);
        declare_cuts(s, var, 0);
    } else if (var->kind == NUMBERS) {
        declare(s, "unit u%d tensors", var->unit);
    } else {
        var->kind = DENSE;
        declare(s, "[");
        for (int d = 0; d < var->dim_count; d++) {
            declare(s, "%s%d", d ? ", " : "", s->sizes[var->dims[d]]);
            declare_cuts(s, var, d);
        }
        declare(s, "]");
    }
    declare(s, " buffers\n");
    return var;
}

static const Var *var_at(const Straight *s, int index)
{
    return &s->vars[s->is_shadow ? s->shadows[index] : index];
}

/* Where a result goes: a new buffer, now and then one that was written and is laid out so, but is no operand. */
static const Var *result(Straight *s, const Var *layout, const Var *a, const Var *b)
{
    for (int tries = 0; tries < 6 && s->visible > 0 && once_in(s, 5); tries++) {
        const Var *var = var_at(s, below(s, s->visible));
        if (same_layout(var, layout) && strcmp(var->name, a ? a->name : "") != 0 &&
            strcmp(var->name, b ? b->name : "") != 0 && var->kind == (layout->kind == MEMBER ? DENSE : layout->kind))
            return var;
    }
    return new_var(s, layout);
}

static const Var *any_var(Straight *s)
{
    if (s->visible == 0)
        return NULL;
    return var_at(s, once_in(s, 2) ? below(s, s->visible) : s->visible - 1 - below(s, (s->visible + 3) / 4));
}

static const Var *like(Straight *s, const Var *a)
{
    for (int tries = 0; tries < 12; tries++) {
        const Var *var = any_var(s);
        if (same_layout(a, var))
            return var;
    }
    return a;
}

static bool is_flat(const Var *var)
{
    return var->kind == UNIT || var->kind == NUMBERS;
}

static void spec_letters(const Var *var, char *text)
{
    for (int d = 0; d < var->dim_count; d++)
        text[d] = letters[var->dims[d]];
    text[var->dim_count] = '\0';
}

/* ---- What makes something ----------------------------------------------------------------------------------- */

/* Which tensors there are: w [h], v [h, c], u [c]; in units v, u and w, v. */
static const struct {
    const char *name;
    int dims[MAX_DIMS], dim_count;
} tensors[] = {{"w", {1, 0}, 1}, {"v", {1, 2}, 2}, {"u", {2, 0}, 1}};
static const int members[][2] = {{1, 2}, {0, 1}};

static int free_axis(Straight *s, const Var *var)
{
    int axis = below(s, s->axis_count);
    return has_cut(var, axis) ? -1 : axis;
}

static void cut_somewhere(Straight *s, Var *var)
{
    while (var->dim_count > 0 && once_in(s, 2)) {
        int axis = free_axis(s, var), dim = below(s, var->dim_count);
        if (axis >= 0 && var->cut_counts[dim] < MAX_CUTS)
            var->cuts[dim][var->cut_counts[dim]++] = axis;
    }
}

/* Of a shadow: two of a dim's cuts the other way around. */
static void turn_cuts(Straight *s, Var *var)
{
    int dim = var->dim_count ? chance_below(&s->other, var->dim_count) : 0, *cuts = var->cuts[dim];
    if (!s->is_shadow || var->cut_counts[dim] < 2 || chance_once_in(&s->other, 2))
        return;
    int first = cuts[0];
    cuts[0] = cuts[1];
    cuts[1] = first;
}

static void put_seed(Straight *s)
{
    put(s, " seed %d", 1 + below(s, 2));
    if (once_in(s, 4))
        put(s, "+%d*@d%d", 1 + below(s, 2), below(s, s->axis_count));
    put(s, "\n");
}

static void make_initial(Straight *s)
{
    Var layout = {.kind = once_in(s, 3) ? UNIT : DENSE, .dim_count = 1};
    if (layout.kind == UNIT) {
        layout.unit = below(s, 2);
        cut_somewhere(s, &layout);
        turn_cuts(s, &layout);
        const Var *out = result(s, &layout, NULL, NULL);
        if (out)
            put(s, "%s = init()", out->name), put_seed(s);
        return;
    }
    int tensor = below(s, 3);
    memcpy(layout.dims, tensors[tensor].dims, sizeof layout.dims);
    layout.dim_count = tensors[tensor].dim_count;
    cut_somewhere(s, &layout);
    turn_cuts(s, &layout);
    const Var *out = result(s, &layout, NULL, NULL);
    if (out)
        put(s, "%s = init() tensor %s", out->name, tensors[tensor].name), put_seed(s);
}

/* A batch: all of it, or the part of this rank over the axes that are named. */
static void make_batch(Straight *s)
{
    Var layout = {.kind = DENSE, .dim_count = once_in(s, 2) ? 1 : 2, .dims = {0, 1}};
    for (int more = below(s, 3); more > 0; more--) {
        int axis = free_axis(s, &layout);
        if (axis >= 0)
            layout.cuts[0][layout.cut_counts[0]++] = axis;
    }
    turn_cuts(s, &layout);
    const Var *out = result(s, &layout, NULL, NULL);
    if (!out)
        return;
    const char *before = " over";
    bool all = once_in(s, 2);
    put(s, "%s = read() tensor %s", out->name, layout.dim_count == 1 ? "t" : "x");
    for (int c = 0; c < layout.cut_counts[0]; c++)
        if (all || once_in(s, 2)) {
            put(s, "%s d%d", before, layout.cuts[0][c]);
            before = ",";
        }
    put(s, " index 0\n");
}

static void make_constant(Straight *s)
{
    const Var *a = any_var(s);
    const Var *out = a ? result(s, a, NULL, NULL) : NULL;
    char spec[MAX_DIMS + 1];
    if (!out)
        return;
    put(s, "%s = fill(; %s)", out->name, once_in(s, 2) ? "1" : once_in(s, 2) ? "0" : "0.5");
    spec_letters(out, spec);
    if (!is_flat(out) && *spec)
        put(s, " \"%s\"", spec);
    put(s, "\n");
}

/* ---- Element by element ------------------------------------------------------------------------------------- */

static void put_map(Straight *s, const char *operator, const char * assign, const Var *out, const Var *a, const Var *b)
{
    char spec[MAX_DIMS + 1];
    spec_letters(a, spec);
    put(s, "%s %s %s(%s%s%s)", out->name, assign, operator, a->name, b ? ", " : "", b ? b->name : "");
    if (!is_flat(out))
        put(s, " \"%s%s%s->%s\"", spec, b ? "," : "", b ? spec : "", spec);
}

static void make_map(Straight *s)
{
    static const char *const unary[] = {"gelu", "relu", "copy", "copy", "tanh"};
    static const char *const binary[] = {"add", "sub", "add", "mul", "squared_error"};
    const Var *a = any_var(s);
    if (!a)
        return;
    const Var *b = once_in(s, 2) ? like(s, a) : NULL;
    const Var *out = result(s, a, a, b);
    if (!out)
        return;
    put_map(s, b ? binary[below(s, 5)] : unary[below(s, 5)], "=", out, a, b);
    put(s, "\n");
}

/* Added to what is there. */
static void make_more(Straight *s)
{
    const Var *a = any_var(s);
    const Var *out = a ? like(s, a) : NULL;
    if (!out || !strcmp(out->name, a->name) || out->kind == MEMBER)
        return;
    put_map(s, once_in(s, 4) ? "gelu" : "copy", once_in(s, 4) ? "=" : "+=", out, a, NULL);
    put(s, "\n");
}

static void make_scaled(Straight *s)
{
    static const char *const scales[] = {"1/2", "2/1", "1/3", "3/1"};
    const Var *a = any_var(s);
    const Var *out = a ? result(s, a, a, NULL) : NULL;
    if (!out)
        return;
    put_map(s, "scale", "=", out, a, NULL);
    bool local = !is_flat(a) && a->dim_count > 0 && once_in(s, 2);
    put(s, " scale %s", local ? "1/1" : scales[below(s, 4)]);
    if (local)
        put(s, " local \"%c\"", letters[a->dims[below(s, a->dim_count)]]);
    put(s, "\n");
}

/* Drawn once more for a shadow: what looks alike, but is not, is to differ in such a choice alone. */
static int again(Straight *s, int drawn, int count)
{
    return s->is_shadow && chance_once_in(&s->other, 3) ? chance_below(&s->other, count) : drawn;
}

/* Only on ranks whose coordinate lies in a range: something else there. */
static void make_guarded(Straight *s)
{
    const Var *a = any_var(s);
    const Var *b = a ? like(s, a) : NULL, *out = a ? new_var(s, a) : NULL;
    int axis = below(s, s->axis_count), size = s->axis_sizes[axis], low = again(s, below(s, size), size);
    if (!out)
        return;
    put_map(s, "copy", "=", out, a, NULL);
    put(s, "\nguard @d%d", axis);
    if (once_in(s, 4))
        put(s, "+%d*@d%d", 1 + again(s, below(s, 2), 2), below(s, s->axis_count));
    put(s, " in %d..%d {\n", low, low + again(s, below(s, 2), 2));
    put_map(s, "gelu", once_in(s, 2) ? "=" : "+=", out, b, NULL);
    put(s, "\n}\n");
}

/* ---- Products and sums -------------------------------------------------------------------------------------- */

static int dim_of(const Var *var, int letter)
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
    int first = below(s, LETTERS), step = once_in(s, 2) ? 1 : 2;
    for (int k = 0; k < LETTERS; k++) {
        int letter = (first + k * step) % LETTERS, i = dim_of(a, letter), j = b ? dim_of(b, letter) : -1;
        const Var *has = i >= 0 ? a : b;
        if (i >= 0 && j >= 0 && !same_cuts(a, i, b, j))
            return false;
        if ((i < 0 && j < 0) || out->dim_count == MAX_DIMS || once_in(s, 2))
            continue;
        int d = out->dim_count++, from = i >= 0 ? i : j;
        out->dims[d] = letter;
        out->cut_counts[d] = has->cut_counts[from];
        memcpy(out->cuts[d], has->cuts[from], sizeof out->cuts[d]);
    }
    return out->dim_count < 2 || !out->cut_counts[0] || !out->cut_counts[1] ||
           !has_cut(&(Var){.dim_count = 1,
                           .cut_counts = {out->cut_counts[1]},
                           .cuts = {{out->cuts[1][0], out->cuts[1][1], out->cuts[1][2]}}},
                    out->cuts[0][0]);
}

static void make_product(Straight *s)
{
    const Var *a = any_var(s), *b = once_in(s, 3) ? NULL : any_var(s);
    Var layout;
    char left[MAX_DIMS + 1], right[MAX_DIMS + 1] = "", to[MAX_DIMS + 1];
    if (!a || is_flat(a) || (b && is_flat(b)) || !product_layout(s, a, b, &layout))
        return;
    if (!b && layout.dim_count == a->dim_count)
        return; /* nothing is summed: that is a copy */
    const Var *out = result(s, &layout, a, b);
    if (!out)
        return;
    spec_letters(a, left);
    spec_letters(&layout, to);
    if (b)
        spec_letters(b, right);
    put(s, "%s = %s(%s%s%s) \"%s%s%s->%s\"\n", out->name,
        b               ? "einsum"
        : once_in(s, 3) ? "sum_squares"
                        : "reduce",
        a->name, b ? ", " : "", b ? b->name : "", left, b ? "," : "", right, to);
}

/* A number of a slot, or one of each of its tensors. */
static void make_slot_sum(Straight *s)
{
    const Var *a = any_var(s);
    if (!a || a->kind != UNIT)
        return;
    Var layout = {.kind = once_in(s, 3) ? NUMBERS : DENSE, .unit = a->unit};
    layout.unit = layout.kind == NUMBERS ? a->unit : 0;
    const Var *out = result(s, &layout, a, NULL);
    if (out)
        put(s, "%s = %s(%s)\n", out->name, once_in(s, 2) ? "reduce" : "sum_squares", a->name);
}

/* ---- Between ranks ------------------------------------------------------------------------------------------ */

/* Whether all ranks along the axis have pieces of one size, or the whole. */
static bool even_over(const Straight *s, const Var *var, int axis)
{
    for (int d = 0; d < var->dim_count; d++)
        for (int c = 0, parts = 1; c < var->cut_counts[d]; c++) {
            parts *= s->axis_sizes[var->cuts[d][c]];
            if (has_cut(var, axis) && !is_flat(var) && s->sizes[var->dims[d]] % parts != 0)
                return false;
        }
    return true;
}

static void make_all_reduce(Straight *s)
{
    const Var *a = any_var(s);
    int axis = below(s, s->axis_count), other = below(s, s->axis_count);
    if (!a || a->kind == MEMBER || !even_over(s, a, axis) || !even_over(s, a, other))
        return;
    const Var *out = result(s, a, a, NULL);
    if (!out)
        return;
    put(s, "%s = all_reduce(%s) %s over d%d", out->name, a->name, once_in(s, 5) ? "max" : "sum", axis);
    if (other != axis && once_in(s, 3))
        put(s, ", d%d", other);
    put(s, "\n");
}

/* Into pieces: a slice of what is whole, or a sum of which each rank gets a piece. */
static void make_pieces(Straight *s)
{
    const Var *a = any_var(s);
    int axis = a ? free_axis(s, a) : -1, dim = a && a->dim_count ? below(s, a->dim_count) : 0;
    if (axis < 0 || a->kind == MEMBER || a->kind == NUMBERS || !a->dim_count || a->cut_counts[dim] == MAX_CUTS)
        return;
    Var layout = *a;
    layout.cuts[dim][layout.cut_counts[dim]++] = axis;
    const Var *out = result(s, &layout, a, NULL);
    bool sums = once_in(s, 2);
    if (out)
        put(s, "%s = %s(%s)%s over d%d\n", out->name, sums ? "reduce_scatter" : "slice", a->name, sums ? " sum" : "",
            axis);
}

/* A dim that is cut; -1 where none is. */
static int cut_dim(Straight *s, const Var *var)
{
    int dim = var->dim_count ? below(s, var->dim_count) : -1;
    return dim >= 0 && var->cut_counts[dim] ? dim : -1;
}

static void make_whole(Straight *s)
{
    const Var *a = any_var(s);
    int dim = a ? cut_dim(s, a) : -1;
    if (dim < 0)
        return;
    Var layout = *a;
    int axis = layout.cuts[dim][--layout.cut_counts[dim]];
    const Var *out = result(s, &layout, a, NULL);
    if (out)
        put(s, "%s = all_gather(%s) over d%d\n", out->name, a->name, axis);
}

static void make_exchange(Straight *s)
{
    const Var *a = any_var(s);
    int dim = a && a->kind == DENSE && a->dim_count == 2 ? cut_dim(s, a) : -1;
    if (dim < 0 || a->cut_counts[1 - dim] == MAX_CUTS)
        return;
    Var layout = *a;
    int axis = layout.cuts[dim][--layout.cut_counts[dim]];
    layout.cuts[1 - dim][layout.cut_counts[1 - dim]++] = axis;
    const Var *out = result(s, &layout, a, NULL);
    if (out)
        put(s, "%s = all_to_all(%s) over d%d\n", out->name, a->name, axis);
}

static void make_moved(Straight *s)
{
    const Var *a = any_var(s);
    int axis = below(s, s->axis_count);
    const Var *out = a && a->kind != MEMBER && even_over(s, a, axis) ? result(s, a, a, NULL) : NULL;
    if (!out)
        return;
    int size = s->axis_sizes[axis], by = again(s, below(s, size), size);
    if (once_in(s, 3))
        put(s, "%s = broadcast(%s) over d%d index %d\n", out->name, a->name, axis, by);
    else
        put(s, "%s = permute(%s) over d%d index @d%d+%d %% %d\n", out->name, a->name, axis, axis, by, size);
}

/* A piece put back into a whole. */
static void make_placed(Straight *s)
{
    const Var *piece = any_var(s), *whole = any_var(s);
    int dim = piece && piece->kind != MEMBER ? cut_dim(s, piece) : -1;
    if (dim < 0)
        return;
    Var layout = *piece;
    int axis = layout.cuts[dim][--layout.cut_counts[dim]];
    for (int tries = 0; tries < 10 && !same_layout(&layout, whole); tries++)
        whole = any_var(s);
    if (!same_layout(&layout, whole) || whole->kind == MEMBER)
        return;
    const Var *out = result(s, &layout, piece, whole);
    if (out)
        put(s, "%s = place_shard(%s, %s) over d%d\n", out->name, whole->name, piece->name, axis);
}

/* A member of a slot that is not cut, under its name. */
static void make_member(Straight *s)
{
    const Var *a = any_var(s);
    if (!a || a->kind != UNIT || a->cut_counts[0] || s->count == MAX_VARS)
        return;
    int tensor = members[a->unit][below(s, 2)];
    s->shadows[s->count] = s->count;
    Var *var = &s->vars[s->count++];
    *var = (Var){.kind = MEMBER, .dim_count = tensors[tensor].dim_count};
    memcpy(var->dims, tensors[tensor].dims, sizeof var->dims);
    snprintf(var->name, sizeof var->name, "%.6s:%s", a->name, tensors[tensor].name);
}

/* ---- Programs ----------------------------------------------------------------------------------------------- */

static void (*const makers[])(Straight *) = {
    make_initial,    make_batch,      make_constant, make_map,     make_map,     make_map,      make_more,
    make_scaled,     make_guarded,    make_product,  make_product, make_product, make_slot_sum, make_all_reduce,
    make_all_reduce, make_all_reduce, make_pieces,   make_pieces,  make_pieces,  make_whole,    make_whole,
    make_whole,      make_exchange,   make_moved,    make_moved,   make_placed,  make_member,   make_guarded};

static void choose_sizes(Straight *s)
{
    static const int axes[] = {2, 3, 2, 4, 1};
    s->axis_count = once_in(s, 6) ? 4 : 1 + below(s, 3);
    for (int a = 0, ranks = 1; a < s->axis_count; a++) {
        s->axis_sizes[a] = axes[below(s, 5)];
        if (ranks * s->axis_sizes[a] > 16)
            s->axis_sizes[a] = 1 + below(s, 16 / ranks);
        ranks *= s->axis_sizes[a];
    }
    for (int l = 0; l < LETTERS; l++)
        s->sizes[l] = once_in(s, 3) ? 4 : 1 + below(s, 7);
}

/* An operator, and its shadow. */
static void make(Straight *s, void (*maker)(Straight *), bool twice)
{
    Chance before = s->chance;
    int made = s->visible = s->count;
    maker(s);
    bool is_made = s->count > made;
    if (!twice)
        return;
    Chance behind = s->chance;
    int shadow = s->count;
    s->chance = before;
    s->is_shadow = true;
    maker(s);
    s->is_shadow = false;
    s->chance = behind;
    if (is_made && s->count > shadow)
        s->shadows[made] = shadow;
}

/* The reference is nothing but what a file needs. */
static const char around[] = "reference {\n"
                             "buffer rw f64 [%d] parameters persistent state parameters of w\n"
                             "routine init {\nrw = init() tensor w seed 1\n}\nroutine step {\n}\n}\n"
                             "program {\n"
                             "buffer rw f64 [%d] parameters persistent state parameters of w\n%s"
                             "routine init {\nrw = init() tensor w seed 1\n}\nroutine step {\n%s}\n}\n";

void straight_text(uint64_t seed, uint64_t index, char *text, size_t size)
{
    static Straight s;
    memset(&s, 0, sizeof s);
    s.chance = chance_new(seed, index);
    choose_sizes(&s);
    s.other = chance_new(~seed, index);
    bool twice = !once_in(&s, 3);
    make(&s, make_initial, twice);
    make(&s, make_batch, twice);
    for (int sources = below(&s, 3); sources > 0; sources--)
        make(&s, once_in(&s, 2) ? make_initial : make_batch, twice);
    for (int left = 20 + below(&s, twice ? 30 : 60); left > 0 && s.ops_used < sizeof s.ops - 300; left--)
        make(&s, makers[below(&s, (int)(sizeof makers / sizeof makers[0]))], twice);
    int used = snprintf(text, size, "place-step 1\nmodel pairs\ncontract exact\ncompute f64\nmicro 1\n");
    for (int a = 0; a < s.axis_count; a++)
        used += snprintf(text + used, size - (size_t)used, "axis d%d %d\n", a, s.axis_sizes[a]);
    used += snprintf(text + used, size - (size_t)used,
                     "tensor x input f64 [%d, %d] batch 0\ntensor t input f64 [%d] batch 0\n"
                     "tensor w parameter f64 [%d] init normal 0.5\ntensor v parameter f64 [%d, %d] init normal 0.5\n"
                     "tensor u parameter f64 [%d] init normal 0.5\nstate parameters parameters per_parameter f64\n"
                     "unit u0 = v, u\nunit u1 = w, v\n",
                     s.sizes[0], s.sizes[1], s.sizes[0], s.sizes[1], s.sizes[1], s.sizes[2], s.sizes[2]);
    snprintf(text + used, size - (size_t)used, around, s.sizes[1], s.sizes[1], s.buffers, s.ops);
}

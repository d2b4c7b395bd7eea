/* straight_text.c - a pool of buffers; each operator takes some that fit it, and makes another.
 *
 * In two of three programs every operator comes twice, as drawn and as its shadow: on the shadows of its operands, with
 * now and then one choice made otherwise. What lies in a buffer and its shadow is then the same, or nearly. A loop,
 * over microbatches or steps, is an operator, too: its shadow is another loop, of the shadows of what is in it.
 */
#include "tests/sim/straight_text.h"

#include "tests/sim/chance.h"
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_AXES = 4, MAX_DIMS = 2, MAX_CUTS = 4, MAX_VARS = 160, LETTERS = 6, NAME = 24, OPS = 9000, MAX_OPEN = 2 };

/* What cuts a dim like an axis does: the microbatch loop. */
enum { MICRO = MAX_AXES };

/* The letters of dims: the batch, two of parameters, those of a window, and these two of parameters fused. */
enum { BATCH, ROWS, COLUMNS, WINDOW_ROWS, WINDOW_COLUMNS, FUSED };
static const char letters[] = "bhcijf";

/* What there is one number of in a unit. */
static const char *const each[] = {"rows", "columns", "tensors"};

/* A buffer: its dims, and which axes cut each, outermost first. Of a unit: how it is cut flat, or one of its members.
 */
typedef struct Var {
    char name[NAME];
    enum { DENSE, WIDE, MEMBER, UNIT, NUMBERS } kind; /* WIDE: dense, with halos */
    int unit;                                         /* UNIT, NUMBERS: which */
    int each;                                         /* NUMBERS: of what */
    unsigned halos;                                   /* WIDE: of which dims */
    bool by_segments;                                 /* how the fused dim is cut, if it is */
    int dims[MAX_DIMS], dim_count;
    int cuts[MAX_DIMS][MAX_CUTS], cut_counts[MAX_DIMS];
    int ring; /* a slot of so many: the buffer's number is `base`; 0: the only one */
    int base;
    int loop; /* whose variable the name has, 1 + its id; 0: none's */
} Var;

/* A loop that is open. */
typedef struct Loop {
    int id, form;
    bool is_micro;
    int axis;           /* whose coordinate is taken off the variable, or -1 */
    size_t start, body; /* of its text */
} Loop;

typedef struct Straight {
    Chance chance;
    char buffers[OPS], ops[2 * OPS];
    size_t buffers_used, ops_used;
    int axis_count, axis_sizes[MAX_AXES + 1], sizes[LETTERS]; /* of MICRO: how many microbatches */
    int count;
    Var vars[MAX_VARS];
    bool is_shadow;        /* what is made now */
    int shadows[MAX_VARS]; /* of each buffer, or itself */
    int first, original;   /* of a shadow: its first buffer, and whose shadow the next one is */
    int visible;           /* the buffers that there were before the operator at hand */
    Chance other;
    Loop open[MAX_OPEN];
    int open_count, open_before, loop_count; /* open_before: when the shadow at hand was begun */
    int outside;                             /* the buffers that there were before the outermost loop that is open */
    bool sends;                              /* messages are among the operators */
} Straight;

static int below(Straight *s, int count)
{
    int drawn = chance_below(&s->chance, count), rarely = s->open_count > s->open_before ? 120 : 24;
    return s->is_shadow && chance_once_in(&s->other, rarely) ? chance_below(&s->other, count) : drawn;
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

/* ---- Loops that are open ------------------------------------------------------------------------------------ */

static const Loop *micro_loop(const Straight *s)
{
    for (int l = s->open_count - 1; l >= 0; l--)
        if (s->open[l].is_micro)
            return &s->open[l];
    return NULL;
}

/* The buffers that what is made now may name. */
static int count_before(const Straight *s)
{
    return s->is_shadow ? s->original : s->count;
}

/* Writes something before the outermost loop that is open. */
static void put_before(Straight *s, const char *text)
{
    size_t length = strlen(text), start = s->open[0].start;
    if (s->ops_used + length >= sizeof s->ops)
        return;
    memmove(s->ops + start + length, s->ops + start, s->ops_used - start + 1);
    memcpy(s->ops + start, text, length);
    s->ops_used += length;
    for (int l = 0; l < s->open_count; l++) {
        s->open[l].start += length;
        s->open[l].body += length;
    }
}

/* ---- Buffers ------------------------------------------------------------------------------------------------ */

/* Of this unit the first axis cuts the rows of all members. */
enum { CUT_UNIT = 2 };

static bool is_of_cut_unit(const Var *var)
{
    return (var->kind == UNIT || var->kind == NUMBERS) && var->unit == CUT_UNIT;
}

static bool has_cut(const Var *var, int axis)
{
    if (is_of_cut_unit(var) && axis == 0)
        return true;
    for (int d = 0; d < var->dim_count; d++)
        for (int c = 0; c < var->cut_counts[d]; c++)
            if (var->cuts[d][c] == axis)
                return true;
    return false;
}

static bool is_by_segments(const Var *var, int dim)
{
    return var->by_segments && var->dims[dim] == FUSED && var->cut_counts[dim] > 0;
}

static bool same_cuts(const Var *a, int i, const Var *b, int j)
{
    bool same = a->cut_counts[i] == b->cut_counts[j] && is_by_segments(a, i) == is_by_segments(b, j);
    for (int c = 0; same && c < a->cut_counts[i]; c++)
        same = a->cuts[i][c] == b->cuts[j][c];
    return same;
}

static bool same_layout(const Var *a, const Var *b)
{
    bool same = a->dim_count == b->dim_count && (a->kind == UNIT) == (b->kind == UNIT) &&
                (a->kind == NUMBERS) == (b->kind == NUMBERS) && a->unit == b->unit && a->each == b->each &&
                (a->kind == WIDE) == (b->kind == WIDE) && a->halos == b->halos;
    for (int d = 0; same && d < a->dim_count; d++)
        same = a->dims[d] == b->dims[d] && same_cuts(a, d, b, d);
    return same;
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

static void declare_cuts(Straight *s, const Var *var, int dim)
{
    for (int c = 0; c < var->cut_counts[dim]; c++)
        if (var->cuts[dim][c] == MICRO)
            declare(s, "/micro");
        else
            declare(s, "/d%d", var->cuts[dim][c]);
}

/* One more buffer, or name of a part of one; NULL where there are enough. */
static Var *add_var(Straight *s, const Var *layout)
{
    if (s->count == MAX_VARS)
        return NULL;
    Var *var = &s->vars[s->count];
    *var = *layout;
    s->shadows[s->count] = s->count;
    if (s->is_shadow && s->original < s->first)
        s->shadows[s->original++] = s->count;
    s->count++;
    return var;
}

/* A new buffer laid out so; NULL where there are enough. */
static Var *new_var(Straight *s, const Var *layout)
{
    Var *var = add_var(s, layout);
    if (!var)
        return NULL;
    var->loop = 0;
    var->base = s->count - 1;
    snprintf(var->name, sizeof var->name, var->ring ? "v%d[0]" : "v%d", var->base);
    declare(s, "buffer v%d f64 ", var->base);
    if (var->kind == UNIT) {
        declare(s, "unit u%d", var->unit);
        declare_cuts(s, var, 0);
    } else if (var->kind == NUMBERS) {
        declare(s, "unit u%d %s", var->unit, each[var->each]);
    } else {
        var->kind = var->kind == WIDE ? WIDE : DENSE;
        declare(s, "[");
        for (int d = 0; d < var->dim_count; d++) {
            declare(s, "%s%d", d ? ", " : "", s->sizes[var->dims[d]]);
            if (is_by_segments(var, d))
                declare(s, "{%d, %d}", s->sizes[ROWS], s->sizes[COLUMNS]);
            declare_cuts(s, var, d);
            if (var->halos >> d & 1)
                declare(s, "+1+1");
        }
        declare(s, "]");
    }
    if (var->ring)
        declare(s, " slots %d", var->ring);
    declare(s, " buffers\n");
    return var;
}

/* Names no variable of a loop that is not open, and lies in microbatches only where one is at hand. */
static bool is_usable(const Straight *s, const Var *var)
{
    bool open = !var->loop;
    for (int l = 0; l < s->open_count; l++)
        open = open || s->open[l].id + 1 == var->loop;
    return open && (micro_loop(s) || !has_cut(var, MICRO));
}

/* May be written where that is an operand. */
static bool is_apart(const Var *var, const Var *operand)
{
    return !operand || (strcmp(var->name, operand->name) != 0 && (!var->ring || var->base != operand->base));
}

static const Var *var_at(const Straight *s, int index)
{
    return &s->vars[s->is_shadow ? s->shadows[index] : index];
}

/* A buffer of one slot, laid out so. */
static const Var *new_result(Straight *s, const Var *layout)
{
    Var plain = *layout;
    plain.ring = 0;
    return new_var(s, &plain);
}

/* Whether what comes of these operands may be written there. */
static bool fits(const Straight *s, const Var *var, const Var *layout, const Var *a, const Var *b)
{
    return is_usable(s, var) && same_layout(var, layout) && is_apart(var, a) && is_apart(var, b) &&
           var->kind == (layout->kind == MEMBER ? DENSE : layout->kind);
}

/* Where a result goes: a new buffer, now and then one that was written and is laid out so, but is no operand. */
static const Var *result(Straight *s, const Var *layout, const Var *a, const Var *b)
{
    for (int tries = 0; tries < 6 && s->visible > 0 && once_in(s, 5); tries++) {
        const Var *var = var_at(s, below(s, s->visible));
        if (fits(s, var, layout, a, b))
            return var;
    }
    return new_result(s, layout);
}

/* In a loop now and then what was there before it, which is added to. */
static const Var *sum_result(Straight *s, const Var *layout, const Var *a, const Var *b, const char **assign)
{
    *assign = "=";
    if (!s->open_count || has_cut(layout, MICRO) || once_in(s, 3))
        return result(s, layout, a, b);
    *assign = "+=";
    for (int tries = 0; tries < 6 && s->outside > 0; tries++) {
        const Var *var = var_at(s, below(s, s->outside));
        if (fits(s, var, layout, a, b))
            return var;
    }
    const Var *out = new_result(s, layout);
    char text[2 * NAME], spec[MAX_DIMS + 1];
    if (!out)
        return NULL;
    spec_letters(out, spec);
    snprintf(text, sizeof text, !is_flat(out) && *spec ? "%s = fill(; 0) \"%s\"\n" : "%s = fill(; 0)\n", out->name,
             spec);
    put_before(s, text);
    return out;
}

static const Var *any_var(Straight *s)
{
    for (int tries = 0; tries < 4 && s->visible > 0; tries++) {
        bool any = once_in(s, 2);
        const Var *var = var_at(s, any ? below(s, s->visible) : s->visible - 1 - below(s, (s->visible + 3) / 4));
        if (is_usable(s, var) && var->kind != WIDE)
            return var;
    }
    return NULL;
}

static const Var *like(Straight *s, const Var *a)
{
    for (int tries = 0; tries < 12; tries++) {
        const Var *var = any_var(s);
        if (var && same_layout(a, var))
            return var;
    }
    return a;
}

/* ---- Loops -------------------------------------------------------------------------------------------------- */

/* Which loops there are: from `low` to so many beyond the last microbatch, or steps. Of a guarded one the microbatch at
 * hand is the variable less a coordinate, or less 1. */
typedef struct LoopForm {
    const char *kind;
    int low, high;
    bool down, guarded;
} LoopForm;

static const LoopForm forms[] = {{"micro", 0, 0, false, false}, {"micro", 0, 0, false, false},
                                 {"micro", 0, 0, true, false},  {"micro", 1, 0, false, false},
                                 {"micro", 0, -1, true, false}, {"micro", 0, 1, false, true},
                                 {"steps", 0, 1, false, false}, {"steps", 0, 2, true, false}};
enum { FORMS = sizeof forms / sizeof forms[0] };

static void put_hand(Straight *s, const Loop *loop)
{
    put(s, "l%d", loop->id);
    if (loop->axis >= 0)
        put(s, "-@d%d", loop->axis);
    else if (forms[loop->form].guarded)
        put(s, "-1");
}

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
    put(s, " seed %d", 1 + below(s, 2));
    if (once_in(s, 4))
        put(s, "+%d*@d%d", 1 + below(s, 2), below(s, s->axis_count));
    put(s, "\n");
}

static void make_initial(Straight *s)
{
    Var layout = {.kind = once_in(s, 3) ? UNIT : DENSE, .dim_count = 1};
    if (layout.kind == UNIT) {
        layout.unit = below(s, 3);
        cut_somewhere(s, &layout);
        turn_cuts(s, &layout);
        const Var *out = result(s, &layout, NULL, NULL);
        if (out)
            put(s, "%s = init()", out->name), put_seed(s);
        return;
    }
    int tensor = below(s, TENSORS);
    memcpy(layout.dims, tensors[tensor].dims, sizeof layout.dims);
    layout.dim_count = tensors[tensor].dim_count;
    layout.by_segments = once_in(s, 2);
    if (layout.dims[0] != WINDOW_ROWS || once_in(s, 4))
        cut_somewhere(s, &layout);
    turn_cuts(s, &layout);
    const Var *out = result(s, &layout, NULL, NULL);
    if (out)
        put(s, "%s = init() tensor %s", out->name, tensors[tensor].name), put_seed(s);
}

/* What is no batch is read whole, whichever microbatch is at hand. */
static void make_input(Straight *s)
{
    Var layout = {.kind = DENSE, .dim_count = 1, .dims = {1}};
    cut_somewhere(s, &layout);
    const Var *out = result(s, &layout, NULL, NULL);
    if (out)
        put(s, "%s = read() tensor r index 0\n", out->name);
}

/* The microbatch at hand, in words; now and then another. */
static void put_micro(Straight *s)
{
    const Loop *loop = micro_loop(s);
    int last = s->axis_sizes[MICRO] - 1;
    bool other = once_in(s, 8) && s->sizes[0] % s->axis_sizes[MICRO] == 0;
    if (!loop || (other && once_in(s, 2)))
        put(s, "%d", once_in(s, 2) ? 0 : last);
    else if (other && !forms[loop->form].guarded)
        put(s, "%d-l%d", last, loop->id);
    else
        put_hand(s, loop);
}

/* A batch, or a microbatch: all of it, or the part of this rank over the axes that are named. */
static void make_batch(Straight *s)
{
    Var layout = {.kind = DENSE, .dim_count = once_in(s, 2) ? 1 : 2, .dims = {0, 1}};
    if (!micro_loop(s) && s->axis_sizes[MICRO] > 1) {
        make_input(s);
        return;
    }
    if (micro_loop(s))
        layout.cuts[0][layout.cut_counts[0]++] = MICRO;
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
    int parts = 1;
    for (int c = 0; c < layout.cut_counts[0]; c++)
        parts *= s->axis_sizes[layout.cuts[0][c]];
    bool all = once_in(s, 2) || s->sizes[0] % parts != 0;
    put(s, "%s = read() tensor %s", out->name, layout.dim_count == 1 ? "t" : "x");
    for (int c = 0; c < layout.cut_counts[0]; c++)
        if (layout.cuts[0][c] != MICRO && (all || once_in(s, 2))) {
            put(s, "%s d%d", before, layout.cuts[0][c]);
            before = ",";
        }
    put(s, " index ");
    put_micro(s);
    put(s, "\n");
}

/* Positions. */
static void make_iota(Straight *s)
{
    const Var *a = any_var(s);
    const Var *out = a && a->kind == DENSE && a->dim_count < 2 && !a->by_segments ? result(s, a, NULL, NULL) : NULL;
    char spec[MAX_DIMS + 1];
    if (!out)
        return;
    spec_letters(out, spec);
    put(s, *spec ? "%s = iota() \"%s\"" : "%s = iota()%s", out->name, spec);
    put(s, " index %d", below(s, 2));
    if (s->open_count)
        put(s, "+l%d", s->open[below(s, s->open_count)].id);
    put(s, "\n");
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
    if (!out || !is_apart(out, a) || out->kind == MEMBER)
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
    if (s->open_count && once_in(s, 2)) {
        const Loop *loop = &s->open[below(s, s->open_count)];
        put(s, once_in(s, 4) ? "\nguard l%d-1" : "\nguard l%d", loop->id);
        low = again(s, below(s, 3), 3);
    } else {
        put(s, "\nguard @d%d", axis);
    }
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
    int first = below(s, LETTERS), step = once_in(s, 2) ? 1 : LETTERS - 1;
    for (int k = 0; k < LETTERS; k++) {
        int letter = (first + k * step) % LETTERS, i = dim_of(a, letter), j = b ? dim_of(b, letter) : -1;
        const Var *has = i >= 0 ? a : b;
        if (i >= 0 && j >= 0 && !same_cuts(a, i, b, j))
            return false;
        if ((i < 0 && j < 0) || out->dim_count == MAX_DIMS || once_in(s, 2))
            continue;
        int d = out->dim_count++, from = i >= 0 ? i : j;
        out->dims[d] = letter;
        out->by_segments = letter == FUSED ? has->by_segments : out->by_segments;
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
    const char *assign;
    const Var *out = sum_result(s, &layout, a, b, &assign);
    if (!out)
        return;
    spec_letters(a, left);
    spec_letters(&layout, to);
    if (b)
        spec_letters(b, right);
    put(s, "%s %s %s(%s%s%s) \"%s%s%s->%s\"\n", out->name, assign,
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
    layout.each = layout.kind == NUMBERS ? below(s, 3) : 0;
    const char *assign;
    const Var *out = sum_result(s, &layout, a, NULL, &assign);
    if (out)
        put(s, "%s %s %s(%s)\n", out->name, assign, once_in(s, 2) ? "reduce" : "sum_squares", a->name);
}

/* ---- Between ranks ------------------------------------------------------------------------------------------ */

/* Whether all ranks along the axis have pieces of one size, or the whole. */
static bool even_over(const Straight *s, const Var *var, int axis)
{
    if (is_of_cut_unit(var) && axis == 0 && s->sizes[ROWS] % s->axis_sizes[0] != 0)
        return false;
    for (int d = 0; d < var->dim_count; d++)
        for (int c = 0, parts = 1; c < var->cut_counts[d]; c++) {
            parts *= s->axis_sizes[var->cuts[d][c]];
            if (has_cut(var, axis) && !is_flat(var) &&
                (s->sizes[var->dims[d]] % parts != 0 || (is_by_segments(var, d) && s->sizes[ROWS] % parts != 0)))
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
    bool whole = !layout.cut_counts[dim], segments = once_in(s, 2);
    layout.by_segments = whole && layout.dims[dim] == FUSED ? segments : layout.by_segments;
    layout.cuts[dim][layout.cut_counts[dim]++] = axis;
    const Var *out = result(s, &layout, a, NULL);
    bool sums = once_in(s, 2);
    if (out)
        put(s, "%s = %s(%s)%s over d%d\n", out->name, sums ? "reduce_scatter" : "slice", a->name, sums ? " sum" : "",
            axis);
}

/* A dim that an axis cuts, innermost; -1 where none does. */
static int cut_dim(Straight *s, const Var *var)
{
    int dim = var->dim_count ? below(s, var->dim_count) : -1;
    bool is_cut = dim >= 0 && var->cut_counts[dim] && var->cuts[dim][var->cut_counts[dim] - 1] != MICRO;
    return is_cut ? dim : -1;
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
    for (int tries = 0; tries < 10 && whole && !same_layout(&layout, whole); tries++)
        whole = any_var(s);
    if (!whole || !same_layout(&layout, whole) || whole->kind == MEMBER)
        return;
    const Var *out = result(s, &layout, piece, whole);
    if (out)
        put(s, "%s = place_shard(%s, %s) over d%d\n", out->name, whole->name, piece->name, axis);
}

/* A member of a slot that is not cut, under its name. */
static void make_member(Straight *s)
{
    const Var *a = any_var(s);
    if (!a || a->kind != UNIT || a->cut_counts[0])
        return;
    int tensor = members[a->unit][below(s, 2)];
    Var layout = {.kind = MEMBER, .dim_count = tensors[tensor].dim_count}, *var;
    memcpy(layout.dims, tensors[tensor].dims, sizeof layout.dims);
    layout.cut_counts[0] = is_of_cut_unit(a); /* over the first axis */
    var = add_var(s, &layout);
    if (var)
        snprintf(var->name, sizeof var->name, "%.6s:%s", a->name, tensors[tensor].name);
}

/* Numbers of rows, columns or tensors, beside the elements of a slot. */
static void make_spread(Straight *s)
{
    const Var *a = any_var(s), *b = any_var(s);
    for (int tries = 0; tries < 10 && b && b->kind != NUMBERS; tries++)
        b = any_var(s);
    const Var *out =
        a && b && a->kind == UNIT && b->kind == NUMBERS && a->unit == b->unit ? result(s, a, a, NULL) : NULL;
    if (out)
        put(s, "%s = %s(%s, %s)\n", out->name, once_in(s, 4) ? "add" : "mul", a->name, b->name);
}

/* ---- Images ------------------------------------------------------------------------------------------------- */

/* The last that is of this kind, or one before; NULL where none is. */
static const Var *find_var(Straight *s, bool (*is)(const Var *))
{
    const Var *found = NULL;
    for (int v = s->visible - 1; v >= 0 && (!found || once_in(s, 2)); v--) {
        const Var *var = var_at(s, v);
        if (is(var) && is_usable(s, var))
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
           !has_cut(var, MICRO);
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

/* What lies beside the pieces of a dim comes to them, or goes back. */
static void make_halo(Straight *s)
{
    bool adds = once_in(s, 2);
    const Var *a = find_var(s, adds ? is_wide : lacks_halo);
    int dim = below(s, 2);
    if (!a)
        return;
    unsigned dims = adds ? a->halos : cut_dims(a) & ~a->halos;
    dim = dims >> dim & 1 ? dim : 1 - dim;
    if (s->axis_sizes[a->cuts[dim][0]] > s->sizes[a->dims[dim]])
        return;
    Var layout = *a;
    layout.halos ^= 1u << dim;
    layout.kind = layout.halos ? WIDE : DENSE;
    const Var *out = result(s, &layout, a, NULL);
    if (out)
        put(s, "%s = %s(%s) over d%d\n", out->name, adds ? "halo_add" : "halo", a->name, a->cuts[dim][0]);
}

/* Windows of three by three places. */
static void make_seen(Straight *s)
{
    static const char *const pools[] = {"max_pool", "mean_pool"};
    const Var *a = find_var(s, is_seen), *window = once_in(s, 3) ? NULL : find_var(s, is_window);
    if (!a)
        return;
    Var layout = without_halos(a);
    const char *assign;
    const Var *out = sum_result(s, &layout, a, window, &assign);
    char spec[MAX_DIMS + 1];
    spec_letters(a, spec);
    if (out && window)
        put(s, "%s %s conv(%s, %s; 1, 1) \"%s,ij->pq\"\n", out->name, assign, a->name, window->name, spec);
    else if (out)
        put(s, "%s %s %s(%s; 3, 1, 1) \"%s->pq\"\n", out->name, assign, pools[below(s, 2)], a->name, spec);
}

/* The transposes: to the image, and to the window. */
static void make_seen_back(Straight *s)
{
    const Var *a = find_var(s, is_plain_image), *window = once_in(s, 3) ? NULL : find_var(s, is_window);
    if (!a)
        return;
    Var layout = with_halos(a);
    const Var *out = result(s, &layout, a, window);
    char spec[MAX_DIMS + 1];
    spec_letters(a, spec);
    if (out && window)
        put(s, "%s = conv_input_bwd(%s, %s; 1, 1) \"pq,ij->%s\"\n", out->name, a->name, window->name, spec);
    else if (out)
        put(s, "%s = mean_pool_bwd(%s; 3, 1, 1) \"pq->%s\"\n", out->name, a->name, spec);
}

static void make_window_back(Straight *s)
{
    const Var *a = find_var(s, is_seen), *b = NULL;
    Var plain = a ? without_halos(a) : (Var){.kind = DENSE}, layout = {.kind = DENSE, .dim_count = 2};
    for (int tries = 0; tries < 8 && a && (!b || !same_layout(b, &plain)); tries++)
        b = find_var(s, is_plain_image);
    if (!b || !same_layout(b, &plain))
        return;
    layout.dims[0] = WINDOW_ROWS;
    layout.dims[1] = WINDOW_COLUMNS;
    bool pools = once_in(s, 3);
    Var wide = pools ? with_halos(b) : layout;
    const char *assign = "=";
    const Var *out = pools ? result(s, &wide, a, b) : sum_result(s, &layout, a, b, &assign);
    char spec[MAX_DIMS + 1];
    spec_letters(a, spec);
    if (out && pools)
        put(s, "%s = max_pool_bwd(%s, %s; 3, 1, 1) \"%s,pq->%s\"\n", out->name, a->name, b->name, spec, spec);
    else if (out)
        put(s, "%s %s conv_weight_bwd(%s, %s; 1, 1) \"%s,pq->ij\"\n", out->name, assign, a->name, b->name, spec);
}

/* ---- Segments ----------------------------------------------------------------------------------------------- */

static bool is_fused(const Var *var)
{
    return var->kind == DENSE && dim_of(var, FUSED) >= 0;
}

/* Has rows or columns, which are segments of the fused dim. */
static bool is_segment(const Var *var)
{
    return var->kind == DENSE && !has_cut(var, MICRO) && dim_of(var, FUSED) < 0 &&
           (dim_of(var, ROWS) >= 0) != (dim_of(var, COLUMNS) >= 0);
}

/* Where a segment lies: in its own place, where it is cut; else often elsewhere. */
static int draw_first(Straight *s, int letter, bool is_cut)
{
    int own = letter == ROWS ? 0 : s->sizes[ROWS], any = below(s, s->sizes[FUSED] - s->sizes[letter] + 1);
    return is_cut || once_in(s, 2) ? own : any;
}

static void make_segment(Straight *s)
{
    const Var *a = find_var(s, is_fused);
    int letter = once_in(s, 2) ? ROWS : COLUMNS, dim = a ? dim_of(a, FUSED) : -1;
    if (dim < 0 || dim_of(a, letter) >= 0 || (a->cut_counts[dim] > 0 && !a->by_segments))
        return;
    Var layout = *a;
    layout.dims[dim] = letter;
    const Var *out = result(s, &layout, a, NULL);
    char from[MAX_DIMS + 1], to[MAX_DIMS + 1];
    spec_letters(a, from);
    spec_letters(&layout, to);
    if (out)
        put(s, "%s = segment(%s; %d) \"%s->%s\"\n", out->name, a->name, draw_first(s, letter, a->cut_counts[dim] > 0),
            from, to);
}

/* Put back, into zeros or into what is there. */
static void make_segment_back(Straight *s)
{
    const Var *a = find_var(s, is_segment), *b = once_in(s, 2) ? find_var(s, is_fused) : NULL;
    int letter = a && dim_of(a, ROWS) >= 0 ? ROWS : COLUMNS, dim = a ? dim_of(a, letter) : -1;
    if (dim < 0)
        return;
    Var layout = *a;
    layout.dims[dim] = FUSED;
    layout.by_segments = true;
    if (b && !same_layout(b, &layout))
        return;
    const Var *out = result(s, &layout, a, b);
    char from[MAX_DIMS + 1], to[MAX_DIMS + 1];
    spec_letters(a, from);
    spec_letters(&layout, to);
    int first = draw_first(s, letter, a->cut_counts[dim] > 0);
    if (out && b)
        put(s, "%s = place_segment(%s, %s; %d) \"%s,%s->%s\"\n", out->name, b->name, a->name, first, to, from, to);
    else if (out)
        put(s, "%s = segment_bwd(%s; %d) \"%s->%s\"\n", out->name, a->name, first, from, to);
}

/* ---- Slots and messages ------------------------------------------------------------------------------------- */

/* A buffer of several slots, with something in each. */
static void make_ring(Straight *s)
{
    const Var *a = any_var(s);
    if (!a || is_flat(a) || s->open_count)
        return;
    Var layout = *a;
    layout.ring = 2 + below(s, 2);
    const Var *out = new_var(s, &layout);
    for (int slot = 0; out && slot < out->ring; slot++) {
        Var at = *out;
        snprintf(at.name, sizeof at.name, "v%d[%d]", out->base, slot);
        put_map(s, "copy", "=", &at, like(s, a), NULL);
        put(s, "\n");
    }
}

/* A slot of one, under its name. */
static void make_slot(Straight *s)
{
    const Var *a = NULL;
    for (int from = below(s, s->visible + 1), i = 0; i < s->visible && (!a || !a->ring); i++)
        a = var_at(s, (from + i) % s->visible);
    if (!a || !a->ring || (has_cut(a, MICRO) && !micro_loop(s)))
        return;
    const Loop *loop = s->open_count && !once_in(s, 4) ? &s->open[below(s, s->open_count)] : NULL;
    int slot = below(s, a->ring);
    Var *var = add_var(s, a);
    if (!var)
        return;
    var->loop = loop ? 1 + loop->id : 0;
    if (loop)
        snprintf(var->name, sizeof var->name, "v%d[l%d+%d %% %d]", var->base, loop->id, slot, var->ring);
    else
        snprintf(var->name, sizeof var->name, "v%d[%d]", var->base, slot);
}

/* From one rank of an axis to another; the others keep what they have. */
static void make_message(Straight *s)
{
    const Var *a = any_var(s), *b = a ? like(s, a) : NULL;
    int axis = below(s, s->axis_count), size = s->axis_sizes[axis];
    const Var *out = s->sends && size > 1 && a && a->kind != MEMBER && even_over(s, a, axis) ? new_result(s, a) : NULL;
    if (!out)
        return;
    int from = below(s, size), to = (from + 1 + below(s, size - 1)) % size;
    put_map(s, "copy", "=", out, b, NULL);
    put(s, "\nguard @d%d in %d..%d {\nsend(%s) over d%d index %d\n}\n", axis, from, from, a->name, axis, to);
    put(s, "guard @d%d in %d..%d {\n%s = recv() over d%d index %d\n}\n", axis, to, to, out->name, axis, from);
}

/* ---- Programs ----------------------------------------------------------------------------------------------- */

static void make_loop(Straight *s);

static void (*const makers[])(Straight *) = {
    make_initial, make_batch,     make_constant,    make_map,        make_map,          make_map,        make_more,
    make_scaled,  make_guarded,   make_guarded,     make_product,    make_product,      make_product,    make_slot_sum,
    make_spread,  make_member,    make_iota,        make_all_reduce, make_all_reduce,   make_all_reduce, make_pieces,
    make_pieces,  make_pieces,    make_whole,       make_whole,      make_whole,        make_exchange,   make_moved,
    make_moved,   make_placed,    make_halo,        make_halo,       make_halo,         make_halo,       make_seen,
    make_seen,    make_seen_back, make_window_back, make_segment,    make_segment_back, make_ring,       make_slot,
    make_message, make_loop,      make_loop};

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
    s->sizes[WINDOW_ROWS] = s->sizes[WINDOW_COLUMNS] = 3;
    s->sizes[FUSED] = s->sizes[ROWS] + s->sizes[COLUMNS];
    s->axis_sizes[MICRO] = once_in(s, 3) ? 1 : 2 + below(s, 4);
    if (s->axis_sizes[MICRO] > 1 && !once_in(s, 4))
        s->sizes[0] = s->axis_sizes[MICRO] * (once_in(s, 2) ? s->axis_sizes[0] : 1 + below(s, 3)) +
                      (once_in(s, 3) ? below(s, 3) : 0);
    s->sends = once_in(s, 4);
}

/* An operator, and its shadow. */
static void make(Straight *s, void (*maker)(Straight *), bool twice)
{
    Chance before = s->chance;
    int made = s->visible = s->count;
    maker(s);
    if (!twice)
        return;
    Chance behind = s->chance;
    s->chance = before;
    s->is_shadow = true;
    s->first = s->count;
    s->original = made;
    s->open_before = s->open_count;
    maker(s);
    s->is_shadow = false;
    s->chance = behind;
}

/* The body of a loop once more: the loop's number, and those of loops in it, are `by` larger. */
static void put_again(Straight *s, size_t start, size_t end, int first, int by)
{
    static char body[2 * OPS];
    memcpy(body, s->ops + start, end - start);
    body[end - start] = '\0';
    for (const char *at = body; *at; at++)
        if (*at == 'l' && at[1] >= '0' && at[1] <= '9') {
            char *rest;
            int id = (int)strtol(at + 1, &rest, 10);
            put(s, "l%d", id < first ? id : id + by);
            at = rest - 1;
        } else {
            put(s, "%c", *at);
        }
}

/* The header; a loop in two parts begins, or goes on, at `low`. */
static void open_loop(Straight *s, const Loop *loop, int low, int high)
{
    const LoopForm *form = &forms[loop->form];
    put(s, "loop l%d %s %d..%d%s {\n", loop->id, form->kind, form->down ? high : low, form->down ? low : high,
        form->down ? " down" : "");
    if (!form->guarded)
        return;
    put(s, "guard ");
    put_hand(s, loop);
    put(s, " in 0..%d {\n", s->axis_sizes[MICRO] - 1);
}

static void make_inside(Straight *s, bool twice)
{
    s->visible = count_before(s);
    void (*maker)(Straight *) = makers[below(s, (int)(sizeof makers / sizeof makers[0]))];
    if (s->is_shadow)
        maker(s);
    else
        make(s, maker, twice);
}

static void make_loop(Straight *s)
{
    int form = below(s, FORMS), last = s->axis_sizes[MICRO] - 1;
    bool is_micro = !strcmp(forms[form].kind, "micro"), twice = !once_in(s, 3);
    form = is_micro && last == 0 ? 0 : form;
    if (s->open_count == MAX_OPEN || (is_micro && micro_loop(s)) || s->ops_used > sizeof s->ops / 2)
        return;
    Loop *loop = &s->open[s->open_count++];
    *loop = (Loop){.id = s->loop_count++, .form = form, .is_micro = is_micro, .axis = -1, .start = s->ops_used};
    if (s->open_count == 1)
        s->outside = count_before(s);
    if (forms[form].guarded && once_in(s, 3))
        loop->axis = below(s, s->axis_count);
    int low = forms[form].low, high = forms[form].high + (is_micro ? last : 0);
    if (loop->axis >= 0)
        high = last + s->axis_sizes[loop->axis] - 1;
    bool parted = !forms[form].low && !forms[form].high && is_micro && last > 0 && once_in(s, 3);
    int part = parted ? below(s, last) : high;
    open_loop(s, loop, low, part);
    loop->body = s->ops_used;
    if (is_micro)
        make_batch(s);
    s->visible = count_before(s);
    for (int names = below(s, 4); names > 0; names--)
        make_slot(s);
    for (int left = 3 + below(s, 9); left > 0 && s->ops_used < sizeof s->ops / 2; left--)
        make_inside(s, twice);
    put(s, forms[form].guarded ? "}\n}\n" : "}\n");
    if (parted) {
        size_t end = s->ops_used;
        int by = s->loop_count - loop->id;
        Loop rest = *loop;
        rest.id += by;
        open_loop(s, &rest, part + 1, high);
        put_again(s, loop->body, end, loop->id, by);
        s->loop_count += by;
    }
    s->open_count--;
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
    int used =
        snprintf(text, size, "place-step 1\nmodel pairs\ncontract exact\ncompute f64\nmicro %d\n", s.axis_sizes[MICRO]);
    for (int a = 0; a < s.axis_count; a++)
        used += snprintf(text + used, size - (size_t)used, "axis d%d %d\n", a, s.axis_sizes[a]);
    used += snprintf(text + used, size - (size_t)used,
                     "tensor x input f64 [%d, %d] batch 0\ntensor t input f64 [%d] batch 0\n"
                     "tensor r input f64 [%d]\n"
                     "tensor w parameter f64 [%d] init normal 0.5\ntensor v parameter f64 [%d, %d] init normal 0.5\n"
                     "tensor u parameter f64 [%d] init normal 0.5\ntensor k parameter f64 [3, 3] init normal 0.5\n"
                     "tensor f parameter f64 [%d] init normal 0.5\nstate parameters parameters per_parameter f64\n"
                     "unit u0 = v, u\nunit u1 = w, v\nunit u2 = w[%d/d0], v[%d/d0, %d]\n",
                     s.sizes[0], s.sizes[1], s.sizes[0], s.sizes[1], s.sizes[1], s.sizes[1], s.sizes[2], s.sizes[2],
                     s.sizes[FUSED], s.sizes[ROWS], s.sizes[ROWS], s.sizes[COLUMNS]);
    snprintf(text + used, size - (size_t)used, around, s.sizes[1], s.sizes[1], s.buffers, s.ops);
}

/* straight_buffers.c - the buffers there are, what may be written where, and how it is put in words. */
#include "tests/sim/straight.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char straight_letters[] = "bhcijf";

/* What there is one number of in a unit. */
static const char *const each[] = {"rows", "columns", "tensors"};

int straight_below(Straight *s, int count)
{
    int drawn = chance_below(&s->chance, count), rarely = s->open_count > s->open_before ? 120 : 24;
    return s->is_shadow && chance_once_in(&s->other, rarely) ? chance_below(&s->other, count) : drawn;
}

bool straight_once_in(Straight *s, int times)
{
    return chance_once_in(&s->chance, times);
}

static void add(char *text, size_t size, size_t *used, const char *format, va_list args)
{
    int length = *used < size ? vsnprintf(text + *used, size - *used, format, args) : 0;
    *used += length > 0 ? (size_t)length : 0;
}

void straight_put(Straight *s, const char *format, ...)
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

const Loop *straight_micro_loop(const Straight *s)
{
    for (int l = s->open_count - 1; l >= 0; l--)
        if (s->open[l].is_micro)
            return &s->open[l];
    return NULL;
}

/* The buffers that what is made now may name. */
int straight_count_before(const Straight *s)
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

bool straight_is_of_cut_unit(const Var *var)
{
    return (var->kind == UNIT || var->kind == NUMBERS) && var->unit == CUT_UNIT;
}

bool straight_has_cut(const Var *var, int axis)
{
    if (straight_is_of_cut_unit(var) && axis == 0)
        return true;
    for (int d = 0; d < var->dim_count; d++)
        for (int c = 0; c < var->cut_counts[d]; c++)
            if (var->cuts[d][c] == axis)
                return true;
    return false;
}

bool straight_is_by_segments(const Var *var, int dim)
{
    return var->by_segments && var->dims[dim] == FUSED && var->cut_counts[dim] > 0;
}

bool straight_same_cuts(const Var *a, int i, const Var *b, int j)
{
    bool same = a->cut_counts[i] == b->cut_counts[j] && straight_is_by_segments(a, i) == straight_is_by_segments(b, j);
    for (int c = 0; same && c < a->cut_counts[i]; c++)
        same = a->cuts[i][c] == b->cuts[j][c];
    return same;
}

bool straight_same_layout(const Var *a, const Var *b)
{
    bool same = a->dim_count == b->dim_count && (a->kind == UNIT) == (b->kind == UNIT) &&
                (a->kind == NUMBERS) == (b->kind == NUMBERS) && a->unit == b->unit && a->each == b->each &&
                (a->kind == WIDE) == (b->kind == WIDE) && a->halos == b->halos;
    for (int d = 0; same && d < a->dim_count; d++)
        same = a->dims[d] == b->dims[d] && straight_same_cuts(a, d, b, d);
    return same;
}

bool straight_is_flat(const Var *var)
{
    return var->kind == UNIT || var->kind == NUMBERS;
}

void straight_spec(const Var *var, char *text)
{
    for (int d = 0; d < var->dim_count; d++)
        text[d] = straight_letters[var->dims[d]];
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
Var *straight_add_var(Straight *s, const Var *layout)
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
Var *straight_new_var(Straight *s, const Var *layout)
{
    Var *var = straight_add_var(s, layout);
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
            if (straight_is_by_segments(var, d))
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

/* Names no variable of a loop that is not open, and is in microbatches only where one is current. */
bool straight_is_usable(const Straight *s, const Var *var)
{
    bool open = !var->loop;
    for (int l = 0; l < s->open_count; l++)
        open = open || s->open[l].id + 1 == var->loop;
    return open && (straight_micro_loop(s) || !straight_has_cut(var, MICRO));
}

/* May be written where that is an operand. */
bool straight_is_apart(const Var *var, const Var *operand)
{
    return !operand || (strcmp(var->name, operand->name) != 0 && (!var->ring || var->base != operand->base));
}

const Var *straight_var_at(const Straight *s, int index)
{
    return &s->vars[s->is_shadow ? s->shadows[index] : index];
}

/* A buffer of one slot, laid out so. */
const Var *straight_new_result(Straight *s, const Var *layout)
{
    Var plain = *layout;
    plain.ring = 0;
    return straight_new_var(s, &plain);
}

/* Whether what comes of these operands may be written there. */
static bool fits(const Straight *s, const Var *var, const Var *layout, const Var *a, const Var *b)
{
    return straight_is_usable(s, var) && straight_same_layout(var, layout) && straight_is_apart(var, a) &&
           straight_is_apart(var, b) && var->kind == (layout->kind == MEMBER ? DENSE : layout->kind);
}

/* Where a result goes: a new buffer, now and then one that was written and is laid out so, but is no operand. */
const Var *straight_result(Straight *s, const Var *layout, const Var *a, const Var *b)
{
    for (int tries = 0; tries < 6 && s->visible > 0 && straight_once_in(s, 5); tries++) {
        const Var *var = straight_var_at(s, straight_below(s, s->visible));
        if (fits(s, var, layout, a, b))
            return var;
    }
    return straight_new_result(s, layout);
}

/* In a loop now and then what was there before it, which is added to. */
const Var *straight_sum_result(Straight *s, const Var *layout, const Var *a, const Var *b, const char **assign)
{
    *assign = "=";
    if (!s->open_count || straight_has_cut(layout, MICRO) || straight_once_in(s, 3))
        return straight_result(s, layout, a, b);
    *assign = "+=";
    for (int tries = 0; tries < 6 && s->outside > 0; tries++) {
        const Var *var = straight_var_at(s, straight_below(s, s->outside));
        if (fits(s, var, layout, a, b))
            return var;
    }
    const Var *out = straight_new_result(s, layout);
    char text[2 * NAME], spec[MAX_DIMS + 1];
    if (!out)
        return NULL;
    straight_spec(out, spec);
    snprintf(text, sizeof text, !straight_is_flat(out) && *spec ? "%s = fill(; 0) \"%s\"\n" : "%s = fill(; 0)\n",
             out->name, spec);
    put_before(s, text);
    return out;
}

const Var *straight_any(Straight *s)
{
    for (int tries = 0; tries < 4 && s->visible > 0; tries++) {
        bool any = straight_once_in(s, 2);
        const Var *var = straight_var_at(s, any ? straight_below(s, s->visible)
                                                : s->visible - 1 - straight_below(s, (s->visible + 3) / 4));
        if (straight_is_usable(s, var) && var->kind != WIDE)
            return var;
    }
    return NULL;
}

const Var *straight_like(Straight *s, const Var *a)
{
    for (int tries = 0; tries < 12; tries++) {
        const Var *var = straight_any(s);
        if (var && straight_same_layout(a, var))
            return var;
    }
    return a;
}

/* places.c - placements of dense values, what conversions between them send, and sets of axes. */
#include "derive/places.h"
#include "algebra/convert.h"

#include <string.h>

/* ---- Placements --------------------------------------------------------------------------------------------- */

int place_on(OnAxis on)
{
    return on.kind == PLACED_SHARDED ? on.dim : on.kind == PLACED_PARTIAL ? ON_PARTIAL : ON_WHOLE;
}

OnAxis place_of(int on, PartialOp op)
{
    return on >= 0 ? on_sharded(on) : on == ON_PARTIAL ? on_partial(op) : on_replicated();
}

AxisSet place_axes(const Placement *p, int on)
{
    AxisSet set = {0};
    for (int a = 0; a < p->axis_count; a++)
        if (place_at(p, a) == on)
            set.axis[set.count++] = (int8_t)a;
    return set;
}

double place_bytes(const Decls *decls, double whole, const Placement *p, int but)
{
    double bytes = whole;
    for (int a = 0; a < p->axis_count; a++)
        if (a != but && p->axis[a].kind == PLACED_SHARDED)
            bytes /= (double)decls->axes.data[a].size;
    return bytes;
}

double place_cost_on(const Decls *decls, int axis, int from, int to, double bytes)
{
    unsigned kinds = CONVERT_EMITTED & ~(1u << CONVERT_PAD); /* shards become parts only where parts are wanted */
    return from == to ? 0
                      : convert_price_on(decls->axes.data[axis].size, place_of(from, PARTIAL_SUM),
                                         place_of(to, PARTIAL_SUM), kinds, bytes);
}

/* ---- Sets of axes ------------------------------------------------------------------------------------------- */

AxisSet axes_without(AxisSet set, AxisSet removed)
{
    AxisSet result = {0};
    for (int i = 0; i < set.count; i++)
        if (!axes_contain(removed, set.axis[i]))
            result.axis[result.count++] = set.axis[i];
    return result;
}

AxisSet axes_union(const Decls *decls, AxisSet set, AxisSet other)
{
    AxisSet result = {0};
    for (int a = 0; a < decls->axes.count; a++)
        if (axes_contain(set, a) || axes_contain(other, a))
            result.axis[result.count++] = (int8_t)a;
    return result;
}

AxisSet axes_common(AxisSet set, AxisSet other)
{
    return axes_without(set, axes_without(set, other));
}

bool axes_equal(AxisSet x, AxisSet y)
{
    return x.count == y.count && memcmp(x.axis, y.axis, (size_t)x.count) == 0;
}

int64_t axes_size(const Decls *decls, AxisSet set)
{
    int64_t size = 1;
    for (int i = 0; i < set.count; i++)
        size *= decls->axes.data[set.axis[i]].size;
    return size;
}

AxisSet axes_larger_than_one(const Decls *decls, AxisSet set)
{
    AxisSet result = {0};
    for (int i = 0; i < set.count; i++)
        if (decls->axes.data[set.axis[i]].size > 1)
            result.axis[result.count++] = set.axis[i];
    return result;
}

static const char *joined(Arena *arena, const Decls *decls, AxisSet set, const char *between)
{
    Text text = {.arena = arena};
    for (int i = 0; i < set.count; i++)
        text_add(&text, "%s%s", i > 0 ? between : "", decls->axes.data[set.axis[i]].name);
    return text.data != NULL ? text.data : "";
}

const char *axes_name(Arena *arena, const Decls *decls, AxisSet set)
{
    return joined(arena, decls, set, "_");
}

const char *axes_words(Arena *arena, const Decls *decls, AxisSet set)
{
    return joined(arena, decls, set, ", ");
}

/* places.c - placements of dense values, what conversions between them send, and sets of axes. */
#include "derive/places.h"
#include "algebra/convert.h"

#include <string.h>

/* ---- Placements --------------------------------------------------------------------------------------------- */

int place_on(OnAxis on)
{
    return on.kind == PLACED_SHARDED ? on.dim : on.kind == PLACED_PARTIAL ? ON_PARTIAL : ON_WHOLE;
}

Place place_whole(void)
{
    Place place;
    memset(place.on, ON_WHOLE, sizeof(place.on));
    return place;
}

bool place_equal(const Place *x, const Place *y)
{
    return memcmp(x->on, y->on, sizeof(x->on)) == 0;
}

Place place_layout(Place place)
{
    for (int a = 0; a < STEP_MAX_AXES; a++)
        if (place.on[a] == ON_PARTIAL)
            place.on[a] = ON_WHOLE;
    return place;
}

AxisSet place_axes(const Decls *decls, const Place *place, int on)
{
    AxisSet set = {0};
    for (int a = 0; a < decls->axes.count; a++)
        if (place->on[a] == on)
            set.axis[set.count++] = (int8_t)a;
    return set;
}

double place_bytes(const Decls *decls, const Buffer *buffer, const Place *place, int but)
{
    double bytes = (double)dtype_bytes(buffer->dtype);
    for (int i = 0; i < buffer->dim_count; i++)
        bytes *= (double)buffer->dims[i].size;
    for (int a = 0; a < decls->axes.count; a++)
        if (a != but && place->on[a] >= 0)
            bytes /= (double)decls->axes.data[a].size;
    return bytes;
}

static OnAxis on_axis(int on)
{
    return on >= 0 ? on_sharded(on) : on == ON_PARTIAL ? on_partial(PARTIAL_SUM) : on_replicated();
}

double place_cost_on(const Decls *decls, int axis, int from, int to, double bytes)
{
    unsigned kinds = CONVERT_EMITTED & ~(1u << CONVERT_PAD); /* shards become parts only where parts are wanted */
    return from == to ? 0 : convert_price_on(decls->axes.data[axis].size, on_axis(from), on_axis(to), kinds, bytes);
}

double place_cost(const Decls *decls, const Buffer *buffer, const Place *from, const Place *to)
{
    double cost = 0;
    for (int a = 0; a < decls->axes.count; a++)
        cost += place_cost_on(decls, a, from->on[a], to->on[a], place_bytes(decls, buffer, from, a));
    return cost;
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

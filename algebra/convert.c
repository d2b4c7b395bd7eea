/* convert.c - the search for the cheapest conversion: Dijkstra over placements. */
#include "algebra/convert.h"

/* ---- Which axes may move ------------------------------------------------------------------------------------ */

static bool same_cuts(const Placement *x, const Placement *y, int dim, int count)
{
    for (int i = 0; i < count; i++)
        if (x->cut[dim][i] != y->cut[dim][i])
            return false;
    return true;
}

/* The axes of a dim's cuts from the first on at whose depth the other placement has another axis. */
static unsigned moved_cuts(const Placement *x, const Placement *y, int dim)
{
    unsigned moved = 0;
    for (int i = 0; i < x->cut_count[dim]; i++)
        if (i >= y->cut_count[dim] || !same_cuts(x, y, dim, i + 1))
            moved |= 1U << x->cut[dim][i];
    return moved;
}

unsigned convert_axes(const Placement *from, const Placement *to)
{
    unsigned axes = 0;
    for (int i = 0; i < from->axis_count; i++)
        if (!on_axis_equal(from->axis[i], to->axis[i]))
            axes |= 1U << i;
    for (int dim = 0; dim < from->dim_count; dim++)
        axes |= moved_cuts(from, to, dim) | moved_cuts(to, from, dim);
    /* Flat ranges need not nest: all their cuts may have to move. */
    for (int i = 0; i < from->axis_count && from->flat && axes != 0; i++)
        if (from->axis[i].kind == PLACED_SHARDED || to->axis[i].kind == PLACED_SHARDED)
            axes |= 1U << i;
    return axes;
}

/* ---- The search --------------------------------------------------------------------------------------------- */

typedef struct Work {
    int64_t elements;
    int collectives, steps;
} Work;

static bool work_less(Work x, Work y)
{
    if (x.elements != y.elements)
        return x.elements < y.elements;
    if (x.collectives != y.collectives)
        return x.collectives < y.collectives;
    return x.steps < y.steps;
}

typedef struct Place {
    Placement placement;
    Work work;
    bool done;
    int previous;     /* -1: the starting point */
    ConvertStep step; /* the step that leads here */
} Place;

typedef struct Search {
    Arena *arena;
    const Mesh *mesh;
    const int64_t *sizes;
    const Placement *to;
    unsigned axes;
    Vec(Place) places;
    int *slots; /* hash table of index + 1 */
    int slot_count;
} Search;

static uint32_t hash(const Placement *p)
{
    uint32_t h = 2166136261U;
    for (int i = 0; i < p->axis_count; i++)
        h = (h ^ (uint32_t)(p->axis[i].kind + 8 * (int)p->axis[i].op + 32 * p->axis[i].dim)) * 16777619U;
    for (int dim = 0; dim < p->dim_count; dim++)
        for (int i = 0; i < p->cut_count[dim]; i++)
            h = (h ^ (uint32_t)p->cut[dim][i]) * 16777619U;
    return h;
}

static int *find_slot(Search *s, const Placement *p)
{
    int i = (int)(hash(p) % (uint32_t)s->slot_count);
    while (s->slots[i] != 0 && !placement_equal(&s->places.data[s->slots[i] - 1].placement, p))
        i = (i + 1) % s->slot_count;
    return &s->slots[i];
}

static void grow_slots(Search *s)
{
    s->slot_count = s->slot_count == 0 ? 256 : 4 * s->slot_count;
    s->slots = arena_array(s->arena, int, s->slot_count);
    for (int i = 0; i < s->places.count; i++)
        *find_slot(s, &s->places.data[i].placement) = i + 1;
}

static int place_of(Search *s, const Placement *p)
{
    if (2 * s->places.count >= s->slot_count)
        grow_slots(s);
    int *slot = find_slot(s, p);
    if (*slot == 0) {
        vec_push(s->arena, &s->places, (Place){.placement = *p, .work = {INT64_MAX, 0, 0}, .previous = -1});
        *slot = s->places.count;
    }
    return *slot - 1;
}

static int cheapest_open(const Search *s)
{
    int best = -1;
    for (int i = 0; i < s->places.count; i++)
        if (!s->places.data[i].done && (best < 0 || work_less(s->places.data[i].work, s->places.data[best].work)))
            best = i;
    return best;
}

static void leave(Search *s, int from)
{
    Placement placement = s->places.data[from].placement;
    Work work = s->places.data[from].work;
    ConvertSteps steps = convert_steps(s->arena, s->mesh, s->sizes, &placement, s->to, s->axes);
    for (int i = 0; i < steps.count; i++) {
        const ConvertStep *step = &steps.data[i];
        Work next = {work.elements + step->elements, work.collectives + step->collective, work.steps + 1};
        int to = place_of(s, &step->after);
        Place *place = &s->places.data[to];
        if (place->done || !work_less(next, place->work))
            continue;
        place->work = next;
        place->previous = from;
        place->step = *step;
    }
}

static Conversion path_to(Arena *arena, const Search *s, int end)
{
    Conversion c = {.elements = s->places.data[end].work.elements, .collectives = s->places.data[end].work.collectives};
    int count = s->places.data[end].work.steps;
    for (int i = 0; i < count; i++)
        vec_push(arena, &c.steps, (ConvertStep){0});
    for (int i = end; s->places.data[i].previous >= 0; i = s->places.data[i].previous)
        c.steps.data[--count] = s->places.data[i].step;
    return c;
}

bool convert(Arena *arena, const Mesh *mesh, const int64_t *sizes, const Placement *from, const Placement *to,
             Conversion *conversion)
{
    *conversion = (Conversion){0};
    if (placement_equal(from, to))
        return true;
    Arena *scratch = arena_new();
    Search s = {.arena = scratch, .mesh = mesh, .sizes = sizes, .to = to, .axes = convert_axes(from, to)};
    int at = place_of(&s, from);
    s.places.data[at].work = (Work){0, 0, 0};
    while (at >= 0 && !placement_equal(&s.places.data[at].placement, to)) {
        s.places.data[at].done = true;
        leave(&s, at);
        at = cheapest_open(&s);
    }
    if (at >= 0)
        *conversion = path_to(arena, &s, at);
    arena_free(scratch);
    return at >= 0;
}

bool conversion_less(const Conversion *x, const Conversion *y)
{
    return work_less((Work){x->elements, x->collectives, x->steps.count},
                     (Work){y->elements, y->collectives, y->steps.count});
}

/* ---- Between two meshes ------------------------------------------------------------------------------------- */

typedef struct Across {
    Arena *arena;
    const Mesh *source, *target;
    const Placement *from, *to;
    const int64_t *sizes;
    Crossing *best;
    bool found;
} Across;

/* How many ranks hold each element of a tensor with this placement. */
static int64_t copies(const Mesh *mesh, const Placement *p)
{
    int64_t count = 1;
    for (int i = 0; i < p->axis_count; i++)
        if (p->axis[i].kind == PLACED_REPLICATED)
            count *= mesh->axis[i].size;
    return count;
}

static int64_t holders(const Mesh *mesh, const Placement *p)
{
    int64_t count = 1;
    for (int i = 0; i < p->axis_count; i++)
        if (p->axis[i].kind != PLACED_AT)
            count *= mesh->axis[i].size;
    return count;
}

static bool crossing_less(const Crossing *x, const Crossing *y)
{
    int64_t within_x = x->before.elements + x->after.elements, within_y = y->before.elements + y->after.elements;
    int steps_x = x->before.collectives + x->after.collectives, steps_y = y->before.collectives + y->after.collectives;
    if (x->elements != y->elements)
        return x->elements < y->elements;
    if (x->busiest != y->busiest)
        return x->busiest < y->busiest;
    return within_x != within_y ? within_x < within_y : steps_x < steps_y;
}

static void try_crossing(Across *a, const Placement *sent, const Placement *received)
{
    Crossing c = {.sent = *sent, .received = *received};
    int64_t elements = 1;
    for (int i = 0; i < sent->dim_count; i++)
        elements *= a->sizes[i];
    c.elements = elements * copies(a->target, received);
    int64_t senders = holders(a->source, sent);
    int64_t sends = (c.elements + senders - 1) / senders;
    int64_t receives = placement_elements(a->target, received, a->sizes);
    c.busiest = sends > receives ? sends : receives;
    if (a->found && c.elements > a->best->elements)
        return;
    if (!convert(a->arena, a->source, a->sizes, a->from, sent, &c.before) ||
        !convert(a->arena, a->target, a->sizes, received, a->to, &c.after))
        return;
    if (!a->found || crossing_less(&c, a->best))
        *a->best = c;
    a->found = true;
}

/* The placement received: the target's, but on replicated axes it may also, and on partial ones must, be sharded or at
 * one coordinate. */
static void choose_received(Across *a, const Placement *sent, Placement *received, int axis)
{
    if (axis == a->target->axis_count) {
        try_crossing(a, sent, received);
        return;
    }
    OnAxis wanted = a->to->axis[axis];
    if (wanted.kind != PLACED_PARTIAL)
        choose_received(a, sent, received, axis + 1);
    if (wanted.kind != PLACED_REPLICATED && wanted.kind != PLACED_PARTIAL)
        return;
    Placement kept = *received;
    for (int dim = 0; dim < received->dim_count; dim++) {
        placement_set(received, axis, on_sharded(dim));
        choose_received(a, sent, received, axis + 1);
        *received = kept;
    }
    placement_set(received, axis, on_coordinate(0));
    choose_received(a, sent, received, axis + 1);
    *received = kept;
}

/* The placement sent: the source's, with partial reduced. */
static void choose_sent(Across *a, Placement *sent, int axis)
{
    if (axis == a->source->axis_count) {
        Placement received = *a->to;
        choose_received(a, sent, &received, 0);
        return;
    }
    if (a->from->axis[axis].kind != PLACED_PARTIAL) {
        choose_sent(a, sent, axis + 1);
        return;
    }
    Placement kept = *sent;
    for (int dim = -1; dim < sent->dim_count; dim++) {
        placement_set(sent, axis, dim < 0 ? on_replicated() : on_sharded(dim));
        choose_sent(a, sent, axis + 1);
        *sent = kept;
    }
}

bool convert_across(Arena *arena, const Mesh *source, const Placement *from, const Mesh *target, const Placement *to,
                    const int64_t *sizes, Crossing *crossing)
{
    Across a = {arena, source, target, from, to, sizes, crossing, false};
    Placement sent = *from;
    choose_sent(&a, &sent, 0);
    return a.found;
}

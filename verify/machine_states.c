/* machine_states.c - which states the persistent buffers store, and where: holders, layers of slots, pieces. */
#include "verify/machine_internal.h"

/* The value on this rank class of an affine expression of coordinates. */
static int64_t class_number(const Machine *m, const Affine *affine)
{
    int64_t number;
    machine_affine(m, affine, &number, NULL);
    return number;
}

bool machine_holds(const Machine *m, const Buffer *buffer)
{
    if (!buffer->held)
        return true;
    int64_t holder = class_number(m, &buffer->holder);
    return holder >= buffer->held_low && holder <= buffer->held_high;
}

bool machine_layer(const Machine *m, const Buffer *buffer, int64_t slot, int64_t *layer)
{
    *layer = slot + (buffer->layout == LAYOUT_UNIT ? m->decls->units.data[buffer->unit].first_layer : 0);
    if (!buffer->has_layers)
        return true;
    int64_t first = class_number(m, &buffer->first_layer);
    int64_t count = class_number(m, &buffer->last_layer) - first + 1;
    int64_t room = buffer->slots / buffer->layer_runs; /* for each run, before the next one's */
    room = room > 1 ? room : 1;
    *layer = first + slot / room * buffer->layer_every + slot % room;
    return slot % room < count;
}

static bool class_stores(Machine *m, RankClass *class, const Buffer *buffer, int64_t slot, int64_t layer)
{
    RankClass *outer = m->class;
    int64_t here;
    m->class = class;
    bool stores = machine_holds(m, buffer) && machine_layer(m, buffer, slot, &here) && here == layer;
    m->class = outer;
    return stores;
}

bool machine_stores_whole(Machine *m, int buffer, int64_t slot, int tensor, int64_t layer)
{
    View own, flat; /* the cuts of the member, and of the slot */
    if (m->enumerated == 0)
        return true;
    bool unit = m->program->buffers.data[buffer].layout == LAYOUT_UNIT;
    view_make(m->program, &(Ref){.buffer = buffer, .member = unit ? tensor : -1}, m->reference, &own);
    view_make(m->program, &(Ref){.buffer = buffer, .member = -1}, m->reference, &flat);
    AxisMask cut = (view_mask(&own) | cuts_mask(&flat.cuts)) & m->enumerated;
    for (int i = 0; i < m->class_count && cut != 0; i++) {
        bool neighbour = true; /* the rank class has another piece */
        for (int a = 0; a < m->decls->axes.count; a++)
            neighbour = neighbour && ((cut >> a & 1) || m->classes[i].coordinate[a] == m->class->coordinate[a]);
        if (neighbour && !class_stores(m, &m->classes[i], &m->program->buffers.data[buffer], slot, layer))
            return false;
    }
    return true;
}

static void visit_class(Machine *m, StateVisit *visit, void *context)
{
    for (int b = 0; b < m->program->buffers.count; b++) {
        const Buffer *buffer = &m->program->buffers.data[b];
        int64_t layer;
        if (!buffer->persistent || buffer->state < 0 || !machine_holds(m, buffer))
            continue;
        for (int64_t slot = 0; slot < buffer->slots; slot++) {
            if (!machine_layer(m, buffer, slot, &layer))
                continue;
            if (buffer->layout == LAYOUT_DENSE) {
                visit(context, b, slot, machine_cell(m, b, slot, 0), buffer->tensor, layer);
                continue;
            }
            const Unit *unit = &m->decls->units.data[buffer->unit];
            for (int i = 0; i < unit->member_count; i++)
                visit(context, b, slot, machine_cell(m, b, slot, i), unit->members[i], layer);
        }
    }
}

void machine_visit_states(Machine *m, StateVisit *visit, void *context)
{
    for (int i = 0; i < m->class_count; i++) {
        m->class = &m->classes[i];
        visit_class(m, visit, context);
    }
    m->class = &m->classes[0];
}

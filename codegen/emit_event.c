/* emit_event.c - events. In the emitted program every slot of an event is an event of its own: an event has as many
 * consecutive numbers as slots.
 */
#include "codegen/emit.h"

#include <inttypes.h>

static void note_slots(const NodeList *body, int *slots)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        if (node->kind == NODE_OP && node->op->event >= 0 && node->op->event_slot.modulus != 0)
            slots[node->op->event] = (int)node->op->event_slot.modulus;
        note_slots(&node->body, slots);
    }
}

void emit_number_events(Emit *e)
{
    int count = e->program->event_count;
    int *slots = arena_array(e->arena, int, count + 1);
    for (int i = 0; i < count; i++)
        slots[i] = 1;
    for (int i = 0; i < e->program->routines.count; i++)
        note_slots(&e->program->routines.data[i].body, slots);
    e->event = arena_array(e->arena, int, count + 1);
    for (int i = 0; i < count; i++) {
        e->event[i] = e->event_slots;
        e->event_slots += slots[i];
    }
}

const char *emit_event(Emit *e, int event, const Affine *slot)
{
    if (event < 0)
        return "-1";
    if (slot->modulus == 0)
        return arena_printf(e->arena, "%d", e->event[event]);
    return arena_printf(e->arena, "%d + %s", e->event[event], emit_affine(e, slot));
}

void emit_event_slot(Emit *e, const Affine *slot)
{
    if (slot->modulus != 0)
        cw_line(e->out, "ctx->slot = %s;", emit_affine(e, slot));
}

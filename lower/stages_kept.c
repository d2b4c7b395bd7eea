/* stages_kept.c - which layers have a slot in a buffer of values, where others are recomputed.
 *
 * Before the program is divided, layer l is in slot l plus a constant, which is one for each run of layers that follow
 * each other: the slots of those that are kept have no gaps, but their layers may.
 */
#include "lower/stages_internal.h"

/* ---- The first layer ---------------------------------------------------------------------------------------- */

typedef struct FirstSlot {
    int buffer;
    int64_t least; /* a layer's number plus this is its slot */
} FirstSlot;

static void note_slot(void *context, Op *op, Ref *ref, bool writes)
{
    (void)op;
    (void)writes;
    FirstSlot *first = context;
    if (ref->buffer == first->buffer && ref->slot.term_count > 0 && ref->slot.constant < first->least)
        first->least = ref->slot.constant;
}

int64_t stages_first_layer(const Stages *p, int buffer)
{
    FirstSlot first = {.buffer = buffer};
    refs_visit_program(p->program, note_slot, &first);
    return -first.least;
}

/* ---- The layer of each slot --------------------------------------------------------------------------------- */

/* Which layer's value each slot has, where each has one layer's: what is recomputed in some layers has none for them.
 */
typedef struct Kept {
    const Node *loop;
    int buffer;
    int64_t slots, *layers; /* NOT_KEPT: not known */
    bool ambiguous;
} Kept;

enum { NOT_KEPT = -1 };

static void note_kept(void *context, Op *op, Ref *ref, bool writes)
{
    (void)op, (void)writes;
    Kept *kept = context;
    if (ref->buffer != kept->buffer || !affine_uses(&ref->slot, kept->loop->loop.id))
        return;
    bool down = kept->loop->loop.step < 0;
    int64_t from = kept->loop->loop.first.constant, to = kept->loop->loop.last.constant;
    for (int64_t layer = down ? to : from; layer <= (down ? from : to); layer++) {
        int64_t slot = layer + ref->slot.constant;
        bool known = slot >= 0 && slot < kept->slots;
        kept->ambiguous |= !known || (kept->layers[slot] != NOT_KEPT && kept->layers[slot] != layer);
        if (known)
            kept->layers[slot] = layer;
    }
}

static void find_kept(Kept *kept, const Node *node)
{
    if (node_is_layer_loop(node)) {
        kept->loop = node;
        refs_visit(node, note_kept, kept);
    }
    for (int i = 0; i < node->body.count; i++)
        find_kept(kept, node->body.data[i]);
}

static Kept kept_in(const Stages *p, int buffer)
{
    Kept kept = {.buffer = buffer, .slots = p->program->buffers.data[buffer].slots};
    kept.layers = arena_array(p->ctx->arena, int64_t, kept.slots);
    for (int64_t i = 0; i < kept.slots; i++)
        kept.layers[i] = NOT_KEPT;
    for (int i = 0; i < p->program->routines.count; i++)
        for (int j = 0; j < p->program->routines.data[i].body.count; j++)
            find_kept(&kept, p->program->routines.data[i].body.data[j]);
    return kept;
}

const int64_t *stages_layers_with_gaps(const Stages *p, int buffer)
{
    Kept kept = kept_in(p, buffer);
    bool gaps = false;
    for (int64_t i = 0; i < kept.slots; i++) {
        kept.ambiguous |= kept.layers[i] == NOT_KEPT;
        gaps |= kept.layers[i] != kept.layers[0] + i;
    }
    return gaps && !kept.ambiguous ? kept.layers : NULL;
}

bool stages_mixes_slots(const Stages *p, int buffer)
{
    Kept kept = kept_in(p, buffer);
    bool gaps = false, outside = false;
    int64_t known = -1;
    for (int64_t i = 0; i < kept.slots; i++) {
        outside |= kept.layers[i] == NOT_KEPT;
        if (kept.layers[i] == NOT_KEPT)
            continue;
        gaps |= known >= 0 && kept.layers[i] - kept.layers[known] != i - known;
        known = i;
    }
    return gaps && outside && !kept.ambiguous;
}

/* ---- The slots of stages ------------------------------------------------------------------------------------ */

Layers stages_slots(Stages *p, int group, const int64_t *layers, int64_t slots, int64_t chunk)
{
    Arena *arena = p->ctx->arena;
    int64_t *low = arena_array(arena, int64_t, p->stages), *high = arena_array(arena, int64_t, p->stages);
    Layers range = {0};
    int64_t slot = 0, end = chunk * p->every - p->before[group];
    while (slot < slots && layers[slot] < end)
        slot++; /* of earlier chunks */
    for (int64_t s = 0; s < p->stages; s++) {
        low[s] = slot;
        end += p->stage_layers[s];
        while (slot < slots && layers[slot] < end)
            slot++;
        high[s] = slot - 1;
        range.most = slot - low[s] > range.most ? slot - low[s] : range.most;
    }
    int number = p->decls->tables.count;
    range.first = stages_table(p, arena_printf(arena, "first_slot_%d", number), low);
    range.last = stages_table(p, arena_printf(arena, "last_slot_%d", number), high);
    return range;
}

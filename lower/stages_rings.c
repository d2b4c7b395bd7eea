/* stages_rings.c - rings: buffers that have room for several microbatches, and which slots of them one has.
 *
 * How many microbatches are in flight is a matter of the schedule (find_schedule), but where chunks are apart: there it
 * depends on which of them use the ring (stages_apart.c).
 */
#include "lower/stages_internal.h"

/* Where chunks are apart, a ring is used by some of them, and has their places side by side for each microbatch. One
 * that is used in turn goes through the microbatches of a group chunk by chunk, backward from the last. */
static Affine place_in_turns(const Stages *p, const StagesBuffer *info, const Moment *moment)
{
    int64_t first = info->first_chunk, last = info->last_chunk, room = stages_group_room(p);
    Affine place = affine_constant(0);
    affine_add(&place, &moment->micro, info->in_turns ? 1 : last - first + 1);
    if (!info->in_turns) {
        affine_add_term(&place, moment->chunk, 1);
        place.constant -= first;
        return place;
    }
    affine_add_term(&place, moment->group, (last - first) * p->stages);
    affine_add_term(&place, moment->chunk, moment->backward ? -room : room);
    place.constant += room * (moment->backward ? last : -first);
    return place;
}

/* The same in slots, where chunks have different numbers of layers: of a known chunk. */
static Affine place_uneven(const Stages *p, const StagesBuffer *info, const Moment *moment)
{
    if (p->within < 0)
        BUG("a layer of no known chunk");
    Affine place = affine_constant(stages_uneven_before(info, p->within));
    affine_add(&place, &moment->micro, stages_uneven_before(info, info->last_chunk + 1));
    return place;
}

void stages_place_in_ring(const Stages *p, Ref *ref, const Moment *moment)
{
    const StagesBuffer *info = &p->buffers[ref->buffer];
    if (!info->ring || moment == NULL)
        return;
    if (info->turning > 0) {
        Affine place = stages_turning_place(p, info, moment);
        affine_add(&ref->slot, &place, 1);
        ref->slot.modulus = p->program->buffers.data[ref->buffer].slots;
        return;
    }
    if (p->apart) {
        Affine place = info->uneven ? place_uneven(p, info, moment) : place_in_turns(p, info, moment);
        affine_add(&ref->slot, &place, info->uneven ? 1 : info->ring_slots);
        ref->slot.modulus = p->program->buffers.data[ref->buffer].slots;
        return;
    }
    const Affine *room = info->in_turns ? &moment->turn : info->of_first ? &moment->micro : &moment->room;
    affine_add(&ref->slot, room, info->ring_slots);
    ref->slot.modulus = p->program->buffers.data[ref->buffer].slots;
}

/* What the stage's layers end with is sent, and not read by backward: it is where the next microbatch begins, for
 * which it is waited before (stages_micro.c). */
static bool ends_in_next(const Stages *p, const StagesBuffer *info, int64_t slots)
{
    return p->schedule == SCHEDULE_1F1B && info->cut && !info->reads_last && slots == info->range.most + 1;
}

static bool is_uneven(const StagesBuffer *info)
{
    for (int64_t c = info->first_chunk; info->of_chunk != NULL && c <= info->last_chunk; c++)
        if (info->of_chunk[c].most < info->range.most)
            return true;
    return false;
}

void stages_make_ring(Stages *p, int buffer, int64_t depth, bool in_turns)
{
    StagesBuffer *info = &p->buffers[buffer];
    info->ring = true;
    info->in_turns = in_turns;
    int64_t *slots = &p->program->buffers.data[buffer].slots;
    bool shared = !in_turns && ends_in_next(p, info, *slots);
    info->ring_slots = *slots - shared;
    info->depth = depth;
    info->uneven = p->apart && !in_turns && is_uneven(info);
    info->more = *slots - info->range.most;
    *slots = info->uneven ? stages_uneven_slots(p, info) : info->ring_slots * depth + shared;
    int64_t turning = p->apart && !in_turns && p->micro > p->stages ? stages_turning_slots(p, info) : *slots;
    if (turning >= *slots)
        return;
    p->turns_back = true;
    *slots = info->turning = turning;
}

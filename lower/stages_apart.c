/* stages_apart.c - interleaved chunks of layers of several blocks, or of layers that differ (staging_apart): which
 * chunks use a buffer that has room for several microbatches, and how many are in flight.
 *
 * Each loop over layers is of one chunk, and a value is used by the chunks from its first section or layer to its last.
 */
#include "lower/stages_internal.h"

/* ---- Which chunks use a ring -------------------------------------------------------------------------------- */

enum { NOT_SEEN = -2 };

static void note_layers(StagesBuffer *info, const Node *loop)
{
    int64_t first = loop->loop.first.constant, last = loop->loop.last.constant;
    int64_t low = first < last ? first : last, high = first < last ? last : first;
    info->low_layer = low < info->low_layer ? low : info->low_layer;
    info->high_layer = high > info->high_layer ? high : info->high_layer;
}

/* Of an operator in a loop over layers; NULL: in none. */
static void note_loops(Stages *p, const Node *node, const Node *loop)
{
    Op *op = node_op(node);
    if (node_is_layer_loop(node))
        loop = node;
    int group = loop != NULL ? loop->loop.group : -1;
    for (int i = 0; op != NULL && i <= op->operand_count; i++) {
        const Ref *ref = i < op->operand_count ? &op->operand[i] : &op->out;
        if (i == op->operand_count && !op_has_result(op->kind))
            continue;
        StagesBuffer *info = &p->buffers[ref->buffer];
        info->in_loops = info->in_loops == NOT_SEEN || info->in_loops == group ? group : -1;
        if (loop != NULL)
            note_layers(info, loop);
    }
    for (int i = 0; i < node->body.count; i++)
        note_loops(p, node->body.data[i], loop);
}

void stages_find_loops(Stages *p)
{
    for (int i = 0; i < p->program->buffers.count; i++) {
        p->buffers[i].in_loops = NOT_SEEN;
        p->buffers[i].low_layer = INT64_MAX;
        p->buffers[i].high_layer = -1;
    }
    for (int i = 0; i < p->program->routines.count; i++)
        for (int j = 0; j < p->program->routines.data[i].body.count; j++)
            note_loops(p, p->program->routines.data[i].body.data[j], NULL);
}

static void include(StagesBuffer *info, int64_t chunk, bool *any)
{
    info->first_chunk = !*any || chunk < info->first_chunk ? chunk : info->first_chunk;
    info->last_chunk = !*any || chunk > info->last_chunk ? chunk : info->last_chunk;
    *any = true;
}

static void include_group(const Stages *p, StagesBuffer *info, int group, bool *any)
{
    include(info, p->section_at[group] / p->stages, any);
    include(info, p->section_at[group + 1] / p->stages, any);
}

static void include_passed(const Stages *p, const PassedList *passed, int buffer, bool *any)
{
    for (int i = 0; i < passed->count; i++)
        if (passed->data[i].buffer == buffer)
            include_group(p, &p->buffers[buffer], passed->data[i].group, any);
}

void stages_find_chunks(const StagesBody *b, int buffer, StageSet made)
{
    const Stages *p = b->p;
    StagesBuffer *info = &p->buffers[buffer];
    bool any = false;
    if (!p->apart)
        return;
    for (int64_t c = 0; info->of_chunk != NULL && c < p->chunks; c++)
        if (info->of_chunk[c].most > 0)
            include(info, c, &any);
    for (int section = 0; section <= p->decls->groups.count; section++)
        if (made >> section & 1)
            include(info, p->section_at[section] / p->stages, &any);
    include_passed(p, &b->carried, buffer, &any);
    include_passed(p, &b->returned, buffer, &any);
    if (!any) { /* of layers, and not one for each */
        int group = info->in_loops;
        include(info, group >= 0 ? stages_chunk_of(p, group, info->low_layer) : 0, &any);
        include(info, group >= 0 ? stages_chunk_of(p, group, info->high_layer) : p->chunks - 1, &any);
    }
}

/* ---- How many are in flight --------------------------------------------------------------------------------- */

/* When the first stage, where it takes longest until backward, runs a microbatch through a chunk, and the chunk's place
 * in the ring of first .. last. */
typedef struct Use {
    int64_t place, forward, backward;
} Use;

static Use use_of(const Stages *p, int64_t micro, int64_t chunk, int64_t first, int64_t last)
{
    int64_t group = micro / p->stages, start = group * p->chunks * p->stages + micro % p->stages;
    int64_t warmup = (p->chunks - 1) * p->stages + 2 * (p->stages - 1);
    return (Use){micro * (last - first + 1) + chunk - first, start + chunk * p->stages,
                 start + (p->chunks - 1 - chunk) * p->stages + warmup};
}

/* Marks the distances between places that are in use at once. */
static void note_overlaps(const Use *uses, int64_t count, bool *overlaps)
{
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < count; j++)
            if (uses[i].place < uses[j].place && uses[j].forward <= uses[i].backward &&
                uses[i].forward <= uses[j].backward)
                overlaps[uses[j].place - uses[i].place] = true;
}

int64_t stages_apart_depth(const Stages *p, int64_t first, int64_t last)
{
    /* Every group takes the same turns, and is in flight for fewer than those of two. */
    int64_t chunks = last - first + 1, most = 3 * p->stages, micros = p->micro < most ? p->micro : most;
    Use *uses = arena_array(p->ctx->arena, Use, micros * chunks);
    for (int64_t i = 0; i < micros * chunks; i++)
        uses[i] = use_of(p, i / chunks, first + i % chunks, first, last);
    bool *overlaps = arena_array(p->ctx->arena, bool, most *chunks + 1);
    note_overlaps(uses, micros * chunks, overlaps);
    int64_t depth = 1;
    for (int64_t distance = 1; distance <= most * chunks; distance++)
        if (overlaps[distance] && distance % depth == 0) {
            depth++;
            distance = 0; /* again, with one slot more */
        }
    return depth;
}

/* ---- Chunks with different numbers of layers ---------------------------------------------------------------- */

static int64_t slots_of(const StagesBuffer *info, int64_t chunk)
{
    return info->of_chunk[chunk].most + info->more;
}

int64_t stages_uneven_before(const StagesBuffer *info, int64_t chunk)
{
    int64_t before = 0;
    for (int64_t c = info->first_chunk; c < chunk; c++)
        before += slots_of(info, c);
    return before;
}

/* Of two places in use at once, by how far the one begins after the other: the slots of the longest of each. */
typedef struct Distance {
    int64_t first, second;
} Distance;

static void note_distances(const StagesBuffer *info, const Use *uses, int64_t count, Distance *distances)
{
    int64_t chunks = info->last_chunk - info->first_chunk + 1;
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < count; j++) {
            const Use *first = &uses[i], *second = &uses[j];
            if (first->place >= second->place || second->forward > first->backward || first->forward > second->backward)
                continue;
            int64_t first_slots = slots_of(info, info->first_chunk + i % chunks);
            int64_t second_slots = slots_of(info, info->first_chunk + j % chunks);
            Distance *distance = &distances[second->place - first->place];
            distance->first = first_slots > distance->first ? first_slots : distance->first;
            distance->second = second_slots > distance->second ? second_slots : distance->second;
        }
}

/* Do places at this distance share no slot of a ring of so many? */
static bool is_apart(const Distance *distance, int64_t by, int64_t slots)
{
    return by % slots >= distance->first && slots - by % slots >= distance->second;
}

int64_t stages_uneven_slots(const Stages *p, const StagesBuffer *info)
{
    int64_t chunks = info->last_chunk - info->first_chunk + 1, most = 3 * p->stages;
    int64_t micros = p->micro < most ? p->micro : most, whole = stages_uneven_before(info, info->last_chunk + 1);
    Use *uses = arena_array(p->ctx->arena, Use, micros * chunks);
    for (int64_t i = 0; i < micros * chunks; i++) {
        int64_t chunk = info->first_chunk + i % chunks;
        uses[i] = use_of(p, i / chunks, chunk, info->first_chunk, info->last_chunk);
        uses[i].place = i / chunks * whole + stages_uneven_before(info, chunk);
    }
    Distance *distances = arena_array(p->ctx->arena, Distance, micros * whole + 1);
    note_distances(info, uses, micros * chunks, distances);
    int64_t slots = info->ring_slots;
    for (int64_t by = 1; by <= micros * whole; by++)
        if (distances[by].first > 0 && !is_apart(&distances[by], by, slots)) {
            slots++;
            by = 0; /* again, with one slot more */
        }
    return slots;
}

/* ---- Groups of microbatches from both ends ------------------------------------------------------------------- */

/* The slots of a chunk, and of those before it, for one microbatch. */
static int64_t turning_slots_of(const StagesBuffer *info, int64_t chunk)
{
    return info->uneven ? slots_of(info, chunk) : info->ring_slots;
}

static int64_t turning_before(const StagesBuffer *info, int64_t chunk)
{
    int64_t before = 0;
    for (int64_t c = info->first_chunk; c < chunk; c++)
        before += turning_slots_of(info, c);
    return before;
}

/* Can chunk `first` of one group, from the start of a ring of so many slots, and chunk `second` of the next, from its
 * end, be there at once? When the second begins, of the first's chunks those are over that come after all chunks less
 * the second's number; of the one with just this number each microbatch is over as the same one of the next begins. */
static bool meet(const Stages *p, const StagesBuffer *info, int64_t first, int64_t second, int64_t slots)
{
    int64_t begins = turning_before(info, first), ends = turning_before(info, first + 1);
    int64_t from = slots - turning_before(info, second + 1);
    bool same = begins == from && turning_slots_of(info, first) == turning_slots_of(info, second);
    return first + second < p->chunks || (first + second == p->chunks && !same) ? ends > from : false;
}

int64_t stages_turning_slots(const Stages *p, const StagesBuffer *info)
{
    int64_t slots = turning_before(info, info->last_chunk + 1);
    for (int64_t first = info->first_chunk; first <= info->last_chunk; first++)
        for (int64_t second = info->first_chunk; second <= info->last_chunk; second++)
            if (meet(p, info, first, second, slots)) {
                slots++;
                first = info->first_chunk - 1; /* again, with one slot more */
                break;
            }
    return slots * p->stages;
}

Affine stages_turning_place(const Stages *p, const StagesBuffer *info, const Moment *moment)
{
    if (info->uneven && p->within < 0)
        BUG("a layer of no known chunk");
    int64_t chunk = info->uneven ? p->within : info->first_chunk, own = turning_slots_of(info, chunk);
    int64_t before = turning_before(info, chunk) * p->stages;
    Affine place = affine_constant(moment->odd ? info->turning - before - own * p->stages : before);
    affine_add(&place, &moment->micro, own);
    affine_add_term(&place, moment->group, -own * p->stages);
    if (info->uneven)
        return place;
    affine_add_term(&place, moment->chunk, (moment->odd ? -own : own) * p->stages);
    place.constant += (moment->odd ? own : -own) * p->stages * info->first_chunk;
    return place;
}

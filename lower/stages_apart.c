/* stages_apart.c - interleaved chunks of layers of several blocks (staging_apart): which chunks use a buffer that has
 * room for several microbatches, and how many are in flight.
 *
 * Each loop over layers is of one chunk, and a value is used by the chunks from its first section or layer to its last.
 */
#include "lower/stages_internal.h"

/* ---- Which chunks use a ring -------------------------------------------------------------------------------- */

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
        include(info, 0, &any);
        include(info, p->chunks - 1, &any);
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

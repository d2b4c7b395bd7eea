/* known.c - programs that were costed, by what makes them (search/known.h). */
#include "search/known.h"

#include <string.h>

typedef struct KnownVersion {
    const char *text;
    Cost cost;
} KnownVersion;

struct Known {
    Vec(const KnownVersion *) versions;
};

Known *known_new(Arena *arena)
{
    return arena_make(arena, Known);
}

/* All that a version says. */
static const char *text_of(Arena *arena, const Version *version)
{
    const char *declared = version->declared != NULL ? version->declared : "";
    const char *line = version->line != NULL ? version->line : "";
    return arena_printf(arena, "%s\n%s\n%lld\n%lld\n%s\n%s", version->mesh, version->strategy,
                        (long long)version->batch, (long long)version->micro, declared, line);
}

const Cost *known_find(const Pattern *pattern, const Version *version)
{
    const Known *known = pattern->known;
    const Cost *cost = NULL;
    if (known == NULL)
        return NULL;
    Arena *arena = arena_new();
    const char *text = text_of(arena, version);
    for (int i = 0; i < known->versions.count && cost == NULL; i++)
        if (strcmp(known->versions.data[i]->text, text) == 0)
            cost = &known->versions.data[i]->cost;
    arena_free(arena);
    return cost;
}

static const char *copy_text(Arena *arena, const char *text)
{
    return text != NULL ? arena_copy(arena, text, strlen(text)) : NULL;
}

static Cost cost_of(Arena *arena, const Costed *costed)
{
    Cost cost = {.error = copy_text(arena, costed->error)};
    if (cost.error != NULL)
        return cost;
    const PlanTime *time = &costed->plan->time;
    cost.unknown = copy_text(arena, time->unknown);
    cost.seconds = time->step;
    cost.spent[FOUND_COMPUTING] = time->computing;
    cost.spent[FOUND_COMMUNICATING] = time->communicating;
    cost.spent[FOUND_WAITING] = time->waiting;
    cost.bytes = costed->plan->total_bytes;
    return cost;
}

const Cost *known_add(const Pattern *pattern, const Version *version, const Costed *costed)
{
    Arena *arena = pattern->ctx->arena;
    KnownVersion *added = arena_make(arena, KnownVersion);
    added->cost = cost_of(arena, costed);
    if (pattern->known != NULL) {
        added->text = text_of(arena, version);
        vec_push(arena, &pattern->known->versions, added);
    }
    return &added->cost;
}

Found known_found(Arena *arena, const Space *space, const Choice *choice, const Cost *cost)
{
    Found found = {.choice = *choice, .error = cost->error};
    if (found.error != NULL)
        return found;
    found.error = space_unpredicted(arena, space, cost->unknown);
    found.seconds = cost->seconds;
    memcpy(found.spent, cost->spent, sizeof found.spent);
    found.bytes = (double)cost->bytes;
    found.slow = space_too_slow(space, found.seconds);
    found.fits = found.error == NULL && !found.slow && (space->memory_bytes == 0 || cost->bytes <= space->memory_bytes);
    return found;
}

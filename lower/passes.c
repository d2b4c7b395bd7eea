/* passes.c - the list of passes, in their order (lower/passes.h). */
#include "lower/passes.h"

#include "lower/buckets.h"
#include "lower/filled.h"
#include "lower/narrow.h"
#include "lower/offsets.h"
#include "lower/stages.h"
#include "lower/tiers.h"

static bool slots_run(Ctx *ctx, const Assignment *assignment, StepFile *file)
{
    (void)assignment;
    offsets_reduce_slots(ctx, file->program);
    return true;
}

static bool offsets_run(Ctx *ctx, const Assignment *assignment, StepFile *file)
{
    (void)assignment;
    file->live = offsets_place(ctx, file->program);
    return true;
}

static const struct Pass {
    const char *name;
    bool (*run)(Ctx *ctx, const Assignment *assignment, StepFile *file);
} passes[] = {
    {"filled", filled_run},   /* places that no row fills are not sent to experts */
    {"slots", slots_run},     /* one slot for what no layer keeps for another, none that nothing uses */
    {"stages", stages_run},   /* each stage of a pipeline has its own layers */
    {"buckets", buckets_run}, /* small reductions that can be done together are one */
    {"narrow", narrow_run},   /* two slots for what layers pass on, where the device is to hold little */
    {"tiers", tiers_run},     /* what is stored on the host or in a file is copied to the device for use */
    {"offsets", offsets_run}, /* every buffer gets its offset in the arena of its tier */
};

enum { PASS_COUNT = sizeof passes / sizeof *passes };

bool passes_run(Ctx *ctx, const Assignment *assignment, StepFile *file, int count)
{
    for (int i = 0; i < PASS_COUNT && (count == PASSES_ALL || i < count); i++)
        if (!passes[i].run(ctx, assignment, file))
            return false;
    step_name_communicators(ctx, file->program);
    return true;
}

const char *passes_name(int count)
{
    if (count == 0)
        return "derive";
    return count > 0 && count <= PASS_COUNT ? passes[count - 1].name : NULL;
}

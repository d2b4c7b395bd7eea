/* idle.c - finds syncs that have no effect (P0210): those without which the same program is derived.
 *
 * An operation is always emitted where it is written. `none` only removes something from what is derived: whether there
 * was anything to remove is known once the program was derived without it. Over an axis of size 1 nothing is ever
 * derived, and a sync over it has an effect for other sizes.
 */
#include "derive/idle.h"
#include "base/change.h"
#include "strategy/assign.h"

#include <stdlib.h>
#include <string.h>

/* ---- What a sync applies to --------------------------------------------------------------------------------- */

static bool takes_away(const Sync *sync)
{
    return sync->operation == SYNC_NONE && sync->scale_numerator == sync->scale_denominator;
}

/* The axes that a `none` applies to: those that it names; else all. But for a count only those that shard the batch, if
 * the loss has a mean, and none for states that an update writes: nothing is derived for these anyway. */
static bool is_about(const Train *train, const Assignment *assignment, const Sync *sync, int axis)
{
    switch (sync->target) {
    case SYNC_STATE:
    case SYNC_STATISTICS:
        return false;
    case SYNC_COUNT:
        return train->means.count > 0 && axes_contain(assignment->batch_axes, axis);
    case SYNC_GRADIENTS:
    case SYNC_PARAMETERS:
    case SYNC_NORM:
    case SYNC_LOSS:
    case SYNC_ACTIVATIONS:
    case SYNC_COTANGENTS:
        return sync->axes.count == 0 || axes_contain(sync->axes, axis);
    }
    BUG("a sync of no target");
}

static bool meets_single(const Train *train, const Assignment *assignment, const Sync *sync)
{
    for (int a = 0; a < train->decls.axes.count; a++)
        if (train->decls.axes.data[a].size == 1 && is_about(train, assignment, sync, a))
            return true;
    return false;
}

/* Does an axis that it leaves to the compiler have size 1? */
static bool leaves_single(const Decls *decls, const Sync *sync)
{
    for (int a = 0; a < decls->axes.count; a++)
        if (decls->axes.data[a].size == 1 && !axes_contain(sync->axes, a))
            return true;
    return false;
}

/* Can we find out whether the `none`, or the `derive the rest`, has an effect? */
static bool none_is_tried(const Train *train, const Assignment *assignment, const Sync *sync)
{
    return takes_away(sync) && !meets_single(train, assignment, sync);
}

static bool rest_is_tried(const Train *train, const Assignment *assignment, const Sync *sync)
{
    return sync->derive_rest && !leaves_single(&train->decls, sync) &&
           (!takes_away(sync) || !meets_single(train, assignment, sync));
}

/* ---- Is it the same program? -------------------------------------------------------------------------------- */

typedef struct Printed {
    char *data;
    size_t size;
} Printed;

static Printed print(const StepFile *file)
{
    Printed text = {0};
    FILE *out = open_memstream(&text.data, &text.size);
    if (out == NULL)
        BUG("no memory for the text of a program");
    step_print(file, NULL, out);
    fclose(out);
    return text;
}

static bool prints_alike(const StepFile *file, const Printed *text)
{
    Printed other = print(file);
    bool alike = other.size == text->size && memcmp(other.data, text->data, other.size) == 0;
    free(other.data);
    return alike;
}

static void report(Ctx *ctx, const Sync *sync)
{
    Diagnostic *d = diag_report(ctx->diag, P0210, sync->span, "nothing follows from this sync");
    if (sync->target == SYNC_COUNT)
        diag_why(d, "No mean of the loss is divided by a count that several ranks have parts of.");
    else
        diag_why(d, "`none` leaves out what is derived for what it names, and nothing is: without it the same program "
                    "is derived.");
    diag_help(d, "Leave it out.");
}

static void report_rest(Ctx *ctx, const Decls *decls, const Sync *sync)
{
    Diagnostic *d = diag_report(ctx->diag, P0210, sync->span, "'derive the rest', where nothing is left to derive");
    if (sync->axes.count == decls->axes.count)
        diag_why(d, "The sync is over all axes of the mesh.");
    else
        diag_why(d, "Over the axes that the sync leaves nothing is derived for what it names: without these words the "
                    "same program is.");
    if (sync->operation == SYNC_NONE)
        diag_help(d, "Say `none` alone.");
    else
        diag_help(d, "Leave `derive the rest` out.");
}

/* ---- What is tried ------------------------------------------------------------------------------------------ */

static const Assignment *without(Ctx *ctx, const Assignment *assignment, int index)
{
    Assignment *less = arena_make(ctx->arena, Assignment);
    *less = *assignment;
    memset(&less->syncs, 0, sizeof(less->syncs));
    for (int i = 0; i < assignment->syncs.count; i++)
        if (i != index)
            vec_push(ctx->arena, &less->syncs, assignment->syncs.data[i]);
    return less;
}

/* The assignment without `derive the rest`: a `none` then names no axes. */
static const Assignment *without_rest(Ctx *ctx, const Assignment *assignment, int index)
{
    Assignment *less = arena_make(ctx->arena, Assignment);
    *less = *assignment;
    memset(&less->syncs, 0, sizeof(less->syncs));
    for (int i = 0; i < assignment->syncs.count; i++)
        vec_push(ctx->arena, &less->syncs, assignment->syncs.data[i]);
    Sync *sync = &less->syncs.data[index];
    sync->derive_rest = false;
    if (sync->operation == SYNC_NONE)
        memset(&sync->axes, 0, sizeof(sync->axes));
    return less;
}

static bool derives_alike(Ctx *ctx, const Train *train, const Assignment *less, const Printed *text)
{
    Ctx unheard = *ctx;
    unheard.diag = diag_new(ctx->arena, ctx->sources);
    const StepFile *other = derive_program(&unheard, train, less);
    return other != NULL && prints_alike(other, text);
}

/* The assignment without the `none`, if that has no effect, which is reported; else NULL. */
static const Assignment *report_idle_none(Ctx *ctx, const Train *train, const Assignment *assignment, int index,
                                          const Printed *text)
{
    const Assignment *less = without(ctx, assignment, index);
    if (!derives_alike(ctx, train, less, text))
        return NULL;
    report(ctx, &assignment->syncs.data[index]);
    return less;
}

/* The same for a `derive the rest`. */
static const Assignment *report_idle_rest(Ctx *ctx, const Train *train, const Assignment *assignment, int index,
                                          const Printed *text)
{
    const Assignment *less = without_rest(ctx, assignment, index);
    if (!derives_alike(ctx, train, less, text))
        return NULL;
    report_rest(ctx, &train->decls, &assignment->syncs.data[index]);
    return less;
}

/* Of two equal syncs one has no effect: each is tried without those already reported. */
bool derive_report_idle(Ctx *ctx, const Train *train, const Assignment *given, const StepFile *file)
{
    const Assignment *assignment = given;
    Printed text = {0}; /* printed once there is something to compare with it */
    for (int i = assignment->syncs.count - 1; i >= 0; i--) {
        bool none = none_is_tried(train, assignment, &assignment->syncs.data[i]);
        bool rest = rest_is_tried(train, assignment, &assignment->syncs.data[i]);
        if (!none && !rest)
            continue;
        if (text.data == NULL)
            text = print(file);
        const Assignment *less = none ? report_idle_none(ctx, train, assignment, i, &text) : NULL;
        less = less == NULL && rest ? report_idle_rest(ctx, train, assignment, i, &text) : less;
        assignment = less != NULL ? less : assignment;
    }
    free(text.data);
    return assignment != given;
}

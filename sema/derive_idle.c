/* derive_idle.c - syncs from which nothing follows (P0210): those without which the same program is derived.
 *
 * An operation is done where it is written, whatever else would have been. `none` and `derive the rest` only take
 * something away from what is derived, or leave it: whether there was anything is known once it was derived without
 * them. Over an axis of size 1 nothing is ever derived, and what is said of it is right for other sizes.
 */
#include "base/change.h"
#include "sema/derive_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- What is tried ------------------------------------------------------------------------------------------ */

/* What grows leaves the storage of the original alone. */
#define seal(vec) ((vec)->capacity = (vec)->count)

Train *derive_spare(Ctx *ctx, const Train *train)
{
    Train *spare = arena_make(ctx->arena, Train);
    Decls *decls = arena_make(ctx->arena, Decls);
    *spare = *train;
    *decls = *train->decls;
    seal(&decls->axes);
    seal(&decls->tables);
    seal(&decls->groups);
    seal(&decls->tensors);
    seal(&decls->states);
    seal(&decls->units);
    seal(&decls->maps);
    spare->decls = decls;
    return spare;
}

static bool takes_away(const Sync *sync)
{
    return sync->operation == SYNC_NONE && sync->scale_numerator == sync->scale_denominator;
}

/* Whether an axis that it is about has one rank: those that it names, or, of `derive the rest` and where it names none,
 * the others. */
static bool meets_single(const Decls *decls, const Sync *sync)
{
    for (int a = 0; a < decls->axes.count; a++)
        if (decls->axes.data[a].size == 1 && axes_contain(sync->axes, a) == (takes_away(sync) && sync->axes.count > 0))
            return true;
    return false;
}

/* Some gradients alone: they lie in units of their own for it, and are told apart from those that are summed. */
static bool tells_apart(const Decls *decls, const Sync *sync)
{
    return sync->target == SYNC_GRADIENTS && sync->unit_count < decls->units.count;
}

/* The request without the sync at `index`; of one that does something, without its `derive the rest`. */
static Assignment *without(Ctx *ctx, const Assignment *assignment, int index)
{
    Assignment *less = arena_make(ctx->arena, Assignment);
    *less = *assignment;
    memset(&less->syncs, 0, sizeof(less->syncs));
    for (int i = 0; i < assignment->syncs.count; i++) {
        Sync sync = assignment->syncs.data[i];
        if (i == index && takes_away(&sync))
            continue;
        sync.derive_rest &= i != index;
        vec_push(ctx->arena, &less->syncs, sync);
    }
    return less;
}

/* ---- Whether it is the same --------------------------------------------------------------------------------- */

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
    if (takes_away(sync)) {
        Diagnostic *d = diag_report(ctx->diag, P0210, sync->span, "nothing follows from this sync");
        diag_why(d, "`none` leaves out what is derived for what it names, and nothing is: without it the same program "
                    "is derived.");
        diag_repair(d, (Repair){.kind = REPAIR_LEAVE_OUT, .span = sync->span, .otherwise = "Leave it out."});
    } else {
        Diagnostic *d = diag_report(ctx->diag, P0210, sync->span, "'derive the rest', where nothing is left to derive");
        diag_why(d, "On the axes that no clause names, nothing is derived for what it names.");
        diag_repair(d, (Repair){.kind = REPAIR_NO_REST, .span = sync->span, .otherwise = "Leave it out."});
    }
}

bool derive_report_idle(Ctx *ctx, const Train *train, const StepFile *file)
{
    if (train->assignment->syncs.count == 0) /* then nothing need be printed to be compared */
        return false;
    Printed text = print(file);
    bool idle = false;
    for (int i = 0; i < train->assignment->syncs.count; i++) {
        const Sync *sync = &train->assignment->syncs.data[i];
        bool tried = takes_away(sync) ? !tells_apart(train->decls, sync) : sync->derive_rest;
        if (!tried || meets_single(train->decls, sync))
            continue;
        Ctx unheard = *ctx;
        unheard.diag = diag_new(ctx->arena, ctx->sources);
        Train *spare = derive_spare(ctx, train);
        spare->assignment = without(ctx, train->assignment, i);
        const StepFile *other = derive_program(&unheard, spare);
        if (other != NULL && prints_alike(other, &text)) {
            report(ctx, sync);
            idle = true;
        }
    }
    free(text.data);
    return idle;
}

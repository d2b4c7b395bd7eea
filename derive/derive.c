/* derive.c - from the reference and the assignment to the program, in stages: facts, choices, emission. */
#include "derive/derive.h"
#include "derive/emit.h"
#include "derive/idle.h"
#include "derive/place.h"

/* Reports what a placing found. */
static bool report(const Facts *f, const Choices *choices)
{
    for (int i = 0; i < f->reference->routines.count; i++)
        if (choices->routines[i].reports != NULL)
            diag_adopt(f->ctx->diag, choices->routines[i].reports);
    return false;
}

/* Places everything, with what is known, only to find over which axes gradients and sums over the batch are parts. */
static bool find_sums_with(Placer *p, const Facts *f, const Sums *known, Sums *sums)
{
    Arena *scratch = arena_new();
    const Choices *choices = place_program(p, f, known, NULL, scratch);
    bool good = !choices->failed;
    if (good)
        *sums = sums_of(f, choices, known);
    arena_free(scratch);
    return good || report(f, place_program(p, f, known, NULL, f->ctx->arena));
}

static bool find_sums(Placer *p, const Facts *f, Sums *sums)
{
    Sums unknown = sums_unknown(f);
    if (!find_sums_with(p, f, &unknown, sums))
        return false;
    unknown.values = sums->values;
    unknown.parted = sums_parted(f, sums);
    return unknown.parted == NULL || find_sums_with(p, f, &unknown, sums);
}

/* Everything that is decided; NULL if the request has no lowering. The reports of each routine are in its choices. */
static const Choices *choose(Ctx *ctx, const Train *train, const Assignment *assignment)
{
    Sums sums;
    const Facts *f = facts_find(ctx, train, assignment);
    Placer *p = f != NULL ? placer_new(f) : NULL;
    if (p == NULL || !find_sums(p, f, &sums))
        return NULL;
    f = units_split(f, &sums);
    const UnitInfo *units = units_find(f, &sums);
    return units != NULL ? place_program(p, f, &sums, units, ctx->arena) : NULL;
}

/* What the strategy says that had no effect. */
static bool check_choices(const Choices *choices)
{
    return derive_check_done(choices->facts, choices->synced) &&
           derive_check_recomputed(choices->facts, choices->recomputed) &&
           derive_check_pinned(choices->facts, choices->pinned) &&
           derive_check_converted(choices->facts, choices->converted);
}

/* Reports what was found in a routine's choices; false if they are not complete. */
static bool check_routine(const Choices *choices, const RoutineChoices *routine)
{
    const Facts *f = choices->facts;
    diag_adopt(f->ctx->diag, routine->facts->unused);
    diag_adopt(f->ctx->diag, routine->reports);
    return !routine->failed;
}

static bool check_travelled(const Choices *choices, const RoutineChoices *routine)
{
    return routine->facts->routine->kind != ROUTINE_STEP || derive_check_travelled(choices->facts, choices->travelled);
}

/* Emits the routines in order, up to one that is refused. */
static bool emit_program(Emit *e, const Choices *choices)
{
    for (int i = 0; i < choices->facts->reference->routines.count; i++) {
        const RoutineChoices *routine = &choices->routines[i];
        if (!check_routine(choices, routine))
            return false;
        derive_emit_routine(e, routine);
        if (e->failed || !check_travelled(choices, routine))
            return false;
    }
    return true;
}

StepFile *derive_program(Ctx *ctx, const Train *train, const Assignment *assignment)
{
    const Choices *choices = choose(ctx, train, assignment);
    if (choices == NULL)
        return NULL;
    Emit *e = derive_emit_new(choices);
    if (e->failed || !emit_program(e, choices) || !check_choices(choices))
        return NULL;
    derive_split_kept(e);
    derive_keep_on_tiers(e);
    if (e->failed)
        return NULL;
    StepFile *file = arena_make(ctx->arena, StepFile);
    *file = (StepFile){.decls = choices->facts->decls, .reference = train->reference, .program = e->program};
    return file;
}

const Choices *derive_choices(Ctx *ctx, const Train *train, const Assignment *assignment)
{
    const Choices *choices = choose(ctx, train, assignment);
    if (choices == NULL)
        return NULL;
    for (int i = 0; i < choices->facts->reference->routines.count; i++) {
        const RoutineChoices *routine = &choices->routines[i];
        if (!check_routine(choices, routine) || !check_travelled(choices, routine))
            return NULL;
    }
    return check_choices(choices) ? choices : NULL;
}

StepFile *derive_step(Ctx *ctx, const Train *train, const Assignment *assignment)
{
    StepFile *file = derive_program(ctx, train, assignment);
    return file != NULL && derive_report_idle(ctx, train, assignment, file) ? NULL : file;
}

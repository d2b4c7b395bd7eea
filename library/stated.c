/* stated.c - the cheapest plan of DistPar as a program (library/stated.h). */
#include "library/stated.h"

#include "library/plain.h"

#include <string.h>

/* A plan is about one axis; NULL: the mesh has no other. */
static const char *other_axis(const Inferred *inferred)
{
    const Decls *decls = &inferred->train->decls;
    for (int i = 0; i < decls->axes.count; i++)
        if (decls->axes.data[i].size > 1 && strcmp(decls->axes.data[i].name, inferred->axis) != 0)
            return decls->axes.data[i].name;
    return NULL;
}

static bool divides_batch(const Inferred *inferred, const Assignment *assignment)
{
    bool divides = false;
    for (int i = 0; i < assignment->batch_axes.count; i++)
        divides = divides ||
                  strcmp(inferred->train->decls.axes.data[assignment->batch_axes.axis[i]].name, inferred->axis) == 0;
    return divides;
}

static const char *copied(const Inferred *inferred, const char *text)
{
    return text != NULL ? arena_copy(inferred->ctx->arena, text, strlen(text)) : NULL;
}

/* What the new program is and costs; false if it is not right. */
static bool cost_again(Compile *again, const char *axis, Inferred *inferred)
{
    Inferred stated = {0};
    if (!compile_stages(again)) {
        inferred->failure = arena_printf(inferred->ctx->arena, "the cheapest plan is no right program: %s",
                                         diag_error_count(again->ctx.diag) > 0 ? diag_first_error(again->ctx.diag)
                                                                               : "it is not proved");
        return false;
    }
    if (!compile_choices(again) ||
        !infer_run(&again->ctx, again->train, again->assignment, again->choices, &(InferAsked){.axis = axis}, &stated))
        return false;
    inferred->stated = (InferStated){.letters = copied(inferred, stated.written.letters),
                                     .why_not = copied(inferred, stated.written.why_not),
                                     .cost = stated.written.cost};
    return true;
}

const char *stated_program(const Compile *compile, const char *axis, Inferred *inferred)
{
    Arena *arena = inferred->ctx->arena;
    const char *other = other_axis(inferred);
    if (inferred->chosen.why_not != NULL || other != NULL) {
        inferred->failure =
            other != NULL ? arena_printf(arena, "the cheapest plan is over '%s' alone, and the mesh has '%s', too",
                                         inferred->axis, other)
                          : arena_printf(arena, "there is no cheapest plan, because %s", inferred->chosen.why_not);
        return NULL;
    }
    const char *batch = divides_batch(inferred, compile->assignment) ? "data_parallel" : NULL;
    const char *call = arena_printf(arena, "%s%s%s(%s)", batch != NULL ? batch : "",
                                    batch != NULL ? arena_printf(arena, "(%s) * ", inferred->axis) : "", inferred->name,
                                    inferred->axis);
    const char *text = plain_replace(compile, call, inferred->strategy);
    Compile again;
    plain_again(compile, text, &again);
    bool good = cost_again(&again, axis, inferred);
    compile_close(&again);
    return good ? text : NULL;
}

/* cuts.c - sets of axes, and one cut inside another (verify/cuts.h). */
#include "verify/cuts.h"

bool cuts_extend(const Cuts *outer, const Cuts *inner, AxisMask *over)
{
    if (inner->count < outer->count || (outer->count > 0 && !segments_equal(outer->segments, inner->segments)))
        return false;
    for (int i = 0; i < inner->count; i++) {
        if (i < outer->count) {
            if (outer->axis[i] != inner->axis[i])
                return false;
            continue;
        }
        AxisMask bit = (AxisMask)1 << inner->axis[i];
        if (!(*over & bit))
            return false;
        *over &= ~bit;
    }
    return true;
}

bool cuts_differ_by(const Cuts *a, const Cuts *b, AxisMask over)
{
    const Cuts *outer = a->count < b->count ? a : b, *inner = outer == a ? b : a;
    return over != 0 && cuts_extend(outer, inner, &over) && over == 0;
}

const char *axes_text(Arena *arena, const Decls *decls, AxisMask axes)
{
    Text text = {.arena = arena};
    for (int a = 0; a <= TIME_BIT; a++)
        if (axes >> a & 1)
            text_add(&text, "%s%s", text.length > 0 ? " and " : "",
                     a == TIME_BIT ? "the microbatches" : decls->axes.data[a].name);
    return text.data != NULL ? text.data : "";
}

/* view.h - a reference as its operator sees it: an array with dims and their cuts, or a flat slot of a unit.
 *
 * A view is in normal form: axes of size 1 cut nothing, so that equal layouts have equal views.
 */
#ifndef PLACE_VERIFY_VIEW_H
#define PLACE_VERIFY_VIEW_H

#include "verify/cuts.h"

/* A reference as its operator sees it: dense with dims, or a flat slot of a unit. */
typedef struct View {
    bool flat;
    int unit;         /* flat */
    Each each;        /* flat: what it holds one number for in each member */
    Cuts cuts;        /* flat */
    AxisMask members; /* flat: the axes that cut the members' dims */
    int dim_count;
    int64_t size[STEP_MAX_DIMS];
    Cuts dim_cuts[STEP_MAX_DIMS];
    int64_t before[STEP_MAX_DIMS], after[STEP_MAX_DIMS]; /* the halo of a piece */
    bool padded[STEP_MAX_DIMS]; /* pieces differ in size: each has the room of the largest, zero-filled */
} View;

void view_make(const Program *program, const Ref *ref, bool reference, View *view);
/* One member of a unit, or its rows or columns. */
void member_view(const Decls *decls, bool reference, const Unit *unit, Each each, int position, View *view);
/* Adds what a declaration says, an axis or CUT_MICRO. */
void cuts_add(const Decls *decls, bool reference, Cuts *cuts, int cut);
/* The position of a tensor among the members; -1 if it is none. */
int unit_position(const Unit *unit, int tensor);

AxisMask view_mask(const View *view);
bool view_equal(const View *a, const View *b);
static inline bool view_has_halo(const View *view)
{
    for (int d = 0; d < view->dim_count; d++)
        if (view->before[d] + view->after[d] > 0)
            return true;
    return false;
}

static inline bool view_is_padded(const View *view)
{
    for (int d = 0; d < view->dim_count; d++)
        if (view->padded[d])
            return true;
    return false;
}

/* The position of an element in a dim gives its index only where the dim is cut into plain ranges. */
bool view_has_segments(const View *view);

#endif

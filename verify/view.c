/* view.c - makes views in normal form: axes of size 1 cut nothing, whole dims have no segments (verify/view.h). */
#include "verify/view.h"

#include <string.h>

/* Normal form: drops axes of size 1. */
void cuts_add(const Decls *decls, bool reference, Cuts *cuts, int cut)
{
    int64_t size = cut == CUT_MICRO ? (reference ? 1 : decls->micro) : decls->axes.data[cut].size;
    if (size > 1 && cuts->count < (int)sizeof(cuts->axis))
        cuts->axis[cuts->count++] = cut == CUT_MICRO ? TIME_BIT : (int8_t)cut;
}

/* Normal form: keeps segments only where a dim is cut, and padding only where pieces differ in size. */
static void dims_view(const Decls *decls, bool reference, const Dim *dims, int count, View *view)
{
    view->dim_count = count;
    for (int d = 0; d < count; d++) {
        view->size[d] = dims[d].size;
        view->before[d] = dims[d].halo_before;
        view->after[d] = dims[d].halo_after;
        int64_t parts = 1;
        for (int i = 0; i < dims[d].cut_count; i++) {
            cuts_add(decls, reference, &view->dim_cuts[d], dims[d].cut[i]);
            parts *= dims[d].cut[i] == CUT_MICRO ? 1 : decls->axes.data[dims[d].cut[i]].size;
        }
        if (view->dim_cuts[d].count > 0 && dims[d].segments != NULL && dims[d].segments->count > 1)
            view->dim_cuts[d].segments = dims[d].segments;
        view->padded[d] = dims[d].padded && dims[d].size % parts != 0;
    }
}

void member_view(const Decls *decls, bool reference, const Unit *unit, Each each, int position, View *view)
{
    Dim dims[STEP_MAX_DIMS];
    int first, count = each_dims(each, decls->tensors.data[unit->members[position]].dim_count, &first);
    unit_member_dims(decls, unit, position, dims);
    dims_view(decls, reference, dims + first, count, view);
}

int unit_position(const Unit *unit, int tensor)
{
    for (int i = 0; i < unit->member_count; i++)
        if (unit->members[i] == tensor)
            return i;
    return -1;
}

void view_make(const Program *program, const Ref *ref, bool reference, View *view)
{
    const Decls *decls = program->decls;
    const Buffer *buffer = &program->buffers.data[ref->buffer];
    memset(view, 0, sizeof *view);
    const Unit *unit = buffer->layout == LAYOUT_UNIT ? &decls->units.data[buffer->unit] : NULL;
    if (ref->member >= 0 && unit != NULL) {
        member_view(decls, reference, unit, buffer->each, unit_position(unit, ref->member), view);
        return;
    }
    view->flat = unit != NULL;
    view->unit = buffer->unit;
    view->each = buffer->each;
    if (!view->flat) {
        dims_view(decls, reference, buffer->dims, buffer->dim_count, view);
        return;
    }
    for (int i = 0; i < buffer->cut_count; i++)
        cuts_add(decls, reference, &view->cuts, buffer->cut[i]);
    if (unit->member_dims == NULL || view->each == EACH_TENSOR)
        return;
    View member = {0}; /* all members are cut over the same axes; check_members handles rows and columns */
    member_view(decls, reference, unit, view->each, 0, &member);
    view->members = view_mask(&member);
}

AxisMask view_mask(const View *view)
{
    AxisMask mask = cuts_mask(&view->cuts) | view->members;
    for (int d = 0; d < view->dim_count; d++)
        mask |= cuts_mask(&view->dim_cuts[d]);
    return mask;
}

/* Compares views without halo or padding. */
bool view_equal(const View *a, const View *b)
{
    if (a->flat != b->flat || a->dim_count != b->dim_count || (a->flat && (a->unit != b->unit || a->each != b->each)) ||
        !cuts_equal(&a->cuts, &b->cuts))
        return false;
    for (int d = 0; d < a->dim_count; d++)
        if (a->size[d] != b->size[d] || !cuts_equal(&a->dim_cuts[d], &b->dim_cuts[d]))
            return false;
    return true;
}

bool view_has_segments(const View *view)
{
    for (int d = 0; d < view->dim_count; d++)
        if (view->dim_cuts[d].segments != NULL)
            return true;
    return false;
}

/* axes.c - names of axes: of the mesh, of several together, and parameters of a strategy that stand for one. */
#include "parser/resolve.h"
#include "strategy/internal.h"

#include <string.h>

int strategy_axis(const Evaluation *e, const Factor *factor, AstName name)
{
    NameVec known = {0};
    const Binding *untyped = NULL;
    for (int i = 0; factor != NULL && i < factor->bindings.count; i++) {
        const Binding *binding = &factor->bindings.data[i];
        if (binding->axis < 0) {
            untyped = binding->name.text == name.text ? binding : untyped;
            continue;
        }
        if (binding->name.text == name.text)
            return binding->axis;
        vec_push(e->ctx->arena, &known, binding->name.text);
    }
    for (int i = 0; i < e->decls->axes.count; i++) {
        if (strcmp(e->decls->axes.data[i].name, name.text) == 0)
            return i;
        vec_push(e->ctx->arena, &known, e->decls->axes.data[i].name);
    }
    for (int i = 0; i < e->train->derived_axes.count; i++) {
        if (strcmp(e->train->derived_axes.data[i].name, name.text) == 0)
            return DERIVED_AXIS + i;
        vec_push(e->ctx->arena, &known, e->train->derived_axes.data[i].name);
    }
    if (!e->known.axes)
        return -1;
    Diagnostic *d = strategy_report(e, factor, P0201, name.span, "unknown axis '%s'", name.text);
    if (untyped != NULL) {
        diag_label(d, untyped->name.span, "a parameter, but not declared as an axis");
        const char *axis = arena_printf(e->ctx->arena, "%s: axis", name.text);
        diag_help_edit(d, untyped->name.span, axis, "Declare it as one: `%s`.", axis);
        return -1;
    }
    const Axis *axes = e->train->decls.axes.data;
    if (e->train->decls.axes.count > 0)
        diag_label(d, axes[0].span, "the axes of '%s' are declared here", e->train->mesh_name);
    resolve_suggest(e->ctx, d, name.text, known.data, known.count);
    return -1;
}

int strategy_axis_product(const Evaluation *e, const Factor *factor, const AstNode *node)
{
    if (node->kind == AST_NAME)
        return strategy_axis(e, factor, node->name);
    int left = strategy_axis_product(e, factor, node->binary.left);
    int right = left < 0 ? -1 : strategy_axis_product(e, factor, node->binary.right);
    if (right < 0)
        return -1;
    AxisSet members[2] = {strategy_axis_members(e, left), strategy_axis_members(e, right)};
    int product = AXIS_PRODUCT;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < members[side].count; i++) {
            int axis = members[side].axis[i];
            if (product >> axis & 1) {
                strategy_report(e, factor, P0209, node->binary.right->span, "the axis '%s' is named twice",
                                e->decls->axes.data[axis].name);
                return -1;
            }
            product |= 1 << axis;
        }
    return product;
}

static AxisSet axes_of_product(int product)
{
    AxisSet axes = {0};
    for (int axis = 0; axis < STEP_MAX_AXES; axis++)
        if (product >> axis & 1)
            axes.axis[axes.count++] = (int8_t)axis;
    return axes;
}

AxisSet strategy_axis_members(const Evaluation *e, int axis)
{
    if (axis >= AXIS_PRODUCT)
        return axes_of_product(axis);
    return axis >= DERIVED_AXIS ? e->train->derived_axes.data[axis - DERIVED_AXIS].axes
                                : (AxisSet){.count = axis >= 0, .axis = {(int8_t)axis}};
}

int64_t strategy_axis_size(const Evaluation *e, int axis)
{
    AxisSet members = strategy_axis_members(e, axis);
    int64_t size = 1;
    for (int i = 0; i < members.count; i++)
        size *= e->decls->axes.data[members.axis[i]].size;
    return size;
}

bool strategy_is_named_together(const Evaluation *e, const Factor *factor, const AstNames *names, int axis)
{
    for (int i = 0; i < names->count; i++) {
        AxisSet members = strategy_axis_members(e, strategy_axis(e, factor, names->data[i]));
        for (int m = 0; m < members.count; m++)
            if (members.axis[m] == axis)
                return members.count > 1;
    }
    return false;
}

bool strategy_axes(const Evaluation *e, const Factor *factor, const AstNames *names, AxisSet *axes)
{
    const AstName *first[STEP_MAX_AXES] = {NULL};
    bool ok = true;
    for (int i = 0; i < names->count; i++) {
        int named = strategy_axis(e, factor, names->data[i]);
        AxisSet members = strategy_axis_members(e, named);
        for (int m = 0; m < members.count; m++) {
            int axis = members.axis[m];
            if (first[axis] == NULL) {
                first[axis] = &names->data[i];
                continue;
            }
            Diagnostic *d = strategy_report(e, factor, P0209, names->data[i].span, "the axis '%s' is named twice",
                                            e->decls->axes.data[axis].name);
            diag_label(d, first[axis]->span, "first here");
            ok = false;
        }
        ok &= named >= 0;
    }
    *axes = (AxisSet){0};
    for (int axis = 0; axis < e->decls->axes.count; axis++)
        if (first[axis] != NULL)
            axes->axis[axes->count++] = (int8_t)axis;
    return ok;
}

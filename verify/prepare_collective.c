/* prepare_collective.c - moves and collectives: the shape rules that step/collective.def names. */
#include "verify/prepare_internal.h"

/* ---- Layouts that extend each other ------------------------------------------------------------------------- */

/* Flat cuts nest only if the inner cut divides the ranges of the outer one evenly. */
static bool flat_cuts_nest(const Decls *decls, const View *whole, const View *cut)
{
    if (whole->cuts.count == 0)
        return true;
    int64_t outer = 1, parts = 1, elements = decls->units.data[whole->unit].elements;
    for (int i = 0; i < cut->cuts.count; i++) {
        int64_t size = decls->axes.data[cut->cuts.axis[i]].size;
        parts *= size;
        outer *= i < whole->cuts.count ? size : 1;
    }
    int64_t range = (elements + outer - 1) / outer, piece = (elements + parts - 1) / parts;
    return piece * (parts / outer) == range;
}

static bool views_extend(const Decls *decls, const View *whole, const View *cut, AxisMask over)
{
    if (whole->flat != cut->flat || whole->each != cut->each || whole->dim_count != cut->dim_count)
        return false;
    if (whole->flat)
        return whole->unit == cut->unit && cuts_extend(&whole->cuts, &cut->cuts, &over) && over == 0 &&
               flat_cuts_nest(decls, whole, cut);
    for (int d = 0; d < whole->dim_count; d++)
        if (whole->size[d] != cut->size[d] || !cuts_extend(&whole->dim_cuts[d], &cut->dim_cuts[d], &over))
            return false;
    return over == 0;
}

/* How the pieces of `cut`, each in its position and zero elsewhere, add up to the whole. */
static void prepare_placing(Prepare *p, Prepared *prepared, const View *whole, const View *cut)
{
    prepared->part = arena_array(p->table->arena, DecompPart, STEP_MAX_DIMS);
    if (cut->flat) {
        prepared->part[prepared->part_count++] =
            (DecompPart){.index = DECOMP_PLACE_UNIT - cut->unit, .cuts = cut->cuts};
        return;
    }
    for (int d = 0; d < cut->dim_count; d++)
        if (cut->dim_cuts[d].count > whole->dim_cuts[d].count)
            prepared->part[prepared->part_count++] =
                (DecompPart){.index = DECOMP_PLACE_DIM - d, .cuts = cut->dim_cuts[d]};
}

/* Every rank keeps its layout: all_reduce, and collectives that only pass values on. */
static void prepare_alike(Prepare *p, Prepared *prepared, const View *operand, const View *out)
{
    const Decls *decls = p->program->decls;
    if (!views_extend(decls, operand, out, 0))
        fault_shape(p, prepared, "operand and result have different layouts");
    for (int dim = 0; dim < out->dim_count; dim++) {
        if (operand->padded[dim] != out->padded[dim])
            fault_shape(p, prepared, "one side is padded and the other is not");
        if ((cuts_mask(&out->dim_cuts[dim]) & prepared->over) != 0 && !out->padded[dim] &&
            !cuts_evenly(p, out->size[dim], &out->dim_cuts[dim]))
            fault_shape(p, prepared, "its ranks have pieces of different sizes");
    }
}

/* The dim of `more` whose cuts are those of `less` followed by `over`, if all other dims are cut alike in both; -1 if
 * there is none. `except` is ignored. */
static int extended_dim(const View *less, const View *more, AxisMask over, int except)
{
    int found = -1;
    for (int d = 0; d < less->dim_count; d++) {
        AxisMask rest = over;
        if (d == except || cuts_equal(&less->dim_cuts[d], &more->dim_cuts[d]))
            continue;
        if (found >= 0 || !cuts_extend(&less->dim_cuts[d], &more->dim_cuts[d], &rest) || rest != 0)
            return -1;
        found = d;
    }
    return found;
}

/* ---- Layouts that exchange ---------------------------------------------------------------------------------- */

/* Cut innermost over these axes, in one dim before and in another after. Axes of size 1 move nothing. */
static void prepare_all_to_all(Prepare *p, Prepared *prepared, const View *operand, const View *out)
{
    bool fits = !out->flat && !operand->flat && out->dim_count == operand->dim_count;
    for (int d = 0; fits && d < out->dim_count; d++)
        fits = out->size[d] == operand->size[d];
    int to = -1, from = -1;
    for (int d = 0; fits && prepared->over != 0 && d < out->dim_count; d++) {
        if (operand->dim_cuts[d].count > out->dim_cuts[d].count)
            from = d;
        if (operand->dim_cuts[d].count < out->dim_cuts[d].count)
            to = d;
    }
    if (fits && prepared->over == 0)
        fits = views_extend(p->program->decls, operand, out, 0);
    else if (fits)
        fits = from >= 0 && to >= 0 && extended_dim(operand, out, prepared->over, from) == to &&
               extended_dim(out, operand, prepared->over, to) == from;
    if (!fits)
        fault_shape(p, prepared, "it moves a cut from one dim to another, innermost in both");
}

/* One dim, cut by this axis alone, into pieces at least as large as the halo. If another dim has a halo, both sides
 * have it, and so do the elements that the axis's ranks exchange. */
static void prepare_halo(Prepare *p, Prepared *prepared, const View *plain, const View *wide)
{
    int halos = 0;
    bool fits = prepared->op->axes.count == 1 && !plain->flat && !wide->flat && plain->dim_count == wide->dim_count;
    for (int d = 0; fits && d < wide->dim_count; d++) {
        fits = plain->size[d] == wide->size[d] && cuts_equal(&plain->dim_cuts[d], &wide->dim_cuts[d]);
        if (wide->before[d] == plain->before[d] && wide->after[d] == plain->after[d])
            continue;
        int64_t piece = wide->size[d] / prepared->ranks; /* the smallest */
        fits = fits && halos++ == 0 && plain->before[d] + plain->after[d] == 0 &&
               cuts_mask(&wide->dim_cuts[d]) == prepared->over && wide->dim_cuts[d].segments == NULL &&
               piece >= wide->before[d] && piece >= wide->after[d];
    }
    fits = fits && halos == 1;
    if (!fits)
        fault_shape(p, prepared, "one side is the other, with a halo in the dim that the axis cuts");
}

/* What is sent and what is received has the same dtype: a sum of numbers of different dtypes is undefined. */
static void check_dtypes(Prepare *p, Prepared *prepared)
{
    const Op *op = prepared->op;
    if (prepared->bad || op_info[op->kind].op_class != CLASS_COMM || op->operand_count == 0 || !op_has_result(op->kind))
        return;
    const Buffer *from = &p->program->buffers.data[op->operand[0].buffer];
    const Buffer *into = &p->program->buffers.data[op->out.buffer];
    if (from->dtype == into->dtype)
        return;
    prepared->bad = true;
    Diagnostic *d = diag_report(p->ctx->diag, P0319, op->span, "'%s' of '%s', which is %s, into '%s', which is %s",
                                op_name(op), ref_name(p, &op->operand[0]), dtype_name(from->dtype),
                                ref_name(p, &op->out), dtype_name(into->dtype));
    diag_why(d, "One collective sends and sums numbers of one dtype. Of another one the bytes mean other numbers.");
    diag_help(d, "cast before it");
}

/* ---- The rules of step/collective.def ----------------------------------------------------------------------- */

/* The references of a collective as its shape rule sees them. */
typedef struct Sides {
    const View *a, *out;
    const View *whole, *piece; /* as named in step/collective.def */
    const View *views;         /* of all operands */
} Sides;

static const View *view_of_side(Side side, const View *views, const View *out)
{
    switch (side) {
    case SIDE_A:
        return &views[0];
    case SIDE_B:
        return &views[1];
    case SIDE_OUT:
        return out;
    }
    BUG("a side that is none");
}

/* One side is the other, cut further over the axes. Gathering copies makes no sense as a dense value, but that is a
 * fault of values, not of shapes. */
static void shape_pieces(Prepare *p, Prepared *prepared, const Sides *sides)
{
    const Decls *decls = p->program->decls;
    if (!views_extend(decls, sides->whole, sides->piece, prepared->over))
        fault_shape(p, prepared,
                    arena_printf(p->ctx->arena, "the layout of one side must be the other's, cut over '%s'",
                                 axes_text(p->ctx->arena, decls, prepared->over)));
    prepare_placing(p, prepared, sides->whole, sides->piece);
}

static void shape_place(Prepare *p, Prepared *prepared, const Sides *sides)
{
    if (!views_extend(p->program->decls, sides->whole, sides->out, 0))
        fault_shape(p, prepared, "operand and result have different layouts");
    shape_pieces(p, prepared, sides);
}

static void shape_alike(Prepare *p, Prepared *prepared, const Sides *sides)
{
    prepare_alike(p, prepared, sides->a, sides->out);
}

static void shape_passed_on(Prepare *p, Prepared *prepared, const Sides *sides)
{
    if (!peers_fit(p->program->decls, prepared->op))
        fault_shape(p, prepared, "its index names no coordinate of the axis, or one twice");
    prepare_alike(p, prepared, sides->a, sides->out);
}

static void shape_all_to_all(Prepare *p, Prepared *prepared, const Sides *sides)
{
    prepare_all_to_all(p, prepared, sides->a, sides->out);
}

/* Numbers for the dims that come before the places, laid out as these are. */
static bool counts_fit(const View *counts, const View *places)
{
    int count = counts->dim_count;
    bool fits = !counts->flat && !places->flat && count > 0 && places->dim_count > count;
    for (int d = 0; fits && d < count; d++)
        fits = counts->size[d] == places->size[d] && cuts_equal(&counts->dim_cuts[d], &places->dim_cuts[d]);
    return fits && places->dim_cuts[count].count == 0;
}

static void shape_all_to_all_filled(Prepare *p, Prepared *prepared, const Sides *sides)
{
    const View *before = &sides->views[1], *after = &sides->views[2];
    const Op *op = prepared->op;
    prepare_all_to_all(p, prepared, sides->a, sides->out);
    for (int i = 1; i < op->operand_count; i++)
        if (p->program->buffers.data[op->operand[i].buffer].dtype != DTYPE_I32)
            fault_shape(p, prepared, "its counts are whole numbers");
    if (before->dim_count != after->dim_count || !counts_fit(before, sides->a) || !counts_fit(after, sides->out))
        fault_shape(p, prepared, "its counts are cut as the dims before the places, and places are not cut");
}

static void shape_halo(Prepare *p, Prepared *prepared, const Sides *sides)
{
    prepare_halo(p, prepared, sides->a, sides->out);
}

static void shape_halo_add(Prepare *p, Prepared *prepared, const Sides *sides)
{
    prepare_halo(p, prepared, sides->out, sides->a);
}

/* One rank class runs only one side of the message; the classes compare both (machine_classes.c). */
static void shape_message(Prepare *p, Prepared *prepared, const Sides *sides)
{
    (void)p, (void)prepared, (void)sides;
}

static void check_collective(Prepare *p, Prepared *prepared, const Sides *sides)
{
    switch (op_collective(prepared->op->kind)) {
#define COLLECTIVE(id, whole, piece, sums, peers, transfer, shape, ...)                                                \
    case COLLECTIVE_##id:                                                                                              \
        shape_##shape(p, prepared, sides);                                                                             \
        return;
#include "step/collective.def"
#undef COLLECTIVE
    }
    BUG("'%s' has no shape rule", op_name(prepared->op));
}

void prepare_communication(Prepare *p, Prepared *prepared, const View *views)
{
    const Op *op = prepared->op;
    const CollectiveInfo *info = collective_info(op_collective(op->kind));
    const View *out = op_has_result(op->kind) ? &views[op->operand_count] : &views[0];
    const Unit *unit = out->flat ? &p->program->decls->units.data[out->unit] : NULL;
    Sides sides = {&views[0], out, view_of_side(info->whole, views, out), view_of_side(info->piece, views, out), views};
    prepare_over(p, prepared);
    check_dtypes(p, prepared);
    prepared->flat = out->flat;
    prepared->unit = out->unit;
    prepared->member_count = unit != NULL ? unit->member_count : 0;
    prepared->move = arena_make(p->table->arena, Moving);
    prepared->move->uneven = unit != NULL && unit_is_uneven(p->program->decls, unit);
    prepared->move->gaps = prepared->move->uneven || (unit != NULL && unit_is_padded(unit));
    prepared->move->pads = unit != NULL && (has_padding(p, unit, &views[0]) || has_padding(p, unit, out));
    prepared->passed = view_mask(out);
    check_collective(p, prepared, &sides);
}

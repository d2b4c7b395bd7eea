/* prepare_flat.c - computing operators element by element over a unit's slot, or over its numbers per member, row or
 * column. */
#include "verify/prepare_internal.h"

/* ---- Members ------------------------------------------------------------------------------------------------ */

/* The letters of a view on a member with `dims` dims. */
static SpecLetters member_letters(const View *view, int dims)
{
    static const char names[] = "abcdef";
    int first = 0, count = view->flat ? each_dims(view->each, dims, &first) : 0;
    return (SpecLetters){names + first, count};
}

/* The operator's form on one member, with that member's own dims; from operand `operand` on, `operands` of them. */
static Form *member_form(Prepare *p, const Op *op, OpKind kind, const View *views, int operands, int operand,
                         const Tensor *tensor)
{
    Letters letters = {0};
    for (int i = 0; i <= operands; i++) {
        const View *view = i < operands ? &views[operand + i] : &views[op->operand_count];
        SpecLetters group = letters.group[i] = member_letters(view, tensor->dim_count);
        for (int d = 0; d < group.count; d++)
            if (letters_find(&letters, group.at[d]) == NULL)
                letters.letter[letters.count++] =
                    (Letter){.name = group.at[d], .size = tensor->dims[group.at[d] - 'a']};
    }
    return form_make(p, op, kind, operands, &letters);
}

static bool op_is_elementwise(OpKind kind)
{
    OpClass class = op_info[kind].op_class;
    return class == CLASS_MAP || kind == OP_REDUCE || kind == OP_SUM_SQUARES;
}

bool unit_is_uneven(const Decls *decls, const Unit *unit)
{
    Dim dims[STEP_MAX_DIMS];
    for (int i = 0; i < unit->member_count && unit->member_dims != NULL; i++) {
        unit_member_dims(decls, unit, i, dims);
        for (int d = 0; d < decls->tensors.data[unit->members[i]].dim_count; d++) {
            const Segments *segments = dims[d].segments;
            int64_t parts = 1;
            for (int j = 0; j < dims[d].cut_count; j++)
                parts *= decls->axes.data[dims[d].cut[j]].size;
            for (int j = 0; segments != NULL && j < segments->count; j++)
                if (segments->size[j] % parts != 0)
                    return true;
            if (dims[d].size % parts != 0)
                return true;
        }
    }
    return false;
}

bool has_padding(const Prepare *p, const Unit *unit, const View *view)
{
    int64_t parts = 1;
    for (int i = 0; i < view->cuts.count; i++)
        parts *= p->program->decls->axes.data[view->cuts.axis[i]].size;
    return view->flat && unit->elements % parts != 0;
}

/* ---- Views that fit ----------------------------------------------------------------------------------------- */

/* The flat slots of its unit are cut differently; `cut`: the view that is cut, that of operand `operand`, or NULL. */
static void fault_slots(Prepare *p, Prepared *prepared, const View *cut, int operand)
{
    if (cut != NULL)
        fault_cut(p, prepared, operand, cuts_mask(&cut->cuts));
    fault_shape(p, prepared, "slots that are cut in different ways");
}

/* All flat views must be of one unit, and those of elements cut alike. No other view of a unit is cut. */
static bool check_flat_views(Prepare *p, Prepared *prepared, const View *views)
{
    const Op *op = prepared->op;
    const View *flat = NULL, *elements = NULL, *cut = NULL;
    int cut_operand = -1;
    for (int i = 0; i <= op->operand_count; i++) {
        if (!views[i].flat && views[i].dim_count > 0) {
            fault_shape(p, prepared, "a flat slot and an array in one operator");
            return false;
        }
        if (!views[i].flat)
            continue;
        if (flat == NULL)
            flat = &views[i];
        if (flat->unit != views[i].unit) {
            fault_shape(p, prepared, "slots of two units");
            return false;
        }
        if (elements == NULL && views[i].each == EACH_ELEMENT)
            elements = &views[i];
        if (views[i].cuts.count > 0 && i < op->operand_count && cut == NULL)
            cut = &views[i], cut_operand = i;
    }
    for (int i = 0; i <= op->operand_count; i++) {
        if (views[i].flat && views[i].each == EACH_ELEMENT && !cuts_equal(&views[i].cuts, &elements->cuts)) {
            fault_slots(p, prepared, cut, cut_operand);
            return false;
        }
    }
    return true;
}

/* Is every index of `part` one of `whole`? One number per tensor broadcasts over everything, one per row or column over
 * elements. */
static bool view_within(const View *part, const View *whole)
{
    if (!part->flat || part->each == EACH_TENSOR)
        return true;
    return whole->flat && (part->each == whole->each || whole->each == EACH_ELEMENT);
}

/* A map broadcasts its operands over its result; a sum reduces what the result lacks. */
static bool check_spread(Prepare *p, Prepared *prepared, const View *views)
{
    const Op *op = prepared->op;
    const View *out = &views[op->operand_count];
    bool sums = op_info[op->kind].op_class == CLASS_SUM;
    for (int i = 0; i < op->operand_count; i++) {
        const View *operand = &views[i];
        if (!sums && !view_within(operand, out))
            fault_shape(p, prepared,
                        out->flat ? "its result lacks an index of an operand" : "its result is no flat slot");
        if (sums && (!view_within(out, operand) || (out->flat && out->each == operand->each)))
            fault_shape(p, prepared,
                        out->flat && out->each == EACH_ELEMENT ? "a sum over a flat slot is a number"
                                                               : "its result is no part of what it sums");
    }
    return !prepared->bad;
}

/* ---- The operator ------------------------------------------------------------------------------------------- */

static bool has_letters(const Op *op)
{
    Spec spec = spec_of(op);
    int count = spec.result.count;
    for (int i = 0; i < spec.operand_count; i++)
        count += spec.operand[i].count;
    return count > 0;
}

void prepare_flat(Prepare *p, Prepared *prepared, const View *views)
{
    const Op *op = prepared->op;
    int count = op->operand_count;
    if (!op_is_elementwise(op->kind)) {
        fault_shape(p, prepared, "it does not work element by element on a flat slot");
        return;
    }
    if (has_letters(op)) {
        fault_shape(p, prepared, "a flat slot has no letters");
        return;
    }
    if (op->kind == OP_SCALE && op->scale.local_extents != NULL && op->scale.local_extents[0] != '\0') {
        fault_shape(p, prepared, "a local extent of a letter that it does not have");
        return;
    }
    if (!check_flat_views(p, prepared, views) || !check_spread(p, prepared, views))
        return;
    const View *flat = NULL, *out = &views[count];
    for (int i = 0; i <= count; i++)
        if (views[i].flat && (flat == NULL || views[i].each == EACH_ELEMENT))
            flat = &views[i];
    const Unit *unit = &p->program->decls->units.data[flat->unit];
    bool sums = op_info[op->kind].op_class == CLASS_SUM;
    prepared->flat = true;
    prepared->unit = flat->unit;
    prepared->member_count = unit->member_count;
    for (int i = 0; i <= count; i++)
        prepared->compute->by_range |= flat->cuts.count > 0 && views[i].flat && views[i].each != EACH_ELEMENT;
    prepared->compute->sums_members = sums && !out->flat;
    prepared->compute->sums_padding =
        prepared->compute->sums_members && flat->each == EACH_ELEMENT &&
        (has_padding(p, unit, flat) || unit_is_padded(unit) || unit_is_uneven(p->program->decls, unit));
    prepared->part = arena_array(p->table->arena, DecompPart, 1);
    if (sums && out->flat)
        prepared->passed = out->members; /* each member's numbers are cut as the member is */
    if (sums && (view_mask(flat) & ~prepared->passed) != 0) {
        prepared->compute->summed = view_mask(flat) & ~prepared->passed;
        prepared->part[prepared->part_count++] = (DecompPart){.index = DECOMP_UNIT - flat->unit, .cuts = flat->cuts};
    } else if (!sums) {
        prepared->passed = view_mask(flat);
    }
    prepared->compute->member_form = arena_array(p->table->arena, Form *, unit->member_count);
    prepared->compute->member_broadcast = arena_array(p->table->arena, Form *, unit->member_count * count);
    for (int m = 0; m < unit->member_count; m++) {
        const Tensor *tensor = &p->program->decls->tensors.data[unit->members[m]];
        prepared->compute->member_form[m] = member_form(p, op, op->kind, views, count, 0, tensor);
        for (int i = 0; i < count; i++)
            if (op_is_additive(op->kind) &&
                !spec_equal(member_letters(&views[i], tensor->dim_count), member_letters(out, tensor->dim_count)))
                prepared->compute->member_broadcast[m * count + i] = member_form(p, op, OP_COPY, views, 1, i, tensor);
    }
}

/* emit_patch.c - operators on a unit's slots that have numbers for different things: elements, rows, columns, tensors.
 *
 * A kernel needs letters, and a flat slot has none. The runtime divides what the rank has of the slot into patches:
 * each a rectangle in one member seen as a matrix, whose columns are the member's last dim and whose rows are all
 * others (runtime/place_rt.h). On a patch the arrays have letters: elements those of rows and columns, a number per row
 * that of rows, a number per tensor none. So the operator is a loop over patches around a kernel like any other. Where
 * nothing counts rows or columns, a patch is all that the rank has of a member.
 */
#include "codegen/emit.h"

#include <string.h>

typedef struct Patches {
    Emit *e;
    const Op *op;
    const Ref *base; /* has the finest numbers: the patches are parts of it */
    Each each;       /* those of base */
    bool in_rows;    /* something has a number per row or column of it */
} Patches;

/* What a reference has numbers for; false if it is no whole slot of a unit. */
static bool ref_each(const Program *program, const Ref *ref, Each *each)
{
    const Buffer *buffer = ref_buffer(program, ref);
    *each = buffer->each;
    return buffer->layout == LAYOUT_UNIT && ref->member < 0;
}

static const Ref *array_of(const Op *op, int i)
{
    return i < op->operand_count ? &op->operand[i] : &op->out;
}

static Patches patches_of(Emit *e, const Op *op)
{
    Patches p = {.e = e, .op = op};
    Each each;
    for (int i = 0; i <= op->operand_count; i++) {
        const Ref *ref = array_of(op, i);
        if (ref_each(e->program, ref, &each) && (p.base == NULL || each < p.each))
            p.base = ref, p.each = each;
    }
    for (int i = 0; i <= op->operand_count; i++)
        if (ref_each(e->program, array_of(op, i), &each) && each != p.each && each != EACH_TENSOR)
            p.in_rows = true;
    if (p.in_rows && p.each != EACH_ELEMENT)
        BUG("operator %d: numbers per row and per column without elements", op->id);
    return p;
}

bool emit_needs_patches(const Program *program, const Op *op)
{
    Each first = EACH_ELEMENT, each;
    bool any = false;
    OpClass op_class = op_info[op->kind].op_class;
    if (op_class != CLASS_MAP && op_class != CLASS_SUM)
        return false;
    for (int i = 0; i <= op->operand_count; i++) {
        if (!ref_each(program, array_of(op, i), &each))
            continue;
        if (any && each != first)
            return true;
        first = each, any = true;
    }
    return false;
}

/* The letters that an array has on a patch. */
static Letters patch_letters(const Patches *p, const Ref *ref)
{
    Letters letters = {0};
    Each each;
    if (!ref_each(p->e->program, ref, &each) || (each == EACH_TENSOR && p->each != EACH_TENSOR))
        return letters;
    if (p->in_rows && each != EACH_COLUMN)
        letters.letter[letters.count++] = LETTER_PATCH_ROW;
    if (!p->in_rows || each != EACH_ROW)
        letters.letter[letters.count++] = LETTER_PATCH_COLUMN;
    return letters;
}

/* Where an array begins on a patch; NULL: where it does anyway. */
static const char *patch_address(const Patches *p, const Ref *ref)
{
    static const char *const numbers[] = {
        [EACH_ELEMENT] = "element", [EACH_ROW] = "row", [EACH_COLUMN] = "column", [EACH_TENSOR] = "tensor"};
    Each each;
    if (!ref_each(p->e->program, ref, &each))
        return NULL;
    return arena_printf(p->e->arena, "%s + patch.%s", emit_ref(p->e, ref), numbers[each == p->each ? 0 : each]);
}

/* Are there numbers of the result that are in no patch: padding? */
static bool has_padding(const Program *program, const Ref *ref)
{
    const Buffer *buffer = ref_buffer(program, ref);
    const Unit *unit = &program->decls->units.data[buffer->unit];
    int64_t parts = axes_total(program->decls, buffer->cut, buffer->cut_count);
    return unit->member_dims != NULL || unit_is_padded(unit) ||
           unit_each_elements(program->decls, unit, buffer->each) % parts != 0;
}

/* A sum adds what each patch has. Padding of a new result is zero. */
static bool needs_zeros(const Patches *p)
{
    const Op *op = p->op;
    if (op->accumulate)
        return false;
    if (op_info[op->kind].op_class == CLASS_SUM)
        return true;
    for (int i = 0; i < op->operand_count; i++)
        if (ref_equal(op->operand[i], op->out))
            return false;
    return has_padding(p->e->program, &op->out);
}

void emit_patches(Emit *e, const Op *op)
{
    Patches p = patches_of(e, op);
    if (needs_zeros(&p))
        emit_zeros(e, &op->out);
    Op patch = *op;
    patch.accumulate = op->accumulate || op_info[op->kind].op_class == CLASS_SUM;
    Shape shape = {.out = patch_letters(&p, &op->out)};
    Addresses at = {.out = patch_address(&p, &op->out)};
    for (int i = 0; i < op->operand_count; i++) {
        shape.operand[i] = patch_letters(&p, &op->operand[i]);
        at.operand[i] = patch_address(&p, &op->operand[i]);
    }
    cw_open(e->out, "for (prt_patch patch = {0}; prt_next_patch(ctx, %s, %s, &patch);)", emit_layout(e, p.base),
            p.in_rows ? "true" : "false");
    emit_kernel_of(e, &patch, &shape, at);
    cw_close(e->out, "");
}

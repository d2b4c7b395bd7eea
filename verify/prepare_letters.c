/* prepare_letters.c - the letters of a spec with their sizes and cuts, and the forms of operators with them.
 *
 * A letter has one size, one cut and one halo in all operands and the result. A form has its letters renamed in order
 * of first use, so that equal operators have one form whatever their specs call the letters.
 */
#include "verify/prepare_internal.h"

#include <string.h>

/* ---- Letters ------------------------------------------------------------------------------------------------ */

bool letters_enter(Prepare *p, Prepared *prepared, Letters *letters, int index, const View *view)
{
    const char *group = letters->group[index].at;
    int length = letters->group[index].count, operand = index < prepared->op->operand_count ? index : -1;
    if (length != view->dim_count) {
        fault_shape(p, prepared,
                    arena_printf(p->ctx->arena, "'%s' has %d dims, its spec names %d",
                                 ref_name(p, operand < 0 ? &prepared->op->out : &prepared->op->operand[operand]),
                                 view->dim_count, length));
        return false;
    }
    for (int d = 0; d < length; d++) {
        if (memchr(group, group[d], (size_t)d) != NULL) {
            fault_shape(p, prepared, "a letter twice in one operand");
            return false;
        }
        Letter *letter = letters_find(letters, group[d]);
        if (letter == NULL) {
            if (letters->count == PREPARE_MAX_LETTERS) {
                fault_shape(p, prepared, "more letters than can be");
                return false;
            }
            letter = &letters->letter[letters->count++];
            *letter = (Letter){.name = group[d],
                               .size = view->size[d],
                               .cuts = view->dim_cuts[d],
                               .before = view->before[d],
                               .after = view->after[d],
                               .padded = view->padded[d],
                               .operand = operand};
        } else if (letter->size != view->size[d]) {
            fault_shape(p, prepared,
                        arena_printf(p->ctx->arena, "'%c' is %lld in one place and %lld in another", group[d],
                                     (long long)letter->size, (long long)view->size[d]));
            return false;
        } else if (letters->over != 0 && cuts_differ_by(&letter->cuts, &view->dim_cuts[d], letters->over)) {
            letter->pieces = true;
            if (view->dim_cuts[d].count > letter->cuts.count)
                letter->cuts = view->dim_cuts[d];
        } else if (!cuts_equal(&letter->cuts, &view->dim_cuts[d])) {
            fault_letter(p, prepared, letter, &view->dim_cuts[d], operand);
            return false;
        } else if (letter->before != view->before[d] || letter->after != view->after[d]) {
            fault_shape(p, prepared, arena_printf(p->ctx->arena, "'%c' has different halos", group[d]));
            return false;
        }
        if (operand < 0)
            letter->in_result = true;
        else
            letter->in_operand = true;
    }
    return true;
}

/* Adds the letters of its first groups that it lacks, as they are in `all`. */
static void letters_take(Letters *letters, int groups, const Letters *all)
{
    for (int i = 0; i < groups; i++)
        for (int d = 0; d < letters->group[i].count; d++)
            if (letters_find(letters, letters->group[i].at[d]) == NULL)
                letters->letter[letters->count++] = *letters_find((Letters *)all, letters->group[i].at[d]);
}

/* ---- Forms -------------------------------------------------------------------------------------------------- */

/* Normal form: letters renamed in order of first use, so that only their pattern counts. */
static Form *form_of_letters(Prepare *p, const Op *op, OpKind kind, int operands, const Letters *letters)
{
    char text[STEP_MAX_OPERANDS * (STEP_MAX_DIMS + 1) + STEP_MAX_DIMS + 5];
    size_t at = 0;
    for (int i = 0; i <= operands; i++) {
        if (i == operands)
            text[at++] = '-', text[at++] = '>';
        else if (i > 0)
            text[at++] = ',';
        for (int d = 0; d < letters->group[i].count; d++)
            for (int l = 0; l < letters->count; l++)
                if (letters->letter[l].name == letters->group[i].at[d])
                    text[at++] = (char)('a' + l);
    }
    int64_t sizes[PREPARE_MAX_LETTERS];
    for (int l = 0; l < letters->count; l++)
        sizes[l] = letters->letter[l].size;
    Form key = {.kind = kind, .letter_count = letters->count, .sizes = sizes};
    key.spec = str_intern(p->table->strings, text, at);
    if (kind != OP_COPY) { /* a broadcast operand; everything else is the operator's own form */
        key.immediate_count = op->immediate_count;
        memcpy(key.immediate, op->immediate, sizeof key.immediate);
    }
    return form_intern(p->table, &key);
}

/* A product has a second form, with its operands exchanged and letters in the order of their use there. */
static void form_swap(Prepare *p, const Op *op, Form *form, const Letters *letters)
{
    Letters order = {.group = {letters->group[1], letters->group[0], letters->group[2]}};
    letters_take(&order, 3, letters);
    Form *swapped = form_of_letters(p, op, form->kind, 2, &order);
    form->swapped = swapped;
    swapped->swapped = form;
    form->swapped_letter = arena_array(p->table->arena, int8_t, letters->count + 1);
    swapped->swapped_letter = arena_array(p->table->arena, int8_t, letters->count + 1);
    for (int l = 0; l < letters->count; l++) {
        int there = (int)(letters_find(&order, letters->letter[l].name) - order.letter);
        form->swapped_letter[l] = (int8_t)there;
        swapped->swapped_letter[there] = (int8_t)l;
    }
}

Form *form_make(Prepare *p, const Op *op, OpKind kind, int operands, const Letters *letters)
{
    Form *form = form_of_letters(p, op, kind, operands, letters);
    if ((kind == OP_MUL || kind == OP_EINSUM) && form->swapped == NULL)
        form_swap(p, op, form, letters);
    return form;
}

Form *part_form(Prepare *p, const Op *op, OpKind kind, const Letters *all, int from, int into)
{
    Letters letters = {.group = {all->group[from], all->group[into]}};
    letters_take(&letters, 2, all);
    return form_make(p, op, kind, 1, &letters);
}

/* Normal form: what has the result's letters is not broadcast. */
Form *broadcast_make(Prepare *p, const Op *op, const Letters *all, int operand)
{
    if (spec_equal(all->group[operand], all->group[op->operand_count]))
        return NULL;
    return part_form(p, op, OP_COPY, all, operand, op->operand_count);
}

/* transfer_segment.c - segments taken out of a fused dim and put back.
 *
 * Every segment is written with parts that start at element 0, so that what is taken and what is put back cancel.
 */
#include "verify/transfer_internal.h"

#include "step/spec.h"

#include <string.h>

/* Elements first .. end - 1 of a fused dim. */
typedef struct Range {
    int64_t first, end;
} Range;

/* A linear operator applied to one term. */
static Term linear_term(Transfer *t, const Form *form, Term term)
{
    term.value = value_op(t->table, form, 1, &term.value, t->prepared->op);
    if (term.mask != 0) {
        DecompPart part = {.index = 0, .inner = term.decomp};
        term.decomp = decomp_intern(t->table, &part, 1);
    }
    return term;
}

/* The index of the operand's letter that the result lacks: letters are named in the order of the operand. */
static int segment_letter(const Form *form)
{
    SpecLetters operand = spec_letters(form->spec, 0), result = spec_letters(form->spec, SPEC_RESULT);
    int at = 0;
    while (operand.at[at] == result.at[at])
        at++;
    return at;
}

/* Normal form: the term before element `end` of the fused dim, and zero from there on: the first `end` elements taken
 * out and put back. `take` is a form of segment. */
static void push_below(Transfer *t, Combo *result, const Form *take, Term term, int64_t end)
{
    int at = segment_letter(take), last = take->letter_count - 1;
    if (end == 0)
        return;
    if (end < take->sizes[at]) {
        int64_t sizes[2][PREPARE_MAX_LETTERS];
        for (int i = 0; i < 2; i++)
            memcpy(sizes[i], take->sizes, sizeof(*take->sizes) * (size_t)take->letter_count);
        sizes[0][last] = sizes[1][at] = end;
        sizes[1][last] = take->sizes[at];
        Form from = *take, back = *take;
        from.immediate[0] = back.immediate[0] = 0;
        from.sizes = sizes[0];
        back.sizes = sizes[1];
        back.kind = OP_SEGMENT_BWD;
        term = linear_term(t, form_intern(t->table, &from), term);
        term = linear_term(t, form_intern(t->table, &back), term);
    }
    combo_push(t->table, result, term);
}

static Range range_of(const Form *form)
{
    int last = form->letter_count - 1;
    int64_t first = (int64_t)form->immediate[0];
    return (Range){first, first + form->sizes[form->kind == OP_SEGMENT ? last : segment_letter(form)]};
}

/* Was the term made by the inverse of `form` (segment or segment_bwd), on a dim of this size? *range: the elements;
 * *inner: its operand. */
static bool made_by_other(const Term *term, const Form *form, Range *range, Term *inner)
{
    const Form *other = term->value->kind == VALUE_OP ? term->value->op.form : NULL;
    OpKind kind = form->kind == OP_SEGMENT ? OP_SEGMENT_BWD : OP_SEGMENT;
    if (other == NULL || other->kind != kind) /* not made on this dim: then sizes do not fit */
        return false;
    int at = segment_letter(form), last = form->letter_count - 1;
    const Form *take = kind == OP_SEGMENT ? other : form, *put = kind == OP_SEGMENT ? form : other;
    bool fits = take->sizes[at] == put->sizes[last];
    for (int i = 0; i < last; i++)
        fits = fits && (i == at || take->sizes[i] == put->sizes[i]);
    *range = range_of(other);
    *inner = *term;
    inner->value = term->value->op.operand[0];
    if (term->mask == 0)
        return fits;
    const Decomp *decomp = term->decomp;
    if (decomp->part[0].inner == NULL) /* pieces in their positions; otherwise the operand's decomposition */
        return false;
    inner->decomp = (Decomp *)decomp->part[0].inner;
    return fits;
}

/* Normal form: a segment of the term. What was put elsewhere contributes nothing, what was put exactly there is taken
 * back, and for a range around it that was taken and put back the segment is taken from the whole. */
static void push_taken(Transfer *t, Combo *result, const Form *take, Term term)
{
    Range wanted = range_of(take), range, from;
    Term inner, whole;
    if (made_by_other(&term, take, &range, &inner)) {
        if (range.end <= wanted.first || wanted.end <= range.first)
            return;
        if (range.first == wanted.first && range.end == wanted.end) {
            combo_push(t->table, result, inner);
            return;
        }
        if (range.first <= wanted.first && wanted.end <= range.end &&
            made_by_other(&inner, term.value->op.form, &from, &whole) && from.first == range.first)
            term = whole; /* the range was put back where it was taken */
    }
    combo_push(t->table, result, linear_term(t, take, term));
}

/* Normal form: a segment in its position, zero elsewhere. What was taken from that position is rewritten as the part
 * before its end minus the part before its beginning, so that all segments of a value add up to it. It must be put
 * where it was taken. */
static void push_put(Transfer *t, Combo *result, const Form *put, Term term)
{
    Range wanted = range_of(put), range;
    Term whole;
    if (!made_by_other(&term, put, &range, &whole) || range.first != wanted.first) {
        combo_push(t->table, result, linear_term(t, put, term));
        return;
    }
    push_below(t, result, term.value->op.form, whole, range.end);
    whole.coefficient = rational_multiply(whole.coefficient, rational_make(-1, 1));
    push_below(t, result, term.value->op.form, whole, range.first);
}

Combo *transfer_segment(Transfer *t)
{
    const Op *op = t->prepared->op;
    Combo *result = combo_new(t->table);
    bool places = op->kind == OP_PLACE_SEGMENT;
    const Form *take = places ? t->broadcast[0] : t->form, *put = places ? t->broadcast[1] : t->form;
    for (int i = 0; i < op->operand_count; i++)
        for (int j = 0; j < t->operand[i]->count; j++) {
            Term term = t->operand[i]->term[j];
            if (term.mask & MAX_MASK)
                return transfer_poison(t, POISON_PARTIAL_OPERAND, i, term.mask & MESH_MASK);
            if ((term.mask & t->prepared->passed) != 0)
                return transfer_poison(t, POISON_PARTIAL_CUT, i, term.mask & t->prepared->passed);
            if (op->kind == OP_SEGMENT) {
                push_taken(t, result, take, term);
            } else if (places && i == 0) {
                Combo *taken = combo_new(t->table);
                combo_push(t->table, result, term);
                term.coefficient = rational_multiply(term.coefficient, rational_make(-1, 1));
                push_taken(t, taken, take, term);
                for (int k = 0; k < taken->count; k++)
                    push_put(t, result, put, taken->term[k]);
            } else {
                push_put(t, result, put, term);
            }
        }
    return transfer_result(t, result);
}

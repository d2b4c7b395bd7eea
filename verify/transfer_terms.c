/* transfer_terms.c - what moves and collectives do to one term, and to the piece that is held.
 *
 * A function returns POISON_SILENT where the term has a meaning afterwards, and why not otherwise.
 */
#include "verify/transfer_internal.h"

#include "verify/ranks.h"

enum { MOST_RANKS_SUMMED = 1 << 14 };

/* ---- Sums and maxima ---------------------------------------------------------------------------------------- */

/* Normal form: the sum over all ranks along `axes` of a weight that depends on no other axis; false if it cannot be
 * computed. */
static bool sum_mono(Transfer *t, const Mono *mono, AxisMask axes, Rational *sum)
{
    int64_t coordinate[STEP_MAX_AXES] = {0}, ranks = ranks_along(t->decls, axes);
    if ((mono->axes & ~axes) != 0)
        return false;
    if (ranks > MOST_RANKS_SUMMED)
        return false;
    *sum = rational_make(0, 1);
    for (int64_t rank = 0; rank < ranks; rank++) {
        rank_coordinates(t->decls, axes, rank, coordinate);
        *sum = rational_add(*sum, mono_at(t->decls, mono, coordinate));
    }
    return true;
}

/* Normal form: is the value the same on all copies along the axes: a constant, initial values of one seed, a sum? */
static bool is_alike(const Value *value, AxisMask axes)
{
    if (value->kind == VALUE_INIT)
        return (value->varying & axes) == 0;
    if (value->kind == VALUE_OP && value->op.form->kind == OP_ALL_REDUCE)
        return (axes & ~(AxisMask)value->op.form->immediate[0]) == 0;
    return value->kind == VALUE_ONES || value->kind == VALUE_NUMBER || value->kind == VALUE_POSITION;
}

/* Sums a term over copies: the sum of the copies' own values is a new value. Partial sums, cut alike on all copies,
 * become partial sums of it; weights are the same on all copies. */
static PoisonKind join_term(Transfer *t, Term *term, AxisMask axes)
{
    if (term->mask & MAX_MASK)
        return POISON_MAXIMUM;
    if (is_alike(term->value, axes)) {
        term->coefficient = rational_multiply(term->coefficient, rational_make(t->prepared->ranks, 1));
        return POISON_SILENT;
    }
    static const char any[] = "";
    int64_t none = 0;
    Form key = {.kind = OP_ALL_REDUCE, .spec = any, .sizes = &none};
    key.immediate[key.immediate_count++] = (double)axes;
    term->value = value_op(t->table, form_intern(t->table, &key), 1, &term->value, t->prepared->op);
    if (term->mask != 0)
        term->decomp = decomp_intern(t->table, &(DecompPart){.index = 0, .inner = term->decomp}, 1);
    return POISON_SILENT;
}

PoisonKind reduce_term(Transfer *t, Term *term, AxisMask axes)
{
    if ((term->value->varying & axes) != 0)
        return POISON_VARYING;
    if ((term->mask & MAX_MASK) && (term->mask & axes) != 0)
        return POISON_MAXIMUM;
    if (term->arc.count > 0 && (axes >> term->arc.axis & 1)) { /* every part counts once per rank that has it */
        if (term->mono != NULL && (term->mono->axes & axes) != 0)
            return POISON_MOVED;
        term->coefficient = rational_multiply(term->coefficient, rational_make(term->arc.count, 1));
        term->arc = (Arc){0};
    }
    Rational sum;
    if (term->mono != NULL && (term->mask & axes) == 0 && sum_mono(t, term->mono, axes, &sum)) {
        term->coefficient = rational_multiply(term->coefficient, sum);
        term->mono = NULL;
    } else if (term->mono != NULL && (term->mono->axes & axes) != 0) {
        term->value = value_bound(t->table, term, axes);
        term->value->varying |= term->mono->axes & ~axes;
        term->mono = NULL;
        term->mask &= ~axes;
    } else
        for (int a = 0; a < STEP_MAX_AXES; a++) {
            if (!(axes >> a & 1))
                continue;
            if (!(term->mask >> a & 1))
                term->coefficient = rational_multiply(term->coefficient, rational_make(t->decls->axes.data[a].size, 1));
            term->mask &= ~((AxisMask)1 << a);
        }
    if (term->mask == 0)
        term->decomp = NULL;
    return POISON_SILENT;
}

static PoisonKind copies_term(Transfer *t, const Term *term)
{
    AxisMask over = t->prepared->over;
    if ((term->value->varying & over) != 0 || (term->mono != NULL && (term->mono->axes & over) != 0))
        return POISON_VARYING;
    return POISON_SILENT;
}

/* The maximum of copies is the copy itself; that of the parts of a maximum is the whole, if there are no other
 * terms. */
static PoisonKind maximum_term(Transfer *t, Term *term)
{
    AxisMask over = t->prepared->over;
    if (copies_term(t, term) != POISON_SILENT)
        return POISON_MAXIMUM;
    if ((term->mask & over) == 0)
        return POISON_SILENT;
    if (!(term->mask & MAX_MASK) || t->operand[0]->count > 1 || !rational_is(term->coefficient, 1))
        return POISON_MAXIMUM;
    term->mask &= ~over;
    if (term->arc.count > 0 && (over >> term->arc.axis & 1)) /* any rank's part will do */
        term->arc = (Arc){0};
    if ((term->mask & ~MAX_MASK) == 0) {
        term->mask = 0;
        term->decomp = NULL;
    }
    return POISON_SILENT;
}

/* What all ranks have of a term, combined by the operator's reduction. */
static PoisonKind combine_term(Transfer *t, Term *term)
{
    switch (t->prepared->op->reduce) {
    case REDUCE_SUM:
        return reduce_term(t, term, t->prepared->over);
    case REDUCE_MAX:
        return maximum_term(t, term);
    }
    BUG("a reduction that is none");
}

PoisonKind all_reduce_term(Transfer *t, Term *term)
{
    AxisMask over = t->prepared->over;
    return (over & t->table->copies) != 0 ? join_term(t, term, over) : combine_term(t, term); /* see copies.c */
}

PoisonKind halo_add_term(Transfer *t, Term *term)
{
    AxisMask over = t->prepared->over;
    if (copies_term(t, term) != POISON_SILENT)
        return POISON_VARYING;
    if ((term->mask & over) != over) /* must be the rank's own part: windows do not work on other ranks' pieces */
        return POISON_CUT_REDUCED;
    term->mask &= ~over;
    if (term->mask == 0)
        term->decomp = NULL;
    return POISON_SILENT;
}

/* ---- Slices and gathers ------------------------------------------------------------------------------------- */

/* Is the term exactly each rank's own piece in its position and zero elsewhere, cut as the result is? */
static bool term_is_placed(Transfer *t, const Term *term)
{
    DecompPart part[OWN_PARTS];
    int count = transfer_own_parts(t, part);
    return term->mask == t->prepared->over && term->arc.count == 0 &&
           term->decomp == decomp_intern(t->table, part, count);
}

PoisonKind slice_term(Transfer *t, Term *term)
{
    if ((term->mask & t->prepared->over) == 0)
        return POISON_SILENT;
    if (!term_is_placed(t, term))
        return POISON_PARTIAL_CUT;
    term->mask = 0;
    term->decomp = NULL;
    return POISON_SILENT;
}

PoisonKind reduce_scatter_term(Transfer *t, Term *term)
{
    PoisonKind wrong = combine_term(t, term);
    return wrong != POISON_SILENT ? wrong : slice_term(t, term);
}

PoisonKind gather_term(Transfer *t, Term *term)
{
    if ((term->mask & t->prepared->over) != 0)
        return POISON_PARTIAL_CUT;
    return copies_term(t, term);
}

/* ---- Values of other ranks ---------------------------------------------------------------------------------- */

/* Normal form: where each rank along the axis draws initial values from a seed of its own, a broadcast gives all of
 * them the values of one rank's seed. */
static void draw_from_one(Transfer *t, Term *term)
{
    const Op *op = t->prepared->op;
    if (op->kind != OP_BROADCAST || term->value->kind != VALUE_INIT || op->peer.coordinate.term_count > 0 ||
        op->peer.coordinate.modulus != 0)
        return;
    Seed seed = term->value->leaf.seed;
    int64_t *own = &seed.per_axis[op->axes.axis[0]];
    if (__builtin_mul_overflow(*own, op->peer.coordinate.constant, own) ||
        __builtin_add_overflow(seed.base, *own, &seed.base))
        return;
    *own = 0;
    term->value = value_init(t->table, term->value->leaf.tensor, term->value->leaf.layer, &seed,
                             term->value->varying & ~t->prepared->over);
}

PoisonKind pass_on_term(Transfer *t, Term *term)
{
    AxisMask over = t->prepared->over;
    draw_from_one(t, term);
    if ((over & t->table->copies) != 0 && !is_alike(term->value, over))
        return POISON_VARYING;
    PoisonKind wrong = copies_term(t, term);
    if (wrong != POISON_SILENT || (term->mask & over) == 0)
        return wrong;
    if (!t->turns || (term->mask & MAX_MASK) || (term->arc.count > 0 && !(over >> term->arc.axis & 1)))
        return POISON_MOVED;
    term->arc = arc_moved(term->arc, t->turn);
    return POISON_SILENT;
}

/* A range takes along what is between aligned members, which has the same places in the unit on all ranks. What is
 * behind smaller pieces of a member has others. */
bool pass_on_turn(const Transfer *t, Arc *turn)
{
    AxisMask over = t->prepared->over;
    if ((t->prepared->passed & over) == 0)
        return true;
    if (!t->turns || (turn->count > 0 && !(over >> turn->axis & 1)) || t->prepared->move->uneven)
        return false;
    *turn = arc_moved(*turn, t->turn);
    return true;
}

bool keep_turn(const Transfer *t, Arc *turn)
{
    return turn->count == 0 || !(t->prepared->over >> turn->axis & 1);
}

bool keep_range(const Transfer *t, Arc *turn)
{
    return turn->count == 0 || (keep_turn(t, turn) && !t->prepared->move->pads);
}

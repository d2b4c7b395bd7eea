/* transfer_collective.c - moves and collectives on one rank class: the rules that step/collective.def names. */
#include "verify/filled.h"
#include "verify/transfer_internal.h"

/* ---- Operands of one rank class ----------------------------------------------------------------------------- */

/* Operand a, with b in the position of this rank's piece: a, minus its own piece there, plus b there. */
static Combo *transfer_place(Transfer *t)
{
    bool timed;
    Time time = time_at(0);
    if (!operands_time(t, &timed, &time))
        return transfer_poison(t, POISON_TIME, -1, TIME_MASK);
    AxisMask over = t->prepared->over;
    Combo *result = combo_new(t->table);
    combo_add(t->table, result, t->operand[0], rational_make(1, 1), NULL);
    for (int i = 0; i < 2; i++) {
        int first = result->count;
        combo_add(t->table, result, t->operand[i], rational_make(i == 0 ? -1 : 1, 1), NULL);
        for (int j = first; j < result->count; j++) {
            Term *term = &result->term[j];
            if (over == 0)
                continue;
            if ((term->mask & over) != 0)
                return transfer_poison(t, POISON_PARTIAL_CUT, i, term->mask & over);
            if (term->mask & MAX_MASK) /* the zeros outside the piece may be the maximum */
                return transfer_poison(t, POISON_MAXIMUM, i, over);
            DecompPart part[OWN_PARTS + 1];
            int count = transfer_own_parts(t, part);
            if (term->mask != 0)
                part[count++] = (DecompPart){.index = 0, .inner = term->decomp};
            term->decomp = decomp_intern(t->table, part, count);
            term->mask |= over;
        }
    }
    return transfer_finish(t, result, timed, time);
}

Combo *communicate_terms(Transfer *t)
{
    const TransferRule *rule = transfer_rule(t);
    const Combo *operand = t->operand[0];
    Combo *result = combo_new(t->table);
    combo_add(t->table, result, operand, rational_make(1, 1), NULL);
    for (int i = 0; i < result->count && t->prepared->over != 0; i++) {
        PoisonKind wrong = rule->term(t, &result->term[i]);
        if (wrong != POISON_SILENT)
            return transfer_poison(t, wrong, 0, t->prepared->over);
    }
    if (operand->count > 0)
        result->turn = operand->turn;
    if (operand->count > 0 && !rule->turn(t, &result->turn))
        return transfer_poison(t, POISON_MOVED, 0, t->prepared->over);
    if (!join_alone(t, result))
        return transfer_poison(t, POISON_OVERFLOW, -1, 0);
    return transfer_finish(t, result, operand->timed, operand->time);
}

/* For rules that look at terms and leave them as they are: the result shares them, because streams of many layers have
 * many. Operands are in normal form (machine_settle). */
static Combo *keep_terms(Transfer *t)
{
    const TransferRule *rule = transfer_rule(t);
    const Combo *operand = t->operand[0];
    if (has_alone(t, operand)) /* its terms are joined, which changes them */
        return communicate_terms(t);
    for (int i = 0; i < operand->count && t->prepared->over != 0; i++) {
        Term term = operand->term[i];
        PoisonKind wrong = rule->term(t, &term);
        if (wrong != POISON_SILENT)
            return transfer_poison(t, wrong, 0, t->prepared->over);
    }
    Combo *result = combo_extend(t->table, operand);
    if (operand->count > 0 && !rule->turn(t, &result->turn))
        return transfer_poison(t, POISON_MOVED, 0, t->prepared->over);
    return transfer_finish(t, result, operand->timed, operand->time);
}

/* The filled places of queues: what is not sent must be zero, and sender and receiver must count alike. */
static Combo *exchange_filled(Transfer *t)
{
    const Combo *sent = t->operand[0];
    const Value *queues = filled_queues(t->operand[1]);
    if (queues == NULL || filled_queues(t->operand[2]) != queues)
        return transfer_poison(t, POISON_COUNTS, queues == NULL ? 1 : 2, t->prepared->over);
    for (int i = 1; i < t->prepared->op->operand_count; i++)
        if (t->operand[i]->timed != sent->timed || (sent->timed && !time_equal(t->operand[i]->time, sent->time)))
            return transfer_poison(t, POISON_TIME, i, TIME_MASK);
    if (sent->turn.count > 0) /* rows of another rank's queues */
        return transfer_poison(t, POISON_COUNTS, 1, t->prepared->over);
    for (int i = 0; i < sent->count; i++)
        if ((sent->term[i].mask & MAX_MASK) != 0 || !filled_only(sent->term[i].value, queues))
            return transfer_poison(t, POISON_EMPTY, 0, t->prepared->over);
    return keep_terms(t);
}

bool cut_is_reduced(const Transfer *t, const Combo *operand)
{
    return (t->prepared->passed & t->prepared->over) != 0 && operand->count > 0;
}

static Combo *all_reduce(Transfer *t)
{
    if (cut_is_reduced(t, t->operand[0]))
        return transfer_poison(t, POISON_CUT_REDUCED, 0, t->prepared->passed & t->prepared->over);
    return communicate_terms(t);
}

static Combo *place(Transfer *t)
{
    for (int i = 0; i < t->prepared->op->operand_count; i++)
        if (t->operand[i]->count > 0 && t->operand[i]->turn.count > 0)
            return transfer_poison(t, POISON_MOVED, -1, t->prepared->over);
    return transfer_place(t);
}

Combo *transfer_communicate(Transfer *t)
{
    for (int i = 0; i < t->prepared->op->operand_count; i++)
        if (t->operand[i]->poison != NULL)
            return t->operand[i];
    return transfer_rule(t)->run(t);
}

/* ---- The rules of step/collective.def ----------------------------------------------------------------------- */

/* For functions that a rule never calls. */
static Combo *never_run(Transfer *t)
{
    BUG("'%s' is done where messages are (machine_classes.c)", op_info[t->prepared->op->kind].name);
}

static PoisonKind never_term(Transfer *t, Term *term)
{
    (void)term;
    BUG("'%s' works on no single term", op_info[t->prepared->op->kind].name);
}

static bool never_turn(const Transfer *t, Arc *turn)
{
    (void)turn;
    BUG("'%s' works on no single operand", op_info[t->prepared->op->kind].name);
}

static Combo *never_meet(Transfer *t, Combo *const *operand, int count)
{
    (void)operand, (void)count;
    BUG("rank classes do not meet in '%s'", op_info[t->prepared->op->kind].name);
}

static const TransferRule rule_slice = {communicate_terms, slice_term, keep_range, never_meet};
static const TransferRule rule_place = {place, never_term, never_turn, never_meet};
static const TransferRule rule_all_reduce = {all_reduce, all_reduce_term, keep_turn, meet_all_reduce};
static const TransferRule rule_reduce_scatter = {communicate_terms, reduce_scatter_term, keep_range, meet_combine};
static const TransferRule rule_gather = {keep_terms, gather_term, keep_range, meet_alike};
static const TransferRule rule_filled = {exchange_filled, gather_term, keep_range, meet_neighbours};
static const TransferRule rule_pass_on = {communicate_terms, pass_on_term, pass_on_turn, meet_pass_on};
static const TransferRule rule_halo = {keep_terms, gather_term, keep_turn, meet_neighbours};
static const TransferRule rule_halo_add = {communicate_terms, halo_add_term, keep_turn, meet_neighbours};
static const TransferRule rule_message = {never_run, never_term, never_turn, never_meet};

const TransferRule *transfer_rule(const Transfer *t)
{
    switch (op_collective(t->prepared->op->kind)) {
#define COLLECTIVE(id, whole, piece, sums, peers, transfer, ...)                                                       \
    case COLLECTIVE_##id:                                                                                              \
        return &rule_##transfer;
#include "step/collective.def"
#undef COLLECTIVE
    }
    BUG("'%s' has no transfer rule", op_info[t->prepared->op->kind].name);
}

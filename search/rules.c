/* rules.c - the deriver's rules, as far as they are certain (search/rules.h). */
#include "search/rules.h"

#include <math.h>

/* ---- What is wanted ----------------------------------------------------------------------------------------- */

/* Of the batch, or a gradient: it is summed after the microbatches. */
static bool is_sum(const Rules *rules, const Op *op)
{
    const RefBuffer *out = &rules->facts->buffers[op->out.buffer];
    return out->role == ROLE_GRADIENT || out->partial || rules->facts->ops[op->id].partial;
}

/* Does something else than the operator say where its result is kept? */
static bool is_placed(const Rules *rules, const Run *run)
{
    const RefBuffer *out = &rules->facts->buffers[run->op->out.buffer];
    const Wish *wish = &rules->step->wish[run->op->out.buffer];
    return is_sum(rules, run->op) || run->op->accumulate || out->drawn != NULL || out->syncs.count > 0 ||
           axes_contain(wish->named, rules->axis) || (wish->fixed && !run->first);
}

static int rest_of(const Rules *rules, const Op *op)
{
    return place_at(&rules->step->wish[op->out.buffer].rest, rules->axis);
}

/* May it be wanted with some dim sharded? */
static bool is_wanted(const Rules *rules, const Run *run)
{
    return is_placed(rules, run) || rules->step->wish[run->op->out.buffer].fixed || rest_of(rules, run->op) >= 0;
}

/* Is it there that the result is kept? Of what layers pass on that is where it was written first. */
static bool keeps(const Rules *rules, const Run *run, const Signature *signature, int kept)
{
    const int result = place_on(signature->result), rest = rest_of(rules, run->op);
    if (is_placed(rules, run))
        return true;
    bool fixed = rules->step->wish[run->op->out.buffer].fixed;
    return kept == (fixed && (result == ON_PARTIAL || rest >= 0) ? rest : result);
}

/* ---- What may be sharded ------------------------------------------------------------------------------------ */

static bool may_be_cut(const Rules *rules, Ref ref, OnAxis on)
{
    return on.kind == PLACED_SHARDED && rules->cuts[ref.buffer] >> on.dim & 1;
}

static bool shards(const Op *op, const Signature *signature)
{
    bool any = signature->result.kind == PLACED_SHARDED;
    for (int o = 0; o < op->operand_count; o++)
        any = any || signature->operand[o].kind == PLACED_SHARDED;
    return any;
}

/* Where other operators add parts to the same sum, what is computed whole has to be a part, too: then any letter is
 * sharded that makes it one. */
static bool makes_part(const Rules *rules, const Op *op, const Signature *signature)
{
    return rules->writers[op->out.buffer] > 1 &&
           (is_sum(rules, op) || (op->accumulate && signature->result.kind == PLACED_PARTIAL));
}

/* Would it shard this operand, or any (-1), if that were whole? */
static bool may_cut(const Rules *rules, const Run *run, const Signature *signature, int operand)
{
    const Op *op = run->op;
    if (makes_part(rules, op, signature) || (is_wanted(rules, run) && may_be_cut(rules, op->out, signature->result)))
        return true;
    for (int o = 0; o < op->operand_count; o++)
        if (o != operand && may_be_cut(rules, op->operand[o], signature->operand[o]))
            return true;
    return false;
}

/* True if that is new. A parameter is where it is stored. */
static bool cut(Rules *rules, Ref ref, OnAxis on)
{
    if (on.kind != PLACED_SHARDED || may_be_cut(rules, ref, on) ||
        rules->facts->buffers[ref.buffer].role == ROLE_PARAMETER)
        return false;
    rules->cuts[ref.buffer] |= 1u << on.dim;
    return true;
}

static bool cut_like(Rules *rules, const Op *op, const Signature *signature)
{
    bool changed = cut(rules, op->out, signature->result);
    for (int o = 0; o < op->operand_count; o++)
        changed = cut(rules, op->operand[o], signature->operand[o]) || changed;
    return changed;
}

static int *cutter_of(const Rules *rules, Ref ref, int dim)
{
    return &rules->cutter[ref.buffer * STEP_MAX_DIMS + dim];
}

/* The last run comes first, so that the first one stays. */
static void find_readers(Rules *rules)
{
    for (int r = rules->runs->count - 1; r >= 0; r--) {
        const Run *run = &rules->runs->data[r];
        rules->writers[run->op->out.buffer]++;
        for (int o = 0; o < run->op->operand_count; o++)
            rules->reader[run->op->operand[o].buffer] = r;
    }
}

static void find_cutters(Rules *rules)
{
    for (int r = rules->runs->count - 1; r >= 0; r--) {
        const Run *run = &rules->runs->data[r];
        for (int s = 0; s < run->signatures.count; s++)
            for (int o = 0; o < run->op->operand_count; o++) {
                const OnAxis on = run->signatures.data[s].operand[o];
                if (on.kind == PLACED_SHARDED && may_cut(rules, run, &run->signatures.data[s], o))
                    *cutter_of(rules, run->op->operand[o], on.dim) = r;
            }
    }
}

void rules_find(Arena *arena, Rules *rules)
{
    const int count = rules->facts->reference->buffers.count;
    rules->writers = arena_array(arena, int, count);
    rules->reader = arena_array(arena, int, count);
    rules->cutter = arena_array(arena, int, count *STEP_MAX_DIMS);
    for (int i = 0; i < count * STEP_MAX_DIMS; i++)
        rules->cutter[i] = INT32_MAX;
    find_readers(rules);
    for (bool changed = true; changed;) {
        changed = false;
        for (int r = 0; r < rules->runs->count; r++) {
            const Run *run = &rules->runs->data[r];
            for (int s = 0; s < run->signatures.count; s++)
                if (may_cut(rules, run, &run->signatures.data[s], -1))
                    changed = cut_like(rules, run->op, &run->signatures.data[s]) || changed;
        }
    }
    find_cutters(rules);
}

/* ---- What is sent ------------------------------------------------------------------------------------------- */

static double sent(const Rules *rules, Ref ref, int from, int to)
{
    const RefBuffer *info = &rules->facts->buffers[ref.buffer];
    double bytes = rules->bytes[ref.buffer] * (from >= 0 && to >= 0 ? info->share : 1);
    if (info->role == ROLE_PARAMETER && from >= 0 && from != to)
        return INFINITY;
    return place_cost_on(rules->facts->decls, rules->axis, from, to, info->role == ROLE_PARAMETER ? 0 : bytes);
}

static bool is_made(const Rules *rules, Ref ref)
{
    return rules->facts->buffers[ref.buffer].drawn != NULL || rules->step->wish[ref.buffer].reader != NULL;
}

/* For an operand: nothing if an earlier run may have converted it. */
static double least_sent(const Rules *rules, int run, Ref ref, int from, int to)
{
    const RefBuffer *info = &rules->facts->buffers[ref.buffer];
    bool parameter = info->role == ROLE_PARAMETER;
    bool free = !parameter && (is_made(rules, ref) || info->partial || rules->reader[ref.buffer] < run);
    return free ? 0 : sent(rules, ref, from, to);
}

/* Parts may have been summed in place since. */
static double most_sent(const Rules *rules, Ref ref, int from, int to)
{
    const RefBuffer *info = &rules->facts->buffers[ref.buffer];
    bool unknown = info->role != ROLE_PARAMETER && (is_made(rules, ref) || info->partial || to == ON_PARTIAL);
    return unknown ? INFINITY : sent(rules, ref, from, to);
}

/* Of the result: until it is kept where that is known before, or until it is summed. */
static double result_sent(const Rules *rules, const Run *run, const Signature *signature, int kept)
{
    const int result = place_on(signature->result), to = is_placed(rules, run) ? kept : rest_of(rules, run->op);
    return is_placed(rules, run) || result == ON_PARTIAL ? sent(rules, run->op->out, result, to) : 0;
}

/* ---- What is chosen ----------------------------------------------------------------------------------------- */

/* Is it called for: surely, or at least if other operators converted its operands? */
static bool is_called_for(const Rules *rules, int at, const Signature *signature, const int *on, bool surely)
{
    const Run *run = &rules->runs->data[at];
    const Op *op = run->op;
    const int result = place_on(signature->result), kept = on[op->operand_count];
    if (!shards(op, signature) || (!surely && makes_part(rules, op, signature)))
        return true;
    if (result >= 0 && is_wanted(rules, run) && result == (is_placed(rules, run) ? kept : rest_of(rules, op)))
        return true;
    if (result >= 0 && !surely && is_wanted(rules, run) && result == kept)
        return true;
    for (int o = 0; o < op->operand_count; o++) {
        const OnAxis cut = signature->operand[o];
        if (cut.kind == PLACED_SHARDED &&
            (on[o] == cut.dim || (!surely && *cutter_of(rules, op->operand[o], cut.dim) < at)))
            return true;
    }
    return false;
}

/* What a signature that is certainly there sends at most; INFINITY: nothing is known. */
static double most_of(const Rules *rules, int at, const Signature *signature, const int *on)
{
    const Run *run = &rules->runs->data[at];
    bool maximum = signature->result.kind == PLACED_PARTIAL && signature->result.op != PARTIAL_SUM;
    if (signature->even || maximum || !is_called_for(rules, at, signature, on, true))
        return INFINITY;
    double bytes = result_sent(rules, run, signature, on[run->op->operand_count]);
    for (int o = 0; o < run->op->operand_count; o++)
        bytes += most_sent(rules, run->op->operand[o], on[o], place_on(signature->operand[o]));
    return bytes;
}

static double least_of(const Rules *rules, int at, const Signature *signature, const int *on)
{
    const Run *run = &rules->runs->data[at];
    double bytes = result_sent(rules, run, signature, on[run->op->operand_count]);
    for (int o = 0; o < run->op->operand_count; o++)
        bytes += least_sent(rules, at, run->op->operand[o], on[o], place_on(signature->operand[o]));
    return bytes;
}

/* Rounding of either may be another. */
static bool is_more(double bytes, double than)
{
    return bytes > than * (1 + 1e-9);
}

void rules_choose(const Rules *rules, int at, const int *on, bool *may)
{
    const Run *run = &rules->runs->data[at];
    bool known = !is_sum(rules, run->op) && !run->op->accumulate && !is_made(rules, run->op->out);
    double most = INFINITY, shards_most = INFINITY;
    for (int s = 0; s < run->signatures.count && known; s++) {
        const Signature *signature = &run->signatures.data[s];
        double bytes = most_of(rules, at, signature, on);
        most = fmin(most, bytes);
        shards_most = signature->result.kind == PLACED_SHARDED ? fmin(shards_most, bytes) : shards_most;
    }
    for (int s = 0; s < run->signatures.count; s++) {
        const Signature *signature = &run->signatures.data[s];
        may[s] =
            is_called_for(rules, at, signature, on, false) && keeps(rules, run, signature, on[run->op->operand_count]);
        if (!known || !may[s])
            continue;
        double bytes = least_of(rules, at, signature, on);
        bool less_work = shards_most == 0 && signature->result.kind != PLACED_SHARDED;
        may[s] = !is_more(bytes, most) && !less_work;
    }
}

/* schedule_loops.c - loops, of which only the iterations are run that may find something new.
 *
 * Between two changes of a guard, the second and all later iterations of a loop find the same state, with rings
 * advanced by one step per iteration (run_stretch); only the first and the last are run. Where the slots of an event
 * rotate, an iteration may wait for what was started several iterations before: all are run.
 *
 * tests/sim/equality.c damages the conditions of this file one at a time, and every condition counts: a test must
 * notice, or tests/sim/implied.txt must say why none can.
 */
#include "verify/schedule_internal.h"

enum { MOST_BREAKS = 64 };

/* ---- Does a body repeat? ------------------------------------------------------------------------------------ */

/* How a loop's variable moves the slots of a buffer in its body. */
typedef struct Rotation {
    bool seen;
    int64_t step, modulus; /* the same in all references; step 0: it does not */
} Rotation;

/* A loop whose iterations repeat between these points. */
typedef struct Repeats {
    Rotation *rotation; /* per buffer */
    int count;
    int64_t at[MOST_BREAKS]; /* iterations at which a guard may change */
} Repeats;

static bool shares_memory(const Schedule *s, int buffer)
{
    int cells = (int)s->program->buffers.data[buffer].slots * s->cell_members[buffer];
    for (int i = 0; i < cells; i++)
        if (s->overlaps[s->cell_base[buffer] + i].count > 0)
            return true;
    return false;
}

/* All references must rotate a ring by the same step: then each iteration does to it what the last did, one step on. */
static bool ref_repeats(const Schedule *s, const Ref *ref, int loop, Repeats *repeats)
{
    Rotation *rotation = &repeats->rotation[ref->buffer];
    Rotation here = {true, affine_coefficient(&ref->slot, loop), ref->slot.modulus};
    if (rotation->seen)
        return rotation->step == here.step && (here.step == 0 || rotation->modulus == here.modulus);
    *rotation = here;
    bool ring = here.modulus > 0 && here.modulus <= s->program->buffers.data[ref->buffer].slots;
    return here.step == 0 || (ring && !shares_memory(s, ref->buffer));
}

static bool op_repeats(const Schedule *s, const Op *op, int loop, Repeats *repeats)
{
    bool repeats_all = !op_has_result(op->kind) || ref_repeats(s, &op->out, loop, repeats);
    repeats_all = repeats_all && !affine_uses(&op->event_slot, loop);
    for (int i = 0; i < op->operand_count; i++)
        repeats_all = repeats_all && ref_repeats(s, &op->operand[i], loop, repeats);
    return repeats_all && (!op_is_message(op->kind) || !affine_uses(&op->peer.coordinate, loop));
}

static void breaks_add(Repeats *repeats, int64_t at)
{
    int i = repeats->count++;
    for (; i > 0 && repeats->at[i - 1] > at; i--)
        repeats->at[i] = repeats->at[i - 1];
    repeats->at[i] = at;
}

/* The guard must pass a contiguous range of the variable's values; false if that is not apparent. */
static bool guard_repeats(const Schedule *s, const Node *node, int loop, Repeats *repeats)
{
    const Affine *value = &node->guard.value;
    int64_t coefficient = affine_coefficient(value, loop);
    if (coefficient == 0)
        return true;
    for (int i = 0; i < value->term_count; i++)
        if (value->term[i].variable >= 0 && !s->bound[value->term[i].variable]) /* of a loop inside this one */
            return false;
    if (value->modulus != 0 || (coefficient != 1 && coefficient != -1) || repeats->count > MOST_BREAKS - 2)
        return false;
    int64_t number = schedule_number(s, value) - coefficient * s->loop[loop];
    int64_t low = (node->guard.low - number) * coefficient, high = (node->guard.high - number) * coefficient;
    breaks_add(repeats, coefficient > 0 ? low : high);
    breaks_add(repeats, (coefficient > 0 ? high : low) + 1);
    return true;
}

static bool body_repeats(const Schedule *s, const NodeList *nodes, int loop, Repeats *repeats)
{
    for (int i = 0; i < nodes->count; i++) {
        const Node *node = nodes->data[i];
        if (node->kind == NODE_OP && !op_repeats(s, node->op, loop, repeats))
            return false;
        if (node->kind == NODE_WAIT && affine_uses(&node->wait.slot, loop))
            return false;
        if (node->kind == NODE_LOOP && (affine_uses(&node->loop.first, loop) || affine_uses(&node->loop.last, loop)))
            return false;
        if (node->kind == NODE_GUARD && !guard_repeats(s, node, loop, repeats))
            return false;
        if (!body_repeats(s, &node->body, loop, repeats))
            return false;
    }
    return true;
}

/* ---- Skipping iterations ------------------------------------------------------------------------------------ */

/* The cell that corresponds to this one `by` iterations later. */
static int cell_later(const Schedule *s, const Repeats *repeats, int cell, int64_t by)
{
    int buffer = s->cell_buffer[cell], members = s->cell_members[buffer];
    const Rotation *rotation = &repeats->rotation[buffer];
    if (rotation->step == 0)
        return cell;
    int64_t slot = (cell - s->cell_base[buffer]) / members, modulus = rotation->modulus;
    int64_t later = ((slot + rotation->step * by) % modulus + modulus) % modulus;
    return cell + (int)(later - slot) * members;
}

/* Are the operators started until then and still not waited for in cells that every iteration finds unrotated? */
static bool pending_stays(const Schedule *s, const Repeats *repeats, int64_t started)
{
    for (int i = 0; i < s->pending.count; i++) {
        const InFlight *pending = &s->pending.data[i];
        for (int j = 0; j < pending->cell_count && pending->started <= started; j++)
            if (cell_later(s, repeats, pending->cells[j], 1) != pending->cells[j])
                return false;
    }
    return true;
}

/* Advances by `by` iterations like the last one, whose part of the trace starts at `begin`. */
static void skip(Schedule *s, const Repeats *repeats, int64_t by, int begin)
{
    int end = s->trace->items.count;
    for (int i = 0; i < s->pending.count; i++) {
        schedule_hold(s, &s->pending.data[i], -1);
        for (int j = 0; j < s->pending.data[i].cell_count; j++)
            s->pending.data[i].cells[j] = cell_later(s, repeats, s->pending.data[i].cells[j], by);
        schedule_hold(s, &s->pending.data[i], 1);
    }
    for (int64_t k = 0; k < by && s->meets; k++)
        for (int i = begin; i < end; i++)
            vec_push(s->arena, &s->trace->items, s->trace->items.data[i]);
}

/* Iterations first .. last, in which no guard changes its answer. The second finds what all later ones find, with rings
 * one step further: an iteration writes a cell, overwrites it or leaves it alone, whatever it found, so that two
 * iterations leave the same as one; a wait does after one iteration what it does after two; and what an iteration
 * starts is waited for before the next one starts it again, or never, which check_end refuses. Only what was started
 * before the loop does not rotate with the rings. If none of that is in a ring, the last iteration is run right after
 * the first. */
static void run_stretch(Schedule *s, const Node *node, const Repeats *repeats, int64_t first, int64_t last)
{
    int begin = s->trace->items.count;
    int64_t entered = s->clock;
    for (int64_t i = first; i <= last && !schedule_too_long(s, node->span); i++) {
        if (i == first + 1 && pending_stays(s, repeats, entered)) {
            skip(s, repeats, last - i, begin);
            i = last;
        }
        s->loop[node->loop.id] = i;
        schedule_nodes(s, &node->body);
    }
}

/* All iterations, in stretches; false if they do not repeat. */
static bool run_repeats(Schedule *s, const Node *node, int64_t first, int64_t last)
{
    Repeats repeats = {.rotation = arena_array(s->arena, Rotation, s->program->buffers.count + 1)};
    if (!body_repeats(s, &node->body, node->loop.id, &repeats))
        return false;
    for (int i = 0; i < repeats.count; i++) {
        int64_t at = repeats.at[i];
        if (at <= first || at > last)
            continue;
        run_stretch(s, node, &repeats, first, at - 1);
        first = at;
    }
    run_stretch(s, node, &repeats, first, last);
    return true;
}

void schedule_loop(Schedule *s, const Node *node)
{
    int64_t first = schedule_number(s, &node->loop.first), last = schedule_number(s, &node->loop.last);
    s->loop[node->loop.id] = first;
    s->bound[node->loop.id] = true;
    bool repeats = node->loop.step > 0 && last - first >= 4;
    if (!repeats || !run_repeats(s, node, first, last))
        for (int64_t i = first; node->loop.step > 0 ? i <= last : i >= last; i += node->loop.step) {
            if (schedule_too_long(s, node->span))
                break;
            s->loop[node->loop.id] = i;
            schedule_nodes(s, &node->body);
        }
    s->bound[node->loop.id] = false;
}

/* motion.c - how a loop's body moves (verify/motion.h).
 *
 * tests/sim/equality.c damages the conditions of this file one at a time, and every condition counts: a test must
 * notice, or tests/sim/implied.txt must say why none can.
 */
#include "verify/motion.h"

enum { MOST_RATE = 1 << 18, MOST_PERIOD = 1 << 12 }; /* so that no product overflows */

/* While a body is looked at, the rotations are those of one iteration, by the first reference to each buffer. */
typedef struct Search {
    const Program *program;
    Motion *motion;
} Search;

static int64_t greatest_common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* By how much the expression is greater one iteration later. */
static int64_t rate_of(const Motion *motion, const Affine *affine)
{
    int64_t rate = 0;
    for (int i = 0; i < affine->term_count; i++)
        if (affine->term[i].variable >= 0)
            rate += affine->term[i].coefficient * motion->rate[affine->term[i].variable];
    return rate;
}

static bool is_slow(int64_t rate)
{
    return (uint64_t)(rate + MOST_RATE) <= 2 * (uint64_t)MOST_RATE;
}

/* Makes the period a multiple of that of a number which every iteration moves so. */
static bool add_period(Motion *motion, int64_t rate, int64_t modulus)
{
    int64_t own = modulus / greatest_common_divisor(modulus, affine_wrap(rate, modulus));
    motion->period = motion->period / greatest_common_divisor(motion->period, own) * own;
    return motion->period <= MOST_PERIOD;
}

/* An expression whose value must be the same a period later. */
static bool returns(Motion *motion, const Affine *affine)
{
    int64_t rate = rate_of(motion, affine);
    return rate == 0 || (is_slow(rate) && affine->modulus > 0 && add_period(motion, rate, affine->modulus));
}

static bool ref_moves(Search *search, const Ref *ref)
{
    Motion *motion = search->motion;
    Rotation *rotation = &motion->rotation[ref->buffer];
    Rotation here = {rate_of(motion, &ref->slot), ref->slot.modulus};
    bool ring = here.modulus > 0 && here.modulus <= search->program->buffers.data[ref->buffer].slots;
    if (!motion->names[ref->buffer])
        *rotation = here;
    bool alike = rotation->step == here.step && rotation->modulus == here.modulus;
    motion->names[ref->buffer] = true;
    if (here.step != 0 && !(ring && is_slow(here.step)))
        return false;
    if (alike)
        return true;
    return (here.step == 0 || add_period(motion, here.step, here.modulus)) &&
           (rotation->step == 0 || add_period(motion, rotation->step, rotation->modulus));
}

static bool op_moves(Search *search, const Op *op)
{
    for (int i = 0; i < op->operand_count; i++)
        if (!ref_moves(search, &op->operand[i]))
            return false;
    if (op_has_result(op->kind) && !ref_moves(search, &op->out))
        return false;
    if ((op_is_message(op->kind) || op_hands_on(op->kind)) && !returns(search->motion, &op->peer.coordinate))
        return false;
    return returns(search->motion, &op->event_slot);
}

/* A loop inside repeats if its bounds move alike; then so does its variable. */
static bool loop_moves(Motion *motion, const Node *node)
{
    int64_t rate = rate_of(motion, &node->loop.first);
    if (rate != rate_of(motion, &node->loop.last) || !is_slow(rate))
        return false;
    motion->rate[node->loop.id] = rate;
    return rate == 0 || (node->loop.first.modulus | node->loop.last.modulus) == 0;
}

/* Without a modulus its answer lasts for a while, which those who run it find out. */
static bool guard_moves(Motion *motion, const Affine *value)
{
    return value->modulus > 0 ? returns(motion, value) : is_slow(rate_of(motion, value));
}

static bool body_moves(Search *search, const NodeList *nodes)
{
    for (int i = 0; i < nodes->count; i++) {
        const Node *node = nodes->data[i];
        bool moves = true;
        switch (node->kind) {
        case NODE_OP:
            moves = op_moves(search, node->op);
            break;
        case NODE_WAIT:
            moves = returns(search->motion, &node->wait.slot);
            break;
        case NODE_LOOP:
            moves = loop_moves(search->motion, node);
            break;
        case NODE_GUARD:
            moves = guard_moves(search->motion, &node->guard.value);
            break;
        }
        if (!moves || !body_moves(search, &node->body))
            return false;
    }
    return true;
}

const Motion *motion_of(Arena *arena, const Program *program, const Node *loop)
{
    Motion *motion = arena_make(arena, Motion);
    Search search = {.program = program, .motion = motion};
    *motion = (Motion){.loop = loop, .period = 1};
    motion->rate = arena_array(arena, int64_t, program->loop_count + 1);
    motion->rotation = arena_array(arena, Rotation, program->buffers.count + 1);
    motion->names = arena_array(arena, bool, program->buffers.count + 1);
    motion->rate[loop->loop.id] = loop->loop.step;
    if (!body_moves(&search, &loop->body))
        return NULL;
    for (int b = 0; b < program->buffers.count; b++) {
        Rotation *rotation = &motion->rotation[b];
        rotation->step = affine_wrap(rotation->step * motion->period, rotation->modulus);
    }
    return motion;
}

int64_t motion_by(const Motion *motion, const Affine *affine)
{
    return rate_of(motion, affine) * motion->period;
}

int64_t motion_slot(const Motion *motion, int buffer, int64_t slot, int64_t periods)
{
    const Rotation *rotation = &motion->rotation[buffer];
    if (rotation->step == 0)
        return slot;
    return affine_wrap(slot + rotation->step * (periods % rotation->modulus), rotation->modulus);
}

int64_t motion_lasts(int64_t number, int64_t by, int64_t low, int64_t high)
{
    if (by < 0)
        return motion_lasts(-number, -by, -high, -low);
    if (by == 0 || number > high || low > high)
        return INT64_MAX;
    return number < low ? (low - 1 - number) / by : (high - number) / by;
}

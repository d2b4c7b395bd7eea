/* machine_length.c - is a routine too long to follow? Decided from its text, before anything is run.
 *
 * The count is a lower bound of the steps that a run takes on the current rank class: operators and iterations that are
 * reached whatever the values are. The body of a loop is counted once and multiplied if it does not depend on the
 * loop's variable; otherwise it is counted iteration by iteration, within a budget. Of a loop whose periods may be
 * skipped, only as many are counted as are run in any case.
 */
#include "verify/machine_internal.h"

enum { BUDGET = 1 << 17 }; /* nodes to look at, for all rank classes together */

typedef struct Length {
    Machine *m;
    int64_t looked;
    const Node *longest; /* the innermost loop that is too long by itself */
} Length;

/* Does control in these nodes depend on the loop's variable? */
static bool body_asks(const NodeList *nodes, int loop)
{
    for (int i = 0; i < nodes->count; i++) {
        const Node *node = nodes->data[i];
        if (node->kind == NODE_GUARD && affine_uses(&node->guard.value, loop))
            return true;
        if (node->kind == NODE_LOOP && (affine_uses(&node->loop.first, loop) || affine_uses(&node->loop.last, loop)))
            return true;
        if (body_asks(&node->body, loop))
            return true;
    }
    return false;
}

static bool has_micro(const NodeList *nodes)
{
    for (int i = 0; i < nodes->count; i++) {
        const Node *node = nodes->data[i];
        if ((node->kind == NODE_LOOP && node->loop.kind == LOOP_MICRO) || has_micro(&node->body))
            return true;
    }
    return false;
}

static int64_t least_steps(Length *length, const NodeList *nodes);

/* Most iterations of a microbatch loop may be replayed. Each replay is one step if the body has an operator outside
 * any guard. */
static int64_t recalled_steps(const NodeList *nodes)
{
    for (int i = 0; i < nodes->count; i++)
        if (nodes->data[i]->kind == NODE_OP)
            return 1;
    return 0;
}

int64_t machine_iterations(const Node *loop, int64_t first, int64_t last)
{
    int64_t count = loop->loop.step > 0 ? last - first : first - last;
    return count < 0 ? 0 : count + 1;
}

/* The product, capped where it exceeds the limit. */
static int64_t times(int64_t count, int64_t steps)
{
    int64_t product;
    return __builtin_mul_overflow(count, steps, &product) || product > MACHINE_MOST_STEPS ? MACHINE_MOST_STEPS + 1
                                                                                          : product;
}

static int64_t loop_steps(Length *length, const Node *node)
{
    RankClass *class = length->m->class;
    int64_t first, last, steps = 0;
    if (!machine_affine(length->m, &node->loop.first, &first, NULL) ||
        !machine_affine(length->m, &node->loop.last, &last, NULL))
        return 0;
    int64_t count = machine_iterations(node, first, last);
    const Motion *motion = machine_motion(length->m, node, count);
    if (motion != NULL)
        count = FEWEST_PERIODS * motion->period;
    bool recalled = node->loop.kind == LOOP_MICRO && !has_micro(&node->body);
    class->bound[node->loop.id] = true;
    class->loop[node->loop.id] = first;
    if (count == 0 || recalled) {
        steps = times(count, 1 + recalled_steps(&node->body));
    } else if (!body_asks(&node->body, node->loop.id)) {
        steps = times(count, 1 + least_steps(length, &node->body));
    } else {
        for (int64_t i = 0; i < count && steps <= MACHINE_MOST_STEPS && length->looked < BUDGET; i++) {
            class->loop[node->loop.id] = first + i * node->loop.step;
            steps += 1 + least_steps(length, &node->body);
        }
    }
    class->bound[node->loop.id] = false;
    if (steps > MACHINE_MOST_STEPS && length->longest == NULL)
        length->longest = node;
    return steps;
}

static int64_t least_steps(Length *length, const NodeList *nodes)
{
    int64_t steps = 0, value;
    for (int i = 0; i < nodes->count && length->looked++ < BUDGET && steps <= MACHINE_MOST_STEPS; i++) {
        const Node *node = nodes->data[i];
        switch (node->kind) {
        case NODE_OP:
            steps++;
            break;
        case NODE_LOOP:
            steps += loop_steps(length, node);
            break;
        case NODE_GUARD:
            if (machine_affine(length->m, &node->guard.value, &value, NULL) && value >= node->guard.low &&
                value <= node->guard.high)
                steps += least_steps(length, &node->body);
            break;
        case NODE_WAIT:
            break;
        }
    }
    return steps;
}

const Node *machine_too_long(Machine *m, const Routine *routine)
{
    Length length = {.m = m};
    int64_t steps = 0;
    for (int i = 0; i < m->class_count && length.looked < BUDGET && length.longest == NULL; i++) {
        m->class = &m->classes[i];
        steps += least_steps(&length, &routine->body);
    }
    m->class = &m->classes[0];
    return length.longest;
}

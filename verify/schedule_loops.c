/* schedule_loops.c - loops, of which only the iterations are run that may find something new.
 *
 * While no guard changes its answer, the second and all later periods of a loop (verify/motion.h) find the same state,
 * with rings advanced by one step per period (run_periods); only the first and the last are run.
 *
 * tests/sim/equality.c damages the conditions of this file one at a time, and every condition counts: a test must
 * notice, or tests/sim/implied.txt must say why none can.
 */
#include "verify/schedule_internal.h"

/* ---- Does a body repeat? ------------------------------------------------------------------------------------ */

static bool is_ring(const Motion *motion, int buffer)
{
    return motion->rotation[buffer].step != 0;
}

static int cells_of(const Schedule *s, int buffer)
{
    return (int)s->program->buffers.data[buffer].slots * s->cell_members[buffer];
}

/* Rings must not share bytes with anything else in the body: then what a period does is the same wherever they have got
 * to. */
static bool rings_are_alone(const Schedule *s, const Motion *motion)
{
    for (int b = 0; b < s->program->buffers.count; b++)
        for (int i = 0; i < cells_of(s, b) && is_ring(motion, b); i++) {
            const Overlaps *overlaps = &s->overlaps[s->cell_base[b] + i];
            for (int j = 0; j < overlaps->count; j++)
                if (motion->names[s->cell_buffer[overlaps->data[j]]])
                    return false;
        }
    return true;
}

static const Motion *motion_here(Schedule *s, const Node *node)
{
    int id = node->loop.id;
    if (!s->looked_at[id]) {
        const Motion *motion = motion_of(s->arena, s->program, node);
        s->motion[id] = motion != NULL && rings_are_alone(s, motion) ? motion : NULL;
        s->looked_at[id] = true;
    }
    return s->motion[id];
}

/* ---- Skipping periods --------------------------------------------------------------------------------------- */

/* The cell that corresponds to this one `by` periods later. */
static int cell_later(const Schedule *s, const Motion *motion, int cell, int64_t by)
{
    int buffer = s->cell_buffer[cell], members = s->cell_members[buffer];
    int64_t slot = (cell - s->cell_base[buffer]) / members;
    return cell + (int)(motion_slot(motion, buffer, slot, by) - slot) * members;
}

/* Does what a period finds there depend on how far the rings have got? */
static bool turns(const Schedule *s, const Motion *motion, int cell)
{
    for (int i = 0; i < s->overlaps[cell].count; i++)
        if (is_ring(motion, s->cell_buffer[s->overlaps[cell].data[i]]))
            return true;
    return is_ring(motion, s->cell_buffer[cell]);
}

/* Are the operators started until then and still not waited for in cells that every period finds unrotated? */
static bool pending_stays(const Schedule *s, const Motion *motion, int64_t started)
{
    for (int i = 0; i < s->pending.count; i++) {
        const InFlight *pending = &s->pending.data[i];
        for (int j = 0; j < pending->cell_count && pending->started <= started; j++)
            if (turns(s, motion, pending->cells[j]))
                return false;
    }
    return true;
}

/* Has nothing been written over a slot of a ring? */
static bool rings_are_whole(const Schedule *s, const Motion *motion)
{
    for (int b = 0; b < s->program->buffers.count; b++)
        for (int i = 0; i < cells_of(s, b) && is_ring(motion, b); i++)
            if (s->clobbered[s->cell_base[b] + i] >= 0)
                return false;
    return true;
}

void schedule_wrote(Schedule *s, int cell)
{
    for (Period *period = s->period; period != NULL; period = period->outer)
        if (is_ring(period->motion, s->cell_buffer[cell]))
            vec_push(s->arena, &period->wrote, cell);
}

/* What `by` periods like this one write over. */
static void skip_over(Schedule *s, const Period *period, int64_t by)
{
    for (int i = 0; i < period->wrote.count; i++) {
        int cell = period->wrote.data[i], buffer = s->cell_buffer[cell];
        int64_t slots = period->motion->rotation[buffer].modulus;
        for (int64_t j = 1; j <= by && j <= slots; j++) {
            int later = cell_later(s, period->motion, cell, j);
            const Overlaps *overlaps = &s->overlaps[later];
            schedule_wrote(s, later); /* for the periods around this one */
            for (int k = 0; k < overlaps->count; k++)
                s->clobbered[overlaps->data[k]] = buffer;
        }
    }
}

/* Advances by `by` periods like this one, whose part of the trace starts at `begin`. */
static void skip(Schedule *s, const Period *period, int64_t by, int begin)
{
    for (int i = 0; i < s->pending.count; i++) {
        InFlight *pending = &s->pending.data[i];
        schedule_hold(s, pending, -1);
        for (int j = 0; j < pending->cell_count; j++)
            pending->cells[j] = cell_later(s, period->motion, pending->cells[j], by);
        schedule_hold(s, pending, 1);
    }
    skip_over(s, period, by);
    if (s->trace->items.count > begin)
        vec_push(s->arena, &s->trace->items, (TraceItem){.again = by, .from = begin});
}

void schedule_asked(Schedule *s, const Node *guard, int64_t value)
{
    for (Period *period = s->period; period != NULL; period = period->outer) {
        int64_t by = guard->guard.value.modulus > 0 ? 0 : motion_by(period->motion, &guard->guard.value);
        int64_t lasts = motion_lasts(value, by, guard->guard.low, guard->guard.high);
        period->lasts = lasts < period->lasts ? lasts : period->lasts;
    }
}

/* Runs `count` iterations, the first of which is this one. */
static void run_iterations(Schedule *s, const Node *node, int64_t first, int64_t count)
{
    for (int64_t i = 0; i < count && !schedule_too_long(s, node->span); i++) {
        s->loop[node->loop.id] = first + i * node->loop.step;
        schedule_nodes(s, &node->body);
    }
}

/* `count` iterations from `first` on. Of the periods that follow one in which no guard changes its answer, the first
 * finds what all later ones find, with rings one step further: a period writes a cell, overwrites it or leaves it
 * alone, whatever it found, so that two periods leave the same as one; a wait does after one period what it does after
 * two; and what a period starts is waited for before the next one starts it again, or never, which check_end refuses.
 * Only what was started before does not rotate with the rings. If none of that is in a ring, the last of these periods
 * is run right after the one that they follow. */
static void run_periods(Schedule *s, const Motion *motion, int64_t first, int64_t count)
{
    const Node *node = motion->loop;
    int64_t step = node->loop.step, length = motion->period;
    for (int64_t i = 0; i < count && !s->stopped; i += length) {
        Period period = {.motion = motion, .lasts = INT64_MAX, .outer = s->period};
        int begin = s->trace->items.count;
        int64_t entered = s->clock, left = (count - i) / length - 1;
        s->period = &period;
        run_iterations(s, node, first + i * step, count - i < length ? count - i : length);
        s->period = period.outer;
        int64_t like_this = period.lasts < left ? period.lasts : left;
        if (like_this < 2 || !pending_stays(s, motion, entered) || !rings_are_whole(s, motion))
            continue;
        skip(s, &period, like_this - 1, begin);
        i += like_this * length;
        run_iterations(s, node, first + i * step, length);
    }
}

void schedule_loop(Schedule *s, const Node *node)
{
    int64_t first = schedule_number(s, &node->loop.first), last = schedule_number(s, &node->loop.last);
    int64_t count = (node->loop.step > 0 ? last - first : first - last) + 1;
    s->loop[node->loop.id] = first;
    const Motion *motion = count >= 4 ? motion_here(s, node) : NULL;
    if (motion != NULL)
        run_periods(s, motion, first, count);
    else
        run_iterations(s, node, first, count);
}

/* machine_rounds.c - periods of pipelines that do what the period before did.
 *
 * Rank classes run side by side in rounds: in each, a rank class runs one period (verify/motion.h) of the outermost
 * loop that it is in, unless it waits for another. What it does is logged. If two rounds have the same log,
 * microbatches later, the next one is *watched*: which cells were read before they were written, what they held, and
 * for how long the answers to all questions stay. If that round has the same log again, and all that a later round
 * reads has moved on by a period, then all rounds do the same as long as the answers stay, and their results are those
 * of this one, as many microbatches later (docs/semantics.md 8.5).
 *
 * tests/sim/equality.c damages the conditions of this file one at a time, and every condition counts: a test must
 * notice, or tests/sim/implied.txt must say why none can.
 */
#include "verify/machine_exchange.h"

/* Something that was done, by what it was done with; with a microbatch, or ABSOLUTE. */
typedef struct Deed {
    const void *what;
    int64_t time;
} Deed;

/* A cell, or the padding of a slot, that a watched round has touched. `live`: a later round reads what it has held. */
typedef struct Touched {
    int cell;
    bool live, written;
    Cell before, after;
    bool zero_before, zero_after;
} Touched;

typedef Vec(Deed) Deeds;

struct Log {
    Deeds deeds, last; /* of this round and of the one before */
    Vec(Touched) touched;
    int *index;      /* per cell and slot: 1 + which of `touched`; 0: none */
    bool was_paused; /* at the end of the round before */
    bool is_new;     /* something was done that is never like what was done before */
};

struct Rounds {
    int *cell_buffer, *slot_buffer;
    bool watched;
    int64_t lasts; /* of the watched round: for so many rounds more, answers stay */
    int64_t by;    /* microbatches from one round to the next, */
    bool by_known; /* if anything says so */
};

/* ---- What a round does -------------------------------------------------------------------------------------- */

bool round_is_watched(const Machine *m)
{
    return m->class->motion != NULL && m->rounds->watched;
}

void round_did(Machine *m, const void *what, int64_t time)
{
    if (m->class->motion != NULL)
        vec_push(m->table->scratch, &m->class->log->deeds, (Deed){what, time});
}

void round_did_new(Machine *m)
{
    if (m->class->motion != NULL)
        m->class->log->is_new = true;
}

void round_did_op(Machine *m, const Op *op, const Cell *cells, int count, bool zero)
{
    round_did(m, op, m->class->has_current ? m->class->current : ABSOLUTE);
    for (int i = 0; i < count; i++)
        round_did(m, cells[i].combo, cells[i].shift);
    round_did(m, m->class->guard, ABSOLUTE);
    round_did(m, zero ? op : NULL, ABSOLUTE);
}

void round_asks(Machine *m, int64_t number, int64_t by, int64_t low, int64_t high)
{
    int64_t lasts = motion_lasts(number, by, low, high);
    if (lasts < m->rounds->lasts)
        m->rounds->lasts = lasts;
}

static Touched *touch(Machine *m, Log *log, int cell)
{
    if (log->index[cell] == 0) {
        Touched touched = {.cell = cell};
        if (cell >= m->cell_count)
            touched.zero_before = m->class->padding_zero[cell - m->cell_count];
        else
            touched.before = m->class->cell[cell] = cell_canonical(m, m->class->cell[cell]);
        vec_push(m->table->scratch, &log->touched, touched);
        log->index[cell] = log->touched.count;
    }
    return &log->touched.data[log->index[cell] - 1];
}

void round_touches(Machine *m, int cell, bool reads, bool writes)
{
    if (!round_is_watched(m))
        return;
    Touched *touched = touch(m, m->class->log, cell);
    touched->live |= reads && !touched->written;
    touched->written |= writes;
}

/* Is the node, or what is in it, a loop over microbatches, or something in which rank classes meet? */
static void look_at(const Machine *m, const Node *node, bool *micro, bool *crosses)
{
    *micro |= node->kind == NODE_LOOP && node->loop.kind == LOOP_MICRO;
    *crosses |= node->kind == NODE_OP && op_crosses(m, node->op);
    for (int i = 0; i < node->body.count; i++)
        look_at(m, node->body.data[i], micro, crosses);
}

const Motion *machine_motion(Machine *m, const Node *loop, int64_t iterations)
{
    int id = loop->loop.id;
    bool micro = false, crosses = false;
    if (!m->looked_at[id])
        look_at(m, loop, &micro, &crosses);
    if (micro && crosses)
        m->motion[id] = motion_of(m->table->arena, m->program, loop);
    m->looked_at[id] = true;
    bool repeats = m->motion[id] != NULL && iterations >= FEWEST_PERIODS * m->motion[id]->period;
    return repeats ? m->motion[id] : NULL;
}

void round_enters_loop(Machine *m, const Frame *frame)
{
    RankClass *class = m->class;
    if (class->motion != NULL || class->micro >= 0)
        return;
    class->motion = machine_motion(m, frame->owner, machine_iterations(frame->owner, frame->value, frame->last));
    if (class->motion == NULL)
        return;
    class->counted = class->depth - 1;
    class->iterations = 0;
    if (class->log != NULL)
        return;
    class->log = arena_make(m->table->scratch, Log);
    class->log->index = arena_array(m->table->scratch, int, m->cell_count + m->slot_count + 1);
}

/* ---- Is it like the round before? --------------------------------------------------------------------------- */

static bool deed_again(Rounds *rounds, const Deed *before, const Deed *deed)
{
    if (deed->what != before->what || (deed->time == ABSOLUTE) != (before->time == ABSOLUTE))
        return false;
    if (deed->time == ABSOLUTE)
        return true;
    if (!rounds->by_known)
        rounds->by = deed->time - before->time;
    rounds->by_known = true;
    return deed->time - before->time == rounds->by;
}

/* Has the rank class done nothing, or one period, which was that of the round before? */
static bool class_again(Rounds *rounds, const RankClass *class)
{
    const Log *log = class->log;
    if (!class->moved)
        return true;
    if (!class->paused || !log->was_paused || log->is_new || log->deeds.count != log->last.count ||
        class->pending.count > 0)
        return false;
    for (int i = 0; i < log->deeds.count; i++)
        if (!deed_again(rounds, &log->last.data[i], &log->deeds.data[i]))
            return false;
    return true;
}

/* A meeting that is not complete is among what its rank classes have started: those that have moved have nothing there,
 * and the others have come to none. */
static bool all_again(Machine *m)
{
    Rounds *rounds = m->rounds;
    rounds->by_known = false;
    for (int i = 0; i < m->class_count; i++)
        if (!class_again(rounds, &m->classes[i]))
            return false;
    return true;
}

/* ---- Does what later rounds read move on with them? --------------------------------------------------------- */

/* The cell, or slot's padding, that corresponds to this one `periods` later. */
static int index_later(const Machine *m, int index, int64_t periods)
{
    bool padding = index >= m->cell_count;
    int buffer = padding ? m->rounds->slot_buffer[index - m->cell_count] : m->rounds->cell_buffer[index];
    int base = padding ? m->cell_count + m->slot_base[buffer] : m->cell_base[buffer];
    int members = padding ? 1 : m->cell_members[buffer];
    int64_t slot = (index - base) / members;
    return index + (int)(motion_slot(m->class->motion, buffer, slot, periods) - slot) * members;
}

static bool contents_again(Cell before, Cell now, int64_t by)
{
    Cell later = cell_later(before, by);
    return now.combo == later.combo && now.shift == later.shift;
}

/* Does the corresponding cell hold now what this one held when the round began? */
static bool moves_on(Machine *m, const Touched *touched, int next)
{
    if (next >= m->cell_count)
        return m->class->padding_zero[next - m->cell_count] == touched->zero_before;
    Cell *now = &m->class->cell[next];
    *now = cell_canonical(m, *now);
    return contents_again(touched->before, *now, m->rounds->by);
}

/* Cells that a later round reads, and that no round before it writes, are added to those touched. */
static bool class_moves_on(Machine *m)
{
    Log *log = m->class->log;
    for (int i = 0; i < log->touched.count; i++) {
        Touched touched = log->touched.data[i];
        if (!touched.live)
            continue;
        int next = index_later(m, touched.cell, 1);
        if (!moves_on(m, &touched, next))
            return false;
        Touched *there = touch(m, log, next);
        there->live |= !there->written;
    }
    return true;
}

static bool channels_move_on(const Machine *m)
{
    for (const Channel *channel = m->exchange->newest; channel != NULL; channel = channel->older) {
        int waiting = channel->messages.count - channel->taken;
        if (waiting != channel->sent_before - channel->taken_before)
            return false;
        for (int i = 0; i < waiting; i++) {
            const Message *before = &channel->messages.data[channel->taken_before + i];
            const Message *now = &channel->messages.data[channel->taken + i];
            if (before->op != now->op || before->zero != now->zero)
                return false;
            for (int j = 0; j < before->count; j++)
                if (!contents_again(before->cells[j], now->cells[j], m->rounds->by))
                    return false;
        }
    }
    return true;
}

static bool all_move_on(Machine *m)
{
    bool all = channels_move_on(m);
    for (int i = 0; i < m->class_count && all; i++) {
        m->class = &m->classes[i];
        all = !m->class->moved || class_moves_on(m);
    }
    return all;
}

/* ---- Skipping rounds ---------------------------------------------------------------------------------------- */

/* For how many rounds more, up to the end of some rank class's loop? */
static int64_t rounds_left(const Machine *m)
{
    int64_t left = m->rounds->lasts;
    for (int i = 0; i < m->class_count; i++) {
        const RankClass *class = &m->classes[i];
        if (!class->moved)
            continue;
        const Frame *frame = &class->frame[class->counted];
        int64_t periods = machine_iterations(frame->owner, frame->value, frame->last) / class->motion->period;
        left = periods < left ? periods : left;
    }
    return left;
}

static void write_later(Machine *m, const Touched *touched, int64_t periods)
{
    int cell = index_later(m, touched->cell, periods);
    if (cell >= m->cell_count)
        m->class->padding_zero[cell - m->cell_count] = touched->zero_after;
    else
        m->class->cell[cell] = cell_canonical(m, cell_later(touched->after, periods * m->rounds->by));
}

/* Of how many skipped periods is something left? In a ring of as many as it has slots, elsewhere of the last one. */
static int64_t periods_left(const Machine *m)
{
    int64_t most = 1;
    const Rotation *rotation = m->class->motion->rotation;
    for (int b = 0; b < m->program->buffers.count; b++)
        if (rotation[b].step != 0 && rotation[b].modulus > most)
            most = rotation[b].modulus;
    return most;
}

static void class_skips(Machine *m, int64_t periods)
{
    RankClass *class = m->class;
    Log *log = class->log;
    int64_t left = periods_left(m);
    for (int i = 0; i < log->touched.count; i++) {
        Touched *touched = &log->touched.data[i];
        if (touched->cell >= m->cell_count)
            touched->zero_after = class->padding_zero[touched->cell - m->cell_count];
        else
            touched->after = cell_canonical(m, class->cell[touched->cell]);
    }
    for (int64_t period = periods > left ? periods - left + 1 : 1; period <= periods; period++)
        for (int i = 0; i < log->touched.count; i++) {
            const Touched *touched = &log->touched.data[i];
            if (touched->written && (period == periods || index_later(m, touched->cell, 1) != touched->cell))
                write_later(m, touched, period);
        }
    class->frame[class->counted].value += periods * class->motion->period * class->motion->loop->loop.step;
}

static void channels_skip(Machine *m, int64_t periods)
{
    for (const Channel *channel = m->exchange->newest; channel != NULL; channel = channel->older)
        for (int i = channel->taken; i < channel->messages.count; i++) {
            const Message *message = &channel->messages.data[i];
            for (int j = 0; j < message->count; j++)
                message->cells[j] = cell_canonical(m, cell_later(message->cells[j], periods * m->rounds->by));
        }
}

/* True if there was something to skip. */
static bool skip(Machine *m)
{
    int64_t rounds = rounds_left(m);
    for (int i = 0; i < m->class_count && rounds > 0; i++) {
        m->class = &m->classes[i];
        if (m->class->moved)
            class_skips(m, rounds);
    }
    if (rounds > 0)
        channels_skip(m, rounds);
    return rounds > 0;
}

/* ---- From round to round ------------------------------------------------------------------------------------ */

static void class_begins(RankClass *class)
{
    Log *log = class->log;
    if (log != NULL) {
        for (int i = 0; i < log->touched.count; i++)
            log->index[log->touched.data[i].cell] = 0;
        log->touched.count = 0;
        Deeds last = log->last;
        log->last = log->deeds;
        log->deeds = last;
        log->deeds.count = 0;
        log->is_new = false;
        log->was_paused = class->paused;
    }
    class->paused = class->moved = false;
    class->iterations = 0;
}

static void round_begins(Machine *m, bool watched)
{
    Rounds *rounds = m->rounds;
    rounds->watched = watched;
    rounds->lasts = INT64_MAX;
    for (int i = 0; i < m->class_count; i++)
        class_begins(&m->classes[i]);
    for (Channel *channel = m->exchange->newest; channel != NULL; channel = channel->older) {
        channel->sent_before = channel->messages.count;
        channel->taken_before = channel->taken;
    }
}

void rounds_start(Machine *m)
{
    m->rounds = arena_make(m->table->scratch, Rounds);
    m->rounds->cell_buffer = arena_array(m->table->scratch, int, m->cell_count + 1);
    m->rounds->slot_buffer = arena_array(m->table->scratch, int, m->slot_count + 1);
    for (int b = 0; b < m->program->buffers.count; b++)
        for (int64_t slot = 0; slot < m->program->buffers.data[b].slots; slot++) {
            m->rounds->slot_buffer[m->slot_base[b] + slot] = b;
            for (int i = 0; i < m->cell_members[b]; i++)
                m->rounds->cell_buffer[machine_cell(m, b, slot, i)] = b;
        }
    round_begins(m, false);
}

/* After a skip, the round before the next one is not this one. */
void round_ends(Machine *m)
{
    bool again = all_again(m), skipped = again && m->rounds->watched && all_move_on(m) && skip(m);
    round_begins(m, again);
    for (int i = 0; i < m->class_count && skipped; i++)
        if (m->classes[i].log != NULL)
            m->classes[i].log->was_paused = false;
}

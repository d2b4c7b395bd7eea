/* run.c - every rank's walk over a routine, in an order drawn by chance. */
#include "tests/sim/run.h"

#include "tests/sim/perform.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { MAX_TRIPS = 100000, MAX_STRIDE = 16 };

static uint64_t draw_below(SimMachine *machine, uint64_t count)
{
    machine->chance = sim_mix(machine->chance, 1);
    return (machine->chance >> 8) % count;
}

/* ---- Groups ------------------------------------------------------------------------------------------------- */

static unsigned axes_of(const SimOp *op)
{
    unsigned axes = 0;
    for (int a = 0; a < op->axis_count; a++)
        axes |= 1u << op->axes[a];
    return axes;
}

bool sim_same_group(const SimMachine *machine, unsigned axes, int r, int q)
{
    for (int a = 0; a < machine->file->axis_count; a++)
        if (!(axes >> a & 1) && machine->ranks[r].coordinates[a] != machine->ranks[q].coordinates[a])
            return false;
    return true;
}

SimPost *sim_find_post(const SimRank *rank, unsigned axes, int64_t sequence)
{
    for (int p = rank->post_count - 1; p >= 0; p--)
        if (rank->posts[p]->peer < 0 && rank->posts[p]->axes == axes && rank->posts[p]->sequence == sequence)
            return rank->posts[p];
    return NULL;
}

/* The other end of a message; NULL: not yet there. */
static SimPost *find_other_end(const SimMachine *machine, const SimPost *post)
{
    const SimRank *peer = &machine->ranks[post->peer];
    for (int p = peer->post_count - 1; p >= 0; p--) {
        SimPost *other = peer->posts[p];
        if (other->peer == post->issue.rank && other->issue.op->channel == post->issue.op->channel &&
            other->issue.op->of->sends != post->issue.op->of->sends && other->sequence == post->sequence)
            return other;
    }
    return NULL;
}

/* Whether two of one rank go through the same communicator: the one that they name, if none is declared that of the axes
 * and the stream, or of the edge and the channel. */
static bool same_queue(const SimMachine *machine, const SimPost *p, const SimPost *q)
{
    const SimOp *a = p->issue.op, *b = q->issue.op;
    bool named = machine->program->communicator_count > 0;
    bool edge = named ? a->communicator >= 0 && machine->program->communicators[a->communicator].edges : p->peer >= 0;
    if (named && a->communicator != b->communicator)
        return false;
    if (edge)
        return p->peer == q->peer && a->of->sends == b->of->sends && (named || a->channel == b->channel);
    return named || (q->peer < 0 && p->axes == q->axes && a->stream == b->stream);
}

/* What the rank issued last on the communicator of this one; NULL: nothing. */
static SimPost *find_ahead(const SimMachine *machine, const SimRank *rank, const SimPost *post)
{
    for (int p = rank->post_count - 1; p >= 0; p--)
        if (same_queue(machine, post, rank->posts[p]))
            return rank->posts[p];
    return NULL;
}

static bool is_ready(SimMachine *machine, SimPost *post);

/* Whether nothing that its rank queued before it is left. */
static bool is_first(SimMachine *machine, const SimPost *post)
{
    return is_ready(machine, post->before) && is_ready(machine, post->ahead);
}

/* Whether all ranks of the group have started it, and nothing is in its way there. */
static bool others_ready(SimMachine *machine, const SimPost *post)
{
    if (post->peer >= 0) {
        SimPost *other = find_other_end(machine, post);
        return other && is_first(machine, other);
    }
    for (int q = 0; post->issue.op->of->exchange && q < machine->rank_count; q++) {
        if (!sim_same_group(machine, post->axes, post->issue.rank, q))
            continue;
        const SimPost *other = sim_find_post(&machine->ranks[q], post->axes, post->sequence);
        if (!other)
            return false;
        if (other->issue.op != post->issue.op)
            sim_fault(machine, post->issue.op, "a rank of the group is in line %d", other->issue.op->line);
        if (!is_first(machine, other))
            return false;
    }
    return true;
}

/* Whether it can be done: what is before it on its stream is, and before its others on theirs. Those that wait for
 * each other in a cycle never can. */
static bool is_ready(SimMachine *machine, SimPost *post)
{
    if (!post || post->over || post->asked)
        return !post || post->over;
    post->asked = true;
    post->over = is_first(machine, post) && others_ready(machine, post);
    post->asked = false;
    return post->over;
}

/* ---- Operators ---------------------------------------------------------------------------------------------- */

/* A copy that stays as it is when the operand is overwritten. */
static SimView copy_of(SimMachine *machine, const SimView *view)
{
    SimView copy = *view;
    copy.data = sim_array(machine->pool, SimNumber, view->elements + 1);
    copy.memory = NULL;
    copy.width = 1;
    int64_t stride = 1;
    for (int d = view->dim_count - 1; d >= 0; d--) {
        copy.strides[d] = stride;
        stride *= view->extents[d];
    }
    for (int64_t i = 0; i < view->elements; i++)
        copy.data[i] = view->data[sim_view_offset(view, i)];
    return copy;
}

static void take_operands(SimMachine *machine, SimPost *post)
{
    SimIssue *issue = &post->issue;
    for (int o = 0; o < issue->op->operand_count && !post->taken; o++)
        if (sim_expect_written(machine, issue->op, &issue->operands[o]))
            issue->operands[o] = copy_of(machine, &issue->operands[o]);
    post->taken = true;
}

/* Whether two views share cells. */
static bool overlap(const SimView *a, const SimView *b)
{
    if (a->memory != b->memory || !a->memory || a->elements == 0 || b->elements == 0)
        return false;
    int64_t a_cells = sim_view_offset(a, a->elements - 1) + a->width;
    int64_t b_cells = sim_view_offset(b, b->elements - 1) + b->width;
    return a->data < b->data + b_cells && b->data < a->data + a_cells;
}

/* What is sent has the dtype of what is received. An operator may write over an operand only where it works point by
 * point, or row by row, on the same letters; communication over the very buffer. */
static void expect_in_place(SimMachine *machine, const SimIssue *issue)
{
    const SimOp *op = issue->op;
    const SimBuffer *from = op->operand_count > 0 ? issue->operands[0].buffer : NULL, *into = issue->out.buffer;
    if (op->of->exchange && op->has_out && from &&
        (from->element_bytes != into->element_bytes || from->is_integer != into->is_integer))
        sim_fault(machine, op, "'%s' and '%s' have different dtypes", from->name, into->name);
    const char *letters = op->spec, *arrow = strstr(op->spec, "->");
    for (int o = 0; o < op->operand_count && op->has_out; o++) {
        const SimView *operand = &issue->operands[o];
        size_t length = strcspn(letters, ",-");
        bool aligned = operand->data == issue->out.data && operand->elements == issue->out.elements;
        bool same = !arrow || (strlen(arrow + 2) == length && !strncmp(arrow + 2, letters, length));
        bool works = (op->of->exchange && operand->buffer == issue->out.buffer) ||
                     op->of->perform == sim_perform_place_shard ||
                     (op->of->perform == sim_perform_place_segment && o == 0 && aligned) ||
                     ((op->of->shape == SIM_MAP || op->of->shape == SIM_ROW) && aligned && same);
        if (overlap(operand, &issue->out) && !works)
            sim_fault(machine, op, "'%s' is written over its operand '%s'", issue->out.buffer->name,
                      operand->buffer->name);
        letters += arrow ? length + 1 : 0;
    }
}

static void perform(SimMachine *machine, const SimIssue *issue)
{
    if (machine->before)
        machine->before(machine, issue, machine->user);
    if (!machine->failed)
        expect_in_place(machine, issue);
    if (machine->failed || machine->stopped)
        return;
    for (int o = 0; o < issue->op->operand_count; o++)
        if (!sim_expect_written(machine, issue->op, &issue->operands[o]))
            return;
    if (issue->op->of->perform)
        issue->op->of->perform(machine, issue);
    else
        sim_perform_formula(machine, issue);
    if (machine->after && !machine->failed)
        machine->after(machine, issue, machine->user);
}

/* All ranks of the group have started it: their operands are read now if they have not been. */
static void gather_operands(SimMachine *machine, const SimPost *post, const SimView **from)
{
    for (int q = 0; q < machine->rank_count; q++) {
        if (post->peer >= 0 ? q != post->peer : !sim_same_group(machine, post->axes, post->issue.rank, q))
            continue;
        SimPost *other = post->peer >= 0 ? find_other_end(machine, post)
                                         : sim_find_post(&machine->ranks[q], post->axes, post->sequence);
        take_operands(machine, other);
        from[q] = &other->issue.operands[0];
        machine->indices[q] = other->issue.index;
        machine->counts[q] = other->issue.op->operand_count > 1 ? &other->issue.operands[1] : NULL;
    }
}

static void exchange(SimMachine *machine, const SimPost *post)
{
    const SimIssue *issue = &post->issue;
    const SimView *from[SIM_MAX_RANKS] = {NULL};
    gather_operands(machine, post, from);
    if (machine->before && !machine->failed)
        machine->before(machine, issue, machine->user);
    if (machine->failed || machine->stopped)
        return;
    SimNumber *result = sim_scratch(machine, issue->out.elements);
    issue->op->of->exchange(machine, issue, from, result);
    if (!machine->failed)
        sim_store(machine, issue->op, &issue->out, result);
    if (machine->after && !machine->failed)
        machine->after(machine, issue, machine->user);
}

static void finish(SimMachine *machine, SimPost *post)
{
    if (post->issue.op->of->sends)
        take_operands(machine, post);
    else if (post->issue.op->of->exchange)
        exchange(machine, post);
    else
        perform(machine, &post->issue);
}

/* Until the wait, whoever looks at the result sees junk. A result that is added to, or that is the operand too, keeps
 * what it had. */
static void spoil_until_wait(const SimIssue *issue)
{
    const SimView *out = &issue->out;
    bool keeps = !issue->op->has_out || issue->op->accumulate;
    for (int o = 0; o < issue->op->operand_count; o++)
        keeps = keeps || issue->operands[o].data == out->data;
    for (int64_t i = 0; i < out->elements && !keeps; i++)
        sim_spoil(out, sim_view_offset(out, i));
}

/* Where a start or a wait finds its slot of an event; NULL: there is no room for it. */
static SimPost **in_flight_at(SimMachine *machine, int r, int event, const SimAffine *slot)
{
    int64_t at = sim_affine(machine, slot, r);
    if (event >= SIM_MAX_EVENTS || at >= SIM_MAX_EVENT_SLOTS)
        return NULL;
    return &machine->ranks[r].in_flight[event * SIM_MAX_EVENT_SLOTS + at];
}

static void start(SimMachine *machine, SimRank *rank, SimPost *post)
{
    const SimOp *op = post->issue.op;
    post->before = rank->last[op->stream];
    rank->last[op->stream] = post;
    if (op->event < 0) {
        take_operands(machine, post);
        rank->blocked = post;
        return;
    }
    SimPost **in_flight = in_flight_at(machine, post->issue.rank, op->event, &op->event_slot);
    if (!in_flight || *in_flight) {
        sim_fault(machine, op, in_flight ? "the event was not waited for" : "too many events");
        return;
    }
    for (int o = 0; o < op->operand_count; o++)
        if (!sim_expect_written(machine, op, &post->issue.operands[o]))
            return;
    *in_flight = post;
    if (draw_below(machine, 2))
        take_operands(machine, post);
    spoil_until_wait(&post->issue);
}

/* The rank that differs only on the operator's axis, where its coordinate is the index; -1, with a fault: none. */
static int find_peer(SimMachine *machine, const SimIssue *issue)
{
    for (int q = 0; q < machine->rank_count && issue->op->axis_count == 1; q++)
        if (sim_same_group(machine, axes_of(issue->op), issue->rank, q) &&
            machine->ranks[q].coordinates[issue->op->axes[0]] == issue->index)
            return q;
    sim_fault(machine, issue->op, "there is no rank %" PRId64 " on the axis", issue->index);
    return -1;
}

/* How many the rank has started of those that this one is counted with. */
static int64_t sequence_of(SimRank *rank, const SimPost *post)
{
    if (post->peer < 0)
        return rank->sequences[post->axes]++;
    int64_t earlier = 0;
    for (int p = 0; p < rank->post_count; p++)
        earlier += rank->posts[p]->peer == post->peer &&
                   rank->posts[p]->issue.op->channel == post->issue.op->channel &&
                   rank->posts[p]->issue.op->of->sends == post->issue.op->of->sends;
    return earlier;
}

/* What hands integers on as they are, or adds them. */
static bool keeps_integers(const SimOp *op)
{
    static const char *const names[] = {"copy", "cast", "add", "sub", "iota", "read", "slice",
                                        "place_shard", "increment", "queue", "queue_all", "filled"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(op->of->name, names[i]))
            return true;
    if (!strcmp(op->of->name, "fill"))
        return floor(op->immediates[0]) == op->immediates[0] && fabs(op->immediates[0]) <= INT32_MAX;
    return op->of->exchange != NULL;
}

/* Integers come of integers, and what is not on the device is only started and copied. */
static void expect_buffers(SimMachine *machine, const SimIssue *issue)
{
    const SimOp *op = issue->op;
    const SimBuffer *out = op->of->sink || op->of->sends ? NULL : issue->out.buffer;
    bool integer = out && out->is_integer, fits = !integer || keeps_integers(op);
    bool reads = !strcmp(op->of->name, "read") && op->tensor >= 0, compares = !strcmp(op->of->name, "top");
    if (compares)
        fits = integer && !issue->operands[0].buffer->is_integer;
    fits = fits && (!reads || !out || machine->file->tensors[op->tensor].is_integer == integer);
    bool elsewhere = out && out->tier != 0;
    for (int i = 0; i < op->of->operands; i++) {
        fits = fits && (!integer || compares || issue->operands[i].buffer->is_integer);
        elsewhere = elsewhere || issue->operands[i].buffer->tier != 0;
    }
    if (!fits)
        sim_fault(machine, op, "other numbers become integers");
    if (elsewhere && strcmp(op->of->name, "copy") != 0 && strcmp(op->of->name, "init") != 0)
        sim_fault(machine, op, "works on what is not on the device");
}

static void walk_op(SimMachine *machine, const SimOp *op, int r)
{
    SimRank *rank = &machine->ranks[r];
    bool alone = !op->of->exchange && !op->of->sends;
    if (op->stream >= SIM_MAX_STREAMS)
        sim_fault(machine, op, "too many streams");
    if (machine->failed)
        return;
    if (alone && op->event < 0 && is_ready(machine, rank->last[op->stream])) {
        SimIssue issue = {0};
        sim_resolve(machine, &issue, op, r);
        if (!machine->failed)
            expect_buffers(machine, &issue);
        if (!machine->failed)
            perform(machine, &issue);
        return;
    }
    SimPost *post = sim_new(machine->pool, SimPost);
    post->axes = axes_of(op);
    post->peer = -1;
    sim_resolve(machine, &post->issue, op, r);
    if (!machine->failed)
        expect_buffers(machine, &post->issue);
    if (!machine->failed && (op->of->sends || op->of->receives))
        post->peer = find_peer(machine, &post->issue);
    expect_in_place(machine, &post->issue);
    if (machine->failed)
        return;
    if (!alone) {
        post->sequence = sequence_of(rank, post);
        post->ahead = find_ahead(machine, rank, post);
        rank->posts = sim_pool_grow(machine->pool, rank->posts, rank->post_count, sizeof(SimPost *));
        rank->posts[rank->post_count++] = post;
    }
    start(machine, rank, post);
}

/* Of what was never started there is nothing to wait for. */
static void walk_wait(SimMachine *machine, int r, const SimNode *node)
{
    SimPost **in_flight = in_flight_at(machine, r, node->event, &node->event_slot);
    if (!in_flight)
        return;
    machine->ranks[r].blocked = *in_flight;
    *in_flight = NULL;
}

/* ---- Blocks ------------------------------------------------------------------------------------------------- */

static void push(SimMachine *machine, SimRank *rank, SimFrame frame)
{
    if (rank->depth == SIM_MAX_DEPTH) {
        sim_fault(machine, NULL, "line %d: blocks are nested too deeply to simulate", frame.node->line);
        return;
    }
    rank->frames[rank->depth++] = frame;
}

/* Enters an iteration of a loop. A tick that is no microbatch has no current one. */
static void set_variable(SimMachine *machine, SimRank *rank, const SimFrame *frame)
{
    rank->loop_values[frame->node->loop] = frame->value;
    if (frame->node->is_micro)
        rank->micro = frame->value >= 0 && frame->value < machine->file->micro ? frame->value : SIM_NO_MICRO;
}

/* The innermost microbatch loop that the rank is in; -1: none. */
static int innermost_micro(const SimRank *rank)
{
    for (int f = rank->depth - 1; f >= 0; f--)
        if (rank->frames[f].node->kind == SIM_NODE_LOOP && rank->frames[f].node->is_micro)
            return rank->frames[f].node->loop;
    return -1;
}

/* A guard that asks whether an expression of that loop's variable is a microbatch says which is current. */
static void walk_guard(SimMachine *machine, const SimNode *node, int r)
{
    SimRank *rank = &machine->ranks[r];
    SimFrame frame = {.node = node, .micro = rank->micro};
    int64_t value = sim_affine(machine, &node->first, r);
    int loop = innermost_micro(rank);
    if (value < node->low || value > node->high)
        return;
    for (int t = 0; t < node->first.term_count; t++)
        if (node->first.terms[t].kind == SIM_OF_LOOP && node->first.terms[t].index == loop && node->low == 0 &&
            node->high == machine->file->micro - 1)
            rank->micro = value;
    push(machine, rank, frame);
}

static void walk_loop(SimMachine *machine, const SimNode *node, int r)
{
    int64_t first = sim_affine(machine, &node->first, r), last = sim_affine(machine, &node->last, r);
    int64_t trips = node->down ? first - last + 1 : last - first + 1;
    if (trips < 1)
        return;
    if (trips > MAX_TRIPS) {
        sim_fault(machine, NULL, "line %d: the loop is too long to simulate", node->line);
        return;
    }
    SimFrame frame = {.node = node, .value = first, .left = trips - 1};
    set_variable(machine, &machine->ranks[r], &frame);
    push(machine, &machine->ranks[r], frame);
}

static void walk(SimMachine *machine, const SimNode *node, int r)
{
    switch (node->kind) {
    case SIM_NODE_OP:
        walk_op(machine, node->op, r);
        return;
    case SIM_NODE_LOOP:
        walk_loop(machine, node, r);
        return;
    case SIM_NODE_GUARD:
        walk_guard(machine, node, r);
        return;
    case SIM_NODE_WAIT:
        walk_wait(machine, r, node);
        return;
    }
}

/* One node further. */
static void advance(SimMachine *machine, int r)
{
    SimRank *rank = &machine->ranks[r];
    SimFrame *frame = &rank->frames[rank->depth - 1];
    if (frame->next < frame->node->count) {
        walk(machine, frame->node->body[frame->next++], r);
    } else if (frame->left > 0) {
        frame->left--;
        frame->next = 0;
        frame->value += frame->node->down ? -1 : 1;
        set_variable(machine, rank, frame);
    } else {
        if (frame->node->kind == SIM_NODE_GUARD)
            rank->micro = frame->micro;
        rank->depth--;
    }
}

/* ---- All ranks ---------------------------------------------------------------------------------------------- */

/* Runs a rank until it must wait, or its turn is over. */
static void take_turn(SimMachine *machine, int r)
{
    SimRank *rank = &machine->ranks[r];
    for (uint64_t left = 1 + draw_below(machine, MAX_STRIDE); left > 0; left--) {
        if (machine->failed || machine->stopped)
            return;
        if (rank->blocked) {
            if (!is_ready(machine, rank->blocked) || machine->failed)
                return;
            SimPost *post = rank->blocked;
            rank->blocked = NULL;
            finish(machine, post);
        } else if (rank->depth > 0) {
            advance(machine, r);
        } else {
            return;
        }
    }
}

static bool can_go_on(SimMachine *machine, int r)
{
    const SimRank *rank = &machine->ranks[r];
    return rank->blocked ? is_ready(machine, rank->blocked) : rank->depth > 0;
}

static void run_all(SimMachine *machine)
{
    while (!machine->failed && !machine->stopped) {
        int first = (int)draw_below(machine, (uint64_t)machine->rank_count), chosen = -1;
        for (int k = 0; k < machine->rank_count && chosen < 0; k++)
            if (can_go_on(machine, (first + k) % machine->rank_count))
                chosen = (first + k) % machine->rank_count;
        if (machine->failed || chosen < 0)
            return;
        take_turn(machine, chosen);
    }
}

static void expect_all_done(SimMachine *machine)
{
    for (int r = 0; r < machine->rank_count && !machine->stopped; r++) {
        const SimRank *rank = &machine->ranks[r];
        if (rank->blocked)
            sim_fault(machine, rank->blocked->issue.op, "not all ranks of the group take part");
        for (int e = 0; e < SIM_MAX_EVENTS * SIM_MAX_EVENT_SLOTS; e++)
            if (rank->in_flight[e])
                sim_fault(machine, rank->in_flight[e]->issue.op, "nobody waits for it");
    }
}

static void begin(SimMachine *machine, SimRank *rank, const SimNode *root)
{
    memset(rank->in_flight, 0, sizeof rank->in_flight);
    memset(rank->last, 0, sizeof rank->last);
    memset(rank->sequences, 0, sizeof rank->sequences);
    rank->blocked = NULL;
    rank->posts = NULL;
    rank->post_count = 0;
    rank->micro = 0;
    rank->depth = 0;
    push(machine, rank, (SimFrame){.node = root});
}

bool sim_machine_run(SimMachine *machine, const char *routine, int step)
{
    const SimRoutine *found = sim_routine(machine->program, routine);
    if (!found)
        sim_fault(machine, NULL, "there is no routine '%s'", routine);
    if (machine->failed)
        return false;
    sim_function_key = sim_mix(machine->draw, 0x66756e63);
    machine->step = step;
    machine->stopped = false;
    machine->output_count = 0;
    machine->outputs = NULL;
    sim_forget(machine);
    for (int r = 0; r < machine->rank_count; r++)
        begin(machine, &machine->ranks[r], found->root);
    run_all(machine);
    expect_all_done(machine);
    return !machine->failed;
}

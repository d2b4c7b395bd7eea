/* schedule_events.c - what was started and not waited for yet: the cells it uses, and the waits for it.
 *
 * tests/sim/equality.c damages the conditions of this file one at a time, and every condition counts: a test must
 * notice, or tests/sim/implied.txt must say why none can.
 */
#include "verify/schedule_internal.h"

#include <string.h>

/* ---- In use ------------------------------------------------------------------------------------------------- */

/* Consequences of one mistake are one error: an event used too early here is also lost there, and again in the next
 * iteration. */
static bool is_reported(const Schedule *s, int event)
{
    for (int i = 0; i < s->late.count; i++)
        if (s->late.data[i].event == event)
            return true;
    return false;
}

void report_in_use(Schedule *s, const Op *op, const InFlight *pending, int cell, bool writes, bool result)
{
    int event = pending->op->event;
    if (is_reported(s, event))
        return;
    Diagnostic *d =
        diag_report(s->ctx->diag, P0331, op->span, "'%s' %s '%s' before event %d was waited for",
                    op_info[op->kind].name, writes ? "overwrites" : "reads", schedule_cell_name(s, cell), event);
    diag_label(d, pending->op->span, "%s",
               result ? "is written by what is started here" : "is read by what is started here");
    diag_help(d,
              "Wait for event %d on this stream before. A sync with `wait` starts after all that touches what it "
              "names.",
              event);
    vec_push(s->arena, &s->late, (Late){event, d});
}

/* ---- Started ------------------------------------------------------------------------------------------------ */

void schedule_hold(Schedule *s, const InFlight *pending, int count)
{
    for (int i = 0; i < pending->cell_count; i++)
        s->held[pending->cells[i]] += count;
}

void report_lost(Schedule *s, const InFlight *pending)
{
    if (pending->reported || is_reported(s, pending->op->event))
        return;
    Diagnostic *d = diag_report(s->ctx->diag, P0331, pending->op->span, "'%s' is started and never waited for",
                                op_info[pending->op->kind].name);
    vec_push(s->arena, &s->late, (Late){pending->op->event, d});
}

/* A wait refers to the most recent start in its slot of the event: no later wait can mean an earlier one. */
static void let_go_of(Schedule *s, int at)
{
    int count = 0;
    for (int i = 0; i < s->pending.count; i++) {
        InFlight *pending = &s->pending.data[i];
        if (pending->at != at) {
            s->pending.data[count++] = *pending;
            continue;
        }
        report_lost(s, pending);
        schedule_hold(s, pending, -1);
    }
    s->steps += s->pending.count / 64;
    s->pending.count = count;
}

void schedule_start_op(Schedule *s, const Op *op)
{
    int at = event_at(op->event, schedule_number(s, &op->event_slot));
    InFlight pending = {.op = op, .at = at, .started = ++s->clock};
    int first, total = 0, refs = op->operand_count + (op_has_result(op->kind) ? 1 : 0);
    for (int i = 0; i < refs; i++)
        total += schedule_ref_cells(s, i < op->operand_count ? &op->operand[i] : &op->out, &first);
    pending.cells = arena_array(s->arena, int, total + 1);
    pending.first_out = total;
    for (int i = 0; i < refs; i++) {
        if (i == op->operand_count)
            pending.first_out = pending.cell_count;
        int count = schedule_ref_cells(s, i < op->operand_count ? &op->operand[i] : &op->out, &first);
        for (int j = 0; j < count; j++)
            pending.cells[pending.cell_count++] = first + j;
    }
    let_go_of(s, at);
    schedule_hold(s, &pending, 1);
    vec_push(s->arena, &s->pending, pending);
}

/* ---- Waited for --------------------------------------------------------------------------------------------- */

static bool is_under_way(const Schedule *s, int at)
{
    for (int i = 0; i < s->pending.count; i++)
        if (s->pending.data[i].at == at)
            return true;
    return false;
}

/* The slot of the wait, which is inserted if it is new. */
static int wait_slot(const Schedule *s, const Node *node)
{
    int mask = s->wait_capacity - 1, at = (int)((uintptr_t)node >> 4) & mask;
    while (s->waits[at].node != NULL && s->waits[at].node != node)
        at = (at + 1) & mask;
    s->waits[at].node = node;
    return at;
}

static int count_waits(const NodeList *nodes)
{
    int count = 0;
    for (int i = 0; i < nodes->count; i++)
        count += nodes->data[i]->kind == NODE_WAIT ? 1 : count_waits(&nodes->data[i]->body);
    return count;
}

/* Finds streams and communicators on which something is started. Others are empty whenever an operator reaches them. */
static void find_queues(Schedule *s, const NodeList *nodes)
{
    for (int i = 0; i < nodes->count; i++) {
        const Op *op = node_op(nodes->data[i]);
        if (op != NULL && op->event >= 0)
            s->queues |= (uint64_t)1 << op->stream;
        if (op != NULL && op->event >= 0 && op->communicator >= 0)
            s->issues[op->communicator] = true;
        find_queues(s, &nodes->data[i]->body);
    }
}

void schedule_find_waits(Schedule *s, const Routine *routine)
{
    int count = count_waits(&routine->body);
    for (s->wait_capacity = 16; s->wait_capacity < 2 * count;)
        s->wait_capacity *= 2;
    s->waits = arena_alloc(s->arena, sizeof *s->waits * (size_t)s->wait_capacity);
    s->queues = 0;
    memset(s->issues, 0, sizeof *s->issues * (size_t)s->program->communicators.count);
    find_queues(s, &routine->body);
}

/* Next to an event that was not waited for, this is the other end of the same mistake. */
static void report_idle_wait(const Schedule *s, const Node *node)
{
    if (s->late.count > 0) {
        diag_label(s->late.data[0].reported, node->span, "waits for event %d, for which nothing is in progress",
                   node->wait.event);
        return;
    }
    Diagnostic *d = diag_report(s->ctx->diag, P0331, node->span, "event %d is waited for, and nothing is in progress",
                                node->wait.event);
    diag_why(d, "On no rank has an operator started event %d before this that was not waited for already.",
             node->wait.event);
}

void schedule_check_waits(const Schedule *s, const NodeList *nodes)
{
    for (int i = 0; i < nodes->count; i++) {
        const Node *node = nodes->data[i];
        schedule_check_waits(s, &node->body);
        if (node->kind == NODE_WAIT && !s->waits[wait_slot(s, node)].met)
            report_idle_wait(s, node);
    }
}

void schedule_wait(Schedule *s, const Node *node)
{
    int count = 0, at = event_at(node->wait.event, schedule_number(s, &node->wait.slot));
    s->waits[wait_slot(s, node)].met |= is_under_way(s, at);
    if (s->meets)
        vec_push(s->arena, &s->trace->items, (TraceItem){.at = at, .node = node});
    for (int i = 0; i < s->pending.count; i++) {
        InFlight *pending = &s->pending.data[i];
        if (pending->at == at && pending->started > s->guard_entered)
            pending->waited |= (uint64_t)1 << node->wait.stream | (uint64_t)1 << pending->op->stream;
        /* What the compute stream has waited for is done for all that matters: later starts follow in its order. */
        if (!(pending->waited & 1))
            s->pending.data[count++] = *pending;
        else
            schedule_hold(s, pending, -1);
    }
    s->steps += s->pending.count / 64;
    s->pending.count = count;
}

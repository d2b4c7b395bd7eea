/* schedule.c - is the order of the final program right, and its use of memory? (verify/schedule.h)
 *
 * The dataflow proof treats a started communication as done and gives every buffer memory of its own. Both are checked
 * here by going through the program in order: what was started may not be touched before its event was waited for, and
 * what is read must still be there, so nothing that shares its bytes may have been written since. A cell is a slot, or
 * one member of an uncut unit's slot, or the gaps left in a slot by ranks' smaller pieces.
 *
 * Ranks whose control flow differs (verify/machine.h) are followed one by one. What they do together (messages, and
 * collectives over such axes) is recorded on the way, with everything that may queue after it on a stream, and played
 * out by meeting.c. Other collectives need no pass of their own: their ranks run the same text, and a guard on a
 * coordinate of the group itself is refused (P0332, machine_op.c).
 *
 * tests/sim/equality.c damages the conditions of this file one at a time, and every condition counts: a test must
 * notice, or tests/sim/implied.txt must say why none can.
 */
#include "verify/schedule_internal.h"

#include "verify/machine.h"
#include "verify/meeting.h"

#include <string.h>

/* ---- Guards and the tree ------------------------------------------------------------------------------------ */

/* Does every coordinate pass a guard whose value is this where the coordinates that are not enumerated are 0? Then it
 * guards nothing. It uses no loop's variable and no table, as all other axes used are enumerated. */
static bool passes_everywhere(const Schedule *s, const Node *node, int64_t value)
{
    const Affine *affine = &node->guard.value;
    int64_t low = value, high = value;
    for (int i = 0; i < affine->term_count; i++) {
        int axis = affine_axis(s->program->decls, affine->term[i].variable);
        if (s->enumerated >> axis & 1)
            continue;
        int64_t most = affine->term[i].coefficient * (s->program->decls->axes.data[axis].size - 1);
        low += most < 0 ? most : 0;
        high += most > 0 ? most : 0;
    }
    return affine->modulus == 0 && low >= node->guard.low && high <= node->guard.high;
}

static void run_guard(Schedule *s, const Node *node)
{
    int64_t value;
    bool decided = schedule_evaluate(s, &node->guard.value, &value);
    schedule_asked(s, node, value);
    if (decided ? value >= node->guard.low && value <= node->guard.high : passes_everywhere(s, node, value)) {
        schedule_nodes(s, &node->body);
    } else if (!decided) {
        int64_t outer = s->guard_entered;
        s->coordinate_guards++;
        s->guard_entered = ++s->clock;
        schedule_nodes(s, &node->body);
        s->guard_entered = outer;
        s->coordinate_guards--;
    }
}

void schedule_nodes(Schedule *s, const NodeList *nodes)
{
    for (int i = 0; i < nodes->count; i++)
        switch (nodes->data[i]->kind) {
        case NODE_OP:
            schedule_op(s, nodes->data[i]->op);
            break;
        case NODE_LOOP:
            schedule_loop(s, nodes->data[i]);
            break;
        case NODE_GUARD:
            run_guard(s, nodes->data[i]);
            break;
        case NODE_WAIT:
            schedule_wait(s, nodes->data[i]);
            break;
        }
}

/* ---- Routines ----------------------------------------------------------------------------------------------- */

/* Do the current ranks hold the buffer? */
static bool is_held(const Schedule *s, const Buffer *buffer)
{
    int64_t holder = schedule_number(s, &buffer->holder);
    return !buffer->held || (holder >= buffer->held_low && holder <= buffer->held_high);
}

/* What lives from step to step must be there at the end, and nothing may still be in flight into it. */
static void check_end(Schedule *s, const Routine *routine)
{
    for (int cell = 0; cell < s->cell_count; cell++) {
        const Buffer *buffer = &s->program->buffers.data[s->cell_buffer[cell]];
        bool lost = s->clobbered[cell] >= 0 && buffer->persistent && is_held(s, buffer);
        if (!lost || s->conflict_shown[s->cell_buffer[cell]])
            continue;
        s->conflict_shown[s->cell_buffer[cell]] = true;
        diag_report(s->ctx->diag, P0333, buffer->span, "'%s' must outlive '%s', and '%s' overwrites its memory",
                    buffer->name, routine_name(routine->kind), s->program->buffers.data[s->clobbered[cell]].name);
    }
    for (int i = 0; i < s->pending.count; i++)
        report_lost(s, &s->pending.data[i]);
}

static void run_ranks(Schedule *s, const Routine *routine)
{
    for (int cell = 0; cell < s->cell_count; cell++)
        s->clobbered[cell] = -1;
    memset(s->held, 0, sizeof *s->held * (size_t)s->cell_count);
    s->pending.count = 0;
    s->coordinate_guards = 0;
    schedule_nodes(s, &routine->body);
    check_end(s, routine);
}

void schedule_check(Ctx *ctx, const Program *program, const int *unwritten, const bool *zero_padding)
{
    Schedule s = {.ctx = ctx, .program = program, .arena = arena_new(), .enumerated = enumerated_axes(program)};
    s.zero_padding = zero_padding;
    schedule_start(&s);
    for (int i = 0; i < program->buffers.count; i++)
        s.conflict_shown[i] = unwritten[i] != 0;
    s.meets = s.enumerated != 0;
    for (int r = 0; r < program->routines.count; r++) {
        Traces traces = traces_new(s.arena, program, s.enumerated);
        schedule_find_waits(&s, &program->routines.data[r]);
        s.late.count = 0;
        for (int i = 0; i < traces.count; i++) {
            s.trace = &traces.trace[i];
            memcpy(s.coordinate, s.trace->coordinate, sizeof s.coordinate);
            run_ranks(&s, &program->routines.data[r]);
        }
        if (!s.stopped)
            schedule_check_waits(&s, &program->routines.data[r].body);
        if (s.meets && diag_error_count(ctx->diag) == 0)
            meeting_check(ctx, s.arena, &traces);
    }
    arena_free(s.arena);
}

/* ---- The reference ------------------------------------------------------------------------------------------ */

/* Could an operator overwrite an operand that it still reads, judging by its text, whatever the slots? */
static bool may_overwrite(const NodeList *nodes)
{
    for (int i = 0; i < nodes->count; i++) {
        const Op *op = node_op(nodes->data[i]);
        if (may_overwrite(&nodes->data[i]->body))
            return true;
        for (int j = 0; op != NULL && op_has_result(op->kind) && j < op->operand_count; j++)
            if (op->operand[j].buffer == op->out.buffer && !op_works_in_place(op, j))
                return true;
    }
    return false;
}

void schedule_check_reference(Ctx *ctx, const Program *reference)
{
    bool may = false;
    for (int r = 0; r < reference->routines.count; r++)
        may = may || may_overwrite(&reference->routines.data[r].body);
    if (may)
        schedule_check(ctx, reference, arena_array(ctx->arena, int, reference->buffers.count + 1),
                       arena_array(ctx->arena, bool, reference->buffers.count + 1));
}

/* machine.c - makes a machine for a program, and starts its routines (verify/machine.h). */
#include "verify/machine_internal.h"

#include "verify/limit.h"

#include <string.h>

enum { MOST_CELLS = 1 << 24, MOST_OPS = 1 << 24, COMBOS_AT_FIRST = 64 };

/* Lays out the cells of every buffer; false (reported) if all rank classes together need too many. */
static bool cells_make(Machine *m)
{
    int64_t cells = 0, slots = 0;
    for (int b = 0; b < m->program->buffers.count; b++) {
        const Buffer *buffer = &m->program->buffers.data[b];
        m->cell_base[b] = (int)cells;
        m->slot_base[b] = (int)slots;
        m->cell_members[b] = buffer->layout == LAYOUT_UNIT ? m->decls->units.data[buffer->unit].member_count : 1;
        slots += buffer->slots;
        cells += buffer->slots * m->cell_members[b];
        if ((cells + slots) * m->class_count <= MOST_CELLS)
            continue;
        report_limit(m->ctx, buffer->span, "more values than can be followed",
                     arena_printf(m->ctx->arena,
                                  "Every slot, and in a unit every member, is followed: at most %d of all rank classes "
                                  "(rule 'size').",
                                  MOST_CELLS));
        return false;
    }
    m->cell_count = (int)cells;
    m->slot_count = (int)slots;
    return true;
}

/* Counts operators, each once per member of the largest unit it refers to. */
static int64_t count_ops(const Machine *m, const NodeList *nodes)
{
    int64_t count = 0;
    for (int i = 0; i < nodes->count && count <= MOST_OPS; i++) {
        const Op *op = node_op(nodes->data[i]);
        int most = 1;
        for (int j = 0; op != NULL && j <= op->operand_count; j++) {
            const Ref *ref = j < op->operand_count ? &op->operand[j] : &op->out;
            bool seen = j < op->operand_count || op_has_result(op->kind);
            most = seen && ref->member < 0 && m->cell_members[ref->buffer] > most ? m->cell_members[ref->buffer] : most;
        }
        count += op != NULL ? most : count_ops(m, &nodes->data[i]->body);
    }
    return count;
}

static bool ops_fit(const Machine *m)
{
    int64_t count = 0;
    for (int r = 0; r < m->program->routines.count; r++)
        count += count_ops(m, &m->program->routines.data[r].body);
    if (count <= MOST_OPS)
        return true;
    report_limit(m->ctx, (Span){0}, "more operators than can be followed",
                 arena_printf(m->ctx->arena,
                              "At most %d are, each counted for every member of its units (rule 'size').", MOST_OPS));
    return false;
}

Machine *machine_new(Ctx *ctx, Table *table, const Program *program, bool reference)
{
    Arena *arena = table->arena;
    Machine *m = arena_make(arena, Machine);
    *m = (Machine){.ctx = ctx, .table = table, .program = program, .decls = program->decls, .reference = reference};
    table->micro = reference ? 1 : program->decls->micro;
    m->enumerated = reference ? 0 : enumerated_axes(program);
    m->cell_base = arena_array(arena, int, program->buffers.count + 1);
    m->cell_members = arena_array(arena, int, program->buffers.count + 1);
    m->unwritten = arena_array(arena, int, program->buffers.count + 1);
    m->zero_padding = arena_array(arena, bool, program->buffers.count + 1);
    m->slot_base = arena_array(arena, int, program->buffers.count + 1);
    m->loop_count = program->loop_count;
    m->stopped = !classes_count(m) || !cells_make(m) || !ops_fit(m);
    if (!m->stopped)
        m->prepared = prepare_program(ctx, table, program, reference);
    m->enclosing = arena_array(arena, bool, m->loop_count + 1);
    m->motion = arena_array(arena, const Motion *, m->loop_count + 1);
    m->looked_at = arena_array(arena, bool, m->loop_count + 1);
    m->stamp = arena_array(arena, int64_t, m->cell_count + m->slot_count + 1);
    m->stamp_access = arena_array(arena, int, m->cell_count + m->slot_count + 1);
    classes_make(m);
    return m;
}

static void class_start(Machine *m, RankClass *class)
{
    memset(class->cell, 0, sizeof(Cell) * (size_t)m->cell_count);
    memset(class->padding_zero, 0, sizeof(bool) * (size_t)m->slot_count);
    memset(class->bound, 0, sizeof(bool) * (size_t)m->loop_count);
    memset(class->met, 0, sizeof class->met);
    memset(&class->pending, 0, sizeof class->pending);
    class->guard = NULL;
    class->posted = class->recordable = false;
    class->has_current = m->decls->micro == 1; /* with one microbatch, the whole batch is current */
    class->current = 0;
    class->micro = -1;
    class->depth = 0;
    class->motion = NULL;
    class->paused = class->moved = false;
    class->log = NULL;
}

static void start_state(void *context, int buffer, int64_t slot, int cell, int tensor, int64_t layer)
{
    Machine *m = context;
    (void)slot;
    int state = m->program->buffers.data[buffer].state;
    Combo *combo = combo_value(m->table, value_state(m->table, state, tensor, layer), rational_make(1, 1));
    m->class->cell[cell] = (Cell){combo, ABSOLUTE};
}

void machine_run(Machine *m, const Routine *routine)
{
    m->runs++;
    for (int i = 0; i < m->class_count; i++)
        class_start(m, &m->classes[i]);
    memset(&m->updates, 0, sizeof m->updates);
    memset(&m->outputs, 0, sizeof m->outputs);
    m->combo_count = 0;
    m->combo_capacity = COMBOS_AT_FIRST;
    m->combos = arena_array(m->table->scratch, Combo *, m->combo_capacity);
    m->recorder = NULL;
    addresses_start(m);
    m->table->micro = m->reference ? 1 : m->decls->micro;
    if (routine->kind != ROUTINE_INIT)
        machine_visit_states(m, start_state, m);
    const Node *longest = machine_too_long(m, routine);
    if (longest != NULL)
        machine_stop_too_long(m, longest->span);
    else
        classes_run(m, tree_make(m, &routine->body));
}

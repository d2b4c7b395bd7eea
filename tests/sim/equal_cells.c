/* equal_cells.c - the verifier's machine, run on a program and looked into. */
#include "tests/sim/equal_cells.h"

#include "verify/machine.h"
#include <string.h>

enum { MOST_CELLS = 512 };

typedef struct Found {
    EqualCell cell;
    Combo *combo;
} Found;

typedef struct Cells {
    int count;
    Found of[MOST_CELLS];
} Cells;

static void add_cell(Cells *cells, Machine *machine, int buffer, int64_t slot, int member, int index)
{
    Combo *combo = machine_settle(machine, index);
    if (combo == NULL || combo->poison != NULL || cells->count == MOST_CELLS)
        return;
    Found *found = &cells->of[cells->count++];
    *found = (Found){.combo = combo};
    found->cell = (EqualCell){.buffer = buffer,
                              .member = member,
                              .slot = slot,
                              .turned = combo->turn.count > 0,
                              .micro = combo->timed ? combo->time.constant : -1};
    for (int a = 0; a < EQUAL_AXES && a < STEP_MAX_AXES; a++) {
        found->cell.is_enumerated[a] = machine->enumerated >> a & 1;
        found->cell.coordinates[a] = machine->class->coordinate[a];
    }
}

static void find_cells(Cells *cells, Machine *machine, int class)
{
    const Program *program = machine->program;
    cells->count = 0;
    machine->class = &machine->classes[class];
    for (int b = 0; b < program->buffers.count; b++) {
        const Buffer *buffer = &program->buffers.data[b];
        int members = machine->cell_members[b];
        for (int64_t slot = 0; slot < buffer->slots; slot++)
            for (int m = 0; m < members; m++)
                add_cell(cells, machine, b, slot, buffer->layout == LAYOUT_UNIT ? m : -1,
                         machine->cell_base[b] + (int)slot * members + m);
    }
}

/* Whose microbatch a piece is, the verifier asks where it uses it. */
static bool are_equal(const Combo *a, const Combo *b)
{
    return combo_equal(a, b) && (!a->timed || time_equal(a->time, b->time));
}

static int visit_machine(Ctx *ctx, const StepFile *file, EqualVisit *visit, void *user)
{
    static Cells cells;
    int count = 0;
    const Routine *step = program_routine(file->program, ROUTINE_STEP);
    Table *table = table_new(ctx->arena, ctx->strings, file->decls);
    table->scratch = ctx->arena;
    Machine *machine = machine_new(ctx, table, file->program, false);
    if (machine->stopped || step == NULL)
        return 0;
    machine_run(machine, step);
    for (int p = 0; p < machine->class_count && !machine->stopped; p++) {
        find_cells(&cells, machine, p);
        count += cells.count;
        for (int i = 0; i < cells.count; i++)
            for (int j = 0; j < i; j++)
                if (are_equal(cells.of[i].combo, cells.of[j].combo))
                    visit(user, &cells.of[i].cell, &cells.of[j].cell);
    }
    return count;
}

int equal_cells_visit(const char *text, EqualVisit *visit, void *user)
{
    Ctx ctx = {.arena = arena_new()};
    ctx.strings = str_table_new(ctx.arena);
    ctx.sources = sources_new(ctx.arena);
    ctx.diag = diag_new(ctx.arena, ctx.sources);
    int source = source_add(ctx.sources, "pairs.step", text, strlen(text));
    const StepFile *file = step_read(&ctx, source);
    int count = file != NULL ? visit_machine(&ctx, file, visit, user) : -1;
    arena_free(ctx.arena);
    return count;
}

/* hits.c - operators counted by row and strategy. */
#include "tests/sim/hits.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What is counted of a program: its modes, and its strategies by their places among all. */
typedef struct Counted {
    Hits *hits;
    const SimFile *file;
    const SimProgram *program;
    int mode_count, strategy_count;
    const char *modes[MAX_MODES];
    int strategies[HITS_STRATEGIES];
    bool met[HITS_OPERATORS];
} Counted;

static void count_row(CellRow *row, const Counted *counted)
{
    for (int s = 0; row && s < counted->strategy_count; s++) {
        row->exists[counted->strategies[s]] = true;
        row->hits[counted->strategies[s]]++;
    }
}

static void walk(Counted *counted, const SimNode *node)
{
    for (int i = 0; i < node->count; i++)
        walk(counted, node->body[i]);
    if (node->kind != SIM_NODE_OP || !node->op)
        return;
    char signature[SIGNATURE_SIZE];
    const SimOperator *of = node->op->of;
    counted->met[of - sim_operator_at(0)] = true;
    signature_of(counted->file, counted->program, node->op, signature, sizeof signature);
    for (int m = 0; m < counted->mode_count; m++)
        count_row(cells_row(&counted->hits->cells, of->name, signature, counted->modes[m]), counted);
}

/* Its place among all; -1: there is no room. */
static int count_strategy(Hits *hits, const char *name)
{
    int s = 0;
    while (s < hits->strategy_count && strcmp(hits->strategies[s].name, name) != 0)
        s++;
    if (s == HITS_STRATEGIES)
        return -1;
    if (s == hits->strategy_count)
        snprintf(hits->strategies[hits->strategy_count++].name, sizeof hits->strategies[0].name, "%s", name);
    hits->strategies[s].count++;
    return s;
}

void hits_count(Hits *hits, const SimProgram *program, const SimFile *file, const RandomProgram *what)
{
    Counted counted = {.hits = hits, .file = file, .program = program};
    counted.mode_count = signature_modes(file, program, counted.modes);
    for (int s = 0; s < what->strategy_count; s++) {
        int strategy = count_strategy(hits, what->strategies[s]);
        if (strategy >= 0)
            counted.strategies[counted.strategy_count++] = strategy;
    }
    for (int r = 0; r < program->routine_count; r++)
        walk(&counted, program->routines[r].root);
    for (int o = 0; o < HITS_OPERATORS; o++)
        hits->operators[o] += counted.met[o];
}

void hits_print(const Hits *hits)
{
    printf("    strategies:");
    for (int s = 0; s < hits->strategy_count; s++)
        printf(" %s %" PRId64, hits->strategies[s].name, hits->strategies[s].count);
    printf("\n    operators:");
    for (int o = 0; sim_operator_at(o); o++)
        if (hits->operators[o] > 0)
            printf(" %s %" PRId64, sim_operator_at(o)->name, hits->operators[o]);
    printf("\n    operators that no program has:");
    for (int o = 0; sim_operator_at(o); o++)
        if (hits->operators[o] == 0)
            printf(" %s", sim_operator_at(o)->name);
    printf("\n");
}

void hits_write(Hits *hits, const char *path)
{
    const char *columns[HITS_STRATEGIES];
    FILE *out = fopen(path, "w");
    if (!out) {
        fprintf(stderr, "cannot write '%s'\n", path);
        return;
    }
    for (int s = 0; s < hits->strategy_count; s++)
        columns[s] = hits->strategies[s].name;
    cells_write(&hits->cells, out, hits->strategy_count, columns);
    fclose(out);
}

/* hits.c - an operator's signature, as far as it can be seen in its layouts: which of its letters are cut. */
#include "tests/sim/hits.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Seen {
    bool passed, summed, flat, microbatch;
} Seen;

/* The dims of a reference; NULL: flat. */
static const SimDim *dims_of(const SimFile *file, const SimProgram *program, const SimRef *ref, int *count)
{
    const SimBuffer *buffer = &program->buffers[ref->buffer];
    *count = buffer->dim_count;
    if (buffer->unit < 0)
        return buffer->dims;
    const SimUnit *unit = &file->units[buffer->unit];
    for (int m = 0; m < unit->member_count && ref->member >= 0; m++)
        if (unit->members[m] == ref->member) {
            *count = file->tensors[ref->member].dim_count;
            return &unit->dims[m * SIM_MAX_DIMS];
        }
    return NULL;
}

static void look_at(const SimFile *file, const SimProgram *program, const SimOp *op, const SimRef *ref,
                    const char *letters, Seen *seen)
{
    const char *arrow = strstr(op->spec, "->");
    const char *result = arrow ? arrow + 2 : op->spec;
    int count;
    const SimDim *dims = dims_of(file, program, ref, &count);
    seen->flat = seen->flat || (!dims && program->buffers[ref->buffer].cut_count > 0);
    for (int d = 0; dims && d < count; d++)
        for (int c = 0; c < dims[d].cut_count; c++) {
            if (dims[d].cuts[c] == SIM_CUT_MICRO) {
                seen->microbatch = true;
                continue;
            }
            if (file->axes[dims[d].cuts[c]].size == 1)
                continue;
            bool kept = !*op->spec || !letters || strchr(result, letters[d]) != NULL;
            *(kept ? &seen->passed : &seen->summed) = true;
        }
}

static const char *signature_of(const SimFile *file, const SimProgram *program, const SimOp *op)
{
    Seen seen = {false, false, false, false};
    const char *at = strstr(op->spec, "->") ? op->spec : NULL;
    for (int o = 0; o < op->operand_count; o++) {
        look_at(file, program, op, &op->operands[o], at, &seen);
        if (at)
            at += strcspn(at, ",-") + 1;
    }
    if (op->has_out)
        look_at(file, program, op, &op->out, NULL, &seen);
    if (seen.passed && seen.summed)
        return "passed and summed";
    if (seen.flat)
        return "flat";
    return seen.passed ? "passed" : seen.summed ? "summed" : seen.microbatch ? "microbatch" : "whole";
}

static void add(Hits *hits, const SimOperator *of, const char *signature, const char *strategy)
{
    int h = 0;
    while (h < hits->count &&
           (hits->of[h].of != of || hits->of[h].signature != signature || strcmp(hits->of[h].strategy, strategy) != 0))
        h++;
    if (h == HITS_MAX)
        return;
    if (h == hits->count) {
        hits->count++;
        hits->of[h].of = of;
        hits->of[h].signature = signature;
        snprintf(hits->of[h].strategy, sizeof hits->of[h].strategy, "%s", strategy);
    }
    hits->of[h].count++;
}

static void walk(Hits *hits, const SimFile *file, const SimProgram *program, const SimNode *node,
                 const RandomProgram *what, bool *met)
{
    for (int i = 0; i < node->count; i++)
        walk(hits, file, program, node->body[i], what, met);
    if (node->kind != SIM_NODE_OP || !node->op)
        return;
    met[node->op->of - sim_operator_at(0)] = true;
    const char *signature = signature_of(file, program, node->op);
    for (int s = 0; s < what->strategy_count; s++)
        add(hits, node->op->of, signature, what->strategies[s]);
}

static void count_strategy(Hits *hits, const char *name)
{
    int s = 0;
    while (s < hits->strategy_count && strcmp(hits->strategies[s].name, name) != 0)
        s++;
    if (s == HITS_STRATEGIES)
        return;
    if (s == hits->strategy_count)
        snprintf(hits->strategies[hits->strategy_count++].name, sizeof hits->strategies[0].name, "%s", name);
    hits->strategies[s].count++;
}

void hits_count(Hits *hits, const SimProgram *program, const SimFile *file, const RandomProgram *what)
{
    bool met[HITS_OPERATORS] = {false};
    for (int r = 0; r < program->routine_count; r++)
        walk(hits, file, program, program->routines[r].root, what, met);
    for (int o = 0; o < HITS_OPERATORS; o++)
        hits->operators[o] += met[o];
    for (int s = 0; s < what->strategy_count; s++)
        count_strategy(hits, what->strategies[s]);
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

static int compare(const void *left, const void *right)
{
    const __typeof__(((Hits *)NULL)->of[0]) *a = left, *b = right;
    int order = strcmp(a->of->name, b->of->name);
    if (order == 0)
        order = strcmp(a->signature, b->signature);
    return order ? order : strcmp(a->strategy, b->strategy);
}

void hits_write(Hits *hits, const char *path)
{
    FILE *out = fopen(path, "w");
    if (!out) {
        fprintf(stderr, "cannot write '%s'\n", path);
        return;
    }
    qsort(hits->of, (size_t)hits->count, sizeof hits->of[0], compare);
    for (int h = 0; h < hits->count; h++)
        fprintf(out, "%-18s %-18s %-16s %8" PRId64 "\n", hits->of[h].of->name, hits->of[h].signature,
                hits->of[h].strategy, hits->of[h].count);
    fclose(out);
}

/* unclipped.c - copies a program, leaving out what clips its gradients (verify/unclipped.h). */
#include "verify/unclipped.h"

#include <string.h>

typedef struct Copy {
    Arena *arena;
    int factors; /* clipping factors that were replaced by 1 */
} Copy;

static bool gives_norm(const Op *op)
{
    return op->kind == OP_OUTPUT && strcmp(op->output, "gradient_norm") == 0;
}

static Op *copy_op(Copy *copy, const Op *op)
{
    Op *changed = arena_make(copy->arena, Op);
    *changed = *op;
    if (op->kind == OP_CLIP_FACTOR) {
        copy->factors++;
        changed->kind = OP_FILL;
        changed->spec = "";
        changed->operand_count = 0;
        changed->immediate_count = 1;
        changed->immediate[0] = 1;
    }
    return changed;
}

static NodeList copy_nodes(Copy *copy, const NodeList *from)
{
    NodeList list = {0};
    for (int i = 0; i < from->count; i++) {
        Node *node = arena_make(copy->arena, Node);
        *node = *from->data[i];
        if (node->kind == NODE_OP && gives_norm(node->op))
            continue;
        if (node->kind == NODE_OP)
            node->op = copy_op(copy, node->op);
        else
            node->body = copy_nodes(copy, &from->data[i]->body);
        vec_push(copy->arena, &list, node);
    }
    return list;
}

static Program *copy_program(Copy *copy, const Program *program, RoutineKind kind)
{
    Program *changed = arena_make(copy->arena, Program);
    Routine routine = {.kind = kind, .body = copy_nodes(copy, &program_routine(program, kind)->body)};
    *changed = *program;
    memset(&changed->routines, 0, sizeof changed->routines);
    vec_push(copy->arena, &changed->routines, routine);
    return changed;
}

StepFile *unclipped_file(Arena *arena, const StepFile *file, RoutineKind routine)
{
    Copy copy = {.arena = arena};
    StepFile *changed = arena_make(arena, StepFile);
    changed->decls = file->decls;
    changed->reference = copy_program(&copy, file->reference, routine);
    changed->program = copy_program(&copy, file->program, routine);
    return copy.factors > 0 ? changed : NULL;
}

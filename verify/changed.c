/* changed.c - copies programs, operator by operator (verify/changed.h). */
#include "verify/changed.h"

#include <string.h>

static NodeList copy_nodes(Arena *arena, const NodeList *from, OpChange *change, void *context)
{
    NodeList list = {0};
    for (int i = 0; i < from->count; i++) {
        Node *node = arena_make(arena, Node);
        *node = *from->data[i];
        if (node->kind != NODE_OP) {
            node->body = copy_nodes(arena, &from->data[i]->body, change, context);
        } else {
            node->op = arena_make(arena, Op);
            *node->op = *from->data[i]->op;
            if (!change(context, node->op))
                continue;
        }
        vec_push(arena, &list, node);
    }
    return list;
}

Program *program_changed(Arena *arena, const Program *program, RoutineKind routine, OpChange *change, void *context)
{
    Program *changed = arena_make(arena, Program);
    Routine copy = {.kind = routine};
    copy.body = copy_nodes(arena, &program_routine(program, routine)->body, change, context);
    *changed = *program;
    memset(&changed->routines, 0, sizeof changed->routines);
    vec_push(arena, &changed->routines, copy);
    return changed;
}

static bool gives_norm(const Op *op)
{
    return op->kind == OP_OUTPUT && strcmp(op->output, "gradient_norm") == 0;
}

/* `context`: counts the clipping factors, which become 1. */
static bool unclip(void *context, Op *op)
{
    if (op->kind == OP_CLIP_FACTOR) {
        ++*(int *)context;
        op->kind = OP_FILL;
        op->spec = "";
        op->operand_count = 0;
        op->immediate_count = 1;
        op->immediate[0] = 1;
    }
    return !gives_norm(op);
}

StepFile *unclipped_file(Arena *arena, const StepFile *file, RoutineKind routine)
{
    int factors = 0;
    StepFile *changed = arena_make(arena, StepFile);
    changed->decls = file->decls;
    changed->reference = program_changed(arena, file->reference, routine, unclip, &factors);
    changed->program = program_changed(arena, file->program, routine, unclip, &factors);
    return factors > 0 ? changed : NULL;
}

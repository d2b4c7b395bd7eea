/* unrolled.h - for unit tests of the verifier: a program with all loops unrolled whose bounds are numbers. Each of
 * their iterations is then a loop of its own, so that nothing is taken from the one before. What is in them is shared.
 */
#ifndef PLACE_TESTS_UNIT_UNROLLED_H
#define PLACE_TESTS_UNIT_UNROLLED_H

#include "step/step.h"

#include <string.h>

typedef struct Unroller {
    Arena *arena;
    const Decls *decls;
    bool *is_number; /* per loop around: is its value one? */
    int64_t *value;
} Unroller;

static inline bool unrolled_number(const Unroller *u, const Affine *affine, int64_t *number)
{
    for (int i = 0; i < affine->term_count; i++)
        if (affine->term[i].variable < 0 || !u->is_number[affine->term[i].variable])
            return false;
    *number = affine_at(u->decls, affine, NULL, u->value);
    return true;
}

static inline void unrolled_nodes(Unroller *u, const NodeList *nodes, NodeList *to);

static inline Node *unrolled_node(Unroller *u, const Node *node, NodeList *to)
{
    Node *copy = arena_make(u->arena, Node);
    *copy = *node;
    memset(&copy->body, 0, sizeof copy->body);
    unrolled_nodes(u, &node->body, &copy->body);
    vec_push(u->arena, to, copy);
    return copy;
}

static inline void unrolled_loop(Unroller *u, const Node *node, NodeList *to)
{
    int64_t first, last;
    bool numbers = unrolled_number(u, &node->loop.first, &first) && unrolled_number(u, &node->loop.last, &last);
    u->is_number[node->loop.id] = numbers;
    if (!numbers) {
        unrolled_node(u, node, to);
        return;
    }
    for (int64_t v = first; node->loop.step > 0 ? v <= last : v >= last; v += node->loop.step) {
        u->value[node->loop.id] = v;
        Node *copy = unrolled_node(u, node, to);
        copy->loop.first = copy->loop.last = affine_constant(v);
    }
}

static inline void unrolled_nodes(Unroller *u, const NodeList *nodes, NodeList *to)
{
    for (int i = 0; i < nodes->count; i++)
        switch (nodes->data[i]->kind) {
        case NODE_LOOP:
            unrolled_loop(u, nodes->data[i], to);
            break;
        case NODE_GUARD:
            unrolled_node(u, nodes->data[i], to);
            break;
        case NODE_OP:
        case NODE_WAIT:
            vec_push(u->arena, to, nodes->data[i]);
            break;
        }
}

/* The file with its program unrolled. */
static inline StepFile unrolled(Arena *arena, const StepFile *file)
{
    Program *program = arena_make(arena, Program);
    *program = *file->program;
    memset(&program->routines, 0, sizeof program->routines);
    Unroller u = {.arena = arena, .decls = file->decls};
    u.is_number = arena_array(arena, bool, program->loop_count + 1);
    u.value = arena_array(arena, int64_t, program->loop_count + 1);
    for (int i = 0; i < file->program->routines.count; i++) {
        Routine routine = file->program->routines.data[i];
        memset(&routine.body, 0, sizeof routine.body);
        unrolled_nodes(&u, &file->program->routines.data[i].body, &routine.body);
        vec_push(arena, &program->routines, routine);
    }
    return (StepFile){.decls = file->decls, .reference = file->reference, .program = program};
}

#endif

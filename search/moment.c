/* moment.c - temporary values of the layers' backward pass (search/moment.h). */
#include "search/moment.h"

#include "lower/live.h"

typedef struct Moment {
    const Program *program;
    bool *outside; /* per buffer: used by something else than a layer's backward pass */
    bool *back;    /* per point: an operator of such a pass */
    int point;
} Moment;

/* A value that forward has for a moment may have the same place. */
static void walk(Moment *m, const NodeList *body, bool layers, bool back)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        const Op *op = node_op(node);
        bool loop = node_is_layer_loop(node);
        walk(m, &node->body, layers || loop, back || (loop && nodes_go_back(&node->body)));
        if (op == NULL)
            continue;
        m->back[m->point++] = back;
        for (int o = 0; o < op->operand_count && !layers; o++)
            m->outside[op->operand[o].buffer] = true;
        if (op_has_result(op->kind) && !layers)
            m->outside[op->out.buffer] = true;
    }
}

static bool is_temporary(const Moment *m, int buffer)
{
    const Buffer *own = &m->program->buffers.data[buffer];
    bool value = own->category == CATEGORY_ACTIVATIONS || own->category == CATEGORY_BUFFERS;
    return value && own->slots == 1 && !own->persistent && own->tier == TIER_DEVICE && !m->outside[buffer];
}

double moment_bytes(Arena *arena, const StepFile *file)
{
    const Program *program = file->program;
    const Liveness *live = file->live;
    Moment m = {.program = program};
    m.outside = arena_array(arena, bool, program->buffers.count + 1);
    m.back = arena_array(arena, bool, live->point_count + 1);
    double *change = arena_array(arena, double, live->point_count + 1), now = 0, most = 0;
    for (int r = 0; r < program->routines.count; r++)
        walk(&m, &program->routines.data[r].body, false, false);
    for (int b = 0; b < program->buffers.count; b++)
        for (int s = 0; s < live->at[b].count && is_temporary(&m, b); s++) {
            double bytes = (double)buffer_slot_bytes(program->decls, &program->buffers.data[b]);
            change[live->at[b].data[s].first] += bytes;
            change[live->at[b].data[s].last + 1] -= bytes;
        }
    for (int point = 0; point < live->point_count; point++) {
        now += change[point];
        most = m.back[point] && now > most ? now : most;
    }
    return most;
}

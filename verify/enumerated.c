/* enumerated.c - chooses the enumerated axes, and makes their rank classes (verify/machine.h). */
#include "verify/machine_internal.h"

#include "verify/limit.h"
#include "verify/ranks.h"

enum { MOST_CLASSES = 1024 };

/* ---- Enumerated axes ---------------------------------------------------------------------------------------- */

typedef struct Axes {
    const Program *program;
    AxisMask mask;
} Axes;

static void add_axis(Axes *axes, int axis)
{
    if (axes->program->decls->axes.data[axis].size > 1)
        axes->mask |= (AxisMask)1 << axis;
}

static void add_affine(Axes *axes, const Affine *affine)
{
    for (int i = 0; i < affine->term_count; i++)
        if (affine->term[i].variable < 0 && affine->term[i].coefficient != 0)
            add_axis(axes, affine_axis(axes->program->decls, affine->term[i].variable));
}

static bool has_messages(const NodeList *nodes)
{
    for (int i = 0; i < nodes->count; i++) {
        const Node *node = nodes->data[i];
        if (node->kind == NODE_OP ? op_is_message(node->op->kind) : has_messages(&node->body))
            return true;
    }
    return false;
}

/* A guard that depends only on coordinates becomes an indicator in weights. One that also depends on a loop's variable
 * or on a table, or that contains messages, is decided rank class by rank class. */
static bool is_decided(const Node *node)
{
    const Affine *value = &node->guard.value;
    for (int i = 0; i < value->term_count; i++)
        if (value->term[i].variable >= 0 || value->term[i].variable < -STEP_MAX_AXES)
            return true;
    return has_messages(&node->body);
}

static void add_op(Axes *axes, const Op *op)
{
    for (int i = 0; i < op->operand_count; i++)
        add_affine(axes, &op->operand[i].slot);
    if (op_has_result(op->kind))
        add_affine(axes, &op->out.slot);
    add_affine(axes, &op->event_slot);
    if (!op_is_message(op->kind))
        return;
    add_affine(axes, &op->peer.coordinate);
    for (int i = 0; i < op->axes.count; i++)
        add_axis(axes, op->axes.axis[i]);
}

static void add_nodes(Axes *axes, const NodeList *nodes)
{
    for (int i = 0; i < nodes->count; i++) {
        const Node *node = nodes->data[i];
        if (node->kind == NODE_OP)
            add_op(axes, node->op);
        if (node->kind == NODE_LOOP) {
            add_affine(axes, &node->loop.first);
            add_affine(axes, &node->loop.last);
        }
        if (node->kind == NODE_WAIT)
            add_affine(axes, &node->wait.slot);
        if (node->kind == NODE_GUARD && is_decided(node))
            add_affine(axes, &node->guard.value);
        add_nodes(axes, &node->body);
    }
}

AxisMask enumerated_axes(const Program *program)
{
    Axes axes = {.program = program};
    for (int i = 0; i < program->buffers.count; i++) {
        const Buffer *buffer = &program->buffers.data[i];
        if (buffer->held)
            add_affine(&axes, &buffer->holder);
        if (buffer->has_layers) {
            add_affine(&axes, &buffer->first_layer);
            add_affine(&axes, &buffer->last_layer);
        }
    }
    for (int i = 0; i < program->routines.count; i++)
        add_nodes(&axes, &program->routines.data[i].body);
    return axes.mask;
}

/* ---- Rank classes ------------------------------------------------------------------------------------------- */

const char *class_text(const Machine *m, const RankClass *class)
{
    return rank_text(m->ctx->arena, m->decls, m->enumerated, class->coordinate);
}

bool classes_count(Machine *m)
{
    int64_t count = ranks_along(m->decls, m->enumerated);
    m->class_count = count > MOST_CLASSES ? 1 : (int)count;
    if (count <= MOST_CLASSES)
        return true;
    m->enumerated = 0;
    report_limit(m->ctx, (Span){0}, "too many ranks take different paths",
                 arena_printf(m->ctx->arena,
                              "Control that depends on coordinates is followed for at most %d of their combinations "
                              "(rule 'rank classes').",
                              MOST_CLASSES));
    return false;
}

void classes_make(Machine *m)
{
    m->classes = arena_array(m->table->arena, RankClass, m->class_count);
    for (int i = 0; i < m->class_count; i++) {
        RankClass *class = &m->classes[i];
        class->index = i;
        rank_coordinates(m->decls, m->enumerated, i, class->coordinate);
        class->cell = arena_array(m->table->arena, Cell, m->cell_count + 1);
        class->padding_zero = arena_array(m->table->arena, bool, m->slot_count + 1);
        class->loop = arena_array(m->table->arena, int64_t, m->loop_count + 1);
        class->bound = arena_array(m->table->arena, bool, m->loop_count + 1);
    }
    m->class = &m->classes[0];
}

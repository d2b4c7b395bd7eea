/* ways.c - every way to compute an operator of the step that a statement can pin (derive/facts.h). */
#include "derive/place.h"

#include <math.h>

typedef struct Finder {
    Placer *placer;
    const RoutineFacts *routine;
    PinnedWays ways;
} Finder;

/* As if everything that it reads and writes were whole, so that none of its signatures is left out. */
void derive_add_window_signatures(const Facts *f, const Op *op, int axis, SignatureVec *list)
{
    if (op_info[op->kind].op_class != CLASS_WINDOW)
        return;
    Choice whole = {.operand = arena_array(f->ctx->arena, Placement, op->operand_count)};
    for (int i = 0; i < op->operand_count; i++)
        whole.operand[i] = facts_whole(f, op->operand[i].buffer);
    whole.result = facts_whole(f, op->out.buffer);
    derive_add_halo_signatures(f->ctx->arena, f, op, axis, &whole, list);
}

static void add_ways(Finder *find, const Op *op, int axis, double times)
{
    const Facts *f = find->placer->facts;
    SignatureVec all = derive_op_signatures(find->placer, op).list;
    derive_add_window_signatures(f, op, axis, &all);
    for (int s = 0; s < all.count; s++) {
        PinnedWay way = {.pin = derive_pin_form(f, find->routine, op, &all, &all.data[s]),
                         .op = op,
                         .times = times,
                         .signature = &all.data[s]};
        way.pin.axis = axis;
        if (!derive_pin_subject(f, find->routine, op, &way.pin))
            return;
        vec_push(f->ctx->arena, &find->ways, way);
    }
}

static double trips(const Node *loop)
{
    return fabs((double)(loop->loop.last.constant - loop->loop.first.constant)) + 1;
}

static void add_all(Finder *find, const NodeList *body, double times)
{
    const Decls *decls = find->placer->facts->decls;
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        const Op *op = node_op(node);
        add_all(find, &node->body, node->kind == NODE_LOOP ? times * trips(node) : times);
        for (int axis = 0; op != NULL && op_has_result(op->kind) && axis < decls->axes.count; axis++)
            if (decls->axes.data[axis].size > 1)
                add_ways(find, op, axis, times);
    }
}

PinnedWays derive_pinned_ways(const Facts *f)
{
    Finder find = {.placer = placer_new(f)};
    find.placer->facts = f;
    for (int r = 0; r < f->reference->routines.count; r++) {
        find.routine = &f->routines[r];
        if (find.routine->routine->kind == ROUTINE_STEP)
            add_all(&find, &find.routine->routine->body, 1);
    }
    return find.ways;
}

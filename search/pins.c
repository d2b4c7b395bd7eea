/* pins.c - the statements that pin the operators of a step (search/pins.h). */
#include "search/pins.h"

#include "derive/place.h"
#include "strategy/plain.h"

#include <math.h>
#include <string.h>

typedef struct PinFinder {
    Arena *arena;
    const Choices *choices;
    const RoutineFacts *step;
    Placer *placer;
    Pins pins;
} PinFinder;

/* ---- As it is ------------------------------------------------------------------------------------------------ */

static bool is_chosen(const Choice *choice, const Op *op, int axis, const Signature *signature)
{
    bool chosen = on_axis_equal(choice->result.axis[axis], signature->result);
    for (int o = 0; o < op->operand_count; o++)
        chosen = chosen && on_axis_equal(choice->operand[o].axis[axis], signature->operand[o]);
    return chosen;
}

/* Is the operator computed in another way somewhere? */
static bool differs_in(const ChosenList *list, const Op *op, int axis, const Signature *signature)
{
    for (int i = 0; i < list->count; i++) {
        const Chosen *chosen = &list->data[i];
        if (chosen->kind == CHOSEN_LAYERS && differs_in(&chosen->layers->body, op, axis, signature))
            return true;
        if (chosen->kind == CHOSEN_OP && chosen->op->op->id == op->id &&
            !is_chosen(&chosen->op->choice, op, axis, signature))
            return true;
    }
    return false;
}

static bool differs(const PinFinder *find, const Op *op, int axis, const Signature *signature)
{
    for (int r = 0; r < find->choices->facts->reference->routines.count; r++) {
        const RoutineChoices *routine = &find->choices->routines[r];
        if (routine->facts == find->step &&
            (differs_in(&routine->early_body, op, axis, signature) ||
             differs_in(&routine->between, op, axis, signature) || differs_in(&routine->body, op, axis, signature)))
            return true;
    }
    return false;
}

/* ---- Otherwise ----------------------------------------------------------------------------------------------- */

static SignatureVec signatures_over(const PinFinder *find, const Op *op, int axis)
{
    const Facts *f = find->choices->facts;
    SignatureVec all = derive_op_signatures(find->placer, op).list;
    if (op_info[op->kind].op_class != CLASS_WINDOW)
        return all;
    Choice whole = {.operand = arena_array(f->ctx->arena, Placement, op->operand_count),
                    .result = facts_whole(f, op->out.buffer)};
    for (int o = 0; o < op->operand_count; o++)
        whole.operand[o] = facts_whole(f, op->operand[o].buffer);
    derive_add_halo_signatures(find->placer, op, axis, &whole, &all);
    return all;
}

static double elements_of(const Facts *f, int buffer)
{
    double elements = 1;
    const Buffer *value = &f->reference->buffers.data[buffer];
    for (int d = 0; d < value->dim_count; d++)
        elements *= (double)value->dims[d].size;
    return elements;
}

static double most_elements(const Facts *f, const Op *op, double times)
{
    double most = elements_of(f, op->out.buffer);
    for (int o = 0; o < op->operand_count; o++)
        most = fmax(most, elements_of(f, op->operand[o].buffer));
    return times * most;
}

static void find_over(PinFinder *find, const Op *op, int axis, double times)
{
    const Facts *f = find->choices->facts;
    const SignatureVec all = signatures_over(find, op, axis);
    for (int s = 0; s < all.count; s++) {
        Pin pin = derive_pin_form(f, find->step, op, &all, &all.data[s]);
        if (!derive_pin_subject(f, find->step, op, &pin))
            return;
        if (!differs(find, op, axis, &all.data[s]))
            continue;
        pin.axis = axis;
        const char *statement = plain_pin(f->ctx->arena, f->decls, &pin), *name = f->decls->axes.data[axis].name;
        const OnePin one = {.statement = arena_copy(find->arena, statement, strlen(statement)),
                            .op = op->id,
                            .axis = axis,
                            .axis_name = arena_copy(find->arena, name, strlen(name)),
                            .elements = most_elements(f, op, times)};
        vec_push(find->arena, &find->pins, one);
    }
}

static void find_in(PinFinder *find, const NodeList *body, double times)
{
    const Decls *decls = find->choices->facts->decls;
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        const Op *op = node_op(node);
        if (node->kind == NODE_LOOP)
            find_in(find, &node->body,
                    times * (fabs((double)(node->loop.last.constant - node->loop.first.constant)) + 1));
        for (int axis = 0; op != NULL && op_has_result(op->kind) && axis < decls->axes.count; axis++)
            if (decls->axes.data[axis].size > 1)
                find_over(find, op, axis, times);
    }
}

Pins pins_find(Arena *arena, Costed *costed)
{
    PinFinder find = {.arena = arena, .choices = derive_choices(&costed->ctx, costed->train, costed->assignment)};
    if (find.choices == NULL || find.choices->failed)
        return find.pins;
    const Facts *f = find.choices->facts;
    find.placer = placer_new(f);
    find.placer->facts = f;
    for (int r = 0; r < f->reference->routines.count; r++)
        if (f->routines[r].routine->kind == ROUTINE_STEP) {
            find.step = &f->routines[r];
            find_in(&find, &find.step->routine->body, 1);
        }
    return find.pins;
}

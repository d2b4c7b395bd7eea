/* gradients.c - walks the step in program order, keeping track of the gradient in every buffer. */
#include "codegen/gradients.h"

#include "codegen/shape.h"

/* 1 + the gradient operand of operators that an update may begin with; 0: updates do not begin with this operator. */
static const int8_t gradient_operand[OP_COUNT] = {
    [OP_SGD] = 2, [OP_MOMENTUM] = 2, [OP_EMA] = 2, [OP_DECAY_GRADIENT] = 1};

/* The layer whose gradient a buffer's only slot holds. */
typedef struct Held {
    bool known;
    Affine slot;
} Held;

typedef struct Walk {
    Arena *arena;
    const Program *program;
    Held *held; /* per buffer */
    UsedGradients used;
} Walk;

static bool is_gradient(const Program *program, const Ref *ref)
{
    const Buffer *buffer = ref_buffer(program, ref);
    return buffer->state >= 0 && program->decls->states.data[buffer->state].kind == STATE_GRADIENTS;
}

static int64_t layers_of(const Decls *decls, const Buffer *buffer, int tensor, int64_t *first)
{
    *first = 0;
    if (buffer->layout == LAYOUT_UNIT) {
        const Unit *unit = &decls->units.data[buffer->unit];
        *first = unit->first_layer;
        return unit->last_layer - unit->first_layer + 1;
    }
    int group = tensor >= 0 ? decls->tensors.data[tensor].group : -1;
    return group >= 0 ? decls->groups.data[group].layers : 1;
}

/* With a slot for every layer, the slot gives the layer; a single slot holds the layer that was put there last. */
static Held held_by(const Walk *walk, const Ref *ref, int tensor)
{
    int64_t first;
    const Buffer *buffer = ref_buffer(walk->program, ref);
    int64_t layers = layers_of(walk->program->decls, buffer, tensor, &first);
    if (layers == 1)
        return (Held){true, affine_constant(0)};
    return buffer->slots == layers ? (Held){true, ref->slot} : walk->held[ref->buffer];
}

static int tensor_of(const Program *program, const Op *op, const Ref *ref)
{
    const Buffer *buffer = ref_buffer(program, ref);
    if (buffer->layout == LAYOUT_UNIT)
        return ref->member;
    return buffer->tensor >= 0 ? buffer->tensor : op->tensor;
}

/* A result computed from a gradient belongs to the same layer; any other result to no known layer. */
static void note_result(Walk *walk, const Op *op)
{
    if (!op_has_result(op->kind) || !is_gradient(walk->program, &op->out) ||
        ref_buffer(walk->program, &op->out)->slots > 1)
        return;
    Held held = {.known = false};
    for (int i = 0; i < op->operand_count && !held.known; i++) {
        const Ref *from = &op->operand[i];
        if (is_gradient(walk->program, from))
            held = held_by(walk, from, tensor_of(walk->program, op, from));
    }
    walk->held[op->out.buffer] = held;
}

/* Has an earlier operator of the same update read it? */
static bool is_used(const Walk *walk, const UsedGradient *gradient)
{
    const Ref *ref = &gradient->op->operand[gradient->operand];
    const Buffer *buffer = ref_buffer(walk->program, ref);
    for (int i = 0; i < walk->used.count; i++) {
        const UsedGradient *known = &walk->used.data[i];
        const Buffer *other = ref_buffer(walk->program, &known->op->operand[known->operand]);
        bool same_whole = buffer->layout == LAYOUT_UNIT ? other->layout == LAYOUT_UNIT && other->unit == buffer->unit
                                                        : other->layout != LAYOUT_UNIT;
        if (same_whole && known->tensor == gradient->tensor && affine_equal(&known->slot, &gradient->slot))
            return true;
    }
    return false;
}

static void note_use(Walk *walk, const Op *op)
{
    int operand = gradient_operand[op->kind] - 1;
    if (operand < 0 || !is_gradient(walk->program, &op->operand[operand]))
        return;
    const Ref *ref = &op->operand[operand];
    UsedGradient gradient = {.op = op, .operand = operand, .tensor = tensor_of(walk->program, op, ref)};
    const Buffer *buffer = ref_buffer(walk->program, ref);
    gradient.layers = layers_of(walk->program->decls, buffer, gradient.tensor, &gradient.first_layer);
    Held held = held_by(walk, ref, gradient.tensor);
    gradient.has_layer = held.known;
    gradient.slot = held.slot;
    if (!is_used(walk, &gradient))
        vec_push(walk->arena, &walk->used, gradient);
}

/* After a loop, nothing is expressed in its variable any more. */
static void leave_loop(Walk *walk, int loop)
{
    for (int b = 0; b < walk->program->buffers.count; b++) {
        Held *held = &walk->held[b];
        held->known = held->known && !affine_uses(&held->slot, loop);
    }
}

static void walk_body(Walk *walk, const NodeList *body)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        if (node->kind == NODE_OP) {
            note_use(walk, node->op);
            note_result(walk, node->op);
        }
        walk_body(walk, &node->body);
        if (node->kind == NODE_LOOP)
            leave_loop(walk, node->loop.id);
    }
}

UsedGradients gradients_used(Arena *arena, const Program *program)
{
    Walk walk = {.arena = arena, .program = program};
    walk.held = arena_array(arena, Held, program->buffers.count + 1);
    const Routine *step = program_routine(program, ROUTINE_STEP);
    if (step != NULL)
        walk_body(&walk, &step->body);
    return walk.used;
}

static void cover(const Decls *decls, const UsedGradient *gradient, const Buffer *buffer, int64_t *layers)
{
    if (gradient->tensor >= 0) {
        layers[gradient->tensor] += gradient->layers;
        return;
    }
    const Unit *unit = &decls->units.data[buffer->unit];
    for (int m = 0; m < unit->member_count; m++)
        layers[unit->members[m]] += gradient->layers;
}

int gradients_missing(Arena *arena, const Program *program, const UsedGradients *used)
{
    const Decls *decls = program->decls;
    int64_t *layers = arena_array(arena, int64_t, decls->tensors.count + 1);
    for (int i = 0; i < used->count; i++) {
        const UsedGradient *gradient = &used->data[i];
        const Buffer *buffer = ref_buffer(program, &gradient->op->operand[gradient->operand]);
        if (gradient->has_layer && (gradient->tensor >= 0 || buffer->layout == LAYOUT_UNIT))
            cover(decls, gradient, buffer, layers);
    }
    for (int t = 0; t < decls->tensors.count; t++) {
        const Tensor *tensor = &decls->tensors.data[t];
        int64_t wanted = tensor->group >= 0 ? decls->groups.data[tensor->group].layers : 1;
        if (tensor->kind == TENSOR_PARAMETER && tensor->trainable && layers[t] != wanted)
            return t;
    }
    return -1;
}

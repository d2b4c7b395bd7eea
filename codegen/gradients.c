/* gradients.c - walks the step in program order, keeping track of what is computed from which gradient. */
#include "codegen/gradients.h"

#include "codegen/shape.h"

/* 1 + the gradient operand of operators that an update may begin with; 0: updates do not begin with this operator. */
static const int8_t gradient_operand[OP_COUNT] = {
    [OP_SGD] = 2, [OP_MOMENTUM] = 2, [OP_EMA] = 2, [OP_DECAY_GRADIENT] = 1, [OP_SQUARE_PLUS] = 1};

/* What a slot was computed from: a gradient that an update uses. */
typedef struct Origin {
    int used; /* 1 + its index; 0: from none */
    Affine slot;
} Origin;

typedef struct Walk {
    Arena *arena;
    const Program *program;
    Origin *origin; /* per buffer, of the slot that was written last */
    UsedGradients used;
} Walk;

static bool is_gradient(const Program *program, const Ref *ref)
{
    const Buffer *buffer = ref_buffer(program, ref);
    return buffer->state >= 0 && program->decls->states.data[buffer->state].kind == STATE_GRADIENTS;
}

static int tensor_of(const Program *program, const Op *op, const Ref *ref)
{
    const Buffer *buffer = ref_buffer(program, ref);
    if (buffer->layout == LAYOUT_UNIT)
        return ref->member;
    return buffer->tensor >= 0 ? buffer->tensor : op->tensor;
}

/* The gradient that what is here was computed from: 1 + its index, or 0. */
static int origin_of_ref(const Walk *walk, const Ref *ref)
{
    const Origin *origin = &walk->origin[ref->buffer];
    return origin->used > 0 && affine_equal(&origin->slot, &ref->slot) ? origin->used : 0;
}

/* A state of the same parameters: of one unit, or of one parameter. */
static bool is_state_of(const Walk *walk, const Op *op, const UsedGradient *gradient, const Ref *ref)
{
    const Buffer *from = ref_buffer(walk->program, &gradient->op->operand[gradient->operand]);
    const Buffer *buffer = ref_buffer(walk->program, ref);
    if (!buffer->persistent || !walk->program->decls->states.data[buffer->state].per_parameter)
        return false;
    if (buffer->layout == LAYOUT_UNIT && from->layout == LAYOUT_UNIT)
        return buffer->unit == from->unit;
    return gradient->tensor >= 0 && tensor_of(walk->program, op, ref) == gradient->tensor;
}

/* An operator that reads what a gradient became: if it updates a state or reads one, that is the gradient's. */
static void find_state(Walk *walk, const Op *op, int used)
{
    UsedGradient *gradient = &walk->used.data[used - 1];
    if (gradient->found)
        return;
    gradient->found = is_state_of(walk, op, gradient, &op->out);
    gradient->stored = op->out;
    for (int i = 0; i < op->operand_count && !gradient->found; i++) {
        gradient->found = is_state_of(walk, op, gradient, &op->operand[i]);
        gradient->stored = op->operand[i];
    }
}

/* Does an update begin here? Not if an earlier operator of it has read the gradient. */
static void note_use(Walk *walk, const Op *op)
{
    int operand = gradient_operand[op->kind] - 1;
    if (operand < 0 || !is_gradient(walk->program, &op->operand[operand]))
        return;
    const Ref *ref = &op->operand[operand];
    if (origin_of_ref(walk, ref) > 0)
        return;
    UsedGradient gradient = {.op = op, .operand = operand, .tensor = tensor_of(walk->program, op, ref)};
    vec_push(walk->arena, &walk->used, gradient);
    walk->origin[ref->buffer] = (Origin){walk->used.count, ref->slot};
}

static void note_result(Walk *walk, const Op *op)
{
    int used = 0;
    for (int i = 0; i < op->operand_count && used == 0; i++)
        used = origin_of_ref(walk, &op->operand[i]);
    if (used > 0)
        find_state(walk, op, used);
    if (op_has_result(op->kind) && !ref_buffer(walk->program, &op->out)->persistent && !op->accumulate)
        walk->origin[op->out.buffer] = (Origin){used, op->out.slot};
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
    }
}

UsedGradients gradients_used(Arena *arena, const Program *program)
{
    Walk walk = {.arena = arena, .program = program};
    walk.origin = arena_array(arena, Origin, program->buffers.count + 1);
    const Routine *step = program_routine(program, ROUTINE_STEP);
    if (step != NULL)
        walk_body(&walk, &step->body);
    return walk.used;
}

/* The layers of all slots of the state, on whatever ranks. */
static int64_t layers_of(const Decls *decls, const Buffer *stored, int tensor)
{
    if (stored->layout == LAYOUT_UNIT) {
        const Unit *unit = &decls->units.data[stored->unit];
        return unit->last_layer - unit->first_layer + 1;
    }
    int group = tensor >= 0 ? decls->tensors.data[tensor].group : -1;
    return group >= 0 ? decls->groups.data[group].layers : 1;
}

static void cover(const Program *program, const UsedGradient *gradient, int64_t *layers)
{
    const Decls *decls = program->decls;
    const Buffer *from = ref_buffer(program, &gradient->op->operand[gradient->operand]);
    int64_t count = layers_of(decls, ref_buffer(program, &gradient->stored), gradient->tensor);
    if (gradient->tensor >= 0) {
        layers[gradient->tensor] += count;
        return;
    }
    if (from->layout != LAYOUT_UNIT)
        return;
    const Unit *unit = &decls->units.data[from->unit];
    for (int m = 0; m < unit->member_count; m++)
        layers[unit->members[m]] += count;
}

int gradients_missing(Arena *arena, const Program *program, const UsedGradients *used)
{
    const Decls *decls = program->decls;
    int64_t *layers = arena_array(arena, int64_t, decls->tensors.count + 1);
    for (int i = 0; i < used->count; i++)
        if (used->data[i].found)
            cover(program, &used->data[i], layers);
    for (int t = 0; t < decls->tensors.count; t++) {
        const Tensor *tensor = &decls->tensors.data[t];
        int64_t wanted = tensor->group >= 0 ? decls->groups.data[tensor->group].layers : 1;
        if (tensor->kind == TENSOR_PARAMETER && tensor->trainable && layers[t] != wanted)
            return t;
    }
    return -1;
}

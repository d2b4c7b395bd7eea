/* builder.c - the Builder: tables of buffers and lists of nodes, and their clean-up. */
#include "reference/builder.h"

#include "step/spec.h"

#include <string.h>

/* ---- Declarations ------------------------------------------------------------------------------------------- */

Builder *builder_new(Ctx *ctx, Decls *decls, DType gradient_dtype)
{
    Builder *b = arena_make(ctx->arena, Builder);
    b->ctx = ctx;
    b->decls = decls;
    b->program = arena_make(ctx->arena, Program);
    b->program->decls = decls;
    b->buffer_names = str_table_new(ctx->arena);
    b->origin = -1;
    b->category = CATEGORY_ACTIVATIONS;
    b->statistics = -1;
    State parameters = {.name = "parameters", .kind = STATE_PARAMETERS, .per_parameter = true};
    State gradients = {.name = "gradients", .kind = STATE_GRADIENTS, .per_parameter = true};
    parameters.dtype = decls->compute_dtype;
    gradients.dtype = gradient_dtype;
    vec_push(ctx->arena, &decls->states, parameters);
    vec_push(ctx->arena, &decls->states, gradients);
    return b;
}

/* What the names of its temporaries begin with. */
static const char *prefix_of(RoutineKind routine)
{
    switch (routine) {
    case ROUTINE_INIT:
        return "init.";
    case ROUTINE_STEP:
        return "";
    case ROUTINE_EVAL:
        return "eval.";
    case ROUTINE_PREDICT:
        return "predict.";
    case ROUTINE_JOIN:
        return "join.";
    case ROUTINE_PREFILL:
        return "prefill.";
    }
    BUG("a routine of kind %d", (int)routine);
}

void builder_routine(Builder *b, RoutineKind kind)
{
    b->prefix = prefix_of(kind);
    for (b->routine = 0; b->routine < b->program->routines.count; b->routine++)
        if (b->program->routines.data[b->routine].kind == kind)
            return;
    vec_push(b->ctx->arena, &b->program->routines, (Routine){.kind = kind});
}

static int add_buffer(Builder *b, Buffer buffer, int dim_count, const int64_t *dims)
{
    buffer.name = str_intern_unique(b->buffer_names, buffer.name);
    buffer.layout = LAYOUT_DENSE;
    buffer.tier = TIER_DEVICE;
    buffer.offset = -1;
    buffer.span = b->span;
    buffer.dim_count = dim_count;
    for (int i = 0; i < dim_count; i++)
        buffer.dims[i].size = dims[i];
    vec_push(b->ctx->arena, &b->program->buffers, buffer);
    return b->program->buffers.count - 1;
}

static int add_state_buffer(Builder *b, int state_index, int tensor_index)
{
    static const Category categories[] = {[STATE_PARAMETERS] = CATEGORY_PARAMETERS,
                                          [STATE_GRADIENTS] = CATEGORY_GRADIENTS,
                                          [STATE_OPTIMIZER] = CATEGORY_OPTIMIZER,
                                          [STATE_STATISTICS] = CATEGORY_BUFFERS};
    const State *state = &b->decls->states.data[state_index];
    Buffer buffer = {.name = state->name,
                     .dtype = state->dtype,
                     .category = categories[state->kind],
                     .slots = 1,
                     .state = state_index,
                     .tensor = tensor_index,
                     .persistent = state->kind != STATE_GRADIENTS};
    if (state->kind == STATE_STATISTICS && b->decls->tensors.data[tensor_index].batch_dim >= 0)
        buffer.category = CATEGORY_CACHE; /* something of every example */
    if (tensor_index < 0)
        return add_buffer(b, buffer, 0, NULL);
    const Tensor *tensor = &b->decls->tensors.data[tensor_index];
    buffer.name = arena_printf(b->ctx->arena, "%s.%s", state->name, tensor->name);
    if (tensor->group >= 0)
        buffer.slots = b->decls->groups.data[tensor->group].layers;
    int first, count = each_dims(state->each, tensor->dim_count, &first);
    return add_buffer(b, buffer, count, tensor->dims + first);
}

int builder_add_parameter(Builder *b, const Tensor *tensor)
{
    vec_push(b->ctx->arena, &b->decls->tensors, *tensor);
    int index = b->decls->tensors.count - 1;
    add_state_buffer(b, BUILDER_STATE_PARAMETERS, index);
    if (tensor->trainable)
        add_state_buffer(b, BUILDER_STATE_GRADIENTS, index);
    return index;
}

Ref builder_statistic(Builder *b, const char *name, const Tensor *tensor, int index)
{
    if (index < 0) {
        if (b->statistics < 0) {
            State state = {
                .name = name, .kind = STATE_STATISTICS, .per_parameter = true, .dtype = tensor->dtype, .span = b->span};
            vec_push(b->ctx->arena, &b->decls->states, state);
            b->statistics = b->decls->states.count - 1;
        }
        vec_push(b->ctx->arena, &b->decls->tensors, *tensor);
        index = b->decls->tensors.count - 1;
        add_state_buffer(b, b->statistics, index);
    }
    return builder_state_ref(b, b->statistics, index);
}

int builder_add_input(Builder *b, const Tensor *tensor)
{
    vec_push(b->ctx->arena, &b->decls->tensors, *tensor);
    return b->decls->tensors.count - 1;
}

int builder_add_state(Builder *b, const State *state, int update_rules)
{
    vec_push(b->ctx->arena, &b->decls->states, *state);
    int index = b->decls->states.count - 1;
    if (!state->per_parameter)
        add_state_buffer(b, index, -1);
    for (int i = 0; state->per_parameter && i < b->decls->tensors.count; i++)
        if (b->decls->tensors.data[i].kind == TENSOR_PARAMETER && b->decls->tensors.data[i].trainable &&
            (update_rules < 0 || (b->decls->tensors.data[i].update_rule & update_rules) != 0))
            add_state_buffer(b, index, i);
    return index;
}

int builder_find_state(const Builder *b, const char *name)
{
    for (int i = 0; i < b->decls->states.count; i++)
        if (strcmp(b->decls->states.data[i].name, name) == 0)
            return i;
    return -1;
}

int builder_known_state(const Builder *b, const char *name)
{
    int state = builder_find_state(b, name);
    if (state < 0)
        BUG("no state '%s'", name);
    return state;
}

bool builder_has_state(const Builder *b, int state, int tensor)
{
    for (int i = 0; i < b->program->buffers.count; i++)
        if (b->program->buffers.data[i].state == state && b->program->buffers.data[i].tensor == tensor)
            return true;
    return false;
}

Ref builder_state_ref(const Builder *b, int state, int tensor)
{
    for (int i = 0; i < b->program->buffers.count; i++) {
        const Buffer *buffer = &b->program->buffers.data[i];
        if (buffer->state != state || buffer->tensor != tensor)
            continue;
        Ref ref = ref_of(i);
        if (tensor >= 0 && b->decls->tensors.data[tensor].group >= 0)
            ref.slot = affine_loop(b->loop->loop.id, 1, 0);
        return ref;
    }
    BUG("no buffer for state %d of tensor %d", state, tensor);
}

DType builder_statistics_dtype(const Decls *decls)
{
    return decls->compute_dtype == DTYPE_BF16 ? DTYPE_F32 : decls->compute_dtype;
}

/* ---- Temporaries and operators ------------------------------------------------------------------------------ */

Ref builder_temporary(Builder *b, const char *name, DType dtype, int dim_count, const int64_t *dims)
{
    bool per_layer = b->loop != NULL && b->keep;
    Buffer buffer = {.name = arena_printf(b->ctx->arena, "%s%s", b->prefix, name),
                     .dtype = dtype,
                     .category = b->category,
                     .state = -1,
                     .tensor = -1,
                     .slots = per_layer ? b->decls->groups.data[b->loop->loop.group].layers : 1};
    Ref ref = ref_of(add_buffer(b, buffer, dim_count, dims));
    if (per_layer)
        ref.slot = affine_loop(b->loop->loop.id, 1, 0);
    return ref;
}

Ref builder_scalar(Builder *b, const char *name)
{
    return builder_temporary(b, name, builder_statistics_dtype(b->decls), 0, NULL);
}

Ref builder_like(Builder *b, const char *name, Ref ref)
{
    const Buffer *like = &b->program->buffers.data[ref.buffer];
    int64_t dims[STEP_MAX_DIMS];
    for (int i = 0; i < like->dim_count; i++)
        dims[i] = like->dims[i].size;
    return builder_temporary(b, name, like->dtype, like->dim_count, dims);
}

static void append(Builder *b, Node *node)
{
    NodeList *body = b->loop ? &b->loop->body : &b->program->routines.data[b->routine].body;
    vec_push(b->ctx->arena, body, node);
}

Op *builder_op_with(Builder *b, OpKind kind, const char *spec, Ref out, const Ref *operands, const double *immediates)
{
    Op *op = arena_make(b->ctx->arena, Op);
    *op = op_blank(kind, out, b->span);
    op->spec = spec;
    op->operand_count = op_info[kind].operands;
    for (int i = 0; i < op->operand_count; i++)
        op->operand[i] = operands[i];
    for (const char *p = op_info[kind].immediates; *p; p++)
        op->immediate_count += p[0] != ' ' && (p[1] == ' ' || p[1] == '\0');
    for (int i = 0; i < op->immediate_count; i++)
        op->immediate[i] = immediates[i];
    op->origin = b->origin;
    op->id = b->program->op_count++;
    Node *node = arena_make(b->ctx->arena, Node);
    node->kind = NODE_OP;
    node->op = op;
    node->span = b->span;
    append(b, node);
    return op;
}

Op *builder_op(Builder *b, OpKind kind, const char *spec, Ref out, const Ref *operands)
{
    return builder_op_with(b, kind, spec, out, operands, NULL);
}

const char *builder_letters(const Builder *b, Ref ref)
{
    return index_letters(b->program->buffers.data[ref.buffer].dim_count);
}

Op *builder_fill(Builder *b, Ref out, double value)
{
    return builder_op_with(b, OP_FILL, builder_letters(b, out), out, NULL, &value);
}

const char *builder_elementwise_spec(Builder *b, Ref ref, int operands, unsigned scalars)
{
    Text text = {.arena = b->ctx->arena};
    const char *letters = builder_letters(b, ref);
    for (int i = 0; i < operands; i++)
        text_add(&text, "%s%s", i > 0 ? "," : "", scalars >> i & 1 ? "" : letters);
    text_add(&text, "->%s", letters);
    return text.data;
}

/* ---- Loops -------------------------------------------------------------------------------------------------- */

Node *builder_loop(Builder *b, int group, bool down)
{
    if (b->loop != NULL)
        BUG("a layer loop inside a layer loop");
    Node *node = arena_make(b->ctx->arena, Node);
    int64_t last = b->decls->groups.data[group].layers - 1;
    node->kind = NODE_LOOP;
    node->loop.id = b->program->loop_count++;
    node->loop.kind = LOOP_LAYERS;
    node->loop.group = group;
    node->loop.first = affine_constant(down ? last : 0);
    node->loop.last = affine_constant(down ? 0 : last);
    node->loop.step = down ? -1 : 1;
    node->span = b->span;
    b->loop = node;
    return node;
}

void builder_end(Builder *b)
{
    Node *node = b->loop;
    b->loop = NULL;
    append(b, node);
}

Node *builder_leave_loop(Builder *b)
{
    Node *loop = b->loop;
    b->loop = NULL;
    return loop;
}

void builder_return(Builder *b, Node *loop)
{
    b->loop = loop;
}

void builder_rename(Node *loop, int temporary, Ref to)
{
    for (int i = 0; i < loop->body.count; i++) {
        Op *op = loop->body.data[i]->op;
        if (op->out.buffer == temporary && op->kind != OP_OUTPUT)
            op->out = to;
        for (int j = 0; j < op->operand_count; j++)
            if (op->operand[j].buffer == temporary)
                op->operand[j] = to;
    }
}

/* In this group, is the tensor a parameter that is trained (or frozen, as given), or a statistic? */
static bool is_one_of(const Decls *decls, int tensor, TensorKind kind, bool trained, int group)
{
    const Tensor *t = &decls->tensors.data[tensor];
    return t->kind == kind && (t->trainable == trained || kind == TENSOR_STATISTIC) && t->group == group;
}

static bool group_has_one(const Decls *decls, TensorKind kind, bool trained, int group)
{
    for (int i = 0; i < decls->tensors.count; i++)
        if (is_one_of(decls, i, kind, trained, group))
            return true;
    return false;
}

static void each_tensor(Builder *b, TensorKind kind, bool trained, TensorEmitter *emit, void *data)
{
    for (int group = -1; group < b->decls->groups.count; group++) {
        if (!group_has_one(b->decls, kind, trained, group))
            continue;
        if (group >= 0)
            builder_loop(b, group, false);
        for (int i = 0; i < b->decls->tensors.count; i++)
            if (is_one_of(b->decls, i, kind, trained, group))
                emit(b, i, data);
        if (group >= 0)
            builder_end(b);
    }
}

void builder_each_parameter(Builder *b, TensorEmitter *emit, void *data)
{
    each_tensor(b, TENSOR_PARAMETER, true, emit, data);
}

void builder_add_squares(Builder *b, int tensor, void *data)
{
    Ref gradient = builder_state_ref(b, BUILDER_STATE_GRADIENTS, tensor);
    builder_op(b, OP_SUM_SQUARES, arena_printf(b->ctx->arena, "%s->", builder_letters(b, gradient)), *(Ref *)data,
               &gradient)
        ->accumulate = true;
}

void builder_multiply_gradient(Builder *b, int tensor, void *data)
{
    Ref gradient = builder_state_ref(b, BUILDER_STATE_GRADIENTS, tensor);
    builder_op(b, OP_MUL, builder_elementwise_spec(b, gradient, 2, 1 << 1), gradient, (Ref[]){gradient, *(Ref *)data});
}

void builder_each_frozen(Builder *b, TensorEmitter *emit, void *data)
{
    each_tensor(b, TENSOR_PARAMETER, false, emit, data);
}

void builder_each_statistic(Builder *b, TensorEmitter *emit, void *data)
{
    each_tensor(b, TENSOR_STATISTIC, false, emit, data);
}

/* ---- Fused dims --------------------------------------------------------------------------------------------- */

static bool take_segments(const Segments **to, const Segments *from)
{
    if (*to != NULL || from == NULL)
        return false;
    *to = from;
    return true;
}

/* Between a parameter and the buffers of its states. */
static bool flow_tensor(Decls *decls, Buffer *buffer)
{
    bool changed = false;
    Tensor *tensor = &decls->tensors.data[buffer->tensor];
    int first, count = each_dims(decls->states.data[buffer->state].each, tensor->dim_count, &first);
    for (int d = 0; d < count; d++)
        changed |= take_segments(&buffer->dims[d].segments, tensor->segments[first + d]) ||
                   take_segments(&tensor->segments[first + d], buffer->dims[d].segments);
    return changed;
}

/* Between dims of an operator's arrays that have the same letter. */
static bool flow_spec(Builder *b, const Op *op)
{
    const Segments *known[256] = {NULL};
    bool changed = false;
    Spec spec = spec_of(op);
    for (int turn = 0; turn < 2; turn++)
        for (int array = 0; array <= op->operand_count; array++) {
            bool result = array == op->operand_count;
            SpecLetters letters = result ? spec.result : spec.operand[array];
            Dim *dims = b->program->buffers.data[(result ? op->out : op->operand[array]).buffer].dims;
            for (int d = 0; d < letters.count; d++) {
                const Segments **of_letter = &known[(unsigned char)letters.at[d]];
                if (turn == 0)
                    take_segments(of_letter, dims[d].segments);
                else
                    changed |= take_segments(&dims[d].segments, *of_letter);
            }
        }
    return changed;
}

static bool flow_nodes(Builder *b, const NodeList *body)
{
    bool changed = false;
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        changed |= node->kind == NODE_OP ? flow_spec(b, node->op) : flow_nodes(b, &node->body);
    }
    return changed;
}

void builder_flow_segments(Builder *b)
{
    bool any = false;
    for (int i = 0; i < b->decls->tensors.count; i++)
        for (int d = 0; d < b->decls->tensors.data[i].dim_count; d++)
            any |= b->decls->tensors.data[i].segments[d] != NULL;
    for (bool changed = any; changed;) {
        changed = false;
        for (int i = 0; i < b->program->buffers.count; i++)
            if (b->program->buffers.data[i].tensor >= 0 && b->program->buffers.data[i].state >= 0)
                changed |= flow_tensor(b->decls, &b->program->buffers.data[i]);
        for (int i = 0; i < b->program->routines.count; i++)
            changed |= flow_nodes(b, &b->program->routines.data[i].body);
    }
}

/* ---- Clean-up ----------------------------------------------------------------------------------------------- */

typedef struct Liveness {
    const Program *program;
    bool *buffer_is_read; /* by an operator that matters: one that outputs, writes a state, or whose result is read */
    bool changed;
} Liveness;

static bool op_matters(const Liveness *live, const Op *op)
{
    return op->kind == OP_OUTPUT || live->program->buffers.data[op->out.buffer].state >= 0 ||
           live->buffer_is_read[op->out.buffer];
}

static void mark_read(Liveness *live, const NodeList *body)
{
    for (int i = body->count - 1; i >= 0; i--) {
        const Node *node = body->data[i];
        if (node->kind == NODE_LOOP)
            mark_read(live, &node->body);
        if (node->kind != NODE_OP || !op_matters(live, node->op))
            continue;
        for (int j = 0; j < node->op->operand_count; j++) {
            bool *is_read = &live->buffer_is_read[node->op->operand[j].buffer];
            live->changed |= !*is_read;
            *is_read = true;
        }
    }
}

static void drop_dead(const Liveness *live, NodeList *body)
{
    int kept = 0;
    for (int i = 0; i < body->count; i++) {
        Node *node = body->data[i];
        if (node->kind == NODE_LOOP)
            drop_dead(live, &node->body);
        if (node->kind == NODE_LOOP ? node->body.count > 0 : op_matters(live, node->op))
            body->data[kept++] = node;
    }
    body->count = kept;
}

static void mark_used(bool *used, const NodeList *body)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        mark_used(used, &node->body);
        if (node->kind != NODE_OP)
            continue;
        if (node->op->kind != OP_OUTPUT)
            used[node->op->out.buffer] = true;
        for (int j = 0; j < node->op->operand_count; j++)
            used[node->op->operand[j].buffer] = true;
    }
}

static void renumber(const int *number, const NodeList *body)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        renumber(number, &node->body);
        if (node->kind != NODE_OP)
            continue;
        Op *op = node->op;
        if (op->kind != OP_OUTPUT)
            op->out.buffer = number[op->out.buffer];
        for (int j = 0; j < op->operand_count; j++)
            op->operand[j].buffer = number[op->operand[j].buffer];
    }
}

static void drop_unused_buffers(Builder *b)
{
    Program *program = b->program;
    bool *used = arena_array(b->ctx->arena, bool, program->buffers.count + 1);
    int *number = arena_array(b->ctx->arena, int, program->buffers.count + 1);
    int kept = 0;
    for (int i = 0; i < program->routines.count; i++)
        mark_used(used, &program->routines.data[i].body);
    for (int i = 0; i < program->buffers.count; i++) {
        number[i] = kept;
        if (used[i] || program->buffers.data[i].state >= 0)
            program->buffers.data[kept++] = program->buffers.data[i];
    }
    program->buffers.count = kept;
    for (int i = 0; i < program->routines.count; i++)
        renumber(number, &program->routines.data[i].body);
}

void builder_finish(Builder *b)
{
    Liveness live = {b->program, arena_array(b->ctx->arena, bool, b->program->buffers.count + 1), true};
    while (live.changed) {
        live.changed = false;
        for (int i = 0; i < b->program->routines.count; i++)
            mark_read(&live, &b->program->routines.data[i].body);
    }
    for (int i = 0; i < b->program->routines.count; i++)
        drop_dead(&live, &b->program->routines.data[i].body);
    drop_unused_buffers(b);
}

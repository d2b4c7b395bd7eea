/* form.c - rules of the text form that are about several lines, or several words of one. */
#include "tests/sim/form.h"

#include <string.h>

/* Whether one of the array, of elements that begin with their name, has the name of an earlier one. */
static bool repeats_a_name(const void *array, int count, size_t size)
{
    const char *const bytes = array;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            if (!strcmp(*(const char *const *)(bytes + (size_t)i * size),
                        *(const char *const *)(bytes + (size_t)j * size)))
                return true;
    return false;
}

#define REPEATS(array, count) repeats_a_name((array), (count), sizeof(array)[0])

/* Units of rows, columns and tensors are nobody's declarations. */
static bool repeats_a_unit(const SimFile *file)
{
    for (int u = 0; u < file->unit_count; u++)
        for (int v = 0; v < u; v++)
            if (file->units[u].base == u && file->units[v].base == v &&
                !strcmp(file->units[u].name, file->units[v].name))
                return true;
    return false;
}

static const char *bad_declarations(const SimFile *file)
{
    if (REPEATS(file->axes, file->axis_count) || REPEATS(file->tables, file->table_count) ||
        REPEATS(file->groups, file->group_count) || REPEATS(file->tensors, file->tensor_count) ||
        REPEATS(file->states, file->state_count) || repeats_a_unit(file))
        return "a name is declared twice";
    for (int s = 0; s < file->state_count; s++) {
        const SimState *state = &file->states[s];
        bool numbers_of_elements = state->per_parameter && state->each == SIM_EACH_ELEMENT;
        if (state->from_parameters && !(numbers_of_elements && state->kind == SIM_STATE_OPTIMIZER))
            return "a state that starts from the parameters is the optimizer's, a number of each element";
    }
    return NULL;
}

/* ---- Layouts ------------------------------------------------------------------------------------------------ */

static bool is_cut_by_microbatches(const SimDim *dim)
{
    for (int c = 0; c < dim->cut_count; c++)
        if (dim->cuts[c] == SIM_CUT_MICRO)
            return true;
    return false;
}

static const char *bad_dims(const SimDim *dims, int count)
{
    int padded = 0;
    for (int d = 0; d < count; d++) {
        const SimDim *dim = &dims[d];
        bool by_axes = dim->cut_count > 0 && !is_cut_by_microbatches(dim);
        if (dim->has_halo && !(by_axes && dim->cut_count == 1))
            return "a halo is of a dim that one axis cuts";
        if (dim->segment_count && (!by_axes || dim->before + dim->after > 0))
            return "segments are of a dim that axes cut, without a halo";
        padded += dim->padded;
        if (dim->padded && (!by_axes || dim->segment_count || dim->has_halo || padded > 1))
            return "one dim is padded, which axes cut, without segments and halo";
    }
    return NULL;
}

static const char *bad_members(const SimFile *file)
{
    const char *bad = NULL;
    for (int u = 0; u < file->unit_count; u++)
        for (int m = 0; file->units[u].base == u && m < file->units[u].member_count && !bad; m++)
            bad = bad_dims(&file->units[u].dims[m * SIM_MAX_DIMS], file->units[u].dim_counts[m]);
    return bad;
}

/* The dims of a tensor, one number of the state each. */
static bool has_dims_of(const SimBuffer *buffer, const SimState *state, const SimTensor *tensor)
{
    int first = 0, count = tensor->dim_count;
    switch (state->each) {
    case SIM_EACH_ELEMENT:
        break;
    case SIM_EACH_ROW:
        count = count > 0 ? count - 1 : 0;
        break;
    case SIM_EACH_COLUMN:
        first = count > 0 ? count - 1 : 0;
        count -= first;
        break;
    case SIM_EACH_TENSOR:
        count = 0;
        break;
    }
    bool same = buffer->dim_count == count;
    for (int d = 0; same && d < count; d++)
        same = buffer->dims[d].size == tensor->dims[first + d];
    return same;
}

static const char *bad_persistent(const SimFile *file, const SimBuffer *buffer)
{
    if (buffer->state < 0)
        return "a persistent buffer is a state's";
    const SimState *state = &file->states[buffer->state];
    bool fits;
    if (buffer->unit >= 0)
        fits = state->per_parameter && state->each == file->units[buffer->unit].each;
    else if (state->per_parameter)
        fits = buffer->tensor >= 0 && has_dims_of(buffer, state, &file->tensors[buffer->tensor]);
    else
        fits = buffer->tensor < 0 && buffer->dim_count == 0 && buffer->slots == 1;
    if (!fits)
        return "a persistent buffer has the shape of its state";
    if (buffer->is_integer != state->is_integer || buffer->element_bytes != state->element_bytes)
        return "a persistent buffer has the dtype of its state";
    return NULL;
}

static const char *bad_buffers(const SimFile *file, const SimProgram *program)
{
    if (REPEATS(program->buffers, program->buffer_count))
        return "a buffer is declared twice";
    if (REPEATS(program->routines, program->routine_count))
        return "a routine is declared twice";
    for (int b = 0; b < program->buffer_count; b++) {
        const SimBuffer *buffer = &program->buffers[b];
        const char *bad = bad_dims(buffer->dims, buffer->dim_count);
        if (!bad && buffer->tensor >= 0) {
            const SimTensor *tensor = &file->tensors[buffer->tensor];
            bool of_statistic = file->states[buffer->state].kind == SIM_STATE_STATISTICS;
            if (buffer->unit >= 0 || tensor->is_input || tensor->is_statistic != of_statistic)
                bad = "a dense buffer is the state of one parameter or statistic";
        }
        if (!bad && buffer->persistent)
            bad = bad_persistent(file, buffer);
        else if (!bad && buffer->tensor >= 0 &&
                 !has_dims_of(buffer, &file->states[buffer->state], &file->tensors[buffer->tensor]))
            bad = "a buffer has the dims of what it is a state of";
        if (bad)
            return bad;
    }
    return NULL;
}

/* ---- Operators ---------------------------------------------------------------------------------------------- */

/* Whether it may be this parameter's: a member, what rests a state of it, or anybody's. */
static bool may_be_of(const SimFile *file, const SimProgram *program, const SimRef *ref, int tensor)
{
    const SimBuffer *buffer = &program->buffers[ref->buffer];
    if (buffer->unit < 0 || ref->member >= 0) {
        int whose = ref->member >= 0 ? ref->member : buffer->tensor;
        return whose < 0 || whose == tensor;
    }
    const SimUnit *unit = &file->units[buffer->unit];
    for (int m = 0; m < unit->member_count; m++)
        if (unit->members[m] == tensor)
            return true;
    return false;
}

/* What has no batch, or one of another size than training's, is read in one piece. */
static bool reads_a_piece_of_a_whole(const SimFile *file, const SimProgram *program, const SimOp *op)
{
    const SimTensor *tensor = &file->tensors[op->tensor];
    const SimBuffer *out = &program->buffers[op->out.buffer];
    int batch = tensor->batch_dim;
    bool in_pieces = batch >= 0 && batch < out->dim_count && out->dims[batch].size == tensor->dims[batch];
    return !in_pieces && (op->index.term_count > 0 || op->index.constant != 0);
}

static const char *bad_communicators(const SimProgram *program)
{
    if (REPEATS(program->communicators, program->communicator_count))
        return "a communicator is declared twice";
    for (int c = 0; c < program->communicator_count; c++) {
        const SimCommunicator *communicator = &program->communicators[c];
        for (int a = 0; a < communicator->axis_count; a++)
            for (int b = 0; b < a; b++)
                if (communicator->axes[a] == communicator->axes[b])
                    return "a communicator is over an axis twice";
        if (communicator->edges && communicator->axis_count != 1)
            return "edges are along one axis";
    }
    return NULL;
}

/* Either all name theirs, or none is declared. */
static const char *bad_connection(const SimProgram *program, const SimOp *op)
{
    bool communicates = op->of->exchange || op->of->sends;
    if (!communicates || program->communicator_count == 0)
        return op->communicator < 0 ? NULL : "a communicator belongs to communication";
    if (op->communicator < 0)
        return "a communicator is declared and not named";
    const SimCommunicator *communicator = &program->communicators[op->communicator];
    unsigned own = 0, its = 0;
    for (int a = 0; a < op->axis_count; a++)
        own |= 1u << op->axes[a];
    for (int a = 0; a < communicator->axis_count; a++)
        its |= 1u << communicator->axes[a];
    if (own != its)
        return "a communicator is over the operator's axes";
    return communicator->edges && !op->of->sends && !op->of->receives ? "edges are for messages" : NULL;
}

static const char *bad_op(const SimFile *file, const SimProgram *program, const SimOp *op)
{
    const char *bad = bad_connection(program, op);
    if (bad)
        return bad;
    if (!strcmp(op->of->name, "read") && op->tensor >= 0 && reads_a_piece_of_a_whole(file, program, op))
        return "what is read in one piece has index 0";
    bool values = !strcmp(op->of->name, "read") || !strcmp(op->of->name, "init"); /* it says what the result is */
    if (op->tensor < 0 || values)
        return NULL;
    bool own = !op->has_out || may_be_of(file, program, &op->out, op->tensor);
    for (int i = 0; i < op->operand_count; i++)
        own = own && may_be_of(file, program, &op->operands[i], op->tensor);
    return own ? NULL : "a number of a parameter is computed from what is not its own";
}

static const char *bad_nodes(const SimFile *file, const SimProgram *program, const SimNode *node)
{
    const char *bad = node->op ? bad_op(file, program, node->op) : NULL;
    for (int i = 0; i < node->count && !bad; i++)
        bad = bad_nodes(file, program, node->body[i]);
    return bad;
}

static const char *bad_program(const SimFile *file, const SimProgram *program)
{
    const char *bad = bad_communicators(program);
    if (!bad)
        bad = bad_buffers(file, program);
    for (int r = 0; r < program->routine_count && !bad; r++)
        bad = bad_nodes(file, program, program->routines[r].root);
    return bad;
}

const char *sim_bad_form(const SimFile *file)
{
    const char *bad = bad_declarations(file);
    if (!bad)
        bad = bad_members(file);
    if (!bad)
        bad = bad_program(file, &file->reference);
    return bad ? bad : bad_program(file, &file->program);
}

/* step_text.c - a recursive-descent reader without tokens: a cursor over the text. */
#include "tests/sim/step_text.h"

#include <ctype.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Reader {
    SimPool *pool;
    const char *at;
    int line;
    SimFile *file;
    SimProgram *program;
    int loops[SIM_MAX_LOOPS]; /* ids of the loops we are in */
    int loop_depth;
    char *message;
    size_t message_size;
    jmp_buf failed;
} Reader;

int64_t sim_tensor_elements(const SimTensor *tensor)
{
    int64_t elements = 1;
    for (int d = 0; d < tensor->dim_count; d++)
        elements *= tensor->dims[d];
    return elements;
}

const SimRoutine *sim_routine(const SimProgram *program, const char *name)
{
    for (int r = 0; r < program->routine_count; r++)
        if (!strcmp(program->routines[r].name, name))
            return &program->routines[r];
    return NULL;
}

/* ---- Characters and words ----------------------------------------------------------------------------------- */

_Noreturn static void fail(Reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));

_Noreturn static void fail(Reader *reader, const char *format, ...)
{
    int used = snprintf(reader->message, reader->message_size, "line %d: ", reader->line);
    va_list args;
    va_start(args, format);
    if (used > 0 && (size_t)used < reader->message_size)
        vsnprintf(reader->message + used, reader->message_size - (size_t)used, format, args);
    va_end(args);
    longjmp(reader->failed, 1);
}

/* Blanks and a comment, within the line. */
static void skip_blanks(Reader *reader)
{
    while (*reader->at == ' ' || *reader->at == '\t' || *reader->at == '\r')
        reader->at++;
    if (*reader->at == '#')
        while (*reader->at && *reader->at != '\n')
            reader->at++;
}

static void skip_lines(Reader *reader)
{
    skip_blanks(reader);
    while (*reader->at == '\n') {
        reader->at++;
        reader->line++;
        skip_blanks(reader);
    }
}

static void take_line_end(Reader *reader)
{
    skip_blanks(reader);
    if (*reader->at == '\0')
        return;
    if (*reader->at != '\n')
        fail(reader, "unexpected text '%.12s'", reader->at);
    skip_lines(reader);
}

static bool try_char(Reader *reader, char wanted)
{
    skip_blanks(reader);
    if (*reader->at != wanted)
        return false;
    reader->at++;
    return true;
}

static void take_char(Reader *reader, char wanted)
{
    if (!try_char(reader, wanted))
        fail(reader, "expected '%c' before '%.12s'", wanted, reader->at);
}

static bool name_start(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

static bool name_rest(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '*' || c == '-';
}

static size_t name_length(const char *text)
{
    size_t length = 0;
    if (name_start(*text))
        while (name_rest(text[length]))
            length++;
    return length;
}

static bool try_word(Reader *reader, const char *word)
{
    skip_blanks(reader);
    size_t length = strlen(word);
    if (name_length(reader->at) != length || strncmp(reader->at, word, length) != 0)
        return false;
    reader->at += length;
    return true;
}

static void take_word(Reader *reader, const char *word)
{
    if (!try_word(reader, word))
        fail(reader, "expected '%s' before '%.12s'", word, reader->at);
}

static const char *take_name(Reader *reader)
{
    skip_blanks(reader);
    size_t length = name_length(reader->at);
    if (length == 0)
        fail(reader, "expected a name before '%.12s'", reader->at);
    char *name = sim_pool_text(reader->pool, reader->at, length);
    reader->at += length;
    return name;
}

static bool at_digit(Reader *reader)
{
    skip_blanks(reader);
    return isdigit((unsigned char)*reader->at);
}

static int64_t take_integer(Reader *reader)
{
    skip_blanks(reader);
    bool negative = try_char(reader, '-');
    if (!at_digit(reader))
        fail(reader, "expected a number before '%.12s'", reader->at);
    int64_t value = 0;
    while (isdigit((unsigned char)*reader->at)) {
        if (value > INT64_MAX / 16)
            fail(reader, "number too large");
        value = value * 10 + (*reader->at++ - '0');
    }
    return negative ? -value : value;
}

static double take_float(Reader *reader)
{
    skip_blanks(reader);
    char *end;
    double value = strtod(reader->at, &end);
    if (end == reader->at)
        fail(reader, "expected a number before '%.12s'", reader->at);
    reader->at = end;
    return value;
}

static const char *take_string(Reader *reader)
{
    take_char(reader, '"');
    const char *start = reader->at;
    while (*reader->at && *reader->at != '"' && *reader->at != '\n')
        reader->at++;
    if (*reader->at != '"')
        fail(reader, "a string is not closed");
    char *text = sim_pool_text(reader->pool, start, (size_t)(reader->at - start));
    reader->at++;
    return text;
}

/* ---- Names of things ---------------------------------------------------------------------------------------- */

#define FIND(reader, kind, items, count)                                                                               \
    do {                                                                                                               \
        const char *find_name = take_name(reader);                                                                     \
        for (int find_i = 0; find_i < (count); find_i++)                                                               \
            if (!strcmp((items)[find_i].name, find_name))                                                              \
                return find_i;                                                                                         \
        fail((reader), "unknown %s '%s'", (kind), find_name);                                                          \
    } while (0)

static int take_axis(Reader *reader)
{
    FIND(reader, "axis", reader->file->axes, reader->file->axis_count);
}

static int take_group(Reader *reader)
{
    FIND(reader, "group", reader->file->groups, reader->file->group_count);
}

static int take_tensor(Reader *reader)
{
    FIND(reader, "tensor", reader->file->tensors, reader->file->tensor_count);
}

static int take_state(Reader *reader)
{
    FIND(reader, "state", reader->file->states, reader->file->state_count);
}

static int take_unit(Reader *reader)
{
    FIND(reader, "unit", reader->file->units, reader->file->unit_count);
}

static int take_buffer(Reader *reader)
{
    FIND(reader, "buffer", reader->program->buffers, reader->program->buffer_count);
}

/* The name of a declared axis that the text at the cursor begins with, the longest if several do ("@data-1"). */
static int take_coordinate(Reader *reader)
{
    int best = -1;
    size_t best_length = 0;
    for (int a = 0; a < reader->file->axis_count; a++) {
        size_t length = strlen(reader->file->axes[a].name);
        if (length > best_length && !strncmp(reader->at, reader->file->axes[a].name, length)) {
            best = a;
            best_length = length;
        }
    }
    if (best < 0)
        fail(reader, "unknown axis at '%.12s'", reader->at);
    reader->at += best_length;
    return best;
}

/* Returns the bytes of an element. */
static int take_dtype(Reader *reader, bool *is_integer)
{
    *is_integer = try_word(reader, "i32");
    if (*is_integer || try_word(reader, "f32"))
        return 4;
    if (try_word(reader, "f64"))
        return 8;
    take_word(reader, "bf16");
    return 2;
}

/* ---- Declarations ------------------------------------------------------------------------------------------- */

static void read_axis(Reader *reader)
{
    SimFile *file = reader->file;
    if (file->axis_count == SIM_MAX_AXES)
        fail(reader, "too many axes");
    SimAxis *axis = &file->axes[file->axis_count];
    axis->name = take_name(reader);
    axis->size = take_integer(reader);
    if (axis->size < 1)
        fail(reader, "an axis needs at least one rank");
    file->axis_count++;
}

static void read_group(Reader *reader)
{
    SimFile *file = reader->file;
    file->groups = sim_pool_grow(reader->pool, file->groups, file->group_count, sizeof(SimGroup));
    SimGroup group = {.name = take_name(reader)};
    group.layers = take_integer(reader);
    file->groups[file->group_count++] = group;
}

static void read_tensor_init(Reader *reader, SimTensor *tensor)
{
    take_word(reader, "init");
    if (try_word(reader, "zeros"))
        tensor->init = SIM_INIT_ZEROS;
    else if (try_word(reader, "ones"))
        tensor->init = SIM_INIT_ONES;
    else if (try_word(reader, "normal"))
        tensor->init = SIM_INIT_NORMAL;
    else if (try_word(reader, "uniform"))
        tensor->init = SIM_INIT_UNIFORM;
    else
        fail(reader, "unknown initial values '%.12s'", reader->at);
    if (tensor->init == SIM_INIT_NORMAL || tensor->init == SIM_INIT_UNIFORM)
        tensor->init_scale = take_float(reader);
}

static void read_tensor(Reader *reader)
{
    SimFile *file = reader->file;
    SimTensor tensor = {.name = take_name(reader), .group = -1, .batch_dim = -1};
    tensor.is_input = try_word(reader, "input");
    if (!tensor.is_input)
        take_word(reader, "parameter");
    take_dtype(reader, &tensor.is_integer);
    take_char(reader, '[');
    while (at_digit(reader)) {
        if (tensor.dim_count == SIM_MAX_DIMS)
            fail(reader, "too many dims");
        tensor.dims[tensor.dim_count++] = take_integer(reader);
        if (!try_char(reader, ','))
            break;
    }
    take_char(reader, ']');
    if (try_word(reader, "in"))
        tensor.group = take_group(reader);
    if (tensor.is_input) {
        if (try_word(reader, "batch"))
            tensor.batch_dim = (int)take_integer(reader);
        if (tensor.batch_dim >= tensor.dim_count)
            fail(reader, "no such batch dim");
    } else {
        read_tensor_init(reader, &tensor);
        tensor.frozen = try_word(reader, "frozen");
    }
    file->tensors = sim_pool_grow(reader->pool, file->tensors, file->tensor_count, sizeof(SimTensor));
    file->tensors[file->tensor_count++] = tensor;
}

static void read_state(Reader *reader)
{
    SimFile *file = reader->file;
    SimState state = {.name = take_name(reader)};
    if (try_word(reader, "parameters"))
        state.kind = SIM_STATE_PARAMETERS;
    else if (try_word(reader, "gradients"))
        state.kind = SIM_STATE_GRADIENTS;
    else if (try_word(reader, "optimizer"))
        state.kind = SIM_STATE_OPTIMIZER;
    else
        fail(reader, "unknown kind of state '%.12s'", reader->at);
    state.per_parameter = try_word(reader, "per_parameter");
    if (!state.per_parameter)
        take_word(reader, "scalar");
    bool is_integer;
    take_dtype(reader, &is_integer);
    state.from_parameters = try_word(reader, "from_parameters");
    file->states = sim_pool_grow(reader->pool, file->states, file->state_count, sizeof(SimState));
    file->states[file->state_count++] = state;
}

static void take_range(Reader *reader)
{
    take_char(reader, '.');
    take_char(reader, '.');
}

static void read_unit(Reader *reader)
{
    SimFile *file = reader->file;
    SimUnit unit = {.name = take_name(reader), .group = -1};
    if (try_word(reader, "in")) {
        unit.group = take_group(reader);
        unit.first_layer = take_integer(reader);
        take_range(reader);
        unit.last_layer = take_integer(reader);
    }
    take_char(reader, '=');
    do {
        int member = take_tensor(reader);
        unit.members = sim_pool_grow(reader->pool, unit.members, unit.member_count, sizeof(int));
        unit.offsets = sim_pool_grow(reader->pool, unit.offsets, unit.member_count, sizeof(int64_t));
        unit.members[unit.member_count] = member;
        unit.offsets[unit.member_count] = unit.elements;
        unit.elements += sim_tensor_elements(&file->tensors[member]);
        unit.member_count++;
    } while (try_char(reader, ','));
    file->units = sim_pool_grow(reader->pool, file->units, file->unit_count, sizeof(SimUnit));
    file->units[file->unit_count++] = unit;
}

/* ---- Buffers ------------------------------------------------------------------------------------------------ */

static int take_cuts(Reader *reader, int *cuts)
{
    int count = 0;
    while (try_char(reader, '/')) {
        if (count == SIM_MAX_CUTS)
            fail(reader, "too many cuts");
        cuts[count++] = try_word(reader, "micro") ? SIM_CUT_MICRO : take_axis(reader);
    }
    return count;
}

static void read_layout(Reader *reader, SimBuffer *buffer)
{
    if (try_word(reader, "unit")) {
        buffer->unit = take_unit(reader);
        buffer->cut_count = take_cuts(reader, buffer->cuts);
        for (int c = 0; c < buffer->cut_count; c++)
            if (buffer->cuts[c] == SIM_CUT_MICRO)
                fail(reader, "microbatches do not cut a unit");
        return;
    }
    take_char(reader, '[');
    while (at_digit(reader)) {
        if (buffer->dim_count == SIM_MAX_DIMS)
            fail(reader, "too many dims");
        SimDim *dim = &buffer->dims[buffer->dim_count++];
        dim->size = take_integer(reader);
        dim->cut_count = take_cuts(reader, dim->cuts);
        if (!try_char(reader, ','))
            break;
    }
    take_char(reader, ']');
}

static void read_buffer(Reader *reader)
{
    static const char *const categories[] = {"parameters", "gradients", "optimizer", "activations", "buffers"};
    SimProgram *program = reader->program;
    SimBuffer buffer = {.name = take_name(reader), .unit = -1, .slots = 1, .state = -1, .tensor = -1, .offset = -1};
    buffer.element_bytes = take_dtype(reader, &buffer.is_integer);
    read_layout(reader, &buffer);
    if (try_word(reader, "slots"))
        buffer.slots = take_integer(reader);
    if (buffer.slots < 1 || buffer.slots > 1 << 20)
        fail(reader, "a buffer needs 1 or more slots");
    if (try_word(reader, "on"))
        buffer.tier = try_word(reader, "device") ? 0 : try_word(reader, "host") ? 1 : 2;
    if (buffer.tier == 2)
        take_word(reader, "file");
    int category = 0;
    while (category < 5 && !try_word(reader, categories[category]))
        category++;
    if (category == 5)
        fail(reader, "unknown category '%.12s'", reader->at);
    buffer.persistent = try_word(reader, "persistent");
    if (try_word(reader, "state")) {
        buffer.state = take_state(reader);
        if (try_word(reader, "of"))
            buffer.tensor = take_tensor(reader);
    }
    if (try_word(reader, "offset")) {
        buffer.offset = take_integer(reader);
        reader->program->is_placed = true;
        take_word(reader, "bytes");
        take_integer(reader);
    }
    program->buffers = sim_pool_grow(reader->pool, program->buffers, program->buffer_count, sizeof(SimBuffer));
    program->buffers[program->buffer_count++] = buffer;
}

/* ---- Nodes -------------------------------------------------------------------------------------------------- */

static void take_variable(Reader *reader, SimAffine *affine, int64_t coefficient)
{
    if (affine->term_count == SIM_MAX_TERMS)
        fail(reader, "too many terms");
    int t = affine->term_count++;
    affine->terms[t].coefficient = coefficient;
    if (try_char(reader, '@')) {
        affine->terms[t].is_axis = true;
        affine->terms[t].index = take_coordinate(reader);
        return;
    }
    take_char(reader, 'l');
    int loop = (int)take_integer(reader);
    for (int d = 0; d < reader->loop_depth; d++)
        if (reader->loops[d] == loop) {
            affine->terms[t].index = loop;
            return;
        }
    fail(reader, "l%d is no loop around this", loop);
}

static void take_term(Reader *reader, SimAffine *affine, int64_t sign)
{
    if (!at_digit(reader)) {
        take_variable(reader, affine, sign);
        return;
    }
    int64_t number = take_integer(reader);
    if (try_char(reader, '*'))
        take_variable(reader, affine, sign * number);
    else
        affine->constant += sign * number;
}

static SimAffine take_affine(Reader *reader)
{
    SimAffine affine = {0};
    int64_t sign = try_char(reader, '-') ? -1 : 1;
    take_term(reader, &affine, sign);
    for (;;) {
        if (try_char(reader, '+'))
            take_term(reader, &affine, 1);
        else if (try_char(reader, '-'))
            take_term(reader, &affine, -1);
        else
            break;
    }
    if (try_char(reader, '%')) {
        affine.modulus = take_integer(reader);
        if (affine.modulus < 1)
            fail(reader, "a modulus is at least 1");
    }
    return affine;
}

static SimRef take_ref(Reader *reader)
{
    SimRef ref = {.buffer = take_buffer(reader), .member = -1};
    if (try_char(reader, '[')) {
        ref.slot = take_affine(reader);
        take_char(reader, ']');
    }
    if (try_char(reader, ':'))
        ref.member = take_tensor(reader);
    return ref;
}

static void take_axes(Reader *reader, SimOp *op)
{
    do {
        if (op->axis_count == SIM_MAX_AXES)
            fail(reader, "too many axes");
        op->axes[op->axis_count++] = take_axis(reader);
    } while (try_char(reader, ','));
}

static void take_seed(Reader *reader, SimOp *op)
{
    op->seed = take_integer(reader);
    while (try_char(reader, '+')) {
        int64_t factor = take_integer(reader);
        take_char(reader, '*');
        take_char(reader, '@');
        op->seed_per_axis[take_coordinate(reader)] += factor;
    }
}

static bool try_attribute(Reader *reader, SimOp *op)
{
    skip_blanks(reader);
    if (*reader->at == '"') {
        op->spec = take_string(reader);
    } else if (try_word(reader, "scale")) {
        op->scale_numerator = take_integer(reader);
        take_char(reader, '/');
        op->scale_denominator = take_integer(reader);
        if (op->scale_denominator == 0)
            fail(reader, "division by zero");
        if (try_word(reader, "local"))
            op->local_letters = take_string(reader);
    } else if (try_word(reader, "sum") || try_word(reader, "max")) {
        op->reduce_max = reader->at[-1] == 'x';
        take_word(reader, "over");
        take_axes(reader, op);
    } else if (try_word(reader, "over")) {
        take_axes(reader, op);
    } else if (try_word(reader, "index")) {
        op->index = take_affine(reader);
    } else if (try_word(reader, "tensor")) {
        op->tensor = take_tensor(reader);
    } else if (try_word(reader, "seed")) {
        take_seed(reader, op);
    } else if (try_word(reader, "name")) {
        op->output_name = take_string(reader);
    } else if (try_word(reader, "event")) {
        op->event = (int)take_integer(reader);
        reader->program->has_events = true;
    } else if (try_word(reader, "stream")) {
        op->stream = (int)take_integer(reader);
    } else if (try_word(reader, "origin") || try_word(reader, "id")) {
        take_integer(reader);
    } else {
        return false;
    }
    return true;
}

static SimOpKind take_op_name(Reader *reader)
{
    const char *name = take_name(reader);
    for (int kind = 0; kind < SIM_OP_COUNT; kind++)
        if (!strcmp(sim_operators[kind].name, name))
            return (SimOpKind)kind;
    fail(reader, "unknown operator '%s'", name);
}

static void take_operands(Reader *reader, SimOp *op)
{
    take_char(reader, '(');
    skip_blanks(reader);
    while (name_start(*reader->at)) {
        if (op->operand_count == SIM_MAX_OPERANDS)
            fail(reader, "too many operands");
        op->operands[op->operand_count++] = take_ref(reader);
        if (!try_char(reader, ','))
            break;
        skip_blanks(reader);
    }
    if (try_char(reader, ';'))
        do {
            if (op->immediate_count == SIM_MAX_IMMEDIATES)
                fail(reader, "too many numbers");
            op->immediates[op->immediate_count++] = take_float(reader);
        } while (try_char(reader, ','));
    take_char(reader, ')');
}

/* "sink(" begins without a result. */
static bool at_sink(const Reader *reader)
{
    size_t length = name_length(reader->at);
    return length > 0 && reader->at[length] == '(';
}

static SimNode *read_op(Reader *reader, SimNode *node)
{
    SimOp *op = sim_new(reader->pool, SimOp);
    *op = (SimOp){.line = reader->line,
                  .spec = "",
                  .local_letters = "",
                  .scale_numerator = 1,
                  .scale_denominator = 1,
                  .tensor = -1,
                  .event = -1,
                  .output_name = ""};
    if (!at_sink(reader)) {
        op->has_out = true;
        op->out = take_ref(reader);
        op->accumulate = try_char(reader, '+');
        take_char(reader, '=');
    }
    op->kind = take_op_name(reader);
    take_operands(reader, op);
    if (op->has_out != sim_operators[op->kind].has_out || op->operand_count != sim_operators[op->kind].operands ||
        op->immediate_count != sim_operators[op->kind].immediates)
        fail(reader, "'%s' has other operands", sim_operators[op->kind].name);
    while (try_attribute(reader, op))
        ;
    node->op = op;
    return node;
}

static void read_body(Reader *reader, SimNode *parent);

static void read_loop(Reader *reader, SimNode *node)
{
    node->kind = SIM_NODE_LOOP;
    take_char(reader, 'l');
    node->loop = (int)take_integer(reader);
    if (node->loop >= SIM_MAX_LOOPS || reader->loop_depth == SIM_MAX_LOOPS)
        fail(reader, "too many loops");
    node->is_micro = try_word(reader, "micro");
    if (!node->is_micro) {
        take_word(reader, "layers");
        take_group(reader);
    }
    node->first = take_affine(reader);
    take_range(reader);
    node->last = take_affine(reader);
    node->down = try_word(reader, "down");
    reader->loops[reader->loop_depth++] = node->loop;
    read_body(reader, node);
    reader->loop_depth--;
}

static SimNode *read_node(Reader *reader)
{
    SimNode *node = sim_new(reader->pool, SimNode);
    node->line = reader->line;
    if (try_word(reader, "loop")) {
        read_loop(reader, node);
    } else if (try_word(reader, "guard")) {
        node->kind = SIM_NODE_GUARD;
        node->first = take_affine(reader);
        take_word(reader, "in");
        node->low = take_integer(reader);
        take_range(reader);
        node->high = take_integer(reader);
        read_body(reader, node);
    } else if (try_word(reader, "wait")) {
        node->kind = SIM_NODE_WAIT;
        node->event = (int)take_integer(reader);
        if (try_word(reader, "stream"))
            take_integer(reader);
    } else {
        return read_op(reader, node);
    }
    return node;
}

static void read_body(Reader *reader, SimNode *parent)
{
    take_char(reader, '{');
    take_line_end(reader);
    while (!try_char(reader, '}')) {
        SimNode *child = read_node(reader);
        parent->body = sim_pool_grow(reader->pool, parent->body, parent->count, sizeof(SimNode *));
        parent->body[parent->count++] = child;
        take_line_end(reader);
        if (!*reader->at)
            fail(reader, "a block is not closed");
    }
}

static void read_program(Reader *reader, SimProgram *program)
{
    reader->program = program;
    take_char(reader, '{');
    take_line_end(reader);
    while (!try_char(reader, '}')) {
        if (try_word(reader, "buffer")) {
            read_buffer(reader);
        } else {
            take_word(reader, "routine");
            SimRoutine routine = {.name = take_name(reader), .root = sim_new(reader->pool, SimNode)};
            read_body(reader, routine.root);
            program->routines =
                sim_pool_grow(reader->pool, program->routines, program->routine_count, sizeof(SimRoutine));
            program->routines[program->routine_count++] = routine;
        }
        take_line_end(reader);
    }
}

static bool try_declaration(Reader *reader)
{
    if (try_word(reader, "model")) {
        reader->file->name = take_name(reader);
    } else if (try_word(reader, "contract")) {
        const char *contract = take_name(reader);
        if (strcmp(contract, "exact") != 0)
            fail(reader, "contract '%s' cannot be simulated", contract);
    } else if (try_word(reader, "compute")) {
        bool is_integer;
        take_dtype(reader, &is_integer);
    } else if (try_word(reader, "micro")) {
        reader->file->micro = take_integer(reader);
        if (reader->file->micro < 1)
            fail(reader, "a step has at least one microbatch");
    } else if (try_word(reader, "axis")) {
        read_axis(reader);
    } else if (try_word(reader, "group")) {
        read_group(reader);
    } else if (try_word(reader, "tensor")) {
        read_tensor(reader);
    } else if (try_word(reader, "state")) {
        read_state(reader);
    } else if (try_word(reader, "unit")) {
        read_unit(reader);
    } else {
        return false;
    }
    take_line_end(reader);
    return true;
}

static void read_file(Reader *reader)
{
    skip_lines(reader);
    take_word(reader, "place-step");
    if (take_integer(reader) != 1)
        fail(reader, "only version 1 is known");
    take_line_end(reader);
    while (try_declaration(reader))
        ;
    take_word(reader, "reference");
    reader->file->reference.is_reference = true;
    read_program(reader, &reader->file->reference);
    take_line_end(reader);
    take_word(reader, "program");
    read_program(reader, &reader->file->program);
    take_line_end(reader);
    if (*reader->at)
        fail(reader, "text after the end");
}

SimFile *sim_read(SimPool *pool, const char *text, char *message, size_t message_size)
{
    Reader *reader = sim_new(pool, Reader);
    reader->pool = pool;
    reader->at = text;
    reader->line = 1;
    reader->file = sim_new(pool, SimFile);
    reader->file->micro = 1;
    reader->file->name = "";
    reader->message = message;
    reader->message_size = message_size;
    message[0] = '\0';
    if (setjmp(reader->failed))
        return NULL;
    read_file(reader);
    return reader->file;
}

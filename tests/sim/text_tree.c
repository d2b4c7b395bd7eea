/* text_tree.c - the routines: loops, guards, waits, operators. */
#include "tests/sim/text_reader.h"

#include <string.h>

/* ---- Nodes -------------------------------------------------------------------------------------------------- */

static void take_variable(TextReader *reader, SimAffine *affine, int64_t coefficient)
{
    if (affine->term_count == SIM_MAX_TERMS)
        text_fail(reader, "too many terms");
    int t = affine->term_count++;
    affine->terms[t].coefficient = coefficient;
    if (text_try_char(reader, '@')) {
        affine->terms[t].kind = SIM_OF_AXIS;
        affine->terms[t].index = text_take_coordinate(reader);
        return;
    }
    if (text_try_char(reader, '$')) {
        affine->terms[t].kind = SIM_OF_TABLE;
        affine->terms[t].index = text_take_table(reader);
        return;
    }
    text_take_char(reader, 'l');
    int loop = (int)text_take_integer(reader);
    for (int d = 0; d < reader->loop_depth; d++)
        if (reader->loops[d] == loop) {
            affine->terms[t].index = loop;
            return;
        }
    text_fail(reader, "l%d is no loop around this", loop);
}

static void take_term(TextReader *reader, SimAffine *affine, int64_t sign)
{
    if (!text_at_digit(reader)) {
        take_variable(reader, affine, sign);
        return;
    }
    int64_t number = text_take_integer(reader);
    if (text_try_char(reader, '*'))
        take_variable(reader, affine, sign * number);
    else
        affine->constant += sign * number;
}

SimAffine text_take_affine(TextReader *reader)
{
    SimAffine affine = {0};
    int64_t sign = text_try_char(reader, '-') ? -1 : 1;
    take_term(reader, &affine, sign);
    for (;;) {
        if (text_try_char(reader, '+'))
            take_term(reader, &affine, 1);
        else if (text_try_char(reader, '-'))
            take_term(reader, &affine, -1);
        else
            break;
    }
    if (text_try_char(reader, '%')) {
        affine.modulus = text_take_integer(reader);
        if (affine.modulus < 1)
            text_fail(reader, "a modulus is at least 1");
    }
    return affine;
}

static SimRef take_ref(TextReader *reader)
{
    SimRef ref = {.buffer = text_take_buffer(reader), .member = -1};
    if (text_try_char(reader, '[')) {
        ref.slot = text_take_affine(reader);
        text_take_char(reader, ']');
    }
    if (text_try_char(reader, ':'))
        ref.member = text_take_tensor(reader);
    return ref;
}

/* "3", or "3[l0+1 % 2]" */
static int take_event(TextReader *reader, SimAffine *slot)
{
    int event = (int)text_take_integer(reader);
    if (text_try_char(reader, '[')) {
        *slot = text_take_affine(reader);
        text_take_char(reader, ']');
        if (slot->modulus < 2)
            text_fail(reader, "the slots of an event have a number");
    }
    return event;
}

static void take_seed(TextReader *reader, SimOp *op)
{
    op->seed = text_take_integer(reader);
    while (text_try_char(reader, '+')) {
        int64_t factor = text_take_integer(reader);
        text_take_char(reader, '*');
        text_take_char(reader, '@');
        op->seed_per_axis[text_take_coordinate(reader)] += factor;
    }
}

static bool try_attribute(TextReader *reader, SimOp *op)
{
    text_skip_blanks(reader);
    if (*reader->at == '"') {
        op->spec = text_take_string(reader);
    } else if (text_try_word(reader, "scale")) {
        op->scale_numerator = text_take_integer(reader);
        text_take_char(reader, '/');
        op->scale_denominator = text_take_integer(reader);
        if (op->scale_denominator == 0)
            text_fail(reader, "division by zero");
        if (text_try_word(reader, "local"))
            op->local_letters = text_take_string(reader);
    } else if (text_try_word(reader, "sum") || text_try_word(reader, "max")) {
        op->reduce_max = reader->at[-1] == 'x';
        text_take_word(reader, "over");
        op->axis_count = text_take_axes(reader, op->axes);
    } else if (text_try_word(reader, "over")) {
        op->axis_count = text_take_axes(reader, op->axes);
    } else if (text_try_word(reader, "index")) {
        op->index = text_take_affine(reader);
    } else if (text_try_word(reader, "tensor")) {
        op->tensor = text_take_tensor(reader);
    } else if (text_try_word(reader, "seed")) {
        take_seed(reader, op);
    } else if (text_try_word(reader, "name")) {
        op->output_name = text_take_string(reader);
    } else if (text_try_word(reader, "event")) {
        op->event = take_event(reader, &op->event_slot);
        reader->program->has_events = true;
    } else if (text_try_word(reader, "stream")) {
        op->stream = (int)text_take_integer(reader);
    } else if (text_try_word(reader, "channel")) {
        op->channel = (int)text_take_integer(reader);
    } else if (text_try_word(reader, "communicator")) {
        op->communicator = text_take_communicator(reader);
    } else if (text_try_word(reader, "origin") || text_try_word(reader, "id")) {
        text_take_integer(reader);
    } else {
        return false;
    }
    return true;
}

static const SimOperator *take_operator(TextReader *reader)
{
    const char *name = text_take_name(reader);
    const SimOperator *found = sim_operator(name);
    if (!found)
        text_fail(reader, "unknown operator '%s'", name);
    return found;
}

static void take_operands(TextReader *reader, SimOp *op)
{
    text_take_char(reader, '(');
    text_skip_blanks(reader);
    while (text_name_start(*reader->at)) {
        if (op->operand_count == SIM_MAX_OPERANDS)
            text_fail(reader, "too many operands");
        op->operands[op->operand_count++] = take_ref(reader);
        if (!text_try_char(reader, ','))
            break;
        text_skip_blanks(reader);
    }
    if (text_try_char(reader, ';'))
        do {
            if (op->immediate_count == SIM_MAX_IMMEDIATES)
                text_fail(reader, "too many numbers");
            op->immediates[op->immediate_count++] = text_take_float(reader);
        } while (text_try_char(reader, ','));
    text_take_char(reader, ')');
}

/* "sink(" begins without a result. */
static bool at_sink(const TextReader *reader)
{
    size_t length = text_name_length(reader->at);
    return length > 0 && reader->at[length] == '(';
}

static SimNode *read_op(TextReader *reader, SimNode *node)
{
    SimOp *op = sim_new(reader->pool, SimOp);
    *op = (SimOp){.line = reader->line,
                  .spec = "",
                  .local_letters = "",
                  .scale_numerator = 1,
                  .scale_denominator = 1,
                  .tensor = -1,
                  .event = -1,
                  .communicator = -1,
                  .output_name = ""};
    if (!at_sink(reader)) {
        op->has_out = true;
        op->out = take_ref(reader);
        op->accumulate = text_try_char(reader, '+');
        text_take_char(reader, '=');
    }
    op->of = take_operator(reader);
    take_operands(reader, op);
    if (op->has_out == op->of->sink || op->operand_count != op->of->operands ||
        op->immediate_count != op->of->immediates)
        text_fail(reader, "'%s' has other operands", op->of->name);
    while (try_attribute(reader, op))
        ;
    node->op = op;
    return node;
}

static void read_loop(TextReader *reader, SimNode *node)
{
    node->kind = SIM_NODE_LOOP;
    text_take_char(reader, 'l');
    node->loop = (int)text_take_integer(reader);
    if (node->loop >= SIM_MAX_LOOPS || reader->loop_depth == SIM_MAX_LOOPS)
        text_fail(reader, "too many loops");
    node->is_micro = text_try_word(reader, "micro");
    if (!node->is_micro && !text_try_word(reader, "steps")) {
        text_take_word(reader, "layers");
        text_take_group(reader);
    }
    node->first = text_take_affine(reader);
    text_take_range(reader);
    node->last = text_take_affine(reader);
    node->down = text_try_word(reader, "down");
    reader->loops[reader->loop_depth++] = node->loop;
    text_read_body(reader, node);
    reader->loop_depth--;
}

static SimNode *read_node(TextReader *reader)
{
    SimNode *node = sim_new(reader->pool, SimNode);
    node->line = reader->line;
    if (text_try_word(reader, "loop")) {
        read_loop(reader, node);
    } else if (text_try_word(reader, "guard")) {
        node->kind = SIM_NODE_GUARD;
        node->first = text_take_affine(reader);
        text_take_word(reader, "in");
        node->low = text_take_integer(reader);
        text_take_range(reader);
        node->high = text_take_integer(reader);
        text_read_body(reader, node);
    } else if (text_try_word(reader, "wait")) {
        node->kind = SIM_NODE_WAIT;
        node->event = take_event(reader, &node->event_slot);
        if (text_try_word(reader, "stream"))
            text_take_integer(reader);
    } else {
        return read_op(reader, node);
    }
    return node;
}

void text_read_body(TextReader *reader, SimNode *parent)
{
    text_take_char(reader, '{');
    text_take_line_end(reader);
    while (!text_try_char(reader, '}')) {
        SimNode *child = read_node(reader);
        parent->body = sim_pool_grow(reader->pool, parent->body, parent->count, sizeof(SimNode *));
        parent->body[parent->count++] = child;
        text_take_line_end(reader);
        if (!*reader->at)
            text_fail(reader, "a block is not closed");
    }
}

/* copies.c - copies of values in other placements (copies.h). The operators of the step are taken in one row, in the
 * order of the text; what begins the backward pass is the first operator that comes from one of the forward pass, or
 * the loop that has it, with the conversions right before it.
 */
#include "tests/pins/copies.h"

#include "step/step.h"

#include <string.h>

enum { MOST = 4096 };

typedef struct Row {
    const Program *program;
    const Op *op[MOST];
    const Node *layers[MOST]; /* the loop around it, or NULL */
    int count;
    int backward; /* the first operator of the backward pass */
} Row;

static bool comes_from_forward(const Node *node)
{
    for (int i = 0; i < node->body.count; i++)
        if (comes_from_forward(node->body.data[i]))
            return true;
    return node->kind == NODE_OP && node->op->origin >= 0;
}

static bool is_conversion(const Op *op)
{
    return op_info[op->kind].op_class == CLASS_COMM || op_info[op->kind].op_class == CLASS_MOVE || op->kind == OP_FILL;
}

static void add_list(Row *row, const NodeList *list, const Node *layers)
{
    for (int i = 0; i < list->count; i++) {
        const Node *node = list->data[i];
        if (row->backward < 0 && comes_from_forward(node) &&
            !(node->kind == NODE_LOOP && node->loop.kind == LOOP_MICRO)) {
            row->backward = row->count;
            while (row->backward > 0 && is_conversion(row->op[row->backward - 1]))
                row->backward--;
        }
        if (node->kind == NODE_OP && row->count < MOST) {
            row->layers[row->count] = layers;
            row->op[row->count++] = node->op;
        }
        add_list(row, &node->body, node->kind == NODE_LOOP && node->loop.kind == LOOP_LAYERS ? node : layers);
    }
}

static Row row_of(const Program *program)
{
    Row row = {.program = program, .backward = -1};
    add_list(&row, &program_routine(program, ROUTINE_STEP)->body, NULL);
    if (row.count == MOST)
        BUG("a step of too many operators");
    return row;
}

/* Is it called like a copy of the value: "block.norm1.gathered", or in some layers "block.norm1.gathered.again"? */
static bool is_copy(const Program *program, int buffer, const char *name)
{
    static const char *const suffixes[] = {"sliced",    "spread", "gathered", "scattered",
                                           "exchanged", "summed", "wide",     "wider"};
    const char *called = program->buffers.data[buffer].name;
    size_t length = strlen(name);
    bool copy = false;
    if (strncmp(called, name, length) != 0 || called[length] != '.')
        return false;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        copy |= strncmp(called + length + 1, suffixes[i], strlen(suffixes[i])) == 0;
    return copy;
}

/* What is computed apart is added to the value as soon as it is converted. */
static bool is_apart(const Program *program, int buffer)
{
    const char *dot = strrchr(program->buffers.data[buffer].name, '.');
    return dot != NULL && strcmp(dot, ".part") == 0;
}

/* Does it make a copy of the value over the axis? */
static bool makes_copy(const Row *row, const Op *op, const char *name, int axis)
{
    return is_conversion(op) && op->kind != OP_FILL && axes_contain(op->axes, axis) && op->operand_count > 0 &&
           op->operand[0].buffer != op->out.buffer && !is_apart(row->program, op->operand[0].buffer) &&
           is_copy(row->program, op->out.buffer, name);
}

int copies_count(const Program *program, const char *name, int axis)
{
    const Row row = row_of(program);
    int count = 0;
    for (int i = 0; i < row.count; i++)
        count += makes_copy(&row, row.op[i], name, axis);
    return count;
}

static bool reads(const Op *op, int buffer)
{
    bool reads = false;
    for (int i = 0; i < op->operand_count; i++)
        reads |= op->operand[i].buffer == buffer;
    return reads && !is_conversion(op);
}

/* Each reader but the first of a buffer has a copy that was made since the one before it. */
static bool is_kept_for_use(const Row *row, int buffer)
{
    int readers = 1; /* since it was made */
    for (int i = 0; i < row->count; i++) {
        readers += reads(row->op[i], buffer);
        if (readers > 1)
            return false;
        if (op_has_result(row->op[i]->kind) && row->op[i]->out.buffer == buffer)
            readers = 0;
    }
    return true;
}

/* Readers of a pass read what was made in it. */
static bool is_kept_for_pass(const Row *row, int buffer)
{
    bool made = false;
    for (int i = 0; i < row->count; i++) {
        made &= i != row->backward;
        if (!made && reads(row->op[i], buffer))
            return false;
        made |= op_has_result(row->op[i]->kind) && row->op[i]->out.buffer == buffer;
    }
    return true;
}

/* What is made in the forward pass is not made in the backward pass. */
static bool is_kept_for_step(const Row *row, int buffer)
{
    bool forward = false, backward = false;
    for (int i = 0; i < row->count; i++)
        if (op_has_result(row->op[i]->kind) && row->op[i]->out.buffer == buffer)
            *(row->backward >= 0 && i >= row->backward ? &backward : &forward) = true;
    return !forward || !backward;
}

static bool is_kept(const Row *row, int buffer, CopyLife life)
{
    switch (life) {
    case COPY_USE:
        return is_kept_for_use(row, buffer);
    case COPY_PASS:
        return is_kept_for_pass(row, buffer);
    case COPY_STEP:
        return is_kept_for_step(row, buffer);
    }
    BUG("a copy that is kept until no moment");
}

bool copies_are_kept(const Program *program, const char *name, int axis, CopyLife life)
{
    const Row row = row_of(program);
    bool kept = true;
    for (int i = 0; i < row.count; i++)
        if (makes_copy(&row, row.op[i], name, axis))
            kept = kept && is_kept(&row, row.op[i]->out.buffer, life);
    return kept;
}

/* Does it compute the value, or a part of it, before any conversion? */
static bool writes(const Row *row, int index, const char *name)
{
    const Op *op = row->op[index];
    if (is_conversion(op) || !op_has_result(op->kind))
        return false;
    const char *called = row->program->buffers.data[op->out.buffer].name;
    size_t length = strlen(name);
    return strncmp(called, name, length) == 0 &&
           (called[length] == '\0' || strncmp(called + length, ".part", strlen(".part")) == 0);
}

/* Between its last writer, or the loop that has it, and the conversion are only others. */
static bool is_at_once(const Row *row, int index, const char *name)
{
    int writer = index - 1;
    while (writer >= 0 && !writes(row, writer, name))
        writer--;
    if (writer < row->backward && row->backward <= index)
        return true;
    bool once = writer >= 0;
    for (int i = writer + 1; i < index && once; i++)
        once = is_conversion(row->op[i]) ||
               (row->layers[i] == row->layers[writer] && row->layers[i] != row->layers[index]);
    return once;
}

bool copies_are_at_once(const Program *program, const char *name, int axis)
{
    const Row row = row_of(program);
    bool once = true;
    for (int i = 0; i < row.count; i++)
        if (makes_copy(&row, row.op[i], name, axis))
            once = once && is_at_once(&row, i, name);
    return once;
}

bool copies_travel(const Program *program, const char *name, int axis)
{
    const Row row = row_of(program);
    size_t length = strlen(name);
    bool travels = false;
    for (int i = 0; i < row.count; i++) {
        const Op *op = row.op[i];
        if (op->kind != OP_PERMUTE || !axes_contain(op->axes, axis))
            continue;
        const char *called = program->buffers.data[op->out.buffer].name;
        travels |= strncmp(called, name, length) == 0 &&
                   (called[length] == '\0' || strcmp(called + length, ".visiting") == 0 ||
                    strcmp(called + length, ".travelling") == 0 || strcmp(called + length, ".part") == 0);
    }
    return travels;
}

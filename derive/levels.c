/* levels.c - what does not depend on single examples, sorted by what it depends on.
 *
 * Even levels hold scalars (rate, clipping factor, outputs), odd levels the work on single parameters. What updates
 * compute from a parameter is in its unit: one number per element, row, column or tensor; or it is a matrix.
 */
#include "derive/facts.h"

#include <string.h>

static void list_flat(const Facts *f, const NodeList *list, const Node *loop, RoutineFacts *routine)
{
    for (int i = 0; i < list->count; i++) {
        const Node *node = list->data[i];
        if (node->kind != NODE_OP)
            list_flat(f, &node->body, node, routine);
        else if (f->ops[node->op->id].phase == PHASE_FLAT)
            vec_push(f->ctx->arena, &routine->flat, (FlatOp){node->op, loop});
    }
}

static RefBuffer *buffer_of(const Facts *f, Ref ref)
{
    return &f->finding->buffers[ref.buffer];
}

static bool has_result(const Op *op)
{
    return op_has_result(op->kind);
}

bool derive_sums_parameters(const Facts *f, const Op *op)
{
    return f->ops[op->id].tensor >= 0 && op_info[op->kind].op_class == CLASS_SUM &&
           f->buffers[op->out.buffer].role == ROLE_PLAIN;
}

/* ---- Levels ------------------------------------------------------------------------------------------------- */

static bool letters_equal(const Facts *f, const Op *op, int x, int y)
{
    const char *left, *right;
    int count = derive_spec_letters(f, op, x, &left);
    return derive_spec_letters(f, op, y, &right) == count && memcmp(left, right, (size_t)count) == 0;
}

/* What the result has one number for; false if it is neither elements nor rows, columns or tensors. */
static bool find_each(const Facts *f, const Op *op, int tensor, Each *each)
{
    const char *result, *letters;
    int length = derive_spec_letters(f, op, -1, &result), dims = f->decls->tensors.data[tensor].dim_count;
    for (int i = 0; i < op->operand_count; i++) {
        const RefBuffer *operand = buffer_of(f, op->operand[i]);
        *each = operand->each;
        if (operand->role != ROLE_PLAIN && letters_equal(f, op, i, -1))
            return true;
    }
    *each = EACH_TENSOR;
    for (int i = 0; i < op->operand_count && length > 0; i++) {
        if (buffer_of(f, op->operand[i])->role == ROLE_PLAIN || buffer_of(f, op->operand[i])->each != EACH_ELEMENT)
            continue;
        derive_spec_letters(f, op, i, &letters);
        for (*each = EACH_ROW; *each < EACH_TENSOR; ++*each) {
            int first, count = each_dims(*each, dims, &first);
            if (count == length && memcmp(letters + first, result, (size_t)count) == 0)
                return true;
        }
    }
    return length == 0;
}

static bool reads_matrix(const Facts *f, const Op *op)
{
    for (int i = 0; i < op->operand_count; i++)
        if (buffer_of(f, op->operand[i])->role == ROLE_MATRIX)
            return true;
    return false;
}

/* What an update computes from a parameter's buffers: numbers in its unit, or matrices. */
static void classify_temporary(const Facts *f, const Op *op, int tensor)
{
    RefBuffer *out = buffer_of(f, op->out);
    OpClass class = op_info[op->kind].op_class;
    if (class != CLASS_MAP && class != CLASS_CONTRACT && (class != CLASS_SUM || op->accumulate))
        return;
    bool matrix = class == CLASS_CONTRACT || reads_matrix(f, op) || !find_each(f, op, tensor, &out->each);
    out->role = matrix ? ROLE_MATRIX : ROLE_UPDATE;
    out->tensor = tensor;
}

/* The tensor of the parameter that the operator works on; -1 for scalars. */
static int find_tensor(const Facts *f, const Op *op)
{
    int tensor = op->kind == OP_FILL ? op->tensor : -1;
    for (int i = 0; i < op->operand_count; i++)
        if (buffer_of(f, op->operand[i])->role != ROLE_PLAIN)
            tensor = buffer_of(f, op->operand[i])->tensor;
    if (!has_result(op))
        return tensor;
    RefBuffer *out = buffer_of(f, op->out);
    if (out->role != ROLE_PLAIN)
        return out->tensor;
    if (op->kind == OP_FILL && tensor >= 0) {
        out->role = ROLE_UPDATE;
        out->each = EACH_TENSOR;
        out->tensor = tensor;
    } else if (tensor >= 0) {
        classify_temporary(f, op, tensor);
    }
    return tensor;
}

static int at_least(int level, int other)
{
    return level > other ? level : other;
}

/* Sorts the operators into levels. Per buffer: the level from which its value is available, the level from which its
 * sum is, and the last level that reads it. */
static void find_levels(const Facts *f, RoutineFacts *routine)
{
    int count = f->reference->buffers.count + 1;
    int *written = arena_array(f->ctx->arena, int, count);
    int *summed = arena_array(f->ctx->arena, int, count);
    int *read = arena_array(f->ctx->arena, int, count);
    for (int i = 0; i < routine->flat.count; i++) {
        const Op *op = routine->flat.data[i].op;
        RefOp *info = &f->finding->ops[op->id];
        info->tensor = find_tensor(f, op);
        int level = 0;
        for (int j = 0; j < op->operand_count; j++) {
            int b = op->operand[j].buffer;
            level = at_least(level, at_least(written[b], summed[b]));
        }
        bool sum = derive_sums_parameters(f, op);
        if (has_result(op))
            level = at_least(level, at_least(written[op->out.buffer], read[op->out.buffer]));
        if (has_result(op) && !sum)
            level = at_least(level, summed[op->out.buffer]);
        level += (level % 2 != 0) != (info->tensor >= 0);
        info->level = level;
        routine->level_count = at_least(routine->level_count, level + 1);
        for (int j = 0; j < op->operand_count; j++)
            read[op->operand[j].buffer] = at_least(read[op->operand[j].buffer], level);
        if (sum)
            summed[op->out.buffer] = level + 1;
        else if (has_result(op))
            written[op->out.buffer] = level;
    }
}

/* Finds the matrices that flat operators read; they must have the parameter's shape. */
static void find_matrices(const Facts *f, RoutineFacts *routine)
{
    for (int i = 0; i < routine->flat.count; i++) {
        const Op *op = routine->flat.data[i].op;
        if (!has_result(op) || buffer_of(f, op->out)->role == ROLE_MATRIX)
            continue;
        for (int j = 0; j < op->operand_count; j++) {
            RefBuffer *operand = buffer_of(f, op->operand[j]);
            if (operand->role != ROLE_MATRIX)
                continue;
            operand->in_unit = letters_equal(f, op, j, -1);
            operand->each = EACH_ELEMENT;
            if (!operand->in_unit) {
                diag_report(routine->unused, P0290, op->span,
                            "an update by a matrix of another shape is not supported yet");
                routine->failed = true;
            }
        }
    }
}

/* The temporaries of the update of a declared state belong to that state. */
static void find_updates(const Facts *f, RoutineFacts *routine)
{
    for (int i = routine->flat.count - 1; i >= 0; i--) {
        const Op *op = routine->flat.data[i].op;
        for (int j = 0; j < op->operand_count && has_result(op); j++) {
            RefBuffer *operand = buffer_of(f, op->operand[j]);
            if (operand->role == ROLE_UPDATE)
                operand->updates = buffer_of(f, op->out)->updates;
        }
    }
}

void derive_find_levels(const Facts *f, RoutineFacts *routine)
{
    list_flat(f, &routine->routine->body, NULL, routine);
    find_levels(f, routine);
    find_updates(f, routine);
    find_matrices(f, routine);
}

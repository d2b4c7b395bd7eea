/* shape.c - the dims of an operator's letters (codegen/shape.h). */
#include "codegen/shape.h"

#include "step/spec.h"

#include <string.h>

const Buffer *ref_buffer(const Program *program, const Ref *ref)
{
    return &program->buffers.data[ref->buffer];
}

bool ref_dims(const Program *program, const Ref *ref, int *count, Dim *dims)
{
    const Buffer *buffer = ref_buffer(program, ref);
    if (buffer->layout == LAYOUT_DENSE) {
        *count = buffer->dim_count;
        memcpy(dims, buffer->dims, sizeof buffer->dims);
        return true;
    }
    if (ref->member < 0)
        return false;
    const Tensor *tensor = &program->decls->tensors.data[ref->member];
    *count = tensor->dim_count;
    for (int i = 0; i < tensor->dim_count; i++)
        dims[i] = (Dim){.size = tensor->dims[i]};
    return true;
}

bool ref_is_scalar(const Program *program, const Ref *ref)
{
    const Buffer *buffer = ref_buffer(program, ref);
    return buffer->layout == LAYOUT_DENSE && buffer->dim_count == 0;
}

static Letters flat_letters(const Program *program, const Ref *ref)
{
    Letters letters = {0};
    if (!ref_is_scalar(program, ref))
        letters.letter[letters.count++] = LETTER_FLAT;
    return letters;
}

static Letters letters_of(const Op *op, SpecLetters from)
{
    Letters letters = {.count = from.count};
    if (from.count > STEP_MAX_DIMS)
        BUG("operator %d: too many letters in the spec '%s'", op->id, op->spec);
    for (int i = 0; i < from.count; i++)
        letters.letter[i] = from.at[i];
    return letters;
}

Shape shape_of_op(const Program *program, const Op *op)
{
    Shape shape = {0};
    bool has_out = op_has_result(op->kind);
    if (spec_is_empty(op)) {
        for (int i = 0; i < op->operand_count; i++)
            shape.operand[i] = flat_letters(program, &op->operand[i]);
        if (has_out)
            shape.out = flat_letters(program, &op->out);
        return shape;
    }
    Spec spec = spec_of(op);
    for (int i = 0; i < op->operand_count; i++)
        shape.operand[i] = letters_of(op, spec.operand[i]);
    if (has_out)
        shape.out = letters_of(op, spec.result);
    return shape;
}

int letters_index(const Letters *letters, char letter)
{
    for (int i = 0; i < letters->count; i++) {
        if (letters->letter[i] == letter)
            return i;
    }
    return -1;
}

bool letters_have(const Letters *letters, char letter)
{
    return letters_index(letters, letter) >= 0;
}

static const Dim *dim_in(const Program *program, const Ref *ref, const Letters *letters, char letter, Dim *storage)
{
    int index = letters_index(letters, letter), count;
    Dim dims[STEP_MAX_DIMS];
    if (index < 0 || !ref_dims(program, ref, &count, dims) || index >= count)
        return NULL;
    *storage = dims[index];
    return storage;
}

const Dim *shape_dim(const Program *program, const Op *op, const Shape *shape, char letter, Dim *storage)
{
    for (int i = 0; i < op->operand_count; i++) {
        const Dim *dim = dim_in(program, &op->operand[i], &shape->operand[i], letter, storage);
        if (dim != NULL)
            return dim;
    }
    const Dim *dim = dim_in(program, &op->out, &shape->out, letter, storage);
    if (dim == NULL)
        BUG("operator %d: nothing has the letter '%c' of the spec '%s'", op->id, letter, op->spec);
    return dim;
}

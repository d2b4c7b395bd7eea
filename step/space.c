/* space.c - the iteration space of an operator (step/space.h). */
#include "step/space.h"

#include "base/ctx.h"
#include "step/spec.h"

static int letter_index(Space *space, char letter, int64_t extent, const Op *op)
{
    for (int i = 0; i < space->letter_count; i++)
        if (space->letter[i] == letter) {
            if (space->extent[i] != extent)
                BUG("letter '%c' of '%s' \"%s\" is %lld and %lld", letter, op_info[op->kind].name, op->spec,
                    (long long)space->extent[i], (long long)extent);
            return i;
        }
    if (space->letter_count == SPACE_MAX_LETTERS)
        BUG("too many letters in \"%s\"", op->spec);
    space->letter[space->letter_count] = letter;
    space->extent[space->letter_count] = extent;
    return space->letter_count++;
}

/* Assigns the letters to the dims of `ref`. */
static void add_letters(const Program *program, Space *space, const Op *op, const Ref *ref, int which,
                        SpecLetters letters)
{
    const Buffer *buffer = &program->buffers.data[ref->buffer];
    int count = letters.count;
    if (count != buffer->dim_count)
        BUG("'%s' \"%s\": %d letters for %d dims", op_info[op->kind].name, op->spec, count, buffer->dim_count);
    int64_t stride = 1;
    int index[STEP_MAX_DIMS];
    for (int i = 0; i < count; i++)
        index[i] = letter_index(space, letters.at[i], buffer->dims[i].size, op);
    for (int i = count - 1; i >= 0; i--) {
        space->stride[which][index[i]] += stride;
        stride *= buffer->dims[i].size;
    }
}

Space space_of(const Program *program, const Op *op)
{
    Space space = {0};
    Spec spec = spec_of(op);
    if (spec.operand_count == 0)
        BUG("'%s' without index letters", op_info[op->kind].name);
    add_letters(program, &space, op, &op->out, SPACE_OUT, spec.result);
    space.out_letters = space.letter_count;
    for (int i = 0; i < op->operand_count; i++)
        add_letters(program, &space, op, &op->operand[i], i, spec.operand[i]);
    return space;
}

bool space_advance(const Space *space, Cursor *cursor, int first, int end, int except)
{
    for (int i = end - 1; i >= first; i--) {
        if (i == except)
            continue;
        bool carry = ++cursor->index[i] == space->extent[i];
        int64_t steps = carry ? 1 - space->extent[i] : 1;
        for (int j = 0; j <= SPACE_OUT; j++)
            cursor->offset[j] += steps * space->stride[j][i];
        if (!carry)
            return true;
        cursor->index[i] = 0;
    }
    return false;
}

bool space_is_empty(const Space *space)
{
    for (int i = 0; i < space->letter_count; i++)
        if (space->extent[i] == 0)
            return true;
    return false;
}

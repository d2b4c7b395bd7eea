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
    const Unit *unit = &program->decls->units.data[buffer->unit];
    int first;
    *count = each_dims(buffer->each, program->decls->tensors.data[ref->member].dim_count, &first);
    for (int i = 0; i < unit->member_count; i++) {
        if (unit->members[i] == ref->member) {
            unit_member_dims(program->decls, unit, i, dims);
            memmove(dims, dims + first, (size_t)*count * sizeof *dims);
            return true;
        }
    }
    BUG("'%s' is no member of unit '%s'", program->decls->tensors.data[ref->member].name, unit->name);
}

/* Of `length` elements that the dim's cuts divide. */
static bool is_even(const Decls *decls, const Dim *dim, int64_t *length)
{
    for (int i = 0; i < dim->cut_count; i++) {
        int64_t count = dim->cut[i] == CUT_MICRO ? decls->micro : decls->axes.data[dim->cut[i]].size;
        if (*length % count != 0 && !dim->padded)
            return false;
        *length = (*length + count - 1) / count;
    }
    return true;
}

bool dim_is_even(const Decls *decls, const Dim *dim, int64_t *extent)
{
    const Segments *segments = dim->cut_count > 0 ? dim->segments : NULL;
    bool even = true;
    *extent = dim->halo_before + dim->halo_after;
    for (int i = 0; i < (segments != NULL ? segments->count : 1); i++) {
        int64_t length = segments != NULL ? segments->size[i] : dim->size;
        even = is_even(decls, dim, &length) && even;
        *extent += length;
    }
    return even;
}

bool dim_equal(const Dim *a, const Dim *b)
{
    bool segments = a->cut_count == 0 || segments_equal(a->segments, b->segments);
    return a->size == b->size && a->cut_count == b->cut_count && memcmp(a->cut, b->cut, (size_t)a->cut_count) == 0 &&
           segments && a->halo_before == b->halo_before && a->halo_after == b->halo_after && a->padded == b->padded;
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

/* The dim at a position of what a reference names; it is not flat. */
static Dim dim_at(const Program *program, const Ref *ref, int position)
{
    Dim dims[STEP_MAX_DIMS];
    int count;
    if (!ref_dims(program, ref, &count, dims) || position >= count)
        BUG("'%s' has no dim %d", ref_buffer(program, ref)->name, position);
    return dims[position];
}

/* The operator's arrays, the result last. */
static int arrays_of(const Op *op, Shape *shape, const Ref **refs, Letters **letters)
{
    int count = 0;
    for (int i = 0; i < op->operand_count; i++) {
        refs[count] = &op->operand[i];
        letters[count++] = &shape->operand[i];
    }
    if (op_has_result(op->kind)) {
        refs[count] = &op->out;
        letters[count++] = &shape->out;
    }
    return count;
}

/* Has the dim room for more than its pieces? */
static bool has_spare_room(const Decls *decls, Dim dim)
{
    int64_t extent;
    bool padded = dim.padded;
    dim.padded = false;
    return padded && !dim_is_even(decls, &dim, &extent);
}

/* Where some arrays are padded and others are not, the operator works on what the others have. */
static void find_padded(const Program *program, const Op *op, Shape *shape)
{
    const Ref *refs[STEP_MAX_OPERANDS + 1];
    Letters *letters[STEP_MAX_OPERANDS + 1];
    int count = arrays_of(op, shape, refs, letters);
    for (int i = 0; i < count; i++)
        for (int l = 0; l < letters[i]->count; l++) {
            if (!has_spare_room(program->decls, dim_at(program, refs[i], l)))
                continue;
            for (int j = 0; j < count; j++) {
                int at = letters_index(letters[j], letters[i]->letter[l]);
                bool plain = at >= 0 && !dim_at(program, refs[j], at).padded;
                letters[i]->wider[l] = letters[i]->wider[l] || plain;
            }
        }
}

static bool ends_in_axis(const Dim *dim, int axis)
{
    return dim->cut_count > 0 && dim->cut[dim->cut_count - 1] == axis;
}

/* An einsum over an axis takes one piece of the letter that the axis cuts in some arrays and not in others. */
static void find_piece(const Program *program, const Op *op, Shape *shape)
{
    const Ref *refs[STEP_MAX_OPERANDS + 1];
    Letters *letters[STEP_MAX_OPERANDS + 1];
    int count = arrays_of(op, shape, refs, letters), axis = op->axes.axis[0];
    for (int i = 0; i < count; i++)
        for (int l = 0; l < letters[i]->count; l++) {
            Dim cut = dim_at(program, refs[i], l);
            if (!ends_in_axis(&cut, axis))
                continue;
            for (int j = 0; j < count; j++) {
                int at = letters_index(letters[j], letters[i]->letter[l]);
                if (at < 0)
                    continue;
                Dim other = dim_at(program, refs[j], at);
                if (!ends_in_axis(&other, axis))
                    shape->piece = letters[i]->letter[l];
            }
        }
    for (int i = 0; i < count; i++) {
        int at = letters_index(letters[i], shape->piece);
        if (at < 0)
            continue;
        Dim dim = dim_at(program, refs[i], at);
        letters[i]->wider[at] = !ends_in_axis(&dim, axis) || has_spare_room(program->decls, dim);
    }
}

static Shape shape_of_letters(const Program *program, const Op *op)
{
    Shape shape = {0};
    Spec spec = spec_of(op);
    for (int i = 0; i < op->operand_count; i++)
        shape.operand[i] = letters_of(op, spec.operand[i]);
    if (op_has_result(op->kind))
        shape.out = letters_of(op, spec.result);
    if (op_in_pieces(op))
        find_piece(program, op, &shape);
    else
        find_padded(program, op, &shape);
    return shape;
}

Shape shape_of_segment(const Op *op, int *fused)
{
    char whole, segment;
    if (!spec_segment(op, &whole, &segment))
        BUG("operator %d: no segment in '%s'", op->id, op->spec);
    Spec spec = spec_of(op);
    Letters part = letters_of(op, op->kind == OP_SEGMENT ? spec.result : spec.operand[op->operand_count - 1]);
    Letters wide = part;
    *fused = letters_index(&part, segment);
    wide.wider[*fused] = true;
    bool taken = op->kind == OP_SEGMENT;
    return (Shape){.operand = {taken ? wide : part}, .out = taken ? part : wide};
}

Shape shape_flat(const Program *program, const Op *op)
{
    Shape shape = {0};
    for (int i = 0; i < op->operand_count; i++)
        shape.operand[i] = flat_letters(program, &op->operand[i]);
    if (op_has_result(op->kind))
        shape.out = flat_letters(program, &op->out);
    return shape;
}

Shape shape_of_op(const Program *program, const Op *op)
{
    return spec_is_empty(op) ? shape_flat(program, op) : shape_of_letters(program, op);
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
    if (index < 0 || letters->wider[index] || !ref_dims(program, ref, &count, dims) || index >= count)
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

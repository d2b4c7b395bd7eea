/* step.c - queries on a step program that every stage needs (step/step.h). */
#include "step/step.h"

#include "step/names.h"

#include <string.h>

void cut_balanced(int64_t length, int64_t count, int64_t index, int64_t *start, int64_t *extent)
{
    int64_t base = length / count, longer = length % count;
    *start = index * base + (index < longer ? index : longer);
    *extent = base + (index < longer ? 1 : 0);
}

bool segments_equal(const Segments *x, const Segments *y)
{
    if (x == NULL || y == NULL)
        return x == y;
    return x->count == y->count && memcmp(x->size, y->size, sizeof *x->size * (size_t)x->count) == 0;
}

int segment_find(const Segments *segments, int64_t first, int64_t size)
{
    for (int i = 0; segments != NULL && i < segments->count; first -= segments->size[i++])
        if (first == 0 && segments->size[i] == size)
            return i;
    return -1;
}

/* For `length` elements that the dim's cuts divide. */
static int64_t piece_extent(const Decls *decls, const Dim *dim, int64_t length, const int64_t *coordinates,
                            int64_t micro, int64_t *begin)
{
    *begin = 0;
    for (int i = 0; i < dim->cut_count; i++) {
        int axis = dim->cut[i];
        int64_t count = axis == CUT_MICRO ? decls->micro : decls->axes.data[axis].size;
        int64_t index = axis == CUT_MICRO ? micro : coordinates[axis];
        int64_t offset, extent;
        cut_balanced(length, count, index, &offset, &extent);
        *begin += offset;
        length = extent;
    }
    return length;
}

int64_t dim_extent(const Decls *decls, const Dim *dim, const int64_t *coordinates, int64_t micro, int64_t *start)
{
    static const int64_t origin[STEP_MAX_AXES] = {0};
    const Segments *segments = dim->cut_count > 0 ? dim->segments : NULL;
    int64_t begin, ignored;
    int64_t length =
        piece_extent(decls, dim, segments != NULL ? segments->size[0] : dim->size, coordinates, micro, &begin);
    for (int i = 1; segments != NULL && i < segments->count; i++)
        length += piece_extent(decls, dim, segments->size[i], coordinates, micro, &ignored);
    if (start != NULL)
        *start = begin - dim->halo_before;
    if (dim->padded)
        length = piece_extent(decls, dim, dim->size, origin, micro, &ignored);
    return length + dim->halo_before + dim->halo_after;
}

int64_t dim_max_extent(const Decls *decls, const Dim *dim)
{
    int64_t origin[STEP_MAX_AXES] = {0};
    return dim_extent(decls, dim, origin, 0, NULL);
}

static int64_t unit_slot_elements(const Decls *decls, const Buffer *buffer)
{
    int64_t parts = 1;
    for (int i = 0; i < buffer->cut_count; i++)
        parts *= decls->axes.data[buffer->cut[i]].size;
    int64_t elements = unit_each_elements(decls, &decls->units.data[buffer->unit], buffer->each);
    return (elements + parts - 1) / parts;
}

int64_t buffer_slot_elements(const Decls *decls, const Buffer *buffer)
{
    if (buffer->layout == LAYOUT_UNIT)
        return unit_slot_elements(decls, buffer);
    int64_t elements = 1;
    for (int i = 0; i < buffer->dim_count; i++)
        elements *= dim_max_extent(decls, &buffer->dims[i]);
    return elements;
}

int64_t buffer_slot_bytes(const Decls *decls, const Buffer *buffer)
{
    return buffer_slot_elements(decls, buffer) * dtype_bytes(buffer->dtype);
}

int64_t buffer_data_bytes(const Decls *decls, const Buffer *buffer)
{
    return buffer->slots * buffer_slot_bytes(decls, buffer);
}

int64_t window_places(int64_t input, int64_t window, int64_t stride, int64_t pad)
{
    int64_t room = input + 2 * pad - window;
    return room < 0 ? 0 : room / stride + 1;
}

const Ref *op_side(const Op *op, Side side)
{
    switch (side) {
    case SIDE_A:
        return &op->operand[0];
    case SIDE_B:
        return &op->operand[1];
    case SIDE_OUT:
        return &op->out;
    }
    BUG("a side that is none");
}

Op op_blank(OpKind kind, Ref out, Span span)
{
    Op op = {.kind = kind, .spec = "", .out = out, .tensor = -1, .event = -1, .origin = -1, .span = span};
    op.communicator = -1;
    if (op_extra(kind) == EXTRA_SCALE)
        op.scale = (Scale){1, 1, ""};
    return op;
}

bool op_in_pieces(const Op *op)
{
    return op->kind == OP_EINSUM && op->axes.count > 0;
}

const Affine *op_index(const Op *op)
{
    return op_index_of((Op *)op);
}

Affine *op_index_of(Op *op)
{
    switch (op_extra(op->kind)) {
    case EXTRA_PIECE:
        return &op->piece;
    case EXTRA_MICROBATCH:
        return &op->microbatch;
    case EXTRA_FIRST:
        return &op->first;
    case EXTRA_PEER:
        return &op->peer.coordinate;
    case EXTRA_NONE:
    case EXTRA_SCALE:
    case EXTRA_SEED:
    case EXTRA_OUTPUT:
    case EXTRA_REDUCE:
        return NULL;
    }
    BUG("'%s' has an extra that is none", op_info[op->kind].name);
}

const char *op_output(const Op *op)
{
    return op_extra(op->kind) == EXTRA_OUTPUT ? op->output : NULL;
}

Op *node_op(const Node *node)
{
    return node->kind == NODE_OP ? node->op : NULL;
}

bool nodes_go_back(const NodeList *body)
{
    for (int i = 0; i < body->count; i++) {
        const Op *op = node_op(body->data[i]);
        if ((op != NULL && op->origin >= 0) || nodes_go_back(&body->data[i]->body))
            return true;
    }
    return false;
}

bool node_is_layer_loop(const Node *node)
{
    return node->kind == NODE_LOOP && node->loop.kind == LOOP_LAYERS;
}

bool ref_equal(Ref x, Ref y)
{
    return x.buffer == y.buffer && x.member == y.member && affine_equal(&x.slot, &y.slot);
}

int64_t tensor_elements(const Tensor *tensor)
{
    int64_t elements = 1;
    for (int i = 0; i < tensor->dim_count; i++)
        elements *= tensor->dims[i];
    return elements;
}

const Segments *tensor_segments(const Tensor *tensor)
{
    for (int i = 0; i < tensor->dim_count; i++)
        if (tensor->segments[i] != NULL)
            return tensor->segments[i];
    return NULL;
}

const Routine *program_routine(const Program *program, RoutineKind kind)
{
    for (int i = 0; i < program->routines.count; i++)
        if (program->routines.data[i].kind == kind)
            return &program->routines.data[i];
    return NULL;
}

const char *routine_name(RoutineKind kind)
{
    return routine_names[kind];
}

int64_t unit_offset(const Unit *unit, int tensor)
{
    for (int i = 0; i < unit->member_count; i++)
        if (unit->members[i] == tensor)
            return unit->offsets[i];
    return -1;
}

void unit_member_dims(const Decls *decls, const Unit *unit, int position, Dim dims[STEP_MAX_DIMS])
{
    const Tensor *tensor = &decls->tensors.data[unit->members[position]];
    for (int i = 0; i < tensor->dim_count; i++)
        dims[i] = unit->member_dims != NULL ? unit->member_dims[position * STEP_MAX_DIMS + i]
                                            : (Dim){.size = tensor->dims[i]};
}

int64_t unit_member_elements(const Decls *decls, const Unit *unit, int position)
{
    Dim dims[STEP_MAX_DIMS];
    int64_t elements = 1;
    unit_member_dims(decls, unit, position, dims);
    for (int i = 0; i < decls->tensors.data[unit->members[position]].dim_count; i++)
        elements *= dim_max_extent(decls, &dims[i]);
    return elements;
}

bool unit_is_padded(const Unit *unit)
{
    return unit->elements != unit->held;
}

static int64_t round_up(int64_t number, int64_t multiple)
{
    return multiple > 1 ? (number + multiple - 1) / multiple * multiple : number;
}

void unit_lay_out(const Decls *decls, Unit *unit)
{
    unit->elements = unit->held = 0;
    for (int i = 0; i < unit->member_count; i++) {
        int64_t elements = unit_member_elements(decls, unit, i);
        unit->offsets[i] = round_up(unit->elements, unit->aligned);
        unit->elements = unit->offsets[i] + elements;
        unit->held += elements;
    }
    unit->elements = round_up(unit->elements, unit->multiple);
}

int each_dims(Each each, int dim_count, int *first)
{
    *first = each == EACH_COLUMN && dim_count > 0 ? dim_count - 1 : 0;
    switch (each) {
    case EACH_ELEMENT:
        return dim_count;
    case EACH_ROW:
        return dim_count > 0 ? dim_count - 1 : 0;
    case EACH_COLUMN:
        return dim_count > 0;
    case EACH_TENSOR:
        return 0;
    }
    BUG("a kind of number that is none");
}

static int64_t member_each(const Decls *decls, const Unit *unit, Each each, int position)
{
    Dim dims[STEP_MAX_DIMS];
    int first, count = each_dims(each, decls->tensors.data[unit->members[position]].dim_count, &first);
    int64_t numbers = 1;
    unit_member_dims(decls, unit, position, dims);
    for (int i = 0; i < count; i++)
        numbers *= dim_max_extent(decls, &dims[first + i]);
    return numbers;
}

int64_t ref_bytes(const Program *program, const Ref *ref)
{
    const Decls *decls = program->decls;
    const Buffer *buffer = &program->buffers.data[ref->buffer];
    if (ref->member < 0)
        return buffer_slot_bytes(decls, buffer);
    const Unit *unit = &decls->units.data[buffer->unit];
    int position = 0;
    while (unit->members[position] != ref->member)
        position++;
    return member_each(decls, unit, buffer->each, position) * dtype_bytes(buffer->dtype);
}

int64_t unit_each_offset(const Decls *decls, const Unit *unit, Each each, int position)
{
    if (each == EACH_ELEMENT && position < unit->member_count)
        return unit->offsets[position];
    int64_t offset = 0;
    for (int i = 0; i < position; i++)
        offset += member_each(decls, unit, each, i);
    return offset;
}

int64_t unit_each_elements(const Decls *decls, const Unit *unit, Each each)
{
    return each == EACH_ELEMENT ? unit->elements : unit_each_offset(decls, unit, each, unit->member_count);
}

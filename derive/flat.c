/* flat.c - what does not depend on single examples: initial values, norm, updates, outputs.
 *
 * The reference updates tensor by tensor; the program unit by unit, on flat buffers, in the form (whole, or sharded) of
 * the optimizer. So the operators are sorted into levels by what they depend on: even levels hold scalars (rate,
 * clipping factor, outputs), odd levels the work on single parameters. In an odd level every unit gets one loop over
 * its layers with the operators of its first member; the other members must be updated by the same rule.
 *
 * Update values with one number per row, column or tensor are stored in the unit too, whole on every rank; where they
 * are summed over shards, they are reduced at once. Work on whole tensors (matrix products) is done member by member on
 * whole copies, and its results go back into the unit where flat operators read them.
 *
 * A scalar that sums over parameters (the squared norm) is summed over shards per set of axes, and those sums are
 * reduced over these axes at the end of the level: a value that every rank holds whole is counted once.
 */
#include "derive/internal.h"

#include <string.h>

/* An operator of the flat phase and the layer loop of the reference around it (or NULL). */
typedef struct FlatOp {
    const Op *op;
    const Node *loop;
} FlatOp;

/* A scalar that an odd level sums over units whose optimizer is sharded over `axes`. */
typedef struct Sum {
    int ref, buffer;
    AxisSet axes;
    Span span;
} Sum;

/* A flat buffer of a unit, and a whole copy of its contents: of all of it, or of one member that is sharded by a
 * dim. */
typedef struct WholeCopy {
    int buffer, tensor, whole; /* tensor -1: all */
} WholeCopy;

typedef struct Flat {
    Derive *d;
    NodeList *body;
    Vec(FlatOp) ops;
    int level_count;
    Vec(Sum) sums;         /* of the current level */
    Vec(WholeCopy) copies; /* of the current unit */
} Flat;

static void list_flat(Flat *f, const NodeList *list, const Node *loop)
{
    for (int i = 0; i < list->count; i++) {
        const Node *node = list->data[i];
        if (node->kind != NODE_OP)
            list_flat(f, &node->body, node);
        else if (f->d->ops[node->op->id].phase == PHASE_FLAT)
            vec_push(f->d->ctx->arena, &f->ops, (FlatOp){node->op, loop});
    }
}

static RefBuffer *buffer_of(const Derive *d, Ref ref)
{
    return &d->buffers[ref.buffer];
}

static bool has_result(const Op *op)
{
    return op_has_result(op->kind);
}

static bool sums_parameters(const Derive *d, const Op *op)
{
    return d->ops[op->id].tensor >= 0 && op_info[op->kind].op_class == CLASS_SUM &&
           buffer_of(d, op->out)->role == ROLE_PLAIN;
}

static void refuse(Derive *d, Span span, const char *what)
{
    diag_report(d->ctx->diag, P0290, span, "%s not supported yet", what);
    d->failed = true;
}

/* ---- Levels ------------------------------------------------------------------------------------------------- */

static bool letters_equal(const Derive *d, const Op *op, int x, int y)
{
    const char *left, *right;
    int count = derive_spec_letters(d, op, x, &left);
    return derive_spec_letters(d, op, y, &right) == count && memcmp(left, right, (size_t)count) == 0;
}

/* What the result has one number for; false if it is neither elements nor rows, columns or tensors. */
static bool find_each(const Derive *d, const Op *op, int tensor, Each *each)
{
    const char *result, *letters;
    int length = derive_spec_letters(d, op, -1, &result), dims = d->decls->tensors.data[tensor].dim_count;
    for (int i = 0; i < op->operand_count; i++) {
        const RefBuffer *operand = buffer_of(d, op->operand[i]);
        *each = operand->each;
        if (operand->role != ROLE_PLAIN && letters_equal(d, op, i, -1))
            return true;
    }
    *each = EACH_TENSOR;
    for (int i = 0; i < op->operand_count && length > 0; i++) {
        if (buffer_of(d, op->operand[i])->role == ROLE_PLAIN || buffer_of(d, op->operand[i])->each != EACH_ELEMENT)
            continue;
        derive_spec_letters(d, op, i, &letters);
        for (*each = EACH_ROW; *each < EACH_TENSOR; ++*each) {
            int first, count = each_dims(*each, dims, &first);
            if (count == length && memcmp(letters + first, result, (size_t)count) == 0)
                return true;
        }
    }
    return length == 0;
}

static bool reads_matrix(const Derive *d, const Op *op)
{
    for (int i = 0; i < op->operand_count; i++)
        if (buffer_of(d, op->operand[i])->role == ROLE_MATRIX)
            return true;
    return false;
}

/* What an update computes from a parameter's buffers: numbers in its unit, or matrices. */
static void classify_temporary(Derive *d, const Op *op, int tensor)
{
    RefBuffer *out = buffer_of(d, op->out);
    OpClass class = op_info[op->kind].op_class;
    if (class != CLASS_MAP && class != CLASS_CONTRACT && (class != CLASS_SUM || op->accumulate))
        return;
    bool matrix = class == CLASS_CONTRACT || reads_matrix(d, op) || !find_each(d, op, tensor, &out->each);
    out->role = matrix ? ROLE_MATRIX : ROLE_UPDATE;
    out->tensor = tensor;
}

/* The tensor of the parameter that the operator works on; -1 for scalars. */
static int find_tensor(Derive *d, const Op *op)
{
    int tensor = op->kind == OP_FILL ? op->tensor : -1;
    for (int i = 0; i < op->operand_count; i++)
        if (buffer_of(d, op->operand[i])->role != ROLE_PLAIN)
            tensor = buffer_of(d, op->operand[i])->tensor;
    if (!has_result(op))
        return tensor;
    RefBuffer *out = buffer_of(d, op->out);
    if (out->role != ROLE_PLAIN)
        return out->tensor;
    if (op->kind == OP_FILL && tensor >= 0) {
        out->role = ROLE_UPDATE;
        out->each = EACH_TENSOR;
        out->tensor = tensor;
    } else if (tensor >= 0) {
        classify_temporary(d, op, tensor);
    }
    return tensor;
}

static int at_least(int level, int other)
{
    return level > other ? level : other;
}

/* Sorts the operators into levels. Per buffer: the level from which its value is available, the level from which its
 * sum is, and the last level that reads it. */
static void find_levels(Flat *f)
{
    Derive *d = f->d;
    int count = d->reference->buffers.count + 1;
    int *written = arena_array(d->ctx->arena, int, count);
    int *summed = arena_array(d->ctx->arena, int, count);
    int *read = arena_array(d->ctx->arena, int, count);
    for (int i = 0; i < f->ops.count; i++) {
        const Op *op = f->ops.data[i].op;
        RefOp *info = &d->ops[op->id];
        info->tensor = find_tensor(d, op);
        int level = 0;
        for (int j = 0; j < op->operand_count; j++) {
            int b = op->operand[j].buffer;
            level = at_least(level, at_least(written[b], summed[b]));
        }
        bool sum = sums_parameters(d, op);
        if (has_result(op))
            level = at_least(level, at_least(written[op->out.buffer], read[op->out.buffer]));
        if (has_result(op) && !sum)
            level = at_least(level, summed[op->out.buffer]);
        level += (level % 2 != 0) != (info->tensor >= 0);
        info->level = level;
        f->level_count = at_least(f->level_count, level + 1);
        for (int j = 0; j < op->operand_count; j++)
            read[op->operand[j].buffer] = at_least(read[op->operand[j].buffer], level);
        if (sum)
            summed[op->out.buffer] = level + 1;
        else if (has_result(op))
            written[op->out.buffer] = level;
    }
}

/* ---- Scalars ------------------------------------------------------------------------------------------------ */

static Ref scalar_ref(const Flat *f, Ref ref)
{
    Derive *d = f->d;
    RefBuffer *buffer = buffer_of(d, ref);
    for (int i = 0; i < ref.slot.term_count; i++)
        if (ref.slot.term[i].variable >= 0)
            ref.slot.term[i].variable = d->loop_map[ref.slot.term[i].variable];
    bool sum = buffer->partial && buffer->sum >= 0;
    return derive_ref(sum ? buffer->sum : derive_plain_buffer(d, ref.buffer), ref.slot);
}

static void set_seed(const Derive *d, Op *op)
{
    const Seed *seed = &d->assignment->seed;
    bool given = seed->base != 0 || span_known(d->assignment->seed_span);
    for (int i = 0; i < STEP_MAX_AXES; i++)
        given |= seed->per_axis[i] != 0;
    if (op->kind != OP_INIT || !given)
        return;
    op->seed = *seed;
    for (int i = 0; i < STEP_MAX_AXES; i++)
        if (seed->per_axis[i] != 0)
            op->span = d->assignment->seed_span;
}

static void emit_plain(Flat *f, const FlatOp *flat)
{
    Derive *d = f->d;
    NodeList *body = f->body;
    if (flat->loop != NULL) {
        Node *loop = derive_emit_loop(d, body, LOOP_LAYERS, flat->loop->loop.group, flat->loop->loop.first.constant,
                                      flat->loop->loop.last.constant, flat->loop->span);
        loop->loop.step = flat->loop->loop.step;
        d->loop_map[flat->loop->loop.id] = loop->loop.id;
        body = &loop->body;
    }
    Op op = *flat->op;
    for (int i = 0; i < op.operand_count; i++)
        op.operand[i] = scalar_ref(f, op.operand[i]);
    if (has_result(&op))
        op.out = scalar_ref(f, op.out);
    set_seed(d, &op);
    derive_emit_copy(d, body, &op);
    if (has_result(&op)) {
        derive_sync_statistic(d, body, &op);
        derive_sync_number(d, body, flat->op, op.out);
    }
}

/* ---- Sums over parameters ----------------------------------------------------------------------------------- */

/* Do syncs determine its sum over the ranks? */
static bool is_synced(const Derive *d, int ref)
{
    return d->norm_sync != NULL || d->buffers[ref].syncs.count > 0;
}

static int sum_buffer(Flat *f, int ref, int unit, Span span)
{
    Derive *d = f->d;
    const UnitInfo *u = &d->units[unit];
    AxisSet axes = is_synced(d, ref) ? (AxisSet){0} : axes_union(d, u->member_cuts, u->optimizer);
    bool first = true;
    for (int i = 0; i < f->sums.count; i++) {
        if (f->sums.data[i].ref != ref)
            continue;
        if (axes_equal(f->sums.data[i].axes, axes))
            return f->sums.data[i].buffer;
        first = false;
    }
    Sum sum = {ref, derive_plain_buffer(d, ref), axes, derive_optimizer_span(d, unit)};
    if (!first) {
        Buffer another = d->program->buffers.data[sum.buffer];
        another.name =
            arena_printf(d->ctx->arena, "%s.%s", another.name, axes.count > 0 ? axes_name(d, axes) : "whole");
        sum.buffer = derive_add_buffer(d, another);
        derive_emit_fill(d, f->body, derive_scalar(sum.buffer), 0, span);
    }
    if (d->norm_sync != NULL)
        d->program->buffers.data[sum.buffer].span = d->norm_sync->span;
    vec_push(d->ctx->arena, &f->sums, sum);
    return sum.buffer;
}

/* Before the loops of a level: creates its sums, so that they are cleared outside any loop. */
static void prepare_sums(Flat *f, int level)
{
    Derive *d = f->d;
    f->sums.count = 0;
    for (int i = 0; i < f->ops.count; i++) {
        const Op *op = f->ops.data[i].op;
        RefOp *info = &d->ops[op->id];
        if (info->level != level || !sums_parameters(d, op))
            continue;
        for (int unit = 0; unit < d->decls->units.count; unit++)
            if (unit_offset(&d->decls->units.data[unit], info->tensor) >= 0)
                sum_buffer(f, op->out.buffer, unit, op->span);
    }
}

static void reduce_sums(Flat *f)
{
    Derive *d = f->d;
    for (int i = 0; i < f->sums.count; i++) {
        const Sum *sum = &f->sums.data[i];
        Ref ref = derive_scalar(sum->buffer);
        if (d->norm_sync != NULL)
            derive_scalar_sync(d, f->body, sum->buffer, d->norm_sync);
        if (is_synced(d, sum->ref))
            derive_sync_sum(d, f->body, sum->ref, sum->buffer);
        else if (sum->axes.count > 0)
            derive_emit_over(d, f->body, OP_ALL_REDUCE, ref, ref, sum->axes, sum->span);
    }
    for (int i = 0; i < f->sums.count; i++) {
        const Sum *sum = &f->sums.data[i];
        int total = derive_plain_buffer(d, sum->ref);
        if (sum->buffer != total)
            derive_emit_from(d, f->body, OP_COPY, derive_scalar(total), derive_scalar(sum->buffer), sum->span)
                ->accumulate = true;
    }
}

/* ---- Units -------------------------------------------------------------------------------------------------- */

static int find_update_buffer(const Derive *d, int ref, int unit)
{
    for (int i = 0; i < d->update_buffers.count; i++)
        if (d->update_buffers.data[i].ref == ref && d->update_buffers.data[i].unit == unit)
            return d->update_buffers.data[i].buffer;
    return -1;
}

static void name_update_buffer(Derive *d, int ref, int unit, int buffer)
{
    if (find_update_buffer(d, ref, unit) < 0)
        vec_push(d->ctx->arena, &d->update_buffers, (UpdateBuffer){ref, unit, buffer});
}

/* The form in which the update of a state is computed. */
static AxisSet form_of(const Derive *d, int unit, int updates)
{
    return updates >= 0 ? d->units[unit].state_cut[updates] : d->units[unit].optimizer;
}

static int update_buffer(Derive *d, int ref, int unit)
{
    int buffer = find_update_buffer(d, ref, unit);
    if (buffer >= 0)
        return buffer;
    const Buffer *like = &d->reference->buffers.data[ref];
    const RefBuffer *info = &d->buffers[ref];
    bool cut = info->role == ROLE_UPDATE && info->each == EACH_ELEMENT;
    buffer = derive_add_unit_buffer(d, unit, like->name, like->dtype, CATEGORY_BUFFERS,
                                    cut ? form_of(d, unit, info->updates) : (AxisSet){0}, like->span);
    d->program->buffers.data[buffer].each = info->each;
    name_update_buffer(d, ref, unit, buffer);
    return buffer;
}

static Ref unit_ref(Flat *f, NodeList *body, Ref ref, int unit, Affine slot, bool write)
{
    Derive *d = f->d;
    switch (buffer_of(d, ref)->role) {
    case ROLE_PLAIN:
        return scalar_ref(f, ref);
    case ROLE_PARAMETER:
        return derive_parameter_for_update(d, body, unit, slot, write);
    case ROLE_GRADIENT:
        return derive_gradient_for_update(d, body, unit, slot);
    case ROLE_STATE:
        return derive_ref(d->units[unit].state_buffer[d->reference->buffers.data[ref.buffer].state], slot);
    case ROLE_UPDATE:
        return derive_ref(update_buffer(d, ref.buffer, unit), slot);
    case ROLE_MATRIX: {
        Ref whole = derive_ref(update_buffer(d, ref.buffer, unit), slot);
        return derive_in_form(d, body, unit, whole, (AxisSet){0}, d->units[unit].optimizer,
                              derive_optimizer_span(d, unit));
    }
    }
    BUG("a role of no kind");
}

/* ---- Whole tensors ------------------------------------------------------------------------------------------ */

/* The whole copy of a buffer, or of one of its members, that was made for an earlier operator; -1 none. */
static int known_copy(const Flat *f, int buffer, int tensor)
{
    for (int i = 0; i < f->copies.count; i++)
        if (f->copies.data[i].buffer == buffer && f->copies.data[i].tensor == tensor)
            return f->copies.data[i].whole;
    return -1;
}

static void know_copy(Flat *f, int buffer, int tensor, int whole)
{
    vec_push(f->d->ctx->arena, &f->copies, ((WholeCopy){buffer, tensor, whole}));
}

/* A dense buffer for a whole tensor of a unit's flat buffer `like`. */
static Ref whole_tensor(const Flat *f, int like, int tensor, Span span)
{
    Derive *d = f->d;
    const Tensor *t = &d->decls->tensors.data[tensor];
    Buffer whole = {.name = arena_printf(d->ctx->arena, "%s.%s", d->program->buffers.data[like].name, t->name),
                    .dtype = d->program->buffers.data[like].dtype,
                    .category = CATEGORY_BUFFERS,
                    .slots = 1,
                    .layout = LAYOUT_DENSE,
                    .dim_count = t->dim_count,
                    .state = -1,
                    .tensor = -1,
                    .span = span};
    for (int i = 0; i < t->dim_count; i++)
        whole.dims[i].size = t->dims[i];
    return derive_scalar(derive_add_buffer(d, whole));
}

/* Gathers a member, which ranks have in shards if it is sharded by a dim; `buffer`: what it is a copy of. */
static Ref joined_member(Flat *f, NodeList *body, Ref member, int buffer, int unit)
{
    Derive *d = f->d;
    const UnitInfo *u = &d->units[unit];
    Span span = derive_parameter_span(d, unit);
    int known = known_copy(f, buffer, member.member);
    if (u->member_cuts.count == 0)
        return member;
    if (known >= 0)
        return derive_scalar(known);
    Ref whole = whole_tensor(f, member.buffer, member.member, span);
    derive_emit_over(d, body, OP_ALL_GATHER, whole, member, u->member_cuts, span);
    know_copy(f, buffer, member.member, whole.buffer);
    return whole;
}

/* A member of the whole copy of a flat value, which is gathered for its first use. */
static Ref whole_member(Flat *f, NodeList *body, Ref ref, AxisSet have, int unit, int tensor)
{
    Derive *d = f->d;
    Ref whole = ref;
    int known = have.count > 0 ? known_copy(f, ref.buffer, -1) : ref.buffer;
    whole.buffer = known;
    if (known < 0) {
        whole = derive_in_form(d, body, unit, ref, have, (AxisSet){0}, derive_optimizer_span(d, unit));
        know_copy(f, ref.buffer, -1, whole.buffer);
    }
    whole.member = tensor;
    return joined_member(f, body, whole, ref.buffer, unit);
}

static void forget_copies(Flat *f, int buffer)
{
    int kept = 0;
    for (int i = 0; i < f->copies.count; i++)
        if (f->copies.data[i].buffer != buffer)
            f->copies.data[kept++] = f->copies.data[i];
    f->copies.count = kept;
}

static Ref matrix_ref(Flat *f, NodeList *body, Ref ref, int unit, Affine slot, int tensor)
{
    Derive *d = f->d;
    const RefBuffer *buffer = buffer_of(d, ref);
    if (buffer->role == ROLE_PLAIN)
        return scalar_ref(f, ref);
    if (buffer->role == ROLE_MATRIX && !buffer->in_unit) {
        int dense = derive_plain_buffer(d, ref.buffer);
        d->program->buffers.data[dense].slots = 1;
        return derive_scalar(dense);
    }
    if (buffer->role == ROLE_MATRIX || buffer->each != EACH_ELEMENT) {
        Ref member = buffer->role == ROLE_MATRIX ? derive_ref(update_buffer(d, ref.buffer, unit), slot)
                                                 : unit_ref(f, body, ref, unit, slot, false);
        member.member = tensor;
        return buffer->role == ROLE_MATRIX ? joined_member(f, body, member, member.buffer, unit) : member;
    }
    return whole_member(f, body, unit_ref(f, body, ref, unit, slot, false), d->units[unit].optimizer, unit, tensor);
}

/* If members are sharded by a dim, every rank computes the whole matrix and keeps its shard. */
static void emit_matrix_op(Flat *f, NodeList *body, const Op *ref_op, int unit, Affine slot, int tensor)
{
    Derive *d = f->d;
    const RefBuffer *result = buffer_of(d, ref_op->out);
    Op op = *ref_op;
    for (int i = 0; i < op.operand_count; i++)
        op.operand[i] = matrix_ref(f, body, op.operand[i], unit, slot, tensor);
    bool piece = result->role == ROLE_MATRIX && result->in_unit && d->units[unit].member_cuts.count > 0;
    op.tensor = -1;
    if (!piece) {
        op.out = matrix_ref(f, body, op.out, unit, slot, tensor);
        derive_emit_copy(d, body, &op);
        return;
    }
    Ref out = derive_ref(update_buffer(d, ref_op->out.buffer, unit), slot);
    Span span = derive_parameter_span(d, unit);
    out.member = tensor;
    op.out = whole_tensor(f, out.buffer, tensor, span);
    derive_emit_copy(d, body, &op);
    derive_emit_over(d, body, OP_SLICE, out, op.out, d->units[unit].member_cuts, span);
}

/* Is it done member by member? Work on whole tensors is, and on numbers that differ between members. */
static bool is_by_member(const Derive *d, const Op *op)
{
    const RefBuffer *out = buffer_of(d, op->out);
    return out->role == ROLE_MATRIX || (op->kind == OP_FILL && out->role == ROLE_UPDATE);
}

/* Finds the matrices that flat operators read; they must have the parameter's shape. */
static void find_matrices(Flat *f)
{
    Derive *d = f->d;
    for (int i = 0; i < f->ops.count; i++) {
        const Op *op = f->ops.data[i].op;
        if (!has_result(op) || buffer_of(d, op->out)->role == ROLE_MATRIX)
            continue;
        for (int j = 0; j < op->operand_count; j++) {
            RefBuffer *operand = buffer_of(d, op->operand[j]);
            if (operand->role != ROLE_MATRIX)
                continue;
            operand->in_unit = letters_equal(d, op, j, -1);
            operand->each = EACH_ELEMENT;
            if (!operand->in_unit)
                refuse(d, op->span, "an update by a matrix of another shape is");
        }
    }
}

/* ---- Operators on flat slots -------------------------------------------------------------------------------- */

/* An operand of the update of a declared state, in the form of this state. */
static Ref declared_operand(Flat *f, NodeList *body, const Op *op, Ref ref, int unit, Affine slot)
{
    Derive *d = f->d;
    const UnitInfo *u = &d->units[unit];
    const RefBuffer *buffer = buffer_of(d, ref);
    AxisSet want = form_of(d, unit, buffer_of(d, op->out)->updates), have = u->optimizer;
    if (buffer->role == ROLE_PLAIN)
        return scalar_ref(f, ref);
    if (buffer->role == ROLE_PARAMETER && (u->parameter_seen < 0 || !axes_equal(have, want)))
        return derive_in_form(d, body, unit, derive_ref(u->parameter_buffer, slot), u->parameters, want, op->span);
    if (buffer->role == ROLE_STATE)
        have = u->state_cut[d->reference->buffers.data[ref.buffer].state];
    else if (buffer->role == ROLE_UPDATE)
        have = want;
    return derive_in_form(d, body, unit, unit_ref(f, body, ref, unit, slot, false), have, want, op->span);
}

/* The axes that shard what a unit's members have such numbers for; all members of a unit are sharded the same way. */
static AxisSet number_cuts(const Derive *d, int unit, Each each)
{
    const Unit *u = &d->decls->units.data[unit];
    Dim dims[STEP_MAX_DIMS];
    Place place = place_whole();
    int first, count = each_dims(each, d->decls->tensors.data[u->members[0]].dim_count, &first);
    unit_member_dims(d->decls, u, 0, dims);
    for (int i = first; i < first + count; i++)
        for (int c = 0; c < dims[i].cut_count; c++)
            if (d->decls->axes.data[dims[i].cut[c]].size > 1)
                place.on[dims[i].cut[c]] = (int8_t)i;
    return axes_without(d->units[unit].member_cuts, place_axes(d, &place, ON_WHOLE));
}

/* Reduces numbers of rows, columns or tensors that were summed over shards. */
static void reduce_numbers(Flat *f, NodeList *body, const Op *op, int unit)
{
    Derive *d = f->d;
    const Buffer *out = &d->program->buffers.data[op->out.buffer];
    if (op_info[op->kind].op_class != CLASS_SUM || out->layout != LAYOUT_UNIT)
        return;
    const Buffer *summed = &d->program->buffers.data[op->operand[0].buffer];
    AxisSet axes = {.count = summed->cut_count};
    memcpy(axes.axis, summed->cut, sizeof summed->cut);
    axes = axes_union(d, axes_without(number_cuts(d, unit, summed->each), number_cuts(d, unit, out->each)), axes);
    if (axes.count > 0)
        derive_emit_over(d, body, OP_ALL_REDUCE, op->out, op->out, axes, derive_optimizer_span(d, unit));
}

static void emit_unit_op(Flat *f, NodeList *body, const Op *ref_op, int unit, Affine slot)
{
    Derive *d = f->d;
    Op op = *ref_op;
    bool declared = buffer_of(d, ref_op->out)->updates >= 0;
    for (int i = 0; i < op.operand_count; i++)
        op.operand[i] = declared ? declared_operand(f, body, ref_op, op.operand[i], unit, slot)
                                 : unit_ref(f, body, op.operand[i], unit, slot, false);
    if (sums_parameters(d, ref_op))
        op.out = derive_scalar(sum_buffer(f, op.out.buffer, unit, op.span));
    else
        op.out = unit_ref(f, body, op.out, unit, slot, !op.accumulate);
    if (op.accumulate && buffer_of(d, ref_op->out)->role == ROLE_STATE)
        unit_ref(f, body, ref_op->out, unit, slot, true);
    op.spec = "";
    if (d->decls->units.data[unit].member_count > 1)
        op.tensor = -1;
    derive_emit_copy(d, body, &op);
    forget_copies(f, op.out.buffer);
    reduce_numbers(f, body, &op, unit);
}

/* The operators of a level that work on one tensor, in order. */
static OpList tensor_ops(const Flat *f, int level, int tensor)
{
    OpList list = {0};
    for (int i = 0; i < f->ops.count; i++) {
        const Op *op = f->ops.data[i].op;
        const RefOp *info = &f->d->ops[op->id];
        if (info->level == level && info->tensor == tensor && op->kind != OP_INIT)
            vec_push(f->d->ctx->arena, &list, op);
    }
    return list;
}

static bool same_role(const Derive *d, Ref x, Ref y, int unit)
{
    const RefBuffer *a = buffer_of(d, x), *b = buffer_of(d, y);
    if (a->role != b->role)
        return false;
    if (a->role == ROLE_PLAIN)
        return x.buffer == y.buffer;
    if (a->role == ROLE_STATE)
        return d->reference->buffers.data[x.buffer].state == d->reference->buffers.data[y.buffer].state;
    if (a->role == ROLE_MATRIX)
        return a->in_unit == b->in_unit;
    return a->role != ROLE_UPDATE || find_update_buffer(d, x.buffer, unit) == find_update_buffer(d, y.buffer, unit);
}

static bool same_scale(const Scale *x, const Scale *y)
{
    return x->numerator == y->numerator && x->denominator == y->denominator;
}

static bool same_rule(Derive *d, const Op *x, const Op *y, int unit)
{
    bool by_member = is_by_member(d, x);
    if (x->kind != y->kind || x->accumulate != y->accumulate || x->immediate_count != y->immediate_count ||
        (!by_member && memcmp(x->immediate, y->immediate, sizeof(double) * (size_t)x->immediate_count) != 0) ||
        (x->kind == OP_SCALE && !same_scale(&x->scale, &y->scale)))
        return false;
    for (int i = 0; i < x->operand_count; i++)
        if (!same_role(d, x->operand[i], y->operand[i], unit))
            return false;
    const RefBuffer *out = buffer_of(d, x->out);
    if ((out->role == ROLE_UPDATE || out->in_unit) && buffer_of(d, y->out)->role == out->role)
        name_update_buffer(d, y->out.buffer, unit, find_update_buffer(d, x->out.buffer, unit));
    return same_role(d, x->out, y->out, unit);
}

static bool refuse_rule(Derive *d, int tensor)
{
    refuse(d, d->decls->tensors.data[tensor].span, "a unit whose parameters are updated by different rules is");
    return false;
}

/* The other members of the unit must be updated as the first one is: by as many operators, */
static bool check_counts(Derive *d, int unit, const OpList *rules)
{
    const Unit *u = &d->decls->units.data[unit];
    for (int i = 1; i < u->member_count; i++)
        if (rules[i].count != rules[0].count)
            return refuse_rule(d, u->members[i]);
    return true;
}

/* and by the same operator, the one at `index`, as emitted for the first member. Otherwise it is not emitted again. */
static bool emit_members(Flat *f, NodeList *body, int unit, const OpList *rules, int index, Affine slot)
{
    Derive *d = f->d;
    const Unit *u = &d->decls->units.data[unit];
    const Op *first = rules[0].data[index];
    for (int i = 1; i < u->member_count; i++) {
        const Op *op = rules[i].data[index];
        if (!same_rule(d, first, op, unit))
            return refuse_rule(d, u->members[i]);
        if (is_by_member(d, first))
            emit_matrix_op(f, body, op, unit, slot, u->members[i]);
    }
    return true;
}

static bool is_member(const Derive *d, int unit, int tensor)
{
    return tensor >= 0 && unit_offset(&d->decls->units.data[unit], tensor) >= 0;
}

/* Initial values of all members, in the unit's stored form: every element depends only on its logical place. */
static void emit_init(Flat *f, NodeList *body, int level, int unit, Affine slot)
{
    Derive *d = f->d;
    for (int i = 0; i < f->ops.count; i++) {
        const Op *op = f->ops.data[i].op;
        if (op->kind != OP_INIT || d->ops[op->id].level != level || !is_member(d, unit, d->ops[op->id].tensor))
            continue;
        Op init = *op;
        init.out = derive_ref(d->units[unit].parameter_buffer, slot);
        init.tensor = -1;
        set_seed(d, &init);
        derive_emit_copy(d, body, &init);
        derive_sync_start(d, body, unit, slot);
        return;
    }
}

static const Op *last_parameter_write(const Derive *d, const OpList *rule)
{
    for (int i = rule->count - 1; i >= 0; i--)
        if (buffer_of(d, rule->data[i]->out)->role == ROLE_PARAMETER)
            return rule->data[i];
    return NULL;
}

static bool writes_state(const Derive *d, const OpList *rule, int state)
{
    for (int i = 0; i < rule->count; i++)
        if (buffer_of(d, rule->data[i]->out)->role == ROLE_STATE &&
            d->reference->buffers.data[rule->data[i]->out.buffer].state == state)
            return true;
    return false;
}

/* Does a later level write the same tensor's state, too? */
static bool writes_later(const Flat *f, int level, int tensor, int state)
{
    bool later = false;
    for (int other = level + 1; other < f->level_count && !later; other++) {
        OpList rule = tensor_ops(f, other, tensor);
        later = writes_state(f->d, &rule, state);
    }
    return later;
}

/* Applies the syncs of the states whose update ends with the operators of a level. */
static void sync_states(Flat *f, NodeList *body, int level, int unit, const OpList *rule, Affine slot)
{
    Derive *d = f->d;
    int tensor = d->decls->units.data[unit].members[0];
    for (int i = 0; i < d->assignment->syncs.count && d->routine->kind == ROUTINE_STEP; i++)
        for (int state = 0; state < d->decls->states.count; state++)
            if (writes_state(d, rule, state) && derive_names_state(d, &d->assignment->syncs.data[i], unit, state) &&
                !writes_later(f, level, tensor, state))
                derive_sync_state(d, body, unit, derive_ref(d->units[unit].state_buffer[state], slot),
                                  &d->assignment->syncs.data[i]);
}

static void emit_unit(Flat *f, int level, int unit)
{
    Derive *d = f->d;
    const Unit *u = &d->decls->units.data[unit];
    Span span = {0};
    bool any = false;
    for (int i = 0; i < f->ops.count; i++) {
        const Op *op = f->ops.data[i].op;
        if (d->ops[op->id].level != level || !is_member(d, unit, d->ops[op->id].tensor))
            continue;
        span = any ? span : op->span;
        any = true;
        if (!has_result(op)) {
            refuse(d, op->span, "an output of a parameter's state is");
            return;
        }
    }
    if (!any)
        return;
    Affine slot;
    NodeList *body = derive_unit_body(d, f->body, unit, &slot, span);
    emit_init(f, body, level, unit, slot);
    f->copies.count = 0;
    OpList *rules = arena_array(d->ctx->arena, OpList, u->member_count);
    for (int i = 0; i < u->member_count; i++)
        rules[i] = tensor_ops(f, level, u->members[i]);
    const OpList *rule = &rules[0];
    const Op *last = last_parameter_write(d, rule);
    bool same = check_counts(d, unit, rules);
    for (int i = 0; same && i < rule->count; i++) {
        if (is_by_member(d, rule->data[i]))
            emit_matrix_op(f, body, rule->data[i], unit, slot, u->members[0]);
        else
            emit_unit_op(f, body, rule->data[i], unit, slot);
        same = emit_members(f, body, unit, rules, i, slot);
        if (rule->data[i] == last)
            derive_store_parameter(d, body, unit, slot);
    }
    sync_states(f, body, level, unit, rule, slot);
}

/* The temporaries of the update of a declared state belong to that state. */
static void find_updates(Flat *f)
{
    for (int i = f->ops.count - 1; i >= 0; i--) {
        const Op *op = f->ops.data[i].op;
        for (int j = 0; j < op->operand_count && has_result(op); j++) {
            RefBuffer *operand = buffer_of(f->d, op->operand[j]);
            if (operand->role == ROLE_UPDATE)
                operand->updates = buffer_of(f->d, op->out)->updates;
        }
    }
}

void derive_flat(Derive *d, const Routine *routine, NodeList *body)
{
    Flat f = {.d = d, .body = body};
    list_flat(&f, &routine->body, NULL);
    find_levels(&f);
    find_updates(&f);
    find_matrices(&f);
    for (int level = 0; level < f.level_count; level++) {
        if (level % 2 != 0)
            prepare_sums(&f, level);
        for (int i = 0; level % 2 == 0 && i < f.ops.count; i++)
            if (d->ops[f.ops.data[i].op->id].level == level)
                emit_plain(&f, &f.ops.data[i]);
        for (int unit = 0; level % 2 != 0 && unit < d->decls->units.count; unit++)
            emit_unit(&f, level, unit);
        if (level % 2 != 0)
            reduce_sums(&f);
    }
    derive_finish_syncs(d, body);
}

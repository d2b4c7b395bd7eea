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
#include "derive/emit.h"

#include <string.h>

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
    Emit *e;
    const RoutineFacts *routine;
    NodeList *body;
    OpList ops;            /* of the current level, */
    Vec(Sum) sums;         /* and its sums */
    Vec(WholeCopy) copies; /* of the current unit */
} Flat;

static const RefBuffer *buffer_of(const Emit *e, Ref ref)
{
    return &e->facts->buffers[ref.buffer];
}

static bool has_result(const Op *op)
{
    return op_has_result(op->kind);
}

static void refuse(Emit *e, Span span, const char *what)
{
    diag_report(e->ctx->diag, P0290, span, "%s not supported yet", what);
    e->failed = true;
}

/* ---- Scalars ------------------------------------------------------------------------------------------------ */

static Ref scalar_ref(const Flat *f, Ref ref)
{
    Emit *e = f->e;
    const RefBuffer *buffer = buffer_of(e, ref);
    bool sum = buffer->partial && e->total[ref.buffer] >= 0;
    return derive_ref(sum ? e->total[ref.buffer] : derive_plain_buffer(e, ref.buffer), derive_map_affine(e, ref.slot));
}

static void set_seed(const Emit *e, Op *op)
{
    const Seed *seed = &e->facts->assignment->seed;
    bool given = seed->base != 0 || span_known(e->facts->assignment->seed_span);
    for (int i = 0; i < STEP_MAX_AXES; i++)
        given |= seed->per_axis[i] != 0;
    if (op->kind != OP_INIT || !given)
        return;
    op->seed = *seed;
    for (int i = 0; i < STEP_MAX_AXES; i++)
        if (seed->per_axis[i] != 0)
            op->span = e->facts->assignment->seed_span;
}

static const NumberSync *find_number(const Emit *e, int ref)
{
    for (int i = 0; i < e->routine->numbers.count; i++)
        if (e->routine->numbers.data[i].ref == ref)
            return &e->routine->numbers.data[i];
    return NULL;
}

/* The syncs of a number that is complete. */
static void sync_number(Emit *e, NodeList *body, const Op *ref_op, Ref at)
{
    const NumberSync *number = find_number(e, ref_op->out.buffer);
    if (number != NULL && e->facts->ops[ref_op->id].completes)
        derive_emit_steps(e, body, NULL, at, &number->done, ref_op->span);
}

static void emit_plain(Flat *f, const FlatOp *flat)
{
    Emit *e = f->e;
    NodeList *body = f->body;
    if (flat->loop != NULL) {
        Node *loop = derive_emit_loop(e, body, LOOP_LAYERS, flat->loop->loop.group, flat->loop->loop.first.constant,
                                      flat->loop->loop.last.constant, flat->loop->span);
        loop->loop.step = flat->loop->loop.step;
        e->loop_map[flat->loop->loop.id] = loop->loop.id;
        body = &loop->body;
    }
    Op op = *flat->op;
    for (int i = 0; i < op.operand_count; i++)
        op.operand[i] = scalar_ref(f, op.operand[i]);
    if (has_result(&op))
        op.out = scalar_ref(f, op.out);
    set_seed(e, &op);
    derive_emit_copy(e, body, &op);
    if (has_result(&op)) {
        derive_sync_statistic(e, body, &op);
        sync_number(e, body, flat->op, op.out);
    }
}

/* ---- Sums over parameters ----------------------------------------------------------------------------------- */

/* Do syncs determine its sum over the ranks? */
static bool is_synced(const Emit *e, int ref)
{
    return e->facts->norm_sync != NULL || e->facts->buffers[ref].syncs.count > 0;
}

static int sum_buffer(Flat *f, int ref, int unit, Span span)
{
    Emit *e = f->e;
    const UnitInfo *u = &e->units[unit];
    AxisSet axes = is_synced(e, ref) ? (AxisSet){0} : axes_union(e->facts->decls, u->member_cuts, u->optimizer);
    bool first = true;
    for (int i = 0; i < f->sums.count; i++) {
        if (f->sums.data[i].ref != ref)
            continue;
        if (axes_equal(f->sums.data[i].axes, axes))
            return f->sums.data[i].buffer;
        first = false;
    }
    Sum sum = {ref, derive_plain_buffer(e, ref), axes, e->units[unit].optimizer_span};
    if (!first) {
        Buffer another = e->program->buffers.data[sum.buffer];
        another.name = arena_printf(e->ctx->arena, "%s.%s", another.name,
                                    axes.count > 0 ? axes_name(e->ctx->arena, e->facts->decls, axes) : "whole");
        sum.buffer = derive_add_buffer(e, another);
        derive_emit_fill(e, f->body, derive_scalar(sum.buffer), 0, span);
    }
    if (e->facts->norm_sync != NULL)
        e->program->buffers.data[sum.buffer].span = e->facts->norm_sync->span;
    vec_push(e->ctx->arena, &f->sums, sum);
    return sum.buffer;
}

/* Before the loops of a level: creates its sums, so that they are cleared outside any loop. */
static void prepare_sums(Flat *f)
{
    Emit *e = f->e;
    f->sums.count = 0;
    for (int i = 0; i < f->ops.count; i++) {
        const Op *op = f->ops.data[i];
        const RefOp *info = &e->facts->ops[op->id];
        if (!derive_sums_parameters(e->facts, op))
            continue;
        for (int unit = 0; unit < e->facts->decls->units.count; unit++)
            if (unit_offset(&e->facts->decls->units.data[unit], info->tensor) >= 0)
                sum_buffer(f, op->out.buffer, unit, op->span);
    }
}

/* The syncs of a sum over parameters, on a rank's own part. */
static void sync_sum(Emit *e, NodeList *body, int ref, Ref at)
{
    const NumberSync *number = find_number(e, ref);
    if (number != NULL)
        derive_emit_steps(e, body, NULL, at, &number->done, (Span){0});
}

static void reduce_sums(Flat *f)
{
    Emit *e = f->e;
    for (int i = 0; i < f->sums.count; i++) {
        const Sum *sum = &f->sums.data[i];
        Ref ref = derive_scalar(sum->buffer);
        if (e->facts->norm_sync != NULL)
            derive_scalar_sync(e, f->body, sum->buffer, e->facts->norm_sync);
        if (is_synced(e, sum->ref))
            sync_sum(e, f->body, sum->ref, ref);
        else if (sum->axes.count > 0)
            derive_emit_over(e, f->body, OP_ALL_REDUCE, ref, ref, sum->axes, sum->span);
    }
    for (int i = 0; i < f->sums.count; i++) {
        const Sum *sum = &f->sums.data[i];
        int total = derive_plain_buffer(e, sum->ref);
        if (sum->buffer != total)
            derive_emit_from(e, f->body, OP_COPY, derive_scalar(total), derive_scalar(sum->buffer), sum->span)
                ->accumulate = true;
    }
}

/* ---- Units -------------------------------------------------------------------------------------------------- */

static int find_update_buffer(const Emit *e, int ref, int unit)
{
    for (int i = 0; i < e->update_buffers.count; i++)
        if (e->update_buffers.data[i].ref == ref && e->update_buffers.data[i].unit == unit)
            return e->update_buffers.data[i].buffer;
    return -1;
}

static void name_update_buffer(Emit *e, int ref, int unit, int buffer)
{
    if (find_update_buffer(e, ref, unit) < 0)
        vec_push(e->ctx->arena, &e->update_buffers, (UpdateBuffer){ref, unit, buffer});
}

/* The form in which the update of a state is computed. */
static AxisSet form_of(const Emit *e, int unit, int updates)
{
    return updates >= 0 ? e->units[unit].state_cut[updates] : e->units[unit].optimizer;
}

static int update_buffer(Emit *e, int ref, int unit)
{
    int buffer = find_update_buffer(e, ref, unit);
    if (buffer >= 0)
        return buffer;
    const Buffer *like = &e->facts->reference->buffers.data[ref];
    const RefBuffer *info = &e->facts->buffers[ref];
    bool cut = info->role == ROLE_UPDATE && info->each == EACH_ELEMENT;
    buffer = derive_add_unit_buffer(e, unit, like->name, like->dtype, CATEGORY_BUFFERS,
                                    cut ? form_of(e, unit, info->updates) : (AxisSet){0}, like->span);
    e->program->buffers.data[buffer].each = info->each;
    name_update_buffer(e, ref, unit, buffer);
    return buffer;
}

static Ref unit_ref(Flat *f, NodeList *body, Ref ref, int unit, Affine slot, bool write)
{
    Emit *e = f->e;
    switch (buffer_of(e, ref)->role) {
    case ROLE_PLAIN:
        return scalar_ref(f, ref);
    case ROLE_PARAMETER:
        return derive_parameter_for_update(e, body, unit, slot, write);
    case ROLE_GRADIENT:
        return derive_gradient_for_update(e, body, unit, slot);
    case ROLE_STATE:
        return derive_ref(e->buffers[unit].state_buffer[e->facts->reference->buffers.data[ref.buffer].state], slot);
    case ROLE_UPDATE:
        return derive_ref(update_buffer(e, ref.buffer, unit), slot);
    case ROLE_MATRIX: {
        Ref whole = derive_ref(update_buffer(e, ref.buffer, unit), slot);
        return derive_in_form(e, body, unit, whole, (AxisSet){0}, e->units[unit].optimizer,
                              e->units[unit].optimizer_span);
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
    vec_push(f->e->ctx->arena, &f->copies, ((WholeCopy){buffer, tensor, whole}));
}

/* A dense buffer for a whole tensor of a unit's flat buffer `like`. */
static Ref whole_tensor(const Flat *f, int like, int tensor, Span span)
{
    Emit *e = f->e;
    const Tensor *t = &e->facts->decls->tensors.data[tensor];
    Buffer whole = {.name = arena_printf(e->ctx->arena, "%s.%s", e->program->buffers.data[like].name, t->name),
                    .dtype = e->program->buffers.data[like].dtype,
                    .category = CATEGORY_BUFFERS,
                    .slots = 1,
                    .layout = LAYOUT_DENSE,
                    .dim_count = t->dim_count,
                    .state = -1,
                    .tensor = -1,
                    .span = span};
    for (int i = 0; i < t->dim_count; i++)
        whole.dims[i].size = t->dims[i];
    return derive_scalar(derive_add_buffer(e, whole));
}

/* Gathers a member, which ranks have in shards if it is sharded by a dim; `buffer`: what it is a copy of. */
static Ref joined_member(Flat *f, NodeList *body, Ref member, int buffer, int unit)
{
    Emit *e = f->e;
    const UnitInfo *u = &e->units[unit];
    Span span = e->units[unit].parameter_span;
    int known = known_copy(f, buffer, member.member);
    if (u->member_cuts.count == 0)
        return member;
    if (known >= 0)
        return derive_scalar(known);
    Ref whole = whole_tensor(f, member.buffer, member.member, span);
    derive_emit_over(e, body, OP_ALL_GATHER, whole, member, u->member_cuts, span);
    know_copy(f, buffer, member.member, whole.buffer);
    return whole;
}

/* A member of the whole copy of a flat value, which is gathered for its first use. */
static Ref whole_member(Flat *f, NodeList *body, Ref ref, AxisSet have, int unit, int tensor)
{
    Emit *e = f->e;
    Ref whole = ref;
    int known = have.count > 0 ? known_copy(f, ref.buffer, -1) : ref.buffer;
    whole.buffer = known;
    if (known < 0) {
        whole = derive_in_form(e, body, unit, ref, have, (AxisSet){0}, e->units[unit].optimizer_span);
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
    Emit *e = f->e;
    const RefBuffer *buffer = buffer_of(e, ref);
    if (buffer->role == ROLE_PLAIN)
        return scalar_ref(f, ref);
    if (buffer->role == ROLE_MATRIX && !buffer->in_unit) {
        int dense = derive_plain_buffer(e, ref.buffer);
        e->program->buffers.data[dense].slots = 1;
        return derive_scalar(dense);
    }
    if (buffer->role == ROLE_MATRIX || buffer->each != EACH_ELEMENT) {
        Ref member = buffer->role == ROLE_MATRIX ? derive_ref(update_buffer(e, ref.buffer, unit), slot)
                                                 : unit_ref(f, body, ref, unit, slot, false);
        member.member = tensor;
        return buffer->role == ROLE_MATRIX ? joined_member(f, body, member, member.buffer, unit) : member;
    }
    return whole_member(f, body, unit_ref(f, body, ref, unit, slot, false), e->units[unit].optimizer, unit, tensor);
}

/* If members are sharded by a dim, every rank computes the whole matrix and keeps its shard. */
static void emit_matrix_op(Flat *f, NodeList *body, const Op *ref_op, int unit, Affine slot, int tensor)
{
    Emit *e = f->e;
    const RefBuffer *result = buffer_of(e, ref_op->out);
    Op op = *ref_op;
    for (int i = 0; i < op.operand_count; i++)
        op.operand[i] = matrix_ref(f, body, op.operand[i], unit, slot, tensor);
    bool piece = result->role == ROLE_MATRIX && result->in_unit && e->units[unit].member_cuts.count > 0;
    op.tensor = -1;
    if (!piece) {
        op.out = matrix_ref(f, body, op.out, unit, slot, tensor);
        derive_emit_copy(e, body, &op);
        return;
    }
    Ref out = derive_ref(update_buffer(e, ref_op->out.buffer, unit), slot);
    Span span = e->units[unit].parameter_span;
    out.member = tensor;
    op.out = whole_tensor(f, out.buffer, tensor, span);
    derive_emit_copy(e, body, &op);
    derive_emit_over(e, body, OP_SLICE, out, op.out, e->units[unit].member_cuts, span);
}

/* Is it done member by member? Work on whole tensors is, and on numbers that differ between members. */
static bool is_by_member(const Emit *e, const Op *op)
{
    const RefBuffer *out = buffer_of(e, op->out);
    return out->role == ROLE_MATRIX || (op->kind == OP_FILL && out->role == ROLE_UPDATE);
}

/* ---- Operators on flat slots -------------------------------------------------------------------------------- */

/* An operand of the update of a declared state, in the form of this state. */
static Ref declared_operand(Flat *f, NodeList *body, const Op *op, Ref ref, int unit, Affine slot)
{
    Emit *e = f->e;
    const UnitBuffers *b = &e->buffers[unit];
    const UnitInfo *u = &e->units[unit];
    const RefBuffer *buffer = buffer_of(e, ref);
    AxisSet want = form_of(e, unit, buffer_of(e, op->out)->updates), have = u->optimizer;
    if (buffer->role == ROLE_PLAIN)
        return scalar_ref(f, ref);
    if (buffer->role == ROLE_PARAMETER && (b->parameter_seen < 0 || !axes_equal(have, want)))
        return derive_in_form(e, body, unit, derive_ref(b->parameter_buffer, slot), u->parameters, want, op->span);
    if (buffer->role == ROLE_STATE)
        have = u->state_cut[e->facts->reference->buffers.data[ref.buffer].state];
    else if (buffer->role == ROLE_UPDATE)
        have = want;
    return derive_in_form(e, body, unit, unit_ref(f, body, ref, unit, slot, false), have, want, op->span);
}

/* The axes that shard what a unit's members have such numbers for; all members of a unit are sharded the same way. */
static AxisSet number_cuts(const Emit *e, int unit, Each each)
{
    const Unit *u = &e->facts->decls->units.data[unit];
    Dim dims[STEP_MAX_DIMS];
    AxisSet axes = {0};
    int first, count = each_dims(each, e->facts->decls->tensors.data[u->members[0]].dim_count, &first);
    unit_member_dims(e->facts->decls, u, 0, dims);
    for (int i = first; i < first + count; i++) {
        AxisSet cut = {.count = dims[i].cut_count};
        memcpy(cut.axis, dims[i].cut, sizeof dims[i].cut);
        axes = axes_union(e->facts->decls, axes, cut);
    }
    return axes_common(e->units[unit].member_cuts, axes);
}

/* Reduces numbers of rows, columns or tensors that were summed over shards. */
static void reduce_numbers(Flat *f, NodeList *body, const Op *op, int unit)
{
    Emit *e = f->e;
    const Buffer *out = &e->program->buffers.data[op->out.buffer];
    if (op_info[op->kind].op_class != CLASS_SUM || out->layout != LAYOUT_UNIT)
        return;
    const Buffer *summed = &e->program->buffers.data[op->operand[0].buffer];
    AxisSet axes = {.count = summed->cut_count};
    memcpy(axes.axis, summed->cut, sizeof summed->cut);
    axes = axes_union(e->facts->decls,
                      axes_without(number_cuts(e, unit, summed->each), number_cuts(e, unit, out->each)), axes);
    if (axes.count > 0)
        derive_emit_over(e, body, OP_ALL_REDUCE, op->out, op->out, axes, e->units[unit].optimizer_span);
}

static void emit_unit_op(Flat *f, NodeList *body, const Op *ref_op, int unit, Affine slot)
{
    Emit *e = f->e;
    Op op = *ref_op;
    bool declared = buffer_of(e, ref_op->out)->updates >= 0;
    for (int i = 0; i < op.operand_count; i++)
        op.operand[i] = declared ? declared_operand(f, body, ref_op, op.operand[i], unit, slot)
                                 : unit_ref(f, body, op.operand[i], unit, slot, false);
    if (derive_sums_parameters(e->facts, ref_op))
        op.out = derive_scalar(sum_buffer(f, op.out.buffer, unit, op.span));
    else
        op.out = unit_ref(f, body, op.out, unit, slot, !op.accumulate);
    if (op.accumulate && buffer_of(e, ref_op->out)->role == ROLE_STATE)
        unit_ref(f, body, ref_op->out, unit, slot, true);
    op.spec = "";
    if (e->facts->decls->units.data[unit].member_count > 1)
        op.tensor = -1;
    derive_emit_copy(e, body, &op);
    forget_copies(f, op.out.buffer);
    reduce_numbers(f, body, &op, unit);
}

/* The operators of the level that work on one tensor, in order. */
static OpList tensor_ops(const Flat *f, int tensor)
{
    OpList list = {0};
    for (int i = 0; i < f->ops.count; i++) {
        const Op *op = f->ops.data[i];
        if (f->e->facts->ops[op->id].tensor == tensor && op->kind != OP_INIT)
            vec_push(f->e->ctx->arena, &list, op);
    }
    return list;
}

static bool same_role(const Emit *e, Ref x, Ref y, int unit)
{
    const RefBuffer *a = buffer_of(e, x), *b = buffer_of(e, y);
    if (a->role != b->role)
        return false;
    if (a->role == ROLE_PLAIN)
        return x.buffer == y.buffer;
    if (a->role == ROLE_STATE)
        return e->facts->reference->buffers.data[x.buffer].state == e->facts->reference->buffers.data[y.buffer].state;
    if (a->role == ROLE_MATRIX)
        return a->in_unit == b->in_unit;
    return a->role != ROLE_UPDATE || find_update_buffer(e, x.buffer, unit) == find_update_buffer(e, y.buffer, unit);
}

static bool same_scale(const Scale *x, const Scale *y)
{
    return x->numerator == y->numerator && x->denominator == y->denominator;
}

static bool same_rule(Emit *e, const Op *x, const Op *y, int unit)
{
    bool by_member = is_by_member(e, x);
    if (x->kind != y->kind || x->accumulate != y->accumulate || x->immediate_count != y->immediate_count ||
        (!by_member && memcmp(x->immediate, y->immediate, sizeof(double) * (size_t)x->immediate_count) != 0) ||
        (x->kind == OP_SCALE && !same_scale(&x->scale, &y->scale)))
        return false;
    for (int i = 0; i < x->operand_count; i++)
        if (!same_role(e, x->operand[i], y->operand[i], unit))
            return false;
    const RefBuffer *out = buffer_of(e, x->out);
    if ((out->role == ROLE_UPDATE || out->in_unit) && buffer_of(e, y->out)->role == out->role)
        name_update_buffer(e, y->out.buffer, unit, find_update_buffer(e, x->out.buffer, unit));
    return same_role(e, x->out, y->out, unit);
}

static bool refuse_rule(Emit *e, int tensor)
{
    refuse(e, e->facts->decls->tensors.data[tensor].span, "a unit whose parameters are updated by different rules is");
    return false;
}

/* The other members of the unit must be updated as the first one is: by as many operators, */
static bool check_counts(Emit *e, int unit, const OpList *rules)
{
    const Unit *u = &e->facts->decls->units.data[unit];
    for (int i = 1; i < u->member_count; i++)
        if (rules[i].count != rules[0].count)
            return refuse_rule(e, u->members[i]);
    return true;
}

/* and by the same operator, the one at `index`, as emitted for the first member. Otherwise it is not emitted again. */
static bool emit_members(Flat *f, NodeList *body, int unit, const OpList *rules, int index, Affine slot)
{
    Emit *e = f->e;
    const Unit *u = &e->facts->decls->units.data[unit];
    const Op *first = rules[0].data[index];
    for (int i = 1; i < u->member_count; i++) {
        const Op *op = rules[i].data[index];
        if (!same_rule(e, first, op, unit))
            return refuse_rule(e, u->members[i]);
        if (is_by_member(e, first))
            emit_matrix_op(f, body, op, unit, slot, u->members[i]);
    }
    return true;
}

static bool is_member(const Emit *e, int unit, int tensor)
{
    return tensor >= 0 && unit_offset(&e->facts->decls->units.data[unit], tensor) >= 0;
}

/* Initial values of all members, in the unit's stored form: every element depends only on its logical place. */
static void emit_init(Flat *f, NodeList *body, int unit, Affine slot)
{
    Emit *e = f->e;
    for (int i = 0; i < f->ops.count; i++) {
        const Op *op = f->ops.data[i];
        if (op->kind != OP_INIT || !is_member(e, unit, e->facts->ops[op->id].tensor))
            continue;
        Op init = *op;
        init.out = derive_ref(e->buffers[unit].parameter_buffer, slot);
        init.tensor = -1;
        set_seed(e, &init);
        derive_emit_copy(e, body, &init);
        derive_sync_start(e, body, unit, slot);
        return;
    }
}

static const Op *last_parameter_write(const Emit *e, const OpList *rule)
{
    for (int i = rule->count - 1; i >= 0; i--)
        if (buffer_of(e, rule->data[i]->out)->role == ROLE_PARAMETER)
            return rule->data[i];
    return NULL;
}

/* Applies the syncs of the states whose update ends with the operators of a level. */
static void sync_states(const Flat *f, NodeList *body, int level, int unit, Affine slot)
{
    Emit *e = f->e;
    const UnitChoice *choice = &e->choices->unit_choices[unit];
    for (int i = 0; i < choice->states.count && e->routine->facts->routine->kind == ROUTINE_STEP; i++) {
        const StateSync *sync = &choice->states.data[i];
        if (sync->level == level)
            derive_sync_state(e, body, unit, derive_ref(e->buffers[unit].state_buffer[sync->state], slot), &sync->sync);
    }
}

static void emit_unit(Flat *f, int level, int unit)
{
    Emit *e = f->e;
    const Unit *u = &e->facts->decls->units.data[unit];
    Span span = {0};
    bool any = false;
    for (int i = 0; i < f->ops.count; i++) {
        const Op *op = f->ops.data[i];
        if (!is_member(e, unit, e->facts->ops[op->id].tensor))
            continue;
        span = any ? span : op->span;
        any = true;
        if (!has_result(op)) {
            refuse(e, op->span, "an output of a parameter's state is");
            return;
        }
    }
    if (!any)
        return;
    Affine slot;
    NodeList *body = derive_unit_body(e, f->body, unit, &slot, span);
    emit_init(f, body, unit, slot);
    f->copies.count = 0;
    OpList *rules = arena_array(e->ctx->arena, OpList, u->member_count);
    for (int i = 0; i < u->member_count; i++)
        rules[i] = tensor_ops(f, u->members[i]);
    const OpList *rule = &rules[0];
    const Op *last = last_parameter_write(e, rule);
    bool same = check_counts(e, unit, rules);
    for (int i = 0; same && i < rule->count; i++) {
        if (is_by_member(e, rule->data[i]))
            emit_matrix_op(f, body, rule->data[i], unit, slot, u->members[0]);
        else
            emit_unit_op(f, body, rule->data[i], unit, slot);
        same = emit_members(f, body, unit, rules, i, slot);
        if (rule->data[i] == last)
            derive_store_parameter(e, body, unit, slot);
    }
    sync_states(f, body, level, unit, slot);
}

static void find_level(Flat *f, int level)
{
    f->ops.count = 0;
    for (int i = 0; i < f->routine->flat.count; i++) {
        const Op *op = f->routine->flat.data[i].op;
        if (f->e->facts->ops[op->id].level == level)
            vec_push(f->e->ctx->arena, &f->ops, op);
    }
}

/* Scalars. */
static void emit_even(Flat *f, int level)
{
    for (int i = 0; i < f->routine->flat.count; i++)
        if (f->e->facts->ops[f->routine->flat.data[i].op->id].level == level)
            emit_plain(f, &f->routine->flat.data[i]);
}

/* Work on single parameters. */
static void emit_odd(Flat *f, int level)
{
    find_level(f, level);
    prepare_sums(f);
    for (int unit = 0; unit < f->e->facts->decls->units.count; unit++)
        emit_unit(f, level, unit);
    reduce_sums(f);
}

void derive_flat(Emit *e, NodeList *body)
{
    Flat f = {.e = e, .routine = e->routine->facts, .body = body};
    for (int level = 0; level < f.routine->level_count; level++)
        if (level % 2 == 0)
            emit_even(&f, level);
        else
            emit_odd(&f, level);
    derive_finish_syncs(e, body);
}

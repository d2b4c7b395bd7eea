/* prepare.c - checks the shapes of operators against layouts: everything that does not depend on values
 * (verify/prepare.h). */
#include "verify/prepare_internal.h"

#include <math.h>
#include <string.h>

struct PreparedMap {
    int capacity;
    Prepared **slots; /* by address of the operator */
};

/* ---- Kinds of operators ------------------------------------------------------------------------------------- */

bool op_is_additive(OpKind kind)
{
    return kind == OP_ADD || kind == OP_SUB || kind == OP_COPY || kind == OP_CAST || kind == OP_SCALE;
}

bool op_is_update(OpKind kind, int *gradient, int *state)
{
    static const struct {
        OpKind kind;
        int gradient, state;
    } updates[] = {
        {OP_EMA, 1, 0}, {OP_EMA_SQUARE, 1, 0}, {OP_MOMENTUM, 1, 0}, {OP_SGD, 1, 0}, {OP_DECAY_GRADIENT, 0, 1}};
    for (size_t i = 0; i < sizeof updates / sizeof *updates; i++)
        if (updates[i].kind == kind) {
            *gradient = updates[i].gradient;
            *state = updates[i].state;
            return true;
        }
    return false;
}

/* ---- References --------------------------------------------------------------------------------------------- */

/* A member is seen of a slot that is cut; `operand` is -1 for the result. */
static void fault_member(Prepare *p, Prepared *prepared, int operand, const Cuts *cuts)
{
    if (operand >= 0)
        fault_cut(p, prepared, operand, cuts_mask(cuts));
    fault_shape(p, prepared, "a member of a cut unit cannot be written");
}

/* Members can be seen only of units that have them, and in slots that no flat cut divides. */
static bool check_ref(Prepare *p, Prepared *prepared, const Ref *ref, int operand)
{
    const Buffer *buffer = &p->program->buffers.data[ref->buffer];
    if (ref->member < 0)
        return true;
    const Decls *decls = p->program->decls;
    Cuts cuts = {0};
    for (int i = 0; i < buffer->cut_count; i++)
        cuts_add(decls, p->reference, &cuts, buffer->cut[i]);
    if (cuts.count == 0)
        return true;
    fault_member(p, prepared, operand, &cuts);
    return false;
}

/* A flat slot is cut as its members are, which is one cut only if the same axes cut the rows, or columns, of all.
 * Members that are cut differently must be addressed one by one; only a fill does not depend on the cut. */
static bool check_members(Prepare *p, Prepared *prepared, const View *view)
{
    if (!view->flat || prepared->op->kind == OP_FILL || (view->each != EACH_ROW && view->each != EACH_COLUMN))
        return true;
    const Unit *unit = &p->program->decls->units.data[view->unit];
    for (int m = 0; unit->member_dims != NULL && m < unit->member_count; m++) {
        View member = {0};
        member_view(p->program->decls, p->reference, unit, view->each, m, &member);
        if (view_mask(&member) != view->members) {
            fault_shape(p, prepared, "rows or columns of members that are cut over different axes");
            return false;
        }
    }
    return true;
}

/* Do the microbatches cut a dim into pieces of different sizes? */
static bool view_is_uneven(const Prepare *p, const View *view)
{
    for (int d = 0; d < view->dim_count; d++) {
        const Cuts *cuts = &view->dim_cuts[d];
        bool first = cuts->count > 0 && cuts->axis[0] == TIME_BIT;
        int64_t parts = first ? p->table->micro : cuts_parts(p, cuts);
        if ((cuts_mask(cuts) & TIME_MASK) != 0 && view->size[d] % parts != 0)
            return true;
    }
    return false;
}

static bool buffer_has_micro(const Buffer *buffer)
{
    for (int d = 0; d < buffer->dim_count && buffer->layout == LAYOUT_DENSE; d++)
        for (int i = 0; i < buffer->dims[d].cut_count; i++)
            if (buffer->dims[d].cut[i] == CUT_MICRO)
                return true;
    return false;
}

/* ---- Every operator ----------------------------------------------------------------------------------------- */

static bool is_integer(const Prepare *p, const Ref *ref)
{
    return p->program->buffers.data[ref->buffer].dtype == DTYPE_I32;
}

/* Whole numbers of what is compared. */
static bool choice_fits(const Prepare *p, const Op *op)
{
    switch (op_choice(op->kind)) {
    case CHOICE_TOP:
        return is_integer(p, &op->out) && !is_integer(p, &op->operand[0]);
    case CHOICE_QUEUE:
    case CHOICE_QUEUE_ALL:
        return is_integer(p, &op->out) && is_integer(p, &op->operand[0]) && is_integer(p, &op->operand[1]);
    }
    BUG("a choice that is none");
}

/* The proof treats a cast as the identity because it only rounds: nothing else may become an integer. */
static void check_integers(Prepare *p, Prepared *prepared)
{
    const Op *op = prepared->op;
    OpClass class = op_info[op->kind].op_class;
    if (!op_has_result(op->kind))
        return;
    bool integer = is_integer(p, &op->out), fits = true;
    if (op->kind == OP_READ) {
        fits = op->tensor < 0 || (p->program->decls->tensors.data[op->tensor].dtype == DTYPE_I32) == integer;
    } else if (integer && op->kind == OP_FILL) {
        double value = op->immediate[0];
        fits = value >= INT32_MIN && value <= INT32_MAX && value == floor(value);
    } else if (class == CLASS_CHOICE) {
        fits = choice_fits(p, op);
    } else if (integer && op->kind != OP_IOTA) {
        fits = class == CLASS_MOVE || class == CLASS_COMM || op->kind == OP_COPY || op->kind == OP_CAST ||
               op->kind == OP_ADD || op->kind == OP_SUB || op->kind == OP_FILLED;
        for (int i = 0; i < op->operand_count; i++)
            fits = fits && is_integer(p, &op->operand[i]);
    }
    if (class == CLASS_GATHER || class == CLASS_SCATTER) /* indices */
        fits = fits && is_integer(p, &op->operand[0]);
    if (!fits)
        fault_shape(p, prepared, "integers and other numbers");
}

/* Zeros, copies, collectives that only pass pieces on, and products of pieces. */
static bool takes_padding(const Op *op)
{
    return op->kind == OP_COPY || op->kind == OP_PERMUTE || op_in_pieces(op) ||
           (op->kind == OP_FILL && op->immediate[0] == 0);
}

/* Halos are for windows, and for what makes them or copies from another tier. */
static bool takes_halo(const Op *op)
{
    return op_info[op->kind].op_class == CLASS_WINDOW || op->kind == OP_HALO || op->kind == OP_HALO_ADD ||
           op->kind == OP_COPY;
}

static bool fault_ref(Prepare *p, Prepared *prepared, const Ref *ref, const char *what)
{
    fault_shape(p, prepared, arena_printf(p->ctx->arena, "'%s' %s", ref_name(p, ref), what));
    return false;
}

/* The view of operand `index`, or of the result if it is the number of operands; false if it cannot be used. */
static bool prepare_ref(Prepare *p, Prepared *prepared, int index, View *view)
{
    const Op *op = prepared->op;
    bool result = index == op->operand_count;
    const Ref *ref = result ? &op->out : &op->operand[index];
    const Buffer *buffer = &p->program->buffers.data[ref->buffer];
    if (!check_ref(p, prepared, ref, result ? -1 : index))
        return false;
    if (buffer->tier != TIER_DEVICE && op->kind != OP_COPY && op->kind != OP_INIT)
        return fault_ref(p, prepared, ref, "is on another tier, and can only be started and copied");
    view_make(p->program, ref, p->reference, view);
    if (!check_members(p, prepared, view))
        return false;
    if (view_has_halo(view) && !takes_halo(op))
        return fault_ref(p, prepared, ref, "has a halo, and only windows work on that");
    if (view_is_padded(view) && !takes_padding(op))
        return fault_ref(p, prepared, ref, "is padded, and works with other ranks' pieces only");
    prepared->uneven |= view_is_uneven(p, view);
    prepared->micro |= !p->reference && buffer_has_micro(buffer);
    return true;
}

static void prepare_compute(Prepare *p, Prepared *prepared, const View *views)
{
    const Op *op = prepared->op;
    Computing *compute = prepared->compute = arena_make(p->table->arena, Computing);
    bool flat = views[op->operand_count].flat;
    prepare_linear(compute, op->kind);
    for (int i = 0; i < op->operand_count; i++) {
        compute->operand_cuts[i] = view_mask(&views[i]);
        flat |= views[i].flat;
    }
    if (flat) {
        prepare_flat(p, prepared, views);
        return;
    }
    prepare_dense(p, prepared, views);
    if (op_info[op->kind].op_class == CLASS_ROW)
        check_rows(p, prepared, &views[0]);
}

static Prepared *prepare_op(Prepare *p, const Op *op)
{
    Prepared *prepared = arena_make(p->table->arena, Prepared);
    View views[STEP_MAX_OPERANDS + 1];
    prepared->op = op;
    memset(&views[op->operand_count], 0, sizeof *views);
    for (int i = 0; i < op->operand_count + op_has_result(op->kind); i++)
        if (!prepare_ref(p, prepared, i, &views[i]))
            return prepared;
    check_integers(p, prepared);
    switch (op_info[op->kind].op_class) {
    case CLASS_SINK:
        prepare_sink(p, prepared, views);
        break;
    case CLASS_SOURCE:
        prepare_source(p, prepared, views);
        break;
    case CLASS_MOVE:
    case CLASS_COMM:
        prepare_communication(p, prepared, views);
        break;
    case CLASS_MAP:
    case CLASS_ROW:
    case CLASS_SUM:
    case CLASS_CONTRACT:
    case CLASS_GATHER:
    case CLASS_SCATTER:
    case CLASS_CHOICE:
    case CLASS_WINDOW:
    case CLASS_VIEW:
        prepare_compute(p, prepared, views);
        break;
    }
    return prepared;
}

/* ---- The program -------------------------------------------------------------------------------------------- */

static int hash_address(const PreparedMap *map, const Op *op)
{
    return (int)(((uint64_t)(uintptr_t)op >> 4) * 0x9e3779b97f4a7c15u >> 40) & (map->capacity - 1);
}

static void prepare_nodes(Prepare *p, const NodeList *nodes)
{
    for (int i = 0; i < nodes->count; i++) {
        const Node *node = nodes->data[i];
        if (node->kind == NODE_OP) {
            int slot = hash_address(p->map, node->op);
            while (p->map->slots[slot] != NULL)
                slot = (slot + 1) & (p->map->capacity - 1);
            p->map->slots[slot] = prepare_op(p, node->op);
        } else if (node->kind != NODE_WAIT) {
            prepare_nodes(p, &node->body);
        }
    }
}

static int count_ops(const NodeList *nodes)
{
    int count = 0;
    for (int i = 0; i < nodes->count; i++)
        count += nodes->data[i]->kind == NODE_OP ? 1 : count_ops(&nodes->data[i]->body);
    return count;
}

PreparedMap *prepare_program(Ctx *ctx, Table *table, const Program *program, bool reference)
{
    int count = 0;
    for (int i = 0; i < program->routines.count; i++)
        count += count_ops(&program->routines.data[i].body);
    PreparedMap *map = arena_make(table->arena, PreparedMap);
    map->capacity = 16;
    while (map->capacity < 2 * count)
        map->capacity *= 2;
    map->slots = arena_array(table->arena, Prepared *, map->capacity);
    Prepare prepare = {.ctx = ctx, .table = table, .program = program, .reference = reference, .map = map};
    for (int i = 0; i < program->routines.count; i++)
        prepare_nodes(&prepare, &program->routines.data[i].body);
    return map;
}

const Prepared *prepared_find(const PreparedMap *map, const Op *op)
{
    int slot = hash_address(map, op);
    while (map->slots[slot] != NULL && map->slots[slot]->op != op)
        slot = (slot + 1) & (map->capacity - 1);
    if (map->slots[slot] == NULL)
        BUG("an operator that was never prepared");
    return map->slots[slot];
}

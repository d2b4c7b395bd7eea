/* flow.c - which dims the batch shards, and where an operator of the reference runs.
 *
 * The batch starts at the batch dims of the inputs and flows along index letters: dims with the same letter in one
 * operator are the same dim. An operator whose operands have the batch and whose result does not is a sum over it; such
 * a sum stays local through operators that are linear in it. Where a sum meets an operator that is not linear, an
 * output or an update, it must be complete: that operator, and everything that reads its result, runs after the
 * microbatches.
 */
#include "derive/facts.h"

#include "step/spec.h"

#include <string.h>

static void list_ops(Facts *f, const NodeList *body, OpList *list)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        if (node->kind == NODE_OP)
            vec_push(f->ctx->arena, list, node->op);
        else
            list_ops(f, &node->body, list);
    }
}

bool derive_is_zero_fill(const Op *op)
{
    return op->kind == OP_FILL && op->immediate[0] == 0;
}

/* ---- Letters ------------------------------------------------------------------------------------------------ */

/* The side of a view that divides the batch on which the microbatches are a dim: -1 the result, 0 the operand; 1 for
 * any other operator. In such a view the first letter is not shared, that side's first dim counts the microbatches and
 * its second the examples of each, and one of the two sides is known to have the batch there. */
static int parted_side(const Facts *f, const Op *op)
{
    if (op->kind != OP_VIEW || spec_is_empty(op))
        return 1;
    Spec spec = spec_of(op);
    SpecLetters before = spec.operand[0], after = spec.result;
    if (before.count > 0 && after.count > 0 && before.at[0] == after.at[0])
        return 1;
    int side = before.count < after.count ? -1 : 0;
    const Ref *parted = side < 0 ? &op->out : &op->operand[0], *whole = side < 0 ? &op->operand[0] : &op->out;
    const Dim *dims = f->reference->buffers.data[parted->buffer].dims;
    if (dims[0].size != f->decls->micro || dims[0].size * dims[1].size != f->train->batch)
        return 1;
    bool is_batch = (f->buffers[whole->buffer].batch_dims & 1) != 0 || (f->buffers[parted->buffer].batch_dims & 2) != 0;
    return is_batch ? side : 1;
}

const char *derive_spec(const Facts *f, const Op *op)
{
    int side = parted_side(f, op);
    if (side > 0)
        return op->spec;
    SpecLetters before = spec_letters(op->spec, 0), after = spec_letters(op->spec, SPEC_RESULT);
    char *spec = arena_printf(f->ctx->arena, "%s", op->spec);
    if (side == 0)
        spec[after.at - op->spec] = before.at[1];
    else
        spec[0] = after.at[1];
    return spec;
}

int derive_spec_letters(const Facts *f, const Op *op, int index, const char **letters)
{
    SpecLetters found = spec_letters(derive_spec(f, op), index);
    *letters = found.at;
    return found.count;
}

bool derive_view_outer(const Facts *f, const Op *op, int *dim)
{
    const char *before, *after;
    if (op_info[op->kind].op_class != CLASS_VIEW || parted_side(f, op) <= 0)
        return false;
    int counts[2] = {derive_spec_letters(f, op, 0, &before), derive_spec_letters(f, op, -1, &after)};
    for (*dim = 0; *dim < counts[0] && *dim < counts[1]; ++*dim)
        if (before[*dim] != after[*dim])
            return true;
    return false;
}

static RefBuffer *buffer_of(const Facts *f, Ref ref)
{
    return &f->finding->buffers[ref.buffer];
}

static bool has_result(const Op *op)
{
    return op_has_result(op->kind);
}

char derive_batch_letter(const Facts *f, const Op *op, int index)
{
    const char *letters;
    int count = derive_spec_letters(f, op, index, &letters);
    unsigned dims = f->buffers[index < 0 ? op->out.buffer : op->operand[index].buffer].batch_dims;
    for (int i = 0; i < count; i++)
        if (dims >> i & 1)
            return letters[i];
    return 0;
}

/* ---- Batch dims --------------------------------------------------------------------------------------------- */

static unsigned *dims_of(const Facts *f, const Op *op, int index, bool micro)
{
    RefBuffer *buffer = buffer_of(f, index < 0 ? op->out : op->operand[index]);
    return micro ? &buffer->micro_dims : &buffer->batch_dims;
}

/* As a bit: letters of ASCII differ in their last six. */
static uint64_t letter_bit(char letter)
{
    return (uint64_t)1 << (letter & 63);
}

/* The letters of an operand, or of the result, that name batch dims, or microbatches. */
static uint64_t take_batch(Facts *f, const Op *op, int index, bool micro)
{
    unsigned dims = *dims_of(f, op, index, micro);
    const char *letters;
    uint64_t taken = 0;
    int count = dims != 0 ? derive_spec_letters(f, op, index, &letters) : 0;
    for (int i = 0; i < count; i++)
        taken |= dims >> i & 1 ? letter_bit(letters[i]) : 0;
    return taken;
}

/* Marks the dims with these letters as such. */
static bool give_batch(Facts *f, const Op *op, int index, uint64_t given, bool micro)
{
    unsigned *dims = dims_of(f, op, index, micro), before = *dims;
    const char *letters;
    int count = derive_spec_letters(f, op, index, &letters);
    for (int i = 0; i < count; i++)
        *dims |= given & letter_bit(letters[i]) ? 1u << i : 0;
    return *dims != before;
}

/* Through a view the batch goes from the outermost dim that changes to that of the result. */
static bool flow_view(Facts *f, const Op *op)
{
    RefBuffer *buffer[2] = {buffer_of(f, op->operand[0]), buffer_of(f, op->out)};
    bool changed = false;
    int dim;
    if (!derive_view_outer(f, op, &dim))
        return false;
    for (int i = 0; i < 2; i++) {
        unsigned batch = buffer[1 - i]->batch_dims & 1u << dim;
        changed |= (batch & ~buffer[i]->batch_dims) != 0;
        buffer[i]->batch_dims |= batch;
    }
    return changed;
}

/* In a view that is known to divide the batch, the first dim is the microbatches. */
static bool flow_parted(Facts *f, const Op *op)
{
    int side = parted_side(f, op);
    unsigned *dims = side <= 0 ? dims_of(f, op, side, true) : NULL;
    if (dims == NULL || (*dims & 1) != 0)
        return false;
    *dims |= 1;
    return true;
}

static bool flow_op(Facts *f, const Op *op, bool micro)
{
    uint64_t letters = 0;
    int first = has_result(op) ? -1 : 0;
    for (int i = first; i < op->operand_count; i++)
        letters |= take_batch(f, op, i, micro);
    bool changed = false;
    for (int i = first; i < op->operand_count && letters != 0; i++)
        changed |= give_batch(f, op, i, letters, micro);
    return changed;
}

/* Does any value have a dim for the microbatches? */
static bool any_micro_dims(const Facts *f)
{
    for (int i = 0; i < f->reference->buffers.count; i++)
        if (f->buffers[i].micro_dims != 0)
            return true;
    return false;
}

static void flow_batch(Facts *f, const OpList *ops)
{
    for (int i = 0; i < ops->count; i++) {
        const Op *op = ops->data[i];
        if (op->kind == OP_ROW_MAX)
            buffer_of(f, op->out)->maximum = true;
        if (op->kind == OP_READ && f->decls->tensors.data[op->tensor].batch_dim >= 0)
            buffer_of(f, op->out)->batch_dims |= 1u << f->decls->tensors.data[op->tensor].batch_dim;
    }
    bool micro = any_micro_dims(f);
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < ops->count; i++) {
            bool parted = flow_parted(f, ops->data[i]);
            micro |= parted;
            changed |= parted | flow_op(f, ops->data[i], false) | flow_view(f, ops->data[i]);
            changed |= micro && flow_op(f, ops->data[i], true);
        }
    }
}

/* ---- Sums over the batch ------------------------------------------------------------------------------------ */

static bool in_group(const char *group, int operand)
{
    for (; *group != '\0' && *group != ' '; group++)
        if (*group == 'a' + operand)
            return true;
    return false;
}

/* Is the operator linear in its partial operands together, so that its result is the same kind of sum? */
static bool passes_sums(const Facts *f, const Op *op)
{
    if (op->kind == OP_OUTPUT)
        return false;
    const char *group = op_info[op->kind].linear;
    while (*group != '\0') {
        bool fits = true;
        for (int i = 0; i < op->operand_count; i++)
            fits &= buffer_of(f, op->operand[i])->partial == in_group(group, i);
        if (fits)
            return true;
        group += strcspn(group, " ");
        group += *group == ' ';
    }
    return false;
}

static bool any_operand(const Facts *f, const Op *op, bool (*test)(const RefBuffer *))
{
    for (int i = 0; i < op->operand_count; i++)
        if (test(buffer_of(f, op->operand[i])))
            return true;
    return false;
}

static bool is_partial(const RefBuffer *buffer)
{
    return buffer->partial;
}

static bool is_inner_value(const RefBuffer *buffer)
{
    return buffer->inner && buffer->role == ROLE_PLAIN;
}

static bool is_gradient(const RefBuffer *buffer)
{
    return buffer->role == ROLE_GRADIENT;
}

/* Finds what single examples depend on. Sums among it must be complete where they are computed, so the batch must not
 * be divided there, or they must be sums of one microbatch. They are then values like others, and their parts are
 * reduced where they are read. */
static void find_inner(Facts *f, const OpList *ops)
{
    for (int i = 0; i < ops->count; i++)
        if (has_result(ops->data[i]) && buffer_of(f, ops->data[i]->out)->micro_dims != 0)
            buffer_of(f, ops->data[i]->out)->inner = true;
    for (bool changed = f->decls->micro == 1; changed;) {
        changed = false;
        for (int i = ops->count - 1; i >= 0; i--) {
            const Op *op = ops->data[i];
            if (!has_result(op) || f->reference->buffers.data[op->out.buffer].persistent ||
                !(derive_is_cut(buffer_of(f, op->out)) || buffer_of(f, op->out)->inner))
                continue;
            for (int j = 0; j < op->operand_count; j++) {
                changed |= !buffer_of(f, op->operand[j])->inner;
                buffer_of(f, op->operand[j])->inner = true;
            }
        }
    }
}

/* Is the result, if the operator runs in the microbatch loop, a sum over a part of the batch? */
static bool makes_sum(const Facts *f, const Op *op)
{
    if (!has_result(op) || derive_is_cut(buffer_of(f, op->out)) || buffer_of(f, op->out)->inner)
        return false;
    if (any_operand(f, op, is_partial))
        return passes_sums(f, op);
    return any_operand(f, op, derive_is_cut) ||
           (is_gradient(buffer_of(f, op->out)) && any_operand(f, op, is_inner_value));
}

static void flow_sums(Facts *f, const OpList *ops)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < ops->count; i++) {
            const Op *op = ops->data[i];
            RefOp *info = &f->finding->ops[op->id];
            if (info->partial || any_operand(f, op, is_gradient) || !makes_sum(f, op))
                continue;
            info->partial = changed = true;
            if (!is_gradient(buffer_of(f, op->out)))
                buffer_of(f, op->out)->partial = true;
        }
    }
}

/* ---- Sums that single examples depend on, of several microbatches ------------------------------------------- */

typedef struct Early {
    Facts *f;
    const OpList *ops;
    bool *complete; /* per buffer: computed from complete sums over the batch, and not itself a value of examples */
    bool *between;  /* of those, the ones that single examples depend on */
    bool *sum;      /* the sums that these are computed from */
    bool simple;    /* they need only inputs */
} Early;

static bool in_layers(const Op *op)
{
    return op->out.slot.term_count > 0;
}

static bool is_temporary(const Facts *f, const Op *op)
{
    return has_result(op) && !f->reference->buffers.data[op->out.buffer].persistent &&
           buffer_of(f, op->out)->role == ROLE_PLAIN;
}

static void find_complete(Early *e)
{
    for (int i = 0; i < e->ops->count; i++) {
        const Op *op = e->ops->data[i];
        if (!is_temporary(e->f, op) || in_layers(op) || derive_is_cut(buffer_of(e->f, op->out)) ||
            buffer_of(e->f, op->out)->partial || any_operand(e->f, op, is_gradient))
            continue;
        bool reads = any_operand(e->f, op, is_partial);
        for (int j = 0; j < op->operand_count; j++)
            reads |= e->complete[op->operand[j].buffer];
        e->complete[op->out.buffer] |= reads;
    }
}

/* Walks from the readers back: finds what single examples read, and what that is computed from. */
static void find_between(Early *e)
{
    for (int i = e->ops->count - 1; i >= 0; i--) {
        const Op *op = e->ops->data[i];
        if (!is_temporary(e->f, op))
            continue;
        bool examples = derive_is_cut(buffer_of(e->f, op->out)), between = e->between[op->out.buffer];
        for (int j = 0; (examples || between) && j < op->operand_count; j++) {
            int operand = op->operand[j].buffer;
            e->simple &= !between || !e->f->reference->buffers.data[operand].persistent;
            if (e->complete[operand] || (between && !e->f->buffers[operand].partial))
                e->between[operand] = true;
            else if (between)
                e->sum[operand] = true;
        }
    }
}

/* Marks what the sums need. */
static void mark_needs(Early *e, bool *needed)
{
    for (int i = e->ops->count - 1; i >= 0; i--) {
        const Op *op = e->ops->data[i];
        if (!has_result(op) || !needed[op->out.buffer])
            continue;
        e->simple &= is_temporary(e->f, op) && !in_layers(op) && !e->complete[op->out.buffer];
        e->f->finding->ops[op->id].early = true;
        for (int j = 0; j < op->operand_count; j++) {
            needed[op->operand[j].buffer] = true;
            e->simple &= !e->f->reference->buffers.data[op->operand[j].buffer].persistent;
        }
    }
}

/* Is the sum read by more than what runs between the loops? */
static bool reads_otherwise(const Early *e, const Op *op)
{
    bool between = has_result(op) && e->between[op->out.buffer], reads = false;
    for (int i = 0; i < op->operand_count; i++)
        reads |= e->sum[op->operand[i].buffer];
    return reads && !between;
}

/* Counts under masks are an example: they are sums over the inputs alone, and can be computed before anything else.
 * Sums of what parameters compute cannot: check_order reports them. */
static void find_early(Facts *f, const OpList *ops)
{
    int count = f->reference->buffers.count;
    Early e = {f,
               ops,
               arena_array(f->ctx->arena, bool, count + 1),
               arena_array(f->ctx->arena, bool, count + 1),
               arena_array(f->ctx->arena, bool, count + 1),
               true};
    bool *needed = arena_array(f->ctx->arena, bool, count + 1), any = false;
    if (f->decls->micro == 1)
        return;
    find_complete(&e);
    find_between(&e);
    for (int i = 0; i < count; i++) {
        needed[i] = e.sum[i];
        any |= e.sum[i];
    }
    mark_needs(&e, needed);
    for (int i = 0; i < ops->count; i++)
        e.simple &= !reads_otherwise(&e, ops->data[i]);
    for (int i = 0; i < ops->count; i++) {
        RefOp *info = &f->finding->ops[ops->data[i]->id];
        info->early &= any && e.simple;
        if (!any || !e.simple || !is_temporary(f, ops->data[i]))
            continue;
        if (e.sum[ops->data[i]->out.buffer])
            info->phase = PHASE_EARLY;
        else if (e.between[ops->data[i]->out.buffer])
            info->phase = PHASE_BETWEEN;
    }
}

/* ---- Phases ------------------------------------------------------------------------------------------------- */

/* Must it come after the microbatches by itself? It needs a complete sum, or it changes a state. */
static bool starts_flat(const Facts *f, const Op *op)
{
    if (op->kind == OP_OUTPUT || any_operand(f, op, is_gradient))
        return true;
    if (f->reference->buffers.data[op->out.buffer].persistent)
        return true;
    bool result_cut = derive_is_cut(buffer_of(f, op->out));
    return !result_cut && any_operand(f, op, is_partial) && !passes_sums(f, op);
}

/* Everything that reads what the flat phase wrote belongs to it. */
static void find_flat(Facts *f, const OpList *ops)
{
    bool *written = arena_array(f->ctx->arena, bool, f->reference->buffers.count + 1);
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < ops->count; i++) {
            const Op *op = ops->data[i];
            RefOp *info = &f->finding->ops[op->id];
            bool flat = starts_flat(f, op);
            for (int j = 0; j < op->operand_count; j++)
                flat |= written[op->operand[j].buffer];
            if (!flat || info->phase != PHASE_MICRO)
                continue;
            info->phase = PHASE_FLAT;
            if (has_result(op) && !f->reference->buffers.data[op->out.buffer].persistent)
                written[op->out.buffer] = true;
            changed = true;
        }
    }
}

/* What counted as a sum and comes after the loop, because it reads something that does, finds its own sums complete. */
static void complete_flat(Facts *f, const OpList *ops)
{
    bool *micro = arena_array(f->ctx->arena, bool, f->reference->buffers.count + 1);
    for (int i = 0; i < ops->count; i++)
        if (has_result(ops->data[i]) && f->ops[ops->data[i]->id].phase != PHASE_FLAT)
            micro[ops->data[i]->out.buffer] = true;
    for (int i = 0; i < ops->count; i++) {
        const Op *op = ops->data[i];
        if (!has_result(op) || f->ops[op->id].phase != PHASE_FLAT || micro[op->out.buffer])
            continue;
        f->finding->ops[op->id].partial = buffer_of(f, op->out)->partial = false;
    }
}

/* What the microbatch loop needs stays in it; what depends on no batch and feeds only the flat phase moves out. */
static void find_micro(Facts *f, const OpList *ops)
{
    bool *needed = arena_array(f->ctx->arena, bool, f->reference->buffers.count + 1);
    bool *micro = arena_array(f->ctx->arena, bool, f->op_count + 1);
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = ops->count - 1; i >= 0; i--) {
            const Op *op = ops->data[i];
            if (micro[op->id] || f->ops[op->id].phase != PHASE_MICRO)
                continue;
            if (!derive_is_cut(buffer_of(f, op->out)) && !f->ops[op->id].partial && !needed[op->out.buffer])
                continue;
            micro[op->id] = changed = true;
            for (int j = 0; j < op->operand_count; j++)
                needed[op->operand[j].buffer] = true;
        }
    }
    for (int i = 0; i < ops->count; i++) {
        const Op *op = ops->data[i];
        RefOp *info = &f->finding->ops[op->id];
        if (derive_is_zero_fill(op) && is_gradient(buffer_of(f, op->out)))
            info->phase = PHASE_DROP;
        else if (!micro[op->id] && info->phase == PHASE_MICRO)
            info->phase = PHASE_FLAT;
    }
}

/* An operator is forward if an output depends on it. */
static void find_backward(Facts *f, const OpList *ops)
{
    bool *needed = arena_array(f->ctx->arena, bool, f->reference->buffers.count + 1);
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = ops->count - 1; i >= 0; i--) {
            const Op *op = ops->data[i];
            RefOp *info = &f->finding->ops[op->id];
            bool forward = op->kind == OP_OUTPUT ? !any_operand(f, op, is_gradient) : needed[op->out.buffer];
            if (!forward || !info->backward)
                continue;
            info->backward = false;
            changed = true;
            for (int j = 0; j < op->operand_count; j++)
                if (!is_gradient(buffer_of(f, op->operand[j])))
                    needed[op->operand[j].buffer] = true;
        }
    }
}

/* ---- What has no lowering yet ------------------------------------------------------------------------------- */

static void refuse(Facts *f, const Op *op, const char *what)
{
    diag_report(f->ctx->diag, P0290, op->span, "%s is not supported yet", what);
    f->failed = true;
}

static bool cuts_coupled_letter(const Facts *f, const Op *op)
{
    const char *coupled = op->kind == OP_ROW_MAX ? "a" : op_info[op->kind].coupled; /* maxima are not sums */
    if (coupled[0] == '-')
        return false;
    int operand = coupled[0] - 'a';
    const char *letters;
    int count = derive_spec_letters(f, op, operand, &letters);
    if (count == 0)
        return false;
    char letter = coupled[1] == '0' ? letters[0] : letters[count - 1];
    return derive_batch_letter(f, op, operand) == letter;
}

static const char mixed_sum[] = "a sum over the batch and a value that is none in one place";

static void check_micro_op(Facts *f, const Op *op)
{
    RefBuffer *out = buffer_of(f, op->out);
    if (cuts_coupled_letter(f, op))
        refuse(f, op, "a row along the batch");
    else if (derive_is_cut(out) && any_operand(f, op, is_partial))
        refuse(f, op, "a value of single examples that depends on a sum over the batch");
    else if (out->partial && !f->ops[op->id].partial && !derive_is_zero_fill(op))
        refuse(f, op, mixed_sum);
}

static void check_flat_op(Facts *f, const Op *op)
{
    if (any_operand(f, op, derive_is_cut))
        refuse(f, op, "an output or a state with one value per example");
    if (has_result(op) && buffer_of(f, op->out)->partial)
        refuse(f, op, mixed_sum);
}

/* Reports a value of single examples that needs a sum over the whole batch first, as the mean under a mask does.
 * Nothing else is reported for such a routine: what the value needs is in no phase. */
static bool check_order(Facts *f, const OpList *ops)
{
    bool *complete = arena_array(f->ctx->arena, bool, f->reference->buffers.count + 1), found = false;
    for (int i = 0; i < ops->count; i++) {
        const Op *op = ops->data[i];
        bool reads = false;
        for (int j = 0; j < op->operand_count; j++)
            reads |= complete[op->operand[j].buffer];
        if (!has_result(op) || f->reference->buffers.data[op->out.buffer].persistent)
            continue;
        if (reads && derive_is_cut(buffer_of(f, op->out))) {
            refuse(f, op, "a value of single examples that depends on a sum over the batch");
            found = true;
        } else if (f->ops[op->id].phase != PHASE_BETWEEN && (reads || starts_flat(f, op))) {
            complete[op->out.buffer] = !is_gradient(buffer_of(f, op->out));
        }
    }
    return !found;
}

static void check_ops(Facts *f, const OpList *ops)
{
    if (!check_order(f, ops))
        return;
    for (int i = 0; i < ops->count; i++) {
        const Op *op = ops->data[i];
        if (f->ops[op->id].phase == PHASE_MICRO)
            check_micro_op(f, op);
        else if (f->ops[op->id].phase == PHASE_FLAT)
            check_flat_op(f, op);
    }
}

/* If examples depend on a sum, so may what comes after the loop, such as running means. */
static void find_read_flat(Facts *f, const OpList *ops)
{
    bool *made = arena_array(f->ctx->arena, bool, f->reference->buffers.count + 1);
    for (int i = 0; i < ops->count; i++) {
        const Op *op = ops->data[i];
        if (f->ops[op->id].phase == PHASE_MICRO && has_result(op))
            made[op->out.buffer] = true;
        for (int j = 0; j < op->operand_count && f->ops[op->id].phase == PHASE_FLAT; j++) {
            RefBuffer *buffer = buffer_of(f, op->operand[j]);
            buffer->read_flat |= made[op->operand[j].buffer] && is_inner_value(buffer);
        }
    }
}

/* ---- Routines ----------------------------------------------------------------------------------------------- */

static void flow_routine(Facts *f, const Routine *routine)
{
    OpList ops = {0};
    list_ops(f, &routine->body, &ops);
    if (routine->kind == ROUTINE_INIT || routine->kind == ROUTINE_JOIN) { /* no examples */
        for (int i = 0; i < ops.count; i++)
            f->finding->ops[ops.data[i]->id].phase = PHASE_FLAT;
        return;
    }
    if (f->train->serves) { /* there are no sums over examples */
        flow_batch(f, &ops);
        for (int i = 0; i < ops.count; i++)
            f->finding->ops[ops.data[i]->id] = (RefOp){.phase = PHASE_MICRO, .tensor = -1};
        return;
    }
    if (routine->kind != ROUTINE_PREDICT) {
        flow_batch(f, &ops);
        find_inner(f, &ops);
        flow_sums(f, &ops);
        find_early(f, &ops);
        find_flat(f, &ops);
        complete_flat(f, &ops);
        find_micro(f, &ops);
        find_read_flat(f, &ops);
        check_ops(f, &ops);
    } else {
        for (int i = 0; i < ops.count; i++)
            f->finding->ops[ops.data[i]->id].phase = PHASE_MICRO;
    }
    find_backward(f, &ops);
}

void derive_flow(Facts *f)
{
    OpList all = {0};
    for (int i = 0; i < f->reference->routines.count; i++)
        list_ops(f, &f->reference->routines.data[i].body, &all);
    for (int i = 0; i < all.count; i++)
        f->op_count = all.data[i]->id >= f->op_count ? all.data[i]->id + 1 : f->op_count;
    f->ops = f->finding->ops = arena_array(f->ctx->arena, RefOp, f->op_count + 1);
    for (int i = 0; i < f->op_count; i++)
        f->finding->ops[i] = (RefOp){.phase = PHASE_MICRO, .backward = true, .tensor = -1};
    for (int i = 0; i < f->reference->routines.count; i++)
        flow_routine(f, &f->reference->routines.data[i]);
    for (int i = 0; i < all.count; i++)
        f->finding->ops[all.data[i]->id].op = all.data[i];
}

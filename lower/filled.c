/* filled.c - finds the exchanges of which only filled places need to travel (lower/filled.h).
 *
 * It follows, list by list, which values are zero in the empty places of a queue: rows that were taken by it, and what
 * is computed of these place by place. The dims of the queue are the first of such a value. What it overlooks is sent
 * whole.
 */
#include "lower/filled.h"

#include "lower/names.h"
#include "step/queues.h"
#include "step/refs.h"
#include "step/spec.h"

#include <string.h>

/* The counts of a queue's filled places on the other side of an exchange of those in `from`. */
typedef struct Exchanged {
    int buffer, from;
    AxisSet axes;
} Exchanged;

/* A buffer of queues. */
typedef struct Queues {
    bool used; /* has room to spare, and only such queues are written in it, */
    int of;    /* or a copy of those in this buffer */
    int64_t rows;
    int counts; /* the buffer of counts; -1: not needed yet */
    Vec(Exchanged) exchanged;
} Queues;

/* The value is zero in the empty places of the queues. */
typedef struct Known {
    Ref value, queues;
} Known;

typedef struct Filled {
    Ctx *ctx;
    Program *program;
    int count; /* number of buffers before the pass */
    Queues *queues;
    Vec(Known) known;
} Filled;

static const Buffer *buffer_of(const Filled *f, const Ref *ref)
{
    return &f->program->buffers.data[ref->buffer];
}

static int queue_dims(const Filled *f, const Ref *queues)
{
    return buffer_of(f, queues)->dim_count;
}

/* ---- Queues ------------------------------------------------------------------------------------------------- */

/* Does it keep queues for the backward pass? */
static bool is_kept(const Filled *f, const Op *op)
{
    return op->kind == OP_COPY && !spec_is_empty(op) && !op->accumulate && f->queues[op->operand[0].buffer].used &&
           affine_equal(&op->out.slot, &op->operand[0].slot) &&
           spec_equal(spec_letters(op->spec, 0), spec_letters(op->spec, SPEC_RESULT));
}

static void find_queues(void *context, Op *op, Ref *ref, bool writes)
{
    Filled *f = context;
    if (!writes)
        return;
    Queues *queues = &f->queues[ref->buffer];
    bool kept = is_kept(f, op);
    const Queues *copied = kept ? &f->queues[op->operand[0].buffer] : NULL;
    int64_t rows = kept ? copied->rows : op_is_queue(op) ? queue_rows_with_room(f->program, op) : 0;
    int of = kept ? copied->of : ref->buffer;
    queues->used = rows > 0 && (queues->rows == 0 || (queues->used && queues->rows == rows && queues->of == of));
    queues->rows = rows > 0 ? rows : -1;
    queues->of = of;
}

/* ---- What is zero in empty places --------------------------------------------------------------------------- */

static const Known *find_known(const Filled *f, const Ref *ref)
{
    for (int i = 0; i < f->known.count; i++)
        if (ref_equal(f->known.data[i].value, *ref))
            return &f->known.data[i];
    return NULL;
}

/* All slots: which one it is may not be known. */
static void forget(Filled *f, int buffer)
{
    int kept = 0;
    for (int i = 0; i < f->known.count; i++)
        if (f->known.data[i].value.buffer != buffer && f->known.data[i].queues.buffer != buffer)
            f->known.data[kept++] = f->known.data[i];
    f->known.count = kept;
}

/* Rows of a table that has as many as the queues choose from. */
static bool is_taken(const Filled *f, const Op *op, Known *known)
{
    const Ref *index = &op->operand[0];
    char row = op->kind == OP_TAKE ? spec_table_row(op->spec, true) : 0;
    if (row == 0 || index->buffer >= f->count || !f->queues[index->buffer].used || op->operand[1].member >= 0)
        return false;
    int dim = spec_dim(spec_letters(op->spec, 1), row);
    *known = (Known){op->out, {f->queues[index->buffer].of, index->slot, -1}};
    return op_keeps_places(op, 0, queue_dims(f, index)) &&
           buffer_of(f, &op->operand[1])->dims[dim].size == f->queues[index->buffer].rows;
}

/* The operands that are zero in the empty places of these queues, as bits. */
static unsigned empty_operands(const Filled *f, const Op *op, const Ref *queues)
{
    unsigned operands = 0;
    for (int i = 0; i < op->operand_count; i++) {
        const Known *known = find_known(f, &op->operand[i]);
        if (known != NULL && ref_equal(known->queues, *queues) && op_keeps_places(op, i, queue_dims(f, &known->queues)))
            operands |= 1u << i;
    }
    return operands;
}

static bool is_computed(const Filled *f, const Op *op, Known *known)
{
    OpClass class = op_info[op->kind].op_class;
    if ((class != CLASS_MAP && class != CLASS_ROW && class != CLASS_SUM && class != CLASS_CONTRACT) ||
        spec_is_empty(op) || op_in_pieces(op))
        return false;
    for (int i = 0; i < op->operand_count; i++) {
        const Known *found = find_known(f, &op->operand[i]);
        if (found == NULL)
            continue;
        *known = (Known){op->out, found->queues};
        if (op_is_zero_with(op->kind, empty_operands(f, op, &found->queues)))
            return true;
    }
    return false;
}

/* Zeros stay zeros wherever they go. */
static bool is_moved(const Filled *f, const Op *op, Known *known)
{
    static const Collective collectives[] = {COLLECTIVE_SLICE,          COLLECTIVE_ALL_REDUCE,
                                             COLLECTIVE_REDUCE_SCATTER, COLLECTIVE_ALL_GATHER,
                                             COLLECTIVE_ALL_TO_ALL,     COLLECTIVE_ALL_TO_ALL_FILLED};
    OpClass class = op_info[op->kind].op_class;
    bool moves = false;
    for (size_t i = 0; (class == CLASS_MOVE || class == CLASS_COMM) && i < sizeof collectives / sizeof *collectives;
         i++)
        moves |= op_collective(op->kind) == collectives[i];
    const Known *found = moves && op->event < 0 ? find_known(f, &op->operand[0]) : NULL;
    if (found == NULL)
        return false;
    *known = *found;
    known->value = op->out;
    return true;
}

/* ---- Exchanges ---------------------------------------------------------------------------------------------- */

static bool dims_alike(const Dim *x, const Dim *y, int count)
{
    for (int d = 0; d < count; d++)
        if (x[d].size != y[d].size || x[d].cut_count != y[d].cut_count ||
            memcmp(x[d].cut, y[d].cut, (size_t)x[d].cut_count) != 0)
            return false;
    return true;
}

static int add_buffer(Filled *f, Buffer buffer, const char *what, const Dim *dims, int count)
{
    buffer.name = lower_name(f->ctx->arena, f->program, buffer.name, what);
    buffer.dim_count = count;
    memcpy(buffer.dims, dims, sizeof *dims * (size_t)count);
    buffer.tier = buffer.rest_tier = TIER_DEVICE;
    vec_push(f->ctx->arena, &f->program->buffers, buffer);
    return f->program->buffers.count - 1;
}

/* The counts as these dims are laid out; -1: there are none yet. */
static int find_counts(Filled *f, int queues, const Dim *dims)
{
    Queues *q = &f->queues[queues];
    const Buffer buffer = f->program->buffers.data[queues];
    int count = buffer.dim_count - 1;
    for (int i = 0; i < q->exchanged.count; i++)
        if (dims_alike(f->program->buffers.data[q->exchanged.data[i].buffer].dims, dims, count))
            return q->exchanged.data[i].buffer;
    if (!dims_alike(buffer.dims, dims, count))
        return -1;
    if (q->counts < 0)
        q->counts = add_buffer(f, buffer, "filled", buffer.dims, count);
    return q->counts;
}

/* The counts on the other side of the exchange that takes them from `from`. */
static int add_counts(Filled *f, int queues, const Dim *dims, int from, const AxisSet *axes)
{
    Queues *q = &f->queues[queues];
    const Buffer buffer = f->program->buffers.data[q->counts];
    Exchanged made = {add_buffer(f, buffer, "exchanged", dims, buffer.dim_count), from, *axes};
    vec_push(f->ctx->arena, &q->exchanged, made);
    return made.buffer;
}

/* Does the exchange move a cut between the dims of the counts: those before the places? */
static bool moves_queues(const Buffer *in, const Buffer *out, int places)
{
    return dims_alike(&in->dims[places + 1], &out->dims[places + 1], in->dim_count - places - 1);
}

/* Lets filled places travel alone, if they are counted on one side, and places are cut nowhere. */
static void exchange_filled(Filled *f, Op *op, const Known *known)
{
    const Buffer in = *buffer_of(f, &op->operand[0]), out = *buffer_of(f, &op->out);
    int queues = known->queues.buffer, places = queue_dims(f, &known->queues) - 1;
    if (op->accumulate || in.dims[places].cut_count + out.dims[places].cut_count > 0 ||
        !moves_queues(&in, &out, places))
        return;
    int before = find_counts(f, queues, in.dims), after = find_counts(f, queues, out.dims);
    if (before < 0 && after < 0)
        return;
    if (before < 0)
        before = add_counts(f, queues, in.dims, after, &op->axes);
    if (after < 0)
        after = add_counts(f, queues, out.dims, before, &op->axes);
    op->kind = OP_ALL_TO_ALL_FILLED;
    op->operand_count = 3;
    op->operand[1] = (Ref){before, known->queues.slot, -1};
    op->operand[2] = (Ref){after, known->queues.slot, -1};
}

static void follow_op(Filled *f, Op *op)
{
    Known known;
    bool zero = is_taken(f, op, &known) || is_computed(f, op, &known) || is_moved(f, op, &known);
    if (zero && op->kind == OP_ALL_TO_ALL)
        exchange_filled(f, op, &known);
    const Known *before = op->accumulate ? find_known(f, &op->out) : NULL;
    if (op->accumulate)
        zero = zero && before != NULL && ref_equal(before->queues, known.queues);
    if (!op_has_result(op->kind))
        return;
    forget(f, op->out.buffer);
    if (zero)
        vec_push(f->ctx->arena, &f->known, known);
}

static void follow_list(Filled *f, const NodeList *list)
{
    for (int i = 0; i < list->count; i++) {
        Op *op = node_op(list->data[i]);
        if (op != NULL) {
            follow_op(f, op);
            continue;
        }
        f->known.count = 0; /* what is known holds in one list */
        follow_list(f, &list->data[i]->body);
        f->known.count = 0;
    }
}

/* ---- Counts ------------------------------------------------------------------------------------------------- */

static void add_op(Filled *f, NodeList *list, const Op *queue, Op op)
{
    op.operand_count = 1;
    op.id = f->program->op_count++;
    Node *node = arena_make(f->ctx->arena, Node);
    node->kind = NODE_OP;
    node->span = op.span = queue->span;
    node->op = arena_make(f->ctx->arena, Op);
    *node->op = op;
    vec_push(f->ctx->arena, list, node);
}

static void count_places(Filled *f, NodeList *list, const Op *queue)
{
    const Queues *q = &f->queues[queue->out.buffer];
    SpecLetters letters = spec_letters(queue->spec, SPEC_RESULT);
    Ref counts = {q->counts, queue->out.slot, -1};
    Op count = op_blank(OP_FILLED, counts, queue->span);
    count.operand[0] = queue->out;
    count.immediate[count.immediate_count++] = (double)q->rows;
    count.spec = arena_printf(f->ctx->arena, "%.*s->%.*s", letters.count, letters.at, letters.count - 1, letters.at);
    add_op(f, list, queue, count);
    for (int i = 0; i < q->exchanged.count; i++) {
        Op exchange = op_blank(OP_ALL_TO_ALL, (Ref){q->exchanged.data[i].buffer, queue->out.slot, -1}, queue->span);
        exchange.operand[0] = (Ref){q->exchanged.data[i].from, queue->out.slot, -1};
        exchange.axes = q->exchanged.data[i].axes;
        add_op(f, list, queue, exchange);
    }
}

/* After every queue of which counts are needed. */
static void insert_counts(Filled *f, NodeList *list)
{
    NodeList with = {0};
    for (int i = 0; i < list->count; i++) {
        Node *node = list->data[i];
        const Op *op = node_op(node);
        insert_counts(f, &node->body);
        vec_push(f->ctx->arena, &with, node);
        if (op != NULL && op_is_queue(op) && f->queues[op->out.buffer].counts >= 0)
            count_places(f, &with, op);
    }
    *list = with;
}

bool filled_run(Ctx *ctx, const Assignment *assignment, StepFile *file)
{
    (void)assignment;
    Filled f = {.ctx = ctx, .program = file->program, .count = file->program->buffers.count};
    f.queues = arena_array(ctx->arena, Queues, f.count + 1);
    for (int i = 0; i < f.count; i++)
        f.queues[i].counts = -1;
    refs_visit_program(f.program, find_queues, &f);
    for (int i = 0; i < f.program->routines.count; i++)
        follow_list(&f, &f.program->routines.data[i].body);
    for (int i = 0; i < f.program->routines.count; i++)
        insert_counts(&f, &f.program->routines.data[i].body);
    return true;
}

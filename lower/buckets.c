/* buckets.c - small reductions in one call (lower/buckets.h). In every list of nodes a reduction takes in those that
 * follow it, as long as each can be done earlier, with those before it, or these later, with it. */
#include "lower/buckets.h"

#include "lower/names.h"
#include "step/refs.h"

/* A larger vector is not copied for the sake of one call less. */
static const int64_t MOST_BYTES = 16 << 10;

typedef struct Buckets {
    Ctx *ctx;
    Program *program;
} Buckets;

/* Reductions of a list that are done as one, where the last of `at` nodes stands. */
typedef struct Bucket {
    Vec(int) members; /* indices in the list */
    int at;
} Bucket;

static const Buffer *buffer_of(const Buckets *b, const Op *op)
{
    return &b->program->buffers.data[op->out.buffer];
}

/* Does the node sum a small vector, of which all ranks have the whole, in place? */
static bool is_small(const Buckets *b, const Node *node)
{
    const Op *op = node_op(node);
    if (op == NULL || op->kind != OP_ALL_REDUCE || op->event >= 0 || op->accumulate ||
        !ref_equal(op->out, op->operand[0]))
        return false;
    const Buffer *buffer = buffer_of(b, op);
    return buffer->layout == LAYOUT_DENSE && buffer->dim_count == 1 && buffer->dims[0].cut_count == 0 &&
           buffer->dims[0].segments == NULL && !buffer->persistent &&
           buffer_slot_bytes(b->program->decls, buffer) <= MOST_BYTES;
}

static bool held_alike(const Buffer *x, const Buffer *y)
{
    return x->held == y->held && (!x->held || (affine_equal(&x->holder, &y->holder) && x->held_low == y->held_low &&
                                               x->held_high == y->held_high));
}

static bool go_together(const Buckets *b, const Op *x, const Op *y)
{
    const Buffer *left = buffer_of(b, x), *right = buffer_of(b, y);
    return axes_same(x->axes, y->axes) && x->reduce == y->reduce && x->stream == y->stream &&
           x->out.buffer != y->out.buffer && left->dtype == right->dtype && held_alike(left, right);
}

typedef struct Touch {
    int buffer;
    bool found;
} Touch;

static void touch(void *context, Op *op, Ref *ref, bool writes)
{
    (void)op, (void)writes;
    Touch *search = context;
    search->found |= ref->buffer == search->buffer;
}

static bool is_member(const Bucket *bucket, int index)
{
    for (int i = 0; i < bucket->members.count; i++)
        if (bucket->members.data[i] == index)
            return true;
    return false;
}

/* Does no node of first .. end - 1 but members of the bucket touch what this one reduces? */
static bool is_free_between(const NodeList *body, const Bucket *bucket, int first, int end, int member)
{
    Touch search = {.buffer = body->data[member]->op->out.buffer};
    for (int i = first; i < end; i++)
        if (i != member && !is_member(bucket, i))
            refs_visit(body->data[i], touch, &search);
    return !search.found;
}

static bool can_wait(const NodeList *body, const Bucket *bucket, int until)
{
    for (int i = 0; i < bucket->members.count; i++)
        if (!is_free_between(body, bucket, bucket->at + 1, until, bucket->members.data[i]))
            return false;
    return true;
}

/* The bucket that the reduction at `first` begins. */
static Bucket fill(const Buckets *b, const NodeList *body, int first)
{
    Bucket bucket = {.at = first};
    vec_push(b->ctx->arena, &bucket.members, first);
    for (int i = first + 1; i < body->count; i++) {
        if (!is_small(b, body->data[i]))
            continue;
        bool fits = true;
        for (int j = 0; j < bucket.members.count; j++)
            fits = fits && go_together(b, body->data[bucket.members.data[j]]->op, body->data[i]->op);
        bool earlier = fits && is_free_between(body, &bucket, bucket.at + 1, i, i);
        if (!earlier && (!fits || !can_wait(body, &bucket, i)))
            break;
        bucket.at = earlier ? bucket.at : i;
        vec_push(b->ctx->arena, &bucket.members, i);
    }
    return bucket;
}

/* An operator between the bucket and a vector in it, whose first element is `first` there. */
static Op *add_op(Buckets *b, NodeList *body, OpKind kind, Ref out, Ref operand, const char *spec, int64_t first,
                  Span span)
{
    Node *node = arena_make(b->ctx->arena, Node);
    *node = (Node){.kind = NODE_OP, .span = span, .op = arena_make(b->ctx->arena, Op)};
    *node->op = op_blank(kind, out, span);
    node->op->id = b->program->op_count++;
    node->op->spec = spec;
    node->op->operand_count = 1;
    node->op->operand[0] = operand;
    node->op->immediate_count = 1;
    node->op->immediate[0] = (double)first;
    vec_push(b->ctx->arena, body, node);
    return node->op;
}

static Ref add_buffer(Buckets *b, const NodeList *body, const Bucket *bucket)
{
    Buffer made = *buffer_of(b, body->data[bucket->members.data[0]]->op);
    made.name = lower_name(b->ctx->arena, b->program, made.name, "bucket"); /* forward may be done again in backward */
    made.slots = 1;
    made.dims[0].size = 0;
    for (int i = 0; i < bucket->members.count; i++)
        made.dims[0].size += buffer_of(b, body->data[bucket->members.data[i]]->op)->dims[0].size;
    vec_push(b->ctx->arena, &b->program->buffers, made);
    return (Ref){.buffer = b->program->buffers.count - 1, .member = -1};
}

static void emit(Buckets *b, NodeList *made, const NodeList *body, const Bucket *bucket)
{
    int count = bucket->members.count;
    Ref all = add_buffer(b, body, bucket), *of = arena_array(b->ctx->arena, Ref, count);
    int64_t *first = arena_array(b->ctx->arena, int64_t, count + 1);
    for (int i = 0; i < count; i++) {
        const Op *op = body->data[bucket->members.data[i]]->op;
        of[i] = op->out;
        first[i + 1] = first[i] + buffer_of(b, op)->dims[0].size;
    }
    Node *reduction = body->data[bucket->members.data[0]];
    Span span = reduction->span;
    add_op(b, made, OP_SEGMENT_BWD, all, of[0], "s->a", 0, span);
    for (int i = 1; i < count; i++) {
        Op *put = add_op(b, made, OP_PLACE_SEGMENT, all, all, "a,s->a", first[i], span);
        put->operand[put->operand_count++] = of[i];
    }
    reduction->op->out = reduction->op->operand[0] = all;
    vec_push(b->ctx->arena, made, reduction);
    for (int i = 0; i < count; i++)
        add_op(b, made, OP_SEGMENT, of[i], all, "a->s", first[i], span);
}

static void run_list(Buckets *b, NodeList *body)
{
    NodeList made = {0};
    Bucket bucket = {0};
    for (int i = 0; i < body->count; i++) {
        Node *node = body->data[i];
        bool member = is_member(&bucket, i);
        if (!member && is_small(b, node)) {
            bucket = fill(b, body, i);
            member = bucket.members.count > 1;
        }
        if (!member)
            vec_push(b->ctx->arena, &made, node);
        else if (i == bucket.at)
            emit(b, &made, body, &bucket);
        run_list(b, &node->body);
    }
    *body = made;
}

bool buckets_run(Ctx *ctx, const Assignment *assignment, StepFile *file)
{
    (void)assignment;
    Buckets b = {.ctx = ctx, .program = file->program};
    for (int i = 0; i < file->program->routines.count; i++)
        run_list(&b, &file->program->routines.data[i].body);
    return true;
}

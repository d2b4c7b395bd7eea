/* stages.c - what each stage holds, the tick at which it begins forward and backward (find_schedule, find_turns), and
 * the parts of the program outside the microbatch loop. */
#include "lower/stages_internal.h"

#include "step/spec.h"

/* ---- The request -------------------------------------------------------------------------------------------- */

Diagnostic *stages_refuse(Stages *p, Span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = arena_vprintf(p->ctx->arena, format, args);
    va_end(args);
    p->failed = true;
    Diagnostic *d = diag_report(p->ctx->diag, P0290, span, "%s is not supported yet", text);
    if (span_known(p->span) && (p->span.source != span.source || p->span.start != span.start))
        diag_label(d, p->span, "the pipeline is asked for here");
    return d;
}

void stages_refuse_left(Stages *p, const Buffer *buffer)
{
    if (p->failed)
        return;
    diag_help(stages_refuse(p, p->span,
                            "an interleaved pipeline of layers of which '%s' is %s after the step's microbatches",
                            buffer->name, buffer->persistent ? "updated" : "read"),
              "Choose another schedule.");
}

/* ---- The schedule ------------------------------------------------------------------------------------------- */

int64_t stages_group_room(const Stages *p)
{
    return p->micro < p->stages ? p->micro : p->stages;
}

/* A stage's first backward starts when its last chunk's first microbatch is back from the last stage, two turns for
 * every stage on the way. Forward of a chunk then begins where another's backward ends, p microbatches at a time; one
 * more chunk than there are makes room for both. */
static void find_turns(Stages *p)
{
    int64_t *warmup = arena_array(p->ctx->arena, int64_t, p->stages);
    for (int64_t s = 0; s < p->stages; s++)
        warmup[s] = (p->chunks - 1) * p->stages + 2 * (p->stages - 1 - s);
    p->warmup = stages_table(p, "warmup", warmup);
    int64_t second = p->micro - p->stages; /* microbatches of the second group */
    p->first_depth = p->micro < 2 * p->stages ? p->micro : 2 * p->stages;
    p->depth = p->chunks * stages_group_room(p) + (second < 0 ? 0 : second < p->stages ? second : p->stages);
}

static void find_schedule(Stages *p)
{
    int64_t *forward = arena_array(p->ctx->arena, int64_t, p->stages);
    int64_t *backward = arena_array(p->ctx->arena, int64_t, p->stages);
    bool one_f_one_b = p->schedule == SCHEDULE_1F1B;
    if (p->schedule == SCHEDULE_INTERLEAVED) {
        find_turns(p);
        return;
    }
    for (int64_t s = 0; s < p->stages; s++) {
        forward[s] = one_f_one_b ? (s + 1) / 2 : s;
        backward[s] = one_f_one_b ? (2 * p->stages - 1 - s) / 2 : p->stages - 1 - s;
    }
    p->forward_delay = stages_table(p, "forward", forward);
    p->backward_delay = stages_table(p, "backward", backward);
    p->depth = p->first_depth = one_f_one_b && p->stages < p->micro ? p->stages : p->micro;
}

/* ---- Small things ------------------------------------------------------------------------------------------- */

Affine stages_variable(int variable, int64_t constant)
{
    return affine_loop(variable, 1, constant);
}

bool stages_computes_layers(const Node *node)
{
    if (node->kind != NODE_LOOP || node->loop.kind != LOOP_MICRO)
        return false;
    for (int i = 0; i < node->body.count; i++)
        if (node_is_layer_loop(node->body.data[i]))
            return true;
    return false;
}

Node *stages_node(Stages *p, NodeList *body, NodeKind kind, Span span)
{
    Node *node = arena_make(p->ctx->arena, Node);
    node->kind = kind;
    node->span = span;
    vec_push(p->ctx->arena, body, node);
    return node;
}

Node *stages_loop(Stages *p, NodeList *body, LoopKind kind, Affine first, Affine last)
{
    Node *node = stages_node(p, body, NODE_LOOP, p->span);
    node->loop.id = p->program->loop_count++;
    node->loop.kind = kind;
    node->loop.first = first;
    node->loop.last = last;
    node->loop.step = 1;
    return node;
}

NodeList *stages_guard(Stages *p, NodeList *body, Affine value, int64_t low, int64_t high)
{
    /* Extends the last guard of the list if it is the same. */
    Node *last = body->count > 0 ? body->data[body->count - 1] : NULL;
    if (last != NULL && last->kind == NODE_GUARD && last->guard.low == low && last->guard.high == high &&
        affine_equal(&last->guard.value, &value))
        return &last->body;
    Node *node = stages_node(p, body, NODE_GUARD, p->span);
    node->guard.value = value;
    node->guard.low = low;
    node->guard.high = high;
    return &node->body;
}

static bool is_everywhere(const Stages *p, const Where *where)
{
    return where->value.modulus == 0 && where->low == 0 && where->high == p->stages - 1;
}

/* `body` itself if all stages are meant. */
NodeList *stages_at(Stages *p, NodeList *body, StageSet sections)
{
    if (sections == 0)
        return body;
    Where where = stages_where(p, sections);
    return is_everywhere(p, &where) ? body : stages_guard(p, body, where.value, where.low, where.high);
}

Op *stages_op(Stages *p, NodeList *body, OpKind kind, Ref out, Span span)
{
    Node *node = stages_node(p, body, NODE_OP, span);
    node->op = arena_make(p->ctx->arena, Op);
    *node->op = op_blank(kind, out, span);
    node->op->id = p->program->op_count++;
    return node->op;
}

void stages_fill(Stages *p, NodeList *body, Ref out, Span span)
{
    Op *fill = stages_op(p, body, OP_FILL, out, span);
    fill->spec = index_letters(p->program->buffers.data[out.buffer].dim_count);
    fill->immediate_count = 1;
}

/* Communication over the pipeline's axis. */
Op *stages_communicate(Stages *p, NodeList *body, OpKind kind, Ref out, const Ref *operand, Span span)
{
    Op *op = stages_op(p, body, kind, out, span);
    if (operand != NULL)
        op->operand[op->operand_count++] = *operand;
    op->axes = (AxisSet){1, {(int8_t)p->axis}};
    return op;
}

/* ---- What stages hold --------------------------------------------------------------------------------------- */

static void find_unit_stages(Stages *p)
{
    p->unit_stages = arena_array(p->ctx->arena, StageSet, p->decls->units.count + 1);
    for (int i = 0; i < p->decls->units.count; i++) {
        const Unit *u = &p->decls->units.data[i];
        p->unit_stages[i] = u->group >= 0 ? 0 : staging_sections_of(p->reference, u->members[0]);
    }
}

static void hold_at(Stages *p, Buffer *buffer, StageSet sections)
{
    Where where = stages_where(p, sections);
    buffer->held = !is_everywhere(p, &where);
    buffer->holder = where.value;
    buffer->held_low = where.low;
    buffer->held_high = where.high;
}

typedef struct Indexed {
    Stages *stages;
    int group; /* of the innermost loop over layers; -1 none */
    int loop;
} Indexed;

static void note_group(void *context, Op *op, Ref *ref, bool writes)
{
    const Indexed *indexed = context;
    (void)op, (void)writes;
    if (affine_uses(&ref->slot, indexed->loop))
        indexed->stages->buffers[ref->buffer].group = indexed->group;
}

/* Finds whose layers the slots of values are, by the loops that run over them. */
static void find_groups(Stages *p, const Node *node)
{
    Indexed indexed = {p, node->kind == NODE_LOOP ? node->loop.group : -1,
                       node->kind == NODE_LOOP ? node->loop.id : -1};
    if (node_is_layer_loop(node))
        refs_visit(node, note_group, &indexed);
    for (int i = 0; i < node->body.count; i++)
        find_groups(p, node->body.data[i]);
}

static void find_buffer_groups(Stages *p)
{
    for (int i = 0; i < p->program->buffers.count; i++)
        p->buffers[i].group = -1;
    for (int i = 0; i < p->program->routines.count; i++)
        for (int j = 0; j < p->program->routines.data[i].body.count; j++)
            find_groups(p, p->program->routines.data[i].body.data[j]);
    stages_find_loops(p);
}

static int group_of(const Stages *p, int index)
{
    const Buffer *buffer = &p->program->buffers.data[index];
    if (buffer->layout == LAYOUT_UNIT)
        return p->decls->units.data[buffer->unit].group;
    if (buffer->tensor >= 0 && buffer->persistent)
        return p->decls->tensors.data[buffer->tensor].group;
    return buffer->slots > 1 ? p->buffers[index].group : -1;
}

/* Where chunks are apart, the layers first .. last of each. False if the buffer keeps all of them. `kept`: the layer of
 * each slot, if there are gaps; else NULL. */
static bool find_layers_of_chunks(Stages *p, StagesBuffer *info, const Buffer *buffer, int64_t first, int64_t last,
                                  const int64_t *kept)
{
    int64_t before = p->before[info->group];
    if (buffer->persistent) {
        stages_refuse_left(p, buffer);
        return false;
    }
    info->of_chunk = arena_array(p->ctx->arena, Layers, p->chunks);
    for (int64_t c = 0; c < p->chunks; c++) {
        int64_t low = c * p->every - before, high = low + p->every - 1;
        low = low > first ? low : first;
        high = high < last ? high : last;
        if (kept != NULL)
            info->of_chunk[c] = stages_slots(p, info->group, kept, buffer->slots, c);
        else if (low <= high)
            info->of_chunk[c] = stages_layers(p, info->group, low, high);
        if (info->of_chunk[c].most > info->range.most)
            info->range.most = info->of_chunk[c].most;
    }
    return true;
}

/* Only the stages that have some of its layers have the buffer. */
static void hold_layers(Stages *p, Buffer *buffer, const Layers *range)
{
    const int64_t *first = stages_numbers(p, range->first), *last = stages_numbers(p, range->last);
    int64_t low = p->stages, high = -1;
    for (int64_t s = 0; s < p->stages; s++) {
        if (last[s] < first[s])
            continue;
        low = s < low ? s : low;
        high = s;
    }
    buffer->held = low > 0 || high < p->stages - 1;
    buffer->holder = stages_variable(affine_coordinate(p->axis), 0);
    buffer->held_low = low;
    buffer->held_high = high;
}

/* A buffer with a slot per layer gets as many slots as the longest stage has layers. */
static void cut_buffer(Stages *p, int index)
{
    Buffer *buffer = &p->program->buffers.data[index];
    StagesBuffer *info = &p->buffers[index];
    bool unit = buffer->layout == LAYOUT_UNIT;
    info->group = group_of(p, index);
    if (info->group < 0) {
        if (unit)
            hold_at(p, buffer, p->unit_stages[buffer->unit]);
        return;
    }
    if (!unit && !buffer->persistent && stages_mixes_slots(p, index)) {
        stages_refuse(p, buffer->span, "a pipeline with '%s' in shards in some layers and after them", buffer->name);
        return;
    }
    const Unit *u = unit ? &p->decls->units.data[buffer->unit] : NULL;
    const int64_t *kept = NULL;
    int64_t first = 0, layers = p->decls->groups.data[info->group].layers, last = layers - 1;
    if (unit) {
        first = u->first_layer;
        last = u->last_layer;
    } else if (!buffer->persistent && buffer->slots < layers) {
        kept = stages_layers_with_gaps(p, index);
        first = kept != NULL ? 0 : stages_first_layer(p, index);
        last = first + buffer->slots - 1;
    }
    if (p->apart && !unit && !find_layers_of_chunks(p, info, buffer, first, last, kept))
        return;
    if (info->of_chunk == NULL && kept != NULL)
        info->range = stages_slots(p, info->group, kept, buffer->slots, 0);
    else if (info->of_chunk == NULL)
        info->range = stages_layers(p, info->group, first, last);
    info->shift = first;
    if (buffer->slots == 1 && last > first)
        return; /* one for all layers */
    info->cut = true;
    info->all_chunks = !p->apart && (unit || buffer->persistent);
    buffer->slots += (info->all_chunks ? p->chunks : 1) * info->range.most - (last - first + 1);
    if (info->all_chunks && p->chunks == 1)
        hold_layers(p, buffer, &info->range);
    if (buffer->persistent) {
        buffer->has_layers = true;
        buffer->first_layer = stages_variable(info->range.first, 0);
        buffer->last_layer = stages_variable(info->range.last, 0);
        buffer->layer_runs = p->apart ? 1 : p->chunks;
        buffer->layer_every = p->every;
    }
}

/* ---- References --------------------------------------------------------------------------------------------- */

void stages_add_chunk(const Stages *p, Affine *affine, int chunk, int64_t coefficient)
{
    if (chunk != NO_CHUNK)
        affine_add_term(affine, chunk, coefficient * p->every);
}

/* The microbatch in an expression; `micro_loop` -1: none. */
static void place_moment(Affine *affine, int micro_loop, const Affine *micro)
{
    if (micro_loop >= 0)
        affine_replace(affine, micro_loop, micro);
}

/* `chunk`: the variable of the current one. */
static void place_slot(const Stages *p, Ref *ref, int chunk)
{
    const StagesBuffer *info = &p->buffers[ref->buffer];
    if (!info->cut)
        return;
    ref->slot.constant += info->shift;
    const Layers *range = &info->range;
    if (info->of_chunk != NULL && p->within < 0)
        BUG("a layer of no known chunk");
    if (info->of_chunk != NULL)
        range = &info->of_chunk[p->within];
    if (range->most > 0)
        affine_add_term(&ref->slot, range->first, -1);
    if (p->apart)
        return;
    stages_add_chunk(p, &ref->slot, chunk, -1);
    if (info->all_chunks && chunk != NO_CHUNK)
        affine_add_term(&ref->slot, chunk, info->range.most);
}

void stages_place_ref(Stages *p, Ref *ref, const Moment *moment)
{
    place_slot(p, ref, moment != NULL ? moment->chunk : p->chunk);
    stages_place_in_ring(p, ref, moment);
}

/* Loops over layers run over those of the stage, in the current chunk. */
static void place_loop(Stages *p, Node *node, int chunk)
{
    bool down = node->loop.step < 0;
    int64_t first = node->loop.first.constant, last = node->loop.last.constant;
    Layers range = stages_layers(p, node->loop.group, down ? last : first, down ? first : last);
    node->loop.first = stages_variable(down ? range.last : range.first, 0);
    node->loop.last = stages_variable(down ? range.first : range.last, 0);
    if (p->apart)
        return;
    stages_add_chunk(p, &node->loop.first, chunk, 1);
    stages_add_chunk(p, &node->loop.last, chunk, 1);
}

/* Where chunks are apart, a loop over layers runs in the turns of its own chunk. */
static void place_apart(Stages *p, Node *node, int micro_loop, const Moment *moment)
{
    int64_t within = p->within;
    bool down = node->loop.step < 0;
    p->within = stages_chunk_of(p, node->loop.group, (down ? node->loop.last : node->loop.first).constant);
    place_loop(p, node, NO_CHUNK);
    for (int i = 0; i < node->body.count; i++)
        stages_place_node(p, node->body.data[i], micro_loop, moment);
    if (moment != NULL) {
        Node *loop = arena_make(p->ctx->arena, Node);
        *loop = *node;
        *node = (Node){.kind = NODE_GUARD, .span = loop->span};
        node->guard.value = stages_variable(moment->chunk, 0);
        node->guard.low = node->guard.high = p->within;
        vec_push(p->ctx->arena, &node->body, loop);
    }
    p->within = within;
}

/* A loop over layers outside microbatches: runs over all chunks. */
static void place_chunks(Stages *p, Node *node)
{
    Node *layers = arena_make(p->ctx->arena, Node);
    *layers = *node;
    node->body = (NodeList){0};
    vec_push(p->ctx->arena, &node->body, layers);
    node->loop.kind = LOOP_STEPS;
    node->loop.id = p->program->loop_count++;
    node->loop.first = affine_constant(0);
    node->loop.last = affine_constant(p->chunks - 1);
    node->loop.step = 1;
    p->chunk = node->loop.id;
    stages_place_node(p, layers, -1, NULL);
    p->chunk = NO_CHUNK;
}

void stages_place_node(Stages *p, Node *node, int micro_loop, const Moment *moment)
{
    if (node_is_layer_loop(node) && p->apart) {
        place_apart(p, node, micro_loop, moment);
        return;
    }
    if (node_is_layer_loop(node) && moment == NULL && p->chunks > 1 && p->chunk == NO_CHUNK) {
        place_chunks(p, node);
        return;
    }
    if (node->kind == NODE_OP) {
        Op *op = node->op;
        for (int i = 0; i < op->operand_count; i++)
            stages_place_ref(p, &op->operand[i], moment);
        if (op_has_result(op->kind))
            stages_place_ref(p, &op->out, moment);
        if (moment != NULL && op_index(op) != NULL)
            place_moment(op_index_of(op), micro_loop, &moment->micro);
    } else if (node->kind == NODE_GUARD && moment != NULL) {
        place_moment(&node->guard.value, micro_loop, &moment->micro);
    } else if (node_is_layer_loop(node)) {
        place_loop(p, node, moment != NULL ? moment->chunk : p->chunk);
    }
    for (int i = 0; i < node->body.count; i++)
        stages_place_node(p, node->body.data[i], micro_loop, moment);
}

/* ---- Outside the microbatch loop ---------------------------------------------------------------------------- */

/* The sections that use an operator's units; 0 if it has none, or layers. */
static StageSet stages_of_op(const Stages *p, const Op *op)
{
    StageSet stages = 0;
    for (int i = 0; i <= op->operand_count; i++) {
        if (i == op->operand_count && !op_has_result(op->kind))
            break;
        const Ref *ref = i < op->operand_count ? &op->operand[i] : &op->out;
        const Buffer *buffer = &p->program->buffers.data[ref->buffer];
        if (buffer->layout == LAYOUT_UNIT)
            stages |= p->unit_stages[buffer->unit];
    }
    return stages;
}

static bool is_number(const Stages *p, const Ref *ref)
{
    return p->program->buffers.data[ref->buffer].layout == LAYOUT_DENSE;
}

static void complete(Stages *p, NodeList *body, const Ref *ref)
{
    if (!p->buffers[ref->buffer].in_parts)
        return;
    p->buffers[ref->buffer].in_parts = false;
    stages_communicate(p, body, OP_ALL_REDUCE, *ref, ref, p->span);
}

/* A sum of which every stage has a part is completed where it is read, or where something whole is added to it. */
static void complete_operands(Stages *p, NodeList *body, const Op *op)
{
    bool numbers = op->accumulate;
    for (int i = 0; i < op->operand_count; i++) {
        numbers = numbers && is_number(p, &op->operand[i]);
        complete(p, body, &op->operand[i]);
    }
    if (numbers)
        complete(p, body, &op->out);
}

static void find_sums(Stages *p, const Node *node)
{
    if (node->kind == NODE_OP && op_has_result(node->op->kind) && node->op->accumulate && is_number(p, &node->op->out))
        p->buffers[node->op->out.buffer].in_parts = true;
    for (int i = 0; i < node->body.count; i++)
        find_sums(p, node->body.data[i]);
}

static void complete_read(Stages *p, NodeList *body, const Node *node)
{
    if (node->kind == NODE_OP)
        complete_operands(p, body, node->op);
    for (int i = 0; i < node->body.count; i++)
        complete_read(p, body, node->body.data[i]);
}

static void place_flat_op(Stages *p, NodeList *body, Node *node)
{
    StageSet stages = stages_of_op(p, node->op);
    bool sum = stages != 0 && op_has_result(node->op->kind) && is_number(p, &node->op->out);
    if (sum) {
        /* Copies count once: what is not a sum over all units is kept by one of the stages that have it, and zeroed
         * elsewhere. */
        if (!node->op->accumulate)
            stages_fill(p, body, node->op->out, node->span);
        stages &= -stages;
        p->buffers[node->op->out.buffer].in_parts = true;
    }
    NodeList *at = stages_at(p, body, stages);
    vec_push(p->ctx->arena, at, node);
}

static void place_flat(Stages *p, NodeList *body, Node *node)
{
    bool layers = node_is_layer_loop(node);
    complete_read(p, body, node);
    stages_place_node(p, node, -1, NULL);
    if (node->kind == NODE_OP) {
        place_flat_op(p, body, node);
        return;
    }
    vec_push(p->ctx->arena, body, node);
    if (layers)
        find_sums(p, node);
}

/* Sends a sum to the stage of some sections; waited for. */
static void send_sum(Stages *p, NodeList *at, const Ref *sum, StageSet to)
{
    Op *send = stages_communicate(p, at, OP_SEND, (Ref){.member = -1}, sum, p->span);
    send->peer = (Peer){affine_constant(stages_where(p, to).low), p->channels};
    send->event = p->program->event_count;
    send->stream = 1;
}

static void receive_sum(Stages *p, NodeList *at, const Ref *into, StageSet from)
{
    stages_communicate(p, at, OP_RECV, *into, NULL, p->span)->peer =
        (Peer){affine_constant(stages_where(p, from).low), p->channels};
}

static void wait_for_sum(Stages *p, NodeList *at)
{
    stages_node(p, at, NODE_WAIT, p->span)->wait.event = p->program->event_count;
}

static void add_received(Stages *p, NodeList *at, const Ref *sum, const Ref *other)
{
    Op *add = stages_op(p, at, OP_COPY, *sum, p->span);
    add->operand[add->operand_count++] = *other;
    add->accumulate = true;
}

/* Two stages each send their own sum to the other. */
static void exchange_between(Stages *p, NodeList *body, const Ref *sum, const Ref *other, StageSet sections)
{
    for (StageSet rest = sections, here = 0; rest != 0; rest &= ~here) {
        here = rest & -rest;
        NodeList *at = stages_at(p, body, here);
        send_sum(p, at, sum, sections & ~here);
        receive_sum(p, at, other, sections & ~here);
        wait_for_sum(p, at);
        add_received(p, at, sum, other);
    }
}

/* Of more, the first adds up all sums and sends the result, so that all have the same to the last bit. */
static void sum_at_first(Stages *p, NodeList *body, const Ref *sum, const Ref *other, StageSet sections)
{
    StageSet first = sections & -sections, others = sections & ~first;
    for (StageSet rest = others; rest != 0; rest &= rest - 1) {
        StageSet here = rest & -rest;
        NodeList *at = stages_at(p, body, here);
        send_sum(p, at, sum, first);
        wait_for_sum(p, at);
        at = stages_at(p, body, first);
        receive_sum(p, at, other, here);
        add_received(p, at, sum, other);
    }
    for (StageSet rest = others; rest != 0; rest &= rest - 1) {
        StageSet here = rest & -rest;
        NodeList *at = stages_at(p, body, first);
        send_sum(p, at, sum, here);
        wait_for_sum(p, at);
        receive_sum(p, stages_at(p, body, here), sum, first);
    }
}

/* The gradient of a unit that several stages use is a sum on each. */
static void exchange_gradient(Stages *p, NodeList *body, int buffer, StageSet sections)
{
    Buffer own = p->program->buffers.data[buffer];
    own.name = arena_printf(p->ctx->arena, "other.%s", own.name);
    own.category = CATEGORY_BUFFERS;
    vec_push(p->ctx->arena, &p->program->buffers, own);
    Ref sum = {.buffer = buffer, .member = -1}, other = {.buffer = p->program->buffers.count - 1, .member = -1};
    StageSet others = sections & (sections - 1);
    if ((others & (others - 1)) == 0)
        exchange_between(p, body, &sum, &other, sections);
    else
        sum_at_first(p, body, &sum, &other, sections);
    p->program->event_count++;
    p->channels++;
}

static void exchange_gradients(Stages *p, NodeList *body)
{
    int count = p->program->buffers.count;
    for (int b = 0; b < count; b++) {
        const Buffer *own = &p->program->buffers.data[b];
        if (own->layout != LAYOUT_UNIT || !p->buffers[b].summed)
            continue;
        StageSet sections = stages_distinct(p, p->unit_stages[own->unit]);
        if ((sections & (sections - 1)) != 0)
            exchange_gradient(p, body, b, sections);
    }
}

/* ---- Routines ----------------------------------------------------------------------------------------------- */

/* Finds numbers that the rest of the routine reads as the microbatch loop left them. */
static void find_read_on(Stages *p, const Node *node)
{
    for (int i = 0; node->kind == NODE_OP && i < node->op->operand_count; i++)
        p->buffers[node->op->operand[i].buffer].read_on |= is_number(p, &node->op->operand[i]);
    for (int i = 0; i < node->body.count; i++)
        find_read_on(p, node->body.data[i]);
}

static void place_routine(Stages *p, Routine *routine)
{
    NodeList old = routine->body, body = {0};
    bool init = routine->kind == ROUTINE_INIT || routine->kind == ROUTINE_JOIN, found = init; /* no examples */
    for (int i = 0; i < p->program->buffers.count; i++)
        p->buffers[i].in_parts = p->buffers[i].summed = p->buffers[i].read_on = false;
    for (int i = 0; i < old.count; i++)
        found |= stages_computes_layers(old.data[i]);
    if (!found) { /* one example, without a loop over microbatches */
        stages_place_micro(p, &old, -1, &body);
        routine->body = body;
        return;
    }
    for (int i = 0; i < old.count && !p->failed; i++) {
        if (!init && stages_computes_layers(old.data[i])) {
            for (int j = i + 1; j < old.count; j++)
                find_read_on(p, old.data[j]);
            stages_place_micro(p, &old.data[i]->body, old.data[i]->loop.id, &body);
            exchange_gradients(p, &body);
        } else {
            place_flat(p, &body, old.data[i]);
        }
    }
    routine->body = body;
}

/* False if the layers cannot be distributed; reported. A stage may have none: it passes on what it receives. */
static bool check_chunks(Stages *p)
{
    if (p->layers % p->chunks == 0)
        return true;
    Diagnostic *d = diag_report(p->ctx->diag, P0205, p->span, "%lld layers in %lld stages of %lld chunks",
                                (long long)p->layers, (long long)p->stages, (long long)p->chunks);
    diag_note(d, "The chunks of a stage have the same number of layers: a buffer says which layers it has as runs of "
                 "equal length and distance.");
    diag_help(d, "Take a multiple of %lld layers, or another number of chunks.", (long long)p->chunks);
    return false;
}

/* The pass itself sums what stages have parts of; a sync would sum it again. False if a sync is over the axis. */
static bool check_syncs(Stages *p)
{
    bool good = true;
    for (int i = 0; i < p->assignment->syncs.count; i++) {
        const Sync *sync = &p->assignment->syncs.data[i];
        if (!axes_contain(sync->axes, p->axis))
            continue;
        const char *axis = p->decls->axes.data[p->axis].name;
        Diagnostic *d = diag_report(p->ctx->diag, P0209, sync->span, "a sync over '%s', the axis of a pipeline", axis);
        diag_label(d, p->span, "the pipeline's stages are along '%s'", axis);
        diag_note(d, "The pipeline itself sums what its stages add to (the loss, the norm, gradients of weights that "
                     "several stages share), whatever syncs over other axes do.");
        good = false;
    }
    return good;
}

bool stages_run(Ctx *ctx, const Assignment *assignment, StepFile *file)
{
    const Staging *request = &assignment->pipeline;
    if (!request->requested || file->decls->axes.data[request->axis].size == 1)
        return true;
    Program *program = file->program;
    Stages p = {.ctx = ctx,
                .assignment = assignment,
                .reference = file->reference,
                .program = program,
                .decls = file->decls,
                .axis = request->axis,
                .span = request->span,
                .schedule = request->schedule,
                .chunks = request->chunks,
                .chunk = NO_CHUNK,
                .within = -1,
                .micro = file->decls->micro};
    p.stages = file->decls->axes.data[request->axis].size;
    if (!staging_check(ctx, file->decls, request))
        return false;
    p.layers = staging_layers(file->decls);
    p.apart = staging_apart(file->decls, request) > 0;
    if (!check_chunks(&p) || !check_syncs(&p))
        return false;
    stages_divide(&p);
    if (p.apart)
        p.apart_depth = arena_array(ctx->arena, int64_t, p.chunks * p.chunks);
    find_schedule(&p);
    stages_set_apart(&p);
    int count = program->buffers.count;
    p.buffers = arena_array(ctx->arena, StagesBuffer, 2 * count + 1); /* with room for copies of tied gradients */
    find_unit_stages(&p);
    find_buffer_groups(&p);
    for (int i = 0; i < count; i++)
        cut_buffer(&p, i);
    stages_find_rings(&p, program_routine(program, ROUTINE_STEP));
    for (int i = 0; i < program->routines.count && !p.failed; i++)
        place_routine(&p, &program->routines.data[i]);
    return !p.failed;
}

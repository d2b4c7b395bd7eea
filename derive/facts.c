/* facts.c - what is known about the reference before anything is placed, found in order: each file reads what the ones
 * before it found. */
#include "derive/facts.h"

#include <string.h>

/* ---- Roles of the reference's buffers ----------------------------------------------------------------------- */

void facts_bound_layers(int64_t *next, int64_t layer, int64_t first, int64_t last)
{
    if (first > layer && first < *next)
        *next = first;
    if (last + 1 > layer && last + 1 < *next)
        *next = last + 1;
}

const int *derive_first_units(Arena *arena, const Decls *decls)
{
    int *first = arena_array(arena, int, decls->tensors.count + 1);
    for (int i = 0; i < decls->tensors.count; i++)
        first[i] = -1;
    for (int i = decls->units.count - 1; i >= 0; i--)
        for (int j = 0; j < decls->units.data[i].member_count; j++)
            first[decls->units.data[i].members[j]] = i;
    return first;
}

int derive_declared_index(const Assignment *assignment, const State *state)
{
    for (int i = 0; i < assignment->declared_states.count; i++)
        if (strcmp(assignment->declared_states.data[i], state->name) == 0)
            return i;
    return -1;
}

static RefBuffer classify(const Facts *f, const Buffer *buffer)
{
    static const Role roles[] = {[STATE_PARAMETERS] = ROLE_PARAMETER,
                                 [STATE_GRADIENTS] = ROLE_GRADIENT,
                                 [STATE_OPTIMIZER] = ROLE_STATE,
                                 [STATE_STATISTICS] = ROLE_PLAIN};
    RefBuffer info = {
        .role = ROLE_PLAIN, .bytes = (double)dtype_bytes(buffer->dtype), .share = 1, .tensor = -1, .updates = -1};
    for (int i = 0; i < buffer->dim_count; i++)
        info.bytes *= (double)buffer->dims[i].size;
    if (buffer->state >= 0 && buffer->tensor >= 0 && f->first_unit[buffer->tensor] >= 0) {
        info.role = roles[f->decls->states.data[buffer->state].kind];
        info.tensor = buffer->tensor;
        info.each = f->decls->states.data[buffer->state].each;
        if (derive_declared_index(f->assignment, &f->decls->states.data[buffer->state]) >= 0)
            info.updates = buffer->state;
    }
    return info;
}

/* ---- Placements --------------------------------------------------------------------------------------------- */

Placement facts_whole(const Facts *f, int ref)
{
    return placement_replicated(&f->mesh, f->reference->buffers.data[ref].dim_count);
}

void facts_place(const Facts *f, int ref, Placement *place, int axis, int on)
{
    OnAxis then = place_of(on, f->buffers[ref].maximum ? PARTIAL_MAX : PARTIAL_SUM);
    if (!on_axis_equal(place->axis[axis], then))
        placement_set_in_order(place, axis, then);
}

bool facts_is_of_parameter(const Facts *f, int ref)
{
    const Buffer *buffer = &f->reference->buffers.data[ref];
    if (buffer->state < 0 || buffer->tensor < 0)
        return false;
    switch (f->decls->states.data[buffer->state].kind) {
    case STATE_PARAMETERS:
    case STATE_GRADIENTS:
        return true;
    case STATE_OPTIMIZER:
    case STATE_STATISTICS:
        return false;
    }
    BUG("a state of no kind");
}

bool facts_is_cache(const Facts *f, int ref)
{
    return f->reference->buffers.data[ref].persistent && derive_is_cut(&f->buffers[ref]);
}

/* ---- The request -------------------------------------------------------------------------------------------- */

static const Sync *find_sync(const Facts *f, SyncTarget target)
{
    for (int i = 0; i < f->assignment->syncs.count; i++)
        if (f->assignment->syncs.data[i].target == target)
            return &f->assignment->syncs.data[i];
    return NULL;
}

static int most_loop_id(const NodeList *list)
{
    int most = -1;
    for (int i = 0; i < list->count; i++) {
        const Node *node = list->data[i];
        int inner = most_loop_id(&node->body);
        most = inner > most ? inner : most;
        if (node->kind == NODE_LOOP && node->loop.id > most)
            most = node->loop.id;
    }
    return most;
}

/* The program's own declarations: derivation splits units, and passes add tables. */
static Decls *start_decls(Ctx *ctx, const Train *train, const Assignment *assignment)
{
    Decls *decls = arena_make(ctx->arena, Decls);
    *decls = train->decls;
    decls->maps = assignment->maps;
    memset(&decls->tables, 0, sizeof decls->tables);
    for (int i = 0; i < train->decls.tables.count; i++)
        vec_push(ctx->arena, &decls->tables, train->decls.tables.data[i]);
    memset(&decls->units, 0, sizeof decls->units);
    for (int i = 0; i < assignment->units.count; i++)
        vec_push(ctx->arena, &decls->units, assignment->units.data[i].unit);
    return decls;
}

static Facts *start(Ctx *ctx, const Train *train, const Assignment *assignment)
{
    Facts *f = arena_make(ctx->arena, Facts);
    *f = (Facts){.ctx = ctx,
                 .train = train,
                 .assignment = assignment,
                 .decls = start_decls(ctx, train, assignment),
                 .reference = train->reference,
                 .batch = axes_larger_than_one(&train->decls, assignment->batch_axes),
                 .readers = axes_larger_than_one(&train->decls, assignment->reader_axes)};
    f->mesh = mesh_of(f->decls);
    f->first_unit = derive_first_units(ctx->arena, f->decls);
    f->local_count = find_sync(f, SYNC_COUNT) != NULL;
    f->norm_sync = find_sync(f, SYNC_NORM);
    f->loss_sync = find_sync(f, SYNC_LOSS);
    f->finding = arena_make(ctx->arena, Finding);
    f->buffers = f->finding->buffers = arena_array(ctx->arena, RefBuffer, train->reference->buffers.count + 1);
    for (int i = 0; i < train->reference->buffers.count; i++)
        f->finding->buffers[i] = classify(f, &train->reference->buffers.data[i]);
    derive_find_shares(f);
    for (int i = 0; i < train->reference->routines.count; i++) {
        int most = most_loop_id(&train->reference->routines.data[i].body);
        f->loop_count = most >= f->loop_count ? most + 1 : f->loop_count;
    }
    return f;
}

static bool check_request(const Facts *f)
{
    if (f->batch.count < STEP_MAX_CUTS)
        return true;
    diag_report(f->ctx->diag, P0290, f->assignment->batch_span,
                "a batch cut over more than %d axes is not supported yet", STEP_MAX_CUTS - 1);
    return false;
}

/* ---- Routines ----------------------------------------------------------------------------------------------- */

typedef struct Writer {
    bool known;
    const Node *loop;
} Writer;

static void find_fixed(const Facts *f, RoutineFacts *routine, const NodeList *body, const Node *loop, Writer *writers)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        if (node->kind == NODE_LOOP)
            find_fixed(f, routine, &node->body, node, writers);
        if (node->kind != NODE_OP || !op_has_result(node->op->kind) || f->ops[node->op->id].phase != PHASE_MICRO)
            continue;
        Writer *writer = &writers[node->op->out.buffer];
        routine->wish[node->op->out.buffer].fixed |= writer->known && writer->loop != loop;
        *writer = (Writer){true, loop};
    }
}

static void find_routine(const Facts *f, const Routine *routine, RoutineFacts *facts)
{
    Arena *arena = f->ctx->arena;
    int count = f->reference->buffers.count;
    *facts = (RoutineFacts){.routine = routine,
                            .cut = routine->kind != ROUTINE_PREDICT,
                            .divided = routine->kind != ROUTINE_PREDICT && !f->train->serves,
                            .wish = arena_array(arena, Wish, count + 1),
                            .sync_dim = arena_array(arena, int, f->value_syncs + 1),
                            .unused = diag_new(arena, f->ctx->sources)};
    for (int i = 0; i < f->value_syncs; i++)
        facts->sync_dim[i] = -1;
    find_fixed(f, facts, &routine->body, NULL, arena_array(arena, Writer, count + 1));
    for (int i = 0; i < count; i++)
        facts->wish[i].fixed |= facts_is_cache(f, i);
    derive_rest(f, facts);
}

Facts *facts_find(Ctx *ctx, const Train *train, const Assignment *assignment)
{
    Facts *f = start(ctx, train, assignment);
    if (!check_request(f))
        return NULL;
    derive_flow(f);
    derive_find_recomputed(f);
    derive_find_kept(f);
    derive_find_synced(f);
    if (f->failed)
        return NULL;
    f->routines = f->finding->routines = arena_array(ctx->arena, RoutineFacts, f->reference->routines.count + 1);
    for (int i = 0; i < f->reference->routines.count; i++)
        find_routine(f, &f->reference->routines.data[i], &f->finding->routines[i]);
    for (int i = 0; i < f->reference->routines.count; i++)
        derive_find_levels(f, &f->finding->routines[i]);
    derive_find_pins(f);
    derive_find_converted(f);
    f->finding = NULL;
    return f->failed ? NULL : f;
}

/* derive_case.h - a small reference and an assignment over it, for tests of derived programs.
 *
 * The model: x = x.head, then per layer x = tanh(x.w + b), then y = x.head (tied), loss = mean of squared errors;
 * momentum, a squared norm and clipping. `outside` leaves head out, which makes an untied stack of blocks.
 */
#ifndef PLACE_TESTS_DERIVE_CASE_H
#define PLACE_TESTS_DERIVE_CASE_H

#include "derive/derive.h"
#include "strategy/assign.h"

#include <stdlib.h>
#include <string.h>

typedef struct CaseModel {
    int batch, width, layers, micro;
    bool outside, clip;
    const char *axes;  /* lines "axis d 2\n" */
    const char *units; /* lines "unit ...\n"; NULL: one block, and what is outside */
    const char *dtype; /* NULL: f64 */
} CaseModel;

typedef struct Case {
    Ctx *ctx;
    Train train;
    Assignment assignment;
    StepFile *file; /* what was read */
} Case;

static inline void case_add_decls(Text *text, const CaseModel *m, const char *dtype)
{
    text_add(text, "place-step 1\nmodel stack\ncontract exact\ncompute %s\nmicro %d\n%s", dtype, m->micro, m->axes);
    text_add(text, "group block %d\n", m->layers);
    text_add(text, "tensor x input %s [%d, %d] batch 0\n", dtype, m->batch, m->width);
    text_add(text, "tensor t input %s [%d, %d] batch 0\n", dtype, m->batch, m->width);
    if (m->outside)
        text_add(text, "tensor head parameter %s [%d, %d] init normal 0.5\n", dtype, m->width, m->width);
    text_add(text, "tensor w parameter %s [%d, %d] in block init normal 0.5\n", dtype, m->width, m->width);
    text_add(text, "tensor b parameter %s [%d] in block init uniform 0.1\n", dtype, m->width);
    text_add(text, "state parameters parameters per_parameter %s\n", dtype);
    text_add(text, "state gradients gradients per_parameter %s\n", dtype);
    text_add(text, "state momentum optimizer per_parameter %s\n", dtype);
    text_add(text, "state step optimizer scalar %s\n", dtype);
    if (m->units != NULL)
        text_add(text, "%s", m->units);
    else
        text_add(text, "unit block in block 0..%d = w, b\n%s", m->layers - 1,
                 m->outside ? "unit outside = head\n" : "");
}

static inline void case_add_state_buffers(Text *text, const CaseModel *m, const char *dtype)
{
    static const char *const states[][2] = {
        {"parameters", "parameters persistent"}, {"gradients", "gradients"}, {"momentum", "optimizer persistent"}};
    for (int i = 0; i < 3; i++) {
        const char *name = states[i][0], *kind = states[i][1];
        if (m->outside)
            text_add(text, "buffer %s.head %s [%d, %d] %s state %s of head\n", name, dtype, m->width, m->width, kind,
                     name);
        text_add(text, "buffer %s.w %s [%d, %d] slots %d %s state %s of w\n", name, dtype, m->width, m->width,
                 m->layers, kind, name);
        text_add(text, "buffer %s.b %s [%d] slots %d %s state %s of b\n", name, dtype, m->width, m->layers, kind, name);
    }
    text_add(text, "buffer step %s [] optimizer persistent state step\n", dtype);
}

static inline void case_add_buffers(Text *text, const CaseModel *m, const char *dtype)
{
    static const char *const activations[] = {"in", "target", "y", "e", "de", "dy", "da"};
    static const char *const scalars[] = {"loss", "rate", "squared", "norm", "factor"};
    case_add_state_buffers(text, m, dtype);
    for (int i = 0; i < 7; i++)
        text_add(text, "buffer %s %s [%d, %d] activations\n", activations[i], dtype, m->batch, m->width);
    text_add(text, "buffer a %s [%d, %d] slots %d activations\n", dtype, m->batch, m->width, m->layers + 1);
    text_add(text, "buffer h %s [%d, %d] slots %d activations\n", dtype, m->batch, m->width, m->layers);
    text_add(text, "buffer dh %s [%d, %d] activations\n", dtype, m->batch, m->width);
    for (int i = 0; i < 5; i++)
        text_add(text, "buffer %s %s [] buffers\n", scalars[i], dtype);
}

static inline void case_add_init(Text *text, const CaseModel *m)
{
    text_add(text, "routine init {\n");
    if (m->outside)
        text_add(text, "parameters.head = init() tensor head seed 1\n");
    text_add(text, "loop l0 layers block 0..%d {\nparameters.w[l0] = init() tensor w seed 1\n", m->layers - 1);
    text_add(text, "parameters.b[l0] = init() tensor b seed 1\n}\n");
    if (m->outside)
        text_add(text, "momentum.head = fill(; 0) \"ab\"\n");
    text_add(text, "loop l1 layers block 0..%d {\nmomentum.w[l1] = fill(; 0) \"ab\"\n", m->layers - 1);
    text_add(text, "momentum.b[l1] = fill(; 0) \"a\"\n}\nstep = fill(; 0)\n}\n");
}

static inline void case_add_forward(Text *text, const CaseModel *m, int loop)
{
    int count = m->batch * m->width;
    text_add(text, "in = read() tensor x index 0\ntarget = read() tensor t index 0\n");
    text_add(text, m->outside ? "a[0] = einsum(in, parameters.head) \"bi,io->bo\"\n" : "a[0] = copy(in) \"bi->bi\"\n");
    text_add(text, "loop l%d layers block 0..%d {\n", loop, m->layers - 1);
    text_add(text, "h[l%d] = einsum(a[l%d], parameters.w[l%d]) \"bi,io->bo\"\n", loop, loop, loop);
    text_add(text, "h[l%d] = add(h[l%d], parameters.b[l%d]) \"bo,o->bo\"\n", loop, loop, loop);
    text_add(text, "a[l%d+1] = tanh(h[l%d]) \"bo->bo\"\n}\n", loop, loop);
    if (m->outside)
        text_add(text, "y = einsum(a[%d], parameters.head) \"bi,io->bo\"\n", m->layers);
    else
        text_add(text, "y = copy(a[%d]) \"bo->bo\"\n", m->layers);
    text_add(text, "e = squared_error(y, target) \"bo,bo->bo\"\nloss = reduce(e) \"bo->\"\n");
    text_add(text, "loss = scale(loss) \"->\" scale 1/%d\noutput(loss) name \"loss\"\n", count);
}

static inline void case_add_backward(Text *text, const CaseModel *m)
{
    if (m->outside)
        text_add(text, "gradients.head = fill(; 0) \"ab\"\n");
    text_add(text, "loop l3 layers block 0..%d {\ngradients.w[l3] = fill(; 0) \"ab\"\n", m->layers - 1);
    text_add(text, "gradients.b[l3] = fill(; 0) \"a\"\n}\n");
    text_add(text, "de = fill(; %.17g) \"bo\"\n", 1.0 / (m->batch * m->width));
    text_add(text, "dy = squared_error_bwd(y, target, de) \"bo,bo,bo->bo\"\n");
    if (m->outside)
        text_add(text,
                 "da = einsum(dy, parameters.head) \"bo,io->bi\"\n"
                 "gradients.head += einsum(a[%d], dy) \"bi,bo->io\"\n",
                 m->layers);
    else
        text_add(text, "da = copy(dy) \"bo->bo\"\n");
    text_add(text, "loop l4 layers block %d..0 down {\n", m->layers - 1);
    text_add(text, "dh = tanh_bwd(h[l4], da) \"bo,bo->bo\"\n");
    text_add(text, "gradients.b[l4] += reduce(dh) \"bo->o\"\n");
    text_add(text, "gradients.w[l4] += einsum(a[l4], dh) \"bi,bo->io\"\n");
    text_add(text, "da = einsum(dh, parameters.w[l4]) \"bo,io->bi\"\n}\n");
    if (m->outside)
        text_add(text, "gradients.head += einsum(in, da) \"bi,bo->io\"\n");
}

static inline void case_add_clip(Text *text, const CaseModel *m)
{
    text_add(text, "squared = fill(; 0)\n");
    if (m->outside)
        text_add(text, "squared += sum_squares(gradients.head) \"ab->\"\n");
    text_add(text, "loop l5 layers block 0..%d {\nsquared += sum_squares(gradients.w[l5]) \"ab->\"\n", m->layers - 1);
    text_add(text, "squared += sum_squares(gradients.b[l5]) \"a->\"\n}\nnorm = sqrt(squared) \"->\"\n");
    text_add(text, "output(norm) name \"gradient_norm\"\nfactor = clip_factor(squared; 0.01) \"->\"\n");
    if (m->outside)
        text_add(text, "gradients.head = mul(gradients.head, factor) \"ab,->ab\"\n");
    text_add(text, "loop l6 layers block 0..%d {\n", m->layers - 1);
    text_add(text, "gradients.w[l6] = mul(gradients.w[l6], factor) \"ab,->ab\"\n");
    text_add(text, "gradients.b[l6] = mul(gradients.b[l6], factor) \"a,->a\"\n}\n");
}

static inline void case_add_update(Text *text, const char *name, const char *slot, const char *letters)
{
    text_add(text, "momentum.%s%s = momentum(momentum.%s%s, gradients.%s%s; 0.9) \"%s,%s->%s\" tensor %s\n", name, slot,
             name, slot, name, slot, letters, letters, letters, name);
    text_add(text, "parameters.%s%s = sgd(parameters.%s%s, momentum.%s%s, rate) \"%s,%s,->%s\" tensor %s\n", name, slot,
             name, slot, name, slot, letters, letters, letters, name);
}

static inline void case_add_step(Text *text, const CaseModel *m)
{
    text_add(text, "routine step {\n");
    case_add_forward(text, m, 2);
    case_add_backward(text, m);
    if (m->clip)
        case_add_clip(text, m);
    text_add(text, "rate = rate(step; 0.1, 0, 0, 1) \"->\"\n");
    if (m->outside)
        case_add_update(text, "head", "", "ab");
    text_add(text, "loop l7 layers block 0..%d {\n", m->layers - 1);
    case_add_update(text, "w", "[l7]", "ab");
    case_add_update(text, "b", "[l7]", "a");
    text_add(text, "}\nstep = increment(step) \"->\"\n}\n");
}

/* The loss is a mean: what sums its terms, and starts their cotangents. */
static inline void case_find_mean(Case *c, RoutineKind routine, const char *name, OpKind kind)
{
    const NodeList *list = &program_routine(c->train.reference, routine)->body;
    for (int i = 0; i < list->count; i++) {
        const Op *op = list->data[i]->kind == NODE_OP ? list->data[i]->op : NULL;
        if (op != NULL && op->kind == kind && strcmp(c->train.reference->buffers.data[op->out.buffer].name, name) == 0)
            vec_push(c->ctx->arena, &c->train.means, op);
    }
}

/* The units that were read, of which every rank holds the whole. */
static inline void case_take_units(Case *c, const Decls *decls)
{
    memset(&c->assignment.units, 0, sizeof c->assignment.units);
    for (int i = 0; i < decls->units.count; i++)
        vec_push(c->ctx->arena, &c->assignment.units, (UnitPlacement){.unit = decls->units.data[i]});
}

/* Reads the reference; every state is replicated until the test says otherwise. Batch and readers: all axes. */
static inline Case *case_new(const CaseModel *m)
{
    Arena *arena = arena_new();
    Ctx *ctx = arena_make(arena, Ctx);
    *ctx = (Ctx){.arena = arena, .strings = str_table_new(arena), .sources = sources_new(arena)};
    ctx->diag = diag_new(arena, ctx->sources);
    Text text = {.arena = arena};
    case_add_decls(&text, m, m->dtype != NULL ? m->dtype : "f64");
    text_add(&text, "reference {\n");
    case_add_buffers(&text, m, m->dtype != NULL ? m->dtype : "f64");
    case_add_init(&text, m);
    case_add_step(&text, m);
    text_add(&text, "routine eval {\n");
    case_add_forward(&text, m, 8);
    text_add(&text, "}\n}\nprogram {\n}\n");
    Case *c = arena_make(arena, Case);
    c->ctx = ctx;
    c->file = step_read(ctx, source_add(ctx->sources, "reference.step", text.data, text.length));
    if (c->file == NULL) {
        diag_print_text(ctx->diag, stderr, false, 20);
        exit(1);
    }
    Decls *decls = c->file->decls;
    c->train = (Train){.decls = *decls, .reference = c->file->reference, .batch = m->batch};
    case_find_mean(c, ROUTINE_STEP, "loss", OP_REDUCE);
    case_find_mean(c, ROUTINE_STEP, "de", OP_FILL);
    case_find_mean(c, ROUTINE_EVAL, "loss", OP_REDUCE);
    for (int i = 0; i < decls->axes.count; i++)
        c->assignment.batch_axes.axis[c->assignment.batch_axes.count++] = (int8_t)i;
    c->assignment.reader_axes = c->assignment.batch_axes;
    c->assignment.seed.base = 1;
    case_take_units(c, decls);
    return c;
}

/* The set of the axes with these indices ("01": the first two). */
static inline AxisSet case_axes(const char *digits)
{
    AxisSet set = {0};
    for (; *digits != '\0'; digits++)
        set.axis[set.count++] = (int8_t)(*digits - '0');
    return set;
}

/* Where a unit's states are stored; parameters that are stored sharded are gathered. */
static inline void case_place(Case *c, int unit, const char *parameters, const char *gradients, const char *optimizer)
{
    UnitPlacement *placement = &c->assignment.units.data[unit];
    placement->parameters.rest = case_axes(parameters);
    placement->gradients.rest = case_axes(gradients);
    placement->optimizer.rest = case_axes(optimizer);
}

static inline void case_place_all(Case *c, const char *parameters, const char *gradients, const char *optimizer)
{
    for (int i = 0; i < c->assignment.units.count; i++)
        case_place(c, i, parameters, gradients, optimizer);
}

/* Adds an explicit sync; of gradients and parameters: of every unit. */
static inline Sync *case_sync(Case *c, SyncTarget target, SyncOperation operation, const char *axes)
{
    Sync sync = {.target = target,
                 .operation = operation,
                 .axes = case_axes(axes),
                 .scale_numerator = 1,
                 .scale_denominator = 1,
                 .unit_count = c->assignment.units.count};
    sync.units = arena_array(c->ctx->arena, int, sync.unit_count + 1);
    for (int i = 0; i < sync.unit_count; i++)
        sync.units[i] = i;
    vec_push(c->ctx->arena, &c->assignment.syncs, sync);
    return &c->assignment.syncs.data[c->assignment.syncs.count - 1];
}

/* The program as text, in the arena. */
static inline char *case_text(const Case *c, const StepFile *file)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    step_print(file, c->ctx->sources, out);
    fclose(out);
    char *copy = arena_copy(c->ctx->arena, text, length);
    free(text);
    return copy;
}

#endif

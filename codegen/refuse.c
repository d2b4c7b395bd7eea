/* refuse.c - what cannot be built yet, each at its place: P0501, once per reason and line. */
#include "codegen/codegen.h"

#include "codegen/kernels.h"
#include <string.h>

typedef struct Refuse {
    Ctx *ctx;
    const Train *train;
    const Program *program;
    bool good;
    bool said_window, said_view;
} Refuse;

static const char built[] =
    "Programs are built for data_parallel, zero1, zero2, zero3 and fsdp, and what composes of them, "
    "over axes that cut the batch.";

/* What can be built instead: `way_out`, or NULL where nothing can. */
static void refuse(Refuse *r, Span span, const char *what, const char *way_out)
{
    r->good = false;
    Diagnostic *d = diag_report(r->ctx->diag, P0501, span, "%s cannot be built yet", what);
    if (way_out != NULL)
        diag_help(d, "%s", way_out);
    diag_note(d, "`placec plan` gives its memory and traffic.");
}

/* bf16 is planned, for its memory and traffic; kernels and contractions on the CPU have f32 and f64. */
static void check_dtypes(Refuse *r)
{
    for (int i = 0; i < r->program->buffers.count; i++) {
        const Buffer *buffer = &r->program->buffers.data[i];
        if (buffer->dtype != DTYPE_BF16)
            continue;
        Span span = span_known(r->train->precision_span) ? r->train->precision_span : buffer->span;
        refuse(r, span, "precision bf16", "Programs are built for f32 and f64.");
        return;
    }
}

/* A running program ends at a number that is not finite, where a scaled one would skip the step. */
static void check_loss_scale(Refuse *r)
{
    if (r->train->loss_scale)
        refuse(r, r->train->precision_span, "a dynamic loss scale", "f32 and f64 need none: leave it out.");
}

/* Groups are views, which have no kernels; of old gradients no running program was compared with the reference. */
static void check_contracts(Refuse *r)
{
    for (int i = 0; i < r->train->contracts.count; i++) {
        const Contract *contract = &r->train->contracts.data[i];
        if (contract->changes)
            refuse(r, contract->span, arena_printf(r->ctx->arena, "a program under the contract '%s'", contract->text),
                   NULL);
    }
}

/* Of the devices, the CPU has a runtime. */
static void check_device(Refuse *r)
{
    const Cluster *cluster = &r->train->cluster;
    if (strcmp(cluster->device, "cpu") == 0)
        return;
    refuse(r, cluster->span, arena_printf(r->ctx->arena, "a program for devices of %s", cluster->device),
           "Programs are built for devices of cpu.");
}

static void check_checkpoints(Refuse *r)
{
    if (r->program->decls->maps.count > 0)
        refuse(r, r->program->decls->maps.data[0].span, "a checkpoint in a layout of its own", "Leave its map out.");
}

static void check_tiers(Refuse *r)
{
    for (int i = 0; i < r->program->buffers.count; i++) {
        const Buffer *buffer = &r->program->buffers.data[i];
        if (buffer->tier != TIER_DEVICE)
            refuse(r, buffer->span, "what rests on the host or in a file", "Leave it on the device: say no tier.");
    }
}

static bool is_frozen(const Decls *decls, const Unit *unit)
{
    return !decls->tensors.data[unit->members[0]].trainable;
}

/* Programs run with every rank holding the same, and one kind of piece. */
static void check_placement(Refuse *r)
{
    const Decls *decls = r->program->decls;
    for (int i = 0; i < r->program->buffers.count; i++) {
        const Buffer *buffer = &r->program->buffers.data[i];
        if (buffer->held || buffer->has_layers)
            refuse(r, buffer->span, "a state that only some ranks hold", built);
        else if (buffer->layout == LAYOUT_UNIT && decls->units.data[buffer->unit].member_dims != NULL)
            refuse(r, buffer->span, "a parameter that is cut by a dim", built);
        else if (buffer->layout == LAYOUT_UNIT && is_frozen(decls, &decls->units.data[buffer->unit]))
            refuse(r, buffer->span, "a frozen parameter that ranks have pieces of", built);
        else if (buffer->layout == LAYOUT_UNIT && buffer->each != EACH_ELEMENT)
            refuse(r, r->train->optimizer_span, "an optimizer with a number per row, column or tensor",
                   "Programs are built for sgd, momentum, adam and adamw.");
    }
}

static int64_t parts_of(const Decls *decls, const Buffer *buffer)
{
    int64_t parts = 1;
    for (int i = 0; i < buffer->cut_count; i++)
        parts *= decls->axes.data[buffer->cut[i]].size;
    return parts;
}

/* A piece of a piece is the piece of the whole that the layout names only where nothing is rounded up. */
static bool nested_pieces_fit(const Refuse *r, const Buffer *whole, const Buffer *cut)
{
    if (whole->cut_count == 0)
        return true;
    return r->program->decls->units.data[whole->unit].elements % parts_of(r->program->decls, cut) == 0;
}

/* The cut one's axes are the whole one's, then the operator's. */
static bool axes_continue(const Op *op, const int8_t *whole, int whole_count, const int8_t *cut, int cut_count)
{
    if (cut_count != whole_count + op->axis_count)
        return false;
    return memcmp(cut, whole, (size_t)whole_count) == 0 &&
           memcmp(cut + whole_count, op->axis, (size_t)op->axis_count) == 0;
}

static void check_unit_pieces(Refuse *r, const Op *op, const Buffer *whole, const Buffer *cut)
{
    if (!axes_continue(op, whole->cut, whole->cut_count, cut->cut, cut->cut_count))
        refuse(r, op->span, "a piece that is cut over its axes in another order", built);
    else if (!nested_pieces_fit(r, whole, cut))
        refuse(r, op->span, "a piece of a piece that does not divide", built);
}

/* Of dense values the runtime takes pieces along dim 0. */
static void check_dense_pieces(Refuse *r, const Op *op, const Buffer *whole, const Buffer *cut)
{
    bool good = op_info[op->kind].op_class == CLASS_COMM && cut->dim_count == whole->dim_count && cut->dim_count > 0;
    for (int i = 0; i < cut->dim_count && good; i++) {
        const Dim *w = &whole->dims[i], *c = &cut->dims[i];
        if (i == 0)
            good = axes_continue(op, w->cut, w->cut_count, c->cut, c->cut_count);
        else
            good = w->cut_count == c->cut_count && memcmp(w->cut, c->cut, (size_t)w->cut_count) == 0;
    }
    if (!good)
        refuse(r, op->span, "a piece of a value along a dim that is not its first", built);
}

/* The kernels look up rows in whole tables. */
static void check_table(Refuse *r, const Op *op, const Ref *table)
{
    const Buffer *buffer = &r->program->buffers.data[table->buffer];
    for (int i = 0; buffer->layout == LAYOUT_DENSE && i < buffer->dims[0].cut_count; i++)
        if (r->program->decls->axes.data[buffer->dims[0].cut[i]].size > 1) {
            refuse(r, op->span, "a table of which a rank has some rows", built);
            return;
        }
}

/* What these operators do, in words of strategies. */
static const char *moved_words(OpKind kind)
{
    switch ((int)kind) {
    case OP_ALL_TO_ALL:
        return "an exchange of pieces along two dims";
    case OP_PERMUTE:
        return "what is handed on around a ring";
    case OP_BROADCAST:
        return "a broadcast";
    case OP_HALO:
    case OP_HALO_ADD:
        return "an image in pieces";
    case OP_SEND:
    case OP_RECV:
        return "a pipeline";
    }
    BUG("operator %d", (int)kind);
}

static void check_pieces(Refuse *r, const Op *op)
{
    const Ref *whole = NULL, *cut = NULL;
    switch (op->kind) {
    case OP_SLICE:
    case OP_REDUCE_SCATTER:
        whole = &op->operand[0];
        cut = &op->out;
        break;
    case OP_ALL_GATHER:
        whole = &op->out;
        cut = &op->operand[0];
        break;
    case OP_ALL_TO_ALL:
    case OP_PERMUTE:
    case OP_BROADCAST:
    case OP_HALO:
    case OP_HALO_ADD:
    case OP_SEND:
    case OP_RECV:
        refuse(r, op->span, moved_words(op->kind), built);
        return;
    case OP_EINSUM:
        if (op_in_pieces(op))
            refuse(r, op->span, "a product with what travels around a ring", built);
        return;
    case OP_EMBED:
        check_table(r, op, &op->operand[1]);
        return;
    case OP_EMBED_BWD:
        check_table(r, op, &op->out);
        return;
    case OP_PLACE_SHARD:
        whole = &op->out;
        cut = &op->operand[1];
        break;
    default: /* takes no pieces */
        return;
    }
    const Buffer *w = ref_buffer(r->program, whole), *c = ref_buffer(r->program, cut);
    if (w->layout == LAYOUT_UNIT && c->layout == LAYOUT_UNIT && whole->member < 0 && cut->member < 0)
        check_unit_pieces(r, op, w, c);
    else
        check_dense_pieces(r, op, w, c);
}

/* Convolutions, pooling and views have no kernels: said at the first of each. */
static void check_kernel(Refuse *r, const Op *op)
{
    OpClass class = op_info[op->kind].op_class;
    bool *said = class == CLASS_WINDOW ? &r->said_window : class == CLASS_VIEW ? &r->said_view : NULL;
    if (said == NULL || *said)
        return;
    *said = true;
    refuse(r, op->span, class == CLASS_VIEW ? "a value under other dims" : "a convolution or pooling", NULL);
}

static void check_body(Refuse *r, const NodeList *body)
{
    for (int i = 0; i < body->count; i++) {
        if (body->data[i]->kind == NODE_OP) {
            check_kernel(r, body->data[i]->op);
            check_pieces(r, body->data[i]->op);
        }
        check_body(r, &body->data[i]->body);
    }
}

bool codegen_check(Ctx *ctx, const Train *train, const StepFile *file)
{
    Refuse r = {.ctx = ctx, .train = train, .program = file->program, .good = true};
    check_device(&r);
    check_dtypes(&r);
    check_loss_scale(&r);
    check_contracts(&r);
    check_checkpoints(&r);
    check_tiers(&r);
    check_placement(&r);
    for (int i = 0; i < r.program->routines.count; i++)
        check_body(&r, &r.program->routines.data[i].body);
    return r.good;
}

/* halo.c - windows over shards of images: an axis shards the rows, and shards get a halo of their neighbours' rows.
 *
 * Where the rows of input and output are sharded alike and fit (a shard of the input is stride times one of the
 * output), a window operator is sharded with them: rows that its windows need beyond the rank's shard are exchanged
 * before it, and a cotangent's contributions to neighbours' rows after it. These are signatures like others: from
 * outside, the operator reads and gives plain shards. What does not fit is gathered. Rows and columns may both be
 * sharded, each over one axis: then rows are exchanged first, and columns of the shards with these rows, so that the
 * corners come with the neighbours' columns; contributions go back in reverse order.
 */
#include "derive/internal.h"

enum { ON_INPUT, ON_WINDOW, ON_OUTPUT };

static const Buffer *array_of(const Derive *d, const Op *op, int array)
{
    const Ref *ref = array == WINDOW_RESULT ? &op->out : &op->operand[array];
    return &d->reference->buffers.data[ref->buffer];
}

/* The grid of an operand, or of WINDOW_RESULT. */
static int grid_of(const Op *op, int array)
{
    WindowRoles roles = op_window_roles(op->kind);
    return array == roles.output ? ON_OUTPUT : array == roles.window ? ON_WINDOW : ON_INPUT;
}

/* Rows (0) or columns (1) of an array are its last two dims. */
static int grid_dim(const Derive *d, const Op *op, int array, int side)
{
    return array_of(d, op, array)->dim_count - 2 + side;
}

static int64_t grid_size(const Derive *d, const Op *op, int array, int side)
{
    return array_of(d, op, array)->dims[grid_dim(d, op, array, side)].size;
}

static bool find_halo(const Derive *d, const Op *op, int axis, int side, Halo *halo)
{
    WindowRoles roles = op_window_roles(op->kind);
    int64_t ranks = d->decls->axes.data[axis].size, stride = (int64_t)op->immediate[op->immediate_count - 2];
    int64_t input = grid_size(d, op, roles.input, side), output = grid_size(d, op, roles.output, side);
    int64_t window = roles.window == WINDOW_NONE ? (int64_t)op->immediate[0] : grid_size(d, op, roles.window, side);
    *halo = (Halo){.axis = axis, .side = side, .before = (int64_t)op->immediate[op->immediate_count - 1]};
    halo->after = window - stride - halo->before > 0 ? window - stride - halo->before : 0;
    int64_t piece = input / ranks; /* the smallest */
    bool under = input == stride * output && (stride == 1 || output % ranks == 0);
    return under && piece >= halo->before && piece >= halo->after;
}

/* Why windows over these rows do not work on shards. */
static const char *misfit(const Derive *d, const Op *op, const Halo *halo)
{
    WindowRoles roles = op_window_roles(op->kind);
    int64_t ranks = d->decls->axes.data[halo->axis].size, stride = (int64_t)op->immediate[op->immediate_count - 2];
    int64_t input = grid_size(d, op, roles.input, halo->side), output = grid_size(d, op, roles.output, halo->side);
    const char *rows = halo->side == 0 ? "rows" : "columns";
    if (input != stride * output)
        return arena_printf(d->ctx->arena,
                            "Of %lld %s it makes %lld, with a stride of %lld: pieces of both do not lie "
                            "under each other.",
                            (long long)input, rows, (long long)output, (long long)stride);
    if (stride > 1 && output % ranks != 0)
        return arena_printf(d->ctx->arena, "%lld %s cannot be cut into %lld equal pieces.", (long long)output, rows,
                            (long long)ranks);
    return arena_printf(d->ctx->arena, "Pieces of %lld %s are smaller than the %lld that a window sees beside them.",
                        (long long)(input / ranks), rows,
                        (long long)(halo->before > halo->after ? halo->before : halo->after));
}

/* Does another axis shard the rows, or columns, that the operator reads? */
static bool another_cuts(const Derive *d, int axis, int dim, const Choice *choice)
{
    for (int a = 0; a < d->decls->axes.count; a++)
        if (a != axis && choice->operand[0].on[a] == dim)
            return true;
    return false;
}

void derive_report_whole_windows(Derive *d, const Op *op, const Choice *choice)
{
    if (op_info[op->kind].op_class != CLASS_WINDOW || op_window_roles(op->kind).output != WINDOW_RESULT ||
        d->routine->kind != ROUTINE_STEP || d->dry)
        return;
    const RefBuffer *info = &d->buffers[op->operand[0].buffer];
    for (int i = 0; i < info->held.count; i++)
        for (int a = 0; a < d->decls->axes.count; a++) {
            int on = info->held.data[i].place.on[a], side = on - grid_dim(d, op, 0, 0);
            Halo halo;
            bool fits = side >= 0 && find_halo(d, op, a, side, &halo);
            if (side < 0 || choice->operand[0].on[a] == on || (fits && !another_cuts(d, a, on, choice)))
                continue;
            Diagnostic *diagnostic = diag_report(d->ctx->diag, P0358, op->span,
                                                 "'%s' needs the whole image, and every rank along '%s' does all of it",
                                                 op_info[op->kind].name, d->decls->axes.data[a].name);
            diag_why(diagnostic, "%s",
                     fits ? arena_printf(d->ctx->arena, "Another axis cuts the same %s, and windows see pieces of one.",
                                         side == 0 ? "rows" : "columns")
                          : misfit(d, op, &halo));
            diag_help(diagnostic, fits ? "Maybe cut rows over the one and columns over the other."
                                       : "Maybe cut it over another number of ranks, or pad it.");
            return;
        }
}

/* The placement of what is on the input's grid. */
static const Place *input_place(const Op *op, const Choice *choice)
{
    WindowRoles roles = op_window_roles(op->kind);
    return roles.input == WINDOW_RESULT ? &choice->result : &choice->operand[roles.input];
}

/* Does an axis chosen before this one already shard these rows, or columns? */
static bool is_cut_before(const Derive *d, const Op *op, int axis, int side, const Choice *choice)
{
    for (int a = 0; a < axis; a++)
        if (input_place(op, choice)->on[a] == grid_dim(d, op, op_window_roles(op->kind).input, side))
            return true;
    return false;
}

void derive_add_halo_signatures(const Derive *d, const Op *op, int axis, const Choice *choice, SignatureVec *list)
{
    Halo halo;
    for (int side = 0; side < 2; side++) {
        if (is_cut_before(d, op, axis, side, choice) || !find_halo(d, op, axis, side, &halo))
            continue;
        Signature signature = {.result = on_partial(PARTIAL_SUM)};
        for (int i = 0; i < op->operand_count; i++)
            if (grid_of(op, i) != ON_WINDOW)
                signature.operand[i] = on_sharded(grid_dim(d, op, i, side));
        if (grid_of(op, WINDOW_RESULT) != ON_WINDOW)
            signature.result = on_sharded(grid_dim(d, op, WINDOW_RESULT, side));
        vec_push(d->ctx->arena, list, signature);
    }
}

Halos derive_halos_of(const Derive *d, const Op *op, const Choice *choice)
{
    Halos halos = {0};
    if (op_info[op->kind].op_class != CLASS_WINDOW)
        return halos;
    int input = op_window_roles(op->kind).input;
    for (int side = 0; side < 2; side++)
        for (int a = 0; a < d->decls->axes.count; a++) {
            Halo *halo = &halos.of[halos.count];
            if (input_place(op, choice)->on[a] == grid_dim(d, op, input, side) && find_halo(d, op, a, side, halo) &&
                halo->before + halo->after > 0)
                halos.count++;
        }
    return halos;
}

bool derive_reads_halo(const Op *op, int operand)
{
    return grid_of(op, operand) == ON_INPUT;
}

bool derive_gives_halo(const Op *op)
{
    return op_info[op->kind].op_class == CLASS_WINDOW && grid_of(op, WINDOW_RESULT) == ON_INPUT;
}

static bool halos_equal(const Halos *x, const Halos *y)
{
    bool equal = x->count == y->count;
    for (int i = 0; equal && i < x->count; i++)
        equal = x->of[i].axis == y->of[i].axis && x->of[i].side == y->of[i].side &&
                x->of[i].before == y->of[i].before && x->of[i].after == y->of[i].after;
    return equal;
}

/* The buffer for shards of a value with these halos; for values of a layer loop, with slots for all layers. */
static int wide_buffer(Derive *d, Ref ref, const Place *place, Halos halos, bool part)
{
    RefBuffer *info = &d->buffers[ref.buffer];
    bool by_layer = ref.slot.term_count > 0;
    for (int i = 0; i < info->wides.count; i++) {
        const Wide *wide = &info->wides.data[i];
        if (halos_equal(&wide->halos, &halos) && place_equal(&wide->place, place) && wide->part == part &&
            wide->cut == d->cut && wide->by_layer == by_layer)
            return wide->buffer;
    }
    int plain = part ? derive_part(d, ref.buffer, place) : derive_variant(d, ref.buffer, place);
    Buffer buffer = d->program->buffers.data[plain];
    for (int i = 0; i < halos.count; i++) {
        Dim *dim = &buffer.dims[buffer.dim_count - 2 + halos.of[i].side];
        dim->halo_before = halos.of[i].before;
        dim->halo_after = halos.of[i].after;
    }
    buffer.name = arena_printf(d->ctx->arena, "%s.%s", buffer.name, halos.count > 1 ? "wider" : "wide");
    Wide wide = {halos, *place, part, d->cut, by_layer, derive_add_buffer(d, buffer)};
    vec_push(d->ctx->arena, &info->wides, wide);
    return wide.buffer;
}

static bool is_held_wide(const Derive *d, Ref ref, int buffer)
{
    const RefBuffer *info = &d->buffers[ref.buffer];
    for (int i = 0; i < info->held_wide.count; i++)
        if (info->held_wide.data[i].buffer == buffer && derive_is_held(d, &info->held_wide.data[i], ref))
            return true;
    return false;
}

Ref derive_halo_value(Derive *d, NodeList *body, Ref ref, Ref plain, const Place *place, Halos halos, Span span)
{
    Ref at = plain;
    Halos some = halos;
    for (some.count = 1; some.count <= halos.count && !d->dry; some.count++) {
        Ref wide = derive_ref(wide_buffer(d, ref, place, some, false), derive_map_affine(d, ref.slot));
        int axis = some.of[some.count - 1].axis;
        if (!is_held_wide(d, ref, wide.buffer)) {
            derive_emit_over(d, body, OP_HALO, wide, at, (AxisSet){1, {(int8_t)axis}}, span);
            derive_hold_wide(d, ref, *place, wide.buffer);
        }
        at = wide;
    }
    return at;
}

void derive_emit_halo_add(Derive *d, NodeList *body, Ref ref, Op *op, const Choice *choice)
{
    Ref to = op->out;
    Halos halos = choice->halos;
    bool accumulate = op->accumulate;
    op->out = derive_scalar(wide_buffer(d, ref, &choice->result, halos, true));
    op->accumulate = false;
    derive_emit_copy(d, body, op);
    for (Ref from = op->out; halos.count > 0; from = op->out) {
        int axis = halos.of[--halos.count].axis;
        op->out = halos.count > 0 ? derive_scalar(wide_buffer(d, ref, &choice->result, halos, true)) : to;
        derive_emit_over(d, body, OP_HALO_ADD, op->out, from, (AxisSet){1, {(int8_t)axis}}, op->span)->accumulate =
            accumulate && halos.count == 0;
    }
    op->accumulate = accumulate;
}

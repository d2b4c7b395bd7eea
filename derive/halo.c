/* halo.c - windows over shards of images: an axis shards the rows, and shards get a halo of their neighbours' rows.
 *
 * Where the rows of input and output are sharded alike and fit (a shard of the input is stride times one of the
 * output), a window operator is sharded with them: rows that its windows need beyond the rank's shard are exchanged
 * before it, and a cotangent's contributions to neighbours' rows after it. These are signatures like others: from
 * outside, the operator reads and gives plain shards. What does not fit is gathered. Rows and columns may both be
 * sharded, each over one axis: then rows are exchanged first, and columns of the shards with these rows, so that the
 * corners come with the neighbours' columns; contributions go back in reverse order.
 */
#include "derive/place.h"

enum { ON_INPUT, ON_WINDOW, ON_OUTPUT };

static const Buffer *array_of(const Facts *f, const Op *op, int array)
{
    const Ref *ref = array == WINDOW_RESULT ? &op->out : &op->operand[array];
    return &f->reference->buffers.data[ref->buffer];
}

/* The grid of an operand, or of WINDOW_RESULT. */
static int grid_of(const Op *op, int array)
{
    WindowRoles roles = op_window_roles(op->kind);
    return array == roles.output ? ON_OUTPUT : array == roles.window ? ON_WINDOW : ON_INPUT;
}

/* Rows (0) or columns (1) of an array are its last two dims. */
static int grid_dim(const Facts *f, const Op *op, int array, int side)
{
    return array_of(f, op, array)->dim_count - 2 + side;
}

static int64_t grid_size(const Facts *f, const Op *op, int array, int side)
{
    return array_of(f, op, array)->dims[grid_dim(f, op, array, side)].size;
}

static bool find_halo(const Facts *f, const Op *op, int axis, int side, Halo *halo)
{
    WindowRoles roles = op_window_roles(op->kind);
    int64_t ranks = f->decls->axes.data[axis].size, stride = (int64_t)op->immediate[op->immediate_count - 2];
    int64_t input = grid_size(f, op, roles.input, side), output = grid_size(f, op, roles.output, side);
    int64_t window = roles.window == WINDOW_NONE ? (int64_t)op->immediate[0] : grid_size(f, op, roles.window, side);
    *halo = (Halo){.axis = axis, .side = side, .before = (int64_t)op->immediate[op->immediate_count - 1]};
    halo->after = window - stride - halo->before > 0 ? window - stride - halo->before : 0;
    int64_t piece = input / ranks; /* the smallest */
    bool under = input == stride * output && (stride == 1 || output % ranks == 0);
    return under && piece >= halo->before && piece >= halo->after;
}

/* Why windows over these rows do not work on shards. */
static const char *misfit(const Facts *f, const Op *op, const Halo *halo)
{
    WindowRoles roles = op_window_roles(op->kind);
    int64_t ranks = f->decls->axes.data[halo->axis].size, stride = (int64_t)op->immediate[op->immediate_count - 2];
    int64_t input = grid_size(f, op, roles.input, halo->side), output = grid_size(f, op, roles.output, halo->side);
    const char *rows = halo->side == 0 ? "rows" : "columns";
    if (input != stride * output)
        return arena_printf(f->ctx->arena,
                            "Of %lld %s it makes %lld, with a stride of %lld: pieces of both do not lie "
                            "under each other.",
                            (long long)input, rows, (long long)output, (long long)stride);
    if (stride > 1 && output % ranks != 0)
        return arena_printf(f->ctx->arena, "%lld %s cannot be cut into %lld equal pieces.", (long long)output, rows,
                            (long long)ranks);
    return arena_printf(f->ctx->arena, "Pieces of %lld %s are smaller than the %lld that a window sees next to them.",
                        (long long)(input / ranks), rows,
                        (long long)(halo->before > halo->after ? halo->before : halo->after));
}

/* Does another axis shard the rows, or columns, that the operator reads? */
static bool another_cuts(const Facts *f, int axis, int dim, const Choice *choice)
{
    for (int a = 0; a < f->decls->axes.count; a++)
        if (a != axis && place_at(&choice->operand[0], a) == dim)
            return true;
    return false;
}

static void report_whole(const Placer *p, const Op *op, const Halo *halo, bool fits)
{
    const Facts *f = p->facts;
    Diagnostic *diagnostic = diag_report(p->ctx.diag, P0358, op->span,
                                         "'%s' needs the whole image, and every rank along '%s' does all of it",
                                         op_info[op->kind].name, f->decls->axes.data[halo->axis].name);
    diag_why(diagnostic, "%s",
             fits ? arena_printf(p->ctx.arena, "Another axis cuts the same %s, and windows see pieces of one.",
                                 halo->side == 0 ? "rows" : "columns")
                  : misfit(f, op, halo));
    diag_help(diagnostic, fits ? "Maybe cut rows over the one and columns over the other."
                               : "Maybe cut it over another number of ranks, or pad it.");
}

void derive_report_whole_windows(Placer *p, const Op *op, const Choice *choice)
{
    const Facts *f = p->facts;
    if (op_info[op->kind].op_class != CLASS_WINDOW || op_window_roles(op->kind).output != WINDOW_RESULT ||
        p->routine->routine->kind != ROUTINE_STEP || !p->sums->known)
        return;
    const HeldList *list = &p->values[op->operand[0].buffer].held;
    for (int i = 0; i < list->count; i++)
        for (int a = 0; a < f->decls->axes.count; a++) {
            int on = place_at(&list->data[i].place, a), side = on - grid_dim(f, op, 0, 0);
            Halo halo;
            bool fits = side >= 0 && find_halo(f, op, a, side, &halo);
            if (side < 0 || place_at(&choice->operand[0], a) == on || (fits && !another_cuts(f, a, on, choice)))
                continue;
            report_whole(p, op, &halo, fits);
            return;
        }
}

/* The placement of what is on the input's grid. */
static const Placement *input_place(const Op *op, const Choice *choice)
{
    WindowRoles roles = op_window_roles(op->kind);
    return roles.input == WINDOW_RESULT ? &choice->result : &choice->operand[roles.input];
}

/* Does an axis chosen before this one already shard these rows, or columns? */
static bool is_cut_before(const Facts *f, const Op *op, int axis, int side, const Choice *choice)
{
    for (int a = 0; a < axis; a++)
        if (place_at(input_place(op, choice), a) == grid_dim(f, op, op_window_roles(op->kind).input, side))
            return true;
    return false;
}

void derive_add_halo_signatures(Arena *arena, const Facts *f, const Op *op, int axis, const Choice *choice,
                                SignatureVec *list)
{
    Halo halo;
    for (int side = 0; side < 2; side++) {
        if (is_cut_before(f, op, axis, side, choice) || !find_halo(f, op, axis, side, &halo))
            continue;
        Signature signature = {.result = on_partial(PARTIAL_SUM)};
        for (int i = 0; i < op->operand_count; i++)
            if (grid_of(op, i) != ON_WINDOW)
                signature.operand[i] = on_sharded(grid_dim(f, op, i, side));
        if (grid_of(op, WINDOW_RESULT) != ON_WINDOW)
            signature.result = on_sharded(grid_dim(f, op, WINDOW_RESULT, side));
        vec_push(arena, list, signature);
    }
}

Halos derive_halos_of(const Facts *f, const Op *op, const Choice *choice)
{
    Halos halos = {0};
    if (op_info[op->kind].op_class != CLASS_WINDOW)
        return halos;
    int input = op_window_roles(op->kind).input;
    for (int side = 0; side < 2; side++)
        for (int a = 0; a < f->decls->axes.count; a++) {
            Halo *halo = &halos.of[halos.count];
            if (place_at(input_place(op, choice), a) == grid_dim(f, op, input, side) &&
                find_halo(f, op, a, side, halo) && halo->before + halo->after > 0)
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

void derive_halo_value(Placer *p, Ref ref, int plain, const Placement *place, Halos halos, Route *route)
{
    Halos some = halos;
    *route = (Route){.from = plain, .why = WHY_WINDOW};
    for (some.count = 1; some.count <= halos.count; some.count++) {
        int wide = derive_wide_variant(p, ref, place, some, false);
        AxisSet axes = axes_one(some.of[some.count - 1].axis);
        if (derive_is_held_wide(p, ref, wide)) {
            *route = (Route){.from = wide, .why = WHY_WINDOW};
            continue;
        }
        route_add(p, ref.buffer, route,
                  (Step){.kind = OP_HALO,
                         .axes = axes,
                         .reads = route_end(route),
                         .writes = wide,
                         .before = *place,
                         .after = *place});
        derive_hold_wide(p, ref, place, wide, derive_copy_life(p, ref, route));
    }
}

void derive_halo_result(Placer *p, Ref ref, const Choice *choice, int computed, bool accumulate, Route *route)
{
    Halos halos = choice->halos;
    int from = derive_wide_variant(p, ref, &choice->result, halos, true);
    *route = (Route){.from = from, .why = WHY_WINDOW};
    while (halos.count > 0) {
        AxisSet axes = axes_one(halos.of[--halos.count].axis);
        int to = halos.count > 0 ? derive_wide_variant(p, ref, &choice->result, halos, true) : computed;
        route_add(p, ref.buffer, route,
                  (Step){.kind = OP_HALO_ADD,
                         .axes = axes,
                         .reads = route_end(route),
                         .writes = to,
                         .before = choice->result,
                         .after = choice->result,
                         .accumulate = accumulate && halos.count == 0});
    }
}

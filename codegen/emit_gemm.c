/* emit_gemm.c - einsum as a single call of prt_gemm.
 *
 * The letters of "A,B->C" are of four sorts, depending on where they occur: in A and C they are rows (m), in B and C
 * columns (n), in A and B summed (k), and in all three, or in one operand only, batches. Letters of a sort that are
 * adjacent in both arrays that have them form one run with one stride. The gemm itself takes one run of each sort,
 * preferably one with stride 1, then the longest; every other run becomes a batch dim, along which arrays that lack it
 * have stride 0. An operand without rows or columns, a vector, has extent 1 there.
 *
 * Strides are those of each array by itself: an array may go further in a letter than the product does. An einsum over
 * an axis takes one piece of a letter: what has the letter whole is then read or written from the piece's start on.
 */
#include "codegen/emit.h"
#include "plan/walk.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_RUNS = SHAPE_MAX_LETTERS, MAX_BATCH = 4, IN_A = 1, IN_B = 2, IN_C = 4 };

/* Letters that are adjacent wherever they occur: one extent, one stride per array. */
typedef struct Run {
    int where; /* IN_A | IN_B | IN_C */
    Letters letters;
} Run;

typedef struct Gemm {
    Emit *e;
    const Op *op;
    Shape shape;
    const Letters *array[3]; /* A, B, C */
    const Ref *ref[3];
    int run_count;
    Run runs[MAX_RUNS];
} Gemm;

static int where_is(const Gemm *g, char letter)
{
    int where = 0;
    for (int i = 0; i < 3; i++)
        where |= letters_have(g->array[i], letter) ? 1 << i : 0;
    return where;
}

/* Does `second` directly follow `first` in every array that has one of them, and fill it there? */
static bool follows(const Gemm *g, char first, char second)
{
    if (where_is(g, first) != where_is(g, second))
        return false;
    for (int i = 0; i < 3; i++) {
        int at = letters_index(g->array[i], first);
        if (at >= 0 && (letters_index(g->array[i], second) != at + 1 || g->array[i]->wider[at + 1]))
            return false;
    }
    return true;
}

static void find_runs(Gemm *g)
{
    for (int i = 0; i < 3; i++) {
        for (int l = 0; l < g->array[i]->count; l++) {
            char letter = g->array[i]->letter[l];
            bool known = false;
            for (int r = 0; r < g->run_count; r++)
                known = known || letters_have(&g->runs[r].letters, letter);
            if (known)
                continue;
            Run *last = g->run_count > 0 ? &g->runs[g->run_count - 1] : NULL;
            if (last == NULL || l == 0 || !follows(g, last->letters.letter[last->letters.count - 1], letter)) {
                last = &g->runs[g->run_count++];
                *last = (Run){.where = where_is(g, letter)};
            }
            last->letters.letter[last->letters.count++] = letter;
        }
    }
}

/* The elements of an array in all letters after this one. */
static Extent inside(const Gemm *g, int array, int position)
{
    Extent stride = extent_constant(1);
    for (int i = position + 1; i < g->array[array]->count; i++)
        stride = extent_times(stride, emit_array_extent(g->e, g->ref[array], i));
    return stride;
}

/* The stride of a run in an array; 0 if the array lacks the run. */
static Extent stride_of(const Gemm *g, int array, const Run *run)
{
    int at = letters_index(g->array[array], run->letters.letter[run->letters.count - 1]);
    return at < 0 ? extent_constant(0) : inside(g, array, at);
}

static bool is_innermost(const Gemm *g, int array, const Run *run)
{
    const Letters *letters = g->array[array];
    return letters->count > 0 && letters_have(&run->letters, letters->letter[letters->count - 1]);
}

/* How many elements it has on the rank with most. */
static double run_length(const Gemm *g, const Run *run)
{
    double length = 1, extents[OP_INDICES];
    op_extents(g->e->program, g->op, extents);
    for (int i = 0; i < run->letters.count; i++)
        length *= extents[(unsigned char)run->letters.letter[i]];
    return length;
}

/* The run of a sort that the gemm itself takes: one with stride 1 in most arrays, of several the longest. */
static const Run *choose_run(const Gemm *g, int where)
{
    const Run *best = NULL;
    int best_worth = -1;
    double best_length = 0;
    for (int i = 0; i < g->run_count; i++) {
        const Run *run = &g->runs[i];
        int worth = 0;
        for (int array = 0; array < 3; array++)
            worth += is_innermost(g, array, run);
        double length = run_length(g, run);
        if (run->where == where && (worth > best_worth || (worth == best_worth && length > best_length))) {
            best = run;
            best_worth = worth;
            best_length = length;
        }
    }
    return best;
}

static Extent run_extent(const Gemm *g, const Run *run)
{
    return run == NULL ? extent_constant(1) : emit_letters_extent(g->e, g->op, &g->shape, &run->letters);
}

static const char *stride_text(const Gemm *g, int array, const Run *run)
{
    Extent stride = stride_of(g, array, run);
    return extent_text(g->e, &stride);
}

/* ".a_row = 384, .a_column = 1" for one array. A missing run has extent 1, and a stride that makes the matrix a plain
 * row or column: the extent of the other run if that has stride 1, else 1. */
static const char *matrix_text(const Gemm *g, int array, const Run *row, const Run *column)
{
    static const char names[] = "abc";
    static const char *const parts[] = {"row", "column"};
    const Run *runs[] = {row, column};
    Text text = {.arena = g->e->arena};
    for (int i = 0; i < 2; i++) {
        const Run *own = runs[i], *other = runs[1 - i];
        const char *stride = "1";
        if (own != NULL) {
            stride = stride_text(g, array, own);
        } else if (other != NULL && is_innermost(g, array, other)) {
            Extent extent = run_extent(g, other);
            stride = extent_text(g->e, &extent);
        }
        text_add(&text, "%s.%c_%s = %s", i > 0 ? ", " : "", names[array], parts[i], stride);
    }
    return text.data;
}

static void emit_extents(const Gemm *g, const Run *m, const Run *n, const Run *k)
{
    Extent extents[] = {run_extent(g, m), run_extent(g, n), run_extent(g, k)};
    cw_line(g->e->out, ".m = %s, .n = %s, .k = %s,", extent_text(g->e, &extents[0]), extent_text(g->e, &extents[1]),
            extent_text(g->e, &extents[2]));
}

/* ".batch = {2, 6}" and the arrays' strides along them. */
static void emit_batches(const Gemm *g, const Run *const *batch, int count)
{
    static const char *const names[] = {".a_batch", ".b_batch", ".c_batch"};
    Emit *e = g->e;
    cw_line(e->out, ".batch_dims = %d,", count);
    Text extents = {.arena = e->arena};
    for (int i = 0; i < count; i++) {
        Extent extent = run_extent(g, batch[i]);
        text_add(&extents, "%s%s", i > 0 ? ", " : "", extent_text(e, &extent));
    }
    cw_line(e->out, ".batch = {%s},", extents.data);
    for (int array = 0; array < 3; array++) {
        Text strides = {.arena = e->arena};
        for (int i = 0; i < count; i++)
            text_add(&strides, "%s%s", i > 0 ? ", " : "", stride_text(g, array, batch[i]));
        cw_line(e->out, "%s = {%s},", names[array], strides.data);
    }
}

/* ---- One piece at a time ------------------------------------------------------------------------------------ */

/* The dim that an array has for the piece's letter; false if it lacks the letter. */
static bool piece_dim(const Gemm *g, int array, Dim *dim)
{
    Dim dims[STEP_MAX_DIMS];
    int count, at = letters_index(g->array[array], g->shape.piece);
    if (at >= 0 && ref_dims(g->e->program, g->ref[array], &count, dims))
        *dim = dims[at];
    return at >= 0;
}

static bool has_whole(const Gemm *g, int array)
{
    Dim dim;
    return piece_dim(g, array, &dim) && (dim.cut_count == 0 || dim.cut[dim.cut_count - 1] != g->op->axes.axis[0]);
}

/* Declares the range of the piece within what an array has that is not cut over the axis; returns its name. */
static const char *emit_piece(Gemm *g)
{
    Emit *e = g->e;
    Dim whole = {0}, own;
    for (int i = 0; i < 3; i++)
        if (has_whole(g, i))
            piece_dim(g, i, &whole);
    const char *name = arena_printf(e->arena, "piece%d", ++e->piece_count);
    Extent extent = emit_dim_extent(e, &whole);
    int axis = g->op->axes.axis[0];
    const char *cut[] = {extent_text(e, &extent), arena_printf(e->arena, "%" PRId64, e->decls->axes.data[axis].size),
                         emit_affine(e, &g->op->piece)};
    cw_call(e->out, arena_printf(e->arena, "const prt_range %s = prt_cut", name), cut, 3, ";");
    for (int i = 0; i < 3; i++) {
        int64_t even;
        bool padded = piece_dim(g, i, &own) && !has_whole(g, i) && own.padded;
        own.padded = false;
        if (padded && !dim_is_even(e->decls, &own, &even))
            g->shape.piece_extent = arena_printf(e->arena, "%s.extent", name);
    }
    return name;
}

/* Where the product begins in an array. */
static const char *address_text(const Gemm *g, int array, const char *piece)
{
    const char *address = emit_ref(g->e, g->ref[array]);
    if (piece == NULL || !has_whole(g, array))
        return address;
    Extent stride = inside(g, array, letters_index(g->array[array], g->shape.piece));
    stride = extent_times((Extent){1, 1, {arena_printf(g->e->arena, "%s.start", piece)}}, stride);
    return arena_printf(g->e->arena, "%s + %s", address, extent_text(g->e, &stride));
}

/* Without += the result is zero outside the piece. */
static bool needs_zeros(const Gemm *g)
{
    int at = letters_index(&g->shape.out, g->shape.piece);
    return at >= 0 && g->shape.out.wider[at] && !g->op->accumulate;
}

/* ---------------------------------------------------------------------------------------------------------------- */

static Gemm gemm_of(Emit *e, const Op *op)
{
    return (Gemm){
        .e = e, .op = op, .shape = shape_of_op(e->program, op), .ref = {&op->operand[0], &op->operand[1], &op->out}};
}

static void emit_shape(Gemm *g, const char *name)
{
    const Run *m = choose_run(g, IN_A | IN_C), *n = choose_run(g, IN_B | IN_C), *k = choose_run(g, IN_A | IN_B);
    const Run *batch[MAX_RUNS];
    int batch_count = 0;
    for (int i = 0; i < g->run_count; i++) {
        if (&g->runs[i] != m && &g->runs[i] != n && &g->runs[i] != k)
            batch[batch_count++] = &g->runs[i];
    }
    if (batch_count > MAX_BATCH)
        BUG("operator %d: the spec '%s' has too many batch dims", g->op->id, g->op->spec);
    cw_open(g->e->out, "const prt_gemm_shape %s =", name);
    emit_extents(g, m, n, k);
    cw_line(g->e->out, "%s,", matrix_text(g, 0, m, k));
    cw_line(g->e->out, "%s,", matrix_text(g, 1, k, n));
    cw_line(g->e->out, "%s,", matrix_text(g, 2, m, n));
    if (batch_count > 0)
        emit_batches(g, batch, batch_count);
    cw_close(g->e->out, ";");
}

/* Products of bf16 that are added up, and left, in f32. */
bool emit_is_wide(const Program *program, const Op *op)
{
    bool wide = ref_buffer(program, &op->out)->dtype == DTYPE_F32;
    for (int i = 0; i < op->operand_count; i++)
        wide = wide && ref_buffer(program, &op->operand[i])->dtype == DTYPE_BF16;
    return wide;
}

void emit_product(Emit *e, const Op *op, const char *function, const char *const *arguments, int count)
{
    enum { DTYPE = 2, MOST = 9 };
    const char *without_dtype[MOST];
    if (!emit_is_wide(e->program, op)) {
        cw_call(e->out, function, arguments, count, ";");
        return;
    }
    for (int i = 0; i < count; i++)
        if (i != DTYPE)
            without_dtype[i < DTYPE ? i : i - 1] = arguments[i];
    cw_call(e->out, arena_printf(e->arena, "%s_wide", function), without_dtype, count - 1, ";");
}

void emit_einsum(Emit *e, const Op *op)
{
    Gemm g = gemm_of(e, op);
    g.array[0] = &g.shape.operand[0], g.array[1] = &g.shape.operand[1], g.array[2] = &g.shape.out;
    find_runs(&g);
    const char *piece = g.shape.piece != 0 ? emit_piece(&g) : NULL;
    bool zeros = piece != NULL && needs_zeros(&g);
    if (zeros)
        emit_zeros(e, &op->out);
    const char *name = arena_printf(e->arena, "gemm%d", ++e->gemm_count);
    emit_shape(&g, name);
    const char *arguments[] = {"ctx",
                               arena_printf(e->arena, "%d", op->stream),
                               emit_dtype(ref_buffer(e->program, &op->out)->dtype),
                               arena_printf(e->arena, "&%s", name),
                               address_text(&g, 0, piece),
                               address_text(&g, 1, piece),
                               op->accumulate || zeros ? "1" : "0",
                               address_text(&g, 2, piece)};
    emit_product(e, op, "prt_gemm", arguments, 8);
}

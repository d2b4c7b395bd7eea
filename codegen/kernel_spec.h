/* kernel_spec.h - describes the kernel to generate for a memory-bound operator: the input of the LLVM side.
 *
 * Letters of an operator's spec that are adjacent in every operand and in the result are merged, so most operators have
 * one or two dims. Dims are 0 .. dim_count-1, outermost first, written i, j, k, ... An operand that lacks a dim is the
 * same along it; one whose dims are in another order is transposed.
 *
 *     norm "bth,bt,bt,h,h->bth"         dims i = bt, j = h            "ij,i,i,j,j->ij"
 *     causal_softmax "bnts,t,s->bnts"   dims i = bn, j = t, k = s     "ijk,j,k->ijk"
 *
 * An array may go further in a dim than the loops do, as a whole that contains the piece in question: its *room* there,
 * written with a capital letter ("iJk").
 *
 * Two operators with the same kernel spec share one kernel. Extents are run-time arguments: they differ between ranks.
 *
 * A kernel's arguments are arrays: the result, then the operands that are not in place, which do not overlap; extents
 * (int64_t): the dims', the arrays' rooms, and for a table of some rows the number of its first row and that of all
 * rows; and numbers (double): the immediates, and the scale for `scale`.
 *
 * A host kernel is a C function of these (prt_arguments of runtime/place_rt.h, which LLVM lays out as KERNEL_MOST_ say)
 * and of a range of one dim, the first that the result has, with which it can be computed in pieces (kernel_split).
 *
 * A PTX kernel is an entry with the arguments one by one. Blocks have 256 threads; any number of blocks is right. What
 * is distributed over blocks is kernel_work.
 */
#ifndef PLACE_CODEGEN_KERNEL_SPEC_H
#define PLACE_CODEGEN_KERNEL_SPEC_H

#include "step/body.h"

enum { KERNEL_MAX_DIMS = 6, KERNEL_THREADS = 256 };

/* An operand or the result: element (dims[0], dims[1], ...) of a row-major array. */
typedef struct KernelArray {
    DType dtype;
    int dim_count;
    int8_t dims[KERNEL_MAX_DIMS];
    bool has_room[KERNEL_MAX_DIMS]; /* the length in this dim is an argument of its own; never in the outermost, where
                                       nothing depends on it */
    bool in_place;                  /* operands: shares the result's memory */
} KernelArray;

typedef struct KernelSpec {
    const char *name; /* "kernel_norm_f32_ij_i_i_j_j": determined by all other fields */
    OpKind op;
    OpClass op_class;
    const Kernel *body; /* NULL for GATHER, SCATTER and CHOICE */
    int dim_count;
    int operand_count;
    KernelArray operand[STEP_MAX_OPERANDS], out;
    int immediate_count;
    bool has_scale;
    bool some_rows;   /* GATHER and SCATTER: the table may be a part of the rows that indices name */
    bool names_none;  /* GATHER: an index that is no row gives zeros */
    bool accumulate;  /* out += result */
    bool may_overlap; /* the result may or may not share an operand's memory: no promise about aliasing */
} KernelSpec;

/* A room: of an operand (-1: the result), in the dim at a position of the array. */
typedef struct KernelRoom {
    int operand, position;
} KernelRoom;

enum { KERNEL_MAX_ROOMS = (1 + STEP_MAX_OPERANDS) * KERNEL_MAX_DIMS };
enum {
    KERNEL_MOST_ARRAYS = 1 + STEP_MAX_OPERANDS,
    KERNEL_MOST_EXTENTS = KERNEL_MAX_DIMS + KERNEL_MAX_ROOMS + 2,
    KERNEL_MOST_NUMBERS = STEP_MAX_IMMEDIATES + 1
};

/* All rooms, in the order of their arguments; returns their number. An operand in place has those of the result. */
static inline int kernel_rooms(const KernelSpec *spec, KernelRoom rooms[KERNEL_MAX_ROOMS])
{
    int count = 0;
    for (int i = -1; i < spec->operand_count; i++) {
        const KernelArray *array = i < 0 ? &spec->out : &spec->operand[i];
        for (int d = 0; d < array->dim_count && !array->in_place; d++)
            if (array->has_room[d])
                rooms[count++] = (KernelRoom){i, d};
    }
    return count;
}

static inline int kernel_array_count(const KernelSpec *spec)
{
    int count = 1;
    for (int i = 0; i < spec->operand_count; i++)
        count += !spec->operand[i].in_place;
    return count;
}

static inline int kernel_extent_count(const KernelSpec *spec)
{
    KernelRoom rooms[KERNEL_MAX_ROOMS];
    return spec->dim_count + kernel_rooms(spec, rooms) + (spec->some_rows ? 2 : 0);
}

static inline int kernel_number_count(const KernelSpec *spec)
{
    return spec->immediate_count + spec->has_scale;
}

static inline bool kernel_array_has(const KernelArray *array, int dim)
{
    for (int i = 0; i < array->dim_count; i++)
        if (array->dims[i] == dim)
            return true;
    return false;
}

/* The dim of a table's rows (GATHER, SCATTER): it follows those of the indices, and is followed by the columns', if
 * there are any. */
static inline int kernel_table_rows(const KernelSpec *spec)
{
    return spec->operand[0].dim_count;
}

/* The dim along which nothing is computed independently; -1: there is none. It is the row's, that of the table's rows,
 * of which it is not known before which ones a scatter changes, and the order of what is chosen. */
static inline int kernel_coupled(const KernelSpec *spec)
{
    switch (spec->op_class) {
    case CLASS_ROW:
        return spec->dim_count - 1;
    case CLASS_SCATTER:
        return kernel_table_rows(spec);
    case CLASS_CHOICE:
        return spec->out.dims[spec->out.dim_count - 1];
    case CLASS_MAP:
    case CLASS_SUM:
    case CLASS_GATHER:
    case CLASS_CONTRACT:
    case CLASS_WINDOW:
    case CLASS_VIEW:
    case CLASS_MOVE:
    case CLASS_COMM:
    case CLASS_SOURCE:
    case CLASS_SINK:
        break;
    }
    return -1;
}

/* The dim whose ranges are computed independently of each other; -1: there is none. */
static inline int kernel_split(const KernelSpec *spec)
{
    for (int d = 0; d < spec->dim_count; d++)
        if (kernel_array_has(&spec->out, d) && d != kernel_coupled(spec))
            return d;
    return -1;
}

/* What a GPU distributes over blocks: the positions of some dims, each for a whole block or for one of its threads. */
typedef struct KernelWork {
    int dim_count;
    int8_t dims[KERNEL_MAX_DIMS];
    bool per_thread;
} KernelWork;

/* An element for MAP, a row for ROW and GATHER, a column of the table for SCATTER, all that is chosen together for
 * CHOICE, an element of the result for SUM. A row without columns is one thread's. */
static inline KernelWork kernel_work(const KernelSpec *spec)
{
    bool sum = spec->op_class == CLASS_SUM, gather = spec->op_class == CLASS_GATHER, row = spec->op_class == CLASS_ROW;
    int end = gather ? kernel_table_rows(spec) : spec->dim_count;
    KernelWork work = {.per_thread = !row};
    if (sum)
        work.per_thread = end > 0 && kernel_array_has(&spec->out, end - 1);
    if (gather)
        work.per_thread = end + 1 == spec->dim_count;
    for (int d = 0; d < end; d++)
        if (d != kernel_coupled(spec) && (row || kernel_array_has(&spec->out, d)))
            work.dims[work.dim_count++] = (int8_t)d;
    return work;
}

#endif

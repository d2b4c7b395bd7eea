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
 * A host kernel is a C function; its arguments are the result, the operands that are not in place (pointers, which do
 * not overlap), the dims' extents and the arrays' rooms (int64_t), for a table of some rows the number of its first row
 * and that of all rows (int64_t), the immediates (double), and the scale (double) for `scale`.
 *
 * A PTX kernel is an entry with the same arguments. Blocks have 256 threads; any number of blocks is right. The unit of
 * work distributed over blocks is an element for MAP, a row for ROW and GATHER, and a column of the table for SCATTER.
 * For SUM it is an element of the result: per thread if the last dim of the space is one of the result's, else per
 * block.
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
    const Kernel *body; /* NULL for GATHER and SCATTER */
    int dim_count;
    int operand_count;
    KernelArray operand[STEP_MAX_OPERANDS], out;
    int immediate_count;
    bool has_scale;
    bool some_rows;   /* GATHER and SCATTER: the table may be a part of the rows that indices name */
    bool accumulate;  /* out += result */
    bool may_overlap; /* the result may or may not share an operand's memory: no promise about aliasing */
} KernelSpec;

/* A room: of an operand (-1: the result), in the dim at a position of the array. */
typedef struct KernelRoom {
    int operand, position;
} KernelRoom;

enum { KERNEL_MAX_ROOMS = (1 + STEP_MAX_OPERANDS) * KERNEL_MAX_DIMS };

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

#endif

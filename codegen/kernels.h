/* kernels.h - from operators to kernels: which kernel an operator uses, how it is called, and its generation.
 *
 *     KernelTable table = {.arena = arena};
 *     KernelUse use = kernels_use(&table, program, op, &shape);   // the same kernel for operators of the same kind
 *     const KernelCode *objects = kernels_compile(&table, library, LLVM_HOST_OBJECT, &cache, &error);
 *
 * Only kernels_compile loads LLVM.
 */
#ifndef PLACE_CODEGEN_KERNELS_H
#define PLACE_CODEGEN_KERNELS_H

#include "codegen/kernel_cache.h"
#include "codegen/llvm_api.h"
#include "codegen/shape.h"

typedef struct KernelTable {
    Arena *arena;
    Vec(KernelSpec) specs; /* in order of first use */
    const Kernel *bodies[OP_COUNT];
} KernelTable;

/* How one operator uses its kernel: the letters that each dim of the kernel stands for. */
typedef struct KernelUse {
    int kernel; /* index into specs */
    Letters dims[KERNEL_MAX_DIMS];
} KernelUse;

/* Are operators of this kind computed by a generated kernel? */
bool kernels_compute(OpKind op);

KernelUse kernels_use(KernelTable *table, const Program *program, const Op *op, const Shape *shape);

/* Does the operator look up, or add to, a table of which a rank has some rows? *rows: the dim they are of. */
bool kernels_some_rows(const Program *program, const Op *op, Dim *rows);

/* The code of a module without kernels, and of every kernel, each by itself, in the order of the table; NULL with the
 * reason in `error`. `library`: the path of libplacec_llvm.so. */
const KernelCode *kernels_compile(const KernelTable *table, const char *library, LlvmOutput output, KernelCache *cache,
                                  const char **error);

static inline int kernels_code_count(const KernelTable *table)
{
    return 1 + table->specs.count;
}

/* All codes that are texts, PTX or IR, as one. */
KernelCode kernels_join(const KernelTable *table, const KernelCode *texts);

#endif

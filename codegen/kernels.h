/* kernels.h - from operators to kernels: which kernel an operator uses, how it is called, and their generation.
 *
 *     KernelTable table = {.arena = arena};
 *     const KernelUse *use = kernels_use(&table, program, op);   // the same kernel for operators of the same kind
 *     char *object = kernels_generate(&table, paths, LLVM_HOST_OBJECT, &length, &error);
 *
 * LLVM is loaded by kernels_generate only.
 */
#ifndef PLACE_CODEGEN_KERNELS_H
#define PLACE_CODEGEN_KERNELS_H

#include "codegen/llvm_api.h"
#include "codegen/shape.h"

typedef struct KernelTable {
    Arena *arena;
    Vec(KernelSpec) specs; /* in the order of first use */
    const Kernel *bodies[OP_COUNT];
} KernelTable;

/* How one operator uses its kernel: the letters that each dim of the kernel stands for. */
typedef struct KernelUse {
    int kernel; /* index into specs */
    Letters dims[KERNEL_MAX_DIMS];
} KernelUse;

/* Whether operators of this kind are done by a generated kernel. */
bool kernels_compute(OpKind op);

KernelUse kernels_use(KernelTable *table, const Program *program, const Op *op);

enum { KERNEL_MAX_ARGUMENTS = 1 + STEP_MAX_OPERANDS + KERNEL_MAX_DIMS + STEP_MAX_IMMEDIATES + 1 };

/* The parameters of the C function, "float *y", "const float *a", "int64_t ni"; how many. */
int kernels_parameters(Arena *arena, const KernelSpec *spec, const char **parameters);

/* The bytes of an object file or text, in the arena; NULL with a reason in `error`. `library` is where
 * libplacec_llvm.so is. */
char *kernels_generate(const KernelTable *table, const char *library, LlvmOutput output, size_t *length,
                       const char **error);

#endif

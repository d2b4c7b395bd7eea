/* llvm_api.h - the one function of libplacec_llvm.so. The shared object uses nothing of the compiler but data: it is
 * loaded only where kernels are generated, so that everything else starts without LLVM.
 */
#ifndef PLACE_CODEGEN_LLVM_API_H
#define PLACE_CODEGEN_LLVM_API_H

#include "codegen/kernel_spec.h"

typedef enum LlvmOutput {
    LLVM_HOST_OBJECT, /* an object file for this machine */
    LLVM_HOST_TEXT,   /* its LLVM IR after optimisation */
    LLVM_PTX          /* text for sm_90 */
} LlvmOutput;

/* All kernels as one module. The result is the caller's to free; NULL with a reason in `error` where LLVM fails. */
typedef char *LlvmGenerate(const KernelSpec *specs, int count, LlvmOutput output, size_t *length, char *error,
                           size_t error_size);

LlvmGenerate llvm_generate_kernels;
#define LLVM_GENERATE_SYMBOL "llvm_generate_kernels"
#define LLVM_LIBRARY_NAME "libplacec_llvm.so"

#endif

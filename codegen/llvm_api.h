/* llvm_api.h - the only function of libplacec_llvm.so. The shared object uses none of the compiler's code, only data:
 * it is loaded only where kernels are generated, so everything else starts without LLVM. */
#ifndef PLACE_CODEGEN_LLVM_API_H
#define PLACE_CODEGEN_LLVM_API_H

#include "codegen/kernel_spec.h"

typedef enum LlvmOutput {
    LLVM_HOST_OBJECT, /* an object file for this machine */
    LLVM_HOST_TEXT,   /* its LLVM IR after optimisation */
    LLVM_PTX,         /* text for sm_90 */
    LLVM_HOST_SOURCE, /* all that the object file depends on: LLVM's version, target, passes, and the IR before them */
    LLVM_PTX_SOURCE   /* that of PTX */
} LlvmOutput;

/* Compiles a kernel as a module of its own, or a module without one (`spec` NULL). The caller frees the result; NULL
 * with the reason in `error` if LLVM fails. */
typedef char *LlvmGenerate(const KernelSpec *spec, LlvmOutput output, size_t *length, char *error, size_t error_size);

LlvmGenerate llvm_generate_kernel;
#define LLVM_GENERATE_SYMBOL "llvm_generate_kernel"
#define LLVM_LIBRARY_NAME "libplacec_llvm.so"

#endif

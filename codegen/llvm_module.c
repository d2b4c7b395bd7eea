/* llvm_module.c - a module of one kernel: target machine, passes, output, and every way in which LLVM can fail.
 *
 * LLVM 19 reports errors in three ways: by return value, through a diagnostic handler (and then still writes a file),
 * and by ending the process ("Cannot select"). All three are returned from here as text. PTX is always for sm_90: newer
 * GPUs accept it, and this LLVM generates no better code for them.
 */
#include "codegen/llvm_api.h"
#include "codegen/llvm_lower.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* LLVM has one handler of fatal errors for the process, which gets no argument: one call at a time. */
static pthread_mutex_t in_progress = PTHREAD_MUTEX_INITIALIZER;
static jmp_buf fatal_return;
static Lower *fatal_lower;

static void on_fatal(const char *reason)
{
    lower_fail(fatal_lower, "LLVM: %s", reason);
    longjmp(fatal_return, 1);
}

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *context)
{
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
        return;
    char *text = LLVMGetDiagInfoDescription(info);
    lower_fail(context, "LLVM: %s", text);
    LLVMDisposeMessage(text);
}

/* Takes ownership of a message from LLVM. */
static void fail_with(Lower *lower, const char *what, char *message)
{
    lower_fail(lower, "LLVM: %s: %s", what, message);
    LLVMDisposeMessage(message);
}

/* What becomes of IR. All that is asked of LLVM is asked by these rows, and a kernel's source has them: so the kernel
 * cache does not take code that was made in another way. */
typedef struct Recipe {
    const char *passes;
    bool vectorises, interleaves, unrolls;
    LLVMCodeGenOptLevel level;
    LLVMRelocMode relocation;
    LLVMCodeModel model;
    LLVMCodeGenFileType type;
} Recipe;

static const Recipe recipe_host = {.passes = "default<O3>",
                                   .vectorises = true,
                                   .interleaves = true,
                                   .unrolls = true,
                                   .level = LLVMCodeGenLevelDefault,
                                   .relocation = LLVMRelocPIC,
                                   .model = LLVMCodeModelDefault,
                                   .type = LLVMObjectFile},
                    recipe_ptx = {.passes = "default<O3>",
                                  .vectorises = false,
                                  .interleaves = true,
                                  .unrolls = true,
                                  .level = LLVMCodeGenLevelDefault,
                                  .relocation = LLVMRelocPIC,
                                  .model = LLVMCodeModelDefault,
                                  .type = LLVMAssemblyFile};

static const Recipe *recipe_of(const Lower *lower)
{
    return lower->gpu ? &recipe_ptx : &recipe_host;
}

static LLVMTargetMachineRef target_machine(Lower *lower)
{
    const Recipe *recipe = recipe_of(lower);
    const char *triple = "nvptx64-nvidia-cuda", *cpu = "sm_90", *features = "";
    char *own_triple = NULL, *own_cpu = NULL, *own_features = NULL;
    if (lower->gpu) {
        LLVMInitializeNVPTXTargetInfo();
        LLVMInitializeNVPTXTarget();
        LLVMInitializeNVPTXTargetMC();
        LLVMInitializeNVPTXAsmPrinter();
    } else {
        LLVMInitializeNativeTarget();
        LLVMInitializeNativeAsmPrinter();
        triple = own_triple = LLVMGetDefaultTargetTriple();
        cpu = own_cpu = LLVMGetHostCPUName();
        features = own_features = LLVMGetHostCPUFeatures();
    }
    LLVMTargetRef target;
    LLVMTargetMachineRef machine = NULL;
    char *message = NULL;
    if (LLVMGetTargetFromTriple(triple, &target, &message))
        fail_with(lower, triple, message);
    else
        machine =
            LLVMCreateTargetMachine(target, triple, cpu, features, recipe->level, recipe->relocation, recipe->model);
    if (machine != NULL) {
        LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
        LLVMSetModuleDataLayout(lower->module, layout);
        LLVMDisposeTargetData(layout);
        LLVMSetTarget(lower->module, triple);
    }
    LLVMDisposeMessage(own_triple);
    LLVMDisposeMessage(own_cpu);
    LLVMDisposeMessage(own_features);
    return machine;
}

static bool optimise(Lower *lower, LLVMTargetMachineRef machine)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    const Recipe *recipe = recipe_of(lower);
    LLVMPassBuilderOptionsSetLoopVectorization(options, recipe->vectorises);
    LLVMPassBuilderOptionsSetSLPVectorization(options, recipe->vectorises);
    LLVMPassBuilderOptionsSetLoopInterleaving(options, recipe->interleaves);
    LLVMPassBuilderOptionsSetLoopUnrolling(options, recipe->unrolls);
    LLVMErrorRef error = LLVMRunPasses(lower->module, recipe->passes, machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (error != NULL) {
        char *message = LLVMGetErrorMessage(error);
        lower_fail(lower, "LLVM: %s", message);
        LLVMDisposeErrorMessage(message);
    }
    return !lower->failed;
}

static char *copy_bytes(Lower *lower, const char *bytes, size_t length)
{
    char *copy = malloc(length + 1);
    if (copy == NULL) {
        lower_fail(lower, "out of memory");
        return NULL;
    }
    memcpy(copy, bytes, length);
    copy[length] = '\0';
    return copy;
}

static char *write_code(Lower *lower, LLVMTargetMachineRef machine, size_t *length)
{
    LLVMMemoryBufferRef buffer = NULL;
    char *message = NULL;
    if (LLVMTargetMachineEmitToMemoryBuffer(machine, lower->module, recipe_of(lower)->type, &message, &buffer)) {
        fail_with(lower, "emit", message);
        return NULL;
    }
    char *copy = copy_bytes(lower, LLVMGetBufferStart(buffer), *length = LLVMGetBufferSize(buffer));
    LLVMDisposeMemoryBuffer(buffer);
    return copy;
}

static char *write_ir(Lower *lower, size_t *length)
{
    char *text = LLVMPrintModuleToString(lower->module), *copy = copy_bytes(lower, text, *length = strlen(text));
    LLVMDisposeMessage(text);
    return copy;
}

/* The IR names triple and data layout. */
static char *write_source(Lower *lower, LLVMTargetMachineRef machine, size_t *length)
{
    const Recipe *recipe = recipe_of(lower);
    unsigned version[3];
    LLVMGetVersion(&version[0], &version[1], &version[2]);
    char *cpu = LLVMGetTargetMachineCPU(machine), *features = LLVMGetTargetMachineFeatureString(machine),
         *ir = LLVMPrintModuleToString(lower->module), *source = NULL;
    int count =
        asprintf(&source, "; LLVM %u.%u.%u, %s, %s, %s, %d %d %d, %d %d %d %d\n%s", version[0], version[1], version[2],
                 cpu, features, recipe->passes, recipe->vectorises, recipe->interleaves, recipe->unrolls,
                 (int)recipe->level, (int)recipe->relocation, (int)recipe->model, (int)recipe->type, ir);
    LLVMDisposeMessage(cpu);
    LLVMDisposeMessage(features);
    LLVMDisposeMessage(ir);
    if (count < 0) {
        lower_fail(lower, "out of memory");
        return NULL;
    }
    *length = (size_t)count;
    return source;
}

static void lower_alone(Lower *lower)
{
    if (lower->spec != NULL)
        lower_kernel(lower);
    char *message = NULL;
    if (!lower->failed && LLVMVerifyModule(lower->module, LLVMReturnStatusAction, &message))
        lower_fail(lower, "LLVM: verify: %s", message);
    LLVMDisposeMessage(message);
}

static char *write_out(Lower *lower, LLVMTargetMachineRef machine, LlvmOutput output, size_t *length)
{
    switch (output) {
    case LLVM_HOST_SOURCE:
    case LLVM_PTX_SOURCE:
        return write_source(lower, machine, length);
    case LLVM_HOST_TEXT:
        return optimise(lower, machine) ? write_ir(lower, length) : NULL;
    case LLVM_HOST_OBJECT:
    case LLVM_PTX:
        return optimise(lower, machine) ? write_code(lower, machine, length) : NULL;
    }
    lower_fail(lower, "an output that is none");
    return NULL;
}

static char *generate(Lower *lower, LlvmOutput output, size_t *length)
{
    LLVMTargetMachineRef machine = target_machine(lower);
    char *result = NULL;
    if (machine == NULL)
        return NULL;
    lower_alone(lower);
    if (!lower->failed)
        result = write_out(lower, machine, output, length);
    LLVMDisposeTargetMachine(machine);
    return result;
}

static char *generate_alone(const KernelSpec *spec, LlvmOutput output, size_t *length, char *error, size_t error_size)
{
    LLVMContextRef context = LLVMContextCreate();
    Lower lower = {
        .context = context,
        .module = LLVMModuleCreateWithNameInContext(spec != NULL ? spec->name : "kernels", context),
        .builder = LLVMCreateBuilderInContext(context),
        .gpu = output == LLVM_PTX || output == LLVM_PTX_SOURCE,
        .spec = spec,
        .type_f32 = LLVMFloatTypeInContext(context),
        .type_f64 = LLVMDoubleTypeInContext(context),
        .type_i1 = LLVMInt1TypeInContext(context),
        .type_i32 = LLVMInt32TypeInContext(context),
        .type_i64 = LLVMInt64TypeInContext(context),
        .error = error,
        .error_size = error_size,
    };
    LLVMContextSetDiagnosticHandler(context, on_diagnostic, &lower);
    fatal_lower = &lower;
    LLVMInstallFatalErrorHandler(on_fatal);
    char *volatile result = NULL;
    if (setjmp(fatal_return) != 0) {
        /* What LLVM had allocated is lost, and its context must not be used again. */
        LLVMResetFatalErrorHandler();
        return NULL;
    }
    result = generate(&lower, output, length);
    LLVMResetFatalErrorHandler();
    LLVMDisposeBuilder(lower.builder);
    LLVMDisposeModule(lower.module);
    LLVMContextDispose(context);
    if (lower.failed) {
        free(result);
        return NULL;
    }
    return result;
}

char *llvm_generate_kernel(const KernelSpec *spec, LlvmOutput output, size_t *length, char *error, size_t error_size)
{
    pthread_mutex_lock(&in_progress);
    char *result = generate_alone(spec, output, length, error, error_size);
    pthread_mutex_unlock(&in_progress);
    return result;
}

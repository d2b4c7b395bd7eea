/* llvm_lower.h - private to the LLVM side of code generation: lowers a kernel to LLVM IR.
 *
 * llvm_module.c   modules, target machines, passes, errors llvm_kernel.c   a kernel's function: arguments, loops of
 * each class llvm_body.c     the scalar program at one position llvm_math.c     exp, log, tanh, cos, pow for host and
 * GPU alike llvm_emit.c     small wrappers: arithmetic with our flags, loops, intrinsics, reductions over a block
 */
#ifndef PLACE_CODEGEN_LLVM_LOWER_H
#define PLACE_CODEGEN_LLVM_LOWER_H

#include "codegen/kernel_spec.h"
#include <llvm-c/Core.h>

enum { LOWER_MAX_NODES = 64 };

typedef struct Lower {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    bool gpu;
    const KernelSpec *spec;
    LLVMValueRef function;
    LLVMTypeRef type; /* the type the kernel computes in: float or double */
    LLVMTypeRef type_f32, type_f64, type_i32, type_i64, type_i1;
    LLVMValueRef out, operand[STEP_MAX_OPERANDS];
    LLVMValueRef extent[KERNEL_MAX_DIMS];
    LLVMValueRef first, last; /* host: the range of the dim kernel_split */
    LLVMValueRef out_room[KERNEL_MAX_DIMS], operand_room[STEP_MAX_OPERANDS][KERNEL_MAX_DIMS]; /* where there is one */
    LLVMValueRef first_row, all_rows;                                                         /* of some_rows */
    LLVMValueRef immediate[STEP_MAX_IMMEDIATES], scale;
    LLVMBasicBlockRef entry;                 /* receives allocas */
    LLVMValueRef shared;                     /* gpu: one number per warp */
    LLVMValueRef row_value[LOWER_MAX_NODES]; /* of row functions, once known */
    char *error;
    size_t error_size;
    bool failed;
} Lower;

/* A position in the iteration space: one index per dim. */
typedef struct Position {
    LLVMValueRef index[KERNEL_MAX_DIMS];
} Position;

typedef struct Loop {
    LLVMBasicBlockRef head, end;
    LLVMValueRef index, step;
} Loop;

/* Records an error; only the first one is kept. */
void lower_fail(Lower *lower, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- llvm_kernel.c */
void lower_kernel(Lower *lower);

/* ---- llvm_body.c */
/* The value of a node at a position, in the compute type. The row functions it needs must have been computed. */
LLVMValueRef body_value(Lower *lower, const Position *position, int node);
/* Does the condition of a `where` hold there? */
LLVMValueRef body_holds(Lower *lower, const Position *position, const KernelNode *where);
/* y at a position. */
LLVMValueRef body_result(Lower *lower, const Position *position);
LLVMValueRef body_address(Lower *lower, const KernelArray *array, LLVMValueRef pointer, const Position *position);
LLVMValueRef body_load(Lower *lower, const KernelArray *array, LLVMValueRef pointer, const Position *position,
                       LLVMTypeRef type);
/* Stores y in the result, or adds it. */
void body_store(Lower *lower, const Position *position, LLVMValueRef y, bool accumulate);
/* How many passes over row functions precede this node: 0 for elementwise ones, 1 for max(x), 2 for sum(exp(x - m)). */
int body_level(const Kernel *body, int node);

/* ---- llvm_math.c: arguments and results of type float or double; cos and pow: double */
LLVMValueRef math_exp(Lower *lower, LLVMValueRef x);
LLVMValueRef math_log(Lower *lower, LLVMValueRef x);
LLVMValueRef math_tanh(Lower *lower, LLVMValueRef x);
LLVMValueRef math_cos(Lower *lower, LLVMValueRef x);
LLVMValueRef math_pow(Lower *lower, LLVMValueRef x, LLVMValueRef y);
/* random_mix of two i32 (base/random.h). */
LLVMValueRef math_mix(Lower *lower, LLVMValueRef word, LLVMValueRef number);
LLVMValueRef math_sqrt(Lower *lower, LLVMValueRef x);

/* ---- llvm_emit.c */
LLVMValueRef emit_number(LLVMTypeRef type, double number);
LLVMValueRef emit_integer(Lower *lower, int64_t number);
LLVMValueRef emit_binary(Lower *lower, LLVMOpcode opcode, LLVMValueRef x, LLVMValueRef y);
LLVMValueRef emit_multiply_add(Lower *lower, LLVMValueRef x, LLVMValueRef y, LLVMValueRef z);
LLVMValueRef emit_compare(Lower *lower, LLVMRealPredicate predicate, LLVMValueRef x, LLVMValueRef y);
LLVMValueRef emit_select(Lower *lower, LLVMValueRef condition, LLVMValueRef then, LLVMValueRef otherwise);
LLVMValueRef emit_cast(Lower *lower, LLVMValueRef x, LLVMTypeRef type);
LLVMValueRef emit_widen_bf16(Lower *lower, LLVMValueRef half);
LLVMValueRef emit_round_bf16(Lower *lower, LLVMValueRef x);
LLVMValueRef emit_intrinsic(Lower *lower, const char *name, LLVMTypeRef overload, LLVMValueRef *arguments, int count);
LLVMValueRef emit_index_multiply(Lower *lower, LLVMValueRef x, LLVMValueRef y);
LLVMValueRef emit_index_add(Lower *lower, LLVMValueRef x, LLVMValueRef y);
LLVMTypeRef emit_type(Lower *lower, DType dtype);
LLVMValueRef emit_local(Lower *lower, LLVMValueRef initial);
LLVMValueRef emit_read_local(Lower *lower, LLVMValueRef local);
/* local += x, in any order; local = max(local, x), where NaN propagates. */
void emit_add_to(Lower *lower, LLVMValueRef local, LLVMValueRef x);
void emit_max_to(Lower *lower, LLVMValueRef local, LLVMValueRef x);

/* for (index = first; index < end; index += step) */
Loop emit_loop_begin(Lower *lower, LLVMValueRef first, LLVMValueRef end, LLVMValueRef step, const char *name);
void emit_loop_end(Lower *lower, const Loop *loop);
/* if (condition) { ... } */
LLVMBasicBlockRef emit_if_begin(Lower *lower, LLVMValueRef condition);
void emit_if_end(Lower *lower, LLVMBasicBlockRef after);

/* GPU: the thread's index in its block, and so on, as i64. */
LLVMValueRef emit_thread(Lower *lower);
LLVMValueRef emit_block(Lower *lower);
LLVMValueRef emit_block_count(Lower *lower);
void emit_barrier(Lower *lower);
/* The sum or maximum of every thread's value, the same in all threads. All threads of the block must reach it. */
LLVMValueRef emit_block_reduce(Lower *lower, LLVMValueRef x, bool maximum);

#endif

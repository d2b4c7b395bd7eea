/* llvm_emit.c - small wrappers around the LLVM builder: arithmetic with the flags we want, loops, block reductions.
 *
 * Floating-point flags: `contract` everywhere (a fused multiply-add rounds once), `reassoc` only on the additions of
 * reductions, which may be taken in any order. NaN and infinity keep their meaning: a NaN must reach the loss.
 */
#include "codegen/llvm_lower.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { WARP = 32 };

void lower_fail(Lower *lower, const char *format, ...)
{
    if (lower->failed)
        return;
    lower->failed = true;
    va_list args;
    va_start(args, format);
    vsnprintf(lower->error, lower->error_size, format, args);
    va_end(args);
}

static LLVMValueRef with_flags(LLVMValueRef value, LLVMFastMathFlags flags)
{
    if (LLVMIsAInstruction(value) != NULL && LLVMCanValueUseFastMathFlags(value))
        LLVMSetFastMathFlags(value, flags);
    return value;
}

LLVMValueRef emit_number(LLVMTypeRef type, double number)
{
    return LLVMConstReal(type, number);
}

LLVMValueRef emit_integer(Lower *lower, int64_t number)
{
    return LLVMConstInt(lower->type_i64, (unsigned long long)number, true);
}

LLVMValueRef emit_binary(Lower *lower, LLVMOpcode opcode, LLVMValueRef x, LLVMValueRef y)
{
    return with_flags(LLVMBuildBinOp(lower->builder, opcode, x, y, ""), LLVMFastMathAllowContract);
}

LLVMValueRef emit_multiply_add(Lower *lower, LLVMValueRef x, LLVMValueRef y, LLVMValueRef z)
{
    return emit_binary(lower, LLVMFAdd, emit_binary(lower, LLVMFMul, x, y), z);
}

LLVMValueRef emit_compare(Lower *lower, LLVMRealPredicate predicate, LLVMValueRef x, LLVMValueRef y)
{
    return LLVMBuildFCmp(lower->builder, predicate, x, y, "");
}

LLVMValueRef emit_select(Lower *lower, LLVMValueRef condition, LLVMValueRef then, LLVMValueRef otherwise)
{
    return LLVMBuildSelect(lower->builder, condition, then, otherwise, "");
}

static bool is_integer(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
}

/* The number of bits, which decides which of two floating-point types is wider. */
static int float_width(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMFloatTypeKind:
        return 32;
    default:
        return 64;
    }
}

/* bf16 is the upper half of an f32. LLVM's own type is not used: its conversions may call a library. */
LLVMValueRef emit_widen_bf16(Lower *lower, LLVMValueRef half)
{
    LLVMValueRef bits = LLVMBuildZExt(lower->builder, half, lower->type_i32, "");
    bits = LLVMBuildShl(lower->builder, bits, LLVMConstInt(lower->type_i32, 16, false), "");
    return LLVMBuildBitCast(lower->builder, bits, lower->type_f32, "");
}

/* To nearest, ties to even; what is not a number stays so. */
LLVMValueRef emit_round_bf16(Lower *lower, LLVMValueRef x)
{
    LLVMBuilderRef b = lower->builder;
    LLVMValueRef sixteen = LLVMConstInt(lower->type_i32, 16, false);
    LLVMValueRef bits = LLVMBuildBitCast(b, x, lower->type_i32, "");
    LLVMValueRef upper = LLVMBuildLShr(b, bits, sixteen, "");
    LLVMValueRef odd = LLVMBuildAnd(b, upper, LLVMConstInt(lower->type_i32, 1, false), "");
    LLVMValueRef more = LLVMBuildAdd(b, odd, LLVMConstInt(lower->type_i32, 0x7FFF, false), "");
    LLVMValueRef rounded = LLVMBuildLShr(b, LLVMBuildAdd(b, bits, more, ""), sixteen, "");
    LLVMValueRef quiet = LLVMBuildOr(b, upper, LLVMConstInt(lower->type_i32, 0x40, false), "");
    LLVMValueRef half = emit_select(lower, emit_compare(lower, LLVMRealUNO, x, x), quiet, rounded);
    return LLVMBuildTrunc(b, half, LLVMInt16TypeInContext(lower->context), "");
}

LLVMValueRef emit_cast(Lower *lower, LLVMValueRef x, LLVMTypeRef type)
{
    LLVMTypeRef from = LLVMTypeOf(x);
    if (from == type)
        return x;
    if (is_integer(from) && is_integer(type))
        return LLVMBuildIntCast2(lower->builder, x, type, true, "");
    if (from == lower->type_i1)
        return LLVMBuildUIToFP(lower->builder, x, type, "");
    if (is_integer(from))
        return LLVMBuildSIToFP(lower->builder, x, type, "");
    if (is_integer(type))
        return LLVMBuildFPToSI(lower->builder, x, type, "");
    if (float_width(from) < float_width(type))
        return LLVMBuildFPExt(lower->builder, x, type, "");
    return LLVMBuildFPTrunc(lower->builder, x, type, "");
}

LLVMValueRef emit_intrinsic(Lower *lower, const char *name, LLVMTypeRef overload, LLVMValueRef *arguments, int count)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    size_t overloads = overload != NULL ? 1 : 0;
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(lower->module, id, &overload, overloads);
    LLVMTypeRef type = LLVMIntrinsicGetType(lower->context, id, &overload, overloads);
    return with_flags(LLVMBuildCall2(lower->builder, type, function, arguments, (unsigned)count, ""),
                      LLVMFastMathAllowContract);
}

LLVMValueRef emit_index_multiply(Lower *lower, LLVMValueRef x, LLVMValueRef y)
{
    return LLVMBuildNSWMul(lower->builder, x, y, "");
}

LLVMValueRef emit_index_add(Lower *lower, LLVMValueRef x, LLVMValueRef y)
{
    return LLVMBuildNSWAdd(lower->builder, x, y, "");
}

LLVMTypeRef emit_type(Lower *lower, DType dtype)
{
    switch (dtype) {
    case DTYPE_F32:
        return lower->type_f32;
    case DTYPE_F64:
        return lower->type_f64;
    case DTYPE_BF16:
        return LLVMInt16TypeInContext(lower->context);
    case DTYPE_I32:
        return lower->type_i32;
    }
    lower_fail(lower, "a dtype that no kernel has");
    return lower->type_f64;
}

/* A local variable; the optimiser turns it into a register. */
LLVMValueRef emit_local(Lower *lower, LLVMValueRef initial)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(lower->builder);
    LLVMValueRef first = LLVMGetFirstInstruction(lower->entry);
    if (first != NULL)
        LLVMPositionBuilderBefore(lower->builder, first);
    else
        LLVMPositionBuilderAtEnd(lower->builder, lower->entry);
    LLVMValueRef local = LLVMBuildAlloca(lower->builder, LLVMTypeOf(initial), "");
    LLVMPositionBuilderAtEnd(lower->builder, here);
    LLVMBuildStore(lower->builder, initial, local);
    return local;
}

LLVMValueRef emit_read_local(Lower *lower, LLVMValueRef local)
{
    return LLVMBuildLoad2(lower->builder, LLVMGetAllocatedType(local), local, "");
}

void emit_add_to(Lower *lower, LLVMValueRef local, LLVMValueRef x)
{
    LLVMValueRef sum = LLVMBuildFAdd(lower->builder, emit_read_local(lower, local), x, "");
    with_flags(sum, LLVMFastMathAllowReassoc | LLVMFastMathAllowContract | LLVMFastMathNoSignedZeros);
    LLVMBuildStore(lower->builder, sum, local);
}

/* Written out on GPUs: not every version of the back end can select llvm.maximum for f64. */
static LLVMValueRef maximum_of(Lower *lower, LLVMValueRef x, LLVMValueRef y)
{
    if (!lower->gpu)
        return emit_intrinsic(lower, "llvm.maximum", LLVMTypeOf(x), (LLVMValueRef[]){x, y}, 2);
    LLVMValueRef larger = emit_compare(lower, LLVMRealUGT, x, y); /* true if either is NaN */
    LLVMValueRef y_is_nan = emit_compare(lower, LLVMRealUNO, y, y);
    return emit_select(lower, y_is_nan, y, emit_select(lower, larger, x, y));
}

void emit_max_to(Lower *lower, LLVMValueRef local, LLVMValueRef x)
{
    LLVMBuildStore(lower->builder, maximum_of(lower, emit_read_local(lower, local), x), local);
}

static LLVMBasicBlockRef new_block(Lower *lower, const char *name)
{
    return LLVMAppendBasicBlockInContext(lower->context, lower->function, name);
}

Loop emit_loop_begin(Lower *lower, LLVMValueRef first, LLVMValueRef end, LLVMValueRef step, const char *name)
{
    LLVMBasicBlockRef before = LLVMGetInsertBlock(lower->builder);
    Loop loop = {.head = new_block(lower, name), .step = step};
    LLVMBasicBlockRef body = new_block(lower, "body");
    loop.end = new_block(lower, "end");
    LLVMBuildBr(lower->builder, loop.head);
    LLVMPositionBuilderAtEnd(lower->builder, loop.head);
    loop.index = LLVMBuildPhi(lower->builder, lower->type_i64, name);
    LLVMAddIncoming(loop.index, &first, &before, 1);
    LLVMValueRef inside = LLVMBuildICmp(lower->builder, LLVMIntSLT, loop.index, end, "");
    LLVMBuildCondBr(lower->builder, inside, body, loop.end);
    LLVMPositionBuilderAtEnd(lower->builder, body);
    return loop;
}

void emit_loop_end(Lower *lower, const Loop *loop)
{
    LLVMBasicBlockRef last = LLVMGetInsertBlock(lower->builder);
    LLVMValueRef next = emit_index_add(lower, loop->index, loop->step);
    LLVMAddIncoming(loop->index, &next, &last, 1);
    LLVMBuildBr(lower->builder, loop->head);
    LLVMPositionBuilderAtEnd(lower->builder, loop->end);
}

LLVMBasicBlockRef emit_if_begin(Lower *lower, LLVMValueRef condition)
{
    LLVMBasicBlockRef then = new_block(lower, "then"), after = new_block(lower, "after");
    LLVMBuildCondBr(lower->builder, condition, then, after);
    LLVMPositionBuilderAtEnd(lower->builder, then);
    return after;
}

void emit_if_end(Lower *lower, LLVMBasicBlockRef after)
{
    LLVMBuildBr(lower->builder, after);
    LLVMPositionBuilderAtEnd(lower->builder, after);
}

static LLVMValueRef special_register(Lower *lower, const char *name)
{
    return emit_cast(lower, emit_intrinsic(lower, name, NULL, NULL, 0), lower->type_i64);
}

LLVMValueRef emit_thread(Lower *lower)
{
    return special_register(lower, "llvm.nvvm.read.ptx.sreg.tid.x");
}

LLVMValueRef emit_block(Lower *lower)
{
    return special_register(lower, "llvm.nvvm.read.ptx.sreg.ctaid.x");
}

LLVMValueRef emit_block_count(Lower *lower)
{
    return special_register(lower, "llvm.nvvm.read.ptx.sreg.nctaid.x");
}

void emit_barrier(Lower *lower)
{
    emit_intrinsic(lower, "llvm.nvvm.barrier0", NULL, NULL, 0);
}

/* x of the thread whose lane differs in the bits of `mask`. */
static LLVMValueRef shuffle_word(Lower *lower, LLVMValueRef word, int mask)
{
    LLVMValueRef arguments[] = {LLVMConstInt(lower->type_i32, 0xffffffffu, false), word,
                                LLVMConstInt(lower->type_i32, (unsigned)mask, false),
                                LLVMConstInt(lower->type_i32, WARP - 1, false)};
    return emit_intrinsic(lower, "llvm.nvvm.shfl.sync.bfly.i32", NULL, arguments, 4);
}

static LLVMValueRef shuffle(Lower *lower, LLVMValueRef x, int mask)
{
    LLVMBuilderRef b = lower->builder;
    LLVMTypeRef type = LLVMTypeOf(x);
    if (type == lower->type_f32) {
        LLVMValueRef word = shuffle_word(lower, LLVMBuildBitCast(b, x, lower->type_i32, ""), mask);
        return LLVMBuildBitCast(b, word, type, "");
    }
    LLVMTypeRef pair = LLVMVectorType(lower->type_i32, 2);
    LLVMValueRef words = LLVMBuildBitCast(b, x, pair, "");
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef at = LLVMConstInt(lower->type_i32, i, false);
        LLVMValueRef word = shuffle_word(lower, LLVMBuildExtractElement(b, words, at, ""), mask);
        words = LLVMBuildInsertElement(b, words, word, at, "");
    }
    return LLVMBuildBitCast(b, words, type, "");
}

static LLVMValueRef combine(Lower *lower, LLVMValueRef x, LLVMValueRef y, bool maximum)
{
    return maximum ? maximum_of(lower, x, y) : emit_binary(lower, LLVMFAdd, x, y);
}

static LLVMValueRef shared_address(Lower *lower, LLVMValueRef index)
{
    return LLVMBuildInBoundsGEP2(lower->builder, lower->type, lower->shared, &index, 1, "");
}

/* Every warp folds its values by shuffles and stores the result in shared memory; then every thread folds those in
 * the same order. The first barrier keeps a fast warp from overwriting what a slow one still reads from the previous
 * call. */
LLVMValueRef emit_block_reduce(Lower *lower, LLVMValueRef x, bool maximum)
{
    for (int mask = WARP / 2; mask > 0; mask /= 2)
        x = combine(lower, x, shuffle(lower, x, mask), maximum);
    LLVMValueRef thread = emit_thread(lower);
    LLVMValueRef warp = LLVMBuildUDiv(lower->builder, thread, emit_integer(lower, WARP), "");
    LLVMValueRef lane = LLVMBuildURem(lower->builder, thread, emit_integer(lower, WARP), "");
    emit_barrier(lower);
    LLVMValueRef first = LLVMBuildICmp(lower->builder, LLVMIntEQ, lane, emit_integer(lower, 0), "");
    LLVMBasicBlockRef after = emit_if_begin(lower, first);
    LLVMBuildStore(lower->builder, x, shared_address(lower, warp));
    emit_if_end(lower, after);
    emit_barrier(lower);
    LLVMValueRef total = NULL;
    for (int i = 0; i < KERNEL_THREADS / WARP; i++) {
        LLVMValueRef part =
            LLVMBuildLoad2(lower->builder, lower->type, shared_address(lower, emit_integer(lower, i)), "");
        total = total == NULL ? part : combine(lower, total, part, maximum);
    }
    return total;
}

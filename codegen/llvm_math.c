/* llvm_math.c - exp, log, tanh, cos and pow as straight-line code of additions and multiplications, for host and GPU:
 * nothing is called, so loops over them are vectorised, and no library is needed where kernels run.
 *
 * All use series whose coefficients are written in closed form, 1/k! or 1/(2k+1), truncated where the next term is
 * below the type's precision on the reduced interval. Special values are those of the C library.
 */
#include "codegen/llvm_lower.h"

#include <math.h>

#define LN2_LONG 0.693147180559945309417232121458176568L
#define PI_LONG 3.14159265358979323846264338327950288L

/* What differs between float and double. */
typedef struct Format {
    LLVMTypeRef type, integer; /* an integer of the same size */
    int mantissa_bits, exponent_bias;
    double round;                   /* 1.5 * 2^mantissa_bits: adding it rounds to an integer, in the low bits */
    double ln2_high, ln2_low;       /* high has so few bits that its product with an exponent is exact */
    double exp_lowest, exp_highest; /* beyond these the result is 0 or infinite */
    double tanh_lowest;             /* where expm1 rounds to -1 */
    int exp_terms, log_terms;
    double smallest_normal;
    uint64_t sqrt_half_bits;
} Format;

static double high_part(long double x, int bits)
{
    return (double)ldexpl(floorl(ldexpl(x, bits)), -bits);
}

static Format format_of(Lower *lower, LLVMTypeRef type)
{
    bool single = type == lower->type_f32;
    double high = high_part(LN2_LONG, single ? 15 : 32);
    return (Format){
        .type = type,
        .integer = single ? lower->type_i32 : lower->type_i64,
        .mantissa_bits = single ? 23 : 52,
        .exponent_bias = single ? 127 : 1023,
        .round = single ? 0x1.8p23 : 0x1.8p52,
        .ln2_high = high,
        .ln2_low = (double)(LN2_LONG - (long double)high),
        .exp_lowest = single ? -104 : -746,
        .exp_highest = single ? 89 : 710,
        .tanh_lowest = single ? -20 : -40,
        .exp_terms = single ? 8 : 14,
        .log_terms = single ? 6 : 11,
        .smallest_normal = single ? 0x1p-126 : 0x1p-1022,
        .sqrt_half_bits = single ? 0x3f3504f3u : 0x3fe6a09e667f3bcdu,
    };
}

static LLVMValueRef integer(const Format *f, int64_t number)
{
    return LLVMConstInt(f->integer, (unsigned long long)number, true);
}

static LLVMValueRef bits_of(Lower *lower, const Format *f, LLVMValueRef x)
{
    return LLVMBuildBitCast(lower->builder, x, f->integer, "");
}

static LLVMValueRef number_of(Lower *lower, const Format *f, LLVMValueRef bits)
{
    return LLVMBuildBitCast(lower->builder, bits, f->type, "");
}

/* c[0] + c[1] x + ... + c[count-1] x^(count-1) */
static LLVMValueRef polynomial(Lower *lower, LLVMValueRef x, const double *c, int count)
{
    LLVMValueRef sum = emit_number(LLVMTypeOf(x), c[count - 1]);
    for (int k = count - 2; k >= 0; k--)
        sum = emit_multiply_add(lower, sum, x, emit_number(LLVMTypeOf(x), c[k]));
    return sum;
}

/* x, but no less than `low`; NaN stays. */
static LLVMValueRef at_least(Lower *lower, LLVMValueRef x, double low)
{
    LLVMValueRef bound = emit_number(LLVMTypeOf(x), low);
    return emit_select(lower, emit_compare(lower, LLVMRealOLT, x, bound), bound, x);
}

static LLVMValueRef at_most(Lower *lower, LLVMValueRef x, double high)
{
    LLVMValueRef bound = emit_number(LLVMTypeOf(x), high);
    return emit_select(lower, emit_compare(lower, LLVMRealOGT, x, bound), bound, x);
}

/* 2^n for an integer n in the normal range. */
static LLVMValueRef power_of_two(Lower *lower, const Format *f, LLVMValueRef n)
{
    LLVMValueRef biased = LLVMBuildAdd(lower->builder, n, integer(f, f->exponent_bias), "");
    return number_of(lower, f, LLVMBuildShl(lower->builder, biased, integer(f, f->mantissa_bits), ""));
}

/* x = n ln 2 + r with |r| <= ln(2) / 2; gives n as an integer, and the sum of r^k / k! for k = 1 ... */
static LLVMValueRef reduced_expm1(Lower *lower, const Format *f, LLVMValueRef x, LLVMValueRef *n)
{
    LLVMValueRef round = emit_number(f->type, f->round);
    LLVMValueRef shifted = emit_multiply_add(lower, x, emit_number(f->type, (double)(1 / LN2_LONG)), round);
    LLVMValueRef whole = emit_binary(lower, LLVMFSub, shifted, round);
    LLVMValueRef r = emit_multiply_add(lower, whole, emit_number(f->type, -f->ln2_high), x);
    r = emit_multiply_add(lower, whole, emit_number(f->type, -f->ln2_low), r);
    *n = LLVMBuildSub(lower->builder, bits_of(lower, f, shifted), bits_of(lower, f, round), "");

    /* r + r^2 (1/2! + r/3! + ...): small terms first, so that r itself is not rounded again. */
    double c[16], factorial = 1;
    for (int k = 2; k < f->exp_terms; k++)
        c[k - 2] = 1 / (factorial *= k);
    LLVMValueRef square = emit_binary(lower, LLVMFMul, r, r);
    return emit_multiply_add(lower, square, polynomial(lower, r, c, f->exp_terms - 2), r);
}

LLVMValueRef math_exp(Lower *lower, LLVMValueRef x)
{
    Format f = format_of(lower, LLVMTypeOf(x));
    LLVMValueRef n;
    x = at_most(lower, at_least(lower, x, f.exp_lowest), f.exp_highest);
    LLVMValueRef y = reduced_expm1(lower, &f, x, &n);
    y = emit_binary(lower, LLVMFAdd, y, emit_number(f.type, 1));
    /* In two steps, because 2^n alone may be out of range. */
    LLVMValueRef half = LLVMBuildAShr(lower->builder, n, integer(&f, 1), "");
    LLVMValueRef rest = LLVMBuildSub(lower->builder, n, half, "");
    y = emit_binary(lower, LLVMFMul, y, power_of_two(lower, &f, half));
    return emit_binary(lower, LLVMFMul, y, power_of_two(lower, &f, rest));
}

/* From e = expm1(-2|x|), which is accurate near 0: tanh |x| = -e / (e + 2). */
LLVMValueRef math_tanh(Lower *lower, LLVMValueRef x)
{
    Format f = format_of(lower, LLVMTypeOf(x));
    LLVMValueRef n, magnitude = emit_intrinsic(lower, "llvm.fabs", f.type, &x, 1);
    LLVMValueRef z = emit_binary(lower, LLVMFMul, magnitude, emit_number(f.type, -2));
    LLVMValueRef q = reduced_expm1(lower, &f, at_least(lower, z, f.tanh_lowest), &n);
    LLVMValueRef power = power_of_two(lower, &f, n);
    LLVMValueRef less_one = emit_binary(lower, LLVMFSub, power, emit_number(f.type, 1));
    LLVMValueRef e = emit_multiply_add(lower, power, q, less_one);
    LLVMValueRef y = emit_binary(lower, LLVMFDiv, e, emit_binary(lower, LLVMFAdd, e, emit_number(f.type, 2)));
    return emit_intrinsic(lower, "llvm.copysign", f.type, (LLVMValueRef[]){y, x}, 2);
}

/* x = 2^e m with m between sqrt(1/2) and sqrt(2); log m = 2 atanh(s), s = (m - 1) / (m + 1). */
LLVMValueRef math_log(Lower *lower, LLVMValueRef x)
{
    Format f = format_of(lower, LLVMTypeOf(x));
    LLVMBuilderRef b = lower->builder;
    LLVMValueRef one = emit_number(f.type, 1), zero = emit_number(f.type, 0), infinite = emit_number(f.type, INFINITY);

    LLVMValueRef tiny = emit_compare(lower, LLVMRealOLT, x, emit_number(f.type, f.smallest_normal));
    LLVMValueRef lifted = emit_binary(lower, LLVMFMul, x, emit_number(f.type, ldexp(1, f.mantissa_bits + 1)));
    LLVMValueRef bits = bits_of(lower, &f, emit_select(lower, tiny, lifted, x));
    LLVMValueRef above = LLVMBuildSub(b, bits, integer(&f, (int64_t)f.sqrt_half_bits), "");
    LLVMValueRef exponent = LLVMBuildAShr(b, above, integer(&f, f.mantissa_bits), "");
    LLVMValueRef shift = LLVMBuildShl(b, exponent, integer(&f, f.mantissa_bits), "");
    LLVMValueRef m = number_of(lower, &f, LLVMBuildSub(b, bits, shift, ""));
    LLVMValueRef lift = emit_select(lower, tiny, integer(&f, f.mantissa_bits + 1), integer(&f, 0));
    LLVMValueRef e = emit_cast(lower, LLVMBuildSub(b, exponent, lift, ""), f.type);

    LLVMValueRef less_one = emit_binary(lower, LLVMFSub, m, one);
    LLVMValueRef s = emit_binary(lower, LLVMFDiv, less_one, emit_binary(lower, LLVMFAdd, m, one));
    LLVMValueRef square = emit_binary(lower, LLVMFMul, s, s);
    double c[16];
    for (int k = 1; k < f.log_terms; k++)
        c[k - 1] = 2.0 / (2 * k + 1);
    LLVMValueRef tail = emit_binary(lower, LLVMFMul, square, polynomial(lower, square, c, f.log_terms - 1));
    /* 2 s = (m - 1) - s (m - 1): the first term is exact. */
    LLVMValueRef low = emit_binary(lower, LLVMFMul, s, emit_binary(lower, LLVMFSub, tail, less_one));
    low = emit_multiply_add(lower, e, emit_number(f.type, f.ln2_low), low);
    LLVMValueRef y = emit_binary(lower, LLVMFAdd, less_one, low);
    y = emit_multiply_add(lower, e, emit_number(f.type, f.ln2_high), y);

    LLVMValueRef special = emit_select(lower, emit_compare(lower, LLVMRealOEQ, x, zero), emit_number(f.type, -INFINITY),
                                       emit_number(f.type, NAN));
    special = emit_select(lower, emit_compare(lower, LLVMRealOEQ, x, infinite), infinite, special);
    LLVMValueRef ordinary =
        LLVMBuildAnd(b, emit_compare(lower, LLVMRealOGT, x, zero), emit_compare(lower, LLVMRealOLT, x, infinite), "");
    return emit_select(lower, ordinary, y, special);
}

/* In double only: learning rates need it. Subtracts a multiple of pi/2, which is accurate for arguments up to about a
 * million. */
LLVMValueRef math_cos(Lower *lower, LLVMValueRef x)
{
    Format f = format_of(lower, lower->type_f64);
    LLVMBuilderRef b = lower->builder;
    LLVMValueRef round = emit_number(f.type, f.round);
    LLVMValueRef shifted = emit_multiply_add(lower, x, emit_number(f.type, (double)(2 / PI_LONG)), round);
    LLVMValueRef whole = emit_binary(lower, LLVMFSub, shifted, round);
    double high = high_part(PI_LONG / 2, 32), middle = high_part(PI_LONG / 2 - (long double)high, 64);
    double low = (double)(PI_LONG / 2 - (long double)high - (long double)middle);
    LLVMValueRef r = emit_multiply_add(lower, whole, emit_number(f.type, -high), x);
    r = emit_multiply_add(lower, whole, emit_number(f.type, -middle), r);
    r = emit_multiply_add(lower, whole, emit_number(f.type, -low), r);

    double even[9], odd[9], factorial = 1; /* coefficients of cos r and sin r, in powers of r^2 */
    for (int k = 0; k < 9; k++) {
        double sign = k % 2 == 0 ? 1 : -1;
        even[k] = sign / factorial;
        odd[k] = sign / (factorial * (2 * k + 1));
        factorial *= (2 * k + 1) * (2 * k + 2);
    }
    LLVMValueRef square = emit_binary(lower, LLVMFMul, r, r);
    LLVMValueRef cosine = polynomial(lower, square, even, 9);
    LLVMValueRef sine = emit_binary(lower, LLVMFMul, r, polynomial(lower, square, odd, 9));

    /* cos(x) for whole = 0, 1, 2, 3 modulo 4: cos r, -sin r, -cos r, sin r */
    LLVMValueRef quarter = LLVMBuildSub(b, bits_of(lower, &f, shifted), bits_of(lower, &f, round), "");
    LLVMValueRef is_odd = LLVMBuildTrunc(b, quarter, lower->type_i1, "");
    LLVMValueRef next = LLVMBuildAdd(b, quarter, integer(&f, 1), "");
    LLVMValueRef is_negative = LLVMBuildTrunc(b, LLVMBuildLShr(b, next, integer(&f, 1), ""), lower->type_i1, "");
    LLVMValueRef y = emit_select(lower, is_odd, sine, cosine);
    return emit_select(lower, is_negative, LLVMBuildFNeg(b, y, ""), y);
}

/* In double only, for bases that are not negative; 0^0 is 1. */
LLVMValueRef math_pow(Lower *lower, LLVMValueRef x, LLVMValueRef y)
{
    LLVMValueRef power = math_exp(lower, emit_binary(lower, LLVMFMul, y, math_log(lower, x)));
    LLVMValueRef zero = emit_compare(lower, LLVMRealOEQ, y, emit_number(lower->type_f64, 0));
    return emit_select(lower, zero, emit_number(lower->type_f64, 1), power);
}

LLVMValueRef math_sqrt(Lower *lower, LLVMValueRef x)
{
    return emit_intrinsic(lower, "llvm.sqrt", LLVMTypeOf(x), &x, 1);
}

/* ---- Random words ------------------------------------------------------------------------------------------- */

/* (word ^ word >> bits) * factor */
static LLVMValueRef mix_round(Lower *lower, LLVMValueRef word, unsigned bits, uint32_t factor)
{
    LLVMBuilderRef b = lower->builder;
    LLVMValueRef high = LLVMBuildLShr(b, word, LLVMConstInt(lower->type_i32, bits, false), "");
    return LLVMBuildMul(b, LLVMBuildXor(b, word, high, ""), LLVMConstInt(lower->type_i32, factor, false), "");
}

LLVMValueRef math_mix(Lower *lower, LLVMValueRef word, LLVMValueRef number)
{
    LLVMValueRef spread = LLVMConstInt(lower->type_i32, 0x9E3779B9u, false);
    word = LLVMBuildAdd(lower->builder, word, LLVMBuildMul(lower->builder, number, spread, ""), "");
    for (int round = 0; round < 2; round++) {
        word = mix_round(lower, word, 16, 0xD2511F53u);
        word = mix_round(lower, word, 15, 0xCD9E8D57u);
    }
    return mix_round(lower, word, 16, 1);
}

/* brute_numbers.h - numbers of algebra_brute.c: residues modulo 2^61 - 1 where functions are hashes, or reals. */
#ifndef PLACE_TESTS_UNIT_BRUTE_NUMBERS_H
#define PLACE_TESTS_UNIT_BRUTE_NUMBERS_H

#include "algebra/signature.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef union Number {
    uint64_t residue;
    double real;
} Number;

static const uint64_t prime = ((uint64_t)1 << 61) - 1;

/* What all that runs at once shares. */
static struct {
    bool real;
    uint64_t draw; /* of random numbers */
    Number immediate[STEP_MAX_IMMEDIATES], scale;
} now;

static uint64_t mix(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9U;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebU;
    return x ^ x >> 31;
}

static uint64_t random_bits(void)
{
    now.draw += 0x9e3779b97f4a7c15U;
    return mix(now.draw);
}

__extension__ typedef unsigned __int128 Wide;

static uint64_t multiply(uint64_t x, uint64_t y)
{
    Wide z = (Wide)x * y;
    uint64_t sum = (uint64_t)(z & prime) + (uint64_t)(z >> 61);
    return sum >= prime ? sum - prime : sum;
}

static uint64_t add(uint64_t x, uint64_t y)
{
    uint64_t sum = x + y;
    return sum >= prime ? sum - prime : sum;
}

static uint64_t negative(uint64_t x)
{
    return x == 0 ? 0 : prime - x;
}

static uint64_t hashed(uint64_t kind, uint64_t x, uint64_t y)
{
    return mix(mix(mix(kind + 77) + x) + y) % prime;
}

static uint64_t inverse(uint64_t x)
{
    uint64_t result = 1, exponent = prime - 2;
    if (x == 0)
        return hashed(1000, 0, 0);
    for (; exponent > 0; exponent >>= 1, x = multiply(x, x))
        if (exponent & 1)
            result = multiply(result, x);
    return result;
}

enum { SMALL = 64 };

/* Small whole numbers keep their order, with infinity at both ends; the others go by their hashes, between. */
static int64_t order_of(uint64_t x)
{
    const uint64_t infinite = hashed(1003, 0, 0);
    if (x < SMALL || x > prime - SMALL)
        return x < SMALL ? (int64_t)x : -(int64_t)(prime - x);
    if (x == infinite || x == negative(infinite))
        return x == infinite ? INT64_MAX : INT64_MIN;
    return (int64_t)hashed(1001, x, 0) - (int64_t)(prime / 2);
}

static bool is_less(uint64_t x, uint64_t y)
{
    return order_of(x) < order_of(y);
}

static uint64_t residue_of(double number)
{
    if (number == floor(number) && fabs(number) < 1e15)
        return number < 0 ? negative((uint64_t)-number) : (uint64_t)number;
    if (isinf(number))
        return number > 0 ? hashed(1003, 0, 0) : negative(hashed(1003, 0, 0));
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return hashed(1002, bits, 0);
}

static uint64_t apply_residues(KernelKind kind, const uint64_t *x)
{
    switch (kind) {
    case KERNEL_ADD:
        return add(x[0], x[1]);
    case KERNEL_SUB:
        return add(x[0], negative(x[1]));
    case KERNEL_MUL:
        return multiply(x[0], x[1]);
    case KERNEL_DIV:
        return multiply(x[0], inverse(x[1]));
    case KERNEL_NEGATE:
        return negative(x[0]);
    case KERNEL_LESS:
        return is_less(x[0], x[1]);
    case KERNEL_LESS_EQUAL:
        return !is_less(x[1], x[0]);
    case KERNEL_GREATER:
        return is_less(x[1], x[0]);
    case KERNEL_GREATER_EQUAL:
        return !is_less(x[0], x[1]);
    case KERNEL_EQUAL:
        return x[0] == x[1];
    case KERNEL_WHERE:
        return x[0] != 0 ? x[1] : x[2];
    case KERNEL_MIN:
        return is_less(x[0], x[1]) ? x[0] : x[1];
    case KERNEL_MAX2:
        return is_less(x[0], x[1]) ? x[1] : x[0];
    case KERNEL_POW:
    case KERNEL_MIX:
        return hashed(kind, x[0], x[1]);
    default:
        return hashed(kind, x[0], 0);
    }
}

/* Stand-ins that are defined everywhere, increasing where the function is on its domain and not monotone where it is
 * not known to be. */
static double apply_reals(KernelKind kind, const double *x)
{
    switch (kind) {
    case KERNEL_LOG:
        return asinh(x[0]);
    case KERNEL_SQRT:
        return cbrt(x[0]);
    case KERNEL_TANH:
        return x[0] + sin(x[0]) / 2;
    case KERNEL_RSQRT:
        return 1 / cbrt(x[0]);
    case KERNEL_POW:
        return cos(1.3 * x[0] + x[1]);
    case KERNEL_MIX: /* a word of either sign */
        return 0x1p34 * cos(1.3 * x[0] + x[1]);
    default:
        return kernel_apply(kind, x);
    }
}

static Number apply(KernelKind kind, const Number *x)
{
    uint64_t residues[3] = {x[0].residue, x[1].residue, x[2].residue};
    double reals[3] = {x[0].real, x[1].real, x[2].real};
    return now.real ? (Number){.real = apply_reals(kind, reals)} : (Number){.residue = apply_residues(kind, residues)};
}

static Number number_of(double value)
{
    return now.real ? (Number){.real = value} : (Number){.residue = residue_of(value)};
}

static Number plus(Number x, Number y)
{
    return now.real ? (Number){.real = x.real + y.real} : (Number){.residue = add(x.residue, y.residue)};
}

static Number times(Number x, Number y)
{
    return now.real ? (Number){.real = x.real * y.real} : (Number){.residue = multiply(x.residue, y.residue)};
}

static Number over(Number x, int64_t n)
{
    static uint64_t inverses[16]; /* of small numbers, once they were needed */
    if (n == 1)
        return x;
    if (now.real)
        return (Number){.real = x.real / (double)n};
    assert_in_range(n, 2, 15);
    if (inverses[n] == 0)
        inverses[n] = inverse((uint64_t)n);
    return (Number){.residue = multiply(x.residue, inverses[n])};
}

static Number extreme(PartialOp op, Number x, Number y)
{
    bool less = now.real ? x.real < y.real : is_less(x.residue, y.residue);
    return less == (op == PARTIAL_MAX) ? y : x;
}

/* A function of all numbers so far and the next one. */
static Number followed(Number all, Number x)
{
    return now.real ? (Number){.real = cos(1.3 * all.real + x.real)}
                    : (Number){.residue = hashed(1004, all.residue, x.residue)};
}

static bool equal(Number x, Number y)
{
    if (!now.real)
        return x.residue == y.residue;
    return x.real == y.real || fabs(x.real - y.real) <= 1e-9 * (1 + fabs(x.real) + fabs(y.real));
}

static Number random_number(bool small)
{
    if (small) /* so that comparisons and indices meet */
        return number_of((double)(random_bits() % 3) - 1);
    if (now.real)
        return (Number){.real = (double)(random_bits() % 80001) / 10000 - 4};
    return (Number){.residue = random_bits() % prime};
}

static int64_t index_of(Number x, int64_t count)
{
    return now.real ? (int64_t)fabs(x.real * 7) % count : (int64_t)(x.residue % (uint64_t)count);
}

#endif

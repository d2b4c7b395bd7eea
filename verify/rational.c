/* rational.c - exact fractions; products are formed in 128 bits and must fit in 64. */
#include "verify/rational.h"

#include <math.h>

__extension__ typedef __int128 Wide;

/* Normal form: no common divisor. */
static Rational rational_reduce(Wide numerator, Wide denominator)
{
    Wide a = numerator < 0 ? -numerator : numerator, b = denominator;
    while (b != 0) {
        Wide rest = a % b;
        a = b;
        b = rest;
    }
    numerator /= a;
    denominator /= a;
    if (numerator > INT64_MAX || numerator < -INT64_MAX || denominator > INT64_MAX)
        return (Rational){0, 0};
    return (Rational){(int64_t)numerator, (int64_t)denominator};
}

/* Normal form: the denominator is positive. */
Rational rational_make(int64_t numerator, int64_t denominator)
{
    if (denominator == 0)
        return (Rational){0, 0};
    Wide sign = denominator < 0 ? -1 : 1;
    return rational_reduce(sign * numerator, sign * denominator);
}

/* Normal form: reduced. */
Rational rational_add(Rational a, Rational b)
{
    if (!rational_fits(a) || !rational_fits(b))
        return (Rational){0, 0};
    if (a.denominator == 1 && b.denominator == 1)
        return rational_reduce((Wide)a.numerator + b.numerator, 1);
    return rational_reduce((Wide)a.numerator * b.denominator + (Wide)b.numerator * a.denominator,
                           (Wide)a.denominator * b.denominator);
}

/* Normal form: reduced. */
Rational rational_multiply(Rational a, Rational b)
{
    if (!rational_fits(a) || !rational_fits(b))
        return (Rational){0, 0};
    if (rational_is(a, 1))
        return b;
    if (rational_is(b, 1))
        return a;
    return rational_reduce((Wide)a.numerator * b.numerator, (Wide)a.denominator * b.denominator);
}

Rational rational_divide(Rational a, Rational b)
{
    return rational_multiply(a, rational_make(b.denominator, b.numerator));
}

/* Normal form: the simplest fraction. The first convergent of the continued fraction that rounds back is the simplest
 * one. With more digits a fraction is no longer clearly what was meant, since doubles are that dense. */
bool rational_from_double(double value, Rational *result)
{
    const double limit = 1e12;
    double rest = fabs(value);
    if (!(rest < limit / 1000))
        return false;
    int64_t p0 = 0, q0 = 1, p1 = 1, q1 = 0;
    for (int i = 0; i < 32; i++) {
        double whole = floor(rest);
        if (whole * (double)p1 + (double)p0 > limit || whole * (double)q1 + (double)q0 > limit)
            return false;
        int64_t p2 = (int64_t)whole * p1 + p0, q2 = (int64_t)whole * q1 + q0;
        if ((double)p2 / (double)q2 == fabs(value)) {
            *result = rational_make(value < 0 ? -p2 : p2, q2);
            return (double)(p2 + 1) * (double)q2 <= limit;
        }
        p0 = p1, q0 = q1, p1 = p2, q1 = q2;
        rest = 1 / (rest - whole);
    }
    return false;
}

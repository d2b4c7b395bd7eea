/* rational.h - exact weights: fractions of 64-bit integers. Overflow is detected, never rounded.
 *
 * A fraction is kept reduced, with a positive denominator. Denominator 0 means that a result did not fit; it
 * propagates.
 */
#ifndef PLACE_VERIFY_RATIONAL_H
#define PLACE_VERIFY_RATIONAL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Rational {
    int64_t numerator, denominator;
} Rational;

Rational rational_make(int64_t numerator, int64_t denominator);
Rational rational_add(Rational a, Rational b);
Rational rational_multiply(Rational a, Rational b);
Rational rational_divide(Rational a, Rational b); /* b is not 0 */

/* The simplest fraction that rounds to `value`; false if it needs more than about ten digits in all. */
bool rational_from_double(double value, Rational *result);

static inline bool rational_fits(Rational a)
{
    return a.denominator != 0;
}
static inline bool rational_equal(Rational a, Rational b)
{
    return a.numerator == b.numerator && a.denominator == b.denominator;
}
static inline bool rational_is(Rational a, int64_t value)
{
    return a.numerator == value && a.denominator == 1;
}

#endif

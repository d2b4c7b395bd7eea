/* number.h - the two arithmetics of the simulator, chosen per run.
 *
 * SIM_FIELD counts modulo the prime 2^61 - 1. Sums, products and inverses are exact; a nonlinear function, and each of
 * its derivatives, is an independent keyed hash of its whole argument. What is equal here is equal for all functions
 * that the nonlinear operators could stand for (but for one chance in 2^61 per comparison).
 * SIM_REAL counts in binary128 with the real functions. What is equal here only because of what a function is (a law)
 * is different in the field.
 *
 * A number carries its derivative in one direction, in both arithmetics. All bits zero is the number zero.
 */
#ifndef PLACE_SIM_NUMBER_H
#define PLACE_SIM_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef _Float128 SimReal;

typedef enum SimArithmetic { SIM_FIELD, SIM_REAL, SIM_ARITHMETICS } SimArithmetic;

typedef union SimWord {
    uint64_t field; /* below the prime */
    SimReal real;
} SimWord;

typedef struct SimNumber {
    SimWord value, tangent;
    bool endless; /* taken for no finite number: so is a sum of which it is a part, and its multiples */
} SimNumber;

/* In which all functions here count. A process simulates one machine at a time; it sets this before it runs one. */
extern SimArithmetic sim_arithmetic;
/* Which functions the hashes are, and which order the field has; differs from draw to draw. */
extern uint64_t sim_function_key;
/* Not 0: results in reals that are no whole numbers are rounded otherwise, in their last places, as this draws. */
extern uint64_t sim_rounding;
/* Which elements of a gradient are not finite is drawn; otherwise all numbers are. */
extern bool sim_draws_endless;

SimNumber sim_integer(int64_t value);
SimNumber sim_fraction(int64_t numerator, int64_t denominator);
/* A decimal number stands for the simplest fraction that rounds to it. */
SimNumber sim_decimal(double value);
SimNumber sim_real(SimReal value, SimReal tangent);

SimNumber sim_add(SimNumber a, SimNumber b);
SimNumber sim_sub(SimNumber a, SimNumber b);
SimNumber sim_mul(SimNumber a, SimNumber b);
SimNumber sim_inverse(SimNumber a); /* 0 of 0 in the field */
bool sim_has_tangent(SimNumber a);
bool sim_is_zero(SimNumber a);

/* By the total order of the arithmetic; in both 0 is less than 1. */
bool sim_less(SimNumber a, SimNumber b);
/* Whether it is a whole number of 0 .. limit-1, and which. */
bool sim_as_index(SimNumber a, int64_t limit, int64_t *index);
/* Is it a whole number of 32 bits? */
bool sim_is_int32(SimNumber a);
/* Equal: in the field exactly; in reals relative to the larger of both and `size`. What is no number (a training that
 * diverges) is equal to what is none: the field tells them apart. */
bool sim_equal(SimWord a, SimWord b, SimReal size);
SimReal sim_magnitude(SimWord a);
/* The largest magnitude; 0 in the field. */
SimReal sim_largest(const SimWord *values, int64_t count);
/* For messages. */
const char *sim_show(SimWord a, char *text, int size);

/* ---- Hashes ------------------------------------------------------------------------------------------------- */

uint64_t sim_mix(uint64_t state, uint64_t word);
uint64_t sim_mix_name(uint64_t state, const char *name);
uint64_t sim_mix_double(uint64_t state, double number);
/* A number drawn by a hash: any of the field; of the reals in (-1, 1), never near 0, where it would hide what is done
 * to it. */
SimNumber sim_drawn(uint64_t hash);
/* The same for what nobody may read: quicker. */
SimNumber sim_junk(uint64_t hash);

#endif

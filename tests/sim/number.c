/* number.c - the field, binary128, and how both are drawn. */
#include "tests/sim/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const uint64_t prime = ((uint64_t)1 << 61) - 1;

/* An optimizer that divides by the root of squares plus epsilon makes rounding larger by the root of 1 / epsilon: of
 * gradients that are zero but for rounding, 1e-34, it may make 1e-19, and more of larger sums. */
static const SimReal tolerance = (SimReal)1e-12, negligible = (SimReal)1e-2;

SimArithmetic sim_arithmetic = SIM_FIELD;
uint64_t sim_function_key, sim_rounding;
bool sim_draws_endless = true;

/* ---- The field ---------------------------------------------------------------------------------------------- */

static uint64_t field_add(uint64_t a, uint64_t b)
{
    uint64_t sum = a + b;
    return sum >= prime ? sum - prime : sum;
}

static uint64_t field_sub(uint64_t a, uint64_t b)
{
    return a >= b ? a - b : a + prime - b;
}

static uint64_t field_mul(uint64_t a, uint64_t b)
{
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;
    return field_add((uint64_t)(product & prime), (uint64_t)(product >> 61));
}

static uint64_t field_inverse(uint64_t a)
{
    uint64_t result = 1;
    for (uint64_t exponent = prime - 2; exponent; exponent >>= 1, a = field_mul(a, a))
        if (exponent & 1)
            result = field_mul(result, a);
    return result;
}

static uint64_t field_integer(int64_t value)
{
    int64_t rest = value % (int64_t)prime;
    return (uint64_t)(rest < 0 ? rest + (int64_t)prime : rest);
}

/* ---- Constants ---------------------------------------------------------------------------------------------- */

SimNumber sim_real(SimReal value, SimReal tangent)
{
    SimNumber number = {0};
    number.value.real = value;
    number.tangent.real = tangent;
    return number;
}

static SimNumber field_number(uint64_t value, uint64_t tangent)
{
    SimNumber number = {0};
    number.value.field = value;
    number.tangent.field = tangent;
    return number;
}

SimNumber sim_integer(int64_t value)
{
    return sim_arithmetic == SIM_FIELD ? field_number(field_integer(value), 0) : sim_real((SimReal)value, 0);
}

static SimNumber fraction(int64_t numerator, int64_t denominator)
{
    if (sim_arithmetic == SIM_REAL)
        return sim_real((SimReal)numerator / (SimReal)denominator, 0);
    return field_number(field_mul(field_integer(numerator), field_inverse(field_integer(denominator))), 0);
}

/* Operators ask for the same few constants at every element: what was asked for last, by a hash of the question. */
typedef struct Constant {
    bool known;
    uint64_t question[2];
    SimNumber answer;
} Constant;

enum { CONSTANTS = 256 };

/* The place for a constant of the current arithmetic; `known` where its answer is there already. */
static Constant *constant_of(Constant *constants, uint64_t first, uint64_t second)
{
    Constant *found = &constants[sim_mix(sim_mix(0, first), second) % CONSTANTS];
    found->known = found->known && found->question[0] == first && found->question[1] == second;
    found->question[0] = first;
    found->question[1] = second;
    return found;
}

SimNumber sim_fraction(int64_t numerator, int64_t denominator)
{
    static Constant constants[SIM_ARITHMETICS][CONSTANTS];
    Constant *found = constant_of(constants[sim_arithmetic], (uint64_t)numerator, (uint64_t)denominator);
    if (!found->known)
        found->answer = fraction(numerator, denominator);
    found->known = true;
    return found->answer;
}

/* The first convergent of its continued fraction that rounds to the number; of huge and tiny ones their bits. */
static SimNumber decimal(double value)
{
    int64_t before[2] = {0, 1}, now[2] = {1, 0}; /* numerator, denominator */
    SimReal rest = (SimReal)fabs(value);
    for (int terms = 0; terms < 40; terms++) {
        if (rest > (SimReal)1e15)
            break;
        int64_t whole = (int64_t)rest, next[2];
        for (int k = 0; k < 2; k++)
            if (__builtin_mul_overflow(whole, now[k], &next[k]) || __builtin_add_overflow(next[k], before[k], &next[k]))
                return sim_drawn(sim_mix_double(0, value));
        memcpy(before, now, sizeof before);
        memcpy(now, next, sizeof now);
        if ((double)((SimReal)now[0] / (SimReal)now[1]) == fabs(value))
            return fraction(value < 0 ? -now[0] : now[0], now[1]);
        rest = 1 / (rest - (SimReal)whole);
    }
    return sim_arithmetic == SIM_REAL ? sim_real((SimReal)value, 0) : sim_drawn(sim_mix_double(0, value));
}

SimNumber sim_decimal(double value)
{
    static Constant constants[SIM_ARITHMETICS][CONSTANTS];
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    Constant *found = constant_of(constants[sim_arithmetic], bits, 0);
    if (!found->known)
        found->answer = decimal(value);
    found->known = true;
    return found->answer;
}

/* ---- Arithmetic --------------------------------------------------------------------------------------------- */

/* Most numbers have no tangent: only the reference's forward part is differentiated. Adding 0 and multiplying by it in
 * software is what most of the time would go into. */
static bool is_constant(const SimNumber *a)
{
    static const SimWord nothing;
    return memcmp(&a->tangent, &nothing, sizeof nothing) == 0;
}

/* Off by up to 64 units in the last place, as sums of some hundred numbers in another order are. */
static SimReal rounded(SimReal value)
{
    if (!sim_rounding) /* nearly always: comparisons take time */
        return value;
    bool small = value > -0x1p62 && value < 0x1p62;
    if (small && (SimReal)(int64_t)value == value)
        return value;
    sim_rounding = sim_mix(sim_rounding, 1);
    return value * (1 + (SimReal)0x1p-112 * ((int)(sim_rounding % 129) - 64));
}

static SimNumber real_constant(SimReal value)
{
    SimNumber number = {0};
    number.value.real = value;
    return number;
}

static SimNumber finite_add(SimNumber a, SimNumber b)
{
    if (sim_arithmetic == SIM_REAL && is_constant(&a) && is_constant(&b))
        return real_constant(rounded(a.value.real + b.value.real));
    if (sim_arithmetic == SIM_REAL)
        return sim_real(rounded(a.value.real + b.value.real), a.tangent.real + b.tangent.real);
    return field_number(field_add(a.value.field, b.value.field), field_add(a.tangent.field, b.tangent.field));
}

static SimNumber finite_sub(SimNumber a, SimNumber b)
{
    if (sim_arithmetic == SIM_REAL && is_constant(&a) && is_constant(&b))
        return real_constant(rounded(a.value.real - b.value.real));
    if (sim_arithmetic == SIM_REAL)
        return sim_real(rounded(a.value.real - b.value.real), a.tangent.real - b.tangent.real);
    return field_number(field_sub(a.value.field, b.value.field), field_sub(a.tangent.field, b.tangent.field));
}

static SimNumber finite_mul(SimNumber a, SimNumber b)
{
    if (sim_arithmetic == SIM_REAL && is_constant(&a) && is_constant(&b))
        return real_constant(rounded(a.value.real * b.value.real));
    if (sim_arithmetic == SIM_REAL)
        return sim_real(rounded(a.value.real * b.value.real),
                        a.tangent.real * b.value.real + a.value.real * b.tangent.real);
    return field_number(field_mul(a.value.field, b.value.field), field_add(field_mul(a.tangent.field, b.value.field),
                                                                           field_mul(a.value.field, b.tangent.field)));
}

SimNumber sim_add(SimNumber a, SimNumber b)
{
    SimNumber sum = finite_add(a, b);
    sum.endless = a.endless || b.endless;
    return sum;
}

SimNumber sim_sub(SimNumber a, SimNumber b)
{
    SimNumber difference = finite_sub(a, b);
    difference.endless = a.endless || b.endless;
    return difference;
}

SimNumber sim_mul(SimNumber a, SimNumber b)
{
    SimNumber product = finite_mul(a, b);
    product.endless = a.endless; /* what is scaled; what it is scaled by may come from a norm, and would spread it */
    return product;
}

SimNumber sim_inverse(SimNumber a)
{
    if (sim_arithmetic == SIM_REAL) {
        SimReal inverse = rounded(1 / a.value.real);
        return is_constant(&a) ? real_constant(inverse) : sim_real(inverse, -inverse * inverse * a.tangent.real);
    }
    uint64_t inverse = field_inverse(a.value.field);
    return field_number(inverse, field_sub(0, field_mul(field_mul(inverse, inverse), a.tangent.field)));
}

bool sim_has_tangent(SimNumber a)
{
    return sim_arithmetic == SIM_FIELD ? a.tangent.field != 0 : a.tangent.real != 0;
}

bool sim_is_zero(SimNumber a)
{
    return sim_arithmetic == SIM_FIELD ? a.value.field == 0 : a.value.real == 0;
}

/* Where a number is in the field's order: 0 before 1, wherever the two are. */
static uint64_t place_of(uint64_t number)
{
    uint64_t place = sim_mix(sim_function_key, number);
    if (number > 1)
        return place;
    uint64_t other = sim_mix(sim_function_key, 1 - number);
    return (number == 0) == (place < other) ? place : other;
}

bool sim_less(SimNumber a, SimNumber b)
{
    if (sim_arithmetic == SIM_REAL)
        return a.value.real < b.value.real;
    if (a.value.field <= 1 && b.value.field <= 1) /* flags */
        return a.value.field < b.value.field;
    uint64_t key_a = place_of(a.value.field), key_b = place_of(b.value.field);
    return key_a != key_b ? key_a < key_b : a.value.field < b.value.field;
}

bool sim_as_index(SimNumber a, int64_t limit, int64_t *index)
{
    if (sim_arithmetic == SIM_FIELD) {
        *index = (int64_t)a.value.field;
        return *index < limit;
    }
    *index = a.value.real >= 0 && a.value.real < (SimReal)limit ? (int64_t)a.value.real : -1;
    return *index >= 0 && (SimReal)*index == a.value.real;
}

bool sim_is_int32(SimNumber a)
{
    if (sim_arithmetic == SIM_FIELD)
        return a.value.field <= INT32_MAX || prime - a.value.field <= (uint64_t)INT32_MAX + 1;
    return a.value.real >= INT32_MIN && a.value.real <= INT32_MAX && (SimReal)(int32_t)a.value.real == a.value.real;
}

SimReal sim_largest(const SimWord *values, int64_t count)
{
    SimReal size = 0;
    for (int64_t i = 0; i < count && sim_arithmetic == SIM_REAL; i++)
        if (sim_magnitude(values[i]) > size)
            size = sim_magnitude(values[i]);
    return size;
}

SimReal sim_magnitude(SimWord a)
{
    return sim_arithmetic == SIM_FIELD ? 0 : a.real < 0 ? -a.real : a.real;
}

bool sim_equal(SimWord a, SimWord b, SimReal size)
{
    if (sim_arithmetic == SIM_FIELD)
        return a.field == b.field;
    if (a.real == b.real || (a.real != a.real && b.real != b.real))
        return true;
    SimReal difference = a.real < b.real ? b.real - a.real : a.real - b.real, bound = size;
    if (sim_magnitude(a) > bound)
        bound = sim_magnitude(a);
    if (sim_magnitude(b) > bound)
        bound = sim_magnitude(b);
    return difference <= tolerance * (bound > negligible ? bound : negligible); /* false for one NaN */
}

const char *sim_show(SimWord a, char *text, int size)
{
    if (sim_arithmetic == SIM_REAL)
        snprintf(text, (size_t)size, "%.12g", (double)a.real);
    else
        snprintf(text, (size_t)size, "%" PRIu64, a.field);
    return text;
}

/* ---- Hashes ------------------------------------------------------------------------------------------------- */

uint64_t sim_mix(uint64_t state, uint64_t word)
{
    state = (state ^ word) * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du;
    state ^= state >> 29;
    state *= 0xbf58476d1ce4e5b9u;
    return state ^ (state >> 32);
}

uint64_t sim_mix_name(uint64_t state, const char *name)
{
    for (; *name; name++)
        state = sim_mix(state, (uint64_t)(unsigned char)*name);
    return sim_mix(state, 0x100);
}

uint64_t sim_mix_double(uint64_t state, double number)
{
    uint64_t bits;
    number += 0.0; /* -0 is 0 */
    memcpy(&bits, &number, sizeof bits);
    return sim_mix(state, bits);
}

SimNumber sim_junk(uint64_t hash)
{
    hash = (hash ^ 0x6a756e6b) * 0x9e3779b97f4a7c15u;
    if (sim_arithmetic == SIM_FIELD)
        return field_number(hash >> 4, 0);
    uint64_t bits[2] = {hash, 0x3fff000000000000 | hash >> 16}; /* of 1 .. 2 */
    SimNumber number = {0};
    memcpy(&number.value.real, bits, sizeof bits);
    return number;
}

SimNumber sim_drawn(uint64_t hash)
{
    if (sim_arithmetic == SIM_FIELD)
        return field_number(sim_mix(hash, 0x66) % prime, 0);
    double magnitude = 0.1 + 0.9 * (double)(hash >> 12) / (double)(1ull << 52);
    return sim_real((SimReal)(hash & 1 ? magnitude : -magnitude), 0);
}

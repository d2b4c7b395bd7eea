/* affine.h - affine expressions: slots, bounds of loops, guards, peers. Evaluated, compared, combined and printed here.
 *
 *     Affine next = affine_loop(loop, 1, 1);                            // "l0+1"
 *     int64_t slot = affine_at(decls, &ref.slot, coordinates, loops);   // its value on one rank, in one iteration
 */
#ifndef PLACE_STEP_AFFINE_H
#define PLACE_STEP_AFFINE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { STEP_MAX_AXES = 8, STEP_MAX_TERMS = 6 };

typedef struct Decls Decls; /* step/step.h */

typedef uint32_t AxisMask; /* bit a: axis a */

/* constant + sum of coefficient * variable, then modulo `modulus` (result 0 .. modulus-1) if that is not 0. A variable
 * is that of a loop, by its id (0 or more), this rank's coordinate on axis a, written -1 - a, or table t at this rank's
 * coordinate, written -1 - STEP_MAX_AXES - t. */
typedef struct Affine {
    int64_t constant;
    int term_count;
    struct {
        int variable;
        int64_t coefficient;
    } term[STEP_MAX_TERMS];
    int64_t modulus;
} Affine;

static inline Affine affine_constant(int64_t value)
{
    return (Affine){.constant = value};
}
static inline Affine affine_loop(int loop, int64_t coefficient, int64_t constant)
{
    return (Affine){.constant = constant, .term_count = 1, .term = {{loop, coefficient}}};
}
static inline int affine_coordinate(int axis)
{
    return -1 - axis;
}
static inline int affine_table(int table)
{
    return -1 - STEP_MAX_AXES - table;
}

/* ---- Values ------------------------------------------------------------------------------------------------- */

/* On the rank with these coordinates, one per axis, where the variables of loops have these values, by id. NULL: the
 * expression may have no such variable. */
int64_t affine_at(const Decls *decls, const Affine *affine, const int64_t *coordinates, const int64_t *loops);
/* The value of a variable that is not a loop's. */
int64_t affine_variable_at(const Decls *decls, int variable, const int64_t *coordinates);
/* In 0 .. modulus-1, unless the modulus is 0. */
static inline int64_t affine_wrap(int64_t value, int64_t modulus)
{
    return modulus > 0 ? (value % modulus + modulus) % modulus : value;
}

/* ---- What it depends on ------------------------------------------------------------------------------------- */

/* Term by term: "l0+l1" and "l1+l0" are not equal. */
bool affine_equal(const Affine *x, const Affine *y);
/* It has neither variables nor a modulus. */
bool affine_is_constant(const Affine *affine);
/* "l0", "l0+2" */
bool affine_is_loop_plus(const Affine *affine, int loop);
bool affine_uses(const Affine *affine, int variable);
/* 0 if it does not use the variable. */
int64_t affine_coefficient(const Affine *affine, int variable);
/* The axis whose coordinate a variable depends on; not for variables of loops. */
int affine_axis(const Decls *decls, int variable);
/* All whose coordinates it depends on. */
AxisMask affine_axes(const Decls *decls, const Affine *affine);

/* ---- Combined ----------------------------------------------------------------------------------------------- */

/* None of these looks at the modulus. A variable that is there already keeps its place, or goes if nothing is left. */
void affine_add_term(Affine *affine, int variable, int64_t coefficient);
void affine_add(Affine *sum, const Affine *affine, int64_t coefficient);
/* Puts an expression in the place of a variable. */
void affine_replace(Affine *affine, int variable, const Affine *by);
void affine_rename(Affine *affine, int from, int to);

/* ---- Text --------------------------------------------------------------------------------------------------- */

/* "l0+1", "5-l0", "2*@d+$first % 4": what step_read reads. */
void affine_print(const Decls *decls, const Affine *affine, FILE *out);

#endif

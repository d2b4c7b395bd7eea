/* eliminate.h - the least value of a sum of terms, each of a few variables: a cost of placements, whose terms are
 * operators and whose variables are where their values are.
 *
 * One variable after another is eliminated: the terms that have it are added up, and in their place comes the least of
 * the sum for each value of their other variables (Dechter, "Bucket elimination", Artificial Intelligence 113, 1999).
 * Where that table would be too large the terms are divided among several, whose least values together are a lower
 * bound (mini-buckets; Dechter and Rish, Journal of the ACM 50, 2003).
 *
 *     TermSum sum = {.variables = 2, .sizes = sizes, .terms = terms};
 *     eliminate_prepare(arena, &sum, 1);                   // variable 0 may be fixed
 *     double least = eliminate(&sum, fixed, &exact);       // fixed[v]: the value of v, or -1
 */
#ifndef PLACE_SEARCH_ELIMINATE_H
#define PLACE_SEARCH_ELIMINATE_H

#include "base/arena.h"
#include "base/vec.h"

#include <stdbool.h>

enum { TERM_MOST_VARIABLES = 12 };

/* `costs`: one for each combination of values, the last variable's value fastest; INFINITY: there is no such one. */
typedef struct Term {
    int count;
    int variable[TERM_MOST_VARIABLES]; /* each once */
    double *costs;
} Term;

typedef Vec(Term) Terms;

typedef struct TermSum {
    int variables;
    const int *sizes; /* per variable: how many values it has */
    Terms terms;
    int order_count;
    const int *order; /* in which those that are left are eliminated */
} TermSum;

/* Finds the order: next is always the variable whose table is the smallest. Variables from `kept` on that leave only a
 * small one are eliminated now, once for all. */
void eliminate_prepare(Arena *arena, TermSum *sum, int kept);

/* With some of the variables fixed, if they were kept. `exact`: it is the least value; otherwise no value is below
 * it. */
double eliminate(const TermSum *sum, const int *fixed, bool *exact);

/* The same of a sum all of whose variables were kept, and values with which it is that: traced back from the variable
 * that was eliminated last. If it is not exact, good ones. */
double eliminate_to(const TermSum *sum, const int *fixed, bool *exact, int *value);

#endif

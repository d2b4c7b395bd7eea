/* table.h - the table of everything that exists once: values, forms, decompositions, weights.
 *
 * Equal objects are one object, so that the reference and the program meet in the same values, and equality is a
 * comparison of pointers. Objects are stored in the table's arenas and never change once they are shared.
 */
#ifndef PLACE_VERIFY_TABLE_H
#define PLACE_VERIFY_TABLE_H

#include "verify/cuts.h"
#include "verify/rational.h"

typedef struct Table Table;
typedef struct Form Form;
typedef struct Value Value;
typedef struct Decomp Decomp;
typedef struct Mono Mono;

struct Table {
    Arena *arena;   /* values, forms, decompositions, monomials */
    Arena *scratch; /* combinations of one routine */
    StrTable *strings;
    int64_t micro;       /* microbatches: the length of the time axis */
    AxisMask copies;     /* copies_axes */
    int64_t *input_rows; /* per tensor: rows of the smallest table that the reference looks it up in; 0: none */
    uint32_t next_id;
    Value **values;
    uint32_t value_count, value_capacity;
    Rational *sum_coefficient; /* the sum being built */
    Value **sum_value;
    int sum_capacity;
    Form *forms[256];
    Decomp *decomps[256];
    Mono *monos[256];
};

/* The axes whose ranks are copies, each with values of its own under every name. */
AxisMask copies_axes(const Decls *decls);

Table *table_new(Arena *arena, StrTable *strings, const Decls *decls);

/* The hash only chooses where to look first: entries found there are compared. */
static inline uint64_t hash_mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
}

uint64_t hash_double(uint64_t hash, double number);
uint64_t hash_cuts(uint64_t hash, const Cuts *cuts);

/* For functions that decide which of two comes first: returns if these differ. */
#define COMPARE(a, b)                                                                                                  \
    if ((a) != (b))                                                                                                    \
    return (a) < (b) ? -1 : 1

#endif

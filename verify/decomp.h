/* decomp.h - how a value is a sum of parts, one for every coordinate of some axes. */
#ifndef PLACE_VERIFY_DECOMP_H
#define PLACE_VERIFY_DECOMP_H

#include "verify/table.h"

/* How a value is a sum of parts: its operator sums over a letter that is cut, or an operand is in parts, or each part
 * is the value in its own place and zero elsewhere. */
enum { DECOMP_UNIT = -1, DECOMP_PLACE_UNIT = -(1 << 28), DECOMP_PLACE_DIM = -(2 << 28), DECOMP_MEMBER = -(3 << 28) };
typedef struct DecompPart {
    int index;           /* letter of the form, or operand; DECOMP_... minus a unit, dim or position in the unit */
    const Decomp *inner; /* of the operand; NULL: the letter is cut */
    Cuts cuts;
} DecompPart;

struct Decomp {
    int count;
    DecompPart *part;
    uint32_t id;
    uint64_t hash;
    Decomp *next;
};

Decomp *decomp_intern(Table *table, const DecompPart *part, int count);

#endif

/* combo.h - linear combinations of values: what a buffer's slot holds.
 *
 * A Combo says what a cell (a buffer's slot, or one member of it) holds on the rank with coordinates c: the sum of its
 * terms. A term is coefficient * monomial(c) * piece(value), where piece is
 *
 * - the value itself (mask empty), or
 * - a part of it (mask: the axes over which parts are not yet summed), cut as `decomp` says: the parts of all
 *   coordinates of these axes add up to the value. On the time axis the cell holds the parts of microbatches lo to
 *   hi-1.
 *
 * If the cell's layout is sharded, the cell holds the slice selected by its coordinates.
 */
#ifndef PLACE_VERIFY_COMBO_H
#define PLACE_VERIFY_COMBO_H

#include "verify/decomp.h"
#include "verify/term.h"
#include "verify/value.h"
#include "verify/weight.h"

/* Why there is no combination. */
typedef enum PoisonKind {
#define POISON(id, ...) POISON_##id,
#include "verify/poison.def"
#undef POISON
} PoisonKind;

typedef struct Poison {
    PoisonKind kind;
    const Op *op;
    int operand; /* which, or -1 */
    AxisMask axes;
    struct Combo *cause; /* the operand's contents */
} Poison;

/* Terms that several combinations may share: each uses a prefix of its own length. */
typedef struct TermArray {
    Term *data;
    int used, capacity;
} TermArray;

typedef struct Combo {
    TermArray *array;
    Term *term; /* array->data */
    int count;
    int settled;    /* the first `settled` terms are sorted, merged and fit 64 bits */
    bool borrowed;  /* the settled terms belong to another combination too */
    bool normal;    /* all terms are settled */
    bool shared;    /* must not be changed any more */
    bool relative;  /* canonical: some time in it has a coefficient, */
    bool ranged;    /* or some term is partial in time */
    bool canonical; /* the only object with these contents (verify/machine_replay.c) */
    bool timed;     /* in a layout cut by microbatches: holds the piece of microbatch `time` */
    Time time;
    Arc turn; /* in a layout cut over the axis: whose piece it holds, if not the rank's own; count is 1 */
    const Poison *poison;
    Value *folded, *whole; /* cached results of fold_term and fold_whole (verify/transfer_fold.c), */
    Value *known;          /* and of fold_term on a combination */
    int known_count;       /* for this many leading terms; 0: none */
} Combo;

Combo *combo_new(Table *table);
Combo *combo_poison(Table *table, PoisonKind kind, const Op *op, int operand, AxisMask axes, Combo *cause);
Combo *combo_value(Table *table, Value *value, Rational coefficient);
/* A combination that starts with the terms of `from`, which is normal and shared and stays as it is. */
Combo *combo_extend(Table *table, const Combo *from);
/* Where `from` is what another combination, of the same terms so far, has next: takes these terms over, and adds
 * nothing. False: it is not. What the next microbatch sums has no terms of its own so. */
bool combo_follow(Combo *combo, const Combo *from);
void combo_push(Table *table, Combo *combo, Term term);
/* Appends the terms of `from`, each multiplied by coefficient and mono. */
void combo_add(Table *table, Combo *combo, const Combo *from, Rational coefficient, Mono *mono);
/* Sorts, merges equal terms, joins adjacent ranges of time; a term with a complete range is not partial in time. */
/* Returns false if a coefficient does not fit. */
bool combo_normalize(Table *table, Combo *combo);
/* The combination in normal form, or poisoned if a coefficient does not fit. */
Combo *combo_settle(Table *table, Combo *combo);
bool combo_equal(const Combo *a, const Combo *b);
uint64_t combo_hash(const Combo *combo);
/* Moves every time: coefficient * v + constant becomes coefficient * (v + by) + constant; with `number`, v becomes
 * `by`. */
Combo *combo_shift(Table *table, const Combo *from, int64_t by, bool number);

#endif

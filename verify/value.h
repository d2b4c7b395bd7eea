/* value.h - interned values, and linear combinations of them: what a buffer's slot holds.
 *
 * A Value is a whole logical tensor: a leaf (a state at the start of the step, an input, an initial value), or an
 * operator applied to whole values. Equal values are one object, whether the reference or the program made them.
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
 *
 * All objects are stored in the table's arenas and never change once they are shared.
 */
#ifndef PLACE_VERIFY_VALUE_H
#define PLACE_VERIFY_VALUE_H

#include "step/step.h"
#include "verify/rational.h"

/* Axes as bits, one more than the mesh has: time, the microbatch axis. */
typedef uint32_t AxisMask;
enum { TIME_BIT = STEP_MAX_AXES };
#define TIME_MASK ((AxisMask)1 << TIME_BIT)
/* In a term's mask: the maximum of the parts is the value, not their sum. */
#define MAX_MASK ((AxisMask)2 << TIME_BIT)
/* The mesh's axes. */
#define MESH_MASK (((AxisMask)1 << STEP_MAX_AXES) - 1)

/* coefficient * v + constant, where v is the microbatch loop's variable, known to whoever holds the combination. */
typedef struct Time {
    int32_t coefficient, constant;
} Time;

/* The axes that divide an index, outermost first, except those of size 1. */
typedef struct Cuts {
    int count;
    const Segments *segments;                   /* of a fused dim that is cut: so is each of these; else NULL */
    int8_t axis[STEP_MAX_CUTS + STEP_MAX_AXES]; /* an axis, or TIME_BIT */
} Cuts;

/* What all runs of an operator share: kind, letters in order of first use, their sizes, immediates. */
typedef struct Form {
    OpKind kind;
    const char *spec; /* interned */
    int letter_count;
    const int64_t *sizes; /* per letter, logical */
    int immediate_count;
    double immediate[STEP_MAX_IMMEDIATES];
    unsigned jointly;       /* the operands in which it is jointly linear, as bits; 0: there are none */
    struct Form *swapped;   /* of a product: the form with its operands exchanged; else NULL */
    int8_t *swapped_letter; /* where each letter is in `swapped` */
    uint32_t id;
    struct Form *next;
} Form;

typedef enum ValueKind {
    VALUE_ONES,     /* 1 everywhere */
    VALUE_NUMBER,   /* one number everywhere, which is no simple fraction */
    VALUE_POSITION, /* 0, 1, 2, ... */
    VALUE_COPY,     /* the coordinate on an axis of copies */
    VALUE_INPUT,    /* the whole batch of an input */
    VALUE_STATE,    /* as it was at the start of the step */
    VALUE_INIT,     /* a parameter's initial value */
    VALUE_SUM,      /* a combination, named as one value */
    VALUE_OP,
    VALUE_BOUND /* the sum over an axis of parts, each weighted by a factor that depends on its coordinate */
} ValueKind;

typedef struct Value Value;
typedef struct Decomp Decomp;
typedef struct Mono Mono;

struct Value {
    ValueKind kind;
    uint32_t id;
    uint64_t hash;
    AxisMask varying; /* axes along which ranks hold different values under this name: no collective may mix them */
    union {
        double number;
        int copy_axis;
        struct {
            int state, tensor;     /* VALUE_STATE; VALUE_INPUT, VALUE_INIT: tensor */
            int64_t layer;         /* VALUE_INPUT: the length of the batch */
            AxisMask repeated;     /* VALUE_INPUT: axes whose ranks all read the first part, */
            const Decomp *reading; /* and how the parts make up the whole; NULL if no axis is repeated */
            Seed seed;             /* VALUE_INIT */
        } leaf;
        struct {       /* the terms of another sum, then its own, because a residual stream adds one term per layer */
            int count; /* of all terms */
            int own;   /* of its own terms */
            Value *first; /* the sum with the other terms, or NULL */
            Rational *coefficient;
            Value **value;
        } sum;
        struct {
            const Form *form;
            int count;
            Value *operand[STEP_MAX_OPERANDS];
        } op;
        struct {
            Value *value;
            Decomp *decomp;
            AxisMask mask, axes;
            Mono *mono;
        } bound;
    };
    const Op *origin; /* the operator that first made it */
    Value *next;
};

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

/* A factor of a weight that depends on coordinates: 1 / extent of a dim, or 1 where a guard holds and 0 elsewhere. */
typedef struct Factor {
    bool is_guard;
    int64_t length; /* of the dim, in this microbatch */
    Cuts cuts;
    Affine value; /* of coordinates only */
    int64_t low, high;
    AxisMask axes; /* on which it depends; follows from the fields above */
} Factor;

struct Mono { /* NULL is 1 */
    int count;
    Factor *factor;
    AxisMask axes; /* on which it depends */
    uint32_t id;
    uint64_t hash;
    Mono *next;
};

/* Which parts a rank holds of those that the coordinates of one axis have: the rank with coordinate c holds parts c +
 * first .. c + first + count - 1, modulo the axis' size. Count 0: only its own. */
typedef struct Arc {
    int axis;
    int32_t size, first, count;
} Arc;

typedef struct Term {
    Value *value;
    Decomp *decomp; /* NULL where mask is empty */
    Mono *mono;
    Rational coefficient;
    AxisMask mask;
    Time low, high; /* if mask has time */
    Arc arc;        /* if mask has its axis */
} Term;

typedef enum PoisonKind {
    POISON_SILENT, /* reported already */
    POISON_UNWRITTEN,
    POISON_PARTIAL_OPERAND, /* a partial sum enters an operator that is not linear in it */
    POISON_PARTIAL_PRODUCT, /* a product of two partial sums */
    POISON_PARTIAL_CUT,     /* a partial sum, cut over the axis it is partial on */
    POISON_CUT_REDUCED,     /* slices from different positions summed */
    POISON_VARYING,         /* different values mixed, or weights that ranks do not share */
    POISON_ZERO_EXTENT,     /* a mean over no elements on some rank */
    POISON_PADDING,         /* what is past the unit's end enters a sum */
    POISON_TIME,            /* parts of different microbatches in one operator */
    POISON_OVERFLOW,        /* a weight that does not fit 64 bits */
    POISON_MAXIMUM,         /* a maximum over ranks */
    POISON_MOVED            /* another rank's part or piece */
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
    bool canonical; /* the only object with these contents (verify/machine_unit.c) */
    bool timed;     /* in a layout cut by microbatches: holds the piece of microbatch `time` */
    Time time;
    Arc turn; /* in a layout cut over the axis: whose piece it holds, if not the rank's own; count is 1 */
    const Poison *poison;
    Value *folded, *whole; /* cached results of fold_term and fold_whole (verify/transfer.c), */
    Value *known;          /* and of fold_term on a combination */
    int known_count;       /* for this many leading terms; 0: none */
} Combo;

typedef struct Table {
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
} Table;

/* The axes whose ranks are copies, each with values of its own under every name. */
AxisMask copies_axes(const Decls *decls);

Table *table_new(Arena *arena, StrTable *strings, const Decls *decls);

Form *form_intern(Table *table, const Form *key);
/* The operands in which the operator is jointly linear, the others held fixed, as bits; 0: none. */
unsigned op_jointly_linear(OpKind kind);
Value *value_ones(Table *table);
Value *value_number(Table *table, double number);
Value *value_position(Table *table);
Value *value_copy(Table *table, int axis);
Value *value_state(Table *table, int state, int tensor, int64_t layer);
Value *value_input(Table *table, int tensor, int64_t batch, AxisMask repeated, const Decomp *reading);
Value *value_init(Table *table, int tensor, int64_t layer, const Seed *seed, AxisMask varying);
/* The sum of the terms' values, each times its coefficient / divisor; the caller checks that their placements agree.
 * `known`: the sum of the first `known_count` terms, or NULL with 0. Returns NULL if a coefficient does not fit. */
Value *value_sum(Table *table, const Term *term, int count, Rational divisor, Value *known, int known_count);
/* Term `index` of a sum. */
Term value_sum_term(const Value *sum, int index);
Value *value_op(Table *table, const Form *form, int count, Value *const *operand, const Op *origin);
Value *value_bound(Table *table, const Term *term, AxisMask axes);
Decomp *decomp_intern(Table *table, const DecompPart *part, int count);

Mono *mono_factor(Table *table, const Factor *factor, AxisMask axes);
Mono *mono_multiply(Table *table, Mono *a, Mono *b);
/* Divides *mono by `by`, which has no guards; false if no monomial is the quotient. */
bool mono_divide(Table *table, Mono **mono, const Mono *by);
/* The arc or turn in normal form. */
Arc arc_make(int axis, int64_t size, int64_t first, int64_t count);
/* The arc of the ranks that `turn` selects, as seen from this rank. */
Arc arc_moved(Arc arc, Arc turn);
bool arc_equal(Arc a, Arc b);

/* The monomial's value on the rank with these coordinates. */
Rational mono_at(const Decls *decls, const Mono *mono, const int64_t *coordinate);

Combo *combo_new(Table *table);
Combo *combo_poison(Table *table, PoisonKind kind, const Op *op, int operand, AxisMask axes, Combo *cause);
Combo *combo_value(Table *table, Value *value, Rational coefficient);
/* A combination that starts with the terms of `from`, which is normal and shared and stays as it is. */
Combo *combo_extend(Table *table, const Combo *from);
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

/* The hash only chooses where to look first: entries found there are compared. */
static inline uint64_t hash_mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
}

static inline Time time_at(int32_t constant)
{
    return (Time){0, constant};
}
static inline bool time_equal(Time a, Time b)
{
    return a.coefficient == b.coefficient && a.constant == b.constant;
}
static inline bool cuts_equal(const Cuts *a, const Cuts *b)
{
    if (a->count != b->count || !segments_equal(a->segments, b->segments))
        return false;
    for (int i = 0; i < a->count; i++)
        if (a->axis[i] != b->axis[i])
            return false;
    return true;
}

#endif

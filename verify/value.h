/* value.h - interned values, and linear combinations of them: what a buffer's slot holds.
 *
 * A Value is a whole logical tensor: a leaf (a state at the start of the step, an input, an initial value), or an
 * operator applied to whole values. Equal values are one object, whoever made them: the reference or the program.
 *
 * A Combo says what a cell (a buffer's slot, or one member of it) holds on the rank with coordinates c: the sum of its
 * terms. A term is coefficient * monomial(c) * piece(value), where piece is
 *   - the value itself (mask empty), or
 *   - a part of it (mask: the axes on which parts are not yet summed), cut as `decomp` says: the parts of all
 * coordinates of these axes add up to the value. On the time axis the cell holds the parts of microbatches lo .. hi-1.
 * Where the cell's layout is cut, the cell holds the slice of that which its coordinates say.
 *
 * All objects live in the table's arenas and are never changed once they are shared.
 */
#ifndef PLACE_VERIFY_VALUE_H
#define PLACE_VERIFY_VALUE_H

#include "step/step.h"
#include "verify/rational.h"

/* Axes as bits; time, the microbatch axis, is one more. */
typedef uint32_t AxisMask;
enum { TIME_BIT = STEP_MAX_AXES };
#define TIME_MASK ((AxisMask)1 << TIME_BIT)
/* In a term's mask: its parts do not add up to the value; their maximum is the value. */
#define MAX_MASK ((AxisMask)2 << TIME_BIT)
/* The mesh's axes. */
#define MESH_MASK (((AxisMask)1 << STEP_MAX_AXES) - 1)

/* coefficient * v + constant, where v is what the holder of the combination says: the microbatch loop's variable. */
typedef struct Time {
    int32_t coefficient, constant;
} Time;

/* What divides an index, outermost first, without what divides by one. */
typedef struct Cuts {
    int count;
    const Segments *segments;                   /* of a fused dim that is cut: so is each of these; else NULL */
    int8_t axis[STEP_MAX_CUTS + STEP_MAX_AXES]; /* an axis, or TIME_BIT */
} Cuts;

/* What is the same for every run of an operator: kind, letters in order of their first use, their sizes, numbers. */
typedef struct Form {
    OpKind kind;
    const char *spec; /* interned */
    int letter_count;
    const int64_t *sizes; /* per letter, logical */
    int immediate_count;
    double immediate[STEP_MAX_IMMEDIATES];
    unsigned jointly;       /* the operands in which it is linear together, one bit each; 0 where each stands alone */
    struct Form *swapped;   /* of a product: the same with its operands in the other order; else NULL */
    int8_t *swapped_letter; /* the letters' places there */
    uint32_t id;
    struct Form *next;
} Form;

typedef enum ValueKind {
    VALUE_ONES,     /* 1 everywhere */
    VALUE_NUMBER,   /* a number that is no simple fraction, everywhere */
    VALUE_POSITION, /* 0, 1, 2, ... */
    VALUE_COPY,     /* the coordinate on an axis of copies */
    VALUE_INPUT,    /* the whole batch of an input */
    VALUE_STATE,    /* as the step found it */
    VALUE_INIT,     /* a parameter's initial value */
    VALUE_SUM,      /* a combination under one name */
    VALUE_OP,
    VALUE_BOUND /* the sum over an axis of parts, each with a weight that its coordinate chooses */
} ValueKind;

typedef struct Value Value;
typedef struct Decomp Decomp;
typedef struct Mono Mono;

struct Value {
    ValueKind kind;
    uint32_t id;
    uint64_t hash;
    AxisMask varying; /* axes along which ranks hold unlike values under this name: no collective may mix them */
    union {
        double number;
        int copy_axis;
        struct {
            int state, tensor;     /* VALUE_STATE; VALUE_INPUT, VALUE_INIT: tensor */
            int64_t layer;         /* VALUE_INPUT: the length of the batch */
            AxisMask repeated;     /* VALUE_INPUT: axes along which every rank reads the first part, */
            const Decomp *reading; /* and how its parts lie in the whole; NULL where none is repeated */
            Seed seed;             /* VALUE_INIT */
        } leaf;
        struct {          /* the terms of another sum, then its own: a residual stream grows by one a layer */
            int count;    /* of all */
            int own;      /* of these, its own */
            Value *first; /* the sum of the others, or NULL */
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
    const Op *origin; /* the operator that made it first */
    Value *next;
};

/* How a value is a sum of parts: by cutting letters that its operator sums over, or as an operand of it is, or each
 * part is the value in its own place and zero elsewhere. */
enum { DECOMP_UNIT = -1, DECOMP_PLACE_UNIT = -(1 << 28), DECOMP_PLACE_DIM = -(2 << 28), DECOMP_MEMBER = -(3 << 28) };
typedef struct DecompPart {
    int index;           /* letter of the form, or operand; DECOMP_... - unit, dim, or position in the unit */
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

/* A factor of a weight that depends on coordinates: 1 / extent of a dim, or whether a guard holds. */
typedef struct Factor {
    bool is_guard;
    int64_t length; /* of the dim, in this microbatch */
    Cuts cuts;
    Affine value; /* of coordinates only */
    int64_t low, high;
    AxisMask axes; /* on which it depends, as all of the above says */
} Factor;

struct Mono { /* NULL is 1 */
    int count;
    Factor *factor;
    AxisMask axes; /* on which it depends */
    uint32_t id;
    uint64_t hash;
    Mono *next;
};

/* Which parts a rank has of those that coordinates of one axis have: with coordinate c parts c + first .. c + first +
 * count - 1, modulo the axis' size. No count: its own alone. */
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
    Time low, high; /* where mask has time */
    Arc arc;        /* where mask has its axis */
} Term;

typedef enum PoisonKind {
    POISON_SILENT, /* reported already */
    POISON_UNWRITTEN,
    POISON_PARTIAL_OPERAND, /* a sum not yet taken enters an operator that is not linear in it */
    POISON_PARTIAL_PRODUCT, /* a product of two sums not yet taken */
    POISON_PARTIAL_CUT,     /* a part of a sum, cut over the same axis */
    POISON_CUT_REDUCED,     /* slices of different places summed */
    POISON_VARYING,         /* unlike values mixed, or weights that ranks do not share */
    POISON_ZERO_EXTENT,     /* a mean over nothing on some rank */
    POISON_PADDING,         /* what lies beyond the unit's end enters a sum */
    POISON_TIME,            /* parts of different microbatches in one operator */
    POISON_OVERFLOW,        /* a weight beyond 64 bits */
    POISON_MAXIMUM,         /* a maximum over ranks */
    POISON_MOVED            /* another rank's part or piece */
} PoisonKind;

typedef struct Poison {
    PoisonKind kind;
    const Op *op;
    int operand; /* which, or -1 */
    AxisMask axes;
    struct Combo *cause; /* what the operand held */
} Poison;

/* Terms that several combinations may share: each its own number of them from the first on. */
typedef struct TermArray {
    Term *data;
    int used, capacity;
} TermArray;

typedef struct Combo {
    TermArray *array;
    Term *term; /* array->data */
    int count;
    int settled;    /* of them are sorted, merged and fit */
    bool borrowed;  /* the settled ones belong to another combination too */
    bool normal;    /* all are settled */
    bool shared;    /* no longer to be changed */
    bool relative;  /* canonical: a time in it has a coefficient, */
    bool ranged;    /* or some term is partial in time */
    bool canonical; /* the one object with its contents (verify/machine_unit.c) */
    bool timed;     /* lies in a layout cut by the microbatch loop, and holds the piece of microbatch `time` */
    Time time;
    Arc turn; /* in a layout cut over the axis: whose piece it holds, if not the own; count is 1 */
    const Poison *poison;
    Value *folded, *whole; /* what fold_term and fold_whole found (verify/transfer.c), */
    Value *known;          /* and fold_term in a combination */
    int known_count;       /* of the first of its terms; 0: of none */
} Combo;

typedef struct Table {
    Arena *arena;   /* values, forms, decompositions, monomials */
    Arena *scratch; /* combinations: of one routine */
    StrTable *strings;
    int64_t micro;   /* microbatches: the length of the time axis */
    AxisMask copies; /* copies_axes */
    int64_t *input_rows; /* per tensor: of the smallest table that the reference looks this input up in; 0: in none */
    uint32_t next_id;
    Value **values;
    uint32_t value_count, value_capacity;
    Rational *sum_coefficient; /* a sum being built */
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
/* The operands in which the operator is linear together, the others held fixed, one bit each; 0: there are none. */
unsigned op_jointly_linear(OpKind kind);
Value *value_ones(Table *table);
Value *value_number(Table *table, double number);
Value *value_position(Table *table);
Value *value_copy(Table *table, int axis);
Value *value_state(Table *table, int state, int tensor, int64_t layer);
Value *value_input(Table *table, int tensor, int64_t batch, AxisMask repeated, const Decomp *reading);
Value *value_init(Table *table, int tensor, int64_t layer, const Seed *seed, AxisMask varying);
/* The sum of the terms' values, each times its coefficient / divisor; placements are the caller's business. `known`:
 * the sum of the first `known_count` of them, or NULL, and 0. NULL where a coefficient does not fit. */
Value *value_sum(Table *table, const Term *term, int count, Rational divisor, Value *known, int known_count);
/* Term `index` of a sum. */
Term value_sum_term(const Value *sum, int index);
Value *value_op(Table *table, const Form *form, int count, Value *const *operand, const Op *origin);
Value *value_bound(Table *table, const Term *term, AxisMask axes);
Decomp *decomp_intern(Table *table, const DecompPart *part, int count);

Mono *mono_factor(Table *table, const Factor *factor, AxisMask axes);
Mono *mono_multiply(Table *table, Mono *a, Mono *b);
/* What times `by`, which has no guards, is *mono; false where there is no such monomial. */
bool mono_divide(Table *table, Mono **mono, const Mono *by);
/* An arc, or turn, as it is written. */
Arc arc_make(int axis, int64_t size, int64_t first, int64_t count);
/* That of the ranks that `turn` names, as seen from here. */
Arc arc_moved(Arc arc, Arc turn);
bool arc_equal(Arc a, Arc b);

/* Its number on the rank with these coordinates. */
Rational mono_at(const Decls *decls, const Mono *mono, const int64_t *coordinate);

Combo *combo_new(Table *table);
Combo *combo_poison(Table *table, PoisonKind kind, const Op *op, int operand, AxisMask axes, Combo *cause);
Combo *combo_value(Table *table, Value *value, Rational coefficient);
/* One that starts with the terms of `from`, which is normal and shared; what is added does not touch it. */
Combo *combo_extend(Table *table, const Combo *from);
void combo_push(Table *table, Combo *combo, Term term);
/* Appends the terms of `from`, each times coefficient and mono. */
void combo_add(Table *table, Combo *combo, const Combo *from, Rational coefficient, Mono *mono);
/* Sorts, merges equal terms, joins adjacent ranges of time; a complete range is no longer partial. */
/* False where a coefficient does not fit. */
bool combo_normalize(Table *table, Combo *combo);
/* In normal form; poisoned where a coefficient does not fit. */
Combo *combo_settle(Table *table, Combo *combo);
bool combo_equal(const Combo *a, const Combo *b);
uint64_t combo_hash(const Combo *combo);
/* With every time moved: coefficient * v + constant becomes coefficient * (v + by) + constant, or where `number` that
 * with `by` for v. */
Combo *combo_shift(Table *table, const Combo *from, int64_t by, bool number);

/* Only chooses where to look first: what is found there is compared. */
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

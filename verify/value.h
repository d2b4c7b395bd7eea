/* value.h - interned values: whole logical tensors.
 *
 * A Value is a leaf (a state at the start of the step, an input, an initial value), or an operator applied to whole
 * values. Equal values are one object, whether the reference or the program made them.
 */
#ifndef PLACE_VERIFY_VALUE_H
#define PLACE_VERIFY_VALUE_H

#include "verify/term.h"

/* What all runs of an operator share: kind, letters in order of first use, their sizes, immediates. */
struct Form {
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
};

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

struct Value {
    ValueKind kind;
    uint32_t id;
    uint64_t hash;
    Value *next;      /* in the bucket, next to what is asked of each value there */
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
};

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

#endif

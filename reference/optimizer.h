/* optimizer.h - the optimizers: their arguments, states and update rules, appended to the reference.
 *
 * docs/language.md says what they compute, in terms of the operators of step/op.def. Weight decay applies to every
 * parameter.
 */
#ifndef PLACE_REFERENCE_OPTIMIZER_H
#define PLACE_REFERENCE_OPTIMIZER_H

#include "parser/resolve.h"
#include "reference/builder.h"

typedef enum OptimizerArgument {
    ARGUMENT_RATE,      /* the learning rate, after the warm-up */
    ARGUMENT_MOMENTUM,  /* of the previous velocity */
    ARGUMENT_BETA1,     /* of the mean of gradients */
    ARGUMENT_BETA2,     /* of the mean of their squares */
    ARGUMENT_EPSILON,   /* added to the root of the latter */
    ARGUMENT_DECAY,     /* of the weights */
    ARGUMENT_WARMUP,    /* steps of linear warm-up */
    ARGUMENT_TOTAL,     /* steps after which the cosine schedule has reached its last rate; 0: the rate stays */
    ARGUMENT_LAST,      /* the last rate, as a fraction of `rate` */
    ARGUMENT_ROOM,      /* LAMB's epsilon */
    ARGUMENT_TRUST,     /* LARS: the rate, relative to the norm of the weights */
    ARGUMENT_EXPONENT,  /* Adafactor: the means' beta is 1 - step ^ -exponent */
    ARGUMENT_TINY,      /* Adafactor: added to squared gradients */
    ARGUMENT_THRESHOLD, /* Adafactor: the maximum of the root mean square of an update */
    ARGUMENT_FLOOR,     /* Adafactor: the minimum of the root mean square of the weights, for the relative rate */
    ARGUMENT_SPEED,     /* Muon: of the previous velocity */
    OPTIMIZER_ARGUMENT_COUNT
} OptimizerArgument;

typedef struct OptimizerArgumentInfo {
    const char *name;
    double initial; /* its default; `rate` has none */
    Range range;
} OptimizerArgumentInfo;

extern const OptimizerArgumentInfo optimizer_argument_info[OPTIMIZER_ARGUMENT_COUNT];

typedef struct OptimizerRule OptimizerRule;

/* NULL if there is none with that name. */
const OptimizerRule *optimizer_find(const char *name);
int optimizer_count(void);
const char *optimizer_name(int index);
/* The arguments that an optimizer takes, in order; returns the count. */
int optimizer_arguments(const OptimizerRule *rule, const OptimizerArgument **arguments);

typedef struct Optimizer {
    const OptimizerRule *rule;
    double argument[OPTIMIZER_ARGUMENT_COUNT];
    double clip_norm; /* 0: no clipping */
    bool master_copy; /* update a copy in f32, then cast it into the parameters */
    bool loss_scale;  /* a dynamic one (reference/loss_scale.h) */
    Span span, clip_span, precision_span;
} Optimizer;

/* Determines for every parameter which of the optimizer's rules updates it. Comes after the forward pass. */
void optimizer_classify(Builder *b, const Optimizer *optimizer);

/* Declares the optimizer's states and appends their initial values to the routine "init". Comes after the parameters'
 * own initial values. */
void optimizer_append_init(Builder *b, const Optimizer *optimizer);

/* Append to the routine "step": the clipping of the gradients, if requested; the rate, the updates of all parameters,
 * the step counter. */
void optimizer_append_clipping(Builder *b, const Optimizer *optimizer);
void optimizer_append_step(Builder *b, const Optimizer *optimizer);

#endif

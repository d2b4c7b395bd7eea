/* cause.h - why values differ from one device's: what is known of a cause, and what its code says (causes.def).
 *
 * cause_code.c finds the cause of a fault, and with it the code; the families, cause_gradient.c, cause_norm.c,
 * cause_state.c and so on, word it; fix.c repairs it; diagnose.c makes one report of all faults with one cause.
 */
#ifndef PLACE_VERIFY_CAUSE_H
#define PLACE_VERIFY_CAUSE_H

#include "base/change.h"
#include "verify/chain.h"
#include "verify/diagnose.h"
#include "verify/finding.h"

typedef struct Cause {
    DiagCode code;
    Finding finding;
    const Fault *fault; /* the first with this cause */
    Vec(const Fault *) faults;
    Chain chain;
    const Op *culprit; /* the operator that the user would edit, or NULL */
    const Op *norm;    /* the first reader of the norm if the fault is in it, or NULL */
    const Op *counts;  /* the weight by each rank's own count that is at fault, or NULL */
    bool derived_loss; /* the loss is summed though each rank divides by its own count, and no statement says how */
    int count;         /* values with this cause */
} Cause;

typedef struct Diagnose {
    Ctx *ctx;
    const StepFile *file;
    Machine *reference, *program;
    const Routine *routine;
    Ops ops; /* of the routine */
    Vec(Cause) causes;
    Vec(const Fault *) explained; /* gradient faults; they explain the faults of their states */
} Diagnose;

/* A row of causes.def, which says what each column means. */
typedef enum CausePrimary { PRIMARY_REDUCTION, PRIMARY_BATCH, PRIMARY_INITIAL } CausePrimary;
typedef enum CauseNeeds {
    NEEDS_NOTHING,
    NEEDS_AXES,
    NEEDS_RANK_AXES,
    NEEDS_CULPRIT,
    NEEDS_PARTIAL,
    NEEDS_WEIGHT,
    NEEDS_LOSS,
    NEEDS_NEVER
} CauseNeeds;
typedef enum CauseOne { ONE_REDUCTION, ONE_AXES, ONE_OPERATOR } CauseOne;
typedef struct CauseRow {
    DiagCode code;
    Diagnostic *(*report)(Diagnose *d, const Cause *cause, Span primary);
    void (*label)(const Diagnose *d, const Cause *cause, Diagnostic *r, Span primary);
    CausePrimary primary;
    RepairKind repair;
    const char *target;
    CauseNeeds needs;
    CauseOne one;
    bool of_gradients, once;
} CauseRow;

const CauseRow *cause_row(DiagCode code);

#define CAUSE(code, report, ...) Diagnostic *report_##report(Diagnose *d, const Cause *cause, Span primary);
#include "verify/causes.def"
#undef CAUSE

/* ---- cause_code.c ------------------------------------------------------------------------------------------- */

Cause cause_of(Diagnose *d, const Faults *faults, const Fault *fault);

/* ---- cause.c ------------------------------------------------------------------------------------------------ */

/* "wte", or "block.fc.weight (layer 3)", or the scalar state's name. */
const char *tensor_name(const Diagnose *d, const Fault *fault);
/* "", or " and of 2 more". */
const char *others_text(const Diagnose *d, const Cause *cause);
/* "3", or "1/2". */
const char *number_text(Arena *arena, Rational number);
/* "3 times", or "1/2 of". */
const char *ratio_text(const Diagnose *d, Rational ratio);
/* "data and node": the finding's axes. */
const char *cause_axes(const Diagnose *d, const Cause *cause);
/* The line that made the buffer that an operator reads: a `sync` of `none` is identified by it. */
Span operand_span(const Diagnose *d, const Op *op, int operand);

/* The first operator of a kind (tensor -1: any tensor): where the batch is read, where a tensor gets its initial
 * values. */
const Op *find_op(const Ops *ops, OpKind kind, int tensor);
/* All mesh axes over which some reduction in the chain goes. */
AxisMask chain_axes(const Chain *chain);
/* Those with more than one rank. */
AxisMask large_axes(const Decls *decls, AxisMask axes);
bool is_power_of_size(const Decls *decls, AxisMask axes, Rational ratio);

/* ---- The families ------------------------------------------------------------------------------------------- */

bool is_norm(const Fault *fault);
/* The gradient is squared before it is reduced: then the norm is wrong. */
bool is_squared_early(const Diagnose *d, const Cause *cause);
/* A fault of the norm is one of the sum of squares: its own reduction is at fault, not the gradient's. */
void set_norm(Diagnose *d, Cause *cause);
/* The operator that puts an updated shard into the buffer. */
const Op *find_placing(const Ops *ops, int buffer);
/* The sum that weights a number from which the state is computed, if only one operator qualifies. */
const Op *weighing_sum(const Diagnose *d, const Cause *cause);
/* Is it the loss, divided by each rank's own count, with a derived sum over ranks? One that the user wrote has the line
 * of the buffer it sums. */
bool is_derived_loss(const Diagnose *d, const Cause *cause);

#endif

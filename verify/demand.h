/* demand.h - where the program must equal one device, and what it holds there instead. */
#ifndef PLACE_VERIFY_DEMAND_H
#define PLACE_VERIFY_DEMAND_H

#include "verify/machine.h"

typedef enum FaultKind {
    FAULT_OUTPUT,   /* loss, gradient norm, logits */
    FAULT_GRADIENT, /* the gradient operand of an update */
    FAULT_STATE,    /* a persistent buffer at the end of a routine */
    FAULT_MISSING   /* an output that is never produced, or a state that no buffer stores */
} FaultKind;

typedef struct Fault {
    FaultKind kind;
    RoutineKind routine;
    const Op *op; /* OUTPUT, GRADIENT: where equality is demanded */
    int buffer;   /* STATE: the program's buffer */
    int state;    /* STATE, GRADIENT */
    int tensor;   /* -1 for scalars */
    int64_t layer;
    Combo *found; /* not for MISSING */
    Combo *expected;
    AxisMask apart; /* GRADIENT: what the rank classes along these axes hold adds up to it */
} Fault;

typedef struct Faults {
    Vec(Fault) list;
} Faults;

/* Runs the routine in both programs and compares the results. */
void demand_routine(Machine *reference, Machine *program, const Routine *expected, const Routine *found,
                    Faults *faults);

/* A run of both programs of a file that was changed, on machines of their own; nothing that it reports is shown. */
typedef struct Rerun {
    Ctx ctx;
    Table *table;
    Machine *reference, *program;
    Faults faults;
} Rerun;

/* Runs the routine and compares; false if something is reported, so that the comparison may say nothing. */
bool demand_again(Arena *arena, const StepFile *file, RoutineKind routine, Rerun *run);

#endif

/* machine.h - runs a program on abstract values: what every cell holds at every point, for all ranks at once.
 *
 *     Machine *machine = machine_new(ctx, table, program, reference);
 *     machine_run(machine, program_routine(program, ROUTINE_STEP));     // now read cells, updates, outputs
 *
 * A cell is a buffer's slot, or one member of a unit's slot. Axes whose coordinates decide control flow or contents
 * (loop bounds, slots, peers, what a rank holds) are *enumerated*: cells exist once per combination of their
 * coordinates, and such a combination is called a rank class. All other axes stay symbolic. Layer loops are unrolled.
 * The body of a microbatch loop is run for a symbolic variable v, and run again only where it finds contents different
 * from v's (machine_replay.c).
 */
#ifndef PLACE_VERIFY_MACHINE_H
#define PLACE_VERIFY_MACHINE_H

#include "verify/transfer.h"

/* Limit on the operators and iterations that are followed. */
enum { MACHINE_MOST_STEPS = 50 * 1000 * 1000 };

/* What a cell holds. Times with a coefficient are relative to `shift`; ABSOLUTE: it has no such times. */
#define ABSOLUTE INT64_MIN
typedef struct Cell {
    Combo *combo; /* NULL: never written */
    int64_t shift;
} Cell;

/* The gradient passed to an update of a state. */
typedef struct Update {
    const Op *op;
    int class;
    Value *state; /* the state it replaces (a VALUE_STATE), or NULL */
    int tensor;   /* the tensor that the program says it updates */
    Combo *gradient;
    bool partial_state; /* some rank's copy is not the state */
} Update;

typedef struct Output {
    const Op *op;
    int class;
    Combo *combo;
} Output;

/* An affine expression in v, the current microbatch loop's variable, and in those of the loops around it, as a section
 * of the loop's body is recorded; otherwise, and in all else, numbers. */
typedef struct Outer Outer;
typedef struct Address {
    int64_t constant, coefficient, modulus;
    const Outer *outer; /* its terms in variables of other loops around the section; NULL: none */
} Address;

typedef struct Tree Tree;

/* Where the control of a rank class is: in a list of nodes, which is the body of a loop, guard or routine. */
typedef struct Frame {
    const Tree *tree;
    int at;
    const Node *owner;
    int64_t value, last; /* loops only */
    bool outer_has_current;
    int64_t outer_current;
    int outer_micro;
    bool outer_recordable;
    Mono *outer_guard;
} Frame;

enum { MOST_FRAMES = 33 }; /* the routine's own, and as many nested blocks as the reader allows */

typedef struct Pending Pending;
typedef struct Motion Motion;
typedef struct Log Log;

/* The ranks that share one combination of coordinates on the enumerated axes. */
typedef struct RankClass {
    int index;
    int64_t coordinate[STEP_MAX_AXES]; /* 0 on all other axes */
    Cell *cell;
    bool *padding_zero; /* per unit slot that is cut: its padding is zero, not junk */
    int64_t *loop;      /* the variables' values */
    bool *bound;
    Mono *guard;      /* which of its ranks run the current operator; NULL: all */
    bool has_current; /* there is a current microbatch: */
    int64_t current;
    int micro;       /* the innermost microbatch loop, or -1 */
    bool recordable; /* the body of `micro` may be recorded */
    Frame frame[MOST_FRAMES];
    int depth;
    bool posted; /* has reached the current operator, and waits for others */
    Vec(Pending *) pending;
    int64_t met[1 << STEP_MAX_AXES]; /* collectives so far, per set of enumerated axes */
    const Motion *motion;            /* of the loop whose periods are counted, or NULL; */
    int counted;                     /* its frame, */
    int64_t iterations;              /* and how many were run in this round */
    bool paused;                     /* it has run a period in this round */
    bool moved;                      /* it has done something in this round */
    Log *log;                        /* machine_rounds.c */
} RankClass;

typedef struct Recorder Recorder;
typedef struct Exchange Exchange;
typedef struct Rounds Rounds;

typedef struct Machine {
    Ctx *ctx;
    Table *table;
    const Program *program;
    const Decls *decls;
    bool reference;
    PreparedMap *prepared;
    AxisMask enumerated; /* axes */
    int *cell_base;      /* per buffer: its first cell */
    int *cell_members;   /* per buffer: cells per slot */
    int *slot_base;      /* per buffer: its first slot in padding_zero */
    int cell_count, slot_count, loop_count;
    int class_count;
    RankClass *classes, *class; /* the current one */
    Recorder *recorder;         /* of the run of nodes being recorded, or NULL */
    int64_t recorded_at;        /* the loop variable's value there, */
    int recorded_loop;          /* and its id; */
    bool *enclosing;            /* the loops around what is recorded */
    const Motion **motion;      /* per loop, once it was looked at */
    bool *looked_at;
    Outer **outer;         /* the sums of terms in their variables that occur, hashed */
    int64_t epoch, *stamp; /* per cell and slot: touched in this recording or replay, */
    int *stamp_access;     /* by which access */
    Combo **combos;        /* canonical combinations, hashed */
    uint32_t combo_count, combo_capacity;
    Exchange *exchange; /* messages between rank classes, and where rank classes meet */
    Rounds *rounds;     /* in which rank classes run side by side */
    int64_t steps;      /* operators run so far */
    int runs;           /* routines run so far */
    int *unwritten;     /* per buffer: the run in which a read before any write was reported; 0: none */
    bool *zero_padding; /* per buffer: something relied on the padding of its slots being zero */
    bool stopped;
    Vec(Update) updates;
    Vec(Output) outputs;
} Machine;

Machine *machine_new(Ctx *ctx, Table *table, const Program *program, bool reference);

/* Starts from the states in the persistent buffers (from nothing for `init`) and runs the routine to its end. */
void machine_run(Machine *machine, const Routine *routine);

/* The contents with current times: relative to the loop's variable while recording, numbers otherwise. */
Combo *cell_contents(Machine *machine, Cell cell);
/* What a cell of the current rank class holds, in normal form; NULL if it was never written. */
Combo *machine_settle(Machine *machine, int cell);

/* Calls visit for every element of a state that a persistent buffer stores, on every rank class in turn, with its
 * tensor (or -1) and layer. The rank class visited is the current one. */
typedef void StateVisit(void *context, int buffer, int64_t slot, int cell, int tensor, int64_t layer);
void machine_visit_states(Machine *machine, StateVisit *visit, void *context);
/* The current rank class stores one piece of a slot, or of this tensor in it: do the rank classes with the other pieces
 * store these, for the same layer? */
bool machine_stores_whole(Machine *machine, int buffer, int64_t slot, int tensor, int64_t layer);

/* The axes on whose coordinates the program's control flow depends. */
AxisMask enumerated_axes(const Program *program);
/* "stage 1", or "every rank". */
const char *class_text(const Machine *machine, const RankClass *class);

#endif

/* machine.h - runs a program on abstract values: what every cell holds at every point, for all ranks at once.
 *
 *     Machine *machine = machine_new(ctx, table, program, reference);
 *     machine_run(machine, program_routine(program, "step"));     // now read cells, updates, outputs
 *
 * A cell is a buffer's slot, or one member of a unit's slot. Layer loops are unrolled; microbatch loops are run twice,
 * generalised and confirmed by one more run (machine_loop.c), or unrolled where they are short.
 */
#ifndef PLACE_VERIFY_MACHINE_H
#define PLACE_VERIFY_MACHINE_H

#include "verify/transfer.h"

/* The gradient that an update of a state was given. */
typedef struct Update {
    const Op *op;
    Value *state; /* the state that it replaces, if it is one: a VALUE_STATE; else NULL */
    int tensor;   /* whose update the program says it is */
    Combo *gradient;
    bool partial_state; /* some rank's copy is not the state */
} Update;

typedef struct Output {
    const Op *op;
    Combo *combo;
} Output;

typedef struct LoopVariable {
    bool bound, symbolic;
    int64_t number; /* its value, or one that stands for all where it is symbolic */
} LoopVariable;

typedef struct Machine {
    Ctx *ctx;
    Table *table;
    const Program *program;
    const Decls *decls;
    bool reference;
    PreparedMap *prepared;
    int *cell_base;    /* per buffer: its first cell */
    int *cell_members; /* per buffer: cells per slot */
    int *slot_base;    /* per buffer: its first slot in padding_zero */
    int cell_count, slot_count;
    Combo **cell;       /* NULL: never written */
    bool *padding_zero; /* of a unit's cut slot; otherwise its padding is junk */
    LoopVariable *loop;
    int loop_count;
    bool in_micro, symbolic; /* inside a microbatch loop; one whose variable stands for many */
    Time now;
    int64_t now_number, last_number;
    Mono *guard;            /* on which ranks the operator at hand runs; NULL: all */
    bool cannot_generalize; /* something in the loop needs its variable as a number */
    int64_t steps;          /* operators run so far */
    bool stopped;
    Vec(Update) updates;
    Vec(Output) outputs;
} Machine;

Machine *machine_new(Ctx *ctx, Table *table, const Program *program, bool reference);

/* Starts from the persistent buffers' states (from nothing for `init`) and runs the routine to its end. */
void machine_run(Machine *machine, const Routine *routine);

int machine_cell(const Machine *machine, int buffer, int64_t slot, int member_position);
/* What a cell holds, in normal form; NULL where it was never written. */
Combo *machine_settle(Machine *machine, int cell);

/* Calls visit for every element of a state that a persistent buffer rests: its tensor (or -1) and layer. */
typedef void StateVisit(void *context, int buffer, int64_t slot, int cell, int tensor, int64_t layer);
void machine_visit_states(const Machine *machine, StateVisit *visit, void *context);

/* ---- Between the files of the machine ----------------------------------------------------------------------- */

void machine_nodes(Machine *machine, const NodeList *nodes);
void machine_loop(Machine *machine, const Node *node);
typedef enum AffineClass { AFFINE_NUMBER, AFFINE_SYMBOLIC, AFFINE_COORDINATE } AffineClass;
AffineClass machine_affine(const Machine *machine, const Affine *affine, int64_t *number, Time *time);

#endif

/* machine.h - runs a program on abstract values: what every cell holds at every point, for all ranks at once.
 *
 *     Machine *machine = machine_new(ctx, table, program, reference);
 *     machine_run(machine, program_routine(program, "step"));     // now read cells, updates, outputs
 *
 * A cell is a buffer's slot, or one member of a unit's slot. Axes on whose coordinates control depends (loop bounds,
 * slots, peers, what is held) are *enumerated*: cells exist once per combination of their coordinates, which is called
 * a place; all other axes stay symbols. Layer loops are unrolled. The body of a microbatch loop is run for a symbolic
 * variable v and run again only where it meets other contents than v's before (machine_unit.c).
 */
#ifndef PLACE_VERIFY_MACHINE_H
#define PLACE_VERIFY_MACHINE_H

#include "verify/transfer.h"

/* Operators and iterations that are followed. */
enum { MACHINE_MOST_STEPS = 50 * 1000 * 1000 };

/* What a cell holds; times in it that have a coefficient are relative to `shift`. ABSOLUTE: none has. */
#define ABSOLUTE INT64_MIN
typedef struct Cell {
    Combo *combo; /* NULL: never written */
    int64_t shift;
} Cell;

/* The gradient that an update of a state was given. */
typedef struct Update {
    const Op *op;
    int place;
    Value *state; /* the state that it replaces, if it is one: a VALUE_STATE; else NULL */
    int tensor;   /* whose update the program says it is */
    Combo *gradient;
    bool partial_state; /* some rank's copy is not the state */
} Update;

typedef struct Output {
    const Op *op;
    int place;
    Combo *combo;
} Output;

/* The routine's tree with what is known of every node. */
typedef struct Plan Plan;
typedef struct PlanUnit PlanUnit;
typedef struct PlanNode {
    const Node *node;
    const Prepared *prepared; /* NODE_OP */
    bool crosses;             /* places meet in it: messages, collectives over an enumerated axis, waits for these */
    bool micro_inside;        /* a microbatch loop is, or is in, it */
    Plan *body;
    PlanUnit **unit; /* per place: what was recorded of the run of nodes that begins here */
} PlanNode;
struct Plan {
    int count;
    PlanNode *node;
};

/* An affine expression of the variable of the microbatch loop at hand; all else in it is numbers. */
typedef struct Address {
    int64_t constant, coefficient, modulus;
} Address;

/* Where the control of a place stands: in a list of nodes, of the body of a loop or a guard, or of the routine. */
typedef struct Frame {
    const Plan *plan;
    int at;
    const Node *owner;
    int64_t value, last; /* of a loop */
    bool outer_has_hand;
    int64_t outer_hand;
    int outer_micro;
    bool outer_unit;
    Mono *outer_guard;
} Frame;

enum { MOST_FRAMES = 33 }; /* a routine's, and as many blocks in it as the reader allows */

typedef struct Pending Pending;

/* The ranks with one combination of coordinates on the enumerated axes. */
typedef struct Place {
    int index;
    int64_t coordinate[STEP_MAX_AXES]; /* on others 0 */
    Cell *cell;
    bool *padding_zero; /* of a unit's cut slot; otherwise its padding is junk */
    int64_t *loop;      /* variables' numbers */
    bool *bound;
    Mono *guard;   /* on which of its ranks the operator at hand runs; NULL: all */
    bool has_hand; /* a microbatch is at hand: */
    int64_t hand;
    int micro;      /* the innermost microbatch loop, or -1 */
    bool unit_loop; /* whose body may be recorded */
    Frame frame[MOST_FRAMES];
    int depth;
    bool posted; /* the operator at hand has arrived, and waits for others */
    Vec(Pending *) pending;
    int64_t met[1 << STEP_MAX_AXES]; /* collectives so far, per set of enumerated axes */
} Place;

/* What an operator makes of padding. */
typedef enum PaddingRule {
    PADDING_JUNK,    /* anything */
    PADDING_FILLED,  /* what is filled in */
    PADDING_KEPT,    /* zero where that of every operand is zero */
    PADDING_PRODUCT, /* likewise, numbers beside them being of no account */
    PADDING_SLICED   /* likewise, what is not cut going on in zeros behind its end */
} PaddingRule;

typedef struct Recorder Recorder;
typedef struct Exchange Exchange;

typedef struct Machine {
    Ctx *ctx;
    Table *table;
    const Program *program;
    const Decls *decls;
    bool reference;
    PreparedMap *prepared;
    Plan **plan;         /* per routine */
    AxisMask enumerated; /* axes */
    int *cell_base;      /* per buffer: its first cell */
    int *cell_members;   /* per buffer: cells per slot */
    int *slot_base;      /* per buffer: its first slot in padding_zero */
    int cell_count, slot_count, loop_count;
    int place_count;
    Place *places, *place; /* the one at hand */
    Recorder *recorder;    /* of the run of nodes being recorded, or NULL */
    int64_t recorded_at;   /* the loop's variable there, */
    int recorded_loop;     /* and its id */
    int64_t epoch, *stamp; /* per cell and slot: touched in this recording or replay, */
    int *stamp_access;     /* by which access */
    Combo **combos;        /* canonical ones, hashed */
    uint32_t combo_count, combo_capacity;
    Exchange *exchange; /* messages and meetings of places */
    int64_t steps;      /* operators run so far */
    int runs;           /* of routines so far */
    int *unwritten;     /* per buffer: the run in which a read of it before any write was reported; 0 none */
    bool *zero_padding; /* per buffer: whether anything ever rested on that the padding of its slots is zero */
    bool stopped;
    Vec(Update) updates;
    Vec(Output) outputs;
} Machine;

Machine *machine_new(Ctx *ctx, Table *table, const Program *program, bool reference);

/* Starts from the persistent buffers' states (from nothing for `init`) and runs the routine to its end. */
void machine_run(Machine *machine, const Routine *routine);

/* What a cell of the place at hand holds, in normal form; NULL where it was never written. */
Combo *machine_settle(Machine *machine, int cell);

/* Calls visit for every element of a state that a persistent buffer rests, on every place, which is then at hand: its
 * tensor (or -1) and layer. */
typedef void StateVisit(void *context, int buffer, int64_t slot, int cell, int tensor, int64_t layer);
void machine_visit_states(Machine *machine, StateVisit *visit, void *context);
/* Do the places with the other pieces of a slot, or of this tensor in it, of which the place at hand has one, rest
 * these, of the same layer? */
bool machine_rests_whole(Machine *machine, int buffer, int64_t slot, int tensor, int64_t layer);

/* The axes that a program's control depends on. */
AxisMask enumerated_axes(const Program *program);
/* "stage 1", or "every rank". */
const char *place_text(const Machine *machine, const Place *place);

/* ---- Between the files of the machine ----------------------------------------------------------------------- */

/* machine.c: the operators of one place */
void machine_nodes(Machine *machine, const Plan *plan, int first, int end);
void machine_op(Machine *machine, const PlanNode *node);
/* False, with *number the one on the first of the place's ranks, where it depends on their other coordinates. */
bool machine_affine(const Machine *machine, const Affine *affine, int64_t *number, Address *address);
/* Enters a guard; false where no rank of the place passes. The caller restores guard, has_hand and hand. */
bool machine_guard(Machine *machine, const Node *node);
/* Counts a step: an operator or an iteration. False, and reported once, where there are too many. */
bool machine_goes_on(Machine *machine, Span span);
void machine_loop_bounds(Machine *machine, const Node *node, int64_t *first, int64_t *last);
/* The cell of a reference; -1 where it has none (reported). `position`: the member of a flat reference. */
int machine_ref(Machine *machine, const Op *op, const Ref *ref, int position);
Combo *machine_read(Machine *machine, const Op *op, int buffer, int cell);
void machine_write(Machine *machine, const Op *op, int cell, Combo *combo);
bool *machine_padding(Machine *machine, const Op *op, const Ref *ref);
/* Is it zero? What asks for that rests on it. */
bool machine_zero_padding(Machine *machine, const Op *op, const Ref *ref);
PaddingRule padding_rule(OpKind kind);
/* Where microbatches are unlike in size: is this of the one at hand? */
bool machine_at_hand(const Machine *machine, const Prepared *prepared, const Combo *combo);
/* Is a microbatch at hand, where the operator needs one? If not, reported, its result poisoned. */
bool machine_in_micro(Machine *machine, const PlanNode *node);
/* A collective that only some ranks of its group come to: reported, its result poisoned. */
void machine_partly(Machine *machine, const PlanNode *node);

/* machine_plan.c */
Plan *plan_make(Machine *machine, const NodeList *nodes);
/* How many there are; false (reported) where they are too many. */
bool places_count(Machine *machine);
void places_make(Machine *machine);

/* machine_unit.c */
/* Nodes first .. end-1 of a microbatch loop's body, from the recorder's memory where that has what they do. */
void unit_run(Machine *machine, const Plan *plan, int first, int end);
/* The cell, or a unit's slot (behind the cells), is about to be looked at: recorded. */
void unit_touch(Machine *machine, int buffer, int offset, Address slot, int cell);
void unit_reads(Machine *machine, int cell);
void unit_writes(Machine *machine, int cell);
/* What is recorded holds only where low <= expression <= high has the same answer as here. */
void unit_condition(Machine *machine, Address expression, int64_t low, int64_t high);
/* What is recorded holds here only. */
void unit_once(Machine *machine);
/* Equal contents become one object. */
Cell cell_canonical(Machine *machine, Cell cell);
/* Its contents with times as they are now: relative to the variable at hand while recording, else numbers. */
Combo *cell_contents(Machine *machine, Cell cell);

/* machine_length.c */
/* How often the loop's body is run between these bounds. */
int64_t machine_iterations(const Node *loop, int64_t first, int64_t last);
/* A loop of the routine that is too long for all steps to be followed, as far as its text shows before anything is run;
 * NULL: none. */
const Node *machine_too_long(Machine *machine, const Routine *routine);

/* machine_place.c */
void places_run(Machine *machine, const Plan *plan);

#endif

/* machine.h - runs a program on abstract values: what every cell holds at every point, for all ranks at once.
 *
 *     Machine *machine = machine_new(ctx, table, program, reference);
 *     machine_run(machine, program_routine(program, "step"));     // now read cells, updates, outputs
 *
 * A cell is a buffer's slot, or one member of a unit's slot. Axes whose coordinates decide control flow or contents
 * (loop bounds, slots, peers, what a rank holds) are *enumerated*: cells exist once per combination of their
 * coordinates, and such a combination is called a place. All other axes stay symbolic. Layer loops are unrolled. The
 * body of a microbatch loop is run for a symbolic variable v, and run again only where it finds contents different from
 * v's (machine_unit.c).
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
    int place;
    Value *state; /* the state it replaces (a VALUE_STATE), or NULL */
    int tensor;   /* the tensor that the program says it updates */
    Combo *gradient;
    bool partial_state; /* some rank's copy is not the state */
} Update;

typedef struct Output {
    const Op *op;
    int place;
    Combo *combo;
} Output;

/* A routine's tree, with what is known about every node. */
typedef struct Plan Plan;
typedef struct PlanUnit PlanUnit;
typedef struct PlanNode {
    const Node *node;
    const Prepared *prepared; /* NODE_OP */
    bool crosses;             /* places meet in it: messages, collectives over an enumerated axis, waits for these */
    bool micro_inside;        /* it is or contains a microbatch loop */
    Plan *body;
    PlanUnit **unit; /* per place: what was recorded for the run of nodes that begins here */
} PlanNode;
struct Plan {
    int count;
    PlanNode *node;
};

/* An affine expression in the current microbatch loop's variable; everything else in it is a number. */
typedef struct Address {
    int64_t constant, coefficient, modulus;
} Address;

/* Where the control of a place is: in a list of nodes, which is the body of a loop, guard or routine. */
typedef struct Frame {
    const Plan *plan;
    int at;
    const Node *owner;
    int64_t value, last; /* loops only */
    bool outer_has_hand;
    int64_t outer_hand;
    int outer_micro;
    bool outer_unit;
    Mono *outer_guard;
} Frame;

enum { MOST_FRAMES = 33 }; /* the routine's own, and as many nested blocks as the reader allows */

typedef struct Pending Pending;

/* The ranks that share one combination of coordinates on the enumerated axes. */
typedef struct Place {
    int index;
    int64_t coordinate[STEP_MAX_AXES]; /* 0 on all other axes */
    Cell *cell;
    bool *padding_zero; /* per unit slot that is cut: its padding is zero, not junk */
    int64_t *loop;      /* the variables' values */
    bool *bound;
    Mono *guard;   /* which of its ranks run the current operator; NULL: all */
    bool has_hand; /* there is a current microbatch: */
    int64_t hand;
    int micro;      /* the innermost microbatch loop, or -1 */
    bool unit_loop; /* the body of `micro` may be recorded */
    Frame frame[MOST_FRAMES];
    int depth;
    bool posted; /* has reached the current operator, and waits for others */
    Vec(Pending *) pending;
    int64_t met[1 << STEP_MAX_AXES]; /* collectives so far, per set of enumerated axes */
} Place;

/* What an operator leaves in the padding of its result. */
typedef enum PaddingRule {
    PADDING_JUNK,    /* anything */
    PADDING_FILLED,  /* the fill value */
    PADDING_KEPT,    /* zero if every operand's padding is zero */
    PADDING_PRODUCT, /* likewise; operands that are numbers do not matter */
    PADDING_SLICED   /* likewise; an operand that is not cut continues with zeros past its end */
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
    Place *places, *place; /* the current one */
    Recorder *recorder;    /* of the run of nodes being recorded, or NULL */
    int64_t recorded_at;   /* the loop variable's value there, */
    int recorded_loop;     /* and its id */
    int64_t epoch, *stamp; /* per cell and slot: touched in this recording or replay, */
    int *stamp_access;     /* by which access */
    Combo **combos;        /* canonical combinations, hashed */
    uint32_t combo_count, combo_capacity;
    Exchange *exchange; /* messages between places, and where places meet */
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

/* What a cell of the current place holds, in normal form; NULL if it was never written. */
Combo *machine_settle(Machine *machine, int cell);

/* Calls visit for every element of a state that a persistent buffer stores, on every place in turn, with its tensor (or
 * -1) and layer. The place visited is the current one. */
typedef void StateVisit(void *context, int buffer, int64_t slot, int cell, int tensor, int64_t layer);
void machine_visit_states(Machine *machine, StateVisit *visit, void *context);
/* The current place stores one piece of a slot, or of this tensor in it: do the places with the other pieces store
 * these, for the same layer? */
bool machine_rests_whole(Machine *machine, int buffer, int64_t slot, int tensor, int64_t layer);

/* The axes on whose coordinates the program's control flow depends. */
AxisMask enumerated_axes(const Program *program);
/* "stage 1", or "every rank". */
const char *place_text(const Machine *machine, const Place *place);

/* ---- Shared by the files of the machine --------------------------------------------------------------------- */

/* machine.c: the operators of one place */
void machine_nodes(Machine *machine, const Plan *plan, int first, int end);
void machine_op(Machine *machine, const PlanNode *node);
/* False if the value depends on the other coordinates of the place's ranks; *number is that of the first of them. */
bool machine_affine(const Machine *machine, const Affine *affine, int64_t *number, Address *address);
/* Enters a guard; false if no rank of the place passes it. The caller restores guard, has_hand and hand. */
bool machine_guard(Machine *machine, const Node *node);
/* Counts a step: an operator or an iteration. Returns false past the limit, which is reported once. */
bool machine_goes_on(Machine *machine, Span span);
void machine_loop_bounds(Machine *machine, const Node *node, int64_t *first, int64_t *last);
/* The cell of a reference; -1 if there is none (reported). `position`: the member of a flat reference. */
int machine_ref(Machine *machine, const Op *op, const Ref *ref, int position);
Combo *machine_read(Machine *machine, const Op *op, int buffer, int cell);
void machine_write(Machine *machine, const Op *op, int cell, Combo *combo);
bool *machine_padding(Machine *machine, const Op *op, const Ref *ref);
/* Is the padding zero? If so, zero_padding records that the proof relied on it. */
bool machine_zero_padding(Machine *machine, const Op *op, const Ref *ref);
PaddingRule padding_rule(OpKind kind);
/* Where microbatches differ in size: does this belong to the current one? */
bool machine_at_hand(const Machine *machine, const Prepared *prepared, const Combo *combo);
/* Is there a current microbatch, if the operator needs one? If not, this is reported and the result poisoned. */
bool machine_in_micro(Machine *machine, const PlanNode *node);
/* A collective that only some ranks of its group reach: reported, and its result poisoned. */
void machine_partly(Machine *machine, const PlanNode *node);

/* machine_plan.c */
Plan *plan_make(Machine *machine, const NodeList *nodes);
/* Counts the places; false (reported) if there are too many. */
bool places_count(Machine *machine);
void places_make(Machine *machine);

/* machine_unit.c */
/* Runs nodes first .. end-1 of a microbatch loop's body, or replays a recording of them that fits. */
void unit_run(Machine *machine, const Plan *plan, int first, int end);
/* Records that the cell, or a unit's slot (these are numbered after the cells), is about to be looked at. */
void unit_touch(Machine *machine, int buffer, int offset, Address slot, int cell);
void unit_reads(Machine *machine, int cell);
void unit_writes(Machine *machine, int cell);
/* The recording holds only where low <= expression <= high has the same answer as here. */
void unit_condition(Machine *machine, Address expression, int64_t low, int64_t high);
/* The recording holds here only. */
void unit_once(Machine *machine);
/* Makes equal contents one object. */
Cell cell_canonical(Machine *machine, Cell cell);
/* The contents with current times: relative to the loop's variable while recording, numbers otherwise. */
Combo *cell_contents(Machine *machine, Cell cell);

/* machine_length.c */
/* How many times the loop's body runs between these bounds. */
int64_t machine_iterations(const Node *loop, int64_t first, int64_t last);
/* A loop of the routine with too many steps to follow, as far as its text shows before anything is run; NULL: none. */
const Node *machine_too_long(Machine *machine, const Routine *routine);

/* machine_place.c */
void places_run(Machine *machine, const Plan *plan);

#endif

/* machine_internal.h - between the files of the machine.
 *
 * machine.c makes and starts it; machine_tree.c and enumerated.c prepare what is run; machine_control.c follows loops
 * and guards of one rank class, machine_op.c and machine_source.c run operators, machine_cells.c, machine_padding.c and
 * machine_states.c know what is stored; machine_classes.c runs the classes side by side, which meet as
 * machine_exchange.h says, in rounds that machine_rounds.c compares; machine_replay.c replays microbatches, whose
 * addresses machine_address.c evaluates; machine_length.c knows what is too long.
 */
#ifndef PLACE_VERIFY_MACHINE_INTERNAL_H
#define PLACE_VERIFY_MACHINE_INTERNAL_H

#include "verify/machine.h"
#include "verify/motion.h"

enum { MOST_TIME = 1 << 30 }; /* moments have 32 bits */
enum { FEWEST_PERIODS = 4 };  /* of a loop, for rounds to be compared */

/* A routine's tree, with what is known about every node. */
typedef struct Tape Tape;
typedef struct TreeItem {
    const Node *node;
    const Prepared *prepared; /* NODE_OP */
    bool crosses;      /* rank classes meet in it: messages, collectives over an enumerated axis, waits for these */
    bool micro_inside; /* it is or contains a microbatch loop */
    Tree *body;
    Tape **tape; /* per rank class: what was recorded for the run of nodes that begins here */
} TreeItem;
struct Tree {
    int count;
    TreeItem *node;
};

/* What an operator leaves in the padding of its result. */
typedef enum PaddingRule {
    PADDING_JUNK,    /* anything */
    PADDING_FILLED,  /* the fill value */
    PADDING_KEPT,    /* zero if every operand's padding is zero */
    PADDING_PRODUCT, /* likewise; operands that are numbers do not matter */
    PADDING_SLICED   /* likewise; an operand that is not cut continues with zeros past its end */
} PaddingRule;

/* ---- enumerated.c, machine_tree.c --------------------------------------------------------------------------- */

/* Counts the rank classes; false (reported) if there are too many. */
bool classes_count(Machine *machine);
void classes_make(Machine *machine);
Tree *tree_make(Machine *machine, const NodeList *nodes);
/* Do rank classes meet in the operator? */
bool op_crosses(const Machine *machine, const Op *op);

/* ---- machine_control.c -------------------------------------------------------------------------------------- */

/* Runs nodes first .. end-1 on the current rank class. */
void machine_nodes(Machine *machine, const Tree *tree, int first, int end);
/* Enters a guard; false if none of its ranks passes it. The caller restores guard, has_current and current. */
bool machine_guard(Machine *machine, const Node *node);
void machine_loop_bounds(Machine *machine, const Node *node, int64_t *first, int64_t *last);
/* An iteration of a loop over microbatches begins: that one is the current microbatch, if there is such a one. */
void machine_enter_micro(Machine *machine, const Node *node, int64_t value);
/* Counts a step: an operator or an iteration. Returns false past the limit, which is reported once. */
bool machine_may_continue(Machine *machine, Span span);
/* Reports that the program is too long. */
void machine_stop_too_long(Machine *machine, Span span);

/* ---- machine_op.c, machine_source.c ------------------------------------------------------------------------- */

void machine_op(Machine *machine, const TreeItem *node);
void machine_source(Machine *machine, const Prepared *prepared);
/* The current microbatch, in the current notation of times. */
static inline Time machine_now(const Machine *m)
{
    if (m->recorder == NULL)
        return time_at((int32_t)m->class->current);
    return (Time){1, (int32_t)(m->class->current - m->recorded_at)};
}

/* Where microbatches differ in size: does this belong to the current one? */
bool machine_is_current(const Machine *machine, const Prepared *prepared, const Combo *combo);
bool cell_is_current(Machine *machine, const Prepared *prepared, Cell cell);
/* Is there a current microbatch, if the operator needs one? If not, this is reported and the result poisoned. */
bool machine_in_micro(Machine *machine, const TreeItem *node);
/* A collective that only some ranks of its group reach: reported, and its result poisoned. */
void machine_partly(Machine *machine, const TreeItem *node);

/* ---- machine_address.c -------------------------------------------------------------------------------------- */

enum { OUTER_BUCKETS = 256 };

void addresses_start(Machine *machine);
/* False if the value depends on the other coordinates of the class's ranks; *number is that of the first of them.
 * *address: how it follows the variables of loops while recording; NULL: it has none of these. */
bool machine_affine(const Machine *machine, const Affine *affine, int64_t *number, Address *address);
static inline Address address_number(int64_t number)
{
    return (Address){.constant = number};
}
static inline Address address_of_time(Time time)
{
    return (Address){.constant = time.constant, .coefficient = time.coefficient};
}
bool address_equal(Address a, Address b);
/* Does it have the variable of a loop around what is recorded? */
bool address_varies(Address a);
/* Is it v plus a number? */
bool address_is_shift(Address a);
/* Its value where v has this one, and the other variables the current rank class's. */
int64_t address_at(const Machine *machine, Address a, int64_t v);
/* By how much it is greater, without its modulus, a period of the current rank class later. */
int64_t address_by(const Machine *machine, Address a);

/* ---- machine_cells.c ---------------------------------------------------------------------------------------- */

static inline int machine_cell(const Machine *m, int buffer, int64_t slot, int position)
{
    return m->cell_base[buffer] + (int)slot * m->cell_members[buffer] + position;
}

/* The slot of a reference as a number; false (reported) if there is none. */
bool machine_slot(Machine *machine, const Op *op, const Ref *ref, int64_t *slot, Address *address);
/* The cell of a reference; -1 if there is none (reported). `position`: the member of a flat reference. */
int machine_ref(Machine *machine, const Op *op, const Ref *ref, int position);
Combo *machine_read(Machine *machine, const Op *op, int buffer, int cell);
Combo *machine_read_ref(Machine *machine, const Op *op, const Ref *ref, int position);
/* The same in canonical form, between sections. */
Cell machine_read_cell(Machine *machine, const Op *op, int buffer, int cell);
/* What has been reported already. */
Combo *machine_silent(Machine *machine);
/* old + weight * new, if both are pieces of one microbatch and one coordinate. */
Combo *machine_combine(Machine *machine, const Op *op, Combo *old, const Combo *new, Mono *mono);
void machine_write(Machine *machine, const Op *op, int cell, Combo *combo);
void machine_write_ref(Machine *machine, const Op *op, int position, Combo *combo);
/* Canonical contents of another cell of this layout, in place of what was there, between sections. */
void machine_write_cell(Machine *machine, int cell, Cell content);
void machine_write_silent(Machine *machine, const Op *op);

/* ---- machine_padding.c, machine_states.c -------------------------------------------------------------------- */

bool *machine_padding(Machine *machine, const Op *op, const Ref *ref);
/* Is the padding zero? If so, zero_padding records that the proof relied on it. */
bool machine_zero_padding(Machine *machine, const Op *op, const Ref *ref);
PaddingRule padding_rule(OpKind kind);
void machine_write_padding(Machine *machine, const Prepared *prepared);
/* Do the ranks of the current rank class have the buffer? */
bool machine_holds(const Machine *machine, const Buffer *buffer);
/* The layer of a buffer's slot on this rank class; false if the slot holds no layer. */
bool machine_layer(const Machine *machine, const Buffer *buffer, int64_t slot, int64_t *layer);

/* ---- machine_replay.c --------------------------------------------------------------------------------------- */

/* Runs nodes first .. end-1 of a microbatch loop's body, or replays a recording of them that fits. */
void replay_or_run(Machine *machine, const Tree *tree, int first, int end);
/* Records that the cell, or a unit's slot (these are numbered after the cells), is about to be looked at. */
void recording_touch(Machine *machine, int buffer, int offset, Address slot, int cell);
void recording_reads(Machine *machine, int cell);
void recording_writes(Machine *machine, int cell);
/* The recording holds only where low <= expression <= high has the same answer as here. */
void recording_condition(Machine *machine, Address expression, int64_t low, int64_t high);
/* The recording holds here only. */
void recording_once(const Machine *machine);
/* Makes equal contents one object. */
Cell cell_canonical(Machine *machine, Cell cell);
/* The same contents `by` microbatches later. */
Cell cell_later(Cell cell, int64_t by);

/* ---- machine_rounds.c --------------------------------------------------------------------------------------- */

/* How the iterations of a loop over microbatches, or around one, repeat, in which rank classes meet; NULL: they do not
 * repeat, or are too few. */
const Motion *machine_motion(Machine *machine, const Node *loop, int64_t iterations);

/* What the current rank class does, for comparison with the round before: something with a microbatch, or ABSOLUTE; an
 * operator in which it meets others; or what is never like something done before. */
void round_did(Machine *machine, const void *what, int64_t time);
void round_did_op(Machine *machine, const Op *op, const Cell *cells, int count, bool zero);
void round_did_new(Machine *machine);
/* Must the round's questions and cells be known? */
bool round_is_watched(const Machine *machine);
/* It asks whether low <= number <= high, where a period makes the number greater by this. */
void round_asks(Machine *machine, int64_t number, int64_t by, int64_t low, int64_t high);
/* It is about to read or write a cell or the padding of a unit's slot (these are numbered after the cells). */
void round_touches(Machine *machine, int cell, bool reads, bool writes);

/* ---- machine_length.c, machine_classes.c -------------------------------------------------------------------- */

/* How many times the loop's body runs between these bounds. */
int64_t machine_iterations(const Node *loop, int64_t first, int64_t last);
/* A loop of the routine with too many steps to follow, as far as its text shows before anything is run; NULL: none. */
const Node *machine_too_long(Machine *machine, const Routine *routine);
void classes_run(Machine *machine, const Tree *tree);

#endif

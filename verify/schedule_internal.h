/* schedule_internal.h - between the files of the schedule: the state of the walk, and what each file does to it. */
#ifndef PLACE_VERIFY_SCHEDULE_INTERNAL_H
#define PLACE_VERIFY_SCHEDULE_INTERNAL_H

#include "verify/meeting.h"
#include "verify/motion.h"
#include "verify/schedule.h"

/* Cells of other buffers that share bytes with one. */
typedef Vec(int) Overlaps;

/* An operator that was started and has not been waited for by every stream. */
typedef struct InFlight {
    const Op *op;
    int at; /* its slot of the event: event_at */
    bool reported;
    int64_t started; /* the checker's clock at the start */
    uint64_t waited; /* streams that waited */
    int cell_count;
    int *cells; /* operands; the result's cells start at `first_out` */
    int first_out;
} InFlight;

/* An event that was not waited for in time. */
typedef struct Late {
    int event;
    Diagnostic *reported;
} Late;

/* A period of a loop that is being run. */
typedef struct Period Period;
struct Period {
    const Motion *motion;
    int64_t lasts;  /* for so many periods more, every guard answers as it does now */
    Vec(int) wrote; /* cells of rings: those that correspond to them later may share bytes with others */
    Period *outer;
};

typedef struct Schedule {
    Ctx *ctx;
    const Program *program;
    Arena *arena;
    int *cell_base, *cell_members;
    const bool *zero_padding; /* per buffer, as for schedule_check */
    int *cell_buffer;
    int cell_count;
    int64_t *begin, *end; /* of every cell, in its tier's arena; unused for buffers without an offset */
    Overlaps *overlaps;   /* per cell */
    int *clobbered;       /* per cell: the buffer that was written over it, or -1 */
    int *held;            /* per cell: number of operators in flight that use it */
    Vec(Late) late;       /* events of the routine that were reported: one error per event */
    int64_t overlap_count;
    bool *conflict_shown; /* per buffer: its one error was reported */
    struct {              /* hashed by node: the waits reached, and whether one ever found something to wait for */
        const Node *node;
        bool met;
    } * waits;
    int wait_capacity;
    int64_t *loop;
    const Motion **motion; /* per loop, once it was looked at; NULL: it does not repeat */
    bool *looked_at;
    Period *period; /* the innermost one */
    AxisMask enumerated;
    int64_t coordinate[STEP_MAX_AXES]; /* of the current ranks, on enumerated axes */
    bool meets;                        /* they do something together with others */
    Trace *trace;                      /* of the current ranks */
    uint64_t queues;                   /* streams of the routine on which something may queue after what was started */
    bool *issues;                      /* per communicator: may something queue there? */
    int coordinate_guards;
    int64_t guard_entered; /* clock at the start of the innermost guard on coordinates; 0 outside all */
    int64_t clock, steps;
    bool stopped;
    Vec(InFlight) pending;
} Schedule;

/* ---- schedule.c --------------------------------------------------------------------------------------------- */

void schedule_nodes(Schedule *s, const NodeList *nodes);

/* ---- schedule_cells.c --------------------------------------------------------------------------------------- */

void schedule_start(Schedule *s);
/* False if the expression depends on coordinates that are not enumerated. */
bool schedule_evaluate(const Schedule *s, const Affine *affine, int64_t *number);
/* The value of an expression whose axes are all enumerated: slots, bounds, holders, and whatever has a loop's variable
 * (enumerated.c). */
int64_t schedule_number(const Schedule *s, const Affine *affine);
/* The cells of a reference: one, or all members of a flat slot; none if it has no slot (reported by the machine). */
int schedule_ref_cells(const Schedule *s, const Ref *ref, int *first);
/* The cells an operator writes: one member's of a flat slot for an init of that tensor only. */
int schedule_result_cells(const Schedule *s, const Op *op, int *first);
const char *schedule_cell_name(const Schedule *s, int cell);

/* ---- schedule_op.c ------------------------------------------------------------------------------------------ */

/* Does the operator read from this operand only the elements it writes, or only the row in which it writes? */
bool op_works_in_place(const Op *op, int operand);
/* Counts an operator or an iteration. */
bool schedule_too_long(Schedule *s, Span span);
void schedule_op(Schedule *s, const Op *op);

/* ---- schedule_events.c -------------------------------------------------------------------------------------- */

/* Reports that the operator touches a cell of one that was started: its result, or an operand. One error per event. */
void report_in_use(Schedule *s, const Op *op, const InFlight *pending, int cell, bool writes, bool result);
void schedule_hold(Schedule *s, const InFlight *pending, int count);
void report_lost(Schedule *s, const InFlight *pending);
void schedule_start_op(Schedule *s, const Op *op);
void schedule_find_waits(Schedule *s, const Routine *routine);
/* A wait that has nothing to wait for, on any rank at any time, does nothing. */
void schedule_check_waits(const Schedule *s, const NodeList *nodes);
/* A wait that only some ranks reach covers only what those ranks alone have started. */
void schedule_wait(Schedule *s, const Node *node);

/* ---- schedule_loops.c --------------------------------------------------------------------------------------- */

void schedule_loop(Schedule *s, const Node *node);
/* A cell is written. */
void schedule_wrote(Schedule *s, int cell);
/* A guard was asked, and its value is this: notes how long the answer lasts. */
void schedule_asked(Schedule *s, const Node *guard, int64_t value);

#endif

/* read.h - shared by the files of the reader of step files: read.c (declarations, buffers, the file) and read_tree.c
 * (the operators and blocks of a routine).
 *
 * The text may be hostile: the reader bounds every count, number, name and nesting depth, so that no later stage has to
 * check them.
 */
#ifndef PLACE_STEP_READ_H
#define PLACE_STEP_READ_H

#include "step/scan.h"
#include "step/step.h"

enum {
    STEP_MOST_ERRORS = 20,
    STEP_MOST_NESTING = 32,
    STEP_MOST_LOOPS = 1 << 16,
    STEP_MOST_IDS = 1 << 20,
    STEP_MOST_EVENTS = 1 << 16,
    STEP_MOST_STREAMS = 64,
    STEP_MOST_CHANNELS = 1 << 16
};

/* Maps interned names to indices. */
typedef struct NameTable {
    struct {
        const char *name;
        int index;
    } * slots;
    int capacity, count;
} NameTable;

typedef struct StepReader {
    StepScan scan;
    Ctx *ctx;
    bool stopped; /* the remaining text cannot be understood */
    Decls *decls;
    Program *program;
    bool is_reference;
    unsigned given; /* which of the declarations that occur once were found */
    NameTable axes, tables, groups, tensors, states, units, communicators, buffers;
    Vec(int) member_of;        /* per tensor: the last unit it is a member of, or -1 */
    bool *loop_seen, *id_seen; /* in this program */
    int depth, loop_depth;
    struct {
        int id;
        int64_t bound; /* of |variable| */
    } loops[STEP_MOST_NESTING];
    int next_id; /* for an operator that does not state one */
    Vec(int) event_slots; /* per event of this program: their number, or 0 before it is named */
} StepReader;

int step_read_find_name(const NameTable *table, const char *name);
/* Reads a name that must be in the table; `what` says what kind of thing it names. */
bool step_read_known_name(StepReader *r, const NameTable *table, int *index, const char *what);
/* From `start` to here. */
Span step_read_span(const StepReader *r, int32_t start);
/* After an error on a line: skips the line; false if the remaining text cannot be understood. */
bool step_read_recover(StepReader *r);
/* An affine expression in the variables bound here; `bound`, if not NULL, becomes the largest |value|. */
bool step_read_affine(StepReader *r, Affine *affine, int64_t *bound);
/* "data, tensor" */
bool step_read_over(StepReader *r, AxisSet *axes);
/* "low..high" */
bool step_read_interval(StepReader *r, int64_t *low, int64_t *high);
/* The nodes of a block, from after its '{', which is on the line of `opened`, to the end of the line of its '}'.
 * Reports faulty lines and continues after them; false if the remaining text cannot be understood. */
bool step_read_block(StepReader *r, NodeList *nodes, int32_t opened);

#endif

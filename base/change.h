/* change.h - changes of the user's text that would mend what a diagnostic tells.
 *
 * A stage says what it knows: the very edit (diag_help_edit), or, where it does not see the text, what would have to
 * become otherwise (diag_repair). The driver makes edits of both, does them in the text, and runs all stages on what
 * comes out (driver/suggest.h): only what was tried so is offered as a change.
 */
#ifndef PLACE_BASE_CHANGE_H
#define PLACE_BASE_CHANGE_H

#include "base/diag.h"

/* What stands in the span becomes `text`; an empty span is a place between two characters. */
typedef struct Edit {
    Span span;
    const char *text;
} Edit;

/* What was found when a change was tried. */
typedef enum Applicability {
    CHANGE_UNTRIED,
    CHANGE_MAYBE,    /* the error is gone; behind it come others, which are not about the words that are put in */
    CHANGE_ACCEPTED, /* the error is gone and no other has come */
    CHANGE_PROVED    /* the whole program is right */
} Applicability;

enum { CHANGE_MOST_EDITS = 8 };

typedef struct Change {
    Applicability applicability;
    bool shows_lines; /* the text says the lines that change: else the help's words are all */
    int count;
    Edit edit[CHANGE_MOST_EDITS]; /* in the order of the text, apart from each other */
} Change;

/* What would have to become otherwise. Axes are the mesh's, as in "data, node". */
typedef enum RepairKind {
    REPAIR_SUM,             /* a sum of the target over the axes is missing */
    REPAIR_GATHER,          /* updated pieces of parameters are to be gathered over the axes */
    REPAIR_DROP,            /* the reduction in the span is one too many */
    REPAIR_WEIGH,           /* the reduction in the span should be a sum times numerator / denominator */
    REPAIR_LATER,           /* the reduction in the span comes too early, or too often: once, at the step */
    REPAIR_WHOLE,           /* the reduction in the span leaves pieces where the whole is needed */
    REPAIR_SHARD_OPTIMIZER, /* the optimizer should lie in pieces over the axes */
    REPAIR_AXES,            /* the reduction in the span should go over the axes instead */
    REPAIR_DERIVE,          /* the sync in the span does what nothing mends: without it, all is derived */
    REPAIR_COUNTS,          /* ranks divide by counts of their own */
    REPAIR_MEAN_OF_LOSSES,  /* the losses of ranks along the axes should be averaged */
    REPAIR_READ,            /* the axes should choose what is read, too */
    REPAIR_SEED,            /* the seed should not depend on coordinates on the axes */
    REPAIR_LEAVE_OUT,       /* what stands in the span says nothing */
    REPAIR_NO_REST,         /* `derive the rest` of the sync in the span says nothing */
    REPAIR_NO_WAIT,         /* nor does its `wait` */
    REPAIR_INTO_PIECES,     /* the sync in the span should reduce each microbatch into pieces over the axes */
    REPAIR_WHOLE_GRADIENTS, /* the placement in the span should not cut gradients */
    REPAIR_BATCH,           /* the batch should have `numerator` examples */
    REPAIR_MICROBATCHES,    /* the step should have `numerator` microbatches */
    REPAIR_ADD_LINE,        /* the train lacks the line in `target` */
    REPAIR_GATHERED,        /* what the placement in the span leaves in pieces should be gathered where it is used */
    REPAIR_CUT_TOO,         /* what the placement in the span cuts should be cut over the axes, too */
    REPAIR_CUT_BATCH,       /* the batch should be cut over the axes, too */
    REPAIR_KEEP,            /* copies that the placement in the span makes should be kept for the step */
    REPAIR_INTO_SHARDS,     /* of the sum in the span only pieces over the axes are needed; all of it over `rest` */
    REPAIR_MESH_ORDER,      /* the axes should stand before `rest` in the mesh */
} RepairKind;

typedef struct Repair {
    RepairKind kind;
    Span span;
    const char *target;      /* REPAIR_SUM: as in `sync TARGET`; REPAIR_ADD_LINE: the line */
    const char *otherwise;   /* a help in words, where no change does it; NULL: none */
    const char *axes, *rest; /* rest: may be empty */
    int64_t numerator, denominator;
} Repair;

/* Shown as a help only where a change that does it is found. */
void diag_repair(Diagnostic *d, Repair repair);

/* ---- Doing a change --------------------------------------------------------------------------------------------- */

/* The text of a source after the change; NUL behind it. */
const char *change_text(Arena *arena, const Sources *sources, const Change *change, int source, size_t *length);

/* Where in the changed text that stands which stood at the offset. What was replaced stands where its replacement
 * begins. */
int32_t change_offset(const Change *change, int source, int32_t offset);

/* Whether something in the range of the changed text was put in, or stands at what was left out. */
bool change_touches(const Change *change, int source, int32_t start, int32_t end);

/* "12 - old line\n12 + new line", of every line that changes; with the name of its file where that is not `home`. */
const char *change_lines(Arena *arena, const Sources *sources, const Change *change, int home);

#endif

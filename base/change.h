/* change.h - changes of the user's text that would fix what a diagnostic reports.
 *
 * A stage says what it knows: the exact edit (diag_help_edit) or, where it does not see the text, what would have to
 * change (diag_repair). The library turns both into edits, applies them, and runs all stages on the result
 * (library/suggest.h): only changes that passed this trial are offered.
 */
#ifndef PLACE_BASE_CHANGE_H
#define PLACE_BASE_CHANGE_H

#include "base/diag.h"

/* Replaces the span by `text`; an empty span is a position between two characters. */
typedef struct Edit {
    Span span;
    const char *text;
} Edit;

/* The result of trying a change. */
typedef enum Applicability {
    CHANGE_UNTRIED,
    CHANGE_MAYBE,    /* the error is gone; it had hidden others, none about the inserted text */
    CHANGE_ACCEPTED, /* the error is gone and there is no new one */
    CHANGE_PROVED    /* the whole program is right */
} Applicability;

enum { CHANGE_MOST_EDITS = 8 };

typedef struct Change {
    Applicability applicability;
    bool shows_lines; /* the text shows the changed lines; else only the help's words */
    int count;
    Edit edit[CHANGE_MOST_EDITS]; /* in text order, not overlapping */
} Change;

/* What would have to change. Axes are the mesh's, as in "data, node". */
typedef enum RepairKind {
    REPAIR_SUM,             /* a sum of the target over the axes is missing */
    REPAIR_GATHER,          /* updated pieces of parameters must be gathered over the axes */
    REPAIR_DROP,            /* the reduction in the span is superfluous */
    REPAIR_WEIGH,           /* the reduction in the span should be a sum times numerator / denominator */
    REPAIR_LATER,           /* the reduction in the span is too early or too often: it should run once, at the step */
    REPAIR_WHOLE,           /* the reduction in the span leaves shards where the whole is needed */
    REPAIR_SHARD_OPTIMIZER, /* the optimizer should be sharded over the axes */
    REPAIR_AXES,            /* the reduction in the span should go over the axes instead */
    REPAIR_DERIVE,          /* the sync in the span has a fault no edit fixes: remove it, so that it is derived */
    REPAIR_COUNTS,          /* ranks divide by their own counts */
    REPAIR_MEAN_OF_LOSSES,  /* the losses of ranks along the axes should be averaged */
    REPAIR_READ,            /* the axes should select what is read, too */
    REPAIR_SEED,            /* the seed should not depend on coordinates on the axes */
    REPAIR_LEAVE_OUT,       /* what is in the span has no effect */
    REPAIR_NO_REST,         /* `derive the rest` of the sync in the span has no effect */
    REPAIR_NO_WAIT,         /* its `wait` has no effect */
    REPAIR_INTO_PIECES,     /* the sync in the span should reduce each microbatch into shards over the axes */
    REPAIR_WHOLE_GRADIENTS, /* the placement in the span should not shard gradients */
    REPAIR_BATCH,           /* the batch should have `numerator` examples */
    REPAIR_MICROBATCHES,    /* the step should have `numerator` microbatches */
    REPAIR_ADD_LINE,        /* the train lacks the line in `target` */
    REPAIR_GATHERED,        /* what the placement in the span shards should be gathered where it is used */
    REPAIR_CUT_TOO,         /* what the placement in the span shards should be sharded over the axes, too */
    REPAIR_CUT_BATCH,       /* the batch should be sharded over the axes, too */
    REPAIR_KEEP,            /* copies made by the placement in the span should be kept for the step */
    REPAIR_INTO_SHARDS,     /* only shards over the axes are needed of the sum in the span; all of it over `rest` */
    REPAIR_MESH_ORDER,      /* the axes should come before `rest` in the mesh */
} RepairKind;

typedef struct Repair {
    RepairKind kind;
    Span span;
    const char *target;      /* REPAIR_SUM: as in `sync TARGET`; REPAIR_ADD_LINE: the line */
    const char *otherwise;   /* help in words, if no change is found; NULL: none */
    const char *axes, *rest; /* rest: may be empty */
    int64_t numerator, denominator;
} Repair;

/* Shown as a help only if a change that achieves it is found. */
void diag_repair(Diagnostic *d, Repair repair);

/* "Did you mean 'near'?", as a change of the one place in the primary span where `name` occurs as a whole word. */
void diag_help_name(Diagnostic *d, const char *name, const char *near);

/* For a name that is none of `names`, which the program declares: the one that was probably meant. False if none. */
bool diag_help_unknown(Diagnostic *d, const char *name, const char *const *names, int count);

/* The same where words of the language stand, or names of the prelude: what other programs call so may have
 * other words here (base/elsewhere.def). */
bool diag_help_unknown_word(Diagnostic *d, const char *word, const char *const *words, int count);

/* ---- Applying a change ----------------------------------------------------------------------------------------- */

/* The text of a source after the change, NUL-terminated. */
const char *change_text(Arena *arena, const Sources *sources, const Change *change, int source, size_t *length);

/* The same sources after the change, in `arena`: no file that was read is read again. *source becomes the index of the
 * same file there. */
Sources *change_sources(Arena *arena, const Sources *sources, const Change *change, int *source);

/* Where in the changed text the offset has moved. Replaced text maps to the beginning of its replacement. */
int32_t change_offset(const Change *change, int source, int32_t offset);

/* The reverse: what the offset of the changed text was. Inserted text maps to where it was inserted. */
int32_t change_origin(const Change *change, int source, int32_t offset);

/* Was anything in this range of the changed text inserted, or is it at a deletion? */
bool change_touches(const Change *change, int source, int32_t start, int32_t end);

/* "12 - old line\n12 + new line" for every line that changes; with the name of its file if that is not `home`. */
const char *change_lines(Arena *arena, const Sources *sources, const Change *change, int home);

#endif

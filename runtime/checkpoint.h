/* checkpoint.h - states on disk: global tensors in the safetensors layout (8 bytes of header length, a JSON header, the
 * tensors), independent of the number of ranks and the placement of states that wrote them or will read them.
 *
 * Names are STATE/TENSOR with the layer after the group's name, "parameters/block.3.attn.query.weight", or only the
 * state's for scalars ("step"). Where a contract trains copies of the one device, each has its own states, and the
 * copy's number follows the state: "parameters.1/block.3.attn.query.weight", "step.1". The header's __metadata__ has
 * format, model, file, plan, version, steps, seed, data (a mark that identifies the data) and one checksum per tensor.
 * A state with a layout of its own (prt_map) is one tensor by the state's name, and the header marks the layout.
 *
 * A file appears complete or not at all: it is written under a temporary name, flushed, and renamed. */
#ifndef PRT_CHECKPOINT_H
#define PRT_CHECKPOINT_H

#include "runtime/held.h"
#include "runtime/run.h"

typedef enum prt_kept { PRT_STATES, PRT_GRADIENTS, PRT_INPUTS } prt_kept;

/* All ranks call these together. An error ends the job, with the file, the tensor, and what was expected and found. */
void prt_checkpoint_write(prt_run *run, prt_kept kept, const char *path);
/* Does the directory hold any? */
bool prt_checkpoint_exists(const char *directory);
/* Makes the options' checkpoint directory before any work is done that could not be saved. */
void prt_checkpoint_prepare(prt_run *run);
/* Writes step-N.safetensors in the options' directory. */
void prt_checkpoint_save(prt_run *run);
/* Reads a file, or the checkpoint written last in a directory; sets ctx.step. */
void prt_checkpoint_resume(prt_run *run);

/* ---- checkpoint_map.c: the tensors of a file, and which of their elements this rank has ----------------------- */

/* What a program reads of a file that other copies or joins have written. */
typedef struct prt_origin {
    int64_t copies;                  /* in the file */
    int64_t one;                     /* the copy from which all start; -1: each from its own */
    bool joins_start, joins_dropped; /* the file lacks their states; the program does */
} prt_origin;

/* One tensor of a file, the same on all ranks. */
typedef struct prt_entry {
    char *name;
    char *source; /* of what is read: its name in the file, if that may be another one; or NULL */
    bool again;   /* another entry is read from the same place */
    bool absent;  /* it stays as init has left it */
    prt_dtype dtype;
    int dim_count;
    int64_t dims[PRT_MAX_DIMS];
    int64_t elements, padding; /* all; those that are nobody's, of a state in a layout of its own */
    const prt_map *map;        /* that layout; or NULL */
    int64_t begin;             /* bytes, in the file's tensor part */
    int64_t written;           /* elements, by this rank */
    uint64_t checksum;
} prt_entry;

/* Elements first .. first + count - 1 of a layer are in the file's tensor from element `at` on. */
typedef struct prt_placed {
    int64_t first, count, at;
} prt_placed;

/* One layer of a member of a unit, or of a dense value, of one copy: where this rank has it, and where the file does.
 */
typedef struct prt_kept_layer {
    const prt_state *row;
    const prt_layout *layout;
    int64_t copy, layer;
    int member;          /* of the layout's unit; -1: dense */
    bool first_of_slot;  /* the other members follow */
    bool owned;          /* this rank writes what it has */
    unsigned char *slot; /* on this rank; NULL: it does not have this layer */
    prt_entry *entry;
    int placed_count; /* -1: all elements are where they are in the layer */
    prt_placed *placed;
} prt_kept_layer;

typedef struct prt_contents {
    prt_entry *entries;
    prt_kept_layer *layers;
    prt_placed *placed;
    int entry_count, layer_count, placed_count;
    int64_t bytes;     /* of all entries */
    prt_origin origin; /* of what is read */
} prt_contents;

/* What a file has, to be written (states by the layouts in which they are saved), or to be read (by those from which
 * they are loaded). */
prt_contents prt_contents_make(prt_run *run, prt_kept kept, bool reading);
void prt_contents_free(prt_contents *contents);

/* Elements element .. of an entry, row-major, which this rank has at `at`. */
typedef struct prt_kept_piece {
    prt_entry *entry;
    const prt_kept_layer *layer;
    int64_t element, count;
    unsigned char *at;
} prt_kept_piece;

typedef struct prt_pieces_walk {
    const prt_contents *contents;
    const prt_kept_layer *first; /* the current slot's first */
    int next, placed;            /* the next layer; the next place in the file of the current stretch */
    bool owned;
    prt_stretch stretch;
    prt_place place;
    prt_walk walk;
} prt_pieces_walk;

/* Visits everything that this rank has, or, with `owned`, what it writes: together, ranks write each element once. The
 * walk must not be moved after its start. */
void prt_pieces_start(prt_pieces_walk *walk, const prt_run *run, const prt_contents *contents, bool owned);
bool prt_pieces_next(prt_pieces_walk *walk, prt_kept_piece *piece);

/* ---- checkpoint_copies.c: a file of other copies or joins ---------------------------------------------------- */

typedef struct cJSON cJSON;

/* Finds where each entry is in a file with this header; false and a message if its copies cannot be read as the
 * program's. */
bool prt_origin_find(prt_run *run, const cJSON *root, prt_contents *contents, char *message, size_t bytes);
/* Is this tensor of the file left out, because the program needs only another copy's, or has no such joins? */
bool prt_origin_drops(const prt_run *run, prt_origin *origin, const char *name);
/* Tells the user what is not simply continued. */
void prt_origin_say(const prt_run *run, const prt_origin *origin);

/* Identifies a layout: a hash of where its elements are. */
uint64_t prt_map_mark(const prt_program *program, const prt_map *map);

#endif

/* checkpoint.h - states on disk: global tensors in the safetensors layout (8 bytes of header length, a JSON header, the
 * tensors), independent of the number of ranks and the placement of states that wrote them or will read them.
 *
 * Names are STATE/TENSOR with the layer after the group's name, "parameters/block.3.attn.query.weight", or only the
 * state's for scalars ("step"). Where a contract trains copies of the one device, each has its own states, and the
 * copy's number follows the state: "parameters.1/block.3.attn.query.weight", "step.1". The header's __metadata__ has
 * format, model, file, plan, version, steps, seed, data (a mark that identifies the data) and one checksum per tensor.
 *
 * A file appears complete or not at all: it is written under a temporary name, flushed, and renamed. */
#ifndef PRT_CHECKPOINT_H
#define PRT_CHECKPOINT_H

#include "runtime/held.h"
#include "runtime/run.h"

typedef enum prt_kept { PRT_STATES, PRT_GRADIENTS, PRT_INPUTS } prt_kept;

/* All ranks call these together. An error ends the job, with the file, the tensor, and what was expected and found. */
void prt_checkpoint_write(prt_run *run, prt_kept kept, const char *path);
/* Makes the options' checkpoint directory before any work is done that could not be saved. */
void prt_checkpoint_prepare(prt_run *run);
/* Writes step-N.safetensors in the options' directory. */
void prt_checkpoint_save(prt_run *run);
/* Reads a file, or the checkpoint written last in a directory; sets ctx.step. */
void prt_checkpoint_resume(prt_run *run);

/* ---- checkpoint_map.c: the tensors of a file, and which of their elements this rank has ----------------------- */

/* One global tensor of a file, the same on all ranks but for what this rank has of it. */
typedef struct prt_entry {
    char *name;
    const prt_state *row;
    const prt_layout *layout;
    int64_t copy; /* of the one device */
    int64_t layer;
    int member;          /* of the layout's unit; -1: dense */
    bool first_of_slot;  /* the other members follow */
    bool owned;          /* this rank writes what it has */
    unsigned char *slot; /* on this rank; NULL: it does not have this layer */
    int dim_count;
    int64_t dims[PRT_MAX_DIMS];
    int64_t elements; /* of the tensor */
    int64_t begin;    /* bytes, in the file's tensor part */
    int64_t written;  /* elements */
    uint64_t checksum;
} prt_entry;

prt_entry *prt_entries_make(prt_run *run, prt_kept kept, int *count, int64_t *bytes);
void prt_entries_free(prt_entry *entries, int count);

/* Elements element .. of an entry, row-major, which this rank has at `at`. */
typedef struct prt_kept_piece {
    prt_entry *entry;
    int64_t element, count;
    unsigned char *at;
} prt_kept_piece;

typedef struct prt_pieces_walk {
    prt_entry *entries, *first; /* the current slot's first */
    int count, next;
    bool owned;
    prt_place place;
    prt_walk walk;
} prt_pieces_walk;

/* Visits everything that this rank has, or, with `owned`, what it writes: together, ranks write each element once. The
 * walk must not be moved after its start. */
void prt_pieces_start(prt_pieces_walk *walk, const prt_run *run, prt_entry *entries, int count, bool owned);
bool prt_pieces_next(prt_pieces_walk *walk, prt_kept_piece *piece);

#endif

/* checkpoint.h - states on disk: global tensors in the safetensors layout (8 bytes of header length, a JSON header, the
 * tensors), independent of the number of ranks and the placement of states that wrote them or will read them.
 *
 * Names are STATE/TENSOR with the layer after the group's name, "parameters/block.3.attn.query.weight", or only the
 * state's for scalars ("step"). The header's __metadata__ has format, model, file, plan, version, steps, seed, data (a
 * mark that identifies the data) and one checksum per tensor.
 *
 * A file appears complete or not at all: it is written under a temporary name, flushed, and renamed. */
#ifndef PRT_CHECKPOINT_H
#define PRT_CHECKPOINT_H

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

/* ---- checkpoint_map.c: where each element of a global tensor is stored -------------------------------------- */

/* One global tensor of a file. */
typedef struct prt_entry {
    char *name;
    const prt_state *row;
    unsigned char *base; /* of the row, on this rank */
    int64_t slot;
    int64_t first;    /* unit: the tensor's first element in the unit */
    int64_t elements; /* of the tensor */
    int dim_count;
    const int64_t *dims;
    int64_t begin; /* bytes, in the file's tensor part */
    uint64_t checksum;
} prt_entry;

/* Elements element .. element+count-1 of an entry are contiguous, `offset` bytes after the row's base, on the ranks
 * with these coordinates (-1: any). */
typedef struct prt_run_of {
    int64_t count, offset;
    int64_t coordinate[PRT_MAX_AXES];
} prt_run_of;

prt_entry *prt_entries_make(prt_run *run, prt_kept kept, int *count, int64_t *bytes);
void prt_entries_free(prt_entry *entries, int count);
prt_run_of prt_entry_locate(const prt_run *run, const prt_entry *entry, int64_t element);
/* The rank that writes a run: the first rank that holds it. */
int prt_run_owner(const prt_run *run, const prt_run_of *part);
bool prt_run_here(const prt_run *run, const prt_run_of *part);

#endif

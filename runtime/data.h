/* data.h - which examples a step reads. An example depends only on the seed, its number and the data, not on ranks,
 * microbatches or what was read before: every strategy trains on the same examples in the same order, and the position
 * in the data is the number of steps done.
 *
 * `bytes`: a file of L bytes; the last tenth is held out. Example e of step s (batch b) has number i = s * b + e and is
 * the window of T tokens, and of T targets one byte later, at prt_data_window(seed, i, windows) of the training part.
 * Validation reads windows spread evenly over the held-out part. `synthetic`: features are normal numbers; a label is
 * the class whose fixed random direction fits them best (or, where labels are not integers, tanh of the scaled
 * products). Tokens are arithmetic progressions modulo the bound. Validation examples are numbered from 2^40.
 *
 * The functions before prt_data_open have no state: tests call them to feed other programs the same examples.
 */
#ifndef PRT_DATA_H
#define PRT_DATA_H

#include "runtime/run.h"

enum { PRT_HELD_OUT_PART = 10, PRT_EVAL_BATCHES = 8 };
#define PRT_HELD_OUT_EXAMPLE ((int64_t)1 << 40)

/* Start of example `number` in a choice of `windows` windows. */
int64_t prt_data_window(uint64_t seed, int64_t number, int64_t windows);
/* Feature j of an example of `width` features, drawn for the input of this name. */
double prt_data_feature(uint64_t seed, const char *name, int64_t number, int64_t width, int64_t j);
/* Entry j of direction `output`. */
double prt_data_direction(int64_t output, int64_t j);
/* Token `position` of an example. */
int64_t prt_data_token(uint64_t seed, int64_t number, int64_t position, int64_t bound);

struct prt_data {
    const unsigned char *bytes; /* PRT_BYTES: the file, mapped */
    int64_t length, training;   /* bytes; of the training part */
    uint64_t mark;              /* of the file; computed when first needed */
    int64_t positions;          /* tokens of an example */
    int64_t eval_batches;       /* batches of the held-out part */
    int64_t width;              /* PRT_SYNTHETIC: features of an example */
    int64_t outputs;            /* directions */
    double *directions;         /* [outputs, width] */
    double *features;           /* [width], of the current example */
    double *scores;             /* [outputs], of the example of number `scored` if has_scores */
    int64_t scored;
    bool has_scores;
};

void prt_data_open(prt_run *run);
void prt_data_close(prt_run *run);
/* Keeps the whole batch of the next step, on every rank. */
void prt_data_keep_batch(prt_run *run);
/* A number that identifies the data in checkpoints: the file's length and a hash of it; 0 for synthetic data. */
uint64_t prt_data_mark(prt_run *run);

/* ---- sample.c: text written by the trained model ------------------------------------------------------------ */

struct prt_sampler {
    unsigned char *text;
    int64_t length, capacity;
    bool drawn; /* the next byte has been drawn in this run of predict */
    double *weights;
};

/* The text so far as tokens: `count` of them, from position `first` of the model's context on. */
void prt_sample_read(const prt_run *run, const prt_input *input, int64_t first, int64_t count, int32_t *out);
void prt_sample_logits(prt_run *run, prt_dtype dtype, const void *logits, int64_t count);
void prt_sample(prt_run *run);
/* Runs predict once on an empty text, so that all memory it writes has been written. */
void prt_predict_once(prt_run *run);

#endif

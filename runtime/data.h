/* data.h - which examples a step reads. An example depends only on the seed, its number and the data, not on ranks,
 * microbatches or what was read before: every strategy trains on the same examples in the same order, and the position
 * in the data is the number of steps done.
 *
 * `bytes`: a file of L bytes; the last tenth is held out. Example e of step s (batch b, that of all copies) has number
 * i = s * b + e and is the window of T tokens, and of T targets one byte later, at prt_data_window(seed, i, windows) of
 * the training part. Validation reads windows spread evenly over the held-out part. `synthetic`: features are normal
 * numbers; a label is the class whose fixed random direction fits them best (or, where labels are not integers, tanh of
 * the scaled products). Tokens are arithmetic progressions modulo the bound. Validation examples are numbered from
 * 2^40. `tokens`: the same as bytes, of tokens with 16 or 32 bits. `images`: example i is the image, and the label, of
 * number prt_data_window(seed, i, images) of the training part; pixels are divided by 255.
 *
 * Masked data (Devlin et al. 2019, 3.1): of all tokens 15 % are to be found; of these 80 % are shown as the last entry
 * of the vocabulary, 10 % as any other and 10 % as they are. No token of the data may be that last entry.
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

/* Is the token at this position of an example one to be found? */
bool prt_data_hides(uint64_t seed, int64_t number, int64_t position);
/* What it is shown as, in a vocabulary of `bound` entries. */
int64_t prt_data_shown(uint64_t seed, int64_t number, int64_t position, int64_t token, int64_t bound);

/* A file, mapped. */
typedef struct prt_file {
    const char *path;
    const unsigned char *bytes; /* NULL: there is none */
    int64_t length;
} prt_file;

struct prt_data {
    prt_file file, labels;
    int64_t length, training;        /* tokens, or images; of the training part */
    uint64_t mark;                   /* of the files; computed when first needed */
    int64_t positions;               /* tokens of an example */
    int64_t channels, rows, columns; /* of an image in the file; its header's length */
    int64_t header;
    int64_t eval_batches; /* batches of the held-out part */
    int64_t width;        /* PRT_SYNTHETIC: features of an example */
    int64_t outputs;      /* directions */
    double *directions;   /* [outputs, width] */
    double *features;     /* [width], of the current example */
    double *scores;       /* [outputs], of the example of number `scored` if has_scores */
    int64_t scored;
    bool has_scores;
};

void prt_data_open(prt_run *run);
void prt_data_close(prt_run *run);
/* Keeps the whole batch of the next step, on every rank. */
void prt_data_keep_batch(prt_run *run);
/* A number that identifies the data in checkpoints: the file's length and a hash of it; 0 for synthetic data. */
uint64_t prt_data_mark(prt_run *run);

/* ---- data_files.c: examples in files ------------------------------------------------------------------------ */

/* These stop the run where a file does not fit the program. */
void prt_tokens_open(prt_run *run);
void prt_prompts_open(prt_run *run); /* one on each line */
void prt_images_open(prt_run *run);
void prt_files_close(prt_data *data);
/* The token at a position of the file; it must be below `bound`. */
int64_t prt_tokens_at(prt_run *run, int64_t position, int64_t bound);
/* Pixel `element` of an example of the input, from the image of this number, between 0 and 1. */
double prt_images_pixel(const prt_data *data, const prt_input *input, int64_t image, int64_t element);
int64_t prt_images_label(prt_run *run, const prt_input *input, int64_t image);

/* The first input with the role; NULL: there is none. */
const prt_input *prt_data_input(const prt_program *program, prt_role role);
/* Elements of one example. */
int64_t prt_data_elements(const prt_input *input);

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

/* ---- serve.c: tokens added to prompts, where a model is served ---------------------------------------------- */

struct prt_sequences {
    int64_t count, positions, room; /* sequences; tokens that the model sees of one, and that there is room for */
    int32_t *text;                  /* [count, room] */
    int64_t *prompt, *length;       /* of each, in tokens; with what has been added */
    int32_t *drawn;                 /* the next token of each */
    double *row;                    /* room for the logits of one */
    double prefill_seconds, step_seconds;
    bool vocabulary_named; /* that tokens are left out */
};

/* Reads the prompts. All ranks call these together. */
void prt_serve_open(prt_run *run);
void prt_serve_prefill(prt_run *run);
/* Adds what the step has drawn. */
void prt_serve_add(prt_run *run, double step_seconds);
/* Prints what has been added. */
void prt_serve_close(prt_run *run);
/* What a sequence has of an input. */
int64_t prt_serve_token(const prt_run *run, const prt_input *input, int64_t sequence, int64_t position);
/* Draws from the logits of the whole batch. */
void prt_serve_logits(prt_run *run, prt_dtype dtype, const void *logits, int64_t count);

#endif

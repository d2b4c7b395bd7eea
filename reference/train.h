/* train.h - what one device would run: the model, its updates, and what else the file says of the training.
 *
 * sema_run makes it and the assignment (strategy/assign.h), which says where ranks store what; derive_step makes the
 * program of every rank from these two. Neither is changed once it is made.
 */
#ifndef PLACE_REFERENCE_TRAIN_H
#define PLACE_REFERENCE_TRAIN_H

#include "hardware/hardware.h"
#include "reference/contract.h"

typedef enum AssertQuantity {
    ASSERT_MEMORY_PER_DEVICE,
    ASSERT_TRAFFIC_PER_DEVICE,
    ASSERT_TIME_PER_STEP
} AssertQuantity;

typedef struct Assert {
    AssertQuantity quantity;
    int64_t limit_bytes; /* quantity < limit; of time: */
    double limit_seconds;
    Span span;
} Assert;

typedef struct Cluster {
    const char *name;
    Device device;
    int64_t devices;
    int64_t node_devices; /* of each node; 0: it has no nodes */
    Link within, between; /* devices of one node, and nodes */
    Span span;
} Cluster;

/* A name for several axes of the mesh together: `data = expert_data * expert`. */
typedef struct AxisProduct {
    const char *name;
    AxisSet axes;
    Span span;
} AxisProduct;

/* Where examples come from. Of files of tokens, each target is the next token, or, `masked`, the token itself, and some
 * of the inputs are hidden. */
typedef enum DataKind {
    DATA_SYNTHETIC, /* counter-based numbers */
    DATA_BYTES,     /* a file whose bytes are tokens, */
    DATA_U16,       /* whose tokens have 16 bits each, the lower byte first, */
    DATA_U32,       /* or 32 */
    DATA_IMAGES,    /* a file of images and one of their labels, both in the IDX format */
    DATA_NUMBERS    /* prompts of tokens, written as numbers */
} DataKind;

struct Train {
    Cluster cluster;
    const char *mesh_name;
    Vec(AxisProduct) derived_axes;
    Decls decls;              /* without units and maps, which are the assignment's */
    const Program *reference; /* routines init, step, eval, predict */
    OpList means; /* of the loss: the operators that sum its terms, start the cotangents of these, invert a count */
    int64_t batch, steps, seed;
    bool has_beta; /* `cost distpar`: of an element that is computed, next to one that is sent */
    double beta;
    double clip_norm; /* 0: no clipping */
    Span clip_span, optimizer_span, precision_span, batch_span, data_span;
    Span span;             /* of the model's name in the statement */
    bool serves;           /* it decodes: "prefill" reads prompts, "step" adds a token to each of them */
    const char *load_path; /* of a model that is served: the checkpoint; NULL: initial values, or a later choice */
    double temperature;    /* 0: the likeliest token is taken */
    bool master_copy;      /* parameters are stored in compute_dtype, with a master copy in f32 among the optimizer's
                              states */
    bool narrow_gradients; /* they are in compute_dtype, however many microbatches add to them */
    bool loss_scale;       /* a dynamic one */
    DataKind data_kind;
    bool masked_data;
    const char *data_path;    /* as written; NULL where the data is synthetic */
    const char *labels_path;  /* of images */
    int64_t checkpoint_every; /* steps; 0 never */
    const char *checkpoint_path;
    Vec(Assert) asserts;
    Contracts contracts;
    const char *optimizer_name;
    double learning_rate;
    const char *file_name; /* of the train statement */
};

#endif

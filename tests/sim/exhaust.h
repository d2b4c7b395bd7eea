/* exhaust.h - all explicit programs of up to three communications on small models, as texts.
 *
 * A setting fixes the model, the mesh, the number of microbatches and where the states lie. Its programs differ in
 * what is communicated: up to three moves (an operation, the buffers, the axes, the moment), of which one may be
 * followed by a scale. Most of them are wrong.
 *
 *     for (int s = 0; s < exhaust_setting_count(); s++) {
 *         Exhaust *exhaust = exhaust_new(pool, s);
 *         for (int64_t i = 0; i < exhaust->count; i++)
 *             exhaust_text(exhaust, i, text, sizeof text);
 *     }
 */
#ifndef PLACE_SIM_EXHAUST_H
#define PLACE_SIM_EXHAUST_H

#include "tests/sim/pool.h"
#include <stdbool.h>
#include <stdint.h>

typedef enum ExhaustModel {
    MODEL_ONE,    /* y = x w */
    MODEL_TWO,    /* y = (x u) w, two units */
    MODEL_LAYERS, /* y = (x w_0 w_1) c, a group of two layers and a frozen c */
    MODEL_COUNT
} ExhaustModel;

/* Where states lie: which of parameters, gradients, optimizer is cut over the shard axes. */
typedef struct ExhaustSetting {
    ExhaustModel model;
    int axis_sizes[2]; /* the second is 0 on a mesh of one axis */
    int micro;
    int batch;
    unsigned shard_axes; /* bit per axis */
    bool parameters, gradients, optimizer;
    bool local_mean; /* every rank weighs its gradient by its own count of examples */
    bool free_loss;  /* the sum of the loss is left to the moves */
} ExhaustSetting;

typedef struct Exhaust {
    ExhaustSetting setting;
    int64_t count;
    int move_count;
    struct ExhaustMove *moves;
    struct ExhaustCase *cases;
} Exhaust;

int exhaust_setting_count(void);
Exhaust *exhaust_new(SimPool *pool, int setting);
void exhaust_describe(const Exhaust *exhaust, char *text, size_t size);

/* Program `index`; its length, or 0 where `size` is too small. */
size_t exhaust_text(const Exhaust *exhaust, int64_t index, char *text, size_t size);

#endif

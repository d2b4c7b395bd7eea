/* models.h - the models of the matrix, and the batches that the runtime reads for them. */
#ifndef PLACE_TESTS_EQUIVALENCE_MODELS_H
#define PLACE_TESTS_EQUIVALENCE_MODELS_H

#include "step/interp.h"

enum { TEXT_BYTES = 4000, DATA_SEED = 1 };

/* What the models of bytes read. */
typedef struct Texts {
    const char *path;
    unsigned char bytes[TEXT_BYTES];
} Texts;

/* The declaration of a model, and of what strategies of the matrix are not in the prelude. `model`: its name, or its
 * name with other parameters, "gpt(layers=4,heads=4)", followed by an optimizer if it is not AdamW, "gpt+lamb". NULL
 * where there is no such model, parameter or optimizer. */
const char *model_text(Arena *arena, const char *model);
/* Its optimizer and precision, as lines of a train block. */
const char *model_training(Arena *arena, const char *model, const char *precision);
/* The source of its data, as a train block names it. */
const char *model_data(Arena *arena, const char *model, const Texts *texts);

/* Gives the interpreter the first `examples` of a step's batch: the same as runtime/data.h gives, by the same stateless
 * functions. */
void model_feed(Arena *arena, const Decls *decls, const Texts *texts, Interp *interp, int step, int batch,
                int examples);

#endif

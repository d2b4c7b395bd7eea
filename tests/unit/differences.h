/* differences.h - gradients of whole models against central differences of the loss of their step, in f64. */
#ifndef PLACE_TESTS_UNIT_DIFFERENCES_H
#define PLACE_TESTS_UNIT_DIFFERENCES_H

#include "compile.h"

#include "step/interp.h"
#include "tests/sanitized.h"

#include <math.h>

/* One in every so many elements is compared: all, but under the sanitizers, which look for faults of memory. */
enum { COMPARED_EVERY = SANITIZED ? 64 : 1 };

/* A reference with its states initialised and its inputs drawn; each step starts from the same states. */
typedef struct Trial {
    Compiled compiled;
    const Program *program;
    Interp *interp;
    double **start; /* per buffer: its value before the step, if it is persistent */
} Trial;

/* A value in (-1, 1) that looks like noise. */
static inline double trial_noise(int64_t i)
{
    return sin(12.9898 * (double)(i + 1) + 0.3);
}

static inline void trial_input(Trial *trial, const Tensor *tensor, int64_t seed)
{
    int64_t count = tensor_elements(tensor);
    double *values = arena_array(trial->compiled.ctx.arena, double, count);
    for (int64_t i = 0; i < count; i++)
        values[i] = tensor->dtype == DTYPE_I32 ? (double)((i * 7 + 1) % 3) : trial_noise(i + 1000 * seed);
    interp_input(trial->interp, tensor->name, values, count);
}

static inline void trial_save(Trial *trial)
{
    Arena *arena = trial->compiled.ctx.arena;
    trial->start = arena_array(arena, double *, trial->program->buffers.count);
    for (int i = 0; i < trial->program->buffers.count; i++) {
        int64_t count;
        const double *values = interp_buffer(trial->interp, trial->program->buffers.data[i].name, &count);
        trial->start[i] = arena_array(arena, double, count + 1);
        memcpy(trial->start[i], values, sizeof(double) * (size_t)count);
    }
}

static inline void trial_restore(Trial *trial)
{
    for (int i = 0; i < trial->program->buffers.count; i++) {
        int64_t count;
        double *values = interp_buffer(trial->interp, trial->program->buffers.data[i].name, &count);
        if (trial->program->buffers.data[i].persistent)
            memcpy(values, trial->start[i], sizeof(double) * (size_t)count);
    }
}

/* `model` is the text of a model called net; its parameters start where `init` puts them. */
static inline Trial trial_new_in(const char *model, int batch, int micro, int ranks, const char *contract)
{
    char text[8000];
    snprintf(text, sizeof text,
             "place 1\n%scluster here { %d devices of cpu }\nmesh local on here { data: %d }\n"
             "train net on local {\n    strategy data_parallel(data)\n    optimizer sgd(rate = 0)\n    precision f64\n"
             "    batch %d in %d microbatches\n    steps 1\n    contract %s\n}\n",
             model, ranks, ranks, batch, micro, contract);
    Trial trial = {.compiled = compile_text(text)};
    if (trial.compiled.train == NULL) {
        fputs(trial.compiled.messages, stderr);
        exit(1);
    }
    trial.program = trial.compiled.train->reference;
    trial.interp = interp_new(trial.compiled.ctx.arena, trial.program);
    const Decls *decls = trial.program->decls;
    for (int i = 0; i < decls->tensors.count; i++)
        if (decls->tensors.data[i].kind == TENSOR_INPUT)
            trial_input(&trial, &decls->tensors.data[i], i);
    interp_run(trial.interp, ROUTINE_INIT);
    trial_save(&trial);
    return trial;
}

static inline Trial trial_new(const char *model, int batch)
{
    return trial_new_in(model, batch, 1, 1, "exact");
}

/* One step from the saved states, but for what was changed in them since; then they are as they were saved. */
static inline double trial_loss(Trial *trial)
{
    interp_run(trial->interp, ROUTINE_STEP);
    trial_restore(trial);
    return interp_output(trial->interp, "loss", NULL)[0];
}

/* The first parameter element whose gradient is not (L(w + e) - L(w - e)) / 2e, in words; NULL if there is none. */
static inline const char *trial_wrong_gradient(Trial *trial)
{
    const Decls *decls = trial->program->decls;
    Arena *arena = trial->compiled.ctx.arena;
    const double step = 1e-6;
    for (int t = 0; t < decls->tensors.count; t++) {
        const Tensor *tensor = &decls->tensors.data[t];
        if (tensor->kind != TENSOR_PARAMETER || !tensor->trainable)
            continue;
        int64_t count;
        trial_loss(trial);
        const double *gradient =
            interp_buffer(trial->interp, arena_printf(arena, "gradients.%s", tensor->name), &count);
        double *kept = arena_array(arena, double, count), largest = 0;
        memcpy(kept, gradient, sizeof(double) * (size_t)count);
        double *weight = interp_buffer(trial->interp, arena_printf(arena, "parameters.%s", tensor->name), &count);
        for (int64_t i = 0; i < count; i++) {
            if (i % COMPARED_EVERY != 0 && largest >= 1e-6) /* some of them are not zero */
                continue;
            double saved = weight[i];
            weight[i] = saved + step;
            double above = trial_loss(trial);
            weight[i] = saved - step;
            double below = trial_loss(trial);
            double expected = (above - below) / (2 * step);
            largest = fmax(largest, fabs(expected));
            if (fabs(kept[i] - expected) > 1e-7 * (1 + fabs(expected)))
                return arena_printf(arena, "%s[%d]: gradient %.12g, by differences %.12g", tensor->name, (int)i,
                                    kept[i], expected);
        }
        if (largest < 1e-6)
            return arena_printf(arena, "the gradient of %s is zero: nothing is compared", tensor->name);
    }
    return NULL;
}

#endif

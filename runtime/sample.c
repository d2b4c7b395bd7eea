/* sample.c - writes text with the trained model: runs predict on the text so far, draws the next byte from the logits
 * at its last position with the counter-based generator, and repeats. The prompt is the beginning of the held-out
 * part. */
#include "base/random.h"
#include "runtime/data.h"
#include "runtime/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PROMPT = 16, BYTES = 256 };
static const double temperature = 0.8;

/* Start of the window of the text that predict sees: all of it, or its last half window and what came since. */
static int64_t window_begin(const prt_sampler *sampler, int64_t positions)
{
    if (sampler->length <= positions)
        return 0;
    int64_t half = positions / 2 > 0 ? positions / 2 : 1;
    return (sampler->length - positions + half - 1) / half * half;
}

void prt_sample_read(const prt_run *run, const prt_input *input, int64_t first, int64_t count, int32_t *out)
{
    const prt_sampler *sampler = run->sampler;
    int64_t begin = first + (sampler != NULL ? window_begin(sampler, input->dims[1]) : 0);
    int64_t length = sampler != NULL ? sampler->length : 0;
    for (int64_t t = 0; t < count; t++)
        out[t] = begin + t < length ? sampler->text[begin + t] : 0;
}

/* The rank that holds the batch's first example draws: rank 0, whose coordinates are all 0. */
void prt_sample_logits(prt_run *run, prt_dtype dtype, const void *logits, int64_t count)
{
    prt_sampler *sampler = run->sampler;
    const prt_input *tokens = NULL;
    if (sampler == NULL)
        return;
    for (int i = 0; i < run->program->input_count; i++)
        if (run->program->inputs[i].role == PRT_TOKENS)
            tokens = &run->program->inputs[i];
    int64_t positions = tokens->dims[1], vocabulary = tokens->bound;
    if (run->ctx.rank != 0 || sampler->drawn || count < positions * vocabulary)
        return;
    int64_t last = (sampler->length - 1 - window_begin(sampler, positions)) * vocabulary,
            bytes = prt_dtype_bytes(dtype);
    int64_t values = vocabulary < BYTES ? vocabulary : BYTES; /* tokens that are not bytes are never drawn */
    double highest = -INFINITY, sum = 0, row[BYTES];
    prt_fetch(run, row, (const char *)logits + last * bytes, values * bytes);
    for (int64_t v = 0; v < values; v++)
        highest = fmax(highest, prt_number_at(dtype, row, v));
    for (int64_t v = 0; v < values; v++)
        sum += sampler->weights[v] = exp((prt_number_at(dtype, row, v) - highest) / temperature);
    double draw = sum * random_uniform(run->options.seed, random_hash("sample"), 0, (uint64_t)sampler->length);
    int64_t chosen = 0;
    while (chosen + 1 < values && draw >= sampler->weights[chosen])
        draw -= sampler->weights[chosen++];
    sampler->text[sampler->length] = (unsigned char)chosen;
    sampler->drawn = true;
}

void prt_predict_once(prt_run *run)
{
    if (run->program->predict == NULL)
        return;
    run->mode = PRT_PREDICTING;
    run->program->predict(&run->ctx);
    run->mode = PRT_TRAINING;
    run->ctx.at = 0;
}

void prt_sample(prt_run *run)
{
    const prt_program *program = run->program;
    prt_data *data = run->data;
    if (run->options.sample == 0 || program->predict == NULL || program->data != PRT_BYTES)
        return;
    prt_sampler sampler = {.capacity = PROMPT + run->options.sample};
    double weights[BYTES];
    sampler.text = prt_allocate(run, (size_t)sampler.capacity, 1);
    sampler.weights = weights;
    sampler.length = PROMPT < data->positions ? PROMPT : data->positions;
    memcpy(sampler.text, data->file.bytes + data->training, (size_t)sampler.length);
    int64_t prompt = sampler.length;
    run->sampler = &sampler;
    run->mode = PRT_PREDICTING;
    while (sampler.length < prompt + run->options.sample) {
        sampler.drawn = false;
        program->predict(&run->ctx);
        if (run->ctx.rank == 0 && !sampler.drawn)
            prt_fail(&run->ctx, "predict handed out no logits");
        run->comm->broadcast(run->comm, sampler.text + sampler.length, 1, 0);
        sampler.length++;
    }
    run->mode = PRT_TRAINING;
    run->sampler = NULL;
    prt_output_sample(run, sampler.text, prompt, sampler.length);
    free(sampler.text);
}

/* serve.c - adds tokens to prompts: reads them from a file, one per line, runs `prefill` once, then `step` for each new
 * token of every sequence. Rank 0 draws from the logits, with the counter-based generator, and tells the others. */
#include "base/random.h"
#include "runtime/data.h"
#include "runtime/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE = 512, BYTES = 256 };

/* ---- Prompts ------------------------------------------------------------------------------------------------ */

/* The next line that is not empty, from *at on; false at the end of the file. */
static bool next_line(const prt_file *file, int64_t *at, int64_t *begin, int64_t *length)
{
    do {
        *begin = *at;
        while (*at < file->length && file->bytes[*at] != '\n')
            ++*at;
        *length = *at - *begin;
        ++*at;
    } while (*length == 0 && *at < file->length);
    return *length > 0;
}

/* With the tokens of all steps it must fit into the context, but for the last, which is not read. */
static void check_prompt(const prt_run *run, const unsigned char *prompt, int64_t length, char *message)
{
    const prt_sequences *s = run->sequences;
    int64_t bound = prt_data_input(run->program, PRT_TOKENS)->bound;
    if (length - 1 + run->options.steps > s->positions)
        snprintf(message, MESSAGE,
                 "a prompt of %lld tokens, to which %lld are added, in a context of %lld: '%.*s' (--steps adds fewer)",
                 (long long)length, (long long)run->options.steps, (long long)s->positions,
                 length < 40 ? (int)length : 40, (const char *)prompt);
    for (int64_t i = 0; i < length && message[0] == '\0'; i++)
        if (prompt[i] >= bound)
            snprintf(message, MESSAGE, "the prompts have a byte %d; the tokens of this model are 0 to %lld", prompt[i],
                     (long long)bound - 1);
}

/* Sequence i continues the i-th prompt; where there are fewer they begin again. */
static void take_prompts(prt_run *run, char *message)
{
    prt_sequences *s = run->sequences;
    const prt_file *file = &run->data->file;
    int64_t at = 0, begin, length;
    for (int64_t i = 0; i < s->count && message[0] == '\0'; i++) {
        if (!next_line(file, &at, &begin, &length)) {
            at = 0;
            if (!next_line(file, &at, &begin, &length)) {
                snprintf(message, MESSAGE, "'%s' has no prompts: each line that is not empty is one", file->path);
                return;
            }
        }
        check_prompt(run, file->bytes + begin, length, message);
        if (message[0] != '\0')
            return;
        memcpy(s->text + i * s->room, file->bytes + begin, (size_t)length);
        s->prompt[i] = s->length[i] = length;
    }
}

static void open_sequences(prt_run *run)
{
    prt_sequences *s = run->sequences = prt_allocate(run, 1, sizeof *s);
    char message[MESSAGE] = "";
    const prt_input *tokens = prt_data_input(run->program, PRT_TOKENS);
    s->count = run->program->batch;
    s->positions = tokens->dims[1];
    s->room = s->positions + 1;
    s->text = prt_allocate(run, (size_t)(s->count * s->room), 1);
    s->prompt = prt_allocate(run, (size_t)s->count, sizeof *s->prompt);
    s->length = prt_allocate(run, (size_t)s->count, sizeof *s->length);
    s->drawn = prt_allocate(run, (size_t)s->count, 1);
    take_prompts(run, message);
    prt_agree(run, PRT_WORLD, message);
}

static void close_sequences(prt_run *run)
{
    prt_sequences *s = run->sequences;
    free(s->text);
    free(s->prompt);
    free(s->length);
    free(s->drawn);
    free(s);
    run->sequences = NULL;
}

/* ---- What routines read and give ------------------------------------------------------------------------------ */

int64_t prt_serve_token(const prt_run *run, const prt_input *input, int64_t sequence, int64_t position)
{
    const prt_sequences *s = run->sequences;
    const unsigned char *text = s->text + sequence * s->room;
    int64_t last = s->length[sequence] - 1;
    switch (input->role) {
    case PRT_TOKENS:
        return position <= last ? text[position] : 0;
    case PRT_NEXT:
        return text[last];
    case PRT_POSITION:
        return last;
    case PRT_TARGETS:
    case PRT_SEGMENTS:
    case PRT_MASK:
    case PRT_FEATURES:
    case PRT_LABELS:
        break;
    }
    abort(); /* nothing reads others */
}

/* The likeliest of the tokens, the first of equals. */
static int64_t likeliest(prt_dtype dtype, const void *row, int64_t values)
{
    int64_t best = 0;
    for (int64_t v = 1; v < values; v++)
        if (prt_number_at(dtype, row, v) > prt_number_at(dtype, row, best))
            best = v;
    return best;
}

static int64_t draw(prt_dtype dtype, const void *row, int64_t values, double temperature, double uniform)
{
    int64_t chosen = 0;
    double highest = prt_number_at(dtype, row, likeliest(dtype, row, values)), sum = 0;
    for (int64_t v = 0; v < values; v++)
        sum += exp((prt_number_at(dtype, row, v) - highest) / temperature);
    double left = sum * uniform;
    while (chosen + 1 < values) {
        double weight = exp((prt_number_at(dtype, row, chosen) - highest) / temperature);
        if (left < weight)
            break;
        left -= weight;
        chosen++;
    }
    return chosen;
}

void prt_serve_logits(prt_run *run, prt_dtype dtype, const void *logits, int64_t count)
{
    prt_sequences *s = run->sequences;
    double row[BYTES], temperature = run->program->temperature;
    int64_t vocabulary = count / s->count, values = vocabulary < BYTES ? vocabulary : BYTES;
    int64_t bytes = prt_dtype_bytes(dtype);
    if (vocabulary > BYTES && !s->vocabulary_named)
        prt_warn(run, "warning: only the first %d of %lld tokens are drawn: tokens are bytes", BYTES,
                 (long long)vocabulary);
    s->vocabulary_named = true;
    for (int64_t i = 0; i < s->count && run->ctx.rank == 0; i++) {
        prt_fetch(run, row, (const char *)logits + i * vocabulary * bytes, values * bytes);
        double uniform = random_uniform(run->options.seed, random_hash("serve"), (uint64_t)i, (uint64_t)s->length[i]);
        s->drawn[i] = (unsigned char)(temperature > 0 ? draw(dtype, row, values, temperature, uniform)
                                                      : likeliest(dtype, row, values));
    }
}

/* ---- The run ------------------------------------------------------------------------------------------------ */

void prt_serve_open(prt_run *run)
{
    run->mode = PRT_SERVING;
    open_sequences(run);
}

void prt_serve_prefill(prt_run *run)
{
    double began = prt_seconds();
    run->program->prefill(&run->ctx);
    run->comm->barrier(run->comm);
    run->ctx.at = 0;
    run->sequences->prefill_seconds = prt_seconds() - began;
}

void prt_serve_add(prt_run *run, double step_seconds)
{
    prt_sequences *s = run->sequences;
    run->comm->broadcast(run->comm, s->drawn, s->count, 0);
    for (int64_t i = 0; i < s->count; i++)
        s->text[i * s->room + s->length[i]++] = s->drawn[i];
    s->step_seconds += step_seconds;
}

void prt_serve_close(prt_run *run)
{
    const prt_sequences *s = run->sequences;
    prt_output_served(run, s->prefill_seconds, s->step_seconds);
    for (int64_t i = 0; i < s->count; i++)
        prt_output_sample(run, s->text + i * s->room, s->prompt[i], s->length[i]);
    close_sequences(run);
    run->mode = PRT_TRAINING;
}

/* serve.c - adds tokens to prompts: reads them from a file, one per line, as bytes or as numbers, runs `prefill` once,
 * then `step` for each new token of every sequence. Rank 0 draws from the logits, with the counter-based generator, and
 * tells the others. */
#include "base/random.h"
#include "runtime/data.h"
#include "runtime/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE = 512, BYTES = 256 };

/* ---- Prompts ------------------------------------------------------------------------------------------------ */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* One prompt: what a line of the file has. */
typedef struct Line {
    const char *text;
    int64_t length;
} Line;

/* The next line with a prompt, from *at on; false at the end of the file. */
static bool next_line(const prt_file *file, bool numbers, int64_t *at, Line *line)
{
    bool empty = true;
    for (; empty && *at < file->length; ++*at) {
        int64_t begin = *at;
        for (; *at < file->length && file->bytes[*at] != '\n'; ++*at)
            empty = empty && numbers && is_blank((char)file->bytes[*at]);
        *line = (Line){(const char *)file->bytes + begin, *at - begin};
    }
    return !empty;
}

/* The start of it, for messages. */
enum { SHOWN = 40 };

static int shown(const Line *line)
{
    return line->length < SHOWN ? (int)line->length : SHOWN;
}

static void refuse_token(const prt_run *run, const char *what, int length, const char *text, char *message)
{
    snprintf(message, MESSAGE, "the prompts have %s '%.*s'; the tokens of this model are 0 to %lld", what, length, text,
             (long long)prt_data_input(run->program, PRT_TOKENS)->bound - 1);
}

/* Its tokens; those for which there is no room are counted only. */
static int64_t take_bytes(const prt_run *run, const Line *line, int32_t *tokens, char *message)
{
    const prt_sequences *s = run->sequences;
    int64_t bound = prt_data_input(run->program, PRT_TOKENS)->bound;
    for (int64_t i = 0; i < line->length && message[0] == '\0'; i++) {
        int32_t byte = (unsigned char)line->text[i];
        if (byte >= bound)
            snprintf(message, MESSAGE, "the prompts have a byte %d; the tokens of this model are 0 to %lld", byte,
                     (long long)bound - 1);
        if (i < s->room)
            tokens[i] = byte;
    }
    return line->length;
}

/* "464 2068 7586": numbers with blanks between them. */
static int64_t take_numbers(const prt_run *run, const Line *line, int32_t *tokens, char *message)
{
    const prt_sequences *s = run->sequences;
    int64_t bound = prt_data_input(run->program, PRT_TOKENS)->bound, count = 0;
    for (int64_t at = 0; at < line->length && message[0] == '\0';) {
        int64_t begin = at, token = 0;
        for (; at < line->length && !is_blank(line->text[at]); at++) {
            int digit = line->text[at] - '0';
            token = digit >= 0 && digit <= 9 && token < bound ? 10 * token + digit : bound;
        }
        if (at > begin && token >= bound)
            refuse_token(run, at - begin < SHOWN ? "a token" : "a token that begins with",
                         at - begin < SHOWN ? (int)(at - begin) : SHOWN, line->text + begin, message);
        if (at > begin && count++ < s->room)
            tokens[count - 1] = (int32_t)token;
        at += at == begin;
    }
    return count;
}

/* With the tokens of all steps it must fit into the context, but for the last, which is not read. */
static int64_t take_prompt(const prt_run *run, const Line *line, int32_t *tokens, char *message)
{
    const prt_sequences *s = run->sequences;
    bool numbers = run->program->data == PRT_NUMBERS;
    int64_t length = (numbers ? take_numbers : take_bytes)(run, line, tokens, message);
    if (message[0] == '\0' && length - 1 + run->options.steps > s->positions)
        snprintf(message, MESSAGE,
                 "a prompt of %lld tokens, to which %lld are added, in a context of %lld: '%.*s' (--steps adds fewer)",
                 (long long)length, (long long)run->options.steps, (long long)s->positions, shown(line), line->text);
    return length;
}

/* Sequence i continues the i-th prompt; where there are fewer they begin again. */
static void take_prompts(prt_run *run, char *message)
{
    prt_sequences *s = run->sequences;
    const prt_file *file = &run->data->file;
    bool numbers = run->program->data == PRT_NUMBERS;
    int64_t at = 0;
    Line line;
    for (int64_t i = 0; i < s->count && message[0] == '\0'; i++) {
        if (!next_line(file, numbers, &at, &line)) {
            at = 0;
            if (!next_line(file, numbers, &at, &line)) {
                snprintf(message, MESSAGE, "'%s' has no prompts: each line that is not empty is one", file->path);
                return;
            }
        }
        s->prompt[i] = s->length[i] = take_prompt(run, &line, s->text + i * s->room, message);
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
    s->text = prt_allocate(run, (size_t)(s->count * s->room), sizeof *s->text);
    s->prompt = prt_allocate(run, (size_t)s->count, sizeof *s->prompt);
    s->length = prt_allocate(run, (size_t)s->count, sizeof *s->length);
    s->drawn = prt_allocate(run, (size_t)s->count, sizeof *s->drawn);
    s->row = prt_allocate(run, (size_t)tokens->bound, sizeof *s->row);
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
    free(s->row);
    free(s);
    run->sequences = NULL;
}

/* ---- What routines read and give ------------------------------------------------------------------------------ */

int64_t prt_serve_token(const prt_run *run, const prt_input *input, int64_t sequence, int64_t position)
{
    const prt_sequences *s = run->sequences;
    const int32_t *text = s->text + sequence * s->room;
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
    double temperature = run->program->temperature;
    int64_t vocabulary = count / s->count, bytes = prt_dtype_bytes(dtype);
    int64_t values = run->program->data == PRT_NUMBERS || vocabulary < BYTES ? vocabulary : BYTES;
    if (values < vocabulary && !s->vocabulary_named)
        prt_warn(run,
                 "warning: only the first %d of %lld tokens are drawn: tokens are bytes (`prompts tokens` takes "
                 "and gives numbers)",
                 BYTES, (long long)vocabulary);
    s->vocabulary_named = true;
    for (int64_t i = 0; i < s->count && run->ctx.rank == 0; i++) {
        prt_fetch(run, s->row, (const char *)logits + i * vocabulary * bytes, values * bytes);
        double uniform = random_uniform(run->options.seed, random_hash("serve"), (uint64_t)i, (uint64_t)s->length[i]);
        s->drawn[i] = (int32_t)(temperature > 0 ? draw(dtype, s->row, values, temperature, uniform)
                                                : likeliest(dtype, s->row, values));
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
    run->comm->broadcast(run->comm, s->drawn, s->count * (int64_t)sizeof *s->drawn, 0);
    for (int64_t i = 0; i < s->count; i++)
        s->text[i * s->room + s->length[i]++] = s->drawn[i];
    s->step_seconds += step_seconds;
}

/* What a sequence has, as text. */
static void print_bytes(prt_run *run, const int32_t *tokens, int64_t prompt, int64_t length)
{
    unsigned char *text = prt_allocate(run, (size_t)length, 1);
    for (int64_t i = 0; i < length; i++)
        text[i] = (unsigned char)tokens[i];
    prt_output_sample(run, text, prompt, length);
    free(text);
}

void prt_serve_close(prt_run *run)
{
    const prt_sequences *s = run->sequences;
    prt_output_served(run, s->prefill_seconds, s->step_seconds);
    for (int64_t i = 0; i < s->count; i++)
        (run->program->data == PRT_NUMBERS ? prt_output_tokens : print_bytes)(run, s->text + i * s->room, s->prompt[i],
                                                                              s->length[i]);
    close_sequences(run);
    run->mode = PRT_TRAINING;
}

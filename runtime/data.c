/* data.c - reads examples from a file or makes synthetic ones (specified in data.h). */
#include "runtime/data.h"
#include "base/random.h"
#include "runtime/number.h"
#include "runtime/view.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int64_t prt_data_window(uint64_t seed, int64_t number, int64_t windows)
{
    int64_t window = (int64_t)(random_uniform(seed, random_hash("data"), 0, (uint64_t)number) * (double)windows);
    return window < windows ? window : windows - 1;
}

double prt_data_feature(uint64_t seed, const char *name, int64_t number, int64_t width, int64_t j)
{
    return random_normal(seed, random_hash(name), 1, (uint64_t)(number * width + j));
}

/* Directions are the same for every seed: the task does not change with it. */
double prt_data_direction(int64_t output, int64_t j)
{
    return random_normal(0, random_hash("directions"), (uint32_t)output, (uint64_t)j);
}

int64_t prt_data_token(uint64_t seed, int64_t number, int64_t position, int64_t bound)
{
    RandomWords words = random_words(seed, random_hash("data"), 0, (uint64_t)number);
    return (int64_t)((words.word[0] + (uint64_t)position * (1 + words.word[1] % 3)) % (uint64_t)bound);
}

/* What the generator draws for a token decides all that happens to it. */
static RandomWords mask_words(uint64_t seed, int64_t number, int64_t position)
{
    return random_words(seed, random_hash("mask"), (uint32_t)position, (uint64_t)number);
}

bool prt_data_hides(uint64_t seed, int64_t number, int64_t position)
{
    return mask_words(seed, number, position).word[0] < 0.15 * 0x1p32;
}

int64_t prt_data_shown(uint64_t seed, int64_t number, int64_t position, int64_t token, int64_t bound)
{
    RandomWords words = mask_words(seed, number, position);
    if (!prt_data_hides(seed, number, position) || words.word[1] < 0.1 * 0x1p32)
        return token;
    return words.word[1] < 0.2 * 0x1p32 ? words.word[2] % (bound - 1) : bound - 1;
}

/* ---- Opening ------------------------------------------------------------------------------------------------ */

const prt_input *prt_data_input(const prt_program *program, prt_role role)
{
    for (int i = 0; i < program->input_count; i++)
        if (program->inputs[i].role == role)
            return &program->inputs[i];
    return NULL;
}

int64_t prt_data_elements(const prt_input *input)
{
    int64_t elements = 1;
    for (int d = 1; d < input->dim_count; d++)
        elements *= input->dims[d];
    return elements;
}

static void open_synthetic(prt_run *run)
{
    const prt_program *program = run->program;
    const prt_input *features = prt_data_input(program, PRT_FEATURES), *labels = prt_data_input(program, PRT_LABELS);
    prt_data *data = run->data;
    data->eval_batches = PRT_EVAL_BATCHES;
    if (features == NULL)
        return;
    for (int i = 0; i < program->input_count; i++)
        if (program->inputs[i].role == PRT_LABELS && &program->inputs[i] != labels)
            prt_stop(run, PRT_WRONG, "synthetic data has one input of labels: '%s' or '%s', not both", labels->name,
                     program->inputs[i].name);
    data->width = prt_data_elements(features);
    data->outputs = labels == NULL ? 0 : labels->bound > 0 ? labels->bound : prt_data_elements(labels);
    data->features = prt_allocate(run, (size_t)data->width, sizeof(double));
    data->scores = prt_allocate(run, (size_t)data->outputs, sizeof(double));
    data->directions = prt_allocate(run, (size_t)(data->outputs * data->width), sizeof(double));
    for (int64_t output = 0; output < data->outputs; output++)
        for (int64_t j = 0; j < data->width; j++)
            data->directions[output * data->width + j] = prt_data_direction(output, j);
}

void prt_data_open(prt_run *run)
{
    run->data = prt_allocate(run, 1, sizeof *run->data);
    if (run->program->prefill != NULL) {
        prt_prompts_open(run);
        return;
    }
    switch (run->program->data) {
    case PRT_BYTES:
    case PRT_U16:
    case PRT_U32:
        prt_tokens_open(run);
        break;
    case PRT_IMAGES:
        prt_images_open(run);
        break;
    case PRT_SYNTHETIC:
        open_synthetic(run);
        break;
    case PRT_NUMBERS:
        abort(); /* prompts, which were opened above */
    }
}

static void forget_batch(prt_run *run)
{
    for (int i = 0; i < run->program->input_count && run->inputs != NULL; i++)
        free(run->inputs[i]);
    free(run->inputs);
    free(run->input_rows);
    free(run->input_layouts);
    run->inputs = NULL;
}

void prt_data_close(prt_run *run)
{
    prt_data *data = run->data;
    prt_files_close(data);
    free(data->directions);
    free(data->features);
    free(data->scores);
    free(data);
    run->data = NULL;
    forget_batch(run);
}

static uint64_t mark_of(uint64_t hash, const prt_file *file)
{
    uint64_t word;
    hash ^= (uint64_t)file->length;
    for (int64_t i = 0; i < file->length; i += (int64_t)sizeof word) {
        int64_t left = file->length - i;
        word = 0;
        memcpy(&word, file->bytes + i, left < (int64_t)sizeof word ? (size_t)left : sizeof word);
        hash = (hash ^ word) * 0x100000001B3u;
        hash ^= hash >> 32;
    }
    return hash;
}

uint64_t prt_data_mark(prt_run *run)
{
    prt_data *data = run->data;
    if (data->file.bytes != NULL && data->mark == 0)
        data->mark = mark_of(mark_of(0, &data->file), &data->labels);
    return data->mark;
}

/* ---- Reading ------------------------------------------------------------------------------------------------ */

/* The number of an example of the current batch: a step's examples are first those of the first copy. */
static int64_t example_number(const prt_run *run, int64_t example)
{
    const prt_place here = prt_place_of(&run->ctx, 0);
    int64_t batches =
        run->mode == PRT_EVALUATING ? run->eval_batch : run->ctx.step; /* of all copies, before this one */
    int64_t number = (batches * prt_copies(run->program) + prt_place_copy(&here)) * run->program->batch + example;
    return run->mode == PRT_EVALUATING ? PRT_HELD_OUT_EXAMPLE + number : number;
}

/* Where an example's window of so many tokens, or its image, begins in the file. */
static int64_t window_start(const prt_run *run, int64_t example, int64_t extent)
{
    const prt_data *data = run->data;
    int64_t number = example_number(run, example);
    if (run->mode == PRT_TRAINING)
        return prt_data_window(run->options.seed, number, data->training - extent);
    int64_t count = data->eval_batches * prt_copies(run->program) * run->program->batch;
    int64_t windows = data->length - data->training - extent;
    return data->training + (number - PRT_HELD_OUT_EXAMPLE) * windows / count;
}

/* Some of what an example of the batch has of an input: elements first .. first + count - 1, row-major. */
typedef struct Piece {
    int64_t example, first, count;
} Piece;

/* A token of an example; in masked data the last entry of the vocabulary is none. */
static int64_t token_at(prt_run *run, int64_t example, int64_t position, int64_t bound)
{
    bound -= run->program->masked;
    if (run->program->data == PRT_SYNTHETIC)
        return prt_data_token(run->options.seed, example_number(run, example), position, bound);
    return prt_tokens_at(run, window_start(run, example, run->data->positions) + position, bound);
}

static int64_t masked_token(prt_run *run, const prt_input *input, int64_t example, int64_t position)
{
    int64_t number = example_number(run, example), bound = prt_data_input(run->program, PRT_TOKENS)->bound;
    switch (input->role) {
    case PRT_TOKENS:
        return prt_data_shown(run->options.seed, number, position, token_at(run, example, position, bound), bound);
    case PRT_TARGETS:
        return token_at(run, example, position, bound);
    case PRT_SEGMENTS:
        return position >= (prt_data_elements(input) + 1) / 2;
    case PRT_MASK:
        return prt_data_hides(run->options.seed, number, position);
    case PRT_NEXT:
    case PRT_POSITION:
    case PRT_FEATURES:
    case PRT_LABELS:
        break;
    }
    abort(); /* they are no tokens */
}

static void read_tokens(prt_run *run, const prt_input *input, const Piece *piece, int32_t *out)
{
    int64_t later = input->role == PRT_TARGETS ? 1 : 0;
    for (int64_t t = 0; t < piece->count; t++)
        out[t] =
            (int32_t)(run->program->masked ? masked_token(run, input, piece->example, piece->first + t)
                                           : token_at(run, piece->example, piece->first + t + later, input->bound));
}

/* Draws an example's features into data->features. */
static void draw_features(const prt_run *run, int64_t number)
{
    const prt_data *data = run->data;
    const char *name = prt_data_input(run->program, PRT_FEATURES)->name;
    for (int64_t j = 0; j < data->width; j++)
        data->features[j] = prt_data_feature(run->options.seed, name, number, data->width, j);
}

/* The scores of an example, unless they are there from its piece before. */
static void draw_labels(const prt_run *run, int64_t number)
{
    prt_data *data = run->data;
    if (data->has_scores && data->scored == number)
        return;
    draw_features(run, number);
    for (int64_t output = 0; output < data->outputs; output++) {
        const double *direction = data->directions + output * data->width;
        double product = 0;
        for (int64_t j = 0; j < data->width; j++)
            product += direction[j] * data->features[j];
        data->scores[output] = tanh(product / sqrt((double)data->width));
    }
    data->has_scores = true;
    data->scored = number;
}

static int64_t best(const double *scores, int64_t count)
{
    int64_t found = 0;
    for (int64_t i = 1; i < count; i++)
        if (scores[i] > scores[found])
            found = i;
    return found;
}

static void make_features(const prt_run *run, const prt_input *input, const Piece *piece, void *out)
{
    int64_t number = example_number(run, piece->example), elements = prt_data_elements(input);
    for (int64_t i = 0; i < piece->count; i++)
        prt_number_put(input->dtype, out, i,
                       prt_data_feature(run->options.seed, input->name, number, elements, piece->first + i));
}

static void make_labels(const prt_run *run, const prt_input *input, const Piece *piece, void *out)
{
    const prt_data *data = run->data;
    draw_labels(run, example_number(run, piece->example));
    for (int64_t i = 0; i < piece->count; i++)
        prt_number_put(input->dtype, out, i,
                       input->bound > 0 ? (double)best(data->scores, data->outputs) : data->scores[piece->first + i]);
}

static void read_image(prt_run *run, const prt_input *input, const Piece *piece, void *out)
{
    int64_t image = window_start(run, piece->example, 0);
    for (int64_t i = 0; i < piece->count; i++)
        prt_number_put(input->dtype, out, i,
                       input->role == PRT_LABELS ? (double)prt_images_label(run, input, image)
                                                 : prt_images_pixel(run->data, input, image, piece->first + i));
}

static bool is_tokens(const prt_input *input)
{
    switch (input->role) {
    case PRT_TOKENS:
    case PRT_TARGETS:
    case PRT_SEGMENTS:
    case PRT_MASK:
    case PRT_NEXT:
    case PRT_POSITION:
        return true;
    case PRT_FEATURES:
    case PRT_LABELS:
        return false;
    }
    abort();
}

static void read_piece(prt_run *run, const prt_input *input, const Piece *piece, void *out)
{
    if (run->mode == PRT_SERVING)
        for (int64_t i = 0; i < piece->count; i++)
            prt_number_put(input->dtype, out, i, (double)prt_serve_token(run, input, piece->example, piece->first + i));
    else if (run->mode == PRT_PREDICTING && is_tokens(input))
        prt_sample_read(run, input, piece->first, piece->count, out);
    else if (is_tokens(input) && run->program->data != PRT_IMAGES)
        read_tokens(run, input, piece, out);
    else if (run->program->data == PRT_IMAGES)
        read_image(run, input, piece, out);
    else if (run->data->width > 0 && input->role == PRT_LABELS)
        make_labels(run, input, piece, out);
    else if (run->data->width > 0)
        make_features(run, input, piece, out);
    else
        prt_fail(&run->ctx, "the data has nothing for input '%s'", input->name);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Are all positions those of elements? */
static bool is_filled(const prt_view *view)
{
    bool filled = true;
    for (int i = 0; i < view->dim_count; i++) {
        const prt_view_dim *dim = &view->dims[i];
        filled = filled && dim->part_count == 1 && dim->parts[0].count == dim->room;
    }
    return filled;
}

/* Made on the host, and brought to `out` part by part. A stretch of elements goes from example to example. */
static void read_layout(prt_run *run, const prt_input *input, const prt_place *place, const prt_layout *layout,
                        char *out)
{
    static _Alignas(8) char part[1 << 16];
    int64_t elements = prt_data_elements(input), bytes = prt_dtype_bytes(input->dtype);
    int64_t most = (int64_t)sizeof part / bytes;
    prt_view view = prt_view_of(place, layout);
    prt_walk walk;
    prt_stretch stretch;
    if (!is_filled(&view))
        run->device->fill(input->dtype, out, view.room, 0, 0);
    for (prt_walk_start(&walk, place, layout); prt_walk_next(&walk, &stretch);)
        for (int64_t done = 0; done < stretch.count;) {
            int64_t element = stretch.element + done;
            Piece piece = {element / elements, element % elements, elements - element % elements};
            piece.count = least(least(piece.count, stretch.count - done), most);
            read_piece(run, input, &piece, part);
            prt_store(run, out + (stretch.at + done) * bytes, part, piece.count * bytes);
            done += piece.count;
        }
}

void prt_read(prt_context *ctx, int input, int layout, int64_t micro, void *out)
{
    const prt_program *program = ctx->run->program;
    prt_place place = prt_place_of(ctx, micro);
    double began = prt_profile_begin(ctx->run);
    read_layout(ctx->run, &program->inputs[input], &place, &program->layouts[layout], out);
    prt_profile_call(
        ctx->run, began, program->inputs[input].name,
        prt_view_of(&place, &program->layouts[layout]).room * prt_dtype_bytes(program->inputs[input].dtype), 0);
}

void prt_data_keep_batch(prt_run *run)
{
    const prt_program *program = run->program;
    prt_place place = prt_place_of(&run->ctx, 0);
    run->inputs = prt_allocate(run, (size_t)program->input_count, sizeof *run->inputs);
    run->input_rows = prt_allocate(run, (size_t)program->input_count, sizeof *run->input_rows);
    run->input_layouts = prt_allocate(run, (size_t)program->input_count, sizeof *run->input_layouts);
    for (int i = 0; i < program->input_count; i++) {
        const prt_input *input = &program->inputs[i];
        prt_state *row = &run->input_rows[i];
        prt_layout *whole = &run->input_layouts[i];
        *row = (prt_state){.state = "inputs", .dtype = input->dtype, .slots = 1, .tensor = -1};
        *whole = (prt_layout){.unit = -1, .dim_count = input->dim_count};
        for (int d = 0; d < input->dim_count; d++)
            whole->dims[d].size = input->dims[d];
        row->slot_bytes = program->batch * prt_data_elements(input) * prt_dtype_bytes(input->dtype);
        run->inputs[i] = prt_allocate(run, (size_t)row->slot_bytes, 1);
        read_layout(run, input, &place, whole, (char *)run->inputs[i]);
    }
}

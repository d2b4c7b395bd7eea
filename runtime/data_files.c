/* data_files.c - examples in files: tokens, one after another, and images with their labels in the IDX format (of the
 * MNIST database): two zero bytes, the type (8: bytes), the number of dims, their sizes in 4 bytes each, the highest
 * first, and the elements. Images are [images, rows, columns] or [images, channels, rows, columns]. */
#include "runtime/data.h"
#include "runtime/view.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MESSAGE = 512 };

/* ---- Files -------------------------------------------------------------------------------------------------- */

/* Maps the file; an error goes into message. */
static void map_file(prt_file *file, const char *path, const char *what, const char *option, char *message)
{
    if (path == NULL) {
        snprintf(message, MESSAGE, "no %s: name the file to train on with %s FILE", what, option);
        return;
    }
    int opened = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status = {0};
    if (opened < 0 || fstat(opened, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0) {
        snprintf(message, MESSAGE, "cannot read the %s file '%s': %s (%s FILE names another)", what, path,
                 opened < 0                ? strerror(errno)
                 : S_ISREG(status.st_mode) ? "it is empty"
                                           : "not a regular file",
                 option);
        if (opened >= 0)
            close(opened);
        return;
    }
    void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, opened, 0);
    close(opened);
    if (bytes == MAP_FAILED)
        snprintf(message, MESSAGE, "cannot map the %s file '%s': %s", what, path, strerror(errno));
    else
        *file = (prt_file){path, bytes, status.st_size};
}

static void unmap_file(prt_file *file)
{
    if (file->bytes != NULL)
        munmap((void *)file->bytes, (size_t)file->length);
}

void prt_files_close(prt_data *data)
{
    unmap_file(&data->file);
    unmap_file(&data->labels);
}

/* Whole batches of the held-out examples, at least one. */
static void count_batches(const prt_run *run, int64_t held_out)
{
    int64_t batches = held_out / (run->program->batch * prt_copies(run->program));
    run->data->eval_batches = batches > PRT_EVAL_BATCHES ? PRT_EVAL_BATCHES : batches > 0 ? batches : 1;
}

/* ---- Tokens ------------------------------------------------------------------------------------------------- */

static int64_t token_bytes(const prt_program *program)
{
    switch (program->data) {
    case PRT_BYTES:
        return 1;
    case PRT_U16:
        return 2;
    case PRT_U32:
        return 4;
    case PRT_IMAGES:
    case PRT_SYNTHETIC:
    case PRT_NUMBERS:
        break;
    }
    abort(); /* they have no tokens in a file */
}

/* The inputs that data of tokens needs. */
static const prt_input *check_inputs(prt_run *run)
{
    const prt_program *program = run->program;
    const prt_input *tokens = prt_data_input(program, PRT_TOKENS);
    if (tokens == NULL)
        prt_stop(run, PRT_WRONG, "data of tokens feeds a model with an input of tokens; this one has none");
    if (program->masked && prt_data_input(program, PRT_MASK) == NULL)
        prt_stop(run, PRT_WRONG,
                 "masked data says which tokens are to be found; this model has no input of integers for it");
    int64_t least = program->masked ? 257 : 256;
    if (program->data == PRT_BYTES && tokens->bound > 0 && tokens->bound < least)
        prt_stop(run, PRT_WRONG, "data of bytes has %lld values; the vocabulary of '%s' has %lld", (long long)least,
                 tokens->name, (long long)tokens->bound);
    return tokens;
}

static void check_length(prt_run *run, char *message)
{
    prt_data *data = run->data;
    int64_t bytes = token_bytes(run->program), needed = (data->positions + 1) * PRT_HELD_OUT_PART;
    data->length = data->file.length / bytes;
    data->training = data->length - data->length / PRT_HELD_OUT_PART;
    if (data->file.length % bytes != 0)
        snprintf(message, MESSAGE, "the data file '%s' has %" PRId64 " bytes; tokens have %" PRId64 " bytes each",
                 data->file.path, data->file.length, bytes);
    else if (data->length / PRT_HELD_OUT_PART < data->positions + 1)
        snprintf(message, MESSAGE,
                 "the data file '%s' has %" PRId64 " %s; %" PRId64 " are needed for examples of %" PRId64
                 " tokens and a held-out tenth",
                 data->file.path, data->length, bytes == 1 ? "bytes" : "tokens", needed, data->positions);
}

void prt_tokens_open(prt_run *run)
{
    prt_data *data = run->data;
    char message[MESSAGE] = "";
    data->positions = prt_data_elements(check_inputs(run));
    map_file(&data->file, run->options.data, "data", "--data", message);
    if (data->file.bytes != NULL)
        check_length(run, message);
    prt_agree(run, PRT_WORLD, message);
    count_batches(run, (data->length - data->training - 1) / data->positions);
}

void prt_prompts_open(prt_run *run)
{
    char message[MESSAGE] = "";
    if (run->options.data == NULL)
        prt_stop(run, PRT_USAGE, "there are no prompts: name a file with one on each line (--data FILE)");
    map_file(&run->data->file, run->options.data, "prompts", "--data", message);
    prt_agree(run, PRT_WORLD, message);
}

int64_t prt_tokens_at(prt_run *run, int64_t position, int64_t bound)
{
    int64_t bytes = token_bytes(run->program);
    const unsigned char *first = run->data->file.bytes + position * bytes;
    int64_t token = 0;
    for (int64_t i = bytes; i-- > 0;)
        token = token << 8 | first[i];
    if (token >= bound)
        prt_fail(&run->ctx, "token %lld of the data file '%s' is %lld; the tokens of this model are 0 to %lld",
                 (long long)position, run->data->file.path, (long long)token, (long long)bound - 1);
    return token;
}

/* ---- Images ------------------------------------------------------------------------------------------------- */

static int64_t big_endian(const unsigned char *bytes)
{
    return (int64_t)bytes[0] << 24 | (int64_t)bytes[1] << 16 | (int64_t)bytes[2] << 8 | bytes[3];
}

/* Reads a header with `least` to `most` dims; false with a message if the file is not of that format. The header has 4
 * bytes and 4 more for every dim. */
static bool read_header(const prt_file *file, int least, int most, int *count, int64_t dims[4], char *message)
{
    const unsigned char *bytes = file->bytes;
    bool good = file->length >= 4 && bytes[0] == 0 && bytes[1] == 0 && bytes[2] == 8 && bytes[3] >= least &&
                bytes[3] <= most && file->length >= 4 + 4 * bytes[3];
    if (!good) {
        snprintf(message, MESSAGE, "'%s' is not a file of %s in the IDX format, with bytes in %s dims", file->path,
                 most == 1 ? "labels" : "images", most == 1 ? "1" : "3 or 4");
        return false;
    }
    *count = bytes[3];
    int64_t expected = 4 + 4 * *count, elements = 1;
    for (int i = 0; i < *count; i++) {
        dims[i] = big_endian(bytes + 4 + 4 * i);
        if (dims[i] > 0 && elements > file->length / dims[i])
            elements = file->length; /* more than there are: refused below */
        else
            elements *= dims[i];
    }
    if (expected + elements == file->length)
        return true;
    snprintf(message, MESSAGE, "'%s' has %" PRId64 " bytes, not those that its header says", file->path, file->length);
    return false;
}

/* Rows and columns of an image are the last two dims of the input, if it has them, and may be fewer: the image is then
 * in the middle, with zeros around it. Inputs of one dim have its elements in order. */
static bool image_fits(const prt_data *data, const prt_input *input)
{
    int dims = input->dim_count;
    int64_t pixels = data->rows * data->columns;
    if (dims == 2)
        return input->dims[1] == data->channels * pixels;
    int64_t channels = dims > 3 ? prt_data_elements(input) / (input->dims[dims - 2] * input->dims[dims - 1]) : 1;
    return channels == data->channels && input->dims[dims - 2] >= data->rows && input->dims[dims - 1] >= data->columns;
}

static void check_images(prt_run *run, const prt_input *input, char *message)
{
    prt_data *data = run->data;
    int64_t dims[4], labels[4];
    int count, one;
    if (!read_header(&data->file, 3, 4, &count, dims, message) ||
        !read_header(&data->labels, 1, 1, &one, labels, message))
        return;
    data->header = 4 + 4 * count;
    data->channels = count == 4 ? dims[1] : 1;
    data->rows = dims[count - 2];
    data->columns = dims[count - 1];
    data->length = dims[0];
    data->training = data->length - data->length / PRT_HELD_OUT_PART;
    if (labels[0] != dims[0])
        snprintf(message, MESSAGE, "'%s' has %" PRId64 " images, '%s' %" PRId64 " labels", data->file.path, dims[0],
                 data->labels.path, labels[0]);
    else if (data->length < PRT_HELD_OUT_PART)
        snprintf(message, MESSAGE, "'%s' has %" PRId64 " images; %d are needed, of which a tenth is held out",
                 data->file.path, data->length, (int)PRT_HELD_OUT_PART);
    else if (!image_fits(data, input))
        snprintf(message, MESSAGE,
                 "images of %" PRId64 " x %" PRId64 " x %" PRId64 " (channels, rows, columns) in '%s' do not fit into "
                 "the input '%s'",
                 data->channels, data->rows, data->columns, data->file.path, input->name);
}

void prt_images_open(prt_run *run)
{
    prt_data *data = run->data;
    const prt_input *input = prt_data_input(run->program, PRT_FEATURES);
    char message[MESSAGE] = "";
    if (input == NULL || input->dim_count < 2)
        prt_stop(run, PRT_WRONG, "data of images feeds a model with an input of images; this one has none");
    map_file(&data->file, run->options.data, "data", "--data", message);
    if (message[0] == '\0')
        map_file(&data->labels, run->options.labels, "labels", "--labels", message);
    if (message[0] == '\0')
        check_images(run, input, message);
    prt_agree(run, PRT_WORLD, message);
    count_batches(run, data->length - data->training);
}

double prt_images_pixel(const prt_data *data, const prt_input *input, int64_t image, int64_t element)
{
    int64_t pixels = data->channels * data->rows * data->columns;
    const unsigned char *first = data->file.bytes + data->header + image * pixels;
    if (input->dim_count == 2)
        return first[element] / 255.0;
    int64_t rows = input->dims[input->dim_count - 2], columns = input->dims[input->dim_count - 1];
    int64_t row = element / columns % rows - (rows - data->rows) / 2;
    int64_t column = element % columns - (columns - data->columns) / 2, channel = element / columns / rows;
    bool inside = row >= 0 && row < data->rows && column >= 0 && column < data->columns;
    return inside ? first[(channel * data->rows + row) * data->columns + column] / 255.0 : 0;
}

int64_t prt_images_label(prt_run *run, const prt_input *input, int64_t image)
{
    int64_t label = run->data->labels.bytes[8 + image];
    if (label >= input->bound)
        prt_fail(&run->ctx, "label %lld of '%s' is %lld; the classes of this model are 0 to %lld", (long long)image,
                 run->data->labels.path, (long long)label, (long long)input->bound - 1);
    return label;
}

#include "bench/distpar/models.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NUMBERS = 5 };

/* A model that is being read, and the shape of what its last layer makes. Tokens are the height. */
typedef struct Reader {
    Model *model;
    double batch, channels, height, width;
    const double *numbers; /* of the line */
} Reader;

static _Noreturn void fail(const Reader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "models.txt: %s: ", reader->model->name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    exit(1);
}

static double elements(const Reader *reader)
{
    return reader->batch * reader->channels * reader->height * reader->width;
}

/* Adds an operator from the input's elements to the current shape. */
static void add(Reader *reader, ChainOperation operation, double input, double weight)
{
    Model *model = reader->model;
    if (model->count == MOST_CHAIN_OPERATORS)
        fail(reader, "more than %d operators", MOST_CHAIN_OPERATORS);
    double output = operation == CHAIN_LOSS ? 0 : elements(reader);
    model->operators[model->count++] = (ChainOperator){operation, reader->batch, input, output, weight};
    model->parameters += weight;
}

static void make_map(Reader *reader)
{
    add(reader, CHAIN_MAP, elements(reader), 0);
}

static void add_norm(Reader *reader, ChainOperation operation)
{
    add(reader, operation, elements(reader), 2 * reader->channels);
}

static void make_norm(Reader *reader)
{
    add_norm(reader, CHAIN_BATCH_NORM);
}

/* Moves a window over the places of each channel. */
static void slide(Reader *reader, double kernel, double stride, double pad)
{
    reader->height = floor((reader->height + 2 * pad - kernel) / stride) + 1;
    reader->width = floor((reader->width + 2 * pad - kernel) / stride) + 1;
}

static void add_conv(Reader *reader, double channels, double kernel, double stride, double pad, double bias)
{
    double input = elements(reader), weight = channels * (reader->channels * kernel * kernel + bias);
    slide(reader, kernel, stride, pad);
    reader->channels = channels;
    add(reader, CHAIN_LINEAR, input, weight);
}

static void add_depthwise(Reader *reader, double stride)
{
    double input = elements(reader);
    slide(reader, 3, stride, 1);
    add(reader, CHAIN_DEPTHWISE, input, 9 * reader->channels);
}

static void make_conv(Reader *reader)
{
    const double *n = reader->numbers;
    add_conv(reader, n[0], n[1], n[2], n[3], n[4]);
}

static void make_pool(Reader *reader)
{
    double input = elements(reader);
    slide(reader, reader->numbers[0], reader->numbers[1], reader->numbers[2]);
    add(reader, CHAIN_MAP, input, 0);
}

static void make_mean(Reader *reader)
{
    double input = elements(reader);
    reader->height = reader->width = 1;
    add(reader, CHAIN_MAP, input, 0);
}

static void make_flatten(Reader *reader)
{
    reader->channels *= reader->height * reader->width;
    reader->height = reader->width = 1;
    make_map(reader);
}

static void add_linear(Reader *reader, double channels)
{
    add_conv(reader, channels, 1, 1, 0, 1);
}

static void make_linear(Reader *reader)
{
    add_linear(reader, reader->numbers[0]);
}

static void make_bottleneck(Reader *reader)
{
    double channels = reader->numbers[0], stride = reader->numbers[1];
    for (double left = reader->numbers[2]; left > 0; left--, stride = 1) {
        if (stride != 1 || reader->channels != 4 * channels)
            reader->model->parameters += 4 * channels * (reader->channels + 2); /* of the skip */
        add_conv(reader, channels, 1, 1, 0, 0);
        make_norm(reader);
        make_map(reader);
        add_conv(reader, channels, 3, stride, 1, 0);
        make_norm(reader);
        make_map(reader);
        add_conv(reader, 4 * channels, 1, 1, 0, 0);
        make_norm(reader);
        make_map(reader);
    }
}

static void make_inverted(Reader *reader)
{
    double times = reader->numbers[0], stride = reader->numbers[2];
    for (double left = reader->numbers[3]; left > 0; left--, stride = 1) {
        if (times != 1) {
            add_conv(reader, times * reader->channels, 1, 1, 0, 0);
            make_norm(reader);
            make_map(reader);
        }
        add_depthwise(reader, stride);
        make_norm(reader);
        make_map(reader);
        add_conv(reader, reader->numbers[1], 1, 1, 0, 0);
        make_norm(reader);
    }
}

static void make_embedding(Reader *reader)
{
    reader->height = reader->numbers[0];
    reader->channels = reader->numbers[1];
    reader->width = 1;
    add(reader, CHAIN_EMBEDDING, 0, reader->numbers[2] * reader->channels);
    add_norm(reader, CHAIN_LAYER_NORM);
}

/* Attention is split by heads or by rows: a map of the queries, keys and values to the result. */
static void make_encoder(Reader *reader)
{
    double hidden = reader->channels;
    for (double left = reader->numbers[1]; left > 0; left--) {
        add_linear(reader, 3 * hidden);
        double input = elements(reader);
        reader->channels = hidden;
        add(reader, CHAIN_MAP, input, 0);
        add_linear(reader, hidden);
        add_norm(reader, CHAIN_LAYER_NORM);
        add_linear(reader, reader->numbers[0]);
        make_map(reader);
        add_linear(reader, hidden);
        add_norm(reader, CHAIN_LAYER_NORM);
    }
}

static void make_loss(Reader *reader)
{
    add(reader, CHAIN_LOSS, elements(reader), 0);
}

static void make_input(Reader *reader)
{
    reader->channels = reader->numbers[0];
    reader->height = reader->numbers[1];
    reader->width = reader->numbers[2];
}

static const struct Layer {
    const char *name;
    int numbers;
    void (*make)(Reader *reader);
} layers[] = {
    {"input", 3, make_input},       {"embedding", 3, make_embedding},
    {"conv", 5, make_conv},         {"norm", 0, make_norm},
    {"pool", 3, make_pool},         {"mean", 0, make_mean},
    {"relu", 0, make_map},          {"flatten", 0, make_flatten},
    {"linear", 1, make_linear},     {"bottleneck", 3, make_bottleneck},
    {"inverted", 4, make_inverted}, {"encoder", 2, make_encoder},
    {"first", 0, make_mean},        {"loss", 0, make_loss},
};

/* The numbers after the word; -1: something else. */
static int read_numbers(double numbers[MOST_NUMBERS])
{
    int count = 0;
    for (char *text = strtok(NULL, " \n"); text; text = strtok(NULL, " \n")) {
        char *end;
        if (count == MOST_NUMBERS)
            return -1;
        numbers[count++] = strtod(text, &end);
        if (end == text || *end)
            return -1;
    }
    return count;
}

static void read_layer(Reader *reader, char *word)
{
    double numbers[MOST_NUMBERS];
    int count = read_numbers(numbers);
    reader->numbers = numbers;
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
        if (strcmp(layers[i].name, word) != 0)
            continue;
        if (count != layers[i].numbers)
            fail(reader, "'%s' takes %d numbers", word, layers[i].numbers);
        layers[i].make(reader);
        return;
    }
    fail(reader, "there is no layer '%s'", word);
}

static void check_parameters(const Reader *reader)
{
    const char *text = strtok(NULL, " \n");
    double published = text ? strtod(text, NULL) : 0;
    if (reader->model->parameters != published)
        fail(reader, "%.0f parameters, not the published %.0f", reader->model->parameters, published);
}

bool read_model(FILE *file, double batch, Model *model)
{
    char line[256];
    Reader reader = {.model = model, .batch = batch};
    *model = (Model){.name = ""};
    while (fgets(line, sizeof line, file)) {
        char *word = line[0] == '#' ? NULL : strtok(line, " \n");
        if (!word)
            continue;
        if (strcmp(word, "model") == 0) {
            const char *name = strtok(NULL, " \n");
            snprintf(model->name, sizeof model->name, "%s", name ? name : "");
        } else if (strcmp(word, "parameters") == 0) {
            check_parameters(&reader);
            return true;
        } else {
            read_layer(&reader, word);
        }
    }
    if (model->name[0])
        fail(&reader, "no line 'parameters' ends it");
    return false;
}

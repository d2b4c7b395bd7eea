/* convolutions.c - layers of well-known networks by products with panels, and by oneDNN in f32 and bf16: GFLOP/s of one
 * thread, from the fastest of several calls that take turns (`make bench-convolutions`). */
#include "runtime/device.h"
#include "runtime/onednn.h"
#include "runtime/workspace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 9, OPS = 3 };

typedef struct Layer {
    const char *name;
    int64_t batch, groups, in, size, out, window, stride, pad;
} Layer;

static const Layer layers[] = {
    {"LeNet 1 to 6, 5x5 @32", 64, 1, 1, 32, 6, 5, 1, 0},
    {"LeNet 6 to 16, 5x5 @14", 64, 1, 6, 14, 16, 5, 1, 0},
    {"LeNet 16 to 120, 5x5 @5", 64, 1, 16, 5, 120, 5, 1, 0},
    {"resnet 16, 3x3 @32", 64, 1, 16, 32, 16, 3, 1, 1},
    {"resnet 16 to 32, 3x3/2 @32", 64, 1, 16, 32, 32, 3, 2, 1},
    {"resnet 16 to 32, 1x1/2 @32", 64, 1, 16, 32, 32, 1, 2, 0},
    {"ResNet-50 3 to 64, 7x7/2 @224", 2, 1, 3, 224, 64, 7, 2, 3},
    {"ResNet-50 64, 3x3 @56", 2, 1, 64, 56, 64, 3, 1, 1},
    {"ResNet-50 64 to 256, 1x1 @56", 2, 1, 64, 56, 256, 1, 1, 0},
    {"ResNet-50 128, 3x3/2 @56", 2, 1, 128, 56, 128, 3, 2, 1},
    {"ResNet-50 256 to 512, 1x1/2 @56", 2, 1, 256, 56, 512, 1, 2, 0},
    {"ResNet-50 128, 3x3 @28", 2, 1, 128, 28, 128, 3, 1, 1},
    {"ResNet-50 256, 3x3 @14", 2, 1, 256, 14, 256, 3, 1, 1},
    {"ResNet-50 1024 to 256, 1x1 @14", 2, 1, 1024, 14, 256, 1, 1, 0},
    {"ResNet-50 512, 3x3 @7", 2, 1, 512, 7, 512, 3, 1, 1},
    {"VGG16 64, 3x3 @224", 1, 1, 64, 224, 64, 3, 1, 1},
    {"VGG16 512, 3x3 @28", 2, 1, 512, 28, 512, 3, 1, 1},
    {"AlexNet 3 to 64, 11x11/4 @224", 2, 1, 3, 224, 64, 11, 4, 2},
    {"AlexNet 64 to 192, 5x5 @27", 2, 1, 64, 27, 192, 5, 1, 2},
    {"MobileNetV2 depthwise 32 @112", 2, 32, 1, 112, 1, 3, 1, 1},
    {"MobileNetV2 depthwise 144/2 @56", 2, 144, 1, 56, 1, 3, 2, 1},
    {"MobileNetV2 depthwise 576 @14", 2, 576, 1, 14, 1, 3, 1, 1},
    {"two groups of 32, 3x3 @14", 4, 2, 32, 14, 32, 3, 1, 1},
};

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static prt_window_shape shape_of(const Layer *l)
{
    int64_t output = (l->size + 2 * l->pad - l->window) / l->stride + 1;
    prt_grid grid = {0};
    grid.size = grid.input = l->size, grid.output = output;
    grid.window = l->window, grid.stride = l->stride, grid.pad = l->pad;
    prt_window_shape s = {.batch = l->batch, .groups = l->groups, .in = l->in, .out = l->out};
    s.rows = s.columns = grid;
    s.x_row = l->size, s.x_in = l->size * s.x_row, s.x_group = l->in * s.x_in, s.x_batch = l->groups * s.x_group;
    s.w_out = l->in * l->window * l->window, s.w_group = l->out * s.w_out;
    s.y_row = output, s.y_out = output * s.y_row, s.y_group = l->out * s.y_out, s.y_batch = l->groups * s.y_group;
    return s;
}

/* The arrays of a layer in f32 and in bf16. */
enum { X, W, Y, ARRAYS };
typedef struct Arrays {
    int64_t count[ARRAYS];
    void *f32[ARRAYS], *bf16[ARRAYS];
} Arrays;

static void *allocate(int64_t bytes)
{
    void *memory = aligned_alloc(64, (size_t)(bytes + 63) / 64 * 64);
    if (memory == NULL)
        exit(2);
    return memory;
}

static Arrays arrays_of(const prt_window_shape *s)
{
    Arrays a = {.count = {s->batch * s->x_batch, s->groups * s->w_group, s->batch * s->y_batch}};
    for (int i = 0; i < ARRAYS; i++) {
        float *wide = a.f32[i] = allocate(a.count[i] * 4);
        uint16_t *narrow = a.bf16[i] = allocate(a.count[i] * 2);
        for (int64_t k = 0; k < a.count[i]; k++) {
            wide[k] = (float)drand48() - 0.5f;
            narrow[k] = 0x3F00; /* 0.5 */
        }
    }
    return a;
}

static void free_arrays(const Arrays *a)
{
    for (int i = 0; i < ARRAYS; i++) {
        free(a->f32[i]);
        free(a->bf16[i]);
    }
}

typedef enum Way { PANELS, ONEDNN, ONEDNN_BF16, WAYS } Way;

/* How long it takes. */
static double run(Way way, prt_window_op op, const prt_window_shape *s, const Arrays *a)
{
    int result = op == PRT_CONV ? Y : op == PRT_CONV_INPUT_BWD ? X : W;
    int first = op == PRT_CONV_INPUT_BWD ? Y : X, second = op == PRT_CONV_WEIGHT_BWD ? Y : W;
    double began = seconds();
    bool good = true;
    if (way == PANELS)
        prt_cpu_window_panels(PRT_F32, op, s, a->f32[first], a->f32[second], 0, a->f32[result]);
    else if (way == ONEDNN)
        good = prt_onednn_convolve(PRT_F32, false, op, s, a->f32[X], a->f32[W], a->f32[Y], 0);
    else
        good = prt_onednn_convolve(PRT_BF16, false, op, s, a->bf16[X], a->bf16[W], a->bf16[Y], 0);
    return good ? seconds() - began : INFINITY;
}

static void measure(const Layer *layer)
{
    static const char *const names[OPS] = {"forward", "input", "weight"};
    prt_window_shape s = shape_of(layer);
    Arrays arrays = arrays_of(&s);
    double operations = 2e-9 * (double)(arrays.count[Y] * s.in * s.rows.window * s.columns.window);
    for (int op = 0; op < OPS; op++) {
        double least[WAYS] = {INFINITY, INFINITY, INFINITY};
        for (int round = 0; round < ROUNDS; round++)
            for (int way = 0; way < WAYS; way++)
                least[way] = fmin(least[way], run((Way)way, (prt_window_op)op, &s, &arrays));
        printf("| %s | %s | %.0f | %.0f | %.0f | %.2f |\n", layer->name, names[op], operations / least[PANELS],
               operations / least[ONEDNN], operations / least[ONEDNN_BF16], least[PANELS] / least[ONEDNN]);
        fflush(stdout);
    }
    free_arrays(&arrays);
}

int main(int argc, char **argv)
{
    char message[200] = "";
    if (!prt_device_cpu()->prepare(PRT_F32, 1, message, sizeof message)) {
        fprintf(stderr, "%s\n", message);
        return 2;
    }
    printf("| layer | | panels | oneDNN | oneDNN, bf16 | ratio |\n|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++)
        if (argc < 2 || strstr(layers[i].name, argv[1]) != NULL)
            measure(&layers[i]);
    printf("\nworkspace: %.1f MiB\n", (double)prt_workspace_bytes() / (1 << 20));
    return 0;
}

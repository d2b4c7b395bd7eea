/* device_compared.c - device rows for tests of kernels.ptx: the CPU's, but every kernel is also computed on a GPU.
 *
 * Before a launch all memory of the device tier is copied to the GPU, and afterwards back. The GPU's result is compared
 * with the processor's, and everything else must be as it was. The program continues with what the processor computed.
 * The module is kernels.ptx in the program's directory.
 *
 * At its end a rank writes a line for every kernel that it launched: to the file that PLACERT_COMPARED names, which all
 * ranks append to, or to stderr. Deviations are in units of u, the rounding of the result's dtype, of an element or of
 * the root mean square of all, for sums of all operands, too, whichever is larger.
 *
 * A second row, for benchmarks, compares nothing, but times the launch of every kernel that has most bytes. */
#include "runtime/comm.h"
#include "runtime/cuda.h"
#include "runtime/device.h"
#include "runtime/number.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Sums in another order and other functions stay far below; a wrong element is far above. */
enum {
    THREADS = 256,
    MOST_KERNELS = 1024,
    FEW_BLOCKS = 3,
    MANY_BLOCKS = 64,
    MOST_UNITS = 1 << 13,
    TIMED_LAUNCHES = 15,
    MOST_UNITS_BF16 = 8
};

typedef struct record {
    const prt_kernel *kernel;
    prt_cuda_function function;
    int64_t launches, wrong_elements, wrong_bytes; /* bytes: that are not of the result */
    double most_units;
    /* Of the launch with most bytes. */
    int64_t bytes;
    double gpu_seconds;
} record;

static const prt_cuda *gpu;
static prt_cuda_module module;
static prt_cuda_event started, ended;
static record records[MOST_KERNELS];
static int record_count;

/* The device tier: the processor's memory, the GPU's, and what comes back from there. */
static unsigned char *arena, *returned;
static prt_cuda_address mirror;
static int64_t arena_bytes;

static void must(prt_cuda_status error, const char *what)
{
    if (error == 0)
        return;
    fprintf(stderr, "CUDA: %s: %s\n", what, prt_cuda_error(error));
    abort();
}

/* ---- The module --------------------------------------------------------------------------------------------- */

/* kernels.ptx as text; NULL and a message if it cannot be read. */
static char *read_module(char *message, size_t message_bytes)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof "kernels.ptx");
    char *name = length > 0 ? memrchr(path, '/', (size_t)length) : NULL;
    if (name == NULL) {
        snprintf(message, message_bytes, "/proc/self/exe: %s", length < 0 ? strerror(errno) : "no path of a program");
        return NULL;
    }
    strcpy(name + 1, "kernels.ptx");
    errno = 0;
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t capacity = 0;
    if (file == NULL || getdelim(&text, &capacity, '\0', file) < 0)
        snprintf(message, message_bytes, "%s: %s", path, errno != 0 ? strerror(errno) : "empty");
    if (file != NULL)
        fclose(file);
    return text;
}

static bool load_module(char *message, size_t message_bytes)
{
    char *text = read_module(message, message_bytes);
    if (text == NULL)
        return false;
    prt_cuda_status error = gpu->module_load(&module, text);
    free(text);
    if (error != 0)
        snprintf(message, message_bytes, "CUDA: kernels.ptx: %s", prt_cuda_error(error));
    return error == 0;
}

static bool compared_prepare(prt_dtype dtype, int threads, char *message, size_t message_bytes)
{
    if (!prt_device_cpu()->prepare(dtype, threads, message, message_bytes))
        return false;
    if (gpu != NULL)
        return true;
    setenv("CUDA_MODULE_LOADING", "EAGER", 1); /* no launch is timed that loads its kernel */
    gpu = prt_cuda_load(0, message, message_bytes);
    if (gpu == NULL || !load_module(message, message_bytes))
        return false;
    must(gpu->event_create(&started, 0), "event");
    must(gpu->event_create(&ended, 0), "event");
    return true;
}

/* ---- Memory ------------------------------------------------------------------------------------------------- */

static void *compared_adopt(prt_tier tier, void *memory, int64_t bytes)
{
    if (tier != PRT_DEVICE)
        return memory;
    arena = memory;
    arena_bytes = bytes;
    returned = malloc((size_t)bytes);
    if (returned == NULL)
        return NULL;
    must(gpu->reserve(&mirror, (size_t)bytes), "memory");
    must(gpu->pin(arena, (size_t)bytes, 0), "memory");
    must(gpu->pin(returned, (size_t)bytes, 0), "memory");
    return memory;
}

static void *compared_reserve(prt_tier tier, int64_t bytes)
{
    void *memory = prt_device_cpu()->reserve(tier, bytes);
    return memory != NULL ? compared_adopt(tier, memory, bytes) : NULL;
}

static void compared_release(prt_tier tier, void *memory, int64_t bytes)
{
    prt_device_cpu()->release(tier, memory, bytes);
}

/* ---- A launch ----------------------------------------------------------------------------------------------- */

/* In one piece: ranks append to the same file. */
static void write_records(void)
{
    static char text[MOST_KERNELS * 256];
    size_t length = 0;
    for (int i = 0; i < record_count; i++) {
        const record *r = &records[i];
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   "%.100s launches %lld wrong %lld stray %lld units %.3g bytes %lld seconds %.3g\n",
                                   r->kernel->entry, (long long)r->launches, (long long)r->wrong_elements,
                                   (long long)r->wrong_bytes, r->most_units, (long long)r->bytes, r->gpu_seconds);
    }
    const char *path = getenv("PLACERT_COMPARED");
    int file = path != NULL ? open(path, O_WRONLY | O_APPEND | O_CREAT, 0644) : STDERR_FILENO;
    if (file < 0 || write(file, text, length) != (ssize_t)length)
        perror(path != NULL ? path : "stderr");
}

static record *record_of(const prt_kernel *kernel)
{
    for (int i = 0; i < record_count; i++)
        if (records[i].kernel == kernel)
            return &records[i];
    if (record_count == MOST_KERNELS)
        abort();
    if (record_count == 0)
        atexit(write_records);
    record *r = &records[record_count++];
    r->kernel = kernel;
    must(gpu->module_function(&r->function, module, kernel->entry), kernel->entry);
    return r;
}

static double seconds_of_launch(const record *r, const prt_arguments *given, int64_t blocks)
{
    prt_cuda_address arrays[PRT_MAX_ARRAYS];
    for (int i = 0; i < r->kernel->array_count; i++)
        arrays[i] = mirror + (prt_cuda_address)((unsigned char *)given->arrays[i] - arena);
    if (blocks == 0)
        return 0;
    float milliseconds = 0;
    must(gpu->event_record(started, NULL), "event");
    must(prt_cuda_launch(r->function, r->kernel, arrays, given, (unsigned)blocks, THREADS), r->kernel->entry);
    must(gpu->event_record(ended, NULL), "event");
    must(gpu->event_wait(ended), r->kernel->entry);
    must(gpu->event_elapsed(&milliseconds, started, ended), "event");
    return milliseconds / 1e3;
}

/* Every other launch that is not large has few blocks: any number must do. */
static double compute_on_gpu(const record *r, const prt_arguments *given)
{
    int64_t blocks = prt_kernel_blocks(r->kernel, given, THREADS);
    if (blocks > INT_MAX || (r->launches % 2 == 1 && blocks > FEW_BLOCKS && blocks < MANY_BLOCKS))
        blocks = FEW_BLOCKS;
    return seconds_of_launch(r, given, blocks);
}

static double rounding_unit(prt_dtype dtype)
{
    switch (dtype) {
    case PRT_F64:
        return 0x1p-53;
    case PRT_F32:
        return 0x1p-24;
    case PRT_BF16:
        return 0x1p-8;
    case PRT_I32:
        return 0; /* exact */
    }
    abort();
}

/* In units of u; infinite if only one of them is a number. */
static double deviation(double got, double wanted, double scale, double u)
{
    if (got == wanted || (isnan(got) && isnan(wanted)))
        return 0;
    double size = fmax(fabs(wanted), scale) * u;
    double units = isfinite(got) && isfinite(wanted) && size > 0 ? fabs(got - wanted) / size : INFINITY;
    return units;
}

static double root_mean_square(prt_dtype dtype, const void *array, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++) {
        double x = prt_number_at(dtype, array, i);
        sum += isfinite(x) ? x * x : 0;
    }
    return count > 0 ? sqrt(sum / (double)count) : 0;
}

/* Whether operations are done over a dim that the result lacks: then terms may cancel, up to their rounding. */
static bool sums(const prt_kernel *kernel)
{
    for (const char *dim = kernel->space; *dim != '\0'; dim++)
        if (strchr(kernel->arrays[0].dims, *dim) == NULL)
            return true;
    return false;
}

/* The size of what is computed with. */
static double scale_of(const prt_kernel *kernel, const prt_arguments *arguments)
{
    double scale = 0;
    for (int i = 0; i < (sums(kernel) ? kernel->array_count : 1); i++) {
        prt_dtype dtype = kernel->arrays[i].dtype;
        int64_t count = prt_kernel_array_span(kernel, arguments, i) / prt_dtype_bytes(dtype);
        if (dtype != PRT_I32)
            scale = fmax(scale, root_mean_square(dtype, arguments->arrays[i], count));
    }
    return scale;
}

/* The bytes from `first` to `last` that are not the same. */
static int64_t changed(int64_t first, int64_t last)
{
    if (memcmp(arena + first, returned + first, (size_t)(last - first)) == 0)
        return 0;
    int64_t count = 0;
    for (int64_t i = first; i < last; i++)
        count += arena[i] != returned[i];
    return count;
}

static void compare_result(record *r, const prt_arguments *arguments)
{
    prt_dtype dtype = r->kernel->arrays[0].dtype;
    const double u = rounding_unit(dtype);
    int64_t first = (unsigned char *)arguments->arrays[0] - arena;
    int64_t bytes = prt_kernel_array_span(r->kernel, arguments, 0), count = bytes / prt_dtype_bytes(dtype);
    const double scale = scale_of(r->kernel, arguments);
    for (int64_t i = 0; i < count; i++) {
        double units =
            deviation(prt_number_at(dtype, returned + first, i), prt_number_at(dtype, arena + first, i), scale, u);
        r->most_units = fmax(r->most_units, units);
        r->wrong_elements += units > (dtype == PRT_BF16 ? MOST_UNITS_BF16 : MOST_UNITS);
    }
    r->wrong_bytes += changed(0, first) + changed(first + bytes, arena_bytes);
}

static void compared_launch(const prt_kernel *kernel, const prt_arguments *arguments, int stream)
{
    record *r = record_of(kernel);
    must(gpu->to_device(mirror, arena, (size_t)arena_bytes), "copy");
    double seconds = compute_on_gpu(r, arguments);
    must(gpu->to_host(returned, mirror, (size_t)arena_bytes), "copy");
    prt_device_cpu()->launch(kernel, arguments, stream);
    compare_result(r, arguments);
    int64_t bytes = prt_kernel_bytes(kernel, arguments);
    if (r->launches++ > 0 && (bytes > r->bytes || (bytes == r->bytes && seconds < r->gpu_seconds))) {
        r->bytes = bytes;
        r->gpu_seconds = seconds;
    }
}

static int by_seconds(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of several launches, after one that is not timed. In place, each continues with what the one before left:
 * its values may grow, which changes no kernel's time. */
static double median_seconds(const record *r, const prt_arguments *given)
{
    int64_t blocks = prt_kernel_blocks(r->kernel, given, THREADS);
    double seconds[TIMED_LAUNCHES];
    must(gpu->to_device(mirror, arena, (size_t)arena_bytes), "copy");
    seconds_of_launch(r, given, blocks < INT_MAX ? blocks : INT_MAX);
    for (int i = 0; i < TIMED_LAUNCHES; i++)
        seconds[i] = seconds_of_launch(r, given, blocks < INT_MAX ? blocks : INT_MAX);
    qsort(seconds, TIMED_LAUNCHES, sizeof *seconds, by_seconds);
    return seconds[TIMED_LAUNCHES / 2];
}

static void timed_launch(const prt_kernel *kernel, const prt_arguments *arguments, int stream)
{
    record *r = record_of(kernel);
    int64_t bytes = prt_kernel_bytes(kernel, arguments);
    if (r->launches++ == 0 || bytes > r->bytes) {
        r->bytes = bytes;
        r->gpu_seconds = median_seconds(r, arguments);
    }
    prt_device_cpu()->launch(kernel, arguments, stream);
}

const prt_device *prt_device_compared(void)
{
    static prt_device compared;
    compared = *prt_device_cpu();
    compared.name = "cpu, compared with a GPU";
    compared.prepare = compared_prepare;
    compared.reserve = compared_reserve;
    compared.release = compared_release;
    compared.adopt = compared_adopt;
    compared.launch = compared_launch;
    return &compared;
}

const prt_device *prt_device_timed(void)
{
    static prt_device timed;
    timed = *prt_device_compared();
    timed.name = "cpu, kernels timed on a GPU";
    timed.launch = timed_launch;
    return &timed;
}

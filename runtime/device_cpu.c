/* device_cpu.c - the device row of a CPU: plain memory, and contractions by oneDNN (f32) or OpenBLAS (f64).
 *
 * The libraries are loaded explicitly, after the environment has been set for them: OpenBLAS chooses its kernels when
 * it is loaded, and does not recognize newer processors by itself. */
#include "runtime/comm.h"
#include "runtime/device.h"
#include "runtime/number.h"
#include "runtime/onednn.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef void dgemm_fn(int order, int transpose_a, int transpose_b, int m, int n, int k, double alpha, const double *a,
                      int lda, const double *b, int ldb, double beta, double *c, int ldc);

enum { CBLAS_ROW_MAJOR = 101, CBLAS_NO_TRANSPOSE = 111, CBLAS_TRANSPOSE = 112 };

static dgemm_fn *cblas_dgemm;

/* Loads the first of these libraries that is available and has the symbol. */
static void *load(const char *const *names, const char *symbol, char *message, size_t message_bytes)
{
    for (; *names != NULL; names++) {
        void *library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
        void *found = library != NULL ? dlsym(library, symbol) : NULL;
        if (found != NULL)
            return found;
        const char *reason = dlerror();
        snprintf(message, message_bytes, "%s", reason != NULL ? reason : *names);
    }
    return NULL;
}

static bool cpu_prepare(prt_dtype dtype, int threads, char *message, size_t message_bytes)
{
    static const char *const openblas[] = {"libopenblas.so.0", "libopenblas.so", NULL};
    char count[16];
    snprintf(count, sizeof count, "%d", threads);
    setenv("OMP_NUM_THREADS", count, 1);
    setenv("OPENBLAS_NUM_THREADS", count, 1);
    if (__builtin_cpu_supports("avx512f"))
        setenv("OPENBLAS_CORETYPE", "SKYLAKEX", 0);
    switch (dtype) {
    case PRT_F32:
    case PRT_BF16:
        return prt_onednn_load(message, message_bytes);
    case PRT_F64:
        *(void **)&cblas_dgemm = load(openblas, "cblas_dgemm", message, message_bytes);
        return cblas_dgemm != NULL;
    case PRT_I32:
        break;
    }
    snprintf(message, message_bytes, "the CPU multiplies no matrices of i32");
    return false;
}

/* Between inaccessible pages, so that running over an end is noticed. */
enum { GUARD = 4096 };

static void *cpu_reserve(prt_tier tier, int64_t bytes)
{
    if (tier == PRT_FILE)
        return NULL;
    char *memory = mmap(NULL, (size_t)bytes + 2 * GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    if (mprotect(memory + GUARD, (size_t)bytes, PROT_READ | PROT_WRITE) == 0)
        return memory + GUARD;
    munmap(memory, (size_t)bytes + 2 * GUARD);
    return NULL;
}

static void cpu_release(prt_tier tier, void *memory, int64_t bytes)
{
    (void)tier;
    munmap((char *)memory - GUARD, (size_t)bytes + 2 * GUARD);
}

static void *cpu_adopt(prt_tier tier, void *memory, int64_t bytes)
{
    (void)tier, (void)bytes;
    return memory;
}

static void *cpu_reach(const void *memory)
{
    return (void *)(uintptr_t)memory;
}

static void cpu_launch(const prt_kernel *kernel, const prt_arguments *arguments, int stream)
{
    (void)stream;
    kernel->host(arguments, 0, prt_kernel_extent(kernel->split, arguments));
}

static void cpu_fill(prt_dtype dtype, void *out, int64_t count, double value, int stream)
{
    (void)stream;
    if (value == 0) {
        memset(out, 0, (size_t)(count * prt_dtype_bytes(dtype)));
        return;
    }
    for (int64_t i = 0; i < count; i++)
        prt_number_put(dtype, out, i, value);
}

static void cpu_copy(void *out, const void *in, int64_t bytes, int stream)
{
    (void)stream;
    memmove(out, in, (size_t)bytes);
}

/* ---- Contractions ------------------------------------------------------------------------------------------- */

/* A matrix with one unit stride as a library sees it: whether it is transposed, and its leading dimension. */
typedef struct matrix {
    bool transposed;
    int64_t distance;
} matrix;

/* OpenBLAS counts with an int: larger matrices take the slow path. */
static bool is_countable(int64_t rows, int64_t columns, int64_t row, int64_t column)
{
    return rows <= INT_MAX && columns <= INT_MAX && row <= INT_MAX && column <= INT_MAX;
}

/* Sees rows x columns with these strides as row-major or its transpose; false if neither stride is 1. A dim of 1 may
 * have any stride. Libraries require a leading dimension of at least the length of a row. */
static bool see_matrix(int64_t rows, int64_t columns, int64_t row, int64_t column, matrix *seen)
{
    if (!is_countable(rows, columns, row, column))
        return false;
    if ((column == 1 || columns == 1) && (row >= columns || rows == 1)) {
        *seen = (matrix){false, rows == 1 && row < columns ? columns : row};
        return true;
    }
    if ((row == 1 || rows == 1) && (column >= rows || columns == 1)) {
        *seen = (matrix){true, columns == 1 && column < rows ? rows : column};
        return true;
    }
    return false;
}

/* For strides that no library supports. */
#define NAIVE_GEMM(name, type)                                                                                         \
    static void name(const prt_gemm_shape *s, const type *a, const type *b, int beta, type *c)                         \
    {                                                                                                                  \
        for (int64_t i = 0; i < s->m; i++)                                                                             \
            for (int64_t j = 0; j < s->n; j++) {                                                                       \
                type *target = &c[i * s->c_row + j * s->c_column];                                                     \
                type sum = beta ? *target : 0;                                                                         \
                for (int64_t p = 0; p < s->k; p++)                                                                     \
                    sum += a[i * s->a_row + p * s->a_column] * b[p * s->b_row + j * s->b_column];                      \
                *target = sum;                                                                                         \
            }                                                                                                          \
    }
NAIVE_GEMM(naive_sgemm, float)
NAIVE_GEMM(naive_dgemm, double)

static void library_gemm(prt_dtype dtype, int64_t m, int64_t n, int64_t k, matrix a_seen, const void *a, matrix b_seen,
                         const void *b, int beta, void *c, int64_t c_distance)
{
    if (dtype == PRT_F32) {
        if (prt_onednn_library()->sgemm(a_seen.transposed ? 'T' : 'N', b_seen.transposed ? 'T' : 'N', m, n, k, 1, a,
                                        a_seen.distance, b, b_seen.distance, (float)beta, c,
                                        c_distance) != dnnl_success)
            abort(); /* it fails only for invalid arguments */
        return;
    }
    cblas_dgemm(CBLAS_ROW_MAJOR, a_seen.transposed ? CBLAS_TRANSPOSE : CBLAS_NO_TRANSPOSE,
                b_seen.transposed ? CBLAS_TRANSPOSE : CBLAS_NO_TRANSPOSE, (int)m, (int)n, (int)k, 1, a,
                (int)a_seen.distance, b, (int)b_seen.distance, beta, c, (int)c_distance);
}

static void one_gemm(prt_dtype dtype, const prt_gemm_shape *s, const void *a, const void *b, int beta, void *c)
{
    matrix a_seen, b_seen, c_seen;
    bool seen = see_matrix(s->m, s->k, s->a_row, s->a_column, &a_seen) &&
                see_matrix(s->k, s->n, s->b_row, s->b_column, &b_seen) &&
                see_matrix(s->m, s->n, s->c_row, s->c_column, &c_seen);
    if (!seen) {
        if (dtype == PRT_F32)
            naive_sgemm(s, a, b, beta, c);
        else
            naive_dgemm(s, a, b, beta, c);
        return;
    }
    if (!c_seen.transposed) {
        library_gemm(dtype, s->m, s->n, s->k, a_seen, a, b_seen, b, beta, c, c_seen.distance);
        return;
    }
    /* computes C' = B' A' */
    a_seen.transposed = !a_seen.transposed;
    b_seen.transposed = !b_seen.transposed;
    library_gemm(dtype, s->n, s->m, s->k, b_seen, b, a_seen, a, beta, c, c_seen.distance);
}

/* An empty sum: C = beta * C. */
static void no_terms(prt_dtype dtype, const prt_gemm_shape *s, int beta, char *c)
{
    if (beta)
        return;
    int64_t bytes = prt_dtype_bytes(dtype);
    for (int64_t i = 0; i < s->m; i++)
        for (int64_t j = 0; j < s->n; j++)
            memset(c + (i * s->c_row + j * s->c_column) * bytes, 0, (size_t)bytes);
}

/* Where a summed batch dim is empty, so are all sums. */
static prt_gemm_shape without_empty_sums(const prt_gemm_shape *shape)
{
    prt_gemm_shape left = *shape;
    for (int d = 0; d < shape->batch_dims; d++)
        if (shape->batch[d] == 0 && shape->c_batch[d] == 0) {
            left.batch[d] = 1;
            left.k = 0;
        }
    return left;
}

static void cpu_gemm(prt_dtype dtype, bool wide, const prt_gemm_shape *given, const void *a, const void *b, int beta,
                     void *c, int stream)
{
    (void)stream;
    if (dtype == PRT_BF16) {
        prt_cpu_gemm_bf16(given, a, b, beta, c, wide);
        return;
    }
    if (dtype != PRT_F32 && dtype != PRT_F64)
        abort(); /* no other dtype has contractions */
    const prt_gemm_shape own = without_empty_sums(given), *shape = &own;
    int64_t bytes = prt_dtype_bytes(dtype), count = 1, index[PRT_MAX_BATCH] = {0};
    for (int d = 0; d < shape->batch_dims; d++)
        count *= shape->batch[d];
    if (shape->m == 0 || shape->n == 0)
        return;
    for (int64_t i = 0; i < count; i++) {
        int64_t a_offset = 0, b_offset = 0, c_offset = 0;
        bool adds = beta != 0;
        for (int d = 0; d < shape->batch_dims; d++) {
            a_offset += index[d] * shape->a_batch[d];
            b_offset += index[d] * shape->b_batch[d];
            c_offset += index[d] * shape->c_batch[d];
            adds = adds || (shape->c_batch[d] == 0 && index[d] > 0);
        }
        char *target = (char *)c + c_offset * bytes;
        if (shape->k == 0)
            no_terms(dtype, shape, adds, target);
        else
            one_gemm(dtype, shape, (const char *)a + a_offset * bytes, (const char *)b + b_offset * bytes, adds,
                     target);
        for (int d = shape->batch_dims - 1; d >= 0 && ++index[d] == shape->batch[d]; d--)
            index[d] = 0;
    }
}

/* ---- Streams and events: everything is complete on return --------------------------------------------------- */

static void cpu_event_record(int event, int stream)
{
    (void)event, (void)stream;
}

static void cpu_stream_wait(int stream, int event)
{
    (void)stream, (void)event;
}

static void cpu_synchronize(int stream)
{
    (void)stream;
}

const prt_device *prt_device_cpu(void)
{
    static const prt_device cpu = {
        .name = "cpu",
        .prepare = cpu_prepare,
        .reserve = cpu_reserve,
        .release = cpu_release,
        .adopt = cpu_adopt,
        .reach = cpu_reach,
        .launch = cpu_launch,
        .fill = cpu_fill,
        .copy = cpu_copy,
        .gemm = cpu_gemm,
        .window = prt_cpu_window,
        .event_record = cpu_event_record,
        .stream_wait = cpu_stream_wait,
        .synchronize = cpu_synchronize,
    };
    return &cpu;
}

/* products.c - products of matrices in f32, in bf16 by conversion to f32, and in bf16 as such: GFLOP/s of one thread,
 * the median of several calls that take turns (`make bench-products`). */
#include "runtime/bf16.h"
#include "runtime/device.h"
#include "runtime/onednn.h"
#include "runtime/workspace.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 9, ORDERS = 3, MOST = 4096 * 4096 };
#define LEAST_OPERATIONS 1e8 /* in one round */

/* `apart`: room after the rows of the operands. */
typedef struct Product {
    const char *name;
    int64_t m, n, k, apart;
} Product;

static const Product products[] = {
    {"64 x 64 x 64", 64, 64, 64, 0},
    {"128 x 128 x 128", 128, 128, 128, 0},
    {"256 x 256 x 256", 256, 256, 256, 0},
    {"512 x 512 x 512", 512, 512, 512, 0},
    {"1024 x 1024 x 1024", 1024, 1024, 1024, 0},
    {"2048 x 2048 x 2048", 2048, 2048, 2048, 0},
    {"4096 x 4096 x 4096", 4096, 4096, 4096, 0},
    {"scores of a head, 256 x 256 x 64", 256, 256, 64, 320},
    {"values of a head, 256 x 64 x 256", 256, 64, 256, 320},
    {"attention, 2048 x 384 x 384", 2048, 384, 384, 0},
    {"MLP, 2048 x 1536 x 384", 2048, 1536, 384, 0},
    {"MLP, 2048 x 384 x 1536", 2048, 384, 1536, 0},
    {"MLP's gradient, 384 x 1536 x 2048", 384, 1536, 2048, 0},
    {"rows apart, 2048 x 1536 x 384", 2048, 1536, 384, 64},
    {"few rows, 8 x 1024 x 1024", 8, 1024, 1024, 0},
    {"a row, 1 x 1024 x 1024", 1, 1024, 1024, 0},
    {"a column, 1024 x 1 x 1024", 1024, 1, 1024, 0},
};

typedef enum Way { F32, CONVERTED, AS_SUCH, WAYS } Way;

enum { A, B, C, ARRAYS };
static float *wide[ARRAYS];
static uint16_t *narrow[ARRAYS];

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fill_arrays(void)
{
    for (int i = 0; i < ARRAYS; i++) {
        wide[i] = aligned_alloc(64, sizeof(float) * MOST);
        narrow[i] = aligned_alloc(64, sizeof(uint16_t) * MOST);
        if (wide[i] == NULL || narrow[i] == NULL)
            exit(2);
        for (int64_t k = 0; k < MOST; k++) {
            narrow[i][k] = prt_bf16_round((float)drand48() - 0.5f);
            wide[i][k] = prt_bf16_value(narrow[i][k]);
        }
    }
}

/* A B, A B', A' B. */
static prt_gemm_shape shape_of(const Product *p, int order)
{
    prt_gemm_shape s = {.m = p->m, .n = p->n, .k = p->k, .c_row = p->n, .c_column = 1};
    s.a_row = order == 2 ? 1 : p->k + p->apart, s.a_column = order == 2 ? p->m + p->apart : 1;
    s.b_row = order == 1 ? 1 : p->n + p->apart, s.b_column = order == 1 ? p->k + p->apart : 1;
    return s;
}

static double run(Way way, const prt_gemm_shape *s, int count)
{
    prt_onednn_library()->multiplies_bf16 = way == AS_SUCH;
    double began = seconds();
    for (int i = 0; i < count; i++)
        if (way == F32)
            prt_device_cpu()->gemm(PRT_F32, false, s, wide[A], wide[B], 0, wide[C], 0);
        else
            prt_device_cpu()->gemm(PRT_BF16, false, s, narrow[A], narrow[B], 0, narrow[C], 0);
    return (seconds() - began) / count;
}

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void measure(const Product *p)
{
    static const char *const names[ORDERS] = {"A B", "A B'", "A' B"};
    double operations = 2.0 * (double)p->m * (double)p->n * (double)p->k;
    int count = 1 + (int)(LEAST_OPERATIONS / operations);
    for (int order = 0; order < ORDERS; order++) {
        prt_gemm_shape s = shape_of(p, order);
        double times[WAYS][ROUNDS], median[WAYS];
        for (int way = 0; way < WAYS; way++)
            run((Way)way, &s, 1);
        for (int round = 0; round < ROUNDS; round++)
            for (int way = 0; way < WAYS; way++)
                times[way][round] = run((Way)way, &s, count);
        for (int way = 0; way < WAYS; way++) {
            qsort(times[way], ROUNDS, sizeof times[way][0], compare);
            median[way] = times[way][ROUNDS / 2];
        }
        printf("| %s | %s | %.0f | %.0f | %.0f | %.2f | %.2f |\n", p->name, names[order],
               1e-9 * operations / median[F32], 1e-9 * operations / median[CONVERTED],
               1e-9 * operations / median[AS_SUCH], median[CONVERTED] / median[AS_SUCH], median[F32] / median[AS_SUCH]);
        fflush(stdout);
    }
}

int main(void)
{
    char message[200] = "";
    if (!prt_device_cpu()->prepare(PRT_BF16, 1, message, sizeof message)) {
        fprintf(stderr, "%s\n", message);
        return 2;
    }
    if (!prt_onednn_library()->multiplies_bf16) {
        fprintf(stderr, "this processor, or its oneDNN, does not multiply bf16 faster than f32\n");
        return 2;
    }
    fill_arrays();
    printf("| m x n x k | | f32 | converted | bf16 | to converted | to f32 |\n|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof products / sizeof *products; i++)
        measure(&products[i]);
    printf("\nworkspace: %.1f MiB\n", (double)prt_workspace_bytes() / (1 << 20));
    return 0;
}

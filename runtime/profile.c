/* profile.c - what --profile writes: how long the calls of a step took, one JSON object per line.
 *
 *     {"call":"kernel","name":"kernel_add_f32_ij_j","shape":[64,1024],"bytes":528384,"operations":65536,"calls":96,
 *      "median_s":2.1e-05,"least_s":1.9e-05}
 *
 * Calls are counted together if their names and shapes are the same; the first step, which touches memory for the first
 * time, is left out. Before a collective its group meets, so that the time is that of the communication alone. Every
 * rank writes its own file. */
#include "runtime/run.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* SAMPLES of a row are the last ones. */
enum { ROWS = 4096, SAMPLES = 101, NUMBERS = 8 };

/* A call, as far as its time depends on it. */
typedef struct call_kind {
    const char *call, *name; /* "kernel", its entry */
    int64_t shape[NUMBERS];
    int numbers; /* of the shape */
    double bytes, operations;
} call_kind;

typedef struct profile_row {
    call_kind timed;
    int64_t calls;
    float seconds[SAMPLES];
} profile_row;

struct prt_profile {
    FILE *file;
    bool full;
    profile_row *rows[ROWS]; /* open addressing */
};

void prt_profile_open(prt_run *run)
{
    char path[4096], message[4400] = "";
    if (run->options.profile == NULL)
        return;
    run->profile = prt_allocate(run, 1, sizeof *run->profile);
    snprintf(path, sizeof path, "%s.%d", run->options.profile, run->ctx.rank);
    run->profile->file = fopen(path, "w");
    if (run->profile->file == NULL)
        snprintf(message, sizeof message, "cannot write the profile '%s': %s", path, strerror(errno));
    prt_agree(run, PRT_WORLD, message);
}

/* ---- Calls -------------------------------------------------------------------------------------------------- */

double prt_profile_begin(const prt_run *run)
{
    return run->profile != NULL && run->in_step && run->steps_done > 0 ? prt_seconds() : 0;
}

static profile_row **find_row(prt_profile *profile, const call_kind *timed)
{
    uint64_t hash = (uint64_t)(uintptr_t)timed->name;
    for (int i = 0; i < NUMBERS; i++)
        hash = (hash ^ (uint64_t)timed->shape[i]) * 0x9e3779b97f4a7c15u;
    for (int tries = 0; tries < ROWS; tries++) {
        profile_row **row = &profile->rows[(hash >> 52 ^ (uint64_t)tries) % ROWS];
        if (*row == NULL ||
            ((*row)->timed.name == timed->name && memcmp((*row)->timed.shape, timed->shape, sizeof timed->shape) == 0))
            return row;
    }
    return NULL;
}

static void count(prt_run *run, double seconds, const call_kind *timed)
{
    profile_row **found = find_row(run->profile, timed), *row;
    run->profile->full |= found == NULL;
    if (found == NULL)
        return;
    if (*found == NULL) {
        *found = prt_allocate(run, 1, sizeof **found);
        (*found)->timed = *timed;
    }
    row = *found;
    row->seconds[row->calls++ % SAMPLES] = (float)seconds;
}

void prt_profile_kernel(prt_run *run, double began, const prt_kernel *kernel, const prt_arguments *arguments)
{
    if (began == 0)
        return;
    double seconds = prt_seconds() - began;
    call_kind timed = {.call = "kernel", .name = kernel->entry};
    timed.numbers = kernel->extent_count < NUMBERS ? kernel->extent_count : NUMBERS;
    memcpy(timed.shape, arguments->extents, sizeof *timed.shape * (size_t)timed.numbers);
    timed.bytes = (double)prt_kernel_bytes(kernel, arguments);
    timed.operations = prt_kernel_operations(kernel, arguments);
    count(run, seconds, &timed);
}

static const char *const dtype_names[] = {[PRT_F32] = "f32", [PRT_F64] = "f64", [PRT_BF16] = "bf16", [PRT_I32] = "i32"};

/* How operands lie: 1 for rows that are together, 0 for columns. */
void prt_profile_product(prt_run *run, double began, prt_dtype dtype, const prt_gemm_shape *s)
{
    if (began == 0)
        return;
    double seconds = prt_seconds() - began;
    int64_t batch = 1, elements = s->m * s->k + s->k * s->n + s->m * s->n;
    for (int d = 0; d < s->batch_dims; d++)
        batch *= s->batch[d];
    call_kind timed = {.call = "product",
                   .name = dtype_names[dtype],
                   .shape = {batch, s->m, s->n, s->k, s->a_column == 1, s->b_column == 1, s->c_column == 1},
                   .numbers = 7,
                   .bytes = (double)(batch * elements * prt_dtype_bytes(dtype)),
                   .operations = 2.0 * (double)batch * (double)s->m * (double)s->n * (double)s->k};
    count(run, seconds, &timed);
}

void prt_profile_call(prt_run *run, double began, const char *name, int64_t bytes, int64_t ranks)
{
    if (began == 0)
        return;
    call_kind timed = {.call = ranks > 0 ? "communication" : "other",
                   .name = name,
                   .shape = {bytes, ranks},
                   .numbers = ranks > 0 ? 2 : 1,
                   .bytes = (double)bytes};
    count(run, prt_seconds() - began, &timed);
}

/* ---- Writing ------------------------------------------------------------------------------------------------ */

static int by_size(const void *left, const void *right)
{
    float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

static void write_row(FILE *file, profile_row *row)
{
    size_t count = (size_t)(row->calls < SAMPLES ? row->calls : SAMPLES);
    qsort(row->seconds, count, sizeof *row->seconds, by_size);
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "call", row->timed.call);
    cJSON_AddStringToObject(object, "name", row->timed.name);
    cJSON *shape = cJSON_AddArrayToObject(object, "shape");
    for (int i = 0; i < row->timed.numbers; i++)
        cJSON_AddItemToArray(shape, cJSON_CreateNumber((double)row->timed.shape[i]));
    cJSON_AddNumberToObject(object, "bytes", row->timed.bytes);
    cJSON_AddNumberToObject(object, "operations", row->timed.operations);
    cJSON_AddNumberToObject(object, "calls", (double)row->calls);
    cJSON_AddNumberToObject(object, "median_s", row->seconds[count / 2]);
    cJSON_AddNumberToObject(object, "least_s", row->seconds[0]);
    char *text = cJSON_PrintUnformatted(object);
    fprintf(file, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(object);
}

void prt_profile_close(prt_run *run)
{
    prt_profile *profile = run->profile;
    if (profile == NULL)
        return;
    if (profile->full)
        prt_warn(run, "warning: only the first %d kinds of calls are in the profile", ROWS);
    for (int i = 0; i < ROWS; i++) {
        if (profile->rows[i] != NULL)
            write_row(profile->file, profile->rows[i]);
        free(profile->rows[i]);
    }
    bool failed = ferror(profile->file) != 0;
    if (fclose(profile->file) != 0 || failed)
        prt_fail(&run->ctx, "cannot write the profile '%s.%d': %s", run->options.profile, run->ctx.rank,
                 strerror(errno));
    free(profile);
    run->profile = NULL;
}

/* figures.c - fits the figures of a cluster to the calls of profiles (calibrate/figures.h). */
#include "calibrate/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RATIOS = PROFILE_ROWS };

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static int by_size(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, by_size);
    return count > 0 ? values[count / 2] : 0;
}

/* ---- Products ----------------------------------------------------------------------------------------------- */

/* How long a product takes at one operation per second, by its shape: batch, m, n, k (plan/cost.c). */
static double product_units(const ProfileRow *row, const Figures *f)
{
    const double *s = row->shape;
    return row->operations * (1 + f->of[FIGURE_DEPTH] / s[3]) * (1 + f->of[FIGURE_EDGE] / s[1]) *
           (1 + f->of[FIGURE_EDGE] / s[2]);
}

static bool is_product(const ProfileRow *row)
{
    return strcmp(row->call, "product") == 0;
}

/* The geometric mean of what products reach, so that too much for some makes up for too little for others. */
static double product_speed(const Profile *profile, const Figures *f)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < profile->count; i++) {
        const ProfileRow *row = &profile->rows[i];
        double left = row->seconds - row->shape[0] * f->of[FIGURE_PRODUCT_LAUNCH];
        if (is_product(row) && left > 0)
            sum += log(product_units(row, f) / left), count++;
    }
    return count > 0 ? exp(sum / count) : 0;
}

/* How far the times of products are from those measured, on average, as a logarithm. */
static double product_error(const Profile *profile, const Figures *f)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < profile->count; i++) {
        const ProfileRow *row = &profile->rows[i];
        if (!is_product(row))
            continue;
        double fitted = product_units(row, f) / f->of[FIGURE_PRODUCTS] + row->shape[0] * f->of[FIGURE_PRODUCT_LAUNCH];
        sum += fabs(log(fitted / row->seconds));
        count++;
    }
    return count > 0 ? sum / count : INFINITY;
}

/* The sizes and the start that leave the least error. */
static void fit_products(const Profile *profile, Figures *best)
{
    enum { DEPTHS = 33, EDGES = 33, STARTS = 11 };
    Figures tried = *best;
    double least = INFINITY;
    for (int at = 0; at < DEPTHS * EDGES * STARTS; at++) {
        tried.of[FIGURE_DEPTH] = at % DEPTHS;
        tried.of[FIGURE_EDGE] = at / DEPTHS % EDGES;
        tried.of[FIGURE_PRODUCT_LAUNCH] = at / DEPTHS / EDGES * 1e-7;
        tried.of[FIGURE_PRODUCTS] = product_speed(profile, &tried);
        double error = tried.of[FIGURE_PRODUCTS] > 0 ? product_error(profile, &tried) : INFINITY;
        if (error < least) {
            least = error;
            *best = tried;
        }
    }
}

/* ---- Arithmetic --------------------------------------------------------------------------------------------- */

/* Kernels that compute more than they move, with what they compute for each of so many bytes of theirs: plain
 * operations and functions, as plan/work.c counts them. */
static const struct {
    const char *name;
    double element_bytes, operations, functions;
} computing[] = {
    {"kernel_tanh_f32", 8, 0, 1},       {"kernel_gelu_f32", 8, 8, 1},    {"kernel_silu_f32", 8, 3, 1},
    {"kernel_gelu_bwd_f32", 12, 18, 1}, {"kernel_exp_sum_f32", 4, 1, 1},
};

/* Least squares of the time of an element in two unknowns: seconds of an operation, and of a function. */
static void fit_arithmetic(const Profile *profile, Figures *f)
{
    double oo = 0, of = 0, ff = 0, ot = 0, ft = 0;
    for (int i = 0; i < profile->count; i++) {
        const ProfileRow *row = &profile->rows[i];
        for (size_t k = 0; k < sizeof computing / sizeof *computing; k++) {
            if (!begins(row->name, computing[k].name) || row->bytes < 16384)
                continue;
            double time = row->seconds * computing[k].element_bytes / row->bytes;
            double o = computing[k].operations / time, g = computing[k].functions / time; /* relative errors */
            oo += o * o, of += o * g, ff += g * g, ot += o, ft += g;
        }
    }
    double d = oo * ff - of * of, operation = (ot * ff - ft * of) / d, function = (ft * oo - ot * of) / d;
    f->of[FIGURE_ARITHMETIC] = d > 0 && operation > 0 ? 1 / operation : 0;
    f->of[FIGURE_FUNCTIONS] = d > 0 && function > 0 ? 1 / function : 0;
}

/* ---- Memory ------------------------------------------------------------------------------------------------- */

/* Those that read and write numbers one after another. */
static double stream_speed(const Profile *profile)
{
    double bytes = 0, seconds = 0;
    for (int i = 0; i < profile->count; i++) {
        const ProfileRow *row = &profile->rows[i];
        if (!begins(row->name, "kernel_relu") && !begins(row->name, "kernel_add_f32_overlap"))
            continue;
        bytes += row->bytes;
        seconds += row->seconds;
    }
    return seconds > 0 ? bytes / seconds : 0;
}

/* The geometric mean of the speeds first .. last, and what they deviate from it. */
static double level_speed(const double *speeds, int first, int last, double *deviation)
{
    double sum = 0;
    for (int i = first; i <= last; i++)
        sum += log(speeds[i]);
    double mean = sum / (last - first + 1);
    for (int i = first; i <= last; i++)
        *deviation += (log(speeds[i]) - mean) * (log(speeds[i]) - mean);
    return exp(mean);
}

/* Where levels end: at the largest programs that each still holds, the last of them in memory alone. */
typedef struct Levels {
    int end[FIGURE_CACHES + 1];
} Levels;

static double deviation_of(const double *speeds, const Levels *levels)
{
    double deviation = 0;
    for (int l = 0; l <= FIGURE_CACHES; l++)
        level_speed(speeds, l > 0 ? levels->end[l - 1] + 1 : 0, levels->end[l], &deviation);
    return deviation;
}

/* The ends of levels of equal speed that fit best. */
static Levels find_levels(const double *speeds)
{
    Levels best = {{0, 1, 2, MEMORY_SIZES - 1}};
    double least = INFINITY;
    for (int a = 0; a < MEMORY_SIZES; a++)
        for (int b = a + 1; b < MEMORY_SIZES; b++)
            for (int c = b + 1; c < MEMORY_SIZES - 1; c++) {
                Levels tried = {{a, b, c, MEMORY_SIZES - 1}};
                double deviation = deviation_of(speeds, &tried);
                if (deviation < least) {
                    least = deviation;
                    best = tried;
                }
            }
    return best;
}

/* The level of a cache that was found before. */
static int level_end(const Figures *sizes, int cache, const double *arena_bytes)
{
    int end = 0;
    while (end < MEMORY_SIZES - 1 && arena_bytes[end] < sizes->of[FIGURE_CACHE_BYTES + cache])
        end++;
    return end;
}

static void fit_memory(const Profile *profiles, const double *arena_bytes, const Figures *sizes, Figures *f)
{
    double speeds[MEMORY_SIZES], deviation = 0;
    for (int i = 0; i < MEMORY_SIZES; i++) {
        speeds[i] = stream_speed(&profiles[PROBE_MEMORY + i]);
        if (speeds[i] == 0)
            return;
    }
    Levels levels = find_levels(speeds);
    for (int c = 0; sizes != NULL && c < FIGURE_CACHES; c++)
        levels.end[c] = level_end(sizes, c, arena_bytes);
    for (int c = 0; c < FIGURE_CACHES; c++) {
        f->of[FIGURE_CACHE_BYTES + c] = arena_bytes[levels.end[c]];
        f->of[FIGURE_CACHE_SPEED + c] =
            level_speed(speeds, c > 0 ? levels.end[c - 1] + 1 : 0, levels.end[c], &deviation);
    }
    f->of[FIGURE_MEMORY] = level_speed(speeds, levels.end[FIGURE_CACHES - 1] + 1, MEMORY_SIZES - 1, &deviation);
}

/* ---- Ranks -------------------------------------------------------------------------------------------------- */

static bool is_communication(const ProfileRow *row, const char *name)
{
    return strcmp(row->call, "communication") == 0 && strcmp(row->name, name) == 0;
}

/* The bytes that the call copies, of its payload (plan/collectives.c); 0: it is none of those. */
static double copied_bytes(const ProfileRow *row, int ranks)
{
    if (is_communication(row, "all_reduce") || is_communication(row, "all_gather"))
        return row->bytes;
    return is_communication(row, "reduce_scatter") ? row->bytes * (1 + 1.0 / ranks) / 2 : 0;
}

static void fit_links(const Profile *profile, int ranks, Figures *f)
{
    double bytes = 0, seconds = 0, written = 0, writing = 0;
    for (int i = 0; i < profile->count; i++) {
        const ProfileRow *row = &profile->rows[i];
        double copied = copied_bytes(row, ranks);
        if (copied > 0 && row->bytes <= 8)
            f->of[FIGURE_LATENCY] = row->seconds;
        if (row->bytes > 65536) {
            bytes += copied;
            seconds += copied > 0 ? row->seconds : 0;
        }
        if (strcmp(row->name, "kernel_fill_f32") == 0 && row->bytes > 524288 && row->bytes > written) {
            written = row->bytes;
            writing = row->seconds;
        }
    }
    f->of[FIGURE_LINK] = seconds > 0 ? bytes / seconds : 0;
    f->of[FIGURE_SHARED] = writing > 0 ? written / writing : 0;
}

static double host_speed(const Profile *profile)
{
    double bytes = 0, seconds = 0;
    for (int i = 0; i < profile->count; i++) {
        const ProfileRow *row = &profile->rows[i];
        bool copies = strcmp(row->name, "host copy") == 0 && row->bytes > 65536;
        bytes += copies ? row->bytes : 0;
        seconds += copies ? row->seconds : 0;
    }
    return seconds > 0 ? bytes / seconds : 0;
}

/* Kernels on a single number, or a few. */
static double launch_seconds(const Profile *profile)
{
    double seconds[MOST_RATIOS];
    int count = 0;
    for (int i = 0; i < profile->count; i++)
        if (begins(profile->rows[i].name, "kernel_") && profile->rows[i].bytes <= 256)
            seconds[count++] = profile->rows[i].seconds;
    return median(seconds, count);
}

void figures_find(const Profile profiles[PROBE_COUNT], const double arena_bytes[MEMORY_SIZES], int ranks,
                  const Figures *sizes, Figures *figures)
{
    static Profile both;
    both = profiles[PROBE_PRODUCTS];
    profile_merge(&both, &profiles[PROBE_ROWS]);
    *figures = sizes != NULL ? *sizes : (Figures){{0}};
    if (sizes == NULL)
        fit_products(&both, figures);
    else
        figures->of[FIGURE_PRODUCTS] = product_speed(&both, figures);
    fit_arithmetic(&both, figures);
    figures->of[FIGURE_LAUNCH] = launch_seconds(&both);
    fit_memory(profiles, arena_bytes, sizes, figures);
    fit_links(&profiles[PROBE_LINKS], ranks, figures);
    figures->of[FIGURE_HOST] = host_speed(&profiles[PROBE_TIERS]);
}

/* cluster.c - reads the cluster that a train runs on: its devices, their links, and what they can do. */
#include "sema/train.h"

#include <string.h>

static bool read_device(Ctx *ctx, const AstNode *node, Cluster *cluster)
{
    if (node->kind == AST_NAME && hardware_device(node->name.text, &cluster->device))
        return true;
    resolve_unknown(ctx, node->span, "device", resolve_text(ctx, node), hardware_device_names, HARDWARE_DEVICES);
    return false;
}

/* ---- Links -------------------------------------------------------------------------------------------------- */

static bool is_word(const AstNode *piece, const char *word)
{
    return piece->kind == AST_NAME && strcmp(piece->name.text, word) == 0;
}

static bool is_link(const AstNode *piece)
{
    return is_word(piece, "within") || is_word(piece, "between");
}

/* How many pieces come before `within` and `between`, which describe links. */
static int before_links(const AstList *pieces)
{
    int count = 0;
    while (count < pieces->count && !is_link(pieces->data[count]))
        count++;
    return count;
}

/* A number with such a unit, more than nothing. */
static bool read_measure(Ctx *ctx, const AstNode *node, Measure measure, const char *what, const char *example,
                         double *value)
{
    if (node->kind == AST_NUMBER && node->number.measure == measure && node->number.value > 0) {
        *value = node->number.value;
        return true;
    }
    Diagnostic *d = diag_report(ctx->diag, P0206, node->span, "%s must be a positive number%s", what,
                                measure == MEASURE_NONE ? "" : " with its unit");
    diag_help(d, "For example %s.", example);
    return false;
}

/* NAME, then perhaps a bandwidth, and `after` the latency. */
static bool read_link(Ctx *ctx, const AstNode *const *pieces, int count, const Device *device, Link *link)
{
    const AstNode *name = count > 1 ? pieces[1] : NULL;
    if (name == NULL || name->kind != AST_NAME) {
        Diagnostic *d = diag_report(ctx->diag, P0206, name != NULL ? name->span : pieces[0]->span,
                                    "expected the name of a link after '%s'", pieces[0]->name.text);
        diag_help(d, "For example `between infiniband 400 Gbit/s`.");
        return false;
    }
    if (!hardware_link(device, name->name.text, link)) {
        resolve_unknown(ctx, name->span, "link", name->name.text, hardware_link_names, HARDWARE_LINKS);
        return false;
    }
    int at = 2;
    if (at < count && pieces[at]->kind == AST_NUMBER &&
        !read_measure(ctx, pieces[at++], MEASURE_BYTES_PER_SECOND, "the bandwidth of a link", "`400 Gbit/s`",
                      &link->bytes_per_second))
        return false;
    if (at + 1 < count && is_word(pieces[at], "after")) {
        if (!read_measure(ctx, pieces[at + 1], MEASURE_SECONDS, "the latency of a link", "`after 5 us`",
                          &link->latency_seconds))
            return false;
        at += 2;
    }
    if (at < count)
        diag_report(ctx->diag, P0206, pieces[at]->span, "expected a bandwidth, `after` a latency, or the next link");
    return at == count;
}

/* The links that the line gives from piece `at` on; those that it does not give are the usual ones. */
static bool read_links(Ctx *ctx, const AstNode *line, int at, Cluster *cluster)
{
    const AstList *pieces = &line->setting.pieces;
    const Device *device = &cluster->device;
    hardware_link(device, device->nvlink_bytes_per_second > 0 ? "nvlink" : "memory", &cluster->within);
    hardware_link(device, "infiniband", &cluster->between);
    const AstNode *given[2] = {NULL, NULL};
    while (at < pieces->count) {
        int end = at + 1;
        while (end < pieces->count && !is_link(pieces->data[end]))
            end++;
        const AstNode *first = pieces->data[at];
        bool within = is_word(first, "within");
        if (given[within] != NULL) {
            resolve_duplicate(ctx, first->span, "link", first->name.text, given[within]->span);
            return false;
        }
        given[within] = first;
        if (!read_link(ctx, (const AstNode *const *)&pieces->data[at], end - at, device,
                       within ? &cluster->within : &cluster->between))
            return false;
        at = end;
    }
    if (given[0] != NULL && cluster->node_devices == 0) {
        Diagnostic *d =
            diag_report(ctx->diag, P0206, given[0]->span, "a cluster without nodes has no links between them");
        diag_help(d, "Say how many nodes there are: `2 nodes of 4 h100`.");
        return false;
    }
    return true;
}

/* ---- Clusters ----------------------------------------------------------------------------------------------- */

static bool read_devices(Ctx *ctx, const AstNode *line, const AstNode *head, Cluster *cluster)
{
    const AstNode *found[3];
    const int64_t limit = 1 << 24;
    int64_t nodes = 1;
    if (ast_match(head, "# devices of #", found) || ast_match(head, "# device of #", found))
        return resolve_integer(ctx, NULL, found[0], "the number of devices", 1, limit, &cluster->devices) &&
               read_device(ctx, found[1], cluster);
    if (ast_match(head, "# nodes of # #", found) || ast_match(head, "# node of # #", found)) {
        if (!resolve_integer(ctx, NULL, found[0], "the number of nodes", 1, limit, &nodes) ||
            !resolve_integer(ctx, NULL, found[1], "the number of devices in a node", 1, limit,
                             &cluster->node_devices) ||
            !read_device(ctx, found[2], cluster))
            return false;
        cluster->devices = nodes * cluster->node_devices;
        return true;
    }
    Diagnostic *d = diag_report(ctx->diag, P0206, line->span, "expected the devices of the cluster");
    diag_help(d, "Write '4 devices of cpu' or '16 nodes of 8 h100'.");
    return false;
}

/* ---- What its devices can do -------------------------------------------------------------------------------- */

typedef enum Fact {
    FACT_MEMORY,
    FACT_STREAM,
    FACT_ARITHMETIC,
    FACT_FUNCTIONS,
    FACT_SHARED,
    FACT_LAUNCH,
    FACT_PRODUCT_LAUNCH,
    FACT_HOST,
    FACT_POWER,
    FACT_PRICE,
    FACT_DEPTH,
    FACT_EDGE,
    FACT_PRODUCTS
} Fact;
enum { FACT_COUNT = FACT_PRODUCTS + DTYPE_KINDS };

/* A line of a cluster; the last hole of its pattern is a number. */
static const struct {
    const char *pattern;
    Fact fact;
    Measure measure;
    const char *what, *example;
} facts[] = {
    {"memory #", FACT_MEMORY, MEASURE_BYTES, "the memory of a device", "`80 GiB`"},
    {"memory at #", FACT_STREAM, MEASURE_BYTES_PER_SECOND, "the speed of memory", "`18 GB/s`"},
    {"arithmetic at #", FACT_ARITHMETIC, MEASURE_FLOPS_PER_SECOND, "the speed of arithmetic", "`20 GFLOP/s`"},
    {"functions at #", FACT_FUNCTIONS, MEASURE_FLOPS_PER_SECOND, "the speed of functions", "`3 GFLOP/s`"},
    {"launch #", FACT_LAUNCH, MEASURE_SECONDS, "the time to start an operator", "`2 us`"},
    {"product launch #", FACT_PRODUCT_LAUNCH, MEASURE_SECONDS, "the time to start a product", "`300 ns`"},
    {"shared at #", FACT_SHARED, MEASURE_BYTES_PER_SECOND, "the speed of shared memory", "`5 GB/s`"},
    {"host at #", FACT_HOST, MEASURE_BYTES_PER_SECOND, "the speed of the link to the host", "`30 GB/s`"},
    {"power #", FACT_POWER, MEASURE_WATTS, "the power of a device", "`700 W`"},
    {"price # per hour", FACT_PRICE, MEASURE_NONE, "the price of a device", "`2.5 per hour`"},
    {"half depth #", FACT_DEPTH, MEASURE_NONE, "the depth of products at half their speed", "`16`"},
    {"half edge #", FACT_EDGE, MEASURE_NONE, "the edge of products at half their speed", "`4`"},
    {"products # at #", FACT_PRODUCTS, MEASURE_FLOPS_PER_SECOND, "the speed of products", "`200 GFLOP/s`"},
};

/* What is given is what programs reach, not what the maker says. */
static void put_fact(Device *device, Fact fact, DType dtype, double value)
{
    switch (fact) {
    case FACT_MEMORY:
        device->memory_bytes = (int64_t)value;
        return;
    case FACT_STREAM:
        device->memory_bytes_per_second = value;
        device->memory_reached = 1;
        return;
    case FACT_ARITHMETIC:
        device->vector_flops = value;
        return;
    case FACT_FUNCTIONS:
        device->functions_per_second = value;
        return;
    case FACT_DEPTH:
        device->half_depth = value;
        return;
    case FACT_EDGE:
        device->half_edge = value;
        return;
    case FACT_SHARED:
        device->shared_bytes_per_second = value;
        return;
    case FACT_PRODUCT_LAUNCH:
        device->product_launch_seconds = value;
        return;
    case FACT_LAUNCH:
        device->launch_seconds = value;
        return;
    case FACT_HOST:
        device->host_bytes_per_second = value;
        return;
    case FACT_POWER:
        device->watts = value;
        return;
    case FACT_PRICE:
        device->price_per_second = value / 3600;
        return;
    case FACT_PRODUCTS:
        device->product_flops[dtype] = value;
        device->product_reached = 1;
        return;
    }
    BUG("a fact that is none");
}

/* `cache 1 MiB at 100 GB/s`: as many as the table holds, each larger than the one before. */
static bool read_cache(Ctx *ctx, const AstNode *const *found, Device *device)
{
    Cache cache;
    if (!read_measure(ctx, found[0], MEASURE_BYTES, "the size of a cache", "`1 MiB`", &cache.bytes) ||
        !read_measure(ctx, found[1], MEASURE_BYTES_PER_SECOND, "the speed of a cache", "`100 GB/s`",
                      &cache.bytes_per_second))
        return false;
    if (device->cache_count == DEVICE_CACHES) {
        diag_report(ctx->diag, P0206, found[0]->span, "a device has at most %d caches", DEVICE_CACHES);
        return false;
    }
    if (device->cache_count > 0 && device->caches[device->cache_count - 1].bytes >= cache.bytes) {
        diag_report(ctx->diag, P0206, found[0]->span, "a cache must be larger than the one before it");
        return false;
    }
    device->caches[device->cache_count++] = cache;
    return true;
}

static bool read_fact(Ctx *ctx, const AstNode *line, Device *device, const AstNode **given)
{
    const AstNode *found[2];
    if (ast_match(line, "cache # at #", found))
        return read_cache(ctx, found, device);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        double value;
        DType dtype = 0;
        if (!ast_match(line, facts[i].pattern, found))
            continue;
        bool products = facts[i].fact == FACT_PRODUCTS;
        if (products && !resolve_dtype(ctx, found[0], "dtype", &dtype))
            return false;
        const AstNode **before = &given[facts[i].fact + (products ? dtype : 0)];
        if (*before != NULL) {
            resolve_duplicate(ctx, line->span, "line", facts[i].what, (*before)->span);
            return false;
        }
        *before = line;
        if (!read_measure(ctx, found[products], facts[i].measure, facts[i].what, facts[i].example, &value))
            return false;
        put_fact(device, facts[i].fact, dtype, value);
        return true;
    }
    Diagnostic *d = diag_report(ctx->diag, P0206, line->span, "expected what the devices of the cluster can do");
    diag_help(d,
              "Write `memory 80 GiB`, `memory at 18 GB/s`, `cache 1 MiB at 90 GB/s`, `products f32 at 200 GFLOP/s`, "
              "`half depth 16`, `half edge 4`, `arithmetic at 20 GFLOP/s`, `functions at 3 GFLOP/s`, `launch 2 us`, "
              "`product launch 300 ns`, `shared at 5 GB/s`, `host at 30 GB/s`, `power 700 W` or `price 2.5 per hour`.");
    return false;
}

/* Products whose speed is given reach it whatever their shape, unless lines say otherwise. */
static void forget_halves(Device *device, const AstNode *const *given)
{
    bool products = false;
    for (int dtype = 0; dtype < DTYPE_KINDS; dtype++)
        products = products || given[FACT_PRODUCTS + dtype] != NULL;
    if (products && given[FACT_DEPTH] == NULL)
        device->half_depth = 0;
    if (products && given[FACT_EDGE] == NULL)
        device->half_edge = 0;
}

/* Its devices and links, then what these devices can do. */
bool cluster_read(Ctx *ctx, const AstNode *node, Cluster *cluster)
{
    const AstList *body = &node->cluster.body;
    const AstNode *given[FACT_COUNT] = {NULL};
    cluster->name = node->cluster.name.text;
    cluster->span = node->cluster.name.span;
    if (node->damaged)
        return false;
    if (body->count == 0) {
        Diagnostic *d = diag_report(ctx->diag, P0208, cluster->span, "cluster '%s' has no devices", cluster->name);
        diag_help(d, "Write '4 devices of cpu' or '16 nodes of 8 h100'.");
        return false;
    }
    const AstNode *line = body->data[0];
    AstNode head = *line;
    head.setting.pieces.count = before_links(&line->setting.pieces);
    if (!read_devices(ctx, line, &head, cluster))
        return false;
    bool good = true;
    for (int i = 1; i < body->count; i++)
        good &= read_fact(ctx, body->data[i], &cluster->device, given);
    forget_halves(&cluster->device, given);
    return read_links(ctx, line, head.setting.pieces.count, cluster) && good;
}

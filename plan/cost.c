/* cost.c - how long operators take on a device (plan/cost.h). */
#include "plan/cost.h"

#include "plan/plan.h"
#include "plan/walk.h"
#include "step/spec.h"

#include <math.h>
#include <string.h>

/* ---- Products ----------------------------------------------------------------------------------------------- */

enum { IN_A = 1, IN_B = 2, IN_OUT = 4, MOST_RUNS = STEP_MAX_DIMS * 3 };

/* Letters that follow each other in every array that has them. */
typedef struct Run {
    int where; /* IN_A | IN_B | IN_OUT */
    char last;
    double length;
    int innermost; /* arrays in which it has stride 1 */
} Run;

typedef struct Runs {
    SpecLetters array[3];
    Run run[MOST_RUNS];
    int count;
} Runs;

static int where_is(const Runs *r, char letter)
{
    int where = 0;
    for (int i = 0; i < 3; i++)
        where |= spec_dim(r->array[i], letter) >= 0 ? 1 << i : 0;
    return where;
}

static bool follows(const Runs *r, char first, char second)
{
    for (int i = 0; i < 3; i++) {
        int at = spec_dim(r->array[i], first), next = spec_dim(r->array[i], second);
        if ((at < 0) != (next < 0) || (at >= 0 && next != at + 1))
            return false;
    }
    return true;
}

static void add_letter(Runs *r, char letter, char before, double extent)
{
    Run *last = r->count > 0 ? &r->run[r->count - 1] : NULL;
    if (last == NULL || last->last != before || !follows(r, before, letter)) {
        last = &r->run[r->count++];
        *last = (Run){.where = where_is(r, letter), .length = 1};
    }
    last->last = letter;
    last->length *= extent;
    for (int i = 0; i < 3; i++)
        last->innermost += r->array[i].count > 0 && r->array[i].at[r->array[i].count - 1] == letter;
}

static Runs find_runs(const Program *program, const Op *op)
{
    Runs r = {.array = {spec_letters(op->spec, 0), spec_letters(op->spec, 1), spec_letters(op->spec, SPEC_RESULT)}};
    bool known[OP_INDICES] = {false};
    double extents[OP_INDICES];
    op_extents(program, op, extents);
    for (int i = 0; i < 3; i++)
        for (int l = 0; l < r.array[i].count; l++) {
            char letter = r.array[i].at[l];
            if (!known[(unsigned char)letter])
                add_letter(&r, letter, l > 0 ? r.array[i].at[l - 1] : '\0', extents[(unsigned char)letter]);
            known[(unsigned char)letter] = true;
        }
    return r;
}

/* The length of the run of a sort that the product itself takes; 1: there is none. */
static double take_run(const Runs *r, int where)
{
    const Run *best = NULL;
    for (int i = 0; i < r->count; i++) {
        const Run *run = &r->run[i];
        if (run->where == where && (best == NULL || run->innermost > best->innermost ||
                                    (run->innermost == best->innermost && run->length > best->length)))
            best = run;
    }
    return best != NULL ? best->length : 1;
}

/* As emitted programs do it (codegen/emit_gemm.c): one run of rows, columns and summed letters each is a product, and
 * there are as many of them as all other letters have values. */
static ProductShape contraction_shape(const Program *program, const Op *op)
{
    Runs runs = find_runs(program, op);
    ProductShape shape = {1, take_run(&runs, IN_A | IN_OUT), take_run(&runs, IN_B | IN_OUT),
                          take_run(&runs, IN_A | IN_B)};
    for (int i = 0; i < runs.count; i++)
        shape.batch *= runs.run[i].length;
    shape.batch /= shape.m * shape.n * shape.k;
    return shape;
}

/* What both operands and the result have numbers the products, what one operand alone has with it rows or columns, and
 * what the result lacks is summed. A window's positions count as rows. */
static ProductShape window_shape(const Program *program, const Op *op)
{
    SpecLetters a = spec_letters(op->spec, 0), b = spec_letters(op->spec, 1), out = spec_letters(op->spec, SPEC_RESULT);
    ProductShape shape = {1, 1, 1, 1};
    double extents[OP_INDICES];
    op_extents(program, op, extents);
    for (char letter = 'a'; letter <= 'z'; letter++) {
        int in_a = spec_dim(a, letter), in_b = spec_dim(b, letter), in_out = spec_dim(out, letter);
        double extent = extents[(unsigned char)letter];
        if (in_a < 0 && in_b < 0 && in_out < 0)
            continue;
        if (in_out < 0)
            shape.k *= extent;
        else if (in_a >= 0 && in_b >= 0)
            shape.batch *= extent;
        else if (in_b >= 0)
            shape.n *= extent;
        else
            shape.m *= extent;
    }
    return shape;
}

ProductShape cost_product_shape(const Program *program, const Op *op)
{
    return op_info[op->kind].op_class == CLASS_WINDOW ? window_shape(program, op) : contraction_shape(program, op);
}

/* The part of the best speed that a product of this shape reaches: half of it at half_depth, and so on. */
static double part_reached(const Device *device, const ProductShape *shape)
{
    return device->product_reached / (1 + device->half_depth / shape->k) / (1 + device->half_edge / shape->m) /
           (1 + device->half_edge / shape->n);
}

static DType product_dtype(const Program *program, const Op *op)
{
    return program->buffers.data[op->operand[0].buffer].dtype;
}

/* ---- Memory ------------------------------------------------------------------------------------------------- */

static double bytes_of(const Program *program, const Ref *ref)
{
    return (double)ref_bytes(program, ref);
}

static double result_bytes(const Program *program, const Op *op)
{
    return op_has_result(op->kind) ? bytes_of(program, &op->out) * (op->accumulate ? 2 : 1) : 0;
}

static double operand_bytes(const Program *program, const Op *op)
{
    double bytes = 0;
    for (int i = 0; i < op->operand_count; i++)
        bytes += bytes_of(program, &op->operand[i]);
    return bytes;
}

/* Of a table only the rows that are named are read, or added to. */
static double table_bytes(const Program *program, const Op *op)
{
    double whole = operand_bytes(program, op), out = bytes_of(program, &op->out), table = 0;
    if (op_info[op->kind].op_class == CLASS_SCATTER)
        return whole + 2 * fmin(whole, out);
    for (int i = 0; i < op->operand_count; i++)
        table = fmax(table, bytes_of(program, &op->operand[i]));
    return whole - table + fmin(table, out) + result_bytes(program, op);
}

/* What is moved is read and written. */
static double moved_bytes(const Program *program, const Op *op)
{
    double least = bytes_of(program, &op->out);
    for (int i = 0; i < op->operand_count; i++)
        least = fmin(least, bytes_of(program, &op->operand[i]));
    return 2 * least;
}

/* The part of the result that `where(a, b, c)` changes in c's place, if each number of b is put somewhere once: of a
 * cache the row of a step, and nothing else of it is read or written (codegen/llvm_kernel.c). */
static double part_changed(const Program *program, const Op *op)
{
    if (op->kind != OP_SELECT || op->accumulate || !ref_equal(op->operand[2], op->out))
        return 1;
    return fmin(1, bytes_of(program, &op->operand[1]) / bytes_of(program, &op->out));
}

static double map_bytes(const Program *program, const Op *op)
{
    double changed = part_changed(program, op);
    if (changed < 1)
        return bytes_of(program, &op->operand[0]) + 2 * changed * bytes_of(program, &op->out);
    return operand_bytes(program, op) + result_bytes(program, op);
}

double cost_memory_bytes(const Program *program, const Op *op)
{
    switch (op_info[op->kind].op_class) {
    case CLASS_MAP:
        return map_bytes(program, op);
    case CLASS_ROW:
    case CLASS_SUM:
    case CLASS_CONTRACT:
    case CLASS_CHOICE:
    case CLASS_WINDOW:
    case CLASS_SOURCE:
    case CLASS_SINK:
        return operand_bytes(program, op) + result_bytes(program, op);
    case CLASS_GATHER:
    case CLASS_SCATTER:
        return table_bytes(program, op);
    case CLASS_VIEW:
    case CLASS_MOVE:
        return moved_bytes(program, op);
    case CLASS_COMM:
        return 0;
    }
    BUG("'%s' is of no class", op_info[op->kind].name);
}

/* ---- Operators ---------------------------------------------------------------------------------------------- */

/* By the operations that published counts have, or by those of the kernel. */
static double arithmetic_seconds(const Device *device, const Program *program, const Op *op)
{
    double flops = op_flops(program, op) * part_changed(program, op);
    if (flops == 0)
        return 0;
    if (device->functions_per_second == 0)
        return flops / device->vector_flops;
    double elements = flops / op_info[op->kind].flops;
    BodyWork work = cost_work(op->kind);
    return elements * (work.operations / device->vector_flops + work.functions / device->functions_per_second);
}

static double product_seconds(const Device *device, const Program *program, const Op *op, double flops)
{
    ProductShape shape = cost_product_shape(program, op);
    return flops / (device->product_flops[product_dtype(program, op)] * part_reached(device, &shape)) +
           shape.batch * device->product_launch_seconds;
}

static double level_bytes_per_second(const Device *device, int level)
{
    if (level < TRAFFIC_MEMORY && level < device->cache_count)
        return device->caches[level].bytes_per_second;
    if (level == TRAFFIC_SHARED && device->shared_bytes_per_second > 0)
        return device->shared_bytes_per_second;
    return device->memory_bytes_per_second * device->memory_reached;
}

/* Of all bytes, each level has the part that it has of those that were followed. */
static double moving_seconds(const Device *device, double bytes, const OpTraffic *traffic)
{
    double followed = 0, seconds = 0;
    for (int level = 0; traffic != NULL && level < TRAFFIC_COUNT; level++) {
        followed += traffic->bytes[level];
        seconds += traffic->bytes[level] / level_bytes_per_second(device, level);
    }
    return followed > 0 ? bytes * seconds / followed : bytes / level_bytes_per_second(device, TRAFFIC_MEMORY);
}

static OpCost cost_computing(const Device *device, const Program *program, const Op *op, const OpTraffic *traffic)
{
    OpCost cost = {.flops = op_flops(program, op), .bytes = cost_memory_bytes(program, op)};
    bool product = op_is_product(op);
    Spent arithmetic = product ? SPENT_PRODUCTS : SPENT_VECTOR;
    double computing =
        product ? product_seconds(device, program, op, cost.flops) : arithmetic_seconds(device, program, op);
    double moving = moving_seconds(device, cost.bytes, traffic);
    cost.spent[computing > moving ? arithmetic : SPENT_MEMORY] = fmax(computing, moving);
    cost.spent[SPENT_LAUNCH] = device->launch_seconds;
    cost.seconds = fmax(computing, moving) + device->launch_seconds;
    return cost;
}

/* Between the device and another tier. */
static OpCost cost_copying(const Device *device, const Program *program, const Op *op)
{
    OpCost cost = {.bytes = bytes_of(program, &op->out)};
    cost.spent[SPENT_LINK] = cost.bytes / device->host_bytes_per_second;
    cost.spent[SPENT_LAUNCH] = device->launch_seconds;
    cost.seconds = cost.spent[SPENT_LINK] + cost.spent[SPENT_LAUNCH];
    return cost;
}

static bool crosses_tiers(const Program *program, const Op *op)
{
    return op->kind == OP_COPY && (program->buffers.data[op->operand[0].buffer].tier != TIER_DEVICE ||
                                   program->buffers.data[op->out.buffer].tier != TIER_DEVICE);
}

/* Two ranks that are neighbours along an axis. */
static CostGroup pair_of(const Cluster *cluster, bool crosses)
{
    return (CostGroup){2, crosses ? 1 : 2, crosses ? 2 : 1, &cluster->within, &cluster->between};
}

static bool is_message(const Op *op)
{
    return op->kind == OP_SEND || op->kind == OP_RECV;
}

static CostGroup group_of(const Cluster *cluster, const Decls *decls, const Op *op)
{
    CostGroup group = cost_group(cluster, decls, &op->axes);
    return is_message(op) && group.ranks > 1 ? pair_of(cluster, group.within == 1) : group;
}

static OpCost cost_communicating(const Cluster *cluster, const Program *program, const Op *op, const CostGroup *group)
{
    PlanCall call = plan_describe_call(program, op, 1);
    OpCost cost = cost_collective(op_collective(op->kind), (double)call.payload_bytes, group);
    cost.spent[SPENT_LAUNCH] += cluster->device.launch_seconds;
    cost.seconds += cluster->device.launch_seconds;
    return cost;
}

OpCost cost_op(const Cluster *cluster, const Program *program, const Op *op, const OpTraffic *traffic)
{
    const Device *device = &cluster->device;
    if (op_info[op->kind].op_class == CLASS_COMM) {
        CostGroup group = group_of(cluster, program->decls, op);
        return cost_communicating(cluster, program, op, &group);
    }
    return crosses_tiers(program, op) ? cost_copying(device, program, op)
                                      : cost_computing(device, program, op, traffic);
}

/* Alone, a rank has all memory. */
const char *cost_algorithm(const Cluster *cluster, const Program *program, const Op *op)
{
    const char *algorithm = cost_op(cluster, program, op, NULL).algorithm;
    return algorithm != NULL ? algorithm : "direct";
}

OpCost cost_far(const Cluster *cluster, const Program *program, const Op *op)
{
    CostGroup group = pair_of(cluster, true);
    return cost_communicating(cluster, program, op, &group);
}

/* ---- What is not known -------------------------------------------------------------------------------------- */

static const char *unknown_links(const Cluster *cluster, const Decls *decls, const Op *op)
{
    CostGroup group = cost_group(cluster, decls, &op->axes);
    if (group.within > 1 && cluster->within.bytes_per_second == 0)
        return "the link within a node";
    if (group.nodes > 1 && cluster->between.bytes_per_second == 0)
        return "the link between nodes";
    return NULL;
}

static const char *const unknown_products[DTYPE_KINDS] = {
    [DTYPE_F32] = "the speed of products in f32",
    [DTYPE_F64] = "the speed of products in f64",
    [DTYPE_BF16] = "the speed of products in bf16",
    [DTYPE_I32] = "the speed of products in i32",
};

const char *cost_unknown(const Cluster *cluster, const Program *program, const Op *op)
{
    const Device *device = &cluster->device;
    if (op_info[op->kind].op_class == CLASS_COMM)
        return unknown_links(cluster, program->decls, op);
    if (crosses_tiers(program, op))
        return device->host_bytes_per_second == 0 ? "the link to the host" : NULL;
    if (device->memory_bytes_per_second == 0)
        return "the speed of its memory";
    if (!op_is_product(op))
        return device->vector_flops == 0 ? "the speed of operators that are no products" : NULL;
    const DType dtype = product_dtype(program, op);
    if (device->product_flops[dtype] == 0 || device->product_reached == 0)
        return unknown_products[dtype];
    return NULL;
}

/* llvm_kernel.c - a kernel's function: its arguments and the loops of its class, on the host and on a GPU.
 *
 * On the host the dims become nested loops, the last one innermost: that is the one LLVM vectorises; the one that can
 * be computed in pieces goes over a range. Arrays do not overlap, which LLVM knows of a function's own arguments only,
 * so a host kernel is two functions: the one that is called takes the arguments out of their struct. On a GPU, elements
 * or rows are distributed over blocks (codegen/kernel_spec.h), and sums inside a block use shuffles. Sums are taken in
 * an order that does not depend on the number of blocks, and nothing is added atomically: results are reproducible.
 */
#include "codegen/llvm_lower.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef void Visit(Lower *lower, Position *position);

/* ---- Arguments ---------------------------------------------------------------------------------------------- */

static void set_attribute(Lower *lower, unsigned argument, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAttributeRef attribute = LLVMCreateEnumAttribute(lower->context, kind, 0);
    LLVMAddAttributeAtIndex(lower->function, argument, attribute);
}

/* Names an argument and adds attributes to pointers. Attribute indices count from 1; 0 is the result. */
static LLVMValueRef pointer_argument(Lower *lower, unsigned index, const char *name, bool written)
{
    LLVMValueRef argument = LLVMGetParam(lower->function, index);
    LLVMSetValueName2(argument, name, strlen(name));
    if (!lower->spec->may_overlap)
        set_attribute(lower, index + 1, "noalias");
    if (!written)
        set_attribute(lower, index + 1, "readonly");
    set_attribute(lower, index + 1, "nocapture");
    return argument;
}

static LLVMValueRef named_argument(Lower *lower, unsigned index, const char *name)
{
    LLVMValueRef argument = LLVMGetParam(lower->function, index);
    LLVMSetValueName2(argument, name, strlen(name));
    return argument;
}

enum { MOST_ARGUMENTS = KERNEL_MOST_ARRAYS + KERNEL_MOST_EXTENTS + KERNEL_MOST_NUMBERS + 2 };

/* The arguments one by one: arrays, extents, numbers, and on the host the range. Returns how many there are. */
static unsigned argument_types(Lower *lower, LLVMTypeRef types[MOST_ARGUMENTS])
{
    const KernelSpec *spec = lower->spec;
    LLVMTypeRef pointer = LLVMPointerTypeInContext(lower->context, lower->gpu ? 1 : 0);
    unsigned count = 0;
    for (int i = 0; i < kernel_array_count(spec); i++)
        types[count++] = pointer;
    for (int i = 0; i < kernel_extent_count(spec); i++)
        types[count++] = lower->type_i64;
    for (int i = 0; i < kernel_number_count(spec); i++)
        types[count++] = lower->type_f64;
    for (int i = 0; i < 2 && !lower->gpu; i++)
        types[count++] = lower->type_i64;
    return count;
}

static void create_function(Lower *lower)
{
    LLVMTypeRef types[MOST_ARGUMENTS];
    unsigned count = argument_types(lower, types);
    char name[200];
    snprintf(name, sizeof name, "%s%s", lower->spec->name, lower->gpu ? "" : ".range");
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(lower->context), types, count, false);
    lower->function = LLVMAddFunction(lower->module, name, type);
    set_attribute(lower, LLVMAttributeFunctionIndex, "nounwind");
    if (lower->gpu) {
        LLVMSetFunctionCallConv(lower->function, 71); /* the ptx_kernel convention */
        return;
    }
    LLVMSetLinkage(lower->function, LLVMInternalLinkage);
    set_attribute(lower, LLVMAttributeFunctionIndex, "noinline");
}

/* The arguments are in a struct of three arrays. */
static LLVMValueRef load_argument(Lower *lower, LLVMTypeRef of, LLVMTypeRef type, LLVMValueRef arguments,
                                  unsigned field, unsigned index)
{
    LLVMTypeRef i32 = lower->type_i32;
    LLVMValueRef at[] = {LLVMConstInt(i32, 0, false), LLVMConstInt(i32, field, false), LLVMConstInt(i32, index, false)};
    LLVMValueRef address = LLVMBuildInBoundsGEP2(lower->builder, of, arguments, at, 3, "");
    return LLVMBuildLoad2(lower->builder, type, address, "");
}

/* void NAME(const prt_arguments *arguments, int64_t first, int64_t last) */
static void create_host_function(Lower *lower)
{
    const KernelSpec *spec = lower->spec;
    LLVMTypeRef pointer = LLVMPointerTypeInContext(lower->context, 0), types[MOST_ARGUMENTS];
    LLVMTypeRef fields[] = {LLVMArrayType2(pointer, KERNEL_MOST_ARRAYS),
                            LLVMArrayType2(lower->type_i64, KERNEL_MOST_EXTENTS),
                            LLVMArrayType2(lower->type_f64, KERNEL_MOST_NUMBERS)};
    LLVMTypeRef of = LLVMStructTypeInContext(lower->context, fields, 3, false),
                none = LLVMVoidTypeInContext(lower->context);
    LLVMTypeRef given[] = {pointer, lower->type_i64, lower->type_i64};
    LLVMValueRef function = LLVMAddFunction(lower->module, spec->name, LLVMFunctionType(none, given, 3, false));
    LLVMPositionBuilderAtEnd(lower->builder, LLVMAppendBasicBlockInContext(lower->context, function, "entry"));
    LLVMValueRef arguments = LLVMGetParam(function, 0), values[MOST_ARGUMENTS];
    const int counts[] = {kernel_array_count(spec), kernel_extent_count(spec), kernel_number_count(spec)};
    unsigned count = argument_types(lower, types), next = 0;
    for (unsigned field = 0; field < 3; field++)
        for (int i = 0; i < counts[field]; i++, next++)
            values[next] = load_argument(lower, of, types[next], arguments, field, (unsigned)i);
    values[next++] = LLVMGetParam(function, 1);
    values[next++] = LLVMGetParam(function, 2);
    LLVMTypeRef type = LLVMFunctionType(none, types, count, false);
    LLVMBuildCall2(lower->builder, type, lower->function, values, count, "");
    LLVMBuildRetVoid(lower->builder);
}

static void take_rooms(Lower *lower, unsigned *next)
{
    KernelRoom rooms[KERNEL_MAX_ROOMS];
    int count = kernel_rooms(lower->spec, rooms);
    for (int i = 0; i < count; i++) {
        LLVMValueRef *array = rooms[i].operand < 0 ? lower->out_room : lower->operand_room[rooms[i].operand];
        array[rooms[i].position] = named_argument(lower, (*next)++, "room");
    }
    if (!lower->spec->some_rows)
        return;
    lower->first_row = named_argument(lower, (*next)++, "first_row");
    lower->all_rows = named_argument(lower, (*next)++, "all_rows");
}

static void take_arguments(Lower *lower)
{
    const KernelSpec *spec = lower->spec;
    static const char *const operand_names[STEP_MAX_OPERANDS] = {"a", "b", "c", "d", "e", "f", "g"};
    unsigned next = 0;
    lower->out = pointer_argument(lower, next++, "y", true);
    for (int i = 0; i < spec->operand_count; i++)
        lower->operand[i] =
            spec->operand[i].in_place ? lower->out : pointer_argument(lower, next++, operand_names[i], false);
    for (int i = 0; i < spec->dim_count; i++)
        lower->extent[i] = named_argument(lower, next++, (const char[]){'n', (char)('i' + i), '\0'});
    take_rooms(lower, &next);
    for (int i = 0; i < spec->immediate_count; i++)
        lower->immediate[i] = named_argument(lower, next++, "immediate");
    if (spec->has_scale)
        lower->scale = named_argument(lower, next++, "scale");
    if (lower->gpu)
        return;
    lower->first = named_argument(lower, next++, "first");
    lower->last = named_argument(lower, next++, "last");
}

static void create_shared(Lower *lower)
{
    char name[160];
    snprintf(name, sizeof name, "%s_warps", lower->spec->name);
    LLVMTypeRef array = LLVMArrayType2(lower->type, KERNEL_THREADS / 32);
    lower->shared = LLVMAddGlobalInAddressSpace(lower->module, array, name, 3);
    LLVMSetInitializer(lower->shared, LLVMGetUndef(array));
    LLVMSetLinkage(lower->shared, LLVMInternalLinkage);
}

/* ---- The iteration space ------------------------------------------------------------------------------------ */

/* The dims that the result has, or those it lacks, outermost first. */
static int dims_where(const Lower *lower, bool in_result, int8_t *dims)
{
    int count = 0;
    for (int d = 0; d < lower->spec->dim_count; d++) {
        if (kernel_array_has(&lower->spec->out, d) == in_result)
            dims[count++] = (int8_t)d;
    }
    return count;
}

static LLVMValueRef product_of_extents(Lower *lower, const int8_t *dims, int count)
{
    LLVMValueRef product = emit_integer(lower, 1);
    for (int i = 0; i < count; i++)
        product = i == 0 ? lower->extent[dims[i]] : emit_index_multiply(lower, product, lower->extent[dims[i]]);
    return product;
}

/* Splits a flat number into the indices of some dims. */
static void split_index(Lower *lower, LLVMValueRef flat, const int8_t *dims, int count, Position *position)
{
    for (int i = count - 1; i > 0; i--) {
        LLVMValueRef extent = lower->extent[dims[i]];
        position->index[dims[i]] = LLVMBuildURem(lower->builder, flat, extent, "");
        flat = LLVMBuildUDiv(lower->builder, flat, extent, "");
    }
    if (count > 0)
        position->index[dims[0]] = flat;
}

/* Of the dim that is computed in pieces, the piece. */
static bool is_split(const Lower *lower, int dim)
{
    return !lower->gpu && dim == kernel_split(lower->spec);
}

static Loop host_loop(Lower *lower, int dim, const char *name)
{
    bool split = is_split(lower, dim);
    return emit_loop_begin(lower, split ? lower->first : emit_integer(lower, 0),
                           split ? lower->last : lower->extent[dim], emit_integer(lower, 1), name);
}

/* Visits every position of some dims on the host: nested loops. */
static void host_nest(Lower *lower, const int8_t *dims, int count, Position *position, Visit *visit)
{
    if (count == 0) {
        visit(lower, position);
        return;
    }
    Loop loop = host_loop(lower, dims[0], "loop");
    position->index[dims[0]] = loop.index;
    host_nest(lower, dims + 1, count - 1, position, visit);
    emit_loop_end(lower, &loop);
}

/* The same on a GPU: positions are distributed over all blocks, or over all threads of all blocks. */
static void gpu_share(Lower *lower, Position *position, Visit *visit)
{
    const KernelWork work = kernel_work(lower->spec);
    LLVMValueRef first = emit_block(lower), step = emit_block_count(lower);
    if (work.per_thread) {
        LLVMValueRef threads = emit_integer(lower, KERNEL_THREADS);
        first = emit_index_add(lower, emit_index_multiply(lower, first, threads), emit_thread(lower));
        step = emit_index_multiply(lower, step, threads);
    }
    LLVMValueRef positions = product_of_extents(lower, work.dims, work.dim_count);
    Loop loop = emit_loop_begin(lower, first, positions, step, "share");
    split_index(lower, loop.index, work.dims, work.dim_count, position);
    visit(lower, position);
    emit_loop_end(lower, &loop);
}

/* Visits every position: on the host of these dims, on a GPU of those of the kernel's work. */
static void share(Lower *lower, const int8_t *dims, int count, Visit *visit)
{
    Position position = {{0}};
    if (lower->gpu)
        gpu_share(lower, &position, visit);
    else
        host_nest(lower, dims, count, &position, visit);
}

/* The columns of a row: all of them on the host, every 256th on a GPU. */
static Loop row_begin(Lower *lower, Position *position)
{
    int last = lower->spec->dim_count - 1;
    Loop loop = !lower->gpu ? host_loop(lower, last, "column")
                            : emit_loop_begin(lower, emit_thread(lower), lower->extent[last],
                                              emit_integer(lower, KERNEL_THREADS), "column");
    position->index[last] = loop.index;
    return loop;
}

/* Lets a single thread store what the whole block computed. */
static void store_once(Lower *lower, const Position *position, LLVMValueRef y)
{
    LLVMBasicBlockRef after = NULL;
    if (lower->gpu)
        after = emit_if_begin(lower,
                              LLVMBuildICmp(lower->builder, LLVMIntEQ, emit_thread(lower), emit_integer(lower, 0), ""));
    body_store(lower, position, y, lower->spec->accumulate);
    if (after != NULL)
        emit_if_end(lower, after);
}

/* ---- MAP ---------------------------------------------------------------------------------------------------- */

static void visit_map(Lower *lower, Position *position)
{
    body_store(lower, position, body_result(lower, position), lower->spec->accumulate);
}

/* Is it the same in all columns of a row? */
static bool is_by_row(const KernelSpec *spec, int node)
{
    const KernelNode *at = &spec->body->nodes[node];
    if (at->kind == KERNEL_COL)
        return false;
    if (at->kind == KERNEL_OPERAND)
        return !kernel_array_has(&spec->operand[at->index], spec->dim_count - 1);
    for (int i = 0; i < at->argument_count; i++)
        if (!is_by_row(spec, at->argument[i]))
            return false;
    return true;
}

/* Of `where(a, b, c)` in c's place, rows in which a does not hold stay as they are: of a cache only what is put into it
 * is written. */
static bool keeps_rows(const KernelSpec *spec)
{
    const KernelNode *result = &spec->body->nodes[spec->body->result];
    if (result->kind != KERNEL_WHERE || spec->accumulate || spec->dim_count == 0)
        return false;
    const KernelNode *otherwise = &spec->body->nodes[result->argument[2]];
    return otherwise->kind == KERNEL_OPERAND && spec->operand[otherwise->index].in_place &&
           is_by_row(spec, result->argument[0]);
}

/* An element on a GPU, a row on the host. */
static void visit_changed(Lower *lower, Position *position)
{
    const KernelNode *where = &lower->spec->body->nodes[lower->spec->body->result];
    LLVMBasicBlockRef after = emit_if_begin(lower, body_holds(lower, position, where));
    Loop loop = {0};
    if (!lower->gpu)
        loop = row_begin(lower, position);
    body_store(lower, position, body_value(lower, position, where->argument[1]), false);
    if (!lower->gpu)
        emit_loop_end(lower, &loop);
    emit_if_end(lower, after);
}

static void lower_map(Lower *lower)
{
    int8_t dims[KERNEL_MAX_DIMS];
    for (int d = 0; d < lower->spec->dim_count; d++)
        dims[d] = (int8_t)d;
    if (keeps_rows(lower->spec))
        share(lower, dims, lower->spec->dim_count - 1, visit_changed);
    else
        share(lower, dims, lower->spec->dim_count, visit_map);
}

/* ---- ROW ---------------------------------------------------------------------------------------------------- */

/* A single pass over the row computes all sums and maxima that need the same number of earlier passes. */
static void row_pass(Lower *lower, const Position *row, int level)
{
    const Kernel *body = lower->spec->body;
    LLVMValueRef local[LOWER_MAX_NODES] = {NULL};
    for (int i = 0; i < body->node_count; i++) {
        const KernelNode *node = &body->nodes[i];
        if (body_level(body, i) != level || !kernel_is_row_function(node->kind))
            continue;
        local[i] = emit_local(lower, emit_number(lower->type, node->kind == KERNEL_ROW_MAX ? -INFINITY : 0));
    }
    Position position = *row;
    Loop loop = row_begin(lower, &position);
    for (int i = 0; i < body->node_count; i++) {
        if (local[i] == NULL)
            continue;
        LLVMValueRef x = body_value(lower, &position, body->nodes[i].argument[0]);
        if (body->nodes[i].kind == KERNEL_ROW_MAX)
            emit_max_to(lower, local[i], x);
        else
            emit_add_to(lower, local[i], x);
    }
    emit_loop_end(lower, &loop);
    for (int i = 0; i < body->node_count; i++) {
        if (local[i] == NULL)
            continue;
        LLVMValueRef total = emit_read_local(lower, local[i]);
        lower->row_value[i] =
            lower->gpu ? emit_block_reduce(lower, total, body->nodes[i].kind == KERNEL_ROW_MAX) : total;
    }
}

static void visit_row(Lower *lower, Position *position)
{
    const Kernel *body = lower->spec->body;
    int levels = body_level(body, body->result), last = lower->spec->dim_count - 1;
    for (int level = 1; level <= levels; level++)
        row_pass(lower, position, level);
    if (!kernel_array_has(&lower->spec->out, last)) {
        position->index[last] = emit_integer(lower, 0);
        store_once(lower, position, body_result(lower, position));
        return;
    }
    /* If in place, no thread may overwrite what another still reads. */
    if (lower->gpu)
        emit_barrier(lower);
    Loop loop = row_begin(lower, position);
    body_store(lower, position, body_result(lower, position), lower->spec->accumulate);
    emit_loop_end(lower, &loop);
}

static void lower_row(Lower *lower)
{
    int8_t dims[KERNEL_MAX_DIMS];
    for (int d = 0; d < lower->spec->dim_count - 1; d++)
        dims[d] = (int8_t)d;
    share(lower, dims, lower->spec->dim_count - 1, visit_row);
}

/* ---- SUM ---------------------------------------------------------------------------------------------------- */

static void visit_zero(Lower *lower, Position *position)
{
    body_store(lower, position, emit_number(lower->type, 0), false);
}

static void visit_add(Lower *lower, Position *position)
{
    body_store(lower, position, body_result(lower, position), true);
}

/* The last dim is summed: in double, in a register. */
static void visit_add_row(Lower *lower, Position *position)
{
    LLVMValueRef local = emit_local(lower, emit_number(lower->type_f64, 0));
    Loop loop = row_begin(lower, position);
    emit_add_to(lower, local, emit_cast(lower, body_result(lower, position), lower->type_f64));
    emit_loop_end(lower, &loop);
    body_store(lower, position, emit_cast(lower, emit_read_local(lower, local), lower->type), true);
}

static void visit_sum_by_thread(Lower *lower, Position *position);

/* The host walks the space in memory order and adds to the result, which stays in the cache if it is small. A sum in
 * bf16 is rounded once, so it is computed element by element. */
static void lower_sum_host(Lower *lower)
{
    const KernelSpec *spec = lower->spec;
    int8_t dims[KERNEL_MAX_DIMS];
    if (spec->out.dtype == DTYPE_BF16) {
        share(lower, dims, dims_where(lower, true, dims), visit_sum_by_thread);
        return;
    }
    if (!spec->accumulate)
        share(lower, dims, dims_where(lower, true, dims), visit_zero);
    for (int d = 0; d < spec->dim_count; d++)
        dims[d] = (int8_t)d;
    bool last_is_summed = spec->dim_count > 0 && !kernel_array_has(&spec->out, spec->dim_count - 1);
    if (last_is_summed)
        share(lower, dims, spec->dim_count - 1, visit_add_row);
    else
        share(lower, dims, spec->dim_count, visit_add);
}

/* One element of the result: a loop over everything summed into it, by one thread or by the block. */
static void sum_element(Lower *lower, Position *position, bool by_block)
{
    int8_t dims[KERNEL_MAX_DIMS];
    int count = dims_where(lower, false, dims);
    LLVMValueRef local = emit_local(lower, emit_number(lower->type, 0));
    LLVMValueRef first = by_block ? emit_thread(lower) : emit_integer(lower, 0);
    LLVMValueRef step = emit_integer(lower, by_block ? KERNEL_THREADS : 1);
    Loop loop = emit_loop_begin(lower, first, product_of_extents(lower, dims, count), step, "sum");
    split_index(lower, loop.index, dims, count, position);
    emit_add_to(lower, local, body_result(lower, position));
    emit_loop_end(lower, &loop);
    LLVMValueRef total = emit_read_local(lower, local);
    if (by_block)
        store_once(lower, position, emit_block_reduce(lower, total, false));
    else
        body_store(lower, position, total, lower->spec->accumulate);
}

static void visit_sum_by_block(Lower *lower, Position *position)
{
    sum_element(lower, position, true);
}

static void visit_sum_by_thread(Lower *lower, Position *position)
{
    sum_element(lower, position, false);
}

static void lower_sum_gpu(Lower *lower)
{
    bool by_thread = kernel_work(lower->spec).per_thread;
    share(lower, NULL, 0, by_thread ? visit_sum_by_thread : visit_sum_by_block);
}

/* ---- GATHER and SCATTER: dims of the indices, then the table's rows, then its columns if the index lacks them ---- */

static int table_rows(const Lower *lower)
{
    return kernel_table_rows(lower->spec);
}

static bool has_columns(const Lower *lower)
{
    return table_rows(lower) + 1 < lower->spec->dim_count;
}

/* Moves to the row of the table that the index at a position names, if the table has it: then the result is true. */
static LLVMValueRef find_row(Lower *lower, Position *position, LLVMValueRef *index)
{
    const KernelSpec *spec = lower->spec;
    int rows = table_rows(lower);
    *index = body_load(lower, &spec->operand[0], lower->operand[0], position, lower->type_i32);
    *index = emit_cast(lower, *index, lower->type_i64);
    LLVMValueRef row = spec->some_rows ? LLVMBuildSub(lower->builder, *index, lower->first_row, "") : *index;
    position->index[rows] = row;
    return LLVMBuildICmp(lower->builder, LLVMIntULT, row, lower->extent[rows], "");
}

/* Visits all columns of a row, or its only element. */
static void visit_columns(Lower *lower, Position *position, Visit *visit)
{
    if (!has_columns(lower)) {
        visit(lower, position);
        return;
    }
    Loop loop = row_begin(lower, position);
    visit(lower, position);
    emit_loop_end(lower, &loop);
}

static void gather_element(Lower *lower, Position *position)
{
    LLVMValueRef x = body_load(lower, &lower->spec->operand[1], lower->operand[1], position, lower->type);
    body_store(lower, position, x, lower->spec->accumulate);
}

static void gather_zero(Lower *lower, Position *position)
{
    body_store(lower, position, emit_number(lower->type, 0), lower->spec->accumulate);
}

static void gather_nan(Lower *lower, Position *position)
{
    body_store(lower, position, emit_number(lower->type, NAN), lower->spec->accumulate);
}

/* A row of the result. Without such a row in the table: zeros if it is another rank's or none, NaN if it should be one.
 */
static void visit_gather(Lower *lower, Position *position)
{
    const KernelSpec *spec = lower->spec;
    LLVMValueRef index, good = find_row(lower, position, &index), bad = LLVMBuildNot(lower->builder, good, "");
    LLVMBasicBlockRef after = emit_if_begin(lower, good);
    visit_columns(lower, position, gather_element);
    emit_if_end(lower, after);
    after = emit_if_begin(lower, bad);
    if (spec->names_none || spec->some_rows)
        visit_columns(lower, position, gather_zero);
    if (!spec->names_none && spec->some_rows) {
        LLVMValueRef nowhere = LLVMBuildICmp(lower->builder, LLVMIntUGE, index, lower->all_rows, "");
        LLVMBasicBlockRef then = emit_if_begin(lower, nowhere);
        visit_columns(lower, position, gather_nan);
        emit_if_end(lower, then);
    }
    if (!spec->names_none && !spec->some_rows)
        visit_columns(lower, position, gather_nan);
    emit_if_end(lower, after);
}

static void lower_gather(Lower *lower)
{
    int8_t dims[KERNEL_MAX_DIMS];
    int rows = table_rows(lower);
    if (rows + 2 < lower->spec->dim_count)
        lower_fail(lower, "'%s' has a table of too many dims", lower->spec->name);
    for (int d = 0; d < rows; d++)
        dims[d] = (int8_t)d;
    share(lower, dims, rows, visit_gather);
}

/* Adds one element of a row, times its weight if there are weights, to the table. */
static void scatter_element(Lower *lower, Position *position)
{
    const KernelSpec *spec = lower->spec;
    LLVMValueRef x = body_load(lower, &spec->operand[1], lower->operand[1], position, lower->type);
    if (spec->operand_count > 2) {
        LLVMValueRef weight = body_load(lower, &spec->operand[2], lower->operand[2], position, lower->type);
        x = emit_binary(lower, LLVMFMul, x, weight);
    }
    body_store(lower, position, x, true);
}

/* An index that is not a row is skipped. */
static void visit_scatter_host(Lower *lower, Position *position)
{
    LLVMValueRef index;
    LLVMBasicBlockRef after = emit_if_begin(lower, find_row(lower, position, &index));
    visit_columns(lower, position, scatter_element);
    emit_if_end(lower, after);
}

static void visit_scatter_element(Lower *lower, Position *position)
{
    LLVMValueRef index;
    LLVMBasicBlockRef after = emit_if_begin(lower, find_row(lower, position, &index));
    scatter_element(lower, position);
    emit_if_end(lower, after);
}

/* A thread owns a column of the table, so rows with the same index are added in order. */
static void visit_scatter_gpu(Lower *lower, Position *position)
{
    int rows = table_rows(lower);
    if (!lower->spec->accumulate) {
        Loop loop = emit_loop_begin(lower, emit_integer(lower, 0), lower->extent[rows], emit_integer(lower, 1), "zero");
        position->index[rows] = loop.index;
        visit_zero(lower, position);
        emit_loop_end(lower, &loop);
    }
    int8_t dims[KERNEL_MAX_DIMS];
    int count = dims_where(lower, false, dims);
    Loop loop = emit_loop_begin(lower, emit_integer(lower, 0), product_of_extents(lower, dims, count),
                                emit_integer(lower, 1), "index");
    split_index(lower, loop.index, dims, count, position);
    visit_scatter_element(lower, position);
    emit_loop_end(lower, &loop);
}

static void lower_scatter(Lower *lower)
{
    int8_t dims[KERNEL_MAX_DIMS];
    int rows = table_rows(lower);
    if (lower->gpu) {
        share(lower, NULL, 0, visit_scatter_gpu);
        return;
    }
    if (!lower->spec->accumulate)
        share(lower, dims, dims_where(lower, true, dims), visit_zero);
    for (int d = 0; d < rows; d++)
        dims[d] = (int8_t)d;
    share(lower, dims, rows, visit_scatter_host);
}

/* ---- CHOICE: a thread compares all of a row, or of a queue ---------------------------------------------------- */

/* The dim of an array, counted from its last. */
static int dim_from_last(const KernelArray *array, int position)
{
    return array->dims[array->dim_count - 1 - position];
}

/* In floating point, as anything that is added to the result. */
static void store_choice(Lower *lower, Position *position, LLVMValueRef place, LLVMValueRef number)
{
    position->index[dim_from_last(&lower->spec->out, 0)] = place;
    body_store(lower, position, emit_cast(lower, number, lower->type), lower->spec->accumulate);
}

/* The best element after the last chosen one: smaller, or equal and further on. */
static void visit_top(Lower *lower, Position *position)
{
    const KernelArray *a = &lower->spec->operand[0];
    LLVMBuilderRef b = lower->builder;
    int compared = dim_from_last(a, 0), order = dim_from_last(&lower->spec->out, 0);
    LLVMValueRef none = lower->extent[compared], zero = emit_integer(lower, 0), one = emit_integer(lower, 1);
    LLVMValueRef last = emit_local(lower, emit_number(lower->type, INFINITY));
    LLVMValueRef last_at = emit_local(lower, emit_integer(lower, -1));
    Loop choices = emit_loop_begin(lower, zero, lower->extent[order], one, "choice");
    LLVMValueRef best = emit_local(lower, emit_number(lower->type, -INFINITY)), best_at = emit_local(lower, none);
    Loop loop = emit_loop_begin(lower, zero, none, one, "compared");
    position->index[compared] = loop.index;
    LLVMValueRef x = body_load(lower, a, lower->operand[0], position, lower->type);
    LLVMValueRef further = LLVMBuildICmp(b, LLVMIntSGT, loop.index, emit_read_local(lower, last_at), "");
    LLVMValueRef equal = emit_compare(lower, LLVMRealOEQ, x, emit_read_local(lower, last));
    LLVMValueRef smaller = emit_compare(lower, LLVMRealOLT, x, emit_read_local(lower, last));
    LLVMValueRef later = LLVMBuildOr(b, smaller, LLVMBuildAnd(b, equal, further, ""), "");
    LLVMValueRef first = LLVMBuildICmp(b, LLVMIntEQ, emit_read_local(lower, best_at), none, "");
    LLVMValueRef larger = emit_compare(lower, LLVMRealOGT, x, emit_read_local(lower, best));
    LLVMValueRef better = LLVMBuildAnd(b, later, LLVMBuildOr(b, first, larger, ""), "");
    LLVMBuildStore(b, emit_select(lower, better, x, emit_read_local(lower, best)), best);
    LLVMBuildStore(b, emit_select(lower, better, loop.index, emit_read_local(lower, best_at)), best_at);
    emit_loop_end(lower, &loop);
    store_choice(lower, position, choices.index, emit_read_local(lower, best_at));
    LLVMBuildStore(b, emit_read_local(lower, best), last);
    LLVMBuildStore(b, emit_read_local(lower, best_at), last_at);
    emit_loop_end(lower, &choices);
}

/* The next place of the queue is the row's, if there is one. */
static void queue_row(Lower *lower, Position *position, LLVMValueRef waiting, LLVMValueRef row)
{
    LLVMValueRef place = emit_read_local(lower, waiting);
    LLVMValueRef places = lower->extent[dim_from_last(&lower->spec->out, 0)];
    LLVMBasicBlockRef after = emit_if_begin(lower, LLVMBuildICmp(lower->builder, LLVMIntSLT, place, places, ""));
    store_choice(lower, position, place, row);
    emit_if_end(lower, after);
    LLVMBuildStore(lower->builder, emit_index_add(lower, place, emit_integer(lower, 1)), waiting);
}

/* Where rows are left without a place, the last place says how many: it is the number of rows, which is none, and
 * theirs.
 */
static void tell_left_out(Lower *lower, Position *position, LLVMValueRef waiting, LLVMValueRef rows)
{
    LLVMBuilderRef b = lower->builder;
    LLVMValueRef places = lower->extent[dim_from_last(&lower->spec->out, 0)], all = emit_read_local(lower, waiting);
    LLVMBasicBlockRef after = emit_if_begin(lower, LLVMBuildICmp(b, LLVMIntSGT, all, places, ""));
    LLVMValueRef last = LLVMBuildSub(b, places, emit_integer(lower, 1), "");
    store_choice(lower, position, last, emit_index_add(lower, rows, LLVMBuildSub(b, all, places, "")));
    emit_if_end(lower, after);
}

static void visit_queue(Lower *lower, Position *position)
{
    const KernelSpec *spec = lower->spec;
    const KernelArray *a = &spec->operand[0];
    int rows = dim_from_last(a, 1), choices = dim_from_last(a, 0), order = dim_from_last(&spec->out, 0);
    LLVMValueRef zero = emit_integer(lower, 0), one = emit_integer(lower, 1);
    LLVMValueRef waiting = emit_local(lower, zero);
    LLVMValueRef number = body_load(lower, &spec->operand[1], lower->operand[1], position, lower->type_i32);
    Loop row = emit_loop_begin(lower, zero, lower->extent[rows], one, "row");
    Loop choice = emit_loop_begin(lower, zero, lower->extent[choices], one, "choice");
    position->index[rows] = row.index;
    position->index[choices] = choice.index;
    LLVMValueRef x = body_load(lower, a, lower->operand[0], position, lower->type_i32);
    LLVMBasicBlockRef after = emit_if_begin(lower, LLVMBuildICmp(lower->builder, LLVMIntEQ, x, number, ""));
    queue_row(lower, position, waiting, row.index);
    emit_if_end(lower, after);
    emit_loop_end(lower, &choice);
    emit_loop_end(lower, &row);
    Loop rest = emit_loop_begin(lower, emit_read_local(lower, waiting), lower->extent[order], one, "rest");
    store_choice(lower, position, rest.index, lower->extent[rows]);
    emit_loop_end(lower, &rest);
    if (spec->op == OP_QUEUE_ALL)
        tell_left_out(lower, position, waiting, lower->extent[rows]);
}

static void lower_choice(Lower *lower)
{
    const KernelSpec *spec = lower->spec;
    int8_t dims[KERNEL_MAX_DIMS];
    int count = spec->out.dim_count - 1;
    memcpy(dims, spec->out.dims, sizeof dims);
    switch ((ChoiceKind)spec->op) { /* of this class */
    case CHOICE_TOP:
        share(lower, dims, count, visit_top);
        return;
    case CHOICE_QUEUE:
    case CHOICE_QUEUE_ALL:
        share(lower, dims, count, visit_queue);
        return;
    }
    lower_fail(lower, "'%s' is no choice", spec->name);
}

/* ---------------------------------------------------------------------------------------------------------------- */

static LLVMTypeRef compute_type(const Lower *lower)
{
    const KernelSpec *spec = lower->spec;
    bool wide = spec->out.dtype == DTYPE_F64 || spec->out.dtype == DTYPE_I32 || spec->dim_count == 0;
    return wide ? lower->type_f64 : lower->type_f32;
}

void lower_kernel(Lower *lower)
{
    if (lower->spec->body != NULL && lower->spec->body->node_count > LOWER_MAX_NODES) {
        lower_fail(lower, "'%s' has too many nodes", lower->spec->name);
        return;
    }
    lower->type = compute_type(lower);
    create_function(lower);
    take_arguments(lower);
    if (lower->gpu)
        create_shared(lower);
    else
        create_host_function(lower);
    lower->entry = LLVMAppendBasicBlockInContext(lower->context, lower->function, "entry");
    LLVMBasicBlockRef start = LLVMAppendBasicBlockInContext(lower->context, lower->function, "start");
    LLVMPositionBuilderAtEnd(lower->builder, start);
    switch (lower->spec->op_class) {
    case CLASS_MAP:
        lower_map(lower);
        break;
    case CLASS_ROW:
        lower_row(lower);
        break;
    case CLASS_SUM:
        lower->gpu ? lower_sum_gpu(lower) : lower_sum_host(lower);
        break;
    case CLASS_GATHER:
        lower_gather(lower);
        break;
    case CLASS_SCATTER:
        lower_scatter(lower);
        break;
    case CLASS_CHOICE:
        lower_choice(lower);
        break;
    case CLASS_CONTRACT:
    case CLASS_WINDOW:
    case CLASS_VIEW:
    case CLASS_MOVE:
    case CLASS_COMM:
    case CLASS_SOURCE:
    case CLASS_SINK:
        lower_fail(lower, "'%s' is of a class that has no kernels", lower->spec->name);
        break;
    }
    LLVMBuildRetVoid(lower->builder);
    LLVMPositionBuilderAtEnd(lower->builder, lower->entry);
    LLVMBuildBr(lower->builder, start);
}

/* kernels.c - chooses, names and describes the kernel of an operator, and loads LLVM to generate them all
 * (codegen/kernels.h). */
#include "codegen/kernels.h"

#include "step/spec.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static bool source_computes(SourceKind op)
{
    switch (op) {
    case SOURCE_FILL:
    case SOURCE_IOTA:
        return true;
    case SOURCE_READ:
    case SOURCE_INIT:
        return false;
    }
    BUG("a source that is none");
}

bool kernels_compute(OpKind op)
{
    switch (op_info[op].op_class) {
    case CLASS_MAP:
    case CLASS_ROW:
    case CLASS_SUM:
    case CLASS_GATHER:
    case CLASS_SCATTER:
    case CLASS_CHOICE:
        return true;
    case CLASS_SOURCE:
        return source_computes(op_source(op));
    case CLASS_CONTRACT:
    case CLASS_WINDOW:
    case CLASS_VIEW:
    case CLASS_MOVE:
    case CLASS_COMM:
    case CLASS_SINK:
        return false;
    }
    BUG("operator kind %d has no class", (int)op);
}

/* ---- Dims --------------------------------------------------------------------------------------------------- */

/* All letters of the operator, in loop order. */
typedef struct Order {
    int count;
    char letter[SHAPE_MAX_LETTERS];
    char alone; /* a letter that must not be merged with another, or 0 */
} Order;

static void add_letter(Order *order, char letter)
{
    if (memchr(order->letter, letter, (size_t)order->count) == NULL)
        order->letter[order->count++] = letter;
}

static void add_letters(Order *order, const Letters *letters, char but)
{
    for (int i = 0; i < letters->count; i++) {
        if (letters->letter[i] != but)
            add_letter(order, letters->letter[i]);
    }
}

/* The result's letters, then those it lacks; a sum follows its largest operand instead, so that memory is read in
 * order. The row's letter, and a table's rows and columns, come last. What a queue compares is not merged with its
 * rows, which are numbered. */
static Order loop_order(const Op *op, const Shape *shape)
{
    Order order = {0};
    const Letters *largest = &shape->operand[0];
    switch (op_info[op->kind].op_class) {
    case CLASS_ROW:
        order.alone = largest->letter[largest->count - 1];
        add_letters(&order, &shape->out, order.alone);
        add_letters(&order, largest, order.alone);
        add_letter(&order, order.alone);
        break;
    case CLASS_GATHER:
        add_letters(&order, &shape->operand[0], 0);
        add_letter(&order, spec_table_row(op->spec, true));
        add_letters(&order, &shape->operand[1], 0);
        break;
    case CLASS_SCATTER:
        add_letters(&order, &shape->operand[0], 0);
        add_letter(&order, spec_table_row(op->spec, false));
        add_letters(&order, &shape->out, 0);
        break;
    case CLASS_CHOICE:
        order.alone = largest->letter[largest->count - 1];
        add_letters(&order, &shape->out, 0);
        add_letters(&order, largest, 0);
        break;
    case CLASS_SUM:
        for (int i = 1; i < op->operand_count; i++)
            largest = shape->operand[i].count > largest->count ? &shape->operand[i] : largest;
        add_letters(&order, largest, 0);
        break;
    case CLASS_MAP:
    case CLASS_CONTRACT:
    case CLASS_WINDOW:
    case CLASS_VIEW:
    case CLASS_MOVE:
    case CLASS_COMM:
    case CLASS_SOURCE:
    case CLASS_SINK:
        add_letters(&order, &shape->out, 0);
        break;
    }
    for (int i = 0; i < op->operand_count; i++)
        add_letters(&order, &shape->operand[i], order.alone);
    return order;
}

/* Does `second` directly follow `first` without gaps, or is neither present? */
static bool side_by_side(const Letters *letters, char first, char second)
{
    int at = letters_index(letters, first);
    if (at < 0)
        return !letters_have(letters, second);
    return at + 1 < letters->count && letters->letter[at + 1] == second && !letters->wider[at + 1];
}

static bool can_merge(const Op *op, const Shape *shape, char first, char second)
{
    for (int i = 0; i < op->operand_count; i++) {
        if (!side_by_side(&shape->operand[i], first, second))
            return false;
    }
    return side_by_side(&shape->out, first, second);
}

static int merge_letters(const Op *op, const Shape *shape, Letters *dims)
{
    Order order = loop_order(op, shape);
    int count = 0;
    for (int i = 0; i < order.count; i++) {
        char letter = order.letter[i];
        bool merge = i > 0 && letter != order.alone && can_merge(op, shape, order.letter[i - 1], letter);
        if (!merge && count == KERNEL_MAX_DIMS)
            BUG("operator %d: the spec '%s' has too many dims for a kernel", op->id, op->spec);
        if (!merge)
            dims[count++] = (Letters){0};
        Letters *dim = &dims[count - 1];
        dim->letter[dim->count++] = letter;
    }
    return count;
}

static KernelArray array_of(const Program *program, const Ref *ref, const Letters *letters, const Letters *dims,
                            int dim_count)
{
    KernelArray array = {.dtype = ref_buffer(program, ref)->dtype};
    for (int i = 0; i < letters->count; i++) {
        for (int d = 0; d < dim_count; d++) {
            if (dims[d].letter[0] != letters->letter[i])
                continue;
            array.has_room[array.dim_count] = array.dim_count > 0 && letters->wider[i];
            array.dims[array.dim_count++] = (int8_t)d;
        }
    }
    return array;
}

/* ---- Names -------------------------------------------------------------------------------------------------- */

static void add_array_name(Text *name, const KernelSpec *spec, const KernelArray *array)
{
    text_add(name, "_");
    if (array->dtype != spec->out.dtype)
        text_add(name, "%s", dtype_name(array->dtype));
    for (int i = 0; i < array->dim_count; i++)
        text_add(name, "%c", (array->has_room[i] ? 'I' : 'i') + array->dims[i]);
    if (array->dim_count == 0)
        text_add(name, "s");
}

/* Does the array have every dim, in loop order? */
static bool is_whole(const KernelSpec *spec, const KernelArray *array)
{
    for (int i = 0; i < array->dim_count; i++) {
        if (array->dims[i] != i || array->has_room[i])
            return false;
    }
    return array->dim_count == spec->dim_count && array->dtype == spec->out.dtype;
}

/* A kernel over one dim that all operands have is named by operator and dtype alone. Otherwise the dims of each operand
 * follow, and those of the result unless some operand has the same: the name must show all dims. */
static const char *name_of(Arena *arena, const KernelSpec *spec)
{
    Text name = {.arena = arena};
    text_add(&name, "kernel_%s_%s", op_info[spec->op].name, dtype_name(spec->out.dtype));
    bool result_is_whole = is_whole(spec, &spec->out), all_whole = result_is_whole, any_whole = false;
    for (int i = 0; i < spec->operand_count; i++) {
        bool whole = is_whole(spec, &spec->operand[i]);
        all_whole = all_whole && whole;
        any_whole = any_whole || whole;
    }
    bool plain = spec->dim_count == 1 && all_whole;
    for (int i = 0; i < spec->operand_count && !plain; i++)
        add_array_name(&name, spec, &spec->operand[i]);
    if (!plain && !(result_is_whole && any_whole)) {
        text_add(&name, "_to");
        add_array_name(&name, spec, &spec->out);
    }
    if (spec->some_rows)
        text_add(&name, "_some_rows");
    if (spec->accumulate)
        text_add(&name, "_accumulate");
    for (int i = 0; i < spec->operand_count; i++) {
        if (spec->operand[i].in_place)
            text_add(&name, "_in_place_%c", 'a' + i);
    }
    if (spec->may_overlap)
        text_add(&name, "_overlap");
    return name.data;
}

/* ---- Specs -------------------------------------------------------------------------------------------------- */

static const Kernel *body_of(KernelTable *table, OpKind op)
{
    if (table->bodies[op] == NULL) {
        if (op == OP_IOTA)
            table->bodies[op] = kernel_parse_body(table->arena, op, "y = first + col", 0, "first");
        else
            table->bodies[op] = kernel_parse(table->arena, op);
    }
    return table->bodies[op];
}

static int count_words(const char *words)
{
    int count = *words != '\0';
    for (; *words != '\0'; words++)
        count += *words == ' ';
    return count;
}

/* Operands that share the result's memory are marked so; others in the same buffer may or may not overlap it. */
static void find_overlaps(const Op *op, KernelSpec *spec)
{
    for (int i = 0; i < op->operand_count; i++) {
        if (op->operand[i].buffer != op->out.buffer)
            continue;
        bool same_shape = spec->operand[i].dim_count == spec->out.dim_count &&
                          memcmp(spec->operand[i].dims, spec->out.dims, (size_t)spec->out.dim_count) == 0 &&
                          memcmp(spec->operand[i].has_room, spec->out.has_room, sizeof spec->out.has_room) == 0;
        if (ref_equal(op->operand[i], op->out) && same_shape)
            spec->operand[i].in_place = true;
        else
            spec->may_overlap = true;
    }
}

static int find_or_add(KernelTable *table, const KernelSpec *spec)
{
    for (int i = 0; i < table->specs.count; i++) {
        if (strcmp(table->specs.data[i].name, spec->name) == 0)
            return i;
    }
    vec_push(table->arena, &table->specs, *spec);
    return table->specs.count - 1;
}

bool kernels_some_rows(const Program *program, const Op *op, Dim *rows)
{
    Side table;
    Dim dims[STEP_MAX_DIMS];
    int count;
    if (!op_table_side(op->kind, &table) || !ref_dims(program, op_side(op, table), &count, dims))
        return false;
    bool gathers = table != SIDE_OUT;
    *rows = dims[spec_dim(spec_letters(op->spec, gathers ? 1 : SPEC_RESULT), spec_table_row(op->spec, gathers))];
    for (int i = 0; i < rows->cut_count; i++)
        if (rows->cut[i] == CUT_MICRO || program->decls->axes.data[rows->cut[i]].size > 1)
            return true;
    return false;
}

KernelUse kernels_use(KernelTable *table, const Program *program, const Op *op, const Shape *shape)
{
    const OpInfo *info = &op_info[op->kind];
    Dim rows;
    Side table_side;
    KernelUse use = {0};
    KernelSpec spec = {
        .op = op->kind,
        .op_class = info->op_class == CLASS_SOURCE ? CLASS_MAP : info->op_class,
        .body = body_of(table, op->kind),
        .dim_count = merge_letters(op, shape, use.dims),
        .operand_count = op->operand_count,
        .immediate_count = op->kind == OP_IOTA ? 1 : count_words(info->immediates),
        .has_scale = op->kind == OP_SCALE,
        .some_rows = kernels_some_rows(program, op, &rows),
        .names_none = op_table_side(op->kind, &table_side) && op_names_none(op_table(op->kind)),
        .accumulate = op->accumulate,
    };
    for (int i = 0; i < op->operand_count; i++)
        spec.operand[i] = array_of(program, &op->operand[i], &shape->operand[i], use.dims, spec.dim_count);
    spec.out = array_of(program, &op->out, &shape->out, use.dims, spec.dim_count);
    find_overlaps(op, &spec);
    spec.name = name_of(table->arena, &spec);
    use.kernel = find_or_add(table, &spec);
    return use;
}

/* ---- Generation --------------------------------------------------------------------------------------------- */

/* POSIX's way around the missing conversion from object to function pointers. */
static LlvmGenerate *load_llvm(Arena *arena, const char *library, const char **error)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    void *symbol = handle != NULL ? dlsym(handle, LLVM_GENERATE_SYMBOL) : NULL;
    LlvmGenerate *generate = NULL;
    memcpy(&generate, &symbol, sizeof generate);
    if (generate == NULL)
        *error = arena_printf(arena, "%s", dlerror());
    return generate;
}

static bool generate(Arena *arena, LlvmGenerate *llvm, const KernelSpec *spec, LlvmOutput output, KernelCode *code,
                     const char **error)
{
    char reason[1024] = "";
    char *bytes = llvm(spec, output, &code->length, reason, sizeof reason);
    if (bytes == NULL)
        *error = arena_printf(arena, "%s", reason);
    else
        code->bytes = arena_copy(arena, bytes, code->length);
    free(bytes);
    return bytes != NULL;
}

/* Is it kept, and by which source? */
static bool is_kept(LlvmOutput output, LlvmOutput *source)
{
    switch (output) {
    case LLVM_HOST_OBJECT:
        *source = LLVM_HOST_SOURCE;
        return true;
    case LLVM_PTX:
        *source = LLVM_PTX_SOURCE;
        return true;
    case LLVM_HOST_TEXT:
    case LLVM_HOST_SOURCE:
    case LLVM_PTX_SOURCE:
        return false;
    }
    BUG("an output that is none");
}

static bool compile(KernelCache *cache, Arena *arena, LlvmGenerate *llvm, const KernelSpec *spec, LlvmOutput output,
                    KernelCode *code, const char **error)
{
    LlvmOutput source_output;
    KernelCode source;
    if (cache->directory == NULL || !is_kept(output, &source_output))
        return generate(arena, llvm, spec, output, code, error);
    if (!generate(arena, llvm, spec, source_output, &source, error))
        return false;
    if (kernel_cache_find(cache, source, code))
        return true;
    if (!generate(arena, llvm, spec, output, code, error))
        return false;
    kernel_cache_add(cache, source, *code);
    return true;
}

const KernelCode *kernels_compile(const KernelTable *table, const char *library, LlvmOutput output, KernelCache *cache,
                                  const char **error)
{
    LlvmGenerate *llvm = load_llvm(table->arena, library, error);
    KernelCode *codes = arena_array(table->arena, KernelCode, kernels_code_count(table));
    for (int i = 0; i < kernels_code_count(table); i++) {
        const KernelSpec *spec = i > 0 ? &table->specs.data[i - 1] : NULL;
        if (llvm == NULL || !compile(cache, table->arena, llvm, spec, output, &codes[i], error))
            return NULL;
    }
    return codes;
}

/* PTX says once, at its beginning, for what it is. */
static const char *without_head(const char *text)
{
    static const char last[] = ".address_size 64\n";
    const char *found = strstr(text, last);
    return found != NULL ? found + strlen(last) : text;
}

KernelCode kernels_join(const KernelTable *table, const KernelCode *texts)
{
    Text all = {.arena = table->arena};
    for (int i = 0; i < kernels_code_count(table); i++) {
        const char *text = i > 0 ? without_head(texts[i].bytes) : texts[i].bytes;
        text_add_bytes(&all, text, strlen(text));
    }
    return (KernelCode){all.data, all.length};
}

/* read.c - reads the text form of a step program (docs/step-program.md 3).
 *
 * One function per rule of the grammar. A faulty line is reported and skipped; a faulty declaration ends the reading at
 * the end of its section, because everything after it would only repeat the error.
 */
#include "step/read.h"

#include "step/names.h"

#include <string.h>

/* Small enough that no sum of bytes overflows. */
static const int64_t most_size = (int64_t)1 << 31;
static const int64_t most_devices = (int64_t)1 << 48;
static const int64_t most_elements = (int64_t)1 << 50, most_aligned = 1 << 20;
static const int64_t most_reference_elements = (int64_t)1 << 56; /* its bytes are not summed: no device has them */
static const int64_t most_table = (int64_t)1 << 16;
static const int64_t most_bytes = (int64_t)1 << 56;

#define CHOICE(reader, index, names, what)                                                                             \
    step_scan_choice(&(reader)->scan, (index), (names), (int)(sizeof(names) / sizeof((names)[0])), (what))

/* ---- Names -------------------------------------------------------------------------------------------------- */

static int table_slot(const NameTable *table, const char *name)
{
    int mask = table->capacity - 1;
    int at = (int)(((uintptr_t)name >> 4) & (uintptr_t)mask);
    while (table->slots[at].name != NULL && table->slots[at].name != name)
        at = (at + 1) & mask;
    return at;
}

int step_read_find_name(const NameTable *table, const char *name)
{
    if (table->capacity == 0)
        return -1;
    int at = table_slot(table, name);
    return table->slots[at].name != NULL ? table->slots[at].index : -1;
}

static void table_add(Arena *arena, NameTable *table, const char *name, int index)
{
    if (2 * (table->count + 1) > table->capacity) {
        NameTable old = *table;
        table->capacity = old.capacity > 0 ? 2 * old.capacity : 64;
        table->slots = arena_alloc(arena, sizeof(table->slots[0]) * (size_t)table->capacity);
        for (int i = 0; i < old.capacity; i++)
            if (old.slots[i].name != NULL)
                table->slots[table_slot(table, old.slots[i].name)] = old.slots[i];
    }
    int at = table_slot(table, name);
    table->slots[at].name = name;
    table->slots[at].index = index;
    table->count++;
}

/* Reads a name that this line declares; the caller adds it after reading the whole line. */
static bool read_new_name(StepReader *r, const NameTable *table, const char **name, const char *what)
{
    step_scan_peek(&r->scan);
    int32_t start = r->scan.at;
    if (!step_scan_name(&r->scan, name, what))
        return false;
    if (step_read_find_name(table, *name) >= 0)
        return step_scan_fail(&r->scan, start, "'%s' is declared twice", *name);
    return true;
}

bool step_read_known_name(StepReader *r, const NameTable *table, int *index, const char *what)
{
    step_scan_peek(&r->scan);
    int32_t start = r->scan.at;
    const char *name;
    if (!step_scan_name(&r->scan, &name, what))
        return false;
    *index = step_read_find_name(table, name);
    return *index >= 0 || step_scan_fail(&r->scan, start, "'%s' is not the name of %s", name, what);
}

Span step_read_span(const StepReader *r, int32_t start)
{
    return step_scan_span(&r->scan, start, r->scan.at);
}

bool step_read_recover(StepReader *r)
{
    if (r->stopped || r->scan.error_count >= STEP_MOST_ERRORS)
        return false;
    step_scan_skip_line(&r->scan);
    return true;
}

/* ---- Declarations ------------------------------------------------------------------------------------------- */

static bool read_axis(StepReader *r, int32_t start)
{
    Axis axis = {0};
    step_scan_peek(&r->scan);
    int32_t name_start = r->scan.at;
    if (r->decls->axes.count == STEP_MAX_AXES)
        return step_scan_fail(&r->scan, name_start, "more than %d axes", STEP_MAX_AXES);
    if (!step_scan_identifier(&r->scan, &axis.name, "the name of an axis"))
        return false;
    if (strcmp(axis.name, "micro") == 0)
        return step_scan_fail(&r->scan, name_start, "'micro' names the microbatch loop and cannot name an axis");
    if (step_read_find_name(&r->axes, axis.name) >= 0)
        return step_scan_fail(&r->scan, name_start, "'%s' is declared twice", axis.name);
    if (!step_scan_integer(&r->scan, &axis.size, 1, most_size, "the size of an axis"))
        return false;
    int64_t devices = axis.size;
    for (int i = 0; i < r->decls->axes.count; i++)
        if (__builtin_mul_overflow(devices, r->decls->axes.data[i].size, &devices) || devices > most_devices)
            return step_scan_fail(&r->scan, name_start, "more than %lld devices", (long long)most_devices);
    axis.copies = step_scan_take_word(&r->scan, "copies");
    axis.span = step_read_span(r, start);
    table_add(r->ctx->arena, &r->axes, axis.name, r->decls->axes.count);
    vec_push(r->ctx->arena, &r->decls->axes, axis);
    return true;
}

/* "table first stage 0 9 18 27": one number per coordinate. */
static bool read_table(StepReader *r, int32_t start)
{
    IndexTable table = {0};
    step_scan_peek(&r->scan);
    int32_t name_start = r->scan.at;
    if (!step_scan_identifier(&r->scan, &table.name, "the name of a table"))
        return false;
    if (step_read_find_name(&r->tables, table.name) >= 0)
        return step_scan_fail(&r->scan, name_start, "'%s' is declared twice", table.name);
    if (!step_read_known_name(r, &r->axes, &table.axis, "an axis"))
        return false;
    int64_t size = r->decls->axes.data[table.axis].size;
    if (size > most_table)
        return step_scan_fail(&r->scan, start, "a table of more than %lld numbers", (long long)most_table);
    table.values = arena_array(r->ctx->arena, int64_t, size);
    for (int64_t i = 0; i < size; i++)
        if (!step_scan_integer(&r->scan, &table.values[i], -most_size, most_size, "a number per coordinate"))
            return false;
    table.span = step_read_span(r, start);
    table_add(r->ctx->arena, &r->tables, table.name, r->decls->tables.count);
    vec_push(r->ctx->arena, &r->decls->tables, table);
    return true;
}

static bool read_group(StepReader *r, int32_t start)
{
    Group group = {0};
    if (!read_new_name(r, &r->groups, &group.name, "the name of a group") ||
        !step_scan_integer(&r->scan, &group.layers, 1, most_size, "the number of layers"))
        return false;
    group.span = step_read_span(r, start);
    table_add(r->ctx->arena, &r->groups, group.name, r->decls->groups.count);
    vec_push(r->ctx->arena, &r->decls->groups, group);
    return true;
}

/* "[4, 3]"; checks that the number of elements is in range. */
static bool read_tensor_dims(StepReader *r, Tensor *tensor)
{
    if (!step_scan_expect(&r->scan, '['))
        return false;
    int64_t elements = 1;
    while (!step_scan_take(&r->scan, ']')) {
        if (tensor->dim_count > 0 && !step_scan_expect(&r->scan, ','))
            return false;
        if (tensor->dim_count == STEP_MAX_DIMS)
            return step_scan_fail(&r->scan, r->scan.at, "more than %d dims", STEP_MAX_DIMS);
        int64_t *dim = &tensor->dims[tensor->dim_count++];
        if (!step_scan_integer(&r->scan, dim, 1, most_size, "a dim"))
            return false;
        if (__builtin_mul_overflow(elements, *dim, &elements) || elements > most_elements)
            return step_scan_fail(&r->scan, r->scan.at, "a tensor of more than %lld elements",
                                  (long long)most_elements);
    }
    return true;
}

static bool read_parameter(StepReader *r, Tensor *tensor)
{
    if (step_scan_take_word(&r->scan, "in") && !step_read_known_name(r, &r->groups, &tensor->group, "a group"))
        return false;
    int init;
    if (!step_scan_expect_word(&r->scan, "init") ||
        !CHOICE(r, &init, init_names, "'zeros', 'ones', 'normal' or 'uniform'"))
        return false;
    tensor->init = (InitKind)init;
    if ((init == INIT_NORMAL || init == INIT_UNIFORM) && !step_scan_float(&r->scan, &tensor->init_scale))
        return false;
    tensor->trainable = tensor->kind == TENSOR_PARAMETER && !step_scan_take_word(&r->scan, "frozen");
    return true;
}

static bool read_input(StepReader *r, Tensor *tensor)
{
    int64_t batch = -1;
    if (step_scan_take_word(&r->scan, "batch") &&
        !step_scan_integer(&r->scan, &batch, 0, tensor->dim_count - 1, "the batch dim"))
        return false;
    tensor->batch_dim = (int)batch;
    return true;
}

static bool read_tensor(StepReader *r, int32_t start)
{
    Tensor tensor = {.group = -1, .batch_dim = -1};
    int kind, dtype;
    if (!read_new_name(r, &r->tensors, &tensor.name, "the name of a tensor") ||
        !CHOICE(r, &kind, tensor_kind_names, "'parameter', 'input' or 'statistic'") ||
        !CHOICE(r, &dtype, dtype_names, "a dtype") || !read_tensor_dims(r, &tensor))
        return false;
    tensor.kind = (TensorKind)kind;
    tensor.dtype = (DType)dtype;
    if (!(tensor.kind == TENSOR_INPUT ? read_input(r, &tensor) : read_parameter(r, &tensor)))
        return false;
    tensor.span = step_read_span(r, start);
    table_add(r->ctx->arena, &r->tensors, tensor.name, r->decls->tensors.count);
    vec_push(r->ctx->arena, &r->decls->tensors, tensor);
    return true;
}

static bool read_state(StepReader *r, int32_t start)
{
    State state = {0};
    int kind, per_parameter, dtype;
    if (!read_new_name(r, &r->states, &state.name, "the name of a state") ||
        !CHOICE(r, &kind, state_kind_names, "'parameters', 'gradients', 'optimizer' or 'statistics'") ||
        !CHOICE(r, &per_parameter, per_names, "'per_parameter', 'per_row', 'per_column', 'per_tensor' or 'scalar'") ||
        !CHOICE(r, &dtype, dtype_names, "a dtype"))
        return false;
    state.kind = (StateKind)kind;
    state.per_parameter = per_parameter != PER_NAMES_SCALAR;
    state.each = state.per_parameter ? (Each)per_parameter : EACH_ELEMENT;
    state.dtype = (DType)dtype;
    step_scan_peek(&r->scan);
    int32_t at = r->scan.at;
    state.from_parameters = step_scan_take_word(&r->scan, "from_parameters");
    if (state.from_parameters && (!state.per_parameter || state.each != EACH_ELEMENT || state.kind != STATE_OPTIMIZER))
        return step_scan_fail(&r->scan, at, "only a state of the optimizer, one per parameter, starts from these");
    state.span = step_read_span(r, start);
    table_add(r->ctx->arena, &r->states, state.name, r->decls->states.count);
    vec_push(r->ctx->arena, &r->decls->states, state);
    return true;
}

static bool read_unit_range(StepReader *r, Unit *unit)
{
    unit->group = -1;
    if (!step_scan_take_word(&r->scan, "in"))
        return true;
    if (!step_read_known_name(r, &r->groups, &unit->group, "a group"))
        return false;
    int64_t last = r->decls->groups.data[unit->group].layers - 1;
    return step_scan_integer(&r->scan, &unit->first_layer, 0, last, "the first layer") &&
           step_scan_expect_range(&r->scan) &&
           step_scan_integer(&r->scan, &unit->last_layer, unit->first_layer, last, "the last layer");
}

/* "aligned 64 to 256" */
static bool read_alignment(StepReader *r, Unit *unit)
{
    if (!step_scan_take_word(&r->scan, "aligned"))
        return true;
    return step_scan_integer(&r->scan, &unit->aligned, 2, most_aligned, "what members are aligned to") &&
           step_scan_expect_word(&r->scan, "to") &&
           step_scan_integer(&r->scan, &unit->multiple, 1, most_elements, "what the unit's size is a multiple of");
}

/* "/data": `used` records which cuts are taken, one bit per axis and one for the microbatch loop. */
static bool read_cut(StepReader *r, bool micro_allowed, unsigned *used, int *count, int8_t *cut)
{
    step_scan_peek(&r->scan);
    int32_t start = r->scan.at;
    if (*count == STEP_MAX_CUTS)
        return step_scan_fail(&r->scan, start, "more than %d cuts", STEP_MAX_CUTS);
    int axis = CUT_MICRO;
    if (!(micro_allowed && step_scan_take_word(&r->scan, "micro")) &&
        !step_read_known_name(r, &r->axes, &axis, "an axis"))
        return false;
    unsigned bit = 1u << (axis + 1);
    if (*used & bit)
        return step_scan_fail(&r->scan, start, "cut twice over the same axis");
    *used |= bit;
    cut[(*count)++] = (int8_t)axis;
    return true;
}

/* "+1+2": for a dim that one axis cuts. */
static bool read_halo(StepReader *r, Dim *dim)
{
    int32_t start = r->scan.at;
    if (!step_scan_integer(&r->scan, &dim->halo_before, 0, dim->size, "a halo") || !step_scan_expect(&r->scan, '+') ||
        !step_scan_integer(&r->scan, &dim->halo_after, 0, dim->size, "a halo"))
        return false;
    return (dim->cut_count == 1 && dim->cut[0] != CUT_MICRO) ||
           step_scan_fail(&r->scan, start, "only a dim that one axis cuts has a halo");
}

/* "4, 2, 2}" after the '{': the segments of a fused dim. */
static bool read_segments(StepReader *r, Dim *dim)
{
    Segments *segments = arena_make(r->ctx->arena, Segments);
    int64_t elements = 0;
    int32_t start = r->scan.at;
    do {
        if (segments->count == STEP_MAX_SEGMENTS)
            return step_scan_fail(&r->scan, r->scan.at, "more than %d segments", STEP_MAX_SEGMENTS);
        if (!step_scan_integer(&r->scan, &segments->size[segments->count], 1, dim->size, "a segment"))
            return false;
        elements += segments->size[segments->count++];
    } while (step_scan_take(&r->scan, ','));
    dim->segments = segments;
    return step_scan_expect(&r->scan, '}') &&
           (elements == dim->size || step_scan_fail(&r->scan, start, "the segments do not make up the dim"));
}

/* Only a dim that axes cut, without microbatches and halo, may have segments. */
static bool check_segments(StepReader *r, const Dim *dim)
{
    bool micro = memchr(dim->cut, CUT_MICRO, (size_t)dim->cut_count) != NULL;
    return dim->segments == NULL || (dim->cut_count > 0 && !micro && dim->halo_before + dim->halo_after == 0) ||
           step_scan_fail(&r->scan, r->scan.at, "segments are of a dim that axes cut, without microbatches and halo");
}

/* "padded": for one dim, which must be cut by axes. */
static bool read_padding(StepReader *r, int32_t start, Dim *dim, bool *found)
{
    bool cut = dim->cut_count > 0 && !*found && dim->segments == NULL && dim->halo_before + dim->halo_after == 0;
    for (int i = 0; i < dim->cut_count; i++)
        cut = cut && dim->cut[i] != CUT_MICRO;
    dim->padded = *found = true;
    return cut || step_scan_fail(&r->scan, start, "only one dim, that axes alone cut, is padded");
}

/* "12/micro/data, 8{4, 2, 2}/tensor, 64/height+1+1, 10/context padded]" after the '['. */
static bool read_dims(StepReader *r, bool buffer, Dim dims[STEP_MAX_DIMS], int *count)
{
    unsigned used = 0;
    int64_t elements = 1;
    bool padded = false;
    while (!step_scan_take(&r->scan, ']')) {
        if (*count > 0 && !step_scan_expect(&r->scan, ','))
            return false;
        if (*count == STEP_MAX_DIMS)
            return step_scan_fail(&r->scan, r->scan.at, "more than %d dims", STEP_MAX_DIMS);
        Dim *dim = &dims[(*count)++];
        if (!step_scan_integer(&r->scan, &dim->size, 1, most_size, "a dim"))
            return false;
        if (step_scan_take(&r->scan, '{') && !read_segments(r, dim))
            return false;
        while (step_scan_take(&r->scan, '/'))
            if (!read_cut(r, buffer, &used, &dim->cut_count, dim->cut))
                return false;
        if (buffer && step_scan_take(&r->scan, '+') && !read_halo(r, dim))
            return false;
        if (!check_segments(r, dim))
            return false;
        int32_t start = r->scan.at;
        if (buffer && step_scan_take_word(&r->scan, "padded") && !read_padding(r, start, dim, &padded))
            return false;
        if (__builtin_mul_overflow(elements, dim->size, &elements) || elements > most_elements)
            return step_scan_fail(&r->scan, r->scan.at, "more than %lld elements", (long long)most_elements);
    }
    return true;
}

/* Members of the current unit as they are read. */
typedef struct Members {
    Vec(int) tensors;
    Vec(int64_t) offsets;
    Vec(Dim) dims; /* STEP_MAX_DIMS per member */
    bool cut;      /* some dims are written */
} Members;

static bool read_unit_member(StepReader *r, const Unit *unit, int *tensor)
{
    step_scan_peek(&r->scan);
    int32_t start = r->scan.at;
    if (!step_read_known_name(r, &r->tensors, tensor, "a tensor"))
        return false;
    const Tensor *member = &r->decls->tensors.data[*tensor];
    if (member->kind != TENSOR_PARAMETER || member->group != unit->group)
        return step_scan_fail(&r->scan, start, "'%s' is not a parameter of the unit's group", member->name);
    while (r->member_of.count <= *tensor)
        vec_push(r->ctx->arena, &r->member_of, -1);
    bool taken = r->member_of.data[*tensor] == r->decls->units.count;
    r->member_of.data[*tensor] = r->decls->units.count;
    return !taken || step_scan_fail(&r->scan, start, "'%s' is a member twice", member->name);
}

/* The member's dims as the unit holds them; `cut` becomes true if the text gives them. */
static bool read_member_dims(StepReader *r, int tensor, Dim dims[STEP_MAX_DIMS], bool *cut)
{
    const Tensor *member = &r->decls->tensors.data[tensor];
    for (int i = 0; i < member->dim_count; i++)
        dims[i] = (Dim){.size = member->dims[i]};
    if (!step_scan_take(&r->scan, '['))
        return true;
    int32_t start = r->scan.at;
    Dim written[STEP_MAX_DIMS] = {{0}};
    int count = 0;
    if (!read_dims(r, false, written, &count))
        return false;
    bool same = count == member->dim_count;
    for (int i = 0; same && i < count; i++)
        same = written[i].size == member->dims[i];
    if (!same)
        return step_scan_fail(&r->scan, start, "these are not the dims of '%s'", member->name);
    memcpy(dims, written, sizeof(Dim) * (size_t)count);
    *cut = true;
    return true;
}

static bool read_unit(StepReader *r)
{
    Unit unit = {0};
    if (!read_new_name(r, &r->units, &unit.name, "the name of a unit") || !read_unit_range(r, &unit) ||
        !read_alignment(r, &unit) || !step_scan_expect(&r->scan, '='))
        return false;
    Members members = {0};
    do {
        int tensor;
        Dim dims[STEP_MAX_DIMS] = {{0}};
        if (!read_unit_member(r, &unit, &tensor) || !read_member_dims(r, tensor, dims, &members.cut))
            return false;
        vec_push(r->ctx->arena, &members.tensors, tensor);
        vec_push(r->ctx->arena, &members.offsets, 0);
        for (int i = 0; i < STEP_MAX_DIMS; i++)
            vec_push(r->ctx->arena, &members.dims, dims[i]);
        int64_t elements = 1;
        for (int i = 0; i < r->decls->tensors.data[tensor].dim_count; i++)
            elements *= dim_max_extent(r->decls, &dims[i]);
        unit.elements += elements;
        if (unit.elements > most_elements)
            return step_scan_fail(&r->scan, r->scan.at, "a unit of more than %lld elements", (long long)most_elements);
    } while (step_scan_take(&r->scan, ','));
    unit.member_count = members.tensors.count;
    unit.members = members.tensors.data;
    unit.offsets = members.offsets.data;
    unit.member_dims = members.cut ? members.dims.data : NULL;
    unit_lay_out(r->decls, &unit);
    if (unit.elements > most_elements)
        return step_scan_fail(&r->scan, r->scan.at, "a unit of more than %lld elements", (long long)most_elements);
    table_add(r->ctx->arena, &r->units, unit.name, r->decls->units.count);
    vec_push(r->ctx->arena, &r->decls->units, unit);
    return true;
}

/* "loaded adam_m = 24 of w.weight 0 0, 8 padding" after its first word. */
static bool read_map(StepReader *r, int32_t start, bool loaded)
{
    SavedMap map = {.loaded = loaded};
    int64_t all = 0;
    if (!step_read_known_name(r, &r->states, &map.state, "a state") || !step_scan_expect(&r->scan, '='))
        return false;
    do {
        SavedRun run = {.tensor = -1};
        if (!step_scan_integer(&r->scan, &run.count, 1, most_elements - all, "a number of elements"))
            return false;
        bool padding = step_scan_take_word(&r->scan, "padding");
        if (!padding &&
            (!step_scan_expect_word(&r->scan, "of") || !step_read_known_name(r, &r->tensors, &run.tensor, "a tensor") ||
             !step_scan_integer(&r->scan, &run.layer, 0, most_size, "a layer") ||
             !step_scan_integer(&r->scan, &run.first, 0, most_elements, "an element") ||
             (step_scan_take_word(&r->scan, "copy") &&
              !step_scan_integer(&r->scan, &run.copy, 0, most_devices, "a copy"))))
            return false;
        all += run.count;
        vec_push(r->ctx->arena, &map.runs, run);
    } while (step_scan_take(&r->scan, ','));
    map.span = step_read_span(r, start);
    vec_push(r->ctx->arena, &r->decls->maps, map);
    return true;
}

static bool read_model(StepReader *r)
{
    return step_scan_name(&r->scan, &r->decls->name, "the name of the model");
}

static bool read_contract(StepReader *r)
{
    if (!step_scan_take_word(&r->scan, "exact"))
        return step_scan_string(&r->scan, &r->decls->contract);
    r->decls->contract = "exact";
    return true;
}

static bool read_compute(StepReader *r)
{
    int dtype;
    bool known = CHOICE(r, &dtype, dtype_names, "a dtype");
    r->decls->compute_dtype = known ? (DType)dtype : DTYPE_F32;
    return known;
}

static bool read_micro(StepReader *r)
{
    return step_scan_integer(&r->scan, &r->decls->micro, 1, most_size, "the number of microbatches");
}

static bool read_decl(StepReader *r)
{
    int32_t start = r->scan.at;
    StepScan *scan = &r->scan;
    static const struct {
        const char *word;
        bool (*read)(StepReader *);
    } once[] = {{"model", read_model}, {"contract", read_contract}, {"compute", read_compute}, {"micro", read_micro}};
    for (size_t i = 0; i < sizeof(once) / sizeof(once[0]); i++) {
        if (!step_scan_take_word(scan, once[i].word))
            continue;
        if (r->given & 1u << i)
            return step_scan_fail(scan, start, "'%s' is given twice", once[i].word);
        r->given |= 1u << i;
        return once[i].read(r);
    }
    if (step_scan_take_word(scan, "axis"))
        return read_axis(r, start);
    if (step_scan_take_word(scan, "table"))
        return read_table(r, start);
    if (step_scan_take_word(scan, "group"))
        return read_group(r, start);
    if (step_scan_take_word(scan, "tensor"))
        return read_tensor(r, start);
    if (step_scan_take_word(scan, "state"))
        return read_state(r, start);
    if (step_scan_take_word(scan, "unit"))
        return read_unit(r);
    if (step_scan_take_word(scan, "saved"))
        return read_map(r, start, false);
    if (step_scan_take_word(scan, "loaded"))
        return read_map(r, start, true);
    return step_scan_fail(scan, start, "expected a declaration or 'reference'");
}

/* ---- Buffers ------------------------------------------------------------------------------------------------ */

static bool read_layout(StepReader *r, Buffer *buffer)
{
    buffer->layout = LAYOUT_DENSE;
    if (step_scan_take(&r->scan, '['))
        return read_dims(r, true, buffer->dims, &buffer->dim_count);
    unsigned used = 0;
    buffer->layout = LAYOUT_UNIT;
    if (!step_scan_expect_word(&r->scan, "unit") || !step_read_known_name(r, &r->units, &buffer->unit, "a unit"))
        return false;
    for (Each each = EACH_ROW; each <= EACH_TENSOR; each++)
        if (step_scan_take_word(&r->scan, each_names[each]))
            buffer->each = each;
    while (step_scan_take(&r->scan, '/')) {
        if (buffer->each != EACH_ELEMENT)
            return step_scan_fail(&r->scan, r->scan.at, "numbers of rows, columns and tensors are not cut flat");
        if (!read_cut(r, false, &used, &buffer->cut_count, buffer->cut))
            return false;
    }
    return true;
}

static bool read_buffer_state(StepReader *r, Buffer *buffer)
{
    buffer->persistent = step_scan_take_word(&r->scan, "persistent");
    if (!step_scan_take_word(&r->scan, "state"))
        return !buffer->persistent || step_scan_fail(&r->scan, r->scan.at, "a persistent buffer without a state");
    if (!step_read_known_name(r, &r->states, &buffer->state, "a state"))
        return false;
    if (!step_scan_take_word(&r->scan, "of"))
        return true;
    int32_t start = r->scan.at;
    if (!step_read_known_name(r, &r->tensors, &buffer->tensor, "a tensor"))
        return false;
    bool of_statistic = r->decls->states.data[buffer->state].kind == STATE_STATISTICS;
    TensorKind kind = of_statistic ? TENSOR_STATISTIC : TENSOR_PARAMETER;
    if (buffer->layout != LAYOUT_DENSE || r->decls->tensors.data[buffer->tensor].kind != kind)
        return step_scan_fail(&r->scan, start, "only a dense buffer stores the state of one %s",
                              of_statistic ? "statistic" : "parameter");
    return true;
}

/* "layers $first..$last times 2 every 8" */
static bool read_buffer_layers(StepReader *r, Buffer *buffer)
{
    buffer->has_layers = true;
    buffer->layer_runs = 1;
    if (!step_read_affine(r, &buffer->first_layer, NULL) || !step_scan_expect_range(&r->scan) ||
        !step_read_affine(r, &buffer->last_layer, NULL))
        return false;
    return !step_scan_take_word(&r->scan, "times") ||
           (step_scan_integer(&r->scan, &buffer->layer_runs, 2, INT32_MAX, "how often") &&
            step_scan_expect_word(&r->scan, "every") &&
            step_scan_integer(&r->scan, &buffer->layer_every, 1, INT32_MAX, "a number of layers"));
}

/* "where @stage in 0..2" */
static bool read_buffer_holders(StepReader *r, Buffer *buffer)
{
    if (step_scan_take_word(&r->scan, "layers") && !read_buffer_layers(r, buffer))
        return false;
    buffer->held = step_scan_take_word(&r->scan, "where");
    return !buffer->held || (step_read_affine(r, &buffer->holder, NULL) && step_scan_expect_word(&r->scan, "in") &&
                             step_read_interval(r, &buffer->held_low, &buffer->held_high));
}

static bool read_buffer_place(StepReader *r, Buffer *buffer)
{
    buffer->offset = -1;
    if (!step_scan_take_word(&r->scan, "offset"))
        return true;
    if (!step_scan_integer(&r->scan, &buffer->offset, 0, most_bytes, "the offset") ||
        !step_scan_expect_word(&r->scan, "bytes") ||
        !step_scan_integer(&r->scan, &buffer->bytes, 0, most_bytes, "the bytes"))
        return false;
    int64_t end = buffer->offset + buffer->bytes;
    if (end > r->program->arena_bytes[buffer->tier])
        r->program->arena_bytes[buffer->tier] = end;
    return true;
}

static bool read_buffer(StepReader *r, int32_t start)
{
    Buffer buffer = {.slots = 1, .state = -1, .tensor = -1};
    int dtype, tier = TIER_DEVICE, category;
    if (!read_new_name(r, &r->buffers, &buffer.name, "the name of a buffer") ||
        !CHOICE(r, &dtype, dtype_names, "a dtype") || !read_layout(r, &buffer))
        return false;
    if (step_scan_take_word(&r->scan, "slots") &&
        !step_scan_integer(&r->scan, &buffer.slots, 1, most_size, "the number of slots"))
        return false;
    if (step_scan_take_word(&r->scan, "on") && !CHOICE(r, &tier, tier_names, "'device', 'host' or 'file'"))
        return false;
    if (!CHOICE(r, &category, category_names, "a category"))
        return false;
    buffer.dtype = (DType)dtype;
    buffer.tier = (Tier)tier;
    buffer.category = (Category)category;
    int64_t elements, most = r->is_reference ? most_reference_elements : most_elements;
    if (__builtin_mul_overflow(buffer_slot_elements(r->decls, &buffer), buffer.slots, &elements) || elements > most)
        return step_scan_fail(&r->scan, start, "a buffer of more than %lld elements", (long long)most);
    if (!read_buffer_state(r, &buffer) || !read_buffer_holders(r, &buffer) || !read_buffer_place(r, &buffer))
        return false;
    buffer.span = step_read_span(r, start);
    table_add(r->ctx->arena, &r->buffers, buffer.name, r->program->buffers.count);
    vec_push(r->ctx->arena, &r->program->buffers, buffer);
    return true;
}

/* ---- Communicators ------------------------------------------------------------------------------------------ */

/* "communicator stage.channel0 over stage edges" */
static bool read_communicator(StepReader *r, int32_t start)
{
    Communicator communicator = {0};
    if (!read_new_name(r, &r->communicators, &communicator.name, "the name of a communicator") ||
        !step_scan_expect_word(&r->scan, "over") || !step_read_over(r, &communicator.axes))
        return false;
    communicator.edges = step_scan_take_word(&r->scan, "edges");
    if (communicator.edges && communicator.axes.count != 1)
        return step_scan_fail(&r->scan, start, "edges are along one axis");
    communicator.span = step_read_span(r, start);
    table_add(r->ctx->arena, &r->communicators, communicator.name, r->program->communicators.count);
    vec_push(r->ctx->arena, &r->program->communicators, communicator);
    return true;
}

/* ---- The file ----------------------------------------------------------------------------------------------- */

static bool read_routine(StepReader *r)
{
    Routine routine = {0};
    step_scan_peek(&r->scan);
    int32_t start = r->scan.at;
    int kind;
    if (!CHOICE(r, &kind, routine_names, "'init', 'step', 'eval', 'predict', 'join' or 'prefill'"))
        return false;
    routine.kind = (RoutineKind)kind;
    if (program_routine(r->program, routine.kind) != NULL)
        return step_scan_fail(&r->scan, start, "'%s' is declared twice", routine_name(routine.kind));
    if (routine.kind == ROUTINE_JOIN &&
        (!step_scan_expect_word(&r->scan, "every") ||
         !step_scan_integer(&r->scan, &routine.every, 1, most_size, "the number of steps")))
        return false;
    routine.span = step_read_span(r, start);
    if (!step_scan_expect(&r->scan, '{') || !step_read_block(r, &routine.body, start))
        return false;
    vec_push(r->ctx->arena, &r->program->routines, routine);
    return true;
}

/* The lines that begin with the word. */
static bool read_lines(StepReader *r, const char *word, bool (*read)(StepReader *r, int32_t start))
{
    while (step_scan_next_line(&r->scan)) {
        int32_t start = r->scan.at;
        if (!step_scan_take_word(&r->scan, word))
            break;
        if (!(read(r, start) && step_scan_line_end(&r->scan)) && !step_read_recover(r))
            return false;
    }
    return r->scan.error_count == 0;
}

/* Into r->program. */
static bool read_program(StepReader *r, const char *keyword)
{
    r->program = arena_make(r->ctx->arena, Program);
    r->program->decls = r->decls;
    r->is_reference = strcmp(keyword, "reference") == 0;
    r->buffers = r->communicators = (NameTable){0};
    r->loop_seen = arena_array(r->ctx->arena, bool, STEP_MOST_LOOPS);
    r->id_seen = arena_array(r->ctx->arena, bool, STEP_MOST_IDS);
    r->next_id = 0;
    memset(&r->event_slots, 0, sizeof r->event_slots);
    int32_t start = r->scan.at;
    if (!step_scan_expect_word(&r->scan, keyword) || !step_scan_expect(&r->scan, '{') ||
        !step_scan_line_end(&r->scan) || !(r->is_reference || read_lines(r, "communicator", read_communicator)) ||
        !read_lines(r, "buffer", read_buffer))
        return false;
    while (step_scan_next_line(&r->scan) && step_scan_take_word(&r->scan, "routine"))
        if (!read_routine(r))
            return false;
    if (step_scan_take(&r->scan, '}')) {
        if (r->program->communicators.count == 0)
            step_name_communicators(r->ctx, r->program);
        return step_scan_line_end(&r->scan) && r->scan.error_count == 0;
    }
    int line = source_position(r->ctx->sources, r->scan.source, start).line;
    return step_scan_fail(&r->scan, r->scan.at, "expected a routine, or '}' to close what line %d opens", line);
}

static bool read_decls(StepReader *r)
{
    while (step_scan_next_line(&r->scan)) {
        int32_t start = r->scan.at;
        if (step_scan_take_word(&r->scan, "reference")) {
            r->scan.at = start;
            break;
        }
        if (!(read_decl(r) && step_scan_line_end(&r->scan)) && !step_read_recover(r))
            return false;
    }
    if (r->scan.error_count > 0)
        return false;
    if (r->decls->name == NULL || r->decls->micro == 0)
        return step_scan_fail(&r->scan, r->scan.at, "expected a 'model' and a 'micro' line before this");
    return true;
}

static bool read_file(StepReader *r, StepFile *file)
{
    int64_t version;
    step_scan_next_line(&r->scan);
    if (!step_scan_expect_word(&r->scan, "place-step") ||
        !step_scan_integer(&r->scan, &version, 1, 1, "the version of the text form") || !step_scan_line_end(&r->scan) ||
        !read_decls(r) || !read_program(r, "reference"))
        return false;
    file->reference = r->program;
    step_scan_next_line(&r->scan);
    if (!read_program(r, "program"))
        return false;
    file->program = r->program;
    return !step_scan_next_line(&r->scan) || step_scan_fail(&r->scan, r->scan.at, "expected the end of the file");
}

StepFile *step_read(Ctx *ctx, int source)
{
    const Source *text = &ctx->sources->list.data[source];
    StepReader *reader = arena_make(ctx->arena, StepReader);
    reader->ctx = ctx;
    reader->scan = (StepScan){.ctx = ctx, .source = source, .text = text->text, .length = text->length};
    reader->decls = arena_make(ctx->arena, Decls);
    reader->decls->contract = "exact";
    StepFile *file = arena_make(ctx->arena, StepFile);
    file->decls = reader->decls;
    return read_file(reader, file) ? file : NULL;
}

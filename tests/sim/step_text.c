/* step_text.c - declarations, buffers, the file. */
#include "tests/sim/form.h"
#include "tests/sim/text_reader.h"

#include <string.h>

int64_t sim_tensor_elements(const SimTensor *tensor)
{
    int64_t elements = 1;
    for (int d = 0; d < tensor->dim_count; d++)
        elements *= tensor->dims[d];
    return elements;
}

const SimRoutine *sim_routine(const SimProgram *program, const char *name)
{
    for (int r = 0; r < program->routine_count; r++)
        if (!strcmp(program->routines[r].name, name))
            return &program->routines[r];
    return NULL;
}

/* ---- Declarations ------------------------------------------------------------------------------------------- */

/* Returns the bytes of an element. */
static int take_dtype(TextReader *reader, bool *is_integer)
{
    *is_integer = text_try_word(reader, "i32");
    if (*is_integer || text_try_word(reader, "f32"))
        return 4;
    if (text_try_word(reader, "f64"))
        return 8;
    text_take_word(reader, "bf16");
    return 2;
}

static void read_axis(TextReader *reader)
{
    SimFile *file = reader->file;
    if (file->axis_count == SIM_MAX_AXES)
        text_fail(reader, "too many axes");
    SimAxis *axis = &file->axes[file->axis_count];
    axis->name = text_take_name(reader);
    axis->size = text_take_integer(reader);
    if (axis->size < 1)
        text_fail(reader, "an axis needs at least one rank");
    axis->copies = text_try_word(reader, "copies");
    file->axis_count++;
}

static void read_group(TextReader *reader)
{
    SimFile *file = reader->file;
    file->groups = sim_pool_grow(reader->pool, file->groups, file->group_count, sizeof(SimGroup));
    SimGroup group = {.name = text_take_name(reader)};
    group.layers = text_take_integer(reader);
    file->groups[file->group_count++] = group;
}

static void read_tensor_init(TextReader *reader, SimTensor *tensor)
{
    text_take_word(reader, "init");
    if (text_try_word(reader, "zeros"))
        tensor->init = SIM_INIT_ZEROS;
    else if (text_try_word(reader, "ones"))
        tensor->init = SIM_INIT_ONES;
    else if (text_try_word(reader, "normal"))
        tensor->init = SIM_INIT_NORMAL;
    else if (text_try_word(reader, "uniform"))
        tensor->init = SIM_INIT_UNIFORM;
    else
        text_fail(reader, "unknown initial values '%.12s'", reader->at);
    if (tensor->init == SIM_INIT_NORMAL || tensor->init == SIM_INIT_UNIFORM)
        tensor->init_scale = text_take_float(reader);
}

static void read_tensor(TextReader *reader)
{
    SimFile *file = reader->file;
    SimTensor tensor = {.name = text_take_name(reader), .group = -1, .batch_dim = -1};
    tensor.is_input = text_try_word(reader, "input");
    tensor.is_statistic = !tensor.is_input && text_try_word(reader, "statistic");
    if (!tensor.is_input && !tensor.is_statistic)
        text_take_word(reader, "parameter");
    take_dtype(reader, &tensor.is_integer);
    text_take_char(reader, '[');
    while (text_at_digit(reader)) {
        if (tensor.dim_count == SIM_MAX_DIMS)
            text_fail(reader, "too many dims");
        tensor.dims[tensor.dim_count++] = text_take_integer(reader);
        if (!text_try_char(reader, ','))
            break;
    }
    text_take_char(reader, ']');
    if (text_try_word(reader, "in"))
        tensor.group = text_take_group(reader);
    if (tensor.is_input) {
        int64_t batch = -1;
        if (text_try_word(reader, "batch") &&
            ((batch = text_take_integer(reader)) < 0 || batch >= tensor.dim_count))
            text_fail(reader, "no such batch dim");
        tensor.batch_dim = (int)batch;
    } else {
        read_tensor_init(reader, &tensor);
        tensor.frozen = tensor.is_statistic || text_try_word(reader, "frozen");
    }
    file->tensors = sim_pool_grow(reader->pool, file->tensors, file->tensor_count, sizeof(SimTensor));
    file->tensors[file->tensor_count++] = tensor;
}

static void read_state(TextReader *reader)
{
    SimFile *file = reader->file;
    SimState state = {.name = text_take_name(reader)};
    if (text_try_word(reader, "parameters"))
        state.kind = SIM_STATE_PARAMETERS;
    else if (text_try_word(reader, "gradients"))
        state.kind = SIM_STATE_GRADIENTS;
    else if (text_try_word(reader, "optimizer"))
        state.kind = SIM_STATE_OPTIMIZER;
    else if (text_try_word(reader, "statistics"))
        state.kind = SIM_STATE_STATISTICS;
    else
        text_fail(reader, "unknown kind of state '%.12s'", reader->at);
    static const char *const words[] = {"per_parameter", "per_row", "per_column", "per_tensor"};
    for (int e = 0; e < 4 && !state.per_parameter; e++)
        if (text_try_word(reader, words[e])) {
            state.per_parameter = true;
            state.each = (SimEach)e;
        }
    if (!state.per_parameter)
        text_take_word(reader, "scalar");
    state.element_bytes = take_dtype(reader, &state.is_integer);
    state.from_parameters = text_try_word(reader, "from_parameters");
    file->states = sim_pool_grow(reader->pool, file->states, file->state_count, sizeof(SimState));
    file->states[file->state_count++] = state;
}

static int take_cuts(TextReader *reader, int *cuts)
{
    int count = 0;
    while (text_try_char(reader, '/')) {
        if (count == SIM_MAX_CUTS)
            text_fail(reader, "too many cuts");
        cuts[count++] = text_try_word(reader, "micro") ? SIM_CUT_MICRO : text_take_axis(reader);
        for (int c = 0; c < count - 1; c++)
            if (cuts[c] == cuts[count - 1])
                text_fail(reader, "cut twice over the same axis");
    }
    return count;
}

/* "{4, 2, 2}", of a dim that is cut. */
static void take_segments(TextReader *reader, SimDim *dim)
{
    int64_t elements = 0;
    if (!text_try_char(reader, '{'))
        return;
    do {
        if (dim->segment_count == SIM_MAX_SEGMENTS) {
            text_fail(reader, "too many segments");
            return;
        }
        dim->segments[dim->segment_count] = text_take_integer(reader);
        elements += dim->segments[dim->segment_count++];
    } while (text_try_char(reader, ','));
    text_take_char(reader, '}');
    if (elements != dim->size)
        text_fail(reader, "the segments do not make up the dim");
}

/* What the largest rank has of the dim. */
static int64_t largest_piece(const SimFile *file, const SimDim *dim)
{
    int64_t sum = 0;
    for (int s = 0; s < (dim->segment_count ? dim->segment_count : 1); s++) {
        int64_t extent = dim->segment_count ? dim->segments[s] : dim->size;
        for (int c = 0; c < dim->cut_count; c++) {
            int64_t parts = file->axes[dim->cuts[c]].size;
            extent = (extent + parts - 1) / parts;
        }
        sum += extent;
    }
    return sum;
}

/* No axis cuts two dims. */
static void expect_cut_once(TextReader *reader, const SimDim *dims, int count)
{
    bool seen[SIM_MAX_AXES + 1] = {false};
    for (int d = 0; d < count; d++)
        for (int c = 0; c < dims[d].cut_count; c++) {
            int axis = dims[d].cuts[c] == SIM_CUT_MICRO ? SIM_MAX_AXES : dims[d].cuts[c];
            if (seen[axis])
                text_fail(reader, "two dims are cut over the same axis");
            seen[axis] = true;
        }
}

static void read_table(TextReader *reader)
{
    SimFile *file = reader->file;
    SimTable table = {.name = text_take_name(reader)};
    table.axis = text_take_axis(reader);
    table.values = sim_array(reader->pool, int64_t, file->axes[table.axis].size);
    for (int64_t c = 0; c < file->axes[table.axis].size; c++)
        table.values[c] = text_take_integer(reader);
    file->tables = sim_pool_grow(reader->pool, file->tables, file->table_count, sizeof(SimTable));
    file->tables[file->table_count++] = table;
}

/* "[dim, dim]", or as the tensor's. Returns the elements of the largest rank's piece. */
static int64_t read_member_dims(TextReader *reader, SimUnit *unit, const SimTensor *tensor, SimDim *dims)
{
    bool given = text_try_char(reader, '[');
    int64_t elements = 1;
    for (int d = 0; d < tensor->dim_count; d++) {
        dims[d].size = tensor->dims[d];
        if (given) {
            if (d > 0)
                text_take_char(reader, ',');
            if (text_take_integer(reader) != tensor->dims[d])
                text_fail(reader, "'%s' has another size", tensor->name);
            take_segments(reader, &dims[d]);
            dims[d].cut_count = take_cuts(reader, dims[d].cuts);
        }
        for (int c = 0; c < dims[d].cut_count; c++) {
            if (dims[d].cuts[c] == SIM_CUT_MICRO)
                text_fail(reader, "microbatches do not cut a unit");
            unit->is_cut = true;
        }
        elements *= largest_piece(reader->file, &dims[d]);
    }
    if (given)
        text_take_char(reader, ']');
    return elements;
}

static int64_t rounded_up(int64_t number, int64_t multiple)
{
    return (number + multiple - 1) / multiple * multiple;
}

static void read_unit(TextReader *reader)
{
    SimFile *file = reader->file;
    SimUnit unit = {.name = text_take_name(reader), .group = -1, .base = file->unit_count};
    if (text_try_word(reader, "in")) {
        unit.group = text_take_group(reader);
        unit.first_layer = text_take_integer(reader);
        text_take_range(reader);
        unit.last_layer = text_take_integer(reader);
    }
    int64_t aligned = 1, multiple = 1;
    if (text_try_word(reader, "aligned")) {
        aligned = text_take_integer(reader);
        text_take_word(reader, "to");
        multiple = text_take_integer(reader);
    }
    text_take_char(reader, '=');
    do {
        int member = text_take_tensor(reader);
        unit.members = sim_pool_grow(reader->pool, unit.members, unit.member_count, sizeof(int));
        unit.offsets = sim_pool_grow(reader->pool, unit.offsets, unit.member_count, sizeof(int64_t));
        unit.dim_counts = sim_pool_grow(reader->pool, unit.dim_counts, unit.member_count, sizeof(int));
        unit.dims = sim_pool_grow(reader->pool, unit.dims, unit.member_count, SIM_MAX_DIMS * sizeof(SimDim));
        SimDim *dims = &unit.dims[unit.member_count * SIM_MAX_DIMS];
        memset(dims, 0, SIM_MAX_DIMS * sizeof(SimDim));
        unit.members[unit.member_count] = member;
        unit.elements = rounded_up(unit.elements, aligned);
        unit.offsets[unit.member_count] = unit.elements;
        unit.dim_counts[unit.member_count] = file->tensors[member].dim_count;
        unit.elements += read_member_dims(reader, &unit, &file->tensors[member], dims);
        unit.member_count++;
    } while (text_try_char(reader, ','));
    unit.elements = rounded_up(unit.elements, multiple);
    file->units = sim_pool_grow(reader->pool, file->units, file->unit_count, sizeof(SimUnit));
    file->units[file->unit_count++] = unit;
}

/* The unit of the rows, columns or tensors of another. */
static int derived_unit(TextReader *reader, int base_index, SimEach each)
{
    SimFile *file = reader->file;
    for (int u = 0; u < file->unit_count; u++)
        if (file->units[u].base == base_index && file->units[u].each == each)
            return u;
    const SimUnit *base = &file->units[base_index];
    SimUnit unit = *base;
    unit.each = each;
    unit.is_cut = false;
    unit.elements = 0;
    unit.offsets = sim_array(reader->pool, int64_t, base->member_count);
    unit.dim_counts = sim_array(reader->pool, int, base->member_count);
    unit.dims = sim_array(reader->pool, SimDim, base->member_count * SIM_MAX_DIMS);
    for (int m = 0; m < base->member_count; m++) {
        int all = base->dim_counts[m], first = each == SIM_EACH_COLUMN && all > 0 ? all - 1 : 0;
        int last = each == SIM_EACH_ROW ? all - 1 : each == SIM_EACH_TENSOR ? 0 : all;
        int64_t numbers = 1;
        for (int d = first; d < last; d++) {
            SimDim *dim = &unit.dims[m * SIM_MAX_DIMS + unit.dim_counts[m]++];
            *dim = base->dims[m * SIM_MAX_DIMS + d];
            unit.is_cut = unit.is_cut || dim->cut_count > 0;
            numbers *= largest_piece(file, dim);
        }
        unit.offsets[m] = unit.elements;
        unit.elements += numbers;
    }
    file->units = sim_pool_grow(reader->pool, file->units, file->unit_count, sizeof(SimUnit));
    file->units[file->unit_count++] = unit;
    return file->unit_count - 1;
}

/* "adam_m = 24 of w.weight 0 0, 8 padding" */
static void read_map(TextReader *reader, bool loaded)
{
    SimFile *file = reader->file;
    SimMap map = {.state = text_take_state(reader), .loaded = loaded};
    text_take_char(reader, '=');
    do {
        SimRun run = {.tensor = -1, .count = text_take_integer(reader)};
        if (!text_try_word(reader, "padding")) {
            text_take_word(reader, "of");
            run.tensor = text_take_tensor(reader);
            run.layer = text_take_integer(reader);
            run.first = text_take_integer(reader);
            run.copy = text_try_word(reader, "copy") ? text_take_integer(reader) : 0;
        }
        map.runs = sim_pool_grow(reader->pool, map.runs, map.run_count, sizeof(SimRun));
        map.runs[map.run_count++] = run;
    } while (text_try_char(reader, ','));
    file->maps = sim_pool_grow(reader->pool, file->maps, file->map_count, sizeof(SimMap));
    file->maps[file->map_count++] = map;
}

/* ---- Buffers ------------------------------------------------------------------------------------------------ */

static void read_layout(TextReader *reader, SimBuffer *buffer)
{
    if (text_try_word(reader, "unit")) {
        static const char *const words[] = {"rows", "columns", "tensors"};
        buffer->unit = text_take_unit(reader);
        for (int e = 0; e < 3; e++)
            if (text_try_word(reader, words[e])) {
                buffer->unit = derived_unit(reader, buffer->unit, (SimEach)(e + 1));
                return;
            }
        buffer->cut_count = take_cuts(reader, buffer->cuts);
        for (int c = 0; c < buffer->cut_count; c++)
            if (buffer->cuts[c] == SIM_CUT_MICRO)
                text_fail(reader, "microbatches do not cut a unit");
        return;
    }
    text_take_char(reader, '[');
    while (text_at_digit(reader)) {
        if (buffer->dim_count == SIM_MAX_DIMS)
            text_fail(reader, "too many dims");
        SimDim *dim = &buffer->dims[buffer->dim_count++];
        dim->size = text_take_integer(reader);
        take_segments(reader, dim);
        dim->cut_count = take_cuts(reader, dim->cuts);
        dim->has_halo = text_try_char(reader, '+');
        if (dim->has_halo) {
            dim->before = text_take_integer(reader);
            text_take_char(reader, '+');
            dim->after = text_take_integer(reader);
        }
        dim->padded = text_try_word(reader, "padded");
        if (!text_try_char(reader, ','))
            break;
    }
    expect_cut_once(reader, buffer->dims, buffer->dim_count);
    text_take_char(reader, ']');
}

static void read_buffer(TextReader *reader)
{
    static const char *const categories[] = {"parameters", "gradients", "optimizer", "activations", "buffers", "cache"};
    SimProgram *program = reader->program;
    SimBuffer buffer = {
        .name = text_take_name(reader), .unit = -1, .slots = 1, .state = -1, .tensor = -1, .offset = -1};
    buffer.element_bytes = take_dtype(reader, &buffer.is_integer);
    read_layout(reader, &buffer);
    if (text_try_word(reader, "slots"))
        buffer.slots = text_take_integer(reader);
    if (buffer.slots < 1 || buffer.slots > 1 << 20)
        text_fail(reader, "a buffer needs 1 or more slots");
    if (text_try_word(reader, "on"))
        buffer.tier = text_try_word(reader, "device") ? 0 : text_try_word(reader, "host") ? 1 : 2;
    if (buffer.tier == 2)
        text_take_word(reader, "file");
    int category = 0;
    while (category < 6 && !text_try_word(reader, categories[category]))
        category++;
    if (category == 6)
        text_fail(reader, "unknown category '%.12s'", reader->at);
    buffer.persistent = text_try_word(reader, "persistent");
    buffer.rests = buffer.persistent || !strcmp(categories[category], "gradients");
    if (text_try_word(reader, "state")) {
        buffer.state = text_take_state(reader);
        if (text_try_word(reader, "of"))
            buffer.tensor = text_take_tensor(reader);
    }
    buffer.has_layers = text_try_word(reader, "layers");
    if (buffer.has_layers) {
        buffer.first_layer = text_take_affine(reader);
        text_take_range(reader);
        buffer.last_layer = text_take_affine(reader);
        buffer.layer_runs = 1;
        if (text_try_word(reader, "times")) {
            buffer.layer_runs = text_take_integer(reader);
            text_take_word(reader, "every");
            buffer.layer_every = text_take_integer(reader);
        }
    }
    buffer.has_holders = text_try_word(reader, "where");
    if (buffer.has_holders) {
        buffer.holder = text_take_affine(reader);
        text_take_word(reader, "in");
        buffer.holder_low = text_take_integer(reader);
        text_take_range(reader);
        buffer.holder_high = text_take_integer(reader);
    }
    if (text_try_word(reader, "offset")) {
        buffer.offset = text_take_integer(reader);
        reader->program->is_placed = true;
        text_take_word(reader, "bytes");
        text_take_integer(reader);
    }
    program->buffers = sim_pool_grow(reader->pool, program->buffers, program->buffer_count, sizeof(SimBuffer));
    program->buffers[program->buffer_count++] = buffer;
}

/* ---- The file ----------------------------------------------------------------------------------------------- */

static void read_communicator(TextReader *reader)
{
    SimProgram *program = reader->program;
    SimCommunicator communicator = {.name = text_take_name(reader)};
    text_take_word(reader, "over");
    communicator.axis_count = text_take_axes(reader, communicator.axes);
    communicator.edges = text_try_word(reader, "edges");
    program->communicators = sim_pool_grow(reader->pool, program->communicators, program->communicator_count,
                                           sizeof(SimCommunicator));
    program->communicators[program->communicator_count++] = communicator;
}

static void read_program(TextReader *reader, SimProgram *program)
{
    reader->program = program;
    text_take_char(reader, '{');
    text_take_line_end(reader);
    while (!program->is_reference && text_try_word(reader, "communicator")) {
        read_communicator(reader);
        text_take_line_end(reader);
    }
    while (!text_try_char(reader, '}')) {
        if (text_try_word(reader, "buffer")) {
            read_buffer(reader);
        } else {
            text_take_word(reader, "routine");
            SimRoutine routine = {.name = text_take_name(reader), .root = sim_new(reader->pool, SimNode)};
            if (text_try_word(reader, "every") && (routine.every = text_take_integer(reader)) < 1)
                text_fail(reader, "after every step at most");
            text_read_body(reader, routine.root);
            program->routines =
                sim_pool_grow(reader->pool, program->routines, program->routine_count, sizeof(SimRoutine));
            program->routines[program->routine_count++] = routine;
        }
        text_take_line_end(reader);
    }
}

static void read_model(TextReader *reader)
{
    reader->file->name = text_take_name(reader);
}

/* What it promises is in the reference. */
static void read_contract(TextReader *reader)
{
    if (!text_try_word(reader, "exact"))
        text_take_string(reader);
}

static void read_compute(TextReader *reader)
{
    bool is_integer;
    take_dtype(reader, &is_integer);
}

static void read_micro(TextReader *reader)
{
    reader->file->micro = text_take_integer(reader);
    if (reader->file->micro < 1)
        text_fail(reader, "a step has at least one microbatch");
}

/* Lines that are there once. */
enum { ONCE_MODEL, ONCE_CONTRACT, ONCE_COMPUTE, ONCE_MICRO, ONCE_COUNT };
_Static_assert((int)ONCE_COUNT <= (int)TEXT_MAX_ONCE, "no room for what is found once");

static bool try_once(TextReader *reader)
{
    static const struct {
        const char *word;
        void (*read)(TextReader *reader);
    } once[ONCE_COUNT] = {
        [ONCE_MODEL] = {"model", read_model},
        [ONCE_CONTRACT] = {"contract", read_contract},
        [ONCE_COMPUTE] = {"compute", read_compute},
        [ONCE_MICRO] = {"micro", read_micro},
    };
    for (int i = 0; i < ONCE_COUNT; i++) {
        if (!text_try_word(reader, once[i].word))
            continue;
        if (reader->found[i])
            text_fail(reader, "a second '%s'", once[i].word);
        reader->found[i] = true;
        once[i].read(reader);
        return true;
    }
    return false;
}

static bool try_declaration(TextReader *reader)
{
    if (try_once(reader)) {
        text_take_line_end(reader);
        return true;
    }
    if (text_try_word(reader, "axis")) {
        read_axis(reader);
    } else if (text_try_word(reader, "table")) {
        read_table(reader);
    } else if (text_try_word(reader, "group")) {
        read_group(reader);
    } else if (text_try_word(reader, "tensor")) {
        read_tensor(reader);
    } else if (text_try_word(reader, "state")) {
        read_state(reader);
    } else if (text_try_word(reader, "unit")) {
        read_unit(reader);
    } else if (text_try_word(reader, "saved")) {
        read_map(reader, false);
    } else if (text_try_word(reader, "loaded")) {
        read_map(reader, true);
    } else {
        return false;
    }
    text_take_line_end(reader);
    return true;
}

static void read_file(TextReader *reader)
{
    text_skip_lines(reader);
    text_take_word(reader, "place-step");
    if (text_take_integer(reader) != 1)
        text_fail(reader, "only version 1 is known");
    text_take_line_end(reader);
    while (try_declaration(reader))
        ;
    if (!reader->found[ONCE_MODEL] || !reader->found[ONCE_MICRO])
        text_fail(reader, "a 'model' and a 'micro' line come before this");
    text_take_word(reader, "reference");
    reader->file->reference.is_reference = true;
    read_program(reader, &reader->file->reference);
    text_take_line_end(reader);
    text_take_word(reader, "program");
    read_program(reader, &reader->file->program);
    text_take_line_end(reader);
    if (*reader->at)
        text_fail(reader, "text after the end");
    const char *bad = sim_bad_form(reader->file);
    if (bad)
        text_fail(reader, "%s", bad);
}

SimFile *sim_read(SimPool *pool, const char *text, char *message, size_t message_size)
{
    TextReader *reader = sim_new(pool, TextReader);
    reader->pool = pool;
    reader->at = text;
    reader->line = 1;
    reader->file = sim_new(pool, SimFile);
    reader->file->micro = 1;
    reader->file->name = "";
    reader->message = message;
    reader->message_size = message_size;
    message[0] = '\0';
    if (setjmp(reader->failed))
        return NULL;
    read_file(reader);
    return reader->file;
}

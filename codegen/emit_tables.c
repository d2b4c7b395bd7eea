/* emit_tables.c - the constant tables that describe the plan to the runtime: prt_program and what it points to. */
#include "codegen/emit.h"

#include "base/version.h"
#include "codegen/entry.h"
#include "plan/plan.h"
#include "plan/walk.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Rows that routines refer to ---------------------------------------------------------------------------- */

int emit_source_row(Emit *e, Span span, const char *what)
{
    EmitSource row = {.what = what};
    if (span_known(span)) {
        row.line = source_position(e->ctx->sources, span.source, span.start).line;
        row.file = source_of(e->ctx->sources, span)->name;
    }
    for (int i = 0; i < e->sources.count; i++) {
        const EmitSource *known = &e->sources.data[i];
        bool same_file =
            known->file == row.file || (known->file != NULL && row.file != NULL && strcmp(known->file, row.file) == 0);
        if (known->line == row.line && same_file && strcmp(known->what, what) == 0)
            return i;
    }
    const char *prefix = row.line > 0 ? arena_printf(e->arena, "LINE_%d_", row.line) : "NO_LINE_";
    row.name = names_unique(&e->names, prefix, what);
    vec_push(e->arena, &e->sources, row);
    return e->sources.count - 1;
}

const char *emit_group(Emit *e, const Op *op)
{
    EmitAxes group = {.count = op->axes.count};
    memcpy(group.axis, op->axes.axis, sizeof group.axis);
    for (int i = 0; i < e->groups.count; i++) {
        const EmitAxes *known = &e->groups.data[i];
        if (known->count == group.count && memcmp(known->axis, group.axis, (size_t)group.count) == 0)
            return known->name;
    }
    Text axes = {.arena = e->arena};
    for (int i = 0; i < group.count; i++)
        text_add(&axes, "%s%s", i > 0 ? "_" : "", e->decls->axes.data[group.axis[i]].name);
    group.name = names_unique(&e->names, "GROUP_", axes.length > 0 ? axes.data : "alone");
    vec_push(e->arena, &e->groups, group);
    return group.name;
}

/* ---- Tables ------------------------------------------------------------------------------------------------- */

bool emit_begin_table(Emit *e, const char *type, const char *name, int rows)
{
    if (rows > 0)
        cw_open(e->out, "static const %s %s[] =", type, name);
    return rows > 0;
}

/* A row that others refer to follows its name, on a line of its own if both do not fit on one. */
static void emit_row(Emit *e, const char *name, const char *row)
{
    enum { COLUMNS = 120, INDENT = 4 };
    bool fits = INDENT * (size_t)e->out->indent + strlen(name) + strlen(row) + strlen("[] = {},") <= COLUMNS;
    if (fits) {
        cw_line(e->out, "[%s] = {%s},", name, row);
        return;
    }
    cw_line(e->out, "[%s] =", name);
    e->out->indent++;
    cw_line(e->out, "{%s},", row);
    e->out->indent--;
}

void emit_end_table(Emit *e)
{
    cw_close(e->out, ";");
    cw_blank(e->out);
}

static const char *numbers_text(Emit *e, const int64_t *numbers, int count)
{
    Text text = {.arena = e->arena};
    for (int i = 0; i < count; i++)
        text_add(&text, "%s%" PRId64, i > 0 ? ", " : "", numbers[i]);
    return count > 0 ? text.data : "0";
}

static const char *axes_text(Emit *e, const int8_t *axis, int count)
{
    Text text = {.arena = e->arena};
    for (int i = 0; i < count; i++)
        text_add(&text, "%s%s", i > 0 ? ", " : "", e->axis[axis[i]]);
    return count > 0 ? text.data : "0";
}

static int count_tensors(const Emit *e, bool inputs)
{
    int count = 0;
    for (int i = 0; i < e->decls->tensors.count; i++)
        count += (e->decls->tensors.data[i].kind == TENSOR_INPUT) == inputs;
    return count;
}

static void emit_parameter(Emit *e, int index)
{
    static const char *const kinds[] = {[INIT_ZEROS] = "PRT_ZEROS",
                                        [INIT_ONES] = "PRT_ONES",
                                        [INIT_NORMAL] = "PRT_NORMAL",
                                        [INIT_UNIFORM] = "PRT_UNIFORM"};
    const Tensor *tensor = &e->decls->tensors.data[index];
    const Group *group = tensor->group >= 0 ? &e->decls->groups.data[tensor->group] : NULL;
    emit_row(e, e->tensor[index],
             arena_printf(e->arena, "%s, %s, %" PRId64 ", %s, %d, {%s}, %s, %s", c_string(e->arena, tensor->name),
                          c_string(e->arena, group != NULL ? group->name : NULL), group != NULL ? group->layers : 1,
                          emit_dtype(tensor->dtype), tensor->dim_count,
                          numbers_text(e, tensor->dims, tensor->dim_count), kinds[tensor->init],
                          c_number(e->arena, tensor->init_scale)));
}

static void emit_parameters(Emit *e)
{
    if (!emit_begin_table(e, "prt_tensor", "tensors", count_tensors(e, false)))
        return;
    for (int i = 0; i < e->decls->tensors.count; i++) {
        if (e->decls->tensors.data[i].kind != TENSOR_INPUT)
            emit_parameter(e, i);
    }
    emit_end_table(e);
}

/* ---- Inputs: described by the operators that read them ------------------------------------------------------- */

typedef struct InputUse {
    bool indexes, is_target;
    int64_t bound; /* rows of the smallest table, or the smallest number of classes */
} InputUse;

static bool reads_input(const Op *op, int operand, const bool *holds)
{
    return operand < op->operand_count && holds[op->operand[operand].buffer];
}

static void find_buffers(const NodeList *body, int tensor, bool *holds)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        if (node->kind == NODE_OP && node->op->kind == OP_READ && node->op->tensor == tensor)
            holds[node->op->out.buffer] = true;
        find_buffers(&node->body, tensor, holds);
    }
}

static void use_below(InputUse *use, int64_t bound)
{
    use->bound = use->bound == 0 || bound < use->bound ? bound : use->bound;
}

static void find_uses(const Emit *e, const NodeList *body, const bool *holds, InputUse *use)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        find_uses(e, &node->body, holds, use);
        if (node->kind != NODE_OP)
            continue;
        Dim dims[STEP_MAX_DIMS];
        int count = 0;
        bool indexes = node->op->kind == OP_EMBED && reads_input(node->op, 0, holds);
        bool is_class = node->op->kind == OP_PICK && reads_input(node->op, 1, holds);
        if (indexes && ref_dims(e->program, &node->op->operand[1], &count, dims))
            use_below(use, dims[0].size);
        if (is_class && ref_dims(e->program, &node->op->operand[0], &count, dims))
            use_below(use, dims[count - 1].size);
        use->indexes = use->indexes || indexes;
        use->is_target =
            use->is_target || is_class || (node->op->kind == OP_SQUARED_ERROR && reads_input(node->op, 1, holds));
    }
}

static InputUse use_of_input(const Emit *e, int tensor)
{
    InputUse use = {0};
    bool *holds = arena_array(e->arena, bool, e->program->buffers.count + 1);
    for (int i = 0; i < e->program->routines.count; i++)
        find_buffers(&e->program->routines.data[i].body, tensor, holds);
    for (int i = 0; i < e->program->routines.count; i++)
        find_uses(e, &e->program->routines.data[i].body, holds, &use);
    return use;
}

/* The first input that is looked up in a table: it has the tokens. -1: none is. */
static int first_looked_up(const Emit *e)
{
    for (int i = 0; i < e->decls->tensors.count; i++) {
        if (e->decls->tensors.data[i].kind == TENSOR_INPUT && use_of_input(e, i).indexes)
            return i;
    }
    return -1;
}

static bool has_tokens(const Emit *e)
{
    return first_looked_up(e) >= 0;
}

/* The tokens, or what decoding reads in their place (docs/inference.md); of others nothing is read. */
static const char *served_role(const Emit *e, int tensor)
{
    static const struct {
        const char *suffix, *role;
    } roles[] = {{"", "PRT_TOKENS"}, {".next", "PRT_NEXT"}, {".position", "PRT_POSITION"}};
    const char *tokens = e->decls->tensors.data[first_looked_up(e)].name, *found = "PRT_TARGETS";
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (strcmp(e->decls->tensors.data[tensor].name, arena_printf(e->arena, "%s%s", tokens, roles[i].suffix)) == 0)
            found = roles[i].role;
    return found;
}

static void emit_inputs(Emit *e)
{
    if (!emit_begin_table(e, "prt_input", "inputs", count_tensors(e, true)))
        return;
    for (int i = 0; i < e->decls->tensors.count; i++) {
        const Tensor *tensor = &e->decls->tensors.data[i];
        if (tensor->kind != TENSOR_INPUT)
            continue;
        InputUse use = use_of_input(e, i);
        bool later = use.indexes && e->train->masked_data && i > first_looked_up(e);
        bool hides = e->train->masked_data && tensor->dtype == DTYPE_I32;
        const char *role = e->train->serves                 ? served_role(e, i)
                           : later                          ? "PRT_SEGMENTS"
                           : use.indexes                    ? "PRT_TOKENS"
                           : use.is_target && has_tokens(e) ? "PRT_TARGETS"
                           : use.is_target                  ? "PRT_LABELS"
                           : hides                          ? "PRT_MASK"
                                                            : "PRT_FEATURES";
        emit_row(e, e->tensor[i],
                 arena_printf(e->arena, "%s, %s, %s, %" PRId64 ", %d, {%s}", c_string(e->arena, tensor->name),
                              emit_dtype(tensor->dtype), role, use.bound, tensor->dim_count,
                              numbers_text(e, tensor->dims, tensor->dim_count)));
    }
    emit_end_table(e);
}

/* ---- Units and states --------------------------------------------------------------------------------------- */

static void emit_member(Emit *e, int index, int position)
{
    const Unit *unit = &e->decls->units.data[index];
    int tensor = unit->members[position];
    const char *dims = "NULL";
    if (unit->member_dims != NULL && e->decls->tensors.data[tensor].dim_count > 0)
        dims = arena_printf(
            e->arena, "(const prt_dim[]){%s}",
            emit_dims_text(e, unit->member_dims + position * STEP_MAX_DIMS, e->decls->tensors.data[tensor].dim_count));
    cw_line(e->out, "{%s, %s, %s},", e->tensor[tensor], emit_member_offset(e, index, tensor), dims);
}

static void emit_units(Emit *e)
{
    const char **members = arena_array(e->arena, const char *, e->decls->units.count + 1);
    for (int i = 0; i < e->decls->units.count; i++) {
        const Unit *unit = &e->decls->units.data[i];
        members[i] = names_unique(&e->names, "members_", unit->name);
        if (!emit_begin_table(e, "prt_member", members[i], unit->member_count))
            continue;
        for (int m = 0; m < unit->member_count; m++)
            emit_member(e, i, m);
        emit_end_table(e);
    }
    if (!emit_begin_table(e, "prt_unit", "units", e->decls->units.count))
        return;
    for (int i = 0; i < e->decls->units.count; i++) {
        const Unit *unit = &e->decls->units.data[i];
        const char *row = arena_printf(e->arena, "%s, %" PRId64 ", %" PRId64 ", %s, %s, %" PRId64,
                                       c_string(e->arena, unit->name), unit->first_layer, unit->last_layer,
                                       unit->member_count > 0 ? arena_printf(e->arena, "COUNT(%s)", members[i]) : "0",
                                       unit->member_count > 0 ? members[i] : "NULL", unit->elements);
        emit_row(e, e->unit[i], row);
    }
    emit_end_table(e);
}

/* An affine expression in coordinates and tables. */
static const char *number_text(Emit *e, const Affine *affine)
{
    Text text = {.arena = e->arena};
    text_add(&text, "{.constant = %" PRId64, affine->constant);
    for (int i = 0; i < affine->term_count; i++) {
        int variable = affine->term[i].variable;
        text_add(&text, "%s{%" PRId64 ", %s, %s}", i > 0 ? ", " : ", .terms = {", affine->term[i].coefficient,
                 e->axis[affine_axis(e->decls, variable)], emit_index_table(e, variable));
    }
    if (affine->term_count > 0)
        text_add(&text, "}, .term_count = %d", affine->term_count);
    if (affine->modulus != 0)
        text_add(&text, ", .modulus = %" PRId64, affine->modulus);
    text_add(&text, "}");
    return text.data;
}

const char *emit_held_text(Emit *e, const Buffer *buffer)
{
    return arena_printf(e->arena, "{%s, %" PRId64 ", %" PRId64 "}", number_text(e, &buffer->holder), buffer->held_low,
                        buffer->held_high);
}

/* Slot s has layer first + s of what the buffer is of, unless it says otherwise. */
static void emit_layers(Emit *e, const Buffer *buffer)
{
    int64_t first = buffer->layout == LAYOUT_UNIT ? e->decls->units.data[buffer->unit].first_layer : 0;
    Affine from = affine_constant(first), to = affine_constant(first + buffer->slots - 1);
    const char *repeated = "";
    if (buffer->has_layers) {
        from = buffer->first_layer;
        to = buffer->last_layer;
    }
    if (buffer->has_layers && buffer->layer_runs > 1)
        repeated = arena_printf(e->arena, ", .repeats = %" PRId64 ", .every = %" PRId64, buffer->layer_runs - 1,
                                buffer->layer_every);
    if (buffer->has_layers || first + buffer->slots > 1)
        cw_line(e->out, ".layers = {.first = %s, .last = %s%s},", number_text(e, &from), number_text(e, &to), repeated);
}

/* The fields that states and gradients have in common; `stored`: the state, or the one that the gradient updates. */
static void emit_state_fields(Emit *e, const Buffer *stored, DType dtype, int64_t slot_bytes, const char *layout,
                              int tensor)
{
    cw_line(e->out, ".dtype = %s,", emit_dtype(dtype));
    cw_line(e->out, ".slots = %" PRId64 ",", stored->slots);
    cw_line(e->out, ".slot_bytes = %" PRId64 ",", slot_bytes);
    cw_line(e->out, ".layout = %s,", layout);
    cw_line(e->out, ".tensor = %s,", tensor >= 0 ? e->tensor[tensor] : "-1");
    if (stored->held)
        cw_line(e->out, ".held = %s,", emit_held_text(e, stored));
    emit_layers(e, stored);
}

static void emit_state(Emit *e, int index)
{
    const Buffer *buffer = &e->program->buffers.data[index];
    const Ref slot = {.buffer = index, .member = -1};
    cw_open(e->out, "%s", "");
    cw_line(e->out, ".state = %s,", c_string(e->arena, e->decls->states.data[buffer->state].name));
    cw_line(e->out, ".tier = %s,", emit_tier(buffer->tier));
    cw_line(e->out, ".offset = %s,", e->place[index]);
    emit_state_fields(e, buffer, buffer->dtype, buffer_slot_bytes(e->decls, buffer), emit_layout(e, &slot),
                      buffer->tensor);
    cw_close(e->out, ",");
}

/* A gradient is not stored anywhere of its own: all its layers are saved, however many slots it has. The gradient of a
 * single member is saved as a tensor by itself. */
static void emit_gradient(Emit *e, const EmitGradient *row)
{
    const UsedGradient *used = row->used;
    const Ref *ref = &used->op->operand[used->operand];
    Buffer alone = *ref_buffer(e->program, ref);
    if (alone.layout == LAYOUT_UNIT && ref->member >= 0) {
        alone.layout = LAYOUT_DENSE;
        ref_dims(e->program, ref, &alone.dim_count, alone.dims);
    }
    cw_open(e->out, "[%s] =", row->name);
    cw_line(e->out, ".state = \"gradients\",");
    emit_state_fields(e, ref_buffer(e->program, &used->stored), alone.dtype, buffer_slot_bytes(e->decls, &alone),
                      emit_layout(e, ref), used->tensor);
    cw_close(e->out, ",");
}

/* What checkpoints have: not the keys and values of a model that is served. */
static bool is_saved(const Buffer *buffer)
{
    return buffer->persistent && buffer->category != CATEGORY_CACHE;
}

static int count_saved(const Emit *e)
{
    int count = 0;
    for (int i = 0; i < e->program->buffers.count; i++)
        count += is_saved(&e->program->buffers.data[i]);
    return count;
}

static void emit_states(Emit *e)
{
    if (emit_begin_table(e, "prt_state", "states", count_saved(e))) {
        for (int i = 0; i < e->program->buffers.count; i++) {
            if (is_saved(&e->program->buffers.data[i]))
                emit_state(e, i);
        }
        emit_end_table(e);
    }
    if (emit_begin_table(e, "prt_state", "gradients", e->gradients.count)) {
        for (int i = 0; i < e->gradients.count; i++)
            emit_gradient(e, &e->gradients.data[i]);
        emit_end_table(e);
    }
}

static void emit_runs(Emit *e, const SavedMap *map, const char *name)
{
    emit_begin_table(e, "prt_saved_run", name, map->runs.count);
    for (int i = 0; i < map->runs.count; i++) {
        const SavedRun *run = &map->runs.data[i];
        cw_line(e->out, "{%s, %" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64 "},",
                run->tensor >= 0 ? e->tensor[run->tensor] : "-1", run->layer, run->first, run->count, run->copy);
    }
    emit_end_table(e);
}

/* How a state is read; every state that has a layout is saved and loaded in one. */
static const SavedMap *loaded_map(const Emit *e, int state)
{
    for (int i = 0; i < e->decls->maps.count; i++)
        if (e->decls->maps.data[i].loaded && e->decls->maps.data[i].state == state)
            return &e->decls->maps.data[i];
    BUG("a state that is saved in a layout, and loaded in none");
}

static void emit_maps(Emit *e)
{
    const char **rows = arena_array(e->arena, const char *, e->decls->maps.count + 1);
    int count = 0;
    for (int i = 0; i < e->decls->maps.count; i++) {
        const SavedMap *saved = &e->decls->maps.data[i];
        if (saved->loaded)
            continue;
        const SavedMap *loaded = loaded_map(e, saved->state);
        const char *state = e->decls->states.data[saved->state].name;
        const char *written = names_unique(&e->names, "saved_", state), *read = written;
        emit_runs(e, saved, written);
        if (loaded->runs.data != saved->runs.data) {
            read = names_unique(&e->names, "loaded_", state);
            emit_runs(e, loaded, read);
        }
        rows[count++] = arena_printf(e->arena, "{%s, COUNT(%s), COUNT(%s), %s, %s},", c_string(e->arena, state),
                                     written, read, written, read);
    }
    if (!emit_begin_table(e, "prt_map", "maps", count))
        return;
    for (int i = 0; i < count; i++)
        cw_line(e->out, "%s", rows[i]);
    emit_end_table(e);
}

/* ---- Communication ------------------------------------------------------------------------------------------ */

/* Of what sums nothing, PRT_SUM: the runtime does not look at it. */
static const char *reduction_name(const Op *op)
{
    switch (op_sums(op->kind) ? op->reduce : REDUCE_SUM) {
    case REDUCE_SUM:
        return "PRT_SUM";
    case REDUCE_MAX:
        return "PRT_MAX";
    }
    BUG("a reduction that is none");
}

/* `times`: per class, how often operators run. `every`: 0, or the steps from one join to the next. */
static void emit_call(Emit *e, const EmitCall *row, int64_t *const *times, int classes, int64_t every)
{
    const Op *op = row->op;
    PlanCall call = plan_describe_call(e->program, op, 1);
    int64_t *counts = arena_array(e->arena, int64_t, classes);
    for (int i = 0; i < classes; i++)
        counts[i] = times[i][op->id];
    cw_open(e->out, "[%s] =", row->name);
    cw_line(e->out, ".op = %s,", runtime_entry(op->kind)->call);
    cw_line(e->out, ".state = %s,", c_string(e->arena, call.state));
    cw_line(e->out, ".group = %s,", row->group);
    cw_line(e->out, ".algorithm = %s,", c_string(e->arena, cost_algorithm(&e->train->cluster, e->program, op)));
    cw_line(e->out, ".dtype = %s,", emit_dtype(ref_buffer(e->program, emit_moved(op))->dtype));
    cw_line(e->out, ".reduction = %s,", reduction_name(op));
    if (op->accumulate)
        cw_line(e->out, ".adds = true,");
    cw_line(e->out, ".from = %s,", row->from);
    cw_line(e->out, ".into = %s,", row->into);
    if (op_is_message(op->kind))
        cw_line(e->out, ".channel = %d,", op->peer.channel);
    cw_line(e->out, ".event = %d,", op->event < 0 ? -1 : e->event[op->event]);
    cw_line(e->out, ".stream = %d,", op->stream);
    cw_line(e->out, ".source = %s,", row->source);
    cw_line(e->out, ".calls_per_step = (const int64_t[]){%s},", numbers_text(e, counts, classes));
    cw_line(e->out, ".payload_bytes = %" PRId64 ",", call.payload_bytes);
    if (every > 0)
        cw_line(e->out, ".every = %" PRId64 ",", every);
    cw_close(e->out, ",");
}

/* How often each class runs the routine's operators. */
static int64_t **count_by_class(Emit *e, const Plan *plan, const Routine *routine)
{
    int64_t **times = arena_array(e->arena, int64_t *, plan->classes.count);
    for (int c = 0; c < plan->classes.count; c++) {
        times[c] = arena_array(e->arena, int64_t, e->program->op_count + 1);
        walk_count(e->program, routine, plan->classes.data[c].coordinates, times[c]);
    }
    return times;
}

static void emit_calls(Emit *e, const Plan *plan)
{
    if (emit_begin_table(e, "prt_group", "groups", e->groups.count)) {
        for (int i = 0; i < e->groups.count; i++)
            emit_row(e, e->groups.data[i].name,
                     arena_printf(e->arena, "%d, {%s}", e->groups.data[i].count,
                                  axes_text(e, e->groups.data[i].axis, e->groups.data[i].count)));
        emit_end_table(e);
    }
    if (emit_begin_table(e, "prt_call", "calls", e->calls.count)) {
        const Routine *join = program_routine(e->program, ROUTINE_JOIN);
        int64_t **in_step = count_by_class(e, plan, program_routine(e->program, ROUTINE_STEP));
        int64_t **in_join = join != NULL ? count_by_class(e, plan, join) : NULL;
        for (int i = 0; i < e->calls.count; i++) {
            bool joins = false;
            for (int c = 0; c < plan->classes.count && join != NULL; c++)
                joins |= in_join[c][e->calls.data[i].op->id] > 0;
            emit_call(e, &e->calls.data[i], joins ? in_join : in_step, plan->classes.count, joins ? join->every : 0);
        }
        emit_end_table(e);
    }
}

static void emit_layouts(Emit *e)
{
    if (!emit_begin_table(e, "prt_layout", "layouts", e->layouts.count))
        return;
    for (int i = 0; i < e->layouts.count; i++)
        emit_row(e, e->layouts.data[i].name, emit_layout_row(e, &e->layouts.data[i]));
    emit_end_table(e);
}

/* ---- Memory and sources ------------------------------------------------------------------------------------- */

/* Designated: entries of tiers without copies are left out. */
static void emit_class(Emit *e, const PlanClass *class)
{
    cw_open(e->out, "%s", "");
    cw_line(e->out, ".memory = {%s, %" PRId64 "},", numbers_text(e, class->category_bytes, CATEGORY_COUNT),
            class->padding_bytes);
    for (int tier = TIER_HOST; tier <= TIER_FILE; tier++) {
        const PlanLink *link = &class->links[tier];
        if (link->to_device_bytes + link->from_device_bytes > 0)
            cw_line(e->out, ".links[%s] = {%" PRId64 ", %" PRId64 "},", emit_tier((Tier)tier), link->to_device_bytes,
                    link->from_device_bytes);
    }
    cw_close(e->out, ",");
}

static void emit_classes(Emit *e, const Plan *plan)
{
    emit_begin_table(e, "prt_class", "classes", plan->classes.count);
    for (int c = 0; c < plan->classes.count; c++)
        emit_class(e, &plan->classes.data[c]);
    emit_end_table(e);
    if (plan->classes.count == 1)
        return;
    int64_t places = 0;
    for (int c = 0; c < plan->classes.count; c++)
        places += plan->classes.data[c].places.count;
    int64_t *class_of = arena_array(e->arena, int64_t, places);
    for (int c = 0; c < plan->classes.count; c++)
        for (int i = 0; i < plan->classes.data[c].places.count; i++)
            class_of[plan->classes.data[c].places.data[i]] = c;
    cw_line(e->out, "static const int class_of[] = {%s};", numbers_text(e, class_of, (int)places));
    cw_blank(e->out);
}

static void emit_class_axes(Emit *e, const Plan *plan)
{
    int8_t axis[STEP_MAX_AXES];
    int count = 0;
    for (int a = 0; a < e->decls->axes.count; a++)
        if (plan->class_axes >> a & 1)
            axis[count++] = (int8_t)a;
    if (plan->classes.count == 1)
        return;
    cw_line(e->out, ".class_axis_count = %d,", count);
    cw_line(e->out, ".class_axis = {%s},", axes_text(e, axis, count));
    cw_line(e->out, ".class_of = class_of,");
}

static void emit_sources(Emit *e)
{
    emit_begin_table(e, "prt_source", "sources", e->sources.count);
    for (int i = 0; i < e->sources.count; i++) {
        const EmitSource *row = &e->sources.data[i];
        emit_row(e, row->name,
                 arena_printf(e->arena, "%s, %d, %s", c_string(e->arena, row->file != NULL ? row->file : ""), row->line,
                              c_string(e->arena, row->what)));
    }
    emit_end_table(e);
}

/* ---- The program -------------------------------------------------------------------------------------------- */

/* Identifies the plan, which is the step program: the 64-bit FNV-1a hash of its text. */
static const char *plan_hash(Emit *e)
{
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    if (memory == NULL)
        return "";
    step_print(e->file, NULL, memory);
    fclose(memory);
    uint64_t hash = str_hash(text, length);
    free(text);
    return arena_printf(e->arena, "%016" PRIx64, hash);
}

static int highest_stream(const NodeList *body)
{
    int highest = 0;
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        int own = node->kind == NODE_OP ? node->op->stream : node->kind == NODE_WAIT ? node->wait.stream : 0;
        int inner = highest_stream(&node->body);
        highest = own > highest ? own : highest;
        highest = inner > highest ? inner : highest;
    }
    return highest;
}

static int stream_count(const Emit *e)
{
    int highest = 0;
    for (int i = 0; i < e->program->routines.count; i++) {
        int own = highest_stream(&e->program->routines.data[i].body);
        highest = own > highest ? own : highest;
    }
    return highest + 1;
}

/* Examples per step, of all copies. */
static int64_t examples_per_step(const Emit *e)
{
    int64_t examples = e->train->batch;
    for (int a = 0; a < e->decls->axes.count; a++)
        examples *= e->decls->axes.data[a].copies ? e->decls->axes.data[a].size : 1;
    return examples;
}

/* The items that a run's rate counts: a step's tokens, or its examples. */
static int64_t items_per_step(const Emit *e, const char **item)
{
    *item = "examples";
    for (int i = 0; i < e->decls->tensors.count; i++) {
        const Tensor *tensor = &e->decls->tensors.data[i];
        if (tensor->kind != TENSOR_INPUT || !use_of_input(e, i).indexes)
            continue;
        *item = "tokens";
        return tensor_elements(tensor) * (examples_per_step(e) / e->train->batch);
    }
    return examples_per_step(e);
}

static void emit_description(Emit *e)
{
    const Train *train = e->train;
    cw_line(e->out, ".format = PRT_FORMAT,");
    cw_line(e->out, ".name = %s,", c_string(e->arena, e->decls->name));
    cw_line(e->out, ".file = %s,", c_string(e->arena, train->file_name));
    cw_line(e->out, ".plan_hash = \"%s\",", plan_hash(e));
    cw_line(e->out, ".version = \"%s\",", PLACE_VERSION);
    cw_line(e->out, ".axis_count = %d,", e->decls->axes.count);
    Text axes = {.arena = e->arena};
    for (int i = 0; i < e->decls->axes.count; i++)
        text_add(&axes, "%s[%s] = {%s, %" PRId64 "}", i > 0 ? ", " : "", e->axis[i],
                 c_string(e->arena, e->decls->axes.data[i].name), e->decls->axes.data[i].size);
    if (axes.length > 0)
        cw_line(e->out, ".axes = {%s},", axes.data);
    for (int i = 0; i < e->decls->axes.count; i++)
        if (e->decls->axes.data[i].copies)
            cw_line(e->out, ".copies[%s] = true,", e->axis[i]);
    if (train->cluster.node_devices > 0)
        cw_line(e->out, ".node_ranks = %" PRId64 ",", train->cluster.node_devices);
    cw_line(e->out, ".compute_dtype = %s,", emit_dtype(e->decls->compute_dtype));
    if (train->loss_scale)
        cw_line(e->out, ".skips_steps = true,");
    cw_line(e->out, ".arena_bytes = {%s},", numbers_text(e, e->program->arena_bytes, 3));
}

static void emit_training(Emit *e)
{
    const Train *train = e->train;
    const char *item;
    int64_t items = items_per_step(e, &item);
    static const char *const kinds[] = {[DATA_SYNTHETIC] = "PRT_SYNTHETIC",
                                        [DATA_BYTES] = "PRT_BYTES",
                                        [DATA_U16] = "PRT_U16",
                                        [DATA_U32] = "PRT_U32",
                                        [DATA_IMAGES] = "PRT_IMAGES",
                                        [DATA_NUMBERS] = "PRT_NUMBERS"};
    /* Prompts that only the program's options name are bytes. */
    DataKind data_kind = train->serves && train->data_path == NULL ? DATA_BYTES : train->data_kind;
    cw_line(e->out, ".batch = %" PRId64 ",", train->batch);
    cw_line(e->out, ".micro = %" PRId64 ",", e->decls->micro);
    cw_line(e->out, ".steps = %" PRId64 ",", train->steps);
    cw_line(e->out, ".items_per_step = %" PRId64 ",", items);
    cw_line(e->out, ".item = \"%s\",", item);
    cw_line(e->out, ".data = %s,", kinds[data_kind]);
    if (train->masked_data)
        cw_line(e->out, ".masked = true,");
    cw_line(e->out, ".data_path = %s,", c_string(e->arena, train->data_path));
    if (train->labels_path != NULL)
        cw_line(e->out, ".labels_path = %s,", c_string(e->arena, train->labels_path));
    cw_line(e->out, ".seed = %" PRId64 ",", train->seed);
    if (train->serves) {
        cw_line(e->out, ".load_path = %s,", c_string(e->arena, train->load_path));
        cw_line(e->out, ".temperature = %.17g,", train->temperature);
    }
    cw_line(e->out, ".checkpoint_path = %s,", c_string(e->arena, train->checkpoint_path));
    cw_line(e->out, ".checkpoint_every = %" PRId64 ",", train->checkpoint_every);
}

typedef struct TableRow {
    const char *name, *count;
    int rows;
} TableRow;

static void emit_table_rows(Emit *e, const Plan *plan)
{
    const TableRow tables[] = {
        {"tensors", "tensor_count", count_tensors(e, false)},
        {"inputs", "input_count", count_tensors(e, true)},
        {"units", "unit_count", e->decls->units.count},
        {"layouts", "layout_count", e->layouts.count},
        {"maps", "map_count", e->decls->maps.count / 2},
        {"states", "state_count", count_saved(e)},
        {"gradients", "gradient_count", e->gradients.count},
        {"groups", "group_count", e->groups.count},
        {"calls", "call_count", e->calls.count},
        {"kernels", "kernel_count", e->kernels.specs.count},
        {"classes", "class_count", plan->classes.count},
        {"buffers", "buffer_count", e->program->buffers.count},
        {"sources", "source_count", e->sources.count},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (tables[i].rows == 0)
            continue;
        cw_line(e->out, ".%s = COUNT(%s),", tables[i].count, tables[i].name);
        cw_line(e->out, ".%s = %s,", tables[i].name, tables[i].name);
    }
    cw_line(e->out, ".event_count = %d,", e->event_slots);
    cw_line(e->out, ".stream_count = %d,", stream_count(e));
}

void emit_tables(Emit *e)
{
    emit_parameters(e);
    emit_inputs(e);
    emit_units(e);
    emit_states(e);
    emit_maps(e);
    const Plan *plan = plan_run(e->ctx, e->train, e->file);
    emit_calls(e, plan);
    emit_kernel_table(e, e->out);
    emit_layouts(e); /* after everything that refers to one */
    emit_classes(e, plan);
    emit_buffers(e);
    emit_sources(e);
    cw_open(e->out, "static const prt_program program =");
    emit_description(e);
    emit_class_axes(e, plan);
    emit_training(e);
    emit_table_rows(e, plan);
    for (int i = 0; i < e->program->routines.count; i++) {
        const char *name = routine_name(e->program->routines.data[i].kind);
        cw_line(e->out, ".%s = %s,", name, name);
        if (e->program->routines.data[i].every > 0)
            cw_line(e->out, ".join_every = %" PRId64 ",", e->program->routines.data[i].every);
    }
    cw_close(e->out, ";");
}

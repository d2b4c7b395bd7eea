/* emit_c.c - program.c: the last step program as readable C. */
#include "codegen/emit.h"

#include "plan/plan.h"
#include <inttypes.h>
#include <string.h>

static const char *const routine_comments[] = {
    [ROUTINE_INIT] = "Before the first step: every state gets its initial value.",
    [ROUTINE_STEP] = "One training step.",
    [ROUTINE_EVAL] = "The loss on examples that are held out.",
    [ROUTINE_PREDICT] = "The model's output on the text so far.",
    [ROUTINE_PREFILL] = "The prompts, all at once.",
    [ROUTINE_JOIN] = "The join: what copies of the one device have becomes one again.",
};

static void emit_routine(Emit *e, const Routine *routine)
{
    bool decodes = e->train->serves && routine->kind == ROUTINE_STEP;
    cw_comment(e->out, "%s", decodes ? "Adds a token to every sequence." : routine_comments[routine->kind]);
    e->routine = routine->kind;
    e->source = -1;
    cw_open_function(e->out, arena_printf(e->arena, "static void %s(prt_context *ctx)", routine_name(routine->kind)));
    emit_scope_body(e, &routine->body, (EmitScope){.loop = -1});
    cw_close(e->out, "");
    cw_blank(e->out);
}

static void emit_head(Emit *e, CWriter *out)
{
    const Decls *decls = e->decls;
    Text mesh = {.arena = e->arena};
    for (int i = 0; i < decls->axes.count; i++)
        text_add(&mesh, "%s%s: %" PRId64, i > 0 ? ", " : "", decls->axes.data[i].name, decls->axes.data[i].size);
    cw_comment(out,
               "%s, %s on a mesh { %s }: the program of every rank. Written by placec from %s; the comments name "
               "its lines, and what one execution of a statement costs the rank with the largest pieces.",
               decls->name, e->train->serves ? "served" : "trained", mesh.length > 0 ? mesh.data : "",
               e->train->file_name);
    cw_line(out, "#include \"place_rt.h\"");
    cw_blank(out);
}

/* Constants 0, 1, ..., on one line or one per line. */
static void emit_enum(CWriter *out, const char *comment, const char *const *names, int count)
{
    enum { COLUMNS = 120 };
    if (count == 0)
        return;
    Text text = {.arena = out->arena};
    for (int i = 0; i < count; i++)
        text_add(&text, "%s%s", i > 0 ? ", " : "", names[i]);
    cw_comment(out, "%s", comment);
    if (text.length + strlen("enum {  };") <= COLUMNS) {
        cw_line(out, "enum { %s };", text.data);
    } else {
        cw_open(out, "enum");
        for (int i = 0; i < count; i++)
            cw_line(out, "%s,", names[i]);
        cw_close(out, ";");
    }
    cw_blank(out);
}

static void emit_tensor_names(Emit *e, CWriter *out, const char *comment, bool inputs)
{
    const char **names = arena_array(e->arena, const char *, e->decls->tensors.count + 1);
    int count = 0;
    for (int i = 0; i < e->decls->tensors.count; i++) {
        if ((e->decls->tensors.data[i].kind == TENSOR_INPUT) == inputs)
            names[count++] = e->tensor[i];
    }
    emit_enum(out, comment, names, count);
}

/* The names of rows are constants, enumerated in the order of their tables. */
static void emit_row_names(Emit *e, CWriter *out)
{
    int most = e->sources.count + e->calls.count + e->groups.count + e->gradients.count + e->layouts.count +
               e->kernels.specs.count;
    const char **names = arena_array(e->arena, const char *, most + 1);
    emit_enum(out, "Axes of the mesh, the first outermost.", e->axis, e->decls->axes.count);
    emit_tensor_names(e, out, "Parameters, rows of tensors[].", false);
    emit_tensor_names(e, out, "Inputs, rows of inputs[].", true);
    emit_enum(out, "Units of parameters that lie together, rows of units[].", e->unit, e->decls->units.count);
    for (int i = 0; i < e->layouts.count; i++)
        names[i] = e->layouts.data[i].name;
    emit_enum(out, "Where elements are, rows of layouts[].", names, e->layouts.count);
    for (int i = 0; i < e->gradients.count; i++)
        names[i] = e->gradients.data[i].name;
    emit_enum(out, "Gradients that updates use, rows of gradients[].", names, e->gradients.count);
    for (int i = 0; i < e->groups.count; i++)
        names[i] = e->groups.data[i].name;
    emit_enum(out, "Ranks that communicate, rows of groups[].", names, e->groups.count);
    for (int i = 0; i < e->calls.count; i++)
        names[i] = e->calls.data[i].name;
    emit_enum(out, "Communications, rows of calls[].", names, e->calls.count);
    emit_enum(out, "Kernels, rows of kernels[].", names, emit_kernel_names(e, names));
    for (int i = 0; i < e->sources.count; i++)
        names[i] = e->sources.data[i].name;
    emit_enum(out, "What messages say is being done, rows of sources[].", names, e->sources.count);
}

static void emit_places(Emit *e, CWriter *out)
{
    if (e->program->buffers.count == 0)
        return;
    cw_comment(out,
               "Where a buffer is in the arena of its tier, in bytes. Buffers that are not in use at the same time "
               "share memory.");
    for (int i = 0; i < e->program->buffers.count; i++)
        cw_line(out, "#define %s %" PRId64, e->place[i], e->program->buffers.data[i].offset);
    cw_blank(out);
}

/* A number for every coordinate of an axis. */
static void emit_index_tables(Emit *e, CWriter *out)
{
    bool any = false;
    for (int i = 0; i < e->decls->tables.count; i++) {
        const IndexTable *table = &e->decls->tables.data[i];
        if (e->table[i] == NULL)
            continue;
        if (!any)
            cw_comment(out, "Numbers that depend on a coordinate.");
        any = true;
        Text values = {.arena = e->arena};
        for (int64_t c = 0; c < e->decls->axes.data[table->axis].size; c++)
            text_add(&values, "%s%" PRId64, c > 0 ? ", " : "", table->values[c]);
        cw_line(out, "static const int64_t %s[] = {%s};", e->table[i], values.data);
    }
    if (any)
        cw_blank(out);
}

static void emit_count(CWriter *out)
{
    cw_comment(out, "Rows of a table.");
    cw_line(out, "#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))");
    cw_blank(out);
}

static void emit_modulo(CWriter *out)
{
    cw_comment(out, "0 .. modulus - 1, for negative values too.");
    cw_open_function(out, "static inline int64_t modulo(int64_t value, int64_t modulus)");
    cw_line(out, "return (value %% modulus + modulus) %% modulus;");
    cw_close(out, "");
    cw_blank(out);
}

static const char *layout_words(Emit *e, const Buffer *buffer)
{
    Text text = {.arena = e->arena};
    text_add(&text, "%s ", dtype_name(buffer->dtype));
    if (buffer->layout == LAYOUT_UNIT) {
        text_add(&text, "unit %s", e->decls->units.data[buffer->unit].name);
        for (int i = 0; i < buffer->cut_count; i++)
            text_add(&text, " / %s", e->decls->axes.data[buffer->cut[i]].name);
        return text.data;
    }
    text_add(&text, "[");
    for (int i = 0; i < buffer->dim_count; i++) {
        text_add(&text, "%s%" PRId64, i > 0 ? ", " : "", buffer->dims[i].size);
        for (int c = 0; c < buffer->dims[i].cut_count; c++) {
            int cut = buffer->dims[i].cut[c];
            text_add(&text, " / %s", cut == CUT_MICRO ? "micro" : e->decls->axes.data[cut].name);
        }
    }
    text_add(&text, "]");
    return text.data;
}

/* A function that maps a buffer's slot to its address. */
static void emit_accessor(Emit *e, CWriter *out, int index)
{
    const Buffer *buffer = &e->program->buffers.data[index];
    const char *type = emit_c_type(buffer->dtype), *name = e->accessor[index];
    int64_t elements = buffer_slot_elements(e->decls, buffer);
    int64_t bytes = buffer_data_bytes(e->decls, buffer);
    const char *slots = buffer->slots > 1 ? arena_printf(e->arena, ", %" PRId64 " slots", buffer->slots) : "";
    cw_comment(out, "%s: %s%s, %s", buffer->name, layout_words(e, buffer), slots, str_bytes(e->arena, bytes));
    if (buffer->slots == 1) {
        cw_open_function(out, arena_printf(e->arena, "static inline %s *%s(const prt_context *ctx)", type, name));
        cw_line(out, "return prt_at(ctx, %s, %s);", emit_tier(buffer->tier), e->place[index]);
    } else {
        cw_open_function(
            out, arena_printf(e->arena, "static inline %s *%s(const prt_context *ctx, int64_t slot)", type, name));
        cw_line(out, "return (%s *)prt_at(ctx, %s, %s) + slot * %" PRId64 ";", type, emit_tier(buffer->tier),
                e->place[index], elements);
    }
    cw_close(out, "");
    cw_blank(out);
}

static void emit_accessors(Emit *e, CWriter *out)
{
    cw_comment(out, "---- Buffers in the arena ----");
    cw_blank(out);
    for (int i = 0; i < e->program->buffers.count; i++) {
        if (e->accessor[i] != NULL)
            emit_accessor(e, out, i);
    }
}

static void emit_members(Emit *e, CWriter *out)
{
    bool any = false;
    for (int u = 0; u < e->decls->units.count; u++) {
        const Unit *unit = &e->decls->units.data[u];
        for (int m = 0; m < unit->member_count; m++) {
            const char *name = e->member[u * e->decls->tensors.count + unit->members[m]];
            if (name == NULL)
                continue;
            if (!any)
                cw_comment(out, "Where a parameter is in its unit, in elements.");
            any = true;
            cw_line(out, "#define %s %" PRId64, name, unit->offsets[m]);
        }
    }
    if (any)
        cw_blank(out);
}

static void emit_main(CWriter *out)
{
    cw_blank(out);
    cw_open_function(out, "int main(int argc, char **argv)");
    cw_line(out, "return prt_main(argc, argv, &program);");
    cw_close(out, "");
}

static void start(Emit *e)
{
    const Decls *decls = e->decls;
    e->accessor = arena_array(e->arena, const char *, e->program->buffers.count + 1);
    e->axis = arena_array(e->arena, const char *, decls->axes.count + 1);
    e->member = arena_array(e->arena, const char *, decls->units.count * decls->tensors.count + 1);
    e->place = arena_array(e->arena, const char *, e->program->buffers.count + 1);
    e->tensor = arena_array(e->arena, const char *, decls->tensors.count + 1);
    e->table = arena_array(e->arena, const char *, decls->tables.count + 1);
    e->unit = arena_array(e->arena, const char *, decls->units.count + 1);
    e->variable = arena_array(e->arena, const char *, e->program->loop_count + 1);
    for (int i = 0; i < decls->axes.count; i++)
        e->axis[i] = names_unique(&e->names, "AXIS_", decls->axes.data[i].name);
    for (int i = 0; i < e->program->buffers.count; i++)
        e->place[i] = names_unique(&e->names, "ARENA_", e->program->buffers.data[i].name);
    for (int i = 0; i < decls->tensors.count; i++)
        e->tensor[i] = names_unique(&e->names, decls->tensors.data[i].kind == TENSOR_INPUT ? "INPUT_" : "TENSOR_",
                                    decls->tensors.data[i].name);
    for (int i = 0; i < decls->units.count; i++)
        e->unit[i] = names_unique(&e->names, "UNIT_", decls->units.data[i].name);
    emit_source_row(e, (Span){0}, e->decls->name);
    emit_number_events(e);
}

const char *emit_program(Ctx *ctx, const Train *train, const StepFile *file, KernelTable *kernels)
{
    Emit e = {.ctx = ctx,
              .arena = ctx->arena,
              .train = train,
              .file = file,
              .program = file->program,
              .decls = file->decls,
              .kernels = *kernels,
              .names = {.arena = ctx->arena}};
    CWriter head = cw_new(ctx->arena, 0), routines = cw_new(ctx->arena, 0), tables = cw_new(ctx->arena, 0);
    start(&e);
    e.used = gradients_used(e.arena, e.program);
    e.out = &routines;
    for (int i = 0; i < e.program->routines.count; i++)
        emit_routine(&e, &e.program->routines.data[i]);
    e.out = &tables;
    emit_tables(&e);
    emit_main(&tables);

    emit_head(&e, &head);
    emit_kernel_prototypes(&e, &head);
    emit_row_names(&e, &head);
    emit_members(&e, &head);
    emit_places(&e, &head);
    emit_index_tables(&e, &head);
    if (e.uses_modulo)
        emit_modulo(&head);
    emit_accessors(&e, &head);
    cw_comment(&head, "---- Routines ----");
    cw_blank(&head);
    cw_splice(&head, &routines);
    cw_comment(&head, "---- The plan, for the runtime ----");
    cw_blank(&head);
    emit_count(&head);
    cw_splice(&head, &tables);
    *kernels = e.kernels;
    return head.text.data;
}

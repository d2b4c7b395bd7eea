/* print.c - the step program as text, in the format of docs/step-program.md 3.
 *
 * The text is a function of the program alone: what step_read reads from it prints as the same bytes. Attributes that
 * have their default value (one slot, the device tier, stream 0, the next id) are omitted. A comment at the end of a
 * line names the line of the user's file; for conversions it also quotes the statement. A line that was itself read
 * from such text keeps the comment that it had.
 */
#include "step/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct Printer {
    const Decls *decls;
    const Program *program;
    const Sources *sources; /* or NULL */
    FILE *out;
    int depth;
    int next_id; /* the id that step_read gives an operator that names none */
} Printer;

/* ---- Lines and comments ------------------------------------------------------------------------------------- */

static void begin_line(const Printer *p)
{
    fprintf(p->out, "%*s", 4 * p->depth, "");
}

/* Does its first line that is not a comment say so? */
static bool is_step_text(const Source *source)
{
    const char *text = source->text;
    for (;;) {
        text += strspn(text, " \t\r\n");
        if (*text != '#')
            return strncmp(text, "place-step ", 11) == 0;
        text += strcspn(text, "\n");
    }
}

/* The comment after the span on its line of a step file. */
static void print_kept_comment(const Printer *p, const Source *source, int32_t offset)
{
    int32_t start = offset;
    while (start < source->length && (source->text[start] == ' ' || source->text[start] == '\t'))
        start++;
    int32_t end = start;
    while (end < source->length && source->text[end] != '\n')
        end++;
    while (end > start && strchr(" \t\r", source->text[end - 1]) != NULL)
        end--;
    if (end > start && source->text[start] == '#')
        fprintf(p->out, "  %.*s", (int)(end - start), source->text + start);
}

/* A file name may contain anything, but must not end the comment. */
static void print_file_name(const Printer *p, const char *name)
{
    for (; *name != '\0'; name++)
        fputc((unsigned char)*name < ' ' || *name == 127 ? '?' : *name, p->out);
}

/* The statement's first line, without anything that would end the comment. */
static void print_statement(const Printer *p, const Source *source, Span span)
{
    fprintf(p->out, ": ");
    for (int32_t i = span.start; i < span.end && source->text[i] != '\n'; i++)
        fputc((unsigned char)source->text[i] < ' ' || source->text[i] == 127 ? ' ' : source->text[i], p->out);
}

static void end_line_with(const Printer *p, Span span, bool statement)
{
    if (p->sources != NULL && span_known(span)) {
        const Source *source = source_of(p->sources, span);
        if (is_step_text(source)) {
            print_kept_comment(p, source, span.end);
        } else {
            fprintf(p->out, "  # ");
            print_file_name(p, source->name);
            fprintf(p->out, ":%d", source_position(p->sources, span.source, span.start).line);
            if (statement)
                print_statement(p, source, span);
        }
    }
    fputc('\n', p->out);
}

static bool is_sync(const Printer *p, Span span)
{
    return p->sources != NULL && span_known(span) &&
           strncmp(source_of(p->sources, span)->text + span.start, "sync ", 5) == 0;
}

static void end_line(const Printer *p, Span span)
{
    end_line_with(p, span, false);
}

static void close_brace(Printer *p)
{
    p->depth--;
    begin_line(p);
    fprintf(p->out, "}\n");
}

/* Prints the fewest digits that read back as the same number. */
static void print_float(const Printer *p, double value)
{
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof(text), "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    fputs(text, p->out);
}

/* ---- Declarations ------------------------------------------------------------------------------------------- */

static void print_tensor(const Printer *p, const Tensor *tensor)
{
    fprintf(p->out, "tensor %s %s %s [", tensor->name, tensor_kind_names[tensor->kind], dtype_name(tensor->dtype));
    for (int i = 0; i < tensor->dim_count; i++)
        fprintf(p->out, "%s%" PRId64, i > 0 ? ", " : "", tensor->dims[i]);
    fprintf(p->out, "]");
    if (tensor->kind == TENSOR_INPUT) {
        if (tensor->batch_dim >= 0)
            fprintf(p->out, " batch %d", tensor->batch_dim);
    } else {
        if (tensor->group >= 0)
            fprintf(p->out, " in %s", p->decls->groups.data[tensor->group].name);
        fprintf(p->out, " init %s", init_names[tensor->init]);
        if (tensor->init == INIT_NORMAL || tensor->init == INIT_UNIFORM) {
            fputc(' ', p->out);
            print_float(p, tensor->init_scale);
        }
        if (tensor->kind == TENSOR_PARAMETER && !tensor->trainable)
            fprintf(p->out, " frozen");
    }
    end_line(p, tensor->span);
}

static void print_state(const Printer *p, const State *state)
{
    fprintf(p->out, "state %s %s %s %s%s", state->name, state_kind_names[state->kind],
            per_names[state->per_parameter ? (int)state->each : PER_NAMES_SCALAR], dtype_name(state->dtype),
            state->from_parameters ? " from_parameters" : "");
    end_line(p, state->span);
}

static bool is_cut(const Dim *dims, int count)
{
    for (int i = 0; i < count; i++)
        if (dims[i].cut_count > 0)
            return true;
    return false;
}

static void print_dims(const Printer *p, const Dim *dims, int count)
{
    fprintf(p->out, "[");
    for (int i = 0; i < count; i++) {
        fprintf(p->out, "%s%" PRId64, i > 0 ? ", " : "", dims[i].size);
        for (int j = 0; dims[i].segments != NULL && dims[i].cut_count > 0 && j < dims[i].segments->count; j++)
            fprintf(p->out, "%s%" PRId64 "%s", j == 0 ? "{" : ", ", dims[i].segments->size[j],
                    j == dims[i].segments->count - 1 ? "}" : "");
        for (int j = 0; j < dims[i].cut_count; j++)
            fprintf(p->out, "/%s", dims[i].cut[j] == CUT_MICRO ? "micro" : p->decls->axes.data[dims[i].cut[j]].name);
        if (dims[i].halo_before + dims[i].halo_after > 0)
            fprintf(p->out, "+%" PRId64 "+%" PRId64, dims[i].halo_before, dims[i].halo_after);
        if (dims[i].padded)
            fprintf(p->out, " padded");
    }
    fprintf(p->out, "]");
}

static void print_unit(const Printer *p, const Unit *unit)
{
    fprintf(p->out, "unit %s", unit->name);
    if (unit->group >= 0)
        fprintf(p->out, " in %s %" PRId64 "..%" PRId64, p->decls->groups.data[unit->group].name, unit->first_layer,
                unit->last_layer);
    if (unit->aligned > 1)
        fprintf(p->out, " aligned %" PRId64 " to %" PRId64, unit->aligned, unit->multiple);
    for (int i = 0; i < unit->member_count; i++) {
        const Tensor *member = &p->decls->tensors.data[unit->members[i]];
        fprintf(p->out, "%s %s", i > 0 ? "," : " =", member->name);
        const Dim *dims = unit->member_dims != NULL ? &unit->member_dims[i * STEP_MAX_DIMS] : NULL;
        if (dims != NULL && is_cut(dims, member->dim_count))
            print_dims(p, dims, member->dim_count);
    }
    fputc('\n', p->out);
}

static void print_table(const Printer *p, const IndexTable *table)
{
    const Axis *axis = &p->decls->axes.data[table->axis];
    fprintf(p->out, "table %s %s", table->name, axis->name);
    for (int64_t i = 0; i < axis->size; i++)
        fprintf(p->out, " %" PRId64, table->values[i]);
    end_line(p, table->span);
}

static void print_map(const Printer *p, const SavedMap *map)
{
    fprintf(p->out, "%s %s =", map->loaded ? "loaded" : "saved", p->decls->states.data[map->state].name);
    for (int i = 0; i < map->runs.count; i++) {
        const SavedRun *run = &map->runs.data[i];
        fprintf(p->out, "%s %" PRId64, i > 0 ? "," : "", run->count);
        if (run->tensor < 0)
            fprintf(p->out, " padding");
        else
            fprintf(p->out, " of %s %" PRId64 " %" PRId64, p->decls->tensors.data[run->tensor].name, run->layer,
                    run->first);
        if (run->copy > 0)
            fprintf(p->out, " copy %" PRId64, run->copy);
    }
    end_line(p, map->span);
}

static void print_decls(const Printer *p)
{
    const Decls *decls = p->decls;
    const char *quote = strcmp(decls->contract, "exact") == 0 ? "" : "\"";
    fprintf(p->out, "model %s\ncontract %s%s%s\ncompute %s\nmicro %" PRId64 "\n", decls->name, quote, decls->contract,
            quote, dtype_name(decls->compute_dtype), decls->micro);
    for (int i = 0; i < decls->axes.count; i++) {
        fprintf(p->out, "axis %s %" PRId64 "%s", decls->axes.data[i].name, decls->axes.data[i].size,
                decls->axes.data[i].copies ? " copies" : "");
        end_line(p, decls->axes.data[i].span);
    }
    for (int i = 0; i < decls->tables.count; i++)
        print_table(p, &decls->tables.data[i]);
    for (int i = 0; i < decls->groups.count; i++) {
        fprintf(p->out, "group %s %" PRId64, decls->groups.data[i].name, decls->groups.data[i].layers);
        end_line(p, decls->groups.data[i].span);
    }
    for (int i = 0; i < decls->tensors.count; i++)
        print_tensor(p, &decls->tensors.data[i]);
    for (int i = 0; i < decls->states.count; i++)
        print_state(p, &decls->states.data[i]);
    for (int i = 0; i < decls->units.count; i++)
        print_unit(p, &decls->units.data[i]);
    for (int i = 0; i < decls->maps.count; i++)
        print_map(p, &decls->maps.data[i]);
}

static void print_axes(const Printer *p, AxisSet axes)
{
    for (int i = 0; i < axes.count; i++)
        fprintf(p->out, "%s%s", i > 0 ? ", " : " over ", p->decls->axes.data[axes.axis[i]].name);
}

static void print_communicator(const Printer *p, const Communicator *communicator)
{
    if (communicator->implied)
        return;
    begin_line(p);
    fprintf(p->out, "communicator %s", communicator->name);
    print_axes(p, communicator->axes);
    fputs(communicator->edges ? " edges" : "", p->out);
    end_line(p, communicator->span);
}

static void print_buffer(const Printer *p, const Buffer *buffer)
{
    begin_line(p);
    fprintf(p->out, "buffer %s %s ", buffer->name, dtype_name(buffer->dtype));
    if (buffer->layout == LAYOUT_UNIT) {
        fprintf(p->out, "unit %s%s%s", p->decls->units.data[buffer->unit].name, buffer->each != EACH_ELEMENT ? " " : "",
                each_names[buffer->each]);
        for (int i = 0; i < buffer->cut_count; i++)
            fprintf(p->out, "/%s", p->decls->axes.data[buffer->cut[i]].name);
    } else {
        print_dims(p, buffer->dims, buffer->dim_count);
    }
    if (buffer->slots != 1)
        fprintf(p->out, " slots %" PRId64, buffer->slots);
    if (buffer->tier != TIER_DEVICE)
        fprintf(p->out, " on %s", tier_names[buffer->tier]);
    fprintf(p->out, " %s%s", category_names[buffer->category], buffer->persistent ? " persistent" : "");
    if (buffer->state >= 0)
        fprintf(p->out, " state %s", p->decls->states.data[buffer->state].name);
    if (buffer->state >= 0 && buffer->layout == LAYOUT_DENSE && buffer->tensor >= 0)
        fprintf(p->out, " of %s", p->decls->tensors.data[buffer->tensor].name);
    if (buffer->has_layers) {
        fprintf(p->out, " layers ");
        affine_print(p->decls, &buffer->first_layer, p->out);
        fprintf(p->out, "..");
        affine_print(p->decls, &buffer->last_layer, p->out);
        if (buffer->layer_runs > 1)
            fprintf(p->out, " times %" PRId64 " every %" PRId64, buffer->layer_runs, buffer->layer_every);
    }
    if (buffer->held) {
        fprintf(p->out, " where ");
        affine_print(p->decls, &buffer->holder, p->out);
        fprintf(p->out, " in %" PRId64 "..%" PRId64, buffer->held_low, buffer->held_high);
    }
    if (buffer->offset >= 0)
        fprintf(p->out, " offset %" PRId64 " bytes %" PRId64, buffer->offset, buffer->bytes);
    end_line(p, buffer->span);
}

/* ---- Operators ---------------------------------------------------------------------------------------------- */

static bool is_zero(const Affine *affine)
{
    return affine->constant == 0 && affine_is_constant(affine);
}

static void print_ref(const Printer *p, const Ref *ref)
{
    const Buffer *buffer = &p->program->buffers.data[ref->buffer];
    fputs(buffer->name, p->out);
    if (buffer->slots != 1 || !is_zero(&ref->slot)) {
        fputc('[', p->out);
        affine_print(p->decls, &ref->slot, p->out);
        fputc(']', p->out);
    }
    if (ref->member >= 0)
        fprintf(p->out, ":%s", p->decls->tensors.data[ref->member].name);
}

static void print_seed(const Printer *p, const Seed *seed)
{
    fprintf(p->out, " seed %" PRId64, seed->base);
    for (int i = 0; i < p->decls->axes.count; i++)
        if (seed->per_axis[i] != 0)
            fprintf(p->out, " + %" PRId64 "*@%s", seed->per_axis[i], p->decls->axes.data[i].name);
}

static void print_index(const Printer *p, const Affine *index)
{
    fprintf(p->out, " index ");
    affine_print(p->decls, index, p->out);
}

static void print_scale(const Printer *p, const Scale *scale)
{
    fprintf(p->out, " scale %" PRId64 "/%" PRId64, scale->numerator, scale->denominator);
    if (scale->local_extents[0] != '\0')
        fprintf(p->out, " local \"%s\"", scale->local_extents);
}

/* The axes, and before or after them what only this kind has. */
static void print_extra(const Printer *p, const Op *op)
{
    static const char *const reduce_names[] = {[REDUCE_SUM] = "sum", [REDUCE_MAX] = "max"};
    OpExtra extra = op_extra(op->kind);
    if (extra == EXTRA_SCALE)
        print_scale(p, &op->scale);
    if (extra == EXTRA_REDUCE)
        fprintf(p->out, " %s", reduce_names[op->reduce]);
    print_axes(p, op->axes);
    if (op_index(op) != NULL && (extra != EXTRA_PIECE || op_in_pieces(op)))
        print_index(p, op_index(op));
    if (extra == EXTRA_PEER && op->peer.channel != 0)
        fprintf(p->out, " channel %d", op->peer.channel);
    if (extra == EXTRA_SEED)
        print_seed(p, &op->seed);
    if (extra == EXTRA_OUTPUT)
        fprintf(p->out, " name \"%s\"", op->output);
}

static void print_event(const Printer *p, const char *word, int event, const Affine *slot)
{
    fprintf(p->out, "%s %d", word, event);
    if (slot->modulus == 0)
        return;
    fputc('[', p->out);
    affine_print(p->decls, slot, p->out);
    fputc(']', p->out);
}

static void print_attributes(Printer *p, const Op *op)
{
    if (op->spec != NULL && op->spec[0] != '\0')
        fprintf(p->out, " \"%s\"", op->spec);
    if (op->tensor >= 0)
        fprintf(p->out, " tensor %s", p->decls->tensors.data[op->tensor].name);
    print_extra(p, op);
    if (op->communicator >= 0 && !p->program->communicators.data[op->communicator].implied)
        fprintf(p->out, " communicator %s", p->program->communicators.data[op->communicator].name);
    if (op->event >= 0)
        print_event(p, " event", op->event, &op->event_slot);
    if (op->stream != 0)
        fprintf(p->out, " stream %d", op->stream);
    if (op->origin >= 0)
        fprintf(p->out, " origin %d", op->origin);
    if (op->id != p->next_id)
        fprintf(p->out, " id %d", op->id);
    p->next_id = op->id + 1;
}

/* An operator that no model states: its comment quotes the statement that needs it. */
static bool is_conversion(const Op *op)
{
    return op_info[op->kind].op_class == CLASS_COMM || op->kind == OP_SLICE || op->kind == OP_PLACE_SHARD;
}

static void print_op(Printer *p, const Op *op)
{
    begin_line(p);
    if (op_has_result(op->kind)) {
        print_ref(p, &op->out);
        fputs(op->accumulate ? " += " : " = ", p->out);
    }
    fprintf(p->out, "%s(", op_info[op->kind].name);
    for (int i = 0; i < op->operand_count; i++) {
        fputs(i > 0 ? ", " : "", p->out);
        print_ref(p, &op->operand[i]);
    }
    for (int i = 0; i < op->immediate_count; i++) {
        fputs(i > 0 ? ", " : "; ", p->out);
        print_float(p, op->immediate[i]);
    }
    fputc(')', p->out);
    print_attributes(p, op);
    end_line_with(p, op->span, is_conversion(op) || is_sync(p, op->span));
}

/* ---- The tree ----------------------------------------------------------------------------------------------- */

static void print_nodes(Printer *p, const NodeList *nodes);

static void print_loop(Printer *p, const Node *node)
{
    fprintf(p->out, "loop l%d ", node->loop.id);
    if (node->loop.kind == LOOP_LAYERS)
        fprintf(p->out, "layers %s ", p->decls->groups.data[node->loop.group].name);
    else
        fputs(node->loop.kind == LOOP_MICRO ? "micro " : "steps ", p->out);
    affine_print(p->decls, &node->loop.first, p->out);
    fprintf(p->out, "..");
    affine_print(p->decls, &node->loop.last, p->out);
    fputs(node->loop.step < 0 ? " down {" : " {", p->out);
}

static void print_node(Printer *p, const Node *node)
{
    switch (node->kind) {
    case NODE_OP:
        print_op(p, node->op);
        return;
    case NODE_WAIT:
        begin_line(p);
        print_event(p, "wait", node->wait.event, &node->wait.slot);
        if (node->wait.stream != 0)
            fprintf(p->out, " stream %d", node->wait.stream);
        end_line_with(p, node->span, true);
        return;
    case NODE_LOOP:
        begin_line(p);
        print_loop(p, node);
        break;
    case NODE_GUARD:
        begin_line(p);
        fprintf(p->out, "guard ");
        affine_print(p->decls, &node->guard.value, p->out);
        fprintf(p->out, " in %" PRId64 "..%" PRId64 " {", node->guard.low, node->guard.high);
        break;
    }
    end_line(p, node->span);
    p->depth++;
    print_nodes(p, &node->body);
    close_brace(p);
}

static void print_nodes(Printer *p, const NodeList *nodes)
{
    for (int i = 0; i < nodes->count; i++)
        print_node(p, nodes->data[i]);
}

static void print_program(Printer *p, const Program *program, const char *keyword)
{
    p->program = program;
    p->next_id = 0;
    fprintf(p->out, "%s {\n", keyword);
    p->depth++;
    for (int i = 0; i < program->communicators.count; i++)
        print_communicator(p, &program->communicators.data[i]);
    for (int i = 0; i < program->buffers.count; i++)
        print_buffer(p, &program->buffers.data[i]);
    for (int i = 0; i < program->routines.count; i++) {
        begin_line(p);
        fprintf(p->out, "routine %s", routine_name(program->routines.data[i].kind));
        if (program->routines.data[i].every > 0)
            fprintf(p->out, " every %" PRId64, program->routines.data[i].every);
        fprintf(p->out, " {\n");
        p->depth++;
        print_nodes(p, &program->routines.data[i].body);
        close_brace(p);
    }
    close_brace(p);
}

void step_print(const StepFile *file, const Sources *sources, FILE *out)
{
    Printer printer = {.decls = file->decls, .sources = sources, .out = out};
    fprintf(out, "place-step 1\n");
    print_decls(&printer);
    fputc('\n', out);
    print_program(&printer, file->reference, "reference");
    print_program(&printer, file->program, "program");
}

/* rest.c - the dims that a strategy names, and the placements of values that nothing else places.
 *
 * Inputs and parameters have dims with names ("batch", "context"; "heads", "out": reference/model_call.c). Dims with
 * the same letter in one operator are the same dim, so names reach every value. `activations sharded over t by context`
 * then places a value with such a dim, if its operator leaves it whole or a partial sum; values that are named
 * (`activations of *.scores ...`) always have the placement.
 */
#include "base/change.h"
#include "derive/facts.h"

#include <string.h>

typedef struct Rest {
    const Facts *f;
    RoutineFacts *routine;
    int *parent;        /* of dim i of buffer b: b * STEP_MAX_DIMS + i; dims of one root are the same */
    const char **first; /* a name of the dim itself */
} Rest;

/* ---- Which dims are the same -------------------------------------------------------------------------------- */

static int root_of(const Rest *r, int dim)
{
    while (r->parent[dim] != dim)
        dim = r->parent[dim] = r->parent[r->parent[dim]];
    return dim;
}

static void join_op(Rest *r, const Op *op)
{
    int seen[256];
    memset(seen, -1, sizeof(seen));
    for (int i = op_has_result(op->kind) ? -1 : 0; i < op->operand_count; i++) {
        const char *letters;
        int count = derive_spec_letters(r->f, op, i, &letters);
        int buffer = i < 0 ? op->out.buffer : op->operand[i].buffer;
        for (int dim = 0; dim < count; dim++) {
            int here = root_of(r, buffer * STEP_MAX_DIMS + dim), *there = &seen[(unsigned char)letters[dim]];
            if (*there >= 0)
                r->parent[here] = root_of(r, *there);
            *there = root_of(r, here);
        }
    }
    int dim;
    if (derive_view_outer(r->f, op, &dim))
        r->parent[root_of(r, op->out.buffer * STEP_MAX_DIMS + dim)] =
            root_of(r, op->operand[0].buffer * STEP_MAX_DIMS + dim);
}

static void name_buffer(Rest *r, int buffer, int tensor)
{
    const Tensor *t = &r->f->decls->tensors.data[tensor];
    for (int i = 0; i < t->dim_count; i++)
        r->first[buffer * STEP_MAX_DIMS + i] = t->dim_names[i];
}

static void walk(Rest *r, const NodeList *body)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        walk(r, &node->body);
        if (node->kind != NODE_OP)
            continue;
        join_op(r, node->op);
        if (node->op->kind == OP_READ) {
            r->routine->wish[node->op->out.buffer].reader = node->op;
            name_buffer(r, node->op->out.buffer, node->op->tensor);
        }
    }
}

static int buffer_at(const Op *op, int index)
{
    return index == WINDOW_RESULT ? op->out.buffer : op->operand[index].buffer;
}

/* Rows and columns of a window's result have the names of those of its input: one grid, at any resolution. This is for
 * values that are named. A rule for all values does not shard an image again that some window needed whole. */
static void join_window(Rest *r, const Op *op)
{
    WindowRoles roles = op_window_roles(op->kind);
    int input = buffer_at(op, roles.input), output = buffer_at(op, roles.output);
    for (int side = 1; side <= 2; side++) {
        int inner = r->f->reference->buffers.data[input].dim_count - side;
        int outer = r->f->reference->buffers.data[output].dim_count - side;
        r->parent[root_of(r, output * STEP_MAX_DIMS + outer)] = root_of(r, input * STEP_MAX_DIMS + inner);
    }
}

static void join_windows(Rest *r, const NodeList *body)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        join_windows(r, &node->body);
        if (node->kind == NODE_OP && op_info[node->op->kind].op_class == CLASS_WINDOW)
            join_window(r, node->op);
    }
}

/* ---- Rules -------------------------------------------------------------------------------------------------- */

const char *derive_name_in_step(const char *name)
{
    static const char *const prefixes[] = {"eval.", "predict.", "prefill."};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return name + strlen(prefixes[i]);
    return name;
}

/* The name of a value, which is the same in every routine; a cotangent has that of its forward value. */
static const char *value_name(const char *name)
{
    name = derive_name_in_step(name);
    return strncmp(name, "d_", 2) == 0 ? name + 2 : name;
}

static bool names_value(const ActivationCut *rule, const char *name)
{
    for (int i = 0; i < rule->label_count; i++)
        if (label_matches(rule->labels[i], value_name(name)))
            return true;
    return false;
}

/* The first of its labels that no value with `holds` set has; NULL none. */
static const char *label_without(const Facts *f, const ActivationCut *rule, const bool *holds)
{
    for (int label = 0; label < rule->label_count; label++) {
        bool found = false;
        for (int i = 0; i < f->reference->buffers.count && !found; i++)
            found = holds[i] && label_matches(rule->labels[label], value_name(f->reference->buffers.data[i].name));
        if (!found)
            return rule->labels[label];
    }
    return NULL;
}

/* Shards the value by a rule, if it has the dim; false if not. */
static bool apply(Rest *r, const ActivationCut *rule, int buffer, const bool *called)
{
    const Buffer *b = &r->f->reference->buffers.data[buffer];
    Wish *wish = &r->routine->wish[buffer];
    for (int dim = 0; dim < b->dim_count; dim++) {
        if (!called[root_of(r, buffer * STEP_MAX_DIMS + dim)])
            continue;
        if (r->f->decls->axes.data[rule->axis].size == 1)
            return true;
        facts_place(r->f, buffer, &wish->rest, rule->axis, dim);
        wish->span = rule->span;
        wish->travels |= rule->travels ? 1u << rule->axis : 0;
        if (rule->label_count > 0)
            wish->named.axis[wish->named.count++] = (int8_t)rule->axis;
        return true;
    }
    return false;
}

/* The roots of dims with this name. */
static const bool *roots_called(Rest *r, const char *name)
{
    int count = r->f->reference->buffers.count * STEP_MAX_DIMS;
    bool *called = arena_array(r->f->ctx->arena, bool, count + 1);
    for (int i = 0; i < count; i++)
        if (r->first[i] != NULL && strcmp(r->first[i], name) == 0)
            called[root_of(r, i)] = true;
    return called;
}

const bool *derive_dims_called(const Facts *f, const DimNames *dims, const char *name)
{
    int count = f->reference->buffers.count * STEP_MAX_DIMS;
    bool *roots = arena_array(f->ctx->arena, bool, count + 1), *called = arena_array(f->ctx->arena, bool, count + 1);
    for (int i = 0; i < count; i++)
        roots[dims->root[i]] |= dims->first[i] != NULL && strcmp(dims->first[i], name) == 0;
    for (int i = 0; i < count; i++)
        called[i] = roots[dims->root[i]];
    return called;
}

static bool has_dim(Rest *r, int buffer, const bool *called)
{
    for (int dim = 0; dim < r->f->reference->buffers.data[buffer].dim_count; dim++)
        if (called[root_of(r, buffer * STEP_MAX_DIMS + dim)])
            return true;
    return false;
}

/* Was any value placed? *missing is the first label that no value has, or NULL. */
static bool apply_rule(Rest *r, const ActivationCut *rule, const char **missing)
{
    const Facts *f = r->f;
    int count = f->reference->buffers.count;
    bool *placed = arena_array(f->ctx->arena, bool, count + 1), any = false;
    const bool *called = roots_called(r, rule->dim), *examples = roots_called(r, "batch");
    for (int i = 0; i < count; i++) {
        if (f->buffers[i].role != ROLE_PLAIN || (f->reference->buffers.data[i].persistent && !facts_is_cache(f, i)))
            continue;
        /* What is the same for all examples (positions, rotations) is sliced where it is read, without
         * communication. */
        if ((rule->label_count == 0 && has_dim(r, i, examples)) ||
            names_value(rule, f->reference->buffers.data[i].name))
            any |= placed[i] = apply(r, rule, i, called);
    }
    *missing = label_without(f, rule, placed);
    return any;
}

bool derive_can_be_written(const char *dim)
{
    return strspn(dim, "0123456789") == 0 && strpbrk(dim, " */+-") == NULL;
}

/* The names of dims of values in this program, each once. */
static NameVec dims_of_values(const Rest *r)
{
    NameVec names = {0};
    for (int i = 0; i < r->f->reference->buffers.count * STEP_MAX_DIMS; i++) {
        bool listed = r->first[i] == NULL || !derive_can_be_written(r->first[i]);
        for (int earlier = 0; earlier < names.count && !listed; earlier++)
            listed = strcmp(names.data[earlier], r->first[i]) == 0;
        if (!listed)
            vec_push(r->f->ctx->arena, &names, r->first[i]);
    }
    return names;
}

static void report_unused(Rest *r, const ActivationCut *rule, const char *label)
{
    Diagnostic *report =
        label != NULL ? diag_report(r->routine->unused, P0201, rule->span, "no activation of '%s' has a dim '%s'",
                                    label, rule->dim)
                      : diag_report(r->routine->unused, P0201, rule->span, "no activation has a dim '%s'", rule->dim);
    NameVec names = dims_of_values(r);
    Text list = {.arena = r->f->ctx->arena};
    for (int i = 0; i < names.count; i++)
        text_add(&list, "%s'%s'", i > 0 ? ", " : "", names.data[i]);
    diag_help_unknown(report, rule->dim, names.data, names.count);
    diag_help(report, "Dims are called as the model's inputs and parameters call them, here %s; a number is no name.",
              list.data);
    r->routine->failed = true;
}

/* Reports named values over an axis that shards the batch, which they have: one axis shards a value once. */
static void check_named(Rest *r, const ActivationCut *rule)
{
    const Facts *f = r->f;
    const char *axis = f->decls->axes.data[rule->axis].name;
    for (int i = 0; i < f->reference->buffers.count && axes_contain(f->batch, rule->axis); i++) {
        const RefBuffer *info = &f->buffers[i];
        const char *name = f->reference->buffers.data[i].name;
        if (info->batch_dims == 0 || !axes_contain(r->routine->wish[i].named, rule->axis) || !names_value(rule, name))
            continue;
        Diagnostic *report = diag_report(r->routine->unused, P0209, rule->span, "'%s' is sharded twice over '%s'",
                                         value_name(name), axis);
        diag_label(report, f->assignment->batch_span, "cuts the batch over '%s'", axis);
        diag_help(report, "Cut '%s' over another axis, or leave the statement out.", value_name(name));
        r->routine->failed = true;
        return;
    }
}

/* Finds the dims that syncs shard. */
static void find_sync_dims(Rest *r)
{
    const Facts *f = r->f;
    for (int i = 0; i < f->reference->buffers.count; i++)
        for (int s = 0; s < f->buffers[i].syncs.count; s++) {
            const ValueSync *synced = &f->buffers[i].syncs.data[s];
            const char *dim = synced->sync->dim;
            const bool *called = dim != NULL ? roots_called(r, dim) : NULL;
            for (int n = f->reference->buffers.data[i].dim_count - 1; called != NULL && n >= 0; n--)
                if (called[root_of(r, i * STEP_MAX_DIMS + n)])
                    r->routine->sync_dim[synced->number] = n;
        }
}

static void rest_batch(const Facts *f, RoutineFacts *routine)
{
    for (int i = 0; i < f->reference->buffers.count; i++)
        for (int dim = STEP_MAX_DIMS - 1; dim >= 0; dim--)
            for (int a = 0; f->buffers[i].batch_dims >> dim & 1 && a < f->batch.count; a++)
                facts_place(f, i, &routine->wish[i].rest, f->batch.axis[a], dim);
}

bool derive_check_travelled(const Facts *f, const unsigned *travelled)
{
    int count = f->reference->buffers.count;
    bool *around = arena_array(f->ctx->arena, bool, count + 1);
    for (int r = 0; r < f->assignment->activations.count; r++) {
        const ActivationCut *rule = &f->assignment->activations.data[r];
        for (int i = 0; i < count; i++)
            around[i] = travelled[i] >> rule->axis & 1;
        const char *axis = f->decls->axes.data[rule->axis].name, *idle = label_without(f, rule, around);
        if (!rule->travels || rule->optional || idle == NULL || f->decls->axes.data[rule->axis].size == 1)
            continue;
        Diagnostic *report = diag_report(f->ctx->diag, P0210, rule->span, "'%s' never travels around '%s'", idle, axis);
        diag_why(report,
                 "No product needs all of it where a rank has only its piece, or other statements have it gathered.");
        diag_help(report, "Leave '%s' out of what travels; `activations sharded over %s by %s` cuts it.", idle, axis,
                  rule->dim);
        return false;
    }
    return true;
}

/* Reports rules that place no value of the step, or place it twice. */
static void check_rule(Rest *r, const ActivationCut *rule, bool any, const char *missing)
{
    if (r->routine->routine->kind != ROUTINE_STEP)
        return;
    if ((!any || missing != NULL) && !rule->optional)
        report_unused(r, rule, missing);
    else if (rule->label_count > 0)
        check_named(r, rule);
}

static void apply_rules(Rest *r, bool named)
{
    for (int i = 0; i < r->f->assignment->activations.count; i++) {
        const ActivationCut *rule = &r->f->assignment->activations.data[i];
        if ((rule->label_count > 0) != named)
            continue;
        const char *missing;
        bool any = apply_rule(r, rule, &missing);
        check_rule(r, rule, any, missing);
    }
}

void derive_rest(const Facts *f, RoutineFacts *routine)
{
    int count = f->reference->buffers.count * STEP_MAX_DIMS;
    Rest r = {.f = f, .routine = routine};
    r.parent = arena_array(f->ctx->arena, int, count + 1);
    r.first = arena_array(f->ctx->arena, const char *, count + 1);
    for (int i = 0; i < count; i++)
        r.parent[i] = i;
    walk(&r, &routine->routine->body);
    for (int i = 0; i < f->reference->buffers.count; i++) {
        routine->wish[i].rest = facts_whole(f, i);
        if (facts_is_of_parameter(f, i))
            name_buffer(&r, i, f->reference->buffers.data[i].tensor);
        else if (facts_is_cache(f, i))
            name_buffer(&r, i, f->reference->buffers.data[i].tensor);
    }
    apply_rules(&r, false);
    join_windows(&r, &routine->routine->body);
    apply_rules(&r, true);
    find_sync_dims(&r);
    if (routine->cut)
        rest_batch(f, routine);
    for (int i = 0; i < count; i++)
        r.parent[i] = root_of(&r, i);
    routine->dims = (DimNames){r.parent, r.first};
}

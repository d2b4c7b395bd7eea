/* fix.c - derives the repairs of a cause (verify/fix.h).
 *
 * The diagnosis knows the statement at fault and what its value lacks, but not the program's text. So it describes the
 * repair as data; whoever has the text turns that into a change and proves the result.
 */
#include "verify/fix.h"

#include "verify/copies.h"

#include <string.h>

/* ---- Without the weights by each rank's own count ----------------------------------------------------------- */

static bool same_line(const Op *a, const Op *b)
{
    return a->kind == b->kind && a->span.source == b->span.source && a->span.start == b->span.start;
}

/* Copies the nodes, with 1 for the weight and for every other weight from its line. */
static void copy_unweighed(Arena *arena, NodeList *list, const NodeList *from, const Op *weight)
{
    for (int i = 0; i < from->count; i++) {
        Node *copy = arena_make(arena, Node);
        *copy = *from->data[i];
        if (copy->kind == NODE_OP && same_line(copy->op, weight)) {
            copy->op = arena_make(arena, Op);
            *copy->op = *from->data[i]->op;
            copy->op->scale = (Scale){1, 1, ""};
        }
        copy->body = (NodeList){0};
        copy_unweighed(arena, &copy->body, &from->data[i]->body, weight);
        vec_push(arena, list, copy);
    }
}

/* Is the routine right without the weight? */
static bool right_unweighed(Arena *arena, const StepFile *file, const Routine *routine, const Op *weight)
{
    Ctx ctx = {.arena = arena, .strings = str_table_new(arena), .sources = sources_new(arena)};
    ctx.diag = diag_new(arena, ctx.sources);
    Routine changed = {.kind = routine->kind};
    copy_unweighed(arena, &changed.body, &routine->body, weight);
    Program program = *file->program;
    program.routines.count = 1;
    program.routines.data = &changed;
    Table *table = table_new(arena, ctx.strings, file->decls);
    Machine *expected = machine_new(&ctx, table, file->reference, true);
    Machine *found = machine_new(&ctx, table, &program, false);
    Faults faults = {0};
    copies_check(&ctx, &program);
    demand_routine(expected, found, program_routine(file->reference, routine->kind), &changed, &faults);
    return diag_error_count(ctx.diag) == 0 && faults.list.count == 0;
}

static const Op *find_local_weight(const NodeList *nodes)
{
    const Op *found = NULL;
    for (int i = 0; i < nodes->count && found == NULL; i++) {
        const Node *node = nodes->data[i];
        if (node->kind != NODE_OP)
            found = find_local_weight(&node->body);
        else if (node->op->kind == OP_SCALE && node->op->scale.local_extents[0] != 0)
            found = node->op;
    }
    return found;
}

const Op *fix_local_weight(const Routine *routine)
{
    return find_local_weight(&routine->body);
}

const Op *fix_find_counts(const StepFile *file, const Routine *routine)
{
    const Op *weight = find_local_weight(&routine->body);
    if (weight == NULL || !span_known(weight->span))
        return NULL;
    Arena *arena = arena_new();
    bool right = right_unweighed(arena, file, routine, weight);
    arena_free(arena);
    return right ? weight : NULL;
}

/* The weight that belongs to a reduction: that of a mean or of a statement. */
static const Op *scale_of(const Cause *cause)
{
    for (int i = 0; i < cause->chain.count; i++) {
        const Op *op = cause->chain.link[i].op;
        if (op->kind == OP_SCALE && cause->culprit != NULL && span_known(op->span) &&
            op->span.source == cause->culprit->span.source && op->span.start == cause->culprit->span.start)
            return op;
    }
    return NULL;
}

/* ---- What would repair it ----------------------------------------------------------------------------------- */

/* "data, node" */
static const char *axes_list(Arena *arena, const Decls *decls, AxisMask axes)
{
    Text text = {.arena = arena};
    text_add_bytes(&text, "", 0);
    for (int a = 0; a < decls->axes.count; a++)
        if (axes >> a & 1)
            text_add(&text, "%s%s", text.length > 0 ? ", " : "", decls->axes.data[a].name);
    return text.data;
}

/* The fraction with which the reduction at fault should enter the sum: its present weight divided by the excess. */
static Repair repair_of_weight(const Cause *cause)
{
    const Op *scale = scale_of(cause);
    Rational now =
        scale != NULL ? rational_make(scale->scale.numerator, scale->scale.denominator) : rational_make(1, 1);
    Rational wanted = rational_divide(now, cause->finding.ratio);
    return (Repair){.kind = REPAIR_WEIGH, .numerator = wanted.numerator, .denominator = wanted.denominator};
}

static Repair repair_of_loss(Arena *arena, const Decls *decls, const Cause *cause)
{
    if (cause->finding.kind == FINDING_PARTIAL)
        return (Repair){.kind = REPAIR_SUM, .target = "loss"};
    if (cause->derived_loss && cause->culprit != NULL)
        return (Repair){.kind = REPAIR_MEAN_OF_LOSSES, .axes = axes_list(arena, decls, reduced_axes(cause->culprit))};
    return repair_of_weight(cause);
}

/* The repair that the error code suggests; false if it suggests none. */
static bool repair_of_cause(Arena *arena, const Decls *decls, const Cause *cause, Repair *repair)
{
    const Finding *finding = &cause->finding;
    bool of_loss = cause->fault->kind == FAULT_OUTPUT;
    if (cause->counts != NULL) {
        *repair = (Repair){.kind = REPAIR_COUNTS};
        return true;
    }
    switch ((int)cause->code) {
    case P0301:
        *repair = (Repair){.kind = REPAIR_SUM, .target = "gradients"};
        return (finding->axes & ~TIME_MASK) != 0;
    case P0302:
    case P0310:
        *repair = (Repair){.kind = REPAIR_DROP};
        return cause->culprit != NULL;
    case P0303:
        *repair = repair_of_weight(cause);
        return cause->culprit != NULL && finding->ratio.numerator != 0;
    case P0304:
    case P0305:
        *repair = (Repair){.kind = REPAIR_LATER};
        return cause->culprit != NULL;
    case P0306:
        *repair = (Repair){.kind = REPAIR_GATHER, .target = "parameters"};
        return true;
    case P0308:
        *repair = (Repair){.kind = REPAIR_WHOLE};
        return true;
    case P0309:
        *repair = (Repair){.kind = REPAIR_SUM, .target = "norm"};
        return finding->kind == FINDING_PARTIAL;
    case P0311:
        *repair = (Repair){.kind = REPAIR_READ};
        return true;
    case P0312:
        *repair = (Repair){.kind = REPAIR_COUNTS};
        return true;
    case P0313:
        *repair = (Repair){.kind = REPAIR_SEED};
        return finding->axes != 0;
    case P0314:
        *repair = (Repair){.kind = REPAIR_AXES};
        return cause->culprit != NULL;
    case P0315:
        *repair = repair_of_loss(arena, decls, cause);
        return of_loss && (finding->kind == FINDING_PARTIAL || finding->kind == FINDING_WEIGHT);
    case P0316:
    case P0320:
    case P0360:
        *repair = (Repair){.kind = REPAIR_DERIVE};
        return true;
    default:
        return false;
    }
}

void fix_suggest(Ctx *ctx, const StepFile *file, const Cause *cause, Span primary, Diagnostic *diagnostic)
{
    const Decls *decls = file->program->decls;
    Repair repair;
    if (!repair_of_cause(ctx->arena, decls, cause, &repair))
        return;
    repair.span = cause->culprit != NULL ? cause->culprit->span : primary;
    if (repair.axes == NULL)
        repair.axes = axes_list(ctx->arena, decls, cause->finding.axes & ~TIME_MASK);
    diag_repair(diagnostic, repair);
    if (cause->code != P0308)
        return;
    repair.kind = REPAIR_SHARD_OPTIMIZER;
    diag_repair(diagnostic, repair);
}

/* diagnose.c - one error per cause: faults are grouped, then each group is reported by its row of causes.def
 * (verify/diagnose.h).
 */
#include "verify/cause.h"
#include "verify/example.h"
#include "verify/fix.h"
#include "verify/witness.h"

/* ---- Grouping ----------------------------------------------------------------------------------------------- */

/* Is the fault explained by an earlier gradient's: that of its state, of an update that reads what was updated with it,
 * or of the norm? */
static bool is_explained(const Diagnose *d, const Fault *fault)
{
    if (is_norm(fault) && d->explained.count > 0)
        return true;
    for (int i = 0; i < d->explained.count && (fault->kind == FAULT_STATE || fault->kind == FAULT_GRADIENT); i++) {
        const Fault *gradient = d->explained.data[i];
        if (gradient->tensor == fault->tensor && gradient->layer == fault->layer)
            return true;
    }
    return false;
}

static bool same_cause(const Cause *a, const Cause *b)
{
    if (a->finding.poison != NULL && a->finding.poison == b->finding.poison)
        return true;
    if (a->code != b->code || a->finding.axes != b->finding.axes)
        return false;
    switch (cause_row(a->code)->one) {
    case ONE_AXES:
        return true;
    case ONE_OPERATOR:
        if (a->finding.poison != NULL && b->finding.poison != NULL)
            return a->finding.poison->op == b->finding.poison->op;
        break;
    case ONE_REDUCTION:
        break;
    }
    return a->fault->kind == b->fault->kind && a->culprit == b->culprit &&
           rational_equal(a->finding.ratio, b->finding.ratio);
}

static void add_cause(Diagnose *d, const Faults *faults, const Fault *fault)
{
    if (fault->found != NULL && fault->found->poison != NULL && fault->found->poison->kind == POISON_SILENT)
        return;
    Cause cause = cause_of(d, faults, fault);
    for (int i = 0; i < d->causes.count; i++)
        if (same_cause(&d->causes.data[i], &cause)) {
            vec_push(d->program->table->scratch, &d->causes.data[i].faults, fault);
            d->causes.data[i].count +=
                fault->tensor != d->causes.data[i].fault->tensor || fault->layer != d->causes.data[i].fault->layer;
            return;
        }
    vec_push(d->program->table->scratch, &cause.faults, fault);
    vec_push(d->program->table->scratch, &d->causes, cause);
}

static bool has_tensor(const Cause *cause, const Fault *fault)
{
    for (int i = 0; i < cause->faults.count; i++)
        if (cause->faults.data[i]->tensor == fault->tensor)
            return true;
    return false;
}

/* Where updated shards are never gathered, only the last layer's are still held by other ranks: this decides what the
 * fault of the other layers is. A state that follows the parameter is wrong with it. */
static void join_copies(Diagnose *d)
{
    for (int i = 0; i < d->causes.count; i++) {
        Cause *cause = &d->causes.data[i];
        for (int j = 0; j < d->causes.count && cause->code == P0306; j++) {
            Cause *other = &d->causes.data[j];
            if (other->code != P0316 || other->fault->kind != FAULT_STATE || !has_tensor(cause, other->fault))
                continue;
            for (int k = 0; k < other->faults.count; k++)
                vec_push(d->program->table->scratch, &cause->faults, other->faults.data[k]);
            cause->count += other->fault->buffer == cause->fault->buffer ? other->count : 0;
            other->count = 0;
        }
    }
}

/* A wrongly weighted number that is an output, and the states computed from it, are one fault. */
static void join_numbers(Diagnose *d)
{
    for (int i = 0; i < d->causes.count; i++) {
        const Cause *cause = &d->causes.data[i];
        for (int j = 0; j < d->causes.count && cause->code == P0315 && cause->finding.kind == FINDING_WEIGHT; j++) {
            Cause *other = &d->causes.data[j];
            if (other->code == P0316 && other->fault->kind == FAULT_STATE && other->finding.kind == FINDING_WEIGHT &&
                other->finding.found == cause->finding.found &&
                rational_equal(other->finding.ratio, cause->finding.ratio))
                other->count = 0;
        }
    }
}

/* ---- Reporting ---------------------------------------------------------------------------------------------- */

/* The line that the code's row names, if the program has it. */
static Span row_span(const Diagnose *d, const Cause *cause)
{
    const Op *op = NULL;
    switch (cause_row(cause->code)->primary) {
    case PRIMARY_BATCH:
        op = find_op(&d->ops, OP_READ, -1);
        break;
    case PRIMARY_INITIAL:
        op = find_op(&d->ops, OP_INIT, cause->fault->tensor);
        break;
    case PRIMARY_REDUCTION:
        break;
    }
    return op != NULL ? op->span : (Span){0};
}

/* Where the user would edit: the reduction, the reader, the seed; otherwise what demanded the value. */
static Span primary_span(const Diagnose *d, const Cause *cause)
{
    const Op *counts = cause->derived_loss ? fix_local_weight(&d->ops) : cause->counts, *output = cause->fault->op;
    bool partial = cause->code == P0315 && cause->finding.kind == FINDING_PARTIAL && cause->fault->kind == FAULT_OUTPUT;
    Span spans[] = {row_span(d, cause), counts != NULL ? counts->span : (Span){0},
                    cause->culprit != NULL ? cause->culprit->span : (Span){0},
                    cause->norm != NULL ? operand_span(d, cause->norm, 0) : (Span){0},
                    partial ? operand_span(d, output, 0) : (Span){0}};
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++)
        if (span_known(spans[i]))
            return spans[i];
    if (cause->finding.poison != NULL && cause->finding.poison->op != NULL)
        return cause->finding.poison->op->span;
    if (output != NULL)
        return output->span;
    if (cause->fault->buffer >= 0)
        return d->program->program->buffers.data[cause->fault->buffer].span;
    return (Span){0};
}

/* For values without numbers: what the operator makes of example numbers, or the two formulas. */
static void add_example(const Diagnose *d, const Cause *cause, Diagnostic *r)
{
    Arena *arena = d->ctx->arena;
    const Decls *decls = d->program->decls;
    const Finding *finding = &cause->finding;
    if (cause->code == P0308) {
        diag_counter_example(r, "%s", example_of_shard(arena, axes_text(arena, decls, finding->axes)));
        return;
    }
    if (cause->code != P0320)
        return;
    const char *text = finding->poison != NULL ? example_of_poison(arena, decls, finding->poison) : NULL;
    if (text != NULL)
        diag_note(r, "%s", text);
    if (finding->poison == NULL && finding->found != NULL && finding->expected != NULL)
        diag_note(r, "Here it is computed from %s, where one device has %s.",
                  example_formula(arena, decls, finding->found), example_formula(arena, decls, finding->expected));
}

static void report(Diagnose *d, Cause *cause)
{
    cause->derived_loss = cause->counts == NULL && is_derived_loss(d, cause);
    Span primary = primary_span(d, cause);
    const CauseRow *row = cause_row(cause->code);
    Diagnostic *r = row->report(d, cause, primary);
    row->label(d, cause, r, primary);
    const char *example = witness_text(d->ctx->arena, d->file, d->program, d->routine, cause->fault, &cause->finding);
    if (example != NULL)
        diag_counter_example(r, "%s", example);
    else
        add_example(d, cause, r);
    const Finding *f = &cause->finding;
    if (f->part_end > 0)
        diag_note(r, "This is so in elements %lld to %lld of its dim %d, which has %lld.", (long long)f->part_first,
                  (long long)f->part_end - 1, f->part_dim, (long long)f->part_of);
    fix_suggest(d->ctx, d->file, cause, primary, r);
}

/* Was a cause that all routines share already reported for an earlier one? If not, marks it as reported. */
static bool was_reported(Reported *reported, const Cause *cause)
{
    if (!cause_row(cause->code)->once)
        return false;
    for (int i = 0; i < reported->count; i++)
        if (reported->cause[i].code == cause->code && reported->cause[i].axes == cause->finding.axes)
            return true;
    if (reported->count < (int)(sizeof reported->cause / sizeof *reported->cause)) {
        reported->cause[reported->count].code = cause->code;
        reported->cause[reported->count++].axes = cause->finding.axes;
    }
    return false;
}

/* If removing the weights by each rank's own count repairs everything, they are the single cause. */
static bool report_unweighed(Diagnose *d, Reported *reported)
{
    Cause *cause = &d->causes.data[0];
    bool of_weight =
        cause->code == P0303 || cause->code == P0312 || (cause->code == P0315 && cause->finding.kind == FINDING_WEIGHT);
    cause->counts = of_weight ? fix_find_counts(d->file, d->routine, &d->ops) : NULL;
    if (cause->counts == NULL)
        return false;
    if (!reported->counts)
        report(d, cause);
    reported->counts = true;
    return true;
}

void diagnose(Ctx *ctx, const StepFile *file, Machine *reference, Machine *program, const Faults *faults,
              Reported *reported)
{
    if (faults->list.count == 0)
        return;
    Diagnose d = {.ctx = ctx, .file = file, .reference = reference, .program = program};
    d.routine = program_routine(file->program, faults->list.data[0].routine);
    d.ops = ops_in_order(program->table->scratch, &d.routine->body);
    for (int i = 0; i < faults->list.count; i++) {
        const Fault *fault = &faults->list.data[i];
        if (is_explained(&d, fault))
            continue;
        add_cause(&d, faults, fault);
        if (fault->kind == FAULT_GRADIENT)
            vec_push(program->table->scratch, &d.explained, fault);
    }
    join_copies(&d);
    join_numbers(&d);
    if (d.causes.count > 0 && report_unweighed(&d, reported))
        return;
    for (int i = 0; i < d.causes.count; i++)
        if (d.causes.data[i].count > 0 && !was_reported(reported, &d.causes.data[i]))
            report(&d, &d.causes.data[i]);
}

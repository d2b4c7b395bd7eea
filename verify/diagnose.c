/* diagnose.c - one error per cause: codes, spans and words for what demand.c found (verify/diagnose.h).
 *
 * The finding says how a value differs. The chain of operators that leads to it says which line the user would edit,
 * and which of several faults with the same numbers it is.
 */
#include "verify/diagnose.h"

#include "verify/chain.h"
#include "verify/example.h"
#include "verify/finding.h"
#include "verify/fix.h"
#include "verify/witness.h"

#include <string.h>

typedef struct Diagnose {
    Ctx *ctx;
    const StepFile *file;
    Machine *reference, *program;
    const Routine *routine;
    Vec(Cause) causes;
    Vec(const Fault *) explained; /* gradient faults; they explain the faults of their states */
} Diagnose;

/* ---- Which code --------------------------------------------------------------------------------------------- */

static bool is_power_of_size(const Decls *decls, AxisMask axes, Rational ratio)
{
    for (int a = 0; a < decls->axes.count; a++) {
        if (!(axes >> a & 1))
            continue;
        Rational power = rational_make(decls->axes.data[a].size, 1);
        for (int i = 0; i < 8 && rational_fits(power); i++) {
            if (rational_equal(power, ratio))
                return true;
            power = rational_multiply(power, rational_make(decls->axes.data[a].size, 1));
        }
    }
    return false;
}

/* All mesh axes over which some reduction in the chain goes. */
static AxisMask chain_axes(const Chain *chain)
{
    AxisMask axes = 0;
    for (int i = 0; i < chain->count; i++)
        if (chain->link[i].op->kind == OP_ALL_REDUCE || chain->link[i].op->kind == OP_REDUCE_SCATTER)
            axes |= reduced_axes(chain->link[i].op);
    return axes;
}

static AxisMask large_axes(const Decls *decls, AxisMask axes)
{
    for (int a = 0; a < decls->axes.count; a++)
        if (decls->axes.data[a].size == 1)
            axes &= ~((AxisMask)1 << a);
    return axes;
}

/* The reduction that runs in every microbatch. */
static const Op *chain_in_micro(const Chain *chain, AxisMask axes)
{
    for (int i = 0; i < chain->count; i++) {
        const Op *op = chain->link[i].op;
        bool reduces = op->kind == OP_ALL_REDUCE || op->kind == OP_REDUCE_SCATTER;
        for (int a = 0; a < op->axes.count && reduces && chain->link[i].in_micro; a++)
            if (axes >> op->axes.axis[a] & 1)
                return op;
    }
    return NULL;
}

static DiagCode code_of_weight(Diagnose *d, Cause *cause)
{
    int count;
    bool in_micro;
    AxisMask axes = large_axes(d->program->decls, chain_axes(&cause->chain));
    cause->culprit = chain_reduction(&cause->chain, axes, &count, &in_micro);
    cause->finding.axes = axes;
    for (int a = 0; a < d->program->decls->axes.count; a++) {
        AxisMask bit = (AxisMask)1 << a;
        if (!(axes & bit))
            continue;
        const Op *last = chain_reduction(&cause->chain, bit, &count, &in_micro);
        if (count > 1 && is_power_of_size(d->program->decls, bit, cause->finding.ratio)) {
            cause->culprit = last;
            cause->finding.axes = bit;
            return P0302;
        }
    }
    return P0303;
}

static DiagCode code_of_partial(Diagnose *d, Cause *cause)
{
    int count;
    bool in_micro;
    AxisMask others = large_axes(d->program->decls, chain_axes(&cause->chain)) & ~cause->finding.axes;
    const Op *other = others != 0 ? chain_reduction(&cause->chain, others, &count, &in_micro) : NULL;
    if (other != NULL && is_power_of_size(d->program->decls, others, cause->finding.ratio)) {
        cause->culprit = other;
        return P0314;
    }
    return P0301;
}

/* Does another buffer hold, at the routine's end, what this one should? */
static bool is_held_elsewhere(const Diagnose *d, const Combo *expected)
{
    for (int p = 0; p < d->program->class_count; p++)
        for (int i = 0; i < d->program->cell_count; i++) {
            Cell cell = d->program->classes[p].cell[i];
            if (cell.combo != NULL && combo_equal(cell_contents(d->program, cell), expected))
                return true;
        }
    return false;
}

/* Does `first` come before `second` in the routine's text? */
static bool comes_before(const NodeList *nodes, const Op *first, const Op *second, bool *decided)
{
    bool before = false;
    for (int i = 0; i < nodes->count && !*decided; i++) {
        const Node *node = nodes->data[i];
        if (node->kind != NODE_OP) {
            before = comes_before(&node->body, first, second, decided);
        } else if (node->op == first || node->op == second) {
            *decided = true;
            before = node->op == first;
        }
    }
    return before;
}

/* The gradient is squared before it is reduced: then the norm is wrong. */
static bool is_squared_early(const Diagnose *d, const Cause *cause)
{
    int count;
    bool in_micro, decided = false;
    const Op *reduction = chain_reduction(&cause->chain, cause->finding.axes, &count, &in_micro);
    return cause->finding.squared != NULL && reduction != NULL &&
           comes_before(&d->routine->body, cause->finding.squared, reduction, &decided);
}

/* The code for a gradient with this finding; the caller replaces it for other kinds of value. */
static DiagCode code_of_finding(Diagnose *d, Cause *cause)
{
    Finding *finding = &cause->finding;
    int count;
    bool in_micro;
    if (is_squared_early(d, cause)) {
        finding->in_norm = true;
        finding->kind = FINDING_PARTIAL;
    }
    switch (finding->kind) {
    case FINDING_PARTIAL:
        return finding->in_norm ? P0309 : code_of_partial(d, cause);
    case FINDING_LATE:
        cause->culprit = chain_reduction(&cause->chain, finding->axes, &count, &in_micro);
        return finding->in_norm ? P0309 : P0304;
    case FINDING_TIME:
        finding->axes = large_axes(d->program->decls, chain_axes(&cause->chain));
        cause->culprit = chain_reduction(&cause->chain, finding->axes, &count, &in_micro);
        if (finding->covered && !in_micro)
            finding->axes = TIME_MASK;
        if (in_micro && finding->covered)
            cause->culprit = chain_in_micro(&cause->chain, finding->axes);
        return finding->in_norm ? P0309 : finding->covered ? in_micro ? P0305 : P0312 : in_micro ? P0304 : P0301;
    case FINDING_WEIGHT:
        return finding->in_norm ? P0310 : code_of_weight(d, cause);
    case FINDING_COUNTS:
        cause->culprit = chain_reduction(&cause->chain, finding->axes, &count, &in_micro);
        return P0312;
    case FINDING_REPEATED:
        return P0311;
    case FINDING_SEED:
        return P0313;
    case FINDING_JOINED:
        cause->culprit = chain_reduction(&cause->chain, finding->axes, &count, &in_micro);
        return P0360;
    case FINDING_APART:
        return P0361;
    case FINDING_STALE:
        return is_held_elsewhere(d, cause->fault->expected) ? P0306 : P0316;
    case FINDING_PLACE:
        return P0306;
    case FINDING_GUARDED:
    case FINDING_OTHER:
        return finding->in_norm ? P0309 : cause->fault->kind == FAULT_GRADIENT ? P0320 : P0316;
    case FINDING_POISON:
        /* A reduced piece was put back among parts that are not reduced. */
        if (cause->fault->kind == FAULT_GRADIENT && finding->poison->kind == POISON_PARTIAL_CUT &&
            finding->poison->op->kind == OP_PLACE_SHARD)
            return P0308;
        cause->culprit = chain_reduction(&cause->chain, ~TIME_MASK, &count, &in_micro);
        return P0320;
    }
    BUG("finding %d", finding->kind);
}

static bool code_is_of_gradients(DiagCode code)
{
    return code == P0301 || code == P0302 || code == P0303 || code == P0304 || code == P0305 || code == P0314 ||
           code == P0316 || code == P0306;
}

/* The first operator of a kind (tensor -1: any tensor): where the batch is read, where a tensor gets its initial
 * values. */
static const Op *find_op(const NodeList *nodes, OpKind kind, int tensor)
{
    for (int i = 0; i < nodes->count; i++) {
        const Node *node = nodes->data[i];
        const Op *op = NULL;
        if (node->kind != NODE_OP)
            op = find_op(&node->body, kind, tensor);
        else if (node->op->kind == kind && (tensor < 0 || node->op->tensor < 0 || node->op->tensor == tensor))
            op = node->op;
        if (op != NULL)
            return op;
    }
    return NULL;
}

/* The operator that puts an updated shard into the buffer. */
static const Op *find_placing(const NodeList *nodes, int buffer)
{
    for (int i = 0; i < nodes->count; i++) {
        const Node *node = nodes->data[i];
        const Op *op = node->kind != NODE_OP ? find_placing(&node->body, buffer) : NULL;
        if (node->kind == NODE_OP && node->op->kind == OP_PLACE_SHARD && node->op->out.buffer == buffer)
            op = node->op;
        if (op != NULL)
            return op;
    }
    return NULL;
}

/* A fault of the norm is one of the sum of squares: its own reduction is at fault, not the gradient's. */
static void set_norm(Diagnose *d, Cause *cause)
{
    int count;
    bool in_micro;
    cause->norm = find_op(&d->routine->body, OP_CLIP_FACTOR, -1);
    if (cause->norm == NULL)
        cause->norm = find_op(&d->routine->body, OP_SQRT, -1);
    if (cause->norm == NULL)
        return;
    Chain chain = chain_of(d->file->program, d->routine, cause->norm, 0, (ChainPart){0});
    cause->culprit = chain_reduction(&chain, chain_axes(&chain), &count, &in_micro);
    if (cause->code == P0310)
        cause->finding.axes = large_axes(d->program->decls, chain_axes(&chain));
}

static bool is_norm(const Fault *fault)
{
    const char *output = fault->op != NULL ? op_output(fault->op) : NULL;
    return output != NULL && strcmp(output, "gradient_norm") == 0;
}

/* Axes over which the pieces are summed after slicing are not where a reduction is missing. */
static void leave_summed_later(const Chain *chain, Finding *finding)
{
    AxisMask later = 0;
    for (int i = 0; i < chain->count && chain->link[i].op->kind != OP_SLICE; i++)
        if (chain->link[i].op->kind == OP_ALL_REDUCE || chain->link[i].op->kind == OP_REDUCE_SCATTER)
            later |= reduced_axes(chain->link[i].op);
    if ((finding->axes & MESH_MASK & ~later) != 0)
        finding->axes &= ~later;
}

/* ---- Numbers that a state is computed from ------------------------------------------------------------------ */

/* Marks the buffers from which the marked ones are computed; true if there was a new one. */
static bool mark_sources(const NodeList *nodes, bool *marked)
{
    bool more = false;
    for (int i = 0; i < nodes->count; i++) {
        const Op *op = node_op(nodes->data[i]);
        more |= mark_sources(&nodes->data[i]->body, marked);
        if (nodes->data[i]->kind != NODE_OP || !op_has_result(op->kind) || !marked[op->out.buffer])
            continue;
        for (int j = 0; j < op->operand_count; j++) {
            more |= !marked[op->operand[j].buffer];
            marked[op->operand[j].buffer] = true;
        }
    }
    return more;
}

/* Finds sums of a single number, into a marked buffer, that count it `ratio` times: returns how many, and sets one. */
static int find_number_sums(const Diagnose *d, const NodeList *nodes, const bool *marked, Rational ratio,
                            const Op **sum)
{
    int count = 0;
    for (int i = 0; i < nodes->count; i++) {
        const Op *op = node_op(nodes->data[i]);
        count += find_number_sums(d, &nodes->data[i]->body, marked, ratio, sum);
        if (nodes->data[i]->kind != NODE_OP || op->kind != OP_ALL_REDUCE || op->reduce != REDUCE_SUM ||
            !marked[op->out.buffer])
            continue;
        const Buffer *buffer = &d->program->program->buffers.data[op->out.buffer];
        if (buffer->layout != LAYOUT_DENSE || buffer->dim_count > 0 ||
            !is_power_of_size(d->program->decls, reduced_axes(op), ratio))
            continue;
        *sum = op;
        count++;
    }
    return count;
}

/* The sum that weights a number from which the state is computed, if only one operator qualifies. */
static const Op *weighing_sum(const Diagnose *d, const Cause *cause)
{
    const Program *program = d->program->program;
    if (cause->fault->buffer < 0 || cause->finding.kind != FINDING_WEIGHT)
        return NULL;
    bool *marked = arena_array(d->ctx->arena, bool, program->buffers.count + 1);
    marked[cause->fault->buffer] = true;
    while (mark_sources(&d->routine->body, marked))
        ;
    const Op *sum = NULL;
    return find_number_sums(d, &d->routine->body, marked, cause->finding.ratio, &sum) == 1 ? sum : NULL;
}

static Cause cause_of(Diagnose *d, const Faults *faults, const Fault *fault)
{
    Cause cause = {.fault = fault, .count = 1};
    int gradient = 0, state;
    if (fault->kind == FAULT_MISSING) {
        cause.code = fault->state >= 0 ? P0316 : P0315;
        cause.finding.kind = FINDING_OTHER;
        return cause;
    }
    if (fault->kind == FAULT_GRADIENT)
        op_is_update(fault->op->kind, &gradient, &state);
    cause.finding = finding_of(d->program->table, faults, fault, is_norm(fault));
    ChainPart part = {fault->tensor, cause.finding.part_first, cause.finding.part_end};
    if (fault->op != NULL)
        cause.chain = chain_of(d->file->program, d->routine, fault->op, gradient, part);
    if (cause.finding.sliced)
        leave_summed_later(&cause.chain, &cause.finding);
    cause.code = code_of_finding(d, &cause);
    if (fault->found->poison != NULL && fault->found->poison->kind == POISON_UNWRITTEN)
        cause.code = P0316;
    if (fault->kind == FAULT_OUTPUT && code_is_of_gradients(cause.code))
        cause.code = P0315;
    bool parameters = fault->state >= 0 && d->program->decls->states.data[fault->state].kind == STATE_PARAMETERS;
    if (fault->kind == FAULT_STATE && code_is_of_gradients(cause.code) && (cause.code != P0306 || !parameters))
        cause.code = P0316;
    if (fault->kind == FAULT_GRADIENT && cause.code == P0306)
        cause.code = P0316;
    if (cause.code == P0309 || cause.code == P0310)
        set_norm(d, &cause);
    if (cause.code == P0306)
        cause.culprit = find_placing(&d->routine->body, fault->buffer);
    if (cause.code == P0316 && fault->kind == FAULT_STATE)
        cause.culprit = weighing_sum(d, &cause);
    return cause;
}

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
    if (a->code == P0309 || a->code == P0310 || a->code == P0311 || a->code == P0312 || a->code == P0313)
        return true;
    if (a->code == P0320 && a->finding.poison != NULL && b->finding.poison != NULL)
        return a->finding.poison->op == b->finding.poison->op;
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

/* ---- Words -------------------------------------------------------------------------------------------------- */

static const char *tensor_name(const Diagnose *d, const Fault *fault)
{
    if (fault->tensor < 0)
        return fault->state >= 0 ? d->program->decls->states.data[fault->state].name : "";
    const Tensor *tensor = &d->program->decls->tensors.data[fault->tensor];
    if (tensor->group < 0)
        return tensor->name;
    return arena_printf(d->ctx->arena, "%s (layer %lld)", tensor->name, (long long)fault->layer);
}

static const char *others(const Diagnose *d, const Cause *cause)
{
    return cause->count > 1 ? arena_printf(d->ctx->arena, " and of %d more", cause->count - 1) : "";
}

static const char *number_text(const Diagnose *d, Rational number)
{
    if (number.denominator == 1)
        return arena_printf(d->ctx->arena, "%lld", (long long)number.numerator);
    return arena_printf(d->ctx->arena, "%lld/%lld", (long long)number.numerator, (long long)number.denominator);
}

static const char *ratio_text(const Diagnose *d, Rational ratio)
{
    if (ratio.denominator == 1)
        return arena_printf(d->ctx->arena, "%lld times", (long long)ratio.numerator);
    return arena_printf(d->ctx->arena, "%lld/%lld of", (long long)ratio.numerator, (long long)ratio.denominator);
}

static bool span_equal(Span a, Span b)
{
    return a.source == b.source && a.start == b.start && a.end == b.end;
}

static void label_once(Diagnostic *diagnostic, Span primary, Span span, const char *text)
{
    if (span_known(span) && !span_equal(primary, span))
        diag_label(diagnostic, span, "%s", text);
}

/* The text of POISON_*: what the operator cannot do, and the rule that forbids it. */
static const char *poison_text(PoisonKind kind)
{
    static const char *const text[] = {
        [POISON_SILENT] = "",
        [POISON_UNWRITTEN] = "Some ranks never wrote it.",
        [POISON_PARTIAL_OPERAND] = "It needs the sum, and every rank has only a part of it.",
        [POISON_PARTIAL_PRODUCT] =
            "A product of two sums is not the sum of the products of their parts (rule 'products "
            "of parts').",
        [POISON_PARTIAL_CUT] = "Each rank would take a piece of its own part of a sum (rule 'pieces of parts').",
        [POISON_CUT_REDUCED] = "It adds pieces that lie at different places.",
        [POISON_VARYING] =
            "Ranks hold different values, or values of different weight, here (rule 'values of the rank').",
        [POISON_ZERO_EXTENT] = "Some rank has no element to divide by.",
        [POISON_PADDING] = "The padding after the unit's end is not known to be zero, and it is summed too.",
        [POISON_TIME] = "It mixes pieces of different microbatches (rule 'one microbatch').",
        [POISON_OVERFLOW] = "A weight does not fit 64 bits (rule 'size of weights').",
        [POISON_MOVED] =
            "It takes another rank's part of a sum, or piece of a value, for its own (rule 'rotated pieces').",
        [POISON_MAXIMUM] = "A maximum over ranks is not followed (rule 'maxima').",
    };
    return text[kind];
}

/* The axes whose coordinates select the part of the batch that ranks read. */
static AxisMask read_axes(const Diagnose *d)
{
    const Op *read = find_op(&d->routine->body, OP_READ, -1);
    AxisMask axes = 0;
    for (int i = 0; read != NULL && i < read->axes.count; i++)
        axes |= (AxisMask)1 << read->axes.axis[i];
    return axes;
}

static Diagnostic *report_gradient(Diagnose *d, const Cause *cause, Span primary)
{
    Diag *diag = d->ctx->diag;
    const Decls *decls = d->program->decls;
    const Finding *finding = &cause->finding;
    const char *name = tensor_name(d, cause->fault), *more = others(d, cause);
    const char *over = axes_text(d->ctx->arena, decls, finding->axes);
    const char *ratio = ratio_text(d, finding->ratio);
    Diagnostic *r = NULL;
    switch ((int)cause->code) {
    case P0301:
        if (finding->kind == FINDING_TIME) {
            r = diag_report(diag, P0301, primary, "gradient of '%s'%s lacks some microbatches", name, more);
            diag_why(r, "Only microbatches %d to %d of %lld are in it when the optimizer reads it.",
                     finding->low.constant, finding->high.constant - 1, (long long)decls->micro);
            break;
        }
        r = diag_report(diag, P0301, primary, "gradient of '%s'%s is incomplete on axis '%s'", name, more, over);
        diag_primary_label(r, "partial over '%s': contributions not yet summed", over);
        diag_why(r,
                 "Copies stay equal only if every rank applies the same update. Here each rank applies the gradient of "
                 "its own %s, and the sum over '%s' is never taken.",
                 cause->fault->apart != 0 ? "part of the model" : "examples", over);
        break;
    case P0302:
        r = diag_report(diag, P0302, primary, "gradient of '%s'%s is reduced twice over axis '%s'", name, more, over);
        diag_primary_label(r, "the sum was taken before");
        diag_why(
            r,
            "After the first sum every rank has the whole gradient; the second adds the copies: %s the gradient of "
            "one device.",
            ratio);
        break;
    case P0303:
        r = diag_report(diag, P0303, primary,
                        "gradient of '%s'%s is scaled wrongly: it is %s the single-device gradient", name, more, ratio);
        if ((read_axes(d) & finding->axes) == 0 && finding->axes != 0 && finding->ratio.denominator == 1) {
            diag_why(r, "Ranks along '%s' do not read parts of the batch but the same: their sum counts copies.", over);
            break;
        }
        diag_why(r,
                 "The contributions are all there, but their sum is multiplied by %s. A loss that is divided by the "
                 "count of "
                 "the whole batch needs a sum over ranks; one divided by each rank's own count needs a mean.",
                 number_text(d, finding->ratio));
        break;
    case P0304:
        r = diag_report(diag, P0304, primary,
                        "gradient of '%s'%s: a contribution is added after the reduction over '%s'", name, more, over);
        diag_why(r, "What is added from microbatch %d on stays on the rank that computed it.",
                 finding->kind == FINDING_TIME ? finding->high.constant : finding->low.constant);
        break;
    case P0305:
        r = diag_report(diag, P0305, primary,
                        "gradient of '%s'%s: the accumulator is reduced again after every microbatch", name, more);
        diag_why(
            r,
            "After the first microbatch the accumulator holds a sum over '%s'; every further sum adds the copies of "
            "what was summed before.",
            axes_text(d->ctx->arena, decls, large_axes(decls, reduced_axes(cause->culprit))));
        break;
    case P0308:
        r = diag_report(diag, P0308, primary,
                        "gradient of '%s'%s is left sharded over '%s' where the optimizer reads it whole", name, more,
                        over);
        diag_why(r, "A rank has the sum for its own piece only; of the rest it has its own contribution.");
        break;
    case P0314:
        r = diag_report(diag, P0314, primary, "gradient of '%s'%s is reduced over the wrong axis", name, more);
        diag_why(r, "Its contributions lie along '%s'; along the axis that is summed here every rank has the same.",
                 over);
        break;
    default:
        BUG("code %d is no gradient's", (int)cause->code);
    }
    return r;
}

static Diagnostic *report_norm(Diagnose *d, const Cause *cause, Span primary)
{
    const char *over = axes_text(d->ctx->arena, d->program->decls, cause->finding.axes);
    if (cause->code == P0309) {
        if (cause->finding.kind != FINDING_PARTIAL && cause->finding.kind != FINDING_LATE) {
            Diagnostic *r = diag_report(d->ctx->diag, P0309, primary, "the gradient norm is not of all gradients");
            diag_why(r, "One device's norm is of every gradient, each summed over the whole batch.");
            return r;
        }
        Diagnostic *r = diag_report(d->ctx->diag, P0309, primary, "the gradient norm is of local values only");
        diag_why(r,
                 "Every rank squares and sums what it holds; without the sum over '%s' ranks clip by different norms, "
                 "none of which is one device's.",
                 over);
        return r;
    }
    Rational ratio = cause->finding.ratio;
    const char *times = ratio_text(d, ratio);
    Diagnostic *r;
    if (ratio.numerator < ratio.denominator) {
        r = diag_report(d->ctx->diag, P0310, primary, "the gradient norm counts too little: %s one device's square",
                        times);
        diag_why(r,
                 "Each logical element counts once; a mean over ranks that hold pieces counts it as a part of that.");
        return r;
    }
    r = diag_report(d->ctx->diag, P0310, primary, "the gradient norm counts copies: %s one device's square", times);
    diag_why(r,
             "Gradients that every rank holds whole are in the sum once per rank. Each logical element counts once.");
    return r;
}

/* Is the value itself weighted wrongly, or something it is computed from? */
static bool is_weighed_itself(const Cause *cause)
{
    const Combo *found = cause->fault->found;
    for (int i = 0; i < found->count; i++)
        if (found->term[i].value == cause->finding.found)
            return true;
    return false;
}

static Diagnostic *report_state(Diagnose *d, const Cause *cause, Span primary)
{
    Diag *diag = d->ctx->diag;
    const Fault *fault = cause->fault;
    const char *name = tensor_name(d, fault), *more = others(d, cause);
    const char *state = fault->state >= 0 ? d->program->decls->states.data[fault->state].name : "";
    Diagnostic *r;
    if (cause->code == P0306) {
        r = diag_report(diag, P0306, primary, "copies of parameter '%s'%s do not see the update", name, more);
        diag_why(
            r, "Every rank updates only its own part; the others keep the values from before the step, because the new "
               "parts are never gathered.");
        return r;
    }
    if (fault->kind == FAULT_MISSING) {
        r = diag_report(diag, P0316, primary, "no buffer stores state '%s' of '%s'%s", state, name, more);
        diag_why(r, "Every element of every state needs a place in which it lives from step to step.");
        return r;
    }
    r = diag_report(diag, P0316, primary, "state '%s' of '%s'%s differs from one device's after '%s'", state, name,
                    more, routine_name(fault->routine));
    const Poison *poison = cause->finding.poison;
    if (poison != NULL && poison->op != NULL && poison->kind == POISON_PARTIAL_OPERAND)
        diag_why(r,
                 "'%s' reads a part of a sum over '%s' that is not taken yet, so every rank writes a value of its own "
                 "(rule 'values of the rank').",
                 op_info[poison->op->kind].name, axes_text(d->ctx->arena, d->program->decls, poison->axes & MESH_MASK));
    else if (poison != NULL)
        diag_why(r, "'%s' does not write it%s.", routine_name(fault->routine),
                 poison->op != NULL ? " on every rank (rule 'values of the rank')" : "");
    else if (cause->finding.kind == FINDING_STALE)
        diag_why(r, "It is still what the step found, and is never updated.");
    else if (cause->finding.kind == FINDING_WEIGHT && is_weighed_itself(cause))
        diag_why(r, "It is %s one device's.", ratio_text(d, cause->finding.ratio));
    else if (cause->finding.kind == FINDING_WEIGHT)
        diag_why(r, "A value that it is computed from is %s one device's.", ratio_text(d, cause->finding.ratio));
    return r;
}

/* "the gradient of 'head.weight' and of 2 more". */
static const char *fault_text(const Diagnose *d, const Cause *cause)
{
    const Fault *fault = cause->fault;
    if (fault->kind == FAULT_OUTPUT)
        return arena_printf(d->ctx->arena, "'%s'", fault->op->output);
    const char *what = fault->kind == FAULT_GRADIENT ? "the gradient"
                                                     : arena_printf(d->ctx->arena, "state '%s'",
                                                                    d->program->decls->states.data[fault->state].name);
    return arena_printf(d->ctx->arena, "%s of '%s'%s", what, tensor_name(d, fault), others(d, cause));
}

static Diagnostic *report_cause(Diagnose *d, const Cause *cause, Span primary)
{
    Diag *diag = d->ctx->diag;
    const Fault *fault = cause->fault;
    const Finding *finding = &cause->finding;
    const char *over = axes_text(d->ctx->arena, d->program->decls, finding->axes);
    Diagnostic *r;
    switch ((int)cause->code) {
    case P0309:
    case P0310:
        return report_norm(d, cause, primary);
    case P0306:
    case P0316:
        return report_state(d, cause, primary);
    case P0311:
        r = diag_report(diag, P0311, primary,
                        "ranks along '%s' read the same part of the batch as if it were their own", over);
        diag_why(r,
                 "The batch is cut over '%s', but the coordinate on '%s' does not choose what is read: some examples "
                 "count several times, others never.",
                 over, over);
        return r;
    case P0312:
        r = diag_report(diag, P0312, primary, "means of unequal counts are averaged over '%s'", over);
        diag_why(r,
                 "Ranks along '%s' do not have equally many examples; the mean of their means gives each example of a "
                 "smaller part more weight. Sum, and divide by the count of all.",
                 over);
        return r;
    case P0313:
        r = finding->axes != 0
                ? diag_report(diag, P0313, primary, "copies of '%s'%s start from different values along '%s'",
                              tensor_name(d, fault), others(d, cause), over)
                : diag_report(diag, P0313, primary, "'%s'%s starts from other values than on one device",
                              tensor_name(d, fault), others(d, cause));
        diag_why(r, "Initial values depend on the seed; ranks that hold one parameter must draw the same numbers.");
        return r;
    case P0315:
        if (fault->kind == FAULT_MISSING) {
            r = diag_report(diag, P0315, primary, "'%s' is never given", fault->op->output);
            return r;
        }
        r = diag_report(diag, P0315, primary, "'%s' differs from one device's", fault->op->output);
        if (finding->kind == FINDING_PARTIAL)
            diag_why(r, "Every rank gives only its own part; the sum over '%s' is never taken.", over);
        else if (finding->kind == FINDING_WEIGHT)
            diag_why(r, "It is %s one device's.", ratio_text(d, finding->ratio));
        return r;
    case P0360:
        r = diag_report(diag, P0360, primary, "%s is summed over '%s', whose ranks are copies apart",
                        fault_text(d, cause), over);
        diag_why(r,
                 "Each copy along '%s' follows one device's program on a batch of its own; they meet only where the "
                 "contract joins them.",
                 over);
        return r;
    case P0361:
        r = diag_report(diag, P0361, primary, "%s is not joined over '%s'", fault_text(d, cause), over);
        diag_why(r, "The contract makes it of what all copies along '%s' have; here it is each copy's own.", over);
        return r;
    case P0320:
        if (finding->poison == NULL) {
            r = diag_report(diag, P0320, primary, "gradient of '%s'%s cannot be proved equal to one device's",
                            tensor_name(d, fault), others(d, cause));
            diag_why(r, finding->kind == FINDING_GUARDED
                            ? "Only some ranks take part in it."
                            : "It is computed by other operators, or from other values, than on one device.");
            return r;
        }
        if (fault->kind == FAULT_OUTPUT)
            r = diag_report(diag, P0320, primary, "'%s' cannot be proved equal to one device's", fault->op->output);
        else
            r = diag_report(diag, P0320, primary, "%s of '%s'%s cannot be proved equal to one device's",
                            fault->kind == FAULT_GRADIENT ? "gradient" : "state", tensor_name(d, fault),
                            others(d, cause));
        diag_why(r, "%s", poison_text(finding->poison->kind));
        return r;
    default:
        return report_gradient(d, cause, primary);
    }
}

/* The line that made the buffer that an operator reads: a `sync` of `none` is identified by it. */
static Span operand_span(const Diagnose *d, const Op *op, int operand)
{
    return d->program->program->buffers.data[op->operand[operand].buffer].span;
}

/* Where the user would edit: the reduction, the reader, the seed; otherwise what demanded the value. */
static Span primary_span(const Diagnose *d, const Cause *cause)
{
    const Op *read = find_op(&d->routine->body, OP_READ, -1);
    if (cause->code == P0311 && read != NULL && span_known(read->span))
        return read->span;
    const Op *init = cause->code == P0313 ? find_op(&d->routine->body, OP_INIT, cause->fault->tensor) : NULL;
    if (init != NULL && span_known(init->span))
        return init->span;
    const Op *counts = cause->derived_loss ? fix_local_weight(d->routine) : cause->counts;
    if (counts != NULL && span_known(counts->span))
        return counts->span;
    if (cause->culprit != NULL && span_known(cause->culprit->span))
        return cause->culprit->span;
    if (cause->norm != NULL && span_known(operand_span(d, cause->norm, 0)))
        return operand_span(d, cause->norm, 0);
    if (cause->code == P0315 && cause->finding.kind == FINDING_PARTIAL && cause->fault->kind == FAULT_OUTPUT &&
        span_known(operand_span(d, cause->fault->op, 0)))
        return operand_span(d, cause->fault->op, 0);
    if (cause->finding.poison != NULL && cause->finding.poison->op != NULL)
        return cause->finding.poison->op->span;
    if (cause->fault->op != NULL)
        return cause->fault->op->span;
    if (cause->fault->buffer >= 0)
        return d->program->program->buffers.data[cause->fault->buffer].span;
    return (Span){0};
}

static Span accumulator_span(const Diagnose *d, const Cause *cause, int gradient)
{
    const Program *program = d->program->program;
    const Ref *ref = &cause->fault->op->operand[gradient];
    for (int i = 0; program->buffers.data[ref->buffer].state < 0 && i < cause->chain.count; i++)
        ref = &cause->chain.link[i].op->operand[0];
    return program->buffers.data[ref->buffer].span;
}

/* Tells the story in program order: who reads what, what is computed from it, who uses it. */
static void add_labels(const Diagnose *d, const Cause *cause, Diagnostic *r, Span primary)
{
    const Op *read = find_op(&d->routine->body, OP_READ, -1);
    const Fault *fault = cause->fault;
    int gradient = 0, state;
    switch ((int)cause->code) {
    case P0309:
    case P0310:
        if (cause->norm != NULL)
            label_once(r, primary, cause->norm->span, "the gradients are clipped by it here");
        return;
    case P0311:
    case P0313:
        return;
    case P0306:
        if (cause->culprit != NULL)
            label_once(r, primary, operand_span(d, cause->culprit, 1), "each rank updates its own part");
        return;
    case P0301:
    case P0303:
    case P0312:
        if (read != NULL && read->axes.count > 0)
            label_once(r, primary, read->span, "each rank reads its own part of the batch");
        break;
    default:
        break;
    }
    if (fault->kind != FAULT_GRADIENT)
        return;
    op_is_update(fault->op->kind, &gradient, &state);
    if (cause->code == P0301)
        label_once(r, primary, accumulator_span(d, cause, gradient), "each rank adds up its own gradients");
    label_once(r, primary, fault->op->span, "the optimizer reads the gradient here");
}

/* Is it the loss, divided by each rank's own count, with a derived sum over ranks? One that the user wrote has the line
 * of the buffer it sums. */
static bool is_derived_loss(const Diagnose *d, const Cause *cause)
{
    const Op *sum = cause->culprit;
    const char *output = cause->fault->op != NULL ? op_output(cause->fault->op) : NULL;
    return cause->code == P0315 && cause->finding.kind == FINDING_WEIGHT && output != NULL &&
           strcmp(output, "loss") == 0 && sum != NULL && fix_local_weight(d->routine) != NULL &&
           !span_equal(sum->span, d->program->program->buffers.data[sum->out.buffer].span);
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
        diag_note(r, "Here it is made of %s, where one device has %s.", example_formula(arena, decls, finding->found),
                  example_formula(arena, decls, finding->expected));
}

static void report(Diagnose *d, Cause *cause)
{
    cause->derived_loss = cause->counts == NULL && is_derived_loss(d, cause);
    Span primary = primary_span(d, cause);
    Diagnostic *r = report_cause(d, cause, primary);
    add_labels(d, cause, r, primary);
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
    if (cause->code != P0311 && cause->code != P0312 && cause->code != P0313)
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
static bool report_counts(Diagnose *d, Reported *reported)
{
    Cause *cause = &d->causes.data[0];
    bool of_weight =
        cause->code == P0303 || cause->code == P0312 || (cause->code == P0315 && cause->finding.kind == FINDING_WEIGHT);
    cause->counts = of_weight ? fix_find_counts(d->file, d->routine) : NULL;
    if (cause->counts == NULL)
        return false;
    if (!reported->counts)
        report(d, cause);
    reported->counts = true;
    return true;
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

void diagnose(Ctx *ctx, const StepFile *file, Machine *reference, Machine *program, const Faults *faults,
              Reported *reported)
{
    if (faults->list.count == 0)
        return;
    Diagnose d = {.ctx = ctx, .file = file, .reference = reference, .program = program};
    d.routine = program_routine(file->program, faults->list.data[0].routine);
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
    if (d.causes.count > 0 && report_counts(&d, reported))
        return;
    for (int i = 0; i < d.causes.count; i++)
        if (d.causes.data[i].count > 0 && !was_reported(reported, &d.causes.data[i]))
            report(&d, &d.causes.data[i]);
}

/* conflicts.c - statements that contradict each other, or another part of the train, as a pipeline or a
 * contract (P0209). */
#include "base/change.h"
#include "reference/contract.h"
#include "strategy/internal.h"

#include <string.h>

static bool same_placement(const Request *x, const Request *y)
{
    bool same_dim = x->dim == y->dim || (x->dim != NULL && y->dim != NULL && strcmp(x->dim, y->dim) == 0);
    return same_dim && x->rest == y->rest && x->use == y->use && x->tier == y->tier &&
           x->kept_for_step == y->kept_for_step;
}

static bool cuts_batch(const Request *request)
{
    return request->subject == SUBJECT_ACTIVATIONS && request->dim != NULL && strcmp(request->dim, "batch") == 0;
}

/* Does the strategy ask for more over the axis than the shards of the batch? */
static bool asks_more(const Evaluation *e, const Request *request)
{
    for (int i = 0; i < e->requests.count; i++) {
        const Request *other = &e->requests.data[i];
        if (other->factor == request->factor && other->axis == request->axis && !cuts_batch(other))
            return true;
    }
    return false;
}

/* If data = expert_data * expert, one may say over data what the other says over expert, or over expert another dim of
 * the activations: then the name means the other axes. Two that each place more may both shard the batch; what they
 * place where it is present depends on the model. */
static bool requests_agree(const Evaluation *e, const Request *x, const Request *y)
{
    if (x->together != y->together && cuts_batch(x->together ? x : y) && x->factor != y->factor)
        return true;
    if (!same_placement(x, y))
        return false;
    return x->together != y->together ||
           (x->factor != y->factor && cuts_batch(x) && (!e->known.model || (asks_more(e, x) && asks_more(e, y))));
}

/* The one of two statements of one strategy that the other leaves nothing; NULL if both have an effect. */
static const Request *hidden_request(const Request *earlier, const Request *later)
{
    if (selection_hides_earlier(&later->selection, &earlier->selection))
        return earlier;
    return selection_hides_later(&earlier->selection, &later->selection) ? later : NULL;
}

static void check_pair(const Evaluation *e, const Request *earlier, const Request *later)
{
    if (earlier->subject != later->subject || earlier->axis != later->axis || requests_agree(e, earlier, later))
        return;
    const char *subject = strategy_subject_name(e, later->subject);
    const char *what = later->axis == NO_AXIS ? arena_printf(e->ctx->arena, "'%s' on a tier", subject)
                                              : arena_printf(e->ctx->arena, "'%s' over '%s'", subject,
                                                             e->decls->axes.data[later->axis].name);
    if (earlier->factor != later->factor) {
        if (!selections_clash(&earlier->selection, &later->selection))
            return;
        Diagnostic *d = diag_report(e->ctx->diag, P0209, later->span, "two strategies place %s", what);
        diag_label(d, earlier->span, "already placed here");
        diag_why(d, "Strategies joined by '*' have no order. A statement overrides another only where its selector is "
                    "more specific.");
        diag_help(d, "Give one of them an axis of its own, or write both in one strategy.");
        return;
    }
    const Request *hidden = hidden_request(earlier, later);
    if (hidden == NULL)
        return;
    Diagnostic *d =
        diag_report(e->ctx->diag, P0209, (hidden == earlier ? later : earlier)->span, "%s is placed twice", what);
    diag_label(d, hidden->span, "this statement has no effect");
    diag_repair(d, (Repair){.kind = REPAIR_LEAVE_OUT, .span = hidden->span});
}

static void report_staged(const Evaluation *e, Span span, const char *subject)
{
    const Staging *pipeline = &e->assignment->pipeline;
    const char *axis = e->decls->axes.data[pipeline->axis].name;
    Diagnostic *d =
        diag_report(e->ctx->diag, P0209, span, "'%s' is sharded over '%s', the axis of a pipeline", subject, axis);
    diag_label(d, pipeline->span, "the pipeline's stages are along '%s'", axis);
    diag_why(d, "Ranks along the axis of a pipeline run different layers, so they cannot share the work or the states "
                "of one layer.");
    diag_help(d, "Give one of the two an axis of its own.");
}

static bool cuts_stages(const Evaluation *e, const Request *request)
{
    const Staging *pipeline = &e->assignment->pipeline;
    bool cuts = request->rest || request->use || request->dim != NULL;
    return pipeline->requested && request->axis == pipeline->axis && cuts;
}

/* Reported once per strategy. */
static void check_staged(const Evaluation *e, int index)
{
    const Request *request = &e->requests.data[index];
    if (!cuts_stages(e, request))
        return;
    for (int i = 0; i < index; i++)
        if (e->requests.data[i].factor == request->factor && cuts_stages(e, &e->requests.data[i]))
            return;
    report_staged(e, request->span, strategy_subject_name(e, request->subject));
}

static void refuse_copied(const Evaluation *e, Span span, const char *subject, int axis)
{
    const Contract *local = contract_find(&e->train->contracts, CONTRACT_LOCAL, NULL);
    const char *name = e->decls->axes.data[axis].name;
    Diagnostic *d =
        diag_report(e->ctx->diag, P0209, span, "'%s' is sharded over '%s', whose ranks are copies", subject, name);
    diag_label(d, local->span, "ranks along '%s' train separate copies", name);
    diag_why(d, "Between two joins the states of copies differ, so no copy can take a shard from another.");
    diag_help(d, "Shard it over another axis; over '%s' only the batch can be sharded.", name);
}

/* Over axes of copies nothing can be sharded, except what each copy trains on. */
static void check_copied(const Evaluation *e, const Request *request)
{
    bool batch = request->subject == SUBJECT_ACTIVATIONS && request->dim != NULL && strcmp(request->dim, "batch") == 0;
    bool cuts = !batch && (request->rest || request->use); /* a tier alone shards nothing, over no axis */
    if (cuts && e->decls->axes.data[request->axis].copies)
        refuse_copied(e, request->span, strategy_subject_name(e, request->subject), request->axis);
}

/* Copies that all train on the same examples are not copies. */
static void check_copies_batch(const Evaluation *e, int axis)
{
    const Axis *copied = &e->decls->axes.data[axis];
    bool cut = !copied->copies || copied->size == 1;
    for (int i = 0; i < e->requests.count && !cut; i++) {
        const Request *r = &e->requests.data[i];
        cut = r->axis == axis && r->subject == SUBJECT_ACTIVATIONS && r->dim != NULL && strcmp(r->dim, "batch") == 0;
    }
    if (cut)
        return;
    const Contract *local = contract_find(&e->train->contracts, CONTRACT_LOCAL, NULL);
    Diagnostic *d = diag_report(e->ctx->diag, P0209, local->span,
                                "copies along '%s', over which no strategy shards the batch", copied->name);
    diag_why(d, "Every copy trains on its own part of the batch.");
    diag_repair(d, (Repair){.kind = REPAIR_CUT_BATCH, .axes = copied->name});
}

/* Named values, like all others, are sharded neither over the pipeline's axis nor over axes of copies. */
static void check_named(const Evaluation *e, const ActivationCut *cut)
{
    const Staging *pipeline = &e->assignment->pipeline;
    if (cut->label_count > 0 && pipeline->requested && cut->axis == pipeline->axis)
        report_staged(e, cut->span, cut->labels[0]);
    if (cut->label_count > 0 && e->decls->axes.data[cut->axis].copies)
        refuse_copied(e, cut->span, cut->labels[0], cut->axis);
}

/* Nor do operators work on shards over these axes. */
static void check_pin(const Evaluation *e, const Pin *pin)
{
    const Staging *pipeline = &e->assignment->pipeline;
    if (pin->form == PIN_WHOLE)
        return;
    if (pipeline->requested && pin->axis == pipeline->axis)
        report_staged(e, pin->span, pin->label);
    if (e->decls->axes.data[pin->axis].copies)
        refuse_copied(e, pin->span, pin->label, pin->axis);
}

void strategy_check_conflicts(const Evaluation *e)
{
    for (int i = 0; i < e->assignment->pins.count; i++)
        check_pin(e, &e->assignment->pins.data[i]);
    for (int i = 0; i < e->assignment->activations.count; i++)
        check_named(e, &e->assignment->activations.data[i]);
    for (int axis = 0; axis < e->decls->axes.count && !e->unused; axis++) /* an unused strategy shards nothing */
        check_copies_batch(e, axis);
    for (int i = 0; i < e->requests.count; i++)
        check_staged(e, i);
    for (int i = 0; i < e->requests.count; i++)
        check_copied(e, &e->requests.data[i]);
    const Staging *pipeline = &e->assignment->pipeline;
    if (pipeline->requested && e->decls->axes.data[pipeline->axis].copies)
        refuse_copied(e, pipeline->span, "layers", pipeline->axis);
    for (int later = 1; later < e->requests.count; later++)
        for (int earlier = 0; earlier < later; earlier++)
            check_pair(e, &e->requests.data[earlier], &e->requests.data[later]);
}

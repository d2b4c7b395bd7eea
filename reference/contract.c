/* contract.c - reads the contracts of a train, and answers the functions of models which groups they form. */
#include "reference/contract.h"

#include "base/change.h"
#include "parser/resolve.h"
#include "reference/model.h"
#include "reference/train.h"
#include <float.h>
#include <string.h>

/* The forms: words, or a call with a number; then axes, if `over`; then a dim, if `by`. `dim` is the one divided into
 * groups if none is named; NULL: that of the rows of an example. */
static const struct {
    ContractKind kind;
    const char *words[3], *call;
    int64_t most; /* of the call's number */
    bool over, by;
    const char *dim, *needs, *form;
} forms[] = {
    {.kind = CONTRACT_EXACT, .words = {"exact"}, .form = "exact"},
    {.kind = CONTRACT_STATISTICS,
     .words = {"statistics", "per", "microbatch"},
     .dim = "batch",
     .needs = "has no 'batchnorm' in more than one microbatch",
     .form = "contract statistics per microbatch"},
    {.kind = CONTRACT_STATISTICS,
     .words = {"statistics", "per", "replica"},
     .over = true,
     .dim = "batch",
     .needs = "has no 'batchnorm' over more than one piece of the batch",
     .form = "contract statistics per replica over data"},
    {.kind = CONTRACT_ROUTING,
     .words = {"routing", "per", "group"},
     .over = true,
     .needs = "has no 'moe' whose rows are in more than one group",
     .form = "contract routing per group over context"},
    {.kind = CONTRACT_MASKS,
     .words = {"masks", "in", "distribution"},
     .over = true,
     .by = true,
     .dim = "batch",
     .needs = "has no random mask in more than one piece along that dim",
     .form = "contract masks in distribution over data by batch"},
    {.kind = CONTRACT_STALE, .call = "stale", .most = 64, .form = "contract stale(1)"},
    {.kind = CONTRACT_LOCAL,
     .call = "local",
     .most = 1000000000,
     .over = true,
     .needs = "is trained in one copy",
     .form = "contract local(100) over data, or: contract local(100) over data outer nesterov(rate = 0.7, momentum = "
             "0.9)"},
};

enum { FORM_COUNT = sizeof forms / sizeof *forms };

/* ---- Reading ------------------------------------------------------------------------------------------------ */

typedef struct Reading {
    Ctx *ctx;
    const AstList *pieces;
    Train *train;
    int at; /* the next piece */
} Reading;

static bool is_text(const AstNode *piece, const char *text)
{
    if (piece->kind == AST_NAME)
        return strcmp(piece->name.text, text) == 0;
    return piece->kind == AST_MARK && strcmp(piece->mark.text, text) == 0;
}

static bool take(Reading *r, const char *text)
{
    bool found = r->at < r->pieces->count && is_text(r->pieces->data[r->at], text);
    r->at += found;
    return found;
}

static const AstNode *take_name(Reading *r)
{
    bool found = r->at < r->pieces->count && r->pieces->data[r->at]->kind == AST_NAME;
    return found ? r->pieces->data[r->at++] : NULL;
}

/* The axes of a name, one or several together. */
static bool find_axes(Reading *r, const AstNode *name, AxisSet *axes)
{
    const Train *train = r->train;
    int axis_count = train->decls.axes.count, count = axis_count + train->derived_axes.count;
    const char **known = arena_array(r->ctx->arena, const char *, count + 1);
    for (int i = 0; i < count; i++) {
        const AxisProduct *product = i < axis_count ? NULL : &train->derived_axes.data[i - axis_count];
        known[i] = product != NULL ? product->name : train->decls.axes.data[i].name;
        if (strcmp(known[i], name->name.text) != 0)
            continue;
        *axes = product != NULL ? product->axes : (AxisSet){1, {(int8_t)i}};
        return true;
    }
    if (axis_count > 0) /* otherwise the mesh is wrong, which was reported */
        resolve_unknown(r->ctx, name->span, "axis", name->name.text, known, count);
    return false;
}

/* `over A, B`: all their ranks together. */
static bool read_axes(Reading *r, Contract *contract)
{
    bool seen[STEP_MAX_AXES] = {false};
    contract->ranks = 1;
    do {
        const AstNode *name = take_name(r);
        AxisSet axes;
        if (name == NULL || !find_axes(r, name, &axes))
            return name != NULL;
        for (int i = 0; i < axes.count; i++) {
            const Axis *axis = &r->train->decls.axes.data[axes.axis[i]];
            if (seen[axes.axis[i]]) {
                diag_report(r->ctx->diag, P0209, name->span, "the axis '%s' is named twice", axis->name);
                return true;
            }
            seen[axes.axis[i]] = true;
            contract->axes.axis[contract->axes.count++] = axes.axis[i];
            contract->ranks *= axis->size;
        }
    } while (take(r, ","));
    return true;
}

/* The line as written, without the word `contract`. */
static const char *text_of(const Reading *r)
{
    Text text = {.arena = r->ctx->arena};
    for (int i = 0; i < r->pieces->count; i++) {
        const char *piece = resolve_text(r->ctx, r->pieces->data[i]);
        text_add(&text, "%s%s", i > 0 && strcmp(piece, ",") != 0 ? " " : "", piece);
    }
    return text.data;
}

static const AstNode *take_call(Reading *r, const char *name)
{
    const AstNode *call = r->at < r->pieces->count ? r->pieces->data[r->at] : NULL;
    bool found = call != NULL && call->kind == AST_CALL && call->call.callee->kind == AST_NAME &&
                 strcmp(call->call.callee->name.text, name) == 0;
    r->at += found;
    return found ? call : NULL;
}

/* `stale(1)`: a call of that name with a number. */
static bool read_steps(Reading *r, const char *name, int64_t most, Contract *contract)
{
    static const ArgumentInfo argument = {"steps", true};
    const AstNode *call = take_call(r, name), *value;
    if (call == NULL)
        return false;
    contract->steps = 1;
    if (resolve_arguments(r->ctx, call->call.callee->span, name, &call->call.arguments, &argument, 1, &value))
        resolve_integer(r->ctx, NULL, value, "the number of steps", 1, most, &contract->steps);
    return true;
}

/* `outer nesterov(rate = 0.7, momentum = 0.9)`, or nothing. */
static bool read_outer(Reading *r, Contract *contract)
{
    static const ArgumentInfo arguments[] = {{"rate", true}, {"momentum", true}};
    static const Range rates = {0, DBL_MAX, true, false}, momenta = {0, 1, false, true};
    const AstNode *value[2];
    if (!take(r, "outer"))
        return true;
    const AstNode *call = take_call(r, "nesterov");
    if (call == NULL)
        return false;
    contract->outer = true;
    if (!resolve_arguments(r->ctx, call->call.callee->span, "nesterov", &call->call.arguments, arguments, 2, value))
        return true;
    resolve_real(r->ctx, NULL, value[0], "the outer rate", &rates, &contract->rate);
    resolve_real(r->ctx, NULL, value[1], "the outer momentum", &momenta, &contract->momentum);
    return true;
}

/* False if the line does not have this form; other errors were reported. */
static bool read_form(Reading *r, int form, Contract *contract)
{
    r->at = 0;
    *contract = (Contract){
        .kind = forms[form].kind, .text = text_of(r), .dim = forms[form].dim, .needs = forms[form].needs, .ranks = 1};
    for (int i = 0; i < 3 && forms[form].words[i] != NULL; i++)
        if (!take(r, forms[form].words[i]))
            return false;
    if (forms[form].call != NULL && !read_steps(r, forms[form].call, forms[form].most, contract))
        return false;
    if (forms[form].over && (!take(r, "over") || !read_axes(r, contract)))
        return false;
    if (forms[form].kind == CONTRACT_LOCAL && !read_outer(r, contract))
        return false;
    if (forms[form].by && take(r, "by")) {
        const AstNode *dim = take_name(r);
        if (dim == NULL)
            return false;
        contract->dim = dim->name.text;
        contract->dim_span = dim->span;
    }
    return r->at == r->pieces->count;
}

/* A line that could not be read may have been about statistics, the one kind whose absence is an error elsewhere. */
static void assume(const Reading *r)
{
    Contract contract = {.kind = CONTRACT_STATISTICS, .text = text_of(r), .needs = "", .ranks = 1};
    vec_push(r->ctx->arena, &r->train->contracts, contract);
}

static void refuse(Reading *r, const AstNode *setting, int nearest)
{
    const AstNode *piece = r->at < r->pieces->count ? r->pieces->data[r->at] : NULL;
    Diagnostic *d;
    if (piece != NULL && piece->kind == AST_ERROR)
        return;
    if (piece != NULL)
        d = diag_report(r->ctx->diag, P0206, piece->span, "unexpected '%s' in 'contract'", resolve_text(r->ctx, piece));
    else
        d = diag_report(r->ctx->diag, P0206, setting->span, "'contract' is incomplete");
    if (nearest >= 0) {
        diag_help(d, "Its form is: %s", forms[nearest].form);
        return;
    }
    for (int i = 0; i < FORM_COUNT; i++)
        diag_help(d, "%s: %s", i == 0 ? "Contracts are" : "Or", forms[i].form);
}

static bool same_groups(const Contract *x, const Contract *y)
{
    return x->kind == y->kind &&
           (x->dim == y->dim || (x->dim != NULL && y->dim != NULL && strcmp(x->dim, y->dim) == 0));
}

bool contract_read(Ctx *ctx, const AstNode *setting, Train *train)
{
    Reading r = {.ctx = ctx, .pieces = &setting->setting.pieces, .train = train};
    int errors = diag_error_count(ctx->diag), nearest = -1, reached = 0;
    Contract contract;
    for (int form = 0; form < FORM_COUNT; form++) {
        if (read_form(&r, form, &contract)) {
            contract.span = setting->span;
            for (int i = 0; diag_error_count(ctx->diag) == errors && i < train->contracts.count; i++)
                if (same_groups(&train->contracts.data[i], &contract))
                    resolve_duplicate(ctx, setting->span, "contract", contract.text, train->contracts.data[i].span);
            vec_push(ctx->arena, &train->contracts, contract);
            return diag_error_count(ctx->diag) == errors;
        }
        if (r.at > reached) {
            nearest = form;
            reached = r.at;
        }
    }
    r.at = reached;
    refuse(&r, setting, nearest);
    assume(&r);
    return false;
}

/* ---- For the functions of models ---------------------------------------------------------------------------- */

const Contract *contract_find(const Contracts *contracts, ContractKind kind, const char *dim)
{
    for (int i = 0; i < contracts->count; i++) {
        const Contract *contract = &contracts->data[i];
        if (contract->kind == kind && (contract->dim == NULL || dim == NULL || strcmp(contract->dim, dim) == 0))
            return contract;
    }
    return NULL;
}

int64_t contract_groups(Contracts *contracts, const Decls *decls, ContractKind kind, const char *dim)
{
    const Contract *found = contract_find(contracts, kind, dim);
    if (found == NULL)
        return 1;
    bool in_time = kind == CONTRACT_MASKS && found->ranks > 1 && strcmp(dim, "batch") == 0;
    int64_t groups = found->ranks * (in_time ? decls->micro : 1);
    bool parted = kind == CONTRACT_STATISTICS && decls->micro > 1; /* only by the microbatches */
    contracts->data[found - contracts->data].changes |= groups > 1 || parted;
    return groups;
}

/* ---- The answer --------------------------------------------------------------------------------------------- */

static void report_idle(Ctx *ctx, const Decls *decls, const Contract *contract)
{
    NameVec known = {0};
    if (span_known(contract->dim_span) && !model_names_dim(ctx, decls, contract->dim, &known)) {
        Diagnostic *unknown =
            diag_report(ctx->diag, P0201, contract->dim_span, "no model has a dim '%s'", contract->dim);
        diag_help_unknown(unknown, contract->dim, known.data, known.count);
        return;
    }
    Diagnostic *d = diag_report(ctx->diag, P0359, contract->span, "the contract '%s' changes nothing", contract->text);
    diag_why(d, "The model '%s' %s. The verdict's contract leaves it out.", decls->name, contract->needs);
    diag_repair(d, (Repair){.kind = REPAIR_LEAVE_OUT, .span = contract->span});
}

static void report_changed(Ctx *ctx, const Contract *exact, const Contract *contract)
{
    Diagnostic *d = diag_report(ctx->diag, P0209, contract->span, "the contract '%s' next to 'exact'", contract->text);
    diag_label(d, exact->span, "states that nothing is changed");
    diag_help(d, "Leave out one of the two.");
}

const char *contract_answer(Ctx *ctx, const Decls *decls, const Contracts *contracts)
{
    Text text = {.arena = ctx->arena};
    const Contract *exact = contract_find(contracts, CONTRACT_EXACT, NULL);
    for (int i = 0; i < contracts->count; i++) {
        const Contract *contract = &contracts->data[i];
        if (contract == exact)
            continue;
        if (!contract->changes)
            report_idle(ctx, decls, contract);
        else
            text_add(&text, "%s%s", text.length > 0 ? "; " : "", contract->text);
        if (contract->changes && exact != NULL)
            report_changed(ctx, exact, contract);
    }
    return text.length > 0 ? text.data : "exact";
}

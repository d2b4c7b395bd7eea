/* call.c - calls of strategies, joined by `*`: the declaration that a name means, and what each of its parameters
 * stands for. */
#include "parser/resolve.h"
#include "strategy/internal.h"

#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* ---- Declarations ------------------------------------------------------------------------------------------- */

static AstName declared_name(const AstNode *node)
{
    if (node->kind == AST_STRATEGY)
        return node->strategy.name;
    if (node->kind == AST_MODE)
        return node->mode.name;
    return node->kind == AST_STATE ? node->state.name : (AstName){0};
}

static const AstNode *find_in(const Ast *ast, AstKind kind, const char *name)
{
    for (int i = 0; i < ast->items.count; i++)
        if (ast->items.data[i]->kind == kind && declared_name(ast->items.data[i]).text == name)
            return ast->items.data[i];
    return NULL;
}

const AstNode *strategy_find_declaration(const Evaluation *e, AstKind kind, const char *name)
{
    const AstNode *found = find_in(e->ast, kind, name);
    return found != NULL ? found : find_in(e->prelude, kind, name);
}

static NameVec declared_names(const Evaluation *e, AstKind kind)
{
    const Ast *files[] = {e->ast, e->prelude};
    NameVec names = {0};
    for (int f = 0; f < COUNT(files); f++)
        for (int i = 0; i < files[f]->items.count; i++)
            if (files[f]->items.data[i]->kind == kind)
                vec_push(e->ctx->arena, &names, declared_name(files[f]->items.data[i]).text);
    return names;
}

/* ---- Calls -------------------------------------------------------------------------------------------------- */

/* `tensor_parallel(t: axis, sequence_parallel, vocab)` */
static const char *call_form(const Evaluation *e, const AstNode *declaration)
{
    const AstStrategy *strategy = &declaration->strategy;
    Text form = {.arena = e->ctx->arena};
    text_add(&form, "%s(", strategy->name.text);
    for (int i = 0; i < strategy->parameters.count; i++) {
        const AstParameter *parameter = &strategy->parameters.data[i]->parameter;
        text_add(&form, "%s%s%s", i > 0 ? ", " : "", parameter->name.text,
                 parameter->type.text != NULL ? ": axis" : "");
    }
    text_add(&form, ")");
    return form.data;
}

/* The declaration's name that a name was probably meant to be, unless other words are meant. */
static const char *meant_by(const char *name, const NameVec *known)
{
    return diag_elsewhere(name) != NULL ? diag_otherwise(name, known->data, known->count)
                                        : diag_suggest(name, known->data, known->count);
}

/* Of a strategy that was probably meant, its parameters too: the arguments may be meant for others. */
void strategy_report_undeclared(const Evaluation *e, AstKind kind, AstName name)
{
    if (e->ast->damaged)
        return;
    NameVec known = declared_names(e, kind);
    if (kind == AST_MODE)
        strategy_add_pin_words(e, &known);
    strategy_add_converted_word(e, &known);
    Diagnostic *d = resolve_unknown_word(e->ctx, name.span, ast_kind_name(kind), name.text, known.data, known.count);
    const char *near = kind == AST_STRATEGY ? meant_by(name.text, &known) : NULL;
    const AstNode *meant = near != NULL ? strategy_find_declaration(e, kind, near) : NULL;
    if (meant != NULL && meant->strategy.parameters.count > 0)
        diag_note(d, "Its form is: %s", call_form(e, meant));
}

static bool shares_member(const AxisSet *x, const AxisSet *y, int *shared)
{
    for (int i = 0; i < x->count; i++)
        for (int j = 0; j < y->count; j++)
            if (x->axis[i] == y->axis[j]) {
                *shared = x->axis[i];
                return true;
            }
    return false;
}

static const Binding *find_binding(const Factor *factor, AstName name)
{
    for (int i = 0; name.text != NULL && factor != NULL && i < factor->bindings.count; i++)
        if (factor->bindings.data[i].name.text == name.text)
            return &factor->bindings.data[i];
    return NULL;
}

/* A parameter of the strategy that makes the call is passed on; false if the argument is none, or stands for an axis.
 */
static bool pass_on(const Evaluation *e, Factor *factor, const AstParameter *parameter, const AstNode *value,
                    const Factor *scope)
{
    const Binding *handed = value != NULL && value->kind == AST_NAME ? find_binding(scope, value->name) : NULL;
    if (handed == NULL || handed->axis >= 0 || parameter->type.text != NULL)
        return false;
    Binding binding = *handed;
    binding.name = parameter->name;
    vec_push(e->ctx->arena, &factor->bindings, binding);
    return true;
}

/* `data`, `data * context` */
static bool is_product_of_names(const AstNode *node)
{
    return node->kind == AST_NAME || (node->kind == AST_BINARY &&
                                      node->binary.operator== AST_MULTIPLY && is_product_of_names(node->binary.left) &&
                                      is_product_of_names(node->binary.right));
}

/* Binds a parameter to an argument, which may name parameters of `scope`, or to its default. */
static bool bind(const Evaluation *e, Factor *factor, const AstParameter *parameter, const AstNode *value,
                 const Factor *scope)
{
    bool is_default = value == NULL;
    if (pass_on(e, factor, parameter, value, scope))
        return true;
    if (is_default)
        value = parameter->value;
    if (value == NULL) {
        Diagnostic *d = strategy_report(e, NULL, P0206, factor->call_span, "the argument '%s' of '%s' is missing",
                                        parameter->name.text, factor->declaration->strategy.name.text);
        if (!factor->in_prelude)
            diag_label(d, parameter->name.span, "declared here");
        diag_help(d, "Its form is: %s", call_form(e, factor->declaration));
        return false;
    }
    Binding binding = {parameter->name, value->span, -1, value, is_default, is_default ? NULL : scope};
    bool is_axis = parameter->type.text != NULL; /* a type other than 'axis' was reported */
    if (is_axis && !is_product_of_names(value)) {
        if (value->kind != AST_ERROR) {
            Diagnostic *d =
                strategy_report(e, NULL, P0206, value->span, "expected a mesh axis for '%s'", parameter->name.text);
            diag_help(d, "Its form is: %s", call_form(e, factor->declaration));
        }
        return false;
    }
    if (is_axis)
        binding.axis = strategy_axis_product(e, scope, value);
    for (int i = 0; is_axis && binding.axis >= 0 && i < factor->bindings.count; i++) {
        const Binding *other = &factor->bindings.data[i];
        AxisSet own = strategy_axis_members(e, binding.axis), taken = strategy_axis_members(e, other->axis);
        int shared;
        if (!shares_member(&own, &taken, &shared))
            continue;
        Diagnostic *d = strategy_report(e, NULL, P0209, value->span, "the axis '%s' is given twice",
                                        e->decls->axes.data[shared].name);
        diag_label(d, other->span, "already given for '%s'", other->name.text);
        return false;
    }
    vec_push(e->ctx->arena, &factor->bindings, binding);
    return !is_axis || binding.axis >= 0;
}

/* The parameter that an argument is for: the next one, or the one with its name; -1 after reporting. */
static int parameter_of(const Evaluation *e, const Factor *factor, const AstNode *argument, int position)
{
    const AstStrategy *strategy = &factor->declaration->strategy;
    if (argument->kind != AST_ARGUMENT) {
        if (position < strategy->parameters.count)
            return position;
        Diagnostic *d =
            strategy_report(e, NULL, P0206, argument->span, "'%s' has %d parameter%s only", strategy->name.text,
                            strategy->parameters.count, strategy->parameters.count == 1 ? "" : "s");
        diag_help(d, "Its form is: %s", call_form(e, factor->declaration));
        return -1;
    }
    for (int i = 0; i < strategy->parameters.count; i++)
        if (strategy->parameters.data[i]->parameter.name.text == argument->argument.name.text)
            return i;
    AstName name = argument->argument.name;
    NameVec known = {0};
    for (int i = 0; i < strategy->parameters.count; i++)
        vec_push(e->ctx->arena, &known, strategy->parameters.data[i]->parameter.name.text);
    Diagnostic *d =
        strategy_report(e, NULL, P0201, name.span, "'%s' has no parameter '%s'", strategy->name.text, name.text);
    strategy_suggest(d, name.text, &known);
    diag_note(d, "Its form is: %s", call_form(e, factor->declaration));
    return -1;
}

static bool bind_arguments(const Evaluation *e, Factor *factor, const AstList *arguments, const Factor *scope)
{
    const AstStrategy *strategy = &factor->declaration->strategy;
    const AstNode **values = arena_array(e->ctx->arena, const AstNode *, strategy->parameters.count + 1);
    bool ok = true;
    for (int i = 0; i < arguments->count; i++) {
        const AstNode *argument = arguments->data[i];
        int parameter = parameter_of(e, factor, argument, i);
        if (parameter >= 0 && values[parameter] != NULL) {
            Diagnostic *d = strategy_report(e, NULL, P0206, argument->span, "'%s' is given twice",
                                            strategy->parameters.data[parameter]->parameter.name.text);
            diag_label(d, values[parameter]->span, "first here");
            ok = false;
        } else if (parameter >= 0) {
            values[parameter] = argument->kind == AST_ARGUMENT ? argument->argument.value : argument;
        }
        ok &= parameter >= 0;
    }
    for (int i = 0; ok && i < strategy->parameters.count; i++)
        if (strategy->parameters.data[i]->kind == AST_PARAMETER)
            ok = bind(e, factor, &strategy->parameters.data[i]->parameter, values[i], scope) && ok;
    return ok;
}

bool strategy_is_open(const Factor *factor, AstName name)
{
    const Binding *binding = find_binding(factor, name);
    return binding != NULL && binding->value == NULL;
}

AstName strategy_bound_name(const Factor *factor, AstName name)
{
    const Binding *binding = find_binding(factor, name);
    if (binding == NULL || binding->value == NULL)
        return name;
    return binding->value->kind == AST_NAME ? binding->value->name : (AstName){NULL, binding->value->span};
}

static const AstNode *find_callee(const Evaluation *e, const Factor *outer, const char *name)
{
    return outer != NULL && outer->in_prelude ? find_in(e->prelude, AST_STRATEGY, name)
                                              : strategy_find_declaration(e, AST_STRATEGY, name);
}

static bool is_defined_by_itself(const Evaluation *e, const Factor *factor)
{
    for (const Factor *outer = factor->outer; outer != NULL; outer = outer->outer)
        if (outer->declaration == factor->declaration) {
            AstName name = factor->declaration->strategy.name;
            Diagnostic *d = strategy_report(e, NULL, P0206, name.span, "'%s' is defined by itself", name.text);
            if (factor->call_span.start != name.span.start)
                diag_label(d, factor->call_span, "called here again");
            return true;
        }
    return false;
}

/* Without parameters `strategy ddp = data_parallel` is another name, which takes the arguments of that strategy. */
static bool is_other_name(const AstStrategy *strategy)
{
    return strategy->definition != NULL && strategy->definition->kind == AST_NAME && strategy->parameters.count == 0;
}

/* `arguments` may name parameters of `scope`. */
static void add_call(Evaluation *e, const Factor *outer, AstName name, const AstList *arguments, const Factor *scope,
                     Span span)
{
    const AstNode *declaration = find_callee(e, outer, name.text);
    if (declaration == NULL) {
        strategy_report_undeclared(e, AST_STRATEGY, name);
        return;
    }
    if (declaration->damaged)
        return;
    Factor *factor = arena_make(e->ctx->arena, Factor);
    factor->declaration = declaration;
    factor->call_span = outer != NULL && outer->in_prelude ? outer->call_span : span;
    factor->in_prelude = find_in(e->prelude, AST_STRATEGY, name.text) == declaration;
    factor->outer = outer;
    if (is_defined_by_itself(e, factor))
        return;
    bool other_name = is_other_name(&declaration->strategy);
    if (!other_name && !bind_arguments(e, factor, arguments, scope))
        return;
    vec_push(e->ctx->arena, &e->evaluated, declaration);
    if (other_name)
        add_call(e, factor, declaration->strategy.definition->name, arguments, scope, span);
    else if (!e->unused) /* what nothing uses is checked by itself */
        strategy_read_body(e, factor);
}

/* Of a name without a call only what it means is known. */
static void check_other_name(const Evaluation *e, const Factor *factor)
{
    AstName name = factor->declaration->strategy.definition->name;
    Factor other = {.declaration = find_callee(e, factor, name.text), .call_span = name.span, .outer = factor};
    if (other.declaration == NULL)
        strategy_report_undeclared(e, AST_STRATEGY, name);
    else if (!is_defined_by_itself(e, &other) && is_other_name(&other.declaration->strategy))
        check_other_name(e, &other);
}

void strategy_add_defined(Evaluation *e, const Factor *factor)
{
    if (e->unused && is_other_name(&factor->declaration->strategy))
        check_other_name(e, factor);
    else
        strategy_add_factors(e, factor, factor->declaration->strategy.definition);
}

static void add_factor(Evaluation *e, const Factor *outer, const AstNode *node)
{
    bool call = node->kind == AST_CALL;
    const AstNode *callee = call ? node->call.callee : node;
    if (call && node->call.label.text != NULL)
        strategy_report(e, NULL, P0206, node->call.label.span, "a strategy takes no label");
    static const AstList no_arguments = {0};
    if (callee->kind == AST_NAME)
        add_call(e, outer, callee->name, call ? &node->call.arguments : &no_arguments, outer, node->span);
    else if (callee->kind != AST_ERROR)
        strategy_report(e, NULL, P0206, node->span, "expected strategies, joined by '*'");
}

void strategy_add_factors(Evaluation *e, const Factor *outer, const AstNode *node)
{
    bool product = false;
    if (node->kind == AST_BINARY) {
        AstOperator op = node->binary.operator;
        product = op == AST_MULTIPLY;
    }
    if (!product) {
        add_factor(e, outer, node);
        return;
    }
    strategy_add_factors(e, outer, node->binary.left);
    strategy_add_factors(e, outer, node->binary.right);
}

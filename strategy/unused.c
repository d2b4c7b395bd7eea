/* unused.c - strategies that the train does not use are checked as far as that does not depend on a call.
 *
 * A parameter that is an axis stands for one more axis of the mesh, of which only the name is known; numbers that
 * depend on parameters are open, and what depends on them is not checked. Selectors are checked against the model only
 * in the file of the train: an imported strategy may be meant for another one. Unsupported requests do no harm here.
 */
#include "strategy/internal.h"

#include "parser/resolve.h"

#include <string.h>

static void check_parameters(const Evaluation *e, const AstList *parameters)
{
    static const char *const types[] = {"axis"};
    for (int i = 0; i < parameters->count; i++) {
        const AstParameter *parameter = &parameters->data[i]->parameter;
        if (parameters->data[i]->kind != AST_PARAMETER)
            continue;
        if (parameter->type.text != NULL && strcmp(parameter->type.text, types[0]) != 0)
            resolve_unknown(e->ctx, parameter->type.span, "type of a parameter", parameter->type.text, types, 1);
        for (int j = 0; j < i; j++) {
            const AstNode *other = parameters->data[j];
            if (other->kind == AST_PARAMETER && other->parameter.name.text == parameter->name.text)
                resolve_duplicate(e->ctx, parameter->name.span, "parameter", parameter->name.text,
                                  other->parameter.name.span);
        }
    }
}

/* The declarations of the file, with an axis for each parameter that is one; NULL if a mesh cannot have that many. */
static Decls *open_axes(const Evaluation *e, Factor *factor)
{
    Arena *arena = e->ctx->arena;
    Decls *decls = arena_make(arena, Decls);
    *decls = *e->decls;
    memset(&decls->axes, 0, sizeof decls->axes);
    for (int i = 0; i < e->decls->axes.count; i++)
        vec_push(arena, &decls->axes, e->decls->axes.data[i]);
    const AstList *parameters = &factor->declaration->strategy.parameters;
    for (int i = 0; i < parameters->count; i++) {
        if (parameters->data[i]->kind != AST_PARAMETER)
            continue;
        const AstParameter *parameter = &parameters->data[i]->parameter;
        bool is_axis = parameter->type.text != NULL;
        Binding binding = {
            parameter->name, parameter->name.span, is_axis ? decls->axes.count : -1, parameter->value, true, NULL};
        if (is_axis) {
            Axis axis = {.name = parameter->name.text, .span = parameter->name.span, .size = 1};
            vec_push(arena, &decls->axes, axis);
        }
        vec_push(arena, &factor->bindings, binding);
    }
    return decls->axes.count <= STEP_MAX_AXES ? decls : NULL;
}

/* What it asks for is set against its own statements alone. */
static void check_body(const Evaluation *e, const AstNode *declaration)
{
    Assignment asked = {.declared_states = e->assignment->declared_states};
    Evaluation unused = {.ctx = e->ctx,
                         .ast = e->ast,
                         .prelude = e->prelude,
                         .train_node = e->train_node,
                         .train = e->train,
                         .assignment = &asked,
                         .known = e->known,
                         .unused = true,
                         .selects = e->selects && declaration->span.source == e->train_node->span.source,
                         .unheard = diag_new(e->ctx->arena, e->ctx->sources)};
    Factor factor = {.declaration = declaration, .call_span = declaration->strategy.name.span};
    unused.decls = open_axes(e, &factor);
    if (unused.decls == NULL)
        return;
    strategy_read_body(&unused, &factor);
    strategy_check_conflicts(&unused);
}

static bool was_evaluated(const Evaluation *e, const AstNode *declaration)
{
    for (int i = 0; i < e->evaluated.count; i++)
        if (e->evaluated.data[i] == declaration)
            return true;
    return false;
}

void strategy_check_declarations(const Evaluation *e)
{
    for (int i = 0; i < e->ast->items.count; i++) {
        const AstNode *declaration = e->ast->items.data[i];
        if (declaration->kind != AST_STRATEGY || declaration->damaged)
            continue;
        check_parameters(e, &declaration->strategy.parameters);
        if (!was_evaluated(e, declaration))
            check_body(e, declaration);
    }
}

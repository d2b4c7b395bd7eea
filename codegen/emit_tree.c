/* emit_tree.c - loops, guards and waits of a routine. */
#include "codegen/emit.h"

#include <inttypes.h>
#include <string.h>

/* Is this a guard that says which microbatch is the current one, by an expression of the loop's variable? */
static bool gives_current(const Emit *e, const Node *node, int loop)
{
    return node->kind == NODE_GUARD && node->guard.low == 0 && node->guard.high == e->decls->micro - 1 && loop >= 0 &&
           affine_uses(&node->guard.value, loop);
}

/* A loop over microbatches counts ticks if guards in it say which microbatch is the current one. */
static bool counts_ticks(const Emit *e, const NodeList *body, int loop)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        Affine own = affine_loop(loop, 1, 0);
        if (gives_current(e, node, loop) && !affine_equal(&node->guard.value, &own))
            return true;
        bool other = node->kind == NODE_LOOP && node->loop.kind == LOOP_MICRO;
        if (!other && counts_ticks(e, &node->body, loop))
            return true;
    }
    return false;
}

static bool is_open(const Emit *e, const char *name)
{
    for (int i = 0; i < e->program->loop_count; i++) {
        if (e->variable[i] != NULL && strcmp(e->variable[i], name) == 0)
            return true;
    }
    for (const EmitScope *scope = e->scope; scope != NULL; scope = scope->outer) {
        if (scope->micro != NULL && strcmp(scope->micro, name) == 0)
            return true;
    }
    return false;
}

/* With a number appended where the plain name is taken. */
static const char *fresh_variable(Emit *e, const char *plain)
{
    const char *name = plain;
    for (int i = 2; is_open(e, name); i++)
        name = arena_printf(e->arena, "%s%d", plain, i);
    return name;
}

static const char *loop_variable(Emit *e, const Node *node)
{
    switch (node->loop.kind) {
    case LOOP_LAYERS:
        return fresh_variable(e, "layer");
    case LOOP_MICRO:
        return fresh_variable(e, counts_ticks(e, &node->body, node->loop.id) ? "tick" : "micro");
    case LOOP_STEPS:
        return fresh_variable(e, "step");
    }
    BUG("a loop of kind %d", (int)node->loop.kind);
}

static void open_loop(Emit *e, const Node *node, const char *variable)
{
    const char *first = emit_affine(e, &node->loop.first), *last = emit_affine(e, &node->loop.last);
    if (node->loop.step > 0 && affine_is_constant(&node->loop.last))
        cw_open(e->out, "for (int64_t %s = %s; %s < %" PRId64 "; %s++)", variable, first, variable,
                node->loop.last.constant + 1, variable);
    else if (node->loop.step > 0)
        cw_open(e->out, "for (int64_t %s = %s; %s <= %s; %s++)", variable, first, variable, last, variable);
    else
        cw_open(e->out, "for (int64_t %s = %s; %s >= %s; %s--)", variable, first, variable, last, variable);
}

static void emit_locals(CWriter *out, const EmitScope *scope)
{
    if (scope->value != NULL && scope->uses_micro)
        cw_line(out, "const int64_t %s = %s;", scope->micro, scope->value);
    for (int i = 0; i < scope->locals.count; i++) {
        const EmitLocal *local = &scope->locals.data[i];
        cw_comment(out, "%s", local->why);
        cw_assign_call(out, arena_printf(out->arena, "const prt_range %s", local->name), local->value);
    }
}

/* The variables that a scope's statements need come before them, so the statements are written to the side first. */
void emit_scope_body(Emit *e, const NodeList *body, EmitScope scope)
{
    scope.outer = e->scope;
    CWriter inner = cw_new(e->arena, e->out->indent), *outer = e->out;
    e->scope = &scope;
    e->out = &inner;
    emit_body(e, body);
    e->out = outer;
    e->scope = scope.outer;
    emit_locals(outer, &scope);
    cw_splice(outer, &inner);
}

/* The last iteration leaves ctx->at as it last set it, so nothing is known about it at the start of a body. */
static void emit_loop(Emit *e, const Node *node)
{
    const char *variable = loop_variable(e, node), *layer = e->layer;
    int loop = node->loop.id;
    open_loop(e, node, variable);
    e->variable[loop] = variable;
    e->layer = node->loop.kind == LOOP_LAYERS ? variable : layer;
    e->source = -1;
    if (node->loop.kind == LOOP_MICRO)
        emit_scope_body(e, &node->body,
                        (EmitScope){.micro = variable, .current = affine_loop(loop, 1, 0), .loop = loop});
    else
        emit_body(e, &node->body);
    e->source = -1;
    e->variable[loop] = NULL;
    e->layer = layer;
    cw_close(e->out, "");
}

/* The microbatch becomes a variable of the guard's scope, like that of a loop. */
static void emit_current(Emit *e, const Node *node, const char *value)
{
    emit_scope_body(
        e, &node->body,
        (EmitScope){
            .micro = fresh_variable(e, "micro"), .value = value, .current = node->guard.value, .loop = e->scope->loop});
}

static void emit_guard(Emit *e, const Node *node)
{
    const char *value = emit_affine(e, &node->guard.value);
    if (node->guard.low == node->guard.high)
        cw_open(e->out, "if (%s == %" PRId64 ")", value, node->guard.low);
    else
        cw_open(e->out, "if (%" PRId64 " <= %s && %s <= %" PRId64 ")", node->guard.low, value, value, node->guard.high);
    if (gives_current(e, node, e->scope->loop) && !affine_equal(&node->guard.value, &e->scope->current))
        emit_current(e, node, value);
    else
        emit_body(e, &node->body);
    e->source = -1;
    cw_close(e->out, "");
}

static void emit_node(Emit *e, const Node *node)
{
    switch (node->kind) {
    case NODE_OP:
        emit_op(e, node->op);
        return;
    case NODE_LOOP:
        emit_loop(e, node);
        return;
    case NODE_GUARD:
        emit_guard(e, node);
        return;
    case NODE_WAIT:
        cw_line(e->out, "prt_wait(ctx, %s, %d);", emit_event(e, node->wait.event, &node->wait.slot), node->wait.stream);
        return;
    }
    BUG("a node of kind %d", (int)node->kind);
}

void emit_body(Emit *e, const NodeList *body)
{
    for (int i = 0; i < body->count; i++)
        emit_node(e, body->data[i]);
}

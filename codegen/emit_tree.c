/* emit_tree.c - loops, guards and waits of a routine. */
#include "codegen/emit.h"

#include <inttypes.h>

/* "layer", "micro", with a number appended inside a loop of the same kind. */
static const char *loop_variable(Emit *e, LoopKind kind)
{
    const char *plain = kind == LOOP_LAYERS ? "layer" : kind == LOOP_MICRO ? "micro" : "step";
    int inside = 0;
    for (int i = 0; i < e->program->loop_count; i++) {
        const char *open = e->variable[i];
        inside += open != NULL && open[0] == plain[0];
    }
    return inside == 0 ? plain : arena_printf(e->arena, "%s%d", plain, inside + 1);
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
    for (int i = 0; i < scope->locals.count; i++) {
        const EmitLocal *local = &scope->locals.data[i];
        cw_comment(out, "%s", local->why);
        cw_assign_call(out, arena_printf(out->arena, "const prt_range %s", local->name), local->value);
    }
}

/* The variables that a scope's statements need come before them, so the statements are written to the side first. */
void emit_scope_body(Emit *e, const NodeList *body, const char *micro)
{
    EmitScope scope = {.outer = e->scope, .micro = micro};
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
    const char *variable = loop_variable(e, node->loop.kind);
    open_loop(e, node, variable);
    e->variable[node->loop.id] = variable;
    e->source = -1;
    if (node->loop.kind == LOOP_MICRO)
        emit_scope_body(e, &node->body, variable);
    else
        emit_body(e, &node->body);
    e->source = -1;
    e->variable[node->loop.id] = NULL;
    cw_close(e->out, "");
}

static void emit_guard(Emit *e, const Node *node)
{
    const char *value = emit_affine(e, &node->guard.value);
    if (node->guard.low == node->guard.high)
        cw_open(e->out, "if (%s == %" PRId64 ")", value, node->guard.low);
    else
        cw_open(e->out, "if (%" PRId64 " <= %s && %s <= %" PRId64 ")", node->guard.low, value, value, node->guard.high);
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
        cw_line(e->out, "prt_wait(ctx, %d, %d);", node->wait.event, node->wait.stream);
        return;
    }
    BUG("a node of kind %d", (int)node->kind);
}

void emit_body(Emit *e, const NodeList *body)
{
    for (int i = 0; i < body->count; i++)
        emit_node(e, body->data[i]);
}

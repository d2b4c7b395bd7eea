/* communicators.c - the rule that says in which communicator a communication takes part (docs/step-program.md 1).
 *
 * Messages between the same two ranks in the same direction that take turns in a fixed order share a channel; nothing
 * else may share their communicator, because ranks reach the messages of other channels, and of the other direction, in
 * orders of their own. All ranks of a group reach its collectives in the order of the program's text, so those on one
 * stream share one; another stream has its own, so that neither waits for the other.
 */
#include "step/step.h"

bool axes_same(AxisSet x, AxisSet y)
{
    bool same = x.count == y.count;
    for (int i = 0; same && i < x.count; i++)
        same = axes_contain(y, x.axis[i]);
    return same;
}

/* "data", "data-tensor.stream1", "stage.channel0": the name says it all, so that equal names are one communicator. */
static const char *name_of(Ctx *ctx, const Decls *decls, const Op *op, bool edges)
{
    Text text = {.arena = ctx->arena};
    for (int a = 0; a < decls->axes.count; a++)
        if (axes_contain(op->axes, a))
            text_add(&text, "%s%s", text.length > 0 ? "-" : "", decls->axes.data[a].name);
    if (edges)
        text_add(&text, ".channel%d", op->peer.channel);
    else if (op->stream > 0)
        text_add(&text, ".stream%d", op->stream);
    return str_intern(ctx->strings, text.data, text.length);
}

static int communicator_of(Ctx *ctx, Program *program, const Op *op)
{
    bool edges = op_is_message(op->kind);
    const char *name = name_of(ctx, program->decls, op, edges);
    for (int i = 0; i < program->communicators.count; i++)
        if (program->communicators.data[i].name == name)
            return i;
    Communicator communicator = {.name = name, .axes = op->axes, .edges = edges, .implied = true, .span = op->span};
    vec_push(ctx->arena, &program->communicators, communicator);
    return program->communicators.count - 1;
}

static void name_in(Ctx *ctx, Program *program, const NodeList *nodes)
{
    for (int i = 0; i < nodes->count; i++) {
        Op *op = node_op(nodes->data[i]);
        if (op != NULL && op_info[op->kind].op_class == CLASS_COMM)
            op->communicator = communicator_of(ctx, program, op);
        name_in(ctx, program, &nodes->data[i]->body);
    }
}

void step_name_communicators(Ctx *ctx, Program *program)
{
    program->communicators.count = 0;
    for (int i = 0; i < program->routines.count; i++)
        name_in(ctx, program, &program->routines.data[i].body);
}

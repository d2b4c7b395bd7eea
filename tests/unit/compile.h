/* compile.h - for unit tests of sema and later stages: a program text to a Train and an Assignment, and the diagnostics
 * as text. */
#ifndef PLACE_TESTS_UNIT_COMPILE_H
#define PLACE_TESTS_UNIT_COMPILE_H

#include "parser/parser.h"
#include "sema/sema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text of a GPT: a tied embedding, a residual stream, attention and normalisation. `sizes` are its parameters, in
 * words, `inner` the width within an mlp. */
#define GPT_MODEL(name, sizes, inner)                                                                                  \
    "model " name "(" sizes ") {\n"                                                                                    \
    "    input tokens, targets : int[batch, context]\n"                                                                \
    "    x = embedding(tokens, vocab, hidden) as wte + positions(context, hidden) as wpe\n"                            \
    "    repeat block[layers] {\n"                                                                                     \
    "        x = x + attention(layernorm(x) as norm1, heads, causal) as attn\n"                                        \
    "        x = x + mlp(layernorm(x) as norm2, " inner ", gelu) as mlp\n"                                             \
    "    }\n"                                                                                                          \
    "    logits = linear(layernorm(x) as norm, vocab, weight = wte.table, bias = none)\n"                              \
    "    loss = mean over batch, context of cross_entropy(logits, targets)\n"                                          \
    "}\n"

typedef struct Compiled {
    Ctx ctx;
    const Train *train; /* NULL where errors were reported */
    const Assignment *assignment;
    char *messages;
} Compiled;

static inline Compiled compile_text(const char *text)
{
    Compiled compiled = {.ctx.arena = arena_new()};
    Ctx *ctx = &compiled.ctx;
    size_t length;
    ctx->strings = str_table_new(ctx->arena);
    ctx->sources = sources_new(ctx->arena);
    ctx->diag = diag_new(ctx->arena, ctx->sources);
    int source = source_add(ctx->sources, "test.place", text, strlen(text));
    const Ast *ast = parser_run(ctx, source);
    const Train *train = NULL;
    compiled.train = sema_run(ctx, ast, &train, &compiled.assignment) ? train : NULL;
    FILE *out = open_memstream(&compiled.messages, &length);
    diag_print_text(ctx->diag, out, false, 20);
    fclose(out);
    return compiled;
}

static inline void compiled_free(Compiled *compiled)
{
    arena_free(compiled->ctx.arena);
    free(compiled->messages);
}

#endif

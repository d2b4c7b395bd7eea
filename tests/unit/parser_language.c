/* The grammar: all of the language parses, to the tree that is meant. */
#include "parser/parser.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Ctx open_ctx(void)
{
    Arena *arena = arena_new();
    Sources *sources = sources_new(arena);
    return (Ctx){.arena = arena, .strings = str_table_new(arena), .sources = sources, .diag = diag_new(arena, sources)};
}

static Ast *parse(Ctx *ctx, const char *text)
{
    return parser_run(ctx, source_add(ctx->sources, "t.place", text, strlen(text)));
}

static void expect_clean(const Ctx *ctx, const char *what)
{
    if (diag_count(ctx->diag) > 0) {
        diag_print_text(ctx->diag, stderr, false, 20);
        fail_msg("%s does not parse", what);
    }
}

static const char *dump(Ctx *ctx, const Ast *ast)
{
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    ast_print(ast, out);
    fclose(out);
    char *copy = arena_copy(ctx->arena, text, length);
    free(text);
    return copy;
}

/* The program of the reference manual that shows a cluster of several levels and composed strategies. */
static const char cluster_program[] =
    "place 1\n"
    "import \"gpt.place\"                       # everything but its `train`\n"
    "cluster dgx { 16 nodes of 8 h100  within nvlink  between infiniband 400 Gbit/s }\n"
    "mesh pod on dgx { stage: 4, data: 4, tensor: 8 }\n"
    "\n"
    "train gpt(layers = 96, hidden = 12288, heads = 96, context = 2048, vocab = 50304) on pod {\n"
    "    strategy  zero1(data) * megatron(tensor, sequence_parallel = true) *\n"
    "              pipeline(stage, schedule = one_f_one_b) * recompute(block[*].attn)\n"
    "    optimizer adamw(rate = 6e-5)\n"
    "    precision bf16, master f32\n"
    "    batch     1536 in 384 microbatches\n"
    "}\n";

static const char strategy_program[] =
    "strategy mine(d: axis, t: axis) {\n"
    "    parameters of block[0..3].mlp gathered over d\n"
    "    optimizer  sharded over d by rows offloaded to host\n"
    "    sync gradients of block[*].norm1 : sum over t at step scale 1/t\n"
    "}\n"
    "mode gathered over a { rest sharded over a; use replicated over a made by copy kept until pass }\n"
    "state ema { one per parameter; dtype f32; lives run; update after optimizer : 0.999 * ema + 0.001 * parameters "
    "}\n";

/* One statement each; a model, strategy or train around it where it needs one. */
static const char *const model_lines[] = {
    "input tokens, targets : int[batch, context]",
    "input x : f32[batch, 2 * hidden]",
    "input seed : int",
    "input = 3",
    "repeat = model + train",
    "x = mean",
    "x = -a * -(b + c) / 2 - d",
    "x = f(g(y) as inner, causal, width = 3 + 1,) as outer",
    "x = f()",
    "x = f(\n    a,\n    b\n)",
    "x = a +\n    b",
    "loss = mean over batch, context of cross_entropy(logits, targets)",
    "loss = mean over batch of a where mask + 0.1 * sum over batch of b",
    "loss = mean over batch of a where targets != 0",
    "loss = sum over batch of mean over context of a where m",
    "keep = targets >= 0",
    "logits = linear(x, vocab, weight = wte.table, bias = none)",
    "y = conv(x, 64, kernel = 3, stride = 2) as stem",
    "y = experts[0..3, 7].out",
    "repeat block[layers] { x = f(x) as inner; repeat part[2] { x = g(x) } }",
    "repeat block[layers / 2] {}",
};
static const char *const strategy_lines[] = {
    "activations sharded over d by batch",
    "parameters of wte, block[0..3].mlp, block[*].norm1 gathered over d, t kept until step",
    "optimizer replicated",
    "optimizer offloaded to host",
    "optimizer sharded over d on file",
    "activations of block[*] materialized",
    "sync gradients : none",
    "sync norm : sum over d then mean over t",
    "sync gradients of block[0].mlp : sum over d into shards each microbatch scale 1/d when d > 1 derive the rest",
    "sync gradients : mean over d after microbatch K - 1",
    "sync parameters : gather over d at step",
    "sync count : none",
    "sync batch : none",
    "state of mode mesh over train",
};
static const char *const train_lines[] = {
    "strategy zero3(data)",
    "search over pod { budget 3 s; try 100 }",
    "optimizer adamw(rate = 3e-4, warmup = 20, decay = 0.1)",
    "clip norm 1.0",
    "precision f32",
    "precision bf16, master f32",
    "gradients f32",
    "data bytes \"corpus.txt\"",
    "data bytes \"corpus.txt\" read by data",
    "data synthetic",
    "seed 1 + coordinate(data)",
    "batch 8 in 1 microbatches",
    "steps 120",
    "checkpoint every 50 steps in \"gpt.ckpt\"",
    "assert memory per device < 1 GiB",
    "assert traffic over data per step <= 2 GB",
    "contract exact",
    "contract in distribution",
    "contract stale(2), routing per group",
    "shuffle",
    "average parameters : 0.9 * ema + 0.1 * parameters",
    "precision of block[0..3].mlp f32",
};

static void parse_lines(const char *before, const char *after, const char *const *lines, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        Ctx ctx = open_ctx();
        Ast *ast = parse(&ctx, arena_printf(ctx.arena, "%s%s%s", before, lines[i], after));
        expect_clean(&ctx, lines[i]);
        assert_int_equal(ast->items.count, 1);
        arena_free(ctx.arena);
    }
}

#define PARSE_LINES(before, after, lines) parse_lines(before, after, lines, sizeof(lines) / sizeof((lines)[0]))

static void statements(void **state)
{
    (void)state;
    PARSE_LINES("model m(a, b = 2) {\n", "\n}\n", model_lines);
    PARSE_LINES("model m {", "}", model_lines);
    PARSE_LINES("strategy s(d: axis, n: int = 2) {\n", "\n}\n", strategy_lines);
    PARSE_LINES("strategy s() { ", " }", strategy_lines);
    PARSE_LINES("train m on pod {\n", "\n}\n", train_lines);
    PARSE_LINES("train m(a = 1,) on pod {", "; }", train_lines);
}

static void whole_programs(void **state)
{
    (void)state;
    const char *const programs[] = {cluster_program, strategy_program};
    for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
        Ctx ctx = open_ctx();
        parse(&ctx, programs[i]);
        expect_clean(&ctx, "a program of the manual");
        arena_free(ctx.arena);
    }
}

static void empty_files(void **state)
{
    (void)state;
    const char *const texts[] = {"", "\n\n", "# nothing", "place 1", "\n;\n"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]) - 1; i++) {
        Ctx ctx = open_ctx();
        parse(&ctx, texts[i]);
        expect_clean(&ctx, "an empty file");
        arena_free(ctx.arena);
    }
}

static void example_files(void **state)
{
    (void)state;
    const char *const paths[] = {"examples/gpt.place", "examples/mlp.place"};
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        Ctx ctx = open_ctx();
        int source = source_read(ctx.sources, paths[i]);
        if (source == 0)
            fail_msg("%s cannot be read: run from the root of the tree", paths[i]);
        parser_run(&ctx, source);
        expect_clean(&ctx, paths[i]);
        arena_free(ctx.arena);
    }
}

/* Every example of the manual. */
static void manual(void **state)
{
    (void)state;
    static const char open_fence[] = "\n```place\n", close_fence[] = "\n```\n";
    Ctx ctx = open_ctx();
    int source = source_read(ctx.sources, "docs/language.md");
    if (source == 0)
        fail_msg("docs/language.md cannot be read: run from the root of the tree");
    const char *at = source_of(ctx.sources, (Span){source, 0, 0})->text;
    int examples = 0;
    while ((at = strstr(at, open_fence)) != NULL) {
        at += strlen(open_fence);
        const char *end = strstr(at, close_fence);
        assert_non_null(end);
        parser_run(&ctx, source_add(ctx.sources, "docs/language.md", at, (size_t)(end - at)));
        expect_clean(&ctx, "an example of docs/language.md");
        examples++;
    }
    assert_true(examples >= 3);
    arena_free(ctx.arena);
}

static bool declares(const Ast *ast, AstKind kind, const char *name)
{
    for (int i = 0; i < ast->items.count; i++) {
        const AstNode *item = ast->items.data[i];
        const char *text = item->kind != kind     ? NULL
                           : kind == AST_MODE     ? item->mode.name.text
                           : kind == AST_STATE    ? item->state.name.text
                           : kind == AST_STRATEGY ? item->strategy.name.text
                                                  : NULL;
        if (text != NULL && strcmp(text, name) == 0)
            return true;
    }
    return false;
}

static void prelude(void **state)
{
    (void)state;
    Ctx ctx = open_ctx();
    Ast *ast = parser_run_prelude(&ctx);
    expect_clean(&ctx, "the prelude");
    assert_string_equal(source_of(ctx.sources, ast->items.data[0]->span)->name, "<prelude>");
    const char *const modes[] = {"replicated", "sharded", "gathered", "materialized", "offloaded"};
    const char *const states[] = {"parameters", "optimizer", "gradients", "activations"};
    const char *const strategies[] = {"data_parallel", "zero1", "zero2", "zero3", "fsdp"};
    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
        assert_true(declares(ast, AST_MODE, modes[i]));
    for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
        assert_true(declares(ast, AST_STATE, states[i]));
    for (size_t i = 0; i < sizeof(strategies) / sizeof(strategies[0]); i++)
        assert_true(declares(ast, AST_STRATEGY, strategies[i]));
    arena_free(ctx.arena);
}

typedef struct TreeCase {
    const char *text, *tree;
} TreeCase;

static const TreeCase tree_cases[] = {
    /* Products before sums, from the left; minus before products. */
    {"model m { x = a - b - -c * d }", "1:1 model m\n"
                                       "  1:11 assign x\n"
                                       "    1:15 binary -\n"
                                       "      1:15 binary -\n"
                                       "        1:15 name a\n"
                                       "        1:19 name b\n"
                                       "      1:23 binary *\n"
                                       "        1:23 negate\n"
                                       "          1:24 name c\n"
                                       "        1:28 name d\n"},
    /* A reduction takes the product after it and ends before the plus; its mask is one comparison. */
    {"model m { x = mean over b, c of 2 * y where m < 3 + z }", "1:1 model m\n"
                                                                "  1:11 assign x\n"
                                                                "    1:15 binary +\n"
                                                                "      1:15 reduction mean over b, c where\n"
                                                                "        1:33 binary *\n"
                                                                "          1:33 number 2\n"
                                                                "          1:37 name y\n"
                                                                "        1:45 binary <\n"
                                                                "          1:45 name m\n"
                                                                "          1:49 number 3\n"
                                                                "      1:53 name z\n"},
    /* The mask belongs to the nearest reduction. */
    {"model m { x = sum over a of sum over b of y where m }", "1:1 model m\n"
                                                              "  1:11 assign x\n"
                                                              "    1:15 reduction sum over a\n"
                                                              "      1:29 reduction sum over b where\n"
                                                              "        1:43 name y\n"
                                                              "        1:51 name m\n"},
    /* A label belongs to its call. */
    {"model m { x = f(y) as a + g(z) as b }", "1:1 model m\n"
                                              "  1:11 assign x\n"
                                              "    1:15 binary +\n"
                                              "      1:15 call as a\n"
                                              "        1:15 name f\n"
                                              "        1:17 name y\n"
                                              "      1:27 call as b\n"
                                              "        1:27 name g\n"
                                              "        1:29 name z\n"},
    {"strategy s { parameters of block[0..3].mlp gathered over d by rows on host kept until step }",
     "1:1 strategy s\n"
     "  1:14 placement parameters gathered over d by rows on host kept until step\n"
     "    1:28 member .mlp\n"
     "      1:28 index\n"
     "        1:28 name block\n"
     "        1:34 range\n"
     "          1:34 number 0\n"
     "          1:37 number 3\n"},
    {"strategy s { sync norm : sum over d then mean over t, u after microbatch 2 scale 1/t derive the rest }",
     "1:1 strategy s\n"
     "  1:14 sync norm\n"
     "    1:26 clause sum over d\n"
     "    1:42 clause mean over t, u after microbatch # scale # derive the rest\n"
     "      1:74 number 2\n"
     "      1:82 binary /\n"
     "        1:82 number 1\n"
     "        1:84 name t\n"},
    {"train m on p { seed 1 + coordinate(data) ; data bytes \"a\\\"b\" read by data }", "1:1 train m on p\n"
                                                                                        "  1:16 setting seed\n"
                                                                                        "    1:21 binary +\n"
                                                                                        "      1:21 number 1\n"
                                                                                        "      1:25 call\n"
                                                                                        "        1:25 name coordinate\n"
                                                                                        "        1:36 name data\n"
                                                                                        "  1:44 setting data\n"
                                                                                        "    1:49 name bytes\n"
                                                                                        "    1:55 string \"a\\\"b\"\n"
                                                                                        "    1:62 name read\n"
                                                                                        "    1:67 mark by\n"
                                                                                        "    1:70 name data\n"},
    {"mesh m on c {\n  a: 2, b: 3\n  c: 4\n}", "1:1 mesh m on c\n"
                                               "  2:3 axis a\n"
                                               "    2:6 number 2\n"
                                               "  2:9 axis b\n"
                                               "    2:12 number 3\n"
                                               "  3:3 axis c\n"
                                               "    3:6 number 4\n"},
    {"# before\nmodel m { # next to\n  # inside\n  x = 1\n}\n# after", "2:1 model m\n"
                                                                       "  4:3 assign x\n"
                                                                       "    4:7 number 1\n"
                                                                       "1:1 leading comment of 2:1 \"# before\"\n"
                                                                       "2:11 trailing comment of 2:1 \"# next to\"\n"
                                                                       "3:3 leading comment of 4:3 \"# inside\"\n"
                                                                       "6:1 leading comment \"# after\"\n"},
};

static void trees(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(tree_cases) / sizeof(tree_cases[0]); i++) {
        Ctx ctx = open_ctx();
        Ast *ast = parse(&ctx, tree_cases[i].text);
        expect_clean(&ctx, tree_cases[i].text);
        assert_string_equal(dump(&ctx, ast), tree_cases[i].tree);
        arena_free(ctx.arena);
    }
}

/* Every contextual keyword is a name where a name can stand. */
static void keywords_are_names(void **state)
{
    (void)state;
    static const char *const words[] = {
#define TOKEN(KIND, text)
#define CONTEXTUAL(KIND, text) text,
#include "lexer/token.def"
#undef TOKEN
    };
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        const char *w = words[i];
        Ctx ctx = open_ctx();
        parse(&ctx,
              arena_printf(ctx.arena,
                           "model %s(%s = 1) {\n input %s, %s : %s[2]\n %s = f(%s = 1) as %s\n"
                           " repeat %s[2] { x = y.%s }\n}\n"
                           "mesh %s on %s { %s: 2 }\nstrategy %s(%s: %s) {\n %s of a.%s %s over %s by %s\n"
                           " sync %s : %s over %s at %s\n}\ntrain %s on %s { %s 1 }\nstate %s { one }\n",
                           w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w));
        expect_clean(&ctx, w);
        bool can_begin = strcmp(w, "as") != 0 && strcmp(w, "where") != 0;
        parse(&ctx, arena_printf(ctx.arena, "model m {\n x = %s + %s[1].%s * %s(2)\n}", w, w, w, w));
        assert_int_equal(diag_count(ctx.diag) == 0, can_begin);
        arena_free(ctx.arena);
    }
}

static const AstNode *first_setting(Ctx *ctx, const char *line)
{
    Ast *ast = parse(ctx, arena_printf(ctx->arena, "train m on p {\n%s\n}", line));
    expect_clean(ctx, line);
    return ast->items.data[0]->train.body.data[0];
}

static void settings_match(void **state)
{
    (void)state;
    Ctx ctx = open_ctx();
    const AstNode *found[3] = {0};
    const AstNode *setting = first_setting(&ctx, "checkpoint every 50 steps in \"gpt.ckpt\"");
    assert_string_equal(setting->setting.key.text, "checkpoint");
    assert_true(ast_match(setting, "every # steps in #", found));
    assert_int_equal(found[0]->number.integer, 50);
    assert_string_equal(found[1]->string.text, "gpt.ckpt");
    assert_false(ast_match(setting, "every # steps", NULL));
    assert_int_equal(ast_mismatch(setting, "every # steps"), 3);
    assert_int_equal(ast_mismatch(setting, "every # hours in #"), 2);
    assert_int_equal(ast_mismatch(setting, "every # steps in # over #"), 5);
    assert_int_equal(ast_mismatch(setting, ""), 0);
    assert_int_equal(ast_mismatch(setting, " every  # steps in # "), -1);

    const AstNode *assertion = first_setting(&ctx, "assert memory per device < 1 GiB");
    assert_true(ast_match(assertion, "memory per device < #", found));
    assert_true(found[0]->number.measure == MEASURE_BYTES);
    assert_false(ast_match(assertion, "memory per device # #", found)); /* a mark is no expression */
    assert_true(ast_match(first_setting(&ctx, "precision bf16, master f32"), "# , master #", found));
    assert_true(ast_match(first_setting(&ctx, "shuffle"), "", found));
    arena_free(ctx.arena);
}

static int count_nodes(const AstNode *node, Arena *arena)
{
    AstNode **children = arena_array(arena, AstNode *, ast_children(node, NULL) + 1);
    int total = 1;
    int count = ast_children(node, children);
    assert_null(children[count]);
    for (int i = 0; i < count; i++) {
        assert_true(children[i]->depth < node->depth);
        assert_true(children[i]->span.start >= node->span.start && children[i]->span.end <= node->span.end);
        total += count_nodes(children[i], arena);
    }
    return total;
}

/* Children lie inside their parents, are less deep, and all of them are found. */
static void children(void **state)
{
    (void)state;
    const char *const programs[] = {cluster_program, strategy_program};
    for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
        Ctx ctx = open_ctx();
        Ast *ast = parse(&ctx, programs[i]);
        int lines = 0, nodes = 0;
        for (const char *at = dump(&ctx, ast); (at = strchr(at, '\n')) != NULL; at++)
            lines++;
        for (int k = 0; k < ast->items.count; k++)
            nodes += count_nodes(ast->items.data[k], ctx.arena);
        assert_int_equal(nodes, lines - ast->comments.count);
        arena_free(ctx.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statements),     cmocka_unit_test(whole_programs),
        cmocka_unit_test(empty_files),    cmocka_unit_test(example_files),
        cmocka_unit_test(manual),         cmocka_unit_test(prelude),
        cmocka_unit_test(trees),          cmocka_unit_test(keywords_are_names),
        cmocka_unit_test(settings_match), cmocka_unit_test(children),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

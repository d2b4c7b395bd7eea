/* Updates that are not the usual ones, under every placement: what the deriver makes of them is proved, and what is
 * made wrong on purpose is refused.
 */
#include "tests/sanitized.h"
#include "tests/unit/derived.h"

static const char model[] = "place 1\n"
                            "model net(layers = 3, hidden = 6, heads = 2, context = 4, vocab = 7) {\n"
                            "    input tokens, targets : int[batch, context]\n"
                            "    x = embedding(tokens, vocab, hidden) as wte + positions(context, hidden) as wpe\n"
                            "    repeat block[layers] {\n"
                            "        x = x + attention(layernorm(x) as norm1, heads, causal) as attn\n"
                            "        x = x + mlp(x, 5, gelu) as mlp\n"
                            "    }\n"
                            "    logits = linear(x, vocab, weight = wte.table, bias = none)\n"
                            "    loss = mean over batch, context of cross_entropy(logits, targets)\n"
                            "}\n";

typedef struct Setting {
    const char *declared, *strategy, *train; /* states; lines of strategy "mine(n: axis, d: axis)"; of the train */
    int nodes, ranks, micro;
} Setting;

static char *setting_text(const Setting *s)
{
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    fprintf(out, "%s%scluster laptop { %d devices of cpu }\nmesh local on laptop { node: %d, data: %d }\n", model,
            s->declared, s->nodes * s->ranks, s->nodes, s->ranks);
    fprintf(out, "strategy mine(n: axis, d: axis) {\n%s}\n", s->strategy);
    fprintf(out, "train net on local {\n    strategy mine(node, data)\n    data synthetic\n%s", s->train);
    fprintf(out, "    batch %d in %d microbatches\n    steps 10\n}\n", 30 * s->micro, s->micro);
    fclose(out);
    return text;
}

/* Derives and verifies. */
static char *answer(const Setting *s, bool show)
{
    char *text = setting_text(s), *codes = derived_codes(text, show);
    free(text);
    return codes;
}

/* The same of the text of a step program. */
static char *text_answer(const char *text)
{
    Ctx ctx = {.arena = arena_new()};
    ctx.strings = str_table_new(ctx.arena);
    ctx.sources = sources_new(ctx.arena);
    ctx.diag = diag_new(ctx.arena, ctx.sources);
    StepFile *file = step_read(&ctx, source_add(ctx.sources, "cut.step", text, strlen(text)));
    Verdict verdict;
    if (file != NULL)
        verify_run(&ctx, file, &verdict);
    char *codes = codes_of(&ctx, getenv("VERIFY_SHOW") != NULL);
    arena_free(ctx.arena);
    return codes;
}

static void expect(const Setting *s, const char *expected)
{
    char *codes = answer(s, getenv("VERIFY_SHOW") != NULL);
    if (strcmp(codes, expected) != 0) {
        free(answer(s, true));
        fail_msg("%d nodes, %d ranks, %d microbatches: expected '%s', found '%s'", s->nodes, s->ranks, s->micro,
                 expected, codes);
    }
    free(codes);
}

#define BATCH "    activations sharded over n, d by batch\n"
#define ZERO3 "    parameters gathered over d\n    gradients sharded over d\n    optimizer sharded over d\n"

static const char *const placements[] = {
    BATCH,
    "    optimizer sharded over d\n" BATCH,
    "    gradients sharded over d\n    optimizer sharded over n, d\n" BATCH,
    ZERO3 BATCH,
    "    parameters gathered over n, d\n    parameters of block[0].attn replicated\n    optimizer sharded over n\n"
    "    optimizer of block[1..2] replicated\n" BATCH,
};
enum { PLACEMENT_COUNT = sizeof placements / sizeof *placements };

static const int meshes[][3] = {{1, 1, 1}, {1, 3, 2}, {2, 3, 1}, {3, 2, 5}};

/* Under the sanitizers those of three axes' sizes with a 1 and without. */
enum { FIRST_MESH = SANITIZED ? 1 : 0, MESHES_APART = SANITIZED ? 2 : 1 };

static void expect_everywhere(const char *declared, const char *strategy, const char *train)
{
    for (int i = 0; i < PLACEMENT_COUNT; i++)
        for (size_t m = FIRST_MESH; m < sizeof meshes / sizeof *meshes; m += MESHES_APART) {
            char lines[2000];
            snprintf(lines, sizeof lines, "%s%s", placements[i], strategy);
            Setting s = {declared, lines, train, meshes[m][0], meshes[m][1], meshes[m][2]};
            expect(&s, "");
        }
}

/* ---- Declared states ------------------------------------------------------------------------------------ */

static const char states[] =
    "state ema { one per parameter; start parameters; update after optimizer : 0.999 * ema + 0.001 * parameters }\n"
    "state squares { one per parameter; update before optimizer : squares + gradients * gradients / (1 + step) }\n"
    "state count { one; start 1; update after optimizer : 2 * count }\n"
    "state both { one per parameter; update after optimizer : (both + ema) * count - squares }\n";

static void test_states(void **state)
{
    static const char *const strategies[] = {
        "", "    ema replicated\n", "    ema sharded over d\n    squares sharded over n, d\n",
        "    both sharded over n\n    ema of block[1].mlp sharded over n, d\n    squares of wte replicated\n"};
    (void)state;
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++)
        expect_everywhere(states, strategies[i], "    optimizer adamw(rate = 1e-3)\n    clip norm 1.0\n");
}

/* A wrong gradient is seen in them too, though the optimizer should read a right one. */
static void test_wrong_states(void **state)
{
    (void)state;
    Setting s = {
        states, BATCH "    sync gradients of block : mean over n, d at step\n", "    optimizer sgd(rate = 0.1)\n", 1, 2,
        1};
    expect(&s, "P0303");
}

/* ---- Optimizers that are not elementwise -------------------------------------------------------------------- */

static void test_optimizers(void **state)
{
    static const char *const trains[] = {
        "    optimizer lamb(rate = 1e-3, decay = 0.1)\n    clip norm 1.0\n",
        "    optimizer lars(rate = 0.1, decay = 0.1)\n",
        "    optimizer adafactor(rate = 0.1)\n    clip norm 1.0\n",
        "    optimizer muon(rate = 1e-3, decay = 0.1)\n    clip norm 1.0\n",
        "    optimizer muon(rate = 1e-3)\n    precision bf16, master f32\n",
        "    optimizer adafactor(rate = 1e-3)\n    precision bf16, master f32\n",
        "    optimizer adamw(rate = 1e-3)\n    clip norm 1.0\n    precision bf16, master f32, loss_scale dynamic\n",
        "    optimizer lamb(rate = 1e-3)\n    precision f32, loss_scale dynamic\n",
        "    optimizer muon(rate = 1e-3)\n    clip norm 1.0\n    precision bf16, loss_scale dynamic\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof trains / sizeof *trains; i++)
        expect_everywhere("", "", trains[i]);
}

/* What is missing is seen: each line of the step, left out, is an error. */
typedef struct Cut {
    const char *train, *strategy;
    const char *line; /* of the program's text: the first that holds this */
    const char *with; /* its new end from there on; NULL: it is left out */
    const char *expected;
} Cut;

#define LAMB "    optimizer lamb(rate = 1e-3, decay = 0.1)\n"
#define ADAFACTOR "    optimizer adafactor(rate = 1e-2)\n"
#define MUON "    optimizer muon(rate = 1e-2)\n"
#define SCALED "    optimizer sgd(rate = 1e-2)\n    precision bf16, loss_scale dynamic\n"
#define OFFLOADED "    optimizer replicated on host\n" BATCH
#define ZERO1 "    optimizer sharded over n, d\n" BATCH

#define TENSOR                                                                                                         \
    "    parameters of *.up sharded over n by out\n    parameters of *.down.weight sharded over n by in\n"             \
    "    activations sharded over d by batch\n"

static const Cut cuts[] = {
    {LAMB, ZERO1, "= all_reduce(weight_squares", NULL, "P0316"},
    {LAMB, ZERO1, "= all_reduce(direction_squares", NULL, "P0316"},
    {LAMB, ZERO1, "= all_reduce(direction_squares", "= all_reduce(direction_squares.outside) sum over data\n", "P0316"},
    {LAMB, BATCH, "= sum_squares(parameters", "= sum_squares(gradients.outside)\n", "P0316"},
    {ADAFACTOR, ZERO1, "= all_reduce(sums", NULL, "P0301"}, /* the update is given a direction that is none */
    {ADAFACTOR, ZERO1, "= all_reduce(direction_squares", NULL, "P0316"},
    /* Sums over columns that are cut, over rows that are; rows that ranks have of their own are no parts of a sum. */
    {ADAFACTOR, TENSOR, "= all_reduce(sums.20", NULL, "P0301"},
    {ADAFACTOR, TENSOR, "= all_reduce(sums.21", NULL, "P0301"},
    {ADAFACTOR, TENSOR, "= all_reduce(total.10", NULL, "P0301"},
    {ADAFACTOR, TENSOR, "sums.19.block.mlp = reduce(",
     "sums.19.block.mlp = reduce(squares.13.block.mlp)\nsums.19.block.mlp = all_reduce(sums.19.block.mlp) sum over "
     "node "
     "id 90000\n",
     "P0320"},
    {MUON, TENSOR, "= all_gather(unit_direction", NULL, "P0330"},
    {MUON, TENSOR, "= slice(orthogonal", NULL, "P0330"},
    {MUON, ZERO1, "= all_gather(unit_direction", NULL, "P0330"},
    {MUON, BATCH, "= all_reduce(gradients.block.part2", NULL, "P0301"},
    /* Ranks that decide by their own pieces, a state that is updated all the same, a gradient that stays scaled. */
    {SCALED, ZERO1, "scaled_squares = all_reduce(scaled_squares", NULL, "P0315 P0316"},
    {SCALED, ZERO1, "select(finite, next.outside", "copy(next.outside)\n", "P0316"},
    /* What is updated and not copied back, or updated where it rests. */
    {MUON, OFFLOADED, "adam_m.outside = copy(adam_m.outside.staged)", NULL, "P0316"},
    {MUON, OFFLOADED, "adam_m.outside.staged = copy(adam_m.outside)", NULL, "P0330"},
    {MUON, OFFLOADED, "ema(adam_m.outside.staged", "ema(adam_m.outside, gradients.outside; 0.9)\n", "P0334"},
    {SCALED, BATCH, "mul(gradients.outside, inverse_scale)", NULL, "P0320"},
};

static void program_text(const Setting *s, char **text)
{
    size_t length;
    char *place = setting_text(s);
    Compiled compiled = compile_text(place);
    StepFile *file = compiled.train != NULL ? lowered_step(&compiled.ctx, compiled.train, compiled.assignment) : NULL;
    if (file == NULL)
        fail_msg("%s", compiled.messages);
    FILE *out = open_memstream(text, &length);
    step_print(file, NULL, out);
    fclose(out);
    compiled_free(&compiled);
    free(place);
}

/* The text with one line of its program changed. */
static char *cut_line(const char *text, const Cut *cut)
{
    const char *program = strstr(text, "\nprogram {"), *at = program != NULL ? strstr(program, cut->line) : NULL;
    if (at == NULL)
        fail_msg("no line with '%s'", cut->line);
    const char *start = at, *end = strchr(at, '\n') + 1;
    while (start[-1] != '\n')
        start--;
    char *result;
    size_t length;
    FILE *out = open_memstream(&result, &length);
    fprintf(out, "%.*s", (int)((cut->with != NULL ? at : start) - text), text);
    fprintf(out, "%s%s", cut->with != NULL ? cut->with : "", end);
    fclose(out);
    return result;
}

static void test_cut_lines(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        Setting s = {"", cuts[i].strategy, cuts[i].train, 2, 2, 1};
        char *text;
        program_text(&s, &text);
        char *wrong = cut_line(text, &cuts[i]);
        char *codes = text_answer(wrong);
        if (strstr(codes, cuts[i].expected) != codes)
            fail_msg("cut %d, '%s': expected '%s', found '%s'", (int)i, cuts[i].line, cuts[i].expected, codes);
        free(codes);
        codes = text_answer(text);
        assert_string_equal(codes, "");
        free(codes);
        free(wrong);
        free(text);
    }
}

/* ---- Syncs that are started, in the loop over a layer, and waited for in another ------------------------------ */

static void test_started(void **state)
{
    static const char *const started[][2] = {
        {BATCH "    sync gradients of block[1] : sum over d after microbatch 1 wait at step derive the rest\n", ""},
        {BATCH "    sync gradients of block[1] : sum over n, d at step wait at step scale 2\n", "P0303"},
        {BATCH "    sync gradients of block[1] : mean over d after microbatch 1 wait at step scale 4 derive the rest\n",
         "P0303"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof started / sizeof *started; i++) {
        Setting s = {"", started[i][0], "    optimizer sgd(rate = 0.1)\n", 2, 2, 2};
        char *text;
        program_text(&s, &text);
        char *codes = text_answer(text);
        assert_string_equal(codes, started[i][1]);
        free(codes);
        free(text);
    }
}

/* ---- States that are stored on the host or in a file -------------------------------------------------------- */

static void test_tiers(void **state)
{
    static const char *const strategies[] = {
        "    optimizer sharded over d offloaded to host\n" BATCH,
        "    optimizer replicated on host\n    optimizer of block[1..2].mlp sharded over n, d to file\n" BATCH,
        ZERO3 BATCH "    ema sharded over n on file\n    both replicated on host\n",
        "    optimizer offloaded over n, d\n    parameters gathered over d\n" BATCH,
    };
    static const char *const trains[] = {
        "    optimizer adamw(rate = 1e-3)\n    clip norm 1.0\n",
        "    optimizer adafactor(rate = 1e-3)\n    precision bf16, master f32, loss_scale dynamic\n",
        "    optimizer muon(rate = 1e-3)\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++)
        for (size_t t = 0; t < sizeof trains / sizeof *trains; t++)
            for (size_t m = 1; m < 3; m++) {
                Setting s = {states, strategies[i], trains[t], meshes[m][0], meshes[m][1], meshes[m][2]};
                expect(&s, "");
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_states),     cmocka_unit_test(test_wrong_states),
                                       cmocka_unit_test(test_optimizers), cmocka_unit_test(test_cut_lines),
                                       cmocka_unit_test(test_started),    cmocka_unit_test(test_tiers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

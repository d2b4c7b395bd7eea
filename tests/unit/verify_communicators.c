/* Pipelines as the deriver makes them, with their messages put on fewer communicators: which of these hang is known.
 * One per directed edge and channel, which the deriver gives them, is the only assignment under which none does. */
#include "tests/unit/derived.h"

typedef enum Assigned { ONE_PER_AXIS, ONE_PER_CHANNEL, ONE_PER_DIRECTION, AS_DERIVED, ASSIGNED_COUNT } Assigned;

static const char *const assigned_names[] = {"one per axis", "one per channel", "one per direction",
                                             "one per directed edge and channel"};

typedef struct Pipeline {
    const char *schedule;
    bool tied;
    const char *expected[ASSIGNED_COUNT];
} Pipeline;

static Compiled compile_pipeline(const Pipeline *pipeline, int stages, int micro)
{
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    fprintf(out,
            "place 1\n"
            "model gpt(layers = 8, hidden = 4, heads = 2, context = 3, vocab = 5) {\n"
            "    input tokens, targets : int[batch, context]\n"
            "    x = embedding(tokens, vocab, hidden) as wte + positions(context, hidden) as wpe\n"
            "    repeat block[layers] {\n"
            "        x = x + attention(layernorm(x) as norm1, heads, causal) as attn\n"
            "        x = x + mlp(layernorm(x) as norm2, hidden, gelu) as mlp\n"
            "    }\n"
            "    logits = linear(layernorm(x) as norm, vocab, %sbias = none) as head\n"
            "    loss = mean over batch, context of cross_entropy(logits, targets)\n"
            "}\n",
            pipeline->tied ? "weight = wte.table, " : "");
    char strategy[80], mesh[20];
    snprintf(strategy, sizeof strategy, "pipeline(stage, schedule = %s)", pipeline->schedule);
    snprintf(mesh, sizeof mesh, "stage: %d", stages);
    fclose(out);
    Compiled compiled = compile_on_mesh(text, &(OnMesh){mesh, strategy, stages, micro}, micro);
    free(text);
    return compiled;
}

/* From a stage to the next one, or to a later one: what goes around the ring counts as a step of its own. */
static bool goes_up(const Op *op)
{
    bool sends = !op_has_result(op->kind);
    return sends == (op->peer.coordinate.constant > 0);
}

/* Communicator `base` is the first of new ones. */
static void assign(const NodeList *nodes, Assigned assigned, int base)
{
    for (int i = 0; i < nodes->count; i++) {
        Op *op = node_op(nodes->data[i]);
        assign(&nodes->data[i]->body, assigned, base);
        if (op == NULL || !op_is_message(op->kind))
            continue;
        switch (assigned) {
        case ONE_PER_AXIS:
            op->communicator = base;
            break;
        case ONE_PER_CHANNEL:
            op->communicator = base + op->peer.channel;
            break;
        case ONE_PER_DIRECTION:
            op->communicator = base + goes_up(op);
            break;
        case AS_DERIVED:
        case ASSIGNED_COUNT:
            break;
        }
    }
}

static void put_on_fewer(Ctx *ctx, Program *program, Assigned assigned)
{
    static const char *const names[] = {"first", "second", "third"}; /* for as many channels */
    int base = program->communicators.count;
    for (int i = 0; i < base; i++)
        program->communicators.data[i].implied = false;
    for (int i = 0; i < 3; i++) {
        Communicator communicator = {.name = names[i], .axes = {1, {0}}};
        vec_push(ctx->arena, &program->communicators, communicator);
    }
    for (int r = 0; r < program->routines.count; r++)
        assign(&program->routines.data[r].body, assigned, base);
}

static char *text_of(const StepFile *file)
{
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    step_print(file, NULL, out);
    fclose(out);
    return text;
}

/* The verdict on the program's text, which must be what is printed of what is read. */
static void expect(const Pipeline *pipeline, Assigned assigned, int stages, int micro)
{
    Compiled compiled = compile_pipeline(pipeline, stages, micro);
    Ctx *ctx = &compiled.ctx;
    StepFile *file = derive_compiled(&compiled);
    assert_non_null(file);
    if (assigned != AS_DERIVED)
        put_on_fewer(ctx, file->program, assigned);
    char *text = text_of(file);
    file = step_read(ctx, source_add(ctx->sources, "pipeline.step", text, strlen(text)));
    assert_non_null(file);
    char *again = text_of(file);
    assert_string_equal(text, again);
    Verdict verdict;
    verify_run(ctx, file, &verdict);
    char *codes = codes_of(ctx, false);
    if (strcmp(codes, pipeline->expected[assigned]) != 0)
        fail_msg("%s%s, %d stages, %d microbatches, %s: expected '%s', found '%s'", pipeline->schedule,
                 pipeline->tied ? ", tied" : "", stages, micro, assigned_names[assigned], pipeline->expected[assigned],
                 codes);
    free(codes);
    free(again);
    free(text);
    compiled_free(&compiled);
}

static void test_table(void **state)
{
    (void)state;
    static const Pipeline pipelines[] = {
        {"gpipe", false, {"", "", "", ""}},
        {"gpipe", true, {"P0337", "P0337", "", ""}},
        {"one_f_one_b", false, {"P0337", "", "", ""}},
        {"one_f_one_b", true, {"P0337", "P0337", "", ""}},
        {"interleaved, chunks = 2", false, {"P0337", "P0337", "P0337", ""}},
        {"interleaved, chunks = 2", true, {"P0337", "P0337", "P0337", ""}},
    };
    static const int sizes[][2] = {{2, 4}, {4, 8}, {4, 16}, {8, 16}};
    for (size_t i = 0; i < sizeof pipelines / sizeof *pipelines; i++)
        for (int size = 0; size < 4; size++)
            for (Assigned assigned = 0; assigned < ASSIGNED_COUNT; assigned++)
                if (sizes[size][0] < 8 || strncmp(pipelines[i].schedule, "interleaved", 11) != 0) /* 8 layers */
                    expect(&pipelines[i], assigned, sizes[size][0], sizes[size][1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

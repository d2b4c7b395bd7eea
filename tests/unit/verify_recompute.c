/* Recomputation: accepted with every other kind of strategy; what it saves and what it sends, against closed forms.
 */
#include "tests/unit/derived.h"

enum { LAYERS = 3, HIDDEN = 24, HEADS = 6, INNER = 40, CONTEXT = 12, BATCH = 24 };

static const char model_text[] =
    "place 1\n" GPT_MODEL("gpt", "layers = 3, hidden = 24, heads = 6, context = 12, vocab = 10", "40");

static StepFile *derive(const OnMesh *on, Compiled *compiled)
{
    *compiled = compile_on_mesh(model_text, on, BATCH);
    StepFile *file = derive_compiled(compiled);
    assert_non_null(file);
    return file;
}

static void test_accepted(void **state)
{
    static const OnMesh accepted[] = {
        {"data: 1", "recompute(block[*])", 1, 1},
        {"data: 3", "zero1(data) * recompute(block[*].attn)", 3, 2},
        {"data: 2", "zero3(data) * recompute(block[*].attn) * recompute(block[*].norm2)", 2, 2},
        {"data: 2, tensor: 3", "zero3(data) * megatron(tensor, sequence_parallel = true) * recompute(block[*])", 6, 2},
        {"tensor: 2, data: 2", "zero2(data) * megatron(tensor) * recompute(block.mlp)", 4, 1},
        {"context: 3, data: 2", "zero1(data) * context_parallel(context) * recompute(block)", 6, 2},
        {"data: 2, context: 2", "zero3(data) * ulysses(context) * recompute(block.attn)", 4, 1},
        {"data: 2", "zero3(data) * recompute(block[0]) * recompute(block[*].attn)", 2, 2},
        {"data: 2, tensor: 3", "zero1(data) * megatron(tensor, sequence_parallel = true) * recompute(block[1].mlp)", 6,
         2},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(accepted) / sizeof(*accepted); i++) {
        Compiled compiled;
        StepFile *file = derive(&accepted[i], &compiled);
        Verdict verdict;
        if (!verify_run(&compiled.ctx, file, &verdict)) {
            diag_print_text(compiled.ctx.diag, stderr, false, 20);
            fail_msg("%s on %s", accepted[i].strategy, accepted[i].mesh);
        }
        compiled_free(&compiled);
    }
}

/* ---- In pipelines ------------------------------------------------------------------------------------------- */

/* Two blocks of three and five layers, which two stages have. */
static const char staged_text[] =
    "place 1\n"
    "model gpt(hidden = 8) {\n"
    "    input x, y : f64[batch, hidden]\n"
    "    z = x\n"
    "    repeat early[3] { z = z + relu(linear(z, hidden) as fc) }\n"
    "    repeat late[5] { z = z + tanh(linear(z, hidden) as fc) }\n"
    "    loss = mean over batch, hidden of squared_error(linear(z, hidden) as last, y)\n"
    "}\n"
    "strategy chosen(s: axis, first = 4, second = 4) { schedule one_f_one_b over s layers first, second }\n"
    "strategy between(first = 0, last = 0) { activations of late[first..last] materialized }\n"
    "strategy hosted(first = 0, last = 0) { activations of late[first..last] offloaded }\n";

static void assert_proved(const OnMesh *on)
{
    Compiled compiled = compile_on_mesh(staged_text, on, BATCH);
    StepFile *file = derive_compiled(&compiled);
    Verdict verdict;
    assert_non_null(file);
    if (!verify_run(&compiled.ctx, file, &verdict)) {
        diag_print_text(compiled.ctx.diag, stderr, false, 20);
        fail_msg("%s", on->strategy);
    }
    compiled_free(&compiled);
}

/* What is kept has gaps where the layers between are recomputed, or have it on the host: on every stage, in every
 * chunk, it has the slots of what that keeps. */
static void test_gaps_in_stages(void **state)
{
    static const char *const schedules[] = {"chosen(stage)", "chosen(stage, first = 6, second = 2)",
                                            "pipeline(stage, schedule = gpipe)",
                                            "pipeline(stage, schedule = interleaved, chunks = 2)"};
    (void)state;
    for (size_t i = 0; i < sizeof(schedules) / sizeof(*schedules); i++)
        for (int first = 0; first < 5; first++)
            for (int last = first; last < 5; last++) {
                char between[128], hosted[128];
                snprintf(between, sizeof between, "%s * between(%d, %d)", schedules[i], first, last);
                snprintf(hosted, sizeof hosted, "%s * hosted(%d, %d)", schedules[i], first, last);
                assert_proved(&(OnMesh){"stage: 2", between, 2, 4});
                assert_proved(&(OnMesh){"stage: 2", hosted, 2, 4});
            }
}

static const char five_layers[] =
    "place 1\n" GPT_MODEL("gpt", "layers = 5, hidden = 24, heads = 6, context = 12, vocab = 10", "40");

/* Slots of the values that a layer keeps, and of those that it begins with, on two stages of three and two layers in
 * four microbatches. */
static void assert_slots(const char *strategy, int64_t kept, int64_t begun)
{
    static const char *const each[] = {"block.norm1", "block.attn.query", "block.attn.weights", "block.mlp.active"};
    Compiled compiled = compile_on_mesh(five_layers, &(OnMesh){"stage: 2", strategy, 2, 4}, BATCH);
    StepFile *file = derive_compiled(&compiled);
    assert_non_null(file);
    for (int i = 0; i < file->program->buffers.count; i++) {
        const Buffer *buffer = &file->program->buffers.data[i];
        for (size_t j = 0; j < sizeof each / sizeof *each; j++)
            if (strcmp(buffer->name, each[j]) == 0)
                assert_int_equal(buffer->slots, kept);
        if (strcmp(buffer->name, "x") == 0)
            assert_int_equal(buffer->slots, begun);
    }
    compiled_free(&compiled);
}

/* A stage has room for those of its layers that keep values, of as many microbatches as are in flight: the number of
 * stages, or, with gpipe, all. */
static void test_slots_in_stages(void **state)
{
    (void)state;
    assert_slots("pipeline(stage)", 3 * 2, 3 * 2 + 1);
    assert_slots("pipeline(stage) * recompute(block[0])", 2 * 2, 3 * 2 + 1);
    assert_slots("pipeline(stage) * recompute(block[0..1, 3])", 1 * 2, 3 * 2 + 1);
    assert_slots("pipeline(stage) * recompute(block[2, 4])", 2 * 2, 3 * 2 + 1);
    assert_slots("pipeline(stage) * recompute(block[3..4])", 3 * 2, 3 * 2 + 1);
    assert_slots("pipeline(stage) * offload_activations(block[0..1, 3])", 1 * 2, 3 * 2 + 1);
    assert_slots("pipeline(stage) * recompute(block[0]) * offload_activations(block[1])", 2 * 2, 3 * 2 + 1);
    assert_slots("pipeline(stage, schedule = gpipe) * recompute(block[0])", 2 * 4, 4 * 4);
    assert_slots("pipeline(stage, schedule = gpipe) * recompute(block[0..1, 3])", 1 * 4, 4 * 4);
}

/* ---- What is kept ------------------------------------------------------------------------------------------- */

/* Elements of the step's activations that are there once per layer, of one layer: those with more than one slot. */
static int64_t kept_elements(const OnMesh *s)
{
    Compiled compiled;
    StepFile *file = derive(s, &compiled);
    int64_t elements = 0;
    for (int i = 0; i < file->program->buffers.count; i++) {
        const Buffer *buffer = &file->program->buffers.data[i];
        if (buffer->category == CATEGORY_ACTIVATIONS && buffer->slots >= LAYERS &&
            strncmp(buffer->name, "eval.", 5) != 0 && strncmp(buffer->name, "predict.", 8) != 0)
            elements += buffer_slot_elements(file->decls, buffer);
    }
    compiled_free(&compiled);
    return elements;
}

static void test_kept(void **state)
{
    const int64_t rows = BATCH * CONTEXT, h = HIDDEN, scores = rows * HEADS * CONTEXT;
    /* x; mean, rstd, norm1; query, key, value; weights, mixed; x between; mean, rstd, norm2; up, active. */
    const int64_t norms = 2 * 2 * rows, attention = 4 * rows * h + scores, mlp = 2 * rows * INNER;
    const int64_t streams = 2 * rows * h, normed = 2 * rows * h;
    OnMesh all = {"data: 1", "data_parallel(data)", 1, 1};
    OnMesh no_attention = {"data: 1", "recompute(block[*].attn)", 1, 1};
    OnMesh none = {"data: 1", "recompute(block[*])", 1, 1};
    (void)state;
    assert_int_equal(kept_elements(&all), streams + normed + norms + attention + mlp);
    assert_int_equal(kept_elements(&no_attention), streams + normed + norms + mlp);
    assert_int_equal(kept_elements(&none), rows * h);
}

static int64_t arena_bytes(const char *strategy)
{
    Compiled compiled;
    StepFile *file = derive(&(OnMesh){"data: 1", strategy, 1, 1}, &compiled);
    int64_t bytes = file->program->arena_bytes[TIER_DEVICE];
    compiled_free(&compiled);
    return bytes;
}

static void test_memory(void **state)
{
    (void)state;
    int64_t kept = arena_bytes("data_parallel(data)"), some = arena_bytes("recompute(block[*].attn)");
    assert_true(some < kept);
    int64_t none = arena_bytes("recompute(block[*])"), first = arena_bytes("recompute(block[0])");
    assert_true(none < some);
    assert_true(none < first && first < kept);
    assert_int_equal(arena_bytes("recompute(block[0..2])"), none);
}

/* ---- On the host -------------------------------------------------------------------------------------------- */

/* States of some layers of each stage: what the host has is missing on the device, byte for byte. */
static void test_offloaded_in_stages(void **state)
{
    static const char *const some[] = {"block[0, 3]", "block[0..1, 3]", "block[0..1, 3..4]", "block[0..2, 3..4]"};
    static const char *const schedules[] = {"pipeline(stage)", "pipeline(stage, schedule = gpipe)"};
    (void)state;
    for (size_t i = 0; i < sizeof schedules / sizeof *schedules; i++) {
        int64_t before = 0, all = 0;
        for (size_t j = 0; j <= sizeof some / sizeof *some; j++) {
            char strategy[128];
            snprintf(strategy, sizeof strategy, j > 0 ? "%s * offload_layers(optimizer, %s)" : "%s", schedules[i],
                     j > 0 ? some[j - 1] : "");
            Compiled compiled = compile_on_mesh(five_layers, &(OnMesh){"stage: 2", strategy, 2, 4}, BATCH);
            StepFile *file = derive_compiled(&compiled);
            assert_non_null(file);
            int64_t host = file->program->arena_bytes[TIER_HOST], device = file->program->arena_bytes[TIER_DEVICE];
            all = j == 0 ? device : all;
            assert_true(j == 0 ? host == 0 : host >= before);
            assert_int_equal(device + host, all);
            before = host;
            compiled_free(&compiled);
        }
    }
}

/* ---- What is sent ------------------------------------------------------------------------------------------- */

static int count_calls(const NodeList *body, OpKind kind)
{
    int count = 0;
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        int inner = count_calls(&node->body, kind);
        count += node->kind == NODE_OP && node->op->kind == kind;
        count += node->kind == NODE_LOOP && node->loop.kind == LOOP_LAYERS ? inner * LAYERS : inner;
    }
    return count;
}

static int calls(const char *mesh, const char *strategy, OpKind kind)
{
    Compiled compiled;
    StepFile *file = derive(&(OnMesh){mesh, strategy, 2, 1}, &compiled);
    int count = count_calls(&program_routine(file->program, ROUTINE_STEP)->body, kind);
    compiled_free(&compiled);
    return count;
}

/* A block's last sum makes what the next one begins with, which is kept: of a pass's sums it is not done again. Units
 * of gathered parameters are gathered once for what a backward loop does, again or not; so are the outputs of norms
 * under sequence parallelism, which nothing keeps. */
static void test_sent(void **state)
{
    (void)state;
    const char *tensor = "tensor: 2";
    assert_int_equal(calls(tensor, "megatron(tensor) * recompute(block[*])", OP_ALL_REDUCE) -
                         calls(tensor, "megatron(tensor)", OP_ALL_REDUCE),
                     LAYERS);
    assert_int_equal(calls(tensor, "megatron(tensor, sequence_parallel = true) * recompute(block[*])", OP_ALL_GATHER) -
                         calls(tensor, "megatron(tensor, sequence_parallel = true)", OP_ALL_GATHER),
                     0);
    assert_int_equal(calls("data: 2", "zero3(data) * recompute(block[*])", OP_ALL_GATHER),
                     calls("data: 2", "zero3(data)", OP_ALL_GATHER));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_accepted),
                                       cmocka_unit_test(test_gaps_in_stages),
                                       cmocka_unit_test(test_slots_in_stages),
                                       cmocka_unit_test(test_kept),
                                       cmocka_unit_test(test_memory),
                                       cmocka_unit_test(test_offloaded_in_stages),
                                       cmocka_unit_test(test_sent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

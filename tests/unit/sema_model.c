/* What a model and a train become: parameters with names, shapes and initial rules, groups, inputs, states, routines.
 */
#include "compile.h"
#include "reference/gradient.h"
#include "reference/model_call.h"

#include "strategy/assign.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define TRAIN_OPEN                                                                                                     \
    "cluster c { 2 nodes of 4 h100 }\nmesh m on c { node: 2, data: 4 }\n"                                              \
    "train net on m {\n strategy zero1(data)\n optimizer adamw(rate = 3e-4)\n batch 8 in 2 microbatches\n steps 120\n"
#define TRAIN(settings) TRAIN_OPEN settings "\n}\n"

#define GPT GPT_MODEL("net", "layers = 3, hidden = 8, heads = 2, context = 4, vocab = 256", "4 * hidden")

static const Train *compile_good(Compiled *compiled, const char *text)
{
    *compiled = compile_text(text);
    if (compiled->train == NULL)
        fail_msg("%s", compiled->messages);
    return compiled->train;
}

typedef struct TensorCase {
    const char *name;
    int group, dim_count;
    int64_t dims[4];
    InitKind init;
    double scale;
} TensorCase;

static void check_parameters(const char *text, const TensorCase *expected, int expected_count)
{
    Compiled compiled;
    const Train *train = compile_good(&compiled, text);
    int count = 0;
    for (int i = 0; i < train->decls.tensors.count; i++) {
        const Tensor *tensor = &train->decls.tensors.data[i];
        if (tensor->kind != TENSOR_PARAMETER)
            continue;
        assert_in_range(count, 0, expected_count - 1);
        const TensorCase *row = &expected[count++];
        assert_string_equal(tensor->name, row->name);
        assert_int_equal(tensor->group, row->group);
        assert_int_equal(tensor->dim_count, row->dim_count);
        assert_memory_equal(tensor->dims, row->dims, sizeof(int64_t) * (size_t)row->dim_count);
        assert_int_equal(tensor->init, row->init);
        assert_true(fabs(tensor->init_scale - row->scale) < 1e-16);
        assert_true(tensor->trainable);
    }
    assert_int_equal(count, expected_count);
    compiled_free(&compiled);
}

static void test_parameters(void **state)
{
    (void)state;
    const double residual = 0.02 / sqrt(6);
    const TensorCase expected[] = {
        {"wte.table", -1, 2, {256, 8}, INIT_NORMAL, 0.02},
        {"wpe.table", -1, 2, {4, 8}, INIT_NORMAL, 0.02},
        {"block.norm1.gain", 0, 1, {8}, INIT_ONES, 0},
        {"block.norm1.bias", 0, 1, {8}, INIT_ZEROS, 0},
        {"block.attn.query.weight", 0, 3, {2, 4, 8}, INIT_NORMAL, 0.02},
        {"block.attn.query.bias", 0, 2, {2, 4}, INIT_ZEROS, 0},
        {"block.attn.key.weight", 0, 3, {2, 4, 8}, INIT_NORMAL, 0.02},
        {"block.attn.key.bias", 0, 2, {2, 4}, INIT_ZEROS, 0},
        {"block.attn.value.weight", 0, 3, {2, 4, 8}, INIT_NORMAL, 0.02},
        {"block.attn.value.bias", 0, 2, {2, 4}, INIT_ZEROS, 0},
        {"block.attn.out.weight", 0, 3, {8, 2, 4}, INIT_NORMAL, residual},
        {"block.attn.out.bias", 0, 1, {8}, INIT_ZEROS, 0},
        {"block.norm2.gain", 0, 1, {8}, INIT_ONES, 0},
        {"block.norm2.bias", 0, 1, {8}, INIT_ZEROS, 0},
        {"block.mlp.up.weight", 0, 2, {32, 8}, INIT_NORMAL, 0.02},
        {"block.mlp.up.bias", 0, 1, {32}, INIT_ZEROS, 0},
        {"block.mlp.down.weight", 0, 2, {8, 32}, INIT_NORMAL, residual},
        {"block.mlp.down.bias", 0, 1, {8}, INIT_ZEROS, 0},
        {"norm.gain", -1, 1, {8}, INIT_ONES, 0},
        {"norm.bias", -1, 1, {8}, INIT_ZEROS, 0},
    };
    check_parameters(GPT TRAIN(""), expected, sizeof expected / sizeof *expected);
    Compiled compiled;
    const Train *train = compile_good(&compiled, GPT TRAIN(""));
    assert_int_equal(train->decls.groups.count, 1);
    assert_string_equal(train->decls.groups.data[0].name, "block");
    assert_int_equal(train->decls.groups.data[0].layers, 3);
    compiled_free(&compiled);
}

/* Shared key/value heads, a gated mlp, no bias. */
static void test_llama_parameters(void **state)
{
    (void)state;
    static const char llama[] =
        "model net(layers = 3, hidden = 8, heads = 4, context = 4, vocab = 256) {\n"
        "    input tokens, targets : int[batch, context]\n"
        "    x = embedding(tokens, vocab, hidden) as table\n"
        "    repeat block[layers] {\n"
        "        x = x + attention(rmsnorm(x) as norm1, heads, causal, bias = none, rope = 10, kv_heads = 2) as attn\n"
        "        x = x + mlp(rmsnorm(x) as norm2, 12, swiglu, bias = none) as mlp\n"
        "    }\n"
        "    logits = linear(rmsnorm(x) as norm, vocab, bias = none) as head\n"
        "    loss = mean over batch, context of cross_entropy(logits, targets)\n"
        "}\n" TRAIN("");
    const double residual = 0.02 / sqrt(6);
    const TensorCase expected[] = {
        {"table.table", -1, 2, {256, 8}, INIT_NORMAL, 0.02},
        {"block.norm1.gain", 0, 1, {8}, INIT_ONES, 0},
        {"block.attn.query.weight", 0, 4, {2, 2, 2, 8}, INIT_NORMAL, 0.02},
        {"block.attn.key.weight", 0, 3, {2, 2, 8}, INIT_NORMAL, 0.02},
        {"block.attn.value.weight", 0, 3, {2, 2, 8}, INIT_NORMAL, 0.02},
        {"block.attn.out.weight", 0, 4, {8, 2, 2, 2}, INIT_NORMAL, residual},
        {"block.norm2.gain", 0, 1, {8}, INIT_ONES, 0},
        {"block.mlp.gate.weight", 0, 2, {12, 8}, INIT_NORMAL, 0.02},
        {"block.mlp.up.weight", 0, 2, {12, 8}, INIT_NORMAL, 0.02},
        {"block.mlp.down.weight", 0, 2, {8, 12}, INIT_NORMAL, residual},
        {"norm.gain", -1, 1, {8}, INIT_ONES, 0},
        {"head.weight", -1, 2, {256, 8}, INIT_NORMAL, 1 / sqrt(8)},
    };
    check_parameters(llama, expected, sizeof expected / sizeof *expected);
}

/* Heads with a size of their own, and a bias of queries, keys and values only. */
static void test_head_dim(void **state)
{
    (void)state;
    static const char model[] =
        "model net(hidden = 8, head_dim = 6, context = 4, vocab = 256) {\n"
        "    input tokens, targets : int[batch, context]\n"
        "    x = embedding(tokens, vocab, hidden) as table\n"
        "    x = attention(x, 3, causal, bias = qkv, head_dim = head_dim, rope = 10) as plain\n"
        "    x = attention(x, 4, bias = qkv, kv_heads = 2, head_dim = 5, weights = interleaved) as fused\n"
        "    loss = mean over batch, context of cross_entropy(linear(x, vocab, bias = none) as head, targets)\n"
        "}\n" TRAIN("");
    const double residual = 0.02 / sqrt(2);
    const TensorCase expected[] = {
        {"table.table", -1, 2, {256, 8}, INIT_NORMAL, 0.02},
        {"plain.query.weight", -1, 3, {3, 6, 8}, INIT_NORMAL, 0.02},
        {"plain.query.bias", -1, 2, {3, 6}, INIT_ZEROS, 0},
        {"plain.key.weight", -1, 3, {3, 6, 8}, INIT_NORMAL, 0.02},
        {"plain.key.bias", -1, 2, {3, 6}, INIT_ZEROS, 0},
        {"plain.value.weight", -1, 3, {3, 6, 8}, INIT_NORMAL, 0.02},
        {"plain.value.bias", -1, 2, {3, 6}, INIT_ZEROS, 0},
        {"plain.out.weight", -1, 3, {8, 3, 6}, INIT_NORMAL, residual},
        {"fused.qkv.weight", -1, 4, {2, 4, 5, 8}, INIT_NORMAL, 0.02},
        {"fused.qkv.bias", -1, 3, {2, 4, 5}, INIT_ZEROS, 0},
        {"fused.out.weight", -1, 4, {8, 2, 2, 5}, INIT_NORMAL, residual},
        {"head.weight", -1, 2, {256, 8}, INIT_NORMAL, 1 / sqrt(8)},
    };
    check_parameters(model, expected, sizeof expected / sizeof *expected);
}

static void test_train(void **state)
{
    (void)state;
    Compiled compiled;
    const Train *train = compile_good(
        &compiled, GPT TRAIN(" clip norm 0.5\n data bytes \"corpus.txt\"\n checkpoint every 50 steps in \"net.ckpt\"\n"
                             " seed 9\n assert memory per device < 1 GiB\n assert traffic per device < 2 MiB"));
    assert_string_equal(train->cluster.name, "c");
    assert_string_equal(train->cluster.device.name, "h100");
    assert_int_equal(train->cluster.devices, 8);
    assert_int_equal(train->cluster.device.memory_bytes, (int64_t)80 << 30);
    assert_string_equal(train->mesh_name, "m");
    assert_int_equal(train->decls.axes.count, 2);
    assert_string_equal(train->decls.axes.data[1].name, "data");
    assert_int_equal(train->decls.axes.data[1].size, 4);
    assert_int_equal(train->batch, 8);
    assert_int_equal(train->decls.micro, 2);
    assert_int_equal(train->steps, 120);
    assert_int_equal(train->seed, 9);
    assert_true(train->clip_norm == 0.5);
    assert_int_equal(train->data_kind, DATA_BYTES);
    assert_string_equal(train->data_path, "corpus.txt");
    assert_int_equal(train->checkpoint_every, 50);
    assert_string_equal(train->checkpoint_path, "net.ckpt");
    assert_int_equal(train->asserts.count, 2);
    assert_int_equal(train->asserts.data[0].limit_bytes, 1 << 30);
    assert_int_equal(train->asserts.data[1].quantity, ASSERT_TRAFFIC_PER_DEVICE);
    assert_string_equal(train->optimizer_name, "adamw");
    assert_true(train->learning_rate == 3e-4);
    assert_string_equal(train->file_name, "test.place");
    compiled_free(&compiled);
}

static int count_ops(const NodeList *body, OpKind kind)
{
    int count = 0;
    for (int i = 0; i < body->count; i++)
        count +=
            body->data[i]->kind == NODE_OP ? body->data[i]->op->kind == kind : count_ops(&body->data[i]->body, kind);
    return count;
}

static int count_in(const Train *train, RoutineKind routine, OpKind kind)
{
    return count_ops(&program_routine(train->reference, routine)->body, kind);
}

static void test_routines(void **state)
{
    (void)state;
    static const RoutineKind kinds[] = {ROUTINE_INIT, ROUTINE_STEP, ROUTINE_EVAL, ROUTINE_PREDICT};
    Compiled compiled;
    const Train *train = compile_good(&compiled, GPT TRAIN(" clip norm 1"));
    assert_int_equal(train->reference->routines.count, 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(train->reference->routines.data[i].kind, kinds[i]);
    assert_int_equal(count_in(train, ROUTINE_INIT, OP_INIT), 20);
    assert_int_equal(count_in(train, ROUTINE_INIT, OP_FILL), 41);
    assert_int_equal(count_in(train, ROUTINE_STEP, OP_ADAMW), 20);
    assert_int_equal(count_in(train, ROUTINE_STEP, OP_SUM_SQUARES), 20);
    assert_int_equal(count_in(train, ROUTINE_STEP, OP_OUTPUT), 3);
    assert_int_equal(count_in(train, ROUTINE_STEP, OP_EMBED_BWD), 1);
    assert_int_equal(count_in(train, ROUTINE_EVAL, OP_ADAMW), 0);
    assert_int_equal(count_in(train, ROUTINE_EVAL, OP_READ), 2);
    assert_int_equal(count_in(train, ROUTINE_PREDICT, OP_READ), 1);
    assert_int_equal(count_in(train, ROUTINE_PREDICT, OP_LOG_LOSS), 0);
    compiled_free(&compiled);
}

/* Every identity is used once in the program, and no reference leaves its buffer's slots. */
static void check_body(const Program *program, const NodeList *body, int loop, int64_t layers, bool *ids)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        if (node->kind == NODE_LOOP) {
            check_body(program, &node->body, node->loop.id, program->decls->groups.data[node->loop.group].layers, ids);
            continue;
        }
        const Op *op = node->op;
        assert_in_range(op->id, 0, program->op_count - 1);
        assert_false(ids[op->id]);
        ids[op->id] = true;
        assert_true(op->origin < op->id);
        assert_true(span_known(op->span));
        for (int j = op->kind == OP_OUTPUT ? 0 : -1; j < op->operand_count; j++) {
            const Ref *ref = j < 0 ? &op->out : &op->operand[j];
            int64_t last = ref->slot.constant;
            for (int k = 0; k < ref->slot.term_count; k++) {
                assert_int_equal(ref->slot.term[k].variable, loop);
                last += ref->slot.term[k].coefficient * (layers - 1);
            }
            assert_in_range(ref->buffer, 0, program->buffers.count - 1);
            assert_in_range(last, 0, program->buffers.data[ref->buffer].slots - 1);
        }
    }
}

static void test_references_are_well_formed(void **state)
{
    (void)state;
    Compiled compiled;
    const Train *train = compile_good(&compiled, GPT TRAIN(""));
    bool *ids = arena_array(compiled.ctx.arena, bool, train->reference->op_count);
    for (int i = 0; i < train->reference->routines.count; i++)
        check_body(train->reference, &train->reference->routines.data[i].body, -1, 1, ids);
    compiled_free(&compiled);
}

/* The reference draws from what all ranks share of the seed. */
static void test_seed(void **state)
{
    (void)state;
    static const struct {
        const char *settings;
        int64_t seed;
    } rows[] = {{"", 1}, {" seed 7", 7}, {" seed 2 + 3 + coordinate(data)", 5}, {" seed 4 * coordinate(data)", 0}};
    for (int i = 0; i < 4; i++) {
        char text[4096];
        Compiled compiled;
        snprintf(text, sizeof text, "%s%s%s\n}\n", GPT, TRAIN_OPEN, rows[i].settings);
        const Train *train = compile_good(&compiled, text);
        const Op *first = program_routine(train->reference, ROUTINE_INIT)->body.data[0]->op;
        assert_int_equal(first->kind, OP_INIT);
        assert_int_equal(first->seed.base, rows[i].seed);
        assert_int_equal(compiled.assignment->seed.base, rows[i].seed);
        compiled_free(&compiled);
    }
}

static int64_t slots_of(const Train *train, const char *name)
{
    for (int i = 0; i < train->reference->buffers.count; i++)
        if (strcmp(train->reference->buffers.data[i].name, name) == 0)
            return train->reference->buffers.data[i].slots;
    fail_msg("no buffer '%s'", name);
    return 0;
}

static void test_slots(void **state)
{
    (void)state;
    Compiled compiled;
    const Train *train = compile_good(&compiled, GPT TRAIN(""));
    assert_int_equal(slots_of(train, "x"), 4);
    assert_int_equal(slots_of(train, "block.attn.weights"), 3);
    assert_int_equal(slots_of(train, "d_block.attn.weights"), 1);
    assert_int_equal(slots_of(train, "gradients.block.mlp.up.weight"), 3);
    assert_int_equal(slots_of(train, "adam_v.block.mlp.up.weight"), 3);
    assert_int_equal(slots_of(train, "eval.block.attn.weights"), 1);
    assert_int_equal(slots_of(train, "logits"), 1);
    compiled_free(&compiled);
}

/* Real inputs are read as they are declared and used in the precision of the train. */
static void test_inputs_are_cast(void **state)
{
    (void)state;
    const char *model = "model net(n = 4) {\n input x, y : f32[batch, n]\n p = linear(x, n) as layer\n"
                        " loss = mean over batch, n of squared_error(p, y)\n}\n";
    char text[1024];
    Compiled compiled;
    snprintf(text, sizeof text, "%s%s", model, TRAIN(" precision f64"));
    assert_int_equal(count_in(compile_good(&compiled, text), ROUTINE_STEP, OP_CAST), 2);
    compiled_free(&compiled);
    snprintf(text, sizeof text, "%s%s", model, TRAIN(""));
    assert_int_equal(count_in(compile_good(&compiled, text), ROUTINE_STEP, OP_CAST), 0);
    compiled_free(&compiled);
}

/* What op.def says models call they can, as a function and as an activation, and it has a gradient. */
static void test_called(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        OpKind op;
    } called[] = {
#define OP(id, name, op_class, operands, immediates, coupled, linear, flops, gradient, called, body)                   \
    CALLED(called, {#called, OP_##id})
#include "step/op.def"
#undef OP
    };
    for (size_t i = 0; i < sizeof called / sizeof *called; i++) {
        char text[1024];
        Compiled compiled;
        const char *name = called[i].name;
        snprintf(text, sizeof text,
                 "model net(n = 4) {\n input x, y : f32[batch, n]\n p = %s(linear(x, n) as layer)\n"
                 " q = mlp(p, n, %s) as mlp\n loss = mean over batch, n of squared_error(q, y)\n}\n%s",
                 name, name, TRAIN(""));
        const Train *train = compile_good(&compiled, text);
        assert_int_equal(count_in(train, ROUTINE_STEP, called[i].op), 2);
        if (op_gradient[called[i].op].form == GRADIENT_BACKWARD)
            assert_int_equal(count_in(train, ROUTINE_STEP, op_gradient[called[i].op].other), 2);
        compiled_free(&compiled);
    }
}

/* The size of a reference does not grow with the number of layers. */
static void test_layers_stay_loops(void **state)
{
    (void)state;
    char text[4096];
    int count[2];
    static const int layers[] = {2, 96};
    for (int i = 0; i < 2; i++) {
        Compiled compiled;
        snprintf(text, sizeof text, "%s%s", GPT, TRAIN(""));
        char *bound = strstr(text, "train net on");
        char tail[1024];
        strcpy(tail, bound + strlen("train net on"));
        snprintf(bound, sizeof text - (size_t)(bound - text), "train net(layers = %d) on%s", layers[i], tail);
        count[i] = compile_good(&compiled, text)->reference->op_count;
        compiled_free(&compiled);
    }
    assert_int_equal(count[0], count[1]);
}

/* One file may show several faults; each is reported once, at its place. */
static void test_several_errors(void **state)
{
    (void)state;
    Compiled compiled = compile_text("model net(n = 4) {\n"
                                     "    input x, y : f32[batch, n]\n"
                                     "    h = linear(x, m) as first\n"
                                     "    p = lineer(h, n) as second\n"
                                     "    q = p + h\n"
                                     "    loss = mean over batch, n of squared_error(q, y)\n"
                                     "}\n" TRAIN(" speed 3"));
    static const char *const expected[] = {"test.place:3:19: error[P0201]: unknown number 'm'",
                                           "test.place:4:9: error[P0201]: unknown function 'lineer'",
                                           "test.place:15:2: error[P0201]: unknown setting 'speed'"};
    assert_null(compiled.train);
    assert_int_equal(diag_error_count(compiled.ctx.diag), 3);
    for (int i = 0; i < 3; i++)
        if (strstr(compiled.messages, expected[i]) == NULL)
            fail_msg("no \"%s\" in:\n%s", expected[i], compiled.messages);
    compiled_free(&compiled);
}

static void test_nothing_to_train(void **state)
{
    (void)state;
    Compiled compiled = compile_text(GPT);
    assert_null(compiled.train);
    assert_non_null(strstr(compiled.messages, "error[P0208]: no 'train' or 'serve' in this file"));
    compiled_free(&compiled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_llama_parameters),
        cmocka_unit_test(test_head_dim),
        cmocka_unit_test(test_train),
        cmocka_unit_test(test_routines),
        cmocka_unit_test(test_references_are_well_formed),
        cmocka_unit_test(test_seed),
        cmocka_unit_test(test_slots),
        cmocka_unit_test(test_inputs_are_cast),
        cmocka_unit_test(test_called),
        cmocka_unit_test(test_layers_stay_loops),
        cmocka_unit_test(test_several_errors),
        cmocka_unit_test(test_nothing_to_train),
    };
    return cmocka_run_group_tests_name("sema_model", tests, NULL, NULL);
}

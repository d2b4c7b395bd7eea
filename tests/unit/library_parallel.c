/* The plan of strategies that cut more than the batch, against the closed forms that are published of them. */
#include "tests/open.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { LAYERS = 7, HIDDEN = 1536, HEADS = 12, CONTEXT = 8, VOCAB = 32, EXPERTS = 6, WORD = 4 /* bytes of f32 */ };

/* Of one device in one microbatch: b examples of CONTEXT positions, HIDDEN numbers each. */
static int64_t block_bytes(int64_t examples)
{
    return examples * CONTEXT * HIDDEN * WORD;
}

typedef struct Request {
    const char *second; /* what follows attention in a block */
    const char *mesh, *strategy;
    long long devices, batch, micro;
} Request;

static const char mlp[] = "mlp(layernorm(x) as norm2, 4 * hidden, gelu) as mlp";
static const char experts[] = "moe(layernorm(x) as norm2, experts, top = 2, 4 * hidden, gelu, capacity = 1.5) as moe";

static int layers = LAYERS; /* of the next model */

static void plan_request(Compile *compile, const Request *request)
{
    char path[] = "/tmp/place-parallel-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    fprintf(file,
            "place 1\n"
            "model gpt(layers = %d, hidden = %d, heads = %d, context = %d, vocab = %d, experts = %d) {\n"
            "    input tokens, targets : int[batch, context]\n"
            "    x = embedding(tokens, vocab, hidden) as wte + positions(context, hidden) as wpe\n"
            "    repeat block[layers] {\n"
            "        x = x + attention(layernorm(x) as norm1, heads, causal) as attn\n"
            "        x = x + %s\n"
            "    }\n"
            "    logits = linear(layernorm(x) as norm, vocab, bias = none) as head\n"
            "    loss = mean over batch, context of cross_entropy(logits, targets)\n"
            "}\n"
            "strategy away(d: axis) {\n"
            "    parameters gathered over d offloaded to host\n"
            "    gradients sharded over d offloaded to host\n"
            "    optimizer sharded over d offloaded to file\n"
            "    activations sharded over d by batch\n"
            "}\n"
            "strategy rows(d: axis) {\n"
            "    parameters of block gathered over d by out where present\n"
            "    activations sharded over d by batch\n"
            "}\n"
            "cluster many { %lld devices of cpu }\n"
            "mesh all on many { %s }\n"
            "train gpt on all {\n"
            "    strategy %s\n"
            "    optimizer adam(rate = 1e-3)\n"
            "    precision f32\n"
            "    data synthetic\n"
            "    batch %lld in %lld microbatches\n"
            "    steps 1\n"
            "}\n",
            layers, HIDDEN, HEADS, CONTEXT, VOCAB, EXPERTS, request->second, request->devices, request->mesh,
            request->strategy, request->batch, request->micro);
    fclose(file);
    compile_open(compile, path);
    unlink(path);
    if (!compile_check(compile))
        diag_print_text(compile->ctx.diag, stderr, false, 20);
    assert_non_null(compile->plan);
    assert_int_equal(diag_error_count(compile->ctx.diag), 0);
}

typedef enum Of { OF_VALUES, OF_GRADIENTS, OF_PARAMETERS } Of;

static Of of_what(const PlanCall *call)
{
    return strcmp(call->state, "gradients") == 0    ? OF_GRADIENTS
           : strcmp(call->state, "parameters") == 0 ? OF_PARAMETERS
                                                    : OF_VALUES;
}

/* Bytes that go over one axis alone, of values between layers, gradients or parameters. */
static int64_t sent(const Plan *plan, const char *axis, Of of)
{
    int64_t bytes = 0;
    for (int i = 0; i < plan->calls.count; i++) {
        const PlanCall *call = &plan->calls.data[i];
        if (!call->scalar && call->axis_count == 1 && of_what(call) == of &&
            strcmp(plan->decls->axes.data[call->axis[0]].name, axis) == 0)
            bytes += call->bytes_per_device;
    }
    return bytes;
}

static int64_t count_calls(const Plan *plan, OpKind op)
{
    int64_t count = 0;
    for (int i = 0; i < plan->calls.count; i++)
        count += plan->calls.data[i].op == op ? plan->calls.data[i].count : 0;
    return count;
}

/* ---- Traffic ------------------------------------------------------------------------------------------------ */

/* Shoeybi et al. 2019: four sums per layer and microbatch, 8 bsh (t-1)/t in all; Korthikanti et al. 2022: with sequence
 * parallelism as much, in gathers and scatters, and 2 more: the outputs of both norms are gathered again backward. */
static void test_tensor_parallel(void **state)
{
    (void)state;
    static const char *const strategies[] = {"megatron(t)", "megatron(t, sequence_parallel = true)"};
    for (int i = 0; i < 2; i++) {
        for (int t = 2; t <= 4; t += 2) {
            char mesh[32];
            snprintf(mesh, sizeof mesh, "t: %d", t);
            Request request = {mlp, mesh, strategies[i], t, 6, 3};
            Compile compile;
            plan_request(&compile, &request);
            assert_int_equal(sent(compile.plan, "t", OF_VALUES),
                             (i == 0 ? 8 : 10) * LAYERS * 3 * block_bytes(2) * (t - 1) / t);
            assert_int_equal(count_calls(compile.plan, OP_ALL_REDUCE) >= LAYERS * 3 * 4, i == 0);
            compile_close(&compile);
        }
    }
}

/* Recomputation repeats what leads to what the backward pass reads: of a block's two sums (or two gathers and two
 * scatters) all but the last, which makes the next block's input, and that is kept. So 2 of 8 parts more and not the 4
 * of a whole forward pass, x 1.25 instead of the published x 1.5; with the sequence cut 3 of 8. */
static void test_recomputed_tensor_parallel(void **state)
{
    (void)state;
    static const struct {
        const char *strategy;
        int parts;
    } cases[] = {{"megatron(t) * recompute(block[*])", 8 + 2},
                 {"megatron(t, sequence_parallel = true) * recompute(block[*])", 8 + 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Request request = {mlp, "t: 4", cases[i].strategy, 4, 6, 3};
        Compile compile;
        plan_request(&compile, &request);
        assert_int_equal(sent(compile.plan, "t", OF_VALUES), cases[i].parts * LAYERS * 3 * block_bytes(2) * 3 / 4);
        compile_close(&compile);
    }
}

/* Keys and values are gathered forward and their gradients scattered backward: 4 bsh (c-1)/c. */
static void test_context_parallel(void **state)
{
    (void)state;
    Request request = {mlp, "c: 4", "context_parallel(c)", 4, 6, 3};
    Compile compile;
    plan_request(&compile, &request);
    assert_int_equal(sent(compile.plan, "c", OF_VALUES), 4 * LAYERS * 3 * block_bytes(2) * 3 / 4);
    compile_close(&compile);
}

/* Liu et al. 2023: keys and values travel in both passes, their gradients backward: 2 (c-1) steps' worth of pieces,
 * and 4. */
static void test_ring(void **state)
{
    (void)state;
    for (int c = 2; c <= 4; c += 2) {
        char mesh[32];
        snprintf(mesh, sizeof mesh, "c: %d", c);
        Request request = {mlp, mesh, "ring(c)", c, 6, 3};
        Compile compile;
        plan_request(&compile, &request);
        assert_int_equal(sent(compile.plan, "c", OF_VALUES), 6 * LAYERS * 3 * block_bytes(2) * (c - 1) / c);
        assert_int_equal(count_calls(compile.plan, OP_PERMUTE), 6 * LAYERS * 3 * (c - 1));
        compile_close(&compile);
    }
}

/* Two convolutions, of 5 and 3 rows and columns, of images of 16 rows and 12 columns. */
static void plan_spatial(Compile *compile, int devices, const char *axes, const char *strategy)
{
    char path[] = "/tmp/place-parallel-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    fprintf(file,
            "place 1\n"
            "model image(height = 16, width = 12, out = 7) {\n"
            "    input x : f32[batch, 3, height, width]\n"
            "    input y : f32[batch, out, height, width]\n"
            "    h = relu(convolution(x, 5, window = 5, pad = 2) as one)\n"
            "    h = convolution(h, out, window = 3, pad = 1) as two\n"
            "    loss = mean over batch, out, height, width of squared_error(h, y)\n"
            "}\n"
            "cluster many { %d devices of cpu }\n"
            "mesh all on many { %s }\n"
            "train image on all {\n"
            "    strategy %s\n"
            "    optimizer sgd(rate = 0.1)\n"
            "    batch 6 in 3 microbatches\n"
            "    steps 1\n"
            "}\n",
            devices, axes, strategy);
    fclose(file);
    compile_open(compile, path);
    unlink(path);
    assert_true(compile_check(compile));
    assert_int_equal(count_calls(compile->plan, OP_ALL_GATHER), 0);
}

/* Where the sequence does not divide, pieces travel in the room of the largest. */
static void test_uneven_ring(void **state)
{
    (void)state;
    Request request = {mlp, "c: 5", "ring(c)", 5, 6, 3};
    Compile compile;
    plan_request(&compile, &request);
    int64_t largest = (CONTEXT + 4) / 5;
    assert_int_not_equal(CONTEXT % 5, 0);
    assert_int_equal(sent(compile.plan, "c", OF_VALUES), 6 * LAYERS * 3 * block_bytes(2) / CONTEXT * largest * 4);
    assert_int_equal(count_calls(compile.plan, OP_PERMUTE), 6 * LAYERS * 3 * 4);
    compile_close(&compile);
}

/* Dryden et al. 2019: what windows of K rows see beyond a piece, 2 (K/2) N C W elements, forward and, but for the
 * image, backward. */
static void test_spatial_parallel(void **state)
{
    (void)state;
    Compile compile;
    plan_spatial(&compile, 4, "s: 4", "spatial_parallel(s)");
    int64_t row = 3 * 2 * 12 * WORD; /* of all microbatches, per channel */
    assert_int_equal(sent(compile.plan, "s", OF_VALUES), 4 * 3 * row + 2 * (2 * 5 * row));
    compile_close(&compile);
}

/* Rows and columns: of rows what one has of all columns of its piece, of columns what it has of those rows, too: the
 * corners are sent once more, with the neighbours' columns. */
static void test_spatial_both(void **state)
{
    (void)state;
    Compile compile;
    plan_spatial(&compile, 12, "r: 4, c: 3", "spatial_parallel(r) * spatial_columns(c)");
    int64_t element = 3 * 2 * WORD, rows = 16 / 4, columns = 12 / 3; /* of all microbatches, per channel */
    assert_int_equal(sent(compile.plan, "r", OF_VALUES), (4 * 3 + 2 * (2 * 5)) * columns * element);
    assert_int_equal(sent(compile.plan, "c", OF_VALUES), (4 * 3 * (rows + 4) + 2 * (2 * 5) * (rows + 2)) * element);
    compile_close(&compile);
}

/* Jacobs et al. 2023: 4 bsh/P a pass, of which each rank keeps 1/P. */
static void test_ulysses(void **state)
{
    (void)state;
    Request request = {mlp, "c: 4", "ulysses(c)", 4, 6, 3};
    Compile compile;
    plan_request(&compile, &request);
    assert_int_equal(sent(compile.plan, "c", OF_VALUES), 2 * 4 * LAYERS * 3 * block_bytes(2) / 4 * 3 / 4);
    assert_int_equal(count_calls(compile.plan, OP_ALL_TO_ALL), 2 * 4 * LAYERS * 3);
    compile_close(&compile);
}

/* A dispatch sends T k h (x-1)/x of a rank's T tokens, here times the capacity; so do the combination and both
 * backward. */
static void test_expert_parallel(void **state)
{
    (void)state;
    Request request = {experts, "x: 3", "expert_parallel(x)", 3, 18, 3};
    Compile compile;
    plan_request(&compile, &request);
    int64_t dispatched = block_bytes(2) * 2 * 3 / 2;
    assert_int_equal(sent(compile.plan, "x", OF_VALUES), 4 * LAYERS * 3 * dispatched * 2 / 3);
    compile_close(&compile);
}

/* Of 36 places for 8 tokens with 2 experts each 16 are sent if experts get equally many, so that it is cheaper to
 * exchange them than to sum what the experts' ranks have combined; of 24 all are sent. */
static void test_expert_room(void **state)
{
    (void)state;
    static const char twice[] = "moe(layernorm(x) as norm2, experts, top = 2, 4 * hidden, gelu, room = 2) as moe";
    static const char less[] = "moe(layernorm(x) as norm2, experts, top = 2, 4 * hidden, gelu, room = 1.5) as moe";
    Request request = {twice, "x: 3", "expert_parallel(x)", 3, 18, 3};
    Compile compile;
    plan_request(&compile, &request);
    int64_t needed = 4 * LAYERS * 3 * block_bytes(2) * 2 * 2 / 3, balanced = 0, most = 0;
    for (int i = 0; i < compile.plan->calls.count; i++) {
        const PlanCall *call = &compile.plan->calls.data[i];
        balanced += call->op == OP_ALL_TO_ALL_FILLED ? call->balanced_bytes : 0;
        most += call->op == OP_ALL_TO_ALL_FILLED ? call->bytes_per_device : 0;
    }
    assert_int_equal(balanced, needed);
    assert_int_equal(most, needed * 36 / 16);
    assert_int_equal(count_calls(compile.plan, OP_ALL_TO_ALL_FILLED), 4 * LAYERS * 3);
    assert_int_equal(count_calls(compile.plan, OP_ALL_TO_ALL), LAYERS * 3);
    compile_close(&compile);
    request.second = less;
    plan_request(&compile, &request);
    assert_int_equal(count_calls(compile.plan, OP_ALL_TO_ALL_FILLED), 0);
    compile_close(&compile);
}

/* A rank computes a third of the experts for all tokens instead of all for a third: as many operations. */
static void test_expert_operations(void **state)
{
    (void)state;
    static const char *const strategies[] = {"data_parallel(x)", "expert_parallel(x)"};
    double operations[2];
    for (int i = 0; i < 2; i++) {
        Request request = {experts, "x: 3", strategies[i], 3, 18, 3};
        Compile compile;
        plan_request(&compile, &request);
        operations[i] = compile.plan->flops_per_device;
        compile_close(&compile);
    }
    assert_true(operations[1] > 0.9 * operations[0]); /* it updates fewer */
    assert_true(operations[1] <= operations[0]);
}

/* Parameters cut within hosts, copied across them: a device's part alone is summed across, 2 M (W-1)/(G W). */
static void test_hybrid_sharding(void **state)
{
    (void)state;
    Request request = {mlp, "host: 2, local: 4", "fsdp(local) * data_parallel(host)", 8, 16, 1};
    Compile compile;
    plan_request(&compile, &request);
    double whole = (double)compile.plan->parameters * WORD;
    double across = (double)sent(compile.plan, "host", OF_GRADIENTS);
    assert_true(across >= 2 * whole / 4 / 2 && across < 2 * whole / 4 / 2 + (LAYERS + 4) * 4 * WORD);
    assert_int_equal(sent(compile.plan, "host", OF_PARAMETERS), 0);
    compile_close(&compile);
}

static int64_t block_parameters(int64_t t)
{
    int64_t h = HIDDEN, cut = 3 * (h * h + h) + h * h + 4 * h * h + 4 * h + 4 * h * h;
    return cut / t + 2 * h + 4 * h; /* biases after the sums and the norms are whole on every rank */
}

/* Bytes of what one of t tensor ranks has of all parameters. */
static int64_t rank_bytes(int64_t t)
{
    return (LAYERS * block_parameters(t) + (2 * VOCAB + CONTEXT + 2) * HIDDEN) * WORD;
}

/* Parameters cut by dims and gathered: of M bytes a tensor rank has, 2 M (d-1)/d are gathered and M (d-1)/d scattered
 * in each microbatch; what goes over the tensor axis is as without. */
static void test_sharded_tensor_parallel(void **state)
{
    (void)state;
    static const char *const strategies[] = {"fsdp(d) * tensor_parallel(t)",
                                             "fsdp(d) * megatron(t, sequence_parallel = true)",
                                             "data_parallel(host) * fsdp(d) * tensor_parallel(t)"};
    static const char *const meshes[] = {"d: 2, t: 4", "d: 2, t: 4", "host: 2, d: 2, t: 4"};
    for (int i = 0; i < 3; i++) {
        int hosts = i == 2 ? 2 : 1;
        Request request = {mlp, meshes[i], strategies[i], 8 * hosts, 12 * hosts, 3};
        Compile compile;
        plan_request(&compile, &request);
        assert_int_equal(sent(compile.plan, "d", OF_PARAMETERS), 2 * 3 * rank_bytes(4) / 2);
        assert_int_equal(sent(compile.plan, "d", OF_GRADIENTS), 3 * rank_bytes(4) / 2);
        assert_int_equal(sent(compile.plan, "t", OF_VALUES), (i == 1 ? 10 : 8) * LAYERS * 3 * block_bytes(2) * 3 / 4);
        assert_int_equal(compile.plan->category_bytes[CATEGORY_PARAMETERS], rank_bytes(4) / 2);
        assert_int_equal(compile.plan->category_bytes[CATEGORY_OPTIMIZER], 2 * rank_bytes(4) / 2 + WORD);
        if (hosts == 2) /* once per step, a device's part, 2 (w-1)/w of it */
            assert_int_equal(sent(compile.plan, "host", OF_GRADIENTS), 2 * rank_bytes(4) / 2 / 2);
        compile_close(&compile);
    }
}

/* Parameters gathered one by one: weights for both passes of a microbatch, biases for the forward pass alone. */
static void test_gathered_rows(void **state)
{
    (void)state;
    Request request = {mlp, "d: 2", "rows(d)", 2, 3072, 3}; /* weights are smaller than what they meet */
    Compile compile;
    plan_request(&compile, &request);
    int64_t h = HIDDEN, weights = LAYERS * 9 * h * h * WORD, biases = LAYERS * 6 * h * WORD;
    assert_int_equal(sent(compile.plan, "d", OF_PARAMETERS), 3 * (2 * weights + biases) / 2);
    assert_int_equal(sent(compile.plan, "d", OF_VALUES), 3 * (weights + biases) / 2); /* gradients, into the pieces */
    assert_int_equal(compile.plan->category_bytes[CATEGORY_PARAMETERS], rank_bytes(1) - (weights + biases) / 2);
    compile_close(&compile);
}

/* Experts are cut over the expert axis and their states over the rest of the data axis; all else over all of it. */
static void test_sharded_experts(void **state)
{
    (void)state;
    Request request = {experts, "e: 2, x: 3; d = e * x", "fsdp(d) * expert_parallel(x)", 6, 36, 3};
    Compile compile;
    plan_request(&compile, &request);
    int64_t h = HIDDEN, expert = (8 * h * h) / 3 * EXPERTS;
    assert_int_equal(sent(compile.plan, "e", OF_PARAMETERS), 2 * 3 * LAYERS * expert * WORD / 2);
    assert_int_equal(sent(compile.plan, "e", OF_GRADIENTS), 3 * LAYERS * expert * WORD / 2);
    int64_t others = LAYERS * (4 * h * h + 4 * h + 4 * h + EXPERTS * h) + (2 * VOCAB + CONTEXT + 2) * h;
    assert_int_equal(compile.plan->category_bytes[CATEGORY_PARAMETERS], (LAYERS * expert / 2 + others / 6) * WORD);
    compile_close(&compile);
}

/* A rank's part of everything is stored elsewhere. Parameters come for the forward pass, the backward pass and the
 * update, and go back after that; gradients go when they are made, and come for the update, in several microbatches for
 * each addition, to sums that first are zero; moments come and go once. With tensor parallelism, of what a tensor rank
 * has.
 */
static void test_offloaded_states(void **state)
{
    (void)state;
    for (int t = 1; t <= 4; t *= 4) {
        for (int micro = 1; micro <= 3; micro += 2) {
            char mesh[32];
            snprintf(mesh, sizeof mesh, "d: 2, t: %d", t);
            Request request = {mlp, mesh, "away(d) * megatron(t)", 2 * t, 12, micro};
            Compile compile;
            plan_request(&compile, &request);
            const Plan *plan = compile.plan;
            int64_t part = rank_bytes(t) / 2, sums = micro > 1 ? micro : 0;
            int64_t outside = (2 * VOCAB + CONTEXT + 2) * HIDDEN * WORD / 2; /* stays from forward to backward */
            assert_int_equal(plan->links[TIER_HOST].to_device_bytes,
                             (2 * micro + 1 + sums + 1) * part - micro * outside);
            assert_int_equal(plan->links[TIER_HOST].from_device_bytes, (1 + micro + (micro > 1)) * part);
            assert_int_equal(plan->links[TIER_FILE].to_device_bytes, 2 * part);
            assert_int_equal(plan->links[TIER_FILE].from_device_bytes, 2 * part);
            assert_int_equal(plan->category_bytes[CATEGORY_PARAMETERS] + plan->category_bytes[CATEGORY_GRADIENTS], 0);
            assert_int_equal(plan->category_bytes[CATEGORY_OPTIMIZER], WORD); /* the number of the step */
            compile_close(&compile);
        }
    }
}

/* What a layer begins with, and the last one's result, are read by a normalisation backward: each goes to the host and
 * comes back once per microbatch. There are those of as many microbatches as are in flight; on the device the two that
 * a layer uses. */
static void test_offloaded_activations(void **state)
{
    (void)state;
    static const char *const strategies[] = {"data_parallel(d) * offload_activations(x)",
                                             "data_parallel(d) * offload_activations(x) * pipeline(s)"};
    for (int stages = 1; stages <= 4; stages *= 4) {
        for (int micro = 1; micro <= 3; micro += 2) {
            char mesh[32];
            snprintf(mesh, sizeof mesh, "d: 2, s: %d", stages);
            Request request = {mlp, mesh, strategies[stages > 1], 2 * stages, 12, micro};
            Compile compile, without;
            plan_request(&compile, &request);
            request.strategy = stages > 1 ? "data_parallel(d) * pipeline(s)" : "data_parallel(d)";
            plan_request(&without, &request);
            const Plan *plan = compile.plan;
            int64_t value = 12 / micro / 2 * CONTEXT * HIDDEN * WORD;
            int64_t kept = stages > 1 ? 2 : LAYERS, flight = stages > 1 ? micro : 1;
            int64_t moved =
                micro * (stages > 1 ? 2 : LAYERS + 1) * value; /* the last stage has one layer, and the result */
            assert_int_equal(plan->links[TIER_HOST].from_device_bytes, moved);
            assert_int_equal(plan->links[TIER_HOST].to_device_bytes, moved);
            assert_int_equal(plan->tier_bytes[TIER_HOST], (flight * kept + 1) * value);
            assert_true(plan->category_bytes[CATEGORY_ACTIVATIONS] <=
                        without.plan->category_bytes[CATEGORY_ACTIVATIONS] - (flight * kept - 2) * value);
            compile_close(&compile);
            compile_close(&without);
        }
    }
}

/* A value of some layers of a rank goes to the host and comes back once per microbatch. Of as many microbatches as are
 * in flight, the host has those of these layers, and the device those of the others: of the stage that has most. */
static void test_offloaded_layers(void **state)
{
    (void)state;
    static const struct {
        const char *layers;
        int stages, there, gone; /* the most that a rank has on the host; the fewer that one has on the device */
    } cases[] = {
        {"[2]", 1, 1, 1}, {"[0..3]", 1, 4, 4}, {"[1, 4..5]", 1, 3, 3}, {"[0, 2, 4]", 4, 1, 1}, {"[0..1, 3]", 4, 2, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int micro = 1; micro <= 3; micro += 2) {
            char mesh[32], strategy[128];
            const char *pipeline = cases[i].stages > 1 ? "data_parallel(d) * pipeline(s)" : "data_parallel(d)";
            snprintf(mesh, sizeof mesh, "d: 2, s: %d", cases[i].stages);
            snprintf(strategy, sizeof strategy, "%s * offload_activations(block%s.mlp.active)", pipeline,
                     cases[i].layers);
            Request request = {mlp, mesh, strategy, 2 * cases[i].stages, 12, micro};
            Compile compile, without;
            plan_request(&compile, &request);
            request.strategy = pipeline;
            plan_request(&without, &request);
            const Plan *plan = compile.plan;
            int64_t value = 4 * block_bytes(12 / micro / 2), flight = cases[i].stages > 1 ? micro : 1;
            assert_int_equal(plan->links[TIER_HOST].from_device_bytes, micro * cases[i].there * value);
            assert_int_equal(plan->links[TIER_HOST].to_device_bytes, micro * cases[i].there * value);
            assert_int_equal(plan->tier_bytes[TIER_HOST], flight * cases[i].there * value);
            assert_int_equal(plan->category_bytes[CATEGORY_ACTIVATIONS],
                             without.plan->category_bytes[CATEGORY_ACTIVATIONS] - flight * cases[i].gone * value);
            compile_close(&compile);
            compile_close(&without);
        }
}

/* bsh over every boundary for each microbatch, forward and back: a stage between two others sends both. */
static void test_pipeline_sends(void **state)
{
    (void)state;
    static const char *const strategies[] = {"pipeline(s)", "pipeline(s, schedule = gpipe)"};
    for (int i = 0; i < 2; i++) {
        for (int stages = 2; stages <= 4; stages++) {
            char mesh[32];
            snprintf(mesh, sizeof mesh, "s: %d", stages);
            Request request = {mlp, mesh, strategies[i], stages, 10, 5};
            Compile compile;
            plan_request(&compile, &request);
            int64_t ways = stages > 2 ? 2 : 1;
            assert_int_equal(compile.plan->busiest_rank, stages > 2 ? 1 : 0);
            assert_int_equal(count_calls(compile.plan, OP_SEND), ways * 5);
            assert_int_equal(count_calls(compile.plan, OP_RECV), ways * 5);
            assert_int_equal(sent(compile.plan, "s", OF_VALUES), ways * 5 * block_bytes(2));
            compile_close(&compile);
        }
    }
}

/* Narayanan et al. 2021: v chunks per stage pass v times as much, from the last stage to the first too. */
static void test_interleaved_sends(void **state)
{
    (void)state;
    static const struct {
        int stages, chunks;
    } cases[] = {{2, 2}, {2, 4}, {4, 2}};
    layers = 8;
    for (int i = 0; i < 3; i++) {
        char mesh[16], strategy[64];
        int64_t stages = cases[i].stages, chunks = cases[i].chunks;
        snprintf(mesh, sizeof mesh, "s: %d", cases[i].stages);
        snprintf(strategy, sizeof strategy, "pipeline(s, schedule = interleaved, chunks = %d)", cases[i].chunks);
        Request request = {mlp, mesh, strategy, stages, 16, 8};
        Compile compile;
        plan_request(&compile, &request);
        int64_t ways = stages > 2 ? 2 * chunks : 2 * chunks - 1; /* the first and the last stage: one chunk less */
        assert_int_equal(count_calls(compile.plan, OP_SEND), ways * 8);
        assert_int_equal(count_calls(compile.plan, OP_RECV), ways * 8);
        assert_int_equal(sent(compile.plan, "s", OF_VALUES), ways * 8 * block_bytes(2));
        compile_close(&compile);
    }
    layers = LAYERS;
}

/* Layers wait for backward (v + 1) p chunks of microbatches at a time, of L / (p v) layers each; under 1F1B for p of
 * L / p. Korthikanti et al. 2022: 1 + (p - 1) / (p v) as many; here is room for one chunk of a microbatch more. */
static void test_interleaved_in_flight(void **state)
{
    (void)state;
    static const char *const strategies[] = {"pipeline(s)", "pipeline(s, schedule = interleaved, chunks = 2)"};
    static const int64_t slots[] = {8 / 2 * 2, 8 / 4 * 6};
    layers = 8;
    for (int i = 0; i < 2; i++) {
        Request request = {mlp, "s: 2", strategies[i], 2, 16, 8};
        Compile compile;
        plan_request(&compile, &request);
        const Program *program = compile.file->program;
        int found = 0;
        for (int b = 0; b < program->buffers.count; b++)
            if (strcmp(program->buffers.data[b].name, "block.mlp.up") == 0) {
                assert_int_equal(program->buffers.data[b].slots, slots[i]);
                found++;
            }
        assert_int_equal(found, 1);
        compile_close(&compile);
    }
    layers = LAYERS;
}

/* Within a stage only its own layers' sums run. 7 layers on 3 stages: the first has 3, the second and third 2. */
static void test_stages_sum_their_layers(void **state)
{
    (void)state;
    Request request = {mlp, "s: 3, t: 4", "megatron(t) * pipeline(s)", 12, 10, 5};
    Compile compile;
    plan_request(&compile, &request);
    assert_int_equal(compile.plan->busiest_rank, 0);
    assert_int_equal(sent(compile.plan, "t", OF_VALUES), 8 * 3 * 5 * block_bytes(2) * 3 / 4);
    assert_int_equal(sent(compile.plan, "s", OF_VALUES), 5 * block_bytes(2));
    compile_close(&compile);
}

/* ---- Memory ------------------------------------------------------------------------------------------------- */

/* The first stage has one layer more than the others, and the embeddings; the last stage's head shares their bytes. */
static void test_first_stage_holds_most(void **state)
{
    (void)state;
    Request request = {mlp, "s: 3, t: 4", "megatron(t) * pipeline(s)", 12, 10, 5};
    Compile compile;
    plan_request(&compile, &request);
    const Plan *plan = compile.plan;
    int64_t held = (3 * block_parameters(4) + (VOCAB + CONTEXT) * HIDDEN) * WORD;
    assert_int_equal(plan->peak_rank, 0);
    assert_int_equal(plan->category_bytes[CATEGORY_PARAMETERS], held);
    assert_int_equal(plan->category_bytes[CATEGORY_GRADIENTS], held);
    assert_int_equal(plan->category_bytes[CATEGORY_OPTIMIZER], 2 * held + WORD);
    int64_t sum = plan->padding_bytes;
    for (int i = 0; i < CATEGORY_COUNT; i++)
        sum += plan->category_bytes[i];
    assert_int_equal(sum, plan->total_bytes);
    assert_true(plan->padding_bytes < VOCAB * HIDDEN * WORD);
    compile_close(&compile);
}

/* Tables and the head are cut by the vocabulary where that is asked for. */
static void test_vocabulary_is_cut(void **state)
{
    (void)state;
    static const char *const strategies[] = {"megatron(t)", "megatron(t, vocab = true)",
                                             "megatron(t, sequence_parallel = true, vocab = true)"};
    for (int cut = 0; cut < 3; cut++) {
        Request request = {mlp, "t: 4", strategies[cut], 4, 6, 3};
        Compile compile;
        plan_request(&compile, &request);
        int64_t tables = 2 * VOCAB * HIDDEN / (cut ? 4 : 1);
        assert_int_equal(compile.plan->category_bytes[CATEGORY_PARAMETERS],
                         (LAYERS * block_parameters(4) + tables + CONTEXT * HIDDEN + 2 * HIDDEN) * WORD);
        compile_close(&compile);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tensor_parallel),
        cmocka_unit_test(test_recomputed_tensor_parallel),
        cmocka_unit_test(test_context_parallel),
        cmocka_unit_test(test_ring),
        cmocka_unit_test(test_uneven_ring),
        cmocka_unit_test(test_spatial_parallel),
        cmocka_unit_test(test_spatial_both),
        cmocka_unit_test(test_ulysses),
        cmocka_unit_test(test_expert_parallel),
        cmocka_unit_test(test_expert_room),
        cmocka_unit_test(test_expert_operations),
        cmocka_unit_test(test_hybrid_sharding),
        cmocka_unit_test(test_sharded_tensor_parallel),
        cmocka_unit_test(test_gathered_rows),
        cmocka_unit_test(test_sharded_experts),
        cmocka_unit_test(test_offloaded_states),
        cmocka_unit_test(test_offloaded_activations),
        cmocka_unit_test(test_offloaded_layers),
        cmocka_unit_test(test_pipeline_sends),
        cmocka_unit_test(test_interleaved_sends),
        cmocka_unit_test(test_interleaved_in_flight),
        cmocka_unit_test(test_stages_sum_their_layers),
        cmocka_unit_test(test_first_stage_holds_most),
        cmocka_unit_test(test_vocabulary_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

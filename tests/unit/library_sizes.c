/* The plan at the sizes of published models, against closed forms: operations, activations and traffic of GPTs of 22,
 * 175 and 1,000 billion parameters (Korthikanti et al. 2022). */
#include "tests/open.h"
#include "tests/sanitized.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct Size {
    const char *name;
    int64_t layers, hidden, heads;
    const char *second; /* what follows attention in a block */
} Size;

static const char mlp[] = "mlp(layernorm(x) as norm2, 4 * hidden, gelu) as mlp";
static const char experts[] = "moe(layernorm(x) as norm2, 8, top = 2, 3 * hidden, gelu, capacity = 1.25) as moe";

static const char many[] = "moe(layernorm(x) as norm2, 256, top = 8, 1792, gelu, capacity = 1.25) as moe";

/* s positions, v tokens: those of all three. */
enum { CONTEXT = 2048, VOCAB = 51200 };

static const Size gpt22 = {"22B", 48, 6144, 64, mlp}, gpt175 = {"175B", 96, 12288, 96, mlp},
                  gpt1000 = {"1T", 128, 25600, 160, mlp}, sparse = {"8x7B", 32, 4096, 32, experts},
                  fine = {"256 experts", 4, 7168, 128, many};

typedef struct Request {
    const Size *size;
    const char *mesh, *strategy;
    int64_t devices, batch, micro;
    double dropout;
} Request;

static void write_program(FILE *file, const Request *request)
{
    char dropout[32] = "", attention[32] = "";
    if (request->dropout > 0) {
        snprintf(dropout, sizeof dropout, ", %g)", request->dropout);
        snprintf(attention, sizeof attention, ", dropout = %g", request->dropout);
    }
    const char *open = request->dropout > 0 ? "dropout(" : "";
    fprintf(file,
            "place 1\n"
            "model gpt(layers = %lld, hidden = %lld, heads = %lld, context = %d, vocab = %d) {\n"
            "    input tokens, targets : int[batch, context]\n"
            "    x = %sembedding(tokens, vocab, hidden) as wte + positions(context, hidden) as wpe%s\n"
            "    repeat block[layers] {\n"
            "        x = x + %sattention(layernorm(x) as norm1, heads, causal%s) as attn%s\n"
            "        x = x + %s%s%s\n"
            "    }\n"
            "    logits = linear(layernorm(x) as norm, vocab, bias = none) as head\n"
            "    loss = mean over batch, context of cross_entropy(logits, targets)\n"
            "}\n"
            "cluster many { %lld devices of cpu }\n"
            "mesh all on many { %s }\n"
            "train gpt on all {\n"
            "    strategy %s\n"
            "    optimizer adam(rate = 1e-3)\n"
            "    precision bf16, master f32, gradients bf16\n"
            "    data synthetic\n"
            "    batch %lld in %lld microbatches\n"
            "    steps 1\n"
            "}\n",
            (long long)request->size->layers, (long long)request->size->hidden, (long long)request->size->heads,
            CONTEXT, VOCAB, open, dropout, open, attention, dropout, open, request->size->second, dropout,
            (long long)request->devices, request->mesh, request->strategy, (long long)request->batch,
            (long long)request->micro);
}

/* Plans the request; the answer must be closed. */
static void plan_size(Compile *compile, const Request *request)
{
    char path[] = "/tmp/place-sizes-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    write_program(file, request);
    fclose(file);
    compile_open(compile, path);
    unlink(path);
    if (!compile_check(compile))
        diag_print_text(compile->ctx.diag, stderr, false, 20);
    assert_non_null(compile->plan);
    assert_int_equal(diag_error_count(compile->ctx.diag), 0);
}

/* ---- Operations --------------------------------------------------------------------------------------------- */

/* Forward and backward of a part of the model on one rank: 6 per parameter and token, and 12 s h for the scores of each
 * layer and token, in products that tensor ranks divide. */
typedef struct Work {
    Request request;
    int64_t ranks;      /* that divide the tokens */
    int64_t stages;     /* the last one has the most work: the head */
    int64_t layers_per; /* tensor ranks */
    int64_t head_per;   /* ranks that divide the head */
} Work;

static double work_of(const Work *work)
{
    double h = (double)work->request.size->hidden, layers = (double)work->request.size->layers;
    double tokens = (double)work->request.batch * CONTEXT / (double)work->ranks;
    double blocks = layers / (double)work->stages * (6 * 12 * h * h + 12 * CONTEXT * h) / (double)work->layers_per;
    return tokens * (blocks + 6 * h * VOCAB / (double)work->head_per);
}

static void check_work(const Request *request, double expected)
{
    Compile compile;
    plan_size(&compile, request);
    double all = compile.plan->flops_per_device, products = compile.plan->product_flops_per_device;
    if (fabs(products / expected - 1) > 1e-9 || all < products || all > 1.02 * products)
        fail_msg("%s under %s: %.9g operations, %.9g in products, expected %.9g", request->size->name,
                 request->strategy, all, products, expected);
    compile_close(&compile);
}

/* The products exactly, and all operations no more than a fiftieth more: norms, softmax, the updates, and the masks of
 * dropout, where there are any, both times that they are drawn. */
static void test_operations(void **state)
{
    (void)state;
    static const Work works[] = {
        {{&gpt22, "d: 8", "data_parallel(d)", 8, 64, 4, 0}, 8, 1, 1, 1},
        {{&gpt22, "d: 8", "zero1(d)", 8, 64, 4, 0}, 8, 1, 1, 1},
        {{&gpt175, "d: 64", "zero3(d)", 64, 256, 1, 0}, 64, 1, 1, 1},
        {{&gpt22, "t: 8", "megatron(t)", 8, 64, 4, 0}, 1, 1, 8, 1},
        {{&gpt22, "t: 8", "megatron(t, vocab = true)", 8, 64, 4, 0}, 1, 1, 8, 8},
        {{&gpt175, "t: 8", "megatron(t, sequence_parallel = true, vocab = true)", 8, 64, 4, 0}, 1, 1, 8, 8},
        {{&gpt22, "c: 4", "context_parallel(c)", 4, 64, 4, 0}, 4, 1, 1, 1},
        {{&gpt22, "c: 4", "ring(c)", 4, 64, 4, 0}, 4, 1, 1, 1},
        {{&gpt22, "c: 4", "ulysses(c)", 4, 64, 4, 0}, 4, 1, 1, 1},
        {{&gpt175, "p: 8", "pipeline(p)", 8, 64, 32, 0}, 1, 8, 1, 1},
        {{&gpt175, "p: 8, t: 8", "megatron(t, vocab = true) * pipeline(p)", 64, 64, 32, 0}, 1, 8, 8, 8},
        {{&gpt1000, "d: 2, p: 64, t: 8", "zero1(d) * megatron(t, vocab = true) * pipeline(p)", 1024, 512, 256, 0},
         2,
         64,
         8,
         8},
        {{&gpt1000, "d: 16, t: 8", "fsdp(d) * megatron(t, sequence_parallel = true, vocab = true)", 128, 64, 2, 0},
         16,
         1,
         8,
         8},
    };
    for (size_t i = 0; i < sizeof works / sizeof *works; i += SANITIZED ? 5 : 1) {
        Request request = works[i].request;
        check_work(&request, work_of(&works[i]));
        request.dropout = 0.1;
        check_work(&request, work_of(&works[i]));
    }
}

/* ---- Masks of dropout ---------------------------------------------------------------------------------------- */

/* A function of seed, step and place: whoever reads one draws it. One layer's is there at a time, none is sent. */
static void test_masks_are_drawn(void **state)
{
    (void)state;
    static const Request requests[] = {
        {&gpt22, "t: 8", "megatron(t)", 8, 4, 1, 0.1},
        {&gpt22, "t: 8", "megatron(t, sequence_parallel = true)", 8, 4, 1, 0.1},
        {&gpt22, "t: 8", "recompute(block[*].attn) * megatron(t, sequence_parallel = true)", 8, 4, 1, 0.1},
        {&gpt22, "d: 4, c: 2", "zero3(d) * context_parallel(c)", 8, 16, 2, 0.1},
        {&gpt22, "d: 4, c: 2", "zero2(d) * ring(c)", 8, 16, 2, 0.1},
        {&gpt22, "d: 4, c: 2", "zero1(d) * ulysses(c)", 8, 16, 2, 0.1},
        {&gpt22, "p: 8", "pipeline(p)", 8, 16, 16, 0.1},
        {&gpt175, "p: 8, t: 8", "megatron(t, sequence_parallel = true) * pipeline(p)", 64, 64, 64, 0.1},
        {&gpt175, "p: 8, t: 8", "megatron(t) * pipeline(p, schedule = interleaved, chunks = 3)", 64, 64, 64, 0.1},
    };
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i += SANITIZED ? 4 : 1) {
        Compile compile;
        plan_size(&compile, &requests[i]);
        const Program *program = compile.file->program;
        int masks = 0;
        for (int b = 0; b < program->buffers.count; b++) {
            const Buffer *buffer = &program->buffers.data[b];
            if (strstr(buffer->name, ".mask") == NULL)
                continue;
            masks++;
            if (buffer->slots != 1)
                fail_msg("%s: '%s' is kept, %lld times", requests[i].strategy, buffer->name, (long long)buffer->slots);
        }
        assert_int_equal(masks, 4);
        for (int c = 0; c < compile.plan->calls.count; c++)
            assert_null(strstr(compile.plan->calls.data[c].state, "mask"));
        compile_close(&compile);
    }
}

/* ---- Experts ------------------------------------------------------------------------------------------------ */

/* Has it a dim of this size? */
static bool has_size(const Buffer *buffer, int64_t size)
{
    for (int d = 0; d < buffer->dim_count; d++)
        if (buffer->dims[d].size == size)
            return true;
    return false;
}

/* With k = 8 of e = 256 experts, each with c places: 4 s k bytes for the choices, 4 e c for the rows in the places, and
 * their weights as they are computed, in f32 and bf16. Nothing has rows, experts and places. */
static void test_dispatch_by_indices(void **state)
{
    (void)state;
    static const char *const names[] = {"choice", "source", "total", "inverse", "picked", "inverses", "weights"};
    static const Request requests[] = {
        {&fine, "x: 8", "expert_parallel(x)", 8, 8, 1, 0},
        {&fine, "x: 8", "zero1(x) * expert_parallel(x)", 8, 8, 1, 0},
        {&fine, "d: 2, x: 4", "zero2(d) * expert_parallel(x)", 8, 8, 1, 0},
    };
    const int64_t places = 80, slots = 256 * places;
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        Compile compile;
        plan_size(&compile, &requests[i]);
        const Program *program = compile.file->program;
        int64_t bytes = 0;
        int found = 0;
        for (int b = 0; b < program->buffers.count; b++) {
            const Buffer *buffer = &program->buffers.data[b];
            const char *role = strncmp(buffer->name, "block.moe.", 10) == 0 ? buffer->name + 10 : "";
            assert_false(has_size(buffer, CONTEXT) && has_size(buffer, 256) && has_size(buffer, places));
            for (size_t n = 0; n < sizeof names / sizeof *names; n++)
                if (strcmp(role, names[n]) == 0) {
                    bytes += buffer_slot_elements(program->decls, buffer) * dtype_bytes(buffer->dtype);
                    found++;
                }
        }
        assert_int_equal(found, sizeof names / sizeof *names);
        assert_int_equal(bytes, 4 * CONTEXT * 8 + 2 * 4 * CONTEXT + slots * (4 + 4 + 4 + 2));
        assert_true(bytes < 500000);
        compile_close(&compile);
    }
}

/* ---- Activations -------------------------------------------------------------------------------------------- */

typedef struct Kept {
    const char *strategy;
    double numbers, pairs;           /* bytes of a layer per sbh, and per assb, without masks */
    double masked, masked_pairs;     /* as published, with masks of one byte */
    double square_flops, pair_flops; /* of a token in a layer, per hh and per sh, with what is recomputed */
} Kept;

enum { T = 8 }; /* tensor ranks */

/* Published are sbh (34 + 5 as/h) bytes per layer (Korthikanti et al. 2022, table 2), of which 2 and 1 are masks. Masks
 * that are drawn again take none: sbh (32 + 4 as/h). */
static const Kept kept[] = {
    {"megatron(t, vocab = true)", 8 + 24. / T, 4. / T, 10 + 24. / T, 5. / T, 72, 12},
    {"megatron(t, sequence_parallel = true, vocab = true)", 32. / T, 4. / T, 34. / T, 5. / T, 72, 12},
    {"selective * megatron(t, vocab = true)", 8 + 24. / T, 0, 10 + 24. / T, 0, 72, 14},
    {"selective * megatron(t, sequence_parallel = true, vocab = true)", 32. / T, 0, 34. / T, 0, 72, 14},
    {"recompute(block[*]) * megatron(t, vocab = true)", 2, 0, 2, 0, 88, 16},
};

/* What some layers keep is the difference of two models of which one has them: whatever else there is in the arena,
 * one layer's working memory and the logits, is in both. */
static int64_t activations_of(const Request *request)
{
    Compile compile;
    plan_size(&compile, request);
    int64_t bytes = compile.plan->category_bytes[CATEGORY_ACTIVATIONS];
    compile_close(&compile);
    return bytes;
}

/* The first of the stages has as many microbatches in flight as there are stages: activations of as many layers as
 * without. */
static void check_kept(const Size *size, const Kept *row, int64_t stages, int64_t examples)
{
    char strategy[120], mesh[32];
    snprintf(strategy, sizeof strategy, "%s%s", row->strategy, stages > 1 ? " * pipeline(p)" : "");
    snprintf(mesh, sizeof mesh, "p: %lld, t: %d", (long long)stages, T);
    int64_t micro = stages > 1 ? stages : 1;
    Size half = *size;
    half.layers /= 2;
    Request request = {size, stages > 1 ? mesh : "t: 8", strategy, stages * T, examples * micro, micro, 0.1};
    int64_t whole = activations_of(&request);
    request.size = &half;
    double layers = (double)(whole - activations_of(&request));
    double numbers = (double)(size->layers / 2) * CONTEXT * (double)examples * (double)size->hidden;
    double pairs = (double)size->heads * CONTEXT / (double)size->hidden;
    double expected = numbers * (row->numbers + row->pairs * pairs);
    double published = numbers * (row->masked + row->masked_pairs * pairs);
    if (layers < expected || layers > 1.001 * expected || layers > 1.001 * published)
        fail_msg("%s under %s: layers keep %.6g B, expected %.6g, published %.6g", size->name, strategy, layers,
                 expected, published);
}

static void test_kept_activations(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        check_kept(&gpt22, &kept[i], 1, 4);
        if (SANITIZED)
            continue;
        check_kept(&gpt175, &kept[i], 8, 1);
        check_kept(&gpt1000, &kept[i], 64, 1);
    }
}

/* Of interleaved chunks, some layers of each may be recomputed: each such layer of a stage, of which all have equally
 * many, keeps what one of those does that are all recomputed, and the others what one of those that are all kept. */
static void test_chunks_that_differ(void **state)
{
    (void)state;
    static const char *const recomputed[] = {"", " * recompute(block[*])",
                                             " * recompute(block[0..2, 6..8, 12..14, 18..20, 24..26, 30..32, 36..38, "
                                             "42..44])",
                                             " * recompute(block[47].mlp)"};
    double bytes[4];
    for (int i = 0; i < 4; i++) {
        char strategy[160];
        snprintf(strategy, sizeof strategy, "pipeline(p, schedule = interleaved, chunks = 2)%s", recomputed[i]);
        Request request = {&gpt22, "p: 4", strategy, 4, 16, 16, 0};
        bytes[i] = (double)activations_of(&request);
    }
    double half = (bytes[0] + bytes[1]) / 2;
    if (bytes[2] > 1.01 * half || bytes[3] > bytes[0])
        fail_msg("half of all layers: %.6g B, expected %.6g; all but one %.6g B, all %.6g B", bytes[2], half, bytes[3],
                 bytes[0]);
}

/* The figure that is published for 22B (figure 1): our plan, with working memory and logits, takes less. */
static void test_published_activations(void **state)
{
    (void)state;
    Request request = {&gpt22, "t: 8", "megatron(t, vocab = true)", 8, 4, 1, 0.1};
    assert_true(activations_of(&request) < 63619203072);
}

/* What is recomputed counts each time: of a block everything but the last product, which makes what is kept. */
static void test_operations_again(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        Request request = {&gpt22, "t: 8", kept[i].strategy, 8, 4, 1, 0.1};
        double h = (double)gpt22.hidden, tokens = 4 * CONTEXT;
        double layer = kept[i].square_flops * h * h + kept[i].pair_flops * CONTEXT * h;
        check_work(&request, tokens / T * ((double)gpt22.layers * layer + 6 * h * VOCAB));
    }
}

/* ---- Pipelines ---------------------------------------------------------------------------------------------- */

static int64_t slots_of(const Compile *compile, const char *name)
{
    const Program *program = compile->file->program;
    for (int b = 0; b < program->buffers.count; b++)
        if (strcmp(program->buffers.data[b].name, name) == 0)
            return program->buffers.data[b].slots;
    fail_msg("there is no '%s'", name);
    return 0;
}

/* A stage keeps what its layers begin with, for p microbatches in flight, and nothing of what it sent: that has one
 * place. */
static void test_nothing_sent_is_kept(void **state)
{
    (void)state;
    static const struct {
        Request request;
        int64_t layers, stages; /* layers of a stage */
    } cases[] = {
        {{&gpt175, "p: 8, t: 8", "megatron(t) * pipeline(p)", 64, 64, 64, 0}, 12, 8},
        {{&gpt175, "p: 8, t: 8", "megatron(t, sequence_parallel = true) * recompute(block[*]) * pipeline(p)", 64, 64,
          64, 0},
         12,
         8},
        {{&gpt1000, "p: 64, t: 8", "megatron(t, sequence_parallel = true) * pipeline(p)", 512, 512, 512, 0}, 2, 64},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Compile compile;
        plan_size(&compile, &cases[i].request);
        assert_int_equal(slots_of(&compile, "x"), cases[i].layers * cases[i].stages + 1);
        compile_close(&compile);
    }
}

/* Bytes of one layer's parameters on a tensor rank: of 12 hh + 13 h numbers, norms and the biases of sums are whole. */
static int64_t layer_bytes(int64_t h)
{
    return 2 * (12 * h * h / T + 7 * h / T + 6 * h);
}

/* Each stage has its own plan: the first one's tables, the last one's head and norm; between them two messages per
 * microbatch instead of one. */
static void test_stages_by_themselves(void **state)
{
    (void)state;
    Request request = {&gpt175, "d: 2, p: 8, t: 8", "zero1(d) * megatron(t, vocab = true) * pipeline(p)", 128, 128, 64,
                       0};
    Compile compile;
    plan_size(&compile, &request);
    const Plan *plan = compile.plan;
    int64_t h = gpt175.hidden, table = 2 * VOCAB * h / T, layers = 12 * layer_bytes(h);
    const struct {
        int64_t first_rank, ranks, parameters, messages;
    } stages[] = {
        {0, 16, layers + table + 2 * CONTEXT * h, 1}, {8, 96, layers, 2}, {56, 16, layers + table + 2 * 2 * h, 1}};
    assert_int_equal(plan->classes.count, 3);
    for (int c = 0; c < plan->classes.count; c++) {
        const PlanClass *class = &plan->classes.data[c];
        int64_t sum = class->padding_bytes, sends = 0;
        assert_int_equal(class->first_rank, stages[c].first_rank);
        assert_int_equal(class->ranks, stages[c].ranks);
        assert_int_equal(class->places.count, stages[c].ranks / 16);
        assert_int_equal(class->category_bytes[CATEGORY_PARAMETERS], stages[c].parameters);
        assert_int_equal(class->category_bytes[CATEGORY_GRADIENTS], stages[c].parameters);
        for (int i = 0; i < CATEGORY_COUNT; i++)
            sum += class->category_bytes[i];
        assert_int_equal(sum, class->total_bytes);
        assert_true(class->total_bytes <= plan->total_bytes);
        for (int i = 0; i < class->calls.count; i++)
            sends += class->calls.data[i].op == OP_SEND ? class->calls.data[i].count : 0;
        assert_int_equal(sends, stages[c].messages * request.micro);
    }
    compile_close(&compile);
}

/* ---- Sequence parallelism ----------------------------------------------------------------------------------- */

/* The gathered outputs of norms have one place, for all layers. */
static void test_norms_are_gathered_again(void **state)
{
    (void)state;
    Request request = {&gpt22, "t: 8", "megatron(t, sequence_parallel = true)", 8, 4, 1, 0};
    Compile compile;
    plan_size(&compile, &request);
    assert_int_equal(slots_of(&compile, "block.norm1.gathered"), 1);
    assert_int_equal(slots_of(&compile, "block.norm2.gathered"), 1);
    compile_close(&compile);
}

/* Per layer and microbatch 10 bsh (t-1)/t; outside layers 5 at most: for the tables, the head, and what they are read
 * with. The gradient of no weight is scattered in a microbatch: that of the table would be 262 GiB in 256 of GPT 175B,
 * where gathering its cotangent is 10. */
static void test_sequence_parallel_traffic(void **state)
{
    (void)state;
    static const struct {
        Request request;
        int64_t stages;
    } cases[] = {
        {{&gpt22, "t: 8", "megatron(t, sequence_parallel = true, vocab = true)", 8, 4, 1, 0}, 1},
        {{&gpt22, "t: 8", "megatron(t, sequence_parallel = true, vocab = true)", 8, 64, 16, 0}, 1},
        {{&gpt175, "p: 8, t: 8", "megatron(t, sequence_parallel = true, vocab = true) * pipeline(p)", 64, 256, 256, 0},
         8},
        {{&gpt1000, "p: 64, t: 8", "megatron(t, sequence_parallel = true, vocab = true) * pipeline(p)", 512, 512, 512,
          0},
         64},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Request *request = &cases[i].request;
        Compile compile;
        plan_size(&compile, request);
        const Plan *plan = compile.plan;
        int64_t sent = 0, block = request->batch * CONTEXT * request->size->hidden * 2 / 8 * 7;
        for (int c = 0; c < plan->calls.count; c++) {
            const PlanCall *call = &plan->calls.data[c];
            assert_true(strncmp(call->state, "gradients.", 10) != 0);
            bool tensor = call->axis_count == 1 && strcmp(plan->decls->axes.data[call->axis[0]].name, "t") == 0;
            sent += tensor && strcmp(call->state, "gradients") != 0 ? call->bytes_per_device : 0;
        }
        int64_t layers = 10 * request->size->layers / cases[i].stages * block;
        if (sent < layers || sent > layers + 5 * block)
            fail_msg("%s, %lld microbatches: %lld B are sent, in layers %lld are expected", request->size->name,
                     (long long)request->micro, (long long)sent, (long long)layers);
        compile_close(&compile);
    }
}

/* ---- Traffic ------------------------------------------------------------------------------------------------ */

/* Bytes that a device sends over one axis alone, of parameters, of gradients and of values between layers. */
typedef struct Sent {
    int64_t parameters, gradients, values;
} Sent;

static Sent sent_over(const Plan *plan, const char *axis)
{
    Sent sent = {0};
    for (int c = 0; c < plan->calls.count; c++) {
        const PlanCall *call = &plan->calls.data[c];
        if (call->scalar || call->axis_count != 1 || strcmp(plan->decls->axes.data[call->axis[0]].name, axis) != 0)
            continue;
        int64_t *of = strcmp(call->state, "parameters") == 0  ? &sent.parameters
                      : strcmp(call->state, "gradients") == 0 ? &sent.gradients
                                                              : &sent.values;
        *of += call->bytes_per_device;
    }
    return sent;
}

/* To a millionth: units are padded. */
static void check_sent(const Request *request, const char *what, int64_t sent, double expected)
{
    if (fabs((double)sent - expected) > 1e-6 * expected)
        fail_msg("%s under %s sends %lld B of %s, expected %.12g", request->size->name, request->strategy,
                 (long long)sent, what, expected);
}

/* Rajbhandari et al. 2020, section 7: 2 psi (n-1)/n for data parallelism, ZeRO-1 and ZeRO-2, 3 psi for ZeRO-3, in one
 * microbatch of a step; in K of them ZeRO-2 reduces K times, ZeRO-3 gathers, too. Zhao et al. 2023: of parameters
 * sharded in groups of g ranks, 1/g goes over the other axis. */
static void test_traffic_of_states(void **state)
{
    (void)state;
    static const struct {
        Request request;
        double ranks, share, gathered, reduced; /* the last two in psi */
    } cases[] = {
        {{&gpt22, "d: 8", "data_parallel(d)", 8, 64, 4, 0}, 8, 1, 0, 2},
        {{&gpt22, "d: 8", "zero1(d)", 8, 64, 4, 0}, 8, 1, 1, 1},
        {{&gpt22, "d: 8", "zero2(d)", 8, 64, 1, 0}, 8, 1, 1, 1},
        {{&gpt22, "d: 8", "zero2(d)", 8, 64, 4, 0}, 8, 1, 1, 4},
        {{&gpt175, "d: 64", "zero3(d)", 64, 128, 1, 0}, 64, 1, 2, 1},
        {{&gpt22, "d: 8", "zero3(d)", 8, 64, 4, 0}, 8, 1, 8, 4},
        {{&gpt22, "d: 8, l: 8", "fsdp(l) * data_parallel(d)", 64, 64, 1, 0}, 8, 8, 0, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Compile compile;
        plan_size(&compile, &cases[i].request);
        Sent sent = sent_over(compile.plan, "d");
        double psi = 2 * (double)compile.plan->parameters / cases[i].share * (cases[i].ranks - 1) / cases[i].ranks;
        check_sent(&cases[i].request, "parameters", sent.parameters, cases[i].gathered * psi);
        check_sent(&cases[i].request, "gradients", sent.gradients, cases[i].reduced * psi);
        assert_int_equal(sent.values, 0);
        compile_close(&compile);
    }
}

/* In bsh: tensor parallelism 8 (t-1)/t per layer (Narayanan et al. 2021), context parallelism by gathers 4, by a ring 6
 * (Liu et al. 2023), by heads 8/c (Jacobs et al. 2023); dispatch and combination of k experts per token, forward and
 * backward, 4 k with capacity. A boundary of stages is crossed once in each direction, with shards of the sequence by
 * 1/t of it; the first stage, which is busiest where it reduces rows of a table, sends in one. */
static void test_traffic_of_values(void **state)
{
    (void)state;
    static const struct {
        Request request;
        const char *axis;
        double blocks; /* of one microbatch, in bsh of the batch that a rank has */
        double share;  /* the part of the batch */
    } cases[] = {
        {{&gpt22, "t: 8", "megatron(t)", 8, 64, 4, 0}, "t", 8 * 48 * 7. / 8, 1},
        {{&gpt175, "t: 8", "megatron(t)", 8, 4, 4, 0}, "t", 8 * 96 * 7. / 8, 1},
        {{&gpt22, "c: 4", "context_parallel(c)", 4, 8, 4, 0}, "c", 4 * 48 * 3. / 4, 1},
        {{&gpt22, "c: 4", "ring(c)", 4, 8, 4, 0}, "c", 6 * 48 * 3. / 4, 1},
        {{&gpt175, "c: 8", "ulysses(c)", 8, 8, 4, 0}, "c", 8. / 8 * 96 * 7. / 8, 1},
        {{&sparse, "x: 8", "expert_parallel(x)", 8, 16, 2, 0}, "x", 4 * 2 * 1.25 * 32 * 7. / 8, 1. / 8},
        {{&gpt175, "p: 8", "pipeline(p)", 8, 64, 64, 0}, "p", 2, 1},
        {{&gpt1000, "p: 64, t: 8", "megatron(t, sequence_parallel = true, vocab = true) * pipeline(p)", 512, 64, 64, 0},
         "p",
         1. / 8,
         1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Request *request = &cases[i].request;
        Compile compile;
        plan_size(&compile, request);
        double block = cases[i].share * (double)request->batch * CONTEXT * (double)request->size->hidden * 2;
        check_sent(request, "values", sent_over(compile.plan, cases[i].axis).values, cases[i].blocks * block);
        compile_close(&compile);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operations),
        cmocka_unit_test(test_masks_are_drawn),
        cmocka_unit_test(test_dispatch_by_indices),
        cmocka_unit_test(test_kept_activations),
        cmocka_unit_test(test_chunks_that_differ),
        cmocka_unit_test(test_published_activations),
        cmocka_unit_test(test_operations_again),
        cmocka_unit_test(test_nothing_sent_is_kept),
        cmocka_unit_test(test_stages_by_themselves),
        cmocka_unit_test(test_norms_are_gathered_again),
        cmocka_unit_test(test_sequence_parallel_traffic),
        cmocka_unit_test(test_traffic_of_states),
        cmocka_unit_test(test_traffic_of_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

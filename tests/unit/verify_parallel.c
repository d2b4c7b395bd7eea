/* Transformers under tensor, sequence, context and expert parallelism, with data parallelism and ZeRO: accepted on
 * meshes whose axes differ in size and order, and in volumes that equal the closed forms of each.
 */
#include "tests/unit/derived.h"

static const char model_text[] =
    "place 1\n" GPT_MODEL("gpt", "layers = 3, hidden = 24, heads = 6, context = 12, vocab = 10", "4 * hidden");

/* Experts with room for four tokens of every example each. */
static const char experts_text[] = "place 1\n"
                                   "model gpt(layers = 3, hidden = 24, context = 12) {\n"
                                   "    input x, y : f32[batch, context, hidden]\n"
                                   "    repeat block[layers] {\n"
                                   "        x = x + moe(layernorm(x) as norm, 6, 2, 5, swiglu, capacity = 1) as moe\n"
                                   "    }\n"
                                   "    loss = mean over batch, context, hidden of squared_error(x, y)\n"
                                   "}\n";

enum { LAYERS = 3, HIDDEN = 24, CONTEXT = 12, BATCH = 24 };

static Compiled compile_setting(const OnMesh *on)
{
    bool experts = strstr(on->strategy, "expert_parallel") != NULL;
    return compile_on_mesh(experts ? experts_text : model_text, on, BATCH);
}

/* ---- Accepted ----------------------------------------------------------------------------------------------- */

static const OnMesh accepted[] = {
    {"tensor: 2", "tensor_parallel(tensor)", 2, 1},
    {"tensor: 3", "megatron(tensor, sequence_parallel = true)", 3, 2},
    {"tensor: 5", "megatron(tensor, sequence_parallel = true)", 5, 1},
    {"data: 2, tensor: 3", "data_parallel(data) * megatron(tensor)", 6, 2},
    {"data: 2, tensor: 3", "zero1(data) * megatron(tensor, sequence_parallel = true)", 6, 2},
    {"tensor: 2, data: 3", "zero2(data) * megatron(tensor)", 6, 2},
    {"data: 2, tensor: 2", "zero3(data) * megatron(tensor, sequence_parallel = true)", 4, 3},
    {"tensor: 2", "megatron(tensor, vocab = true)", 2, 2},
    {"tensor: 3, data: 2", "zero3(data) * megatron(tensor, sequence_parallel = true, vocab = true)", 6, 2},
    {"data: 2, context: 2, tensor: 3",
     "zero1(data) * context_parallel(context) * megatron(tensor, sequence_parallel = true, vocab = true)", 12, 1},
    {"data: 2, context: 3", "zero1(data) * context_parallel(context)", 6, 2},
    {"context: 5", "context_parallel(context)", 5, 1},
    {"context: 2, data: 2", "zero3(data) * ulysses(context)", 4, 1},
    {"context: 2", "ring(context)", 2, 2},
    {"data: 2, context: 3", "zero2(data) * ring(context)", 6, 1},
    {"data: 2, context: 2, tensor: 2", "zero3(data) * ring(context) * megatron(tensor, sequence_parallel = true)", 8,
     2},
    {"ring: 2, context: 2", "ring(ring) * ulysses(context)", 4, 1},
    {"data: 2, context: 2, tensor: 3", "zero1(data) * context_parallel(context) * megatron(tensor)", 12, 2},
    {"data: 2, context: 2, tensor: 2",
     "zero3(data) * context_parallel(context) * megatron(tensor, sequence_parallel = true)", 8, 1},
    {"data: 2, tensor: 2, context: 2",
     "zero2(data) * context_parallel(context) * megatron(tensor, sequence_parallel = true)", 8, 2},
    {"data: 2, context: 2, tensor: 2", "zero1(data) * ulysses(context) * megatron(tensor, sequence_parallel = true)", 8,
     1},
    {"pod: 2, data: 2, context: 2, tensor: 2",
     "data_parallel(pod) * zero3(data) * context_parallel(context) * megatron(tensor)", 16, 1},
    {"data: 2, stage: 3, context: 2, tensor: 2",
     "fsdp(data) * pipeline(stage) * ulysses(context) * megatron(tensor) * recompute(block[*].mlp)", 24, 4},
    {"pod: 2, data: 2, stage: 3, context: 2, tensor: 2",
     "data_parallel(pod) * fsdp(data) * pipeline(stage) * ring(context) * megatron(tensor, sequence_parallel = true)",
     48, 3},
    {"expert: 3", "expert_parallel(expert)", 3, 2},
    {"data: 2, expert: 3", "zero1(data) * expert_parallel(expert)", 6, 2},
    {"expert: 2, data: 3", "zero3(data) * expert_parallel(expert)", 6, 1},
    {"data: 2, expert: 2, tensor: 2", "zero2(data) * expert_parallel(expert) * megatron(tensor)", 8, 1},
};

static void test_accepted(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(accepted) / sizeof(*accepted); i++) {
        Compiled compiled = compile_setting(&accepted[i]);
        StepFile *file = derive_compiled(&compiled);
        Verdict verdict;
        if (file == NULL || !verify_run(&compiled.ctx, file, &verdict)) {
            diag_print_text(compiled.ctx.diag, stderr, false, 20);
            fail_msg("%s on %s", accepted[i].strategy, accepted[i].mesh);
        }
        compiled_free(&compiled);
    }
}

/* ---- Volumes ------------------------------------------------------------------------------------------------ */

/* Elements of activations that one rank sends, per kind of operator, times the number of ranks of its group. */
typedef struct Volume {
    const Program *program;
    int64_t elements[OP_COUNT];
} Volume;

static void add_op(Volume *volume, const Op *op, int64_t times)
{
    const Decls *decls = volume->program->decls;
    if (op_info[op->kind].op_class != CLASS_COMM)
        return;
    const Buffer *in = &volume->program->buffers.data[op->operand[0].buffer];
    const Buffer *out = &volume->program->buffers.data[op->out.buffer];
    int64_t ranks = 1, elements = buffer_slot_elements(decls, op->kind == OP_ALL_GATHER ? out : in);
    for (int i = 0; i < op->axes.count; i++)
        ranks *= decls->axes.data[op->axes.axis[i]].size;
    int64_t factor = op->kind == OP_ALL_REDUCE ? 2 : 1;
    if (in->layout == LAYOUT_DENSE && in->dim_count >= 3)
        volume->elements[op->kind] += times * factor * elements * (ranks - 1) / ranks;
}

static void add_list(Volume *volume, const NodeList *body, int64_t times)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        int64_t inner = times;
        if (node->kind == NODE_OP)
            add_op(volume, node->op, times);
        if (node->kind == NODE_LOOP)
            inner *= llabs(node->loop.last.constant - node->loop.first.constant) + 1;
        add_list(volume, &node->body, inner);
    }
}

static Volume volume_of(const OnMesh *s)
{
    Compiled compiled = compile_setting(s);
    StepFile *file = derive_compiled(&compiled);
    assert_non_null(file);
    Volume volume = {.program = file->program};
    add_list(&volume, &program_routine(file->program, ROUTINE_STEP)->body, 1);
    compiled_free(&compiled);
    return volume;
}

/* Of one layer and microbatch, in elements b s h of a rank's part of the microbatch, times (n - 1) / n. */
typedef struct Form {
    OnMesh setting;
    int n, data;
    int all_reduce, reduce_scatter, all_gather, all_to_all; /* the latter of pieces: times 1 / n */
} Form;

static const Form forms[] = {
    {{"data: 2, tensor: 2", "zero1(data) * megatron(tensor)", 4, 2}, 2, 2, 8, 0, 0, 0},
    {{"data: 2, tensor: 3", "zero1(data) * megatron(tensor)", 6, 1}, 3, 2, 8, 0, 0, 0},
    {{"data: 2, tensor: 2", "zero1(data) * megatron(tensor, sequence_parallel = true)", 4, 2}, 2, 2, 0, 4, 6, 0},
    {{"data: 2, tensor: 3", "zero3(data) * megatron(tensor, sequence_parallel = true)", 6, 2}, 3, 2, 0, 4, 6, 0},
    {{"data: 2, context: 2", "zero1(data) * context_parallel(context)", 4, 2}, 2, 2, 0, 2, 2, 0},
    {{"data: 2, context: 3", "zero2(data) * context_parallel(context)", 6, 1}, 3, 2, 0, 2, 2, 0},
    {{"data: 2, context: 2", "zero1(data) * ulysses(context)", 4, 2}, 2, 2, 0, 0, 0, 8},
    {{"data: 2, context: 3", "zero1(data) * ulysses(context)", 6, 1}, 3, 2, 0, 0, 0, 8},
};

static void test_volumes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
        const Form *f = &forms[i];
        Volume volume = volume_of(&f->setting);
        int64_t value = BATCH / f->setting.micro / f->data * CONTEXT * HIDDEN * (f->n - 1) / f->n;
        int64_t unit = LAYERS * f->setting.micro * value;
        assert_int_equal(volume.elements[OP_ALL_REDUCE], f->all_reduce * unit);
        assert_int_equal(volume.elements[OP_REDUCE_SCATTER], f->reduce_scatter * unit);
        assert_int_equal(volume.elements[OP_ALL_GATHER], f->all_gather * unit);
        assert_int_equal(volume.elements[OP_ALL_TO_ALL], f->all_to_all * unit / f->n);
    }
}

/* The tokens that their experts have room for, k context of them here, there and back in both passes. */
static void test_exchanged_tokens(void **state)
{
    (void)state;
    for (int ranks = 2; ranks <= 3; ranks++) {
        OnMesh setting = {ranks == 2 ? "data: 2, expert: 2" : "data: 2, expert: 3",
                          "zero1(data) * expert_parallel(expert)", 2 * ranks, 2};
        Volume volume = volume_of(&setting);
        int64_t tokens = BATCH / 2 / ranks * 2 * CONTEXT;
        assert_int_equal(volume.elements[OP_ALL_TO_ALL], LAYERS * 4 * tokens * HIDDEN * (ranks - 1) / ranks);
        assert_int_equal(volume.elements[OP_ALL_GATHER] + volume.elements[OP_ALL_REDUCE], 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_accepted), cmocka_unit_test(test_volumes),
                                       cmocka_unit_test(test_exchanged_tokens)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

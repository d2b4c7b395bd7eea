/* Derived programs: what they send, call by call, against the closed forms; the shape of mixtures and explicit syncs;
 * what is refused; and the arena, checked by a trace that shares nothing with the placement's own liveness. */
#include "tests/lowered.h"
#include "tests/unit/derive_case.h"

#include "lower/offsets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <time.h>

#include <cmocka.h>

static StepFile *derive(Case *c)
{
    StepFile *file = lowered_step(c->ctx, &c->train, &c->assignment);
    if (file == NULL)
        diag_print_text(c->ctx->diag, stderr, false, 20);
    assert_non_null(file);
    return file;
}

static void case_free(Case *c)
{
    arena_free(c->ctx->arena);
}

/* ---- A walker that runs the loops of a routine -------------------------------------------------------------- */

enum { MOST_LOOPS = 256 };

typedef struct Walk {
    const Program *program;
    int64_t variable[MOST_LOOPS];
    void (*visit)(struct Walk *walk, const Op *op);
    void *data;
} Walk;

static int64_t affine_value(const Walk *walk, const Affine *affine)
{
    int64_t value = affine->constant;
    for (int i = 0; i < affine->term_count; i++)
        if (affine->term[i].variable >= 0)
            value += affine->term[i].coefficient * walk->variable[affine->term[i].variable];
    return affine->modulus > 0 ? value % affine->modulus : value;
}

static void walk_list(Walk *walk, const NodeList *body)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        int64_t guard = node->kind == NODE_GUARD ? affine_value(walk, &node->guard.value) : 0;
        switch (node->kind) {
        case NODE_OP:
            walk->visit(walk, node->op);
            break;
        case NODE_GUARD:
            if (node->guard.low <= guard && guard <= node->guard.high)
                walk_list(walk, &node->body);
            break;
        case NODE_LOOP:
            assert_true(node->loop.id < MOST_LOOPS);
            for (int64_t v = affine_value(walk, &node->loop.first), last = affine_value(walk, &node->loop.last);
                 node->loop.step > 0 ? v <= last : v >= last; v += node->loop.step) {
                walk->variable[node->loop.id] = v;
                walk_list(walk, &node->body);
            }
            break;
        case NODE_WAIT:
            break;
        }
    }
}

/* ---- Traffic ------------------------------------------------------------------------------------------------ */

typedef struct Traffic {
    int calls[OP_COUNT];
    int64_t elements[OP_COUNT]; /* of the whole value */
    int scalar_calls;
} Traffic;

static void count_op(Walk *walk, const Op *op)
{
    Traffic *traffic = walk->data;
    if (op_info[op->kind].op_class != CLASS_COMM)
        return;
    const Buffer *whole =
        &walk->program->buffers.data[op->kind == OP_ALL_GATHER ? op->out.buffer : op->operand[0].buffer];
    if (whole->layout == LAYOUT_DENSE) {
        traffic->scalar_calls++;
        return;
    }
    traffic->calls[op->kind]++;
    traffic->elements[op->kind] += buffer_slot_elements(walk->program->decls, whole);
}

static Traffic count_traffic(const Program *program, RoutineKind routine)
{
    Traffic traffic = {0};
    Walk walk = {.program = program, .visit = count_op, .data = &traffic};
    walk_list(&walk, &program_routine(program, routine)->body);
    return traffic;
}

/* Elements that cross, in units of (n - 1) / n. */
static int64_t sent(const Traffic *traffic)
{
    return 2 * traffic->elements[OP_ALL_REDUCE] + traffic->elements[OP_REDUCE_SCATTER] +
           traffic->elements[OP_ALL_GATHER];
}

static const CaseModel stack = {.batch = 12, .width = 4, .layers = 5, .micro = 1, .axes = "axis d 2\n"};

/* What an untied stack of blocks sends per step: in parameters, a + b K. */
typedef struct Stage {
    const char *name, *parameters, *gradients, *optimizer;
    int once, per_microbatch;
} Stage;

static const Stage stages[] = {{"data parallel", "", "", "", 2, 0},
                               {"ZeRO-1", "", "", "0", 2, 0},
                               {"ZeRO-2", "", "0", "0", 1, 1},
                               {"ZeRO-3", "0", "0", "0", 0, 3}};
enum { STAGE_COUNT = sizeof(stages) / sizeof(stages[0]) };

static void test_closed_forms(void **state)
{
    (void)state;
    for (int n = 2; n <= 4; n += 2)
        for (int micro = 1; micro <= 3; micro++)
            for (int i = 0; i < STAGE_COUNT; i++) {
                CaseModel model = stack;
                model.micro = micro;
                model.axes = n == 2 ? "axis d 2\n" : "axis d 4\n";
                Case *c = case_new(&model);
                case_place_all(c, stages[i].parameters, stages[i].gradients, stages[i].optimizer);
                Traffic traffic = count_traffic(derive(c)->program, ROUTINE_STEP);
                /* the bias begins at 64, and pieces are multiples of 8 */
                int64_t pieces = *stages[i].optimizer == '\0' ? 1 : n;
                int64_t unit = (64 + model.width + 8 * pieces - 1) / (8 * pieces) * (8 * pieces);
                assert_int_equal(sent(&traffic),
                                 (stages[i].once + stages[i].per_microbatch * micro) * model.layers * unit);
                assert_int_equal(traffic.scalar_calls, 1); /* the loss */
                case_free(c);
            }
}

static void test_calls(void **state)
{
    (void)state;
    CaseModel model = stack;
    model.micro = 2;
    static const int expected[STAGE_COUNT][3] = {{5, 0, 0}, {0, 5, 5}, {0, 10, 5}, {0, 10, 20}};
    for (int i = 0; i < STAGE_COUNT; i++) {
        Case *c = case_new(&model);
        case_place_all(c, stages[i].parameters, stages[i].gradients, stages[i].optimizer);
        Traffic traffic = count_traffic(derive(c)->program, ROUTINE_STEP);
        assert_int_equal(traffic.calls[OP_ALL_REDUCE], expected[i][0]);
        assert_int_equal(traffic.calls[OP_REDUCE_SCATTER], expected[i][1]);
        assert_int_equal(traffic.calls[OP_ALL_GATHER], expected[i][2]);
        case_free(c);
    }
}

/* The biases are not read by the backward pass: they are not gathered there. */
static void test_gathers_only_what_is_read(void **state)
{
    (void)state;
    CaseModel model = stack;
    model.micro = 3;
    model.units = "unit weights in block 0..4 = w\nunit biases in block 0..4 = b\n";
    Case *c = case_new(&model);
    case_place(c, 0, "0", "0", "0");
    assert_int_equal(count_traffic(derive(c)->program, ROUTINE_STEP).calls[OP_ALL_GATHER], 2 * 3 * 5);
    case_free(c);
    c = case_new(&model);
    case_place(c, 1, "0", "0", "0");
    assert_int_equal(count_traffic(derive(c)->program, ROUTINE_STEP).calls[OP_ALL_GATHER], 3 * 5);
    case_free(c);
}

/* What is outside the blocks is read at both ends of both passes: gathered once for each; kept, once per step. */
static void test_gathers_once_per_pass(void **state)
{
    (void)state;
    CaseModel model = stack;
    model.outside = true;
    model.micro = 3;
    Case *c = case_new(&model);
    case_place(c, 1, "0", "0", "0");
    StepFile *file = derive(c);
    Traffic traffic = count_traffic(file->program, ROUTINE_STEP);
    assert_int_equal(traffic.calls[OP_ALL_GATHER], 2 * 3);
    assert_int_equal(traffic.calls[OP_REDUCE_SCATTER], 3);
    traffic = count_traffic(file->program, ROUTINE_EVAL);
    assert_int_equal(traffic.calls[OP_ALL_GATHER], 3);
    case_free(c);
    c = case_new(&model);
    case_place_all(c, "0", "0", "0");
    for (int i = 0; i < 2; i++)
        c->assignment.units.data[i].parameters.keep = KEEP_STEP;
    file = derive(c);
    assert_int_equal(count_traffic(file->program, ROUTINE_STEP).calls[OP_ALL_GATHER], 1 + 5);
    assert_int_equal(count_traffic(file->program, ROUTINE_EVAL).calls[OP_ALL_GATHER], 1 + 5);
    case_free(c);
}

/* Axes of size 1 need no communication at all. */
static void test_one_rank_sends_nothing(void **state)
{
    (void)state;
    CaseModel model = stack;
    model.axes = "axis d 1\n";
    model.clip = true;
    Case *c = case_new(&model);
    case_place_all(c, "0", "0", "0");
    Traffic traffic = count_traffic(derive(c)->program, ROUTINE_STEP);
    assert_int_equal(sent(&traffic) + traffic.scalar_calls, 0);
    case_free(c);
}

/* ---- Shape -------------------------------------------------------------------------------------------------- */

/* Numbers of loops are nobody's business: "l12" becomes "l". */
static void drop_loop_numbers(char *line)
{
    char *to = line;
    for (char *from = line; *from != '\0';) {
        bool variable = *from == 'l' && strchr("0123456789", from[1]) != NULL && from > line && strchr(" [", from[-1]);
        *to++ = *from++;
        if (variable)
            from += strspn(from, "0123456789");
    }
    *to = '\0';
}

/* The lines of a routine of the program that contain one of the words, stripped, joined by newlines; in the arena. */
static const char *lines_with(Case *c, const StepFile *file, const char *routine, const char *const *words)
{
    char *text = case_text(c, file);
    char *at = strstr(strstr(text, "\nprogram {"), arena_printf(c->ctx->arena, "    routine %s {\n", routine));
    assert_non_null(at);
    char *end = strstr(at, "\n    }\n");
    Text result = {.arena = c->ctx->arena};
    for (char *line = strchr(at, '\n') + 1; line < end; line = strchr(line, '\n') + 1) {
        int length = (int)strcspn(line, "\n"), indent = (int)strspn(line, " ");
        char *copy = arena_copy(c->ctx->arena, line + indent, (size_t)(length - indent));
        drop_loop_numbers(copy);
        for (const char *const *word = words; *word != NULL; word++)
            if (strstr(copy, *word) != NULL) {
                text_add(&result, "%s\n", copy);
                break;
            }
    }
    return result.data != NULL ? result.data : "";
}

static const char *const conversions[] = {"all_reduce(",  "reduce_scatter(", "all_gather(", "slice(",
                                          "place_shard(", "= scale(",        "guard",       NULL};

static void assert_step(Case *c, const char *const *words, const char *expected)
{
    assert_string_equal(lines_with(c, derive(c), "step", words), expected);
    case_free(c);
}

static void test_mixture_splits_loops(void **state)
{
    (void)state;
    static const char *const words[] = {"layers", "all_gather(", "reduce_scatter(", "all_reduce(", NULL};
    CaseModel model = stack;
    model.units = "unit low in block 0..1 = w, b\nunit high in block 2..4 = w, b\n";
    Case *c = case_new(&model);
    case_place(c, 1, "0", "0", "0");
    assert_step(c, words,
                "loop l layers block 0..1 {\n"
                "loop l layers block 0..1 {\n"
                "loop l layers block 2..4 {\n"
                "full.high = all_gather(parameters.high[l-2]) over d\n"
                "loop l layers block 4..2 down {\n"
                "full.high = all_gather(parameters.high[l-2]) over d\n"
                "gradients.high[l-2] = reduce_scatter(contribution.high) sum over d\n"
                "loop l layers block 1..0 down {\n"
                "loss.sum = all_reduce(loss.sum) sum over d\n"
                "loop l layers block 0..1 {\n"
                "gradients.low[l] = all_reduce(gradients.low[l]) sum over d\n"
                "loop l layers block 2..4 {\n");
}

/* Parameters and states in pieces over the first axis, copies along the second. */
static void test_two_axes(void **state)
{
    (void)state;
    CaseModel model = stack;
    model.axes = "axis d 2\naxis e 2\n";
    model.clip = true;
    Case *c = case_new(&model);
    case_place_all(c, "0", "0", "0");
    assert_step(c, conversions,
                "full.block = all_gather(parameters.block[l]) over d\n"
                "loss = scale(loss) \"->\" scale 1/48\n"
                "full.block = all_gather(parameters.block[l]) over d\n"
                "gradients.block[l] = reduce_scatter(contribution.block) sum over d\n"
                "loss.sum = all_reduce(loss.sum) sum over d, e\n"
                "gradients.block[l] = all_reduce(gradients.block[l]) sum over e\n"
                "squared = all_reduce(squared) sum over d\n");
    c = case_new(&model);
    case_place_all(c, "", "", "01");
    assert_step(c, conversions,
                "loss = scale(loss) \"->\" scale 1/48\n"
                "loss.sum = all_reduce(loss.sum) sum over d, e\n"
                "gradient_shard.block[l] = reduce_scatter(gradients.block[l]) sum over d, e\n"
                "squared = all_reduce(squared) sum over d, e\n"
                "parameter_shard.block = slice(parameters.block[l]) over d, e\n"
                "parameters.block[l] = all_gather(parameter_shard.block) over d, e\n");
}

/* Pieces over both axes are pieces of those over the first where the unit divides: nothing is made whole for them. */
static void test_nested_cuts(void **state)
{
    (void)state;
    static const char *const words[] = {"gradient_shard.block[",
                                        "gradient_shard.block =",
                                        "parameters.block[l] =",
                                        "parameter_shard.block = slice",
                                        "whole",
                                        "sum over e",
                                        NULL};
    CaseModel model = stack;
    model.axes = "axis d 2\naxis e 2\n";
    Case *c = case_new(&model);
    case_place_all(c, "0", "0", "01");
    assert_step(c, words,
                "gradient_shard.block = reduce_scatter(gradients.block[l]) sum over e\n"
                "parameter_shard.block = slice(parameters.block[l]) over e\n"
                "parameters.block[l] = all_gather(parameter_shard.block) over e\n");
    model.width = 3; /* 12 elements over 5 ranks, then 2: the unit is as long as both divide */
    model.axes = "axis d 5\naxis e 2\n";
    c = case_new(&model);
    case_place_all(c, "0", "0", "01");
    assert_step(c, words,
                "gradient_shard.block = reduce_scatter(gradients.block[l]) sum over e\n"
                "parameter_shard.block = slice(parameters.block[l]) over e\n"
                "parameters.block[l] = all_gather(parameter_shard.block) over e\n");
}

/* An axis that does not cut the batch has whole gradients: nothing is reduced over it, pieces are sliced. */
static void test_axis_next_to_the_batch(void **state)
{
    (void)state;
    CaseModel model = stack;
    model.axes = "axis d 2\naxis e 2\n";
    Case *c = case_new(&model);
    c->assignment.batch_axes = c->assignment.reader_axes = case_axes("0");
    case_place_all(c, "", "", "1");
    assert_step(c, conversions,
                "loss = scale(loss) \"->\" scale 1/48\n"
                "loss.sum = all_reduce(loss.sum) sum over d\n"
                "gradient_shard.block = slice(gradients.block[l]) over e\n"
                "gradient_shard.block = all_reduce(gradient_shard.block) sum over d\n"
                "parameter_shard.block = slice(parameters.block[l]) over e\n"
                "parameters.block[l] = all_gather(parameter_shard.block) over e\n");
}

/* Units whose optimizers are cut differently: each squared norm is reduced over its own axes, none counts copies. */
static void test_norm_of_mixed_units(void **state)
{
    (void)state;
    static const char *const words[] = {"squared =", "squared.d", "(squared", "squared +=", NULL};
    CaseModel model = stack;
    model.outside = model.clip = true;
    Case *c = case_new(&model);
    case_place(c, 0, "", "", "0");
    assert_step(c, words,
                "squared = fill(; 0)\n"
                "squared.d = fill(; 0)\n"
                "squared.d += sum_squares(gradient_shard.block[l])\n"
                "squared += sum_squares(gradients.outside)\n"
                "squared.d = all_reduce(squared.d) sum over d\n"
                "squared += copy(squared.d) \"->\"\n"
                "norm = sqrt(squared) \"->\"\n"
                "factor = clip_factor(squared; 0.01) \"->\"\n");
}

/* ---- Explicit syncs ----------------------------------------------------------------------------------------- */

typedef struct SyncCase {
    const char *parameters, *gradients, *optimizer;
    SyncOperation operation;
    const char *axes;
    SyncMoment moment;
    bool into_shards;
    int numerator, denominator;
    const char *expected; /* of the gradients: K = 2, two ranks */
} SyncCase;

static const SyncCase sync_cases[] = {
    {"", "", "", SYNC_NONE, "", SYNC_AT_STEP, false, 1, 1, ""},
    {"", "", "", SYNC_SUM, "0", SYNC_AT_STEP, false, 1, 1,
     "gradients.block[l] = all_reduce(gradients.block[l]) sum over d\n"},
    {"", "", "", SYNC_MEAN, "0", SYNC_AT_STEP, false, 3, 1,
     "gradients.block[l] = all_reduce(gradients.block[l]) sum over d\n"
     "gradients.block[l] = scale(gradients.block[l]) scale 3/2\n"},
    {"", "", "", SYNC_SUM, "0", SYNC_EACH_MICROBATCH, false, 1, 1,
     "gradients.block[l] = all_reduce(gradients.block[l]) sum over d\n"},
    {"", "", "", SYNC_SUM, "0", SYNC_AFTER_MICROBATCH, false, 1, 1,
     "guard l in 0..0 {\n"
     "gradients.block[l] = all_reduce(gradients.block[l]) sum over d\n"},
    {"", "", "0", SYNC_SUM, "0", SYNC_AT_STEP, true, 1, 1,
     "gradient_shard.block = reduce_scatter(gradients.block[l]) sum over d\n"},
    {"", "", "0", SYNC_SUM, "0", SYNC_AT_STEP, false, 1, 1,
     "gradients.block[l] = all_reduce(gradients.block[l]) sum over d\n"
     "gradient_shard.block = slice(gradients.block[l]) over d\n"},
    {"", "", "", SYNC_SUM, "0", SYNC_AT_STEP, true, 1, 1,
     "gradient_shard.block = reduce_scatter(gradients.block[l]) sum over d\n"
     "gradients.block[l] = place_shard(gradients.block[l], gradient_shard.block) over d\n"},
    {"0", "0", "0", SYNC_MEAN, "0", SYNC_EACH_MICROBATCH, true, 1, 1,
     "contribution_shard.block = reduce_scatter(contribution.block) sum over d\n"
     "contribution_shard.block = scale(contribution_shard.block) scale 1/2\n"},
};

static const char *const gradient_conversions[] = {"gradients.block[l] = all_reduce",
                                                   "gradients.block[l] = all_reduce",
                                                   "gradients.block[l] = scale",
                                                   "gradient_shard.block = ",
                                                   "place_shard(gradients",
                                                   "contribution_shard.block = ",
                                                   "guard",
                                                   NULL};

static void test_gradient_syncs(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(sync_cases) / sizeof(sync_cases[0]); i++) {
        const SyncCase *s = &sync_cases[i];
        CaseModel model = stack;
        model.micro = 2;
        Case *c = case_new(&model);
        case_place_all(c, s->parameters, s->gradients, s->optimizer);
        Sync *sync = case_sync(c, SYNC_GRADIENTS, s->operation, s->axes);
        sync->moment = s->moment;
        sync->into_shards = s->into_shards;
        sync->scale_numerator = s->numerator;
        sync->scale_denominator = s->denominator;
        assert_step(c, gradient_conversions, s->expected);
    }
}

/* Several syncs of a unit are done in the order written. */
static void test_syncs_in_order(void **state)
{
    (void)state;
    static const char *const words[] = {"gradient_shard.block", NULL};
    CaseModel model = stack;
    model.axes = "axis d 2\naxis e 2\n";
    Case *c = case_new(&model);
    case_place_all(c, "", "", "0");
    case_sync(c, SYNC_GRADIENTS, SYNC_SUM, "0")->into_shards = true;
    case_sync(c, SYNC_GRADIENTS, SYNC_MEAN, "1");
    assert_step(c, words,
                "gradient_shard.block = reduce_scatter(gradients.block[l]) sum over d\n"
                "gradient_shard.block = all_reduce(gradient_shard.block) sum over e\n"
                "gradient_shard.block = scale(gradient_shard.block) scale 1/2\n"
                "momentum.block[l] = momentum(momentum.block[l], gradient_shard.block; 0.9)\n");
}

static void test_parameter_syncs(void **state)
{
    (void)state;
    static const char *const words[] = {"parameters.block[l] =", NULL};
    Case *c = case_new(&stack);
    case_place_all(c, "", "", "0");
    case_sync(c, SYNC_PARAMETERS, SYNC_GATHER, "0");
    assert_step(c, words, "parameters.block[l] = all_gather(parameter_shard.block) over d\n");
    c = case_new(&stack);
    case_place_all(c, "", "", "0");
    case_sync(c, SYNC_PARAMETERS, SYNC_NONE, "");
    assert_step(c, words, "parameters.block[l] = place_shard(parameters.block[l], parameter_shard.block) over d\n");
}

static void test_scalar_syncs(void **state)
{
    (void)state;
    static const char *const squared[] = {"squared)", NULL}, *const loss[] = {"loss.sum =", NULL};
    CaseModel model = stack;
    model.clip = true;
    Case *c = case_new(&model);
    case_place_all(c, "", "", "0");
    case_sync(c, SYNC_NORM, SYNC_NONE, "");
    assert_step(c, squared, "norm = sqrt(squared) \"->\"\n");
    c = case_new(&model);
    case_sync(c, SYNC_NORM, SYNC_SUM, "0");
    assert_step(c, squared, "squared = all_reduce(squared) sum over d\nnorm = sqrt(squared) \"->\"\n");
    c = case_new(&model);
    case_sync(c, SYNC_LOSS, SYNC_MEAN, "0");
    assert_step(c, loss,
                "loss.sum = fill(; 0)\nloss.sum = all_reduce(loss.sum) sum over d\n"
                "loss.sum = scale(loss.sum) \"->\" scale 1/2\n");
    c = case_new(&model);
    case_sync(c, SYNC_LOSS, SYNC_NONE, "");
    assert_step(c, loss, "loss.sum = fill(; 0)\n");
}

static void test_local_count(void **state)
{
    (void)state;
    static const char *const words[] = {"scale(", NULL};
    CaseModel model = stack;
    model.micro = 3;
    Case *c = case_new(&model);
    case_sync(c, SYNC_COUNT, SYNC_NONE, "");
    assert_step(c, words,
                "e.weighted = scale(e) \"bo->bo\" scale 12/3 local \"b\"\n"
                "loss = scale(loss) \"->\" scale 1/48\n"
                "de = scale(de) \"bo->bo\" scale 12/3 local \"b\"\n");
}

static void test_readers_and_seeds(void **state)
{
    (void)state;
    static const char *const words[] = {"read(", "init(", NULL};
    CaseModel model = stack;
    model.axes = "axis d 2\naxis e 2\n";
    Case *c = case_new(&model);
    c->assignment.reader_axes = case_axes("1");
    c->assignment.seed = (Seed){.base = 7, .per_axis = {2, 0}};
    StepFile *file = derive(c);
    assert_string_equal(lines_with(c, file, "step", words),
                        "in = read() tensor x over e index l\ntarget = read() tensor t over e index l\n");
    assert_string_equal(lines_with(c, file, "init", words), "parameters.block[l] = init() seed 7 + 2*@d\n");
    case_free(c);
}

/* ---- What is refused ---------------------------------------------------------------------------------------- */

static void assert_refused(Case *c, const char *first_words)
{
    if (lowered_step(c->ctx, &c->train, &c->assignment) != NULL)
        fail_msg("expected '%s', and nothing was refused", first_words);
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    diag_print_text(c->ctx->diag, out, false, 20);
    fclose(out);
    if (strstr(text, first_words) == NULL)
        fail_msg("expected '%s' in:\n%s", first_words, text);
    free(text);
    case_free(c);
}

static void test_refusals(void **state)
{
    (void)state;
    Case *c = case_new(&stack);
    case_place_all(c, "0", "0", "0");
    c->assignment.units.data[0].parameters.use = case_axes("0");
    assert_refused(c, "error[P0307]: a piece of 'w' used as if it were whole");
    CaseModel model = stack;
    model.axes = "axis d 2\naxis e 2\n";
    c = case_new(&model);
    case_place_all(c, "", "", "0");
    case_sync(c, SYNC_PARAMETERS, SYNC_GATHER, "1");
    assert_refused(c, "error[P0306]: parameters are gathered over the wrong axes");
    c = case_new(&stack); /* every rank updates everything */
    case_sync(c, SYNC_PARAMETERS, SYNC_GATHER, "0");
    assert_refused(c, "there is nothing to gather");
    model.axes = "axis a 2\naxis b 2\naxis c 2\naxis d 2\n";
    assert_refused(case_new(&model), "error[P0290]: a batch cut over more than 3 axes");
}

/* References that the deriver has no lowering for yet, as lines after `m`, the sum of y over the batch. */
static const char *const unsupported[][2] = {
    {"z = sub(y, m) \"b,->b\"\n",
     "a value of single examples that depends on a sum over the batch is not supported yet"},
    {"s = fill(; 1)\nm += copy(s) \"->\"\noutput(m) name \"loss\"\n",
     "a sum over the batch and a value that is none in one place is not supported yet"},
    {"output(y) name \"y\"\n", "an output or a state with one value per example is not supported yet"},
    {"s = fill(; 1)\nm += copy(s)\nm = scale(m) scale 1/2\noutput(m) name \"loss\"\n",
     "a sum over the batch and a value that is none in one place is not supported yet"},
    {"z = softmax(y; 1) \"b->b\"\n", "a row along the batch is not supported yet"},
    {"output(w) name \"w\"\n", "an output of a parameter's state is not supported yet"},
    {"g = fill(; 0) \"h\"\ns = einsum(g, g) \"h,h->\"\nw = sgd(w, g, s) \"h,h,->h\"\n",
     "an update by a matrix of another shape is not supported yet"},
};

static void test_unsupported_references(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(unsupported) / sizeof(unsupported[0]); i++) {
        Case *c = case_new(&stack);
        const char *text = arena_printf(
            c->ctx->arena,
            "place-step 1\nmodel m\ncontract exact\ncompute f64\nmicro 2\naxis d 2\ngroup l 2\n"
            "tensor x input f64 [4, 3] batch 0\ntensor w parameter f64 [3] init zeros\n"
            "state parameters parameters per_parameter f64\nstate gradients gradients per_parameter f64\n"
            "unit u = w\nreference {\n"
            "buffer w f64 [3] parameters persistent state parameters of w\n"
            "buffer g f64 [3] gradients state gradients of w\nbuffer x f64 [4, 3] activations\n"
            "buffer y f64 [4] activations\nbuffer z f64 [4] activations\nbuffer m f64 [] activations\n"
            "buffer s f64 [] activations\n"
            "routine step {\nx = read() tensor x index 0\ny = einsum(x, w) \"bh,h->b\"\nm = reduce(y) \"b->\"\n"
            "%s}\n}\nprogram {\n}\n",
            unsupported[i][0]);
        StepFile *file = step_read(c->ctx, source_add(c->ctx->sources, "reference.step", text, strlen(text)));
        if (file == NULL)
            diag_print_text(c->ctx->diag, stderr, false, 20);
        assert_non_null(file);
        c->train.decls = *file->decls;
        case_take_units(c, file->decls);
        c->train.reference = file->reference;
        assert_refused(c, unsupported[i][1]);
    }
}

/* ---- The arena ---------------------------------------------------------------------------------------------- */

/* One value in memory, from its first write to its last read. */
typedef struct Life {
    int buffer;
    int64_t slot, start, end;
    int64_t low, high; /* bytes */
} Life;

typedef struct Trace {
    Arena *arena;
    Vec(Life) lives;
    int64_t time;
} Trace;

static Life *last_life(Trace *trace, const Walk *walk, Ref ref)
{
    int64_t slot = affine_value(walk, &ref.slot);
    for (int i = trace->lives.count - 1; i >= 0; i--)
        if (trace->lives.data[i].buffer == ref.buffer && trace->lives.data[i].slot == slot)
            return &trace->lives.data[i];
    return NULL;
}

static void begin_life(Trace *trace, const Walk *walk, Ref ref)
{
    const Buffer *buffer = &walk->program->buffers.data[ref.buffer];
    int64_t bytes = buffer_slot_elements(walk->program->decls, buffer) * dtype_bytes(buffer->dtype);
    int64_t slot = affine_value(walk, &ref.slot), low = buffer->offset + slot * bytes;
    assert_true(slot >= 0 && slot < buffer->slots);
    assert_true(low + bytes <= buffer->offset + buffer->bytes);
    vec_push(trace->arena, &trace->lives, (Life){ref.buffer, slot, trace->time, trace->time, low, low + bytes});
}

/* What rests from step to step is not traced: nothing may be over it at all. */
static void trace_op(Walk *walk, const Op *op)
{
    Trace *trace = walk->data;
    trace->time++;
    for (int i = 0; i < op->operand_count; i++) {
        if (walk->program->buffers.data[op->operand[i].buffer].persistent)
            continue;
        Life *life = last_life(trace, walk, op->operand[i]);
        assert_non_null(life);
        life->end = trace->time;
    }
    if (op->kind == OP_OUTPUT || walk->program->buffers.data[op->out.buffer].persistent)
        return;
    Life *life = last_life(trace, walk, op->out);
    if (life != NULL && (op->accumulate || op->out.member >= 0))
        life->end = trace->time;
    else
        begin_life(trace, walk, op->out);
}

static void assert_lives_apart(const Trace *trace)
{
    for (int i = 0; i < trace->lives.count; i++)
        for (int j = 0; j < i; j++) {
            const Life *a = &trace->lives.data[i], *b = &trace->lives.data[j];
            bool at_once = a->start <= b->end && b->start <= a->end, over = a->low < b->high && b->low < a->high;
            bool same = a->buffer == b->buffer && a->slot == b->slot;
            assert_false(at_once && over && !same);
        }
}

static void assert_arena(Case *c, const Program *program)
{
    int64_t persistent_end = 0;
    for (int i = 0; i < program->buffers.count; i++) {
        const Buffer *buffer = &program->buffers.data[i];
        assert_true(buffer->offset >= 0 && buffer->offset % PLACE_ALIGNMENT == 0);
        assert_true(buffer->offset + buffer->bytes <= program->arena_bytes[TIER_DEVICE]);
        if (buffer->persistent) {
            assert_int_equal(buffer->offset, persistent_end);
            persistent_end += buffer->bytes;
        }
    }
    for (int i = 0; i < program->buffers.count; i++)
        assert_true(program->buffers.data[i].persistent || program->buffers.data[i].offset >= persistent_end);
    for (int i = 0; i < program->routines.count; i++) {
        Trace trace = {.arena = c->ctx->arena};
        Walk walk = {.program = program, .visit = trace_op, .data = &trace};
        walk_list(&walk, &program->routines.data[i].body);
        assert_lives_apart(&trace);
    }
    int64_t bound = offsets_lower_bound(c->ctx, program, TIER_DEVICE);
    assert_true(program->arena_bytes[TIER_DEVICE] >= bound);
    assert_true(program->arena_bytes[TIER_DEVICE] <= bound + bound / 20); /* first fit: within 5 % */
}

static void test_arena(void **state)
{
    (void)state;
    static const char *const parts[] = {"", "0"};
    for (int bits = 0; bits < 8; bits++)
        for (int micro = 1; micro <= 3; micro += 2) {
            CaseModel model = {.batch = 13,
                               .width = 5,
                               .layers = 4,
                               .micro = micro,
                               .outside = true,
                               .clip = bits % 3 != 0,
                               .axes = "axis d 3\n"};
            Case *c = case_new(&model);
            case_place_all(c, parts[bits & 1], parts[bits >> 1 & 1], parts[bits >> 2]);
            assert_arena(c, derive(c)->program);
            case_free(c);
        }
}

static const char by_hand[] =
    "place-step 1\nmodel m\ncontract exact\ncompute f64\nmicro 3\naxis d 2\ngroup g 4\n"
    "tensor w parameter f64 [8] in g init zeros\nstate parameters parameters per_parameter f64\nunit g in g 0..3 = w\n"
    "reference {\n}\nprogram {\n"
    "buffer p f64 unit g/d slots 4 parameters persistent state parameters\n"
    "buffer ring f64 unit g slots 2 buffers\n"
    "buffer s f64 [8] buffers\nbuffer t f64 [8] buffers\nbuffer carried f64 [8] buffers\n"
    "buffer u f64 [8] buffers\nbuffer made f64 [8] slots 4 buffers\n"
    "buffer saved f64 [8] slots 5 activations\nbuffer late f64 [8] slots 5 activations\n"
    "routine step {\n"
    "carried = fill(; 0) \"a\"\n"
    "loop l0 micro 0..2 {\n"
    "saved[0] = fill(; 1) \"a\"\n"
    "ring[0] = all_gather(p[0]) over d event 0 stream 1\n"
    "loop l1 layers g 0..3 {\n"
    "wait 0\n"
    "guard l1 in 0..2 {\nring[l1+1 % 2] = all_gather(p[l1+1]) over d event 0 stream 1\n}\n"
    "s = mul(saved[l1], ring[l1 % 2]:w) \"a,a->a\"\n"
    "t = relu(s) \"a->a\"\n"
    "saved[l1+1] = relu(t) \"a->a\"\n}\n"
    "late[4] = copy(carried) \"a->a\"\n"
    "loop l2 layers g 3..0 down {\n"
    "u = relu(saved[l2]) \"a->a\"\n"
    "late[l2] = add(late[l2+1], u) \"a,a->a\"\n"
    "made[l2] = relu(late[l2]) \"a->a\"\n}\n"
    "loop l3 layers g 0..3 {\ncarried += copy(made[l3]) \"a->a\"\n}\n"
    "carried = add(carried, late[0]) \"a,a->a\"\n}\n"
    "}\n}\n";

static bool overlap(const Program *program, const char *x, const char *y)
{
    const Buffer *found[2] = {NULL, NULL};
    for (int i = 0; i < program->buffers.count; i++) {
        const Buffer *buffer = &program->buffers.data[i];
        if (strcmp(buffer->name, x) == 0)
            found[0] = buffer;
        if (strcmp(buffer->name, y) == 0)
            found[1] = buffer;
    }
    assert_true(found[0] != NULL && found[1] != NULL);
    return found[0]->offset < found[1]->offset + found[1]->bytes &&
           found[1]->offset < found[0]->offset + found[0]->bytes;
}

/* A ring that is filled ahead, a value carried from microbatch to microbatch, slots saved by one loop for another. */
static void test_arena_by_hand(void **state)
{
    (void)state;
    Case *c = case_new(&stack);
    StepFile *file = step_read(c->ctx, source_add(c->ctx->sources, "hand.step", by_hand, strlen(by_hand)));
    if (file == NULL)
        diag_print_text(c->ctx->diag, stderr, false, 20);
    assert_non_null(file);
    Program *program = file->program;
    offsets_place(c->ctx, program);
    static const char *const apart[][2] = {
        {"ring", "s"},     {"ring", "t"},    {"ring", "saved"},   {"s", "t"},           {"s", "saved"},
        {"t", "saved"},    {"carried", "s"}, {"carried", "ring"}, {"carried", "saved"}, {"carried", "late"},
        {"late", "saved"}, {"made", "u"},    {"made", "late"},    {"made", "saved"}};
    for (size_t i = 0; i < sizeof(apart) / sizeof(apart[0]); i++)
        assert_false(overlap(program, apart[i][0], apart[i][1]));
    /* What rests, `carried`, `saved`, `late`, `made`, u and the ring; s and t lie where others will. */
    assert_int_equal(program->arena_bytes[TIER_DEVICE], 4 * 32 + 64 + 5 * 64 + 5 * 64 + 4 * 64 + 64 + 2 * 64);
    case_free(c);
}

/* What is dead outside one iteration has one slot. */
static void test_slots(void **state)
{
    (void)state;
    Case *c = case_new(&stack);
    case_place_all(c, "", "", "0");
    const Program *program = derive(c)->program;
    for (int i = 0; i < program->buffers.count; i++) {
        const Buffer *buffer = &program->buffers.data[i];
        if (strcmp(buffer->name, "gradient_shard.block") == 0 || strcmp(buffer->name, "parameter_shard.block") == 0)
            assert_int_equal(buffer->slots, 1);
        if (strcmp(buffer->name, "h") == 0 || strcmp(buffer->name, "gradients.block") == 0)
            assert_int_equal(buffer->slots, 5);
    }
    case_free(c);
    CaseModel model = stack;
    model.clip = true; /* the norm comes between: the reduced gradients of all layers are kept */
    c = case_new(&model);
    case_place_all(c, "", "", "0");
    program = derive(c)->program;
    for (int i = 0; i < program->buffers.count; i++)
        if (strcmp(program->buffers.data[i].name, "gradient_shard.block") == 0)
            assert_int_equal(program->buffers.data[i].slots, 5);
    case_free(c);
}

/* ---- Size --------------------------------------------------------------------------------------------------- */

static int64_t count_nodes(const NodeList *body)
{
    int64_t count = body->count;
    for (int i = 0; i < body->count; i++)
        count += count_nodes(&body->data[i]->body);
    return count;
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Neither layers nor ranks are enumerated. */
static void test_size_does_not_grow(void **state)
{
    (void)state;
    int64_t nodes[2];
    for (int i = 0; i < 2; i++) {
        CaseModel model = {.batch = 8192,
                           .width = 64,
                           .layers = i == 0 ? 12 : 10000,
                           .micro = 2,
                           .outside = true,
                           .clip = true,
                           .axes = i == 0 ? "axis d 4\n" : "axis d 4096\n"};
        Case *c = case_new(&model);
        case_place_all(c, "0", "0", "0");
        double start = seconds_now();
        const Program *program = derive(c)->program;
        assert_true(seconds_now() - start < 0.05);
        nodes[i] = 0;
        for (int j = 0; j < program->routines.count; j++)
            nodes[i] += count_nodes(&program->routines.data[j].body);
        case_free(c);
    }
    assert_int_equal(nodes[0], nodes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_forms),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_gathers_only_what_is_read),
        cmocka_unit_test(test_gathers_once_per_pass),
        cmocka_unit_test(test_one_rank_sends_nothing),
        cmocka_unit_test(test_mixture_splits_loops),
        cmocka_unit_test(test_two_axes),
        cmocka_unit_test(test_nested_cuts),
        cmocka_unit_test(test_axis_next_to_the_batch),
        cmocka_unit_test(test_norm_of_mixed_units),
        cmocka_unit_test(test_gradient_syncs),
        cmocka_unit_test(test_syncs_in_order),
        cmocka_unit_test(test_parameter_syncs),
        cmocka_unit_test(test_scalar_syncs),
        cmocka_unit_test(test_local_count),
        cmocka_unit_test(test_readers_and_seeds),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_unsupported_references),
        cmocka_unit_test(test_arena),
        cmocka_unit_test(test_arena_by_hand),
        cmocka_unit_test(test_slots),
        cmocka_unit_test(test_size_does_not_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

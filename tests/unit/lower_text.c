/* The text form of step programs: what is printed reads back as the same bytes, and what is malformed is refused at its
 * place. Runs in the root of the tree. */
#include "parser/parser.h"
#include "sema/sema.h"
#include "tests/lowered.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Ctx *new_ctx(void)
{
    Arena *arena = arena_new();
    Ctx *ctx = arena_make(arena, Ctx);
    ctx->arena = arena;
    ctx->strings = str_table_new(arena);
    ctx->sources = sources_new(arena);
    ctx->diag = diag_new(arena, ctx->sources);
    return ctx;
}

static char *print_to_text(const StepFile *file, const Sources *sources)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    step_print(file, sources, out);
    fclose(out);
    return text;
}

static const char *read_whole(Ctx *ctx, const char *path)
{
    int source = source_read(ctx->sources, path);
    assert_true(source > 0);
    return ctx->sources->list.data[source].text;
}

static StepFile *read_text(Ctx *ctx, const char *text)
{
    return step_read(ctx, source_add(ctx->sources, "x.step", text, strlen(text)));
}

/* ---- What is right ------------------------------------------------------------------------------------------ */

static void assert_round_trip(Ctx *ctx, const char *text)
{
    StepFile *file = read_text(ctx, text);
    if (file == NULL)
        diag_print_text(ctx->diag, stderr, false, 20);
    assert_non_null(file);
    char *printed = print_to_text(file, ctx->sources);
    assert_string_equal(printed, text);
    free(printed);
}

static void test_example_round_trip(void **state)
{
    (void)state;
    Ctx *ctx = new_ctx();
    assert_round_trip(ctx, read_whole(ctx, "tests/step/line_zero1.step"));
    assert_round_trip(ctx, read_whole(ctx, "tests/step/every_form.step"));
    assert_round_trip(ctx, read_whole(ctx, "tests/step/stages.step"));
    arena_free(ctx->arena);
}

static void test_example_is_that_of_the_documentation(void **state)
{
    (void)state;
    Ctx *ctx = new_ctx();
    const char *page = read_whole(ctx, "docs/step-program.md");
    const char *example = read_whole(ctx, "tests/step/line_zero1.step");
    assert_non_null(strstr(page, example));
    arena_free(ctx->arena);
}

static void test_example_is_understood(void **state)
{
    (void)state;
    Ctx *ctx = new_ctx();
    StepFile *file = read_text(ctx, read_whole(ctx, "tests/step/line_zero1.step"));
    assert_non_null(file);
    assert_int_equal(file->decls->axes.data[0].size, 2);
    assert_int_equal(file->decls->units.data[0].elements, 3);
    const Program *program = file->program;
    const Buffer *x = &program->buffers.data[4];
    assert_int_equal(x->dims[0].cut_count, 2);
    assert_int_equal(x->dims[0].cut[0], CUT_MICRO);
    assert_int_equal(x->dims[0].cut[1], 0);
    const Routine *step = program_routine(program, ROUTINE_STEP);
    assert_int_equal(step->body.count, 11);
    const Node *loop = step->body.data[2];
    assert_int_equal(loop->kind, NODE_LOOP);
    assert_int_equal(loop->loop.kind, LOOP_MICRO);
    assert_int_equal(loop->body.count, 5);
    const Op *op = loop->body.data[4]->op;
    assert_int_equal(op->kind, OP_EINSUM);
    assert_true(op->accumulate);
    assert_int_equal(op->out.member, 1);
    assert_int_equal(op->operand[0].member, -1);
    assert_string_equal(op->spec, "bh,b->h");
    const Op *scatter = step->body.data[6]->op;
    assert_int_equal(scatter->kind, OP_REDUCE_SCATTER);
    assert_int_equal(scatter->reduce, REDUCE_SUM);
    assert_int_equal(scatter->axes.count, 1);
    assert_int_equal(scatter->event, -1);
    assert_int_equal(program->op_count, scatter->id + 5);
    assert_int_equal(program->loop_count, 1);
    LineColumn at = source_position(ctx->sources, scatter->span.source, scatter->span.start);
    assert_int_equal(at.line, 63);
    assert_int_equal(at.column, 9);
    arena_free(ctx->arena);
}

/* Lines of the user's file stand in comments; text read back keeps them. */
static void test_comments_name_lines(void **state)
{
    (void)state;
    Ctx *ctx = new_ctx();
    StepFile *file = read_text(ctx, read_whole(ctx, "tests/step/line_zero1.step"));
    int user = source_add(ctx->sources, "odd\nname.place", "one\ntwo\nthree\n", 14);
    Node *node = file->program->routines.data[1].body.data[0];
    node->op->span = node->span = (Span){user, 4, 7};
    char *with = print_to_text(file, ctx->sources), *without = print_to_text(file, NULL);
    assert_non_null(strstr(with, "        g = fill(; 0)  # odd?name.place:2\n"));
    assert_null(strchr(without, '#'));
    assert_round_trip(ctx, with);
    free(with);
    free(without);
    arena_free(ctx->arena);
}

/* Whole programs, as the deriver makes them: loops over layers, rings, offsets, comments. */
static void test_derived_programs_round_trip(void **state)
{
    (void)state;
    static const char *const paths[] = {
        "examples/mlp.place",     "examples/gpt.place",       "tests/dump/zero1.place",   "tests/dump/zero2.place",
        "tests/dump/zero3.place", "tests/dump/mixture.place", "tests/dump/explicit.place"};
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        Ctx *ctx = new_ctx();
        const Train *train;
        const Assignment *assignment;
        Ast *ast = parser_run(ctx, source_read(ctx->sources, paths[i]));
        assert_true(sema_run(ctx, ast, &train, &assignment));
        StepFile *file = lowered_step(ctx, train, assignment);
        assert_non_null(file);
        char *text = print_to_text(file, ctx->sources);
        assert_round_trip(ctx, text);
        free(text);
        arena_free(ctx->arena);
    }
}

/* What is written in another way is printed in the one way. */
static void test_layout_is_free(void **state)
{
    (void)state;
    Ctx *ctx = new_ctx();
    StepFile *file = read_text(ctx, "# a comment first\n\nplace-step 1 # and here\r\n  model m\nmicro 1\n"
                                    "tensor w parameter f32 [ 2 ,3 ] init normal 5e-1\nstate p parameters scalar f32\n"
                                    "reference {\n\tbuffer b f32 [] slots 3 buffers\n routine step {\n"
                                    "b[ 0 + 2 ] = fill( ;1.50)\n}\n}\nprogram {\n}");
    assert_non_null(file);
    char *text = print_to_text(file, NULL);
    assert_string_equal(text, "place-step 1\nmodel m\ncontract exact\ncompute f32\nmicro 1\n"
                              "tensor w parameter f32 [2, 3] init normal 0.5\nstate p parameters scalar f32\n\n"
                              "reference {\n    buffer b f32 [] slots 3 buffers\n    routine step {\n"
                              "        b[2] = fill(; 1.5)\n    }\n}\nprogram {\n}\n");
    free(text);
    arena_free(ctx->arena);
}

static void test_floats_read_back(void **state)
{
    (void)state;
    static const double values[] = {0.1, 1.0 / 3, 3e-4, 1e300, 5e-324, -0.0, 16777217, 0.30000000000000004};
    Ctx *ctx = new_ctx();
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        StepFile *file = read_text(ctx, read_whole(ctx, "tests/step/line_zero1.step"));
        Op *op = file->program->routines.data[1].body.data[0]->op;
        op->immediate[0] = values[i];
        char *text = print_to_text(file, NULL);
        StepFile *again = read_text(ctx, text);
        const Op *read = again->program->routines.data[1].body.data[0]->op;
        assert_memory_equal(&read->immediate[0], &values[i], sizeof(double));
        free(text);
    }
    arena_free(ctx->arena);
}

/* ---- What is wrong ------------------------------------------------------------------------------------------ */

#define HEAD "place-step 1\nmodel m\nmicro 2\naxis data 2\naxis t 3\ngroup block 4\n"
#define TENSORS                                                                                                        \
    "tensor x input f32 [8] batch 0\ntensor w parameter f32 [3] init zeros\n"                                          \
    "tensor v parameter f32 [2] in block init ones\nstate p parameters per_parameter f32\n"                            \
    "unit o = w\nunit b in block 0..3 = v\n"
#define BUFFERS                                                                                                        \
    "reference {\nbuffer a f32 [8] activations\nbuffer u f32 unit o buffers\nbuffer r f32 [] slots 4 buffers\n"
#define STEP HEAD TENSORS BUFFERS "routine step {\n"
#define END "}\n}\nprogram {\n}\n"

/* The first error: line, column, and part of what it says. */
static const struct {
    const char *text;
    int line, column;
    const char *says;
} malformed[] = {
    {"", 1, 1, "expected 'place-step'"},
    {"place-step 2\n", 1, 12, "must be in 1 .. 1"},
    {"place-step 1 x\n", 1, 14, "expected the end of the line"},
    {"place-step 1\n", 2, 1, "'model'"},
    {"place-step 1\nmodel m\nmicro 0\n", 3, 7, "number of microbatches"},
    {"place-step 1\nmodel m\nmicro 99999999999999999999\n", 3, 7, "must be in"},
    {"place-step 1\nmodel 3\n", 2, 7, "the name of the model"},
    {"place-step 1\nnonsense\n", 2, 1, "expected a declaration"},
    {"place-step 1\ncompute f16\n", 2, 9, "expected a dtype"},
    {"place-step 1\naxis micro 2\n", 2, 6, "cannot name an axis"},
    {"place-step 1\naxis a-b 2\n", 2, 7, "the size of an axis"},
    {"place-step 1\naxis a 2\naxis a 2\n", 3, 6, "declared twice"},
    {"place-step 1\naxis a 2147483648\naxis b 2147483648\n", 3, 6, "more than"},
    {"place-step 1\naxis a 1\naxis b 1\naxis c 1\naxis d 1\naxis e 1\naxis f 1\naxis g 1\naxis h 1\naxis i 1\n", 10, 6,
     "more than 8 axes"},
    {HEAD "tensor w parameter f32 [1,1,1,1,1,1,1] init zeros\n", 7, 37, "more than 6 dims"},
    {HEAD "tensor w parameter f32 [2000000000,2000000000] init zeros\n", 7, 46, "a tensor of more than"},
    {HEAD "tensor w parameter f32 [0] init zeros\n", 7, 25, "a dim must be"},
    {HEAD "tensor w parameter f32 [3 init zeros\n", 7, 27, "expected ','"},
    {HEAD "tensor w parameter f32 [3] in block\n", 7, 36, "expected 'init'"},
    {HEAD "tensor w parameter f32 [3] in blocks init ones\n", 7, 31, "not the name of a group"},
    {HEAD "tensor w parameter f32 [3] init normal\n", 7, 39, "expected a number"},
    {HEAD "tensor w parameter f32 [3] init normal 0.1x\n", 7, 40, "expected a number"},
    {HEAD "tensor x input f32 [3] batch 1\n", 7, 30, "the batch dim must be in 0 .. 0"},
    {HEAD TENSORS "unit c in block 0..4 = v\n", 13, 20, "the last layer must be in 0 .. 3"},
    {HEAD TENSORS "unit c = v\n", 13, 10, "not a parameter of the unit's group"},
    {HEAD TENSORS "unit c = x\n", 13, 10, "not a parameter"},
    {HEAD TENSORS "unit c = w, w\n", 13, 13, "a member twice"},
    {HEAD TENSORS "unit c aligned 1 to 8 = w\n", 13, 16, "what members are aligned to must be in 2 .. "},
    {HEAD TENSORS "unit c aligned 2000000 to 8 = w\n", 13, 16, "must be in 2 .. 1048576"},
    {HEAD TENSORS "unit c aligned 64 = w\n", 13, 19, "expected 'to'"},
    {HEAD TENSORS "unit c aligned 64 to 0 = w\n", 13, 22, "what the unit's size is a multiple of must be in 1 .. "},
    {HEAD TENSORS "unit c aligned 64 to = w\n", 13, 22, "what the unit's size is a multiple of"},
    {HEAD TENSORS "unit c aligned to 8 = w\n", 13, 16, "what members are aligned to"},
    {HEAD TENSORS "reference {\nbuffer a f32 [8/z] activations\n", 14, 17, "not the name of an axis"},
    {HEAD TENSORS "reference {\nbuffer a f32 [8/data, 3/data] activations\n", 14, 25, "cut twice"},
    {HEAD TENSORS "reference {\nbuffer a f32 [8/data/t+1+1] activations\n", 14, 24, "only a dim that one axis cuts"},
    {HEAD TENSORS "reference {\nbuffer a f32 [8 padded] activations\n", 14, 17, "only one dim"},
    {HEAD TENSORS "reference {\nbuffer a f32 [8/micro/data padded] activations\n", 14, 28, "only one dim"},
    {HEAD TENSORS "reference {\nbuffer a f32 [8/data padded, 3/t padded] activations\n", 14, 34, "only one dim"},
    {HEAD TENSORS "reference {\nbuffer a f32 unit o/micro buffers\n", 14, 21, "not the name of an axis"},
    {HEAD TENSORS "reference {\nbuffer a f32 [8] slots 0 buffers\n", 14, 24, "the number of slots"},
    {HEAD TENSORS "reference {\nbuffer a f32 [1000000000] slots 1000000000 buffers\n", 14, 1, "a buffer of more"},
    {HEAD TENSORS "reference {\nbuffer a f32 [8]\n", 14, 17, "expected a category"},
    {HEAD TENSORS "reference {\nbuffer a f32 [8] parameters persistent\n", 14, 39, "without a state"},
    {HEAD TENSORS "reference {\nbuffer a f32 unit o parameters state p of w\n", 14, 42, "only a dense buffer"},
    {HEAD TENSORS "reference {\nbuffer a f32 [8] buffers\nbuffer a f32 [8] buffers\n", 15, 8, "declared twice"},
    {STEP "a = frobnicate(a)\n" END, 18, 5, "expected an operator"},
    {STEP "q = copy(a)\n" END, 18, 1, "not the name of a buffer"},
    {STEP "a = copy(a, a)\n" END, 18, 11, "'copy' has 1 operands"},
    {STEP "a = add(a)\n" END, 18, 5, "'add' has 2 operands"},
    {STEP "a = fill()\n" END, 18, 5, "1 numbers"},
    {STEP "a = fill(; 1, 2)\n" END, 18, 14, "'fill' has 1 numbers"},
    {STEP "a = fill(; one)\n" END, 18, 12, "expected a number"},
    {STEP "a - copy(a)\n" END, 18, 3, "expected '='"},
    {STEP "copy(a)\n" END, 18, 1, "goes nowhere"},
    {STEP "a = output(a) name \"x\"\n" END, 18, 5, "has no result"},
    {STEP "output(a)\n" END, 18, 1, "'output' needs 'name'"},
    {STEP "output(a) name \"x\n" END, 18, 18, "end the string"},
    {STEP "output(a) name \"x\\\"\n" END, 18, 18, "end the string"},
    {STEP "a = read() index 0\n" END, 18, 5, "'read' needs 'tensor'"},
    {STEP "a = read() tensor w index 0\n" END, 18, 5, "'read' of 'w', which is a parameter"},
    {STEP "a = init() tensor x seed 1\n" END, 18, 5, "'init' of 'x', which is an input"},
    {STEP "a = init() seed 1\n" END, 18, 5, "'init' needs 'tensor'"},
    {STEP "u:w = init() seed 1\n" END, 18, 7, "'init' needs 'tensor'"},
    {STEP "a = init() tensor w\n" END, 18, 5, "needs 'seed'"},
    {STEP "a = init() tensor w seed 1 + 2*@z\n" END, 18, 33, "not the name of an axis"},
    {STEP "a = scale(a) \"b->b\"\n" END, 18, 5, "needs 'scale'"},
    {STEP "a = scale(a) \"b->b\" scale 1/0\n" END, 18, 29, "the denominator"},
    {STEP "a = copy(a) scale 1/2\n" END, 18, 13, "does not belong to 'copy'"},
    {STEP "a = all_reduce(a) over data\n" END, 18, 19, "does not belong"},
    {STEP "a = all_reduce(a)\n" END, 18, 5, "needs 'sum' or 'max'"},
    {STEP "a = all_reduce(a) sum over data, data\n" END, 18, 34, "an axis named twice"},
    {STEP "a = all_gather(a) sum over data\n" END, 18, 19, "does not belong"},
    {STEP "a = copy(a) stream 1 stream 2\n" END, 18, 22, "given twice"},
    {STEP "a = copy(a) stream 64\n" END, 18, 20, "the stream"},
    {STEP "a = copy(a) \"b,c->b\"\n" END, 18, 13, "the spec has 2 operands"},
    {STEP "a = copy(a) \"b\"\n" END, 18, 13, "expected '->'"},
    {STEP "a = copy(a) \"b->1\"\n" END, 18, 13, "letters"},
    {STEP "a = copy(a) id 4\na = copy(a) id 4\n" END, 19, 5, "two operators with id 4"},
    {STEP "a = copy(u:v)\n" END, 18, 12, "not a member"},
    {STEP "a = copy(a:w)\n" END, 18, 12, "not a member"},
    {STEP "r[l0] = fill(; 1)\n" END, 18, 3, "no loop around this line binds 'l0'"},
    {STEP "r[@z] = fill(; 1)\n" END, 18, 4, "not the name of an axis"},
    {STEP "r[x] = fill(; 1)\n" END, 18, 3, "expected a number"},
    {STEP "r[0 % 0] = fill(; 1)\n" END, 18, 7, "the modulus"},
    {STEP "r[@t+@t+@t+@t+@t+@t+@t] = fill(; 1)\n" END, 18, 21, "more than 6 variables"},
    {STEP "r[$t] = fill(; 1)\n" END, 18, 4, "'t' is not the name of a table"},
    {STEP "send(a) over data\n" END, 18, 1, "'send' needs 'index'"},
    {STEP "send(a) over data, t index 0\n" END, 18, 22, "'send' is over one axis"},
    {STEP "a = send(a) over data index 0\n" END, 18, 5, "'send' has no result"},
    {STEP "recv() over data index 0\n" END, 18, 1, "the result of 'recv' goes nowhere"},
    {STEP "a = copy(a) channel 1\n" END, 18, 13, "'channel' does not belong to 'copy'"},
    /* What an operator makes no use of. */
    {STEP "output(a) \"b\" name \"x\"\n" END, 18, 11, "a spec does not belong to 'output'"},
    {STEP "a = slice(a) \"b->b\" over t\n" END, 18, 14, "a spec does not belong to 'slice'"},
    {STEP "a = place_shard(a, a) \"b,b->b\" over t\n" END, 18, 23, "a spec does not belong"},
    {STEP "a = all_gather(a) \"b->b\" over t\n" END, 18, 19, "a spec does not belong"},
    {STEP "a = all_gather(a) over t index 0\n" END, 18, 26, "'index' does not belong to 'all_gather'"},
    {STEP "a = slice(a) over t event 1\n" END, 18, 21, "'event' does not belong to 'slice'"},
    {STEP "a = slice(a) over t tensor w\n" END, 18, 21, "'tensor' does not belong to 'slice'"},
    {STEP "a = all_reduce(a) sum over t index 1\n" END, 18, 30, "'index' does not belong"},
    {STEP "a = permute(a) sum over t index 1\n" END, 18, 16, "'sum' or 'max' does not belong"},
    {STEP "a = permute(a) over t index 1 channel 1\n" END, 18, 31, "'channel' does not belong"},
    {STEP "a = halo(a) over t index 1\n" END, 18, 20, "'index' does not belong to 'halo'"},
    {STEP "a = read() tensor x index 0 seed 1\n" END, 18, 29, "'seed' does not belong to 'read'"},
    {STEP "a = read() tensor x\n" END, 18, 5, "'read' needs 'index'"},
    {STEP "a = init() tensor w index 0 seed 1\n" END, 18, 21, "'index' does not belong to 'init'"},
    {STEP "a = init() tensor w over t seed 1\n" END, 18, 21, "'over' does not belong to 'init'"},
    {STEP "a = iota() index 0 tensor w\n" END, 18, 20, "'tensor' does not belong to 'iota'"},
    {STEP "a = iota() over t index 0\n" END, 18, 12, "'over' does not belong to 'iota'"},
    {STEP "a = fill(; 1) index 0\n" END, 18, 15, "'index' does not belong to 'fill'"},
    {STEP "a = fill(; 1) seed 0\n" END, 18, 15, "'seed' does not belong to 'fill'"},
    {STEP "a = fill(; 1) event 0\n" END, 18, 15, "'event' does not belong to 'fill'"},
    {STEP "a = cast(a) event 0\n" END, 18, 13, "'event' does not belong to 'cast'"},
    {STEP "a = reduce(a) \"b->b\" tensor w\n" END, 18, 22, "'tensor' does not belong to 'reduce'"},
    {STEP "a = reduce(a) \"b->b\" over t\n" END, 18, 22, "'over' does not belong to 'reduce'"},
    {STEP "a = softmax(a; 1) \"b->b\" index 0\n" END, 18, 26, "'index' does not belong to 'softmax'"},
    {STEP "a = einsum(a, a) \"b,b->b\" tensor w\n" END, 18, 27, "'tensor' does not belong to 'einsum'"},
    {STEP "a = einsum(a, a) \"b,b->b\" index 1\n" END, 18, 5, "needs both of 'over' and 'index'"},
    {STEP "a = view(a) \"b->b\" event 1\n" END, 18, 20, "'event' does not belong to 'view'"},
    {STEP "a = add(a, a) name \"x\"\n" END, 18, 15, "'name' does not belong to 'add'"},
    /* Whose an update is. */
    {STEP "u:w = sgd(u:w, u:w, r) tensor v\n" END, 18, 7, "'sgd' of 'v', with what is not its own"},
    {STEP "u = sgd(u, u, r) tensor v\n" END, 18, 5, "with what is not its own"},
    /* Said twice, or of what has none. */
    {"place-step 1\nmodel m\nmicro 1\nmicro 2\n", 4, 1, "'micro' is given twice"},
    {"place-step 1\nmodel m\nmodel n\n", 3, 1, "'model' is given twice"},
    {"place-step 1\ncontract exact\ncontract \"local\"\n", 3, 1, "'contract' is given twice"},
    {"place-step 1\ncompute f32\ncompute f32\n", 3, 1, "'compute' is given twice"},
    {HEAD "state s optimizer scalar f32 from_parameters\n", 7, 30, "one per parameter"},
    {HEAD "state s gradients per_parameter f32 from_parameters\n", 7, 37, "one per parameter"},
    {HEAD TENSORS "reference {\nbuffer a f32 [8] slots 2 buffers layers 0..1 times 1 every 4\n", 14, 52,
     "how often must be in 2"},
    {HEAD "table f data 1\n", 7, 15, "expected a number per coordinate"},
    {HEAD TENSORS "unit q = w[4]\n", 13, 12, "these are not the dims of 'w'"},
    {HEAD TENSORS "unit q = w[3/micro]\n", 13, 14, "'micro' is not the name of an axis"},
    {STEP "r[1000000000000*@t] = fill(; 1)\n" END, 18, 3, "out of range"},
    {STEP "r[0 = fill(; 1)\n" END, 18, 5, "expected ']'"},
    {STEP "loop l0 layers block 0..3 {\n" END, 21, 1, "expected a routine"},
    {STEP "loop l0 layers blocks 0..3 {\n}\n" END, 18, 16, "not the name of a group"},
    {STEP "loop l0 time 0..3 {\n}\n" END, 18, 9, "expected 'micro'"},
    {STEP "loop l0 steps\n" END, 18, 14, "expected a number"},
    {STEP "loop l0 micro 0 {\n}\n" END, 18, 17, "expected '..'"},
    {STEP "loop l0 micro 0..1\n{\n}\n" END, 18, 19, "expected '{'"},
    {STEP "loop l0 micro 0..1 {\nloop l0 micro 0..1 {\n}\n}\n" END, 19, 1, "two loops bind 'l0'"},
    {STEP "loop l99999999 micro 0..1 {\n}\n" END, 18, 7, "the number of the loop"},
    {STEP "loop l0 micro 0..1000000000 {\nloop l1 micro 0..9999*l0 {\n}\n}\n" END, 19, 18, "out of range"},
    {STEP "guard l0 in 0..1 {\n}\n" END, 18, 7, "no loop around"},
    {STEP "loop l0 micro 0..0-1 % 1000000000000 {\nguard 1000000000000*l0 in 0..1 {\n}\n}\n" END, 19, 7,
     "out of range"},
    {STEP "loop l0 micro 0..-9223372036854775809 {\n}\n" END, 18, 19, "must be in"},
    {STEP "guard @t 0..1 {\n}\n" END, 18, 10, "expected 'in'"},
    {STEP "wait\n" END, 18, 5, "the event"},
    {STEP "wait 70000\n" END, 18, 6, "the event must be"},
    {STEP "wait 0 {\n}\n" END, 18, 8, "expected the end of the line"},
    {STEP "wait 0[1]\n" END, 18, 6, "the slot of an event ends in '% N'"},
    {STEP "wait 0[1 % 65]\n" END, 18, 6, "the slot of an event ends in '% N'"},
    {STEP "wait 0[l0 % 2]\n" END, 18, 8, "no loop around"},
    {STEP "wait 0[1 % 2\n" END, 18, 13, "expected ']'"},
    {STEP "wait 0[1 % 64]\nwait 0\n" END, 19, 6, "event 0 has 64 slots elsewhere, 1 here"},
    {STEP "wait 0\nwait 0[1 % 3]\n" END, 19, 6, "event 0 has 1 slot elsewhere, 3 here"},
    {STEP "a = copy(a)", 18, 12, "expected '}' to close the block that line 17 opens"},
    {HEAD TENSORS BUFFERS "routine step {\n}\nroutine step {\n}\n}\nprogram {\n}\n", 19, 9, "declared twice"},
    {HEAD TENSORS BUFFERS "}\n", 18, 1, "expected 'program'"},
    {HEAD TENSORS BUFFERS "}\nprogram {\n}\nmore\n", 20, 1, "expected the end of the file"},
    {HEAD TENSORS BUFFERS "routine stop {\n}\n", 17, 9, "expected 'init', 'step', 'eval', 'predict', 'join' or 'prefill'"},
    {HEAD TENSORS BUFFERS "routine join {\n}\n", 17, 14, "expected 'every'"},
    {HEAD TENSORS BUFFERS "routine join every 0 {\n}\n", 17, 20, "the number of steps"},
    {HEAD TENSORS BUFFERS "routine step every 2 {\n}\n", 17, 14, "expected '{'"},
    {HEAD TENSORS BUFFERS "x\n}\n", 17, 1, "expected a routine"},
};

static void test_malformed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(malformed) / sizeof(malformed[0]); i++) {
        Ctx *ctx = new_ctx();
        assert_null(read_text(ctx, malformed[i].text));
        char *printed = NULL;
        size_t length = 0;
        FILE *out = open_memstream(&printed, &length);
        diag_print_text(ctx->diag, out, false, 20);
        fclose(out);
        char place[64];
        snprintf(place, sizeof(place), "x.step:%d:%d: error[P0340]: ", malformed[i].line, malformed[i].column);
        char *first_line_end = strchr(printed, '\n');
        if (first_line_end != NULL)
            *first_line_end = '\0';
        if (strncmp(printed, place, strlen(place)) != 0 || strstr(printed, malformed[i].says) == NULL)
            fail_msg("case %zu: expected '%s...%s', got '%s'", i, place, malformed[i].says, printed);
        free(printed);
        arena_free(ctx->arena);
    }
}

static void test_several_errors(void **state)
{
    (void)state;
    Ctx *ctx = new_ctx();
    assert_null(read_text(ctx, STEP "a = copy(q)\na = copy(a)\nloop l0 micro 0..1 {\na = cpy(a)\n}\na = add(a)\n" END));
    assert_int_equal(diag_error_count(ctx->diag), 3);
    arena_free(ctx->arena);
}

static void test_deep_nesting(void **state)
{
    (void)state;
    Ctx *ctx = new_ctx();
    Text text = {.arena = ctx->arena};
    text_add(&text, "%s", STEP);
    for (int i = 0; i < 50000; i++)
        text_add(&text, "loop l%d micro 0..1 {\n", i);
    assert_null(read_text(ctx, text.data));
    assert_int_equal(diag_error_count(ctx->diag), 1);
    arena_free(ctx->arena);
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Cut, overwritten and doubled text is refused or read, never more. What is read prints and reads again. */
static void test_damaged_text(void **state)
{
    (void)state;
    static const char bytes[] = "\0\n\"#{}[]()=+-*/%@:;,.l0 9afx\xff";
    uint32_t seed = 1;
    for (int round = 0; round < 1500; round++) {
        Ctx *ctx = new_ctx();
        const char *whole = read_whole(ctx, round % 2 ? "tests/step/line_zero1.step" : "tests/step/every_form.step");
        size_t length = strlen(whole);
        char *text = arena_copy(ctx->arena, whole, length);
        for (uint32_t i = next_random(&seed) % 4; i > 0; i--)
            text[next_random(&seed) % length] = bytes[next_random(&seed) % (sizeof(bytes) - 1)];
        if (next_random(&seed) % 4 == 0)
            length = next_random(&seed) % length;
        if (next_random(&seed) % 4 == 0) {
            size_t from = next_random(&seed) % (length + 1), to = next_random(&seed) % (length + 1);
            memmove(text + to, text + from, length - (from > to ? from : to));
        }
        StepFile *file = step_read(ctx, source_add(ctx->sources, "x.step", text, length));
        assert_true((file == NULL) == (diag_error_count(ctx->diag) > 0));
        if (file != NULL) {
            char *printed = print_to_text(file, NULL);
            StepFile *again = read_text(ctx, printed);
            assert_non_null(again);
            char *twice = print_to_text(again, NULL);
            assert_string_equal(twice, printed);
            free(twice);
            free(printed);
        }
        arena_free(ctx->arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_example_round_trip),
        cmocka_unit_test(test_example_is_that_of_the_documentation),
        cmocka_unit_test(test_example_is_understood),
        cmocka_unit_test(test_comments_name_lines),
        cmocka_unit_test(test_derived_programs_round_trip),
        cmocka_unit_test(test_layout_is_free),
        cmocka_unit_test(test_floats_read_back),
        cmocka_unit_test(test_malformed),
        cmocka_unit_test(test_several_errors),
        cmocka_unit_test(test_deep_nesting),
        cmocka_unit_test(test_damaged_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

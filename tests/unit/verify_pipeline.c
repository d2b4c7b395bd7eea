/* Pipelines: the programs of tests/verify with one line changed, and what must be said of that. */
#include "tests/unit/verify_support.h"

typedef struct Edit {
    const char *name, *from, *to, *expected;
} Edit;

static char *read_program(const char *path)
{
    static char text[1 << 16];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    return text;
}

/* The text with every `from` replaced. */
static Text replaced(Arena *arena, const char *program, const char *from, const char *to)
{
    Text text = {.arena = arena};
    const char *at = program, *found;
    assert_non_null(strstr(program, from));
    for (; (found = strstr(at, from)) != NULL; at = found + strlen(from)) {
        text_add_bytes(&text, at, (size_t)(found - at));
        text_add(&text, "%s", to);
    }
    text_add(&text, "%s", at);
    return text;
}

static void check_edited(const char *program, const Edit *edit)
{
    Arena *arena = arena_new();
    Text text = replaced(arena, program, edit->from, edit->to);
    Answer answer = verify_text(text.data, text.length);
    check_answer(edit->name, &(Sizes){0}, &answer, edit->expected);
    free(answer.text);
    arena_free(arena);
}

static void check_edits(const char *path, const Edit *edits, size_t count)
{
    const char *program = read_program(path);
    for (size_t i = 0; i < count; i++)
        check_edited(program, &edits[i]);
}

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define GRADIENTS "g[l4-$first] = all_reduce(g[l4-$first]) sum over data"

static void test_one_forward_one_backward(void **state)
{
    (void)state;
    static const Edit edits[] = {
        {"targets of another microbatch", "tensor t over data index l0+@stage-5",
         "tensor t over data index l0+@stage-6", "P0334 P0320"},
        {"a ring with too few slots", "% 24", "% 16", "P0320"},
        {"a ring with one microbatch to spare", "% 24", "% 20", ""},
        {"the loss of one stage", "sum over data, stage", "sum over data", "P0315"},
        {"gradients of different layers summed", GRADIENTS, GRADIENTS ", stage", "P0332"},
        {"gradients not summed", GRADIENTS, "", "P0301"},
        {"a tick too few", "loop l0 micro 0..10", "loop l0 micro 0..8", "P0335"},
        {"another layer's weights", "einsum(d, w[l2-$first])", "einsum(d, w[0])", "P0320"},
        {"a layer on two stages", "table first stage 0 3 5", "table first stage 0 3 4", "P0315 P0320"},
        {"a layer on no stage", "table first stage 0 3 5", "table first stage 0 4 5", "P0316 P0330"},
        {"one that does not send", "guard @stage in 0..1 {\n                    send",
         "guard @stage in 0..0 {\n                    send", "P0336"},
        {"to oneself", "index @stage+1 event 1", "index @stage event 1", "P0335"},
        {"another channel", "index @stage+1 channel 1", "index @stage+1", "P0336"},
        {"sends that are complete, and waited for", " event 1 stream 1", "", "P0331"},
        {"sends on one stream", " event 2 stream 2", " event 2 stream 1", ""},
        {"memory of other stages", "where @stage in 2..2", "where @stage in 1..1", "P0333"},
        {"gradients that start with ones", "g[l3-$first] = fill(; 0)", "g[l3-$first] = fill(; 1)", "P0320"},
        {"gradients of the first layer only", "loop l3 layers block $first..$last",
         "loop l3 layers block $first..$first", "P0330"},
        {"updates of the first layer only", "loop l4 layers block $first..$last", "loop l4 layers block $first..$first",
         "P0316"},
        {"initial values of the first layer only", "loop l9 layers block $first..$last",
         "loop l9 layers block $first..$first", "P0316"},
        {"a seed that does not fit", "w[l9-$first] = init() tensor w seed 1",
         "w[l9-$first] = init() tensor w seed 9223372036854775807 + 1*@stage", "P0313 P0320"},
        {"two stages in a collective of three", "loss = all_reduce(loss) sum over data, stage",
         "guard @stage in 0..1 {\nloss = all_reduce(loss) sum over data, stage\n}", "P0332"},
        {"a microbatch without its gradient", "guard l0+@stage-5 in 0..4", "guard l0+@stage-5 in 1..4", "P0334"},
        {"slots that no layer has", "slots 3 parameters", "slots 2 parameters", "P0316 P0334"},
    };
    check_edits("tests/verify/pipeline-1f1b-3-stages.step", edits, COUNT(edits));
}

/* Without events every send waits for its receiver: stages that send to each other stand still. */
static void test_sends_that_wait(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    const char *path = "tests/verify/pipeline-1f1b-3-stages.step";
    Text unwaited = replaced(arena, read_program(path), "wait 1\n", "");
    check_edited(unwaited.data, &(Edit){"sends that wait for their receiver", " event 1 stream 1", "", "P0336"});
    arena_free(arena);
}

static void test_all_forward_first(void **state)
{
    (void)state;
    static const Edit edits[] = {
        {"a slot too few", "% 20", "% 16", "P0320"},
        {"backward a tick early", "l5+@stage-2", "l5+@stage-1", "P0336"},
    };
    check_edits("tests/verify/pipeline-gpipe-3-stages.step", edits, COUNT(edits));
}

static void test_interleaved(void **state)
{
    (void)state;
    static const char second_upward[] = "-6*l12+2*l14-4*l11+8 % 12";
    static const Edit edits[] = {
        {"a chunk too many", "times 2 every 2", "times 3 every 2", "P0334"},
        {"chunks too far apart", "times 2 every 2", "times 2 every 3", "P0316 P0334 P0315 P0320"},
        {"chunks too near", "times 2 every 2", "times 2 every 1", "P0316 P0315 P0320"},
        {"a slot more than chunks share", "unit block slots 2 parameters", "unit block slots 3 parameters",
         "P0316 P0333 P0334"},
        {"one chunk", " times 2 every 2", "", "P0316 P0330"},
        {"backward too early to be sent", "table warmup stage 4 2", "table warmup stage 3 2", "P0336"},
        {"backward before forward", "table warmup stage 4 2", "table warmup stage 2 0", "P0330 P0320"},
        {"backward too late", "table warmup stage 4 2", "table warmup stage 5 2", "P0335"},
        {"a ring without room between groups", "% 12]", "% 8]", "P0320"},
        {"groups in each other's rooms", second_upward, "-6*l12+2*l14-4*l11+6 % 12", "P0320"},
        {"a wait too late", "guard l16 in 1..7 {", "guard l16 in 3..7 {", "P0331"},
        {"a message overwritten", "d_x.2[l16 % 2]", "d_x.2[0]", "P0331"},
        {"forward's channel", "index @stage-1 % 2 channel 1", "index @stage-1 % 2", "P0336"},
        {"weights of the other chunk", "parameters.block[l4-$first-l18]", "parameters.block[1]", "P0301"},
        {"updates of the last chunk only", "parameters.block[l5-$first-l21] = sgd", "parameters.block[1] = sgd",
         "P0316"},
    };
    check_edits("tests/verify/pipeline-chunks.step", edits, COUNT(edits));
}

static void test_tied(void **state)
{
    (void)state;
    static const Edit edits[] = {
        {"each stage's own contribution", "ge = all_reduce(ge) sum over data, stage",
         "ge = all_reduce(ge) sum over data", "P0301"},
        {"the first stage's twice", "ge += einsum(d, x[l0+@stage-5 % 6])",
         "ge += einsum(d, x[l0+@stage-5 % 6]) \"bo,bi->oi\"\nge += einsum(d, x[l0+@stage-5 % 6])", "P0303"},
        {"an average of what all have", "ge = all_reduce(ge) sum over data, stage",
         "ge = all_reduce(ge) sum over data, stage\nem = all_reduce(em) sum over stage\n"
         "em = scale(em) \"oi->oi\" scale 1/3",
         ""},
        {"passed on along the stages", "ge = all_reduce(ge) sum over data, stage",
         "ge = all_reduce(ge) sum over data, stage\nem = permute(em) over stage index @stage+1 % 3\n"
         "em = broadcast(em) over stage index 2",
         ""},
        {"the gradient of one stage", "ge = all_reduce(ge) sum over data, stage",
         "ge = all_reduce(ge) sum over data\nge = broadcast(ge) over stage index 0", "P0320"},
        {"the largest of the stages", "ge = all_reduce(ge) sum over data, stage",
         "ge = all_reduce(ge) sum over data\nge = all_reduce(ge) max over stage", "P0320"},
        {"an output of one stage", "output(loss) name \"loss\"\n        rate",
         "guard $first in 0..0 {\noutput(loss) name \"loss\"\n}\n        rate", "P0320"},
    };
    check_edits("tests/sim/cases/pipeline-tied.step", edits, COUNT(edits));
}

static void test_memory(void **state)
{
    (void)state;
    static const Edit edits[] = {
        {"a state of both stages in one's memory", "of b where @stage in 1..1", "of b", "P0306 P0316 P0333"},
        {"an activation over both stages' states", "buffer x f64 [4] activations offset 32",
         "buffer x f64 [4] activations offset 0", "P0333"},
        {"a buffer that the sender lacks", "send(y) over stage index 1", "send(z) over stage index 1", "P0333"},
    };
    check_edits("tests/verify/memory-of-other-stages.step", edits, COUNT(edits));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_forward_one_backward),
        cmocka_unit_test(test_sends_that_wait),
        cmocka_unit_test(test_all_forward_first),
        cmocka_unit_test(test_interleaved),
        cmocka_unit_test(test_tied),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

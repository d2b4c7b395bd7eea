/* Pipelines whose iterations the verifier does not run one by one: what it answers is what it answers to the program
 * with its loops unrolled, which it runs from end to end. So it is for programs that are right, and for changes of them
 * that show in every iteration, in one of many, in every second or third, or only at the ends. */
#include "tests/sanitized.h"
#include "tests/unit/derived.h"
#include "tests/unit/unrolled.h"

static const char model[] =
    "place 1\n" GPT_MODEL("gpt", "layers = 4, hidden = 4, heads = 2, context = 2, vocab = 3", "2 * hidden");

static const OnMesh pipelines[] = {
    {"stage: 2", "pipeline(stage, schedule = gpipe)", 2, 9},
    {"stage: 3", "pipeline(stage, schedule = one_f_one_b)", 3, 11},
    {"stage: 4", "pipeline(stage, schedule = one_f_one_b)", 4, 13},
    {"stage: 2", "pipeline(stage, schedule = interleaved, chunks = 2)", 2, 16},
    {"stage: 2", "pipeline(stage, schedule = interleaved, chunks = 2)", 2, 13},
};
enum { PIPELINES = sizeof pipelines / sizeof *pipelines, CHANGES = SANITIZED ? 4 : 12 };

/* ---- Changes of a program ----------------------------------------------------------------------------------- */

/* A list of the step's nodes, inside the loop with this variable (-1: outside all), and a place in it. */
typedef struct Place {
    NodeList *nodes;
    int at, loop;
} Place;
typedef Vec(Place) Places;

static void find_places(Arena *arena, NodeList *nodes, int loop, Places *places)
{
    for (int i = 0; i < nodes->count; i++) {
        Node *node = nodes->data[i];
        bool outermost = loop < 0 && node->kind == NODE_LOOP;
        if (loop >= 0)
            vec_push(arena, places, ((Place){nodes, i, loop}));
        find_places(arena, &node->body, outermost ? node->loop.id : loop, places);
    }
}

static uint64_t drawn;
static int draw(int count)
{
    drawn = drawn * 6364136223846793005u + 1442695040888963407u;
    return (int)((drawn >> 33) % (uint64_t)count);
}

/* Puts the place under a guard that only some iterations pass. */
static void guard_place(Arena *arena, const Place *place, int iterations)
{
    Node *guard = arena_make(arena, Node), *inside = place->nodes->data[place->at];
    guard->kind = NODE_GUARD;
    guard->guard.value = affine_loop(place->loop, 1, 0);
    vec_push(arena, &guard->body, inside);
    place->nodes->data[place->at] = guard;
    switch (draw(3)) {
    case 0:
        guard->guard.low = draw(2);
        guard->guard.high = iterations + draw(3);
        break;
    case 1:
        guard->guard.high = iterations - draw(iterations);
        break;
    case 2:
        guard->guard.value.modulus = 2 + draw(3);
        guard->guard.high = guard->guard.value.modulus - 2;
        break;
    }
}

static void move_slot(Op *op)
{
    int which = draw(op->operand_count + 1);
    Ref *ref = which < op->operand_count ? &op->operand[which] : &op->out;
    ref->slot.constant = affine_wrap(ref->slot.constant + 1 + draw(2), ref->slot.modulus);
}

/* Changes the program at a place; false if there is nothing to change. */
static bool change(Arena *arena, const Place *place, int iterations)
{
    Node *node = place->nodes->data[place->at];
    switch (draw(5)) {
    case 0:
    case 1:
        guard_place(arena, place, iterations);
        return true;
    case 2:
        if (node->kind != NODE_OP || node->op->operand_count == 0)
            return false;
        move_slot(node->op);
        return true;
    case 3:
        if (node->kind != NODE_GUARD)
            return false;
        *(draw(2) ? &node->guard.low : &node->guard.high) += 1 - 2 * draw(2);
        return true;
    case 4:
        if (place->at + 1 == place->nodes->count)
            return false;
        place->nodes->data[place->at] = place->nodes->data[place->at + 1];
        place->nodes->data[place->at + 1] = node;
        return true;
    }
    return false;
}

/* ---- Answers ------------------------------------------------------------------------------------------------ */

static char *answer(Ctx *ctx, const StepFile *file)
{
    Verdict verdict;
    ctx->diag = diag_new(ctx->arena, ctx->sources);
    bool right = verify_run(ctx, file, &verdict);
    char *codes = codes_of(ctx, getenv("VERIFY_SHOW") != NULL);
    assert_int_equal(right, codes[0] == '\0');
    return codes;
}

/* Does every code stand in the other list, too? */
static bool all_in(const char *codes, const char *others)
{
    for (; *codes != '\0'; codes += codes[5] == '\0' ? 5 : 6)
        if (strstr(others, (char[]){codes[0], codes[1], codes[2], codes[3], codes[4], '\0'}) == NULL)
            return false;
    return true;
}

/* The answer to the pipeline with this change in it (0: none), which must be the same for both forms. */
static bool check_change(const OnMesh *on, int number)
{
    Compiled compiled = compile_on_mesh(model, on, on->micro);
    StepFile *file = derive_compiled(&compiled);
    assert_non_null(file);
    Arena *arena = compiled.ctx.arena;
    Places places = {0};
    for (int i = 0; i < file->program->routines.count; i++)
        if (file->program->routines.data[i].kind == ROUTINE_STEP)
            find_places(arena, &file->program->routines.data[i].body, -1, &places);
    drawn = (uint64_t)number;
    while (number > 0 && !change(arena, &places.data[draw(places.count)], on->micro))
        ;
    StepFile whole = unrolled(arena, file);
    char *codes = answer(&compiled.ctx, file), *expected = answer(&compiled.ctx, &whole);
    if (!all_in(codes, expected) || !all_in(expected, codes))
        fail_msg("%s, change %d: unrolled '%s', found '%s'", on->strategy, number, expected, codes);
    bool accepted = codes[0] == '\0';
    free(codes);
    free(expected);
    compiled_free(&compiled);
    return accepted;
}

static void test_as_if_unrolled(void **state)
{
    (void)state;
    int accepted = 0;
    for (int i = 0; i < PIPELINES; i++) {
        assert_true(check_change(&pipelines[i], 0));
        for (int number = 1; number <= CHANGES; number++)
            accepted += check_change(&pipelines[i], CHANGES * i + number);
    }
    assert_in_range(accepted, 1, PIPELINES * CHANGES * 2 / 3); /* changes of either kind */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_as_if_unrolled)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Loops around the loop over microbatches: what an iteration leaves under one value of their variables may be taken for
 * that under another only where nothing depends on it. Every program that must be refused has a twin, in which nothing
 * does. */
#include "tests/unit/verify_linear.h"

#define BUFFERS "  buffer sum f64 [] buffers\n  buffer one f64 [] buffers\n  buffer ring f64 [] slots 3 buffers\n"
#define BEFORE                                                                                                         \
    "    sum = fill(; 0)\n    one = fill(; 1)\n    ring[0] = fill(; 0)\n    ring[1] = fill(; 0)\n"                     \
    "    ring[2] = fill(; 0)\n"
#define AFTER "    rate += copy(sum)\n" ALL_REDUCE

typedef struct Pair {
    const char *name, *wrong, *right; /* loops that leave something in `sum`, and loops that do not */
} Pair;

static const Pair pairs[] = {
    {"a slot", "loop l9 steps 0..1 {\n loop l8 micro 0..3 {\n ring[l9] = copy(one)\n }\n }\n sum = copy(ring[1])\n",
     "loop l9 steps 0..1 {\n loop l8 micro 0..3 {\n ring[l9] = copy(one)\n }\n }\n sum = copy(ring[2])\n"},
    {
        "a slot of a ring, by three variables",
        "loop l9 steps 0..2 {\n loop l7 steps 0..1 {\n loop l8 micro 0..1 {\n"
        " sum += copy(ring[l9+3*l7+4*l8 % 3])\n guard l9+l7+l8 in 4..4 {\n ring[2] = copy(one)\n }\n }\n }\n }\n"
        " sum = copy(ring[2])\n",
        "loop l9 steps 0..2 {\n loop l7 steps 0..1 {\n loop l8 micro 0..1 {\n"
        " sum += copy(ring[l9+3*l7+4*l8 % 3])\n guard l9+l7+l8 in 5..5 {\n ring[2] = copy(one)\n }\n }\n }\n }\n",
    },
    {"a guard with a modulus",
     "loop l9 steps 0..3 {\n loop l8 micro 0..3 {\n guard l9 % 4 in 3..3 {\n sum = copy(one)\n }\n }\n }\n",
     "loop l9 steps 0..2 {\n loop l8 micro 0..3 {\n guard l9 % 4 in 3..3 {\n sum = copy(one)\n }\n }\n }\n"},
    {"the bound of a loop inside",
     "loop l9 steps 0..2 {\n loop l8 micro 0..3 {\n loop l7 steps 2..l9 {\n sum = copy(one)\n }\n }\n }\n",
     "loop l9 steps 0..2 {\n loop l8 micro 0..3 {\n loop l7 steps 3..l9 {\n sum = copy(one)\n }\n }\n }\n"},
    {
        "the microbatch that is read",
        "loop l9 steps 0..1 {\n loop l8 micro 0..0 {\n t = read() tensor t @5 index l9\n sum = reduce(t) \"b->\"\n }\n "
        "}\n"
        "loop l7 micro 0..0 {\n t = read() tensor t @5 index l7\n one = reduce(t) \"b->\"\n }\n sum = sub(sum, one)\n"
        " sum = all_reduce(sum) sum over data\n",
        "loop l9 steps 0..1 {\n loop l8 micro 0..0 {\n t = read() tensor t @5 index l8\n sum = reduce(t) \"b->\"\n }\n "
        "}\n"
        "loop l7 micro 0..0 {\n t = read() tensor t @5 index l7\n one = reduce(t) \"b->\"\n }\n sum = sub(sum, one)\n"
        " sum = all_reduce(sum) sum over data\n",
    },
    {"what the value before left",
     "loop l9 steps 0..1 {\n loop l8 micro 0..0 {\n sum = copy(ring[0])\n ring[0] = copy(one)\n }\n }\n",
     "loop l9 steps 0..1 {\n loop l8 micro 0..0 {\n sum = copy(ring[0])\n ring[1] = copy(one)\n }\n }\n"},
};

static void check_loops(const char *name, const char *loops, const char *expected)
{
    Arena *arena = arena_new();
    Sizes sizes = {3, 1, 4, 24};
    const char *sync = arena_printf(arena, "%s%s%s", BEFORE, loops, AFTER);
    const char *piece[9] = {PLAIN, sync, WHOLE_UPDATE, "scale 1/@B", "over data", "1", BUFFERS};
    Answer answer = verify_template(linear, sizes, piece);
    check_answer(name, &sizes, &answer, expected);
    free(answer.text);
    arena_free(arena);
}

static void test_only_where_nothing_depends_on_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        check_loops(pairs[i].name, pairs[i].wrong, "P0316");
        check_loops(pairs[i].name, pairs[i].right, "");
    }
}

/* Run again in every iteration it would be too long to be followed. */
static void test_taken_from_another(void **state)
{
    (void)state;
    static const char loops[] =
        "loop l9 steps 0..99999 {\n loop l8 micro 0..0 {\n loop l7 steps 0..599 {\n ring[l9 % 3] = copy(one)\n }\n }\n"
        " }\n";
    check_loops("many iterations", loops, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_where_nothing_depends_on_it),
        cmocka_unit_test(test_taken_from_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

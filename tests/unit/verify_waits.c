/* A wait is for something: an operator that was started before it, and that nobody has waited for. */
#include "tests/unit/verify_support.h"

/* @1 is in init, @2 in step, @3 are buffers. */
static const char program[] = "place-step 1\n"
                              "model waits\n"
                              "contract exact\n"
                              "compute f64\n"
                              "micro 1\n"
                              "axis data 2\n"
                              "tensor x input f64 [4] batch 0\n"
                              "reference {\n"
                              "buffer x f64 [4] activations\n"
                              "buffer loss f64 [] activations\n"
                              "routine init {\n"
                              "}\n"
                              "routine step {\n"
                              "x = read() tensor x index 0\n"
                              "loss = reduce(x) \"b->\"\n"
                              "output(loss) name \"loss\"\n"
                              "}\n"
                              "}\n"
                              "program {\n"
                              "buffer x f64 [4/data] activations\n"
                              "buffer loss f64 [] activations\n"
                              "buffer a f64 [] buffers\n"
                              "buffer b f64 [] slots 2 buffers\n"
                              "@3"
                              "routine init {\n"
                              "@1"
                              "}\n"
                              "routine step {\n"
                              "x = read() tensor x over data index 0\n"
                              "loss = reduce(x) \"b->\"\n"
                              "loss = all_reduce(loss) sum over data\n"
                              "output(loss) name \"loss\"\n"
                              "a = fill(; 1)\n"
                              "@2"
                              "}\n"
                              "}\n";

#define START(event) "b[0] = all_reduce(a) max over data event " #event " stream 1\n"

static const struct {
    const char *name, *expected, *step;
} cases[] = {
    {"none", "", ""},
    {"as it is", "", START(1) "wait 1\n"},
    {"of another stream first", "", START(1) "wait 1 stream 2\nwait 1\n"},
    {"in every iteration", "", "loop l0 steps 0..5 {\n" START(1) "wait 1\n}\n"},
    {"begun in the iteration before", "",
     START(1) "loop l0 steps 0..5 {\nwait 1\nguard l0 in 0..4 {\nb[l0+1 % 2] = all_reduce(a) max over data event 1 "
              "stream 1\n}\n}\n"},
    {"on the rank that has started it", "",
     "guard @data in 0..0 {\nsend(a) over data index 1 event 1\nwait 1\n}\n"
     "guard @data in 1..1 {\nb[0] = recv() over data index 0\n}\n"},
    {"on all, where one has started it", "",
     "guard @data in 0..0 {\nsend(a) over data index 1 event 1\n}\n"
     "guard @data in 1..1 {\nb[0] = recv() over data index 0\n}\nwait 1\n"},
    {"for an event that nothing starts", "P0331", "wait 1\n"},
    {"for another event", "P0331", START(1) "wait 2\nwait 1\n"},
    {"before the start", "P0331", "wait 1\n" START(1) "wait 1\n"},
    {"twice", "P0331", START(1) "wait 1\nwait 1\n"},
    {"twice, on another stream", "P0331", START(1) "wait 1\nwait 1 stream 1\n"},
    {"after the last iteration", "P0331", "loop l0 steps 0..5 {\n" START(1) "wait 1\n}\nwait 1\n"},
    {"in a loop without iterations", "P0331", "loop l0 steps 0..0-1 {\nwait 1\n}\n"},
    {"where nobody comes", "P0331", "guard 1 in 0..0 {\nwait 1\n}\n"},
    {"on the other rank", "P0331",
     "guard @data in 0..0 {\nsend(a) over data index 1 event 1\nwait 1\n}\n"
     "guard @data in 1..1 {\nb[0] = recv() over data index 0\nwait 1\n}\n"},
};

/* What one routine starts, another does not wait for. */
static void test_routines(void **state)
{
    (void)state;
    const char *piece[9] = {"wait 1\n", START(1) "wait 1\n"};
    Answer answer = verify_template(program, (Sizes){.n = 2, .micro = 1}, piece);
    check_answer("of another routine", &(Sizes){0}, &answer, "P0331");
    free(answer.text);
}

static void test_waits(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *piece[9] = {NULL, cases[i].step};
        Answer answer = verify_template(program, (Sizes){.n = 2, .micro = 1}, piece);
        check_answer(cases[i].name, &(Sizes){0}, &answer, cases[i].expected);
        if (cases[i].expected[0] != '\0' && strstr(answer.text, "nothing is in progress") == NULL)
            fail_msg("%s: %s", cases[i].name, answer.text);
        free(answer.text);
    }
}

/* One error for one mistake, whatever follows from it; each mistake has one. */
static const struct {
    const char *name;
    int errors;
    const char *label, *step;
} mistakes[] = {
    {"another event is waited for", 1, "waits for event 7", START(1) "wait 7\n"},
    {"another event is waited for, before it is read", 1, "waits for event 7",
     START(1) "loop l0 steps 0..5 {\nwait 7\na = copy(b[l0 % 2])\nguard l0 in 0..4 {\nb[l0+1 % 2] = all_reduce(a) max "
              "over data event 1 stream 1\n}\n}\n"},
    {"read and overwritten too early", 1, NULL, START(1) "a = copy(b[0])\nb[0] = fill(; 1)\nwait 1\n"},
    {"lost in every iteration", 1, NULL, "loop l0 steps 0..5 {\n" START(1) "}\n"},
    {"two are lost", 2, NULL, START(1) "b[1] = all_reduce(a) max over data event 2 stream 1\n"},
    {"read too early, and another lost", 2, NULL, START(1) "a = copy(b[0])\nwait 1\n" START(2)},
    {"two are waited for in vain", 2, NULL, "wait 1\nwait 2\n"},
};

static void test_mistakes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        const char *piece[9] = {NULL, mistakes[i].step};
        Answer answer = verify_template(program, (Sizes){.n = 2, .micro = 1}, piece);
        int errors = 0;
        for (const char *at = answer.text; (at = strstr(at, "error[P0331]")) != NULL; at++)
            errors++;
        if (answer.right || errors != mistakes[i].errors ||
            (mistakes[i].label != NULL && strstr(answer.text, mistakes[i].label) == NULL))
            fail_msg("%s: %s", mistakes[i].name, answer.text);
        free(answer.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_waits), cmocka_unit_test(test_routines),
                                       cmocka_unit_test(test_mistakes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

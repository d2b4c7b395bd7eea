/* Where elements of global tensors rest (checkpoint_map.c): on simulated ranks, every element is found in exactly the
 * place where a rank that cuts the tensor by itself would put it. And the options. */
#include "runtime/checkpoint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { POD = 2, DATA = 3, RANKS = POD * DATA, A = 10, B = 7, ELEMENTS = A + B };

static const prt_tensor tensors[] = {
    {"block.a", "block", 3, PRT_F32, 2, {2, 5}, PRT_ZEROS, 0},
    {"block.b", "block", 3, PRT_F32, 1, {B}, PRT_ZEROS, 0},
    {"table", NULL, 1, PRT_F64, 2, {7, 5}, PRT_ZEROS, 0},
};
static const prt_member members[] = {{0, 0, NULL}, {1, A, NULL}};
static const prt_unit units[] = {{"block.1-2", 1, 2, 2, members, ELEMENTS}};
static prt_state states[] = {
    {.state = "parameters", .dtype = PRT_F32, .slots = 2, .first_layer = 1, .unit = 0},
    {.state = "adam_m",
     .dtype = PRT_F64,
     .slots = 1,
     .unit = -1,
     .tensor = 2,
     .dim_count = 2,
     .dims = {{.size = 7}, {.size = 5}}},
    {.state = "step", .dtype = PRT_F64, .slots = 1, .slot_bytes = 8, .unit = -1, .tensor = -1},
};
static prt_program program = {.axis_count = 2,
                              .axes = {{"pod", POD}, {"data", DATA}},
                              .tensor_count = 3,
                              .unit_count = 1,
                              .state_count = 3,
                              .tensors = tensors,
                              .units = units,
                              .states = states};

static prt_run rank_run(int rank)
{
    static unsigned char nothing[1];
    prt_run run = {.program = &program};
    run.ctx = (prt_context){.rank = rank, .ranks = RANKS, .axis_size = {POD, DATA}};
    run.ctx.coordinate[0] = rank / DATA;
    run.ctx.coordinate[1] = rank % DATA;
    run.ctx.arena[PRT_DEVICE] = nothing;
    return run;
}

/* The names, in the file's order. */
static void test_names(void **state)
{
    (void)state;
    static const char *const expected[] = {"parameters/block.1.a", "parameters/block.1.b", "parameters/block.2.a",
                                           "parameters/block.2.b", "adam_m/table",         "step"};
    prt_run run = rank_run(0);
    int count;
    int64_t bytes;
    prt_entry *entries = prt_entries_make(&run, PRT_STATES, &count, &bytes);
    assert_int_equal(count, 6);
    assert_int_equal(bytes, 2 * ELEMENTS * 4 + 35 * 8 + 8);
    for (int i = 0; i < count; i++)
        assert_string_equal(entries[i].name, expected[i]);
    prt_entries_free(entries, count);
}

/* Cut over these axes, outermost first, every element of every slot is on the ranks of its piece and nowhere else. */
static void check_unit(int cut_count, int first, int second)
{
    int64_t sizes[] = {POD, DATA}, pieces = 1;
    states[0].cut_count = cut_count;
    states[0].cut[0] = first;
    states[0].cut[1] = second;
    for (int i = 0; i < cut_count; i++)
        pieces *= sizes[states[0].cut[i]];
    int64_t room = (ELEMENTS + pieces - 1) / pieces;
    states[0].slot_bytes = room * 4 + 64;
    for (int rank = 0; rank < RANKS; rank++) {
        prt_run run = rank_run(rank);
        int count;
        int64_t bytes, mine = 0;
        for (int i = 0; i < cut_count; i++)
            mine = mine * sizes[states[0].cut[i]] + run.ctx.coordinate[states[0].cut[i]];
        prt_entry *entries = prt_entries_make(&run, PRT_STATES, &count, &bytes);
        for (int e = 0; e < 4; e++)
            for (int64_t element = 0; element < entries[e].elements;) {
                prt_run_of part = prt_entry_locate(&run, &entries[e], element);
                assert_true(part.count > 0 && element + part.count <= entries[e].elements);
                for (int64_t i = 0; i < part.count; i++) {
                    int64_t global = entries[e].first + element + i;
                    assert_int_equal(prt_run_here(&run, &part), global / room == mine);
                    assert_int_equal(part.offset + i * 4, e / 2 * states[0].slot_bytes + global % room * 4);
                }
                element += part.count;
            }
        prt_entries_free(entries, count);
    }
}

static void test_units(void **state)
{
    (void)state;
    check_unit(0, 0, 0);
    check_unit(1, 0, 0);
    check_unit(1, 1, 0);
    check_unit(2, 0, 1);
    check_unit(2, 1, 0);
}

/* A dense tensor cut by rows over data, then pod, and by columns not at all or over pod. */
static void check_dense(prt_dim rows, prt_dim columns)
{
    int held[7 * 5] = {0};
    states[1].dims[0] = rows;
    states[1].dims[1] = columns;
    for (int rank = 0; rank < RANKS; rank++) {
        prt_run run = rank_run(rank);
        int count;
        int64_t bytes, size[] = {POD, DATA};
        prt_range r = {0, 7}, c = {0, 5};
        for (int i = 0; i < rows.cut_count; i++)
            r = prt_cut_again(r, size[rows.cut[i]], run.ctx.coordinate[rows.cut[i]]);
        for (int i = 0; i < columns.cut_count; i++)
            c = prt_cut_again(c, size[columns.cut[i]], run.ctx.coordinate[columns.cut[i]]);
        prt_entry *entries = prt_entries_make(&run, PRT_STATES, &count, &bytes);
        for (int64_t element = 0; element < 35;) {
            prt_run_of part = prt_entry_locate(&run, &entries[4], element);
            for (int64_t i = 0; i < part.count; i++) {
                int64_t row = (element + i) / 5, column = (element + i) % 5;
                bool mine =
                    row >= r.start && row < r.start + r.extent && column >= c.start && column < c.start + c.extent;
                assert_int_equal(prt_run_here(&run, &part), mine);
                if (mine)
                    assert_int_equal(part.offset + i * 8, ((row - r.start) * c.extent + column - c.start) * 8);
                held[element + i] += prt_run_owner(&run, &part) == rank;
            }
            element += part.count;
        }
        prt_entries_free(entries, count);
    }
    for (int i = 0; i < 35; i++)
        assert_int_equal(held[i], 1);
}

static void test_dense(void **state)
{
    (void)state;
    check_dense((prt_dim){.size = 7, .cut_count = 0, .cut = {0}}, (prt_dim){.size = 5, .cut_count = 0, .cut = {0}});
    check_dense((prt_dim){.size = 7, .cut_count = 1, .cut = {1}}, (prt_dim){.size = 5, .cut_count = 0, .cut = {0}});
    check_dense((prt_dim){.size = 7, .cut_count = 2, .cut = {1, 0}}, (prt_dim){.size = 5, .cut_count = 0, .cut = {0}});
    check_dense((prt_dim){.size = 7, .cut_count = 1, .cut = {1}}, (prt_dim){.size = 5, .cut_count = 1, .cut = {0}});
}

/* ---- The command line --------------------------------------------------------------------------------------- */

static void test_options(void **state)
{
    (void)state;
    static const prt_program trains = {.name = "x", .steps = 120, .seed = 7, .data_path = "corpus.txt"};
    char message[256],
        *good[] = {"x", "--steps=5", "--data", "y.txt", "--check-arena", "--seed", "18446744073709551615"};
    prt_options options;
    assert_true(prt_options_read(&options, &trains, 1, good, message, sizeof message));
    assert_int_equal(options.steps, 120);
    assert_int_equal(options.seed, 7);
    assert_string_equal(options.data, "corpus.txt");
    assert_true(prt_options_read(&options, &trains, 7, good, message, sizeof message));
    assert_int_equal(options.steps, 5);
    assert_true(options.seed == UINT64_MAX);
    assert_true(options.check_arena && !options.quiet);
    assert_string_equal(options.data, "y.txt");
}

static void test_wrong_options(void **state)
{
    (void)state;
    static const prt_program trains = {.name = "x"};
    static const struct {
        const char *words[2], *says;
    } cases[] = {
        {{"--setps", "3"}, "did you mean '--steps'"},
        {{"--wholly-unknown", NULL}, "--help lists the options"},
        {{"steps", NULL}, "did you mean '--steps'"},
        {{"--steps", "-1"}, "wants a whole number of 0 or more, not '-1'"},
        {{"--threads", "0"}, "wants a whole number of 1 or more"},
        {{"--steps", "9999999999999999999"}, "wants a whole number"},
        {{"--seed", "-1"}, "wants a whole number"},
        {{"--steps=", NULL}, "wants a whole number"},
        {{"--quiet=1", NULL}, "unknown option"},
        {{"--log", NULL}, "wants a value: FILE"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char message[256] = "", *words[] = {"x", (char *)cases[i].words[0], (char *)cases[i].words[1]};
        prt_options options;
        assert_false(prt_options_read(&options, &trains, words[2] != NULL ? 3 : 2, words, message, sizeof message));
        if (strstr(message, cases[i].says) == NULL)
            fail_msg("case %zu says: %s", i, message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),   cmocka_unit_test(test_units),         cmocka_unit_test(test_dense),
        cmocka_unit_test(test_options), cmocka_unit_test(test_wrong_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

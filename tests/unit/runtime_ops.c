/* Data movement, initial values and the collectives of one rank alone, through the functions that programs call. */
#include "base/random.h"
#include "runtime/run.h"

#include <malloc.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { A = 12, B = 5, ELEMENTS = A + B };

static const prt_tensor tensors[] = {
    {"block.a", "block", 3, PRT_F64, 2, {3, 4}, PRT_NORMAL, 0.5},
    {"block.b", "block", 3, PRT_F64, 1, {B}, PRT_UNIFORM, 2},
};
static const prt_member members[] = {{0, 0, NULL}, {1, A, NULL}};
static const prt_unit units[] = {{"block", 0, 2, 2, members, ELEMENTS}};
static const prt_group groups[] = {{1, {0}}};
static const prt_source sources[] = {{"x.place", 1, "x"}, {"x.place", 2, "y"}};
static const int64_t once[] = {1};
static const prt_call calls[] = {
    {.op = PRT_ALL_REDUCE,
     .state = "gradients",
     .algorithm = "direct",
     .dtype = PRT_F64,
     .event = -1,
     .source = 1,
     .calls_per_step = once},
    {.op = PRT_ALL_GATHER,
     .state = "parameters",
     .algorithm = "direct",
     .from = 2,
     .into = 1,
     .stream = 1,
     .source = 1,
     .calls_per_step = once},
};
static const prt_layout layouts[] = {{.unit = -1, .dim_count = 1, .dims = {{.size = B}}},
                                     {.unit = -1, .dim_count = 1, .dims = {{.size = 3}}},
                                     {.unit = -1, .dim_count = 1, .dims = {{.size = 3, .cut_count = 1, .cut = {0}}}}};
static const prt_program program = {.format = PRT_FORMAT,
                                    .name = "x",
                                    .axis_count = 1,
                                    .axes = {{"data", 1}},
                                    .seed = 1,
                                    .tensor_count = 2,
                                    .unit_count = 1,
                                    .group_count = 1,
                                    .call_count = 2,
                                    .event_count = 1,
                                    .source_count = 2,
                                    .tensors = tensors,
                                    .units = units,
                                    .layouts = layouts,
                                    .groups = groups,
                                    .calls = calls,
                                    .sources = sources};

static prt_run run;

static int start(void **state)
{
    (void)state;
    char message[256];
    run = (prt_run){.program = &program, .device = prt_device_cpu(), .options = {.seed = 1}};
    run.comm = prt_comm_open(&run, message, sizeof message);
    run.ctx.run = &run;
    run.ctx.ranks = 1;
    run.ctx.axis_size[0] = 1;
    prt_comm_start(&run);
    run.in_step = true;
    return run.device->prepare(PRT_F64, 1, message, sizeof message) ? 0 : 1;
}

static int end(void **state)
{
    (void)state;
    prt_comm_finish(&run, 0);
    return 0;
}

/* A unit of a weight whose columns an axis cuts, a fused bias that it cuts segment by segment, and a gain that it does
 * not cut. */
enum { TENSOR = 3, DATA = 2 };
static const int64_t fused[] = {4, 3};
static const prt_dim weight_dims[] = {{.size = 3}, {.size = 4, .cut_count = 1, .cut = {0}}};
static const prt_dim bias_dims[] = {{.size = 7, .cut_count = 1, .cut = {0}, .segment_count = 2, .segments = fused}};
static const prt_tensor cut_tensors[] = {
    {"block.weight", "block", 3, PRT_F64, 2, {3, 4}, PRT_NORMAL, 0.5},
    {"block.bias", "block", 3, PRT_F64, 1, {7}, PRT_UNIFORM, 2},
    {"block.gain", "block", 3, PRT_F64, 1, {2}, PRT_ONES, 0},
};
/* Of 4 columns the largest rank of 3 has 2, of the segments 2 and 1. */
static const prt_member cut_members[] = {{0, 0, weight_dims}, {1, 6, bias_dims}, {2, 9, NULL}};
static const prt_unit cut_units[] = {{"block", 0, 2, 3, cut_members, 11}};
static const prt_layout cut_layouts[] = {{.unit = 0, .cut_count = 1, .cut = {1}},
                                         {.unit = -1, .dim_count = 2, .dims = {{3}, {4, 1, {0}, .padded = true}}}};
static const prt_program cut_program = {.axis_count = 2,
                                        .axes = {{"t", TENSOR}, {"d", DATA}},
                                        .seed = 1,
                                        .tensors = cut_tensors,
                                        .units = cut_units,
                                        .layouts = cut_layouts};

static double element_of(int tensor, int64_t element)
{
    uint32_t hash = random_hash(cut_tensors[tensor].name);
    return tensor == 0   ? 0.5 * random_normal(9, hash, 2, (uint64_t)element)
           : tensor == 1 ? 2 * (2 * random_uniform(9, hash, 2, (uint64_t)element) - 1)
                         : 1;
}

/* What a rank of the first axis has of a layer, position by position. */
static void cut_unit_of(int t, double room[12])
{
    static const int columns[TENSOR][3] = {{0, 2}, {2, 1}, {3, 1}};
    static const int biases[TENSOR][3] = {{0, 1, 4}, {2, -1, 5}, {3, -1, 6}};
    for (int i = 0; i < 12; i++)
        room[i] = 0;
    for (int row = 0; row < 3; row++)
        for (int i = 0; i < columns[t][1]; i++)
            room[row * columns[t][1] + i] = element_of(0, row * 4 + columns[t][0] + i);
    for (int i = 0, at = 6; i < 3; i++)
        if (biases[t][i] >= 0)
            room[at++] = element_of(1, biases[t][i]);
    room[9] = room[10] = 1;
}

static void test_pieces_by_dims_draw_the_numbers_of_the_whole(void **state)
{
    (void)state;
    prt_run other = run;
    other.program = &cut_program;
    other.ctx.run = &other;
    for (int t = 0; t < TENSOR; t++)
        for (int d = 0; d < DATA; d++) {
            double wanted[12], got[6];
            cut_unit_of(t, wanted);
            other.ctx.coordinate[0] = t;
            other.ctx.coordinate[1] = d;
            prt_init(&other.ctx, -1, 0, 2, 9, PRT_F64, got);
            assert_memory_equal(got, wanted + 6 * d, sizeof got);
            prt_init(&other.ctx, 0, 1, 2, 9, PRT_F64, got); /* the weight alone, padded */
            for (int row = 0; row < 3; row++) {
                assert_true(got[2 * row] == element_of(0, row * 4 + (t == 0 ? 0 : t + 1)));
                assert_true(got[2 * row + 1] == (t == 0 ? element_of(0, row * 4 + 1) : 0));
            }
        }
}

/* Every piece of a cut unit has the numbers of the whole, and zeros after its end. */
static void test_pieces_of_a_unit_draw_the_numbers_of_the_whole(void **state)
{
    (void)state;
    double whole[ELEMENTS], piece[ELEMENTS];
    prt_run other = run;
    prt_layout layout = {.unit = 0};
    prt_program cut = program;
    cut.layouts = &layout;
    other.program = &cut;
    other.ctx.run = &other;
    prt_init(&other.ctx, -1, 0, 2, 9, PRT_F64, whole);
    for (int i = 0; i < A; i++)
        assert_true(whole[i] == 0.5 * random_normal(9, random_hash("block.a"), 2, (uint64_t)i));
    for (int i = 0; i < B; i++)
        assert_true(whole[A + i] == 2 * (2 * random_uniform(9, random_hash("block.b"), 2, (uint64_t)i) - 1));
    layout.cut_count = 1;
    for (int count = 1; count <= 20; count++)
        for (int index = 0; index < count; index++) {
            int room = (ELEMENTS + count - 1) / count;
            cut.axes[0].size = count;
            other.ctx.coordinate[0] = index;
            prt_init(&other.ctx, -1, 0, 2, 9, PRT_F64, piece);
            for (int i = 0; i < room; i++)
                assert_true(piece[i] == (index * room + i < ELEMENTS ? whole[index * room + i] : 0));
        }
}

static void test_seed_of_the_command_line_shifts_seeds(void **state)
{
    (void)state;
    double a[B], b[B];
    prt_init(&run.ctx, 1, 0, 0, 4, PRT_F64, a);
    run.options.seed = 3; /* 2 more than the program's */
    prt_init(&run.ctx, 1, 0, 0, 2, PRT_F64, b);
    run.options.seed = 1;
    assert_memory_equal(a, b, sizeof a);
}

/* On a mesh of `count` ranks, seen by the one at `index`. */
static void place_on(prt_program *other, const prt_layout *laid, int64_t count, int64_t index)
{
    *other = program;
    other->axes[0].size = count;
    other->layouts = laid;
    run.program = other;
    run.ctx.coordinate[0] = index;
}

static void place_back(void)
{
    run.program = &program;
    run.ctx.coordinate[0] = 0;
}

static void test_slices_are_padded_with_zeros(void **state)
{
    (void)state;
    static const prt_layout whole_and_piece[] = {{.unit = 0}, {.unit = 0, .cut_count = 1, .cut = {0}}};
    float whole[ELEMENTS], piece[ELEMENTS], again[ELEMENTS];
    prt_program other;
    for (int i = 0; i < ELEMENTS; i++)
        whole[i] = (float)i + 1;
    for (int count = 1; count <= 20; count++)
        for (int index = 0; index < count; index++) {
            int room = (ELEMENTS + count - 1) / count;
            place_on(&other, whole_and_piece, count, index);
            prt_slice(&run.ctx, PRT_F32, 0, 1, 0, piece, whole);
            for (int i = 0; i < room; i++)
                assert_true(piece[i] == (index * room + i < ELEMENTS ? whole[index * room + i] : 0));
            memset(again, 0, sizeof again);
            prt_place_shard(&run.ctx, PRT_F32, 1, 0, 0, again, piece);
            for (int i = 0; i < ELEMENTS; i++)
                assert_true(again[i] == (i / room == index ? whole[i] : 0));
        }
    place_back();
}

/* Columns of a matrix, in the room of the longest piece of its rows. */
static void test_slices_of_dims(void **state)
{
    (void)state;
    static const prt_layout whole_and_piece[] = {
        {.unit = -1, .dim_count = 2, .dims = {{.size = 3}, {.size = 4}}},
        {.unit = -1, .dim_count = 2, .dims = {{.size = 3}, {.size = 4, .cut_count = 1, .cut = {0}, .padded = true}}}};
    double whole[12], piece[6];
    prt_program other;
    for (int i = 0; i < 12; i++)
        whole[i] = i + 1;
    place_on(&other, whole_and_piece, 3, 2);
    prt_slice(&run.ctx, PRT_F64, 0, 1, 0, piece, whole);
    const double expected[] = {4, 0, 8, 0, 12, 0};
    assert_memory_equal(piece, expected, sizeof expected);
    memset(piece, 0xff, sizeof piece);
    piece[0] = piece[2] = piece[4] = -1;
    prt_place_shard(&run.ctx, PRT_F64, 1, 0, 0, whole, piece);
    for (int i = 0; i < 12; i++)
        assert_true(whole[i] == (i % 4 == 3 ? -1 : i + 1));
    place_back();
}

static void test_cuts_cover_a_length_once(void **state)
{
    (void)state;
    for (int64_t length = 0; length < 15; length++)
        for (int64_t count = 1; count < 9; count++) {
            int64_t balanced = 0, flat = 0;
            for (int64_t i = 0; i < count; i++) {
                prt_range part = prt_cut(length, count, i), piece = prt_cut_flat(length, count, i);
                assert_int_equal(part.start, balanced);
                balanced += part.extent;
                assert_int_equal(piece.start, flat);
                flat += piece.extent;
            }
            assert_int_equal(balanced, length);
            assert_int_equal(flat, length);
        }
}

static void test_collectives_of_one_rank(void **state)
{
    (void)state;
    double values[3] = {1, 2, 3}, sum[3] = {0};
    float piece[3] = {4, 5, 6}, whole[3] = {0};
    prt_all_reduce(&run.ctx, 0, sum, values, 3);
    prt_all_reduce(&run.ctx, 0, values, values, 3);
    prt_all_gather(&run.ctx, 1, 0, whole, piece);
    prt_wait(&run.ctx, 0, 0);
    assert_memory_equal(sum, values, sizeof sum);
    assert_memory_equal(whole, piece, sizeof whole);
    assert_int_equal(run.traffic[0].calls, 2);
    assert_int_equal(run.traffic[0].payload_bytes, 48);
    assert_int_equal(run.traffic[1].payload_bytes, 12);
    assert_int_equal(run.ctx.at, 1);
}

/* What a step may call allocates nothing, once the libraries are warm. */
static void test_nothing_is_allocated(void **state)
{
    (void)state;
    static double a[64 * 64], b[64 * 64], c[64 * 64];
    prt_gemm_shape shape = {
        .m = 64, .n = 64, .k = 64, .a_row = 64, .a_column = 1, .b_row = 1, .b_column = 64, .c_row = 64, .c_column = 1};
    prt_gemm(&run.ctx, 0, PRT_F64, &shape, a, b, 0, c);
    size_t before = mallinfo2().uordblks, mapped = mallinfo2().hblkhd;
    for (int i = 0; i < 3; i++) {
        prt_gemm(&run.ctx, 0, PRT_F64, &shape, a, b, 1, c);
        prt_all_reduce(&run.ctx, 0, c, c, 64 * 64);
        prt_fetch(&run, b, a, sizeof b);
    }
    assert_int_equal(mallinfo2().uordblks, before);
    assert_int_equal(mallinfo2().hblkhd, mapped);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces_of_a_unit_draw_the_numbers_of_the_whole),
        cmocka_unit_test(test_pieces_by_dims_draw_the_numbers_of_the_whole),
        cmocka_unit_test(test_seed_of_the_command_line_shifts_seeds),
        cmocka_unit_test(test_slices_are_padded_with_zeros),
        cmocka_unit_test(test_slices_of_dims),
        cmocka_unit_test(test_cuts_cover_a_length_once),
        cmocka_unit_test(test_collectives_of_one_rank),
        cmocka_unit_test(test_nothing_is_allocated),
    };
    return cmocka_run_group_tests(tests, start, end);
}

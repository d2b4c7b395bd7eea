/* Who gives whom what in a communication (runtime/exchange.c): every rank of a group plays it in memory, for random
 * layouts: pieces of dims, of dims of pieces, of fused dims and of units, from dim to dim, with halos, in microbatches.
 * Every element of a result comes from exactly one rank, or if pieces are added, from all that have it. */
#include "runtime/comm.h"
#include "runtime/exchange.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { AXES = 3, ROOM = 2048, RANKS = 6, CASES = 3000, UNUSED = 77777 };

static prt_layout layouts[2];
static const prt_group groups[] = {{1, {0}}, {1, {1}}, {2, {0, 1}}, {2, {1, 0}}};
static const int64_t dims_of_unit[] = {3, 7};
static prt_tensor tensors[] = {{.name = "x", .layers = 1, .dim_count = 2}};
static const prt_member members[] = {{0, 0, NULL}};
static prt_unit units[] = {{.name = "u", .member_count = 1, .members = members}};
static prt_program program = {.axis_count = AXES,
                              .axes = {{"a", 2}, {"b", 3}, {"c", 2}},
                              .micro = 2,
                              .groups = groups,
                              .group_count = 4,
                              .layouts = layouts,
                              .layout_count = 2,
                              .tensors = tensors,
                              .units = units};

static uint64_t random_state = 1;

static int64_t below(int64_t bound)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)(random_state >> 33) % bound;
}

static prt_place any_place(void)
{
    prt_place place = {.program = &program, .micro = below(program.micro)};
    for (int axis = 0; axis < AXES; axis++)
        place.coordinate[axis] = below(program.axes[axis].size);
    return place;
}

/* ---- Layouts ------------------------------------------------------------------------------------------------ */

static void cut(prt_dim *dim, int by)
{
    dim->cut[dim->cut_count++] = by;
}

static void cut_by_group(prt_dim *dim, const prt_group *group)
{
    for (int i = 0; i < group->axis_count; i++)
        cut(dim, group->axis[i]);
}

/* A dense value, cut by what the group does not use. */
static prt_layout any_dense(int dim_count)
{
    static const int64_t segments[] = {4, 2, 6};
    prt_layout layout = {.unit = -1, .dim_count = dim_count};
    for (int d = 0; d < dim_count; d++)
        layout.dims[d] = (prt_dim){.size = 1 + below(9)};
    if (below(3) == 0)
        layout.dims[below(dim_count)] = (prt_dim){.size = 12, .segment_count = 3, .segments = segments};
    if (below(3) == 0)
        cut(&layout.dims[below(dim_count)], 2);
    if (below(3) == 0)
        cut(&layout.dims[below(dim_count)], PRT_MICRO);
    return layout;
}

static prt_layout any_unit(void)
{
    tensors[0].dims[0] = dims_of_unit[below(2)];
    tensors[0].dims[1] = 1 + below(9);
    units[0].elements = tensors[0].dims[0] * tensors[0].dims[1];
    return (prt_layout){.unit = 0, .each = PRT_ELEMENTS};
}

/* ---- The play ----------------------------------------------------------------------------------------------- */

/* The view's elements get their numbers in the whole value, the rest of the array a number of its own. */
static void number(const prt_place *place, const prt_layout *layout, float *array)
{
    prt_walk walk;
    prt_stretch stretch;
    int64_t room = prt_view_of(place, layout).room;
    assert_true(room <= ROOM);
    for (int64_t i = 0; i < room; i++)
        array[i] = UNUSED;
    prt_walk_start(&walk, place, layout);
    while (prt_walk_next(&walk, &stretch))
        for (int64_t i = 0; i < stretch.count; i++)
            array[stretch.at + i] = (float)(stretch.element + i + 1);
}

static prt_exchange any_exchange(const prt_group *group)
{
    prt_place own = any_place();
    prt_call call = {.group = (int)(group - groups), .dtype = PRT_F32, .from = 0, .into = 1};
    return prt_exchange_of(&own, &call);
}

/* What the rank at the receiver's position gets, copied, and packed and unpacked, into `copied` and `unpacked`; and how
 * many ranks gave it each element, into `givers`. */
static void receive(const prt_exchange *exchange, int64_t receiver, float *copied, float *unpacked, float *givers)
{
    static float operand[ROOM], packed[ROOM], ones[ROOM];
    for (int i = 0; i < ROOM; i++) {
        copied[i] = unpacked[i] = UNUSED;
        givers[i] = 0;
        ones[i] = 1;
    }
    for (int64_t sender = 0; sender < exchange->size; sender++) {
        prt_place place = prt_place_in_group(&exchange->own, exchange->group, sender);
        prt_overlap given = prt_exchange_between(exchange, sender, receiver);
        number(&place, exchange->from, operand);
        prt_overlap_copy(&given, sizeof(float), copied, operand);
        packed[given.elements] = UNUSED + 1;
        prt_overlap_pack(&given, sizeof(float), packed, operand);
        assert_true(packed[given.elements] == UNUSED + 1);
        prt_overlap_unpack(&given, sizeof(float), unpacked, packed);
        prt_overlap_combine(&given, givers, ones, PRT_F32, PRT_SUM);
        prt_overlap_combine_packed(&given, givers, ones, PRT_F32, PRT_SUM);
    }
}

/* How many ranks have each element in their operands, by its number. */
static void count_holders(const prt_exchange *exchange, float *holders)
{
    static float operand[ROOM];
    memset(holders, 0, ROOM * sizeof *holders);
    for (int64_t sender = 0; sender < exchange->size; sender++) {
        prt_place place = prt_place_in_group(&exchange->own, exchange->group, sender);
        int64_t room = prt_view_of(&place, exchange->from).room;
        number(&place, exchange->from, operand);
        for (int64_t i = 0; i < room; i++) {
            assert_true(operand[i] == UNUSED || operand[i] < ROOM);
            if (operand[i] != UNUSED)
                holders[(int)operand[i]]++;
        }
    }
}

/* Every rank gets its elements in their places, and touches nothing else; each from `alone` one rank, or from all that
 * have it. */
static void play(const prt_exchange *exchange, bool alone)
{
    static float expected[ROOM], copied[ROOM], unpacked[ROOM], givers[ROOM], holders[ROOM];
    count_holders(exchange, holders);
    for (int64_t receiver = 0; receiver < exchange->size; receiver++) {
        prt_place place = prt_place_in_group(&exchange->own, exchange->group, receiver);
        prt_view view = prt_view_of(&place, exchange->into);
        number(&place, exchange->into, expected);
        receive(exchange, receiver, copied, unpacked, givers);
        for (int64_t i = 0; i < view.room; i++) {
            float wanted = expected[i] == UNUSED ? 0 : alone ? 1 : holders[(int)expected[i]];
            assert_true(copied[i] == expected[i] && unpacked[i] == expected[i]);
            assert_true(givers[i] == 2 * wanted); /* each gives it twice */
        }
        for (int64_t i = view.room; i < ROOM; i++)
            assert_true(copied[i] == UNUSED && unpacked[i] == UNUSED && givers[i] == 0);
    }
}

static const prt_group *any_group(void)
{
    return &groups[below(4)];
}

static void test_pieces_are_gathered_and_scattered(void **state)
{
    (void)state;
    for (int c = 0; c < CASES; c++) {
        const prt_group *group = any_group();
        prt_layout whole = below(4) == 0 ? any_unit() : any_dense((int)below(3) + 1), piece = whole;
        if (whole.unit < 0)
            cut_by_group(&piece.dims[below(whole.dim_count)], group);
        for (int i = 0; whole.unit >= 0 && i < group->axis_count; i++)
            piece.cut[piece.cut_count++] = group->axis[i];
        layouts[0] = piece;
        layouts[1] = whole;
        prt_exchange gather = any_exchange(group);
        play(&gather, true);
        layouts[0] = whole;
        layouts[1] = piece;
        prt_exchange scatter = any_exchange(group);
        play(&scatter, scatter.size == 1);
    }
}

/* The members of a group count with its first axis outermost, in whatever order they cut a dim. */
static void test_pieces_cut_in_another_order_than_the_group(void **state)
{
    (void)state;
    for (int c = 0; c < CASES / 10; c++) {
        layouts[1] = layouts[0] = any_dense(2);
        cut_by_group(&layouts[0].dims[below(2)], &groups[2]);
        prt_exchange gather = any_exchange(&groups[3]);
        play(&gather, true);
    }
}

static void test_pieces_of_one_dim_become_pieces_of_another(void **state)
{
    (void)state;
    for (int c = 0; c < CASES; c++) {
        const prt_group *group = any_group();
        int count = (int)below(2) + 2, first = (int)below(count), second = (first + 1) % count;
        layouts[1] = layouts[0] = any_dense(count);
        cut_by_group(&layouts[0].dims[first], group);
        cut_by_group(&layouts[1].dims[second], group);
        prt_exchange turn = any_exchange(group);
        play(&turn, true);
    }
}

static void test_halos_come_from_neighbours_and_go_back(void **state)
{
    (void)state;
    for (int c = 0; c < CASES; c++) {
        const prt_group *group = &groups[below(2)];
        prt_layout plain = {.unit = -1, .dim_count = 3};
        for (int d = 0; d < 3; d++)
            plain.dims[d] = (prt_dim){.size = 6 + below(4)};
        int split = (int)below(3);
        cut_by_group(&plain.dims[split], group);
        if (below(2) == 0) { /* corners */
            plain.dims[(split + 1) % 3].halo_before = below(3);
            plain.dims[(split + 1) % 3].halo_after = below(3);
            cut(&plain.dims[(split + 1) % 3], 2);
        }
        prt_layout wide = plain;
        wide.dims[split].halo_before = below(3);
        wide.dims[split].halo_after = below(3);
        layouts[0] = plain;
        layouts[1] = wide;
        prt_exchange halo = any_exchange(group);
        play(&halo, true);
        layouts[0] = wide;
        layouts[1] = plain;
        prt_exchange back = any_exchange(group);
        play(&back, false);
    }
}

/* Nothing is taken apart that need not be. */
static void test_contiguous_pieces_are_one_block(void **state)
{
    (void)state;
    prt_block block;
    layouts[0] = (prt_layout){.unit = -1, .dim_count = 2, .dims = {{.size = 6}, {.size = 4}}};
    layouts[1] = layouts[0];
    cut(&layouts[1].dims[0], 1);
    prt_place own = {.program = &program};
    prt_call call = {.group = 1, .dtype = PRT_F64, .from = 0, .into = 1};
    prt_exchange scatter = prt_exchange_of(&own, &call);
    prt_overlap rows = prt_exchange_between(&scatter, 0, 2);
    assert_int_equal(scatter.size, 3);
    assert_int_equal(prt_exchange_operand(&scatter), 24);
    assert_int_equal(prt_exchange_result(&scatter), 8);
    assert_true(prt_overlap_is_block(&rows, &block));
    assert_int_equal(block.left, 16);
    assert_int_equal(block.right, 0);
    layouts[1].dims[0].cut_count = 0;
    cut(&layouts[1].dims[1], 0);
    call.group = 0;
    prt_exchange columns = prt_exchange_of(&own, &call);
    prt_overlap halves = prt_exchange_between(&columns, 1, 1);
    assert_int_equal(halves.elements, 12);
    assert_false(prt_overlap_is_block(&halves, &block));
}

static void test_numbers_are_combined(void **state)
{
    (void)state;
    double sum[] = {1, -2}, most[] = {1, -2};
    const double other[] = {-3, 5};
    int32_t whole = 7;
    const int32_t more = 4;
    prt_combine(sum, other, 2, PRT_F64, PRT_SUM);
    assert_true(sum[0] == -2 && sum[1] == 3);
    prt_combine(most, other, 2, PRT_F64, PRT_MAX);
    assert_true(most[0] == 1 && most[1] == 5);
    prt_combine(&whole, &more, 1, PRT_I32, PRT_SUM);
    assert_int_equal(whole, 11);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces_are_gathered_and_scattered),
        cmocka_unit_test(test_pieces_cut_in_another_order_than_the_group),
        cmocka_unit_test(test_pieces_of_one_dim_become_pieces_of_another),
        cmocka_unit_test(test_halos_come_from_neighbours_and_go_back),
        cmocka_unit_test(test_contiguous_pieces_are_one_block),
        cmocka_unit_test(test_numbers_are_combined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

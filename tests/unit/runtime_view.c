/* Where elements are on a rank (runtime/view.c), compared with an enumeration of all positions: random layouts with
 * uneven cuts over several axes and microbatches, dims smaller than what cuts them, segments, halos, padding, and units
 * of whole and of cut members, flat and by rows, columns and tensors. */
#include "runtime/view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { AXES = 3, ROOM = 4096, NOTHING = -1, CASES = 4000 };

static prt_program program = {.axis_count = AXES, .axes = {{"a", 2}, {"b", 3}, {"c", 2}}, .micro = 3};

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

static void any_cuts(prt_dim *dim, bool *used)
{
    while (dim->cut_count < PRT_MAX_CUTS && below(2) == 0) {
        int cut = (int)below(AXES + 1) - 1;
        if (used[cut + 1])
            return;
        used[cut + 1] = true;
        dim->cut[dim->cut_count++] = cut;
    }
}

/* `segments` belong to the logical dim: both layouts of a value have the same. */
static prt_dim any_dim(int64_t size, const int64_t *segments, int segment_count, bool *used)
{
    prt_dim dim = {.size = size, .segments = segments, .segment_count = segment_count};
    any_cuts(&dim, used);
    if (segment_count == 0 && below(4) == 0) {
        dim.halo_before = below(3);
        dim.halo_after = below(3);
    }
    dim.padded = segment_count == 0 && below(4) == 0;
    return dim;
}

/* ---- The enumeration ---------------------------------------------------------------------------------------- */

/* Deals `count` elements, in runs, to the parts of a cut: the first ones get one more. Keeps those of one part. */
static int64_t deal(int64_t *elements, int64_t count, int64_t parts, int64_t part)
{
    int64_t kept = 0, next = 0;
    for (int64_t p = 0; p < parts; p++)
        for (int64_t i = 0; i < count / parts + (p < count % parts ? 1 : 0); i++, next++)
            if (p == part)
                elements[kept++] = elements[next];
    return kept;
}

static int64_t deal_all(const prt_place *place, const prt_dim *dim, int64_t *elements, int64_t count)
{
    for (int i = 0; i < dim->cut_count; i++) {
        int cut = dim->cut[i];
        count = deal(elements, count, cut == PRT_MICRO ? program.micro : program.axes[cut].size,
                     cut == PRT_MICRO ? place->micro : place->coordinate[cut]);
    }
    return count;
}

/* Which logical index is at each position; the number of positions. */
static int64_t positions_of(const prt_place *place, const prt_dim *dim, int64_t *at)
{
    int64_t segments[] = {dim->size}, count = 0, begin = 0, start = 0;
    bool fused = dim->segment_count > 0;
    for (int s = 0; s < (fused ? dim->segment_count : 1); s++) {
        int64_t length = fused ? dim->segments[s] : segments[0], part[64];
        for (int64_t i = 0; i < length; i++)
            part[i] = begin + i;
        int64_t kept = deal_all(place, dim, part, length);
        memcpy(at + dim->halo_before + count, part, sizeof *part * (size_t)kept);
        start = kept > 0 && s == 0 ? part[0] : start;
        if (kept == 0 && !fused) { /* an empty piece begins where the one before it ends */
            prt_range piece = {0, length};
            for (int i = 0; i < dim->cut_count; i++)
                piece = prt_cut_again(piece, dim->cut[i] == PRT_MICRO ? program.micro : program.axes[dim->cut[i]].size,
                                      dim->cut[i] == PRT_MICRO ? place->micro : place->coordinate[dim->cut[i]]);
            start = piece.start;
        }
        count += kept;
        begin += length;
    }
    for (int64_t i = 0; i < dim->halo_before; i++)
        at[i] = start - dim->halo_before + i;
    for (int64_t i = 0; i < dim->halo_after; i++)
        at[dim->halo_before + count + i] = start + count + i;
    int64_t room = dim->halo_before + count + dim->halo_after;
    if (dim->padded) {
        int64_t all[64];
        for (int64_t i = 0; i < dim->size; i++)
            all[i] = i;
        prt_place first = {.program = &program};
        int64_t largest = deal_all(&first, dim, all, dim->size) + dim->halo_before + dim->halo_after;
        for (; room < largest; room++)
            at[room] = NOTHING;
    }
    for (int64_t i = 0; i < room; i++)
        at[i] = at[i] < 0 || at[i] >= dim->size ? NOTHING : at[i];
    return room;
}

/* The logical element, row-major, at each position of a dense value; the number of positions. */
static int64_t elements_of(const prt_place *place, const prt_dim *dims, int dim_count, int64_t *at)
{
    int64_t room = 1;
    at[0] = 0;
    for (int d = 0; d < dim_count; d++) {
        int64_t here[128], outer[ROOM], length = positions_of(place, &dims[d], here);
        memcpy(outer, at, sizeof *at * (size_t)room);
        assert_true(room * length <= ROOM);
        for (int64_t i = 0; i < room; i++)
            for (int64_t j = 0; j < length; j++)
                at[i * length + j] =
                    outer[i] == NOTHING || here[j] == NOTHING ? NOTHING : outer[i] * dims[d].size + here[j];
        room *= length;
    }
    return room;
}

/* ---- Dense values ------------------------------------------------------------------------------------------- */

/* Everything the walk visits is where the enumeration says, and nothing is left out or visited twice. `at` holds
 * logical elements; of a unit, with the member times ROOM added. */
static void check_walk(const prt_place *place, const prt_layout *layout, const int64_t *at, int64_t room)
{
    bool seen[ROOM] = {false};
    prt_walk walk;
    prt_stretch stretch;
    prt_walk_start(&walk, place, layout);
    while (prt_walk_next(&walk, &stretch))
        for (int64_t i = 0; i < stretch.count; i++) {
            int64_t position = stretch.at + i, member = stretch.member < 0 ? 0 : stretch.member;
            assert_true(position >= 0 && position < room);
            assert_false(seen[position]);
            assert_int_equal(at[position], member * ROOM + stretch.element + i);
            seen[position] = true;
        }
    for (int64_t i = 0; i < room; i++)
        assert_int_equal(seen[i], at[i] != NOTHING);
}

/* The blocks of an overlap name the pairs of positions with the same element, each once. */
static void check_overlap(const prt_view *left, const int64_t *left_at, const prt_view *right, const int64_t *right_at)
{
    prt_overlap overlap = prt_overlap_of(left, right);
    prt_block block;
    int64_t counted = 0, expected = 0;
    bool seen[ROOM] = {false};
    for (prt_blocks blocks = prt_blocks_of(&overlap); prt_blocks_next(&blocks, &block);)
        for (int64_t row = 0; row < block.rows; row++)
            for (int64_t i = 0; i < block.count; i++, counted++) {
                int64_t l = block.left + row * block.left_step + i, r = block.right + row * block.right_step + i;
                assert_true(l >= 0 && l < left->room && r >= 0 && r < right->room && !seen[l]);
                assert_true(left_at[l] != NOTHING && left_at[l] == right_at[r]);
                seen[l] = true;
            }
    for (int64_t l = 0; l < left->room; l++)
        for (int64_t r = 0; r < right->room && left_at[l] != NOTHING; r++)
            expected += left_at[l] == right_at[r];
    assert_int_equal(counted, expected);
    assert_int_equal(overlap.elements, expected);
}

static void test_dense(void **state)
{
    (void)state;
    static const int64_t segments[] = {3, 1, 5};
    for (int c = 0; c < CASES; c++) {
        prt_layout layouts[2] = {{.unit = -1}, {.unit = -1}};
        int dim_count = (int)below(4);
        bool used[2][AXES + 1] = {{false}};
        for (int d = 0; d < dim_count; d++) {
            bool fused = below(5) == 0;
            int64_t size = fused ? 9 : 1 + below(9);
            for (int side = 0; side < 2; side++)
                layouts[side].dims[layouts[side].dim_count++] =
                    any_dim(size, fused ? segments : NULL, fused ? 3 : 0, used[side]);
        }
        static int64_t at[2][ROOM];
        prt_view views[2];
        for (int side = 0; side < 2; side++) {
            prt_place place = any_place();
            int64_t room = elements_of(&place, layouts[side].dims, dim_count, at[side]);
            views[side] = prt_view_of(&place, &layouts[side]);
            assert_int_equal(views[side].room, room);
            check_walk(&place, &layouts[side], at[side], room);
        }
        check_overlap(&views[0], at[0], &views[1], at[1]);
    }
}

/* Blocks that are contiguous in both views are one: nothing is copied row by row that need not be. */
static void test_contiguous_pieces_are_one_block(void **state)
{
    (void)state;
    prt_layout whole = {.unit = -1, .dim_count = 3, .dims = {{.size = 6}, {.size = 4}, {.size = 5}}}, piece = whole;
    piece.dims[0].cut_count = 1;
    piece.dims[0].cut[0] = 1;
    prt_place place = {.program = &program, .coordinate = {0, 2, 0}};
    prt_view left = prt_view_of(&place, &whole), right = prt_view_of(&place, &piece);
    prt_overlap overlap = prt_overlap_of(&left, &right);
    prt_blocks blocks = prt_blocks_of(&overlap);
    prt_block block;
    assert_true(prt_blocks_next(&blocks, &block));
    assert_int_equal(block.left, 80);
    assert_int_equal(block.right, 0);
    assert_int_equal(block.count, 40);
    assert_int_equal(block.rows, 1);
    assert_false(prt_blocks_next(&blocks, &block));
}

/* ---- Units -------------------------------------------------------------------------------------------------- */

enum { MEMBERS = 3 };

static prt_tensor tensors[MEMBERS];
static prt_member members[MEMBERS];
static prt_dim member_dims[MEMBERS][PRT_MAX_DIMS];
static prt_unit unit = {.name = "block", .member_count = MEMBERS, .members = members};

/* The dims that a number per row, column or tensor has. */
static int counted_dims(prt_each each, int dim_count, int *first)
{
    *first = each == PRT_COLUMNS && dim_count > 0 ? dim_count - 1 : 0;
    return each == PRT_ELEMENTS  ? dim_count
           : each == PRT_ROWS    ? (dim_count > 0 ? dim_count - 1 : 0)
           : each == PRT_COLUMNS ? dim_count > 0
                                 : 0;
}

static void any_unit(void)
{
    unit.elements = 0;
    bool cut = below(2) == 0;
    for (int m = 0; m < MEMBERS; m++) {
        tensors[m] = (prt_tensor){.name = "x", .layers = 1, .dim_count = (int)below(4)};
        members[m] = (prt_member){.tensor = m, .offset = unit.elements, .dims = cut ? member_dims[m] : NULL};
        bool used[AXES + 1] = {true, false, true, true}; /* axis 0 cuts, the others are for the flat range */
        int64_t elements = 1, ignored[ROOM];
        for (int d = 0; d < tensors[m].dim_count; d++) {
            tensors[m].dims[d] = 1 + below(5);
            member_dims[m][d] = (prt_dim){.size = tensors[m].dims[d]};
            if (cut && !used[1] && below(2) == 0) {
                used[1] = true;
                member_dims[m][d].cut_count = 1;
            }
            prt_place first = {.program = &program};
            elements *= positions_of(&first, &member_dims[m][d], ignored);
        }
        unit.elements += elements;
    }
}

/* The numbers of the unit on a rank, one after another, each with the member times ROOM added. */
static int64_t numbers_of(const prt_place *place, prt_each each, int64_t *numbers)
{
    int64_t total = 0, at[ROOM];
    prt_place origin = {.program = &program};
    for (int m = 0; m < MEMBERS; m++) {
        int first, count = counted_dims(each, tensors[m].dim_count, &first);
        int64_t room = elements_of(&origin, member_dims[m] + first, count, at);
        int64_t mine = elements_of(place, member_dims[m] + first, count, at);
        for (int64_t i = 0; i < room; i++)
            numbers[total + i] = i < mine && at[i] != NOTHING ? m * ROOM + at[i] : NOTHING;
        total += room;
    }
    return total;
}

static void test_units(void **state)
{
    (void)state;
    program.units = &unit;
    program.unit_count = 1;
    program.tensors = tensors;
    program.tensor_count = MEMBERS;
    for (int c = 0; c < CASES; c++) {
        any_unit();
        static const prt_each eaches[] = {PRT_ELEMENTS, PRT_ROWS, PRT_COLUMNS, PRT_TENSORS};
        prt_layout layout = {.unit = 0, .each = eaches[below(4)]};
        static const int cuts[] = {1, 2, 1};
        layout.cut_count = layout.each == PRT_ELEMENTS ? (int)below(3) : 0;
        memcpy(layout.cut, cuts + below(2), 2 * sizeof *cuts);
        prt_place place = any_place();
        static int64_t numbers[ROOM], piece[ROOM];
        int64_t total = numbers_of(&place, layout.each, numbers), count = 1, index = 0;
        for (int i = 0; i < layout.cut_count; i++) {
            count *= program.axes[layout.cut[i]].size;
            index = index * program.axes[layout.cut[i]].size + place.coordinate[layout.cut[i]];
        }
        int64_t room = (total + count - 1) / count;
        for (int64_t i = 0; i < room; i++)
            piece[i] = index * room + i < total ? numbers[index * room + i] : NOTHING;
        assert_int_equal(prt_view_of(&place, &layout).room, room);
        assert_int_equal(prt_unit_elements(&program, 0, layout.each), total);
        check_walk(&place, &layout, piece, room);
    }
}

/* ---- Places ------------------------------------------------------------------------------------------------- */

static void test_places(void **state)
{
    (void)state;
    static const prt_group group = {2, {2, 1}};
    prt_place place = {.program = &program, .coordinate = {1, 2, 0}, .micro = 2};
    assert_int_equal(prt_place_rank(&place), 1 * 6 + 2 * 2 + 0);
    for (int64_t position = 0; position < 6; position++) {
        prt_place other = prt_place_in_group(&place, &group, position);
        assert_int_equal(other.coordinate[0], 1);
        assert_int_equal(other.coordinate[1], position % 3);
        assert_int_equal(other.coordinate[2], position / 3);
        assert_int_equal(other.micro, 2);
    }
    assert_int_equal(prt_place_on_axis(&place, 0, 0).coordinate[0], 0);
    assert_int_equal(prt_place_on_axis(&place, 0, 0).coordinate[1], 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dense),
        cmocka_unit_test(test_contiguous_pieces_are_one_block),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

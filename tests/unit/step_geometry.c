/* What verifier and deriver share of geometry, against definitions that count: elements are dealt out, written down and
 * looked up one by one. docs/semantics.md 8.8 names these functions; the verifier takes them as they are. */
#include "step/step.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 64 };

/* Elements, in their order. */
typedef struct Elements {
    int count;
    int64_t at[MOST];
} Elements;

static Elements elements_from(int64_t first, int64_t count)
{
    Elements elements = {0};
    for (int64_t i = 0; i < count; i++)
        elements.at[elements.count++] = first + i;
    return elements;
}

/* What rank `index` of `count` has: one after another takes one more until none is left; then everyone takes its number
 * of them from the front, in the order of the ranks. */
static Elements dealt(Elements all, int64_t count, int64_t index)
{
    int64_t have[MOST] = {0};
    Elements own = {0};
    for (int i = 0; i < all.count; i++)
        have[i % count]++;
    int taken = 0;
    for (int64_t rank = 0; rank < count; rank++)
        for (int64_t i = 0; i < have[rank]; i++, taken++)
            if (rank == index)
                own.at[own.count++] = all.at[taken];
    return own;
}

static void test_balanced_cuts(void **state)
{
    (void)state;
    for (int64_t length = 0; length <= 40; length++)
        for (int64_t count = 1; count <= 12; count++)
            for (int64_t index = 0; index < count; index++) {
                int64_t start, extent;
                cut_balanced(length, count, index, &start, &extent);
                Elements own = dealt(elements_from(0, length), count, index);
                assert_int_equal(extent, own.count);
                if (extent > 0)
                    assert_int_equal(start, own.at[0]);
                assert_true(start >= 0 && start + extent <= length); /* of nothing too */
            }
}

typedef struct Mesh {
    Arena *arena;
    Decls decls;
} Mesh;

static Mesh mesh_new(int64_t a, int64_t b, int64_t micro)
{
    Mesh mesh = {.arena = arena_new()};
    vec_push(mesh.arena, &mesh.decls.axes, (Axis){.name = "a", .size = a});
    vec_push(mesh.arena, &mesh.decls.axes, (Axis){.name = "b", .size = b});
    mesh.decls.micro = micro;
    return mesh;
}

/* The rank's elements of a dim: of each segment its piece, cut after cut. */
static Elements owned(const Decls *decls, const Dim *dim, const int64_t *coordinate, int64_t micro)
{
    static const Segments none = {0};
    const Segments *segments = dim->segments != NULL && dim->cut_count > 0 ? dim->segments : &none;
    Elements all = {0};
    int64_t first = 0;
    for (int s = 0; s < (segments->count > 0 ? segments->count : 1); s++) {
        int64_t size = segments->count > 0 ? segments->size[s] : dim->size;
        Elements piece = elements_from(first, size);
        for (int i = 0; i < dim->cut_count; i++)
            piece = dim->cut[i] == CUT_MICRO
                        ? dealt(piece, decls->micro, micro)
                        : dealt(piece, decls->axes.data[dim->cut[i]].size, coordinate[dim->cut[i]]);
        for (int i = 0; i < piece.count; i++)
            all.at[all.count++] = piece.at[i];
        first += size;
    }
    return all;
}

/* On every rank, in every microbatch; the largest is dim_max_extent. */
static void check_dim(const Decls *decls, const Dim *dim)
{
    int64_t coordinate[STEP_MAX_AXES] = {0}, most = 0;
    bool micro = memchr(dim->cut, CUT_MICRO, (size_t)dim->cut_count) != NULL;
    for (coordinate[0] = 0; coordinate[0] < decls->axes.data[0].size; coordinate[0]++)
        for (coordinate[1] = 0; coordinate[1] < decls->axes.data[1].size; coordinate[1]++)
            for (int64_t k = 0; k < (micro ? decls->micro : 1); k++) {
                Elements own = owned(decls, dim, coordinate, k);
                int64_t start, extent = dim_extent(decls, dim, coordinate, k, &start);
                if (own.count > 0)
                    assert_int_equal(start, own.at[0] - dim->halo_before);
                if (!dim->padded)
                    assert_int_equal(extent, own.count + dim->halo_before + dim->halo_after);
                most = own.count > most ? own.count : most;
            }
    assert_int_equal(dim_max_extent(decls, dim), most + dim->halo_before + dim->halo_after);
    for (coordinate[0] = 0; coordinate[0] < decls->axes.data[0].size && dim->padded; coordinate[0]++)
        assert_int_equal(dim_extent(decls, dim, coordinate, 0, NULL), most);
}

static void test_dims(void **state)
{
    (void)state;
    static const int8_t cuts[][3] = {{0}, {1}, {CUT_MICRO}, {0, 1}, {1, 0}, {CUT_MICRO, 0}, {CUT_MICRO, 1, 0}};
    static const int counts[] = {1, 1, 1, 2, 2, 2, 3};
    for (int64_t a = 1; a <= 4; a++)
        for (int64_t b = 1; b <= 3; b++)
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
                for (int64_t size = 1; size <= 17; size++) {
                    Mesh mesh = mesh_new(a, b, 3);
                    bool micro = cuts[c][0] == CUT_MICRO;
                    Segments segments = {2, {(size + 1) / 2, size - (size + 1) / 2}};
                    Dim dim = {.size = size, .cut_count = counts[c]};
                    memcpy(dim.cut, cuts[c], 3);
                    check_dim(&mesh.decls, &dim);
                    dim.halo_before = 2, dim.halo_after = 1;
                    check_dim(&mesh.decls, &dim);
                    dim.halo_before = dim.halo_after = 0;
                    dim.padded = !micro;
                    check_dim(&mesh.decls, &dim);
                    dim.padded = false;
                    dim.segments = micro || size == 1 ? NULL : &segments;
                    check_dim(&mesh.decls, &dim);
                    arena_free(mesh.arena);
                }
}

/* The numbers of one kind that a member has: every one is named by the indices that it is one of. */
static int64_t count_numbers(Each each, const int64_t *size, int dims)
{
    char seen[MOST][16] = {{0}};
    int64_t count = 0, index[STEP_MAX_DIMS] = {0};
    for (bool more = true; more;) {
        char name[16] = "";
        for (int d = 0; d < dims; d++) {
            bool row = d < dims - 1,
                 named = each == EACH_ELEMENT || (each == EACH_ROW && row) || (each == EACH_COLUMN && !row);
            name[2 * d] = named ? (char)('a' + index[d]) : '-';
            name[2 * d + 1] = ' ';
        }
        int64_t known = 0;
        while (known < count && strcmp(seen[known], name) != 0)
            known++;
        if (known == count)
            memcpy(seen[count++], name, sizeof name);
        int d = dims - 1;
        while (d >= 0 && ++index[d] == size[d])
            index[d--] = 0;
        more = d >= 0;
    }
    return count;
}

static void add_tensor(Mesh *mesh, Unit *unit, int dims, const int64_t *size, const int8_t *cut)
{
    Tensor tensor = {.dim_count = dims};
    memcpy(tensor.dims, size, sizeof(*size) * (size_t)dims);
    vec_push(mesh->arena, &mesh->decls.tensors, tensor);
    int position = unit->member_count++;
    unit->members[position] = mesh->decls.tensors.count - 1;
    for (int d = 0; d < dims; d++) {
        Dim *dim = &unit->member_dims[position * STEP_MAX_DIMS + d];
        *dim = (Dim){.size = size[d], .cut_count = cut[d] >= 0};
        dim->cut[0] = cut[d];
    }
}

/* Where the numbers of each member begin, and how many a slot has room for, in units whose members are cut or not. */
static void test_units(void **state)
{
    (void)state;
    static const int64_t sizes[][3] = {{3, 4}, {5}, {2, 3, 2}, {1}, {4, 1}};
    static const int dims[] = {2, 1, 3, 1, 2};
    static const int8_t cuts[][3] = {{-1, -1, -1}, {0, -1, -1}, {-1, 1, -1}};
    for (size_t c = 0; c < sizeof cuts / sizeof *cuts; c++)
        for (int64_t flat = 1; flat <= 5; flat++) {
            Mesh mesh = mesh_new(2, flat, 1);
            Unit unit = {.members = arena_array(mesh.arena, int, 5),
                         .member_dims = arena_array(mesh.arena, Dim, 5 * STEP_MAX_DIMS),
                         .offsets = arena_array(mesh.arena, int64_t, 5)};
            int64_t largest[5][3];
            for (int i = 0; i < 5; i++) {
                add_tensor(&mesh, &unit, dims[i], sizes[i], cuts[c]);
                for (int d = 0; d < dims[i]; d++) {
                    int64_t parts = cuts[c][d] >= 0 ? mesh.decls.axes.data[cuts[c][d]].size : 1;
                    largest[i][d] = dealt(elements_from(0, sizes[i][d]), parts, 0).count;
                }
            }
            unit_lay_out(&mesh.decls, &unit);
            vec_push(mesh.arena, &mesh.decls.units, unit);
            for (Each each = EACH_ELEMENT; each <= EACH_TENSOR; each++) {
                int64_t begin = 0;
                for (int i = 0; i < 5; i++) {
                    assert_int_equal(unit_each_offset(&mesh.decls, &unit, each, i), begin);
                    if (each == EACH_ELEMENT)
                        assert_int_equal(unit_offset(&unit, unit.members[i]), begin);
                    begin += count_numbers(each, largest[i], dims[i]);
                }
                assert_int_equal(unit_each_elements(&mesh.decls, &unit, each), begin);
                Buffer buffer = {.layout = LAYOUT_UNIT, .each = each};
                assert_int_equal(buffer_slot_elements(&mesh.decls, &buffer), begin);
                buffer.cut_count = 1, buffer.cut[0] = 1;
                int64_t room = 0; /* the least that holds them all in equal ranges */
                while (room * flat < begin)
                    room++;
                assert_int_equal(buffer_slot_elements(&mesh.decls, &buffer), room);
                buffer.dtype = DTYPE_BF16, buffer.slots = 3;
                assert_int_equal(buffer_slot_bytes(&mesh.decls, &buffer), 2 * room);
                assert_int_equal(buffer_data_bytes(&mesh.decls, &buffer), 6 * room);
            }
            arena_free(mesh.arena);
        }
}

/* A member counts what the largest rank has of it. */
static void test_references(void **state)
{
    (void)state;
    Mesh mesh = mesh_new(2, 3, 1);
    Unit unit = {.members = arena_array(mesh.arena, int, 2),
                 .member_dims = arena_array(mesh.arena, Dim, 2 * STEP_MAX_DIMS),
                 .offsets = arena_array(mesh.arena, int64_t, 2)};
    static const int64_t sizes[][3] = {{3, 4}, {5}};
    static const int8_t over_a[] = {0, -1}, over_b[] = {1};
    add_tensor(&mesh, &unit, 2, sizes[0], over_a);
    add_tensor(&mesh, &unit, 1, sizes[1], over_b);
    unit_lay_out(&mesh.decls, &unit);
    vec_push(mesh.arena, &mesh.decls.units, unit);
    Program program = {.decls = &mesh.decls};
    vec_push(mesh.arena, &program.buffers, ((Buffer){.layout = LAYOUT_UNIT, .dtype = DTYPE_F32, .slots = 2}));
    assert_int_equal(ref_bytes(&program, &(Ref){.member = -1}), 4 * 10);
    assert_int_equal(ref_bytes(&program, &(Ref){.member = unit.members[0]}), 4 * 8);
    assert_int_equal(ref_bytes(&program, &(Ref){.member = unit.members[1]}), 4 * 2);
    program.buffers.data[0].each = EACH_ROW; /* the second has one dim: one number for all of it */
    assert_int_equal(ref_bytes(&program, &(Ref){.member = unit.members[0]}), 4 * 2);
    assert_int_equal(ref_bytes(&program, &(Ref){.member = unit.members[1]}), 4 * 1);
    program.buffers.data[0].each = EACH_ELEMENT;
    program.buffers.data[0].cut_count = 1;
    program.buffers.data[0].cut[0] = 1;
    assert_int_equal(ref_bytes(&program, &(Ref){.member = -1}), 4 * 4);
    arena_free(mesh.arena);
}

/* Places are tried one by one: a window is within the rows and the zeros around them. */
static void test_windows(void **state)
{
    (void)state;
    for (int64_t input = 1; input <= 12; input++)
        for (int64_t window = 1; window <= 14; window++)
            for (int64_t stride = 1; stride <= 4; stride++)
                for (int64_t pad = 0; pad <= 3; pad++) {
                    int64_t places = 0;
                    for (int64_t begin = -pad; begin + window <= input + pad; begin += stride)
                        places++;
                    assert_int_equal(window_places(input, window, stride, pad), places);
                }
}

static void test_segments(void **state)
{
    (void)state;
    const Segments segments = {4, {4, 2, 2, 3}}, same = segments, other = {4, {4, 2, 3, 2}}, fewer = {3, {4, 2, 2}};
    int64_t begin = 0;
    for (int64_t first = 0; first <= 12; first++)
        for (int64_t size = 0; size <= 12; size++) {
            int found = -1;
            begin = 0;
            for (int i = 0; i < segments.count; begin += segments.size[i++])
                found = begin == first && segments.size[i] == size ? i : found;
            assert_int_equal(segment_find(&segments, first, size), found);
        }
    assert_int_equal(segment_find(NULL, 0, 4), -1);
    assert_true(segments_equal(&segments, &same) && segments_equal(NULL, NULL));
    assert_false(segments_equal(&segments, &other) || segments_equal(&segments, &fewer));
    assert_false(segments_equal(&segments, NULL) || segments_equal(NULL, &segments));
}

/* Members begin at multiples, the unit ends at one: what is between is computed from their sizes alone. */
static void test_aligned_units(void **state)
{
    (void)state;
    static const int64_t sizes[] = {16384, 7, 64, 16384 * 3, 1};
    enum { COUNT = sizeof sizes / sizeof *sizes };
    Arena *arena = arena_new();
    Decls decls = {0};
    int members[COUNT];
    int64_t offsets[COUNT], held = 0, begin = 0;
    for (int i = 0; i < COUNT; i++) {
        vec_push(arena, &decls.tensors, ((Tensor){.dim_count = 1, .dims = {sizes[i]}}));
        members[i] = i;
        held += sizes[i];
    }
    for (int64_t parts = 1; parts <= 16384; parts *= 2) {
        Unit unit = {
            .member_count = COUNT, .members = members, .offsets = offsets, .aligned = 64, .multiple = 64 * parts};
        unit_lay_out(&decls, &unit);
        begin = 0;
        for (int i = 0; i < COUNT; i++) {
            assert_int_equal(offsets[i], begin);
            begin += (sizes[i] + 63) / 64 * 64;
        }
        assert_int_equal(unit.held, held);
        assert_int_equal(unit.elements % (64 * parts), 0);
        assert_true(unit.elements >= begin && unit.elements - begin < 64 * parts);
        assert_true(unit_is_padded(&unit));
    }
    Unit plain = {.member_count = COUNT, .members = members, .offsets = offsets};
    unit_lay_out(&decls, &plain);
    assert_int_equal(plain.elements, held);
    assert_false(unit_is_padded(&plain));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_aligned_units), cmocka_unit_test(test_balanced_cuts), cmocka_unit_test(test_dims),
        cmocka_unit_test(test_units),         cmocka_unit_test(test_references),    cmocka_unit_test(test_windows),
        cmocka_unit_test(test_segments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

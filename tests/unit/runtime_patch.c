/* The patches of a unit (runtime/patches.c) against an enumeration: random units of tensors of no to three dims, some
 * of them cut by dims, flat ranges cut over none to two axes, every rank. Each number of the slot is in one patch, and
 * belongs to the row, column and tensor that the patch says. */
#include "runtime/run.h"
#include "runtime/view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CASES = 500, MEMBERS = 4, ROOM = 2048 };

static uint64_t random_state = 3;

static int64_t below(int64_t bound)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)(random_state >> 33) % bound;
}

/* What a patch should say of a position of the slot; `tensor` -1: padding. */
typedef struct Number {
    int64_t row, column, tensor;
} Number;

typedef struct Case {
    prt_tensor tensors[MEMBERS];
    prt_dim dims[MEMBERS][PRT_MAX_DIMS];
    prt_member members[MEMBERS];
    prt_unit unit;
    prt_layout layout;
    prt_program program;
    prt_run run;
} Case;

/* The length of this rank's piece of a dim, or of the largest. */
static int64_t length_of(const Case *c, const prt_dim *dim, bool largest)
{
    int64_t place = largest || dim->cut_count == 0 ? 0 : c->run.ctx.coordinate[dim->cut[0]];
    return dim->cut_count == 0 ? dim->size : prt_cut(dim->size, c->program.axes[dim->cut[0]].size, place).extent;
}

static void draw_unit(Case *c)
{
    *c = (Case){.program = {.axis_count = 3, .axes = {{"a", 1 + below(3)}, {"b", 1 + below(3)}, {"t", 2}}}};
    bool by_dims = below(2) == 0;
    c->unit = (prt_unit){.name = "unit", .members = c->members, .member_count = 1 + (int)below(MEMBERS)};
    for (int m = 0; m < c->unit.member_count; m++) {
        prt_tensor *tensor = &c->tensors[m];
        tensor->dim_count = (int)below(4);
        c->members[m] = (prt_member){.tensor = m, .offset = c->unit.elements, .dims = by_dims ? c->dims[m] : NULL};
        int64_t elements = 1;
        for (int d = 0; d < tensor->dim_count; d++) {
            c->dims[m][d].size = tensor->dims[d] = 1 + below(6);
            c->dims[m][d].cut_count = by_dims && below(2) == 0;
            c->dims[m][d].cut[0] = 2;
            elements *= length_of(c, &c->dims[m][d], true);
        }
        c->unit.elements += elements;
    }
    c->layout.cut_count = (int)below(3);
    c->layout.cut[1] = 1;
    c->program.tensors = c->tensors;
    c->program.units = &c->unit;
    c->program.layouts = &c->layout;
    c->run.program = &c->program;
    c->run.ctx.run = &c->run;
}

/* What every position of the whole unit is on this rank. */
static void enumerate(const Case *c, Number *numbers)
{
    int64_t rows = 0, columns = 0;
    for (int64_t i = 0; i < ROOM; i++)
        numbers[i].tensor = -1;
    for (int m = 0; m < c->unit.member_count; m++) {
        int64_t own[2] = {1, 1}, most[2] = {1, 1}; /* rows, columns */
        int last = c->tensors[m].dim_count - 1;
        for (int d = 0; d <= last; d++) {
            own[d == last] *= length_of(c, &c->dims[m][d], false);
            most[d == last] *= length_of(c, &c->dims[m][d], true);
        }
        for (int64_t i = 0; i < own[0] * own[1]; i++)
            numbers[c->members[m].offset + i] = (Number){rows + i / own[1], columns + i % own[1], m};
        rows += most[0];
        columns += most[1];
    }
}

/* Visits the patches, and marks what they cover; every number must be as enumerated. */
static void visit(Case *c, bool in_rows, const Number *slot, int64_t room, bool *seen)
{
    for (prt_patch patch = {0}; prt_next_patch(&c->run.ctx, 0, in_rows, &patch);)
        for (int64_t r = 0; r < patch.rows; r++)
            for (int64_t k = 0; k < patch.columns; k++) {
                int64_t at = patch.element + r * patch.columns + k;
                assert_true(at >= 0 && at < room && !seen[at]);
                seen[at] = true;
                assert_true(slot[at].tensor == patch.tensor);
                if (in_rows)
                    assert_true(slot[at].row == patch.row + r && slot[at].column == patch.column + k);
            }
}

static void test_patches(void **state)
{
    (void)state;
    static Case c;
    static Number numbers[ROOM];
    for (int i = 0; i < CASES; i++) {
        draw_unit(&c);
        int64_t parts = 1, place = 0;
        for (int axis = 0; axis < 3; axis++)
            c.run.ctx.coordinate[axis] = below(c.program.axes[axis].size);
        for (int cut = 0; cut < c.layout.cut_count; cut++) {
            parts *= c.program.axes[c.layout.cut[cut]].size;
            place = place * c.program.axes[c.layout.cut[cut]].size + c.run.ctx.coordinate[c.layout.cut[cut]];
        }
        enumerate(&c, numbers);
        prt_range piece = prt_cut_flat(c.unit.elements, parts, place);
        for (int in_rows = 0; in_rows < 2; in_rows++) {
            bool seen[ROOM] = {0};
            visit(&c, in_rows, &numbers[piece.start], piece.extent, seen);
            for (int64_t at = 0; at < piece.extent; at++)
                assert_true(seen[at] == (numbers[piece.start + at].tensor >= 0));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_patches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

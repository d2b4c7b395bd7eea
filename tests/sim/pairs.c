/* pairs.c - all pairs of cells that the verifier takes for equal, compared element by element where they are run.
 *
 *     pairs [--count N] [--seed N] [--first N] [--print INDEX]
 *
 * The programs are random, of one routine (straight_text.h). What cannot be run is left out. Two cells that are equal
 * hold slices of one thing: every element that a rank has in both must be the same number, in a field where every
 * nonlinear function is another. The exit status is 1 where some differ, or where none was compared.
 */
#include "tests/sim/equal_cells.h"
#include "tests/sim/machine.h"
#include "tests/sim/stop.h"
#include "tests/sim/straight_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 10, DRAWS = 2 };

typedef struct Pairs {
    SimPool *pool;
    const SimFile *file;
    SimMachine *machine;
    int64_t programs, left_out, cells, equal, elements, different;
    bool found; /* a difference in this program */
    char why[256];
} Pairs;

/* The slot on a rank. What is the same in all microbatches is looked at as far as the shortest one goes. */
static SimView view_of(Pairs *pairs, const EqualCell *cell, int rank)
{
    pairs->machine->ranks[rank].micro = cell->micro >= 0 ? cell->micro : pairs->file->micro - 1;
    return sim_machine_view(pairs->machine, rank, cell->buffer, cell->slot);
}

/* Which element of its array number `index` of the slot is; false where it is of another member, or none. */
static bool element_at(Pairs *pairs, const EqualCell *cell, int rank, const SimView *view, int64_t index,
                       int64_t *element)
{
    int tensor;
    int64_t layer, rest = index;
    for (int d = view->dim_count - 1; d >= 0 && !view->unit; rest /= view->extents[d--]) {
        int64_t place = sim_place(view, d, rest % view->extents[d]);
        if (place < 0 || place >= view->dims[d].size)
            return false; /* of a halo, outside the whole */
    }
    if (!sim_view_element(pairs->machine, rank, view, index, 0, &tensor, &layer, element))
        return false;
    return cell->member < 0 || tensor == view->unit->members[cell->member];
}

static bool is_there(Pairs *pairs, const EqualCell *cell, int rank)
{
    const SimBuffer *buffer = &pairs->machine->program->buffers[cell->buffer];
    for (int a = 0; a < pairs->file->axis_count && a < EQUAL_AXES; a++)
        if (cell->is_enumerated[a] && pairs->machine->ranks[rank].coordinates[a] != cell->coordinates[a])
            return false;
    return sim_is_held(pairs->machine, rank, buffer);
}

static void note(Pairs *pairs, const EqualCell *a, const EqualCell *b, int rank, int64_t element)
{
    const SimBuffer *buffers = pairs->machine->program->buffers;
    pairs->different++;
    if (pairs->found)
        return;
    pairs->found = true;
    snprintf(pairs->why, sizeof pairs->why, "'%s' and '%s' differ on rank %d in element %" PRId64,
             buffers[a->buffer].name, buffers[b->buffer].name, rank, element);
}

static void compare_on(Pairs *pairs, const EqualCell *a, const EqualCell *b, int rank)
{
    SimView left = view_of(pairs, a, rank), right = view_of(pairs, b, rank);
    int64_t element, other;
    for (int64_t i = 0; i < left.elements && !pairs->found; i++) {
        if (!element_at(pairs, a, rank, &left, i, &element))
            continue;
        for (int64_t j = 0; j < right.elements; j++) {
            if (!element_at(pairs, b, rank, &right, j, &other) || element != other)
                continue;
            int64_t at = sim_view_offset(&left, i), there = sim_view_offset(&right, j);
            pairs->elements++;
            if (sim_is_unwritten(&left, at) || sim_is_unwritten(&right, there) ||
                !sim_equal(left.data[at].value, right.data[there].value, 0))
                note(pairs, a, b, rank, element);
            break;
        }
    }
}

/* Other ranks' pieces: only where both lie alike does the same element mean the same. */
static bool lie_alike(Pairs *pairs, const EqualCell *a, const EqualCell *b)
{
    const SimBuffer *left = &pairs->machine->program->buffers[a->buffer];
    const SimBuffer *right = &pairs->machine->program->buffers[b->buffer];
    bool alike = left->unit == right->unit && a->member == b->member && left->dim_count == right->dim_count &&
                 left->cut_count == right->cut_count;
    for (int r = 0; alike && left->unit >= 0 && r < pairs->machine->rank_count; r++) {
        SimView view = view_of(pairs, a, r);
        alike = view.valid == view.elements; /* else somebody's padding is among it */
    }
    for (int c = 0; alike && c < left->cut_count; c++)
        alike = left->cuts[c] == right->cuts[c];
    for (int d = 0; alike && d < left->dim_count; d++) {
        alike = left->dims[d].size == right->dims[d].size && left->dims[d].cut_count == right->dims[d].cut_count &&
                left->dims[d].before == right->dims[d].before && left->dims[d].after == right->dims[d].after &&
                left->dims[d].segment_count == right->dims[d].segment_count;
        for (int c = 0; alike && c < left->dims[d].cut_count; c++)
            alike = left->dims[d].cuts[c] == right->dims[d].cuts[c];
    }
    return alike;
}

static void compare_cells(void *user, const EqualCell *a, const EqualCell *b)
{
    Pairs *pairs = user;
    if (a->turned && !lie_alike(pairs, a, b))
        return;
    pairs->equal++;
    for (int r = 0; r < pairs->machine->rank_count; r++)
        if (is_there(pairs, a, r) && is_there(pairs, b, r))
            compare_on(pairs, a, b, r);
}

/* False where it cannot be run. */
static bool run_program(Pairs *pairs, const char *text, uint64_t draw)
{
    char message[256];
    sim_arithmetic = SIM_FIELD;
    pairs->file = sim_read(pairs->pool, text, message, sizeof message);
    if (!pairs->file) {
        snprintf(pairs->why, sizeof pairs->why, "%s", message);
        return false;
    }
    pairs->machine = sim_machine_new(pairs->pool, pairs->file, &pairs->file->program, draw);
    bool ran = sim_machine_run(pairs->machine, "init", 0) && sim_machine_run(pairs->machine, "step", 1);
    if (!ran)
        snprintf(pairs->why, sizeof pairs->why, "%s", pairs->machine->fault);
    return ran;
}

static void try_program(Pairs *pairs, uint64_t seed, uint64_t index)
{
    static char text[STRAIGHT_SIZE];
    straight_text(seed, index, text, sizeof text);
    pairs->programs++;
    pairs->found = false;
    for (uint64_t draw = 1; draw <= DRAWS && !pairs->found; draw++) {
        sim_pool_reset(pairs->pool);
        if (!run_program(pairs, text, draw)) {
            pairs->left_out++;
            return;
        }
        int cells = equal_cells_visit(text, compare_cells, pairs);
        pairs->cells += cells > 0 && draw == 1 ? cells : 0;
    }
    if (pairs->found && pairs->different < SHOWN)
        printf("---- EQUAL, AND DIFFERENT: seed %" PRIu64 ", program %" PRIu64 ": %s\n%s", seed, index, pairs->why,
               text);
}

static bool take_options(int argc, char **argv, int64_t *count, uint64_t *seed, int64_t *first, int64_t *print)
{
    for (int a = 1; a + 1 < argc; a += 2) {
        int64_t value = atoll(argv[a + 1]);
        if (!strcmp(argv[a], "--count"))
            *count = value;
        else if (!strcmp(argv[a], "--seed"))
            *seed = (uint64_t)value;
        else if (!strcmp(argv[a], "--first"))
            *first = value;
        else if (!strcmp(argv[a], "--print"))
            *print = value;
        else
            return false;
    }
    return argc % 2 == 1 && *count > 0;
}

static void print_program(uint64_t seed, int64_t index)
{
    static char text[STRAIGHT_SIZE];
    Pairs pairs = {.pool = sim_pool_new()};
    straight_text(seed, (uint64_t)index, text, sizeof text);
    fputs(text, stdout);
    printf("# %s\n", run_program(&pairs, text, 1) ? "can be run" : pairs.why);
    sim_pool_free(pairs.pool);
}

int main(int argc, char **argv)
{
    int64_t count = 1000, first = 0, print = -1;
    uint64_t seed = 1;
    if (!take_options(argc, argv, &count, &seed, &first, &print)) {
        fprintf(stderr, "usage: pairs [--count N] [--seed N] [--first N] [--print INDEX]\n");
        return 64;
    }
    if (print >= 0) {
        print_program(seed, print);
        return 0;
    }
    Pairs pairs = {.pool = sim_pool_new()};
    stop_on_signals();
    for (int64_t i = first; i < first + count && !stop_wanted(); i++)
        try_program(&pairs, seed, (uint64_t)i);
    printf("pairs: %" PRId64 " programs of seed %" PRIu64 " from %" PRId64 " on, %" PRId64
           " of them cannot be run; %" PRId64 " cells, %" PRId64 " pairs that are equal, %" PRId64
           " elements of them, %" PRId64 " DIFFERENT\n",
           pairs.programs, seed, first, pairs.left_out, pairs.cells, pairs.equal / DRAWS, pairs.elements / DRAWS,
           pairs.different);
    sim_pool_free(pairs.pool);
    return pairs.different == 0 && pairs.elements > 0 ? 0 : 1;
}

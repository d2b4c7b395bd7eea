/* The tensors of a file and what each rank has of them (checkpoint_map.c, held.c): what simulated ranks write under one
 * random placement and read under another is the same, and every element is written once. And the options. */
#include "runtime/checkpoint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { AXES = 3, RANKS = 12, LAYERS = 6, CASES = 400, ARENA = 8192, FILE_ELEMENTS = 4096, MEMBERS = 3, NOTHING = -1 };

static const int64_t sizes[AXES] = {2, 3, 2};

static uint64_t random_state = 1;

static int64_t below(int64_t bound)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)(random_state >> 33) % bound;
}

/* ---- A model, and a placement of its states ----------------------------------------------------------------- */

static const int64_t segments[] = {3, 1, 5};
static const prt_tensor tensors[] = {
    {"block.a", "block", LAYERS, PRT_F64, 2, {4, 5}, PRT_ZEROS, 0},
    {"block.b", "block", LAYERS, PRT_F64, 1, {7}, PRT_ZEROS, 0},
    {"block.c", "block", LAYERS, PRT_F64, 3, {3, 2, 4}, PRT_ZEROS, 0},
    {"table", NULL, 1, PRT_F64, 2, {9, 5}, PRT_ZEROS, 0},
};
enum { TABLE = MEMBERS, STATES = 5 };

/* One placement: with stages of layers along an axis or without. */
typedef struct placement {
    prt_program program;
    prt_member members[MEMBERS];
    prt_dim dims[MEMBERS][PRT_MAX_DIMS];
    prt_unit unit;
    prt_layout layouts[STATES];
    prt_state states[STATES];
    int64_t first[3], last[3]; /* of every stage */
    double arena[RANKS][ARENA];
    double file[FILE_ELEMENTS];
    int64_t written[FILE_ELEMENTS];
} placement;

static placement places[2];

/* A rank's run, of which the map needs the coordinates, the program and the arena. */
static void rank_run(placement *p, int rank, prt_run *run)
{
    *run = (prt_run){.program = &p->program};
    run->ctx = (prt_context){.rank = rank, .ranks = RANKS, .run = run};
    int64_t rest = rank;
    for (int axis = AXES - 1; axis >= 0; axis--) {
        run->ctx.axis_size[axis] = sizes[axis];
        run->ctx.coordinate[axis] = rest % sizes[axis];
        rest /= sizes[axis];
    }
    run->ctx.arena[PRT_DEVICE] = (unsigned char *)p->arena[rank];
}

/* Cuts a dim over axes that nothing else of the value is cut over. */
static void any_cuts(prt_dim *dim, bool *used)
{
    for (int axis = 0; axis < AXES; axis++)
        if (!used[axis] && below(3) == 0) {
            used[axis] = true;
            dim->cut[dim->cut_count++] = axis;
        }
}

static void any_unit(placement *p, int cut_axis)
{
    p->unit = (prt_unit){"block", 0, LAYERS - 1, MEMBERS, p->members, 0};
    for (int m = 0; m < MEMBERS; m++) {
        int64_t elements = 1;
        int cut = cut_axis >= 0 ? (int)below(tensors[m].dim_count) : NOTHING;
        memset(p->dims[m], 0, sizeof p->dims[m]);
        for (int d = 0; d < tensors[m].dim_count; d++) {
            p->dims[m][d] =
                (prt_dim){.size = tensors[m].dims[d], .cut_count = d == cut, .cut = {d == cut ? cut_axis : 0}};
            elements *= d == cut ? prt_cut(tensors[m].dims[d], sizes[cut_axis], 0).extent : tensors[m].dims[d];
        }
        p->members[m] = (prt_member){m, p->unit.elements, cut_axis >= 0 ? p->dims[m] : NULL};
        p->unit.elements += elements;
    }
}

/* Layers in stages along an axis, in runs of all stages one after another; or all on every rank. */
static prt_layers any_stages(placement *p, int axis, int64_t *slots)
{
    prt_layers layers = {.last = {.constant = LAYERS - 1}};
    *slots = LAYERS;
    if (axis < 0)
        return layers;
    int64_t runs = 1 + below(2), most = 1, begin = 0, in_run = LAYERS / runs;
    for (int64_t stage = 0; stage < sizes[axis]; stage++) {
        int64_t end = stage == sizes[axis] - 1 ? in_run : begin + below(in_run - begin + 1);
        p->first[stage] = begin;
        p->last[stage] = end - 1;
        most = end - begin > most ? end - begin : most;
        begin = end;
    }
    *slots = runs * most;
    return (prt_layers){.first = {.term_count = 1, .terms = {{1, axis, p->first}}},
                        .last = {.term_count = 1, .terms = {{1, axis, p->last}}},
                        .repeats = runs - 1,
                        .every = in_run};
}

/* The states: elements of the unit, flat or not; a number per row, column or tensor; a dense one; a scalar. */
static void any_placement(placement *p)
{
    static const char *const names[STATES] = {"parameters", "rows", "columns", "moment", "step"};
    static const prt_each eaches[] = {PRT_ELEMENTS, PRT_ROWS, PRT_COLUMNS};
    memset(p, 0, sizeof *p);
    p->program =
        (prt_program){.axis_count = AXES, .micro = 1, .tensor_count = 4, .unit_count = 1, .layout_count = STATES};
    for (int axis = 0; axis < AXES; axis++)
        p->program.axes[axis].size = sizes[axis];
    p->program.tensors = tensors;
    p->program.units = &p->unit;
    p->program.layouts = p->layouts;
    p->program.states = p->states;
    p->program.state_count = STATES;
    int stage = (int)below(AXES + 1) - 1, dims = (int)below(AXES + 1) - 1;
    any_unit(p, dims == stage ? -1 : dims);
    int64_t slots, offset = 0;
    prt_layers layers = any_stages(p, stage, &slots);
    for (int i = 0; i < STATES; i++) {
        p->states[i] = (prt_state){.state = names[i], .dtype = PRT_F64, .layout = i, .tensor = -1, .slots = 1};
        p->layouts[i] = (prt_layout){.unit = i < 3 ? 0 : -1, .each = i < 3 ? eaches[i] : PRT_ELEMENTS};
        if (i < 3) {
            p->states[i].slots = slots;
            p->states[i].layers = layers;
        }
    }
    for (int axis = AXES - 1; axis >= 0; axis--)
        if (axis != stage && axis != dims && below(2) == 0)
            p->layouts[0].cut[p->layouts[0].cut_count++] = axis;
    bool used[AXES] = {false};
    if (stage >= 0) { /* not all ranks have the table: from a stage on, or up to one */
        used[stage] = true;
        p->states[3].held.number = (prt_number){.term_count = 1, .terms = {{1, stage, NULL}}};
        p->states[3].held.low = below(sizes[stage]);
        p->states[3].held.high = p->states[3].held.low + below(2);
    }
    p->states[3].tensor = TABLE;
    p->layouts[3].dim_count = 2;
    p->layouts[3].dims[0] = (prt_dim){.size = 9, .segment_count = 3, .segments = segments};
    p->layouts[3].dims[1] = (prt_dim){.size = 5, .padded = below(2) == 0};
    any_cuts(&p->layouts[3].dims[0], used);
    any_cuts(&p->layouts[3].dims[1], used);
    prt_place first = {.program = &p->program};
    for (int i = 0; i < STATES; i++) {
        p->states[i].offset = offset;
        p->states[i].slot_bytes = prt_view_of(&first, &p->layouts[i]).room * 8;
        offset += p->states[i].slots * p->states[i].slot_bytes;
    }
    assert_true(offset <= (int64_t)sizeof p->arena[0]);
}

/* ---- Written and read --------------------------------------------------------------------------------------- */

/* The number that an element has in every placement; never 0. */
static double value_of(const char *name, int64_t element)
{
    uint64_t hash = 5381;
    for (; *name != '\0'; name++)
        hash = hash * 33 + (unsigned char)*name;
    return (double)(hash % 100003 * 1000 + (uint64_t)element) + 1;
}

static void each_piece(placement *p, bool owned, void (*visit)(placement *, prt_kept_piece, int64_t at, int64_t from))
{
    for (int rank = 0; rank < RANKS; rank++) {
        prt_run run;
        rank_run(p, rank, &run);
        prt_contents contents = prt_contents_make(&run, PRT_STATES, !owned);
        assert_true(contents.bytes <= (int64_t)sizeof p->file);
        prt_pieces_walk walk;
        prt_kept_piece piece;
        prt_pieces_start(&walk, &run, &contents, owned);
        while (prt_pieces_next(&walk, &piece)) {
            assert_true(piece.count > 0 && piece.element + piece.count <= piece.entry->elements);
            assert_true(piece.at >= piece.layer->slot &&
                        piece.at + piece.count * 8 <= piece.layer->slot + piece.layer->row->slot_bytes);
            for (int64_t i = 0; i < piece.count; i++)
                visit(p, piece, piece.entry->begin / 8 + piece.element + i, i);
        }
        prt_contents_free(&contents);
    }
}

static void read_one(placement *p, prt_kept_piece piece, int64_t at, int64_t from)
{
    double *to = (double *)(void *)piece.at + from;
    assert_true(*to == 0); /* no position has two elements */
    *to = p->file[at];
}

static void write_one(placement *p, prt_kept_piece piece, int64_t at, int64_t from)
{
    p->file[at] = ((double *)(void *)piece.at)[from];
    p->written[at]++;
}

/* The file has every tensor of the model once, by its name and with its dims. */
static int64_t make_file(placement *p)
{
    prt_run run;
    rank_run(p, 0, &run);
    prt_contents contents = prt_contents_make(&run, PRT_STATES, true);
    const prt_entry *entries = contents.entries;
    assert_int_equal(contents.entry_count, 3 * LAYERS * MEMBERS + 2);
    assert_int_equal(contents.bytes, (LAYERS * (51 + 4 + 1 + 6 + 5 + 7 + 4) + 45 + 1) * 8);
    for (int i = 0; i < contents.entry_count; i++)
        for (int64_t element = 0; element < entries[i].elements; element++)
            p->file[entries[i].begin / 8 + element] = value_of(entries[i].name, element);
    int64_t bytes = contents.bytes;
    prt_contents_free(&contents);
    return bytes / 8;
}

static void test_another_placement(void **state)
{
    (void)state;
    for (int c = 0; c < CASES; c++) {
        placement *first = &places[0], *second = &places[1];
        any_placement(first);
        any_placement(second);
        int64_t elements = make_file(first);
        each_piece(first, false, read_one);
        memset(first->file, 0, sizeof first->file);
        each_piece(first, true, write_one);
        memcpy(second->file, first->file, sizeof second->file);
        each_piece(second, false, read_one);
        each_piece(second, true, write_one);
        for (int64_t i = 0; i < elements; i++) {
            assert_int_equal(first->written[i], 1);
            assert_int_equal(second->written[i], 1);
        }
        memset(first->file, 0, sizeof first->file);
        make_file(first);
        assert_memory_equal(first->file, second->file, sizeof first->file);
    }
}

/* The names, in the file's order. */
static void test_names(void **state)
{
    (void)state;
    static const char *const expected[] = {"parameters/block.0.a", "parameters/block.0.b", "parameters/block.0.c",
                                           "parameters/block.1.a"};
    prt_run run;
    any_placement(&places[0]);
    rank_run(&places[0], 0, &run);
    prt_contents contents = prt_contents_make(&run, PRT_STATES, true);
    for (int i = 0; i < 4; i++)
        assert_string_equal(contents.entries[i].name, expected[i]);
    assert_string_equal(contents.entries[contents.entry_count - 2].name, "moment/table");
    assert_string_equal(contents.entries[contents.entry_count - 1].name, "step");
    prt_contents_free(&contents);
}

/* Of the ranks that have a layer, whatever they depend on, one owns it: the first. */
static void test_owner(void **state)
{
    (void)state;
    static const int64_t has[] = {0, 1, 1};
    prt_program program = {.axis_count = AXES, .axes = {{"a", 2}, {"b", 3}, {"c", 2}}};
    prt_layout layout = {.unit = -1};
    prt_state scalar = {
        .slots = 1, .tensor = -1, .held = {.number = {.term_count = 1, .terms = {{1, 1, has}}}, .low = 1, .high = 1}};
    for (int64_t b = 0; b < 3; b++)
        for (int64_t c = 0; c < 2; c++) {
            prt_place place = {.program = &program, .coordinate = {0, b, c}};
            assert_int_equal(prt_slot_of_layer(&place, &scalar, 0), b == 0 ? -1 : 0);
            if (b > 0)
                assert_int_equal(prt_owned_at(&place, &scalar, &layout, -1, 0), b == 1 && c == 0);
        }
    prt_number number = {.constant = 5, .term_count = 2, .terms = {{-3, 0, NULL}, {2, 1, has}}, .modulus = 4};
    prt_place place = {.program = &program, .coordinate = {1, 2, 0}};
    assert_int_equal(prt_number_at(&place, &number), (5 - 3 + 2) % 4);
    number.constant = 0;
    assert_int_equal(prt_number_at(&place, &number), 3); /* -1 modulo 4 */
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
        cmocka_unit_test(test_another_placement), cmocka_unit_test(test_names),         cmocka_unit_test(test_owner),
        cmocka_unit_test(test_options),           cmocka_unit_test(test_wrong_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

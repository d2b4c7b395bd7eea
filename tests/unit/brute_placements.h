/* brute_placements.h - random operands as local values of a placement, and back: whether placements of operands give
 * one of the result. */
#ifndef PLACE_TESTS_UNIT_BRUTE_PLACEMENTS_H
#define PLACE_TESTS_UNIT_BRUTE_PLACEMENTS_H

#include "tests/unit/brute_operator.h"

enum { MAX_ELEMENTS = 700, MAX_RANKS = 6, DRAWS = 16 };

typedef struct Setting {
    Arena *arena;
    Mesh mesh;
    int ranks;
    int64_t coordinates[MAX_RANKS][STEP_MAX_AXES];
    OpKind op;
    OpShape shape;
    Letters letters; /* whole extents */
    int64_t sizes[STEP_MAX_OPERANDS + 1][STEP_MAX_DIMS];
} Setting;

/* One draw: the whole operands, and for each of the placements that were asked for the values of all ranks. */
typedef struct Draw {
    bool real;
    bool small;
    uint64_t seed;
    Number immediate[STEP_MAX_IMMEDIATES], scale;
    Number whole[STEP_MAX_OPERANDS + 1][MAX_ELEMENTS]; /* the result last */
} Draw;

static const char *dims_of(const Setting *s, int which)
{
    return which < s->shape.operand_count ? s->shape.letter[which] : s->shape.result;
}

static void enter(const Draw *draw)
{
    now.real = draw->real;
    now.scale = draw->scale;
    memcpy(now.immediate, draw->immediate, sizeof now.immediate);
}

static void start_draw(const Setting *s, Draw *draw, bool real, bool small, uint64_t seed)
{
    now.real = real;
    now.draw = seed;
    *draw = (Draw){.real = real, .small = small, .seed = seed};
    for (int i = 0; i < STEP_MAX_IMMEDIATES; i++)
        draw->immediate[i] = random_number(false);
    draw->scale = random_number(false);
    enter(draw);
    Array operand[STEP_MAX_OPERANDS];
    for (int i = 0; i < s->shape.operand_count; i++) {
        int64_t elements = elements_of(&s->letters, dims_of(s, i));
        assert_true(elements <= MAX_ELEMENTS);
        for (int64_t k = 0; k < elements; k++)
            draw->whole[i][k] = random_number(small);
        if (real && !small) /* scalars take both signs */
            draw->whole[i][0].real = copysign(draw->whole[i][0].real, seed >> 1 >> i & 1 ? -1 : 1);
        operand[i].at = draw->whole[i];
    }
    assert_true(elements_of(&s->letters, s->shape.result) <= MAX_ELEMENTS);
    run_op(&s->shape, s->op, &s->letters, operand, draw->whole[s->shape.operand_count]);
}

/* The number of a rank among those that differ on partial axes only. */
static int64_t addend_of(const Setting *s, const Placement *p, int rank)
{
    int64_t number = 0;
    for (int i = 0; i < p->axis_count; i++)
        if (p->axis[i].kind == PLACED_PARTIAL)
            number = number * s->mesh.axis[i].size + s->coordinates[rank][i];
    return number;
}

static int64_t addend_count(const Setting *s, const Placement *p, PartialOp *op, int64_t *average)
{
    int64_t count = 1;
    *op = PARTIAL_SUM;
    *average = 1;
    for (int i = 0; i < p->axis_count; i++) {
        if (p->axis[i].kind != PLACED_PARTIAL)
            continue;
        count *= s->mesh.axis[i].size;
        if (p->axis[i].op == PARTIAL_AVG)
            *average *= s->mesh.axis[i].size;
        else
            *op = p->axis[i].op;
    }
    return count;
}

/* addends[k] of the whole tensor. The rank that holds an extremum is another one from draw to draw, and operand to
 * operand. */
static void split(const Draw *draw, int operand, int64_t elements, int64_t count, PartialOp op, int64_t average,
                  Number **addends)
{
    for (int64_t i = 0; i < elements; i++) {
        Number whole = draw->whole[operand][i], rest = times(whole, number_of((double)average));
        for (int64_t k = 0; k < count; k++) {
            if (op == PARTIAL_MAX || op == PARTIAL_MIN) {
                double below = draw->small ? 1 + (double)(random_bits() % 2) : (double)(1 + random_bits() % 999) / 333;
                uint64_t holder = i == 0 ? draw->seed + (uint64_t)operand
                                         : mix(mix(8 * draw->seed + (uint64_t)operand) + (uint64_t)i);
                if (k == (int64_t)(holder % (uint64_t)count))
                    below = 0;
                addends[k][i] = (Number){.real = whole.real + (op == PARTIAL_MAX ? -below : below)};
                continue;
            }
            addends[k][i] = k == count - 1 ? rest : random_number(false);
            rest = plus(rest, times(addends[k][i], number_of(-1)));
        }
    }
}

/* The part of `whole` that a rank holds. */
static void cut(const Setting *s, const Placement *p, const int64_t *sizes, int rank, const Number *whole, Number *part)
{
    int64_t start[STEP_MAX_DIMS], extent[STEP_MAX_DIMS], index[STEP_MAX_DIMS] = {0}, elements = 1;
    for (int dim = 0; dim < p->dim_count; dim++) {
        extent[dim] = placement_extent(&s->mesh, p, dim, sizes[dim], s->coordinates[rank], &start[dim]);
        elements *= extent[dim];
    }
    for (int64_t i = 0; i < elements; i++) {
        int64_t offset = 0;
        for (int dim = 0; dim < p->dim_count; dim++)
            offset = offset * sizes[dim] + start[dim] + index[dim];
        part[i] = whole[offset];
        for (int dim = p->dim_count - 1; dim >= 0 && ++index[dim] == extent[dim]; dim--)
            index[dim] = 0;
    }
}

/* Placements of a value that is at a coordinate, as if it were replicated: what the other ranks hold is junk. */
static Placement everywhere(const Placement *p)
{
    Placement q = *p;
    for (int i = 0; i < p->axis_count; i++)
        if (p->axis[i].kind == PLACED_AT)
            q.axis[i] = on_replicated();
    return q;
}

static bool is_here(const Setting *s, const Placement *p, int rank)
{
    for (int i = 0; i < p->axis_count; i++)
        if (p->axis[i].kind == PLACED_AT && p->axis[i].coordinate != s->coordinates[rank][i])
            return false;
    return true;
}

/* The local values of all ranks. */
static void encode(const Setting *s, const Draw *draw, int operand, const Placement *p, Array *local)
{
    PartialOp op;
    int64_t average, count = addend_count(s, p, &op, &average);
    int64_t elements = elements_of(&s->letters, dims_of(s, operand));
    Arena *scratch = arena_new();
    Number **addends = arena_array(scratch, Number *, count);
    for (int64_t k = 0; k < count; k++)
        addends[k] = arena_array(scratch, Number, elements + 1);
    split(draw, operand, elements, count, op, average, addends);
    Placement q = everywhere(p);
    for (int rank = 0; rank < s->ranks; rank++) {
        cut(s, &q, s->sizes[operand], rank, addends[addend_of(s, p, rank)], local[rank].at);
        for (int64_t i = 0; i < elements && !is_here(s, p, rank); i++)
            local[rank].at[i] = random_number(draw->small);
    }
    arena_free(scratch);
}

/* The extents of all letters on a rank; false where operands or the result disagree. */
static bool local_letters(const Setting *s, const Placement *operands, const Placement *result, int rank,
                          Letters *letters)
{
    *letters = s->letters;
    bool known[OP_MAX_LETTERS] = {false};
    for (int i = 0; i <= s->shape.operand_count; i++) {
        Placement p = everywhere(i < s->shape.operand_count ? &operands[i] : result);
        const char *dims = dims_of(s, i);
        for (int dim = 0; dims[dim] != '\0'; dim++) {
            int letter = letter_number(letters, dims[dim]);
            int64_t start, extent = placement_extent(&s->mesh, &p, dim, s->sizes[i][dim], s->coordinates[rank], &start);
            if (known[letter] && letters->extent[letter] != extent)
                return false;
            letters->extent[letter] = extent;
            letters->start[letter] = start;
            known[letter] = true;
        }
    }
    return true;
}

/* Whether the local results make the whole one. */
static bool decodes(const Setting *s, const Draw *draw, const Placement *p, Array *local)
{
    PartialOp op;
    int64_t average;
    addend_count(s, p, &op, &average);
    const Number *whole = draw->whole[s->shape.operand_count];
    Number part[MAX_ELEMENTS];
    Placement q = everywhere(p);
    for (int rank = 0; rank < s->ranks; rank++) {
        if (!is_here(s, p, rank) || addend_of(s, p, rank) != 0)
            continue;
        const int64_t *sizes = s->sizes[s->shape.operand_count];
        cut(s, &q, sizes, rank, whole, part);
        int64_t elements = placement_elements_at(&s->mesh, &q, sizes, s->coordinates[rank]);
        for (int64_t i = 0; i < elements; i++) {
            Number sum = local[rank].at[i];
            for (int other = 0; other < s->ranks; other++) {
                bool joined = addend_of(s, p, other) != 0;
                for (int axis = 0; axis < p->axis_count; axis++)
                    joined = joined && (p->axis[axis].kind == PLACED_PARTIAL ||
                                        s->coordinates[other][axis] == s->coordinates[rank][axis]);
                if (joined)
                    sum = op == PARTIAL_SUM ? plus(sum, local[other].at[i]) : extreme(op, sum, local[other].at[i]);
            }
            if (!equal(over(sum, average), part[i]))
                return false;
        }
    }
    return true;
}

static bool uses_extremum(const Placement *p)
{
    for (int i = 0; i < p->axis_count; i++)
        if (p->axis[i].kind == PLACED_PARTIAL && p->axis[i].op >= PARTIAL_MAX)
            return true;
    return false;
}

enum { MAX_RESULTS = 64 };

/* Placements of the result that are tried for the same operands. */
typedef struct Results {
    int count;
    Placement placement[MAX_RESULTS];
    bool valid[MAX_RESULTS];
} Results;

typedef struct Trial {
    const Setting *s;
    const Placement *operands;
    Results *results;
    Letters letters[MAX_RESULTS][MAX_RANKS];
    bool real[MAX_RESULTS];
    bool any_shape; /* the result has letters of its own: its placement says how long they are */
} Trial;

static bool has_own_letters(const OpShape *shape)
{
    for (const char *at = shape->result; *at != '\0'; at++) {
        bool found = false;
        for (int i = 0; i < shape->operand_count; i++)
            found = found || strchr(shape->letter[i], *at) != NULL;
        if (!found)
            return true;
    }
    return false;
}

/* Leaves those results as valid whose shapes fit. */
static void start_trial(Trial *t)
{
    const Setting *s = t->s;
    bool operands_fit = true, real = false;
    for (int i = 0; i < s->shape.operand_count; i++) {
        real = real || uses_extremum(&t->operands[i]);
        operands_fit = operands_fit && placement_fault(&s->mesh, &t->operands[i]) == NULL;
    }
    for (int i = 0; i < t->results->count; i++) {
        const Placement *result = &t->results->placement[i];
        bool fits = operands_fit && placement_fault(&s->mesh, result) == NULL;
        for (int rank = 0; rank < s->ranks && fits; rank++)
            fits = local_letters(s, t->operands, result, rank, &t->letters[i][rank]);
        t->results->valid[i] = fits;
        t->real[i] = real || uses_extremum(result);
    }
    t->any_shape = has_own_letters(&s->shape);
}

/* One draw, for the results that need this arithmetic. */
static void try_draw(Trial *t, const Draw *draw)
{
    static Number store[STEP_MAX_OPERANDS + 1][MAX_RANKS][MAX_ELEMENTS];
    const Setting *s = t->s;
    int operand_count = s->shape.operand_count;
    Array local[STEP_MAX_OPERANDS + 1][MAX_RANKS], of_rank[STEP_MAX_OPERANDS];
    bool encoded = false;
    enter(draw);
    now.draw = draw->seed + 99;
    for (int i = 0; i <= operand_count; i++)
        for (int rank = 0; rank < s->ranks; rank++)
            local[i][rank].at = store[i][rank];
    for (int i = 0; i < t->results->count; i++) {
        if (!t->results->valid[i] || t->real[i] != draw->real)
            continue;
        for (int operand = 0; operand < operand_count && !encoded; operand++)
            encode(s, draw, operand, &t->operands[operand], local[operand]);
        for (int rank = 0; rank < s->ranks && (!encoded || t->any_shape); rank++) {
            for (int operand = 0; operand < operand_count; operand++)
                of_rank[operand] = local[operand][rank];
            run_op(&s->shape, s->op, &t->letters[i][rank], of_rank, local[operand_count][rank].at);
        }
        encoded = true;
        t->results->valid[i] = decodes(s, draw, &t->results->placement[i], local[operand_count]);
    }
}

/* For which results the operands, placed so, make them in every draw. */
static void try_results(const Setting *s, const Draw *draws, const Placement *operands, Results *results)
{
    static Trial t; /* large, and start_trial sets what is read */
    t.s = s, t.operands = operands, t.results = results;
    start_trial(&t);
    for (int i = 0; i < 2 * DRAWS; i++)
        try_draw(&t, &draws[i]);
}

#endif

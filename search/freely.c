/* freely.c - bounds of meshes for any placement (search/freely.h). */
#include "search/freely.h"

#include "search/placed.h"
#include "search/tensors.h"

#include <math.h>
#include <stdlib.h>

/* A mesh of `replica`, `data` and `tensor`, and a number of microbatches. */
typedef struct FreeMesh {
    Choice choice;
    double shape_s; /* the least bound of a shape that has it */
} FreeMesh;

typedef struct Freely {
    Arena *arena;
    const Space *space;
    const Bounds *bounds;
    Vec(FreeMesh) meshes;
} Freely;

/* ---- Meshes ------------------------------------------------------------------------------------------------- */

/* Without other axes, and what is done over them. */
static Choice placing_mesh(const Choice *shape)
{
    static const Degree own[] = {DEGREE_REPLICA, DEGREE_DATA, DEGREE_TENSOR};
    Choice choice = {.degree = {1, 1, 1, 1, 1, 1}, .micro = shape->micro, .chunks = 1};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        choice.degree[own[i]] = shape->degree[own[i]];
    return choice;
}

static void add_mesh(void *data, const Choice *choice)
{
    Freely *f = data;
    const FreeMesh mesh = {.choice = placing_mesh(choice), .shape_s = bound_shape(f->bounds, choice).seconds};
    if (choice->degree[DEGREE_TENSOR] > 1 || choice->degree[DEGREE_DATA] > 1)
        vec_push(f->arena, &f->meshes, mesh);
}

static int by_mesh(const void *a, const void *b)
{
    const Choice *one = &((const FreeMesh *)a)->choice, *other = &((const FreeMesh *)b)->choice;
    for (int degree = 0; degree < DEGREE_COUNT; degree++)
        if (one->degree[degree] != other->degree[degree])
            return one->degree[degree] < other->degree[degree] ? -1 : 1;
    return (one->micro > other->micro) - (one->micro < other->micro);
}

static int by_bound(const void *a, const void *b)
{
    const double one = ((const FreeMesh *)a)->shape_s, other = ((const FreeMesh *)b)->shape_s;
    return one != other ? (one < other ? -1 : 1) : by_mesh(a, b);
}

/* Each once, with the least bound of its shapes; that with the least of all first. */
static void find_meshes(Freely *f)
{
    int count = 0;
    best_each_shape(f->space, add_mesh, f);
    placed_each_shape(f->space, add_mesh, f);
    if (f->meshes.count == 0)
        return;
    qsort(f->meshes.data, (size_t)f->meshes.count, sizeof *f->meshes.data, by_mesh);
    for (int i = 0; i < f->meshes.count; i++) {
        FreeMesh *mesh = &f->meshes.data[i], *last = &f->meshes.data[count - 1];
        if (count > 0 && by_mesh(mesh, last) == 0)
            last->shape_s = fmin(last->shape_s, mesh->shape_s);
        else
            f->meshes.data[count++] = *mesh;
    }
    f->meshes.count = count;
    qsort(f->meshes.data, (size_t)count, sizeof *f->meshes.data, by_bound);
}

/* ---- Their bounds ------------------------------------------------------------------------------------------- */

/* How many ranks the other axes have. */
static double others(const Space *space, const Choice *choice)
{
    double ranks = (double)space->devices;
    for (int degree = 0; degree < DEGREE_COUNT; degree++)
        ranks /= choice->degree[degree];
    return ranks;
}

/* With one stage of ZeRO or another; 0: it is no program. */
static double least_of(const Pattern *pattern, const Space *space, const Choice *choice, bool anywhere)
{
    Arena *arena = arena_new();
    const char *mesh = space_copies(arena, space, choice);
    const bool copied = choice->degree[DEGREE_DATA] > 1; /* a strategy for `tensor` that places nothing names `data` */
    const Version version = {.mesh = copied ? mesh : arena_printf(arena, "data: 1, %s", mesh),
                             .strategy = space_strategy(arena, space, choice),
                             .batch = space->train->batch,
                             .micro = choice->micro};
    Costed costed;
    pattern_read(pattern, &version, &costed);
    Tensors *tensors = costed.error == NULL ? tensors_open_pinned(costed.ctx.arena, &costed, anywhere) : NULL;
    double least = tensors != NULL ? INFINITY : 0;
    for (int zero = 0; zero < space->options[GROUP_STATES].count && tensors != NULL; zero++)
        if (space_has_option(space, choice, GROUP_STATES, zero))
            least = fmin(least, tensors_least(tensors, zero));
    costed_close(&costed);
    arena_free(arena);
    return least;
}

/* Parameters are where one of the strategies of `tensor` has them, unless they are placed one by one. */
double freely_least(const Pattern *pattern, const Space *space, const Choice *shape)
{
    const Options *tensors = &space->options[GROUP_TENSORS];
    double least = space->train->serves ? 0 : INFINITY;
    Choice choice = placing_mesh(shape);
    bool anywhere = space->options[GROUP_PLACED].option[OPTION_PLACED].excluded == NULL;
    choice.apart = anywhere && choice.degree[DEGREE_TENSOR] > 1;
    if (anywhere || choice.degree[DEGREE_TENSOR] == 1)
        least = fmin(least, least_of(pattern, space, &choice, anywhere));
    for (int option = 0; option < tensors->count && choice.degree[DEGREE_TENSOR] > 1 && !anywhere; option++) {
        choice.option[GROUP_TENSORS] = (int8_t)option;
        if (tensors->option[option].excluded == NULL)
            least = fmin(least, least_of(pattern, space, &choice, false));
    }
    return least / others(space, &choice);
}

static double value_of(const Space *space, double seconds)
{
    const Found found = {.seconds = seconds};
    return best_value(space, &found);
}

void freely_bound(const Pattern *pattern, Space *space, const Bounds *bounds, const SearchWatch *watch,
                  Searched *searched)
{
    Freely f = {.arena = arena_new(), .space = space, .bounds = bounds};
    double least = INFINITY;
    bool goes_on = true;
    find_meshes(&f);
    for (int i = 0; i < f.meshes.count; i++) {
        const FreeMesh *mesh = &f.meshes.data[i];
        if (mesh->shape_s >= least || value_of(space, mesh->shape_s) >= best_value(space, &searched->best))
            break;
        goes_on = goes_on && best_goes_on(watch, space, searched);
        double seconds = goes_on ? fmax(mesh->shape_s, freely_least(pattern, space, &mesh->choice)) : mesh->shape_s;
        least = fmin(least, seconds);
    }
    arena_free(f.arena);
    searched->free_bound = fmin(value_of(space, least), best_value(space, &searched->best));
}

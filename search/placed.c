/* placed.c - branch and bound over placements of parameters (search/placed.h). */
#include "search/placed.h"

#include "search/tensors.h"

#include <math.h>
#include <string.h>

/* Programs that are tried unless all are asked for: where bounds are loose, many are just below the best. */
enum { USUAL_TRIES = 200 };

/* A mesh and a number of microbatches. */
typedef struct Shape {
    Choice choice;
    const Weights *weights;
    double bound;
} Shape;

/* Of these, with one stage of ZeRO. */
typedef struct Root {
    Choice choice;
    const Weights *weights;
    TermSum sum;
    StateBytes bytes;
    double bound;
} Root;

typedef struct Placing {
    Arena *arena;
    const Pattern *pattern;
    Space *space;
    const SearchWatch *watch;
    Searched *searched;
    const Bounds *bounds;
    Vec(Shape) shapes; /* the one with the least bound first */
    Vec(Root) roots;   /* so are these */
    const Root *root;
    int *fixed; /* per variable of its sum */
    int8_t way[MOST_WEIGHTS];
    int64_t tries; /* that are left */
    bool stopped;
    double open; /* the least bound of what is not looked at */
} Placing;

/* ---- The space ---------------------------------------------------------------------------------------------- */

static bool timed_objective(const Space *space)
{
    switch (space->objective) {
    case LEAST_TIME:
    case LEAST_PRICE:
        return true;
    case LEAST_MEMORY:
    case LEAST_BOTH:
    case MOST_THROUGHPUT:
        return false;
    }
    BUG("no objective %d", space->objective);
}

/* Do its limits allow meshes of `replica`, `data` and `tensor`? */
static bool allows_these(const Space *space)
{
    bool allows = true;
    for (int degree = 0; degree < DEGREE_COUNT; degree++) {
        bool these = degree == DEGREE_DATA || degree == DEGREE_REPLICA || degree == DEGREE_TENSOR;
        allows = allows && (these || space->degree[degree].low == 1);
    }
    return allows;
}

static bool any_weight(Arena *arena, const Space *space)
{
    Weights weights;
    weights_find(arena, space, DEGREE_DATA, space->devices, &weights);
    for (int64_t ranks = 2; ranks <= space->devices && weights.count == 0; ranks++)
        if (space->devices % ranks == 0 && limit_allows(&space->tensors, ranks))
            weights_find(arena, space, DEGREE_TENSOR, ranks, &weights);
    return weights.count > 0;
}

/* Of a group of which one is chosen in any case. */
static bool has(const Space *space, int group, int option)
{
    return space->options[group].option[option].excluded == NULL;
}

/* NULL: it is of use. */
static const char *without_use(Arena *arena, const Space *space, const Option *placed)
{
    if (placed->excluded != NULL)
        return placed->excluded;
    if (space->train->serves)
        return "of a served model the batch is small";
    if (!timed_objective(space))
        return "only for the least time or price";
    if (!any_weight(arena, space))
        return "no parameter has a dim with something for every rank";
    if (!allows_these(space) || !has(space, GROUP_RECOMPUTED, OPTION_KEEP) ||
        !has(space, GROUP_OFFLOADED, OPTION_ON_DEVICE))
        return "it is for `data`, `replica` and `tensor` alone, with everything kept on the device";
    if (!placed->wanted && space->train->decls.groups.count > 0 && has(space, GROUP_TENSORS, OPTION_TENSOR_PARALLEL))
        return "`tensor` divides the blocks of this model; `with placed` looks at both";
    return NULL;
}

bool placed_open(Ctx *ctx, const Pattern *pattern, Space *space)
{
    Option *placed = &space->options[GROUP_PLACED].option[OPTION_PLACED];
    space->placed_name = pattern->placed;
    placed->excluded = without_use(ctx->arena, space, placed);
    if (placed->excluded == NULL || !placed->wanted)
        return true;
    Diagnostic *d = diag_report(ctx->diag, P0365, pattern->strategy_span, "`with placed` has nothing to look at");
    diag_why(d, "placed: %s.", placed->excluded);
    diag_help(d, "Leave out that line, or what stands against it.");
    return false;
}

static double value_of(const Placing *p, double seconds)
{
    const Found found = {.seconds = seconds};
    return best_value(p->space, &found);
}

/* ---- Placements --------------------------------------------------------------------------------------------- */

/* Begins with a root, of which nothing is fixed. */
static void open_fixed(Placing *p, const Root *root)
{
    p->root = root;
    p->fixed = arena_array(p->arena, int, root->sum.variables);
    for (int v = 0; v < root->sum.variables; v++)
        p->fixed[v] = -1;
}

/* INFINITY: its states do not fit. */
static double bound_of(Placing *p)
{
    bool exact;
    double bytes = tensors_least_bytes(p->root->weights, &p->root->bytes, p->fixed);
    if (p->space->memory_bytes > 0 && bytes > (double)p->space->memory_bytes)
        return INFINITY;
    return eliminate(&p->root->sum, p->fixed, &exact);
}

static bool worse(const Placing *p, double bound)
{
    return isinf(bound) || space_too_slow(p->space, bound) || (p->searched->any && bound >= p->searched->best.seconds);
}

/* The strategy with these placements; false if it has none. */
static bool declare(Arena *arena, Space *space, const Weights *weights, const int8_t *way, Choice *choice)
{
    const char *declared = weights_declared(arena, space, weights, way);
    if (declared != NULL)
        vec_push(arena, &space->placed, declared);
    choice->placed = declared != NULL ? space->placed.count : 0;
    return declared != NULL;
}

/* What has none is in the space of all other strategies, or `tensor` is of no use. */
static void try_placement(Placing *p)
{
    Choice choice = p->root->choice;
    if (!declare(p->arena, p->space, p->root->weights, p->way, &choice))
        return;
    best_try(p->arena, p->pattern, p->space, &choice, p->searched);
    p->tries--;
}

/* The ways to place a parameter, in the order of their bounds. */
typedef struct Ways {
    int count, way[MOST_WEIGHT_WAYS];
    double bound[MOST_WEIGHT_WAYS];
} Ways;

static Ways ways_of(Placing *p, int weight, double bound)
{
    Ways ways = {0};
    for (int way = 0; way < p->root->weights->weight[weight].ways; way++) {
        p->fixed[weight] = way;
        double least = fmax(bound, bound_of(p));
        int at = ways.count++;
        for (; at > 0 && ways.bound[at - 1] > least; at--) {
            ways.bound[at] = ways.bound[at - 1];
            ways.way[at] = ways.way[at - 1];
        }
        ways.bound[at] = least;
        ways.way[at] = way;
    }
    p->fixed[weight] = -1;
    return ways;
}

/* All placements of the parameters from this one on. */
static void place_from(Placing *p, int weight, double bound)
{
    if (!p->stopped && !worse(p, bound))
        p->stopped = p->tries == 0 || !best_goes_on(p->watch, p->space, p->searched);
    if (p->stopped && !worse(p, bound))
        p->open = fmin(p->open, bound);
    if (p->stopped || worse(p, bound))
        return;
    if (weight == p->root->weights->count) {
        try_placement(p);
        return;
    }
    const Ways ways = ways_of(p, weight, bound);
    for (int i = 0; i < ways.count; i++) {
        p->fixed[weight] = ways.way[i];
        p->way[weight] = (int8_t)ways.way[i];
        place_from(p, weight + 1, ways.bound[i]);
    }
    p->fixed[weight] = -1;
}

/* Each parameter in the way that has the least bound: a good placement of each root is known before any has all of its
 * own tried. */
static void dive(Placing *p, double bound)
{
    int weight = 0;
    for (; weight < p->root->weights->count && !worse(p, bound) && p->tries > 0; weight++) {
        const Ways ways = ways_of(p, weight, bound);
        bound = ways.bound[0];
        p->fixed[weight] = ways.way[0];
        p->way[weight] = (int8_t)ways.way[0];
    }
    if (weight == p->root->weights->count && !worse(p, bound))
        try_placement(p);
    while (--weight >= 0)
        p->fixed[weight] = -1;
}

/* ---- Shapes ------------------------------------------------------------------------------------------------- */

static double placements(const Weights *weights)
{
    double count = 1;
    for (int r = 0; r < weights->count; r++)
        count *= weights->weight[r].ways;
    return count;
}

/* Over `tensor` alone nothing is copied; copies of states that are not sharded are no other than more of `data`. */
static bool has_stage(const Placing *p, const Choice *choice, int zero)
{
    if (choice->degree[DEGREE_DATA] == 1)
        return zero == OPTION_DATA_PARALLEL;
    bool copies = choice->apart && choice->degree[DEGREE_REPLICA] > 1;
    return has(p->space, GROUP_STATES, zero) && !(copies && zero == OPTION_DATA_PARALLEL);
}

static void add_shape_of(Placing *p, const Weights *weights, const Choice *choice)
{
    const Shape shape = {*choice, weights, bound_shape(p->bounds, choice).seconds};
    for (int zero = 0; zero < p->space->options[GROUP_STATES].count; zero++)
        if (has_stage(p, choice, zero))
            p->searched->strategies += weights->sequence ? placements(weights) : placements(weights) - 1;
    vec_push(p->arena, &p->shapes, shape);
    int at = p->shapes.count - 1;
    for (; at > 0 && p->shapes.data[at - 1].bound > shape.bound; at--)
        p->shapes.data[at] = p->shapes.data[at - 1];
    p->shapes.data[at] = shape;
}

/* With values sharded by the context, too, if the space has that. */
static void add_shape(void *data, const Choice *choice)
{
    Placing *p = data;
    Weights *weights = arena_make(p->arena, Weights);
    weights_find(p->arena, p->space, choice->apart ? DEGREE_TENSOR : DEGREE_DATA,
                 choice->apart ? choice->degree[DEGREE_TENSOR] : p->space->devices, weights);
    add_shape_of(p, weights, choice);
    if (!choice->apart || !has(p->space, GROUP_TENSORS, OPTION_SEQUENCE_PARALLEL))
        return;
    Weights *sequence = arena_make(p->arena, Weights);
    *sequence = *weights;
    sequence->sequence = true;
    add_shape_of(p, sequence, choice);
}

static void each_microbatches(const Space *space, Choice *choice, BestShape *found, void *data)
{
    choice->micro = 1;
    int64_t batch = space->train->batch, parts = space_parts(choice), each = batch / parts;
    for (int64_t micro = space->micro.low; micro <= each && micro <= space->micro.high && batch % parts == 0; micro++) {
        choice->micro = (int32_t)micro;
        if (each % micro == 0 && each / micro <= space->examples)
            found(data, choice);
    }
}

/* The ranks that `tensor` leaves are along `data`, or also along `replica`, with copies of its shards. */
static void each_mesh(const Space *space, int64_t tensor, BestShape *found, void *data)
{
    Choice choice = {.degree = {1, 1, 1, 1, 1, (int32_t)tensor}, .chunks = 1, .apart = tensor > 1};
    for (int64_t copies = 1; copies <= space->devices / tensor; copies++) {
        int64_t ranks = space->devices / tensor / copies;
        choice.degree[DEGREE_REPLICA] = (int32_t)copies;
        choice.degree[DEGREE_DATA] = (int32_t)ranks;
        if (ranks * copies * tensor == space->devices && (ranks > 1 || (copies == 1 && tensor > 1)) &&
            limit_allows(&space->degree[DEGREE_REPLICA], copies) && limit_allows(&space->degree[DEGREE_DATA], ranks) &&
            (copies == 1 || options_left(&space->options[GROUP_REPLICAS])))
            each_microbatches(space, &choice, found, data);
    }
}

void placed_each_shape(const Space *space, BestShape *found, void *data)
{
    if (space->options[GROUP_PLACED].option[OPTION_PLACED].excluded != NULL)
        return;
    for (int64_t tensor = 1; tensor <= space->devices; tensor++)
        if (space->devices % tensor == 0 && limit_allows(&space->tensors, tensor))
            each_mesh(space, tensor, found, data);
}

/* ---- Roots -------------------------------------------------------------------------------------------------- */

static void open_root(Placing *p, const Weights *weights, Tensors *tensors, const Choice *choice)
{
    Root root = {.choice = *choice, .weights = weights};
    tensors_bound(tensors, choice->option[GROUP_STATES], &root.sum);
    tensors_bytes(tensors, choice->option[GROUP_STATES], &root.bytes);
    open_fixed(p, &root);
    root.bound = bound_of(p);
    vec_push(p->arena, &p->roots, root);
}

Version placed_alike(Arena *arena, Space *space, const Choice *choice, const Weights *weights)
{
    static const int8_t copied[MOST_WEIGHTS] = {0};
    Choice alike = *choice;
    alike.option[GROUP_STATES] = OPTION_DATA_PARALLEL;
    declare(arena, space, weights, copied, &alike);
    Version version = best_version(arena, space, &alike);
    if (choice->degree[DEGREE_DATA] == 1)
        version.mesh = arena_printf(arena, "data: 1, %s", version.mesh);
    return version;
}

/* Every stage of ZeRO, of which the program with everything copied says the rest. */
static void open_stages(Placing *p, const Weights *weights, Choice choice)
{
    Costed alike;
    const Version version = placed_alike(p->arena, p->space, &choice, weights);
    pattern_read(p->pattern, &version, &alike);
    Tensors *tensors = alike.error == NULL ? tensors_open(p->arena, weights, &alike) : NULL;
    if (alike.error != NULL)
        p->searched->error = arena_copy(p->arena, alike.error, strlen(alike.error));
    for (int zero = 0; zero < p->space->options[GROUP_STATES].count && tensors != NULL; zero++) {
        choice.option[GROUP_STATES] = (int8_t)zero;
        if (has_stage(p, &choice, zero))
            open_root(p, weights, tensors, &choice);
    }
    costed_close(&alike);
}

static void open_roots(Placing *p)
{
    for (int i = 0; i < p->shapes.count && !worse(p, p->shapes.data[i].bound); i++) {
        p->stopped = !best_goes_on(p->watch, p->space, p->searched);
        if (p->stopped) {
            p->open = p->shapes.data[i].bound;
            return;
        }
        open_stages(p, p->shapes.data[i].weights, p->shapes.data[i].choice);
    }
}

static void sort_roots(Placing *p)
{
    for (int i = 1; i < p->roots.count; i++) {
        const Root root = p->roots.data[i];
        int at = i;
        for (; at > 0 && p->roots.data[at - 1].bound > root.bound; at--)
            p->roots.data[at] = p->roots.data[at - 1];
        p->roots.data[at] = root;
    }
}

/* What is known now of the least that anything in the space costs; `bound`: without these placements. */
static void settle(const Placing *p, double bound)
{
    Searched *searched = p->searched;
    searched->bound = bound;
    searched->few_placed = p->tries == 0;
    if (p->stopped) {
        searched->exact = false;
        searched->bound = fmin(bound, value_of(p, p->open));
    } else if (searched->exact && searched->any) {
        searched->bound = best_value(p->space, &searched->best);
    }
}

void placed_find(Arena *arena, const Pattern *pattern, Space *space, const Bounds *bounds, const SearchWatch *watch,
                 Searched *searched)
{
    Placing p = {.arena = arena,
                 .pattern = pattern,
                 .space = space,
                 .bounds = bounds,
                 .watch = watch,
                 .searched = searched,
                 .open = INFINITY};
    const Option *placed = &space->options[GROUP_PLACED].option[OPTION_PLACED];
    if (placed->excluded != NULL)
        return;
    p.tries = placed->wanted ? INT64_MAX : USUAL_TRIES;
    const double bound = searched->bound;
    placed_each_shape(space, add_shape, &p);
    if (p.shapes.count > 0) /* while roots are opened, */
        searched->bound = fmin(searched->bound, value_of(&p, p.shapes.data[0].bound));
    open_roots(&p);
    sort_roots(&p);
    if (p.roots.count > 0 && !p.stopped) /* and while they are looked at */
        searched->bound = fmin(bound, value_of(&p, p.roots.data[0].bound));
    for (int i = 0; i < p.roots.count && !p.stopped && best_goes_on(watch, space, searched); i++) {
        open_fixed(&p, &p.roots.data[i]);
        dive(&p, p.root->bound);
    }
    for (int i = 0; i < p.roots.count; i++) {
        open_fixed(&p, &p.roots.data[i]);
        place_from(&p, 0, p.root->bound);
    }
    settle(&p, bound);
}

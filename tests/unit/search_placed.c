/* Placements of single parameters against brute force: every placement of small models is derived, planned and played.
 * The least of the sum of terms is never above what a placement costs, however many of its parameters are given, and
 * the search finds the least of all. PLACED_INSTANCES=N PLACED_SEED=N: as many random programs, from this one on. With
 * operators pinned (search/pinned.h) no program is below the stated bound; PINNED_INSTANCES=N as many of these. */
#include "search/placed.h"

#include "derive/facts.h"
#include "search/freely.h"
#include "search/pinned.h"
#include "search/search.h"
#include "search/tensors.h"
#include "strategy/plain.h"
#include "tests/unit/compile.h"
#include "tests/unit/random_search.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Random programs ---------------------------------------------------------------------------------------- */

static const char *const models[] = {
    /* layers one after another */
    "    input x, y : f32[batch, hidden]\n"
    "    a = relu(linear(x, wide) as first)\n"
    "    b = gelu(linear(a, hidden) as second)\n"
    "    loss = mean over batch, hidden of squared_error(linear(b, hidden) as third, y)\n",
    /* classes */
    "    input x : f32[batch, hidden]\n"
    "    input labels : int[batch]\n"
    "    a = relu(linear(x, hidden) as feature)\n"
    "    loss = mean over batch of cross_entropy(linear(a, wide, bias = none) as out, labels)\n",
    /* images */
    "    input pixels : f32[batch, 4, 8, 8]\n"
    "    input labels : int[batch]\n"
    "    a = relu(convolution(pixels, 16, window = 3, pad = 1) as c1)\n"
    "    a = tanh(convolution(max_pool(a, 2), 32, window = 3, pad = 1) as c2)\n"
    "    loss = mean over batch of cross_entropy(linear(flatten(mean_pool(a, 2)), wide) as out, labels)\n",
    /* a sum of two paths, and a norm */
    "    input x, y : f32[batch, hidden]\n"
    "    a = x + relu(linear(layernorm(x) as norm, hidden) as one)\n"
    "    a = a + linear(relu(linear(a, wide) as up), hidden) as down\n"
    "    loss = mean over batch, hidden of squared_error(a, y)\n",
    /* tokens, a tied table */
    "    input tokens, targets : int[batch, context]\n"
    "    x = embedding(tokens, wide, hidden) as wte\n"
    "    x = x + linear(gelu(linear(rmsnorm(x) as norm, 2 * hidden) as up), hidden) as down\n"
    "    loss = mean over batch, context of cross_entropy(linear(x, wide, weight = wte.table, bias = none), targets)\n",
    /* a gate, and a weight that is used twice */
    "    input tokens, targets : int[batch, context]\n"
    "    x = embedding(tokens, wide, hidden) as words\n"
    "    g = silu(linear(x, hidden) as gate) * linear(x, hidden) as other\n"
    "    x = x + linear(g * linear(x, hidden, weight = gate.weight, bias = none), hidden) as last\n"
    "    loss = mean over batch, context of cross_entropy(linear(x, wide) as out, targets)\n",
    /* statistics of the batch, and what is drawn */
    "    input pixels : f32[batch, 4, 8, 8]\n"
    "    input labels : int[batch]\n"
    "    a = dropout(relu(batchnorm(convolution(pixels, 16, window = 3, pad = 1) as c1) as n1), 0.1)\n"
    "    loss = mean over batch of cross_entropy(linear(flatten(mean_pool(a, 4)), wide) as out, labels)\n",
    /* fused weights */
    "    input tokens, targets : int[batch, context]\n"
    "    x = embedding(tokens, 64, hidden) as wte\n"
    "    repeat block[layers] {\n"
    "        x = x + attention(rmsnorm(x) as norm1, 4, causal, rope = 10000, kv_heads = 2, weights = fused) as mixing\n"
    "        x = x + mlp(rmsnorm(x) as norm2, 2 * hidden, swiglu, weights = fused) as mlp\n"
    "    }\n"
    "    loss = mean over batch, context of cross_entropy(linear(x, wide, bias = none) as out, targets)\n",
    /* a repeated block */
    "    input x, y : f32[batch, hidden]\n"
    "    repeat block[layers] {\n"
    "        x = x + linear(gelu(linear(layernorm(x) as norm, wide) as up), hidden) as down\n"
    "    }\n"
    "    loss = mean over batch, hidden of squared_error(x, y)\n",
    /* experts */
    "    input tokens, targets : int[batch, context]\n"
    "    x = embedding(tokens, 64, hidden) as wte\n"
    "    repeat block[layers] {\n"
    "        x = x + moe(rmsnorm(x) as norm, 4, top = 2, 2 * hidden, gelu, capacity = 2) as moe\n"
    "    }\n"
    "    loss = mean over batch, context of cross_entropy(linear(x, wide, bias = none) as out, targets)\n",
    /* attention */
    "    input tokens, targets : int[batch, context]\n"
    "    x = embedding(tokens, 64, hidden) as wte\n"
    "    repeat block[layers] {\n"
    "        x = x + attention(layernorm(x) as norm1, 4, causal) as attn\n"
    "    }\n"
    "    loss = mean over batch, context of cross_entropy(linear(x, wide, bias = none) as out, targets)\n",
};

enum { MODELS = sizeof models / sizeof *models, MOST_PLACEMENTS = 400 };

/* `with`: what of the search space is asked for. */
static const char *random_program(Arena *arena, Draw *d, const char *with)
{
    Text text = {.arena = arena};
    text_add(&text, "place 1\nmodel m(layers = %s, hidden = %s, wide = %s, context = %s) {\n%s}\n",
             ONE_OF(d, "1", "2", "3"), ONE_OF(d, "8", "64", "512"), ONE_OF(d, "12", "64", "4096"), ONE_OF(d, "4", "32"),
             models[draw(d, MODELS)]);
    text_add(&text, "cluster pod { %s %s }\n",
             ONE_OF(d, "1 nodes of 2", "2 nodes of 2", "1 nodes of 4", "2 nodes of 4", "2 nodes of 1"),
             ONE_OF(d, "a100 within nvlink between infiniband 10 Gbit/s",
                    "h100 within nvlink between ethernet 1 Gbit/s", "b200 within nvlink between infiniband 10 Gbit/s",
                    measured));
    text_add(&text, "train m on pod {\n    search over pod {\n        with %s\n%s%s    }\n", with,
             ONE_OF(d, "", "        without zero2, zero3\n"),
             ONE_OF(d, "        microbatches at most 2\n", "        microbatches 1\n"));
    text_add(&text, "    optimizer %s(rate = 0.1)\n%s    data synthetic\n", ONE_OF(d, "adam", "sgd", "momentum"),
             ONE_OF(d, "", "    clip norm 1.0\n"));
    text_add(&text, "    precision %s\n    batch %s\n    steps 2\n}\n", ONE_OF(d, "f32", "bf16, master f32"),
             ONE_OF(d, "8", "32", "256"));
    return text.data;
}

/* ---- Brute force -------------------------------------------------------------------------------------------- */

typedef struct Brute {
    Arena *arena;
    Answer *answer;
    const Bounds *bounds;
    Weights weights;
    Choice choice;
    TermSum sum;
    StateBytes bytes;
    double placements; /* on all meshes, for one number of microbatches and one stage of ZeRO */
    Vec(Found) all;
} Brute;

/* Seconds, or bytes. */
static void check_below(const Brute *brute, const int8_t *way, double bound, double cost)
{
    if (bound <= cost * (1 + 1e-9))
        return;
    const char *declared = weights_declared(brute->arena, &brute->answer->space, &brute->weights, way);
    fprintf(stderr, "%s, %s, %d microbatches:\n%sat least %.9g, but it costs %.9g\n",
            space_mesh(brute->arena, &brute->choice),
            space_strategy(brute->arena, &brute->answer->space, &brute->choice), brute->choice.micro,
            declared != NULL ? declared : "", bound, cost);
    fail();
}

/* With all of them given, with only some, and with none. */
static void check_bounds(const Brute *brute, const int8_t *way, const Found *found)
{
    int *fixed = arena_array(brute->arena, int, brute->sum.variables);
    for (int v = 0; v < brute->sum.variables; v++)
        fixed[v] = -1;
    check_below(brute, way, bound_shape(brute->bounds, &brute->choice).seconds, found->seconds);
    for (int given = 0; given <= brute->weights.count; given++) {
        bool exact;
        check_below(brute, way, eliminate(&brute->sum, fixed, &exact), found->seconds);
        check_below(brute, way, tensors_least_bytes(&brute->weights, &brute->bytes, fixed), found->bytes);
        if (given < brute->weights.count)
            fixed[given] = way[given];
    }
}

static void cost_placement(Brute *brute, const int8_t *way)
{
    Space *space = &brute->answer->space;
    const char *declared = weights_declared(brute->arena, space, &brute->weights, way);
    Choice choice = brute->choice;
    if (declared == NULL && choice.apart)
        return;
    if (declared != NULL) {
        vec_push(brute->arena, &space->placed, declared);
        choice.placed = space->placed.count;
    }
    const Found found = best_cost(&brute->answer->pattern, space, &choice, brute->arena);
    if (found.error != NULL)
        return;
    check_bounds(brute, way, &found);
    vec_push(brute->arena, &brute->all, found);
}

static void each_placement(Brute *brute, int8_t *way, int weight)
{
    if (weight == brute->weights.count) {
        cost_placement(brute, way);
        return;
    }
    for (int w = 0; w < brute->weights.weight[weight].ways; w++) {
        way[weight] = (int8_t)w;
        each_placement(brute, way, weight + 1);
    }
}

static double placements(const Weights *weights)
{
    double count = 1;
    for (int w = 0; w < weights->count; w++)
        count *= weights->weight[w].ways;
    return count;
}

static void place_all(Brute *brute, int zero)
{
    Space *space = &brute->answer->space;
    int8_t way[MOST_WEIGHTS] = {0};
    Costed alike;
    const Version version = placed_alike(brute->arena, space, &brute->choice, &brute->weights);
    pattern_read(&brute->answer->pattern, &version, &alike);
    if (alike.error != NULL) { /* so is every placement (statistics over several microbatches) */
        assert_true(brute->choice.micro > 1);
        costed_close(&alike);
        return;
    }
    Tensors *tensors = tensors_open(brute->arena, &brute->weights, &alike);
    assert_non_null(tensors);
    tensors_bound(tensors, zero, &brute->sum);
    tensors_bytes(tensors, zero, &brute->bytes);
    costed_close(&alike);
    brute->choice.option[GROUP_STATES] = (int8_t)zero;
    each_placement(brute, way, 0);
}

static void each_zero(Brute *brute)
{
    const Options *stages = &brute->answer->space.options[GROUP_STATES];
    bool alone = brute->choice.degree[DEGREE_DATA] == 1;
    bool copies = brute->choice.apart && brute->choice.degree[DEGREE_REPLICA] > 1;
    for (int zero = alone || !copies ? 0 : 1; zero < (alone ? 1 : stages->count); zero++)
        if (alone || stages->option[zero].excluded == NULL)
            place_all(brute, zero);
}

static bool has_sequence(const Space *space)
{
    return space->options[GROUP_TENSORS].option[OPTION_SEQUENCE_PARALLEL].excluded == NULL;
}

/* The ranks of `tensor`, `replica` and `data`. */
static void each_mesh(Brute *brute, void (*found)(Brute *brute))
{
    const Space *space = &brute->answer->space;
    for (int64_t tensor = 1; tensor <= space->devices && tensor <= space->tensors.high; tensor++)
        for (int64_t copies = 1; copies <= space->devices; copies++) {
            int64_t data = space->devices / (tensor * copies);
            if (data * tensor * copies != space->devices || (data == 1 && (copies > 1 || tensor == 1)))
                continue;
            brute->choice = (Choice){
                .degree = {1, (int32_t)copies, (int32_t)data, 1, 1, (int32_t)tensor}, .chunks = 1, .apart = tensor > 1};
            weights_find(brute->arena, space, tensor > 1 ? DEGREE_TENSOR : DEGREE_DATA,
                         tensor > 1 ? tensor : space->devices, &brute->weights);
            found(brute);
            brute->weights.sequence = true;
            if (tensor > 1 && has_sequence(space))
                found(brute);
        }
}

static void each_microbatches(Brute *brute)
{
    const Space *space = &brute->answer->space;
    int64_t each = space->train->batch * brute->choice.degree[DEGREE_TENSOR] / space->devices;
    for (int64_t micro = space->micro.low; micro <= each && micro <= space->micro.high; micro++) {
        brute->choice.micro = (int32_t)micro;
        if (each % micro == 0)
            each_zero(brute);
    }
}

static void count_placements(Brute *brute)
{
    brute->placements += placements(&brute->weights);
}

/* ---- Tests -------------------------------------------------------------------------------------------------- */

static bool count_down(void *data, const Space *space, const Searched *searched)
{
    int *left = data;
    (void)space;
    (void)searched;
    return (*left)-- > 0;
}

/* All strategies of the space, and then placements, until the watch ends it. `least`: of all of them that fit. */
static Searched searched_by(const Brute *brute, Bounds *bounds, const SearchWatch *watch, double *least)
{
    const SearchWatch nobody = {0};
    Space *space = &brute->answer->space;
    Searched searched;
    best_find(brute->arena, &brute->answer->pattern, space, bounds, &nobody, &searched);
    *least = searched.any ? searched.best.seconds : INFINITY;
    for (int i = 0; i < brute->all.count; i++)
        if (brute->all.data[i].bytes <= (double)space->memory_bytes)
            *least = fmin(*least, brute->all.data[i].seconds);
    placed_find(brute->arena, &brute->answer->pattern, space, bounds, watch, &searched);
    assert_true(searched.any);
    costed_close(&searched.program);
    return searched;
}

/* But for rounding. */
static bool is_equal(double one, double other)
{
    return fabs(one - other) <= 1e-9 * other;
}

static void search_it(const Brute *brute, Bounds *bounds)
{
    double least;
    const SearchWatch nobody = {0};
    const Searched searched = searched_by(brute, bounds, &nobody, &least);
    /* Of those that cost the same the one with less memory is found. */
    const bool equal = searched.exact && is_equal(searched.best.seconds, least) && is_equal(searched.bound, least);
    if (!equal)
        fprintf(stderr, "found %.9g, but %.9g is the least of %d\n", searched.best.seconds, least, brute->all.count);
    assert_true(equal);
}

static void stop_it(const Brute *brute, Bounds *bounds, int ticks)
{
    double least;
    const SearchWatch stops = {.tick = count_down, .data = &ticks};
    const Searched searched = searched_by(brute, bounds, &stops, &least);
    assert_true(searched.bound <= least * (1 + 1e-9));
    assert_true(!searched.exact || is_equal(searched.best.seconds, least));
}

static void open_program(Ctx *ctx, Draw *d, const char *with, Answer *answer)
{
    const char *program = random_program(ctx->arena, d, with);
    ctx->strings = str_table_new(ctx->arena);
    ctx->sources = sources_new(ctx->arena);
    ctx->diag = diag_new(ctx->arena, ctx->sources);
    int source = source_add(ctx->sources, "test.place", program, strlen(program));
    bool good = search_open(ctx, source, answer);
    if (!good) {
        diag_print_text(ctx->diag, stderr, false, 20);
        fprintf(stderr, "%s", program);
    }
    assert_true(good);
}

static int check_instance(uint64_t seed)
{
    Ctx ctx = {.arena = arena_new()};
    Draw d = {seed * 2654435761u + 7};
    Answer answer;
    open_program(&ctx, &d, "placed", &answer);
    Brute brute = {.arena = ctx.arena, .answer = &answer};
    Bounds bounds;
    const char *error;
    assert_true(bounds_open(&bounds, ctx.arena, &answer.pattern, &answer.space, &error));
    brute.bounds = &bounds;
    each_mesh(&brute, count_placements);
    if (brute.placements <= MOST_PLACEMENTS &&
        answer.space.options[GROUP_PLACED].option[OPTION_PLACED].excluded == NULL) {
        each_mesh(&brute, each_microbatches);
        search_it(&brute, &bounds);
        stop_it(&brute, &bounds, draw(&d, 30));
        /* A limit that some are just within. */
        answer.space.memory_bytes = (int64_t)brute.all.data[draw(&d, brute.all.count)].bytes;
        search_it(&brute, &bounds);
    }
    search_close(&answer);
    int count = brute.all.count;
    arena_free(ctx.arena);
    return count;
}

static void equals_brute_force(void **state)
{
    (void)state;
    int64_t first = number_of("PLACED_SEED", 1), count = number_of("PLACED_INSTANCES", 4), placed = 0;
    for (int64_t i = first; i < first + count; i++) {
        placed += check_instance((uint64_t)i);
        if (count > 10)
            fprintf(stderr, "program %lld: %lld placements so far\n", (long long)i, (long long)placed);
    }
    assert_true(placed > 0);
}

/* Programs whose bounds were too high: what is drawn is drawn in shards; and gradients of parameters that are sharded
 * over `data` are not summed over it. */
static void equals_it_again(void **state)
{
    (void)state;
    check_instance(85);
    check_instance(8);
}

/* ---- Operators pinned --------------------------------------------------------------------------------------- */

/* What random pins are drawn from: all that can be said of a program's operators over the axis. */
typedef Vec(const char *) Pins;

static Pins pins_of(Arena *arena, const Answer *answer, const Choice *choice)
{
    Pins pins = {0};
    Costed read;
    const Version version = best_version(arena, &answer->space, choice);
    pattern_read(&answer->pattern, &version, &read);
    assert_null(read.error);
    const Facts *facts = facts_find(&read.ctx, read.train, read.assignment);
    const PinnedWays ways = derive_pinned_ways(facts);
    const char *axis = degree_names[space_placing(choice)];
    for (int i = 0; i < ways.count; i++)
        if (strcmp(facts->decls->axes.data[ways.data[i].pin.axis].name, axis) == 0)
            vec_push(arena, &pins, plain_pin(arena, facts->decls, &ways.data[i].pin));
    costed_close(&read);
    return pins;
}

/* Some pins, in addition to those that the choice has. */
static Found cost_pinned(Arena *arena, Answer *answer, Draw *d, const Pins *pins, Choice choice, int more)
{
    Space *space = &answer->space;
    Text text = {.arena = arena};
    if (choice.pinned > 0)
        text_add(&text, "%s", space->pinned.data[choice.pinned - 1].statements);
    for (int i = 0; i < more; i++)
        text_add(&text, "%s", pins->data[draw(d, pins->count)]);
    const PinnedSet set = {.over = space_placing(&choice), .statements = text.data};
    vec_push(arena, &space->pinned, set);
    choice.pinned = space->pinned.count;
    return best_cost(&answer->pattern, space, &choice, arena);
}

/* None of several sets of pins, of the best mesh, costs less than the bound; nor one more than what was found, if the
 * search came to an end. Returns how many are programs. */
static int try_pins(Arena *arena, Answer *answer, Draw *d, const Searched *searched)
{
    enum { SETS = 24 };
    int programs = 0;
    Choice alone = searched->best.choice;
    alone.pinned = 0;
    const Pins pins = pins_of(arena, answer, &alone);
    for (int i = 0; i < SETS && pins.count > 0; i++) {
        bool one = i % 2 == 0;
        const Found found =
            cost_pinned(arena, answer, d, &pins, one ? searched->best.choice : alone, one ? 1 : 1 + draw(d, 4));
        if (found.error != NULL || !found.fits)
            continue;
        programs++;
        assert_true(found.seconds >= searched->bound * (1 - 1e-9));
        assert_true(!one || !searched->climbed || found.seconds >= searched->best.seconds * (1 - 1e-9));
    }
    return programs;
}

/* Every other search has a limit of memory that the best without one is not within, and every fourth one of time that
 * it is just within, too. False: nothing else is within the limit. */
static bool limit_pinned(Arena *arena, Answer *answer, Bounds *bounds, Draw *d, Searched *searched)
{
    const SearchWatch nobody = {0};
    int limited = draw(d, 4);
    if (limited > 1)
        return true;
    costed_close(&searched->program);
    answer->space.memory_bytes = (int64_t)searched->best.bytes - 1;
    best_find(arena, &answer->pattern, &answer->space, bounds, &nobody, searched);
    if (searched->any && limited == 1)
        answer->space.most_seconds = searched->best.seconds;
    return searched->any;
}

typedef struct Drawn {
    Draw *d;
    int met;
    Choice choice;
} Drawn;

/* Each of them equally likely. */
static void draw_shape(void *data, const Choice *shape)
{
    Drawn *drawn = data;
    if (draw(drawn->d, ++drawn->met) == 0)
        drawn->choice = *shape;
}

/* A strategy of any shape of the space, with everything else drawn. */
static Choice draw_choice(const Space *space, Draw *d)
{
    static const int groups[] = {GROUP_STATES, GROUP_CONTEXTS, GROUP_TENSORS};
    Drawn drawn = {.d = d};
    best_each_shape(space, draw_shape, &drawn);
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        const Options *options = &space->options[groups[i]];
        int option = draw(d, options->count);
        bool used = drawn.choice.degree[options->degree] > 1, copies = drawn.choice.degree[DEGREE_REPLICA] > 1;
        if (groups[i] == GROUP_STATES && copies && option == OPTION_DATA_PARALLEL)
            option = OPTION_ZERO1;
        if (used && options->option[option].excluded == NULL)
            drawn.choice.option[groups[i]] = (int8_t)option;
    }
    return drawn.choice;
}

/* No program with pins takes less than the bound of its mesh. */
static int try_meshes(Arena *arena, Answer *answer, Draw *d)
{
    enum { CHOICES = 4, SETS = 6 };
    int programs = 0;
    for (int i = 0; i < CHOICES; i++) {
        const Choice choice = draw_choice(&answer->space, d);
        if (best_cost(&answer->pattern, &answer->space, &choice, arena).error != NULL)
            continue;
        const double least = freely_least(&answer->pattern, &answer->space, &choice);
        assert_true(least > 0 || choice.degree[space_placing(&choice)] == 1);
        const Pins pins = pins_of(arena, answer, &choice);
        for (int s = 0; s < SETS && pins.count > 0; s++) {
            const Found found = cost_pinned(arena, answer, d, &pins, choice, draw(d, 5));
            if (found.error != NULL)
                continue;
            programs++;
            if (found.seconds < least * (1 - 1e-9))
                fprintf(stderr, "%s, %s, %d microbatches: %.9g, but at least %.9g\n%s", space_mesh(arena, &choice),
                        space_strategy(arena, &answer->space, &choice), choice.micro, found.seconds, least,
                        answer->space.pinned.data[answer->space.pinned.count - 1].statements);
            assert_true(found.seconds >= least * (1 - 1e-9));
        }
    }
    return programs;
}

/* With pins it is never slower; its bound is one for all sets of pins. True if they made it faster. */
static bool check_pinned(uint64_t seed, int *programs)
{
    Ctx ctx = {.arena = arena_new()};
    Draw d = {seed * 2654435761u + 11};
    Answer answer;
    open_program(&ctx, &d, draw(&d, 2) == 0 ? "pinned" : "placed, pinned", &answer);
    Bounds bounds;
    const char *error;
    assert_true(bounds_open(&bounds, ctx.arena, &answer.pattern, &answer.space, &error));
    const SearchWatch nobody = {0};
    int ticks = 400;
    const SearchWatch stops = {.tick = count_down, .data = &ticks};
    Searched searched;
    best_find(ctx.arena, &answer.pattern, &answer.space, &bounds, &nobody, &searched);
    placed_find(ctx.arena, &answer.pattern, &answer.space, &bounds, &stops, &searched);
    assert_true(searched.any);
    if (!limit_pinned(ctx.arena, &answer, &bounds, &d, &searched)) {
        search_close(&answer);
        arena_free(ctx.arena);
        return false;
    }
    const double before = searched.best.seconds;
    ticks = 400;
    freely_bound(&answer.pattern, &answer.space, &bounds, &stops, &searched);
    pinned_find(ctx.arena, &answer.pattern, &answer.space, &stops, &searched);
    assert_true(searched.unpinned.seconds == before && searched.best.seconds <= before);
    if (searched.bound > searched.best.seconds)
        fprintf(stderr, "%s, %s, %d microbatches:\n%s%.9g, but at least %.9g\n",
                space_mesh(ctx.arena, &searched.best.choice),
                space_strategy(ctx.arena, &answer.space, &searched.best.choice), searched.best.choice.micro,
                space_declared(ctx.arena, &answer.space, &searched.best.choice), searched.best.seconds, searched.bound);
    assert_true(searched.bound <= searched.best.seconds);
    assert_true(answer.space.memory_bytes == 0 || searched.best.bytes <= (double)answer.space.memory_bytes);
    assert_false(space_too_slow(&answer.space, searched.best.seconds));
    assert_true(searched.best.choice.pinned > 0 || searched.best.seconds == before);
    *programs += try_pins(ctx.arena, &answer, &d, &searched) + try_meshes(ctx.arena, &answer, &d);
    const bool faster = searched.best.seconds < before;
    costed_close(&searched.program);
    search_close(&answer);
    arena_free(ctx.arena);
    return faster;
}

static void pins_are_above_the_bound(void **state)
{
    (void)state;
    int64_t first = number_of("PLACED_SEED", 1), count = number_of("PINNED_INSTANCES", 5);
    int faster = 0, programs = 0;
    for (int64_t i = first; i < first + count; i++) {
        faster += check_pinned((uint64_t)i, &programs);
        if (count > 10)
            fprintf(stderr, "program %lld: %d programs with pins, %d searches made faster by them so far\n",
                    (long long)i, programs, faster);
    }
    assert_true(count < 5 || (programs > 0 && faster > 0)); /* a few searches may have none */
}

/* ---- Elimination -------------------------------------------------------------------------------------------- */

static Term random_term(Arena *arena, Draw *d, const int *sizes, int variables)
{
    Term term = {0};
    size_t cells = 1;
    for (int v = 0; v < variables && term.count < 3; v++)
        if (draw(d, 3) == 0) {
            term.variable[term.count++] = v;
            cells *= (size_t)sizes[v];
        }
    term.costs = arena_array(arena, double, cells);
    for (size_t cell = 0; cell < cells; cell++)
        term.costs[cell] = draw(d, 9) == 0 ? INFINITY : draw(d, 100);
    return term;
}

static double value_of(const TermSum *sum, const int *value)
{
    double total = 0;
    for (int t = 0; t < sum->terms.count; t++) {
        const Term *term = &sum->terms.data[t];
        size_t cell = 0;
        for (int i = 0; i < term->count; i++)
            cell = cell * (size_t)sum->sizes[term->variable[i]] + (size_t)value[term->variable[i]];
        total += term->costs[cell];
    }
    return total;
}

static double least_by_trying(const TermSum *sum, const int *fixed, int *value, int variable)
{
    if (variable == sum->variables)
        return value_of(sum, value);
    double least = INFINITY;
    for (int v = 0; v < sum->sizes[variable]; v++) {
        value[variable] = v;
        if (fixed[variable] < 0 || fixed[variable] == v)
            least = fmin(least, least_by_trying(sum, fixed, value, variable + 1));
    }
    return least;
}

static void eliminates(void **state)
{
    (void)state;
    Draw d = {42};
    for (int i = 0; i < 500; i++) {
        Arena *arena = arena_new();
        int sizes[7], fixed[7], value[7], kept = draw(&d, 8);
        TermSum sum = {.variables = 1 + draw(&d, 7), .sizes = sizes};
        for (int v = 0; v < sum.variables; v++) {
            sizes[v] = 1 + draw(&d, 4);
            fixed[v] = v < kept && draw(&d, 2) == 0 ? draw(&d, sizes[v]) : -1;
        }
        for (int t = draw(&d, 8); t >= 0; t--)
            vec_push(arena, &sum.terms, random_term(arena, &d, sizes, sum.variables));
        double least = least_by_trying(&sum, fixed, value, 0);
        TermSum whole = sum;
        bool exact;
        eliminate_prepare(arena, &whole, whole.variables);
        assert_true(eliminate_to(&whole, fixed, &exact, value) == least && value_of(&sum, value) == least);
        eliminate_prepare(arena, &sum, kept);
        assert_true(eliminate(&sum, fixed, &exact) == least);
        assert_true(exact);
        arena_free(arena);
    }
}

/* Ten variables with 8 values, all of them in some term with each other: no table has room for that. */
static void stays_below(void **state)
{
    (void)state;
    enum { COUNT = 10, SIZE = 8 };
    Arena *arena = arena_new();
    Draw d = {7};
    int sizes[COUNT], fixed[COUNT], value[COUNT];
    TermSum sum = {.variables = COUNT, .sizes = sizes};
    for (int v = 0; v < COUNT; v++) {
        sizes[v] = SIZE;
        fixed[v] = -1;
        value[v] = draw(&d, SIZE);
    }
    for (int a = 0; a < COUNT; a++)
        for (int b = a + 1; b < COUNT; b++) {
            Term term = {2, {a, b}, arena_array(arena, double, SIZE *SIZE)};
            for (int cell = 0; cell < SIZE * SIZE; cell++)
                term.costs[cell] = draw(&d, 100);
            vec_push(arena, &sum.terms, term);
        }
    TermSum prepared = sum;
    bool exact;
    eliminate_prepare(arena, &prepared, 0);
    double least = eliminate(&prepared, fixed, &exact);
    assert_false(exact);
    assert_true(least > 0);
    for (int i = 0; i < 100000; i++) {
        value[draw(&d, COUNT)] = draw(&d, SIZE);
        assert_true(least <= value_of(&sum, value));
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eliminates),
        cmocka_unit_test(stays_below),
        cmocka_unit_test(equals_brute_force),
        cmocka_unit_test(equals_it_again),
        cmocka_unit_test(pins_are_above_the_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

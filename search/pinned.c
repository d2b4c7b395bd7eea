/* pinned.c - hill climbing over pins of operators (search/pinned.h). */
#include "search/pinned.h"

#include "derive/facts.h"
#include "search/tensors.h"
#include "strategy/plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Programs with other pins. */
enum { MOST_TRIES = 2000 };

/* To compute one operator over the axis. */
typedef struct Way {
    const char *statement;
    int op;
    double seconds; /* that the operator takes on one device */
    int order;      /* in the program */
    bool best;      /* it is where the sum of terms is least */
} Way;

typedef Vec(Way) Ways;

typedef struct Pinning {
    Arena *arena;
    const Pattern *pattern;
    Space *space;
    const SearchWatch *watch;
    Searched *searched;
    Ways ways;  /* the most promising first */
    bool *used; /* per way */
    int64_t tries;
    bool stopped;
} Pinning;

/* ---- The space ---------------------------------------------------------------------------------------------- */

/* NULL: it is of use. */
static const char *without_use(const Space *space)
{
    switch (space->objective) {
    case LEAST_TIME:
    case LEAST_PRICE:
        return NULL;
    case LEAST_MEMORY:
    case LEAST_BOTH:
    case MOST_THROUGHPUT:
        return "operators are pinned only for the least time or price";
    }
    BUG("no objective %d", space->objective);
}

bool pinned_open(Ctx *ctx, const Pattern *pattern, Space *space)
{
    space->pinned_name = pattern->pinned;
    const char *why = space->pinned_wanted ? without_use(space) : NULL;
    if (why == NULL)
        return true;
    Diagnostic *d = diag_report(ctx->diag, P0365, space->pinned_span, "`with pinned` has nothing to look at");
    diag_why(d, "pinned: %s.", why);
    diag_help(d, "Leave out `pinned`, or what stands against it.");
    return false;
}

/* ---- Ways to compute operators ------------------------------------------------------------------------------ */

/* First what is computed otherwise where the sum of terms is least. */
static int by_promise(const void *a, const void *b)
{
    const Way *x = a, *y = b;
    if (x->best != y->best)
        return x->best ? -1 : 1;
    return x->seconds != y->seconds ? (x->seconds < y->seconds ? 1 : -1) : x->order - y->order;
}

static bool is_same(const Op *op, const Signature *one, const Signature *other)
{
    bool same = on_axis_equal(one->result, other->result);
    for (int o = 0; o < op->operand_count; o++)
        same = same && on_axis_equal(one->operand[o], other->operand[o]);
    return same;
}

static bool is_best(const BestWays *best, const PinnedWay *way)
{
    for (int i = 0; i < best->list.count; i++)
        if (best->list.data[i].op == way->op->id)
            return is_same(way->op, &best->list.data[i].signature, way->signature);
    return false;
}

static void add_way(Pinning *p, const Costed *read, const Facts *facts, const PinnedWay *way, bool best)
{
    Program reference = *facts->reference;
    reference.decls = facts->decls;
    const Way found = {.statement = plain_pin(p->arena, facts->decls, &way->pin),
                       .op = way->op->id,
                       .seconds = way->times * cost_op(&read->train->cluster, &reference, way->op, NULL).seconds,
                       .order = p->ways.count,
                       .best = best};
    vec_push(p->arena, &p->ways, found);
}

/* Operators of which no statement speaks are no ways; neither is what a pipeline sends. */
static void find_ways(Pinning *p)
{
    Costed read;
    const Version version = best_version(p->arena, p->space, &p->searched->best.choice);
    pattern_read(p->pattern, &version, &read);
    const Facts *facts = read.error == NULL ? facts_find(&read.ctx, read.train, read.assignment) : NULL;
    const PinnedWays all = facts != NULL ? derive_pinned_ways(facts) : (PinnedWays){0};
    BestWays best = {0};
    if (facts != NULL)
        tensors_best(read.ctx.arena, &read, p->searched->best.choice.option[GROUP_STATES], &best);
    const char *axis = degree_names[space_placing(&p->searched->best.choice)];
    for (int i = 0; i < all.count; i++)
        if (strcmp(facts->decls->axes.data[all.data[i].pin.axis].name, axis) == 0)
            add_way(p, &read, facts, &all.data[i], is_best(&best, &all.data[i]));
    costed_close(&read);
    if (p->ways.count > 0)
        qsort(p->ways.data, (size_t)p->ways.count, sizeof *p->ways.data, by_promise);
    p->used = arena_array(p->arena, bool, p->ways.count + 1);
}

/* ---- Sets of them ------------------------------------------------------------------------------------------- */

static int by_order(const void *a, const void *b)
{
    return (*(const Way *const *)a)->order - (*(const Way *const *)b)->order;
}

/* The statements, in the order of the program; 0: there are none. */
static int32_t declare(Pinning *p)
{
    Vec(const Way *) used = {0};
    PinnedSet set = {.over = space_placing(&p->searched->best.choice)};
    Text text = {.arena = p->arena};
    for (int w = 0; w < p->ways.count; w++)
        if (p->used[w])
            vec_push(p->arena, &used, &p->ways.data[w]);
    if (used.count == 0)
        return 0;
    qsort(used.data, (size_t)used.count, sizeof *used.data, by_order);
    for (int i = 0; i < used.count; i++)
        text_add(&text, "%s", used.data[i]->statement);
    set.statements = text.data;
    vec_push(p->arena, &p->space->pinned, set);
    return p->space->pinned.count;
}

/* What is pinned already, in a strategy from which only another choice was changed. */
static void use_pins(Pinning *p)
{
    const int32_t pinned = p->searched->best.choice.pinned;
    const char *statements = pinned > 0 ? p->space->pinned.data[pinned - 1].statements : "";
    for (int w = 0; w < p->ways.count; w++)
        p->used[w] = strstr(statements, p->ways.data[w].statement) != NULL;
}

/* Is the program with these pins faster than all so far? Then it is the best. What is refused is none. */
static bool is_better(Pinning *p)
{
    const char *error = p->searched->error;
    Choice choice = p->searched->best.choice;
    choice.pinned = declare(p);
    best_try(p->arena, p->pattern, p->space, &choice, p->searched);
    p->searched->error = error;
    p->searched->pinned++;
    p->tries--;
    return p->searched->best.choice.pinned == choice.pinned;
}

static bool goes_on(Pinning *p)
{
    p->stopped = p->stopped || p->tries == 0 || !best_goes_on(p->watch, p->space, p->searched);
    return !p->stopped;
}

/* One more pin, or another one of the same operator. */
static bool add(Pinning *p, int way)
{
    const Way *added = &p->ways.data[way];
    int other = -1;
    for (int w = 0; w < p->ways.count; w++)
        if (p->used[w] && p->ways.data[w].op == added->op)
            other = w;
    if (other >= 0)
        p->used[other] = false;
    p->used[way] = true;
    if (is_better(p))
        return true;
    p->used[way] = false;
    if (other >= 0)
        p->used[other] = true;
    return false;
}

static bool leave_out(Pinning *p, int way)
{
    p->used[way] = false;
    if (is_better(p))
        return true;
    p->used[way] = true;
    return false;
}

/* Every pin once; true if one of them made a step faster. */
static bool climb(Pinning *p)
{
    bool better = false;
    for (int w = 0; w < p->ways.count && goes_on(p); w++)
        better = (p->used[w] ? leave_out(p, w) : add(p, w)) || better;
    return better;
}

/* ---- Together ----------------------------------------------------------------------------------------------- */

/* Pins it as well, whether that is faster than the last program or not; but not what is refused, or changes nothing. */
static void follow(Pinning *p, int way, Found *last)
{
    Choice choice = p->searched->best.choice;
    p->used[way] = true;
    choice.pinned = declare(p);
    const Found found = best_cost(p->pattern, p->space, &choice, p->arena);
    p->searched->pinned++;
    p->used[way] = found.error == NULL && (found.seconds != last->seconds || found.bytes != last->bytes);
    if (!p->used[way])
        return;
    *last = found;
    if (found.fits && best_beats(p->space, &found, &p->searched->best))
        best_try(p->arena, p->pattern, p->space, &choice, p->searched);
}

/* The ways with which the sum of terms is least, one after another in the order of the program: some gain only
 * together. */
static void follow_best(Pinning *p)
{
    Vec(const Way *) best = {0};
    for (int w = 0; w < p->ways.count; w++)
        if (p->ways.data[w].best)
            vec_push(p->arena, &best, &p->ways.data[w]);
    if (best.count > 0)
        qsort(best.data, (size_t)best.count, sizeof *best.data, by_order);
    Found last = p->searched->best;
    for (int i = 0; i < best.count && goes_on(p); i++)
        follow(p, (int)(best.data[i] - p->ways.data), &last);
    use_pins(p);
}

/* ---- All of it ---------------------------------------------------------------------------------------------- */

void pinned_find(Arena *arena, const Pattern *pattern, Space *space, const SearchWatch *watch, Searched *searched)
{
    Pinning p = {
        .arena = arena, .pattern = pattern, .space = space, .watch = watch, .searched = searched, .tries = MOST_TRIES};
    if (!space->pinned_wanted || !searched->any)
        return;
    if (searched->pinned == 0)
        searched->unpinned = searched->best;
    searched->bound = fmin(searched->bound, searched->free_bound);
    find_ways(&p);
    use_pins(&p);
    follow_best(&p);
    while (climb(&p))
        continue;
    searched->exact = searched->bound >= best_value(space, &searched->best);
    searched->climbed = !p.stopped;
}

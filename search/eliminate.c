/* eliminate.c - bucket elimination (search/eliminate.h). */
#include "search/eliminate.h"

#include <math.h>
#include <string.h>

/* Of one table; of one that replaces what it was made from. */
enum { MOST_CELLS = 1 << 16, MOST_KEPT_CELLS = 1 << 10 };

/* ---- Terms -------------------------------------------------------------------------------------------------- */

static size_t term_cells(const TermSum *sum, const Term *term)
{
    size_t cells = 1;
    for (int i = 0; i < term->count; i++)
        cells *= (size_t)sum->sizes[term->variable[i]];
    return cells;
}

/* How far apart cells are that differ by one in this variable; 0: it has it not. */
static size_t stride_of(const TermSum *sum, const Term *term, int variable)
{
    size_t stride = 1;
    for (int i = term->count - 1; i >= 0; i--) {
        if (term->variable[i] == variable)
            return stride;
        stride *= (size_t)sum->sizes[term->variable[i]];
    }
    return 0;
}

static bool has_variable(const Term *term, int variable)
{
    for (int i = 0; i < term->count; i++)
        if (term->variable[i] == variable)
            return true;
    return false;
}

/* The term for these values of fixed variables, which it has no more. */
static Term restricted(Arena *arena, const TermSum *sum, const Term *term, const int *fixed)
{
    Term rest = {0};
    size_t at = 0;
    for (int i = 0; i < term->count; i++) {
        int variable = term->variable[i];
        if (fixed[variable] < 0)
            rest.variable[rest.count++] = variable;
        else
            at += (size_t)fixed[variable] * stride_of(sum, term, variable);
    }
    if (rest.count == term->count)
        return *term;
    size_t cells = term_cells(sum, &rest);
    rest.costs = arena_array(arena, double, cells);
    for (size_t cell = 0; cell < cells; cell++) {
        size_t left = cell, from = at;
        for (int i = rest.count - 1; i >= 0; i--) {
            size_t size = (size_t)sum->sizes[rest.variable[i]];
            from += left % size * stride_of(sum, term, rest.variable[i]);
            left /= size;
        }
        rest.costs[cell] = term->costs[from];
    }
    return rest;
}

/* ---- Elimination -------------------------------------------------------------------------------------------- */

/* Terms that are added up: the variables of all of them, that to be eliminated last. */
typedef struct Bucket {
    Term joined; /* without costs */
    Vec(const Term *) terms;
} Bucket;

/* Adds a term's variables, or leaves the bucket as it is: too many, or too large a table. */
static bool bucket_takes(const TermSum *sum, Bucket *bucket, const Term *term, int eliminated)
{
    Term joined = bucket->joined;
    for (int i = 0; i < term->count; i++) {
        if (term->variable[i] == eliminated || has_variable(&joined, term->variable[i]))
            continue;
        if (joined.count == TERM_MOST_VARIABLES)
            return false;
        joined.variable[joined.count++] = term->variable[i];
    }
    if (bucket->terms.count > 0 && term_cells(sum, &joined) > MOST_CELLS)
        return false;
    bucket->joined = joined;
    return true;
}

/* `at`: the cells where it is 0; `strides`: how far apart its values are in each term. */
static double least_in(const Bucket *bucket, int values, const size_t *at, const size_t *strides)
{
    double least = INFINITY;
    for (int value = 0; value < values; value++) {
        double cost = 0;
        for (int t = 0; t < bucket->terms.count; t++)
            cost += bucket->terms.data[t]->costs[at[t] + (size_t)value * strides[t]];
        least = cost < least ? cost : least;
    }
    return least;
}

/* The least of the bucket's sum for each value of the variables that are left. */
static Term eliminated_from(Arena *arena, const TermSum *sum, const Bucket *bucket, int eliminated)
{
    Term rest = bucket->joined;
    size_t cells = term_cells(sum, &rest), terms = (size_t)bucket->terms.count;
    size_t *strides = arena_array(arena, size_t, terms * TERM_MOST_VARIABLES), *at = arena_array(arena, size_t, terms);
    size_t *own = arena_array(arena, size_t, terms);
    int value[TERM_MOST_VARIABLES] = {0};
    for (size_t t = 0; t < terms; t++) {
        own[t] = stride_of(sum, bucket->terms.data[t], eliminated);
        for (int i = 0; i < rest.count; i++)
            strides[t * TERM_MOST_VARIABLES + (size_t)i] = stride_of(sum, bucket->terms.data[t], rest.variable[i]);
    }
    rest.costs = arena_array(arena, double, cells);
    for (size_t cell = 0; cell < cells; cell++) {
        rest.costs[cell] = least_in(bucket, sum->sizes[eliminated], at, own);
        for (int i = rest.count - 1; i >= 0; i--) {
            bool carries = ++value[i] == sum->sizes[rest.variable[i]];
            for (size_t t = 0; t < terms; t++) {
                size_t stride = strides[t * TERM_MOST_VARIABLES + (size_t)i];
                at[t] = carries ? at[t] - stride * (size_t)(value[i] - 1) : at[t] + stride;
            }
            if (!carries)
                break;
            value[i] = 0;
        }
    }
    return rest;
}

/* Puts the terms that have the variable into as few buckets as they fit in. */
static int fill_buckets(Arena *arena, const TermSum *sum, Terms *terms, int variable, Bucket *buckets)
{
    int count = 0, kept = 0;
    for (int t = 0; t < terms->count; t++) {
        if (!has_variable(&terms->data[t], variable)) {
            terms->data[kept++] = terms->data[t];
            continue;
        }
        Term *term = arena_make(arena, Term);
        *term = terms->data[t];
        int b = 0;
        while (b < count && !bucket_takes(sum, &buckets[b], term, variable))
            b++;
        if (b == count) {
            buckets[count] = (Bucket){0};
            bucket_takes(sum, &buckets[count++], term, variable);
        }
        vec_push(arena, &buckets[b].terms, term);
    }
    terms->count = kept;
    return count;
}

/* What one variable was eliminated from. */
typedef struct Step {
    int variable, count;
    Bucket *buckets;
} Step;

/* `steps`: per step of the order, or NULL. */
static double eliminate_all(Arena *arena, const TermSum *sum, const int *fixed, bool *exact, Step *steps)
{
    Terms terms = {0};
    double least = 0;
    *exact = true;
    for (int t = 0; t < sum->terms.count; t++) {
        const Term term = restricted(arena, sum, &sum->terms.data[t], fixed);
        vec_push(arena, &terms, term);
    }
    Bucket *buckets = arena_array(arena, Bucket, sum->terms.count + 1);
    for (int step = 0; step < sum->order_count; step++) {
        int variable = sum->order[step], count = 0;
        if (fixed[variable] < 0)
            count = fill_buckets(arena, sum, &terms, variable, buckets);
        *exact = *exact && count <= 1;
        for (int b = 0; b < count; b++) {
            const Term rest = eliminated_from(arena, sum, &buckets[b], variable);
            vec_push(arena, &terms, rest);
        }
        if (steps == NULL)
            continue;
        steps[step] = (Step){variable, count, arena_array(arena, Bucket, count + 1)};
        memcpy(steps[step].buckets, buckets, sizeof(Bucket) * (size_t)count);
    }
    for (int t = 0; t < terms.count; t++)
        least += terms.data[t].costs[0];
    return least;
}

double eliminate(const TermSum *sum, const int *fixed, bool *exact)
{
    Arena *arena = arena_new();
    double least = eliminate_all(arena, sum, fixed, exact, NULL);
    arena_free(arena);
    return least;
}

static double cost_at(const TermSum *sum, const Term *term, const int *value)
{
    size_t cell = 0;
    for (int i = 0; i < term->count; i++)
        cell = cell * (size_t)sum->sizes[term->variable[i]] + (size_t)value[term->variable[i]];
    return term->costs[cell];
}

/* The value with the least sum of all that the variable was eliminated from: what else that has is known. */
static int best_value_of(const TermSum *sum, const Step *step, int *value)
{
    int best = 0;
    double least = INFINITY;
    for (int v = 0; v < sum->sizes[step->variable]; v++) {
        double cost = 0;
        value[step->variable] = v;
        for (int b = 0; b < step->count; b++)
            for (int t = 0; t < step->buckets[b].terms.count; t++)
                cost += cost_at(sum, step->buckets[b].terms.data[t], value);
        if (cost < least) {
            least = cost;
            best = v;
        }
    }
    return best;
}

double eliminate_to(const TermSum *sum, const int *fixed, bool *exact, int *value)
{
    Arena *arena = arena_new();
    Step *steps = arena_array(arena, Step, sum->order_count + 1);
    double least = eliminate_all(arena, sum, fixed, exact, steps);
    for (int v = 0; v < sum->variables; v++)
        value[v] = fixed[v] >= 0 ? fixed[v] : 0;
    for (int step = sum->order_count - 1; step >= 0; step--)
        if (fixed[steps[step].variable] < 0)
            value[steps[step].variable] = best_value_of(sum, &steps[step], value);
    arena_free(arena);
    return least;
}

/* ---- The order ---------------------------------------------------------------------------------------------- */

/* Which variables are in some term together: per variable, one byte per other. */
typedef struct Graph {
    int count;
    bool *near; /* count x count */
    bool *gone;
} Graph;

static Graph graph_of(Arena *arena, const TermSum *sum)
{
    size_t count = (size_t)sum->variables;
    Graph graph = {sum->variables, arena_array(arena, bool, count *count), arena_array(arena, bool, count)};
    for (int t = 0; t < sum->terms.count; t++) {
        const Term *term = &sum->terms.data[t];
        for (int i = 0; i < term->count; i++)
            for (int j = 0; j < term->count; j++)
                graph.near[(size_t)term->variable[i] * count + (size_t)term->variable[j]] = true;
    }
    return graph;
}

/* The cells of the table without the variable. */
static double cells_of(const Graph *graph, const TermSum *sum, int variable)
{
    double cells = 1;
    for (int other = 0; other < graph->count; other++)
        if (other != variable && !graph->gone[other] &&
            graph->near[(size_t)variable * (size_t)graph->count + (size_t)other])
            cells *= sum->sizes[other];
    return cells;
}

/* What was in terms with it is in one term now. */
static void join_neighbours(Graph *graph, int variable)
{
    size_t count = (size_t)graph->count;
    const bool *near = graph->near + (size_t)variable * count;
    for (int a = 0; a < graph->count; a++)
        for (int b = 0; b < graph->count && near[a] && !graph->gone[a]; b++)
            if (near[b] && !graph->gone[b])
                graph->near[(size_t)a * count + (size_t)b] = true;
    graph->gone[variable] = true;
}

/* The one whose table is the smallest, of those from `first` on; -1: there is none. */
static int smallest(const Graph *graph, const TermSum *sum, const double *cells, int first)
{
    int best = -1;
    for (int v = first; v < sum->variables; v++)
        if (!graph->gone[v] && (best < 0 || cells[v] < cells[best]))
            best = v;
    return best;
}

static void leave(Graph *graph, const TermSum *sum, double *cells, int variable)
{
    join_neighbours(graph, variable);
    for (int v = 0; v < sum->variables; v++)
        if (!graph->gone[v] && graph->near[(size_t)variable * (size_t)graph->count + (size_t)v])
            cells[v] = cells_of(graph, sum, v);
}

/* What is the same whatever else is fixed. */
static void eliminate_early(Arena *arena, TermSum *sum, int variable)
{
    Bucket *buckets = arena_array(arena, Bucket, sum->terms.count + 1);
    int count = fill_buckets(arena, sum, &sum->terms, variable, buckets);
    for (int b = 0; b < count; b++) {
        const Term rest = eliminated_from(arena, sum, &buckets[b], variable);
        vec_push(arena, &sum->terms, rest);
    }
}

void eliminate_prepare(Arena *arena, TermSum *sum, int kept)
{
    Arena *scratch = arena_new();
    int *order = arena_array(arena, int, sum->variables), variable;
    Graph graph = graph_of(scratch, sum);
    double *cells = arena_array(scratch, double, sum->variables);
    for (int v = 0; v < sum->variables; v++)
        cells[v] = cells_of(&graph, sum, v);
    for (;;) {
        variable = smallest(&graph, sum, cells, kept);
        if (variable < 0 || cells[variable] > MOST_KEPT_CELLS)
            break;
        leave(&graph, sum, cells, variable);
        eliminate_early(arena, sum, variable);
    }
    sum->order_count = 0;
    while ((variable = smallest(&graph, sum, cells, 0)) >= 0) {
        order[sum->order_count++] = variable;
        leave(&graph, sum, cells, variable);
    }
    sum->order = order;
    arena_free(scratch);
}

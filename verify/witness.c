/* witness.c - runs the wrong value on a small mesh (verify/witness.h).
 *
 * The program is run again with the axes in question reduced to 2 ranks (3 if 2 hide the fault), unless it has weights
 * made for the real sizes. What the wrong buffer then holds on a rank is a sum of parts; every part gets a small odd
 * number, and the sum is computed as the program computes it. So the numbers follow from the program; where they do not
 * differ from one device's, nothing is shown.
 */
#include "verify/witness.h"

#include "step/spec.h"
#include "verify/chain.h"
#include "verify/ranks.h"

#include <math.h>
#include <string.h>

enum { MOST_RANKS_SHOWN = 4, MOST_PARTS = 4096 };

typedef struct Witness {
    Arena *arena; /* the caller's, for the text */
    const Decls *decls;
    int64_t micro;
    AxisMask parts;    /* the axes over which the value is in parts, including time */
    AxisMask repeated; /* the axes whose ranks read what the first one reads */
    AxisMask read;     /* the axes whose ranks read different parts of the batch */
    int64_t coordinate[TIME_BIT + 1];
} Witness;

static int64_t axis_size(const Witness *w, int axis)
{
    return axis == TIME_BIT ? w->micro : w->decls->axes.data[axis].size;
}

static int64_t count_ranks(const Witness *w, AxisMask axes)
{
    int64_t count = 1;
    for (int a = 0; a <= TIME_BIT; a++)
        count *= axes >> a & 1 ? axis_size(w, a) : 1;
    return count;
}

/* TIME_BIT + 1 if there is none. */
static int first_axis(AxisMask axes)
{
    int axis = 0;
    while (axis <= TIME_BIT && !(axes >> axis & 1))
        axis++;
    return axis;
}

static double as_number(Rational rational)
{
    return (double)rational.numerator / (double)rational.denominator;
}

/* ---- Numbers ------------------------------------------------------------------------------------------------ */

static AxisMask decomp_axes(const Decomp *decomp)
{
    AxisMask axes = 0;
    for (int i = 0; decomp != NULL && i < decomp->count; i++) {
        for (int j = 0; j < decomp->part[i].cuts.count; j++)
            axes |= (AxisMask)1 << decomp->part[i].cuts.axis[j];
        axes |= decomp_axes(decomp->part[i].inner);
    }
    return axes;
}

/* The part at the witness's coordinates: 1, 3, 5, ..., time outermost. */
static double part_number(const Witness *w)
{
    int64_t index = 0;
    if (w->parts & TIME_MASK)
        index = w->coordinate[TIME_BIT];
    for (int a = 0; a < w->decls->axes.count; a++)
        if (w->parts >> a & 1)
            index = index * axis_size(w, a) + (w->repeated >> a & 1 ? 0 : w->coordinate[a]);
    return (double)(2 * index + 1);
}

static double mono_number(const Witness *w, const Mono *mono)
{
    return mono == NULL ? 1 : as_number(mono_at(w->decls, mono, w->coordinate));
}

/* Sums the parts over all coordinates of the axes in `sum` (time: low .. high-1); the other coordinates stay fixed. */
static double sum_parts(Witness *w, AxisMask sum, int64_t low, int64_t high)
{
    int axis = first_axis(sum);
    if (axis > TIME_BIT)
        return part_number(w);
    int64_t saved = w->coordinate[axis], first = axis == TIME_BIT ? low : 0;
    int64_t end = axis == TIME_BIT ? high : axis_size(w, axis);
    double total = 0;
    for (w->coordinate[axis] = first; w->coordinate[axis] < end; w->coordinate[axis]++)
        total += sum_parts(w, sum & ~((AxisMask)1 << axis), low, high);
    w->coordinate[axis] = saved;
    return total;
}

/* A weighted sum over `axes` that the program has already taken: each rank's parts times the weight it gave them. */
static double sum_bound(Witness *w, AxisMask axes, const Value *bound, AxisMask mask, int64_t low, int64_t high)
{
    int axis = first_axis(axes);
    if (axis > TIME_BIT)
        return mono_number(w, bound->bound.mono) * sum_parts(w, w->parts & ~mask, low, high);
    int64_t saved = w->coordinate[axis];
    double total = 0;
    for (w->coordinate[axis] = 0; w->coordinate[axis] < axis_size(w, axis); w->coordinate[axis]++)
        total += sum_bound(w, axes & ~((AxisMask)1 << axis), bound, mask, low, high);
    w->coordinate[axis] = saved;
    return total;
}

/* The same for an arc: the parts of several coordinates on one axis. */
static double sum_arc(Witness *w, Arc arc, AxisMask sum, int64_t low, int64_t high)
{
    int64_t saved = w->coordinate[arc.axis];
    double total = 0;
    for (int32_t i = 0; i < arc.count; i++) {
        w->coordinate[arc.axis] = (saved + arc.first + i) % arc.size;
        total += sum_parts(w, sum, low, high);
    }
    w->coordinate[arc.axis] = saved;
    return total;
}

/* A term's number on the current rank, in units of one device's weight. */
static double term_number(Witness *w, const Term *term, const Value *value, Rational wanted)
{
    double weight = as_number(term->coefficient) / as_number(wanted) * mono_number(w, term->mono);
    int64_t low = 0, high = w->micro;
    if (term->mask & TIME_MASK) {
        low = term->low.constant;
        high = term->high.constant;
    }
    AxisMask sum = w->parts & ~(term->mask & MESH_MASK);
    if (term->value == value && term->arc.count > 0)
        return weight * sum_arc(w, term->arc, sum, low, high);
    if (term->value == value)
        return weight * sum_parts(w, sum, low, high);
    const Value *bound = term->value;
    return weight * sum_bound(w, bound->bound.axes, bound, bound->bound.mask & MESH_MASK, low, high);
}

/* ---- A small mesh ------------------------------------------------------------------------------------------- */

static StepFile *shrink(Arena *arena, const StepFile *file, AxisMask axes, int64_t size)
{
    StepFile *small = arena_make(arena, StepFile);
    small->decls = arena_make(arena, Decls);
    *small->decls = *file->decls;
    small->decls->axes.data = arena_array(arena, Axis, file->decls->axes.count + 1);
    for (int a = 0; a < file->decls->axes.count; a++) {
        small->decls->axes.data[a] = file->decls->axes.data[a];
        if ((axes >> a & 1) && file->decls->axes.data[a].size > size)
            small->decls->axes.data[a].size = size;
    }
    Program *reference = arena_make(arena, Program), *program = arena_make(arena, Program);
    *reference = *file->reference;
    *program = *file->program;
    reference->decls = program->decls = small->decls;
    small->reference = reference;
    small->program = program;
    return small;
}

static const char *number_text(Arena *arena, double number)
{
    if (fabs(number - nearbyint(number)) < 1e-9)
        return arena_printf(arena, "%.0f", nearbyint(number));
    return arena_printf(arena, "%.4g", number);
}

/* A rank class's number for a sum of several values, which count 1, 3, 5, ... on one device. */
static double summed_number(const Combo *found, const Combo *expected)
{
    double number = 0;
    for (int i = 0; i < expected->count; i++)
        for (int j = 0; found->poison == NULL && j < found->count; j++)
            if (found->term[j].value == expected->term[i].value)
                number +=
                    (2 * i + 1) * as_number(found->term[j].coefficient) / as_number(expected->term[i].coefficient);
    return number;
}

/* The update of the faulty state by the rank class with this coordinate on the axis; its other coordinates are those of
 * the first. */
static const Update *update_along(const Machine *program, const Fault *fault, int axis, int64_t coordinate)
{
    const RankClass *first = NULL;
    for (int i = 0; i < program->updates.count; i++) {
        const Update *update = &program->updates.data[i];
        const RankClass *class = &program->classes[update->class];
        if (update->op != fault->op || update->state == NULL || update->state->leaf.state != fault->state ||
            update->state->leaf.tensor != fault->tensor || update->state->leaf.layer != fault->layer)
            continue;
        first = first == NULL ? class : first;
        bool along = class->coordinate[axis] == coordinate;
        for (int a = 0; along && a < program->decls->axes.count; a++)
            along = a == axis || class->coordinate[a] == first->coordinate[a];
        if (along)
            return update;
    }
    return NULL;
}

/* What each rank class along an axis contributes to a gradient that is the sum over them. */
static const char *apart_text(Arena *arena, const Machine *program, const Fault *fault)
{
    Text text = {.arena = arena};
    int axis = first_axis(fault->apart), shown = 0;
    const Axis *along = &program->decls->axes.data[axis];
    text_add(&text, "%lld ranks; %d contributions to the gradient, which count 1, 3%s", (long long)along->size,
             fault->expected->count, fault->expected->count > 2 ? ", ..." : "");
    for (int64_t i = 0; i < along->size && shown < MOST_RANKS_SHOWN; i++) {
        const Update *update = update_along(program, fault, axis, i);
        if (update == NULL)
            continue;
        shown++;
        text_add(&text, "\n%-12s gradient %s", arena_printf(arena, "%s %lld", along->name, (long long)i),
                 number_text(arena, summed_number(update->gradient, fault->expected)));
    }
    text_add(&text, "%s\n%-12s gradient %s", along->size > MOST_RANKS_SHOWN ? "\n..." : "", "1 device",
             number_text(arena, summed_number(fault->expected, fault->expected)));
    return text.data;
}

static AxisMask read_axes(const NodeList *nodes)
{
    AxisMask axes = 0;
    for (int i = 0; i < nodes->count; i++) {
        const Node *node = nodes->data[i];
        axes |= read_axes(&node->body);
        for (int a = 0; node->kind == NODE_OP && node->op->kind == OP_READ && a < node->op->axes.count; a++)
            axes |= (AxisMask)1 << node->op->axes.axis[a];
    }
    return axes;
}

static Witness witness_of(Arena *arena, const StepFile *file, const Routine *routine)
{
    return (Witness){
        .arena = arena, .decls = file->decls, .micro = file->decls->micro, .read = read_axes(&routine->body)};
}

/* Finds the same fault on the small mesh; false if it does not occur there, or only with other faults. */
static bool find_again(Arena *arena, const StepFile *file, RoutineKind routine, const Fault *fault, bool in_norm,
                       Finding *finding)
{
    Rerun run;
    if (!demand_again(arena, file, routine, &run))
        return false;
    for (int i = 0; i < run.faults.list.count; i++) {
        const Fault *again = &run.faults.list.data[i];
        if (again->kind != fault->kind || again->op != fault->op || again->state != fault->state ||
            again->tensor != fault->tensor || again->layer != fault->layer || again->buffer != fault->buffer)
            continue;
        *finding = finding_of(run.table, &run.faults, again, in_norm);
        return true;
    }
    return false;
}

/* ---- The table ---------------------------------------------------------------------------------------------- */

static const char *name_of(const Witness *w, AxisMask axes)
{
    return rank_text(w->arena, w->decls, axes & MESH_MASK, w->coordinate);
}

/* The next rank along `axes`; false after the last. */
static bool next_rank(Witness *w, AxisMask axes)
{
    for (int a = w->decls->axes.count - 1; a >= 0; a--) {
        if (!(axes >> a & 1))
            continue;
        if (++w->coordinate[a] < axis_size(w, a))
            return true;
        w->coordinate[a] = 0;
    }
    return false;
}

static void add_header(Witness *w, Text *text, AxisMask ranks, const char *what)
{
    int64_t count = count_ranks(w, ranks), parts = count_ranks(w, w->parts);
    text_add(text, "%lld rank%s", (long long)count, count == 1 ? "" : "s");
    if (w->parts & TIME_MASK)
        text_add(text, ", %lld microbatches", (long long)w->micro);
    if (w->parts == 0) {
        text_add(text, "; the %s of what each holds: %g", what, part_number(w));
        return;
    }
    text_add(text, "; their parts of the %s, in turn: ", what);
    for (int64_t i = 0; i < parts && i < 6; i++)
        text_add(text, "%s%lld", i > 0 ? ", " : "", (long long)(2 * i + 1));
    text_add(text, "%s", parts > 6 ? ", ..." : "");
}

/* Is the term the value itself, or a weighted sum of its parts? */
static bool is_of(const Term *term, const Value *value)
{
    return term->value == value || (term->value->kind == VALUE_BOUND && term->value->bound.value == value);
}

/* The current rank's number, in units of one device's weight. */
static double held_number(Witness *w, const Finding *finding, const Value *value)
{
    if (finding->kind == FINDING_REPEATED)
        return sum_parts(w, w->parts, 0, w->micro);
    double number = 0;
    for (int i = 0; i < finding->level->count; i++)
        if (is_of(&finding->level->term[i], value))
            number += term_number(w, &finding->level->term[i], value, finding->wanted);
    return number;
}

/* Adds a line per rank; false if no rank differs from one device. */
static bool add_ranks(Witness *w, Text *text, AxisMask ranks, const Finding *finding, const Value *value,
                      const char *what)
{
    double one_device = sum_parts(w, w->parts, 0, w->micro);
    bool differs = false;
    int shown = 0;
    memset(w->coordinate, 0, sizeof w->coordinate);
    w->repeated = finding->kind == FINDING_REPEATED ? finding->axes : 0;
    do {
        double number = held_number(w, finding, value);
        differs |= fabs(number - one_device) > 1e-9 * fabs(one_device);
        if (shown++ < MOST_RANKS_SHOWN)
            text_add(text, "\n%-12s %s %s", name_of(w, ranks), what, number_text(w->arena, number));
    } while (next_rank(w, ranks));
    if (shown > MOST_RANKS_SHOWN)
        text_add(text, "\n... and %d ranks more", shown - MOST_RANKS_SHOWN);
    text_add(text, "\n%-12s %s %s", "1 device", what, number_text(w->arena, one_device));
    return differs;
}

/* Each rank's seed, as its program computes it. */
static const char *seed_text(Witness *w, const Finding *finding)
{
    Text text = {.arena = w->arena};
    const Seed *seed = &finding->found->leaf.seed;
    AxisMask ranks = finding->axes;
    int shown = 0;
    text_add(&text, "the seed that each rank draws from");
    do {
        int64_t number = seed->base;
        for (int a = 0; a < w->decls->axes.count; a++)
            number += seed->per_axis[a] * w->coordinate[a];
        if (shown++ < MOST_RANKS_SHOWN)
            text_add(&text, "\n%-12s seed %lld", name_of(w, ranks), (long long)number);
    } while (next_rank(w, ranks));
    text_add(&text, "\n%-12s seed %lld", "1 device", (long long)finding->expected->leaf.seed.base);
    return text.data;
}

/* What `rank` holds for an element of the current rank's piece: 1 before the step, 2 after it. */
static double placed_number(const Witness *w, const Finding *finding, const Witness *rank)
{
    bool own = memcmp(rank->coordinate, w->coordinate, sizeof w->coordinate) == 0;
    double number = 0;
    for (int i = 0; i < finding->level->count; i++) {
        const Term *term = &finding->level->term[i];
        if ((term->mask & finding->axes) == 0 || own)
            number += (term->value->kind == VALUE_STATE ? 1 : 2) * as_number(term->coefficient);
    }
    return number;
}

/* What every rank holds for an element of each rank's piece: 1 before the step everywhere, 2 after it on one device. */
static const char *placing_text(Witness *w, const Finding *finding)
{
    Text text = {.arena = w->arena};
    int shown = 0;
    text_add(&text, "%lld ranks; an element of each one's piece, 1 before the step and 2 after it",
             (long long)count_ranks(w, finding->axes & MESH_MASK));
    Witness rank = *w;
    do {
        if (shown++ >= MOST_RANKS_SHOWN)
            continue;
        const char *between = " has";
        memset(w->coordinate, 0, sizeof w->coordinate);
        text_add(&text, "\n%-12s", name_of(&rank, finding->axes));
        do {
            text_add(&text, "%s %s", between, number_text(w->arena, placed_number(w, finding, &rank)));
            between = ",";
        } while (next_rank(w, finding->axes));
    } while (next_rank(&rank, finding->axes));
    if (shown > MOST_RANKS_SHOWN)
        text_add(&text, "\n... and %d ranks more", shown - MOST_RANKS_SHOWN);
    text_add(&text, "\n%-12s has 2 everywhere", "1 device");
    return text.data;
}

/* For a state that mixes its old and its new value: 1 before the step, 2 after it on one device. NULL if other values
 * are mixed in, or if ranks differ. */
static const char *mixture_text(Arena *arena, const Finding *finding, const Combo *expected)
{
    double number = 0;
    for (int i = 0; i < finding->level->count; i++) {
        const Term *term = &finding->level->term[i];
        bool old = term->value->kind == VALUE_STATE;
        if (term->mask != 0 || term->mono != NULL ||
            (!old && (expected->count != 1 || term->value != expected->term[0].value)))
            return NULL;
        number += (old ? 1 : 2) * as_number(term->coefficient);
    }
    if (number == 2)
        return NULL;
    return arena_printf(arena, "an element, 1 before the step\n%-12s has %s\n%-12s has 2", "every rank",
                        number_text(arena, number), "1 device");
}

/* For a mean over each rank's own elements: the dim of which some rank has no elements; NULL: there is none. */
static const Dim *empty_dim(const Witness *w, const Program *program, const Op *op)
{
    if (op->kind != OP_SCALE || op->operand[0].member >= 0)
        return NULL;
    const Buffer *buffer = &program->buffers.data[op->operand[0].buffer];
    SpecLetters letters = spec_letters(op->spec, 0);
    for (int d = 0; d < buffer->dim_count && d < letters.count; d++) {
        int64_t parts = 1;
        for (int c = 0; c < buffer->dims[d].cut_count; c++)
            parts *= axis_size(w, buffer->dims[d].cut[c] == CUT_MICRO ? TIME_BIT : buffer->dims[d].cut[c]);
        if (strchr(op->scale.local_extents, letters.at[d]) != NULL && buffer->dims[d].size < parts)
            return &buffer->dims[d];
    }
    return NULL;
}

/* The number of the dim's elements on the first rank and on the last, which has the fewest; in the last microbatch. */
static const char *empty_text(Witness *w, const Program *program, const Op *op)
{
    const Dim *dim = op != NULL ? empty_dim(w, program, op) : NULL;
    if (dim == NULL)
        return NULL;
    Text text = {.arena = w->arena};
    AxisMask axes = 0;
    bool timed = false;
    int64_t ranks = 1, start;
    for (int c = 0; c < dim->cut_count; c++) {
        timed |= dim->cut[c] == CUT_MICRO;
        if (dim->cut[c] == CUT_MICRO || axis_size(w, dim->cut[c]) == 1)
            continue;
        axes |= (AxisMask)1 << dim->cut[c];
        ranks *= axis_size(w, dim->cut[c]);
    }
    text_add(&text, "%lld element%s in %lld microbatch%s over %lld ranks", (long long)dim->size,
             dim->size == 1 ? "" : "s", (long long)(timed ? w->micro : 1), timed && w->micro > 1 ? "es" : "",
             (long long)ranks);
    for (int last = 0; last < 2; last++) {
        for (int a = 0; a < w->decls->axes.count; a++)
            w->coordinate[a] = last && (axes >> a & 1) ? axis_size(w, a) - 1 : 0;
        int64_t extent = dim_extent(w->decls, dim, w->coordinate, w->micro - 1, &start);
        text_add(&text, "\n%-12s divides by %lld", name_of(w, axes), (long long)extent);
    }
    return text.data;
}

/* A value's number on the current copy: whatever is a copy's own is 1 on the first copy, 3 on the next, ... */
static double copy_number(Witness *w, const Value *value)
{
    AxisMask axes = finding_joins(value);
    double total = 0;
    for (int i = 0; value->kind == VALUE_SUM && i < value->sum.count; i++) {
        Term term = value_sum_term(value, i);
        total += copy_number(w, term.value) * as_number(term.coefficient);
    }
    if (axes == 0)
        return value->kind == VALUE_SUM ? total : part_number(w);
    int64_t own[TIME_BIT + 1];
    memcpy(own, w->coordinate, sizeof own);
    for (int a = 0; a < w->decls->axes.count; a++)
        w->coordinate[a] = axes >> a & 1 ? 0 : w->coordinate[a];
    do
        total += copy_number(w, value->op.operand[0]);
    while (next_rank(w, axes));
    memcpy(w->coordinate, own, sizeof own);
    return total;
}

/* False if it differs between the ranks of a copy. */
static bool copies_number(Witness *w, const Combo *combo, double *number)
{
    *number = 0;
    for (int i = 0; i < combo->count; i++) {
        const Term *term = &combo->term[i];
        if (term->mono != NULL || term->mask != 0)
            return false;
        *number += copy_number(w, term->value) * as_number(term->coefficient);
    }
    return true;
}

/* What the copies have, and what they should have. */
static const char *copies_text(Witness *w, const Finding *finding, const char *what)
{
    Text text = {.arena = w->arena};
    int64_t copies = count_ranks(w, finding->axes), shown = 0;
    bool differs = false, reads = finding->kind == FINDING_REPEATED;
    w->parts = finding->axes;
    if (copies > MOST_PARTS)
        return NULL;
    text_add(&text, "%lld copies; what is one's own is 1 on the first, 3 on the next", (long long)copies);
    do {
        double found = 1, expected = part_number(w);
        if (!reads && (finding->level == NULL || !copies_number(w, finding->level, &found) ||
                       !copies_number(w, finding->aim, &expected)))
            return NULL;
        differs |= found != expected;
        text_add(&text, "\n%-12s %s %s, and %s by the contract", name_of(w, finding->axes), reads ? "reads" : what,
                 number_text(w->arena, found), number_text(w->arena, expected));
    } while (++shown < MOST_RANKS_SHOWN && next_rank(w, finding->axes));
    if (shown < copies)
        text_add(&text, "\n... and %lld ranks more", (long long)(copies - shown));
    return differs ? text.data : NULL;
}

/* The axes are of copies, and the finding is about values that differ between copies. */
static bool is_of_copies(const Decls *decls, const Finding *finding)
{
    bool repeated = finding->kind == FINDING_REPEATED && (finding->axes & ~copies_axes(decls)) == 0;
    return repeated || finding->kind == FINDING_JOINED || finding->kind == FINDING_APART;
}

/* The axes over which the value is in parts. Ranks along axes that do not cut the batch hold copies of a weight. */
static AxisMask parts_of(const Witness *w, const Finding *finding, const Value *value)
{
    bool timed = false;
    for (int i = 0; i < finding->level->count; i++)
        timed |= is_of(&finding->level->term[i], value) && (finding->level->term[i].mask & TIME_MASK) != 0;
    if (finding->sliced) /* the slice may be taken in one microbatch */
        return (finding->axes & MESH_MASK) | (w->micro > 1 && !timed ? TIME_MASK : 0);
    AxisMask parts = finding->axes & MESH_MASK & (finding->kind == FINDING_WEIGHT ? w->read : MESH_MASK);
    for (int i = 0; i < finding->level->count; i++) {
        const Term *term = &finding->level->term[i];
        if (is_of(term, value))
            parts |= decomp_axes(term->value == value ? term->decomp : term->value->bound.decomp);
    }
    return parts | (w->micro > 1 && !finding->in_norm ? TIME_MASK : 0);
}

static const char *describe(Witness *w, const Finding *finding, const char *what)
{
    if (is_of_copies(w->decls, finding))
        return copies_text(w, finding, what);
    if (finding->kind == FINDING_SEED)
        return finding->found->kind == VALUE_INIT ? seed_text(w, finding) : NULL;
    if (finding->level == NULL && finding->kind != FINDING_REPEATED)
        return NULL;
    if (finding->kind == FINDING_PLACE)
        return placing_text(w, finding);
    const Value *value = finding->found;
    if (finding->kind == FINDING_REPEATED || (finding->in_norm && finding->kind == FINDING_WEIGHT)) {
        w->parts = finding->kind == FINDING_REPEATED ? finding->axes : 0; /* every rank has a copy of the whole norm */
    } else {
        value = value->kind == VALUE_BOUND ? value->bound.value : value;
        w->parts = parts_of(w, finding, value);
    }
    AxisMask ranks = (w->parts | (finding->kind == FINDING_WEIGHT ? finding->axes : 0)) & MESH_MASK;
    for (int a = 0; a < w->decls->axes.count; a++)
        if (axis_size(w, a) == 1)
            ranks &= ~((AxisMask)1 << a);
    if (count_ranks(w, w->parts) > MOST_PARTS)
        return NULL;
    Text text = {.arena = w->arena};
    add_header(w, &text, ranks, what);
    return add_ranks(w, &text, ranks, finding, value, what) ? text.data : NULL;
}

static bool kind_has_witness(FindingKind kind)
{
    switch (kind) {
    case FINDING_PARTIAL:
    case FINDING_LATE:
    case FINDING_TIME:
    case FINDING_WEIGHT:
    case FINDING_COUNTS:
    case FINDING_GUARDED:
    case FINDING_REPEATED:
    case FINDING_SEED:
    case FINDING_PLACE:
    case FINDING_JOINED:
    case FINDING_APART:
        return true;
    case FINDING_STALE:
    case FINDING_POISON:
    case FINDING_OTHER:
        return false;
    }
    BUG("finding %d", kind);
}

/* Are there weights on the way to the value, written for the real number of ranks? Then no smaller mesh will do. */
static bool has_weights(const StepFile *file, const Routine *routine, const Fault *fault)
{
    int operand = 0, state;
    if (fault->op == NULL)
        return false;
    if (fault->kind == FAULT_GRADIENT)
        op_is_update(fault->op->kind, &operand, &state);
    Chain chain = chain_of(file->program, routine, fault->op, operand, (ChainPart){0});
    return chain_find(&chain, OP_SCALE) != NULL;
}

static const char *fault_noun(const Fault *fault, const Finding *finding)
{
    if (finding->in_norm)
        return "squared norm";
    if (fault->kind == FAULT_OUTPUT)
        return fault->op->output;
    return fault->kind == FAULT_GRADIENT ? "gradient" : "value";
}

/* The same fault on a mesh with `size` ranks along the axes that may be reduced; NULL if it does not occur there. */
static const char *describe_small(Arena *arena, const StepFile *file, const Routine *routine, const Fault *fault,
                                  const Finding *finding, int64_t size)
{
    Arena *scratch = arena_new();
    StepFile *small = shrink(scratch, file, MESH_MASK & ~enumerated_axes(file->program), size);
    const char *output = fault->op != NULL ? op_output(fault->op) : NULL;
    bool in_norm = output != NULL && strcmp(output, "gradient_norm") == 0;
    const char *text = NULL;
    Finding again;
    if (find_again(scratch, small, routine->kind, fault, in_norm, &again) && again.kind == finding->kind) {
        Witness w = witness_of(arena, small, routine);
        again.axes = again.sliced ? finding->axes : again.axes | finding->axes;
        text = describe(&w, &again, fault_noun(fault, finding));
    }
    arena_free(scratch);
    return text;
}

const char *witness_text(Arena *arena, const StepFile *file, const Machine *program, const Routine *routine,
                         const Fault *fault, const Finding *finding)
{
    Witness w = witness_of(arena, file, routine);
    if (fault->apart != 0)
        return apart_text(arena, program, fault);
    if (finding->kind == FINDING_POISON && finding->poison->kind == POISON_ZERO_EXTENT)
        return empty_text(&w, file->program, finding->poison->op);
    if (finding->kind == FINDING_OTHER && fault->kind == FAULT_STATE && finding->term != NULL &&
        finding->level == fault->found && finding->term->value->kind == VALUE_STATE)
        return mixture_text(arena, finding, fault->expected);
    if (fault->kind == FAULT_MISSING || (finding->kind == FINDING_PLACE && fault->kind != FAULT_STATE) ||
        !kind_has_witness(finding->kind))
        return NULL;
    const char *text = NULL;
    bool weights = has_weights(file, routine, fault) || is_of_copies(file->decls, finding); /* means over copies */
    for (int64_t size = 2; size <= 3 && text == NULL && !weights; size++)
        text = describe_small(arena, file, routine, fault, finding, size);
    return text != NULL ? text : describe(&w, finding, fault_noun(fault, finding));
}

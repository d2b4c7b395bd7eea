/* walk.c - counts the runs of operators on a rank, and the floating-point operations of each (plan/walk.h). */
#include "plan/walk.h"

#include "step/spec.h"
#include "verify/motion.h"

#include <string.h>

/* ---- Ranks -------------------------------------------------------------------------------------------------- */

static AxisMask body_axes(const Decls *decls, const NodeList *body)
{
    AxisMask axes = 0;
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        if (node->kind == NODE_GUARD)
            axes |= affine_axes(decls, &node->guard.value);
        if (node->kind == NODE_LOOP)
            axes |= affine_axes(decls, &node->loop.first) | affine_axes(decls, &node->loop.last);
        axes |= body_axes(decls, &node->body);
    }
    return axes;
}

AxisMask walk_axes(const Program *program)
{
    AxisMask axes = 0;
    for (int i = 0; i < program->routines.count; i++)
        axes |= body_axes(program->decls, &program->routines.data[i].body);
    for (int i = 0; i < program->buffers.count; i++)
        if (program->buffers.data[i].held)
            axes |= affine_axes(program->decls, &program->buffers.data[i].holder);
    return axes;
}

bool walk_next_rank(const Decls *decls, AxisMask axes, int64_t *coordinates)
{
    for (int a = decls->axes.count - 1; a >= 0; a--) {
        if (!(axes >> a & 1))
            continue;
        if (++coordinates[a] < decls->axes.data[a].size)
            return true;
        coordinates[a] = 0;
    }
    return false;
}

int64_t walk_place(const Decls *decls, AxisMask axes, const int64_t *coordinates)
{
    int64_t place = 0;
    for (int a = 0; a < decls->axes.count; a++)
        if (axes >> a & 1)
            place = place * decls->axes.data[a].size + coordinates[a];
    return place;
}

/* ---- Trips that pass a guard --------------------------------------------------------------------------------- */

static int64_t divide_down(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

TripRange walk_passing(const Node *guard, int64_t start, const Node *loop, int64_t trips)
{
    int64_t low = guard->guard.low, high = guard->guard.high;
    int64_t by = affine_coefficient(&guard->guard.value, loop->loop.id) * loop->loop.step;
    if (by == 0 || guard->guard.value.modulus != 0)
        return (TripRange){0, trips - 1};
    int64_t pace = by > 0 ? by : -by, near = by > 0 ? low - start : start - high, far = near + (high - low);
    return (TripRange){clamp(-divide_down(-near, pace), 0, trips), clamp(divide_down(far, pace), -1, trips - 1)};
}

/* ---- How often ---------------------------------------------------------------------------------------------- */

typedef struct Walk {
    const Program *program;
    Arena *arena;
    const int64_t *coordinates;
    int64_t *times;       /* per operator, by id */
    int64_t *variables;   /* per loop that is stepped through, by id */
    const Motion *motion; /* of the outermost of these, if it repeats, */
    int64_t lasts;        /* and for how many periods more its guards answer as they did in this one */
} Walk;

static int64_t affine_value(const Walk *walk, const Affine *affine)
{
    return affine_at(walk->program->decls, affine, walk->coordinates, walk->variables);
}

/* Does a guard or an inner bound in the body depend on the variable? */
static bool is_asked_for(const NodeList *body, int loop)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        bool here =
            (node->kind == NODE_GUARD && affine_uses(&node->guard.value, loop)) ||
            (node->kind == NODE_LOOP && (affine_uses(&node->loop.first, loop) || affine_uses(&node->loop.last, loop)));
        if (here || is_asked_for(&node->body, loop))
            return true;
    }
    return false;
}

static int64_t count_trips(const Walk *walk, const Node *node)
{
    int64_t first = affine_value(walk, &node->loop.first), last = affine_value(walk, &node->loop.last);
    int64_t trips = (last - first) * node->loop.step + 1;
    return trips > 0 ? trips : 0;
}

static void walk_body(Walk *walk, const NodeList *body, int64_t times);

/* Of a loop around one guard: the trips that pass it, with the last one before them and the first after. Of those that
 * do not pass it, the answers of these two change first, so that no other says how long they last. */
static TripRange asked_trips(const Walk *walk, const Node *node, int64_t first, int64_t trips)
{
    const Node *guard = node->body.count == 1 ? node->body.data[0] : NULL;
    TripRange all = {0, trips - 1};
    if (guard == NULL || guard->kind != NODE_GUARD)
        return all;
    walk->variables[node->loop.id] = first;
    TripRange passing = walk_passing(guard, affine_value(walk, &guard->guard.value), node, trips);
    return (TripRange){passing.first > 0 ? passing.first - 1 : 0,
                       passing.last < trips - 1 ? passing.last + 1 : trips - 1};
}

static void walk_trips(Walk *walk, const Node *node, int64_t first, int64_t trips, int64_t times)
{
    const TripRange asked = asked_trips(walk, node, first, trips);
    for (int64_t trip = asked.first; trip <= asked.last; trip++) {
        walk->variables[node->loop.id] = first + trip * node->loop.step;
        walk_body(walk, &node->body, times);
    }
}

/* Those that are like a period are counted with it. */
static void walk_periods(Walk *walk, const Node *node, int64_t first, int64_t trips)
{
    int64_t period = walk->motion->period, trip = 0;
    while (trips - trip >= period) {
        int64_t at = first + trip * node->loop.step, left = (trips - trip) / period - 1;
        walk->lasts = left;
        walk_trips(walk, node, at, period, 1);
        int64_t like_this = walk->lasts;
        if (like_this > 0)
            walk_trips(walk, node, at, period, like_this);
        trip += (1 + like_this) * period;
    }
    walk_trips(walk, node, first + trip * node->loop.step, trips - trip, 1);
}

static void walk_loop(Walk *walk, const Node *node, int64_t times)
{
    int64_t first = affine_value(walk, &node->loop.first), trips = count_trips(walk, node);
    if (!is_asked_for(&node->body, node->loop.id)) {
        walk_body(walk, &node->body, times * trips);
        return;
    }
    const Motion *motion = walk->motion == NULL && times == 1 ? motion_of(walk->arena, walk->program, node) : NULL;
    if (motion == NULL) {
        walk_trips(walk, node, first, trips, times);
        return;
    }
    walk->motion = motion;
    walk_periods(walk, node, first, trips);
    walk->motion = NULL;
}

static bool passes(Walk *walk, const Node *guard)
{
    const Affine *affine = &guard->guard.value;
    int64_t value = affine_value(walk, affine), low = guard->guard.low, high = guard->guard.high;
    if (walk->motion != NULL && affine->modulus == 0) {
        int64_t lasts = motion_lasts(value, motion_by(walk->motion, affine), low, high);
        walk->lasts = lasts < walk->lasts ? lasts : walk->lasts;
    }
    return low <= value && value <= high;
}

static void walk_body(Walk *walk, const NodeList *body, int64_t times)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        if (node->kind == NODE_OP)
            walk->times[node->op->id] += times;
        if (node->kind == NODE_LOOP)
            walk_loop(walk, node, times);
        if (node->kind == NODE_GUARD && passes(walk, node))
            walk_body(walk, &node->body, times);
    }
}

static int highest_loop(const NodeList *body)
{
    int highest = -1;
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        int inner = highest_loop(&node->body);
        int own = node->kind == NODE_LOOP ? node->loop.id : -1;
        highest = own > highest ? own : highest;
        highest = inner > highest ? inner : highest;
    }
    return highest;
}

void walk_count(const Program *program, const Routine *routine, const int64_t *coordinates, int64_t *times)
{
    Arena *arena = arena_new();
    Walk walk = {.program = program, .arena = arena, .coordinates = coordinates, .times = times};
    walk.variables = arena_array(arena, int64_t, highest_loop(&routine->body) + 1);
    memset(times, 0, sizeof *times * (size_t)program->op_count);
    walk_body(&walk, &routine->body, 1);
    arena_free(arena);
}

bool walk_holds(const Decls *decls, const Buffer *buffer, const int64_t *coordinates)
{
    int64_t holder = buffer->held ? affine_at(decls, &buffer->holder, coordinates, NULL) : 0;
    return !buffer->held || (buffer->held_low <= holder && holder <= buffer->held_high);
}

int64_t walk_slots(const Decls *decls, const Buffer *buffer, const int64_t *coordinates)
{
    if (!buffer->has_layers)
        return buffer->slots;
    int64_t layers = affine_at(decls, &buffer->last_layer, coordinates, NULL) -
                     affine_at(decls, &buffer->first_layer, coordinates, NULL) + 1;
    layers *= buffer->layer_runs;
    return layers < buffer->slots ? layers : buffer->slots;
}

/* ---- Operations --------------------------------------------------------------------------------------------- */

/* On the rank with the largest pieces. A member of a unit has the dims that the unit has of it, cut as they are there.
 */
static int64_t ref_dim(const Program *program, const Ref *ref, int dim)
{
    const Decls *decls = program->decls;
    const Buffer *buffer = &program->buffers.data[ref->buffer];
    if (ref->member < 0)
        return dim_max_extent(decls, &buffer->dims[dim]);
    const Unit *unit = &decls->units.data[buffer->unit];
    Dim dims[STEP_MAX_DIMS];
    for (int i = 0; i < unit->member_count; i++)
        if (unit->members[i] == ref->member) {
            unit_member_dims(decls, unit, i, dims);
            return dim_max_extent(decls, &dims[dim]);
        }
    BUG("a member of no unit");
}

/* What counts as the iteration space of a window: pooling visits the window's elements one by one. */
typedef enum WindowSpace { SPACE_LETTERS, SPACE_POOL, SPACE_POOL_BWD } WindowSpace;

static WindowSpace window_space(WindowKind op)
{
    switch (op) {
    case WINDOW_CONV:
    case WINDOW_CONV_INPUT_BWD:
    case WINDOW_CONV_WEIGHT_BWD:
        return SPACE_LETTERS;
    case WINDOW_MAX_POOL:
    case WINDOW_MEAN_POOL:
    case WINDOW_MEAN_POOL_BWD:
        return SPACE_POOL;
    case WINDOW_MAX_POOL_BWD: /* its result has the size of its input */
        return SPACE_POOL_BWD;
    }
    BUG("a window that is none");
}

static bool is_pooling(const Op *op)
{
    return op_info[op->kind].op_class == CLASS_WINDOW && window_space(op_window(op->kind)) != SPACE_LETTERS;
}

bool op_is_product(const Op *op)
{
    OpClass class = op_info[op->kind].op_class;
    return class == CLASS_CONTRACT || (class == CLASS_WINDOW && !is_pooling(op));
}

/* The number of elements of a window that pooling visits. */
static double window_elements(const Op *op)
{
    return is_pooling(op) ? op->immediate[0] * op->immediate[0] : 1;
}

/* Rows and columns of a window's input are determined by those of its output and by the window. */
static bool is_followed(const Op *op, int operand, SpecLetters letters, int dim)
{
    if (op_info[op->kind].op_class != CLASS_WINDOW || dim + 2 < letters.count)
        return false;
    bool result = operand == op->operand_count;
    WindowRoles roles = op_window_roles(op->kind);
    return operand == roles.input ||
           (result && (roles.input == WINDOW_RESULT || window_space(op_window(op->kind)) == SPACE_POOL_BWD));
}

static bool contraction_computes(ContractionKind op)
{
    switch (op) {
    case CONTRACT_EINSUM:
        return true;
    }
    BUG("a contraction that is none");
}

static bool view_computes(ViewKind op)
{
    switch (op) {
    case VIEW_VIEW:
    case VIEW_SEGMENT:
    case VIEW_SEGMENT_BWD:
    case VIEW_PLACE_SEGMENT:
        return false;
    }
    BUG("a view that is none");
}

/* The additions of a reduction are not counted: its traffic outweighs them. */
static bool collective_computes(Collective op)
{
    switch (op) {
    case COLLECTIVE_SLICE:
    case COLLECTIVE_PLACE_SHARD:
    case COLLECTIVE_ALL_REDUCE:
    case COLLECTIVE_REDUCE_SCATTER:
    case COLLECTIVE_ALL_GATHER:
    case COLLECTIVE_ALL_TO_ALL:
    case COLLECTIVE_ALL_TO_ALL_FILLED:
    case COLLECTIVE_PERMUTE:
    case COLLECTIVE_BROADCAST:
    case COLLECTIVE_HALO:
    case COLLECTIVE_HALO_ADD:
    case COLLECTIVE_SEND:
    case COLLECTIVE_RECV:
        return false;
    }
    BUG("a collective that is none");
}

static bool source_computes(SourceKind op)
{
    switch (op) {
    case SOURCE_FILL:
    case SOURCE_IOTA:
    case SOURCE_READ:
    case SOURCE_INIT:
        return false;
    }
    BUG("a source that is none");
}

static bool sink_computes(SinkKind op)
{
    switch (op) {
    case SINK_OUTPUT:
        return false;
    }
    BUG("a sink that is none");
}

/* Does it compute in every element of its iteration space, as step/op.def counts? */
static bool computes(OpKind kind)
{
    switch (op_info[kind].op_class) {
    case CLASS_MAP:
    case CLASS_ROW:
    case CLASS_SUM:
    case CLASS_CHOICE:
    case CLASS_WINDOW: /* see window_space */
    case CLASS_SCATTER:
        return true;
    case CLASS_GATHER:
        return false;
    case CLASS_CONTRACT:
        return contraction_computes(op_contract(kind));
    case CLASS_VIEW:
        return view_computes(op_view(kind));
    case CLASS_MOVE:
    case CLASS_COMM:
        return collective_computes(op_collective(kind));
    case CLASS_SOURCE:
        return source_computes(op_source(kind));
    case CLASS_SINK:
        return sink_computes(op_sink(kind));
    }
    BUG("'%s' is of no class", op_info[kind].name);
}

/* Scattering adds each element of its operands to some row: rows of the result that it does not name take no part. */
static bool is_visited(const Op *op, int operand)
{
    return operand < op->operand_count || op_info[op->kind].op_class != CLASS_SCATTER;
}

/* The iteration space: every letter of the spec once, with the extent that takes part. */
typedef struct Space {
    double elements, extent[OP_INDICES];
} Space;

static Space space_of(const Program *program, const Op *op)
{
    Space space = {.elements = 1};
    Spec spec = spec_of(op);
    for (int operand = 0; operand <= op->operand_count && is_visited(op, operand); operand++) {
        bool result = operand == op->operand_count;
        const Ref *ref = result ? &op->out : &op->operand[operand];
        SpecLetters letters = result ? spec.result : spec.operand[operand];
        for (int dim = 0; dim < letters.count; dim++) {
            double *known = &space.extent[(unsigned char)letters.at[dim]], here = (double)ref_dim(program, ref, dim);
            if (*known == 0 && !is_followed(op, operand, letters, dim))
                space.elements *= here;
            if (op_in_pieces(op) && here < *known) /* the piece takes part, not the whole */
                space.elements *= here / *known;
            *known = *known == 0 || here < *known ? here : *known;
        }
    }
    return space;
}

/* An empty spec runs over the flat operand or result. */
double op_flops(const Program *program, const Op *op)
{
    int flops = op_info[op->kind].flops;
    if (flops == 0 || !computes(op->kind))
        return 0;
    if (spec_is_empty(op)) {
        const Ref *flat = op->operand_count > 0 ? &op->operand[0] : &op->out;
        return (double)flops * (double)buffer_slot_elements(program->decls, &program->buffers.data[flat->buffer]);
    }
    return flops * space_of(program, op).elements * window_elements(op);
}

void op_extents(const Program *program, const Op *op, double extents[OP_INDICES])
{
    const Space space = space_of(program, op);
    memcpy(extents, space.extent, sizeof space.extent);
}

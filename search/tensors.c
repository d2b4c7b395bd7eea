/* tensors.c - the terms of a step's time, from the reference (search/tensors.h). */
#include "search/terms.h"

#include <math.h>
#include <string.h>

/* ---- Places ------------------------------------------------------------------------------------------------- */

int terms_place(int on)
{
    return on >= 0 ? AT_DIM + on : on == ON_PARTIAL ? AT_PARTS : AT_WHOLE;
}

int terms_on(int place)
{
    return place >= AT_DIM ? place - AT_DIM : place == AT_PARTS ? ON_PARTIAL : ON_WHOLE;
}

int terms_weight(const Tensors *b, int tensor)
{
    return weights_of(b->weights, &b->facts->decls->tensors.data[tensor]);
}

int terms_weight_place(const Tensors *b, int weight, int way, int tensor)
{
    int dim = weight_dim(&b->facts->decls->tensors.data[tensor], b->weights->weight[weight].dim[way]);
    return dim >= 0 ? AT_DIM + dim : AT_WHOLE;
}

/* ---- Terms -------------------------------------------------------------------------------------------------- */

void terms_add_always(Tensors *b, double seconds)
{
    Term term = {.costs = arena_array(b->arena, double, 1)};
    term.costs[0] = seconds;
    vec_push(b->arena, &b->terms, term);
}

static double ranks_of(const Tensors *b)
{
    return (double)b->exchange.inner.ranks;
}

static double microbatches(const Tensors *b)
{
    return (double)b->facts->decls->micro;
}

static double collective_seconds(const Tensors *b, Collective collective, double bytes)
{
    return cost_collective(collective, bytes, &b->exchange.inner).seconds + b->cluster->device.launch_seconds;
}

/* ---- Conversions -------------------------------------------------------------------------------------------- */

/* Of a value of so many bytes, in one step. */
static double step_seconds(const Tensors *b, int from, int to, double bytes)
{
    if (from == to || from == AT_WHOLE || to == AT_PARTS)
        return 0;
    if (from == AT_PARTS)
        return collective_seconds(b, to == AT_WHOLE ? COLLECTIVE_ALL_REDUCE : COLLECTIVE_REDUCE_SCATTER, bytes);
    if (to == AT_WHOLE)
        return collective_seconds(b, COLLECTIVE_ALL_GATHER, bytes);
    return collective_seconds(b, COLLECTIVE_ALL_TO_ALL, bytes / ranks_of(b));
}

static void find_shortest(double seconds[PLACES][PLACES])
{
    for (int by = 0; by < PLACES; by++)
        for (int from = 0; from < PLACES; from++)
            for (int to = 0; to < PLACES; to++)
                seconds[from][to] = fmin(seconds[from][to], seconds[from][by] + seconds[by][to]);
}

/* Of a rank, without the axis. */
static double outer_bytes(const Tensors *b, int buffer)
{
    const RefBuffer *info = &b->facts->buffers[buffer];
    return derive_is_cut(info) ? info->bytes / b->exchange.outer_ranks : info->bytes;
}

/* Bytes of what one microbatch has of it. */
static double micro_bytes(const Tensors *b, int buffer)
{
    const RefBuffer *info = &b->facts->buffers[buffer];
    double parts = derive_is_cut(info) ? microbatches(b) : 1;
    return outer_bytes(b, buffer) * info->share / parts;
}

/* What is read or drawn is made wherever it is wanted; parameters are used as they are stored, or in parts of that;
 * what is summed after the microbatches is wherever it was computed. */
static void price(const Tensors *b, int buffer, Where *where)
{
    const RefBuffer *info = &b->facts->buffers[buffer];
    bool source = info->drawn != NULL;
    for (int r = 0; r < b->facts->reference->routines.count; r++)
        source = source || b->facts->routines[r].wish[buffer].reader != NULL;
    for (int from = 0; from < PLACES; from++)
        for (int to = 0; to < PLACES; to++) {
            bool stored = info->role == ROLE_PARAMETER && from != to && from != AT_WHOLE;
            where->seconds[from][to] = stored                    ? INFINITY
                                       : source || info->partial ? 0
                                                                 : step_seconds(b, from, to, micro_bytes(b, buffer));
        }
    find_shortest(where->seconds);
    where->priced = true;
}

static Where *where_of(Tensors *b, int buffer)
{
    Where *where = &b->where[buffer];
    if (!where->priced)
        price(b, buffer, where);
    return where;
}

/* ---- What runs --------------------------------------------------------------------------------------------- */

double terms_trips(const Node *loop)
{
    return fabs((double)(loop->loop.last.constant - loop->loop.first.constant)) + 1;
}

/* Does it run once for every microbatch? */
static bool in_micro(const Tensors *b, const Op *op)
{
    switch (b->facts->ops[op->id].phase) {
    case PHASE_MICRO:
        return op_has_result(op->kind);
    case PHASE_EARLY:
    case PHASE_BETWEEN:
    case PHASE_FLAT:
    case PHASE_DROP:
        return false;
    }
    BUG("an operator is in no phase");
}

static bool is_slot(const Use *use, Ref ref)
{
    return use->by_layer == (ref.slot.term_count > 0) && use->constant == ref.slot.constant;
}

static void count_use(Tensors *b, Ref ref, const Node *loop)
{
    Where *where = &b->where[ref.buffer];
    int at = 0;
    while (at < where->uses.count && !(is_slot(&where->uses.data[at], ref) && where->uses.data[at].loop == loop))
        at++;
    if (at == where->uses.count) {
        const Use use = {.by_layer = ref.slot.term_count > 0, .constant = ref.slot.constant, .loop = loop};
        vec_push(b->arena, &where->uses, use);
    }
    where->uses.data[at].reads++;
}

/* A conversion that several operators need is one: how many may share it. What layers gather is not kept for the
 * backward pass, whose layers gather it again. */
static int sharers(const Where *where, Ref ref, const Node *loop, bool gathers)
{
    int reads = 0;
    for (int u = 0; u < where->uses.count; u++) {
        const Use *use = &where->uses.data[u];
        if (is_slot(use, ref) && (use->loop == loop || !gathers || !use->by_layer))
            reads += use->reads;
    }
    return reads;
}

static void count_uses(Tensors *b, const Run *run)
{
    Where *out = &b->where[run->op->out.buffer];
    out->written = fmax(out->written, run->times);
    for (int o = 0; o < run->op->operand_count; o++)
        count_use(b, run->op->operand[o], run->loop);
}

/* Those of sharded images, whose neighbours exchange edges, are for pins alone. */
static SignatureVec signatures_on_axis(const Tensors *b, const Op *op)
{
    const OpShape shape = op_shape(b->arena, op->kind, derive_spec(b->facts, op));
    SignatureVec all = signatures_of(b->arena, &shape, SIGNATURE_SHARDED | SIGNATURE_SUM | SIGNATURE_EVEN);
    if (b->freedom != BY_RULES)
        derive_add_window_signatures(b->facts, op, b->exchange.axis, &all);
    return all;
}

/* Sources have no signatures. */
static void find_runs(Tensors *b, const NodeList *body, const Node *loop, double times)
{
    for (int i = 0; i < body->count; i++) {
        const Node *node = body->data[i];
        if (node->kind == NODE_LOOP)
            find_runs(b, &node->body, node, times * terms_trips(node));
        if (node->kind != NODE_OP || !in_micro(b, node->op))
            continue;
        Run run = {.op = node->op, .times = times, .loop = loop, .first = b->where[node->op->out.buffer].written == 0};
        if (op_info[node->op->kind].op_class != CLASS_SOURCE)
            run.signatures = signatures_on_axis(b, node->op);
        vec_push(b->arena, &b->runs, run);
        count_uses(b, &run);
    }
}

/* Parameters are sharded by dims, and so are their gradients; some values by those that the strategy names. */
static void find_rules(Tensors *b)
{
    const int count = b->facts->reference->buffers.count;
    unsigned *cuts = arena_array(b->arena, unsigned, count);
    double *bytes = arena_array(b->arena, double, count);
    for (int i = 0; i < count; i++) {
        const RefBuffer *info = &b->facts->buffers[i];
        bool stored = info->role == ROLE_PARAMETER || info->role == ROLE_GRADIENT;
        int weight = stored ? terms_weight(b, info->tensor) : -1,
            rest = place_at(&b->step->wish[i].rest, b->exchange.axis);
        cuts[i] = rest >= 0 ? 1u << rest : 0;
        for (int way = 1; weight >= 0 && way < b->weights->weight[weight].ways; way++) {
            int dim = weight_dim(&b->facts->decls->tensors.data[info->tensor], b->weights->weight[weight].dim[way]);
            cuts[i] |= dim >= 0 ? 1u << dim : 0;
        }
        bytes[i] = outer_bytes(b, i);
    }
    b->rules = (Rules){b->facts, b->step, &b->runs, b->exchange.axis, bytes, .cuts = cuts};
    rules_find(b->arena, &b->rules);
}

/* ---- Variables ---------------------------------------------------------------------------------------------- */

static int new_variable(Tensors *b, int size)
{
    vec_push(b->arena, &b->sizes, size);
    return b->sizes.count - 1;
}

/* As the program itself has it. */
static int stored_place(const Tensors *b, int tensor)
{
    const Placement place = derive_parameter_place(b->facts, tensor, 0);
    return terms_place(place_at(&place, b->exchange.axis));
}

static void place_anywhere(Tensors *b, const Tensor *tensor, Stored *stored)
{
    stored->place[stored->count++] = AT_WHOLE;
    for (int d = 0; d < tensor->dim_count; d++)
        if (tensor->dims[d] > 1)
            stored->place[stored->count++] = AT_DIM + d;
    stored->variable = new_variable(b, stored->count);
}

static void place_tensor(Tensors *b, int tensor, Stored *stored)
{
    const int weight = terms_weight(b, tensor);
    stored->variable = weight;
    for (int way = 0; weight >= 0 && way < b->weights->weight[weight].ways; way++)
        stored->place[stored->count++] = terms_weight_place(b, weight, way, tensor);
    if (weight >= 0)
        return;
    switch (b->freedom) {
    case BY_RULES:
        stored->place[stored->count++] = AT_WHOLE;
        return;
    case BY_PINS:
        stored->place[stored->count++] = stored_place(b, tensor);
        return;
    case FREELY:
        place_anywhere(b, &b->facts->decls->tensors.data[tensor], stored);
        return;
    }
    BUG("parameters are placed by nothing");
}

static void place_tensors(Tensors *b)
{
    for (int w = 0; w < b->weights->count; w++)
        new_variable(b, b->weights->weight[w].ways);
    for (int i = 0; i < b->facts->reference->buffers.count; i++) {
        const RefBuffer *info = &b->facts->buffers[i];
        if (info->role == ROLE_PARAMETER && b->stored[info->tensor].count == 0)
            place_tensor(b, info->tensor, &b->stored[info->tensor]);
    }
}

static void place_parameter(const Tensors *b, int buffer, Where *where)
{
    const Stored *stored = &b->stored[b->facts->buffers[buffer].tensor];
    where->variable = stored->variable;
    where->stored = stored->place[0];
    where->count = stored->count;
    memcpy(where->place, stored->place, sizeof where->place);
}

/* By any dim that may be sharded, if every rank has something of it, or whatever is pinned. */
static void place_value(Tensors *b, int buffer, Where *where)
{
    const Buffer *value = &b->facts->reference->buffers.data[buffer];
    where->place[where->count++] = AT_WHOLE;
    where->place[where->count++] = AT_PARTS;
    for (int d = 0; d < value->dim_count; d++) {
        bool may = b->freedom == BY_RULES
                       ? value->dims[d].size >= b->exchange.inner.ranks && (b->rules.cuts[buffer] >> d & 1)
                       : value->dims[d].size > 1;
        if (may)
            where->place[where->count++] = AT_DIM + d;
    }
    where->variable = new_variable(b, where->count);
}

static void place_buffers(Tensors *b)
{
    for (int i = 0; i < b->facts->reference->buffers.count; i++) {
        Where *where = &b->where[i];
        where->variable = -1;
        if (where->written == 0 && where->uses.count == 0)
            continue;
        switch (b->facts->buffers[i].role) {
        case ROLE_PARAMETER:
            place_parameter(b, i, where);
            break;
        case ROLE_PLAIN:
        case ROLE_GRADIENT:
            place_value(b, i, where);
            break;
        case ROLE_STATE:
        case ROLE_UPDATE:
        case ROLE_MATRIX:
            break;
        }
    }
}

/* ---- Operators ---------------------------------------------------------------------------------------------- */

void terms_cut(Tensors *b, int buffer, int place, bool micro)
{
    const RefBuffer *info = &b->facts->buffers[buffer];
    Buffer *cut = &b->scratch.buffers.data[buffer];
    for (int d = 0; d < cut->dim_count; d++) {
        Dim *dim = &cut->dims[d];
        dim->cut_count = 0;
        if (micro && b->facts->decls->micro > 1 && ((info->batch_dims | info->micro_dims) >> d & 1))
            dim->cut[dim->cut_count++] = CUT_MICRO;
        for (int a = 0; micro && a < b->exchange.outer.count && (info->batch_dims >> d & 1); a++)
            dim->cut[dim->cut_count++] = b->exchange.outer.axis[a];
        if (place == AT_DIM + d)
            dim->cut[dim->cut_count++] = (int8_t)b->exchange.axis;
    }
}

static double op_seconds(Tensors *b, const Op *op, const Signature *signature)
{
    for (int o = 0; o < op->operand_count; o++)
        terms_cut(b, op->operand[o].buffer, terms_place(place_on(signature->operand[o])), true);
    terms_cut(b, op->out.buffer, terms_place(place_on(signature->result)), true);
    return cost_op(b->cluster, &b->scratch, op, NULL).seconds;
}

/* What the variables of an operator's values are, each once, and which of them is whose. */
typedef struct Ends {
    Term term;
    int at[STEP_MAX_OPERANDS + 1]; /* of the operands, then of the result: the variable's number in the term; -1 none */
} Ends;

static void add_end(Ends *ends, int end, int variable)
{
    int at = 0;
    ends->at[end] = -1;
    if (variable < 0)
        return;
    while (at < ends->term.count && ends->term.variable[at] != variable)
        at++;
    if (at == ends->term.count)
        ends->term.variable[ends->term.count++] = variable;
    ends->at[end] = at;
}

static Ends ends_of(Tensors *b, const Op *op)
{
    Ends ends = {0};
    for (int o = 0; o < op->operand_count; o++)
        add_end(&ends, o, b->where[op->operand[o].buffer].variable);
    add_end(&ends, op->operand_count, b->where[op->out.buffer].variable);
    return ends;
}

static int place_now(const Where *where, const Ends *ends, int end, const int *value)
{
    return ends->at[end] >= 0 ? where->place[value[ends->at[end]]] : where->stored;
}

/* Each of those that share a conversion has its part of it. */
static double end_seconds(Tensors *b, const Run *run, const Signature *signature, const int *places)
{
    const Op *op = run->op;
    double seconds = 0;
    for (int o = 0; o < op->operand_count; o++) {
        const Where *where = where_of(b, op->operand[o].buffer);
        const int to = terms_place(place_on(signature->operand[o]));
        double converting = where->seconds[places[o]][to];
        double often = where->written > 0 ? fmin(where->written, run->times) : 1;
        if (converting > 0)
            seconds +=
                often * converting / sharers(where, op->operand[o], run->loop, places[o] >= AT_DIM && to == AT_WHOLE);
    }
    const Where *out = where_of(b, op->out.buffer);
    double converting = out->seconds[terms_place(place_on(signature->result))][places[op->operand_count]];
    return converting > 0 ? seconds + run->times * converting : seconds;
}

/* The least for these values of the variables. */
static double least_in(Tensors *b, int at, const double *computing, const Ends *ends, const int *value, bool *may,
                       int *best)
{
    const Run *run = &b->runs.data[at];
    const Op *op = run->op;
    int places[STEP_MAX_OPERANDS + 1], on[STEP_MAX_OPERANDS + 1];
    double least = INFINITY;
    for (int end = 0; end <= op->operand_count; end++) {
        int buffer = end < op->operand_count ? op->operand[end].buffer : op->out.buffer;
        places[end] = place_now(&b->where[buffer], ends, end, value);
        on[end] = terms_on(places[end]);
    }
    if (b->freedom == BY_RULES)
        rules_choose(&b->rules, at, on, may);
    for (int s = 0; s < run->signatures.count; s++) {
        double seconds = run->times * computing[s] + end_seconds(b, run, &run->signatures.data[s], places);
        if ((b->freedom != BY_RULES || may[s]) && seconds < least) {
            least = seconds;
            *best = s;
        }
    }
    return microbatches(b) * least;
}

/* Made wherever they are wanted. */
static void add_source(Tensors *b, const Op *op, double times)
{
    bool drawn = b->facts->buffers[op->out.buffer].drawn != NULL;
    if (!drawn && !derive_is_zero_fill(op))
        terms_add_always(b, microbatches(b) * times * b->cluster->device.launch_seconds);
}

/* Per signature. */
static double *computing_of(Tensors *b, const Run *run)
{
    double *computing = arena_array(b->arena, double, run->signatures.count);
    for (int s = 0; s < run->signatures.count; s++)
        computing[s] = op_seconds(b, run->op, &run->signatures.data[s]);
    return computing;
}

static void add_operator(Tensors *b, int at)
{
    const Run *run = &b->runs.data[at];
    const Op *op = run->op;
    const SignatureVec *signatures = &run->signatures;
    Ends ends = ends_of(b, op);
    int value[TERM_MOST_VARIABLES] = {0};
    size_t cells = 1;
    for (int i = 0; i < ends.term.count; i++)
        cells *= (size_t)b->sizes.data[ends.term.variable[i]];
    if (signatures->count == 0 || cells > MOST_TERM_CELLS)
        return;
    double *computing = computing_of(b, run);
    bool *may = arena_array(b->arena, bool, signatures->count);
    int best;
    ends.term.costs = arena_array(b->arena, double, cells);
    for (size_t cell = 0; cell < cells; cell++) {
        ends.term.costs[cell] = least_in(b, at, computing, &ends, value, may, &best);
        for (int i = ends.term.count - 1; i >= 0 && ++value[i] == b->sizes.data[ends.term.variable[i]]; i--)
            value[i] = 0;
    }
    vec_push(b->arena, &b->terms, ends.term);
}

static void add_operators(Tensors *b)
{
    for (int r = 0; r < b->runs.count; r++) {
        const Run *run = &b->runs.data[r];
        if (op_info[run->op->kind].op_class == CLASS_SOURCE)
            add_source(b, run->op, run->times);
        else
            add_operator(b, r);
    }
}

/* ---- All of it ---------------------------------------------------------------------------------------------- */

static const RoutineFacts *step_of(const Facts *facts)
{
    for (int r = 0; r < facts->reference->routines.count; r++)
        if (facts->routines[r].routine->kind == ROUTINE_STEP)
            return &facts->routines[r];
    return NULL;
}

static Program scratch_of(Arena *arena, const Facts *facts)
{
    Program scratch = *facts->reference;
    scratch.decls = facts->decls;
    scratch.buffers.data = arena_array(arena, Buffer, scratch.buffers.count);
    memcpy(scratch.buffers.data, facts->reference->buffers.data, sizeof(Buffer) * (size_t)scratch.buffers.count);
    return scratch;
}

static Tensors *open(Arena *arena, const Weights *weights, Costed *alike, Freedom freedom)
{
    const Facts *facts = facts_find(&alike->ctx, alike->train, alike->assignment);
    const RoutineFacts *step = facts != NULL ? step_of(facts) : NULL;
    if (step == NULL)
        return NULL;
    const Exchange exchange = exchange_open(&alike->train->cluster, facts->decls, (double)facts->decls->micro);
    if (exchange.axis < 0)
        return NULL;
    Tensors *tensors = arena_make(arena, Tensors);
    *tensors = (Tensors){.arena = arena,
                         .facts = facts,
                         .step = step,
                         .weights = weights,
                         .freedom = freedom,
                         .cluster = &alike->train->cluster,
                         .exchange = exchange,
                         .scratch = scratch_of(arena, facts),
                         .where = arena_array(arena, Where, facts->reference->buffers.count),
                         .stored = arena_array(arena, Stored, facts->decls->tensors.count)};
    find_runs(tensors, &step->routine->body, NULL, 1);
    find_rules(tensors);
    place_tensors(tensors);
    place_buffers(tensors);
    add_operators(tensors);
    states_launch(tensors);
    return tensors;
}

Tensors *tensors_open(Arena *arena, const Weights *weights, Costed *alike)
{
    return open(arena, weights, alike, BY_RULES);
}

static const Weights no_weights;

Tensors *tensors_open_pinned(Arena *arena, Costed *program, bool anywhere)
{
    return open(arena, &no_weights, program, anywhere ? FREELY : BY_PINS);
}

double tensors_least(Tensors *tensors, int zero)
{
    TermSum sum;
    bool exact;
    tensors_bound(tensors, zero, &sum);
    int *fixed = arena_array(tensors->arena, int, sum.variables + 1);
    for (int v = 0; v < sum.variables; v++)
        fixed[v] = -1;
    return eliminate(&sum, fixed, &exact);
}

/* The variables from `kept` on that may be eliminated are, at once. */
static void add_up(Tensors *tensors, int zero, TermSum *sum)
{
    const int common = tensors->terms.count;
    tensors->exchange.zero = zero;
    states_add(tensors);
    *sum = (TermSum){.variables = tensors->sizes.count, .sizes = tensors->sizes.data};
    for (int i = 0; i < tensors->terms.count; i++)
        vec_push(tensors->arena, &sum->terms, tensors->terms.data[i]);
    tensors->terms.count = common;
}

void tensors_bound(Tensors *tensors, int zero, TermSum *sum)
{
    add_up(tensors, zero, sum);
    eliminate_prepare(tensors->arena, sum, tensors->weights->count);
}

/* The signature that costs least where the values are that the variables say. */
static void add_best(Tensors *b, int at, const int *value, BestWays *ways)
{
    const Run *run = &b->runs.data[at];
    const Ends ends = ends_of(b, run->op);
    int own[TERM_MOST_VARIABLES] = {0}, best = -1;
    if (run->signatures.count == 0)
        return;
    for (int i = 0; i < ends.term.count; i++)
        own[i] = value[ends.term.variable[i]];
    least_in(b, at, computing_of(b, run), &ends, own, NULL, &best);
    if (best < 0)
        return;
    const BestWay way = {.op = run->op->id, .signature = run->signatures.data[best]};
    vec_push(b->arena, &ways->list, way);
}

bool tensors_best(Arena *arena, Costed *program, int zero, BestWays *ways)
{
    Tensors *tensors = tensors_open_pinned(arena, program, false);
    TermSum sum;
    bool exact;
    *ways = (BestWays){0};
    if (tensors == NULL)
        return false;
    add_up(tensors, zero, &sum);
    eliminate_prepare(arena, &sum, sum.variables);
    int *fixed = arena_array(arena, int, sum.variables + 1), *value = arena_array(arena, int, sum.variables + 1);
    for (int v = 0; v < sum.variables; v++)
        fixed[v] = -1;
    ways->axis = tensors->exchange.axis;
    ways->seconds = eliminate_to(&sum, fixed, &exact, value);
    for (int r = 0; r < tensors->runs.count; r++)
        add_best(tensors, r, value, ways);
    return true;
}

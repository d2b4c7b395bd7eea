/* operators.c - the tables of operators (step/operators.h). */
#include "step/operators.h"

#include "base/ctx.h"

const OpInfo op_info[OP_COUNT] = {
#define OP(id, name, op_class, operands, immediates, coupled, linear, flops, gradient, called, body)                   \
    [OP_##id] = {name, CLASS_##op_class, operands, immediates, coupled, linear, flops, body},
#include "step/op.def"
#undef OP
};

static void require(OpKind kind, bool of_class)
{
    if (!of_class)
        BUG("'%s' is of class %d", op_info[kind].name, (int)op_info[kind].op_class);
}

ContractionKind op_contract(OpKind kind)
{
    require(kind, op_info[kind].op_class == CLASS_CONTRACT);
    return (ContractionKind)kind;
}

TableKind op_table(OpKind kind)
{
    require(kind, op_info[kind].op_class == CLASS_GATHER || op_info[kind].op_class == CLASS_SCATTER);
    return (TableKind)kind;
}

ChoiceKind op_choice(OpKind kind)
{
    require(kind, op_info[kind].op_class == CLASS_CHOICE);
    return (ChoiceKind)kind;
}

WindowKind op_window(OpKind kind)
{
    require(kind, op_info[kind].op_class == CLASS_WINDOW);
    return (WindowKind)kind;
}

ViewKind op_view(OpKind kind)
{
    require(kind, op_info[kind].op_class == CLASS_VIEW);
    return (ViewKind)kind;
}

Collective op_collective(OpKind kind)
{
    require(kind, op_info[kind].op_class == CLASS_COMM || op_info[kind].op_class == CLASS_MOVE);
    return (Collective)kind;
}

SourceKind op_source(OpKind kind)
{
    require(kind, op_info[kind].op_class == CLASS_SOURCE);
    return (SourceKind)kind;
}

SinkKind op_sink(OpKind kind)
{
    require(kind, op_info[kind].op_class == CLASS_SINK);
    return (SinkKind)kind;
}

bool op_names_none(TableKind kind)
{
    switch (kind) {
    case TABLE_EMBED:
    case TABLE_EMBED_BWD:
        return false;
    case TABLE_TAKE:
    case TABLE_GIVE:
    case TABLE_COMBINE:
        return true;
    }
    BUG("a look-up that is none");
}

bool op_table_side(OpKind kind, Side *side)
{
    OpClass op_class = op_info[kind].op_class;
    *side = op_class == CLASS_GATHER ? SIDE_B : SIDE_OUT;
    return op_class == CLASS_GATHER || op_class == CLASS_SCATTER;
}

WindowRoles op_window_roles(OpKind kind)
{
    switch (op_window(kind)) {
    case WINDOW_CONV:
        return (WindowRoles){0, 1, WINDOW_RESULT};
    case WINDOW_CONV_INPUT_BWD:
        return (WindowRoles){WINDOW_RESULT, 1, 0};
    case WINDOW_CONV_WEIGHT_BWD:
        return (WindowRoles){0, WINDOW_RESULT, 1};
    case WINDOW_MAX_POOL:
    case WINDOW_MEAN_POOL:
        return (WindowRoles){0, WINDOW_NONE, WINDOW_RESULT};
    case WINDOW_MAX_POOL_BWD: /* the result is on the input's grid too */
        return (WindowRoles){0, WINDOW_NONE, 1};
    case WINDOW_MEAN_POOL_BWD:
        return (WindowRoles){WINDOW_RESULT, WINDOW_NONE, 0};
    }
    BUG("a window that is none");
}

const CollectiveInfo *collective_info(Collective collective)
{
    enum { NO, YES };
    static const CollectiveInfo info[OP_COUNT] = {
#define COLLECTIVE(id, whole, piece, sums, peers, ...)                                                                 \
    [COLLECTIVE_##id] = {SIDE_##whole, SIDE_##piece, sums, PEERS_##peers},
#include "step/collective.def"
#undef COLLECTIVE
    };
    switch (collective) { /* every collective has a row */
#define COLLECTIVE(id, ...) case COLLECTIVE_##id:
#include "step/collective.def"
#undef COLLECTIVE
        return &info[collective];
    }
    BUG("a collective that is none");
}

Peers op_peers(OpKind kind)
{
    OpClass class = op_info[kind].op_class;
    return class == CLASS_COMM || class == CLASS_MOVE ? collective_info(op_collective(kind))->peers : PEERS_NONE;
}

bool op_sums(OpKind kind)
{
    OpClass class = op_info[kind].op_class;
    return (class == CLASS_COMM || class == CLASS_MOVE) && collective_info(op_collective(kind))->sums;
}

bool op_is_message(OpKind kind)
{
    return op_peers(kind) == PEERS_MESSAGE;
}

bool op_hands_on(OpKind kind)
{
    Peers peers = op_peers(kind);
    return peers == PEERS_SOURCE || peers == PEERS_PERMUTED;
}

static bool collective_has_result(Collective collective)
{
    switch (collective) {
    case COLLECTIVE_SEND:
        return false;
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
    case COLLECTIVE_RECV:
        return true;
    }
    BUG("a collective that is none");
}

bool op_has_result(OpKind kind)
{
    switch (op_info[kind].op_class) {
    case CLASS_MAP:
    case CLASS_ROW:
    case CLASS_SUM:
    case CLASS_CONTRACT:
    case CLASS_GATHER:
    case CLASS_SCATTER:
    case CLASS_CHOICE:
    case CLASS_WINDOW:
    case CLASS_VIEW:
    case CLASS_SOURCE:
        return true;
    case CLASS_MOVE:
    case CLASS_COMM:
        return collective_has_result(op_collective(kind));
    case CLASS_SINK:
        return false;
    }
    BUG("'%s' is of no class", op_info[kind].name);
}

static OpExtra source_extra(SourceKind source)
{
    switch (source) {
    case SOURCE_FILL:
        return EXTRA_NONE;
    case SOURCE_IOTA:
        return EXTRA_FIRST;
    case SOURCE_READ:
        return EXTRA_MICROBATCH;
    case SOURCE_INIT:
        return EXTRA_SEED;
    }
    BUG("a source that is none");
}

static OpExtra collective_extra(Collective collective)
{
    const CollectiveInfo *info = collective_info(collective);
    switch (info->peers) {
    case PEERS_NONE:
    case PEERS_GROUP:
    case PEERS_NEIGHBOURS:
        return info->sums ? EXTRA_REDUCE : EXTRA_NONE;
    case PEERS_SOURCE:
    case PEERS_PERMUTED:
    case PEERS_MESSAGE:
        return EXTRA_PEER;
    }
    BUG("peers that are none");
}

OpExtra op_extra(OpKind kind)
{
    switch (op_info[kind].op_class) {
    case CLASS_MAP:
        return kind == OP_SCALE ? EXTRA_SCALE : EXTRA_NONE;
    case CLASS_CONTRACT:
        return EXTRA_PIECE;
    case CLASS_ROW:
    case CLASS_SUM:
    case CLASS_GATHER:
    case CLASS_SCATTER:
    case CLASS_CHOICE:
    case CLASS_WINDOW:
    case CLASS_VIEW:
        return EXTRA_NONE;
    case CLASS_SOURCE:
        return source_extra(op_source(kind));
    case CLASS_SINK:
        return EXTRA_OUTPUT;
    case CLASS_MOVE:
    case CLASS_COMM:
        return collective_extra(op_collective(kind));
    }
    BUG("'%s' is of no class", op_info[kind].name);
}

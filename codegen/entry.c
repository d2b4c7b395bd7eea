/* entry.c - the table of the runtime's entry points (codegen/entry.h). */
#include "codegen/entry.h"

static const RuntimeEntry entry_slice_flat = {.function = "prt_slice_flat"};
static const RuntimeEntry entry_place_flat = {.function = "prt_copy"};
static const RuntimeEntry entry_all_reduce = {.function = "prt_all_reduce", .call = "PRT_ALL_REDUCE"};
static const RuntimeEntry entry_reduce_scatter = {.function = "prt_reduce_scatter", .call = "PRT_REDUCE_SCATTER"};
static const RuntimeEntry entry_all_gather = {.function = "prt_all_gather", .call = "PRT_ALL_GATHER"};
static const RuntimeEntry entry_refused_exchange = {.refused = "an exchange of pieces along two dims"};
static const RuntimeEntry entry_refused_ring = {.refused = "what is passed around a ring"};
static const RuntimeEntry entry_refused_broadcast = {.refused = "a broadcast"};
static const RuntimeEntry entry_refused_image = {.refused = "an image in pieces"};
static const RuntimeEntry entry_refused_pipeline = {.refused = "a pipeline"};

const RuntimeEntry *runtime_entry(OpKind kind)
{
    switch (op_collective(kind)) {
#define COLLECTIVE(id, whole, piece, sums, peers, transfer, shape, bytes, payload, entry)                              \
    case COLLECTIVE_##id:                                                                                              \
        return &entry_##entry;
#include "step/collective.def"
#undef COLLECTIVE
    }
    BUG("'%s' has no entry of the runtime", op_info[kind].name);
}

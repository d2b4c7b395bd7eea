/* entry.c - the table of the runtime's entry points (codegen/entry.h). */
#include "codegen/entry.h"

static const RuntimeEntry entry_slice = {.function = "prt_slice"};
static const RuntimeEntry entry_place_shard = {.function = "prt_place_shard"};
static const RuntimeEntry entry_all_reduce = {.function = "prt_all_reduce", .call = "PRT_ALL_REDUCE"};
static const RuntimeEntry entry_reduce_scatter = {.function = "prt_reduce_scatter", .call = "PRT_REDUCE_SCATTER"};
static const RuntimeEntry entry_all_gather = {.function = "prt_all_gather", .call = "PRT_ALL_GATHER"};
static const RuntimeEntry entry_all_to_all = {.function = "prt_all_to_all", .call = "PRT_ALL_TO_ALL"};
static const RuntimeEntry entry_all_to_all_filled = {.function = "prt_all_to_all_filled",
                                                     .call = "PRT_ALL_TO_ALL_FILLED"};
static const RuntimeEntry entry_permute = {.function = "prt_permute", .call = "PRT_PERMUTE"};
static const RuntimeEntry entry_broadcast = {.function = "prt_broadcast", .call = "PRT_BROADCAST"};
static const RuntimeEntry entry_halo = {.function = "prt_halo", .call = "PRT_HALO"};
static const RuntimeEntry entry_halo_add = {.function = "prt_halo_add", .call = "PRT_HALO_ADD"};
static const RuntimeEntry entry_send = {.function = "prt_send", .call = "PRT_SEND"};
static const RuntimeEntry entry_receive = {.function = "prt_receive", .call = "PRT_RECV"};

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

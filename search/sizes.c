/* sizes.c - the same cluster with fewer devices (search/sizes.h). */
#include "search/sizes.h"

bool sizes_find(Arena *arena, const Pattern *pattern, int times, ClusterSize *size)
{
    int64_t nodes = pattern->nodes, devices = pattern->node_devices;
    for (; times > 0 && nodes > 1; times--)
        nodes /= 2;
    for (; times > 0 && devices > 0; times--)
        devices /= 2;
    if (devices == 0)
        return false;
    if (nodes == 0)
        *size = (ClusterSize){devices,
                              arena_printf(arena, "%lld device%s of", (long long)devices, devices == 1 ? "" : "s")};
    else
        *size = (ClusterSize){nodes * devices, arena_printf(arena, "%lld node%s of %lld", (long long)nodes,
                                                            nodes == 1 ? "" : "s", (long long)devices)};
    return true;
}

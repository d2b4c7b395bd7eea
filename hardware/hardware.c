/* hardware.c - the tables of devices and links (hardware/hardware.h). */
#include "hardware/hardware.h"

#include "hardware/fitted.h"

#include <string.h>

static const double tera = 1e12, giga = 1e9, micro = 1e-6;

const char *const hardware_device_names[HARDWARE_DEVICES] = {
#define DEVICE(name, ...) name,
#include "hardware/device.def"
#undef DEVICE
};

const char *const hardware_link_names[HARDWARE_LINKS] = {
#define LINK(name, ...) name,
#include "hardware/link.def"
#undef LINK
};

/* The columns of a device, times their units, and what is the same for all. */
static Device in_base_units(Device d)
{
    for (int i = 0; i < DTYPE_KINDS; i++)
        d.product_flops[i] *= tera;
    d.vector_flops *= tera;
    d.memory_bytes_per_second *= giga;
    d.nvlink_bytes_per_second *= giga;
    d.host_bytes_per_second *= giga;
    d.network_bytes_per_second *= giga;
    d.product_reached *= FITTED_PRODUCT_REACHED;
    d.half_depth = FITTED_HALF_DEPTH;
    d.half_edge = FITTED_HALF_EDGE;
    d.memory_reached = FITTED_MEMORY_REACHED;
    d.launch_seconds = FITTED_LAUNCH_SECONDS;
    d.spread = FITTED_SPREAD;
    return d;
}

bool hardware_device(const char *name, Device *device)
{
    static const Device written[HARDWARE_DEVICES] = {
#define DEVICE(id, memory, runs, f64, f32, bf16, part, vector, stream, nvlink, host, network, node, power)             \
    {.name = id,                                                                                                       \
     .row = runs,                                                                                                      \
     .memory_bytes = memory,                                                                                           \
     .product_flops = {[DTYPE_F64] = f64, [DTYPE_F32] = f32, [DTYPE_BF16] = bf16},                                     \
     .product_reached = part,                                                                                          \
     .vector_flops = vector,                                                                                           \
     .memory_bytes_per_second = stream,                                                                                \
     .nvlink_bytes_per_second = nvlink,                                                                                \
     .host_bytes_per_second = host,                                                                                    \
     .network_bytes_per_second = network,                                                                              \
     .node_devices = node,                                                                                             \
     .watts = power},
#include "hardware/device.def"
#undef DEVICE
    };
    for (int i = 0; i < HARDWARE_DEVICES; i++) {
        if (strcmp(written[i].name, name) != 0)
            continue;
        *device = in_base_units(written[i]);
        return true;
    }
    return false;
}

bool hardware_link(const Device *device, const char *name, Link *link)
{
#define LINK(id, column, part, latency, memory)                                                                        \
    if (strcmp(name, id) == 0) {                                                                                       \
        *link = (Link){id, device->column##_bytes_per_second, part, latency * micro, memory};                          \
        return true;                                                                                                   \
    }
#include "hardware/link.def"
#undef LINK
    return false;
}

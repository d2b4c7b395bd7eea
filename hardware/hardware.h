/* hardware.h - what devices and links can do, as far as that is known: for limits of memory and predictions of time.
 *
 *     Device device;
 *     hardware_device("a100", &device);
 *     device.product_flops[DTYPE_BF16]         // 312e12 per second
 *
 * Numbers are in bytes, seconds and operations per second; 0 means that it is not known.
 */
#ifndef PLACE_HARDWARE_HARDWARE_H
#define PLACE_HARDWARE_HARDWARE_H

#include "base/dtype.h"
#include <stdbool.h>
#include <stdint.h>

/* Between two devices, or a device and its host. */
typedef struct Link {
    const char *name;        /* "nvlink" */
    double bytes_per_second; /* of one device, in one direction */
    double reached;          /* the part of it that large transfers reach */
    double latency_seconds;  /* of a message that a collective passes on */
    bool shared;             /* each rank reads and writes the memory of the others itself */
} Link;

enum { DEVICE_CACHES = 3 };

/* Of the bytes that were read or written last, so many are read and written at this speed. */
typedef struct Cache {
    double bytes, bytes_per_second;
} Cache;

typedef struct Device {
    const char *name, *row; /* row: the runtime's device that runs programs for it; NULL: none does */
    int64_t memory_bytes;
    double product_flops[DTYPE_KINDS]; /* of dense products, at best */
    double product_reached;            /* the part of it that the largest products reach */
    double half_depth, half_edge;      /* numbers that a product sums, and its rows or columns, at half the speed */
    double vector_flops;               /* of everything else */
    double functions_per_second;       /* of exp, log, tanh and the like among that; 0: they count as `op.def` says */
    Cache caches[DEVICE_CACHES];       /* the smallest first */
    int cache_count;
    double shared_bytes_per_second; /* to write what another rank has in its cache; 0: like memory */
    double memory_bytes_per_second, memory_reached;
    double launch_seconds;         /* before an operator begins, */
    double product_launch_seconds; /* and each product of a batch */
    double nvlink_bytes_per_second, host_bytes_per_second, network_bytes_per_second;
    int64_t node_devices;    /* of the usual node; 0: of all */
    double watts;            /* at full load */
    double price_per_second; /* in whatever currency the program means */
    double spread;           /* by how much of itself a predicted time may be wrong */
} Device;

enum { HARDWARE_DEVICES = 7, HARDWARE_LINKS = 5 };

/* In the order of the tables. */
extern const char *const hardware_device_names[HARDWARE_DEVICES];
extern const char *const hardware_link_names[HARDWARE_LINKS];

/* The device of this name; false: there is none. */
bool hardware_device(const char *name, Device *device);

/* The link of this name on such devices; false: there is none. */
bool hardware_link(const Device *device, const char *name, Link *link);

#endif

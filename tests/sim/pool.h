/* pool.h - memory of the simulator: bump allocation, freed at once. */
#ifndef PLACE_SIM_POOL_H
#define PLACE_SIM_POOL_H

#include <stddef.h>

typedef struct SimPool SimPool;

SimPool *sim_pool_new(void);
void sim_pool_free(SimPool *pool);
/* Forgets everything that was allocated, keeping the memory for what comes. */
void sim_pool_reset(SimPool *pool);

/* Zeroed. Out of memory ends the process with status 2. */
void *sim_pool_take(SimPool *pool, size_t bytes);
char *sim_pool_text(SimPool *pool, const char *text, size_t length);

#define sim_new(pool, Type) ((Type *)sim_pool_take((pool), sizeof(Type)))
#define sim_array(pool, Type, count) ((Type *)sim_pool_take((pool), sizeof(Type) * (size_t)(count)))

/* Room for one more element at the end of an array of `count` elements; returns the array, perhaps moved. */
void *sim_pool_grow(SimPool *pool, void *items, int count, size_t item_bytes);

#endif

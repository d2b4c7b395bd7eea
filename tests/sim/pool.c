/* pool.c - a list of blocks, filled one after another. */
#include "tests/sim/pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 18 };

typedef struct Block Block;
struct Block {
    Block *next;
    size_t capacity, used;
    _Alignas(16) char bytes[];
};

struct SimPool {
    Block *first, *current;
};

static Block *block_new(size_t capacity)
{
    Block *block = malloc(sizeof(Block) + capacity);
    if (!block) {
        fprintf(stderr, "sim: out of memory\n");
        exit(2);
    }
    *block = (Block){.capacity = capacity};
    return block;
}

SimPool *sim_pool_new(void)
{
    SimPool *pool = malloc(sizeof(SimPool));
    if (!pool) {
        fprintf(stderr, "sim: out of memory\n");
        exit(2);
    }
    pool->first = pool->current = block_new(BLOCK_BYTES);
    return pool;
}

void sim_pool_free(SimPool *pool)
{
    for (Block *block = pool->first, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    free(pool);
}

void sim_pool_reset(SimPool *pool)
{
    for (Block *block = pool->first; block; block = block->next)
        block->used = 0;
    pool->current = pool->first;
}

void *sim_pool_take(SimPool *pool, size_t bytes)
{
    bytes = (bytes + 15) & ~(size_t)15;
    while (pool->current->capacity - pool->current->used < bytes) {
        if (!pool->current->next)
            pool->current->next = block_new(bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES);
        pool->current = pool->current->next;
    }
    void *memory = pool->current->bytes + pool->current->used;
    pool->current->used += bytes;
    memset(memory, 0, bytes);
    return memory;
}

char *sim_pool_text(SimPool *pool, const char *text, size_t length)
{
    char *copy = sim_pool_take(pool, length + 1);
    memcpy(copy, text, length);
    return copy;
}

void *sim_pool_grow(SimPool *pool, void *items, int count, size_t item_bytes)
{
    if (count != 0 && (count < 4 || (count & (count - 1)) != 0))
        return items; /* capacity is 4, then the next power of two */
    size_t capacity = count < 4 ? 4 : (size_t)count * 2;
    void *grown = sim_pool_take(pool, capacity * item_bytes);
    if (count)
        memcpy(grown, items, (size_t)count * item_bytes);
    return grown;
}

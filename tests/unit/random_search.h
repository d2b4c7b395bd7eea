/* random_search.h - what random programs for searches are drawn with. */
#ifndef PLACE_TESTS_UNIT_RANDOM_SEARCH_H
#define PLACE_TESTS_UNIT_RANDOM_SEARCH_H

#include <stdint.h>
#include <stdlib.h>

typedef struct Draw {
    uint64_t state;
} Draw;

static int draw(Draw *d, int count)
{
    d->state = d->state * 6364136223846793005u + 1442695040888963407u;
    return (int)((d->state >> 33) % (uint64_t)count);
}

static const char *one_of(Draw *d, const char *const *words, int count)
{
    return words[draw(d, count)];
}

#define ONE_OF(d, ...)                                                                                                 \
    one_of(d, (const char *const[]){__VA_ARGS__}, (int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)))

/* A machine whose ranks share memory (`placec calibrate`). */
static const char measured[] =
    "cpu within memory 10 GB/s after 1 us between infiniband 10 Gbit/s; memory 16 GiB\n"
    "    memory at 20 GB/s; cache 1 MiB at 90 GB/s; shared at 5 GB/s\n"
    "    products f32 at 100 GFLOP/s; products bf16 at 200 GFLOP/s; half depth 4; half edge 6\n"
    "    product launch 300 ns; arithmetic at 50 GFLOP/s; functions at 3 GFLOP/s\n"
    "    launch 100 ns; host at 10 GB/s";

/* Of the environment. */
static int64_t number_of(const char *name, int64_t otherwise)
{
    const char *text = getenv(name);
    return text != NULL ? strtoll(text, NULL, 10) : otherwise;
}

#endif

/* random.h - the counter-based random numbers of Place: a function of seed, tensor, layer and element.
 *
 * A number depends on nothing else, so ranks that hold different parts of a tensor draw the numbers that one device
 * would, in any order. The generator is Philox 4x32 with 10 rounds (Salmon et al., "Parallel random numbers: as easy as
 * 1, 2, 3", SC 2011): key = the seed, counter = (element low, element high, hash of the tensor's name, layer). The
 * compiler's interpreter and the runtime both include this header.
 *
 *     double w = scale * random_normal(seed, random_hash("block.mlp.up.weight"), layer, element);
 */
#ifndef PLACE_BASE_RANDOM_H
#define PLACE_BASE_RANDOM_H

#include <math.h>
#include <stdint.h>

typedef struct RandomWords {
    uint32_t word[4];
} RandomWords;

/* FNV-1a, 32 bits. */
static inline uint32_t random_hash(const char *name)
{
    uint32_t hash = 2166136261u;
    for (; *name; name++)
        hash = (hash ^ (uint8_t)*name) * 16777619u;
    return hash;
}

static inline RandomWords random_words(uint64_t seed, uint32_t tensor_hash, uint32_t layer, uint64_t element)
{
    uint32_t key0 = (uint32_t)seed, key1 = (uint32_t)(seed >> 32);
    RandomWords x = {{(uint32_t)element, (uint32_t)(element >> 32), tensor_hash, layer}};
    for (int round = 0; round < 10; round++) {
        uint64_t product0 = (uint64_t)0xD2511F53u * x.word[0];
        uint64_t product1 = (uint64_t)0xCD9E8D57u * x.word[2];
        x = (RandomWords){{(uint32_t)(product1 >> 32) ^ x.word[1] ^ key0, (uint32_t)product1,
                           (uint32_t)(product0 >> 32) ^ x.word[3] ^ key1, (uint32_t)product0}};
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
    return x;
}

/* Mixes a number into a word. After several numbers, the final word depends on all of them. */
static inline uint32_t random_mix(uint32_t word, uint32_t number)
{
    word += number * 0x9E3779B9u;
    for (int round = 0; round < 2; round++) {
        word = (word ^ word >> 16) * 0xD2511F53u;
        word = (word ^ word >> 15) * 0xCD9E8D57u;
    }
    return word ^ word >> 16;
}

/* Two words as a multiple of 2^-53 in [0, 1). */
static inline double random_fraction(uint32_t low, uint32_t high)
{
    return (double)((((uint64_t)high << 32) | low) >> 11) * 0x1p-53;
}

/* Uniform in [0, 1). */
static inline double random_uniform(uint64_t seed, uint32_t tensor_hash, uint32_t layer, uint64_t element)
{
    RandomWords x = random_words(seed, tensor_hash, layer, element);
    return random_fraction(x.word[0], x.word[1]);
}

/* Standard normal, by the Box-Muller transform. */
static inline double random_normal(uint64_t seed, uint32_t tensor_hash, uint32_t layer, uint64_t element)
{
    RandomWords x = random_words(seed, tensor_hash, layer, element);
    double radius = sqrt(-2 * log(1 - random_fraction(x.word[0], x.word[1])));
    return radius * cos(6.283185307179586 * random_fraction(x.word[2], x.word[3]));
}

#endif

/* chance.c - splitmix64. */
#include "tests/sim/chance.h"


static uint64_t next(Chance *chance)
{
    chance->state += 0x9e3779b97f4a7c15u;
    uint64_t z = chance->state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Begins where a draw ends, not a step further on: else one sequence would be the next one's, moved by one. */
Chance chance_new(uint64_t seed, uint64_t index)
{
    Chance of_seed = {seed}, chance = {next(&of_seed) + index * 0xd1342543de82ef95u};
    chance.state = next(&chance);
    return chance;
}

int chance_below(Chance *chance, int count)
{
    return (int)(next(chance) % (uint64_t)count);
}

bool chance_once_in(Chance *chance, int times)
{
    return chance_below(chance, times) == 0;
}

/* ranks.c - counts and numbers ranks (verify/ranks.h).
 *
 * tests/sim/equality.c damages the conditions of this file one at a time, and every condition counts: a test must
 * notice, or tests/sim/implied.txt must say why none can.
 */
#include "verify/ranks.h"

int64_t ranks_along(const Decls *decls, AxisMask axes)
{
    int64_t count = 1;
    for (int a = 0; a < decls->axes.count; a++)
        if ((axes >> a & 1) && __builtin_mul_overflow(count, decls->axes.data[a].size, &count))
            return INT64_MAX;
    return count;
}

int64_t rank_number(const Decls *decls, AxisMask axes, const int64_t *coordinate)
{
    int64_t number = 0;
    for (int a = 0; a < decls->axes.count; a++)
        if (axes >> a & 1)
            number = number * decls->axes.data[a].size + coordinate[a];
    return number;
}

void rank_coordinates(const Decls *decls, AxisMask axes, int64_t number, int64_t *coordinate)
{
    for (int a = decls->axes.count - 1; a >= 0; a--)
        if (axes >> a & 1) {
            coordinate[a] = number % decls->axes.data[a].size;
            number /= decls->axes.data[a].size;
        }
}

const char *rank_text(Arena *arena, const Decls *decls, AxisMask axes, const int64_t *coordinate)
{
    Text text = {.arena = arena};
    for (int a = 0; a < decls->axes.count; a++)
        if (axes >> a & 1)
            text_add(&text, "%s%s %lld", text.length > 0 ? ", " : "", decls->axes.data[a].name,
                     (long long)coordinate[a]);
    return text.data != NULL ? text.data : "every rank";
}

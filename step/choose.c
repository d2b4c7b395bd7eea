/* choose.c - what operators of class CHOICE choose (step/choose.h). */
#include "step/choose.h"

#include <math.h>
#include <stdbool.h>

/* Does x[i] come after x[last] in falling order? -1 is before all. */
static bool comes_after(const double *x, int64_t i, int64_t last)
{
    return last < 0 ? !isnan(x[i]) : x[i] < x[last] || (x[i] == x[last] && i > last);
}

void choose_top(const double *x, int64_t columns, int64_t *chosen, int64_t count)
{
    int64_t last = -1;
    for (int64_t n = 0; n < count; n++) {
        int64_t best = columns;
        for (int64_t i = 0; i < columns && last < columns; i++)
            if (comes_after(x, i, last) && (best == columns || x[i] > x[best]))
                best = i;
        chosen[n] = last = best;
    }
}

int64_t choose_queue(const double *x, int64_t rows, int64_t columns, double number, int64_t *chosen, int64_t count)
{
    int64_t waiting = 0;
    for (int64_t i = 0; i < rows * columns; i++)
        if (x[i] == number) {
            if (waiting < count)
                chosen[waiting] = i / columns;
            waiting++;
        }
    for (int64_t i = waiting; i < count; i++)
        chosen[i] = rows;
    return waiting;
}

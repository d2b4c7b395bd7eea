/* choose.h - what operators of class CHOICE choose, for the interpreter. */
#ifndef PLACE_STEP_CHOOSE_H
#define PLACE_STEP_CHOOSE_H

#include <stdint.h>

/* The columns of the largest numbers of a row, in falling order, of equal ones the first first; the number of columns
 * where none is left, or what is left is no number. */
void choose_top(const double *x, int64_t columns, int64_t *chosen, int64_t count);

/* The first rows that contain the number; after the last of them the number of rows. How many rows contain it. */
int64_t choose_queue(const double *x, int64_t rows, int64_t columns, double number, int64_t *chosen, int64_t count);

#endif

/* cells.h - tables of hits: how often which operator, placed how, in programs that hold their states how, occurred in
 * which case.
 *
 * A row is an operator (or another line: loop, guard, wait, buffer), a signature and a mode (signature.h) that occur
 * together in a program of the experiment. Its cells are cases, which exist or not: of `mutate` the kinds of changes, a
 * cell where one fits such a line (mutations.h); of `random` the strategies that the row's programs have.
 */
#ifndef PLACE_SIM_CELLS_H
#define PLACE_SIM_CELLS_H

#include "tests/sim/signature.h"
#include <stdio.h>

enum { CELL_KINDS = 64, CELL_ROWS = 1 << 14 };

typedef struct CellRow {
    char of[24], signature[SIGNATURE_SIZE], mode[20];
    bool exists[CELL_KINDS];
    int hits[CELL_KINDS];
} CellRow;

typedef struct Cells {
    int count;
    CellRow rows[CELL_ROWS];
    int slots[2 * CELL_ROWS]; /* 1 + a row, by hash */
} Cells;

/* The row, made where there is none; NULL: the table is full. */
CellRow *cells_row(Cells *cells, const char *of, const char *signature, const char *mode);

void cells_add(Cells *sum, const Cells *part);

typedef struct CellSums {
    int rows, cells, empty, least; /* least: hits of the cell that has fewest */
    int64_t hits;
} CellSums;

CellSums cells_sum(const Cells *cells);
/* A line for each cell that exists and has no hit. */
void cells_print_empty(const Cells *cells, const char *const *columns);
/* A line per row, sorted; "." where a cell does not exist. */
void cells_write(Cells *cells, FILE *out, int column_count, const char *const *columns);

#endif

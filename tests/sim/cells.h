/* cells.h - the table of hits: how often which operator, placed how, in programs that hold their states how, was changed
 * in which way.
 *
 * A row is an operator (or another line: loop, guard, wait, buffer), a signature and a mode (signature.h) that occur
 * together in a program of the experiment. A cell of it exists where a kind of change fits such a line (mutations.h).
 */
#ifndef PLACE_SIM_CELLS_H
#define PLACE_SIM_CELLS_H

#include "tests/sim/signature.h"
#include <stdio.h>

enum { CELL_KINDS = 32, CELL_ROWS = 1 << 14 };

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

typedef struct CellSums {
    int rows, cells, empty, least; /* least: hits of the cell that has fewest */
    int64_t hits;
} CellSums;

CellSums cells_sum(const Cells *cells);
/* A line per row, sorted; "." where a kind does not fit. */
void cells_write(Cells *cells, FILE *out, int kind_count, const char *(*kind_name)(int kind));

#endif

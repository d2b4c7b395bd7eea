/* cells.c - rows found by hash. */
#include "tests/sim/cells.h"

#include "tests/sim/number.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

CellRow *cells_row(Cells *cells, const char *of, const char *signature, const char *mode)
{
    uint64_t at = sim_mix_name(sim_mix_name(sim_mix_name(0, of), signature), mode) % (2 * CELL_ROWS);
    for (; cells->slots[at]; at = (at + 1) % (2 * CELL_ROWS)) {
        CellRow *row = &cells->rows[cells->slots[at] - 1];
        if (!strcmp(row->of, of) && !strcmp(row->signature, signature) && !strcmp(row->mode, mode))
            return row;
    }
    if (cells->count == CELL_ROWS)
        return NULL;
    CellRow *row = &cells->rows[cells->count++];
    cells->slots[at] = cells->count;
    snprintf(row->of, sizeof row->of, "%s", of);
    snprintf(row->signature, sizeof row->signature, "%s", signature);
    snprintf(row->mode, sizeof row->mode, "%s", mode);
    return row;
}

void cells_add(Cells *sum, const Cells *part)
{
    for (int r = 0; r < part->count; r++) {
        const CellRow *from = &part->rows[r];
        CellRow *to = cells_row(sum, from->of, from->signature, from->mode);
        for (int k = 0; k < CELL_KINDS && to; k++) {
            to->exists[k] = to->exists[k] || from->exists[k];
            to->hits[k] += from->hits[k];
        }
    }
}

CellSums cells_sum(const Cells *cells)
{
    CellSums sums = {.rows = cells->count, .least = INT32_MAX};
    for (int r = 0; r < cells->count; r++)
        for (int k = 0; k < CELL_KINDS; k++) {
            const CellRow *row = &cells->rows[r];
            if (!row->exists[k])
                continue;
            sums.cells++;
            sums.empty += row->hits[k] == 0;
            sums.hits += row->hits[k];
            sums.least = row->hits[k] < sums.least ? row->hits[k] : sums.least;
        }
    return sums;
}

static int compare(const void *left, const void *right)
{
    const CellRow *a = left, *b = right;
    int order = strcmp(a->of, b->of);
    if (order == 0)
        order = strcmp(a->signature, b->signature);
    return order ? order : strcmp(a->mode, b->mode);
}

void cells_print_empty(const Cells *cells, const char *const *columns)
{
    for (int r = 0; r < cells->count; r++)
        for (int k = 0; k < CELL_KINDS; k++) {
            const CellRow *row = &cells->rows[r];
            if (row->exists[k] && row->hits[k] == 0)
                printf("    empty: %s %s, %s: %s\n", row->of, row->signature, row->mode, columns[k]);
        }
}

static int width_of(const Cells *cells)
{
    int largest = 0, width = 1;
    for (int r = 0; r < cells->count; r++)
        for (int k = 0; k < CELL_KINDS; k++)
            largest = cells->rows[r].hits[k] > largest ? cells->rows[r].hits[k] : largest;
    for (; largest >= 10; largest /= 10)
        width++;
    return width;
}

static char letter_of(int column)
{
    return (char)(column < 26 ? 'a' + column : 'A' + column - 26);
}

/* Rows are out of their slots afterwards. */
void cells_write(Cells *cells, FILE *out, int column_count, const char *const *columns)
{
    int width = width_of(cells);
    for (int k = 0; k < column_count; k++)
        fprintf(out, "# %c  %s\n", letter_of(k), columns[k]);
    fprintf(out, "%-18s %-22s %-15s", "# operator", "signature", "mode");
    for (int k = 0; k < column_count; k++)
        fprintf(out, " %*c", width, letter_of(k));
    qsort(cells->rows, (size_t)cells->count, sizeof(CellRow), compare);
    memset(cells->slots, 0, sizeof cells->slots);
    for (int r = 0; r < cells->count; r++) {
        const CellRow *row = &cells->rows[r];
        fprintf(out, "\n%-18s %-22s %-15s", row->of, row->signature, row->mode);
        for (int k = 0; k < column_count; k++)
            row->exists[k] ? fprintf(out, " %*d", width, row->hits[k]) : fprintf(out, " %*s", width, ".");
    }
    fprintf(out, "\n");
}

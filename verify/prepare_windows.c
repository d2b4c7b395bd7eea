/* prepare_windows.c - operators with windows: three grids of rows and columns that fit, and pieces with their halo. */
#include "verify/prepare_internal.h"

#include <math.h>
#include <string.h>

/* ---- Grids -------------------------------------------------------------------------------------------------- */

/* Which of the three grids of a WINDOW operator an array is on: 0 input, 1 window, 2 output. */
static int grid_of(const Op *op, int array)
{
    WindowRoles roles = op_window_roles(op->kind);
    if (array == op->operand_count)
        array = WINDOW_RESULT;
    return array == roles.output ? 2 : array == roles.window ? 1 : 0;
}

bool is_whole_number(double value, double least)
{
    return value >= least && value <= INT32_MAX && value == floor(value);
}

/* The rows and columns are the last two letters of each array: the same for all arrays on one grid, and no others. */
static bool find_grids(Prepare *p, Prepared *prepared, const Letters *letters, char grids[3][2])
{
    const Op *op = prepared->op;
    for (int i = 0; i <= op->operand_count; i++) {
        if (letters->group[i].count < 2) {
            fault_shape(p, prepared, "an operand without rows and columns");
            return false;
        }
        char *grid = grids[grid_of(op, i)];
        const char *own = letters->group[i].at + letters->group[i].count - 2;
        bool same = grid[0] == '\0' || memcmp(grid, own, 2) == 0;
        memcpy(grid, own, 2);
        for (int other = 0; other < 3; other++)
            same = same && (grids[other] == grid ||
                            (memchr(grids[other], own[0], 2) == NULL && memchr(grids[other], own[1], 2) == NULL));
        if (!same) {
            fault_shape(p, prepared, "rows and columns of one grid have the letters of another");
            return false;
        }
    }
    for (int i = 0; i <= op->operand_count; i++)
        for (int d = 0; d < letters->group[i].count - 2; d++)
            if (memchr(grids, letters->group[i].at[d], 6) != NULL) {
                fault_shape(p, prepared, "rows and columns must come last");
                return false;
            }
    return true;
}

int letter_grid(const Prepared *prepared, const Letters *letters, char letter)
{
    for (int i = 0; i <= prepared->op->operand_count && op_info[prepared->op->kind].op_class == CLASS_WINDOW; i++)
        if (letters->group[i].count >= 2 &&
            memchr(letters->group[i].at + letters->group[i].count - 2, letter, 2) != NULL)
            return grid_of(prepared->op, i);
    return -1;
}

const Letter *transposed_letter(const Prepared *prepared, const Letters *letters, char output)
{
    int count = prepared->op->operand_count, column = 0;
    if (grid_of(prepared->op, count) != 0)
        return NULL;
    for (int i = 0; i < count; i++)
        if (grid_of(prepared->op, i) == 2)
            column = letters->group[i].at[letters->group[i].count - 1] == output;
    return letters_find((Letters *)letters, letters->group[count].at[letters->group[count].count - 2 + column]);
}

/* ---- Windows ------------------------------------------------------------------------------------------------ */

/* Where one axis cuts the rows of input and output into corresponding pieces, the places of each rank see its own piece
 * with a halo before and after: large enough for what they need, and for the part of a cotangent that goes to the
 * neighbours' rows. */
static void check_pieces(Prepare *p, Prepared *prepared, const Letter *input, const Letter *output, int64_t window,
                         int64_t stride, int64_t pad)
{
    int64_t after = window - stride - pad > 0 ? window - stride - pad : 0;
    if (input->cuts.count + output->cuts.count == 0 && input->before + input->after == 0)
        return;
    int64_t parts = cuts_parts(p, &input->cuts);
    bool aligned = input->cuts.count <= 1 && input->cuts.segments == NULL && cuts_equal(&input->cuts, &output->cuts) &&
                   input->size == stride * output->size && (stride == 1 || output->size % parts == 0) &&
                   output->before + output->after == 0 && (cuts_mask(&input->cuts) & TIME_MASK) == 0;
    if (!aligned || input->before != pad || input->after != after) {
        if (input->before + input->after == 0)
            check_uncut(p, prepared, input->cuts.count > 0 ? input : output);
        fault_shape(p, prepared, "its pieces lack the halo that its windows need");
    }
}

bool window_pools(const Op *op)
{
    switch (op_window(op->kind)) {
    case WINDOW_CONV:
    case WINDOW_CONV_INPUT_BWD:
    case WINDOW_CONV_WEIGHT_BWD:
        return false;
    case WINDOW_MAX_POOL:
    case WINDOW_MAX_POOL_BWD:
    case WINDOW_MEAN_POOL:
    case WINDOW_MEAN_POOL_BWD:
        return true;
    }
    BUG("'%s' has no shape rule", op_name(op));
}

void check_windows(Prepare *p, Prepared *prepared, Letters *letters)
{
    const Op *op = prepared->op;
    char grids[3][2] = {{0}};
    if (op_info[op->kind].op_class != CLASS_WINDOW || !find_grids(p, prepared, letters, grids))
        return;
    bool pools = window_pools(op);
    double stride = op->immediate[op->immediate_count - 2], pad = op->immediate[op->immediate_count - 1];
    if (!is_whole_number(stride, 1) || !is_whole_number(pad, 0) || !is_whole_number(op->immediate[0], pools)) {
        fault_shape(p, prepared, "windows are counted in whole elements");
        return;
    }
    for (int i = 0; i < 2; i++) {
        const Letter *input = letters_find(letters, grids[0][i]), *output = letters_find(letters, grids[2][i]);
        int64_t window = pools ? (int64_t)op->immediate[0] : letters_find(letters, grids[1][i])->size;
        if (window_places(input->size, window, (int64_t)stride, (int64_t)pad) != output->size ||
            (pools && 2 * (int64_t)pad > window))
            fault_shape(p, prepared, "the window does not fit input and output");
        if (!pools)
            check_uncut(p, prepared, letters_find(letters, grids[1][i]));
        check_pieces(p, prepared, input, output, window, (int64_t)stride, (int64_t)pad);
    }
}

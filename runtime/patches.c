/* patches.c - which rectangles of a unit's members a rank has (place_rt.h): for operators on slots that have numbers
 * for different things. */
#include "runtime/run.h"
#include "runtime/view.h"

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The largest rectangle that begins at number `at` of a member whose rows are `length` long, of `count` numbers. */
static prt_patch rectangle(int64_t at, int64_t count, int64_t length)
{
    prt_patch patch = {.row = at / length, .column = at % length};
    bool whole_rows = patch.column == 0 && count >= length;
    patch.rows = whole_rows ? count / length : 1;
    patch.columns = whole_rows ? length : least(length - patch.column, count);
    return patch;
}

bool prt_next_patch(prt_context *ctx, int layout, bool in_rows, prt_patch *patch)
{
    const prt_program *program = ctx->run->program;
    const prt_layout *described = &program->layouts[layout];
    const prt_place place = prt_place_of(ctx, 0);
    const prt_view slot = prt_view_of(&place, described);
    const prt_part flat = slot.dims[0].part_count > 0 ? slot.dims[0].parts[0] : (prt_part){0};
    int unit = described->unit;
    for (int m = patch->member; m < program->units[unit].member_count; m++) {
        prt_view member = prt_view_of_member(&place, unit, m, described->each);
        int64_t offset = prt_member_offset(program, unit, m, described->each);
        int64_t begin = offset > flat.first ? offset : flat.first;
        int64_t end = least(offset + member.room, flat.first + flat.count);
        int64_t at = begin + (m == patch->member ? patch->done : 0);
        if (at >= end)
            continue;
        int64_t done = at - begin, row_length = member.dim_count > 0 ? member.dims[member.dim_count - 1].room : 1;
        *patch = in_rows ? rectangle(at - offset, end - at, row_length) : (prt_patch){.rows = 1, .columns = end - at};
        patch->element = at - flat.first;
        patch->row += prt_member_offset(program, unit, m, PRT_ROWS);
        patch->column += prt_member_offset(program, unit, m, PRT_COLUMNS);
        patch->tensor = prt_member_offset(program, unit, m, PRT_TENSORS);
        patch->member = m;
        patch->done = done + patch->rows * patch->columns;
        return true;
    }
    return false;
}

/* prepare_dense.c - computing operators on arrays: what each letter of the spec means for the result. */
#include "verify/prepare_internal.h"

#include <string.h>

/* ---- Which letters are summed, and which must be whole ------------------------------------------------------ */

/* Does the operator sum, or take the maximum, over a letter that the result lacks? `grid`: its letter_grid. */
static bool letter_sums(const Prepared *prepared, const char **group, const int *length, const Letters *letters,
                        char letter, int grid)
{
    const Letter *transposed;
    switch (op_info[prepared->op->kind].op_class) {
    case CLASS_SUM:
    case CLASS_CONTRACT:
    case CLASS_SCATTER:
        return true;
    case CLASS_MAP:
    case CLASS_VIEW:
        return false;
    case CLASS_ROW:
        return prepared->op->kind == OP_ROW_MAX && length[0] > 0 && group[0][length[0] - 1] == letter;
    case CLASS_GATHER: /* the table's rows */
        return length[1] > 0 && group[1][0] == letter;
    case CLASS_WINDOW:
        if (grid != 2)
            return grid < 0 && !window_pools(prepared->op);
        transposed = transposed_letter(prepared, group, length, letters, letter);
        return transposed == NULL || transposed->before + transposed->after > 0;
    case CLASS_MOVE:
    case CLASS_COMM:
    case CLASS_SOURCE:
    case CLASS_SINK:
        break;
    }
    BUG("'%s' has no letters", op_name(prepared->op));
}

/* The rows of a table are its first dim, selected by a number: no other operand or result has that letter. */
static void check_table(Prepare *p, Prepared *prepared, const char **group, const int *length)
{
    bool gathers = op_info[prepared->op->kind].op_class == CLASS_GATHER;
    int table = gathers ? 1 : 2;
    bool along = length[table] == 0;
    for (int i = 0; i <= 2 && !along; i++)
        along = i != table && memchr(group[i], group[table][0], (size_t)length[i]) != NULL;
    if (along)
        fault_shape(p, prepared, "the table's rows have a letter of their own, its first");
}

static int result_dim(const char **group, const int *length, const Op *op, char letter)
{
    const char *result = group[op->operand_count];
    return (int)((const char *)memchr(result, letter, (size_t)length[op->operand_count]) - result);
}

static void check_letters(Prepare *p, Prepared *prepared, const char **group, const int *length, Letters *letters)
{
    OpClass class = op_info[prepared->op->kind].op_class;
    prepared->part = arena_array(p->table->arena, DecompPart, letters->count + 1);
    if (class == CLASS_GATHER || class == CLASS_SCATTER)
        check_table(p, prepared, group, length);
    for (int i = 0; i < letters->count; i++) {
        const Letter *letter = &letters->letter[i];
        AxisMask mask = cuts_mask(&letter->cuts);
        bool row_letter = class == CLASS_ROW && length[0] > 0 && group[0][length[0] - 1] == letter->name;
        int grid = letter_grid(prepared, group, length, letter->name);
        bool on_grid = grid >= 0 || class == CLASS_VIEW;
        if (letter->in_result && letter->before + letter->after > 0)
            continue; /* a result with a halo is partial: it is summed over the places that contribute */
        if (letter->pieces && prepared->placed)
            mask &= ~prepared->over;
        if (letter->in_result) {
            prepared->passed |= mask; /* no axis cuts two dims of a buffer */
            if (letter->pieces && prepared->placed)
                prepared->part[prepared->part_count++] =
                    (DecompPart){.index = DECOMP_PLACE_DIM - result_dim(group, length, prepared->op, letter->name),
                                 .cuts = letter->cuts};
            if (!letter->in_operand && class != CLASS_MAP && class != CLASS_SCATTER && !on_grid)
                fault_shape(p, prepared, "a letter of the result that no operand has");
        } else if (letter_sums(prepared, group, length, letters, letter->name, grid)) {
            if ((prepared->summed & mask) != 0)
                fault_shape(p, prepared, "an axis cuts two dims");
            prepared->summed |= mask;
            if (mask != 0)
                prepared->part[prepared->part_count++] = (DecompPart){.index = i, .cuts = letter->cuts};
        } else if (!row_letter && !on_grid) {
            fault_shape(p, prepared, "a letter that the result lacks");
        }
    }
    /* Letters visited a piece at a time may share their axis with another letter. */
    AxisMask twice = prepared->passed & prepared->summed & ~(prepared->pieces ? prepared->over : 0);
    if (twice != 0 || (prepared->placed && (prepared->summed & prepared->over) != 0))
        fault_shape(p, prepared, "an axis cuts two dims");
}

/* A letter that must be whole: "a" is the last letter of operand a. A row's letter must be, too, except for a maximum,
 * which is the maximum of the parts' maxima. */
static void check_coupled(Prepare *p, Prepared *prepared, const char **group, const int *length, Letters *letters)
{
    const OpInfo *info = &op_info[prepared->op->kind];
    bool row = info->op_class == CLASS_ROW && prepared->op->kind != OP_ROW_MAX;
    if (info->coupled[0] == '-' && !row)
        return;
    int operand = row ? 0 : info->coupled[0] - 'a', index = length[operand] - 1;
    if (length[operand] == 0) {
        fault_shape(p, prepared, "an operand without the dim that it works along");
        return;
    }
    check_uncut(p, prepared, letters_find(letters, group[operand][index]));
}

void check_rows(Prepare *p, Prepared *prepared, const View *view)
{
    int row = view->dim_count - 1;
    const Segments *segments = row >= 0 ? view->dim_cuts[row].segments : NULL;
    int64_t most = row >= 0 && segments == NULL ? view->size[row] : 0;
    for (int i = 0; segments != NULL && i < segments->count; i++)
        most = segments->size[i] > most ? segments->size[i] : most;
    if (row < 0)
        fault_shape(p, prepared, "an operand without the dim that it works along");
    else if (most < cuts_parts(p, &view->dim_cuts[row]))
        fault_shape(p, prepared, "a row of which some ranks have no element");
}

/* ---- The operator ------------------------------------------------------------------------------------------- */

void prepare_linear(Prepared *prepared)
{
    const char *groups = op_info[prepared->op->kind].linear;
    prepared->jointly = op_jointly_linear(prepared->op->kind);
    for (const char *at = groups; *at != '\0';) {
        size_t length = strcspn(at, " ");
        if (length == 1)
            prepared->linear[*at - 'a'] = true;
        at += length + (at[length] == ' ');
    }
}

static void prepare_locals(Prepare *p, Prepared *prepared, Letters *letters)
{
    const Op *op = prepared->op;
    if (op->kind != OP_SCALE || op->scale.local_extents == NULL)
        return;
    for (const char *at = op->scale.local_extents; *at != '\0'; at++) {
        const Letter *letter = letters_find(letters, *at);
        if (letter == NULL || !letter->in_operand || letter->cuts.segments != NULL ||
            prepared->local_count == PREPARE_MAX_LETTERS) {
            fault_shape(p, prepared, "a local extent of a letter that it does not have");
            return;
        }
        prepared->local_size[prepared->local_count] = letter->size;
        prepared->local_cuts[prepared->local_count++] = letter->cuts;
    }
}

/* If every operand is an array without letters, all operands and the result have the same dims, or none; a sum goes
 * over everything. */
static bool spec_of_equal_dims(Prepare *p, Prepared *prepared, const View *views, const char **group, int *length)
{
    static const char names[] = "abcdef";
    int count = prepared->op->operand_count, dims = views[count].dim_count;
    bool reduces = prepared->op->kind == OP_REDUCE || prepared->op->kind == OP_SUM_SQUARES;
    if ((!reduces && op_info[prepared->op->kind].op_class != CLASS_MAP) || (reduces && dims != 0)) {
        fault_shape(p, prepared, "it needs a spec");
        return false;
    }
    for (int i = 0; i < count && reduces; i++)
        dims = views[i].dim_count > dims ? views[i].dim_count : dims;
    for (int i = 0; i <= count; i++) {
        if (views[i].dim_count != 0 && views[i].dim_count != dims) {
            fault_shape(p, prepared, "operands without a spec must have the same dims, or none");
            return false;
        }
        group[i] = names;
        length[i] = views[i].dim_count;
    }
    return true;
}

void prepare_dense(Prepare *p, Prepared *prepared, const View *views)
{
    const Op *op = prepared->op;
    const char *group[STEP_MAX_OPERANDS + 1];
    int length[STEP_MAX_OPERANDS + 1], count = op->operand_count;
    if (op->spec == NULL || op->spec[0] == '\0') {
        if (!spec_of_equal_dims(p, prepared, views, group, length))
            return;
    } else {
        spec_split(op->spec, count, group, length);
    }
    Letters letters = {0};
    if (op_in_pieces(op)) {
        prepare_over(p, prepared);
        prepared->pieces = prepared->over != 0;
        if (!peers_fit(p->program->decls, op))
            fault_shape(p, prepared, "its index names no coordinate of the axis, or one twice");
    }
    for (int i = 0; i <= count; i++)
        if (!letters_enter(p, prepared, &letters, group[i], length[i], &views[i], i < count ? i : -1))
            return;
    prepare_pieces(p, prepared, views, group, length, &letters);
    check_padding(p, prepared, views, group, length, &letters);
    check_letters(p, prepared, group, length, &letters);
    check_coupled(p, prepared, group, length, &letters);
    check_windows(p, prepared, group, length, &letters);
    if (op_info[op->kind].op_class == CLASS_VIEW)
        check_views(p, prepared, group, length, &letters);
    prepare_locals(p, prepared, &letters);
    prepared->form = form_make(p, op, op->kind, group, length, count, &letters);
    if (op->kind == OP_PLACE_SEGMENT) {
        prepared->broadcast[0] = part_form(p, op, OP_SEGMENT, group[0], length[0], group[1], length[1], &letters);
        prepared->broadcast[1] = part_form(p, op, OP_SEGMENT_BWD, group[1], length[1], group[0], length[0], &letters);
    }
    if (op_is_additive(op->kind))
        for (int i = 0; i < count; i++)
            prepared->broadcast[i] = broadcast_make(p, op, group[i], length[i], group[count], length[count], &letters);
}

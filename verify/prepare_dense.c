/* prepare_dense.c - computing operators on arrays: what each letter of the spec means for the result. */
#include "verify/prepare_internal.h"

#include <string.h>

/* ---- Which letters are summed, and which must be whole ------------------------------------------------------ */

/* What becomes of a letter that the result lacks. */
typedef enum Fate {
    FATE_SUMMED, /* the operator sums over it, or takes the maximum */
    FATE_KEPT,   /* it works along it, or the result has the corresponding rows, columns or elements */
    FATE_REFUSED
} Fate;

static Fate window_fate(const Prepared *prepared, const Letters *letters, char letter, int grid)
{
    if (grid < 0)
        return window_pools(prepared->op) ? FATE_REFUSED : FATE_SUMMED;
    if (grid != 2)
        return FATE_KEPT;
    const Letter *transposed = transposed_letter(prepared, letters, letter);
    return transposed == NULL || transposed->before + transposed->after > 0 ? FATE_SUMMED : FATE_KEPT;
}

/* `grid`: its letter_grid. */
static Fate fate_of(const Prepared *prepared, const Letters *letters, char letter, int grid)
{
    switch (op_info[prepared->op->kind].op_class) {
    case CLASS_SUM:
    case CLASS_CONTRACT:
    case CLASS_SCATTER:
        return FATE_SUMMED;
    case CLASS_MAP:
        return FATE_REFUSED;
    case CLASS_CHOICE:
    case CLASS_VIEW:
        return FATE_KEPT;
    case CLASS_ROW:
        if (letters->group[0].count == 0 || letters->group[0].at[letters->group[0].count - 1] != letter)
            return FATE_REFUSED;
        return prepared->op->kind == OP_ROW_MAX ? FATE_SUMMED : FATE_KEPT;
    case CLASS_GATHER:
        return spec_table_row(prepared->op->spec, true) == letter ? FATE_SUMMED : FATE_REFUSED;
    case CLASS_WINDOW:
        return window_fate(prepared, letters, letter, grid);
    case CLASS_MOVE:
    case CLASS_COMM:
    case CLASS_SOURCE:
    case CLASS_SINK:
        break;
    }
    BUG("'%s' has no letters", op_name(prepared->op));
}

/* May the result have a letter that no operand has: a dim along which it is constant, or rows of its own? */
static bool makes_letters(OpClass class, int grid)
{
    return class == CLASS_MAP || class == CLASS_SCATTER || class == CLASS_CHOICE || class == CLASS_VIEW || grid >= 0;
}

/* The rows of a table, selected by a number, are one dim of it: no other operand or result has that letter. Of `embed`
 * it is the first. */
static void check_table(Prepare *p, Prepared *prepared, const Letters *letters)
{
    const Op *op = prepared->op;
    bool gathers = op_info[op->kind].op_class == CLASS_GATHER;
    char row = spec_table_row(op->spec, gathers);
    bool first = op->kind == OP_EMBED || op->kind == OP_EMBED_BWD;
    if (row == 0 || (first && letters->group[gathers ? 1 : 2].at[0] != row))
        fault_shape(p, prepared, "the table's rows have a letter of their own, of 'embed' its first");
}

/* How many of the last letters of operand a say what is compared. */
static int choice_compares(ChoiceKind kind)
{
    switch (kind) {
    case CHOICE_TOP:
        return 1;
    case CHOICE_QUEUE:
    case CHOICE_QUEUE_ALL:
        return 2;
    }
    BUG("a choice that is none");
}

/* These letters, and the result's last, are on one side only, and no others. */
static bool choice_has_form(const Op *op, const Letters *letters)
{
    SpecLetters a = letters->group[0], result = letters->group[op->operand_count];
    int lead = a.count - choice_compares(op_choice(op->kind));
    if (lead < 0 || result.count == 0)
        return false;
    for (int i = 0; i < letters->count; i++) {
        const Letter *letter = &letters->letter[i];
        bool compared = spec_dim(a, letter->name) >= lead;
        bool order = spec_dim(result, letter->name) == result.count - 1;
        if (compared == letter->in_result || order == letter->in_operand)
            return false;
    }
    return true;
}

/* What is chosen depends on all that is compared, and the choices are in an order of their own. */
static void check_choice(Prepare *p, Prepared *prepared, const Letters *letters)
{
    if (!choice_has_form(prepared->op, letters))
        fault_shape(p, prepared, "the last letters are what is compared, and the order of what is chosen");
    for (int i = 0; i < letters->count; i++)
        if (!letters->letter[i].in_operand || !letters->letter[i].in_result)
            check_uncut(p, prepared, &letters->letter[i]);
}

/* A letter of the result is cut as the result is; a piece that is placed makes the result partial instead. */
static void enter_passed(Prepare *p, Prepared *prepared, const Letters *letters, const Letter *letter, int grid)
{
    int result = prepared->op->operand_count;
    bool placed = letter->pieces && prepared->compute->pieces.placed;
    prepared->passed |=
        cuts_mask(&letter->cuts) & ~(placed ? prepared->over : 0); /* no axis cuts two dims of a buffer */
    if (placed) {
        const char *at = memchr(letters->group[result].at, letter->name, (size_t)letters->group[result].count);
        prepared->part[prepared->part_count++] =
            (DecompPart){.index = DECOMP_PLACE_DIM - (int)(at - letters->group[result].at), .cuts = letter->cuts};
    }
    if (!letter->in_operand && !makes_letters(op_info[prepared->op->kind].op_class, grid))
        fault_shape(p, prepared, "a letter of the result that no operand has");
}

/* A summed letter that is cut makes the result partial on the cut's axes. */
static void enter_summed(Prepare *p, Prepared *prepared, const Letter *letter, int index)
{
    AxisMask mask = cuts_mask(&letter->cuts);
    if ((prepared->compute->summed & mask) != 0)
        fault_shape(p, prepared, "an axis cuts two dims");
    prepared->compute->summed |= mask;
    if (mask != 0)
        prepared->part[prepared->part_count++] = (DecompPart){.index = index, .cuts = letter->cuts};
}

static void enter_letter(Prepare *p, Prepared *prepared, const Letters *letters, int index)
{
    const Letter *letter = &letters->letter[index];
    int grid = letter_grid(prepared, letters, letter->name);
    if (letter->in_result && letter->before + letter->after > 0)
        return; /* a result with a halo is partial: it is summed over the places that contribute */
    if (letter->in_result) {
        enter_passed(p, prepared, letters, letter, grid);
        return;
    }
    Fate fate = fate_of(prepared, letters, letter->name, grid);
    if (fate == FATE_REFUSED)
        fault_shape(p, prepared, "a letter that the result lacks");
    else if (fate == FATE_SUMMED)
        enter_summed(p, prepared, letter, index);
}

static void check_letters(Prepare *p, Prepared *prepared, const Letters *letters)
{
    const Computing *compute = prepared->compute;
    OpClass class = op_info[prepared->op->kind].op_class;
    prepared->part = arena_array(p->table->arena, DecompPart, letters->count + 1);
    if (class == CLASS_GATHER || class == CLASS_SCATTER)
        check_table(p, prepared, letters);
    for (int i = 0; i < letters->count; i++)
        enter_letter(p, prepared, letters, i);
    /* Letters visited a piece at a time may share their axis with another letter. */
    AxisMask twice = prepared->passed & compute->summed & ~(compute->pieces.used ? prepared->over : 0);
    if (twice != 0 || (compute->pieces.placed && (compute->summed & prepared->over) != 0))
        fault_shape(p, prepared, "an axis cuts two dims");
}

/* A letter that must be whole: "a" is the last letter of operand a. A row's letter must be, too, except for a maximum,
 * which is the maximum of the parts' maxima. */
static void check_coupled(Prepare *p, Prepared *prepared, Letters *letters)
{
    const OpInfo *info = &op_info[prepared->op->kind];
    bool row = info->op_class == CLASS_ROW && prepared->op->kind != OP_ROW_MAX;
    if (info->coupled[0] == '-' && !row)
        return;
    int operand = row ? 0 : info->coupled[0] - 'a', index = letters->group[operand].count - 1;
    if (letters->group[operand].count == 0) {
        fault_shape(p, prepared, "an operand without the dim that it works along");
        return;
    }
    check_uncut(p, prepared, letters_find(letters, letters->group[operand].at[index]));
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

void prepare_linear(Computing *compute, OpKind kind)
{
    compute->jointly = op_jointly_linear(kind);
    for (const char *at = op_info[kind].linear; *at != '\0';) {
        size_t length = strcspn(at, " ");
        if (length == 1)
            compute->linear[*at - 'a'] = true;
        at += length + (at[length] == ' ');
    }
}

static void prepare_locals(Prepare *p, Prepared *prepared, Letters *letters)
{
    const Op *op = prepared->op;
    Computing *compute = prepared->compute;
    if (op->kind != OP_SCALE || op->scale.local_extents == NULL || op->scale.local_extents[0] == '\0')
        return;
    compute->local_size = arena_array(p->table->arena, int64_t, PREPARE_MAX_LETTERS);
    compute->local_cuts = arena_array(p->table->arena, Cuts, PREPARE_MAX_LETTERS);
    for (const char *at = op->scale.local_extents; *at != '\0'; at++) {
        const Letter *letter = letters_find(letters, *at);
        if (letter == NULL || !letter->in_operand || letter->cuts.segments != NULL ||
            compute->local_count == PREPARE_MAX_LETTERS) {
            fault_shape(p, prepared, "a local extent of a letter that it does not have");
            return;
        }
        compute->local_size[compute->local_count] = letter->size;
        compute->local_cuts[compute->local_count++] = letter->cuts;
    }
}

static void letters_of_spec(const Op *op, Letters *letters)
{
    Spec spec = spec_of(op);
    for (int i = 0; i < op->operand_count; i++)
        letters->group[i] = spec.operand[i];
    letters->group[op->operand_count] = spec.result;
}

/* If every operand is an array without letters, all operands and the result have the same dims, or none; a sum goes
 * over everything. */
static bool spec_of_equal_dims(Prepare *p, Prepared *prepared, const View *views, Letters *letters)
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
        letters->group[i].at = names;
        letters->group[i].count = views[i].dim_count;
    }
    return true;
}

/* The forms of the operator, and of what is done to its operands first. */
static void prepare_forms(Prepare *p, Prepared *prepared, const Letters *letters)
{
    const Op *op = prepared->op;
    Computing *compute = prepared->compute;
    compute->form = form_make(p, op, op->kind, op->operand_count, letters);
    if (op->kind == OP_PLACE_SEGMENT) {
        compute->broadcast[0] = part_form(p, op, OP_SEGMENT, letters, 0, 1);
        compute->broadcast[1] = part_form(p, op, OP_SEGMENT_BWD, letters, 1, 0);
    }
    if (op_is_additive(op->kind))
        for (int i = 0; i < op->operand_count; i++)
            compute->broadcast[i] = broadcast_make(p, op, letters, i);
}

void prepare_dense(Prepare *p, Prepared *prepared, const View *views)
{
    const Op *op = prepared->op;
    Letters letters = {0};
    if (!spec_is_empty(op))
        letters_of_spec(op, &letters);
    else if (!spec_of_equal_dims(p, prepared, views, &letters))
        return;
    if (op_in_pieces(op)) {
        prepare_over(p, prepared);
        letters.over = prepared->over;
        prepared->compute->pieces.used = prepared->over != 0;
        if (!peers_fit(p->program->decls, op))
            fault_shape(p, prepared, "its index names no coordinate of the axis, or one twice");
    }
    for (int i = 0; i <= op->operand_count; i++)
        if (!letters_enter(p, prepared, &letters, i, &views[i]))
            return;
    prepare_pieces(p, prepared, views, &letters);
    check_padding(p, prepared, views, &letters);
    check_letters(p, prepared, &letters);
    check_coupled(p, prepared, &letters);
    check_windows(p, prepared, &letters);
    if (op_info[op->kind].op_class == CLASS_VIEW)
        check_views(p, prepared, &letters);
    if (op_info[op->kind].op_class == CLASS_CHOICE)
        check_choice(p, prepared, &letters);
    prepare_locals(p, prepared, &letters);
    prepare_forms(p, prepared, &letters);
}

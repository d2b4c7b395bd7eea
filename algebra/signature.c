/* signature.c - the generator of one-axis signatures. */
#include "algebra/signature.h"

#include <string.h>

/* ---- Operators ---------------------------------------------------------------------------------------------- */

static void take_letters(char *letters, const char *text, size_t count, const char *spec)
{
    if (count > STEP_MAX_DIMS)
        BUG("too many letters in \"%s\"", spec);
    memcpy(letters, text, count);
    letters[count] = '\0';
}

OpShape op_shape_of(OpClass op_class, const char *coupled, const Kernel *kernel, const char *spec, int operands)
{
    OpShape shape = {
        .op_class = op_class, .operand_count = operands, .coupled = coupled, .linear = "", .kernel = kernel};
    if (spec[0] == '\0') {
        for (int i = 0; i < operands; i++)
            strcpy(shape.letter[i], "f");
        strcpy(shape.result, op_class == CLASS_SUM ? "" : "f");
        return shape;
    }
    const char *arrow = strstr(spec, "->"), *at = spec;
    for (int i = 0; i < operands; i++) {
        size_t count = strcspn(at, ",-");
        take_letters(shape.letter[i], at, count, spec);
        at += count + (at[count] == ',' ? 1 : 0);
    }
    const char *result = arrow != NULL ? arrow + 2 : spec; /* sources: "bt" */
    take_letters(shape.result, result, strlen(result), spec);
    return shape;
}

OpShape op_shape(Arena *arena, OpKind kind, const char *spec)
{
    const OpInfo *info = &op_info[kind];
    OpShape shape = op_shape_of(info->op_class, info->coupled, info->body[0] != '\0' ? kernel_parse(arena, kind) : NULL,
                                spec, info->operands);
    shape.linear = info->linear;
    return shape;
}

/* "a": the last letter of operand a; "b0": the first of operand b; several separated by spaces; "-" none. */
static bool is_in_coupled_column(const OpShape *shape, char letter)
{
    for (const char *at = shape->coupled; *at != '\0'; at++) {
        int operand = *at - 'a';
        if (operand < 0 || operand >= shape->operand_count || shape->letter[operand][0] == '\0')
            continue;
        const char *letters = shape->letter[operand];
        if (letters[at[1] == '0' ? 0 : strlen(letters) - 1] == letter)
            return true;
    }
    return false;
}

static bool is_row_letter(const OpShape *shape, char letter)
{
    size_t count = strlen(shape->letter[0]);
    return shape->op_class == CLASS_ROW && count > 0 && shape->letter[0][count - 1] == letter;
}

static bool has_letter(const char *letters, char letter)
{
    return strchr(letters, letter) != NULL;
}

static bool is_of_an_operand(const OpShape *shape, char letter)
{
    for (int i = 0; i < shape->operand_count; i++)
        if (has_letter(shape->letter[i], letter))
            return true;
    return false;
}

/* Rows and columns are the last two letters of every array. */
static bool is_on_a_grid(const OpShape *shape, char letter)
{
    for (int i = 0; i <= shape->operand_count; i++) {
        const char *letters = i < shape->operand_count ? shape->letter[i] : shape->result;
        size_t count = strlen(letters);
        if (count >= 2 && memchr(letters + count - 2, letter, 2) != NULL)
            return true;
    }
    return false;
}

bool op_letter_is_coupled(const OpShape *shape, char letter)
{
    if (is_in_coupled_column(shape, letter))
        return true;
    if (shape->op_class == CLASS_WINDOW)
        return is_on_a_grid(shape, letter);
    if (shape->op_class == CLASS_VIEW)
        return !has_letter(shape->result, letter) || !has_letter(shape->letter[0], letter);
    PartialOp op;
    if (is_row_letter(shape, letter))
        return has_letter(shape->result, letter) ? fact_needs_row(shape->kernel) : !fact_row_parts(shape->kernel, &op);
    /* The rows that a scatter writes are named by its index: global numbers. */
    return shape->op_class == CLASS_SCATTER && !is_of_an_operand(shape, letter);
}

/* ---- One letter cut ----------------------------------------------------------------------------------------- */

static int all_letters(const OpShape *shape, char *letters)
{
    int count = 0;
    for (int i = 0; i <= shape->operand_count; i++)
        for (const char *at = i < shape->operand_count ? shape->letter[i] : shape->result; *at != '\0'; at++)
            if (memchr(letters, *at, (size_t)count) == NULL) {
                if (count == OP_MAX_LETTERS)
                    BUG("too many letters");
                letters[count++] = *at;
            }
    return count;
}

static OnAxis cut_by(const char *letters, char letter)
{
    const char *at = strchr(letters, letter);
    return at != NULL ? on_sharded((int)(at - letters)) : on_replicated();
}

/* The result where `letter` is cut and not in it. */
static bool parts_of(const OpShape *shape, char letter, PartialOp *op)
{
    *op = PARTIAL_SUM;
    if (is_row_letter(shape, letter))
        return fact_row_parts(shape->kernel, op);
    return shape->op_class == CLASS_SUM || shape->op_class == CLASS_CONTRACT || shape->op_class == CLASS_SCATTER ||
           shape->op_class == CLASS_WINDOW;
}

static void add_cut(Arena *arena, const OpShape *shape, unsigned wanted, char letter, SignatureVec *list)
{
    if (op_letter_is_coupled(shape, letter))
        return;
    Signature signature = {.letter = letter, .result = cut_by(shape->result, letter)};
    if (signature.result.kind != PLACED_SHARDED) {
        PartialOp op;
        if (!parts_of(shape, letter, &op))
            return;
        signature.result = on_partial(op);
        signature.even = op == PARTIAL_AVG;
    }
    if (signature.even && !(wanted & SIGNATURE_EVEN))
        return;
    for (int i = 0; i < shape->operand_count; i++)
        signature.operand[i] = cut_by(shape->letter[i], letter);
    vec_push(arena, list, signature);
}

/* ---- Partial operands --------------------------------------------------------------------------------------- */

static bool sums_a_letter(const OpShape *shape)
{
    for (int i = 0; i < shape->operand_count; i++)
        for (const char *at = shape->letter[i]; *at != '\0'; at++)
            if (!has_letter(shape->result, *at))
                return shape->op_class == CLASS_SUM || shape->op_class == CLASS_CONTRACT;
    return false;
}

/* Whether the column `linear` has the group of just these operands. */
static bool is_linear_group(const char *groups, unsigned of)
{
    for (unsigned group = 0;; groups++) {
        if (*groups >= 'a') {
            group |= 1u << (*groups - 'a');
            continue;
        }
        if (group == of && group != 0)
            return true;
        if (*groups == '\0')
            return false;
        group = 0;
    }
}

static Linearity linearity(const OpShape *shape, unsigned of)
{
    if (shape->kernel != NULL)
        return fact_linearity(shape->kernel, of);
    if (shape->op_class == CLASS_WINDOW || shape->op_class == CLASS_VIEW)
        return is_linear_group(shape->linear, of) ? LINEARITY_LINEAR : LINEARITY_NONE;
    if (shape->op_class != CLASS_GATHER && shape->op_class != CLASS_SCATTER)
        return of == 0 ? LINEARITY_CONSTANT : LINEARITY_NONE;
    return of == 2 ? LINEARITY_LINEAR : of == 0 ? LINEARITY_CONSTANT : LINEARITY_NONE; /* rows by index */
}

static bool extremum(const OpShape *shape, unsigned of, PartialOp op, PartialOp *result)
{
    *result = op;
    if (shape->kernel == NULL)
        return shape->op_class == CLASS_GATHER && of == 2;
    return !sums_a_letter(shape) && fact_extremum(shape->kernel, of, op, result);
}

static void add_set(Arena *arena, const OpShape *shape, unsigned of, OnAxis on, OnAxis result, SignatureVec *list)
{
    Signature signature = {.result = result};
    for (int i = 0; i < shape->operand_count; i++)
        signature.operand[i] = of >> i & 1 ? on : on_replicated();
    vec_push(arena, list, signature);
}

static void add_partial(Arena *arena, const OpShape *shape, unsigned wanted, unsigned of, SignatureVec *list)
{
    Linearity fact = linearity(shape, of);
    if (wanted & SIGNATURE_SUM && fact == LINEARITY_LINEAR)
        add_set(arena, shape, of, on_partial(PARTIAL_SUM), on_partial(PARTIAL_SUM), list);
    if (wanted & SIGNATURE_AVG && (fact == LINEARITY_LINEAR || fact == LINEARITY_AFFINE))
        add_set(arena, shape, of, on_partial(PARTIAL_AVG), on_partial(PARTIAL_AVG), list);
    for (int op = PARTIAL_MAX; op <= PARTIAL_MIN && wanted & SIGNATURE_EXTREMUM; op++) {
        PartialOp result;
        if (extremum(shape, of, (PartialOp)op, &result))
            add_set(arena, shape, of, on_partial((PartialOp)op), on_partial(result), list);
    }
    if (wanted & SIGNATURE_AT)
        add_set(arena, shape, of, on_coordinate(-1), on_coordinate(-1), list);
}

SignatureVec signatures_of(Arena *arena, const OpShape *shape, unsigned wanted)
{
    SignatureVec list = {0};
    if (shape->op_class == CLASS_MOVE || shape->op_class == CLASS_COMM || shape->op_class == CLASS_SINK)
        return list;
    vec_push(arena, &list, (Signature){0});
    char letters[OP_MAX_LETTERS];
    int count = wanted & SIGNATURE_SHARDED ? all_letters(shape, letters) : 0;
    for (int i = 0; i < count; i++)
        add_cut(arena, shape, wanted, letters[i], &list);
    for (unsigned of = 1; of < 1U << shape->operand_count; of++)
        add_partial(arena, shape, wanted, of, &list);
    return list;
}

const char *signature_print(Arena *arena, const OpShape *shape, const Signature *signature)
{
    const char *text = "";
    for (int i = 0; i < shape->operand_count; i++)
        text =
            arena_printf(arena, "%s%s%s", text, i > 0 ? ", " : "", on_axis_print(arena, signature->operand[i], NULL));
    return arena_printf(arena, "%s%s-> %s", text, shape->operand_count > 0 ? " " : "",
                        on_axis_print(arena, signature->result, NULL));
}

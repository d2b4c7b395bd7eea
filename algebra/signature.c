/* signature.c - the generator of one-axis signatures. */
#include "algebra/signature.h"

#include "step/spec.h"

#include <string.h>

/* ---- Operators ---------------------------------------------------------------------------------------------- */

static void copy_letters(char *letters, SpecLetters from, const char *spec)
{
    if (from.count > STEP_MAX_DIMS)
        BUG("too many letters in \"%s\"", spec);
    memcpy(letters, from.at, (size_t)from.count);
    letters[from.count] = '\0';
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
    Spec letters;
    if (!spec_parse(spec, &letters) || letters.operand_count != operands)
        BUG("\"%s\" is no spec of %d operands", spec, operands);
    for (int i = 0; i < operands; i++)
        copy_letters(shape.letter[i], letters.operand[i], spec);
    copy_letters(shape.result, letters.result, spec);
    return shape;
}

OpShape op_shape(Arena *arena, OpKind kind, const char *spec)
{
    const OpInfo *info = &op_info[kind];
    const Kernel *kernel = info->body[0] != '\0' ? kernel_parse(arena, kind) : NULL;
    OpShape shape = op_shape_of(info->op_class, info->coupled, kernel, spec, info->operands);
    shape.linear = info->linear;
    shape.picks_max = kind == OP_MAX_POOL;
    return shape;
}

/* Is the letter coupled? "a": the last letter of operand a; "b0": the first of operand b; several are separated by
 * spaces; "-": none. */
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

/* A row or column of a grid: its neighbours are on other ranks. */
static bool is_on_grid(const OpShape *shape, char letter)
{
    for (int i = 0; i <= shape->operand_count; i++) {
        const char *letters = i < shape->operand_count ? shape->letter[i] : shape->result;
        size_t count = strlen(letters);
        if (count >= 2 && (letters[count - 1] == letter || letters[count - 2] == letter))
            return true;
    }
    return false;
}

bool op_letter_is_coupled(const OpShape *shape, char letter)
{
    if (is_in_coupled_column(shape, letter))
        return true;
    PartialOp op;
    if (is_row_letter(shape, letter))
        return has_letter(shape->result, letter) ? fact_needs_row(shape->kernel) : !fact_row_parts(shape->kernel, &op);
    if (shape->op_class == CLASS_WINDOW)
        return is_on_grid(shape, letter);
    bool everywhere = has_letter(shape->result, letter), anywhere = false;
    for (int i = 0; i < shape->operand_count; i++) {
        everywhere = everywhere && has_letter(shape->letter[i], letter);
        anywhere = anywhere || has_letter(shape->letter[i], letter);
    }
    if (shape->op_class == CLASS_CHOICE)
        return !anywhere || !has_letter(shape->result, letter);
    return shape->op_class == CLASS_VIEW && !everywhere;
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

/* The result where `letter` is cut and the result lacks it. */
static bool parts_of(const OpShape *shape, char letter, PartialOp *op)
{
    *op = PARTIAL_SUM;
    if (is_row_letter(shape, letter))
        return fact_row_parts(shape->kernel, op);
    switch (shape->op_class) {
    case CLASS_SUM:
    case CLASS_CONTRACT:
    case CLASS_SCATTER:
    case CLASS_WINDOW:
    case CLASS_GATHER: /* zeros for rows outside the piece */
        return true;
    case CLASS_MAP:
    case CLASS_ROW:
    case CLASS_CHOICE:
    case CLASS_VIEW:
    case CLASS_MOVE:
    case CLASS_COMM:
    case CLASS_SOURCE:
    case CLASS_SINK:
        return false;
    }
    BUG("an operator of no class");
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

/* A view's outermost changed letters: a piece of one is a piece of the other, if all are equally long. */
static void add_view(Arena *arena, const OpShape *shape, unsigned wanted, SignatureVec *list)
{
    const char *before = shape->letter[0], *after = shape->result;
    while (*before != '\0' && *before == *after)
        before++, after++;
    if (shape->op_class != CLASS_VIEW || !(wanted & SIGNATURE_EVEN) || *before == '\0' || *after == '\0')
        return;
    Signature signature = {.letter = *before, .even = true, .result = on_sharded((int)(after - shape->result))};
    signature.operand[0] = on_sharded((int)(before - shape->letter[0]));
    vec_push(arena, list, signature);
}

/* ---- Partial operands --------------------------------------------------------------------------------------- */

/* Is an element of the result a sum over several elements of the set's operands, or over several operands? A sum of
 * increasing functions of one element each is increasing. */
static bool sums_elements(const OpShape *shape, unsigned of)
{
    bool is_sum = shape->op_class == CLASS_SUM || shape->op_class == CLASS_CONTRACT, sums = false;
    for (int i = 0; i < shape->operand_count; i++)
        for (const char *at = shape->letter[i]; *at != '\0'; at++)
            if (!has_letter(shape->result, *at)) {
                if (of >> i & 1)
                    return is_sum;
                sums = is_sum;
            }
    return sums && (of & (of - 1)) != 0;
}

/* What the column `linear` says about these operands: a group of exactly these, or a part of one. */
static Linearity linear_in(const char *groups, unsigned of)
{
    unsigned group = 0;
    Linearity fact = LINEARITY_NONE;
    for (;; groups++) {
        if (*groups >= 'a') {
            group |= 1U << (*groups - 'a');
            continue;
        }
        if (group == of)
            return LINEARITY_LINEAR;
        fact = (of & ~group) == 0 ? LINEARITY_AFFINE : fact;
        if (*groups == '\0')
            return fact;
        group = 0;
    }
}

static Linearity linearity(const OpShape *shape, unsigned of)
{
    if (shape->kernel != NULL)
        return fact_linearity(shape->kernel, of);
    return linear_in(shape->linear, of);
}

static bool extremum(const OpShape *shape, unsigned max_of, unsigned min_of, PartialOp *result)
{
    *result = min_of == 0 ? PARTIAL_MAX : PARTIAL_MIN;
    if (shape->kernel != NULL)
        return !sums_elements(shape, max_of | min_of) && fact_extremum(shape->kernel, max_of, min_of, result);
    if (max_of != 0 && min_of != 0)
        return false;
    if (shape->op_class == CLASS_GATHER || shape->op_class == CLASS_VIEW)
        return linear_in(shape->linear, max_of | min_of) != LINEARITY_NONE; /* the operator picks one of them */
    return shape->picks_max && max_of == 1;
}

static void add_set(Arena *arena, const OpShape *shape, unsigned of, OnAxis on, OnAxis result, SignatureVec *list)
{
    Signature signature = {.result = result};
    for (int i = 0; i < shape->operand_count; i++)
        signature.operand[i] = of >> i & 1 ? on : on_replicated();
    vec_push(arena, list, signature);
}

static void add_extremum(Arena *arena, const OpShape *shape, unsigned max_of, unsigned min_of, SignatureVec *list)
{
    PartialOp result;
    if (!extremum(shape, max_of, min_of, &result))
        return;
    add_set(arena, shape, max_of, on_partial(PARTIAL_MAX), on_partial(result), list);
    for (int i = 0; i < shape->operand_count; i++)
        if (min_of >> i & 1)
            list->data[list->count - 1].operand[i] = on_partial(PARTIAL_MIN);
}

static void add_partial(Arena *arena, const OpShape *shape, unsigned wanted, unsigned of, SignatureVec *list)
{
    Linearity fact = linearity(shape, of);
    if (wanted & SIGNATURE_SUM && fact == LINEARITY_LINEAR)
        add_set(arena, shape, of, on_partial(PARTIAL_SUM), on_partial(PARTIAL_SUM), list);
    if (wanted & SIGNATURE_AVG && (fact == LINEARITY_LINEAR || fact == LINEARITY_AFFINE))
        add_set(arena, shape, of, on_partial(PARTIAL_AVG), on_partial(PARTIAL_AVG), list);
    for (unsigned max_of = of; wanted & SIGNATURE_EXTREMUM; max_of = (max_of - 1) & of) {
        add_extremum(arena, shape, max_of, of & ~max_of, list);
        if (max_of == 0)
            break;
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
    if (count > 0)
        add_view(arena, shape, wanted, &list);
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

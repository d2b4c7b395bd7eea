/* brute_operator.h - what an operator does to whole arrays, or to those of one rank, from its body or by its class. */
#ifndef PLACE_TESTS_UNIT_BRUTE_OPERATOR_H
#define PLACE_TESTS_UNIT_BRUTE_OPERATOR_H

#include "tests/unit/brute_numbers.h"

/* ---- One operator on one rank ------------------------------------------------------------------------------- */

typedef struct Letters {
    int count;
    signed char number[26]; /* of each letter of the alphabet, from 1; 0 where it does not occur */
    int64_t extent[OP_MAX_LETTERS];
    int64_t start[OP_MAX_LETTERS], whole[OP_MAX_LETTERS]; /* what a cut is of */
} Letters;

typedef struct Array {
    Number *at; /* row-major */
} Array;

static int letter_number(const Letters *letters, char letter)
{
    return letters->number[letter - 'a'] - 1;
}

static int64_t offset_of(const Letters *letters, const char *dims, const int64_t *index)
{
    int64_t offset = 0;
    for (; *dims != '\0'; dims++) {
        int i = letter_number(letters, *dims);
        offset = offset * letters->extent[i] + index[i];
    }
    return offset;
}

typedef struct Run {
    const OpShape *shape;
    const Letters *letters;
    const Array *operand;
    int64_t *index;
    int row; /* the row's letter, -1 none */
} Run;

static Number value_of(const Run *run, int node_index);

static Number row_value(const Run *run, const KernelNode *node)
{
    int64_t cols = run->letters->extent[run->row], col = run->index[run->row];
    Number result = number_of(0);
    if (node->kind == KERNEL_ACROSS) {
        run->index[run->row] = (col + cols / 2) % cols;
        result = value_of(run, node->argument[0]);
    }
    for (int64_t i = 0; i < cols && (node->kind == KERNEL_ROW_SUM || node->kind == KERNEL_ROW_MAX); i++) {
        run->index[run->row] = i;
        Number x = value_of(run, node->argument[0]);
        if (node->kind == KERNEL_ROW_SUM)
            result = plus(result, x);
        else
            result = i == 0 ? x : extreme(PARTIAL_MAX, result, x);
    }
    run->index[run->row] = col;
    return result;
}

static Number value_of(const Run *run, int node_index)
{
    const KernelNode *node = &run->shape->kernel->nodes[node_index];
    switch (node->kind) {
    case KERNEL_NUMBER:
        return number_of(node->number);
    case KERNEL_OPERAND:
        return run->operand[node->index].at[offset_of(run->letters, run->shape->letter[node->index], run->index)];
    case KERNEL_IMMEDIATE:
        return now.immediate[node->index];
    case KERNEL_SCALE:
        return now.scale;
    case KERNEL_COL:
        return number_of((double)run->index[run->row]);
    case KERNEL_COLS:
        return number_of((double)run->letters->extent[run->row]);
    default:
        break;
    }
    if (kernel_is_row_function(node->kind) || node->kind == KERNEL_ACROSS)
        return row_value(run, node);
    Number x[3] = {{0}, {0}, {0}};
    for (int i = 0; i < node->argument_count; i++)
        x[i] = value_of(run, node->argument[i]);
    return apply(node->kind, x);
}

/* Moves `index` on over all letters but `except`; false after the last. */
static bool advance(const Letters *letters, int64_t *index, int except)
{
    for (int i = letters->count - 1; i >= 0; i--) {
        if (i == except)
            continue;
        if (++index[i] < letters->extent[i])
            return true;
        index[i] = 0;
    }
    return false;
}

static int64_t elements_of(const Letters *letters, const char *dims)
{
    int64_t elements = 1;
    for (; *dims != '\0'; dims++)
        elements *= letters->extent[letter_number(letters, *dims)];
    return elements;
}

/* The letter of a table's rows: all others are those of the indices, or of the rows that are looked up or added. */
static int row_letter(const OpShape *shape, const Letters *letters, bool is_gather)
{
    const char *table = is_gather ? shape->letter[1] : shape->result;
    const char *rows = is_gather ? shape->result : shape->letter[1];
    while (strchr(shape->letter[0], *table) != NULL || strchr(rows, *table) != NULL)
        table++;
    return letter_number(letters, *table);
}

/* Rows of b by the indices a, and what is added to such rows, weighted by c if there is one; what names no row of this
 * piece is left out. Indices may be the number of rows, except for embeddings. */
static void run_by_index(const OpShape *shape, OpKind op, const Letters *letters, const Array *operand, Number *result)
{
    bool is_gather = shape->op_class == CLASS_GATHER, none = op != OP_EMBED && op != OP_EMBED_BWD;
    int row = row_letter(shape, letters, is_gather);
    int64_t index[OP_MAX_LETTERS] = {0};
    do {
        Number id = operand[0].at[offset_of(letters, shape->letter[0], index)];
        index[row] = index_of(id, letters->whole[row] + none) - letters->start[row];
        if (index[row] >= 0 && index[row] < letters->extent[row]) {
            Number *to = &result[offset_of(letters, shape->result, index)];
            Number from = operand[1].at[offset_of(letters, shape->letter[1], index)];
            if (shape->operand_count > 2)
                from = times(from, operand[2].at[offset_of(letters, shape->letter[2], index)]);
            *to = is_gather ? from : plus(*to, from);
        }
        index[row] = 0;
    } while (advance(letters, index, row));
}

/* Any function of all that is compared, and of the place in the order of what is chosen. */
static void run_choice(const OpShape *shape, const Letters *letters, const Array *operand, Number *result)
{
    int64_t index[OP_MAX_LETTERS] = {0};
    int order = letter_number(letters, shape->result[strlen(shape->result) - 1]);
    do {
        Number *to = &result[offset_of(letters, shape->result, index)];
        for (int i = 0; i < shape->operand_count; i++)
            *to = followed(*to, operand[i].at[offset_of(letters, shape->letter[i], index)]);
        *to = followed(*to, number_of((double)index[order]));
    } while (advance(letters, index, -1));
}

/* ---- Windows ------------------------------------------------------------------------------------------------ */

enum { WINDOW = 2, STRIDE = 1, PAD = 1 }; /* windows that overlap */
enum { SEGMENT_FIRST = 1 };

typedef struct Windows {
    const Letters *letters;
    int input[2], output[2];
    int64_t *index;
} Windows;

static const char *array_letters(const OpShape *shape, int array)
{
    return array == WINDOW_RESULT ? shape->result : shape->letter[array];
}

static void grid_of(const OpShape *shape, const Letters *letters, int array, int *grid)
{
    const char *dims = array_letters(shape, array);
    for (int i = 0; i < 2; i++)
        grid[i] = letter_number(letters, dims[strlen(dims) - 2 + (size_t)i]);
}

/* Puts the input's letters to element (i, j) of the window at the output's letters; false outside the input. */
static bool look_at(const Windows *w, int64_t i, int64_t j)
{
    int64_t at[2] = {w->index[w->output[0]] * STRIDE - PAD + i, w->index[w->output[1]] * STRIDE - PAD + j};
    for (int k = 0; k < 2; k++) {
        if (at[k] < 0 || at[k] >= w->letters->extent[w->input[k]])
            return false;
        w->index[w->input[k]] = at[k];
    }
    return true;
}

/* What one window of pooling does. */
static void pool(const OpShape *shape, OpKind op, const Windows *w, const Array *operand, Number *result)
{
    Number seen = number_of(0);
    int64_t best = -1;
    for (int64_t k = 0; k < WINDOW * WINDOW; k++) {
        if (!look_at(w, k / WINDOW, k % WINDOW))
            continue;
        if (op == OP_MEAN_POOL_BWD) {
            Number *to = &result[offset_of(w->letters, shape->result, w->index)];
            Number from = operand[0].at[offset_of(w->letters, shape->letter[0], w->index)];
            *to = plus(*to, over(from, WINDOW * WINDOW));
            continue;
        }
        Number x = operand[0].at[offset_of(w->letters, shape->letter[0], w->index)];
        if (op == OP_MEAN_POOL)
            seen = plus(seen, over(x, WINDOW * WINDOW));
        else if (best < 0 || (extreme(PARTIAL_MAX, seen, x).residue == x.residue && x.residue != seen.residue)) {
            seen = x;
            best = k;
        }
    }
    if (op == OP_MAX_POOL || op == OP_MEAN_POOL)
        result[offset_of(w->letters, shape->result, w->index)] = seen;
    if (op == OP_MAX_POOL_BWD && best >= 0) {
        Number from = operand[1].at[offset_of(w->letters, shape->letter[1], w->index)];
        look_at(w, best / WINDOW, best % WINDOW);
        Number *to = &result[offset_of(w->letters, shape->result, w->index)];
        *to = plus(*to, from);
    }
}

static void run_windows(const OpShape *shape, OpKind op, const Letters *letters, const Array *operand, Number *result)
{
    WindowRoles roles = op_window_roles(op);
    int64_t index[OP_MAX_LETTERS] = {0};
    Windows w = {.letters = letters, .index = index};
    int window[2];
    grid_of(shape, letters, roles.input, w.input);
    grid_of(shape, letters, roles.output, w.output);
    if (roles.window != WINDOW_NONE)
        grid_of(shape, letters, roles.window, window);
    Letters others = *letters; /* the input's rows and columns follow from the others */
    others.extent[w.input[0]] = others.extent[w.input[1]] = 1;
    do {
        if (roles.window == WINDOW_NONE) {
            pool(shape, op, &w, operand, result);
        } else if (look_at(&w, index[window[0]], index[window[1]])) {
            Number *to = &result[offset_of(letters, shape->result, index)];
            *to = plus(*to, times(operand[0].at[offset_of(letters, shape->letter[0], index)],
                                  operand[1].at[offset_of(letters, shape->letter[1], index)]));
        }
        index[w.input[0]] = index[w.input[1]] = 0;
    } while (advance(&others, index, -1));
}

/* Elements SEGMENT_FIRST .. of letter f are letter h's; zero where a piece has them not. */
static void run_segment(const OpShape *shape, const Letters *letters, const Array *operand, Number *result)
{
    int64_t index[OP_MAX_LETTERS] = {0};
    int f = letter_number(letters, 'f'), h = letter_number(letters, 'h'), last = shape->operand_count - 1;
    if (last == 1)
        memcpy(result, operand[0].at, sizeof(Number) * (size_t)elements_of(letters, shape->result));
    do {
        bool inside = index[f] == index[h] + SEGMENT_FIRST;
        if (inside)
            result[offset_of(letters, shape->result, index)] =
                operand[last].at[offset_of(letters, shape->letter[last], index)];
    } while (advance(letters, index, -1));
}

static void run_op(const OpShape *shape, OpKind op, const Letters *letters, const Array *operand, Number *result)
{
    int64_t index[OP_MAX_LETTERS] = {0}, elements = elements_of(letters, shape->result);
    for (int64_t i = 0; i < elements; i++)
        result[i] = number_of(0);
    for (int i = 0; i < letters->count; i++)
        if (letters->extent[i] == 0)
            return;
    if (shape->op_class == CLASS_WINDOW) {
        run_windows(shape, op, letters, operand, result);
        return;
    }
    if (shape->op_class == CLASS_VIEW && op != OP_VIEW) {
        run_segment(shape, letters, operand, result);
        return;
    }
    if (shape->op_class == CLASS_VIEW) {
        memcpy(result, operand[0].at, sizeof(Number) * (size_t)elements);
        return;
    }
    if (shape->op_class == CLASS_CHOICE) {
        run_choice(shape, letters, operand, result);
        return;
    }
    if (shape->kernel == NULL) {
        run_by_index(shape, op, letters, operand, result);
        return;
    }
    Run run = {shape, letters, operand, index, -1};
    bool row_is_kept = true;
    if (shape->op_class == CLASS_ROW) {
        char letter = shape->letter[0][strlen(shape->letter[0]) - 1];
        run.row = letter_number(letters, letter);
        row_is_kept = strchr(shape->result, letter) != NULL;
    }
    do {
        Number *to = &result[offset_of(letters, shape->result, index)];
        *to = plus(*to, value_of(&run, shape->kernel->result));
    } while (advance(letters, index, row_is_kept ? -1 : run.row));
}

#endif

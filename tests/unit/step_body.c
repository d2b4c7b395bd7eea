/* The scalar language: every body of op.def parses, means what it says, and a wrong one is reported with its column. */
#include "step/body.h"
#include "tests/unit/bug.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* One row of `cols` elements; every operand is given per element. */
typedef struct Row {
    int cols;
    double operand[STEP_MAX_OPERANDS][8];
    double immediate[STEP_MAX_IMMEDIATES];
    double scale;
} Row;

static double leaf(const KernelNode *node, const Row *row, int col)
{
    switch (node->kind) {
    case KERNEL_NUMBER:
        return node->number;
    case KERNEL_OPERAND:
        return row->operand[node->index][col];
    case KERNEL_IMMEDIATE:
        return row->immediate[node->index];
    case KERNEL_SCALE:
        return row->scale;
    case KERNEL_COL:
        return col;
    default:
        return row->cols;
    }
}

/* Evaluates all nodes before `end` at `col`; row functions keep the value they have. */
static void evaluate(const Kernel *kernel, const Row *row, int col, int end, double *value)
{
    for (int i = 0; i < end; i++) {
        const KernelNode *node = &kernel->nodes[i];
        double x[3];
        for (int k = 0; k < node->argument_count; k++)
            x[k] = value[node->argument[k]];
        if (node->argument_count == 0)
            value[i] = leaf(node, row, col);
        else if (!kernel_is_row_function(node->kind))
            value[i] = kernel_apply(node->kind, x);
    }
}

static void run_row(const Kernel *kernel, const Row *row, double *y)
{
    double value[64];
    for (int i = 0; i < kernel->node_count; i++) {
        const KernelNode *node = &kernel->nodes[i];
        if (!kernel_is_row_function(node->kind))
            continue;
        double result = node->kind == KERNEL_ROW_MAX ? -INFINITY : 0;
        for (int col = 0; col < row->cols; col++) {
            evaluate(kernel, row, col, i, value);
            double x = value[node->argument[0]];
            if (node->kind == KERNEL_ROW_SUM)
                result += x;
            else if (node->kind == KERNEL_ROW_MAX)
                result = fmax(result, x);
            else if (col == (int)value[node->argument[1]])
                result = x;
        }
        value[i] = result;
    }
    for (int col = 0; col < row->cols; col++) {
        evaluate(kernel, row, col, kernel->node_count, value);
        y[col] = value[kernel->result];
    }
}

static void every_body_parses(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    int parsed = 0;
    for (OpKind op = 0; op < OP_COUNT; op++) {
        const Kernel *kernel = kernel_parse(arena, op);
        assert_int_equal(kernel == NULL, op_info[op].body[0] == '\0');
        if (kernel == NULL)
            continue;
        parsed++;
        assert_int_equal(kernel->row_function_count > 0, op_info[op].op_class == CLASS_ROW);
        for (int i = 0; i < kernel->node_count; i++) {
            for (int k = 0; k < kernel->nodes[i].argument_count; k++)
                assert_in_range(kernel->nodes[i].argument[k], 0, i - 1);
        }
    }
    assert_true(parsed > 30);
    arena_free(arena);
}

static void precedence_and_signs(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        double y;
    } cases[] = {
        {"y = a - b - 1", 3 - 2 - 1},
        {"y = a + b * a", 9},
        {"y = a / b / 2", 0.75},
        {"y = -a * b", -6},
        {"y = a - -b", 5},
        {"y = (a + b) * 2", 10},
        {"y = a < b", 0},
        {"y = b <= 2", 1},
        {"y = a >= 4", 0},
        {"y = a == 3", 1},
        {"y = where(a > 2, -inf, 1)", -INFINITY},
        {"y = 1e-6 + 0", 1e-6},
        {"t = a; u = t * t; y = u - t", 6},
        {"y = pow(a, b)", 9},
        {"y = min(a, b) + max2(a, b)", 5},
        {"y = rate * a", 1.5},
        {"y = scale * total", 28},
        {"y = cols + col", 1},
        {"y = rsqrt(b + 2)", 0.5},
    };
    Row row = {.cols = 1, .operand = {{3}, {2}}, .immediate = {0.5, 7}, .scale = 4};
    Arena *arena = arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double y;
        run_row(kernel_parse_body(arena, OP_RATE, cases[i].body, 2, "rate total"), &row, &y);
        if (y != cases[i].y)
            fail_msg("%s: %g, not %g", cases[i].body, y, cases[i].y);
    }
    arena_free(arena);
}

static void rows(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Row row = {.cols = 3, .operand = {{1, 2, 3}, {1, 1, 1}, {0, 1, 2}}, .immediate = {2}};
    double y[8];
    run_row(kernel_parse(arena, OP_SOFTMAX), &row, y);
    double sum = exp(-4) + exp(-2) + 1;
    assert_true(fabs(y[0] - (exp(-4) / sum)) <= 1e-15);
    assert_true(fabs(y[2] - (1 / sum)) <= 1e-15);
    run_row(kernel_parse(arena, OP_CAUSAL_SOFTMAX), &row, y);
    assert_true(fabs(y[0] - (exp(-2) / (1 + exp(-2)))) <= 1e-15);
    assert_true(fabs(y[2]) <= 0);
    arena_free(arena);
}

static void parse_wrong(const void *body)
{
    kernel_parse_body(arena_new(), OP_ADD, body, 2, "limit");
}

static void wrong_body(const char *body, const char *expected)
{
    expect_bug(parse_wrong, body, expected);
}

static void errors_have_columns(void **state)
{
    (void)state;
    wrong_body("y = a +", "column 8");
    wrong_body("y = (a", "column 7");
    wrong_body("y = c", "column 5");
    wrong_body("y = sin(a)", "column 5");
    wrong_body("a = b; y = a", "column 1");
    wrong_body("y = a b", "column 7");
    wrong_body("t = a", "must give y");
    wrong_body("y = min(a)", "column 10");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_body_parses),
        cmocka_unit_test(precedence_and_signs),
        cmocka_unit_test(rows),
        cmocka_unit_test(errors_have_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What operators and nodes have by their kind (step/step.h, Op and Node). */
#include "step/step.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_index(void **state)
{
    (void)state;
    static const OpKind with[] = {OP_EINSUM, OP_READ, OP_IOTA, OP_PERMUTE, OP_BROADCAST, OP_SEND, OP_RECV};
    for (OpKind kind = 0; kind < OP_COUNT; kind++) {
        Op op = op_blank(kind, (Ref){.member = -1}, (Span){0});
        bool expected = false;
        for (size_t i = 0; i < sizeof with / sizeof *with; i++)
            expected |= with[i] == kind;
        assert_int_equal(op_index(&op) != NULL, expected);
        if (expected) {
            *op_index_of(&op) = affine_constant(3);
            assert_int_equal(op_index(&op)->constant, 3);
        }
    }
}

static void test_extra(void **state)
{
    (void)state;
    static const struct {
        OpKind kind;
        OpExtra extra;
    } rows[] = {{OP_SCALE, EXTRA_SCALE},       {OP_EINSUM, EXTRA_PIECE},
                {OP_READ, EXTRA_MICROBATCH},   {OP_IOTA, EXTRA_FIRST},
                {OP_INIT, EXTRA_SEED},         {OP_OUTPUT, EXTRA_OUTPUT},
                {OP_ALL_REDUCE, EXTRA_REDUCE}, {OP_REDUCE_SCATTER, EXTRA_REDUCE},
                {OP_PERMUTE, EXTRA_PEER},      {OP_BROADCAST, EXTRA_PEER},
                {OP_SEND, EXTRA_PEER},         {OP_RECV, EXTRA_PEER}};
    for (OpKind kind = 0; kind < OP_COUNT; kind++) {
        OpExtra expected = EXTRA_NONE;
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            expected = rows[i].kind == kind ? rows[i].extra : expected;
        assert_int_equal(op_extra(kind), expected);
    }
}

/* What an operator does not have is empty. */
static void test_blank(void **state)
{
    (void)state;
    for (OpKind kind = 0; kind < OP_COUNT; kind++) {
        Op op = op_blank(kind, (Ref){.member = -1}, (Span){0});
        assert_string_equal(op.spec, "");
        assert_int_equal(op.axes.count, 0);
        assert_int_equal(op.tensor, -1);
        assert_int_equal(op.event, -1);
        assert_int_equal(op.stream, 0);
        assert_int_equal(op.origin, -1);
        assert_null(op_output(&op));
    }
    Op scale = op_blank(OP_SCALE, (Ref){.member = -1}, (Span){0}), output = op_blank(OP_OUTPUT, scale.out, scale.span);
    assert_int_equal(scale.scale.numerator, 1);
    assert_int_equal(scale.scale.denominator, 1);
    assert_string_equal(scale.scale.local_extents, "");
    output.output = "loss";
    assert_string_equal(op_output(&output), "loss");
}

static void test_nodes(void **state)
{
    (void)state;
    Op op = op_blank(OP_COPY, (Ref){.member = -1}, (Span){0});
    Node operator= {.kind = NODE_OP, .op = &op}, wait = {.kind = NODE_WAIT, .wait = {.event = 7}};
    Node loop = {.kind = NODE_LOOP, .loop = {.kind = LOOP_LAYERS}}, guard = {.kind = NODE_GUARD, .guard = {.low = 7}};
    assert_ptr_equal(node_op(&operator), &op);
    assert_null(node_op(&wait));
    assert_null(node_op(&loop));
    assert_null(node_op(&guard));
    assert_true(node_is_layer_loop(&loop));
    assert_false(node_is_layer_loop(&guard));
    assert_false(node_is_layer_loop(&operator));
}

static void test_routines(void **state)
{
    (void)state;
    static const char *const names[] = {"init", "step", "eval", "predict", "join", "prefill"};
    for (RoutineKind kind = ROUTINE_INIT; kind <= ROUTINE_PREFILL; kind++)
        assert_string_equal(routine_name(kind), names[kind]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_index), cmocka_unit_test(test_extra),    cmocka_unit_test(test_blank),
        cmocka_unit_test(test_nodes), cmocka_unit_test(test_routines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

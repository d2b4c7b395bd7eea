/* Specs: what a text names, and which texts are none. */
#include "step/spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* The parts as text: "bth|oh>bto", and "bt" for a spec without an arrow. */
static const char *parts(const char *text)
{
    static char found[200];
    Spec spec;
    int length = 0;
    if (!spec_parse(text, &spec))
        return "none";
    for (int i = 0; i < spec.operand_count; i++)
        length += snprintf(found + length, sizeof found - (size_t)length, "%s%.*s", i > 0 ? "|" : "",
                           spec.operand[i].count, spec.operand[i].at);
    snprintf(found + length, sizeof found - (size_t)length, "%s%.*s", spec.operand_count > 0 ? ">" : "",
             spec.result.count, spec.result.at);
    return found;
}

static void test_parts(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"bth,oh->bto", "bth|oh>bto"},
        {"b->b", "b>b"},
        {"->", ">"},
        {"", ""},
        {"bt", "bt"},
        {",b->", "|b>"},
        {",->ab", "|>ab"},
        {"aB->Ba", "aB>Ba"},
        {"b,->b", "b|>b"},
        {"a,b,c,d,e,f,g->a", "a|b|c|d|e|f|g>a"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(parts(rows[i][0]), rows[i][1]);
}

static void test_none(void **state)
{
    (void)state;
    static const char *const texts[] = {"a,b", "a-b", "a>b", "a->b->c", "a->b,c", "a->b ", " a->b",  "a1->a",
                                        "a-",  "-",   ",",   "a->-",    "a->b-",  "a b",   "a,->b,", "a->b>"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_string_equal(parts(texts[i]), "none");
}

static void test_more_operands_than_room(void **state)
{
    (void)state;
    Spec spec;
    assert_true(spec_parse("a,b,c,d,e,f,g,h,i->a", &spec));
    assert_int_equal(spec.operand_count, 9);
    assert_int_equal(spec.operand[STEP_MAX_OPERANDS - 1].at[0], 'g');
}

static void test_sides(void **state)
{
    (void)state;
    assert_int_equal(spec_letters("bth,oh->bto", 1).count, 2);
    assert_int_equal(spec_letters("bth,oh->bto", SPEC_RESULT).count, 3);
    assert_int_equal(spec_letters("bth,oh->bto", 2).count, 0);
    assert_int_equal(spec_letters("", 3).count, 0);
    assert_int_equal(spec_letters("bt", 0).count, 0);
    assert_int_equal(spec_letters("bt", SPEC_RESULT).count, 2);
    assert_int_equal(spec_dim(spec_letters("bth,oh->bto", 0), 'h'), 2);
    assert_int_equal(spec_dim(spec_letters("bth,oh->bto", 1), 't'), -1);
    assert_true(spec_equal(spec_letters("ab,b->ab", 0), spec_letters("ab,b->ab", SPEC_RESULT)));
    assert_false(spec_equal(spec_letters("ab,b->ab", 1), spec_letters("ab,b->ab", SPEC_RESULT)));
    assert_false(spec_equal(spec_letters("ab,ba->ab", 1), spec_letters("ab,ba->ab", SPEC_RESULT)));
    assert_true(spec_equal(spec_letters("->", 0), spec_letters("->", SPEC_RESULT)));
}

/* The letters of a segment and of the fused dim, as "fs"; "none" if the spec is not of such an operator. */
static const char *segment_of(OpKind kind, const char *text)
{
    static char found[3];
    Op op = op_blank(kind, (Ref){.member = -1}, (Span){0});
    op.spec = text;
    op.operand_count = op_info[kind].operands;
    return spec_segment(&op, &found[0], &found[1]) ? found : "none";
}

static void test_segments(void **state)
{
    (void)state;
    static const struct {
        OpKind kind;
        const char *text, *letters;
    } rows[] = {
        {OP_SEGMENT, "bto->bts", "os"},
        {OP_SEGMENT_BWD, "bts->bto", "os"},
        {OP_PLACE_SEGMENT, "bo,bs->bo", "os"},
        {OP_SEGMENT, "o->s", "os"},
        {OP_SEGMENT, "bto->bto", "none"},
        {OP_SEGMENT, "bto->bsx", "none"},
        {OP_SEGMENT, "bto->bt", "none"},
        {OP_PLACE_SEGMENT, "bo,bs->bs", "none"},
        {OP_PLACE_SEGMENT, "bo,bo->bo", "none"},
        {OP_SEGMENT, "", "none"},
        {OP_SEGMENT, "->", "none"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(segment_of(rows[i].kind, rows[i].text), rows[i].letters);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts), cmocka_unit_test(test_none),     cmocka_unit_test(test_more_operands_than_room),
        cmocka_unit_test(test_sides), cmocka_unit_test(test_segments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

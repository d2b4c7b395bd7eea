/* Look-ups of rows that a table may not have: what is reported. Their verdicts are in
 * tests/sim/cases/wrong/rows.edits. */
#include "tests/unit/verify_support.h"

static const char path[] = "tests/sim/cases/rows-reached.step";

/* `was` is a line of the program that is right, `is` what it becomes. */
static const struct {
    const char *was, *is, *message;
} cases[] = {
    {"ids = iota() index 0\n", "ids = iota() index 0\n", ""},
    {"ids = iota() index 0\n", "ids = iota() index 1\n",
     "Let the positions end 1 sooner, or give the table more rows."},
    {"ids = iota() index 0\n", "ids = iota() index -2\n", "Let the positions begin 2 later."},
    {"ids = iota() index 0\n", "ids = iota() index @data\n", "Operand a depends on the rank's coordinates."},
    {"ids = iota() index 0\n", "ids = fill(; 0) \"r\"\nown = iota() index 0\nids = place_shard(ids, own) over tensor\n",
     "Operand a is only a part of what it should be on each rank here."},
    {"many = embed(next, counts) \"bt,v->bt\"\n", "many = embed(next, at) \"bt,v->bt\"\n",
     "Of 'i' it is only known that it names rows of each table in which the reference looks it up."},
    {"far = iota() index 2147483637\n", "far = iota() index 2147483638\n",
     "integers have 32 bits, and 'iota' gives 2147483648"},
    {"shifted = embed_bwd(ids, line) \"r,r->v\"\n", "shifted = embed_bwd(ids, line) \"v,v->v\"\n",
     "the table's rows have a letter of their own, of 'embed' its first"},
};

static void test_words(void **state)
{
    static char right[1 << 16], changed[1 << 17];
    (void)state;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    right[fread(right, 1, sizeof right - 1, file)] = '\0';
    fclose(file);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *at = strstr(right, cases[i].was);
        assert_non_null(at);
        int length = snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - right), right, cases[i].is,
                              at + strlen(cases[i].was));
        Answer answer = verify_text(changed, (size_t)length);
        if (answer.right != (cases[i].message[0] == '\0') || strstr(answer.text, cases[i].message) == NULL ||
            (!answer.right && strcmp(answer.codes, "P0334") != 0))
            fail_msg("%s%s\n%s", cases[i].is, cases[i].message, answer.text);
        free(answer.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

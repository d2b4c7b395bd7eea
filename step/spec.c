/* spec.c - parses specs (step/spec.h). */
#include "step/spec.h"

#include <string.h>

static bool is_letter(char c)
{
    return (unsigned char)((c | 32) - 'a') < 26; /* of either case */
}

/* Takes the letters from *at on. */
static SpecLetters take_letters(const char **at)
{
    SpecLetters letters = {*at, 0};
    while (is_letter(**at)) {
        letters.count++;
        ++*at;
    }
    return letters;
}

bool spec_parse(const char *text, Spec *spec)
{
    *spec = (Spec){0};
    for (const char *at = text;;) {
        SpecLetters letters = take_letters(&at);
        if (*at == '\0' && spec->operand_count == 0) {
            spec->result = letters;
            return true;
        }
        if (spec->operand_count < STEP_MAX_OPERANDS)
            spec->operand[spec->operand_count] = letters;
        spec->operand_count++;
        if (at[0] == '-' && at[1] == '>') {
            at += 2;
            spec->result = take_letters(&at);
            return *at == '\0';
        }
        if (*at++ != ',')
            return false;
    }
}

Spec spec_of(const Op *op)
{
    Spec spec;
    if (spec_is_empty(op)) {
        spec.operand_count = 0;
        spec.result = (SpecLetters){"", 0};
        for (int i = 0; i < STEP_MAX_OPERANDS; i++)
            spec.operand[i] = spec.result;
        return spec;
    }
    if (!spec_parse(op->spec, &spec) || spec.operand_count != op->operand_count)
        BUG("operator %d: \"%s\" is no spec of %d operands", op->id, op->spec, op->operand_count);
    return spec;
}

bool spec_is_empty(const Op *op)
{
    return op->spec == NULL || op->spec[0] == '\0';
}

SpecLetters spec_letters(const char *text, int side)
{
    const char *at = text;
    for (int i = 0;; i++, at++) { /* as spec_parse, without writing down what is not asked for */
        SpecLetters letters = take_letters(&at);
        if (*at == '\0')
            return side == SPEC_RESULT ? letters : (SpecLetters){at, 0};
        if (i == side)
            return letters;
        at += *at == '-';
    }
}

int spec_dim(SpecLetters letters, char letter)
{
    for (int i = 0; i < letters.count; i++)
        if (letters.at[i] == letter)
            return i;
    return -1;
}

bool spec_equal(SpecLetters x, SpecLetters y)
{
    return x.count == y.count && (x.count == 0 || memcmp(x.at, y.at, (size_t)x.count) == 0);
}

char spec_table_row(const char *text, bool gathers)
{
    SpecLetters table = spec_letters(text, gathers ? 1 : SPEC_RESULT), index = spec_letters(text, 0);
    SpecLetters other = spec_letters(text, gathers ? SPEC_RESULT : 1);
    char row = 0;
    for (int i = 0; i < table.count; i++) {
        char letter = table.at[i];
        if (spec_dim(index, letter) >= 0 || spec_dim(other, letter) >= 0)
            continue;
        if (row != 0)
            return 0;
        row = letter;
    }
    return row;
}

bool spec_segment(const Op *op, char *fused, char *segment)
{
    Spec spec = spec_of(op);
    bool placed = op->kind == OP_PLACE_SEGMENT;
    SpecLetters first = spec.operand[0], second = placed ? spec.operand[1] : spec.result;
    int differs = -1;
    if (first.count != second.count || (placed && !spec_equal(first, spec.result)))
        return false;
    for (int i = 0; i < first.count; i++) {
        if (first.at[i] == second.at[i])
            continue;
        if (differs >= 0)
            return false;
        differs = i;
    }
    if (differs < 0)
        return false;
    *fused = op->kind == OP_SEGMENT_BWD ? second.at[differs] : first.at[differs];
    *segment = op->kind == OP_SEGMENT_BWD ? first.at[differs] : second.at[differs];
    return true;
}

const char *index_letters(int dim_count)
{
    static const char *const letters[STEP_MAX_DIMS + 1] = {"", "a", "ab", "abc", "abcd", "abcde", "abcdef"};
    return letters[dim_count];
}

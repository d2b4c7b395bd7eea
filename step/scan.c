/* scan.c - the characters of a step file (see scan.h). */
#include "step/scan.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_WORD = 256 };

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name_character(char c)
{
    return is_letter(c) || is_digit(c) || c == '.' || c == '*' || c == '-';
}

static bool is_identifier_character(char c)
{
    return is_letter(c) || is_digit(c);
}

static char character_at(const StepScan *scan, int32_t at)
{
    return at < scan->length ? scan->text[at] : '\0';
}

static void skip_blanks(StepScan *scan)
{
    while (scan->at < scan->length && memchr(" \t\r", scan->text[scan->at], 3) != NULL)
        scan->at++;
}

Span step_scan_span(const StepScan *scan, int32_t start, int32_t end)
{
    return (Span){scan->source, start, end};
}

bool step_scan_fail(StepScan *scan, int32_t start, const char *format, ...)
{
    int32_t end = start;
    while (end < scan->length && is_name_character(scan->text[end]))
        end++;
    if (end == start && end < scan->length && scan->text[end] != '\n')
        end++;
    va_list args;
    va_start(args, format);
    const char *text = arena_vprintf(scan->ctx->arena, format, args);
    va_end(args);
    diag_report(scan->ctx->diag, P0340, step_scan_span(scan, start, end), "%s", text);
    scan->error_count++;
    return false;
}

static bool at_line_end(StepScan *scan)
{
    skip_blanks(scan);
    char c = character_at(scan, scan->at);
    return scan->at >= scan->length || c == '\n' || c == '#';
}

void step_scan_skip_line(StepScan *scan)
{
    while (scan->at < scan->length && scan->text[scan->at] != '\n')
        scan->at++;
    if (scan->at < scan->length)
        scan->at++;
}

bool step_scan_next_line(StepScan *scan)
{
    while (scan->at < scan->length && at_line_end(scan))
        step_scan_skip_line(scan);
    return scan->at < scan->length;
}

bool step_scan_line_end(StepScan *scan)
{
    if (!at_line_end(scan))
        return step_scan_fail(scan, scan->at, "expected the end of the line");
    step_scan_skip_line(scan);
    return true;
}

char step_scan_peek(StepScan *scan)
{
    skip_blanks(scan);
    return character_at(scan, scan->at);
}

bool step_scan_take(StepScan *scan, char c)
{
    if (scan->at >= scan->length || step_scan_peek(scan) != c)
        return false;
    scan->at++;
    return true;
}

bool step_scan_take_word(StepScan *scan, const char *word)
{
    skip_blanks(scan);
    int32_t length = (int32_t)strlen(word);
    if (scan->length - scan->at < length || memcmp(scan->text + scan->at, word, (size_t)length) != 0 ||
        is_name_character(character_at(scan, scan->at + length)))
        return false;
    scan->at += length;
    return true;
}

bool step_scan_expect(StepScan *scan, char c)
{
    return step_scan_take(scan, c) || step_scan_fail(scan, scan->at, "expected '%c'", c);
}

bool step_scan_expect_word(StepScan *scan, const char *word)
{
    return step_scan_take_word(scan, word) || step_scan_fail(scan, scan->at, "expected '%s'", word);
}

bool step_scan_expect_range(StepScan *scan)
{
    if (step_scan_peek(scan) != '.' || character_at(scan, scan->at + 1) != '.')
        return step_scan_fail(scan, scan->at, "expected '..'");
    scan->at += 2;
    return true;
}

static bool scan_letters(StepScan *scan, const char **name, const char *what, bool (*belongs)(char))
{
    skip_blanks(scan);
    int32_t start = scan->at, end = start;
    if (!is_letter(character_at(scan, start)))
        return step_scan_fail(scan, start, "expected %s", what);
    while (belongs(character_at(scan, end)))
        end++;
    if (end - start > LONGEST_WORD)
        return step_scan_fail(scan, start, "a name longer than %d characters", LONGEST_WORD);
    *name = str_intern(scan->ctx->strings, scan->text + start, (size_t)(end - start));
    scan->at = end;
    return true;
}

bool step_scan_name(StepScan *scan, const char **name, const char *what)
{
    return scan_letters(scan, name, what, is_name_character);
}

bool step_scan_identifier(StepScan *scan, const char **name, const char *what)
{
    return scan_letters(scan, name, what, is_identifier_character);
}

bool step_scan_integer(StepScan *scan, int64_t *value, int64_t low, int64_t high, const char *what)
{
    skip_blanks(scan);
    int32_t start = scan->at, at = start;
    bool negative = character_at(scan, at) == '-';
    if (negative)
        at++;
    if (!is_digit(character_at(scan, at)))
        return step_scan_fail(scan, start, "expected %s", what);
    int64_t magnitude = 0;
    bool overflow = false;
    for (; is_digit(character_at(scan, at)); at++)
        overflow |= __builtin_mul_overflow(magnitude, 10, &magnitude) ||
                    __builtin_add_overflow(magnitude, scan->text[at] - '0', &magnitude);
    *value = overflow ? 0 : negative ? -magnitude : magnitude;
    if (overflow || *value < low || *value > high)
        return step_scan_fail(scan, start, "%s must be in %lld .. %lld", what, (long long)low, (long long)high);
    scan->at = at;
    return true;
}

bool step_scan_float(StepScan *scan, double *value)
{
    skip_blanks(scan);
    int32_t start = scan->at, end = start;
    while (is_identifier_character(character_at(scan, end)) || memchr("+-.", character_at(scan, end), 3) != NULL)
        end++;
    char text[64];
    size_t length = (size_t)(end - start);
    if (length == 0 || length >= sizeof(text))
        return step_scan_fail(scan, start, "expected a number");
    memcpy(text, scan->text + start, length);
    text[length] = '\0';
    char *rest;
    *value = strtod(text, &rest);
    if (*rest != '\0')
        return step_scan_fail(scan, start, "expected a number");
    scan->at = end;
    return true;
}

bool step_scan_string(StepScan *scan, const char **string)
{
    if (!step_scan_expect(scan, '"'))
        return false;
    int32_t start = scan->at, end = start;
    while (character_at(scan, end) >= ' ' && character_at(scan, end) < 127 && character_at(scan, end) != '"' &&
           character_at(scan, end) != '\\')
        end++;
    if (character_at(scan, end) != '"')
        return step_scan_fail(scan, end, "expected '\"' to end the string");
    if (end - start > LONGEST_WORD)
        return step_scan_fail(scan, start, "a string longer than %d characters", LONGEST_WORD);
    *string = str_intern(scan->ctx->strings, scan->text + start, (size_t)(end - start));
    scan->at = end + 1;
    return true;
}

bool step_scan_choice(StepScan *scan, int *index, const char *const *names, int count, const char *what)
{
    skip_blanks(scan);
    int32_t start = scan->at;
    const char *name;
    if (!step_scan_name(scan, &name, what))
        return false;
    for (*index = 0; *index < count; ++*index)
        if (strcmp(names[*index], name) == 0)
            return true;
    scan->at = start;
    return step_scan_fail(scan, start, "expected %s", what);
}

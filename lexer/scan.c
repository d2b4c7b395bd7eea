/* scan.c - computes the values of the tokens in place.l: keywords, unescaped strings, numbers in base units. */
#include "lexer/scan.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct MeasureUnit {
    const char *text;
    Measure kind;
    double factor;
} MeasureUnit;

static const MeasureUnit units[] = {
#define MEASURE(text, kind, factor) {text, MEASURE_##kind, factor},
#include "lexer/measure.def"
#undef MEASURE
};

int scan_fixed(Scan *scan, Token *token, const char *text, size_t length, TokenKind kind)
{
    token->text = str_intern(scan->strings, text, length);
    return kind;
}

int scan_fault(Scan *scan, Token *token, const char *text, size_t length, Fault fault)
{
    token->fault = fault;
    return scan_fixed(scan, token, text, length, TOKEN_INVALID);
}

int scan_word(Scan *scan, Token *token, const char *text, size_t length)
{
    token->text = str_intern(scan->strings, text, length);
    for (int kind = 0; kind < TOKEN_KIND_COUNT; kind++)
        if (scan->words[kind] == token->text)
            return kind;
    return TOKEN_WORD;
}

/* The character that stands for `\letter`, or 0. */
static char unescape(char letter)
{
    switch (letter) {
    case 'n':
        return '\n';
    case 't':
        return '\t';
    case '"':
    case '\\':
        return letter;
    }
    return 0;
}

int scan_string(Scan *scan, Token *token, const char *text, size_t length)
{
    char *content = arena_alloc(scan->arena, length);
    size_t used = 0;
    bool good = true;
    for (size_t i = 1; i + 1 < length && good; i++) {
        char byte = text[i] == '\\' ? unescape(text[++i]) : text[i];
        good = byte != 0;
        content[used++] = byte;
    }
    token->text = str_intern(scan->strings, content, used);
    return good ? TOKEN_STRING : scan_fault(scan, token, text, length, FAULT_ESCAPE);
}

static const MeasureUnit *find_unit(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (strlen(units[i].text) == length && memcmp(units[i].text, text, length) == 0)
            return &units[i];
    return NULL;
}

/* The unit after the number: preferably `WORD/WORD`, else `WORD`; moves `*end` past it. */
static const MeasureUnit *unit_after(const char *text, size_t length, size_t *end)
{
    size_t start = *end;
    while (start < length && (text[start] == ' ' || text[start] == '\t'))
        start++;
    const MeasureUnit *unit = find_unit(text + start, length - start);
    size_t stop = length;
    const char *slash = memchr(text + start, '/', length - start);
    if (unit == NULL && slash != NULL) {
        stop = (size_t)(slash - text);
        unit = find_unit(text + start, stop - start);
    }
    if (unit != NULL)
        *end = stop;
    return unit;
}

/* Exact if digits and unit are integers and the product fits. */
static void set_integer(Number *number, const char *digits, double factor)
{
    errno = 0;
    long long integer = strtoll(digits, NULL, 10);
    if (errno != 0 || factor < 1 || factor >= 0x1p63 || factor != floor(factor))
        return;
    int64_t product;
    if (__builtin_mul_overflow((int64_t)integer, (int64_t)factor, &product))
        return;
    number->integer = product;
    number->is_integer = true;
}

/* Are all digits before the exponent 0? */
static bool is_zero(const char *spelled)
{
    spelled += strspn(spelled, "0.");
    return *spelled == '\0' || *spelled == 'e' || *spelled == 'E';
}

int scan_number(Scan *scan, Token *token, const char *text, size_t length, size_t *taken)
{
    /* The match may continue with a name; strtod would accept all of "0x1f", which is 0 followed by a name. */
    size_t digits = strspn(text, "0123456789"), end = digits;
    if (text[end] == '.' && strspn(text + end + 1, "0123456789") > 0)
        end += 1 + strspn(text + end + 1, "0123456789");
    if (text[end] == 'e' || text[end] == 'E') {
        size_t sign = text[end + 1] == '+' || text[end + 1] == '-';
        size_t exponent = strspn(text + end + 1 + sign, "0123456789");
        end += exponent > 0 ? 1 + sign + exponent : 0;
    }
    bool only_digits = end == digits;
    const char *spelled = arena_copy(scan->arena, text, end);
    const MeasureUnit *unit = unit_after(text, length, &end);
    double factor = unit == NULL ? 1 : unit->factor;
    Number number = {.measure = unit == NULL ? MEASURE_NONE : unit->kind, .value = strtod(spelled, NULL) * factor};
    if (only_digits)
        set_integer(&number, spelled, factor);
    *taken = end;
    number.text = token->text = str_intern(scan->strings, text, end);
    if (!isfinite(number.value))
        return scan_fault(scan, token, text, end, FAULT_LARGE);
    if (number.value < DBL_MIN && !is_zero(spelled))
        return scan_fault(scan, token, text, end, FAULT_SMALL);
    token->number = number;
    return TOKEN_NUMBER;
}

/* number.h - the value of a number token: the source text, and its value in base units. */
#ifndef PLACE_LEXER_NUMBER_H
#define PLACE_LEXER_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

typedef enum UnitKind {
    UNIT_NONE,
    UNIT_BYTES,
    UNIT_BYTES_PER_SECOND,
    UNIT_SECONDS,
    UNIT_FLOPS_PER_SECOND,
} UnitKind;

typedef struct Number {
    const char *text; /* as written, "1 GiB" */
    double value;     /* in bytes, seconds, ... if there is a unit */
    bool is_integer;  /* has no fraction or exponent, and `integer` is exact */
    int64_t integer;
    UnitKind unit;
} Number;

#endif

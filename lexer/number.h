/* number.h - the value of a number token: the source text, and its value in base units. */
#ifndef PLACE_LEXER_NUMBER_H
#define PLACE_LEXER_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

typedef enum Measure {
    MEASURE_NONE,
    MEASURE_BYTES,
    MEASURE_BYTES_PER_SECOND,
    MEASURE_SECONDS,
    MEASURE_FLOPS_PER_SECOND,
    MEASURE_WATTS,
} Measure;

typedef struct Number {
    const char *text; /* as written, "1 GiB" */
    double value;     /* in bytes, seconds, ... if it has a unit */
    bool is_integer;  /* has no fraction or exponent, and `integer` is exact */
    int64_t integer;
    Measure measure;
} Number;

#endif

/* str.h - interned strings and a text builder.
 *
 * Two interned strings are equal exactly when their pointers are equal.
 */
#ifndef PLACE_BASE_STR_H
#define PLACE_BASE_STR_H

#include "base/arena.h"
#include "base/vec.h"
#include <stdint.h>

typedef struct StrTable StrTable;

StrTable *str_table_new(Arena *arena);
/* One that has the strings of another, which stays as it is meanwhile, and gets its own. */
StrTable *str_table_over(Arena *arena, const StrTable *base);
const char *str_intern(StrTable *table, const char *text, size_t length);
const char *str_intern_z(StrTable *table, const char *text);
/* The text, or if the table already has it, the first of text.2, text.3, ... that it does not have. */
const char *str_intern_unique(StrTable *table, const char *text);

/* A hash of bytes, the same in every process. */
uint64_t str_hash(const char *text, size_t length);

typedef Vec(const char *) NameVec; /* known names, for suggestions */

/* A growing text; `data` is NUL-terminated once something was added. */
typedef struct Text {
    Arena *arena;
    char *data;
    size_t length, capacity;
} Text;

void text_add(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_bytes(Text *text, const char *bytes, size_t length);

/* A number of bytes, "1.46 GiB": 3 significant digits, binary units. */
const char *str_bytes(Arena *arena, int64_t bytes);
/* "1,234,567" */
const char *str_grouped(Arena *arena, int64_t number);
/* A number of seconds, "1.42 s", "310 us": 3 significant digits. */
const char *str_seconds(Arena *arena, double seconds);

#endif

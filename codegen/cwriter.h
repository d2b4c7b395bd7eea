/* cwriter.h - the only place that knows how text becomes C, a Makefile or a shell script.
 *
 * Blocks are opened and closed, so indentation cannot be wrong; calls are wrapped at 120 columns; comments and strings
 * are made safe whatever they contain. Names from the user's file are mangled by names_unique.
 *
 *     CWriter w = {.arena = arena};
 *     cw_comment(&w, "%s", anything);
 *     cw_open(&w, "for (int64_t layer = 0; layer < %d; layer++)", 6);
 *     cw_call(&w, "kernel_gelu_f32", arguments, 3);
 *     cw_close(&w, "");
 */
#ifndef PLACE_CODEGEN_CWRITER_H
#define PLACE_CODEGEN_CWRITER_H

#include "base/str.h"
#include "base/vec.h"
#include <stdint.h>

typedef struct CWriter {
    Arena *arena;
    Text text;
    int indent; /* open blocks */
} CWriter;

CWriter cw_new(Arena *arena, int indent);

void cw_line(CWriter *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cw_blank(CWriter *writer);
/* "head {" ... "}suffix"; the head may be empty */
void cw_open(CWriter *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cw_close(CWriter *writer, const char *suffix);
/* A function's head: its brace is on a line of its own. */
void cw_open_function(CWriter *writer, const char *head);
void cw_comment(CWriter *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* head item, item, ... tail, wrapped */
void cw_list(CWriter *writer, const char *head, const char *const *items, int count, const char *tail);
/* head(argument, argument, ...)tail, wrapped */
void cw_call(CWriter *writer, const char *head, const char *const *arguments, int count, const char *tail);
/* left = call; where `call` is "function(arguments)" */
void cw_assign_call(CWriter *writer, const char *left, const char *call);
/* Lines written by another writer, unchanged. */
void cw_splice(CWriter *writer, const CWriter *other);

/* ---- Text made safe ----------------------------------------------------------------------------------------- */

/* A C string literal, including its quotes; for NULL, C's NULL. */
const char *c_string(Arena *arena, const char *text);
/* The fewest digits that read back as the same number; whole numbers without an exponent; infinities and NaN as the
 * macros of <math.h>. */
const char *c_number(Arena *arena, double number);
/* Text for a comment in C, shell or make: one line of printable ASCII that cannot end the comment. */
const char *comment_text(Arena *arena, const char *text);

/* ---- Names -------------------------------------------------------------------------------------------------- */

typedef struct Names {
    Arena *arena;
    Vec(const char *) taken;
} Names;

/* prefix + `wanted` with everything but letters and digits replaced by '_', and a number appended if that is taken. The
 * prefix avoids C's keywords. */
const char *names_unique(Names *names, const char *prefix, const char *wanted);

#endif

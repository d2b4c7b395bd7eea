/* text_reader.h - what the parts of the reader share: text_reader.c (characters, words, names of things), step_text.c
 * (declarations, buffers, the file) and text_tree.c (the operators and blocks of a routine).
 *
 * A recursive-descent reader without tokens: a cursor over the text. text_try_... continues only where it finds what is
 * asked for, text_take_... leaves the reader with a message where it does not.
 */
#ifndef PLACE_SIM_TEXT_READER_H
#define PLACE_SIM_TEXT_READER_H

#include "tests/sim/step_text.h"
#include <setjmp.h>

enum { TEXT_MAX_ONCE = 4 };

typedef struct TextReader {
    SimPool *pool;
    const char *at;
    int line;
    bool found[TEXT_MAX_ONCE]; /* lines that are there once */
    SimFile *file;
    SimProgram *program;
    int loops[SIM_MAX_LOOPS]; /* ids of the loops we are in */
    int loop_depth;
    char *message;
    size_t message_size;
    jmp_buf failed;
} TextReader;

_Noreturn void text_fail(TextReader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));

void text_skip_blanks(TextReader *reader);
void text_skip_lines(TextReader *reader);
void text_take_line_end(TextReader *reader);
bool text_try_char(TextReader *reader, char wanted);
void text_take_char(TextReader *reader, char wanted);
bool text_name_start(char c);
size_t text_name_length(const char *text);
bool text_try_word(TextReader *reader, const char *word);
void text_take_word(TextReader *reader, const char *word);
const char *text_take_name(TextReader *reader);
bool text_at_digit(TextReader *reader);
int64_t text_take_integer(TextReader *reader);
double text_take_float(TextReader *reader);
const char *text_take_string(TextReader *reader);
void text_take_range(TextReader *reader); /* ".." */

/* Indices of what was declared under the name at the cursor. */
int text_take_axis(TextReader *reader);
int text_take_group(TextReader *reader);
int text_take_tensor(TextReader *reader);
int text_take_state(TextReader *reader);
int text_take_unit(TextReader *reader);
int text_take_buffer(TextReader *reader);
int text_take_communicator(TextReader *reader);
int text_take_coordinate(TextReader *reader); /* after '@' */
int text_take_table(TextReader *reader);      /* after '$' */

/* "data, tensor"; how many. */
int text_take_axes(TextReader *reader, int axes[SIM_MAX_AXES]);
SimAffine text_take_affine(TextReader *reader);
/* The nodes of a block, from its '{' to its '}'. */
void text_read_body(TextReader *reader, SimNode *parent);

#endif

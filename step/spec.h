/* spec.h - the index letters of an operator's operands and result, parsed here alone: "bth,oh->bto".
 *
 *     Spec spec = spec_of(op);
 *     for (int i = 0; i < spec.result.count; i++) ... spec.result.at[i] ...
 *     SpecLetters weight = spec_letters(op->spec, 1);     // of one side alone
 *
 * Nothing is copied: letters are those of the text. A text without an arrow, "bt", names the dims of the result of an
 * operator without operands. The empty text names none: operands and result are the same flat range.
 */
#ifndef PLACE_STEP_SPEC_H
#define PLACE_STEP_SPEC_H

#include "step/step.h"

enum { SPEC_RESULT = -1 };

/* The letters of one operand or of the result, in the order of its dims. */
typedef struct SpecLetters {
    const char *at; /* not terminated */
    int count;
} SpecLetters;

typedef struct Spec {
    int operand_count; /* 0 without an arrow */
    SpecLetters operand[STEP_MAX_OPERANDS], result;
} Spec;

/* False if the text is no spec. Of more operands than an operator can have only their number is known. */
bool spec_parse(const char *text, Spec *spec);

/* The operator's own, which fits its operands. */
Spec spec_of(const Op *op);
/* It has no letters. */
bool spec_is_empty(const Op *op);

/* The letters of an operand, or of SPEC_RESULT, in a text that is a spec; none if it has no such operand. */
SpecLetters spec_letters(const char *text, int side);

/* The dim that has the letter; -1 if none has. */
int spec_dim(SpecLetters letters, char letter);
bool spec_equal(SpecLetters x, SpecLetters y);

/* For a look-up (CLASS_GATHER) or its transpose (CLASS_SCATTER): the letter of the table's rows, the only one that the
 * table has alone; 0 if there is no such letter, or several. */
char spec_table_row(const char *text, bool gathers);

/* For an operator that takes a segment out of a fused dim or puts it back (all of CLASS_VIEW except view): the letter
 * of the fused dim and that of the segment; false if the spec does not have this form. */
bool spec_segment(const Op *op, char *fused, char *segment);

/* Letters for a value with this many dims, where they only say that dims are the same: "", "a", "ab", ... */
const char *index_letters(int dim_count);

#endif

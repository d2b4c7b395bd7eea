/* signature.h - how an operator's operands and result are placed, as far as layouts say it, and how a program holds its
 * states: what the experiments count their hits by.
 *
 * The placement of a reference:
 *   R  whole
 *   S  cut along a letter that the result has, or is itself cut as the result
 *   K  cut along a letter that the result lacks: what is computed is a part of a sum
 *   F  a unit, cut flat
 *   m  and cut by microbatches
 * Axes of one rank, and one microbatch, cut nothing.
 */
#ifndef PLACE_SIM_SIGNATURE_H
#define PLACE_SIM_SIGNATURE_H

#include "tests/sim/step_text.h"

enum { SIGNATURE_SIZE = 48, MAX_MODES = 8 };

/* "Sm,R->Sm"; of an operator without operands "->R". */
const char *signature_of(const SimFile *file, const SimProgram *program, const SimOp *op, char *text, size_t size);
/* Of a buffer by itself. */
const char *signature_of_buffer(const SimFile *file, const SimBuffer *buffer, char *text, size_t size);

/* The modes in which the program's states rest: "replicated", or where they are cut and which; how many. */
int signature_modes(const SimFile *file, const SimProgram *program, const char *modes[MAX_MODES]);

#endif

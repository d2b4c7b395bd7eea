/* form.h - what the text form asks for beyond its grammar (docs/step-program.md, section 3), looked at when all is
 * read.
 *
 * A text that breaks one of these rules is no program, whatever running it would give: the compiler must refuse it.
 */
#ifndef PLACE_SIM_FORM_H
#define PLACE_SIM_FORM_H

#include "tests/sim/step_text.h"

/* What is wrong with it; NULL: nothing. */
const char *sim_bad_form(const SimFile *file);

#endif

/* suggest.h - the changes offered to the user: each was made and run through all stages. */
#ifndef PLACE_LIBRARY_SUGGEST_H
#define PLACE_LIBRARY_SUGGEST_H

#include "library/compile.h"

/* Tries what the program's diagnostics suggest; drops the changes that fail, adds those found for repairs. */
void suggest_changes(Compile *compile);

#endif

/* repair.h - turns a repair given as data into changes of the text that may achieve it. */
#ifndef PLACE_LIBRARY_REPAIR_H
#define PLACE_LIBRARY_REPAIR_H

#include "base/change.h"
#include "library/wording.h"

typedef struct Candidate {
    Change change;
    const char *sentence; /* what the change does */
} Candidate;
typedef Vec(Candidate) Candidates;

/* Candidates closest to the present text come first; none need be right. */
void repair_candidates(const Wording *wording, const Repair *repair, Candidates *candidates);

#endif

/* repair.h - from what would have to become otherwise to words: changes of the text that may do it. */
#ifndef PLACE_DRIVER_REPAIR_H
#define PLACE_DRIVER_REPAIR_H

#include "base/change.h"
#include "driver/wording.h"

typedef struct Candidate {
    Change change;
    const char *sentence; /* what is done */
} Candidate;
typedef Vec(Candidate) Candidates;

/* Those that come first are closer to what is written; none need be right. */
void repair_candidates(const Wording *wording, const Repair *repair, Candidates *candidates);

#endif

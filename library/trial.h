/* trial.h - runs a program with a changed text through all stages. */
#ifndef PLACE_LIBRARY_TRIAL_H
#define PLACE_LIBRARY_TRIAL_H

#include "base/change.h"
#include "library/compile.h"

typedef struct Trial {
    bool gone;        /* the diagnostic no longer appears */
    bool right;       /* there is no error */
    bool fresh;       /* there is a new error or, when only costs are at stake, a new hint */
    bool refused;     /* and it is a language error about the inserted text */
    int64_t followed; /* operators that the proof ran */
    bool priced;
    int64_t sent, held; /* more bytes sent per device and step, and held on one device; if priced */
} Trial;

/* `target`: the program's diagnostic that the change should fix. */
Trial trial_run(const Compile *compile, const Diagnostic *target, const Change *change);

#endif

/* trial.h - the program with a change in its text, through all stages. */
#ifndef PLACE_DRIVER_TRIAL_H
#define PLACE_DRIVER_TRIAL_H

#include "base/change.h"
#include "driver/pipeline.h"

typedef struct Trial {
    bool gone;        /* what was told is told no more */
    bool right;       /* there is no error */
    bool fresh;       /* there is one that was not there, or, of what only costs, a hint that was not there */
    bool refused;     /* and it is of the language, about words that the change put in */
    int64_t followed; /* operators that the proof ran */
    bool priced;
    int64_t sent, held; /* bytes per device and step, and held on one, more than before; where priced */
} Trial;

/* `told`: what the change is to mend, of the pipeline's diagnostics. */
Trial trial_run(const Pipeline *pipeline, const Diagnostic *told, const Change *change);

#endif

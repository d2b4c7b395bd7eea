/* probes.h - the programs that calibrate builds and runs, in a directory of their own. */
#ifndef PLACE_CALIBRATE_PROBES_H
#define PLACE_CALIBRATE_PROBES_H

#include "calibrate/figures.h"

typedef struct Probes {
    char directory[4096];
    int ranks;
    double arena_bytes[MEMORY_SIZES];
} Probes;

/* On as many ranks as there are processors for this process. False: why is on stderr, and nothing is left. */
bool probes_build(Probes *probes);
/* Runs them all once. False: why is on stderr. */
bool probes_run(const Probes *probes, Profile profiles[PROBE_COUNT]);
void probes_remove(Probes *probes);

#endif

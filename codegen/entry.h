/* entry.h - the runtime's function for each collective: the column `entry` of step/collective.def. */
#ifndef PLACE_CODEGEN_ENTRY_H
#define PLACE_CODEGEN_ENTRY_H

#include "step/step.h"

typedef struct RuntimeEntry {
    const char *function; /* "prt_all_reduce" */
    const char *call;     /* its kind in the table of calls, "PRT_ALL_REDUCE"; NULL: nothing is sent */
} RuntimeEntry;

const RuntimeEntry *runtime_entry(OpKind kind);

#endif

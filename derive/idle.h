/* idle.h - syncs that were written and change nothing. */
#ifndef PLACE_DERIVE_IDLE_H
#define PLACE_DERIVE_IDLE_H

#include "derive/derive.h"

/* derive_step, except for the reports of derive_report_idle. */
StepFile *derive_program(Ctx *ctx, const Train *train, const Assignment *assignment);
/* Reports syncs without which the same program is derived, and returns whether there were any. */
bool derive_report_idle(Ctx *ctx, const Train *train, const Assignment *assignment, const StepFile *file);

#endif

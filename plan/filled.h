/* filled.h - how much of an exchange of filled places travels, when all experts get equally many rows. */
#ifndef PLACE_PLAN_FILLED_H
#define PLACE_PLAN_FILLED_H

#include "step/step.h"

/* Of `all_to_all_filled`: the share of its places that a row then fills; 1 if the program does not show it. */
double plan_filled_share(const Program *program, const Op *op);

#endif

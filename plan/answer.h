/* answer.h - the parts of a printed plan that have files of their own. */
#ifndef PLACE_PLAN_ANSWER_H
#define PLACE_PLAN_ANSWER_H

#include "plan/plan.h"

#include <cjson/cJSON.h>

void answer_print_time(Arena *arena, const Plan *plan, FILE *out);

/* null if it is not predicted. */
cJSON *answer_time_json(const Plan *plan);

#endif

/* answer.h - the parts of a printed plan: those that have files of their own, and those that other answers have, too.
 */
#ifndef PLACE_PLAN_ANSWER_H
#define PLACE_PLAN_ANSWER_H

#include "plan/plan.h"

#include <cjson/cJSON.h>

void answer_print_time(Arena *arena, const Plan *plan, FILE *out);

/* null if it is not predicted. */
cJSON *answer_time_json(const Plan *plan);

/* What plan_json prints. */
cJSON *answer_json(Arena *arena, const Plan *plan, const Verdict *verdict);
/* In the arena; deletes the root. */
char *answer_text(Arena *arena, cJSON *root);

#endif

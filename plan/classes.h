/* classes.h - memory and traffic per class of ranks. */
#ifndef PLACE_PLAN_CLASSES_H
#define PLACE_PLAN_CLASSES_H

#include "plan/plan.h"

/* Sets the plan's classes, in the order of their first ranks. There is at least one. */
void plan_find_classes(Ctx *ctx, Plan *plan, const Program *program);

#endif

/* refs.h - what the operators of a program read and write, for passes that inspect or change it.
 *
 *     refs_visit(node, visit, context);   // every operand and result below the node, in program order
 */
#ifndef PLACE_STEP_REFS_H
#define PLACE_STEP_REFS_H

#include "step/step.h"

typedef void RefVisit(void *context, Op *op, Ref *ref, bool writes);

/* Operands come before the result. */
void refs_visit(const Node *node, RefVisit *visit, void *context);
void refs_visit_list(const NodeList *list, RefVisit *visit, void *context);
/* The same for all routines. */
void refs_visit_program(const Program *program, RefVisit *visit, void *context);

#endif

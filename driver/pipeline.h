/* pipeline.h - runs the stages in order, from a file to a verified step program with its costs. */
#ifndef PLACE_DRIVER_PIPELINE_H
#define PLACE_DRIVER_PIPELINE_H

#include "base/ctx.h"
#include "parser/ast.h"
#include "plan/plan.h"
#include "sema/sema.h"
#include "verify/verify.h"

/* What is known about one file; the results of stages that did not run are NULL. */
typedef struct Pipeline {
    Ctx ctx;
    int source; /* 0: the file could not be read, see errno */
    Ast *ast;
    const Train *train;
    const Assignment *assignment;
    StepFile *file;
    Verdict verdict;
    Plan *plan;
    int passes;    /* that are run; PASSES_ALL unless a test or a dump asks */
    bool at_fault; /* a refusal that nothing in the program causes: a fault of placec */
    /* derive_step, except in tests of such refusals */
    StepFile *(*derive)(Ctx *ctx, const Train *train, const Assignment *assignment);
} Pipeline;

/* A pipeline without a file. */
void pipeline_new(Pipeline *pipeline);
/* "-" is stdin. Each of the following functions runs the stages it needs, reports to pipeline->ctx.diag, and returns
 * whether all is well. */
void pipeline_open(Pipeline *pipeline, const char *path);
void pipeline_close(Pipeline *pipeline);

bool pipeline_parse(Pipeline *pipeline);
/* Parse, sema, derive, passes, verify; of the last program plan and asserts, too. */
bool pipeline_stages(Pipeline *pipeline);
bool pipeline_check(Pipeline *pipeline); /* and finds out who is to blame, or what would fix it (driver/suggest.h) */
bool pipeline_verify_text(Pipeline *pipeline); /* for a file that is a dumped step program */

#endif

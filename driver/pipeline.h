/* pipeline.h - the stages in order, from a file to a verified and priced step program. */
#ifndef PLACE_DRIVER_PIPELINE_H
#define PLACE_DRIVER_PIPELINE_H

#include "base/ctx.h"
#include "parser/ast.h"
#include "plan/plan.h"
#include "sema/sema.h"
#include "verify/verify.h"

/* What is known of one file; a stage that did not run leaves its part NULL. */
typedef struct Pipeline {
    Ctx ctx;
    int source; /* 0: the file could not be read, errno says why */
    Ast *ast;
    Train *train;
    StepFile *file;
    Verdict verdict;
    Plan *plan;
    int passes;                                        /* that are run; PASSES_ALL unless a test or a dump asks */
    bool at_fault;                                     /* a refusal that nothing in the program is the cause of: ours */
    StepFile *(*derive)(Ctx *ctx, const Train *train); /* derive_step, but in tests of such refusals */
} Pipeline;

/* Of no file yet. */
void pipeline_new(Pipeline *pipeline);
/* "-" is stdin. Each of the following runs what it needs before it, reports to pipeline->ctx.diag, and says whether all
 * is well. */
void pipeline_open(Pipeline *pipeline, const char *path);
void pipeline_close(Pipeline *pipeline);

bool pipeline_parse(Pipeline *pipeline);
/* Parse, sema, derive, passes, verify; of the last program plan and asserts, too. */
bool pipeline_stages(Pipeline *pipeline);
bool pipeline_check(Pipeline *pipeline); /* and finds out whose fault it is, or what would mend it (driver/suggest.h) */
bool pipeline_verify_text(Pipeline *pipeline); /* the file is a dumped step program */

#endif

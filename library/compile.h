/* compile.h - runs the stages in order, from a text to a verified step program with its costs.
 *
 *     Compile compile;
 *     compile_new(&compile);
 *     compile.source = source_add(compile.ctx.sources, "gpt.place", text, length);
 *     if (!compile_check(&compile)) ...            // what is wrong is in compile.ctx.diag
 *     compile_close(&compile);
 *
 * Each function runs the stages it needs, reports to ctx.diag, and returns whether all is well.
 */
#ifndef PLACE_LIBRARY_COMPILE_H
#define PLACE_LIBRARY_COMPILE_H

#include "base/ctx.h"
#include "derive/derive.h"
#include "parser/ast.h"
#include "plan/plan.h"
#include "sema/sema.h"
#include "verify/verify.h"

/* What is known about one file; the results of stages that did not run are NULL. */
typedef struct Compile {
    Ctx ctx;
    int source; /* the program's text; set by the caller */
    Ast *ast;
    const Train *train;
    const Assignment *assignment;
    const Choices *choices; /* of compile_choices */
    StepFile *file;
    Verdict verdict;
    Plan *plan;
    int passes;    /* that are run; PASSES_ALL unless a test or a dump asks */
    bool at_fault; /* a refusal that nothing in the program causes: a fault of placec */
    /* derive_step, except in tests of such refusals */
    StepFile *(*derive)(Ctx *ctx, const Train *train, const Assignment *assignment);
} Compile;

void compile_new(Compile *compile);
void compile_close(Compile *compile);

bool compile_parse(Compile *compile);
/* False: it parses, and has no `search over`. */
bool compile_is_searched(const Compile *compile);
/* Parse, sema, and what is decided before a program is derived. */
bool compile_choices(Compile *compile);
/* Parse, sema, derive, passes: `file` is not proved. */
bool compile_program(Compile *compile);
/* The same, then verify; of the last program plan and asserts, too. */
bool compile_stages(Compile *compile);
bool compile_check(Compile *compile); /* and finds out who is to blame, or what would fix it (library/suggest.h) */
bool compile_verify_text(Compile *compile); /* for a text that is a dumped step program */

#endif

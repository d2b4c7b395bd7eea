/* limit.h - reports that the proof exceeds a limit: the program may well be right, nothing was found against it. */
#ifndef PLACE_VERIFY_LIMIT_H
#define PLACE_VERIFY_LIMIT_H

#include "base/ctx.h"

/* `what` exceeds the limit; `why` names the rule. */
static inline void report_limit(Ctx *ctx, Span span, const char *what, const char *why)
{
    Diagnostic *d = diag_report(ctx->diag, P0321, span, "%s", what);
    diag_why(d, "%s", why);
    diag_note(d, "This is a limit of the proof; nothing was found to be wrong.");
}

#endif

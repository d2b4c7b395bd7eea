/* fmt.h - a file's text in the one style (docs/language.md, "Formatting").
 *
 * Tokens, comments and their order stay; what changes is white space, and `;` against the end of a line. Where a
 * statement is broken into lines, and where an empty line stands between two, is the author's; how the lines are
 * indented, spaced and aligned is not.
 *
 *     size_t length;
 *     const char *text = fmt_text(ctx, source, &length);
 *     if (text == NULL) ...           // it does not parse: the errors are in ctx->diag
 *
 * The result has the same tokens and comments as the source, which is checked each time, and is its own result.
 */
#ifndef PLACE_FMT_FMT_H
#define PLACE_FMT_FMT_H

#include "base/ctx.h"

const char *fmt_text(Ctx *ctx, int source, size_t *length);

#endif

/* fmt.h - a file's text in the standard style (docs/language.md, "Formatting").
 *
 * Tokens, comments and their order stay; only white space changes, and `;` becomes the end of a line or the reverse.
 * The author decides where a statement is broken into lines, and where there are empty lines; the style decides how
 * lines are indented, spaced and aligned.
 *
 *     size_t length;
 *     const char *text = fmt_text(ctx, source, &length);
 *     if (text == NULL) ...           // it does not parse: the errors are in ctx->diag
 *
 * The result has the same tokens and comments as the source, which is checked each time; formatting it again changes
 * nothing.
 */
#ifndef PLACE_FMT_FMT_H
#define PLACE_FMT_FMT_H

#include "base/ctx.h"

const char *fmt_text(Ctx *ctx, int source, size_t *length);

#endif

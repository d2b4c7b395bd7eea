/* edits.h - wrong programs, written as changes of right ones.
 *
 *     base tests/sim/cases/routes-norm.step      the right program, from the root of the repository
 *     case the loss of one rank                  a change of it, up to the next `case` or `base`; changes before the
                                                first `case` are of all
 *     = loss = scale(loss) scale 1/7             go behind the next such line,
 *     - loss = all_reduce(loss) sum over data    take the next such line out,
 *     + loss = copy(loss)                        put this line in
 *
 * Lines are compared without indentation and comments. `#` starts a comment of the file.
 */
#ifndef PLACE_SIM_EDITS_H
#define PLACE_SIM_EDITS_H

#include <stdbool.h>

typedef void EditsVisit(void *user, const char *name, const char *text);

/* Calls visit for the text of every case; false, and said on stdout, where a file or a line is not there. A path that
 * does not end in .edits is one case. */
bool edits_visit(const char *path, EditsVisit *visit, void *user);

#endif

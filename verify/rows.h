/* rows.h - whether what looks rows of a table up finds them there: otherwise the program cannot be run.
 *
 * Of positions and constants the proof knows the numbers. What an input holds is the reader's promise: that it stays
 * below the smallest table in which the reference looks it up. Nothing else is known to name rows.
 */
#ifndef PLACE_VERIFY_ROWS_H
#define PLACE_VERIFY_ROWS_H

#include "verify/prepare.h"

/* Does an operator that looks up what `index` holds stay in its table? If that cannot be shown, it is reported. What
 * the reference looks up is noted as the reader's promise. */
bool rows_check(Ctx *ctx, Table *table, const Decls *decls, const Prepared *prepared, const Combo *index,
                bool reference);

/* Does a combination in a buffer of these dims hold integers that certainly need more than 32 bits? *number: one. */
bool rows_need_more_bits(const Table *table, const Decls *decls, const Combo *combo, int64_t first_dim,
                         int64_t *number);

#endif

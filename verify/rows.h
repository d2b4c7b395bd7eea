/* rows.h - checks that table lookups stay inside the table: otherwise the program cannot run.
 *
 * The proof knows the numbers that positions and constants hold. For an input it takes the reader's promise: values
 * stay below the size of the smallest table in which the reference looks the input up. Nothing else is known to be a
 * valid row.
 */
#ifndef PLACE_VERIFY_ROWS_H
#define PLACE_VERIFY_ROWS_H

#include "verify/prepare.h"

/* Do the lookups of `index` stay inside the operator's table? If that cannot be shown, it is reported. Lookups by the
 * reference are noted as the reader's promise. */
bool rows_check(Ctx *ctx, Table *table, const Decls *decls, const Prepared *prepared, const Combo *index,
                bool reference);

/* Does a combination in a buffer of these dims hold integers that certainly need more than 32 bits? *number: one of
 * them. */
bool rows_need_more_bits(const Table *table, const Decls *decls, const Combo *combo, int64_t first_dim,
                         int64_t *number);

#endif

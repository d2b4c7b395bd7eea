/* filled.h - which places of queues no row fills, and which values are zero there: what an exchange of filled places
 * alone leaves out. */
#ifndef PLACE_VERIFY_FILLED_H
#define PLACE_VERIFY_FILLED_H

#include "verify/combo.h"

/* The queues whose filled places the combination counts, exactly and for all of them; NULL if it does not. */
const Value *filled_queues(const Combo *counts);

/* Is the value, whose first dims are those of the queues, zero in every place that no row fills, and all its parts?
 * False if that is not seen. */
bool filled_only(const Value *value, const Value *queues);

#endif

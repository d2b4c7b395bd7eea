/* suggest.h - the changes offered to the user: each was made and run through all stages. */
#ifndef PLACE_DRIVER_SUGGEST_H
#define PLACE_DRIVER_SUGGEST_H

#include "driver/pipeline.h"

/* Tries what the pipeline's diagnostics suggest; drops the changes that fail, adds those found for repairs. */
void suggest_changes(Pipeline *pipeline);

#endif

/* suggest.h - what is offered to the user: changes of the text that were done and put through all stages. */
#ifndef PLACE_DRIVER_SUGGEST_H
#define PLACE_DRIVER_SUGGEST_H

#include "driver/pipeline.h"

/* Tries what the pipeline's diagnostics say would mend them. What is refused is taken out, what is found is added. */
void suggest_changes(Pipeline *pipeline);

#endif

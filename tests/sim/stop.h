/* stop.h - long experiments end early on SIGINT or SIGTERM, and say what they have counted.
 *
 *     stop_on_signals();
 *     for (...; i < count && !stop_wanted(); i++)
 */
#ifndef PLACE_SIM_STOP_H
#define PLACE_SIM_STOP_H

#include <stdbool.h>

void stop_on_signals(void);
bool stop_wanted(void);

#endif

/* stop.h - long experiments end early on SIGINT or SIGTERM, and say what they have counted.
 *
 *     stop_on_signals();
 *     for (...; i < count && !stop_wanted(); i++)
 */
#ifndef PLACE_SIM_STOP_H
#define PLACE_SIM_STOP_H

#include <stdbool.h>

void stop_on_signals(void);
/* As if a signal came after so many seconds, in this process. */
void stop_after(unsigned seconds);
bool stop_wanted(void);

#endif

/* prove.h - the compiler's verdict on a text. The only place where the simulator's experiments meet the compiler. */
#ifndef PLACE_SIM_PROVE_H
#define PLACE_SIM_PROVE_H

#include <stdbool.h>
#include <stddef.h>

/* Reads and verifies; `reason` is empty, or the first diagnostic ("P0301: gradient of ..."). */
bool prove_text(const char *text, char *reason, size_t reason_size);

#endif

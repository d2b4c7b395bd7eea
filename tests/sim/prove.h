/* prove.h - the compiler's verdict on a text. The only place where the simulator's experiments meet the compiler. */
#ifndef PLACE_SIM_PROVE_H
#define PLACE_SIM_PROVE_H

#include <stddef.h>

typedef enum Proof { PROOF_ACCEPTED, PROOF_REFUSED, PROOF_CRASHED } Proof;

/* Reads and verifies; `reason` is empty, or the first diagnostic ("P0301: gradient of ..."). Where the compiler falls
 * over the text, prints it and ends the process. */
Proof prove_text(const char *text, char *reason, size_t reason_size);

/* The same in a process of its own, which may crash. */
Proof prove_apart(const char *text, char *reason, size_t reason_size);

/* The step program of a .place text, as text that the caller frees; NULL with the first diagnostic where there is none. */
char *prove_derive(const char *place, char *reason, size_t reason_size);

#endif

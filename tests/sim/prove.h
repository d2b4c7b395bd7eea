/* prove.h - the compiler's verdict on a text. The only place where the simulator's experiments meet the compiler. */
#ifndef PLACE_SIM_PROVE_H
#define PLACE_SIM_PROVE_H

#include <stdbool.h>

typedef enum Proof { PROOF_ACCEPTED, PROOF_REFUSED, PROOF_CRASHED } Proof;

/* Why a program was refused: the first diagnostic ("P0301: gradient of ..."), the rule of docs/semantics.md that it names
 * ("" none), and whether there is a counter-example. */
typedef struct Refusal {
    char text[200], rule[48];
    bool witness;
    unsigned long all; /* a hash of all diagnostics */
} Refusal;

/* Reads and verifies. Where the compiler falls over the text, prints it and ends the process. */
Proof prove_text(const char *text, Refusal *refusal);

/* The same in another process, which may crash. */
Proof prove_apart(const char *text, Refusal *refusal);

/* The step program of a .place text, as text that the caller frees; NULL with the first diagnostic where there is none. */
char *prove_derive(const char *place, Refusal *refusal);

#endif

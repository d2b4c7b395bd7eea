/* cancel_text.h - programs whose gradient has an illegal route to a value added and the legal route to it taken off: a
 * verifier that lets the illegal one pass finds that they cancel. One rule for each, laid out at random.
 */
#ifndef PLACE_SIM_CANCEL_TEXT_H
#define PLACE_SIM_CANCEL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CANCEL_SIZE = 1 << 15 };

int cancel_rule_count(void);
const char *cancel_rule_name(int rule);

/* Program `index` of those of the rule with this seed; `legal`: its twin, with the legal route in both places. */
void cancel_text(int rule, uint64_t seed, uint64_t index, bool legal, char *text, size_t size);

#endif

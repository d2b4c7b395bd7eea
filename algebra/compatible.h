/* compatible.h - prints which placements are compatible, derived from the types: on one tensor over two axes, and
 * through every operator. Nothing is listed by hand: the first table asks placement_fault and convert, the second the
 * generator of signatures.
 */
#ifndef PLACE_ALGEBRA_COMPATIBLE_H
#define PLACE_ALGEBRA_COMPATIBLE_H

#include <stdio.h>

void compatibility_print(FILE *out);

#endif

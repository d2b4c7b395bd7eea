/* differences.h - how far two saved files are from each other, for programs that may differ by rounding only; and a
 * run's communications from its plan. */
#ifndef PLACE_TESTS_EQUIVALENCE_DIFFERENCES_H
#define PLACE_TESTS_EQUIVALENCE_DIFFERENCES_H

#include "tests/equivalence/safetensors.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

double saved_largest(const SavedTensor *tensor);
/* A thousandth of the largest element of the state that the tensor belongs to. */
double saved_floor(const SavedFile *file, const SavedTensor *tensor);
/* max |a - b| over the scale of b; NaN differs. */
double saved_error(const SavedTensor *a, const SavedTensor *b, double least_scale);
/* Says what is missing in `got`, or further from `wanted` than the bound, or twice that where it is a square; how much
 * that is. */
int saved_compare(const char *name, const char *against, const SavedFile *got, const SavedFile *wanted, double bound);
/* How many of the rows of a log's traffic are not as planned. `uneven`: some microbatches are shorter than others, and
 * the payload that is planned is that of the longest. Of places that rows fill it is all of them. */
int traffic_misplanned(const cJSON *rows, bool uneven);

#endif

/* search.h - `placec search`: shows how far it is, and keeps the best when interrupted. */
#ifndef PLACE_DRIVER_SEARCH_H
#define PLACE_DRIVER_SEARCH_H

#include "driver/options.h"
#include "library/place.h"

int search_program(const Options *options, const place_program *program);

#endif

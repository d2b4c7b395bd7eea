/* nothing.h - a search without an answer: what is too much for the devices, and the nearest that would do. */
#ifndef PLACE_SEARCH_NOTHING_H
#define PLACE_SEARCH_NOTHING_H

#include "search/search.h"

/* Looks for the strategy that needs the least memory, which takes another search. */
void nothing_report(Answer *answer, const SearchWatch *watch);

/* The search was stopped before it had a strategy that fits. */
void nothing_report_stopped(const Answer *answer);

#endif

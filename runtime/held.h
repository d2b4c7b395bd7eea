/* held.h - which ranks have a state, and which layers its slots are. Pure functions of a program's tables: every rank
 * can ask about every other. */
#ifndef PRT_HELD_H
#define PRT_HELD_H

#include "runtime/view.h"

int64_t prt_number_at(const prt_place *place, const prt_number *number);
bool prt_held_at(const prt_place *place, const prt_held *held);

/* The slot that has this layer on a rank; -1: none. */
int64_t prt_slot_of_layer(const prt_place *place, const prt_state *state, int64_t layer);

/* Of the ranks that have the same elements of this layer of a member (-1: of a dense value), one writes them: the
 * first. The place's rank has the layer. */
bool prt_owned_at(const prt_place *place, const prt_state *state, const prt_layout *layout, int member, int64_t layer);

#endif

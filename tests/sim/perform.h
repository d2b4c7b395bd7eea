/* perform.h - operators that are no formula: those that place numbers on one rank (perform.c), tables (table.c),
 * routes (route.c), windows (window.c), and those between ranks (exchange.c).
 */
#ifndef PLACE_SIM_PERFORM_H
#define PLACE_SIM_PERFORM_H

#include "tests/sim/machine.h"

/* The fault of a queue that must have a place for every row. */
#define SIM_NO_PLACE "a row without a place"

/* On one rank. */
void sim_perform_read(SimMachine *machine, const SimIssue *issue);
void sim_perform_init(SimMachine *machine, const SimIssue *issue);
void sim_perform_iota(SimMachine *machine, const SimIssue *issue);
void sim_perform_output(SimMachine *machine, const SimIssue *issue);
void sim_perform_slice(SimMachine *machine, const SimIssue *issue);
void sim_perform_place_shard(SimMachine *machine, const SimIssue *issue);
void sim_perform_embed(SimMachine *machine, const SimIssue *issue);
void sim_perform_embed_bwd(SimMachine *machine, const SimIssue *issue);
void sim_perform_take(SimMachine *machine, const SimIssue *issue);
void sim_perform_give(SimMachine *machine, const SimIssue *issue); /* and combine */
void sim_perform_top(SimMachine *machine, const SimIssue *issue);
void sim_perform_queue(SimMachine *machine, const SimIssue *issue);
void sim_perform_conv(SimMachine *machine, const SimIssue *issue); /* and its transposes */
void sim_perform_max_pool(SimMachine *machine, const SimIssue *issue);
void sim_perform_mean_pool(SimMachine *machine, const SimIssue *issue);
void sim_perform_segment(SimMachine *machine, const SimIssue *issue);
void sim_perform_place_segment(SimMachine *machine, const SimIssue *issue);
void sim_perform_segment_bwd(SimMachine *machine, const SimIssue *issue);
void sim_perform_view(SimMachine *machine, const SimIssue *issue);
/* The operators that are formulas. */
void sim_perform_formula(SimMachine *machine, const SimIssue *issue);

/* pieces.c: whether a part of its arrays takes part in the operator; the same operator on that, false with a fault
 * where it does not say which. */
bool sim_works_on_pieces(const SimIssue *issue);
bool sim_narrow_to_pieces(SimMachine *machine, const SimIssue *issue, SimIssue *narrow);

/* Between ranks: the result of issue->rank from the operands of the ranks that take part. */
void sim_all_reduce(SimMachine *machine, const SimIssue *issue, const SimView *const *from, SimNumber *result);
void sim_reduce_scatter(SimMachine *machine, const SimIssue *issue, const SimView *const *from, SimNumber *result);
void sim_all_gather(SimMachine *machine, const SimIssue *issue, const SimView *const *from, SimNumber *result);
void sim_all_to_all(SimMachine *machine, const SimIssue *issue, const SimView *const *from, SimNumber *result);
void sim_all_to_all_filled(SimMachine *machine, const SimIssue *issue, const SimView *const *from, SimNumber *result);
void sim_permute(SimMachine *machine, const SimIssue *issue, const SimView *const *from, SimNumber *result);
void sim_broadcast(SimMachine *machine, const SimIssue *issue, const SimView *const *from, SimNumber *result);
void sim_halo(SimMachine *machine, const SimIssue *issue, const SimView *const *from, SimNumber *result);
void sim_halo_add(SimMachine *machine, const SimIssue *issue, const SimView *const *from, SimNumber *result);
/* Of the sender alone. */
void sim_receive(SimMachine *machine, const SimIssue *issue, const SimView *const *from, SimNumber *result);

/* ---- Shared ------------------------------------------------------------------------------------------------- */

/* False, with a fault, where the view holds what was never written. Padding may. */
bool sim_expect_written(SimMachine *machine, const SimOp *op, const SimView *view);
/* Adds or stores `result`, one number per element of the view. */
void sim_store(SimMachine *machine, const SimOp *op, const SimView *out, const SimNumber *result);
/* Zeros; until the next call. */
SimNumber *sim_scratch(SimMachine *machine, int64_t count);
/* Bit 1 + axis, where it has more than one rank; bit 0 for microbatches. */
unsigned sim_op_axes(const SimFile *file, const SimOp *op);
unsigned sim_view_cuts(const SimFile *file, const SimView *view);
/* Is this element of the piece outside the whole, as halo may be? */
bool sim_is_outside(const SimView *view, int64_t index);
/* The same logical whole: the same unit, or dims of the same sizes. */
bool sim_same_whole(const SimView *a, const SimView *b);
/* `fine` is cut over the operator's axes and whatever cuts `coarse`, which is whole over them. */
bool sim_expect_cut_by(SimMachine *machine, const SimOp *op, const SimView *coarse, const SimView *fine);
bool sim_expect_same_extents(SimMachine *machine, const SimOp *op, const SimView *a, const SimView *b);
/* How many places are filled in the queue that element `index` is in, and its place; -1: the counts do not say it. */
int64_t sim_filled_at(const SimView *view, int64_t index, const SimView *counts, int64_t *place);
/* Finds in `from` the element at `index` of `to`, by its place in the logical whole; false if it is elsewhere. */
bool sim_same_place(const SimView *to, int64_t index, const SimView *from, int64_t *offset);
/* What is after a unit's end: zero where a range is cut from the whole, dropped where one is put into it. */
bool sim_in_padding(const SimView *to, int64_t index);

/* members.c: flat operators between elements, rows, columns and tensors of one unit. */
bool sim_works_by_member(const SimIssue *issue);
void sim_perform_members(SimMachine *machine, const SimIssue *issue, SimRow *row);

#endif

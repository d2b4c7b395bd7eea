/* repair_internal.h - shared by the files that write changes for repairs, each for one subject:
 *
 *     repair.c            candidates, statements; which function writes those of a kind
 *     repair_sync.c       syncs: missing ones, wrong ones, words in them without effect
 *     repair_placement.c  placements, the mesh, statements without effect
 *     repair_train.c      lines of the train
 */
#ifndef PLACE_LIBRARY_REPAIR_INTERNAL_H
#define PLACE_LIBRARY_REPAIR_INTERNAL_H

#include "library/repair.h"

typedef struct Maker {
    const Wording *wording;
    const Repair *repair;
    Candidates *candidates;
    AstNodes strategies; /* the user's own */
} Maker;

#define TEXT(...) arena_printf(m->wording->ctx->arena, __VA_ARGS__)

/* ---- Candidates --------------------------------------------------------------------------------------------- */

/* A new candidate, without edits so far. */
Candidate *repair_start(Maker *m, const char *sentence);
/* Keeps edits in text order; one that exceeds the limit is dropped, since nothing relies on a candidate being right. */
void repair_add(Candidate *candidate, Edit edit);
/* A candidate of one edit. */
void repair_one(Maker *m, const char *sentence, Edit edit);
Edit repair_replace(Span span, const char *text);
Edit repair_after(Span span, const char *text);

/* ---- Statements --------------------------------------------------------------------------------------------- */

/* All syncs of the target in the user's own strategies. */
AstNodes repair_syncs_of(const Maker *m, const char *target);
/* NULL if it was not understood. */
const AstNode *repair_last_clause(const AstNode *sync);
/* Is this the clause's operation? */
bool repair_says(const AstNode *clause, const char *operation);
/* The clause at fault; NULL if it is in no sync of the user's. */
const AstNode *repair_clause_at(const Maker *m, const AstNode **statement);
/* The placement at fault; NULL if it is none of the user's. */
const AstNode *repair_placement_at(const Maker *m);
/* Removes the clause, or the whole statement if it is the only one. */
Edit repair_without_clause(const Maker *m, const AstNode *statement, const AstNode *clause);
/* "sum over d at step", in the strategy's own names; NULL if it has no name for an axis. */
const char *repair_clause_text(const Maker *m, const AstNode *strategy, const char *operation, const char *target);
/* A candidate for each of the user's strategies, with a sync added to it. */
void repair_add_statement(Maker *m, const char *sentence, const char *operation, const char *target);

/* ---- One function for each kind of repair ------------------------------------------------------------------- */

/* repair_sync.c */
void repair_sum(Maker *m);
void repair_gather(Maker *m);
void repair_derive(Maker *m);
void repair_drop(Maker *m);
void repair_weigh(Maker *m);
void repair_later(Maker *m);
void repair_whole(Maker *m);
void repair_axes(Maker *m);
void repair_into_shards(Maker *m);
void repair_counts(Maker *m);
void repair_mean_of_losses(Maker *m);
void repair_no_rest(Maker *m);
void repair_no_wait(Maker *m);
void repair_into_pieces(Maker *m);

/* repair_placement.c */
void repair_shard_optimizer(Maker *m);
void repair_cut_too(Maker *m);
void repair_cut_batch(Maker *m);
void repair_keep(Maker *m);
void repair_gathered(Maker *m);
void repair_mesh_order(Maker *m);
void repair_leave_out(Maker *m);
void repair_whole_gradients(Maker *m);

/* repair_train.c */
void repair_read(Maker *m);
void repair_seed(Maker *m);
void repair_batch(Maker *m);
void repair_microbatches(Maker *m);
void repair_line(Maker *m);

#endif

/* view.h - where the elements of a layout (place_rt.h) are on a rank. Everything in the runtime that has to know it
 * asks here: communication, initial values, readers, checkpoints. Pure functions of a program's tables.
 *
 *     prt_place place = prt_place_of(ctx, micro);
 *     prt_view here = prt_view_of(&place, layout);
 *
 * A view is what a rank holds, dim by dim; a unit counts as one dim of its flat numbers. Two views of the same value
 * meet in an overlap: the elements that both hold, as blocks of rows that are contiguous in both. */
#ifndef PRT_VIEW_H
#define PRT_VIEW_H

#include "runtime/place_rt.h"

/* A rank, this one or another, and a microbatch. */
typedef struct prt_place {
    const prt_program *program;
    int64_t coordinate[PRT_MAX_AXES];
    int64_t micro;
} prt_place;

prt_place prt_place_of(const prt_context *ctx, int64_t micro);
/* The rank at `position` in the place's group. */
prt_place prt_place_in_group(const prt_place *place, const prt_group *group, int64_t position);
/* The same rank, with another coordinate on the axis. */
prt_place prt_place_on_axis(const prt_place *place, int axis, int64_t coordinate);
/* Its number among all ranks, the first axis outermost. */
int prt_place_rank(const prt_place *place);
/* The number of its copy among all, over the axes of copies only, the first outermost; and how many there are. */
int64_t prt_place_copy(const prt_place *place);
int64_t prt_copies(const prt_program *program);

/* ---- Views -------------------------------------------------------------------------------------------------- */

/* Logical indices first .. first + count - 1 are at positions at .. of the room. */
typedef struct prt_part {
    int64_t first, at, count;
} prt_part;

/* What a rank holds of a dim. Positions that are in no part are padding, or outside the whole. */
typedef struct prt_view_dim {
    int64_t size, room; /* of the logical dim; the positions here */
    int part_count;
    prt_part parts[PRT_MAX_SEGMENTS]; /* in order of both; none is empty */
} prt_view_dim;

typedef struct prt_view {
    int dim_count;
    prt_view_dim dims[PRT_MAX_DIMS];
    int64_t room; /* elements of a slot here: all dims' rooms */
} prt_view;

prt_view prt_view_of(const prt_place *place, const prt_layout *layout);
prt_view_dim prt_view_of_dim(const prt_place *place, const prt_dim *dim);
/* The dims of a member of a unit, without the cut of the flat range. */
prt_view prt_view_of_member(const prt_place *place, int unit, int member, prt_each each);
/* The same value on a rank that holds all of it. */
prt_view prt_view_whole(const prt_view *view);

/* Do ranks that differ on the axis have different elements: of this member of a unit, or of a dense value (-1)? */
bool prt_layout_cut_over(const prt_program *program, const prt_layout *layout, int member, int axis);

/* The numbers of one layer of a unit, and the offset of those of a member, on the largest rank. */
int64_t prt_unit_elements(const prt_program *program, int unit, prt_each each);
int64_t prt_member_offset(const prt_program *program, int unit, int member, prt_each each);

/* ---- Overlaps ----------------------------------------------------------------------------------------------- */

enum { PRT_MAX_MATCHES = 2 * PRT_MAX_SEGMENTS };

/* `count` positions from `left` on in one view, and from `right` on in the other. */
typedef struct prt_match {
    int64_t left, right, count;
} prt_match;

typedef struct prt_overlap_dim {
    int64_t left_step, right_step; /* elements from one position to the next */
    int match_count;
    prt_match matches[PRT_MAX_MATCHES];
} prt_overlap_dim;

/* Queues whose first places are filled. Each is contiguous in both views. */
typedef struct prt_filled {
    const int32_t *counts; /* of filled places, per queue of one of the views; NULL: all elements count */
    bool right;            /* which view */
    int64_t queue, place;  /* elements of one */
} prt_filled;

typedef struct prt_overlap {
    int64_t elements; /* in both */
    int dim_count;    /* 2 or more, the last contiguous; dims that are contiguous in both are put together */
    prt_overlap_dim dims[PRT_MAX_DIMS + 1];
    prt_filled filled;
} prt_overlap;

/* The elements that are in both views of one value. */
prt_overlap prt_overlap_of(const prt_view *left, const prt_view *right);
/* Leaves the filled places. */
void prt_overlap_keep(prt_overlap *overlap, const prt_filled *filled);

/* Some of these elements: `rows` rows of `count` contiguous elements, each so many elements after the one before. */
typedef struct prt_block {
    int64_t left, right, count, rows, left_step, right_step;
} prt_block;

typedef struct prt_blocks {
    const prt_overlap *overlap;
    bool ended;
    int match[PRT_MAX_DIMS + 1]; /* per dim: which match, and how far in it */
    int64_t at[PRT_MAX_DIMS + 1];
    prt_block whole; /* of filled places: what they are in, and how many of its queues are behind */
    int64_t queues;
} prt_blocks;

/* for (prt_blocks blocks = prt_blocks_of(&overlap); prt_blocks_next(&blocks, &block);) ..., in row-major order */
prt_blocks prt_blocks_of(const prt_overlap *overlap);
bool prt_blocks_next(prt_blocks *blocks, prt_block *block);

/* ---- Runs of logical elements ------------------------------------------------------------------------------- */

/* Elements `element` .. of a logical tensor, counted row-major, are at element `at` .. of the slot. In a layout with a
 * number per row, column or tensor, the elements are these numbers. */
typedef struct prt_stretch {
    int member; /* of the unit; -1: the value is dense */
    int64_t element, at, count;
} prt_stretch;

typedef struct prt_walk {
    const prt_layout *layout;
    prt_place place;
    int member;
    int64_t offset; /* of the member */
    prt_part flat;  /* the range that the rank has of a unit */
    prt_overlap overlap;
    prt_blocks blocks;
    prt_block block;
    int64_t row;
} prt_walk;

/* Visits everything that a rank holds, each element once. The walk must not be moved after its start. */
void prt_walk_start(prt_walk *walk, const prt_place *place, const prt_layout *layout);
bool prt_walk_next(prt_walk *walk, prt_stretch *stretch);

#endif

/* straight.h - what the parts of straight_text.c share: the current program, its buffers, and what makes operators.
 *
 * A pool of buffers; each operator (make_...) takes some that fit it, and makes another.
 */
#ifndef PLACE_SIM_STRAIGHT_H
#define PLACE_SIM_STRAIGHT_H

#include "tests/sim/chance.h"

#include <stdbool.h>
#include <stddef.h>

enum { MAX_AXES = 4, MAX_DIMS = 2, MAX_CUTS = 4, MAX_VARS = 160, LETTERS = 6, NAME = 24, OPS = 9000, MAX_OPEN = 2 };

/* What cuts a dim like an axis does: the microbatch loop. */
enum { MICRO = MAX_AXES };

/* The letters of dims: the batch, two of parameters, those of a window, and these two of parameters fused. */
enum { BATCH, ROWS, COLUMNS, WINDOW_ROWS, WINDOW_COLUMNS, FUSED };
extern const char straight_letters[];

/* A buffer: its dims, and which axes cut each, outermost first. Of a unit: how it is cut flat, or one of its members.
 */
typedef struct Var {
    char name[NAME];
    enum { DENSE, WIDE, MEMBER, UNIT, NUMBERS } kind; /* WIDE: dense, with halos */
    int unit;                                         /* UNIT, NUMBERS: which */
    int each;                                         /* NUMBERS: of what */
    unsigned halos;                                   /* WIDE: of which dims */
    bool by_segments;                                 /* how the fused dim is cut, if it is */
    int dims[MAX_DIMS], dim_count;
    int cuts[MAX_DIMS][MAX_CUTS], cut_counts[MAX_DIMS];
    int ring; /* a slot of so many: the buffer's number is `base`; 0: the only one */
    int base;
    int loop; /* whose variable the name has, 1 + its id; 0: none's */
} Var;

/* A loop that is open. */
typedef struct Loop {
    int id, form;
    bool is_micro;
    int axis;           /* whose coordinate is taken off the variable, or -1 */
    size_t start, body; /* of its text */
} Loop;

typedef struct Straight {
    Chance chance;
    char buffers[OPS], ops[2 * OPS];
    size_t buffers_used, ops_used;
    int axis_count, axis_sizes[MAX_AXES + 1], sizes[LETTERS]; /* of MICRO: how many microbatches */
    int count;
    Var vars[MAX_VARS];
    bool is_shadow;        /* what is made now */
    int shadows[MAX_VARS]; /* of each buffer, or itself */
    int first, original;   /* of a shadow: its first buffer, and whose shadow the next one is */
    int visible;           /* the buffers that there were before the current operator */
    Chance other;
    Loop open[MAX_OPEN];
    int open_count, open_before, loop_count; /* open_before: when the current shadow was begun */
    int outside;                             /* the buffers that there were before the outermost loop that is open */
    bool sends;                              /* messages are among the operators */
} Straight;

/* ---- straight_buffers.c ------------------------------------------------------------------------------------ */

int straight_below(Straight *s, int count);
bool straight_once_in(Straight *s, int times);
void straight_put(Straight *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
const Loop *straight_micro_loop(const Straight *s);
/* The buffers that what is made now may name. */
int straight_count_before(const Straight *s);
bool straight_is_of_cut_unit(const Var *var);
bool straight_has_cut(const Var *var, int axis);
bool straight_is_by_segments(const Var *var, int dim);
bool straight_same_cuts(const Var *a, int i, const Var *b, int j);
bool straight_same_layout(const Var *a, const Var *b);
bool straight_is_flat(const Var *var);
void straight_spec(const Var *var, char *text);
/* One more buffer, or name of a part of one; NULL where there are enough. */
Var *straight_add_var(Straight *s, const Var *layout);
/* A new buffer laid out so; NULL where there are enough. */
Var *straight_new_var(Straight *s, const Var *layout);
/* Names no variable of a loop that is not open, and is in microbatches only where one is current. */
bool straight_is_usable(const Straight *s, const Var *var);
/* May be written where that is an operand. */
bool straight_is_apart(const Var *var, const Var *operand);
const Var *straight_var_at(const Straight *s, int index);
/* A buffer of one slot, laid out so. */
const Var *straight_new_result(Straight *s, const Var *layout);
/* Where a result goes: a new buffer, now and then one that was written and is laid out so, but is no operand. */
const Var *straight_result(Straight *s, const Var *layout, const Var *a, const Var *b);
/* In a loop now and then what was there before it, which is added to. */
const Var *straight_sum_result(Straight *s, const Var *layout, const Var *a, const Var *b, const char **assign);
const Var *straight_any(Straight *s);
const Var *straight_like(Straight *s, const Var *a);

/* ---- straight_sources.c ------------------------------------------------------------------------------------ */

int straight_free_axis(Straight *s, const Var *var);
void make_initial(Straight *s);
void make_batch(Straight *s);
void make_iota(Straight *s);
void make_constant(Straight *s);
void make_member(Straight *s);

/* ---- straight_maps.c --------------------------------------------------------------------------------------- */

void straight_put_map(Straight *s, const char *operator, const char * assign, const Var *out, const Var *a,
                      const Var *b);
void make_map(Straight *s);
void make_more(Straight *s);
void make_scaled(Straight *s);
/* Drawn once more for a shadow: what looks alike, but is not, is to differ in such a choice alone. */
int straight_again(Straight *s, int drawn, int count);
void make_guarded(Straight *s);
int straight_dim_of(const Var *var, int letter);
void make_product(Straight *s);
void make_slot_sum(Straight *s);

/* ---- straight_ranks.c -------------------------------------------------------------------------------------- */

void make_all_reduce(Straight *s);
void make_pieces(Straight *s);
void make_whole(Straight *s);
void make_exchange(Straight *s);
void make_moved(Straight *s);
void make_placed(Straight *s);
void make_spread(Straight *s);
void make_ring(Straight *s);
void make_slot(Straight *s);
void make_message(Straight *s);

/* ---- straight_images.c ------------------------------------------------------------------------------------- */

void make_halo(Straight *s);
void make_seen(Straight *s);
void make_seen_back(Straight *s);
void make_window_back(Straight *s);
void make_segment(Straight *s);
void make_segment_back(Straight *s);

/* ---- straight_text.c --------------------------------------------------------------------------------------- */

/* The current microbatch, in words; now and then another. */
void straight_put_micro(Straight *s);

#endif

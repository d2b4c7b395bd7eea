/* exchange.h - which elements of a communication go from where to where. Pure functions of a program's tables and of
 * arrays; the rows of the communication table (comm.h) differ only in how the elements travel.
 *
 * The ranks of a group have some elements of a value before a communication, its operand, and some after it, its
 * result. Rank s gives rank r what s has before and r has after: blocks of elements that are contiguous in both arrays.
 * Where pieces are moved, every element comes from exactly one rank; where they are added, from several. */
#ifndef PRT_EXCHANGE_H
#define PRT_EXCHANGE_H

#include "runtime/algorithms.h"
#include "runtime/view.h"

typedef struct prt_exchange {
    prt_place own; /* this rank */
    const prt_group *group;
    const prt_layout *from, *into; /* of operands and results */
    int64_t size, place;           /* of the group; of this rank in it */
    prt_dtype dtype;
    prt_reduction reduction; /* of what is added */
    bool adds;               /* to what the result holds */
    const prt_algorithm *algorithm;
    const int32_t *before, *after; /* filled places of each queue of the operand, of the result; NULL: it moves all */
    int64_t queue, step;           /* elements of a queue, of one of its places */
} prt_exchange;

/* On the rank, and in the microbatch, that `own` says; by no algorithm. */
prt_exchange prt_exchange_of(const prt_place *own, const prt_call *call);

/* Only the filled places move: the dim after `dims` others. */
void prt_exchange_filled(prt_exchange *exchange, const int32_t *before, const int32_t *after, int dims);

/* What the rank at position `sender` of the group gives the one at `receiver`: left is the sender's operand, right the
 * receiver's result. */
prt_overlap prt_exchange_between(const prt_exchange *exchange, int64_t sender, int64_t receiver);

/* What this rank has of its own result: copied there or, if the exchange adds, added. */
void prt_exchange_own(const prt_exchange *exchange, void *out, const void *in);

/* Elements of this rank's operand, and of its result, with padding. */
int64_t prt_exchange_operand(const prt_exchange *exchange);
int64_t prt_exchange_result(const prt_exchange *exchange);
/* Elements that this rank gives, or gets if these are more. */
int64_t prt_exchange_moved(const prt_exchange *exchange);

/* ---- Arrays, of elements of so many bytes ------------------------------------------------------------------- */

/* All elements of an overlap are one block. False if there are none. */
bool prt_overlap_is_block(const prt_overlap *overlap, prt_block *block);

/* From the left array into the right one; from the left one, one after another, into `packed`; and from there into the
 * right one. Elements that are already in their place are left alone. */
void prt_overlap_copy(const prt_overlap *overlap, int64_t bytes, void *right, const void *left);
void prt_overlap_pack(const prt_overlap *overlap, int64_t bytes, void *packed, const void *left);
void prt_overlap_unpack(const prt_overlap *overlap, int64_t bytes, void *right, const void *packed);

/* The same elements of the right array from where they are in another array like it. */
void prt_overlap_repeat(const prt_overlap *overlap, int64_t bytes, void *right, const void *other);

/* Combines count numbers with those of `to`. A combination of bf16 is rounded. */
void prt_combine(void *to, const void *from, int64_t count, prt_dtype dtype, prt_reduction reduction);
/* The same for an overlap, from the left array, or from what was packed, to the right one. */
void prt_overlap_combine(const prt_overlap *overlap, void *right, const void *left, prt_dtype dtype,
                         prt_reduction reduction);
void prt_overlap_combine_packed(const prt_overlap *overlap, void *right, const void *packed, prt_dtype dtype,
                                prt_reduction reduction);

#endif

/* terms.h - what the terms of a step's time (search/tensors.h) are made from: where values and parameters may be on the
 * axis, which are the variables, and what runs. The terms of operators are search/tensors.c's, those of gradients,
 * states and updates search/states.c's. */
#ifndef PLACE_SEARCH_TERMS_H
#define PLACE_SEARCH_TERMS_H

#include "search/exchange.h"
#include "search/rules.h"
#include "search/tensors.h"

/* Where a value may be on the axis, as a number: whole, a part of a sum, sharded by a dim. */
enum { AT_WHOLE, AT_PARTS, AT_DIM, PLACES = AT_DIM + STEP_MAX_DIMS, MOST_TERM_CELLS = 1 << 16 };

/* How many operators of a loop read a slot. */
typedef struct Use {
    bool by_layer;
    int64_t constant;
    const Node *loop;
    int reads;
} Use;

/* Of a buffer of the reference. */
typedef struct Where {
    int variable; /* -1: it is where it is stored */
    int stored;
    int count;
    int place[PLACES]; /* per value of the variable */
    Vec(Use) uses;
    double written;                 /* how often for a microbatch: once per layer */
    double seconds[PLACES][PLACES]; /* of the cheapest conversion */
    bool priced;
} Where;

/* Where a parameter may be stored. */
typedef struct Stored {
    int variable; /* -1: there is only one place */
    int count;
    int place[PLACES];
} Stored;

/* What decides where parameters are stored and how operators are computed: the weights and the deriver's rules; the
 * program and any pins; or nothing. */
typedef enum Freedom { BY_RULES, BY_PINS, FREELY } Freedom;

struct Tensors {
    Arena *arena;
    const Facts *facts;
    const RoutineFacts *step;
    const Weights *weights;
    const Cluster *cluster;
    Exchange exchange;
    Program scratch; /* the reference, with buffers cut as they are asked about */
    Runs runs;       /* of a microbatch */
    Freedom freedom;
    Rules rules;
    Where *where;   /* per buffer */
    Stored *stored; /* per tensor */
    Vec(int) sizes;
    Terms terms;
};

/* Of a placement on the axis, and the reverse. */
int terms_place(int on);
int terms_on(int place);

/* How often the loop runs. */
double terms_trips(const Node *loop);

/* Which weight the tensor is of; -1: none. */
int terms_weight(const Tensors *b, int tensor);
/* The dim that a way of a weight shards, of one of its tensors, as a place. */
int terms_weight_place(const Tensors *b, int weight, int way, int tensor);

/* Cuts a buffer of `scratch`: at this place of the axis and, `micro`, as the batch is. */
void terms_cut(Tensors *b, int buffer, int place, bool micro);

void terms_add_always(Tensors *b, double seconds);

/* ---- states.c ----------------------------------------------------------------------------------------------- */

/* What every stage of ZeRO starts to update. */
void states_launch(Tensors *b);
/* What this one sends of gradients and parameters, and updates. */
void states_add(Tensors *b);

#endif

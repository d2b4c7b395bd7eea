/* machine_exchange.h - where rank classes meet: collectives that wait for their partners, and messages in their
 * channels. */
#ifndef PLACE_VERIFY_MACHINE_EXCHANGE_H
#define PLACE_VERIFY_MACHINE_EXCHANGE_H

#include "verify/machine_internal.h"

/* One collective of a group of rank classes, identified by the order in which each of them reaches it. */
typedef struct Meeting {
    AxisMask axes;  /* the group's enumerated axes */
    int group;      /* its first rank class */
    int64_t number; /* counts the group's collectives over these axes */
    const Op *op;   /* of the first rank class to arrive */
    Mono *guard;
    int size, arrived;
    Combo ***operand; /* per rank class of the group, per member */
    bool zero;        /* all have zero padding */
    Combo **result;   /* per member; NULL until all have arrived */
    struct Meeting *next;
} Meeting;

typedef struct Message {
    const Op *op;
    const RankClass *from;
    int count;
    Cell *cells;
    bool zero;
} Message;

typedef struct Channel {
    int from, to, number;
    Vec(Message) messages;
    int taken;                     /* the number of receives done */
    int sent_before, taken_before; /* when the round began */
    struct Channel *next, *older;
} Channel;

/* An operator that was started; its results are written when it completes. */
struct Pending {
    const TreeItem *node;
    int *cells; /* of the result */
    bool *padding;
    Meeting *meeting;
    Channel *channel;
    int message; /* its number in the channel */
    int64_t event_slot;
    RankClass *from;  /* broadcast, permute: the rank class whose operand it gets; NULL if unknown */
    bool has_current; /* at the start */
    int64_t current;
    Mono *guard;
};

enum { CHANNEL_BUCKETS = 1 << 12 };

struct Exchange {
    Meeting *meetings;                  /* those whose rank classes have not all arrived */
    Channel *channels[CHANNEL_BUCKETS]; /* hashed */
    Channel *newest;                    /* of all channels */
};

/* ---- machine_meet.c ----------------------------------------------------------------------------------------- */

/* The rank class with this coordinate on the axis and otherwise the same ones; NULL outside the axis. */
RankClass *class_along(const Machine *m, const RankClass *class, int axis, int64_t coordinate);
/* The rank class's position in the group of rank classes along these axes; *first: the group's first rank class. */
int group_position(const Machine *m, const RankClass *class, AxisMask axes, int *first, int *size);
int pending_members(const Prepared *prepared);
/* A start's or a wait's slot of its event, for this rank class. */
int64_t event_slot(const Machine *m, const Affine *slot);
Pending *pending_new(Machine *m, const TreeItem *node);
void meeting_arrive(Machine *m, const TreeItem *node);
/* This rank class's result. */
Combo *meeting_result(Machine *m, const Pending *pending, int member);

/* ---- machine_message.c -------------------------------------------------------------------------------------- */

void message_send(Machine *m, const TreeItem *node);
void message_receive(Machine *m, const TreeItem *node);
void message_check(Machine *m, const Message *message, const Op *op);
void messages_check(Machine *m);

/* ---- machine_stuck.c ---------------------------------------------------------------------------------------- */

void report_stuck(Machine *m);

/* ---- machine_rounds.c --------------------------------------------------------------------------------------- */

void rounds_start(Machine *m);
/* The current rank class enters a loop: are its periods to be counted? */
void round_enters_loop(Machine *m, const Frame *frame);
/* After a round in which some rank class has run a period. Skips as many as are like this one. */
void round_ends(Machine *m);

/* ---- machine_classes.c -------------------------------------------------------------------------------------- */

bool pending_ready(const Pending *pending);

#endif

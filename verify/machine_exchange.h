/* machine_exchange.h - where places meet: collectives that wait for their partners, and messages in their channels. */
#ifndef PLACE_VERIFY_MACHINE_EXCHANGE_H
#define PLACE_VERIFY_MACHINE_EXCHANGE_H

#include "verify/machine_internal.h"

/* One collective of a group of places, identified by the order in which each of them reaches it. */
typedef struct Meeting {
    AxisMask axes;  /* the group's enumerated axes */
    int group;      /* its first place */
    int64_t number; /* counts the group's collectives over these axes */
    const Op *op;   /* of the first place to arrive */
    Mono *guard;
    int size, arrived;
    Combo ***operand; /* per place of the group, per member */
    bool zero;        /* all have zero padding */
    Combo **result;   /* per member; NULL until all have arrived */
    struct Meeting *next;
} Meeting;

typedef struct Message {
    const Op *op;
    const Place *from;
    Cell *cells;
    bool zero;
} Message;

typedef struct Channel {
    int from, to, number;
    Vec(Message) messages;
    int taken; /* the number of receives done */
    struct Channel *next, *older;
} Channel;

/* An operator that was started; its results are written when it completes. */
struct Pending {
    const PlanNode *node;
    int *cells; /* of the result */
    bool *padding;
    Meeting *meeting;
    Channel *channel;
    int message;   /* its number in the channel */
    Place *from;   /* broadcast, permute: the place whose operand it gets; NULL if unknown */
    bool has_hand; /* at the start */
    int64_t hand;
    Mono *guard;
};

enum { CHANNEL_BUCKETS = 1 << 12 };

struct Exchange {
    Meeting *meetings;                  /* those whose places have not all arrived */
    Channel *channels[CHANNEL_BUCKETS]; /* hashed */
    Channel *newest;                    /* of all channels */
};

/* ---- machine_meet.c ----------------------------------------------------------------------------------------- */

/* The place with this coordinate on the axis and otherwise the same ones; NULL outside of the axis. */
Place *place_along(const Machine *m, const Place *place, int axis, int64_t coordinate);
/* The place's position in the group of places along these axes; *first: the group's first place. */
int group_position(const Machine *m, const Place *place, AxisMask axes, int *first, int *size);
int pending_members(const Prepared *prepared);
Pending *pending_new(Machine *m, const PlanNode *node);
void meeting_arrive(Machine *m, const PlanNode *node);
/* This place's result. */
Combo *meeting_result(Machine *m, const Pending *pending, int member);

/* ---- machine_message.c -------------------------------------------------------------------------------------- */

void message_send(Machine *m, const PlanNode *node);
void message_receive(Machine *m, const PlanNode *node);
void message_check(Machine *m, const Message *message, const Op *op);
void messages_check(Machine *m);

/* ---- machine_stuck.c ---------------------------------------------------------------------------------------- */

void report_stuck(Machine *m);

/* ---- machine_place.c ---------------------------------------------------------------------------------------- */

bool pending_ready(const Pending *pending);

#endif

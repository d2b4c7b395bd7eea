/* comm_hosts.h - private to communication between hosts: groups, the messages of a round (rounds.c), and the row that
 * uses them (comm_hosts.c). */
#ifndef PRT_COMM_HOSTS_H
#define PRT_COMM_HOSTS_H

#include "runtime/comm_shared.h"

/* One message of a call. */
typedef struct prt_piece {
    int place;             /* of the other member */
    int64_t count;         /* elements */
    unsigned char *memory; /* where they are; NULL until they have room in `scratch` */
    prt_event event;
} prt_piece;

/* A part of a host's block: what one of its members, or slices, is concerned with, handled by the deputies of that. */
typedef struct prt_host_part {
    int number;           /* of the member on its host, or of the slice */
    int64_t start, count; /* elements of the call's array */
    bool here;            /* it has been put there: the sum of this host, or of others and this one */
} prt_host_part;

struct prt_comm_group {
    prt_comm_group *between, *within; /* of the rows below: all members, and those of this host */
    int size, place;
    int hosts, host, local;    /* hosts that it has; this rank's, and its number among the members there */
    bool even;                 /* all have as many members */
    int *host_of, *local_of;   /* by place */
    int *members, *first_of;   /* places, host by host; where those of each host begin, and after the last */
    int sent_count, got_count; /* in the current round */
    prt_piece *sent, *got;
    int *first_part;      /* of each host's block in the current call, and after the last */
    prt_host_part *parts; /* that this rank handles */
};

typedef struct prt_hosts_row {
    prt_comm *base, *inside; /* between all ranks; those of this host */
    const int *host_of;      /* by rank */
    int channel;             /* for messages that are not the program's */
    unsigned char *scratch;  /* kept from call to call */
    int64_t scratch_bytes;
} prt_hosts_row;

extern prt_hosts_row prt_hosts;

/* The members that a host has. */
int prt_hosts_count(const prt_comm_group *group, int host);
/* The place of the member of a host that handles what concerns number `local` of another. */
int prt_hosts_deputy(const prt_comm_group *group, int host, int local);

/* ---- Messages ----------------------------------------------------------------------------------------------- */

/* Makes `prt_hosts.scratch` so large, at least; what was there is gone. */
void prt_need_scratch(int64_t bytes);

/* A round: lists what is sent and what comes, and starts and ends all of it. What has no memory gets some. */
void prt_begin(prt_comm_group *group);
void prt_add_sent(prt_comm_group *group, int place, int64_t count, void *memory);
void prt_add_got(prt_comm_group *group, int place, int64_t count, void *memory);
void prt_make_room(prt_comm_group *group, int64_t bytes);
void prt_start_all(prt_comm_group *group, prt_dtype dtype);
void prt_finish_all(prt_comm_group *group);

/* ---- Rounds ------------------------------------------------------------------------------------------------- */

/* A collective between hosts, on one rank: an array of blocks, one for each host. */
typedef struct prt_job {
    prt_comm_group *group;
    prt_dtype dtype;
    prt_reduction reduction;
    unsigned char *data;          /* the array */
    unsigned char *arrived;       /* room for what is added to it */
    bool at_once;                 /* rounds are started before any has ended */
    const prt_exchange *exchange; /* of a reduce_scatter: where the parts of operands are that are not `here` */
    const unsigned char *operand; /* an array like `data` that has these; NULL: they are apart */
} prt_job;

int64_t prt_job_bytes(const prt_job *job); /* of an element */
/* Elements that may arrive before they are added: an array, or a block of this host from each of the others. */
int64_t prt_job_room(const prt_comm_group *group, int64_t elements);

/* The parts of a call, host by host: `first_part` is the caller's. The second returns the elements of all of them. */
void prt_add_part(prt_comm_group *group, int *count, int number, int64_t elements, bool here);
int64_t prt_end_parts(prt_comm_group *group, int count);

/* Does what the algorithm says; `root`: the host that has something for all. */
void prt_run_rounds(prt_job *job, const prt_algorithm *algorithm, int root);

#endif

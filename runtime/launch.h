/* launch.h - ranks that the program starts itself, as processes of one machine: what they share, and how the process
 * that started them ends the job. Without it (under a launcher, or on one rank) there is no crew.
 *
 *     prt_comm *comm = prt_launch_ranks(program, ranks, threads, message, sizeof message);   // returns in every rank
 */
#ifndef PRT_LAUNCH_H
#define PRT_LAUNCH_H

#include "runtime/comm.h"
#include <stdatomic.h>

enum { PRT_BOX = 64 << 10, PRT_MOST_RANKS = 1 << 22 };

/* What a rank shows the others. Pages that nobody touches cost nothing. */
typedef struct prt_seat {
    _Alignas(64) _Atomic uint32_t addressee; /* rank + 1 for whom a message is in the box; 0: it is free */
    _Atomic uint64_t meetings;               /* barriers that it has reached */
    _Atomic int awaited;                     /* rank + 1 at the other end of a message; 0: none */
    _Atomic bool finished;                   /* it ends because the run is over */
    _Atomic int64_t step;                    /* it has begun, from 1 */
    _Alignas(4096) unsigned char box[PRT_BOX];
    unsigned char board[PRT_BOX]; /* for all ranks, between two barriers */
} prt_seat;

/* Memory that all ranks share with the process that started them. */
typedef struct prt_crew {
    int ranks;
    _Atomic uint32_t arrived, meeting; /* ranks in the current barrier; barriers that are over */
    _Atomic int speaker; /* rank + 1 that says why the job ends, or ranks + 1: its starter; 0: no one yet */
    _Atomic bool reported;
    _Atomic int gone;          /* rank + 1 whose process was killed */
    _Atomic bool ending;       /* its starter ends the job */
    _Atomic int asked;         /* the signal that asks all ranks to stop, or 0 */
    _Atomic int64_t last_step; /* after which they stop then; negative until it is decided */
    prt_seat seats[];
} prt_crew;

/* Starts the ranks and returns in each of them; the process that starts them waits for their end, then exits with the
 * job's status. NULL and a message if the machine does not carry so many. */
prt_comm *prt_launch_ranks(const prt_program *program, int64_t ranks, int64_t threads, char *message,
                           size_t message_bytes);

/* May this process say why the job ends? One of a crew may, the first to ask; without a crew everyone. */
bool prt_launch_claim(void);
/* It has been reported. */
void prt_launch_reported(void);
/* The rank whose process was killed, as its starter found; -1 if it found none. */
int prt_launch_gone(void);

/* Asks all ranks to stop after the step that the furthest has begun; safe in handlers of signals. False without a crew,
 * or if the job is being ended. */
bool prt_launch_ask(int number);
/* Is the job being ended by the process that started the ranks? */
bool prt_launch_ending(void);

/* The row of communication of a crew (comm_local.c). It connects the ranks, but has no collectives of groups: these go
 * through shared memory, which is put in front of it. */
prt_comm *prt_comm_local(prt_crew *crew, int rank);

/* What the machine carries (limits.c): false and a message if it is less than these ranks need, each with so many
 * threads and bytes of memory in arenas. */
bool prt_limits_carry(int64_t ranks, int64_t threads, int64_t arena_bytes, char *message, size_t message_bytes);
/* Bytes of memory, or numbers of processes and threads, that can still be had: of this machine, and of the control
 * groups of this process, whose files are below `root` ("" but in tests); INT64_MAX if nothing limits them. */
int64_t prt_limits_memory(const char *root);
int64_t prt_limits_tasks(const char *root);

#endif

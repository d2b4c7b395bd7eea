/* play.h - when the ranks of a program do what: a play of one rank per class, event by event.
 *
 * Ranks that differ only on axes that no guard, bound or holder asks for run alike, and one of them is played.
 * Operators of a rank follow each other; a communication begins when all ranks that take part have come to it, and
 * those before it on its stream are done (docs/cost.md).
 */
#ifndef PLACE_PLAN_PLAY_H
#define PLACE_PLAN_PLAY_H

#include "plan/cost.h"
#include "plan/walk.h"

/* Seconds of one rank, from beginning to end. */
typedef struct PlayTime {
    double end;
    double computing;     /* operators, and copies that nothing hides */
    double communicating; /* until communications were done that all ranks had come to, */
    double waiting;       /* and until they had */
} PlayTime;

typedef struct Play {
    double end;                         /* of the last rank */
    PlayTime busiest;                   /* of the rank that computes most, the first of several */
    int64_t coordinates[STEP_MAX_AXES]; /* of that rank */
} Play;

/* `seconds` of one run per operator, by id; messages that cross nodes take `far` instead. False if ranks wait for each
 * other forever, which no verified program lets them do. */
bool play_run(const Cluster *cluster, const Program *program, const Routine *routine, const double *seconds,
              const double *far, Play *play);

#endif

/* comm_shared.h - what communication between hosts (comm_hosts.c) uses of the memory that the ranks of a host share:
 * groups of these ranks, whose members read each other's operands and write each other's results.
 *
 *     prt_shared_publish(group, in, out);                  // from here on all operands are there
 *     ... prt_shared_operand(group, place) ...
 *     prt_shared_meet(group);                              // from here on all have been read
 */
#ifndef PRT_COMM_SHARED_H
#define PRT_COMM_SHARED_H

#include "runtime/comm.h"

/* Puts the ranks of each host into memory that they share. The row of those of this host, or NULL if any rank cannot
 * map another's memory; `hosts` has the host of each rank. */
prt_comm *prt_shared_open(prt_comm *base, const prt_program *program, const int *hosts);

void prt_shared_meet(prt_comm_group *group);
void prt_shared_publish(prt_comm_group *group, const void *in, const void *out);
/* What the member at a place has published. */
unsigned char *prt_shared_operand(const prt_comm_group *group, int place);
unsigned char *prt_shared_result(const prt_comm_group *group, int place);
/* Adds up bytes from .. from+bytes-1 of all operands, in order of place: into `own`, or if that is NULL into every
 * member's result. */
void prt_shared_reduce(prt_comm_group *group, int64_t from, int64_t bytes, unsigned char *own, prt_dtype dtype,
                       prt_reduction reduction);
/* Adds them to `sum`. */
void prt_shared_add(prt_comm_group *group, int64_t from, int64_t bytes, unsigned char *sum, prt_dtype dtype,
                    prt_reduction reduction);

#endif

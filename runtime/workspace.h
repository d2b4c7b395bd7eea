/* workspace.h - memory for the time of one call on the CPU, outside the arena; itemised as such (runtime/arena.c). */
#ifndef PRT_WORKSPACE_H
#define PRT_WORKSPACE_H

#include <stdbool.h>
#include <stdint.h>

/* At least so many bytes, aligned to a page, with anything in them; NULL if there is no memory. What was returned
 * before may be gone. */
void *prt_workspace(int64_t bytes);
int64_t prt_workspace_bytes(void);
bool prt_in_workspace(uintptr_t address);

#endif

/* workspace.c - one region that grows to what the largest call so far has needed. */
#include "runtime/workspace.h"

#include <stddef.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

static char *region;
static int64_t size;

void *prt_workspace(int64_t bytes)
{
    if (bytes <= size)
        return region;
    bytes = (bytes + PAGE - 1) / PAGE * PAGE;
    void *larger = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (larger == MAP_FAILED)
        return NULL;
    if (region != NULL)
        munmap(region, (size_t)size);
    region = larger;
    size = bytes;
    return region;
}

int64_t prt_workspace_bytes(void)
{
    return size;
}

bool prt_in_workspace(uintptr_t address)
{
    uintptr_t base = (uintptr_t)region;
    return base != 0 && address >= base && address < base + (uintptr_t)size;
}

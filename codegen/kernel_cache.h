/* kernel_cache.h - the code of kernels is kept for later builds.
 *
 *     KernelCache cache;
 *     const char *failure = NULL;
 *     if (kernel_cache_open(arena, &cache, &failure) && !kernel_cache_find(&cache, source, &code)) {
 *         ...
 *         kernel_cache_add(&cache, source, code);
 *     }
 *     kernel_cache_close(&cache);
 *
 * It is the directory `kernels` of the one that PLACE_CACHE names, or of `place` in the user's directory for caches
 * (XDG_CACHE_HOME, ~/.cache). A file there has a kernel's code after its *source*, all that the code was made from: the
 * IR, the target, the passes, LLVM's version. The source is compared; the file's name, a hash of it, only says where to
 * look. Files are renamed into their place, so builds may share a directory. What no build has used for 30 days is
 * removed.
 */
#ifndef PLACE_CODEGEN_KERNEL_CACHE_H
#define PLACE_CODEGEN_KERNEL_CACHE_H

#include "base/arena.h"

/* An object file, or a text. */
typedef struct KernelCode {
    const char *bytes;
    size_t length;
} KernelCode;

typedef struct KernelCache {
    Arena *arena;
    const char *directory; /* NULL: nothing is kept */
    bool added;
} KernelCache;

/* False with the reason if PLACE_CACHE names no directory that can be written. Where the user has none for caches,
 * nothing is kept, and neither if PLACE_CACHE is empty. */
bool kernel_cache_open(Arena *arena, KernelCache *cache, const char **failure);

/* The code in the arena; false if it is not there. */
bool kernel_cache_find(const KernelCache *cache, KernelCode source, KernelCode *code);

/* A disk that is full keeps nothing, and is no failure. */
void kernel_cache_add(KernelCache *cache, KernelCode source, KernelCode code);

/* Removes what is old, if something was added. */
void kernel_cache_close(const KernelCache *cache);

#endif

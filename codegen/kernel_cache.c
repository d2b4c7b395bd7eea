/* kernel_cache.c - the code of kernels is kept for later builds (codegen/kernel_cache.h). */
#include "codegen/kernel_cache.h"

#include "base/str.h"
#include "codegen/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { KEPT_S = 30 * 24 * 60 * 60 };

#define PREFIX "kernel-"

/* What a file begins with; then follow the source and the code. */
typedef struct Head {
    char magic[8];
    uint64_t source_length, code_length, code_hash;
} Head;

static const char magic[8] = "placek1";

static uint64_t hash_of(KernelCode text)
{
    return str_hash(text.bytes, text.length);
}

/* ---- The directory ------------------------------------------------------------------------------------------ */

static bool is_set(const char *value)
{
    return value != NULL && value[0] != '\0';
}

static const char *usual_directory(Arena *arena)
{
    const char *caches = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (is_set(caches) && caches[0] == '/')
        return arena_printf(arena, "%s/place/kernels", caches);
    return is_set(home) ? arena_printf(arena, "%s/.cache/place/kernels", home) : NULL;
}

static bool can_be_used(Arena *arena, const char *directory)
{
    return files_make_parents(arena, arena_printf(arena, "%s/", directory)) == NULL &&
           access(directory, R_OK | W_OK | X_OK) == 0;
}

bool kernel_cache_open(Arena *arena, KernelCache *cache, const char **failure)
{
    const char *named = getenv("PLACE_CACHE");
    *cache = (KernelCache){.arena = arena};
    if (named == NULL) {
        const char *usual = usual_directory(arena);
        cache->directory = usual != NULL && can_be_used(arena, usual) ? usual : NULL;
        return true;
    }
    if (named[0] == '\0')
        return true;
    cache->directory = arena_printf(arena, "%s/kernels", named);
    if (can_be_used(arena, cache->directory))
        return true;
    *failure = arena_printf(arena,
                            "kernels cannot be kept in '%s', which PLACE_CACHE names: %s; name another "
                            "directory, or none: PLACE_CACHE=",
                            cache->directory, strerror(errno));
    return false;
}

static const char *path_of(const KernelCache *cache, KernelCode source)
{
    return arena_printf(cache->arena, "%s/" PREFIX "%016" PRIx64, cache->directory, hash_of(source));
}

/* ---- Files --------------------------------------------------------------------------------------------------- */

/* Is it all there, and of this source? A computer that crashed may have left less. */
static bool holds(KernelCode file, KernelCode source, KernelCode *code)
{
    Head head;
    if (file.length < sizeof head)
        return false;
    memcpy(&head, file.bytes, sizeof head);
    size_t rest = file.length - sizeof head;
    if (memcmp(head.magic, magic, sizeof magic) != 0 || head.source_length != source.length || rest < source.length ||
        head.code_length != rest - source.length || memcmp(file.bytes + sizeof head, source.bytes, source.length) != 0)
        return false;
    *code = (KernelCode){file.bytes + sizeof head + source.length, head.code_length};
    return hash_of(*code) == head.code_hash;
}

bool kernel_cache_find(const KernelCache *cache, KernelCode source, KernelCode *code)
{
    const char *path = path_of(cache, source);
    KernelCode file;
    file.bytes = files_read(cache->arena, path, &file.length);
    if (file.bytes == NULL || !holds(file, source, code))
        return false;
    utimensat(AT_FDCWD, path, NULL, 0); /* used now */
    return true;
}

static bool write_kept(FILE *file, KernelCode source, KernelCode code)
{
    Head head = {.source_length = source.length, .code_length = code.length, .code_hash = hash_of(code)};
    memcpy(head.magic, magic, sizeof magic);
    bool good = fwrite(&head, sizeof head, 1, file) == 1 &&
                fwrite(source.bytes, 1, source.length, file) == source.length &&
                fwrite(code.bytes, 1, code.length, file) == code.length;
    return fclose(file) == 0 && good;
}

void kernel_cache_add(KernelCache *cache, KernelCode source, KernelCode code)
{
    char *temporary = arena_printf(cache->arena, "%s/" PREFIX "new-XXXXXX", cache->directory);
    int descriptor = mkstemp(temporary);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    if (file == NULL) {
        if (descriptor >= 0)
            close(descriptor);
        return;
    }
    cache->added = true;
    if (!write_kept(file, source, code) || rename(temporary, path_of(cache, source)) != 0)
        unlink(temporary);
}

void kernel_cache_close(const KernelCache *cache)
{
    DIR *directory = cache->added ? opendir(cache->directory) : NULL;
    struct dirent *entry;
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        struct stat status;
        const char *path = arena_printf(cache->arena, "%s/%s", cache->directory, entry->d_name);
        if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) == 0 && stat(path, &status) == 0 &&
            status.st_mtime < time(NULL) - KEPT_S)
            unlink(path);
    }
    if (directory != NULL)
        closedir(directory);
}

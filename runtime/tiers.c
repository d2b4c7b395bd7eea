/* tiers.c - the file tier, and copies between tiers.
 *
 * The arenas of device and host are memory. That of the file tier is a file without a name, which disappears with the
 * process however it ends. Its addresses are those of a range without access, from which positions in the file follow:
 * whatever touches them other than by these functions faults. The whole file is reserved at start, so that a step does
 * not run out of space. */
#include "runtime/run.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CHUNK = 1 << 20 };

static const char way_out[] = "(--offload DIR names another directory)";

static bool is_in_file(const prt_run *run, const void *at)
{
    uintptr_t base = (uintptr_t)run->ctx.arena[PRT_FILE], address = (uintptr_t)at;
    return base != 0 && address >= base && address < base + (uintptr_t)run->file_bytes;
}

/* A file that nobody else sees; -1 and a message if that fails. */
static int open_file(const char *directory, int64_t bytes, char *message, size_t message_bytes)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/.place-offload-XXXXXX", directory);
    int file = mkstemp(path);
    if (file < 0) {
        snprintf(message, message_bytes, "cannot make the file for what is offloaded in '%s': %s %s", directory,
                 strerror(errno), way_out);
        return -1;
    }
    unlink(path);
    signal(SIGXFSZ, SIG_IGN); /* a file that may not be so large is reported like any other error */
    fcntl(file, F_SETFD, FD_CLOEXEC);
    int error = posix_fallocate(file, 0, bytes);
    if (error == 0)
        return file;
    close(file);
    snprintf(message, message_bytes, "cannot reserve %.2f GiB in '%s' for what is offloaded to a file: %s %s",
             (double)bytes / (1 << 30), directory, strerror(error), way_out);
    return -1;
}

void prt_file_reserve(prt_run *run, int64_t bytes)
{
    char message[PATH_MAX + 200] = "";
    int file = bytes > 0 ? open_file(run->options.offload, bytes, message, sizeof message) : -1;
    void *range =
        bytes > 0 ? mmap(NULL, (size_t)bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) : NULL;
    if (range == MAP_FAILED)
        snprintf(message, sizeof message, "no addresses for a file of %.2f GiB", (double)bytes / (1 << 30));
    prt_agree(run, PRT_WORLD, message);
    run->file = file;
    run->file_bytes = bytes;
    run->ctx.arena[PRT_FILE] = range;
}

void prt_file_release(prt_run *run)
{
    if (run->file_bytes == 0)
        return;
    munmap(run->ctx.arena[PRT_FILE], (size_t)run->file_bytes);
    close(run->file);
    run->file_bytes = 0;
}

static _Noreturn void file_failed(prt_run *run, const char *what)
{
    prt_fail(&run->ctx, "cannot %s the file in '%s' that holds what is offloaded: %s %s", what, run->options.offload,
             errno == 0 ? "it is shorter than it was" : strerror(errno), way_out);
}

static void read_file(prt_run *run, void *out, int64_t from, int64_t bytes)
{
    for (char *to = out; bytes > 0;) {
        errno = 0;
        ssize_t got = pread(run->file, to, (size_t)bytes, from);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            file_failed(run, "read");
        to += got;
        from += got;
        bytes -= got;
    }
}

static void write_file(prt_run *run, const void *in, int64_t to, int64_t bytes)
{
    for (const char *from = in; bytes > 0;) {
        errno = 0;
        ssize_t put = pwrite(run->file, from, (size_t)bytes, to);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            file_failed(run, "write");
        from += put;
        to += put;
        bytes -= put;
    }
}

static int64_t position(const prt_run *run, const void *at)
{
    return (const unsigned char *)at - run->ctx.arena[PRT_FILE];
}

/* Complete on return: the runtime reads what it fetched, and uses again what it stored from. */
static void device_copy(prt_run *run, void *out, const void *in, int64_t bytes)
{
    run->device->copy(out, in, bytes, 0);
    run->device->synchronize(0);
}

void prt_fetch(prt_run *run, void *memory, const void *at, int64_t bytes)
{
    if (is_in_file(run, at))
        read_file(run, memory, position(run, at), bytes);
    else
        device_copy(run, memory, at, bytes);
}

void prt_store(prt_run *run, void *at, const void *memory, int64_t bytes)
{
    if (is_in_file(run, at))
        write_file(run, memory, position(run, at), bytes);
    else
        device_copy(run, at, memory, bytes);
}

/* ---- What a program calls ----------------------------------------------------------------------------------- */

/* Between a file and memory of the device, which the file's calls do not know. */
static void copy_in_parts(prt_run *run, char *out, const char *in, int64_t bytes)
{
    static char part[CHUNK];
    for (int64_t done = 0; done < bytes; done += CHUNK) {
        int64_t length = bytes - done < CHUNK ? bytes - done : CHUNK;
        prt_fetch(run, part, in + done, length);
        prt_store(run, out + done, part, length);
    }
}

void prt_copy_tier(prt_context *ctx, prt_tier to, void *out, prt_tier from, const void *in, int64_t bytes,
                   int64_t event)
{
    prt_run *run = ctx->run;
    double began = prt_profile_begin(run);
    if (from == PRT_FILE || to == PRT_FILE)
        copy_in_parts(run, out, in, bytes);
    else
        run->device->copy(out, in, bytes, 0);
    prt_profile_call(run, began, from == PRT_FILE || to == PRT_FILE ? "file copy" : "host copy", bytes, 0);
    if (run->in_step && from != PRT_DEVICE)
        run->links[from].to_device_bytes += bytes;
    if (run->in_step && to != PRT_DEVICE)
        run->links[to].from_device_bytes += bytes;
    if (event >= 0)
        run->events[event] = (prt_event){.started = true, .complete = true};
}

/* arena.c - the memory of a run: one arena per tier, filled with a pattern before first use, and a check that exactly
 * what the plan says is used; and the memory of the whole process, itemised.
 *
 * The pattern is a NaN (or a huge integer) in every 4 bytes that depends on the address, so a value that was never
 * written is noticed at once, and no computed number looks like it. */
#include "runtime/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096 };

static int64_t whole_pages(int64_t bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

static uint32_t pattern(int64_t offset)
{
    uint32_t mixed = (uint32_t)(offset >> 2) * 2654435761u;
    return 0x7FF80000u | (mixed >> 13) | 1;
}

/* Writes the pattern of [from, from + bytes). */
static void fill_pattern(unsigned char *memory, int64_t from, int64_t bytes)
{
    for (int64_t i = 0; i < bytes; i += 4) {
        uint32_t word = pattern(from + i);
        memcpy(memory + i, &word, sizeof word);
    }
}

static void fill_file(prt_run *run, int64_t bytes)
{
    unsigned char page[PAGE];
    for (int64_t from = 0; from < bytes; from += PAGE) {
        fill_pattern(page, from, PAGE);
        prt_store(run, run->ctx.arena[PRT_FILE] + from, page, PAGE);
    }
}

void prt_arena_reserve(prt_run *run)
{
    for (int tier = 0; tier < PRT_TIERS; tier++) {
        int64_t bytes = whole_pages(run->program->arena_bytes[tier]);
        if (bytes == 0)
            continue;
        if (tier == PRT_FILE) {
            prt_file_reserve(run, bytes);
            if (run->options.check_arena) /* else it would be written for nothing */
                fill_file(run, bytes);
            continue;
        }
        unsigned char *arena = tier == PRT_DEVICE ? run->comm->arena : NULL;
        if (arena == NULL)
            arena = run->device->reserve((prt_tier)tier, bytes);
        if (arena == NULL)
            prt_fail(&run->ctx, "no memory for an arena of %.2f GiB", (double)bytes / (1 << 30));
        fill_pattern(arena, 0, bytes);
        run->ctx.arena[tier] = arena;
    }
}

void prt_arena_release(prt_run *run)
{
    for (int tier = 0; tier < PRT_TIERS; tier++)
        if (tier != PRT_FILE && run->ctx.arena[tier] != NULL && run->ctx.arena[tier] != run->comm->arena)
            run->device->release((prt_tier)tier, run->ctx.arena[tier], whole_pages(run->program->arena_bytes[tier]));
    prt_file_release(run);
}

/* ---- The check ---------------------------------------------------------------------------------------------- */

static int by_offset(const void *left, const void *right)
{
    const prt_buffer *a = *(const prt_buffer *const *)left, *b = *(const prt_buffer *const *)right;
    return (a->offset > b->offset) - (a->offset < b->offset);
}

/* The number of bytes in [from, to) that no longer hold the pattern. */
static int64_t bytes_written(prt_run *run, int tier, int64_t from, int64_t to)
{
    int64_t written = 0;
    unsigned char page[PAGE];
    from = (from + 3) / 4 * 4;
    for (int64_t at = from; at + 4 <= to; at += PAGE) {
        int64_t bytes = to - at < PAGE ? to - at : PAGE;
        prt_fetch(run, page, run->ctx.arena[tier] + at, bytes);
        for (int64_t i = 0; i + 4 <= bytes; i += 4) {
            uint32_t word;
            memcpy(&word, page + i, sizeof word);
            written += word == pattern(at + i) ? 0 : 4;
        }
    }
    return written;
}

/* Bytes written in a tier where the plan has no buffer. */
static int64_t written_outside(prt_run *run, int tier, const prt_buffer **sorted)
{
    int64_t end = 0, outside = 0;
    for (int i = 0; i < run->program->buffer_count; i++) {
        const prt_buffer *buffer = sorted[i];
        if ((int)buffer->tier != tier)
            continue;
        if (buffer->offset > end)
            outside += bytes_written(run, tier, end, buffer->offset);
        if (buffer->offset + buffer->bytes > end)
            end = buffer->offset + buffer->bytes;
    }
    return outside + bytes_written(run, tier, end, whole_pages(run->program->arena_bytes[tier]));
}

bool prt_arena_check(prt_run *run, FILE *out)
{
    const prt_program *program = run->program;
    int count = program->buffer_count, tiers = PRT_TIERS;
    /* Negative, so that the maximum over ranks is the least: where dims are cut unevenly only the largest rank writes
     * every byte. */
    int64_t *unwritten = prt_allocate(run, (size_t)count, sizeof *unwritten);
    int64_t outside[PRT_TIERS] = {0};
    const prt_buffer **sorted = prt_allocate(run, (size_t)count, sizeof(prt_buffer *));
    for (int i = 0; i < count; i++) {
        const prt_buffer *buffer = sorted[i] = &program->buffers[i];
        unwritten[i] = bytes_written(run, (int)buffer->tier, buffer->offset, buffer->offset + buffer->bytes) -
                       buffer->bytes / 4 * 4;
    }
    qsort(sorted, (size_t)count, sizeof *sorted, by_offset);
    for (int tier = 0; tier < tiers; tier++)
        if (run->ctx.arena[tier] != NULL)
            outside[tier] = written_outside(run, tier, sorted);
    run->comm->maximum(run->comm, unwritten, count);
    run->comm->maximum(run->comm, outside, tiers);

    bool good = true;
    for (int i = 0; i < count; i++)
        if (unwritten[i] != 0) {
            good = false;
            if (run->ctx.rank == 0)
                fprintf(out, "arena: buffer '%s': %" PRId64 " of %" PRId64 " planned bytes were never written\n",
                        program->buffers[i].name, -unwritten[i], program->buffers[i].bytes);
        }
    for (int tier = 0; tier < tiers; tier++)
        if (outside[tier] != 0) {
            good = false;
            if (run->ctx.rank == 0)
                fprintf(out, "arena: %" PRId64 " bytes were written where the plan has no buffer\n", outside[tier]);
        }
    if (good && run->ctx.rank == 0)
        fprintf(out, "arena: every planned byte was written, none outside\n");
    free(sorted);
    free(unwritten);
    return good;
}

/* ---- The whole process -------------------------------------------------------------------------------------- */

static bool in_arena(const prt_run *run, uintptr_t address)
{
    for (int tier = 0; tier < PRT_TIERS; tier++) {
        uintptr_t base = (uintptr_t)run->ctx.arena[tier];
        if (base != 0 && address >= base && address < base + (uintptr_t)run->program->arena_bytes[tier])
            return true;
    }
    return false;
}

/* The item under which a mapping counts; `path` is the kernel's name for it, or NULL. */
static int64_t *item_of(const prt_run *run, prt_process *process, uintptr_t address, const char *path)
{
    if (in_arena(run, address))
        return &process->arena;
    if (path == NULL)
        return &process->other;
    if (strncmp(path, "[heap]", 6) == 0)
        return &process->heap;
    if (strncmp(path, "/memfd:place-arena", 18) == 0)
        return &process->peers;
    return path[0] == '/' ? &process->files : &process->other;
}

prt_process prt_process_measure(const prt_run *run)
{
    prt_process process = {0};
    FILE *maps = fopen("/proc/self/smaps", "r");
    if (maps == NULL)
        return process;
    char line[512];
    int64_t *item = &process.other;
    while (fgets(line, sizeof line, maps) != NULL) {
        uintptr_t from, to;
        long long kilobytes;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &from, &to) == 2) {
            item = item_of(run, &process, from, strpbrk(line, "/["));
        } else if (sscanf(line, "Rss: %lld kB", &kilobytes) == 1) {
            *item += kilobytes * 1024;
            if (item != &process.peers)
                process.total += kilobytes * 1024;
        }
    }
    fclose(maps);
    return process;
}

/* arena.c - the memory of a run: one arena per tier, filled with a pattern before first use, and a check that exactly
 * what the plan says is used; and the memory of the whole process, itemised.
 *
 * The pattern is a NaN (or a huge integer) in every 4 bytes that depends on the address, so a value that was never
 * written is noticed at once, and no computed number looks like it. */
#include "runtime/held.h"
#include "runtime/run.h"
#include "runtime/workspace.h"

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

static void fill_tier(prt_run *run, prt_tier tier, int64_t bytes)
{
    unsigned char page[PAGE];
    for (int64_t from = 0; from < bytes; from += PAGE) {
        fill_pattern(page, from, PAGE);
        prt_store(run, run->ctx.arena[tier] + from, page, PAGE);
    }
}

/* Memory that the communication row has made, or the device's own. */
static unsigned char *reserve(prt_run *run, prt_tier tier, int64_t bytes)
{
    unsigned char *shared = tier == PRT_DEVICE ? run->comm->arena : NULL;
    unsigned char *arena = shared != NULL ? run->device->adopt(tier, shared, bytes) : run->device->reserve(tier, bytes);
    if (arena == NULL)
        prt_fail(&run->ctx, "no memory for an arena of %.2f GiB", (double)bytes / (1 << 30));
    return arena;
}

void prt_arena_reserve(prt_run *run)
{
    for (int tier = 0; tier < PRT_TIERS; tier++) {
        int64_t bytes = whole_pages(run->program->arena_bytes[tier]);
        if (bytes == 0)
            continue;
        if (tier == PRT_FILE)
            prt_file_reserve(run, bytes);
        else
            run->ctx.arena[tier] = reserve(run, (prt_tier)tier, bytes);
        if (tier != PRT_FILE || run->options.check_arena) /* else it would be written for nothing */
            fill_tier(run, (prt_tier)tier, bytes);
    }
}

void prt_arena_release(prt_run *run)
{
    for (int tier = 0; tier < PRT_TIERS; tier++)
        if (tier != PRT_FILE && run->ctx.arena[tier] != NULL && (tier != PRT_DEVICE || run->comm->arena == NULL))
            run->device->release((prt_tier)tier, run->ctx.arena[tier], whole_pages(run->program->arena_bytes[tier]));
    prt_file_release(run);
}

/* ---- The check ---------------------------------------------------------------------------------------------- */

static int by_offset(const void *left, const void *right)
{
    const prt_buffer *a = *(const prt_buffer *const *)left, *b = *(const prt_buffer *const *)right;
    return (a->offset > b->offset) - (a->offset < b->offset);
}

enum { WORD = 4, WORDS = 64 * PAGE }; /* bytes; words that are looked at together */

/* Which words from a place on no longer hold the pattern, one mark each; how many. At most WORDS. */
static int64_t mark_written(prt_run *run, prt_tier tier, int64_t from, int64_t words, unsigned char *marks)
{
    int64_t written = 0;
    unsigned char page[PAGE];
    for (int64_t i = 0; i < words; i++) {
        int64_t in_page = i * WORD % PAGE, left = (words - i) * WORD;
        uint32_t word;
        if (in_page == 0)
            prt_fetch(run, page, run->ctx.arena[tier] + from + i * WORD, left < PAGE ? left : PAGE);
        memcpy(&word, page + in_page, sizeof word);
        marks[i] = word != pattern(from + i * WORD);
        written += marks[i];
    }
    return written;
}

/* The number of bytes in [from, to) that no longer hold the pattern. */
static int64_t bytes_written(prt_run *run, prt_tier tier, int64_t from, int64_t to, unsigned char *marks)
{
    int64_t written = 0;
    from = (from + WORD - 1) / WORD * WORD;
    for (int64_t words; (words = (to - from) / WORD) > 0; from += words * WORD) {
        words = words < WORDS ? words : WORDS;
        written += mark_written(run, tier, from, words, marks);
    }
    return written * WORD;
}

/* Bytes written in a tier where this rank has no buffer. */
static int64_t written_outside(prt_run *run, prt_tier tier, const prt_buffer **sorted, int count, unsigned char *marks)
{
    int64_t end = 0, outside = 0;
    for (int i = 0; i < count; i++) {
        const prt_buffer *buffer = sorted[i];
        if (buffer->tier != tier)
            continue;
        if (buffer->offset > end)
            outside += bytes_written(run, tier, end, buffer->offset, marks);
        if (buffer->offset + buffer->bytes > end)
            end = buffer->offset + buffer->bytes;
    }
    return outside + bytes_written(run, tier, end, whole_pages(run->program->arena_bytes[tier]), marks);
}

/* The buffers that this rank has. */
static int find_own(const prt_run *run, const prt_buffer **own)
{
    prt_place here = prt_place_of(&run->ctx, 0);
    int count = 0;
    for (int i = 0; i < run->program->buffer_count; i++)
        if (prt_held_at(&here, &run->program->buffers[i].held))
            own[count++] = &run->program->buffers[i];
    qsort(own, (size_t)count, sizeof *own, by_offset);
    return count;
}

/* Bytes of a buffer that no rank has written; known to rank 0. Ranks have smaller pieces and fewer layers than the
 * largest, so that a byte of the plan may be written on some only. */
static int64_t never_written(prt_run *run, const prt_buffer *buffer, unsigned char *marks, unsigned char *others)
{
    prt_place here = prt_place_of(&run->ctx, 0);
    int64_t words = buffer->bytes / WORD, missing = 0;
    for (int64_t done = 0; done < words; done += WORDS) {
        int64_t count = words - done < WORDS ? words - done : WORDS;
        memset(marks, 0, WORDS);
        if (prt_held_at(&here, &buffer->held))
            mark_written(run, buffer->tier, buffer->offset + done * WORD, count, marks);
        if (run->ctx.rank != 0)
            run->comm->send(run->comm, marks, count, 0);
        for (int rank = 1; rank < run->ctx.ranks && run->ctx.rank == 0; rank++) {
            run->comm->receive(run->comm, others, count, rank);
            for (int64_t i = 0; i < count; i++)
                marks[i] |= others[i];
        }
        for (int64_t i = 0; i < count && run->ctx.rank == 0; i++)
            missing += marks[i] ? 0 : WORD;
    }
    return missing;
}

static bool check_buffers(prt_run *run, FILE *out, unsigned char *marks)
{
    bool good = true;
    unsigned char *others = prt_allocate(run, WORDS, 1);
    for (int i = 0; i < run->program->buffer_count; i++) {
        const prt_buffer *buffer = &run->program->buffers[i];
        if (buffer->of_join && run->joins_done == 0)
            continue;
        int64_t missing = never_written(run, buffer, marks, others);
        good = good && missing <= buffer->spare;
        if (missing > buffer->spare)
            fprintf(out, "arena: buffer '%s': %" PRId64 " of %" PRId64 " planned bytes were never written\n",
                    buffer->name, missing, buffer->bytes);
    }
    free(others);
    return good;
}

static bool check_outside(prt_run *run, FILE *out, unsigned char *marks)
{
    int64_t outside[PRT_TIERS] = {0};
    const prt_buffer **own = prt_allocate(run, (size_t)run->program->buffer_count, sizeof(prt_buffer *));
    int count = find_own(run, own);
    for (int tier = 0; tier < PRT_TIERS; tier++)
        if (run->ctx.arena[tier] != NULL)
            outside[tier] = written_outside(run, (prt_tier)tier, own, count, marks);
    free(own);
    run->comm->maximum(run->comm, outside, PRT_TIERS);
    bool good = true;
    for (int tier = 0; tier < PRT_TIERS; tier++) {
        good = good && outside[tier] == 0;
        if (outside[tier] != 0 && run->ctx.rank == 0)
            fprintf(out, "arena: %" PRId64 " bytes were written where the plan has no buffer\n", outside[tier]);
    }
    return good;
}

bool prt_arena_check(prt_run *run, FILE *out)
{
    unsigned char *marks = prt_allocate(run, WORDS, 1);
    bool written = check_buffers(run, out, marks), inside = check_outside(run, out, marks);
    int64_t wrong = !written || !inside;
    free(marks);
    run->comm->maximum(run->comm, &wrong, 1);
    if (wrong == 0 && run->ctx.rank == 0)
        fprintf(out, "arena: every planned byte was written, none outside\n");
    return wrong == 0;
}

/* ---- The whole process -------------------------------------------------------------------------------------- */

static bool in_arena(const prt_run *run, uintptr_t address)
{
    for (int tier = 0; tier < PRT_TIERS; tier++) {
        const unsigned char *arena = run->ctx.arena[tier];
        uintptr_t base = arena != NULL && tier != PRT_FILE ? (uintptr_t)run->device->reach(arena) : 0;
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
    if (prt_in_workspace(address))
        return &process->workspace;
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

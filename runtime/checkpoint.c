/* checkpoint.c - writes and reads states on disk (checkpoint.h describes the format). */
#include "runtime/checkpoint.h"
#include "runtime/data.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 4 << 20, HEADER_LIMIT = 100 << 20, MESSAGE = 700 };

static const char *const dtype_names[] = {[PRT_F32] = "F32", [PRT_F64] = "F64", [PRT_BF16] = "BF16", [PRT_I32] = "I32"};

/* FNV-1a over elements of 2 or 4 bytes (one of 8 counts as two of 4): as strong here as over bytes, and faster. */
static uint64_t checksum_add(uint64_t hash, const unsigned char *data, int64_t bytes, prt_dtype dtype)
{
    if (dtype == PRT_BF16) {
        for (int64_t i = 0; i < bytes; i += 2)
            hash = (hash ^ (data[i] | (uint64_t)data[i + 1] << 8)) * 0x100000001B3u;
        return hash;
    }
    for (int64_t i = 0; i < bytes; i += 4) {
        uint32_t word;
        memcpy(&word, data + i, sizeof word);
        hash = (hash ^ word) * 0x100000001B3u;
    }
    return hash;
}

enum { CHECKSUM_DIGITS = 16 };
static const uint64_t checksum_start = 0xCBF29CE484222325u;

static void checksum_text(uint64_t checksum, char text[CHECKSUM_DIGITS + 1])
{
    snprintf(text, CHECKSUM_DIGITS + 1, "%016" PRIx64, checksum);
}

/* The header's own checksum is a text in it. It is over the header's length and text, with zeros where it stands. */
static const char own_checksum[] = "\"checksum\":\"";

static char *find_own_checksum(char *header)
{
    char *at = strstr(header, own_checksum);
    at = at != NULL ? at + sizeof own_checksum - 1 : NULL;
    return at != NULL && strlen(at) > CHECKSUM_DIGITS && at[CHECKSUM_DIGITS] == '"' ? at : NULL;
}

static uint64_t header_checksum(const char *header)
{
    uint64_t length = strlen(header), hash = (checksum_start ^ length) * 0x100000001B3u;
    for (uint64_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)header[i]) * 0x100000001B3u;
    return hash;
}

/* ---- Reading what is in a file ------------------------------------------------------------------------------ */

/* A file that every rank reads by itself. Errors go into message. */
typedef struct reader {
    prt_run *run;
    char path[PATH_MAX];
    char message[MESSAGE];
    int file;
    int64_t bytes, data_begin;
    cJSON *root;
} reader;

static bool refuse(reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool refuse(reader *r, const char *format, ...)
{
    va_list arguments;
    int length = snprintf(r->message, sizeof r->message, "checkpoint '%.200s': ", r->path);
    va_start(arguments, format);
    vsnprintf(r->message + length, sizeof r->message - (size_t)length, format, arguments);
    va_end(arguments);
    return false;
}

static bool read_at(reader *r, void *data, int64_t bytes, int64_t at)
{
    char *to = data;
    while (bytes > 0) {
        ssize_t got = pread(r->file, to, (size_t)bytes, at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return refuse(r, "cannot be read: %s", strerror(errno));
        if (got == 0)
            return refuse(r, "ends after %" PRId64 " bytes, before its data do", at);
        to += got;
        bytes -= got;
        at += got;
    }
    return true;
}

/* The checksum of what the file has of a tensor. */
static bool sum_of(reader *r, const prt_entry *entry, unsigned char *chunk, uint64_t *checksum)
{
    int64_t bytes = entry->elements * prt_dtype_bytes(entry->dtype);
    *checksum = checksum_start;
    for (int64_t done = 0; done < bytes; done += CHUNK) {
        int64_t length = bytes - done < CHUNK ? bytes - done : CHUNK;
        if (!read_at(r, chunk, length, r->data_begin + entry->begin + done))
            return false;
        *checksum = checksum_add(*checksum, chunk, length, entry->dtype);
    }
    return true;
}

/* ---- Writing ------------------------------------------------------------------------------------------------ */

static void add_number(cJSON *object, const char *name, uint64_t number)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, number);
    cJSON_AddStringToObject(object, name, text);
}

static cJSON *describe_entry(const prt_entry *entry)
{
    cJSON *object = cJSON_CreateObject(), *shape, *offsets;
    cJSON_AddStringToObject(object, "dtype", dtype_names[entry->dtype]);
    shape = cJSON_AddArrayToObject(object, "shape");
    for (int d = 0; d < entry->dim_count; d++)
        cJSON_AddItemToArray(shape, cJSON_CreateNumber((double)entry->dims[d]));
    offsets = cJSON_AddArrayToObject(object, "data_offsets");
    cJSON_AddItemToArray(offsets, cJSON_CreateNumber((double)entry->begin));
    cJSON_AddItemToArray(offsets,
                         cJSON_CreateNumber((double)(entry->begin + entry->elements * prt_dtype_bytes(entry->dtype))));
    return object;
}

/* The header's text, padded to a multiple of 8 bytes; its length does not depend on the checksums. */
static char *make_header(prt_run *run, const prt_entry *entries, int count)
{
    const prt_program *program = run->program;
    cJSON *root = cJSON_CreateObject(), *metadata = cJSON_AddObjectToObject(root, "__metadata__");
    cJSON_AddStringToObject(metadata, "format", "place-1");
    cJSON_AddStringToObject(metadata, "checksum", "0000000000000000");
    cJSON_AddStringToObject(metadata, "model", program->name);
    cJSON_AddStringToObject(metadata, "file", program->file);
    cJSON_AddStringToObject(metadata, "plan", program->plan_hash);
    cJSON_AddStringToObject(metadata, "version", program->version);
    add_number(metadata, "steps", (uint64_t)run->ctx.step);
    add_number(metadata, "seed", run->options.seed);
    add_number(metadata, "data", prt_data_mark(run));
    for (int i = 0; i < count; i++) {
        char name[512], text[CHECKSUM_DIGITS + 1];
        if (entries[i].map != NULL) {
            snprintf(name, sizeof name, "layout %s", entries[i].name);
            checksum_text(prt_map_mark(program, entries[i].map), text);
            cJSON_AddStringToObject(metadata, name, text);
        }
        snprintf(name, sizeof name, "checksum %s", entries[i].name);
        checksum_text(entries[i].checksum, text);
        cJSON_AddStringToObject(metadata, name, text);
        cJSON_AddItemToObject(root, entries[i].name, describe_entry(&entries[i]));
    }
    char *text = cJSON_PrintUnformatted(root);
    cJSON_Delete(root);
    if (text == NULL)
        prt_fail(&run->ctx, "no memory for the header of a checkpoint");
    size_t length = strlen(text), padded = (length + 7) / 8 * 8;
    char *header = prt_allocate(run, padded + 1, 1);
    memset(header, ' ', padded);
    memcpy(header, text, length);
    cJSON_free(text);
    char own[CHECKSUM_DIGITS + 1];
    checksum_text(header_checksum(header), own);
    memcpy(find_own_checksum(header), own, CHECKSUM_DIGITS);
    return header;
}

/* A file that all ranks write, under a temporary name until it is complete. Errors go into message, and nothing more is
 * written. */
typedef struct writer {
    prt_run *run;
    const char *path;
    char temporary[PATH_MAX];
    char message[MESSAGE];
    int file;
    int64_t data_begin;
} writer;

static void write_failed(writer *w, const char *what)
{
    snprintf(w->message, sizeof w->message, "cannot %s '%.400s': %s; what was saved before is untouched", what, w->path,
             strerror(errno));
    unlink(w->temporary);
}

static void write_at(writer *w, const void *data, int64_t bytes, int64_t at)
{
    const char *from = data;
    while (bytes > 0 && w->message[0] == '\0') {
        ssize_t written = pwrite(w->file, from, (size_t)bytes, at);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            write_failed(w, "write");
            return;
        }
        from += written;
        bytes -= written;
        at += written;
    }
}

static void write_header(writer *w, const prt_entry *entries, int count)
{
    char *header = make_header(w->run, entries, count);
    uint64_t length = strlen(header);
    write_at(w, &length, sizeof length, 0);
    write_at(w, header, (int64_t)length, (int64_t)sizeof length);
    w->data_begin = (int64_t)(sizeof length + length);
    free(header);
}

static void writer_open(writer *w, int flags)
{
    w->file = open(w->temporary, flags | O_CLOEXEC, 0666);
    if (w->file < 0)
        write_failed(w, flags & O_CREAT ? "create" : "see what rank 0 is writing to");
}

static void writer_close(writer *w)
{
    if (w->file >= 0 && (fsync(w->file) != 0 || close(w->file) != 0) && w->message[0] == '\0')
        write_failed(w, "write");
    w->file = -1;
}

/* The rename is durable only once the directory is, too. */
static void appear(writer *w)
{
    if (rename(w->temporary, w->path) != 0) {
        write_failed(w, "rename a file to");
        return;
    }
    char directory[PATH_MAX];
    snprintf(directory, sizeof directory, "%s", w->path);
    char *slash = strrchr(directory, '/');
    if (slash == NULL)
        strcpy(directory, ".");
    else
        slash[slash == directory] = '\0';
    int file = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file >= 0) {
        fsync(file);
        close(file);
    }
}

static void write_pieces(writer *w, const prt_contents *contents)
{
    unsigned char *chunk = prt_allocate(w->run, CHUNK, 1);
    prt_pieces_walk walk;
    prt_kept_piece piece;
    prt_pieces_start(&walk, w->run, contents, true);
    while (w->message[0] == '\0' && prt_pieces_next(&walk, &piece)) {
        int64_t element_bytes = prt_dtype_bytes(piece.entry->dtype), bytes = piece.count * element_bytes;
        int64_t to = w->data_begin + piece.entry->begin + piece.element * element_bytes;
        for (int64_t done = 0; done < bytes; done += CHUNK) {
            int64_t length = bytes - done < CHUNK ? bytes - done : CHUNK;
            prt_fetch(w->run, chunk, piece.at + done, length);
            write_at(w, chunk, length, to + done);
        }
        piece.entry->written += piece.count;
    }
    free(chunk);
}

/* Have all ranks together written every element? Rank 0 asks, because a hole would look like zeros. */
static void check_written(writer *w, prt_entry *entries, int count)
{
    prt_run *run = w->run;
    int64_t *written = prt_allocate(run, (size_t)count, sizeof *written), bytes = count * (int64_t)sizeof *written;
    for (int i = 0; i < count; i++)
        written[i] = entries[i].written;
    if (run->ctx.rank != 0)
        run->comm->send(run->comm, written, bytes, 0);
    for (int rank = 1; rank < run->ctx.ranks && run->ctx.rank == 0; rank++) {
        run->comm->receive(run->comm, written, bytes, rank);
        for (int i = 0; i < count; i++)
            entries[i].written += written[i];
    }
    for (int i = 0; i < count && run->ctx.rank == 0; i++)
        if (entries[i].written != entries[i].elements - entries[i].padding && w->message[0] == '\0') {
            snprintf(w->message, sizeof w->message,
                     "cannot save '%s': of its %" PRId64 " elements the ranks have %" PRId64
                     "; what was saved before is untouched",
                     entries[i].name, entries[i].elements - entries[i].padding, entries[i].written);
            unlink(w->temporary);
        }
    free(written);
}

/* The checksums of what has been written. Ranks share the work: together they read every byte once. */
static void sum_entries(writer *w, prt_entry *entries, int count)
{
    prt_run *run = w->run;
    unsigned char *chunk = prt_allocate(run, CHUNK, 1);
    int64_t *halves = prt_allocate(run, 2 * (size_t)count, sizeof *halves); /* of checksums; 0 for those of others */
    reader r = {.run = run, .data_begin = w->data_begin};
    snprintf(r.path, sizeof r.path, "%s", w->temporary);
    r.file = open(r.path, O_RDONLY | O_CLOEXEC);
    for (int i = run->ctx.rank; i < count && r.message[0] == '\0'; i += run->ctx.ranks) {
        uint64_t checksum = 0;
        sum_of(&r, &entries[i], chunk, &checksum);
        halves[2 * i] = (int64_t)(checksum >> 32);
        halves[2 * i + 1] = (int64_t)(checksum & UINT32_MAX);
    }
    if (r.file >= 0)
        close(r.file);
    if (r.message[0] != '\0')
        unlink(w->temporary);
    prt_agree(run, PRT_WORLD, r.message);
    run->comm->maximum(run->comm, halves, 2 * count);
    for (int i = 0; i < count; i++)
        entries[i].checksum = (uint64_t)halves[2 * i] << 32 | (uint64_t)halves[2 * i + 1];
    free(halves);
    free(chunk);
}

/* Rank 0 makes the file and its header, still without checksums. What nobody writes, padding, is zeros. */
static void begin_file(writer *w, const prt_contents *contents)
{
    if (w->run->ctx.rank == 0) {
        writer_open(w, O_WRONLY | O_CREAT | O_TRUNC);
        write_header(w, contents->entries, contents->entry_count);
        if (w->message[0] == '\0' && ftruncate(w->file, w->data_begin + contents->bytes) != 0)
            write_failed(w, "write");
        writer_close(w);
    }
    prt_agree(w->run, PRT_WORLD, w->message);
    w->run->comm->broadcast(w->run->comm, &w->data_begin, sizeof w->data_begin, 0);
}

void prt_checkpoint_write(prt_run *run, prt_kept kept, const char *path)
{
    double began = prt_seconds();
    prt_contents contents = prt_contents_make(run, kept, false);
    writer w = {.run = run, .path = path, .file = -1};
    snprintf(w.temporary, sizeof w.temporary, "%s.writing", path);
    begin_file(&w, &contents);
    writer_open(&w, O_WRONLY);
    write_pieces(&w, &contents);
    writer_close(&w);
    prt_agree(run, PRT_WORLD, w.message);
    check_written(&w, contents.entries, contents.entry_count);
    sum_entries(&w, contents.entries, contents.entry_count);
    if (run->ctx.rank == 0) {
        writer_open(&w, O_WRONLY);
        write_header(&w, contents.entries, contents.entry_count); /* again, now with the checksums */
        writer_close(&w);
        if (w.message[0] == '\0')
            appear(&w);
    }
    prt_agree(run, PRT_WORLD, w.message); /* now the file exists for all ranks */
    if (run->ctx.rank == 0)
        prt_output_saved(run, path, w.data_begin + contents.bytes, prt_seconds() - began);
    prt_contents_free(&contents);
}

/* Checkpoints that a directory holds. */
typedef struct listing {
    int64_t highest; /* steps; -1 without any */
    int64_t newest;  /* the one written last; of two written at once, the one with more steps */
    char name[NAME_MAX + 1];
} listing;

static bool later(struct timespec a, struct timespec b)
{
    return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
}

static bool list_checkpoints(const char *directory, listing *all)
{
    *all = (listing){.highest = -1, .newest = -1};
    DIR *open_directory = opendir(directory);
    struct timespec written = {0};
    if (open_directory == NULL)
        return false;
    for (struct dirent *item; (item = readdir(open_directory)) != NULL;) {
        long long steps;
        int end = 0;
        struct stat status;
        if (sscanf(item->d_name, "step-%lld.safetensors%n", &steps, &end) != 1 || end == 0 ||
            item->d_name[end] != '\0' || steps < 0 || fstatat(dirfd(open_directory), item->d_name, &status, 0) != 0)
            continue;
        bool same_time = !later(status.st_mtim, written) && !later(written, status.st_mtim);
        if (all->newest < 0 || later(status.st_mtim, written) || (same_time && steps > all->newest)) {
            written = status.st_mtim;
            all->newest = steps;
            snprintf(all->name, sizeof all->name, "%s", item->d_name);
        }
        all->highest = steps > all->highest ? steps : all->highest;
    }
    closedir(open_directory);
    return true;
}

/* A checkpoint left by an earlier run could be taken for one of this run. */
static void warn_of_earlier_run(prt_run *run, const char *directory)
{
    listing all;
    const char *resumed = run->options.resume;
    if (resumed != NULL && strcmp(resumed, directory) == 0) /* then the user knows */
        return;
    if (list_checkpoints(directory, &all) && all.highest > run->ctx.step)
        prt_warn(run,
                 "warning: '%s' holds checkpoints of an earlier run, up to step %" PRId64 "; --resume takes the file"
                 " written last (--checkpoint DIR saves elsewhere)",
                 directory, all.highest);
}

bool prt_checkpoint_exists(const char *directory)
{
    listing all;
    return list_checkpoints(directory, &all) && all.newest >= 0;
}

void prt_checkpoint_prepare(prt_run *run)
{
    const char *directory = run->options.checkpoint;
    if (directory == NULL || run->ctx.rank != 0)
        return;
    struct stat status;
    bool made = mkdir(directory, 0777) == 0 || errno == EEXIST;
    if (made && stat(directory, &status) == 0 && !S_ISDIR(status.st_mode)) {
        made = false;
        errno = ENOTDIR;
    }
    if (!made || access(directory, W_OK | X_OK) != 0)
        prt_fail(&run->ctx, "cannot save checkpoints in '%s': %s (--checkpoint DIR saves elsewhere)", directory,
                 strerror(errno));
    warn_of_earlier_run(run, directory);
}

void prt_checkpoint_save(prt_run *run)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/step-%08lld.safetensors", run->options.checkpoint, (long long)run->ctx.step);
    prt_checkpoint_write(run, PRT_STATES, path);
}

/* ---- Resuming ----------------------------------------------------------------------------------------------- */

/* The newest checkpoint in a directory: the one written last. */
static bool find_newest(reader *r, const char *directory)
{
    listing all;
    if (!list_checkpoints(directory, &all))
        return refuse(r, "cannot be opened: %s", strerror(errno));
    if (all.newest < 0)
        return refuse(r, "the directory holds no file step-N.safetensors");
    if (all.highest > all.newest)
        prt_warn(r->run,
                 "warning: '%s' holds step %" PRId64
                 ", too, which was written earlier; --resume FILE continues from it",
                 directory, all.highest);
    snprintf(r->path, sizeof r->path, "%s/%s", directory, all.name);
    return true;
}

/* The header's length exceeds the file's: a truncated safetensors file, or something else. */
static bool refuse_header(reader *r, uint64_t length)
{
    char first = '\0';
    if (r->bytes > 8 && !read_at(r, &first, 1, 8))
        return false;
    if (length > HEADER_LIMIT || first != '{')
        return refuse(r, "is not a checkpoint: not a file in the safetensors layout (--resume PATH wants what "
                         "--checkpoint or --save-states wrote)");
    return refuse(r, "is truncated: its header has %" PRIu64 " bytes, the file %" PRId64, length, r->bytes);
}

/* `text` is the header's; its checksum is overwritten with zeros. */
static bool check_header(reader *r, char *text)
{
    char found[CHECKSUM_DIGITS + 1], expected[CHECKSUM_DIGITS + 1] = "";
    char *own = find_own_checksum(text);
    if (own == NULL)
        return refuse(r, "the header has no checksum: the file is damaged, or of an older version");
    memcpy(expected, own, CHECKSUM_DIGITS);
    memset(own, '0', CHECKSUM_DIGITS);
    checksum_text(header_checksum(text), found);
    return strcmp(found, expected) == 0 ||
           refuse(r, "the header's checksum is %s, it says %.16s: the file is damaged", found, expected);
}

static bool read_header(reader *r)
{
    struct stat status;
    uint64_t length;
    r->file = open(r->path, O_RDONLY | O_CLOEXEC);
    if (r->file < 0 || fstat(r->file, &status) != 0)
        return refuse(r, "cannot be opened: %s", strerror(errno));
    r->bytes = status.st_size;
    if (r->bytes < 8)
        return refuse(r, "has %" PRId64 " bytes, too few for a safetensors file", r->bytes);
    if (!read_at(r, &length, sizeof length, 0))
        return false;
    if (length > HEADER_LIMIT || (int64_t)length > r->bytes - 8)
        return refuse_header(r, length);
    char *text = prt_allocate(r->run, length + 1, 1);
    bool good = read_at(r, text, (int64_t)length, 8);
    r->data_begin = 8 + (int64_t)length;
    r->root = good ? cJSON_ParseWithLength(text, length) : NULL;
    if (good && !cJSON_IsObject(r->root))
        good = refuse(r, "the header is not a JSON object: the file is damaged");
    good = good && check_header(r, text);
    free(text);
    return good;
}

static const char *metadata(const reader *r, const char *name)
{
    const cJSON *all = cJSON_GetObjectItemCaseSensitive(r->root, "__metadata__");
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(all, name));
}

static void shape_text(const int64_t *dims, int count, char *text, size_t bytes)
{
    size_t at = (size_t)snprintf(text, bytes, "[");
    for (int d = 0; d < count; d++)
        at += (size_t)snprintf(text + at, bytes - at, "%s%lld", d > 0 ? ", " : "", (long long)dims[d]);
    snprintf(text + at, bytes - at, "]");
}

/* Elements at the same positions may still be others. */
static bool check_layout(reader *r, const prt_entry *entry)
{
    char name[512], expected[CHECKSUM_DIGITS + 1];
    if (entry->map == NULL)
        return true;
    snprintf(name, sizeof name, "layout %s", entry->name);
    checksum_text(prt_map_mark(r->run->program, entry->map), expected);
    const char *found = metadata(r, name);
    return (found != NULL && strcmp(found, expected) == 0) ||
           refuse(r, "tensor '%s': it was not saved in the layout that the program's 'saved' line gives", entry->name);
}

static const char *source_of(const prt_entry *entry)
{
    return entry->source != NULL ? entry->source : entry->name;
}

/* Compares a tensor's description with the program's, and stores its position in the file. */
static bool check_entry(reader *r, prt_entry *entry)
{
    const char *name = source_of(entry);
    const cJSON *found = cJSON_GetObjectItemCaseSensitive(r->root, name);
    if (found == NULL)
        return refuse(r, "tensor '%s': the program has it, the file does not", name);
    const char *dtype = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(found, "dtype"));
    const cJSON *shape = cJSON_GetObjectItemCaseSensitive(found, "shape");
    const cJSON *offsets = cJSON_GetObjectItemCaseSensitive(found, "data_offsets");
    if (dtype == NULL || !cJSON_IsArray(shape) || cJSON_GetArraySize(offsets) != 2)
        return refuse(r, "tensor '%s': dtype, shape or data_offsets are missing from the header", name);
    if (strcmp(dtype, dtype_names[entry->dtype]) != 0)
        return refuse(r, "tensor '%s': the program expects %s, the file has %s", name, dtype_names[entry->dtype],
                      dtype);
    int64_t dims[PRT_MAX_DIMS] = {0};
    int count = cJSON_GetArraySize(shape);
    bool same = count == entry->dim_count;
    for (int d = 0; d < count && d < PRT_MAX_DIMS; d++) {
        dims[d] = (int64_t)cJSON_GetNumberValue(cJSON_GetArrayItem(shape, d));
        same = same && dims[d] == entry->dims[d];
    }
    if (!same) {
        char expected[160], has[160];
        shape_text(entry->dims, entry->dim_count, expected, sizeof expected);
        shape_text(dims, count < PRT_MAX_DIMS ? count : PRT_MAX_DIMS, has, sizeof has);
        return refuse(r, "tensor '%s': the program expects the shape %s, the file has %s", name, expected, has);
    }
    double begin = cJSON_GetNumberValue(cJSON_GetArrayItem(offsets, 0));
    double end = cJSON_GetNumberValue(cJSON_GetArrayItem(offsets, 1));
    int64_t bytes = entry->elements * prt_dtype_bytes(entry->dtype);
    if (!(begin >= 0 && end - begin == (double)bytes))
        return refuse(r, "tensor '%s': expected %" PRId64 " bytes, the header gives it %.0f to %.0f", name, bytes,
                      begin, end);
    if (end > (double)(r->bytes - r->data_begin))
        return refuse(r,
                      "tensor '%s' ends at byte %.0f of the data, but the file has only %" PRId64 ": it is truncated",
                      name, end, r->bytes - r->data_begin);
    entry->begin = (int64_t)begin;
    return check_layout(r, entry);
}

/* A model that is served has its parameters, and none of the states of training. */
static bool is_left_out(const prt_run *run, const char *name)
{
    return run->program->prefill != NULL && strncmp(name, "parameters/", strlen("parameters/")) != 0;
}

/* What the program does not read of the file must be what it can do without. */
static bool check_others(reader *r, prt_contents *contents)
{
    int64_t data = 0;
    for (const cJSON *item = r->root->child; item != NULL; item = item->next) {
        bool known = strcmp(item->string, "__metadata__") == 0;
        if (known)
            continue;
        const cJSON *offsets = cJSON_GetObjectItemCaseSensitive(item, "data_offsets");
        data += (int64_t)(cJSON_GetNumberValue(cJSON_GetArrayItem(offsets, 1)) -
                          cJSON_GetNumberValue(cJSON_GetArrayItem(offsets, 0)));
        for (int i = 0; i < contents->entry_count && !known; i++)
            known = !contents->entries[i].absent && strcmp(item->string, source_of(&contents->entries[i])) == 0;
        if (!known && !is_left_out(r->run, item->string) && !prt_origin_drops(r->run, &contents->origin, item->string))
            return refuse(r, "tensor '%s': the file has it, the program does not", item->string);
        if (cJSON_GetObjectItemCaseSensitive(r->root, item->string) != item)
            return refuse(r, "the header names a tensor twice");
    }
    return data == r->bytes - r->data_begin ||
           refuse(r, "the tensors have %" PRId64 " bytes, the file has %" PRId64 " after its header", data,
                  r->bytes - r->data_begin);
}

static bool check_entries(reader *r, prt_contents *contents)
{
    char why[MESSAGE - 220];
    if (!prt_origin_find(r->run, r->root, contents, why, sizeof why))
        return refuse(r, "%s", why);
    for (int i = 0; i < contents->entry_count; i++)
        if (!contents->entries[i].absent && !check_entry(r, &contents->entries[i]))
            return false;
    return check_others(r, contents);
}

/* Ranks share the work: together they read every byte once. */
static bool check_sums(reader *r, const prt_entry *entries, int count)
{
    unsigned char *chunk = prt_allocate(r->run, CHUNK, 1);
    bool good = true;
    for (int i = r->run->ctx.rank; i < count && good; i += r->run->ctx.ranks) {
        char name[512], found[CHECKSUM_DIGITS + 1];
        uint64_t checksum = 0;
        if (entries[i].again)
            continue;
        good = sum_of(r, &entries[i], chunk, &checksum);
        snprintf(name, sizeof name, "checksum %s", source_of(&entries[i]));
        checksum_text(checksum, found);
        const char *expected = metadata(r, name);
        if (good && expected == NULL)
            good = refuse(r, "tensor '%s': the header has no checksum of it", source_of(&entries[i]));
        else if (good && strcmp(expected, found) != 0)
            good = refuse(r, "tensor '%s': its checksum is %s, the header says %s: the file is damaged",
                          source_of(&entries[i]), found, expected);
    }
    free(chunk);
    return good;
}

/* Everything that this rank has, also of what other ranks have, too. */
static void read_pieces(reader *r, const prt_contents *contents)
{
    unsigned char *chunk = prt_allocate(r->run, CHUNK, 1);
    prt_pieces_walk walk;
    prt_kept_piece piece;
    prt_pieces_start(&walk, r->run, contents, false);
    while (r->message[0] == '\0' && prt_pieces_next(&walk, &piece)) {
        if (piece.entry->absent)
            continue;
        int64_t element_bytes = prt_dtype_bytes(piece.entry->dtype), bytes = piece.count * element_bytes;
        int64_t from = r->data_begin + piece.entry->begin + piece.element * element_bytes;
        for (int64_t done = 0; done < bytes && r->message[0] == '\0'; done += CHUNK) {
            int64_t length = bytes - done < CHUNK ? bytes - done : CHUNK;
            if (read_at(r, chunk, length, from + done))
                prt_store(r->run, piece.at + done, chunk, length);
        }
    }
    free(chunk);
}

/* Continues from the checkpoint's position: steps, and the data if it is still the same. */
static bool take_position(reader *r)
{
    const char *steps = metadata(r, "steps"), *seed = metadata(r, "seed"), *data = metadata(r, "data");
    const char *model = metadata(r, "model");
    prt_run *run = r->run;
    if (steps == NULL || seed == NULL || data == NULL || model == NULL)
        return refuse(r, "has no steps, seed, data and model in its __metadata__: it was not written by a run");
    if (strcmp(model, run->program->name) != 0)
        return refuse(r, "is of model '%s', not '%s'", model, run->program->name);
    if (run->program->prefill != NULL)
        return true;
    run->ctx.step = strtoll(steps, NULL, 10);
    if (strtoull(data, NULL, 10) != prt_data_mark(run))
        prt_warn(run, "warning: the data is not that of the checkpoint; the steps to come read other examples");
    if (strtoull(seed, NULL, 10) != run->options.seed)
        prt_warn(run, "warning: the checkpoint was trained with seed %s; the order of the data changes", seed);
    return true;
}

void prt_checkpoint_resume(prt_run *run)
{
    reader r = {.run = run, .file = -1};
    struct stat status;
    prt_contents contents = prt_contents_make(run, PRT_STATES, true);
    snprintf(r.path, sizeof r.path, "%s", run->options.resume);
    bool directory = stat(r.path, &status) == 0 && S_ISDIR(status.st_mode);
    if (!directory || find_newest(&r, run->options.resume))
        if (read_header(&r) && check_entries(&r, &contents) && check_sums(&r, contents.entries, contents.entry_count))
            take_position(&r);
    prt_agree(run, PRT_WRONG, r.message); /* no rank changes a state before all have found the file good */
    read_pieces(&r, &contents);
    prt_agree(run, PRT_WORLD, r.message);
    prt_origin_say(run, &contents.origin);
    if (run->ctx.rank == 0 && !run->options.quiet)
        printf(run->program->prefill != NULL ? "loaded what step %lld left in %s\n"
                                             : "resumed after step %lld from %s\n",
               strtoll(metadata(&r, "steps"), NULL, 10), r.path);
    close(r.file);
    cJSON_Delete(r.root);
    prt_contents_free(&contents);
}
